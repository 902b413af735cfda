/* SPDX-License-Identifier: (GPL-2.0-only OR MIT) */
/*
 * The QPU instruction word: one typed decode, one encode, and the names of everything in it (AG100
 * Tables 1 to 14, Figures 3 to 7).
 *
 * An instruction is decoded once into struct v3d_qpu_inst, whose kind says which fields mean
 * something; all else works on that. Every 64-bit word decodes, and encoding gives back the very
 * bits: fields that a kind does not use are kept.
 */
#ifndef V3D_QPU_H
#define V3D_QPU_H

#include <v3d/types.h>

/*
 * The instruction word (AG100 Figures 3 to 7), bit 63 first: each box is a field of struct
 * v3d_qpu_inst.
 *
 * sig 0 to 12: two ALU operations. 13: raddr_b is a small immediate, or a rotation (AG100 Table 5)
 *	 63  60 59  57 56 55  52 51    49 48    46 45 44 43     38 37     32
 *	+------+------+--+------+--------+--------+--+--+---------+---------+
 *	| sig  |unpack|pm| pack |cond_add|cond_mul|sf|ws|waddr_add|waddr_mul|
 *	+------+------+--+------+--------+--------+--+--+---------+---------+
 *	 31  29 28  24 23    18 17    12 11   9 8    6 5    3 2    0
 *	+------+------+--------+--------+------+------+------+------+
 *	|op_mul|op_add|raddr_a |raddr_b |add_a |add_b |mul_a |mul_b |
 *	+------+------+--------+--------+------+------+------+------+
 *
 * sig 14: a load of an immediate. Upper half as above, but unpack says what the lower half is. 0:
 * 32 bits for all lanes. 1, 3: two bits for each lane, signed or unsigned; lane n has bits n + 16
 * and n. 4: a semaphore, whose number is bits 3:0, lowered where bit 4 is set, else raised. 2, 5 to
 * 7: reserved
 *	 31                                                               0
 *	+------------------------------------------------------------------+
 *	|                            immediate                             |
 *	+------------------------------------------------------------------+
 *
 * sig 15: a branch. - is unused; the immediate is the target in bytes, to which rel and reg add
 *	 63  60 59  56 55   52 51  50  49          45 44 43     38 37     32
 *	+------+------+-------+---+---+--------------+--+---------+---------+
 *	| sig  |  -   |cond_br|rel|reg|branch_raddr_a|ws|waddr_add|waddr_mul|
 *	+------+------+-------+---+---+--------------+--+---------+---------+
 *	 31                                                               0
 *	+------------------------------------------------------------------+
 *	|                            immediate                             |
 *	+------------------------------------------------------------------+
 */

#define V3D_QPU_LANES 16
#define V3D_QPUS 12			/* of BCM2835: IDENT1 NSLC * QUPS */
#define V3D_QPU_INSTRUCTION_BYTES 8
#define V3D_QPU_SEMAPHORES 16
#define V3D_QPU_BRANCH_SLOTS 3		/* delay slots: AG100 "Branches" */
#define V3D_QPU_END_SLOTS 2		/* AG100 "Thread Control" */

/*
 * B(field, lowest bit, bits), by group. Together, ALU, WRITE and READ cover all 64 bits; IMMEDIATE
 * overlays READ.
 */
#define V3D_QPU_WRITE_FIELDS(B) \
	B(ws, 44, 1) B(waddr_add, 38, 6) B(waddr_mul, 32, 6)
#define V3D_QPU_ALU_FIELDS(B) \
	B(unpack, 57, 3) B(pm, 56, 1) B(pack, 52, 4) B(cond_add, 49, 3) B(cond_mul, 46, 3) \
	B(sf, 45, 1)
#define V3D_QPU_READ_FIELDS(B) \
	B(op_mul, 29, 3) B(op_add, 24, 5) B(raddr_a, 18, 6) B(raddr_b, 12, 6) \
	B(add_a, 9, 3) B(add_b, 6, 3) B(mul_a, 3, 3) B(mul_b, 0, 3)
#define V3D_QPU_BRANCH_FIELDS(B) \
	B(cond_br, 52, 4) B(rel, 51, 1) B(reg, 50, 1) B(branch_raddr_a, 45, 5)

