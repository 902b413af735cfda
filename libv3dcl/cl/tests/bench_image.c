// SPDX-License-Identifier: MIT
/*
 * How fast images are tiled and untiled, beside a plain loop that works out the address of each
 * unit: one run, both, and the ratio. Not a test: nothing is expected of it.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/param.h>

#include "../../base/helpers.h"
#include "v3dcl_image.h"

#define SIDE 2048u
#define ROUNDS 5

/*
 * Where byte column @x of row @y is; all but the place is constant where this is inlined, so that
 * it is shifts and masks
 */
static inline __attribute__((always_inline)) uint32_t place(uint32_t format, unsigned int row_log2,
							    uint32_t stride, uint32_t x, uint32_t y)
{
	static const uint16_t order[2][4] = { { 0, 3072, 1024, 2048 }, { 2048, 1024, 3072, 0 } };
	const uint32_t rows_log2 = 6 - row_log2, mx = x >> row_log2, my = y >> rows_log2,
		       odd = my >> 3 & 1;
	const uint32_t inside = (y & ((1u << rows_log2) - 1)) << row_log2 |
				(x & ((1u << row_log2) - 1));

	if (format == V3D_LT_FORMAT)
		return my * stride + mx * 64 + inside;
	return (my >> 3) * stride + (odd ? stride - 4096 - (mx >> 3) * 4096 : (mx >> 3) * 4096) +
	       order[odd][(my >> 2 & 1) << 1 | (mx >> 2 & 1)] + (my & 3) * 256 + (mx & 3) * 64 +
	       inside;
}

static inline __attribute__((always_inline)) void loop(const struct v3dcl_plane *plane,
						       uint32_t format, uint32_t bytes,
						       uint8_t *memory, uint8_t *linear, bool store)
{
	uint32_t x, y;

	for (y = 0; y < plane->height; y++) {
		for (x = 0; x < plane->width; x++, linear += bytes) {
			uint8_t *at = memory + place(format, bytes == 1 ? 3 : 4, plane->stride,
						     x * bytes, y);

			if (store)
				memcpy(at, linear, bytes);
			else
				memcpy(linear, at, bytes);
		}
	}
}

#define LOOP(bytes) \
	case 8 * (bytes): \
		if (plane->format == V3D_T_FORMAT && store) \
			loop(plane, V3D_T_FORMAT, bytes, memory, linear, true); \
		else if (plane->format == V3D_T_FORMAT) \
			loop(plane, V3D_T_FORMAT, bytes, memory, linear, false); \
		else if (store) \
			loop(plane, V3D_LT_FORMAT, bytes, memory, linear, true); \
		else \
			loop(plane, V3D_LT_FORMAT, bytes, memory, linear, false); \
		break;

static void plain(const struct v3dcl_plane *plane, uint8_t *memory, uint8_t *linear, bool store)
{
	switch (plane->bits) {
	LOOP(1)
	LOOP(2)
	LOOP(4)
	LOOP(8)
	}
}

/* Seconds of the fastest of some rounds */
static double measure(const struct v3dcl_plane *plane, uint8_t *memory, uint8_t *linear, bool store,
		      bool ours)
{
	const size_t stride = (size_t)plane->width * plane->bits / 8;
	int64_t best = INT64_MAX, start, took;
	int round;

	for (round = 0; round < ROUNDS; round++) {
		start = now_ns();
		if (!ours)
			plain(plane, memory, linear, store);
		else if (store)
			v3dcl_plane_store(plane, memory, plane->size, NULL, linear, stride, NULL);
		else
			v3dcl_plane_load(plane, memory, plane->size, NULL, linear, stride, NULL);
		took = now_ns() - start;
		best = MIN(took, best);
	}
	return best / 1e9;
}

static void row(uint32_t format, uint32_t bits, bool store)
{
	struct v3dcl_plane plane = {
		.format = format, .bits = bits, .width = SIDE, .height = SIDE
	};
	uint8_t *memory, *linear;
	double ours, theirs;

	if (v3dcl_plane_lay_out(&plane, NULL))
		return;
	memory = calloc(1, plane.size);
	linear = calloc(1, (size_t)SIDE * SIDE * bits / 8);
	if (memory && linear) {
		theirs = measure(&plane, memory, linear, store, false);
		ours = measure(&plane, memory, linear, store, true);
		printf("  %s %2u bits %s: %.2f GB/s, plain loop %.2f GB/s, %.1f times as fast\n",
		       format == V3D_T_FORMAT ? "T " : "LT", bits, store ? "store" : "load ",
		       plane.size / ours / 1e9,
		       plane.size / theirs / 1e9, theirs / ours);
	}
	free(memory);
	free(linear);
}

int main(void)
{
	static const uint32_t sizes[] = { 8, 16, 32, 64 };
	unsigned int n, store;

	for (n = 0; n < COUNT(sizes); n++) {
		for (store = 0; store < 2; store++) {
			row(V3D_T_FORMAT, sizes[n], store);
			row(V3D_LT_FORMAT, sizes[n], store);
		}
	}
	return 0;
}
