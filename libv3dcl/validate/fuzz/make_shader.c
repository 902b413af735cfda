// SPDX-License-Identifier: MIT
/*
 * Shaders by grammar: what Mesa makes (texture lookups, clamped direct reads, uniforms, varyings,
 * vertices through the VPM), with ALU operations between, and what looks like it.
 */
#include "make.h"

#define WRONG_ONE_IN 6 /* of a frame's three */
#define TMU(which, parameter) QB_IO(V3D_QPU_W_TMU0_S + 4 * (which) + (parameter))

struct shader {
	struct dice *d;
	struct qb b;
	enum make_kind kind;
	uint32_t words;		/* of uniforms, as far as the grammar knows */
	/* that a fragment shader reads, or the others write with the point size */
	uint32_t varyings;
	bool wild;		/* steps that are not quite right, now and then */
};

static bool slip(struct shader *s, uint32_t n)
{
	return s->wild && one_in(s->d, n);
}

static void emit(struct shader *s, struct v3d_qpu_inst inst)
{
	make_emit(&s->b, inst);
}

/* Registers that have a value: coordinates small, one of them different in each lane */
static void begin(struct shader *s)
{
	uint32_t i;

	emit(s, qb_add(V3D_QPU_ADD_ITOF, QB_R0, QB_ELEMENT, QB_R0));
	emit(s, qb_ldi(QB_R2, small_float(s->d)));
	emit(s, qb_mul(V3D_QPU_MUL_FMUL, QB_R0, QB_R0,
		       one_in(s->d, 2) ? QB_R2 : qb_imm_float(-(int)roll(s->d, 8))));
	if (one_in(s->d, 2)) {
		emit(s, qb_mov(QB_R1, QB_UNIF));
		s->words++;
	} else {
		emit(s, qb_mov(QB_R1, QB_R0));
	}
	emit(s, qb_ldi(QB_R3, odd_number(s->d)));
	for (i = 0; i < 4; i++) {
		emit(s, qb_mov(QB_RA(i), QB_R0 + roll(s->d, 4)));
		emit(s, qb_mov(QB_RB(i), QB_R0 + roll(s->d, 4)));
	}
	/* The next fragment's W and Z would arrive there */
	emit(s, qb_mov(QB_RA(14), QB_R0));
	emit(s, qb_mov(QB_RB(14), QB_R1));
	emit(s, qb_flags(qb_mov(QB_NONE, QB_R0)));
}

/* An accumulator cannot be rotated right after it was written. */
static void emit_soup(struct shader *s)
{
	const struct v3d_qpu_inst inst = make_soup(s->d);

	if (inst.kind == V3D_QPU_ALU_SMALL_IMMEDIATE && inst.raddr_b >= V3D_QPU_ROTATE &&
	    !slip(s, 4))
		emit(s, qb_nop());
	emit(s, inst);
}

static void soup(struct shader *s, uint32_t most)
{
	for (uint32_t i = roll(s->d, most + 1); i; i--)
		emit_soup(s);
}

static void load(struct shader *s, uint32_t tmu)
{
	emit(s, qb_signal(V3D_QPU_SIG_LOAD_TMU0 + tmu,
			  one_in(s->d, 2) ? qb_nop() : qb_mov(QB_R2, QB_R1)));
	if (one_in(s->d, 2))
		emit(s, qb_mov(QB_R0 + roll(s->d, 4), QB_R4));
}

static void lookup(struct shader *s)
{
	static const uint8_t orders[][3] = { { 1 }, { 1, 3 }, { 3, 1 }, { 1, 2 },
					     { 2, 1, 3 }, { 1, 2, 3 }, { 2 } };
	static const uint8_t lengths[] = { 1, 2, 2, 2, 3, 3, 1 };
	uint32_t tmu = roll(s->d, 2), order = roll(s->d, 7), i;

	if (one_in(s->d, 3))
		emit(s, qb_ldi(QB_R0 + roll(s->d, 4), small_float(s->d)));
	else if (one_in(s->d, 3))
		make_coordinates(&s->b, s->d);
	for (i = 0; i < lengths[order]; i++) {
		emit(s, qb_mov(TMU(tmu, orders[order][i]), QB_R0 + roll(s->d, 4)));
		s->words++;
	}
	emit(s, qb_mov(TMU(tmu, 0), QB_R0 + roll(s->d, 4)));
	s->words++;
	soup(s, 1);
	load(s, tmu);
}

