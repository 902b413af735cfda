// SPDX-License-Identifier: MIT
/*
 * Errata of AG100 Appendix A that are not the TMU's: what is right without them, and what is wrong
 * with them.
 */
#include "back/zs.h"
#include "scene.h"

#undef STATE		/* what was a record in the scene is an address for the binner */
#include "tile_lists.h"

static void set_mode(struct v3dsim *sim, enum v3d_chip_mode mode, bool with)
{
	sim->chip.set = (uint64_t)with << mode;
}

/* HW-2726: a point of 0.03 pixels has no sixteenth */
static void test_2726(void **state)
{
	for (int with = 0; with < 2; with++) {
		struct chip *chip = chip_with(with, "HW-2726");
		struct v3dsim_fault fault;

		(void)state;
		tile_frame(chip, 0x1000, 1, 1, 4 | 3 << 3 | 3 << 5);
		LIST(chip, 0, 98, LE32(0x3d000000));
		chip_go(chip, 0);
		assert_int_equal(POINT(chip, 100, 100), with ? PTB_ERROR : PTB_DONE);
		assert_int_equal(v3dsim_fault(chip->sim, &fault), with);
		if (with)
			assert_non_null(strstr(fault.text, "HW-2726"));
		LIST(chip, 0, 98, LE32(0x3e000000));		/* 0.125 */
		chip_go(chip, 0);
		assert_int_equal(POINT(chip, 100, 100), PTB_DONE);
		chip_free(chip);
	}
}

static void paint(struct scene *s, unsigned int nops_before)
{
	qb_init(&s->b, s->code, 64);
	qb_nops(&s->b, nops_before);
	qb_emit(&s->b, qb_signal(V3D_QPU_SIG_WAIT_SCOREBOARD, qb_nop()));
	qb_emit(&s->b, qb_mov(QB_IO(V3D_QPU_W_TLB_COLOUR_ALL), QB_UNIF));
	qb_end(&s->b);
	place_shader(s);
	put_uniform(s, 0x11223344);
	square_at(s, 0, 0, 16);
}

/* HW-2796: the first four quads of a tile are lost, unless sbwait is the third instruction */
static void test_2796(void **state)
{
	struct scene *s = *state;

	set_mode(s->sim, V3D_CHIP_HW_2796, true);
	for (unsigned int nops = 0; nops < 3; nops++) {
		memset(s->sim->tlb->buffers[0].color, 0, sizeof(s->sim->tlb->buffers[0].color));
		tlb_coordinates(s->sim, 0, &(struct v3d_tile_coordinates){ 0 });
		paint(s, nops);
		assert_int_equal(draw(s), SIM_DONE);
		assert_int_equal(pixel(s, 7, 1), nops < 2 ? 0 : 0x11223344);
		assert_int_equal(pixel(s, 0, 2), 0x11223344);
	}
	tlb_coordinates(s->sim, 0, &(struct v3d_tile_coordinates){ 0 });
	set_mode(s->sim, V3D_CHIP_HW_2796, false);
	memset(s->sim->tlb->buffers[0].color, 0, sizeof(s->sim->tlb->buffers[0].color));
	paint(s, 0);
	assert_int_equal(draw(s), SIM_DONE);
	assert_int_equal(pixel(s, 0, 0), 0x11223344);
}

#define COVERAGE_PIPE (1u << 8)

/*
 * HW-2885: varyings, then the coverage pipe, which locks up; a shaded primitive without varyings in
 * between saves it
 */
static void test_2885(void **state)
{
	struct scene *s = *state;

	paint(s, 2);
	for (int with = 0; with < 2; with++) {
		set_mode(s->sim, V3D_CHIP_HW_2885, with);
		configure(s, BOTH_FACES);
		s->shader.varyings = 1;
		assert_int_equal(draw(s), SIM_DONE);
		s->shader.varyings = 0;
		if (with)
			assert_int_equal(draw(s), SIM_DONE);
		configure(s, BOTH_FACES | COVERAGE_PIPE);
		assert_int_equal(draw(s), SIM_DONE);
		configure(s, BOTH_FACES);
		s->shader.varyings = 1;
		assert_int_equal(draw(s), SIM_DONE);
		configure(s, BOTH_FACES | COVERAGE_PIPE);
		assert_int_equal(draw(s), with ? SIM_STUCK : SIM_DONE);
	}
}

