/* SPDX-License-Identifier: (GPL-2.0-only OR MIT) */
/*
 * Reading untrusted bytes and writing checked ones, always within bounds; and saying why something
 * is refused.
 */
#ifndef V3DCL_VALIDATE_CURSOR_H
#define V3DCL_VALIDATE_CURSOR_H

#include "always.h"
#include "validate.h"

#ifdef __KERNEL__
#include <linux/build_bug.h> /* nospec.h uses it without including it */
#include <linux/nospec.h>
#define v3dcl_nospec(index, count) array_index_nospec(index, count)
#else
#define v3dcl_nospec(index, count) (index)
#endif

/* Code that refuses is kept apart from code that does not. */
#ifndef __cold
#define __cold
#endif

/* Where the next untrusted byte is */
struct v3dcl_cursor {
	const __u8 *bytes;
	__u32 size, at;
};

/**
 * v3dcl_take() - the next bytes
 * @cursor: where they are; moves behind them
 * @n: how many
 * Return: NULL if there are not that many: then nothing is taken
 */
static inline const __u8 *v3dcl_take(struct v3dcl_cursor *cursor, __u32 n)
{
	const __u8 *bytes = cursor->bytes + cursor->at;

	/* Here alone it moves, and not beyond the end. */
	if (NEVER(cursor->at > cursor->size) || n > cursor->size - cursor->at)
		return NULL;
	cursor->at += n;
	return bytes;
}

/**
 * v3dcl_le32() - read 32 bits, the lowest byte first
 * @bytes: 4, at any address
 */
static inline __u32 v3dcl_le32(const __u8 *bytes)
{
	return bytes[0] | bytes[1] << 8 | bytes[2] << 16 | (__u32)bytes[3] << 24;
}

/**
 * v3dcl_put_le16() - write 16 bits, the lowest byte first
 * @bytes: 2, at any address
 * @value: its upper half is not looked at
 */
static inline void v3dcl_put_le16(__u8 *bytes, __u32 value)
{
	bytes[0] = value;
	bytes[1] = value >> 8;
}

/**
 * v3dcl_put_le32() - write 32 bits, the lowest byte first
 * @bytes: 4, at any address
 * @value: what to write
 *
 * All at once: gcc does not make one store of four where others are near.
 */
static inline void v3dcl_put_le32(__u8 *bytes, __u32 value)
{
	if (__BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__)
		value = __builtin_bswap32(value);
	__builtin_memcpy(bytes, &value, sizeof(value));
}

/* Where the next checked byte goes, for us and for the V3D, and how many there is room for */
struct v3dcl_writer {
	__u8 *cpu;
	__u32 address, left;
};

/**
 * v3dcl_refuse() - fill a refusal
 * @refusal: set
 * @part: enum drm_v3dcl_part
 * @rule: enum v3dcl_rule
 * @offset: in bytes from the start of that part
 * @found: what stands there
 * @expected: what the rule asks for, or its limit
 * Return: false, so that a check reads: return condition || v3dcl_refuse(...);
 */
static inline __cold bool v3dcl_refuse(struct v3dcl_refusal *refusal, __u16 part, __u16 rule,
				       __u32 offset, __u64 found, __u64 expected)
{
	*refusal = (struct v3dcl_refusal){
		.part = part, .rule = rule, .offset = offset, .found = found, .expected = expected
	};
	return false;
}

/**
 * v3dcl_inside() - does a range lie inside another that starts at 0?
 * @offset: where it starts
 * @bytes: its length
 * @size: length of the other one
 */
static inline bool v3dcl_inside(__u32 offset, __u32 bytes, __u32 size)
{
	return bytes <= size && offset <= size - bytes;
}

/**
 * v3dcl_round_up() - the next multiple
 * @value: at most the last multiple below 2^32
 * @power_of_two: of what
 */
static inline __u32 v3dcl_round_up(__u32 value, __u32 power_of_two)
{
	return (value + power_of_two - 1) & ~(power_of_two - 1);
}

#endif /* V3DCL_VALIDATE_CURSOR_H */
