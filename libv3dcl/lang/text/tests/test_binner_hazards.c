// SPDX-License-Identifier: MIT
/* Memory that a text's raw lists give the binner: what is told of it. */
#include "reading.h"

/*
 * 20 x 15 tiles: 300 initial blocks of 32 bytes end at 9,600, further ones begin at 9,728; one of
 * these, and the binner's slack of 8,192 bytes. State: 48 bytes a tile.
 */
#define ENOUGH "17952"
#define TOO_FEW "17951"
#define LISTS(mode) "lists {\n\tbin {\n\t\ttile_binning_mode width=20 height=15 " mode "\n\t}\n}\n"

struct told {
	unsigned int count, most, line;
	char rules[128], text[400];
};

static bool note(void *opaque, const struct v3dcl_script_hazard *hazard)
{
	struct told *told = opaque;

	assert_null(hazard->program);
	assert_int_equal(hazard->hazard.at, 0);
	told->line = hazard->line;
	strcat(told->rules, hazard->hazard.rule);
	strcat(told->rules, " ");
	strncpy(told->text, hazard->hazard.text, sizeof(told->text) - 1);
	return ++told->count != told->most;
}

/* Which rules the text breaks, and on which line */
static void breaks(const char *text, const char *rules, uint32_t line)
{
	struct told told = { 0 };
	struct v3dcl_script *script;
	struct v3dcl_error error;
	uint32_t count;

	if (read_text(text, &script, &error))
		fail_msg("%s", error.text);
	count = v3dcl_script_hazards(script, note, &told);
	assert_int_equal(count, told.count);
	assert_int_equal(v3dcl_script_hazards(script, NULL, NULL), told.count);
	assert_string_equal(told.rules, rules);
	assert_int_equal(told.line, line);
	v3dcl_script_free(script);
}

static void enough(void **state)
{
	(void)state;
	breaks("buffer b size " ENOUGH " + 48 * 300\n"
	       LISTS("address=b size=" ENOUGH " state=b + " ENOUGH), "", 0);
	breaks("buffer b size " ENOUGH " + 48 * 300\n"
	       LISTS("state=b address=b + 48 * 300 size=" ENOUGH), "", 0);
}

static void too_small(void **state)
{
	(void)state;
	breaks("buffer b size 65536\n" LISTS("address=b size=" TOO_FEW " state=b + 32768"),
	       "tile-lists-small ", 4);
	/* Larger blocks; samples change nothing but how many pixels a tile has */
	breaks("buffer b size 65536\n"
	       LISTS("address=b size=" ENOUGH " state=b + 32768 initial_block=1"),
	       "tile-lists-small ", 4);
	breaks("buffer b size 65536\n" LISTS("address=b size=" ENOUGH " state=b + 32768 block=1"),
	       "tile-lists-small ", 4);
	breaks("buffer b size 65536\n"
	       LISTS("address=b size=" ENOUGH " state=b + 32768 multisample=1"), "", 0);
}

static void beyond_buffers(void **state)
{
	(void)state;
	breaks("buffer b size 65536\n" LISTS("address=b + 1024 size=64513 state=b"),
	       "tile-lists-outside ", 4);
	breaks("buffer b size 65536\n" LISTS("address=b + 1024 size=64512 state=b"), "", 0);
	breaks("buffer b size 65536\n" LISTS("address=b size=32768 state=b + 65536 - 14399"),
	       "tile-state-outside ", 4);
	breaks("buffer b size 65536\n" LISTS("address=b size=32768 state=b + 65536 - 14400"), "",
	       0);
}

static void in_two_windows(void **state)
{
	(void)state;
	breaks("buffer a size 65536\nbuffer b size 65536\n" LISTS("address=a size=65536 state=b"),
	       "tile-window ", 5);
}

/* With other addresses before it */
static void of_a_list_in_memory(void **state)
{
	(void)state;
	breaks("buffer b size 20\n"
	       "buffer list {\n\tu32 b\n"
	       "\ttile_binning_mode width=1 height=1 address=b size=9000 state=b }\n",
	       "tile-lists-outside tile-state-outside ", 4);
}

/* Of addresses that are numbers nothing is known, and a checked job has none. */
static void of_numbers(void **state)
{
	(void)state;
	breaks(LISTS("size=1"), "", 0);
	breaks("buffer b size 64\n" LISTS("address=b size=1"), "", 0);
	breaks("buffer b size 64\n" LISTS("state=b size=1"), "", 0);
}

static void no_tiles(void **state)
{
	(void)state;
	breaks("buffer b size 64\n"
	       "buffer list { tile_binning_mode address=b state=b size=1 }\n", "", 0);
}

/* With how many bytes it needs; and a caller who wants no more gets no more */
static void is_told(void **state)
{
	struct told told = { .most = 1 };
	struct v3dcl_script *script;
	struct v3dcl_error error;

	(void)state;
	if (read_text("buffer b size 100\n" LISTS("address=b size=8192 state=b"), &script, &error))
		fail_msg("%s", error.text);
	assert_int_equal(v3dcl_script_hazards(script, note, &told), 1);
	assert_string_equal(told.text, "8192 bytes for the lists of 20 x 15 tiles: " ENOUGH
				       " are the least");
	assert_int_equal(v3dcl_script_hazards(script, NULL, NULL), 3);
	v3dcl_script_free(script);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(enough),	  cmocka_unit_test(too_small),
		cmocka_unit_test(beyond_buffers), cmocka_unit_test(in_two_windows),
		cmocka_unit_test(of_numbers),	  cmocka_unit_test(of_a_list_in_memory),
		cmocka_unit_test(no_tiles),	  cmocka_unit_test(is_told),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
