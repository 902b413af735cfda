/* SPDX-License-Identifier: MIT */
/*
 * The scheduler: the request queue, who runs where, twelve programs at once, mutex, semaphores,
 * interrupts, counters, hangs.
 */
#include "tests/qpu_fixture.h"

MACHINE_PER_TEST(0)

static uint32_t srqcs(void)
{
	return v3dsim_read(m.sim, V3D_SRQCS);
}

/* A program of @n instructions, the three of its end included */
static uint32_t program(uint32_t offset, unsigned int n)
{
	qb_nops(&m.b, n - 3);
	qb_end(&m.b);
	return machine_place(&m, offset);
}

/*
 * AG100 Tables 65 and 68: 16 wait beside the 12 that run; one more sets the error and further ones
 * are ignored; all are counted
 */
static void queue_overflow(void **state)
{
	const uint32_t pc = program(CODE, 10);

	(void)state;
	for (unsigned int n = 0; n < 28; n++) {
		machine_request(&m, pc, 0);
		assert_int_equal(V3D_GET(srqcs(), SRQCS, QPURQL), n < 12 ? 0 : n - 11);
	}
	assert_int_equal(V3D_GET(srqcs(), SRQCS, QPURQERR), 0);
	machine_request(&m, pc, 0);
	assert_int_equal(V3D_GET(srqcs(), SRQCS, QPURQERR), 1);
	assert_int_equal(v3dsim_run(m.sim, 100000), V3DSIM_IDLE);
	machine_request(&m, pc, 0);	/* room, but the error is not cleared */
	assert_int_equal(v3dsim_run(m.sim, 100000), V3DSIM_IDLE);
	assert_int_equal(V3D_GET(srqcs(), SRQCS, QPURQCC), 28);
	assert_int_equal(V3D_GET(srqcs(), SRQCS, QPURQCM), 30);
	v3dsim_write(m.sim, V3D_SRQCS, V3D_SET(SRQCS, QPURQERR, 1));
	machine_request(&m, pc, 0);
	assert_int_equal(v3dsim_run(m.sim, 100000), V3DSIM_IDLE);
	assert_int_equal(V3D_GET(srqcs(), SRQCS, QPURQCC), 29);
	v3dsim_write(m.sim, V3D_SRQCS, 1 << 16);
	assert_int_equal(V3D_GET(srqcs(), SRQCS, QPURQCC), 0);
	assert_int_equal(V3D_GET(srqcs(), SRQCS, QPURQCM), 31);
	v3dsim_write(m.sim, V3D_SRQCS, 1 << 8);
	assert_int_equal(srqcs(), 0);
}

static void counts_wrap(void **state)
{
	const uint32_t pc = program(CODE, 3);

	(void)state;
	for (unsigned int n = 0; n < 260; n++) {
		machine_request(&m, pc, 0);
		assert_int_equal(v3dsim_run(m.sim, 1000), V3DSIM_IDLE);
	}
	assert_int_equal(V3D_GET(srqcs(), SRQCS, QPURQCC), 4);
	assert_int_equal(V3D_GET(srqcs(), SRQCS, QPURQCM), 4);
}

static void queue_clear(void **state)
{
	const uint32_t pc = program(CODE, 10);

	(void)state;
	for (unsigned int n = 0; n < 20; n++)
		machine_request(&m, pc, 0);
	assert_int_equal(V3D_GET(srqcs(), SRQCS, QPURQL), 8);
	v3dsim_write(m.sim, V3D_SRQCS, 1);
	assert_int_equal(V3D_GET(srqcs(), SRQCS, QPURQL), 0);
	assert_int_equal(v3dsim_run(m.sim, 100000), V3DSIM_IDLE);
	assert_int_equal(V3D_GET(srqcs(), SRQCS, QPURQCC), 12);
}

/* Each program writes its QPU's number to where its uniform says */
static void number_program(void)
{
	/* a VPM row of its own, as a write set-up and as DMA set-ups */
	qb_emit(&m.b, qb_mov(QB_R2, QB_UNIF));
	qb_emit(&m.b, qb_mov(QB_VW_SETUP, QB_R2));
	qb_emit(&m.b, qb_mov(QB_VPM_WRITE, QB_QPU));
	qb_emit(&m.b, qb_mov(QB_VW_SETUP, QB_UNIF));
	qb_setup(&m.b, QB_VW_SETUP, qb_word_vdw_stride(0));
	qb_emit(&m.b, qb_mov(QB_VDW_ADDR, QB_UNIF));
	qb_emit(&m.b, qb_mov(QB_NONE, QB_VDW_WAIT));
	qb_end(&m.b);
}

