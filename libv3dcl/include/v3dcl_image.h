/* SPDX-License-Identifier: MIT */
/*
 * Images as the V3D has them in memory: raster, T-format and LT-format (AG100 Section 11), mip
 * levels and cube maps, texture set-up words, pixels of all 18 texture types.
 *
 * A plane is one array of units: of pixels, or of the blocks of a compressed type. What a caller
 * has beside it is linear: rows of units behind each other, the lowest bits first where a unit is
 * smaller than a byte. Row 0 is the first in memory; the V3D takes it for the bottom.
 */
#ifndef V3DCL_IMAGE_H
#define V3DCL_IMAGE_H

#include <v3d/words.h>

#include "v3dcl_cl.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * struct v3dcl_plane - how units lie in memory
 * @format: enum v3d_memory_format
 * @bits: of a unit: 1, 4, 8, 16, 32 or 64
 * @width: in units, at least 1
 * @height: rows
 * @stride: bytes from row to row (raster), from row to row of micro-tiles (LT), of tiles (T)
 * @size: bytes in all, with padding
 */
struct v3dcl_plane {
	uint32_t format, bits;
	uint32_t width, height;
	uint32_t stride, size;
};

/**
 * v3dcl_plane_lay_out() - compute stride and size
 * @plane: the rest of it is given; a @stride given for raster format is kept if it suffices
 * @error: filled where the call fails; NULL for none
 *
 * Return: 0, or -EINVAL: no such format or unit, or 2 GiB and more
 */
int v3dcl_plane_lay_out(struct v3dcl_plane *plane, struct v3dcl_error *error);

/**
 * v3dcl_plane_offset() - where a unit begins in memory
 * @plane: laid out
 * @x: column of the unit, below the plane's width
 * @y: row of the unit, below the plane's height
 *
 * Return: the byte, from the plane's start
 */
uint32_t v3dcl_plane_offset(const struct v3dcl_plane *plane, uint32_t x, uint32_t y);

/**
 * struct v3dcl_rectangle - a part of a plane
 * @x: first column, in units
 * @y: first row, in units
 * @width: units; where they are smaller than a byte, the part begins and ends with bytes
 * @height: units
 */
struct v3dcl_rectangle {
	uint32_t x, y, width, height;
};

/**
 * v3dcl_plane_load() - from the V3D's memory to linear units
 * @plane: laid out
 * @memory: the plane's first byte
 * @size: bytes there are from there on
 * @part: what of it, or NULL for all
 * @linear: the part's first row
 * @stride: bytes from row to row of @linear
 * @error: filled where the call fails; NULL for none
 *
 * Return: 0, or -EINVAL: the plane is not laid out or larger than @size, the part is not in it,
 * @stride is too small
 */
int v3dcl_plane_load(const struct v3dcl_plane *plane, const void *memory, size_t size,
		     const struct v3dcl_rectangle *part, void *linear, size_t stride,
		     struct v3dcl_error *error);

/**
 * v3dcl_plane_store() - from linear units to the V3D's memory
 * @plane: laid out
 * @memory: the plane's first byte
 * @size: bytes there are from there on
 * @part: what of it, or NULL for all
 * @linear: the part's first row
 * @stride: bytes from row to row of @linear
 * @error: filled where the call fails; NULL for none
 *
 * Return: 0, or -EINVAL as v3dcl_plane_load()
 */
int v3dcl_plane_store(const struct v3dcl_plane *plane, void *memory, size_t size,
		      const struct v3dcl_rectangle *part, const void *linear, size_t stride,
		      struct v3dcl_error *error);

/**
 * V3DCL_LEVELS - most mip levels: 2048 down to 1
 */
#define V3DCL_LEVELS 12
/**
 * V3DCL_FACES - of a cube map
 */
#define V3DCL_FACES 6

/**
 * struct v3dcl_level - a mip level of an image
 * @plane: where its units lie; of smaller levels it has the size of a power of two
 * @offset: of the plane, from the start of the image, in face 0
 * @width: texels, of which there may be fewer than the plane has room for
 * @height: texels
 */
struct v3dcl_level {
	struct v3dcl_plane plane;
	uint32_t offset, width, height;
};

