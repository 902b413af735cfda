/* SPDX-License-Identifier: MIT */
/*
 * Options as callers hand them in: structs that grow at their end, whose first field says how large
 * the caller knows them.
 */
#ifndef V3DCL_BASE_OPTIONS_H
#define V3DCL_BASE_OPTIONS_H

#include <errno.h>

#include "helpers.h"
#include "v3dcl_error.h"

/**
 * options_take() - the caller's options in the struct that this library knows: what an older caller
 * does not have is 0; what only a newer one has must be
 * @to: of @known bytes
 * @known: see @to
 * @from: the caller's, which begin with their size_t size; NULL for the usual, all 0
 * @what: the struct's name, for messages
 * @error: or NULL
 *
 * Return: 0, -EINVAL for no size, -E2BIG for something that this library does not have
 */
static inline int options_take(void *to, size_t known, const void *from, const char *what,
			       struct v3dcl_error *error)
{
	const uint8_t *bytes = from;
	size_t size, i;

	memset(to, 0, known);
	if (!from)
		return 0;
	memcpy(&size, from, sizeof(size));
	if (size < sizeof(size))
		return v3dcl_fail(error, -EINVAL,
				  "%s has a size of %zu; its size is sizeof(struct %s)", what, size,
				  what);
	for (i = known; i < size; i++)
		if (bytes[i])
			return v3dcl_fail(error, -E2BIG,
					  "byte %zu of %s is of a newer version of the library",
					  i, what);
	memcpy(to, from, size < known ? size : known);
	return 0;
}

#endif /* V3DCL_BASE_OPTIONS_H */
