/* SPDX-License-Identifier: MIT */
/*
 * What the oracle knows, shared by its processes and kept in a file between runs. Each build, so
 * each checker, has its own counts.
 */
#ifndef V3DCL_JOB_FUZZ_STATE_H
#define V3DCL_JOB_FUZZ_STATE_H

#include "court.h"

#define STATE_JOBS 64
#define STATE_BUILDS 64
#define STATE_FORMAT 0x3374617473643376	/* changes with what the file looks like */

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
 * struct state_build - what one build has done in all its runs
 * @hash: of the program's bytes
 */
struct state_build {
	uint64_t hash;
	double seconds;
	struct state_job sum;
};

/**
 * struct state - see above
 * @format: %STATE_FORMAT
 * @next_seed: what the next run begins with
 * @build_count: of @builds; the last one is this program
 * @jobs: this run
 * @cover: shapes are counted once, whichever build saw them; basic blocks are this build's
 */
struct state {
	uint64_t format, next_seed;
	uint32_t build_count;
	struct state_build builds[STATE_BUILDS];
	struct state_job jobs[STATE_JOBS];
	struct cover cover;
};

/**
 * state_open() - what is known so far
 * @name: a file, begun anew if it is full; NULL: none
 * Return: NULL: errno says why, EPROTO: the file is of another format, and is left as it is
 */
struct state *state_open(const char *name);

/**
 * state_merge() - what another file knows is added: counts by build, and coverage. The runs of both
 * had seeds of their own, else jobs are counted twice
 * @state: to this
 * @name: the other file, which stays as it is
 * Return: false: errno says why, EPROTO: it is of another format, E2BIG: of too many builds
 */
bool state_merge(struct state *state, const char *name);

/* What a process's court has counted */
void state_note(struct state_job *job, const struct court *court);

/* How many jobs the checker accepted, of both kinds */
uint64_t state_accepted(const struct state_job *job);

/* The tables, of this build and of all; this run becomes one of those before */
void state_report(struct state *state, double seconds, uint64_t seed, bool rules, FILE *file);

#endif /* V3DCL_JOB_FUZZ_STATE_H */
