// SPDX-License-Identifier: GPL-2.0-only
/*
 * The V3D's registers for libv3dcl/validate/start.c, which has all hardware starts.
 */
#include "drv.h"

static u32 bv3d_hw_read(void *v3d, enum v3d_reg reg)
{
	return bv3d_read(v3d, reg);
}

static void bv3d_hw_write(void *v3d, enum v3d_reg reg, u32 value)
{
	bv3d_write(v3d, reg, value);
}

/**
 * bv3d_hw_init() - from here on &bv3d_device.hw may be used where bv3d_read() may
 * @v3d: with its registers mapped
 */
void bv3d_hw_init(struct bv3d_device *v3d)
{
	v3d->hw = (struct v3dcl_hw){ .read = bv3d_hw_read, .write = bv3d_hw_write, .v3d = v3d };
}
