// SPDX-License-Identifier: MIT
/*
 * Render lists: a small one byte by byte, and many beside those that validate/ writes for the same
 * surfaces, by other code.
 */
#include "fail_alloc.h"

#include "validate.h"
#include "v3dcl_frame.h"

#define COLOR 0x10000000u
#define ZS 0x20000000u
#define FULL 0x30000000u
#define TILES 0x40000000u

static struct v3dcl_error error;

/* As a kernel would: BO n is where it pleases */
static uint32_t place_of(uint32_t bo)
{
	static const uint32_t places[] = { 0, COLOR, ZS, FULL, TILES };

	assert_in_range(bo, 1, 4);
	return places[bo];
}

static void fill_in(struct v3dcl_block *block)
{
	const struct v3dcl_fixup *fixups;
	uint32_t count, i, word;

	fixups = v3dcl_block_fixups(block, &count);
	for (i = 0; i < count; i++) {
		memcpy(&word, block->bytes.bytes + fixups[i].at, 4);
		word += place_of(fixups[i].to.bo) + fixups[i].to.offset;
		memcpy(block->bytes.bytes + fixups[i].at, &word, 4);
	}
}

/* One tile, colour loaded, stored raster */
static void one_tile(void **state)
{
	static const uint8_t expected[] = {
		114, 1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 5, 4,			/* clear colours */
		/* raster rgba8888 */
		113, 0x40, 0, 0, 0x10, 64, 0, 32, 0, 0x04, 0,
		115, 0, 0, 28, 0, 0, 0, 0, 0, 0,				/* clears */
		/* load of T-format bgr565 */
		29, 0x11, 0x02, 0x80, 0, 0, 0x10,
		115, 0, 0,
		17, 0x20, 0, 0, 0x40,						/* its list */
		25,
	};
	const struct v3dcl_targets targets = {
		.width = 64,
		.height = 32,
		.clear = true,
		.clear_color = { 1, 2 },
		.clear_z = 3,
		.clear_stencil = 4,
		.clear_vg_mask = 5,
		.color_write = { .address = { 1, 0x40 } },
		.color_read = { .address = { 1, 0x80 },
				.format = V3D_T_FORMAT,
				.pixel = V3D_BGR565 },
	};
	const struct v3dcl_tile_lists lists = {
		.address = { 4, 0x20 }, .columns = 1, .rows = 1, .initial_block = 32
	};
	struct v3dcl_list list;

	(void)state;
	v3dcl_list_init(&list, V3DCL_RENDER_LIST);
	assert_int_equal(v3dcl_render_list(&list, &targets, &lists, &error), 0);
	fill_in(&list.block);
	assert_int_equal(list.block.bytes.size, sizeof(expected));
	assert_memory_equal(list.block.bytes.bytes, expected, sizeof(expected));
	v3dcl_list_free(&list);
}

static struct drm_vc4_submit_rcl_surface surface(const struct v3dcl_target *target, uint16_t bits,
						 bool read)
{
	struct drm_vc4_submit_rcl_surface surface = { .hindex = ~0u };

	if (!target->address.bo)
		return surface;
	surface.hindex = target->address.bo - 1;
	surface.offset = target->address.offset;
	surface.bits = target->full ? 0 : bits;
	surface.flags = target->full && read ? VC4_SUBMIT_RCL_SURFACE_READ_IS_FULL_RES : 0;
	return surface;
}

/* Bits as AG100 Table 38 has them: records 28 and 29, 113 */
static uint16_t general_bits(const struct v3dcl_target *target, uint32_t buffer)
{
	return buffer | target->format << 4 | target->pixel << 8;
}

