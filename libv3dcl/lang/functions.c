// SPDX-License-Identifier: MIT
/* Functions of expressions. */
#include <errno.h>
#include <math.h>
#include <sys/param.h>

#include "../base/helpers.h"
#include "lang.h"

#define MOST_ARGUMENTS 4

/* Of one real number */
static const struct {
	const char *name;
	double (*of)(double x);
} of_one[] = {
	{ "sin", sin }, { "cos", cos }, { "tan", tan }, { "atan", atan }, { "sqrt", sqrt },
	{ "exp", exp }, { "log", log }, { "log2", log2 }, { "floor", floor }, { "ceil", ceil },
	{ "round", round },
};

/* What a function is called, and how many arguments it has */
enum function {
	F_MIN, F_MAX, F_ABS, F_POW, F_INT, F_REAL, F_BITS, F_F32, F_RGBA, F_REVERSE, F_ATAN2, F_SIZE
};

static const struct named_function {
	const char *name;
	enum function function;
	unsigned int arguments;
} functions[] = {
	{ "min", F_MIN, 2 }, { "max", F_MAX, 2 }, { "abs", F_ABS, 1 }, { "pow", F_POW, 2 },
	{ "int", F_INT, 1 }, { "real", F_REAL, 1 }, { "float", F_REAL, 1 }, { "bits", F_BITS, 1 },
	{ "f32", F_F32, 1 }, { "f", F_F32, 1 }, { "rgba", F_RGBA, 4 }, { "reverse", F_REVERSE, 2 },
	{ "atan2", F_ATAN2, 2 }, { "size", F_SIZE, 1 },
};

static struct lang_value to_integer(struct lang *l, const struct lang_value *value, const char *at)
{
	const double x = lang_as_real(value);

	if (value->kind == LANG_INTEGER)
		return lang_integer(value->integer);
	if (!(fabs(x) < 0x1p63)) {
		lang_fail(l, -EINVAL, at, "this does not fit an integer");
		return lang_integer(0);
	}
	return lang_integer((int64_t)x);
}

/* The lowest bits of a number, in the other order */
static struct lang_value reversed(const struct lang_value *value, const struct lang_value *count)
{
	int64_t result = 0, n;

	for (n = 0; n < count->integer && n < 63; n++)
		result |= (value->integer >> n & 1) << (count->integer - 1 - n);
	return lang_integer(result);
}

/* 0.0 to 1.0 as 0 to 255 */
static uint32_t channel(const struct lang_value *value)
{
	const double x = lang_as_real(value);

	return x > 0 ? x < 1 ? (uint32_t)(x * 255 + 0.5) : 255 : 0;
}

static struct lang_value least(const struct lang_value *a, const struct lang_value *b, bool most)
{
	const bool reals = a->kind == LANG_REAL || b->kind == LANG_REAL;
	const bool less = reals ? lang_as_real(a) < lang_as_real(b) : a->integer < b->integer;

	return less != most ? *a : *b;
}

static struct lang_value absolute(const struct lang_value *value)
{
	if (value->kind == LANG_REAL)
		return lang_real(fabs(value->real));
	/* Of the least there is none that fits: it stays. */
	return lang_integer(value->integer < 0 ? -(uint64_t)value->integer
					       : (uint64_t)value->integer);
}

static struct lang_value apply(struct lang *l, enum function f, const struct lang_value *v,
			       const char *at)
{
	switch (f) {
	case F_MIN:
	case F_MAX:
		return least(&v[0], &v[1], f == F_MAX);
	case F_ABS:
		return absolute(&v[0]);
	case F_POW:
		return lang_real(pow(lang_as_real(&v[0]), lang_as_real(&v[1])));
	case F_ATAN2:
		return lang_real(atan2(lang_as_real(&v[0]), lang_as_real(&v[1])));
	case F_INT:
		return to_integer(l, &v[0], at);
	case F_REAL:
		return lang_real(lang_as_real(&v[0]));
	case F_BITS:
		return lang_bits(lang_as_bits(&v[0]));
	case F_F32:
		return lang_integer(lang_float_bits(&v[0]));
	case F_RGBA:
		return lang_integer(channel(&v[0]) | channel(&v[1]) << 8 | channel(&v[2]) << 16 |
				    (int64_t)channel(&v[3]) << 24);
	default:
		return reversed(&v[0], &v[1]);
	}
}

