// SPDX-License-Identifier: GPL-2.0-only
/*
 * The frame buffer that the firmware lends: memory for two screens, one above the other, of which
 * the virtual offset shows one. A picture is copied into the hidden one, which then is shown.
 *
 * QEMU's firmware looks at the offset only where the buffer is larger than the screen in both
 * directions, so it is wider by a few pixels that are never seen.
 */
#include <linux/device.h>
#include <linux/dma-direct.h>
#include <linux/io.h>
#include <linux/ioport.h>
#include <linux/jhash.h>
#include <linux/mm.h>
#include <linux/slab.h>

#include "kms.h"

#define BV3D_SPARE_PIXELS 16

static int bv3d_screen_find(struct bv3d_lent *lent)
{
	struct bv3d_message message = {};
	int ret;

	bv3d_screen_ask(&message);
	ret = bv3d_firmware_list(&lent->firmware, &message);
	return ret ?: bv3d_screen_told(&message, &lent->found);
}

/*
 * Order 0: XRGB8888's. What the firmware calls memory of its own must not be the kernel's: an
 * address that is wrong would let pictures be written over all.
 */
static int bv3d_screen_take(struct bv3d_lent *lent)
{
	const struct v3d_firmware_functions *functions = lent->firmware.functions;
	struct bv3d_message message = {};
	int ret;

	lent->ours = (struct bv3d_screen){
		.width = lent->found.width, .height = lent->found.height,
		.virtual_width = lent->found.width + BV3D_SPARE_PIXELS,
		.virtual_height = lent->found.height * 2, .depth = 32,
	};
	bv3d_screen_allocate(&message, &lent->ours);
	ret = bv3d_firmware_list(&lent->firmware, &message);
	ret = ret ?: bv3d_screen_allocated(&message, &lent->ours, &lent->memory);
	if (ret)
		return ret;
	if (functions)
		lent->memory.base += functions->memory;
	if (region_intersects(lent->memory.base, lent->memory.size, IORESOURCE_SYSTEM_RAM,
			      IORES_DESC_NONE) != REGION_DISJOINT)
		return -EFAULT;
	return 0;
}

/* It has no MMU: an address is that of the memory, as its bus has it */
static void bv3d_screen_reach(struct bv3d_lent *lent, struct device *dev)
{
	dma_addr_t address = phys_to_dma(dev, lent->memory.base);

	if (bv3d_mem_reachable(address, lent->memory.size))
		lent->address = address;
}

/* Black */
static void bv3d_screen_clear(struct bv3d_lent *lent, unsigned int which)
{
	u32 bytes = lent->memory.pitch * lent->ours.height;

	memset_io(lent->vaddr + (size_t)which * bytes, 0, bytes);
}

static int bv3d_screen_map(struct bv3d_lent *lent)
{
	lent->vaddr = ioremap_wc(lent->memory.base, lent->memory.size);
	if (!lent->vaddr)
		return -ENOMEM;
	lent->row = kmalloc_array(lent->ours.width, sizeof(u32), GFP_KERNEL);
	if (!lent->row) {
		iounmap(lent->vaddr);
		return -ENOMEM;
	}
	bv3d_screen_clear(lent, 0);
	bv3d_screen_clear(lent, 1);
	return 0;
}

static int bv3d_screen_restore(struct bv3d_lent *lent)
{
	struct bv3d_message message = {};

	bv3d_screen_set(&message, &lent->found);
	return bv3d_firmware_list(&lent->firmware, &message);
}

/**
 * bv3d_screen_borrow() - get a frame buffer from the firmware: black
 * @lent: filled
 * @dev: the V3D's device
 *
 * bv3d_screen_give_back() ends it. May sleep.
 *
 * Return: 0; -ENODEV where there is no firmware or no screen; -EPROBE_DEFER where it is not there
 * yet; what is wrong with its answers; in all of these the screen is as it was
 */
int bv3d_screen_borrow(struct bv3d_lent *lent, struct device *dev)
{
	int ret = bv3d_firmware_get(&lent->firmware, dev);

	if (ret)
		return ret;
	ret = bv3d_screen_find(lent);
	if (ret)
		goto err_put;
	ret = bv3d_screen_take(lent);
	if (!ret)
		ret = bv3d_screen_map(lent);
	if (ret)
		goto err_restore;
	bv3d_screen_reach(lent, dev);
	return 0;

err_restore:
	bv3d_screen_restore(lent);
err_put:
	bv3d_firmware_put(&lent->firmware);
	return ret;
}

