/* SPDX-License-Identifier: MIT */
/*
 * Jobs of a corpus, small ones, as a beginning for others.
 */
#ifndef V3DCL_JOB_FUZZ_BASE_H
#define V3DCL_JOB_FUZZ_BASE_H

#include "corpus.h"
#include "dice.h"

#define BASE_JOBS 8192

/**
 * struct base - see above
 * @corpus: their bytes
 * @jobs: where each begins
 * @count: of @jobs
 */
struct base {
	struct corpus corpus;
	struct corpus jobs[BASE_JOBS];
	uint32_t count;
};

/* False: errno says why. @trial is overwritten. */
bool base_open(struct base *base, const char *name, struct trial *trial);

/* One of the jobs, with some changes */
void base_make(const struct base *base, struct trial *trial, struct dice *d);

#endif /* V3DCL_JOB_FUZZ_BASE_H */
