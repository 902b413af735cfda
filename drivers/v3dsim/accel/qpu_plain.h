/* SPDX-License-Identifier: MIT */
/*
 * Instructions the short way: those that are nothing but ALUs, immediates, files, accumulators and
 * branches, in memory that is at hand, as long as none breaks a rule. Compiled for what the
 * processor has. Does what qpu.c does one by one, and leaves the rest to it.
 */
#ifndef V3DSIM_QPU_PLAIN_H
#define V3DSIM_QPU_PLAIN_H

#include "qpu/qpu.h"

/**
 * qpu_plain_any() - runs the current thread, of which nothing but branches may be due
 * @budget: instructions, at most
 * Return: instructions executed
 */
uint64_t qpu_plain_any(struct qpu *q, const struct qpu_words *words, uint64_t budget);

#if defined(__x86_64__)
/* The same for processors with AVX2 */
uint64_t qpu_plain_avx2(struct qpu *q, const struct qpu_words *words, uint64_t budget);
#endif

#endif /* V3DSIM_QPU_PLAIN_H */
