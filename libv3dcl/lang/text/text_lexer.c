// SPDX-License-Identifier: MIT
/* From text to words. */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "script.h"

/* Most characters of a number; what is longer is none */
#define MOST_DIGITS 64

void script_fail(struct script_reader *r, int code, size_t at, const char *format, ...)
{
	char text[256];
	va_list args;

	if (r->code)
		return;
	r->code = code;
	r->now = (struct script_token){ .kind = TOKEN_END, .at = at };
	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	v3dcl_fail_at(r->error, code, r->script->name, r->script->source, r->script->length, at, "%s", text);
}

void script_out_of_memory(struct script_reader *r)
{
	script_fail(r, -ENOMEM, r->now.at, "no memory");
}

const char *script_text(const struct script_reader *r)
{
	return r->script->source + r->now.at;
}

static int peek(const struct script_reader *r, size_t ahead)
{
	return ahead < r->script->length - r->at ? (unsigned char)r->script->source[r->at + ahead] : -1;
}

/* The C library's depend on the locale */
static bool is_digit(int c)
{
	return c >= '0' && c <= '9';
}

static bool is_letter(int c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool is_hex(int c)
{
	return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

/* Blanks, comments, a backslash that joins two lines, and in parentheses the ends of lines */
static void skip_blanks(struct script_reader *r)
{
	for (;;) {
		int c = peek(r, 0);

		if (c == '#') {
			while (peek(r, 0) >= 0 && peek(r, 0) != '\n')
				r->at++;
		} else if (c == '\\' && peek(r, 1) == '\n') {
			r->at += 2;
		} else if (c == ' ' || c == '\t' || c == '\r' || (c == '\n' && r->inside)) {
			r->at++;
		} else {
			return;
		}
	}
}

static size_t digits(const struct script_reader *r, size_t from, bool (*digit)(int c))
{
	size_t n = from;

	while (digit(peek(r, n)))
		n++;
	return n;
}

/* An exponent, if there is a whole one */
static size_t exponent(const struct script_reader *r, size_t n)
{
	size_t first = n + 1;

	if (peek(r, n) != 'e' && peek(r, n) != 'E')
		return n;
	if (peek(r, first) == '+' || peek(r, first) == '-')
		first++;
	return is_digit(peek(r, first)) ? digits(r, first, is_digit) : n;
}

static void lex_number(struct script_reader *r, struct script_token *t)
{
	bool hex = peek(r, 0) == '0' && (peek(r, 1) == 'x' || peek(r, 1) == 'X') && is_hex(peek(r, 2)), real = false;
	bool binary = peek(r, 0) == '0' && (peek(r, 1) == 'b' || peek(r, 1) == 'B') && is_digit(peek(r, 2));
	size_t whole = digits(r, hex || binary ? 2 : 0, hex ? is_hex : is_digit), n = whole;
	char text[MOST_DIGITS + 1], *end;

	if (!hex && !binary) {
		if (peek(r, n) == '.' && is_digit(peek(r, n + 1)))
			n = digits(r, n + 1, is_digit);
		n = exponent(r, n);
		real = n != whole;
	}
	t->length = n;
	t->kind = real ? TOKEN_REAL : TOKEN_INTEGER;
	if (n > MOST_DIGITS || is_letter(peek(r, n))) {
		script_fail(r, -EINVAL, t->at, "this is no number");
		return;
	}
	memcpy(text, r->script->source + t->at, n);
	text[n] = 0;
	errno = 0;
	if (real) {
		t->value = (struct script_value){ .kind = SCRIPT_REAL, .real = strtod(text, NULL) };
		return;
	}
	t->value.kind = SCRIPT_INTEGER;
	t->value.integer = strtoull(text + (hex || binary ? 2 : 0), &end, hex ? 16 : binary ? 2 : 10);
	if (*end || errno)
		script_fail(r, -EINVAL, t->at, *end ? "this is no number" : "a number of more than 64 bits");
}

static void lex_string(struct script_reader *r, struct script_token *t)
{
	size_t n = 1;

	t->kind = TOKEN_STRING;
	while (peek(r, n) != '"') {
		if (peek(r, n) < 0 || peek(r, n) == '\n') {
			script_fail(r, -EINVAL, t->at, "no end of this string on its line");
			return;
		}
		n += peek(r, n) == '\\' && peek(r, n + 1) != '\n' && peek(r, n + 1) >= 0 ? 2 : 1;
	}
	t->length = n + 1;
}

static void lex_sign(struct script_reader *r, struct script_token *t)
{
	static const char pairs[] = "<<>><=>===!=&&||";
	int c = peek(r, 0), d = peek(r, 1);
	size_t n;

	t->kind = TOKEN_SIGN;
	t->sign = c;
	t->length = 1;
	for (n = 0; n + 1 < sizeof(pairs); n += 2) {
		if (pairs[n] == c && pairs[n + 1] == d) {
			t->sign = c | d << 8;
			t->length = 2;
			return;
		}
	}
	if (!strchr("+-*/%&|^~!<>=?:,(){}", c) || !c)
		script_fail(r, -EINVAL, t->at, "a character that has no meaning here");
}

/** script_next() - the next token, at @r->at */
void script_next(struct script_reader *r)
{
	struct script_token *t = &r->now;
	size_t n;
	int c;

	if (r->code)
		return;
	if (!r->work--) {
		script_fail(r, -E2BIG, r->at, "this text asks for more work than any text may");
		return;
	}
	skip_blanks(r);
	*t = (struct script_token){ .kind = TOKEN_END, .at = r->at };
	c = peek(r, 0);
	if (c < 0)
		return;
	if (c == '\n' || c == ';') {
		t->kind = TOKEN_LINE;
		t->length = 1;
	} else if (is_letter(c)) {
		t->kind = TOKEN_NAME;
		for (n = 1; is_letter(peek(r, n)) || is_digit(peek(r, n)) || peek(r, n) == '.'; n++)
			;
		t->length = n;
	} else if (is_digit(c)) {
		lex_number(r, t);
	} else if (c == '"') {
		lex_string(r, t);
	} else {
		lex_sign(r, t);
	}
	if (!r->code)
		r->at += t->length;
}

/** script_seek() - go on reading at @at, which is where a token was */
void script_seek(struct script_reader *r, size_t at)
{
	if (r->code)
		return;
	r->at = at;
	script_next(r);
}

bool script_sign(const struct script_reader *r, const char *sign)
{
	return r->now.kind == TOKEN_SIGN && r->now.sign == ((unsigned char)sign[0] | (unsigned int)(unsigned char)sign[1] << 8);
}

bool script_take_sign(struct script_reader *r, const char *sign)
{
	if (!script_sign(r, sign))
		return false;
	script_next(r);
	return true;
}

void script_need_sign(struct script_reader *r, const char *sign)
{
	if (!script_take_sign(r, sign))
		script_fail(r, -EINVAL, r->now.at, "expected '%s' here", sign);
}

bool script_word(const struct script_reader *r, const char *word)
{
	return r->now.kind == TOKEN_NAME && r->now.length == strlen(word) && !memcmp(script_text(r), word, r->now.length);
}

bool script_take_word(struct script_reader *r, const char *word)
{
	if (!script_word(r, word))
		return false;
	script_next(r);
	return true;
}

/** script_take_name() - a name that may be given to something. Return: the caller's, or NULL */
char *script_take_name(struct script_reader *r, const char *what)
{
	char *name;

	if (r->now.kind != TOKEN_NAME || r->now.length > SCRIPT_MOST_NAME) {
		script_fail(r, -EINVAL, r->now.at, "expected the name of %s here", what);
		return NULL;
	}
	name = strndup(script_text(r), r->now.length);
	if (!name)
		script_out_of_memory(r);
	script_next(r);
	return name;
}

/** script_take_string() - a string, its escapes resolved: \n, \t, and any other character for itself. Return: the caller's */
char *script_take_string(struct script_reader *r)
{
	const char *from = script_text(r) + 1, *end = script_text(r) + r->now.length - 1;
	char *string, *to;

	if (r->now.kind != TOKEN_STRING) {
		script_fail(r, -EINVAL, r->now.at, "expected a string in double quotes here");
		return NULL;
	}
	string = to = calloc(1, r->now.length);
	if (!string) {
		script_out_of_memory(r);
		return NULL;
	}
	while (from < end) {
		if (*from == '\\') {
			from++;
			*to++ = *from == 'n' ? '\n' : *from == 't' ? '\t' : *from;
			from++;
		} else {
			*to++ = *from++;
		}
	}
	*to = 0;
	script_next(r);
	return string;
}

/** script_end_of_line() - nothing more on this line */
void script_end_of_line(struct script_reader *r)
{
	if (r->now.kind == TOKEN_LINE)
		script_next(r);
	else if (r->now.kind != TOKEN_END && !script_sign(r, "}"))
		script_fail(r, -EINVAL, r->now.at, "expected the end of the line here");
}
