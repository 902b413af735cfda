/* SPDX-License-Identifier: MIT */
/* Numbers that look random and are the same everywhere: Marsaglia's xorshift64 with 13, 7, 17. */
#ifndef V3DSIM_TESTS_XORSHIFT_H
#define V3DSIM_TESTS_XORSHIFT_H

#include <stdint.h>

/* The next one. @seed: not 0; becomes it. The lowest bits are the worst. */
static inline uint64_t xorshift(uint64_t *seed)
{
	*seed ^= *seed << 13;
	*seed ^= *seed >> 7;
	*seed ^= *seed << 17;
	return *seed;
}

#endif /* V3DSIM_TESTS_XORSHIFT_H */
