// SPDX-License-Identifier: MIT
/* The tokens of a line, with arguments in the place of a macro's parameters. */
#include <stdlib.h>
#include <string.h>

#include "assembler.h"

static bool push(struct qasm *a, const struct lang_token *token)
{
	struct lang_token *tokens;
	uint32_t room;

	if (a->token_count >= QASM_MAX_TOKENS)
		return qasm_fail(a, token->at, "this line has more than %u words and numbers",
				 QASM_MAX_TOKENS);
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

static bool lex_slice(struct qasm *a, const char *at, const char *end);

/* Does a parameter that stands here stand beside an operator? Then its argument is one value. */
static bool is_operand(const struct qasm *a, const char *after, const char *end)
{
	static const char signs[] = "+-*/%&|^<>=!~";
	const struct lang_token *last = a->token_count ? &a->tokens[a->token_count - 1] : NULL;

	after = lang_skip_blanks(after, end, false);
	return (after < end && *after && strchr(signs, *after)) ||
	       (last && last->kind != '-' && last->length && strchr(signs, *last->at)) ||
	       (last && last->kind == '-' && a->token_count > 1 && last[-1].kind != ',' &&
		last[-1].kind != LANG_WORD);
}

/* Is it more than one word or number, and nothing that parentheses would spoil? */
static bool is_compound(const struct lang_slice *slice)
{
	const char *at;
	bool blank = false;

	for (at = slice->at; at < slice->end; at++) {
		if (*at == ';' || *at == '"')
			return false;
		blank |= strchr("+-*/%&|^<>=!~? ", *at) && *at;
	}
	return blank;
}

/* A word that is a parameter's name, maybe with a suffix, gives way to the argument. */
static bool push_word(struct qasm *a, struct lang_token *token, const char *end)
{
	const uint32_t base = qasm_base_length(token);
	struct lang_frame *frame = a->lang.frame, *up;
	struct lang_token bracket = { .kind = '(', .length = 1, .at = token->at, .frame = frame };
	struct lang_slice slice;
	bool ok, whole;

	if (!lang_argument(frame, token->at, base, &slice, &up))
		return push(a, token);
	if (!qasm_step(a, token->at, slice.end - slice.at))
		return false;
	whole = base == token->length && is_compound(&slice) &&
		is_operand(a, token->at + base, end);
	if (whole && !push(a, &bracket))
		return false;
	a->lang.frame = up;
	ok = lex_slice(a, slice.at, slice.end);
	a->lang.frame = frame;
	bracket.kind = ')';
	if (ok && whole)
		return push(a, &bracket);
	if (!ok || base == token->length)
		return ok;
	token->kind = LANG_SUFFIX;
	token->at += base;
	token->length -= base;
	return push(a, token);
}

static bool is_name(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
	       c == '_' || c == '.';
}

/* Has the line no tokens yet but labels? Then "name:" is one more */
static bool at_start(const struct qasm *a)
{
	uint32_t i;

	for (i = 0; i < a->token_count; i++)
		if (a->tokens[i].kind != LANG_LABEL && a->tokens[i].kind != ':' &&
		    !(a->tokens[i].kind == LANG_WORD &&
		      (i + 1 == a->token_count || a->tokens[i + 1].kind == ':')))
			return false;
	return true;
}

/* Is there a '?' before that wants this colon? */
static bool wanted(const struct qasm *a)
{
	int open = 0;
	uint32_t i;

	for (i = 0; i < a->token_count; i++)
		open += a->tokens[i].kind == '?' ? 1 : a->tokens[i].kind == ':' ? -1 : 0;
	return open > 0;
}

/* Does ":name" or "::name" stand at @at? */
static bool begins_label(const struct qasm *a, const char *at, const char *end)
{
	const struct lang_token *last = a->token_count ? &a->tokens[a->token_count - 1] : NULL;
	const char *to = at;

	if (*at != ':' || wanted(a))
		return false;
	if (last && last->kind == LANG_WORD && last->at + last->length == at && at_start(a))
		return false;
	to += at + 1 < end && at[1] == ':' ? 2 : 1;
	return to < end && is_name(*to);
}

/* ":name"; the "r" of "r:name" says what a branch knows without it */
static bool push_label(struct qasm *a, const char **at, const char *end)
{
	struct lang_token label = { .kind = LANG_LABEL, .at = *at, .frame = a->lang.frame };
	const struct lang_token *last = a->token_count ? &a->tokens[a->token_count - 1] : NULL;

	while (*at < end && **at == ':')
		(*at)++;
	while (*at < end && is_name(**at))
		(*at)++;
	label.length = *at - label.at;
	if (last && last->kind == LANG_WORD && last->length == 1 && (*last->at | 0x20) == 'r' &&
	    last->at + 1 == label.at)
		a->token_count--;
	return push(a, &label);
}

/* Is it an argument of a job's macro, which stands around the program? */
static bool is_of_job(const struct qasm *a, const char *at)
{
	return at >= a->lang.source && at < a->lang.source + a->lang.length &&
	       (at < a->from || at >= a->to);
}

/*
 * As in C and in vc4asm, a 0 in front makes a whole number octal. Around programs such numbers are
 * refused.
 */
static bool take_octal(struct qasm *a, struct lang_token *token)
{
	const char *at = token->at, *const end = at + token->length;
	uint64_t number = 0;

	if (!lang_has_leading_zero(token))
		return true;
	if (is_of_job(a, at))
		return lang_fail_leading_zero(&a->lang, token);
	for (; at < end; at++) {
		if (*at > '7')
			return qasm_fail(a, token->at,
					 "with a 0 in front a number is octal, which has no %c; "
					 "the decimal number is %lld", *at,
					 (long long)token->integer);
		number = number << 3 | (*at - '0');
	}
	token->integer = number;
	return true;
}

/* Up to the end of the line */
static bool lex_slice(struct qasm *a, const char *at, const char *end)
{
	for (at = lang_skip_blanks(at, end, false); at < end;
	     at = lang_skip_blanks(at, end, false)) {
		/* ra[3].16a */
		const bool suffix = a->token_count && a->tokens[a->token_count - 1].kind == ']';
		struct lang_token token = { .at = at, .frame = a->lang.frame };

		if (begins_label(a, at, end)) {
			if (!push_label(a, &at, end))
				return false;
			continue;
		}
		if (!lang_lex(&a->lang, end, suffix, &token) || !take_octal(a, &token))
			return false;
		at += token.length;
		if (token.kind == LANG_WORD ? !push_word(a, &token, end) : !push(a, &token))
			return false;
	}
	return true;
}

bool qasm_lex(struct qasm *a, const char **at, const char *end)
{
	struct lang_token last = { .kind = LANG_END,
				   .at = lang_line_end(*at, end),
				   .frame = a->lang.frame };

	const char *from = *at;

	*at = last.at < end ? last.at + 1 : end;
	a->token_count = 0;
	a->lang.now = NULL;
	if (!qasm_step(a, from, last.at - from) || !lex_slice(a, from, last.at)) {
		/* Once that is told, an .include whose last line this is reads on at an end */
		a->token_count = 0;
		if (push(a, &last))
			a->lang.now = a->tokens;
		return false;
	}
	/* One more than a line may have: the end does not count. */
	a->token_count -= a->token_count == QASM_MAX_TOKENS;
	if (!push(a, &last))
		return false;
	a->lang.now = a->tokens;
	return true;
}