/* min(max(x, 0), uniform) + uniform, mostly; each step may be changed a little */
static void direct(struct shader *s)
{
	uint16_t x = QB_R0 + roll(s->d, 4), y = one_in(s->d, 3) ? QB_R0 + roll(s->d, 4) : x;
	uint16_t zero = slip(s, 4) ? qb_imm((int)roll(s->d, 4) - 2) : qb_imm(0);
	uint32_t tmu = roll(s->d, 2);
	struct v3d_qpu_inst clamp, read;

	if (one_in(s->d, 2))
		emit(s, qb_ldi(x, odd_number(s->d)));
	else if (one_in(s->d, 2))
		emit(s, qb_add(V3D_QPU_ADD_SHL, x, QB_ELEMENT, qb_imm(roll(s->d, 12))));
	emit(s, qb_add(slip(s, 4) ? V3D_QPU_ADD_MIN : V3D_QPU_ADD_MAX, y,
		       one_in(s->d, 2) ? x : zero, zero));
	if (slip(s, 4))
		soup(s, 2);
	else
		emit(s, qb_add(V3D_QPU_ADD_MAX, y, x, zero));
	clamp = qb_add(slip(s, 4) ? V3D_QPU_ADD_MAX : V3D_QPU_ADD_MIN, x, y, QB_UNIF);
	if (slip(s, 4))
		clamp.cond_add = roll(s->d, 8);
	emit(s, clamp);
	if (slip(s, 4))
		soup(s, 2);
	read = qb_add(slip(s, 6) ? V3D_QPU_ADD_SUB : V3D_QPU_ADD_ADD, TMU(tmu, 0), x, QB_UNIF);
	/* the address to a register, too */
	emit(s, one_in(s->d, 32) ? qb_both(read, qb_mul_mov(QB_R2, QB_UNIF)) : read);
	s->words += 2;
	load(s, tmu);
}

static void reset(struct shader *s)
{
	emit(s, qb_ldi(QB_R3, (s->words + 1) * 4));
	emit(s, qb_add(V3D_QPU_ADD_ADD, QB_UNIF_ADDR, QB_R3, QB_UNIF));
	s->words++;
	make_emit(&s->b, qb_nop());
	make_emit(&s->b, qb_nop());
}

/* An if, or a loop that ends when its counter does */
static void branch(struct shader *s)
{
	static const uint8_t conditions[] = { V3D_QPU_BRANCH_ALL_ZS, V3D_QPU_BRANCH_ANY_ZC,
					      V3D_QPU_BRANCH_ANY_NS, V3D_QPU_BRANCH_ALL_CC,
					      V3D_QPU_BRANCH_ALWAYS };
	uint32_t at, i;
	bool back = one_in(s->d, 4);

	if (s->b.count + 40 > s->b.capacity)
		return;
	if (back && !one_in(s->d, 64))
		emit(s, qb_ldi(QB_R1, 1 + roll(s->d, 4)));
	at = s->b.count;
	if (back)
		reset(s);
	else
		qb_branch_to(&s->b, conditions[roll(s->d, sizeof(conditions))], 0);
	for (i = 0; i < 3; i++)
		emit(s, one_in(s->d, 4) ? make_soup(s->d) : qb_nop());
	if (one_in(s->d, 2))
		emit(s, qb_mov(QB_R0 + roll(s->d, 4), QB_R1));
	soup(s, 3);
	/* A number on one path, the stream's address on the other */
	if (!back && one_in(s->d, 16)) {
		emit(s, qb_mov(QB_R1, QB_UNIF));
		s->words++;
	}
	if (back) {
		emit(s, qb_flags(qb_add(V3D_QPU_ADD_SUB, QB_R1, QB_R1, qb_imm(1))));
		qb_branch_to(&s->b, V3D_QPU_BRANCH_ANY_ZC, at);
		for (i = 0; i < 3; i++)
			qb_emit(&s->b, qb_nop());
	} else {
		qb_patch(&s->b, at, s->b.count + (slip(s, 6) ? roll(s->d, 4) : 0));
	}
	if (!slip(s, 4))
		reset(s);
}

