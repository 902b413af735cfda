/* SPDX-License-Identifier: MIT */
/*
 * Which path a job took through the checker: where it is compiled for that, the compiler calls us
 * at each of its basic blocks. And a set of what was seen before.
 */
#ifndef V3DCL_JOB_FUZZ_COVER_H
#define V3DCL_JOB_FUZZ_COVER_H

#include <stdbool.h>
#include <stdint.h>

#define COVER_BLOCKS (1u << 20)		/* bytes of code that the checker may lie in */
#define COVER_SEEN_LOG2 32		/* bits of the set */

/**
 * struct cover - shared by all processes
 * @blocks: basic blocks that were reached, a byte each, by place
 * @seen: hashes, a bit each: two that fall on the same bit count as one
 */
struct cover {
	uint8_t blocks[COVER_BLOCKS];
	uint64_t seen[1u << (COVER_SEEN_LOG2 - 6)];
};

/* From now on, blocks are noted here */
void cover_use(struct cover *cover);

/* A new path begins */
void cover_begin(void);

/* A hash of the blocks since then, in their order */
uint64_t cover_path(void);

/* Adds a hash to the set; false if it was there */
bool cover_new(struct cover *cover, uint64_t hash);

/**
 * cover_count() - blocks that were reached, and how many there are (0: the checker is not compiled
 * for that)
 */
void cover_count(const struct cover *cover, uint32_t *reached, uint32_t *all);

#endif /* V3DCL_JOB_FUZZ_COVER_H */
