// SPDX-License-Identifier: GPL-2.0-only
/*
 * The board's firmware: three functions (get, list, put) over the kernel's driver of it, or over
 * who stands in for it; and messages about the frame buffer, whose answers are looked at word by
 * word: firmware that does not know a tag says so in that tag's head alone.
 */
#include <linux/device.h>
#include <linux/mm.h>
#include <linux/of.h>
#include <linux/string.h>

#include <soc/bcm2835/raspberrypi-firmware.h>

#include "compat.h"
#include "firmware.h"

/* Widest and highest screen: a texture's, and all that follows from it fits 32 bits */
#define BV3D_SCREEN_LIMIT 4096

/**
 * bv3d_firmware_get() - find the board's firmware
 * @firmware: filled; bv3d_firmware_put() ends it
 * @dev: the V3D's device
 *
 * Return: 0; -ENODEV where there is none; -EPROBE_DEFER where its driver is not there yet
 */
int bv3d_firmware_get(struct bv3d_firmware *firmware, struct device *dev)
{
	struct device_node *node;

	*firmware = (struct bv3d_firmware){ .functions = dev_get_platdata(dev) };
	if (firmware->functions)
		return 0;
	node = of_find_compatible_node(NULL, NULL, "raspberrypi,bcm2835-firmware");
	if (!node)
		return -ENODEV;
	firmware->rpi = rpi_firmware_get(node);
	of_node_put(node);
	return firmware->rpi ? 0 : -EPROBE_DEFER;
}

/**
 * bv3d_firmware_list() - send a message and wait for its answer
 * @firmware: whom
 * @message: overwritten by the answers
 *
 * May sleep and allocate: not where fences are signalled.
 *
 * Return: 0; -E2BIG for a message that did not fit; or what the mailbox's driver says
 */
int bv3d_firmware_list(const struct bv3d_firmware *firmware, struct bv3d_message *message)
{
	const struct v3d_firmware_functions *functions = firmware->functions;
	size_t bytes = message->count * sizeof(message->words[0]);

	if (message->overflow)
		return -E2BIG;
	if (functions)
		return functions->list(functions->opaque, message->words, bytes);
	return rpi_firmware_property_list(firmware->rpi, message->words, bytes);
}

/**
 * bv3d_firmware_put() - ends a bv3d_firmware_get()
 * @firmware: whose
 */
void bv3d_firmware_put(struct bv3d_firmware *firmware)
{
	if (firmware->rpi)
		rpi_firmware_put(firmware->rpi);
}

/**
 * bv3d_message_add() - one tag more
 * @message: to which
 * @tag: enum v3d_tag
 * @values: @room words, or NULL for zeros
 * @room: words for request and answer
 */
void bv3d_message_add(struct bv3d_message *message, u32 tag, const u32 *values, u32 room)
{
	u32 *at = message->words + message->count;

	if (message->overflow || room > BV3D_MESSAGE_WORDS - V3D_TAG_HEAD ||
	    message->count > BV3D_MESSAGE_WORDS - V3D_TAG_HEAD - room) {
		message->overflow = true;
		return;
	}
	at[0] = tag;
	at[1] = room * sizeof(u32);
	at[2] = 0;
	if (values)
		memcpy(at + V3D_TAG_HEAD, values, room * sizeof(u32));
	else
		memset(at + V3D_TAG_HEAD, 0, room * sizeof(u32));
	message->count += V3D_TAG_HEAD + room;
}
EXPORT_SYMBOL_FOR_TESTS(bv3d_message_add);

/**
 * bv3d_message_answer() - what was answered to a tag
 * @message: the answer
 * @tag: enum v3d_tag
 * @words: how many are needed
 *
 * The way through the list is by what it says now, of which nothing is trusted.
 *
 * Return: the tag's words, at least @words of them within the message; NULL where the firmware does
 * not know the tag, wrote less, or the message is no list any more
 */
const u32 *bv3d_message_answer(const struct bv3d_message *message, u32 tag, u32 words)
{
	unsigned int at = 0;

	while (message->count - at >= V3D_TAG_HEAD) {
		const u32 *head = message->words + at;
		u32 room = head[1] / sizeof(u32);

		if (head[1] % sizeof(u32) || room > message->count - at - V3D_TAG_HEAD)
			return NULL;
		if (head[0] == tag) {
			u32 bytes = head[2] & ~V3D_TAG_ANSWERED;

			if (!(head[2] & V3D_TAG_ANSWERED) || bytes / sizeof(u32) < words ||
			    room < words)
				return NULL;
			return head + V3D_TAG_HEAD;
		}
		at += V3D_TAG_HEAD + room;
	}
	return NULL;
}
EXPORT_SYMBOL_FOR_TESTS(bv3d_message_answer);

/**
 * bv3d_screen_ask() - ask what the frame buffer is like now
 * @message: the tags are added to it
 */
void bv3d_screen_ask(struct bv3d_message *message)
{
	bv3d_message_add(message, V3D_TAG_GET_SIZE, NULL, 2);
	bv3d_message_add(message, V3D_TAG_GET_VIRTUAL, NULL, 2);
	bv3d_message_add(message, V3D_TAG_GET_DEPTH, NULL, 1);
	bv3d_message_add(message, V3D_TAG_GET_ORDER, NULL, 1);
	bv3d_message_add(message, V3D_TAG_GET_OFFSET, NULL, 2);
}
EXPORT_SYMBOL_FOR_TESTS(bv3d_screen_ask);

