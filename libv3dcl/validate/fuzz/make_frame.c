// SPDX-License-Identifier: MIT
/*
 * Frames by grammar: bin list, shader records, uniforms, textures, surfaces. Sizes and offsets are
 * chosen first, BOs then get about the size that is needed, so that what is accepted ends where its
 * BO ends.
 */
#include <v3d/lists.h>

#include "image.h"
#include "make.h"

enum {
	BO_FS,
	BO_VS,
	BO_CS,
	BO_FIRST_DATA,
	BO_VERTICES = BO_FIRST_DATA,
	BO_INDICES,
	BO_TEXTURE,
	BO_BUFFER,
	BO_COLOR,
	BO_ZS,
	BOS
};

struct maker {
	struct trial *t;
	struct dice *d;
	const struct checked *c;
	uint32_t tiles_x, tiles_y;
	uint32_t vertices;		/* that the attributes have */
	/* of the primitives that are drawn: two of points, one of lines */
	uint32_t own_varyings;
	uint32_t texture_need;		/* bytes of the BO that is sampled */
	enum {
		WILD_ATTRIBUTES,
		WILD_TEXTURES,
		WILD_DIRECT,
		WILD_DRAWS,
		WILD_SURFACES,
		WILD_SUBMIT,
		WILD_RECORDS,
		WILD_SETUPS,
		WILD_LISTS,
		TAME
	} wild;
	bool multisample;
	uint32_t drawn;			/* where the last draw of arrays is in the bin list, or 0 */
};

/* The part of a job that may be wrong, in some jobs, once in n times */
#define SLIP(m, part, n) ((m)->wild == WILD_##part && one_in((m)->d, n))
#define NEAR(m, part, edge, step) ((m)->wild == WILD_##part ? near((m)->d, edge, step) : (edge))

#define RECORD(m, name, ...) \
	do { \
		const struct v3d_##name in_ = { __VA_ARGS__ }; \
		uint8_t out_[64]; \
		v3d_pack_##name(out_, &in_); \
		(void)trial_add(&(m)->t->bin, out_, v3d_packet_info(out_[0])->length); \
	} while (0)

void make_frame_code(struct trial *t, struct dice *d)
{
	const uint32_t wild = roll(d, 24), varyings = roll(d, 5), size = one_in(d, 8);
	const uint32_t counts[] = { varyings + (one_in(d, 2) ? 0 : roll(d, 3)), varyings + size,
				    size };
	uint64_t code[MAKE_CODE];

	for (uint32_t kind = MAKE_FRAGMENT; kind <= MAKE_COORDINATE; kind++)
		(void)trial_code(t, TRIAL_SHADER, code,
				 make_frame_shader(d, kind, wild == kind, counts[kind], code));
	while (t->bo_count < BOS)
		(void)trial_bo(t, 0, 4096);
}

/* Rows of the VPM up to the last one that the vertex shaders read */
static uint32_t rows_read(const struct maker *m)
{
	const uint64_t rows = m->c->shaders[BO_VS].rows_read | m->c->shaders[BO_CS].rows_read;

	return rows ? 64 - __builtin_clzll(rows) : 0;
}

/* Bytes of an attribute that goes to @row: the last one fills the rest of those that are read */
static uint32_t attribute_bytes(struct maker *m, uint32_t row, bool last)
{
	uint32_t bytes = 4 * (1 + roll(m->d, 4));

	if (last && !SLIP(m, ATTRIBUTES, 4) && row + bytes / 4 < rows_read(m))
		bytes = 4 * (rows_read(m) - row);
	return one_in(m->d, 8) ? bytes - roll(m->d, 4) :
	       SLIP(m, ATTRIBUTES, 8) ? 1 + roll(m->d, 256) :
					bytes;
}

