/* SPDX-License-Identifier: MIT */
/*
 * Frames of the fuzzer, which draws all there is to draw, on chips of several configurations: what
 * must be the same on all of them.
 */
#ifndef V3DSIM_TESTS_FRAMES_H
#define V3DSIM_TESTS_FRAMES_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include <v3d/packets.h>
#include <v3d/regs.h>

#include "fuzz/frame.h"
#include "fuzz/fuzz.h"
#include "v3dsim.h"
#include "xorshift.h"

#define BUDGET 400000
#define STATISTICS 128

struct outcome {
	uint8_t memory[FUZZ_MEMORY_BYTES];
	uint32_t status[2], ca[2], frames, interrupts;
	bool faulted;
	struct v3dsim_fault fault;
	uint64_t statistic[STATISTICS];
	unsigned int statistics;
	enum v3dsim_state state;
};

static uint64_t seed;

static inline uint32_t dice(uint32_t sides)
{
	return (xorshift(&seed) >> 16) % sides;
}

/* Rarely another instruction than the shader has: one that reads what it should not, or ends it */
static inline uint64_t instruction(void)
{
	static const uint64_t some[] = {
		UINT64_C(0x100009e7009e7000),
		UINT64_C(0x300009e7009e7000),
		UINT64_C(0x10020e6715827d80),
		UINT64_C(0x009e7000100009e7),
	};

	return some[dice(sizeof(some) / sizeof(some[0]))];
}

static inline bool region(void *opaque, enum v3dsim_unit unit, uint32_t addr, bool write,
			  struct v3dsim_region *out)
{
	(void)unit;
	(void)write;
	if (addr - FUZZ_MEMORY >= FUZZ_MEMORY_BYTES)
		return false;
	*out = (struct v3dsim_region){ opaque, FUZZ_MEMORY, FUZZ_MEMORY_BYTES, true };
	return true;
}

static inline void take_statistic(void *opaque, const char *name, uint64_t value)
{
	struct outcome *out = opaque;

	(void)name;
	assert_true(out->statistics < STATISTICS);
	out->statistic[out->statistics++] = value;
}

/* Until both lists have ended: with threads, minutes at most, since others use the machine too */
static inline enum v3dsim_state wait_for(struct v3dsim *sim, unsigned int threads)
{
	if (!threads)
		return v3dsim_run(sim, BUDGET);
	for (unsigned int i = 0; i < 5000000; i++) {
		const uint32_t status = v3dsim_read(sim, V3D_CT0CS) | v3dsim_read(sim, V3D_CT1CS);

		if (!(status & V3D_MASK(CTCS, CTRUN)))
			return status & V3D_MASK(CTCS, CTERR) ? V3DSIM_FAULT : V3DSIM_IDLE;
		nanosleep(&(struct timespec){ .tv_nsec = 20000 }, NULL);
	}
	return V3DSIM_BUSY;
}

static inline void look(struct v3dsim *sim, struct outcome *out)
{
	for (unsigned int thread = 0; thread < 2; thread++) {
		out->status[thread] = v3dsim_read(sim, V3D_CTNCS(thread));
		out->ca[thread] = v3dsim_read(sim, V3D_CTNCA(thread));
	}
	out->frames = v3dsim_read(sim, V3D_RFC);
	out->interrupts = v3dsim_read(sim, V3D_INTCTL);
	out->faulted = v3dsim_fault(sim, &out->fault);
	v3dsim_stats(sim, take_statistic, out);
}

/* A frame, twice: what the first one left in the chip is what the second one finds. */
static inline void run(unsigned int number, const struct v3dsim_config *config, struct outcome *out)
{
	const struct v3dsim_host host = { .region = region, .opaque = out->memory };
	struct frame_lists lists;
	struct v3dsim *sim = v3dsim_new(config, &host);

	assert_non_null(sim);
	memset(out, 0, sizeof(*out));
	seed = UINT64_C(0x9e3779b97f4a7c15) * (number + 1);
	frame_make(out->memory, dice, instruction, &lists);
	for (unsigned int n = 0; n < 4 && out->state == V3DSIM_IDLE; n++) {
		/* as drivers must: see the mode "tile-state" */
		memset(out->memory + FRAME_TILE_STATE, 0, FRAME_TILE_STATE_BYTES);
		v3dsim_write(sim, V3D_CTNCA(n % 2), lists.start[n % 2]);
		v3dsim_write(sim, V3D_CTNEA(n % 2), lists.end[n % 2]);
		out->state = wait_for(sim, config->threads);
	}
	v3dsim_stop(sim);
	look(sim, out);
	v3dsim_free(sim);
}

static inline void compare(unsigned int number, const char *what, const struct outcome *a,
			   const struct outcome *b)
{
	bool good = !memcmp(a->memory, b->memory, sizeof(a->memory)) &&
		    !memcmp(a->status, b->status, sizeof(a->status)) &&
		    !memcmp(a->ca, b->ca, sizeof(a->ca)) && a->frames == b->frames &&
		    a->interrupts == b->interrupts && a->faulted == b->faulted &&
		    !strcmp(a->fault.text, b->fault.text);

	for (unsigned int n = 0; n < a->statistics && !a->faulted; n++) {
		if (a->statistic[n] != b->statistic[n])
			print_message("# statistic %u: %llu, %llu\n", n,
				      (unsigned long long)a->statistic[n],
				      (unsigned long long)b->statistic[n]);
		good &= a->statistic[n] == b->statistic[n];
	}
	for (unsigned int n = 0; n < sizeof(a->memory); n++) {
		if (a->memory[n] == b->memory[n])
			continue;
		print_message("# memory 0x%x: %02x, %02x\n", n, a->memory[n], b->memory[n]);
		break;
	}
	if (!good)
		print_message("# frame %u, %s: \"%s\", \"%s\"\n", number, what, a->fault.text,
			      b->fault.text);
	assert_true(good);
}

#endif /* V3DSIM_TESTS_FRAMES_H */
