/* SPDX-License-Identifier: MIT */
/*
 * What tests of render lists share: a frame whose list is built, or that is refused at a field of
 * the submit.
 */
#ifndef V3DCL_JOB_TESTS_RENDER_H
#define V3DCL_JOB_TESTS_RENDER_H

#include "frame.h"

static struct frame_test frame, *t = &frame;

#define AT(field) offsetof(struct drm_vc4_submit_cl, field)
#define NO_BIN() ((void)state, frame_start(t), t->bin_size = 0, frame_submit(t))

static bool build(void)
{
	frame_job(t);
	if (t->bin_size && (!v3dcl_measure(&t->job) || !v3dcl_check_bin(&t->job)))
		return false;
	return v3dcl_check_render(&t->job) && v3dcl_build_render(&t->job);
}

#define accepts() \
	do { \
		assert_accepted(t, build()); \
		assert_int_equal(t->job.render_start, 0x40000000); \
		assert_int_equal(t->job.render_end + V3DCL_AFTER_LIST, \
				 0x40000000 + t->job.render_bytes); \
		assert_guarded(&t->render, t->job.render_bytes); \
	} while (0)

#define refuses(part, rule, offset) \
	do { \
		assert_false(build()); \
		assert_refusal(&t->job.refusal, part, rule, offset); \
	} while (0)

#endif /* V3DCL_JOB_TESTS_RENDER_H */
