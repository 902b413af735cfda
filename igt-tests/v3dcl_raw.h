/* SPDX-License-Identifier: MIT */
/*
 * Raw lists, as tests write them: byte by byte into one BO, with the addresses of BOs where they
 * belong.
 */
#ifndef V3DCL_RAW_H
#define V3DCL_RAW_H

#include "v3dcl_igt.h"

/* The BOs of a raw job, by their index in the submit */
enum { RAW_MEMORY, RAW_TILES, RAW_TARGET, RAW_BOS };

#define RAW_ADDRESSES 512
#define RAW_MEMORY_BYTES 0x40000
#define RAW_TILE_STATE 0x40000		/* where in RAW_TILES; before it are the lists */
#define RAW_TILES_BYTES 0x50000

struct raw {
	struct drm_v3dcl_submit_lists submit;
	uint32_t handles[RAW_BOS];
	struct bo bos[RAW_BOS];
	struct drm_v3dcl_address addresses[RAW_ADDRESSES];
	struct drm_v3dcl_sync in[2], out[2];
	uint32_t at;			/* of the next byte in RAW_MEMORY */
};

static inline struct raw *raw_new(int fd, uint32_t target_bytes)
{
	const uint32_t sizes[RAW_BOS] = { RAW_MEMORY_BYTES, RAW_TILES_BYTES, target_bytes };
	struct raw *raw = calloc(1, sizeof(*raw));
	unsigned int i;

	igt_assert(raw);
	for (i = 0; i < RAW_BOS; i++) {
		raw->bos[i] = bo_create(fd, sizes[i]);
		raw->handles[i] = raw->bos[i].handle;
	}
	raw->submit.bo_handles = (uintptr_t)raw->handles;
	raw->submit.bo_count = RAW_BOS;
	raw->submit.addresses = (uintptr_t)raw->addresses;
	raw->submit.in_syncs = (uintptr_t)raw->in;
	raw->submit.out_syncs = (uintptr_t)raw->out;
	return raw;
}

static inline void raw_free(int fd, struct raw *raw)
{
	unsigned int i;

	for (i = 0; i < RAW_BOS; i++)
		bo_destroy(fd, &raw->bos[i]);
	free(raw);
}

static inline void raw_bytes(struct raw *raw, const void *bytes, uint32_t count)
{
	igt_assert(count <= RAW_MEMORY_BYTES - raw->at);
	memcpy((char *)raw->bos[RAW_MEMORY].map + raw->at, bytes, count);
	raw->at += count;
}

#define RAW(raw, ...) \
	raw_bytes(raw, (const uint8_t[]){ __VA_ARGS__ }, sizeof((const uint8_t[]){ __VA_ARGS__ }))
#define RAW_LE16(v) (uint8_t)(v), (uint8_t)((uint32_t)(v) >> 8)
#define RAW_LE32(v) RAW_LE16(v), RAW_LE16((uint32_t)(v) >> 16)

/* The address of a byte of a BO, and what is in its low bits */
static inline void raw_address(struct raw *raw, unsigned int target, uint32_t offset, uint32_t low)
{
	igt_assert(raw->submit.address_count < RAW_ADDRESSES);
	raw->addresses[raw->submit.address_count++] = (struct drm_v3dcl_address) {
		.bo = RAW_MEMORY, .offset = raw->at, .target = target, .target_offset = offset,
	};
	RAW(raw, RAW_LE32(low));
}

/* What is put next begins at a multiple of so many bytes. Return: where */
static inline uint32_t raw_align(struct raw *raw, uint32_t bytes)
{
	raw->at = (raw->at + bytes - 1) / bytes * bytes;
	return raw->at;
}

/* The list that begins at @start ends here */
static inline struct drm_v3dcl_list raw_list(struct raw *raw, uint32_t start)
{
	return (struct drm_v3dcl_list) { .bo = RAW_MEMORY, .start = start, .end = raw->at };
}

/* AG100 Table 38, records 112 and 6: binning begins, with memory of the list's own */
static inline void raw_begin_binning(struct raw *raw, uint32_t list_bytes, uint8_t columns,
				     uint8_t rows)
{
	RAW(raw, 112);
	raw_address(raw, RAW_TILES, 0, 0);
	RAW(raw, RAW_LE32(list_bytes));
	raw_address(raw, RAW_TILES, RAW_TILE_STATE, 0);
	RAW(raw, columns, rows, 4, 6);
}

/*
 * The whole frame: cleared, each tile's list run, each tile stored as raster RGBA8888 (records 114,
 * 113, 115, 28, 17, 24, 25)
 */
static inline void raw_render(struct raw *raw, uint32_t background, uint16_t width, uint16_t height,
			      bool binned)
{
	uint32_t start = raw->at, columns = (width + 63) / 64, rows = (height + 63) / 64, x, y;

	RAW(raw, 114, RAW_LE32(background), RAW_LE32(background), RAW_LE32(0), 0, 113);
	raw_address(raw, RAW_TARGET, 0, 0);
	RAW(raw, RAW_LE16(width), RAW_LE16(height), 4, 0);
	RAW(raw, 115, 0, 0, 28, RAW_LE16(0), RAW_LE32(0));	/* an empty store clears */
	for (y = 0; y < rows; y++) {
		for (x = 0; x < columns; x++) {
			RAW(raw, 115, x, y);
			if (binned) {
				RAW(raw, 17);
				raw_address(raw, RAW_TILES, (y * columns + x) * 32, 0);
			}
			RAW(raw, y == rows - 1 && x == columns - 1 ? 25 : 24);
		}
	}
	raw->submit.render = raw_list(raw, start);
}

/* 0 or errno; the seqno is in the submit */
static inline int raw_try(int fd, struct raw *raw)
{
	return igt_ioctl(fd, DRM_IOCTL_V3DCL_SUBMIT_LISTS, &raw->submit) ? errno : 0;
}

/* Submits and waits. Return: what sync_result() says */
static inline int raw_finish(int fd, struct raw *raw)
{
	uint32_t sync = sync_create(fd);
	int result;

	raw->out[0].handle = sync;
	raw->submit.out_sync_count = 1;
	result = raw_try(fd, raw);
	igt_assert_f(!result, "refused: %s\n", refusal_get(fd).text);
	result = sync_result(fd, sync);
	sync_destroy(fd, sync);
	return result;
}

#endif /* V3DCL_RAW_H */
