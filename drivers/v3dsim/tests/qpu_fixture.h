/* SPDX-License-Identifier: MIT */
/*
 * What tests of the QPUs stand on: a chip with a mebibyte of memory, and programs put into it and
 * run through registers.
 */
#ifndef QPU_FIXTURE_H
#define QPU_FIXTURE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <v3dcl_qpu_build.h>

#include "core/sim.h"
#include "qpu/qps_state.h"

#define MEMORY_BASE 0x10000000u
#define MEMORY_SIZE 0x100000u
#define CODE 0x0u		/* where things are in memory by convention: offsets */
#define UNIFORMS 0x10000u
#define INPUT 0x20000u
#define OUTPUT 0x40000u

/* A chip and its memory */
struct machine {
	struct v3dsim *sim;
	uint32_t *memory;
	uint64_t code[4096];
	struct qb b;
	char trace[256];
	unsigned int traced;
	char rule[256];
};

static bool machine_region(void *opaque, enum v3dsim_unit unit, uint32_t addr, bool write,
			   struct v3dsim_region *out)
{
	struct machine *m = opaque;

	(void)unit;
	(void)write;
	if (addr - MEMORY_BASE >= MEMORY_SIZE)
		return false;
	*out = (struct v3dsim_region){
		.host = m->memory, .base = MEMORY_BASE, .len = MEMORY_SIZE, .writable = true
	};
	return true;
}

static void machine_trace(void *opaque, enum v3dsim_trace kind, const char *line)
{
	struct machine *m = opaque;

	if (kind != V3DSIM_TRACE_QPU)
		return;
	snprintf(m->trace, sizeof(m->trace), "%s", line);
	if (strstr(line, "broken rule"))
		snprintf(m->rule, sizeof(m->rule), "%s", line);
	m->traced++;
}

static inline void machine_new_as(struct machine *m, const struct v3dsim_config *config)
{
	const struct v3dsim_host host = { .region = machine_region, .trace = machine_trace,
					  .opaque = m };

	memset(m, 0, sizeof(*m));
	m->memory = aligned_alloc(4096, MEMORY_SIZE);
	assert_non_null(m->memory);
	memset(m->memory, 0, MEMORY_SIZE);
	m->sim = v3dsim_new(config, &host);
	assert_non_null(m->sim);
	v3dsim_write(m->sim, V3D_VPMBASE, 16);
	qb_init(&m->b, m->code, 4096);
}

static inline void machine_new(struct machine *m, enum v3dsim_caches caches, unsigned int trace)
{
	const struct v3dsim_config config = { .caches = caches, .trace_mask = trace };

	machine_new_as(m, &config);
}

static inline void machine_free(struct machine *m)
{
	v3dsim_free(m->sim);
	free(m->memory);
}

static inline uint32_t *at(struct machine *m, uint32_t offset)
{
	return m->memory + offset / 4;
}

static inline uint32_t bus_of(uint32_t offset)
{
	return MEMORY_BASE + offset;
}

/**
 * machine_place() - the program written so far goes to memory, and the next one starts anew.
 * Return: its bus address
 */
static inline uint32_t machine_place(struct machine *m, uint32_t offset)
{
	assert_false(m->b.failed);
	memcpy(at(m, offset), m->code, m->b.count * sizeof(*m->code));
	qb_init(&m->b, m->code, 4096);
	return bus_of(offset);
}

static inline void machine_request(struct machine *m, uint32_t pc, uint32_t uniforms)
{
	v3dsim_write(m->sim, V3D_SRQUA, uniforms);
	v3dsim_write(m->sim, V3D_SRQUL, 1024);
	v3dsim_write(m->sim, V3D_SRQPC, pc);
}

/**
 * machine_run() - runs the program written so far with the uniforms at UNIFORMS.
 *
 * Return: what v3dsim_run() says
 */
static inline enum v3dsim_state machine_run(struct machine *m)
{
	machine_request(m, machine_place(m, CODE), bus_of(UNIFORMS));
	return v3dsim_run(m->sim, 1000000);
}

struct stat_search {
	const char *name;
	uint64_t value;
	bool found;
};

static inline void stat_each(void *opaque, const char *name, uint64_t value)
{
	struct stat_search *s = opaque;

	if (strcmp(s->name, name))
		return;
	s->value = value;
	s->found = true;
}

static inline uint64_t stat_of(struct machine *m, const char *name)
{
	struct stat_search s = { .name = name };

	v3dsim_stats(m->sim, stat_each, &s);
	assert_true(s.found);
	return s.value;
}

/**
 * machine_step() - qpu_run() on one QPU as the scheduler would call it: with the lock, in the ALUs'
 * floating-point mode
 */
static inline enum qpu_outcome machine_step(struct machine *m, struct qpu *q, uint64_t *spent)
{
	enum qpu_outcome outcome;
	float_mode mode;

	sim_enter(m->sim);
	mode = float_mode_enter();
	outcome = qpu_run(m->sim, q, 1000, spent);
	float_mode_leave(mode);
	sim_leave(m->sim);
	return outcome;
}

/* Appends: rows of the VPM go to OUTPUT + offset, without a uniform */
static inline void machine_store(struct machine *m, unsigned int row, unsigned int rows,
				 uint32_t offset)
{
	qb_emit(&m->b, qb_ldi(QB_R3, bus_of(OUTPUT + offset)));
	qb_store_rows(&m->b, row, rows, QB_R3);
}

/*
 * For files whose tests each have a machine of their own: m, and cmocka's setup() and teardown() of
 * it
 */
#define MACHINE_PER_TEST(trace) \
	static struct machine m; \
	static int setup(void **state) \
	{ \
		(void)state; \
		machine_new(&m, V3DSIM_CACHES_IDEAL, trace); \
		return 0; \
	} \
	static int teardown(void **state) \
	{ \
		(void)state; \
		machine_free(&m); \
		return 0; \
	}

#endif /* QPU_FIXTURE_H */
