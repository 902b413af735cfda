// SPDX-License-Identifier: MIT
/*
 * Expressions: C's operators with C's precedence, on 64-bit integers, doubles, and addresses, which a number may be added to.
 * Integers wrap. What is no whole number is a double; / of integers is that of C.
 */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "../../base/helpers.h"
#include "script.h"

double script_as_real(const struct script_value *value)
{
	uint32_t bits = value->integer;
	float f;

	if (value->kind == SCRIPT_REAL)
		return value->real;
	if (value->kind == SCRIPT_INTEGER)
		return value->integer;
	memcpy(&f, &bits, sizeof(f));
	return f;
}

static struct script_value integer(int64_t value)
{
	return (struct script_value){ .kind = SCRIPT_INTEGER, .integer = value };
}

static struct script_value real(double value)
{
	return (struct script_value){ .kind = SCRIPT_REAL, .real = value };
}

/* Deeper expressions would only exhaust the stack. */
static bool enter(struct script_reader *r)
{
	if (r->depth >= SCRIPT_MOST_DEPTH)
		script_fail(r, -E2BIG, r->now.at, "more than %d levels inside each other", SCRIPT_MOST_DEPTH);
	r->depth++;
	return !r->code;
}

static struct script_value parenthesis(struct script_reader *r)
{
	const struct cl_choice *choices = r->choices;
	struct script_value value;

	r->inside++;
	script_next(r);
	value = script_expression(r);
	r->inside--;
	r->choices = choices;
	script_need_sign(r, ")");
	return value;
}

/* Where a field has names for its values, these are told */
static void unknown(struct script_reader *r, const struct script_token *name)
{
	const struct cl_choice *choice;
	struct v3dcl_buffer names = { 0 };

	for (choice = r->choices; choice && choice->name; choice++)
		v3dcl_buffer_printf(&names, "%s%s", choice == r->choices ? "; values here are " : ", ", choice->name);
	script_fail(r, -EINVAL, name->at, "%.*s is not the name of anything yet%s", (int)(name->length < 40 ? name->length : 40),
		    r->script->source + name->at, names.failed || !names.bytes ? "" : (const char *)names.bytes);
	v3dcl_buffer_free(&names);
}

static struct script_value named(struct script_reader *r)
{
	struct script_value value = integer(0);
	struct script_token name = r->now;

	script_next(r);
	if (script_sign(r, "("))
		return script_function(r, name.at, name.length);
	if (!script_find(r, r->script->source + name.at, name.length, &value))
		unknown(r, &name);
	return value;
}

static struct script_value unary(struct script_reader *r);

static struct script_value negated(struct script_reader *r, unsigned int sign, size_t at)
{
	struct script_value value = unary(r);

	if (value.kind == SCRIPT_REAL && sign == '-')
		return real(-value.real);
	if (value.kind != SCRIPT_INTEGER) {
		script_fail(r, -EINVAL, at, "that takes a%s number", sign == '-' ? "" : " whole");
		return value;
	}
	return integer(sign == '-' ? (int64_t)-(uint64_t)value.integer : sign == '~' ? ~value.integer : !value.integer);
}

static struct script_value unary(struct script_reader *r)
{
	struct script_value value = r->now.value;
	unsigned int sign = r->now.sign;
	size_t at = r->now.at;

	if (!enter(r))
		return integer(0);
	if (script_take_sign(r, "-") || script_take_sign(r, "~") || script_take_sign(r, "!")) {
		value = negated(r, sign, at);
	} else if (script_take_sign(r, "+")) {
		value = unary(r);
	} else if (script_sign(r, "(")) {
		value = parenthesis(r);
	} else if (r->now.kind == TOKEN_NAME) {
		value = named(r);
	} else if (r->now.kind == TOKEN_INTEGER || r->now.kind == TOKEN_REAL) {
		script_next(r);
	} else {
		script_fail(r, -EINVAL, at, "expected a value here");
	}
	r->depth--;
	return value;
}

