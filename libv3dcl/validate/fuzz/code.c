// SPDX-License-Identifier: MIT
/* What accepted code says by itself: see code.h. */
#include <v3d/qpu.h>

#include "code.h"
#include "forms.h"

/*
 * What was seen so far of code, read from its first instruction to its end. Delay slots follow what
 * they belong to, so how long ago something was is true on all paths that lead on; where none does,
 * all of it is forgotten.
 */
#define WAITING 8

struct reader {
	bool shader;
	uint32_t since_switch, since_sfu, since_branch, since_end, since_reset; /* FAR: none */
	bool leaves; /* the last branch is always taken */
	bool calls; /* and is returned from, behind its slots */
	bool threaded, upper;
	bool open[2]; /* a lookup that a TMU has been given some of */
	uint32_t written; /* accumulators, by the instruction before: a bit each */
	uint32_t known, constant[4]; /* accumulators that hold a number: a bit each */
	/* of each TMU: values asked with, requests that wait, and those since the last switch */
	uint32_t values[2], waiting[2], fresh[2], asked_with[2][WAITING];
	bool branches;
	const char *half; /* what code of two threads must not do with a TMU, and was done */
};

#define FAR 100
#define NEXT_WZ 14 /* where W and Z of the next fragment arrive: AG100 p. 20 */

static bool is_sfu(const struct form_half *h)
{
	return h->active && h->waddr >= V3D_QPU_W_SFU_RECIP && h->waddr <= V3D_QPU_W_SFU_LOG;
}

static bool is_tmu(const struct form_half *h)
{
	return h->active && h->waddr >= V3D_QPU_W_TMU0_S;
}

/*
 * AG100 p. 40: of two threads each has half of what a TMU keeps, four values and two results, and
 * loads, before it switches again, what it asked for before it switched
 */
static void note_request(struct reader *r, uint32_t tmu)
{
	uint32_t values = r->values[tmu];

	r->values[tmu] = 0;
	if (r->waiting[tmu] == WAITING)
		return;
	for (uint32_t i = 0; i < r->waiting[tmu]; i++)
		values += r->asked_with[tmu][i];
	if (r->waiting[tmu] == 2 || values > 4)
		r->half = "a thread asks a TMU for more than half of what it keeps";
	for (uint32_t i = 0; i < r->waiting[tmu]; i++)
		values -= r->asked_with[tmu][i];
	r->asked_with[tmu][r->waiting[tmu]++] = values;
	r->fresh[tmu]++;
}

static void note_load(struct reader *r, uint32_t tmu)
{
	if (!r->waiting[tmu])
		return;
	if (r->waiting[tmu] <= r->fresh[tmu])
		r->half = "a thread loads what it has asked for since it last switched";
	r->waiting[tmu]--;
	for (uint32_t i = 0; i < r->waiting[tmu]; i++)
		r->asked_with[tmu][i] = r->asked_with[tmu][i + 1];
	if (r->fresh[tmu] > r->waiting[tmu])
		r->fresh[tmu] = r->waiting[tmu];
}

static void note_switch(struct reader *r)
{
	for (uint32_t tmu = 0; tmu < 2; tmu++) {
		if (r->waiting[tmu] > r->fresh[tmu])
			r->half = "a thread switches before it has loaded what it had asked for";
		r->fresh[tmu] = 0;
	}
}

/* AG100 "Texture and Memory Lookup Unit": S alone reads memory at an address an element */
static const char *request(struct reader *r, const struct form_half *h)
{
	const uint32_t tmu = (h->waddr - V3D_QPU_W_TMU0_S) / 4, parameter = h->waddr % 4;
	const bool direct = !parameter && !r->open[tmu];

	r->open[tmu] = parameter;
	r->values[tmu]++;
	if (!parameter)
		note_request(r, tmu);
	return direct && h->condition != V3D_QPU_COND_ALWAYS ?
		       "memory is read at addresses that some elements do not give" :
		       NULL;
}

/* A number that is added to a uniform, or to none */
static uint32_t offset_of(const struct reader *r, const struct v3d_qpu_inst *inst)
{
	const uint8_t mux = inst->add_a > V3D_QPU_R3 ? inst->add_b : inst->add_a;

	return inst->op_add == V3D_QPU_ADD_ADD && mux <= V3D_QPU_R3 && r->known >> mux & 1 ?
		       r->constant[mux] :
		       0;
}

/* AG100 p. 22: the stream goes on two instructions later, at a word */
static const char *reset(struct reader *r, const struct v3d_qpu_inst *inst)
{
	if (r->since_branch <= V3D_QPU_BRANCH_SLOTS)
		return "the address of the uniforms is set in the slots of a branch";
	if (r->since_reset <= 2)
		return "the address of the uniforms is set while it is being set";
	r->since_reset = 0;
	return offset_of(r, inst) % 4 ? "uniforms that are no words" : NULL;
}

