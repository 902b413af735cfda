// SPDX-License-Identifier: MIT
/*
 * From a shaded primitive to pixels in the tile buffer: vertices made here, hand-assembled fragment shaders, expectations worked out
 * from AG100 p. 45 to 52 and from what pse.h and fep.h say they chose.
 */
#include <v3dcl_qpu_build.h>

#include "chip.h"

#include "pse.h"

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

static void put_state(struct scene *s, enum cle_slot slot, const uint8_t *bytes, size_t len)
{
	memcpy(s->sim->cle.threads[1].state.record[slot], bytes, len);
}

#define STATE(s, slot, ...) do { \
	const uint8_t state_bytes[] = { __VA_ARGS__ }; \
	put_state(s, slot, state_bytes, sizeof(state_bytes)); \
} while (0)

static void configure(struct scene *s, uint32_t bits)
{
	STATE(s, CLE_CONFIGURATION, 96, (uint8_t)bits, (uint8_t)(bits >> 8), (uint8_t)(bits >> 16));
}

#define BOTH_FACES 3u

static int setup(void **state)
{
	struct scene *s = calloc(1, sizeof(*s));

	assert_non_null(s);
	s->chip = chip_new(NULL);
	s->sim = s->chip->sim;
	s->sim->tlb.mode.width = s->sim->tlb.mode.height = SIZE;
	configure(s, BOTH_FACES);
	s->shader = (struct primitive_shader){ .code = CODE, .uniforms = UNIFORMS };
	s->primitive = (struct primitive){
		.kind = V3D_LIST_TRIANGLES, .vertex = { &s->vertex[0], &s->vertex[1], &s->vertex[2] }, .provoking = 2,
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

static int teardown(void **state)
{
	struct scene *s = *state;

	chip_free(s->chip);
	free(s);
	return 0;
}

/* The shader written so far */
static void place_shader(struct scene *s)
{
	assert_false(s->b.failed);
	chip_put(s->chip, CODE, (const uint8_t *)s->code, s->b.count * sizeof(*s->code));
}

/* Writes the next uniform as the colour. */
static void flat_shader(struct scene *s)
{
	qb_emit(&s->b, qb_mov(QB_IO(V3D_QPU_W_TLB_COLOUR_ALL), QB_UNIF));
	qb_end(&s->b);
	place_shader(s);
}

static struct v3d_qpu_inst interpolate(uint16_t to)
{
	return qb_mul(V3D_QPU_MUL_FMUL, to, QB_RA(15), QB_RB(V3D_QPU_R_VARYING));
}

/* Three varyings as red, green and blue; alpha is 0. */
static void gouraud_shader(struct scene *s)
{
	const struct v3d_qpu_inst add = qb_add(V3D_QPU_ADD_FADD, QB_R0, QB_R0, QB_R5);

	qb_emit(&s->b, interpolate(QB_R0));
	qb_emit(&s->b, qb_both(add, interpolate(QB_R1)));
	qb_emit(&s->b, qb_both(qb_add(V3D_QPU_ADD_FADD, QB_R1, QB_R1, QB_R5), interpolate(QB_R2)));
	qb_emit(&s->b, qb_add(V3D_QPU_ADD_FADD, QB_R2, QB_R2, QB_R5));
	qb_emit(&s->b, qb_mul(V3D_QPU_MUL_V8MIN, QB_R3, qb_imm(0), qb_imm(0)));
	qb_emit(&s->b, qb_pack(4, true, qb_mul(V3D_QPU_MUL_FMUL, QB_R3, QB_R0, qb_imm_float(0))));
	qb_emit(&s->b, qb_pack(5, true, qb_mul(V3D_QPU_MUL_FMUL, QB_R3, QB_R1, qb_imm_float(0))));
	qb_emit(&s->b, qb_pack(6, true, qb_mul(V3D_QPU_MUL_FMUL, QB_R3, QB_R2, qb_imm_float(0))));
	qb_emit(&s->b, qb_mov(QB_IO(V3D_QPU_W_TLB_COLOUR_ALL), QB_R3));
	qb_end(&s->b);
	s->shader.varyings = 3;
	place_shader(s);
}

static void at(struct scene *s, unsigned int n, double x, double y)
{
	s->vertex[n].xs = (int16_t)(x * 16);
	s->vertex[n].ys = (int16_t)(y * 16);
}

static enum cle_result draw(struct scene *s)
{
	uint64_t budget = 100000;

	return pse_primitive(s->sim, &s->primitive, &budget);
}

/* A pixel of the tile: what tests of the tile buffer found out about its layout is not repeated here. */
static uint32_t pixel(struct scene *s, unsigned int x, unsigned int y)
{
	return s->sim->tlb.buffers[0].color[tlb_quad(&s->sim->tlb.mode, x & ~1u, y & ~1u) + 2 * (y & 1) + (x & 1)];
}

static unsigned int count(struct scene *s, uint32_t color)
{
	unsigned int n = 0;

	for (unsigned int y = 0; y < 64; y++)
		for (unsigned int x = 0; x < 64; x++)
			n += pixel(s, x, y) == color;
	return n;
}

static void put_uniform(struct scene *s, uint32_t value)
{
	const uint8_t bytes[] = { LE32(value) };

	chip_put(s->chip, UNIFORMS, bytes, sizeof(bytes));
}

/* (0, 0), (8, 0), (0, 8): pixel (x, y) is inside if x + y + 1 < 8; where it equals 8 the centre is on the third edge, a right one. */
static void test_triangle(void **state)
{
	struct scene *s = *state;

	flat_shader(s);
	put_uniform(s, 0xff112233);
	at(s, 0, 0, 0);
	at(s, 1, 8, 0);
	at(s, 2, 0, 8);
	assert_int_equal(draw(s), CLE_DONE);
	for (unsigned int y = 0; y < 64; y++)
		for (unsigned int x = 0; x < 64; x++)
			assert_int_equal(pixel(s, x, y), x + y + 1 < 8 ? 0xff112233 : 0);
	assert_int_equal(count(s, 0xff112233), 28);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_triangle, setup, teardown),
	};

	(void)gouraud_shader;
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests_name("pse", tests, NULL, NULL);
}
