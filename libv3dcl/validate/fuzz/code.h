/* SPDX-License-Identifier: MIT */
/*
 * What accepted code says by itself: rules of the guide that nothing in the chip shows, by reading
 * one instruction after the other, without paths and values.
 */
#ifndef V3DCL_JOB_FUZZ_CODE_H
#define V3DCL_JOB_FUZZ_CODE_H

#include "trial.h"

/**
 * struct code_facts - what code is, by its instructions
 * @branches: it has branches
 * @switches: it switches threads
 * @vpm: it accesses the VPM
 * @tile: it has to do with a fragment: the tile buffer, its place, varyings
 * @varyings: that it reads, if it does not branch
 */
struct code_facts {
	bool branches, switches, vpm, tile;
	uint32_t varyings;
};

struct code_facts code_facts(const uint64_t *code, uint32_t count);

/* What an accepted program or shader must not say, in words; NULL: nothing */
const char *code_broken(const uint64_t *code, uint32_t count, bool shader);

#endif /* V3DCL_JOB_FUZZ_CODE_H */
