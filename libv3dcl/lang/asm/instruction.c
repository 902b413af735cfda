// SPDX-License-Identifier: MIT
/* A line of instructions' parts to a word: halves, signal, attributes. */
#include "assembler.h"

/* A half as it was written, not yet put into the add or mul place */
struct part {
	const struct lang_token *name;
	int add_op, mul_op;		/* -1: that half has no such operation */
	bool copy, nop;
	struct v3dcl_qpu_half half;
	const char *at[3];		/* destination and sources, for messages */
	uint8_t rotate;
};

/* What has been read of a line */
struct line {
	struct part parts[2];
	unsigned int count;
	const struct lang_token *signal;
	uint8_t signal_value;
	struct v3dcl_qpu_pair pair;
	struct v3d_qpu_inst inst;
};

static bool part_end(const struct qasm *a)
{
	return qasm_peek(a)->kind == ';' || qasm_peek(a)->kind == LANG_END;
}

static bool take_rotation(struct qasm *a, struct part *part)
{
	int64_t number;

	if (!qasm_accept(a, LANG_SHR))
		return true;
	if (qasm_is(qasm_peek(a), "r5")) {
		a->lang.now++;
		part->rotate = V3DCL_QPU_ROTATE_R5;
		return true;
	}
	if (!qasm_range(a, "a rotation", 0, V3D_QPU_LANES - 1, &number))
		return false;
	part->rotate = number;
	return true;
}

static bool take_part(struct qasm *a, struct part *part)
{
	unsigned int operands, i;

	part->half.condition = V3D_QPU_COND_ALWAYS;
	if (!qasm_suffixes(a, part->name, qasm_conditions, &part->half.condition,
			   &part->half.set_flags))
		return false;
	if (part->nop)
		return take_rotation(a, part);
	operands = part->copy ? 1 :
		   part->add_op >= 0 ? qasm_operands(false, part->add_op) :
				       qasm_operands(true, part->mul_op);
	part->at[0] = qasm_peek(a)->at;
	if (!qasm_destination(a, &part->half.to, NULL))
		return false;
	for (i = 0; i < operands; i++) {
		if (!qasm_accept(a, ','))
			return qasm_fail(a, qasm_peek(a)->at,
					 "'%.*s' has %u source%s: ',' is expected here",
					 (int)qasm_base_length(part->name), part->name->at,
					 operands, operands > 1 ? "s" : "");
		part->at[i + 1] = qasm_peek(a)->at;
		if (!qasm_source(a, &part->half.from[i]))
			return false;
	}
	if (part->copy) {
		part->half.from[1] = part->half.from[0];
		part->at[2] = part->at[1];
	}
	return take_rotation(a, part);
}

static bool begin_part(struct qasm *a, struct line *l, const struct lang_token *token)
{
	const uint32_t length = qasm_base_length(token);
	struct part part = { .name = token, .add_op = qasm_find(qasm_add_ops, token->at, length),
			     .mul_op = qasm_find(qasm_mul_ops, token->at, length) };

	part.nop = !part.add_op;
	if (lang_same("mov", token->at, length)) {
		part.copy = true;
		part.add_op = V3D_QPU_ADD_OR;
		part.mul_op = V3D_QPU_MUL_V8MIN;
	}
	if (part.add_op < 0 && part.mul_op < 0)
		return qasm_unknown(a, token);
	if (l->count == 2)
		return qasm_fail(a, token->at, "an instruction has two halves; this is a third");
	a->lang.now++;
	if (!take_part(a, &part))
		return false;
	l->parts[l->count++] = part;
	return true;
}

static bool take_signal(struct qasm *a, struct line *l, const struct lang_token *token, int value)
{
	if (l->signal)
		return qasm_fail(a, token->at, "an instruction has one signal; %.*s is a second",
				 (int)token->length, token->at);
	l->signal = token;
	l->signal_value = value;
	a->lang.now++;
	return true;
}

/* {name=value, ...} */
static bool take_attributes(struct qasm *a, struct v3d_qpu_inst *inst)
{
	const enum qasm_class class = qasm_class(inst);
	const struct qasm_field *field;
	const struct lang_token *token;
	int64_t value;

	do {
		token = qasm_peek(a);
		for (field = qasm_fields; field->name; field++)
			if (token->kind == LANG_WORD && field->classes & 1 << class &&
			    lang_same(field->name, token->at, token->length))
				break;
		if (!field->name)
			return qasm_fail(a, token->at,
					 "a field of this kind of instruction is expected here");
		a->lang.now++;
		if (!qasm_expect(a, '=', "'='") ||
		    !qasm_range(a, field->name, 0, (1ll << field->bits) - 1, &value))
			return false;
		qasm_field_set(inst, field, value);
		if (qasm_class(inst) != class)
			return qasm_fail(a, token->at,
					 "this makes an instruction that has its own mnemonic");
	} while (qasm_accept(a, ','));
	return qasm_expect(a, '}', "',' or '}'");
}

