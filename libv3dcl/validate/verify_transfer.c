// SPDX-License-Identifier: (GPL-2.0-only OR MIT)
/*
 * The transfer function: from the state before an instruction, and the instruction, the one after
 * it. What the instruction reads and does is checked as well.
 */
#include "fields.h"
#include "verifier.h"

/* Bytes that an unpack reads: AG100 Table 6 */
static const __u8 unpacked_bytes[8] = { 0xf, 0x3, 0xc, 0x8, 0x1, 0x2, 0x4, 0x8 };

/*
 * What a register gives in the instruction after it was written: AG100 "Summary of Instruction
 * Restrictions". It may be what was there before, so it may tell of any uniform.
 */
static const struct v3dcl_abstract_value *late_value(const struct v3dcl_verifier *p, __u8 place,
						     struct v3dcl_abstract_value *local)
{
	__u8 written = v3dcl_value_at(p->s, place)->initialised;

	*local = v3dcl_unknown();
	local->taint = p->shader    ? 0 :
		       p->call_count ? ~(__u64)0 :
				       ~V3DCL_TAINT_CODE;
	local->initialised = p->s->late_bad >> place & 1 ? written & ~V3DCL_ALL_BYTES : written;
	return local;
}

static const struct v3dcl_abstract_value *file_value(const struct v3dcl_verifier *p, __u8 place,
						     struct v3dcl_abstract_value *local)
{
	return v3dcl_is_in(&p->s->late, place) ? late_value(p, place, local) :
						 v3dcl_value_at(p->s, place);
}

/*
 * A small immediate. Those that rotate are numbers from -16 to -1 as operands, one source has it,
 * and AG100 Table 5 gives them no value at all.
 */
static struct v3dcl_abstract_value small_immediate(const struct v3d_qpu_inst *inst)
{
	return inst->raddr_b >= V3D_QPU_ROTATE ?
		       v3dcl_unknown() :
		       v3dcl_constant(v3d_qpu_small_immediate(inst->raddr_b));
}

/* An operand, before anything is asked of it */
static const struct v3dcl_abstract_value *operand(const struct v3dcl_verifier *p,
						  const struct v3d_qpu_inst *inst, __u8 mux,
						  struct v3dcl_abstract_value *local)
{
	const struct v3dcl_abstract_value *value;
	struct v3dcl_abstract_value unpacked;

	switch (mux) {
	case V3D_QPU_A:
		value = inst->raddr_a < 32 ? file_value(p, inst->raddr_a, local) : p->port[0];
		if (!inst->unpack || inst->pm)
			return value;
		break;
	case V3D_QPU_B:
		if (inst->kind != V3D_QPU_ALU_SMALL_IMMEDIATE)
			return inst->raddr_b < 32 ?
				       file_value(p, V3DCL_FILE_B + inst->raddr_b, local) :
				       p->port[1];
		*local = small_immediate(inst);
		return local;
	default:
		return v3dcl_value_at(p->s, V3DCL_ACC + mux);
	}
	unpacked = v3dcl_forget(value);
	unpacked.initialised = value->initialised;
	*local = unpacked;
	return local;
}

static __u8 bytes_read(const struct v3d_qpu_inst *inst, __u8 mux)
{
	return mux == V3D_QPU_A && !inst->pm ? unpacked_bytes[inst->unpack] : V3DCL_ALL_BYTES;
}

static __u32 place_of(const struct v3d_qpu_inst *inst, __u8 mux)
{
	if (mux == V3D_QPU_A)
		return inst->raddr_a;
	return mux == V3D_QPU_B ? (__u32)V3DCL_FILE_B + inst->raddr_b : (__u32)V3DCL_ACC + mux;
}

/* Has the instruction before just written, whole, what had not been written before? */
static bool read_soon(const struct v3dcl_verifier *p, __u32 place, __u8 bytes)
{
	return !p->shader && place < V3DCL_ACC && v3dcl_is_in(&p->s->late, place) &&
	       (v3dcl_value_at(p->s, place)->initialised & bytes) == bytes;
}

/*
 * Definite assignment: only what the program has written may be read, as another client wrote the
 * rest.
 */
static bool read_uninitialised(struct v3dcl_verifier *p, const struct v3d_qpu_inst *inst, __u8 mux,
			       const struct v3dcl_abstract_value *value)
{
	__u8 bytes = bytes_read(inst, mux);

	if (read_soon(p, place_of(inst, mux), bytes))
		return v3dcl_refuse_here(p, V3DCL_RULE_REGISTER_SOON, place_of(inst, mux), bytes);
	if (!p->shader || (value->initialised >> 4 & bytes) != bytes)
		return v3dcl_refuse_here(p, V3DCL_RULE_CODE_UNDEFINED, place_of(inst, mux), bytes);
	p->uses_of_shader |= V3DCL_SHADER_RESIDUE;
	return true;
}

