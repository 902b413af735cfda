/* SPDX-License-Identifier: MIT */
/* The four words of a quad as one vector, and the four bits that say which of them count. */
#ifndef V3DSIM_QUAD_H
#define V3DSIM_QUAD_H

#include <stdint.h>
#include <string.h>

#pragma GCC diagnostic ignored \
	"-Wpsabi" /* vectors are passed by value between inlined functions only */

#define QUAD_PIXELS 4

typedef uint32_t quad_words __attribute__((vector_size(16)));
typedef int32_t quad_ints __attribute__((vector_size(16)));
typedef float quad_floats __attribute__((vector_size(16)));

static inline quad_words quad_load(const uint32_t *from)
{
	quad_words words;

	memcpy(&words, from, sizeof(words));
	return words;
}

static inline void quad_store(uint32_t *to, quad_words words)
{
	memcpy(to, &words, sizeof(words));
}

static inline quad_words quad_fill(uint32_t word)
{
	return (quad_words){ word, word, word, word };
}

/* All ones where one of four bits is set */
static inline quad_words quad_mask(unsigned int bits)
{
	return (quad_words)((quad_fill(bits) & (quad_words){ 1, 2, 4, 8 }) != 0);
}

/* The opposite of quad_mask() */
static inline unsigned int quad_bits(quad_words mask)
{
#if defined(__SSE__)
	return __builtin_ia32_movmskps((quad_floats)mask);
#else
	const quad_words bits = mask & (quad_words){ 1, 2, 4, 8 };

	return bits[0] | bits[1] | bits[2] | bits[3];
#endif
}

/* @yes where @mask is set, @no elsewhere */
static inline quad_words quad_select(quad_words mask, quad_words yes, quad_words no)
{
	return no ^ ((no ^ yes) & mask);
}

#endif /* V3DSIM_QUAD_H */
