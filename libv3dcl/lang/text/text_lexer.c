// SPDX-License-Identifier: MIT
/* From text to words: one token at a time. */
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "script.h"

void script_fail(struct script_reader *r, int code, const char *at, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	lang_vfail(&r->lang, code, at, format, args);
	va_end(args);
}

void script_out_of_memory(struct script_reader *r)
{
	lang_no_memory(&r->lang);
}

/** script_next() - the next token, at @r->at */
void script_next(struct script_reader *r)
{
	const char *end = r->lang.source + r->lang.length;
	struct lang_token *t = &r->now;

	if (r->lang.status)
		return;
	if (!r->work--) {
		script_fail(r, -E2BIG, r->at, "this text asks for more work than any text may");
		return;
	}
	r->at = lang_skip_blanks(r->at, end, r->lang.inside);
	*t = (struct lang_token){ .kind = LANG_END, .at = r->at };
	if (r->at == end)
		return;
	if (*r->at == '\n' || *r->at == ';') {
		t->kind = LANG_LINE;
		t->length = 1;
	} else if (!lang_lex(&r->lang, end, false, t)) {
		return;
	}
	r->at += t->length;
}

static void advance(struct lang *l)
{
	script_next((struct script_reader *)l);
}

static bool ends(const struct lang *l)
{
	(void)l;
	return false;
}

static uint32_t size(const struct lang *l, uint32_t thing)
{
	return script_size((const struct script_reader *)l, thing);
}

const struct lang_level script_level = { .advance = advance, .resolve = script_resolve, .ends = ends, .size = size };

/** script_seek() - go on reading at @at, which is where a token was */
void script_seek(struct script_reader *r, const char *at)
{
	if (r->lang.status)
		return;
	r->at = at;
	script_next(r);
}

bool script_sign(const struct script_reader *r, char sign)
{
	return r->now.kind == (unsigned char)sign;
}

bool script_take_sign(struct script_reader *r, char sign)
{
	return lang_accept(&r->lang, (unsigned char)sign);
}

void script_need_sign(struct script_reader *r, char sign)
{
	const char what[] = { '\'', sign, '\'', 0 };

	lang_expect(&r->lang, (unsigned char)sign, what);
}

bool script_word(const struct script_reader *r, const char *word)
{
	return r->now.kind == LANG_WORD && r->now.length == strlen(word) && !memcmp(r->now.at, word, r->now.length);
}

bool script_take_word(struct script_reader *r, const char *word)
{
	if (!script_word(r, word))
		return false;
	script_next(r);
	return true;
}

/** script_may_name() - can this be given to something as its name? What begins with a point is for programs alone */
bool script_may_name(const struct lang_token *token)
{
	return token->kind == LANG_WORD && *token->at != '.' && token->length <= SCRIPT_MOST_NAME;
}

/** script_take_name() - a name that may be given to something. Return: the caller's, or NULL */
char *script_take_name(struct script_reader *r, const char *what)
{
	char *name;

	if (!script_may_name(&r->now)) {
		script_fail(r, -EINVAL, r->now.at, "expected the name of %s here", what);
		return NULL;
	}
	name = strndup(r->now.at, r->now.length);
	if (!name)
		script_out_of_memory(r);
	script_next(r);
	return name;
}

/** script_take_string() - a string, its escapes resolved: \n, \t, and any other character for itself. Return: the caller's */
char *script_take_string(struct script_reader *r)
{
	const char *from = r->now.at + 1, *end = r->now.at + r->now.length - 1;
	char *string, *to;

	if (r->now.kind != LANG_STRING) {
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
	if (r->now.kind == LANG_LINE)
		script_next(r);
	else if (r->now.kind != LANG_END && !script_sign(r, '}'))
		script_fail(r, -EINVAL, r->now.at, "expected the end of the line here");
}