/* S(value, name, text): AG100 Table 4 */
#define V3D_QPU_SIGNALS(S) \
	S(0, BREAK, "bkpt") S(1, NONE, "") S(2, THREAD_SWITCH, "thrsw") \
	S(3, PROGRAM_END, "thrend") S(4, WAIT_SCOREBOARD, "sbwait") \
	S(5, UNLOCK_SCOREBOARD, "sbdone") S(6, LAST_THREAD_SWITCH, "lthrsw") \
	S(7, LOAD_COVERAGE, "loadcv") S(8, LOAD_COLOR, "loadc") S(9, LOAD_COLOR_END, "ldcend") \
	S(10, LOAD_TMU0, "ldtmu0") S(11, LOAD_TMU1, "ldtmu1") S(12, LOAD_ALPHA_MASK, "loadam") \
	S(13, SMALL_IMMEDIATE, "") S(14, LOAD_IMMEDIATE, "") S(15, BRANCH, "")

/* C(value, name, text): AG100 Table 2 */
#define V3D_QPU_CONDITIONS(C) \
	C(0, NEVER, "never") C(1, ALWAYS, "") C(2, ZS, "zs") C(3, ZC, "zc") C(4, NS, "ns") \
	C(5, NC, "nc") C(6, CS, "cs") C(7, CC, "cc")

/* AG100 Table 11; 12 to 14 are reserved */
#define V3D_QPU_BRANCH_CONDITIONS(C) \
	C(0, ALL_ZS, "allzs") C(1, ALL_ZC, "allzc") C(2, ANY_ZS, "anyzs") C(3, ANY_ZC, "anyzc") \
	C(4, ALL_NS, "allns") C(5, ALL_NC, "allnc") C(6, ANY_NS, "anyns") C(7, ANY_NC, "anync") \
	C(8, ALL_CS, "allcs") C(9, ALL_CC, "allcc") C(10, ANY_CS, "anycs") C(11, ANY_CC, "anycc") \
	C(15, ALWAYS, "")

/* O(value, name, operands, text): AG100 Table 12; 9 to 11 and 25 to 29 are reserved */
#define V3D_QPU_ADD_OPS(O) \
	O(0, NOP, 0, "nop") O(1, FADD, 2, "fadd") O(2, FSUB, 2, "fsub") O(3, FMIN, 2, "fmin") \
	O(4, FMAX, 2, "fmax") O(5, FMINABS, 2, "fminabs") O(6, FMAXABS, 2, "fmaxabs") \
	O(7, FTOI, 1, "ftoi") O(8, ITOF, 1, "itof") O(12, ADD, 2, "add") O(13, SUB, 2, "sub") \
	O(14, SHR, 2, "shr") O(15, ASR, 2, "asr") O(16, ROR, 2, "ror") O(17, SHL, 2, "shl") \
	O(18, MIN, 2, "min") O(19, MAX, 2, "max") O(20, AND, 2, "and") O(21, OR, 2, "or") \
	O(22, XOR, 2, "xor") O(23, NOT, 1, "not") O(24, CLZ, 1, "clz") O(30, V8ADDS, 2, "v8adds") \
	O(31, V8SUBS, 2, "v8subs")

/* AG100 Table 13 */
#define V3D_QPU_MUL_OPS(O) \
	O(0, NOP, 0, "nop") O(1, FMUL, 2, "fmul") O(2, MUL24, 2, "mul24") \
	O(3, V8MULD, 2, "v8muld") O(4, V8MIN, 2, "v8min") O(5, V8MAX, 2, "v8max") \
	O(6, V8ADDS, 2, "v8adds") O(7, V8SUBS, 2, "v8subs")

/* P(value, text): AG100 Tables 6 and 8 */
#define V3D_QPU_UNPACKS(P) \
	P(0, "") P(1, "16a") P(2, "16b") P(3, "8dr") P(4, "8a") P(5, "8b") P(6, "8c") P(7, "8d")

/* AG100 Table 7; of these, Table 9 has 0 and 3 to 7 */
#define V3D_QPU_PACKS(P) \
	P(0, "") P(1, "16a") P(2, "16b") P(3, "8abcd") P(4, "8a") P(5, "8b") P(6, "8c") P(7, "8d") \
	P(8, "s") P(9, "16as") P(10, "16bs") P(11, "8abcds") P(12, "8as") P(13, "8bs") \
	P(14, "8cs") P(15, "8ds")

/* Input mux: AG100 Table 3 */
enum v3d_qpu_mux {
	V3D_QPU_R0, V3D_QPU_R1, V3D_QPU_R2, V3D_QPU_R3, V3D_QPU_R4, V3D_QPU_R5, V3D_QPU_A, V3D_QPU_B
};

