// SPDX-License-Identifier: (GPL-2.0-only OR MIT)
/*
 * Quiet instructions, which most are: they compute what the domain knows nothing of from what is the program's own, and break no
 * rule that needs a look at values. What holds after them is a few bits.
 *
 * It is only a shorter way: what v3dcl_step() makes of such an instruction is the same, and whatever is in doubt is left to it.
 */
#include "prove.h"

/* One field of a word at a time: most instructions do not need all of them. */
#define FIELD(field, low, bits) \
	static inline __u32 get_##field(__u64 word) \
	{ \
		return word >> (low) & ((1u << (bits)) - 1); \
	}
V3D_QPU_WRITE_FIELDS(FIELD)
V3D_QPU_ALU_FIELDS(FIELD)
V3D_QPU_READ_FIELDS(FIELD)

#define QUIET_SIGNALS \
	(1u << V3D_QPU_SIG_NONE | 1u << V3D_QPU_SIG_SMALL_IMMEDIATE | 1u << V3D_QPU_SIG_LOAD_TMU0 | 1u << V3D_QPU_SIG_LOAD_TMU1)

#define TWO(value, name, operands, text) | ((operands) > 1 ? 1u << (value) : 0)
#define ADD_TWO (0u V3D_QPU_ADD_OPS(TWO))

#define MUX_A (1u << V3D_QPU_A)
#define MUX_B (1u << V3D_QPU_B)

/* Addresses as bits: registers from bit 0 on, the space beyond them from bit 32 on */
#define SLOT(address) ((__u64)1 << (address))
#define READS(name) SLOT(V3D_QPU_R_##name)
#define WRITES(name) SLOT(V3D_QPU_W_##name)

#define REGISTERS 0xffffffff
#define UPPER_REGISTERS 0xffff0000ffff0000
#define ACCUMULATORS (WRITES(ACC0) | WRITES(ACC1) | WRITES(ACC2) | WRITES(ACC3) | WRITES(ACC5))
#define TILE_WRITES \
	(WRITES(QUAD_XY) | WRITES(MS_REV_FLAGS) | WRITES(TLB_STENCIL_SETUP) | WRITES(TLB_Z) | WRITES(TLB_COLOUR_MS) | \
	 WRITES(TLB_COLOUR_ALL))

/* What may be read and written without a further look, beyond the registers: part of the tables of space.c */
#define SHADER_READS (READS(VARYING) | READS(ELEMENT_QPU_NUMBER) | READS(PIXEL_COORD) | READS(MS_REV_FLAGS) | READS(VPM_READ))
#define PROGRAM_READS READS(ELEMENT_QPU_NUMBER)
#define SFU_WRITES (WRITES(SFU_RECIP) | WRITES(SFU_RECIPSQRT) | WRITES(SFU_EXP) | WRITES(SFU_LOG))
#define VPM_WRITES (WRITES(VPM_WRITE) | WRITES(VPM_SETUP))
#define SHADER_WRITES (TILE_WRITES | VPM_WRITES | SFU_WRITES)
#define PROGRAM_WRITES SFU_WRITES

/* Something is known of what these give */
#define KNOWN_READS (READS(UNIFORM) | READS(ELEMENT_QPU_NUMBER))

/* What an operation of this kind makes of anything unknown is unknown. */
#define ABSORBED (V3DCL_ADD_OP(ADD) | V3DCL_ADD_OP(SUB) | V3DCL_ADD_OP(OR) | V3DCL_ADD_OP(SHL))
#define FOLLOWED_MULS (1u << V3D_QPU_MUL_MUL24 | 1u << V3D_QPU_MUL_V8MIN)

#define EXISTS(value, name, operands, text) | 1u << (value)
#define QUIET_ADDS ((0u V3D_QPU_ADD_OPS(EXISTS)) & ~V3DCL_ADD_OP(CLZ))

static inline bool is_immediate(__u64 word)
{
	return word >> 60 == V3D_QPU_SIG_SMALL_IMMEDIATE;
}

/* Two operands next to each other, as they stand in a word, as bits */
#define PAIR(a, b) (1u << (a) | 1u << (b))
#define PAIRS(a) PAIR(a, 0), PAIR(a, 1), PAIR(a, 2), PAIR(a, 3), PAIR(a, 4), PAIR(a, 5), PAIR(a, 6), PAIR(a, 7)
static const __u8 pairs[64] = { PAIRS(0), PAIRS(1), PAIRS(2), PAIRS(3), PAIRS(4), PAIRS(5), PAIRS(6), PAIRS(7) };

