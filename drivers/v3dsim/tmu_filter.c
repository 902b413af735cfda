// SPDX-License-Identifier: MIT
/* Texture lookups: coordinates, levels of detail, faces of cubes, and which level serves which lane. See tmu_filter.h. */
#include <string.h>

#include "cache.h"
#include "tmu_filter.h"

#define POINT 20		/* bits behind the point of coordinates */
#define WIDE 21			/* and while changes are looked at */
#define LIMIT 0x44000000u	/* 512: numbers below fit with their sign into 32 bits */
#define LOD_NONE (-(64 << 8))	/* less than any level of detail that counts */
#define LOD_MOST (64 << 8)
#define QUAD 4

/* A lane's lookup: level and next smaller level, how much the latter has of the result, what is blended in each */
struct plan {
	uint8_t level, next, weight, linear, face;
};

static uint32_t magnitude(uint32_t f)
{
	return f & 0x7fffffff;
}

/* With 21 bits behind the point, toward zero; numbers out of range are the largest ones */
static int32_t float_to_wide(uint32_t f)
{
	const int exponent = (int)(magnitude(f) >> 23) - 127;
	const int32_t mantissa = (f & 0x7fffff) | 0x800000;
	int32_t value;

	if (magnitude(f) >= LIMIT)
		value = 1 << 30;
	else if (exponent < -WIDE)
		value = 0;
	else
		value = exponent + WIDE > 23 ? mantissa << (exponent + WIDE - 23) : mantissa >> (23 - exponent - WIDE);
	return f >> 31 ? -value : value;
}

/* A number of 512 and more modulo 2, with 20 bits behind the point */
static int32_t far_modulo_two(uint32_t f)
{
	const int up = (int)(magnitude(f) >> 23) - 127 - 23 + POINT;
	const uint32_t mask = (2u << POINT) - 1, value = up > POINT ? 0 : ((f & 0x7fffff) | 0x800000) << up & mask;

	return (f >> 31 ? -value : value) & mask;
}

static void to_fixed(struct lanes *out, const struct lanes *wide, const struct lanes *coordinate, enum v3d_wrap wrap)
{
	for (unsigned int n = 0; n < V3D_QPU_LANES; n++) {
		const bool far = magnitude(coordinate->lane[n]) >= LIMIT;

		if (far && (wrap == V3D_WRAP_REPEAT || wrap == V3D_WRAP_MIRROR))
			out->lane[n] = far_modulo_two(coordinate->lane[n]);
		else
			out->lane[n] = (uint32_t)(((int32_t)wide->lane[n] + 1) >> (WIDE - POINT));
	}
}

static void to_wide(struct lanes *out, const struct lanes *coordinate)
{
	for (unsigned int n = 0; n < V3D_QPU_LANES; n++)
		out->lane[n] = (uint32_t)float_to_wide(coordinate->lane[n]);
}

/* log2 of a number that has @point bits behind the point, with 8 bits behind it, rounded down */
static int32_t log2_of(uint64_t value, int point)
{
	unsigned int top;
	int32_t log;
	uint64_t m;

	if (!value)
		return LOD_NONE;
	top = 63 - __builtin_clzll(value);
	log = (int32_t)top - point;
	m = (value << (63 - top)) >> 32;	/* from 1 to 2, 31 bits behind the point */
	for (unsigned int bit = 0; bit < 8; bit++) {
		m = m * m >> 31;
		log = log * 2 + (int32_t)(m >> 32);
		m >>= m >> 32;
	}
	return log;
}

static uint64_t change(const struct lanes *wide, unsigned int quad, uint32_t size)
{
	const int64_t at = (int32_t)wide->lane[quad], right = (int32_t)wide->lane[quad + 1] - at;
	const int64_t up = (int32_t)wide->lane[quad + 2] - at;
	const uint64_t x = right < 0 ? -right : right, y = up < 0 ? -up : up;

	return (x > y ? x : y) * size;
}

