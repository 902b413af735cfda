/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The display: what its files know of each other.
 *
 *	kms.c		the pipe, as DRM sees it, and its timer
 *	kms_fb.c	which BOs can be shown
 *	kms_beside.c	stepping back where the kernel's display driver comes
 *	kms_crc.c	checksums of what is seen, for tests
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

/* What the firmware lends; bv3d_kms.lock once there is a pipe */
struct bv3d_lent {
	struct bv3d_firmware firmware;
	struct bv3d_screen found, ours;
	struct bv3d_screen_memory memory;
	void __iomem *vaddr;		/* NULL once it was given back */
	u32 *row;			/* one of ours */
	unsigned int shown;		/* which of the two screens, 0 or 1 */
	struct drm_rect missing;	/* what the hidden one lacks of the other's last picture */
};

int bv3d_screen_borrow(struct bv3d_lent *lent, struct device *dev);
int bv3d_screen_flip(struct bv3d_lent *lent, const struct bv3d_pixels *pixels,
		     const struct drm_rect *changed);
u32 bv3d_screen_hash(struct bv3d_lent *lent);
int bv3d_screen_give_back(struct bv3d_lent *lent);

struct bv3d_kms {
	struct drm_plane plane;
	struct drm_crtc crtc;
	struct drm_encoder encoder;
	struct drm_connector connector;
	struct drm_display_mode mode;	/* the only one */
	struct hrtimer timer;		/* fires when a picture of the display would begin */
	atomic64_t began;		/* when the last one did, ns */
	struct mutex lock;		/* lent, crc; below the modeset locks */
	struct bv3d_lent lent;
	u32 crc;			/* of what is seen, if */
	bool crc_wanted;
	struct notifier_block beside;	/* told of the drivers that bind */
	atomic_t stepped_back;		/* for one of them, for good */
};

static inline struct bv3d_kms *bv3d_crtc_kms(struct drm_crtc *crtc)
{
	return container_of(crtc, struct bv3d_kms, crtc);
}

/* kms_fb.c */
struct drm_framebuffer *bv3d_fb_create(struct drm_device *dev, struct drm_file *file,
				       V3D_FB_INFO const struct drm_mode_fb_cmd2 *asked);

/* kms_beside.c */
bool bv3d_beside_taken(void);
int bv3d_beside_watch(struct bv3d_kms *kms);
void bv3d_kms_give_back(void *data);

/* kms_crc.c */
const char *const *bv3d_crc_sources(struct drm_crtc *crtc, size_t *count);
int bv3d_crc_verify(struct drm_crtc *crtc, const char *source, size_t *values);
int bv3d_crc_set(struct drm_crtc *crtc, const char *source);
void bv3d_crc_look(struct bv3d_kms *kms);
void bv3d_crc_tick(struct bv3d_kms *kms);

#endif /* BV3D_KMS_H */
