// SPDX-License-Identifier: MIT
/*
 * The same frames with 0, 1, 2 and 8 threads, as the guide means the chip and as it is: the same
 * memory, registers, faults, statistics and counters. Frames are those of the fuzzer, which draws
 * all there is to draw, with whatever comes of it.
 */
#include "tests/frames.h"

#ifdef __SANITIZE_THREAD__
#define FRAMES 60
#else
#define FRAMES 200
#endif

static void compare_threads(const char *chip)
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
			const struct v3dsim_config config = { .chip = chip, .threads = threads[n] };
			char what[80];

			snprintf(what, sizeof(what), "%s, %u threads", chip, threads[n]);
			run(number, &config, &outcome[1]);
			compare(number, what, &outcome[0], &outcome[1]);
		}
	}
	print_message("# %s: %u frames of %u, %u of them with an error\n", chip, drawn, FRAMES,
		      faulted);
	assert_true(drawn > FRAMES / 2);
}

static void test_ideal(void **state)
{
	(void)state;
	compare_threads("ideal");
}

static void test_bcm2835(void **state)
{
	(void)state;
	compare_threads("bcm2835");
}

/* Points of size 0 stop the list: without that more comes to be drawn. */
static void test_without_2726(void **state)
{
	(void)state;
	compare_threads("bcm2835+-HW-2726");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_ideal),
		cmocka_unit_test(test_bcm2835),
		cmocka_unit_test(test_without_2726),
	};

	return cmocka_run_group_tests_name("tiles", tests, NULL, NULL);
}
