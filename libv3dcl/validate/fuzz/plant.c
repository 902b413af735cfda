// SPDX-License-Identifier: MIT
/* Planted faults: see plant.h. */
#include <stdlib.h>
#include <string.h>

#include "plant.h"

/* Of the checker that scripts/plants has rewritten; others have none of these */
#pragma weak v3dcl_planted
#pragma weak v3dcl_plant_count
#pragma weak v3dcl_plant_job
#pragma weak v3dcl_plant_counted
extern unsigned char v3dcl_planted[];
extern const unsigned int v3dcl_plant_count;
extern unsigned int v3dcl_plant_counted; /* the one whose hits count; 0: all do */
void v3dcl_plant_job(void);

#define EXTRA_BYTES 64

#define PLANT_NAME(NAME, name, text) [PLANT_##NAME] = name,
#define PLANT_TEXT(NAME, name, text) [PLANT_##NAME] = text,
static const char *const names[PLANT_COUNT] = { PLANTS(PLANT_NAME) }, *const texts[PLANT_COUNT] = {
	PLANTS(PLANT_TEXT)
};

enum plant plant_find(const char *name)
{
	unsigned int plant = PLANT_NONE + 1;

	while (plant < PLANT_COUNT && strcmp(name, names[plant]))
		plant++;
	return plant;
}

void plant_print(FILE *file)
{
	for (unsigned int plant = PLANT_NONE + 1; plant < PLANT_COUNT; plant++)
		fprintf(file, "    %-10s %s\n", names[plant], texts[plant]);
}

bool plant_in_checker(const char *numbers)
{
	char *end;

	if (!&v3dcl_plant_count)
		return false;
	do {
		const unsigned long number = strtoul(numbers, &end, 10);

		if (end == numbers || !number || number > v3dcl_plant_count)
			return false;
		v3dcl_planted[number] = 1;
		numbers = end + 1;
	} while (*end == '+');
	return !*end;
}

static unsigned long needed;

bool plant_needed(const char *number)
{
	char *end;

	needed = strtoul(number, &end, 10);
	if (!&v3dcl_plant_count || end == number || *end)
		return false;
	if (!needed || needed > v3dcl_plant_count)
		return false;
	v3dcl_plant_counted = needed;
	return true;
}

bool plant_switch(bool on)
{
	if (needed)
		v3dcl_planted[needed] = on;
	return needed;
}

void plant_job(void)
{
	if (v3dcl_plant_job)
		v3dcl_plant_job();
}

/*
 * Is the last word of a stream one that the checker asks nothing of? Where it is a lookup's
 * parameter, a part of an address or the address of the stream, the checker sees by itself that
 * its own bound is untrue, and no job is run.
 */
static bool shader_ends_free(const struct v3dcl_shader *shader)
{
	const uint32_t last = shader->uniform_words - 1;

	for (uint32_t i = 0; i < shader->sample_count; i++)
		for (uint32_t slot = 0; slot < 4; slot++)
			if (shader->samples[i].slot[slot] == last)
				return false;
	for (uint32_t i = 0; i < shader->reset_count; i++)
		if (shader->resets[i] == last)
			return false;
	for (uint32_t i = 0; i < shader->setup_count; i++)
		if (shader->setups[i].slot == last)
			return false;
	return shader->uniform_words;
}

static bool has_term(const struct v3dcl_abstract_value *value, uint32_t word)
{
	for (uint32_t i = 0; i < value->count; i++)
		if (value->slot[i] == word || value->by[i] == word)
			return true;
	return false;
}

static bool program_ends_free(const struct v3dcl_program *program)
{
	const uint32_t last = program->uniform_words - 1;

	for (uint32_t i = 0; i < program->use_count; i++) {
		const struct v3dcl_use *use = &program->uses[i];

		for (uint32_t n = 0; n < 4; n++)
			if (use->parameters[n] == last)
				return false;
		if (has_term(&use->address, last) || has_term(&use->setup, last) ||
		    has_term(&use->stride, last))
			return false;
	}
	return program->uniform_words;
}

void plant_before(enum plant plant, struct checked *c, const struct trial *t)
{
	c->extra_bytes = plant == PLANT_EXTENT ? EXTRA_BYTES : 0;
	if (plant != PLANT_UNIFORM)
		return;
	for (uint32_t i = 0; i < t->bo_count; i++) {
		if (t->bos[i].kind == TRIAL_SHADER && shader_ends_free(&c->shaders[i]))
			c->shaders[i].uniform_words--;
		if (t->bos[i].kind == TRIAL_PROGRAM && program_ends_free(&c->programs[i]))
			c->programs[i].uniform_words--;
	}
}

void plant_after(enum plant plant, struct checked *c, const struct trial *t)
{
	static const uint32_t uses[PLANT_COUNT] = {
		[PLANT_READ] = V3DCL_READ,
		[PLANT_WRITE] = V3DCL_WRITE,
		[PLANT_BINNING] = V3DCL_READ_BINNING,
		[PLANT_CODE] = V3DCL_CODE,
	};

	for (uint32_t i = 0; i < t->bo_count; i++)
		c->bos[i].uses &= ~uses[plant];
}
