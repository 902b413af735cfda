// SPDX-License-Identifier: MIT
/*
 * The driver's program that scrubs the registers of all QPUs, in the simulator: a program on each
 * QPU fills all there are, the scrub runs, and a program on each QPU shows what it finds.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <v3d/regs.h>
#include <v3dcl_qpu_build.h>
#include <v3dsim.h>

#include "scrub.h"

#define BASE 0x10000000u
#define SIZE 0x80000u
#define FILL 0x0u		/* offsets: the first QPU's program, then the others' */
#define SHOW 0x4000u
#define SCRUB 0x8000u
#define OTHERS 0x2000u
#define OUTPUT 0x40000u
#define OUTPUT_SHIFT 13		/* bytes of output a QPU */
#define QPUS 12			/* of BCM2835 */

/* Rows of the output: accumulators, flags N and C, file A, file B */
#define ROW_R4 4
#define ROW_FLAGS 6
#define ROW_A 8
#define ROW_B 40
#define ROWS 72

static uint32_t *memory;
static struct v3dsim *sim;

static bool region(void *opaque, enum v3dsim_unit unit, uint32_t addr, bool write,
		   struct v3dsim_region *out)
{
	(void)opaque;
	(void)unit;
	(void)write;
	if (addr - BASE >= SIZE)
		return false;
	*out = (struct v3dsim_region){
		.host = memory, .base = BASE, .len = SIZE, .writable = true
	};
	return true;
}

/* Only with this model of the caches a program finds what the one before has left */
static int setup(void **state)
{
	const struct v3dsim_config config = { .caches = V3DSIM_CACHES_MODEL };
	const struct v3dsim_host host = { .region = region };

	(void)state;
	memory = aligned_alloc(4096, SIZE);
	assert_non_null(memory);
	memset(memory, 0, SIZE);
	sim = v3dsim_new(&config, &host);
	assert_non_null(sim);
	v3dsim_write(sim, V3D_VPMBASE, 16);
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	v3dsim_free(sim);
	free(memory);
	return 0;
}

/* All wait for each other, with semaphores of our own */
static void barrier(struct qb *b, bool first)
{
	unsigned int times = first ? QPUS - 1 : 1, n;

	for (n = 0; n < times; n++)
		qb_emit(b, first ? qb_sema_down(8) : qb_sema_up(8));
	for (n = 0; n < times; n++)
		qb_emit(b, first ? qb_sema_up(9) : qb_sema_down(9));
}

/* What the fill leaves in a row of the output: never 0 */
static uint32_t pattern(unsigned int row)
{
	return 0xa5000001u + row;
}

static void make_fill(struct qb *b, bool first)
{
	static const uint16_t accumulators[] = { QB_R0, QB_R1, QB_R2, QB_R3 };
	unsigned int n;

	barrier(b, first);
	for (n = 0; n < 32; n++) {
		qb_emit(b, qb_ldi(QB_RA(n), pattern(ROW_A + n)));
		qb_emit(b, qb_ldi(QB_RB(n), pattern(ROW_B + n)));
	}
	qb_emit(b, qb_ldi(QB_RECIP, 0x40000000));	/* 2: 1/2 comes to r4 */
	qb_emit(b, qb_ldi(QB_R0, 1));
	qb_emit(b, qb_ldi(QB_R1, 2));
	/* below 0, and it carries */
	qb_emit(b, qb_flags(qb_add(V3D_QPU_ADD_SUB, QB_NONE, QB_R0, QB_R1)));
	for (n = 0; n < 4; n++)
		qb_emit(b, qb_ldi(accumulators[n], pattern(n)));
	qb_emit(b, qb_ldi(QB_R5REP, pattern(5)));
	qb_end(b);
}

static void show_flag(struct qb *b, enum v3d_qpu_condition condition)
{
	qb_emit(b, qb_ldi(QB_R0, 0));
	qb_emit(b, qb_if(condition, qb_ldi(QB_R0, pattern(ROW_FLAGS))));
	qb_emit(b, qb_mov(QB_VPM_WRITE, QB_R0));
}

/* One after the other, as all use the same rows of the VPM */
static void make_show(struct qb *b, bool first)
{
	unsigned int n;

	barrier(b, first);
	qb_mutex_lock(b);
	qb_setup(b, QB_VW_SETUP, qb_word_vpm_write(0));
	for (n = 0; n < ROW_FLAGS; n++)
		qb_emit(b, qb_mov(QB_VPM_WRITE, QB_R0 + n));
	show_flag(b, V3D_QPU_COND_NS);
	show_flag(b, V3D_QPU_COND_CS);
	for (n = 0; n < 32; n++)
		qb_emit(b, qb_mov(QB_VPM_WRITE, QB_RA(n)));
	qb_emit(b, qb_mov(QB_R0, QB_QPU));
	qb_emit(b, qb_add(V3D_QPU_ADD_SHL, QB_R0, QB_R0, qb_imm(OUTPUT_SHIFT)));
	qb_emit(b, qb_ldi(QB_R1, BASE + OUTPUT));
	qb_emit(b, qb_add(V3D_QPU_ADD_ADD, QB_R0, QB_R0, QB_R1));
	qb_store_rows(b, 0, ROW_B, QB_R0);
	qb_setup(b, QB_VW_SETUP, qb_word_vpm_write(0));
	for (n = 0; n < 32; n++)
		qb_emit(b, qb_mov(QB_VPM_WRITE, QB_RB(n)));
	qb_emit(b, qb_ldi(QB_R1, ROW_B * 64));
	qb_emit(b, qb_add(V3D_QPU_ADD_ADD, QB_R0, QB_R0, QB_R1));
	qb_store_rows(b, 0, ROWS - ROW_B, QB_R0);
	qb_mutex_unlock(b);
	qb_end(b);
}

