/* SPDX-License-Identifier: MIT */
/*
 * QPU programs: flags and conditions, packs, immediates, rotations, branches, threads, the register
 * space, broken rules.
 */
#include "tests/qpu_fixture.h"
#include "tests/xorshift.h"

MACHINE_PER_TEST(V3DSIM_TRACE_QPU)

/* The rest of a program that leaves its result in @src: one row to OUTPUT; then runs it */
static const uint32_t *result_of(uint16_t src)
{
	qb_write_row(&m.b, 0, src);
	machine_store(&m, 0, 1, 0);
	qb_end(&m.b);
	assert_int_equal(machine_run(&m), V3DSIM_IDLE);
	return at(&m, OUTPUT);
}

static void expect_all(const uint32_t *row, uint32_t value)
{
	for (int n = 0; n < 16; n++)
		assert_int_equal(row[n], value);
}

static void load_immediates(void **state)
{
	const uint32_t *row;

	(void)state;
	qb_emit(&m.b, qb_ldi(QB_R0, 0xdeadbeef));
	expect_all(result_of(QB_R0), 0xdeadbeef);
	/*
	 * AG100 Figure 5: element 0 has sign and low bit set: -1; element 1 the sign alone: -2;
	 * element 2 the low bit: 1
	 */
	qb_emit(&m.b, qb_ldi_signed(QB_R0, 0x00030005));
	row = result_of(QB_R0);
	assert_int_equal(row[0], 0xffffffff);
	assert_int_equal(row[1], 0xfffffffe);
	assert_int_equal(row[2], 1);
	assert_int_equal(row[3], 0);
	qb_emit(&m.b, qb_ldi_unsigned(QB_R0, 0x80030005));
	row = result_of(QB_R0);
	assert_int_equal(row[0], 3);
	assert_int_equal(row[1], 2);
	assert_int_equal(row[2], 1);
	assert_int_equal(row[15], 2);
}

static void small_immediates(void **state)
{
	/* AG100 Table 5, and HW: rotation codes read as -16 to -1 */
	static const struct {
		unsigned int code;
		uint32_t value;
	} table[] = {
		{ 0, 0 }, { 15, 15 }, { 16, -16 }, { 31, -1 }, { 32, 0x3f800000 },
		{ 38, 0x42800000 }, { 39, 0x43000000 }, { 40, 0x3b800000 }, { 47, 0x3f000000 },
		{ 48, -16 }, { 63, -1 },
	};

	(void)state;
	for (unsigned int i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		qb_emit(&m.b, qb_mov(QB_R0, QB_SMALL(table[i].code)));
		expect_all(result_of(QB_R0), table[i].value);
	}
}

static void element_and_qpu_number(void **state)
{
	const uint32_t *row;

	(void)state;
	qb_emit(&m.b, qb_mov(QB_R0, QB_ELEMENT));
	row = result_of(QB_R0);
	for (int n = 0; n < 16; n++)
		assert_int_equal(row[n], n);
	qb_emit(&m.b, qb_mov(QB_R0, QB_QPU));
	expect_all(result_of(QB_R0), 11);	/* HW: the highest-numbered free QPU */
}

static void conditions(void **state)
{
	const uint32_t *row;

	(void)state;
	qb_emit(&m.b, qb_ldi(QB_R1, 0));
	qb_emit(&m.b, qb_mov(QB_R0, QB_ELEMENT));
	/* Z at 5; N and C below 5 */
	qb_emit(&m.b, qb_flags(qb_add(V3D_QPU_ADD_SUB, QB_NONE, QB_R0, qb_imm(5))));
	qb_emit(&m.b, qb_if(V3D_QPU_COND_ZS, qb_ldi(QB_R1, 100)));
	qb_emit(&m.b, qb_if(V3D_QPU_COND_NS, qb_ldi(QB_R1, 200)));
	qb_emit(&m.b, qb_if(V3D_QPU_COND_CC, qb_add(V3D_QPU_ADD_ADD, QB_R1, QB_R1, qb_imm(1))));
	qb_emit(&m.b, qb_if(V3D_QPU_COND_NEVER, qb_ldi(QB_R1, 300)));
	row = result_of(QB_R1);
	for (int n = 0; n < 16; n++)
		assert_int_equal(row[n], n < 5 ? 200 : n == 5 ? 101 : 1);
}

/*
 * HW: flags change only on lanes whose condition passes; the mul sets them only if the add is a
 * nop, not if it never happens
 */
