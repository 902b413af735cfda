// SPDX-License-Identifier: MIT
/* What came out, compared with what the text expects. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "run.h"

#define MOST_WORDS 64 /* of a number, as text */

/* An element of what is expected: a number, or a byte of what is none */
struct element {
	const struct script_type *type;
	uint32_t at;
};

/* Goes through the elements */
struct walk {
	const struct script_expect *expect;
	const struct script_elements *now, *end;
	uint32_t at;
};

static const struct script_type byte = { "u8", 1, SCRIPT_UNSIGNED };
static const struct script_type single = { "f32", 4, SCRIPT_F32 };

static struct walk walk(const struct script_expect *expect)
{
	const struct script_elements *first = (const void *)expect->elements.bytes;

	return (struct walk){ .expect = expect,
			      .now = first,
			      .end = first + expect->elements.size / sizeof(*first) };
}

/* Return: false: there is none */
static bool next(struct walk *w, struct element *element)
{
	const enum script_comparison how = w->expect->how;

	if (w->at >= w->expect->bytes.size)
		return false;
	*element = (struct element){ &byte, w->at };
	if (how == SCRIPT_WITHIN || how == SCRIPT_ULPS) {
		element->type = &single;
	} else if (how == SCRIPT_EXACT) {
		while (w->now < w->end && w->at >= w->now->at + w->now->count * w->now->type->size)
			w->now++;
		if (w->now < w->end && w->at >= w->now->at)
			element->type = w->now->type;
	}
	w->at += element->type->size;
	return true;
}

static uint64_t bits_of(const uint8_t *bytes, uint32_t size)
{
	uint64_t bits = 0;

	while (size--)
		bits = bits << 8 | bytes[size];
	return bits;
}

static float single_of(uint64_t bits)
{
	const uint32_t word = bits;
	float value;

	memcpy(&value, &word, sizeof(value));
	return value;
}

/* IEEE 754 binary16 */
static double half_of(uint64_t bits)
{
	const int exponent = bits >> 10 & 0x1f;
	const double fraction = bits & 0x3ff;
	double value = exponent ? ldexp(1024 + fraction, exponent - 25) : ldexp(fraction, -24);

	if (exponent == 0x1f)
		value = fraction != 0 ? NAN : INFINITY;
	return bits >> 15 & 1 ? -value : value;
}

static int64_t signed_of(uint64_t bits, uint32_t size)
{
	const unsigned int unused = 64 - 8 * size;

	return (int64_t)(bits << unused) >> unused;
}

/* A number in words, with its bits */
static void tell(char *text, const struct script_type *type, uint64_t bits)
{
	const int digits = 2 * type->size;
	double real;

	switch (type->kind) {
	case SCRIPT_UNSIGNED:
		snprintf(text, MOST_WORDS, "0x%0*llx = %llu", digits, (unsigned long long)bits,
			 (unsigned long long)bits);
		return;
	case SCRIPT_SIGNED:
		snprintf(text, MOST_WORDS, "0x%0*llx = %lld", digits, (unsigned long long)bits,
			 (long long)signed_of(bits, type->size));
		return;
	case SCRIPT_F32:
		real = single_of(bits);
		break;
	case SCRIPT_F16:
		real = half_of(bits);
		break;
	case SCRIPT_F187:
		real = single_of(bits << 16);
		break;
	default:
		real = signed_of(bits, type->size) / 16.0;
	}
	snprintf(text, MOST_WORDS, "0x%0*llx = %.9g", digits, (unsigned long long)bits, real);
}

/* A float's place among all of them in order; both zeros have the same */
static int64_t rank(uint32_t bits)
{
	return bits >> 31 ? -(int64_t)(bits & 0x7fffffff) : (int64_t)bits;
}

static bool is_good(const struct script_expect *expect, uint64_t is, uint64_t should)
{
	const double a = single_of(is), b = single_of(should);

	switch (expect->how) {
	case SCRIPT_WITHIN:
		return fabs(a - b) <= expect->within;
	case SCRIPT_ULPS:
		return !isnan(a) && !isnan(b) &&
		       (double)llabs(rank(is) - rank(should)) <= expect->within;
	case SCRIPT_NEAR:
		return fabs((double)is - (double)should) <= expect->within;
	default:
		return is == should;
	}
}

static void tell_tolerance(char *text, size_t room, const struct script_expect *expect)
{
	text[0] = 0;
	if (expect->how == SCRIPT_WITHIN)
		snprintf(text, room, " within %g", expect->within);
	else if (expect->how == SCRIPT_ULPS)
		snprintf(text, room, " within %g ulps", expect->within);
	else if (expect->how == SCRIPT_NEAR)
		snprintf(text, room, ", give or take %g", expect->within);
}

/**
 * struct difference - what is not as expected
 * @first: element that differs
 * @number: of it, from 0
 * @count: of all elements
 * @differ: of these
 */
struct difference {
	struct element first;
	uint32_t number, count, differ;
};

static int say(struct run *run, const struct script_expect *expect, const uint8_t *bytes,
	       const struct difference *d)
{
	const struct script_type *type = d->first.type;
	char is[MOST_WORDS], should[MOST_WORDS], tolerance[MOST_WORDS];

	tell(is, type, bits_of(bytes + d->first.at, type->size));
	tell(should, type, bits_of(expect->bytes.bytes + d->first.at, type->size));
	tell_tolerance(tolerance, sizeof(tolerance), expect);
	return v3dcl_fail(run->error, -EBADMSG,
			  "byte %u of %.100s is %s, expected was %s%s "
			  "(element %u, %s; %u of %u differ%s)",
			  expect->offset + d->first.at, run->script->things[expect->thing].name, is,
			  should, tolerance, d->number, type->name, d->differ, d->count,
			  d->differ == 1 ? "s" : "");
}

/* Compares memory with what the text expects. Return: -EBADMSG: it is something else */
int run_expect(struct run *run, const struct script_expect *expect)
{
	struct walk w = walk(expect);
	struct difference d = { 0 };
	struct element element;
	uint8_t *bytes;
	int ret = run_memory(run, expect->thing, &bytes);

	if (ret)
		return ret;
	bytes += expect->offset;
	for (; next(&w, &element); d.count++) {
		if (is_good(expect, bits_of(bytes + element.at, element.type->size),
			    bits_of(expect->bytes.bytes + element.at, element.type->size)))
			continue;
		if (!d.differ++) {
			d.first = element;
			d.number = d.count;
		}
	}
	return d.differ ? say(run, expect, bytes, &d) : 0;
}
