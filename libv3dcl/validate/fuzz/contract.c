// SPDX-License-Identifier: MIT
/* What an accepted job says by itself: see contract.h. */
#include <string.h>

#include <v3d/lists.h>
#include <v3d/qpu.h>

#include "code.h"
#include "contract.h"

#define KNOWN_SUBMIT_FLAGS 0xfu
#define NO_SURFACE (~0u)
#define MOST_CHANGES 0x1ef0 /* HW-2116, as Mesa flushes */
#define LEAST_POINT 0.125f /* HW-2726 */

/* A bin list, on the way through it */
struct list {
	const struct trial *t;
	bool mode, started, clipped, handles, changed, multisample;
	uint32_t states, changes, tiles_x, tiles_y;
};

static const char *tiles(struct list *l, const uint8_t *bytes)
{
	struct v3d_tile_binning_mode mode;

	v3d_unpack_tile_binning_mode(bytes, &mode);
	if (l->mode)
		return "the tile binning mode is set twice";
	if (!mode.width || !mode.height || mode.color64 || mode.double_buffer)
		return "a tile binning mode that there must not be";
	l->mode = true;
	l->multisample = mode.multisample;
	l->tiles_x = mode.width;
	l->tiles_y = mode.height;
	return NULL;
}

static const char *start(struct list *l)
{
	if (!l->mode || l->started)
		return "tile binning is started twice, or without its mode";
	l->started = true;
	l->changed = false;
	return NULL;
}

static const char *draw(struct list *l, uint32_t mode, uint32_t length)
{
	l->changed = false;
	if (!l->started || !l->states || !l->clipped)
		return "a draw before the start, a shader state or a clip window";
	if (mode > V3D_TRIANGLE_FAN)
		return "a primitive that there is not";
	return length ? NULL : "a draw without vertices";
}

static const char *array(struct list *l, const uint8_t *bytes)
{
	struct v3d_array_primitives d;

	v3d_unpack_array_primitives(bytes, &d);
	return draw(l, d.mode, d.length);
}

static const char *indexed(struct list *l, const uint8_t *bytes)
{
	struct v3d_indexed_primitives d;

	v3d_unpack_indexed_primitives(bytes, &d);
	if (!l->handles)
		return "an indexed draw before any handles";
	if (d.index_type > V3D_INDEX_16 || (d.index_type == V3D_INDEX_16 && d.address % 2))
		return "indices of neither 8 nor 16 bits, or of 16 at an odd address";
	return draw(l, d.mode, d.length);
}

static const char *shader(struct list *l, const uint8_t *bytes)
{
	struct v3d_gl_shader_state state;

	v3d_unpack_gl_shader_state(bytes, &state);
	l->states++;
	return state.extended || state.address		 ? "a shader state that names an address" :
	       l->states > l->t->submit.shader_rec_count ? "more shader states than it says" :
							   NULL;
}

static const char *format(const uint8_t *bytes)
{
	struct v3d_primitive_list_format f;

	v3d_unpack_primitive_list_format(bytes, &f);
	return f.primitive > V3D_LIST_TRIANGLES || f.data != V3D_LIST_INDEX_16 ?
		       "a primitive list format of no bin list's" :
		       NULL;
}

static const char *point(const uint8_t *bytes)
{
	float size;

	memcpy(&size, bytes + 1, sizeof(size));
	return size >= LEAST_POINT ? NULL : "points that stop the binner (HW-2726)";
}

/* The counter of HW-2116 moves at the first state record after the start or a draw */
static const char *change(struct list *l)
{
	l->changes += l->started && !l->changed;
	l->changed |= l->started;
	return l->changes > MOST_CHANGES ? "more changes of state than the chip counts" : NULL;
}