/* Everything up to attributes or the end of the line */
static bool take_parts(struct qasm *a, struct line *l)
{
	do {
		const struct lang_token *token = qasm_peek(a);
		int signal;

		if (token->kind == LANG_END || token->kind == '{')
			break;
		if (token->kind != LANG_WORD)
			return qasm_fail(a, token->at, "an operation or a signal is expected here");
		signal = qasm_find(qasm_signals, token->at, token->length);
		if (signal >= 0 ? !take_signal(a, l, token, signal) : !begin_part(a, l, token))
			return false;
		if (!part_end(a))
			return qasm_fail(a, qasm_peek(a)->at,
					 "';' or the end of the line is expected here");
	} while (qasm_accept(a, ';'));
	return true;
}

/* Can these two stand in these places? */
static bool place(struct line *l, const struct part *add, const struct part *mul)
{
	l->pair = (struct v3dcl_qpu_pair){ .signal = l->signal ? l->signal_value :
								 V3D_QPU_SIG_NONE };
	if ((add && add->add_op < 0) || (mul && mul->mul_op < 0))
		return false;
	if (add && !add->nop) {
		l->pair.add = add->half;
		l->pair.add.op = add->add_op;
	}
	if (mul && !mul->nop) {
		l->pair.mul = mul->half;
		l->pair.mul.op = mul->mul_op;
	}
	if (mul)
		l->pair.rotate = mul->rotate;
	return !add || !add->rotate;
}

static const char *blame(const struct line *l, const struct part *add, const struct part *mul,
			 enum qasm_part part)
{
	switch (part) {
	case QASM_ADD_TO:
	case QASM_ADD_FROM:
	case QASM_ADD_FROM2:
		return add->at[part - QASM_ADD_TO];
	case QASM_MUL_TO:
	case QASM_MUL_FROM:
	case QASM_MUL_FROM2:
		return mul->at[part - QASM_MUL_TO];
	case QASM_SIGNAL:
		return l->signal->at;
	default:
		return part == QASM_ADD ? add->name->at : mul->name->at;
	}
}

/* First part add, second mul, as written; else the other way round */
static bool join(struct qasm *a, struct line *l)
{
	const struct part *first = l->count > 0 ? &l->parts[0] : NULL,
			  *second = l->count > 1 ? &l->parts[1] : NULL;
	struct qasm_conflict conflict, other;

	if (place(l, first, second)) {
		if (qasm_join(&l->pair, &l->inst, &conflict))
			return true;
		if (place(l, second, first) && qasm_join(&l->pair, &l->inst, &other))
			return true;
		return qasm_fail(a, blame(l, first, second, conflict.part), "%s", conflict.text);
	}
	if (place(l, second, first)) {
		if (qasm_join(&l->pair, &l->inst, &conflict))
			return true;
		return qasm_fail(a, blame(l, second, first, conflict.part), "%s", conflict.text);
	}
	if (second && first->rotate | second->rotate)
		return qasm_fail(a, second->name->at,
				 "only the mul half's result is rotated, and the other half cannot "
				 "be the add half");
	if (!second)
		return qasm_fail(a, first->name->at,
				 "only the mul half's result is rotated, which has no '%.*s'",
				 (int)qasm_base_length(first->name), first->name->at);
	return qasm_fail(a, second->name->at, "both halves are operations of the %s ALU only",
			 first->add_op < 0 ? "mul" : "add");
}

/* "mov r0, 1000" is a load where 1000 is no small immediate. */
static bool is_load(const struct line *l)
{
	const struct part *part = &l->parts[0];
	struct v3dcl_qpu_pair pair = l->pair;

	if (l->count != 1 || !part->copy || part->rotate || l->signal ||
	    part->half.from[0].place != V3DCL_QPU_CONSTANT)
		return false;
	pair.add = part->half;
	pair.add.op = V3D_QPU_ADD_NOT;
	pair.add.to = v3dcl_qpu_io(V3D_QPU_W_NOP);
	pair.signal = V3D_QPU_SIG_NONE;
	return !qasm_join(&pair, &(struct v3d_qpu_inst){ 0 }, NULL);
}

static bool take_load(struct qasm *a, struct line *l)
{
	struct part *part = &l->parts[0];
	struct qasm_conflict conflict;

	l->inst = (struct v3d_qpu_inst){
		.kind = V3D_QPU_LOAD_32,
		.sig = V3D_QPU_SIG_LOAD_IMMEDIATE,
		.cond_add = part->half.condition,
		.sf = part->half.set_flags,
		.immediate = part->half.from[0].value,
	};
	place(l, part, NULL);
	return qasm_join_results(&l->pair, &l->inst, &conflict) ||
		qasm_fail(a, blame(l, part, NULL, conflict.part), "%s", conflict.text);
}

bool qasm_instruction(struct qasm *a)
{
	const struct lang_token *first = qasm_peek(a);
	struct line l = { .count = 0 };
	bool known = false;

	if (first->kind == LANG_WORD &&
	    !qasm_load_branch(a, qasm_base_length(first), &l.inst, &known))
		return false;
	if (!known && (!take_parts(a, &l) || !(is_load(&l) ? take_load(a, &l) : join(a, &l))))
		return false;
	if (known)
		qasm_accept(a, ';');
	if (qasm_accept(a, '{') && !take_attributes(a, &l.inst))
		return false;
	if (qasm_peek(a)->kind != LANG_END)
		return qasm_fail(a, qasm_peek(a)->at, "the end of the line is expected here");
	return qasm_emit(a, v3d_qpu_encode(&l.inst), first->at);
}
