// SPDX-License-Identifier: MIT
/*
 * What the driver gives a bin list keeps it from memory that was another job's, however late the
 * chip heeds the 0 that it writes to BPOS before (HW): tile memory of its own comes first, and that
 * takes the binner more steps than any chip is late. A checked list, started as the driver does,
 * in the simulator.
 */
#include <v3d/chip.h>
#include <v3dsim.h>

#include "start.h"
#include "tests/frame.h"

#define BOS_BASE 0x10000000u
#define EXEC_BASE 0x20000000u
#define TILES_BASE 0x30000000u
#define STALE 0x30800000u		/* what the job before was given and did not take */
#define STALE_BYTES 0x10000u
#define BYTES 0x1000000u		/* of each piece of memory */

#define DRAWS 32
#define VERTICES 510			/* of each draw, all in one tile */

/* Allocations that the smallest memory which the checker takes has room for; mode and start */
#define STEPS (V3DCL_BINNER_SLACK / V3DCL_NEXT_BLOCK + 2)

static struct frame_test frame;

static struct chip {
	struct v3dsim *sim;
	uint8_t *bos, *tiles;
} chip;

static bool region(void *opaque, enum v3dsim_unit unit, uint32_t addr, bool write,
		   struct v3dsim_region *out)
{
	(void)opaque;
	(void)unit;
	(void)write;
	if (addr - BOS_BASE < BYTES)
		*out = (struct v3dsim_region){ chip.bos, BOS_BASE, BYTES, true };
	else if (addr - TILES_BASE < BYTES)
		*out = (struct v3dsim_region){ chip.tiles, TILES_BASE, BYTES, true };
	else if (addr - EXEC_BASE < EXEC_BYTES)
		*out = (struct v3dsim_region){ frame.exec.bytes, EXEC_BASE, EXEC_BYTES, true };
	else
		return false;
	return true;
}

static __u32 reg_read(void *v3d, enum v3d_reg reg)
{
	return v3dsim_read(v3d, reg);
}

static void reg_write(void *v3d, enum v3d_reg reg, __u32 value)
{
	v3dsim_write(v3d, reg, value);
}

static void new_chip(const char *modes)
{
	const struct v3dsim_config config = { .chip = modes };
	const struct v3dsim_host host = { .region = region };

	chip.bos = calloc(1, BYTES);
	chip.tiles = calloc(1, BYTES);
	assert_true(chip.bos && chip.tiles);
	chip.sim = v3dsim_new(&config, &host);
	assert_non_null(chip.sim);
}

static void free_chip(void)
{
	v3dsim_free(chip.sim);
	free(chip.bos);
	free(chip.tiles);
}

/*
 * On the screen a vertex is where its attribute's first word says; in clip space x and y are 0, w
 * is 1
 */
static void vertex(struct test_shader *s, bool coordinate)
{
	static const uint32_t clip[] = { 0, 0, 0, 0x3f800000 }, rest[] = { 0, 0x3f800000, 0, 0 };

	shader_begin(s);
	shader_direct(s);
	qb_setup(&s->b, QB_VR_SETUP, qb_word_vpm_read(0, 3));
	shader_emit(s, qb_mov(QB_R1, QB_VPM_READ));
	for (int i = 0; i < 2; i++)
		shader_emit(s, qb_mov(QB_R0, QB_VPM_READ));
	qb_setup(&s->b, QB_VW_SETUP, qb_word_vpm_write(0));
	for (int i = 0; coordinate && i < 4; i++) {
		shader_emit(s, qb_ldi(QB_R0, clip[i]));
		shader_emit(s, qb_mov(QB_VPM_WRITE, QB_R0));
	}
	shader_emit(s, qb_mov(QB_VPM_WRITE, QB_R1));
	for (int i = 0; i < (coordinate ? 2 : 4); i++) {
		shader_emit(s, qb_ldi(QB_R0, rest[i]));
		shader_emit(s, qb_mov(QB_VPM_WRITE, QB_R0));
	}
	qb_nops(&s->b, 1);
	shader_finish(s);
}

