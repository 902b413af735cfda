/* SPDX-License-Identifier: MIT */
/*
 * The frame that is timed: draws of five records each, with four attributes and one texture.
 */
#ifndef V3DCL_JOB_BENCH_FRAME_H
#define V3DCL_JOB_BENCH_FRAME_H

#include "../../fuzz/trial.h"

#define FRAME_WIDTH 1920
#define FRAME_HEIGHT 1080

/* All of it, what it is drawn to included */
void frame_make(struct trial *t, uint32_t draws);

#endif /* V3DCL_JOB_BENCH_FRAME_H */
