// SPDX-License-Identifier: MIT
/* Which records, fields and names of values there are. */
#include <string.h>

#include "named.h"

static void describe(const struct cl_described *of, struct named *found)
{
	found->of = *of;
	found->about = (struct v3dcl_named_record){ .name = of->name, .length = of->length };
}

/* One record after another: control records, structures, words. Return: false behind the last */
static bool by_index(uint32_t index, struct named *found)
{
	const struct cl_described *of;
	uint32_t id, i;

	for (id = 0; id < 256; id++) {
		const struct v3d_packet_info *info = v3d_packet_info(id);

		if (!info->name || index--)
			continue;
		describe(&(struct cl_described){ info->name, info->fields, info->length }, found);
		found->about.id = id;
		found->about.lists = info->lists;
		return true;
	}
	for (i = 0; (of = cl_structure(i)); i++) {
		if (index--)
			continue;
		describe(of, found);
		found->about.kind = V3DCL_NAMED_MEMORY;
		return true;
	}
	of = cl_word(index);
	if (of) {
		describe(of, found);
		found->about.kind = V3DCL_NAMED_WORD;
	}
	return of;
}

bool named_find(const char *record, struct named *found)
{
	uint32_t i;

	for (i = 0; record && by_index(i, found); i++)
		if (!strcmp(found->about.name, record))
			return true;
	return false;
}

bool v3dcl_named_record(uint32_t index, struct v3dcl_named_record *record)
{
	struct named found;
	const bool there = by_index(index, &found);

	if (there)
		*record = found.about;
	return there;
}

bool v3dcl_named_field(const char *record, uint32_t index, struct v3dcl_named_field *field)
{
	const struct v3d_field *at;
	struct named found;

	if (!named_find(record, &found))
		return false;
	for (at = found.of.fields; at->name; at++) {
		if (index--)
			continue;
		*field = (struct v3dcl_named_field){ at->name, at->type, at->bits, at->low };
		return true;
	}
	return false;
}

const char *v3dcl_named_choice(const char *record, const char *field, uint32_t index,
			       uint32_t *value)
{
	const struct cl_choice *choice = NULL;
	const struct v3d_field *at;
	struct named found;

	if (!field || !named_find(record, &found))
		return NULL;
	for (at = found.of.fields; at->name; at++)
		if (!strcmp(at->name, field))
			choice = cl_choices(record, field);
	for (; choice && choice->name; choice++) {
		if (index--)
			continue;
		*value = choice->value;
		return choice->name;
	}
	return NULL;
}
