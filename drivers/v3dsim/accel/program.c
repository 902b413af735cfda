// SPDX-License-Identifier: MIT
/* Programs as a whole, found and run: see program.h. */
#include <stdlib.h>

#include "core/sim.h"
#include "qpu/qps_state.h"
#include "qpu/qpu_lanes.h"
#include "back/fragment.h"
#include "back/tlb_qpu.h"
#include "back/vri.h"
#include "program_op.h"

#define PROGRAMS 32
#define SLOTS_AFTER_END 2

/* Programs by address, each allocated when it is first needed */
struct program_cache {
	enum qpu_kind kind;
	struct program *program[PROGRAMS];
};

struct program_cache *program_cache_new(bool fragments)
{
	struct program_cache *cache = calloc(1, sizeof(*cache));

	if (cache)
		cache->kind = fragments ? QPU_FRAGMENT : QPU_VERTEX;
	return cache;
}

void program_cache_free(struct program_cache *cache)
{
	for (unsigned int n = 0; cache && n < PROGRAMS; n++)
		free(cache->program[n]);
	free(cache);
}

/* The place for a program. NULL: out of memory, which costs time only */
static struct program *place_for(struct program_cache *cache, uint32_t code)
{
	struct program **place = &cache->program[(code >> 3 ^ code >> 8) % PROGRAMS],
		       *program = *place;

	if (program)
		return program;
	program = aligned_alloc(64, (sizeof(*program) + 63) / 64 * 64);
	if (program) {
		program->made = false;
		program->kind = cache->kind;
	}
	*place = program;
	return program;
}

unsigned int program_length(const struct program *program)
{
	return program->words;
}

static uint64_t word_at(const uint64_t *code, unsigned int n)
{
	return __atomic_load_n(&code[n], __ATOMIC_RELAXED);
}

static const uint64_t *peek(struct v3dsim *sim, uint32_t code, unsigned int words)
{
	const uint64_t *found = bus_peek(sim, V3DSIM_UNIT_ICACHE, code,
					 words * V3D_QPU_INSTRUCTION_BYTES);

	return (uintptr_t)found % 8 ? NULL : found;
}

/* Is the program still what lies in memory? */
static bool is_same(struct v3dsim *sim, const struct program *p)
{
	const uint64_t *code = peek(sim, p->code, p->words);

	if (!code)
		return false;
	for (unsigned int n = 0; n < p->words; n++)
		if (word_at(code, n) != p->word[n])
			return false;
	return true;
}

static bool ends(uint64_t word)
{
	const unsigned int sig = v3d_qpu_decode(word).sig;

	return sig == V3D_QPU_SIG_PROGRAM_END || sig == V3D_QPU_SIG_LOAD_COLOR_END;
}

/*
 * Reads words up to the second one after the program end, or to the first that is clearly not for
 * here. Return: false: they cannot be looked at. A program that is too long for here ends without
 * its end.
 */
static bool read_words(struct v3dsim *sim, struct program *p, uint32_t code)
{
	unsigned int left = PROGRAM_WORDS;

	p->complete = false;
	for (p->words = 0; p->words < PROGRAM_WORDS && left; p->words++, left--) {
		const uint64_t *place = peek(sim, code + p->words * V3D_QPU_INSTRUCTION_BYTES, 1);

		if (!place)
			return false;
		p->word[p->words] = word_at(place, 0);
		if (!p->complete && ends(p->word[p->words])) {
			p->complete = p->words + SLOTS_AFTER_END < PROGRAM_WORDS;
			left = SLOTS_AFTER_END + 1;
		}
		if (v3d_qpu_decode(p->word[p->words]).sig == V3D_QPU_SIG_BRANCH)
			left = 1;
	}
	return true;
}

static bool make(struct v3dsim *sim, struct program *p, struct qpu *q, uint32_t code)
{
	p->made = false;
	if (!read_words(sim, p, code))
		return false;
	p->code = code;
	p->made = true;
	program_build(p, q);
	return true;
}

