/* SPDX-License-Identifier: MIT */
/*
 * What the oracle knows, shared by its processes and kept in a file between runs of the same build.
 */
#ifndef V3DCL_JOB_FUZZ_STATE_H
#define V3DCL_JOB_FUZZ_STATE_H

#include "court.h"

#define STATE_JOBS 64

/**
 * struct state_job - what one process of this run has done so far
 * @seed: of the job that it is at
 */
struct state_job {
	uint64_t seed;
	struct tally tally[TRIAL_KINDS];
	uint64_t refused[COURT_RULES];
};

/**
 * struct state - see above
 * @build: names the program that wrote it: counts of another checker are worth nothing
 * @next_seed: what the next run begins with
 * @seconds: of all runs
 * @before: the sum of all runs before this one
 * @jobs: this run
 */
struct state {
	uint64_t build, next_seed;
	double seconds;
	struct state_job before, jobs[STATE_JOBS];
	struct cover cover;
};

/** state_open() - of a file, begun anew if another build wrote it; NULL: of no file. NULL: errno says why */
struct state *state_open(const char *name);

/** state_note() - what a process's court has counted */
void state_note(struct state_job *job, const struct court *court);

/** state_report() - the table; this run becomes one of those before */
void state_report(struct state *state, double seconds, uint64_t seed, bool rules, FILE *file);

#endif /* V3DCL_JOB_FUZZ_STATE_H */