unsigned int lang_arguments(struct lang *l, struct lang_value *values, unsigned int most,
			    bool *unknown)
{
	const struct cl_choice *choices = l->choices;
	unsigned int n = 0;

	*unknown = false;
	l->inside++;
	lang_accept(l, '(');
	while (!l->status && l->now->kind != ')') {
		if (n == most) {
			lang_fail(l, -EINVAL, l->now->at, "more values than any function takes");
			break;
		}
		values[n] = lang_expression(l);
		*unknown |= values[n++].unknown;
		if (l->now->kind != ')')
			lang_expect(l, ',', "',' or ')'");
	}
	l->inside--;
	l->choices = choices;
	lang_expect(l, ')', "')'");
	return n;
}

static bool are_numbers(struct lang *l, const struct named_function *function,
			const struct lang_value *v, const char *at)
{
	unsigned int i;

	for (i = 0; i < function->arguments; i++)
		if (!lang_is_number(&v[i]))
			return lang_fail(l, -EINVAL, at, "%s() takes numbers, not %s",
					 function->name,
					 v[i].kind == LANG_ADDRESS ? "addresses" : "registers");
	return true;
}

static struct lang_value call(struct lang *l, const struct named_function *function, const char *at)
{
	struct lang_value v[MOST_ARGUMENTS], result;
	bool unknown;
	const unsigned int n = lang_arguments(l, v, MOST_ARGUMENTS, &unknown);

	if (n != function->arguments)
		lang_fail(l, -EINVAL, at, "%s() takes %u value%s, not %u", function->name,
			  function->arguments, function->arguments == 1 ? "" : "s", n);
	if (l->status)
		return lang_integer(0);
	if (function->function == F_SIZE) {
		if (v[0].kind == LANG_ADDRESS)
			return lang_integer(l->level->size(l, v[0].thing));
		lang_fail(l, -EINVAL, at, "size() is that of a buffer or program");
		return lang_integer(0);
	}
	if (!are_numbers(l, function, v, at))
		return lang_integer(0);
	result = apply(l, function->function, v, at);
	result.unknown = unknown;
	return result;
}

static struct lang_value call_one(struct lang *l, size_t function, const char *at)
{
	struct lang_value v[MOST_ARGUMENTS], result;
	bool unknown;
	const unsigned int n = lang_arguments(l, v, MOST_ARGUMENTS, &unknown);

	if (n != 1 || !lang_is_number(&v[0]))
		lang_fail(l, -EINVAL, at, "%s() takes one number", of_one[function].name);
	if (l->status)
		return lang_integer(0);
	result = lang_real(of_one[function].of(lang_as_real(&v[0])));
	result.unknown = unknown;
	return result;
}

struct lang_value lang_function(struct lang *l, const struct lang_token *name)
{
	const struct cl_described *word = lang_find_word(name->at, name->length);
	size_t i;

	if (word)
		return lang_setup_word(l, word);
	for (i = 0; i < COUNT(of_one); i++)
		if (lang_same(of_one[i].name, name->at, name->length))
			return call_one(l, i, name->at);
	for (i = 0; i < COUNT(functions); i++)
		if (lang_same(functions[i].name, name->at, name->length))
			return call(l, &functions[i], name->at);
	lang_fail(l, -EINVAL, name->at, "there is no function '%.*s'",
		  (int)MIN(name->length, 40), name->at);
	return lang_integer(0);
}