/* Attributes that end about where their BO does */
static void attributes(struct maker *m, uint32_t count)
{
	uint32_t row = 0;
	const uint32_t before = m->t->bos[BO_VERTICES].size,
		       end = before >= 256 ? before : 256 + roll(m->d, 1024);
	uint8_t bytes[V3D_ATTRIBUTE_LENGTH];
	uint32_t i;

	m->t->bos[BO_VERTICES].size = end;
	m->vertices = ~0u;
	for (i = 0; i < count; i++) {
		struct v3d_attribute a = { .size_minus_1 = attribute_bytes(m, row, i + 1 == count) -
							   1 };
		uint32_t last = end - a.size_minus_1 - 1;

		a.stride = one_in(m->d, 6) ? 0 : 4 + roll(m->d, one_in(m->d, 4) ? 252 : 32);
		a.vs_vpm_offset = SLIP(m, ATTRIBUTES, 8) ? roll(m->d, 256) : 4 * row;
		a.cs_vpm_offset = SLIP(m, ATTRIBUTES, 8) ? roll(m->d, 256) : 4 * row;
		row += (a.size_minus_1 + 4) / 4;
		a.address = one_in(m->d, 8) ? NEAR(m, ATTRIBUTES, last, 4) :
					      roll(m->d, last < 64 ? last + 1 : 64);
		if (SLIP(m, ATTRIBUTES, 4))
			a.address = odd_number(m->d);
		if (a.stride && a.address <= last && (last - a.address) / a.stride < m->vertices)
			m->vertices = (last - a.address) / a.stride;
		v3d_pack_attribute(bytes, &a);
		(void)trial_add(&m->t->records, bytes, sizeof(bytes));
	}
}

/* Texture parameters, where the lookup has them */
static void texture(struct maker *m, const struct v3dcl_sample *sample, uint8_t *stream)
{
	uint32_t words[4], i, bytes;

	for (i = 0; i < 4 && sample->slot[i] != V3DCL_NO_SLOT; i++)
		;
	bytes = make_texture(m->d, m->wild == WILD_TEXTURES, i, words);
	for (i = 0; i < 4; i++)
		if (sample->slot[i] != V3DCL_NO_SLOT)
			memcpy(stream + 4 * sample->slot[i], &words[i], 4);
	if (bytes > m->texture_need && bytes <= 1 << 22)
		m->texture_need = bytes;
}

static void direct(struct maker *m, const struct v3dcl_sample *sample, uint8_t *stream)
{
	uint32_t size = m->t->bos[BO_BUFFER].size,
		 base = one_in(m->d, 2) ? 0 : 4 * roll(m->d, size / 4), limit;

	if (SLIP(m, DIRECT, 2))
		base = one_in(m->d, 2) ? odd_number(m->d) : near(m->d, size, 4);
	limit = one_in(m->d, 2) || base >= size ? NEAR(m, DIRECT, size - base - 4, 4) :
						  roll(m->d, size - base - 3);
	if (SLIP(m, DIRECT, 6))
		limit = odd_number(m->d);
	memcpy(stream + 4 * sample->slot[0], &base, 4);
	memcpy(stream + 4 * sample->slot[1], &limit, 4);
}

/* Another row, number, stride or size, another register, a number that is no set-up */
static uint32_t other_set_up(struct maker *m, uint32_t word)
{
	static const uint8_t bits[] = { 0, 1, 2, 8, 9, 11, 12, 13, 20, 21, 22, 23, 30, 31 };

	switch (roll(m->d, 4)) {
	case 0:
		return word + 1;
	case 1:
		return word + (one_in(m->d, 2) ? 1 << 20 : -(1 << 20));
	case 2:
		return word ^ 1u << bits[roll(m->d, sizeof(bits))];
	default:
		return small_float(m->d);
	}
}

static void set_ups(struct maker *m, const struct v3dcl_shader *shader, uint8_t *stream)
{
	for (uint32_t i = 0; i < shader->setup_count; i++) {
		uint32_t word = shader->setups[i].word;

		if (SLIP(m, SETUPS, 2))
			word = other_set_up(m, word);
		memcpy(stream + 4 * shader->setups[i].slot, &word, 4);
	}
}

static void uniforms(struct maker *m, uint32_t which)
{
	const struct v3dcl_shader *shader = &m->c->shaders[which];
	struct trial_part *out = &m->t->uniforms;
	uint32_t i, start;

	if (out->size + 4 * (shader->sample_count + shader->uniform_words) > sizeof(out->bytes))
		return;
	for (i = 0; i < shader->sample_count; i++)
		trial_word(out, SLIP(m, RECORDS, 12) ? roll(m->d, BOS + 1) :
				shader->samples[i].direct ? BO_BUFFER :
							    BO_TEXTURE);
	start = out->size;
	for (i = 0; i < shader->uniform_words; i++)
		trial_word(out, small_float(m->d));
	for (i = 0; i < shader->sample_count; i++)
		(shader->samples[i].direct ? direct : texture)(m, &shader->samples[i],
							       out->bytes + start);
	set_ups(m, shader, out->bytes + start);
}

/* Bytes that a record reserves for attributes: four each, at most, and what is read */
static uint32_t reserved(struct maker *m, uint32_t count)
{
	const uint32_t bytes = 16 * count > 4 * rows_read(m) ? 16 * count : 4 * rows_read(m);

	return SLIP(m, RECORDS, 8) ? roll(m->d, 256) : bytes < 256 ? bytes : 252;
}