static bool check_initialised(struct v3dcl_verifier *p, const struct v3d_qpu_inst *inst, __u8 mux,
			      const struct v3dcl_abstract_value *value)
{
	__u8 bytes = bytes_read(inst, mux);

	return (value->initialised & bytes) == bytes || read_uninitialised(p, inst, mux, value);
}

static bool read_operand(struct v3dcl_verifier *p, const struct v3d_qpu_inst *inst, __u8 mux,
			 struct v3dcl_abstract_value *local,
			 const struct v3dcl_abstract_value **value)
{
	*value = operand(p, inst, mux, local);
	if (mux == V3D_QPU_R4 && p->s->sfu_left)
		return v3dcl_refuse_here(p, V3DCL_RULE_SFU_SOON, p->s->sfu_left, 0);
	return check_initialised(p, inst, mux, *value);
}

/* AG100: neither an accumulator nor r5 may be written just before a rotation needs it. */
static bool check_rotation(struct v3dcl_verifier *p, const struct v3d_qpu_inst *inst)
{
	__u32 needs = 0;

	if (inst->kind != V3D_QPU_ALU_SMALL_IMMEDIATE || inst->raddr_b < V3D_QPU_ROTATE ||
	    !v3dcl_is_active(inst, true))
		return true;
	if (inst->raddr_b == V3D_QPU_ROTATE) {
		needs = 1u << V3D_QPU_R5;
		if (!check_initialised(p, inst, V3D_QPU_R5,
				       v3dcl_value_at(p->s, V3DCL_ACC + V3D_QPU_R5)))
			return false;
	}
	if (inst->mul_a <= V3D_QPU_R3)
		needs |= 1u << inst->mul_a;
	if (inst->mul_b <= V3D_QPU_R3)
		needs |= 1u << inst->mul_b;
	return !(p->s->late.rest & needs) ||
	       v3dcl_refuse_here(p, V3DCL_RULE_ROTATE_SOON, p->s->late.rest, 0);
}

static bool compute_add(struct v3dcl_verifier *p, const struct v3d_qpu_inst *inst,
			struct v3dcl_abstract_value *result)
{
	const struct v3dcl_abstract_value *a, *b;
	struct v3dcl_abstract_value local_a, local_b;

	if (!read_operand(p, inst, inst->add_a, &local_a, &a))
		return false;
	b = a;
	if (ADD_TWO >> inst->op_add & 1 && !read_operand(p, inst, inst->add_b, &local_b, &b))
		return false;
	if (inst->op_add == V3D_QPU_ADD_OR && inst->add_a == inst->add_b)
		*result = *a;
	else
		*result = v3dcl_add_op(inst->op_add, a, b);
	return true;
}

static bool compute_mul(struct v3dcl_verifier *p, const struct v3d_qpu_inst *inst,
			struct v3dcl_abstract_value *result)
{
	const struct v3dcl_abstract_value *a, *b;
	struct v3dcl_abstract_value local_a, local_b;

	if (!read_operand(p, inst, inst->mul_a, &local_a, &a) ||
	    !read_operand(p, inst, inst->mul_b, &local_b, &b))
		return false;
	if (inst->op_mul == V3D_QPU_MUL_V8MIN && inst->mul_a == inst->mul_b)
		*result = *a;
	else
		*result = v3dcl_mul_op(inst->op_mul, a, b);
	if (inst->kind == V3D_QPU_ALU_SMALL_IMMEDIATE && inst->raddr_b >= V3D_QPU_ROTATE &&
	    v3dcl_links(result))
		*result = v3dcl_forget(result);
	if (inst->kind == V3D_QPU_ALU_SMALL_IMMEDIATE && inst->raddr_b == V3D_QPU_ROTATE)
		result->taint |= v3dcl_taint(v3dcl_value_at(p->s, V3DCL_ACC + V3D_QPU_R5));
	return true;
}

/* A result on its way */
static bool prepare_result(struct v3dcl_verifier *p, const struct v3d_qpu_inst *inst, bool mul,
			   struct v3dcl_result *result)
{
	if (inst->pack && inst->pm && (inst->pack < 3 || inst->pack > 7))
		return v3dcl_refuse_here(p, V3DCL_RULE_CODE_PACK, inst->pack, 0);
	result->condition = v3dcl_condition(inst, mul);
	v3dcl_aim_result(result, mul, v3dcl_waddr(inst, mul), inst->ws, inst->pack, inst->pm);
	return true;
}

