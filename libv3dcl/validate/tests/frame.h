/* SPDX-License-Identifier: MIT */
/*
 * A frame's job as Mesa would send it, made by hand: BOs, shaders, bin list, shader records and
 * uniforms.
 */
#ifndef V3DCL_JOB_TESTS_FRAME_H
#define V3DCL_JOB_TESTS_FRAME_H

#include <v3d/packets.h>
#include <v3d/words.h>

#include "common.h"

/* The BOs, by index */
enum {
	BO_FS,
	BO_VS,
	BO_CS,
	BO_VERTICES,
	BO_INDICES,
	BO_TEXTURE,
	BO_BUFFER,
	BO_COLOR,
	BO_ZS,
	BO_PROGRAM,
	BOS
};

#define EXEC_BYTES 4096
#define RENDER_BYTES 65536

/* A page before and after what may be written */
struct guarded {
	__u8 before[256], bytes[RENDER_BYTES], after[256];
};

struct frame_test {
	struct test_shader fs, vs, cs;
	struct v3dcl_program program;
	struct v3dcl_bo bos[BOS];
	struct drm_vc4_submit_cl submit;
	__u8 bin[512], records[512], uniforms[512];
	__u32 bin_size, records_size, uniforms_size;
	__u32 last;	/* where the record appended last starts */
	struct guarded exec, render;
	struct v3dcl_job job;
};

/* A record of the bin list, by its struct: bin(t, array_primitives, .length = 3) */
#define bin(t, name, ...) \
	do { \
		const struct v3d_##name in_ = { __VA_ARGS__ }; \
		__u8 out_[32]; \
		v3d_pack_##name(out_, &in_); \
		bin_bytes(t, out_, v3d_packet_info(out_[0])->length); \
	} while (0)

static inline void bin_bytes(struct frame_test *t, const void *bytes, __u32 size)
{
	assert_true(t->bin_size + size <= sizeof(t->bin));
	t->last = t->bin_size;
	memcpy(t->bin + t->bin_size, bytes, size);
	t->bin_size += size;
}

static inline void uniform(struct frame_test *t, __u32 word)
{
	assert_true(t->uniforms_size + 4 <= sizeof(t->uniforms));
	memcpy(t->uniforms + t->uniforms_size, &word, 4);
	t->uniforms_size += 4;
}

static inline void record_word(struct frame_test *t, __u32 word)
{
	assert_true(t->records_size + 4 <= sizeof(t->records));
	memcpy(t->records + t->records_size, &word, 4);
	t->records_size += 4;
}

static inline void record_bytes(struct frame_test *t, const void *bytes, __u32 size)
{
	assert_true(t->records_size + size <= sizeof(t->records));
	memcpy(t->records + t->records_size, bytes, size);
	t->records_size += size;
}

/* Handles and a record with these attributes; n of them share a BO. */
static inline void shader_record(struct frame_test *t, const struct v3d_attribute *attributes,
				 __u32 n)
{
	const struct v3d_gl_shader_record record = {
		.single_threaded = 1,
		.clipping = 1,
		.fs_varyings = 2,
		.vs_attributes = 1,
		.vs_attributes_size = 12,
		.cs_attributes = 1,
		.cs_attributes_size = 12,
	};
	__u8 bytes[V3D_GL_SHADER_RECORD_LENGTH];
	__u32 i;

	record_word(t, BO_FS);
	record_word(t, BO_VS);
	record_word(t, BO_CS);
	for (i = 0; i < n; i++)
		record_word(t, BO_VERTICES);
	v3d_pack_gl_shader_record(bytes, &record);
	record_bytes(t, bytes, sizeof(bytes));
	for (i = 0; i < n; i++) {
		v3d_pack_attribute(bytes, &attributes[i]);
		record_bytes(t, bytes, V3D_ATTRIBUTE_LENGTH);
	}
	t->submit.shader_rec_count++;
}

/*
 * Uniforms of the three shaders that frame_start() makes: a texture in the fragment shader, a
 * direct read in the others
 */
static inline void frame_uniforms(struct frame_test *t)
{
	const struct v3d_texture0 p0 = { .type = V3D_TEXTURE_RGBA8888 };
	const struct v3d_texture1 p1 = { .width = 64, .height = 64 };
	int i;

	uniform(t, BO_TEXTURE);
	uniform(t, 0x3f800000);
	uniform(t, v3d_word_texture0(&p0));
	uniform(t, v3d_word_texture1(&p1));
	for (i = 0; i < 2; i++) {
		uniform(t, BO_BUFFER);
		uniform(t, 256 - 4);	/* limit */
		uniform(t, 0);		/* base */
	}
}

/* Reads the three rows of the attribute, and writes so many of the shaded vertex. */
static inline void frame_vertex(struct test_shader *s, int rows)
{
	shader_begin(s);
	shader_direct(s);
	qb_setup(&s->b, QB_VR_SETUP, qb_word_vpm_read(0, 3));
	for (int i = 0; i < 3; i++)
		shader_emit(s, qb_mov(QB_R0, QB_VPM_READ));
	qb_setup(&s->b, QB_VW_SETUP, qb_word_vpm_write(0));
	for (int i = 0; i < rows; i++)
		shader_emit(s, qb_mov(QB_VPM_WRITE, QB_R4));
	qb_nops(&s->b, 1);
	shader_finish(s);
}

