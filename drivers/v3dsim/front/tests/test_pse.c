// SPDX-License-Identifier: MIT
/*
 * From a shaded primitive to pixels in the tile buffer: vertices made here, hand-assembled fragment
 * shaders, expectations worked out from AG100 p. 45 to 52 and from what pse.h and fep.h say they
 * chose.
 */
#include "tests/scene.h"

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

static unsigned int count(struct scene *s, uint32_t color)
{
	unsigned int n = 0;

	for (unsigned int y = 0; y < 64; y++)
		for (unsigned int x = 0; x < 64; x++)
			n += pixel(s, x, y) == color;
	return n;
}

/*
 * (0, 0), (8, 0), (0, 8): pixel (x, y) is inside if x + y + 1 < 8; at 8 the centre is on the third
 * edge, a right one.
 */
static void test_triangle(void **state)
{
	struct scene *s = *state;

	flat_shader(s);
	put_uniform(s, 0xff112233);
	at(s, 0, 0, 0);
	at(s, 1, 8, 0);
	at(s, 2, 0, 8);
	assert_int_equal(draw(s), SIM_DONE);
	for (unsigned int y = 0; y < 64; y++)
		for (unsigned int x = 0; x < 64; x++)
			assert_int_equal(pixel(s, x, y), x + y + 1 < 8 ? 0xff112233 : 0);
	assert_int_equal(count(s, 0xff112233), 28);
}

static uint32_t bits(float f)
{
	uint32_t word;

	memcpy(&word, &f, sizeof(word));
	return word;
}

static void color_vertex(struct scene *s, unsigned int n, float r, float g, float b)
{
	s->vertex[n].varying[0] = r;
	s->vertex[n].varying[1] = g;
	s->vertex[n].varying[2] = b;
}

static void assert_near(uint32_t color, const double *expected)
{
	for (unsigned int n = 0; n < 3; n++) {
		const double channel = color >> 8 * n & 0xff, wanted = expected[n] * 255;

		assert_true(channel - wanted <= 1 && wanted - channel <= 1);
	}
}

/*
 * Red, green and blue at the corners of a triangle: weights are areas. With 1 / Wc given, weights
 * are divided by Wc.
 */
static void check_gouraud(struct scene *s, double wc0, double wc1, double wc2)
{
	const double wc[3] = { wc0, wc1, wc2 };

	for (unsigned int n = 0; n < 3; n++)
		s->vertex[n].one_over_wc = 1 / wc[n];
	color_vertex(s, 0, 1, 0, 0);
	color_vertex(s, 1, 0, 1, 0);
	color_vertex(s, 2, 0, 0, 1);
	at(s, 0, 2, 3);
	at(s, 1, 60, 10);
	at(s, 2, 20, 62);
	assert_int_equal(draw(s), SIM_DONE);
	for (unsigned int y = 4; y < 62; y++) {
		for (unsigned int x = 4; x < 60; x++) {
			const double px = x + 0.5, py = y + 0.5, area = 58 * 59 - 18 * 7;
			double weight[3], sum;

			weight[0] = ((60 - px) * (62 - py) - (20 - px) * (10 - py)) / area;
			weight[1] = ((20 - px) * (3 - py) - (2 - px) * (62 - py)) / area;
			weight[2] = ((2 - px) * (10 - py) - (60 - px) * (3 - py)) / area;
			if (weight[0] <= 0 || weight[1] <= 0 || weight[2] <= 0) {
				assert_int_equal(pixel(s, x, y), 0);
				continue;
			}
			for (unsigned int n = 0; n < 3; n++)
				weight[n] /= wc[n];
			sum = weight[0] + weight[1] + weight[2];
			for (unsigned int n = 0; n < 3; n++)
				weight[n] /= sum;
			assert_near(pixel(s, x, y), weight);
		}
	}
}

static void test_gouraud(void **state)
{
	struct scene *s = *state;

	gouraud_shader(s);
	check_gouraud(s, 1, 1, 1);
}

static void test_perspective(void **state)
{
	struct scene *s = *state;

	gouraud_shader(s);
	check_gouraud(s, 1, 4, 0.5);
}

