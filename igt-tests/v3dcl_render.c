// SPDX-License-Identifier: MIT
/*
 * Render lists without primitives: clears, loads and stores. Where a pixel lies in memory is worked
 * out here anew, from AG100 "Texture Memory Formats" and drm_fourcc.h's words on
 * DRM_FORMAT_MOD_BROADCOM_VC4_T_TILED, and every pixel is looked at. Needs the ioctls of vc4 only,
 * so the kernel's own driver can be judged too.
 */
#include "v3dcl_igt.h"

IGT_TEST_DESCRIPTION("Render jobs without primitives: every format and tiling, clears, loads, "
		     "stores, multisample, clipping");

static int drm_fd = -1;

#define GUARD 0xa5		/* what memory holds that must not be written */
#define BEFORE 4096		/* bytes of guard before and after a surface */

static const char *const format_names[] = { "raster", "t", "lt" };

/* A surface in the middle of a BO full of guard bytes */
struct surface {
	struct bo bo;
	unsigned int width, height, format, cpp, stride, bytes;
};

static unsigned int round_up(unsigned int value, unsigned int to)
{
	return (value + to - 1) / to * to;
}

/* Where pixel (x, y) starts, in bytes */
static unsigned int place(const struct surface *s, unsigned int x, unsigned int y)
{
	/* [y][x] */
	static const uint8_t even[2][2] = { { 0, 3 }, { 1, 2 } },
			     odd[2][2] = { { 2, 1 }, { 3, 0 } };
	unsigned int micro_width = 16 / s->cpp, micro_x = x / micro_width, micro_y = y / 4;
	unsigned int inside = (y % 4 * micro_width + x % micro_width) * s->cpp;
	unsigned int row, column, sub;

	switch (s->format) {
	case V3D_RASTER:
		return y * s->stride + x * s->cpp;
	case V3D_LT_FORMAT:
		return (micro_y * (s->stride / 16) + micro_x) * 64 + inside;
	default:
		row = micro_y / 8;
		column = micro_x / 8;
		if (row % 2)
			column = s->stride / 128 - 1 - column;
		sub = (row % 2 ? odd : even)[micro_y / 4 % 2][micro_x / 4 % 2];
		return (row * (s->stride / 128) + column) * 4096 + sub * 1024 +
		       (micro_y % 4 * 4 + micro_x % 4) * 64 + inside;
	}
}

static struct surface surface_make(int fd, unsigned int width, unsigned int height,
				   unsigned int format, unsigned int cpp)
{
	bool t = format == V3D_T_FORMAT;
	struct surface s = { .width = width, .height = height, .format = format, .cpp = cpp };

	s.stride = round_up(width * cpp, t ? 128 : 16);
	s.bytes = s.stride * round_up(height, t ? 32 : format == V3D_LT_FORMAT ? 4 : 1);
	s.bo = bo_create(fd, round_up(s.bytes + 2 * BEFORE, 4096));
	memset(s.bo.map, GUARD, s.bo.size);
	return s;
}

static uint32_t get_pixel(const struct surface *s, unsigned int x, unsigned int y)
{
	const uint8_t *p = (const uint8_t *)s->bo.map + BEFORE + place(s, x, y);

	return s->cpp == 4 ? *(const uint32_t *)p : *(const uint16_t *)p;
}

static void put_pixel(const struct surface *s, unsigned int x, unsigned int y, uint32_t value)
{
	uint8_t *p = (uint8_t *)s->bo.map + BEFORE + place(s, x, y);

	if (s->cpp == 4)
		*(uint32_t *)p = value;
	else
		*(uint16_t *)p = value;
}

/* Nothing outside the surface was written */
static void check_guard(const struct surface *s)
{
	const uint8_t *bytes = (const uint8_t *)s->bo.map;
	unsigned int i;

	for (i = 0; i < s->bo.size; i++)
		if (i < BEFORE || i >= BEFORE + s->bytes)
			igt_assert_f(bytes[i] == GUARD, "byte %d of the surface's %u was written\n",
				     (int)i - BEFORE, s->bytes);
}

static void surface_free(int fd, struct surface *s)
{
	check_guard(s);
	bo_destroy(fd, &s->bo);
}

#define check_pixel(s, x, y, want) \
	do { \
		uint32_t pixel_got = get_pixel(s, x, y), pixel_want = (want); \
		igt_assert_f(pixel_got == pixel_want, "pixel (%u, %u) is %#x, not %#x\n", x, y, \
			     pixel_got, pixel_want); \
	} while (0)

