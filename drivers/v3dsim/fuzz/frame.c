// SPDX-License-Identifier: MIT
/* Whole frames: see frame.h. */
#include <string.h>

#include <v3dcl_qpu_build.h>

#include <v3d/lists.h>

#include "frame.h"
#include "fuzz.h"

/* Where things are, from FUZZ_MEMORY on */
#define BIN 0x0u
#define RENDER 0x1000u
/* a shader record each 256 bytes: two of GL, one of NV, one of VG */
#define RECORDS 0x2000u
#define UNIFORMS 0x2800u
#define TILES 0x4000u
#define TILES_BYTES 0x4000u
#define VERTEX_CODE 0x8000u
#define FRAGMENT_CODE 0x8800u
#define VERTICES 0x9000u
#define INDICES 0xd000u
#define PIXELS 0xe000u
/* past what frame_make() fills; full dumps, 16 KiB a buffer, may lie over each other */
#define DUMPS 0x12000u

struct frame {
	uint8_t *memory;
	uint32_t at, width, height, initial_block;
	bool vg;
	uint32_t (*dice)(uint32_t sides);
	uint64_t (*instruction)(void);
};

static uint32_t bus(uint32_t offset)
{
	return FUZZ_MEMORY + offset;
}

static uint32_t roll(const struct frame *f, uint32_t sides)
{
	return f->dice(sides);
}

static uint32_t bits_of(float value)
{
	uint32_t bits;

	memcpy(&bits, &value, sizeof(bits));
	return bits;
}

/* A float that a shader may meet: mostly near 1, sometimes anything */
static uint32_t number(const struct frame *f)
{
	if (!roll(f, 12))
		return roll(f, 0x10000) << 16 | roll(f, 0x10000);
	return bits_of(((int)roll(f, 400) - 200) / 64.0f);
}

static void put_word(struct frame *f, uint32_t at, uint32_t word)
{
	memcpy(f->memory + at, &word, sizeof(word));
}

/* A record, packed at the list's end */
#define ADD(f, name, NAME, ...) do { \
	const struct v3d_##name record_##name = { __VA_ARGS__ }; \
	v3d_pack_##name((f)->memory + (f)->at, &record_##name); \
	(f)->at += V3D_##NAME##_LENGTH; \
} while (0)

static void place(struct frame *f, uint32_t at, struct qb *b)
{
	qb_end(b);
	if (!roll(f, 5))
		b->code[roll(f, b->count)] = f->instruction();
	memcpy(f->memory + at, b->code, b->count * sizeof(*b->code));
}

/* Attributes go out as they came in, x and y as what is in the fourth of them. */
static void vertex_shader(struct frame *f)
{
	uint64_t code[128];
	struct qb b;

	qb_init(&b, code, 128);
	qb_emit(&b, qb_ldi(QB_VW_SETUP, 0x1a00));
	qb_emit(&b, qb_ldi(QB_VR_SETUP, 0x1a00 | 8 << 20));
	qb_nops(&b, 3);
	for (unsigned int n = 0; n < 8; n++) {
		qb_emit(&b, qb_mov(QB_R0, QB_VPM_READ));
		qb_emit(&b, qb_mov(QB_VPM_WRITE, QB_R0));
	}
	place(f, VERTEX_CODE, &b);
}

/* A texture, set up by the first two uniforms: vertices, as texels */
static void lookup(struct frame *f, struct qb *b)
{
	put_word(f, UNIFORMS, bus(VERTICES));
	put_word(f, UNIFORMS + 4, 32u << 20 | 32 << 8 | roll(f, 256));
	qb_emit(b, qb_mov(QB_IO(V3D_QPU_W_TMU0_T), QB_R0));
	qb_emit(b, qb_mov(QB_TMU0_S, QB_RB(15)));
	qb_emit(b, qb_signal(V3D_QPU_SIG_LOAD_TMU0, qb_nop()));
	qb_emit(b, qb_mov(QB_R0, QB_R4));
}

/* Something that all QPUs share */
static void shared(struct frame *f, struct qb *b)
{
	switch (roll(f, 3)) {
	case 0:
		qb_emit(b, qb_ldi(QB_VW_SETUP, 0x1a00));
		qb_emit(b, qb_mov(QB_VPM_WRITE, QB_R0));
		break;
	case 1:
		qb_emit(b, qb_mov(QB_IO(V3D_QPU_W_HOST_INT), QB_RB(15)));
		break;
	default:
		qb_emit(b, qb_mov(QB_NONE, QB_IO(V3D_QPU_R_MUTEX_ACQUIRE)));
		qb_emit(b, qb_mov(QB_IO(V3D_QPU_W_MUTEX_RELEASE), QB_R0));
	}
}

