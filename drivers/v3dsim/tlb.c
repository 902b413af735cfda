// SPDX-License-Identifier: MIT
/* The tile buffer: see tlb.h. */
#include <string.h>

#include "pixels.h"
#include "sim.h"

static struct tlb_buffer *current(struct tlb *tlb)
{
	tlb->touched = true;
	return &tlb->buffers[tlb->current];
}

static uint32_t plane_of(const struct tlb *tlb)
{
	return tlb_width(&tlb->mode) * tlb_height(&tlb->mode);
}

static uint32_t samples_of(const struct tlb *tlb)
{
	return tlb->mode.multisample ? TLB_SAMPLES : 1;
}

static bool refuse(struct v3dsim *sim, uint32_t record_addr, const char *what)
{
	fault_report(sim, V3DSIM_UNIT_TLB, record_addr, "%s", what);
	return false;
}

bool tlb_configure(struct v3dsim *sim, uint32_t record_addr, const struct v3d_tile_rendering_mode *mode)
{
	struct tlb *tlb = &sim->tlb;

	if (mode->pixel > V3D_FRAME_BGR565)
		return refuse(sim, record_addr, "tile rendering mode with frame buffer format 3: expected 0 to 2");
	if (mode->format > V3D_LT_FORMAT)
		return refuse(sim, record_addr, "tile rendering mode with memory format 3: expected 0 to 2");
	if (mode->decimate > V3D_DECIMATE_16X || (mode->decimate == V3D_DECIMATE_16X && !mode->multisample))
		return refuse(sim, record_addr,
			      "tile rendering mode with a decimation that does not exist: 16x needs multisample mode");
	tlb->mode = *mode;
	tlb->configured = true;
	tlb->active = true;
	tlb->placed = false;
	if (!mode->double_buffer)
		tlb->current = 0;
	return true;
}

void tlb_clear_colors(struct v3dsim *sim, const struct v3d_clear_colors *clear)
{
	sim->tlb.clear = *clear;
}

static void clear_color(struct tlb *tlb)
{
	struct tlb_buffer *buffer = current(tlb);
	unsigned int i;

	for (i = 0; i < TLB_PIXELS; i += 2) {
		buffer->color[i] = tlb->clear.color0;
		buffer->color[i + 1] = tlb->clear.color1;
	}
}

static void clear_zs(struct tlb *tlb)
{
	struct tlb_buffer *buffer = current(tlb);
	uint32_t zs = tlb->clear.z << 8 | tlb->clear.stencil;
	unsigned int i;

	for (i = 0; i < TLB_PIXELS; i++)
		buffer->zs[i] = zs;
}

static void clear_vg_mask(struct tlb *tlb)
{
	memset(current(tlb)->vg_mask, tlb->clear.vg_mask, TLB_PIXELS);
}

/* Every store needs a frame and a place in it. */
static bool ready(struct v3dsim *sim, uint32_t record_addr)
{
	if (!sim->tlb.configured)
		return refuse(sim, record_addr, "tile store: expected a tile rendering mode (record 113) before");
	if (!sim->tlb.placed)
		return refuse(sim, record_addr, "tile store: expected tile coordinates (record 115) before");
	return true;
}

/* What every store ends with. */
static void finish_store(struct v3dsim *sim, bool swap, bool last)
{
	struct tlb *tlb = &sim->tlb;

	if (tlb->mode.double_buffer && !tlb->mode.multisample && swap)
		tlb->current ^= 1;
	if (!last)
		return;
	tlb->active = false;
	tlb->frame_count++;
	cle_flushed(sim, 1);
	intr_raise(sim, V3D_MASK(INTCTL, FRDONE));
}

/* The image that a rectangle of the present tile goes to, and where it lies in it. */
struct place {
	struct texture_image image;
	uint32_t x, y, width, height;
};

static void place_tile(const struct tlb *tlb, uint32_t base, unsigned int format, unsigned int pixel_bytes, unsigned int shrink,
		       struct place *place)
{
	place->image = (struct texture_image){ base, format, pixel_bytes, tlb->mode.width, tlb->mode.height };
	place->width = tlb_width(&tlb->mode) >> shrink;
	place->height = tlb_height(&tlb->mode) >> shrink;
	place->x = tlb->column * place->width;
	place->y = tlb->row * place->height;
}

static bool store_pixels(struct v3dsim *sim, const struct place *place, const void *pixels)
{
	return texture_store(sim, V3DSIM_UNIT_TLB, &place->image, place->x, place->y, place->width, place->height, pixels);
}

static bool load_pixels(struct v3dsim *sim, const struct place *place, void *pixels)
{
	return texture_load(sim, V3DSIM_UNIT_TLB, &place->image, place->x, place->y, place->width, place->height, pixels);
}