static inline void frame_shaders(struct frame_test *t)
{
	shader_begin(&t->fs);
	shader_emit(&t->fs, qb_mov(QB_R0, QB_UNIF));
	shader_lookup(&t->fs);
	shader_emit(&t->fs, qb_mov(QB_R1, QB_RA(V3D_QPU_R_VARYING)));
	shader_emit(&t->fs, qb_mov(QB_R1, QB_RA(V3D_QPU_R_VARYING)));
	shader_emit(&t->fs, qb_mov(QB_TLB_COLOUR, QB_R4));
	shader_finish(&t->fs);
	/*
	 * Screen coordinates, depth, 1/w and two varyings; clip coordinates before them, no
	 * varyings: AG100 Figures 10 and 11
	 */
	frame_vertex(&t->vs, 5);
	frame_vertex(&t->cs, 7);
}

static inline void frame_bos(struct frame_test *t)
{
	static const __u32 sizes[BOS] = { 4096, 4096, 4096, 8192, 4096,
					  16384, 4096, 65536, 65536, 4096 };
	__u32 address = 0x10000000;
	int i;

	for (i = 0; i < BOS; i++) {
		t->bos[i] = (struct v3dcl_bo){ .address = address, .size = sizes[i] };
		address += sizes[i] + 0x10000;
	}
	t->bos[BO_FS].shader = &t->fs.shader;
	t->bos[BO_VS].shader = &t->vs.shader;
	t->bos[BO_CS].shader = &t->cs.shader;
	t->bos[BO_PROGRAM].program = &t->program;
}

/* Up to the first draw: 2 by 2 tiles of a 128 by 100 frame, one attribute of 12 bytes every 16. */
static inline void frame_start(struct frame_test *t)
{
	const struct v3d_attribute attribute = { .size_minus_1 = 11, .stride = 16 };

	memset(t, 0, sizeof(*t));
	memset(&t->exec, 0xa5, sizeof(t->exec));
	memset(&t->render, 0xa5, sizeof(t->render));
	frame_shaders(t);
	frame_bos(t);
	bin(t, tile_binning_mode, .width = 2, .height = 2);
	bin(t, start_tile_binning);
	bin(t, primitive_list_format, .primitive = V3D_LIST_TRIANGLES, .data = V3D_LIST_INDEX_16);
	bin(t, configuration_bits, .forward_facing = 1, .depth_function = V3D_ALWAYS);
	bin(t, clip_window, .width = 128, .height = 100);
	bin(t, clipper_xy_scaling, .half_width = 0x44800000, .half_height = 0x44480000);
	bin(t, clipper_z_scale, .scale = 0x3f000000, .offset = 0x3f000000);
	bin(t, viewport_offset, .x = 64 * 16, .y = 50 * 16);
	bin(t, gl_shader_state, .attributes = 1);
	shader_record(t, &attribute, 1);
	frame_uniforms(t);
}

static inline void frame_end(struct frame_test *t)
{
	bin(t, increment_semaphore);
	bin(t, flush);
}

static inline void frame_submit(struct frame_test *t)
{
	const struct drm_vc4_submit_rcl_surface none = { .hindex = ~0u };

	t->submit.width = 128;
	t->submit.height = 100;
	t->submit.max_x_tile = 1;
	t->submit.max_y_tile = 1;
	t->submit.color_read = none;
	t->submit.zs_read = none;
	t->submit.zs_write = none;
	t->submit.msaa_color_write = none;
	t->submit.msaa_zs_write = none;
	/* record 113: rgba8888, raster */
	t->submit.color_write = (struct drm_vc4_submit_rcl_surface){ .hindex = BO_COLOR,
								     .bits = V3D_FRAME_RGBA8888
									     << 2 };
}

static inline void frame_job(struct frame_test *t)
{
	t->submit.bin_cl_size = t->bin_size;
	t->submit.shader_rec_size = t->records_size;
	t->submit.uniforms_size = t->uniforms_size;
	t->job = (struct v3dcl_job){
		.submit = &t->submit,
		.bos = t->bos,
		.bo_count = BOS,
		.bin = { t->bin, t->bin_size },
		.records = { t->records, t->records_size },
		.uniforms = { t->uniforms, t->uniforms_size },
		.exec = { t->exec.bytes, 0x20000000, EXEC_BYTES },
		.tiles = {
			.state = 0x30000000, .state_bytes = 256 * 256 * 48,
			.lists = 0x30400000, .lists_bytes = 1 << 22,
		},
		.render = { t->render.bytes, 0x40000000, RENDER_BYTES },
	};
}

/* Everything up to the check of the bin list */
static inline bool frame_check(struct frame_test *t)
{
	frame_job(t);
	return v3dcl_measure(&t->job) && v3dcl_check_bin(&t->job);
}

static inline void assert_guarded(const struct guarded *g, __u32 used)
{
	__u32 i;

	for (i = 0; i < sizeof(g->before); i++)
		assert_int_equal(g->before[i], 0xa5);
	for (i = used; i < sizeof(g->bytes); i++)
		assert_int_equal(g->bytes[i], 0xa5);
	for (i = 0; i < sizeof(g->after); i++)
		assert_int_equal(g->after[i], 0xa5);
}

static inline __u32 word_at(const __u8 *bytes)
{
	return bytes[0] | bytes[1] << 8 | bytes[2] << 16 | (__u32)bytes[3] << 24;
}

/* @accepted is evaluated once; what was refused instead is said. */
#define assert_accepted(t, accepted) \
	do { \
		bool accepted_ = (accepted); \
		if (!accepted_) \
			print_message("# part %u offset %u: %s\n", (t)->job.refusal.part, \
				      (t)->job.refusal.offset, \
				      v3dcl_rule_text((t)->job.refusal.rule)); \
		assert_true(accepted_); \
	} while (0)

#endif /* V3DCL_JOB_TESTS_FRAME_H */
