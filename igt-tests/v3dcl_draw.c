// SPDX-License-Identifier: MIT
/*
 * Jobs that draw: vertices through the shaders of a GL shader record, tile lists that take more memory than a frame begins with,
 * and shaders that never end.
 *
 * Vertices come shaded: the shaders only hand on what the attributes hold, so that every pixel can be told beforehand.
 */
#include <sys/resource.h>

#include "v3dcl_list.h"

IGT_TEST_DESCRIPTION("Jobs that draw: pixels, binner overspill, hangs in shaders");

#define VERTICES 60000			/* of one draw: at most 65535 (HW) */
#define BACKGROUND 0x11223344u
#define COLOR 0xff00aa55u

/* AG100 Figures 10 and 11: what the coordinate shader hands on, and of that from @screen on, the vertex shader */
struct vertex {
	float clip[4];
	uint16_t x, y;			/* screen, 12.4, relative to the viewport's centre */
	float z, one_over_w;
};

#define SCREEN_WORDS 3

static float f32(unsigned int word)
{
	float value;

	memcpy(&value, &word, sizeof(value));
	return value;
}

static uint32_t shader_create(int fd, const struct qb *b)
{
	struct drm_vc4_create_shader_bo create = { .size = b->count * V3D_QPU_INSTRUCTION_BYTES, .data = (uintptr_t)b->code };

	igt_assert(!b->failed);
	do_ioctl(fd, DRM_IOCTL_VC4_CREATE_SHADER_BO, &create);
	return create.handle;
}

/* Hands on @words words of the VPM */
static uint32_t shader_copy(int fd, unsigned int words)
{
	uint64_t code[64];
	struct qb b;

	qb_init(&b, code, ARRAY_SIZE(code));
	qb_setup(&b, QB_VR_SETUP, qb_word_vpm_read(0, words));
	qb_setup(&b, QB_VW_SETUP, qb_word_vpm_write(0));
	qb_nops(&b, 2);
	while (words--)
		qb_emit(&b, qb_mov(QB_VPM_WRITE, QB_VPM_READ));
	qb_end(&b);
	return shader_create(fd, &b);
}

/* One colour, from a uniform; AG100 p. 45: the first access to the tile buffer waits for the scoreboard */
static uint32_t shader_color(int fd)
{
	uint64_t code[16];
	struct qb b;

	qb_init(&b, code, ARRAY_SIZE(code));
	qb_emit(&b, qb_mov(QB_R0, QB_UNIF));
	qb_emit(&b, qb_nop());
	qb_emit(&b, qb_signal(V3D_QPU_SIG_WAIT_SCOREBOARD, qb_nop()));
	qb_emit(&b, qb_mov(QB_IO(V3D_QPU_W_TLB_COLOUR_ALL), QB_R0));
	qb_emit(&b, qb_signal(V3D_QPU_SIG_PROGRAM_END, qb_nop()));
	qb_emit(&b, qb_nop());
	qb_emit(&b, qb_signal(V3D_QPU_SIG_UNLOCK_SCOREBOARD, qb_nop()));
	return shader_create(fd, &b);
}

/* A job that draws @count vertices of @bo as triangles, with its own copy of everything */
struct drawing {
	struct render *r;
	struct list list;
	struct {
		uint32_t handles[5];	/* fragment, vertex, coordinate shader; two attribute arrays */
		uint8_t record[V3D_GL_SHADER_RECORD_LENGTH + 2 * V3D_ATTRIBUTE_LENGTH];
	} __attribute__((packed)) shader;
	uint32_t uniforms[2];		/* the colour; the stream's own address, for shaders that branch */
};

static uint32_t use(struct render *r, uint32_t handle)
{
	struct drm_vc4_submit_rcl_surface surface = { 0 };

	render_surface(r, &surface, handle, 0, 0);
	return surface.hindex;
}

