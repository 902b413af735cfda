/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The display: what its files know of each other.
 *
 *	kms.c		the pipe, as DRM sees it, and its timer
 *	kms_screen.c	the frame buffer that the firmware lends: two screens, of which one is seen
 *	kms_copy.c	pixels, from a BO's layout to a screen's
 */
#ifndef BV3D_KMS_H
#define BV3D_KMS_H

#include <drm/drm_connector.h>
#include <drm/drm_crtc.h>
#include <drm/drm_encoder.h>
#include <drm/drm_plane.h>
#include <drm/drm_rect.h>

#include "drv.h"
#include "firmware.h"

/* Pixels in a BO */
struct bv3d_pixels {
	const void *vaddr;
	u32 pitch;			/* bytes of a row; of T-format: padded to a tile */
	bool t_tiled;
	u32 bytes;			/* of a pixel: 2 is RGB565, 4 is XRGB8888 */
	u32 x, y;			/* the first pixel that is seen */
};

/* kms_copy.c */

/* T-format: a tile is 4 KiB, 128 bytes across and 32 rows down (AG100 Figure 14) */
#define BV3D_TILE_ROW 128
#define BV3D_TILE_ROWS 32

u32 bv3d_t_offset(u32 pitch, u32 x, u32 y);
void bv3d_copy_row(const struct bv3d_pixels *pixels, u32 x, u32 y, u32 *row, u32 width);

/* kms_screen.c */

/* What the firmware lends. One commit at a time touches it: they are ordered by their CRTC. */
struct bv3d_lent {
	struct bv3d_firmware firmware;
	struct bv3d_screen found, ours;
	struct bv3d_screen_memory memory;
	void __iomem *vaddr;
	u32 *row;			/* one of ours */
	unsigned int shown;		/* which of the two screens, 0 or 1 */
	struct drm_rect missing;	/* what the hidden one lacks of the other's last picture */
};

int bv3d_screen_borrow(struct bv3d_lent *lent, struct device *dev);
int bv3d_screen_flip(struct bv3d_lent *lent, const struct bv3d_pixels *pixels,
		     const struct drm_rect *changed);
int bv3d_screen_give_back(struct bv3d_lent *lent);

/* kms.c */

struct bv3d_kms {
	struct drm_plane plane;
	struct drm_crtc crtc;
	struct drm_encoder encoder;
	struct drm_connector connector;
	struct hrtimer timer;		/* fires when a picture of the display would begin */
	atomic64_t began;		/* when the last one did, ns */
	struct bv3d_lent lent;
};

#endif /* BV3D_KMS_H */
