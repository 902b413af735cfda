// SPDX-License-Identifier: MIT
/*
 * Words to text. A word is taken apart into what the syntax can say, which is then put together as
 * the assembler would: each field that comes out different is added as an attribute. So every word
 * has a text that gives it back.
 */
#include <stdlib.h>
#include <string.h>

#include "../../base/helpers.h"
#include "join_halves.h"
#include "mnemonics.h"

static void say(struct v3dcl_buffer *out, const char *text)
{
	v3dcl_buffer_add(out, text, strlen(text));
}

/* What a decoded address is called: in both files alike, or by its own name in one */
static struct v3dcl_qpu_operand place(const struct qasm_io *list, unsigned int address, bool b)
{
	unsigned int files = 0;

	if (address >= 32 && qasm_io_text(list, address, b, &files) && files == 3)
		return v3dcl_qpu_io(address);
	return b ? v3dcl_qpu_rb(address) : v3dcl_qpu_ra(address);
}

static struct v3dcl_qpu_operand source(const struct v3d_qpu_inst *i, unsigned int mux, bool exact)
{
	struct v3dcl_qpu_operand o;

	if (mux < V3D_QPU_A)
		o = v3dcl_qpu_acc(mux);
	else if (mux == V3D_QPU_A)
		o = exact ? v3dcl_qpu_ra(i->raddr_a) : place(qasm_reads, i->raddr_a, false);
	else if (i->kind == V3D_QPU_ALU_SMALL_IMMEDIATE)
		o = v3dcl_qpu_constant(v3d_qpu_small_immediate(i->raddr_b));
	else
		o = exact ? v3dcl_qpu_rb(i->raddr_b) : place(qasm_reads, i->raddr_b, true);
	if (mux == (i->pm ? V3D_QPU_R4 : V3D_QPU_A))
		o.pack = i->unpack;
	/* "-.16a" would be less than nothing. */
	if (o.pack && o.place == V3DCL_QPU_IO && o.address == V3D_QPU_R_NOP)
		o.place = V3DCL_QPU_FILE_A;
	return o;
}

static struct v3dcl_qpu_half take_half(const struct v3d_qpu_inst *i, bool mul, bool exact)
{
	const unsigned int op = mul ? i->op_mul : i->op_add,
			   waddr = mul ? i->waddr_mul : i->waddr_add;
	const bool in_b = mul ? !i->ws : i->ws, in_a = !in_b && waddr < 32;
	struct v3dcl_qpu_half half = { 0 };

	if (!qasm_operands(mul, op))
		return half;
	half.op = op;
	half.condition = mul ? i->cond_mul : i->cond_add;
	half.to = place(qasm_writes, waddr, in_b);
	half.from[0] = source(i, mul ? i->mul_a : i->add_a, exact);
	half.from[1] = source(i, mul ? i->mul_b : i->add_b, exact);
	if (!i->pm && in_a)
		half.to.pack = i->pack;
	else if (i->pm && mul && i->pack >= 3 && i->pack <= 7 && waddr != V3D_QPU_W_NOP)
		half.to.pack = i->pack | (in_a ? V3DCL_QPU_COLOUR : 0);
	return half;
}

static void take_apart(const struct v3d_qpu_inst *i, bool exact, struct v3dcl_qpu_pair *pair)
{
	*pair = (struct v3dcl_qpu_pair){
		.add = take_half(i, false, exact), .mul = take_half(i, true, exact),
		.signal = i->kind == V3D_QPU_ALU_SMALL_IMMEDIATE ? V3D_QPU_SIG_NONE : i->sig,
	};
	pair->add.set_flags = i->sf;
	pair->mul.set_flags = i->sf && !pair->add.op;
	if (i->kind == V3D_QPU_ALU_SMALL_IMMEDIATE && i->raddr_b >= V3D_QPU_ROTATE)
		pair->rotate = i->raddr_b == V3D_QPU_ROTATE ? V3DCL_QPU_ROTATE_R5 :
							      i->raddr_b - V3D_QPU_ROTATE;
}

static bool same_reads(const struct v3d_qpu_inst *a, const struct v3d_qpu_inst *b)
{
	return a->raddr_a == b->raddr_a && a->raddr_b == b->raddr_b && a->add_a == b->add_a &&
	       a->add_b == b->add_b && a->mul_a == b->mul_a && a->mul_b == b->mul_b;
}

