/* SPDX-License-Identifier: MIT */
/*
 * Instructions the short way: those that are nothing but ALUs, immediates, files, accumulators and branches, in memory that is at
 * hand, as long as none breaks a rule. Compiled for what the processor has. Does what qpu.c does one by one, and leaves the rest to
 * it.
 */
#ifndef V3DSIM_QPU_PLAIN_H
#define V3DSIM_QPU_PLAIN_H

#include "qpu.h"

/**
 * struct qpu_words - instructions that are at hand
 * @word: @size bytes of them from @base on; may change at any time
 * @decoded: QPS_DECODED instructions made ready, by address
 */
struct qpu_words {
	const uint64_t *word;
	uint32_t base, size;
	struct qpu_op *decoded;
};

/**
 * typedef qpu_plain - runs the current thread, of which nothing but branches may be due
 * @budget: instructions, at most
 * Return: instructions executed
 */
typedef uint64_t (*qpu_plain)(struct qpu *q, const struct qpu_words *words, uint64_t budget);

#if defined(__x86_64__)
uint64_t qpu_plain_avx2(struct qpu *q, const struct qpu_words *words, uint64_t budget);
#endif

/** qpu_plain_best() - for this processor */
qpu_plain qpu_plain_best(void);

#endif /* V3DSIM_QPU_PLAIN_H */
