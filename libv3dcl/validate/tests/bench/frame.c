// SPDX-License-Identifier: MIT
/* The frame that is timed: see frame.h. */
#include <string.h>

#include <v3d/packets.h>
#include <v3d/words.h>
#include <v3dcl_qpu_build.h>

#include "frame.h"

#define CODE 64
#define ATTRIBUTES 4
#define VARYINGS 2
#define CLIP_ROWS 4
#define SCREEN_ROWS 3
#define TILES_X ((FRAME_WIDTH + 63) / 64)
#define TILES_Y ((FRAME_HEIGHT + 63) / 64)

enum { BO_FS, BO_VS, BO_CS, BO_VERTICES, BO_TEXTURE, BO_COLOR };

/* A record of the bin list, by its struct */
#define bin(t, name, ...) \
	do { \
		const struct v3d_##name in_ = { __VA_ARGS__ }; \
		uint8_t out_[32]; \
		v3d_pack_##name(out_, &in_); \
		trial_add(&(t)->bin, out_, v3d_packet_info(out_[0])->length); \
	} while (0)

static void fragment_shader(struct trial *t)
{
	uint64_t code[CODE];
	struct qb b;

	qb_init(&b, code, CODE);
	for (unsigned int n = 0; n < VARYINGS; n++)
		qb_emit(&b, qb_mov(QB_R0, QB_RA(V3D_QPU_R_VARYING)));
	qb_emit(&b, qb_mov(QB_R0, QB_UNIF));
	qb_emit(&b, qb_mov(QB_IO(V3D_QPU_W_TMU0_T), QB_R0));
	qb_emit(&b, qb_mov(QB_TMU0_S, QB_R0));
	qb_emit(&b, qb_signal(V3D_QPU_SIG_LOAD_TMU0, qb_nop()));
	qb_emit(&b, qb_mov(QB_IO(V3D_QPU_W_TLB_COLOUR_ALL), QB_R4));
	qb_end_fragment(&b);
	trial_code(t, TRIAL_SHADER, code, b.count);
}

/* Reads so many rows of the VPM, and writes so many: AG100 Figures 10 and 11 */
static void vertex_shader(struct trial *t, unsigned int read, unsigned int written)
{
	uint64_t code[CODE];
	struct qb b;

	qb_init(&b, code, CODE);
	qb_setup(&b, QB_VR_SETUP, qb_word_vpm_read(0, read));
	for (unsigned int n = 0; n < read; n++)
		qb_emit(&b, qb_mov(QB_R0, QB_VPM_READ));
	for (unsigned int n = 0; n < ATTRIBUTES; n++)
		qb_emit(&b, qb_mov(QB_R0, QB_UNIF));
	qb_setup(&b, QB_VW_SETUP, qb_word_vpm_write(0));
	for (unsigned int n = 0; n < written; n++)
		qb_emit(&b, qb_mov(QB_VPM_WRITE, QB_R0));
	qb_nops(&b, 2);
	qb_end(&b);
	trial_code(t, TRIAL_SHADER, code, b.count);
}

static void record(struct trial *t)
{
	const struct v3d_gl_shader_record record = {
		.single_threaded = 1,
		.clipping = 1,
		.fs_varyings = VARYINGS,
		.vs_attributes = 0xf,
		.vs_attributes_size = 64,
		.cs_attributes = 1,
		.cs_attributes_size = 16,
	};
	uint8_t bytes[V3D_GL_SHADER_RECORD_LENGTH];

	trial_word(&t->records, BO_FS);
	trial_word(&t->records, BO_VS);
	trial_word(&t->records, BO_CS);
	for (unsigned int n = 0; n < ATTRIBUTES; n++)
		trial_word(&t->records, BO_VERTICES);
	v3d_pack_gl_shader_record(bytes, &record);
	trial_add(&t->records, bytes, sizeof(bytes));
	for (unsigned int n = 0; n < ATTRIBUTES; n++) {
		const struct v3d_attribute attribute = {
			.address = 16 * n,
			.size_minus_1 = 15,
			.stride = 64,
			.vs_vpm_offset = 16 * n,
		};

		v3d_pack_attribute(bytes, &attribute);
		trial_add(&t->records, bytes, V3D_ATTRIBUTE_LENGTH);
	}
	t->submit.shader_rec_count++;
}

static void uniforms(struct trial *t)
{
	const struct v3d_texture0 p0 = { .type = V3D_TEXTURE_RGBA8888 };
	const struct v3d_texture1 p1 = { .width = 64, .height = 64 };

	trial_word(&t->uniforms, BO_TEXTURE);
	trial_word(&t->uniforms, 0x3f800000);
	trial_word(&t->uniforms, v3d_word_texture0(&p0));
	trial_word(&t->uniforms, v3d_word_texture1(&p1));
	for (unsigned int n = 0; n < 2 * ATTRIBUTES; n++)
		trial_word(&t->uniforms, 0);
}

static void draw(struct trial *t)
{
	bin(t, configuration_bits, .forward_facing = 1, .depth_function = V3D_ALWAYS);
	bin(t, clip_window, .width = FRAME_WIDTH, .height = FRAME_HEIGHT);
	bin(t, viewport_offset, .x = 64 * 16, .y = 50 * 16);
	bin(t, gl_shader_state, .attributes = ATTRIBUTES);
	bin(t, array_primitives, .mode = 4, .length = 3);
	record(t);
	uniforms(t);
}

static void surfaces(struct drm_vc4_submit_cl *submit)
{
	const struct drm_vc4_submit_rcl_surface none = { .hindex = ~0u };

	submit->width = FRAME_WIDTH;
	submit->height = FRAME_HEIGHT;
	submit->max_x_tile = TILES_X - 1;
	submit->max_y_tile = TILES_Y - 1;
	submit->color_read = none;
	submit->zs_read = none;
	submit->zs_write = none;
	submit->msaa_color_write = none;
	submit->msaa_zs_write = none;
	submit->color_write = (struct drm_vc4_submit_rcl_surface){ .hindex = BO_COLOR,
								   .bits = V3D_FRAME_RGBA8888
									   << 2 };
	submit->flags = VC4_SUBMIT_CL_USE_CLEAR_COLOR;
}

void frame_make(struct trial *t, uint32_t draws)
{
	trial_begin(t, 0);
	t->kind = TRIAL_FRAME;
	fragment_shader(t);
	vertex_shader(t, 16, SCREEN_ROWS + VARYINGS);
	vertex_shader(t, 4, CLIP_ROWS + SCREEN_ROWS);
	trial_bo(t, 0x20000000, 1 << 16);
	trial_bo(t, 0x20100000, 1 << 16);
	trial_bo(t, 0x21000000, 1 << 24);
	for (uint32_t i = 0; i < 3; i++)
		t->bos[i].address = 0x22000000 + (i << 16);
	surfaces(&t->submit);
	bin(t, tile_binning_mode, .width = TILES_X, .height = TILES_Y);
	bin(t, start_tile_binning);
	bin(t, primitive_list_format, .primitive = V3D_LIST_TRIANGLES, .data = V3D_LIST_INDEX_16);
	while (draws--)
		draw(t);
	bin(t, increment_semaphore);
	bin(t, flush);
	t->submit.bin_cl_size = t->bin.size;
	t->submit.shader_rec_size = t->records.size;
	t->submit.uniforms_size = t->uniforms.size;
}
