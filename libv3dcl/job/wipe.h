/* SPDX-License-Identifier: (GPL-2.0-only OR MIT) */
/*
 * The driver's own program: what a file's programs have left in the VPM is gone before another file's begin.
 */
#ifndef V3DCL_JOB_WIPE_H
#define V3DCL_JOB_WIPE_H

#include "ioctl.h"

/* Instructions: set-up; a write a row; set-up and three delays, a read; two more, the end and its delay slots */
#define V3DCL_WIPE_COUNT (1 + V3DCL_USER_VPM_ROWS + 5 + 1 + 3)

void v3dcl_wipe_code(__u64 code[V3DCL_WIPE_COUNT]);

#endif /* V3DCL_JOB_WIPE_H */
