// SPDX-License-Identifier: MIT
/* Direct reads of the TMU as a whole (gather.h) against word by word, at the edges of regions. */
#include <sys/mman.h>

#include "accel/gather.h"
#include "tests/qpu_fixture.h"
#include "tests/xorshift.h"

#define PATTERNS 4000
#define WHOLE 0xfffffffcu	/* a region that addresses wrap in */

static uint64_t seed = 88172645463325252u;

static uint32_t any(uint32_t below)
{
	return (xorshift(&seed) >> 20) % below;
}

/* Mostly a row or one word for all, around @base, @size bytes; sometimes one lane is elsewhere */
static void any_addresses(struct lanes *addresses, uint32_t base, uint32_t size)
{
	const uint32_t first = any(3) ? base + any(size) : any(2) ? base + size - any(160) :
								    base - any(80);
	const unsigned int kind = any(3);

	for (unsigned int n = 0; n < V3D_QPU_LANES; n++)
		addresses->lane[n] = kind == 0 ? first + 4 * n : kind == 1 ? first :
								  base + any(size + 8);
	if (!any(3))
		addresses->lane[any(V3D_QPU_LANES)] = any(2) ? first + 4 : base + size + any(8);
}

/* Return: all words are there */
static bool word_by_word(struct v3dsim *sim, const struct lanes *addresses, struct lanes *out)
{
	for (unsigned int n = 0; n < V3D_QPU_LANES; n++)
		if (!bus_read(sim, V3DSIM_UNIT_TMU, addresses->lane[n] & ~3u, &out->lane[n], 4))
			return false;
	return true;
}

static void test_patterns(void **state)
{
	static struct machine m;
	unsigned int taken = 0;

	(void)state;
	machine_new(&m, V3DSIM_CACHES_IDEAL, 0);
	for (uint32_t n = 0; n < MEMORY_SIZE / 4; n++)
		m.memory[n] = n * 0x9e3779b9u;
	sim_enter(m.sim);
	for (unsigned int n = 0; n < PATTERNS; n++) {
		struct lanes addresses, whole, single;
		bool there;

		any_addresses(&addresses, MEMORY_BASE, MEMORY_SIZE);
		there = word_by_word(m.sim, &addresses, &single);
		assert_int_equal(gather_words(m.sim, &addresses, &whole), there);
		if (there)
			assert_memory_equal(&whole, &single, sizeof(whole));
		taken += there;
	}
	sim_leave(m.sim);
	machine_free(&m);
	assert_true(taken > PATTERNS / 2 && taken < PATTERNS);
}

static bool whole_region(void *opaque, enum v3dsim_unit unit, uint32_t addr, bool write,
			 struct v3dsim_region *out)
{
	(void)unit;
	(void)addr;
	*out = (struct v3dsim_region){ .host = opaque, .len = WHOLE };
	return !write;
}

/* Words that follow each other past the end of the address space are not a row of memory. */
static void test_wrap(void **state)
{
	void *all = mmap(NULL, WHOLE, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1,
			 0);
	const struct v3dsim_host host = { .region = whole_region, .opaque = all };
	const struct v3dsim_config config = { 0 };
	struct v3dsim *sim = v3dsim_new(&config, &host);
	struct lanes addresses, out;

	(void)state;
	assert_ptr_not_equal(all, MAP_FAILED);
	assert_non_null(sim);
	for (unsigned int n = 0; n < V3D_QPU_LANES; n++)
		addresses.lane[n] = 0xfffffff0u + 4 * n;
	sim_enter(sim);
	assert_false(gather_words(sim, &addresses, &out));	/* the last word is not there */
	for (unsigned int n = 0; n < V3D_QPU_LANES; n++)
		addresses.lane[n] = n ? 4 * n - 8 : 0xfffffff4u;
	addresses.lane[1] = 0xfffffff4u;
	assert_true(gather_words(sim, &addresses, &out));
	sim_leave(sim);
	v3dsim_free(sim);
	munmap(all, WHOLE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_patterns),
		cmocka_unit_test(test_wrap),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests_name("gather", tests, NULL, NULL);
}