/**
 * struct v3dcl_image - a texture in memory: AG100 "Texture Data Storage"
 * @type: enum v3d_texture_type
 * @width: texels, 1 to 2048
 * @height: texels, 1 to 2048
 * @levels: 1 to V3DCL_LEVELS, no more than it takes to get to 1 x 1
 * @cube: six faces
 * @base: computed: offset of level 0, a multiple of 4096; smaller levels lie below it
 * @face_stride: computed: from face to face, a multiple of 4096; 0 for a single one
 * @size: computed: bytes in all
 * @level: computed
 */
struct v3dcl_image {
	uint32_t type, width, height, levels;
	bool cube;
	uint32_t base, face_stride, size;
	struct v3dcl_level level[V3DCL_LEVELS];
};

/**
 * v3dcl_image_lay_out() - compute where everything is
 * @image: type, width, height, levels and cube are given; the rest is filled
 * @error: filled where the call fails; NULL for none
 *
 * Return: 0, or -EINVAL: a type, size or number of levels that does not exist
 */
int v3dcl_image_lay_out(struct v3dcl_image *image, struct v3dcl_error *error);

/**
 * struct v3dcl_texture_type - what a texture type is made of
 * @name: as in V3D_TEXTURE_<name>
 * @unit_bits: of a unit
 * @block_width: texels that a unit has
 * @block_height: rows of texels that a unit has
 * @raster: never tiled
 */
struct v3dcl_texture_type {
	const char *name;
	uint32_t unit_bits, block_width, block_height;
	bool raster;
};

/**
 * v3dcl_texture_info() - what a texture type is made of: AG100 Table 18
 * @type: enum v3d_texture_type
 *
 * Return: a constant, or NULL for a type that does not exist
 */
const struct v3dcl_texture_type *v3dcl_texture_info(uint32_t type);

/**
 * struct v3dcl_texture - how an image is sampled
 * @image: laid out
 * @address: of its start
 * @wrap_s: enum v3d_wrap
 * @wrap_t: enum v3d_wrap
 * @minify: 0 to 5: AG100 Table 19
 * @magnify: 0 linear, 1 nearest
 * @swizzle: cache swizzle
 * @flip_y: flip the Y axis
 * @etc_flip: flip Y inside blocks of ETC1
 * @bias_only: no automatic level of detail; cube maps only
 * @child: only the window from (@child_x, @child_y) of @child_width x @child_height; not for cube
 *	maps
 * @child_x: texels
 * @child_y: texels
 * @child_width: 1 to 2048
 * @child_height: 1 to 2048
 */
struct v3dcl_texture {
	const struct v3dcl_image *image;
	struct v3dcl_address address;
	uint32_t wrap_s, wrap_t, minify, magnify, swizzle;
	bool flip_y, etc_flip, bias_only, child;
	uint32_t child_x, child_y, child_width, child_height;
};

/**
 * struct v3dcl_texture_words - uniforms of a texture lookup: AG100 Tables 15 to 17
 * @base: address that is added to word 0: v3dcl_block_address(stream, base, word[0], error)
 * @word: in the order in which the TMU's registers are written
 * @count: how many there are: 2; 3 for cube maps; 4 for child images
 */
struct v3dcl_texture_words {
	struct v3dcl_address base;
	uint32_t word[4], count;
};

/**
 * v3dcl_texture_pack() - the words of a texture
 * @texture: of an image that is laid out; of a raster type it is as wide as a power of two, since
 *	the chip misreads all others (HW-2898, AG100 Appendix A)
 * @words: set
 * @error: filled where the call fails; NULL for none
 *
 * Return: 0, or -EINVAL: a value that its field does not know, a bad address, another such width
 */
int v3dcl_texture_pack(const struct v3dcl_texture *texture, struct v3dcl_texture_words *words,
		       struct v3dcl_error *error);

/**
 * v3dcl_pixels_to_rgba() - linear units of a texture type to 8-bit red, green, blue, alpha
 * @type: enum v3d_texture_type
 * @units: first row
 * @stride: bytes from row to row of @units
 * @width: texels
 * @height: texels
 * @rgba: 4 @width bytes a row
 * @error: filled where the call fails; NULL for none
 *
 * Luminance becomes grey, alpha alone black with that alpha, 16-bit floats are cut to 0 to 1; YUYV
 * is taken for BT.601's.
 *
 * Return: 0, or -EINVAL: no such type, or @stride is too small
 */
