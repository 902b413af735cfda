// SPDX-License-Identifier: MIT
/* The records that draw: see draw.h. */
#include <v3d/lists.h>

#include "draw.h"
#include "sim.h"

/* A draw record being executed, and the thread that has its state. */
struct draw {
	struct v3dsim *sim;
	struct cle_thread *ct;
	enum v3dsim_unit unit;
	uint32_t addr;
	const uint8_t *bytes;
	const char *name;
};

static enum cle_result refuse(const struct draw *draw, const char *what)
{
	fault_report(draw->sim, draw->unit, draw->addr, "%s (record %u): %s", draw->name, draw->bytes[0], what);
	return CLE_ERROR;
}

/* Where the fragment shader in force is. Return: false after a bus error. */
static bool fragment_shader(const struct draw *draw, uint32_t *code)
{
	const uint8_t *state = draw->ct->state.record[CLE_SHADER];
	uint8_t bytes[V3D_SHADER_RECORD_MAX_LENGTH];
	struct v3d_vg_inline_shader_state in_line;
	struct v3d_gl_shader_record gl_record;
	struct v3d_nv_shader_record nv_record;
	struct v3d_gl_shader_state gl;
	struct v3d_nv_shader_state nv;

	switch (state[0]) {
	case V3D_GL_SHADER_STATE:
		v3d_unpack_gl_shader_state(state, &gl);
		if (!bus_read(draw->sim, draw->unit, gl.address, bytes, v3d_shader_record_length(&gl)))
			return false;
		v3d_unpack_gl_shader_record(bytes, &gl_record);
		*code = gl_record.fs_code;
		return true;
	case V3D_VG_INLINE_SHADER_STATE:
		v3d_unpack_vg_inline_shader_state(state, &in_line);
		*code = in_line.code;
		return true;
	default:
		/* NV and VG shader records begin alike, and so do their records in the list: AG100 Tables 46 and 47. */
		v3d_unpack_nv_shader_state(state, &nv);
		if (!bus_read(draw->sim, draw->unit, nv.address, bytes, V3D_VG_SHADER_RECORD_LENGTH))
			return false;
		v3d_unpack_nv_shader_record(bytes, &nv_record);
		*code = nv_record.fs_code;
		return true;
	}
}

/* There are primitives to draw. */
static enum cle_result primitives(const struct draw *draw, uint32_t count)
{
	uint32_t code;

	draw->ct->primitives = count;
	if (!fragment_shader(draw, &code))
		return CLE_ERROR;
	fault_report(draw->sim, draw->unit, draw->addr,
		     "%s (record %u): %u primitive(s) with the fragment shader at 0x%08x: expected none, there is no %s here",
		     draw->name, draw->bytes[0], count, code, "vertex and primitive pipeline (VCD, VCM, PSE, FEP)");
	return CLE_ERROR;
}

static uint32_t count_primitives(uint32_t mode, uint32_t length)
{
	switch (mode) {
	case V3D_POINTS:
		return length;
	case V3D_LINES:
		return length / 2;
	case V3D_LINE_LOOP:
		return length < 2 ? 0 : length;
	case V3D_LINE_STRIP:
		return length < 2 ? 0 : length - 1;
	case V3D_TRIANGLES:
		return length / 3;
	default:
		return length < 3 ? 0 : length - 2;
	}
}

static bool has_vertex_shader(const struct draw *draw)
{
	uint8_t id = draw->ct->state.record[CLE_SHADER][0];

	return id == V3D_GL_SHADER_STATE || id == V3D_NV_SHADER_STATE;
}

static bool has_vg_shader(const struct draw *draw)
{
	uint8_t id = draw->ct->state.record[CLE_SHADER][0];

	return id == V3D_VG_SHADER_STATE || id == V3D_VG_INLINE_SHADER_STATE;
}

static enum cle_result draw_vertices(const struct draw *draw, uint32_t mode, uint32_t length)
{
	uint32_t count;

	if (mode >= V3D_PRIMITIVES)
		return refuse(draw, "a primitive mode that does not exist: expected 0 to 6");
	count = count_primitives(mode, length);
	if (!count)
		return CLE_DONE;
	if (!has_vertex_shader(draw))
		return refuse(draw, "expected a GL or NV shader state (record 64 or 65) before");
	return primitives(draw, count);
}

static enum cle_result draw_indexed(const struct draw *draw)
{
	struct v3d_indexed_primitives record;

	v3d_unpack_indexed_primitives(draw->bytes, &record);
	if (record.index_type > V3D_INDEX_16)
		return refuse(draw, "an index type that does not exist: expected 0 or 1");
	return draw_vertices(draw, record.mode, record.length);
}

static enum cle_result draw_array(const struct draw *draw)
{
	struct v3d_array_primitives record;

	v3d_unpack_array_primitives(draw->bytes, &record);
	return draw_vertices(draw, record.mode, record.length);
}

