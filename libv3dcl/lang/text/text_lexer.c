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

/*
 * Is the word at hand a macro's parameter? Then what stands for it is read, and after that what
 * follows.
 */
static bool take_argument(struct script_reader *r)
{
	struct lang_frame *up;
	struct lang_slice slice;

	if (!lang_argument(r->lang.frame, r->now.at, r->now.length, &slice, &up))
		return false;
	if (r->slice_count == LANG_MOST_DEPTH) {
		script_fail(r, -E2BIG, r->now.at, "this is nested deeper than %u levels",
			    LANG_MOST_DEPTH);
		return false;
	}
	r->slices[r->slice_count++] = (struct script_slice){ r->at, r->end, r->lang.frame };
	r->at = slice.at;
	r->end = slice.end;
	r->lang.frame = up;
	return true;
}

/* Behind blanks, and behind the ends of arguments */
static void skip_blanks(struct script_reader *r)
{
	const struct script_slice *slice;

	for (;;) {
		r->at = lang_skip_blanks(r->at, r->end, r->lang.inside);
		if (r->at < r->end || !r->slice_count)
			return;
		slice = &r->slices[--r->slice_count];
		r->at = slice->at;
		r->end = slice->end;
		r->lang.frame = slice->frame;
	}
}

/* Return: what was read is another token's beginning: read again */
static bool next(struct script_reader *r)
{
	struct lang_token *t = &r->now;

	if (!r->work--) {
		script_fail(r, -E2BIG, r->at, "this text asks for more work than any text may");
		return false;
	}
	skip_blanks(r);
	*t = (struct lang_token){ .kind = LANG_END, .at = r->at, .frame = r->lang.frame };
	if (r->at >= r->end)
		return false;
	if (*r->at == '\n' || *r->at == ';') {
		t->kind = LANG_LINE;
		t->length = 1;
	} else if (!lang_lex(&r->lang, r->end, false, t) ||
		   (lang_has_leading_zero(t) && !lang_fail_leading_zero(&r->lang, t))) {
		return false;
	}
	r->at += t->length;
	return t->kind == LANG_WORD && take_argument(r);
}

/* The next token, at @r->at */
void script_next(struct script_reader *r)
{
	while (!r->lang.status && next(r))
		;
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

const struct lang_level script_level = {
	.advance = advance, .resolve = script_resolve, .ends = ends, .size = size, .blocks = true
};

/* Is this what comes behind the token at hand? */
bool script_follows(const struct script_reader *r, char sign)
{
	const char *at = lang_skip_blanks(r->at, r->end, r->lang.inside), *end = r->end;
	uint32_t i;

	for (i = r->slice_count; at == end && i--;) {
		end = r->slices[i].end;
		at = lang_skip_blanks(r->slices[i].at, end, r->lang.inside);
	}
	return at < end && *at == sign;
}

/* Go on reading at @at, which is where a token was, and no argument's */
void script_seek(struct script_reader *r, const char *at)
{
	if (r->lang.status)
		return;
	if (r->slice_count) {
		r->end = r->slices[0].end;
		r->lang.frame = r->slices[0].frame;
		r->slice_count = 0;
	}
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
	return r->now.kind == LANG_WORD && r->now.length == strlen(word) &&
	       !memcmp(r->now.at, word, r->now.length);
}

bool script_take_word(struct script_reader *r, const char *word)
{
	if (!script_word(r, word))
		return false;
	script_next(r);
	return true;
}

/**
 * script_may_name() - can this be given to something as its name? What begins with a point is for
 * programs alone
 */
bool script_may_name(const struct lang_token *token)
{
	return token->kind == LANG_WORD && *token->at != '.' && token->length <= SCRIPT_MOST_NAME;
}

/* A name that may be given to something. Return: the caller's, or NULL */
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

/**
 * script_take_string() - a string, its escapes resolved: \n, \t, and any other character for
 * itself.
 *
 * Return: the caller's
 */
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

/* Nothing more on this line */
void script_end_of_line(struct script_reader *r)
{
	if (r->now.kind == LANG_LINE)
		script_next(r);
	else if (r->now.kind != LANG_END && !script_sign(r, '}'))
		script_fail(r, -EINVAL, r->now.at, "expected the end of the line here");
}
