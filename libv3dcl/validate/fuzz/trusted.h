/* SPDX-License-Identifier: MIT */
/*
 * What trusted clients hand over: programs that are not verified and raw lists, of which the
 * checker asks little. That little, once more; and what all submits say of themselves.
 */
#ifndef V3DCL_JOB_FUZZ_TRUSTED_H
#define V3DCL_JOB_FUZZ_TRUSTED_H

#include "check.h"

/**
 * trusted_broken() - makes some of each from a trial, and asks the checker; what it must not have
 * accepted, in words, or NULL
 */
const char *trusted_broken(struct checked *c, const struct trial *t);

#endif /* V3DCL_JOB_FUZZ_TRUSTED_H */