static void flags(void **state)
{
	struct v3d_qpu_inst i;
	const uint32_t *row;

	(void)state;
	qb_emit(&m.b, qb_mov(QB_R0, QB_ELEMENT));
	/* Z on even lanes */
	qb_emit(&m.b, qb_flags(qb_add(V3D_QPU_ADD_AND, QB_NONE, QB_R0, qb_imm(1))));
	/* now Z on all */
	qb_emit(&m.b, qb_flags(qb_if(V3D_QPU_COND_ZC, qb_mov(QB_NONE, qb_imm(0)))));
	/* no lane passes */
	qb_emit(&m.b, qb_flags(qb_if(V3D_QPU_COND_ZC, qb_mov(QB_NONE, qb_imm(1)))));
	i = qb_both(qb_mov(QB_NONE, qb_imm(1)), qb_mul_mov(QB_NONE, qb_imm(1)));
	i.cond_add = V3D_QPU_COND_NEVER;
	/* changes nothing */
	qb_emit(&m.b, qb_flags(i));
	qb_emit(&m.b, qb_ldi(QB_R1, 0));
	qb_emit(&m.b, qb_if(V3D_QPU_COND_ZS, qb_ldi(QB_R1, 7)));
	expect_all(result_of(QB_R1), 7);

	qb_emit(&m.b, qb_mov(QB_R0, QB_ELEMENT));
	/* the add is a nop: Z at 0 */
	qb_emit(&m.b, qb_flags(qb_mul_mov(QB_NONE, QB_R0)));
	qb_emit(&m.b, qb_ldi(QB_R1, 0));
	qb_emit(&m.b, qb_if(V3D_QPU_COND_ZS, qb_ldi(QB_R1, 7)));
	row = result_of(QB_R1);
	assert_int_equal(row[0], 7);
	assert_int_equal(row[1], 0);
}

static void rotations(void **state)
{
	const uint32_t *row;

	(void)state;
	for (int n = 1; n < 16; n++) {
		qb_emit(&m.b, qb_mov(QB_R0, QB_ELEMENT));
		qb_emit(&m.b, qb_nop());
		qb_emit(&m.b, qb_rotate(QB_R1, QB_R0, n));
		row = result_of(QB_R1);
		for (int e = 0; e < 16; e++)
			/* element 0 moves to element n */
			assert_int_equal(row[(e + n) % 16], e);
	}
	/* by r5, element 0, bits 3:0 */
	qb_emit(&m.b, qb_ldi(QB_R5REP, 0x25));
	qb_emit(&m.b, qb_mov(QB_R0, QB_ELEMENT));
	qb_emit(&m.b, qb_nop());
	qb_emit(&m.b, qb_rotate(QB_R1, QB_R0, 0));
	row = result_of(QB_R1);
	assert_int_equal(row[5], 0);
	assert_int_equal(row[4], 15);
	/* HW: from a register file only within quads */
	qb_emit(&m.b, qb_mov(QB_RA(1), QB_ELEMENT));
	qb_emit(&m.b, qb_nop());
	qb_emit(&m.b, qb_rotate(QB_R1, QB_RA(1), 5));
	row = result_of(QB_R1);
	for (int e = 0; e < 16; e++)
		assert_int_equal(row[e], (e & ~3) | ((e - 5) & 3));
	assert_int_equal(stat_of(&m, "broken_rules"), 0);
}

static void accumulator_5(void **state)
{
	const uint32_t *row;

	(void)state;
	qb_emit(&m.b, qb_mov(QB_R5QUAD, QB_ELEMENT));
	row = result_of(QB_R5);
	for (int e = 0; e < 16; e++)
		assert_int_equal(row[e], e & ~3);
	qb_emit(&m.b, qb_mov(QB_R0, QB_ELEMENT));
	qb_emit(&m.b, qb_add(V3D_QPU_ADD_ADD, QB_R5REP, QB_R0, qb_imm(7)));
	expect_all(result_of(QB_R5), 7);
}

/* HW: the NOP address gives elements 12 to 15 of what the port read last */
static void nop_address(void **state)
{
	const uint32_t *row;

	(void)state;
	qb_emit(&m.b, qb_mov(QB_R0, QB_ELEMENT));
	qb_emit(&m.b, qb_mov(QB_R1, QB_RA(V3D_QPU_R_NOP)));
	row = result_of(QB_R1);
	for (int e = 0; e < 16; e++)
		assert_int_equal(row[e], 12 + (e & 3));
}

