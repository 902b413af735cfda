/* SPDX-License-Identifier: MIT */
/*
 * Jobs that draw, as tests make them. Vertices come shaded: the shaders only hand on what the
 * attributes hold, so that every pixel can be told beforehand.
 */
#ifndef V3DCL_DRAWING_H
#define V3DCL_DRAWING_H

#include "v3dcl_list.h"

#define BACKGROUND 0x11223344u
#define COLOR 0xff00aa55u

/*
 * AG100 Figures 10 and 11: what the coordinate shader hands on, and of that from @screen on, the
 * vertex shader
 */
struct vertex {
	float clip[4];
	uint16_t x, y;			/* screen, 12.4, relative to the viewport's centre */
	float z, one_over_w;
};

#define SCREEN_WORDS 3

static inline float f32(unsigned int word)
{
	float value;

	memcpy(&value, &word, sizeof(value));
	return value;
}

static inline uint32_t shader_create(int fd, const struct qb *b)
{
	struct drm_vc4_create_shader_bo create = { .size = b->count * V3D_QPU_INSTRUCTION_BYTES,
						   .data = (uintptr_t)b->code };

	igt_assert(!b->failed);
	do_ioctl(fd, DRM_IOCTL_VC4_CREATE_SHADER_BO, &create);
	return create.handle;
}

/* Hands on @words words of the VPM */
static inline void emit_copy(struct qb *b, unsigned int words)
{
	qb_setup(b, QB_VR_SETUP, qb_word_vpm_read(0, words));
	qb_setup(b, QB_VW_SETUP, qb_word_vpm_write(0));
	qb_nops(b, 2);
	while (words--)
		qb_emit(b, qb_mov(QB_VPM_WRITE, QB_VPM_READ));
}

static inline uint32_t shader_copy(int fd, unsigned int words)
{
	uint64_t code[64];
	struct qb b;

	qb_init(&b, code, ARRAY_SIZE(code));
	emit_copy(&b, words);
	qb_end(&b);
	return shader_create(fd, &b);
}

/* One colour, from a uniform */
static inline uint32_t shader_color(int fd)
{
	uint64_t code[16];
	struct qb b;

	qb_init(&b, code, ARRAY_SIZE(code));
	qb_emit(&b, qb_mov(QB_R0, QB_UNIF));
	qb_emit(&b, qb_nop());
	qb_end_color(&b, QB_R0);
	return shader_create(fd, &b);
}

/* As shader_color(), after a loop of so many rounds */
static inline uint32_t shader_slow(int fd, uint32_t rounds)
{
	uint64_t code[32];
	struct qb b;

	qb_init(&b, code, ARRAY_SIZE(code));
	qb_emit(&b, qb_mov(QB_R0, QB_UNIF));
	qb_emit(&b, qb_ldi(QB_R1, rounds));
	qb_count_down(&b, QB_R1, qb_here(&b));
	qb_end_color(&b, QB_R0);
	return shader_create(fd, &b);
}

/* A drawing's shaders, as make_shaders() puts them and the record wants them */
enum drawing_shader { DRAWING_FRAGMENT, DRAWING_VERTEX, DRAWING_COORDINATE, DRAWING_SHADERS };

/*
 * Never ends; takes the uniforms that the record says this shader has, and writes the rows of a
 * vertex
 */
static inline uint32_t shader_endless(int fd, enum drawing_shader which)
{
	uint64_t code[64];
	struct qb b;

	qb_init(&b, code, ARRAY_SIZE(code));
	if (which == DRAWING_FRAGMENT)
		qb_emit(&b, qb_mov(QB_R0, QB_UNIF));
	else
		emit_copy(&b, which == DRAWING_VERTEX ? SCREEN_WORDS : sizeof(struct vertex) / 4);
	qb_branch_to(&b, V3D_QPU_BRANCH_ALWAYS, qb_here(&b));
	qb_nops(&b, 3);
	qb_end(&b);
	return shader_create(fd, &b);
}

