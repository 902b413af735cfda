// SPDX-License-Identifier: MIT
/*
 * Data: .byte, .half, .word, .float, .space, .align. Behind .data they are the program's own data;
 * among instructions they fill words of 64 bits, as in vc4asm.
 */
#include <string.h>

#include "assembler.h"

#define WORD_BYTES V3D_QPU_INSTRUCTION_BYTES

/* The values of a line among instructions: a word is complete, or its rest is zeros. */
struct filling {
	const char *at;
	uint64_t word;
	unsigned int bytes;
};

static bool fill(struct qasm *a, struct filling *f, uint32_t value, unsigned int size)
{
	if (f->bytes % size)
		f->bytes += size - f->bytes % size;
	f->word |= (uint64_t)value << 8 * f->bytes;
	f->bytes += size;
	if (f->bytes < WORD_BYTES)
		return true;
	if (!qasm_emit(a, f->word, f->at))
		return false;
	*f = (struct filling){ .at = f->at };
	return true;
}

static bool add_data(struct qasm *a, const char *at, const void *bytes, size_t size)
{
	if (size > QASM_MAX_DATA - a->data.size)
		return qasm_give_up(a, at, "more than %u bytes of data", QASM_MAX_DATA);
	return v3dcl_buffer_add(&a->data, bytes, size) || qasm_no_memory(a);
}

/* A value as @size bytes of @word */
static bool take_one(struct qasm *a, unsigned int size, bool real, uint32_t *word)
{
	struct lang_value value;
	const char *at = qasm_peek(a)->at;
	int64_t number;

	if (size == 4 && !real)
		return qasm_word(a, word);
	if (real) {
		if (!qasm_expression(a, &value))
			return false;
		*word = lang_float_bits(&value);
		return lang_is_number(&value) || qasm_fits_word(a, at, &value);
	}
	if (!qasm_range(a, "a value", size == 1 ? INT8_MIN : INT16_MIN,
			size == 1 ? UINT8_MAX : UINT16_MAX, &number))
		return false;
	*word = (uint32_t)number & (size == 1 ? UINT8_MAX : UINT16_MAX);
	return true;
}

bool qasm_take_data(struct qasm *a, unsigned int size, bool real)
{
	struct filling filling = { .at = qasm_peek(a)->at };

	do {
		const char *at = qasm_peek(a)->at;
		uint8_t bytes[4];
		uint32_t word;
		unsigned int i;

		if (!take_one(a, size, real, &word))
			return false;
		for (i = 0; i < size; i++)
			bytes[i] = word >> 8 * i;
		if (a->in_data ? !add_data(a, at, bytes, size) : !fill(a, &filling, word, size))
			return false;
	} while (qasm_accept(a, ','));
	return !filling.bytes || qasm_emit(a, filling.word, filling.at);
}

/* Zeros; among instructions in whole words */
static bool add_zeros(struct qasm *a, const char *at, uint64_t size)
{
	if (a->in_data)
		return add_data(a, at, NULL, size);
	for (size += WORD_BYTES - 1; size >= WORD_BYTES; size -= WORD_BYTES)
		if (!qasm_emit(a, 0, at))
			return false;
	return true;
}

bool qasm_take_space(struct qasm *a)
{
	const char *at = qasm_peek(a)->at;
	int64_t size;

	return qasm_known(a, "a size", 0, QASM_MAX_DATA, &size) && add_zeros(a, at, size);
}

/* Among instructions, what is skipped may be run through: it is filled with nop. */
bool qasm_take_align(struct qasm *a)
{
	const char *at = qasm_peek(a)->at;
	uint32_t place;
	int64_t to;

	if (!qasm_known(a, "an alignment", 1, 1 << 20, &to))
		return false;
	if (to & (to - 1))
		return qasm_fail(a, at, "an alignment is a power of two");
	if (a->in_data)
		return add_data(a, at, NULL, -a->data.size & (to - 1));
	for (place = a->code_count * WORD_BYTES; place & (to - 1); place += WORD_BYTES)
		if (place % WORD_BYTES || !qasm_emit(a, QASM_NOP, at))
			return false;
	return true;
}
