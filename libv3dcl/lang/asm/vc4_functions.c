// SPDX-License-Identifier: MIT
/*
 * The functions that vc4asm's users find in vc4.qinc. Set-up words are put together from the fields
 * of uapi/v3d/words.h (AG100 Tables 32 to 37); which value goes into which field is what their
 * names say there.
 */
#include <string.h>

#include <v3d/words.h>

#include "../../base/helpers.h"
#include "assembler.h"

#define MOST 4u

/*
 * A set-up word or a part of one. A parameter without a field's name is such a part, which keeps to
 * the bits of @part.
 */
static const struct setup {
	const char *name, *word;
	uint32_t base, part;
	const char *fields[MOST];
} setups[] = {
	{ "vpm_setup", "vpm_read_setup", 0, 0xfff, { "number", "stride", "" } },
	{ "h32", "vpm_read_setup", 0xa00, 0, { "address" } },
	{ "vdw_setup_0", "vdw_setup", 0x80000000, 0xffff, { "units", "depth", "" } },
	{ "vdw_setup_1", "vdw_stride", 0xc0000000, 0, { "stride" } },
	{ "vdw_setup_1p", "vdw_stride", 0xc0010000, 0, { "stride" } },
	{ "vdr_setup_0", "vdr_setup", 0x80000000, 0x7000ffff, { "mpitch", "rowlen", "nrows", "" } },
	{ "vdr_setup_1", "vdr_stride", 0x90000000, 0, { "mpitchb" } },
	{ "vdr_h32", "vdr_setup", 0, 0, { "vpitch", "y", "x" } },
	{ "vdr_v32", "vdr_setup", 0x800, 0, { "vpitch", "y", "x" } },
	{ "dma_h32", "vdw_setup", 0x4000, 0, { "y", "x" } },
	{ "dma_v32", "vdw_setup", 0, 0, { "y", "x" } },
	{ "dma_h16p", "vdw_setup", 0x4002, 1, { "y", "x", "" } },
	{ "dma_v16p", "vdw_setup", 2, 1, { "y", "x", "" } },
	{ "dma_h8p", "vdw_setup", 0x4004, 3, { "y", "x", "" } },
	{ "dma_v8p", "vdw_setup", 4, 3, { "y", "x", "" } },
};

/*
 * Addresses in the VPM by the size of an item: AG100 Tables 32 and 33. Horizontal: the row, and
 * which half-word or byte of it; vertical: the first row, the column, and which.
 */
static const struct address {
	const char *name;
	uint16_t base;
	uint8_t shift;			/* bits that say which half-word or byte */
	bool vertical;
} addresses[] = {
	{ "h16p", 0x900, 1, false }, { "h16l", 0xd00, 1, false }, { "h8p", 0x800, 2, false },
	{ "h8l", 0xc00, 2, false }, { "v32", 0x200, 0, true }, { "v16p", 0x100, 1, true },
	{ "v16l", 0x500, 1, true }, { "v8p", 0, 2, true }, { "v8l", 0x400, 2, true },
};

/* What a value is */
static const char *const tests[] = {
	"isConstant", "isRegister", "isRegfileA", "isRegfileB", "isAccu", "isReadable",
	"isWritable", "isRotate", "isSemaphore", "isSmallImmd", "isLdPE",
};

static bool is_among(struct qasm *a, const char *at, const char *what,
		     const struct lang_value *value, uint32_t bits)
{
	if (value->kind != LANG_INTEGER)
		return qasm_fail(a, at, "%s is an integer", what);
	return !(value->integer & ~(int64_t)bits) ||
	       qasm_fail(a, at, "%s is 0x%llx; it must keep to the bits 0x%x", what,
			 (long long)value->integer, bits);
}

