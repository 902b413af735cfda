/* SPDX-License-Identifier: MIT */
/*
 * The fuzzer's input: what the CPU does, and what memory holds.
 *
 *	byte 0		flags: strict, caches=model, trace everything, no memory for writing,
 *			threads for tiles
 *	byte 1		how many commands follow; 0 is none
 *	byte 2		the chip: 0 ideal, 1 bcm2835, else one mode, or with FUZZ_WITHOUT
 *			bcm2835 without one
 *	commands	FUZZ_COMMAND bytes each: enum fuzz_command, a register's word offset or a
 *			number, a value
 *	the rest	memory from FUZZ_MEMORY on; what is left of it is zero
 */
#ifndef V3DSIM_FUZZ_H
#define V3DSIM_FUZZ_H

#include <stddef.h>
#include <stdint.h>

#define FUZZ_MEMORY 0x10000u
#define FUZZ_MEMORY_BYTES 0x20000u
#define FUZZ_COMMAND 8
#define FUZZ_HEADER 3
#define FUZZ_MAX (FUZZ_HEADER + 255 * FUZZ_COMMAND + FUZZ_MEMORY_BYTES)

enum fuzz_flag {
	FUZZ_STRICT = 1, FUZZ_MODEL = 2, FUZZ_TRACE = 4, FUZZ_READ_ONLY = 8, FUZZ_THREADS = 16,
};

#define FUZZ_WITHOUT 128

enum fuzz_command {
	FUZZ_WRITE,
	FUZZ_READ,
	FUZZ_RUN,
	FUZZ_POWER,
	FUZZ_FORGET,
	FUZZ_POKE,
	FUZZ_STOP,
	FUZZ_LOSE,
	FUZZ_COMMANDS
};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#endif /* V3DSIM_FUZZ_H */