static void say_place(struct v3dcl_buffer *out, const struct qasm_io *list,
		      const struct v3dcl_qpu_operand *o, bool exact)
{
	const bool b = o->place == V3DCL_QPU_FILE_B;
	unsigned int files = 0;
	const char *name = o->address >= 32 ? qasm_io_text(list, o->address, b, &files) : NULL;

	if (o->place == V3DCL_QPU_ACCUMULATOR)
		v3dcl_buffer_printf(out, "r%u", o->address);
	else if (name && *name != '-' && (!exact || files != 3 || o->place == V3DCL_QPU_IO))
		say(out, name);
	else if (o->place == V3DCL_QPU_IO)
		say(out, name);
	else
		v3dcl_buffer_printf(out, "r%c%u", b ? 'b' : 'a', o->address);
}

/* AG100 Table 5 from code 32 on, with the same point in every locale */
static void say_constant(struct v3dcl_buffer *out, uint32_t value)
{
	static const char *const floats[] = {
		"1.0", "2.0", "4.0", "8.0", "16.0", "32.0", "64.0", "128.0",
		"0.00390625", "0.0078125", "0.015625", "0.03125", "0.0625", "0.125", "0.25", "0.5",
	};
	unsigned int i;

	for (i = 0; i < COUNT(floats); i++)
		if (v3d_qpu_small_immediate(32 + i) == value)
			say(out, floats[i]);
	if (value + 16 < 32)
		v3dcl_buffer_printf(out, "%d", (int)value);
}

static void say_source(struct v3dcl_buffer *out, const struct v3dcl_qpu_operand *o, bool exact)
{
	if (o->place == V3DCL_QPU_CONSTANT) {
		say_constant(out, o->value);
		return;
	}
	say_place(out, qasm_reads, o, exact);
	if (o->pack)
		v3dcl_buffer_printf(out, ".%s", qasm_text(qasm_unpacks, o->pack));
}

static void say_half(struct v3dcl_buffer *out, const struct v3dcl_qpu_half *half, bool mul,
		     bool exact)
{
	const struct v3dcl_qpu_operand *a = &half->from[0], *b = &half->from[1];
	const unsigned int operands = qasm_operands(mul, half->op);
	const bool copy = half->op == (mul ? (int)V3D_QPU_MUL_V8MIN : (int)V3D_QPU_ADD_OR) &&
			  a->place == b->place && a->address == b->address && a->value == b->value;

	if (!half->op) {
		say(out, "nop");
		return;
	}
	say(out, copy ? "mov" : qasm_text(mul ? qasm_mul_ops : qasm_add_ops, half->op));
	if (half->condition != V3D_QPU_COND_ALWAYS)
		v3dcl_buffer_printf(out, ".%s", qasm_text(qasm_conditions, half->condition));
	say(out, half->set_flags ? ".setf " : " ");
	say_place(out, qasm_writes, &half->to, false);
	if (half->to.pack)
		v3dcl_buffer_printf(out, ".%s%s", qasm_text(qasm_packs, half->to.pack & 15),
				    half->to.pack & V3DCL_QPU_COLOUR ? "c" : "");
	say(out, ", ");
	say_source(out, a, exact);
	if (!copy && operands > 1) {
		say(out, ", ");
		say_source(out, b, exact);
	}
}

/* Fields that the assembler would have filled in otherwise */
static void say_attributes(struct v3dcl_buffer *out, const struct v3d_qpu_inst *want,
			   const struct v3d_qpu_inst *have)
{
	const struct qasm_field *field;
	const char *before = "; {";

	for (field = qasm_fields; field->name; field++) {
		const uint32_t value = qasm_field_get(want, field);

		if (!(field->classes & 1 << qasm_class(want)) ||
		    value == qasm_field_get(have, field))
			continue;
		v3dcl_buffer_printf(out, field->bits == 32 ? "%s%s=0x%x" : "%s%s=%u", before,
				    field->name, value);
		before = ", ";
	}
	if (*before == ',')
		say(out, "}");
}

