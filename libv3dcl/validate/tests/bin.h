/* SPDX-License-Identifier: MIT */
/*
 * What tests of bin lists share: a list that is accepted, or refused at a byte, and nothing written
 * beside its memory.
 */
#ifndef V3DCL_JOB_TESTS_BIN_H
#define V3DCL_JOB_TESTS_BIN_H

#include "frame.h"

static struct frame_test frame, *t = &frame;

#define accepts() assert_accepted(t, frame_check(t))

#define refuses(part, rule, offset) \
	do { \
		assert_false(frame_check(t)); \
		assert_refusal(&t->job.refusal, part, rule, offset); \
		assert_guarded(&t->exec, t->job.needs.exec); \
	} while (0)

#define START() ((void)state, frame_start(t))

#endif /* V3DCL_JOB_TESTS_BIN_H */