/* Records of state, and what they have to say */
static const char *state(struct list *l, const uint8_t *bytes)
{
	const char *broken = change(l);

	switch (bytes[0]) {
	case V3D_GL_SHADER_STATE:
		return broken ? broken : shader(l, bytes);
	case V3D_PRIMITIVE_LIST_FORMAT:
		return broken ? broken : format(bytes);
	case V3D_POINT_SIZE:
		return broken ? broken : point(bytes);
	case V3D_CLIP_WINDOW:
		l->clipped = true;
		return broken ? broken : l->mode ? NULL : "a clip window before the mode";
	case V3D_CONFIGURATION_BITS:
	case V3D_FLAT_SHADE_FLAGS:
	case V3D_LINE_WIDTH:
	case V3D_RHT_X_BOUNDARY:
	case V3D_DEPTH_OFFSET:
	case V3D_VIEWPORT_OFFSET:
	case V3D_Z_CLIPPING_PLANES:
	case V3D_CLIPPER_XY_SCALING:
	case V3D_CLIPPER_Z_SCALE:
		return broken;
	default:
		return "a record that no bin list has";
	}
}

static const char *record(struct list *l, const uint8_t *bytes)
{
	switch (bytes[0]) {
	case V3D_NOP:
		return NULL;
	case V3D_GEM_HANDLES:
		l->handles = true;
		return NULL;
	case V3D_TILE_BINNING_MODE:
		return tiles(l, bytes);
	case V3D_START_TILE_BINNING:
		return start(l);
	case V3D_ARRAY_PRIMITIVES:
		return array(l, bytes);
	case V3D_INDEXED_PRIMITIVES:
		return indexed(l, bytes);
	default:
		return state(l, bytes);
	}
}

/* All records but the last two, which are Increment Semaphore and Flush */
static const char *bin_list(struct list *l)
{
	const struct trial_part *bin = &l->t->bin;
	const char *broken = NULL;
	uint32_t at = 0, length;

	for (; !broken && at + 2 < bin->size; at += length) {
		length = v3d_packet_info(bin->bytes[at])->length;
		if (!length || length > bin->size - at)
			return "a record that there is not, or not all of it";
		broken = record(l, bin->bytes + at);
	}
	if (broken)
		return broken;
	return at + 2 == bin->size && bin->bytes[at] == V3D_INCREMENT_SEMAPHORE &&
			       bin->bytes[at + 1] == V3D_FLUSH && l->started ?
		       NULL :
		       "a bin list that does not end with Increment Semaphore and Flush";
}

/* Bits of a load or store: record 28's, the same for the reads */
static const char *general(const struct drm_vc4_submit_rcl_surface *s, uint32_t buffer)
{
	const uint8_t bytes[V3D_STORE_GENERAL_LENGTH] = { V3D_STORE_GENERAL, s->bits & 0xff,
							  s->bits >> 8 };
	struct v3d_store_general g;

	v3d_unpack_store_general(bytes, &g);
	if (s->hindex == NO_SURFACE || s->flags)
		return s->flags && s->hindex != NO_SURFACE && s->bits ?
			       "bits of a full resolution surface" :
			       NULL;
	if (g.buffer != buffer || g.format > V3D_LT_FORMAT || g.pixel > V3D_BGR565 ||
	    (buffer == V3D_BUFFER_ZS && g.pixel != V3D_RGBA8888))
		return "a surface of a buffer or format that it cannot be of";
	return g.disable_swap || g.disable_color_clear || g.disable_zs_clear ||
			       g.disable_vg_mask_clear || g.mode ?
		       "unknown bits of a surface" :
		       NULL;
}

static const char *flags_of(const struct drm_vc4_submit_cl *s)
{
	const uint32_t known = VC4_SUBMIT_RCL_SURFACE_READ_IS_FULL_RES;

	if (s->flags & ~KNOWN_SUBMIT_FLAGS)
		return "unknown flags of the submit";
	if ((s->color_read.flags | s->zs_read.flags) & ~known || s->color_write.flags ||
	    s->zs_write.flags || s->msaa_color_write.flags || s->msaa_zs_write.flags)
		return "flags that the surface cannot have";
	if ((s->msaa_color_write.hindex != NO_SURFACE && s->msaa_color_write.bits) ||
	    (s->msaa_zs_write.hindex != NO_SURFACE && s->msaa_zs_write.bits))
		return "bits of a full resolution surface";
	return NULL;
}