static void shader_state(struct maker *m)
{
	const uint32_t count = 1 + roll(m->d, one_in(m->d, 4) ? 8 : 2);
	/*
	 * AG100 Figures 10 and 11: without point sizes seven rows of a coordinate shader, three and
	 * varyings of a vertex shader
	 */
	const uint32_t output = __builtin_popcountll(m->c->shaders[BO_VS].rows_written);
	const bool point_size = __builtin_popcountll(m->c->shaders[BO_CS].rows_written) == 8;
	const struct v3d_gl_shader_record record = {
		.single_threaded = !(m->c->shaders[BO_FS].uses & V3DCL_SHADER_THREADED) ^
				   SLIP(m, RECORDS, 12),
		.clipping = !one_in(m->d, 4),
		.point_size = point_size ^ SLIP(m, RECORDS, 12),
		.fs_varyings = SLIP(m, RECORDS, 12) ? roll(m->d, 256) :
			       output > 3u + point_size ? output - 3 - point_size :
							  0,
		.vs_attributes = SLIP(m, RECORDS, 12) ? roll(m->d, 256) : 0xff,
		.vs_attributes_size = reserved(m, count),
		.cs_attributes = SLIP(m, RECORDS, 12) ? roll(m->d, 256) : 0xff,
		.cs_attributes_size = reserved(m, count),
		.fs_code = SLIP(m, RECORDS, 12) ? odd_number(m->d) : 0,
	};
	uint8_t bytes[V3D_GL_SHADER_RECORD_LENGTH];
	uint32_t i;

	RECORD(m, gl_shader_state, .attributes = count, .extended = SLIP(m, RECORDS, 16),
	       .address = SLIP(m, RECORDS, 16));
	for (i = 0; i < 3; i++)
		trial_word(&m->t->records, SLIP(m, RECORDS, 8) ? roll(m->d, BOS + 1) : i);
	for (i = 0; i < count; i++)
		trial_word(&m->t->records, SLIP(m, RECORDS, 8) ? roll(m->d, BOS + 1) : BO_VERTICES);
	m->own_varyings = m->c->shaders[BO_FS].varyings - record.fs_varyings;
	v3d_pack_gl_shader_record(bytes, &record);
	(void)trial_add(&m->t->records, bytes, sizeof(bytes));
	attributes(m, count);
	for (i = 0; i < 3; i++)
		uniforms(m, i);
	m->t->submit.shader_rec_count += 1 - SLIP(m, RECORDS, 8);
}

/* Where a shader state is: its record in the bin list, and what it takes of the other parts */
struct place {
	uint32_t bin, records, records_end, uniforms, uniforms_end;
};

/* Bytes of a part once more, sometimes with a bit changed */
static void again(struct maker *m, struct trial_part *part, uint32_t from, uint32_t to)
{
	const uint32_t at = part->size;

	if (trial_add(part, part->bytes + from, to - from) && to > from && one_in(m->d, 8))
		part->bytes[at + roll(m->d, to - from)] ^= 1 << roll(m->d, 8);
}

/* The same shader state once more, as most of a frame's are much like the one before */
static void shader_state_again(struct maker *m, const struct place *at)
{
	(void)trial_add(&m->t->bin, m->t->bin.bytes + at->bin, V3D_GL_SHADER_STATE_LENGTH);
	again(m, &m->t->records, at->records, at->records_end);
	again(m, &m->t->uniforms, at->uniforms, at->uniforms_end);
	m->t->submit.shader_rec_count++;
}

static void state(struct maker *m)
{
	RECORD(m, primitive_list_format,
	       .primitive = SLIP(m, LISTS, 8) ? roll(m->d, 16) : roll(m->d, 4) % 3,
	       .data = SLIP(m, LISTS, 8) ? roll(m->d, 4) : V3D_LIST_INDEX_16);
	RECORD(m, configuration_bits, .forward_facing = !one_in(m->d, 5),
	       .reverse_facing = !one_in(m->d, 5), .clockwise = roll(m->d, 2),
	       .depth_offset = one_in(m->d, 4), .oversample = m->multisample,
	       .depth_function = roll(m->d, 8), .z_updates = roll(m->d, 2),
	       .early_z = roll(m->d, 2), .early_z_updates = roll(m->d, 2));
	if (one_in(m->d, 4))
		RECORD(m, flat_shade_flags, .flags = roll(m->d, 8));
	if (one_in(m->d, 4))
		RECORD(m, point_size, .size = small_float(m->d));
	if (one_in(m->d, 4))
		RECORD(m, line_width, .width = small_float(m->d));
	if (one_in(m->d, 8))
		RECORD(m, depth_offset, .factor = dice_word(m->d), .units = dice_word(m->d));
	RECORD(m, clip_window, .left = one_in(m->d, 8) ? odd_number(m->d) : roll(m->d, 64),
	       .bottom = roll(m->d, 80),
	       .width = one_in(m->d, 16) ? odd_number(m->d) : 1 + roll(m->d, 24),
	       .height = 1 + roll(m->d, one_in(m->d, 16) ? 100 : 8));
	RECORD(m, clipper_xy_scaling, .half_width = 0x44800000 + (roll(m->d, 9) << 21),
	       .half_height = 0x44480000);
	RECORD(m, clipper_z_scale, .scale = 0x3f000000, .offset = 0x3f000000);
	RECORD(m, viewport_offset, .x = roll(m->d, 1200), .y = roll(m->d, 1200));
}