/*
 * A shader's words are only followed inside the instruction that fetches them: some become
 * addresses without leaving a trace.
 */
static void store(struct v3dcl_verifier *p, struct v3dcl_result *result)
{
	if (p->shader && v3dcl_has_exact_term(&result->value))
		result->value = v3dcl_unknown();
	if (p->shader)
		result->value.taint = 0;
	v3dcl_store_result(p->s, result, &p->late, &p->late_bad);
}

/* The results reach their registers; of one accumulator each element gets either: writes_both(). */
static void store_both(struct v3dcl_verifier *p, struct v3dcl_result *add, struct v3dcl_result *mul)
{
	if (add->place == mul->place && add->place != V3DCL_NOWHERE) {
		struct v3dcl_abstract_value either = v3dcl_join(&add->value, &mul->value);

		add->value = v3dcl_forget(&either);
		mul->value = add->value;
	}
	if (add->place != V3DCL_NOWHERE)
		store(p, add);
	if (mul->place != V3DCL_NOWHERE)
		store(p, mul);
}

static bool needs_flags(const struct v3d_qpu_inst *inst, bool mul, bool active)
{
	return active && v3dcl_condition(inst, mul) != V3D_QPU_COND_ALWAYS;
}

static bool check_flags(struct v3dcl_verifier *p)
{
	if (p->s->flags & V3DCL_ALL_BYTES)
		return true;
	if (!p->shader || !p->s->flags)
		return v3dcl_refuse_here(p, V3DCL_RULE_FLAGS_UNDEFINED, 0, 1);
	p->uses_of_shader |= V3DCL_SHADER_RESIDUE;
	return true;
}

/*
 * HW: an add that is no nop keeps the flags to itself. Of what two nops or a semaphore put out
 * (@result is NULL) nothing is documented, so it may be anything, of any program before.
 */
static void set_flags(struct v3dcl_verifier *p, const struct v3d_qpu_inst *inst, bool by_mul,
		      const struct v3dcl_abstract_value *result)
{
	__u8 condition = v3dcl_condition(inst, by_mul);
	bool always = condition == V3D_QPU_COND_ALWAYS;

	if (!inst->sf)
		return;
	p->s->comparison = (struct v3dcl_comparison){ 0 };
	if (condition == V3D_QPU_COND_NEVER)
		return;
	if (!result) {
		p->s->flags = 0;
		return;
	}
	p->s->flags |= always ? V3DCL_INITIALISED : V3DCL_MAY_INITIALISED;
	if (!p->shader)
		p->s->flags_taint = v3dcl_taint(result) | (always ? 0 : p->s->flags_taint);
}

/* The place of an operand: a register that has not just been written, or one of r0 to r3 */
static __u8 place_of_operand(const struct v3dcl_verifier *p, const struct v3d_qpu_inst *inst,
			     __u8 mux)
{
	const __u32 place = place_of(inst, mux);

	if (mux <= V3D_QPU_R3)
		return place;
	if ((mux != V3D_QPU_A || inst->raddr_a >= 32) &&
	    (mux != V3D_QPU_B || inst->kind != V3D_QPU_ALU || inst->raddr_b >= 32))
		return V3DCL_NOWHERE;
	return v3dcl_is_in(&p->s->late, place) ? V3DCL_NOWHERE : place;
}

#define NO_COPY (V3D_QPU_B + 1)

/* The operand that an ALU copies as it is, if it does no more */
static __u8 copied(const struct v3d_qpu_inst *inst, bool mul)
{
	const bool rotates = inst->kind == V3D_QPU_ALU_SMALL_IMMEDIATE &&
			     inst->raddr_b >= V3D_QPU_ROTATE;

	if (!v3dcl_is_alu(inst) || inst->pack || inst->unpack)
		return NO_COPY;
	if (!mul)
		return inst->op_add == V3D_QPU_ADD_OR && inst->add_a == inst->add_b ? inst->add_a :
										      NO_COPY;
	return inst->op_mul == V3D_QPU_MUL_V8MIN && inst->mul_a == inst->mul_b && !rotates ?
		       inst->mul_a : NO_COPY;
}

/*
 * Flags are set by a - b, or by a copy, which is a - 0, of the add ALU, in all elements: remember
 * where both are. Where the instruction itself has written is not what it compared any more.
 */
