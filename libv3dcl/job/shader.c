// SPDX-License-Identifier: (GPL-2.0-only OR MIT)
/*
 * Checking the code of a shader, once, when its immutable BO is made.
 *
 * The code is followed in the order in which it stands: the uniform stream's layout is defined by that order. Between two branch
 * targets only the instruction before leads to an instruction, so what is known after the one holds before the other; at a branch
 * target nothing is known, not even the position in the uniform stream, until the program sets its address anew.
 */
#include "cursor.h"
#include "encodings.h"

/* What is known about the value of a register */
enum value_kind {
	UNKNOWN,
	CONSTANT,	/* data */
	UNIFORM,	/* word data of the stream */
	NOT_NEGATIVE,
	CLAMPED,	/* 0 to uniform data, if that is not negative */
};

struct value {
	__u32 kind, data;
};

/* Where values are kept: register files, accumulators r0 to r3 */
enum { FILE_B = 32, ACCUMULATORS = 64, PLACES = 68, NOWHERE = 255 };

/* A texture lookup in the making, one a TMU */
struct lookup {
	__u32 slot[4];
	__u8 written;	/* a bit a register: S, T, R, B */
	__u8 count;
};

struct scan {
	struct v3dcl_refusal *refusal;
	__u32 *targets;			/* a bit an instruction that more than one other leads to */
	struct v3dcl_sample *samples;
	__u32 *resets;
	__u32 sample_count, reset_count;
	__s32 at, end;			/* this instruction; the program end */
	__s32 branch_at, switch_at, reset_at;
	__u32 words;			/* of the stream that have been read */
	__u32 uses;
	bool lost;			/* at an unknown position of the stream */
	bool loops;			/* a branch back may come where the stream has no address to reset it from */
	bool upper;			/* uses registers 16 to 31 */
	__u8 written[2];		/* register that the last instruction wrote, in A and B */
	struct lookup lookups[2];
	__u8 kinds[PLACES];
	__u32 data[PLACES];
};

#define LONG_AGO (-8)

static bool refuse(const struct scan *s, __u16 rule, __u64 found, __u64 expected)
{
	return v3dcl_refuse(s->refusal, DRM_V3DCL_PART_CODE, rule, s->at * V3D_QPU_INSTRUCTION_BYTES, found, expected);
}

static bool is_target(const struct scan *s, __s32 at)
{
	return s->targets[at / 32] >> at % 32 & 1;
}

static void forget(struct scan *s, unsigned int from)
{
	for (; from < PLACES; from++)
		s->kinds[from] = UNKNOWN;
}

/* Branch targets, before anything else: a branch back can make a target of what has been passed already. */
static bool mark_branch(struct scan *s, const struct v3d_qpu_inst *inst)
{
	__s32 offset = inst->immediate, next = s->at + V3D_QPU_BRANCH_SLOTS + 1, target = next + offset / V3D_QPU_INSTRUCTION_BYTES;

	if (!v3dcl_branch_exists(inst->cond_br))
		return refuse(s, V3DCL_RULE_BRANCH_CONDITION, inst->cond_br, V3D_QPU_BRANCH_ALWAYS);
	if (inst->reg || !inst->rel)
		return refuse(s, V3DCL_RULE_BRANCH_KIND, inst->reg << 1 | inst->rel, 1);
	if (inst->waddr_add != V3D_QPU_W_NOP || inst->waddr_mul != V3D_QPU_W_NOP)
		return refuse(s, V3DCL_RULE_BRANCH_WRITE, inst->waddr_add != V3D_QPU_W_NOP ? inst->waddr_add : inst->waddr_mul,
			      V3D_QPU_W_NOP);
	if (offset % V3D_QPU_INSTRUCTION_BYTES || target < 0 || target > s->end || next > s->end)
		return refuse(s, V3DCL_RULE_BRANCH_TARGET, inst->immediate, s->end * V3D_QPU_INSTRUCTION_BYTES);
	if (s->at - s->branch_at <= V3D_QPU_BRANCH_SLOTS)
		return refuse(s, V3DCL_RULE_BRANCH_SLOT, s->at - s->branch_at, V3D_QPU_BRANCH_SLOTS + 1);
	s->branch_at = s->at;
	s->targets[next / 32] |= 1u << next % 32;
	s->targets[target / 32] |= 1u << target % 32;
	return true;
}

