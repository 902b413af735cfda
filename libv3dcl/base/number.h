/* SPDX-License-Identifier: MIT */
/*
 * Numbers of command lines and of the environment: decimal, or hexadecimal behind 0x, as v3dsim's
 * are. A 0 in front changes nothing. There are neither blanks nor signs, but where a number may be
 * below 0 a '-'.
 */
#ifndef V3DCL_NUMBER_H
#define V3DCL_NUMBER_H

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static inline unsigned int number_digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	c |= 0x20;
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : 16;
}

/* The number at @text, which moves behind it. Return: false: none is there, or more than @most */
static inline bool number_take(const char **text, uint64_t most, uint64_t *value)
{
	const bool hexadecimal = (*text)[0] == '0' && ((*text)[1] | 0x20) == 'x' &&
				 number_digit((*text)[2]) < 16;
	const unsigned int base = hexadecimal ? 16 : 10;
	const char *at = *text + (hexadecimal ? 2 : 0), *first = at;
	uint64_t sum = 0;

	for (; number_digit(*at) < base; at++) {
		if (number_digit(*at) > most || sum > (most - number_digit(*at)) / base)
			return false;
		sum = sum * base + number_digit(*at);
	}
	if (at == first)
		return false;
	*text = at;
	*value = sum;
	return true;
}

/* The same, and nothing behind it */
static inline bool number_whole(const char *text, uint64_t most, uint64_t *value)
{
	return number_take(&text, most, value) && !*text;
}

/* One that may be below 0 */
static inline bool number_signed(const char **text, int64_t most, int64_t *value)
{
	const bool below = **text == '-';
	const char *at = *text + below;
	uint64_t size;

	if (!number_take(&at, most, &size))
		return false;
	*text = at;
	*value = below ? -(int64_t)size : (int64_t)size;
	return true;
}

/* One with a point or an exponent, as a text has them: -1.5, 2e-3; nothing behind it */
static inline bool number_real(const char *text, double *value)
{
	const char *first = text + (*text == '-');
	char *end;

	if (number_digit(first[*first == '.']) > 9 || first[strspn(first, "0123456789.eE+-")])
		return false;
	*value = strtod(text, &end);
	return !*end;
}

#endif /* V3DCL_NUMBER_H */
