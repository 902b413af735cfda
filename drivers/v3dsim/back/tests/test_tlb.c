// SPDX-License-Identifier: MIT
/*
 * The tile buffer: clearing, storing and loading, from AG100 Sections 5 and 11 and Table 38, and
 * what silicon shows.
 */
#include "tests/chip.h"

#define FRAME (MEMORY + 0x100000)
#define OTHER (MEMORY + 0x200000)

/* Record 113's third byte: bits of Table 38 from offset 64 on */
#define MS 0x1
#define HDR 0x2
#define RGBA8888 0x4
#define BGR565 0x8
#define DECIMATE_4X 0x10
#define DECIMATE_16X 0x20
#define T_FORMAT 0x40
#define LT_FORMAT 0x80

/* Bits of records 28 and 29 below the address */
#define COLOR 1
#define ZS 2
#define Z_ONLY 3
#define VG_MASK 4
#define FULL 5
#define IN_T 0x10
#define IN_LT 0x20
#define DITHERED 0x100
#define NO_DITHER 0x200
#define KEEP_COLOR 0x2000
#define KEEP_ZS 0x4000
#define KEEP_VG 0x8000

static void rendering_mode(struct chip *chip, uint16_t width, uint16_t height, uint16_t flags)
{
	LIST(chip, 1, 113, LE32(FRAME), LE16(width), LE16(height), LE16(flags));
}

static void clear_colors(struct chip *chip, uint32_t even, uint32_t odd, uint32_t z,
			 uint8_t vg_mask, uint8_t stencil)
{
	LIST(chip, 1, 114, LE32(even), LE32(odd), LE16(z), (uint8_t)(z >> 16), vg_mask, stencil);
}

static void coordinates(struct chip *chip, uint8_t column, uint8_t row)
{
	LIST(chip, 1, 115, column, row);
}

/* Record 28: flags as above, bits of the address word in low */
static void store(struct chip *chip, uint32_t flags, uint32_t address, uint32_t low)
{
	LIST(chip, 1, 28, LE16(flags), LE32(address | low));
}

static void load(struct chip *chip, uint32_t flags, uint32_t address)
{
	LIST(chip, 1, 29, LE16(flags), LE32(address));
}

/* A pixel value that tells its place */
static uint32_t mark(uint32_t x, uint32_t y)
{
	return 0x80000000 | y << 12 | x;
}

static void fill_marks(struct chip *chip, uint32_t addr, uint32_t width, uint32_t height)
{
	uint32_t x, y, value;

	for (y = 0; y < height; y++) {
		for (x = 0; x < width; x++) {
			value = mark(x, y);
			chip_put(chip, addr + (y * width + x) * 4, (uint8_t[]){ LE32(value) }, 4);
		}
	}
}

/* A tile of marks: loaded with its coordinates */
static void load_marks(struct chip *chip, uint16_t width, uint16_t height)
{
	fill_marks(chip, OTHER, width, height);
	load(chip, COLOR, OTHER);
}

static void test_clear_at_store(void **state)
{
	struct chip *chip = *state;

	wr(chip, 0x034, 1);
	clear_colors(chip, 0x11111111, 0x22222222, 0, 0, 0);
	rendering_mode(chip, 64, 64, RGBA8888);
	coordinates(chip, 0, 0);
	LIST(chip, 1, 25);
	chip_go(chip, 1);
	/* cleared by the store, not before it */
	assert_int_equal(chip_word(chip, FRAME), 0);
	assert_int_equal(rd(chip, 0x138), 1);			/* RFC */
	assert_int_equal(rd(chip, 0x030), 1);			/* FRDONE */
	assert_true(chip->level);
	clear_colors(chip, 0x33333333, 0x33333333, 0, 0, 0);	/* too late for the next store */
	rendering_mode(chip, 64, 64, RGBA8888);
	coordinates(chip, 0, 0);
	LIST(chip, 1, 25);
	chip_go(chip, 1);
	assert_int_equal(chip_word(chip, FRAME), 0x11111111);	/* even columns */
	assert_int_equal(chip_word(chip, FRAME + 4), 0x22222222);
	assert_int_equal(chip_word(chip, FRAME + 64 * 64 * 4 - 4), 0x22222222);
	assert_int_equal(chip_word(chip, FRAME + 64 * 64 * 4), 0);
	rendering_mode(chip, 64, 64, RGBA8888);
	coordinates(chip, 0, 0);
	LIST(chip, 1, 24);
	chip_go(chip, 1);
	assert_int_equal(chip_word(chip, FRAME), 0x33333333);
	assert_int_equal(rd(chip, 0x138), 2);			/* 24 ends no frame */
	assert_int_equal(rd(chip, 0x130), 0x4);			/* RMACTIVE */
	wr(chip, 0x138, 1);
	assert_int_equal(rd(chip, 0x138), 0);
}

