// SPDX-License-Identifier: MIT
/*
 * Every access is inside what the host gave, whatever the address; caches keep what they hold until
 * they are cleared.
 */
#include "tests/chip.h"

/*
 * A host with regions of its own choosing: consecutive pieces of 64 bytes, each one asked for by
 * itself.
 */
struct patches {
	uint8_t low[256], high[256];
	unsigned int asked;
	bool gone, read_only, nonsense, forgets;
	struct v3dsim *sim;
};

static bool patches_region(void *opaque, enum v3dsim_unit unit, uint32_t addr, bool write,
			   struct v3dsim_region *out)
{
	struct patches *patches = opaque;
	uint8_t *host = addr < 256 ? patches->low + (addr & ~63u) :
			addr >= 0xffffff00 ? patches->high + (addr & 0xc0) :
					     NULL;

	(void)unit;
	(void)write;
	patches->asked++;
	if (patches->forgets)
		v3dsim_forget(patches->sim, 0, 1);
	if (patches->gone || !host)
		return false;
	*out = (struct v3dsim_region){ host, addr & ~63u, 64, !patches->read_only };
	if (patches->nonsense)
		out->base = addr + 64;
	return true;
}

static struct v3dsim *patches_new(struct patches *patches, bool strict)
{
	struct v3dsim_config config = { .strict = strict };
	struct v3dsim_host host = { .region = patches_region, .opaque = patches };
	unsigned int i;

	memset(patches, 0, sizeof(*patches));
	for (i = 0; i < 256; i++) {
		patches->low[i] = i;
		patches->high[i] = ~i;
	}
	patches->sim = v3dsim_new(&config, &host);
	return patches->sim;
}

/* Tests run in the engine's place: the lock is held as it would be. */
static bool read_bytes(struct v3dsim *sim, uint32_t addr, void *data, uint32_t len)
{
	bool good;

	pthread_mutex_lock(&sim->lock);
	good = bus_read(sim, V3DSIM_UNIT_TMU, addr, data, len);
	pthread_mutex_unlock(&sim->lock);
	return good;
}

static bool write_bytes(struct v3dsim *sim, uint32_t addr, const void *data, uint32_t len)
{
	bool good;

	pthread_mutex_lock(&sim->lock);
	good = bus_write(sim, V3DSIM_UNIT_TLB, addr, data, len);
	bus_tell_written(sim);
	pthread_mutex_unlock(&sim->lock);
	return good;
}

static void test_regions_are_cached(void **state)
{
	struct patches patches;
	struct v3dsim *sim = patches_new(&patches, false);
	uint8_t bytes[4];

	(void)state;
	assert_true(read_bytes(sim, 0, bytes, 4));
	assert_true(read_bytes(sim, 60, bytes, 4));
	assert_memory_equal(bytes, "\x3c\x3d\x3e\x3f", 4);
	assert_int_equal(patches.asked, 1);
	assert_true(read_bytes(sim, 62, bytes, 4));		/* over the seam */
	assert_memory_equal(bytes, "\x3e\x3f\x40\x41", 4);
	assert_int_equal(patches.asked, 2);
	v3dsim_forget(sim, 127, 1);
	assert_true(read_bytes(sim, 64, bytes, 4));
	assert_int_equal(patches.asked, 3);
	v3dsim_forget(sim, 128, 1000);				/* not this one */
	assert_true(read_bytes(sim, 64, bytes, 4));
	assert_int_equal(patches.asked, 3);
	v3dsim_free(sim);
}

