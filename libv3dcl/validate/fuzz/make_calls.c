// SPDX-License-Identifier: MIT
/*
 * Procedures that do something else at each call: they read the uniforms that come next, their
 * pointer has gone on, what they raise is lowered behind them; and they call others.
 */
#include "program.h"

#define POINTER QB_RA(16)
#define LINK 31
#define INNER_LINK 28
#define ROOM 150	/* instructions that all of it takes, about */

static bool slip(struct program *p, uint32_t n)
{
	return p->wild && one_in(p->d, n);
}

static void jump(struct program *p, uint32_t at, uint16_t link)
{
	make_emit(&p->b, qb_branch(V3D_QPU_BRANCH_ALWAYS, true,
				   ((int)at - (int)p->b.count - V3D_QPU_BRANCH_SLOTS - 1) *
					   V3D_QPU_INSTRUCTION_BYTES,
				   link));
	qb_nops(&p->b, V3D_QPU_BRANCH_SLOTS);
}

static void go_by(struct program *p, uint32_t ra)
{
	make_emit(&p->b, qb_branch_register(qb_branch(V3D_QPU_BRANCH_ALWAYS, false, 0, QB_NONE),
					    ra));
	qb_nops(&p->b, V3D_QPU_BRANCH_SLOTS);
}

/* The uniforms of what was run before, once more; false: there is no room */
static bool again(struct program *p, uint32_t first, uint32_t last)
{
	if (p->words + (last - first) > PROGRAM_WORDS)
		return false;
	memcpy(p->roles + p->words, p->roles + first, last - first);
	p->words += last - first;
	return true;
}

/* A word at the pointer, which then goes on by some bytes */
static void step_pointer(struct program *p)
{
	make_emit(&p->b, qb_mov(QB_TMU0_S, POINTER));
	make_emit(&p->b, qb_signal(V3D_QPU_SIG_LOAD_TMU0, qb_nop()));
	make_emit(&p->b, qb_if(slip(p, 4) ? V3D_QPU_COND_ZS : V3D_QPU_COND_ALWAYS,
			       qb_add(V3D_QPU_ADD_ADD, POINTER, POINTER,
				      qb_imm(4 * roll(p->d, 4)))));
	make_emit(&p->b, qb_nop());
}

/* A procedure, and the words that a call of it reads */
struct procedure {
	uint32_t at, first, last, semaphore;
	bool pointer;
};

static bool call(struct program *p, const struct procedure *to, uint32_t link, bool begun)
{
	if (begun && !again(p, to->first, to->last))
		return false;
	jump(p, to->at, QB_RA(slip(p, 6) ? link ^ 1 : link));
	if (to->semaphore && !slip(p, 6))
		make_emit(&p->b, qb_sema_down(to->semaphore));
	return true;
}

/* Its body stands before the first call; a call of @inner comes first in it, then its own words. */
static void procedure(struct program *p, struct procedure *made, const struct procedure *inner,
		      uint32_t link)
{
	const uint32_t over = p->b.count;

	jump(p, over, QB_NONE);
	made->at = p->b.count;
	made->first = inner ? inner->first : p->words;
	made->semaphore = one_in(p->d, 3) ? 1 + roll(p->d, 15) : 0;
	if (inner && call(p, inner, INNER_LINK, false) && one_in(p->d, 2))
		(void)call(p, inner, INNER_LINK, true);
	program_steps(p, !inner || one_in(p->d, 4));
	if (made->pointer)
		step_pointer(p);
	if (made->semaphore)
		make_emit(&p->b, qb_sema_up(made->semaphore));
	made->last = p->words;
	go_by(p, slip(p, 6) ? LINK - roll(p->d, 4) : link);
	qb_patch(&p->b, over, p->b.count);
}

void program_calls(struct program *p)
{
	struct procedure outer = { .pointer = one_in(p->d, 2) }, inner = { .pointer = false };
	const bool nested = one_in(p->d, 3);
	uint32_t calls = 2 + roll(p->d, 2);

	if (p->b.count + ROOM > p->b.capacity || p->words + 32 > PROGRAM_WORDS)
		return;
	if (outer.pointer) {
		p->roles[p->words++] = ROLE_READ;
		make_emit(&p->b, qb_mov(POINTER, QB_UNIF));
	}
	if (nested)
		procedure(p, &inner, NULL, INNER_LINK);
	procedure(p, &outer, nested ? &inner : NULL, LINK);
	for (bool begun = false; calls && call(p, &outer, LINK, begun); calls--) {
		begun = true;
		if (one_in(p->d, 3))
			program_steps(p, one_in(p->d, 2));
	}
}
