// SPDX-License-Identifier: MIT
/* The ALUs' operations as LLVM's instructions: what qpu/alu_lanes.h has in C. */
#include <string.h>

#include "compile_emit.h"

#define SIGN 0x80000000u
#define LARGEST 0x7f7fffffu

LLVMValueRef emit_words(const struct emit *e, const uint32_t *word)
{
	LLVMValueRef each[V3D_QPU_LANES];

	for (unsigned int n = 0; n < V3D_QPU_LANES; n++)
		each[n] = e->llvm->ConstInt(e->i32, word[n], false);
	return e->llvm->ConstVector(each, V3D_QPU_LANES);
}

LLVMValueRef emit_splat(const struct emit *e, uint32_t word)
{
	uint32_t all[V3D_QPU_LANES];

	for (unsigned int n = 0; n < V3D_QPU_LANES; n++)
		all[n] = word;
	return emit_words(e, all);
}

LLVMValueRef emit_mask(const struct emit *e, LLVMIntPredicate how, LLVMValueRef a, LLVMValueRef b)
{
	return e->llvm->BuildSExt(e->b, e->llvm->BuildICmp(e->b, how, a, b, ""), e->lanes, "");
}

LLVMValueRef emit_pick(const struct emit *e, LLVMValueRef value, const uint32_t *from)
{
	return e->llvm->BuildShuffleVector(e->b, value, e->llvm->GetUndef(e->lanes),
					   emit_words(e, from), "");
}

LLVMValueRef emit_any_negative(const struct emit *e, LLVMValueRef value)
{
	const struct llvm *l = e->llvm;
	unsigned int lanes = V3D_QPU_LANES;
	LLVMValueRef half[2], numbers[V3D_QPU_LANES], zero[V3D_QPU_LANES];
	LLVMTypeRef bits;

	for (unsigned int n = 0; n < V3D_QPU_LANES; n++)
		zero[n] = l->ConstInt(e->i32, 0, false);
	for (; lanes > e->width; lanes /= 2) {
		for (unsigned int side = 0; side < 2; side++) {
			for (unsigned int n = 0; n < lanes / 2; n++)
				numbers[n] = l->ConstInt(e->i32, side * lanes / 2 + n, false);
			half[side] = l->BuildShuffleVector(e->b, value, value,
							   l->ConstVector(numbers, lanes / 2), "");
		}
		value = l->BuildOr(e->b, half[0], half[1], "");
	}
	bits = l->IntTypeInContext(e->context, lanes);
	value = l->BuildICmp(e->b, LLVMIntSLT, value, l->ConstVector(zero, lanes), "");
	value = l->BuildBitCast(e->b, value, bits, "");
	return l->BuildICmp(e->b, LLVMIntNE, value, l->ConstInt(bits, 0, false), "");
}

static LLVMValueRef call(const struct emit *e, const char *name, LLVMTypeRef *types,
			 unsigned int kinds, LLVMValueRef *arguments, unsigned int count)
{
	const struct llvm *l = e->llvm;
	const unsigned int id = l->LookupIntrinsicID(name, strlen(name));

	return l->BuildCall2(e->b, l->IntrinsicGetType(e->context, id, types, kinds),
			     l->GetIntrinsicDeclaration(e->module, id, types, kinds), arguments,
			     count, "");
}

static LLVMValueRef to_floats(const struct emit *e, LLVMValueRef value)
{
	return e->llvm->BuildBitCast(e->b, value, e->floats, "");
}

static LLVMValueRef to_words(const struct emit *e, LLVMValueRef value)
{
	return e->llvm->BuildBitCast(e->b, value, e->lanes, "");
}

/*
 * Arithmetic in the mode that the processor is in when the code runs. LLVM is told that it does not
 * know it: of a plain fadd it would compute constants, and leave out what changes nothing, as if
 * results were rounded to nearest and denormals were numbers.
 */
static LLVMValueRef arithmetic(const struct emit *e, const char *name, LLVMValueRef a,
			       LLVMValueRef b)
{
	LLVMTypeRef types[] = { e->floats };
	LLVMValueRef arguments[] = { a, b, e->rounding, e->exceptions };

	return call(e, name, types, 1, arguments, 4);
}

