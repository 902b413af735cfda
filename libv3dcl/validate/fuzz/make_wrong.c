// SPDX-License-Identifier: MIT
/*
 * One wrong thing in a program that is right otherwise: each of these breaks one rule, so that a
 * checker without that rule accepts the program. What only one of them breaks is not found by
 * changing many things at once.
 */
#include "program.h"

#define TMU_S(which) QB_IO(V3D_QPU_W_TMU0_S + 4 * (which))
#define SIG_SHIFT 60
#define UNPACK_SHIFT 57

static void emit(struct qb *b, struct v3d_qpu_inst inst)
{
	make_emit(b, inst);
}

/* What makes code of any kind wrong */

static void sfu_soon(struct qb *b, struct dice *d)
{
	emit(b, qb_mov(QB_RECIP, QB_R1));
	if (one_in(d, 2))
		emit(b, qb_nop());
	switch (roll(d, 3)) {
	case 0:
		emit(b, qb_mov(QB_R2, QB_R4));
		break;
	case 1:
		emit(b, qb_mov(QB_RECIP, QB_R2));
		break;
	default:
		emit(b, qb_signal(V3D_QPU_SIG_LOAD_COLOR, qb_nop()));
		break;
	}
	emit(b, qb_nop());
	emit(b, qb_nop());
}

static void rotate_soon(struct qb *b, struct dice *d)
{
	if (one_in(d, 2)) {
		emit(b, qb_mov(QB_R0, QB_R1));
		emit(b, qb_rotate(QB_R1, QB_R0, 1 + roll(d, 15)));
	} else {
		emit(b, qb_mov(QB_R5REP, QB_R1));
		emit(b, qb_rotate(QB_R1, QB_R2, 0));
	}
}

static void reserved_pack(struct qb *b, struct dice *d)
{
	static const uint8_t modes[] = { 1, 2, 8, 9, 15 };

	emit(b, qb_pack(modes[roll(d, sizeof(modes))], true,
			qb_mul(V3D_QPU_MUL_FMUL, QB_R1, QB_R1, QB_R2)));
}

static void reserved_op(struct qb *b, struct dice *d)
{
	static const uint8_t ops[] = { 9, 10, 11, 25, 26, 27, 28, 29 };
	struct v3d_qpu_inst inst = qb_add(V3D_QPU_ADD_ADD, QB_R1, QB_R1, QB_R2);

	inst.op_add = ops[roll(d, sizeof(ops))];
	emit(b, inst);
}

static void reserved_load(struct qb *b, struct dice *d)
{
	static const uint8_t kinds[] = { 2, 5, 6, 7 };

	emit(b, qb_ldi(QB_R1, 1));
	b->code[b->count - 1] |= (uint64_t)kinds[roll(d, sizeof(kinds))] << UNPACK_SHIFT;
}

static void other_signal(struct qb *b, struct dice *d)
{
	emit(b, qb_nop());
	b->code[b->count - 1] &= ~(UINT64_C(15) << SIG_SHIFT);
	b->code[b->count - 1] |= (uint64_t)roll(d, 13) << SIG_SHIFT;
	emit(b, qb_nop());
	emit(b, qb_nop());
}

static void read_anything(struct qb *b, struct dice *d)
{
	const uint32_t address = 33 + roll(d, 31);

	emit(b, qb_mov(QB_R1, one_in(d, 2) ? QB_RA(address) : QB_RB(address)));
}

static void write_anything(struct qb *b, struct dice *d)
{
	const uint32_t address = 36 + roll(d, 28);

	emit(b, qb_mov(one_in(d, 2) ? QB_RA(address) : QB_RB(address), QB_R1));
	emit(b, qb_nop());
	emit(b, qb_nop());
}

/* An operation that does nothing names a register */
static void idle_write(struct qb *b, struct dice *d)
{
	struct v3d_qpu_inst inst = qb_mov(QB_IO(36 + roll(d, 28)), QB_R1);

	if (one_in(d, 2) && inst.kind != QB_BAD)
		inst.op_add = V3D_QPU_ADD_NOP;
	else
		inst = qb_if(V3D_QPU_COND_NEVER, inst);
	emit(b, inst);
}

static struct v3d_qpu_inst some_branch(struct dice *d, int32_t offset)
{
	return qb_branch(one_in(d, 2) ? V3D_QPU_BRANCH_ALWAYS : V3D_QPU_BRANCH_ANY_ZC, true, offset,
			 QB_NONE);
}

