/* SPDX-License-Identifier: MIT */
/*
 * What tests of texture lookups stand on: images put into memory by walking through it, and lookups
 * of 16 coordinates.
 */
#ifndef FILTER_FIXTURE_H
#define FILTER_FIXTURE_H

#include <math.h>

#include "qpu_fixture.h"

#include "tmu/tmu_filter.h"

#define BASE 0x80000u	/* of textures: an offset into the machine's memory, levels below it */

/**
 * struct walk - memory in the order of its bytes, and the pixel at each place: AG100 Section 11
 * read aloud
 */
struct walk {
	uint32_t x, y;
};

/* Micro-tile sizes in pixels by bits a pixel: AG100 "Micro-tiles" */
static inline void walk_micro(unsigned int bits, uint32_t *width, uint32_t *height)
{
	switch (bits) {
	case 64:
		*width = 2, *height = 4;
		break;
	case 32:
		*width = 4, *height = 4;
		break;
	case 16:
		*width = 8, *height = 4;
		break;
	case 8:
		*width = 8, *height = 8;
		break;
	case 4:
		*width = 16, *height = 8;
		break;
	default:
		*width = 32, *height = 16;
	}
}

static inline size_t walk_micro_tile(struct walk *out, unsigned int bits, uint32_t x, uint32_t y)
{
	uint32_t width, height;
	size_t n = 0;

	walk_micro(bits, &width, &height);
	for (uint32_t j = 0; j < height; j++)
		for (uint32_t i = 0; i < width; i++)
			out[n++] = (struct walk){ x + i, y + j };
	return n;
}

/**
 * walk_t() - the pixels of a T-format image as memory has them; the image is @across by @down tiles
 */
static inline size_t walk_t(struct walk *out, unsigned int bits, uint32_t across, uint32_t down)
{
	/* Figure 14: sub-tiles in memory order, x and y; even rows of tiles, then odd ones */
	static const uint8_t order[2][4][2] = { { { 0, 0 }, { 0, 1 }, { 1, 1 }, { 1, 0 } },
						{ { 1, 1 }, { 1, 0 }, { 0, 0 }, { 0, 1 } } };
	uint32_t width, height;
	size_t n = 0;

	walk_micro(bits, &width, &height);
	for (uint32_t ty = 0; ty < down; ty++)
		for (uint32_t i = 0; i < across; i++) {
			const uint32_t tx = ty % 2 ? across - 1 - i : i;

			for (unsigned int sub = 0; sub < 4; sub++)
				for (unsigned int micro = 0; micro < 16; micro++)
					n += walk_micro_tile(out + n, bits,
							     (tx * 8 + order[ty % 2][sub][0] * 4 +
							      micro % 4) *
								     width,
							     (ty * 8 + order[ty % 2][sub][1] * 4 +
							      micro / 4) *
								     height);
		}
	return n;
}

/* Of an image of @across by @down micro-tiles */
static inline size_t walk_lt(struct walk *out, unsigned int bits, uint32_t across, uint32_t down)
{
	uint32_t width, height;
	size_t n = 0;

	walk_micro(bits, &width, &height);
	for (uint32_t my = 0; my < down; my++)
		for (uint32_t mx = 0; mx < across; mx++)
			n += walk_micro_tile(out + n, bits, mx * width, my * height);
	return n;
}

static inline uint32_t bits_of(float f)
{
	uint32_t u;

	memcpy(&u, &f, sizeof(u));
	return u;
}

/* Coordinates in, words out */
struct lookup {
	uint32_t words[TMU_WORDS];
	float s[16], t[16], r[16], b[16];
	uint32_t border;
	uint32_t out[2][16];
};

/* The words of a two-dimensional texture of one level at BASE: nearest, repeated */
static inline void describe(struct lookup *l, enum v3d_texture_type type, uint32_t width,
			    uint32_t height)
{
	const struct v3d_texture0 p0 = { .base = bus_of(BASE), .type = type & 15 };
	const struct v3d_texture1 p1 = { .width = width & 2047, .height = height & 2047,
					 .type4 = type >> 4, .minify = 1,
					 .magnify = 1 };

	memset(l, 0, sizeof(*l));
	l->words[0] = v3d_word_texture0(&p0);
	l->words[1] = v3d_word_texture1(&p1);
}

#define LINEAR 0
#define NEAREST 1

static inline void set_filter(struct lookup *l, unsigned int minify, unsigned int magnify)
{
	l->words[1] = (l->words[1] & ~0xf0u) | minify << 4 | magnify << 7;
}

static inline void set_wrap(struct lookup *l, enum v3d_wrap s, enum v3d_wrap t)
{
	l->words[1] = (l->words[1] & ~15u) | s | t << 2;
}

static inline bool try_lookup(struct machine *m, struct lookup *l)
{
	static struct tmu_texture texture;
	struct lanes in[4], out[2];
	const struct tmu_request request = { &texture, 0, &in[0], &in[1], &in[2], &in[3] };
	bool done;

	tmu_setup(&texture, l->words, &m->sim->chip);
	for (unsigned int n = 0; n < 16; n++) {
		in[0].lane[n] = bits_of(l->s[n]);
		in[1].lane[n] = bits_of(l->t[n]);
		in[2].lane[n] = texture.cube ? bits_of(l->r[n]) : l->border;
		in[3].lane[n] = bits_of(l->b[n]);
	}
	sim_enter(m->sim);
	done = tmu_filter(m->sim, &request, out);
	sim_leave(m->sim);
	memcpy(l->out[0], out[0].lane, sizeof(l->out[0]));
	if (texture.type == V3D_TEXTURE_RGBA64)
		memcpy(l->out[1], out[1].lane, sizeof(l->out[1]));
	return done;
}

static inline void look_up(struct machine *m, struct lookup *l)
{
	assert_true(try_lookup(m, l));
}

/* One texel by its place */
static inline uint32_t texel_at(struct machine *m, struct lookup *l, uint32_t x, uint32_t y,
				uint32_t width, uint32_t height)
{
	for (unsigned int n = 0; n < 16; n++) {
		l->s[n] = ((float)x + 0.5f) / (float)width;
		l->t[n] = ((float)y + 0.5f) / (float)height;
	}
	look_up(m, l);
	return l->out[0][0];
}

#endif /* FILTER_FIXTURE_H */
