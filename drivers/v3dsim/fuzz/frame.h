/* SPDX-License-Identifier: MIT */
/*
 * Whole frames as inputs for the fuzzer: binned and rendered, with shaders, vertices and state,
 * nearly all of it right.
 */
#ifndef V3DSIM_FUZZ_FRAME_H
#define V3DSIM_FUZZ_FRAME_H

#include <stdint.h>

#define FRAME_BYTES 0x10000u
#define FRAME_TILE_STATE 0x3000u	/* from FUZZ_MEMORY on, as all addresses of a frame */
#define FRAME_TILE_STATE_BYTES 0x1000u

/* Where a frame's two lists are: [thread] */
struct frame_lists {
	uint32_t start[2], end[2];
};

/**
 * frame_make() - fills memory with a frame
 * @memory: FRAME_BYTES that will be at FUZZ_MEMORY, zeros
 * @dice: a number below @sides
 * @instruction: any QPU instruction
 */
void frame_make(uint8_t *memory, uint32_t (*dice)(uint32_t sides), uint64_t (*instruction)(void),
		struct frame_lists *lists);

#endif /* V3DSIM_FUZZ_FRAME_H */