/* IGT's surface of 1024 x 1, and one that ends inside a tile: nothing past the end is written. */
static void test_clipping(void **state)
{
	struct chip *chip = *state;
	uint32_t x;

	clear_colors(chip, 0xabababab, 0xabababab, 0, 0, 0);
	rendering_mode(chip, 1024, 1, RGBA8888);
	for (x = 0; x < 16; x++) {
		coordinates(chip, x, 0);
		LIST(chip, 1, 24);
	}
	for (x = 0; x < 17; x++) {	/* the last one lies outside altogether */
		coordinates(chip, x, 0);
		LIST(chip, 1, 24);
	}
	chip_go(chip, 1);
	assert_int_equal(chip_word(chip, FRAME), 0xabababab);
	assert_int_equal(chip_word(chip, FRAME + 4092), 0xabababab);
	assert_int_equal(chip_word(chip, FRAME + 4096), 0);
	rendering_mode(chip, 70, 66, RGBA8888);
	coordinates(chip, 1, 1);
	store(chip, COLOR, OTHER, 0);
	chip_go(chip, 1);
	/*
	 * Rows of 72 pixels: 70 rounded up to micro-tiles of 4. Pixels 64 to 69 of rows 64 and 65.
	 */
	assert_int_equal(chip_word(chip, OTHER + (64 * 72 + 64) * 4), 0xabababab);
	assert_int_equal(chip_word(chip, OTHER + (65 * 72 + 69) * 4), 0xabababab);
	assert_int_equal(chip_word(chip, OTHER + (65 * 72 + 70) * 4), 0);
	assert_int_equal(chip_word(chip, OTHER + (66 * 72 + 64) * 4), 0);
	assert_int_equal(chip_word(chip, OTHER + (64 * 72 + 63) * 4), 0);
}

/*
 * AG100 Figures 14 and 15: addresses worked out by hand for an image of 96 x 64 pixels, three tiles
 * across
 */
static void test_t_format(void **state)
{
	static const struct {
		uint32_t x, y, offset;
	} pixels[] = {
		{ 0, 0, 0 },
		{ 1, 0, 4 },
		{ 0, 1, 16 },
		{ 3, 3, 60 },
		{ 4, 0, 64 },
		{ 0, 4, 256 },
		{ 15, 15, 1020 },
		{ 0, 16, 1024 }, /* even row of tiles: up, then right, then down */
		{ 16, 16, 2048 },
		{ 16, 0, 3072 },
		{ 32, 0, 4096 },
		{ 64, 0, 8192 },
		/* odd row: from the right; top right, bottom right, bottom left, top left */
		{ 80, 48, 12288 },
		{ 80, 32, 13312 },
		{ 64, 32, 14336 },
		{ 64, 48, 15360 },
		{ 48, 48, 16384 },
		{ 16, 48, 20480 },
		{ 0, 32, 22528 },
		{ 0, 48, 23552 },
		{ 15, 63, 24572 },
	};
	struct chip *chip = *state;
	struct texture_image image = { FRAME, V3D_T_FORMAT, 4, 96, 64 };
	size_t i;

	for (i = 0; i < sizeof(pixels) / sizeof(pixels[0]); i++)
		assert_int_equal(texture_address(&image, pixels[i].x, pixels[i].y),
				 FRAME + pixels[i].offset);
	rendering_mode(chip, 96, 64, RGBA8888 | T_FORMAT);
	load_marks(chip, 96, 64);
	coordinates(chip, 0, 0);
	LIST(chip, 1, 24);
	load(chip, COLOR, OTHER);
	coordinates(chip, 1, 0);
	LIST(chip, 1, 25);
	chip_go(chip, 1);
	for (i = 0; i < sizeof(pixels) / sizeof(pixels[0]); i++)
		assert_int_equal(chip_word(chip, FRAME + pixels[i].offset),
				 mark(pixels[i].x, pixels[i].y));
}

/* Micro-tiles in raster order: 2 x 4, 4 x 4, 8 x 4 and 8 x 8 pixels for 64, 32, 16 and 8 bits */
static void test_lt_addresses(void **state)
{
	struct texture_image image = { 0, V3D_LT_FORMAT, 8, 5, 9 };

	(void)state;
	assert_int_equal(texture_address(&image, 1, 1), 24);
	assert_int_equal(texture_address(&image, 2, 0), 64);
	assert_int_equal(texture_address(&image, 0, 4), 3 * 64);
	image.pixel_bytes = 4;
	assert_int_equal(texture_address(&image, 4, 5), 3 * 64 + 16);
	image.pixel_bytes = 2;
	assert_int_equal(texture_address(&image, 4, 5), 64 + 16 + 8);
	image.pixel_bytes = 1;
	assert_int_equal(texture_address(&image, 4, 8), 64 + 4);
}

