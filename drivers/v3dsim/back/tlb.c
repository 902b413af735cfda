// SPDX-License-Identifier: MIT
/* The tile buffer: see tlb.h. */
#include <string.h>
#include <sys/param.h>

#include "core/sim.h"
#include "tmu/texture.h"
#include "pixels.h"
#include "tlb.h"

static uint32_t pixels_of(const struct tlb *tlb)
{
	return tlb_width(&tlb->mode) * tlb_height(&tlb->mode);
}

static bool refuse(struct v3dsim *sim, uint32_t record_addr, const char *what)
{
	fault_report(sim, V3DSIM_UNIT_TLB, record_addr, "%s", what);
	return false;
}

static void use_buffer(struct tlb *tlb, unsigned int n)
{
	if (tlb->current != n)
		tlb->clean.parts = 0;
	tlb->current = n;
}

bool tlb_configure(struct v3dsim *sim, uint32_t record_addr,
		   const struct v3d_tile_rendering_mode *mode)
{
	struct tlb *tlb = sim->tlb;

	if (mode->pixel > V3D_FRAME_BGR565)
		return refuse(sim, record_addr,
			      "tile rendering mode with frame buffer format 3: expected 0 to 2");
	if (mode->format > V3D_LT_FORMAT)
		return refuse(sim, record_addr,
			      "tile rendering mode with memory format 3: expected 0 to 2");
	if (mode->decimate > V3D_DECIMATE_16X ||
	    (mode->decimate == V3D_DECIMATE_16X && !mode->multisample))
		return refuse(sim, record_addr,
			      "tile rendering mode: decimation 16x needs multisample mode");
	tlb->mode = *mode;
	tlb->configured = true;
	tlb->active = true;
	tlb->placed = false;
	if (!mode->double_buffer)
		use_buffer(tlb, 0);
	return true;
}

void tlb_clear_colors(struct v3dsim *sim, const struct v3d_clear_colors *clear)
{
	sim->tlb->clear = *clear;
}

static void clear_color(struct tlb *tlb)
{
	struct tlb_buffer *buffer = tlb_current(tlb);
	unsigned int i;

	tlb->clean.parts |= TLB_CLEAN_COLOR;
	tlb->clean.color0 = tlb->clear.color0;
	tlb->clean.color1 = tlb->clear.color1;
	if (tlb->elsewhere)
		return;
	for (i = 0; i < TLB_PIXELS; i += 2) {
		buffer->color[i] = tlb->clear.color0;
		buffer->color[i + 1] = tlb->clear.color1;
	}
}

/* Z and stencil are about to become something else than coverage that was counted. */
static void unwind(struct tlb_buffer *buffer)
{
	if (buffer->wound)
		memset(buffer->winding, 0, sizeof(buffer->winding));
	buffer->wound = false;
}

/*
 * HW-2905: early Z errs with four samples after a full load, and was seen to err where Z had been
 * cleared, too (HW). What it sees then is not established, published drivers speak of values of the
 * tile before: here it is the Z that hides most.
 */
static void clear_zs(struct v3dsim *sim)
{
	struct tlb *tlb = sim->tlb;
	struct tlb_buffer *buffer = tlb_current(tlb);
	uint32_t zs = tlb->clear.z << 8 | tlb->clear.stencil;
	unsigned int i;

	tlb->clean.parts |= TLB_CLEAN_ZS;
	tlb->clean.zs = zs;
	tlb->shadow_stale = chip_has(&sim->chip, V3D_CHIP_HW_2905);
	tlb->shadow_cleared = true;
	if (tlb->elsewhere)
		return;
	unwind(buffer);
	for (i = 0; i < TLB_PIXELS; i++)
		buffer->zs[i] = zs;
}

static void clear_vg_mask(struct tlb *tlb)
{
	tlb->clean.parts |= TLB_CLEAN_MASK;
	tlb->clean.vg_mask = tlb->clear.vg_mask;
	if (!tlb->elsewhere)
		memset(tlb_current(tlb)->vg_mask, tlb->clear.vg_mask, TLB_PIXELS);
}

