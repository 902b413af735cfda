// SPDX-License-Identifier: MIT
/*
 * Modes of the chip by name: see modes.h.
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/param.h>

#include "modes.h"

static const struct {
	const char *name;
	uint32_t number;
	const char *source, *text;
} modes[] = {
#define CHIP_MODE(NAME, name, number, source, text) { name, number, source, text },
	V3D_CHIP_MODES(CHIP_MODE)
#undef CHIP_MODE
};

_Static_assert(V3D_CHIP_MODE_COUNT < 64, "a bit a mode");

/* bcm2835: all but where only the guide says so */
static void chip_silicon(struct chip_modes *chip)
{
	*chip = (struct chip_modes){ 0 };
	for (unsigned int i = 0; i < V3D_CHIP_MODE_COUNT; i++) {
		if (!strcmp(modes[i].source, "guide"))
			continue;
		chip->set |= UINT64_C(1) << i;
		chip->number[i] = modes[i].number;
	}
}

/* One word of a list, @length bytes that end before '+' or the end */
struct word {
	const char *text;
	size_t length;
};

static bool is(const struct word *word, const char *name)
{
	return word->length == strlen(name) && !memcmp(word->text, name, word->length);
}

__attribute__((format(printf, 3, 4)))
static bool wrong(char *error, size_t size, const char *format, ...)
{
	va_list arguments;

	if (size) {
		va_start(arguments, format);
		vsnprintf(error, size, format, arguments);
		va_end(arguments);
	}
	return false;
}

/* Return: the mode of that name, V3D_CHIP_MODE_COUNT for none */
static unsigned int mode_of(const struct word *word)
{
	unsigned int mode = 0;

	while (mode < V3D_CHIP_MODE_COUNT && !is(word, modes[mode].name))
		mode++;
	return mode;
}

/* The number behind a colon, which the word loses */
static bool take_number(struct word *word, bool *given, uint32_t *number)
{
	const char *colon = memchr(word->text, ':', word->length);
	const char *digit;
	uint64_t value = 0;

	*given = colon;
	if (!colon)
		return true;
	for (digit = colon + 1; digit < word->text + word->length; digit++) {
		if (*digit < '0' || *digit > '9')
			return false;
		value = value * 10 + (uint64_t)(*digit - '0');
		if (value > UINT32_MAX)
			return false;
	}
	word->length = (size_t)(colon - word->text);
	*number = (uint32_t)value;
	return digit > colon + 1;
}

static bool take_mode(struct chip_modes *chip, struct word word, char *error, size_t size)
{
	const struct word whole = word;
	const bool without = word.length && word.text[0] == '-';
	unsigned int mode;
	uint32_t number = 0;
	bool given;

	if (without) {
		word.text++;
		word.length--;
	}
	if (!take_number(&word, &given, &number))
		return wrong(error, size,
			     "\"%.*s\": a number from 0 to 4294967295 follows the colon",
			     (int)whole.length, whole.text);
	mode = mode_of(&word);
	if (mode == V3D_CHIP_MODE_COUNT)
		return wrong(error, size,
			     "no mode of the chip is called \"%.*s\" (\"help\" lists them)",
			     (int)word.length, word.text);
	if (given && (without || !modes[mode].number))
		return wrong(error, size, "\"%.*s\": %s takes no number", (int)whole.length,
			     whole.text, without ? "what is taken out" : modes[mode].name);
	if (without) {
		chip->set &= ~(UINT64_C(1) << mode);
		chip->number[mode] = 0;
		return true;
	}
	chip->set |= UINT64_C(1) << mode;
	chip->number[mode] = given ? number : modes[mode].number;
	return true;
}

bool chip_parse(struct chip_modes *chip, const char *text, char *error, size_t size)
{
	struct chip_modes made = { 0 };
	bool first = true;

	for (const char *at = text ? text : "ideal";; first = false) {
		struct word word = { at, strcspn(at, "+") };

		if (first && is(&word, "bcm2835"))
			chip_silicon(&made);
		else if (!(first && is(&word, "ideal")) && !take_mode(&made, word, error, size))
			return false;
		at += word.length;
		if (!*at)
			break;
		at++;
	}
	*chip = made;
	return true;
}

/* Return: bytes of @text used so far, at most @size - 1 */
static size_t append(char *text, size_t size, size_t used, const char *lead, const char *name,
		     const uint32_t *number)
{
	char digits[12] = "";

	if (used + 1 >= size)
		return used;
	if (number)
		snprintf(digits, sizeof(digits), ":%u", *number);
	used += (size_t)snprintf(text + used, size - used, "%s%s%s", lead, name, digits);
	return MIN(used, size - 1);
}

void chip_print(const struct chip_modes *chip, char *text, size_t size)
{
	struct chip_modes bcm2835;
	size_t used = 0;
	bool silicon;

	if (!size)
		return;
	chip_silicon(&bcm2835);
	silicon = __builtin_popcountll(chip->set & bcm2835.set) * 2 >
		  __builtin_popcountll(bcm2835.set);
	text[0] = 0;
	if (silicon || !chip->set)
		used = append(text, size, used, "", silicon ? "bcm2835" : "ideal", NULL);
	for (unsigned int mode = 0; mode < V3D_CHIP_MODE_COUNT; mode++) {
		const bool other = chip->number[mode] != modes[mode].number;

		const bool based = silicon && chip_has(&bcm2835, mode);

		if (!chip_has(chip, mode)) {
			if (based)
				used = append(text, size, used, "+-", modes[mode].name, NULL);
		} else if (!based || other) {
			used = append(text, size, used, used ? "+" : "", modes[mode].name,
				      other ? &chip->number[mode] : NULL);
		}
	}
}

void chip_help(void (*line)(void *opaque, const char *text), void *opaque)
{
	static const char *const before[] = {
		"ideal                   the chip that the guide means",
		"bcm2835                 silicon as far as it is known: all modes but (guide)",
		"",
		"or a list of these, joined by +; after bcm2835, -MODE takes one out:",
		"",
	};
	char text[256];

	for (size_t i = 0; i < sizeof(before) / sizeof(before[0]); i++)
		line(opaque, before[i]);
	for (unsigned int mode = 0; mode < V3D_CHIP_MODE_COUNT; mode++) {
		char name[64];

		snprintf(name, sizeof(name), modes[mode].number ? "%s:%u" : "%s", modes[mode].name,
			 modes[mode].number);
		snprintf(text, sizeof(text), "%-23s %s (%s)", name, modes[mode].text,
			 modes[mode].source);
		line(opaque, text);
	}
}