/* A frame of one tile, whose list is longer than its memory, and no memory but what it must have */
static void check_frame(struct frame_test *t)
{
	struct v3dcl_tile_memory *tiles = &t->job.tiles;
	const struct v3d_tile_binning_mode mode = { .width = 1, .height = 1 };

	frame_start(t);
	v3d_pack_tile_binning_mode(t->bin, &mode);
	vertex(&t->vs, false);
	vertex(&t->cs, true);
	bin(t, configuration_bits, .forward_facing = 1, .reverse_facing = 1,
	    .depth_function = V3D_ALWAYS);
	for (int i = 0; i < DRAWS; i++)
		bin(t, array_primitives, .mode = V3D_TRIANGLES, .length = VERTICES);
	frame_end(t);
	frame_job(t);
	assert_accepted(t, v3dcl_measure(&t->job));
	tiles->lists_bytes = t->job.needs.lists;
	tiles->state_bytes = t->job.needs.state;
	tiles->state_cpu = chip.tiles + (tiles->state - TILES_BASE);
	assert_accepted(t, v3dcl_check_bin(&t->job));
}

/*
 * Shaders lie in their BOs; so does a triangle of 4 pixels before the viewport's centre, again
 * and again
 */
static void load_frame(const struct frame_test *t)
{
	static const uint32_t xy[] = { 0xff80ff80, 0xff80ffc0, 0xffc0ff80 };
	uint8_t *vertices = chip.bos + (t->bos[BO_VERTICES].address - BOS_BASE);
	const struct test_shader *shaders[] = {
		[BO_FS] = &t->fs, [BO_VS] = &t->vs, [BO_CS] = &t->cs
	};

	for (int i = 0; i < 3; i++)
		memcpy(chip.bos + (t->bos[i].address - BOS_BASE), shaders[i]->code,
		       sizeof(shaders[i]->code));
	for (int i = 0; i < VERTICES; i++)
		memcpy(vertices + 16 * i, &xy[i % 3], 4);
}

/* The job before: memory that it was given late, and did not take */
static void leave_memory(const struct v3dcl_hw *hw, unsigned int records)
{
	const uint32_t list = BOS_BASE + BYTES / 2;

	memset(chip.bos + BYTES / 2, V3D_NOP, records);
	hw->write(hw->v3d, V3D_BPOA, STALE);
	hw->write(hw->v3d, V3D_BPOS, STALE_BYTES);
	hw->write(hw->v3d, V3D_CT0CA, list);
	hw->write(hw->v3d, V3D_CT0EA, list + records);
	assert_int_equal(v3dsim_run(chip.sim, 1000000), V3DSIM_IDLE);
}

/*
 * Does the binner, when its own memory ends, wait for the driver's, on a chip that heeds BPOS @late
 * steps after the write? Else it takes what the job before was given, at the address that BPOA has
 * now: 0, where nothing is.
 */
static bool waits(unsigned int late)
{
	struct v3dcl_hw hw = { reg_read, reg_write, NULL };
	enum v3dsim_state ended;
	char modes[32];

	snprintf(modes, sizeof(modes), "bpos-late:%u", late);
	new_chip(modes);
	hw.v3d = chip.sim;
	check_frame(&frame);
	load_frame(&frame);
	v3dcl_power_up(&hw);
	leave_memory(&hw, 2 * late + 1);
	v3dcl_clear_tile_state(&frame.job.tiles);
	v3dcl_start_list(&hw, V3DCL_THREAD_BIN, frame.job.bin_start, frame.job.bin_end);
	ended = v3dsim_run(chip.sim, 10000000);
	assert_int_equal(ended, v3dcl_binner_stands(&hw) ? V3DSIM_STALLED : V3DSIM_FAULT);
	free_chip();
	return ended == V3DSIM_STALLED;
}

TEST(stale_memory)
{
	static const unsigned int default_late[] = {
#define NUMBER(NAME, name, number, source, text) [V3D_CHIP_##NAME] = number,
		V3D_CHIP_MODES(NUMBER)
#undef NUMBER
	};

	(void)state;
	assert_true(default_late[V3D_CHIP_BPOS_LATE] < STEPS);
	assert_true(waits(default_late[V3D_CHIP_BPOS_LATE]));
	assert_true(waits(STEPS));
	/* It is the number of steps that does it: a chip later than the list is long errs */
	assert_false(waits(10 * STEPS));
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(stale_memory) };

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests_name("binner", tests, NULL, NULL);
}
