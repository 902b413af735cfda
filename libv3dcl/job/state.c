// SPDX-License-Identifier: (GPL-2.0-only OR MIT)
/*
 * What holds before an instruction: see state.h.
 */
#include "state.h"

const struct v3dcl_number v3dcl_plain = { .span = V3DCL_EVERYTHING, .written = V3DCL_WRITTEN };
const struct v3dcl_number v3dcl_partly = { .span = V3DCL_EVERYTHING, .written = V3DCL_PARTLY };
const struct v3dcl_number v3dcl_nothing = { .span = V3DCL_EVERYTHING };

/**
 * v3dcl_set_value() - a place gets a value
 * @s: the state
 * @place: below V3DCL_PLACES
 * @value: may be that of the place
 */
void v3dcl_set_value(struct v3dcl_state *s, __u32 place, const struct v3dcl_number *value)
{
	bool known = !v3dcl_is_unknown(value), all = value->written == V3DCL_WRITTEN, none = !value->written;
	bool partly = !known && value->written == V3DCL_PARTLY, held = known || !(all || none || partly);

	v3dcl_put_in(&s->written, place, (value->written & V3DCL_ALL_BYTES) == V3DCL_ALL_BYTES);
	v3dcl_put_in(&s->partly, place, partly);
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
	__u64 files = from->held.files;
	__u32 rest = from->held.rest, place;

	__builtin_memcpy(to, from, __builtin_offsetof(struct v3dcl_state, value));
	for (; files; files &= files - 1) {
		place = v3dcl_lowest(files);
		to->value[place] = from->value[place];
	}
	for (; rest; rest &= rest - 1) {
		place = V3DCL_ACC + __builtin_ctz(rest);
		to->value[place] = from->value[place];
	}
}