/* The accumulators are another thread's until they are written */
static void thread_switch(struct shader *s)
{
	emit(s, qb_signal(V3D_QPU_SIG_THREAD_SWITCH, qb_nop()));
	emit(s, qb_nop());
	emit(s, qb_nop());
	for (uint32_t i = 0; i < 4; i++)
		emit(s, qb_mov(QB_R0 + i, QB_RA(i)));
}

/* Of two values, or three */
static void request_texel(struct shader *s, uint32_t tmu, bool bias)
{
	if (bias) {
		emit(s, qb_mov(TMU(tmu, 3), QB_R0));
		s->words++;
	}
	emit(s, qb_mov(TMU(tmu, 1), QB_R0));
	emit(s, qb_mov(TMU(tmu, 0), QB_R0));
	s->words += 2;
}

/*
 * Something else in the slots of a switch, a register that both threads have, a result that is
 * loaded after two switches
 */
static void wrong_switch(struct shader *s)
{
	const uint32_t kind = roll(s->d, 6), n = 16 + roll(s->d, 16), tmu = roll(s->d, 2);
	const uint32_t requests = 2 + roll(s->d, 2);

	if (kind == 2)
		emit(s, qb_mov(QB_RA(n), QB_R0));
	if (kind == 3)
		request_texel(s, tmu, false);
	/* More than a thread's half of what a TMU keeps */
	for (uint32_t i = 0; kind == 4 && i < requests; i++)
		request_texel(s, tmu, requests == 2);
	if (kind < 2)
		emit(s, qb_signal(V3D_QPU_SIG_THREAD_SWITCH, qb_nop()));
	if (kind == 1)
		qb_branch_to(&s->b, V3D_QPU_BRANCH_ALWAYS, s->b.count + 4);
	if (kind == 1)
		for (uint32_t i = 0; i < V3D_QPU_BRANCH_SLOTS; i++)
			emit(s, qb_nop());
	if (kind == 5)	/* in the first slot of a branch, which ends with the other two */
		qb_branch_to(&s->b, V3D_QPU_BRANCH_ALWAYS, s->b.count + 4);
	thread_switch(s);
	if (kind == 2)
		emit(s, qb_mov(QB_R0, QB_RA(n)));
	for (uint32_t i = 0; kind == 4 && i < requests; i++)
		emit(s, qb_signal(V3D_QPU_SIG_LOAD_TMU0 + tmu, qb_nop()));
	if (kind != 3)
		return;
	thread_switch(s);
	emit(s, qb_signal(V3D_QPU_SIG_LOAD_TMU0 + tmu, qb_nop()));
}

static void emit_varying(struct shader *s)
{
	if (one_in(s->d, 2))
		emit(s, qb_mul(V3D_QPU_MUL_FMUL, QB_R0, QB_RA(15), QB_RB(V3D_QPU_R_VARYING)));
	else
		emit(s, qb_mul(V3D_QPU_MUL_FMUL, QB_R0, QB_RB(0), QB_RA(V3D_QPU_R_VARYING)));
	emit(s, qb_add(V3D_QPU_ADD_FADD, QB_R0, QB_R0, QB_R5));
}

static void fragment_extra(struct shader *s)
{
	switch (roll(s->d, 5)) {
	case 0:
		if (slip(s, 2))
			emit_varying(s);
		break;
	case 1:
		emit(s, qb_signal(V3D_QPU_SIG_LOAD_COLOR, qb_nop()));
		emit(s, qb_mov(QB_R2, QB_R4));
		break;
	case 2:
		emit(s, qb_add(V3D_QPU_ADD_ITOF, QB_R1, QB_RA(V3D_QPU_R_PIXEL_COORD), QB_R0));
		break;
	case 3:
		(one_in(s->d, 2) ? wrong_switch : thread_switch)(s);
		break;
	default:
		emit(s, qb_mov(QB_IO(V3D_QPU_W_TLB_STENCIL_SETUP), QB_R0));
		break;
	}
}

