// SPDX-License-Identifier: MIT
/* The path through the checker: see cover.h. */
#include <stddef.h>
#include <string.h>

#include "cover.h"

void __sanitizer_cov_trace_pc(void);

/* Where this program's code begins and ends: the linker's */
extern const uint8_t __executable_start[], etext[];

static uint8_t nowhere[COVER_BLOCKS], *blocks = nowhere;
static uint64_t path;

void __sanitizer_cov_trace_pc(void)
{
	const uint32_t place = (const uint8_t *)__builtin_return_address(0) - __executable_start;

	path = path * UINT64_C(0x9e3779b97f4a7c15) + place;
	blocks[place % COVER_BLOCKS] = 1;
}

void cover_use(struct cover *cover)
{
	blocks = cover->blocks;
}

void cover_begin(void)
{
	path = 0;
}

uint64_t cover_path(void)
{
	return path;
}

bool cover_new(struct cover *cover, uint64_t hash)
{
	const uint32_t bit = (hash ^ hash >> 32) * UINT64_C(0xd6e8feb86659fd93) >>
			     (64 - COVER_SEEN_LOG2);
	const uint64_t mask = UINT64_C(1) << bit % 64;

	return !(__atomic_fetch_or(&cover->seen[bit / 64], mask, __ATOMIC_RELAXED) & mask);
}

/*
 * Calls of the function above, looked for where the code is: an opcode and a distance, on x86 only.
 */
static uint32_t all_blocks(void)
{
#ifdef __x86_64__
	uint32_t count = 0;

	for (const uint8_t *at = __executable_start; at + 5 <= etext; at++) {
		int32_t distance;

		memcpy(&distance, at + 1, sizeof(distance));
		count += *at == 0xe8 &&
			 at + 5 + distance == (const uint8_t *)__sanitizer_cov_trace_pc;
	}
	return count;
#else
	return 0;
#endif
}

void cover_count(const struct cover *cover, uint32_t *reached, uint32_t *all)
{
	*reached = 0;
	for (uint32_t i = 0; i < COVER_BLOCKS; i++)
		*reached += cover->blocks[i];
	*all = all_blocks();
}