static void say_alu(struct v3dcl_buffer *out, const struct v3d_qpu_inst *i)
{
	struct v3dcl_qpu_pair pair;
	struct v3d_qpu_inst made;
	bool exact = false;

	take_apart(i, false, &pair);
	qasm_join(&pair, &made, NULL);
	if (!same_reads(i, &made)) {
		exact = true;
		take_apart(i, true, &pair);
		qasm_join(&pair, &made, NULL);
	}
	say_half(out, &pair.add, false, exact);
	if (pair.mul.op || pair.rotate || pair.signal != V3D_QPU_SIG_NONE) {
		say(out, "; ");
		say_half(out, &pair.mul, true, exact);
	}
	if (pair.rotate == V3DCL_QPU_ROTATE_R5)
		say(out, " >> r5");
	else if (pair.rotate)
		v3dcl_buffer_printf(out, " >> %u", pair.rotate);
	if (pair.signal != V3D_QPU_SIG_NONE)
		v3dcl_buffer_printf(out, "; %s", qasm_text(qasm_signals, pair.signal));
	say_attributes(out, i, &made);
}

/* The two destinations of a load or branch, as the text names them */
struct targets {
	struct v3dcl_qpu_operand add, mul;
	bool has_add, has_mul;
};

static bool writes(const struct v3d_qpu_inst *i, bool mul)
{
	if ((mul ? i->waddr_mul : i->waddr_add) != V3D_QPU_W_NOP)
		return true;
	return i->kind != V3D_QPU_BRANCH && (mul ? i->cond_mul : i->cond_add) != V3D_QPU_COND_NEVER;
}

/* A first destination is named where there is a second; it is what a load is for, too. */
static struct targets take_targets(const struct v3d_qpu_inst *i)
{
	const bool load = i->kind != V3D_QPU_BRANCH && i->kind != V3D_QPU_SEMAPHORE;
	struct targets t = { place(qasm_writes, i->waddr_add, i->ws),
			     place(qasm_writes, i->waddr_mul, !i->ws), false, writes(i, true) };
	struct v3dcl_qpu_operand *in_a = i->ws ? &t.mul : &t.add;

	t.has_add = load || t.has_mul || writes(i, false);
	if (i->kind != V3D_QPU_BRANCH && !i->pm && in_a->address < 32 &&
	    (i->ws ? t.has_mul : t.has_add))
		in_a->pack = i->pack;
	return t;
}

/* What the assembler makes of the destinations */
static void make_targets(struct v3d_qpu_inst *made, const struct targets *t)
{
	made->pm = 0;
	made->pack = t->add.pack | t->mul.pack;
	made->ws = (t->has_add && t->add.place == V3DCL_QPU_FILE_B) ||
		   (t->has_mul && t->mul.place == V3DCL_QPU_FILE_A);
}

static void say_target(struct v3dcl_buffer *out, const struct v3d_qpu_inst *i,
		       const struct v3dcl_qpu_operand *to, bool mul)
{
	const unsigned int condition = mul ? i->cond_mul : i->cond_add;

	say_place(out, qasm_writes, to, false);
	if (to->pack)
		v3dcl_buffer_printf(out, ".%s", qasm_text(qasm_packs, to->pack));
	if (i->kind != V3D_QPU_BRANCH && condition != V3D_QPU_COND_ALWAYS)
		v3dcl_buffer_printf(out, ".%s", qasm_text(qasm_conditions, condition));
	say(out, ", ");
}

static void say_targets(struct v3dcl_buffer *out, const struct v3d_qpu_inst *i,
			const struct targets *t)
{
	if (t->has_add)
		say_target(out, i, &t->add, false);
	if (t->has_mul)
		say_target(out, i, &t->mul, true);
}

static const char *load_name(const struct v3d_qpu_inst *i)
{
	switch (i->kind) {
	case V3D_QPU_LOAD_SIGNED:
		return "ldis";
	case V3D_QPU_LOAD_UNSIGNED:
		return "ldiu";
	case V3D_QPU_SEMAPHORE:
		return V3D_QPU_SEMAPHORE_DECREMENTS(i->immediate) ? "sacq" : "srel";
	default:
		return "ldi";
	}
}

