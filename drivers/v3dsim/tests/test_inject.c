// SPDX-License-Identifier: MIT
/*
 * Faults to order: each kind strikes where it was asked for, once, and is counted; a stage that has
 * stopped takes no step until power was off, and then all is as if nothing had been.
 */
#include <v3dcl_qpu_build.h>

#include "chip.h"
#include "frames.h"

#define FRAMES 40

/* Lists of a frame, each to its end or as far as they go */
static enum v3dsim_state draw(struct v3dsim *sim, uint8_t *memory, unsigned int number)
{
	enum v3dsim_state state = V3DSIM_IDLE;
	struct frame_lists lists;

	seed = UINT64_C(0x9e3779b97f4a7c15) * (number + 1);
	memset(memory, 0, FUZZ_MEMORY_BYTES);
	frame_make(memory, dice, instruction, &lists);
	for (unsigned int n = 0; n < 2 && state == V3DSIM_IDLE; n++) {
		v3dsim_write(sim, V3D_CTNCA(n), lists.start[n]);
		v3dsim_write(sim, V3D_CTNEA(n), lists.end[n]);
		do
			state = v3dsim_run(sim, BUDGET);
		while (state == V3DSIM_BUSY);
	}
	return state;
}

static struct v3dsim *frame_chip(uint8_t *memory, unsigned int threads)
{
	const struct v3dsim_config config = { .threads = threads };
	const struct v3dsim_host host = { .region = region, .opaque = memory };
	struct v3dsim *sim = v3dsim_new(&config, &host);

	assert_non_null(sim);
	return sim;
}

static void power_cycle(struct v3dsim *sim)
{
	v3dsim_power(sim, false);
	v3dsim_power(sim, true);
}

static void ask(struct v3dsim *sim, const char *fault)
{
	char error[V3DSIM_INJECT_ERROR] = "";

	if (!v3dsim_inject(sim, fault, error, sizeof(error)))
		print_message("# %s\n", error);
	assert_string_equal(error, "");
}

static struct v3dsim_injected told(struct v3dsim *sim)
{
	struct v3dsim_injected out;

	v3dsim_injected(sim, &out);
	return out;
}

/* Once struck, it stands as it is, whatever is done to it but for power; then it is a chip again */
static void stop_once(struct v3dsim *sim, uint8_t *memory, unsigned int number)
{
	static uint8_t stopped[FUZZ_MEMORY_BYTES];

	memcpy(stopped, memory, sizeof(stopped));
	for (unsigned int i = 0; i < 3; i++)
		assert_int_equal(v3dsim_run(sim, BUDGET), V3DSIM_STALLED);
	assert_memory_equal(stopped, memory, sizeof(stopped));
	assert_false(v3dsim_fault(sim, NULL));
	power_cycle(sim);
	assert_int_equal(draw(sim, memory, number), V3DSIM_IDLE);
}

/* Does what a frame draws follow from the frame alone? Some read what those before it have left */
static bool stands_alone(const uint8_t *clean, unsigned int number)
{
	static uint8_t memory[FUZZ_MEMORY_BYTES];
	struct v3dsim *fresh = frame_chip(memory, 0);

	draw(fresh, memory, number);
	v3dsim_free(fresh);
	return !memcmp(clean, memory, sizeof(memory));
}

/* Return: how often it struck */
static unsigned int stop_frames(const char *kind, unsigned int threads)
{
	static uint8_t clean[FUZZ_MEMORY_BYTES], memory[FUZZ_MEMORY_BYTES];
	struct v3dsim *whole = frame_chip(clean, threads), *sim = frame_chip(memory, threads);
	unsigned int struck = 0;
	char fault[64];

	for (unsigned int number = 0; number < FRAMES; number++) {
		enum v3dsim_state state = draw(whole, clean, number);

		power_cycle(whole);
		if (state != V3DSIM_IDLE || !stands_alone(clean, number))
			continue;
		snprintf(fault, sizeof(fault), "%s:1:%u", kind, number % 7);
		ask(sim, fault);
		state = draw(sim, memory, number);
		assert_int_equal(state, told(sim).struck ? V3DSIM_STALLED : V3DSIM_IDLE);
		struck += told(sim).struck;
		ask(sim, "none");
		if (state == V3DSIM_STALLED)
			stop_once(sim, memory, number);
		power_cycle(sim);
		assert_memory_equal(memory, clean, sizeof(clean));
	}
	v3dsim_free(sim);
	v3dsim_free(whole);
	return struck;
}