static void test_lt_format(void **state)
{
	struct chip *chip = *state;

	rendering_mode(chip, 12, 10, RGBA8888 | LT_FORMAT);
	load_marks(chip, 12, 10);
	coordinates(chip, 0, 0);
	LIST(chip, 1, 25);
	chip_go(chip, 1);
	assert_int_equal(chip_word(chip, FRAME), mark(0, 0));
	assert_int_equal(chip_word(chip, FRAME + 64), mark(4, 0));
	assert_int_equal(chip_word(chip, FRAME + 3 * 64), mark(0, 4));
	assert_int_equal(chip_word(chip, FRAME + 8 * 64 + 28), mark(11, 9));
	assert_int_equal(chip_word(chip, FRAME + 8 * 64 + 32), 0);	/* row 10 does not exist */
}

/* Loads and stores in every format give back what was there. */
static void test_round_trips(void **state)
{
	static const uint16_t formats[] = { 0, IN_T, IN_LT };
	size_t from, to;

	(void)state;
	for (from = 0; from < 3; from++) {
		for (to = 0; to < 3; to++) {
			struct chip *chip = chip_new(NULL);

			rendering_mode(chip, 32, 32, RGBA8888);
			load_marks(chip, 32, 32);
			coordinates(chip, 0, 0);
			store(chip, COLOR | formats[from], FRAME, 0);
			load(chip, COLOR | formats[from], FRAME);
			coordinates(chip, 0, 0);
			store(chip, COLOR | formats[to], FRAME + 0x10000, 0);
			load(chip, COLOR | formats[to], FRAME + 0x10000);
			coordinates(chip, 0, 0);
			store(chip, COLOR, FRAME + 0x20000, 0);
			chip_go(chip, 1);
			assert_memory_equal(chip_bytes(chip, FRAME + 0x20000),
					    chip_bytes(chip, OTHER), 32 * 32 * 4);
			chip_free(chip);
		}
	}
}

/*
 * Every pixel size in every format, against AG100 Section 11 walked in the order of memory:
 * micro-tiles of 64 bytes in raster order in sub-tiles, sub-tiles in Figure 14's order, tiles from
 * the left in even rows and from the right in odd ones.
 */
struct walk {
	uint32_t bytes, width, height, micro_width, micro_height;
	uint32_t *offsets;	/* [y][x] of pixels inside the image */
	uint32_t at;
};

static void walk_micro_tile(struct walk *w, uint32_t x, uint32_t y)
{
	for (uint32_t row = y; row < y + w->micro_height; row++) {
		for (uint32_t column = x; column < x + w->micro_width; column++, w->at += w->bytes)
			if (row < w->height && column < w->width)
				w->offsets[row * w->width + column] = w->at;
	}
}

static void walk_t_tile(struct walk *w, uint32_t x, uint32_t y, bool odd)
{
	static const uint8_t right[2][4] = { { 0, 0, 1, 1 }, { 1, 1, 0, 0 } },
			     up[2][4] = { { 0, 1, 1, 0 }, { 1, 0, 0, 1 } };

	for (unsigned int sub = 0; sub < 4; sub++)
		for (unsigned int micro = 0; micro < 16; micro++)
			walk_micro_tile(w, x + (right[odd][sub] * 4 + micro % 4) * w->micro_width,
					y + (up[odd][sub] * 4 + micro / 4) * w->micro_height);
}

static void walk(struct walk *w, unsigned int format)
{
	const uint32_t across = (w->width + w->micro_width - 1) / w->micro_width,
		       tiles = (across + 7) / 8;

	for (uint32_t y = 0; y < w->height; y += format == IN_T ? 8 * w->micro_height :
						 format ? w->micro_height :
								  1) {
		for (uint32_t n = 0; format == IN_T && n < tiles; n++) {
			const bool odd = y / (8 * w->micro_height) & 1;

			walk_t_tile(w, (odd ? tiles - 1 - n : n) * 8 * w->micro_width, y, odd);
		}
		for (uint32_t n = 0; format == IN_LT && n < across; n++)
			walk_micro_tile(w, n * w->micro_width, y);
		for (uint32_t n = 0; !format && n < across * w->micro_width; n++, w->at += w->bytes)
			if (n < w->width)
				w->offsets[y * w->width + n] = w->at;
	}
}