/* What is not just a uniform, or a uniform for two set-ups */
static struct v3d_qpu_inst wrong_set_up(struct shader *s, uint16_t where)
{
	const uint16_t other = where == QB_VR_SETUP ? QB_VW_SETUP : QB_VR_SETUP;

	switch (roll(s->d, 7)) {
	case 0:
		return qb_add(V3D_QPU_ADD_ADD, where, QB_UNIF, qb_imm((int)roll(s->d, 3)));
	case 1:
		return qb_if(V3D_QPU_COND_ZS, qb_mov(where, QB_UNIF));
	case 2:
		return qb_both(qb_mov(where, QB_R0 + roll(s->d, 4)), qb_mul_mov(QB_R2, QB_UNIF));
	case 3:
		return qb_pack(3, true, qb_mul_mov(where, QB_UNIF));
	case 4:
		return qb_both(qb_mov(where, QB_UNIF), qb_mul_mov(other, QB_UNIF));
	case 5:
		return qb_both(qb_mov(where, QB_UNIF), qb_mul_mov(other, QB_R0 + roll(s->d, 4)));
	default:
		return qb_mul(V3D_QPU_MUL_V8MIN, where, QB_UNIF, QB_R0);
	}
}

/* A set-up of the VPM by the next uniform: which word it has to be the checker says */
static void set_up(struct shader *s, uint16_t where, bool wrong)
{
	emit(s, wrong		  ? wrong_set_up(s, where) :
		one_in(s->d, 4) ? qb_mul_mov(where, QB_UNIF) :
				  qb_mov(where, QB_UNIF));
	s->words++;
}

/* A word of the code for a set-up, which a packer makes another one where that is to be wrong */
static struct v3d_qpu_inst set_up_word(struct shader *s, uint16_t where, uint32_t word)
{
	const struct v3d_qpu_inst load = qb_ldi(where, word);

	return slip(s, 6) ? qb_pack(1 + roll(s->d, 15), one_in(s->d, 4), load) : load;
}

static void vertex_extra(struct shader *s)
{
	const struct v3d_vpm_read_setup setup = { .address = roll(s->d, slip(s, 4) ? 64 : 8),
						  .size = V3D_VPM_32BIT,
						  .horizontal = 1,
						  .stride = 1,
						  .number = 1 + roll(s->d, 3) };
	const uint32_t unread = slip(s, 8);
	uint32_t n;

	if (one_in(s->d, 2))
		set_up(s, QB_VR_SETUP, slip(s, 3));
	else
		emit(s, set_up_word(s, QB_VR_SETUP, v3d_word_vpm_read_setup(&setup)));
	for (n = 0; n < 3; n++)
		emit(s, qb_nop());
	for (n = unread; n < setup.number; n++)
		emit(s, qb_mov(QB_R0 + roll(s->d, 4), QB_VPM_READ));
}

/* A value less than it asks for is read, or one more; set-ups from uniforms, too many or wrong */
static void wrong_vertex(struct shader *s)
{
	const uint32_t number = 1 + roll(s->d, 3);

	if (one_in(s->d, 4)) {
		for (uint32_t i = V3DCL_MAX_SETUPS - 2 + roll(s->d, 32); i; i--)
			set_up(s, QB_VW_SETUP, false);
		return;
	}
	if (one_in(s->d, 2)) {
		set_up(s, QB_VR_SETUP, true);
		for (uint32_t i = 0; i < number; i++)
			emit(s, qb_mov(QB_R0, QB_VPM_READ));
		return;
	}
	emit(s, qb_ldi(QB_VR_SETUP, qb_word_vpm_read(roll(s->d, 4), number)));
	for (uint32_t i = 0; i < 3; i++)
		emit(s, qb_nop());
	for (uint32_t i = one_in(s->d, 2) ? 1 : number + 1; i; i--)
		emit(s, qb_mov(QB_R0, QB_VPM_READ));
}

static void fragment_end(struct shader *s)
{
	if (one_in(s->d, 2))
		emit(s, qb_signal(V3D_QPU_SIG_WAIT_SCOREBOARD, qb_nop()));
	if (one_in(s->d, 3))
		emit(s, qb_mov(QB_IO(V3D_QPU_W_TLB_Z), QB_RB(15)));
	if (!one_in(s->d, 8))
		emit(s, qb_mov(QB_IO(V3D_QPU_W_TLB_COLOUR_ALL), QB_R0 + roll(s->d, 4)));
}

