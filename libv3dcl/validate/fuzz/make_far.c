// SPDX-License-Identifier: MIT
/*
 * A lookup whose parameters lie behind the words that 16 bits number, as far behind as those of a
 * right one lie behind the first: who keeps no more than 16 bits takes one for the other.
 */
#include "program.h"

#define FAR_WORD 0x10000u
#define LAST_RESET 0xfffeu	/* the farthest word that the stream may be set to */

static void emit(struct program *p, struct v3d_qpu_inst inst)
{
	make_emit(&p->b, inst);
}

static void lookup(struct program *p)
{
	emit(p, qb_mov(QB_IO(V3D_QPU_W_TMU0_S + 1), QB_R2));
	emit(p, qb_mov(QB_IO(V3D_QPU_W_TMU0_S), QB_R2));
	emit(p, qb_signal(V3D_QPU_SIG_LOAD_TMU0, qb_nop()));
}

/* The stream goes on at a word of it, whose address is in a register */
static void go_to(struct program *p, uint16_t stream, uint32_t word)
{
	emit(p, qb_ldi(QB_R3, 4 * word));
	emit(p, qb_add(V3D_QPU_ADD_ADD, QB_UNIF_ADDR, QB_R3, stream));
	emit(p, qb_nop());
	emit(p, qb_nop());
}

void program_far(struct program *p)
{
	const uint16_t stream = QB_RA(30);
	uint32_t near;

	if (p->far || p->words + 3 > PROGRAM_WORDS / 2)
		return;
	emit(p, qb_mov(stream, program_uniform(p, ROLE_STREAM)));
	near = p->words;
	emit(p, qb_ldi(QB_R2, 0));
	(void)program_uniform(p, ROLE_TEXTURE0);
	(void)program_uniform(p, ROLE_TEXTURE1);
	lookup(p);
	go_to(p, stream, LAST_RESET);
	for (uint32_t word = LAST_RESET; word < FAR_WORD + near; word++)
		emit(p, qb_mov(QB_R1, QB_UNIF));
	lookup(p);
	p->far = FAR_WORD + near + 2;
	go_to(p, stream, p->words);
}