static void write_color(struct render *r, const struct surface *s, unsigned int frame_pixel)
{
	render_surface(r, &r->submit.color_write, s->bo.handle, BEFORE,
		       RENDER_PIXEL(frame_pixel) | RENDER_FORMAT(s->format));
}

static void read_color(struct render *r, const struct surface *s, unsigned int pixel)
{
	render_surface(r, &r->submit.color_read, s->bo.handle, BEFORE,
		       SURFACE(V3D_BUFFER_COLOR, s->format, pixel));
}

/*
 * Five bits as eight and back are the same whether one truncates or rounds: the upper bits repeated
 */
static uint32_t widen(uint32_t bgr565)
{
	uint32_t r = bgr565 >> 11, g = bgr565 >> 5 & 63, b = bgr565 & 31;

	return (r << 3 | r >> 2) | (g << 2 | g >> 4) << 8 | (b << 3 | b >> 2) << 16 | 0xffu << 24;
}

/* A colour to clear to. Dithering leaves the ends of each channel's range alone: 31, 0, 31. */
static uint32_t frame_color(unsigned int frame_pixel)
{
	static const uint32_t colors[] = { [V3D_FRAME_BGR565_DITHERED] = 0xf81f,
					   [V3D_FRAME_RGBA8888] = 0x81c23d7f,
					   [V3D_FRAME_BGR565] = 0x9b4d };

	return colors[frame_pixel];
}

/* --- clears ----------------------------------------------------------------------------------- */

static void clear(int fd, unsigned int width, unsigned int height, unsigned int format,
		  unsigned int frame_pixel)
{
	bool wide = frame_pixel == V3D_FRAME_RGBA8888;
	struct surface s = surface_make(fd, width, height, format, wide ? 4 : 2);
	struct render *r = render_new(width, height);
	uint32_t color = frame_color(frame_pixel);
	unsigned int x, y;

	render_clear(r, wide ? color : widen(color), 0, 0);
	write_color(r, &s, frame_pixel);
	render_finish(fd, r);
	for (y = 0; y < height; y++)
		for (x = 0; x < width; x++)
			check_pixel(&s, x, y, color);
	surface_free(fd, &s);
}

static void clear_sizes(int fd)
{
	static const uint16_t sizes[][2] = { { 1, 1 }, { 63, 65 }, { 64, 64 },
					     { 1024, 1 }, { 1, 300 }, { 260, 33 } };
	unsigned int i, format;

	for (i = 0; i < ARRAY_SIZE(sizes); i++)
		for (format = V3D_RASTER; format <= V3D_LT_FORMAT; format++)
			clear(fd, sizes[i][0], sizes[i][1], format, V3D_FRAME_RGBA8888);
}

/* The clear colour is two pixels: they alternate along x */
static void clear_pair(int fd)
{
	struct surface s = surface_make(fd, 100, 70, V3D_RASTER, 4);
	struct render *r = render_new(100, 70);
	unsigned int x, y;

	render_clear(r, 0x11223344, 0, 0);
	r->submit.clear_color[1] = 0x99aabbcc;
	write_color(r, &s, V3D_FRAME_RGBA8888);
	render_finish(fd, r);
	for (y = 0; y < 70; y++)
		for (x = 0; x < 100; x++)
			check_pixel(&s, x, y, x % 2 ? 0x99aabbcc : 0x11223344);
	surface_free(fd, &s);
}

static void write_zs(struct render *r, const struct surface *s)
{
	render_surface(r, &r->submit.zs_write, s->bo.handle, BEFORE,
		       SURFACE(V3D_BUFFER_ZS, s->format, 0));
}

static void clear_zs(int fd, unsigned int format)
{
	struct surface s = surface_make(fd, 100, 70, format, 4);
	struct render *r = render_new(100, 70);
	unsigned int x, y;

	render_clear(r, 0, 0xabcdef, 0x5a);
	write_zs(r, &s);
	render_finish(fd, r);
	for (y = 0; y < 70; y++)
		for (x = 0; x < 100; x++)
			check_pixel(&s, x, y, 0xabcdef5a);
	surface_free(fd, &s);
}