static bool find_branches(struct scan *s, const __u64 *code, __u32 count)
{
	__u32 i;

	for (i = 0; i < (count + 31) / 32; i++)
		s->targets[i] = 0;
	for (i = 0; i < count && code[i] >> 60 != V3D_QPU_SIG_PROGRAM_END; i++)
		;
	s->end = i;
	if (i + V3D_QPU_END_SLOTS >= count)
		return v3dcl_refuse(s->refusal, DRM_V3DCL_PART_CODE, V3DCL_RULE_CODE_END, count * V3D_QPU_INSTRUCTION_BYTES, count,
				    i + V3D_QPU_END_SLOTS + 1);
	for (s->at = 0; s->at < s->end; s->at++) {
		struct v3d_qpu_inst inst;

		if (code[s->at] >> 60 != V3D_QPU_SIG_BRANCH)
			continue;
		inst = v3d_qpu_decode(code[s->at]);
		if (!mark_branch(s, &inst))
			return false;
	}
	s->branch_at = LONG_AGO;
	return true;
}

/* Packs change what the ALU result's destination gets, unpacks what an operand is: AG100 Tables 6 to 9. */
static bool add_is_packed(const struct v3d_qpu_inst *inst)
{
	return !inst->pm && inst->pack && !inst->ws;
}

static bool file_a_is_unpacked(const struct v3d_qpu_inst *inst)
{
	return !inst->pm && inst->unpack;
}

static unsigned int read_place(const struct scan *s, const struct v3d_qpu_inst *inst, __u8 mux)
{
	if (mux <= V3D_QPU_R3)
		return ACCUMULATORS + mux;
	/* What the instruction before wrote cannot be read yet: AG100 "Summary of Instruction Restrictions". */
	if (mux == V3D_QPU_A && inst->raddr_a < 32 && inst->raddr_a != s->written[0] && !file_a_is_unpacked(inst))
		return inst->raddr_a;
	if (mux == V3D_QPU_B && inst->raddr_b < 32 && inst->raddr_b != s->written[1])
		return FILE_B + inst->raddr_b;
	return NOWHERE;
}

static struct value operand(const struct scan *s, const struct v3d_qpu_inst *inst, __u8 mux)
{
	unsigned int place;

	if (mux == V3D_QPU_B && inst->kind == V3D_QPU_ALU_SMALL_IMMEDIATE)
		return (struct value){ CONSTANT, v3d_qpu_small_immediate(inst->raddr_b) };
	if ((mux == V3D_QPU_A && inst->raddr_a == V3D_QPU_R_UNIFORM && !file_a_is_unpacked(inst)) ||
	    (mux == V3D_QPU_B && inst->raddr_b == V3D_QPU_R_UNIFORM))
		return (struct value){ UNIFORM, s->words };
	place = read_place(s, inst, mux);
	if (place == NOWHERE)
		return (struct value){ UNKNOWN, 0 };
	return (struct value){ s->kinds[place], s->data[place] };
}

/* An unconditional, unpacked 32-bit add of two values of these kinds, in either order? Then a is of the first kind. */
static bool is_add_of(const struct scan *s, const struct v3d_qpu_inst *inst, bool mul, struct value *a, __u32 kind_a,
		      struct value *b, __u32 kind_b)
{
	struct value swap;

	if (mul || inst->op_add != V3D_QPU_ADD_ADD || inst->cond_add != V3D_QPU_COND_ALWAYS || add_is_packed(inst))
		return false;
	*a = operand(s, inst, inst->add_a);
	*b = operand(s, inst, inst->add_b);
	if (a->kind != kind_a) {
		swap = *a;
		*a = *b;
		*b = swap;
	}
	return a->kind == kind_a && b->kind == kind_b;
}

