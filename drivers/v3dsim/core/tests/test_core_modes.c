// SPDX-License-Identifier: MIT
/*
 * Modes of the chip in registers, counters, interrupts and power: what each does, and that the
 * ideal chip does not.
 */
#include "tests/chip.h"

static struct chip *chip_as(const char *modes, unsigned int threads)
{
	const struct v3dsim_config config = { .chip = modes, .threads = threads };

	return chip_new(&config);
}

static void power_cycle(struct chip *chip)
{
	v3dsim_power(chip->sim, false);
	v3dsim_power(chip->sim, true);
}

#define DIRTY 7

static void read_dirty(struct chip *chip, uint32_t *values)
{
	static const uint32_t regs[DIRTY] = {
		V3D_BPOA, V3D_BPOS, V3D_SQRSV0, V3D_SQRSV1, V3D_VPACNTL, V3D_BXCF, V3D_PCTRE,
	};

	for (unsigned int i = 0; i < DIRTY; i++)
		values[i] = rd(chip, regs[i]);
}

/* Dirty until it is switched on for the second time: machines make chips that are switched off */
static void test_dirty(void **state)
{
	uint32_t first[DIRTY], again[DIRTY], other[DIRTY];
	struct chip *chip = chip_as("dirty-registers:5", 0);
	struct chip *another = chip_as("dirty-registers:6", 0);

	(void)state;
	read_dirty(chip, first);
	for (unsigned int i = 0; i < DIRTY; i++)
		assert_int_not_equal(first[i], 0);
	read_dirty(another, other);
	assert_memory_not_equal(first, other, sizeof(first));
	power_cycle(chip);
	read_dirty(chip, again);
	assert_memory_equal(first, again, sizeof(first));
	power_cycle(chip);
	read_dirty(chip, again);
	for (unsigned int i = 0; i < DIRTY; i++)
		assert_int_equal(again[i], 0);
	chip_free(another);
	chip_free(chip);
}

static void test_dirty_is_writable(void **state)
{
	struct chip *chip = chip_as("dirty-registers", 0);

	(void)state;
	wr(chip, V3D_SQRSV0, 0);
	wr(chip, V3D_PCTRE, 0);
	wr(chip, V3D_BPOS, 0);
	assert_int_equal(rd(chip, V3D_SQRSV0), 0);
	assert_int_equal(rd(chip, V3D_PCTRE), 0);
	assert_int_equal(rd(chip, V3D_BPOS), 0);
	chip_free(chip);
}

static void test_pctrc(void **state)
{
	(void)state;
	for (unsigned int mode = 0; mode < 2; mode++) {
		struct chip *chip = chip_as(mode ? "pctrc-needs-pctre" : "ideal", 0);

		wr(chip, V3D_PCTRE, 1);
		wr(chip, V3D_PCTRN(0), 7);
		wr(chip, V3D_PCTRC, 1);
		assert_int_equal(rd(chip, V3D_PCTRN(0)), mode ? 7 : 0);
		wr(chip, V3D_PCTRE, 1u << 31);
		wr(chip, V3D_PCTRC, 1);
		assert_int_equal(rd(chip, V3D_PCTRN(0)), 0);
		chip_free(chip);
	}
}

#define FRDONE V3D_MASK(INTCTL, FRDONE)

/* Late by register accesses, and gone at once when it is acknowledged */
static void test_late_accesses(void **state)
{
	struct chip *chip = chip_as("irq-late:5", 0);

	(void)state;
	wr(chip, V3D_INTENA, FRDONE);
	for (unsigned int round = 0; round < 3; round++) {
		intr_raise(chip->sim, FRDONE);
		for (unsigned int n = 0; n < 5; n++) {
			assert_false(v3dsim_irq_level(chip->sim));
			assert_int_equal(rd(chip, V3D_INTCTL), FRDONE);
		}
		assert_true(chip->level);
		wr(chip, V3D_INTCTL, FRDONE);
		assert_false(chip->level);
	}
	assert_int_equal(chip->irqs, 6);
	chip_free(chip);
}

