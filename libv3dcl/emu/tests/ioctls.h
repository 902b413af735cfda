/* SPDX-License-Identifier: MIT */
/*
 * An emulated device that three have open, for each test anew. What the display shows is counted.
 */
#ifndef V3DCL_TEST_IOCTLS_H
#define V3DCL_TEST_IOCTLS_H

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include <drm/v3dcl_drm.h>

#include "emu.h"

#define WIDTH 64u
#define HEIGHT 32u

static struct {
	struct emu_device *dev;
	struct emu_file *master, *other, *render;
	unsigned int frames;
	uint32_t pixel, pitch;
} here;

static void shown(void *opaque, const struct emu_shown *frame)
{
	(void)opaque;
	here.frames++;
	here.pitch = frame->pitch;
	memcpy(&here.pixel, frame->pixels, sizeof(here.pixel));
	assert_int_equal(frame->width, WIDTH);
	assert_int_equal(frame->height, HEIGHT);
}

static int setup(void **state)
{
	const struct emu_device_config config = {
		.quiet = true, .width = WIDTH, .height = HEIGHT, .shown = shown
	};

	(void)state;
	memset(&here, 0, sizeof(here));
	here.dev = emu_device_new(&config);
	here.master = emu_device_open(here.dev, true, 1);
	here.other = emu_device_open(here.dev, true, 2);
	here.render = emu_device_open(here.dev, false, 3);
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	emu_device_free(here.dev);
	return 0;
}

#define CALL(file, request, argument, expected) \
	assert_int_equal(emu_file_ioctl(file, DRM_IOCTL_##request, argument), expected)

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

#endif /* V3DCL_TEST_IOCTLS_H */
