// SPDX-License-Identifier: (GPL-2.0-only OR MIT)
/*
 * What holds before an instruction: see state.h.
 */
#include "state.h"

const struct v3dcl_number v3dcl_plain = { .span = V3DCL_EVERYTHING, .written = V3DCL_WRITTEN };
const struct v3dcl_number v3dcl_nothing = { .span = V3DCL_EVERYTHING };

/**
 * v3dcl_set_value() - a place gets a value
 * @s: the state
 * @place: below V3DCL_PLACES
 * @value: may be that of the place
 */
void v3dcl_set_value(struct v3dcl_state *s, __u32 place, const struct v3dcl_number *value)
{
	__u32 bank = place / 32, bit = 1u << place % 32;

	s->plain[bank] &= ~bit;
	s->held[bank] &= ~bit;
	if (v3dcl_is_unknown(value) && value->written == V3DCL_WRITTEN) {
		s->plain[bank] |= bit;
	} else if (!v3dcl_is_unknown(value) || value->written) {
		s->held[bank] |= bit;
		s->value[place] = *value;
	}
}

/**
 * v3dcl_copy_state() - copy a state, and no more of it than holds something
 * @to: all of it is set, but values that are not held
 * @from: the other one
 */
void v3dcl_copy_state(struct v3dcl_state *to, const struct v3dcl_state *from)
{
	__u32 bank, held, place;

	__builtin_memcpy(to, from, __builtin_offsetof(struct v3dcl_state, value));
	for (bank = 0; bank < V3DCL_BANKS; bank++) {
		for (held = from->held[bank]; held; held &= held - 1) {
			place = bank * 32 + __builtin_ctz(held);
			to->value[place] = from->value[place];
		}
	}
}