/* One primitive of a VG list at ct->at: CLE_MORE after a dummy, CLE_DONE at the end of the list, CLE_STUCK at a primitive. */
static enum cle_result vg_primitive(const struct draw *draw, uint32_t mode)
{
	struct cle_thread *ct = draw->ct;
	unsigned int vertices = v3d_vg_vertices(mode, ct->first), i;
	uint32_t words[3];

	if (!vertices)
		return refuse(draw, "a primitive type that does not exist: expected 1 or 3 to 6");
	for (i = 0; i < vertices; i++)
		if (!bus_read32(draw->sim, draw->unit, ct->at + 4 * i, &words[i]))
			return CLE_ERROR;
	ct->at += 4 * vertices;
	if (words[vertices - 1] == V3D_VG_END)
		return CLE_DONE;
	if (mode == V3D_VG_TRIANGLE_FAN && ct->first && words[1] == V3D_VG_END)
		return CLE_DONE;
	ct->first = false;
	if (words[vertices - 1] == V3D_VG_DUMMY)
		return CLE_MORE;
	return has_vg_shader(draw) ? CLE_STUCK : refuse(draw, "expected a VG shader state (record 66 or 67) before");
}

static enum cle_result draw_vg_array(const struct draw *draw)
{
	struct v3d_vg_coordinate_primitives record;
	struct cle_thread *ct = draw->ct;
	enum cle_result result;

	v3d_unpack_vg_coordinate_primitives(draw->bytes, &record);
	if (!ct->inside) {
		ct->inside = true;
		ct->first = true;
		ct->at = record.address;
		ct->primitives = record.length;
	}
	if (!ct->primitives)
		return CLE_DONE;
	result = vg_primitive(draw, record.mode);
	if (result == CLE_STUCK)
		return primitives(draw, ct->primitives);
	if (result == CLE_DONE)
		ct->primitives = 0;
	else if (result == CLE_MORE)
		ct->primitives--;
	return result;
}

static enum cle_result draw_vg_inline(const struct draw *draw, uint32_t *next)
{
	struct v3d_vg_inline_primitives record;
	struct cle_thread *ct = draw->ct;
	enum cle_result result;

	v3d_unpack_vg_inline_primitives(draw->bytes, &record);
	if (!ct->inside) {
		ct->inside = true;
		ct->first = true;
		ct->at = *next;
	}
	result = vg_primitive(draw, record.mode);
	*next = ct->at;
	return result == CLE_STUCK ? primitives(draw, 1) : result;
}

/* One code of a compressed list: the escape ends it, a branch goes on elsewhere, all else is a primitive. */
static enum cle_result draw_compressed(const struct draw *draw, uint32_t *next)
{
	const uint8_t *format_record = draw->ct->state.record[CLE_FORMAT];
	struct v3d_primitive_list_format format;
	struct cle_thread *ct = draw->ct;
	uint8_t code, distance[2];

	if (!format_record[0])
		return refuse(draw, "expected a primitive list format (record 56) before");
	v3d_unpack_primitive_list_format(format_record, &format);
	if (!ct->inside) {
		ct->inside = true;
		ct->at = *next;
	}
	if (!bus_read(draw->sim, draw->unit, ct->at, &code, 1))
		return CLE_ERROR;
	if (!v3d_code_length(&format, code))
		return refuse(draw, "a code that does not exist in lists of the format that record 56 set");
	if (code == V3D_CODE_ESCAPE) {
		*next = ct->at + 1;
		return CLE_DONE;
	}
	if (code != V3D_CODE_BRANCH)
		return primitives(draw, 1);
	if (!bus_read(draw->sim, draw->unit, ct->at + 1, distance, sizeof(distance)))
		return CLE_ERROR;
	ct->at = (ct->at & ~(uint32_t)(V3D_CODE_BRANCH_UNIT - 1)) +
		 (uint32_t)(int16_t)(distance[0] | distance[1] << 8) * V3D_CODE_BRANCH_UNIT;
	return CLE_MORE;
}

enum cle_result draw(struct v3dsim *sim, unsigned int thread, uint32_t addr, const uint8_t *bytes, uint32_t *next)
{
	struct draw draw = {
		.sim = sim, .ct = &sim->cle.threads[thread], .unit = thread ? V3DSIM_UNIT_CLE1 : V3DSIM_UNIT_CLE0, .addr = addr,
		.bytes = bytes, .name = v3d_packet_info(bytes[0])->name,
	};

	if (thread == 0 && !sim->ptb.started)
		return refuse(&draw, "expected a start tile binning (record 6) before");
	switch (bytes[0]) {
	case V3D_INDEXED_PRIMITIVES:
		return draw_indexed(&draw);
	case V3D_ARRAY_PRIMITIVES:
		return draw_array(&draw);
	case V3D_VG_COORDINATE_PRIMITIVES:
		return draw_vg_array(&draw);
	case V3D_VG_INLINE_PRIMITIVES:
		return draw_vg_inline(&draw, next);
	default:
		return draw_compressed(&draw, next);
	}
}