static inline __u32 add_operands(__u64 word)
{
	__u32 op = get_op_add(word);

	if (!(ADD_TWO >> op & 1))
		return (op != 0) << get_add_a(word);
	return pairs[get_add_a(word) << 3 | get_add_b(word)];
}

static inline __u32 mul_operands(__u64 word)
{
	return get_op_mul(word) ? pairs[get_mul_a(word) << 3 | get_mul_b(word)] : 0;
}

/* What is known of the results of the add and the mul ALU; @some: a bit for each of which something is */
struct known {
	__u32 some;
	struct v3dcl_number value[2];
};

/* An operand; false: what an unpack makes of it is left to the long way */
static bool operand(const struct v3dcl_prover *p, __u64 word, __u32 mux, struct v3dcl_number *value)
{
	__u32 raddr = mux == V3D_QPU_A ? get_raddr_a(word) : get_raddr_b(word);

	if (mux < V3D_QPU_A) {
		*value = *v3dcl_value(p->s, V3DCL_ACC + mux);
		return mux != V3D_QPU_R4 || !get_unpack(word);
	}
	if (mux == V3D_QPU_B && is_immediate(word))
		*value = v3dcl_constant(v3d_qpu_small_immediate(raddr));
	else if (raddr < 32)
		*value = *v3dcl_value(p->s, mux == V3D_QPU_A ? raddr : V3DCL_FILE_B + raddr);
	else if (raddr == V3D_QPU_R_UNIFORM)
		*value = v3dcl_uniform(p->s->cursor);
	else if (raddr == V3D_QPU_R_ELEMENT_QPU_NUMBER)
		*value = v3dcl_between(0, V3D_QPU_LANES - 1);
	else
		*value = v3dcl_unknown();
	return mux == V3D_QPU_B || !get_unpack(word);
}

/* What the domain makes of a half; false: left to the long way */
static bool know(const struct v3dcl_prover *p, __u64 word, bool mul, struct known *known)
{
	__u32 op = mul ? get_op_mul(word) : get_op_add(word), copies = mul ? V3D_QPU_MUL_V8MIN : V3D_QPU_ADD_OR;
	__u32 first = mul ? get_mul_a(word) : get_add_a(word), second = mul ? get_mul_b(word) : get_add_b(word);
	struct v3dcl_number a, b, *value = &known->value[mul];

	if (!operand(p, word, first, &a) || !operand(p, word, second, &b))
		return false;
	*value = op == copies && first == second ? a : mul ? v3dcl_mul_op(op, &a, &b) : v3dcl_add_op(op, &a, &b);
	/* A shader's words are not followed any further: see step.c */
	if (p->shader && v3dcl_has_exact_term(value))
		*value = v3dcl_unknown();
	known->some |= (__u32)!v3dcl_is_unknown(value) << mul;
	return true;
}

/* Does an operand of which nothing is known leave nothing known of the result? */
static bool is_absorbed(__u32 op, __u32 operands, __u32 some)
{
	return ABSORBED >> op & 1 && operands & ~some;
}

/* Of operations that the domain follows: what is known of the results? False: not quiet */
static bool results(const struct v3dcl_prover *p, __u64 word, __u64 a, __u64 b, struct known *known)
{
	const struct v3dcl_state *s = p->s;
	__u32 add = get_op_add(word), mul = get_op_mul(word), adds = add_operands(word), muls = mul_operands(word);
	__u32 some = s->held.rest | (a & ((s->held.files & REGISTERS) | KNOWN_READS) ? MUX_A : 0) |
		     (b & (s->held.files >> 32 | KNOWN_READS) || is_immediate(word) ? MUX_B : 0);

	if (V3DCL_FOLLOWED_ADDS >> add & 1 && adds & some && !is_absorbed(add, adds, some) && !know(p, word, false, known))
		return false;
	return !(FOLLOWED_MULS >> mul & 1) || !(muls & some) || (mul == V3D_QPU_MUL_MUL24 && muls & ~some) ||
	       know(p, word, true, known);
}

/* Results go to places of which nothing is kept. */
static inline void replace(struct v3dcl_state *s, __u64 files, __u32 rest)
{
	s->late.files = files;
	s->late.rest = rest;
	s->late_bad = files & ~s->written.files;
	s->written.files |= files;
	s->partly.files &= ~files;
	s->held.files &= ~files;
	s->written.rest |= rest;
	s->partly.rest &= ~rest;
	s->held.rest &= ~rest;
}

static inline bool meets(const struct v3dcl_state *s, __u32 condition)
{
	return condition == V3D_QPU_COND_ALWAYS || (condition != V3D_QPU_COND_NEVER && s->flags & V3DCL_ALL_BYTES);
}

