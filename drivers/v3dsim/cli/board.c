// SPDX-License-Identifier: MIT
/* Memory for the v3dsim command: see board.h. */
#include <stdlib.h>
#include <string.h>
#include <sys/param.h>

#include "board.h"

const char *board_add(struct board *board, uint8_t *bytes, uint64_t base, uint64_t len)
{
	struct board_piece *pieces;
	size_t i;

	if (!len || base + len > UINT64_C(1) << 32) {
		free(bytes);
		return len ? "it passes the end of the address space" : "it is empty";
	}
	for (i = 0; i < board->count; i++) {
		const struct board_piece *other = &board->pieces[i];

		if (base < (uint64_t)other->base + other->len && other->base < base + len) {
			free(bytes);
			return "it overlaps other memory";
		}
	}
	/*
	 * The last byte of the address space stays outside a piece of 4 GiB, whose length has no
	 * room in 32 bits.
	 */
	if (len > UINT32_MAX)
		len = UINT32_MAX;
	pieces = realloc(board->pieces, (board->count + 1) * sizeof(*pieces));
	if (!pieces) {
		free(bytes);
		return "out of memory";
	}
	board->pieces = pieces;
	pieces[board->count++] = (struct board_piece){ bytes, base, len };
	return NULL;
}

const struct board_piece *board_find(const struct board *board, uint32_t addr)
{
	size_t i;

	for (i = 0; i < board->count; i++)
		if (addr - board->pieces[i].base < board->pieces[i].len)
			return &board->pieces[i];
	return NULL;
}

bool board_copy(const struct board *board, uint32_t addr, uint8_t *bytes, uint32_t len)
{
	const struct board_piece *piece;
	uint32_t now;

	while (len) {
		piece = board_find(board, addr);
		if (!piece)
			return false;
		now = MIN(piece->len - (addr - piece->base), len);
		memcpy(bytes, piece->bytes + (addr - piece->base), now);
		addr += now;
		bytes += now;
		len -= now;
	}
	return true;
}

bool board_region(void *opaque, enum v3dsim_unit unit, uint32_t addr, bool write,
		  struct v3dsim_region *out)
{
	const struct board_piece *piece = board_find(opaque, addr);

	(void)unit;
	(void)write;
	if (!piece)
		return false;
	*out = (struct v3dsim_region){
		.host = piece->bytes, .base = piece->base, .len = piece->len, .writable = true
	};
	return true;
}

void board_free(struct board *board)
{
	size_t i;

	for (i = 0; i < board->count; i++)
		free(board->pieces[i].bytes);
	free(board->pieces);
}
