// SPDX-License-Identifier: MIT
/* A submit of the ABI: in its parts, BOs are named by index, and addresses are offsets in them. */
#include <errno.h>

#include "decode.h"
#include "submit_numbers.h"

/*
 * What a job hands to the kernel: three pieces whose places mean nothing, beyond all offsets that
 * stand in them
 */
enum { SUBMIT_BIN, SUBMIT_RECORDS, SUBMIT_UNIFORMS, SUBMIT_PIECES };
#define SUBMIT_BASE 0xc0000000
#define SUBMIT_MOST 0x10000000

/*
 * One shader record behind its handles. Return: its bytes with them, 0 where they are not all there
 */
static uint32_t note_record(struct decode *d, uint32_t at, const struct v3d_gl_shader_state *state)
{
	const uint32_t count = v3d_shader_attributes(state), handles = 4 * (3 + count);
	const uint32_t left = d->how->pieces[SUBMIT_RECORDS].size - at;
	struct decode_item item = { .piece = SUBMIT_RECORDS, .at = at, .size = handles,
				    .kind = DECODE_WORDS, .role = "handles" };
	uint32_t i;

	if (left < handles || left - handles < v3d_shader_record_length(state)) {
		decode_complain(d, d->how->pieces[SUBMIT_RECORDS].address + at,
				"the shader records end before this one does");
		return 0;
	}
	decode_note(d, &item);
	at += handles;
	item = (struct decode_item){
		.piece = SUBMIT_RECORDS,
		.at = at,
		.size = V3D_GL_SHADER_RECORD_LENGTH,
		.kind = DECODE_STRUCT,
		.what = DECODE_GL_SHADER_RECORD,
	};
	decode_note(d, &item);
	item.what = DECODE_ATTRIBUTE;
	item.size = V3D_ATTRIBUTE_LENGTH;
	for (i = 0; i < count; i++) {
		item.at = at + V3D_GL_SHADER_RECORD_LENGTH + i * V3D_ATTRIBUTE_LENGTH;
		decode_note(d, &item);
	}
	return handles + v3d_shader_record_length(state);
}

/* Shader states name their records by order. */
static void note_records(struct decode *d)
{
	const struct v3dcl_piece *bin = &d->how->pieces[SUBMIT_BIN];
	uint32_t at = 0, offset = 0, used = 1;

	while (at < bin->size && used) {
		const struct v3d_packet_info *info = v3d_packet_info(bin->bytes[at]);
		struct v3d_gl_shader_state state;

		if (!info->name || info->length > bin->size - at)
			return;
		if (bin->bytes[at] == V3D_GL_SHADER_STATE) {
			v3d_unpack_gl_shader_state(bin->bytes + at, &state);
			used = note_record(d, offset, &state);
			offset += used;
		}
		at += info->length;
	}
}

static void say_numbers(const void *in, const struct cl_number *numbers, struct v3dcl_buffer *out)
{
	for (; numbers->name; numbers++) {
		uint32_t value = cl_number(in, numbers);

		if (value)
			v3dcl_buffer_printf(out, value > UINT16_MAX ? " %s=0x%x" : " %s=%u",
					    numbers->name, value);
	}
}

/*
 * A surface that is not there has the handle index ~0, and is not said unless something else of it
 * is.
 */
static void say_surface(const struct drm_vc4_submit_cl *submit, const struct cl_number *which,
			struct v3dcl_buffer *out)
{
	const struct drm_vc4_submit_rcl_surface *surface =
		(const void *)((const uint8_t *)submit + which->at);

	if (surface->hindex == CL_NO_BO && !surface->offset && !surface->bits && !surface->flags)
		return;
	v3dcl_buffer_printf(out, "\t%s", which->name);
	say_numbers(surface, cl_surface_numbers, out);
	v3dcl_buffer_printf(out, "\n");
}

static void say_handles(const struct drm_vc4_submit_cl *submit, const char *const *names,
			struct v3dcl_buffer *out)
{
	const uint32_t *handles = (const uint32_t *)(uintptr_t)submit->bo_handles;
	uint32_t i;

	for (i = 0; handles && i < submit->bo_handle_count && !out->failed; i++) {
		if (names)
			v3dcl_buffer_printf(out, "%s%s", i ? ", " : "\tbuffers ", names[i]);
		else
			v3dcl_buffer_printf(out, "%s%u", i ? ", " : "\tbuffers ", handles[i]);
	}
	if (i)
		v3dcl_buffer_printf(out, "\n");
}

static void say_submit(struct decode *d, const struct drm_vc4_submit_cl *submit,
		       const char *const *names, struct v3dcl_buffer *out)
{
	const struct cl_number *surface;
	uint32_t i;

	decode_write_problems(d, out);
	v3dcl_buffer_printf(out, "submit");
	say_numbers(submit, cl_submit_numbers, out);
	v3dcl_buffer_printf(out, " {\n");
	say_handles(submit, names, out);
	for (surface = cl_submit_surfaces; surface->name; surface++)
		say_surface(submit, surface, out);
	for (i = 0; i < SUBMIT_PIECES; i++)
		decode_write_block(d, i, out);
	v3dcl_buffer_printf(out, "}\n");
}

/**
 * decode_submit() - as v3dcl_decode_submit().
 * @names: of the BOs, as many as there are handles; or NULL
 */
int decode_submit(const struct drm_vc4_submit_cl *submit, const char *const *names, bool json,
		  struct v3dcl_buffer *out, struct v3dcl_error *error)
{
	const struct v3dcl_piece pieces[SUBMIT_PIECES] = {
		{ (const uint8_t *)(uintptr_t)submit->bin_cl, SUBMIT_BASE, submit->bin_cl_size,
		  "bin" },
		{ (const uint8_t *)(uintptr_t)submit->shader_rec, SUBMIT_BASE + SUBMIT_MOST,
		  submit->shader_rec_size, "records" },
		{ (const uint8_t *)(uintptr_t)submit->uniforms, SUBMIT_BASE + 2 * SUBMIT_MOST,
		  submit->uniforms_size, "uniforms" },
	};
	const struct v3dcl_decoding how = { .pieces = pieces, .piece_count = SUBMIT_PIECES,
					    .json = json };
	const uint32_t ends[4] = { SUBMIT_BASE, SUBMIT_BASE + submit->bin_cl_size, 0, 0 };
	struct decode d;
	int ret;

	if (submit->bin_cl_size > SUBMIT_MOST || submit->shader_rec_size > SUBMIT_MOST ||
	    submit->uniforms_size > SUBMIT_MOST)
		return v3dcl_fail(error, -E2BIG, "more than %u MiB of lists, records or uniforms",
				  SUBMIT_MOST >> 20);
	ret = decode_open(&d, &how, error);
	if (ret)
		return ret;
	decode_list(&d, ends[0], ends[1]);
	note_records(&d);
	if (json)
		return decode_write(&d, ends, out, error);
	ret = decode_finish(&d, error);
	if (!ret)
		say_submit(&d, submit, names, out);
	if (!ret && out->failed)
		ret = v3dcl_fail(error, -ENOMEM, "no memory");
	decode_close(&d);
	return ret;
}

int v3dcl_decode_submit(const struct drm_vc4_submit_cl *submit, bool json, struct v3dcl_buffer *out,
			struct v3dcl_error *error)
{
	return decode_submit(submit, NULL, json, out, error);
}
