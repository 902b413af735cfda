// SPDX-License-Identifier: MIT
/* Tokens: numbers, words, strings, punctuation; blanks and comments between them. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/param.h>

#include "../base/helpers.h"
#include "lang.h"

/* The C library's depend on the locale */
static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool is_word(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || is_digit(c);
}

static bool begins_comment(const char *at, const char *end)
{
	return *at == '#' || (*at == '/' && at + 1 < end && at[1] == '/');
}

/* Behind a comment as C's, which may have several lines; @at where none begins or it has no end */
static const char *skip_long_comment(const char *at, const char *end)
{
	const char *to;

	if (end - at < 4 || at[0] != '/' || at[1] != '*')
		return at;
	for (to = at + 2; end - to >= 2; to++)
		if (to[0] == '*' && to[1] == '/')
			return to + 2;
	return at;
}

static bool joins_lines(const char *at, const char *end)
{
	return *at == '\\' && at + 1 < end && at[1] == '\n';
}

static const char *newline_or_end(const char *at, const char *end)
{
	const char *newline = memchr(at, '\n', end - at);

	return newline ? newline : end;
}

const char *lang_skip_blanks(const char *at, const char *end, bool lines)
{
	while (at < end) {
		if (begins_comment(at, end))
			at = newline_or_end(at, end);
		else if (joins_lines(at, end))
			at += 2;
		else if (*at == ' ' || *at == '\t' || *at == '\r' || (*at == '\n' && lines))
			at++;
		else if (skip_long_comment(at, end) != at)
			at = skip_long_comment(at, end);
		else
			break;
	}
	return at;
}

/* A string's bytes with both quotes; 0: it does not end on its line */
static size_t string_length(const char *at, const char *end)
{
	const char *to = at + 1;

	while (to < end && *to != '\n' && *to != '"')
		to += *to == '\\' && to + 1 < end && to[1] != '\n' ? 2 : 1;
	return to < end && *to == '"' ? to + 1 - at : 0;
}

const char *lang_skip_piece(const char *at, const char *end)
{
	const size_t length = *at == '"' ? string_length(at, end) : 0;

	return at + (length ? length : 1);
}

const char *lang_line_end(const char *at, const char *end)
{
	while (at < end && *at != '\n') {
		if (begins_comment(at, end))
			return newline_or_end(at, end);
		if (joins_lines(at, end))
			at += 2;
		else if (skip_long_comment(at, end) != at)
			at = skip_long_comment(at, end);
		else
			at = lang_skip_piece(at, end);
	}
	return at;
}

static unsigned int digit_value(char c)
{
	if (is_digit(c))
		return c - '0';
	c |= 0x20;
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : 99;
}

static bool no_number(struct lang *l, const char *at, const struct lang_token *token)
{
	return lang_fail(l, -EINVAL, at, "this is no number: '%.*s'",
			 (int)MIN(token->length, 40), token->at);
}

/* 0x, 0b or decimal digits */
static bool lex_integer(struct lang *l, struct lang_token *token)
{
	const char *at = token->at, *end = at + token->length;
	unsigned int base = 10;
	uint64_t number = 0;

	if (token->length > 2 && at[0] == '0' && (at[1] | 0x20) == 'x')
		base = 16;
	else if (token->length > 2 && at[0] == '0' && (at[1] | 0x20) == 'b')
		base = 2;
	for (at += base == 10 ? 0 : 2; at < end; at++) {
		const unsigned int digit = digit_value(*at);

		if (digit >= base)
			return no_number(l, at, token);
		if (__builtin_mul_overflow(number, base, &number) ||
		    __builtin_add_overflow(number, digit, &number))
			return lang_fail(l, -EINVAL, token->at, "this number does not fit 64 bits");
	}
	token->kind = LANG_INT;
	token->integer = number;
	return true;
}

/*
 * Digits that decide how a double is rounded: what lies halfway between two has 767 at most (IEEE
 * 754).
 */
#define DECIDING 800

/* A number as its digits from the first that is not 0, times a power of ten */
struct decimal {
	char digits[DECIDING + 32];
	unsigned int count;
	int exponent;
	bool rest;			/* there are more digits, not all of them 0 */
};

/* Digits and at most one point. Return: behind them */
static const char *take_digits(struct decimal *d, const char *at, const char *end)
{
	bool point = false;

	for (; at < end && (is_digit(*at) || (*at == '.' && !point)); at++) {
		if (*at == '.') {
			point = true;
		} else if (d->count == DECIDING) {
			d->rest |= *at != '0';
			d->exponent += !point;
		} else {
			if (d->count || *at != '0')
				d->digits[d->count++] = *at;
			d->exponent -= point;
		}
	}
	return at;
}

/* strtod() rounds right, but the locale says what a point is: so it is given none. */
static double to_real(struct decimal *d, int exponent)
{
	if (!d->count)
		return 0;
	snprintf(d->digits + d->count, sizeof(d->digits) - d->count, "%se%d", d->rest ? "1" : "",
		 d->exponent + exponent - d->rest);
	return strtod(d->digits, NULL);
}