static void unpacks(void **state)
{
	/*
	 * HW: 8-bit colours are n / 255 truncated; half denormals keep their bits; exponent 31
	 * becomes 255
	 */
	static const struct {
		uint32_t value;
		unsigned int mode;
		bool to_float;
		uint32_t expected;
	} table[] = {
		{ 0x8001ffff, 1, false, 0xffffffff }, { 0x8001ffff, 2, false, 0xffff8001 },
		{ 0x3c00, 1, true, 0x3f800000 }, { 0xc0003c00, 2, true, 0xc0000000 },
		{ 0x7c01, 1, true, 0x7f802000 }, { 0xab000000, 3, false, 0xabababab },
		{ 0x80ff7f01, 4, false, 0x01 }, { 0x80ff7f01, 5, false, 0x7f },
		{ 0x80ff7f01, 6, false, 0xff }, { 0x80ff7f01, 7, false, 0x80 },
		{ 0x80ff7f01, 7, true, 0x3f008080 }, { 0x80ff7f01, 6, true, 0x3f800000 },
	};

	(void)state;
	for (unsigned int i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		struct v3d_qpu_inst copy = table[i].to_float ? qb_add(V3D_QPU_ADD_FMAX, QB_R0,
								      QB_RA(1), QB_RA(1)) :
							       qb_mov(QB_R0, QB_RA(1));

		qb_emit(&m.b, qb_ldi(QB_RA(1), table[i].value));
		qb_emit(&m.b, qb_nop());
		qb_emit(&m.b, qb_unpack(table[i].mode, false, copy));
		expect_all(result_of(QB_R0), table[i].expected);
	}
	/* r4 is always a colour or a half: 8c of an SFU result, 2^0 = 0x3f800000: byte 2 is 0x80 */
	qb_emit(&m.b, qb_mov(QB_EXP, qb_imm(0)));
	qb_nops(&m.b, 2);
	qb_emit(&m.b, qb_unpack(6, true, qb_mov(QB_R0, QB_R4)));
	expect_all(result_of(QB_R0), 0x3f008080);
}

static void expect_pack(uint32_t a, uint32_t b, enum v3d_qpu_add_op op, unsigned int mode,
			uint32_t expected)
{
	qb_emit(&m.b, qb_ldi(QB_RA(1), 0x11223344));
	qb_emit(&m.b, qb_ldi(QB_R0, a));
	qb_emit(&m.b, qb_ldi(QB_R1, b));
	qb_emit(&m.b, qb_pack(mode, false, qb_add(op, QB_RA(1), QB_R0, QB_R1)));
	qb_emit(&m.b, qb_nop());
	qb_emit(&m.b, qb_mov(QB_R2, QB_RA(1)));
	expect_all(result_of(QB_R2), expected);
}

static void packs(void **state)
{
	const enum v3d_qpu_add_op add = V3D_QPU_ADD_ADD, sub = V3D_QPU_ADD_SUB,
				  fadd = V3D_QPU_ADD_FADD;

	(void)state;
	/* without overflow: AG100 Table 7 */
	expect_pack(0x12345678, 0, add, 1, 0x11225678);
	expect_pack(0x12345678, 0, add, 2, 0x56783344);
	expect_pack(0x12345678, 0, add, 3, 0x78787878);
	expect_pack(0x12345678, 0, add, 4, 0x11223378);
	expect_pack(0x12345678, 0, add, 7, 0x78223344);
	expect_pack(0x12345678, 0, add, 8, 0x12345678);
	expect_pack(0x12345678, 0, add, 9, 0x11227fff);
	expect_pack(0xffff0000, 0, add, 10, 0x80003344);
	expect_pack(0x0000fff0, 0, add, 11, 0xffffffff);
	expect_pack(0xfffffff0, 0, add, 13, 0x11220044);
	/*
	 * HW: signed overflow shows in every pack; for sub in the direction of the wrapped result
	 */
	expect_pack(0x7fffffff, 1, add, 8, 0x7fffffff);
	expect_pack(0x80000000, 0xffffffff, add, 8, 0x80000000);
	expect_pack(0x80000000, 1, sub, 8, 0x7fffffff);
	expect_pack(0x7fffffff, 1, add, 1, 0x11227fff);
	expect_pack(0x80000000, 0x80000000, add, 2, 0x80003344);
	expect_pack(0x7fffffff, 1, add, 4, 0x112233ff);
	expect_pack(0x80000000, 0xffffffff, add, 4, 0x11223300);
	/* wrapped to 0, which fits */
	expect_pack(0x80000000, 0x80000000, add, 9, 0x11228000);
	expect_pack(0x7fffffff, 1, add, 9, 0x11220000);			/* 0x7fff & 0x8000 */
	expect_pack(0x80000000, 1, sub, 9, 0x11227fff);			/* 0x7fff & 0x7fff */
	expect_pack(0x7fffffff, 1, add, 12, 0x11223300);		/* 0xff & 0 */
	/* floats: half in 16-bit packs (HW: to nearest), the integer's bits in 8-bit ones */
	expect_pack(0x46fffe00, 0, fadd, 1, 0x11227800);		/* 32767.0 */
	expect_pack(0xbf800000, 0, fadd, 10, 0xbc003344);
	expect_pack(0x3f8000aa, 0, fadd, 4, 0x112233aa);
	expect_pack(0x7f800000, 0, fadd, 1, 0x11227c00);
	expect_pack(0x33000000, 0, fadd, 1, 0x11220000);
}

