// SPDX-License-Identifier: (GPL-2.0-only OR MIT)
/*
 * Quiet instructions at which something has to be looked at: units, operands that are there in part, results that are written in
 * part, and such as are worth a look at their values.
 */
#include "quiet.h"

/* Something is known of what these give */
#define KNOWN_READS (READS(UNIFORM) | READS(ELEMENT_QPU_NUMBER))

/* What an operation of this kind makes of anything unknown is unknown. */
#define ABSORBED (V3DCL_ADD_OP(ADD) | V3DCL_ADD_OP(SUB) | V3DCL_ADD_OP(OR) | V3DCL_ADD_OP(SHL))
#define FOLLOWED_MULS (1u << V3D_QPU_MUL_MUL24 | 1u << V3D_QPU_MUL_V8MIN)

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

/* Is it a register that the instruction before has written? */
static bool is_late(const struct v3dcl_state *s, __u64 word, __u32 operands)
{
	__u64 b = is_immediate(word) ? 0 : SLOT(get_raddr_b(word));

	return (operands & MUX_A && s->late.files & REGISTERS & SLOT(get_raddr_a(word))) ||
	       (operands & MUX_B && s->late.files >> 32 & b);
}

/* What is known of the results? False: not quiet */
static bool results(const struct v3dcl_prover *p, __u64 word, struct known *known)
{
	const struct v3dcl_state *s = p->s;
	__u32 add = get_op_add(word), mul = get_op_mul(word), of_add = add_operands(word), of_mul = mul_operands(word);
	__u64 a = SLOT(get_raddr_a(word)), b = SLOT(get_raddr_b(word));
	__u32 some = s->held.rest | (a & ((s->held.files & REGISTERS) | KNOWN_READS) ? MUX_A : 0) |
		     (b & (s->held.files >> 32 | KNOWN_READS) || is_immediate(word) ? MUX_B : 0);

	if (is_load(word)) {
		*known = (struct known){ 3, { v3dcl_constant(word), v3dcl_constant(word) } };
		return true;
	}
	/* That counts zeros gives 0 to 32 whatever it is given. */
	if (add == V3D_QPU_ADD_CLZ || is_late(s, word, of_add | of_mul))
		return false;
	if (V3DCL_FOLLOWED_ADDS >> add & 1 && of_add & some && !is_absorbed(add, of_add, some) && !know(p, word, false, known))
		return false;
	/* Of two different ones V8MIN takes the lesser byte by byte. */
	return !(FOLLOWED_MULS >> mul & 1) || of_mul & ~some || know(p, word, true, known);
}

/* The result of a half, and what is known of it; @late and @late_bad: see v3dcl_store_result(). Return: its place */
static __u8 store_half(struct v3dcl_state *s, __u64 word, bool mul, const struct v3dcl_number *value, struct v3dcl_places *late,
		       __u64 *late_bad)
{
	struct v3dcl_result result = { .value = *value, .condition = get_cond(word, mul) };

	v3dcl_aim_result(&result, mul, get_waddr(word, mul), get_ws(word), get_pack(word), get_pm(word));
	v3dcl_store_result(s, &result, late, late_bad);
	return result.place;
}

static void store_both(struct v3dcl_state *s, __u64 word, bool add, bool mul, const struct known *known)
{
	const struct v3dcl_number unknown = v3dcl_unknown();
	struct v3dcl_places late = { 0, 0 };
	__u64 late_bad = 0;

	if (add)
		store_half(s, word, false, known->some & 1 ? &known->value[0] : &unknown, &late, &late_bad);
	if (mul)
		store_half(s, word, true, known->some & 2 ? &known->value[1] : &unknown, &late, &late_bad);
	s->late = late;
	s->late_bad = late_bad;
}

/* What a fragment comes with: whoever writes over it is left alone. */
static bool only_read(struct v3dcl_prover *p, __u64 files)
{
	p->traits |= files & p->s->payload ? 0 : TILE;
	return !(files & p->s->payload);
}

/* Is what is not written, or not by when it is read, a shader's leftovers? Of what is held, some bytes may be its own. */
static bool in_part(struct v3dcl_prover *p, __u64 files, __u64 written, __u64 rest)
{
	if (!p->shader || files & (p->s->held.files | ~(p->s->partly.files | written)) || rest & ~p->s->partly.rest)
		return false;
	p->uses_of_shader |= V3DCL_SHADER_LEFTOVERS;
	return true;
}

