// SPDX-License-Identifier: MIT
/* The tokens of a line, with arguments in the place of a macro's parameters. */
#include <stdlib.h>

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

/* A word that is a parameter's name, maybe with a suffix, gives way to the argument. */
static bool push_word(struct qasm *a, struct lang_token *token)
{
	const uint32_t base = qasm_base_length(token);
	struct lang_frame *frame = a->lang.frame, *up;
	struct lang_slice slice;
	bool ok;

	if (!lang_argument(frame, token->at, base, &slice, &up))
		return push(a, token);
	if (!qasm_step(a, token->at, slice.end - slice.at))
		return false;
	a->lang.frame = up;
	ok = lex_slice(a, slice.at, slice.end);
	a->lang.frame = frame;
	if (!ok || base == token->length)
		return ok;
	token->kind = LANG_SUFFIX;
	token->at += base;
	token->length -= base;
	return push(a, token);
}

/* Up to the end of the line */
static bool lex_slice(struct qasm *a, const char *at, const char *end)
{
	for (at = lang_skip_blanks(at, end, false); at < end;
	     at = lang_skip_blanks(at, end, false)) {
		/* ra[3].16a */
		const bool suffix = a->token_count && a->tokens[a->token_count - 1].kind == ']';
		struct lang_token token = { .at = at, .frame = a->lang.frame };

		if (!lang_lex(&a->lang, end, suffix, &token))
			return false;
		at += token.length;
		if (token.kind == LANG_WORD ? !push_word(a, &token) : !push(a, &token))
			return false;
	}
	return true;
}

bool qasm_lex(struct qasm *a, const char **at, const char *end)
{
	struct lang_token last = { .kind = LANG_END,
				   .at = lang_line_end(*at, end),
				   .frame = a->lang.frame };

	a->token_count = 0;
	a->lang.now = NULL;
	if (!qasm_step(a, *at, last.at - *at) || !lex_slice(a, *at, last.at))
		return false;
	*at = last.at < end ? last.at + 1 : end;
	/* One more than a line may have: the end does not count. */
	a->token_count -= a->token_count == QASM_MAX_TOKENS;
	if (!push(a, &last))
		return false;
	a->lang.now = a->tokens;
	return true;
}
