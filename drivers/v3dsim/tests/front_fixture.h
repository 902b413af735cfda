/* SPDX-License-Identifier: MIT */
/*
 * What tests of the front end stand on: a chip whose binner and primitive set-up only write down
 * the primitives that reach them.
 */
#ifndef V3DSIM_TESTS_FRONT_FIXTURE_H
#define V3DSIM_TESTS_FRONT_FIXTURE_H

#include <v3dcl_qpu_build.h>

#include "chip.h"

#include "front/pse.h"

#define SHADER (MEMORY + 0x10000)	/* where things are by convention */
#define VERTICES (MEMORY + 0x20000)
#define INDICES (MEMORY + 0x40000)
#define CODE (MEMORY + 0x50000)
#define UNIFORMS (MEMORY + 0x60000)
#define RECORDED 512

/* A primitive, with its vertices as they were when it came */
struct recorded {
	struct primitive primitive;
	struct primitive_shader shader;
	struct vertex vertex[3], flat;
};

/* @count of them; @out_of_memory: the binner takes none */
struct recorder {
	struct recorded seen[RECORDED];
	unsigned int count;
	bool out_of_memory;
};

static struct recorder recorder;

static inline void record(const struct primitive *primitive)
{
	struct recorded *r = &recorder.seen[recorder.count++];

	assert_true(recorder.count < RECORDED);
	memset(r, 0, sizeof(*r));
	r->primitive = *primitive;
	r->shader = *primitive->shader;
	r->flat = *primitive->flat;
	for (unsigned int n = 0; n < v3d_list_vertices(primitive->kind); n++)
		r->vertex[n] = *primitive->vertex[n];
}

/* The linker calls these instead of the functions that they are named after. */
enum sim_result __wrap_pse_primitive(struct v3dsim *sim, const struct primitive *primitive,
				     uint64_t *budget);
enum ptb_result __wrap_ptb_primitive(struct v3dsim *sim, const struct primitive *primitive,
				     uint64_t *budget);

enum sim_result __wrap_pse_primitive(struct v3dsim *sim, const struct primitive *primitive,
				     uint64_t *budget)
{
	(void)sim;
	if (!*budget)
		return SIM_MORE;
	--*budget;
	record(primitive);
	return SIM_DONE;
}

enum ptb_result __wrap_ptb_primitive(struct v3dsim *sim, const struct primitive *primitive,
				     uint64_t *budget)
{
	(void)sim;
	(void)budget;
	if (recorder.out_of_memory)
		return PTB_OUT_OF_MEMORY;
	record(primitive);
	return PTB_DONE;
}

static inline int front_setup(void **state)
{
	memset(&recorder, 0, sizeof(recorder));
	return chip_setup(state);
}

static inline void put_words(struct chip *chip, uint32_t addr, const uint32_t *words, size_t count)
{
	chip_put(chip, addr, (const uint8_t *)words, count * sizeof(*words));
}

static inline uint32_t bits_of(float value)
{
	uint32_t bits;

	memcpy(&bits, &value, sizeof(bits));
	return bits;
}

/* Vertices of NV mode, without anything but coordinates: vertex n is at (n, -n). */
static inline void nv_vertices(struct chip *chip, unsigned int count)
{
	const uint32_t shader[4] = { 12 << 8, CODE, UNIFORMS, VERTICES };

	put_words(chip, SHADER, shader, 4);
	for (unsigned int n = 0; n < count; n++) {
		const uint32_t vertex[3] = { (n & 0xffff) | -n << 16, bits_of(0.25f), bits_of(2) };

		put_words(chip, VERTICES + 12 * n, vertex, 3);
	}
}

/* Binning mode and start: the rest of thread 0's list may draw. */
static inline void start_binning(struct chip *chip)
{
	LIST(chip, 0, 112, LE32(MEMORY + 0x300000), LE32(0x10000), LE32(MEMORY + 0x320000), 1, 1, 4,
	     6);
}

/* The vertices of all primitives that came, against indices typed one after the other */
static inline void expect_indices(unsigned int vertices, const uint32_t *indices, size_t count)
{
	assert_int_equal(recorder.count, count / vertices);
	for (size_t n = 0; n < count; n++)
		assert_int_equal(recorder.seen[n / vertices].vertex[n % vertices].index,
				 indices[n]);
	recorder.count = 0;
}

#define EXPECT(vertices, ...) do { \
	const uint32_t indices[] = { __VA_ARGS__ }; \
	expect_indices(vertices, indices, sizeof(indices) / sizeof(indices[0])); \
} while (0)

#endif /* V3DSIM_TESTS_FRONT_FIXTURE_H */