/* Reads in turn from as many as are known ask once for each; one more drops the oldest. */
static void test_regions_in_turn(void **state)
{
	struct patches patches;
	struct v3dsim *sim = patches_new(&patches, false);
	uint8_t byte;

	(void)state;
	for (uint32_t n = 0; n < 8 * BUS_REGIONS; n++) {
		const uint32_t addr = n % BUS_REGIONS * 64;

		assert_true(read_bytes(sim, addr, &byte, 1));
		assert_int_equal(byte, addr);
	}
	assert_int_equal(patches.asked, BUS_REGIONS);
	v3dsim_forget(sim, 64, 1);
	for (uint32_t n = 0; n < BUS_REGIONS; n++)
		assert_true(read_bytes(sim, n * 64, &byte, 1));
	assert_int_equal(patches.asked, BUS_REGIONS + 1);
	assert_true(read_bytes(sim, 0xffffff00, &byte, 1));
	assert_true(read_bytes(sim, 3 * 64, &byte, 1));
	assert_int_equal(patches.asked, BUS_REGIONS + 2);
	assert_true(read_bytes(sim, 0, &byte, 1));
	assert_int_equal(patches.asked, BUS_REGIONS + 3);
	v3dsim_forget(sim, 0, 256);
	assert_true(read_bytes(sim, 0, &byte, 1));
	assert_true(read_bytes(sim, 3 * 64, &byte, 1));
	assert_int_equal(patches.asked, BUS_REGIONS + 5);
	v3dsim_free(sim);
}

static void test_strict_asks_anew(void **state)
{
	struct patches patches;
	struct v3dsim *sim = patches_new(&patches, true);
	uint8_t bytes[4];

	(void)state;
	assert_true(read_bytes(sim, 0, bytes, 4));
	assert_true(read_bytes(sim, 0, bytes, 4));
	assert_int_equal(patches.asked, 2);
	v3dsim_free(sim);
}

static void test_every_alignment(void **state)
{
	struct patches patches;
	struct v3dsim *sim = patches_new(&patches, false);
	uint8_t bytes[80], expected[80];
	uint32_t at, len, i;

	(void)state;
	for (at = 0; at < 17; at++) {
		for (len = 0; len < sizeof(bytes); len++) {
			for (i = 0; i < len; i++)
				expected[i] = at + i;
			assert_true(read_bytes(sim, at, bytes, len));
			assert_memory_equal(bytes, expected, len);
			for (i = 0; i < len; i++)
				expected[i] = i + 7;
			assert_true(write_bytes(sim, at + 100, expected, len));
			assert_memory_equal(patches.low + at + 100, expected, len);
		}
	}
	assert_int_equal(patches.low[99], 99);
	assert_int_equal(patches.low[100 + 16 + 79], 195);
	v3dsim_free(sim);
}

static void test_wrap(void **state)
{
	struct patches patches;
	struct v3dsim *sim = patches_new(&patches, false);
	uint8_t bytes[4];

	(void)state;
	assert_true(read_bytes(sim, 0xfffffffe, bytes, 4));
	assert_memory_equal(bytes, "\x01\x00\x00\x01", 4);
	assert_true(write_bytes(sim, 0xfffffffe, "\x09\x08\x07\x06", 4));
	assert_int_equal(patches.high[255], 8);
	assert_int_equal(patches.low[1], 6);
	v3dsim_free(sim);
}

static void test_bus_errors(void **state)
{
	struct patches patches;
	struct v3dsim *sim = patches_new(&patches, false);
	struct v3dsim_fault fault;
	uint8_t bytes[8] = { 0 };

	(void)state;
	assert_false(v3dsim_fault(sim, &fault));
	assert_false(read_bytes(sim, 252, bytes, 8));		/* half of it is there */
	assert_true(v3dsim_fault(sim, &fault));
	assert_int_equal(fault.unit, V3DSIM_UNIT_TMU);
	assert_int_equal(fault.address, 256);
	assert_string_equal(fault.text,
			    "TMU at 0x00000100: bus error: no memory to read at this address");
	patches.read_only = true;
	assert_false(write_bytes(sim, 0, bytes, 1));
	assert_true(v3dsim_fault(sim, &fault));			/* the first one is kept */
	assert_int_equal(fault.address, 256);
	v3dsim_free(sim);
}

/* A host that gives what was not asked for, nothing, or forgets without end, is not believed. */
static void test_bad_hosts(void **state)
{
	struct patches patches;
	struct v3dsim *sim = patches_new(&patches, false);
	struct v3dsim_host none = { 0 };
	uint8_t bytes[4];

	(void)state;
	patches.nonsense = true;
	assert_false(read_bytes(sim, 0, bytes, 4));
	patches.nonsense = false;
	patches.forgets = true;
	assert_false(read_bytes(sim, 0, bytes, 4));
	patches.forgets = false;
	assert_true(read_bytes(sim, 0, bytes, 4));
	v3dsim_free(sim);
	sim = v3dsim_new(NULL, &none);
	assert_false(read_bytes(sim, 0, bytes, 4));
	v3dsim_free(sim);
}

