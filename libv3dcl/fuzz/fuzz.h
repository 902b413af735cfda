/* SPDX-License-Identifier: MIT */
/*
 * What every fuzzer of the library has.
 */
#ifndef V3DCL_FUZZ_H
#define V3DCL_FUZZ_H

#include <stddef.h>
#include <stdint.h>

#include "../tests/must_hold.h"

/* Texts that were read */
extern unsigned long fuzz_accepted;

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#endif /* V3DCL_FUZZ_H */