/* A kind of pixel: what record 28 and 29 call it, and record 113 */
struct kind {
	uint32_t flags, bytes, micro_width, micro_height;
	uint16_t mode;
};

/* The frame from one image to another, tile by tile */
static void copy_frame(struct chip *chip, const struct kind *kind, uint32_t width, uint32_t height,
		       uint32_t from, uint32_t to)
{
	const uint32_t across = kind->mode & MS ? 32 : 64, down = kind->mode & (MS | HDR) ? 32 : 64;

	rendering_mode(chip, width, height, kind->mode);
	for (uint32_t y = 0; y * down < height; y++) {
		for (uint32_t x = 0; x * across < width; x++) {
			load(chip, kind->flags | from, OTHER);
			coordinates(chip, x, y);
			store(chip, kind->flags | to, FRAME, 0);
		}
	}
	chip_go(chip, 1);
}

static void check_copy(const struct kind *kind, uint32_t width, uint32_t height, uint32_t from,
		       uint32_t to)
{
	struct chip *chip = chip_new(NULL);
	struct walk in = { kind->bytes, width, height, kind->micro_width,
			   kind->micro_height, NULL, 0 },
		    out = in;

	in.offsets = calloc(width * height, sizeof(*in.offsets));
	out.offsets = calloc(width * height, sizeof(*out.offsets));
	assert_true(in.offsets && out.offsets);
	walk(&in, from);
	walk(&out, to);
	for (uint32_t i = 0; i < in.at; i++)
		*chip_bytes(chip, OTHER + i) = i * 2654435761u >> 24;
	copy_frame(chip, kind, width, height, from, to);
	for (uint32_t i = 0; i < width * height; i++)
		assert_memory_equal(chip_bytes(chip, FRAME + out.offsets[i]),
				    chip_bytes(chip, OTHER + in.offsets[i]), kind->bytes);
	free(in.offsets);
	free(out.offsets);
	chip_free(chip);
}

static void test_all_formats(void **state)
{
	static const struct kind kinds[] = {
		{ COLOR, 4, 4, 4, RGBA8888 }, { COLOR | NO_DITHER, 2, 8, 4, BGR565 },
		{ COLOR, 8, 2, 4, HDR }, { ZS, 4, 4, 4, RGBA8888 },
		{ VG_MASK, 1, 8, 8, RGBA8888 }, { COLOR, 4, 4, 4, MS | RGBA8888 },
	};
	static const uint16_t formats[] = { 0, IN_T, IN_LT },
			      sizes[][2] = { { 64, 64 }, { 130, 70 }, { 33, 129 }, { 5, 3 } };

	(void)state;
	for (size_t n = 0; n < 6 * 4 * 9; n++) {
		const struct kind *kind = &kinds[n % 6];
		const uint16_t *size = sizes[n / 6 % 4];

		check_copy(kind, size[0], size[1], formats[n / 24 % 3], formats[n / 72]);
	}
}

static uint16_t half_word(struct chip *chip, uint32_t addr)
{
	return chip_word(chip, addr);
}

static void test_bgr565(void **state)
{
	struct chip *chip = *state;

	/* red 0x20, green 0x40, blue 0x80 */
	clear_colors(chip, 0xff804020, 0xff804020, 0, 0, 0);
	rendering_mode(chip, 8, 8, BGR565);
	coordinates(chip, 0, 0);
	LIST(chip, 1, 24);
	coordinates(chip, 0, 0);
	store(chip, COLOR | NO_DITHER | KEEP_COLOR, OTHER, 0);
	coordinates(chip, 0, 0);
	LIST(chip, 1, 25);
	chip_go(chip, 1);
	/* 0x20 >> 3 = 4, 0x40 >> 2 = 16, 0x80 >> 3 = 16 */
	assert_int_equal(half_word(chip, FRAME), 4 << 11 | 16 << 5 | 16);
	assert_int_equal(half_word(chip, OTHER + 8 * 8 * 2 - 2), 4 << 11 | 16 << 5 | 16);
	assert_int_equal(half_word(chip, OTHER + 8 * 8 * 2), 0);
}

/*
 * Colours between two steps: how many of 16 pixels are raised is how far between they are; white
 * stays white.
 */