/* By sign: how tightly it binds */
static const struct operator {
	char sign[3];
	int level;
} operators[] = {
	{ "||", 1 }, { "&&", 2 }, { "|", 3 }, { "^", 4 }, { "&", 5 }, { "==", 6 }, { "!=", 6 }, { "<=", 7 }, { ">=", 7 }, { "<",
	7 },
	{ ">", 7 }, { "<<", 8 }, { ">>", 8 }, { "+", 9 }, { "-", 9 }, { "*", 10 }, { "/", 10 }, { "%", 10 },
};

static const struct operator *operator_here(const struct script_reader *r)
{
	size_t i;

	for (i = 0; i < COUNT(operators); i++) {
		if (script_sign(r, operators[i].sign))
			return &operators[i];
	}
	return NULL;
}

static struct script_value divided(struct script_reader *r, bool remainder, int64_t a, int64_t b, size_t at)
{
	if (!b) {
		script_fail(r, -EINVAL, at, "a division by zero");
		return integer(0);
	}
	if (b == -1)					/* the one quotient that may not fit */
		return integer(remainder ? 0 : (int64_t)-(uint64_t)a);
	return integer(remainder ? a % b : a / b);
}

static struct script_value of_integers(struct script_reader *r, unsigned int sign, int64_t a, int64_t b, size_t at)
{
	switch (sign) {
	case '+':
		return integer((int64_t)((uint64_t)a + (uint64_t)b));
	case '-':
		return integer((int64_t)((uint64_t)a - (uint64_t)b));
	case '*':
		return integer((int64_t)((uint64_t)a * (uint64_t)b));
	case '/':
	case '%':
		return divided(r, sign == '%', a, b, at);
	case '&':
		return integer(a & b);
	case '|':
		return integer(a | b);
	case '^':
		return integer(a ^ b);
	case '<' | '<' << 8:
		return integer(b < 0 || b > 63 ? 0 : (int64_t)((uint64_t)a << b));
	case '>' | '>' << 8:
		return integer(a >> (b < 0 || b > 63 ? 63 : b));
	case '&' | '&' << 8:
		return integer(a && b);
	default:
		return integer(a || b);
	}
}

static bool compared(unsigned int sign, double a, double b)
{
	switch (sign) {
	case '<':
		return a < b;
	case '>':
		return a > b;
	case '<' | '=' << 8:
		return a <= b;
	case '>' | '=' << 8:
		return a >= b;
	case '=' | '=' << 8:
		return a == b;
	default:
		return a != b;
	}
}

static bool compared_integers(unsigned int sign, int64_t a, int64_t b)
{
	return compared(sign, a < b ? -1 : a > b, 0);
}

static bool is_comparison(int level)
{
	return level == 6 || level == 7;
}

static struct script_value of_reals(struct script_reader *r, unsigned int sign, double a, double b, size_t at)
{
	switch (sign) {
	case '+':
		return real(a + b);
	case '-':
		return real(a - b);
	case '*':
		return real(a * b);
	case '/':
		return real(a / b);
	default:
		script_fail(r, -EINVAL, at, "that takes whole numbers");
		return real(0);
	}
}

/* A number may be added to an address or subtracted from it, and two in the same thing have a distance. */
static struct script_value of_addresses(struct script_reader *r, unsigned int sign, struct script_value a, struct script_value b,
					size_t at)
{
	if (a.kind == SCRIPT_ADDRESS && b.kind == SCRIPT_ADDRESS) {
		if (sign == '-' && a.thing == b.thing)
			return integer(a.integer - b.integer);
	} else if (a.kind == SCRIPT_ADDRESS && b.kind == SCRIPT_INTEGER && (sign == '+' || sign == '-')) {
		a.integer = (int64_t)((uint64_t)a.integer + (sign == '+' ? (uint64_t)b.integer : -(uint64_t)b.integer));
		return a;
	} else if (a.kind == SCRIPT_INTEGER && sign == '+') {
		b.integer = (int64_t)((uint64_t)b.integer + (uint64_t)a.integer);
		return b;
	}
	script_fail(r, -EINVAL, at, "an address can only have a whole number added");
	return integer(0);
}

