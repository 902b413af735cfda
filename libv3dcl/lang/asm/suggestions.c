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

	/* A word is no help for itself: it is known, but not here */
	if (!n || n > LONGEST || (n == length && !memcmp(name, text, n)))
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

/* So many letters may differ, and one less: of a word of one letter nothing would be left */
static unsigned int near(uint32_t length)
{
	const unsigned int most = length > 4 ? 3 : 2;

	return MIN(most, length);
}

/* Instructions that have no halves */
static const char *const others[] = { "ldi", "ldis", "ldiu", "sacq", "srel", "brr", "bra" };

/* A word that there is, but not where it stands */
static bool misplaced(struct qasm *a, const struct lang_token *token, uint32_t length)
{
	size_t i;

	if (qasm_find(qasm_signals, token->at, length) >= 0)
		return !qasm_fail(a, token->at + length,
				  "the signal '%.*s' has no condition, and nothing behind it",
				  (int)length, token->at);
	for (i = 0; i < COUNT(others); i++)
		if (lang_same(others[i], token->at, length))
			return !qasm_fail(a, token->at,
					  "'%s' is an instruction of its own: give it a line",
					  others[i]);
	return false;
}

bool qasm_unknown(struct qasm *a, const struct lang_token *token)
{
	const uint32_t length = qasm_base_length(token);
	unsigned int least = near(length);
	const char *best = NULL;
	size_t i;

	if (misplaced(a, token, length))
		return false;
	if (length && length <= LONGEST) {
		consider_list(qasm_add_ops, token->at, length, &best, &least);
		consider_list(qasm_mul_ops, token->at, length, &best, &least);
		consider_list(qasm_signals, token->at, length, &best, &least);
		consider("mov", token->at, length, &best, &least);
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
	const struct qasm_symbol *symbol = qasm_lookup(a, token);
	unsigned int least = near(token->length);
	const char *best = NULL;
	uint32_t i;

	if (symbol && symbol->defined && symbol->kind == QASM_MACRO)
		return qasm_fail(a, token->at, "'%.*s' is a macro, which has no value",
				 (int)MIN(token->length, 60), token->at);

	for (i = 0; token->length <= LONGEST && qasm_reads[i].text; i++)
		consider(qasm_reads[i].text, token->at, token->length, &best, &least);
	for (i = 0; token->length <= LONGEST && i < a->symbol_count; i++)
		if (a->symbols[i].kind != QASM_MACRO && a->symbols[i].defined)
			consider(a->symbols[i].name, token->at, token->length, &best, &least);
	if (best)
		return qasm_fail(a, token->at, "nothing is called '%.*s'; did you mean '%s'?",
				 (int)token->length, token->at, best);
	return qasm_fail(a, token->at, "nothing is called '%.*s'",
			 (int)MIN(token->length, 60), token->at);
}
