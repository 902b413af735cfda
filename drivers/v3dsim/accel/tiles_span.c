// SPDX-License-Identifier: MIT
/*
 * Which loads of tile buffers, and textures, have to wait for stores of earlier tiles: see tiles.h.
 * Images that frames are loaded from and stored to are mostly the same, tile by tile, and then a
 * tile that was not stored yet has nothing to wait for; full dumps follow each other in memory.
 * Whatever does not fit in here waits.
 */
#include <string.h>

#include "core/sim.h"
#include "tiles_job.h"

void tiles_span_reset(struct tiles *t)
{
	if (!t->spans)
		return;
	t->spans = 0;
	t->everywhere = false;
	memset(t->stored, 0, sizeof(t->stored));
}

static bool same_image(const struct texture_image *a, const struct texture_image *b)
{
	return a->base == b->base && a->format == b->format && a->pixel_bytes == b->pixel_bytes &&
	       a->width == b->width && a->height == b->height;
}

static struct tiles_span span_of(const struct texture_image *image, uint32_t addr, uint32_t len)
{
	struct texture_layout layout;
	struct tiles_span span = { .start = addr, .end = (uint64_t)addr + len };
	unsigned int row;

	if (!image)
		return span;
	span.image = *image;
	row = texture_micro_width(image->pixel_bytes) * image->pixel_bytes;
	texture_lay_out(&layout, image->base, image->format, row == 16 ? 4 : 3,
			image->width * image->pixel_bytes, image->height);
	span.start = image->base;
	span.end = (uint64_t)image->base + layout.bytes;
	return span;
}

/* The present tile's bit */
static uint64_t *place_of(struct v3dsim *sim, uint64_t *bit)
{
	const unsigned int place = (sim->tlb->row & 255) * 256 + (sim->tlb->column & 255);

	*bit = UINT64_C(1) << place % 64;
	return &sim->tiles->stored[place / 64];
}

/* Is it among what is known already, or right behind it? */
static bool joins(struct tiles_span *known, const struct tiles_span *span)
{
	if (known->image.width || span->image.width)
		return same_image(&known->image, &span->image);
	if (span->start > known->end || span->start < known->start)
		return false;
	if (span->end > known->end)
		known->end = span->end;
	return true;
}

void tiles_stores(struct v3dsim *sim, const struct texture_image *image, uint32_t addr,
		  uint32_t len)
{
	const struct tiles_span span = span_of(image, addr, len);
	struct tiles *t = sim->tiles;
	uint64_t bit, *place = place_of(sim, &bit);

	t->ordered = true;
	*place |= bit;
	/* Memory ends at 2^32, and what is stored goes on at 0. */
	if (span.end > UINT64_C(1) << 32)
		t->everywhere = true;
	for (unsigned int n = 0; n < t->spans; n++)
		if (joins(&t->span[n], &span))
			return;
	if (t->spans == TILES_SPANS)
		t->everywhere = true;
	else
		t->span[t->spans++] = span;
}

void tiles_loads(struct v3dsim *sim, const struct texture_image *image, uint32_t addr, uint32_t len)
{
	const struct tiles_span span = span_of(image, addr, len);
	struct tiles *t = sim->tiles;
	uint64_t bit, *place = place_of(sim, &bit);

	t->ordered |= t->everywhere || span.end > UINT64_C(1) << 32;
	for (unsigned int n = 0; n < t->spans; n++) {
		const struct tiles_span *known = &t->span[n];

		if (known->start >= span.end || span.start >= known->end)
			continue;
		t->ordered |= !image || !same_image(&known->image, image) || *place & bit;
	}
}

bool tiles_span_stored(const struct tiles *t, uint64_t start, uint64_t end)
{
	bool stored = t->everywhere || end > UINT64_C(1) << 32;

	for (unsigned int n = 0; n < t->spans; n++)
		stored |= t->span[n].start < end && start < t->span[n].end;
	return stored;
}
