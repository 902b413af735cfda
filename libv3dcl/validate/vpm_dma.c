// SPDX-License-Identifier: (GPL-2.0-only OR MIT)
/*
 * What DMA between the VPM and memory reaches: AG100 Tables 34 to 37.
 *
 * Where the guide and measurements differ, or nothing is established, what is refused or counted
 * covers both readings.
 */
#include <v3d/words.h>

#include "always.h"
#include "vpm_dma.h"

#define VPM_WORDS (V3DCL_VPM_ROWS * V3DCL_VPM_COLUMNS)

/* What a row of memory is made of */
struct shape {
	__u32 log;		/* elements a word, as a power of two */
	__u32 sub;		/* which of them is the first */
	__u32 rows, length;	/* length in elements */
};

/* A width with its offset, of both set-up words */
static void parse_mode(struct shape *shape, __u32 modew)
{
	shape->log = modew >= 4 ? 2 : modew >= 2 ? 1 : 0;
	shape->sub = modew & ((1u << shape->log) - 1);
}

static __u32 words_of(const struct shape *shape, __u32 elements)
{
	return (elements + (1u << shape->log) - 1) >> shape->log;
}

static void store_shape(const struct v3d_vdw_setup *setup, struct shape *shape)
{
	parse_mode(shape, setup->modew);
	shape->rows = setup->units ? setup->units : 128;
	shape->length = setup->depth ? setup->depth : 128;
}

static void load_shape(const struct v3d_vdr_setup *setup, struct shape *shape)
{
	parse_mode(shape, setup->modew);
	shape->rows = setup->nrows ? setup->nrows : 16;
	shape->length = setup->rowlen ? setup->rowlen : 16;
}

/*
 * AG100 Table 35, BLOCKMODE 0: each row of memory begins one row of the VPM after the one before,
 * or one column when vertical. It goes on in the next row of the VPM past column 15; down a column
 * it must end before row 64. An address that can differ in Y can have any X.
 */
static bool apart_inside(const struct v3d_vdw_setup *first, const struct v3d_vdw_setup *last,
			 const struct shape *shape)
{
	__u32 words = words_of(shape, shape->sub + shape->length), further = shape->rows - 1;
	__u32 column = first->y == last->y ? last->x : V3DCL_VPM_COLUMNS - 1;

	if (last->horizontal)
		return (last->y + further) * V3DCL_VPM_COLUMNS + last->x + words <= VPM_WORDS;
	return last->y + words <= V3DCL_VPM_ROWS && column + further < V3DCL_VPM_COLUMNS;
}

/*
 * AG100 Table 35, BLOCKMODE 1: each row of memory begins in the VPM where the one before ends. Of
 * bytes and half-words it may begin with the next word, which takes no fewer words.
 */
static bool packed_inside(const struct v3d_vdw_setup *last, const struct shape *shape)
{
	__u32 words = shape->rows * words_of(shape, shape->sub + shape->length);

	if (last->horizontal)
		return last->y * V3DCL_VPM_COLUMNS + last->x + words <= VPM_WORDS;
	return last->y + words <= V3DCL_VPM_ROWS;
}

/*
 * SW: two published libraries set BLOCKMODE and need rows of words to be apart, as without it. What
 * it does to bytes, half-words and columns is not known. A store with it must be inside either way.
 */
static bool store_inside(const struct v3d_vdw_setup *first, const struct v3d_vdw_setup *last,
			 const struct shape *shape, bool block)
{
	if (block && !packed_inside(last, shape))
		return false;
	return apart_inside(first, last, shape);
}

static __u32 store_rule(const struct v3dcl_dma *dma)
{
	struct v3d_vdw_setup first, last;
	struct v3d_vdw_stride stride;
	struct shape shape;

	v3d_parse_vdw_setup(dma->first, &first);
	v3d_parse_vdw_setup(dma->last, &last);
	v3d_parse_vdw_stride(dma->stride, &stride);
	if (first.id != 2 || first.modew == 1 || first.laned)
		return V3DCL_RULE_SETUP_WORD;
	if (stride.id != 3 || v3d_word_vdw_stride(&stride) != dma->stride)
		return V3DCL_RULE_SETUP_WORD;
	store_shape(&first, &shape);
	return store_inside(&first, &last, &shape, stride.blockmode) ? V3DCL_RULE_NONE :
								       V3DCL_RULE_DMA_ROWS;
}

