// SPDX-License-Identifier: MIT
/*
 * Set-up words of texture lookups: see tmu_setup.h.
 *
 * HW (what Mesa relies on): level 0 has the size that the words give; smaller levels lie below it,
 * each right below the larger one, their sizes those of the next powers of two, halved; a level is
 * in LT-format if it is at most four micro-tiles wide or high. Coordinates map to level 0's own
 * size, halved and rounded down.
 *
 * What the guide leaves open, here:
 * - Minification filters 6 and 7, which do not exist, are as 4 and 5.
 * - Of two words with the same PTYPE the later counts. A child image of size 0 is 2048 wide or
 *   high, as an image is. Child images of smaller levels have halved sizes and offsets; texels
 *   beyond the image's edge are those at its edge.
 * - Rows of a raster image are padded to 16 bytes.
 *
 * Errata: HW-2898 makes rows of raster images as long as the next power of two. What fails in child
 * images of 2048 (HW-2753) is not established: their size is 0, so that all coordinates lead to the
 * first texel.
 */
#include <string.h>
#include <sys/param.h>

#include "tmu_setup.h"

static uint32_t size_of(uint32_t field)
{
	return field ? field : 2048;
}

static uint32_t minified(uint32_t size, unsigned int level)
{
	return MAX(size >> level, 1);
}

static uint32_t power_of_two_from(uint32_t size)
{
	return size > 1 ? 1u << (32 - __builtin_clz(size - 1)) : 1;
}

/* A mode decides how the texture is addressed. Return: the chip has it */
static bool strike(struct tmu_texture *texture, enum v3d_chip_mode mode)
{
	const uint64_t bit = UINT64_C(1) << mode;

	texture->struck |= texture->modes & bit;
	return texture->modes & bit;
}

static uint32_t units(uint32_t size, unsigned int down)
{
	return (size + (1u << down) - 1) >> down;
}

static unsigned int memory_format(const struct texel_format *format, uint32_t width,
				  uint32_t height)
{
	if (format->raster)
		return V3D_RASTER;
	return width <= 4u << format->row || height <= 4u * TEXTURE_MICRO_TILE >> format->row ?
		       V3D_LT_FORMAT :
		       V3D_T_FORMAT;
}

/* Level n lies below all the larger ones; of a power of two, but for level 0. */
static void set_up_levels(struct tmu_texture *texture, uint32_t base, uint32_t width,
			  uint32_t height)
{
	const struct texel_format *format = texture->format;
	const bool stretched = format->raster && width != power_of_two_from(width) &&
			       strike(texture, V3D_CHIP_HW_2898);

	for (unsigned int n = 0; n < TMU_LEVELS && n <= texture->last; n++) {
		struct tmu_level *level = &texture->levels[n];
		const uint32_t row = n || stretched ? minified(power_of_two_from(width), n) : width;
		const uint32_t across = units(row, format->x_down) << format->unit;
		const uint32_t down = units(n ? minified(power_of_two_from(height), n) : height,
					    format->y_down);

		texture_lay_out(&level->layout, base, memory_format(format, across, down),
				format->row, across, down);
		if (n) {
			base -= level->layout.bytes;
			level->layout.base = base;
		}
		level->width = level->child_width = minified(width, n);
		level->height = level->child_height = minified(height, n);
		level->child_x = level->child_y = 0;
	}
}

/* HW-2753: 2,048 texels are none */
static uint32_t child_size_of(struct tmu_texture *texture, uint32_t field)
{
	return field || strike(texture, V3D_CHIP_HW_2753) ? field : 2048;
}

static void set_up_child(struct tmu_texture *texture, const struct v3d_texture_child_size *size,
			 const struct v3d_texture_child_offset *offset)
{
	texture->child = true;
	for (unsigned int n = 0; n < TMU_LEVELS && n <= texture->last; n++) {
		struct tmu_level *level = &texture->levels[n];

		if (size->ptype == 2) {
			level->child_width = minified(child_size_of(texture, size->width), n);
			level->child_height = minified(child_size_of(texture, size->height), n);
		}
		level->child_x = offset->x >> n;
		level->child_y = offset->y >> n;
	}
}

/* Words 2 and 3 say themselves what they are. */
static void set_up_more(struct tmu_texture *texture)
{
	struct v3d_texture_child_size size = { 0 };
	struct v3d_texture_child_offset offset = { 0 };

	for (unsigned int n = 2; n < TMU_WORDS; n++) {
		struct v3d_texture_cube cube;

		v3d_parse_texture_cube(texture->words[n], &cube);
		if (cube.ptype == 1) {
			texture->cube_stride = (uint32_t)cube.stride << 12;
			texture->bias_only = cube.bias_only;
		} else if (cube.ptype == 2) {
			v3d_parse_texture_child_size(texture->words[n], &size);
		} else if (cube.ptype == 3) {
			v3d_parse_texture_child_offset(texture->words[n], &offset);
		}
	}
	if (size.ptype || offset.ptype)
		set_up_child(texture, &size, &offset);
}

void tmu_setup(struct tmu_texture *texture, const uint32_t words[TMU_WORDS],
	       const struct chip_modes *chip)
{
	struct v3d_texture0 first;
	struct v3d_texture1 second;
	unsigned int minify;

	if (texture->valid && texture->modes == chip->set &&
	    !memcmp(texture->words, words, sizeof(texture->words)))
		return;
	v3d_parse_texture0(words[0], &first);
	v3d_parse_texture1(words[1], &second);
	minify = second.minify < 6 ? second.minify : second.minify - 2;
	texture->valid = true;
	texture->modes = chip->set;
	texture->struck = 0;
	memcpy(texture->words, words, sizeof(texture->words));
	texture->type = first.type | second.type4 << 4;
	texture->format = &texel_formats[texture->type];
	texture->cube = first.cube;
	texture->flip_y = first.flip_y;
	texture->etc_flip = second.etc_flip;
	texture->child = texture->bias_only = false;
	texture->cube_stride = 0;
	texture->wrap[0] = second.wrap_s;
	texture->wrap[1] = second.wrap_t;
	texture->min_linear = (minify == 0 || minify >= 4) && texture->format->blend != TEXEL_POINT;
	texture->mag_linear = !second.magnify && texture->format->blend != TEXEL_POINT;
	texture->last = first.mip_levels;
	texture->mips = minify >= 2 && texture->last;
	texture->mip_linear = (minify == 3 || minify == 5) && texture->format->blend != TEXEL_POINT;
	set_up_levels(texture, first.base, size_of(second.width), size_of(second.height));
	set_up_more(texture);
}