static bool set_address(struct scan *s, const struct v3d_qpu_inst *inst, bool mul)
{
	__u32 next = (s->words + 1) * sizeof(__u32);
	struct value constant, uniform;

	if (mul != inst->ws)
		return refuse(s, V3DCL_RULE_ADDRESS_RELATIVE, 1, 0);
	if (!is_add_of(s, inst, mul, &constant, CONSTANT, &uniform, UNIFORM))
		return refuse(s, V3DCL_RULE_ADDRESS_FORM, mul ? inst->op_mul : inst->op_add, V3D_QPU_ADD_ADD);
	if (constant.data != next)
		return refuse(s, V3DCL_RULE_ADDRESS_CONSTANT, constant.data, next);
	/* Where the branch leads, a uniform might be read too soon. */
	if (s->at - s->branch_at <= V3D_QPU_BRANCH_SLOTS)
		return refuse(s, V3DCL_RULE_ADDRESS_SLOT, s->at - s->branch_at, V3D_QPU_BRANCH_SLOTS + 1);
	if (s->at - s->reset_at <= 2)
		return refuse(s, V3DCL_RULE_UNIFORM_SOON, s->at - s->reset_at, 3);
	s->resets[s->reset_count++] = s->words;
	s->reset_at = s->at;
	s->lost = false;
	s->loops = false;
	return true;
}

/* The next word of the uniform stream is read, by an operand or by a TMU. */
static bool read_uniform(struct scan *s)
{
	if (s->lost)
		return refuse(s, V3DCL_RULE_UNIFORM_LOST, s->words, 0);
	if (s->at != s->reset_at && s->at - s->reset_at <= 2)
		return refuse(s, V3DCL_RULE_UNIFORM_SOON, s->at - s->reset_at, 3);
	if (s->at >= s->end)
		return refuse(s, V3DCL_RULE_CODE_END_ACCESS, V3D_QPU_R_UNIFORM, 0);
	s->words++;
	return true;
}

static bool fetches_uniform(const struct v3d_qpu_inst *inst)
{
	return (inst->kind == V3D_QPU_ALU && (inst->raddr_a == V3D_QPU_R_UNIFORM || inst->raddr_b == V3D_QPU_R_UNIFORM)) ||
	       (inst->kind == V3D_QPU_ALU_SMALL_IMMEDIATE && inst->raddr_a == V3D_QPU_R_UNIFORM);
}

static void finish_lookup(struct scan *s, struct lookup *lookup, bool direct)
{
	struct v3dcl_sample *sample = &s->samples[s->sample_count++];
	unsigned int i;

	for (i = 0; i < 4; i++)
		sample->slot[i] = i < lookup->count ? lookup->slot[i] : V3DCL_NO_SLOT;
	sample->direct = direct;
	lookup->count = 0;
	lookup->written = 0;
}

/* A write to S alone reads memory at the address written: AG100 "Texture and Memory Lookup Unit". */
static bool direct_read(struct scan *s, const struct v3d_qpu_inst *inst, bool mul, struct lookup *lookup)
{
	struct value clamped, base;

	if (!is_add_of(s, inst, mul, &base, UNIFORM, &clamped, CLAMPED)) {
		if (base.kind == UNIFORM)
			return refuse(s, V3DCL_RULE_DIRECT_CLAMP, clamped.kind, CLAMPED);
		return refuse(s, V3DCL_RULE_DIRECT_FORM, mul ? inst->op_mul : inst->op_add, V3D_QPU_ADD_ADD);
	}
	lookup->slot[0] = base.data;
	lookup->slot[1] = clamped.data;
	lookup->count = 2;
	finish_lookup(s, lookup, true);
	return true;
}

static bool write_tmu(struct scan *s, const struct v3d_qpu_inst *inst, bool mul)
{
	unsigned int waddr = mul ? inst->waddr_mul : inst->waddr_add, bit = 1 << (waddr & 3);
	struct lookup *lookup = &s->lookups[waddr >= V3D_QPU_W_TMU1_S];
	bool submits = bit == 1;

	if ((mul ? inst->cond_mul : inst->cond_add) == V3D_QPU_COND_NEVER)
		return refuse(s, V3DCL_RULE_TMU_CONDITION, V3D_QPU_COND_NEVER, V3D_QPU_COND_ALWAYS);
	if (submits && !lookup->count)
		return direct_read(s, inst, mul, lookup);
	if (fetches_uniform(inst))
		return refuse(s, V3DCL_RULE_TMU_UNIFORM, waddr, 0);
	if (lookup->written & bit)
		return refuse(s, V3DCL_RULE_TMU_TWICE, waddr, 0);
	lookup->written |= bit;
	lookup->slot[lookup->count++] = s->words;
	if (!read_uniform(s))
		return false;
	if (submits)
		finish_lookup(s, lookup, false);
	return true;
}