/* Colour and Z at once, each with its own memory format */
static void clear_both(int fd)
{
	struct surface color = surface_make(fd, 130, 70, V3D_T_FORMAT, 4),
		       zs = surface_make(fd, 130, 70, V3D_LT_FORMAT, 4);
	struct render *r = render_new(130, 70);
	unsigned int x, y;

	render_clear(r, 0x44332211, 0x123456, 0x78);
	write_color(r, &color, V3D_FRAME_RGBA8888);
	write_zs(r, &zs);
	render_finish(fd, r);
	for (y = 0; y < 70; y++) {
		for (x = 0; x < 130; x++) {
			check_pixel(&color, x, y, 0x44332211);
			check_pixel(&zs, x, y, 0x12345678);
		}
	}
	surface_free(fd, &color);
	surface_free(fd, &zs);
}

/* Only the tiles asked for are drawn */
static void tile_window(int fd)
{
	struct surface s = surface_make(fd, 300, 200, V3D_RASTER, 4);
	struct render *r = render_new(300, 200);
	unsigned int x, y;
	bool inside;

	render_clear(r, 0x01010101, 0, 0);
	write_color(r, &s, V3D_FRAME_RGBA8888);
	r->submit.min_x_tile = 1;
	r->submit.max_x_tile = 3;
	r->submit.min_y_tile = 2;
	r->submit.max_y_tile = 2;
	render_finish(fd, r);
	for (y = 0; y < 200; y++) {
		for (x = 0; x < 300; x++) {
			inside = x / 64 >= 1 && x / 64 <= 3 && y / 64 == 2;
			check_pixel(&s, x, y, inside ? 0x01010101 : 0xa5a5a5a5);
		}
	}
	surface_free(fd, &s);
}

/* --- loads and stores ------------------------------------------------------------------------- */

static void copy_color(int fd, unsigned int from, unsigned int to, bool wide)
{
	const unsigned int width = 100, height = 135, cpp = wide ? 4 : 2;
	struct surface source = surface_make(fd, width, height, from, cpp),
		       target = surface_make(fd, width, height, to, cpp);
	struct render *r = render_new(width, height);
	unsigned int x, y;

	for (y = 0; y < height; y++)
		for (x = 0; x < width; x++)
			put_pixel(&source, x, y, noise(y * width + x));
	read_color(r, &source, wide ? V3D_RGBA8888 : V3D_BGR565);
	write_color(r, &target, wide ? V3D_FRAME_RGBA8888 : V3D_FRAME_BGR565);
	render_finish(fd, r);
	for (y = 0; y < height; y++)
		for (x = 0; x < width; x++)
			check_pixel(&target, x, y, noise(y * width + x) & (wide ? ~0u : 0xffff));
	surface_free(fd, &source);
	surface_free(fd, &target);
}

static void copy_zs(int fd, unsigned int from, unsigned int to)
{
	struct surface source = surface_make(fd, 100, 135, from, 4),
		       target = surface_make(fd, 100, 135, to, 4);
	struct render *r = render_new(100, 135);
	unsigned int x, y;

	for (y = 0; y < 135; y++)
		for (x = 0; x < 100; x++)
			put_pixel(&source, x, y, noise(y * 100 + x));
	render_surface(r, &r->submit.zs_read, source.bo.handle, BEFORE,
		       SURFACE(V3D_BUFFER_ZS, from, 0));
	write_zs(r, &target);
	render_finish(fd, r);
	for (y = 0; y < 135; y++)
		for (x = 0; x < 100; x++)
			check_pixel(&target, x, y, noise(y * 100 + x));
	surface_free(fd, &source);
	surface_free(fd, &target);
}

/* 32 bits to 16: exact for colours that 16 bits can hold */
static void narrow(int fd)
{
	struct surface source = surface_make(fd, 256, 256, V3D_RASTER, 4),
		       target = surface_make(fd, 256, 256, V3D_T_FORMAT, 2);
	struct render *r = render_new(256, 256);
	unsigned int x, y;

	for (y = 0; y < 256; y++)
		for (x = 0; x < 256; x++)
			put_pixel(&source, x, y, widen(y << 8 | x));
	read_color(r, &source, V3D_RGBA8888);
	write_color(r, &target, V3D_FRAME_BGR565);
	render_finish(fd, r);
	for (y = 0; y < 256; y++)
		for (x = 0; x < 256; x++)
			check_pixel(&target, x, y, y << 8 | x);
	surface_free(fd, &source);
	surface_free(fd, &target);
}

/*
 * One channel: dithering gives one of the two neighbours, and the ends of the range stay as they
 * are
 */