/* Operands that are not just there: what a fragment comes with, ports that nobody takes, leftovers */
static bool good_operands(struct v3dcl_prover *p, const struct v3dcl_view *v, const struct v3dcl_facts *f, __u64 late_bad)
{
	const struct v3dcl_state *s = p->s;
	const __u64 taken = (f->uses & MUX_A ? REGISTERS : 0) | (f->uses & MUX_B ? ~(__u64)REGISTERS : 0);
	const __u64 read = f->ports & taken, written = s->written.files | v->visible | v->late;
	const __u64 unwritten = read & ~(v->visible | (s->written.files & ~late_bad));
	const __u32 lost = f->uses & SIX & ~(v->seen | s->written.rest);

	if ((f->files | read) & s->payload && !only_read(p, f->files))
		return false;
	return !(unwritten | lost) || in_part(p, unwritten, written, lost);
}

/*
 * A coordinate of a texture lookup, which takes a uniform; where that is, or is not, there is a rule about it. What starts a direct
 * read is left to others.
 */
static bool request(struct v3dcl_prover *p, const struct v3dcl_view *v, struct v3dcl_facts *f, __u64 bad)
{
	const __u32 add = get_waddr_add(f->flags), waddr = add < V3D_QPU_W_TMU0_S ? get_waddr_mul(f->flags) : add;
	const __u32 slot = p->s->cursor + (v->counts / UNIFORM & 0x3ffff);

	if ((f->traits | bad) & UNIFORM || !v3dcl_ask_tmu(p, waddr, slot))
		return false;
	f->traits |= UNIFORM;
	return true;
}

/* Can the units take what they are given, and do they have what is taken? */
static bool good_requests(const struct v3dcl_state *s, const struct v3dcl_view *v, const struct v3dcl_facts *f)
{
	const __u32 tmu = (f->flags >> 60) - V3D_QPU_SIG_LOAD_TMU0;

	if (v->busy && (f->traits & v->busy || f->uses & 1u << V3D_QPU_R4))
		return false;
	return f->traits & SFU ? !(f->traits & LOADS) : !(f->traits & LOADS) || s->tmu[tmu];
}

/* What an instruction's unusual fields have of the conditions: how they differ from those of what always happens */
static __u32 differs(const struct v3dcl_facts *f, bool mul)
{
	return get_cond((__u64)f->unusual << 32, mul);
}

/* Does each operation happen, perhaps, and are there the flags to tell? What only some path or element has set is a shader's. */
static bool may_happen(struct v3dcl_prover *p, const struct v3dcl_view *v, const struct v3dcl_facts *f)
{
	const __u32 add = differs(f, false), mul = differs(f, true);

	if (add == NEVER_HAPPENS || mul == NEVER_HAPPENS)
		return false;
	if (!(add | mul) || get_sf(v->flags) || p->s->flags & V3DCL_ALL_BYTES)
		return true;
	if (!p->shader || !p->s->flags)
		return false;
	p->uses_of_shader |= V3DCL_SHADER_LEFTOVERS;
	return true;
}

static void set_flags(struct v3dcl_state *s, __u32 condition)
{
	if (condition != V3D_QPU_COND_NEVER)
		s->flags |= condition == V3D_QPU_COND_ALWAYS ? V3DCL_WRITTEN : V3DCL_PARTLY;
}

/* Packs of the mul ALU that there are not */
static bool packs_badly(__u64 word)
{
	return get_pm(word) && get_pack(word) && (get_pack(word) < 3 || get_pack(word) > 7);
}

/* Is all there, in one way or another? That leftovers are read is said last, when nothing else speaks against it. */
static bool is_good(struct v3dcl_prover *p, const struct v3dcl_view *v, const struct v3dcl_facts *f, __u64 late_bad)
{
	return good_requests(p->s, v, f) && good_operands(p, v, f, late_bad);
}

/* What units give, whatever becomes of the results: to r4, and of a varying to r5 */
static __u64 given(const struct v3dcl_facts *f)
{
	return (f->traits & ACCUMULATOR(4)) | (f->traits / (VARYING / ACCUMULATOR(5)) & ACCUMULATOR(5));
}

