// SPDX-License-Identifier: MIT
/* Textures by grammar: AG100 Tables 15 to 18. */
#include <v3d/words.h>

#include "image.h"
#include "make.h"

#define BITS(number, name, bits) [number] = (bits),
static const uint8_t texture_bits[32] = { V3D_TEXTURE_TYPES(BITS) };

/* Of what an image is made of, in bytes */
static uint32_t texture_log2(uint32_t type)
{
	return type == V3D_TEXTURE_ETC1 || texture_bits[type] == 64 ? 3 :
	       texture_bits[type] == 32 ? 2 :
								      texture_bits[type] == 16;
}

static uint32_t level_bytes(uint32_t type, uint32_t width, uint32_t height)
{
	const uint32_t log2 = texture_log2(type), block = type == V3D_TEXTURE_ETC1 ? 4 : 1,
		       w = image_parts(width, block), h = image_parts(height, block);

	return image_bytes(log2,
			   type == V3D_TEXTURE_RGBA32R	  ? V3D_RASTER :
			   image_is_lt(log2, w, h)	  ? V3D_LT_FORMAT :
							    V3D_T_FORMAT,
			   w, h);
}

/* Where the first level begins: smaller ones come before it */
static uint32_t texture_base(struct dice *d, bool wild, uint32_t type,
			     const struct v3d_texture1 *p1, uint32_t levels)
{
	uint32_t w = 1, h = 1, bytes = 0;

	while (w < p1->width)
		w *= 2;
	while (h < p1->height)
		h *= 2;
	for (uint32_t level = 1; level <= levels; level++)
		bytes += level_bytes(type, w >> level ? w >> level : 1,
				     h >> level ? h >> level : 1);
	return wild && one_in(d, 2) ? roll(d, 4) : (bytes + 4095) / 4096;
}

static uint32_t texture_size(struct dice *d, bool wild)
{
	return wild && one_in(d, 8) ? odd_number(d) & 0x7ff :
	       one_in(d, 100) ? 0 :
				      1 + roll(d, 1 << roll(d, 8));
}

#define SLIP(n) (wild && one_in(d, n))

/* The chip has raster textures of powers of two alone (HW-2898): few of others are tried. */
static uint32_t texture_width(struct dice *d, bool wild, uint32_t type)
{
	uint32_t width = texture_size(d, wild), power = 1;

	if (type != V3D_TEXTURE_RGBA32R || !width || SLIP(2) || one_in(d, 8))
		return width;
	while (power < width)
		power *= 2;
	return power & 0x7ff;
}

/* A side of a child image, in whole texels of each level where it need not be wrong */
static void child_side(struct dice *d, bool wild, uint32_t image, uint32_t step, uint32_t *at,
		       uint32_t *size)
{
	const uint32_t steps = image / step;

	*size = steps ? (1 + roll(d, steps)) * step : 1;
	*at = roll(d, steps - *size / step + 1) * step + SLIP(8);
}

static void child(struct dice *d, bool wild, const struct v3d_texture0 *p0,
		  const struct v3d_texture1 *p1, uint32_t *words)
{
	const uint32_t step = SLIP(4) ? 1 : 1 << p0->mip_levels;
	struct v3d_texture_child_offset at = { .ptype = 3 };
	struct v3d_texture_child_size size = { .ptype = 2 };

	if ((p0->cube || p1->width < step || p1->height < step) && !SLIP(4))
		return;
	child_side(d, wild, p1->width, step, &at.x, &size.width);
	child_side(d, wild, p1->height, step, &at.y, &size.height);
	words[2] = v3d_word_texture_child_size(&size);
	words[3] = v3d_word_texture_child_offset(&at);
}

/* One parameter that no lookup has, now and then, in one that is right otherwise */
enum {
	WRONG_LEVELS = 1,
	WRONG_STRIDE,
	WRONG_CHILD,
	WRONG_TWICE,	/* of one kind two, of the other none */
	WRONG_BIT,	/* that no field has */
	WRONG_CUBE,	/* of which there are no child images */
	WRONG_NONE = 40
};

static void wrong_further(struct dice *d, uint32_t wrong, uint32_t *words)
{
	const uint32_t which = 2 + roll(d, 2);

	if (wrong == WRONG_TWICE)
		words[which] = words[5 - which];
	if (wrong == WRONG_BIT)
		words[which] ^= 1u << (one_in(d, 8) ? 11 : 23 + roll(d, 7));
}

uint32_t make_texture(struct dice *d, bool wild, uint32_t parameters, uint32_t *words)
{
	static const uint8_t types[] = {
		V3D_TEXTURE_RGBA8888, V3D_TEXTURE_RGBX8888, V3D_TEXTURE_RGBA4444,
		V3D_TEXTURE_RGBA5551, V3D_TEXTURE_RGB565,
		V3D_TEXTURE_LUMINANCE, V3D_TEXTURE_ALPHA, V3D_TEXTURE_LUMALPHA, V3D_TEXTURE_ETC1,
		V3D_TEXTURE_S16F, V3D_TEXTURE_S8,
		V3D_TEXTURE_S16, V3D_TEXTURE_RGBA32R, V3D_TEXTURE_RGBA64,
	};
	const uint32_t type = SLIP(8) ? roll(d, 32) :
					types[roll(d, sizeof(types) - !one_in(d, 16))];
	struct v3d_texture1 p1 = { .wrap_s = roll(d, 4), .wrap_t = roll(d, 4), .minify = roll(d, 8),
				   .magnify = roll(d, 2) };
	struct v3d_texture0 p0 = { .mip_levels = one_in(d, 2) ? 0 : roll(d, SLIP(4) ? 16 : 12),
				   .flip_y = roll(d, 2),
				   .swizzle = roll(d, 4) };
	struct v3d_texture_cube cube = { .ptype = SLIP(8) ? roll(d, 4) : 1 };
	const uint32_t wrong = wild ? WRONG_NONE : roll(d, WRONG_NONE);

	if (wrong == WRONG_LEVELS)
		p0.mip_levels = 12 + roll(d, 4);
	p0.cube = (parameters > 2 || SLIP(8)) && one_in(d, 3);
	p0.type = type & 15;
	p1.type4 = type >> 4;
	p1.width = texture_width(d, wild, type);
	p1.height = texture_size(d, wild);
	p0.base = (p0.mip_levels ? texture_base(d, wild, type, &p1, p0.mip_levels) : roll(d, 2))
		  << 12;
	cube.stride = SLIP(8) ? roll(d, 1 << 18) : wrong == WRONG_STRIDE ? 0 : 1 + roll(d, 2);
	words[0] = v3d_word_texture0(&p0);
	words[1] = v3d_word_texture1(&p1);
	words[2] = p0.cube || SLIP(8) ? v3d_word_texture_cube(&cube) : dice_word(d) & 0x3fffffff;
	words[3] = SLIP(8) ? dice_word(d) : dice_word(d) & 0x3fffffff;
	if (parameters > 3 && (one_in(d, 3) || wrong == WRONG_TWICE || wrong == WRONG_CUBE))
		child(d, wild || wrong == WRONG_CHILD || wrong == WRONG_CUBE, &p0, &p1, words);
	if (parameters > 3)
		wrong_further(d, wrong, words);
	return p0.base + (p0.cube ? 5 * 4096 * cube.stride : 0) +
	       level_bytes(type, p1.width ? p1.width : 2048, p1.height ? p1.height : 2048);
}
