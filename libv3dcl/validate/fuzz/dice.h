/* SPDX-License-Identifier: MIT */
/*
 * Random numbers from a seed: the same on every machine.
 */
#ifndef V3DCL_JOB_FUZZ_DICE_H
#define V3DCL_JOB_FUZZ_DICE_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

struct dice {
	uint64_t state;
};

/* SplitMix64: any two seeds, neighbours too, give unrelated sequences. */
static inline uint64_t dice_word(struct dice *d)
{
	uint64_t z = d->state += UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
	return z ^ z >> 31;
}

/* A number from 0 to @sides - 1 */
static inline uint32_t roll(struct dice *d, uint32_t sides)
{
	return (dice_word(d) >> 32) * sides >> 32;
}

/* True once in @n times */
static inline bool one_in(struct dice *d, uint32_t n)
{
	return roll(d, n) == 0;
}

/* A number at or just beside @edge, in steps of @step */
static inline uint32_t near(struct dice *d, uint32_t edge, uint32_t step)
{
	switch (roll(d, 8)) {
	case 0:
		return edge + step;
	case 1:
		return edge - step;
	case 2:
		return edge + 1;
	case 3:
		return edge - 1;
	default:
		return edge;
	}
}

/* Numbers that tend to break things */
static inline uint32_t odd_number(struct dice *d)
{
	static const uint32_t numbers[] = {
		0, 1, 2, 3, 4, 7, 8, 12, 15, 16, 31, 32, 63, 64, 127, 128, 255, 256, 2047, 2048,
		4095, 4096, 65535, 65536,
		0x7ffffffc, 0x7fffffff, 0x80000000, 0xfffff000, 0xfffffff0, 0xfffffff8, 0xfffffffc,
		0xffffffff,
	};

	return one_in(d, 3) ? dice_word(d) : numbers[roll(d, sizeof(numbers) / sizeof(numbers[0]))];
}

/**
 * small_float() - the bits of a number that a coordinate or colour may be; now and then of anything
 */
static inline uint32_t small_float(struct dice *d)
{
	const float value = (int)(roll(d, 512) - 200) / 128.0f;
	uint32_t bits;

	if (one_in(d, 16))
		return odd_number(d);
	memcpy(&bits, &value, sizeof(bits));
	return bits;
}

#endif /* V3DCL_JOB_FUZZ_DICE_H */
