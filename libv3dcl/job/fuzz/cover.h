/* SPDX-License-Identifier: MIT */
/*
 * Which way a job took through the checker: the compiler calls us at each of its basic blocks.
 */
#ifndef V3DCL_JOB_FUZZ_COVER_H
#define V3DCL_JOB_FUZZ_COVER_H

#include <stdbool.h>
#include <stdint.h>

#define COVER_BLOCKS (1u << 20)		/* bytes of code that the checker may lie in */
#define COVER_WAYS_LOG2 32		/* bits of the set of ways */

/**
 * struct cover - shared by all processes
 * @blocks: basic blocks that were reached, a byte each, by place
 * @ways: hashes of ways that were taken, a bit each: two that fall on the same bit count as one
 */
struct cover {
	uint8_t blocks[COVER_BLOCKS];
	uint64_t ways[1u << (COVER_WAYS_LOG2 - 6)];
};

/** cover_use() - from now on, blocks are noted here */
void cover_use(struct cover *cover);

/** cover_begin() - a new way begins */
void cover_begin(uint64_t kind);

/** cover_end() - false if this way was taken before */
bool cover_end(struct cover *cover);

/** cover_count() - blocks that were reached, and how many there are (0: not known on this machine) */
void cover_count(const struct cover *cover, uint32_t *reached, uint32_t *all);

#endif /* V3DCL_JOB_FUZZ_COVER_H */
