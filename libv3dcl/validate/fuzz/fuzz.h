/* SPDX-License-Identifier: MIT */
/*
 * The fuzzed function, and what it has seen.
 */
#ifndef V3DCL_JOB_FUZZ_H
#define V3DCL_JOB_FUZZ_H

#include <stddef.h>
#include <stdint.h>

/* How many inputs were accepted, of each kind */
struct fuzz_count {
	unsigned long shaders, bins, renders;
};

extern struct fuzz_count fuzz_count;

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#endif /* V3DCL_JOB_FUZZ_H */
