/* SPDX-License-Identifier: (GPL-2.0-only OR MIT) */
/*
 * The 32-bit words that a QPU program hands to a unit beside it: VPM and DMA set-up, texture
 * configuration, stencil set-up. Described once, like the records of packets.h: struct v3d_<name>,
 * v3d_word_<name>() packs, v3d_parse_<name>() unpacks.
 */
#ifndef V3D_WORDS_H
#define V3D_WORDS_H

#include <v3d/packets.h>

/* W(NAME, name) */
#define V3D_WORDS(W) \
	W(VPM_WRITE_SETUP, vpm_write_setup)	/* AG100 Table 32 */ \
	W(VPM_READ_SETUP, vpm_read_setup)	/* Table 33 */ \
	W(VDW_SETUP, vdw_setup)			/* Table 34 */ \
	W(VDW_STRIDE, vdw_stride)		/* Table 35 */ \
	W(VDR_SETUP, vdr_setup)			/* Table 36 */ \
	W(VDR_STRIDE, vdr_stride)		/* Table 37 */ \
	W(TEXTURE0, texture0)			/* Table 15 */ \
	W(TEXTURE1, texture1)			/* Table 16 */ \
	W(TEXTURE_CUBE, texture_cube)		/* Table 17, PTYPE 1 */ \
	W(TEXTURE_CHILD_SIZE, texture_child_size)	/* Table 17, PTYPE 2 */ \
	W(TEXTURE_CHILD_OFFSET, texture_child_offset)	/* Table 17, PTYPE 3 */ \
	W(STENCIL_SETUP, stencil_setup)		/* Table 27 */ \
	W(STENCIL_MASKS, stencil_masks)		/* Table 28 */

#define V3D_VPM_WRITE_SETUP_FIELDS(F, o) \
	F(o, address, U, 0, 8) \
	F(o, size, U, 8, 2)			/* enum v3d_vpm_size */ \
	F(o, laned, U, 10, 1) \
	F(o, horizontal, U, 11, 1) \
	F(o, stride, U, 12, 6)			/* 0 is 64 */ \
	F(o, id, U, 30, 2)			/* 0 */
#define V3D_VPM_READ_SETUP_FIELDS(F, o) \
	F(o, address, U, 0, 8) \
	F(o, size, U, 8, 2) \
	F(o, laned, U, 10, 1) \
	F(o, horizontal, U, 11, 1) \
	F(o, stride, U, 12, 6)			/* 0 is 64 */ \
	F(o, number, U, 20, 4)			/* of vectors, 0 is 16 */ \
	F(o, id, U, 30, 2)			/* 0 */
#define V3D_VDW_SETUP_FIELDS(F, o) \
	F(o, modew, U, 0, \
	  3) /* 0 32-bit, 2 to 3 16-bit with half-word offset, 4 to 7 8-bit with byte offset */ \
	F(o, x, U, 3, 4) /* VPMBASE */ \
	F(o, y, U, 7, 7) \
	F(o, horizontal, U, 14, 1) \
	F(o, laned, U, 15, 1) \
	F(o, depth, U, 16, 7) /* row length, 0 is 128 */ \
	F(o, units, U, 23, 7) /* rows, 0 is 128 */ \
	F(o, id, U, 30, 2) /* 2 */
#define V3D_VDW_STRIDE_FIELDS(F, o) \
	F(o, stride, U, 0, 16)			/* HW: 16 bits, where the guide says 13 */ \
	F(o, blockmode, U, 16, 1)		/* guide: packs rows in the VPM; SW: a row each */ \
	F(o, id, U, 30, 2)			/* 3 */
#define V3D_VDR_SETUP_FIELDS(F, o) \
	F(o, x, U, 0, 4)			/* ADDRXY */ \
	F(o, y, U, 4, 7) \
	F(o, vertical, U, 11, 1) \
	F(o, vpitch, U, 12, 4)			/* 0 is 16 */ \
	F(o, nrows, U, 16, 4)			/* 0 is 16 */ \
	F(o, rowlen, U, 20, 4)			/* 0 is 16 */ \
	F(o, mpitch, U, 24, 4)			/* 0: from VDR_STRIDE, else 8 << mpitch bytes */ \
	F(o, modew, U, 28, 3)			/* 1 is no VDR_SETUP but a VDR_STRIDE */ \
	F(o, id, U, 31, 1)			/* 1 */
#define V3D_VDR_STRIDE_FIELDS(F, o) \
	F(o, mpitchb, U, 0, 14) /* HW: at least 14 bits, where the guide says 13 */ \
	F(o, id, U, 28, 4) /* 9 */
#define V3D_TEXTURE0_FIELDS(F, o) \
	F(o, mip_levels, U, 0, 4)		/* minus 1 */ \
	F(o, type, U, 4, 4)			/* enum v3d_texture_type, bits 3:0 */ \
	F(o, flip_y, U, 8, 1) \
	F(o, cube, U, 9, 1) \
	F(o, swizzle, U, 10, 2) \
	F(o, base, A, 12, 20)