/*
 * HW-2905: cleared to Z 0, loaded with Z 0xffffff; what is nearer than that is dropped by early Z,
 * which sees 0
 */
static void test_2905(void **state)
{
	for (int with = 0; with < 2; with++) {
		struct fragment f = { .quads = 1, .covered = { 15, 15, 15, 15 },
				      .config = { .depth_function = V3D_LESS } };
		struct chip *chip = chip_with(with, "HW-2905");

		(void)state;
		memset(chip_bytes(chip, MEMORY + 0x20000), 0xff, 0x8000);
		lanes_fill(&f.z, 0x800000);
		LIST(chip, 1, 113, LE32(MEMORY + 0x100000), LE16(32), LE16(32), 5, 0, 115, 0, 0,
		     24);
		LIST(chip, 1, 27, LE32(MEMORY + 0x20000), 115, 0, 0);
		chip_go(chip, 1);
		assert_int_equal(zs_early_z(chip->sim, &f), with ? 1 : 0);
		LIST(chip, 1, 24, 115, 0, 0);
		chip_go(chip, 1);
		f.covered[0] = f.covered[1] = f.covered[2] = f.covered[3] = 15;
		f.config.depth_function = V3D_GREATER;
		assert_int_equal(zs_early_z(chip->sim, &f), 0);
		chip_free(chip);
	}
}

/*
 * HW-2905 was seen where Z had been cleared, too: to 0xffffff, with which nothing is hidden. One
 * sample is right in any case.
 */
static void test_2905_cleared(void **state)
{
	(void)state;
	for (int with = 0; with < 2; with++) {
		for (unsigned int four = 0; four < 2; four++) {
			struct fragment f = { .quads = 1, .covered = { 15, 15, 15, 15 },
					      .config = { .depth_function = V3D_LESS } };
			struct chip *chip = chip_with(with, "HW-2905");

			lanes_fill(&f.z, 0x800000);
			LIST(chip, 1, 113, LE32(MEMORY + 0x100000), LE16(32), LE16(32), 4 | four,
			     0, 114, LE32(0), LE32(0), 0xff, 0xff, 0xff, 0, 0);
			LIST(chip, 1, 115, 0, 0, 24, 115, 0, 0);
			chip_go(chip, 1);
			assert_int_equal(zs_early_z(chip->sim, &f), with && four);
			chip_free(chip);
		}
	}
}

/* HW-2924: the front never passes, the back always does; the last of four quads faces back */
static void test_2924(void **state)
{
	for (int with = 0; with < 2; with++) {
		struct chip *chip = chip_with(with, "HW-2924");
		struct fragment f = {
			.quads = 4,
			.covered = { 0xffff },
			.flags = { 0xffff },
			.x = { 0, 2, 4, 6 },
			.reverse = 0xf000,
			.config = { .depth_function = V3D_ALWAYS },
		};
		struct lanes z;

		(void)state;
		lanes_fill(&z, 5);
		f.stencil[0].enabled = f.stencil[1].enabled = true;
		f.stencil[0].setup.function = V3D_NEVER;
		f.stencil[1].setup.function = V3D_ALWAYS;
		zs_test(chip->sim, &f, &z, 0xffff);
		assert_int_equal(f.flags[0], with ? 0xffff : 0xf000);
		chip_free(chip);
	}
}

#define SCENE(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_2726), SCENE(test_2796), SCENE(test_2885),
		cmocka_unit_test(test_2905), cmocka_unit_test(test_2905_cleared),
		cmocka_unit_test(test_2924),
	};

	return cmocka_run_group_tests_name("errata", tests, NULL, NULL);
}
