// SPDX-License-Identifier: MIT
/*
 * A worker beside the CPU: callbacks with no lock held, stop, power and forget at any time, the
 * same results.
 */
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "chip.h"

/*
 * Their runtimes (GCC 12) do not mend their own locks in a child: it hangs in malloc() when another
 * thread was inside at fork().
 */
#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
#define NO_FORK
#endif

#define FRAME (MEMORY + 0x100000)

static void nap(void)
{
	nanosleep(&(struct timespec){ .tv_nsec = 100000 }, NULL);
}

static struct chip *workers_new(unsigned int threads)
{
	const struct v3dsim_config config = { .threads = threads };

	return chip_new(&config);
}

static struct chip *worker_new(void)
{
	return workers_new(1);
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
	assert_int_equal(v3dsim_run(chip->sim, 1000), V3DSIM_IDLE);	/* waits for the worker */
	assert_int_equal(rd(chip, 0x138), 1);
	v3dsim_stop(chip->sim);
	assert_int_equal(chip_word(chip, FRAME), 0x12345678);
	assert_true(chip->writes);
	chip_free(chip);
}

/*
 * The interrupt callback may use the chip: this one clears the interrupt and starts the next frame.
 */
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

static bool reading_region(void *opaque, enum v3dsim_unit unit, uint32_t addr, bool write,
			   struct v3dsim_region *out)
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
	chip->sim->host = (struct v3dsim_host){ .irq = restart, .region = reading_region,
						.opaque = &restarting };
	chip->sim->config.strict = true;
	frame(chip);
	wr(chip, 0x034, 1);
	wr(chip, 0x114, MEMORY + 0x8000);
	wr(chip, 0x10c, chip->at[1]);
	for (i = 0; i < 2000000 && __atomic_load_n(&restarting.frames, __ATOMIC_SEQ_CST) < 100; i++)
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
			/* at rest: no other thread is here */
			address = chip->sim->cle->threads[1].ca;
			nap();
			assert_int_equal(chip->sim->cle->threads[1].ca, address);
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

#define CODE (MEMORY + 0x10000)
#define TILES 16

/* Tiles of a triangle each, shaded by @code */
static void draw_tiles(struct chip *chip, const uint64_t *code, unsigned int words)
{
	const uint8_t vertices[] = {
		LE16(0), LE16(0), LE16(0x7fff), LE16(0), LE16(0), LE16(0x7fff)
	};

	chip_put(chip, CODE, (const uint8_t *)code, words * sizeof(*code));
	chip_put(chip, CODE + 0x1000, vertices, sizeof(vertices));
	LIST(chip, 1, 113, LE32(FRAME), LE16(64 * TILES), LE16(64), LE16(4), 96, 3, 0x70, 0);
	LIST(chip, 1, 67, LE32(CODE), LE32(0));
	for (unsigned int tile = 0; tile < TILES; tile++)
		LIST(chip, 1, 115, tile, 0, 41, 0x04, LE32(3), LE32(CODE + 0x1000),
		     tile == TILES - 1 ? 25 : 24);
}

/* A shader that ends, and one that never does */
static const uint64_t good[] = {
	UINT64_C(0x100009e7009e7000), UINT64_C(0x400009e7009e7000), UINT64_C(0xe0020ba712345678),
	UINT64_C(0x300009e7009e7000), UINT64_C(0x100009e7009e7000), UINT64_C(0x500009e7009e7000),
};

static const uint64_t endless[] = {
	UINT64_C(0xf0f809e7ffffffe0), UINT64_C(0x100009e7009e7000), UINT64_C(0x100009e7009e7000),
	UINT64_C(0x100009e7009e7000),
	UINT64_C(0x300009e7009e7000), UINT64_C(0x100009e7009e7000), UINT64_C(0x100009e7009e7000),
};

#define WORDS(code) (sizeof(code) / sizeof((code)[0]))

static void test_tiles(void **state)
{
	struct chip *chip = workers_new(3);

	(void)state;
	draw_tiles(chip, good, WORDS(good));
	chip_go(chip, 1);
	for (unsigned int tile = 0; tile < TILES; tile++)
		assert_int_equal(chip_word(chip, FRAME + 256 * tile), 0x12345678);
	assert_int_equal(rd(chip, 0x138), 1);
	chip_free(chip);
}

/*
 * Shaders that never end: CT1CA stays at the first tile's draw, and everything that stops the chip
 * stops them.
 */
