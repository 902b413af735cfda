// SPDX-License-Identifier: MIT
/* Bytes and text that grow. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/param.h>

#include "v3dcl_buffer.h"

#define LEAST_ROOM 256u

/* Room for @size bytes more and the NUL behind them */
static bool make_room(struct v3dcl_buffer *buffer, size_t size)
{
	size_t need, room;
	uint8_t *bytes;

	if (buffer->failed)
		return false;
	if (__builtin_add_overflow(buffer->size, size, &need) || need > SIZE_MAX / 2 - 1) {
		buffer->failed = true;
		return false;
	}
	if (need < buffer->room)
		return true;
	room = MAX(buffer->room, LEAST_ROOM);
	while (room <= need)
		room *= 2;
	bytes = realloc(buffer->bytes, room);
	if (!bytes) {
		buffer->failed = true;
		return false;
	}
	buffer->bytes = bytes;
	buffer->room = room;
	return true;
}

uint8_t *v3dcl_buffer_add(struct v3dcl_buffer *buffer, const void *bytes, size_t size)
{
	uint8_t *to;

	if (!make_room(buffer, size))
		return NULL;
	to = buffer->bytes + buffer->size;
	if (bytes)
		memcpy(to, bytes, size);
	else
		memset(to, 0, size);
	buffer->size += size;
	buffer->bytes[buffer->size] = 0;
	return to;
}

void v3dcl_buffer_printf(struct v3dcl_buffer *buffer, const char *format, ...)
{
	va_list args;
	int n;

	va_start(args, format);
	n = vsnprintf(NULL, 0, format, args);
	va_end(args);
	if (n < 0 || !make_room(buffer, n)) {
		buffer->failed = true;
		return;
	}
	va_start(args, format);
	vsnprintf((char *)buffer->bytes + buffer->size, buffer->room - buffer->size, format, args);
	va_end(args);
	buffer->size += n;
}

void v3dcl_buffer_free(struct v3dcl_buffer *buffer)
{
	free(buffer->bytes);
	*buffer = (struct v3dcl_buffer){ 0 };
}
