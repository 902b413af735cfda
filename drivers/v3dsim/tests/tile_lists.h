/* SPDX-License-Identifier: MIT */
/* For tests of the binner: primitives made of a few numbers, and a reader of tile lists. */
#ifndef V3DSIM_TESTS_TILE_LISTS_H
#define V3DSIM_TESTS_TILE_LISTS_H

#include "front/primitive.h"
#include "chip.h"

#define ALLOC (MEMORY + 0x40000)
#define STATE (MEMORY + 0x20000)
#define TILE_ITEMS 4096

/* A record of a tile list, or a primitive in it */
struct item {
	/* of the record; of a primitive 48 or 49, and 0 for one that follows another */
	uint8_t id;
	uint8_t bytes[16];	/* the record */
	uint32_t vertices[3], clipped, address;
};

/* A tile list, read; @absolute branches (16) and @relative ones in it */
struct tile_list {
	struct item item[TILE_ITEMS];
	size_t count;
	unsigned int absolute, relative;
};

/*
 * Record 112. flags: multisample 1, 64-bit colour 2, auto-initialise 4, initial block size << 3,
 * block size << 5.
 */
static inline void tile_mode(struct chip *chip, uint32_t size, uint8_t width, uint8_t height,
			     uint8_t flags)
{
	LIST(chip, 0, 112, LE32(ALLOC), LE32(size), LE32(STATE), width, height, flags);
}

/* A frame of which all is drawn, both faces, coordinates from its corner; NV shader state. */
static inline void tile_frame(struct chip *chip, uint32_t size, uint8_t width, uint8_t height,
			      uint8_t flags)
{
	tile_mode(chip, size, width, height, flags);
	LIST(chip, 0, 6, 65, LE32(0x1230), 96, 0x03, 0, 0, 103, LE16(0), LE16(0));
	chip_go(chip, 0);
}

/* In the engine's place: the lock is held as it would be. */
static inline enum ptb_result tile_bin_some(struct chip *chip, const struct primitive *primitive,
					    uint64_t *budget)
{
	enum ptb_result result;

	pthread_mutex_lock(&chip->sim->lock);
	result = ptb_primitive(chip->sim, primitive, budget);
	pthread_mutex_unlock(&chip->sim->lock);
	return result;
}

static inline enum ptb_result tile_bin(struct chip *chip, const struct primitive *primitive)
{
	uint64_t budget = 1000000;

	return tile_bin_some(chip, primitive, &budget);
}

static inline struct vertex tile_vertex(uint32_t index, int16_t xs, int16_t ys)
{
	return (struct vertex){ .index = index, .xs = xs, .ys = ys, .zs = 0.5f, .one_over_wc = 1 };
}

/* A primitive that needs no clipping. xy: pairs, in 1/16 of a pixel; its last vertex provokes. */
static inline enum ptb_result tile_bin_xy(struct chip *chip, enum v3d_list_primitive kind,
					  const uint32_t *index, const int16_t *xy)
{
	unsigned int count = v3d_list_vertices(kind), i;
	struct primitive primitive = { .kind = kind, .provoking = count - 1 };
	struct vertex vertex[3];

	for (i = 0; i < count; i++) {
		vertex[i] = tile_vertex(index ? index[i] : i, xy[2 * i], xy[2 * i + 1]);
		primitive.vertex[i] = &vertex[i];
	}
	return tile_bin(chip, &primitive);
}

#define TRIANGLE(chip, ...) \
	tile_bin_xy(chip, V3D_LIST_TRIANGLES, NULL, (const int16_t[]){ __VA_ARGS__ })
#define LINE(chip, ...) tile_bin_xy(chip, V3D_LIST_LINES, NULL, (const int16_t[]){ __VA_ARGS__ })
#define POINT(chip, ...) tile_bin_xy(chip, V3D_LIST_POINTS, NULL, (const int16_t[]){ __VA_ARGS__ })

static inline struct item *tile_add_item(struct tile_list *list, uint8_t id)
{
	struct item *item = &list->item[list->count++];

	assert_true(list->count < TILE_ITEMS);
	memset(item, 0, sizeof(*item));
	item->id = id;
	return item;
}

/* A compressed list at addr. Return: where it ends */
static inline uint32_t tile_read_codes(struct chip *chip, struct tile_list *list, uint32_t addr,
				       uint8_t format_byte,
				       const struct v3d_clipped_primitive *clipped)
{
	const struct v3d_primitive_list_format format = { .primitive = format_byte & 15,
							  .data = format_byte >> 4 };
	uint8_t id = clipped ? 49 : 48;
	uint32_t vertices[3] = { 0 };

	for (;;) {
		const uint8_t *bytes = chip_bytes(chip, addr);
		struct item *item;

		if (bytes[0] == V3D_CODE_ESCAPE)
			return addr + 1;
		assert_true(v3d_code_length(&format, bytes[0]) != 0);
		if (bytes[0] == V3D_CODE_BRANCH) {
			addr = v3d_decode_list_branch(addr, bytes);
			list->relative++;
			continue;
		}
		v3d_decode_primitive(&format, bytes, vertices);
		item = tile_add_item(list, id);
		memcpy(item->vertices, vertices, sizeof(vertices));
		if (id == 49) {
			item->clipped = clipped->clipped_vertices;
			item->address = clipped->address;
		}
		id = 0;
		addr += v3d_code_length(&format, bytes[0]);
	}
}

/* Reads a flushed tile list, which begins at addr. */
static inline void tile_read(struct chip *chip, uint32_t addr, struct tile_list *list)
{
	struct v3d_clipped_primitive clipped;
	uint8_t format = 0;

	memset(list, 0, sizeof(*list));
	for (;;) {
		const uint8_t *bytes = chip_bytes(chip, addr);
		uint8_t length = v3d_packet_info(bytes[0])->length;

		assert_non_null(v3d_packet_info(bytes[0])->name);
		switch (bytes[0]) {
		case 18:
			return;
		case 16:
			addr = chip_word(chip, addr + 1);
			list->absolute++;
			continue;
		case 48:
			addr = tile_read_codes(chip, list, addr + 1, format, NULL);
			continue;
		case 49:
			v3d_unpack_clipped_primitive(bytes, &clipped);
			addr = tile_read_codes(chip, list, addr + 5, format, &clipped);
			continue;
		case 56:
			format = bytes[1];
			break;
		}
		memcpy(tile_add_item(list, bytes[0])->bytes, bytes, length);
		addr += length;
	}
}

/* Flushes, and reads the list of a tile with initial blocks of so many bytes. */
static inline void tile_flush(struct chip *chip)
{
	LIST(chip, 0, 4);
	chip_go(chip, 0);
}

static inline bool tile_is_primitive(const struct item *item)
{
	return item->id == 48 || item->id == 49 || item->id == 0;
}

static inline size_t tile_primitives(const struct tile_list *list)
{
	size_t i, count = 0;

	for (i = 0; i < list->count; i++)
		count += tile_is_primitive(&list->item[i]);
	return count;
}

/* How often a record is in a list */
static inline size_t tile_records(const struct tile_list *list, uint8_t id)
{
	size_t i, count = 0;

	for (i = 0; i < list->count; i++)
		count += list->item[i].id == id;
	return count;
}

#endif /* V3DSIM_TESTS_TILE_LISTS_H */
