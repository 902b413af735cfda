// SPDX-License-Identifier: MIT
/*
 * The same frames with 0, 1, 2 and 8 threads: the same memory, registers, faults, statistics and
 * counters. Frames are those of the fuzzer, which draws all there is to draw, with whatever comes
 * of it.
 */
#include "tests/frames.h"

#ifdef __SANITIZE_THREAD__
#define FRAMES 60
#else
#define FRAMES 200
#endif

static void compare_frames(const char *chip)
{
	static const unsigned int threads[] = { 0, 1, 2, 8 };
	static struct outcome outcome[2];
	unsigned int drawn = 0, faulted = 0;

	for (unsigned int number = 0; number < FRAMES; number++) {
		run(number, &(struct v3dsim_config){ .chip = chip }, &outcome[0]);
		if (outcome[0].state != V3DSIM_IDLE && !outcome[0].faulted)
			continue;
		drawn++;
		faulted += outcome[0].faulted;
		for (unsigned int n = 1; n < 4; n++) {
			char what[32];

			snprintf(what, sizeof(what), "%u threads", threads[n]);
			run(number,
			    &(struct v3dsim_config){ .threads = threads[n], .chip = chip },
			    &outcome[1]);
			compare(number, what, &outcome[0], &outcome[1]);
		}
	}
	print_message("# %u frames of %u, %u of them with an error\n", drawn, FRAMES, faulted);
	assert_true(drawn > FRAMES / 2);
}

static void test_ideal(void **state)
{
	(void)state;
	compare_frames("ideal");
}

/* Silicon, but without the modes that leave all tiles to one thread or stop most frames */
static void test_silicon(void **state)
{
	(void)state;
	compare_frames("bcm2835+-HW-2726+-HW-2796+-HW-2885");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_ideal),
		cmocka_unit_test(test_silicon),
	};

	return cmocka_run_group_tests_name("tiles", tests, NULL, NULL);
}