/* What writing to an address from 32 on means */
enum access { FORBIDDEN, FREE, TILE, VPM, ADDRESS, TMU, UNIFORM_FETCH };

static const __u8 write_access[32] = {
	[V3D_QPU_W_ACC0 - 32] = FREE, [V3D_QPU_W_ACC1 - 32] = FREE, [V3D_QPU_W_ACC2 - 32] = FREE,
	[V3D_QPU_W_ACC3 - 32] = FREE, [V3D_QPU_W_ACC5 - 32] = FREE, [V3D_QPU_W_NOP - 32] = FREE,
	[V3D_QPU_W_UNIFORMS_ADDRESS - 32] = ADDRESS, [V3D_QPU_W_QUAD_XY - 32] = TILE, [V3D_QPU_W_MS_REV_FLAGS - 32] = TILE,
	[V3D_QPU_W_TLB_STENCIL_SETUP - 32] = TILE, [V3D_QPU_W_TLB_Z - 32] = TILE, [V3D_QPU_W_TLB_COLOUR_MS - 32] = TILE,
	[V3D_QPU_W_TLB_COLOUR_ALL - 32] = TILE, [V3D_QPU_W_VPM_WRITE - 32] = VPM, [V3D_QPU_W_VPM_SETUP - 32] = VPM,
	[V3D_QPU_W_SFU_RECIP - 32] = FREE, [V3D_QPU_W_SFU_RECIPSQRT - 32] = FREE, [V3D_QPU_W_SFU_EXP - 32] = FREE,
	[V3D_QPU_W_SFU_LOG - 32] = FREE, [V3D_QPU_W_TMU0_S - 32] = TMU, [V3D_QPU_W_TMU0_T - 32] = TMU,
	[V3D_QPU_W_TMU0_R - 32] = TMU, [V3D_QPU_W_TMU0_B - 32] = TMU, [V3D_QPU_W_TMU1_S - 32] = TMU,
	[V3D_QPU_W_TMU1_T - 32] = TMU, [V3D_QPU_W_TMU1_R - 32] = TMU, [V3D_QPU_W_TMU1_B - 32] = TMU,
};

static const __u8 read_access[32] = {
	[V3D_QPU_R_UNIFORM - 32] = UNIFORM_FETCH, [V3D_QPU_R_VARYING - 32] = TILE, [V3D_QPU_R_ELEMENT_QPU_NUMBER - 32] = FREE,
	[V3D_QPU_R_NOP - 32] = FREE, [V3D_QPU_R_PIXEL_COORD - 32] = FREE, [V3D_QPU_R_MS_REV_FLAGS - 32] = FREE,
	[V3D_QPU_R_VPM_READ - 32] = VPM,
};

/* Uses that a draw checks against the kind of shader; the VPM may have a new owner once the program ends. */
static bool use(struct scan *s, enum access what, __u8 address)
{
	if (what == VPM)
		s->uses |= V3DCL_SHADER_VPM;
	else if (what == TILE)
		s->uses |= V3DCL_SHADER_TILE;
	if (s->at >= s->end && what == VPM)
		return refuse(s, V3DCL_RULE_CODE_END_ACCESS, address, 0);
	return true;
}

static bool check_write(struct scan *s, const struct v3d_qpu_inst *inst, bool mul)
{
	unsigned int waddr = mul ? inst->waddr_mul : inst->waddr_add;
	enum access access;

	if (waddr < 32) {
		s->upper |= waddr >= 16;
		return true;
	}
	access = write_access[waddr - 32];
	if (access == FREE)
		return true;
	if (access == FORBIDDEN)
		return refuse(s, V3DCL_RULE_CODE_WRITE, waddr, 0);
	if (access == ADDRESS)
		return set_address(s, inst, mul);
	if (access == TMU)
		return write_tmu(s, inst, mul);
	return use(s, access, waddr);
}