/* Some times round */
static void loop(struct frame *f, struct qb *b)
{
	uint32_t top;

	qb_emit(b, qb_ldi(QB_RA(1), 1 + roll(f, 9)));
	top = qb_here(b);
	qb_emit(b, qb_add(V3D_QPU_ADD_ADD, QB_R0, QB_R0, QB_R1));
	qb_emit(b, qb_flags(qb_add(V3D_QPU_ADD_SUB, QB_RA(1), QB_RA(1), qb_imm(1))));
	qb_branch_to(b, V3D_QPU_BRANCH_ANY_ZC, top);
	qb_nops(b, 3);
}

static void fragment_shader(struct frame *f)
{
	uint64_t code[128];
	struct qb b;

	qb_init(&b, code, 128);
	qb_emit(&b, qb_mul(V3D_QPU_MUL_FMUL, QB_R0, QB_RA(15), QB_RB(V3D_QPU_R_VARYING)));
	qb_emit(&b, qb_add(V3D_QPU_ADD_FADD, QB_R0, QB_R0, QB_R5));
	if (roll(f, 2))
		qb_emit(&b, qb_signal(V3D_QPU_SIG_WAIT_SCOREBOARD, qb_nop()));
	if (roll(f, 3) == 0)
		qb_emit(&b, qb_ldi(QB_IO(V3D_QPU_W_TLB_STENCIL_SETUP),
				   roll(f, 0x10000) << 16 | roll(f, 0x10000)));
	if (roll(f, 2))
		qb_emit(&b, qb_mov(QB_IO(V3D_QPU_W_TLB_Z), QB_RB(15)));
	if (roll(f, 3) == 0)
		qb_emit(&b, qb_signal(V3D_QPU_SIG_LOAD_COLOR, qb_nop()));
	if (roll(f, 4) == 0)
		lookup(f, &b);
	if (roll(f, 10) == 0)
		shared(f, &b);
	if (roll(f, 6) == 0)
		loop(f, &b);
	qb_emit(&b, qb_mov(QB_IO(V3D_QPU_W_TLB_COLOUR_ALL), roll(f, 2) ? QB_R0 : QB_UNIF));
	place(f, FRAGMENT_CODE, &b);
}

static void shader_records(struct frame *f)
{
	const struct v3d_gl_shader_record gl = {
		.point_size = roll(f, 2),
		.clipping = roll(f, 4) != 0,
		.fs_varyings = roll(f, 4),
		.fs_code = bus(FRAGMENT_CODE),
		.fs_uniforms = bus(UNIFORMS),
		.vs_attributes = roll(f, 8),
		.cs_attributes = roll(f, 8),
		.vs_code = bus(VERTEX_CODE),
		.vs_uniforms = bus(UNIFORMS),
		.cs_code = bus(VERTEX_CODE),
		.cs_uniforms = bus(UNIFORMS),
	};
	const struct v3d_nv_shader_record nv = {
		.point_size = roll(f, 2),
		.clipping = roll(f, 2),
		.clip_header = roll(f, 2),
		.stride = 4 * roll(f, 13),
		.fs_varyings = roll(f, 4),
		.fs_code = bus(FRAGMENT_CODE),
		.fs_uniforms = bus(UNIFORMS),
		.vertices = bus(VERTICES),
	};

	for (uint32_t at = RECORDS; at < RECORDS + 0x200; at += 0x100) {
		v3d_pack_gl_shader_record(f->memory + at, &gl);
		for (unsigned int n = 0; n < 8; n++) {
			const struct v3d_attribute attribute = {
				.address = bus(VERTICES + roll(f, 64)), .stride = roll(f, 40),
				.size_minus_1 = roll(f, 4) ? 4 * roll(f, 9) - 1 : roll(f, 256),
				.vs_vpm_offset = roll(f, 3) ? 0 : roll(f, 256),
				.cs_vpm_offset = roll(f, 3) ? 0 : roll(f, 256),
			};

			v3d_pack_attribute(f->memory + at + 36 + 8 * n, &attribute);
			put_word(f, at + 100 + 4 * n, roll(f, 100));
		}
	}
	v3d_pack_nv_shader_record(f->memory + RECORDS + 0x200, &nv);
	v3d_pack_nv_shader_record(f->memory + RECORDS + 0x300, &nv);
}

static void add_shader_state(struct frame *f)
{
	unsigned int which = roll(f, 6);

	f->vg = which == 3;
	switch (which) {
	case 0:
	case 1:
		ADD(f, gl_shader_state, GL_SHADER_STATE, .attributes = 3, .address = bus(RECORDS));
		break;
	case 2:
		ADD(f, gl_shader_state, GL_SHADER_STATE, .extended = 1,
		    .address = bus(RECORDS + 0x100));
		break;
	case 3:
		ADD(f, vg_shader_state, VG_SHADER_STATE, .address = bus(RECORDS + 0x300));
		break;
	default:
		ADD(f, nv_shader_state, NV_SHADER_STATE, .address = bus(RECORDS + 0x200));
	}
}