/* A job that draws @count vertices of @bo as triangles, with its own copy of everything */
struct drawing {
	struct render *r;
	struct list list;
	struct {
		uint32_t handles[DRAWING_SHADERS + 2];	/* and two attribute arrays */
		uint8_t record[V3D_GL_SHADER_RECORD_LENGTH + 2 * V3D_ATTRIBUTE_LENGTH];
	} __attribute__((packed)) shader;
	/* the colour; the stream's own address, for shaders that branch */
	uint32_t uniforms[2];
};

static inline uint32_t use(struct render *r, uint32_t handle)
{
	struct drm_vc4_submit_rcl_surface surface = { 0 };

	render_surface(r, &surface, handle, 0, 0);
	return surface.hindex;
}

static inline void add_shader_record(struct drawing *d, const uint32_t *shaders,
				     const struct bo *vertices)
{
	const struct v3d_gl_shader_record record = {
		.single_threaded = 1, .clipping = 1, .fs_uniform_count = 1,
		.vs_attributes = 2, .vs_attributes_size = 4 * SCREEN_WORDS, .cs_attributes = 1,
		.cs_attributes_size = sizeof(struct vertex),
	};
	const struct v3d_attribute all = { .size_minus_1 = sizeof(struct vertex) - 1,
					   .stride = sizeof(struct vertex) };
	const struct v3d_attribute screen = {
		.address = offsetof(struct vertex, x),
		.size_minus_1 = 4 * SCREEN_WORDS - 1,
		.stride = sizeof(struct vertex),
	};
	unsigned int n;

	for (n = 0; n < DRAWING_SHADERS; n++)
		d->shader.handles[n] = use(d->r, shaders[n]);
	d->shader.handles[n] = d->shader.handles[n + 1] = use(d->r, vertices->handle);
	v3d_pack_gl_shader_record(d->shader.record, &record);
	v3d_pack_attribute(d->shader.record + V3D_GL_SHADER_RECORD_LENGTH, &all);
	v3d_pack_attribute(d->shader.record + V3D_GL_SHADER_RECORD_LENGTH + V3D_ATTRIBUTE_LENGTH,
			   &screen);
	d->r->submit.shader_rec = (uintptr_t)&d->shader;
	d->r->submit.shader_rec_size = sizeof(d->shader);
	d->r->submit.shader_rec_count = 1;
	d->r->submit.uniforms = (uintptr_t)d->uniforms;
	d->r->submit.uniforms_size = sizeof(d->uniforms);
}

/* @planes: with those that Z is clipped to, a record that the kernel's own vc4 refuses */
static inline void add_bin_list(struct drawing *d, unsigned int count, bool planes)
{
	const unsigned int width = d->r->submit.width, height = d->r->submit.height;

	list_begin(&d->list, (width + 63) / 64, (height + 63) / 64, false);
	list_add(&d->list, primitive_list_format, .primitive = V3D_LIST_TRIANGLES,
		 .data = V3D_LIST_INDEX_16);
	list_add(&d->list, clip_window, .width = width, .height = height);
	list_add(&d->list, configuration_bits, .forward_facing = 1, .reverse_facing = 1,
		 .depth_function = V3D_ALWAYS);
	list_add(&d->list, viewport_offset, .x = 0, .y = 0);
	if (planes)
		list_add(&d->list, z_clipping_planes, .minimum = 0, .maximum = 0x3f800000);
	/* 8192 */
	list_add(&d->list, clipper_xy_scaling, .half_width = 0x46000000, .half_height = 0x46000000);
	list_add(&d->list, clipper_z_scale, .scale = 0x3f000000, .offset = 0x3f000000);
	list_add(&d->list, gl_shader_state, .attributes = 2);
	list_add(&d->list, array_primitives, .mode = V3D_TRIANGLES, .length = count);
	list_end(&d->list);
	render_list(d->r, &d->list);
}

static inline struct drawing *drawing_make(const uint32_t *shaders, const struct bo *target,
					   unsigned int width, unsigned int height,
					   const struct bo *vertices, unsigned int count,
					   bool planes)
{
	struct drawing *d = calloc(1, sizeof(*d));

	igt_assert(d);
	d->uniforms[0] = COLOR;
	d->r = render_new(width, height);
	render_clear(d->r, BACKGROUND, 0, 0);
	render_surface(d->r, &d->r->submit.color_write, target->handle, 0,
		       RENDER_PIXEL(V3D_FRAME_RGBA8888));
	add_shader_record(d, shaders, vertices);
	add_bin_list(d, count, planes);
	return d;
}

