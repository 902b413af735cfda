/* SPDX-License-Identifier: MIT */
/*
 * How the library says what went wrong: a negative errno, and a message. Nothing prints, nothing
 * aborts.
 */
#ifndef V3DCL_ERROR_H
#define V3DCL_ERROR_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * struct v3dcl_error - why a call failed
 * @code: the negative errno that the call returned; 0 while nothing has failed
 * @part: enum drm_v3dcl_part, where a check refused something; else 0
 * @rule: enum v3dcl_rule, the rule that was broken; else 0
 * @offset: of the byte in that part
 * @found: what stands there
 * @expected: what the rule asks for, or its limit
 * @line: of the text that was read, from 1; 0 where there is none
 * @column: of it, from 1, in bytes
 * @record: name of the control record or structure that the byte is in, as <v3d/packets.h> has it,
 *	or NULL where none is known. A constant.
 * @field: name of the field in @record, or NULL. A constant.
 * @text: what went wrong, in words, no newline at its end. May have several lines: the message, the
 *	line of the source, a caret.
 *
 * Owned by the caller, who hands it in; every function takes NULL for it too. A call that succeeds
 * leaves it alone.
 */
struct v3dcl_error {
	int code;
	uint32_t part, rule, offset;
	uint64_t found, expected;
	uint32_t line, column;
	const char *record, *field;
	char text[512];
};

/**
 * v3dcl_fail() - fill an error
 * @error: filled; NULL for none
 * @code: negative errno
 * @format: as printf's, with what it asks for behind it
 *
 * Return: @code
 */
__attribute__((format(printf, 3, 4)))
int v3dcl_fail(struct v3dcl_error *error, int code, const char *format, ...);

/**
 * v3dcl_fail_at() - fill an error that has a place in a text, with the line and a caret below its
 * column
 * @error: filled; NULL for none
 * @code: negative errno
 * @name: of the file, or NULL
 * @source: the whole text, need not end in NUL
 * @length: bytes of @source
 * @at: where in @source, at most @length
 * @format: as printf's, with what it asks for behind it
 *
 * The text reads "name:line:column: message", as compilers say it.
 *
 * Return: @code
 */
__attribute__((format(printf, 7, 8)))
int v3dcl_fail_at(struct v3dcl_error *error, int code, const char *name, const char *source,
		  uint64_t length, uint64_t at, const char *format, ...);

#ifdef __cplusplus
}
#endif

#endif /* V3DCL_ERROR_H */