static void wrong_branch(struct qb *b, struct dice *d)
{
	struct v3d_qpu_inst inst = some_branch(d, 0);

	switch (roll(d, 6)) {
	case 0:
		inst.cond_br = 8 + roll(d, 7);
		break;
	case 1:
		inst.reg = 1;
		break;
	case 2:
		inst.rel = 0;
		inst.immediate = 8 * roll(d, 16);
		break;
	case 3:
		inst.waddr_add = roll(d, 64);
		break;
	case 4:
		inst.immediate = one_in(d, 2) ? 8 * roll(d, 1024) : -(8 * roll(d, 1024));
		break;
	default:
		inst.immediate = 1 + roll(d, 7);
		break;
	}
	emit(b, inst);
	for (uint32_t i = 0; i < V3D_QPU_BRANCH_SLOTS; i++)
		emit(b, qb_nop());
}

/* Something in delay slots that must not be there, or a branch into them */
static void wrong_slots(struct qb *b, struct dice *d)
{
	static const uint8_t signals[] = { V3D_QPU_SIG_THREAD_SWITCH, V3D_QPU_SIG_PROGRAM_END,
					   V3D_QPU_SIG_LAST_THREAD_SWITCH };
	const uint32_t kind = roll(d, 4), slot = roll(d, V3D_QPU_BRANCH_SLOTS);

	if (kind == 3)
		emit(b, qb_signal(signals[roll(d, sizeof(signals))], qb_nop()));
	else
		emit(b, some_branch(d, kind ? 0 : 8 * (int)slot));
	for (uint32_t i = 0; i < 2 * V3D_QPU_BRANCH_SLOTS; i++) {
		if (i != slot || !kind)
			emit(b, qb_nop());
		else if (one_in(d, 2))
			emit(b, some_branch(d, 0));
		else
			emit(b, qb_signal(signals[roll(d, sizeof(signals))], qb_nop()));
	}
}

static void two_peripherals(struct qb *b, struct dice *d)
{
	if (one_in(d, 2)) {
		emit(b, qb_mov(QB_RECIP, QB_MUTEX_ACQUIRE));
		emit(b, qb_nop());
		emit(b, qb_nop());
		emit(b, qb_mov(QB_MUTEX_RELEASE, QB_R0));
	} else {
		emit(b, qb_both(qb_mov(QB_RECIP, QB_R1), qb_mul_mov(QB_LOG, QB_R2)));
		emit(b, qb_nop());
		emit(b, qb_nop());
	}
}

static void load_nothing(struct qb *b, struct dice *d)
{
	emit(b, qb_signal(V3D_QPU_SIG_LOAD_TMU0 + roll(d, 2), qb_nop()));
}

/* The address of the stream, in ways that are not followed */
static void wrong_address(struct qb *b, struct dice *d)
{
	static const uint8_t ops[] = { V3D_QPU_ADD_SUB, V3D_QPU_ADD_OR, V3D_QPU_ADD_XOR };
	struct v3d_qpu_inst inst = qb_add(ops[roll(d, sizeof(ops))], QB_UNIF_ADDR, QB_R1, QB_R2);

	switch (roll(d, 4)) {
	case 0:
		inst = qb_mov(QB_RB(V3D_QPU_W_UNIFORMS_ADDRESS), QB_R1);
		break;
	case 1:
		inst = qb_mov(QB_UNIF_ADDR, QB_R1);
		break;
	case 2:
		inst = qb_ldi(QB_UNIF_ADDR, odd_number(d));
		break;
	default:
		break;
	}
	emit(b, inst);
	emit(b, qb_nop());
	emit(b, qb_nop());
}

static void semaphore(struct qb *b, struct dice *d)
{
	const uint32_t n = roll(d, 16);
	struct v3d_qpu_inst inst = one_in(d, 4) ? qb_sema_down(n) : qb_sema_up(n);

	if (one_in(d, 2)) {
		inst.waddr_mul = 36 + roll(d, 28);
		inst.cond_mul = V3D_QPU_COND_ALWAYS;
	}
	emit(b, inst);
	if (one_in(d, 2))
		emit(b, qb_sema_down(n));
}