static void test_dither(void **state)
{
	struct chip *chip = *state;
	unsigned int i, raised = 0;

	/* red 4 of 8: half a step; blue 255 */
	clear_colors(chip, 0x00ff0004, 0x00ff0004, 0, 0, 0);
	rendering_mode(chip, 16, 16, 0);			/* 0: bgr565 dithered */
	coordinates(chip, 0, 0);
	LIST(chip, 1, 24);
	coordinates(chip, 0, 0);
	LIST(chip, 1, 25);
	chip_go(chip, 1);
	for (i = 0; i < 16; i++) {
		uint16_t pixel = half_word(chip, FRAME + (i / 4 * 16 + i % 4) * 2);

		assert_int_equal(pixel & 0x1f, 31);
		assert_int_equal(pixel >> 5 & 0x3f, 0);
		raised += pixel >> 11;
	}
	assert_int_equal(raised, 8);
	assert_memory_equal(chip_bytes(chip, FRAME), chip_bytes(chip, FRAME + 4 * 16 * 2),
			    4 * 16 * 2);
	assert_int_equal(half_word(chip, FRAME), half_word(chip, FRAME + 8));
}

static void test_load_565(void **state)
{
	struct chip *chip = *state;

	chip_put(chip, OTHER, (uint8_t[]){ LE16(0xffff), LE16(0), LE16(1 << 11 | 32 << 5 | 16) },
		 6);
	rendering_mode(chip, 4, 1, RGBA8888);
	load(chip, COLOR | NO_DITHER, OTHER);
	coordinates(chip, 0, 0);
	LIST(chip, 1, 25);
	chip_go(chip, 1);
	assert_int_equal(chip_word(chip, FRAME), 0xffffffff);
	assert_int_equal(chip_word(chip, FRAME + 4), 0xff000000);
	/* 1 -> 0x08, 32 -> 0x82, 16 -> 0x84 */
	assert_int_equal(chip_word(chip, FRAME + 8), 0xff848208);
}

static void test_hdr(void **state)
{
	struct chip *chip = *state;

	clear_colors(chip, 0x3c003800, 0x3c004000, 0, 0, 0);
	rendering_mode(chip, 64, 64, HDR);
	coordinates(chip, 0, 0);
	LIST(chip, 1, 24);
	coordinates(chip, 0, 1);				/* tiles are 64 x 32 */
	LIST(chip, 1, 25);
	chip_go(chip, 1);
	assert_int_equal(chip_word(chip, FRAME + 31 * 64 * 8), 0);
	assert_int_equal(chip_word(chip, FRAME + 32 * 64 * 8), 0x3c003800);
	assert_int_equal(chip_word(chip, FRAME + 32 * 64 * 8 + 4), 0x3c004000);
	assert_int_equal(chip_word(chip, FRAME + 64 * 64 * 8 - 4), 0x3c004000);
}

/*
 * A quad of a full dump: 64 bytes, sample << 4 | (y & 1) << 3 | (x & 1) << 2; quads in raster
 * order; 16 KiB (HW)
 */
static uint32_t quad_offset(uint32_t x, uint32_t y, uint32_t sample)
{
	return (y / 2 * 16 + x / 2) * 64 + (sample << 4 | (y & 1) << 3 | (x & 1) << 2);
}

static void put_sample(struct chip *chip, uint32_t x, uint32_t y, uint32_t sample, uint32_t value)
{
	chip_put(chip, OTHER + quad_offset(x, y, sample), (uint8_t[]){ LE32(value) }, 4);
}

static void test_resolve(void **state)
{
	struct chip *chip = *state;

	put_sample(chip, 5, 2, 0, 0x00000001);
	put_sample(chip, 5, 2, 1, 0x00000002);
	put_sample(chip, 5, 2, 2, 0x00ff0003);
	put_sample(chip, 5, 2, 3, 0xff000004);
	rendering_mode(chip, 64, 64, MS | RGBA8888 | DECIMATE_4X);
	LIST(chip, 1, 27, LE32(OTHER | 2));			/* colour only */
	/* tile coordinates do not move the address of a full dump */
	coordinates(chip, 1, 1);
	LIST(chip, 1, 25);
	chip_go(chip, 1);
	/* Tiles are 32 x 32. (1 + 2 + 3 + 4) / 4 is 2.5: 3. 255 / 4 is 63.75: 64. */
	assert_int_equal(chip_word(chip, FRAME + (34 * 64 + 37) * 4), 0x40400003);
	assert_int_equal(chip_word(chip, FRAME + (34 * 64 + 36) * 4), 0);
}

