// SPDX-License-Identifier: MIT
/* The names that values of fields have: AG100 Table 38 and those of the set-up words. */
#include <stdio.h>
#include <string.h>

#include <v3d/words.h>

#include "../base/helpers.h"
#include "choices.h"

static const struct cl_choice buffers[] = {
	{ "none", V3D_BUFFER_NONE }, { "color", V3D_BUFFER_COLOR }, { "zs", V3D_BUFFER_ZS },
	{ "z", V3D_BUFFER_Z }, { "vg_mask", V3D_BUFFER_VG_MASK }, { "full", V3D_BUFFER_FULL },
	{ NULL, 0 },
};

static const struct cl_choice formats[] = {
	{ "raster", V3D_RASTER }, { "t", V3D_T_FORMAT }, { "lt", V3D_LT_FORMAT }, { NULL, 0 },
};

static const struct cl_choice decimations[] = {
	{ "none", V3D_DECIMATE_NONE }, { "by4", V3D_DECIMATE_4X }, { "by16", V3D_DECIMATE_16X },
	{ NULL, 0 },
};

static const struct cl_choice pixels[] = {
	{ "rgba8888", V3D_RGBA8888 }, { "bgr565_dithered", V3D_BGR565_DITHERED },
	{ "bgr565", V3D_BGR565 }, { NULL, 0 },
};

static const struct cl_choice frame_pixels[] = {
	{ "rgba8888", V3D_FRAME_RGBA8888 },
	{ "bgr565_dithered", V3D_FRAME_BGR565_DITHERED },
	{ "bgr565", V3D_FRAME_BGR565 },
	{ NULL, 0 },
};

static const struct cl_choice primitives[] = {
	{ "points", V3D_POINTS }, { "lines", V3D_LINES }, { "line_loop", V3D_LINE_LOOP },
	{ "line_strip", V3D_LINE_STRIP }, { "triangles", V3D_TRIANGLES },
	{ "triangle_strip", V3D_TRIANGLE_STRIP }, { "triangle_fan", V3D_TRIANGLE_FAN }, { NULL, 0 },
};

static const struct cl_choice vg_primitives[] = {
	{ "rhts", V3D_VG_RHTS },
	{ "rht_strip", V3D_VG_RHT_STRIP },
	{ "triangles", V3D_VG_TRIANGLES },
	{ "triangle_strip", V3D_VG_TRIANGLE_STRIP },
	{ "triangle_fan", V3D_VG_TRIANGLE_FAN },
	{ NULL, 0 },
};

static const struct cl_choice index_types[] = {
	{ "u8", V3D_INDEX_8 }, { "u16", V3D_INDEX_16 }, { NULL, 0 },
};

static const struct cl_choice list_primitives[] = {
	{ "points", V3D_LIST_POINTS }, { "lines", V3D_LIST_LINES },
	{ "triangles", V3D_LIST_TRIANGLES }, { "rhts", V3D_LIST_RHT }, { NULL, 0 },
};

static const struct cl_choice list_data[] = {
	{ "index16", V3D_LIST_INDEX_16 }, { "xy32", V3D_LIST_XY_32 }, { NULL, 0 },
};

static const struct cl_choice oversamples[] = {
	{ "none", V3D_OVERSAMPLE_NONE }, { "by4", V3D_OVERSAMPLE_4X },
	{ "by16", V3D_OVERSAMPLE_16X }, { NULL, 0 },
};

static const struct cl_choice coverage_updates[] = {
	{ "nonzero", V3D_COVERAGE_NONZERO }, { "odd", V3D_COVERAGE_ODD }, { "or", V3D_COVERAGE_OR },
	{ "zero", V3D_COVERAGE_ZERO }, { NULL, 0 },
};

static const struct cl_choice compares[] = {
	{ "never", V3D_NEVER },
	{ "less", V3D_LESS },
	{ "equal", V3D_EQUAL },
	{ "less_equal", V3D_LESS_EQUAL },
	{ "greater", V3D_GREATER },
	{ "not_equal", V3D_NOT_EQUAL },
	{ "greater_equal", V3D_GREATER_EQUAL },
	{ "always", V3D_ALWAYS },
	{ NULL, 0 },
};

static const struct cl_choice vpm_sizes[] = {
	{ "u8", V3D_VPM_8BIT }, { "u16", V3D_VPM_16BIT }, { "u32", V3D_VPM_32BIT }, { NULL, 0 },
};

static const struct cl_choice wraps[] = {
	{ "repeat", V3D_WRAP_REPEAT }, { "clamp", V3D_WRAP_CLAMP }, { "mirror", V3D_WRAP_MIRROR },
	{ "border", V3D_WRAP_BORDER }, { NULL, 0 },
};