/*
 * A result of floating-point arithmetic: -0 becomes +0, and infinities, and the largest number,
 * which truncation gives on overflow, are suspect
 */
static LLVMValueRef result(struct emit *e, LLVMValueRef value)
{
	const struct llvm *l = e->llvm;
	LLVMValueRef words, suspects;

	value = arithmetic(e, "llvm.experimental.constrained.fadd", value,
			   to_floats(e, emit_splat(e, 0)));
	words = to_words(e, value);
	suspects = l->BuildAdd(e->b, l->BuildAnd(e->b, words, emit_splat(e, ~SIGN), ""),
			       emit_splat(e, SIGN - LARGEST), "");
	e->suspects = e->suspects ? l->BuildOr(e->b, e->suspects, suspects, "") : suspects;
	return words;
}

static LLVMValueRef itof(const struct emit *e, LLVMValueRef a)
{
	LLVMTypeRef types[] = { e->floats, e->lanes };
	LLVMValueRef arguments[] = { a, e->rounding, e->exceptions };

	return to_words(e, call(e, "llvm.experimental.constrained.sitofp", types, 2, arguments, 3));
}

/* What is out of range is 0, but for the lowest number */
static LLVMValueRef ftoi(const struct emit *e, LLVMValueRef a)
{
	const struct llvm *l = e->llvm;
	LLVMValueRef magnitude = l->BuildAnd(e->b, a, emit_splat(e, ~SIGN), "");
	LLVMValueRef fits = emit_mask(e, LLVMIntSLT, magnitude, emit_splat(e, 0x4f000000));
	LLVMValueRef lowest = emit_mask(e, LLVMIntEQ, a, emit_splat(e, 0xcf000000));
	LLVMValueRef value = to_floats(e, l->BuildAnd(e->b, a, fits, ""));

	value = l->BuildFPToSI(e->b, value, e->lanes, "");
	return l->BuildOr(e->b, value, l->BuildAnd(e->b, lowest, emit_splat(e, SIGN), ""), "");
}

/* What orders floats as integers */
static LLVMValueRef order(const struct emit *e, LLVMValueRef f)
{
	const struct llvm *l = e->llvm;
	LLVMValueRef sign = l->BuildAShr(e->b, f, emit_splat(e, 31), "");
	LLVMValueRef magnitude = l->BuildAnd(e->b, f, emit_splat(e, ~SIGN), "");

	return l->BuildSub(e->b, l->BuildXor(e->b, magnitude, sign, ""), sign, "");
}

static LLVMValueRef min_max(const struct emit *e, unsigned int op, LLVMValueRef a, LLVMValueRef b,
			    LLVMValueRef *carry)
{
	const struct llvm *l = e->llvm;
	const bool minimum = op == V3D_QPU_ADD_FMIN || op == V3D_QPU_ADD_FMINABS ||
			     op == V3D_QPU_ADD_MIN;
	LLVMValueRef first = a, second = b, greater;

	if (op == V3D_QPU_ADD_FMIN || op == V3D_QPU_ADD_FMAX) {
		first = order(e, a);
		second = order(e, b);
	} else if (op == V3D_QPU_ADD_FMINABS || op == V3D_QPU_ADD_FMAXABS) {
		a = first = l->BuildAnd(e->b, a, emit_splat(e, ~SIGN), "");
		b = second = l->BuildAnd(e->b, b, emit_splat(e, ~SIGN), "");
	}
	greater = l->BuildICmp(e->b, LLVMIntSGT, first, second, "");
	if (carry)
		*carry = l->BuildSExt(e->b, greater, e->lanes, "");
	return minimum ? l->BuildSelect(e->b, greater, b, a, "") :
			 l->BuildSelect(e->b, greater, a, b, "");
}