/* Every store needs a frame and a place in it. */
static bool ready(struct v3dsim *sim, uint32_t record_addr)
{
	if (!sim->tlb->configured)
		return refuse(sim, record_addr,
			      "tile store: expected a tile rendering mode (record 113) before");
	if (!sim->tlb->placed)
		return refuse(sim, record_addr,
			      "tile store: expected tile coordinates (record 115) before");
	return true;
}

/* What every store ends with. */
static void finish_store(struct v3dsim *sim, bool swap, bool last)
{
	struct tlb *tlb = sim->tlb;

	if (tlb->mode.double_buffer && !tlb->mode.multisample && swap)
		use_buffer(tlb, !tlb->current);
	tlb->last = last;
}

void tlb_end_frame(struct v3dsim *sim)
{
	sim->tlb->active = false;
	sim->tlb->frame_count++;
	intr_raise(sim, V3D_MASK(INTCTL, FRDONE));
}

/*
 * The image that the present tile goes to, and what part of it lies in it: nothing if @area.width
 * is 0
 */
struct place {
	struct texture_image image;
	struct texture_rectangle to;
	struct pixels_area area;
};

static uint32_t even(uint32_t value)
{
	return value + (value & 1);
}

static void place_tile(const struct tlb *tlb, uint32_t base, unsigned int format,
		       unsigned int pixel_bytes, bool halve, struct place *place)
{
	const struct v3d_tile_rendering_mode *mode = &tlb->mode;
	const uint32_t width = tlb_width(mode) >> halve, height = tlb_height(mode) >> halve;
	struct texture_rectangle *to = &place->to;

	place->image = (struct texture_image){ base, format, pixel_bytes, mode->width,
					       mode->height };
	*to = (struct texture_rectangle){ .x = tlb->column * width, .y = tlb->row * height,
					  .stride = width };
	if (to->x < mode->width && to->y < mode->height) {
		to->width = MIN(mode->width - to->x, width);
		to->height = MIN(mode->height - to->y, height);
	}
	place->area = (struct pixels_area){
		.width = even(to->width << halve),
		.height = even(to->height << halve),
		.stride = width << halve,
		.samples = tlb_samples(mode),
		.words = pixel_bytes / 8 + 1,
	};
}

static bool store_pixels(struct v3dsim *sim, const struct place *place, const void *pixels)
{
	if (sim->tlb->elsewhere) {
		sim->hooks.tiles->stores(sim, &place->image, 0, 0);
		return true;
	}
	return texture_store(sim, V3DSIM_UNIT_TLB, &place->image, &place->to, pixels);
}

static bool load_pixels(struct v3dsim *sim, const struct place *place, void *pixels)
{
	if (sim->tlb->elsewhere) {
		sim->hooks.tiles->loads(sim, &place->image, 0, 0);
		return true;
	}
	return texture_load(sim, V3DSIM_UNIT_TLB, &place->image, &place->to, pixels);
}

/* Sample 0 of colour or Z and stencil as it is */
static bool store_planes(struct v3dsim *sim, uint32_t base, unsigned int format,
			 const uint32_t *quads, unsigned int words)
{
	uint32_t rows[TLB_PIXELS];
	struct place place;

	place_tile(sim->tlb, base, format, 4 * words, false, &place);
	if (!sim->tlb->elsewhere)
		pixels_to_rows(&place.area, quads, rows);
	return store_pixels(sim, &place, rows);
}

/* Colour on its way out: at, format and decimation in record 28's terms */
static bool store_color(struct v3dsim *sim, uint32_t base, unsigned int format,
			enum v3d_pixel pixel, enum v3d_decimate decimate)
{
	struct tlb *tlb = sim->tlb;
	const uint32_t *color = tlb_current(tlb)->color;
	const bool halve = decimate == (tlb->mode.multisample ? V3D_DECIMATE_16X : V3D_DECIMATE_4X);
	uint32_t rows[TLB_PIXELS];
	uint16_t narrow[TLB_PIXELS];
	struct place place;

