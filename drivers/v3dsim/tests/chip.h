/* SPDX-License-Identifier: MIT */
/* A chip with one piece of memory, for tests; lists are typed as bytes. */
#ifndef V3DSIM_TESTS_CHIP_H
#define V3DSIM_TESTS_CHIP_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core/sim.h"
#include "qpu/shade.h"
#include "back/tlb.h"
#include "front/cle.h"
#include "front/draw.h"
#include "front/pse.h"
#include "front/ptb.h"
#include "front/vcm.h"

#define MEMORY 0x40000000u
#define MEMORY_BYTES 0x400000u

/* Little endian bytes of a value, in a list of bytes */
#define LE16(v) (uint8_t)(v), (uint8_t)((v) >> 8)
#define LE32(v) LE16(v), LE16((v) >> 16)

struct chip {
	struct v3dsim *sim;
	uint8_t *memory;
	uint32_t list[2], at[2];	/* where each thread's list starts, and ends so far */
	unsigned int irqs, regions, writes;
	bool level;
};

static inline bool chip_region(void *opaque, enum v3dsim_unit unit, uint32_t addr, bool write,
			       struct v3dsim_region *out)
{
	struct chip *chip = opaque;

	(void)unit;
	(void)write;
	__atomic_fetch_add(&chip->regions, 1, __ATOMIC_RELAXED);
	if (addr - MEMORY >= MEMORY_BYTES)
		return false;
	*out = (struct v3dsim_region){ chip->memory, MEMORY, MEMORY_BYTES, true };
	return true;
}

static inline void chip_irq(void *opaque)
{
	struct chip *chip = opaque;

	chip->irqs++;
	chip->level = v3dsim_irq_level(chip->sim);
}

static inline void chip_written(void *opaque, uint32_t addr, uint32_t len)
{
	struct chip *chip = opaque;

	assert_true(addr >= MEMORY && len);
	__atomic_fetch_add(&chip->writes, 1, __ATOMIC_RELAXED);
}

/* Where the next list of a thread begins */
static inline void chip_list_at(struct chip *chip, unsigned int thread, uint32_t addr)
{
	chip->list[thread] = addr;
	chip->at[thread] = addr;
}

static inline struct chip *chip_new(const struct v3dsim_config *config)
{
	struct chip *chip = calloc(1, sizeof(*chip));
	struct v3dsim_host host = {
		.region = chip_region, .irq = chip_irq, .written = chip_written, .opaque = chip
	};

	assert_non_null(chip);
	chip->memory = calloc(1, MEMORY_BYTES);
	assert_non_null(chip->memory);
	chip_list_at(chip, 0, MEMORY + 0x1000);
	chip_list_at(chip, 1, MEMORY + 0x8000);
	chip->sim = v3dsim_new(config, &host);
	assert_non_null(chip->sim);
	return chip;
}

/* A chip that has one mode, or none */
static inline struct chip *chip_with(bool with, const char *mode)
{
	const struct v3dsim_config config = { .chip = with ? mode : "ideal" };

	return chip_new(&config);
}

static inline void chip_free(struct chip *chip)
{
	v3dsim_free(chip->sim);
	free(chip->memory);
	free(chip);
}

static inline int chip_setup(void **state)
{
	*state = chip_new(NULL);
	return 0;
}

static inline int chip_teardown(void **state)
{
	chip_free(*state);
	return 0;
}

static inline uint8_t *chip_bytes(struct chip *chip, uint32_t addr)
{
	assert_true(addr - MEMORY < MEMORY_BYTES);
	return chip->memory + (addr - MEMORY);
}

static inline uint32_t chip_word(struct chip *chip, uint32_t addr)
{
	const uint8_t *bytes = chip_bytes(chip, addr);

	return bytes[0] | bytes[1] << 8 | bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

static inline void chip_put(struct chip *chip, uint32_t addr, const uint8_t *bytes, size_t len)
{
	memcpy(chip_bytes(chip, addr), bytes, len);
}

static inline uint32_t rd(struct chip *chip, uint32_t reg)
{
	return v3dsim_read(chip->sim, reg);
}

static inline void wr(struct chip *chip, uint32_t reg, uint32_t value)
{
	v3dsim_write(chip->sim, reg, value);
}

/* Adds bytes to a thread's list. */
#define LIST(chip, thread, ...) do { \
	const uint8_t list_bytes[] = { __VA_ARGS__ }; \
	chip_put(chip, (chip)->at[thread], list_bytes, sizeof(list_bytes)); \
	(chip)->at[thread] += sizeof(list_bytes); \
} while (0)

/* Starts what was added to a thread's list since the last start. */
static inline void chip_start(struct chip *chip, unsigned int thread)
{
	wr(chip, 0x110 + 4 * thread, chip->list[thread]);
	wr(chip, 0x108 + 4 * thread, chip->at[thread]);
	chip->list[thread] = chip->at[thread];
}

static inline enum v3dsim_state chip_run(struct chip *chip)
{
	return v3dsim_run(chip->sim, 1000000);
}

/* Runs a thread's list to its end. */
static inline void chip_go(struct chip *chip, unsigned int thread)
{
	struct v3dsim_fault fault = { 0 };
	enum v3dsim_state state;

	chip_start(chip, thread);
	state = chip_run(chip);
	if (state != V3DSIM_IDLE && v3dsim_fault(chip->sim, &fault))
		print_message("# %s\n", fault.text);
	assert_int_equal(state, V3DSIM_IDLE);
}

/* Runs a thread's list into an error whose text holds what. */
static inline void chip_fail(struct chip *chip, unsigned int thread, const char *what)
{
	struct v3dsim_fault fault = { 0 };

	chip_start(chip, thread);
	assert_int_equal(chip_run(chip), V3DSIM_FAULT);
	assert_true(v3dsim_fault(chip->sim, &fault));
	if (!strstr(fault.text, what))
		print_message("# \"%s\" does not say \"%s\"\n", fault.text, what);
	assert_non_null(strstr(fault.text, what));
	assert_int_equal(rd(chip, 0x100 + 4 * thread) & 0x28, 0x08);	/* CTERR, not CTRUN */
}

#endif /* V3DSIM_TESTS_CHIP_H */
