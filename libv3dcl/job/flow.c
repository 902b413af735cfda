// SPDX-License-Identifier: (GPL-2.0-only OR MIT)
/*
 * Control flow: which instructions can be run, and the blocks that they form.
 *
 * Branches are relative, without a register, so all of them are known. A block starts at the first instruction, at each target of a
 * branch, after the delay slots of a branch and of a program end; it ends with delay slots, which no branch may lead into.
 */
#include "prove.h"

/* The branches on the way here, the last ones of them */
static void tell_path(const struct v3dcl_prover *p, struct v3dcl_refusal *refusal)
{
	__u32 index = p->block, way[V3DCL_PATH], count = 0, i;

	if (p->straight || p->unreachable || !p->block_count)
		return;
	while (count < V3DCL_PATH && p->blocks[index].from != V3DCL_NO_BLOCK) {
		const struct v3dcl_block *block = &p->blocks[index], *from = &p->blocks[block->from];

		if (from->branch != V3DCL_NO_BRANCH)
			way[count++] = from->branch * 2 + block->taken;
		index = block->from;
	}
	refusal->path_count = count;
	for (i = 0; i < count; i++)
		refusal->path[i] = way[count - 1 - i];
}

bool v3dcl_refuse_at(const struct v3dcl_prover *p, __u32 at, __u16 rule, __u64 found, __u64 expected)
{
	v3dcl_refuse(p->refusal, DRM_V3DCL_PART_CODE, rule, at * V3D_QPU_INSTRUCTION_BYTES, found, expected);
	p->refusal->instruction = at < p->count ? p->code[at] : 0;
	tell_path(p, p->refusal);
	return false;
}

bool v3dcl_refuse_here(const struct v3dcl_prover *p, __u16 rule, __u64 found, __u64 expected)
{
	return v3dcl_refuse_at(p, p->at, rule, found, expected);
}

bool v3dcl_refuse_value(const struct v3dcl_prover *p, __u16 rule, const struct v3dcl_number *value, __u64 expected)
{
	v3dcl_refuse_at(p, p->at, rule, value->low, expected);
	p->refusal->number = *value;
	p->refusal->has_number = true;
	return false;
}

static bool refuse(const struct v3dcl_prover *p, __u16 rule, __u64 found, __u64 expected)
{
	return v3dcl_refuse_at(p, p->at, rule, found, expected);
}

static bool is_leader(const struct v3dcl_prover *p, __u32 at)
{
	return p->leaders[at / 32] >> at % 32 & 1;
}

static void mark(struct v3dcl_prover *p, __u32 at)
{
	p->leaders[at / 32] |= 1u << at % 32;
}

static __s64 target_of(const struct v3d_qpu_inst *inst, __s32 at)
{
	return (__s64)at + V3D_QPU_BRANCH_SLOTS + 1 + (__s32)inst->immediate / V3D_QPU_INSTRUCTION_BYTES;
}

static bool check_branch(struct v3dcl_prover *p, const struct v3d_qpu_inst *inst)
{
	__s64 target = target_of(inst, p->at);

	if (!v3dcl_branch_exists(inst->cond_br))
		return refuse(p, V3DCL_RULE_BRANCH_CONDITION, inst->cond_br, V3D_QPU_BRANCH_ALWAYS);
	if (inst->reg || !inst->rel)
		return refuse(p, V3DCL_RULE_BRANCH_KIND, inst->reg << 1 | inst->rel, 1);
	if (inst->waddr_add != V3D_QPU_W_NOP || inst->waddr_mul != V3D_QPU_W_NOP)
		return refuse(p, V3DCL_RULE_BRANCH_WRITE, inst->waddr_add != V3D_QPU_W_NOP ? inst->waddr_add : inst->waddr_mul,
			      V3D_QPU_W_NOP);
	if (inst->immediate % V3D_QPU_INSTRUCTION_BYTES || target < 0 || target >= p->count ||
	    p->at + V3D_QPU_BRANCH_SLOTS + 1 >= (__s64)p->count)
		return refuse(p, V3DCL_RULE_BRANCH_TARGET, inst->immediate, p->count * V3D_QPU_INSTRUCTION_BYTES);
	if (p->at - p->branch_at <= V3D_QPU_BRANCH_SLOTS)
		return refuse(p, V3DCL_RULE_BRANCH_SLOT, p->at - p->branch_at, V3D_QPU_BRANCH_SLOTS + 1);
	return true;
}

/* The program ends at the first program end that no branch before it leads past. */
static bool find_limit(struct v3dcl_prover *p)
{
	__s64 reach = 0, reacher = 0;
	bool ends = false;

	for (p->at = 0; p->at < (__s32)p->count; p->at++) {
		__u8 sig = p->code[p->at] >> 60;
		struct v3d_qpu_inst inst;

		if (sig != V3D_QPU_SIG_PROGRAM_END && sig != V3D_QPU_SIG_BRANCH)
			continue;
		if (sig == V3D_QPU_SIG_PROGRAM_END) {
			ends = true;
			p->limit = p->at + V3D_QPU_END_SLOTS + 1;
			if (p->at >= reach)
				break;
		}
		if (sig != V3D_QPU_SIG_BRANCH)
			continue;
		inst = v3d_qpu_decode(p->code[p->at]);
		if (!check_branch(p, &inst))
			return false;
		p->branch_at = p->at;
		p->straight = false;
		if (target_of(&inst, p->at) > reach || p->at + V3D_QPU_BRANCH_SLOTS + 1 > reach) {
			reach = target_of(&inst, p->at);
			if (p->at + V3D_QPU_BRANCH_SLOTS + 1 > reach)
				reach = p->at + V3D_QPU_BRANCH_SLOTS + 1;
			reacher = p->at;
		}
	}
	if (p->at < (__s32)p->count && p->limit <= p->count)
		return true;
	p->at = ends && p->at >= (__s32)p->count ? reacher : (__s32)p->count;
	return ends && p->at < (__s32)p->count ? refuse(p, V3DCL_RULE_BRANCH_TARGET, reach, p->limit) :
						 refuse(p, V3DCL_RULE_CODE_END, p->count, p->limit);
}

