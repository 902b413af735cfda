// SPDX-License-Identifier: MIT
/* A line of instructions' parts to a word: halves, signal, attributes. */
#include <stdlib.h>
#include <string.h>

#include "assembler.h"

/**
 * struct part - a half as it was written, not yet put into the add or mul place
 * @name: its mnemonic
 * @add_op: -1: the add half has no such operation, or is not meant
 * @mul_op: the same of the mul half
 * @copy: mov
 * @nop: it does nothing
 * @half: of it
 * @at: destination and sources, for messages
 * @rotate: as in struct v3dcl_qpu_pair
 * @load: of a copy: see struct qasm_operand
 * @acquire: of a semaphore
 */
struct part {
	const struct lang_token *name;
	int add_op, mul_op;
	bool copy, nop;
	struct v3dcl_qpu_half half;
	const char *at[3];
	uint8_t rotate, load;
	bool acquire;
};

/**
 * struct qasm_line - what has been read of a line
 * @parts: its halves
 * @count: of @parts
 * @signal: or NULL
 * @signal_value: of @signal
 * @read: what is read for its own sake, or nothing
 * @reads: something is
 * @pair: the halves in their places
 * @inst: what comes of it
 */
struct qasm_line {
	struct part parts[2];
	unsigned int count;
	const struct lang_token *signal;
	uint8_t signal_value;
	struct v3dcl_qpu_operand read;
	bool reads;
	struct v3dcl_qpu_pair pair;
	struct v3d_qpu_inst inst;
};

static bool part_end(const struct qasm *a)
{
	return qasm_peek(a)->kind == ';' || qasm_peek(a)->kind == LANG_END;
}

/* Another rotation of the same half: there is one. */
static bool add_rotation(struct qasm *a, struct part *part, const char *at, uint8_t rotate)
{
	if (part->rotate && rotate && part->rotate != rotate)
		return qasm_fail(a, at, "a half has one rotation; this is another");
	part->rotate |= rotate;
	return true;
}

/* ">> n" behind a half */
static bool take_rotation(struct qasm *a, struct part *part)
{
	const char *at = qasm_peek(a)->at;
	int64_t number;

	if (!qasm_accept(a, LANG_SHR))
		return true;
	if (qasm_is(qasm_peek(a), "r5")) {
		a->lang.now++;
		return add_rotation(a, part, at, V3DCL_QPU_ROTATE_R5);
	}
	return qasm_range(a, "a rotation", 0, V3D_QPU_LANES - 1, &number) &&
	       add_rotation(a, part, at, number);
}

static bool take_target(struct qasm *a, struct part *part, const struct qasm_suffixes *suffixes)
{
	struct v3dcl_qpu_half *half = &part->half;
	struct qasm_target target;

	part->at[0] = qasm_peek(a)->at;
	if (!qasm_destination(a, true, &target))
		return false;
	if (suffixes->conditional && target.conditional &&
	    suffixes->condition != target.condition)
		return qasm_fail(a, part->at[0], "a half has one condition; this is another");
	if (target.o.pack && *suffixes->pack)
		return qasm_fail(a, part->at[0], "a result is packed once; this is another mode");
	half->to = target.o;
	half->to.pack |= *suffixes->pack;
	half->set_flags = suffixes->set_flags || target.set_flags;
	half->condition = suffixes->conditional ? suffixes->condition :
			  target.conditional ? target.condition :
			  qasm_default_condition(a, &half->to, half->set_flags);
	return add_rotation(a, part, part->at[0], target.rotate);
}

static bool can_unpack(const struct v3dcl_qpu_operand *o)
{
	return o->place == V3DCL_QPU_FILE_A ||
	       (o->place == V3DCL_QPU_ACCUMULATOR && o->address == V3D_QPU_R4);
}

static bool take_source(struct qasm *a, struct part *part, unsigned int i, uint8_t unpack)
{
	struct v3dcl_qpu_operand *o = &part->half.from[i];
	struct qasm_operand source;

	part->at[i + 1] = qasm_peek(a)->at;
	if (!qasm_source(a, &source))
		return false;
	if (source.load > V3D_QPU_LOAD_32 && !part->copy)
		return qasm_fail(a, part->at[i + 1], "only mov takes %s",
				 source.load == V3D_QPU_SEMAPHORE ? "a semaphore" :
								    "a list of elements");
	part->load = source.load;
	part->acquire = source.acquire;
	*o = source.o;
	if (!o->pack && can_unpack(o))
		o->pack = unpack;
	return add_rotation(a, part, part->at[i + 1], source.rotate);
}