/* Bytes of a place, of which more may be missing. Return: is all of it written now? */
static bool write_bytes(struct v3dcl_state *s, __u64 word, bool mul)
{
	const struct v3dcl_number unknown = v3dcl_unknown();
	struct v3dcl_places late = { 0, 0 };
	__u64 late_bad = 0;

	return v3dcl_is_in(&s->written, store_half(s, word, mul, &unknown, &late, &late_bad));
}

/* Whose condition says whether flags are set? HW: an add that is no nop keeps the flags to itself, and so does a load. */
static __u32 condition_of_flags(__u64 word)
{
	return is_load(word) || get_op_add(word) ? get_cond_add(word) : get_cond_mul(word);
}

/**
 * v3dcl_look_at() - an instruction of which nothing is followed, and at which something has to be looked at
 * @p: the analysis
 * @v: what holds before it
 * @f: what it does, to which there is no objection
 * @bad: traits that it may not have
 * @late_bad: of struct v3dcl_state, if it still counts
 * Return: false when it is left to others, and nothing has changed
 */
bool v3dcl_look_at(struct v3dcl_prover *p, struct v3dcl_view *v, struct v3dcl_facts *f, __u64 bad, __u64 late_bad)
{
	struct v3dcl_state *s = p->s;
	const __u32 signal = f->flags >> 60;

	if (!may_happen(p, v, f) || !is_good(p, v, f, late_bad) ||
	    (f->traits & TMU && (f->unusual || !request(p, v, f, bad))) || (f->unusual && !v3dcl_write_part(p, v, f)))
		return false;
	if (f->traits & LOADS)
		s->tmu[signal - V3D_QPU_SIG_LOAD_TMU0]--;
	if (f->traits & SFU) {
		v3dcl_give(s, ACCUMULATOR(4));
		f->traits &= ~ACCUMULATOR(4);
		v->busy = SFU | LOADS;
		v->seen &= ~ACCUMULATOR(4);
	}
	return true;
}

/* The place of which a pack writes some bytes: the mul ALU's packs are for its result, file A's for what goes there. */
static struct v3dcl_places packed_place(__u64 word)
{
	struct v3dcl_places place = v3dcl_result_of(word, get_pm(word) || get_ws(word));

	if (!get_pm(word))
		place.rest = 0;
	return place;
}

/**
 * v3dcl_write_part() - results under conditions, or packed, and the flags
 * @p: the analysis
 * @v: what holds before it
 * @f: what it does; what it does not write in full is taken from it
 * Return: false when it is left to others, and nothing has changed
 */
bool v3dcl_write_part(struct v3dcl_prover *p, const struct v3dcl_view *v, struct v3dcl_facts *f)
{
	const struct v3dcl_places none = { 0, 0 };
	const struct v3dcl_places add = differs(f, false) ? v3dcl_result_of(f->flags, false) : none;
	const struct v3dcl_places mul = differs(f, true) ? v3dcl_result_of(f->flags, true) : none;
	struct v3dcl_places bytes = get_pack(f->flags) ? packed_place(f->flags) : none;
	struct v3dcl_state *s = p->s;
	const struct v3dcl_places written = { s->written.files | v->visible | v->late, s->written.rest | v->seen };
	__u64 files, rest;

	/* Of what is written in full a pack leaves that. */
	bytes.files &= ~written.files;
	bytes.rest &= ~written.rest;
	files = (add.files | mul.files) & ~bytes.files;
	rest = (add.rest | mul.rest) & ~bytes.rest;
	if (packs_badly(f->flags) || !may_happen(p, v, f) || (files & s->held.files & ~written.files) |
	    (rest & s->held.rest & ~written.rest))
		return false;
	s->partly.files |= files;
	s->partly.rest |= rest;
	s->held.files &= ~files;
	s->held.rest &= ~rest;
	p->touched |= f->files;
	f->files &= ~(files | bytes.files);
	rest |= bytes.rest;
	if (bytes.files | bytes.rest && write_bytes(s, f->flags, get_pm(f->flags) || get_ws(f->flags))) {
		/* A register has not been written before, for who reads it next. */
		s->written.files &= ~bytes.files;
		f->files |= bytes.files;
		rest &= ~bytes.rest;
	}
	f->traits &= ~rest | given(f);
	if (get_sf(f->flags))
		set_flags(s, condition_of_flags(f->flags));
	f->flags = 0;
	return true;
}