static uint32_t primitive(struct maker *m)
{
	if (m->own_varyings > 2)
		return roll(m->d, V3D_PRIMITIVES);
	return m->own_varyings == 2 ? V3D_POINTS :
	       m->own_varyings ? V3D_LINES + roll(m->d, 3) :
				      V3D_TRIANGLES + roll(m->d, 3);
}

static void draw(struct maker *m)
{
	const uint32_t last = m->vertices < 90 ? m->vertices : m->t->seed / 2 % 90,
		       few = roll(m->d, one_in(m->d, 32) ? 90 : 8),
		       mode = SLIP(m, DRAWS, 8) ? roll(m->d, 16) : primitive(m);
	const uint32_t first = last > few ? last - few : 0;

	if (one_in(m->d, 2)) {
		uint32_t length = 1 + roll(m->d, one_in(m->d, 32) ? 40 : 8),
			 bits16 = m->t->seed % 2, at = roll(m->d, 8) << bits16;

		if (m->t->bos[BO_INDICES].size < at + (length << bits16) || SLIP(m, DRAWS, 4))
			m->t->bos[BO_INDICES].size = NEAR(m, DRAWS, at + (length << bits16), 2);
		m->t->bos[BO_INDICES].first = one_in(m->d, 16) ? 0 : 1 + bits16;
		m->t->bos[BO_INDICES].count = last < 255 ? last : 255;
		RECORD(m, gem_handles,
		       .first = SLIP(m, DRAWS, 12) ? roll(m->d, BOS + 1) : BO_INDICES);
		RECORD(m, indexed_primitives, .mode = mode,
		       .index_type = SLIP(m, DRAWS, 12) ? roll(m->d, 16) : bits16,
		       .length = SLIP(m, DRAWS, 8) ? odd_number(m->d) : length,
		       .address = SLIP(m, DRAWS, 8) ? odd_number(m->d) : at,
		       .maximum_index = NEAR(m, DRAWS, last, 1));
	} else {
		m->drawn = m->t->bin.size;
		RECORD(m, array_primitives, .mode = mode,
		       .length = SLIP(m, DRAWS, 8) ? odd_number(m->d) :
						     NEAR(m, DRAWS, last - first + 1, 1),
		       .first_vertex = SLIP(m, DRAWS, 8) ? odd_number(m->d) : first);
	}
}

static uint16_t frame_bits(struct maker *m, uint32_t format, uint32_t pixel)
{
	const struct v3d_tile_rendering_mode mode = {
		.multisample = m->multisample ^ SLIP(m, SURFACES, 8),
		.format = format,
		.pixel = pixel,
		.decimate = m->multisample && one_in(m->d, 2) ? V3D_DECIMATE_4X : 0
	};
	uint8_t bytes[V3D_TILE_RENDERING_MODE_LENGTH];

	v3d_pack_tile_rendering_mode(bytes, &mode);
	return bytes[V3D_TILE_RENDERING_MODE_LENGTH - 2] | bytes[V3D_TILE_RENDERING_MODE_LENGTH - 1]
								   << 8;
}

static uint16_t general_bits(struct maker *m, uint32_t buffer, uint32_t format, uint32_t pixel)
{
	const struct v3d_store_general store = { .buffer = SLIP(m, SURFACES, 8) ? roll(m->d, 8) :
										  buffer,
						 .format = format,
						 .pixel = pixel };
	uint8_t bytes[V3D_STORE_GENERAL_LENGTH];

	v3d_pack_store_general(bytes, &store);
	return bytes[1] | bytes[2] << 8;
}