#define V3D_TEXTURE1_FIELDS(F, o) \
	F(o, wrap_s, U, 0, 2)			/* enum v3d_wrap */ \
	F(o, wrap_t, U, 2, 2) \
	F(o, minify, U, 4, 3) \
	F(o, magnify, U, 7, 1) \
	F(o, width, U, 8, 11)			/* 0 is 2048 */ \
	F(o, etc_flip, U, 19, 1) \
	F(o, height, U, 20, 11)			/* 0 is 2048 */ \
	F(o, type4, U, 31, 1)			/* enum v3d_texture_type, bit 4 */
#define V3D_TEXTURE_CUBE_FIELDS(F, o) \
	F(o, bias_only, U, 0, 1) \
	F(o, stride, U, 12, 18)			/* in 4 KiB */ \
	F(o, ptype, U, 30, 2)			/* 1 */
#define V3D_TEXTURE_CHILD_SIZE_FIELDS(F, o) \
	F(o, width, U, 0, 11) \
	F(o, height, U, 12, 11) \
	F(o, ptype, U, 30, 2)			/* 2 */
#define V3D_TEXTURE_CHILD_OFFSET_FIELDS(F, o) \
	F(o, x, U, 0, 11) \
	F(o, y, U, 12, 11) \
	F(o, ptype, U, 30, 2)			/* 3 */
#define V3D_STENCIL_SETUP_FIELDS(F, o) \
	F(o, mask, U, 0, 8) \
	F(o, value, U, 8, 8) \
	F(o, function, U, 16, 3)		/* enum v3d_compare */ \
	F(o, stencil_fail, U, 19, 3)		/* enum v3d_stencil_op */ \
	F(o, z_pass, U, 22, 3) \
	F(o, z_fail, U, 25, 3) \
	F(o, write_mask_code, U, 28, 2)		/* 0x1, 0x3, 0xf, 0xff */ \
	F(o, select, U, 30, 2)			/* 1 front, 2 back, 3 both */
#define V3D_STENCIL_MASKS_FIELDS(F, o) \
	F(o, front, U, 0, 8) \
	F(o, back, U, 8, 8) \
	F(o, id, U, 30, 2)			/* 0 */

enum v3d_vpm_size { V3D_VPM_8BIT, V3D_VPM_16BIT, V3D_VPM_32BIT };

enum v3d_wrap { V3D_WRAP_REPEAT, V3D_WRAP_CLAMP, V3D_WRAP_MIRROR, V3D_WRAP_BORDER };

enum v3d_stencil_op {
	V3D_STENCIL_ZERO, V3D_STENCIL_KEEP, V3D_STENCIL_REPLACE, V3D_STENCIL_INCSAT,
	V3D_STENCIL_DECSAT, V3D_STENCIL_INVERT,
	V3D_STENCIL_INC, V3D_STENCIL_DEC
};

/* X(number, NAME, bits a pixel): AG100 Table 18 */
#define V3D_TEXTURE_TYPES(X) \
	X(0, RGBA8888, 32) X(1, RGBX8888, 32) X(2, RGBA4444, 16) X(3, RGBA5551, 16) \
	X(4, RGB565, 16) X(5, LUMINANCE, 8) X(6, ALPHA, 8) X(7, LUMALPHA, 16) X(8, ETC1, 4) \
	X(9, S16F, 16) X(10, S8, 8) X(11, S16, 16) X(12, BW1, 1) X(13, A4, 4) X(14, A1, 1) \
	X(15, RGBA64, 64) X(16, RGBA32R, 32) X(17, YUYV422R, 32)
#define V3D_TEXTURE_TYPE_CONSTANT(number, NAME, bits) V3D_TEXTURE_##NAME = (number),
enum v3d_texture_type { V3D_TEXTURE_TYPES(V3D_TEXTURE_TYPE_CONSTANT) };

#define V3D_PARSE_FIELD(o, name, type, low, bits) \
	out->name = V3D_DECODE_##type(word >> (low) & ~(__u32)0 >> (32 - (bits)), bits);
#define V3D_DEFINE_WORD(NAME, name) \
	V3D_DEFINE(NAME, name, 4, 0) \
	static inline void v3d_parse_##name(__u32 word, struct v3d_##name *out) \
	{ \
		V3D_##NAME##_FIELDS(V3D_PARSE_FIELD, 0) \
	} \
	static inline __u32 v3d_word_##name(const struct v3d_##name *in) \
	{ \
		__u8 bytes[4]; \
		v3d_pack_fields_##name(bytes, in); \
		return v3d_get_bits(bytes, 0, 32); \
	}

V3D_WORDS(V3D_DEFINE_WORD)

#endif /* V3D_WORDS_H */
