/* SPDX-License-Identifier: MIT */
/*
 * The fuzzed function, and what it has seen.
 */
#ifndef V3DCL_LANG_ASM_FUZZ_H
#define V3DCL_LANG_ASM_FUZZ_H

#include <stddef.h>
#include <stdint.h>

/*
 * How many texts were accepted and refused, words went to text and back, hazards were found,
 * instructions came out
 */
struct fuzz_count {
	unsigned long accepted, refused, words, hazards, instructions;
};

extern struct fuzz_count fuzz_count;

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#endif /* V3DCL_LANG_ASM_FUZZ_H */
