// SPDX-License-Identifier: MIT
/*
 * The reference chip against the one with all that exists for speed alone (core/hooks.h), as the
 * guide means the chip and as its Appendix A says BCM2835 is: the same memory, registers, faults,
 * statistics and counters. Here are frames; user programs are in test_plain, examples in
 * examples/test-reference.
 */
#include "frames.h"

#define FRAMES 120

static void compare_all(const struct v3dsim_config *reference, const struct v3dsim_config *other,
			const char *what)
{
	static struct outcome outcome[2];
	unsigned int drawn = 0, faulted = 0;

	for (unsigned int number = 0; number < FRAMES; number++) {
		run(number, reference, &outcome[0]);
		if (outcome[0].state != V3DSIM_IDLE && !outcome[0].faulted)
			continue;
		drawn++;
		faulted += outcome[0].faulted;
		run(number, other, &outcome[1]);
		compare(number, what, &outcome[0], &outcome[1]);
	}
	print_message("# %s: %u frames of %u, %u of them with an error\n", what, drawn, FRAMES,
		      faulted);
	assert_true(drawn > FRAMES / 2);
}

static void test_ideal(void **state)
{
	const struct v3dsim_config reference = { .reference = true }, fast = { 0 };

	(void)state;
	compare_all(&reference, &fast, "ideal");
}

static void test_bcm2835(void **state)
{
	const struct v3dsim_config reference = { .reference = true, .chip = "bcm2835" },
				   fast = { .chip = "bcm2835" };

	(void)state;
	compare_all(&reference, &fast, "bcm2835");
}

/* Modes of registers, interrupts, power and QPUs */
static void test_core_modes(void **state)
{
	static const char modes[] = "sfu+dirty-registers:3+pctrc-needs-pctre+irq-late:7+irq-twice+"
				    "host-int-zero+power-refuse+power-keep+imm-48+shading-waits";
	const struct v3dsim_config reference = { .reference = true, .chip = modes },
				   fast = { .chip = modes },
				   threads = { .chip = modes, .threads = 4 };

	(void)state;
	compare_all(&reference, &fast, "modes of core and qpu");
	compare_all(&reference, &threads, "modes of core and qpu, 4 threads");
}

static void test_caches(void **state)
{
	const struct v3dsim_config reference = { .reference = true, .caches = V3DSIM_CACHES_MODEL };
	const struct v3dsim_config fast = { .caches = V3DSIM_CACHES_MODEL };

	(void)state;
	compare_all(&reference, &fast, "caches=model");
}

static void test_threads(void **state)
{
	const struct v3dsim_config reference = { .reference = true },
				   threads = { .reference = true, .threads = 4 };

	(void)state;
	compare_all(&reference, &threads, "4 threads, which the reference chip has no use for");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_ideal),
		cmocka_unit_test(test_bcm2835),
		cmocka_unit_test(test_core_modes),
		cmocka_unit_test(test_caches),
		cmocka_unit_test(test_threads),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests_name("reference", tests, NULL, NULL);
}
