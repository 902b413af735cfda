/* SPDX-License-Identifier: MIT */
/*
 * What an accepted job says by itself: the rules that nothing in the chip shows, once more from
 * their descriptions in uapi/ and the guide, and from nothing of the checker's.
 */
#ifndef V3DCL_JOB_FUZZ_CONTRACT_H
#define V3DCL_JOB_FUZZ_CONTRACT_H

#include "trial.h"

/* What an accepted job must not say, in words; NULL: nothing */
const char *contract_broken(const struct trial *t);

#endif /* V3DCL_JOB_FUZZ_CONTRACT_H */
