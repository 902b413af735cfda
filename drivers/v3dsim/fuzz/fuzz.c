// SPDX-License-Identifier: MIT
/*
 * One fuzzer over registers, control lists, QPU programs and memory: whatever they are, the chip
 * neither crashes nor runs for ever.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/param.h>

#include <v3d/chip.h>

#include "fuzz.h"
#include "v3dsim.h"

#define BUDGET 40000		/* instructions and records an input may spend in all */

/*
 * Memory in two pieces, so that there are seams and edges: the second one ends with the address
 * space.
 */
struct board {
	uint8_t *memory;
	bool read_only;
	unsigned int lost;		/* asks for a region that will fail */
	struct v3dsim *sim;
};

static bool region(void *opaque, enum v3dsim_unit unit, uint32_t addr, bool write,
		   struct v3dsim_region *out)
{
	struct board *board = opaque;

	if ((unsigned int)unit >= V3DSIM_UNITS)
		abort();
	if (__atomic_load_n(&board->lost, __ATOMIC_RELAXED)) {
		__atomic_fetch_sub(&board->lost, 1, __ATOMIC_RELAXED);
		return false;
	}
	if (write && board->read_only)
		return false;
	if (addr - FUZZ_MEMORY < FUZZ_MEMORY_BYTES / 2)
		*out = (struct v3dsim_region){ board->memory, FUZZ_MEMORY, FUZZ_MEMORY_BYTES / 2,
					       !board->read_only };
	else if (addr >= -(FUZZ_MEMORY_BYTES / 2))
		*out = (struct v3dsim_region){ board->memory + FUZZ_MEMORY_BYTES / 2,
					       -(FUZZ_MEMORY_BYTES / 2), FUZZ_MEMORY_BYTES / 2,
					       !board->read_only };
	else
		return false;
	return true;
}

/* Looks at every byte, so that a sanitizer does. */
static void trace(void *opaque, enum v3dsim_trace kind, const char *line)
{
	(void)opaque;
	(void)kind;
	if (strlen(line) > 4096)
		abort();
}

static void irq(void *opaque)
{
	struct board *board = opaque;

	(void)v3dsim_irq_level(board->sim);
}

static void stat(void *opaque, const char *name, uint64_t value)
{
	(void)opaque;
	(void)value;
	if (!name)
		abort();
}

static void command(struct board *board, const uint8_t *bytes, uint64_t *left)
{
	uint32_t number = bytes[1] | bytes[2] << 8 | bytes[3] << 16;
	uint32_t value = bytes[4] | bytes[5] << 8 | bytes[6] << 16 | (uint32_t)bytes[7] << 24;
	uint64_t budget = value % BUDGET < *left ? value % BUDGET : *left;

	switch (bytes[0] % FUZZ_COMMANDS) {
	case FUZZ_WRITE:
		v3dsim_write(board->sim, number % 0x404 * 4, value);
		break;
	case FUZZ_READ:
		(void)v3dsim_read(board->sim, number);
		break;
	case FUZZ_RUN:
		(void)v3dsim_run(board->sim, budget);
		*left -= budget;
		break;
	case FUZZ_POWER:
		v3dsim_power(board->sim, value & 1);
		break;
	case FUZZ_FORGET:
		v3dsim_forget(board->sim, value, number);
		break;
	case FUZZ_POKE:
		memcpy(board->memory + number % (FUZZ_MEMORY_BYTES - 4), bytes + 4, 4);
		break;
	case FUZZ_STOP:
		v3dsim_stop(board->sim);
		break;
	default:
		__atomic_store_n(&board->lost, value % 8, __ATOMIC_RELAXED);
	}
}

static const char *chip(uint8_t byte)
{
	static const char *const modes[] = {
#define MODE(NAME, name, number, source, text) name, "bcm2835+-" name,
		V3D_CHIP_MODES(MODE)
#undef MODE
	};

	if (byte < 2)
		return byte ? "bcm2835" : "ideal";
	return modes[byte % FUZZ_WITHOUT % V3D_CHIP_MODE_COUNT * 2 + byte / FUZZ_WITHOUT];
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct board board = { 0 };
	struct v3dsim_host host = {
		.region = region, .irq = irq, .trace = trace, .opaque = &board
	};
	struct v3dsim_config config = { 0 };
	struct v3dsim_fault fault;
	uint64_t left = BUDGET;
	size_t i, commands, used;

	if (size < FUZZ_HEADER)
		return 0;
	config.strict = data[0] & FUZZ_STRICT;
	config.caches = data[0] & FUZZ_MODEL ? V3DSIM_CACHES_MODEL : V3DSIM_CACHES_IDEAL;
	config.trace_mask = data[0] & FUZZ_TRACE ? ~0u : 0;
	config.threads = data[0] & FUZZ_THREADS ? 2 : 0;
	config.chip = chip(data[2]);
	board.read_only = data[0] & FUZZ_READ_ONLY;
	commands = (size - FUZZ_HEADER) / FUZZ_COMMAND;
	if (commands > data[1])
		commands = data[1];
	used = FUZZ_HEADER + commands * FUZZ_COMMAND;
	board.memory = calloc(1, FUZZ_MEMORY_BYTES);
	board.sim = v3dsim_new(&config, &host);
	if (!board.memory || !board.sim)
		abort();
	memcpy(board.memory, data + used, MIN(size - used, FUZZ_MEMORY_BYTES));
	for (i = 0; i < commands; i++)
		command(&board, data + FUZZ_HEADER + i * FUZZ_COMMAND, &left);
	(void)v3dsim_run(board.sim, left);
	if (v3dsim_fault(board.sim, &fault) && !memchr(fault.text, '\0', sizeof(fault.text)))
		abort();
	v3dsim_stats(board.sim, stat, NULL);
	v3dsim_free(board.sim);
	free(board.memory);
	return 0;
}
