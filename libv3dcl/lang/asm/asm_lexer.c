// SPDX-License-Identifier: MIT
/* Tokens of a line. */
#include <stdlib.h>
#include <string.h>

#include "../../base/helpers.h"
#include "assembler.h"

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool is_word(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || is_digit(c);
}

static int digit_value(char c)
{
	if (is_digit(c))
		return c - '0';
	c |= 0x20;
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : 99;
}

static bool push(struct qasm *a, const struct qasm_token *token)
{
	struct qasm_token *tokens;
	uint32_t room;

	if (a->token_count >= QASM_MAX_TOKENS)
		return qasm_fail(a, token->at, "this line has more than %u words and numbers", QASM_MAX_TOKENS);
	if (a->token_count == a->token_room) {
		room = a->token_room ? a->token_room * 2 : 64;
		tokens = realloc(a->tokens, room * sizeof(*tokens));
		if (!tokens)
			return qasm_no_memory(a);
		a->tokens = tokens;
		a->token_room = room;
	}
	a->tokens[a->token_count++] = *token;
	return true;
}

/* 0x, 0b or decimal digits */
static bool lex_integer(struct qasm *a, struct qasm_token *token)
{
	const char *at = token->at, *end = at + token->length;
	unsigned int base = 10;
	uint64_t number = 0;

	if (token->length > 2 && at[0] == '0' && (at[1] | 0x20) == 'x')
		base = 16;
	else if (token->length > 2 && at[0] == '0' && (at[1] | 0x20) == 'b')
		base = 2;
	for (at += base == 10 ? 0 : 2; at < end; at++) {
		unsigned int digit = digit_value(*at);

		if (digit >= base)
			return qasm_fail(a, at, "this is no number: '%.*s'", (int)(token->length < 40 ? token->length : 40),
					 token->at);
		if (__builtin_mul_overflow(number, base, &number) || __builtin_add_overflow(number, digit, &number))
			return qasm_fail(a, token->at, "this number does not fit 64 bits");
	}
	token->kind = QASM_INT;
	token->number = number;
	return true;
}

/* Exact where 19 digits and 22 decimal places are enough, else to the last bit or so; no locale has a say in it. */
static bool lex_real(struct qasm *a, struct qasm_token *token)
{
	const char *at = token->at, *end = at + token->length;
	int exponent = 0, places = 0, sign = 1;
	uint64_t digits = 0;
	bool point = false;
	double scale = 1;

	for (; at < end && (is_digit(*at) || (*at == '.' && !point)); at++) {
		if (*at == '.')
			point = true;
		else if (digits < 1000000000000000000u)
			digits = digits * 10 + (*at - '0'), places += point;
		else
			places -= !point;
	}
	if (at < end && (*at | 0x20) == 'e') {
		at++;
		if (at < end && (*at == '-' || *at == '+'))
			sign = *at++ == '-' ? -1 : 1;
		if (at == end)
			return qasm_fail(a, at - 1, "an exponent has digits");
		for (; at < end && is_digit(*at); at++)
			exponent = exponent < 10000 ? exponent * 10 + (*at - '0') : exponent;
	}
	if (at < end)
		return qasm_fail(a, at, "this is no number: '%.*s'", (int)(token->length < 40 ? token->length : 40), token->at);
	exponent = sign * exponent - places;
	sign = exponent < 0 ? -exponent : exponent;
	for (sign = sign < 400 ? sign : 400; sign; sign--)
		scale *= 10;
	token->kind = QASM_FLOAT;
	token->real = exponent < 0 ? (double)digits / scale : (double)digits * scale;
	if (!digits)
		token->real = 0;
	return true;
}

static bool lex_number(struct qasm *a, struct qasm_token *token, const char *end)
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
	return real && !hex ? lex_real(a, token) : lex_integer(a, token);
}

