/* SPDX-License-Identifier: MIT */
/* The names of fields' values: one table for who prints records and for who reads them. */
#ifndef V3DCL_CL_CHOICES_H
#define V3DCL_CL_CHOICES_H

#include <stdint.h>

/* A name that a field's value has; @name NULL ends a list */
struct cl_choice {
	const char *name;
	uint32_t value;
};

const struct cl_choice *cl_choices(const char *record, const char *field);
const char *cl_choice_name(const char *record, const char *field, uint32_t value);

#define CL_CHOICE_REST 96
void cl_choice_rest(const char *record, const char *field, int64_t value, int64_t most,
		    char text[CL_CHOICE_REST]);

#endif /* V3DCL_CL_CHOICES_H */
