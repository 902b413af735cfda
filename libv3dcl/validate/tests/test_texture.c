// SPDX-License-Identifier: MIT
/*
 * Uniform streams and textures: extents worked out by hand from the layouts of T, LT and raster
 * images.
 */
#include "frame.h"

static struct frame_test frame, *t = &frame;

#define P0 8	/* where the texture's parameters are: after its handle and one number */
#define P1 12

/* A texture of a type and size at a base, in a BO of so many bytes */
struct texture {
	__u32 type, width, height, levels, base, bo_bytes, swizzle;
};

static bool check(const struct texture *texture)
{
	const struct v3d_texture0 p0 = {
		.type = texture->type & 15,
		.mip_levels = texture->levels ? texture->levels - 1 : 0,
		.base = texture->base,
		.flip_y = 1,
		.swizzle = texture->swizzle,
	};
	const struct v3d_texture1 p1 = {
		.type4 = texture->type >> 4,
		.width = texture->width & 2047,
		.height = texture->height & 2047,
		.magnify = 1,
	};
	__u32 words[2] = { v3d_word_texture0(&p0), v3d_word_texture1(&p1) };

	frame_start(t);
	memcpy(t->uniforms + P0, words, 8);
	t->bos[BO_TEXTURE].size = texture->bo_bytes;
	frame_end(t);
	return frame_check(t);
}

/* Just fits, and a byte less does not. */
static void exactly(__u32 type, __u32 width, __u32 height, __u32 base, __u32 bytes)
{
	struct texture texture = { type, width, height, 1, base, base + bytes, 2 };

	assert_true(check(&texture));
	texture.bo_bytes--;
	assert_false(check(&texture));
	assert_refusal(&t->job.refusal, UNIFORMS, TEXTURE_END, P0);
	assert_int_equal(t->job.refusal.found, texture.base + bytes);
}

/*
 * T-format tiles are 4 KiB: 32 by 32 pixels of 32 bits, 64 by 32 of 16, 64 by 64 of 8. LT up to 4
 * micro-tiles either way.
 */
TEST(test_first_level)
{
	(void)state;
	exactly(V3D_TEXTURE_RGBA8888, 64, 64, 0, 16384);
	exactly(V3D_TEXTURE_RGBA8888, 33, 33, 0, 16384);
	exactly(V3D_TEXTURE_RGBA8888, 17, 17, 0, 4096);
	exactly(V3D_TEXTURE_RGBX8888, 16, 17, 0, 16 * 20 * 4);	/* LT: whole micro-tiles */
	exactly(V3D_TEXTURE_RGBX8888, 1, 1, 0, 64);
	exactly(V3D_TEXTURE_RGBA8888, 2048, 16, 0, 2048 * 16 * 4);
	exactly(V3D_TEXTURE_RGBA8888, 2048, 2048, 0, 16777216);
	exactly(V3D_TEXTURE_RGBA4444, 33, 17, 0, 4096);
	exactly(V3D_TEXTURE_RGBA5551, 65, 17, 0, 8192);
	exactly(V3D_TEXTURE_RGB565, 32, 100, 0, 32 * 100 * 2);
	exactly(V3D_TEXTURE_LUMALPHA, 9, 5, 0, 16 * 8 * 2);
	exactly(V3D_TEXTURE_LUMINANCE, 33, 33, 0, 4096);
	exactly(V3D_TEXTURE_ALPHA, 65, 65, 0, 16384);
	exactly(V3D_TEXTURE_S8, 32, 33, 0, 32 * 40);
	exactly(V3D_TEXTURE_S16F, 64, 32, 0, 4096);
	exactly(V3D_TEXTURE_S16, 8, 4, 0, 64);
}

/*
 * ETC1 has blocks of 4 by 4 pixels and 8 bytes; micro-tiles of 2 by 4 blocks, T-format tiles of 16
 * by 32 blocks.
 */
TEST(test_etc1)
{
	(void)state;
	exactly(V3D_TEXTURE_ETC1, 4, 4, 0, 64);
	exactly(V3D_TEXTURE_ETC1, 9, 17, 0, 128 * 2);
	exactly(V3D_TEXTURE_ETC1, 64, 128, 0, 4096);
	exactly(V3D_TEXTURE_ETC1, 65, 129, 0, 4 * 4096);
}

