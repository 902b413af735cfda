/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The display: what its files know of each other.
 *
 *	kms.c		the pipe, as DRM sees it, and its timer
 *	kms_fb.c	which BOs can be shown
 *	kms_beside.c	stepping back where the kernel's display driver comes
 *	kms_crc.c	checksums of what is seen, for tests
 *	kms_screen.c	the frame buffer that the firmware lends: two screens, of which one is seen
 *	kms_plane.c	the plane: what is to be shown, and where it changed
 *	kms_copy.c	pixels, from a BO's layout to a screen's, by the processor
 *	kms_list.c	the same as a control list
 *	kms_job.c	and as a job of the V3D
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
	u32 address;			/* as the V3D sees it; 0 out of its reach */
	size_t size;			/* from there to the BO's end */
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

/* kms_list.c */

/* The hidden screen, as the V3D sees it */
struct bv3d_hidden {
	u32 address;			/* 0 out of its reach */
	u32 pitch, width, height;
};

u32 bv3d_list_size(u32 width, u32 height);
bool bv3d_list_can(const struct bv3d_pixels *from, const struct bv3d_hidden *to);
u32 bv3d_list_write(u8 *list, const struct bv3d_pixels *from, const struct bv3d_hidden *to,
		    const struct drm_rect *area);

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
	u32 address;			/* of both, as the V3D sees them; 0 out of its reach */
	struct bv3d_bo *list;		/* of its copies, of one at a time; NULL: it makes none */
	atomic_t copies;		/* that hold a picture: prepared, waiting, or running */
	struct bv3d_device *storing;	/* it was not seen to end a copy; or NULL */
	u64 by_v3d, by_cpu;		/* copies so far, for debugfs */
};

struct bv3d_submit;

int bv3d_screen_borrow(struct bv3d_lent *lent, struct device *dev);
int bv3d_screen_flip(struct bv3d_lent *lent, const struct bv3d_pixels *pixels,
		     const struct drm_rect *changed, struct bv3d_submit *copy);
struct bv3d_hidden bv3d_screen_hidden(const struct bv3d_lent *lent);
u32 bv3d_screen_hash(struct bv3d_lent *lent);
int bv3d_screen_give_back(struct bv3d_lent *lent);

/* kms_job.c */
void bv3d_copy_init(struct bv3d_lent *lent, struct bv3d_device *v3d);
void bv3d_copy_fini(struct bv3d_lent *lent);
bool bv3d_copy_may_store(const struct bv3d_lent *lent);
struct bv3d_submit *bv3d_copy_prepare(struct bv3d_lent *lent, const struct bv3d_pixels *from,
				      struct bv3d_bo *bo);
int bv3d_copy_run(struct bv3d_lent *lent, struct bv3d_submit *copy, const struct bv3d_pixels *from,
		  const struct drm_rect *area);

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

/* kms.c */
void bv3d_kms_show(struct bv3d_kms *kms, const struct bv3d_pixels *pixels,
		   const struct drm_rect *changed, struct bv3d_submit *copy);
void bv3d_kms_black(struct bv3d_kms *kms);

/* kms_plane.c */
int bv3d_plane_init(struct drm_device *dev, struct bv3d_kms *kms);

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
