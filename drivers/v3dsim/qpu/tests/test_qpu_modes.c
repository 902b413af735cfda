// SPDX-License-Identifier: MIT
/*
 * Modes of the chip in QPUs and scheduler, with and without what exists for speed alone, and that
 * the ideal chip does otherwise.
 */
#include "tests/qpu_fixture.h"

#include "qpu/sfu.h"

static struct machine m;

/* The program written by @write on a chip, whose first rows of the VPM go to OUTPUT */
static void run_on(const char *chip, bool reference, void (*write)(void), unsigned int rows)
{
	const struct v3dsim_config config = { .chip = chip, .reference = reference };

	machine_new_as(&m, &config);
	write();
	machine_store(&m, 0, rows, 0);
	qb_end(&m.b);
	assert_int_equal(machine_run(&m), V3DSIM_IDLE);
}

static void look_up(void)
{
	static const uint16_t functions[4] = {
		QB_IO(V3D_QPU_W_SFU_RECIP), QB_IO(V3D_QPU_W_SFU_RECIPSQRT),
		QB_IO(V3D_QPU_W_SFU_EXP), QB_IO(V3D_QPU_W_SFU_LOG),
	};

	qb_emit(&m.b, qb_ldi(QB_R0, 0x3e800000));	/* 1/4 */
	for (unsigned int n = 0; n < 4; n++) {
		qb_emit(&m.b, qb_mov(functions[n], QB_R0));
		qb_nops(&m.b, 2);
		qb_emit(&m.b, qb_mov(QB_R1, QB_R4));
		qb_write_row(&m.b, n, QB_R1);
	}
}

static void sfu(void **state)
{
	(void)state;
	for (unsigned int n = 0; n < 4; n++) {
		const bool silicon = n & 1;

		run_on(silicon ? "sfu" : "ideal", n & 2, look_up, 4);
		for (unsigned int f = 0; f < 4; f++)
			assert_int_equal(*at(&m, OUTPUT + 64 * f),
					 sfu_one(f, 0x3e800000, silicon));
		assert_int_equal(*at(&m, OUTPUT) == 0x40800000, !silicon);
		machine_free(&m);
	}
}

/* Rows: immediate 15, 48 and 63 as operands, 32; then a rotation by 1 */
static void take_immediates(void)
{
	static const uint16_t codes[] = { 15, 48, 63, 32 };

	for (unsigned int n = 0; n < 4; n++) {
		qb_emit(&m.b, qb_mov(QB_R0, QB_SMALL(codes[n])));
		qb_write_row(&m.b, n, QB_R0);
	}
	qb_emit(&m.b, qb_mov(QB_R0, QB_ELEMENT));
	qb_nops(&m.b, 1);
	qb_emit(&m.b, qb_rotate(QB_R1, QB_R0, 1));
	qb_write_row(&m.b, 4, QB_R1);
}

static void imm_48(void **state)
{
	(void)state;
	for (unsigned int n = 0; n < 4; n++) {
		const bool mode = n & 1;

		run_on(mode ? "imm-48" : "ideal", n & 2, take_immediates, 5);
		assert_int_equal(*at(&m, OUTPUT), 15);
		assert_int_equal(*at(&m, OUTPUT + 64), mode ? QPS_NO_NUMBER(48) : (uint32_t)-16);
		assert_int_equal(*at(&m, OUTPUT + 128), mode ? QPS_NO_NUMBER(63) : (uint32_t)-1);
		assert_int_equal(*at(&m, OUTPUT + 192), 0x3f800000);
		assert_int_equal(m.sim->struck[V3D_CHIP_IMM_48], mode ? 2 : 0);
		for (unsigned int lane = 0; lane < V3D_QPU_LANES; lane++)
			assert_int_equal(*at(&m, OUTPUT + 256 + 4 * lane), (lane - 1) & 15);
		machine_free(&m);
	}
}

#define LIST_AT 0x60000u
#define LIST_RECORDS 10

