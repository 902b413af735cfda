// SPDX-License-Identifier: MIT
/* Plain data in the library's text format. */
#include <string.h>

#include "decode.h"

/* Numbers a line of data */
#define WORDS_A_LINE 8
#define BYTES_A_LINE 16

/* Writes numbers of @each bytes */
void decode_write_numbers(struct v3dcl_buffer *out, const uint8_t *bytes, uint32_t count,
			  unsigned int each)
{
	uint32_t i, k, a_line = each == 4 ? WORDS_A_LINE : BYTES_A_LINE / each;

	for (i = 0; i < count && !out->failed; i += a_line) {
		v3dcl_buffer_printf(out, "\tu%u", 8 * each);
		for (k = i; k < count && k < i + a_line; k++)
			v3dcl_buffer_printf(out, "%s 0x%0*x", k > i ? "," : "", (int)(2 * each),
					    v3d_get_bits(bytes + k * each, 0, 8 * each));
		v3dcl_buffer_printf(out, "\n");
	}
}

static bool all_zero(const uint8_t *bytes, uint32_t size)
{
	return !size || (!bytes[0] && !memcmp(bytes, bytes + 1, size - 1));
}

/* Zeros at @bytes, in whole words */
static uint32_t zeros(const uint8_t *bytes, uint32_t size)
{
	uint32_t n = 0;

	while (size - n >= 4 && !v3d_get_bits(bytes + n, 0, 32))
		n += 4;
	return n;
}

/**
 * decode_write_data() - bytes of no known kind: words, and long runs of zeros by their length.
 * @place: where it stands
 */
void decode_write_data(struct v3dcl_buffer *out, const uint8_t *bytes, uint32_t size,
		       uint32_t place)
{
	uint32_t head = -place & 3, at, from, run;

	if (all_zero(bytes, size)) {
		if (size)
			v3dcl_buffer_printf(out, "\tzero %u\n", size);
		return;
	}
	if (head > size)
		head = size;
	decode_write_numbers(out, bytes, head, 1);
	for (at = from = head; size - at >= 4;) {
		run = zeros(bytes + at, size - at);
		if (run < 4 * WORDS_A_LINE) {
			at += run ? run : 4;
			continue;
		}
		decode_write_numbers(out, bytes + from, (at - from) / 4, 4);
		v3dcl_buffer_printf(out, "\tzero %u\n", run);
		at += run;
		from = at;
	}
	decode_write_numbers(out, bytes + from, (at - from) / 4, 4);
	decode_write_numbers(out, bytes + at, size - at, 1);
}
