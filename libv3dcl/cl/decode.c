// SPDX-License-Identifier: MIT
/* What a caller can have decoded: lists with all they lead to, code, a submit of the ABI. */
#include <errno.h>

#include <drm/v3dcl_drm.h>

#include "decode.h"

/** decode_write() - all has been walked: prints it, and closes the decoding. @ends: starts and ends of bin and render list */
int decode_write(struct decode *d, const uint32_t ends[4], struct v3dcl_buffer *out, struct v3dcl_error *error)
{
	int ret = decode_finish(d, error);

	if (!ret) {
		if (d->how->json)
			decode_write_json(d, ends, out);
		else
			decode_write_text(d, ends, out);
		if (out->failed)
			ret = v3dcl_fail(error, -ENOMEM, "no memory");
	}
	decode_close(d);
	return ret;
}

int v3dcl_decode_lists(const struct v3dcl_decoding *decoding, uint32_t bin_start, uint32_t bin_end, uint32_t render_start,
		       uint32_t render_end, struct v3dcl_buffer *out, struct v3dcl_error *error)
{
	const uint32_t ends[4] = { bin_start, bin_end, render_start, render_end };
	struct decode d;
	int ret = decode_open(&d, decoding, error);

	if (ret)
		return ret;
	decode_list(&d, bin_start, bin_end);
	decode_list(&d, render_start, render_end);
	return decode_write(&d, ends, out, error);
}

int v3dcl_decode_code(const struct v3dcl_decoding *decoding, uint32_t address, struct v3dcl_buffer *out, struct v3dcl_error *error)
{
	static const uint32_t no_lists[4] = { 0 };
	struct decode d;
	int ret = decode_open(&d, decoding, error);

	if (ret)
		return ret;
	decode_code(&d, address, "code");
	return decode_write(&d, no_lists, out, error);
}

/* What a job hands to the kernel: three pieces whose places mean nothing, beyond all offsets that stand in them */
enum { SUBMIT_BIN, SUBMIT_RECORDS, SUBMIT_UNIFORMS, SUBMIT_PIECES };
#define SUBMIT_BASE 0xc0000000
#define SUBMIT_MOST 0x10000000

/* One shader record behind its handles. Return: its bytes with them, 0 where they are not all there */
static uint32_t note_record(struct decode *d, uint32_t at, const struct v3d_gl_shader_state *state)
{
	const uint32_t count = v3d_shader_attributes(state), handles = 4 * (3 + count);
	const uint32_t left = d->how->pieces[SUBMIT_RECORDS].size - at;
	struct decode_item item = { .piece = SUBMIT_RECORDS, .at = at, .size = handles, .kind = DECODE_WORDS, .role = "handles" };
	uint32_t i;

	if (left < handles || left - handles < v3d_shader_record_length(state)) {
		decode_complain(d, d->how->pieces[SUBMIT_RECORDS].address + at, "the shader records end before this one does");
		return 0;
	}
	decode_note(d, &item);
	at += handles;
	item = (struct decode_item){
		.piece = SUBMIT_RECORDS, .at = at, .size = V3D_GL_SHADER_RECORD_LENGTH, .kind = DECODE_STRUCT,
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

int v3dcl_decode_submit(const struct drm_vc4_submit_cl *submit, bool json, struct v3dcl_buffer *out, struct v3dcl_error *error)
{
	const struct v3dcl_piece pieces[SUBMIT_PIECES] = {
		{ (const uint8_t *)(uintptr_t)submit->bin_cl, SUBMIT_BASE, submit->bin_cl_size, "bin" },
		{ (const uint8_t *)(uintptr_t)submit->shader_rec, SUBMIT_BASE + SUBMIT_MOST, submit->shader_rec_size, "records" },
		{ (const uint8_t *)(uintptr_t)submit->uniforms, SUBMIT_BASE + 2 * SUBMIT_MOST, submit->uniforms_size, "uniforms" },
	};
	const struct v3dcl_decoding how = { .pieces = pieces, .piece_count = SUBMIT_PIECES, .json = json };
	const uint32_t ends[4] = { SUBMIT_BASE, SUBMIT_BASE + submit->bin_cl_size, 0, 0 };
	struct decode d;
	int ret;

	if (submit->bin_cl_size > SUBMIT_MOST || submit->shader_rec_size > SUBMIT_MOST || submit->uniforms_size > SUBMIT_MOST)
		return v3dcl_fail(error, -E2BIG, "more than %u MiB of lists, records or uniforms", SUBMIT_MOST >> 20);
	ret = decode_open(&d, &how, error);
	if (ret)
		return ret;
	decode_list(&d, ends[0], ends[1]);
	note_records(&d);
	return decode_write(&d, ends, out, error);
}