/* Colour on its way out: at, format and decimation in record 28's terms */
static bool store_color(struct v3dsim *sim, uint32_t base, unsigned int format, enum v3d_pixel pixel, enum v3d_decimate decimate)
{
	struct tlb *tlb = &sim->tlb;
	const uint32_t *color = current(tlb)->color;
	bool halve = decimate == (tlb->mode.multisample ? V3D_DECIMATE_16X : V3D_DECIMATE_4X);
	uint32_t averaged[TLB_PIXELS];
	uint16_t narrow[TLB_PIXELS];
	struct place place;

	if (tlb->mode.color64) {
		place_tile(tlb, base, format, 8, 0, &place);
		return store_pixels(sim, &place, color);
	}
	if (tlb->mode.multisample && decimate != V3D_DECIMATE_NONE) {
		pixels_average_samples(color, plane_of(tlb), averaged);
		color = averaged;
	}
	if (halve) {
		pixels_average_quads(color, tlb_width(&tlb->mode), tlb_height(&tlb->mode), averaged);
		color = averaged;
	}
	place_tile(tlb, base, format, pixel == V3D_RGBA8888 ? 4 : 2, halve, &place);
	if (pixel == V3D_RGBA8888)
		return store_pixels(sim, &place, color);
	pixels_to_565(color, place.width, place.width * place.height, pixel == V3D_BGR565_DITHERED, narrow);
	return store_pixels(sim, &place, narrow);
}

bool tlb_store_resolved(struct v3dsim *sim, uint32_t record_addr, bool last)
{
	static const enum v3d_pixel pixel[] = {
		[V3D_FRAME_BGR565_DITHERED] = V3D_BGR565_DITHERED, [V3D_FRAME_RGBA8888] = V3D_RGBA8888,
		[V3D_FRAME_BGR565] = V3D_BGR565,
	};
	struct tlb *tlb = &sim->tlb;
	const struct v3d_tile_rendering_mode *mode = &tlb->mode;

	if (!ready(sim, record_addr) || !store_color(sim, mode->address, mode->format, pixel[mode->pixel], mode->decimate))
		return false;
	clear_color(tlb);
	clear_zs(tlb);
	clear_vg_mask(tlb);
	finish_store(sim, true, last);
	return true;
}

/* Words of a full dump are quads of 2 x 2 pixels in raster order, samples outermost in a quad: HW for 4x; elsewhere by analogy. */
static uint32_t full_index(const struct tlb *tlb, uint32_t x, uint32_t y, uint32_t sample)
{
	uint32_t quad = y / 2 * (tlb_width(&tlb->mode) / 2) + x / 2;

	return (quad * samples_of(tlb) + sample) * 4 + (y & 1) * 2 + (x & 1);
}

/* Between [sample][y][x] and a full dump, words being one or two to a pixel. */
static void full_shuffle(const struct tlb *tlb, uint32_t *planes, uint32_t *dump, unsigned int words, bool store)
{
	uint32_t width = tlb_width(&tlb->mode), height = tlb_height(&tlb->mode), x, y, sample;

	for (sample = 0; sample < samples_of(tlb); sample++) {
		for (y = 0; y < height; y++) {
			for (x = 0; x < width; x++) {
				uint32_t *plane = planes + ((sample * height + y) * width + x) * words;
				uint32_t *place = dump + full_index(tlb, x, y, sample) * words;

				memcpy(store ? place : plane, store ? plane : place, words * sizeof(uint32_t));
			}
		}
	}
}

/* One buffer of a full dump, moving on *addr. */
static bool move_full(struct v3dsim *sim, uint32_t *planes, unsigned int words, uint32_t *addr, bool store)
{
	struct tlb *tlb = &sim->tlb;
	uint32_t dump[TLB_PIXELS], len = plane_of(tlb) * samples_of(tlb) * words * sizeof(uint32_t);

	if (store) {
		full_shuffle(tlb, planes, dump, words, true);
		if (!bus_write(sim, V3DSIM_UNIT_TLB, *addr, dump, len))
			return false;
	} else {
		if (!bus_read(sim, V3DSIM_UNIT_TLB, *addr, dump, len))
			return false;
		full_shuffle(tlb, planes, dump, words, false);
	}
	*addr += V3D_FULL_TILE_BYTES;
	return true;
}

/* A full dump or reload of what is asked for. */
static bool move_tile(struct v3dsim *sim, uint32_t addr, bool color, bool zs, bool vg_mask, bool store)
{
	struct tlb *tlb = &sim->tlb;
	struct tlb_buffer *buffer = current(tlb);

	if (color && !move_full(sim, buffer->color, 1 + tlb->mode.color64, &addr, store))
		return false;
	if (zs && !move_full(sim, buffer->zs, 1, &addr, store))
		return false;
	if (!vg_mask)
		return true;
	return store ? bus_write(sim, V3DSIM_UNIT_TLB, addr, buffer->vg_mask, plane_of(tlb)) :
		       bus_read(sim, V3DSIM_UNIT_TLB, addr, buffer->vg_mask, plane_of(tlb));
}

