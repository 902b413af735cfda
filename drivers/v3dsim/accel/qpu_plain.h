/* SPDX-License-Identifier: MIT */
/*
 * Instructions the short way, in memory that is at hand: those that are nothing but ALUs,
 * immediates, files, accumulators and branches, as long as none breaks a rule. Compiled for what
 * the processor has. Does what qpu.c does one by one, and calls that for those in between.
 */
#ifndef V3DSIM_QPU_PLAIN_H
#define V3DSIM_QPU_PLAIN_H

#include "qpu/qpu.h"

/**
 * qpu_plain_any() - runs the current thread, of which nothing but branches may be due, until
 * q->until or as long as instructions are at hand
 * @words: @outcome is QPU_SPENT before
 * @budget: instructions, at most
 * Return: instructions executed
 */
uint64_t qpu_plain_any(struct qpu *q, struct qpu_words *words, uint64_t budget);

#if defined(__x86_64__)
/* The same for processors with AVX2 */
uint64_t qpu_plain_avx2(struct qpu *q, struct qpu_words *words, uint64_t budget);
#endif

#endif /* V3DSIM_QPU_PLAIN_H */