static void make(uint32_t offset, void (*program)(struct qb *b, bool first))
{
	static uint64_t code[512];
	unsigned int n;
	struct qb b;

	for (n = 0; n < 2; n++) {
		qb_init(&b, code, 512);
		program(&b, !n);
		assert_false(b.failed);
		memcpy((char *)memory + offset + n * OTHERS, code, b.count * sizeof(*code));
	}
}

/* A program on each QPU, or on fewer */
static enum v3dsim_state run(uint32_t offset, unsigned int count)
{
	unsigned int n;

	v3dsim_write(sim, V3D_SLCACTL, ~0u);
	for (n = 0; n < count; n++)
		v3dsim_write(sim, V3D_SRQPC, BASE + offset + (n ? OTHERS : 0));
	return v3dsim_run(sim, 1000000);
}

static void make_scrub(void)
{
	static __u64 code[2][V3DCL_SCRUB_REGISTERS_COUNT(QPUS - 1)];

	assert_int_equal(v3dcl_scrub_registers(code[0], QPUS, true),
			 V3DCL_SCRUB_REGISTERS_COUNT(QPUS - 1));
	assert_int_equal(v3dcl_scrub_registers(code[1], QPUS, false),
			 V3DCL_SCRUB_REGISTERS_COUNT(1));
	memcpy((char *)memory + SCRUB, code[0], sizeof(code[0]));
	memcpy((char *)memory + SCRUB + OTHERS, code[1], sizeof(code[1]));
}

static uint32_t shown(unsigned int qpu, unsigned int row, unsigned int lane)
{
	return memory[((OUTPUT + (qpu << OUTPUT_SHIFT)) + row * 64 + lane * 4) / 4];
}

/* Fills and shows, with what comes between */
static void fill_and_show(bool scrub)
{
	make(FILL, make_fill);
	make(SHOW, make_show);
	make_scrub();
	memset((char *)memory + OUTPUT, 0xee, QPUS << OUTPUT_SHIFT);
	assert_int_equal(run(FILL, QPUS), V3DSIM_IDLE);
	if (scrub)
		assert_int_equal(run(SCRUB, QPUS), V3DSIM_IDLE);
	assert_int_equal(run(SHOW, QPUS), V3DSIM_IDLE);
}

/* Without the scrub all of it is seen: else the next test would not say anything */
static void left(void **state)
{
	unsigned int qpu, row, lane;

	(void)state;
	fill_and_show(false);
	for (qpu = 0; qpu < QPUS; qpu++) {
		for (row = 0; row < ROWS; row++) {
			uint32_t expected = pattern(row == ROW_FLAGS + 1 ? ROW_FLAGS : row);

			if (row == ROW_R4)
				expected = 0x3f000000;
			for (lane = 0; lane < V3D_QPU_LANES; lane++)
				assert_int_equal(shown(qpu, row, lane), expected);
		}
	}
}

static void scrubbed(void **state)
{
	unsigned int qpu, row, lane;

	(void)state;
	fill_and_show(true);
	for (qpu = 0; qpu < QPUS; qpu++) {
		for (row = 0; row < ROWS; row++) {
			for (lane = 0; lane < V3D_QPU_LANES; lane++)
				assert_int_equal(shown(qpu, row, lane), 0);
		}
	}
}

/* As long as one is missing, all the others wait: no QPU is given two of them */
static void together(void **state)
{
	(void)state;
	make_scrub();
	assert_int_equal(run(SCRUB, QPUS - 1), V3DSIM_STALLED);
	assert_int_equal(V3D_GET(v3dsim_read(sim, V3D_SRQCS), SRQCS, QPURQCC), 0);
	v3dsim_write(sim, V3D_SRQPC, BASE + SCRUB + OTHERS);
	assert_int_equal(v3dsim_run(sim, 1000000), V3DSIM_IDLE);
	assert_int_equal(V3D_GET(v3dsim_read(sim, V3D_SRQCS), SRQCS, QPURQCC), QPUS);
	/* The semaphores are as they were */
	assert_int_equal(run(SCRUB, QPUS), V3DSIM_IDLE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(left, setup, teardown),
		cmocka_unit_test_setup_teardown(scrubbed, setup, teardown),
		cmocka_unit_test_setup_teardown(together, setup, teardown),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests_name("leftovers", tests, NULL, NULL);
}