/* Varying 1 is flat: the provoking vertex's, or that of the vertex which is named. */
static void test_flat_flags(void **state)
{
	struct scene *s = *state;
	struct vertex original = { .varying = { 0, 0.8f, 0 } };

	gouraud_shader(s);
	STATE(s, CLE_FLAT_SHADE, 97, 2, 0, 0, 0);
	for (unsigned int n = 0; n < 3; n++)
		color_vertex(s, n, 1, n / 10.0f, 1);
	s->vertex[1].one_over_wc = 3;
	at(s, 0, 0, 0);
	at(s, 1, 32, 0);
	at(s, 2, 0, 32);
	s->primitive.provoking = 1;
	assert_int_equal(draw(s), SIM_DONE);
	assert_int_equal(pixel(s, 5, 5), 0xff1aff);	/* 0.1 * 255 = 25.5, rounded up */
	assert_int_equal(pixel(s, 20, 3), 0xff1aff);
	s->primitive.flat = &original;
	assert_int_equal(draw(s), SIM_DONE);
	assert_int_equal(pixel(s, 5, 5), 0xffccff);	/* 0.8 * 255 = 204 */
}

/* Record 102 in a tile at (64, 0), a viewport at (80, 8), a frame 100 pixels wide */
static void test_window(void **state)
{
	struct scene *s = *state;

	flat_shader(s);
	put_uniform(s, 1);
	s->sim->tlb->column = 1;
	s->sim->tlb->mode.width = 100;
	STATE(s, CLE_CLIP_WINDOW, 102, LE16(70), LE16(5), LE16(50), LE16(8));
	STATE(s, CLE_VIEWPORT, 103, LE16(80 * 16), LE16(8 * 16));
	square_at(s, -100, -100, 400);
	assert_int_equal(draw(s), SIM_DONE);
	for (unsigned int y = 0; y < 64; y++)
		for (unsigned int x = 0; x < 64; x++)
			assert_int_equal(pixel(s, x, y),
					 x >= 70 - 64 && x < 100 - 64 && y >= 5 && y < 13);
	at(s, 0, 1, -2);		/* (81, 6), (85, 6), (81, 10) in the frame */
	at(s, 1, 5, -2);
	at(s, 2, 1, 2);
	put_uniform(s, 2);
	assert_int_equal(draw(s), SIM_DONE);
	assert_int_equal(count(s, 2), 6);
	assert_int_equal(pixel(s, 81 - 64, 6), 2);
	assert_int_equal(pixel(s, 83 - 64, 6), 2);
	assert_int_equal(pixel(s, 84 - 64, 6), 1);
}

/* Record 96: which way a triangle must go round to be drawn, and what REV_FLAG says */
static void test_facing(void **state)
{
	struct scene *s = *state;
	static const struct {
		uint32_t bits;
		bool clockwise, drawn, reverse;
	} ways[] = {
		{ 1, false, true, false }, { 1, true, false, false }, { 2, false, false, false },
		{ 2, true, true, true }, { 4 | 1, true, true, false },
		{ 4 | 2, true, false, false }, { 4 | 2, false, true, true },
		{ 0, false, false, false },
	};

	qb_emit(&s->b, qb_add(V3D_QPU_ADD_ADD, QB_IO(V3D_QPU_W_TLB_COLOUR_ALL),
			      QB_RB(V3D_QPU_R_MS_REV_FLAGS), QB_RA(0)));
	qb_end(&s->b);
	place_shader(s);
	for (unsigned int n = 0; n < sizeof(ways) / sizeof(ways[0]); n++) {
		const uint32_t expected = ways[n].drawn ? ways[n].reverse : ~0u;
		const uint64_t reversed = s->sim->pctr.totals[V3D_COUNTER_pse_primitives_reversed];

		memset(s->sim->tlb->buffers[0].color, 0xff, sizeof(s->sim->tlb->buffers[0].color));
		configure(s, ways[n].bits);
		square_at(s, 0, 0, 16);
		if (ways[n].clockwise) {
			at(s, 1, 0, 32);
			at(s, 2, 32, 0);
		}
		assert_int_equal(draw(s), SIM_DONE);
		assert_int_equal(pixel(s, 3, 3), expected);
		assert_int_equal(s->sim->pctr.totals[V3D_COUNTER_pse_primitives_reversed] -
					 reversed,
				 !ways[n].drawn);
	}
}

