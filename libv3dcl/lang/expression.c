// SPDX-License-Identifier: MIT
/*
 * Expressions: C's operators with C's precedence, on integers of 64 bits, which wrap, on doubles,
 * and on addresses, which a number may be added to. An integer meets a double as a double.
 */
#include <errno.h>
#include <string.h>

#include "../base/helpers.h"
#include "lang.h"

double lang_as_real(const struct lang_value *value)
{
	const uint32_t bits = value->integer;
	float single;

	if (value->kind == LANG_REAL)
		return value->real;
	if (value->kind != LANG_BITS)
		return value->integer;
	memcpy(&single, &bits, sizeof(single));
	return single;
}

uint32_t lang_float_bits(const struct lang_value *value)
{
	const float single = (float)lang_as_real(value);
	uint32_t bits;

	if (value->kind == LANG_BITS)
		return value->integer;
	memcpy(&bits, &single, sizeof(bits));
	return bits;
}

uint32_t lang_as_bits(const struct lang_value *value)
{
	return value->kind == LANG_REAL ? lang_float_bits(value) : (uint32_t)value->integer;
}

bool lang_is_true(const struct lang_value *value)
{
	return value->kind == LANG_REAL ? value->real != 0 : value->integer != 0;
}

/* By token: how tightly it binds */
static unsigned int precedence(unsigned int kind)
{
	static const struct {
		uint16_t kind;
		uint8_t precedence;
	} operators[] = {
		{ LANG_OR, 1 }, { LANG_AND, 2 }, { '|', 3 },	  { '^', 4 }, { '&', 5 },
		{ LANG_EQ, 6 }, { LANG_NE, 6 },	 { '<', 7 },	  { '>', 7 }, { LANG_LE, 7 },
		{ LANG_GE, 7 }, { LANG_SHL, 8 }, { LANG_SHR, 8 }, { '+', 9 }, { '-', 9 },
		{ '*', 10 },	{ '/', 10 },	 { '%', 10 },
	};
	size_t i;

	for (i = 0; i < COUNT(operators); i++)
		if (operators[i].kind == kind)
			return operators[i].precedence;
	return 0;
}

static bool for_integers(struct lang *l, const struct lang_token *op)
{
	return lang_fail(l, -EINVAL, op->at, "'%.*s' is for integers: a float's bits are f(x)",
			 (int)op->length, op->at);
}

static struct lang_value of_reals(struct lang *l, const struct lang_token *op, double x, double y)
{
	switch (op->kind) {
	case '+':
		return lang_real(x + y);
	case '-':
		return lang_real(x - y);
	case '*':
		return lang_real(x * y);
	case '/':
		return lang_real(x / y);
	case '<':
		return lang_integer(x < y);
	case '>':
		return lang_integer(x > y);
	case LANG_LE:
		return lang_integer(x <= y);
	case LANG_GE:
		return lang_integer(x >= y);
	case LANG_EQ:
		return lang_integer(x == y);
	case LANG_NE:
		return lang_integer(x != y);
	default:
		for_integers(l, op);
		return lang_integer(0);
	}
}

static int64_t shifted(uint64_t x, uint64_t by, bool left)
{
	if (by > 63)
		return left || (int64_t)x >= 0 ? 0 : -1;
	return left ? (int64_t)(x << by) : (int64_t)x >> by;
}

/* @unknown: the divisor is given later, so that its 0 means nothing */
static int64_t divided(struct lang *l, const struct lang_token *op, int64_t x, int64_t y,
		       bool unknown)
{
	if (!y) {
		if (!unknown)
			lang_fail(l, -EINVAL, op->at, "division by zero");
		return 0;
	}
	if (y == -1)			/* the one quotient that may not fit */
		return op->kind == '/' ? (int64_t)-(uint64_t)x : 0;
	return op->kind == '/' ? x / y : x % y;
}

static int64_t of_integers(struct lang *l, const struct lang_token *op, int64_t x, int64_t y,
			   bool unknown)
{
	switch (op->kind) {
	case '+':
		return (uint64_t)x + (uint64_t)y;
	case '-':
		return (uint64_t)x - (uint64_t)y;
	case '*':
		return (uint64_t)x * (uint64_t)y;
	case '/':
	case '%':
		return divided(l, op, x, y, unknown);
	case '&':
		return x & y;
	case '|':
		return x | y;
	case '^':
		return x ^ y;
	case LANG_SHL:
	case LANG_SHR:
		return shifted(x, y, op->kind == LANG_SHL);
	case '<':
		return x < y;
	case '>':
		return x > y;
	case LANG_LE:
		return x <= y;
	case LANG_GE:
		return x >= y;
	case LANG_EQ:
		return x == y;
	default:
		return x != y;
	}
}

/*
 * A number may be added to an address or subtracted from it, and two in the same thing have a
 * distance.
 */
static struct lang_value of_addresses(struct lang *l, const struct lang_token *op,
				      struct lang_value x, struct lang_value y)
{
	const uint64_t number = op->kind == '+' ? (uint64_t)y.integer : -(uint64_t)y.integer;

	if (x.kind == LANG_ADDRESS && y.kind == LANG_ADDRESS) {
		if (op->kind == '-' && x.thing == y.thing)
			return lang_integer(x.integer - y.integer);
	} else if (x.kind == LANG_ADDRESS && y.kind == LANG_INTEGER &&
		   (op->kind == '+' || op->kind == '-')) {
		x.integer = (uint64_t)x.integer + number;
		return x;
	} else if (x.kind == LANG_INTEGER && op->kind == '+') {
		y.integer = (uint64_t)y.integer + (uint64_t)x.integer;
		return y;
	}
	lang_fail(l, -EINVAL, op->at, "an address can only have a whole number added");
	return lang_integer(0);
}