static void add_state(struct frame *f)
{
	ADD(f, configuration_bits, CONFIGURATION_BITS, .forward_facing = roll(f, 5) != 0,
	    .reverse_facing = roll(f, 5) != 0, .clockwise = roll(f, 2), .depth_offset = roll(f, 2),
	    .oversample = roll(f, 4) ? 0 : roll(f, 4), .coverage_pipe = !roll(f, 8),
	    .coverage_update = roll(f, 4), .depth_function = roll(f, 8), .z_updates = roll(f, 2),
	    .early_z = roll(f, 2), .early_z_updates = roll(f, 2));
	ADD(f, clip_window, CLIP_WINDOW, .left = roll(f, 20), .bottom = roll(f, 20),
	    .width = roll(f, 400), .height = roll(f, 400));
	ADD(f, viewport_offset, VIEWPORT_OFFSET, .x = roll(f, 2000), .y = roll(f, 2000));
	ADD(f, flat_shade_flags, FLAT_SHADE_FLAGS, .flags = roll(f, 8));
	ADD(f, point_size, POINT_SIZE, .size = number(f));
	ADD(f, line_width, LINE_WIDTH, .width = number(f));
	ADD(f, depth_offset, DEPTH_OFFSET, .factor = number(f), .units = number(f));
	ADD(f, rht_x_boundary, RHT_X_BOUNDARY, .x = (int32_t)roll(f, 4000) - 1000);
}

static void add_clipping(struct frame *f)
{
	ADD(f, clipper_xy_scaling, CLIPPER_XY_SCALING, .half_width = bits_of(16.0f * roll(f, 100)),
	    .half_height = bits_of(16.0f * roll(f, 100)));
	ADD(f, clipper_z_scale, CLIPPER_Z_SCALE, .scale = number(f), .offset = number(f));
	ADD(f, z_clipping_planes, Z_CLIPPING_PLANES, .minimum = roll(f, 2) ? 0 : number(f),
	    .maximum = bits_of(1));
}

/* What fits the shader state, and rarely what does not */
static void add_draw(struct frame *f)
{
	static const uint8_t vg_modes[] = { 1, 3, 4, 5, 6 };

	switch (roll(f, 40) ? (f->vg ? 1 : 2 * roll(f, 2)) : roll(f, 3)) {
	case 0:
		ADD(f, indexed_primitives, INDEXED_PRIMITIVES, .mode = roll(f, 7),
		    .index_type = roll(f, 2), .length = roll(f, 100),
		    .address = bus(INDICES + 2 * roll(f, 16)),
		    .maximum_index = roll(f, 20) ? 0xffff : roll(f, 60));
		break;
	case 1:
		ADD(f, vg_coordinate_primitives, VG_COORDINATE_PRIMITIVES,
		    .mode = roll(f, 40) ? vg_modes[roll(f, 5)] : roll(f, 16),
		    .continuation = roll(f, 2), .length = roll(f, 40), .address = bus(VERTICES));
		break;
	default:
		ADD(f, array_primitives, ARRAY_PRIMITIVES, .mode = roll(f, 7),
		    .length = roll(f, 100), .first_vertex = roll(f, 50));
	}
}

/* State, shaders and draws, in no particular order but mostly a good one */
static void add_draws(struct frame *f, uint32_t end)
{
	while (f->at + 200 < end) {
		if (!roll(f, 3))
			add_state(f);
		if (!roll(f, 4))
			add_clipping(f);
		if (!roll(f, 2))
			add_shader_state(f);
		add_draw(f);
		if (!roll(f, 6))
			break;
	}
}

static void bin_list(struct frame *f)
{
	f->at = BIN;
	ADD(f, tile_binning_mode, TILE_BINNING_MODE, .address = bus(TILES),
	    .size = roll(f, 4) ? TILES_BYTES : roll(f, TILES_BYTES), .state = bus(FRAME_TILE_STATE),
	    .width = f->width, .height = f->height, .multisample = !roll(f, 4),
	    .auto_initialise = 1, .initial_block = f->initial_block, .block = roll(f, 4));
	f->memory[f->at++] = V3D_START_TILE_BINNING;
	ADD(f, primitive_list_format, PRIMITIVE_LIST_FORMAT, .primitive = V3D_LIST_TRIANGLES,
	    .data = V3D_LIST_INDEX_16);
	add_state(f);
	add_clipping(f);
	add_shader_state(f);
	add_draws(f, BIN + 0xf00);
	f->memory[f->at++] = roll(f, 2) ? V3D_FLUSH : V3D_FLUSH_ALL_STATE;
}