	if (tlb->mode.color64)
		return store_planes(sim, base, format, color, 2);
	place_tile(tlb, base, format, pixel == V3D_RGBA8888 ? 4 : 2, halve, &place);
	if (tlb->elsewhere)
		return store_pixels(sim, &place, rows);
	if (halve)
		pixels_halve(&place.area, color, rows);
	else if (tlb->mode.multisample && decimate != V3D_DECIMATE_NONE)
		pixels_resolve(&place.area, color, rows);
	else
		pixels_to_rows(&place.area, color, rows);
	if (pixel == V3D_RGBA8888)
		return store_pixels(sim, &place, rows);
	pixels_to_565(rows, place.to.width, place.to.height, place.to.stride,
		      pixel == V3D_BGR565_DITHERED, narrow);
	return store_pixels(sim, &place, narrow);
}

bool tlb_store_resolved(struct v3dsim *sim, uint32_t record_addr, bool last)
{
	static const enum v3d_pixel pixel[] = {
		[V3D_FRAME_BGR565_DITHERED] = V3D_BGR565_DITHERED,
		[V3D_FRAME_RGBA8888] = V3D_RGBA8888,
		[V3D_FRAME_BGR565] = V3D_BGR565,
	};
	struct tlb *tlb = sim->tlb;
	const struct v3d_tile_rendering_mode *mode = &tlb->mode;

	if (!ready(sim, record_addr) ||
	    !store_color(sim, mode->address, mode->format, pixel[mode->pixel], mode->decimate))
		return false;
	clear_color(tlb);
	clear_zs(sim);
	clear_vg_mask(tlb);
	finish_store(sim, true, last);
	return true;
}

static bool move_bytes(struct v3dsim *sim, uint32_t addr, void *bytes, uint32_t len, bool store)
{
	if (sim->tlb->elsewhere)
		(store ? sim->hooks.tiles->stores : sim->hooks.tiles->loads)(sim, NULL, addr, len);
	else if (store)
		return bus_write(sim, V3DSIM_UNIT_TLB, addr, bytes, len);
	else
		return bus_read(sim, V3DSIM_UNIT_TLB, addr, bytes, len);
	return true;
}

/*
 * One buffer of a full dump, moving on *addr. The buffers are in its order: HW for 4x; elsewhere by
 * analogy.
 */
static bool move_full(struct v3dsim *sim, uint32_t *quads, unsigned int words, uint32_t *addr,
		      bool store)
{
	struct tlb *tlb = sim->tlb;
	uint32_t len = pixels_of(tlb) * tlb_samples(&tlb->mode) * words * sizeof(*quads);

	if (!move_bytes(sim, *addr, quads, len, store))
		return false;
	*addr += V3D_FULL_TILE_BYTES;
	return true;
}

/* A full dump or reload of what is asked for. */
static bool move_tile(struct v3dsim *sim, uint32_t addr, bool color, bool zs, bool vg_mask,
		      bool store)
{
	struct tlb *tlb = sim->tlb;
	struct tlb_buffer *buffer = tlb_current(tlb);

	if (color && !move_full(sim, buffer->color, 1 + tlb->mode.color64, &addr, store))
		return false;
	if (zs && !store) {
		unwind(buffer);
		tlb->shadow_stale = chip_has(&sim->chip, V3D_CHIP_HW_2905);
		tlb->shadow_cleared = false;
		tlb->shadow_zs = tlb->clean.zs;
	}
	if (zs && !move_full(sim, buffer->zs, 1, &addr, store))
		return false;
	return !vg_mask || move_bytes(sim, addr, buffer->vg_mask, pixels_of(tlb), store);
}

bool tlb_store_full(struct v3dsim *sim, uint32_t record_addr, const struct v3d_store_full *store)
{
	struct tlb *tlb = sim->tlb;

	if (!ready(sim, record_addr) ||
	    !move_tile(sim, store->address, !store->disable_color, !store->disable_zs, false, true))
		return false;
	if (!store->disable_clear) {
		clear_color(tlb);
		clear_zs(sim);
		clear_vg_mask(tlb);
	}
	finish_store(sim, true, store->last_tile);
	return true;
}

static bool store_zs(struct v3dsim *sim, uint32_t base, unsigned int format, bool z_only)
{
	const uint32_t *zs = tlb_current(sim->tlb)->zs;
	uint32_t z[TLB_PIXELS], i;

	for (i = 0; i < TLB_PIXELS && z_only && !sim->tlb->elsewhere; i++)
		z[i] = zs[i] & ~0xffu;
	return store_planes(sim, base, format, z_only ? z : zs, 1);
}