TEST(test_raster)
{
	(void)state;
	exactly(V3D_TEXTURE_RGBA32R, 128, 50, 0, 128 * 50 * 4);
	exactly(V3D_TEXTURE_RGBA32R, 16, 2047, 0, 16 * 2047 * 4);
	exactly(V3D_TEXTURE_RGBA32R, 4, 1, 0, 16);
	exactly(V3D_TEXTURE_RGBA32R, 2048, 1, 0, 2048 * 4);
	exactly(V3D_TEXTURE_RGBA32R, 2048, 2048, 0, 16777216);
	/* Rows have 16 bytes at least */
	exactly(V3D_TEXTURE_RGBA32R, 1, 3, 0, 16 * 3);
	exactly(V3D_TEXTURE_RGBA32R, 2, 3, 4096, 16 * 3);
}

static void misread(struct texture texture, __u32 reads_as)
{
	assert_false(check(&texture));
	assert_refusal(&t->job.refusal, UNIFORMS, TEXTURE_RASTER_WIDTH, P0);
	assert_int_equal(t->job.refusal.found, texture.width);
	assert_int_equal(t->job.refusal.expected, reads_as);
}

/*
 * HW-2898: rows of 100 pixels are looked for every 128. Refused however large the BO is: what is
 * read there is not the texture.
 */
TEST(test_raster_width)
{
	static const __u32 widths[][2] = {
		{ 3, 4 }, { 5, 8 }, { 97, 128 }, { 100, 128 }, { 127, 128 }, { 129, 256 },
		{ 1023, 1024 }, { 1025, 2048 }, { 2047, 2048 },
	};
	struct texture texture = { V3D_TEXTURE_RGBA32R, 0, 50, 1, 0, 1 << 26, 0 };

	(void)state;
	for (size_t i = 0; i < sizeof(widths) / sizeof(widths[0]); i++) {
		texture.width = widths[i][0];
		misread(texture, widths[i][1]);
		texture.levels = 4;
		texture.base = 1 << 24;
		misread(texture, widths[i][1]);
		texture.levels = 1;
		texture.base = 0;
	}
	/* Where the image itself would fit, and where not even that does */
	misread((struct texture){ V3D_TEXTURE_RGBA32R, 100, 50, 1, 0, 100 * 50 * 4, 0 }, 128);
	misread((struct texture){ V3D_TEXTURE_RGBA32R, 100, 50, 1, 0, 4096, 0 }, 128);
	for (texture.width = 1; texture.width <= 2048; texture.width++)
		assert_int_equal(check(&texture), __builtin_popcount(texture.width) == 1);
	/* Other types are tiled, and heights are as they are. */
	texture = (struct texture){ V3D_TEXTURE_RGBA8888, 100, 50, 1, 0, 1 << 26, 0 };
	assert_true(check(&texture));
}

/* Base addresses are in pages. */
TEST(test_base)
{
	struct texture texture = { V3D_TEXTURE_RGBA8888, 64, 64, 1, 0xfffff000, 0xffffffff, 0 };

	(void)state;
	exactly(V3D_TEXTURE_RGBA8888, 64, 64, 4096, 16384);
	assert_false(check(&texture));
	assert_refusal(&t->job.refusal, UNIFORMS, TEXTURE_END, P0);
	texture.base = 0xfffff000 - 16384 + 4096;
	assert_false(check(&texture));
	assert_refusal(&t->job.refusal, UNIFORMS, TEXTURE_END, P0);
}

static void levels(struct texture texture, __u32 bytes_below)
{
	texture.base = (bytes_below + 4095) & ~4095u;
	texture.bo_bytes = 1 << 26;
	if (!check(&texture))
		print_message("# %u by %u: %u bytes needed\n", texture.width, texture.height,
			      (unsigned int)t->job.refusal.expected);
	assert_true(check(&texture));
	texture.base = (bytes_below - 1) & ~4095u;
	assert_false(check(&texture));
	assert_refusal(&t->job.refusal, UNIFORMS, TEXTURE_LEVELS, P0);
	assert_int_equal(t->job.refusal.expected, bytes_below);
}

/*
 * Levels below the base. 64 by 64 of 32 bits: 32 by 32 is one T-format tile, 16, 8 and 4 are LT, 2
 * and 1 one micro-tile each. Sizes that are no powers of two have levels of the next power's.
 */