/* A surface, and mostly a BO that ends about where it does */
static void surface(struct maker *m, struct drm_vc4_submit_rcl_surface *s, uint32_t bo,
		    bool general, uint32_t buffer, bool full)
{
	const uint32_t format = SLIP(m, SURFACES, 8) ? 3 : roll(m->d, 3),
		       width = m->t->submit.width, height = m->t->submit.height;
	const uint32_t pixel = buffer == V3D_BUFFER_ZS ? 0 :
			       SLIP(m, SURFACES, 8) ? 3 :
							 roll(m->d, 3);
	uint32_t log2 = (general ? pixel == V3D_RGBA8888 : pixel == V3D_FRAME_RGBA8888) ? 2 : 1;
	uint32_t bytes = image_bytes(log2, format, width, height);

	s->hindex = SLIP(m, SURFACES, 8) ? roll(m->d, BOS + 1) : bo;
	s->offset = one_in(m->d, 2) ? 0 :
		    SLIP(m, SURFACES, 4) ? odd_number(m->d) :
					   16 * roll(m->d, 16);
	s->bits = full ? SLIP(m, SURFACES, 8) :
		  general ? general_bits(m, buffer, format, pixel) :
			    frame_bits(m, format, pixel);
	if (full)
		bytes = V3D_FULL_TILE_BYTES * (m->t->submit.max_y_tile * ((width + 31) / 32) +
					       m->t->submit.max_x_tile + 1);
	bytes = NEAR(m, SURFACES, bytes + s->offset, 16);
	if (m->t->bos[bo].size < bytes || SLIP(m, SURFACES, 4))
		m->t->bos[bo].size = bytes;
}

static void submit(struct maker *m)
{
	struct drm_vc4_submit_cl *s = &m->t->submit;
	const struct drm_vc4_submit_rcl_surface none = { .hindex = ~0u };
	const uint32_t tile = m->multisample ? 32 : 64;

	s->width = NEAR(m, SUBMIT, 1 + roll(m->d, m->tiles_x * tile), 1);
	s->height = NEAR(m, SUBMIT, 1 + roll(m->d, m->tiles_y * tile), 1);
	s->max_x_tile = SLIP(m, SUBMIT, 2) ? roll(m->d, m->tiles_x + 1) : (s->width - 1) / tile;
	s->max_y_tile = SLIP(m, SUBMIT, 2) ? roll(m->d, m->tiles_y + 1) : (s->height - 1) / tile;
	s->min_x_tile = roll(m->d, 4) ? 0 : roll(m->d, s->max_x_tile + 1 + SLIP(m, SUBMIT, 2));
	s->min_y_tile = roll(m->d, 4) ? 0 : roll(m->d, s->max_y_tile + 1 + SLIP(m, SUBMIT, 2));
	s->flags = one_in(m->d, 2) ? 0 : roll(m->d, SLIP(m, SUBMIT, 4) ? 32 : 16);
	s->clear_z = dice_word(m->d);
	s->color_read = s->color_write = s->zs_read = s->zs_write = s->msaa_color_write =
		s->msaa_zs_write = none;
	surface(m, &s->color_write, BO_COLOR, false, V3D_BUFFER_COLOR, false);
	if (one_in(m->d, 16))
		s->color_write.hindex = ~0u;
	if (one_in(m->d, 4)) {
		s->color_read.flags = one_in(m->d, 4);
		surface(m, &s->color_read, one_in(m->d, 2) ? BO_COLOR : BO_TEXTURE, true,
			V3D_BUFFER_COLOR, s->color_read.flags);
	}
	if (one_in(m->d, 4)) {
		s->zs_read.flags = one_in(m->d, 4);
		surface(m, &s->zs_read, BO_ZS, true, V3D_BUFFER_ZS, s->zs_read.flags);
	}
	if (one_in(m->d, 3)) {
		surface(m, &s->zs_write, BO_ZS, true, V3D_BUFFER_ZS, false);
		if (one_in(m->d, 4))
			s->color_write.hindex = ~0u;
	}
	if (one_in(m->d, 10))
		surface(m, &s->msaa_color_write, BO_COLOR, true, V3D_BUFFER_COLOR, true);
	if (one_in(m->d, 10))
		surface(m, &s->msaa_zs_write, BO_ZS, true, V3D_BUFFER_ZS, true);
}

#define MOST_CHANGES 0x1ef0 /* HW-2116 */
#define MANY_ONE_IN 512

