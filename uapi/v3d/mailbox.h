/* SPDX-License-Identifier: (GPL-2.0-only OR MIT) */
/*
 * What the driver and a Raspberry Pi's firmware, or who stands in for it, say to each other about
 * the frame buffer: tags of the property mailbox.
 *
 * Source: the firmware's wiki, "Mailbox property interface". A message is a list of tags; each has
 * a head of three words, then its words. In the answer the head's last word has bit 31 set where
 * the firmware knows the tag, and the length of what it wrote below that.
 */
#ifndef V3D_MAILBOX_H
#define V3D_MAILBOX_H

#include "types.h"

/* Words before a tag's own: the tag, the bytes of its room, the answer's length */
#define V3D_TAG_HEAD 3

#define V3D_TAG_ANSWERED 0x80000000u

enum v3d_tag {
	V3D_TAG_END = 0,
	V3D_TAG_ALLOCATE = 0x00040001,	/* alignment; answer: address, bytes */
	V3D_TAG_RELEASE = 0x00048001,
	V3D_TAG_GET_SIZE = 0x00040003,	/* width, height */
	V3D_TAG_SET_SIZE = 0x00048003,
	V3D_TAG_GET_VIRTUAL = 0x00040004,	/* width, height of all of the buffer */
	V3D_TAG_SET_VIRTUAL = 0x00048004,
	V3D_TAG_GET_DEPTH = 0x00040005,		/* bits of a pixel */
	V3D_TAG_SET_DEPTH = 0x00048005,
	V3D_TAG_GET_ORDER = 0x00040006,		/* 0: blue is first, from bit 0 on; 1: red */
	V3D_TAG_SET_ORDER = 0x00048006,
	V3D_TAG_GET_PITCH = 0x00040008,		/* bytes of a row */
	V3D_TAG_GET_OFFSET = 0x00040009,	/* x, y of what the screen shows of the buffer */
	V3D_TAG_SET_OFFSET = 0x00048009,
};

/* Without the alias that says which caches are used: BCM2835 ARM Peripherals, 1.2.3 */
#define V3D_BUS_ADDRESS 0x3fffffffu

#ifdef __KERNEL__
/**
 * struct v3d_firmware_functions - firmware of a board whose kernel has no driver of it
 * @list: send a list of tags, which is overwritten by the answers; may sleep. 0 or an error
 * @opaque: for @list
 * @memory: physical address of the firmware's address 0
 *
 * As platform data of the V3D's device.
 */
struct v3d_firmware_functions {
	int (*list)(void *opaque, void *tags, size_t bytes);
	void *opaque;
	phys_addr_t memory;
};
#endif

#endif /* V3D_MAILBOX_H */
