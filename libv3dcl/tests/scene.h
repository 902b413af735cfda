/* SPDX-License-Identifier: MIT */
/* Frames of a triangle with what they need, for tests. */
#ifndef V3DCL_CL_TESTS_SCENE_H
#define V3DCL_CL_TESTS_SCENE_H

#include <v3dcl_device.h>
#include <v3dcl_frame.h>
#include <v3dcl_qpu_build.h>

#define COLOR 0xff00aa55u
#define BACKGROUND 0x11223344u
#define SIDE 128u			/* of the frame: 2 x 2 tiles */

/*
 * AG100 Figures 10 and 11: what the coordinate shader hands on, and of that from @x on, the vertex
 * shader
 */
struct shaded {
	float clip[4];
	int16_t x, y;
	float z, one_over_w;
};

static inline struct shaded shaded_at(int x, int y)
{
	return (struct shaded){
		.clip = { 0, 0, 0, 1 },
		.x = (int16_t)(x * 16),
		.y = (int16_t)(y * 16),
		.z = 0.5f,
		.one_over_w = 1,
	};
}

/* The triangle (16, 16), (112, 16), (16, 112) */
static inline int scene_vertices(struct v3dcl_block *block, bool clip_header,
				 struct v3dcl_error *error)
{
	const struct shaded vertices[] = { shaded_at(16, 16), shaded_at(112, 16),
					   shaded_at(16, 112) };
	const size_t skip = clip_header ? 0 : offsetof(struct shaded, x);
	int ret = 0;

	for (unsigned int i = 0; i < 3 && !ret; i++)
		ret = v3dcl_block_bytes(block, (const uint8_t *)&vertices[i] + skip,
					sizeof(vertices[i]) - skip, error);
	return ret;
}

/* Hands on words of the VPM */
static inline uint32_t scene_copy(uint64_t *code, unsigned int words)
{
	struct qb b;

	qb_init(&b, code, 64);
	qb_emit(&b, qb_ldi(QB_VR_SETUP, qb_word_vpm_read(0, words)));
	qb_emit(&b, qb_ldi(QB_VW_SETUP, qb_word_vpm_write(0)));
	qb_nops(&b, 2);
	while (words--)
		qb_emit(&b, qb_mov(QB_VPM_WRITE, QB_VPM_READ));
	qb_end(&b);
	return b.count;
}

/* One colour, from a uniform */
static inline uint32_t scene_color(uint64_t *code)
{
	struct qb b;

	qb_init(&b, code, 64);
	qb_emit(&b, qb_mov(QB_R0, QB_UNIF));
	qb_emit(&b, qb_nop());
	qb_end_color(&b, QB_R0);
	return b.count;
}

/* State that draws everything at the coordinates given */
static inline int scene_state(struct v3dcl_list *list, struct v3dcl_error *error)
{
	int ret =
		v3dcl_list_clip_window(list,
				       &(struct v3dcl_clip_window){ .width = SIDE, .height = SIDE },
				       error);

	if (!ret)
		ret = v3dcl_list_configuration_bits(list,
						    &(struct v3dcl_configuration_bits){
							    .forward_facing = 1,
							    .reverse_facing = 1,
							    .depth_function = V3D_ALWAYS },
						    error);
	if (!ret)
		ret = v3dcl_list_viewport_offset(list, &(struct v3dcl_viewport_offset){ .x = 0 },
						 error);
	if (!ret)
		ret = v3dcl_list_z_clipping_planes(list,
						   &(struct v3dcl_z_clipping_planes){
							   .maximum = 1 },
						   error);
	if (!ret)
		ret = v3dcl_list_clipper_xy_scaling(list,
						    &(struct v3dcl_clipper_xy_scaling){ 8192,
											8192 },
						    error);
	if (!ret)
		ret = v3dcl_list_clipper_z_scale(list,
						 &(struct v3dcl_clipper_z_scale){ .scale = 0.5f,
										  .offset = 0.5f },
						 error);
	return ret;
}

static inline int scene_draw(struct v3dcl_list *list, struct v3dcl_error *error)
{
	int ret = v3dcl_list_array_primitives(list,
					      &(struct v3dcl_array_primitives){
						      .mode = V3D_TRIANGLES, .length = 3 },
					      error);

	return ret ? ret : v3dcl_list_flush(list, error);
}

