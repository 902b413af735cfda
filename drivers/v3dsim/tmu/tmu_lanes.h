/* SPDX-License-Identifier: MIT */
/*
 * Texels for 16 lanes at once, as wide as the instruction set that this is compiled for: included
 * by tmu_any.c for what every machine has, and by tmu_avx2.c. Defines TMU_TABLE. Floats are
 * multiplied by powers of two only, whatever the rounding mode.
 */
#include <string.h>

#include "core/sim.h"
#include "tmu_filter.h"

/*
 * Vectors are passed by value between functions of one file only, all inlined: no ABI is involved.
 */
#pragma GCC diagnostic ignored "-Wpsabi"

/* Parts are few; GCC 12 at -O2 keeps them in a loop, and in memory, unless told. */
#define UNROLLED _Pragma("GCC unroll 16")
#define EACH_PART(p) UNROLLED for (int p = 0; p < ALU_PARTS; p++)
#define INLINE static inline __attribute__((always_inline))

#define TAPS 4

/*
 * Along s or t: the texels before and after a point, how far it is from the first, in 256ths, and
 * which are outside
 */
struct axis {
	struct lanes texel[2], weight, outside[2];
};

/* Of texture_offset(): what the byte column gives, and what the row gives */
struct column {
	struct lanes high, low;
};

struct row {
	struct lanes high, low, odd;
};

/* Words of memory by lane, or what they mean */
struct texels {
	struct lanes word[2];
};

INLINE alu_uints choose(alu_ints mask, alu_uints yes, alu_uints no)
{
	return no ^ ((no ^ yes) & (alu_uints)mask);
}

INLINE alu_ints clamp(alu_ints value, int32_t low, int32_t high)
{
	const alu_ints zero = { 0 };

	value = (alu_ints)choose(value < low, (alu_uints)(zero + low), (alu_uints)value);
	return (alu_ints)choose(value > high, (alu_uints)(zero + high), (alu_uints)value);
}

/*
 * Into [0, 1], with 20 bits behind the point; towards a border a texel beyond. No place is further
 * than 2^31 / 2^12 texels.
 */
INLINE alu_ints wrap_coordinate(alu_ints at, uint32_t size, enum v3d_wrap wrap)
{
	const int32_t one = 1 << 20, beyond = one / (int32_t)size + 1;

	switch (wrap) {
	case V3D_WRAP_REPEAT:
		return at & (one - 1);
	case V3D_WRAP_CLAMP:
		return clamp(at, 0, one);
	case V3D_WRAP_MIRROR:
		at &= 2 * one - 1;
		return (alu_ints)choose(at > one, (alu_uints)(2 * one - at), (alu_uints)at);
	default:
		return clamp(at, -beyond, one + beyond);
	}
}

INLINE alu_ints wrap_texel(alu_ints texel, int32_t size, enum v3d_wrap wrap, alu_ints *outside)
{
	alu_ints inside;

	if (wrap == V3D_WRAP_REPEAT) {
		texel += (texel < 0) & size;
		return texel - ((texel >= size) & size);
	}
	inside = clamp(texel, 0, size - 1);
	*outside = inside != texel;
	return inside;
}

/* @face: of a cube, which ends where its coordinates end */
INLINE void locate(struct axis *axis, const struct lanes *at, uint32_t size, enum v3d_wrap wrap,
		   bool linear, bool face)
{
	EACH_PART(p) {
		const alu_ints within = wrap_coordinate(at->i[p], size,
							face ? V3D_WRAP_CLAMP : wrap);
		/*
		 * Modulo 2^32, with an offset that keeps places below 0 positive; in 256ths,
		 * rounded
		 */
		const alu_uints product = (alu_uints)within * size + (0x800 + (1024 << 12));
		alu_ints place = (alu_ints)(product >> 12) - 1024;

		if (face)
			place = clamp(place, 0, (int32_t)size * 256 - 1);
		if (linear)
			place -= 128;
		axis->weight.i[p] = place & 255;
		axis->texel[0].i[p] = wrap_texel(place >> 8, size, wrap, &axis->outside[0].i[p]);
		if (linear)
			axis->texel[1].i[p] = wrap_texel((place >> 8) + 1, size, wrap,
							 &axis->outside[1].i[p]);
	}
}