#define MODEL { .caches = V3DSIM_CACHES_MODEL }

static uint8_t fetch(struct chip *chip, enum cache_kind kind, unsigned int index, uint32_t addr)
{
	uint8_t byte = 0;

	pthread_mutex_lock(&chip->sim->lock);
	assert_true(cache_fetch(chip->sim, kind, index, addr, &byte, 1));
	pthread_mutex_unlock(&chip->sim->lock);
	return byte;
}

static void test_caches_are_stale(void **state)
{
	/* Which bits of SLCACTL clear which cache of slice 1: AG100 Table 72 */
	static const struct {
		enum cache_kind kind;
		unsigned int index;
		uint32_t mine, others;
	} caches[] = {
		{ CACHE_INSTRUCTION, 1, 0x00000002, 0x0f0f0f0d },
		{ CACHE_UNIFORMS, 1, 0x00000200, 0x0f0f0d0f },
		{ CACHE_TMU, 2, 0x00020000, 0x0f0d0f0f },
		{ CACHE_TMU, 3, 0x02000000, 0x0d0f0f0f },
	};
	const struct v3dsim_config config = MODEL;
	struct chip *chip = chip_new(&config);
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(caches) / sizeof(caches[0]); i++) {
		uint8_t *byte = chip_bytes(chip, MEMORY + 70);

		*byte = 1;
		assert_int_equal(fetch(chip, caches[i].kind, caches[i].index, MEMORY + 70), 1);
		*byte = 2;
		assert_int_equal(fetch(chip, caches[i].kind, caches[i].index, MEMORY + 70), 1);
		wr(chip, 0x024, caches[i].others);
		assert_int_equal(fetch(chip, caches[i].kind, caches[i].index, MEMORY + 70), 1);
		wr(chip, 0x024, caches[i].mine);
		assert_int_equal(fetch(chip, caches[i].kind, caches[i].index, MEMORY + 70), 2);
	}
	chip_free(chip);
}

static void test_l2_is_stale(void **state)
{
	const struct v3dsim_config config = MODEL;
	struct chip *chip = chip_new(&config);

	(void)state;
	wr(chip, 0x020, 1);
	assert_int_equal(fetch(chip, CACHE_TMU, 0, MEMORY), 0);
	*chip_bytes(chip, MEMORY) = 3;
	wr(chip, 0x024, 0x0f0f0f0f);
	assert_int_equal(fetch(chip, CACHE_TMU, 0, MEMORY), 0);		/* from the L2 */
	wr(chip, 0x024, 0x0f0f0f0f);
	wr(chip, 0x020, 4);
	assert_int_equal(fetch(chip, CACHE_TMU, 0, MEMORY), 3);
	*chip_bytes(chip, MEMORY) = 4;
	wr(chip, 0x020, 2);						/* disabled: passed by */
	wr(chip, 0x024, 0x0f0f0f0f);
	assert_int_equal(fetch(chip, CACHE_TMU, 0, MEMORY), 4);
	chip_free(chip);
}

static void test_ideal_is_never_stale(void **state)
{
	struct chip *chip = chip_new(NULL);

	(void)state;
	assert_int_equal(fetch(chip, CACHE_INSTRUCTION, 0, MEMORY), 0);
	*chip_bytes(chip, MEMORY) = 3;
	assert_int_equal(fetch(chip, CACHE_INSTRUCTION, 0, MEMORY), 3);
	chip_free(chip);
}

/* Counts misses of a walk over bytes in lines, the second time round: HW geometry. */
static uint32_t second_walk(enum cache_kind kind, uint32_t source, uint32_t bytes, uint32_t step)
{
	const struct v3dsim_config config = MODEL;
	struct chip *chip = chip_new(&config);
	uint32_t at, misses;

	wr(chip, 0x684, source);
	wr(chip, 0x674, 0x80000001);
	for (at = 0; at < bytes; at += step)
		fetch(chip, kind, 0, MEMORY + at);
	wr(chip, 0x670, 1);
	for (at = 0; at < bytes; at += step)
		fetch(chip, kind, 0, MEMORY + at);
	misses = rd(chip, 0x680);
	chip_free(chip);
	return misses;
}

