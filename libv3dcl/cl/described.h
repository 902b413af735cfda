/* SPDX-License-Identifier: MIT */
/* Structures in memory and set-up words by their names: one table for all who read names. */
#ifndef V3DCL_CL_DESCRIBED_H
#define V3DCL_CL_DESCRIBED_H

#include <v3d/packets.h>

/* More fields than any record, structure or word has: the longest, gl_shader_record, has 17 */
#define CL_MOST_FIELDS 32

/**
 * struct cl_described - a structure in memory or a set-up word, described
 * @name: as <v3d/packets.h> or <v3d/words.h> has it
 * @fields: ended by a NULL name
 * @length: bytes
 */
struct cl_described {
	const char *name;
	const struct v3d_field *fields;
	uint32_t length;
};

/* One of V3D_RECORDS, in their order; NULL behind the last */
const struct cl_described *cl_structure(uint32_t index);

/* One of V3D_WORDS, in their order; NULL behind the last */
const struct cl_described *cl_word(uint32_t index);

/* The bits that say which word it is, and so need not be given */
uint32_t cl_word_start(const struct cl_described *word);

/* The largest number that a field of a word takes: one more than fits, where 0 stands for that */
int64_t cl_word_most(const struct cl_described *word, const struct v3d_field *field);

#endif /* V3DCL_CL_DESCRIBED_H */
