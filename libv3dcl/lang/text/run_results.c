// SPDX-License-Identifier: MIT
/* What came out, handed to the caller. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "run.h"

static int make_picture(struct run *run, const struct script_save *save, struct v3dcl_saved *saved)
{
	struct v3dcl_plane plane = save->plane;
	uint32_t type = plane.bits == 32 ? V3D_TEXTURE_RGBA8888 : V3D_TEXTURE_RGB565;
	uint8_t *rgba = malloc((size_t)plane.width * plane.height * 4);
	int ret;

	if (!rgba)
		return v3dcl_fail(run->error, -ENOMEM, "no memory");
	saved->width = plane.width;
	saved->height = plane.height;
	saved->rgba = rgba;
	ret = v3dcl_picture(&plane, type, saved->bytes, saved->size, plane.width, plane.height,
			    rgba, run->error);
	if (!ret && save->flip)
		script_flip(rgba, plane.width, plane.height);
	return ret;
}

/* Hand something to the caller */
int run_save(struct run *run, const struct script_save *save)
{
	struct v3dcl_saved saved = { .name = save->name, .size = save->size };
	uint8_t *bytes;
	int ret = run_memory(run, save->thing, &bytes);

	if (ret)
		return ret;
	saved.bytes = bytes + save->offset;
	if (save->plane.width)
		ret = make_picture(run, save, &saved);
	if (!ret && run->options.saved) {
		ret = run->options.saved(run->options.opaque, &saved);
		if (ret)
			v3dcl_fail(run->error, ret, "%s was not taken: %s", save->name,
				   strerror(-ret));
	}
	free((void *)saved.rgba);
	return ret;
}
