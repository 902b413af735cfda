// SPDX-License-Identifier: MIT
/* Expressions: C's operators and precedences, integers of 64 bits and floats. */
#include <math.h>
#include <string.h>

#include "../../base/helpers.h"
#include "assembler.h"

struct level {
	uint16_t kind;
	uint8_t precedence;
};

static const struct level levels[] = {
	{ QASM_OR, 1 }, { QASM_AND, 2 }, { '|', 3 }, { '^', 4 }, { '&', 5 }, { QASM_EQ, 6 }, { QASM_NE, 6 },
	{ '<', 7 }, { '>', 7 }, { QASM_LE, 7 }, { QASM_GE, 7 }, { QASM_SHL, 8 }, { QASM_SHR, 8 },
	{ '+', 9 }, { '-', 9 }, { '*', 10 }, { '/', 10 }, { '%', 10 },
};

static bool ternary(struct qasm *a, struct qasm_value *value);

static unsigned int precedence(unsigned int kind)
{
	size_t i;

	for (i = 0; i < COUNT(levels); i++)
		if (levels[i].kind == kind)
			return levels[i].precedence;
	return 0;
}

static double real_of(const struct qasm_value *v)
{
	return v->kind == QASM_REAL ? v->real : (double)v->number;
}

static struct qasm_value real_value(double real)
{
	return (struct qasm_value){ .kind = QASM_REAL, .real = real };
}

static bool truth(const struct qasm_value *v)
{
	return v->kind == QASM_REAL ? v->real != 0 : v->number != 0;
}

static bool operate_real(struct qasm *a, const struct qasm_token *op, double x, double y, struct qasm_value *v)
{
	switch (op->kind) {
	case '+':
		*v = real_value(x + y);
		return true;
	case '-':
		*v = real_value(x - y);
		return true;
	case '*':
		*v = real_value(x * y);
		return true;
	case '/':
		*v = real_value(x / y);
		return true;
	case '<':
		*v = qasm_number(x < y);
		return true;
	case '>':
		*v = qasm_number(x > y);
		return true;
	case QASM_LE:
		*v = qasm_number(x <= y);
		return true;
	case QASM_GE:
		*v = qasm_number(x >= y);
		return true;
	case QASM_EQ:
		*v = qasm_number(x == y);
		return true;
	case QASM_NE:
		*v = qasm_number(x != y);
		return true;
	default:
		return qasm_fail(a, op->at, "'%.*s' is for integers: a float's bits are f(x)", (int)op->length, op->at);
	}
}

static int64_t shift(uint64_t x, uint64_t by, bool left)
{
	if (by > 63)
		return left || (int64_t)x >= 0 ? 0 : -1;
	return left ? (int64_t)(x << by) : (int64_t)x >> by;
}

/* Integers wrap at 64 bits. */
static bool operate_number(struct qasm *a, const struct qasm_token *op, int64_t x, int64_t y, struct qasm_value *v)
{
	switch (op->kind) {
	case '+':
		v->number = (uint64_t)x + (uint64_t)y;
		return true;
	case '-':
		v->number = (uint64_t)x - (uint64_t)y;
		return true;
	case '*':
		v->number = (uint64_t)x * (uint64_t)y;
		return true;
	case '/':
	case '%':
		if (!y)
			return v->unknown || qasm_fail(a, op->at, "division by zero");
		if (y == -1)
			v->number = op->kind == '/' ? (int64_t)-(uint64_t)x : 0;
		else
			v->number = op->kind == '/' ? x / y : x % y;
		return true;
	case '&':
		v->number = x & y;
		return true;
	case '|':
		v->number = x | y;
		return true;
	case '^':
		v->number = x ^ y;
		return true;
	case QASM_SHL:
	case QASM_SHR:
		v->number = shift(x, y, op->kind == QASM_SHL);
		return true;
	case '<':
		v->number = x < y;
		return true;
	case '>':
		v->number = x > y;
		return true;
	case QASM_LE:
		v->number = x <= y;
		return true;
	case QASM_GE:
		v->number = x >= y;
		return true;
	case QASM_EQ:
		v->number = x == y;
		return true;
	default:
		v->number = x != y;
		return true;
	}
}

