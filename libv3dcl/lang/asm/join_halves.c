// SPDX-License-Identifier: MIT
/* Two halves to one instruction: AG100 "QPU Instruction Encoding", Tables 1 to 9. */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>

#include "join_halves.h"
#include "mnemonics.h"

/* An operand that needs an input mux */
struct source {
	const struct v3dcl_qpu_operand *operand;
	enum qasm_part part;
	uint8_t *mux;
};

/* The state of one attempt */
struct join {
	const struct v3dcl_qpu_pair *pair;
	struct v3d_qpu_inst *inst;
	struct qasm_conflict *conflict;
	struct source sources[4];
	unsigned int count;
	bool a_used, b_used, small_used;
	int pm;			/* -1: either */
};

__attribute__((format(printf, 3, 4)))
static bool refuse(struct join *j, enum qasm_part part, const char *format, ...)
{
	va_list args;

	if (!j->conflict)
		return false;
	j->conflict->part = part;
	va_start(args, format);
	vsnprintf(j->conflict->text, sizeof(j->conflict->text), format, args);
	va_end(args);
	return false;
}

/* Room for an operand's name */
struct label {
	char text[24];
};

static struct label label(const struct qasm_io *list, unsigned int address, bool b)
{
	unsigned int files;
	const char *name = qasm_io_text(list, address, b, &files);
	struct label l;

	if (name)
		snprintf(l.text, sizeof(l.text), "%s", name);
	else
		snprintf(l.text, sizeof(l.text), "r%c%u", b ? 'b' : 'a', address & 63);
	return l;
}

static bool take_a(struct join *j, const struct source *s)
{
	const uint8_t address = s->operand->address;

	if (j->a_used && j->inst->raddr_a != address)
		return refuse(j, s->part, "two different registers of file A are read: %s and %s",
			      label(qasm_reads, j->inst->raddr_a, false).text,
			      label(qasm_reads, address, false).text);
	j->a_used = true;
	j->inst->raddr_a = address;
	*s->mux = V3D_QPU_A;
	return true;
}

static bool take_b(struct join *j, const struct source *s)
{
	const uint8_t address = s->operand->address;

	if (j->small_used)
		return refuse(j, s->part,
			      "%s of file B is read beside a small immediate or rotation, which "
			      "take its port",
			      label(qasm_reads, address, true).text);
	if (j->b_used && j->inst->raddr_b != address)
		return refuse(j, s->part, "two different registers of file B are read: %s and %s",
			      label(qasm_reads, j->inst->raddr_b, true).text,
			      label(qasm_reads, address, true).text);
	j->b_used = true;
	j->inst->raddr_b = address;
	*s->mux = V3D_QPU_B;
	return true;
}

/* Where it is read already, else the port that is free, A first */
static bool take_io(struct join *j, const struct source *s)
{
	const uint8_t address = s->operand->address;

	if (!j->a_used || j->inst->raddr_a == address || s->operand->pack)
		return !j->a_used && j->b_used && j->inst->raddr_b == address && !s->operand->pack ?
			       take_b(j, s) :
			       take_a(j, s);
	if (!j->small_used && (!j->b_used || j->inst->raddr_b == address))
		return take_b(j, s);
	return refuse(j, s->part, "no port is left to read %s: file A reads %s, file B %s",
		      label(qasm_reads, address, false).text,
		      label(qasm_reads, j->inst->raddr_a, false).text,
		      j->small_used ? "is a small immediate or rotation" :
				      label(qasm_reads, j->inst->raddr_b, true).text);
}

static bool take_constant(struct join *j, const struct source *s)
{
	const uint32_t value = s->operand->value;
	unsigned int code;

	if (j->b_used)
		return refuse(j, s->part,
			      "a small immediate stands beside %s of file B, whose port it takes",
			      label(qasm_reads, j->inst->raddr_b, true).text);
	if (j->small_used && v3d_qpu_small_immediate(j->inst->raddr_b) != value)
		return refuse(j, s->part,
			      "two different small immediates or rotations are in one instruction: "
			      "0x%x and 0x%x",
			      v3d_qpu_small_immediate(j->inst->raddr_b), value);
	for (code = 0; !j->small_used && code < V3D_QPU_ROTATE; code++) {
		if (v3d_qpu_small_immediate(code) == value) {
			j->small_used = true;
			j->inst->raddr_b = code;
		}
	}
	if (!j->small_used)
		return refuse(j, s->part,
			      "0x%x is no small immediate: -16 to 15, and floats from 2^-8 to 2^7",
			      value);
	*s->mux = V3D_QPU_B;
	return true;
}

static bool exists(const struct v3dcl_qpu_operand *o)
{
	return o->address < 64 && (o->place != V3DCL_QPU_IO || o->address >= 32);
}