TEST(test_levels)
{
	const __u32 all = 4096 + 1024 + 256 + 64 + 64 + 64;

	(void)state;
	levels((struct texture){ V3D_TEXTURE_RGBA8888, 64, 64, 2, 0, 0, 0 }, 4096);
	levels((struct texture){ V3D_TEXTURE_RGBA8888, 64, 64, 7, 0, 0, 0 }, all);
	levels((struct texture){ V3D_TEXTURE_RGBA8888, 33, 64, 7, 0, 0, 0 }, all);
	/* More levels than there are: each is one pixel. */
	levels((struct texture){ V3D_TEXTURE_RGBA8888, 64, 64, 12, 0, 0, 0 }, all + 5 * 64);
	/* 128 by 16: LT from the start */
	levels((struct texture){ V3D_TEXTURE_RGBA8888, 128, 16, 3, 0, 0, 0 },
	       64 * 8 * 4 + 32 * 4 * 4);
	levels((struct texture){ V3D_TEXTURE_RGBA32R, 64, 64, 3, 0, 0, 0 },
	       32 * 32 * 4 + 16 * 16 * 4);
	levels((struct texture){ V3D_TEXTURE_RGBA32R, 64, 33, 3, 0, 0, 0 },
	       (32 * 32 + 16 * 16) * 4);
	/* 8 by 2, then rows of 16 bytes: 4, 2, 1 and 1 pixels, one each */
	levels((struct texture){ V3D_TEXTURE_RGBA32R, 8, 2, 5, 0, 0, 0 }, 4 * 16);
	levels((struct texture){ V3D_TEXTURE_RGBA32R, 2048, 1, 2, 0, 0, 0 }, 1024 * 4);
	/* 128 by 128 pixels of ETC1 are 32 by 32 blocks, then 16 by 16 in LT */
	levels((struct texture){ V3D_TEXTURE_ETC1, 128, 256, 2, 0, 0, 0 }, 16 * 32 * 8);
	/* 2048 by 2048 with all its levels: a third more */
	levels((struct texture){ V3D_TEXTURE_RGBA8888, 2048, 2048, 2, 0, 0, 0 }, 4194304);
}

TEST(test_level_count)
{
	struct texture texture = { V3D_TEXTURE_RGBA8888, 64, 64, 13, 1 << 20, 1 << 26, 0 };

	(void)state;
	assert_false(check(&texture));
	assert_refusal(&t->job.refusal, UNIFORMS, TEXTURE_LEVEL_COUNT, P0);
}

TEST(test_types)
{
	static const __u8 unknown[] = {
		V3D_TEXTURE_BW1, V3D_TEXTURE_A4, V3D_TEXTURE_A1, V3D_TEXTURE_YUYV422R,
		V3D_TEXTURE_RGBA64, 18, 31,
	};
	unsigned int i;

	(void)state;
	for (i = 0; i < sizeof(unknown); i++) {
		struct texture texture = { unknown[i], 8, 8, 1, 0, 1 << 20, 0 };

		assert_false(check(&texture));
		assert_refusal(&t->job.refusal, UNIFORMS, TEXTURE_TYPE, P0);
	}
}

TEST(test_texture_bo)
{
	__u32 handle = BO_FS;

	(void)state;
	frame_start(t);
	t->bos[BO_TEXTURE].address += 2048;
	assert_false(frame_check(t));
	assert_refusal(&t->job.refusal, UNIFORMS, TEXTURE_BO_ALIGNMENT, P0);
	frame_start(t);
	memcpy(t->uniforms, &handle, 4);
	assert_false(frame_check(t));
	assert_refusal(&t->job.refusal, UNIFORMS, BO_PLAIN, 0);
	frame_start(t);
	handle = BOS;
	memcpy(t->uniforms, &handle, 4);
	assert_false(frame_check(t));
	assert_refusal(&t->job.refusal, UNIFORMS, BO_INDEX, 0);
}

