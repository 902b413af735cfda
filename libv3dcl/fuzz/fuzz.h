/* SPDX-License-Identifier: MIT */
/*
 * What every fuzzer of the library has.
 */
#ifndef V3DCL_FUZZ_H
#define V3DCL_FUZZ_H

#include <stddef.h>
#include <stdint.h>
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

/* Texts that were read */
extern unsigned long fuzz_accepted;

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#endif /* V3DCL_FUZZ_H */
