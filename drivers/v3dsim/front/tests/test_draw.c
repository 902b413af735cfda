// SPDX-License-Identifier: MIT
/*
 * From draw records to primitives, on both control threads: modes, indices, pre-shaded vertices
 * (AG100 Figure 12), VG lists, compressed lists (Tables 39 to 43) and clipped primitives (Table
 * 44), all typed from the guide.
 */
#include "tests/front_fixture.h"

static void array(struct chip *chip, unsigned int thread, uint8_t mode, uint32_t length,
		  uint32_t first)
{
	LIST(chip, thread, 33, mode, LE32(length), LE32(first));
	chip_go(chip, thread);
}

static void test_modes(void **state)
{
	struct chip *chip = *state;

	nv_vertices(chip, 16);
	LIST(chip, 1, 65, LE32(SHADER));
	array(chip, 1, 0, 3, 5);
	assert_int_equal(recorder.seen[0].primitive.kind, V3D_LIST_POINTS);
	EXPECT(1, 5, 6, 7);
	array(chip, 1, 1, 5, 0);			/* lines: the odd vertex is dropped */
	assert_int_equal(recorder.seen[0].primitive.kind, V3D_LIST_LINES);
	assert_int_equal(recorder.seen[0].primitive.provoking, 1);
	EXPECT(2, 0, 1, 2, 3);
	array(chip, 1, 2, 4, 0);			/* loop */
	EXPECT(2, 0, 1, 1, 2, 2, 3, 3, 0);
	array(chip, 1, 2, 2, 0);
	EXPECT(2, 0, 1, 1, 0);
	array(chip, 1, 3, 4, 0);			/* line strip */
	EXPECT(2, 0, 1, 1, 2, 2, 3);
	array(chip, 1, 4, 8, 1);			/* triangles */
	assert_int_equal(recorder.seen[0].primitive.kind, V3D_LIST_TRIANGLES);
	assert_int_equal(recorder.seen[0].primitive.provoking, 2);
	EXPECT(3, 1, 2, 3, 4, 5, 6);
	/* strip: odd triangles exchange two vertices, the last is the new one */
	array(chip, 1, 5, 6, 0);
	EXPECT(3, 0, 1, 2, 2, 1, 3, 2, 3, 4, 4, 3, 5);
	array(chip, 1, 6, 5, 0);			/* fan */
	EXPECT(3, 0, 1, 2, 0, 2, 3, 0, 3, 4);
	for (uint8_t mode = 2; mode < 7; mode++)	/* too short for anything */
		array(chip, 1, mode, mode < 4 ? 1 : 2, 0);
	assert_int_equal(recorder.count, 0);
	LIST(chip, 1, 33, 7, LE32(3), LE32(0));
	chip_fail(chip, 1, "primitive mode");
}

static void test_binning_side(void **state)
{
	struct chip *chip = *state;

	nv_vertices(chip, 16);
	LIST(chip, 0, 65, LE32(SHADER), 33, 4, LE32(3), LE32(0));
	chip_fail(chip, 0, "record 6");
	chip_list_at(chip, 0, MEMORY + 0x1000);
	start_binning(chip);
	LIST(chip, 0, 65, LE32(SHADER));
	array(chip, 0, 5, 5, 3);
	assert_int_equal(recorder.seen[2].vertex[2].xs, 7);
	assert_int_equal(recorder.seen[2].vertex[2].ys, -7);
	assert_false(recorder.seen[0].primitive.clipping);
	EXPECT(3, 3, 4, 5, 5, 4, 6, 5, 6, 7);
}

