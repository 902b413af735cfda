/* SPDX-License-Identifier: MIT */
/* Bin lists, as tests write them. */
#ifndef V3DCL_LIST_H
#define V3DCL_LIST_H

#include "v3dcl_igt.h"

struct list {
	uint8_t bytes[4096];
	uint32_t size;
};

#define list_add(list, name, ...) \
	do { \
		const struct v3d_##name list_record = { __VA_ARGS__ }; \
		v3d_pack_##name((list)->bytes + (list)->size, &list_record); \
		(list)->size += v3d_packet_info((list)->bytes[(list)->size])->length; \
	} while (0)

/* A record that is nothing but its number */
static inline void list_code(struct list *list, uint8_t id)
{
	list->bytes[list->size++] = id;
}

/* As Mesa begins a frame: the driver fills in the addresses */
static inline void list_begin(struct list *list, unsigned int tiles_x, unsigned int tiles_y,
			      bool multisample)
{
	list->size = 0;
	list_add(list, tile_binning_mode, .width = tiles_x, .height = tiles_y,
		 .multisample = multisample, .auto_initialise = 1);
	list_code(list, V3D_START_TILE_BINNING);
}

static inline void list_end(struct list *list)
{
	list_code(list, V3D_INCREMENT_SEMAPHORE);
	list_code(list, V3D_FLUSH);
}

static inline void render_list(struct render *r, const struct list *list)
{
	r->submit.bin_cl = (uintptr_t)list->bytes;
	r->submit.bin_cl_size = list->size;
}

#endif /* V3DCL_LIST_H */
