// SPDX-License-Identifier: (GPL-2.0-only OR MIT)
/*
 * Whose residue is in the V3D. Verified programs read no register, accumulator or FIFO that they
 * have not filled themselves. Two things remain: the VPM's rows, which are for user programs to
 * share, and registers that a shader writes on some paths or in some elements only
 * (V3DCL_SHADER_RESIDUE).
 */
#include "residue.h"

/**
 * v3dcl_code_use() - what a job runs
 * @bos: of the job, checked
 * @count: of @bos
 * @unlisted: it runs user programs, or raw lists, which may run what is not among @bos
 *
 * A frame's shaders count for binning and rendering alike.
 */
struct v3dcl_code_use v3dcl_code_use(const struct v3dcl_bo *bos, __u32 count, bool unlisted)
{
	struct v3dcl_code_use use = { .runs = unlisted };
	__u32 i;

	for (i = 0; i < count; i++) {
		if (!(bos[i].uses & V3DCL_CODE))
			continue;
		use.runs = true;
		if (bos[i].shader && bos[i].shader->uses & V3DCL_SHADER_RESIDUE)
			use.sees_residue = true;
	}
	return use;
}

/**
 * v3dcl_scrub_before() - what must be scrubbed before a job, if it ran next
 * @residue: of the V3D
 * @client: whose job it is
 * @user_programs: it runs some: they may read all rows
 * @sees_residue: as &v3dcl_code_use.sees_residue
 *
 * User programs see no residue in registers, so one answer is enough.
 */
enum v3dcl_scrub v3dcl_scrub_before(const struct v3dcl_residue *residue, __u64 client,
				    bool user_programs, bool sees_residue)
{
	if (user_programs && residue->rows != client)
		return V3DCL_SCRUB_ROWS;
	if (sees_residue && residue->registers != client)
		return V3DCL_SCRUB_REGISTERS;
	return V3DCL_SCRUB_NOTHING;
}

/**
 * v3dcl_residue_left() - a client's code may have run from here on
 * @residue: of the V3D
 * @client: whose
 * @user_programs: it runs some: they leave physical addresses in registers, which no shader may
 *	see, not of the same client either
 */
void v3dcl_residue_left(struct v3dcl_residue *residue, __u64 client, bool user_programs)
{
	if (residue->registers != client || user_programs)
		residue->registers = 0;
}

/**
 * v3dcl_residue_scrubbed() - a scrub has ended: nothing of other clients is left there
 * @residue: of the V3D
 * @client: before whose job it was
 * @scrub: what was scrubbed
 */
void v3dcl_residue_scrubbed(struct v3dcl_residue *residue, __u64 client, enum v3dcl_scrub scrub)
{
	if (scrub == V3DCL_SCRUB_ROWS)
		residue->rows = client;
	if (scrub == V3DCL_SCRUB_REGISTERS)
		residue->registers = client;
}

/**
 * v3dcl_scrub_programs() - the driver's own programs, one after the other
 * @code: filled, V3DCL_SCRUB_PROGRAMS_COUNT(qpus) words
 * @address: of @code as the V3D sees it, a multiple of 8
 * @qpus: how many there are, at least 1
 * @rows: one run, which becomes that of V3DCL_SCRUB_ROWS
 * @registers: as many runs as QPUs, which become those of V3DCL_SCRUB_REGISTERS: the first one
 *	counts the others
 */
void v3dcl_scrub_programs(__u64 *code, __u32 address, __u32 qpus, struct v3dcl_run *rows,
			  struct v3dcl_run *registers)
{
	__u32 first = V3DCL_SCRUB_ROWS_COUNT, others, i;

	v3dcl_scrub_rows(code);
	others = first + v3dcl_scrub_registers(code + first, qpus, true);
	v3dcl_scrub_registers(code + others, qpus, false);
	*rows = (struct v3dcl_run){ .code = address };
	for (i = 0; i < qpus; i++)
		registers[i] = (struct v3dcl_run){
			.code = address + (i ? others : first) * sizeof(*code),
		};
}
