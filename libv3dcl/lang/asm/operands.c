// SPDX-License-Identifier: MIT
/* Operands: registers with their suffixes, and constants. */
#include <string.h>

#include "assembler.h"

uint32_t qasm_base_length(const struct lang_token *token)
{
	const char *dot = memchr(token->at, '.', token->length);

	return dot ? dot - token->at : token->length;
}

static bool take_suffixes(struct qasm *a, const char *at, const char *end,
			  const struct qasm_name *conditions, uint8_t *condition, bool *set_flags)
{
	while (at < end) {
		const char *text = at + 1, *dot = memchr(text, '.', end - text);
		const uint32_t length = (dot ? dot : end) - text;
		int value = qasm_find(conditions, text, length);

		if (lang_same("setf", text, length))
			*set_flags = true;
		else if (value >= 0)
			*condition = value;
		else
			return qasm_fail(a, text, "'%.*s' is no condition, and not setf",
					 (int)(length < 40 ? length : 40), text);
		at = text + length;
	}
	return true;
}

bool qasm_suffixes(struct qasm *a, const struct lang_token *token,
		   const struct qasm_name *conditions, uint8_t *condition, bool *set_flags)
{
	const char *end = token->at + token->length;

	if (!take_suffixes(a, token->at + qasm_base_length(token), end, conditions, condition,
			   set_flags))
		return false;
	token = qasm_peek(a);
	if (token->kind != LANG_SUFFIX)
		return true;
	a->lang.now++;
	return take_suffixes(a, token->at, token->at + token->length, conditions, condition,
			     set_flags);
}

/*
 * "ra" and "12" of "ra12" or of "ra[4 * 3]": @kind 'a', 'b' or 'r'; @number -1 where brackets
 * follow
 */
static bool numbered(const struct lang_token *token, uint32_t length, char *kind, int *number)
{
	const char *at = token->at;
	uint32_t i = 1;

	if (token->kind != LANG_WORD || (at[0] | 0x20) != 'r')
		return false;
	*kind = 'r';
	if (length > 1 && ((at[1] | 0x20) == 'a' || (at[1] | 0x20) == 'b'))
		*kind = at[i++] | 0x20;
	*number = -1;
	if (i == length)
		return length == token->length && token[1].kind == '[';
	for (*number = 0; i < length && at[i] >= '0' && at[i] <= '9' && *number < 100; i++)
		*number = *number * 10 + at[i] - '0';
	return i == length;
}

bool qasm_is_file_a(const struct lang_token *token)
{
	char kind;
	int number;

	return token->kind == LANG_WORD && numbered(token, token->length, &kind, &number) &&
	       kind == 'a';
}

static bool is_nop(const struct lang_token *token)
{
	const unsigned int after = token[1].kind;

	return token->kind == '-' &&
	       (after == ',' || after == ';' || after == LANG_END || after == LANG_SHR ||
		(after == LANG_WORD && token[1].at[0] == '.' && token[1].at == token->at + 1));
}

bool qasm_is_destination(const struct qasm *a)
{
	const struct lang_token *token = qasm_peek(a);
	unsigned int files;
	char kind;
	int number;

	if (is_nop(token))
		return token[1].kind == ',' || (token[1].kind == LANG_WORD && token[2].kind == ',');
	if (token->kind != LANG_WORD)
		return false;
	if (!numbered(token, qasm_base_length(token), &kind, &number) &&
	    qasm_find_io(qasm_writes, token->at, qasm_base_length(token), &files) < 0)
		return false;
	token++;
	if (token->kind == '[')
		while (token->kind != LANG_END && token++->kind != ']')
			;
	return token[token->kind == LANG_SUFFIX].kind == ',';
}

/* What stands behind the first '.' of a register */
struct suffixes {
	const char *at, *end;
};

static bool take_numbered(struct qasm *a, struct v3dcl_qpu_operand *o, char kind, int number)
{
	const char *at = qasm_peek(a)->at;
	const int64_t last = kind == 'r' ? V3D_QPU_R5 : 63;
	int64_t index = number;

	a->lang.now++;
	if (number < 0) {
		a->lang.inside++;
		if (!qasm_expect(a, '[', "'['") ||
		    !qasm_range(a, "a register's number", 0, last, &index) ||
		    !qasm_expect(a, ']', "']'"))
			return false;
		a->lang.inside--;
	} else if (index > last) {
		return qasm_fail(a, at,
				 kind == 'r' ?
					 "accumulators are r0 to r5; registers are ra or rb" :
					 "a register's number is 0 to 31, an I/O address 32 to 63");
	}
	*o = kind == 'r' ? v3dcl_qpu_acc(index) :
	     kind == 'a' ? v3dcl_qpu_ra(index) :
			   v3dcl_qpu_rb(index);
	return true;
}

/* A register's name, up to its suffixes; @found false: no register stands here */
static bool take_name(struct qasm *a, const struct qasm_io *list, struct v3dcl_qpu_operand *o,
		      struct suffixes *suffixes, bool *found)
{
	const struct lang_token *token = qasm_peek(a);
	uint32_t length = token->kind == LANG_WORD ? qasm_base_length(token) : 0;
	unsigned int files;
	int number;
	char kind;