INLINE void move_into_image(struct lanes *texel, uint32_t offset, uint32_t size)
{
	EACH_PART(p)
		texel->i[p] = clamp(texel->i[p] + (int32_t)offset, 0, (int32_t)size - 1);
}

INLINE void flip(struct lanes *texel, uint32_t size)
{
	EACH_PART(p)
		texel->i[p] = (int32_t)size - 1 - texel->i[p];
}

INLINE void find_column(struct column *column, const struct texture_layout *layout,
			const struct texel_format *format, const struct lanes *x)
{
	const int row = layout->row_log2;

	EACH_PART(p) {
		const alu_uints byte = x->u[p] >> (int)format->x_down << (int)format->unit,
				micro = byte >> row;

		switch (layout->format) {
		case V3D_T_FORMAT:
			column->high.u[p] = micro >> 3 << 12;
			column->low.u[p] = (byte & ((1u << row) - 1)) | (micro & 3) << 6 |
					   (-(micro >> 2 & 1) & TEXTURE_T_RIGHT);
			break;
		case V3D_LT_FORMAT:
			column->high.u[p] = micro << 6;
			column->low.u[p] = byte & ((1u << row) - 1);
			break;
		default:
			column->high.u[p] = byte;
			column->low.u[p] = byte ^ byte;
		}
	}
}

INLINE void find_row(struct row *row, const struct texture_layout *layout,
		     const struct texel_format *format, const struct lanes *y)
{
	const int down = 6 - layout->row_log2, across = layout->row_log2;

	EACH_PART(p) {
		const alu_uints line = y->u[p] >> (int)format->y_down, micro = line >> down;
		const alu_uints inside = (line & ((1u << down) - 1)) << across;

		switch (layout->format) {
		case V3D_T_FORMAT:
			row->odd.u[p] = -(micro >> 3 & 1);
			row->high.u[p] = (micro >> 3) * layout->step;
			row->low.u[p] = (inside | (micro & 3) << 8 |
					 (-(micro >> 2 & 1) & TEXTURE_T_UPPER)) ^
					(row->odd.u[p] & TEXTURE_T_ODD);
			break;
		case V3D_LT_FORMAT:
			row->odd.u[p] = line ^ line;
			row->high.u[p] = micro * layout->step;
			row->low.u[p] = inside;
			break;
		default:
			row->odd.u[p] = row->low.u[p] = line ^ line;
			row->high.u[p] = line * layout->step;
		}
	}
}

INLINE void find_offset(struct lanes *offset, const struct texture_layout *layout,
			const struct column *column, const struct row *row)
{
	EACH_PART(p)
	offset->u[p] = row->high.u[p] +
		       choose(row->odd.i[p], layout->last - column->high.u[p], column->high.u[p]) +
		       (column->low.u[p] ^ row->low.u[p]);
}

#define LOAD_ALL(type) \
	do { \
		UNROLLED \
		for (unsigned int n = 0; n < V3D_QPU_LANES; n++) \
			out->word[0].lane[n] = \
				__atomic_load_n((const type *)(memory + offset->lane[n]), \
						__ATOMIC_RELAXED); \
	} while (0)

/* From memory as it lies here; every offset is inside the level, aligned to the unit */
INLINE void load(struct texels *out, const uint8_t *memory, const struct lanes *offset,
		 unsigned int unit)
{
	switch (unit) {
	case 0:
		LOAD_ALL(uint8_t);
		break;
	case 1:
		LOAD_ALL(uint16_t);
		break;
	case 2:
		LOAD_ALL(uint32_t);
		break;
	default:
		for (unsigned int n = 0; n < V3D_QPU_LANES; n++) {
			const uint64_t word =
				__atomic_load_n((const uint64_t *)(memory + offset->lane[n]),
						__ATOMIC_RELAXED);

			out->word[0].lane[n] = word;
			out->word[1].lane[n] = word >> 32;
		}
	}
}

