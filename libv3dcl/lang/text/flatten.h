/* SPDX-License-Identifier: MIT */
/*
 * A job as the V3D is given it: memory with all addresses filled in, and steps that say what runs
 * where.
 */
#ifndef V3DCL_LANG_TEXT_FLATTEN_H
#define V3DCL_LANG_TEXT_FLATTEN_H

#include "../../cl/decode.h"
#include "script_frame.h"

/**
 * struct flat_piece - memory of the job
 * @name: its own
 * @bytes: with addresses; NULL for zeros
 * @size: 0: it is not printed
 * @address: where it stands
 */
struct flat_piece {
	char *name;
	uint8_t *bytes;
	uint32_t size, address;
};

/**
 * struct flat - a job being written
 * @script: it
 * @pieces: struct flat_piece: one for each of the script's things, then what frames and lists keep
 * @addresses: struct decode_address: those in @pieces
 * @ends: of lists that run: uint32_t[4] each, as decode_write_text() has them
 * @steps: text of the steps
 * @json: what is wanted; then @steps has JSON
 * @next: address of the next piece that the text has not placed
 * @error: the caller's, or NULL
 */
struct flat {
	const struct v3dcl_script *script;
	struct v3dcl_buffer pieces, addresses, ends, steps;
	bool json;
	uint64_t next;
	struct v3dcl_error *error;
};

/* flatten.c */
struct flat_piece *flat_piece(struct flat *f, uint32_t index);
int flat_add(struct flat *f, const char *kind, const struct script_bytes *bytes, uint32_t size,
	     uint32_t *index);
void flat_address(struct flat *f, const struct decode_address *address);
void flat_fill(struct flat *f, uint32_t piece, const struct script_bytes *bytes);
int flat_no_memory(struct flat *f);

/* flat_memory.c */
int flat_things(struct flat *f);

/* flat_steps.c */
int flat_step(struct flat *f, const struct script_step *step);

/* flatten_frame.c */
int flat_frame(struct flat *f, const struct script_frame *frame);
int flat_submit(struct flat *f, const struct script_submit *submit);
void flat_lists(struct flat *f, const uint32_t ends[4]);

#endif /* V3DCL_LANG_TEXT_FLATTEN_H */