	*suffixes = (struct suffixes){ token->at + length, token->at + token->length };
	*found = true;
	if (is_nop(token)) {
		*o = v3dcl_qpu_io(V3D_QPU_W_NOP);
		suffixes->at = suffixes->end;
		a->lang.now++;
		if (token[1].kind != LANG_WORD)
			return true;
		*suffixes = (struct suffixes){ token[1].at, token[1].at + token[1].length };
		a->lang.now++;
		return true;
	}
	if (numbered(token, length, &kind, &number))
		return take_numbered(a, o, kind, number);
	number = length ? qasm_find_io(list, token->at, length, &files) : -1;
	*found = number >= 0;
	if (!*found)
		return true;
	*o = files == 3 ? v3dcl_qpu_io(number) :
	     files == 1 ? v3dcl_qpu_ra(number) :
			  v3dcl_qpu_rb(number);
	a->lang.now++;
	return true;
}

/* A register with its suffixes, which may be a token of their own */
static bool take_register(struct qasm *a, const struct qasm_io *list, struct v3dcl_qpu_operand *o,
			  struct suffixes *suffixes, bool *found)
{
	const struct lang_token *token;

	if (!take_name(a, list, o, suffixes, found))
		return false;
	token = qasm_peek(a);
	if (*found && token->kind == LANG_SUFFIX && suffixes->at == suffixes->end) {
		*suffixes = (struct suffixes){ token->at, token->at + token->length };
		a->lang.now++;
	}
	return true;
}

/* The next suffix, without its '.' */
static bool next_suffix(struct suffixes *s, const char **text, uint32_t *length)
{
	const char *dot;

	if (s->at == s->end)
		return false;
	*text = s->at + 1;
	dot = memchr(*text, '.', s->end - *text);
	s->at = dot ? dot : s->end;
	*length = s->at - *text;
	return true;
}

bool qasm_source(struct qasm *a, struct v3dcl_qpu_operand *o)
{
	const struct lang_token *token = qasm_peek(a);
	struct suffixes suffixes;
	const char *text;
	uint32_t length;
	bool found, ok;
	int pack;

	if (!take_register(a, qasm_reads, o, &suffixes, &found))
		return false;
	if (!found) {
		const unsigned int wrong = token->kind == LANG_WORD ?
						   qasm_find_io(qasm_writes, token->at,
								qasm_base_length(token),
								&(unsigned int){ 0 }) +
							   1 :
						   0;

		if (wrong && token[1].kind != '(' && !qasm_lookup(a, token))
			return qasm_fail(a, token->at, "%.*s can be written, not read",
					 (int)qasm_base_length(token), token->at);
		*o = v3dcl_qpu_constant(0);
		a->operand = true;
		ok = qasm_word(a, &o->value);
		a->operand = false;
		return ok;
	}
	while (next_suffix(&suffixes, &text, &length)) {
		pack = qasm_find(qasm_unpacks, text, length);
		if (pack < 0 || o->pack)
			return qasm_fail(a, text,
					 "an unpack mode is expected: 16a, 16b, 8dr, or 8a to 8d");
		o->pack = pack;
	}
	return true;
}

/* Table 9's modes have a c where Table 7 would hold: 8abcdc, 8ac... */
static int find_pack(const char *text, uint32_t length)
{
	int pack = qasm_find(qasm_packs, text, length);

	if (pack < 0 && length > 2 && (text[length - 1] | 0x20) == 'c') {
		pack = qasm_find(qasm_packs, text, length - 1);
		pack = pack >= 3 && pack <= 7 ? pack | V3DCL_QPU_COLOUR : -1;
	}
	return pack;
}

bool qasm_destination(struct qasm *a, struct v3dcl_qpu_operand *o, uint8_t *condition)
{
	const struct lang_token *token = qasm_peek(a);
	struct suffixes suffixes;
	const char *text;
	uint32_t length;
	bool found;
	int value;

	if (!take_register(a, qasm_writes, o, &suffixes, &found))
		return false;
	if (!found && token->kind == LANG_WORD &&
	    qasm_find_io(qasm_reads, token->at, qasm_base_length(token), &(unsigned int){ 0 }) >= 0)
		return qasm_fail(a, token->at, "%.*s can be read, not written",
				 (int)qasm_base_length(token), token->at);
	if (!found)
		return qasm_fail(a, token->at,
				 "a destination is expected: a register, an I/O name, or '-'");
	while (next_suffix(&suffixes, &text, &length)) {
		value = find_pack(text, length);
		if (value >= 0 && !o->pack) {
			o->pack = value;
			continue;
		}
		value = condition ? qasm_find(qasm_conditions, text, length) : -1;
		if (value < 0)
			return qasm_fail(a, text,
					 "a pack mode is expected: 16a, 16b, 8abcd, 8a to 8d, each "
					 "with s to saturate, or s%s",
					 condition ? "; or a condition" : "");
		*condition = value;
	}
	return true;
}