/* C is the last bit shifted out, counted from the low end */
static LLVMValueRef shift(const struct emit *e, unsigned int op, LLVMValueRef a, LLVMValueRef b,
			  LLVMValueRef *carry)
{
	const struct llvm *l = e->llvm;
	LLVMValueRef amount = l->BuildAnd(e->b, b, emit_splat(e, 31), ""), last, bit;

	if (carry) {
		last = op == V3D_QPU_ADD_SHL ? l->BuildNeg(e->b, amount, "") :
					       l->BuildSub(e->b, amount, emit_splat(e, 1), "");
		bit = l->BuildLShr(e->b, a, l->BuildAnd(e->b, last, emit_splat(e, 31), ""), "");
		bit = l->BuildAnd(e->b, bit, emit_splat(e, 1), "");
		*carry = l->BuildAnd(e->b, emit_mask(e, LLVMIntNE, bit, emit_splat(e, 0)),
				     emit_mask(e, LLVMIntNE, amount, emit_splat(e, 0)), "");
	}
	return op == V3D_QPU_ADD_SHL ? l->BuildShl(e->b, a, amount, "") :
	       op == V3D_QPU_ADD_SHR ? l->BuildLShr(e->b, a, amount, "") :
				       l->BuildAShr(e->b, a, amount, "");
}

static LLVMValueRef ror(const struct emit *e, LLVMValueRef a, LLVMValueRef b)
{
	const struct llvm *l = e->llvm;
	LLVMValueRef right = l->BuildAnd(e->b, b, emit_splat(e, 31), "");
	LLVMValueRef left = l->BuildAnd(e->b, l->BuildNeg(e->b, right, ""), emit_splat(e, 31), "");

	return l->BuildOr(e->b, l->BuildLShr(e->b, a, right, ""), l->BuildShl(e->b, a, left, ""),
			  "");
}

static LLVMValueRef clz(const struct emit *e, LLVMValueRef a)
{
	LLVMTypeRef types[] = { e->lanes };
	LLVMValueRef arguments[] = { a, e->llvm->ConstInt(e->i1, 0, false) };

	return call(e, "llvm.ctlz", types, 1, arguments, 2);
}

/* An operation on 64 bytes that LLVM has a name for */
static LLVMValueRef bytes(const struct emit *e, const char *name, LLVMValueRef a, LLVMValueRef b)
{
	LLVMTypeRef types[] = { e->llvm->VectorType(e->i8, 4 * V3D_QPU_LANES) };
	LLVMValueRef arguments[] = { e->llvm->BuildBitCast(e->b, a, types[0], ""),
				     e->llvm->BuildBitCast(e->b, b, types[0], "") };

	return to_words(e, call(e, name, types, 1, arguments, 2));
}

LLVMValueRef emit_add(struct emit *e, unsigned int op, LLVMValueRef a, LLVMValueRef b,
		      LLVMValueRef *carry)
{
	const struct llvm *l = e->llvm;
	LLVMValueRef value;

	if (carry)
		*carry = emit_splat(e, 0);
	switch (op) {
	case V3D_QPU_ADD_FSUB:
		b = l->BuildXor(e->b, b, emit_splat(e, SIGN), "");
		/* fall through */
	case V3D_QPU_ADD_FADD:
		value = result(e, arithmetic(e, "llvm.experimental.constrained.fadd",
					     to_floats(e, a), to_floats(e, b)));
		break;
	case V3D_QPU_ADD_ITOF:
		value = itof(e, a);
		break;
	case V3D_QPU_ADD_FMIN ... V3D_QPU_ADD_FMAXABS:
	case V3D_QPU_ADD_MIN:
	case V3D_QPU_ADD_MAX:
		return min_max(e, op, a, b, carry);
	case V3D_QPU_ADD_ADD:
		value = l->BuildAdd(e->b, a, b, "");
		if (carry)
			*carry = emit_mask(e, LLVMIntULT, value, a);
		return value;
	case V3D_QPU_ADD_SUB:
		if (carry)
			*carry = emit_mask(e, LLVMIntULT, a, b);
		return l->BuildSub(e->b, a, b, "");
	case V3D_QPU_ADD_SHR:
	case V3D_QPU_ADD_ASR:
	case V3D_QPU_ADD_SHL:
		return shift(e, op, a, b, carry);
	case V3D_QPU_ADD_FTOI:
		return ftoi(e, a);
	case V3D_QPU_ADD_ROR:
		return ror(e, a, b);
	case V3D_QPU_ADD_AND:
		return l->BuildAnd(e->b, a, b, "");
	case V3D_QPU_ADD_OR:
		return l->BuildOr(e->b, a, b, "");
	case V3D_QPU_ADD_XOR:
		return l->BuildXor(e->b, a, b, "");
	case V3D_QPU_ADD_NOT:
		return l->BuildNot(e->b, a, "");
	case V3D_QPU_ADD_CLZ:
		return clz(e, a);
	case V3D_QPU_ADD_V8ADDS:
		return bytes(e, "llvm.uadd.sat", a, b);
	case V3D_QPU_ADD_V8SUBS:
		return bytes(e, "llvm.usub.sat", a, b);
	default:
		return emit_splat(e, 0);
	}
	if (carry)
		*carry = emit_mask(e, LLVMIntSGT, value, emit_splat(e, 0));
	return value;
}