static const char *surfaces(const struct list *l, const struct drm_vc4_submit_cl *s)
{
	uint8_t bytes[V3D_TILE_RENDERING_MODE_LENGTH] = { V3D_TILE_RENDERING_MODE };
	struct v3d_tile_rendering_mode mode;
	const char *broken = flags_of(s);
	uint32_t side;

	broken = broken ? broken : general(&s->color_read, V3D_BUFFER_COLOR);
	broken = broken ? broken : general(&s->zs_read, V3D_BUFFER_ZS);
	broken = broken ? broken : general(&s->zs_write, V3D_BUFFER_ZS);
	if (broken)
		return broken;
	bytes[sizeof(bytes) - 2] = s->color_write.bits & 0xff;
	bytes[sizeof(bytes) - 1] = s->color_write.bits >> 8;
	v3d_unpack_tile_rendering_mode(bytes, &mode);
	if (l->mode && mode.multisample != l->multisample)
		return "a frame of another multisample mode than its bin list";
	if (s->color_write.hindex != NO_SURFACE &&
	    (mode.pixel > V3D_FRAME_BGR565 || mode.format > V3D_LT_FORMAT))
		return "a frame of a format that there is not";
	side = mode.multisample ? 32 : 64;
	if (!s->width || !s->height || s->width > 4096 || s->height > 4096)
		return "a frame without pixels, or of too many";
	if (s->min_x_tile > s->max_x_tile || s->min_y_tile > s->max_y_tile ||
	    s->max_x_tile * side >= s->width || s->max_y_tile * side >= s->height ||
	    (l->mode && (s->max_x_tile >= l->tiles_x || s->max_y_tile >= l->tiles_y)))
		return "tiles that the frame does not have";
	return NULL;
}

static const char *frame(const struct trial *t)
{
	struct list l = { .t = t };
	const char *broken = t->bin.size ? bin_list(&l) : NULL;

	return broken ? broken : surfaces(&l, &t->submit);
}

static bool is_data(const struct trial *t, uint32_t index)
{
	return index < t->bo_count && t->bos[index].kind == TRIAL_DATA;
}

static const char *relocation(const struct trial *t, uint32_t which)
{
	const struct drm_v3dcl_reloc *r = &t->relocs[which];

	if (r->pad || !r->flags || r->flags & ~(DRM_V3DCL_RELOC_READ | DRM_V3DCL_RELOC_WRITE))
		return "a relocation's pad, or flags that there are not";
	if (r->program >= t->program_count || r->slot >= t->programs[r->program].uniform_count)
		return "a relocation of no run's word";
	return is_data(t, t->reloc_bos[which]) && r->offset < t->bos[t->reloc_bos[which]].size ?
		       NULL :
		       "a relocation to no place of a BO of data";
}

static const char *programs(const struct trial *t)
{
	const char *broken = NULL;

	for (uint32_t i = 0; i < t->program_count; i++) {
		const struct drm_v3dcl_program *run = &t->programs[i];

		if (t->program_bos[i] >= t->bo_count ||
		    t->bos[t->program_bos[i]].kind != TRIAL_PROGRAM || run->offset)
			return "a run of what is no program, or not from its start";
		if ((uint64_t)run->first_uniform + run->uniform_count > t->uniforms.size / 4)
			return "a run whose uniforms are not the job's";
	}
	for (uint32_t i = 0; i < t->reloc_count && !broken; i++)
		broken = relocation(t, i);
	return broken;
}

static const char *all_code(const struct trial *t)
{
	const char *broken = NULL;

	for (uint32_t i = 0; i < t->bo_count && !broken; i++)
		if (t->bos[i].kind != TRIAL_DATA)
			broken = code_broken(t->code + t->bos[i].first, t->bos[i].count,
					     t->bos[i].kind == TRIAL_SHADER);
	return broken;
}

const char *contract_broken(const struct trial *t)
{
	const char *broken = t->kind == TRIAL_FRAME ? frame(t) : programs(t);

	return broken ? broken : all_code(t);
}