/*
 * AG100 Figures 10 and 11: clip coordinates for binning, then screen coordinates, depth, 1/w and
 * varyings
 */
static void vertex_end(struct shader *s)
{
	uint32_t i;

	const bool by_uniform = one_in(s->d, 2);

	if (by_uniform)
		set_up(s, QB_VW_SETUP, slip(s, 3));
	else
		emit(s, set_up_word(s, QB_VW_SETUP, qb_word_vpm_write(0)));
	if (s->kind == MAKE_COORDINATE) {
		for (i = 0; i < 3; i++)
			emit(s, qb_mov(QB_VPM_WRITE, QB_R0 + i % 2));
		emit(s, qb_mov(QB_VPM_WRITE, qb_imm_float(0)));
	}
	emit(s, qb_ldi(QB_R3, 0x07ff07ff));
	emit(s, qb_ldi(QB_R2, dice_word(s->d)));
	emit(s, qb_mul(V3D_QPU_MUL_MUL24, QB_R2, QB_R2, QB_ELEMENT));
	if (by_uniform && one_in(s->d, 4))
		set_up(s, QB_VW_SETUP, false);
	emit(s, qb_add(V3D_QPU_ADD_AND, QB_VPM_WRITE, QB_R2, QB_R3));
	if (slip(s, 6))
		emit(s, qb_pack(3 + roll(s->d, 5), true, qb_mul_mov(QB_VPM_WRITE, QB_R0)));
	else
		emit(s, qb_mov(QB_VPM_WRITE, qb_imm_float(-1)));
	emit(s, qb_mov(QB_VPM_WRITE, qb_imm_float(0)));
	/* a point size, varyings */
	for (i = s->varyings + slip(s, 8); i; i--)
		emit(s, qb_mov(QB_VPM_WRITE, QB_R0 + roll(s->d, 4)));
	emit(s, qb_nop());
}

uint32_t make_frame_shader(struct dice *d, enum make_kind kind, bool wild, uint32_t varyings,
			   uint64_t *code)
{
	struct shader s = { .d = d, .kind = kind, .wild = wild, .varyings = varyings };
	const uint32_t wrong = wild ? 4 : roll(d, WRONG_ONE_IN * 4);
	uint32_t i, count;

	qb_init(&s.b, code, MAKE_CODE - 8);
	begin(&s);
	if (wrong == 1)
		make_wrong(&s.b, d);
	for (i = kind == MAKE_FRAGMENT ? varyings : 0; i; i--)
		emit_varying(&s);
	for (i = roll(d, 6); i; i--) {
		switch (roll(d, 8)) {
		case 0:
			branch(&s);
			break;
		case 1:
		case 2:
			lookup(&s);
			break;
		case 3:
		case 4:
			direct(&s);
			break;
		case 5:
			emit(&s, qb_mov(QB_R0 + roll(d, 4), QB_UNIF));
			s.words++;
			break;
		case 6:
			soup(&s, 4);
			break;
		default:
			(kind == MAKE_FRAGMENT ? fragment_extra : vertex_extra)(&s);
			break;
		}
	}
	if (wrong == 2 && one_in(d, 4))
		kind == MAKE_FRAGMENT ? make_varying_on_path(&s.b, d) : wrong_vertex(&s);
	else if (wrong == 2)
		make_wrong(&s.b, d);
	(kind == MAKE_FRAGMENT ? fragment_end : vertex_end)(&s);
	s.b.capacity = MAKE_CODE;
	qb_end(&s.b);
	if (wrong == 3)
		make_wrong_end(&s.b, d);
	count = s.b.count;
	for (i = wild ? 1 + roll(d, 3) : 0; i; i--)
		count = make_mutant(d, code, count);
	return count;
}

uint32_t make_shader(struct dice *d, enum make_kind kind, bool wild, uint64_t *code)
{
	return make_frame_shader(d, kind, wild, roll(d, 5), code);
}
