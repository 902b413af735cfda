// SPDX-License-Identifier: MIT
/* "Did you mean ...?" */
#include <string.h>
#include <sys/param.h>

#include "../../base/helpers.h"
#include "assembler.h"

#define LONGEST 16u

static bool same_letter(char a, char b)
{
	return lang_lower(a) == lang_lower(b);
}

/* How many letters to change, add, leave out or swap with their neighbour */
static unsigned int distance(const char *a, unsigned int a_length, const char *b,
			     unsigned int b_length)
{
	unsigned int rows[3][LONGEST + 1], i, j;

	for (j = 0; j <= b_length; j++)
		rows[0][j] = j;
	for (i = 1; i <= a_length; i++) {
		unsigned int *row = rows[i % 3], *above = rows[(i + 2) % 3],
			     *two_above = rows[(i + 1) % 3];

		row[0] = i;
		for (j = 1; j <= b_length; j++) {
			unsigned int best = above[j - 1] + (!same_letter(a[i - 1], b[j - 1]));

			best = MIN(above[j] + 1, best);
			best = MIN(row[j - 1] + 1, best);
			if (i > 1 && j > 1 && same_letter(a[i - 1], b[j - 2]) &&
			    same_letter(a[i - 2], b[j - 1]))
				best = MIN(two_above[j - 2] + 1, best);
			row[j] = best;
		}
	}
	return rows[a_length % 3][b_length];
}

static void consider(const char *name, const char *text, unsigned int length, const char **best,
		     unsigned int *least)
{
	const size_t n = strlen(name);
	unsigned int d;

	if (!n || n > LONGEST)
		return;
	d = distance(text, length, name, n);
	if (d < *least) {
		*least = d;
		*best = name;
	}
}

static void consider_list(const struct qasm_name *list, const char *text, unsigned int length,
			  const char **best, unsigned int *least)
{
	for (; list->text; list++)
		consider(list->text, text, length, best, least);
}

bool qasm_unknown(struct qasm *a, const struct lang_token *token)
{
	static const char *const others[] = { "mov", "ldi", "ldis", "ldiu",
					      "sacq", "srel", "brr", "bra" };
	const uint32_t length = qasm_base_length(token);
	unsigned int least = length > 4 ? 3 : 2;
	const char *best = NULL;
	size_t i;

	if (length && length <= LONGEST) {
		consider_list(qasm_add_ops, token->at, length, &best, &least);
		consider_list(qasm_mul_ops, token->at, length, &best, &least);
		consider_list(qasm_signals, token->at, length, &best, &least);
		for (i = 0; i < COUNT(others); i++)
			consider(others[i], token->at, length, &best, &least);
	}
	if (best)
		return qasm_fail(a, token->at,
				 "there is no operation or signal '%.*s'; did you mean '%s'?",
				 (int)length, token->at, best);
	return qasm_fail(a, token->at, "there is no operation, signal or macro '%.*s'",
			 (int)MIN(length, 40), token->at);
}

bool qasm_unknown_directive(struct qasm *a, const struct lang_token *token,
			    const struct qasm_name *list)
{
	const char *best = NULL;
	unsigned int least = 3;

	if (token->length <= LONGEST)
		consider_list(list, token->at, token->length, &best, &least);
	if (best)
		return qasm_fail(a, token->at, "there is no directive '%.*s'; did you mean '%s'?",
				 (int)token->length, token->at, best);
	return qasm_fail(a, token->at, "there is no directive '%.*s'",
			 (int)MIN(token->length, 40), token->at);
}

bool qasm_unknown_name(struct qasm *a, const struct lang_token *token)
{
	unsigned int least = token->length > 4 ? 3 : 2;
	const char *best = NULL;
	uint32_t i;

	for (i = 0; token->length <= LONGEST && qasm_reads[i].text; i++)
		consider(qasm_reads[i].text, token->at, token->length, &best, &least);
	for (i = 0; token->length <= LONGEST && i < a->symbol_count; i++)
		if (a->symbols[i].kind != QASM_MACRO)
			consider(a->symbols[i].name, token->at, token->length, &best, &least);
	if (best)
		return qasm_fail(a, token->at, "nothing is called '%.*s'; did you mean '%s'?",
				 (int)token->length, token->at, best);
	return qasm_fail(a, token->at, "nothing is called '%.*s'",
			 (int)MIN(token->length, 60), token->at);
}