bool tlb_store_full(struct v3dsim *sim, uint32_t record_addr, const struct v3d_store_full *store)
{
	struct tlb *tlb = &sim->tlb;

	if (!ready(sim, record_addr) || !move_tile(sim, store->address, !store->disable_color, !store->disable_zs, false, true))
		return false;
	if (!store->disable_clear) {
		clear_color(tlb);
		clear_zs(tlb);
		clear_vg_mask(tlb);
	}
	finish_store(sim, true, store->last_tile);
	return true;
}

static bool store_zs(struct v3dsim *sim, uint32_t base, unsigned int format, bool z_only)
{
	struct tlb *tlb = &sim->tlb;
	const uint32_t *zs = current(tlb)->zs;
	uint32_t z[TLB_PIXELS], i;
	struct place place;

	place_tile(tlb, base, format, 4, 0, &place);
	for (i = 0; i < plane_of(tlb) && z_only; i++)
		z[i] = zs[i] & ~0xffu;
	return store_pixels(sim, &place, z_only ? z : zs);
}

static bool store_buffer(struct v3dsim *sim, uint32_t record_addr, const struct v3d_store_general *store)
{
	struct tlb *tlb = &sim->tlb;
	struct place place;

	if (store->format > V3D_LT_FORMAT)
		return refuse(sim, record_addr, "general tile store with memory format 3: expected 0 to 2");
	switch (store->buffer) {
	case V3D_BUFFER_NONE:
		return true;
	case V3D_BUFFER_COLOR:
		if (tlb->mode.color64)
			return store_color(sim, store->address, store->format, V3D_RGBA8888, V3D_DECIMATE_NONE);
		if (store->pixel > V3D_BGR565)
			return refuse(sim, record_addr, "general tile store with pixel format 3: expected 0 to 2");
		if (store->mode > V3D_DECIMATE_16X || (store->mode == V3D_DECIMATE_16X && !tlb->mode.multisample))
			return refuse(sim, record_addr,
				      "general tile store with a mode that does not exist: 16x needs multisample mode");
		return store_color(sim, store->address, store->format, store->pixel, store->mode);
	case V3D_BUFFER_ZS:
	case V3D_BUFFER_Z:
		return store_zs(sim, store->address, store->format, store->buffer == V3D_BUFFER_Z);
	case V3D_BUFFER_VG_MASK:
		place_tile(tlb, store->address, store->format, 1, 0, &place);
		return store_pixels(sim, &place, current(tlb)->vg_mask);
	case V3D_BUFFER_FULL:
		return move_tile(sim, store->address, !store->disable_color, !store->disable_zs, !store->disable_vg_mask, true);
	default:
		return refuse(sim, record_addr, "general tile store of buffer 6 or 7: expected 0 to 5");
	}
}

bool tlb_store_general(struct v3dsim *sim, uint32_t record_addr, const struct v3d_store_general *store)
{
	struct tlb *tlb = &sim->tlb;

	/*
	 * A store of nothing needs no frame: mainline begins its lists with clear colours, tile coordinates and such a store, so
	 * that the tile buffer is clear when the rendering mode comes.
	 */
	if (store->buffer != V3D_BUFFER_NONE && !ready(sim, record_addr))
		return false;
	if (!store_buffer(sim, record_addr, store))
		return false;
	if (!store->disable_color_clear)
		clear_color(tlb);
	if (!store->disable_zs_clear)
		clear_zs(tlb);
	if (!store->disable_vg_mask_clear)
		clear_vg_mask(tlb);
	finish_store(sim, !store->disable_swap, store->last_tile);
	return true;
}

/* HW: one load may be pending. */
static bool pend(struct v3dsim *sim, uint32_t record_addr, enum tlb_load load)
{
	struct tlb *tlb = &sim->tlb;

	if (!tlb->configured)
		return refuse(sim, record_addr, "tile load: expected a tile rendering mode (record 113) before");
	if (tlb->load != TLB_LOAD_NONE)
		return refuse(sim, record_addr,
			      "tile load: another one is pending, expected tile coordinates (record 115) between them");
	tlb->load = load;
	return true;
}

bool tlb_load_full(struct v3dsim *sim, uint32_t record_addr, const struct v3d_load_full *load)
{
	sim->tlb.load_full = *load;
	return pend(sim, record_addr, TLB_LOAD_FULL);
}

