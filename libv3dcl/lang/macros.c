// SPDX-License-Identifier: MIT
/*
 * Macros: their parameters, what is given for them, and expansions. What the lines of one mean is
 * the level's.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lang.h"

const struct lang_source *lang_included(const struct lang *l, const char *at)
{
	const struct lang_source *source;

	for (source = l->included; source; source = source->next)
		if (at >= source->text && at <= source->text + source->length)
			return source;
	return NULL;
}

const char *lang_place(const struct lang *l, const char *at)
{
	const struct lang_frame *frame = l->frame;

	while (frame && (at < l->source || at > l->source + l->length) && !lang_included(l, at)) {
		at = frame->at;
		frame = frame->up;
	}
	return at;
}

/* Up to the next ',' outside of brackets, or to what ends the parameters */
static struct lang_slice take_default(struct lang *l)
{
	struct lang_slice slice = { l->now->at, l->now->at };
	unsigned int level = 0;

	while (l->now->kind != LANG_END && l->now->kind != LANG_LINE &&
	       (level || l->now->kind != ',')) {
		if (l->level->blocks && l->now->kind == '{')
			break;
		if (l->now->kind == '(' || l->now->kind == '[' || l->now->kind == '{')
			level++;
		else if (level &&
			 (l->now->kind == ')' || l->now->kind == ']' || l->now->kind == '}'))
			level--;
		slice.end = l->now->at + l->now->length;
		l->level->advance(l);
	}
	return slice;
}

bool lang_take_parameters(struct lang *l, struct lang_macro *macro)
{
	while (l->now->kind == LANG_WORD) {
		if (macro->count == LANG_MOST_PARAMETERS)
			return lang_fail(l, -EINVAL, l->now->at,
					 "a macro has %u parameters at most", LANG_MOST_PARAMETERS);
		macro->parameters[macro->count] =
			(struct lang_slice){ l->now->at, l->now->at + l->now->length };
		macro->defaults[macro->count] = (struct lang_slice){ NULL, NULL };
		l->level->advance(l);
		if (lang_accept(l, '='))
			macro->defaults[macro->count] = take_default(l);
		macro->count++;
		lang_accept(l, ',');
	}
	return !l->status;
}

bool lang_add_macro(struct lang *l, const struct lang_macro *macro)
{
	const uint32_t room = l->macro_room ? l->macro_room * 2 : 16;
	struct lang_macro *macros;

	if (l->macro_count == l->macro_room) {
		macros = realloc(l->macros, room * sizeof(*macros));
		if (!macros)
			return lang_no_memory(l);
		l->macros = macros;
		l->macro_room = room;
	}
	l->macros[l->macro_count++] = *macro;
	return true;
}

bool lang_slice_is(const struct lang_slice *slice, const char *text, size_t length)
{
	return (size_t)(slice->end - slice->at) == length && !memcmp(slice->at, text, length);
}

bool lang_argument(const struct lang_frame *frame, const char *at, uint32_t length,
		   struct lang_slice *slice, struct lang_frame **up)
{
	uint32_t i;

	/* The turns of a repetition inside of a macro see its parameters. */
	while (frame && !frame->macro && !frame->function)
		frame = frame->up;
	for (i = 0; frame && frame->macro && i < frame->macro->count; i++) {
		const struct lang_slice *name = &frame->macro->parameters[i];

		if (lang_slice_is(name, at, length)) {
			*slice = frame->arguments[i];
			*up = frame->up;
			return true;
		}
	}
	return false;
}

/*
 * Of a level with blocks, arguments end with the statement; else they end with the line, which is
 * where the text ends.
 */
static bool ends_arguments(const struct lang *l, char c, unsigned int brackets)
{
	return l->level->blocks && (c == '{' || c == '}' || c == ';' || (c == '\n' && !brackets));
}

/*
 * An argument as it stands in the text: up to the next ',' outside of brackets, or the end. Blanks
 * around it are not its own.
 */
static struct lang_slice take_argument(const struct lang *l, const char **at, const char *end)
{
	unsigned int level = 0;
	struct lang_slice slice;

	*at = lang_skip_blanks(*at, end, false);
	slice = (struct lang_slice){ *at, *at };
	while (*at < end && (level || **at != ',') && !ends_arguments(l, **at, level)) {
		if (**at == '(' || **at == '[' || **at == '{')
			level++;
		else if (level && (**at == ')' || **at == ']' || **at == '}'))
			level--;
		*at = slice.end = lang_skip_piece(*at, end);
		*at = lang_skip_blanks(*at, end, level && l->level->blocks);
	}
	return slice;
}

/* Does one more stand there? On a line of a program, nothing is one as well. */
static bool has_argument(const struct lang *l, const char *at, const char *end)
{
	if (at < end && l->level->blocks) {
		at = lang_skip_blanks(at, end, false);
		return at < end && !ends_arguments(l, *at, 0);
	}
	return at < end;
}

bool lang_take_arguments(struct lang *l, const struct lang_macro *macro, const char **at,
			 const char *end, struct lang_frame *frame)
{
	const int length = macro->name.end - macro->name.at;
	uint32_t i = 0;

	while (has_argument(l, *at, end)) {
		if (i == macro->count)
			return lang_fail(l, -EINVAL, *at,
					 "%.*s has %u parameters; this is one more", length,
					 macro->name.at, macro->count);
		frame->arguments[i++] = take_argument(l, at, end);
		if (*at == end || **at != ',')
			break;
		(*at)++;
	}
	for (; i < macro->count; i++) {
		if (!macro->defaults[i].at)
			return lang_fail(l, -EINVAL, *at, "%.*s is given no %.*s", length,
					 macro->name.at,
					 (int)(macro->parameters[i].end - macro->parameters[i].at),
					 macro->parameters[i].at);
		frame->arguments[i] = macro->defaults[i];
	}
	return true;
}

bool lang_expand(struct lang *l, struct lang_frame *frame,
		 bool (*body)(struct lang *l, void *opaque), void *opaque)
{
	bool ok;

	frame->up = l->frame;
	if (++l->depth > LANG_MOST_DEPTH)
		return lang_fail(l, l->too_much, frame->at,
				 "macros and repetitions are nested deeper than %u levels",
				 LANG_MOST_DEPTH);
	l->frame = frame;
	ok = body(l, opaque);
	l->frame = frame->up;
	l->depth--;
	return ok;
}
