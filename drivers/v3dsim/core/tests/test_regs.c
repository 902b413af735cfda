// SPDX-License-Identifier: MIT
/* Registers: reset values, access and side effects, from AG100 Tables 48 to 93. */
#include "tests/chip.h"

static void test_reset_values(void **state)
{
	struct chip *chip = *state;
	uint32_t reg;

	assert_int_equal(rd(chip, 0x000), 0x02443356);
	assert_int_equal(rd(chip, 0x004), 0xc1102431);
	assert_int_equal(rd(chip, 0x008), 0x00000121);
	for (reg = 0x00c; reg < 0x1000; reg += 4)
		if (reg != 0xf20)
			assert_int_equal(rd(chip, reg), 0);
	assert_int_equal(rd(chip, 0xf20), 0x1000);
}

static void test_no_register(void **state)
{
	struct chip *chip = *state;

	wr(chip, 0x014, ~0u);
	wr(chip, 0x1000, ~0u);
	wr(chip, 0xfffffffc, ~0u);
	wr(chip, 0x011, ~0u);
	assert_int_equal(rd(chip, 0x014), 0);
	assert_int_equal(rd(chip, 0x1000), 0);
	assert_int_equal(rd(chip, 0xfffffffc), 0);
	assert_int_equal(rd(chip, 0x010), 0);
}

static void test_read_only(void **state)
{
	static const uint32_t read_only[] = { 0x000, 0x004, 0x008, 0x118, 0x11c, 0x128,
					      0x12c, 0x130, 0x300, 0x304, 0xf00, 0xf20 };
	struct chip *chip = *state;
	size_t i;

	for (i = 0; i < sizeof(read_only) / sizeof(read_only[0]); i++) {
		uint32_t before = rd(chip, read_only[i]);

		wr(chip, read_only[i], ~before);
		assert_int_equal(rd(chip, read_only[i]), before);
	}
}

/* Plain storage keeps its fields' bits and no others. */
static void test_storage(void **state)
{
	static const struct {
		uint32_t reg, bits;
	} storage[] = {
		{ 0x010, 0xffffffff }, { 0x308, 0xffffffff }, { 0x30c, 0xffffffff }, { 0x310, 0x3 },
		{ 0x410, 0xffffffff }, { 0x414, 0xffffffff }, { 0x418, 0xf }, { 0x434, 0xffffffff },
		{ 0x438, 0xfff }, { 0x500, 0x3fff }, { 0x504, 0x1f }, { 0xe2c, 0xffff },
		{ 0x684, 0x1f }, { 0x6fc, 0x1f }, { 0x680, 0xffffffff },
	};
	struct chip *chip = *state;
	size_t i;

	for (i = 0; i < sizeof(storage) / sizeof(storage[0]); i++) {
		wr(chip, storage[i].reg, ~0u);
		assert_int_equal(rd(chip, storage[i].reg), storage[i].bits);
		wr(chip, storage[i].reg, 0);
		assert_int_equal(rd(chip, storage[i].reg), 0);
	}
}

static void test_caches_control(void **state)
{
	struct chip *chip = *state;

	wr(chip, 0x020, 1);
	assert_int_equal(rd(chip, 0x020), 1);
	wr(chip, 0x020, 0);		/* writing 0 has no effect */
	assert_int_equal(rd(chip, 0x020), 1);
	wr(chip, 0x020, 4);		/* clear reads 0 */
	assert_int_equal(rd(chip, 0x020), 1);
	wr(chip, 0x020, 2);
	assert_int_equal(rd(chip, 0x020), 0);
	wr(chip, 0x024, 0x0f0f0f0f);
	assert_int_equal(rd(chip, 0x024), 0);
}

static void test_interrupt_enables(void **state)
{
	struct chip *chip = *state;

	wr(chip, 0x034, 0x5);
	assert_int_equal(rd(chip, 0x034), 0x5);
	wr(chip, 0x034, 0xfffffff2);
	assert_int_equal(rd(chip, 0x034), 0x7);
	wr(chip, 0x038, 0x4);
	assert_int_equal(rd(chip, 0x034), 0x3);
	wr(chip, 0x030, 0xf);		/* writing INTCTL sets nothing */
	assert_int_equal(rd(chip, 0x030), 0);
}

static void test_pipeline_interrupt(void **state)
{
	struct chip *chip = *state;

	intr_raise(chip->sim, 0x1);
	assert_false(v3dsim_irq_level(chip->sim));
	assert_int_equal(rd(chip, 0x030), 1);
	wr(chip, 0x034, 0x1);		/* enabled late: latched all the same */
	assert_true(chip->level);
	assert_int_equal(chip->irqs, 1);
	wr(chip, 0x030, 0x2);
	assert_true(v3dsim_irq_level(chip->sim));
	wr(chip, 0x030, 0x1);
	assert_false(chip->level);
	assert_int_equal(chip->irqs, 2);
}

