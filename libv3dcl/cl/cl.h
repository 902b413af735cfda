/* SPDX-License-Identifier: MIT */
/* What the files of cl/ share. */
#ifndef V3DCL_CL_CL_H
#define V3DCL_CL_CL_H

#include "v3dcl_cl.h"

/* Blocks end below 2 GiB, so that no offset in them overflows. */
#define CL_MOST_BYTES 0x7fffffffu

/* How much there was of a block */
struct cl_mark {
	size_t bytes, fixups;
};

/* What is done to a record before it is appended: one record or structure, its fields, its bytes */
struct cl_record {
	const char *name;
	const struct v3d_field *fields;
	unsigned int base;	/* bit of the bytes that fields are counted from */
	unsigned int length;
};

int cl_no_memory(struct v3dcl_error *error);

/*
 * Adds to a refusal which field it is about, what was found there and what was expected. Return:
 * -EINVAL
 */
int cl_blame(struct v3dcl_error *error, const char *record, const char *field, uint64_t found,
	     uint64_t expected);

int cl_misaligned(const char *record, const char *field, uint32_t offset, uint32_t alignment,
		  struct v3dcl_error *error);
int cl_out_of_range(const char *record, const char *field, int64_t found, int64_t least,
		    int64_t most, struct v3dcl_error *error);
struct cl_mark cl_mark(const struct v3dcl_block *block);
int cl_back_to(struct v3dcl_block *block, struct cl_mark mark, struct v3dcl_error *error);
int cl_check_values(const struct cl_record *record, const struct v3dcl_value *values,
		    struct v3dcl_error *error);
int cl_append_values(struct v3dcl_block *block, const struct cl_record *record, uint8_t id,
		     const struct v3dcl_value *values, struct v3dcl_error *error);

uint32_t cl_frame_pixel(uint32_t pixel);

#define CL_MICRO_TILE 64u	/* bytes */
uint32_t cl_micro_row(uint32_t bits);

#endif /* V3DCL_CL_CL_H */