static void mul_packs(void **state)
{
	/* AG100 Table 9: sat[round(f * 255)] into a byte of any destination */
	static const struct {
		uint32_t value;
		uint8_t byte;
	} table[] = {
		{ 0, 0 }, { 0x3f800000, 255 }, { 0x40000000, 255 }, { 0xbf800000, 0 },
		{ 0x3f000000, 128 }, { 0x3f008080, 128 }, { 0x7f800000, 255 }, { 0x3b008080, 0 },
		{ 0x3b008081, 1 },
	};

	(void)state;
	for (unsigned int i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		qb_emit(&m.b, qb_ldi(QB_R0, 0x11223344));
		qb_emit(&m.b, qb_ldi(QB_R1, table[i].value));
		qb_emit(&m.b, qb_pack(5, true, qb_mul_mov(QB_R0, QB_R1)));
		expect_all(result_of(QB_R0), 0x11220044u | table[i].byte << 8);
		qb_emit(&m.b, qb_ldi(QB_R1, table[i].value));
		qb_emit(&m.b, qb_pack(3, true, qb_mul_mov(QB_R0, QB_R1)));
		expect_all(result_of(QB_R0), table[i].byte * 0x01010101u);
	}
}

/* From the third instruction after an SFU write, r4 has the result (AG100 p. 22) */
static void sfu_latency(void **state)
{
	(void)state;
	qb_emit(&m.b, qb_mov(QB_RECIP, qb_imm_float(1)));
	qb_nops(&m.b, 2);
	qb_emit(&m.b, qb_mov(QB_R0, QB_R4));
	expect_all(result_of(QB_R0), 0x3f000000);
	assert_int_equal(stat_of(&m, "broken_rules"), 0);
	qb_emit(&m.b, qb_mov(QB_RECIP, qb_imm_float(2)));
	qb_nops(&m.b, 1);
	qb_emit(&m.b, qb_mov(QB_R0, QB_R4));
	expect_all(result_of(QB_R0), 0);
	assert_int_equal(stat_of(&m, "broken_rules"), 1);
	assert_non_null(strstr(m.rule, "broken rule sfu_r4"));
	assert_non_null(strstr(m.rule, "QPU11 0x10000010"));
}

static void branches(void **state)
{
	uint32_t top, over;

	(void)state;
	/*
	 * a loop of five, with its three delay slots; the flags it looks at are those before the
	 * branch
	 */
	qb_emit(&m.b, qb_mov(QB_R0, qb_imm(0)));
	qb_emit(&m.b, qb_mov(QB_R1, qb_imm(5)));
	top = qb_here(&m.b);
	qb_emit(&m.b, qb_flags(qb_add(V3D_QPU_ADD_SUB, QB_R1, QB_R1, qb_imm(1))));
	qb_branch_to(&m.b, V3D_QPU_BRANCH_ANY_ZC, top);
	qb_emit(&m.b, qb_add(V3D_QPU_ADD_ADD, QB_R0, QB_R0, qb_imm(1)));
	qb_emit(&m.b, qb_add(V3D_QPU_ADD_ADD, QB_R0, QB_R0, qb_imm(2)));
	qb_emit(&m.b, qb_add(V3D_QPU_ADD_ADD, QB_R0, QB_R0, qb_imm(4)));
	expect_all(result_of(QB_R0), 5 * 7);

	/* link: the branch's address plus 4 instructions, only if taken */
	qb_emit(&m.b, qb_mov(QB_R0, qb_imm(1)));
	qb_emit(&m.b, qb_branch(V3D_QPU_BRANCH_ALL_ZS, true, 0, QB_R0));
	qb_nops(&m.b, 3);
	expect_all(result_of(QB_R0), 1);
	over = qb_here(&m.b);
	qb_emit(&m.b, qb_branch(V3D_QPU_BRANCH_ALWAYS, true, 0, QB_R2));
	qb_nops(&m.b, 3);
	expect_all(result_of(QB_R2), bus_of(CODE) + (over + 4) * 8);

	/* HW: a target register's element 15 */
	qb_emit(&m.b, qb_mov(QB_R1, qb_imm(0)));
	qb_emit(&m.b, qb_mov(QB_R0, QB_ELEMENT));
	qb_emit(&m.b, qb_add(V3D_QPU_ADD_SUB, QB_R0, QB_R0, qb_imm(15)));
	qb_emit(&m.b, qb_add(V3D_QPU_ADD_ADD, QB_RA(2), QB_R0, qb_imm(8)));
	qb_nops(&m.b, 1);
	qb_emit(&m.b, qb_branch_register(qb_branch(V3D_QPU_BRANCH_ALWAYS, true, 0, QB_NONE), 2));
	qb_nops(&m.b, 3);
	/* skipped: target is one instruction further */
	qb_emit(&m.b, qb_mov(QB_R1, qb_imm(3)));
	expect_all(result_of(QB_R1), 0);
	assert_int_equal(stat_of(&m, "broken_rules"), 0);
}