/* vc4asm's "mov ra0, rb0, r1": what the other half writes. Else the ',' is left for the source. */
static bool take_second_target(struct qasm *a, const struct part *part,
			       const struct qasm_suffixes *suffixes, struct part *second)
{
	if (!part->copy || !a->vc4asm || !qasm_accept(a, ','))
		return true;
	if (!qasm_is_destination(a)) {
		a->lang.now--;
		return true;
	}
	*second = *part;
	second->rotate = 0;
	return take_target(a, second, suffixes);
}

static void copy_source(const struct part *part, struct part *second)
{
	second->half.from[0] = second->half.from[1] = part->half.from[0];
	second->at[1] = second->at[2] = part->at[1];
	second->load = part->load;
	second->acquire = part->acquire;
	second->rotate |= part->rotate;
}

/* @second: what it is in the other half, too, or unchanged */
static bool take_part(struct qasm *a, struct part *part, struct part *second)
{
	uint8_t pack = 0, unpack = 0;
	struct qasm_suffixes suffixes = { .condition = V3D_QPU_COND_ALWAYS,
					  .pack = &pack, .unpack = &unpack };
	unsigned int operands, i;

	if (!qasm_suffixes(a, part->name, qasm_conditions, &suffixes))
		return false;
	if (part->nop)
		return take_rotation(a, part);
	operands = part->copy ? 1 :
		   part->add_op >= 0 ? qasm_operands(false, part->add_op) :
				       qasm_operands(true, part->mul_op);
	if (!take_target(a, part, &suffixes) ||
	    !take_second_target(a, part, &suffixes, second))
		return false;
	for (i = 0; i < operands; i++) {
		if (!qasm_accept(a, ','))
			return qasm_fail(a, qasm_peek(a)->at,
					 "'%.*s' has %u source%s: ',' is expected here",
					 (int)qasm_base_length(part->name), part->name->at,
					 operands, operands > 1 ? "s" : "");
		if (!take_source(a, part, i, unpack))
			return false;
	}
	if (part->copy) {
		part->half.from[1] = part->half.from[0];
		part->at[2] = part->at[1];
	}
	if (!take_rotation(a, part))
		return false;
	if (second->name)
		copy_source(part, second);
	return true;
}

/* "mv8adds", "amov": the letter before says which half is meant. */
static void find_ops(const struct lang_token *token, struct part *part)
{
	uint32_t length = qasm_base_length(token);
	const char *at = token->at;
	char half = 0;

	part->add_op = qasm_find(qasm_add_ops, at, length);
	part->mul_op = qasm_find(qasm_mul_ops, at, length);
	part->copy = lang_same("mov", at, length);
	if (part->add_op < 0 && part->mul_op < 0 && !part->copy && length > 1) {
		half = *at++ | 0x20;
		length--;
		part->add_op = half == 'a' ? qasm_find(qasm_add_ops, at, length) : -1;
		part->mul_op = half == 'm' ? qasm_find(qasm_mul_ops, at, length) : -1;
		part->copy = (half == 'a' || half == 'm') && lang_same("mov", at, length);
	}
	if (part->copy) {
		part->add_op = half == 'm' ? -1 : (int)V3D_QPU_ADD_OR;
		part->mul_op = half == 'a' ? -1 : (int)V3D_QPU_MUL_V8MIN;
	}
	part->nop = !part->add_op || !part->mul_op;
}

static bool add_part(struct qasm *a, struct qasm_line *l, const struct part *part)
{
	if (l->count == 2)
		return qasm_fail(a, part->name->at,
				 "an instruction has two halves; this is a third");
	l->parts[l->count++] = *part;
	return true;
}

static bool begin_part(struct qasm *a, struct qasm_line *l, const struct lang_token *token)
{
	struct part part = { .name = token }, second = { .name = NULL };

	find_ops(token, &part);
	if (part.add_op < 0 && part.mul_op < 0)
		return qasm_unknown(a, token);
	if (l->count == 2)
		return qasm_fail(a, token->at, "an instruction has two halves; this is a third");
	a->lang.now++;
	return take_part(a, &part, &second) && add_part(a, l, &part) &&
	       (!second.name || add_part(a, l, &second));
}

/* read REGISTER: it is fetched, and goes nowhere */
static bool take_read(struct qasm *a, struct qasm_line *l)
{
	struct qasm_operand source;
	const char *at;

	a->lang.now++;
	at = qasm_peek(a)->at;
	if (!qasm_source(a, &source))
		return false;
	if (source.load != V3D_QPU_ALU || source.o.place == V3DCL_QPU_ACCUMULATOR ||
	    source.rotate || source.o.pack || l->reads)
		return qasm_fail(a, at, "one register of a file, or one unit, is read");
	l->read = source.o;
	l->reads = true;
	return true;
}

