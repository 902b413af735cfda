// SPDX-License-Identifier: MIT
/* Names that a text gives to labels, data, uniforms and numbers. */
#include <stdlib.h>
#include <string.h>

#include "assembler.h"

/* Local names (.name) belong to the expansion that they stand in. */
static uint32_t scope_of(const struct lang_token *name)
{
	return *name->at == '.' && name->frame ? name->frame->scope : 0;
}

static uint32_t hash(const char *name, uint32_t length, uint32_t scope)
{
	uint32_t h = 2166136261u ^ scope, i;

	for (i = 0; i < length; i++)
		h = (h ^ (uint8_t)name[i]) * 16777619u;
	return h;
}

/* Slot of a name in the table, which always has a free one; slots hold indices + 1 */
static uint32_t *slot_of(struct qasm *a, const char *name, uint32_t length, uint32_t scope)
{
	uint32_t at = hash(name, length, scope) & (a->slot_count - 1);
	const struct qasm_symbol *s;

	for (; a->slots[at]; at = (at + 1) & (a->slot_count - 1)) {
		s = &a->symbols[a->slots[at] - 1];
		if (s->length == length && s->scope == scope && !memcmp(s->name, name, length))
			break;
	}
	return &a->slots[at];
}

static struct qasm_symbol *lookup(struct qasm *a, const struct lang_token *name, uint32_t scope)
{
	uint32_t index = a->slot_count ? *slot_of(a, name->at, name->length, scope) : 0;

	return index ? &a->symbols[index - 1] : NULL;
}

struct qasm_symbol *qasm_lookup(struct qasm *a, const struct lang_token *name)
{
	const struct lang_frame *frame = *name->at == '.' ? name->frame : NULL;
	struct qasm_symbol *symbol;

	for (; frame; frame = frame->up) {
		symbol = lookup(a, name, frame->scope);
		if (symbol)
			return symbol;
	}
	return lookup(a, name, 0);
}

/* Twice as many slots as symbols, at least */
static bool make_room(struct qasm *a)
{
	uint32_t room = a->symbol_room ? a->symbol_room * 2 : 64, i;
	struct qasm_symbol *symbols;
	uint32_t *slots;

	if (a->symbol_count < a->symbol_room)
		return true;
	symbols = realloc(a->symbols, room * sizeof(*symbols));
	if (!symbols)
		return qasm_no_memory(a);
	a->symbols = symbols;
	slots = calloc(room * 2, sizeof(*slots));
	if (!slots)
		return qasm_no_memory(a);
	free(a->slots);
	a->slots = slots;
	a->slot_count = room * 2;
	a->symbol_room = room;
	for (i = 0; i < a->symbol_count; i++)
		*slot_of(a, symbols[i].name, symbols[i].length, symbols[i].scope) = i + 1;
	return true;
}

static struct qasm_symbol *add(struct qasm *a, const struct lang_token *name)
{
	struct qasm_symbol *symbol;
	char *copy;

	if (a->symbol_count >= QASM_MAX_SYMBOLS) {
		qasm_fail(a, name->at, "more than %u names", QASM_MAX_SYMBOLS);
		return NULL;
	}
	if (!make_room(a))
		return NULL;
	copy = malloc((size_t)name->length + 1);
	if (!copy) {
		qasm_no_memory(a);
		return NULL;
	}
	memcpy(copy, name->at, name->length);
	copy[name->length] = 0;
	symbol = &a->symbols[a->symbol_count];
	*symbol = (struct qasm_symbol){ .name = copy, .length = name->length,
					.scope = scope_of(name) };
	*slot_of(a, copy, symbol->length, symbol->scope) = ++a->symbol_count;
	return symbol;
}

bool qasm_define(struct qasm *a, const struct lang_token *name, int kind, struct lang_value value)
{
	struct qasm_symbol *symbol = lookup(a, name, scope_of(name));
	const bool fresh = !symbol || qasm_is_builtin(symbol->at);

	/* A text may take the names of the macros that are there. */
	if (!fresh && qasm_is_builtin(name->at))
		return true;
	if (!symbol)
		symbol = add(a, name);
	if (!symbol)
		return false;
	if (!fresh && symbol->defined && (symbol->kind != QASM_SET || kind != QASM_SET))
		return qasm_fail(a, name->at, "'%s' is the name of something else already",
				 symbol->name);
	if (!fresh && kind != QASM_SET && a->final &&
	    (symbol->value.integer != value.integer || (int)symbol->kind != kind))
		return qasm_fail(a, name->at, "'%s' moves, because what comes before depends on it",
				 symbol->name);
	symbol->kind = kind;
	symbol->value = value;
	symbol->defined = true;
	symbol->at = name->at;
	return true;
}