/* Late by control records, here a list of ten that is stopped in between */
static void test_late_records(void **state)
{
	struct chip *chip = chip_as("irq-late:6", 0);

	(void)state;
	wr(chip, V3D_INTENA, FRDONE);
	LIST(chip, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1);
	intr_raise(chip->sim, FRDONE);
	chip_start(chip, 0);			/* two accesses */
	v3dsim_run(chip->sim, 3);
	assert_false(chip->level);
	v3dsim_run(chip->sim, 1);
	assert_true(chip->level);
	assert_int_equal(chip->sim->stats.records, 4);
	chip_free(chip);
}

/* Nothing happens any more: it comes all the same, before the chip is idle */
static void test_late_idle(void **state)
{
	(void)state;
	for (unsigned int threads = 0; threads <= 2; threads++) {
		struct chip *chip = chip_as("irq-late:50", threads);

		intr_raise(chip->sim, FRDONE);
		wr(chip, V3D_INTENA, FRDONE);
		if (!threads) {
			assert_int_equal(v3dsim_run(chip->sim, 20), V3DSIM_BUSY);
			assert_false(v3dsim_irq_level(chip->sim));
		}
		while (v3dsim_run(chip->sim, 1000) == V3DSIM_BUSY)
			;
		assert_true(v3dsim_irq_level(chip->sim));
		chip_free(chip);
	}
}

static void test_twice(void **state)
{
	struct chip *chip = chip_as("irq-twice", 0);

	(void)state;
	wr(chip, V3D_INTENA, FRDONE);
	intr_raise(chip->sim, FRDONE);
	assert_int_equal(rd(chip, V3D_INTCTL), FRDONE);
	assert_true(chip->level);
	wr(chip, V3D_INTCTL, FRDONE);
	assert_false(chip->level);		/* it falls, and comes again */
	rd(chip, V3D_DBQITC);
	assert_true(chip->level);
	assert_int_equal(rd(chip, V3D_INTCTL), 0);
	assert_false(chip->level);
	chip_run(chip);
	wr(chip, V3D_INTCTL, FRDONE);
	rd(chip, V3D_DBQITC);
	assert_false(chip->level);		/* not a third time */
	assert_int_equal(chip->irqs, 4);
	assert_int_equal(chip->sim->stats.interrupts, 2);
	chip_free(chip);
}

/* What is masked does not come again; a chip that is off tells of nothing, and reads 0xdeadbeef */
static void test_twice_masked(void **state)
{
	struct chip *chip = chip_as("irq-twice", 0);

	(void)state;
	wr(chip, V3D_INTENA, FRDONE);
	intr_raise(chip->sim, FRDONE);
	assert_true(v3dsim_irq_level(chip->sim));
	wr(chip, V3D_INTCTL, FRDONE);
	wr(chip, V3D_INTDIS, FRDONE);
	chip_run(chip);
	assert_false(chip->level);
	wr(chip, V3D_INTENA, FRDONE);
	chip_run(chip);
	assert_true(chip->level);
	v3dsim_power(chip->sim, false);
	assert_false(chip->level);
	assert_int_equal(rd(chip, V3D_INTCTL), 0xdeadbeef);
	chip_free(chip);
}

static void test_once(void **state)
{
	struct chip *chip = *state;

	wr(chip, V3D_INTENA, FRDONE);
	intr_raise(chip->sim, FRDONE);
	assert_true(v3dsim_irq_level(chip->sim));
	wr(chip, V3D_INTCTL, FRDONE);
	rd(chip, V3D_DBQITC);
	chip_run(chip);
	assert_false(v3dsim_irq_level(chip->sim));
	assert_int_equal(chip->sim->stats.interrupts, 1);
}

/* A cause that goes on is one reason for an interrupt, however often it is acknowledged */
static void test_reasons(void **state)
{
	struct chip *chip = *state;

	wr(chip, V3D_INTENA, FRDONE);
	intr_cause(chip->sim, FRDONE, true);
	intr_raise(chip->sim, FRDONE);
	for (unsigned int i = 0; i < 9; i++)
		wr(chip, V3D_INTCTL, FRDONE);
	intr_raise(chip->sim, FRDONE);
	assert_true(v3dsim_irq_level(chip->sim));
	assert_int_equal(chip->sim->stats.interrupts, 1);
	wr(chip, V3D_DBQITE, 1);
	intr_raise_qpu(chip->sim, 1);		/* not enabled */
	intr_raise_qpu(chip->sim, 0);
	intr_raise_qpu(chip->sim, 0);
	assert_int_equal(chip->sim->stats.interrupts, 2);
}