static void test_stops(void **state)
{
	static const char *const kinds[] = { "cle-stop", "vcd-stop", "ptb-stop", "qpu-stop",
					     "tlb-stop", "tmu-stop" };
	static const unsigned int threads[] = { 0, 1, 4 };

	(void)state;
	for (unsigned int i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		for (unsigned int n = 0; n < 3; n++) {
			const unsigned int struck = stop_frames(kinds[i], threads[n]);

			print_message("# %s, %u threads: %u times\n", kinds[i], threads[n], struck);
			assert_true(struck >= 3 || (i == 5 && threads[n] > 1));
		}
	}
}

/* The same frame and the same number strike the same access */
static void test_bus_error(void **state)
{
	static uint8_t memory[2][FUZZ_MEMORY_BYTES];
	struct v3dsim_fault fault[2];
	unsigned int struck = 0;

	(void)state;
	for (unsigned int number = 0; number < FRAMES; number++) {
		for (unsigned int n = 0; n < 2; n++) {
			struct v3dsim *sim = frame_chip(memory[n], 0);
			char text[32];

			snprintf(text, sizeof(text), "bus-error:1:%u", number * 3);
			ask(sim, text);
			draw(sim, memory[n], number);
			memset(&fault[n], 0, sizeof(fault[n]));
			if (told(sim).struck) {
				assert_true(v3dsim_fault(sim, &fault[n]));
				assert_non_null(strstr(fault[n].text, "asked for"));
			}
			struck += told(sim).struck;
			v3dsim_free(sim);
		}
		assert_memory_equal(memory[0], memory[1], sizeof(memory[0]));
		assert_memory_equal(&fault[0], &fault[1], sizeof(fault[0]));
	}
	assert_true(struck >= FRAMES / 2);
}

#define CODE (MEMORY + 0x10000)
#define FROM (MEMORY + 0x20000)
#define TO (MEMORY + 0x30000)

/* A program that reads a word by the TMU, stores it by DMA and raises its interrupt */
static void put_program(struct chip *chip)
{
	uint64_t code[64];
	struct qb b;

	qb_init(&b, code, 64);
	qb_emit(&b, qb_ldi(QB_TMU0_S, FROM));
	qb_emit(&b, qb_signal(V3D_QPU_SIG_LOAD_TMU0, qb_nop()));
	qb_emit(&b, qb_mov(QB_R2, QB_R4));
	qb_write_row(&b, 0, QB_R2);
	qb_emit(&b, qb_ldi(QB_R3, TO));
	qb_store_rows(&b, 0, 1, QB_R3);
	qb_host_int(&b);
	qb_end(&b);
	assert_false(b.failed);
	chip_put(chip, CODE, (const uint8_t *)code, b.count * sizeof(code[0]));
	chip_put(chip, FROM, (const uint8_t[]){ LE32(0x12345678) }, 4);
}

static enum v3dsim_state run_program(struct chip *chip)
{
	chip_put(chip, TO, (const uint8_t[]){ LE32(0) }, 4);
	wr(chip, V3D_VPMBASE, 16);
	wr(chip, V3D_DBQITE, 0xffff);
	wr(chip, V3D_SRQUL, 0);
	wr(chip, V3D_SRQPC, CODE);
	return chip_run(chip);
}