/* A branch in the third delay slot of another is legal (HW) */
static void branch_in_slot(void **state)
{
	uint32_t first, second;

	(void)state;
	qb_emit(&m.b, qb_mov(QB_R0, qb_imm(0)));
	first = qb_here(&m.b);
	qb_emit(&m.b, qb_branch(V3D_QPU_BRANCH_ALWAYS, true, 0, QB_NONE));
	qb_nops(&m.b, 2);
	second = qb_here(&m.b);
	qb_emit(&m.b, qb_branch(V3D_QPU_BRANCH_ALWAYS, true, 0, QB_NONE));
	qb_emit(&m.b, qb_mov(QB_R0, qb_imm(-1)));	/* never reached */
	qb_patch(&m.b, first, qb_here(&m.b));
	for (int n = 0; n < 5; n++)			/* three of these are slots of the second */
		qb_emit(&m.b, qb_add(V3D_QPU_ADD_ADD, QB_R0, QB_R0, qb_imm(1)));
	qb_patch(&m.b, second, qb_here(&m.b));
	expect_all(result_of(QB_R0), 3);
	assert_int_equal(stat_of(&m, "broken_rules"), 0);
}

/* HW: all conditions of AG100 Table 11 against flags that all, some or no lanes have */
static void branch_conditions(void **state)
{
	/* lanes below: N and C set, Z set on the others */
	static const int below[] = { 0, 5, 16 };

	(void)state;
	for (unsigned int i = 0; i < 3; i++) {
		for (unsigned int condition = 0; condition < 12; condition++) {
			bool on[16], any = false, all = true;

			for (int n = 0; n < 16; n++) {
				on[n] = condition / 4 == 0 ? n >= below[i] : n < below[i];
				on[n] ^= condition & 1;
				any |= on[n];
				all &= on[n];
			}
			qb_emit(&m.b, qb_mov(QB_R0, QB_ELEMENT));
			qb_emit(&m.b, qb_ldi(QB_R2, below[i]));
			qb_emit(&m.b, qb_add(V3D_QPU_ADD_SUB, QB_R0, QB_R0, QB_R2));
			qb_emit(&m.b, qb_flags(qb_add(V3D_QPU_ADD_MIN, QB_NONE, QB_R0, qb_imm(0))));
			qb_emit(&m.b, qb_ldi(QB_R2, 0));
			/* C of sub: below as unsigned */
			qb_emit(&m.b, qb_mov(QB_R0, QB_ELEMENT));
			qb_emit(&m.b, qb_ldi(QB_R1, below[i]));
			if (condition >= 8)
				qb_emit(&m.b,
					qb_flags(qb_add(V3D_QPU_ADD_SUB, QB_NONE, QB_R0, QB_R1)));
			qb_emit(&m.b, qb_branch(condition, true, 8, QB_NONE));
			qb_nops(&m.b, 3);
			qb_emit(&m.b, qb_ldi(QB_R2, 1));
			expect_all(result_of(QB_R2), (condition & 2 ? any : all) ? 0 : 1);
		}
	}
}

/*
 * An instruction that reads what the previous one wrote to a file gets the old value here, and
 * breaks a rule
 */
static void register_latency(void **state)
{
	(void)state;
	qb_emit(&m.b, qb_ldi(QB_RA(1), 1));
	qb_nops(&m.b, 1);
	qb_emit(&m.b, qb_ldi(QB_RA(1), 2));
	qb_emit(&m.b, qb_add(V3D_QPU_ADD_ADD, QB_RA(1), QB_RA(1), qb_imm(4)));
	qb_nops(&m.b, 1);
	qb_emit(&m.b, qb_mov(QB_R0, QB_RA(1)));
	expect_all(result_of(QB_R0), 5);
	assert_int_equal(stat_of(&m, "broken_rules"), 1);
	assert_non_null(strstr(m.rule, "register_latency"));
}

