/* SPDX-License-Identifier: MIT */
/*
 * User programs of 64 KiB that are made to keep the checker busy.
 */
#ifndef V3DCL_JOB_BENCH_WORST_H
#define V3DCL_JOB_BENCH_WORST_H

#include <stdint.h>

#define WORST_INSTRUCTIONS 8192

enum {
	WORST_STRAIGHT, WORST_JOINS, WORST_LOOPS, WORST_NESTED, WORST_CALLS, WORST_USES,
	WORST_KINDS
};

/**
 * struct worst - one of them
 * @name: what it is made of
 * @verdict: of the last check
 * @scratch: bytes that it needed
 */
struct worst {
	const char *name, *verdict;
	uint32_t scratch;
};

/* Writes one of them, WORST_INSTRUCTIONS long */
void worst_make(unsigned int kind, uint64_t *code, struct worst *worst);

/* Has a program checked */
void worst_check(struct worst *worst, const uint64_t *code, void *scratch, uint32_t scratch_bytes);

#endif /* V3DCL_JOB_BENCH_WORST_H */