static inline struct drawing *drawing_new(const uint32_t *shaders, const struct bo *target,
					  unsigned int width, unsigned int height,
					  const struct bo *vertices, unsigned int count)
{
	return drawing_make(shaders, target, width, height, vertices, count, true);
}

static inline void drawing_free(struct drawing *d)
{
	free(d->r);
	free(d);
}

/* Frees it. Return: the syncobj that its fence is in, the caller's */
static inline uint32_t drawing_submit(int fd, struct drawing *d)
{
	uint32_t sync = sync_create(fd);

	d->r->submit.out_sync = sync;
	render_submit(fd, d->r);
	drawing_free(d);
	return sync;
}

/* What sync_result() says of the job: 1 for a good end, or -errno. Frees it. */
static inline int drawing_finish(int fd, struct drawing *d)
{
	uint32_t sync = drawing_submit(fd, d);
	int result = sync_result(fd, sync);

	sync_destroy(fd, sync);
	return result;
}

static inline struct vertex vertex_at(unsigned int x, unsigned int y)
{
	const float one = f32(0x3f800000);

	return (struct vertex){
		.clip = { 0, 0, 0, one },
		.x = x * 16,
		.y = y * 16,
		.z = f32(0x3f000000),
		.one_over_w = one,
	};
}

/* @fragment is one of them from now on */
static inline void make_shaders_with(int fd, uint32_t fragment, uint32_t *shaders)
{
	shaders[DRAWING_FRAGMENT] = fragment;
	shaders[DRAWING_VERTEX] = shader_copy(fd, SCREEN_WORDS);
	shaders[DRAWING_COORDINATE] = shader_copy(fd, sizeof(struct vertex) / 4);
}

static inline void make_shaders(int fd, uint32_t *shaders)
{
	make_shaders_with(fd, shader_color(fd), shaders);
}

static inline void drop_shaders(int fd, const uint32_t *shaders)
{
	unsigned int n;

	for (n = 0; n < DRAWING_SHADERS; n++)
		gem_close(fd, shaders[n]);
}

/*
 * Slivers along the frame's diagonal, each in the lists of all tiles there, and a last triangle
 * over the whole frame
 */
static inline struct bo many_triangles(int fd, unsigned int count, unsigned int size)
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

static inline void expect_filled(const struct bo *target, uint32_t color)
{
	unsigned int n;

	for (n = 0; n < target->size / 4; n++)
		igt_assert_eq_u32(target->map[n], color);
}

/* A triangle in the upper left corner of a picture, to be drawn as often as one likes */
struct scene {
	int fd;
	uint32_t shaders[DRAWING_SHADERS];
	struct bo target, vertices;
	struct drawing *frame;
};

/* The fragment shader belongs to the scene from now on; @reach: pixels in each direction */
static inline struct scene *scene_new(int fd, uint32_t fragment, unsigned int size,
				      unsigned int reach)
{
	struct scene *scene = calloc(1, sizeof(*scene));
	struct vertex *v;

	igt_assert(scene);
	scene->fd = fd;
	make_shaders_with(fd, fragment, scene->shaders);
	scene->target = bo_create(fd, size * size * 4);
	scene->vertices = bo_create(fd, 4096);
	v = (struct vertex *)scene->vertices.map;
	v[0] = vertex_at(0, 0);
	v[1] = vertex_at(reach, 0);
	v[2] = vertex_at(0, reach);
	scene->frame = drawing_new(scene->shaders, &scene->target, size, size, &scene->vertices, 3);
	return scene;
}

static inline void scene_free(struct scene *scene)
{
	drawing_free(scene->frame);
	drop_shaders(scene->fd, scene->shaders);
	bo_destroy(scene->fd, &scene->target);
	bo_destroy(scene->fd, &scene->vertices);
	free(scene);
}

#endif /* V3DCL_DRAWING_H */
