// SPDX-License-Identifier: MIT
/* What went wrong, in words. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "v3dcl_error.h"

int v3dcl_fail(struct v3dcl_error *error, int code, const char *format, ...)
{
	va_list args;

	if (!error)
		return code;
	*error = (struct v3dcl_error){ .code = code };
	va_start(args, format);
	vsnprintf(error->text, sizeof(error->text), format, args);
	va_end(args);
	return code;
}

/* Longest piece of a source line that is shown, and how much of it stands before the column */
#define SHOWN 76
#define BEFORE 50

/*
 * The line around @at, and a caret below it; tabs and what cannot be printed become spaces, so that
 * the caret is below its byte
 */
static void show_line(struct v3dcl_error *error, const char *line, uint64_t length, uint64_t at)
{
	uint64_t from = at > BEFORE ? at - BEFORE : 0, i, n = strlen(error->text);
	char shown[SHOWN + 1];

	for (i = 0; i < SHOWN && from + i < length && line[from + i] != '\n'; i++)
		shown[i] = line[from + i] < ' ' || line[from + i] == 0x7f ? ' ' : line[from + i];
	shown[i] = 0;
	snprintf(error->text + n, sizeof(error->text) - n, "\n  %s\n  %*s", shown,
		 (int)(at - from) + 1, "^");
}

int v3dcl_fail_at(struct v3dcl_error *error, int code, const char *name, const char *source,
		  uint64_t length, uint64_t at, const char *format, ...)
{
	uint64_t i, start = 0;
	uint32_t line = 1;
	va_list args;
	size_t n;

	if (!error)
		return code;
	for (i = 0; i < at && i < length; i++) {
		if (source[i] == '\n') {
			line++;
			start = i + 1;
		}
	}
	*error = (struct v3dcl_error){ .code = code, .line = line, .column = at - start + 1 };
	snprintf(error->text, sizeof(error->text) / 2, "%s:%u:%u: ", name ? name : "<text>",
		 error->line, error->column);
	n = strlen(error->text);
	va_start(args, format);
	vsnprintf(error->text + n, sizeof(error->text) * 5 / 8 - n, format, args);
	va_end(args);
	show_line(error, source + start, length - start, at - start);
	return code;
}
