// SPDX-License-Identifier: MIT
/* Addresses that are free, and numbers that userspace has for things. */
#include <stdlib.h>
#include <sys/param.h>

#include "internal.h"

struct extent {
	struct extent *next;
	uint32_t base, end;
};

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

/* The first that fits, or the last */
uint32_t space_alloc(struct space *space, uint32_t size, bool last)
{
	struct extent **link, **found = NULL, *extent;
	uint32_t address;

	size = roundup(size, EMU_PAGE);
	for (link = &space->free; *link && (last || !found); link = &(*link)->next)
		if ((*link)->end - (*link)->base >= size)
			found = link;
	if (!found)
		return 0;
	extent = *found;
	address = last ? extent->end - size : extent->base;
	if (last)
		extent->end -= size;
	else
		extent->base += size;
	if (extent->base == extent->end) {
		*found = extent->next;
		free(extent);
	}
	return address;
}

/* What there is no memory to remember is lost */
void space_free(struct space *space, uint32_t address, uint32_t size)
{
	struct extent **link = &space->free, *prev = NULL, *next;
	uint32_t end = address + roundup(size, EMU_PAGE);

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