static void remember_comparison(struct v3dcl_verifier *p, const struct v3d_qpu_inst *inst)
{
	const bool copies = copied(inst, false) != NO_COPY,
		   immediate = inst->kind == V3D_QPU_ALU_SMALL_IMMEDIATE &&
			       inst->add_b == V3D_QPU_B && inst->raddr_b < V3D_QPU_ROTATE;
	struct v3dcl_comparison n = { { V3DCL_NOWHERE, V3DCL_NOWHERE }, true, 0 };

	if (inst->cond_add != V3D_QPU_COND_ALWAYS || inst->pack || inst->unpack ||
	    (!copies && inst->op_add != V3D_QPU_ADD_SUB))
		return;
	n.place[0] = place_of_operand(p, inst, inst->add_a);
	if (!copies && immediate)
		n.number = v3d_qpu_small_immediate(inst->raddr_b);
	else if (!copies)
		n.place[1] = place_of_operand(p, inst, inst->add_b);
	if (n.place[0] == V3DCL_NOWHERE || v3dcl_is_in(&p->late, n.place[0]))
		return;
	if (n.place[1] == V3DCL_NOWHERE ? !copies && !immediate :
					  v3dcl_is_in(&p->late, n.place[1]))
		return;
	p->s->comparison = n;
}

/*
 * A copy under a condition of one of what was compared to the place of the other, where the sign
 * says so: that place holds the lower or the higher of both then, in all elements.
 */
static void select_operand(const struct v3dcl_verifier *p, const struct v3d_qpu_inst *inst,
			   bool mul, struct v3dcl_result *result)
{
	const struct v3dcl_comparison *c = &p->s->comparison;
	const bool negative = result->condition == V3D_QPU_COND_NS;
	const struct v3dcl_abstract_value *old;
	struct v3dcl_abstract_value n;
	bool selected = false;
	__u8 from;

	if (result->place == V3DCL_NOWHERE || copied(inst, mul) == NO_COPY ||
	    (!negative && result->condition != V3D_QPU_COND_NC))
		return;
	from = place_of_operand(p, inst, copied(inst, mul));
	old = v3dcl_value_at(p->s, result->place);
	if (result->place == c->place[0] &&
	    (c->place[1] == V3DCL_NOWHERE ? v3dcl_is_constant(&result->value) &&
						    result->value.low == c->number :
					    from == c->place[1]))
		selected = v3dcl_select(negative, old, &result->value, &n);
	else if (result->place == c->place[1] && from == c->place[0])
		selected = v3dcl_select(!negative, &result->value, old, &n);
	if (!selected)
		return;
	/* As a and b have it, too */
	n.taint |= p->s->flags_taint;
	result->value = n;
	result->condition = V3D_QPU_COND_ALWAYS;
}

/* Does a half that does nothing name a register, where its condition does not keep it? */
static bool is_spoilt(const struct v3d_qpu_inst *inst, bool mul)
{
	const __u8 waddr = v3dcl_waddr(inst, mul);

	return v3dcl_condition(inst, mul) != V3D_QPU_COND_NEVER &&
	       (waddr <= V3D_QPU_W_ACC3 || waddr == V3D_QPU_W_ACC5);
}

/*
 * An operation that does nothing may write the register that it names all the same, which is not
 * documented: with anything, so that is nothing the program has written any more.
 */
static void spoil(struct v3dcl_verifier *p, const struct v3d_qpu_inst *inst, bool mul)
{
	struct v3dcl_result result = { .place = V3DCL_NOWHERE };

	v3dcl_aim_result(&result, mul, v3dcl_waddr(inst, mul), inst->ws, 0, false);
	if (NEVER(result.place == V3DCL_NOWHERE))
		return;
	p->upper |= v3dcl_waddr(inst, mul) >= 16 && v3dcl_waddr(inst, mul) < 32;
	if (result.place < V3DCL_ACC)
		p->s->payload &= ~((__u64)1 << result.place);
	v3dcl_put_in(&p->late, result.place, true);
	v3dcl_set_value(p->s, result.place, &v3dcl_uninitialised);
}

/* What a half that does nothing must not name: a unit, that might be accessed all the same */
static bool check_idle(struct v3dcl_verifier *p, const struct v3d_qpu_inst *inst, bool mul)
{
	__u8 waddr = v3dcl_waddr(inst, mul);

	if (waddr == V3D_QPU_W_NOP ||
	    (v3dcl_condition(inst, mul) == V3D_QPU_COND_NEVER && waddr < 36))
		return true;
	if (is_spoilt(inst, mul))
		return true;
	if (waddr >= V3D_QPU_W_TMU0_S)
		return v3dcl_refuse_here(p, V3DCL_RULE_TMU_CONDITION, v3dcl_condition(inst, mul),
					 V3D_QPU_COND_ALWAYS);
	return v3dcl_refuse_here(p, V3DCL_RULE_IDLE_WRITE, waddr, V3D_QPU_W_NOP);
}