static void test_qpu_interrupt(void **state)
{
	struct chip *chip = *state;

	intr_raise_qpu(chip->sim, 3);	/* not enabled: nothing is latched */
	assert_int_equal(rd(chip, 0xe30), 0);
	wr(chip, 0xe2c, 0x0808);
	intr_raise_qpu(chip->sim, 3);
	intr_raise_qpu(chip->sim, 11);
	intr_raise_qpu(chip->sim, 4);
	assert_int_equal(rd(chip, 0xe30), 0x0808);
	assert_true(v3dsim_irq_level(chip->sim));
	wr(chip, 0xe2c, 0);		/* the latch stays */
	assert_int_equal(rd(chip, 0xe30), 0x0808);
	wr(chip, 0xe30, 0x0008);
	assert_int_equal(rd(chip, 0xe30), 0x0800);
	wr(chip, 0xe30, 0xffff);
	assert_false(v3dsim_irq_level(chip->sim));
}

static void test_counters(void **state)
{
	struct chip *chip = *state;

	wr(chip, 0x684, 28);			/* counter 0: L2 hits */
	wr(chip, 0x68c, 29);			/* counter 1: L2 misses */
	pctr_count(chip->sim, V3D_COUNTER_l2c_hits, 100);
	wr(chip, 0x674, 0x1);			/* HW: nothing counts without bit 31 */
	pctr_count(chip->sim, V3D_COUNTER_l2c_hits, 100);
	assert_int_equal(rd(chip, 0x680), 0);
	wr(chip, 0x674, 0x80000001);
	assert_int_equal(rd(chip, 0x674), 0x80000001);
	pctr_count(chip->sim, V3D_COUNTER_l2c_hits, 7);
	pctr_count(chip->sim, V3D_COUNTER_l2c_misses, 9);
	assert_int_equal(rd(chip, 0x680), 7);
	assert_int_equal(rd(chip, 0x688), 0);	/* not enabled */
	wr(chip, 0x674, 0x80000003);
	pctr_count(chip->sim, V3D_COUNTER_l2c_misses, 2);
	assert_int_equal(rd(chip, 0x688), 2);
	wr(chip, 0x670, 0x1);
	assert_int_equal(rd(chip, 0x680), 0);
	assert_int_equal(rd(chip, 0x688), 2);
	assert_int_equal(rd(chip, 0x670), 0);
	wr(chip, 0x680, 0xffffffff);		/* writable, wraps */
	pctr_count(chip->sim, V3D_COUNTER_l2c_hits, 2);
	assert_int_equal(rd(chip, 0x680), 1);
	/* another source: the count stays, nothing of the past is added */
	wr(chip, 0x684, 29);
	assert_int_equal(rd(chip, 0x680), 1);
	pctr_count(chip->sim, V3D_COUNTER_l2c_misses, 5);
	assert_int_equal(rd(chip, 0x680), 6);
	wr(chip, 0x674, 0);
	pctr_count(chip->sim, V3D_COUNTER_l2c_misses, 5);
	assert_int_equal(rd(chip, 0x680), 6);
}

static void sleeping(void *opaque, const char *name, uint64_t value)
{
	if (!strcmp(name, "sleeping_accesses"))
		*(uint64_t *)opaque = value;
}

static void test_power(void **state)
{
	struct chip *chip = *state;
	uint64_t accesses = ~0ull;

	wr(chip, 0x010, 0x1234);
	wr(chip, 0x034, 0xf);
	intr_raise(chip->sim, 1);
	assert_true(v3dsim_irq_level(chip->sim));
	v3dsim_power(chip->sim, false);
	assert_false(v3dsim_irq_level(chip->sim));
	assert_int_equal(rd(chip, 0x000), 0xdeadbeef);
	assert_int_equal(rd(chip, 0x777), 0xdeadbeef);
	wr(chip, 0x010, 5);
	v3dsim_power(chip->sim, true);
	assert_int_equal(rd(chip, 0x010), 0);
	assert_int_equal(rd(chip, 0x030), 0);
	assert_int_equal(rd(chip, 0x034), 0);
	v3dsim_stats(chip->sim, sleeping, &accesses);
	assert_int_equal(accesses, 3);
}

static void test_config(void **state)
{
	struct v3dsim_config config = { .threads = 65 };
	struct v3dsim_host host = { 0 };

	(void)state;
	assert_null(v3dsim_new(&config, &host));
	config = (struct v3dsim_config){ .caches = 7 };
	assert_null(v3dsim_new(&config, &host));
	v3dsim_free(NULL);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, chip_setup, chip_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_reset_values), TEST(test_no_register), TEST(test_read_only),
		TEST(test_storage), TEST(test_caches_control), TEST(test_interrupt_enables),
		TEST(test_pipeline_interrupt), TEST(test_qpu_interrupt), TEST(test_counters),
		TEST(test_power), TEST(test_config),
	};

	return cmocka_run_group_tests_name("regs", tests, NULL, NULL);
}