/* AG100 Table 19 */
static const struct cl_choice minify_filters[] = {
	{ "linear", 0 }, { "nearest", 1 }, { "near_mip_near", 2 }, { "near_mip_lin", 3 },
	{ "lin_mip_near", 4 }, { "lin_mip_lin", 5 }, { NULL, 0 },
};

static const struct cl_choice magnify_filters[] = {
	{ "linear", 0 }, { "nearest", 1 }, { NULL, 0 },
};

static const struct cl_choice stencil_faces[] = {
	{ "front", 1 }, { "back", 2 }, { "both", 3 }, { NULL, 0 },
};

static const struct cl_choice stencil_ops[] = {
	{ "zero", V3D_STENCIL_ZERO },
	{ "keep", V3D_STENCIL_KEEP },
	{ "replace", V3D_STENCIL_REPLACE },
	{ "incsat", V3D_STENCIL_INCSAT },
	{ "decsat", V3D_STENCIL_DECSAT },
	{ "invert", V3D_STENCIL_INVERT },
	{ "inc", V3D_STENCIL_INC },
	{ "dec", V3D_STENCIL_DEC },
	{ NULL, 0 },
};

/* All of them, also those that are out of the field's range: see splits */
#define TEXTURE_TYPE(number, NAME, bits) { #NAME, number },
static const struct cl_choice texture_types[] = {
	V3D_TEXTURE_TYPES(TEXTURE_TYPE)
	{ NULL, 0 },
};

/* Which fields have which names; a record of NULL is any */
static const struct {
	const char *record, *field;
	const struct cl_choice *choices;
} fields[] = {
	{ "tile_rendering_mode", "pixel", frame_pixels },
	{ "indexed_primitives", "mode", primitives },
	{ "array_primitives", "mode", primitives },
	{ "vg_coordinate_primitives", "mode", vg_primitives },
	{ "vg_inline_primitives", "mode", vg_primitives },
	{ "stencil_setup", "function", compares },
	{ "stencil_setup", "select", stencil_faces },
	{ NULL, "stencil_fail", stencil_ops },
	{ NULL, "z_pass", stencil_ops },
	{ NULL, "z_fail", stencil_ops },
	{ NULL, "depth_function", compares },
	{ NULL, "buffer", buffers },
	{ NULL, "format", formats },
	{ "store_general", "mode", decimations },
	{ NULL, "decimate", decimations },
	{ NULL, "pixel", pixels },
	{ NULL, "index_type", index_types },
	{ "primitive_list_format", "primitive", list_primitives },
	{ "primitive_list_format", "data", list_data },
	{ NULL, "oversample", oversamples },
	{ NULL, "coverage_update", coverage_updates },
	{ "vpm_write_setup", "size", vpm_sizes },
	{ "vpm_read_setup", "size", vpm_sizes },
	{ "texture0", "type", texture_types },
	{ NULL, "minify", minify_filters },
	{ NULL, "magnify", magnify_filters },
	{ NULL, "wrap_s", wraps },
	{ NULL, "wrap_t", wraps },
};

/* The names that values of a field have, or NULL */
const struct cl_choice *cl_choices(const char *record, const char *field)
{
	size_t i;

	for (i = 0; i < COUNT(fields); i++) {
		if (!strcmp(fields[i].field, field) &&
		    (!fields[i].record || !strcmp(fields[i].record, record)))
			return fields[i].choices;
	}
	return NULL;
}

/* The name of a field's value, or NULL */
const char *cl_choice_name(const char *record, const char *field, uint32_t value)
{
	const struct cl_choice *choice;

	for (choice = cl_choices(record, field); choice && choice->name; choice++) {
		if (choice->value == value)
			return choice->name;
	}
	return NULL;
}

/* Numbers of which a field has the lower bits, and one of another record the others */
static const struct {
	const char *record, *field, *rest_record, *rest_field;
} splits[] = {
	{ "texture0", "type", "texture1", "type4" },	/* AG100 Table 16 */
};

/*
 * How a value that is larger than @most is given nevertheless, to be said behind its refusal; no
 * text if it has no name or the field is no part of a longer one
 */
void cl_choice_rest(const char *record, const char *field, int64_t value, int64_t most,
		    char text[CL_CHOICE_REST])
{
	const char *name = value == (uint32_t)value ? cl_choice_name(record, field, value) : NULL;
	size_t i;

	*text = 0;
	for (i = 0; name && value > most && i < COUNT(splits); i++)
		if (!strcmp(splits[i].record, record) && !strcmp(splits[i].field, field))
			snprintf(text, CL_CHOICE_REST, "; %s is %s=%lld, and %s=%lld of %s", name,
				 field, (long long)(value & most), splits[i].rest_field,
				 (long long)(value / (most + 1)), splits[i].rest_record);
}