/* A half of v8muld: bytes 0 and 2 of all words, to the same places */
static LLVMValueRef muld(const struct emit *e, LLVMValueRef a, LLVMValueRef b)
{
	const struct llvm *l = e->llvm;
	LLVMTypeRef type = l->VectorType(l->Int16TypeInContext(e->context), 2 * V3D_QPU_LANES);
	LLVMValueRef eight = l->BuildBitCast(e->b, emit_splat(e, 0x80008), type, "");
	LLVMValueRef half = l->BuildBitCast(e->b, emit_splat(e, 0x800080), type, ""), x;

	x = l->BuildMul(e->b, l->BuildBitCast(e->b, a, type, ""),
			l->BuildBitCast(e->b, b, type, ""), "");
	x = l->BuildAdd(e->b, x, half, "");
	x = l->BuildAdd(e->b, x, l->BuildLShr(e->b, x, eight, ""), "");
	return to_words(e, l->BuildLShr(e->b, x, eight, ""));
}

static LLVMValueRef v8muld(const struct emit *e, LLVMValueRef a, LLVMValueRef b)
{
	const struct llvm *l = e->llvm;
	LLVMValueRef bytes = emit_splat(e, 0xff00ff), eight = emit_splat(e, 8);
	LLVMValueRef low = muld(e, l->BuildAnd(e->b, a, bytes, ""),
				l->BuildAnd(e->b, b, bytes, ""));

	a = l->BuildAnd(e->b, l->BuildLShr(e->b, a, eight, ""), bytes, "");
	b = l->BuildAnd(e->b, l->BuildLShr(e->b, b, eight, ""), bytes, "");
	return l->BuildOr(e->b, low, l->BuildShl(e->b, muld(e, a, b), eight, ""), "");
}

LLVMValueRef emit_mul(struct emit *e, unsigned int op, LLVMValueRef a, LLVMValueRef b)
{
	const struct llvm *l = e->llvm;

	switch (op) {
	case V3D_QPU_MUL_FMUL:
		return result(e, arithmetic(e, "llvm.experimental.constrained.fmul",
					    to_floats(e, a), to_floats(e, b)));
	case V3D_QPU_MUL_MUL24:
		return l->BuildMul(e->b, l->BuildAnd(e->b, a, emit_splat(e, 0xffffff), ""),
				   l->BuildAnd(e->b, b, emit_splat(e, 0xffffff), ""), "");
	case V3D_QPU_MUL_V8MULD:
		return v8muld(e, a, b);
	case V3D_QPU_MUL_V8MIN:
		return a == b ? a : bytes(e, "llvm.umin", a, b);
	case V3D_QPU_MUL_V8MAX:
		return bytes(e, "llvm.umax", a, b);
	case V3D_QPU_MUL_V8ADDS:
		return bytes(e, "llvm.uadd.sat", a, b);
	case V3D_QPU_MUL_V8SUBS:
		return bytes(e, "llvm.usub.sat", a, b);
	default:
		return emit_splat(e, 0);
	}
}
