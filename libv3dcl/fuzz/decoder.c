// SPDX-License-Identifier: MIT
/*
 * Any bytes to the decoder, as memory with lists in it, as a program, as a submit, as the dump of a
 * hang. What may not happen: anything that a sanitizer sees, an error other than those that are
 * promised, JSON that is none, text with a byte in it that no text has.
 */
#include <errno.h>
#include <stdbool.h>
#include <string.h>
#include <sys/param.h>

#include <drm/v3dcl_drm.h>

#include "../base/helpers.h"
#include "fuzz.h"
#include "v3dcl_decode.h"

#define GAP 0x10000u		/* between the two pieces of memory */
#define LIMIT 20000
#define DEEPEST 64		/* that the decoder's JSON nests; it needs six */

/* What the first byte says */
#define MODE 3
#define JSON 4
#define FOLLOW 8
#define HIGH 16			/* the second piece ends where the address space does */

enum mode { LISTS, CODE, SUBMIT, DUMP };

struct input {
	const uint8_t *bytes;
	size_t size;
};

static uint32_t take(struct input *in, unsigned int bytes)
{
	uint32_t value = 0, i;

	for (i = 0; i < bytes && in->size; i++, in->size--)
		value |= (uint32_t)*in->bytes++ << 8 * i;
	return value;
}

static bool json_value(const char **at, unsigned int depth);

static void json_space(const char **at)
{
	*at += strspn(*at, "\n\t ");
}

static bool json_take(const char **at, char sign)
{
	json_space(at);
	if (**at != sign)
		return false;
	++*at;
	return true;
}

static bool json_string(const char **at)
{
	if (!json_take(at, '"'))
		return false;
	for (; **at && **at != '"'; ++*at) {
		if ((unsigned char)**at < ' ' || (**at == '\\' && !*++*at))
			return false;
	}
	return *(*at)++ == '"';
}

/* Members of an object (@names) or an array, up to @end */
static bool json_members(const char **at, bool names, char end, unsigned int depth)
{
	if (json_take(at, end))
		return true;
	do {
		if ((names && (!json_string(at) || !json_take(at, ':'))) || !json_value(at, depth))
			return false;
	} while (json_take(at, ','));
	return json_take(at, end);
}

static bool json_value(const char **at, unsigned int depth)
{
	static const char *const words[] = { "true", "false", "null" };
	char *end;
	size_t i;

	json_space(at);
	if (!depth)
		return false;
	if (**at == '"')
		return json_string(at);
	if (json_take(at, '{'))
		return json_members(at, true, '}', depth - 1);
	if (json_take(at, '['))
		return json_members(at, false, ']', depth - 1);
	for (i = 0; i < COUNT(words); i++) {
		if (!strncmp(*at, words[i], strlen(words[i]))) {
			*at += strlen(words[i]);
			return true;
		}
	}
	if (**at != '-' && (**at < '0' || **at > '9'))
		return false;
	strtod(*at, &end);
	*at = end;
	return true;
}

/* What was written is what it should be */
static void look_at(struct v3dcl_buffer *out, bool json)
{
	const char *at = (const char *)out->bytes;
	size_t i;

	if (!out->size)
		return;
	for (i = 0; i < out->size; i++)
		CHECK(out->bytes[i] == '\n' || out->bytes[i] == '\t' ||
		      (out->bytes[i] >= ' ' && out->bytes[i] < 0x7f));
	if (json) {
		CHECK(json_value(&at, DEEPEST));
		json_space(&at);
		CHECK(!*at);
	}
}

static int decode_memory(struct input *in, uint8_t how, struct v3dcl_buffer *out,
			 struct v3dcl_error *error)
{
	const uint32_t base = how & HIGH ? 0xfff00000 : 0, split = take(in, 2);
	uint32_t ends[4], i;
	struct v3dcl_piece pieces[2] = { { .name = "first" }, { .name = NULL } };
	const struct v3dcl_decoding decoding = {
		.pieces = pieces,
		.piece_count = 2,
		.follow = how & FOLLOW,
		.json = how & JSON,
		.limit = LIMIT,
	};

	for (i = 0; i < 4; i++)
		ends[i] = base + take(in, 2);
	pieces[0] = (struct v3dcl_piece){ in->bytes, base, MIN(split, in->size), "first" };
	pieces[1].bytes = in->bytes + pieces[0].size;
	pieces[1].size = in->size - pieces[0].size;
	pieces[1].address = how & HIGH ? 0u - pieces[1].size : base + GAP;
	if (!pieces[1].size)
		pieces[1].address = 0;
	if ((how & MODE) == CODE)
		return v3dcl_decode_code(&decoding, ends[0], out, error);
	return v3dcl_decode_lists(&decoding, ends[0], ends[1], ends[2], ends[3], out, error);
}

static int decode_submit(struct input *in, bool json, struct v3dcl_buffer *out,
			 struct v3dcl_error *error)
{
	uint32_t bin = take(in, 2), records = take(in, 2);
	struct drm_vc4_submit_cl submit = { 0 };

	bin = MIN(bin, in->size);
	records = MIN(records, in->size - bin);
	submit.bin_cl = (uintptr_t)in->bytes;
	submit.bin_cl_size = bin;
	submit.shader_rec = submit.bin_cl + bin;
	submit.shader_rec_size = records;
	submit.shader_rec_count = records ? in->bytes[bin] : 0;
	submit.uniforms = submit.shader_rec + records;
	submit.uniforms_size = in->size - bin - records;
	return v3dcl_decode_submit(&submit, json, out, error);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct v3dcl_error error = { .code = 0 };
	struct v3dcl_buffer out = { 0 };
	uint8_t how, *copy;
	struct input in;
	int ret;

	if (!size)
		return 0;
	how = data[0];
	copy = malloc(size);		/* so that a byte too far is seen */
	if (!copy)
		return 0;
	memcpy(copy, data + 1, size - 1);
	in = (struct input){ copy, size - 1 };
	if ((how & MODE) == DUMP)
		ret = v3dcl_decode_dump(in.bytes, in.size, how & JSON, &out, &error);
	else if ((how & MODE) == SUBMIT)
		ret = decode_submit(&in, how & JSON, &out, &error);
	else
		ret = decode_memory(&in, how, &out, &error);
	CHECK(!ret || (ret == -EINVAL && (how & MODE) == DUMP));
	CHECK(error.code == ret && !error.text[0] == !ret);
	if (!ret)
		look_at(&out, how & JSON);
	v3dcl_buffer_free(&out);
	free(copy);
	return 0;
}