static struct drm_vc4_submit_cl submit_of(const struct v3dcl_targets *t)
{
	static const uint8_t pixels[] = { 1, 0, 2 };
	const uint32_t tile = t->multisample ? 32 : 64;
	struct drm_vc4_submit_cl submit = {
		.width = t->width,
		.height = t->height,
		.max_x_tile = (t->width - 1) / tile,
		.max_y_tile = (t->height - 1) / tile,
		.flags = t->clear ? VC4_SUBMIT_CL_USE_CLEAR_COLOR : 0,
		.clear_color = { t->clear_color[0], t->clear_color[1] },
		.clear_z = t->clear_z | (uint32_t)t->clear_vg_mask << 24,
		.clear_s = t->clear_stencil,
		.color_read = surface(&t->color_read, general_bits(&t->color_read, 1), true),
		.zs_read = surface(&t->zs_read, general_bits(&t->zs_read, 2), true),
		.color_write = surface(&t->color_write, 0, false),
		.zs_write = surface(&t->zs_write, general_bits(&t->zs_write, 2), false),
		.msaa_color_write = surface(&t->full_color_write, 0, false),
		.msaa_zs_write = surface(&t->full_zs_write, 0, false),
	};

	submit.color_write.bits = t->multisample | pixels[t->color_write.pixel] << 2 |
				  t->decimate << 4 | t->color_write.format << 6;
	return submit;
}

static uint8_t theirs[1 << 20];

/* Return: bytes of the list that validate/ writes */
static uint32_t their_list(const struct v3dcl_targets *targets,
			   const struct v3dcl_tile_lists *lists)
{
	static const uint8_t some_bin_list;
	const struct drm_vc4_submit_cl submit = submit_of(targets);
	struct v3dcl_bo bos[3] = { { .address = COLOR }, { .address = ZS }, { .address = FULL } };
	struct v3dcl_job job = {
		.submit = &submit,
		.bos = bos,
		.bo_count = 3,
		.bin = { &some_bin_list, lists ? 1 : 0 },
		.bin_multisample = targets->multisample,
		.render = { theirs, 0x50000000, sizeof(theirs) },
	};

	bos[0].size = bos[1].size = bos[2].size = 1 << 28;
	if (lists) {
		job.needs.tiles_x = lists->columns;
		job.needs.tiles_y = lists->rows;
		job.tiles.lists = TILES + lists->address.offset;
		job.tiles.lists_bytes = lists->columns * lists->rows * V3DCL_FIRST_BLOCK;
	}
	assert_true(v3dcl_check_render(&job));
	assert_true(v3dcl_build_render(&job));
	return job.render_end - job.render_start;
}

static uint32_t next_random(uint32_t *seed)
{
	*seed = *seed * 1664525 + 1013904223;
	return *seed >> 10;
}

static struct v3dcl_target random_target(uint32_t *seed, uint32_t bo, uint32_t pixels)
{
	struct v3dcl_target target = { .address = { next_random(seed) & 1 ? bo : 0,
						    (next_random(seed) & 0xff) * 16 } };

	target.format = next_random(seed) % 3;
	target.pixel = next_random(seed) % pixels;
	if (!target.address.bo)
		return (struct v3dcl_target){ 0 };
	return target;
}

static struct v3dcl_targets random_targets(uint32_t *seed)
{
	struct v3dcl_targets t = {
		.width = 1 + next_random(seed) % 300,
		.height = 1 + next_random(seed) % 300,
		.multisample = next_random(seed) & 1,
		.clear = next_random(seed) & 1,
		.clear_color = { next_random(seed), next_random(seed) },
		.clear_z = next_random(seed) & 0xffffff,
		.clear_stencil = next_random(seed),
		.clear_vg_mask = next_random(seed),
	};

	t.decimate = t.multisample && next_random(seed) & 1 ? V3D_DECIMATE_4X : V3D_DECIMATE_NONE;
	t.color_read = random_target(seed, 1, 3);
	t.zs_read = random_target(seed, 2, 1);
	t.color_write = random_target(seed, 1, 3);
	t.zs_write = random_target(seed, 2, 1);
	if (t.multisample) {
		t.full_color_write = random_target(seed, 3, 1);
		t.full_zs_write = random_target(seed, 3, 1);
		t.full_color_write.full = t.full_zs_write.full = true;
		t.color_read.full = next_random(seed) & 1;
		t.zs_read.full = next_random(seed) & 1;
	}
	if (!t.color_write.address.bo && !t.zs_write.address.bo && !t.full_color_write.address.bo &&
	    !t.full_zs_write.address.bo)
		t.color_write = (struct v3dcl_target){ .address = { 1, 0 } };
	return t;
}