/* Write addresses from 32 on, W(value, name, text in A, text in B): AG100 Table 14 */
#define V3D_QPU_WRITES(W) \
	W(32, ACC0, "r0", "r0") W(33, ACC1, "r1", "r1") W(34, ACC2, "r2", "r2") \
	W(35, ACC3, "r3", "r3") W(36, TMU_NOSWAP, "tmurs", "tmurs") W(37, ACC5, "r5quad", "r5rep") \
	W(38, HOST_INT, "irq", "irq") W(39, NOP, "-", "-") \
	W(40, UNIFORMS_ADDRESS, "unif_addr", "unif_addr_rel") W(41, QUAD_XY, "x_coord", "y_coord") \
	W(42, MS_REV_FLAGS, "ms_mask", "rev_flag") W(43, TLB_STENCIL_SETUP, "stencil", "stencil") \
	W(44, TLB_Z, "tlbz", "tlbz") W(45, TLB_COLOUR_MS, "tlbm", "tlbm") \
	W(46, TLB_COLOUR_ALL, "tlbc", "tlbc") W(47, TLB_ALPHA_MASK, "tlbam", "tlbam") \
	W(48, VPM_WRITE, "vpm", "vpm") W(49, VPM_SETUP, "vr_setup", "vw_setup") \
	W(50, VPM_ADDR, "vr_addr", "vw_addr") W(51, MUTEX_RELEASE, "mutex", "mutex") \
	W(52, SFU_RECIP, "recip", "recip") W(53, SFU_RECIPSQRT, "rsqrt", "rsqrt") \
	W(54, SFU_EXP, "exp", "exp") W(55, SFU_LOG, "log", "log") W(56, TMU0_S, "t0s", "t0s") \
	W(57, TMU0_T, "t0t", "t0t") W(58, TMU0_R, "t0r", "t0r") W(59, TMU0_B, "t0b", "t0b") \
	W(60, TMU1_S, "t1s", "t1s") W(61, TMU1_T, "t1t", "t1t") W(62, TMU1_R, "t1r", "t1r") \
	W(63, TMU1_B, "t1b", "t1b")

/* Read addresses from 32 on that exist, R(value, name, text in A, text in B): AG100 Table 14 */
#define V3D_QPU_READS(R) \
	R(32, UNIFORM, "unif", "unif") R(35, VARYING, "vary", "vary") \
	R(38, ELEMENT_QPU_NUMBER, "elem_num", "qpu_num") R(39, NOP, "-", "-") \
	R(41, PIXEL_COORD, "x_coord", "y_coord") R(42, MS_REV_FLAGS, "ms_mask", "rev_flag") \
	R(48, VPM_READ, "vpm", "vpm") R(49, VPM_BUSY, "vr_busy", "vw_busy") \
	R(50, VPM_WAIT, "vr_wait", "vw_wait") R(51, MUTEX_ACQUIRE, "mutex", "mutex")

#define V3D_QPU_SIGNAL_CONSTANT(value, name, text) V3D_QPU_SIG_##name = (value),
enum v3d_qpu_signal { V3D_QPU_SIGNALS(V3D_QPU_SIGNAL_CONSTANT) };

#define V3D_QPU_CONDITION_CONSTANT(value, name, text) V3D_QPU_COND_##name = (value),
enum v3d_qpu_condition { V3D_QPU_CONDITIONS(V3D_QPU_CONDITION_CONSTANT) };

#define V3D_QPU_BRANCH_CONSTANT(value, name, text) V3D_QPU_BRANCH_##name = (value),
enum v3d_qpu_branch_condition { V3D_QPU_BRANCH_CONDITIONS(V3D_QPU_BRANCH_CONSTANT) };

#define V3D_QPU_ADD_CONSTANT(value, name, operands, text) V3D_QPU_ADD_##name = (value),
enum v3d_qpu_add_op { V3D_QPU_ADD_OPS(V3D_QPU_ADD_CONSTANT) };

#define V3D_QPU_MUL_CONSTANT(value, name, operands, text) V3D_QPU_MUL_##name = (value),
enum v3d_qpu_mul_op { V3D_QPU_MUL_OPS(V3D_QPU_MUL_CONSTANT) };

#define V3D_QPU_WRITE_CONSTANT(value, name, a, b) V3D_QPU_W_##name = (value),
enum v3d_qpu_waddr { V3D_QPU_WRITES(V3D_QPU_WRITE_CONSTANT) };