uint32_t program_begin_path(struct qb *b, struct dice *d)
{
	const uint32_t at = b->count + 1;

	emit(b, qb_flags(qb_mov(QB_NONE, QB_ELEMENT)));
	qb_branch_to(b, one_in(d, 2) ? V3D_QPU_BRANCH_ANY_ZC : V3D_QPU_BRANCH_ALL_ZS, at);
	for (uint32_t i = 0; i < V3D_QPU_BRANCH_SLOTS; i++)
		emit(b, qb_nop());
	return at;
}

void program_end_path(struct qb *b, uint32_t at)
{
	emit(b, qb_nop());
	qb_patch(b, at, b->count);
}

void make_varying_on_path(struct qb *b, struct dice *d)
{
	const uint32_t at = program_begin_path(b, d);

	emit(b, qb_mul(V3D_QPU_MUL_FMUL, QB_R0, QB_RB(0), QB_RA(V3D_QPU_R_VARYING)));
	program_end_path(b, at);
}

static void (*const any[])(struct qb *, struct dice *) = {
	sfu_soon,     rotate_soon,     reserved_pack,  reserved_op,   reserved_load,
	other_signal, read_anything,   write_anything, idle_write,    wrong_branch,
	wrong_slots,  two_peripherals, load_nothing,   wrong_address, semaphore,
	make_varying_on_path,
};

void make_wrong(struct qb *b, struct dice *d)
{
	any[roll(d, sizeof(any) / sizeof(any[0]))](b, d);
}

/* Code that ends with its program end and two delay slots: something in these last three */
void make_wrong_end(struct qb *b, struct dice *d)
{
	static const uint16_t written[] = { QB_RA(14),	 QB_RB(14),   QB_RA(3),	  QB_VPM_WRITE,
					    QB_VR_SETUP, QB_VW_SETUP, QB_HOST_INT };
	static const uint16_t read[] = { QB_UNIF, QB_RA(14), QB_VPM_READ, QB_VDW_WAIT,
					 QB_RA(V3D_QPU_R_VARYING) };
	struct v3d_qpu_inst inst = one_in(d, 2) ? qb_mov(written[roll(d, 7)], QB_R0) :
						  qb_mov(QB_R0, read[roll(d, 5)]);
	uint32_t at;

	if (b->count < 3 || inst.kind == QB_BAD)
		return;
	at = b->count - 1 - roll(d, 3);
	if (at == b->count - 3)
		inst.sig = V3D_QPU_SIG_PROGRAM_END;
	b->code[at] = v3d_qpu_encode(&inst);
}

/* What makes user programs wrong */

uint16_t program_uniform(struct program *p, enum role role)
{
	if (p->words < PROGRAM_WORDS)
		p->roles[p->words++] = role;
	return QB_UNIF;
}

static uint16_t uniform(struct program *p, enum role role)
{
	return program_uniform(p, role);
}

static void request(struct program *p, uint32_t tmu, uint16_t offset)
{
	emit(&p->b, qb_add(V3D_QPU_ADD_ADD, TMU_S(tmu), offset, uniform(p, ROLE_READ)));
}

static void load(struct program *p, uint32_t tmu)
{
	emit(&p->b, qb_signal(V3D_QPU_SIG_LOAD_TMU0 + tmu, qb_nop()));
}

void program_show(struct program *p, uint16_t value)
{
	emit(&p->b, qb_mov(QB_R0, value));
	emit(&p->b, qb_add(V3D_QPU_ADD_AND, QB_R0, QB_R0, uniform(p, ROLE_LIMIT)));
	request(p, 0, QB_R0);
	load(p, 0);
}

static void too_many_requests(struct program *p)
{
	const uint32_t tmu = roll(p->d, 2), count = 5 + roll(p->d, 5);

	emit(&p->b, qb_ldi(QB_R0, 4 * roll(p->d, 8)));
	for (uint32_t i = 0; i < count; i++)
		request(p, tmu, QB_R0);
	for (uint32_t i = 0; i < count; i++)
		load(p, tmu);
}

static void request_left(struct program *p)
{
	const uint32_t tmu = roll(p->d, 2);

	emit(&p->b, qb_ldi(QB_R0, 4 * roll(p->d, 8)));
	request(p, tmu, QB_R0);
}

