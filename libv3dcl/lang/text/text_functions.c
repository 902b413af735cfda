// SPDX-License-Identifier: MIT
/* Functions of expressions, and set-up words by their fields. */
#include <errno.h>
#include <math.h>
#include <string.h>

#include "../../base/helpers.h"
#include "script.h"

#define MOST_ARGUMENTS 4

static struct script_value integer(int64_t value)
{
	return (struct script_value){ .kind = SCRIPT_INTEGER, .integer = value };
}

static struct script_value real(double value)
{
	return (struct script_value){ .kind = SCRIPT_REAL, .real = value };
}

static struct script_value bits(uint32_t value)
{
	return (struct script_value){ .kind = SCRIPT_BITS, .integer = value };
}

/* Of one real number */
static const struct {
	const char *name;
	double (*of)(double x);
} of_one[] = {
	{ "sin", sin }, { "cos", cos }, { "tan", tan }, { "atan", atan }, { "sqrt", sqrt }, { "exp", exp }, { "log", log },
	{ "log2", log2 }, { "floor", floor }, { "ceil", ceil }, { "round", round },
};

static struct script_value to_integer(struct script_reader *r, const struct script_value *value, size_t at)
{
	double x = script_as_real(value);

	if (value->kind == SCRIPT_INTEGER)
		return *value;
	if (!(x > -9.2e18 && x < 9.2e18)) {
		script_fail(r, -EINVAL, at, "that is too large for a whole number");
		return integer(0);
	}
	return integer((int64_t)x);
}

/* The lowest bits of a number, in the other order */
static struct script_value reversed(const struct script_value *value, const struct script_value *count)
{
	int64_t result = 0, n;

	for (n = 0; n < count->integer && n < 63; n++)
		result |= (value->integer >> n & 1) << (count->integer - 1 - n);
	return integer(result);
}

/* 0.0 to 1.0 as 0 to 255 */
static uint32_t channel(const struct script_value *value)
{
	double x = script_as_real(value);

	return x > 0 ? x < 1 ? (uint32_t)(x * 255 + 0.5) : 255 : 0;
}

static struct script_value least(const struct script_value *a, const struct script_value *b, bool most)
{
	bool less = a->kind == SCRIPT_INTEGER && b->kind == SCRIPT_INTEGER ? a->integer < b->integer :
									    script_as_real(a) < script_as_real(b);

	return less != most ? *a : *b;
}

static struct script_value absolute(const struct script_value *value)
{
	if (value->kind == SCRIPT_INTEGER)
		return integer(value->integer < 0 ? (int64_t)-(uint64_t)value->integer : value->integer);
	return real(fabs(script_as_real(value)));
}

/* What a function is called, and how many arguments it has */
enum function { F_MIN, F_MAX, F_ABS, F_POW, F_INT, F_REAL, F_BITS, F_F32, F_RGBA, F_REVERSE, F_ATAN2, F_SIZE };

static const struct {
	const char *name;
	enum function function;
	unsigned int arguments;
} functions[] = {
	{ "min", F_MIN, 2 }, { "max", F_MAX, 2 }, { "abs", F_ABS, 1 }, { "pow", F_POW, 2 }, { "int", F_INT, 1 },
	{ "real", F_REAL, 1 }, { "bits", F_BITS, 1 }, { "f32", F_F32, 1 }, { "rgba", F_RGBA, 4 }, { "reverse", F_REVERSE, 2 },
	{ "atan2", F_ATAN2, 2 }, { "size", F_SIZE, 1 },
};

static struct script_value apply(struct script_reader *r, enum function f, const struct script_value *v, size_t at)
{
	float single;
	uint32_t word;

	switch (f) {
	case F_MIN:
	case F_MAX:
		return least(&v[0], &v[1], f == F_MAX);
	case F_ABS:
		return absolute(&v[0]);
	case F_POW:
		return real(pow(script_as_real(&v[0]), script_as_real(&v[1])));
	case F_ATAN2:
		return real(atan2(script_as_real(&v[0]), script_as_real(&v[1])));
	case F_INT:
		return to_integer(r, &v[0], at);
	case F_REAL:
		return real(script_as_real(&v[0]));
	case F_BITS:
		return bits(script_bits(&v[0]));
	case F_F32:
		single = (float)script_as_real(&v[0]);
		memcpy(&word, &single, sizeof(word));
		return integer(word);
	case F_RGBA:
		return integer(channel(&v[0]) | channel(&v[1]) << 8 | channel(&v[2]) << 16 | (int64_t)channel(&v[3]) << 24);
	default:
		return reversed(&v[0], &v[1]);
	}
}

static unsigned int arguments(struct script_reader *r, struct script_value *values)
{
	unsigned int n = 0;

	r->inside++;
	script_next(r);
	while (!r->code && !script_sign(r, ")")) {
		if (n == MOST_ARGUMENTS) {
			script_fail(r, -EINVAL, r->now.at, "more values than any function takes");
			break;
		}
		values[n++] = script_expression(r);
		if (!script_sign(r, ")"))
			script_need_sign(r, ",");
	}
	r->inside--;
	script_need_sign(r, ")");
	return n;
}

static struct script_value call(struct script_reader *r, size_t function, size_t at)
{
	const struct cl_choice *choices = r->choices;
	struct script_value v[MOST_ARGUMENTS];
	unsigned int n = arguments(r, v), i;

	r->choices = choices;
	if (n != functions[function].arguments)
		script_fail(r, -EINVAL, at, "%s() takes %u value%s, not %u", functions[function].name,
			    functions[function].arguments,
			    functions[function].arguments == 1 ? "" : "s", n);
	if (r->code)
		return integer(0);
	if (functions[function].function == F_SIZE) {
		if (v[0].kind == SCRIPT_ADDRESS)
			return integer(script_size(r, v[0].thing));
		script_fail(r, -EINVAL, at, "size() is that of a buffer or program");
	}
	for (i = 0; i < n; i++) {
		if (v[i].kind == SCRIPT_ADDRESS)
			script_fail(r, -EINVAL, at, "%s() takes numbers, not addresses", functions[function].name);
	}
	return r->code ? integer(0) : apply(r, functions[function].function, v, at);
}

static struct script_value call_one(struct script_reader *r, size_t function, size_t at)
{
	struct script_value v[MOST_ARGUMENTS];
	unsigned int n = arguments(r, v);

	if (n != 1 || v[0].kind == SCRIPT_ADDRESS)
		script_fail(r, -EINVAL, at, "%s() takes one number", of_one[function].name);
	return real(r->code ? 0 : of_one[function].of(script_as_real(&v[0])));
}

/** script_function() - the value of a function whose name was read, the parenthesis is at hand */
struct script_value script_function(struct script_reader *r, size_t at, size_t length)
{
	const char *text = r->script->source + at;
	struct script_record word;
	size_t i;

	for (i = 0; i < COUNT(of_one); i++) {
		if (same_text(of_one[i].name, text, length))
			return call_one(r, i, at);
	}
	for (i = 0; i < COUNT(functions); i++) {
		if (same_text(functions[i].name, text, length))
			return call(r, i, at);
	}
	if (script_find_setup(text, length, &word))
		return bits(script_setup(r, &word));
	script_fail(r, -EINVAL, at, "there is no function of this name");
	return integer(0);
}