static void test_decimate(void **state)
{
	struct chip *chip = *state;
	unsigned int i;

	for (i = 0; i < 4; i++) {
		put_sample(chip, 0, 0, i, 16);
		put_sample(chip, 1, 1, i, 32);
	}
	rendering_mode(chip, 32, 32, MS | RGBA8888);
	LIST(chip, 1, 27, LE32(OTHER | 2));
	coordinates(chip, 0, 0);
	store(chip, COLOR | KEEP_COLOR, FRAME, 0);			/* sample 0 */
	store(chip, COLOR | 2 << 6, FRAME + 0x10000, 0);		/* 4 samples of 4 pixels */
	chip_go(chip, 1);
	assert_int_equal(chip_word(chip, FRAME), 16);
	assert_int_equal(chip_word(chip, FRAME + 4), 0);
	assert_int_equal(chip_word(chip, FRAME + 33 * 4), 32);
	assert_int_equal(chip_word(chip, FRAME + 0x10000), 12);
	/* Without multisampling: 4 pixels make one, a tile makes 32 x 32 */
	fill_marks(chip, FRAME, 64, 64);
	rendering_mode(chip, 64, 64, RGBA8888);
	load(chip, COLOR, FRAME);
	coordinates(chip, 0, 0);
	store(chip, COLOR | 1 << 6, FRAME + 0x20000, 0);
	chip_go(chip, 1);
	/* columns 62 and 63: 62.5, up */
	assert_int_equal(chip_word(chip, FRAME + 0x20000 + (1 * 64 + 31) * 4) & 0xff, 63);
	assert_int_equal(chip_word(chip, FRAME + 0x20000 + 32 * 4), 0);
}

static void test_full_dump(void **state)
{
	struct chip *chip = *state;
	uint32_t x, y, sample;

	for (sample = 0; sample < 4; sample++)
		for (y = 0; y < 32; y++)
			for (x = 0; x < 32; x++)
				put_sample(chip, x, y, sample, mark(x, y) | sample << 24);
	/* Z and stencil come after the colour */
	memcpy(chip_bytes(chip, OTHER + 16384), chip_bytes(chip, OTHER), 16384);
	*chip_bytes(chip, OTHER + 16384) = 0x77;
	rendering_mode(chip, 64, 64, MS | RGBA8888);
	LIST(chip, 1, 27, LE32(OTHER));
	coordinates(chip, 0, 0);
	LIST(chip, 1, 26, LE32(FRAME | 4));					/* no clear */
	store(chip, ZS | KEEP_COLOR | KEEP_ZS | KEEP_VG, FRAME + 0x20000, 0);	/* sample 0 */
	/* Z and stencil only, last tile */
	LIST(chip, 1, 26, LE32((FRAME + 0x30000) | 1 | 8));
	chip_go(chip, 1);
	assert_memory_equal(chip_bytes(chip, FRAME), chip_bytes(chip, OTHER), 32768);
	assert_int_equal(chip_word(chip, FRAME + 32768), 0);
	assert_int_equal(chip_word(chip, FRAME + 0x20000 + (7 * 64 + 9) * 4), mark(9, 7));
	assert_int_equal(chip_word(chip, FRAME + 0x20000) & 0xff, 0x77);
	assert_memory_equal(chip_bytes(chip, FRAME + 0x30000), chip_bytes(chip, OTHER + 16384),
			    16384);
	assert_int_equal(rd(chip, 0x138), 1);
}

/* Z24S8: stencil in bits 7:0, Z in 31:8 (HW) */
static void test_z_stencil(void **state)
{
	struct chip *chip = *state;

	clear_colors(chip, 0, 0, 0x123456, 0x5a, 0x78);
	rendering_mode(chip, 64, 64, RGBA8888);
	coordinates(chip, 0, 0);
	LIST(chip, 1, 24);
	coordinates(chip, 0, 0);
	store(chip, ZS | KEEP_COLOR | KEEP_ZS | KEEP_VG, FRAME + 0x10000, 0);
	store(chip, Z_ONLY | KEEP_COLOR | KEEP_ZS | KEEP_VG, FRAME + 0x20000, 0);
	store(chip, VG_MASK | KEEP_COLOR | KEEP_ZS | KEEP_VG, FRAME + 0x30000, 0);
	/* no colour: Z and stencil, then the mask */
	store(chip, FULL | KEEP_COLOR | KEEP_ZS | KEEP_VG, FRAME + 0x40000, 1);
	chip_go(chip, 1);
	assert_int_equal(chip_word(chip, FRAME + 0x10000), 0x12345678);
	assert_int_equal(chip_word(chip, FRAME + 0x20000), 0x12345600);
	assert_int_equal(chip_word(chip, FRAME + 0x30000), 0x5a5a5a5a);
	assert_int_equal(chip_word(chip, FRAME + 0x30000 + 4096), 0);
	assert_int_equal(chip_word(chip, FRAME + 0x40000), 0x12345678);
	assert_int_equal(chip_word(chip, FRAME + 0x44000), 0x5a5a5a5a);
	assert_int_equal(chip_word(chip, FRAME + 0x45000), 0);
}