/* A fragment shader that writes all four parameters; its stream is handle, p0 to p3. */
static bool check_four(const struct v3d_texture0 *p0, const struct v3d_texture1 *p1, __u32 p2,
		       __u32 p3, __u32 bo_bytes)
{
	__u8 rest[24];

	frame_start(t);
	shader_begin(&t->fs);
	shader_emit(&t->fs, qb_mov(QB_TMU0_T, QB_R1));
	shader_emit(&t->fs, qb_mov(QB_TMU0_R, QB_R1));
	shader_emit(&t->fs, qb_mov(QB_TMU0_B, QB_R1));
	shader_emit(&t->fs, qb_mov(QB_TMU0_S, QB_R1));
	shader_emit(&t->fs, qb_signal(V3D_QPU_SIG_LOAD_TMU0, qb_nop()));
	shader_finish(&t->fs);
	memcpy(rest, t->uniforms + 16, sizeof(rest));
	t->uniforms_size = 0;
	uniform(t, BO_TEXTURE);
	uniform(t, v3d_word_texture0(p0));
	uniform(t, v3d_word_texture1(p1));
	uniform(t, p2);
	uniform(t, p3);
	memcpy(t->uniforms + t->uniforms_size, rest, sizeof(rest));
	t->uniforms_size += sizeof(rest);
	t->bos[BO_TEXTURE].size = bo_bytes;
	frame_end(t);
	return frame_check(t);
}

static bool check_cube(bool cube, __u32 p2, __u32 p3, __u32 bo_bytes)
{
	const struct v3d_texture0 p0 = {
		.type = V3D_TEXTURE_RGBA8888, .cube = cube, .base = 4096, .mip_levels = 1
	};
	const struct v3d_texture1 p1 = { .width = 32, .height = 32 };

	return check_four(&p0, &p1, p2, p3, bo_bytes);
}

#define STRIDE(pages) (1u << 30 | (pages) << 12)

TEST(test_cube)
{
	(void)state;
	/* Six faces every two pages, the first level of the first at one page */
	assert_true(check_cube(true, STRIDE(2), 0, 4096 + 5 * 8192 + 4096));
	assert_true(check_cube(true, 0, STRIDE(2), 4096 + 5 * 8192 + 4096));
	assert_false(check_cube(true, STRIDE(2), 0, 4096 + 5 * 8192 + 4095));
	assert_refusal(&t->job.refusal, UNIFORMS, TEXTURE_END, 4);
	assert_false(check_cube(true, 0, 0, 1 << 20));
	assert_refusal(&t->job.refusal, UNIFORMS, TEXTURE_CUBE_STRIDE, 4);
	assert_false(check_cube(true, STRIDE(0), 0, 1 << 20));
	assert_refusal(&t->job.refusal, UNIFORMS, TEXTURE_CUBE_STRIDE, 4);
	assert_false(check_cube(true, STRIDE(2), STRIDE(2), 1 << 20));
	assert_refusal(&t->job.refusal, UNIFORMS, TEXTURE_CUBE_STRIDE, 4);
	/* Strides whose fivefold wraps, or whose sum with the base does */
	assert_false(check_cube(true, STRIDE(0x33334), 0, 1 << 20));
	assert_refusal(&t->job.refusal, UNIFORMS, TEXTURE_END, 4);
	assert_false(check_cube(true, STRIDE(0x33333), 0, 1 << 20));
	assert_refusal(&t->job.refusal, UNIFORMS, TEXTURE_END, 4);
	/* No cube map: a stride, or the "bias only" bit beside it, means nothing */
	assert_true(check_cube(false, STRIDE(0x3ffff) | 1, 0, 8192));
}

#define SIZE(w, h) (2u << 30 | (h) << 12 | (w))
#define OFFSET(x, y) (3u << 30 | (y) << 12 | (x))

/* In an image of 100 by 40 texels with so many levels: AG100 Table 17 */
static bool check_child(__u32 p2, __u32 p3, __u32 levels)
{
	const struct v3d_texture0 p0 = { .type = V3D_TEXTURE_RGBA8888, .base = 1 << 16,
					 .mip_levels = levels - 1 };
	const struct v3d_texture1 p1 = { .width = 100, .height = 40 };

	return check_four(&p0, &p1, p2, p3, 1 << 20);
}