static void test_indices(void **state)
{
	struct chip *chip = *state;
	uint8_t many[300];

	nv_vertices(chip, 16);
	LIST(chip, 1, 65, LE32(SHADER));
	chip_put(chip, INDICES + 1, (uint8_t[]){ 9, 0, 3, 3, 9, 1 }, 6);
	LIST(chip, 1, 32, 0x04, LE32(6), LE32(INDICES + 1), LE32(9));
	chip_go(chip, 1);
	EXPECT(3, 9, 0, 3, 3, 9, 1);
	chip_put(chip, INDICES, (uint8_t[]){ LE16(300), LE16(7), LE16(301) }, 6);
	LIST(chip, 1, 32, 0x14, LE32(3), LE32(INDICES), LE32(301));
	chip_go(chip, 1);
	EXPECT(3, 300, 7, 301);
	/* More than is read ahead, and more distinct ones than a batch holds */
	for (unsigned int n = 0; n < 300; n++)
		many[n] = n % 50;
	chip_put(chip, INDICES, many, sizeof(many));
	LIST(chip, 1, 32, 0x00, LE32(300), LE32(INDICES), LE32(255));
	chip_go(chip, 1);
	assert_int_equal(recorder.count, 300);
	for (unsigned int n = 0; n < 300; n++)
		assert_int_equal(recorder.seen[n].vertex[0].index, n % 50);
}

/*
 * Table 38: "primitives using a greater index will cause error". Those before it are drawn, and an
 * unused index is none.
 */
static void test_maximum_index(void **state)
{
	struct chip *chip = *state;

	nv_vertices(chip, 16);
	chip_put(chip, INDICES, (uint8_t[]){ 0, 1, 2, 3, 4, 5, 9 }, 7);
	LIST(chip, 1, 65, LE32(SHADER), 32, 0x04, LE32(7), LE32(INDICES), LE32(5));
	chip_go(chip, 1);
	EXPECT(3, 0, 1, 2, 3, 4, 5);
	assert_int_equal(rd(chip, V3D_ERRSTAT) & 0x6000, 0);
	LIST(chip, 1, 32, 0x04, LE32(7), LE32(INDICES), LE32(4));
	chip_fail(chip, 1, "index 5, expected at most 4");
	EXPECT(3, 0, 1, 2);
	assert_int_equal(rd(chip, V3D_ERRSTAT) & 0x6000, 0x2000);	/* VCMRE */
	/* primitives that are left */
	assert_int_equal(rd(chip, V3D_CT1PC), 1);
}

static void test_index_types(void **state)
{
	LIST((struct chip *)*state, 1, 65, LE32(SHADER), 32, 0x24, LE32(3), LE32(INDICES), LE32(5));
	chip_fail(*state, 1, "index type");
}

/* AG100 Figure 12: the four formats, at a stride of their own */
static void test_shaded_vertices(void **state)
{
	struct chip *chip = *state;

	for (unsigned int flags = 0; flags < 4; flags++) {
		const bool size = flags & 1, header = flags & 2;
		const unsigned int words = 5 + size + 4 * header, stride = 4 * words + 8;
		const uint32_t flag_bits = (size ? 2 : 0) | 4 | (header ? 8 : 0);
		const uint32_t shader[4] = { flag_bits | stride << 8 | 2u << 24, CODE, UNIFORMS,
					     VERTICES };
		const struct recorded *r = &recorder.seen[0];
		unsigned int at;

		put_words(chip, SHADER, shader, 4);
		for (unsigned int n = 0; n < 2; n++) {
			uint32_t word[10];

			for (at = 0; at < 4 * header; at++)
				word[at] = bits_of(10 * n + at);
			word[at++] = (0x1230 + n) | (0xfff0 + n) << 16;
			word[at++] = bits_of(0.5f);
			word[at++] = bits_of(-3);
			if (size)
				word[at++] = bits_of(7.5f);
			word[at++] = bits_of(100 + n);
			word[at++] = bits_of(200 + n);
			put_words(chip, VERTICES + n * stride, word, at);
		}
		recorder.count = 0;
		LIST(chip, 1, 65, LE32(SHADER));
		array(chip, 1, 1, 2, 0);
		assert_int_equal(r->shader.code, CODE);
		assert_int_equal(r->shader.uniforms, UNIFORMS);
		assert_int_equal(r->shader.varyings, 2);
		assert_int_equal(r->shader.point_size, size);
		assert_int_equal(r->primitive.clipping, header);
		for (unsigned int n = 0; n < 2; n++) {
			const struct vertex *v = &r->vertex[n];

			assert_int_equal(v->xs, 0x1230 + n);
			assert_int_equal(v->ys, -16 + (int)n);
			assert_true(v->zs == 0.5f && v->one_over_wc == -3 &&
				    v->point_size == (size ? 7.5f : 0));
			assert_true(v->varying[0] == 100 + n && v->varying[1] == 200 + n);
			for (at = 0; at < 4 * header; at++)
				assert_true(v->clip[at] == 10 * n + at);
		}
		assert_true(r->flat.varying[0] == 101);
	}
}