static void test_programs(void **state)
{
	static const char *const kinds[] = { "qpu-stop", "tmu-stop", "dma-stop" };

	(void)state;
	for (unsigned int caches = 0; caches < 2; caches++) {
		const struct v3dsim_config config = { .caches = caches ? V3DSIM_CACHES_MODEL :
									 V3DSIM_CACHES_IDEAL };
		struct chip *chip = chip_new(&config);

		put_program(chip);
		for (unsigned int i = 0; i < 3; i++) {
			ask(chip->sim, kinds[i]);
			assert_int_equal(run_program(chip), V3DSIM_STALLED);
			assert_int_equal(told(chip->sim).struck, 1);
			assert_int_equal(told(chip->sim).left, 0);
			assert_int_equal(V3D_GET(rd(chip, V3D_SRQCS), SRQCS, QPURQCC), 0);
			assert_int_equal(chip_word(chip, TO), 0);
			assert_int_equal(chip_run(chip), V3DSIM_STALLED);
			power_cycle(chip->sim);
			assert_int_equal(run_program(chip), V3DSIM_IDLE);
			assert_int_equal(chip_word(chip, TO), 0x12345678);
			power_cycle(chip->sim);
		}
		chip_free(chip);
	}
}

#define FRDONE V3D_MASK(INTCTL, FRDONE)

static void test_lost(void **state)
{
	struct chip *chip = *state;

	wr(chip, V3D_INTENA, FRDONE);
	ask(chip->sim, "irq-lose:1:1");
	for (unsigned int n = 0; n < 3; n++) {
		intr_raise(chip->sim, FRDONE);
		assert_int_equal(v3dsim_irq_level(chip->sim), n != 1);
		assert_int_equal(rd(chip, V3D_INTCTL), n == 1 ? 0 : FRDONE);
		wr(chip, V3D_INTCTL, FRDONE);
	}
	assert_int_equal(chip->sim->stats.interrupts, 2);
	put_program(chip);
	ask(chip->sim, "irq-lose");
	assert_int_equal(run_program(chip), V3DSIM_IDLE);
	assert_int_equal(chip_word(chip, TO), 0x12345678);
	assert_int_equal(rd(chip, V3D_DBQITC), 0);
	assert_int_equal(told(chip->sim).struck, 1);
}

static void test_delayed(void **state)
{
	struct chip *chip = *state;

	wr(chip, V3D_INTENA, FRDONE);
	ask(chip->sim, "irq-delay");
	intr_raise(chip->sim, FRDONE);
	assert_int_equal(v3dsim_run(chip->sim, INJECT_DELAY / 2), V3DSIM_BUSY);
	assert_false(v3dsim_irq_level(chip->sim));
	while (v3dsim_run(chip->sim, 1000) == V3DSIM_BUSY)
		;
	assert_true(v3dsim_irq_level(chip->sim));
}

/*
 * What an interrupt handler does, as long as the line is up, but no more often than that. Return:
 * how often it was called
 */
static unsigned int handle_some(struct chip *chip, unsigned int most)
{
	unsigned int calls;

	for (calls = 0; calls < most; calls++) {
		uint32_t status;

		chip_run(chip);
		if (!v3dsim_irq_level(chip->sim))
			break;
		status = rd(chip, V3D_INTCTL);
		if (status)
			wr(chip, V3D_INTCTL, status);
	}
	return calls;
}

static unsigned int handle(struct chip *chip)
{
	const unsigned int calls = handle_some(chip, 2 * INJECT_STORM);

	assert_true(calls < 2 * INJECT_STORM);
	return calls;
}

static void test_again(void **state)
{
	struct chip *chip = *state;

	wr(chip, V3D_INTENA, FRDONE);
	ask(chip->sim, "irq-double");
	intr_raise(chip->sim, FRDONE);
	assert_int_equal(handle(chip), 2);
	ask(chip->sim, "irq-storm");
	intr_raise(chip->sim, FRDONE);
	assert_int_equal(handle(chip), 1 + INJECT_STORM);
	intr_raise(chip->sim, FRDONE);
	assert_int_equal(handle(chip), 1);
	assert_int_equal(chip->sim->stats.interrupts, 1 + 1 + 1 + INJECT_STORM + 1);
}

