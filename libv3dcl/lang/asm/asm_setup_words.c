// SPDX-License-Identifier: MIT
/* Functions of expressions that make the 32-bit words of uapi/v3d/words.h: vdw_setup(units=16, depth=16, horizontal=1). */
#include <string.h>

#include <v3d/words.h>

#include "../../base/helpers.h"
#include "assembler.h"

/** struct field - a field of such a word */
struct field {
	const char *name;
	uint8_t address, low, bits;
};

#define FIELD(o, name, type, low, bits) { #name, V3D_##type == V3D_A, low, bits },
#define FIELD_TABLE(NAME, name) static const struct field name##_fields[] = { V3D_##NAME##_FIELDS(FIELD, 0) { NULL, 0, 0, 0 } };
V3D_WORDS(FIELD_TABLE)

static const struct word {
	const char *name;
	const struct field *fields;
} words[] = {
#define WORD(NAME, name) { #name, name##_fields },
	V3D_WORDS(WORD)
};

/* What says which word it is, and so need not be given: AG100 Tables 17 and 34 to 37 */
static const struct {
	const char *word, *field;
	uint8_t value;
} fixed[] = {
	{ "vdw_setup", "id", 2 }, { "vdw_stride", "id", 3 }, { "vdr_setup", "id", 1 }, { "vdr_stride", "id", 9 },
	{ "texture_cube", "ptype", 1 }, { "texture_child_size", "ptype", 2 }, { "texture_child_offset", "ptype", 3 },
};

/* Fields of which 0 means one more than fits: AG100 Tables 16 and 32 to 36 */
static const char *const wrapping[] = { "stride", "number", "depth", "units", "vpitch", "nrows", "rowlen", "width", "height" };

static bool wraps(const struct word *word, const struct field *field)
{
	size_t i;

	/* Strides of the DMA are plain numbers of bytes. */
	if (qasm_same("vdw_stride", word->name, strlen(word->name)) || qasm_same("texture_cube", word->name, strlen(word->name)))
		return false;
	for (i = 0; i < COUNT(wrapping); i++)
		if (!strcmp(wrapping[i], field->name))
			return true;
	return false;
}

static const struct field *find_field(const struct word *word, const struct qasm_token *token)
{
	const struct field *field;

	for (field = word->fields; field->name; field++)
		if (qasm_is(token, field->name))
			return field;
	return NULL;
}

static bool take_field(struct qasm *a, const struct word *word, uint64_t *given, int64_t *result)
{
	const struct qasm_token *token = qasm_peek(a);
	const struct field *field = find_field(word, token);
	int64_t value, most;
	uint64_t mask;

	if (!field)
		return qasm_fail(a, token->at, "%s() has no field of this name", word->name);
	if (*given >> field->low & 1)
		return qasm_fail(a, token->at, "%s is given twice", field->name);
	*given |= 1ull << field->low;
	a->next++;
	most = field->address ? UINT32_MAX : (1ll << field->bits) - 1 + wraps(word, field);
	if (!qasm_expect(a, '=', "'='") || !qasm_range(a, field->name, 0, most, &value))
		return false;
	if (field->address) {
		if (value & ((1ll << (32 - field->bits)) - 1))
			return qasm_fail(a, token->at, "%s must be a multiple of %u", field->name, 1u << (32 - field->bits));
		value >>= 32 - field->bits;
	}
	mask = ((1ull << field->bits) - 1) << field->low;
	*result = (int64_t)(((uint64_t)*result & ~mask) | ((uint64_t)value << field->low & mask));
	return true;
}

static int64_t start(const struct word *word)
{
	const struct field *field;
	size_t i;

	for (i = 0; i < COUNT(fixed); i++) {
		if (strcmp(fixed[i].word, word->name))
			continue;
		for (field = word->fields; field->name; field++)
			if (!strcmp(field->name, fixed[i].field))
				return (int64_t)fixed[i].value << field->low;
	}
	return 0;
}

bool qasm_setup_word(struct qasm *a, const struct qasm_token *name, int64_t *result, bool *known)
{
	const struct word *word = words;
	uint64_t given = 0;

	*known = false;
	while (word < words + COUNT(words) && !qasm_is(name, word->name))
		word++;
	if (word == words + COUNT(words))
		return true;
	*known = true;
	*result = start(word);
	if (!qasm_expect(a, '(', "'('"))
		return false;
	if (qasm_accept(a, ')'))
		return true;
	do {
		if (!take_field(a, word, &given, result))
			return false;
	} while (qasm_accept(a, ','));
	return qasm_expect(a, ')', "',' or ')'");
}