/* Z as rb15 has it: nearest of zs * 0xffffff, clamped, and moved by record 101 */
static void test_z(void **state)
{
	struct scene *s = *state;

	qb_emit(&s->b, qb_mov(QB_IO(V3D_QPU_W_TLB_COLOUR_ALL), QB_RB(15)));
	qb_end(&s->b);
	place_shader(s);
	square_at(s, 0, 0, 32);
	assert_int_equal(draw(s), SIM_DONE);
	assert_int_equal(pixel(s, 0, 0), 0x800000);
	assert_int_equal(pixel(s, 31, 20), 0x800000);
	/* 0 at x = 0, 1 at x = 64: 1/64 a pixel, 262143.98 */
	s->vertex[0].zs = s->vertex[2].zs = 0;
	s->vertex[1].zs = 1;
	assert_int_equal(draw(s), SIM_DONE);
	assert_int_equal(pixel(s, 0, 0), 131072);
	assert_int_equal(pixel(s, 1, 0), 393216);
	assert_int_equal(pixel(s, 40, 9), 10616831);	/* 40.5 / 64 * 16777215 = 10616831.4 */
	/* factor 2, units 100: 524287.97 + 100 more, as long as the configuration says so */
	STATE(s, CLE_DEPTH_OFFSET, 101, LE16(bits(2) >> 16), LE16(bits(100) >> 16));
	assert_int_equal(draw(s), SIM_DONE);
	assert_int_equal(pixel(s, 0, 0), 131072);
	configure(s, BOTH_FACES | 8);
	assert_int_equal(draw(s), SIM_DONE);
	assert_int_equal(pixel(s, 0, 0), 131072 + 524288 + 100);
	assert_int_equal(pixel(s, 62, 0), 0xffffff);
	s->vertex[1].zs = -1;
	configure(s, BOTH_FACES);
	assert_int_equal(draw(s), SIM_DONE);
	assert_int_equal(pixel(s, 5, 0), 0);
}

/* X_PIXEL_COORD and Y_PIXEL_COORD, in a tile that is not the first */
static void test_coordinates(void **state)
{
	struct scene *s = *state;

	qb_emit(&s->b, qb_mov(QB_R0, QB_RA(V3D_QPU_R_PIXEL_COORD)));
	qb_emit(&s->b, qb_mov(QB_R1, QB_RB(V3D_QPU_R_PIXEL_COORD)));
	qb_emit(&s->b, qb_add(V3D_QPU_ADD_SHL, QB_R1, QB_R1, qb_imm(8)));
	qb_emit(&s->b, qb_add(V3D_QPU_ADD_OR, QB_IO(V3D_QPU_W_TLB_COLOUR_ALL), QB_R0, QB_R1));
	qb_end(&s->b);
	place_shader(s);
	s->sim->tlb->column = s->sim->tlb->row = 1;
	square_at(s, 0, 0, 128);
	assert_int_equal(draw(s), SIM_DONE);
	for (unsigned int y = 0; y < 64; y++)
		for (unsigned int x = 0; x < 64; x++)
			assert_int_equal(pixel(s, x, y), (64 + y) << 8 | (64 + x));
}

static void set_line(struct scene *s, double x0, double y0, double x1, double y1)
{
	memset(s->sim->tlb->buffers[0].color, 0, sizeof(s->sim->tlb->buffers[0].color));
	s->primitive.kind = V3D_LIST_LINES;
	s->primitive.provoking = 1;
	at(s, 0, x0, y0);
	at(s, 1, x1, y1);
	assert_int_equal(draw(s), SIM_DONE);
}

/*
 * One pixel a column, or a row where the line is steep; the first end is drawn, the last one is not
 */
static void test_lines(void **state)
{
	struct scene *s = *state;

	flat_shader(s);
	put_uniform(s, 1);
	set_line(s, 2.5, 5.5, 10.5, 5.5);
	for (unsigned int x = 0; x < 20; x++)
		assert_int_equal(pixel(s, x, 5), x >= 2 && x < 10);
	assert_int_equal(count(s, 1), 8);
	set_line(s, 10.5, 5.5, 2.5, 5.5);
	for (unsigned int x = 0; x < 20; x++)
		assert_int_equal(pixel(s, x, 5), x > 2 && x <= 10);
	assert_int_equal(count(s, 1), 8);
	set_line(s, 0, 0, 32, 8);		/* (x + 0.5) / 4 rounded down */
	for (unsigned int x = 0; x < 32; x++)
		assert_int_equal(pixel(s, x, (2 * x + 1) / 8), 1);
	assert_int_equal(count(s, 1), 32);
	set_line(s, 20.5, 40, 12.5, 8);
	assert_int_equal(count(s, 1), 32);
	STATE(s, CLE_LINE_WIDTH, 99, LE32(bits(4)));
	/* columns 9 to 12: from 8.5, which is in, to 12.5, which is not */
	set_line(s, 10.5, 20.5, 10.5, 30.5);
	assert_int_equal(count(s, 1), 40);
	assert_int_equal(pixel(s, 8, 20), 1);
	assert_int_equal(pixel(s, 11, 29), 1);
	assert_int_equal(pixel(s, 12, 25), 0);
	set_line(s, 10, 10, 10, 10);
	assert_int_equal(count(s, 1), 0);
}