/* What the tile buffer finds, of the frame or of anything else */
static void add_loads(struct frame *f)
{
	static const uint8_t buffers[] = { V3D_BUFFER_COLOR, V3D_BUFFER_ZS, V3D_BUFFER_VG_MASK,
					   V3D_BUFFER_FULL };

	if (roll(f, 2))
		ADD(f, load_general, LOAD_GENERAL, .buffer = buffers[roll(f, 4)],
		    .format = roll(f, 3), .pixel = roll(f, 3), .disable_vg_mask = roll(f, 2),
		    .address = bus(roll(f, 2) ? PIXELS : DUMPS));
	else
		ADD(f, load_full, LOAD_FULL, .disable_zs = roll(f, 2),
		    .address = bus(DUMPS + 0x1000 * roll(f, 8)));
}

/* What leaves it before its end, and what may be left in it */
static void add_stores(struct frame *f)
{
	if (roll(f, 2))
		ADD(f, store_general, STORE_GENERAL, .buffer = roll(f, 6), .format = roll(f, 3),
		    .pixel = roll(f, 3), .disable_color_clear = roll(f, 4) != 0,
		    .disable_zs_clear = roll(f, 4) != 0, .disable_vg_mask_clear = roll(f, 4) != 0,
		    .address = bus(roll(f, 2) ? PIXELS : DUMPS));
	else
		ADD(f, store_full, STORE_FULL, .disable_zs = roll(f, 2),
		    .disable_clear = roll(f, 4) != 0, .address = bus(DUMPS + 0x1000 * roll(f, 6)));
}

/* The end of a tile, mostly with all cleared */
static void end_tile(struct frame *f, bool last)
{
	if (!roll(f, 4))
		ADD(f, store_general, STORE_GENERAL, .buffer = V3D_BUFFER_COLOR,
		    .pixel = roll(f, 3), .disable_zs_clear = !roll(f, 4),
		    .disable_color_clear = !roll(f, 4), .last_tile = last, .address = bus(PIXELS));
	else
		f->memory[f->at++] = last ? V3D_STORE_RESOLVED_END : V3D_STORE_RESOLVED;
}

static void render_list(struct frame *f)
{
	const bool loads = !roll(f, 4), stores = !roll(f, 4);

	f->at = RENDER;
	ADD(f, clear_colors, CLEAR_COLORS, .color0 = 1, .color1 = 2, .z = 0xffffff);
	ADD(f, tile_rendering_mode, TILE_RENDERING_MODE, .address = bus(PIXELS),
	    .width = roll(f, 33), .height = roll(f, 65), .multisample = !roll(f, 4),
	    .pixel = roll(f, 3), .color64 = !roll(f, 8), .double_buffer = !roll(f, 8));
	add_state(f);
	for (uint32_t tile = 0; tile < f->width * f->height; tile++) {
		if (loads && roll(f, 3))
			add_loads(f);
		ADD(f, tile_coordinates, TILE_COORDINATES, .column = tile % f->width,
		    .row = tile / f->width);
		if (!roll(f, 3)) {
			add_shader_state(f);
			add_draw(f);
		}
		ADD(f, branch_to_sub_list, BRANCH_TO_SUB_LIST,
		    .address = bus(TILES) + tile * (32u << f->initial_block));
		if (stores && roll(f, 3))
			add_stores(f);
		end_tile(f, tile + 1 == f->width * f->height);
	}
}

void frame_make(uint8_t *memory, uint32_t (*dice)(uint32_t sides), uint64_t (*instruction)(void),
		struct frame_lists *lists)
{
	struct frame f = { .memory = memory, .dice = dice, .instruction = instruction };

	f.width = 1 + roll(&f, 3);
	f.height = 1 + roll(&f, 2);
	f.initial_block = roll(&f, 4);
	for (uint32_t at = UNIFORMS; at < UNIFORMS + 64; at += 4)
		put_word(&f, at, number(&f));
	for (uint32_t at = VERTICES; at < INDICES; at += 4)
		put_word(&f, at,
			 roll(&f, 3) ? number(&f) : roll(&f, 0x800) | roll(&f, 0x800) << 16);
	for (uint32_t at = INDICES; at < PIXELS; at++)
		memory[at] = at % 2 && roll(&f, 1000) ? 0 : roll(&f, 60);
	vertex_shader(&f);
	fragment_shader(&f);
	shader_records(&f);
	bin_list(&f);
	lists->start[0] = bus(BIN);
	lists->end[0] = bus(f.at);
	render_list(&f);
	lists->start[1] = bus(RENDER);
	lists->end[1] = bus(f.at);
}