/* A list of a thread's that does nothing, beside programs on all QPUs that may have them */
static void start_both(const char *chip, unsigned int thread, uint32_t reserved)
{
	const struct v3dsim_config config = { .chip = chip };
	uint32_t pc;

	machine_new_as(&m, &config);
	v3dsim_write(m.sim, V3D_SQRSV0, reserved);
	qb_nops(&m.b, 1000);
	qb_end(&m.b);
	pc = machine_place(&m, CODE);
	for (unsigned int n = 0; n < 12; n++)
		machine_request(&m, pc, 0);
	memset(at(&m, LIST_AT), 1, LIST_RECORDS);
	v3dsim_write(m.sim, thread ? V3D_CT1CA : V3D_CT0CA, bus_of(LIST_AT));
	v3dsim_write(m.sim, thread ? V3D_CT1EA : V3D_CT0EA, bus_of(LIST_AT) + LIST_RECORDS);
	v3dsim_run(m.sim, 200);
}

static void shading_waits(void **state)
{
	(void)state;
	for (unsigned int n = 0; n < 4; n++) {
		const bool mode = n & 1;

		start_both(mode ? "shading-waits" : "ideal", n / 2, 0);
		assert_int_equal(stat_of(&m, "records"), mode ? 0 : LIST_RECORDS);
		assert_true((bool)m.sim->struck[V3D_CHIP_SHADING_WAITS] == mode);
		assert_int_equal(v3dsim_run(m.sim, 1000000), V3DSIM_IDLE);
		assert_int_equal(stat_of(&m, "records"), LIST_RECORDS);
		machine_free(&m);
	}
}

/* A QPU without user programs does, if its other bits let that kind of shader use it */
static void reserved_shading(void **state)
{
	static const struct {
		unsigned int thread;
		uint32_t reserved;
		unsigned int records;
	} cases[] = {
		{ 0, 0x1, LIST_RECORDS }, { 0, 0x7, LIST_RECORDS }, { 0, 0x9, 0 },
		{ 1, 0x1, LIST_RECORDS }, { 1, 0x9, LIST_RECORDS }, { 1, 0x3, 0 }, { 1, 0x5, 0 },
		{ 1, 0x35, LIST_RECORDS },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		start_both("shading-waits", cases[i].thread, cases[i].reserved);
		assert_int_equal(stat_of(&m, "records"), cases[i].records);
		machine_free(&m);
	}
}

/* Programs that never end hold a list for ever; only power ends that */
static void held_for_ever(void **state)
{
	const struct v3dsim_config config = { .chip = "shading-waits" };
	uint32_t pc;

	(void)state;
	machine_new_as(&m, &config);
	qb_emit(&m.b, qb_sema_down(0));
	qb_end(&m.b);
	pc = machine_place(&m, CODE);
	for (unsigned int n = 0; n < 12; n++)
		machine_request(&m, pc, 0);
	memset(at(&m, LIST_AT), 1, LIST_RECORDS);
	v3dsim_write(m.sim, V3D_CT1CA, bus_of(LIST_AT));
	v3dsim_write(m.sim, V3D_CT1EA, bus_of(LIST_AT) + LIST_RECORDS);
	assert_int_equal(v3dsim_run(m.sim, 1000000), V3DSIM_STALLED);
	assert_int_equal(v3dsim_read(m.sim, V3D_CT1CA), bus_of(LIST_AT));
	v3dsim_power(m.sim, false);
	v3dsim_power(m.sim, true);
	assert_int_equal(v3dsim_run(m.sim, 1000000), V3DSIM_IDLE);
	machine_free(&m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sfu), cmocka_unit_test(imm_48), cmocka_unit_test(shading_waits),
		cmocka_unit_test(reserved_shading), cmocka_unit_test(held_for_ever),
	};

	return cmocka_run_group_tests_name("qpu_modes", tests, NULL, NULL);
}
