/* SPDX-License-Identifier: (GPL-2.0-only OR MIT) */
/*
 * What one client's code leaves in the V3D, and another client's could see: when the driver's own
 * programs must scrub it, once for the module and the emulated device.
 */
#ifndef V3DCL_VALIDATE_RESIDUE_H
#define V3DCL_VALIDATE_RESIDUE_H

#include "scrub.h"

/**
 * struct v3dcl_code_use - the code of a job
 * @runs: it has any
 * @sees_residue: it may read registers that it has not written
 */
struct v3dcl_code_use {
	bool runs, sees_residue;
};

struct v3dcl_code_use v3dcl_code_use(const struct v3dcl_bo *bos, __u32 count, bool unlisted);

/**
 * struct v3dcl_residue - what is left in the V3D, and of whom
 * @rows: the only client of whom something may be left in the VPM's rows for user programs; 0 at
 *	first, when it is not known
 * @registers: the only client of whom something may be left in the QPUs' registers, and no
 *	addresses; 0 for several, after user programs, and at first
 *
 * Clients are numbers of the caller's, not 0. A reset of the V3D is not taken to clear anything.
 */
struct v3dcl_residue {
	__u64 rows, registers;
};

/* The driver's own programs: v3dcl_scrub_before() */
enum v3dcl_scrub {
	V3DCL_SCRUB_NOTHING,
	V3DCL_SCRUB_ROWS,	/* of the VPM: one program */
	V3DCL_SCRUB_REGISTERS,	/* a program on each QPU; nothing else may run on them */
};

enum v3dcl_scrub v3dcl_scrub_before(const struct v3dcl_residue *residue, __u64 client,
				    bool user_programs, bool sees_residue);
void v3dcl_residue_left(struct v3dcl_residue *residue, __u64 client, bool user_programs);
void v3dcl_residue_scrubbed(struct v3dcl_residue *residue, __u64 client, enum v3dcl_scrub scrub);

/* Instructions of all scrub programs of a V3D with so many QPUs */
#define V3DCL_SCRUB_PROGRAMS_COUNT(qpus) \
	(V3DCL_SCRUB_ROWS_COUNT + V3DCL_SCRUB_REGISTERS_COUNT((qpus) - 1) + \
	 V3DCL_SCRUB_REGISTERS_COUNT(1))

void v3dcl_scrub_programs(__u64 *code, __u32 address, __u32 qpus, struct v3dcl_run *rows,
			  struct v3dcl_run *registers);

#endif /* V3DCL_VALIDATE_RESIDUE_H */
