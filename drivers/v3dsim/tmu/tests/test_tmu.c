/* SPDX-License-Identifier: MIT */
/*
 * The TMUs as programs see them: direct reads, order, both TMUs and their exchange, the FIFO's
 * ends, set-up words, bus errors.
 */
#include "tests/qpu_fixture.h"

static struct machine m;

static int setup(void **state)
{
	(void)state;
	machine_new(&m, V3DSIM_CACHES_IDEAL, V3DSIM_TRACE_QPU);
	for (unsigned int n = 0; n < 1024; n++)
		at(&m, INPUT)[n] = 0xa0000000 + n;
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	machine_free(&m);
	return 0;
}

/* r0 = INPUT + 4 * element * stride */
static void addresses(unsigned int stride)
{
	qb_emit(&m.b, qb_mov(QB_R0, QB_ELEMENT));
	qb_emit(&m.b, qb_ldi(QB_R1, 4 * stride));
	qb_emit(&m.b, qb_mul(V3D_QPU_MUL_MUL24, QB_R0, QB_R0, QB_R1));
	qb_emit(&m.b, qb_ldi(QB_R1, bus_of(INPUT)));
	qb_emit(&m.b, qb_add(V3D_QPU_ADD_ADD, QB_R0, QB_R0, QB_R1));
}

static void load(unsigned int tmu, uint16_t dst)
{
	qb_emit(&m.b, qb_signal(tmu ? V3D_QPU_SIG_LOAD_TMU1 : V3D_QPU_SIG_LOAD_TMU0, qb_nop()));
	qb_emit(&m.b, qb_mov(dst, QB_R4));
}

static const uint32_t *finish(uint16_t src)
{
	qb_write_row(&m.b, 0, src);
	machine_store(&m, 0, 1, 0);
	qb_end(&m.b);
	assert_int_equal(machine_run(&m), V3DSIM_IDLE);
	return at(&m, OUTPUT);
}

static void gathers(void **state)
{
	(void)state;
	for (unsigned int stride = 1; stride < 60; stride += 19) {
		const uint32_t *row;

		addresses(stride);
		/* the low two bits do not count */
		qb_emit(&m.b, qb_add(V3D_QPU_ADD_ADD, QB_TMU0_S, QB_R0, qb_imm(3)));
		load(0, QB_R2);
		row = finish(QB_R2);
		for (unsigned int n = 0; n < 16; n++)
			assert_int_equal(row[n], 0xa0000000 + n * stride);
	}
	assert_int_equal(stat_of(&m, "broken_rules"), 0);
	assert_int_equal(stat_of(&m, "tmu_texture_quads"), 4 * 4);
}

/* Results come in the order of requests, each TMU for itself */
static void order(void **state)
{
	const uint32_t *row;

	(void)state;
	addresses(0);
	for (unsigned int n = 0; n < 4; n++)
		qb_emit(&m.b, qb_add(V3D_QPU_ADD_ADD, n & 1 ? QB_TMU1_S : QB_TMU0_S, QB_R0,
				     qb_imm(4 * n)));
	load(1, QB_R1);
	load(0, QB_R2);
	load(0, QB_R3);
	/* r1: 1, r2: 0, r3: 2; together 0x201 in the low bits of three sums */
	qb_emit(&m.b, qb_add(V3D_QPU_ADD_SHL, QB_R3, QB_R3, qb_imm(8)));
	qb_emit(&m.b, qb_add(V3D_QPU_ADD_SHL, QB_R2, QB_R2, qb_imm(4)));
	qb_emit(&m.b, qb_add(V3D_QPU_ADD_ADD, QB_R0, QB_R3, QB_R2));
	qb_emit(&m.b, qb_add(V3D_QPU_ADD_ADD, QB_R0, QB_R0, QB_R1));
	load(1, QB_R1);
	row = finish(QB_R0);
	assert_int_equal(row[0] & 0xffff, 0x201);
}

/*
 * AG100 p. 40: QPU2 and QPU3 of a slice see the TMUs exchanged, unless TMU_NOSWAP is written. QPU11
 * is one of them.
 */
static void exchange(void **state)
{
	struct qpu *q = &m.sim->qps->qpu[11];
	uint64_t spent = 0;

	(void)state;
	for (int noswap = 0; noswap < 2; noswap++) {
		qb_emit(&m.b, qb_ldi(QB_TMU_NOSWAP, noswap));
		qb_nops(&m.b, 2);
		qb_emit(&m.b, qb_ldi(QB_TMU0_S, bus_of(INPUT)));
		qb_end(&m.b);
		qpu_start(q, 0, machine_place(&m, CODE), 0, 0);
		q->until = 1000;
		q->now = 0;
		assert_int_equal(machine_step(&m, q, &spent), QPU_ENDED);
		assert_int_equal(q->tmu[!noswap].count, 1);
		assert_int_equal(q->tmu[noswap].count, 0);
	}
	assert_int_equal(stat_of(&m, "broken_rules"), 0);
	q->running = false;
}