/*
 * VPITCH counts sub-words. AG100 Table 36 names only the low bits of Y as what it is added to: if
 * that wraps, what is counted here is not passed either.
 */
static bool load_inside(const struct v3d_vdr_setup *last, const struct shape *shape)
{
	__u32 pitch = last->vpitch ? last->vpitch : 16;
	__u32 at = (last->y << shape->log) + shape->sub + (shape->rows - 1) * pitch,
	      mask = (1u << shape->log) - 1;

	if (!last->vertical)
		return last->x + words_of(shape, at * V3DCL_VPM_COLUMNS + shape->length) <=
		       VPM_WORDS;
	return (at >> shape->log) +
		       words_of(shape, (shape->rows > 1 ? mask : shape->sub) * V3DCL_VPM_COLUMNS +
					       shape->length) <=
	       V3DCL_VPM_ROWS;
}

static __u32 load_rule(const struct v3dcl_dma *dma)
{
	struct v3d_vdr_setup setup;
	struct v3d_vdr_stride stride;
	struct shape shape;

	v3d_parse_vdr_setup(dma->last, &setup);
	v3d_parse_vdr_stride(dma->stride, &stride);
	if (!setup.id || setup.modew == 1)
		return V3DCL_RULE_SETUP_WORD;
	if (!setup.mpitch && (stride.id != 9 || v3d_word_vdr_stride(&stride) != dma->stride))
		return V3DCL_RULE_SETUP_WORD;
	load_shape(&setup, &shape);
	return load_inside(&setup, &shape) ? V3DCL_RULE_NONE : V3DCL_RULE_DMA_ROWS;
}

/**
 * v3dcl_dma_rule() - does a load or store keep to the VPM's rows, with set-up words that exist?
 * @dma: any words; its kind, size and mode are asked of one of @first and @last, its place of the
 *	other
 * Return: enum v3dcl_rule, the one that it breaks
 */
__u32 v3dcl_dma_rule(const struct v3dcl_dma *dma)
{
	if (dma->last < dma->first ||
	    (dma->first ^ dma->last) & ~v3dcl_setup_field(dma->store, false))
		return V3DCL_RULE_SETUP_WORD;
	return dma->store ? store_rule(dma) : load_rule(dma);
}

/**
 * v3dcl_dma_bytes() - how much memory a load or store spans
 * @dma: breaks no rule
 * Return: bytes from its address on, at least 1, below 2^24
 */
__u32 v3dcl_dma_bytes(const struct v3dcl_dma *dma)
{
	struct v3d_vdw_stride vdw_stride;
	struct v3d_vdr_stride vdr_stride;
	struct v3d_vdw_setup vdw;
	struct v3d_vdr_setup vdr;
	struct shape shape;
	__u32 bytes, pitch;

	if (dma->store) {
		v3d_parse_vdw_setup(dma->first, &vdw);
		v3d_parse_vdw_stride(dma->stride, &vdw_stride);
		store_shape(&vdw, &shape);
		bytes = shape.length * (4 >> shape.log);
		pitch = bytes + vdw_stride.stride;
	} else {
		v3d_parse_vdr_setup(dma->first, &vdr);
		v3d_parse_vdr_stride(dma->stride, &vdr_stride);
		load_shape(&vdr, &shape);
		bytes = shape.length * (4 >> shape.log);
		pitch = vdr.mpitch ? 8u << vdr.mpitch : vdr_stride.mpitchb;
	}
	return (shape.rows - 1) * pitch + bytes;
}

/**
 * v3dcl_needs_stride() - does a set-up word need the stride word beside it?
 * @store: it is a VDW's
 * @setup: the set-up word
 */