/* What stands in its delay slots is run, but leads nowhere. */
static __u32 last_end(const struct v3dcl_prover *p)
{
	return p->limit - V3D_QPU_END_SLOTS - 1;
}

static void mark_leaders(struct v3dcl_prover *p)
{
	__u32 i;

	for (i = 0; i < p->count / 32 + 1; i++)
		p->leaders[i] = 0;
	mark(p, 0);
	for (i = 0; i < last_end(p); i++) {
		__u8 sig = p->code[i] >> 60;

		if (sig == V3D_QPU_SIG_BRANCH) {
			struct v3d_qpu_inst inst = v3d_qpu_decode(p->code[i]);

			mark(p, target_of(&inst, i));
			mark(p, i + V3D_QPU_BRANCH_SLOTS + 1);
		} else if (sig == V3D_QPU_SIG_PROGRAM_END) {
			mark(p, i + V3D_QPU_END_SLOTS + 1);
		}
	}
}

/* Delay slots belong to what they follow. */
static bool check_slots(struct v3dcl_prover *p)
{
	__u32 i, slot;

	for (i = 0; i < p->limit; i++) {
		__u8 sig = p->code[i] >> 60;
		__u32 slots = sig == V3D_QPU_SIG_BRANCH ? V3D_QPU_BRANCH_SLOTS :
			      sig == V3D_QPU_SIG_PROGRAM_END || sig == V3D_QPU_SIG_THREAD_SWITCH ||
			      sig == V3D_QPU_SIG_LAST_THREAD_SWITCH ? V3D_QPU_END_SLOTS : 0;

		p->at = i;
		for (slot = 1; slot <= slots && i + slot < p->limit; slot++)
			if (is_leader(p, i + slot))
				return refuse(p, V3DCL_RULE_SLOT_TARGET, (i + slot) * V3D_QPU_INSTRUCTION_BYTES, 0);
	}
	return true;
}

static __u16 block_at(const struct v3dcl_prover *p, __u32 at)
{
	__u32 low = 0, high = p->block_count;

	while (high - low > 1) {
		__u32 middle = (low + high) / 2;

		if (p->blocks[middle].start <= at)
			low = middle;
		else
			high = middle;
	}
	return low;
}

/* The blocks, and how each of them ends */
static bool build_blocks(struct v3dcl_prover *p)
{
	struct v3dcl_block *block = NULL;
	__u32 i;

	p->block_count = 0;
	for (i = 0; i < p->limit; i++) {
		if (is_leader(p, i)) {
			p->at = i;
			if (p->block_count == V3DCL_MAX_BLOCKS)
				return refuse(p, V3DCL_RULE_CODE_WORK, p->block_count + 1, V3DCL_MAX_BLOCKS);
			block = &p->blocks[p->block_count++];
			*block = (struct v3dcl_block){
				.start = i, .branch = V3DCL_NO_BRANCH, .target = V3DCL_NO_BLOCK, .next = p->block_count,
				.from = V3DCL_NO_BLOCK, .back = V3DCL_NO_BLOCK,
			};
		}
		block->end = i + 1;
		if (i < last_end(p) && p->code[i] >> 60 == V3D_QPU_SIG_BRANCH)
			block->branch = i;
		if (p->code[i] >> 60 == V3D_QPU_SIG_PROGRAM_END)
			block->next = V3DCL_NO_BLOCK;
	}
	return true;
}

static void link_blocks(struct v3dcl_prover *p)
{
	__u32 i;

	for (i = 0; i < p->block_count; i++) {
		struct v3dcl_block *block = &p->blocks[i];
		struct v3d_qpu_inst inst;

		if (block->branch == V3DCL_NO_BRANCH)
			continue;
		inst = v3d_qpu_decode(p->code[block->branch]);
		block->target = block_at(p, target_of(&inst, block->branch));
		if (block->target <= i)
			p->blocks[block->target].back = i;
		if (inst.cond_br == V3D_QPU_BRANCH_ALWAYS)
			block->next = V3DCL_NO_BLOCK;
	}
}

/**
 * v3dcl_find_flow() - where the program ends, and its blocks
 * @p: open
 * Return: false with the refusal set
 */
bool v3dcl_find_flow(struct v3dcl_prover *p)
{
	p->branch_at = V3DCL_LONG_AGO;
	p->straight = true;
	if (!find_limit(p))
		return false;
	p->branch_at = V3DCL_LONG_AGO;
	if (p->straight) {
		p->block_count = 1;
		return true;
	}
	mark_leaders(p);
	if (!check_slots(p) || !build_blocks(p))
		return false;
	link_blocks(p);
	return true;
}