static bool take(struct join *j, const struct source *s)
{
	const struct v3dcl_qpu_operand *o = s->operand;

	if (!exists(o))
		return refuse(j, s->part, "there is no address %u", o->address);
	switch (o->place) {
	case V3DCL_QPU_ACCUMULATOR:
		if (o->address > V3D_QPU_R5)
			return refuse(j, s->part, "there is no accumulator r%u", o->address);
		*s->mux = o->address;
		return true;
	case V3DCL_QPU_FILE_A:
		return take_a(j, s);
	case V3DCL_QPU_FILE_B:
		return take_b(j, s);
	case V3DCL_QPU_IO:
		return take_io(j, s);
	case V3DCL_QPU_CONSTANT:
		return take_constant(j, s);
	default:
		return refuse(j, s->part, "there is no such place");
	}
}

static void add_sources(struct join *j, const struct v3dcl_qpu_half *half, bool mul)
{
	unsigned int i, n = qasm_operands(mul, half->op);

	for (i = 0; i < n; i++)
		j->sources[j->count++] = (struct source){
			&half->from[i],
			(mul ? QASM_MUL_FROM : QASM_ADD_FROM) + i,
			mul ? (i ? &j->inst->mul_b : &j->inst->mul_a) :
			      (i ? &j->inst->add_b : &j->inst->add_a),
		};
}

static bool take_rotation(struct join *j)
{
	if (!j->pair->rotate)
		return true;
	if (j->pair->rotate > V3DCL_QPU_ROTATE_R5)
		return refuse(j, QASM_MUL, "results rotate by 1 to 15 elements, not %u",
			      j->pair->rotate);
	j->small_used = true;
	j->inst->raddr_b = V3D_QPU_ROTATE + (j->pair->rotate & (V3DCL_QPU_ROTATE_R5 - 1));
	return true;
}

/* What can be read in one place only goes first. */
static bool take_sources(struct join *j)
{
	unsigned int i;

	for (i = 0; i < j->count; i++)
		if (j->sources[i].operand->place != V3DCL_QPU_IO && !take(j, &j->sources[i]))
			return false;
	for (i = 0; i < j->count; i++)
		if (j->sources[i].operand->place == V3DCL_QPU_IO && !take(j, &j->sources[i]))
			return false;
	return true;
}

static bool want_pm(struct join *j, enum qasm_part part, int pm)
{
	if (j->pm >= 0 && j->pm != pm)
		return refuse(j, part,
			      "packs and unpacks of file A stand beside unpacking r4 or packing to "
			      "colours: one bit selects");
	j->pm = pm;
	return true;
}

/* All that is read through file A's port, and all that reads r4, is unpacked alike. */
static bool take_unpacks(struct join *j)
{
	unsigned int i;

	for (i = 0; i < j->count; i++) {
		const struct source *s = &j->sources[i];
		const uint8_t pack = s->operand->pack;

		if (!pack)
			continue;
		if (pack > 7)
			return refuse(j, s->part, "there is no such unpack mode");
		if (*s->mux != V3D_QPU_A && *s->mux != V3D_QPU_R4)
			return refuse(j, s->part,
				      "only registers of file A and r4 can be unpacked");
		if (!want_pm(j, s->part, *s->mux == V3D_QPU_R4))
			return false;
		j->inst->unpack = pack;
	}
	for (i = 0; i < j->count; i++)
		if (j->inst->unpack && *j->sources[i].mux == (j->pm ? V3D_QPU_R4 : V3D_QPU_A) &&
		    j->sources[i].operand->pack != j->inst->unpack)
			return refuse(j, j->sources[i].part,
				      "all that reads %s is unpacked alike in one instruction",
				      j->pm ? "r4" : "file A");
	return true;
}

/* A destination's address, and which file it must be in: 1 A, 2 B, 3 either */
static bool destination(struct join *j, const struct v3dcl_qpu_operand *o, enum qasm_part part,
			uint8_t *address, unsigned int *files)
{
	*address = o->address;
	if (!exists(o))
		return refuse(j, part, "there is no address %u", o->address);
	*files = o->place == V3DCL_QPU_FILE_A ? 1 : o->place == V3DCL_QPU_FILE_B ? 2 : 3;
	if (o->place == V3DCL_QPU_ACCUMULATOR) {
		if (o->address > V3D_QPU_R3)
			return refuse(j, part,
				      o->address == V3D_QPU_R5 ?
					      "r5 is written as r5quad or r5rep" :
					      "r%u cannot be written",
				      o->address);
		*address = V3D_QPU_W_ACC0 + o->address;
	} else if (o->place == V3DCL_QPU_CONSTANT) {
		return refuse(j, part, "a constant cannot be written");
	}
	return true;
}

static bool take_pack(struct join *j, const struct v3dcl_qpu_half *half, bool mul)
{
	const struct v3dcl_qpu_operand *o = &half->to;
	const bool in_a = o->place == V3DCL_QPU_FILE_A && o->address < 32,
		   colour = o->pack & V3DCL_QPU_COLOUR || !in_a;
	const enum qasm_part part = mul ? QASM_MUL_TO : QASM_ADD_TO;
	const unsigned int mode = o->pack & 15;

	if (!half->op || !o->pack)
		return true;
	if (colour && !mul)
		return refuse(j, part, in_a ? "the add half cannot pack to colours" :
			      "the add half's result can be packed in registers of file A only");
	if (colour && (mode < 3 || mode > 7))
		return refuse(j, part,
			      "outside of file A, the mul half's result can be packed to 8-bit "
			      "colours only");
	if (j->inst->pack)
		return refuse(j, part, "one result can be packed, not two");
	j->inst->pack = mode;
	return want_pm(j, part, colour);
}