static bool lex_real(struct lang *l, struct lang_token *token)
{
	const char *at = token->at, *end = at + token->length;
	struct decimal decimal = { .count = 0 };
	int exponent = 0, sign = 1;

	at = take_digits(&decimal, at, end);
	if (at < end && (*at | 0x20) == 'e') {
		at++;
		if (at < end && (*at == '-' || *at == '+'))
			sign = *at++ == '-' ? -1 : 1;
		if (at == end)
			return lang_fail(l, -EINVAL, at - 1, "an exponent has digits");
		for (; at < end && is_digit(*at); at++)
			exponent = exponent < 100000000 ? exponent * 10 + (*at - '0') : exponent;
	}
	if (at < end)
		return no_number(l, at, token);
	token->kind = LANG_FLOAT;
	token->real = to_real(&decimal, sign * exponent);
	return true;
}

static bool lex_number(struct lang *l, const char *end, struct lang_token *token)
{
	const char *at = token->at;
	bool real = false, hex = at + 1 < end && *at == '0' && (at[1] | 0x20) == 'x';

	for (; at < end && (is_word(*at) || *at == '.'); at++) {
		const bool exponent = !hex && (*at | 0x20) == 'e';

		real |= *at == '.' || exponent;
		if (exponent && at + 1 < end && (at[1] == '-' || at[1] == '+'))
			at++;
	}
	token->length = at - token->at;
	return real && !hex ? lex_real(l, token) : lex_integer(l, token);
}

static void lex_operator(const char *end, struct lang_token *token)
{
	static const struct {
		char text[4];
		uint16_t kind;
	} operators[] = {
		{ ">>>", LANG_SHR_ZEROS }, { "<<<", LANG_SHL }, { "<<", LANG_SHL },
		{ ">>", LANG_SHR }, { "<=", LANG_LE }, { ">=", LANG_GE }, { "==", LANG_EQ },
		{ "!=", LANG_NE }, { "&&", LANG_AND }, { "||", LANG_OR }, { "^^", LANG_XOR },
		{ "**", LANG_POWER },
	};
	size_t i, length;

	token->kind = (uint8_t)*token->at;
	token->length = 1;
	for (i = 0; token->length == 1 && i < COUNT(operators); i++) {
		length = strlen(operators[i].text);
		if ((size_t)(end - token->at) >= length &&
		    !memcmp(token->at, operators[i].text, length)) {
			token->kind = operators[i].kind;
			token->length = length;
		}
	}
}

static bool lex_string(struct lang *l, const char *end, struct lang_token *token)
{
	token->kind = LANG_STRING;
	token->length = string_length(token->at, end);
	return token->length ||
	       lang_fail(l, -EINVAL, token->at, "no end of this string on its line");
}

bool lang_lex(struct lang *l, const char *end, bool suffix, struct lang_token *token)
{
	static const char punctuation[] = "+-*/%&|^~!<>=?:,;(){}[].";
	const char *at = token->at, *to = at + 1;

	if (is_digit(*at) || (*at == '.' && to < end && is_digit(*to) && !suffix))
		return lex_number(l, end, token);
	if (is_word(*at) || (*at == '.' && to < end && is_word(*to))) {
		while (to < end && (is_word(*to) || *to == '.'))
			to++;
		token->kind = suffix && *at == '.' ? LANG_SUFFIX : LANG_WORD;
		token->length = to - at;
		return true;
	}
	if (*at == '"')
		return lex_string(l, end, token);
	if (*at && strchr(punctuation, *at)) {
		lex_operator(end, token);
		return true;
	}
	if (*at > ' ' && *at < 0x7f)
		return lang_fail(l, -EINVAL, at, "'%c' has no meaning here", *at);
	return lang_fail(l, -EINVAL, at, "a byte 0x%02x has no meaning here", (uint8_t)*at);
}

/* What the digits come to in octal; false: there are others among them */
static bool octal_value(const struct lang_token *token, uint64_t *number)
{
	uint32_t i;

	for (*number = i = 0; i < token->length; i++) {
		if (token->at[i] > '7')
			return false;
		*number = *number << 3 | (token->at[i] - '0');
	}
	return true;
}

bool lang_has_leading_zero(const struct lang_token *token)
{
	return token->kind == LANG_INT && token->length > 1 && token->at[0] == '0' &&
	       is_digit(token->at[1]);
}

bool lang_fail_leading_zero(struct lang *l, const struct lang_token *token)
{
	char octal[64] = "";
	uint64_t number;

	if (octal_value(token, &number) && (int64_t)number != token->integer)
		snprintf(octal, sizeof(octal), ", or %llu if octal was meant",
			 (unsigned long long)number);
	return lang_fail(l, -EINVAL, token->at,
			 "with a 0 in front a number is octal in a program, and has no meaning "
			 "around it: write %llu%s", (unsigned long long)token->integer, octal);
}