static void twelve_at_once(void **state)
{
	uint32_t pc, seen = 0;

	(void)state;
	number_program();
	pc = machine_place(&m, CODE);
	for (unsigned int n = 0; n < 12; n++) {
		uint32_t *u = at(&m, UNIFORMS + 16 * n);

		u[0] = qb_word_vpm_write(n);
		u[1] = qb_word_vdw(n, 1);
		u[2] = bus_of(OUTPUT + 64 * n);
		machine_request(&m, pc, bus_of(UNIFORMS + 16 * n));
	}
	assert_int_equal(v3dsim_run(m.sim, 100000), V3DSIM_IDLE);
	for (unsigned int n = 0; n < 12; n++) {
		/* HW: the highest-numbered free QPU first */
		assert_int_equal(*at(&m, OUTPUT + 64 * n), 11 - n);
		seen |= 1u << *at(&m, OUTPUT + 64 * n);
	}
	assert_int_equal(seen, 0xfff);
	assert_int_equal(stat_of(&m, "instructions"), 12 * 10);
}

/* AG100 Tables 62 and 63: bit 0 of a QPU's four keeps user programs off it */
static void reservations(void **state)
{
	(void)state;
	number_program();
	at(&m, UNIFORMS)[0] = qb_word_vpm_write(0);
	at(&m, UNIFORMS)[1] = qb_word_vdw(0, 1);
	at(&m, UNIFORMS)[2] = bus_of(OUTPUT);
	/* QPU 11 may: 0xe; 10: 1, 9: f, 8: 3 may not */
	v3dsim_write(m.sim, V3D_SQRSV1, 0x0000e1f3);
	v3dsim_write(m.sim, V3D_SQRSV0, 0x11111111);
	machine_run(&m);
	assert_int_equal(*at(&m, OUTPUT), 11);
	number_program();
	v3dsim_write(m.sim, V3D_SQRSV1, 0x00001111);
	v3dsim_write(m.sim, V3D_SQRSV0, 0x11111011);
	machine_run(&m);
	assert_int_equal(*at(&m, OUTPUT), 2);
	number_program();
	v3dsim_write(m.sim, V3D_SQRSV0, 0x11111111);
	assert_int_equal(machine_run(&m), V3DSIM_STALLED);
	assert_int_equal(V3D_GET(srqcs(), SRQCS, QPURQL), 1);
	v3dsim_write(m.sim, V3D_SQRSV0, 0x11111110);
	assert_int_equal(v3dsim_run(m.sim, 1000), V3DSIM_IDLE);
	assert_int_equal(*at(&m, OUTPUT), 0);
}

/* Twelve QPUs add one to a word of the VPM 20 times each; without the mutex some would be lost */
static void mutex(void **state)
{
	uint32_t top, pc;

	(void)state;
	qb_emit(&m.b, qb_mov(QB_RA(1), qb_imm(10)));
	qb_nops(&m.b, 1);
	top = qb_here(&m.b);
	qb_mutex_lock(&m.b);
	qb_read_row(&m.b, QB_R0, 0);
	qb_emit(&m.b, qb_add(V3D_QPU_ADD_ADD, QB_R0, QB_R0, qb_imm(1)));
	qb_write_row(&m.b, 0, QB_R0);
	qb_mutex_unlock(&m.b);
	qb_emit(&m.b, qb_flags(qb_add(V3D_QPU_ADD_SUB, QB_RA(1), QB_RA(1), qb_imm(1))));
	qb_branch_to(&m.b, V3D_QPU_BRANCH_ANY_ZC, top);
	qb_nops(&m.b, 3);
	qb_end(&m.b);
	pc = machine_place(&m, CODE);
	for (unsigned int n = 0; n < 24; n++)
		machine_request(&m, pc, 0);
	assert_int_equal(v3dsim_run(m.sim, 100000), V3DSIM_IDLE);
	assert_int_equal(m.sim->qps->vpm.words[0], 240);
	assert_int_equal(stat_of(&m, "broken_rules"), 0);
}