/* HW: the QPU knows neither NaNs nor denormals, and what is behind it meets neither. */
static void test_odd_floats(void **state)
{
	const uint32_t shader[4] = { 20 << 8 | 2u << 24, CODE, UNIFORMS, VERTICES };
	const uint32_t vertex[5] = { 0, 0x7fc00001, 0x80000001, 0xffffffff, 0x007fffff };
	const struct vertex *v = &recorder.seen[0].vertex[0];

	put_words(*state, SHADER, shader, 4);
	put_words(*state, VERTICES, vertex, 5);
	LIST((struct chip *)*state, 1, 65, LE32(SHADER));
	array(*state, 1, 0, 1, 0);
	assert_int_equal(bits_of(v->zs), 0x7f800000);
	assert_int_equal(bits_of(v->one_over_wc), 0);
	assert_int_equal(bits_of(v->varying[0]), 0xff800000);
	assert_int_equal(bits_of(v->varying[1]), 0);
}

#define XY(x, y) LE32(((x) & 0xffff) | (uint32_t)(y) << 16)
#define END LE32(0xbfff0000)
#define DUMMY LE32(0xbfff0001)
#define WORD(x, y) (((x) & 0xffff) | (uint32_t)(y) << 16)

static void vg_setup(struct chip *chip)
{
	LIST(chip, 1, 67, LE32(CODE | 1), LE32(UNIFORMS));
}

static void test_vg_inline(void **state)
{
	struct chip *chip = *state;

	vg_setup(chip);
	LIST(chip, 1, 42, 1, XY(1, 2), XY(3, -4), XY(5, 6), XY(7, 8), XY(0, 0), END);	/* RHTs */
	chip_go(chip, 1);
	assert_int_equal(recorder.seen[0].primitive.kind, V3D_LIST_RHT);
	assert_int_equal(recorder.seen[0].vertex[1].xs, 3);
	assert_int_equal(recorder.seen[0].vertex[1].ys, -4);
	assert_true(recorder.seen[0].vertex[1].zs == 0.5f &&
		    recorder.seen[0].vertex[1].one_over_wc == 1);
	assert_int_equal(recorder.seen[0].shader.code, CODE);
	EXPECT(2, WORD(1, 2), WORD(3, -4), WORD(5, 6), WORD(7, 8));
	/* RHT strip */
	LIST(chip, 1, 42, 3, LE32(1), LE32(2), LE32(3), LE32(4), END);
	chip_go(chip, 1);
	EXPECT(2, 1, 2, 2, 3, 3, 4);
	LIST(chip, 1, 42, 4, LE32(1), LE32(2), LE32(3), LE32(4), LE32(5), DUMMY, LE32(6), LE32(7),
	     LE32(8), LE32(0), LE32(0), END);
	chip_go(chip, 1);
	EXPECT(3, 1, 2, 3, 6, 7, 8);
	LIST(chip, 1, 42, 5, LE32(1), LE32(2), LE32(3), LE32(4), LE32(5), END);		/* strip */
	chip_go(chip, 1);
	EXPECT(3, 1, 2, 3, 3, 2, 4, 3, 4, 5);
	LIST(chip, 1, 42, 6, LE32(1), LE32(2), LE32(3), LE32(4), DUMMY, LE32(5), END);	/* fan */
	chip_go(chip, 1);
	EXPECT(3, 1, 2, 3, 1, 3, 4, 1, 4, 5);
	LIST(chip, 1, 42, 2);
	chip_fail(chip, 1, "primitive type");
}