static void test_endless_tiles(void **state)
{
	struct chip *chip = workers_new(3);

	(void)state;
	draw_tiles(chip, endless, WORDS(endless));
	for (unsigned int i = 0; i < 12; i++) {
		wr(chip, 0x114, MEMORY + 0x8000);
		wr(chip, 0x10c, chip->at[1]);
		assert_int_equal(v3dsim_run(chip->sim, 100000), V3DSIM_BUSY);
		assert_int_equal(rd(chip, 0x104) & 0x20, 0x20);
		assert_in_range(rd(chip, 0x114), MEMORY + 0x8018, MEMORY + 0x8025);
		switch (i % 4) {
		case 0:
			v3dsim_stop(chip->sim);
			wr(chip, 0x104, 0x8000);
			break;
		case 1:
			v3dsim_power(chip->sim, false);
			v3dsim_power(chip->sim, true);
			break;
		case 2:
			v3dsim_forget(chip->sim, MEMORY, MEMORY_BYTES);
			wr(chip, 0x104, 0x8000);
			break;
		default:
			wr(chip, 0x104, 0x8000);
		}
		assert_int_equal(rd(chip, 0x104) & 0x20, 0);
	}
	chip_list_at(chip, 1, MEMORY + 0x9000);
	draw_tiles(chip, good, WORDS(good));
	chip_go(chip, 1);
	assert_int_equal(chip_word(chip, FRAME + 256), 0x12345678);
	wr(chip, 0x114, MEMORY + 0x8000);
	chip_free(chip);
}

/*
 * A compressed list that goes round in itself draws for ever and is one record: v3dsim_run() comes
 * back all the same.
 */
static void test_endless_primitives(void **state)
{
	struct chip *chip = workers_new(2);

	(void)state;
	LIST(chip, 1, 113, LE32(FRAME), LE16(64), LE16(64), LE16(4), 96, 3, 0x70, 0, 67, LE32(CODE),
	     LE32(0));
	LIST(chip, 1, 56, 0x32, 115, 0, 0);
	while ((chip->at[1] + 1) % 32)
		LIST(chip, 1, 1);
	LIST(chip, 1, 48, 130, 0, 0);	/* a branch to where it stands itself */
	chip_start(chip, 1);
	assert_int_equal(v3dsim_run(chip->sim, 10000), V3DSIM_BUSY);
	chip_free(chip);
}

/* A shader that waits for ever is no work: the chip says that nothing can go on. */
static void test_stuck_tile(void **state)
{
	static const uint64_t stuck[] = {
		UINT64_C(0xa00009e7009e7000),
		UINT64_C(0x300009e7009e7000),
		UINT64_C(0x100009e7009e7000),
		UINT64_C(0x100009e7009e7000),
	};
	struct chip *chip = workers_new(2);

	(void)state;
	draw_tiles(chip, stuck, WORDS(stuck));
	chip_start(chip, 1);
	assert_int_equal(chip_run(chip), V3DSIM_STALLED);
	wr(chip, 0x104, 0x8000);
	assert_int_equal(chip_run(chip), V3DSIM_IDLE);
	chip_free(chip);
}

#ifndef NO_FORK
/* A process that forks while tiles are shaded: both go on. */
static void test_fork(void **state)
{
	struct chip *chip = workers_new(2);
	int status;
	pid_t child;

	(void)state;
	draw_tiles(chip, good, WORDS(good));
	chip_start(chip, 1);
	assert_true(v3dsim_fork(chip->sim, V3DSIM_FORK_BEFORE));
	child = fork();
	if (!child) {
		if (!v3dsim_fork(chip->sim, V3DSIM_FORK_CHILD) || chip_run(chip) != V3DSIM_IDLE)
			_exit(1);
		_exit(chip_word(chip, FRAME + 256 * (TILES - 1)) != 0x12345678);
	}
	v3dsim_fork(chip->sim, V3DSIM_FORK_PARENT);
	assert_int_equal(chip_run(chip), V3DSIM_IDLE);
	assert_int_equal(chip_word(chip, FRAME + 256 * (TILES - 1)), 0x12345678);
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(status, 0);
	chip_free(chip);
}
#endif

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_worker),
		cmocka_unit_test(test_callbacks_use_the_chip),
		cmocka_unit_test(test_endless_list),
		cmocka_unit_test(test_tiles),
		cmocka_unit_test(test_endless_tiles),
		cmocka_unit_test(test_stuck_tile),
		cmocka_unit_test(test_endless_primitives),
#ifndef NO_FORK
		cmocka_unit_test(test_fork),
#endif
	};

	return cmocka_run_group_tests_name("threads", tests, NULL, NULL);
}
