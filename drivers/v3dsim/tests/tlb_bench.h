/* SPDX-License-Identifier: MIT */
/*
 * A tile and a batch of fragments made by hand, accesses as a QPU's, and the tile looked at through
 * an index formula of its own
 */
#ifndef V3DSIM_TESTS_TLB_BENCH_H
#define V3DSIM_TESTS_TLB_BENCH_H

#include "chip.h"

#include "qpu/qpu.h"
#include "back/fragment.h"
#include "back/tlb_qpu.h"

#define ALL 0xffff

/**
 * struct bench - a chip with a tile of some mode and one batch: quads at (0, 0), (2, 0), (0, 2) and
 * (30, 14), all covered
 */
struct bench {
	struct chip *chip;
	struct v3dsim *sim;
	struct qpu q;
	struct fragment f;
};

static inline struct bench *bench_new(bool multisample, bool color64)
{
	static const uint8_t x[] = { 0, 2, 0, 30 }, y[] = { 0, 0, 2, 14 };
	struct bench *b = aligned_alloc(64, (sizeof(*b) + 63) / 64 * 64);

	assert_non_null(b);
	memset(b, 0, sizeof(*b));
	b->chip = chip_new(NULL);
	b->sim = b->chip->sim;
	b->sim->tlb->mode.multisample = multisample;
	b->sim->tlb->mode.color64 = color64;
	memcpy(b->f.x, x, sizeof(x));
	memcpy(b->f.y, y, sizeof(y));
	memset(b->f.covered, 0xff, multisample ? 8 : 2);
	b->q.fragment = &b->f;
	fragment_begin(&b->f);
	return b;
}

static inline void bench_free(struct bench *b)
{
	chip_free(b->chip);
	free(b);
}

static inline void write_lanes(struct bench *b, unsigned int waddr, const struct lanes *value,
			       uint16_t lanes)
{
	tlb_qpu_write(b->sim, &b->q, waddr, false, value, lanes);
}

static inline void write_word(struct bench *b, unsigned int waddr, uint32_t word)
{
	struct lanes value;

	lanes_fill(&value, word);
	write_lanes(b, waddr, &value, ALL);
}

static inline uint32_t load_lane(struct bench *b, unsigned int sig, unsigned int lane)
{
	struct lanes out;

	tlb_qpu_load(b->sim, &b->q, sig, &out);
	return out.lane[lane];
}

/*
 * Where a pixel's words are: AG100 p. 45 gives the sizes, HW the order of a full dump, quad << 4 |
 * sample << 2 | pixel
 */
static inline uint32_t place_of(const struct bench *b, uint32_t x, uint32_t y, uint32_t sample)
{
	if (b->sim->tlb->mode.multisample)
		return (y >> 1) * 256 + (x >> 1) * 16 + sample * 4 + (y & 1) * 2 + (x & 1);
	return (y >> 1) * 128 + (x >> 1) * 4 + (y & 1) * 2 + (x & 1);
}

static inline uint32_t *color(struct bench *b, uint32_t x, uint32_t y, uint32_t sample)
{
	return &b->sim->tlb->buffers[0]
			.color[place_of(b, x, y, sample) << b->sim->tlb->mode.color64];
}

static inline uint32_t *zs(struct bench *b, uint32_t x, uint32_t y, uint32_t sample)
{
	return &b->sim->tlb->buffers[0].zs[place_of(b, x, y, sample)];
}

static inline uint64_t counted(struct bench *b, enum v3d_counter source)
{
	return b->sim->pctr.totals[source];
}

#endif /* V3DSIM_TESTS_TLB_BENCH_H */