/* A lookup's parameters: one twice, none submitted, two at once, a uniform beside it */
static void wrong_lookup(struct program *p)
{
	const uint32_t tmu = roll(p->d, 2), kind = roll(p->d, 5);
	const uint16_t t = TMU_S(tmu) + 1;

	if (kind == 4) {	/* all of it at once */
		emit(&p->b, qb_both(qb_mov(t, QB_R1), qb_mul_mov(TMU_S(tmu), QB_R2)));
		(void)uniform(p, ROLE_TEXTURE0);
		(void)uniform(p, ROLE_TEXTURE1);
		load(p, tmu);
		return;
	}
	emit(&p->b, qb_mov(kind == 3 ? QB_IO((t & 63) + roll(p->d, 3)) : t, QB_R1));
	(void)uniform(p, ROLE_TEXTURE0);
	if (kind == 0)
		emit(&p->b, qb_mov(t, QB_R2));
	if (kind == 1)
		return;
	if (kind == 2)
		emit(&p->b, qb_mov(TMU_S(tmu), uniform(p, ROLE_NUMBER)));
	else
		emit(&p->b, qb_mov(TMU_S(tmu), QB_R2));
	(void)uniform(p, ROLE_TEXTURE1);
	load(p, tmu);
}

static void undefined(struct program *p)
{
	program_show(p, one_in(p->d, 2) ? QB_RA(16 + roll(p->d, 15)) : QB_RB(8 + roll(p->d, 23)));
}

/* Written in some lanes, or in some of its bytes, only; or just now */
static void half_defined(struct program *p)
{
	const uint32_t n = 16 + roll(p->d, 14), kind = roll(p->d, 3);
	struct v3d_qpu_inst inst = qb_mov(QB_RA(n), QB_R1);

	if (kind == 0)
		inst = qb_if(V3D_QPU_COND_ZS + roll(p->d, 4), inst);
	else if (kind == 1)
		inst = qb_pack(1 + roll(p->d, 7), false, inst);
	emit(&p->b, inst);
	if (kind != 2)
		emit(&p->b, qb_nop());
	program_show(p, QB_RA(n));
}

/* Said by flags that no instruction has set, where this comes before all others */
static void flags_early(struct program *p)
{
	emit(&p->b, qb_ldi(QB_R0, 0));
	emit(&p->b, qb_if(V3D_QPU_COND_ZS + roll(p->d, 6), qb_ldi(QB_R0, 4 * (1 + roll(p->d, 8)))));
	request(p, 0, QB_R0);
	load(p, 0);
}

static void vpm_read(struct program *p, uint32_t waits, uint32_t number, uint32_t reads)
{
	emit(&p->b, qb_ldi(QB_VR_SETUP, qb_word_vpm_read(roll(p->d, 32), number)));
	for (uint32_t i = 0; i < waits; i++)
		emit(&p->b, qb_nop());
	for (uint32_t i = 0; i < reads; i++)
		emit(&p->b, qb_mov(QB_R1, QB_VPM_READ));
}

static void vpm_early(struct program *p)
{
	vpm_read(p, roll(p->d, 3), 1, 1);
}

static void vpm_left(struct program *p)
{
	vpm_read(p, 3, 2 + roll(p->d, 3), 1 + roll(p->d, 2));
	if (one_in(p->d, 2))
		vpm_read(p, 3, 1, 1);
}

static void vpm_nothing(struct program *p)
{
	if (one_in(p->d, 2))
		vpm_read(p, 3, 1, 2);
	else
		emit(&p->b, qb_mov(QB_R1, QB_VPM_READ));
}

/* No set-up before, or none that says how far rows are apart */
static void no_setup(struct program *p)
{
	const bool store = one_in(p->d, 2);

	if (one_in(p->d, 3)) {
		emit(&p->b, qb_mov(QB_VPM_WRITE, QB_R1));
		return;
	}
	if (one_in(p->d, 2))
		emit(&p->b, qb_ldi(store ? QB_VW_SETUP : QB_VR_SETUP,
				   store ? qb_word_vdw(0, 1 + roll(p->d, 16)) :
					   0x80010000 | roll(p->d, 16) << 16));
	emit(&p->b,
	     qb_mov(store ? QB_VDW_ADDR : QB_VDR_ADDR, uniform(p, store ? ROLE_WRITE : ROLE_READ)));
	emit(&p->b, qb_mov(QB_NONE, store ? QB_VDW_WAIT : QB_VDR_WAIT));
}

