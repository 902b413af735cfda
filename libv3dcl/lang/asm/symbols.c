// SPDX-License-Identifier: MIT
/* Names that a text gives to labels, data, uniforms and numbers. */
#include <stdlib.h>
#include <string.h>

#include "assembler.h"

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

/* Names of the whole text, or those that belong to the expansion that they stand in: .name */
static bool is_local(const struct lang_token *name)
{
	return *name->at == '.';
}

/* A name of @scope, seen from the expansions that the token stands in where @inner */
static struct qasm_symbol *lookup_from(struct qasm *a, const struct lang_token *name, bool inner,
				       uint32_t scope)
{
	const struct lang_frame *frame = inner ? name->frame : NULL;
	struct qasm_symbol *symbol;

	for (; frame; frame = frame->up) {
		symbol = frame->scope ? lookup(a, name, scope | frame->scope) : NULL;
		if (symbol && (symbol->defined || is_local(name)))
			return symbol;
	}
	return lookup(a, name, scope);
}

/* The name in a label with its colons */
static struct lang_token bare(const struct lang_token *label)
{
	struct lang_token name = *label;

	while (*name.at == ':') {
		name.at++;
		name.length--;
	}
	return name;
}

struct qasm_symbol *qasm_lookup(struct qasm *a, const struct lang_token *name)
{
	struct qasm_symbol *symbol = lookup_from(a, name, true, 0);

	/* "brr loop" leads to ":loop", too. */
	return symbol ? symbol : lookup_from(a, name, is_local(name), QASM_COLON);
}

struct qasm_symbol *qasm_find_local(struct qasm *a, const struct lang_token *name)
{
	return a->lang.frame ? lookup(a, name, a->lang.frame->scope) : lookup(a, name, 0);
}