static void uniform_stream(void **state)
{
	const uint32_t *row;

	(void)state;
	at(&m, UNIFORMS)[0] = 11;
	at(&m, UNIFORMS)[1] = bus_of(UNIFORMS + 0x100);
	at(&m, UNIFORMS + 0x100)[0] = 22;
	at(&m, UNIFORMS + 0x100)[1] = 33;
	qb_emit(&m.b, qb_mov(QB_R0, QB_UNIF));
	qb_emit(&m.b, qb_mov(QB_UNIF_ADDR, QB_UNIF));
	qb_nops(&m.b, 2);
	qb_emit(&m.b, qb_add(V3D_QPU_ADD_ADD, QB_R0, QB_UNIF, QB_R0));
	qb_emit(&m.b, qb_add(V3D_QPU_ADD_ADD, QB_R0, QB_UNIF, QB_R0));
	row = result_of(QB_R0);
	expect_all(row, 66);
	assert_int_equal(stat_of(&m, "broken_rules"), 0);
}

static void uniform_limit(void **state)
{
	(void)state;
	at(&m, UNIFORMS)[0] = 5;
	at(&m, UNIFORMS)[1] = 6;
	qb_emit(&m.b, qb_mov(QB_R0, QB_UNIF));
	qb_emit(&m.b, qb_add(V3D_QPU_ADD_ADD, QB_R0, QB_UNIF, QB_R0));
	qb_write_row(&m.b, 0, QB_R0);
	machine_store(&m, 0, 1, 0);
	qb_end(&m.b);
	v3dsim_write(m.sim, V3D_SRQUA, bus_of(UNIFORMS));
	v3dsim_write(m.sim, V3D_SRQUL, 1);
	v3dsim_write(m.sim, V3D_SRQPC, machine_place(&m, CODE));
	assert_int_equal(v3dsim_run(m.sim, 1000), V3DSIM_IDLE);
	expect_all(at(&m, OUTPUT), 5);
	assert_non_null(strstr(m.rule, "uniform_limit"));
}

/*
 * The words of the vertex shader in qpu-readme's null.vs, from vw_setup on, as a user program:
 * uniforms to VPM rows
 */
static void words_from_a_dump(void **state)
{
	static const uint32_t words[][2] = {
		{ 0x15827d80, 0x10020827 },	/* mov r0, unif */
		{ 0x15827d80, 0x10021c67 },	/* mov vw_setup, unif */
		{ 0x15827d80, 0x10020c27 },	/* mov vpm, unif */
		{ 0x01827c00, 0x10020c27 },	/* fadd vpm, unif, r0 */
		{ 0x009e7000, 0x100009e7 },	/* nop */
	};

	(void)state;
	for (unsigned int n = 0; n < sizeof(words) / sizeof(words[0]); n++)
		m.code[m.b.count++] = words[n][0] | (uint64_t)words[n][1] << 32;
	machine_store(&m, 0, 2, 0);
	m.code[m.b.count++] = 0x300009e7009e7000;	/* thrend */
	m.code[m.b.count++] = 0x100009e7009e7000;
	m.code[m.b.count++] = 0x100009e7009e7000;
	at(&m, UNIFORMS)[0] = 0x3f800000;
	at(&m, UNIFORMS)[1] = 0x00001a00;	/* horizontal, 32-bit, stride 1, row 0 */
	at(&m, UNIFORMS)[2] = 0x1234;
	at(&m, UNIFORMS)[3] = 0x40000000;
	assert_int_equal(machine_run(&m), V3DSIM_IDLE);
	expect_all(at(&m, OUTPUT), 0x1234);
	expect_all(at(&m, OUTPUT) + 16, 0x40400000);
	assert_int_equal(stat_of(&m, "broken_rules"), 0);
}

