// SPDX-License-Identifier: MIT
/*
 * Textures in memory, and the words that tell the TMU of them: AG100 "Texture Data Storage", Tables
 * 15 to 18.
 *
 * Level 0 is at the base; each smaller level lies right below the larger one. Their sizes follow
 * from the next powers of two of level 0's; a level is in LT-format if it is at most four
 * micro-tiles wide or high (HW).
 */
#include <errno.h>
#include <sys/param.h>

#include "../base/helpers.h"
#include "cl.h"
#include "layout.h"
#include "v3dcl_image.h"

#define PAGE 4096u		/* base addresses and strides of cube maps count in these */
#define MOST 2048u		/* texels across or down */

#define COUNT_TYPE(number, NAME, bits) + 1
enum { TYPES = 0 V3D_TEXTURE_TYPES(COUNT_TYPE) };

const struct v3dcl_texture_type *v3dcl_texture_info(uint32_t type)
{
#define DESCRIBE_TYPE(number, NAME, bits) [number] = { #NAME, bits, 1, 1, false },
	static const struct v3dcl_texture_type types[TYPES] = { V3D_TEXTURE_TYPES(DESCRIBE_TYPE) };
	/* What Table 18 says only in words */
	static const struct v3dcl_texture_type etc1 = { "ETC1", 64, 4, 4, false },
					       rgba32r = { "RGBA32R", 32, 1, 1, true },
					       yuyv = { "YUYV422R", 32, 2, 1, true };

	switch (type) {
	case V3D_TEXTURE_ETC1:
		return &etc1;
	case V3D_TEXTURE_RGBA32R:
		return &rgba32r;
	case V3D_TEXTURE_YUYV422R:
		return &yuyv;
	default:
		return type < TYPES ? &types[type] : NULL;
	}
}

/* Four micro-tiles across or down, in units: AG100 "Micro-tiles" */
static bool is_lt(const struct v3dcl_plane *plane)
{
	const uint32_t row = cl_micro_row(plane->bits), across = 8 * row / plane->bits,
		       down = CL_MICRO_TILE / row;

	return plane->width <= 4 * across || plane->height <= 4 * down;
}

static int lay_out_level(struct v3dcl_image *image, const struct v3dcl_texture_type *type,
			 uint32_t n, struct v3dcl_error *error)
{
	const uint32_t width = n ? v3dcl_smaller(v3dcl_power_of_two_from(image->width), n) :
				   image->width;
	const uint32_t height = n ? v3dcl_smaller(v3dcl_power_of_two_from(image->height), n) :
				    image->height;
	struct v3dcl_level *level = &image->level[n];

	level->width = v3dcl_smaller(image->width, n);
	level->height = v3dcl_smaller(image->height, n);
	level->plane = (struct v3dcl_plane){
		.bits = type->unit_bits,
		.width = howmany(width, type->block_width),
		.height = howmany(height, type->block_height),
	};
	level->plane.format = type->raster ? V3D_RASTER :
			      is_lt(&level->plane) ? V3D_LT_FORMAT : V3D_T_FORMAT;
	return v3dcl_plane_lay_out(&level->plane, error);
}

static int check_image(const struct v3dcl_image *image, const struct v3dcl_texture_type *type,
		       struct v3dcl_error *error)
{
	if (!type)
		return v3dcl_fail(error, -EINVAL, "there is no texture type %u", image->type);
	if (!image->width || image->width > MOST || !image->height || image->height > MOST)
		return v3dcl_fail(error, -EINVAL,
				  "a texture of %u x %u: it has 1 x 1 to %u x %u texels",
				  image->width, image->height, MOST, MOST);
	if (!image->levels || image->levels > V3DCL_LEVELS ||
	    (image->levels > 1 && !((image->width | image->height) >> (image->levels - 1))))
		return v3dcl_fail(error, -EINVAL, "%u levels of a texture of %u x %u",
				  image->levels, image->width, image->height);
	return 0;
}

int v3dcl_image_lay_out(struct v3dcl_image *image, struct v3dcl_error *error)
{
	const struct v3dcl_texture_type *type = v3dcl_texture_info(image->type);
	uint32_t below = 0, n;
	int ret = check_image(image, type, error);

	for (n = 0; n < image->levels && !ret; n++)
		ret = lay_out_level(image, type, n, error);
	if (ret)
		return ret;
	for (n = 1; n < image->levels; n++)
		below += image->level[n].plane.size;
	image->base = roundup(below, PAGE);
	image->level[0].offset = image->base;
	for (n = 1, below = image->base; n < image->levels; n++) {
		below -= image->level[n].plane.size;
		image->level[n].offset = below;
	}
	image->size = image->base + image->level[0].plane.size;
	image->face_stride = image->cube ? roundup(image->size, PAGE) : 0;
	image->size += image->face_stride * (V3DCL_FACES - 1);
	return 0;
}