static void store_half(struct v3dcl_state *s, __u64 word, bool mul, const struct known *known, struct v3dcl_places *late,
		       __u64 *late_bad)
{
	struct v3dcl_result result = {
		.value = known->some >> mul & 1 ? known->value[mul] : v3dcl_unknown(),
		.condition = mul ? get_cond_mul(word) : get_cond_add(word),
	};

	v3dcl_aim_result(&result, mul, mul ? get_waddr_mul(word) : get_waddr_add(word), get_ws(word), get_pack(word), get_pm(word));
	v3dcl_store_result(s, &result, late, late_bad);
}

/* Results with conditions, packs or values; false: not quiet, and nothing has changed */
static bool store_halves(struct v3dcl_state *s, __u64 word, bool has_add, bool has_mul, const struct known *known)
{
	struct v3dcl_places late = { 0, 0 };
	__u64 late_bad = 0;

	if ((get_pm(word) && get_pack(word) && (get_pack(word) < 3 || get_pack(word) > 7)) ||
	    (has_add && !meets(s, get_cond_add(word))) || (has_mul && !meets(s, get_cond_mul(word))))
		return false;
	if (has_add)
		store_half(s, word, false, known, &late, &late_bad);
	if (has_mul)
		store_half(s, word, true, known, &late, &late_bad);
	s->late = late;
	s->late_bad = late_bad;
	return true;
}

static inline void set_flags(struct v3dcl_state *s, __u32 condition)
{
	if (condition != V3D_QPU_COND_NEVER)
		s->flags |= condition == V3D_QPU_COND_ALWAYS ? V3DCL_WRITTEN : V3DCL_PARTLY;
}

/* May the results go where they go? What is idle names nothing. */
static inline bool good_targets(const struct v3dcl_state *s, __u64 word, bool has_add, bool has_mul, __u64 spaces)
{
	__u64 add = SLOT(get_waddr_add(word)), mul = SLOT(get_waddr_mul(word));
	__u64 good = REGISTERS | ACCUMULATORS | WRITES(NOP) | spaces;
	__u64 in_a = get_ws(word) ? mul : add, in_b = get_ws(word) ? add : mul;

	return !((add & ~(has_add ? good : WRITES(NOP))) | (mul & ~(has_mul ? good : WRITES(NOP))) | (add & mul & ACCUMULATORS) |
		 (((in_a & REGISTERS) | in_b << 32) & s->payload));
}

static inline __u64 files_of(__u64 word)
{
	__u64 add = SLOT(get_waddr_add(word)), mul = SLOT(get_waddr_mul(word));

	return get_ws(word) ? (mul & REGISTERS) | add << 32 : (add & REGISTERS) | mul << 32;
}

/* A load of 32 bits: the unpack field says so */
static bool load(struct v3dcl_prover *p, __u64 word)
{
	bool has_add = get_cond_add(word) != V3D_QPU_COND_NEVER, has_mul = get_cond_mul(word) != V3D_QPU_COND_NEVER;
	const struct known known = { 3, { v3dcl_constant(word), v3dcl_constant(word) } };

	if (v3d_qpu_kind(V3D_QPU_SIG_LOAD_IMMEDIATE, get_unpack(word)) != V3D_QPU_LOAD_32 ||
	    !good_targets(p->s, word, has_add, has_mul, p->shader ? VPM_WRITES : 0) ||
	    !store_halves(p->s, word, has_add, has_mul, &known))
		return false;
	p->sent |= SLOT(get_waddr_add(word)) | SLOT(get_waddr_mul(word));
	p->touched |= files_of(word);
	if (get_sf(word))
		set_flags(p->s, get_cond_add(word));
	return true;
}

static void load_result(struct v3dcl_state *s, __u32 tmu)
{
	s->tmu[tmu]--;
	v3dcl_set_plain(s, V3DCL_ACC + V3D_QPU_R4);
}

/* Is all computed without a condition, and kept whole? */
static inline bool is_plain(__u64 word, __u32 add, __u32 mul)
{
	return !(get_pack(word) | (add && get_cond_add(word) != V3D_QPU_COND_ALWAYS) |
		 (mul && get_cond_mul(word) != V3D_QPU_COND_ALWAYS));
}

/*
 * With as few branches as can be, since there is no telling which way they go. What is only partly written, in a shader, is left to
 * the long way.
 */
