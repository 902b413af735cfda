/* SPDX-License-Identifier: GPL-2.0-only */
/* What the suites share: a V3D without hardware, and a file open on it */
#ifndef V3D_KUNIT_H
#define V3D_KUNIT_H

#include <kunit/test.h>

#include "v3d_drv.h"

struct v3d_fake {
	struct v3d_device v3d;
	struct v3d_file file;
	struct drm_file drm_file;
};

int v3d_fake_init(struct kunit *test);
void v3d_fake_exit(struct kunit *test);

#endif /* V3D_KUNIT_H */
