/* SPDX-License-Identifier: MIT */
/*
 * Tables of the guide, typed as text, and reading them. A row of fields reads "15 CTRSTA W; 14:12
 * CTSEMA R": bits as the guide prints them, name, and sometimes one word more.
 */
#ifndef UAPI_TESTS_ROWS_H
#define UAPI_TESTS_ROWS_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <v3d/types.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* A field of a row: bits of the guide, highest first */
struct row_field {
	unsigned int high, low;
	char name[40], rest[16];
};

/* The next field of a row, or false at its end */
static inline bool row_next(const char **row, struct row_field *field)
{
	const char *end;
	char *after, text[80] = "";
	size_t length;

	while (**row == ' ' || **row == ';')
		++*row;
	if (!**row)
		return false;
	end = strchr(*row, ';');
	length = end ? (size_t)(end - *row) : strlen(*row);
	assert_true(length < sizeof(text));
	memcpy(text, *row, length);
	*row += length;
	field->high = strtoul(text, &after, 10);
	field->low = *after == ':' ? strtoul(after + 1, &after, 10) : field->high;
	field->rest[0] = 0;
	assert_true(sscanf(after, "%39s %15s", field->name, field->rest) >= 1);
	return true;
}

static inline unsigned int row_count(const char *row)
{
	struct row_field field;
	unsigned int n = 0;

	while (row_next(&row, &field))
		n++;
	return n;
}

/* Bytes that look random and are the same in each run */
static inline uint32_t row_random(uint32_t *state)
{
	*state = *state * 1664525 + 1013904223;
	return *state >> 8 ^ *state << 13;
}

#endif /* UAPI_TESTS_ROWS_H */