static __always_inline bool quiet(struct v3dcl_prover *p, __u64 word, bool shader)
{
	struct v3dcl_state *s = p->s;
	__u64 a = SLOT(get_raddr_a(word)), b = is_immediate(word) ? 0 : SLOT(get_raddr_b(word));
	__u64 sent = SLOT(get_waddr_add(word)) | SLOT(get_waddr_mul(word)), spaces = shader ? SHADER_READS : PROGRAM_READS;
	__u32 add = get_op_add(word), mul = get_op_mul(word), reads = add_operands(word) | mul_operands(word);
	__u32 fetched, signal = word >> 60, tmu = signal - V3D_QPU_SIG_LOAD_TMU0;
	__u64 taken_a = reads & MUX_A ? a : 0, taken_b = reads & MUX_B ? b : 0, taken = taken_a | taken_b;
	__u64 registers = (taken_a & REGISTERS) | taken_b << 32;
	struct known known;

	known.some = 0;
	fetched = taken >> V3D_QPU_R_UNIFORM & 1;
	if ((registers & (~s->written.files | s->late.files | s->payload)) | (reads & (MUX_A - 1) & ~s->written.rest) |
	    (taken & ~(REGISTERS | READS(UNIFORM) | spaces)) | ((a | b) & ~taken & ~(REGISTERS | READS(NOP) | spaces)) |
	    (fetched & (s->cursor == p->words && p->record ? 0 : 1)) | (~QUIET_SIGNALS >> signal & 1) | (~QUIET_ADDS >> add & 1))
		return false;
	if (!good_targets(s, word, add, mul, shader ? SHADER_WRITES : PROGRAM_WRITES) ||
	    (tmu < 2 && (!s->tmu[tmu] || sent & SFU_WRITES)) || (is_immediate(word) && get_raddr_b(word) >= V3D_QPU_ROTATE))
		return false;
	if (sent & SFU_WRITES && (SLOT(get_waddr_add(word)) & SHADER_WRITES) && (SLOT(get_waddr_mul(word)) & SHADER_WRITES))
		return false;
	if ((V3DCL_FOLLOWED_ADDS >> add & 1 || FOLLOWED_MULS >> mul & 1) && !results(p, word, taken_a, taken_b, &known))
		return false;
	if (!known.some && is_plain(word, add, mul))
		replace(s, files_of(word), (sent & ACCUMULATORS) >> V3D_QPU_W_ACC0);
	else if (!store_halves(s, word, add, mul, &known))
		return false;
	if (sent & SFU_WRITES) {
		v3dcl_set_plain(s, V3DCL_ACC + V3D_QPU_R4);
		s->sfu_left = 2;
		p->quiet_from = p->at + 3;
	}
	s->cursor += fetched;
	p->words += fetched;
	p->seen |= a | b;
	p->sent |= sent;
	p->touched |= registers | files_of(word);
	/* The coefficient C goes to r5: AG100 p. 51 */
	if ((a | b) & READS(VARYING))
		v3dcl_set_plain(s, V3DCL_ACC + V3D_QPU_R5);
	if (get_sf(word))
		set_flags(s, add ? get_cond_add(word) : get_cond_mul(word));
	if (tmu < 2)
		load_result(s, tmu);
	return true;
}

/**
 * v3dcl_quiet() - do what v3dcl_step() does, if it is quickly done
 * @p: what holds before the instruction; not before @p->quiet_from
 * @word: the instruction
 * Return: false when it is left to v3dcl_step(), and nothing has changed
 */
bool v3dcl_quiet(struct v3dcl_prover *p, __u64 word)
{
	if (word >> 60 == V3D_QPU_SIG_LOAD_IMMEDIATE)
		return load(p, word);
	return p->shader ? quiet(p, word, true) : quiet(p, word, false);
}

/* What the quiet instructions used, all together */
void v3dcl_quiet_uses(struct v3dcl_prover *p)
{
	p->upper |= (p->touched & UPPER_REGISTERS) != 0;
	p->uses_of_shader |= (p->seen & READS(VARYING) || p->sent & TILE_WRITES ? V3DCL_SHADER_TILE : 0) |
			     (p->seen & READS(VPM_READ) || p->sent & VPM_WRITES ? V3DCL_SHADER_VPM : 0);
}

/**
 * v3dcl_is_idle() - does an instruction do nothing but give its signal?
 * @word: the instruction, neither a branch nor a load
 */
bool v3dcl_is_idle(__u64 word)
{
	return !(get_op_add(word) | get_op_mul(word) | get_sf(word)) && get_waddr_add(word) == V3D_QPU_W_NOP &&
	       get_waddr_mul(word) == V3D_QPU_W_NOP && get_raddr_a(word) == V3D_QPU_R_NOP && get_raddr_b(word) == V3D_QPU_R_NOP;
}
