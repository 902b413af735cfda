// SPDX-License-Identifier: (GPL-2.0-only OR MIT)
/*
 * How images lie in memory: the micro-tiles that they are made of.
 */
#include "layout.h"

const struct v3dcl_units v3dcl_units[4] = { { 1, 8, 8 }, { 2, 8, 4 }, { 4, 4, 4 }, { 8, 2, 4 } };
