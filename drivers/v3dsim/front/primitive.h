/* SPDX-License-Identifier: MIT */
/*
 * What travels from the vertex side to the binner and to primitive set-up: AG100 Figures 10 to 12.
 *
 * Floats are the QPU's: no NaN is ever made, denormals are 0.
 */
#ifndef V3DSIM_PRIMITIVE_H
#define V3DSIM_PRIMITIVE_H

#include <stdbool.h>

#include <stdbool.h>
#include <stdint.h>

#include <v3d/packets.h>

/* words of varyings that a shaded vertex may have: what its VPM segment can hold */
#define PRIMITIVE_VARYINGS 64

/**
 * struct vertex - a shaded vertex
 * @index: of the vertex in its draw, 0 to 65535; VG has none
 * @xs: screen x in 1/16 of a pixel, relative to the viewport's centre; @ys likewise
 * @zs: screen Z, 0 to 1
 * @one_over_wc: 1 / Wc
 * @point_size: in pixels; shaders that write one only
 * @clip: Xc, Yc, Zc, Wc: with the clip header only, that is on the binning side, or in NV mode with
 *	the header
 * @varying: as many as the shader record says; points have two more before them and lines one (HW)
 */
struct vertex {
	uint32_t index;
	int16_t xs, ys;
	float zs, one_over_wc, point_size;
	float clip[4];
	float varying[PRIMITIVE_VARYINGS];
};

/**
 * struct primitive_shader - the fragment side of a shader record, read once
 * @code: address of the fragment shader; @uniforms likewise
 * @varyings: how many a vertex has
 * @point_size: vertices have a point size; else record 98 has it
 */
struct primitive_shader {
	uint32_t code, uniforms;
	uint8_t varyings;
	bool point_size;
};

/**
 * struct primitive - a point, line, triangle or RHT, in the order of its vertices
 * @kind: how many vertices: 1, 2, 3, 2
 * @vertex: valid until the block that was given it returns DONE
 * @provoking: which of them gives flat varyings their value
 * @flat: whose varyings flat ones take; NULL: those of the provoking vertex. A clipped primitive's
 *	come from the original vertex.
 * @shader: what shades it
 * @clipping: to be clipped: the shader record says so and the vertices have their clip coordinates
 * @point_sizes: the vertices have a point size
 */
struct primitive {
	enum v3d_list_primitive kind;
	const struct vertex *vertex[3];
	unsigned int provoking;
	const struct vertex *flat;
	const struct primitive_shader *shader;
	bool clipping, point_sizes;
};

#endif /* V3DSIM_PRIMITIVE_H */