bool v3dcl_needs_stride(bool store, __u32 setup)
{
	struct v3d_vdr_setup vdr;

	v3d_parse_vdr_setup(setup, &vdr);
	return store || !vdr.mpitch;
}

/**
 * v3dcl_setup_field() - what of a word for DMA need not be known before the job
 * @store: it is a VDW's
 * @stride: it is a stride word, whose stride that is; else a set-up word, whose address in the VPM
 * Return: the bits
 */
__u32 v3dcl_setup_field(bool store, bool stride)
{
	const struct v3d_vdw_setup vdw = { .x = ~0, .y = ~0 };
	const struct v3d_vdr_setup vdr = { .x = ~0, .y = ~0 };
	const struct v3d_vdw_stride vdw_stride = { .stride = ~0 };
	const struct v3d_vdr_stride vdr_stride = { .mpitchb = ~0 };

	if (store)
		return stride ? v3d_word_vdw_stride(&vdw_stride) : v3d_word_vdw_setup(&vdw);
	return stride ? v3d_word_vdr_stride(&vdr_stride) : v3d_word_vdr_setup(&vdr);
}

/* Of a number that is one of two, as signed ones: the lower, and how far the other is from it */
static __u32 lower_of_two(__u32 one, __u32 other, __u32 *further)
{
	bool swap = (__s32)other < (__s32)one;

	*further = swap ? one - other : other - one;
	return swap ? other : one;
}

/* The limit of a term, which is not negative */
static bool evaluate_limit(const struct v3dcl_abstract_value *number, __u32 index,
			   const __u32 *words, __u32 *most)
{
	__s64 limit = (__s64)(__s32)words[number->slot[index]] + (__s16)number->by[index];

	*most = limit;
	return limit >= 0 && limit <= 0x7fffffff && (__s32)words[number->slot[index]] >= 0;
}

/*
 * The most that a product can be, before its scale. mul24 takes 24 bits of each (AG100 Table 10),
 * and more than 32 of both would wrap.
 */
static bool evaluate_factors(const struct v3dcl_abstract_value *number, __u32 index,
			     const __u32 *words, __u32 count, __u32 *most)
{
	__u32 by = number->by[index], word = words[number->slot[index]], other = 1;

	if (by != V3DCL_NO_FACTOR) {
		if (NEVER(by >= count))
			return false;
		other = words[by];
	}
	*most = word * other;
	return word <= 0xffffff && other <= 0xffffff && !((__u64)word * other >> 32);
}

/**
 * v3dcl_evaluate() - what a number can be, with these uniforms
 * @number: its slots are inside the uniforms: v3dcl_read_uniform() has counted each that is read,
 *	and check_run() asked for as many. Of terms there are as many as add_term() adds
 * @words: the uniforms
 * @count: of @words
 * @range: result
 * @slot: set to the uniform that is to blame when it returns false
 * Return: false if it is clamped by what is negative, or a product of more than 24 or 32 bits
 */
bool v3dcl_evaluate(const struct v3dcl_abstract_value *number, const __u32 *words, __u32 count,
		    struct v3dcl_range *range, __u32 *slot)
{
	__u32 i, most = 0;

	*range = (struct v3dcl_range){ number->low, number->span };
	for (i = 0; i < number->count; i++) {
		__u32 word;

		if (NEVER(i >= V3DCL_TERMS || number->slot[i] >= count)) {
			*slot = count;
			return false;
		}
		word = words[number->slot[i]];
		if (!(number->clamped >> i & 1)) {
			if (number->factor >> i & 1 && NEVER(number->by[i] >= count))
				return false;
			if (number->factor >> i & 1)
				word = lower_of_two(word, words[number->by[i]], &most);
			else
				most = 0;
			range->first += word * number->scale[i];
			range->spread += (__u64)most * number->scale[i];
			continue;
		}
		*slot = number->slot[i];
		if (number->factor >> i & 1 ? !evaluate_factors(number, i, words, count, &most) :
					      !evaluate_limit(number, i, words, &most))
			return false;
		range->spread += (__u64)most * number->scale[i];
	}
	return true;
}