static bool operate(struct qasm *a, const struct qasm_token *op, struct qasm_value *x, const struct qasm_value *y)
{
	const bool unknown = x->unknown || y->unknown;
	const bool code = op->kind == '+' ? x->code != y->code : op->kind == '-' && x->code && !y->code;
	struct qasm_value v = { .kind = QASM_NUMBER, .unknown = unknown };

	if (op->kind == QASM_AND)
		v.number = truth(x) && truth(y);
	else if (op->kind == QASM_OR)
		v.number = truth(x) || truth(y);
	else if (x->kind == QASM_REAL || y->kind == QASM_REAL ? !operate_real(a, op, real_of(x), real_of(y), &v) :
		 !operate_number(a, op, x->number, y->number, &v))
		return false;
	v.unknown = unknown;
	v.code = code && v.kind == QASM_NUMBER;
	*x = v;
	return true;
}

static float to_float(double real)
{
	return (float)real;
}

static uint32_t float_bits(double real)
{
	const float single = to_float(real);
	uint32_t bits;

	memcpy(&bits, &single, sizeof(bits));
	return bits;
}

/* '(' expression ')' */
static bool parenthesis(struct qasm *a, struct qasm_value *value)
{
	const bool operand = a->operand;

	a->operand = false;
	if (!qasm_expect(a, '(', "'('") || !ternary(a, value) || !qasm_expect(a, ')', "')'"))
		return false;
	a->operand = operand;
	return true;
}

/* f(x): the bits of a float. int(x), float(x): the other kind of number. Else a word's name. */
static bool function(struct qasm *a, const struct qasm_token *name, struct qasm_value *value)
{
	const bool operand = a->operand;
	bool known;

	a->operand = false;
	*value = qasm_number(0);
	if (!qasm_setup_word(a, name, &value->number, &known))
		return false;
	a->operand = operand;
	if (known)
		return true;
	if (!parenthesis(a, value))
		return false;
	if (qasm_is(name, "f")) {
		*value = (struct qasm_value){ .kind = QASM_NUMBER, .unknown = value->unknown,
					      .number = float_bits(real_of(value)) };
	} else if (qasm_is(name, "float")) {
		*value = (struct qasm_value){ .kind = QASM_REAL, .unknown = value->unknown, .real = real_of(value) };
	} else if (qasm_is(name, "int")) {
		if (value->kind == QASM_REAL && !(fabs(value->real) < 0x1p63))
			return qasm_fail(a, name->at, "this does not fit an integer");
		if (value->kind == QASM_REAL)
			*value = (struct qasm_value){ .kind = QASM_NUMBER, .unknown = value->unknown,
						      .number = (int64_t)value->real };
	} else {
		return qasm_fail(a, name->at, "there is no function '%.*s'", (int)(name->length < 40 ? name->length : 40),
				 name->at);
	}
	return true;
}

static bool name(struct qasm *a, const struct qasm_token *token, struct qasm_value *value)
{
	const struct qasm_symbol *symbol;

	if (a->tokens[a->next].kind == '(')
		return function(a, token, value);
	if (a->element >= 0 && qasm_is(token, "element")) {
		*value = qasm_number(a->element);
		return true;
	}
	symbol = qasm_lookup(a, token);
	if (symbol && symbol->kind != QASM_MACRO && (symbol->defined || symbol->kind != QASM_SET)) {
		*value = symbol->value;
		return true;
	}
	if (a->final)
		return qasm_unknown_name(a, token);
	*value = (struct qasm_value){ .kind = QASM_NUMBER, .unknown = true };
	return true;
}

static bool primary(struct qasm *a, struct qasm_value *value)
{
	const struct qasm_token token = *qasm_peek(a);

	switch (token.kind) {
	case QASM_INT:
		*value = qasm_number(token.number);
		break;
	case QASM_FLOAT:
		*value = real_value(token.real);
		break;
	case '.':
		*value = qasm_number(a->in_data ? a->data.size : (uint64_t)a->code_count * V3D_QPU_INSTRUCTION_BYTES);
		value->code = !a->in_data;
		break;
	case '(':
		return parenthesis(a, value);
	case QASM_WORD:
		a->next++;
		return name(a, &token, value);
	default:
		return qasm_fail(a, token.at, "a number, a name or an expression is expected here");
	}
	a->next++;
	return true;
}