static uint64_t larger(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

/* From changes inside a quad; s, t and, for cubes, r. A cube's coordinates go from -1 to 1. */
static int32_t automatic_lod(const struct tmu_texture *texture, const struct lanes wide[3], unsigned int quad)
{
	const struct tmu_level *base = &texture->levels[0];
	uint64_t most = larger(change(&wide[0], quad, base->child_width), change(&wide[1], quad, base->child_height));

	if (!texture->cube)
		return log2_of(most, WIDE);
	return log2_of(larger(most, change(&wide[2], quad, base->child_width)), WIDE + 1);
}

/* With 8 bits behind the point */
static int32_t bias_of(uint32_t f)
{
	const int32_t wide = float_to_wide(f) >> (WIDE - 8);

	return wide > LOD_MOST ? LOD_MOST : wide < -LOD_MOST ? -LOD_MOST : wide;
}

static void plan_lane(struct plan *plan, const struct tmu_texture *texture, int32_t lod)
{
	const int32_t last = (int32_t)texture->last;
	int32_t level;

	*plan = (struct plan){ .linear = lod > 0 ? texture->min_linear : texture->mag_linear };
	if (lod <= 0 || !texture->mips)
		return;
	level = texture->mip_linear ? lod >> 8 : (lod + 128) >> 8;
	plan->level = plan->next = level < last ? level : last;
	if (texture->mip_linear && level < last) {
		plan->next = level + 1;
		plan->weight = lod & 255;
	}
}

static void plan_levels(struct plan plans[V3D_QPU_LANES], const struct tmu_request *request, const struct lanes wide[3])
{
	const struct tmu_texture *texture = request->texture;

	if (!texture->mips && texture->min_linear == texture->mag_linear) {
		const struct plan plan = { .linear = texture->min_linear };

		for (unsigned int n = 0; n < V3D_QPU_LANES; n++)
			plans[n] = plan;
		return;
	}
	for (unsigned int quad = 0; quad < V3D_QPU_LANES; quad += QUAD) {
		const int32_t lod = texture->bias_only ? 0 : automatic_lod(texture, wide, quad);

		for (unsigned int n = quad; n < quad + QUAD; n++)
			plan_lane(&plans[n], texture, lod + bias_of(request->b.lane[n]));
	}
}

/* GL 2.0 Table 3.21, faces in its order: which coordinate is the largest, and what s and t are then, their signs in bit 2 */
static unsigned int find_face(const int32_t r[3], int32_t *s, int32_t *t)
{
	static const uint8_t faces[6][2] = { { 6, 5 }, { 2, 5 }, { 0, 2 }, { 0, 6 }, { 0, 5 }, { 4, 5 } };
	const int64_t x = r[0] < 0 ? -(int64_t)r[0] : r[0], y = r[1] < 0 ? -(int64_t)r[1] : r[1];
	const int64_t z = r[2] < 0 ? -(int64_t)r[2] : r[2];
	const unsigned int axis = x >= y && x >= z ? 0 : y >= z ? 1 : 2, face = axis * 2 + (r[axis] < 0);

	*s = faces[face][0] & 4 ? -r[faces[face][0] & 3] : r[faces[face][0] & 3];
	*t = faces[face][1] & 4 ? -r[faces[face][1] & 3] : r[faces[face][1] & 3];
	return face;
}

/* From -1..1 to 0..1 */
static uint32_t face_coordinate(int32_t wide)
{
	return (uint32_t)((wide + (1 << WIDE) + 2) >> (WIDE + 1 - POINT));
}

static void plan_faces(struct plan plans[V3D_QPU_LANES], struct tmu_sample *sample, const struct lanes wide[3])
{
	for (unsigned int n = 0; n < V3D_QPU_LANES; n++) {
		const int32_t r[3] = { (int32_t)wide[0].lane[n], (int32_t)wide[1].lane[n], (int32_t)wide[2].lane[n] };
		int32_t s, t;

		plans[n].face = find_face(r, &s, &t);
		sample->s.lane[n] = face_coordinate(s);
		sample->t.lane[n] = face_coordinate(t);
	}
}

static bool take_sample(struct v3dsim *sim, const struct tmu_sample *sample, struct lanes out[2])
{
#if defined(__x86_64__)
	if (__builtin_cpu_supports("avx2"))
		return tmu_sample_avx2(sim, sample, out);
#endif
	return tmu_sample_any(sim, sample, out);
}

/* Lanes of @wanted that have the same level, face and filter as the first of them */
static uint16_t alike(const struct plan plans[V3D_QPU_LANES], uint16_t wanted, bool next)
{
	const struct plan *first = &plans[__builtin_ctz(wanted)];
	uint16_t lanes = 0;

	for (unsigned int n = 0; n < V3D_QPU_LANES; n++) {
		const struct plan *plan = &plans[n];

		if (wanted >> n & 1 && (next ? plan->next == first->next : plan->level == first->level) &&
		    plan->face == first->face && plan->linear == first->linear)
			lanes |= 1u << n;
	}
	return lanes;
}

static unsigned int words_of(const struct tmu_texture *texture)
{
	return texture->type == V3D_TEXTURE_RGBA64 ? 2 : 1;
}

/* Every lane of @wanted from its level, or its next level, a level at a time */
static bool sample_levels(struct v3dsim *sim, struct tmu_sample *sample, const struct plan plans[V3D_QPU_LANES], uint16_t wanted,
			  bool next, struct lanes out[2])
{
	const bool all = wanted == 0xffff;

	while (wanted) {
		const struct plan *plan = &plans[__builtin_ctz(wanted)];
		struct lanes some[2];

		sample->lanes = alike(plans, wanted, next);
		sample->level = &sample->texture->levels[next ? plan->next : plan->level];
		sample->base = sample->level->layout.base + plan->face * sample->texture->cube_stride;
		sample->linear = plan->linear;
		if (all && sample->lanes == 0xffff)
			return take_sample(sim, sample, out);
		if (!take_sample(sim, sample, some))
			return false;
		for (unsigned int n = 0; n < V3D_QPU_LANES; n++)
			for (unsigned int word = 0; word < words_of(sample->texture); word++)
				if (sample->lanes >> n & 1)
					out[word].lane[n] = some[word].lane[n];
		wanted &= ~sample->lanes;
	}
	return true;
}

/* Four bytes of a word, or two halves */
static uint32_t blend_word(const struct tmu_texture *texture, uint32_t a, uint32_t b, unsigned int weight)
{
	const uint32_t even = 0xff00ff, round = 0x800080;

	if (texture->format->blend == TEXEL_HALVES)
		return texel_blend_halves(a, b, weight) | (uint32_t)texel_blend_halves(a >> 16, b >> 16, weight) << 16;
	return (((a & even) * (256 - weight) + (b & even) * weight + round) >> 8 & even) |
	       (((a >> 8 & even) * (256 - weight) + (b >> 8 & even) * weight + round) & ~even);
}

static bool blend_levels(struct v3dsim *sim, struct tmu_sample *sample, const struct plan plans[V3D_QPU_LANES], struct lanes out[2])
{
	struct lanes smaller[2];
	uint16_t wanted = 0;

	for (unsigned int n = 0; n < V3D_QPU_LANES; n++)
		wanted |= (uint16_t)((plans[n].weight != 0) << n);
	if (!wanted)
		return true;
	if (!sample_levels(sim, sample, plans, wanted, true, smaller))
		return false;
	for (unsigned int n = 0; n < V3D_QPU_LANES; n++)
		for (unsigned int word = 0; word < words_of(sample->texture); word++)
			if (wanted >> n & 1)
				out[word].lane[n] = blend_word(sample->texture, out[word].lane[n], smaller[word].lane[n],
							       plans[n].weight);
	return true;
}

bool tmu_filter(struct v3dsim *sim, const struct tmu_request *request, struct lanes out[2])
{
	const struct tmu_texture *texture = request->texture;
	struct tmu_sample sample = { .texture = texture, .unit = request->unit };
	struct plan plans[V3D_QPU_LANES];
	struct lanes wide[3];

	memset(out, 0, 2 * sizeof(*out));
	if (!texture->format->exists)
		return true;
	to_wide(&wide[0], &request->s);
	to_wide(&wide[1], &request->t);
	if (texture->cube)
		to_wide(&wide[2], &request->r);
	plan_levels(plans, request, wide);
	if (texture->cube) {
		plan_faces(plans, &sample, wide);
	} else {
		sample.border = request->r.lane[0];
		to_fixed(&sample.s, &wide[0], &request->s, texture->wrap[0]);
		to_fixed(&sample.t, &wide[1], &request->t, texture->wrap[1]);
	}
	return sample_levels(sim, &sample, plans, 0xffff, false, out) && blend_levels(sim, &sample, plans, out);
}