static void expect_hang(const char *words)
{
	char text[512];

	qb_end(&m.b);
	assert_int_equal(machine_run(&m), V3DSIM_STALLED);
	qps_describe(m.sim, text, sizeof(text));
	if (!strstr(text, words))
		fail_msg("%s expected, got %s", words, text);
	v3dsim_power(m.sim, false);
	v3dsim_power(m.sim, true);
	v3dsim_write(m.sim, V3D_VPMBASE, 16);
}

static void fifo(void **state)
{
	(void)state;
	load(0, QB_R0);
	expect_hang("QPU11 at 0x10000000 waits for a TMU result that was not requested");
	addresses(1);
	for (int n = 0; n < 9; n++)
		qb_emit(&m.b, qb_mov(QB_TMU0_S, QB_R0));
	expect_hang("room in the TMU's FIFO");
	/* the fifth to the eighth outstanding request */
	assert_int_equal(stat_of(&m, "broken_rules"), 4);
	assert_non_null(strstr(m.rule, "tmu_outstanding"));
}

static void bus_error(void **state)
{
	struct v3dsim_fault fault;

	(void)state;
	qb_emit(&m.b, qb_ldi(QB_TMU0_S, 0x40));
	qb_end(&m.b);
	assert_int_equal(machine_run(&m), V3DSIM_FAULT);
	assert_true(v3dsim_fault(m.sim, &fault));
	assert_int_equal(fault.unit, V3DSIM_UNIT_TMU);
	assert_int_equal(fault.address, 0x40);
	assert_int_equal(V3D_GET(v3dsim_read(m.sim, V3D_SRQCS), SRQCS, QPURQCC), 0);
}

#define TEXTURE 0x21000u

/* Set-up words of a 4 x 4 texture at TEXTURE, nearest, repeated */
static void set_up(enum v3d_texture_type type, uint32_t base)
{
	const struct v3d_texture0 p0 = { .base = base, .type = type };
	const struct v3d_texture1 p1 = { .width = 4, .height = 4, .minify = 1, .magnify = 1 };

	at(&m, UNIFORMS)[0] = v3d_word_texture0(&p0);
	at(&m, UNIFORMS)[1] = v3d_word_texture1(&p1);
}

/* t takes the first uniform, s the second: column 1 of row 2 */
static void filtered(void **state)
{
	const uint32_t *row;

	(void)state;
	set_up(V3D_TEXTURE_RGBA8888, bus_of(TEXTURE));
	at(&m, TEXTURE)[9] = 0x12345678;
	at(&m, UNIFORMS)[2] = 0xabcd;
	qb_emit(&m.b, qb_ldi(QB_IO(V3D_QPU_W_TMU0_T), 0x3f200000));	/* 5/8 */
	qb_emit(&m.b, qb_ldi(QB_TMU0_S, 0x3ec00000));			/* 3/8 */
	qb_emit(&m.b, qb_mov(QB_R1, QB_UNIF));
	load(0, QB_R2);
	qb_emit(&m.b, qb_add(V3D_QPU_ADD_ADD, QB_R2, QB_R2, QB_R1));
	row = finish(QB_R2);
	for (unsigned int n = 0; n < 16; n++)
		assert_int_equal(row[n], 0x12345678 + 0xabcd);
	assert_int_equal(stat_of(&m, "tmu_texture_quads"), 4);
	assert_int_equal(stat_of(&m, "broken_rules"), 0);
}

/*
 * Set-up words come in the order of writes whichever register; what is written once counts for one
 * lookup
 */
static void parameters(void **state)
{
	const uint32_t *row;

	(void)state;
	set_up(V3D_TEXTURE_RGBA8888, bus_of(TEXTURE));
	at(&m, UNIFORMS)[1] |= 3 | 3 << 2;		/* to the border */
	at(&m, UNIFORMS)[2] = at(&m, UNIFORMS)[0];
	at(&m, UNIFORMS)[3] = at(&m, UNIFORMS)[1];
	at(&m, TEXTURE)[0] = 7;
	qb_emit(&m.b, qb_ldi(QB_IO(V3D_QPU_W_TMU0_R), 0x55));
	qb_emit(&m.b, qb_ldi(QB_TMU0_S, 0x40000000));	/* 2: the border, t is 0 */
	qb_emit(&m.b, qb_ldi(QB_IO(V3D_QPU_W_TMU0_B), 0));
	qb_emit(&m.b, qb_ldi(QB_TMU0_S, 0x40000000));	/* the border again, r not written: 0 */
	load(0, QB_R1);
	load(0, QB_R2);
	qb_emit(&m.b, qb_add(V3D_QPU_ADD_SHL, QB_R2, QB_R2, qb_imm(8)));
	qb_emit(&m.b, qb_add(V3D_QPU_ADD_OR, QB_R2, QB_R2, QB_R1));
	row = finish(QB_R2);
	assert_int_equal(row[0], 0x55);
	assert_int_equal(row[15], 0x55);
}

