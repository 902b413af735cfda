/* SPDX-License-Identifier: MIT */
/*
 * What the files of the decoder share. First the walk: from the starts that the caller names to
 * wherever addresses lead, it notes what stands where. Then a writer goes through each piece of
 * memory in order and prints what was noted, and what lies between.
 */
#ifndef V3DCL_CL_DECODE_H
#define V3DCL_CL_DECODE_H

#include <v3d/lists.h>

#include "v3dcl_decode.h"

enum decode_kind {
	DECODE_RECORD,	/* a control record */
	DECODE_STRUCT,	/* a structure in memory */
	DECODE_CODES,	/* a compressed primitive list up to its escape or branch */
	DECODE_CODE,	/* QPU instructions */
	DECODE_WORDS,	/* uniforms, coordinates */
	DECODE_HALVES,	/* 16-bit indices */
	DECODE_BYTES,	/* 8-bit indices */
};

enum decode_struct {
#define DECODE_STRUCT_CONSTANT(NAME, name, length) DECODE_##NAME,
	V3D_RECORDS(DECODE_STRUCT_CONSTANT)
};

/**
 * struct decode_item - something that stands in memory
 * @piece: index of the piece
 * @at: byte in it
 * @size: bytes, not beyond its end
 * @kind: enum decode_kind
 * @what: of a structure, enum decode_struct
 * @format: of a compressed list, the record 56 in force
 * @role: what for, in words; or NULL
 */
struct decode_item {
	uint32_t piece, at, size;
	uint8_t kind, what;
	struct v3d_primitive_list_format format;
	const char *role;
};

/* Something that makes no sense, and where */
struct decode_problem {
	uint32_t address;
	const char *text;
};

/**
 * struct decode_address - a word that is known to hold an address
 * @piece: index of the piece
 * @at: byte in it
 * @to: index of the piece that it leads into
 * @offset: byte in that
 * @added: what the word has beside the address: the rest of a texture's first word
 */
struct decode_address {
	uint32_t piece, at, to, offset, added;
};

/**
 * struct decode_list - a list to walk
 * @start: address of its first record
 * @end: address behind the last one
 * @open: only its records say where it ends
 * @compressed: it begins inside a compressed list
 * @format: the record 56 in force
 */
struct decode_list {
	uint32_t start, end;
	bool open, compressed;
	struct v3d_primitive_list_format format;
};

/**
 * struct decode - a decoding under way
 * @how: the caller's wishes
 * @seen: of each piece a bit a byte: something was noted to begin there
 * @items: struct decode_item; sorted by place once the walk has ended
 * @problems: struct decode_problem
 * @todo: struct decode_list
 * @addresses: those that only the caller knows, by place
 * @address_count: of @addresses
 * @own_names: pieces have names that are good, and each its own
 * @left: records and instructions that may still be looked at
 */
struct decode {
	const struct v3dcl_decoding *how;
	uint8_t **seen;
	struct v3dcl_buffer items, problems, todo;
	const struct decode_address *addresses;
	size_t address_count;
	bool own_names;
	uint32_t left;
};

/* A structure's or record's name and fields */
struct decode_description {
	const char *name;
	const struct v3d_field *fields;
	uint32_t length;
	uint32_t base;	/* bit that fields are counted from */
};

/* decode_walk.c */
int decode_open(struct decode *d, const struct v3dcl_decoding *how, struct v3dcl_error *error);
void decode_close(struct decode *d);
void decode_list(struct decode *d, uint32_t start, uint32_t end);
void decode_code(struct decode *d, uint32_t address, const char *role);
int decode_finish(struct decode *d, struct v3dcl_error *error);

/* decode_place.c */
const struct v3dcl_piece *decode_find(const struct decode *d, uint32_t address, uint32_t *at);
bool decode_note(struct decode *d, const struct decode_item *item);
void decode_complain(struct decode *d, uint32_t address, const char *text);
bool decode_describe(const struct decode_item *item, const uint8_t *bytes,
		     struct decode_description *description);
uint32_t decode_struct_length(enum decode_struct what);
uint32_t decode_field(const struct v3d_field *field, const uint8_t *bytes, uint32_t base);
size_t decode_vertices(const struct decode_item *item, const uint8_t *bytes,
		       struct v3dcl_buffer *vertices);

/* decode.c */
int decode_write(struct decode *d, const uint32_t ends[4], struct v3dcl_buffer *out,
		 struct v3dcl_error *error);

/* Writes numbers of @each bytes */
void decode_write_numbers(struct v3dcl_buffer *out, const uint8_t *bytes, uint32_t count,
			  unsigned int each);
void decode_write_data(struct v3dcl_buffer *out, const uint8_t *bytes, uint32_t size,
		       uint32_t place);

/* decode_submit.c */
struct drm_vc4_submit_cl;
int decode_submit(const struct drm_vc4_submit_cl *submit, const char *const *names, bool json,
		  struct v3dcl_buffer *out, struct v3dcl_error *error);

/* decode_text.c */
void decode_write_problems(const struct decode *d, struct v3dcl_buffer *out);
void decode_write_block(const struct decode *d, uint32_t index, struct v3dcl_buffer *out);

/* decode_text.c, decode_json.c: the lists' starts and ends, equal for none */
void decode_write_text(const struct decode *d, const uint32_t ends[4], struct v3dcl_buffer *out);
void decode_write_json(const struct decode *d, const uint32_t ends[4], struct v3dcl_buffer *out);

#endif /* V3DCL_CL_DECODE_H */