static const char *write(struct reader *r, const struct v3d_qpu_inst *inst, bool mul)
{
	const struct form_half h = form_half(inst, mul);

	if (!h.active)
		return NULL;
	r->upper |= h.waddr >= 16 && h.waddr < 32;
	if (is_sfu(&h) && r->since_sfu <= 2)
		return "the SFU is asked before its last result is there";
	if (h.waddr == V3D_QPU_W_UNIFORMS_ADDRESS)
		return reset(r, inst);
	return is_tmu(&h) ? request(r, &h) : NULL;
}

static bool is_switch(const struct v3d_qpu_inst *inst)
{
	return inst->sig == V3D_QPU_SIG_THREAD_SWITCH ||
	       inst->sig == V3D_QPU_SIG_LAST_THREAD_SWITCH;
}

/* AG100 p. 20 and "Branches": what may stand in delay slots */
static const char *signals(struct reader *r, const struct v3d_qpu_inst *inst)
{
	const bool ends = inst->sig == V3D_QPU_SIG_PROGRAM_END,
		   loads = inst->sig == V3D_QPU_SIG_LOAD_COLOR ||
			   inst->sig == V3D_QPU_SIG_LOAD_TMU0 || inst->sig == V3D_QPU_SIG_LOAD_TMU1;

	if ((ends || is_switch(inst) || inst->kind == V3D_QPU_BRANCH) &&
	    (r->since_switch <= V3D_QPU_END_SLOTS || r->since_end <= V3D_QPU_END_SLOTS ||
	     r->since_branch <= V3D_QPU_BRANCH_SLOTS))
		return "a branch, a switch or an end stands in the slots of another";
	if (loads && r->since_sfu <= 2)
		return "something is loaded into r4 before the SFU's result is there";
	r->since_switch = is_switch(inst) ? 0 : r->since_switch;
	r->since_end = ends ? 0 : r->since_end;
	r->threaded |= is_switch(inst);
	return NULL;
}

static bool is_vpm(const struct form_half *h)
{
	return h->active && h->waddr >= V3D_QPU_W_VPM_WRITE && h->waddr <= V3D_QPU_W_VPM_ADDR;
}

static bool names(const struct v3d_qpu_inst *inst, uint8_t n)
{
	return inst->waddr_add == n || inst->waddr_mul == n || form_reads(inst, n);
}

/* AG100 "Summary of Instruction Restrictions": the end of a program, and its two slots */
static const char *last_ones(const struct reader *r, const struct v3d_qpu_inst *inst)
{
	const struct form_half add = form_half(inst, false), mul = form_half(inst, true);

	if (r->since_end > V3D_QPU_END_SLOTS)
		return NULL;
	if (names(inst, NEXT_WZ))
		return "address 14 is named where the next fragment arrives";
	if (!r->since_end && (inst->waddr_add < 32 || inst->waddr_mul < 32))
		return "a program's end writes to a register file";
	if (is_vpm(&add) || is_vpm(&mul) || form_reads(inst, V3D_QPU_R_VPM_READ) ||
	    form_reads(inst, V3D_QPU_R_VPM_BUSY) || form_reads(inst, V3D_QPU_R_VPM_WAIT))
		return "the VPM is accessed where it may be another's already";
	if (form_reads(inst, V3D_QPU_R_UNIFORM) || form_reads(inst, V3D_QPU_R_VARYING))
		return "a uniform or a varying is read where it may be another's already";
	if ((add.active && add.waddr == V3D_QPU_W_HOST_INT) ||
	    (mul.active && mul.waddr == V3D_QPU_W_HOST_INT))
		return "an interrupt is raised after the end";
	return r->since_end == V3D_QPU_END_SLOTS && ((add.active && add.waddr == V3D_QPU_W_TLB_Z) ||
						     (mul.active && mul.waddr == V3D_QPU_W_TLB_Z)) ?
		       "the last instruction writes Z" :
		       NULL;
}

/* AG100 p. 21: what is rotated, or says how far, is not what was just written */
static bool rotates_soon(const struct reader *r, const struct v3d_qpu_inst *inst)
{
	if (inst->kind != V3D_QPU_ALU_SMALL_IMMEDIATE || inst->raddr_b < V3D_QPU_ROTATE ||
	    !form_half(inst, true).active)
		return false;
	if (inst->raddr_b == V3D_QPU_ROTATE && r->written >> V3D_QPU_R5 & 1)
		return true;
	return (inst->mul_a <= V3D_QPU_R3 && r->written >> inst->mul_a & 1) ||
	       (inst->mul_b <= V3D_QPU_R3 && r->written >> inst->mul_b & 1);
}