static bool check_read(struct scan *s, const struct v3d_qpu_inst *inst, __u8 mux)
{
	unsigned int raddr = mux == V3D_QPU_A ? inst->raddr_a : inst->raddr_b;
	enum access access;

	if (raddr < 32) {
		s->upper |= raddr >= 16 && v3d_qpu_reads(inst, mux);
		return true;
	}
	access = read_access[raddr - 32];
	if (access == FREE)
		return true;
	if (access == FORBIDDEN)
		return refuse(s, V3DCL_RULE_CODE_READ, raddr, 0);
	if (access == UNIFORM_FETCH)
		return v3d_qpu_reads(inst, mux) || refuse(s, V3DCL_RULE_UNIFORM_UNREAD, raddr, 0);
	return use(s, access, raddr);
}

static bool check_writes(struct scan *s, const struct v3d_qpu_inst *inst)
{
	if (inst->waddr_add >= V3D_QPU_W_TMU0_S && inst->waddr_mul >= V3D_QPU_W_TMU0_S)
		return refuse(s, V3DCL_RULE_TMU_BOTH, inst->waddr_mul, 0);
	return check_write(s, inst, false) && check_write(s, inst, true);
}

static unsigned int write_place(__u8 waddr, bool file_b)
{
	if (waddr < 32)
		return file_b ? FILE_B + waddr : waddr;
	return waddr <= V3D_QPU_W_ACC3 ? ACCUMULATORS + waddr - V3D_QPU_W_ACC0 : NOWHERE;
}

/* What the add ALU computes, as far as it matters here */
static struct value add_result(const struct scan *s, const struct v3d_qpu_inst *inst)
{
	struct value a, b;

	if (inst->op_add != V3D_QPU_ADD_MAX && inst->op_add != V3D_QPU_ADD_MIN && inst->op_add != V3D_QPU_ADD_OR)
		return (struct value){ UNKNOWN, 0 };
	a = operand(s, inst, inst->add_a);
	b = operand(s, inst, inst->add_b);
	if (inst->op_add == V3D_QPU_ADD_OR)
		return inst->add_a == inst->add_b && a.kind != UNIFORM ? a : (struct value){ UNKNOWN, 0 };
	if (inst->op_add == V3D_QPU_ADD_MAX) {
		bool positive = (a.kind == CONSTANT && (__s32)a.data >= 0) || (b.kind == CONSTANT && (__s32)b.data >= 0);

		return (struct value){ positive ? NOT_NEGATIVE : UNKNOWN, 0 };
	}
	if (a.kind == NOT_NEGATIVE && b.kind == UNIFORM)
		return (struct value){ CLAMPED, b.data };
	if (a.kind == UNIFORM && b.kind == NOT_NEGATIVE)
		return (struct value){ CLAMPED, a.data };
	return (struct value){ UNKNOWN, 0 };
}

static void set_place(struct scan *s, unsigned int place, struct value value)
{
	if (place == NOWHERE)
		return;
	s->kinds[place] = value.kind;
	s->data[place] = value.data;
}

/* The results reach their registers. Of two writes to one register nobody says which wins. */
static void write_results(struct scan *s, const struct v3d_qpu_inst *inst, struct value add, struct value mul)
{
	const struct value unknown = { UNKNOWN, 0 };
	unsigned int add_place = write_place(inst->waddr_add, inst->ws), mul_place = write_place(inst->waddr_mul, !inst->ws);

	if (add_place == mul_place || inst->cond_add != V3D_QPU_COND_ALWAYS)
		add = unknown;
	if (add_place == mul_place || inst->cond_mul != V3D_QPU_COND_ALWAYS)
		mul = unknown;
	set_place(s, add_place, add);
	set_place(s, mul_place, mul);
	s->written[inst->ws] = inst->waddr_add;
	s->written[!inst->ws] = inst->waddr_mul;
}