static struct script_value combine(struct script_reader *r, const struct operator *op, struct script_value a, struct script_value b,
				   size_t at)
{
	unsigned int sign = (unsigned char)op->sign[0] | (unsigned int)(unsigned char)op->sign[1] << 8;

	if (a.kind == SCRIPT_ADDRESS || b.kind == SCRIPT_ADDRESS)
		return of_addresses(r, sign, a, b, at);
	if (a.kind == SCRIPT_INTEGER && b.kind == SCRIPT_INTEGER) {
		if (is_comparison(op->level))
			return integer(compared_integers(sign, a.integer, b.integer));
		return of_integers(r, sign, a.integer, b.integer, at);
	}
	if (is_comparison(op->level))
		return integer(compared(sign, script_as_real(&a), script_as_real(&b)));
	return of_reals(r, sign, script_as_real(&a), script_as_real(&b), at);
}

static struct script_value binary(struct script_reader *r, int level)
{
	struct script_value left = unary(r), right;
	const struct operator *op;
	size_t at;

	while ((op = operator_here(r)) && op->level >= level) {
		at = r->now.at;
		script_next(r);
		if (!enter(r))
			return left;
		right = binary(r, op->level + 1);
		r->depth--;
		if (!r->code)
			left = combine(r, op, left, right, at);
	}
	return left;
}

/** script_expression() - a value: any, and 0 after an error */
struct script_value script_expression(struct script_reader *r)
{
	struct script_value value, yes, no;
	size_t at;

	if (!enter(r))
		return integer(0);
	value = binary(r, 1);
	at = r->now.at;
	if (script_take_sign(r, "?")) {
		yes = script_expression(r);
		script_need_sign(r, ":");
		no = script_expression(r);
		if (value.kind == SCRIPT_ADDRESS)
			script_fail(r, -EINVAL, at, "an address is neither true nor false");
		value = script_as_real(&value) != 0 ? yes : no;
	}
	r->depth--;
	return value;
}

/** script_integer() - a whole number within bounds */
int64_t script_integer(struct script_reader *r, int64_t least, int64_t most)
{
	size_t at = r->now.at;
	struct script_value value = script_expression(r);

	if (value.kind != SCRIPT_INTEGER)
		script_fail(r, -EINVAL, at, "expected a whole number here");
	else if (value.integer < least || value.integer > most)
		script_fail(r, -EINVAL, at, "%" PRId64 " is not from %" PRId64 " to %" PRId64, value.integer, least, most);
	return r->code ? least : value.integer;
}

double script_real(struct script_reader *r)
{
	size_t at = r->now.at;
	struct script_value value = script_expression(r);

	if (value.kind == SCRIPT_ADDRESS)
		script_fail(r, -EINVAL, at, "expected a number here");
	return r->code ? 0 : script_as_real(&value);
}

/** script_place() - a place in memory or in a program, behind its last byte at most */
struct script_value script_place(struct script_reader *r)
{
	size_t at = r->now.at;
	struct script_value value = script_expression(r);

	if (value.kind != SCRIPT_ADDRESS || value.thing == SCRIPT_FRAME_MEMORY)
		script_fail(r, -EINVAL, at, "expected a place in a buffer here");
	else if (value.integer < 0 || value.integer > script_size(r, value.thing))
		script_fail(r, -EINVAL, at, "byte %" PRId64 " is outside of %s, which has %u bytes", value.integer,
			    script_called(r, value.thing), script_size(r, value.thing));
	if (r->code)
		value = (struct script_value){ .kind = SCRIPT_ADDRESS };
	return value;
}
