/* SPDX-License-Identifier: MIT */
/*
 * What accepted code says by itself: rules of the guide that nothing in the chip shows, by reading
 * one instruction after the other, without paths and values.
 */
#ifndef V3DCL_JOB_FUZZ_CODE_H
#define V3DCL_JOB_FUZZ_CODE_H

#include "trial.h"

/* What an accepted program or shader must not say, in words; NULL: nothing */
const char *code_broken(const uint64_t *code, uint32_t count, bool shader);

#endif /* V3DCL_JOB_FUZZ_CODE_H */