/* AG100 p. 72: the first vertex, and mostly the second, of a continuation list are replaced. */
static void test_vg_continuation(void **state)
{
	struct chip *chip = *state;

	vg_setup(chip);
	LIST(chip, 1, 42, 6, LE32(1), LE32(2), LE32(3), LE32(4), END);
	LIST(chip, 1, 42, 0x16, LE32(90), LE32(91), LE32(5), LE32(6), END);
	chip_go(chip, 1);
	EXPECT(3, 1, 2, 3, 1, 3, 4, 1, 4, 5, 1, 5, 6);
	LIST(chip, 1, 42, 6, LE32(1), END, LE32(99));		/* ended at its second vertex */
	LIST(chip, 1, 42, 0x16, LE32(90), LE32(2), LE32(3), LE32(4), END);
	chip_go(chip, 1);
	EXPECT(3, 1, 2, 3, 1, 3, 4);
	/* and at the third of its first triangle */
	LIST(chip, 1, 42, 6, LE32(1), LE32(2), END);
	LIST(chip, 1, 42, 0x16, LE32(90), LE32(91), LE32(3), END);
	chip_go(chip, 1);
	EXPECT(3, 1, 2, 3);
}

static void test_vg_array(void **state)
{
	static const uint32_t words[] = { 1, 2, 3, 4, 5, 0xbfff0000 };
	struct chip *chip = *state;

	put_words(chip, VERTICES, words, 6);
	vg_setup(chip);
	LIST(chip, 1, 41, 5, LE32(4), LE32(VERTICES));		/* vertices, not primitives (SW) */
	chip_go(chip, 1);
	EXPECT(3, 1, 2, 3, 3, 2, 4);
	LIST(chip, 1, 41, 4, LE32(5), LE32(VERTICES));		/* two belong to no triangle */
	chip_go(chip, 1);
	assert_int_equal(rd(chip, V3D_CT1PC), 0);
	EXPECT(3, 1, 2, 3);
	LIST(chip, 1, 41, 1, LE32(4), LE32(VERTICES), 41, 3, LE32(3), LE32(VERTICES));
	chip_go(chip, 1);
	EXPECT(2, 1, 2, 3, 4, 1, 2, 2, 3);
	LIST(chip, 1, 41, 5, LE32(9), LE32(VERTICES));		/* ended before its length */
	chip_go(chip, 1);
	assert_int_equal(rd(chip, V3D_CT1PC), 0);
	EXPECT(3, 1, 2, 3, 3, 2, 4, 3, 4, 5);
	LIST(chip, 1, 41, 5, LE32(0), LE32(0));
	chip_go(chip, 1);
	LIST(chip, 1, 65, LE32(SHADER), 41, 5, LE32(4), LE32(VERTICES));
	chip_fail(chip, 1, "record 66 or 67");
}

