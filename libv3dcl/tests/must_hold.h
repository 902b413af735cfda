/* SPDX-License-Identifier: MIT */
/*
 * What ends a fuzzer.
 */
#ifndef V3DCL_MUST_HOLD_H
#define V3DCL_MUST_HOLD_H

#include <stdio.h>
#include <stdlib.h>

/* What must hold whatever the input */
#define CHECK(condition) \
	do { \
		if (!(condition)) { \
			fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition); \
			abort(); \
		} \
	} while (0)

#endif /* V3DCL_MUST_HOLD_H */
