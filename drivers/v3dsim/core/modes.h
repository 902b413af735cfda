/* SPDX-License-Identifier: MIT */
/*
 * Which chip is simulated: a set of modes of <v3d/chip.h>, spelled as a list.
 *
 *	ideal			the chip that the guide means
 *	bcm2835			silicon as far as it is known: all modes
 *	HW-2898+irq-late:7	ideal with these; a number after a colon
 *	bcm2835+-HW-2905	silicon without this one
 */
#ifndef V3DSIM_MODES_H
#define V3DSIM_MODES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <v3d/chip.h>

/**
 * struct chip_modes - a chip
 * @set: a bit a mode, by enum v3d_chip_mode
 * @number: of each mode that is set: how often, how late, from which seed
 */
struct chip_modes {
	uint64_t set;
	uint32_t number[V3D_CHIP_MODE_COUNT];
};

/* Does the chip have a mode? */
static inline bool chip_has(const struct chip_modes *chip, enum v3d_chip_mode mode)
{
	return chip->set >> mode & 1;
}

/**
 * chip_parse() - the chip that a list names
 * @chip: filled if the list is right
 * @text: the list; NULL is "ideal"
 * @error: what is wrong with it, and what could be said instead; cut to @size bytes
 * @size: bytes of @error, its end included; 0 for none
 * Return: the list is right
 */
bool chip_parse(struct chip_modes *chip, const char *text, char *error, size_t size);

/**
 * chip_print() - the list that names a chip, as short as it can be
 * @chip: the chip
 * @text: filled; cut to @size bytes, its end included
 * @size: bytes of @text
 */
void chip_print(const struct chip_modes *chip, char *text, size_t size);

/**
 * chip_help() - what lists are made of: the table, for people
 * @line: called for each line, without newline
 * @opaque: handed to it
 */
void chip_help(void (*line)(void *opaque, const char *text), void *opaque);

#endif /* V3DSIM_MODES_H */