static bool put_setup(struct qasm *a, const struct setup *setup, const char *at,
		      const struct lang_value *values, uint32_t *bits)
{
	const struct cl_described *word = lang_find_word(setup->word, strlen(setup->word));
	struct lang_value value;
	unsigned int i;

	*bits = setup->base;
	for (i = 0; i < MOST && setup->fields[i]; i++) {
		const char *name = setup->fields[i];

		if (!*name) {
			if (!is_among(a, at, "the last value", &values[i], setup->part))
				return false;
			*bits |= values[i].integer;
			continue;
		}
		value = values[i];
		/* A stride of the VPM may lead back: its six bits wrap. */
		if (value.kind == LANG_INTEGER && !strcmp(setup->name, "vpm_setup") &&
		    !strcmp(name, "stride") && value.integer >= -64 && value.integer < 0)
			value.integer &= 0x3f;
		lang_word_put(&a->lang, lang_find_field(word, name, strlen(name)), word, &value,
			      at, bits);
		if (a->lang.status)
			return false;
	}
	return true;
}

static bool put_address(struct qasm *a, const struct address *address, const char *at,
			const struct lang_value *v, uint32_t *bits)
{
	const unsigned int last = address->vertical ? 2 : 1;

	if (!is_among(a, at, "y", &v[0], address->vertical ? 0x30 : 0x3f) ||
	    (address->vertical && !is_among(a, at, "x", &v[1], 0xf)) ||
	    (address->shift && !is_among(a, at, address->shift == 1 ? "the half-word" : "the byte",
					 &v[last], (1u << address->shift) - 1)))
		return false;
	*bits = address->base | v[0].integer << address->shift;
	if (address->vertical)
		*bits |= v[1].integer << address->shift;
	if (address->shift)
		*bits |= v[last].integer;
	return true;
}

static bool is_small(const struct lang_value *value)
{
	unsigned int code;

	for (code = 0; code < V3D_QPU_ROTATE; code++)
		if (lang_is_number(value) && v3d_qpu_small_immediate(code) == lang_as_bits(value))
			return true;
	return false;
}

static bool test(const char *name, const struct lang_value *value)
{
	const struct qasm_register reg = qasm_value_register(value);
	const bool is = value->kind == LANG_REGISTER;

	if (!strcmp(name, "isConstant"))
		return lang_is_number(value);
	if (!strcmp(name, "isSmallImmd"))
		return is_small(value);
	if (!strcmp(name, "isLdPE"))
		return value->kind == LANG_ELEMENTS;
	if (!strcmp(name, "isRegfileA"))
		return is && (reg.place == V3DCL_QPU_FILE_A || reg.place == V3DCL_QPU_IO);
	if (!strcmp(name, "isRegfileB"))
		return is && (reg.place == V3DCL_QPU_FILE_B || reg.place == V3DCL_QPU_IO);
	if (!strcmp(name, "isAccu"))
		return is && reg.place == V3DCL_QPU_ACCUMULATOR;
	if (!strcmp(name, "isReadable"))
		return is && reg.access & QASM_READ;
	if (!strcmp(name, "isWritable"))
		return is && reg.access & QASM_WRITE;
	if (!strcmp(name, "isRotate"))
		return is && reg.rotate;
	if (!strcmp(name, "isSemaphore"))
		return is && reg.place == QASM_SEMAPHORE;
	return is;
}

/* sacq(3): the register sacq3 */
static bool semaphore(struct qasm *a, const struct lang_token *name, const char *at,
		      const struct lang_value *v, struct lang_value *value)
{
	const struct qasm_register reg = {
		.place = QASM_SEMAPHORE, .address = v->integer & (V3D_QPU_SEMAPHORES - 1),
		.access = QASM_READ, .acquire = lang_same("sacq", name->at, name->length),
	};

	*value = qasm_register_value(&reg);
	return is_among(a, at, "a semaphore", v, V3D_QPU_SEMAPHORES - 1);
}