static void add_shader_record(struct drawing *d, const uint32_t *shaders, const struct bo *vertices)
{
	const struct v3d_gl_shader_record record = {
		.single_threaded = 1, .clipping = 1, .fs_uniform_count = 1,
		.vs_attributes = 2, .vs_attributes_size = 4 * SCREEN_WORDS, .cs_attributes = 1,
		.cs_attributes_size = sizeof(struct vertex),
	};
	const struct v3d_attribute all = { .size_minus_1 = sizeof(struct vertex) - 1, .stride = sizeof(struct vertex) };
	const struct v3d_attribute screen = {
		.address = offsetof(struct vertex, x), .size_minus_1 = 4 * SCREEN_WORDS - 1, .stride = sizeof(struct vertex),
	};
	unsigned int n;

	for (n = 0; n < 3; n++)
		d->shader.handles[n] = use(d->r, shaders[n]);
	d->shader.handles[3] = d->shader.handles[4] = use(d->r, vertices->handle);
	v3d_pack_gl_shader_record(d->shader.record, &record);
	v3d_pack_attribute(d->shader.record + V3D_GL_SHADER_RECORD_LENGTH, &all);
	v3d_pack_attribute(d->shader.record + V3D_GL_SHADER_RECORD_LENGTH + V3D_ATTRIBUTE_LENGTH, &screen);
	d->r->submit.shader_rec = (uintptr_t)&d->shader;
	d->r->submit.shader_rec_size = sizeof(d->shader);
	d->r->submit.shader_rec_count = 1;
	d->r->submit.uniforms = (uintptr_t)d->uniforms;
	d->r->submit.uniforms_size = sizeof(d->uniforms);
}

static struct drawing *drawing_new(const uint32_t *shaders, const struct bo *target, unsigned int width, unsigned int height,
				   const struct bo *vertices, unsigned int count)
{
	struct drawing *d = calloc(1, sizeof(*d));

	igt_assert(d);
	d->uniforms[0] = COLOR;
	d->r = render_new(width, height);
	render_clear(d->r, BACKGROUND, 0, 0);
	render_surface(d->r, &d->r->submit.color_write, target->handle, 0, RENDER_PIXEL(V3D_FRAME_RGBA8888));
	add_shader_record(d, shaders, vertices);
	list_begin(&d->list, (width + 63) / 64, (height + 63) / 64, false);
	list_add(&d->list, primitive_list_format, .primitive = V3D_LIST_TRIANGLES, .data = V3D_LIST_INDEX_16);
	list_add(&d->list, clip_window, .width = width, .height = height);
	list_add(&d->list, configuration_bits, .forward_facing = 1, .reverse_facing = 1, .depth_function = V3D_ALWAYS);
	list_add(&d->list, viewport_offset, .x = 0, .y = 0);
	list_add(&d->list, z_clipping_planes, .minimum = 0, .maximum = 0x3f800000);
	list_add(&d->list, clipper_xy_scaling, .half_width = 0x46000000, .half_height = 0x46000000);	/* 8192 */
	list_add(&d->list, clipper_z_scale, .scale = 0x3f000000, .offset = 0x3f000000);
	list_add(&d->list, gl_shader_state, .attributes = 2);
	list_add(&d->list, array_primitives, .mode = V3D_TRIANGLES, .length = count);
	list_end(&d->list);
	render_list(d->r, &d->list);
	return d;
}

static void drawing_free(struct drawing *d)
{
	free(d->r);
	free(d);
}

/* What sync_result() says of the job: 1 for a good end, or -errno. Frees it. */
static int drawing_finish(int fd, struct drawing *d)
{
	uint32_t sync = sync_create(fd);
	int result;

	d->r->submit.out_sync = sync;
	render_submit(fd, d->r);
	result = sync_result(fd, sync);
	sync_destroy(fd, sync);
	drawing_free(d);
	return result;
}

static struct vertex vertex_at(unsigned int x, unsigned int y)
{
	const float one = f32(0x3f800000);

	return (struct vertex) {
		.clip = { 0, 0, 0, one }, .x = x * 16, .y = y * 16, .z = f32(0x3f000000), .one_over_w = one,
	};
}

/* Slivers along the frame's diagonal, each in the lists of all tiles there, and a last triangle over the whole frame */
static struct bo many_triangles(int fd, unsigned int count, unsigned int size)
{
	struct bo bo = bo_create(fd, count * sizeof(struct vertex));
	struct vertex *v = (struct vertex *)bo.map;
	unsigned int n;

	for (n = 0; n < count; n++)
		v[n] = vertex_at(n % 3 ? size : 0, n % 3 ? size - n % 3 : 0);
	v[count - 3] = vertex_at(0, 0);
	v[count - 2] = vertex_at(2 * size, 0);
	v[count - 1] = vertex_at(0, 2 * size);
	return bo;
}

static void make_shaders(int fd, uint32_t *shaders)
{
	shaders[0] = shader_color(fd);
	shaders[1] = shader_copy(fd, SCREEN_WORDS);
	shaders[2] = shader_copy(fd, sizeof(struct vertex) / 4);
}