/**
 * v3dcl_store_values() - a quiet instruction with results of which something may be known, or that write some bytes of a place
 * @p: before it
 * @f: what it does, to which there is no objection
 * Return: false when it is not quiet, and nothing has changed
 */
bool v3dcl_store_values(struct v3dcl_prover *p, const struct v3dcl_facts *f)
{
	const struct v3dcl_view v = v3dcl_enter(p->s);
	struct v3dcl_state *s = p->s;
	const __u64 word = f->flags;
	struct known known;

	known.some = 0;
	if (packs_badly(word) || !may_happen(p, &v, f) || !is_good(p, &v, f, s->late_bad) ||
	    (v3dcl_is_followed(p, p->at) && !results(p, word, &known)))
		return false;
	store_both(s, word, f->uses & USE(OF_ADD), f->uses & USE(OF_MUL), &known);
	v3dcl_give(s, given(f));
	if (get_sf(word))
		set_flags(s, condition_of_flags(word));
	s->sfu_left = f->traits & SFU ? 2 : s->sfu_left - (s->sfu_left != 0);
	if (f->traits & LOADS)
		s->tmu[(word >> 60) - V3D_QPU_SIG_LOAD_TMU0]--;
	p->touched |= f->files;
	p->traits |= f->traits;
	s->cursor += f->traits / UNIFORM & 1;
	s->varyings += f->traits / VARYING & 1;
	return true;
}

/**
 * v3dcl_branch_quietly() - a branch, which v3dcl_find_flow() has looked at
 * @p: the analysis
 * @flags: of struct v3dcl_view, before it
 * @at: where it stands
 * Return: false when it is left to others: none may be where nobody has looked for any, nor behind a thread switch
 */
bool v3dcl_branch_quietly(struct v3dcl_prover *p, __u64 flags, __s32 at)
{
	const __u64 word = p->code[at];

	if (p->straight || at - p->switch_at <= V3D_QPU_END_SLOTS ||
	    !(get_cond_br(word) == V3D_QPU_BRANCH_ALWAYS || get_sf(flags) || p->s->flags & V3DCL_ALL_BYTES))
		return false;
	v3dcl_note_branch(p, at, word);
	return true;
}

/* An instruction that adds a constant to a uniform, for the uniforms address, and does nothing else */
#define RESET_FIELDS \
	(ALL_SIGNAL | all_unpack() | all_pm() | all_pack() | all_cond_add() | all_sf() | all_ws() | all_waddr_add() | \
	 all_waddr_mul() | all_op_mul() | all_op_add())
#define RESET_VALUES \
	(NO_SIGNAL | put_cond_add(V3D_QPU_COND_ALWAYS) | put_waddr_add(V3D_QPU_W_UNIFORMS_ADDRESS) | \
	 put_waddr_mul(V3D_QPU_W_NOP) | put_op_add(V3D_QPU_ADD_ADD))

/**
 * v3dcl_reset_quietly() - set the address of a shader's uniforms, Mesa's way
 * @p: before an instruction
 * Return: false when it does something else, or something is to be refused, and nothing has changed
 *
 * The load that v3dcl_constant_beside() finds has written what is added: nobody need look whether it may be read.
 */
bool v3dcl_reset_quietly(struct v3dcl_prover *p)
{
	const __u64 word = p->code[p->at];
	const __u32 a = get_raddr_a(word), b = get_raddr_b(word), other = a == V3D_QPU_R_UNIFORM ? b : a;
	struct v3dcl_state *s = p->s;
	__u32 constant;

	if ((word & RESET_FIELDS) != RESET_VALUES || (other >= 32 && other != V3D_QPU_R_NOP) || s->reset_left ||
	    p->at - p->branch_at <= V3D_QPU_BRANCH_SLOTS || !v3dcl_constant_beside(p, p->at, &constant) ||
	    !v3dcl_note_reset(p, constant))
		return false;
	p->words++;
	s->cursor = p->reset_to;
	s->late = (struct v3dcl_places){ 0, 0 };
	s->late_bad = 0;
	s->sfu_left -= s->sfu_left != 0;
	s->reset_left = 2;
	return true;
}