static bool dithered_well(unsigned int eight, unsigned int few, unsigned int bits)
{
	unsigned int low = eight >> (8 - bits), most = (1u << bits) - 1;

	if (eight == 0 || eight == 255)
		return few == (eight ? most : 0);
	return few == low || few == (low < most ? low + 1 : most);
}

static void dither(int fd)
{
	struct surface source = surface_make(fd, 256, 64, V3D_RASTER, 4),
		       target = surface_make(fd, 256, 64, V3D_RASTER, 2);
	struct render *r = render_new(256, 64);
	unsigned int x, y, got, differ = 0;

	for (y = 0; y < 64; y++)
		for (x = 0; x < 256; x++)
			put_pixel(&source, x, y, x | (255 - x) << 8 | (x ^ 0x55) << 16);
	read_color(r, &source, V3D_RGBA8888);
	write_color(r, &target, V3D_FRAME_BGR565_DITHERED);
	render_finish(fd, r);
	for (y = 0; y < 64; y++) {
		for (x = 0; x < 256; x++) {
			got = get_pixel(&target, x, y);
			igt_assert_f(dithered_well(x, got >> 11, 5) &&
				     dithered_well(255 - x, got >> 5 & 63, 6) &&
				     dithered_well(x ^ 0x55, got & 31, 5),
				     "pixel (%u, %u) is %#x\n", x, y, got);
			differ += got != get_pixel(&target, x, y & ~7u);
		}
	}
	igt_assert_f(differ, "rows do not differ: no dithering\n");
	surface_free(fd, &source);
	surface_free(fd, &target);
}

/*
 * Read and written one row of tiles apart in one memory: the order decides whether the first row
 * spreads or all rows move
 */
static void fixed_order(int fd, bool increasing)
{
	const unsigned int width = 128, rows = 4, bytes = width * 64 * 4;
	struct bo bo = bo_create(fd, bytes * (rows + 1));
	struct render *r = render_new(width, 64 * rows);
	unsigned int i, words = bytes / 4;

	for (i = 0; i < words * (rows + 1); i++)
		bo.map[i] = noise(i);
	render_surface(r, &r->submit.color_read, bo.handle, 0,
		       SURFACE(V3D_BUFFER_COLOR, V3D_RASTER, V3D_RGBA8888));
	render_surface(r, &r->submit.color_write, bo.handle, bytes,
		       RENDER_PIXEL(V3D_FRAME_RGBA8888));
	r->submit.flags |= VC4_SUBMIT_CL_FIXED_RCL_ORDER;
	if (increasing)
		r->submit.flags |= VC4_SUBMIT_CL_RCL_ORDER_INCREASING_X |
				   VC4_SUBMIT_CL_RCL_ORDER_INCREASING_Y;
	render_finish(fd, r);
	for (i = 0; i < words * (rows + 1); i++)
		igt_assert_eq_u32(bo.map[i],
				  noise(increasing || i < words ? i % words : i - words));
	bo_destroy(fd, &bo);
}

/* --- multisample ------------------------------------------------------------------------------ */

#define MS_TILE_WORDS (V3D_FULL_TILE_BYTES / 4)

/* HW: quads of 2 x 2 pixels in raster order, 64 bytes each, 4 samples of 4 pixels */
static unsigned int ms_word(unsigned int tiles_across, unsigned int x, unsigned int y,
			    unsigned int sample)
{
	unsigned int quad = y % 32 / 2 * 16 + x % 32 / 2;

	return (y / 32 * tiles_across + x / 32) * MS_TILE_WORDS + quad * 16 + sample * 4 +
	       y % 2 * 2 + x % 2;
}

static void ms_clear_resolve(int fd, unsigned int format, unsigned int frame_pixel)
{
	bool wide = frame_pixel == V3D_FRAME_RGBA8888;
	struct surface s = surface_make(fd, 75, 40, format, wide ? 4 : 2);
	struct render *r = render_new(75, 40);
	uint32_t color = frame_color(frame_pixel);
	unsigned int x, y;

	render_multisample(r);
	r->submit.color_write.bits |= RENDER_DECIMATE_4X;
	render_clear(r, wide ? color : widen(color), 0, 0);
	write_color(r, &s, frame_pixel);
	render_finish(fd, r);
	for (y = 0; y < 40; y++)
		for (x = 0; x < 75; x++)
			check_pixel(&s, x, y, color);
	surface_free(fd, &s);
}

