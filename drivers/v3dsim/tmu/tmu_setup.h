/* SPDX-License-Identifier: MIT */
/*
 * A texture as the set-up words of a lookup describe it (AG100 Tables 15 to 17), made ready for
 * many lookups.
 */
#ifndef V3DSIM_TMU_SETUP_H
#define V3DSIM_TMU_SETUP_H

#include "core/modes.h"
#include "texel.h"
#include "texture.h"

#define TMU_WORDS 4
#define TMU_LEVELS 16	/* what MIPLVLS can say */

/**
 * struct tmu_level - a mip level: where it lies; @width, @height in texels; @child_*: what
 * coordinates map to
 */
struct tmu_level {
	struct texture_layout layout;
	uint32_t width, height;
	uint32_t child_x, child_y, child_width, child_height;
};

/**
 * struct tmu_texture - a texture
 * @words: that it was made from; @valid: it was; @modes: set of the chip that it was made for;
 *	@struck: of these, what its lookups meet
 * @type: enum v3d_texture_type, or past its end
 * @wrap: enum v3d_wrap of s and t
 * @min_linear: minified, four texels are blended; @mag_linear: magnified
 * @mips: minified, the level is chosen; @mip_linear: and two of them are blended
 * @bias_only: no automatic level of detail
 * @cube_stride: bytes between faces
 * @last: the smallest level
 */
struct tmu_texture {
	uint32_t words[TMU_WORDS];
	uint64_t modes, struck;
	bool valid, cube, flip_y, etc_flip, child, min_linear, mag_linear, mips, mip_linear,
		bias_only;
	uint8_t type, wrap[2];
	uint32_t cube_stride;
	unsigned int last;
	const struct texel_format *format;
	struct tmu_level levels[TMU_LEVELS];
};

/**
 * tmu_setup() - makes a texture of its words, if it is not made of them already; words that a
 * lookup does not have are 0
 */
void tmu_setup(struct tmu_texture *texture, const uint32_t words[TMU_WORDS],
	       const struct chip_modes *chip);

#endif /* V3DSIM_TMU_SETUP_H */