static bool read_uniforms(struct v3dsim *sim, struct program *p, uint32_t uniforms)
{
	const uint32_t *from;

	if (!p->uniforms)
		return true;
	from = uniforms ? bus_peek(sim, V3DSIM_UNIT_UNIFORMS, uniforms & ~3u, 4 * p->uniforms) :
			  NULL;
	if (!from || (uintptr_t)from % 4)
		return false;
	for (unsigned int n = 0; n < p->values; n++)
		if (p->stream[n] != PROGRAM_IMMEDIATE)
			lanes_fill(&p->value[n],
				   __atomic_load_n(&from[p->stream[n]], __ATOMIC_RELAXED));
	return true;
}

const struct program *program_find(struct v3dsim *sim, struct program_cache *cache, struct qpu *q,
				   uint32_t code, uint32_t uniforms)
{
	struct program *p;

	if (code % 8 || sim->config.caches != V3DSIM_CACHES_IDEAL ||
	    trace_wanted(&sim->config, V3DSIM_TRACE_QPU))
		return NULL;
	p = place_for(cache, code);
	if (!p)
		return NULL;
	if (!(p->made && p->code == code && is_same(sim, p)) && !make(sim, p, q, code))
		return NULL;
	return p->good && read_uniforms(sim, p, uniforms) ? p : NULL;
}

/**
 * struct whole - a program being run
 * @f: its fragments
 * @start: q->now would be this, had the instruction at hand been the first
 * @uniforms: address of the first
 * @rules: broken rules
 */
struct whole {
	struct v3dsim *sim;
	const struct program *program;
	struct qpu *q;
	struct fragment *f;
	uint64_t start;
	uint32_t uniforms, rules;
};

static void varying(const struct whole *w, struct lanes *out)
{
	if (w->f->plane_next < w->f->planes)
		w->f->interpolate(w->f, &w->f->plane[w->f->plane_next], out);
	else
		lanes_fill(out, 0);
}

/* The thread as it would be, for who looks at it */
static void place(const struct whole *w, const struct program_op *op, unsigned int uniform)
{
	struct qpu_thread *t = &w->q->threads[0];

	t->step = op->at;
	t->uniforms = w->uniforms + 4 * uniform;
	w->q->now = w->start + op->at;
}

static bool before(struct whole *w, const struct program_op *op)
{
	struct qpu *q = w->q;

	if (op->before & (PROGRAM_VARYING_A | PROGRAM_VARYING_B)) {
		const bool a = op->before & PROGRAM_VARYING_A;

		varying(w, &q->regs[a ? QPU_PORT_A : QPU_PORT_B]);
		if (a && op->before & PROGRAM_VARYING_B)
			q->regs[QPU_PORT_B] = q->regs[QPU_PORT_A];
	}
	if (op->before & PROGRAM_PORTS) {
		place(w, op, op->uniform);
		if (!qpu_ports(w->sim, q, &op->qpu, &w->rules))
			return false;
	}
	if (op->before & PROGRAM_VALUE_A)
		q->regs[QPU_PORT_A] = w->program->value[op->value];
	if (op->before & PROGRAM_VALUE_B)
		q->regs[QPU_PORT_B] = w->program->value[op->value];
	if (op->before & PROGRAM_INPUTS)
		qpu_inputs(q, &op->qpu);
	return true;
}

static void after(struct whole *w, const struct program_op *op)
{
	struct qpu *q = w->q;

	if (op->after & PROGRAM_LOAD_C)
		vri_load_c(q);
	if (op->after & PROGRAM_SFU)
		q->regs[QPU_ACC + 4] = q->sfu[op->at % 4];
	if (op->after & PROGRAM_LOAD_TILE)
		tlb_qpu_load(w->sim, q, op->qpu.inst.sig, &q->regs[QPU_ACC + 4]);
	if (op->after & PROGRAM_LOAD_TMU) {
		place(w, op, op->uniform_after);
		qpu_load_tmu(w->sim, q, op->qpu.inst.sig - V3D_QPU_SIG_LOAD_TMU0);
		w->start = q->now - op->at;
	}
}

static inline void flags_of(struct qpu *q, const struct program_op *op, const struct lanes *carry)
{
	set_flags(q, op->carry == 1 ? op->add_to : op->mul_to, carry, V3D_QPU_COND_ALWAYS);
}

