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

static struct lang_value not_known(struct qasm *a, const struct lang_token *name)
{
	if (a->final)
		qasm_unknown_name(a, name);
	return (struct lang_value){ .kind = LANG_INTEGER, .unknown = true };
}

/* The name at hand has been taken; a register is more than its name. */
static struct lang_value take_register(struct qasm *a, struct lang_token *name)
{
	struct qasm_register reg;
	bool found;

	a->lang.now = name;
	qasm_take_register(a, &reg, &found);
	return qasm_register_value(&reg);
}

struct lang_value qasm_resolve(struct lang *l, const struct lang_token *name)
{
	struct qasm *a = qasm_of(l);
	const struct qasm_symbol *symbol;
	struct lang_token *at = l->now - 1;
	struct qasm_register reg;
	struct lang_value value;
	bool is_register;

	if (a->element >= 0 && qasm_is(name, "element"))
		return lang_integer(a->element);
	is_register = qasm_names_register(a, at, &reg);
	if (a->role != QASM_ANY_ROLE && is_register)
		return take_register(a, at);
	if (qasm_find_value(a, name, &value))
		return value;
	symbol = qasm_lookup(a, name);
	if (symbol && symbol->kind < QASM_SET)
		return symbol->value;
	return is_register ? take_register(a, at) : not_known(a, name);
}

/* Bytes from the start of the program, or of its data */
static struct lang_value here(const struct qasm *a)
{
	struct lang_value value = lang_integer(a->data.size);

	if (!a->in_data) {
		value.integer = (uint64_t)a->code_count * V3D_QPU_INSTRUCTION_BYTES;
		value.code = true;
	}
	return value;
}

/* [0, 1, ...] with two bits for each of 16 elements: signed, unless one is 2 or 3 */
static struct lang_value elements(struct qasm *a)
{
	const char *at = qasm_peek(a)->at;
	struct lang_value value = { .kind = LANG_ELEMENTS };
	int64_t number, least = 0, most = 0;
	unsigned int i;

	a->lang.inside++;
	for (i = 0; i < V3D_QPU_LANES && !a->lang.status; i++) {
		a->lang.now++;
		if (!qasm_range(a, "an element", -2, 3, &number))
			break;
		least = number < least ? number : least;
		most = number > most ? number : most;
		value.integer |= (int64_t)(number & 1) << i |
				 (number >> 1 & 1) << (i + V3D_QPU_LANES);
		if (qasm_peek(a)->kind != (i == V3D_QPU_LANES - 1 ? ']' : ','))
			qasm_fail(a, qasm_peek(a)->at, "a list has 16 elements, with ',' between");
	}
	a->lang.inside--;
	if (least < 0 && most > 1)
		qasm_fail(a, at, "elements are -2 to 1, or 0 to 3");
	qasm_advance(&a->lang);
	value.integer |= most > 1 ? INT64_C(1) << 32 : 0;
	return value;
}

bool qasm_primary(struct lang *l, struct lang_value *value)
{
	const struct lang_token *token = l->now;
	const struct qasm_symbol *label;
	struct qasm *a = qasm_of(l);

	if (token->kind == '[') {
		*value = elements(a);
		return true;
	}
	if (token->kind == '.') {
		qasm_advance(l);
		*value = here(a);
		return true;
	}
	if (token->kind != LANG_LABEL)
		return false;
	qasm_advance(l);
	label = qasm_find_label(a, token);
	*value = label ? label->value : not_known(a, token);
	return true;
}

/*
 * "brr label + ra3", "mov r0, 4 >> 3": the register and the rotation are not the expression's.
 * vc4asm has no rotation behind a half, but one of an operand.
 */
bool qasm_ends(const struct lang *l)
{
	struct qasm *a = qasm_of((struct lang *)l);
	struct qasm_register reg;

	if (l->now->kind == '+')
		return l->now[1].kind == LANG_WORD && qasm_names_register(a, l->now + 1, &reg) &&
		       reg.place == V3DCL_QPU_FILE_A;
	return l->now->kind == LANG_SHR && a->operand && !l->inside && !a->vc4asm;
}

bool qasm_expression(struct qasm *a, struct lang_value *value)
{
	*value = lang_expression(&a->lang);
	return !a->lang.status;
}

bool qasm_fits_word(struct qasm *a, const char *at, const struct lang_value *value)
{
	if (!lang_is_number(value))
		return qasm_fail(a, at, "a number is expected here, not %s", lang_kind_text(value));
	if (lang_is_integer(value) && (value->integer < INT32_MIN || value->integer > UINT32_MAX))
		return qasm_fail(a, at, "0x%llx does not fit 32 bits",
				 (unsigned long long)value->integer);
	return true;
}

bool qasm_word(struct qasm *a, uint32_t *word)
{
	const char *at = qasm_peek(a)->at;
	struct lang_value value;

	if (!qasm_expression(a, &value) || !qasm_fits_word(a, at, &value))
		return false;
	*word = lang_as_bits(&value);
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
