/* SPDX-License-Identifier: GPL-2.0-only */
/* The board's firmware, as far as the display asks it */
#ifndef BV3D_FIRMWARE_H
#define BV3D_FIRMWARE_H

#include <linux/types.h>

#include <v3d/mailbox.h>

struct device;
struct rpi_firmware;

/* Rooms of all tags of one message */
#define BV3D_MESSAGE_WORDS 64

/**
 * struct bv3d_firmware - whom to send messages
 * @rpi: the kernel's driver of it, or NULL
 * @functions: who stands in for it, or NULL
 */
struct bv3d_firmware {
	struct rpi_firmware *rpi;
	const struct v3d_firmware_functions *functions;
};

/**
 * struct bv3d_message - tags to the firmware, and its answers
 * @words: each tag with its head and room, one after the other
 * @count: of @words that are used
 * @overflow: one tag more than there is room for was added
 */
struct bv3d_message {
	u32 words[BV3D_MESSAGE_WORDS];
	unsigned int count;
	bool overflow;
};

/* What a frame buffer is like, or is to be like */
struct bv3d_screen {
	u32 width, height;		/* that are seen */
	u32 virtual_width, virtual_height;
	u32 depth, order;
	u32 x, y;			/* where what is seen begins */
};

/* Where it is, once that was checked */
struct bv3d_screen_memory {
	phys_addr_t base;
	u32 size, pitch;		/* in bytes */
};

int bv3d_firmware_get(struct bv3d_firmware *firmware, struct device *dev);
int bv3d_firmware_list(const struct bv3d_firmware *firmware, struct bv3d_message *message);
void bv3d_firmware_put(struct bv3d_firmware *firmware);

void bv3d_message_add(struct bv3d_message *message, u32 tag, const u32 *values, u32 room);
const u32 *bv3d_message_answer(const struct bv3d_message *message, u32 tag, u32 words);

void bv3d_screen_ask(struct bv3d_message *message);
int bv3d_screen_told(const struct bv3d_message *message, struct bv3d_screen *screen);
void bv3d_screen_set(struct bv3d_message *message, const struct bv3d_screen *screen);
void bv3d_screen_allocate(struct bv3d_message *message, const struct bv3d_screen *screen);
int bv3d_screen_allocated(const struct bv3d_message *message, const struct bv3d_screen *screen,
			  struct bv3d_screen_memory *memory);

#endif /* BV3D_FIRMWARE_H */