/* Through the cache, and only what is needed, quad by quad */
static __attribute__((noinline)) bool fetch(struct v3dsim *sim, const struct tmu_sample *sample,
					    const struct lanes *offsets,
					    const struct lanes *outside, unsigned int taps,
					    struct texels *out)
{
	const uint32_t bytes = 1u << sample->texture->format->unit;

	memset(out, 0, taps * sizeof(*out));
	for (unsigned int n = 0; n < V3D_QPU_LANES * taps; n++) {
		const unsigned int lane = n / (4 * taps) * 4 + n % 4, tap = n / 4 % taps;
		uint32_t words[2] = { 0, 0 };

		if (!(sample->lanes >> lane & 1) || outside[tap].lane[lane])
			continue;
		if (!cache_fetch(sim, CACHE_TMU, sample->unit,
				 sample->base + offsets[tap].lane[lane], words, bytes))
			return false;
		out[tap].word[0].lane[lane] = words[0];
		out[tap].word[1].lane[lane] = words[1];
	}
	return true;
}

/* High bits repeated below */
#define WIDEN4(v) ((v) << 4 | (v))
#define WIDEN5(v) ((v) << 3 | (v) >> 2)
#define WIDEN6(v) ((v) << 2 | (v) >> 4)
#define OPAQUE 0xff000000u

INLINE alu_uints decode_words(unsigned int type, alu_uints w, alu_uints x)
{
	switch (type) {
	case V3D_TEXTURE_RGBX8888:
		return w | OPAQUE;
	case V3D_TEXTURE_RGBA4444:
		return WIDEN4(w >> 12) | WIDEN4(w >> 8 & 15) << 8 | WIDEN4(w >> 4 & 15) << 16 |
		       WIDEN4(w & 15) << 24;
	case V3D_TEXTURE_RGBA5551:
		return WIDEN5(w >> 11) | WIDEN5(w >> 6 & 31) << 8 | WIDEN5(w >> 1 & 31) << 16 |
		       -(w & 1) << 24;
	case V3D_TEXTURE_RGB565:
		return WIDEN5(w >> 11) | WIDEN6(w >> 5 & 63) << 8 | WIDEN5(w & 31) << 16 | OPAQUE;
	case V3D_TEXTURE_LUMINANCE:
		return w * 0x010101 | OPAQUE;
	case V3D_TEXTURE_ALPHA:
		return w << 24;
	case V3D_TEXTURE_LUMALPHA:
		return (w & 0xff) * 0x010101 | w >> 8 << 24;
	case V3D_TEXTURE_BW1:
		return (-(w >> (x & 7) & 1) & 0xffffff) | OPAQUE;
	case V3D_TEXTURE_A4:
		w = w >> ((x & 1) << 2) & 15;
		return WIDEN4(w) << 24;
	case V3D_TEXTURE_A1:
		return -(w >> (x & 7) & 1) << 24;
	case V3D_TEXTURE_YUYV422R:
		return (w >> ((x & 1) << 4) & 0xff) | (w & 0xff00) | w >> 24 << 16 | OPAQUE;
	default:	/* RGBA8888, RGBA32R and the types of halves are what the QPU gets */
		return w;
	}
}

/*
 * The first or the second of a block's base colours; out of range, which is undefined, a difference
 * wraps.
 */
INLINE alu_uints etc1_base(alu_uints channel, alu_ints differential, alu_ints second)
{
	const alu_uints delta = ((channel & 7) ^ 4) - 4,
			five = ((channel >> 3) + (delta & (alu_uints)second)) & 31;
	const alu_uints four = choose(second, channel & 15, channel >> 4);

	return choose(differential, WIDEN5(five), WIDEN4(four));
}

