// SPDX-License-Identifier: GPL-2.0-only
/* How long a file is slowed and refused for what number of hangs */
#include "jobs.h"
#include "kunit.h"

#define BV3D_FADES (5ull * NSEC_PER_SEC)

static void bv3d_offence_fades(struct kunit *test)
{
	struct bv3d_offences offences = {};
	u64 now = 100ull * NSEC_PER_SEC;
	unsigned int i;

	KUNIT_EXPECT_FALSE(test, bv3d_offence_slowed(&offences, now));
	for (i = 0; i < 3; i++) {
		KUNIT_EXPECT_FALSE(test, bv3d_offence_slowed(&offences, now));
		bv3d_offence_add(&offences, 16, now);
	}
	KUNIT_EXPECT_TRUE(test, bv3d_offence_slowed(&offences, now));
	KUNIT_EXPECT_TRUE(test, bv3d_offence_slowed(&offences, now + BV3D_FADES - 1));
	KUNIT_EXPECT_FALSE(test, bv3d_offence_slowed(&offences, now + BV3D_FADES));
	KUNIT_EXPECT_EQ(test, bv3d_offence_refused(&offences, now), 0ULL);
	/* A hang now and then adds up to nothing */
	for (i = 0; i < 100; i++) {
		now += 3 * BV3D_FADES;
		bv3d_offence_add(&offences, 2, now);
		KUNIT_EXPECT_FALSE(test, bv3d_offence_slowed(&offences, now));
		KUNIT_EXPECT_EQ(test, bv3d_offence_refused(&offences, now), 0ULL);
	}
}

/* Refused until half has faded, and one hang after that is not the last straw */
static void bv3d_offence_refuses(struct kunit *test)
{
	struct bv3d_offences offences = {};
	u64 now = NSEC_PER_SEC;
	unsigned int i;

	for (i = 0; i < 16; i++) {
		KUNIT_EXPECT_EQ(test, bv3d_offence_refused(&offences, now), 0ULL);
		bv3d_offence_add(&offences, 16, now);
	}
	KUNIT_EXPECT_EQ(test, bv3d_offence_refused(&offences, now), 8 * BV3D_FADES);
	now += 8 * BV3D_FADES;
	KUNIT_EXPECT_EQ(test, bv3d_offence_refused(&offences, now - 1), 1ULL);
	KUNIT_EXPECT_EQ(test, bv3d_offence_refused(&offences, now), 0ULL);
	KUNIT_EXPECT_TRUE(test, bv3d_offence_slowed(&offences, now));
	bv3d_offence_add(&offences, 16, now);
	KUNIT_EXPECT_EQ(test, bv3d_offence_refused(&offences, now), 0ULL);
}

static void bv3d_offence_limits(struct kunit *test)
{
	struct bv3d_offences offences = {};
	unsigned int i;

	for (i = 0; i < 1000; i++)
		bv3d_offence_add(&offences, 0, NSEC_PER_SEC);
	KUNIT_EXPECT_EQ(test, bv3d_offence_refused(&offences, NSEC_PER_SEC), 0ULL);
	KUNIT_EXPECT_TRUE(test, bv3d_offence_slowed(&offences, NSEC_PER_SEC));
	memset(&offences, 0, sizeof(offences));
	bv3d_offence_add(&offences, 1, NSEC_PER_SEC);
	KUNIT_EXPECT_EQ(test, bv3d_offence_refused(&offences, NSEC_PER_SEC), (u64)BV3D_FADES);
}

static struct kunit_case bv3d_offence_cases[] = {
	KUNIT_CASE(bv3d_offence_fades),
	KUNIT_CASE(bv3d_offence_refuses),
	KUNIT_CASE(bv3d_offence_limits),
	{}
};

static struct kunit_suite bv3d_offence_suite = {
	.name = "v3d_offence",
	.test_cases = bv3d_offence_cases,
};

kunit_test_suite(bv3d_offence_suite);
