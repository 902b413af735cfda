/* SPDX-License-Identifier: MIT */
/* Inside the builders by name */
#ifndef V3DCL_CL_NAMED_H
#define V3DCL_CL_NAMED_H

#include "choices.h"
#include "cl.h"
#include "described.h"
#include "v3dcl_named.h"

/* A record by its name */
struct named {
	struct cl_described of;
	struct v3dcl_named_record about;
};

/**
 * struct named_values - what was given for its fields
 * @values: in the order of the fields
 * @given: a bit a field
 */
struct named_values {
	struct v3dcl_value values[CL_MOST_FIELDS];
	uint32_t given;
};

bool named_find(const char *record, struct named *found);

/* The values of a record that must be of this kind; all in range, all there that must be */
int named_take(const struct v3dcl_named *record, enum v3dcl_named_kind kind, struct named *found,
	       struct named_values *taken, struct v3dcl_error *error);

#endif /* V3DCL_CL_NAMED_H */
