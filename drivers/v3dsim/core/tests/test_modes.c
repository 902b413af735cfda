// SPDX-License-Identifier: MIT
/*
 * Modes of the chip by name: what a list means, and that a chip's list names that chip.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "core/modes.h"

#define BIT(NAME) (UINT64_C(1) << V3D_CHIP_##NAME)
/* of bcm2835: all but where published programs need another chip than the guide's words say */
#define ALL (((UINT64_C(1) << V3D_CHIP_MODE_COUNT) - 1) & ~BIT(PACKED_BLOCKMODE))

static const char *const names[] = {
#define NAME(ID, name, number, source, text) name,
	V3D_CHIP_MODES(NAME)
#undef NAME
};

static void test_lists(void **state)
{
	static const struct {
		const char *text;
		uint64_t set;
	} lists[] = {
		{ NULL, 0 },
		{ "ideal", 0 },
		{ "bcm2835", ALL },
		{ "HW-2898", BIT(HW_2898) },
		{ "HW-2898+HW-2116", BIT(HW_2898) | BIT(HW_2116) },
		{ "ideal+HW-2726", BIT(HW_2726) },
		{ "bcm2835+-HW-2905", ALL & ~BIT(HW_2905) },
		{ "HW-2905+-HW-2905", 0 },
		{ "-HW-2905", 0 },
		{ "packed-blockmode", BIT(PACKED_BLOCKMODE) },
		{ "bcm2835+packed-blockmode", ALL | BIT(PACKED_BLOCKMODE) },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(lists) / sizeof(lists[0]); i++) {
		struct chip_modes chip;

		assert_true(chip_parse(&chip, lists[i].text, NULL, 0));
		assert_int_equal(chip.set, lists[i].set);
	}
}

static void test_wrong(void **state)
{
	static const char *const lists[] = {
		"", "+", "HW-2898+", "+HW-2898", "bcm2835+ideal", "HW-2898+bcm2835", "HW-289",
		"HW-28988", "hw-2898", "HW-2898:", "HW-2898:x", "HW-2898:4294967296", "--HW-2898",
		"bcm2835+-HW-2898:1", "HW-2898,HW-2116", " ideal", "help",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(lists) / sizeof(lists[0]); i++) {
		struct chip_modes chip = { .set = BIT(HW_2116) }, before = chip;
		char error[128] = "";

		if (chip_parse(&chip, lists[i], error, sizeof(error)))
			fail_msg("\"%s\" is no list", lists[i]);
		assert_memory_equal(&chip, &before, sizeof(chip));
		assert_true(strlen(error) > 10);
	}
}

/* An error says which word it means, and is cut where there is no room */
static void test_errors(void **state)
{
	struct chip_modes chip;
	char error[128], little[8];

	(void)state;
	assert_false(chip_parse(&chip, "HW-2898+HW-1", error, sizeof(error)));
	assert_non_null(strstr(error, "\"HW-1\""));
	assert_false(chip_parse(&chip, "HW-2898+HW-1", little, sizeof(little)));
	assert_int_equal(strlen(little), sizeof(little) - 1);
}

/* What a chip is called names that chip: each mode alone, and silicon without each */
static void test_print(void **state)
{
	(void)state;
	for (unsigned int i = 0; i < 2 * V3D_CHIP_MODE_COUNT; i++) {
		struct chip_modes chip, again;
		char list[64], text[512];

		snprintf(list, sizeof(list), "%s%s",
			 !(i & 1) ? "" : ALL >> i / 2 & 1 ? "bcm2835+-" : "bcm2835+",
			 names[i / 2]);
		assert_true(chip_parse(&chip, list, NULL, 0));
		chip_print(&chip, text, sizeof(text));
		assert_string_equal(text, list);
		assert_true(chip_parse(&again, text, NULL, 0));
		assert_memory_equal(&chip, &again, sizeof(chip));
	}
}

static void test_print_whole(void **state)
{
	struct chip_modes chip;
	char text[512];

	(void)state;
	assert_true(chip_parse(&chip, "ideal", NULL, 0));
	chip_print(&chip, text, sizeof(text));
	assert_string_equal(text, "ideal");
	assert_true(chip_parse(&chip, "bcm2835", NULL, 0));
	chip_print(&chip, text, sizeof(text));
	assert_string_equal(text, "bcm2835");
	chip_print(&chip, text, 4);
	assert_string_equal(text, "bcm");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_lists),
		cmocka_unit_test(test_wrong),
		cmocka_unit_test(test_errors),
		cmocka_unit_test(test_print),
		cmocka_unit_test(test_print_whole),
	};

	return cmocka_run_group_tests_name("modes", tests, NULL, NULL);
}