static bool take_destinations(struct join *j)
{
	const struct v3dcl_qpu_half *add = &j->pair->add, *mul = &j->pair->mul;
	unsigned int add_files = 3, mul_files = 3;
	struct v3d_qpu_inst *inst = j->inst;

	if (add->op && !destination(j, &add->to, QASM_ADD_TO, &inst->waddr_add, &add_files))
		return false;
	if (mul->op && !destination(j, &mul->to, QASM_MUL_TO, &inst->waddr_mul, &mul_files))
		return false;
	if (add_files == mul_files && add_files != 3)
		return refuse(j, QASM_MUL_TO, "both results go to file %c: %s and %s",
			      add_files == 1 ? 'A' : 'B',
			      label(qasm_writes, inst->waddr_add, add_files == 2).text,
			      label(qasm_writes, inst->waddr_mul, add_files == 2).text);
	if (!take_pack(j, add, false) || !take_pack(j, mul, true))
		return false;
	inst->pm = j->pm > 0;
	inst->ws = add_files == 2 || mul_files == 1;
	/*
	 * As in published code: a packed colour goes by way of file A where it could go either way.
	 */
	if (add_files == 3 && mul_files == 3 && inst->pm && inst->pack)
		inst->ws = 1;
	return true;
}

static bool check_fields(struct join *j)
{
	const struct v3dcl_qpu_half *add = &j->pair->add, *mul = &j->pair->mul;

	if (add->op > 31 || (add->op && !qasm_operands(false, add->op)))
		return refuse(j, QASM_ADD, "the add half has no operation %u", add->op);
	if (mul->op > 7)
		return refuse(j, QASM_MUL, "the mul half has no operation %u", mul->op);
	if (mul->set_flags && add->op)
		return refuse(j, QASM_MUL, "the add half sets the flags, where there is one");
	if (j->pair->signal >= V3D_QPU_SIG_SMALL_IMMEDIATE)
		return refuse(j, QASM_SIGNAL, "signal %u makes another kind of instruction",
			      j->pair->signal);
	return true;
}

bool qasm_join_results(const struct v3dcl_qpu_pair *pair, struct v3d_qpu_inst *inst,
		       struct qasm_conflict *conflict)
{
	struct join j = { .pair = pair, .inst = inst, .conflict = conflict, .pm = -1 };

	inst->waddr_add = V3D_QPU_W_NOP;
	inst->waddr_mul = V3D_QPU_W_NOP;
	return take_destinations(&j);
}

bool qasm_join(const struct v3dcl_qpu_pair *pair, struct v3d_qpu_inst *inst,
	       struct qasm_conflict *conflict)
{
	const struct v3dcl_qpu_half *add = &pair->add, *mul = &pair->mul;
	struct join j = { .pair = pair, .inst = inst, .conflict = conflict, .pm = -1 };

	*inst = (struct v3d_qpu_inst){
		.kind = V3D_QPU_ALU,
		.sig = pair->signal,
		.waddr_add = V3D_QPU_W_NOP,
		.waddr_mul = V3D_QPU_W_NOP,
		.raddr_a = V3D_QPU_R_NOP,
		.raddr_b = V3D_QPU_R_NOP,
		.op_add = add->op,
		.op_mul = mul->op,
		.cond_add = add->op ? add->condition : V3D_QPU_COND_NEVER,
		.cond_mul = mul->op ? mul->condition : V3D_QPU_COND_NEVER,
		.sf = (add->op && add->set_flags) || (mul->op && mul->set_flags),
	};
	if (!check_fields(&j))
		return false;
	add_sources(&j, add, false);
	add_sources(&j, mul, true);
	if (!take_rotation(&j) || !take_sources(&j) || !take_unpacks(&j) || !take_destinations(&j))
		return false;
	/* As in published programs, where one source is enough the second is the same. */
	if (qasm_operands(false, add->op) == 1)
		inst->add_b = inst->add_a;
	if (j.small_used && pair->signal != V3D_QPU_SIG_NONE)
		return refuse(&j, QASM_SIGNAL,
			      "the signal %s stands beside a small immediate or rotation, which "
			      "are signals themselves",
			      qasm_text(qasm_signals, pair->signal));
	if (j.small_used) {
		inst->sig = V3D_QPU_SIG_SMALL_IMMEDIATE;
		inst->kind = V3D_QPU_ALU_SMALL_IMMEDIATE;
	}
	return true;
}

int v3dcl_qpu_join(const struct v3dcl_qpu_pair *pair, struct v3d_qpu_inst *inst,
		   struct v3dcl_error *error)
{
	struct qasm_conflict conflict;

	if (qasm_join(pair, inst, error ? &conflict : NULL))
		return 0;
	return v3dcl_fail(error, -EINVAL, "%s", error ? conflict.text : "");
}