/* A reason that comes within a storm ends it not, and leaves none for later */
static void test_again_within(void **state)
{
	struct chip *chip = *state;
	unsigned int calls;

	wr(chip, V3D_INTENA, FRDONE);
	ask(chip->sim, "irq-storm");
	intr_raise(chip->sim, FRDONE);
	calls = handle_some(chip, 10);
	assert_int_equal(calls, 10);
	intr_raise(chip->sim, FRDONE);
	assert_in_range(handle(chip), INJECT_STORM - 10, INJECT_STORM);
	ask(chip->sim, "irq-double");
	intr_raise(chip->sim, FRDONE);
	assert_int_equal(handle(chip), 2);
}

static void test_dead(void **state)
{
	struct chip *chip = *state;

	wr(chip, V3D_SCRATCH, 5);
	ask(chip->sim, "reset-dead:2");
	assert_int_equal(rd(chip, V3D_SCRATCH), 5);
	for (unsigned int n = 0; n < 2; n++) {
		power_cycle(chip->sim);
		wr(chip, V3D_SCRATCH, 5);
		wr(chip, V3D_SRQPC, CODE);
		assert_int_equal(rd(chip, V3D_SCRATCH), 0);
		assert_int_equal(rd(chip, V3D_IDENT0), 0);
		assert_int_equal(chip_run(chip), V3DSIM_IDLE);
	}
	power_cycle(chip->sim);
	assert_int_equal(rd(chip, V3D_IDENT0), 0x02443356);
	wr(chip, V3D_SCRATCH, 5);
	assert_int_equal(rd(chip, V3D_SCRATCH), 5);
	assert_int_equal(told(chip->sim).struck, 2);
}

static void test_registers(void **state)
{
	struct chip *chip = *state;
	uint32_t garbage;

	ask(chip->sim, "ident-wrong");
	wr(chip, V3D_SCRATCH, 5);
	assert_int_equal(rd(chip, V3D_SCRATCH), 5);
	assert_int_equal(rd(chip, V3D_IDENT0), ~0x02443356u);
	assert_int_equal(rd(chip, V3D_IDENT0), 0x02443356);
	ask(chip->sim, "register-garbage:2:1");
	assert_int_equal(rd(chip, V3D_SCRATCH), 5);
	garbage = rd(chip, V3D_SCRATCH);
	assert_int_not_equal(garbage, 5);
	assert_int_equal(rd(chip, V3D_SCRATCH), 5);
	assert_int_not_equal(rd(chip, V3D_SCRATCH), garbage);
	assert_int_equal(told(chip->sim).struck, 2);
	assert_int_equal(told(chip->sim).left, 0);
}

static void test_words(void **state)
{
	static const char *const wrong[] = { "", "cle", "cle-stopp", "cle-stop:", "cle-stop:1:",
					     "cle-stop:x", "cle-stop:4294967296", "cle-stop:1:2:3",
					     "cle-stop 1", "none:1" };
	struct chip *chip = *state;
	char error[V3DSIM_INJECT_ERROR], small[8];

	assert_string_equal(told(chip->sim).name, "none");
	ask(chip->sim, "cle-stop:3:7");
	for (unsigned int i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		assert_false(v3dsim_inject(chip->sim, wrong[i], error, sizeof(error)));
		assert_false(v3dsim_inject(chip->sim, wrong[i], small, sizeof(small)));
		assert_false(v3dsim_inject(chip->sim, wrong[i], NULL, 0));
	}
	v3dsim_inject(chip->sim, "cle", error, sizeof(error));
	assert_non_null(strstr(error, "but cle-stop, vcd-stop"));
	assert_non_null(strstr(error, "register-garbage"));
	assert_string_equal(told(chip->sim).name, "cle-stop");
	assert_int_equal(told(chip->sim).left, 3);
	ask(chip->sim, "none");
	assert_int_equal(told(chip->sim).left, 0);
}

#define CHIP(name) cmocka_unit_test_setup_teardown(name, chip_setup, chip_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_stops), cmocka_unit_test(test_bus_error),
		cmocka_unit_test(test_programs), CHIP(test_lost), CHIP(test_delayed),
		CHIP(test_again),
		CHIP(test_again_within), CHIP(test_dead), CHIP(test_registers), CHIP(test_words),
	};

	return cmocka_run_group_tests_name("inject", tests, NULL, NULL);
}
