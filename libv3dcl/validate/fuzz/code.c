// SPDX-License-Identifier: MIT
/* What accepted code says by itself: see code.h. */
#include <v3d/qpu.h>

#include "code.h"

/* What was seen so far of code, read from its first instruction to its end */
struct reader {
	uint32_t since_switch, since_sfu;	/* instructions; FAR: none */
	bool threaded, upper;
	bool open[2];	/* a lookup that a TMU has been given some of */
};

#define FAR 100

/* A half of an instruction: what it does to the register that it names */
struct half {
	uint8_t waddr, condition;
	bool active, in_b;
};

static bool is_sfu(const struct half *h)
{
	return h->active && h->waddr >= V3D_QPU_W_SFU_RECIP && h->waddr <= V3D_QPU_W_SFU_LOG;
}

static bool is_tmu(const struct half *h)
{
	return h->active && h->waddr >= V3D_QPU_W_TMU0_S;
}

static struct half half(const struct v3d_qpu_inst *inst, bool mul)
{
	const bool alu = inst->kind == V3D_QPU_ALU || inst->kind == V3D_QPU_ALU_SMALL_IMMEDIATE;
	const uint8_t condition = mul ? inst->cond_mul : inst->cond_add;

	return (struct half){
		.waddr = mul ? inst->waddr_mul : inst->waddr_add,
		.condition = condition,
		.active = condition != V3D_QPU_COND_NEVER &&
			  (!alu || (mul ? inst->op_mul : inst->op_add)),
		.in_b = mul != (bool)inst->ws,
	};
}

/* AG100 "Texture and Memory Lookup Unit": S alone reads memory at an address an element */
static const char *request(struct reader *r, const struct half *h)
{
	const uint32_t tmu = (h->waddr - V3D_QPU_W_TMU0_S) / 4, parameter = h->waddr % 4;
	const bool direct = !parameter && !r->open[tmu];

	r->open[tmu] = parameter;
	return direct && h->condition != V3D_QPU_COND_ALWAYS ?
		       "memory is read at addresses that some elements do not give" :
		       NULL;
}

static const char *write(struct reader *r, const struct v3d_qpu_inst *inst, const struct half *h)
{
	if (!h->active)
		return NULL;
	r->upper |= h->waddr >= 16 && h->waddr < 32;
	/* AG100 Table 14 */
	if (h->waddr == V3D_QPU_W_UNIFORMS_ADDRESS && h->in_b)
		return "the address of the uniforms is written through file B";
	/* AG100 Figure 6 */
	if (inst->kind == V3D_QPU_SEMAPHORE && h->waddr > V3D_QPU_W_ACC3 &&
	    h->waddr != V3D_QPU_W_NOP)
		return "a semaphore's instruction writes to more than registers";
	return is_tmu(h) ? request(r, h) : NULL;
}

/* AG100 p. 20: what may stand in the slots of a thread switch */
static const char *signals(struct reader *r, const struct v3d_qpu_inst *inst)
{
	const bool switches = inst->sig == V3D_QPU_SIG_THREAD_SWITCH ||
			      inst->sig == V3D_QPU_SIG_LAST_THREAD_SWITCH;

	if ((switches || inst->kind == V3D_QPU_BRANCH) && r->since_switch <= V3D_QPU_END_SLOTS)
		return "a branch or a switch stands in the slots of a thread switch";
	if (inst->sig == V3D_QPU_SIG_LOAD_COLOR && r->since_sfu <= 2)
		return "a colour is loaded into r4 before the SFU's result is there";
	r->since_switch = switches ? 0 : r->since_switch;
	r->threaded |= switches;
	return NULL;
}

static const char *instruction(struct reader *r, uint64_t word)
{
	const struct v3d_qpu_inst inst = v3d_qpu_decode(word);
	const struct half add = half(&inst, false), mul = half(&inst, true);
	const char *broken;

	r->since_switch += r->since_switch < FAR;
	r->since_sfu += r->since_sfu < FAR;
	broken = signals(r, &inst);
	if (broken || inst.kind == V3D_QPU_BRANCH)
		return broken;
	if (is_tmu(&add) && is_tmu(&mul))
		return "both halves of an instruction write to a TMU";
	broken = write(r, &inst, &add);
	broken = broken ? broken : write(r, &inst, &mul);
	if (is_sfu(&add) || is_sfu(&mul))
		r->since_sfu = 0;
	return broken;
}

/* Where a branch may lead on to, at most: a return leads behind the slots of some call */
static int64_t reach(const struct v3d_qpu_inst *inst, uint32_t at)
{
	const int64_t next = (int64_t)at + V3D_QPU_BRANCH_SLOTS + 1;
	const int64_t target = next + (int32_t)inst->immediate / V3D_QPU_INSTRUCTION_BYTES;

	return inst->rel && target > next ? target : next;
}

/* What stands behind the slots of the first end that no branch leads past is not run */
static uint32_t length(const uint64_t *code, uint32_t count)
{
	int64_t farthest = 0;

	for (uint32_t i = 0; i + V3D_QPU_END_SLOTS < count; i++) {
		const struct v3d_qpu_inst inst = v3d_qpu_decode(code[i]);

		if (inst.kind == V3D_QPU_BRANCH)
			farthest = reach(&inst, i) > farthest ? reach(&inst, i) : farthest;
		else if (inst.sig == V3D_QPU_SIG_PROGRAM_END && i >= farthest)
			return i + V3D_QPU_END_SLOTS + 1;
	}
	return count;
}

const char *code_broken(const uint64_t *code, uint32_t count)
{
	struct reader r = { .since_switch = FAR, .since_sfu = FAR };

	count = length(code, count);
	for (uint32_t i = 0; i < count; i++) {
		const char *broken = instruction(&r, code[i]);

		if (broken)
			return broken;
	}
	/* AG100 p. 20: each thread has half of the registers */
	return r.threaded && r.upper ? "code of two threads has all registers" : NULL;
}