static void say_load(struct v3dcl_buffer *out, const struct v3d_qpu_inst *i)
{
	const struct targets t = take_targets(i);
	struct v3d_qpu_inst made = *i;

	make_targets(&made, &t);
	made.unpack = i->kind == V3D_QPU_LOAD_RESERVED ? 0 : i->unpack;
	v3dcl_buffer_printf(out, "%s%s ", load_name(i), i->sf ? ".setf" : "");
	say_targets(out, i, &t);
	if (i->kind == V3D_QPU_SEMAPHORE) {
		made.immediate &= 0x1f;
		v3dcl_buffer_printf(out, "%u", V3D_QPU_SEMAPHORE_NUMBER(i->immediate));
	} else {
		v3dcl_buffer_printf(out, "0x%08x", i->immediate);
	}
	say_attributes(out, i, &made);
}

/* Bytes from a branch to where its immediate leads, if it is relative */
static int64_t branch_distance(const struct v3d_qpu_inst *i)
{
	return (int64_t)(int32_t)i->immediate +
	       (V3D_QPU_BRANCH_SLOTS + 1) * V3D_QPU_INSTRUCTION_BYTES;
}

/* @label: number of the label that it leads to, or -1 */
static void say_branch(struct v3dcl_buffer *out, const struct v3d_qpu_inst *i, int64_t label)
{
	const char *condition = qasm_text(qasm_branch_conditions, i->cond_br);
	const bool flags = !i->reg && i->branch_raddr_a & 1;	/* HW: bit 0 of raddr_a */
	const int64_t distance = branch_distance(i);
	const struct targets t = take_targets(i);
	struct v3d_qpu_inst made = *i;

	make_targets(&made, &t);
	made.branch_unused = 0;
	made.cond_br = condition ? i->cond_br : V3D_QPU_BRANCH_ALWAYS;
	made.branch_raddr_a = i->reg ? i->branch_raddr_a : flags;
	v3dcl_buffer_printf(out, "%s%s%s%s ", i->rel ? "brr" : "bra",
			    condition && *condition ? "." : "", condition ? condition : "",
			    flags ? ".setf" : "");
	say_targets(out, i, &t);
	if (label >= 0)
		v3dcl_buffer_printf(out, "L%u", (uint32_t)label);
	else if (i->rel)
		v3dcl_buffer_printf(out, ".%c%lld", distance < 0 ? '-' : '+', llabs(distance));
	else
		v3dcl_buffer_printf(out, "0x%x", i->immediate);
	if (i->reg)
		v3dcl_buffer_printf(out, " + ra%u", i->branch_raddr_a);
	say_attributes(out, i, &made);
}

static void say_word(struct v3dcl_buffer *out, uint64_t word, int64_t label)
{
	const struct v3d_qpu_inst i = v3d_qpu_decode(word);

	switch (qasm_class(&i)) {
	case QASM_BRANCH:
		say_branch(out, &i, label);
		return;
	case QASM_LOAD:
		say_load(out, &i);
		return;
	case QASM_ALU:
		say_alu(out, &i);
		return;
	}
}

void v3dcl_disassemble(uint64_t word, struct v3dcl_buffer *out)
{
	say_word(out, word, -1);
}

/* Where a branch inside a program leads: an instruction, or right behind the last one; else -1 */
static int64_t target(uint64_t word, uint32_t at, uint32_t count)
{
	const struct v3d_qpu_inst i = v3d_qpu_decode(word);
	int64_t to;

	if (i.kind != V3D_QPU_BRANCH || !i.rel || i.reg)
		return -1;
	to = (int64_t)at * V3D_QPU_INSTRUCTION_BYTES + branch_distance(&i);
	if (to < 0 || to % V3D_QPU_INSTRUCTION_BYTES || to / V3D_QPU_INSTRUCTION_BYTES > count)
		return -1;
	return to / V3D_QPU_INSTRUCTION_BYTES;
}

void v3dcl_disassemble_program(const uint64_t *code, uint32_t count, struct v3dcl_buffer *out)
{
	uint8_t *is_target = calloc((size_t)count + 1, 1);
	int64_t to;
	uint32_t i;

	if (!is_target) {
		out->failed = true;
		return;
	}
	for (i = 0; i < count; i++) {
		to = target(code[i], i, count);
		if (to >= 0)
			is_target[to] = 1;
	}
	for (i = 0; i < count; i++) {
		if (is_target[i])
			v3dcl_buffer_printf(out, "L%u:\n", i);
		say(out, "\t");
		say_word(out, code[i], target(code[i], i, count));
		say(out, "\n");
	}
	if (is_target[count])
		v3dcl_buffer_printf(out, "L%u:\n", count);
	free(is_target);
}
