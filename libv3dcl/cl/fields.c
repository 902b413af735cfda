// SPDX-License-Identifier: MIT
/* What the fields of a record may hold beyond what fits their bits: AG100 Table 38. */
#include <errno.h>

#include "../base/helpers.h"
#include "list.h"

/* Index of a field among its record's: AT_<RECORD>_<field> */
#define INDEX(record, name, type, low, bits) record##_##name,
#define INDICES(NAME, name, id, length, lists) \
	enum { V3D_##NAME##_FIELDS(INDEX, AT_##NAME) AT_##NAME##_END };
V3D_PACKETS(INDICES)

/* Numbers of which only some mean something, or that are of no use as 0 */
#define LIMIT(NAME, field, least, most) { V3D_##NAME, AT_##NAME##_##field, least, most }
static const struct {
	uint8_t id, field;
	uint32_t least, most;
} limits[] = {
	LIMIT(STORE_GENERAL, buffer, 0, V3D_BUFFER_FULL),
	LIMIT(STORE_GENERAL, format, 0, V3D_LT_FORMAT),
	LIMIT(STORE_GENERAL, mode, 0, V3D_DECIMATE_16X),
	LIMIT(STORE_GENERAL, pixel, 0, V3D_BGR565),
	LIMIT(LOAD_GENERAL, buffer, 0, V3D_BUFFER_FULL),
	LIMIT(LOAD_GENERAL, format, 0, V3D_LT_FORMAT),
	LIMIT(LOAD_GENERAL, pixel, 0, V3D_BGR565),
	LIMIT(INDEXED_PRIMITIVES, mode, 0, V3D_PRIMITIVES - 1),
	LIMIT(INDEXED_PRIMITIVES, index_type, 0, V3D_INDEX_16),
	LIMIT(INDEXED_PRIMITIVES, length, 1, UINT32_MAX),
	LIMIT(ARRAY_PRIMITIVES, mode, 0, V3D_PRIMITIVES - 1),
	LIMIT(ARRAY_PRIMITIVES, length, 1, CL_MOST_VERTEX + 1),
	LIMIT(ARRAY_PRIMITIVES, first_vertex, 0, CL_MOST_VERTEX),
	LIMIT(VG_COORDINATE_PRIMITIVES, mode, V3D_VG_RHTS, V3D_VG_TRIANGLE_FAN),
	LIMIT(VG_COORDINATE_PRIMITIVES, continuation, 0, 1),
	LIMIT(VG_COORDINATE_PRIMITIVES, length, 1, UINT32_MAX),
	LIMIT(VG_INLINE_PRIMITIVES, mode, V3D_VG_RHTS, V3D_VG_TRIANGLE_FAN),
	LIMIT(VG_INLINE_PRIMITIVES, continuation, 0, 1),
	LIMIT(PRIMITIVE_LIST_FORMAT, primitive, 0, V3D_LIST_RHT),
	LIMIT(PRIMITIVE_LIST_FORMAT, data, V3D_LIST_INDEX_16, V3D_LIST_XY_32),
	LIMIT(VG_INLINE_SHADER_STATE, single_threaded, 0, 1),
	LIMIT(CONFIGURATION_BITS, oversample, 0, V3D_OVERSAMPLE_16X),
	LIMIT(TILE_BINNING_MODE, width, 1, UINT8_MAX),
	LIMIT(TILE_BINNING_MODE, height, 1, UINT8_MAX),
	LIMIT(TILE_RENDERING_MODE, width, 1, UINT16_MAX),
	LIMIT(TILE_RENDERING_MODE, height, 1, UINT16_MAX),
	LIMIT(TILE_RENDERING_MODE, pixel, 0, V3D_FRAME_BGR565),
	LIMIT(TILE_RENDERING_MODE, decimate, 0, V3D_DECIMATE_16X),
	LIMIT(TILE_RENDERING_MODE, format, 0, V3D_LT_FORMAT),
};

/*
 * Addresses whose field has bits that must be 0. The tile lists' own is not established: here, 256,
 * to which the binner rounds where its first blocks end (HW).
 */
#define ALIGNMENT(NAME, field, bytes) { V3D_##NAME, AT_##NAME##_##field, bytes }
static const struct {
	uint8_t id, field;
	uint32_t bytes;
} alignments[] = {
	ALIGNMENT(VG_COORDINATE_PRIMITIVES, address, 4),
	ALIGNMENT(NV_SHADER_STATE, address, 16),
	ALIGNMENT(VG_SHADER_STATE, address, 16),
	ALIGNMENT(VG_INLINE_SHADER_STATE, uniforms, 4),
	ALIGNMENT(TILE_BINNING_MODE, address, 256),
	ALIGNMENT(TILE_BINNING_MODE, state, 16),
	ALIGNMENT(TILE_RENDERING_MODE, address, 16),
};

uint32_t cl_least(uint8_t id, uint32_t field)
{
	unsigned int i;

	for (i = 0; i < COUNT(limits); i++)
		if (limits[i].id == id && limits[i].field == field)
			return limits[i].least;
	return 0;
}

static int check_tables(uint8_t id, const struct v3dcl_value *values, struct v3dcl_error *error)
{
	const struct v3d_packet_info *info = v3d_packet_info(id);
	unsigned int i;

	for (i = 0; i < COUNT(limits); i++) {
		const uint32_t found = limits[i].id == id ? values[limits[i].field].bits : 0;

		if (limits[i].id == id && (found < limits[i].least || found > limits[i].most))
			return cl_out_of_range(info->name, info->fields[limits[i].field].name,
					       found, limits[i].least, limits[i].most, error);
	}
	for (i = 0; i < COUNT(alignments); i++) {
		const uint32_t found = alignments[i].id == id ?
					       values[alignments[i].field].to.offset :
					       0;

		if (found % alignments[i].bytes)
			return cl_misaligned(info->name, info->fields[alignments[i].field].name,
					     found, alignments[i].bytes, error);
	}
	return 0;
}

/* Rules of single records that no table tells */
static int check_one(uint8_t id, const struct v3dcl_value *values, struct v3dcl_error *error)
{
	uint64_t last;

	switch (id) {
	case V3D_INDEXED_PRIMITIVES:
		if (values[AT_INDEXED_PRIMITIVES_index_type].bits == V3D_INDEX_16 &&
		    values[AT_INDEXED_PRIMITIVES_address].to.offset & 1)
			return cl_misaligned("indexed_primitives", "address",
					     values[AT_INDEXED_PRIMITIVES_address].to.offset, 2,
					     error);
		break;
	case V3D_ARRAY_PRIMITIVES:
		last = (uint64_t)values[AT_ARRAY_PRIMITIVES_first_vertex].bits +
		       values[AT_ARRAY_PRIMITIVES_length].bits - 1;
		if (last > CL_MOST_VERTEX)
			return cl_out_of_range("array_primitives", "the last vertex", last, 0,
					    CL_MOST_VERTEX, error);
		break;
	case V3D_VG_COORDINATE_PRIMITIVES:
	case V3D_VG_INLINE_PRIMITIVES:
		if (values[0].bits == 2)
			return v3dcl_fail(error, -EINVAL, "%s: no such kind of primitive: mode 2",
					  v3d_packet_info(id)->name);
		if (values[1].bits && values[0].bits != V3D_VG_TRIANGLE_FAN)
			return v3dcl_fail(error, -EINVAL,
					  "%s: only triangle fans have a continuation",
					  v3d_packet_info(id)->name);
		break;
	case V3D_PRIMITIVE_LIST_FORMAT:
		if (values[AT_PRIMITIVE_LIST_FORMAT_data].bits == 2 ||
		    (values[AT_PRIMITIVE_LIST_FORMAT_data].bits == V3D_LIST_XY_32 &&
		     values[AT_PRIMITIVE_LIST_FORMAT_primitive].bits < V3D_LIST_TRIANGLES))
			return v3dcl_fail(error, -EINVAL,
					  "primitive_list_format: there is no list of primitive %u "
					  "with data %u",
					  values[AT_PRIMITIVE_LIST_FORMAT_primitive].bits,
					  values[AT_PRIMITIVE_LIST_FORMAT_data].bits);
		break;
	case V3D_LOAD_GENERAL:
		if (values[AT_LOAD_GENERAL_buffer].bits == V3D_BUFFER_Z)
			return v3dcl_fail(error, -EINVAL,
					  "load_general: Z is loaded with stencil only");
		break;
	default:
		break;
	}
	return 0;
}

int cl_check_fields(uint8_t id, const struct v3dcl_value *values, struct v3dcl_error *error)
{
	int ret;

	if (!values || !v3d_packet_info(id)->fields[0].name)
		return 0;
	ret = check_tables(id, values, error);
	return ret ? ret : check_one(id, values, error);
}