/* Along a line varyings go from end to end; the one before them from side to side. */
static void test_line_varyings(void **state)
{
	struct scene *s = *state;

	gouraud_shader(s);		/* reads three: the line's own and two */
	s->shader.varyings = 2;
	s->vertex[1].varying[0] = 1;
	s->vertex[1].varying[1] = s->vertex[0].varying[1] = 0.5f;
	STATE(s, CLE_LINE_WIDTH, 99, LE32(bits(8)));
	set_line(s, 0, 16, 64, 16);
	for (unsigned int y = 12; y < 20; y++)
		for (unsigned int x = 0; x < 64; x++)
			assert_near(pixel(s, x, y),
				    (const double[]){ (y - 11.5) / 8, (x + 0.5) / 64, 0.5 });
	assert_int_equal(pixel(s, 3, 11) | pixel(s, 3, 20), 0);
}

/*
 * A square around the vertex, of record 98's size or the vertex's; (0, 0) is its upper left corner.
 */
static void test_points(void **state)
{
	struct scene *s = *state;

	gouraud_shader(s);
	s->shader.varyings = 1;
	s->primitive.kind = V3D_LIST_POINTS;
	s->primitive.provoking = 0;
	s->vertex[0].varying[0] = 0.25f;
	s->vertex[0].point_size = 4;
	at(s, 0, 20, 30);
	STATE(s, CLE_POINT_SIZE, 98, LE32(bits(16)));
	assert_int_equal(draw(s), SIM_DONE);
	for (unsigned int y = 0; y < 64; y++) {
		for (unsigned int x = 0; x < 64; x++) {
			if (x < 12 || x >= 28 || y < 22 || y >= 38)
				assert_int_equal(pixel(s, x, y), 0);
			else
				assert_near(pixel(s, x, y),
					    (const double[]){ (x - 11.5) / 16, (37.5 - y) / 16,
							      0.25 });
		}
	}
	memset(s->sim->tlb->buffers[0].color, 0, sizeof(s->sim->tlb->buffers[0].color));
	s->shader.point_size = true;
	assert_int_equal(draw(s), SIM_DONE);
	assert_int_equal(count(s, 0), 64 * 64 - 16);
	assert_int_not_equal(pixel(s, 18, 28), 0);
	assert_int_not_equal(pixel(s, 21, 31), 0);
}

/* Between the line from (10, 0) to (20, 20) and x = 40, or x = 5: on either side (SW) */
static void test_rht(void **state)
{
	struct scene *s = *state;

	flat_shader(s);
	put_uniform(s, 1);
	s->primitive.kind = V3D_LIST_RHT;
	s->primitive.provoking = 1;
	for (unsigned int turned = 0; turned < 4; turned++) {
		const bool left = turned & 2;

		STATE(s, CLE_RHT_X, 100, LE16((left ? 5 : 40) * 16));
		memset(s->sim->tlb->buffers[0].color, 0, sizeof(s->sim->tlb->buffers[0].color));
		at(s, turned & 1, 10, 0);
		at(s, !(turned & 1), 20, 20);
		assert_int_equal(draw(s), SIM_DONE);
		for (unsigned int y = 0; y < 64; y++)
			for (unsigned int x = 0; x < 64; x++) {
				const bool right = 2 * (x + 0.5 - 10) >= y + 0.5;

				assert_int_equal(pixel(s, x, y),
						 y < 20 && right != left && x >= 5 && x < 40);
			}
	}
}

/*
 * What is right of x = 1/2: samples 1 and 3 of the first column, or all where record 96 asks for
 * centres only, which lie on it
 */
