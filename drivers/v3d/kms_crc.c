// SPDX-License-Identifier: GPL-2.0-only
/*
 * Checksums of what is seen, in debugfs, for tests: of the memory that is scanned out, which
 * changes only by a flip; one is told for each picture of the display
 */
#include <linux/string.h>

#include <drm/drm_crtc.h>
#include <drm/drm_debugfs_crc.h>
#include <drm/drm_vblank.h>

#include "kms.h"

static const char * const bv3d_crc_names[] = { "auto" };

/**
 * bv3d_crc_sources() - what there are checksums of
 * @crtc: the CRTC
 * @count: of them
 *
 * Return: their names
 */
const char *const *bv3d_crc_sources(struct drm_crtc *crtc, size_t *count)
{
	*count = ARRAY_SIZE(bv3d_crc_names);
	return bv3d_crc_names;
}

/**
 * bv3d_crc_verify() - is there such a source?
 * @crtc: the CRTC
 * @source: its name; NULL for none
 * @values: how many words a checksum has
 *
 * Return: 0 or -EINVAL
 */
int bv3d_crc_verify(struct drm_crtc *crtc, const char *source, size_t *values)
{
	*values = 1;
	return source && strcmp(source, bv3d_crc_names[0]) ? -EINVAL : 0;
}

static void bv3d_crc_sum(struct bv3d_kms *kms)
{
	if (kms->lent.vaddr)
		WRITE_ONCE(kms->crc, bv3d_screen_hash(&kms->lent));
}

/**
 * bv3d_crc_look() - what is seen may have changed
 * @kms: kms->lock is held
 */
void bv3d_crc_look(struct bv3d_kms *kms)
{
	if (kms->crc_wanted)
		bv3d_crc_sum(kms);
}

/**
 * bv3d_crc_set() - checksums are wanted from here on, or not any more
 * @crtc: the CRTC
 * @source: as for bv3d_crc_verify()
 *
 * Return: 0 or -EINVAL
 */
int bv3d_crc_set(struct drm_crtc *crtc, const char *source)
{
	struct bv3d_kms *kms = bv3d_crtc_kms(crtc);
	size_t values;
	int ret = bv3d_crc_verify(crtc, source, &values);

	if (ret)
		return ret;
	mutex_lock(&kms->lock);
	if (source)
		bv3d_crc_sum(kms);
	/* From here on the timer tells it */
	smp_store_release(&kms->crc_wanted, !!source);
	mutex_unlock(&kms->lock);
	return 0;
}

/**
 * bv3d_crc_tick() - a picture of the display begins
 * @kms: whose; in interrupt context
 */
void bv3d_crc_tick(struct bv3d_kms *kms)
{
	u32 crc;

	/* What is told after bv3d_crc_set() is what that summed up, or newer */
	if (!smp_load_acquire(&kms->crc_wanted))
		return;
	crc = READ_ONCE(kms->crc);
	drm_crtc_add_crc_entry(&kms->crtc, true, drm_crtc_vblank_count(&kms->crtc), &crc);
}