static void test_load_z_stencil(void **state)
{
	struct chip *chip = *state;

	chip_put(chip, OTHER, (uint8_t[]){ LE32(0xcafe0142) }, 4);
	rendering_mode(chip, 64, 64, RGBA8888);
	load(chip, ZS, OTHER);
	coordinates(chip, 0, 0);
	store(chip, ZS, FRAME, 8);
	chip_go(chip, 1);
	assert_int_equal(chip_word(chip, FRAME), 0xcafe0142);
	assert_int_equal(rd(chip, 0x138), 1);
}

static void test_clear_disable(void **state)
{
	struct chip *chip = *state;

	clear_colors(chip, 0x99999999, 0x99999999, 0x999999, 0x99, 0x99);
	rendering_mode(chip, 64, 64, RGBA8888);
	coordinates(chip, 0, 0);
	/* no buffer: clears Z and stencil */
	store(chip, KEEP_COLOR | KEEP_VG, 0, 0);
	store(chip, COLOR | KEEP_COLOR | KEEP_ZS | KEEP_VG, FRAME, 0);
	store(chip, ZS | KEEP_ZS | KEEP_VG, FRAME + 0x10000, 0);	/* clears colour */
	store(chip, COLOR | KEEP_COLOR | KEEP_ZS | KEEP_VG, FRAME + 0x20000, 0);
	store(chip, VG_MASK | KEEP_COLOR | KEEP_ZS, FRAME + 0x30000, 0);
	store(chip, VG_MASK | KEEP_COLOR | KEEP_ZS, FRAME + 0x40000, 0);
	chip_go(chip, 1);
	assert_int_equal(chip_word(chip, FRAME), 0);
	assert_int_equal(chip_word(chip, FRAME + 0x10000), 0x99999999);
	assert_int_equal(chip_word(chip, FRAME + 0x20000), 0x99999999);
	assert_int_equal(chip_word(chip, FRAME + 0x30000), 0);
	assert_int_equal(chip_word(chip, FRAME + 0x40000), 0x99999999);
}

/* A load waits for tile coordinates, and takes what is in memory then. */
static void test_load_is_pending(void **state)
{
	struct chip *chip = *state;

	rendering_mode(chip, 4, 1, RGBA8888);
	coordinates(chip, 0, 0);
	load(chip, COLOR, FRAME);
	store(chip, COLOR, FRAME + 0x1000, 0);
	chip_go(chip, 1);
	chip_put(chip, FRAME, (uint8_t[]){ LE32(0x55667788) }, 4);
	coordinates(chip, 0, 0);
	store(chip, COLOR, FRAME + 0x2000, 0);
	chip_go(chip, 1);
	assert_int_equal(chip_word(chip, FRAME + 0x1000), 0);
	assert_int_equal(chip_word(chip, FRAME + 0x2000), 0x55667788);
}

static void test_two_loads(void **state)
{
	rendering_mode(*state, 4, 1, RGBA8888);
	load(*state, COLOR, FRAME);
	load(*state, ZS, FRAME);
	chip_fail(*state, 1, "another one is pending");
}

static void test_reset_drops_the_frame(void **state)
{
	struct chip *chip = *state;

	rendering_mode(chip, 4, 1, RGBA8888);
	load(chip, COLOR, FRAME);
	chip_go(chip, 1);
	assert_int_equal(rd(chip, 0x130), 0x4);			/* RMACTIVE */
	wr(chip, 0x104, 0x8000);
	assert_int_equal(rd(chip, 0x130), 0);
	rendering_mode(chip, 4, 1, RGBA8888);
	load(chip, COLOR, FRAME);
	chip_go(chip, 1);
}

/* A store in double-buffer mode changes to the other buffer, unless it is told not to. */
static void test_double_buffer(void **state)
{
	struct chip *chip = *state;

	chip_put(chip, OTHER, (uint8_t[]){ LE32(0x01020304) }, 4);
	rendering_mode(chip, 1, 1, RGBA8888 | 0x1000);
	load(chip, COLOR, OTHER);
	coordinates(chip, 0, 0);
	store(chip, COLOR | KEEP_COLOR | 0x1000, FRAME, 0);		/* no swap */
	store(chip, COLOR | KEEP_COLOR, FRAME + 0x100, 0);
	store(chip, COLOR | KEEP_COLOR, FRAME + 0x200, 0);
	store(chip, COLOR | KEEP_COLOR, FRAME + 0x300, 0);
	chip_go(chip, 1);
	assert_int_equal(chip_word(chip, FRAME), 0x01020304);
	assert_int_equal(chip_word(chip, FRAME + 0x100), 0x01020304);
	assert_int_equal(chip_word(chip, FRAME + 0x200), 0);
	assert_int_equal(chip_word(chip, FRAME + 0x300), 0x01020304);
}