static bool finish_half(struct v3dcl_verifier *p, const struct v3d_qpu_inst *inst, bool mul,
			struct v3dcl_result *result)
{
	__u8 waddr = v3dcl_waddr(inst, mul);

	if (!prepare_result(p, inst, mul, result))
		return false;
	if (waddr < 32)
		p->upper |= waddr >= 16;
	if (waddr <= V3D_QPU_W_ACC3 || waddr == V3D_QPU_W_NOP || waddr == V3D_QPU_W_ACC5)
		return true;
	return v3dcl_write_io(p, inst, mul, &result->value);
}

/*
 * Addresses from 32 on of accumulators, and those that name another place, or none, in each file:
 * AG100 Table 14
 */
#define ACCUMULATORS \
	(1u << (V3D_QPU_W_ACC0 - 32) | 1u << (V3D_QPU_W_ACC1 - 32) | \
	 1u << (V3D_QPU_W_ACC2 - 32) | 1u << (V3D_QPU_W_ACC3 - 32) | 1u << (V3D_QPU_W_ACC5 - 32))
#define TWO_PLACES \
	(1u << (V3D_QPU_W_NOP - 32) | 1u << (V3D_QPU_W_UNIFORMS_ADDRESS - 32) | \
	 1u << (V3D_QPU_W_QUAD_XY - 32) | 1u << (V3D_QPU_W_MS_REV_FLAGS - 32) | \
	 1u << (V3D_QPU_W_VPM_SETUP - 32) | 1u << (V3D_QPU_W_VPM_ADDR - 32))

/*
 * AG100 p. 19: what comes of it is undefined if both ALUs write one accumulator or I/O register.
 * Under opposite conditions each element of an accumulator is written by one of them; a unit is
 * accessed whatever the condition says (HW).
 */
static bool writes_both(const struct v3d_qpu_inst *inst)
{
	const __u32 bit = inst->waddr_add < 32 ? 0 : 1u << (inst->waddr_add - 32);
	const bool opposite = inst->cond_add >= V3D_QPU_COND_ZS &&
			      (inst->cond_add ^ inst->cond_mul) == 1;

	if (inst->waddr_add != inst->waddr_mul || !bit || bit & TWO_PLACES)
		return false;
	return !(bit & ACCUMULATORS) || !opposite;
}

static bool check_halves(struct v3dcl_verifier *p, const struct v3d_qpu_inst *inst, bool has_add,
			 bool has_mul)
{
	if ((needs_flags(inst, false, has_add) || needs_flags(inst, true, has_mul)) &&
	    !check_flags(p))
		return false;
	if (has_add && has_mul && inst->waddr_add >= V3D_QPU_W_TMU0_S &&
	    inst->waddr_mul >= V3D_QPU_W_TMU0_S)
		return v3dcl_refuse_here(p, V3DCL_RULE_TMU_BOTH, inst->waddr_mul, 0);
	if (has_add && has_mul && writes_both(inst))
		return v3dcl_refuse_here(p, V3DCL_RULE_WRITE_BOTH, inst->waddr_mul,
					 V3D_QPU_W_NOP);
	return true;
}

static bool run_halves(struct v3dcl_verifier *p, const struct v3d_qpu_inst *inst, bool has_add,
		       bool has_mul, struct v3dcl_result *add, struct v3dcl_result *mul)
{
	if (!check_halves(p, inst, has_add, has_mul) ||
	    !(has_add ? finish_half(p, inst, false, add) : check_idle(p, inst, false)))
		return false;
	return has_mul ? finish_half(p, inst, true, mul) : check_idle(p, inst, true);
}