/* In a few lists about as many changes of state as there may be, each with its draw */
static void many_changes(struct maker *m)
{
	struct dice d = { m->t->seed + 3 };
	uint32_t changes = MOST_CHANGES - roll(&d, 8) + roll(&d, 8);

	if (!m->drawn || !one_in(&d, MANY_ONE_IN))
		return;
	for (; changes; changes--) {
		RECORD(m, line_width, .width = 0x3f800000);
		(void)trial_add(&m->t->bin, m->t->bin.bytes + m->drawn,
				V3D_ARRAY_PRIMITIVES_LENGTH);
	}
}

static void bin_list(struct maker *m)
{
	RECORD(m, tile_binning_mode, .width = m->tiles_x, .height = m->tiles_y,
	       .multisample = m->multisample, .color64 = SLIP(m, LISTS, 12),
	       .double_buffer = SLIP(m, LISTS, 12));
	RECORD(m, start_tile_binning);
	state(m);
	for (uint32_t states = 1 + one_in(m->d, 4); states; states--) {
		struct place at = { .bin = m->t->bin.size, .records = m->t->records.size,
				    .uniforms = m->t->uniforms.size };

		shader_state(m);
		at.records_end = m->t->records.size;
		at.uniforms_end = m->t->uniforms.size;
		for (uint32_t draws = 1 + roll(m->d, 3); draws; draws--) {
			draw(m);
			if (one_in(m->d, 4))
				shader_state_again(m, &at);
		}
	}
	many_changes(m);
	RECORD(m, increment_semaphore);
	RECORD(m, flush);
}

#define WRONG_ONE_IN 3

/* A record and the one after it, the other way round */
static void swap_records(struct trial_part *bin, uint32_t at, uint32_t length)
{
	const uint32_t after = at + length,
		       more = after < bin->size ? v3d_packet_info(bin->bytes[after])->length : 0;
	uint8_t copy[64];

	if (!more || length > sizeof(copy) || after + more > bin->size)
		return;
	memcpy(copy, bin->bytes + at, length);
	memmove(bin->bytes + at, bin->bytes + after, more);
	memcpy(bin->bytes + at + more, copy, length);
}

/* One record of the bin list once more, left out, behind the one after it, or of another kind */
static void wrong_record(struct trial *t, struct dice *d)
{
	uint8_t copy[64] = { roll(d, 128) };
	uint32_t count = 0, which, at = 0, length = 0;
	struct trial_part *bin = &t->bin;

	for (; at < bin->size; at += v3d_packet_info(bin->bytes[at])->length)
		count++;
	which = roll(d, count);
	for (at = 0; which; which--)
		at += v3d_packet_info(bin->bytes[at])->length;
	length = v3d_packet_info(bin->bytes[at])->length;
	switch (roll(d, 5)) {
	case 3:
		swap_records(bin, at, length);
		return;
	case 0:
		memmove(bin->bytes + at, bin->bytes + at + length, bin->size - at - length);
		bin->size -= length;
		return;
	case 1:
		memcpy(copy, bin->bytes + at, length);
		break;
	case 2:
		if (length > 1)
			bin->bytes[at + 1 + roll(d, length - 1)] ^= 1 << roll(d, 8);
		return;
	default:
		length = v3d_packet_info(copy[0])->length;
		if (!length || length > sizeof(copy))
			return;
		break;
	}
	at = one_in(d, 2) ? at : 0;
	if (bin->size + length > sizeof(bin->bytes))
		return;
	memmove(bin->bytes + at + length, bin->bytes + at, bin->size - at);
	memcpy(bin->bytes + at, copy, length);
	bin->size += length;
}

/* The first indexed draw of a bin list, or NULL */
static uint8_t *first_indexed(struct trial_part *bin)
{
	uint32_t at = 0;

	while (at < bin->size && bin->bytes[at] != V3D_INDEXED_PRIMITIVES)
		at += v3d_packet_info(bin->bytes[at])->length;
	return at < bin->size ? bin->bytes + at : NULL;
}

/* One field of an indexed draw that nothing else gives away: there are indices enough */
static void wrong_draw(struct trial *t, struct dice *d)
{
	uint8_t *bytes = first_indexed(&t->bin);
	struct v3d_indexed_primitives draw;

	if (!bytes)
		return;
	v3d_unpack_indexed_primitives(bytes, &draw);
	t->bos[BO_INDICES].size += 64;
	switch (roll(d, 4)) {
	case 0:
		draw.index_type = V3D_INDEX_16 + 1 + roll(d, 3);
		draw.length = 1 + roll(d, 4);
		break;
	case 1:
		draw.index_type = V3D_INDEX_16;
		draw.address |= 1;
		draw.length = 1 + roll(d, 4);
		break;
	case 2:
		draw.mode = V3D_PRIMITIVES + roll(d, 16 - V3D_PRIMITIVES);
		break;
	default: /* so many that their bytes are few again */
		draw.index_type = V3D_INDEX_16;
		draw.length = 0x80000000u + 1 + roll(d, 4);
		break;
	}
	v3d_pack_indexed_primitives(bytes, &draw);
}

