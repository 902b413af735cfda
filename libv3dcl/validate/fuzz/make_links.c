// SPDX-License-Identifier: MIT
/*
 * One wrong thing about where a program goes on: calls, returns and the links between them; paths
 * that end before the others.
 */
#include "program.h"

#define LINK 31

static void emit(struct program *p, struct v3d_qpu_inst inst)
{
	make_emit(&p->b, inst);
}

static void slots(struct program *p)
{
	for (uint32_t i = 0; i < V3D_QPU_BRANCH_SLOTS; i++)
		emit(p, qb_nop());
}

static struct v3d_qpu_inst some_call(struct program *p, uint32_t to, uint8_t condition)
{
	const int32_t offset = (int32_t)(to - p->b.count - V3D_QPU_BRANCH_SLOTS - 1) *
			       V3D_QPU_INSTRUCTION_BYTES;

	return qb_branch(condition, true, offset, QB_RA(LINK));
}

static struct v3d_qpu_inst some_return(void)
{
	return qb_branch_register(qb_branch(V3D_QPU_BRANCH_ALWAYS, false, 0, QB_NONE), LINK);
}

enum {
	RETURN_WRITES, /* a register */
	RETURN_RELATIVE,
	RETURN_FURTHER,
	NO_LINK,
	LINK_LATE, /* to be read by the return */
	LINK_IN_PART,
	LINK_IN_SLOTS, /* overwritten there */
	CALL_NOT_TAKEN,
	LINK_COPIED, /* to the register that the return reads just then */
	CALLS
};

/* What happens to the link in the subroutine */
static void spoil_link(struct program *p, uint32_t kind)
{
	struct v3d_qpu_inst inst = qb_mov(QB_RA(LINK), QB_R1);

	if (kind == NO_LINK && one_in(p->d, 2))
		inst = qb_mov(QB_RA(LINK), program_uniform(p, ROLE_NUMBER));
	if (kind == LINK_IN_PART && one_in(p->d, 2))
		inst = qb_pack(1 + roll(p->d, 7), false, inst);
	else if (kind == LINK_IN_PART)
		inst = qb_if(V3D_QPU_COND_ZS + roll(p->d, 4), inst);
	if (kind >= NO_LINK && kind <= LINK_IN_PART)
		emit(p, inst);
	if (kind != LINK_LATE)
		emit(p, qb_nop());
}

/* A subroutine that is called once, with one thing wrong about it */
static void wrong_subroutine(struct program *p, uint32_t kind)
{
	const uint32_t over = p->b.count, slot = roll(p->d, V3D_QPU_BRANCH_SLOTS);
	struct v3d_qpu_inst back = some_return();
	uint32_t at;

	qb_branch_to(&p->b, V3D_QPU_BRANCH_ALWAYS, 0);
	slots(p);
	at = p->b.count;
	back.waddr_mul = kind == RETURN_WRITES ? roll(p->d, 8) : back.waddr_mul;
	back.rel = kind == RETURN_RELATIVE;
	back.immediate = kind == RETURN_FURTHER ? 8 * (1 + roll(p->d, 8)) : 0;
	spoil_link(p, kind);
	if (kind == LINK_COPIED) {
		back.branch_raddr_a = LINK - 1;
		emit(p, qb_mov(QB_RA(LINK - 1), QB_RA(LINK)));
	}
	emit(p, back);
	slots(p);
	qb_patch(&p->b, over, p->b.count);
	emit(p, some_call(p, at,
			  kind == CALL_NOT_TAKEN ? V3D_QPU_BRANCH_ANY_CS : V3D_QPU_BRANCH_ALWAYS));
	for (uint32_t i = 0; i < V3D_QPU_BRANCH_SLOTS; i++)
		emit(p, kind == LINK_IN_SLOTS && i == slot ? qb_mov(QB_RA(LINK), QB_R1) : qb_nop());
	if (kind == CALL_NOT_TAKEN) {
		emit(p, back);
		slots(p);
	}
	if (kind == RETURN_WRITES)
		program_show(p, QB_RB(back.waddr_mul & 3));
}

/* Where the code lies is told: by which word is read, by what is stored, by what is done */
static void tell_link(struct program *p)
{
	emit(p, some_call(p, p->b.count + V3D_QPU_BRANCH_SLOTS + 1, V3D_QPU_BRANCH_ALWAYS));
	slots(p);
	emit(p, qb_add(V3D_QPU_ADD_SHR, QB_R0, QB_RA(LINK), qb_imm(10 + roll(p->d, 4))));
	switch (roll(p->d, 3)) {
	case 0:
		program_show(p, QB_R0);
		break;
	case 1:
		emit(p, qb_ldi(QB_VW_SETUP, qb_word_vpm_write(0)));
		emit(p, qb_mov(QB_VPM_WRITE, one_in(p->d, 2) ? QB_R0 : QB_RA(LINK)));
		qb_store_rows(&p->b, 0, 1, program_uniform(p, ROLE_WRITE));
		break;
	default:
		emit(p,
		     qb_flags(qb_add(V3D_QPU_ADD_AND, QB_R0, QB_R0, qb_imm(1 + roll(p->d, 15)))));
		emit(p, qb_if(V3D_QPU_COND_ZS, qb_mov(QB_R0, qb_imm(4))));
		program_show(p, QB_R0);
		break;
	}
}

void program_wrong_call(struct program *p)
{
	const uint32_t kind = roll(p->d, CALLS + 2);

	if (kind < CALLS)
		wrong_subroutine(p, kind);
	else
		tell_link(p);
}

/* What a path does before its end, which others do not, or must not leave */
static void leave(struct program *p)
{
	switch (roll(p->d, 8)) {
	case 0:
		emit(p, qb_sema_up(roll(p->d, 16)));
		break;
	case 1:
		emit(p, qb_sema_down(roll(p->d, 16)));
		break;
	case 2:
		emit(p, qb_mov(QB_NONE, QB_MUTEX_ACQUIRE));
		break;
	case 3:
		emit(p, qb_ldi(QB_R0, 0));
		emit(p, qb_add(V3D_QPU_ADD_ADD, QB_IO(V3D_QPU_W_TMU0_S), QB_R0,
			       program_uniform(p, ROLE_READ)));
		break;
	case 4:
		emit(p, qb_ldi(QB_VR_SETUP, qb_word_vdr(0, 1)));
		emit(p, qb_mov(QB_VDR_ADDR, program_uniform(p, ROLE_READ)));
		break;
	case 5:
		emit(p, qb_ldi(QB_VR_SETUP, qb_word_vpm_read(0, 1)));
		break;
	case 6:
		emit(p, qb_mov(QB_IO(V3D_QPU_W_TMU0_S + 1), QB_R1));
		(void)program_uniform(p, ROLE_TEXTURE0);
		break;
	default:
		break;
	}
}

void program_wrong_end(struct program *p)
{
	const uint32_t at = program_begin_path(&p->b, p->d);

	leave(p);
	emit(p, qb_nop());
	qb_end(&p->b);
	if (one_in(p->d, 4))
		make_wrong_end(&p->b, p->d);
	program_end_path(&p->b, at);
}
