// SPDX-License-Identifier: MIT
/* The numbers in a submit of the ABI, and where they are. */
#include <stddef.h>
#include <string.h>

#include "submit_numbers.h"

#define IN(type, name) { #name, offsetof(struct type, name), sizeof(((struct type *)0)->name) }
#define SUBMIT(name) IN(drm_vc4_submit_cl, name)
#define SURFACE(name) IN(drm_vc4_submit_rcl_surface, name)
#define CLEAR_COLOR(n) \
	{ \
		"clear_color" #n, offsetof(struct drm_vc4_submit_cl, clear_color[n]), \
			sizeof(__u32) \
	}

const struct cl_number cl_submit_numbers[] = {
	SUBMIT(width), SUBMIT(height), SUBMIT(min_x_tile), SUBMIT(min_y_tile), SUBMIT(max_x_tile),
	SUBMIT(max_y_tile),
	SUBMIT(shader_rec_count), CLEAR_COLOR(0), CLEAR_COLOR(1), SUBMIT(clear_z), SUBMIT(clear_s),
	SUBMIT(flags),
	{ NULL, 0, 0 },
};

const struct cl_number cl_surface_numbers[] = {
	SURFACE(hindex), SURFACE(offset), SURFACE(bits), SURFACE(flags), { NULL, 0, 0 },
};

const struct cl_number cl_submit_surfaces[] = {
	SUBMIT(color_read), SUBMIT(color_write), SUBMIT(zs_read), SUBMIT(zs_write),
	SUBMIT(msaa_color_write), SUBMIT(msaa_zs_write),
	{ NULL, 0, 0 },
};

/* The number in a struct */
uint32_t cl_number(const void *in, const struct cl_number *number)
{
	const uint8_t *from = (const uint8_t *)in + number->at;
	uint16_t half;
	uint32_t word;

	if (number->size == sizeof(half)) {
		memcpy(&half, from, sizeof(half));
		return half;
	}
	if (number->size == 1)
		return *from;
	memcpy(&word, from, sizeof(word));
	return word;
}

/* Put it there; @value fits */
void cl_set_number(void *in, const struct cl_number *number, uint32_t value)
{
	uint8_t *to = (uint8_t *)in + number->at;
	uint16_t half = value;

	if (number->size == sizeof(half))
		memcpy(to, &half, sizeof(half));
	else if (number->size == 1)
		*to = value;
	else
		memcpy(to, &value, sizeof(value));
}
