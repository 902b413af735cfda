/* SPDX-License-Identifier: MIT */
/*
 * What submits say of themselves: counts, flags, pads, which the ioctls ask for before anything
 * else. Their limits once more, as uapi/drm/ has them.
 */
#ifndef V3DCL_JOB_FUZZ_SUBMITS_H
#define V3DCL_JOB_FUZZ_SUBMITS_H

#include "dice.h"

/**
 * submits_broken() - makes one of each kind, with a field at its limit or beyond, and asks the
 * checker; what it must not have accepted, in words, or NULL
 */
const char *submits_broken(struct dice *d);

#endif /* V3DCL_JOB_FUZZ_SUBMITS_H */