static void test_samples(void **state)
{
	struct scene *s = *state;
	const uint32_t *color = s->sim->tlb->buffers[0].color;

	flat_shader(s);
	put_uniform(s, 1);
	s->sim->tlb->mode.multisample = 1;
	at(s, 0, 0.5, -60);
	at(s, 1, 120, -60);
	at(s, 2, 0.5, 60);
	for (unsigned int four = 0; four < 2; four++) {
		memset(s->sim->tlb->buffers[0].color, 0, sizeof(s->sim->tlb->buffers[0].color));
		configure(s, BOTH_FACES | four << 6);
		assert_int_equal(draw(s), SIM_DONE);
		for (unsigned int n = 0; n < 4; n++) {
			assert_int_equal(color[tlb_quad(&s->sim->tlb->mode, 0, 4) + 4 * n],
					 !four || n & 1);
			assert_int_equal(color[tlb_quad(&s->sim->tlb->mode, 0, 4) + 4 * n + 1], 1);
		}
	}
}

/* The same to the coverage pipe: columns 2 and 3 of the 4 x 4 parts of a pixel */
static void test_coverage(void **state)
{
	struct scene *s = *state;
	const uint32_t *zs = s->sim->tlb->buffers[0].zs;

	configure(s, BOTH_FACES | 2 << 6 | 1 << 8 | 2 << 9);
	at(s, 0, 0.5, -60);
	at(s, 1, 120, -60);
	at(s, 2, 0.5, 60);
	assert_int_equal(draw(s), SIM_DONE);
	assert_int_equal(zs[tlb_quad(&s->sim->tlb->mode, 0, 4)], 0xcccc);
	assert_int_equal(zs[tlb_quad(&s->sim->tlb->mode, 0, 4) + 1], 0xffff);
	assert_int_equal(pixel(s, 0, 4), 0);
}

/* AG100 Table 82, sources 0, 1 and 3 */
static void test_counters(void **state)
{
	struct scene *s = *state;
	const uint64_t *totals = s->sim->pctr.totals;

	flat_shader(s);
	square_at(s, 0, 0, 4);		/* 8 pixels each way: 4 + 3 + 2 + 1 quads */
	assert_int_equal(draw(s), SIM_DONE);
	assert_int_equal(totals[V3D_COUNTER_fep_primitives], 1);
	assert_int_equal(totals[V3D_COUNTER_fep_valid_quads], 10);
	square_at(s, 100, 0, 4);	/* in another tile */
	assert_int_equal(draw(s), SIM_DONE);
	square_at(s, 0.6, 0.6, 0.1);	/* between centres */
	assert_int_equal(draw(s), SIM_DONE);
	at(s, 2, 0.6, 0.6);		/* no area */
	assert_int_equal(draw(s), SIM_DONE);
	assert_int_equal(totals[V3D_COUNTER_fep_primitives], 3);
	assert_int_equal(totals[V3D_COUNTER_fep_primitives_no_pixels], 2);
	assert_int_equal(totals[V3D_COUNTER_fep_valid_quads], 10);
	/* 3 batches of 4 instructions */
	assert_int_equal(totals[V3D_COUNTER_qpu_fragment_cycles], 3 * 4 * 4);
}

/* Source 2: quads that early Z takes out, here those at the left of 4 + 3 + 2 + 1 */
static void test_clipped_quads(void **state)
{
	struct scene *s = *state;
	uint32_t *zs = s->sim->tlb->buffers[0].zs;

	flat_shader(s);
	put_uniform(s, 7);
	configure(s, BOTH_FACES | 1 << 12 | 1 << 16);		/* less; early Z */
	s->sim->tlb->shadow_stale = false;
	for (unsigned int n = 0; n < TLB_PIXELS; n++)
		zs[n] = 0xffffff00;
	for (unsigned int y = 0; y < 8; y += 2)
		memset(&zs[tlb_quad(&s->sim->tlb->mode, 0, y)], 0, 4 * sizeof(*zs));
	square_at(s, 0, 0, 4);
	assert_int_equal(draw(s), SIM_DONE);
	assert_int_equal(s->sim->pctr.totals[V3D_COUNTER_fep_clipped_quads], 4);
	assert_int_equal(s->sim->pctr.totals[V3D_COUNTER_fep_valid_quads], 10);
	assert_int_equal(s->sim->pctr.totals[V3D_COUNTER_tlb_quads_written], 6);
	assert_int_equal(pixel(s, 1, 1), 0);
	assert_int_equal(pixel(s, 2, 1), 7);
}