/* One waits at 0, the other at 15; both can only go on through each other */
static void semaphores(void **state)
{
	uint32_t down, up;

	(void)state;
	for (unsigned int n = 0; n < 40; n++)
		qb_emit(&m.b, qb_sema_down(7));
	qb_end(&m.b);
	down = machine_place(&m, CODE);
	for (unsigned int n = 0; n < 40; n++)
		qb_emit(&m.b, qb_sema_up(7));
	qb_end(&m.b);
	up = machine_place(&m, CODE + 0x1000);
	machine_request(&m, down, 0);
	assert_int_equal(v3dsim_run(m.sim, 1000), V3DSIM_STALLED);
	machine_request(&m, up, 0);
	assert_int_equal(v3dsim_run(m.sim, 1000), V3DSIM_IDLE);
	assert_int_equal(m.sim->qps->semaphores[7], 0);
	assert_int_equal(stat_of(&m, "instructions"), 86);	/* a stalled one counts once */
	machine_request(&m, up, 0);
	assert_int_equal(v3dsim_run(m.sim, 1000), V3DSIM_STALLED);
	assert_int_equal(m.sim->qps->semaphores[7], 15);
}

static void host_interrupt(void **state)
{
	(void)state;
	v3dsim_write(m.sim, V3D_DBQITE, 0xffff);
	qb_host_int(&m.b);
	qb_end(&m.b);
	assert_false(v3dsim_irq_level(m.sim));
	machine_run(&m);
	assert_int_equal(v3dsim_read(m.sim, V3D_DBQITC), 1 << 11);
	assert_true(v3dsim_irq_level(m.sim));
	v3dsim_write(m.sim, V3D_DBQITC, 1 << 11);
	assert_false(v3dsim_irq_level(m.sim));
	qb_emit(&m.b, qb_ldi(QB_HOST_INT, 0));	/* HW: zero does not count */
	qb_end(&m.b);
	machine_run(&m);
	assert_int_equal(v3dsim_read(m.sim, V3D_DBQITC), 0);
}

/* The model: 4 clocks an instruction; who has no program is idle as long as others run */
static void counters(void **state)
{
	const uint32_t pc = program(CODE, 30);

	(void)state;
	v3dsim_write(m.sim, V3D_PCTRS0, V3D_COUNTER_qpu_instruction_cycles);
	v3dsim_write(m.sim, V3D_PCTRS1, V3D_COUNTER_qpu_idle_cycles);
	v3dsim_write(m.sim, V3D_PCTRC, 3);
	v3dsim_write(m.sim, V3D_PCTRE, V3D_SET(PCTRE, ENABLE, 1) | 3);
	machine_request(&m, pc, 0);
	machine_request(&m, pc, 0);
	assert_int_equal(v3dsim_run(m.sim, 10000), V3DSIM_IDLE);
	assert_int_equal(v3dsim_read(m.sim, V3D_PCTR0), 2 * 30 * 4);
	assert_int_equal(v3dsim_read(m.sim, V3D_PCTR1), 10 * 30 * 4);
	assert_int_equal(stat_of(&m, "instructions"), 60);
	assert_int_equal(stat_of(&m, "cycles"), 120);
}

static void expect_stall(const char *words)
{
	char text[1024];

	qps_describe(m.sim, text, sizeof(text));
	if (!strstr(text, words))
		fail_msg("%s expected, got %s", words, text);
}

static void hangs_and_reset(void **state)
{
	uint32_t pc;

	(void)state;
	m.code[m.b.count++] = 0x009e7000009e7000 & ~(UINT64_C(0xf) << 60);	/* sig 0 */
	assert_int_equal(machine_run(&m), V3DSIM_STALLED);
	expect_stall("software breakpoint");
	v3dsim_power(m.sim, false);
	v3dsim_power(m.sim, true);
	assert_int_equal(srqcs(), 0);
	/* a program that never ends goes on as long as there is budget */
	qb_branch_to(&m.b, V3D_QPU_BRANCH_ALWAYS, 0);
	qb_nops(&m.b, 3);
	machine_request(&m, machine_place(&m, CODE), 0);
	assert_int_equal(v3dsim_run(m.sim, 5000), V3DSIM_BUSY);
	assert_int_equal(stat_of(&m, "instructions") / 100, 50);
	v3dsim_power(m.sim, false);
	v3dsim_power(m.sim, true);
	assert_int_equal(v3dsim_run(m.sim, 5000), V3DSIM_IDLE);
	/* the mutex is not given back at the end */
	qb_mutex_lock(&m.b);
	qb_end(&m.b);
	pc = machine_place(&m, CODE);
	machine_request(&m, pc, 0);
	machine_request(&m, pc, 0);
	assert_int_equal(v3dsim_run(m.sim, 5000), V3DSIM_STALLED);
	expect_stall("waits for the mutex");
	/* code that is not there */
	v3dsim_power(m.sim, false);
	v3dsim_power(m.sim, true);
	machine_request(&m, 0x1000, 0);
	assert_int_equal(v3dsim_run(m.sim, 5000), V3DSIM_FAULT);
}

