/* SPDX-License-Identifier: MIT */
/*
 * The smallest board: pieces of memory at bus addresses, for the v3dsim command. Memory that was
 * not given is a bus error.
 */
#ifndef V3DSIM_BOARD_H
#define V3DSIM_BOARD_H

#include "v3dsim.h"

struct board_piece {
	uint8_t *bytes;
	uint32_t base, len;
};

/* The pieces do not overlap; zero is an empty board */
struct board {
	struct board_piece *pieces;
	size_t count;
};

/**
 * board_add() - a piece of memory
 * @bytes: from malloc(), owned by the board from here on, also when this fails
 * @len: at least 1
 * Return: NULL, or what is wrong in words
 */
const char *board_add(struct board *board, uint8_t *bytes, uint64_t base, uint64_t len);

/* The piece that holds an address, or NULL */
const struct board_piece *board_find(const struct board *board, uint32_t addr);

/* Memory as it is now. Return: false where there is none */
bool board_copy(const struct board *board, uint32_t addr, uint8_t *bytes, uint32_t len);

/* For struct v3dsim_host; opaque is the board */
bool board_region(void *opaque, enum v3dsim_unit unit, uint32_t addr, bool write,
		  struct v3dsim_region *out);

void board_free(struct board *board);

#endif /* V3DSIM_BOARD_H */
