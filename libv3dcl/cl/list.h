/* SPDX-License-Identifier: MIT */
/* Inside the list builder: what a record must fulfil. All leave the list alone. */
#ifndef V3DCL_CL_LIST_H
#define V3DCL_CL_LIST_H

#include "cl.h"

/* HW: vertices of array draws go into tile lists as 16-bit indices. */
#define CL_MOST_VERTEX 65535u

/* Are the values among those that the field knows, whatever stands before? */
int cl_check_fields(uint8_t id, const struct v3dcl_value *values, struct v3dcl_error *error);

/* The least that a field of a control record may be */
uint32_t cl_least(uint8_t id, uint32_t field);

/* May the record stand here? @next: set to what has been said once it does */
int cl_check_order(const struct v3dcl_list *list, uint8_t id, const struct v3dcl_value *values,
		   struct v3dcl_list_state *next, struct v3dcl_error *error);

/* What cl_check_data() adds to struct v3dcl_list_state.said: the list goes on elsewhere */
#define CL_LEFT 0x400u

/* Is what stands behind the record whole, and of its kind? */
int cl_check_data(struct v3dcl_list_state *state, uint8_t id, const struct v3dcl_value *values,
		  const uint8_t *data, size_t size, struct v3dcl_error *error);

#endif /* V3DCL_CL_LIST_H */