/* A budget of one instruction at a time, and whatever registers hold before: the same picture */
static void test_resumed(void **state)
{
	struct scene *s = *state;
	uint32_t whole[TLB_PIXELS];
	unsigned int calls = 0;
	enum sim_result result;

	gouraud_shader(s);
	check_gouraud(s, 1, 2, 3);
	memcpy(whole, s->sim->tlb->buffers[0].color, sizeof(whole));
	memset(s->sim->tlb->buffers[0].color, 0, sizeof(whole));
	do {
		uint64_t budget = 1;

		result = pse_primitive(s->sim, &s->primitive, &budget);
		assert_true(result == SIM_DONE || result == SIM_MORE);
		calls++;
	} while (result != SIM_DONE);
	assert_true(calls > 1000);
	assert_memory_equal(whole, s->sim->tlb->buffers[0].color, sizeof(whole));
}

/* A register that was never written is 0, whatever the batch before left in it. */
static void test_clean_registers(void **state)
{
	struct scene *s = *state;

	qb_emit(&s->b, qb_add(V3D_QPU_ADD_OR, QB_R3, QB_RA(7), QB_R2));
	qb_emit(&s->b, qb_add(V3D_QPU_ADD_OR, QB_R3, QB_R3, QB_RB(9)));
	qb_emit(&s->b, qb_if(V3D_QPU_COND_ZS, qb_mov(QB_R3, qb_imm(9))));
	qb_emit(&s->b, qb_flags(qb_mov(QB_RA(7), qb_imm(-1))));
	qb_emit(&s->b, qb_mov(QB_RB(9), qb_imm(5)));
	qb_emit(&s->b, qb_mov(QB_R2, qb_imm(3)));
	qb_emit(&s->b, qb_flags(qb_mov(QB_NONE, qb_imm(0))));
	qb_emit(&s->b, qb_mov(QB_IO(V3D_QPU_W_TLB_COLOUR_ALL), QB_R3));
	qb_end(&s->b);
	place_shader(s);
	memset(s->sim->tlb->buffers[0].color, 0xff, sizeof(s->sim->tlb->buffers[0].color));
	square_at(s, 0, 0, 64);
	assert_int_equal(draw(s), SIM_DONE);
	assert_int_equal(count(s, 0), 64 * 64);
}

/* Vertices of all bit patterns: nothing but an end */
static void test_hostile(void **state)
{
	struct scene *s = *state;
	static const uint32_t words[] = { 0x7fc00000, 0xffffffff, 0x7f800000,
					  0xff800000, 0x7f7fffff, 1,
					  0x80000000, 0, 0xff7fffff };
	uint32_t seed = 5;

	gouraud_shader(s);
	for (unsigned int n = 0; n < 300; n++) {
		uint8_t noise[sizeof(s->vertex)];

		for (unsigned int i = 0; i < sizeof(noise); i += 4) {
			seed = seed * 1664525 + 1013904223;
			memcpy(noise + i, seed >> 28 ? &words[(seed >> 16) % 9] : &seed, 4);
		}
		memcpy(s->vertex, noise, sizeof(noise));
		STATE(s, CLE_POINT_SIZE, 98, LE32(words[n % 9]));
		STATE(s, CLE_LINE_WIDTH, 99, LE32(words[n / 2 % 9]));
		STATE(s, CLE_DEPTH_OFFSET, 101, LE32(words[n / 3 % 9]));
		STATE(s, CLE_VIEWPORT, 103, LE16(seed >> 3), LE16(seed >> 9));
		STATE(s, CLE_RHT_X, 100, LE16(seed >> 5));
		configure(s, seed & 0x3ffff & ~0x100u);
		s->primitive.kind = n % 4;
		s->primitive.provoking = 0;
		s->shader.varyings = n % 256;
		s->shader.point_size = n & 16;
		assert_int_equal(draw(s), SIM_DONE);
	}
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
	const struct CMUnitTest tests[] = {
		TEST(test_triangle), TEST(test_gouraud), TEST(test_perspective),
		TEST(test_flat_flags), TEST(test_window), TEST(test_facing), TEST(test_z),
		TEST(test_coordinates), TEST(test_lines), TEST(test_line_varyings),
		TEST(test_points), TEST(test_rht), TEST(test_samples), TEST(test_coverage),
		TEST(test_counters), TEST(test_clipped_quads), TEST(test_resumed),
		TEST(test_clean_registers), TEST(test_hostile),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests_name("pse", tests, NULL, NULL);
}