/* The place of an instruction stays one when a number is added. */
static bool is_code(const struct lang_token *op, const struct lang_value *x,
		    const struct lang_value *y)
{
	return op->kind == '+' ? x->code != y->code : op->kind == '-' && x->code && !y->code;
}

static struct lang_value operate(struct lang *l, const struct lang_token *op,
				 const struct lang_value *x, const struct lang_value *y)
{
	const bool unknown = x->unknown || y->unknown;
	struct lang_value value;

	if (x->kind == LANG_ADDRESS || y->kind == LANG_ADDRESS)
		return of_addresses(l, op, *x, *y);
	if (op->kind == LANG_AND)
		value = lang_integer(lang_is_true(x) && lang_is_true(y));
	else if (op->kind == LANG_OR)
		value = lang_integer(lang_is_true(x) || lang_is_true(y));
	else if (x->kind == LANG_REAL || y->kind == LANG_REAL)
		value = of_reals(l, op, lang_as_real(x), lang_as_real(y));
	else
		value = lang_integer(of_integers(l, op, x->integer, y->integer, unknown));
	value.unknown = unknown;
	value.code = is_code(op, x, y) && value.kind == LANG_INTEGER;
	return value;
}

static struct lang_value parenthesis(struct lang *l)
{
	const struct cl_choice *choices = l->choices;
	struct lang_value value;

	l->inside++;
	lang_accept(l, '(');
	value = lang_expression(l);
	l->inside--;
	l->choices = choices;
	lang_expect(l, ')', "')'");
	return value;
}

/* A function's, one of the field at hand, or what the level knows */
static struct lang_value named(struct lang *l, const struct lang_token *name)
{
	const struct cl_choice *choice;

	if (l->now->kind == '(')
		return lang_function(l, name);
	for (choice = l->choices; choice && choice->name; choice++)
		if (same_text(choice->name, name->at, name->length))
			return lang_integer(choice->value);
	return l->level->resolve(l, name);
}

static struct lang_value primary(struct lang *l)
{
	const struct lang_token token = *l->now;

	if (token.kind == '(')
		return parenthesis(l);
	switch (token.kind) {
	case LANG_INT:
	case LANG_FLOAT:
	case LANG_WORD:
		l->level->advance(l);
		break;
	case '.':
		if (l->level->here) {
			l->level->advance(l);
			return l->level->here(l);
		}
		/* fallthrough */
	default:
		lang_fail(l, -EINVAL, token.at,
			  "a number, a name or an expression is expected here");
		return lang_integer(0);
	}
	if (token.kind == LANG_WORD)
		return named(l, &token);
	return token.kind == LANG_INT ? lang_integer(token.integer) : lang_real(token.real);
}

/* It wraps: there is no positive number that the least is the negative of. */
static int64_t negative(int64_t value)
{
	return -(uint64_t)value;
}

static struct lang_value signed_value(struct lang *l, const struct lang_token *op,
				      struct lang_value value)
{
	const bool unknown = value.unknown;

	if (op->kind == '+')
		return value;
	if (value.kind == LANG_ADDRESS)
		lang_fail(l, -EINVAL, op->at, "'%c' takes a number, not an address", op->kind);
	else if (op->kind == '~' && value.kind == LANG_REAL)
		for_integers(l, op);
	else if (op->kind == '-' && value.kind == LANG_REAL)
		value = lang_real(-value.real);
	else if (op->kind == '!')
		value = lang_integer(!lang_is_true(&value));
	else
		value = lang_integer(op->kind == '~' ? ~value.integer : negative(value.integer));
	value.unknown = unknown;
	return value;
}

static struct lang_value unary(struct lang *l)
{
	const struct lang_token op = *l->now;
	struct lang_value value;

	if (op.kind != '-' && op.kind != '+' && op.kind != '~' && op.kind != '!')
		return primary(l);
	if (!lang_enter(l))
		return lang_integer(0);
	l->level->advance(l);
	value = unary(l);
	l->depth--;
	return signed_value(l, &op, value);
}

static struct lang_value binary(struct lang *l, unsigned int least)
{
	struct lang_value left = unary(l), right;

	while (!l->status && precedence(l->now->kind) >= least && !l->level->ends(l)) {
		const struct lang_token op = *l->now;

		l->level->advance(l);
		right = binary(l, precedence(op.kind) + 1);
		if (!l->status)
			left = operate(l, &op, &left, &right);
	}
	return left;
}

struct lang_value lang_expression(struct lang *l)
{
	struct lang_value value, yes, no;
	const char *at;

	if (!lang_enter(l))
		return lang_integer(0);
	value = binary(l, 1);
	at = l->now->at;
	if (lang_accept(l, '?')) {
		yes = lang_expression(l);
		lang_expect(l, ':', "':'");
		no = lang_expression(l);
		if (value.kind == LANG_ADDRESS)
			lang_fail(l, -EINVAL, at, "an address is neither true nor false");
		yes.unknown |= value.unknown;
		no.unknown |= value.unknown;
		value = lang_is_true(&value) ? yes : no;
	}
	l->depth--;
	return l->status ? lang_integer(0) : value;
}
