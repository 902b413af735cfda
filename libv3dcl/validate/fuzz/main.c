// SPDX-License-Identifier: MIT
/*
 * The fuzzer without libFuzzer: inputs from a generator with a fixed seed, as many as asked for.
 * Run under sanitizers by the tests.
 *
 *	fuzz-validate [INPUTS [SEED]]
 */
#include <stdio.h>
#include <stdlib.h>

#include "fuzz.h"

static uint64_t random_next(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state;
}

int main(int argc, char **argv)
{
	unsigned long inputs = argc > 1 ? strtoul(argv[1], NULL, 0) : 100000, i;
	uint64_t state = argc > 2 ? strtoull(argv[2], NULL, 0) | 1 : 0x9e3779b97f4a7c15u;

	for (i = 0; i < inputs; i++) {
		uint8_t data[256];
		size_t size = random_next(&state) % sizeof(data), j;

		for (j = 0; j < size; j++)
			data[j] = random_next(&state) >> 32;
		LLVMFuzzerTestOneInput(data, size);
	}
	printf("TAP version 13\n1..4\nok 1 - %lu inputs, no error\n", inputs);
	printf("%sok 2 - %lu shaders accepted\n", fuzz_count.shaders ? "" : "not ",
	       fuzz_count.shaders);
	printf("%sok 3 - %lu bin lists accepted\n", fuzz_count.bins ? "" : "not ", fuzz_count.bins);
	printf("%sok 4 - %lu render lists accepted\n", fuzz_count.renders ? "" : "not ",
	       fuzz_count.renders);
	return !(fuzz_count.shaders && fuzz_count.bins && fuzz_count.renders);
}
