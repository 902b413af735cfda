/* SPDX-License-Identifier: MIT */
/*
 * The Special Function Unit as pure functions on floats: 1/x, 1/sqrt|x|, 2^x and log2|x|.
 *
 * HW: each function is a table of 16 segments with a quadratic in each, in fixed point. The
 * silicon's coefficients are not public in a form that could be used here; ours are the quadratics
 * through each segment's two ends and its middle, with 30 bits behind the point, which gives about
 * the 16 bits of precision that programs count on and the exact values that HW has: recip(+-1) =
 * +-1, powers of two, recip(+-0) = infinity of that sign, rsqrt(0) = +infinity; a NaN never comes
 * out.
 *
 * The chip's mode "sfu" adds errors as large as silicon's: a model of them, which gives the results
 * that are known from prints and the largest errors that were seen. Where in between they lie, and
 * on which side, is not established. Software that needs an exact power of two fails with it.
 */
#ifndef V3DSIM_SFU_H
#define V3DSIM_SFU_H

#include <stdbool.h>
#include <stdint.h>

#include "alu.h"

enum sfu_function { SFU_RECIP, SFU_RECIPSQRT, SFU_EXP, SFU_LOG };

/**
 * sfu_one() - @function of a float; denormals are 0, exponent 255 is infinity, results too small
 * are +0
 * @silicon: with the model of silicon's errors
 */
uint32_t sfu_one(enum sfu_function function, uint32_t x, bool silicon);

/* @function of each lane */
void sfu_run(enum sfu_function function, struct lanes *out, const struct lanes *x, bool silicon);

#endif /* V3DSIM_SFU_H */