/* Triangles of every coding of Table 39, over a relative branch */
static void test_compressed_indices(void **state)
{
	struct chip *chip = *state;
	const uint32_t next = (chip->at[1] & ~31u) + 64;

	nv_vertices(chip, 200);
	LIST(chip, 1, 56, 0x12, 65, LE32(SHADER));
	LIST(chip, 1, 48, 129, LE16(10), LE16(11), LE16(12));	/* coding 3 */
	LIST(chip, 1, 1 << 2 | 0);				/* (2, 1) of it, then 12 + 1 */
	LIST(chip, 1, (uint8_t)(-2 * 4) | 1);			/* (0, 2), then 13 - 2 */
	/* two blocks of 32 bytes from the block of this code */
	LIST(chip, 1, 130, 2, 0);
	chip_put(chip, next, (uint8_t[]){
		0x0f | 1 << 4, 2 << 2, LE16(100),		/* coding 2: 100, 101, 102 */
		0x03 | 1 << 4, 2 | 0xf << 4,			/* coding 1: + 1, + 2, - 1 */
		128, 1 }, 8);
	chip_start(chip, 1);
	wr(chip, V3D_CT1EA, next + 8);
	chip->at[1] = next + 8;
	chip->list[1] = chip->at[1];
	assert_int_equal(chip_run(chip), V3DSIM_IDLE);
	assert_int_equal(rd(chip, V3D_CT1CA), next + 8);
	EXPECT(3, 10, 11, 12, 12, 11, 13, 12, 13, 11, 100, 101, 102, 101, 103, 101);
}

static void test_compressed_others(void **state)
{
	struct chip *chip = *state;

	nv_vertices(chip, 50);
	LIST(chip, 1, 65, LE32(SHADER), 56, 0x11);		/* lines: Table 40 */
	LIST(chip, 1, 48, 2 | 3 << 2, LE16(20), 1 << 2, 129, LE16(7), LE16(9), 128);
	chip_go(chip, 1);
	assert_int_equal(recorder.seen[0].primitive.kind, V3D_LIST_LINES);
	EXPECT(2, 20, 23, 23, 24, 7, 9);
	/* points: Table 41 */
	LIST(chip, 1, 56, 0x10, 48, 129, LE16(40), (uint8_t)(-4 * 4), 128);
	chip_go(chip, 1);
	EXPECT(1, 40, 36);
	vg_setup(chip);
	/* coordinates: Table 42 */
	LIST(chip, 1, 56, 0x32, 48, 129, XY(1, 2), XY(3, 4), XY(5, 6), 128);
	chip_go(chip, 1);
	EXPECT(3, WORD(1, 2), WORD(3, 4), WORD(5, 6));
	LIST(chip, 1, 56, 0x12, 48, 129, LE16(1), LE16(2), LE16(3), 128);
	chip_fail(chip, 1, "record 64 or 65");
}

/*
 * Table 44: vertices 0 and 2 are replaced, with varyings out of those of all three; the next
 * primitive is as it was.
 */
static void test_clipped(void **state)
{
	const uint32_t shader[4] = { 20 << 8 | 2u << 24, CODE, UNIFORMS, VERTICES };
	const uint32_t clipped[16] = {
		0x0020fff0, bits_of(0.5f), bits_of(4), bits_of(0.5f), bits_of(0.25f),
		bits_of(0.25f), 0, 0,
		0x00300040, bits_of(0.75f), bits_of(8), bits_of(0), bits_of(1), bits_of(0), 0, 0,
	};
	struct chip *chip = *state;
	const struct recorded *r = recorder.seen;

	put_words(chip, SHADER, shader, 4);
	for (unsigned int n = 0; n < 4; n++) {
		const uint32_t vertex[5] = { n, bits_of(0), bits_of(1), bits_of(16 << n),
					     bits_of(n) };

		put_words(chip, VERTICES + 20 * n, vertex, 5);
	}
	put_words(chip, INDICES, clipped, 16);
	LIST(chip, 1, 56, 0x12, 65, LE32(SHADER), 49, LE32(INDICES | 5), 129, LE16(1), LE16(2),
	     LE16(3), 1, 128);
	chip_go(chip, 1);
	assert_int_equal(recorder.count, 2);
	assert_int_equal(r[0].vertex[0].xs, -16);
	assert_int_equal(r[0].vertex[0].ys, 32);
	assert_true(r[0].vertex[0].zs == 0.5f && r[0].vertex[0].one_over_wc == 4);
	assert_true(r[0].vertex[0].varying[0] == 16 + 16 + 32);
	assert_true(r[0].vertex[0].varying[1] == 0.5f + 0.5f + 0.75f);
	assert_int_equal(r[0].vertex[1].xs, 2);
	assert_int_equal(r[0].vertex[2].xs, 64);
	assert_true(r[0].vertex[2].varying[0] == 64);
	assert_true(r[0].flat.varying[0] == 128);		/* of the vertex that was there */
	assert_int_equal(r[1].vertex[0].xs, 1);
	assert_int_equal(r[1].vertex[1].xs, 3);
	assert_int_equal(r[1].vertex[2].xs, 3);
	assert_true(r[1].vertex[2].varying[0] == 128);
}