#define V3D_QPU_READ_CONSTANT(value, name, a, b) V3D_QPU_R_##name = (value),
enum v3d_qpu_raddr { V3D_QPU_READS(V3D_QPU_READ_CONSTANT) };

/*
 * Small immediates from here on are rotations of the mul output; this one takes its amount from r5:
 * AG100 Table 5
 */
#define V3D_QPU_ROTATE 48

/*
 * What an instruction is. The last four kinds of load are told apart by the unpack field: AG100
 * Figures 5 and 6.
 */
enum v3d_qpu_kind {
	V3D_QPU_ALU,
	V3D_QPU_ALU_SMALL_IMMEDIATE,	/* raddr_b is a small immediate or a rotation */
	V3D_QPU_LOAD_32,		/* immediate, to all lanes */
	/* two bits a lane: bit n + 16 is the sign bit, bit n the low one */
	V3D_QPU_LOAD_SIGNED,
	/* two bits a lane: bit n + 16 is the high one, bit n the low one */
	V3D_QPU_LOAD_UNSIGNED,
	V3D_QPU_SEMAPHORE,		/* otherwise a LOAD_32 */
	V3D_QPU_LOAD_RESERVED,		/* unpack values 2, 5, 6, 7 */
	V3D_QPU_BRANCH,
};

/**
 * struct v3d_qpu_inst - an instruction, decoded
 * @kind: enum v3d_qpu_kind
 * @sig: enum v3d_qpu_signal
 * @unpack: Tables 6 and 8 (of a load: what kind), all but branches
 * @pm: pack and unpack select, all but branches
 * @pack: Tables 7 and 9, all but branches
 * @cond_add: enum v3d_qpu_condition, all but branches, like @cond_mul and @sf
 * @cond_mul: see @cond_add
 * @sf: set flags
 * @ws: 1: the add result goes to register file B, the mul result to A
 * @waddr_add: below 32 a register, else enum v3d_qpu_waddr; all kinds
 * @waddr_mul: see @waddr_add
 * @op_mul: enum v3d_qpu_mul_op, ALU kinds, like all further ones to @mul_b
 * @op_add: enum v3d_qpu_add_op, or a reserved value
 * @raddr_a: below 32 a register, else enum v3d_qpu_raddr or a hole of Table 14
 * @raddr_b: see @raddr_a; with a small immediate, Table 5
 * @add_a: enum v3d_qpu_mux
 * @add_b: see @add_a
 * @mul_a: see @add_a
 * @mul_b: see @add_a
 * @cond_br: enum v3d_qpu_branch_condition or reserved; branches, like the next three
 * @rel: target is relative to the branch's address plus 4 instructions
 * @reg: target adds element 15 (HW; the guide says 0) of register @branch_raddr_a of file A
 * @branch_raddr_a: a register; its bit 0 is the branch's set-flags bit (HW)
 * @branch_unused: bits 59:56 of a branch, kept
 * @immediate: loads, semaphores and branches: bits 31:0
 */
struct v3d_qpu_inst {
	__u8 kind, sig, unpack, pm, pack, cond_add, cond_mul, sf;
	__u8 ws, waddr_add, waddr_mul;
	__u8 op_mul, op_add, raddr_a, raddr_b, add_a, add_b, mul_a, mul_b;
	__u8 cond_br, rel, reg, branch_raddr_a, branch_unused;
	__u32 immediate;
};

/* A semaphore instruction's immediate: AG100 Figure 6 */
#define V3D_QPU_SEMAPHORE_NUMBER(immediate) ((immediate) & 0xf)
#define V3D_QPU_SEMAPHORE_DECREMENTS(immediate) ((immediate) >> 4 & 1)

static inline __u8 v3d_qpu_kind(__u8 sig, __u8 unpack)
{
	switch (sig) {
	case V3D_QPU_SIG_SMALL_IMMEDIATE:
		return V3D_QPU_ALU_SMALL_IMMEDIATE;
	case V3D_QPU_SIG_BRANCH:
		return V3D_QPU_BRANCH;
	case V3D_QPU_SIG_LOAD_IMMEDIATE:
		break;
	default:
		return V3D_QPU_ALU;
	}
	switch (unpack) {
	case 0:
		return V3D_QPU_LOAD_32;
	case 1:
		return V3D_QPU_LOAD_SIGNED;
	case 3:
		return V3D_QPU_LOAD_UNSIGNED;
	case 4:
		return V3D_QPU_SEMAPHORE;
	default:
		return V3D_QPU_LOAD_RESERVED;
	}
}