/*
 * The block's bytes are big endian, so are the 16 bits that hold one bit of each texel's index;
 * texels go down, then right.
 */
INLINE void etc1_indices(struct lanes *index, alu_ints *second, const struct texels *block,
			 alu_uints x, alu_uints y, int p)
{
	const alu_uints flags = block->word[0].u[p] >> 24, bits = block->word[1].u[p],
			at = (x * 4 + y) ^ 8;
	const alu_uints codewords = flags >> 2;

	*second = -(alu_ints)(choose(-(alu_ints)(flags & 1), y, x) >> 1);
	index->u[p] = (choose(*second, codewords & 7, codewords >> 3) << 1 |
		       (bits >> (at + 16) & 1)) |
		      (bits >> at & 1) << 4;
}

static __attribute__((noinline)) void decode_etc1(struct texels *block, const struct lanes *x,
						  const struct lanes *y, bool upward)
{
	struct lanes index, modifier, second;

	EACH_PART(p)
	etc1_indices(&index, &second.i[p], block, x->u[p] & 3, (y->u[p] & 3) ^ (upward ? 0 : 3), p);
	for (unsigned int n = 0; n < V3D_QPU_LANES; n++)
		modifier.lane[n] = texel_etc1_modifiers[index.lane[n] & 15];
	EACH_PART(p) {
		const alu_uints low = block->word[0].u[p], negative = -(index.u[p] >> 4);
		const alu_ints differential = -(alu_ints)(low >> 25 & 1),
			       step = (alu_ints)((modifier.u[p] ^ negative) - negative);
		alu_uints out = low ^ low;

		for (int c = 0; c < 24; c += 8)
			out |= (alu_uints)clamp((alu_ints)etc1_base(low >> c & 0xff, differential,
								    second.i[p]) +
							step,
						0, 255)
			       << c;
		block->word[0].u[p] = out | OPAQUE;
	}
}

INLINE void decode(const struct tmu_texture *texture, struct texels *texels, const struct lanes *x,
		   const struct lanes *y)
{
	if (texture->type == V3D_TEXTURE_ETC1) {
		decode_etc1(texels, x, y, texture->etc_flip);
		return;
	}
	EACH_PART(p)
		texels->word[0].u[p] = decode_words(texture->type, texels->word[0].u[p], x->u[p]);
}

static __attribute__((noinline)) void put_border(const struct tmu_sample *sample,
						 struct texels *texels, const struct lanes *outside)
{
	const alu_uints none = { 0 };
	const unsigned int type = sample->texture->type;
	uint32_t word[2] = { sample->border, 0 };

	if (type == V3D_TEXTURE_RGBA64)
		for (unsigned int n = 0; n < 2; n++)
			word[n] =
				texel_byte_to_half(sample->border >> 16 * n & 0xff) |
				(uint32_t)texel_byte_to_half(sample->border >> (16 * n + 8) & 0xff)
					<< 16;
	else if (sample->texture->format->blend != TEXEL_BYTES)
		word[0] &= 0xffff;
	for (unsigned int n = 0; n < 2; n++)
		EACH_PART(p)
	texels->word[n].u[p] = choose(outside->i[p], none + word[n], texels->word[n].u[p]);
}

/*
 * Four channels a word; red and blue, then green and alpha, side by side across s. Exact until the
 * end.
 */