static bool check_alu(struct scan *s, const struct v3d_qpu_inst *inst)
{
	const struct value unknown = { UNKNOWN, 0 };
	struct value add;

	if (!v3dcl_op_exists(inst->op_add))
		return refuse(s, V3DCL_RULE_CODE_OP, inst->op_add, 0);
	if (!check_read(s, inst, V3D_QPU_A) || (inst->kind == V3D_QPU_ALU && !check_read(s, inst, V3D_QPU_B)))
		return false;
	if (!check_writes(s, inst))
		return false;
	add = add_is_packed(inst) ? unknown : add_result(s, inst);
	if (fetches_uniform(inst) && !read_uniform(s))
		return false;
	write_results(s, inst, add, unknown);
	return true;
}

static bool check_load(struct scan *s, const struct v3d_qpu_inst *inst)
{
	struct value value = { UNKNOWN, 0 };

	if (inst->kind == V3D_QPU_LOAD_32 && !inst->pack)
		value = (struct value){ CONSTANT, inst->immediate };
	if (!check_writes(s, inst))
		return false;
	write_results(s, inst, value, value);
	return true;
}

static bool check_branch(struct scan *s, const struct v3d_qpu_inst *inst)
{
	if (s->at - s->switch_at <= 2)
		return refuse(s, V3DCL_RULE_BRANCH_SLOT, s->at - s->switch_at, 3);
	if (s->at > s->end)
		return refuse(s, V3DCL_RULE_BRANCH_SLOT, s->at - s->end, 0);
	s->loops |= (__s32)inst->immediate < 0;
	s->branch_at = s->at;
	s->written[0] = V3D_QPU_W_NOP;
	s->written[1] = V3D_QPU_W_NOP;
	return true;
}

static bool check_switch(struct scan *s)
{
	if (s->at - s->switch_at <= 2 || s->at - s->branch_at <= V3D_QPU_BRANCH_SLOTS || s->at > s->end)
		return refuse(s, V3DCL_RULE_SWITCH_SLOT, s->at, 0);
	s->switch_at = s->at;
	s->uses |= V3DCL_SHADER_THREADED;
	return true;
}

/* Signals: those that a shader may give */
static const __u8 signal_access[16] = {
	[V3D_QPU_SIG_NONE] = FREE, [V3D_QPU_SIG_THREAD_SWITCH] = FREE, [V3D_QPU_SIG_LAST_THREAD_SWITCH] = FREE,
	[V3D_QPU_SIG_PROGRAM_END] = FREE, [V3D_QPU_SIG_WAIT_SCOREBOARD] = TILE, [V3D_QPU_SIG_UNLOCK_SCOREBOARD] = TILE,
	[V3D_QPU_SIG_LOAD_COLOR] = TILE, [V3D_QPU_SIG_LOAD_TMU0] = FREE, [V3D_QPU_SIG_LOAD_TMU1] = FREE,
	[V3D_QPU_SIG_SMALL_IMMEDIATE] = FREE, [V3D_QPU_SIG_LOAD_IMMEDIATE] = FREE, [V3D_QPU_SIG_BRANCH] = FREE,
};

static bool check_signal(struct scan *s, __u8 sig)
{
	enum access access = signal_access[sig];

	if (access == FORBIDDEN || (sig == V3D_QPU_SIG_PROGRAM_END && s->at != s->end))
		return refuse(s, V3DCL_RULE_CODE_SIGNAL, sig, 0);
	if (access == TILE)
		s->uses |= V3DCL_SHADER_TILE;
	return (sig != V3D_QPU_SIG_THREAD_SWITCH && sig != V3D_QPU_SIG_LAST_THREAD_SWITCH) || check_switch(s);
}

/* An instruction that several others lead to: all that held before it may no longer do so. */
static bool enter_block(struct scan *s)
{
	if (s->lookups[0].count || s->lookups[1].count)
		return refuse(s, V3DCL_RULE_TMU_OPEN, s->lookups[0].count + s->lookups[1].count, 0);
	forget(s, 0);
	s->lost = true;
	return true;
}

