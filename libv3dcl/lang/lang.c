// SPDX-License-Identifier: MIT
/* What every reader of the language needs: refusals, and the token at hand. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/param.h>

#include "lang.h"

/*
 * " (in macro clamp, used in line 12)", for the innermost macro that the place is not itself an
 * argument of
 */
static void add_macro(const struct lang *l, char *message, size_t size)
{
	const struct lang_frame *frame = l->frame;
	const struct lang_source *source;
	const size_t n = strlen(message);
	const char *at, *line;
	uint32_t number = 1;
	int length;

	while (frame && !frame->macro)
		frame = frame->up;
	if (!frame)
		return;
	at = lang_place(l, frame->at);
	source = lang_included(l, at);
	for (line = source ? source->text : l->source; line < at; line++)
		number += *line == '\n';
	length = frame->macro->name.end - frame->macro->name.at;
	snprintf(message + n, size - n, " (in macro %.*s, used in line %u)",
		 MIN(length, 40), frame->macro->name.at, number);
}

void lang_vfail(struct lang *l, int code, const char *at, const char *format, va_list args)
{
	const struct lang_source *source;
	char text[300];

	if (l->status)
		return;
	vsnprintf(text, sizeof(text), format, args);
	at = lang_place(l, at);
	add_macro(l, text, sizeof(text));
	l->failed_at = at;
	source = lang_included(l, at);
	if (source)
		l->status = v3dcl_fail_at(l->error, code, source->name, source->text,
					  source->length, at - source->text, "%s", text);
	else
		l->status = v3dcl_fail_at(l->error, code, l->name, l->source, l->length,
					  at - l->source, "%s", text);
	if (l->now)
		*l->now = (struct lang_token){ .kind = LANG_END, .at = at };
}

bool lang_fail(struct lang *l, int code, const char *at, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	lang_vfail(l, code, at, format, args);
	va_end(args);
	return false;
}

bool lang_no_memory(struct lang *l)
{
	return lang_fail(l, -ENOMEM, l->now ? l->now->at : l->source, "out of memory");
}

bool lang_accept(struct lang *l, unsigned int kind)
{
	if (l->now->kind != kind)
		return false;
	l->level->advance(l);
	return true;
}

bool lang_expect(struct lang *l, unsigned int kind, const char *what)
{
	return lang_accept(l, kind) ||
	       lang_fail(l, -EINVAL, l->now->at, "%s is expected here", what);
}

bool lang_enter(struct lang *l)
{
	if (++l->depth > LANG_MOST_DEPTH)
		lang_fail(l, l->too_much, l->now->at, "this is nested deeper than %u levels",
			  LANG_MOST_DEPTH);
	return !l->status;
}

char lang_lower(char c)
{
	return c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c;
}

bool lang_same(const char *word, const char *text, size_t length)
{
	size_t i;

	for (i = 0; i < length; i++)
		if (!word[i] || lang_lower(word[i]) != lang_lower(text[i]))
			return false;
	return !word[length];
}

void lang_skip_mark(const char **text, size_t *length)
{
	static const char mark[] = { '\xef', '\xbb', '\xbf' };

	if (*length < sizeof(mark) || memcmp(*text, mark, sizeof(mark)))
		return;
	*text += sizeof(mark);
	*length -= sizeof(mark);
}