int v3dcl_pixels_to_rgba(uint32_t type, const void *units, size_t stride, uint32_t width,
			 uint32_t height, uint8_t *rgba, struct v3dcl_error *error);

/**
 * v3dcl_pixels_from_rgba() - the way back, to the nearest that the type has; luminance is what is
 * red, as in OpenGL
 * @type: enum v3d_texture_type
 * @rgba: 4 @width bytes a row
 * @width: texels
 * @height: texels
 * @units: first row
 * @stride: bytes from row to row of @units
 * @error: filled where the call fails; NULL for none
 *
 * Return: 0, or -EINVAL: no such type, or @stride is too small
 */
int v3dcl_pixels_from_rgba(uint32_t type, const uint8_t *rgba, uint32_t width, uint32_t height,
			   void *units, size_t stride, struct v3dcl_error *error);

/**
 * v3dcl_picture() - a plane of the V3D's memory as a picture
 * @plane: laid out; units of 16 bits are rgb565, of 32 bits rgba8888, or those of @type
 * @type: enum v3d_texture_type whose units the plane has
 * @memory: the plane's first byte
 * @size: bytes there are from there on
 * @width: texels
 * @height: texels
 * @rgba: 4 @width bytes a row, row 0 first
 * @error: filled where the call fails; NULL for none
 *
 * Return: 0, -EINVAL or -ENOMEM
 */
int v3dcl_picture(const struct v3dcl_plane *plane, uint32_t type, const void *memory, size_t size,
		  uint32_t width, uint32_t height, uint8_t *rgba, struct v3dcl_error *error);

/**
 * v3dcl_picture_lay_out() - the plane that a picture takes
 * @plane: filled
 * @type: enum v3d_texture_type of its units
 * @format: enum v3d_memory_format; below 0 for what the hardware takes for a texture of that type
 *	and size
 * @width: texels
 * @height: texels
 * @error: filled where the call fails; NULL for none
 *
 * Return: 0 or -EINVAL
 */
int v3dcl_picture_lay_out(struct v3dcl_plane *plane, uint32_t type, int format, uint32_t width,
			  uint32_t height, struct v3dcl_error *error);

/**
 * v3dcl_picture_store() - a picture into a plane of the V3D's memory, the way back of
 * v3dcl_picture()
 * @plane: laid out by v3dcl_picture_lay_out() for the same type and size
 * @type: enum v3d_texture_type whose units the plane has
 * @rgba: 4 @width bytes a row, row 0 first
 * @width: texels
 * @height: texels
 * @memory: the plane's first byte
 * @size: bytes there are from there on
 * @error: filled where the call fails; NULL for none
 *
 * Return: 0, -EINVAL or -ENOMEM
 */
int v3dcl_picture_store(const struct v3dcl_plane *plane, uint32_t type, const uint8_t *rgba,
			uint32_t width, uint32_t height, void *memory, size_t size,
			struct v3dcl_error *error);

/**
 * v3dcl_png_read() - the pixels of a PNG file
 * @bytes: of the file
 * @size: of it
 * @rgba: the pixels are appended, 4 @width bytes a row, the uppermost row first
 * @width: set
 * @height: set
 * @error: filled where the call fails; NULL for none
 *
 * Return: 0, -EINVAL for what is no PNG file or has more than 4096 pixels across or down, -ENOMEM,
 * -EOPNOTSUPP where the library was built without libpng
 */
int v3dcl_png_read(const uint8_t *bytes, size_t size, struct v3dcl_buffer *rgba, uint32_t *width,
		   uint32_t *height, struct v3dcl_error *error);

/**
 * v3dcl_png_write() - a PNG file of pixels
 * @rgba: 4 @width bytes a row, the uppermost row first
 * @width: 1 to 16384
 * @height: 1 to 16384
 * @out: the file's bytes are appended
 * @error: filled where the call fails; NULL for none
 *
 * Return: 0, -EINVAL for another size, -ENOMEM, -EOPNOTSUPP as above
 */
int v3dcl_png_write(const uint8_t *rgba, uint32_t width, uint32_t height, struct v3dcl_buffer *out,
		    struct v3dcl_error *error);

#ifdef __cplusplus
}
#endif

#endif /* V3DCL_IMAGE_H */
