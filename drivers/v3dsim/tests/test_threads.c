// SPDX-License-Identifier: MIT
/* A worker beside the CPU: callbacks with no lock held, stop, power and forget at any time, the same results. */
#include <time.h>

#include "chip.h"

#define FRAME (MEMORY + 0x100000)

static void nap(void)
{
	nanosleep(&(struct timespec){ .tv_nsec = 100000 }, NULL);
}

/* Waits for a register's bits, ten seconds at most. */
static void wait_for(struct chip *chip, uint32_t reg, uint32_t mask, uint32_t value)
{
	unsigned int i;

	for (i = 0; i < 100000 && (rd(chip, reg) & mask) != value; i++)
		nap();
	assert_int_equal(rd(chip, reg) & mask, value);
}

static struct chip *worker_new(void)
{
	const struct v3dsim_config config = { .threads = 1 };

	return chip_new(&config);
}

static void frame(struct chip *chip)
{
	LIST(chip, 1, 114, LE32(0x12345678), LE32(0x12345678), 0, 0, 0, 0, 0);
	LIST(chip, 1, 113, LE32(FRAME), LE16(64), LE16(64), LE16(4), 115, 0, 0, 24, 115, 0, 0, 25);
}

static void test_worker(void **state)
{
	struct chip *chip = worker_new();

	(void)state;
	frame(chip);
	chip_start(chip, 1);
	wait_for(chip, 0x138, 0xff, 1);
	assert_int_equal(v3dsim_run(chip->sim, 1), V3DSIM_BUSY);	/* the worker does the work */
	v3dsim_stop(chip->sim);
	assert_int_equal(chip_word(chip, FRAME), 0x12345678);
	assert_true(chip->writes);
	chip_free(chip);
}

/* The interrupt callback may use the chip: this one clears the interrupt and starts the next frame. */
struct restarting {
	struct chip *chip;
	unsigned int frames;
};

static void restart(void *opaque)
{
	struct restarting *restarting = opaque;
	struct v3dsim *sim = restarting->chip->sim;

	if (!v3dsim_irq_level(sim))
		return;
	v3dsim_write(sim, 0x030, 1);
	if (__atomic_add_fetch(&restarting->frames, 1, __ATOMIC_SEQ_CST) == 100)
		return;
	v3dsim_write(sim, 0x114, MEMORY + 0x8000);
	v3dsim_write(sim, 0x10c, restarting->chip->at[1]);
}

static bool reading_region(void *opaque, enum v3dsim_unit unit, uint32_t addr, bool write, struct v3dsim_region *out)
{
	struct restarting *restarting = opaque;

	v3dsim_read(restarting->chip->sim, 0x130);	/* no lock is held here either */
	return chip_region(restarting->chip, unit, addr, write, out);
}

static void test_callbacks_use_the_chip(void **state)
{
	struct chip *chip = worker_new();
	struct restarting restarting = { .chip = chip };
	unsigned int i;

	(void)state;
	v3dsim_stop(chip->sim);
	chip->sim->host = (struct v3dsim_host){ .irq = restart, .region = reading_region, .opaque = &restarting };
	chip->sim->config.strict = true;
	frame(chip);
	wr(chip, 0x034, 1);
	wr(chip, 0x114, MEMORY + 0x8000);
	wr(chip, 0x10c, chip->at[1]);
	for (i = 0; i < 100000 && __atomic_load_n(&restarting.frames, __ATOMIC_SEQ_CST) < 100; i++)
		nap();
	assert_int_equal(restarting.frames, 100);
	assert_int_equal(rd(chip, 0x138), 100);
	chip_free(chip);
}

static void test_endless_list(void **state)
{
	struct chip *chip = worker_new();
	uint32_t address;
	unsigned int i;

	(void)state;
	LIST(chip, 1, 1, 1, 16, LE32(MEMORY + 0x8000));
	for (i = 0; i < 20; i++) {
		wr(chip, 0x114, MEMORY + 0x8000);
		wr(chip, 0x10c, 1);
		assert_int_equal(rd(chip, 0x104) & 0x20, 0x20);
		switch (i % 4) {
		case 0:
			v3dsim_stop(chip->sim);
			address = chip->sim->cle.threads[1].ca;		/* at rest: nobody else is here */
			nap();
			assert_int_equal(chip->sim->cle.threads[1].ca, address);
			wr(chip, 0x104, 0x8000);
			break;
		case 1:
			v3dsim_power(chip->sim, false);
			assert_int_equal(rd(chip, 0x104), 0xdeadbeef);
			v3dsim_power(chip->sim, true);
			break;
		case 2:
			v3dsim_forget(chip->sim, MEMORY, 0x10000);
			wr(chip, 0x104, 0x20);
			break;
		default:
			wr(chip, 0x104, 0x8000);
		}
		assert_int_equal(rd(chip, 0x104) & 0x20, 0);
	}
	wr(chip, 0x114, MEMORY + 0x8000);
	wr(chip, 0x10c, 1);
	chip_free(chip);			/* while it runs */
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_worker), cmocka_unit_test(test_callbacks_use_the_chip), cmocka_unit_test(test_endless_list),
	};

	return cmocka_run_group_tests_name("threads", tests, NULL, NULL);
}