static bool transfer_alu(struct v3dcl_verifier *p, const struct v3d_qpu_inst *inst)
{
	bool has_add = v3dcl_is_active(inst, false), has_mul = v3dcl_is_active(inst, true),
	     by_mul = inst->op_add == V3D_QPU_ADD_NOP;
	struct v3dcl_result add = { .place = V3DCL_NOWHERE }, mul = { .place = V3DCL_NOWHERE };

	if (!v3dcl_op_exists(inst->op_add))
		return v3dcl_refuse_here(p, V3DCL_RULE_CODE_OP, inst->op_add, 0);
	if (!v3dcl_read_port(p, inst, false) ||
	    (inst->kind == V3D_QPU_ALU && !v3dcl_read_port(p, inst, true)))
		return false;
	if ((has_add && !compute_add(p, inst, &add.value)) ||
	    (has_mul && !compute_mul(p, inst, &mul.value)) || !check_rotation(p, inst) ||
	    !run_halves(p, inst, has_add, has_mul, &add, &mul))
		return false;
	if (v3dcl_fetches_uniform(inst) && !v3dcl_read_uniform(p))
		return false;
	if (p->s->comparison.known) {
		select_operand(p, inst, false, &add);
		select_operand(p, inst, true, &mul);
	}
	store_both(p, &add, &mul);
	if (!has_add && is_spoilt(inst, false))
		spoil(p, inst, false);
	if (!has_mul && is_spoilt(inst, true))
		spoil(p, inst, true);
	/* Both ports are one read, which the coefficient C comes with: AG100 p. 51. */
	if (inst->raddr_a == V3D_QPU_R_VARYING ||
	    (inst->kind == V3D_QPU_ALU && inst->raddr_b == V3D_QPU_R_VARYING)) {
		v3dcl_set_initialised(p->s, V3DCL_ACC + V3D_QPU_R5);
		p->s->varyings++;
	}
	set_flags(p, inst, by_mul, !by_mul ? &add.value : inst->op_mul ? &mul.value : NULL);
	if (inst->sf && !p->shader)
		remember_comparison(p, inst);
	return true;
}

/* What a load gives: the same for all elements, or two bits each */
static struct v3dcl_abstract_value immediate(const struct v3d_qpu_inst *inst)
{
	__u32 low = inst->immediate & 0xffff, high = inst->immediate >> 16;

	if (inst->kind == V3D_QPU_LOAD_32)
		return v3dcl_constant(inst->immediate);
	if (inst->kind == V3D_QPU_SEMAPHORE)
		return v3dcl_unknown();
	if ((low == 0 || low == 0xffff) && (high == 0 || high == 0xffff))
		return v3dcl_constant((low & 1) +
				      (inst->kind == V3D_QPU_LOAD_SIGNED ? -2u : 2u) * (high & 1));
	return inst->kind == V3D_QPU_LOAD_SIGNED ? v3dcl_unknown() : v3dcl_between(0, 3);
}

/*
 * A load or a semaphore: it has no operands, as v3d_qpu_decode() leaves their fields 0, so it reads
 * no uniform.
 */
static bool transfer_load(struct v3dcl_verifier *p, const struct v3d_qpu_inst *inst)
{
	bool has_add = inst->cond_add != V3D_QPU_COND_NEVER,
	     has_mul = inst->cond_mul != V3D_QPU_COND_NEVER;
	struct v3dcl_result add = { .value = immediate(inst), .place = V3DCL_NOWHERE }, mul = add;

	if (NEVER(inst->raddr_a || inst->raddr_b || inst->op_add || inst->op_mul))
		return v3dcl_refuse_here(p, V3DCL_RULE_INTERNAL, inst->raddr_a, inst->raddr_b);
	add.value.initialised = V3DCL_INITIALISED;
	mul.value = add.value;
	if (!run_halves(p, inst, has_add, has_mul, &add, &mul))
		return false;
	store_both(p, &add, &mul);
	set_flags(p, inst, false, inst->kind == V3D_QPU_SEMAPHORE ? NULL : &add.value);
	return true;
}

/* Until the call is done, and after one that is not taken, its register holds nothing. */
static bool begin_call(struct v3dcl_verifier *p, __u64 word)
{
	if (p->shader || get_waddr_add(word) >= 32 || p->unreachable)
		return true;
	p->link = get_waddr_add(word) + (get_ws(word) ? V3DCL_FILE_B : V3DCL_FILE_A);
	v3dcl_set_value(p->s, p->link, &v3dcl_uninitialised);
	return true;
}

/*
 * A return takes element 15 of a register (HW), which every path to here must have got from a call,
 * and not just now.
 */
static bool begin_return(struct v3dcl_verifier *p, __u64 word)
{
	const __u32 place = V3DCL_FILE_A + (get_branch_raddr_a(word));
	const struct v3dcl_abstract_value *value = v3dcl_value_at(p->s, place);

	if (p->unreachable)
		return true;
	if (v3dcl_is_in(&p->s->late, place) || value->initialised != V3DCL_INITIALISED ||
	    !v3dcl_links(value))
		return v3dcl_refuse_value(p, V3DCL_RULE_LINK_UNKNOWN, value, 0);
	p->returns = v3dcl_links(value);
	return true;
}

