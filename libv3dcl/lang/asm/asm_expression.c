// SPDX-License-Identifier: MIT
/*
 * What expressions of a program have for themselves: labels, '.', "element", and names that come
 * later.
 */
#include "assembler.h"

void qasm_advance(struct lang *l)
{
	l->now += l->now->kind != LANG_END;
}

struct lang_value qasm_resolve(struct lang *l, const struct lang_token *name)
{
	struct qasm *a = qasm_of(l);
	const struct qasm_symbol *symbol;

	if (a->element >= 0 && qasm_is(name, "element"))
		return lang_integer(a->element);
	symbol = qasm_lookup(a, name);
	if (symbol && symbol->kind != QASM_MACRO && (symbol->defined || symbol->kind != QASM_SET))
		return symbol->value;
	if (a->final)
		qasm_unknown_name(a, name);
	return (struct lang_value){ .kind = LANG_INTEGER, .unknown = true };
}

/* Bytes from the start of the program, or of its data */
struct lang_value qasm_here(const struct lang *l)
{
	const struct qasm *a = (const struct qasm *)l;
	struct lang_value value = lang_integer(a->data.size);

	if (!a->in_data) {
		value.integer = (uint64_t)a->code_count * V3D_QPU_INSTRUCTION_BYTES;
		value.code = true;
	}
	return value;
}

/* "brr label + ra3", "mov r0, r1 >> 3": the register and the rotation are not the expression's. */
bool qasm_ends(const struct lang *l)
{
	const struct qasm *a = (const struct qasm *)l;

	return (l->now->kind == '+' && qasm_is_file_a(l->now + 1)) ||
	       (l->now->kind == LANG_SHR && a->operand && !l->inside);
}

bool qasm_expression(struct qasm *a, struct lang_value *value)
{
	*value = lang_expression(&a->lang);
	return !a->lang.status;
}

bool qasm_word(struct qasm *a, uint32_t *word)
{
	const char *at = qasm_peek(a)->at;
	struct lang_value value;

	if (!qasm_expression(a, &value))
		return false;
	*word = lang_as_bits(&value);
	if (lang_is_integer(&value) && (value.integer < INT32_MIN || value.integer > UINT32_MAX))
		return qasm_fail(a, at, "0x%llx does not fit 32 bits",
				 (unsigned long long)value.integer);
	return true;
}

static bool take_range(struct qasm *a, const char *what, int64_t least, int64_t most, bool known,
		       int64_t *number)
{
	const char *at = qasm_peek(a)->at;
	struct lang_value value;

	if (!qasm_expression(a, &value))
		return false;
	if (!lang_is_integer(&value))
		return qasm_fail(a, at, "%s is an integer", what);
	if (value.unknown && known)
		return qasm_fail(a, at, "%s must be known here; a name in it comes later", what);
	if (value.unknown)
		value.integer = least;
	if (value.integer < least || value.integer > most)
		return qasm_fail(a, at, "%s is %lld; it must be %lld to %lld", what,
				 (long long)value.integer, (long long)least, (long long)most);
	*number = value.integer;
	return true;
}

bool qasm_known(struct qasm *a, const char *what, int64_t least, int64_t most, int64_t *number)
{
	return take_range(a, what, least, most, true, number);
}

bool qasm_range(struct qasm *a, const char *what, int64_t least, int64_t most, int64_t *number)
{
	return take_range(a, what, least, most, false, number);
}
