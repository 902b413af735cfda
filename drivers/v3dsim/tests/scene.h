/* SPDX-License-Identifier: MIT */
/*
 * A chip in the middle of a tile, a primitive and a shader: what tests of the pixel pipeline stand
 * on.
 */
#ifndef V3DSIM_TESTS_SCENE_H
#define V3DSIM_TESTS_SCENE_H

#include <v3dcl_qpu_build.h>

#include "chip.h"

#include "front/pse.h"

#define CODE (MEMORY + 0x10000)
#define UNIFORMS (MEMORY + 0x20000)
#define SIZE 128

/* A chip in the middle of a tile, and what it draws with */
struct scene {
	struct chip *chip;
	struct v3dsim *sim;
	struct vertex vertex[3];
	struct primitive_shader shader;
	struct primitive primitive;
	uint64_t code[64];
	struct qb b;
};

static inline void put_state(struct scene *s, enum cle_slot slot, const uint8_t *bytes, size_t len)
{
	memcpy(s->sim->cle->threads[1].state.record[slot], bytes, len);
}

#define STATE(s, slot, ...) do { \
	const uint8_t state_bytes[] = { __VA_ARGS__ }; \
	put_state(s, slot, state_bytes, sizeof(state_bytes)); \
} while (0)

static inline void configure(struct scene *s, uint32_t bits)
{
	STATE(s, CLE_CONFIGURATION, 96, (uint8_t)bits, (uint8_t)(bits >> 8), (uint8_t)(bits >> 16));
}

#define BOTH_FACES 3u

static inline int setup(void **state)
{
	struct scene *s = calloc(1, sizeof(*s));

	assert_non_null(s);
	s->chip = chip_new(NULL);
	s->sim = s->chip->sim;
	s->sim->tlb->mode.width = s->sim->tlb->mode.height = SIZE;
	configure(s, BOTH_FACES);
	s->shader = (struct primitive_shader){ .code = CODE, .uniforms = UNIFORMS };
	s->primitive = (struct primitive){
		.kind = V3D_LIST_TRIANGLES,
		.vertex = { &s->vertex[0], &s->vertex[1], &s->vertex[2] },
		.provoking = 2,
		.shader = &s->shader,
	};
	for (unsigned int n = 0; n < 3; n++) {
		s->vertex[n].zs = 0.5f;
		s->vertex[n].one_over_wc = 1;
	}
	qb_init(&s->b, s->code, 64);
	*state = s;
	return 0;
}

static inline int teardown(void **state)
{
	struct scene *s = *state;

	chip_free(s->chip);
	free(s);
	return 0;
}

/* The shader written so far */
static inline void place_shader(struct scene *s)
{
	assert_false(s->b.failed);
	chip_put(s->chip, CODE, (const uint8_t *)s->code, s->b.count * sizeof(*s->code));
}

static inline void at(struct scene *s, unsigned int n, double x, double y)
{
	s->vertex[n].xs = (int16_t)(x * 16);
	s->vertex[n].ys = (int16_t)(y * 16);
}

static inline enum sim_result draw(struct scene *s)
{
	uint64_t budget = 100000;

	return pse_primitive(s->sim, &s->primitive, &budget);
}

/*
 * A pixel of the tile: what tests of the tile buffer found out about its layout is not repeated
 * here.
 */
static inline uint32_t pixel(struct scene *s, unsigned int x, unsigned int y)
{
	return s->sim->tlb->buffers[0]
		.color[tlb_quad(&s->sim->tlb->mode, x & ~1u, y & ~1u) + 2 * (y & 1) + (x & 1)];
}

static inline void put_uniform(struct scene *s, uint32_t value)
{
	const uint8_t bytes[] = { LE32(value) };

	chip_put(s->chip, UNIFORMS, bytes, sizeof(bytes));
}

static inline void square_at(struct scene *s, double x, double y, double size)
{
	at(s, 0, x, y);
	at(s, 1, x + 2 * size, y);
	at(s, 2, x, y + 2 * size);
}

#endif /* V3DSIM_TESTS_SCENE_H */