/* It ends its block, so none has it in its slots: check_branch() and check_leader() */
static bool transfer_branch(struct v3dcl_verifier *p, __u64 word)
{
	if (NEVER(p->at - p->branch_at <= V3D_QPU_BRANCH_SLOTS))
		return v3dcl_refuse_here(p, V3DCL_RULE_BRANCH_SLOT, p->at - p->branch_at,
					 V3D_QPU_BRANCH_SLOTS + 1);
	if (p->at - p->switch_at <= V3D_QPU_END_SLOTS)
		return v3dcl_refuse_here(p, V3DCL_RULE_BRANCH_SLOT, p->at - p->switch_at,
					 V3D_QPU_END_SLOTS + 1);
	if (p->at - p->end_at <= V3D_QPU_END_SLOTS)
		return v3dcl_refuse_here(p, V3DCL_RULE_BRANCH_SLOT, p->at - p->end_at, 0);
	if (NEVER(p->blocks[p->block].branch != (__u32)p->at))
		return v3dcl_refuse_here(p, V3DCL_RULE_BRANCH_SLOT, p->at,
					 p->blocks[p->block].branch);
	if (get_cond_br(word) != V3D_QPU_BRANCH_ALWAYS) {
		if (!check_flags(p))
			return false;
		v3dcl_tell(p, p->s->flags_taint);
	}
	p->branch_at = p->at;
	if ((__s32)word < 0)
		p->last_back = v3dcl_higher(p->at, p->last_back);
	/* HW: it sets flags if that bit is set. What they say then is not known. */
	if (!p->shader && get_branch_raddr_a(word) & 1) {
		p->s->flags_taint |= V3DCL_TAINT_CODE;
		p->s->comparison = (struct v3dcl_comparison){ 0 };
	}
	return (!get_reg(word) || begin_return(p, word)) && begin_call(p, word);
}

/* A semaphore's use is counted; what comes out of the ALUs is of no use: AG100 Figure 6. */
static bool transfer_semaphore(struct v3dcl_verifier *p, const struct v3d_qpu_inst *inst)
{
	__s8 *count = &p->s->semaphores[V3D_QPU_SEMAPHORE_NUMBER(inst->immediate)];

	if (p->shader)
		return v3dcl_refuse_here(p, V3DCL_RULE_CODE_SEMAPHORE, inst->immediate, 0);
	if ((inst->waddr_add > V3D_QPU_W_ACC3 && inst->waddr_add != V3D_QPU_W_NOP) ||
	    (inst->waddr_mul > V3D_QPU_W_ACC3 && inst->waddr_mul != V3D_QPU_W_NOP))
		return v3dcl_refuse_here(p, V3DCL_RULE_CODE_WRITE, inst->waddr_add, V3D_QPU_W_NOP);
	if (*count >= 127 || *count <= -127)
		return v3dcl_refuse_here(p, V3DCL_RULE_SEMAPHORE_PATHS, 127, 0);
	*count += V3D_QPU_SEMAPHORE_DECREMENTS(inst->immediate) ? -1 : 1;
	p->peripherals++;
	return transfer_load(p, inst);
}

static bool transfer_kind(struct v3dcl_verifier *p, const struct v3d_qpu_inst *inst)
{
	switch (inst->kind) {
	case V3D_QPU_ALU:
	case V3D_QPU_ALU_SMALL_IMMEDIATE:
		return transfer_alu(p, inst);
	case V3D_QPU_LOAD_32:
	case V3D_QPU_LOAD_SIGNED:
	case V3D_QPU_LOAD_UNSIGNED:
		return transfer_load(p, inst);
	case V3D_QPU_SEMAPHORE:
		return transfer_semaphore(p, inst);
	default:
		return v3dcl_refuse_here(p, V3DCL_RULE_CODE_LOAD, inst->unpack, 0);
	}
}

/**
 * v3dcl_switch_threads() - what a thread switch leaves, after its delay slots
 * @s: the state AG100 p. 20: accumulators and flags are not preserved. Mesa relies on flags all the
 * same, in shaders that read uniform buffers. What was asked of a TMU before may be loaded.
 */
void v3dcl_switch_threads(struct v3dcl_state *s)
{
	s->tmu_new[0] = 0;
	s->tmu_new[1] = 0;
	s->must_initialised.rest = 0;
	s->may_initialised.rest = 0;
	s->held.rest = 0;
	s->flags &= ~V3DCL_ALL_BYTES;
	s->sfu_left = 0;
}

