/* SPDX-License-Identifier: MIT */
/*
 * The numbers in a submit of the ABI, by the names that <drm/vc4_drm.h> gives them: for who prints
 * them and for who reads them.
 */
#ifndef V3DCL_CL_SUBMIT_NUMBERS_H
#define V3DCL_CL_SUBMIT_NUMBERS_H

#include <stdint.h>

#include <drm/v3dcl_drm.h>

/* Handle index of a surface that is not there */
#define CL_NO_BO (~(__u32)0)

/* A number in a struct; @name NULL ends a list */
struct cl_number {
	const char *name;
	uint16_t at, size;
};

extern const struct cl_number cl_submit_numbers[];	/* of struct drm_vc4_submit_cl */
extern const struct cl_number cl_surface_numbers[];	/* of struct drm_vc4_submit_rcl_surface */
extern const struct cl_number cl_submit_surfaces[];	/* the structs of those in a submit */

uint32_t cl_number(const void *in, const struct cl_number *number);
void cl_set_number(void *in, const struct cl_number *number, uint32_t value);

#endif /* V3DCL_CL_SUBMIT_NUMBERS_H */