static bool check_instruction(struct scan *s, __u64 word)
{
	struct v3d_qpu_inst inst = v3d_qpu_decode(word);

	if (is_target(s, s->at) && !enter_block(s))
		return false;
	if (s->at - s->switch_at == 3)	/* the other thread has used the accumulators */
		forget(s, ACCUMULATORS);
	if (!check_signal(s, inst.sig))
		return false;
	switch (inst.kind) {
	case V3D_QPU_ALU:
	case V3D_QPU_ALU_SMALL_IMMEDIATE:
		return check_alu(s, &inst);
	case V3D_QPU_LOAD_32:
	case V3D_QPU_LOAD_SIGNED:
	case V3D_QPU_LOAD_UNSIGNED:
		return check_load(s, &inst);
	case V3D_QPU_BRANCH:
		return check_branch(s, &inst);
	case V3D_QPU_SEMAPHORE:
		return refuse(s, V3DCL_RULE_CODE_SEMAPHORE, inst.immediate, 0);
	default:
		return refuse(s, V3DCL_RULE_CODE_LOAD, inst.unpack, 0);
	}
}

/* What holds for the program as a whole */
static bool finish(struct scan *s, struct v3dcl_shader *shader)
{
	s->at = s->end;
	if (s->lookups[0].count || s->lookups[1].count)
		return refuse(s, V3DCL_RULE_TMU_OPEN, s->lookups[0].count + s->lookups[1].count, 0);
	if (s->uses & V3DCL_SHADER_THREADED && s->upper)
		return refuse(s, V3DCL_RULE_THREADED_REGISTER, 1, 0);
	/* A branch back leads to a reset, which reads the word at the position where the stream stands: give it an address. */
	if (s->loops)
		s->resets[s->reset_count++] = s->words++;
	*shader = (struct v3dcl_shader){
		.samples = s->samples,
		.resets = s->resets,
		.sample_count = s->sample_count,
		.reset_count = s->reset_count,
		.uniform_words = s->words,
		.uses = s->uses,
	};
	return true;
}

/**
 * v3dcl_check_shader() - may this be a vertex, coordinate or fragment shader?
 * @code: instruction words that nobody can change any more
 * @count: of @code
 * @scratch: memory that the result's arrays are in, aligned to 4 bytes; see v3dcl_keep_shader()
 * @scratch_bytes: of @scratch, at least v3dcl_shader_scratch(@count)
 * @shader: result
 * @refusal: set when it returns false, with the offset of the instruction
 *
 * What is accepted reads memory only through its uniform stream, texture lookups whose parameters are in the stream, and direct
 * reads that are clamped; and writes none but the tile buffer and the VPM. Whether the stream fits is checked at each draw.
 *
 * Return: true when it may. Code after the first program end's delay slots is never run.
 */
bool v3dcl_check_shader(const __u64 *code, __u32 count, void *scratch, __u32 scratch_bytes, struct v3dcl_shader *shader,
			struct v3dcl_refusal *refusal)
{
	struct scan s = { .refusal = refusal, .branch_at = LONG_AGO, .switch_at = LONG_AGO, .reset_at = LONG_AGO,
			  .written = { V3D_QPU_W_NOP, V3D_QPU_W_NOP } };

	if (!count || count > V3DCL_MAX_INSTRUCTIONS)
		return refuse(&s, V3DCL_RULE_CODE_SIZE, count, V3DCL_MAX_INSTRUCTIONS);
	if (scratch_bytes < v3dcl_shader_scratch(count))
		return refuse(&s, V3DCL_RULE_SCRATCH, scratch_bytes, v3dcl_shader_scratch(count));
	s.samples = scratch;
	s.resets = (__u32 *)(s.samples + count);
	s.targets = s.resets + count;
	if (!find_branches(&s, code, count))
		return false;
	for (s.at = 0; s.at <= s.end + V3D_QPU_END_SLOTS; s.at++)
		if (!check_instruction(&s, code[s.at]))
			return false;
	return finish(&s, shader);
}

/**
 * v3dcl_keep_shader() - move a shader's arrays from the scratch memory to memory of their size
 * @shader: checked
 * @memory: v3dcl_shader_bytes() of it, aligned to 4 bytes; the caller's, for the life of the shader
 */
void v3dcl_keep_shader(struct v3dcl_shader *shader, void *memory)
{
	struct v3dcl_sample *samples = memory;
	__u32 *resets = (__u32 *)(samples + shader->sample_count);

	__builtin_memcpy(samples, shader->samples, shader->sample_count * sizeof(*samples));
	__builtin_memcpy(resets, shader->resets, shader->reset_count * sizeof(*resets));
	shader->samples = samples;
	shader->resets = resets;
}