#define V3D_QPU_GET(field, low, bits) inst.field = word >> (low) & ((1u << (bits)) - 1);
#define V3D_QPU_PUT(field, low, bits) word |= (__u64)(inst->field & ((1u << (bits)) - 1)) << (low);

/**
 * v3d_qpu_decode() - an instruction word, typed
 * @word: any 64 bits
 * Return: the instruction; fields that its kind does not have are 0
 */
static inline struct v3d_qpu_inst v3d_qpu_decode(__u64 word)
{
	struct v3d_qpu_inst inst;

	__builtin_memset(&inst, 0, sizeof(inst));
	inst.sig = word >> 60;
	V3D_QPU_WRITE_FIELDS(V3D_QPU_GET)
	inst.kind = v3d_qpu_kind(inst.sig, word >> 57 & 7);
	if (inst.kind == V3D_QPU_BRANCH) {
		V3D_QPU_BRANCH_FIELDS(V3D_QPU_GET)
		inst.branch_unused = word >> 56 & 0xf;
	} else {
		V3D_QPU_ALU_FIELDS(V3D_QPU_GET)
	}
	if (inst.kind == V3D_QPU_ALU || inst.kind == V3D_QPU_ALU_SMALL_IMMEDIATE) {
		V3D_QPU_READ_FIELDS(V3D_QPU_GET)
	} else {
		inst.immediate = word;
	}
	return inst;
}

/**
 * v3d_qpu_encode() - the word of an instruction
 * @inst: its kind must fit its signal and unpack fields, as v3d_qpu_decode() gives them; fields are
 *	cut to their width
 */
static inline __u64 v3d_qpu_encode(const struct v3d_qpu_inst *inst)
{
	__u64 word = (__u64)(inst->sig & 0xf) << 60;

	V3D_QPU_WRITE_FIELDS(V3D_QPU_PUT)
	if (inst->kind == V3D_QPU_BRANCH) {
		V3D_QPU_BRANCH_FIELDS(V3D_QPU_PUT)
		word |= (__u64)(inst->branch_unused & 0xf) << 56;
	} else {
		V3D_QPU_ALU_FIELDS(V3D_QPU_PUT)
	}
	if (inst->kind == V3D_QPU_ALU || inst->kind == V3D_QPU_ALU_SMALL_IMMEDIATE) {
		V3D_QPU_READ_FIELDS(V3D_QPU_PUT)
	} else {
		word |= inst->immediate;
	}
	return word;
}

/**
 * v3d_qpu_small_immediate() - the value that a small immediate stands for
 * @code: 0 to 63; rotation codes from 48 on read as -16 to -1 (HW) where an input is taken from
 * them Source: AG100 Table 5
 */
static inline __u32 v3d_qpu_small_immediate(unsigned int code)
{
	if (code < 16)
		return code;
	if (code < 32)
		return code - 32;
	if (code < 40)
		return 0x3f800000 + ((code - 32) << 23);
	if (code < 48)
		return 0x3f800000 - ((48 - code) << 23);
	return code - 64;
}

/**
 * v3d_qpu_reads() - does an ALU instruction take an input from this port?
 * @inst: of kind ALU or ALU_SMALL_IMMEDIATE, else false
 * @mux: enum v3d_qpu_mux
 * Only the operands that its two operations have count.
 */
static inline bool v3d_qpu_reads(const struct v3d_qpu_inst *inst, __u8 mux)
{
#define V3D_QPU_OPERANDS(value, name, operands, text) | (__u64)(operands) << 2 * (value)
	const __u64 adds = 0 V3D_QPU_ADD_OPS(V3D_QPU_OPERANDS),
		    muls = 0 V3D_QPU_MUL_OPS(V3D_QPU_OPERANDS);
#undef V3D_QPU_OPERANDS
	unsigned int add = adds >> 2 * inst->op_add & 3, mul = muls >> 2 * inst->op_mul & 3;

	if (inst->kind != V3D_QPU_ALU && inst->kind != V3D_QPU_ALU_SMALL_IMMEDIATE)
		return false;
	return (add > 0 && inst->add_a == mux) || (add > 1 && inst->add_b == mux) ||
	       (mul > 0 && inst->mul_a == mux) || (mul > 1 && inst->mul_b == mux);
}

#endif /* V3D_QPU_H */