/* A transfer that is not waited for before the next, its set-up, or the end */
static void pending(struct program *p)
{
	const bool store = one_in(p->d, 2);
	const uint16_t setup = store ? QB_VW_SETUP : QB_VR_SETUP;
	const uint32_t word = store ? qb_word_vdw(roll(p->d, 16), 1 + roll(p->d, 16)) :
				      qb_word_vdr(roll(p->d, 16), 1 + roll(p->d, 8));

	emit(&p->b, qb_ldi(setup, word));
	if (store)
		emit(&p->b, qb_ldi(setup, qb_word_vdw_stride(0)));
	for (uint32_t i = 1 + roll(p->d, 2); i; i--)
		emit(&p->b, qb_mov(store ? QB_VDW_ADDR : QB_VDR_ADDR,
				   uniform(p, store ? ROLE_WRITE : ROLE_READ)));
	if (one_in(p->d, 2))
		emit(&p->b, qb_ldi(setup, word));
	if (!one_in(p->d, 3))
		emit(&p->b, qb_mov(QB_NONE, store ? QB_VDW_WAIT : QB_VDR_WAIT));
}

static void mutex(struct program *p)
{
	if (!one_in(p->d, 3))
		emit(&p->b, qb_mov(QB_NONE, QB_MUTEX_ACQUIRE));
	if (one_in(p->d, 2))
		emit(&p->b, qb_mov(QB_NONE, QB_MUTEX_ACQUIRE));
	if (one_in(p->d, 2))
		emit(&p->b, qb_mov(QB_MUTEX_RELEASE, QB_R0));
}

static void interrupts(struct program *p)
{
	qb_host_int(&p->b);
	qb_host_int(&p->b);
}

/* What has an effect beyond the QPU, under a condition */
static void conditional(struct program *p)
{
	static const uint16_t to[] = { QB_VW_SETUP,	 QB_VR_SETUP, QB_VDW_ADDR,  QB_VDR_ADDR,
				       QB_MUTEX_RELEASE, QB_HOST_INT, QB_UNIF_ADDR, TMU_S(0) };

	if (one_in(p->d, 4)) {
		emit(&p->b, qb_if(V3D_QPU_COND_ZS + roll(p->d, 4),
				  qb_mov(TMU_S(0), uniform(p, ROLE_READ))));
		load(p, 0);
		return;
	}
	emit(&p->b, qb_if(V3D_QPU_COND_ZS + roll(p->d, 4), qb_mov(to[roll(p->d, 8)], QB_R1)));
	emit(&p->b, qb_nop());
	emit(&p->b, qb_nop());
}

/* On one of two paths only */
static void on_one_path(struct program *p)
{
	const uint32_t kind = roll(p->d, 6), tmu = roll(p->d, 2);
	uint32_t at;

	/* Read on both */
	if (kind == 5)
		emit(&p->b, qb_mov(QB_R2, uniform(p, ROLE_READ)));
	at = program_begin_path(&p->b, p->d);
	switch (kind) {
	case 0:
		emit(&p->b, qb_mov(QB_NONE, QB_MUTEX_ACQUIRE));
		break;
	case 1:
		emit(&p->b, qb_sema_up(roll(p->d, 16)));
		break;
	case 2:
		emit(&p->b, qb_mov(QB_R1, uniform(p, ROLE_NUMBER)));
		break;
	case 3:
		emit(&p->b, qb_ldi(QB_VR_SETUP, qb_word_vpm_read(0, 1)));
		break;
	case 4:
		emit(&p->b, qb_mov(QB_RA(30), QB_R1));
		break;
	default:
		emit(&p->b, qb_mov(TMU_S(tmu), QB_R2));
		break;
	}
	program_end_path(&p->b, at);
	if (kind == 5 && one_in(p->d, 2))
		load(p, tmu);
	if (one_in(p->d, 2))
		program_show(p, one_in(p->d, 2) ? QB_RA(30) : QB_R1);
}