/*
 * The address of W and Z of the next fragment, which arrive in the last three instructions: AG100
 * p. 20
 */
#define NEXT_WZ 14

static bool touches(const struct v3d_qpu_inst *inst, __u8 address)
{
	return inst->waddr_add == address || inst->waddr_mul == address ||
	       (inst->raddr_a == address && v3d_qpu_reads(inst, V3D_QPU_A)) ||
	       (inst->kind == V3D_QPU_ALU && inst->raddr_b == address &&
		v3d_qpu_reads(inst, V3D_QPU_B));
}

static bool check_last(const struct v3dcl_verifier *p, const struct v3d_qpu_inst *inst)
{
	if (touches(inst, NEXT_WZ))
		return v3dcl_refuse_here(p, V3DCL_RULE_END_REGISTER, NEXT_WZ, 0);
	if (p->at == p->end_at && (inst->waddr_add < 32 || inst->waddr_mul < 32))
		return v3dcl_refuse_here(p, V3DCL_RULE_END_REGISTER, inst->waddr_add,
					 V3D_QPU_W_NOP);
	return true;
}

static void age(struct v3dcl_verifier *p)
{
	struct v3dcl_state *s = p->s;

	s->late = p->late;
	s->late_bad = p->late_bad;
	s->sfu_left = p->sfu ? 2 : s->sfu_left ? s->sfu_left - 1 : 0;
	s->reset_left = p->reset ? 2 : s->reset_left ? s->reset_left - 1 : 0;
	s->vpm_early = p->early ? 3 : s->vpm_early ? s->vpm_early - 1 : 0;
}

/* Nothing is known of the instruction yet. */
static void begin(struct v3dcl_verifier *p)
{
	p->late = (struct v3dcl_places){ 0 };
	p->late_bad = 0;
	p->peripherals = 0;
	p->tile_buffer = 0;
	p->sfu = 0;
	p->reset = 0;
	p->early = 0;
}

/*
 * What is unknown by now, and is not known to have been lost before, was lost here. A link is known
 * for what it is.
 */
static void note_losses(struct v3dcl_verifier *p)
{
	__u32 place;

	for (place = 0; place < V3DCL_PLACES; place++) {
		struct v3dcl_abstract_value n = *v3dcl_value_at(p->s, place);

		if (!n.initialised || !v3dcl_is_unknown(&n) || v3dcl_links(&n) || v3dcl_lost(&n))
			continue;
		v3dcl_set_lost(&n, p->at + 1);
		v3dcl_set_value(p->s, place, &n);
	}
}

/* What the signal does when the ALUs are done, and what time does */
static bool finish(struct v3dcl_verifier *p, __u8 sig)
{
	if (sig == V3D_QPU_SIG_LOAD_TMU0 || sig == V3D_QPU_SIG_LOAD_TMU1) {
		if (!v3dcl_load_tmu(p, sig - V3D_QPU_SIG_LOAD_TMU0))
			return false;
	} else if (sig == V3D_QPU_SIG_LOAD_COLOR) {
		v3dcl_set_initialised(p->s, V3DCL_ACC + V3D_QPU_R4);
	}
	if (p->explain)
		note_losses(p);
	age(p);
	return p->at - p->end_at != V3D_QPU_END_SLOTS || v3dcl_check_end(p);
}

/* All but a branch */
static bool transfer_instruction(struct v3dcl_verifier *p, __u64 word)
{
	const struct v3d_qpu_inst inst = v3d_qpu_decode(word);

	if (!transfer_kind(p, &inst))
		return false;
	if (p->peripherals + p->tile_buffer > 1)
		return v3dcl_refuse_here(p, V3DCL_RULE_PERIPHERALS, p->peripherals + p->tile_buffer,
					 1);
	return p->at - p->end_at > V3D_QPU_END_SLOTS || check_last(p, &inst);
}

/**
 * v3dcl_transfer() - check the next instruction, and find the state after it
 * @p: the state before it
 * @word: the instruction
 * Return: false with the refusal set
 */
bool v3dcl_transfer(struct v3dcl_verifier *p, __u64 word)
{
	__u8 sig = word >> 60;

	begin(p);
	if (p->at - p->switch_at == V3D_QPU_END_SLOTS + 1) {
		v3dcl_check_tmu_switch(p);
		v3dcl_switch_threads(p->s);
	}
	if (!v3dcl_check_signal(p, sig))
		return false;
	if (sig == V3D_QPU_SIG_BRANCH)
		return transfer_branch(p, word) && finish(p, sig);
	return transfer_instruction(p, word) && finish(p, sig);
}