static bool unary(struct qasm *a, struct qasm_value *value)
{
	const struct qasm_token op = *qasm_peek(a);
	bool ok;

	if (op.kind != '-' && op.kind != '+' && op.kind != '~' && op.kind != '!')
		return primary(a, value);
	if (++a->depth > QASM_MAX_DEPTH)
		return qasm_fail(a, op.at, "this is nested deeper than %u levels", QASM_MAX_DEPTH);
	a->next++;
	ok = unary(a, value);
	a->depth--;
	if (!ok)
		return false;
	if (op.kind == '~' && value->kind == QASM_REAL)
		return qasm_fail(a, op.at, "'~' is for integers: a float's bits are f(x)");
	if (op.kind == '!')
		*value = (struct qasm_value){ .kind = QASM_NUMBER, .unknown = value->unknown, .number = !truth(value) };
	else if (op.kind == '~')
		value->number = ~value->number;
	else if (op.kind == '-' && value->kind == QASM_REAL)
		value->real = -value->real;
	else if (op.kind == '-')
		value->number = -(uint64_t)value->number;
	value->code &= op.kind == '+';
	return true;
}

/* "brr label + ra3": the register is not the expression's. */
static bool is_operator(const struct qasm *a)
{
	const struct qasm_token *token = qasm_peek(a);

	if ((token->kind == '+' && qasm_is_file_a(token + 1)) || (token->kind == QASM_SHR && a->operand))
		return false;
	return precedence(token->kind);
}

static bool binary(struct qasm *a, unsigned int least, struct qasm_value *value)
{
	struct qasm_value right;

	if (!unary(a, value))
		return false;
	while (is_operator(a) && precedence(qasm_peek(a)->kind) >= least) {
		const struct qasm_token op = *qasm_peek(a);

		a->next++;
		if (!binary(a, precedence(op.kind) + 1, &right) || !operate(a, &op, value, &right))
			return false;
	}
	return true;
}

static bool ternary(struct qasm *a, struct qasm_value *value)
{
	struct qasm_value yes, no;
	bool ok = true;

	if (++a->depth > QASM_MAX_DEPTH)
		return qasm_fail(a, qasm_peek(a)->at, "this is nested deeper than %u levels", QASM_MAX_DEPTH);
	if (!binary(a, 1, value))
		return false;
	if (qasm_accept(a, '?')) {
		ok = ternary(a, &yes) && qasm_expect(a, ':', "':'") && ternary(a, &no);
		if (ok) {
			yes.unknown |= value->unknown;
			no.unknown |= value->unknown;
			*value = truth(value) ? yes : no;
		}
	}
	a->depth--;
	return ok;
}

uint32_t qasm_float_bits(const struct qasm_value *value)
{
	return float_bits(real_of(value));
}

bool qasm_expression(struct qasm *a, struct qasm_value *value)
{
	return ternary(a, value);
}

bool qasm_word(struct qasm *a, uint32_t *word)
{
	const char *at = qasm_peek(a)->at;
	struct qasm_value value;

	if (!qasm_expression(a, &value))
		return false;
	*word = value.kind == QASM_REAL ? float_bits(value.real) : (uint32_t)value.number;
	if (value.kind == QASM_NUMBER && (value.number < INT32_MIN || value.number > UINT32_MAX))
		return qasm_fail(a, at, "0x%llx does not fit 32 bits", (unsigned long long)value.number);
	return true;
}

static bool take_range(struct qasm *a, const char *what, int64_t least, int64_t most, bool known, int64_t *number)
{
	const char *at = qasm_peek(a)->at;
	struct qasm_value value;

	if (!qasm_expression(a, &value))
		return false;
	if (value.kind != QASM_NUMBER)
		return qasm_fail(a, at, "%s is an integer", what);
	if (value.unknown && known)
		return qasm_fail(a, at, "%s must be known here; a name in it comes later", what);
	if (value.unknown)
		value.number = least;
	if (value.number < least || value.number > most)
		return qasm_fail(a, at, "%s is %lld; it must be %lld to %lld", what, (long long)value.number, (long long)least,
				 (long long)most);
	*number = value.number;
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
