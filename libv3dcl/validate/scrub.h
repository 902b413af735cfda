/* SPDX-License-Identifier: (GPL-2.0-only OR MIT) */
/*
 * The driver's own programs: what a file's programs and shaders have left is gone before another
 * file's begin that could see it.
 */
#ifndef V3DCL_VALIDATE_SCRUB_H
#define V3DCL_VALIDATE_SCRUB_H

#include "ioctl.h"

/*
 * Instructions: set-up; a write a row; set-up and three delays, a read; two more, the end and its
 * delay slots
 */
#define V3DCL_SCRUB_ROWS_COUNT (1 + V3DCL_USER_VPM_ROWS + 5 + 1 + 3)

void v3dcl_scrub_rows(__u64 code[V3DCL_SCRUB_ROWS_COUNT]);

/*
 * Two semaphore instructions for each other QPU, or for its own; two registers each; r0 to r3; r5;
 * r4 and its delay; flags; the end
 */
#define V3DCL_SCRUB_REGISTERS_COUNT(others) (2 * (others) + 32 + 2 + 1 + 1 + 2 + 1 + 3)

__u32 v3dcl_scrub_registers(__u64 *code, __u32 qpus, bool first);

#endif /* V3DCL_VALIDATE_SCRUB_H */