static inline int scene_begin(struct v3dcl_frame *frame, uint32_t target, struct v3dcl_error *error)
{
	const struct v3dcl_targets targets = {
		.width = SIDE,
		.height = SIDE,
		.clear = true,
		.clear_color = { BACKGROUND, BACKGROUND },
		.color_write = { .address = { target, 0 },
				 .format = V3D_RASTER,
				 .pixel = V3D_RGBA8888 },
	};
	int ret = v3dcl_frame_targets(frame, &targets, error);

	if (!ret)
		ret = v3dcl_frame_begin(frame, error);
	return ret ? ret : scene_state(v3dcl_frame_bin(frame), error);
}

static inline int scene_uniforms(struct v3dcl_frame *frame, struct v3dcl_address *where,
				 struct v3dcl_error *error)
{
	struct v3dcl_block stream = { 0 };
	int ret = v3dcl_block_word(&stream, COLOR, error);

	if (!ret)
		ret = v3dcl_frame_uniforms(frame, &stream, where, error);
	v3dcl_block_free(&stream);
	return ret;
}

static inline int scene_kept_vertices(struct v3dcl_frame *frame, bool clip_header,
				      struct v3dcl_address *where, struct v3dcl_error *error)
{
	struct v3dcl_block vertices = { 0 };
	int ret = scene_vertices(&vertices, clip_header, error);

	if (!ret)
		ret = v3dcl_frame_data(frame, &vertices, 16, where, error);
	v3dcl_block_free(&vertices);
	return ret;
}

/* With shaders of 3 handles: fragment, vertex, coordinate */
static inline int scene_gl(struct v3dcl_frame *frame, uint32_t target, const uint32_t *shaders,
			   const uint32_t *strides, struct v3dcl_error *error)
{
	struct v3dcl_gl_shader_record record = {
		.single_threaded = 1,
		.clipping = 1,
		.fs_uniform_count = 1,
		.vs_attributes = 2,
		.cs_attributes = 1,
		.fs_code = { shaders[0], 0 },
		.vs_code = { shaders[1], 0 },
		.cs_code = { shaders[2], 0 },
	};
	struct v3dcl_attribute attributes[2] = {
		{ .size_minus_1 = sizeof(struct shaded) - 1, .stride = sizeof(struct shaded) },
		{ .size_minus_1 = 11, .stride = sizeof(struct shaded) },
	};
	struct v3dcl_gl_shader_state state = { .attributes = 2, .extended = strides ? 1 : 0 };
	int ret = scene_begin(frame, target, error);

	if (!ret)
		ret = scene_kept_vertices(frame, true, &attributes[0].address, error);
	attributes[1].address = attributes[0].address;
	attributes[1].address.offset += offsetof(struct shaded, x);
	if (!ret)
		ret = scene_uniforms(frame, &record.fs_uniforms, error);
	if (!ret)
		ret = v3dcl_place_attributes(&record, attributes, 2, error);
	if (!ret)
		ret = v3dcl_frame_gl(frame, &record, attributes, strides, 2, &state.address, error);
	if (!ret)
		ret = v3dcl_list_gl_shader_state(v3dcl_frame_bin(frame), &state, error);
	return ret ? ret : scene_draw(v3dcl_frame_bin(frame), error);
}

/* Vertices shaded already; the fragment shader's code in a BO */
static inline int scene_nv(struct v3dcl_frame *frame, uint32_t target, uint32_t shader,
			   bool clip_header, struct v3dcl_error *error)
{
	struct v3dcl_nv_shader_record record = {
		.single_threaded = 1,
		.clipping = clip_header,
		.clip_header = clip_header,
		.fs_uniform_count = 1,
		.fs_code = { shader, 0 },
	};
	struct v3dcl_nv_shader_state state = { 0 };
	struct v3dcl_nv_layout layout;
	int ret = v3dcl_nv_lay_out(clip_header, false, 0, &layout, error);

	record.stride = layout.stride;
	if (!ret)
		ret = scene_begin(frame, target, error);
	if (!ret)
		ret = scene_kept_vertices(frame, clip_header, &record.vertices, error);
	if (!ret)
		ret = scene_uniforms(frame, &record.fs_uniforms, error);
	if (!ret)
		ret = v3dcl_frame_nv(frame, &record, &state.address, error);
	if (!ret)
		ret = v3dcl_list_nv_shader_state(v3dcl_frame_bin(frame), &state, error);
	return ret ? ret : scene_draw(v3dcl_frame_bin(frame), error);
}

#endif /* V3DCL_CL_TESTS_SCENE_H */