/* The same bytes whatever the size of the pieces that it is run in, and with the caches modelled */
static void same_bytes(void **state)
{
	static uint32_t first[12 * 16];

	(void)state;
	for (unsigned int way = 0; way < 4; way++) {
		static struct machine other;
		const unsigned int budgets[] = { 1000000, 1, 7, 1000 };
		uint32_t pc, top;

		machine_new(&other, way == 3 ? V3DSIM_CACHES_MODEL : V3DSIM_CACHES_IDEAL, 0);
		qb_emit(&other.b, qb_mov(QB_R0, QB_ELEMENT));
		qb_emit(&other.b, qb_add(V3D_QPU_ADD_ITOF, QB_R0, QB_R0, QB_R0));
		qb_emit(&other.b, qb_mov(QB_RA(1), qb_imm(15)));
		qb_emit(&other.b, qb_mov(QB_R1, QB_UNIF));
		top = qb_here(&other.b);
		qb_emit(&other.b, qb_both(qb_add(V3D_QPU_ADD_FADD, QB_R0, QB_R0, QB_R1),
					  qb_mul(V3D_QPU_MUL_FMUL, QB_R1, QB_R0, QB_R1)));
		qb_emit(&other.b, qb_mov(QB_RECIP, QB_R0));
		qb_emit(&other.b, qb_flags(qb_add(V3D_QPU_ADD_SUB, QB_RA(1), QB_RA(1), qb_imm(1))));
		qb_branch_to(&other.b, V3D_QPU_BRANCH_ANY_ZC, top);
		qb_emit(&other.b, qb_mov(QB_R1, QB_R4));
		qb_nops(&other.b, 2);
		qb_emit(&other.b, qb_mov(QB_VW_SETUP, QB_UNIF));
		qb_emit(&other.b, qb_mov(QB_VPM_WRITE, QB_R0));
		qb_emit(&other.b, qb_mov(QB_VW_SETUP, QB_UNIF));
		qb_emit(&other.b, qb_mov(QB_VDW_ADDR, QB_UNIF));
		qb_emit(&other.b, qb_mov(QB_NONE, QB_VDW_WAIT));
		qb_end(&other.b);
		pc = machine_place(&other, CODE);
		for (unsigned int n = 0; n < 12; n++) {
			uint32_t *u = at(&other, UNIFORMS + 16 * n);

			u[0] = 0x3f000000 + n * 0x10000;
			u[1] = qb_word_vpm_write(n);
			u[2] = qb_word_vdw(n, 1);
			u[3] = bus_of(OUTPUT + 64 * n);
			machine_request(&other, pc, bus_of(UNIFORMS + 16 * n));
		}
		while (v3dsim_run(other.sim, budgets[way]) == V3DSIM_BUSY)
			;
		if (way == 0)
			memcpy(first, at(&other, OUTPUT), sizeof(first));
		else
			assert_memory_equal(first, at(&other, OUTPUT), sizeof(first));
		assert_int_not_equal(first[0], first[16]);
		assert_int_equal(stat_of(&other, "broken_rules"), 0);
		machine_free(&other);
	}
}

static volatile double five = 5, three = 3;
/*
 * What one program leaves in registers and set-ups the next one on that QPU does not see; the VPM
 * it does
 */