static const char *operands(const struct reader *r, const struct v3d_qpu_inst *inst)
{
	if (inst->kind != V3D_QPU_ALU && inst->kind != V3D_QPU_ALU_SMALL_IMMEDIATE)
		return NULL;
	if (r->since_sfu <= 2 && form_takes(inst, V3D_QPU_R4))
		return "r4 is read before the SFU's result is there";
	if (r->since_reset <= 2 && r->since_reset && form_reads(inst, V3D_QPU_R_UNIFORM))
		return "a uniform is read while the address of the stream is being set";
	return rotates_soon(r, inst) ? "what was just written is rotated, or says how far" : NULL;
}

/* Which accumulators an instruction writes, and what is known of them */
static void note_written(struct reader *r, const struct v3d_qpu_inst *inst)
{
	r->written = 0;
	for (uint32_t mul = 0; mul < 2; mul++) {
		const struct form_half h = form_half(inst, mul);
		const uint32_t n = h.waddr - V3D_QPU_W_ACC0;

		if (h.active && h.waddr == V3D_QPU_W_ACC5)
			r->written |= 1u << V3D_QPU_R5;
		if (h.waddr < V3D_QPU_W_ACC0 || h.waddr > V3D_QPU_W_ACC3)
			continue;
		r->written |= h.active ? 1u << n : 0;
		r->known &= ~(1u << n);
		if (inst->kind == V3D_QPU_LOAD_32 && h.condition == V3D_QPU_COND_ALWAYS) {
			r->known |= 1u << n;
			r->constant[n] = inst->immediate;
		}
	}
}

static void forget(struct reader *r)
{
	r->since_switch = r->since_sfu = r->since_branch = r->since_end = r->since_reset = FAR;
	r->written = r->known = 0;
}

/* Behind the slots of a branch that is always taken, and of no call */
static bool is_passed_over(const struct reader *r)
{
	return r->since_branch == V3D_QPU_BRANCH_SLOTS && r->leaves && !r->calls;
}

/* An instruction later; behind an end, and a branch that is always taken, something else begins */
static void age(struct reader *r)
{
	if (r->since_end == V3D_QPU_END_SLOTS ||
	    (r->since_branch == V3D_QPU_BRANCH_SLOTS && r->leaves))
		forget(r);
	r->since_switch += r->since_switch < FAR;
	r->since_sfu += r->since_sfu < FAR;
	r->since_branch += r->since_branch < FAR;
	r->since_end += r->since_end < FAR;
	r->since_reset += r->since_reset < FAR;
	if (r->since_switch == V3D_QPU_END_SLOTS + 1)
		note_switch(r);
}

static const char *instruction(struct reader *r, uint64_t word)
{
	const struct v3d_qpu_inst inst = v3d_qpu_decode(word);
	const struct form_half add = form_half(&inst, false), mul = form_half(&inst, true);
	const char *broken = form_broken(&inst, r->shader);

	age(r);
	broken = broken ? broken : signals(r, &inst);
	if (broken)
		return broken;
	if (inst.kind == V3D_QPU_BRANCH) {
		r->since_branch = 0;
		r->branches = true;
		r->leaves = inst.cond_br == V3D_QPU_BRANCH_ALWAYS;
		r->calls = inst.waddr_add != V3D_QPU_W_NOP || inst.waddr_mul != V3D_QPU_W_NOP;
		r->written = 0;
		return NULL;
	}
	if (is_tmu(&add) && is_tmu(&mul))
		return "both halves of an instruction write to a TMU";
	broken = last_ones(r, &inst);
	broken = broken ? broken : operands(r, &inst);
	broken = broken ? broken : write(r, &inst, false);
	broken = broken ? broken : write(r, &inst, true);
	note_written(r, &inst);
	if (is_sfu(&add) || is_sfu(&mul))
		r->since_sfu = 0;
	if (inst.sig == V3D_QPU_SIG_LOAD_TMU0 || inst.sig == V3D_QPU_SIG_LOAD_TMU1)
		note_load(r, inst.sig - V3D_QPU_SIG_LOAD_TMU0);
	return broken;
}

/* Where a branch leads, if it is taken and says so itself */
static int64_t target(const struct v3d_qpu_inst *inst, uint32_t at)
{
	return (int64_t)at + V3D_QPU_BRANCH_SLOTS + 1 +
	       (int32_t)inst->immediate / V3D_QPU_INSTRUCTION_BYTES;
}

/* Where a branch may lead on to, at most: a return leads behind the slots of some call */
static int64_t reach(const struct v3d_qpu_inst *inst, uint32_t at)
{
	const int64_t next = (int64_t)at + V3D_QPU_BRANCH_SLOTS + 1;

	return inst->rel && target(inst, at) > next ? target(inst, at) : next;
}

