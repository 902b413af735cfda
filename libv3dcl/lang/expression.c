// SPDX-License-Identifier: MIT
/*
 * Expressions: C's operators with C's precedence, on integers of 64 bits, which wrap, on doubles,
 * and on addresses, which a number may be added to. An integer meets a double as a double.
 */
#include <errno.h>
#include <math.h>
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
		{ LANG_OR, 1 },	 { LANG_XOR, 2 },  { LANG_AND, 3 }, { '|', 4 },
		{ '^', 5 },	 { '&', 6 },	   { LANG_EQ, 7 },  { LANG_NE, 7 },
		{ '<', 8 },	 { '>', 8 },	   { LANG_LE, 8 },  { LANG_GE, 8 },
		{ LANG_SHL, 9 }, { LANG_SHR, 9 },  { LANG_SHR_ZEROS, 9 },
		{ '+', 10 },	 { '-', 10 },	   { '*', 11 },	    { '/', 11 },
		{ '%', 11 },	 { LANG_POWER, 12 },
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
	case LANG_POWER:
		return lang_real(pow(x, y));
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

static int64_t shifted(unsigned int op, uint64_t x, uint64_t by)
{
	if (by > 63)
		return op != LANG_SHR || (int64_t)x >= 0 ? 0 : -1;
	if (op == LANG_SHR)
		return (int64_t)x >> by;
	return op == LANG_SHL ? x << by : x >> by;
}

/* It wraps; of a negative power nothing is left but what 1 and -1 have */
static int64_t power(int64_t x, int64_t n)
{
	uint64_t result = 1, square = x;

	if (n < 0)
		return x == 1 || (x == -1 && !(n & 1)) ? 1 : x == -1 ? -1 : 0;
	for (; n; n >>= 1, square *= square)
		result *= n & 1 ? square : 1;
	return result;
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
	case LANG_SHR_ZEROS:
		return shifted(op->kind, x, y);
	case LANG_POWER:
		return power(x, y);
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

/*
 * 1 / 3 with both numbers written out is a slip where a real one is meant; i / 8 may be an index.
 * What only whole numbers have, such as '%', wants them whole.
 */
static bool is_cut(const struct lang_token *op, const struct lang_value *x,
		   const struct lang_value *y)
{
	if (x->cut || y->cut)
		return op->kind == '+' || op->kind == '-' || op->kind == '*' || op->kind == '/';
	return op->kind == '/' && !op->frame && x->written && y->written && y->integer &&
	       y->integer != -1 && x->integer % y->integer;
}

/* Of what an expression compares, the first that is not so is kept, else the last */
static void remember(struct lang *l, const struct lang_token *op, const struct lang_value *x,
		     const struct lang_value *y, const struct lang_value *result)
{
	switch (op->kind) {
	case '<':
	case '>':
	case LANG_LE:
	case LANG_GE:
	case LANG_EQ:
	case LANG_NE:
		if (!l->compared.op || l->compared.so)
			l->compared = (struct lang_compared){ op->at, op->length, *x, *y,
							      lang_is_true(result) };
	}
}

static struct lang_value operate(struct lang *l, const struct lang_token *op,
				 const struct lang_value *x, const struct lang_value *y)
{
	const bool unknown = x->unknown || y->unknown;
	struct lang_value value;

	if (x->kind >= LANG_REGISTER || y->kind >= LANG_REGISTER)
		return l->level->operate(l, op, x, y);
	if (x->kind == LANG_ADDRESS || y->kind == LANG_ADDRESS)
		return of_addresses(l, op, *x, *y);
	if (op->kind == LANG_AND)
		value = lang_integer(lang_is_true(x) && lang_is_true(y));
	else if (op->kind == LANG_OR)
		value = lang_integer(lang_is_true(x) || lang_is_true(y));
	else if (op->kind == LANG_XOR)
		value = lang_integer(lang_is_true(x) != lang_is_true(y));
	else if (x->kind == LANG_REAL || y->kind == LANG_REAL)
		value = of_reals(l, op, lang_as_real(x), lang_as_real(y));
	else
		value = lang_integer(of_integers(l, op, x->integer, y->integer, unknown));
	value.unknown = unknown;
	value.cut = is_cut(op, x, y);
	remember(l, op, x, y, &value);
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
	struct lang_value value;

	if (l->now->kind == '(')
		return l->level->call && l->level->call(l, name, &value) ? value :
									    lang_function(l, name);
	for (choice = l->choices; choice && choice->name; choice++)
		if (same_text(choice->name, name->at, name->length))
			return lang_integer(choice->value);
	return l->level->resolve(l, name);
}

static struct lang_value primary(struct lang *l)
{
	const struct lang_token token = *l->now;
	struct lang_value value;

	if (token.kind == '(')
		return parenthesis(l);
	if (l->level->primary && l->level->primary(l, &value))
		return value;
	switch (token.kind) {
	case LANG_INT:
	case LANG_FLOAT:
	case LANG_WORD:
		l->level->advance(l);
		break;
	default:
		lang_fail(l, -EINVAL, token.at,
			  "a number, a name or an expression is expected here");
		return lang_integer(0);
	}
	if (token.kind == LANG_WORD)
		return named(l, &token);
	if (token.kind == LANG_INT)
		return (struct lang_value){ .integer = token.integer, .written = true };
	return lang_real(token.real);
}

/* It wraps: there is no positive number that the least is the negative of. */
static int64_t negative(int64_t value)
{
	return -(uint64_t)value;
}

static struct lang_value signed_value(struct lang *l, const struct lang_token *op,
				      struct lang_value value)
{
	const struct lang_value before = value;

	if (op->kind == '+')
		return value;
	if (!lang_is_number(&value))
		lang_fail(l, -EINVAL, op->at, "'%c' takes a number, not %s", op->kind,
			  lang_kind_text(&value));
	else if (op->kind == '~' && value.kind == LANG_REAL)
		for_integers(l, op);
	else if (op->kind == '-' && value.kind == LANG_REAL)
		value = lang_real(-value.real);
	else if (op->kind == '!')
		value = lang_integer(!lang_is_true(&value));
	else
		value = lang_integer(op->kind == '~' ? ~value.integer : negative(value.integer));
	value.unknown = before.unknown;
	value.written = before.written;
	value.cut = before.cut;
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
		if (!lang_is_number(&value))
			lang_fail(l, -EINVAL, at, "%s is neither true nor false",
				  lang_kind_text(&value));
		yes.unknown |= value.unknown;
		no.unknown |= value.unknown;
		value = lang_is_true(&value) ? yes : no;
	}
	l->depth--;
	return l->status ? lang_integer(0) : value;
}