static bool store_buffer(struct v3dsim *sim, uint32_t record_addr,
			 const struct v3d_store_general *store)
{
	struct tlb *tlb = sim->tlb;
	struct place place;

	if (store->format > V3D_LT_FORMAT)
		return refuse(sim, record_addr,
			      "general tile store with memory format 3: expected 0 to 2");
	switch (store->buffer) {
	case V3D_BUFFER_NONE:
		return true;
	case V3D_BUFFER_COLOR:
		if (tlb->mode.color64)
			return store_color(sim, store->address, store->format, V3D_RGBA8888,
					   V3D_DECIMATE_NONE);
		if (store->pixel > V3D_BGR565)
			return refuse(sim, record_addr,
				      "general tile store with pixel format 3: expected 0 to 2");
		if (store->mode > V3D_DECIMATE_16X ||
		    (store->mode == V3D_DECIMATE_16X && !tlb->mode.multisample))
			return refuse(sim, record_addr,
				      "general tile store: mode 16x needs multisample mode");
		return store_color(sim, store->address, store->format, store->pixel, store->mode);
	case V3D_BUFFER_ZS:
	case V3D_BUFFER_Z:
		return store_zs(sim, store->address, store->format, store->buffer == V3D_BUFFER_Z);
	case V3D_BUFFER_VG_MASK:
		place_tile(tlb, store->address, store->format, 1, false, &place);
		return store_pixels(sim, &place, tlb_current(tlb)->vg_mask);
	case V3D_BUFFER_FULL:
		return move_tile(sim, store->address, !store->disable_color, !store->disable_zs,
				 !store->disable_vg_mask, true);
	default:
		return refuse(sim, record_addr,
			      "general tile store of buffer 6 or 7: expected 0 to 5");
	}
}

bool tlb_store_general(struct v3dsim *sim, uint32_t record_addr,
		       const struct v3d_store_general *store)
{
	struct tlb *tlb = sim->tlb;

	/*
	 * A store of nothing needs no frame: mainline begins its lists with clear colours, tile
	 * coordinates and such a store, so that the tile buffer is clear when the rendering mode
	 * comes.
	 */
	if (store->buffer != V3D_BUFFER_NONE && !ready(sim, record_addr))
		return false;
	if (!store_buffer(sim, record_addr, store))
		return false;
	if (!store->disable_color_clear)
		clear_color(tlb);
	if (!store->disable_zs_clear)
		clear_zs(sim);
	if (!store->disable_vg_mask_clear)
		clear_vg_mask(tlb);
	finish_store(sim, !store->disable_swap, store->last_tile);
	return true;
}

/* HW: one load may be pending. */
static bool pend(struct v3dsim *sim, uint32_t record_addr, enum tlb_load load)
{
	struct tlb *tlb = sim->tlb;

	if (!tlb->configured)
		return refuse(sim, record_addr,
			      "tile load: expected a tile rendering mode (record 113) before");
	if (tlb->load != TLB_LOAD_NONE)
		return refuse(sim, record_addr,
			      "tile load: another one is pending, expected tile coordinates "
			      "(record 115) between them");
	tlb->load = load;
	return true;
}

bool tlb_load_full(struct v3dsim *sim, uint32_t record_addr, const struct v3d_load_full *load)
{
	sim->tlb->load_full = *load;
	return pend(sim, record_addr, TLB_LOAD_FULL);
}

bool tlb_load_general(struct v3dsim *sim, uint32_t record_addr, const struct v3d_load_general *load)
{
	if (load->format > V3D_LT_FORMAT)
		return refuse(sim, record_addr,
			      "general tile load with memory format 3: expected 0 to 2");
	if (load->buffer == V3D_BUFFER_Z || load->buffer > V3D_BUFFER_FULL)
		return refuse(sim, record_addr,
			      "general tile load of buffer 3, 6 or 7: expected 0, 1, 2, 4 or 5");
	if (load->buffer == V3D_BUFFER_COLOR && load->pixel > V3D_BGR565)
		return refuse(sim, record_addr,
			      "general tile load with pixel format 3: expected 0 to 2");
	sim->tlb->load_general = *load;
	return pend(sim, record_addr, TLB_LOAD_GENERAL);
}

