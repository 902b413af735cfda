/* SPDX-License-Identifier: MIT */
/*
 * Is each address of an accepted job that of the BO which the job names there? The judge lets a job
 * reach all of its BOs, so it sees none of them in another one's place.
 */
#ifndef V3DCL_JOB_FUZZ_NAMES_H
#define V3DCL_JOB_FUZZ_NAMES_H

#include "check.h"

/* What the V3D is given instead, in words; NULL: what the job names */
const char *names_broken(const struct checked *c, const struct trial *t);

#endif /* V3DCL_JOB_FUZZ_NAMES_H */
