// SPDX-License-Identifier: MIT
/* Frames: the same triangle as a checked job and as raw lists, pixel by pixel; what each of them cannot have. */
#include "fail_alloc.h"

#include "scene.h"

struct rig {
	struct v3dcl_device *device;
	struct v3dcl_frame *frame;
	uint32_t target, shaders[3];
	uint32_t *pixels;
	struct v3dcl_error error;
};

static uint32_t shader_bo(struct rig *rig, const uint64_t *code, uint32_t count)
{
	uint32_t handle = 0;

	assert_int_equal(v3dcl_bo_create_shader(rig->device, code, count, &handle, &rig->error), 0);
	return handle;
}

/* Code that raw lists run must be in a plain BO. */
static uint32_t plain_code(struct rig *rig, const uint64_t *code, uint32_t count)
{
	uint32_t handle = 0;
	void *map;

	assert_int_equal(v3dcl_bo_create(rig->device, count * 8, &handle, &rig->error), 0);
	assert_int_equal(v3dcl_bo_map(rig->device, handle, &map, &rig->error), 0);
	memcpy(map, code, count * 8);
	return handle;
}

static void make_shaders(struct rig *rig, uint32_t (*make)(struct rig *rig, const uint64_t *code, uint32_t count))
{
	uint64_t code[64];

	rig->shaders[0] = make(rig, code, scene_color(code));
	rig->shaders[1] = make(rig, code, scene_copy(code, 3));
	rig->shaders[2] = make(rig, code, scene_copy(code, sizeof(struct shaded) / 4));
}

static int setup(void **state)
{
	const struct v3dcl_simulator_config config = { .unproven = true };
	struct rig *rig = calloc(1, sizeof(*rig));
	void *map;

	assert_non_null(rig);
	assert_int_equal(v3dcl_open_simulator(&config, &rig->device, &rig->error), 0);
	assert_int_equal(v3dcl_bo_create(rig->device, SIDE * SIDE * 4, &rig->target, &rig->error), 0);
	assert_int_equal(v3dcl_bo_map(rig->device, rig->target, &map, &rig->error), 0);
	rig->pixels = map;
	assert_int_equal(v3dcl_frame_new(&rig->frame, &rig->error), 0);
	*state = rig;
	return 0;
}

static int teardown(void **state)
{
	struct rig *rig = *state;

	v3dcl_frame_free(rig->frame);
	v3dcl_close(rig->device);
	free(rig);
	return 0;
}

static void ok(struct rig *rig, int ret)
{
	if (ret)
		print_message("# %s\n", rig->error.text);
	assert_int_equal(ret, 0);
}

/* AG100 has no fill rule, so pixels on the long edge are left out. */
static void expect_triangle(struct rig *rig)
{
	unsigned int x, y;
	uint64_t seqno;

	ok(rig, v3dcl_frame_submit(rig->frame, rig->device, &seqno, &rig->error));
	ok(rig, v3dcl_wait(rig->device, seqno, UINT64_C(20000000000), &rig->error));
	for (y = 0; y < SIDE; y++) {
		for (x = 0; x < SIDE; x++) {
			if (x + y != 127)
				assert_int_equal(rig->pixels[y * SIDE + x], x >= 16 && y >= 16 && x + y < 127 ? COLOR : BACKGROUND);
		}
	}
}

static void checked_triangle(void **state)
{
	struct rig *rig = *state;

	make_shaders(rig, shader_bo);
	ok(rig, scene_gl(rig->frame, rig->target, rig->shaders, NULL, &rig->error));
	assert_false(v3dcl_frame_is_raw(rig->frame));
	expect_triangle(rig);
}

/* Strides of an extended record make it raw, with nothing else changed. */
static void raw_triangle(void **state)
{
	const uint32_t strides[2] = { sizeof(struct shaded), sizeof(struct shaded) };
	struct rig *rig = *state;

	make_shaders(rig, plain_code);
	ok(rig, scene_gl(rig->frame, rig->target, rig->shaders, strides, &rig->error));
	assert_true(v3dcl_frame_is_raw(rig->frame));
	expect_triangle(rig);
	memset(rig->pixels, 0, SIDE * SIDE * 4);
	expect_triangle(rig);
}

static void nv_triangle(void **state)
{
	struct rig *rig = *state;

	make_shaders(rig, plain_code);
	ok(rig, scene_nv(rig->frame, rig->target, rig->shaders[0], false, &rig->error));
	expect_triangle(rig);
}

static void nv_triangle_with_clip_header(void **state)
{
	struct rig *rig = *state;

	make_shaders(rig, plain_code);
	ok(rig, scene_nv(rig->frame, rig->target, rig->shaders[0], true, &rig->error));
	expect_triangle(rig);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

static const struct CMUnitTest tests[] = {
	TEST(checked_triangle),
	TEST(raw_triangle),
	TEST(nv_triangle),
	TEST(nv_triangle_with_clip_header),
};

int main(void)
{
	return cmocka_run_group_tests(tests, NULL, NULL);
}
