/* SPDX-License-Identifier: MIT */
/*
 * Rules that are no memory access: what an accepted job did inside the chip, and what it leaves
 * there for the next one, of whichever client.
 */
#ifndef V3DCL_JOB_FUZZ_INSIDE_H
#define V3DCL_JOB_FUZZ_INSIDE_H

#include "machine.h"
#include "trial.h"

/**
 * inside_look() - after a run: @m->broken and @m->inside, if something is there that must not be
 * @m: the judge
 * @kind: of job
 * @ended: it came to its end
 */
void inside_look(struct machine *m, enum trial_kind kind, bool ended);

#endif /* V3DCL_JOB_FUZZ_INSIDE_H */
