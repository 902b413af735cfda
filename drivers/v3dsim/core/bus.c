// SPDX-License-Identifier: MIT
/* From addresses to host memory: see bus.h. */
#include <stdio.h>
#include <string.h>
#include <sys/param.h>

#include "sim.h"

/* A host that forgets a region each time it is asked for it gets this many chances. */
#define REGION_ATTEMPTS 64

/* Dirty ranges are joined up to this many bytes. */
#define DIRTY_SPAN (1u << 20)

static bool region_holds(const struct v3dsim_region *region, uint32_t addr)
{
	return addr - region->base < region->len;
}

/*
 * What a host gives is checked once here: inside the address space, around the address, writable if
 * asked for.
 */
static bool region_sane(const struct v3dsim_region *region, uint32_t addr, bool write)
{
	if (!region->host || !region->len ||
	    (uint64_t)region->base + region->len > UINT64_C(1) << 32)
		return false;
	return region_holds(region, addr) && (!write || region->writable);
}

/* Room for another one in front of those that are known, of which the last is dropped */
static void put_first(struct v3dsim_region *known, unsigned int from,
		      const struct v3dsim_region *region)
{
	const struct v3dsim_region first = *region;

	memmove(&known[1], known, from * sizeof(*known));
	known[0] = first;
}

/* One of those that the host gave before, which becomes the first; NULL: none holds the address */
static const struct v3dsim_region *region_known(struct v3dsim_region *known, uint32_t addr)
{
	for (unsigned int n = 1; n < BUS_REGIONS; n++) {
		if (region_holds(&known[n], addr)) {
			put_first(known, n, &known[n]);
			return known;
		}
	}
	return NULL;
}

/* Asks the host: NULL is a bus error. */
static const struct v3dsim_region *region_ask(struct v3dsim *sim, enum v3dsim_unit unit,
					      uint32_t addr, bool write)
{
	struct v3dsim_region *known = sim->bus.regions[unit][write], region;
	unsigned int attempt;

	for (attempt = 0; attempt < REGION_ATTEMPTS; attempt++) {
		uint32_t forgets = sim->bus.forgets;
		bool found;

		sim_callback_begin(sim);
		memset(&region, 0, sizeof(region));
		found = sim->host.region &&
			sim->host.region(sim->host.opaque, unit, addr, write, &region);
		sim_callback_end(sim);
		if (!found || !region_sane(&region, addr, write))
			return NULL;
		if (forgets == sim->bus.forgets) {
			put_first(known, BUS_REGIONS - 1, &region);
			return known;
		}
	}
	return NULL;
}

/* The piece of memory at addr, up to len bytes. */
static uint8_t *piece_at(struct v3dsim *sim, enum v3dsim_unit unit, uint32_t addr, bool write,
			 uint32_t *len)
{
	struct v3dsim_region *known = sim->bus.regions[unit][write];
	const struct v3dsim_region *region = known;
	uint32_t offset;

	if (sim->config.strict || !region_holds(region, addr)) {
		region = sim->config.strict ? NULL : region_known(known, addr);
		if (!region)
			region = region_ask(sim, unit, addr, write);
	}
	if (!region)
		return NULL;
	offset = addr - region->base;
	if (*len > region->len - offset)
		*len = region->len - offset;
	return (uint8_t *)region->host + offset;
}

/* One relaxed atomic access of a type, from memory to a copy, and back. */
#define COPY_IN(type) \
do { \
	type word = __atomic_load_n((const type *)(memory), __ATOMIC_RELAXED); \
	memcpy(copy, &word, sizeof(word)); \
	memory += sizeof(word), copy += sizeof(word), len -= sizeof(word); \
} while (0)
#define COPY_OUT(type) \
do { \
	type word; \
	memcpy(&word, copy, sizeof(word)); \
	__atomic_store_n((type *)(memory), word, __ATOMIC_RELAXED); \
	memory += sizeof(word), copy += sizeof(word), len -= sizeof(word); \
} while (0)

/* Words where memory is aligned to them, so that a 32-bit word of the guest's is never torn. */
#define COPY_ALL(COPY) do { \
	while (len && (uintptr_t)memory % 4) \
		COPY(uint8_t); \
	if (len >= 4 && (uintptr_t)memory % 8) \
		COPY(uint32_t); \
	while (len >= 8) \
		COPY(uint64_t); \
	if (len >= 4) \
		COPY(uint32_t); \
	while (len) \
		COPY(uint8_t); \
} while (0)

static void copy_in(uint8_t *copy, const uint8_t *memory, uint32_t len)
{
	COPY_ALL(COPY_IN);
}

static void copy_out(uint8_t *memory, const uint8_t *copy, uint32_t len)
{
	COPY_ALL(COPY_OUT);
}