/* Colour and Z of a clear, dumped sample by sample */
static void ms_dump(int fd)
{
	const unsigned int tiles = 6;
	struct bo color = bo_create(fd, tiles * V3D_FULL_TILE_BYTES + 4096),
		  zs = bo_create(fd, tiles * V3D_FULL_TILE_BYTES + 4096);
	struct render *r = render_new(96, 64);
	unsigned int i;

	render_multisample(r);
	render_clear(r, 0x0badf00d, 0x765432, 0x10);
	render_surface(r, &r->submit.msaa_color_write, color.handle, 0, 0);
	render_surface(r, &r->submit.msaa_zs_write, zs.handle, 0, 0);
	render_finish(fd, r);
	for (i = 0; i < color.size / 4; i++) {
		igt_assert_eq_u32(color.map[i], i < tiles * MS_TILE_WORDS ? 0x0badf00d : 0);
		igt_assert_eq_u32(zs.map[i], i < tiles * MS_TILE_WORDS ? 0x76543210 : 0);
	}
	bo_destroy(fd, &color);
	bo_destroy(fd, &zs);
}

/* Every sample of colour or Z loaded and dumped again */
static void ms_copy(int fd, bool zs)
{
	const unsigned int tiles = 6;
	struct bo source = bo_create(fd, tiles * V3D_FULL_TILE_BYTES),
		  target = bo_create(fd, tiles * V3D_FULL_TILE_BYTES + 4096);
	struct render *r = render_new(96, 64);
	struct drm_vc4_submit_rcl_surface *from = zs ? &r->submit.zs_read : &r->submit.color_read;
	unsigned int i;

	for (i = 0; i < tiles * MS_TILE_WORDS; i++)
		source.map[i] = noise(i);
	render_multisample(r);
	from->flags = VC4_SUBMIT_RCL_SURFACE_READ_IS_FULL_RES;
	render_surface(r, from, source.handle, 0, 0);
	render_surface(r, zs ? &r->submit.msaa_zs_write : &r->submit.msaa_color_write,
		       target.handle, 0, 0);
	render_finish(fd, r);
	for (i = 0; i < target.size / 4; i++)
		igt_assert_eq_u32(target.map[i], i < tiles * MS_TILE_WORDS ? noise(i) : 0);
	bo_destroy(fd, &source);
	bo_destroy(fd, &target);
}

/*
 * Four samples whose mean is a whole number, in each channel: base, base + 2, base + 4, base + 6,
 * in an order that varies
 */
static void ms_resolve(int fd, unsigned int format)
{
	const unsigned int width = 70, height = 50, across = 3, tiles = 6;
	struct bo source = bo_create(fd, tiles * V3D_FULL_TILE_BYTES);
	struct surface s = surface_make(fd, width, height, format, 4);
	struct render *r = render_new(width, height);
	unsigned int x, y, n, channel, value;

	for (y = 0; y < 64; y++) {
		for (x = 0; x < 96; x++) {
			for (n = 0; n < 4; n++) {
				for (value = 0, channel = 0; channel < 4; channel++)
					value |= ((noise(y * 96 + x) >> 8 * channel & 0x7f) +
						  2 * ((n + x + channel) % 4))
						 << 8 * channel;
				source.map[ms_word(across, x, y, n)] = value;
			}
		}
	}
	render_multisample(r);
	r->submit.color_write.bits |= RENDER_DECIMATE_4X;
	r->submit.color_read.flags = VC4_SUBMIT_RCL_SURFACE_READ_IS_FULL_RES;
	render_surface(r, &r->submit.color_read, source.handle, 0, 0);
	write_color(r, &s, V3D_FRAME_RGBA8888);
	render_finish(fd, r);
	for (y = 0; y < height; y++)
		for (x = 0; x < width; x++)
			check_pixel(&s, x, y, (noise(y * 96 + x) & 0x7f7f7f7f) + 0x03030303);
	bo_destroy(fd, &source);
	surface_free(fd, &s);
}

/* --- several jobs ----------------------------------------------------------------------------- */

/*
 * 30 frames on top of each other, submitted without a wait: the last one stays, and seqnos go up by
 * one
 */
static void frames_in_order(int fd)
{
	struct bo bo = bo_create(fd, 64 * 64 * 4);
	uint64_t last = 0;
	struct render *r;
	unsigned int i;

	for (i = 0; i < 30; i++) {
		r = render_clear_job(&bo, i * 0x01010101);
		render_submit(fd, r);
		igt_assert(!last || r->submit.seqno == last + 1);
		last = r->submit.seqno;
		free(r);
	}
	igt_assert_eq(seqno_wait(fd, last, LONG_WAIT), 0);
	for (i = 0; i < 64 * 64; i++)
		igt_assert_eq_u32(bo.map[i], 29 * 0x01010101);
	bo_destroy(fd, &bo);
}

