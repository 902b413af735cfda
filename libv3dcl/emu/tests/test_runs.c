// SPDX-License-Identifier: MIT
/* How jobs end: at a limit that is the chip's, in memory that lies as a kernel's may. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "../../base/helpers.h"
#include "v3dcl_text.h"

/* How much later it is at each look at the monotonic clock */
static time_t leap;

int __real_clock_gettime(clockid_t clock, struct timespec *now);
int __wrap_clock_gettime(clockid_t clock, struct timespec *now);

int __wrap_clock_gettime(clockid_t clock, struct timespec *now)
{
	static time_t seconds;

	if (clock != CLOCK_MONOTONIC)
		return __real_clock_gettime(clock, now);
	seconds += leap;
	*now = (struct timespec){ .tv_sec = seconds };
	return 0;
}

/* Return: what the job of that text came to on that device */
static int run(const char *text, struct v3dcl_simulator_config config)
{
	struct v3dcl_device *device;
	struct v3dcl_script *script;
	struct v3dcl_error error;
	int ret;

	config.size = sizeof(config);
	config.unverified = true;
	if (v3dcl_script_read("test", text, strlen(text), NULL, 0, &script, &error))
		fail_msg("%s", error.text);
	assert_int_equal(v3dcl_open_simulator(&config, &device, &error), 0);
	ret = v3dcl_script_run(script, device, NULL, &error);
	v3dcl_close(device);
	v3dcl_script_free(script);
	return ret;
}

static const struct v3dcl_simulator_config chips[] = {
	{ .threads = 0 },
	{ .reference = true },
	{ .threads = 2 },
};

/* 100 000 instructions in a loop, which are 1.6 ms */
#define LONG(timeout) \
	"program p {\nldi r0, 20000\nldi r1, 1\nloop: sub.setf r0, r0, r1\nbrr.allnz loop\nnop\n" \
	"nop\nnop\nthrend\nnop\nnop\n}\nrun timeout " timeout " p()\n"

/* "16 ns for each instruction of any QPU" */
static void programs_have_the_chips_time(void **state)
{
	(void)state;
	for (leap = 0; leap <= 86400; leap += 86400) {
		assert_int_equal(run(LONG("2"), chips[0]), 0);
		assert_int_equal(run(LONG("2"), chips[1]), 0);
		assert_int_equal(run(LONG("2"), chips[2]), 0);
		assert_int_equal(run(LONG("1"), chips[0]), -EIO);
		assert_int_equal(run(LONG("1"), chips[1]), -EIO);
	}
}

/* However time passes for the host, what does not end is ended. */
static void what_is_endless_ends(void **state)
{
	static const char program[] =
		"program p {\nloop: brr loop\nnop\nnop\nnop\nthrend\nnop\nnop\n}\n"
		"run timeout 20 p()\n";
	static const char list[] =
		"buffer l { here: branch address=l.here }\nlists { render at l size 5 }\n";
	struct v3dcl_simulator_config config;
	size_t i;

	(void)state;
	leap = 0;
	for (i = 0; i < COUNT(chips); i++) {
		config = chips[i];
		config.limit_ms = 20;
		assert_int_equal(run(program, config), -EIO);
		assert_int_equal(run(list, config), -EIO);
	}
}

/* A list has its limit to itself, and it is not the host's either. */
#define DRAW \
	"buffer out size 16384\n" \
	"lists { render {\nclear_colors color0=7 color1=7\n" \
	"tile_rendering_mode address=out width=64 height=64 pixel=rgba8888\ntile_coordinates\n" \
	"store_general buffer=none\ntile_coordinates\nstore_resolved_end\n} }\n" \
	"expect out { u32 7 }\n"
static void lists_have_the_chips_time(void **state)
{
	struct v3dcl_simulator_config config;
	size_t i;

	(void)state;
	leap = 86400;
	for (i = 0; i < COUNT(chips); i++) {
		config = chips[i];
		config.limit_ms = 1;
		assert_int_equal(run(DRAW, config), 0);
	}
}

/* A list that draws, whose tile state lies where @state says */
#define BINS(state) \
	"buffer target size 16384\nbuffer own size 48\n" \
	"buffer tiles size 0x40000\n" \
	"program fs {\nldi tlbc, 9\nnop; thrend\nnop\nnop; sbdone\n}\n" \
	"buffer vertices {\ntable s12.4 s12.4 f32 f32 {\n0, 0, 1, 1\n200, 0, 1, 1\n0, 200, 1, 1\n" \
	"}\n}\n" \
	"buffer shader { nv_shader_record stride=12 fs_code=fs vertices=vertices }\n" \
	"lists {\nbin {\ntile_binning_mode address=tiles size=0x3f000 state=" state \
	" width=1 height=1 auto_initialise=1\nstart_tile_binning\n" \
	"configuration_bits forward_facing=1 reverse_facing=1\nclip_window width=64 height=64\n" \
	"viewport_offset x=0 y=0\nnv_shader_state address=shader\n" \
	"array_primitives mode=triangles length=3\nflush\n}\n" \
	"render {\nclear_colors color0=5 color1=5\n" \
	"tile_rendering_mode address=target width=64 height=64 pixel=rgba8888\n" \
	"tile_coordinates\nstore_general buffer=none\ntile_coordinates\n" \
	"branch_to_sub_list address=tiles\nstore_resolved_end\n}\n}\n" \
	"expect target { u32 9 }\n"

/* Pointers of 28 bits (mode list-window): a page is not in the window of larger memory */
static void a_page_lies_elsewhere(void **state)
{
	static const struct v3dcl_simulator_config ideal = { .chip = "ideal" },
						   silicon = { .chip = "bcm2835" };

	(void)state;
	leap = 0;
	assert_int_equal(run(BINS("tiles + 0x3f000"), ideal), 0);
	assert_int_equal(run(BINS("tiles + 0x3f000"), silicon), 0);
	assert_int_equal(run(BINS("own"), ideal), 0);
	assert_int_not_equal(run(BINS("own"), silicon), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(programs_have_the_chips_time),
		cmocka_unit_test(what_is_endless_ends),
		cmocka_unit_test(lists_have_the_chips_time),
		cmocka_unit_test(a_page_lies_elsewhere),
	};

	return cmocka_run_group_tests_name("emu-runs", tests, NULL, NULL);
}
