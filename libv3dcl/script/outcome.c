// SPDX-License-Identifier: MIT
/* What came out: handed to the caller, or compared with what was expected. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "run.h"

/* Five or six bits as eight */
static void widen(const uint8_t *from, uint8_t *to)
{
	uint32_t bgr = from[0] | from[1] << 8, r = bgr >> 11, g = bgr >> 5 & 63, b = bgr & 31;

	to[0] = r << 3 | r >> 2;
	to[1] = g << 2 | g >> 4;
	to[2] = b << 3 | b >> 2;
	to[3] = 255;
}

static void to_rgba(const struct script_save *save, const uint8_t *bytes, uint8_t *rgba)
{
	uint32_t cpp = save->pixel == V3D_RGBA8888 ? 4 : 2, x, y;

	for (y = 0; y < save->height; y++) {
		const uint8_t *row = bytes + (size_t)(save->flip ? save->height - 1 - y : y) * save->width * cpp;

		for (x = 0; x < save->width; x++, row += cpp, rgba += 4) {
			if (cpp == 4)
				memcpy(rgba, row, 4);
			else
				widen(row, rgba);
		}
	}
}

/** run_save() - hand something to the caller */
int run_save(struct run *run, const struct script_save *save)
{
	struct v3dcl_saved saved = { .name = save->name, .size = save->size };
	uint8_t *bytes, *rgba = NULL;
	int ret = run_memory(run, save->thing, &bytes);

	if (ret)
		return ret;
	saved.bytes = bytes + save->offset;
	if (save->width) {
		rgba = malloc((size_t)save->width * save->height * 4);
		if (!rgba)
			return v3dcl_fail(run->error, -ENOMEM, "no memory");
		to_rgba(save, saved.bytes, rgba);
		saved.width = save->width;
		saved.height = save->height;
		saved.rgba = rgba;
	}
	ret = run->options.saved ? run->options.saved(run->options.opaque, &saved) : 0;
	if (ret)
		v3dcl_fail(run->error, ret, "%s was not taken: %s", save->name, strerror(-ret));
	free(rgba);
	return ret;
}

static int expect_reals(struct run *run, const struct script_expect *expect, const uint8_t *bytes)
{
	size_t i;

	for (i = 0; i + sizeof(float) <= expect->bytes.size; i += sizeof(float)) {
		float is, should;

		memcpy(&is, bytes + i, sizeof(is));
		memcpy(&should, expect->bytes.bytes + i, sizeof(should));
		if (!(fabs((double)is - should) <= expect->within))
			return v3dcl_fail(run->error, -EBADMSG, "%s + %zu is %.9g, expected was %.9g within %g",
					  run->script->things[expect->thing].name, expect->offset + i, is, should, expect->within);
	}
	return 0;
}

/** run_expect() - compare */
int run_expect(struct run *run, const struct script_expect *expect)
{
	uint8_t *bytes;
	size_t i;
	int ret = run_memory(run, expect->thing, &bytes);

	if (ret)
		return ret;
	bytes += expect->offset;
	if (expect->within >= 0)
		return expect_reals(run, expect, bytes);
	for (i = 0; i < expect->bytes.size; i++) {
		int is = bytes[i], should = expect->bytes.bytes[i];

		if (abs(is - should) > (int)expect->near)
			return v3dcl_fail(run->error, -EBADMSG, "byte %zu of %s is 0x%02x, expected was 0x%02x", expect->offset + i,
					  run->script->things[expect->thing].name, is, should);
	}
	return 0;
}