/* Does a branch lead to an instruction, and say so itself? */
static bool is_target(const uint64_t *code, uint32_t count, uint32_t at)
{
	for (uint32_t i = 0; i < count; i++) {
		const struct v3d_qpu_inst inst = v3d_qpu_decode(code[i]);

		if (inst.kind == V3D_QPU_BRANCH && !inst.reg && target(&inst, i) == at)
			return true;
	}
	return false;
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

/* Is an instruction in the slots of one before it? */
static bool is_slot(const uint64_t *code, uint32_t at)
{
	for (uint32_t back = 1; back <= V3D_QPU_BRANCH_SLOTS && back <= at; back++) {
		const struct v3d_qpu_inst inst = v3d_qpu_decode(code[at - back]);

		if (inst.kind == V3D_QPU_BRANCH ||
		    (back <= V3D_QPU_END_SLOTS &&
		     (is_switch(&inst) || inst.sig == V3D_QPU_SIG_PROGRAM_END)))
			return true;
	}
	return false;
}

/*
 * Varyings come one after the other, so as many have to be read whichever way is taken: none where
 * a branch under a condition may lead past it, from which nothing else leads away
 */
static bool skips_varyings(const uint64_t *code, uint32_t at, const struct v3d_qpu_inst *branch)
{
	uint32_t reads = 0;

	if (branch->cond_br == V3D_QPU_BRANCH_ALWAYS)
		return false;
	for (int64_t i = (int64_t)at + V3D_QPU_BRANCH_SLOTS + 1; i < target(branch, at); i++) {
		const struct v3d_qpu_inst inst = v3d_qpu_decode(code[i]);

		if (inst.kind == V3D_QPU_BRANCH || inst.sig == V3D_QPU_SIG_PROGRAM_END)
			return false;
		reads += form_reads(&inst, V3D_QPU_R_VARYING);
	}
	return reads;
}

static const char *targets(const uint64_t *code, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++) {
		const struct v3d_qpu_inst inst = v3d_qpu_decode(code[i]);

		if (inst.kind != V3D_QPU_BRANCH)
			continue;
		if (i + V3D_QPU_BRANCH_SLOTS + 1 >= count)
			return "a branch whose slots are not there";
		if (inst.reg)
			continue;
		if (target(&inst, i) < 0 || target(&inst, i) >= count)
			return "a branch out of the code";
		if (is_slot(code, target(&inst, i)))
			return "a branch into delay slots";
		if (skips_varyings(code, i, &inst))
			return "a varying is read on one of two paths";
	}
	return NULL;
}

const char *code_broken(const uint64_t *code, uint32_t count, bool shader)
{
	struct reader r = { .shader = shader };

	if (!count)
		return "code of no instructions";
	forget(&r);
	count = length(code, count);
	for (uint32_t i = 0; i < count; i++) {
		const char *broken;

		/* From there to where a branch leads, nothing is run */
		while (is_passed_over(&r) && i + 1 < count && !is_target(code, count, i))
			i++;
		broken = instruction(&r, code[i]);
		if (broken)
			return broken;
	}
	if (r.threaded && !r.branches && r.half)
		return r.half;
	/* AG100 p. 20: each thread has half of the registers */
	return r.threaded && r.upper ? "code of two threads has all registers" :
				       targets(code, count);
}

static bool is_of_tile(const struct form_half *h)
{
	return h->active && h->waddr >= V3D_QPU_W_QUAD_XY && h->waddr <= V3D_QPU_W_TLB_COLOUR_ALL;
}

struct code_facts code_facts(const uint64_t *code, uint32_t count)
{
	struct code_facts facts = { 0 };

	count = length(code, count);
	for (uint32_t i = 0; i < count; i++) {
		const struct v3d_qpu_inst inst = v3d_qpu_decode(code[i]);
		const struct form_half add = form_half(&inst, false), mul = form_half(&inst, true);

		facts.branches |= inst.kind == V3D_QPU_BRANCH;
		if (inst.kind == V3D_QPU_BRANCH)
			continue;
		facts.switches |= is_switch(&inst);
		facts.varyings += form_reads(&inst, V3D_QPU_R_VARYING);
		facts.vpm |= is_vpm(&add) || is_vpm(&mul) || form_reads(&inst, V3D_QPU_R_VPM_READ);
		facts.tile |= is_of_tile(&add) || is_of_tile(&mul) ||
			      form_reads(&inst, V3D_QPU_R_VARYING) ||
			      form_reads(&inst, V3D_QPU_R_PIXEL_COORD) ||
			      form_reads(&inst, V3D_QPU_R_MS_REV_FLAGS) ||
			      inst.sig == V3D_QPU_SIG_LOAD_COLOR ||
			      inst.sig == V3D_QPU_SIG_WAIT_SCOREBOARD ||
			      inst.sig == V3D_QPU_SIG_UNLOCK_SCOREBOARD;
	}
	return facts;
}