/**
 * bv3d_screen_told() - what the answer to bv3d_screen_ask() says
 * @message: the answer
 * @screen: filled
 *
 * Return: 0; -ENODEV where no screen is there, or something of it was not answered; -ERANGE for a
 * screen that is wider or higher than any
 */
int bv3d_screen_told(const struct bv3d_message *message, struct bv3d_screen *screen)
{
	const u32 *size = bv3d_message_answer(message, V3D_TAG_GET_SIZE, 2);
	const u32 *all = bv3d_message_answer(message, V3D_TAG_GET_VIRTUAL, 2);
	const u32 *depth = bv3d_message_answer(message, V3D_TAG_GET_DEPTH, 1);
	const u32 *order = bv3d_message_answer(message, V3D_TAG_GET_ORDER, 1);
	const u32 *offset = bv3d_message_answer(message, V3D_TAG_GET_OFFSET, 2);

	if (!size || !all || !depth || !order || !offset || !size[0] || !size[1])
		return -ENODEV;
	if (size[0] > BV3D_SCREEN_LIMIT || size[1] > BV3D_SCREEN_LIMIT)
		return -ERANGE;
	*screen = (struct bv3d_screen){
		.width = size[0], .height = size[1],
		.virtual_width = all[0], .virtual_height = all[1],
		.depth = depth[0], .order = order[0],
		.x = offset[0], .y = offset[1],
	};
	return 0;
}
EXPORT_SYMBOL_FOR_TESTS(bv3d_screen_told);

/**
 * bv3d_screen_set() - make the frame buffer so
 * @message: the tags are added to it
 * @screen: how
 */
void bv3d_screen_set(struct bv3d_message *message, const struct bv3d_screen *screen)
{
	bv3d_message_add(message, V3D_TAG_SET_SIZE, (u32[]){ screen->width, screen->height }, 2);
	bv3d_message_add(message, V3D_TAG_SET_VIRTUAL,
			 (u32[]){ screen->virtual_width, screen->virtual_height }, 2);
	bv3d_message_add(message, V3D_TAG_SET_DEPTH, &screen->depth, 1);
	bv3d_message_add(message, V3D_TAG_SET_ORDER, &screen->order, 1);
	bv3d_message_add(message, V3D_TAG_SET_OFFSET, (u32[]){ screen->x, screen->y }, 2);
}
EXPORT_SYMBOL_FOR_TESTS(bv3d_screen_set);

/**
 * bv3d_screen_allocate() - make the frame buffer so, and give it memory
 * @message: the tags are added to it
 * @screen: how
 */
void bv3d_screen_allocate(struct bv3d_message *message, const struct bv3d_screen *screen)
{
	bv3d_screen_set(message, screen);
	bv3d_message_add(message, V3D_TAG_ALLOCATE, (u32[]){ PAGE_SIZE, 0 }, 2);
	bv3d_message_add(message, V3D_TAG_GET_PITCH, NULL, 1);
}
EXPORT_SYMBOL_FOR_TESTS(bv3d_screen_allocate);

static bool bv3d_message_has(const struct bv3d_message *message, u32 tag, const u32 *values,
			     u32 words)
{
	const u32 *answer = bv3d_message_answer(message, tag, words);

	return answer && !memcmp(answer, values, words * sizeof(u32));
}

/**
 * bv3d_screen_allocated() - is there a frame buffer as bv3d_screen_allocate() asked for?
 * @message: the answer
 * @screen: what was asked for, within BV3D_SCREEN_LIMIT and twice that
 * @memory: filled: as the firmware sees it, without an alias
 *
 * Return: 0; -EINVAL where the firmware made it otherwise; -ENOMEM where memory is missing, is less
 * than that, or lies where there is none
 */
int bv3d_screen_allocated(const struct bv3d_message *message, const struct bv3d_screen *screen,
			  struct bv3d_screen_memory *memory)
{
	const u32 *where = bv3d_message_answer(message, V3D_TAG_ALLOCATE, 2);
	const u32 *pitch = bv3d_message_answer(message, V3D_TAG_GET_PITCH, 1);
	const u32 size[] = { screen->width, screen->height };
	const u32 all[] = { screen->virtual_width, screen->virtual_height };
	u32 base;

	if (!bv3d_message_has(message, V3D_TAG_SET_SIZE, size, 2) ||
	    !bv3d_message_has(message, V3D_TAG_SET_VIRTUAL, all, 2) ||
	    !bv3d_message_has(message, V3D_TAG_SET_DEPTH, &screen->depth, 1) || !pitch)
		return -EINVAL;
	if (pitch[0] % 4 || pitch[0] < screen->virtual_width * (screen->depth / 8) ||
	    pitch[0] > 2 * BV3D_SCREEN_LIMIT * 4)
		return -EINVAL;
	if (!where || !where[0])
		return -ENOMEM;
	base = where[0] & V3D_BUS_ADDRESS;
	if (!PAGE_ALIGNED(base) || where[1] > V3D_BUS_ADDRESS + 1 - base ||
	    where[1] < (u64)pitch[0] * screen->virtual_height)
		return -ENOMEM;
	*memory = (struct bv3d_screen_memory){ base, where[1], pitch[0] };
	return 0;
}
EXPORT_SYMBOL_FOR_TESTS(bv3d_screen_allocated);
