/* SPDX-License-Identifier: MIT */
/*
 * The floating-point mode in which this processor computes as the QPUs do (alu.h): truncation, and
 * no denormals. It is the thread's, so it is left wherever the host is called.
 */
#ifndef V3DSIM_FLOAT_MODE_H
#define V3DSIM_FLOAT_MODE_H

#include <stdint.h>

/* The thread's floating-point mode */
typedef uint64_t float_mode;

/**
 * float_mode_enter() - truncation and no denormals, for this thread.
 *
 * Return: for float_mode_leave()
 */
float_mode float_mode_enter(void);

/* The thread's own mode again */
void float_mode_leave(float_mode mode);

#endif /* V3DSIM_FLOAT_MODE_H */