struct limit {
	const char *name;
	uint32_t value, most;
};

static int check_limits(const struct limit *limits, unsigned int count, struct v3dcl_error *error)
{
	unsigned int i;

	for (i = 0; i < count; i++)
		if (limits[i].value > limits[i].most)
			return v3dcl_fail(error, -EINVAL, "a texture's %s is %u: at most %u exists",
					  limits[i].name, limits[i].value, limits[i].most);
	return 0;
}

/* HW-2898: the chip looks for the rows of such a texture as if its width were a power of two. */
static int check_raster(const struct v3dcl_image *image, struct v3dcl_error *error)
{
	const struct v3dcl_texture_type *type = v3dcl_texture_info(image->type);

	if (!type || !type->raster || !(image->width & (image->width - 1)))
		return 0;
	return v3dcl_fail(error, -EINVAL,
			  "a raster texture is %u texels wide, which the chip misreads (HW-2898): "
			  "pad it to a power of two", image->width);
}

static int check_texture(const struct v3dcl_texture *texture, struct v3dcl_error *error)
{
	const struct limit limits[] = {
		{ "wrap_s", texture->wrap_s, V3D_WRAP_BORDER },
		{ "wrap_t", texture->wrap_t, V3D_WRAP_BORDER },
		{ "minify", texture->minify, 5 },
		{ "magnify", texture->magnify, 1 },
		{ "swizzle", texture->swizzle, 3 },
	};
	const struct limit child[] = {
		{ "child_x", texture->child_x, MOST - 1 },
		{ "child_y", texture->child_y, MOST - 1 },
		{ "child_width", texture->child_width, MOST },
		{ "child_height", texture->child_height, MOST },
	};
	int ret = check_limits(limits, COUNT(limits), error);

	if (!ret && texture->child)
		ret = check_limits(child, COUNT(child), error);
	if (!ret)
		ret = check_raster(texture->image, error);
	if (ret)
		return ret;
	if (texture->child && (!texture->child_width || !texture->child_height))
		return v3dcl_fail(error, -EINVAL, "a texture's child image has no texels");
	if (texture->child && texture->image->cube)
		return v3dcl_fail(error, -EINVAL, "a cube map has no child images");
	if (texture->bias_only && !texture->image->cube)
		return v3dcl_fail(error, -EINVAL, "only cube maps can have the bias alone");
	return 0;
}

int v3dcl_texture_pack(const struct v3dcl_texture *texture, struct v3dcl_texture_words *words,
		       struct v3dcl_error *error)
{
	const struct v3dcl_image *image = texture->image;
	const struct v3d_texture0 first = {
		.mip_levels = image->levels - 1,
		.type = image->type & 15,
		.flip_y = texture->flip_y,
		.cube = image->cube,
		.swizzle = texture->swizzle,
	};
	const struct v3d_texture1 second = {
		.wrap_s = texture->wrap_s,
		.wrap_t = texture->wrap_t,
		.minify = texture->minify,
		.magnify = texture->magnify,
		.width = image->width % MOST,
		.etc_flip = texture->etc_flip,
		.height = image->height % MOST,
		.type4 = image->type >> 4,
	};
	const struct v3d_texture_cube cube = { .bias_only = texture->bias_only,
					       .stride = image->face_stride / PAGE, .ptype = 1 };
	const struct v3d_texture_child_size size = {
		.width = texture->child_width % MOST,
		.height = texture->child_height % MOST,
		.ptype = 2,
	};
	const struct v3d_texture_child_offset offset = { .x = texture->child_x,
							 .y = texture->child_y, .ptype = 3 };
	int ret = check_texture(texture, error);

	if (ret)
		return ret;
	if (texture->address.offset % PAGE)
		return v3dcl_fail(error, -EINVAL, "a texture is at 0x%x, no multiple of %u",
				  texture->address.offset, PAGE);
	*words = (struct v3dcl_texture_words){
		.base = { texture->address.bo, texture->address.offset + image->base },
		.word = { v3d_word_texture0(&first), v3d_word_texture1(&second) },
		.count = image->cube ? 3 : texture->child ? 4 : 2,
	};
	if (image->cube)
		words->word[2] = v3d_word_texture_cube(&cube);
	if (texture->child) {
		words->word[2] = v3d_word_texture_child_size(&size);
		words->word[3] = v3d_word_texture_child_offset(&offset);
	}
	return 0;
}
