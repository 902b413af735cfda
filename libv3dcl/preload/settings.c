// SPDX-License-Identifier: MIT
/*
 * The device as the environment wants it. A setting that is wrong ends the program: it was meant to
 * run on another device than it would.
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../base/number.h"
#include "preload.h"
#include "v3dsim.h"

#define EXIT_USAGE 2
#define LEAST_MEMORY (1u << 20)
#define MOST_MEMORY (768u << 20) /* of &emu_device_config.budget */
#define MOST_PIXELS 4096 /* of the display, across and down */

__attribute__((format(printf, 2, 3), noreturn)) static void wrong(const char *name,
								  const char *format, ...)
{
	va_list arguments;

	fprintf(stderr, "v3d: %s: ", name);
	va_start(arguments, format);
	vfprintf(stderr, format, arguments);
	va_end(arguments);
	fputc('\n', stderr);
	_exit(EXIT_USAGE);
}

/* A whole number before @end; 0 where there is none */
static uint64_t number(const char *text, char end, const char **behind)
{
	uint64_t value;

	if (!number_take(&text, UINT64_MAX, &value) || *text != end)
		return 0;
	*behind = text + (end != '\0');
	return value;
}

/* @usual where the variable is not set */
static uint64_t setting(const char *name, uint64_t least, uint64_t most, uint64_t usual)
{
	const char *text = getenv(name), *behind = NULL;
	uint64_t value = text ? number(text, '\0', &behind) : usual;

	if (text && (!behind || value < least || value > most))
		wrong(name, "\"%s\" is not a number from %llu to %llu", text,
		      (unsigned long long)least, (unsigned long long)most);
	return value;
}

static unsigned int trace_kinds(void)
{
	static const struct {
		const char *word;
		unsigned int kind;
	} kinds[] = {
		{ "qpu", V3DSIM_TRACE_QPU },
		{ "cle", V3DSIM_TRACE_CLE },
		{ "mem", V3DSIM_TRACE_MEM },
		{ "reg", V3DSIM_TRACE_REG },
	};
	const char *words = getenv("V3D_TRACE");
	unsigned int mask = 0;
	size_t length, i;

	for (; words; words = words[length] ? words + length + 1 : NULL) {
		length = strcspn(words, ",");
		for (i = 0; i < 4 && (strlen(kinds[i].word) != length ||
				      memcmp(kinds[i].word, words, length) != 0);
		     i++)
			;
		if (i == 4)
			wrong("V3D_TRACE", "\"%.*s\" is none of qpu, cle, mem, reg", (int)length,
			      words);
		mask |= kinds[i].kind;
	}
	return mask;
}

static enum v3dsim_caches caches(void)
{
	const char *text = getenv("V3D_CACHES");
	const bool model = text && !strcmp(text, "model");

	if (text && !model && strcmp(text, "ideal") != 0)
		wrong("V3D_CACHES", "\"%s\" is neither model nor ideal", text);
	return model ? V3DSIM_CACHES_MODEL : V3DSIM_CACHES_IDEAL;
}

/* WIDTHxHEIGHT */
static void display_size(uint32_t *width, uint32_t *height)
{
	const char *text = getenv("V3D_DISPLAY"), *behind = text;
	uint64_t across, down;

	if (!text)
		return;
	across = number(text, 'x', &behind);
	down = across ? number(behind, '\0', &behind) : 0;
	if (!across || !down || across > MOST_PIXELS || down > MOST_PIXELS)
		wrong("V3D_DISPLAY", "\"%s\" is not a size such as 800x600, of 1 to %d pixels each",
		      text, MOST_PIXELS);
	*width = across;
	*height = down;
}

static const char *chip(void)
{
	const char *text = getenv("V3D_CHIP");
	char error[256];

	if (!v3dsim_chip_check(text, error, sizeof(error)))
		wrong("V3D_CHIP", "%s", error);
	return text;
}

struct emu_device_config preload_settings(void)
{
	struct emu_device_config config = {
		.budget = setting("V3D_MEMORY", LEAST_MEMORY, MOST_MEMORY, 0),
		.caches = caches(),
		.trace = trace_kinds(),
		.limit_ms = setting("V3D_LIMIT_MS", 1, UINT32_MAX, 0),
		.threads = setting("V3D_THREADS", 0, V3DSIM_THREADS_MAX, 0),
		.reference = getenv("V3D_REFERENCE"),
		.chip = chip(),
		.quiet = getenv("V3D_QUIET"),
		.shown = getenv("V3D_FRAMES") ? preload_frame : NULL,
		.hung = getenv("V3D_DUMP") ? preload_hung : NULL,
		.root_only = getenv("V3D_ROOT_ONLY"),
		.unverified = getenv("V3D_UNVERIFIED"),
	};

	display_size(&config.width, &config.height);
	return config;
}