/* Which of them it is, and how many values it takes; the tests come last. -1: none */
static int find(const struct lang_token *name, unsigned int *arguments)
{
	size_t i, n;

	for (i = 0; i < COUNT(setups); i++)
		if (lang_same(setups[i].name, name->at, name->length)) {
			for (n = 0; n < MOST && setups[i].fields[n]; n++)
				;
			*arguments = n;
			return i;
		}
	for (i = 0; i < COUNT(addresses); i++)
		if (lang_same(addresses[i].name, name->at, name->length)) {
			*arguments = 1 + addresses[i].vertical + !!addresses[i].shift;
			return COUNT(setups) + i;
		}
	*arguments = 1;
	if (lang_same("sacq", name->at, name->length) || lang_same("srel", name->at, name->length))
		return COUNT(setups) + COUNT(addresses);
	for (i = 0; i < COUNT(tests); i++)
		if (lang_same(tests[i], name->at, name->length))
			return COUNT(setups) + COUNT(addresses) + 1 + i;
	return -1;
}

/* Values of a function, if all are there and known; @value says whether they are */
static bool take_arguments(struct qasm *a, const struct lang_token *name, unsigned int arguments,
			   struct lang_value v[MOST], struct lang_value *value)
{
	bool unknown;
	const unsigned int count = lang_arguments(&a->lang, v, MOST, &unknown);

	*value = (struct lang_value){ .kind = LANG_INTEGER, .unknown = unknown };
	if (count != arguments)
		qasm_fail(a, name->at, "%.*s() takes %u value%s, not %u", (int)name->length,
			  name->at, arguments, arguments == 1 ? "" : "s", count);
	return !a->lang.status && !unknown;
}

static int64_t reversed(uint64_t x, unsigned int count)
{
	uint64_t result = 0;

	for (; count--; x >>= 1)
		result = result << 1 | (x & 1);
	return result;
}

/* countBits(), ilog2(), reverseBits() and its short forms; false: none of them */
static bool bit_function(struct qasm *a, const struct lang_token *name, struct lang_value *value)
{
	static const struct qasm_name names[] = {
		{ "countBits", 0 }, { "ilog2", 1 }, { "reverseBits", 2 }, { "reverseBits4", 4 },
		{ "reverseBits8", 8 }, { "reverseBits16", 16 }, { "reverseBits32", 32 },
		{ "reverseBits64", 64 }, { NULL, 0 },
	};
	const int which = qasm_find(names, name->at, name->length);
	const char *at = a->lang.now[1].at;
	struct lang_value v[MOST];

	if (which < 0)
		return false;
	if (!take_arguments(a, name, which == 2 ? 2 : 1, v, value))
		return true;
	if (v[0].kind != LANG_INTEGER || (which < 2 && v[0].integer < 0))
		qasm_fail(a, at, "%.*s() takes an integer%s", (int)name->length, name->at,
			  which < 2 ? ", at least 0" : "");
	else if (which == 2 && (v[1].kind != LANG_INTEGER || v[1].integer < 0 ||
				v[1].integer > 64))
		qasm_fail(a, at, "the number of bits is an integer, 0 to 64");
	else if (which == 0)
		value->integer = __builtin_popcountll(v[0].integer);
	else if (which == 1)
		value->integer = v[0].integer ? 63 - __builtin_clzll(v[0].integer) : -1;
	else
		value->integer = reversed(v[0].integer, which == 2 ? v[1].integer : which);
	return true;
}

bool qasm_vc4_function(struct qasm *a, const struct lang_token *name, struct lang_value *value)
{
	const char *at = a->lang.now[1].at;
	struct lang_value v[MOST];
	unsigned int arguments;
	const int which = find(name, &arguments), address = which - (int)COUNT(setups),
		  other = address - (int)COUNT(addresses);
	uint32_t bits = 0;

	if (which < 0)
		return bit_function(a, name, value);
	if (!take_arguments(a, name, arguments, v, value))
		return true;
	if (address < 0)
		put_setup(a, &setups[which], at, v, &bits);
	else if (other < 0)
		put_address(a, &addresses[address], at, v, &bits);
	else if (other > 0)
		bits = test(tests[other - 1], &v[0]);
	value->integer = bits;
	if (!other)
		semaphore(a, name, at, &v[0], value);
	return true;
}