static void bv3d_screen_draw(struct bv3d_lent *lent, unsigned int which,
			     const struct bv3d_pixels *pixels, const struct drm_rect *area)
{
	void __iomem *to = lent->vaddr + (size_t)lent->memory.pitch *
			   (which * lent->ours.height + area->y1) + area->x1 * sizeof(u32);
	int y;

	for (y = area->y1; y < area->y2; y++, to += lent->memory.pitch) {
		bv3d_copy_row(pixels, pixels->x + area->x1, pixels->y + y, lent->row,
			      drm_rect_width(area));
		memcpy_toio(to, lent->row, drm_rect_width(area) * sizeof(u32));
	}
}

/**
 * bv3d_screen_hidden() - the screen that is drawn next
 * @lent: of which
 *
 * Return: as the V3D sees it
 */
struct bv3d_hidden bv3d_screen_hidden(const struct bv3d_lent *lent)
{
	u32 bytes = lent->memory.pitch * lent->ours.height;

	return (struct bv3d_hidden){
		.address = lent->address ? lent->address + !lent->shown * bytes : 0,
		.pitch = lent->memory.pitch,
		.width = lent->ours.width, .height = lent->ours.height,
	};
}

/* What the V3D does not copy, for whatever reason, the processor does */
static void bv3d_screen_copy(struct bv3d_lent *lent, const struct bv3d_pixels *pixels,
			     const struct drm_rect *area, struct bv3d_submit *copy)
{
	if (copy && !bv3d_copy_run(lent, copy, pixels, area)) {
		lent->by_v3d++;
		return;
	}
	bv3d_screen_draw(lent, !lent->shown, pixels, area);
	lent->by_cpu++;
}

/* Nothing of an empty one counts */
static struct drm_rect bv3d_rect_around(const struct drm_rect *a, const struct drm_rect *b)
{
	if (!drm_rect_visible(a))
		return *b;
	if (!drm_rect_visible(b))
		return *a;
	return (struct drm_rect){ min(a->x1, b->x1), min(a->y1, b->y1), max(a->x2, b->x2),
				  max(a->y2, b->y2) };
}

/**
 * bv3d_screen_flip() - show a picture
 * @lent: on which screen
 * @pixels: as large as the screen; NULL for black
 * @changed: where they differ from what is shown, in pixels of the screen
 * @copy: of bv3d_copy_prepare() for @pixels, or NULL; stays the caller's
 *
 * May sleep, for as long as the firmware takes.
 *
 * Return: 0, or what the firmware's driver says: then the picture before is still seen
 */
int bv3d_screen_flip(struct bv3d_lent *lent, const struct bv3d_pixels *pixels,
		     const struct drm_rect *changed, struct bv3d_submit *copy)
{
	const struct drm_rect all = DRM_RECT_INIT(0, 0, lent->ours.width, lent->ours.height);
	unsigned int hidden = !lent->shown;
	struct drm_rect area = bv3d_rect_around(changed, &lent->missing);
	struct bv3d_message message = {};
	int ret;

	if (!drm_rect_intersect(&area, &all))
		return 0;
	if (pixels)
		bv3d_screen_copy(lent, pixels, &area, copy);
	else
		bv3d_screen_clear(lent, hidden);
	/* The screen that is now seen is written before the firmware is told */
	wmb();
	bv3d_message_add(&message, V3D_TAG_SET_OFFSET, (u32[]){ 0, hidden * lent->ours.height }, 2);
	ret = bv3d_firmware_list(&lent->firmware, &message);
	/* Whichever is seen now: after an answer that did not come, either may be */
	lent->missing = ret || !pixels ? all : *changed;
	if (!ret)
		lent->shown = hidden;
	return ret;
}

/**
 * bv3d_screen_hash() - a checksum of what is seen, as it is in memory
 * @lent: on which screen
 *
 * Return: another one for each other picture, most likely
 */
u32 bv3d_screen_hash(struct bv3d_lent *lent)
{
	u32 hash = 0, rows = lent->ours.height, y;

	for (y = 0; y < rows; y++) {
		memcpy_fromio(lent->row, lent->vaddr + (size_t)lent->memory.pitch *
			      (lent->shown * rows + y), lent->ours.width * sizeof(u32));
		hash = jhash2(lent->row, lent->ours.width, hash);
	}
	return hash;
}

/**
 * bv3d_screen_give_back() - the screen is the firmware's again, as it was
 * @lent: whose
 *
 * Memory that the V3D may still store to stays that of this screen: the firmware would give it to
 * others.
 *
 * Return: 0, -EIO for that, or what the firmware's driver says
 */
int bv3d_screen_give_back(struct bv3d_lent *lent)
{
	int ret = bv3d_copy_may_store(lent) ? -EIO : bv3d_screen_restore(lent);

	bv3d_copy_fini(lent);
	kfree(lent->row);
	iounmap(lent->vaddr);
	lent->vaddr = NULL;
	bv3d_firmware_put(&lent->firmware);
	return ret;
}