/* Values that wait to be read: two of them on either path, of which on one the first is old */
static void vpm_paths(struct program *p)
{
	const uint32_t at = program_begin_path(&p->b, p->d), one = qb_word_vpm_read(0, 1);
	uint32_t over;

	emit(&p->b, qb_ldi(QB_VR_SETUP, one));
	emit(&p->b, qb_ldi(QB_VR_SETUP, one));
	over = p->b.count;
	qb_branch_to(&p->b, V3D_QPU_BRANCH_ALWAYS, 0);
	for (uint32_t i = 0; i < V3D_QPU_BRANCH_SLOTS; i++)
		emit(&p->b, qb_nop());
	qb_patch(&p->b, at, p->b.count);
	emit(&p->b, qb_ldi(QB_VR_SETUP, qb_word_vpm_read(0, 2)));
	qb_patch(&p->b, over, p->b.count);
	emit(&p->b, qb_mov(QB_R1, QB_VPM_READ));
	emit(&p->b, qb_nop());
	emit(&p->b, qb_nop());
	emit(&p->b, qb_mov(QB_R1, QB_VPM_READ));
}

/* The stream's address, of two uniforms, limited by one, scaled, or with an element's number */
static void reset_to_sum(struct program *p)
{
	const uint32_t kind = roll(p->d, 4);

	emit(&p->b, qb_add(V3D_QPU_ADD_MAX, QB_R3, QB_R3, qb_imm(0)));
	emit(&p->b, kind == 0 ? qb_add(V3D_QPU_ADD_MIN, QB_R3, QB_R3, uniform(p, ROLE_STREAM)) :
				qb_mov(QB_R3, uniform(p, ROLE_STREAM)));
	if (kind == 1)
		emit(&p->b, qb_add(V3D_QPU_ADD_ADD, QB_R3, QB_R3, uniform(p, ROLE_STREAM)));
	if (kind == 2)
		emit(&p->b, qb_add(V3D_QPU_ADD_SHL, QB_R3, QB_R3, qb_imm(1)));
	if (kind == 3)
		emit(&p->b, qb_add(V3D_QPU_ADD_ADD, QB_R3, QB_R3, QB_ELEMENT));
	emit(&p->b, qb_ldi(QB_R2, 4 * p->words));
	emit(&p->b, qb_add(V3D_QPU_ADD_ADD, QB_UNIF_ADDR, QB_R3, QB_R2));
	emit(&p->b, qb_nop());
	emit(&p->b, qb_nop());
	emit(&p->b, qb_mov(QB_R1, uniform(p, ROLE_NUMBER)));
}

/* A set-up word with one bit changed, and what uses it */
static void wrong_setup(struct program *p)
{
	const uint32_t words[] = {
		qb_word_vpm_write(roll(p->d, 64)), qb_word_vpm_read(roll(p->d, 64), 1),
		qb_word_vdw(roll(p->d, 16), 1),	   qb_word_vdw_stride(roll(p->d, 64)),
		qb_word_vdr(roll(p->d, 16), 1),
	};
	const uint32_t kind = roll(p->d, 5);
	const bool store = kind == 0 || kind == 2 || kind == 3;

	emit(&p->b, qb_ldi(store ? QB_VW_SETUP : QB_VR_SETUP, words[kind] ^ 1u << roll(p->d, 32)));
	if (kind == 0)
		emit(&p->b, qb_mov(QB_VPM_WRITE, QB_R1));
	if (kind != 1)
		return;
	for (uint32_t i = 0; i < 3; i++)
		emit(&p->b, qb_nop());
	emit(&p->b, qb_mov(QB_R1, QB_VPM_READ));
}

/* The stream's address is set while it is being set, by a uniform that was read before */
static void reset_twice(struct program *p)
{
	emit(&p->b, qb_mov(QB_R2, uniform(p, ROLE_STREAM)));
	emit(&p->b, qb_ldi(QB_R3, 4 * p->words));
	emit(&p->b, qb_add(V3D_QPU_ADD_ADD, QB_UNIF_ADDR, QB_R3, QB_R2));
	if (one_in(p->d, 2))
		emit(&p->b, qb_nop());
	emit(&p->b, qb_add(V3D_QPU_ADD_ADD, QB_UNIF_ADDR, QB_R3, QB_R2));
	emit(&p->b, qb_nop());
	emit(&p->b, qb_nop());
	emit(&p->b, qb_mov(QB_R1, uniform(p, ROLE_NUMBER)));
}