static bool take_signal(struct qasm *a, struct qasm_line *l, const struct lang_token *token,
			int value)
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
static bool take_parts(struct qasm *a, struct qasm_line *l)
{
	do {
		const struct lang_token *token = qasm_peek(a);
		int signal;

		if (token->kind == LANG_END || token->kind == '{')
			break;
		if (token->kind != LANG_WORD)
			return qasm_fail(a, token->at, "an operation or a signal is expected here");
		signal = qasm_find(qasm_signals, token->at, token->length);
		if (qasm_is(token, "read") ? !take_read(a, l) :
		    signal >= 0 ? !take_signal(a, l, token, signal) : !begin_part(a, l, token))
			return false;
		if (!part_end(a))
			return qasm_fail(a, qasm_peek(a)->at,
					 "';' or the end of the line is expected here");
	} while (qasm_accept(a, ';'));
	return true;
}

/* Can these two stand in these places? */
static bool place(struct qasm_line *l, const struct part *add, const struct part *mul)
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

static const char *blame(const struct qasm_line *l, const struct part *add, const struct part *mul,
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

/* One instruction, in whichever order the halves fit */
static bool fits(struct qasm_line *l)
{
	const struct part *first = l->count > 0 ? &l->parts[0] : NULL,
			  *second = l->count > 1 ? &l->parts[1] : NULL;

	return (place(l, first, second) && qasm_join(&l->pair, &l->inst, NULL)) ||
	       (place(l, second, first) && qasm_join(&l->pair, &l->inst, NULL));
}

/* First part add, second mul, as written; else the other way round */
static bool join(struct qasm *a, struct qasm_line *l)
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

static bool is_same_constant(const struct part *a, const struct part *b)
{
	return a->load == b->load && a->acquire == b->acquire &&
	       a->half.from[0].value == b->half.from[0].value &&
	       a->half.from[0].address == b->half.from[0].address;
}

/*
 * "mov r0, 1000" is a load where 1000 is no small immediate; so is a list of elements, and a
 * semaphore. Two of the same value are one load.
 */
static bool is_load(const struct qasm_line *l)
{
	const struct part *part = &l->parts[0];
	struct v3dcl_qpu_pair pair = l->pair;
	unsigned int i;

	if (!l->count || l->signal || l->reads || part->load == V3D_QPU_ALU)
		return false;
	for (i = 0; i < l->count; i++)
		if (!l->parts[i].copy || l->parts[i].rotate ||
		    !is_same_constant(&l->parts[i], part))
			return false;
	if (part->load != V3D_QPU_LOAD_32)
		return true;
	pair.add = part->half;
	pair.add.op = V3D_QPU_ADD_NOT;
	pair.add.to = v3dcl_qpu_io(V3D_QPU_W_NOP);
	pair.mul.op = V3D_QPU_MUL_NOP;
	pair.signal = V3D_QPU_SIG_NONE;
	return !qasm_join(&pair, &(struct v3d_qpu_inst){ 0 }, NULL);
}

static bool take_load(struct qasm *a, struct qasm_line *l)
{
	static const uint8_t modes[] = { [V3D_QPU_LOAD_SIGNED] = 1, [V3D_QPU_LOAD_UNSIGNED] = 3,
					 [V3D_QPU_SEMAPHORE] = 4 };
	const struct part *first = &l->parts[0], *second = l->count > 1 ? &l->parts[1] : NULL;
	const struct v3dcl_qpu_operand *from = &first->half.from[0];
	struct qasm_conflict conflict;

	l->inst = (struct v3d_qpu_inst){
		.kind = first->load,
		.sig = V3D_QPU_SIG_LOAD_IMMEDIATE,
		.unpack = modes[first->load],
		.cond_add = first->half.condition,
		.cond_mul = second ? second->half.condition : V3D_QPU_COND_NEVER,
		.sf = first->half.set_flags || (second && second->half.set_flags),
		.immediate = first->load == V3D_QPU_SEMAPHORE ?
				     from->address | (first->acquire ? 1u << 4 : 0) : from->value,
	};
	place(l, first, second);
	return qasm_join_results(&l->pair, &l->inst, &conflict) ||
		qasm_fail(a, blame(l, first, second, conflict.part), "%s", conflict.text);
}

/* The port that is free for what is read for its own sake */
static bool put_read(struct qasm_line *l)
{
	const bool b_taken = l->inst.kind != V3D_QPU_ALU;
	const uint8_t address = l->read.address;

	if (!l->reads)
		return true;
	if (l->read.place != V3DCL_QPU_FILE_B &&
	    (l->inst.raddr_a == V3D_QPU_R_NOP || l->inst.raddr_a == address)) {
		l->inst.raddr_a = address;
		return true;
	}
	if (l->read.place == V3DCL_QPU_FILE_A || b_taken ||
	    (l->inst.raddr_b != V3D_QPU_R_NOP && l->inst.raddr_b != address))
		return false;
	l->inst.raddr_b = address;
	return true;
}

/* Does the second need what the first does, so that they cannot be one? */
static bool depends(const struct v3d_qpu_inst *first, const struct v3d_qpu_inst *second)
{
	const uint8_t writes[2] = { first->waddr_add, first->waddr_mul };
	const uint8_t reads[2] = { second->raddr_a, second->raddr_b };
	unsigned int i, k;

	if (first->sf || (first->sig != V3D_QPU_SIG_NONE &&
			  first->sig != V3D_QPU_SIG_SMALL_IMMEDIATE))
		return true;
	for (i = 0; i < 2; i++) {
		if (writes[i] == V3D_QPU_W_NOP)
			continue;
		if (writes[i] == second->waddr_add || writes[i] == second->waddr_mul)
			return true;
		if (writes[i] >= V3D_QPU_W_ACC0 && writes[i] <= V3D_QPU_W_ACC3 &&
		    v3d_qpu_reads(second, writes[i] - V3D_QPU_W_ACC0))
			return true;
		/* Units beside the QPU answer later, some of them in r4 or r5. */
		if (writes[i] > V3D_QPU_W_ACC3)
			return true;
		for (k = 0; k < 2; k++)
			if (writes[i] < 32 && reads[k] == writes[i])
				return true;
	}
	return false;
}

/*
 * "; mov r0, r1" behind a line that ends with ';' is a half of that line's instruction, where the
 * two fit and the second does not need what the first does (vc4asm, "Instruction joining").
 */
static bool join_last(struct qasm *a, struct qasm_line *l)
{
	struct qasm_line both = *a->open;
	uint64_t word;
	unsigned int i;

	if (both.count + l->count > 2 || (both.signal && l->signal) || both.reads || l->reads ||
	    depends(&both.inst, &l->inst))
		return false;
	for (i = 0; i < l->count; i++)
		both.parts[both.count++] = l->parts[i];
	if (l->signal) {
		both.signal = l->signal;
		both.signal_value = l->signal_value;
	}
	if (!fits(&both))
		return false;
	*l = both;
	word = v3d_qpu_encode(&both.inst);
	if (a->final)
		memcpy(a->code.bytes + a->code.size - sizeof(word), &word, sizeof(word));
	return true;
}

/* Another line may join this one. */
static bool keep_open(struct qasm *a, const struct qasm_line *l)
{
	if (!a->open)
		a->open = malloc(sizeof(*a->open));
	if (!a->open)
		return qasm_no_memory(a);
	*a->open = *l;
	a->is_open = true;
	return true;
}

static bool take_line(struct qasm *a, struct qasm_line *l, bool *plain)
{
	const struct lang_token *first = qasm_peek(a);
	bool known = false;

	if (first->kind == LANG_WORD &&
	    !qasm_load_branch(a, qasm_base_length(first), &l->inst, &known))
		return false;
	if (known) {
		qasm_accept(a, ';');
	} else if (!take_parts(a, l) ||
		   !(is_load(l) ? take_load(a, l) : join(a, l))) {
		return false;
	} else if (!put_read(l)) {
		return qasm_fail(a, first->at, "no port is left to read what is to be read");
	}
	*plain = !known && (l->inst.kind == V3D_QPU_ALU ||
			    l->inst.kind == V3D_QPU_ALU_SMALL_IMMEDIATE) && l->count;
	if (qasm_peek(a)->kind == '{')
		*plain = false;
	if (qasm_accept(a, '{') && !take_attributes(a, &l->inst))
		return false;
	return qasm_end_of_line(a);
}

bool qasm_instruction(struct qasm *a)
{
	const struct lang_token *first = qasm_peek(a), *last = &a->tokens[a->token_count - 2];
	const bool joins = first->kind == ';', stays_open = last->kind == ';' && last != first;
	struct qasm_line l = { .count = 0 };
	bool plain = false;

	/* Where no line may join another, each is one instruction, whatever it says. */
	if (!a->final && !joins && !stays_open)
		return qasm_emit(a, 0, first->at);
	qasm_accept(a, ';');
	if (!take_line(a, &l, &plain)) {
		a->code_count++;
		return false;
	}
	if (!(joins && plain && a->is_open && join_last(a, &l)) &&
	    !qasm_emit(a, v3d_qpu_encode(&l.inst), first->at))
		return false;
	qasm_close(a);
	return !(stays_open && plain) || keep_open(a, &l);
}