/* How many arrays the first shader state has, whose record is the first one */
static uint32_t first_arrays(const struct trial_part *bin)
{
	struct v3d_gl_shader_state state = { 0 };
	uint32_t at = 0;

	while (at < bin->size && bin->bytes[at] != V3D_GL_SHADER_STATE)
		at += v3d_packet_info(bin->bytes[at])->length;
	if (at < bin->size)
		v3d_unpack_gl_shader_state(bin->bytes + at, &state);
	return v3d_shader_attributes(&state);
}

/* Bytes of a part, in the midst of it */
static bool insert(struct trial_part *part, uint32_t at, const uint8_t *bytes, uint32_t size)
{
	if (at > part->size || part->size + size > sizeof(part->bytes))
		return false;
	memmove(part->bytes + at + size, part->bytes + at, part->size - at);
	memcpy(part->bytes + at, bytes, size);
	part->size += size;
	return true;
}

/*
 * An extended shader state where the first one is, which has as many arrays as there can be: the
 * last array several times, of which no shader is given more than before, and what makes strides
 * longer
 */
static void extend_first(struct trial *t)
{
	const uint32_t count = first_arrays(&t->bin);
	uint32_t at = 4 * (3 + count), state = 0;
	static const uint8_t strides[V3D_ATTRIBUTES * V3D_EXTENDED_STRIDE_LENGTH];
	uint8_t last[V3D_ATTRIBUTE_LENGTH];
	struct v3d_gl_shader_record r;

	while (state < t->bin.size && t->bin.bytes[state] != V3D_GL_SHADER_STATE)
		state += v3d_packet_info(t->bin.bytes[state])->length;
	if (state + V3D_GL_SHADER_STATE_LENGTH > t->bin.size)
		return;
	v3d_unpack_gl_shader_record(t->records.bytes + at, &r);
	r.vs_attributes &= (1u << count) - 1;
	r.cs_attributes &= (1u << count) - 1;
	v3d_pack_gl_shader_record(t->records.bytes + at, &r);
	for (uint32_t i = count; i < V3D_ATTRIBUTES; i++, at += 4)
		if (!insert(&t->records, at, t->records.bytes + at - 4, 4))
			return;
	at += V3D_GL_SHADER_RECORD_LENGTH + count * V3D_ATTRIBUTE_LENGTH;
	memcpy(last, t->records.bytes + at - sizeof(last), sizeof(last));
	for (uint32_t i = count; i < V3D_ATTRIBUTES; i++, at += sizeof(last))
		if (!insert(&t->records, at, last, sizeof(last)))
			return;
	if (insert(&t->records, at, strides, sizeof(strides)))
		v3d_pack_gl_shader_state(t->bin.bytes + state,
					 &(struct v3d_gl_shader_state){ .extended = 1 });
}

/* One field of the first shader record that its shaders do not fit */
static void wrong_shader_state(struct trial *t, struct dice *d)
{
	const uint32_t at = 4 * (3 + first_arrays(&t->bin));
	struct v3d_gl_shader_record r;
	uint8_t *bytes = t->records.bytes + at;

	if (t->records.size < at + V3D_GL_SHADER_RECORD_LENGTH)
		return;
	v3d_unpack_gl_shader_record(bytes, &r);
	switch (roll(d, 7)) {
	case 6:
		extend_first(t);
		return;
	case 0:
		r.fs_varyings += one_in(d, 2) ? 1 : -1;
		break;
	case 1:
		r.vs_attributes_size -= 4 * (1 + roll(d, 8));
		break;
	case 2:
		r.cs_attributes_size -= 4 * (1 + roll(d, 8));
		break;
	case 3:
		r.single_threaded ^= 1;
		break;
	case 4:
		r.point_size ^= 1;
		break;
	default:
		*(one_in(d, 2) ? &r.vs_code : one_in(d, 2) ? &r.cs_code : &r.fs_code) =
			8 * (1 + roll(d, 4));
		break;
	}
	v3d_pack_gl_shader_record(bytes, &r);
}

