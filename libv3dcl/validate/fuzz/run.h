/* SPDX-License-Identifier: MIT */
/*
 * A trial that was accepted, before the judge.
 */
#ifndef V3DCL_JOB_FUZZ_RUN_H
#define V3DCL_JOB_FUZZ_RUN_H

#include "check.h"
#include "machine.h"

/* What a run is judged on: see run_trial() */
struct run {
	bool ended;		/* within the budget */
	bool stopped;		/* or before, by a fault or in a wait for what never comes */
	/* a program read or wrote memory of the job's, beside code and uniforms */
	bool accessed;
	bool drew;		/* vertices were read or shaded fragments looked something up */
	bool stored;		/* the tile buffer was written to memory */
};

/**
 * run_trial() - runs it and says what it did; @m->broken tells what it must not have done
 * @m: the judge
 * @c: accepted
 * @t: what @c was made from
 * @face: which chip runs it
 * @residue: what is in the chip: see machine_forget()
 */
struct run run_trial(struct machine *m, const struct checked *c, const struct trial *t,
		     enum face face, uint32_t residue);

#endif /* V3DCL_JOB_FUZZ_RUN_H */
