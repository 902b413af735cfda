// SPDX-License-Identifier: MIT
/* Compressed lists, as the binner writes them: records 48 and 49 (AG100 pp. 72 to 77). */
#include "core/sim.h"
#include "qpu/alu.h"
#include "draw_call.h"

/* Records of Table 44, one for each vertex that record 49 marks */
static bool read_clipped(const struct draw_call *call, const uint8_t *bytes)
{
	uint8_t vertex[V3D_CLIPPED_VERTEX_LENGTH];
	struct v3d_clipped_primitive record;
	struct draw *draw = call->draw;

	v3d_unpack_clipped_primitive(bytes, &record);
	draw->clipped = record.clipped_vertices & ((1u << v3d_list_vertices(draw->kind)) - 1);
	for (unsigned int n = 0; n < 3; n++) {
		if (!(draw->clipped >> n & 1))
			continue;
		if (!bus_read(call->sim, V3DSIM_UNIT_PSE, record.address, vertex, sizeof(vertex)))
			return false;
		v3d_unpack_clipped_vertex(vertex, &draw->clip[n]);
		record.address += V3D_CLIPPED_VERTEX_LENGTH;
	}
	return true;
}

enum draw_step draw_list_begin(const struct draw_call *call, const uint8_t *bytes, uint32_t next)
{
	const uint8_t *format = call->ct->state.record[CLE_FORMAT];
	struct draw *draw = call->draw;

	if (!format[0])
		return draw_refuse(call, "expected a primitive list format (record 56) before");
	v3d_unpack_primitive_list_format(format, &draw->format);
	draw->coordinates = draw->format.data == V3D_LIST_XY_32;
	draw->kind = draw->format.primitive;
	draw->at = next;
	if (bytes[0] == V3D_CLIPPED_PRIMITIVE && !read_clipped(call, bytes))
		return DRAW_ERROR;
	return DRAW_AGAIN;
}

/* The next code: at once where memory is at hand, else no byte more than it has */
static bool read_code(const struct draw_call *call, uint8_t *code, unsigned int *length)
{
	struct draw *draw = call->draw;
	const uint8_t *memory = bus_peek(call->sim, call->unit, draw->at, V3D_CODE_MAX_LENGTH);

	if (!memory && !bus_read(call->sim, call->unit, draw->at, code, 1))
		return false;
	if (memory)
		code[0] = __atomic_load_n(memory, __ATOMIC_RELAXED);
	*length = v3d_code_length(&draw->format, code[0]);
	if (!memory)
		return *length <= 1 ||
		       bus_read(call->sim, call->unit, draw->at + 1, code + 1, *length - 1);
	for (unsigned int n = 1; n < *length; n++)
		code[n] = __atomic_load_n(memory + n, __ATOMIC_RELAXED);
	return true;
}

enum draw_step draw_list_next(const struct draw_call *call)
{
	uint8_t code[V3D_CODE_MAX_LENGTH + 1] = { 0 };
	struct draw *draw = call->draw;
	unsigned int length;

	if (!read_code(call, code, &length))
		return DRAW_ERROR;
	if (!length)
		return draw_refuse(call, "a code that lists of record 56's format do not have");
	if (draw_meets_end(call, draw->at, length))
		return DRAW_END;
	if (code[0] == V3D_CODE_BRANCH) {
		draw->at = v3d_decode_list_branch(draw->at, code);
		return DRAW_AGAIN;
	}
	draw->at += length;
	if (code[0] == V3D_CODE_ESCAPE)
		return DRAW_END;
	trace_found(call->sim, draw->at - length);
	v3d_decode_primitive(&draw->format, code, draw->previous);
	for (unsigned int n = 0; n < draw->vertices; n++)
		draw->word[n] = draw->previous[n];
	return DRAW_PRIMITIVE;
}

static uint32_t bits_of(float value)
{
	const union {
		float value;
		uint32_t bits;
	} in = { .value = value };

	return in.bits;
}

/*
 * The sum of the three varyings times their coefficients, in the QPU's arithmetic, from left to
 * right (not established)
 */
static float combine(const struct v3d_clipped_vertex *clip, const struct vertex *const *original,
		     unsigned int vertices, unsigned int varying)
{
	const uint32_t coefficients[3] = { clip->coefficient0, clip->coefficient1,
					   clip->coefficient2 };
	uint32_t sum = 0;

	for (unsigned int n = 0; n < vertices; n++) {
		const uint32_t product = alu_fmul_exact(coefficients[n],
							bits_of(original[n]->varying[varying]));

		sum = n ? alu_fadd_exact(sum, product) : product;
	}
	return vcm_float(sum);
}

void draw_list_clip(const struct draw_call *call, struct primitive *primitive)
{
	const struct vertex *const original[3] = { primitive->vertex[0], primitive->vertex[1],
						   primitive->vertex[2] };
	struct draw *draw = call->draw;

	for (unsigned int n = 0; n < draw->vertices; n++) {
		const struct v3d_clipped_vertex *clip = &draw->clip[n];
		struct vertex *v = &draw->replaced[n];

		if (!(draw->clipped >> n & 1))
			continue;
		v->index = original[n]->index;
		v->xs = clip->xs;
		v->ys = clip->ys;
		v->zs = vcm_float(clip->zs);
		v->one_over_wc = vcm_float(clip->one_over_wc);
		v->point_size = original[n]->point_size;
		for (unsigned int i = 0; i < primitive->shader->varyings; i++)
			v->varying[i] = combine(clip, original, draw->vertices, i);
		primitive->vertex[n] = v;
	}
}