/*
 * The binner without memory is asked again with the same primitive, when the CPU has brought some.
 */
static void test_out_of_memory(void **state)
{
	struct chip *chip = *state;

	nv_vertices(chip, 9);
	start_binning(chip);
	LIST(chip, 0, 65, LE32(SHADER), 33, 4, LE32(9), LE32(0));
	recorder.out_of_memory = true;
	chip_start(chip, 0);
	assert_int_equal(chip_run(chip), V3DSIM_STALLED);
	assert_int_equal(recorder.count, 0);
	assert_int_equal(rd(chip, V3D_CT0PC), 3);
	recorder.out_of_memory = false;
	wr(chip, V3D_BPOA, MEMORY);
	assert_int_equal(chip_run(chip), V3DSIM_IDLE);
	assert_int_equal(rd(chip, V3D_CT0PC), 0);
	EXPECT(3, 0, 1, 2, 3, 4, 5, 6, 7, 8);
}

/*
 * In crumbs of one, with primitive set-up that wants to be called again, and with a record that
 * changes meanwhile
 */
static void test_crumbs(void **state)
{
	struct chip *chip = *state;
	enum v3dsim_state result;

	nv_vertices(chip, 60);
	LIST(chip, 1, 65, LE32(SHADER), 33, 5, LE32(40), LE32(0));
	chip_start(chip, 1);
	while (!recorder.count)
		v3dsim_run(chip->sim, 1);
	*chip_bytes(chip, chip->at[1] - 9) = 4;
	do
		result = v3dsim_run(chip->sim, 1);
	while (result == V3DSIM_BUSY);
	assert_int_equal(result, V3DSIM_IDLE);
	assert_int_equal(recorder.count, 38);
	for (unsigned int n = 0; n < 38; n++)
		assert_int_equal(recorder.seen[n].vertex[2].index, n + 2);
}

/* A reset in the middle leaves nothing behind. */
static void test_reset(void **state)
{
	struct chip *chip = *state;

	nv_vertices(chip, 60);
	LIST(chip, 1, 65, LE32(SHADER), 33, 4, LE32(48), LE32(0));
	chip_start(chip, 1);
	while (recorder.count < 2)
		v3dsim_run(chip->sim, 1);
	wr(chip, V3D_CT1CS, 0x8000);
	recorder.count = 0;
	array(chip, 1, 3, 3, 30);
	EXPECT(2, 30, 31, 31, 32);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, front_setup, chip_teardown)
	const struct CMUnitTest tests[] = {
		TEST(test_modes), TEST(test_binning_side), TEST(test_indices),
		TEST(test_maximum_index), TEST(test_index_types), TEST(test_shaded_vertices),
		TEST(test_odd_floats), TEST(test_vg_inline), TEST(test_vg_continuation),
		TEST(test_vg_array), TEST(test_compressed_indices), TEST(test_compressed_others),
		TEST(test_clipped), TEST(test_out_of_memory), TEST(test_crumbs), TEST(test_reset),
	};

	return cmocka_run_group_tests_name("draw", tests, NULL, NULL);
}