static inline void direct(struct qpu *q, const struct program_op *op)
{
	struct lanes carry;

	if (op->add_first)
		op->add(op->add_to, op->add_a, op->add_b, op->carry == 1 ? &carry : NULL);
	if (op->mul)
		op->mul(op->mul_to, op->mul_a, op->mul_b, op->carry == 2 ? &carry : NULL);
	if (op->add && !op->add_first)
		op->add(op->add_to, op->add_a, op->add_b, op->carry == 1 ? &carry : NULL);
	if (op->carry)
		flags_of(q, op, &carry);
}

static inline void pack(const struct alu_table *alu, const struct program_op *op)
{
	struct lanes color;

	op->mul(&color, op->mul_a, op->mul_b, NULL);
	alu->to_color(&color, &color, NULL, NULL);
	if (op->add)
		op->add(op->add_to, op->add_a, op->add_b, NULL);
	EACH_PART(p)
		op->mul_to->u[p] = (op->mul_to->u[p] & ~op->mask) | (color.u[p] & op->mask);
}

static inline void to_tile(struct whole *w, const struct program_op *op)
{
	const struct lanes *value = op->tile_mul ? op->mul_a : op->add_a;
	struct lanes result;

	if (!op->tile_copy) {
		value = &result;
		if (op->tile_mul)
			op->mul(&result, op->mul_a, op->mul_b, NULL);
		else
			op->add(&result, op->add_a, op->add_b, NULL);
	}
	tlb_qpu_write(w->sim, w->q, op->tile_mul ? op->qpu.mul_io : op->qpu.add_io,
		      op->tile_mul != op->qpu.inst.ws, value, 0xffff);
	if (op->tile_mul && op->add)
		op->add(op->add_to, op->add_a, op->add_b, NULL);
	if (!op->tile_mul && op->mul)
		op->mul(op->mul_to, op->mul_a, op->mul_b, NULL);
}

static inline bool run_op(struct whole *w, const struct program_op *op)
{
	if (op->before && !before(w, op))
		return false;
	switch (op->kind) {
	case PROGRAM_NOTHING:
		break;
	case PROGRAM_DIRECT:
		direct(w->q, op);
		break;
	case PROGRAM_PACK:
		pack(w->q->alu, op);
		break;
	case PROGRAM_TILE:
		to_tile(w, op);
		break;
	case PROGRAM_GENERAL:
		place(w, op, op->uniform_after);
		if (!qpu_operate(w->sim, w->q, &op->qpu, &w->rules))
			return false;
		break;
	}
	if (op->after)
		after(w, op);
	return true;
}

static void clear(const struct program *p, struct qpu *q)
{
	for (unsigned int n = 0; n < p->clears; n++)
		lanes_fill(&q->regs[p->clear[n]], 0);
	if (p->clear_flags) {
		lanes_fill(&q->zero, 0);
		lanes_fill(&q->negative, 0);
		lanes_fill(&q->carry, 0);
	}
	tmu_reset(&q->tmu[0]);
	tmu_reset(&q->tmu[1]);
}

bool program_run(struct v3dsim *sim, const struct program *p, struct qpu *q, struct fragment *f,
		 uint32_t uniforms)
{
	struct whole w = {
		.sim = sim, .program = p, .q = q, .f = f, .start = q->now, .uniforms = uniforms
	};
	const uint64_t start = q->now;
	bool good = true;

	q->kind = p->kind;
	q->fragment = f;
	q->touched = true;
	q->threads[0].due = 0;
	q->threads[0].uniforms_left = UINT32_MAX;
	clear(p, q);
	for (unsigned int n = 0; n < p->ops && good; n++)
		good = run_op(&w, &p->op[n]);
	q->now = w.start + p->words;
	q->threads[0].due = 0;
	sim->stats.instructions += p->words;
	sim->stats.cycles += (q->now - start) * 4;
	pctr_count(sim, V3D_COUNTER_qpu_instruction_cycles, p->words * 4);
	for (; w.rules; w.rules &= w.rules - 1)
		qpu_broken(sim, q, p->code, __builtin_ctz(w.rules));
	return good;
}