/* One field of the submit, just beside what it may be */
static void wrong_submit(struct trial *t, struct dice *d)
{
	struct drm_vc4_submit_cl *s = &t->submit;
	struct drm_vc4_submit_rcl_surface *const all[] = {
		&s->color_read, &s->color_write,      &s->zs_read,
		&s->zs_write,	&s->msaa_color_write, &s->msaa_zs_write,
	};
	struct drm_vc4_submit_rcl_surface *surface = all[roll(d, 6)];

	switch (roll(d, 12)) {
	case 0:
		s->flags ^= 1u << roll(d, 8);
		break;
	case 1:
		s->width = one_in(d, 2) ? 0 : s->width + 1;
		break;
	case 2:
		s->height = one_in(d, 2) ? 0 : s->height + 1;
		break;
	case 3:
		s->min_x_tile = s->max_x_tile + 1;
		break;
	case 4:
		s->min_y_tile = s->max_y_tile + 1;
		break;
	case 5:
		s->max_x_tile++;
		break;
	case 6:
		s->max_y_tile++;
		break;
	case 7:
		surface->flags ^= 1u << roll(d, 4);
		break;
	case 8:	/* not in whole words of 16 bytes, and there is room for that */
		surface->offset ^= 1u << roll(d, 5);
		if (surface->hindex < t->bo_count)
			t->bos[surface->hindex].size += 64;
		break;
	case 9:
		s->shader_rec_count--;
		break;
	default:
		surface->bits ^= 1u << roll(d, 16);
		break;
	}
}

/*
 * A bin list of one row or column of tiles less than are rendered; of no tiles at all; of nothing
 * but its mode, its start, its end
 */
static void wrong_tiles(struct trial *t, struct dice *d)
{
	const uint32_t mode_length = V3D_TILE_BINNING_MODE_LENGTH, kind = roll(d, 6);
	const struct drm_vc4_submit_cl *s = &t->submit;
	struct v3d_tile_binning_mode mode;

	v3d_unpack_tile_binning_mode(t->bin.bytes, &mode);
	if (kind == 0 && s->max_y_tile)
		mode.height = s->max_y_tile;
	else if (kind == 0 && s->max_x_tile)
		mode.width = s->max_x_tile;
	else if (kind == 1)
		mode.width = 0;
	else if (kind == 2)
		mode.height = 0;
	v3d_pack_tile_binning_mode(t->bin.bytes, &mode);
	if (kind < 2 || (kind == 2 && one_in(d, 2)))
		return;
	t->bin.size = kind == 5 ? 0 : mode_length;
	if (kind < 4)
		t->bin.bytes[t->bin.size++] = V3D_START_TILE_BINNING;
	t->bin.bytes[t->bin.size++] = V3D_INCREMENT_SEMAPHORE;
	t->bin.bytes[t->bin.size++] = V3D_FLUSH;
	t->submit.shader_rec_count = 0;
}

/* One wrong thing in a frame that is right otherwise */
static void wrong_frame(struct trial *t, struct dice *d)
{
	struct dice own = { t->seed + 4 };

	if (t->bin.size && one_in(&own, 6))
		wrong_draw(t, &own);
	else if (t->bin.size && one_in(&own, 6))
		wrong_tiles(t, &own);
	else if (t->bin.size && one_in(&own, 6))
		wrong_shader_state(t, &own);
	else if (t->bin.size && !one_in(d, 3))
		wrong_record(t, d);
	else
		wrong_submit(t, d);
}

void make_frame(struct trial *t, struct dice *d, const struct checked *c)
{
	struct maker m = { .t = t,
			   .d = d,
			   .c = c,
			   .tiles_x = 1 + roll(d, one_in(d, 4) ? 3 : 2),
			   .tiles_y = 1 + one_in(d, 4),
			   .multisample = one_in(d, 6),
			   .wild = roll(d, 4) ? TAME : roll(d, TAME) };
	uint32_t i;

	for (i = BO_FIRST_DATA; i < BOS; i++)
		t->bos[i].size = i == BO_BUFFER ? 16 << roll(d, 7) : 16;
	if (one_in(d, 200))
		m.tiles_x = roll(d, 256);
	if (!one_in(d, 16))
		bin_list(&m);
	m.tiles_x += !m.tiles_x;
	if (m.texture_need)
		t->bos[BO_TEXTURE].size = NEAR(&m, TEXTURES, m.texture_need, 64);
	submit(&m);
	if (m.wild == TAME && one_in(d, WRONG_ONE_IN))
		wrong_frame(t, d);
	for (i = one_in(d, 12) ? 1 + roll(d, 3) : 0; i; i--)
		make_change(d, one_in(d, 2) ? &t->bin : one_in(d, 2) ? &t->records : &t->uniforms);
	make_places(t, d);
}
