// SPDX-License-Identifier: MIT
/* Faults to order: see inject.h. */
#include <stdio.h>
#include <string.h>

#include <v3d/regs.h>

#include "inject.h"

static const char *const names[] = {
#define INJECT_NAME(NAME, name, steps, text) name,
	INJECT_KINDS(INJECT_NAME)
#undef INJECT_NAME
};

static void watch(struct inject *inject)
{
	inject->watched = inject->stopped | (inject->left ? 1u << inject->kind : 0);
}

bool inject_hits(struct inject *inject, enum inject_kind kind)
{
	if (inject_stopped(inject, kind))
		return true;
	if (inject->wait) {
		inject->wait--;
		return false;
	}
	inject->wait = inject->after;
	inject->left--;
	inject->since++;
	inject->struck[kind]++;
	if (kind < INJECT_IRQ_LOSE)
		inject->stopped |= 1u << kind;
	watch(inject);
	return true;
}

/* Return: INJECT_NONE: there is none of that name, which is @length bytes long */
static enum inject_kind kind_of(const char *name, size_t length)
{
	enum inject_kind kind = 0;

	while (kind < INJECT_KIND_COUNT &&
	       !(length == strlen(names[kind]) && !memcmp(name, names[kind], length)))
		kind++;
	return kind;
}

/* The number after a colon, if there is one. Return: false: what follows is something else */
static bool take_number(const char **at, uint32_t *number)
{
	uint64_t value = 0;

	if (!**at)
		return true;
	if (*(*at)++ != ':' || !**at || **at == ':')
		return false;
	for (; **at && **at != ':'; ++*at) {
		if (**at < '0' || **at > '9')
			return false;
		value = value * 10 + (uint64_t)(**at - '0');
		if (value > UINT32_MAX)
			return false;
	}
	*number = (uint32_t)value;
	return true;
}

/* Return: false, for the caller to return */
static bool unknown(const char *name, int length, char *error, size_t size)
{
	int used = snprintf(error, size, "no fault is called \"%.*s\", but", length, name);

	for (enum inject_kind kind = 0; used >= 0 && kind < INJECT_KIND_COUNT; kind++) {
		if ((size_t)used >= size)
			break;
		used += snprintf(error + used, size - (size_t)used, "%s %s", kind ? "," : "",
				 names[kind]);
	}
	return false;
}

/* What is wrong with a text is printed, where lines may be read as those of others */
static bool printable(const char *text)
{
	while (*text >= ' ' && *text <= '~')
		text++;
	return !*text;
}

bool inject_ask(struct inject *inject, const char *text, char *error, size_t size)
{
	const size_t length = strcspn(text, ":");
	const char *at = text + length;
	uint32_t hits = 1, after = 0;
	enum inject_kind kind;

	if (!strcmp(text, "none")) {
		inject->left = 0;
		watch(inject);
		return true;
	}
	if (!printable(text)) {
		if (size)
			snprintf(error, size, "a fault has a name of printable characters");
		return false;
	}
	kind = kind_of(text, length);
	if (kind == INJECT_NONE)
		return unknown(text, (int)length, error, size);
	if (!take_number(&at, &hits) || !take_number(&at, &after) || *at) {
		if (size)
			snprintf(error, size,
				 "\"%s\": expected NAME, NAME:HITS or NAME:HITS:AFTER, below 2^32",
				 text);
		return false;
	}
	inject->kind = inject->last = kind;
	inject->left = hits;
	inject->wait = inject->after = after;
	inject->since = 0;
	watch(inject);
	return true;
}

uint32_t inject_read(struct inject *inject, uint32_t reg, uint32_t value)
{
	if (reg <= V3D_IDENT2 && inject_strikes(inject, INJECT_IDENT_WRONG))
		return ~value;
	if (!inject_strikes(inject, INJECT_REGISTER_GARBAGE))
		return value;
	inject->garbage = (inject->garbage ^ inject->garbage >> 15) * 0x2c1b3c6d + 0x9e3779b9;
	return inject->garbage;
}

void inject_tell(const struct inject *inject, struct v3dsim_injected *out)
{
	*out = (struct v3dsim_injected){ .struck = inject->since, .left = inject->left };
	snprintf(out->name, sizeof(out->name), "%s",
		 inject->last < INJECT_KIND_COUNT ? names[inject->last] : "none");
}

void inject_stats(const struct inject *inject,
		  void (*each)(void *opaque, const char *name, uint64_t value), void *opaque)
{
	char text[64];

	for (enum inject_kind kind = 0; kind < INJECT_KIND_COUNT; kind++) {
		if (!inject->struck[kind])
			continue;
		snprintf(text, sizeof(text), "injected:%s", names[kind]);
		each(opaque, text, inject->struck[kind]);
	}
}

void inject_reset(struct inject *inject)
{
	inject->stopped = 0;
	watch(inject);
}