static void test_geometry(void **state)
{
	(void)state;
	assert_int_equal(second_walk(CACHE_INSTRUCTION, 21, 4096, 64), 0);	/* 4 KiB fit */
	assert_int_equal(second_walk(CACHE_INSTRUCTION, 20, 4096, 64), 64);	/* and are hits */
	/* 4 ways of one set */
	assert_int_equal(second_walk(CACHE_INSTRUCTION, 21, 4 * 1024, 1024), 0);
	/* 5 do not fit: round robin */
	assert_int_equal(second_walk(CACHE_INSTRUCTION, 21, 5 * 1024, 1024), 5);
	assert_int_equal(second_walk(CACHE_TMU, 25, 4096, 64), 0);
	assert_int_equal(second_walk(CACHE_TMU, 25, 8192, 4096), 2);		/* direct-mapped */
	/* lines of 64 bytes */
	assert_int_equal(second_walk(CACHE_TMU, 25, 4096, 32), 0);
}

static void test_l2_counts(void **state)
{
	const struct v3dsim_config config = MODEL;
	struct chip *chip = chip_new(&config);

	(void)state;
	wr(chip, 0x020, 1);
	wr(chip, 0x684, 28);
	wr(chip, 0x68c, 29);
	wr(chip, 0x674, 0x80000003);
	fetch(chip, CACHE_TMU, 0, MEMORY);
	fetch(chip, CACHE_TMU, 0, MEMORY);	/* L1 */
	fetch(chip, CACHE_TMU, 1, MEMORY);	/* another L1, the same L2 */
	fetch(chip, CACHE_UNIFORMS, 2, MEMORY);
	assert_int_equal(rd(chip, 0x680), 2);
	assert_int_equal(rd(chip, 0x688), 1);
	chip_free(chip);
}

static void test_power_clears_caches(void **state)
{
	const struct v3dsim_config config = MODEL;
	struct chip *chip = chip_new(&config);

	(void)state;
	wr(chip, 0x020, 1);
	fetch(chip, CACHE_TMU, 0, MEMORY);
	*chip_bytes(chip, MEMORY) = 9;
	v3dsim_power(chip->sim, false);
	v3dsim_power(chip->sim, true);
	assert_int_equal(rd(chip, 0x020), 0);
	wr(chip, 0x020, 1);
	assert_int_equal(fetch(chip, CACHE_TMU, 0, MEMORY), 9);
	chip_free(chip);
}

static void test_fetch_across_lines(void **state)
{
	const struct v3dsim_config config = MODEL;
	struct chip *chip = chip_new(&config);
	uint8_t bytes[200];
	unsigned int i;

	(void)state;
	for (i = 0; i < 256; i++)
		*chip_bytes(chip, MEMORY + i) = i;
	pthread_mutex_lock(&chip->sim->lock);
	assert_true(cache_fetch(chip->sim, CACHE_UNIFORMS, 0, MEMORY + 30, bytes, sizeof(bytes)));
	assert_false(cache_fetch(chip->sim, CACHE_UNIFORMS, 0, MEMORY - 1, bytes, 1));
	pthread_mutex_unlock(&chip->sim->lock);
	for (i = 0; i < sizeof(bytes) - 1; i++)
		assert_int_equal(bytes[i], i + 30);
	chip_free(chip);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_regions_are_cached),
		cmocka_unit_test(test_regions_in_turn),
		cmocka_unit_test(test_strict_asks_anew),
		cmocka_unit_test(test_every_alignment),
		cmocka_unit_test(test_wrap),
		cmocka_unit_test(test_bus_errors),
		cmocka_unit_test(test_bad_hosts),
		cmocka_unit_test(test_caches_are_stale),
		cmocka_unit_test(test_l2_is_stale),
		cmocka_unit_test(test_ideal_is_never_stale),
		cmocka_unit_test(test_geometry),
		cmocka_unit_test(test_l2_counts),
		cmocka_unit_test(test_power_clears_caches),
		cmocka_unit_test(test_fetch_across_lines),
	};

	return cmocka_run_group_tests_name("bus and caches", tests, NULL, NULL);
}