TEST(test_child)
{
	static const __u32 beyond[][2] = {
		{ SIZE(101, 40), OFFSET(0, 0) },
		{ SIZE(100, 41), OFFSET(0, 0) },
		{ SIZE(100, 40), OFFSET(1, 0) },
		{ SIZE(100, 40), OFFSET(0, 1) },
		{ SIZE(1, 1), OFFSET(100, 0) },
		{ SIZE(1, 1), OFFSET(0, 40) },
		{ SIZE(2047, 1), OFFSET(2047, 0) },
		{ SIZE(1, 2047), OFFSET(0, 2047) },
		/* 0 is 2048 */
		{ SIZE(0, 1), OFFSET(0, 0) },
		{ SIZE(1, 0), OFFSET(0, 0) },
	};
	static const __u32 wrong[][2] = {
		{ SIZE(8, 8), 0 }, { 0, OFFSET(8, 8) }, { SIZE(8, 8), SIZE(8, 8) },
		{ OFFSET(8, 8), OFFSET(8, 8) }, { SIZE(8, 8), STRIDE(1) },
		{ SIZE(8, 8) | 1 << 11, OFFSET(0, 0) }, { SIZE(8, 8) | 1 << 23, OFFSET(0, 0) },
		{ SIZE(8, 8), OFFSET(0, 0) | 1 << 11 }, { SIZE(8, 8), OFFSET(0, 0) | 1 << 29 },
	};

	(void)state;
	assert_true(check_child(SIZE(100, 40), OFFSET(0, 0), 1));
	assert_true(check_child(OFFSET(99, 39), SIZE(1, 1), 1));
	assert_true(check_child(SIZE(60, 20), OFFSET(40, 20), 1));
	for (size_t i = 0; i < sizeof(beyond) / sizeof(beyond[0]); i++) {
		assert_false(check_child(beyond[i][0], beyond[i][1], 1));
		assert_refusal(&t->job.refusal, UNIFORMS, TEXTURE_CHILD_END, 4);
	}
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		assert_false(check_child(wrong[i][0], wrong[i][1], 1));
		assert_refusal(&t->job.refusal, UNIFORMS, TEXTURE_CHILD, 4);
	}
}

/*
 * With three levels, sides are multiples of 4; images of 2048 and cube maps have no child images.
 */
TEST(test_child_images)
{
	struct v3d_texture0 p0 = { .type = V3D_TEXTURE_LUMINANCE };
	struct v3d_texture1 p1 = { .width = 64, .height = 64 };

	(void)state;
	assert_true(check_child(SIZE(60, 20), OFFSET(40, 20), 3));
	assert_false(check_child(SIZE(60, 20), OFFSET(38, 20), 3));
	assert_refusal(&t->job.refusal, UNIFORMS, TEXTURE_CHILD_END, 4);
	assert_false(check_child(SIZE(58, 20), OFFSET(40, 20), 3));
	assert_false(check_child(SIZE(60, 20), OFFSET(40, 19), 3));
	assert_false(check_child(SIZE(60, 17), OFFSET(40, 20), 3));
	assert_true(check_child(SIZE(58, 18), OFFSET(40, 20), 2));
	assert_true(check_four(&p0, &p1, SIZE(8, 8), OFFSET(8, 8), 1 << 23));
	p1.width = 0;
	assert_false(check_four(&p0, &p1, SIZE(8, 8), OFFSET(8, 8), 1 << 23));
	assert_refusal(&t->job.refusal, UNIFORMS, TEXTURE_CHILD_END, 4);
	p1 = (struct v3d_texture1){ .width = 64 };
	assert_false(check_four(&p0, &p1, SIZE(8, 8), OFFSET(8, 8), 1 << 23));
	assert_refusal(&t->job.refusal, UNIFORMS, TEXTURE_CHILD_END, 4);
	p1.height = 64;
	p0.cube = 1;
	assert_false(check_four(&p0, &p1, SIZE(8, 8), OFFSET(8, 8), 1 << 23));
	assert_refusal(&t->job.refusal, UNIFORMS, TEXTURE_CHILD, 4);
}

/* The vertex shader's direct read: handle at 16, limit at 20, base at 24, BO of 4096 bytes */
static bool check_direct(__u32 base, __u32 limit)
{
	frame_start(t);
	memcpy(t->uniforms + 20, &limit, 4);
	memcpy(t->uniforms + 24, &base, 4);
	frame_end(t);
	return frame_check(t);
}

