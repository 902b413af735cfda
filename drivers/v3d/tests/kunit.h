/* SPDX-License-Identifier: GPL-2.0-only */
/* What the suites share: a V3D without hardware, and a file open on it */
#ifndef BV3D_KUNIT_H
#define BV3D_KUNIT_H

#include <kunit/test.h>

#include "drv.h"

struct bv3d_fake {
	struct bv3d_device v3d;
	struct bv3d_file file;
	struct drm_file drm_file;
};

int bv3d_fake_init(struct kunit *test);
void bv3d_fake_exit(struct kunit *test);
struct v3dcl_hw bv3d_fake_hw(u32 *regs);
int bv3d_fake_power(struct kunit *test, struct bv3d_device *v3d);

#endif /* BV3D_KUNIT_H */
