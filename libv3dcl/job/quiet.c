// SPDX-License-Identifier: (GPL-2.0-only OR MIT)
/*
 * Quiet instructions, which most are: they compute what the domain knows nothing of from what is the program's own, and break no
 * rule that needs a look at values. What holds after them is a few bits.
 *
 * It is only a shorter way: what v3dcl_step() makes of such an instruction is the same, and whatever is in doubt is left to it.
 */
#include "fields.h"
#include "prove.h"

#define QUIET_SIGNALS \
	(1u << V3D_QPU_SIG_NONE | 1u << V3D_QPU_SIG_SMALL_IMMEDIATE | 1u << V3D_QPU_SIG_LOAD_TMU0 | 1u << V3D_QPU_SIG_LOAD_TMU1)

#define UPPER_REGISTERS 0xffff0000ffff0000
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

static inline bool is_followed(const struct v3dcl_prover *p)
{
	return p->followed[p->at / 32] >> p->at % 32 & 1;
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

/* Results with packs, or of which something is known; false: not quiet, and nothing has changed */
static bool store_halves(struct v3dcl_state *s, __u64 word, bool has_add, bool has_mul, const struct known *known)
{
	struct v3dcl_places late = { 0, 0 };
	__u64 late_bad = 0;

	if (get_pm(word) && get_pack(word) && (get_pack(word) < 3 || get_pack(word) > 7))
		return false;
	if (has_add)
		store_half(s, word, false, known, &late, &late_bad);
	if (has_mul)
		store_half(s, word, true, known, &late, &late_bad);
	s->late = late;
	s->late_bad = late_bad;
	return true;
}

/* Results of which nothing is known; of the places in @all, those in @always are written under no condition. */
static inline void store_bits(__u64 *written, __u64 *partly, __u64 *held, __u64 all, __u64 always)
{
	*partly = (*partly | (all & ~*written)) & ~always;
	*written |= always;
	*held &= ~all;
}

/* What is known of only in part, by bytes, is left to store_halves(). */
static inline bool store_plain(struct v3dcl_state *s, __u64 word)
{
	__u64 add = SLOT(get_waddr_add(word)), mul = SLOT(get_waddr_mul(word)), files = files_of(word);
	__u64 in_add = get_cond_add(word) == V3D_QPU_COND_ALWAYS ? add : 0;
	__u64 in_mul = get_cond_mul(word) == V3D_QPU_COND_ALWAYS ? mul : 0;
	__u64 always = get_ws(word) ? (in_mul & REGISTERS) | in_add << 32 : (in_add & REGISTERS) | in_mul << 32;
	__u64 rest = ((add | mul) & ACCUMULATORS) >> V3D_QPU_W_ACC0;

	if ((files & s->held.files & ~s->written.files) | (rest & s->held.rest & ~s->written.rest))
		return false;
	s->late = (struct v3dcl_places){ files, rest };
	s->late_bad = files & ~s->written.files;
	store_bits(&s->written.files, &s->partly.files, &s->held.files, files, always);
	store_bits(&s->written.rest, &s->partly.rest, &s->held.rest, rest, ((in_add | in_mul) & ACCUMULATORS) >> V3D_QPU_W_ACC0);
	return true;
}

static inline bool store(struct v3dcl_state *s, __u64 word, bool has_add, bool has_mul, const struct known *known)
{
	return (!known->some && !get_pack(word) && store_plain(s, word)) || store_halves(s, word, has_add, has_mul, known);
}

/* Do conditions find flags? What only some path or some elements have set is a shader's, with @leftovers set. */
static inline bool meets(const struct v3dcl_state *s, __u64 word, bool has_add, bool has_mul, bool shader, bool *leftovers)
{
	__u32 add = has_add ? get_cond_add(word) : V3D_QPU_COND_ALWAYS, mul = has_mul ? get_cond_mul(word) : V3D_QPU_COND_ALWAYS;

	if (add == V3D_QPU_COND_ALWAYS && mul == V3D_QPU_COND_ALWAYS)
		return true;
	*leftovers |= !(s->flags & V3DCL_ALL_BYTES);
	return add != V3D_QPU_COND_NEVER && mul != V3D_QPU_COND_NEVER && (s->flags & V3DCL_ALL_BYTES || (shader && s->flags));
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

/* A load of 32 bits: the unpack field says so */
static bool load(struct v3dcl_prover *p, __u64 word)
{
	bool has_add = get_cond_add(word) != V3D_QPU_COND_NEVER, has_mul = get_cond_mul(word) != V3D_QPU_COND_NEVER;
	const struct known known = { p->shader && !is_followed(p) ? 0 : 3, { v3dcl_constant(word), v3dcl_constant(word) } };
	bool leftovers = false;

	if (v3d_qpu_kind(V3D_QPU_SIG_LOAD_IMMEDIATE, get_unpack(word)) != V3D_QPU_LOAD_32 ||
	    !good_targets(p->s, word, has_add, has_mul, p->shader ? VPM_WRITES : 0) ||
	    !meets(p->s, word, has_add, has_mul, p->shader, &leftovers) || !store(p->s, word, has_add, has_mul, &known))
		return false;
	p->sent |= SLOT(get_waddr_add(word)) | SLOT(get_waddr_mul(word));
	p->touched |= files_of(word);
	p->uses_of_shader |= leftovers ? V3DCL_SHADER_LEFTOVERS : 0;
	if (get_sf(word))
		set_flags(p->s, get_cond_add(word));
	p->s->sfu_left -= p->s->sfu_left != 0;
	return true;
}

/* What the units get and give, and what the flags are, once the results are stored */
static inline void finish(struct v3dcl_prover *p, __u64 word, __u64 read, __u64 sent, __u32 tmu)
{
	struct v3dcl_state *s = p->s;

	p->seen |= read;
	p->sent |= sent;
	s->sfu_left = sent & SFU_WRITES ? 2 : s->sfu_left - (s->sfu_left != 0);
	if (tmu < 2)
		s->tmu[tmu]--;
	if (sent & SFU_WRITES || tmu < 2)
		v3dcl_set_plain(s, V3DCL_ACC + V3D_QPU_R4);
	/* The coefficient C goes to r5: AG100 p. 51 */
	if (read & READS(VARYING))
		v3dcl_set_plain(s, V3DCL_ACC + V3D_QPU_R5);
	if (get_sf(word))
		set_flags(s, get_op_add(word) ? get_cond_add(word) : get_cond_mul(word));
}

/* Of what is not written, or not by when it is read: is it a shader's leftovers? */
static inline bool in_part(const struct v3dcl_state *s, __u64 files, __u64 rest, bool shader, bool *leftovers)
{
	*leftovers = files | rest;
	return !(files | rest) || (shader && !(files & ~(s->partly.files | s->written.files)) && !(rest & ~s->partly.rest));
}

/* Are the units free for what they are given, and do they have what is taken? Results of two for one another are left alone. */
static inline bool good_units(const struct v3dcl_state *s, __u64 word, __u32 reads, __u64 sent, __u32 tmu)
{
	bool sfu = sent & SFU_WRITES;

	if (s->sfu_left && (sfu || tmu < 2 || reads & 1u << V3D_QPU_R4))
		return false;
	if (sfu && (tmu < 2 || (SLOT(get_waddr_add(word)) & SHADER_WRITES && SLOT(get_waddr_mul(word)) & SHADER_WRITES)))
		return false;
	return tmu >= 2 || s->tmu[tmu];
}

/* With as few branches as can be, since there is no telling which way they go. */
static __always_inline bool quiet(struct v3dcl_prover *p, __u64 word, bool shader)
{
	struct v3dcl_state *s = p->s;
	__u64 a = SLOT(get_raddr_a(word)), b = is_immediate(word) ? 0 : SLOT(get_raddr_b(word));
	__u64 sent = SLOT(get_waddr_add(word)) | SLOT(get_waddr_mul(word)), spaces = shader ? SHADER_READS : PROGRAM_READS;
	__u32 add = get_op_add(word), mul = get_op_mul(word), reads = add_operands(word) | mul_operands(word);
	__u64 taken_a = reads & MUX_A ? a : 0, taken_b = reads & MUX_B ? b : 0, taken = taken_a | taken_b;
	__u64 registers = (taken_a & REGISTERS) | taken_b << 32;
	__u32 fetched = taken >> V3D_QPU_R_UNIFORM & 1, signal = word >> 60, tmu = signal - V3D_QPU_SIG_LOAD_TMU0;
	bool follows = !shader || is_followed(p), lefts, flags = false;
	struct known known;

	known.some = 0;
	if ((taken & ~(REGISTERS | READS(UNIFORM) | spaces)) | ((a | b) & ~taken & ~(REGISTERS | READS(NOP) | spaces)) |
	    (fetched & (p->record ? s->cursor != p->words : s->cursor == V3DCL_LOST)) | (~QUIET_SIGNALS >> signal & 1) |
	    (~QUIET_ADDS >> add & 1) | (follows && registers & s->late.files) |
	    (is_immediate(word) && get_raddr_b(word) >= V3D_QPU_ROTATE))
		return false;
	if (!good_targets(s, word, add, mul, shader ? SHADER_WRITES : PROGRAM_WRITES) || !good_units(s, word, reads, sent, tmu) ||
	    !in_part(s, registers & (~s->written.files | s->late_bad), reads & MUX_ACCUMULATORS & ~s->written.rest, shader,
		     &lefts) ||
	    !meets(s, word, add, mul, shader, &flags))
		return false;
	if (follows && (V3DCL_FOLLOWED_ADDS >> add & 1 || FOLLOWED_MULS >> mul & 1) && !results(p, word, taken_a, taken_b, &known))
		return false;
	if (!store(s, word, add, mul, &known))
		return false;
	s->cursor += fetched;
	p->words += fetched & p->record;
	p->touched |= registers | files_of(word);
	p->uses_of_shader |= (lefts | flags ? V3DCL_SHADER_LEFTOVERS : 0) | (registers & s->payload ? V3DCL_SHADER_TILE : 0);
	finish(p, word, a | b, sent, tmu);
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