TEST(test_direct)
{
	(void)state;
	assert_true(check_direct(0, 4092));
	assert_true(check_direct(4092, 0));
	assert_true(check_direct(1000, 3092));
	assert_false(check_direct(1000, 3093));
	assert_refusal(&t->job.refusal, UNIFORMS, DIRECT_LIMIT, 24);
	assert_int_equal(t->job.refusal.found, 3093);
	assert_int_equal(t->job.refusal.expected, 3092);
	assert_false(check_direct(4093, 0));
	assert_refusal(&t->job.refusal, UNIFORMS, DIRECT_BASE, 24);
	assert_false(check_direct(0xfffffffc, 0));
	assert_refusal(&t->job.refusal, UNIFORMS, DIRECT_BASE, 24);
	/* A limit below 0 lets the clamp give numbers below 0. */
	assert_false(check_direct(0, 0x80000000));
	assert_refusal(&t->job.refusal, UNIFORMS, DIRECT_LIMIT, 24);
	assert_false(check_direct(4, 0xfffffffc));
	assert_refusal(&t->job.refusal, UNIFORMS, DIRECT_LIMIT, 24);
	assert_false(check_direct(8, 0xfffffffc));
	assert_refusal(&t->job.refusal, UNIFORMS, DIRECT_LIMIT, 24);
	/* Even where the BO is large enough for it, taken as a number without sign */
	frame_start(t);
	t->bos[BO_BUFFER].size = 0xe0000000;
	memcpy(t->uniforms + 20, &(__u32){ 0x80000000 }, 4);
	frame_end(t);
	assert_false(frame_check(t));
	assert_refusal(&t->job.refusal, UNIFORMS, DIRECT_LIMIT, 24);
	/* Base and limit that wrap together */
	frame_start(t);
	t->bos[BO_BUFFER].size = 0xe0000000;
	memcpy(t->uniforms + 20, &(__u32){ 0x40000000 }, 4);
	memcpy(t->uniforms + 24, &(__u32){ 0xc0000000 }, 4);
	frame_end(t);
	assert_false(frame_check(t));
	assert_refusal(&t->job.refusal, UNIFORMS, DIRECT_LIMIT, 24);
}

TEST(test_tiny_bo)
{
	(void)state;
	frame_start(t);
	t->bos[BO_BUFFER].size = 3;
	assert_false(frame_check(t));
	assert_refusal(&t->job.refusal, UNIFORMS, DIRECT_BASE, 24);
}

TEST(test_short)
{
	__u32 size;

	(void)state;
	/* Fragment shader: handle and 3 words; vertex and coordinate shader: handle and 2 words */
	for (size = 0; size < 40; size++) {
		frame_start(t);
		t->uniforms_size = size;
		assert_false(frame_check(t));
		assert_refusal(&t->job.refusal, UNIFORMS, UNIFORMS_SHORT,
			       size < 16 ? 0 :
			       size < 28 ? 16 :
					   28);
	}
}

/* Where a shader sets its uniforms address, the stream has its own address. */
TEST(test_resets)
{
	__u32 streams;

	(void)state;
	frame_start(t);
	shader_start(&t->fs);
	shader_emit(&t->fs, qb_mov(QB_R0, QB_UNIF));
	shader_reset(&t->fs, 1);
	shader_emit(&t->fs, qb_mov(QB_R0, QB_UNIF));
	shader_finish(&t->fs);
	t->uniforms[0] = 0x11;
	t->uniforms[4] = 0x22;
	t->uniforms[8] = 0x33;
	memmove(t->uniforms + 12, t->uniforms + 16, 24);
	frame_end(t);
	assert_true(frame_check(t));
	streams = (t->bin_size + 15) / 16 * 16 + (t->records_size + 15) / 16 * 16;
	assert_int_equal(t->exec.bytes[streams], 0x11);
	assert_int_equal(word_at(t->exec.bytes + streams + 4), 0x20000000 + streams);
	assert_int_equal(t->exec.bytes[streams + 8], 0x33);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_first_level),
		cmocka_unit_test(test_etc1),
		cmocka_unit_test(test_raster), cmocka_unit_test(test_raster_width),
		cmocka_unit_test(test_base),
		cmocka_unit_test(test_levels),
		cmocka_unit_test(test_level_count),
		cmocka_unit_test(test_types),
		cmocka_unit_test(test_texture_bo),
		cmocka_unit_test(test_cube),
		cmocka_unit_test(test_child),
		cmocka_unit_test(test_child_images),
		cmocka_unit_test(test_direct),
		cmocka_unit_test(test_tiny_bo),
		cmocka_unit_test(test_short),
		cmocka_unit_test(test_resets),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