/*
 * Loads rows of pixels and puts them into all samples; what lies outside the image stays. BGR565
 * pixels are expanded.
 */
static bool load_planes(struct v3dsim *sim, const struct v3d_load_general *load, uint32_t *quads,
			unsigned int words, bool narrow)
{
	uint32_t rows[TLB_PIXELS], x, y;
	uint16_t halves[TLB_PIXELS];
	struct place place;

	place_tile(sim->tlb, load->address, load->format, narrow ? 2 : 4 * words, false, &place);
	if (sim->tlb->elsewhere)
		return load_pixels(sim, &place, rows);
	if ((place.to.width | place.to.height) & 1)
		pixels_to_rows(&place.area, quads, rows);
	if (!load_pixels(sim, &place, narrow ? (void *)halves : rows))
		return false;
	for (y = 0; y < place.to.height && narrow; y++)
		for (x = 0; x < place.to.width; x++)
			rows[y * place.to.stride + x] =
				pixels_from_565(halves[y * place.to.stride + x]);
	pixels_from_rows(&place.area, rows, quads);
	return true;
}

static bool load_buffer(struct v3dsim *sim, const struct v3d_load_general *load)
{
	struct tlb *tlb = sim->tlb;
	struct tlb_buffer *buffer = tlb_current(tlb);
	struct place place;

	switch (load->buffer) {
	case V3D_BUFFER_COLOR:
		return load_planes(sim, load, buffer->color, 1 + tlb->mode.color64,
				   !tlb->mode.color64 && load->pixel != V3D_RGBA8888);
	case V3D_BUFFER_ZS:
		unwind(buffer);
		tlb->shadow_stale = false;
		return load_planes(sim, load, buffer->zs, 1, false);
	case V3D_BUFFER_VG_MASK:
		place_tile(tlb, load->address, load->format, 1, false, &place);
		return load_pixels(sim, &place, buffer->vg_mask);
	case V3D_BUFFER_FULL:
		return move_tile(sim, load->address, !load->disable_color, !load->disable_zs,
				 !load->disable_vg_mask, false);
	default:
		return true;
	}
}

bool tlb_coordinates(struct v3dsim *sim, uint32_t record_addr,
		     const struct v3d_tile_coordinates *coordinates)
{
	struct tlb *tlb = sim->tlb;
	enum tlb_load load = tlb->load;

	(void)record_addr;	/* nothing to refuse */
	tlb->column = coordinates->column;
	tlb->row = coordinates->row;
	tlb->placed = true;
	tlb->begun = TLB_TILE_NEW;
	tlb->load = TLB_LOAD_NONE;
	if (load != TLB_LOAD_NONE)
		tlb->clean.parts = 0;
	if (load == TLB_LOAD_FULL)
		return move_tile(sim, tlb->load_full.address, !tlb->load_full.disable_color,
				 !tlb->load_full.disable_zs, false, false);
	if (load == TLB_LOAD_GENERAL)
		return load_buffer(sim, &tlb->load_general);
	return true;
}

uint32_t tlb_read(struct v3dsim *sim, uint32_t reg)
{
	(void)reg;
	return sim->tlb->frame_count;
}

void tlb_write(struct v3dsim *sim, uint32_t reg, uint32_t value)
{
	(void)reg;
	if (value & 1)
		sim->tlb->frame_count = 0;
}

void tlb_reset(struct v3dsim *sim)
{
	struct tlb *tlb = sim->tlb;

	for (unsigned int n = 0; n < 2 && tlb->touched; n++) {
		struct tlb_buffer *buffer = &tlb->buffers[n];

		memset(buffer->color, 0, sizeof(buffer->color));
		memset(buffer->zs, 0, sizeof(buffer->zs));
		memset(buffer->vg_mask, 0, sizeof(buffer->vg_mask));
		unwind(buffer);
	}
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
	tlb->clean = (struct tlb_clean){ .parts = TLB_CLEAN };
	tlb->elsewhere = false;
	tlb->begun = TLB_TILE_BEGUN;
	tlb->shadow_stale = false;
	tlb->frame_count = 0;
}
