// SPDX-License-Identifier: MIT
/*
 * Texture lookups: coordinates, levels of detail, faces of cubes, and which level serves which
 * lane. See tmu_filter.h.
 */
#include <string.h>
#include <sys/param.h>

#include "core/cache.h"
#include "core/sim.h"
#include "tmu_filter.h"

#define LOD_NONE (-(64 << 8))	/* less than any level of detail that counts */
#define LOD_MOST (64 << 8)
#define QUAD 4

/*
 * A lane's lookup: level and next smaller level, how much the latter has of the result, what is
 * blended in each
 */
struct plan {
	uint8_t level, next, weight, linear, face;
};

static const struct tmu_table *table_of(const struct v3dsim *sim)
{
	return sim->hooks.tmu ? sim->hooks.tmu : &tmu_table_any;
}

/* A number of 512 and more modulo 2, with TMU_POINT bits behind the point */
static int32_t far_modulo_two(uint32_t f)
{
	const int up = (int)(f >> 23 & 0xff) - 127 - 23 + TMU_POINT;
	const uint32_t mask = (2u << TMU_POINT) - 1,
		       value = up > TMU_POINT ? 0 : ((f & 0x7fffff) | 0x800000) << up;

	return (f >> 31 ? -value : value) & mask;
}

static void to_fixed(const struct v3dsim *sim, struct lanes *wide, struct lanes *fixed,
		     const struct lanes *coordinate, enum v3d_wrap wrap)
{
	uint16_t far;

	table_of(sim)->fix(wide, fixed, &far, coordinate);
	if (wrap != V3D_WRAP_REPEAT && wrap != V3D_WRAP_MIRROR)
		return;
	for (; far; far &= far - 1) {
		const unsigned int n = __builtin_ctz(far);

		fixed->lane[n] = far_modulo_two(coordinate->lane[n]);
	}
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

/* The larger change of a coordinate from a quad's first lane to those right of it and above it */
static uint64_t change(int64_t at, int64_t right, int64_t up)
{
	return MAX(right > at ? right - at : at - right, up > at ? up - at : at - up);
}

static uint64_t change_of(const struct lanes *wide, unsigned int quad)
{
	return change((int32_t)wide->lane[quad], (int32_t)wide->lane[quad + 1],
		      (int32_t)wide->lane[quad + 2]);
}

static int32_t automatic_lod(const struct tmu_texture *texture, const struct lanes wide[3],
			     unsigned int quad)
{
	const struct tmu_level *base = &texture->levels[0];
	const uint64_t across = change_of(&wide[0], quad) * base->child_width,
		       down = change_of(&wide[1], quad) * base->child_height;

	return log2_of(MAX(across, down), TMU_WIDE);
}

/*
 * Where the direction of a lane meets the plane of a face, along another axis; behind the plane, as
 * far away as can be
 */
static int64_t meet(const struct lanes wide[3], unsigned int lane, unsigned int face,
		    unsigned int axis)
{
	const int64_t ahead = face & 1 ? -(int64_t)(int32_t)wide[face / 2].lane[lane] :
					 (int32_t)wide[face / 2].lane[lane];
	const int64_t aside = (int32_t)wide[axis].lane[lane], most = 1 << 30;

	if (ahead <= 0 || aside > ahead << 9 || -aside > ahead << 9)
		return aside < 0 ? -most : most;
	return aside * (1 << TMU_WIDE) / ahead;
}

/* As seen on one face: the quad's pixels may have others. Coordinates there go from -1 to 1. */
static int32_t cube_lod(const struct tmu_texture *texture, const struct lanes wide[3],
			unsigned int quad, unsigned int face)
{
	const unsigned int s = face / 2 == 0 ? 2 : 0, t = face / 2 == 1 ? 2 : 1;
	const uint64_t across = change(meet(wide, quad, face, s), meet(wide, quad + 1, face, s),
				       meet(wide, quad + 2, face, s));
	const uint64_t down = change(meet(wide, quad, face, t), meet(wide, quad + 1, face, t),
				     meet(wide, quad + 2, face, t));
	const struct tmu_level *base = &texture->levels[0];

	return log2_of(MAX(across * base->child_width, down * base->child_height), TMU_WIDE + 1);
}

static bool needs_lod(const struct tmu_texture *texture)
{
	return texture->mips || texture->min_linear != texture->mag_linear;
}

static void plan_lane(struct plan *plan, const struct tmu_texture *texture, int32_t lod)
{
	const int32_t last = (int32_t)texture->last;
	int32_t level;

	plan->linear = lod > 0 ? texture->min_linear : texture->mag_linear;
	plan->level = plan->next = plan->weight = 0;
	if (lod <= 0 || !texture->mips)
		return;
	level = texture->mip_linear ? lod >> 8 : (lod + 128) >> 8;
	plan->level = plan->next = MIN(level, last);
	if (texture->mip_linear && level < last) {
		plan->next = level + 1;
		plan->weight = lod & 255;
	}
}

/* With 8 bits behind the point */
static int32_t bias_of(int32_t wide)
{
	wide >>= TMU_WIDE - 8;
	return MIN(MAX(wide, -LOD_MOST), LOD_MOST);
}

/*
 * GL 2.0 Table 3.21, faces in its order: which coordinate is the largest, and what s and t are
 * then, their signs in bit 2
 */
static unsigned int find_face(const int32_t r[3], int32_t *s, int32_t *t)
{
	static const uint8_t faces[6][2] = { { 6, 5 }, { 2, 5 }, { 0, 2 },
					     { 0, 6 }, { 0, 5 }, { 4, 5 } };
	const int64_t x = r[0] < 0 ? -(int64_t)r[0] : r[0], y = r[1] < 0 ? -(int64_t)r[1] : r[1];
	const int64_t z = r[2] < 0 ? -(int64_t)r[2] : r[2];
	const unsigned int axis = x >= y && x >= z ? 0 :
				  y >= z ? 1 : 2,
			   face = axis * 2 + (r[axis] < 0);

	*s = faces[face][0] & 4 ? -r[faces[face][0] & 3] : r[faces[face][0] & 3];
	*t = faces[face][1] & 4 ? -r[faces[face][1] & 3] : r[faces[face][1] & 3];
	return face;
}

/* From -1..1 to 0..1 */
static uint32_t face_coordinate(int32_t wide)
{
	return (uint32_t)((wide + (1 << TMU_WIDE) + 2) >> (TMU_WIDE + 1 - TMU_POINT));
}

static void plan_faces(struct plan plans[V3D_QPU_LANES], struct tmu_sample *sample,
		       const struct lanes wide[3])
{
	for (unsigned int n = 0; n < V3D_QPU_LANES; n++) {
		const int32_t r[3] = { (int32_t)wide[0].lane[n], (int32_t)wide[1].lane[n],
				       (int32_t)wide[2].lane[n] };
		int32_t s, t;

		plans[n].face = find_face(r, &s, &t);
		sample->s.lane[n] = face_coordinate(s);
		sample->t.lane[n] = face_coordinate(t);
	}
}

static void plan_levels(const struct v3dsim *sim, struct plan plans[V3D_QPU_LANES],
			const struct tmu_request *request, const struct lanes wide[3])
{
	const struct tmu_texture *texture = request->texture;
	struct lanes bias, fixed;
	uint16_t far;

	table_of(sim)->fix(&bias, &fixed, &far, request->b);
	for (unsigned int quad = 0; quad < V3D_QPU_LANES; quad += QUAD) {
		int32_t lod = 0;

		for (unsigned int n = quad; n < quad + QUAD; n++) {
			const bool first = n == quad;

			if (!texture->bias_only && texture->cube &&
			    (first || plans[n].face != plans[n - 1].face))
				lod = cube_lod(texture, wide, quad, plans[n].face);
			else if (!texture->bias_only && !texture->cube && first)
				lod = automatic_lod(texture, wide, quad);
			plan_lane(&plans[n], texture, lod + bias_of((int32_t)bias.lane[n]));
		}
	}
}

static void plan_no_levels(struct plan plans[V3D_QPU_LANES], const struct tmu_texture *texture)
{
	for (unsigned int n = 0; n < V3D_QPU_LANES; n++) {
		plans[n].level = plans[n].next = plans[n].weight = 0;
		plans[n].linear = texture->min_linear;
	}
}

/* Lanes of @wanted that have the same level, face and filter as the first of them */
static uint16_t alike(const struct plan plans[V3D_QPU_LANES], uint16_t wanted, bool next)
{
	const struct plan *first = &plans[__builtin_ctz(wanted)];
	uint16_t lanes = 0;

	for (unsigned int n = 0; n < V3D_QPU_LANES; n++) {
		const struct plan *plan = &plans[n];

		if (wanted >> n & 1 &&
		    (next ? plan->next == first->next : plan->level == first->level) &&
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
static bool sample_levels(struct v3dsim *sim, struct tmu_sample *sample,
			  const struct plan plans[V3D_QPU_LANES], uint16_t wanted, bool next,
			  struct lanes out[2])
{
	const bool all = wanted == 0xffff;

	while (wanted) {
		const struct plan *plan = &plans[__builtin_ctz(wanted)];
		struct lanes some[2];

		sample->lanes = alike(plans, wanted, next);
		sample->level = &sample->texture->levels[next ? plan->next : plan->level];
		sample->base = sample->level->layout.base +
			       plan->face * sample->texture->cube_stride;
		sample->linear = plan->linear;
		if (all && sample->lanes == 0xffff)
			return table_of(sim)->sample(sim, sample, out);
		if (!table_of(sim)->sample(sim, sample, some))
			return false;
		for (unsigned int n = 0; n < V3D_QPU_LANES; n++)
			for (unsigned int word = 0; word < words_of(sample->texture); word++)
				if (sample->lanes >> n & 1)
					out[word].lane[n] = some[word].lane[n];
		wanted &= ~sample->lanes;
	}
	return true;
}

static uint32_t blend_2645(struct v3dsim *sim, uint32_t a, uint32_t b, uint32_t weight,
			   uint32_t right)
{
	const uint32_t wrong = texel_blend_2645(a, b, weight) |
			       (uint32_t)texel_blend_2645(a >> 16, b >> 16, weight) << 16;

	return wrong != right && chip_strike(sim, V3D_CHIP_HW_2645) ? wrong : right;
}

static void blend_halves(struct v3dsim *sim, struct lanes *out, const struct lanes *other,
			 const struct lanes *weights)
{
	const bool wrong = chip_has(&sim->chip, V3D_CHIP_HW_2645);

	for (unsigned int n = 0; n < V3D_QPU_LANES; n++) {
		const uint32_t a = out->lane[n], b = other->lane[n], weight = weights->lane[n];
		const uint32_t right = texel_blend_halves(a, b, weight) |
				       (uint32_t)texel_blend_halves(a >> 16, b >> 16, weight) << 16;

		out->lane[n] = wrong ? blend_2645(sim, a, b, weight, right) : right;
	}
}

static bool blend_levels(struct v3dsim *sim, struct tmu_sample *sample,
			 const struct plan plans[V3D_QPU_LANES], struct lanes out[2])
{
	const bool halves = sample->texture->format->blend == TEXEL_HALVES;
	struct lanes smaller[2], weight;
	uint16_t wanted = 0;

	for (unsigned int n = 0; n < V3D_QPU_LANES; n++) {
		wanted |= (uint16_t)((plans[n].weight != 0) << n);
		weight.lane[n] = plans[n].weight;
	}
	if (!wanted)
		return true;
	memset(smaller, 0, sizeof(smaller));
	if (!sample_levels(sim, sample, plans, wanted, true, smaller))
		return false;
	if (!halves)
		table_of(sim)->blend(&out[0], &smaller[0], &weight);
	for (unsigned int word = 0; halves && word < words_of(sample->texture); word++)
		blend_halves(sim, &out[word], &smaller[word], &weight);
	return true;
}

/* No levels, no faces: one sample serves all lanes. */
static bool filter_plainly(struct v3dsim *sim, const struct tmu_request *request,
			   struct lanes out[2])
{
	const struct tmu_texture *texture = request->texture;
	struct tmu_sample sample;
	struct lanes wide;

	sample.texture = texture;
	sample.unit = request->unit;
	sample.level = &texture->levels[0];
	sample.base = sample.level->layout.base;
	sample.lanes = 0xffff;
	sample.linear = texture->min_linear;
	sample.border = request->r->lane[0];
	to_fixed(sim, &wide, &sample.s, request->s, texture->wrap[0]);
	to_fixed(sim, &wide, &sample.t, request->t, texture->wrap[1]);
	return table_of(sim)->sample(sim, &sample, out);
}

bool tmu_filter(struct v3dsim *sim, const struct tmu_request *request, struct lanes out[2])
{
	const struct tmu_texture *texture = request->texture;
	struct tmu_sample sample;
	struct plan plans[V3D_QPU_LANES];
	struct lanes wide[3];

	if (!texture->format->exists) {
		lanes_fill(&out[0], 0);
		return true;
	}
	if (!texture->cube && !needs_lod(texture))
		return filter_plainly(sim, request, out);
	sample.texture = texture;
	sample.unit = request->unit;
	sample.border = texture->cube ? 0 : request->r->lane[0];
	to_fixed(sim, &wide[0], &sample.s, request->s, texture->wrap[0]);
	to_fixed(sim, &wide[1], &sample.t, request->t, texture->wrap[1]);
	for (unsigned int n = 0; n < V3D_QPU_LANES; n++)
		plans[n].face = 0;
	if (texture->cube) {
		to_fixed(sim, &wide[2], &sample.s, request->r, V3D_WRAP_CLAMP);
		plan_faces(plans, &sample, wide);
	}
	if (needs_lod(texture))
		plan_levels(sim, plans, request, wide);
	else
		plan_no_levels(plans, texture);
	return sample_levels(sim, &sample, plans, 0xffff, false, out) &&
	       blend_levels(sim, &sample, plans, out);
}
