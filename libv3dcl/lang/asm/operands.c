// SPDX-License-Identifier: MIT
/* Operands: registers with their suffixes, and constants. */
#include <string.h>
#include <sys/param.h>

#include "assembler.h"

uint32_t qasm_base_length(const struct lang_token *token)
{
	const char *dot = token->length ? memchr(token->at + 1, '.', token->length - 1) : NULL;

	return dot ? (uint32_t)(dot - token->at) : token->length;
}

/* ".pack8a" and ".unpack16b" behind a mnemonic */
static bool take_mode(const char *text, uint32_t length, struct qasm_suffixes *suffixes)
{
	int mode;

	if (suffixes->pack && length > 4 && lang_same("pack", text, 4)) {
		mode = qasm_find(qasm_packs, text + 4, length - 4);
		*suffixes->pack = mode < 0 ? 0 : mode;
		return mode >= 0;
	}
	if (suffixes->unpack && length > 6 && lang_same("unpack", text, 6)) {
		mode = qasm_find(qasm_unpacks, text + 6, length - 6);
		*suffixes->unpack = mode < 0 ? 0 : mode;
		return mode >= 0;
	}
	return false;
}

static bool take_suffixes(struct qasm *a, const char *at, const char *end,
			  const struct qasm_name *conditions, struct qasm_suffixes *suffixes)
{
	while (at < end) {
		const char *text = at + 1, *dot = memchr(text, '.', end - text);
		const uint32_t length = (dot ? dot : end) - text;
		int value = qasm_find(conditions, text, length);

		if (lang_same("setf", text, length) || lang_same("sf", text, length))
			suffixes->set_flags = true;
		else if (value >= 0)
			suffixes->condition = value;
		else if (!take_mode(text, length, suffixes))
			return qasm_fail(a, text, "'%.*s' is no condition, and not setf",
					 (int)MIN(length, 40), text);
		suffixes->conditional |= value >= 0;
		at = text + length;
	}
	return true;
}

bool qasm_suffixes(struct qasm *a, const struct lang_token *token,
		   const struct qasm_name *conditions, struct qasm_suffixes *suffixes)
{
	const char *end = token->at + token->length;

	if (!take_suffixes(a, token->at + qasm_base_length(token), end, conditions, suffixes))
		return false;
	token = qasm_peek(a);
	if (token->kind != LANG_SUFFIX)
		return true;
	a->lang.now++;
	return take_suffixes(a, token->at, token->at + token->length, conditions, suffixes);
}

static bool is_nop(const struct lang_token *token)
{
	const unsigned int after = token[1].kind;

	return token->kind == '-' &&
	       (after == ',' || after == ';' || after == LANG_END || after == LANG_SHR ||
		after == LANG_SHL || after == LANG_SUFFIX ||
		(after == LANG_WORD && token[1].at[0] == '.' && token[1].at == token->at + 1));
}

bool qasm_is_destination(struct qasm *a)
{
	const enum qasm_role role = a->role;
	const struct lang_token *token = qasm_peek(a);
	struct qasm_register reg;
	unsigned int level = 0;
	bool is;

	a->role = QASM_WRITE;
	is = is_nop(token) || qasm_names_register(a, token, &reg);
	a->role = role;
	for (; is && token->kind != LANG_END && token->kind != ';'; token++) {
		if (token->kind == '[' || token->kind == '(')
			level++;
		else if (level && (token->kind == ']' || token->kind == ')'))
			level--;
		else if (!level && token->kind == ',')
			return true;
	}
	return false;
}

/* What stands where an operand can */
static bool take_value(struct qasm *a, enum qasm_role role, struct lang_value *value)
{
	const struct qasm_register none = { .place = V3DCL_QPU_IO, .address = V3D_QPU_W_NOP,
					    .access = QASM_READ | QASM_WRITE };
	struct qasm_register reg = none;

	a->role = role;
	a->operand = true;
	if (is_nop(qasm_peek(a))) {
		a->lang.now++;
		qasm_register_suffixes(a, &reg);
		*value = qasm_register_value(&reg);
	} else {
		*value = lang_expression(&a->lang);
	}
	a->operand = false;
	a->role = QASM_ANY_ROLE;
	return !a->lang.status;
}

static struct v3dcl_qpu_operand operand_of(const struct qasm_register *reg, uint8_t pack)
{
	return (struct v3dcl_qpu_operand){ .place = reg->place, .address = reg->address,
					   .pack = pack };
}

static bool take_constant(struct qasm *a, const char *at, const struct lang_value *value,
			  struct qasm_operand *source)
{
	source->o = v3dcl_qpu_constant(lang_as_bits(value));
	source->load = V3D_QPU_LOAD_32;
	if (value->kind == LANG_ELEMENTS)
		source->load = value->integer >> 32 ? V3D_QPU_LOAD_UNSIGNED : V3D_QPU_LOAD_SIGNED;
	else
		return qasm_fits_word(a, at, value);
	return true;
}

bool qasm_source(struct qasm *a, struct qasm_operand *source)
{
	const struct lang_token *token = qasm_peek(a);
	struct qasm_register reg;
	struct lang_value value;

	*source = (struct qasm_operand){ .load = V3D_QPU_ALU };
	if (!take_value(a, QASM_READ, &value))
		return false;
	if (value.kind != LANG_REGISTER)
		return take_constant(a, token->at, &value, source);
	reg = qasm_value_register(&value);
	if (!(reg.access & QASM_READ))
		return qasm_fail(a, token->at, "%.*s can be written, not read",
				 (int)qasm_base_length(token), token->at);
	source->o = operand_of(&reg, reg.unpack);
	source->rotate = reg.rotate;
	source->acquire = reg.acquire;
	if (reg.place == QASM_SEMAPHORE)
		source->load = V3D_QPU_SEMAPHORE;
	return true;
}

bool qasm_destination(struct qasm *a, bool conditional, struct qasm_target *target)
{
	const struct lang_token *token = qasm_peek(a);
	struct qasm_register reg;
	struct lang_value value;

	a->conditional = conditional;
	if (!take_value(a, QASM_WRITE, &value))
		return false;
	if (value.kind != LANG_REGISTER)
		return qasm_fail(a, token->at,
				 "a destination is expected: a register, an I/O name, or '-'");
	reg = qasm_value_register(&value);
	if (!(reg.access & QASM_WRITE))
		return qasm_fail(a, token->at, "%.*s can be read, not written",
				 (int)qasm_base_length(token), token->at);
	/* vc4asm's 8as and its like, by the mul half to anywhere else: Table 9 */
	if (!(reg.place == V3DCL_QPU_FILE_A && reg.address < 32) && reg.pack >= 11 &&
	    reg.pack < V3DCL_QPU_COLOUR)
		reg.pack -= 8;
	*target = (struct qasm_target){ .o = operand_of(&reg, reg.pack),
					.conditional = reg.condition,
					.condition = reg.condition ? reg.condition - 1 :
								     V3D_QPU_COND_ALWAYS,
					.set_flags = reg.set_flags, .rotate = reg.rotate };
	return true;
}

uint8_t qasm_default_condition(const struct qasm *a, const struct v3dcl_qpu_operand *to,
			       bool set_flags)
{
	if (a->options && a->options->vc4asm && to->place == V3DCL_QPU_IO &&
	    to->address == V3D_QPU_W_NOP && !set_flags)
		return V3D_QPU_COND_NEVER;
	return V3D_QPU_COND_ALWAYS;
}
