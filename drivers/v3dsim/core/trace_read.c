// SPDX-License-Identifier: MIT
/* What is traced, as people write it: see v3dsim_trace.h. */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <v3d/qpu.h>
#include <v3d/regs.h>

#include "trace.h"

/* A text being read: @at; where what is wrong goes */
struct reader {
	const char *at;
	struct v3dsim_tracing *tracing;
	char *error;
	size_t size;
};

__attribute__((format(printf, 2, 3)))
static bool wrong(const struct reader *r, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	if (r->size)
		vsnprintf(r->error, r->size, format, args);
	va_end(args);
	return false;
}

/* A number up to @most, decimal or 0x hexadecimal */
static bool take_number(struct reader *r, uint32_t most, uint32_t *number)
{
	const bool hexadecimal = r->at[0] == '0' && (r->at[1] | 0x20) == 'x';
	const char *digits = r->at + (hexadecimal ? 2 : 0);
	unsigned long long value;
	char *end;

	if (!strchr(hexadecimal ? "0123456789abcdefABCDEF" : "0123456789", *digits) || !*digits)
		return false;
	errno = 0;
	value = strtoull(digits, &end, hexadecimal ? 16 : 10);
	if (errno || value > most)
		return false;
	r->at = end;
	*number = value;
	return true;
}

static bool take_sign(struct reader *r, char sign)
{
	if (*r->at != sign)
		return false;
	r->at++;
	return true;
}

/* N or FIRST-LAST */
static bool take_range(struct reader *r, uint32_t most, uint32_t range[2])
{
	if (!take_number(r, most, &range[0]))
		return false;
	range[1] = range[0];
	return !take_sign(r, '-') || (take_number(r, most, &range[1]) && range[0] <= range[1]);
}

/* Ranges joined by '+', a bit for each number in them */
static bool take_set(struct reader *r, uint32_t count, uint16_t *set)
{
	uint32_t range[2];

	do {
		if (!take_range(r, count - 1, range))
			return false;
		*set |= (1u << (range[1] + 1)) - (1u << range[0]);
	} while (take_sign(r, '+'));
	return true;
}

/* X:Y */
static bool take_place(struct reader *r, uint32_t place[2])
{
	return take_number(r, UINT16_MAX, &place[0]) && take_sign(r, ':') &&
	       take_number(r, UINT16_MAX, &place[1]);
}

static bool take_lanes(struct reader *r)
{
	return take_set(r, V3D_QPU_LANES, &r->tracing->lanes);
}

static bool take_qpus(struct reader *r)
{
	return take_set(r, V3D_QPUS, &r->tracing->qpus);
}

static bool take_draws(struct reader *r)
{
	return take_range(r, UINT32_MAX, r->tracing->draws);
}

static bool take_tile(struct reader *r)
{
	return take_place(r, r->tracing->tile);
}

static bool take_pixel(struct reader *r)
{
	return take_place(r, r->tracing->pixel);
}

static bool take_addresses(struct reader *r)
{
	return take_range(r, UINT32_MAX, r->tracing->addresses);
}

static const struct filter {
	const char *name;
	unsigned int bit;		/* 0: no filter */
	bool (*take)(struct reader *r);
	const char *takes;
} filters[] = {
	{ "lanes", 0, take_lanes, "elements from 0 to 15, such as lanes=0-3+8" },
	{ "draw", V3DSIM_ONLY_DRAWS, take_draws, "numbers from 0, such as draw=2 or draw=2-5" },
	{ "tile", V3DSIM_ONLY_TILE, take_tile, "column and row, such as tile=3:0" },
	{ "pixel", V3DSIM_ONLY_PIXEL, take_pixel, "x and y, such as pixel=160:100" },
	{ "qpu", V3DSIM_ONLY_QPUS, take_qpus, "numbers from 0 to 11, such as qpu=0+8-11" },
	{ "address", V3DSIM_ONLY_ADDRESSES, take_addresses,
	  "one, or the first and the last, such as address=0x1000-0x1fff" },
};

#define FILTERS (sizeof(filters) / sizeof(filters[0]))

static bool is_word(const struct reader *r, size_t length, const char *word)
{
	return strlen(word) == length && !strncmp(r->at, word, length);
}

/* NAME=...; @given: of the filters so far */
static bool take_filter(struct reader *r, size_t length, unsigned int *given)
{
	const char *item = r->at;
	const struct filter *filter;
	unsigned int n;

	for (n = 0; n < FILTERS && !is_word(r, length, filters[n].name); n++)
		;
	if (n == FILTERS)
		return wrong(r, "\"%.*s\" is none of lanes, draw, tile, pixel, qpu, address",
			     (int)length, item);
	filter = &filters[n];
	if (*given >> n & 1)
		return wrong(r, "%s is given twice", filter->name);
	*given |= 1u << n;
	r->tracing->filters |= filter->bit;
	r->at += length + 1;
	if (filter->take(r) && (!*r->at || *r->at == ','))
		return true;
	return wrong(r, "\"%.*s\": %s takes %s", (int)strcspn(item, ","), item, filter->name,
		     filter->takes);
}

static bool take_kind(struct reader *r, size_t length)
{
	static const struct {
		const char *name;
		unsigned int bit;
	} kinds[] = {
		{ "qpu", V3DSIM_TRACE_QPU }, { "cle", V3DSIM_TRACE_CLE },
		{ "mem", V3DSIM_TRACE_MEM }, { "reg", V3DSIM_TRACE_REG },
	};
	unsigned int n;

	for (n = 0; n < 4; n++) {
		if (!is_word(r, length, kinds[n].name))
			continue;
		r->tracing->kinds |= kinds[n].bit;
		r->at += length;
		return true;
	}
	return wrong(r,
		     "expected qpu, cle, mem or reg, and behind them what is wanted of them, such "
		     "as lanes=0, with commas between them; not \"%.*s\"", (int)length, r->at);
}

/* What is asked for can be there */
static bool makes_sense(const struct reader *r)
{
	const struct v3dsim_tracing *tracing = r->tracing;

	if (!tracing->kinds)
		return wrong(r, "expected a kind of lines, too: qpu, cle, mem or reg");
	if (tracing->lanes && !(tracing->kinds & V3DSIM_TRACE_QPU))
		return wrong(r, "lanes are of instructions: qpu,lanes=0");
	return true;
}

bool v3dsim_trace_read(const char *text, struct v3dsim_tracing *tracing, char *error, size_t size)
{
	struct reader r = { .at = text, .tracing = tracing, .error = error, .size = size };
	unsigned int given = 0;
	size_t length;

	*tracing = (struct v3dsim_tracing){ 0 };
	do {
		length = strcspn(r.at, ",=");
		if (!(r.at[length] == '=' ? take_filter(&r, length, &given) :
					    take_kind(&r, length)))
			return false;
	} while (take_sign(&r, ','));
	return makes_sense(&r);
}