/* Loading fills every sample, so that resolving gives back the same pixels. */
static void test_load_multisample(void **state)
{
	struct chip *chip = *state;

	fill_marks(chip, OTHER, 32, 32);
	rendering_mode(chip, 32, 32, MS | RGBA8888 | DECIMATE_4X);
	load(chip, COLOR, OTHER);
	coordinates(chip, 0, 0);
	LIST(chip, 1, 25);
	chip_go(chip, 1);
	assert_memory_equal(chip_bytes(chip, FRAME), chip_bytes(chip, OTHER), 32 * 32 * 4);
}

static void test_refusals(void **state)
{
	static const struct {
		uint16_t mode;
		uint8_t record[8];
		const char *what;
	} lists[] = {
		{ RGBA8888, { 28, 6, 0, LE32(FRAME) }, "buffer 6 or 7" },
		{ RGBA8888, { 28, 0x31, 0, LE32(FRAME) }, "memory format 3" },
		{ RGBA8888, { 28, 1, 3, LE32(FRAME) }, "pixel format 3" },
		{ RGBA8888, { 28, 0x81, 0, LE32(FRAME) }, "16x needs multisample" },
		{ RGBA8888, { 29, 3, 0, LE32(FRAME) }, "buffer 3, 6 or 7" },
		{ RGBA8888, { 29, 0x31, 0, LE32(FRAME) }, "memory format 3" },
		{ 0xc, { 1 }, "frame buffer format 3" },
		{ 0xc4, { 1 }, "memory format 3" },
		{ RGBA8888 | DECIMATE_16X, { 1 }, "16x needs multisample" },
		{ RGBA8888, { 28, 1, 0, LE32(0x10) }, "TLB at 0x00000010: bus error" },
	};
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(lists) / sizeof(lists[0]); i++) {
		struct chip *chip = chip_new(NULL);

		rendering_mode(chip, 64, 64, lists[i].mode);
		coordinates(chip, 0, 0);
		chip_put(chip, chip->at[1], lists[i].record, sizeof(lists[i].record));
		chip->at[1] += 7;
		chip_fail(chip, 1, lists[i].what);
		chip_free(chip);
	}
}

/*
 * How each list of mainline's begins that clears, after power-on as well: nothing is stored, and
 * the tile buffer is clear
 */
static void test_nothing_stored_before_mode(void **state)
{
	struct chip *chip = *state;

	clear_colors(chip, 0x44444444, 0x44444444, 0, 0, 0);
	coordinates(chip, 0, 0);
	store(chip, 0, 0, 0);
	rendering_mode(chip, 64, 64, RGBA8888);
	coordinates(chip, 0, 0);
	LIST(chip, 1, 25);
	chip_go(chip, 1);
	assert_int_equal(chip_word(chip, FRAME), 0x44444444);
	assert_int_equal(rd(chip, 0x138), 1);			/* RFC */
}

static void test_store_without_mode(void **state)
{
	LIST((struct chip *)*state, 1, 24);
	chip_fail(*state, 1, "record 113");
}

static void test_store_without_place(void **state)
{
	rendering_mode(*state, 64, 64, RGBA8888);
	LIST((struct chip *)*state, 1, 24);
	chip_fail(*state, 1, "record 115");
}

/* A frame with everything where addresses wrap: stays inside memory that exists, or is an error. */
static void test_huge_frame(void **state)
{
	struct chip *chip = *state;

	rendering_mode(chip, 65535, 65535, RGBA8888 | T_FORMAT);
	coordinates(chip, 255, 255);
	LIST(chip, 1, 25);
	chip_start(chip, 1);
	assert_in_range(chip_run(chip), V3DSIM_IDLE, V3DSIM_FAULT);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, chip_setup, chip_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_clear_at_store), TEST(test_clipping), TEST(test_t_format),
		TEST(test_lt_addresses), TEST(test_lt_format), TEST(test_round_trips),
		TEST(test_all_formats), TEST(test_bgr565), TEST(test_dither), TEST(test_load_565),
		TEST(test_hdr), TEST(test_resolve), TEST(test_decimate), TEST(test_full_dump),
		TEST(test_z_stencil), TEST(test_load_z_stencil), TEST(test_clear_disable),
		TEST(test_load_is_pending), TEST(test_reset_drops_the_frame), TEST(test_two_loads),
		TEST(test_double_buffer), TEST(test_load_multisample), TEST(test_refusals),
		TEST(test_nothing_stored_before_mode), TEST(test_store_without_mode),
		TEST(test_store_without_place), TEST(test_huge_frame),
	};

	return cmocka_run_group_tests_name("tlb", tests, NULL, NULL);
}