static void fresh_start(void **state)
{
	(void)state;
	qb_emit(&m.b, qb_ldi(QB_RA(3), 77));
	qb_emit(&m.b, qb_ldi(QB_R1, 88));
	qb_setup(&m.b, QB_VW_SETUP, qb_word_vpm_write(5));
	qb_emit(&m.b, qb_ldi(QB_VPM_WRITE, 99));
	qb_end(&m.b);
	assert_int_equal(machine_run(&m), V3DSIM_IDLE);
	qb_emit(&m.b, qb_add(V3D_QPU_ADD_OR, QB_R0, QB_RA(3), QB_R1));
	/* 8 bits, vertical, packed: column 0 */
	qb_emit(&m.b, qb_mov(QB_VPM_WRITE, qb_imm(1)));
	qb_write_row(&m.b, 4, QB_R0);
	machine_store(&m, 4, 2, 0);
	qb_end(&m.b);
	assert_int_equal(machine_run(&m), V3DSIM_IDLE);
	assert_int_equal(at(&m, OUTPUT)[15], 0);
	assert_int_equal(at(&m, OUTPUT)[31], 99);
	assert_int_equal(m.sim->qps->vpm.words[0], 0x01010101);
}

/*
 * Eleven programs that never end leave the twelfth its turns, on whichever QPU it is, however the
 * budget is cut. Programs start on the highest QPU.
 */
static void one_pace(void **state)
{
	static const uint64_t budgets[] = { 1, 7, 256, 100000 };
	const uint32_t ends = program(CODE, 300);
	uint32_t endless;

	(void)state;
	qb_branch_to(&m.b, V3D_QPU_BRANCH_ALWAYS, 0);
	qb_nops(&m.b, 3);
	endless = machine_place(&m, CODE + 0x8000);
	for (unsigned int which = 0; which < 12; which++) {
		const uint64_t budget = budgets[which % 4];

		for (unsigned int n = 0; n < 12; n++)
			machine_request(&m, n == which ? ends : endless, 0);
		for (uint64_t spent = 0; spent < 12 * (300 + QPS_TURN); spent += budget)
			assert_int_equal(v3dsim_run(m.sim, budget), V3DSIM_BUSY);
		assert_int_equal(V3D_GET(srqcs(), SRQCS, QPURQCC), 1);
		v3dsim_power(m.sim, false);
		v3dsim_power(m.sim, true);
	}
}

/* Twelve programs take as long as one: AG100 p. 12 */
static void twelve_as_fast(void **state)
{
	const uint32_t pc = program(CODE, 1000);
	uint64_t one, twelve;

	(void)state;
	machine_request(&m, pc, 0);
	assert_int_equal(v3dsim_run(m.sim, 100000), V3DSIM_IDLE);
	one = stat_of(&m, "cycles");
	for (unsigned int n = 0; n < 12; n++)
		machine_request(&m, pc, 0);
	while (v3dsim_run(m.sim, 100) == V3DSIM_BUSY)
		;
	twelve = stat_of(&m, "cycles") - one;
	assert_int_equal(twelve, one);
}

static double quotient;

static bool dividing_region(void *opaque, enum v3dsim_unit unit, uint32_t addr, bool write,
			    struct v3dsim_region *out)
{
	quotient = five / three;
	return machine_region(opaque, unit, addr, write, out);
}

/*
 * The host's own arithmetic rounds to nearest, in callbacks too: 5/3 ends in ...b, which truncation
 * would make ...a
 */
static void host_arithmetic(void **state)
{
	const struct v3dsim_config config = { .strict = true };
	const struct v3dsim_host host = { .region = dividing_region, .opaque = &m };
	uint64_t bits;

	(void)state;
	v3dsim_free(m.sim);
	m.sim = v3dsim_new(&config, &host);
	qb_emit(&m.b, qb_mov(QB_R0, QB_UNIF));
	qb_end(&m.b);
	assert_int_equal(machine_run(&m), V3DSIM_IDLE);
	memcpy(&bits, &quotient, sizeof(bits));
	assert_int_equal(bits & 0xf, 0xb);
	quotient = five / three;
	memcpy(&bits, &quotient, sizeof(bits));
	assert_int_equal(bits & 0xf, 0xb);
}

int main(void)
{
#define T(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
	const struct CMUnitTest tests[] = {
		T(queue_overflow), T(counts_wrap), T(queue_clear), T(twelve_at_once), T(one_pace),
		T(twelve_as_fast),
		T(reservations), T(mutex), T(semaphores),
		T(host_interrupt), T(counters), T(hangs_and_reset), T(same_bytes), T(fresh_start),
		T(host_arithmetic),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
