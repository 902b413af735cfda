// SPDX-License-Identifier: MIT
/* What structures in memory and set-up words are called, and what only set-up words have. */
#include <string.h>

#include <v3d/words.h>

#include "../base/helpers.h"
#include "described.h"

#define DESCRIBE_STRUCTURE(NAME, name, length) \
	static const struct v3d_field name##_fields[] = { \
		V3D_##NAME##_FIELDS(V3D_DESCRIBE_FIELD, 0) { NULL, 0, 0, 0 } \
	};
#define DESCRIBE_WORD(NAME, name) DESCRIBE_STRUCTURE(NAME, name, 4)
V3D_RECORDS(DESCRIBE_STRUCTURE)
V3D_WORDS(DESCRIBE_WORD)

#define LIST_STRUCTURE(NAME, name, length) { #name, name##_fields, length },
#define LIST_WORD(NAME, name) LIST_STRUCTURE(NAME, name, 4)
static const struct cl_described structures[] = { V3D_RECORDS(LIST_STRUCTURE) },
				 words[] = { V3D_WORDS(LIST_WORD) };

/* What says which word it is: AG100 Tables 17 and 34 to 37 */
static const struct {
	const char *word, *field;
	uint8_t value;
} fixed[] = {
	{ "vdw_setup", "id", 2 },
	{ "vdw_stride", "id", 3 },
	{ "vdr_setup", "id", 1 },
	{ "vdr_stride", "id", 9 },
	{ "texture_cube", "ptype", 1 },
	{ "texture_child_size", "ptype", 2 },
	{ "texture_child_offset", "ptype", 3 },
};

/* Fields of which 0 means one more than fits: AG100 Tables 16 and 32 to 36 */
static const char *const wrapping[] = {
	"stride", "number", "depth", "units", "vpitch", "nrows", "rowlen", "width", "height",
};

const struct cl_described *cl_structure(uint32_t index)
{
	return index < COUNT(structures) ? &structures[index] : NULL;
}

const struct cl_described *cl_word(uint32_t index)
{
	return index < COUNT(words) ? &words[index] : NULL;
}

uint32_t cl_word_start(const struct cl_described *word)
{
	const struct v3d_field *field;
	size_t i;

	for (i = 0; i < COUNT(fixed); i++)
		for (field = word->fields; field->name; field++)
			if (!strcmp(fixed[i].word, word->name) &&
			    !strcmp(fixed[i].field, field->name))
				return (uint32_t)fixed[i].value << field->low;
	return 0;
}

static bool wraps(const struct cl_described *word, const struct v3d_field *field)
{
	size_t i;

	/* Strides of the DMA are plain numbers of bytes. */
	if (!strcmp(word->name, "vdw_stride") || !strcmp(word->name, "texture_cube"))
		return false;
	for (i = 0; i < COUNT(wrapping); i++)
		if (!strcmp(wrapping[i], field->name))
			return true;
	return false;
}

int64_t cl_word_most(const struct cl_described *word, const struct v3d_field *field)
{
	return (INT64_C(1) << field->bits) - 1 + wraps(word, field);
}
