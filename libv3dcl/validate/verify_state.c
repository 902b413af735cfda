// SPDX-License-Identifier: (GPL-2.0-only OR MIT)
/*
 * Abstract states: see verify_state.h.
 */
#include "verify_state.h"

const struct v3dcl_abstract_value v3dcl_initialised = { .span = V3DCL_EVERYTHING,
							.initialised = V3DCL_INITIALISED };
const struct v3dcl_abstract_value v3dcl_may_initialised = { .span = V3DCL_EVERYTHING,
							    .initialised = V3DCL_MAY_INITIALISED };
const struct v3dcl_abstract_value v3dcl_uninitialised = { .span = V3DCL_EVERYTHING };

/* Bytes that a pack of file A writes: AG100 Table 7 */
static const __u8 packed_bytes[8] = { 0xf, 0x3, 0xc, 0xf, 0x1, 0x2, 0x4, 0x8 };

/**
 * v3dcl_set_value() - a place gets a value
 * @s: the state
 * @place: below V3DCL_PLACES, see v3dcl_aim_result(); else nothing holds any more
 * @value: may be that of the place
 */
void v3dcl_set_value(struct v3dcl_state *s, __u32 place, const struct v3dcl_abstract_value *value)
{
	bool known = !v3dcl_is_unknown(value), all = value->initialised == V3DCL_INITIALISED,
	     none = !value->initialised;
	bool held = known || value->taint || value->low || v3dcl_lost(value) ||
		    !(all || none || value->initialised == V3DCL_MAY_INITIALISED);

	if (NEVER(place >= V3DCL_PLACES)) {
		s->must_initialised = (struct v3dcl_places){ 0 };
		s->may_initialised = s->must_initialised;
		s->held = s->must_initialised;
		return;
	}
	v3dcl_end_comparison(s, place);
	v3dcl_put_in(&s->must_initialised, place,
		     (value->initialised & V3DCL_ALL_BYTES) == V3DCL_ALL_BYTES);
	v3dcl_put_in(&s->may_initialised, place,
		     (value->initialised & V3DCL_MAY_INITIALISED) == V3DCL_MAY_INITIALISED);
	v3dcl_put_in(&s->held, place, held);
	if (held)
		s->value[place] = *value;
}

/**
 * v3dcl_copy_state() - copy a state, and no more of it than holds something
 * @to: all of it is set, but values that are not held
 * @from: the other one
 */
void v3dcl_copy_state(struct v3dcl_state *to, const struct v3dcl_state *from)
{
	__u64 files = from->held.files, rest = from->held.rest;
	__u32 place;

	__builtin_memcpy(to, from, __builtin_offsetof(struct v3dcl_state, value));
	for (; files; files &= files - 1) {
		place = v3dcl_lowest(files);
		to->value[place] = from->value[place];
	}
	for (; rest; rest &= rest - 1) {
		place = V3DCL_ACC + v3dcl_lowest(rest);
		to->value[place] = from->value[place];
	}
}

/**
 * v3dcl_aim_result() - where a result goes to, and what a pack leaves of it: nothing that is known
 * @result: has its value
 * @mul: it is the mul ALU's
 * @waddr: to this address
 * @ws: fields of the instruction, as are @pack and @pm
 * @pack: one that there is
 * @pm: see @ws
 */
void v3dcl_aim_result(struct v3dcl_result *result, bool mul, __u32 waddr, bool ws, __u32 pack,
		      bool pm)
{
	bool in_b = mul != ws, packs = pack && (pm ? mul : !in_b);

	result->place = waddr < 32 ? waddr + (in_b ? V3DCL_FILE_B : V3DCL_FILE_A) :
			waddr <= V3D_QPU_W_ACC3 ? V3DCL_ACC + waddr - V3D_QPU_W_ACC0 :
			waddr == V3D_QPU_W_ACC5 ? V3DCL_ACC + V3D_QPU_R5 : V3DCL_NOWHERE;
	result->bytes = packs && (pm || waddr < 32) ? packed_bytes[pack & 7] : V3DCL_ALL_BYTES;
	if (packs)
		result->value = v3dcl_forget(&result->value);
}

/**
 * v3dcl_store_result() - a result reaches its place, if it has one
 * @s: the state
 * @result: whose value may be kept
 * @late: the place is added
 * @late_bad: so it is, if it is a register whose old value is not the program's
 */
void v3dcl_store_result(struct v3dcl_state *s, const struct v3dcl_result *result,
			struct v3dcl_places *late, __u64 *late_bad)
{
	bool always = result->condition == V3D_QPU_COND_ALWAYS;
	const struct v3dcl_abstract_value *old;
	struct v3dcl_abstract_value value;
	__u8 written;

	if (result->place == V3DCL_NOWHERE)
		return;
	old = v3dcl_value_at(s, result->place);
	written = old->initialised;
	v3dcl_put_in(late, result->place, true);
	if (result->place < V3DCL_ACC && (written & V3DCL_ALL_BYTES) != V3DCL_ALL_BYTES)
		*late_bad |= (__u64)1 << result->place;
	if (result->place < V3DCL_ACC && s->payload >> result->place & 1) {
		s->payload &= ~((__u64)1 << result->place);
		written = V3DCL_MAY_INITIALISED;
	}
	if (always && result->bytes == V3DCL_ALL_BYTES) {
		value = result->value;
		value.initialised = V3DCL_INITIALISED;
	} else {
		value = v3dcl_join(old, &result->value);
		if (result->bytes != V3DCL_ALL_BYTES)
			value = v3dcl_forget(&value);
		value.initialised = written | result->bytes << 4 | (always ? result->bytes : 0);
		value.taint |= always ? 0 : s->flags_taint;
	}
	v3dcl_set_value(s, result->place, &value);
}
