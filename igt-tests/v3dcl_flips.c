// SPDX-License-Identifier: MIT
/*
 * A master of the display that has bad luck: while it flips, the device goes, the kernel's own
 * display driver comes, the firmware falls silent, or the process is killed. Who starts this sees
 * to it: see suite-screen.
 */
#include "v3dcl_screen.h"

IGT_TEST_DESCRIPTION("Flips while something happens");

/* In bounded time, whatever happens: a second of firmware that is silent, on a busy machine */
#define EVENT_TIMEOUT_MS 20000

static struct picture pictures[2];

static void begin(struct pipe *pipe)
{
	unsigned int i;

	open_pipe(pipe);
	for (i = 0; i < ARRAY_SIZE(pictures); i++) {
		new_picture(pipe, &pictures[i], DRM_FORMAT_XRGB8888);
		add_picture(pipe, &pictures[i]);
	}
	show(pipe, &pictures[0]);
}

static void wait_for_event(const struct pipe *pipe)
{
	struct pollfd poll_event = { .fd = pipe->fd, .events = POLLIN };
	struct drm_event_vblank event;

	igt_assert_eq(poll(&poll_event, 1, EVENT_TIMEOUT_MS), 1);
	igt_assert_f(poll_event.revents & POLLIN, "the device went and the event never came\n");
	igt_assert_eq(read(pipe->fd, &event, sizeof(event)), (int)sizeof(event));
}

/* Return: 0 once the event was there, or why there was no flip */
static int try_flip(const struct pipe *pipe, unsigned int number)
{
	struct drm_mode_crtc_page_flip flip = {
		.crtc_id = pipe->crtc, .fb_id = pictures[number % ARRAY_SIZE(pictures)].fb,
		.flags = DRM_MODE_PAGE_FLIP_EVENT,
	};

	if (igt_ioctl(pipe->fd, DRM_IOCTL_MODE_PAGE_FLIP, &flip))
		return errno;
	wait_for_event(pipe);
	return 0;
}

static void until_gone(struct pipe *pipe)
{
	unsigned int number = 0;
	int error = 0;

	begin(pipe);
	/* Who started this waits for that line */
	igt_info("flipping\n");
	fflush(stdout);
	while (!error)
		error = try_flip(pipe, ++number);
	igt_info("%u flips, then %s\n", number - 1, strerror(error));
	/* The device went, or the display: a CRTC that is off cannot flip */
	igt_assert_f(error == ENODEV || error == EINVAL || error == EBUSY, "%s\n", strerror(error));
}

static void silent(struct pipe *pipe)
{
	unsigned int number;

	begin(pipe);
	for (number = 1; number <= 3; number++)
		igt_assert_eq(try_flip(pipe, number), 0);
}

v3dcl_main()
{
	static struct pipe pipe;

	igt_describe("Flips until there is nothing to flip any more");
	igt_subtest("until-gone")
		until_gone(&pipe);
	igt_describe("Three flips, whatever the firmware says: each has its event");
	igt_subtest("silent")
		silent(&pipe);
}