/* Two threads on a QPU, by hand: each sees its own half of the files at the low addresses */
static void two_threads(void **state)
{
	struct qps *s = m.sim->qps;
	struct qpu *q = &s->qpu[3];
	uint64_t spent = 0;
	uint32_t pc;

	(void)state;
	qb_emit(&m.b, qb_signal(V3D_QPU_SIG_THREAD_SWITCH, qb_mov(QB_RA(4), QB_UNIF)));
	qb_nops(&m.b, 2);
	qb_emit(&m.b, qb_mov(QB_RB(5), QB_RA(4)));
	qb_end(&m.b);
	pc = machine_place(&m, CODE);
	at(&m, UNIFORMS)[0] = 100;
	at(&m, UNIFORMS)[1] = 200;
	qpu_start(q, 0, pc, bus_of(UNIFORMS), UINT32_MAX);
	qpu_start(q, 1, pc, bus_of(UNIFORMS + 4), UINT32_MAX);
	q->until = 1000;
	assert_int_equal(machine_step(&m, q, &spent), QPU_SWITCHED);
	assert_int_equal(spent, 3);
	qpu_switch(q);
	assert_int_equal(machine_step(&m, q, &spent), QPU_SWITCHED);
	qpu_switch(q);
	assert_int_equal(q->current, 0);
	assert_int_equal(machine_step(&m, q, &spent), QPU_ENDED);
	assert_int_equal(q->regs[QPU_FILE_B + 5].lane[0], 100);
	assert_int_equal(q->regs[QPU_FILE_A + 4].lane[0], 100);
	assert_int_equal(q->regs[QPU_FILE_A + 20].lane[0], 200);
	qpu_switch(q);
	assert_int_equal(machine_step(&m, q, &spent), QPU_ENDED);
	assert_int_equal(q->regs[QPU_FILE_B + 5].lane[0], 200);
	assert_int_equal(q->regs[QPU_FILE_B + 21].lane[0], 100);
}

/* It can stop before any instruction, and the result is the same */
static void any_budget(void **state)
{
	(void)state;
	for (unsigned int budget = 1; budget < 20; budget++) {
		enum v3dsim_state s;

		qb_emit(&m.b, qb_mov(QB_R0, QB_ELEMENT));
		qb_emit(&m.b, qb_mov(QB_RECIP, qb_imm_float(3)));
		qb_emit(&m.b, qb_add(V3D_QPU_ADD_ADD, QB_R1, QB_R0, qb_imm(3)));
		qb_emit(&m.b, qb_rotate(QB_R2, QB_R0, 1));
		qb_emit(&m.b, qb_add(V3D_QPU_ADD_ADD, QB_R0, QB_R1, QB_R4));
		qb_write_row(&m.b, 0, QB_R0);
		machine_store(&m, 0, 1, 0);
		qb_end(&m.b);
		machine_request(&m, machine_place(&m, CODE), 0);
		while ((s = v3dsim_run(m.sim, budget)) == V3DSIM_BUSY)
			;
		assert_int_equal(s, V3DSIM_IDLE);
		for (unsigned int n = 0; n < 16; n++)
			assert_int_equal(at(&m, OUTPUT)[n], n + 3 + 0x3e000000);
		assert_int_equal(stat_of(&m, "instructions"), budget * 15);
		memset(at(&m, OUTPUT), 0, 64);
	}
}

static void expect_rule(const char *name)
{
	char what[64];

	snprintf(what, sizeof(what), "broken rule %s:", name);
	qb_end(&m.b);
	m.rule[0] = '\0';
	machine_run(&m);
	if (!strstr(m.rule, what))
		fail_msg("%s expected, got %s", what, m.rule);
	v3dsim_power(m.sim, false);	/* whatever hangs */
	v3dsim_power(m.sim, true);
	v3dsim_write(m.sim, V3D_VPMBASE, 16);
}

static void broken_rules(void **state)
{
	(void)state;
	qb_emit(&m.b, qb_signal(V3D_QPU_SIG_PROGRAM_END, qb_mov(QB_RA(1), QB_R0)));
	expect_rule("end_write");
	qb_emit(&m.b, qb_signal(V3D_QPU_SIG_PROGRAM_END, qb_nop()));
	qb_emit(&m.b, qb_mov(QB_R0, QB_UNIF));
	expect_rule("end_access");
	qb_emit(&m.b, qb_signal(V3D_QPU_SIG_PROGRAM_END, qb_nop()));
	qb_emit(&m.b, qb_mov(QB_R0, QB_RA(14)));
	expect_rule("end_address_14");
	qb_emit(&m.b, qb_ldi(QB_TMU_NOSWAP, 1));
	qb_nops(&m.b, 1);
	qb_emit(&m.b, qb_ldi(QB_TMU0_S, bus_of(INPUT)));
	expect_rule("noswap");
	qb_emit(&m.b, qb_ldi(QB_R5REP, 1));
	qb_emit(&m.b, qb_rotate(QB_R1, QB_R0, 0));
	expect_rule("rotate_r5");
	qb_emit(&m.b, qb_ldi(QB_R0, 1));
	qb_emit(&m.b, qb_rotate(QB_R1, QB_R0, 3));
	expect_rule("rotate_accumulator");
	qb_emit(&m.b, qb_both(qb_mov(QB_RECIP, QB_R0), qb_mul_mov(QB_TMU0_S, QB_R0)));
	expect_rule("peripherals");
	qb_emit(&m.b, qb_branch(V3D_QPU_BRANCH_ALWAYS, true, 0, QB_NONE));
	qb_nops(&m.b, 1);
	qb_emit(&m.b, qb_branch(V3D_QPU_BRANCH_ALWAYS, true, 0, QB_NONE));
	qb_nops(&m.b, 3);
	expect_rule("branch_slots");
	qb_emit(&m.b, qb_ldi(QB_UNIF_ADDR, bus_of(UNIFORMS)));
	qb_nops(&m.b, 1);
	qb_emit(&m.b, qb_mov(QB_R0, QB_UNIF));
	expect_rule("uniforms_address");
	qb_emit(&m.b, qb_both(qb_mov(QB_R0, QB_R1), qb_mul_mov(QB_R0, QB_R2)));
	expect_rule("same_destination");
	qb_emit(&m.b, qb_add(9, QB_R0, QB_R1, QB_R1));
	expect_rule("reserved");
	qb_emit(&m.b, qb_mov(QB_R0, QB_RA(V3D_QPU_R_VARYING)));
	expect_rule("fragment_only");
	qb_emit(&m.b, qb_ldi(QB_IO(V3D_QPU_W_TLB_COLOUR_ALL), 0));
	expect_rule("fragment_only");
	qb_emit(&m.b, qb_ldi(QB_HOST_INT, 0));
	expect_rule("host_int_zero");
}