static void drop_shaders(int fd, const uint32_t *shaders)
{
	unsigned int n;

	for (n = 0; n < 3; n++)
		gem_close(fd, shaders[n]);
}

static void expect_filled(const struct bo *target, uint32_t color)
{
	unsigned int n;

	for (n = 0; n < target->size / 4; n++)
		igt_assert_eq_u32(target->map[n], color);
}

/* The triangle with the corners (16, 16), (112, 16), (16, 112): AG100 has no fill rule, so pixels on the long edge are left out */
static void triangle(int fd)
{
	struct bo target = bo_create(fd, 128 * 128 * 4), vertices = bo_create(fd, 4096);
	struct vertex *v = (struct vertex *)vertices.map;
	unsigned int x, y;
	uint32_t shaders[3];

	make_shaders(fd, shaders);
	v[0] = vertex_at(16, 16);
	v[1] = vertex_at(112, 16);
	v[2] = vertex_at(16, 112);
	igt_assert_eq(drawing_finish(fd, drawing_new(shaders, &target, 128, 128, &vertices, 3)), 1);
	for (y = 0; y < 128; y++) {
		for (x = 0; x < 128; x++) {
			if (x + y != 127)
				igt_assert_eq_u32(target.map[y * 128 + x], x >= 16 && y >= 16 && x + y < 127 ? COLOR : BACKGROUND);
		}
	}
	drop_shaders(fd, shaders);
	bo_destroy(fd, &vertices);
	bo_destroy(fd, &target);
}

/* A number out of the line of debugfs that begins so */
static unsigned long long debugfs_number(int fd, const char *before)
{
	char text[4096] = "", *at;
	int file = igt_debugfs_open(fd, "v3d_queues", O_RDONLY);

	igt_require_f(file >= 0, "no debugfs\n");
	igt_assert_lt(0, read(file, text, sizeof(text) - 1));
	close(file);
	at = strstr(text, before);
	igt_assert(at);
	return strtoull(at + strlen(before), NULL, 10);
}

/* Tile lists of several MiB: memory comes chunk by chunk while the binner waits, and every primitive arrives */
static void overspill(int fd)
{
	struct bo target = bo_create(fd, 512 * 512 * 4), vertices = many_triangles(fd, VERTICES, 512);
	unsigned long long before;
	uint32_t shaders[3];

	make_shaders(fd, shaders);
	before = debugfs_number(fd, "overspills ");
	igt_assert_eq(drawing_finish(fd, drawing_new(shaders, &target, 512, 512, &vertices, VERTICES)), 1);
	expect_filled(&target, COLOR);
	igt_assert(debugfs_number(fd, "overspills ") > before);
	drop_shaders(fd, shaders);
	bo_destroy(fd, &vertices);
	bo_destroy(fd, &target);
}

/* A fragment shader that never ends: its job ends with an error, whoever comes next is not harmed */
static void endless_shader(int fd)
{
	struct bo target = bo_create(fd, 128 * 128 * 4), vertices = many_triangles(fd, 3, 128);
	uint32_t shaders[3], endless[3];
	struct qb b;
	uint64_t code[16];

	make_shaders(fd, shaders);
	memcpy(endless, shaders, sizeof(endless));
	qb_init(&b, code, ARRAY_SIZE(code));
	qb_emit(&b, qb_mov(QB_R0, QB_UNIF));
	qb_branch_to(&b, V3D_QPU_BRANCH_ALWAYS, qb_here(&b));
	qb_nops(&b, 3);
	qb_end(&b);
	endless[0] = shader_create(fd, &b);
	igt_assert_eq(drawing_finish(fd, drawing_new(endless, &target, 128, 128, &vertices, 3)), -ETIMEDOUT);
	igt_assert_eq(drawing_finish(fd, drawing_new(shaders, &target, 128, 128, &vertices, 3)), 1);
	expect_filled(&target, COLOR);
	gem_close(fd, endless[0]);
	drop_shaders(fd, shaders);
	bo_destroy(fd, &vertices);
	bo_destroy(fd, &target);
}

static const struct subtest tests[] = {
	{ "triangle", triangle, "A triangle, every pixel" },
	{ "overspill", overspill, "Tile lists that outgrow the memory that a frame begins with" },
	{ "endless-shader", endless_shader, "A fragment shader that waits for ever" },
};

V3DCL_MAIN(tests, require_v3dcl)
