/* SPDX-License-Identifier: MIT */
/*
 * Bytes or text that grow. Out of memory is remembered, so that it is looked at once, at the end.
 */
#ifndef V3DCL_BUFFER_H
#define V3DCL_BUFFER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * struct v3dcl_buffer - bytes that grow; all zero is an empty one
 * @bytes: @size bytes and a NUL after them, or NULL while nothing was added; free with
 *	v3dcl_buffer_free()
 * @size: bytes in use
 * @room: bytes there are
 * @failed: there was no memory for something; what was added before it is there, nothing after it
 */
struct v3dcl_buffer {
	uint8_t *bytes;
	size_t size, room;
	bool failed;
};

/**
 * v3dcl_buffer_add() - append bytes
 * @buffer: appended to
 * @bytes: what to append, copied; NULL for zeros
 * @size: bytes
 *
 * Return: where they went, valid until the next call that appends; NULL without memory
 */
uint8_t *v3dcl_buffer_add(struct v3dcl_buffer *buffer, const void *bytes, size_t size);

/**
 * v3dcl_buffer_printf() - append text
 * @buffer: appended to
 * @format: as printf's, with what it asks for behind it
 */
__attribute__((format(printf, 2, 3)))
void v3dcl_buffer_printf(struct v3dcl_buffer *buffer, const char *format, ...);

/**
 * v3dcl_buffer_free() - frees what it holds and makes it empty
 * @buffer: the struct itself stays the caller's
 */
void v3dcl_buffer_free(struct v3dcl_buffer *buffer);

#ifdef __cplusplus
}
#endif

#endif /* V3DCL_BUFFER_H */
