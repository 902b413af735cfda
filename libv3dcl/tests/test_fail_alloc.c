// SPDX-License-Identifier: MIT
/* The harness that makes allocations fail: it sees what it is there to see. */
#include "fail_alloc.h"

static int allocates_three_ways(void *opaque)
{
	char *copy = NULL, *more, *block = malloc(10);
	int ret = -ENOMEM;

	(void)opaque;
	if (block)
		copy = strdup("text");
	if (copy) {
		more = realloc(copy, 10000);
		copy = more ? more : copy;
		ret = more ? 0 : -ENOMEM;
	}
	free(copy);
	free(block);
	return ret;
}

static int leaks_when_the_second_fails(void *opaque)
{
	static void *lost;
	void *second;

	(void)opaque;
	free(lost);
	lost = malloc(10);
	second = lost ? calloc(1, 10) : NULL;
	if (!second)
		return -ENOMEM;
	free(second);
	free(lost);
	lost = NULL;
	return 0;
}

static int carries_on_without(void *opaque)
{
	(void)opaque;
	free(malloc(10));
	return 0;
}

static int gets_the_errno_wrong(void *opaque)
{
	void *block = malloc(10);

	(void)opaque;
	free(block);
	return block ? 0 : -EINVAL;
}

static int frees_what_is_older(void *opaque)
{
	void **older = opaque, *block = malloc(10);

	free(*older);
	*older = NULL;
	free(block);
	return block ? 0 : -ENOMEM;
}

static void finds_nothing_where_nothing_is_wrong(void **state)
{
	void *older = malloc(3);

	(void)state;
	assert_int_equal(fail_each_alloc(allocates_three_ways, NULL), 3);
	assert_int_equal(fail_each_alloc(frees_what_is_older, &older), 1);
	assert_null(older);
}

static void finds_leaks(void **state)
{
	(void)state;
	assert_string_equal(fail_alloc_verdict(leaks_when_the_second_fails, NULL, NULL),
			    "allocation 2 fails: 1 blocks leak");
}

static void finds_errors_that_are_lost(void **state)
{
	(void)state;
	assert_string_equal(fail_alloc_verdict(carries_on_without, NULL, NULL),
			    "allocation 1 fails: the run returned 0, not -12");
	assert_string_equal(fail_alloc_verdict(gets_the_errno_wrong, NULL, NULL),
			    "allocation 1 fails: the run returned -22, not -12");
}

/* Blocks whose slots collide, taken out in another order than they came */
static void keeps_many_blocks(void **state)
{
	static char bytes[2000];
	unsigned int i;

	(void)state;
	fail_alloc_track(true);
	for (i = 0; i < 2000; i++)
		fail_alloc_insert(&bytes[i]);
	for (i = 0; i < 2000; i++)
		fail_alloc_remove(&bytes[i * 7 % 2000]);
	assert_int_equal(fail_alloc_set.live, 0);
	fail_alloc_track(false);
	for (i = 0; i < FAIL_ALLOC_BLOCKS; i++)
		assert_null(fail_alloc_set.blocks[i]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(finds_nothing_where_nothing_is_wrong),
		cmocka_unit_test(finds_leaks),
		cmocka_unit_test(finds_errors_that_are_lost),
		cmocka_unit_test(keeps_many_blocks),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
