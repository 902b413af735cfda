/* SPDX-License-Identifier: MIT */
/*
 * What a job looks like without its numbers: jobs of the same shape count once.
 */
#ifndef V3DCL_JOB_FUZZ_SHAPE_H
#define V3DCL_JOB_FUZZ_SHAPE_H

#include "check.h"

/**
 * shape_of() - a hash of a job that was accepted
 *
 * Of programs: operations, signals, conditions, packs and flags, whether an operand or a
 * destination is an accumulator, a register or which address of the register space, how far
 * branches go, and what relocations say. Of frames: that of its shaders, the records of the bin
 * list with their modes, surfaces and their formats. Not which registers, no immediates, uniforms,
 * addresses, sizes and counts.
 */
uint64_t shape_of(const struct checked *c, const struct trial *t);

/* The same of a frame without its shaders */
uint64_t shape_of_lists(const struct trial *t);

#endif /* V3DCL_JOB_FUZZ_SHAPE_H */