static void lex_operator(struct qasm_token *token, const char *end)
{
	static const struct {
		char text[3];
		uint16_t kind;
	} doubles[] = {
		{ "<<", QASM_SHL }, { ">>", QASM_SHR }, { "<=", QASM_LE }, { ">=", QASM_GE }, { "==", QASM_EQ }, { "!=", QASM_NE },
		{ "&&", QASM_AND }, { "||", QASM_OR },
	};
	size_t i;

	token->kind = (uint8_t)*token->at;
	token->length = 1;
	for (i = 0; token->at + 1 < end && i < COUNT(doubles); i++) {
		if (token->at[0] == doubles[i].text[0] && token->at[1] == doubles[i].text[1]) {
			token->kind = doubles[i].kind;
			token->length = 2;
		}
	}
}

static bool lex_slice(struct qasm *a, const char *at, const char *end);

/* A word that is a parameter's name, maybe with a suffix, gives way to the argument. */
static bool lex_word(struct qasm *a, struct qasm_token *token)
{
	const uint32_t base = qasm_base_length(token);
	struct qasm_frame *frame = a->frame, *up;
	struct qasm_slice slice;
	bool ok;

	token->kind = QASM_WORD;
	if (!qasm_argument(frame, token->at, base, &slice, &up))
		return push(a, token);
	if (!qasm_step(a, token->at, slice.end - slice.at))
		return false;
	a->frame = up;
	ok = lex_slice(a, slice.at, slice.end);
	a->frame = frame;
	if (!ok || base == token->length)
		return ok;
	token->kind = QASM_SUFFIX;
	token->at += base;
	token->length -= base;
	return push(a, token);
}

static bool lex_token(struct qasm *a, const char **at, const char *end)
{
	static const char punctuation[] = "+-*/%&|^~!<>=?:,;(){}[].";
	const bool suffix = a->token_count && a->tokens[a->token_count - 1].kind == ']';	/* ra[3].16a */
	struct qasm_token token = { .at = *at, .frame = a->frame };
	const char *to = *at + 1;

	if (is_digit(**at) || (**at == '.' && to < end && is_digit(*to) && !suffix)) {
		if (!lex_number(a, &token, end))
			return false;
	} else if (is_word(**at) || (**at == '.' && to < end && is_word(*to))) {
		while (to < end && (is_word(*to) || *to == '.'))
			to++;
		token.kind = QASM_SUFFIX;
		token.length = to - *at;
		*at = to;
		return suffix ? push(a, &token) : lex_word(a, &token);
	} else if (**at && strchr(punctuation, **at)) {
		lex_operator(&token, end);
	} else if (**at > ' ' && **at < 0x7f) {
		return qasm_fail(a, *at, "'%c' has no meaning here", **at);
	} else {
		return qasm_fail(a, *at, "a byte 0x%02x has no meaning here", (uint8_t)**at);
	}
	*at += token.length;
	return push(a, &token);
}

/* Up to the end of the line */
static bool lex_slice(struct qasm *a, const char *at, const char *end)
{
	while (at < end && *at != '\n') {
		if (*at == ' ' || *at == '\t' || *at == '\r')
			at++;
		else if (*at == '#' || (*at == '/' && at + 1 < end && at[1] == '/'))
			return true;
		else if (!lex_token(a, &at, end))
			return false;
	}
	return true;
}

bool qasm_lex(struct qasm *a, const char **at, const char *end)
{
	struct qasm_token last = { .kind = QASM_END, .frame = a->frame };
	const char *newline = memchr(*at, '\n', end - *at);

	a->token_count = 0;
	a->next = 0;
	last.at = newline ? newline : end;
	if (!qasm_step(a, *at, last.at - *at) || !lex_slice(a, *at, last.at))
		return false;
	*at = newline ? newline + 1 : end;
	/* One more than a line may have: the end does not count. */
	a->token_count -= a->token_count == QASM_MAX_TOKENS;
	return push(a, &last);
}