INLINE void blend_bytes(struct lanes *out, const struct texels *taps, const struct lanes *across,
			const struct lanes *down)
{
	const uint32_t even = 0xff00ff;

	EACH_PART(p) {
		const alu_uints x = across->u[p], y = down->u[p];
		alu_uints words = { 0 };

#pragma GCC unroll 2
		for (int half = 0; half < 2; half++) {
			const alu_uints a = taps[0].word[0].u[p] >> 8 * half & even,
					b = taps[1].word[0].u[p] >> 8 * half & even;
			const alu_uints c = taps[2].word[0].u[p] >> 8 * half & even,
					d = taps[3].word[0].u[p] >> 8 * half & even;
			const alu_uints first = (a << 8) + (b - a) * x,
					second = (c << 8) + (d - c) * x;
			const alu_uints low = first & 0xffff, high = first >> 16;

			words |= ((low << 8) + ((second & 0xffff) - low) * y + 0x8000) >>
				 16 << 8 * half;
			words |= ((high << 8) + ((second >> 16) - high) * y + 0x8000) >>
				 16 << (8 * half + 16);
		}
		out->u[p] = words;
	}
}

static __attribute__((noinline)) void blend_halves(struct lanes out[2], const struct texels *taps,
						   const struct lanes *across,
						   const struct lanes *down, unsigned int channels)
{
	for (unsigned int n = 0; n < V3D_QPU_LANES; n++) {
		uint32_t words[2] = { 0, 0 };

		for (unsigned int c = 0; c < channels; c++) {
			uint16_t texels[TAPS];

			for (unsigned int tap = 0; tap < TAPS; tap++)
				texels[tap] = taps[tap].word[c / 2].lane[n] >> c % 2 * 16;
			words[c / 2] |= (uint32_t)texel_bilinear_halves(texels, across->lane[n],
									down->lane[n])
					<< c % 2 * 16;
		}
		out[0].lane[n] = words[0];
		out[1].lane[n] = words[1];
	}
}

/* HW-2619: what lanes get that nothing was blended with */
static void pass_through(struct v3dsim *sim, const struct tmu_sample *sample, struct lanes *out,
			 const struct lanes *across, const struct lanes *down)
{
	const unsigned int words = sample->texture->type == V3D_TEXTURE_RGBA64 ? 2 : 1;
	uint32_t lost = 0;

	for (unsigned int n = 0; n < V3D_QPU_LANES; n++) {
		if (sample->linear && (across->lane[n] | down->lane[n]))
			continue;
		for (unsigned int word = 0; word < words; word++) {
			const uint32_t texel = out[word].lane[n];

			out[word].lane[n] = texel_passed_through(texel);
			lost |= sample->lanes >> n & 1 ? texel ^ out[word].lane[n] : 0;
		}
	}
	if (lost)
		chip_strike(sim, V3D_CHIP_HW_2619);
}

/* Texels of all taps, decoded. taps[2 * row + column] */
INLINE bool gather(struct v3dsim *sim, const struct tmu_sample *sample, const struct axis *across,
		   const struct axis *down, unsigned int count, struct texels *taps)
{
	const struct tmu_texture *texture = sample->texture;
	const struct texture_layout *layout = &sample->level->layout;
	const bool border_s = texture->wrap[0] == V3D_WRAP_BORDER,
		   border_t = texture->wrap[1] == V3D_WRAP_BORDER;
	struct lanes offsets[TAPS], outside[TAPS];
	struct column columns[2];
	struct row rows[2];
	const uint8_t *memory;

	for (unsigned int n = 0; n < (count > 1 ? 2 : 1); n++) {
		find_column(&columns[n], layout, texture->format, &across->texel[n]);
		find_row(&rows[n], layout, texture->format, &down->texel[n]);
	}
	for (unsigned int tap = 0; tap < count; tap++) {
		find_offset(&offsets[tap], layout, &columns[tap & 1], &rows[tap >> 1]);
		lanes_fill(&outside[tap], 0);
		EACH_PART(p) {
			if (border_s)
				outside[tap].u[p] |= across->outside[tap & 1].u[p];
			if (border_t)
				outside[tap].u[p] |= down->outside[tap >> 1].u[p];
		}
	}
	memory = sim->config.caches == V3DSIM_CACHES_IDEAL ?
			 bus_peek(sim, V3DSIM_UNIT_TMU, sample->base, layout->bytes) : NULL;
	if (memory && !((uintptr_t)memory & 7)) {
		for (unsigned int tap = 0; tap < count; tap++)
			load(&taps[tap], memory, &offsets[tap], texture->format->unit);
	} else if (!fetch(sim, sample, offsets, outside, count, taps)) {
		return false;
	}
	for (unsigned int tap = 0; tap < count; tap++) {
		decode(texture, &taps[tap], &across->texel[tap & 1], &down->texel[tap >> 1]);
		if (border_s || border_t)
			put_border(sample, &taps[tap], &outside[tap]);
	}
	return true;
}