/* What an operation that never happens would have rotated does not matter */
static void unbroken_rules(void **state)
{
	(void)state;
	qb_emit(&m.b, qb_ldi(QB_R0, 1));
	qb_emit(&m.b, qb_if(V3D_QPU_COND_NEVER, qb_rotate(QB_R1, QB_R0, 3)));
	qb_end(&m.b);
	m.rule[0] = '\0';
	machine_run(&m);
	assert_string_equal(m.rule, "");
}

/* Any words whatever: bounded, no crash, and the same each time */
static void random_programs(void **state)
{
	uint64_t seed = 88172645463325252u;

	(void)state;
	for (unsigned int program = 0; program < 3000; program++) {
		for (unsigned int n = 0; n < 64; n++) {
			m.code[n] = xorshift(&seed);
			if (program & 1)	/* mostly ALU instructions without signals */
				m.code[n] = (m.code[n] & ~(UINT64_C(0xf) << 60)) | UINT64_C(1)
											   << 60;
		}
		memcpy(at(&m, CODE), m.code, 64 * 8);
		at(&m, UNIFORMS)[0] = seed;
		machine_request(&m, bus_of(CODE), bus_of(UNIFORMS));
		machine_request(&m, bus_of(CODE), bus_of(UNIFORMS));
		v3dsim_run(m.sim, 400);
		v3dsim_power(m.sim, false);
		v3dsim_power(m.sim, true);
		v3dsim_write(m.sim, V3D_VPMBASE, 16);
	}
}

/* The listing of qpu-readme's add.fs and null.vs, and forms that it does not have */
static void texts(void **state)
{
	static const struct {
		uint64_t word;
		const char *text;
	} table[] = {
		{ 0x1002082715827d80, "mov r0, unif; nop" },
		{ 0x1002082701827c00, "fadd r0, unif, r0; nop" },
		{ 0x4002086701827c00, "fadd r1, unif, r0; nop; sbwait" },
		{ 0x10021c6715827d80, "mov vw_setup, unif; nop" },
		{ 0x10024c2095020dbf, "mov vpm, ra0; mov r0, unif" },
		{ 0x300009e7009e7000, "nop; nop; thrend" },
		{ 0xe0020827deadbeef, "ldi r0, 0xdeadbeef" },
	};
	char text[192];

	(void)state;
	for (unsigned int n = 0; n < sizeof(table) / sizeof(table[0]); n++) {
		qpu_text(text, sizeof(text), table[n].word);
		assert_string_equal(text, table[n].text);
	}
	for (unsigned int n = 0; n < 20; n++) {	/* cut, and never past the end */
		memset(text, '#', sizeof(text));
		qpu_text(text, n, 0x4002086701827c00);
		assert_int_equal(text[n], '#');
	}
}

int main(void)
{
#define T(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
	const struct CMUnitTest tests[] = {
		T(load_immediates), T(small_immediates), T(element_and_qpu_number), T(conditions),
		T(flags), T(rotations),
		T(accumulator_5), T(nop_address), T(unpacks), T(packs), T(mul_packs),
		T(sfu_latency), T(branches),
		T(branch_in_slot), T(branch_conditions), T(register_latency), T(uniform_stream),
		T(uniform_limit),
		T(words_from_a_dump), T(two_threads), T(any_budget), T(broken_rules),
		T(unbroken_rules), T(texts),
		T(random_programs),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
