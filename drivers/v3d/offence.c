// SPDX-License-Identifier: GPL-2.0-only
/*
 * Files whose jobs hang again and again: others come first, and then nothing is taken of them for a
 * while.
 */
#include "jobs.h"

/**
 * DOC: Offences
 *
 * A hang costs everyone: what runs beside it is cut off, and a reset takes its time. So each file
 * has a score: one more for each of its jobs that hung, one less each V3D_OFFENCE_FADES_NS. From
 * V3D_OFFENCES_SLOWED on, the time of its jobs counts as that of jobs of low priority does
 * (arbiter.c). When it reaches bv3d_device.hang_limit, submits are refused, until half of that has
 * faded: with the defaults for 40 s, after 16 hangs in a row.
 *
 * They are refused with EBUSY, which no other reason has. EAGAIN would have libdrm call again and
 * again; EIO says that the V3D is gone. Mesa says "Expect corruption" and goes on, and its waits
 * are not concerned.
 *
 * A hang counts if no other file's job was on the V3D with it: else the other one may hold all
 * QPUs, or have stopped what both need, and a client must not get others refused.
 *
 * This is for clients that are broken. One that means harm opens a new file.
 */

#define V3D_OFFENCE_FADES_NS (5ull * NSEC_PER_SEC)
#define V3D_OFFENCES_SLOWED 3

static u64 bv3d_offence_score(const struct bv3d_offences *offences, u64 now_ns)
{
	if (offences->fade_ns <= now_ns)
		return 0;
	return div64_u64(offences->fade_ns - now_ns + V3D_OFFENCE_FADES_NS - 1,
			 V3D_OFFENCE_FADES_NS);
}

/**
 * bv3d_offence_add() - one more job has hung
 * @offences: its file's; bv3d_sched.lock held
 * @limit: hang_limit of the device, 0 for none
 * @now_ns: the time, monotonic
 */
void bv3d_offence_add(struct bv3d_offences *offences, unsigned int limit, u64 now_ns)
{
	offences->fade_ns = max(offences->fade_ns, now_ns) + V3D_OFFENCE_FADES_NS;
	if (!limit)
		return;
	/* What was submitted before goes on hanging, which adds nothing */
	offences->fade_ns = min(offences->fade_ns, now_ns + limit * V3D_OFFENCE_FADES_NS);
	if (bv3d_offence_score(offences, now_ns) >= limit)
		offences->refused_ns = now_ns + DIV_ROUND_UP(limit, 2) * V3D_OFFENCE_FADES_NS;
}
EXPORT_SYMBOL_FOR_TESTS(bv3d_offence_add);

/**
 * bv3d_offence_slowed() - does time count more for this file?
 * @offences: its; bv3d_sched.lock held
 * @now_ns: the time
 *
 * Return: true if so
 */
bool bv3d_offence_slowed(const struct bv3d_offences *offences, u64 now_ns)
{
	return bv3d_offence_score(offences, now_ns) >= V3D_OFFENCES_SLOWED;
}
EXPORT_SYMBOL_FOR_TESTS(bv3d_offence_slowed);

/**
 * bv3d_offence_refused() - are submits of this file refused?
 * @offences: its; bv3d_sched.lock held
 * @now_ns: the time
 *
 * Return: for how many ns, 0 if they are not
 */
u64 bv3d_offence_refused(const struct bv3d_offences *offences, u64 now_ns)
{
	return offences->refused_ns > now_ns ? offences->refused_ns - now_ns : 0;
}
EXPORT_SYMBOL_FOR_TESTS(bv3d_offence_refused);