static void fix(struct lanes *wide, struct lanes *fixed, uint16_t *far,
		const struct lanes *coordinate)
{
	struct lanes beyond;

	EACH_PART(p) {
		const alu_ints bits = coordinate->i[p], most = (bits & 0) + (1 << 30);
		const alu_ints fits = (bits & 0x7fffffff) < TMU_FAR;
		const alu_floats scaled = (alu_floats)(bits & fits) * (float)(1 << TMU_WIDE);

		beyond.i[p] = ~fits;
		wide->u[p] = choose(fits, (alu_uints)__builtin_convertvector(scaled, alu_ints),
				    choose(bits < 0, (alu_uints)-most, (alu_uints)most));
		fixed->i[p] = (wide->i[p] + 1) >> (TMU_WIDE - TMU_POINT);
	}
	*far = 0;
	if (__builtin_expect(lanes_any(&beyond), 0))
		for (unsigned int n = 0; n < V3D_QPU_LANES; n++)
			*far |= (uint16_t)((beyond.lane[n] & 1) << n);
}

static void blend(struct lanes *out, const struct lanes *other, const struct lanes *weight)
{
	const uint32_t even = 0xff00ff, half = 0x800080;

	EACH_PART(p) {
		const alu_uints a = out->u[p], b = other->u[p], w = weight->u[p];
		const alu_uints low = ((a & even) << 8) + ((b & even) - (a & even)) * w + half;
		const alu_uints high = ((a >> 8 & even) << 8) +
				       ((b >> 8 & even) - (a >> 8 & even)) * w + half;

		out->u[p] = (low >> 8 & even) | (high & ~even);
	}
}

static bool take_sample(struct v3dsim *sim, const struct tmu_sample *sample, struct lanes out[2])
{
	const struct tmu_texture *texture = sample->texture;
	const struct tmu_level *level = sample->level;
	const unsigned int axes = sample->linear ? 2 : 1;
	struct axis across, down;
	struct texels taps[TAPS];

	locate(&across, &sample->s, level->child_width, texture->wrap[0], sample->linear,
	       texture->cube);
	locate(&down, &sample->t, level->child_height, texture->wrap[1], sample->linear,
	       texture->cube);
	for (unsigned int n = 0; n < axes; n++) {
		if (texture->flip_y)
			flip(&down.texel[n], level->child_height);
		if (texture->child) {
			move_into_image(&across.texel[n], level->child_x, level->width);
			move_into_image(&down.texel[n], level->child_y, level->height);
		}
	}
	if (!gather(sim, sample, &across, &down, axes * axes, taps))
		return false;
	if (!sample->linear)
		memcpy(out, taps[0].word,
		       (texture->type == V3D_TEXTURE_RGBA64 ? 2 : 1) * sizeof(*out));
	else if (texture->format->blend == TEXEL_BYTES)
		blend_bytes(out, taps, &across.weight, &down.weight);
	else
		blend_halves(out, taps, &across.weight, &down.weight,
			     texture->type == V3D_TEXTURE_RGBA64 ? 4 : 1);
	if (texture->format->blend == TEXEL_HALVES && chip_has(&sim->chip, V3D_CHIP_HW_2619))
		pass_through(sim, sample, out, &across.weight, &down.weight);
	return true;
}

TMU_TABLE = { take_sample, fix, blend };