static void test_host_int_zero(void **state)
{
	struct chip *chip = chip_as("host-int-zero", 0);

	(void)state;
	wr(chip, V3D_DBQITE, 0x8);
	for (unsigned int round = 0; round < 2; round++) {
		intr_raise_qpu(chip->sim, 3);
		assert_true(v3dsim_irq_level(chip->sim));
		assert_int_equal(rd(chip, V3D_DBQITC), 0);
		assert_false(v3dsim_irq_level(chip->sim));
	}
	chip_free(chip);
}

static void test_refuse(void **state)
{
	struct chip *chip = chip_as("power-refuse:2", 0);

	(void)state;
	assert_false(v3dsim_power_refused(chip->sim));	/* no job yet */
	for (unsigned int job = 0; job < 2; job++) {
		LIST(chip, 0, 1);
		chip_go(chip, 0);
		assert_true(v3dsim_power_refused(chip->sim));
		assert_true(v3dsim_power_refused(chip->sim));
		assert_false(v3dsim_power_refused(chip->sim));
	}
	wr(chip, V3D_SRQPC, MEMORY);
	v3dsim_power(chip->sim, false);			/* a machine's reset asks for no leave */
	assert_false(v3dsim_power_refused(chip->sim));
	assert_int_equal(rd(chip, V3D_IDENT0), 0xdeadbeef);
	chip_free(chip);
}

static void test_refuse_ideal(void **state)
{
	struct chip *chip = *state;

	LIST(chip, 0, 1);
	chip_go(chip, 0);
	assert_false(v3dsim_power_refused(chip->sim));
}

/* What runs ends with power in any mode; what was written stays in this one alone */
static void test_keep(void **state)
{
	static const struct {
		uint32_t reg, value;
	} kept[] = {
		{ V3D_SCRATCH, 0x1234 }, { V3D_INTENA, 0xf }, { V3D_BPOA, 0x5000 },
		{ V3D_BPOS, 0x100 }, { V3D_SQRSV0, 0x11 }, { V3D_DBQITE, 0x3 },
		{ V3D_PCTRE, 0x80000001 }, { V3D_PCTRSN(0), 5 }, { V3D_PCTRN(0), 77 },
	};

	(void)state;
	for (unsigned int mode = 0; mode < 2; mode++) {
		struct chip *chip = chip_as(mode ? "power-keep" : "ideal", 0);

		for (size_t i = 0; i < sizeof(kept) / sizeof(kept[0]); i++)
			wr(chip, kept[i].reg, kept[i].value);
		LIST(chip, 1, 8);		/* a wait that never ends */
		chip_start(chip, 1);
		assert_int_equal(chip_run(chip), V3DSIM_STALLED);
		power_cycle(chip);
		assert_int_equal(chip_run(chip), V3DSIM_IDLE);
		assert_int_equal(rd(chip, V3D_CT1CS), 0);
		for (size_t i = 0; i < sizeof(kept) / sizeof(kept[0]); i++)
			assert_int_equal(rd(chip, kept[i].reg), mode ? kept[i].value : 0);
		chip_free(chip);
	}
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, chip_setup, chip_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_dirty),
		cmocka_unit_test(test_dirty_is_writable),
		cmocka_unit_test(test_pctrc),
		cmocka_unit_test(test_late_accesses),
		cmocka_unit_test(test_late_records),
		cmocka_unit_test(test_late_idle),
		cmocka_unit_test(test_twice),
		cmocka_unit_test(test_twice_masked),
		TEST(test_once),
		TEST(test_reasons),
		cmocka_unit_test(test_host_int_zero),
		cmocka_unit_test(test_refuse),
		TEST(test_refuse_ideal),
		cmocka_unit_test(test_keep),
	};

	return cmocka_run_group_tests_name("core_modes", tests, NULL, NULL);
}