/* A new BO is zero, also where it takes the memory of one that was rendered to */
static void zeroed_when_recycled(int fd)
{
	struct bo bo;
	unsigned int i, k;

	for (k = 0; k < 8; k++) {
		bo = bo_create(fd, 64 * 64 * 4);
		for (i = 0; i < 64 * 64; i++)
			igt_assert_eq_u32(bo.map[i], 0);
		render_finish(fd, render_clear_job(&bo, ~0u));
		igt_assert_eq_u32(bo.map[64 * 64 - 1], ~0u);
		bo_destroy(fd, &bo);
	}
}

static const struct subtest tests[] = {
	{ "clear-sizes", clear_sizes,
	  "Frames of awkward sizes, clipped: nothing outside is written" },
	{ "clear-pair", clear_pair, "The two colours of a clear alternate" },
	{ "clear-color-and-zs", clear_both, "Colour and Z/stencil in one job" },
	{ "tile-window", tile_window, "Only some tiles of the frame" },
	{ "rgba8888-to-bgr565", narrow, "Every colour of 16 bits, from 32" },
	{ "dither", dither, "Dithered stores stay within one step" },
	{ "msaa-dump", ms_dump, "Full resolution dumps of a clear" },
	{ "frames-in-order", frames_in_order, "Jobs on one BO, without a wait" },
	{ "zeroed-when-recycled", zeroed_when_recycled, "New BOs are zero" },
};

/* Subtests whose parameters are in their names; static variables, since subtests jump */
static void by_format(void)
{
	static const char *const pixels[] = { "bgr565-dithered", "rgba8888", "bgr565" };
	static unsigned int from, to, pixel;

	for (to = V3D_RASTER; to <= V3D_LT_FORMAT; to++) {
		for (pixel = V3D_FRAME_BGR565_DITHERED; pixel <= V3D_FRAME_BGR565; pixel++) {
			igt_describe("A clear of a frame");
			igt_subtest_f("clear-%s-%s", pixels[pixel], format_names[to])
				clear(drm_fd, 150, 100, to, pixel);
			igt_describe("A multisample clear, resolved");
			igt_subtest_f("msaa-clear-%s-%s", pixels[pixel], format_names[to])
				ms_clear_resolve(drm_fd, to, pixel);
		}
		igt_describe("A clear of Z and stencil");
		igt_subtest_f("clear-z24s8-%s", format_names[to])
			clear_zs(drm_fd, to);
		igt_describe("Four samples loaded and resolved");
		igt_subtest_f("msaa-resolve-%s", format_names[to])
			ms_resolve(drm_fd, to);
		for (from = V3D_RASTER; from <= V3D_LT_FORMAT; from++) {
			igt_describe("A load and a store");
			igt_subtest_f("copy-rgba8888-%s-to-%s", format_names[from],
				      format_names[to]) copy_color(drm_fd, from, to, true);
			igt_describe("A load and a store");
			igt_subtest_f("copy-bgr565-%s-to-%s", format_names[from], format_names[to])
				copy_color(drm_fd, from, to, false);
			igt_describe("A load and a store");
			igt_subtest_f("copy-z24s8-%s-to-%s", format_names[from], format_names[to])
				copy_zs(drm_fd, from, to);
		}
	}
}

v3dcl_main()
{
	v3dcl_fixture()
		drm_fd = drm_open_driver(DRIVER_VC4);

	run_subtests(tests, ARRAY_SIZE(tests), drm_fd);
	by_format();
	igt_describe("Overlapping loads and stores, tiles from first to last");
	igt_subtest("fixed-order-increasing")
		fixed_order(drm_fd, true);
	igt_describe("Overlapping loads and stores, tiles from last to first");
	igt_subtest("fixed-order-decreasing")
		fixed_order(drm_fd, false);
	igt_describe("Every sample of colour loaded and dumped");
	igt_subtest("msaa-copy-color")
		ms_copy(drm_fd, false);
	igt_describe("Every sample of Z and stencil loaded and dumped");
	igt_subtest("msaa-copy-zs")
		ms_copy(drm_fd, true);

	v3dcl_fixture()
		drm_close_driver(drm_fd);
}