bool qasm_find_value(struct qasm *a, const struct lang_token *name, struct lang_value *value)
{
	const struct lang_frame *frame;
	const struct qasm_symbol *symbol;
	uint32_t i;

	for (frame = name->frame; frame; frame = frame->up) {
		symbol = frame->scope ? lookup(a, name, frame->scope) : NULL;
		if (symbol && symbol->defined && symbol->kind == QASM_SET) {
			*value = symbol->value;
			return true;
		}
		for (i = 0; i < frame->bound_count; i++) {
			if (frame->bound[i].length == name->length &&
			    !memcmp(frame->bound[i].text, name->at, name->length)) {
				*value = frame->bound[i].value;
				return true;
			}
		}
	}
	symbol = lookup(a, name, 0);
	if (!symbol || !symbol->defined || symbol->kind != QASM_SET)
		return false;
	*value = symbol->value;
	return true;
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

static struct qasm_symbol *add(struct qasm *a, const struct lang_token *name, uint32_t scope)
{
	struct qasm_symbol *symbol;
	char *copy;

	if (a->symbol_count >= QASM_MAX_SYMBOLS) {
		qasm_give_up(a, name->at, "more than %u names", QASM_MAX_SYMBOLS);
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
					.scope = scope };
	*slot_of(a, copy, symbol->length, symbol->scope) = ++a->symbol_count;
	return symbol;
}

static bool takes_again(const struct qasm *a, const struct qasm_symbol *symbol, int kind)
{
	if (symbol->kind == QASM_SET && kind == QASM_SET)
		return !symbol->final;
	/* vc4asm's users make macros and functions anew. */
	return a->vc4asm && (int)symbol->kind == kind &&
	       (kind == QASM_MACRO || kind == QASM_FUNCTION);
}

static bool define_in(struct qasm *a, const struct lang_token *name, uint32_t scope, int kind,
		      struct lang_value value)
{
	struct qasm_symbol *symbol = lookup(a, name, scope);
	const bool fresh = !symbol || qasm_is_builtin(symbol->at);

	/* A text may take the names of the macros that are there. */
	if (!fresh && qasm_is_builtin(name->at))
		return true;
	if (!symbol)
		symbol = add(a, name, scope);
	if (!symbol)
		return false;
	if (!fresh && symbol->defined && !takes_again(a, symbol, kind))
		return qasm_fail(a, name->at, "'%s' is the name of something else already",
				 symbol->name);
	symbol->again = value.integer;
	if (!a->final || kind == QASM_SET || kind == QASM_MACRO || kind == QASM_FUNCTION ||
	    fresh || (int)symbol->kind != kind)
		symbol->value = value;
	symbol->kind = kind;
	symbol->defined = true;
	symbol->at = name->at;
	return true;
}

bool qasm_define(struct qasm *a, const struct lang_token *name, int kind, struct lang_value value)
{
	const uint32_t scope = is_local(name) && name->frame ? name->frame->scope : 0;

	return define_in(a, name, scope, kind, value);
}

bool qasm_define_set(struct qasm *a, const struct lang_token *name, int kind, unsigned int how,
		     struct lang_value value)
{
	const struct lang_frame *frame = a->lang.frame;
	struct qasm_symbol *symbol;
	uint32_t scope = 0;

	/* A macro's turn of a repetition, and so on: the expansion at hand */
	if (how & QASM_LOCAL || is_local(name))
		scope = frame ? frame->scope : 0;
	if (!define_in(a, name, scope, kind, value))
		return false;
	symbol = lookup(a, name, scope);
	symbol->final = how & QASM_FINAL;
	return true;
}

static bool is_number(const struct lang_token *name, uint32_t length)
{
	uint32_t i;

	for (i = 0; i < length && name->at[i] >= '0' && name->at[i] <= '9'; i++)
		;
	return length && i == length;
}

/* How many places a number has labelled so far */
static uint32_t numbered_so_far(struct qasm *a, const struct lang_token *number)
{
	const struct qasm_symbol *count = lookup(a, number, QASM_COLON);

	return count && count->defined ? count->value.integer : 0;
}

struct qasm_symbol *qasm_find_label(struct qasm *a, const struct lang_token *label)
{
	struct lang_token name = bare(label);
	const uint32_t last = name.length - 1;
	struct qasm_symbol *symbol;
	bool forward;

	forward = is_number(&name, last) && (name.at[last] | 0x20) == 'f';
	if (forward || (is_number(&name, last) && (name.at[last] | 0x20) == 'b'))
		name.length = last;
	if (!is_number(&name, name.length)) {
		symbol = lookup_from(a, &name, is_local(&name), QASM_COLON);
		return symbol ? symbol : lookup_from(a, &name, is_local(&name), 0);
	}
	return lookup(a, &name, QASM_NUMBERED | (numbered_so_far(a, &name) + forward));
}

bool qasm_define_label(struct qasm *a, const struct lang_token *label, struct lang_value value)
{
	struct lang_token name = bare(label);
	const int kind = a->in_data ? QASM_DATA_LABEL : QASM_LABEL;
	uint32_t scope = QASM_COLON, number;

	if (is_number(&name, name.length)) {
		number = numbered_so_far(a, &name) + 1;
		return define_in(a, &name, QASM_COLON, QASM_SET, lang_integer(number)) &&
		       define_in(a, &name, QASM_NUMBERED | number, kind, value);
	}
	if (is_local(&name) && name.frame)
		scope |= name.frame->scope;
	return define_in(a, &name, scope, kind, value);
}

bool qasm_check_labels(struct qasm *a)
{
	uint32_t i;

	for (i = 0; i < a->symbol_count; i++) {
		const struct qasm_symbol *s = &a->symbols[i];

		if (s->defined && (s->kind == QASM_LABEL || s->kind == QASM_DATA_LABEL) &&
		    s->value.integer != s->again)
			return qasm_fail(a, s->at,
					 "'%s' moves, because what comes before depends on it",
					 s->name);
	}
	return true;
}

void qasm_mark_labels(struct qasm *a, uint32_t first)
{
	uint32_t i;

	for (i = 0; i < a->symbol_count; i++) {
		struct qasm_symbol *s = &a->symbols[i];

		if (s->defined && s->kind == QASM_LABEL && !s->moves &&
		    s->again > (int64_t)first * V3D_QPU_INSTRUCTION_BYTES)
			s->moves = a->backs;
	}
}

void qasm_move_labels(struct qasm *a, uint32_t by)
{
	const int64_t distance = (int64_t)by * V3D_QPU_INSTRUCTION_BYTES;
	uint32_t i;

	for (i = 0; i < a->symbol_count; i++) {
		struct qasm_symbol *s = &a->symbols[i];

		if (s->moves != a->backs)
			continue;
		s->moves = 0;
		s->again += distance;
		if (!a->final)
			s->value.integer += distance;
	}
}