static void trace_access(struct v3dsim *sim, enum v3dsim_unit unit, const char *what, uint32_t addr,
			 const uint8_t *data, uint32_t len)
{
	char bytes[2 * 32 + 1] = "";
	uint32_t i;

	for (i = 0; i < len && i < 32; i++)
		snprintf(bytes + 2 * i, 3, "%02x", data[i]);
	trace_line(sim, V3DSIM_TRACE_MEM, addr, "%s %s 0x%08x+%u %s%s", fault_unit_name(unit), what,
		   addr, len, bytes, len > 32 ? "..." : "");
}

/* A fault to order */
static bool fails(struct v3dsim *sim, enum v3dsim_unit unit, uint32_t addr)
{
	if (!inject_strikes(&sim->inject, INJECT_BUS_ERROR))
		return false;
	fault_report(sim, unit, addr, "bus error, which was asked for (bus-error)");
	return true;
}

bool bus_read(struct v3dsim *sim, enum v3dsim_unit unit, uint32_t addr, void *data, uint32_t len)
{
	uint32_t done = 0;

	if (fails(sim, unit, addr))
		return false;
	while (done < len) {
		uint32_t piece = len - done;
		const uint8_t *memory = piece_at(sim, unit, addr + done, false, &piece);

		if (!memory) {
			fault_report(sim, unit, addr + done,
				     "bus error: no memory to read at this address");
			return false;
		}
		copy_in((uint8_t *)data + done, memory, piece);
		done += piece;
	}
	if (trace_wanted(&sim->config, V3DSIM_TRACE_MEM))
		trace_access(sim, unit, "reads", addr, data, len);
	return true;
}

void bus_tell_written(struct v3dsim *sim)
{
	/* Telling is part of every callback: see sim_callback_begin(). */
	if (!sim->bus.dirty_len)
		return;
	sim_callback_begin(sim);
	sim_callback_end(sim);
}

/* Stores near each other are told as one: a tile's rows, a list's blocks. */
static void note_written(struct v3dsim *sim, uint32_t addr, uint32_t len)
{
	struct bus *bus = &sim->bus;
	uint64_t low, high;

	if (!sim->host.written)
		return;
	if (bus->dirty_len) {
		low = MIN(addr, bus->dirty_addr);
		high = MAX((uint64_t)addr + len, (uint64_t)bus->dirty_addr + bus->dirty_len);
		if (high - low <= DIRTY_SPAN) {
			bus->dirty_addr = low;
			bus->dirty_len = high - low;
			return;
		}
		bus_tell_written(sim);
	}
	bus->dirty_addr = addr;
	bus->dirty_len = len;
}

bool bus_write(struct v3dsim *sim, enum v3dsim_unit unit, uint32_t addr, const void *data,
	       uint32_t len)
{
	uint32_t done = 0;

	if (trace_wanted(&sim->config, V3DSIM_TRACE_MEM))
		trace_access(sim, unit, "writes", addr, data, len);
	if (fails(sim, unit, addr))
		return false;
	while (done < len) {
		uint32_t piece = len - done;
		uint8_t *memory = piece_at(sim, unit, addr + done, true, &piece);

		if (!memory) {
			fault_report(sim, unit, addr + done,
				     "bus error: no memory to write at this address");
			return false;
		}
		copy_out(memory, (const uint8_t *)data + done, piece);
		note_written(sim, addr + done, piece);
		done += piece;
	}
	return true;
}

bool bus_read32(struct v3dsim *sim, enum v3dsim_unit unit, uint32_t addr, uint32_t *value)
{
	uint8_t bytes[4];

	if (!bus_read(sim, unit, addr, bytes, sizeof(bytes)))
		return false;
	*value = bytes[0] | bytes[1] << 8 | bytes[2] << 16 | (uint32_t)bytes[3] << 24;
	return true;
}

bool bus_write32(struct v3dsim *sim, enum v3dsim_unit unit, uint32_t addr, uint32_t value)
{
	const uint8_t bytes[4] = { value, value >> 8, value >> 16, value >> 24 };

	return bus_write(sim, unit, addr, bytes, sizeof(bytes));
}

const void *bus_peek(struct v3dsim *sim, enum v3dsim_unit unit, uint32_t addr, uint32_t len)
{
	uint32_t piece = len;
	const void *memory;

	if (sim->config.strict || trace_wanted(&sim->config, V3DSIM_TRACE_MEM) ||
	    inject_watches(&sim->inject, INJECT_BUS_ERROR))
		return NULL;
	memory = piece_at(sim, unit, addr, false, &piece);
	return piece == len ? memory : NULL;
}

void bus_forget(struct v3dsim *sim, uint32_t addr, uint32_t len)
{
	struct v3dsim_region *region = sim->bus.regions[0][0],
			     *after = region + sizeof(sim->bus.regions) / sizeof(*region);
	uint64_t end = len ? (uint64_t)addr + len : UINT64_C(1) << 32;

	sim->bus.forgets++;
	for (; region < after; region++)
		if (!len || (region->base < end && addr < (uint64_t)region->base + region->len))
			region->len = 0;
}