bool tlb_load_general(struct v3dsim *sim, uint32_t record_addr, const struct v3d_load_general *load)
{
	if (load->format > V3D_LT_FORMAT)
		return refuse(sim, record_addr, "general tile load with memory format 3: expected 0 to 2");
	if (load->buffer == V3D_BUFFER_Z || load->buffer > V3D_BUFFER_FULL)
		return refuse(sim, record_addr, "general tile load of buffer 3, 6 or 7: expected 0, 1, 2, 4 or 5");
	if (load->buffer == V3D_BUFFER_COLOR && load->pixel > V3D_BGR565)
		return refuse(sim, record_addr, "general tile load with pixel format 3: expected 0 to 2");
	sim->tlb.load_general = *load;
	return pend(sim, record_addr, TLB_LOAD_GENERAL);
}

/* All samples of a pixel are as sample 0 is. */
static void spread(const struct tlb *tlb, uint32_t *planes, unsigned int words)
{
	uint32_t plane = plane_of(tlb) * words, sample;

	for (sample = 1; sample < samples_of(tlb); sample++)
		memcpy(planes + sample * plane, planes, plane * sizeof(*planes));
}

static bool load_565(struct v3dsim *sim, const struct v3d_load_general *load)
{
	struct tlb *tlb = &sim->tlb;
	uint32_t *color = current(tlb)->color, x, y;
	uint16_t narrow[TLB_PIXELS];
	struct place place;

	place_tile(tlb, load->address, load->format, 2, 0, &place);
	if (!load_pixels(sim, &place, narrow))
		return false;
	for (y = 0; y < place.height && place.y + y < place.image.height; y++)
		for (x = 0; x < place.width && place.x + x < place.image.width; x++)
			color[y * place.width + x] = pixels_from_565(narrow[y * place.width + x]);
	spread(tlb, color, 1);
	return true;
}

static bool load_words(struct v3dsim *sim, const struct v3d_load_general *load, uint32_t *planes, unsigned int words)
{
	struct place place;

	place_tile(&sim->tlb, load->address, load->format, 4 * words, 0, &place);
	if (!load_pixels(sim, &place, planes))
		return false;
	spread(&sim->tlb, planes, words);
	return true;
}

static bool load_buffer(struct v3dsim *sim, const struct v3d_load_general *load)
{
	struct tlb *tlb = &sim->tlb;
	struct tlb_buffer *buffer = current(tlb);
	struct place place;

	switch (load->buffer) {
	case V3D_BUFFER_COLOR:
		if (!tlb->mode.color64 && load->pixel != V3D_RGBA8888)
			return load_565(sim, load);
		return load_words(sim, load, buffer->color, 1 + tlb->mode.color64);
	case V3D_BUFFER_ZS:
		return load_words(sim, load, buffer->zs, 1);
	case V3D_BUFFER_VG_MASK:
		place_tile(tlb, load->address, load->format, 1, 0, &place);
		return load_pixels(sim, &place, buffer->vg_mask);
	case V3D_BUFFER_FULL:
		return move_tile(sim, load->address, !load->disable_color, !load->disable_zs, !load->disable_vg_mask, false);
	default:
		return true;
	}
}

bool tlb_coordinates(struct v3dsim *sim, uint32_t record_addr, const struct v3d_tile_coordinates *coordinates)
{
	struct tlb *tlb = &sim->tlb;
	enum tlb_load load = tlb->load;

	(void)record_addr;	/* nothing to refuse */
	tlb->column = coordinates->column;
	tlb->row = coordinates->row;
	tlb->placed = true;
	tlb->load = TLB_LOAD_NONE;
	if (load == TLB_LOAD_FULL)
		return move_tile(sim, tlb->load_full.address, !tlb->load_full.disable_color, !tlb->load_full.disable_zs, false,
				 false);
	if (load == TLB_LOAD_GENERAL)
		return load_buffer(sim, &tlb->load_general);
	return true;
}

uint32_t tlb_frame_count(const struct v3dsim *sim)
{
	return sim->tlb.frame_count;
}

void tlb_frame_count_write(struct v3dsim *sim, uint32_t value)
{
	if (value & 1)
		sim->tlb.frame_count = 0;
}

void tlb_reset(struct v3dsim *sim)
{
	struct tlb *tlb = &sim->tlb;
	struct tlb_buffer *buffers = tlb->buffers;

	if (tlb->touched)
		memset(buffers, 0, sizeof(tlb->buffers));
	tlb->mode = (struct v3d_tile_rendering_mode){ 0 };
	tlb->clear = (struct v3d_clear_colors){ 0 };
	tlb->configured = false;
	tlb->placed = false;
	tlb->active = false;
	tlb->touched = false;
	tlb->column = 0;
	tlb->row = 0;
	tlb->current = 0;
	tlb->load = TLB_LOAD_NONE;
	tlb->frame_count = 0;
}
