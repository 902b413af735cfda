/* SPDX-License-Identifier: MIT */
/*
 * Whatever the V3D reads, as text or as JSON: lists, records, tile lists, shaders, dumps. Any bytes
 * are legal input; what cannot be read is said in the output.
 */
#ifndef V3DCL_DECODE_H
#define V3DCL_DECODE_H

#include "v3dcl_buffer.h"
#include "v3dcl_error.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * struct v3dcl_piece - memory that addresses may lead into
 * @bytes: may be NULL where @size is 0
 * @address: as the V3D sees it; @address + @size does not pass 2^32
 * @size: bytes
 * @name: by which text names addresses in it, or NULL
 */
struct v3dcl_piece {
	const uint8_t *bytes;
	uint32_t address, size;
	const char *name;
};

/**
 * struct v3dcl_decoding - what to decode, and how
 * @pieces: all memory there is; of overlapping ones the first counts
 * @piece_count: of @pieces
 * @follow: go where branches, sub-lists and addresses lead: shader records, code, uniforms,
 *	indices, tile lists
 * @json: JSON, one object; else text of the library's text format
 * @limit: most records and instructions in all, 0 for a million
 */
struct v3dcl_decoding {
	const struct v3dcl_piece *pieces;
	uint32_t piece_count;
	bool follow, json;
	uint32_t limit;
};

/**
 * v3dcl_decode_lists() - a frame: its bin list and its render list
 * @decoding: how; its pieces stay as they are during the call
 * @bin_start: address; @bin_end equal to it for none
 * @bin_end: address after the last byte
 * @render_start: see @bin_start
 * @render_end: see @bin_end
 * @out: appended to
 * @error: filled where the call fails; NULL for none
 *
 * Return: 0 or -ENOMEM; bytes that make no sense are no error, they are told in @out
 */
int v3dcl_decode_lists(const struct v3dcl_decoding *decoding, uint32_t bin_start, uint32_t bin_end,
		       uint32_t render_start, uint32_t render_end, struct v3dcl_buffer *out,
		       struct v3dcl_error *error);

/**
 * v3dcl_decode_code() - a program
 * @decoding: how
 * @address: of its first instruction
 * @out: appended to
 * @error: filled where the call fails; NULL for none
 *
 * Return: 0 or -ENOMEM
 */
int v3dcl_decode_code(const struct v3dcl_decoding *decoding, uint32_t address,
		      struct v3dcl_buffer *out, struct v3dcl_error *error);

struct drm_vc4_submit_cl;

/**
 * v3dcl_decode_submit() - a job as the ABI has it: bin list, shader records with their handles,
 * uniforms, surfaces
 * @submit: its user pointers are looked through, but for seqno and the numbers of syncobjs and
 *	perfmons
 * @json: JSON, of the three parts; else text: the statement "submit" of the text format, BOs by
 *	their handles
 * @out: appended to
 * @error: filled where the call fails; NULL for none
 *
 * In the lists of a submit, addresses are indices of handles and offsets: they lead nowhere and are
 * printed as numbers.
 *
 * Return: 0, -E2BIG where one of the three has more than 256 MiB, -ENOMEM
 */
int v3dcl_decode_submit(const struct drm_vc4_submit_cl *submit, bool json, struct v3dcl_buffer *out,
			struct v3dcl_error *error);

/**
 * v3dcl_decode_dump() - the driver's dump of a hang: <drm/v3dcl_dump.h>
 * @bytes: of the file that devcoredump gives
 * @size: bytes of the file
 * @json: JSON; else text
 * @out: appended to
 * @error: filled where the call fails; NULL for none
 *
 * Return: 0, -EINVAL where that is no such dump (@error names the byte), -ENOMEM
 */
int v3dcl_decode_dump(const uint8_t *bytes, size_t size, bool json, struct v3dcl_buffer *out,
		      struct v3dcl_error *error);

#ifdef __cplusplus
}
#endif

#endif /* V3DCL_DECODE_H */
