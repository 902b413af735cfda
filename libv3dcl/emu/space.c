// SPDX-License-Identifier: MIT
/* Addresses that are free, and numbers that userspace has for things. */
#include <stdlib.h>

#include "internal.h"

struct extent {
	struct extent *next;
	uint32_t base, end;
};

static uint32_t whole_pages(uint32_t size)
{
	return (size + EMU_PAGE - 1) & ~(EMU_PAGE - 1);
}

static struct extent *extent_new(uint32_t base, uint32_t end, struct extent *next)
{
	struct extent *extent = malloc(sizeof(*extent));

	if (extent)
		*extent = (struct extent){ .base = base, .end = end, .next = next };
	return extent;
}

bool space_init(struct space *space, uint32_t base, uint32_t end)
{
	space->free = extent_new(base, end, NULL);
	return space->free;
}

void space_fini(struct space *space)
{
	struct extent *next;

	for (; space->free; space->free = next) {
		next = space->free->next;
		free(space->free);
	}
}

/* The first that fits */
uint32_t space_alloc(struct space *space, uint32_t size)
{
	struct extent **link, *extent;
	uint32_t address;

	size = whole_pages(size);
	for (link = &space->free; (extent = *link); link = &extent->next) {
		if (extent->end - extent->base < size)
			continue;
		address = extent->base;
		extent->base += size;
		if (extent->base == extent->end) {
			*link = extent->next;
			free(extent);
		}
		return address;
	}
	return 0;
}

/* What there is no memory to remember is lost */
void space_free(struct space *space, uint32_t address, uint32_t size)
{
	struct extent **link = &space->free, *prev = NULL, *next;
	uint32_t end = address + whole_pages(size);

	while (*link && (*link)->base < address) {
		prev = *link;
		link = &prev->next;
	}
	next = *link;
	if (prev && prev->end == address) {
		prev->end = end;
		if (next && next->base == end) {
			prev->end = next->end;
			prev->next = next->next;
			free(next);
		}
		return;
	}
	if (next && next->base == end) {
		next->base = address;
		return;
	}
	next = extent_new(address, end, *link);
	if (next)
		*link = next;
}

uint32_t table_add(struct table *table, void *entry)
{
	uint32_t i, size = table->size ? 2 * table->size : 16;
	void **entries;

	for (i = table->first; i < table->size; i++) {
		if (table->entries[i])
			continue;
		table->entries[i] = entry;
		table->first = i + 1;
		return i + 1;
	}
	entries = realloc(table->entries, size * sizeof(*entries));
	if (!entries)
		return 0;
	for (i = table->size; i < size; i++)
		entries[i] = NULL;
	i = table->size;
	entries[i] = entry;
	table->entries = entries;
	table->size = size;
	table->first = i + 1;
	return i + 1;
}

void *table_get(const struct table *table, uint32_t id)
{
	return id - 1 < table->size ? table->entries[id - 1] : NULL;
}

void *table_remove(struct table *table, uint32_t id)
{
	void *entry = table_get(table, id);

	if (!entry)
		return NULL;
	table->entries[id - 1] = NULL;
	if (id - 1 < table->first)
		table->first = id - 1;
	return entry;
}