static void as_job_writes_them(void **state)
{
	uint32_t seed = 11, n;

	(void)state;
	for (n = 0; n < 400; n++) {
		const struct v3dcl_targets targets = random_targets(&seed);
		const uint32_t tile = targets.multisample ? 32 : 64;
		const struct v3dcl_tile_lists lists = {
			.address = { 4, 0x100 },
			.columns = (targets.width + tile - 1) / tile + next_random(&seed) % 2,
			.rows = (targets.height + tile - 1) / tile,
			.initial_block = V3DCL_FIRST_BLOCK,
		}, *binned = n & 1 ? &lists : NULL;
		struct v3dcl_list list;
		uint32_t size;

		v3dcl_list_init(&list, V3DCL_RENDER_LIST);
		if (v3dcl_render_list(&list, &targets, binned, &error))
			fail_msg("%s", error.text);
		fill_in(&list.block);
		size = their_list(&targets, binned);
		assert_int_equal(list.block.bytes.size, size);
		assert_memory_equal(list.block.bytes.bytes, theirs, size);
		v3dcl_list_free(&list);
	}
}

#define BAD(words, targets, lists) do { \
		struct v3dcl_list list_; \
		v3dcl_list_init(&list_, V3DCL_RENDER_LIST); \
		assert_int_equal(v3dcl_render_list(&list_, targets, lists, &error), -EINVAL); \
		assert_non_null(strstr(error.text, words)); \
		v3dcl_list_free(&list_); \
	} while (0)

static void refusals(void **state)
{
	const struct v3dcl_tile_lists lists = {
		.address = { 4, 0 }, .columns = 1, .rows = 1, .initial_block = 32
	};
	struct v3dcl_targets t = { .width = 65, .height = 1 };

	(void)state;
	BAD("stored nowhere", &t, NULL);
	t.color_write.address.bo = 1;
	BAD("2 x 1 tiles, but only 1 x 1 are binned", &t, &lists);
	t.width = 64 * 256 + 1;
	BAD("at most 256 x 256", &t, NULL);
	t.width = 65536;
	BAD("at most 256 x 256", &t, NULL);
	t.width = 1;
	t.color_write.pixel = 3;
	BAD("pixel is 3", &t, NULL);
	t.color_write.pixel = 0;
	t.color_write.address.offset = 8;
	BAD("no multiple of 16", &t, NULL);
	t.color_write.address.offset = 0;
	t.zs_write = (struct v3dcl_target){ .address = { 2, 0 }, .format = 3 };
	BAD("format is 3", &t, NULL);
	t.zs_write = (struct v3dcl_target){ 0 };
	t.zs_read = (struct v3dcl_target){ .address = { 2, 8 } };
	BAD("no multiple of 16", &t, NULL);
}

static int build(void *opaque)
{
	uint32_t seed = 5;
	const struct v3dcl_targets targets = random_targets(&seed);
	struct v3dcl_list list;
	int ret;

	(void)opaque;
	v3dcl_list_init(&list, V3DCL_RENDER_LIST);
	ret = v3dcl_render_list(&list, &targets, NULL, NULL);
	v3dcl_list_free(&list);
	return ret;
}

static void without_memory(void **state)
{
	(void)state;
	assert_true(fail_each_alloc(build, NULL) >= 2);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(one_tile),
	cmocka_unit_test(as_job_writes_them),
	cmocka_unit_test(refusals),
	cmocka_unit_test(without_memory),
};

int main(void)
{
	return cmocka_run_group_tests(tests, NULL, NULL);
}
