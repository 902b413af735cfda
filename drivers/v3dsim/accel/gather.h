/* SPDX-License-Identifier: MIT */
/* Direct reads of the TMU, 16 words at a time: see AG100 p. 41. */
#ifndef V3DSIM_GATHER_H
#define V3DSIM_GATHER_H

#include <stdbool.h>

struct lanes;
struct v3dsim;

/**
 * gather_words() - the words at 16 addresses, low two bits ignored, if all lie in memory that the
 * host has given and each read is nothing but a look at it
 * Return: false: nothing is done
 */
bool gather_words(struct v3dsim *sim, const struct lanes *addresses, struct lanes *out);

#endif /* V3DSIM_GATHER_H */