/* RGBA64 gives two words, red and green first, and takes two places: four requests fill the FIFO */
static void pairs(void **state)
{
	const uint32_t *row;

	(void)state;
	set_up(V3D_TEXTURE_RGBA64, bus_of(TEXTURE));
	at(&m, TEXTURE)[0] = 0x38003c00;
	at(&m, TEXTURE)[1] = 0x40003400;
	qb_emit(&m.b, qb_ldi(QB_IO(V3D_QPU_W_TMU0_T), 0));
	qb_emit(&m.b, qb_ldi(QB_TMU0_S, 0));
	load(0, QB_R1);
	load(0, QB_R2);
	qb_emit(&m.b, qb_add(V3D_QPU_ADD_XOR, QB_R2, QB_R2, QB_R1));
	row = finish(QB_R2);
	assert_int_equal(row[3], 0x38003c00 ^ 0x40003400);
	for (unsigned int n = 0; n < 5; n++) {
		at(&m, UNIFORMS)[2 * n] = at(&m, UNIFORMS)[0];
		at(&m, UNIFORMS)[2 * n + 1] = at(&m, UNIFORMS)[1];
		qb_emit(&m.b, qb_ldi(QB_IO(V3D_QPU_W_TMU0_T), 0));
		qb_emit(&m.b, qb_ldi(QB_TMU0_S, 0));
	}
	expect_hang("room in the TMU's FIFO");
	assert_int_equal(stat_of(&m, "broken_rules"), 0);
}

/* A texture where no memory is */
static void texture_bus_error(void **state)
{
	struct v3dsim_fault fault;

	(void)state;
	set_up(V3D_TEXTURE_RGBA8888, 0x7000);
	qb_emit(&m.b, qb_ldi(QB_IO(V3D_QPU_W_TMU0_T), 0));
	qb_emit(&m.b, qb_ldi(QB_TMU0_S, 0x3f400000));
	qb_end(&m.b);
	assert_int_equal(machine_run(&m), V3DSIM_FAULT);
	assert_true(v3dsim_fault(m.sim, &fault));
	assert_int_equal(fault.unit, V3DSIM_UNIT_TMU);
	assert_int_equal(fault.address, 0x700c);
	assert_non_null(strstr(fault.text, "QPU 11 at 0x10000008"));
}

/* A conditional write still asks (HW) */
static void conditional(void **state)
{
	(void)state;
	addresses(1);
	qb_emit(&m.b, qb_flags(qb_mov(QB_NONE, qb_imm(1))));
	qb_emit(&m.b, qb_if(V3D_QPU_COND_ZS, qb_mov(QB_TMU0_S, QB_R0)));
	load(0, QB_R2);
	assert_int_equal(finish(QB_R2)[15], 0xa000000f);
}

/*
 * A load right after its request waits; the model: TMU_LATENCY slots after it the result is there
 */
static void stall_cycles(void **state)
{
	(void)state;
	addresses(1);
	qb_emit(&m.b, qb_mov(QB_TMU0_S, QB_R0));
	load(0, QB_R2);
	finish(QB_R2);
	assert_int_equal(stat_of(&m, "qpu_tmu_stall_cycles"), (TMU_LATENCY - 1) * 4);
}

static void stale_line(void **state)
{
	static struct machine fresh;

	(void)state;
	machine_new(&fresh, V3DSIM_CACHES_MODEL, 0);
	for (int round = 0; round < 3; round++) {
		at(&fresh, INPUT)[0] = round;
		if (round == 2)
			v3dsim_write(fresh.sim, V3D_SLCACTL,
				     V3D_MASK(SLCACTL, T0CCS) | V3D_MASK(SLCACTL, T1CCS));
		qb_emit(&fresh.b, qb_ldi(QB_TMU0_S, bus_of(INPUT)));
		qb_emit(&fresh.b, qb_signal(V3D_QPU_SIG_LOAD_TMU0, qb_nop()));
		qb_write_row(&fresh.b, 0, QB_R4);
		machine_store(&fresh, 0, 1, 0);
		qb_end(&fresh.b);
		assert_int_equal(machine_run(&fresh), V3DSIM_IDLE);
		/* stale until cleared */
		assert_int_equal(*at(&fresh, OUTPUT), round == 2 ? 2 : 0);
	}
	machine_free(&fresh);
}

int main(void)
{
#define T(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
	const struct CMUnitTest tests[] = {
		T(gathers), T(order), T(exchange), T(fifo), T(bus_error), T(filtered),
		T(parameters),
		T(pairs), T(texture_bus_error), T(conditional), T(stall_cycles),
		T(stale_line),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