/* The stream's address: read too soon, in a delay slot, by something that is no address of it */
static void wrong_reset(struct program *p)
{
	const uint32_t kind = roll(p->d, 7);

	if (kind == 6) {
		reset_twice(p);
		return;
	}

	(void)uniform(p, kind == 3 ? ROLE_NUMBER : ROLE_STREAM);
	emit(&p->b, qb_ldi(QB_R3, 4 * p->words + (kind == 0 ? 1 + roll(p->d, 3) : 0)));
	if (kind == 1)
		emit(&p->b, some_branch(p->d, 0));
	emit(&p->b,
	     qb_add(kind == 4 ? V3D_QPU_ADD_OR : V3D_QPU_ADD_ADD,
		    kind == 5 ? QB_RB(V3D_QPU_W_UNIFORMS_ADDRESS) : QB_UNIF_ADDR, QB_R3, QB_UNIF));
	if (kind != 2) {
		emit(&p->b, qb_nop());
		emit(&p->b, qb_nop());
	}
	emit(&p->b, qb_mov(QB_R1, uniform(p, ROLE_NUMBER)));
}

/* An address of two BOs, of one twice, limited by one, packed on its way, before one, or of none */
static void wrong_direct(struct program *p)
{
	const uint32_t kind = roll(p->d, 11);

	emit(&p->b, qb_mov(QB_R1, uniform(p, ROLE_READ)));
	emit(&p->b, qb_ldi(QB_R2, 4 * roll(p->d, 8)));
	switch (kind) {
	case 0:
		emit(&p->b, qb_add(V3D_QPU_ADD_ADD, QB_R1, QB_R1, uniform(p, ROLE_READ)));
		break;
	case 1:
		emit(&p->b, qb_add(V3D_QPU_ADD_SHL, QB_R1, QB_R1, qb_imm(1)));
		break;
	case 2:
		emit(&p->b, qb_add(V3D_QPU_ADD_MIN, QB_R1, QB_R2, QB_R1));
		break;
	case 3: /* saturated, or to a part of it */
		emit(&p->b, qb_pack(1 + roll(p->d, 15), false, qb_mov(QB_RA(31), QB_R2)));
		emit(&p->b, qb_nop());
		emit(&p->b, qb_mov(QB_R2, QB_RA(31)));
		break;
	case 4:
		emit(&p->b, qb_unpack(1 + roll(p->d, 7), false, qb_mov(QB_R1, QB_RA(1))));
		break;
	case 5:
		emit(&p->b, qb_if(V3D_QPU_COND_ZS + roll(p->d, 4), qb_mov(QB_R1, QB_R2)));
		break;
	case 6: /* before the BO */
		emit(&p->b, qb_ldi(QB_R2, 0u - 4 * (1 + roll(p->d, 32))));
		break;
	case 7: /* or, which is no sum where bits meet */
		emit(&p->b, qb_add(V3D_QPU_ADD_OR, QB_R1, QB_R1,
				   one_in(p->d, 2) ? QB_R2 : QB_ELEMENT));
		break;
	case 8:
		emit(&p->b, qb_add(V3D_QPU_ADD_OR, QB_R2, QB_ELEMENT, uniform(p, ROLE_NUMBER)));
		break;
	case 9:
		emit(&p->b, qb_mul(V3D_QPU_MUL_MUL24, QB_R1, QB_R1, qb_imm(1 + roll(p->d, 2))));
		break;
	default:
		emit(&p->b, qb_mov(QB_R1, uniform(p, ROLE_NUMBER)));
		break;
	}
	request(p, 0, QB_R2);
	emit(&p->b, qb_add(V3D_QPU_ADD_ADD, TMU_S(1), QB_R1, QB_R2));
	load(p, 0);
	load(p, 1);
}

static void any_wrong(struct program *p)
{
	make_wrong(&p->b, p->d);
}

void program_wrong(struct program *p)
{
	static void (*const kinds[])(struct program *) = {
		any_wrong,    any_wrong,    any_wrong,	       any_wrong,    any_wrong,
		any_wrong,    any_wrong,    too_many_requests, request_left, wrong_lookup,
		wrong_lookup, undefined,    half_defined,      vpm_early,    vpm_left,
		vpm_nothing,  no_setup,	    pending,	       mutex,	     interrupts,
		conditional,  on_one_path,  on_one_path,       wrong_reset,  wrong_reset,
		wrong_direct, wrong_direct,  half_defined,     vpm_paths,    reset_to_sum,
		wrong_setup,  wrong_setup,  program_wrong_call,		     program_wrong_call,
		program_wrong_end,	    program_wrong_end, program_far,
	};

	if (!p->b.count && one_in(p->d, 8))
		flags_early(p);
	else
		kinds[roll(p->d, sizeof(kinds) / sizeof(kinds[0]))](p);
}
