// SPDX-License-Identifier: MIT
/*
 * QPU instructions as text for the trace, in the syntax of the listings that people know: add half;
 * mul half; signal.
 */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "qpu.h"

/* A line being written, cut where it is full */
struct text {
	char *at;
	size_t left;
};

__attribute__((format(printf, 2, 3)))
static void say(struct text *t, const char *format, ...)
{
	va_list args;
	int n;

	va_start(args, format);
	n = vsnprintf(t->at, t->left, format, args);
	va_end(args);
	if (n < 0)
		return;
	if ((size_t)n >= t->left)
		n = t->left ? t->left - 1 : 0;
	t->at += n;
	t->left -= n;
}

static const char *const conditions[8] = {
#define CONDITION(value, name, text) [value] = value == V3D_QPU_COND_ALWAYS ? "" : "." text,
	V3D_QPU_CONDITIONS(CONDITION)
};

static void say_destination(struct text *t, unsigned int waddr, bool b)
{
	static const char *const names[2][64] = {
#define WRITE_A(value, name, a, b) [value] = a,
#define WRITE_B(value, name, a, b) [value] = b,
		{ V3D_QPU_WRITES(WRITE_A) }, { V3D_QPU_WRITES(WRITE_B) },
	};

	if (waddr < 32)
		say(t, "r%c%u", b ? 'b' : 'a', waddr);
	else
		say(t, "%s", names[b][waddr & 63]);
}

static void say_address(struct text *t, unsigned int raddr, bool b)
{
	static const char *const names[2][64] = {
#define READ_A(value, name, a, b) [value] = a,
#define READ_B(value, name, a, b) [value] = b,
		{ V3D_QPU_READS(READ_A) }, { V3D_QPU_READS(READ_B) },
	};

	if (raddr < 32)
		say(t, "r%c%u", b ? 'b' : 'a', raddr);
	else if (names[b][raddr & 63])
		say(t, "%s", names[b][raddr & 63]);
	else
		say(t, "%c%u?", b ? 'b' : 'a', raddr);
}

static void say_operand(struct text *t, const struct v3d_qpu_inst *i, unsigned int mux)
{
	if (mux < V3D_QPU_A)
		say(t, "r%u", mux);
	else if (mux == V3D_QPU_A)
		say_address(t, i->raddr_a, false);
	else if (i->kind == V3D_QPU_ALU_SMALL_IMMEDIATE && i->raddr_b < 32)
		say(t, "%d", (int)v3d_qpu_small_immediate(i->raddr_b));
	else if (i->kind == V3D_QPU_ALU_SMALL_IMMEDIATE)
		say(t, "0x%08x", v3d_qpu_small_immediate(i->raddr_b));
	else
		say_address(t, i->raddr_b, true);
}

static void say_half(struct text *t, const struct v3d_qpu_inst *i, bool mul)
{
	static const char *const adds[32] = {
#define ADD_NAME(value, name, operands, text) [value] = text,
		V3D_QPU_ADD_OPS(ADD_NAME)
	};
	static const char *const muls[8] = {
#define MUL_NAME(value, name, operands, text) [value] = text,
		V3D_QPU_MUL_OPS(MUL_NAME)
	};
	const unsigned int op = mul ? i->op_mul : i->op_add, a = mul ? i->mul_a : i->add_a,
			   b = mul ? i->mul_b : i->add_b;
	const bool copy = a == b && op == (mul ? (unsigned int)V3D_QPU_MUL_V8MIN :
						 (unsigned int)V3D_QPU_ADD_OR);
	const char *name = mul ? muls[op] : adds[op];

	if (!op) {
		say(t, "nop");
		return;
	}
	say(t, "%s%s%s ",
	    copy ? "mov" :
	    name ? name :
		   "reserved",
	    conditions[mul ? i->cond_mul : i->cond_add],
	    i->sf && (mul ? !i->op_add : true) ? ".setf" : "");
	say_destination(t, mul ? i->waddr_mul : i->waddr_add, mul ? !i->ws : i->ws);
	say(t, ", ");
	say_operand(t, i, a);
	if (!copy) {
		say(t, ", ");
		say_operand(t, i, b);
	}
}

static void say_branch(struct text *t, const struct v3d_qpu_inst *i)
{
	static const char *const names[16] = {
#define BRANCH_NAME(value, name, text) [value] = value == V3D_QPU_BRANCH_ALWAYS ? "" : "." text,
		V3D_QPU_BRANCH_CONDITIONS(BRANCH_NAME)
	};

	say(t, "%s%s ", i->rel ? "brr" : "bra",
	    names[i->cond_br] ? names[i->cond_br] : ".reserved");
	say_destination(t, i->waddr_add, i->ws);
	say(t, ", ");
	say_destination(t, i->waddr_mul, !i->ws);
	say(t, ", %d", (int)i->immediate);
	if (i->reg)
		say(t, " + ra%u", i->branch_raddr_a);
}

static void say_load(struct text *t, const struct v3d_qpu_inst *i)
{
	if (i->kind == V3D_QPU_SEMAPHORE)
		say(t, "%s %u; ", V3D_QPU_SEMAPHORE_DECREMENTS(i->immediate) ? "sacq" : "srel",
		    V3D_QPU_SEMAPHORE_NUMBER(i->immediate));
	say(t, "%s%s ",
	    i->kind == V3D_QPU_LOAD_SIGNED ? "ldis" :
	    i->kind == V3D_QPU_LOAD_UNSIGNED ? "ldiu" :
					       "ldi",
	    i->sf ? ".setf" : "");
	if (i->cond_add != V3D_QPU_COND_NEVER) {
		say_destination(t, i->waddr_add, i->ws);
		say(t, "%s, ", conditions[i->cond_add]);
	}
	if (i->cond_mul != V3D_QPU_COND_NEVER) {
		say_destination(t, i->waddr_mul, !i->ws);
		say(t, "%s, ", conditions[i->cond_mul]);
	}
	say(t, "0x%08x", i->immediate);
}

void qpu_text_destination(char *text, size_t size, unsigned int waddr, bool b)
{
	struct text t = { text, size };

	say_destination(&t, waddr, b);
}

void qpu_text(char *text, size_t size, uint64_t word)
{
	static const char *const signals[16] = {
#define SIGNAL_NAME(value, name, text) [value] = text,
		V3D_QPU_SIGNALS(SIGNAL_NAME)
	};
	const struct v3d_qpu_inst i = v3d_qpu_decode(word);
	struct text t = { text, size };

	if (i.kind == V3D_QPU_BRANCH) {
		say_branch(&t, &i);
	} else if (i.kind > V3D_QPU_ALU_SMALL_IMMEDIATE) {
		say_load(&t, &i);
	} else {
		say_half(&t, &i, false);
		say(&t, "; ");
		say_half(&t, &i, true);
		if (i.kind == V3D_QPU_ALU_SMALL_IMMEDIATE && i.raddr_b == V3D_QPU_ROTATE)
			say(&t, " >> r5");
		else if (i.kind == V3D_QPU_ALU_SMALL_IMMEDIATE && i.raddr_b > V3D_QPU_ROTATE)
			say(&t, " >> %u", i.raddr_b - V3D_QPU_ROTATE);
	}
	if (i.pack || (i.unpack && i.kind <= V3D_QPU_ALU_SMALL_IMMEDIATE))
		say(&t, " (pm %u, pack %u, unpack %u)", i.pm, i.pack, i.unpack);
	if (signals[i.sig][0])
		say(&t, "; %s", signals[i.sig]);
}
