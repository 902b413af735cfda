// SPDX-License-Identifier: MIT
/*
 * The QPU instruction word against AG100 Tables 1 to 5, 10 to 14 and Figures 4 to 7.
 */
#include "rows.h"

#include <v3d/qpu.h>

/* Table 1 and Figure 4: fields from the top bit down, with their widths */
static const char alu[] =
	"4 sig 3 unpack 1 pm 4 pack 3 cond_add 3 cond_mul 1 sf 1 ws 6 waddr_add 6 waddr_mul "
	"3 op_mul 5 op_add 6 raddr_a 6 raddr_b 3 add_a 3 add_b 3 mul_a 3 mul_b";
/* Table 10 and Figure 7; the four bits after the signal are unused */
static const char branch[] =
	"4 sig 4 branch_unused 4 cond_br 1 rel 1 reg 5 branch_raddr_a 1 ws 6 waddr_add 6 waddr_mul";
/* Figure 5 */
static const char load[] =
	"4 sig 3 unpack 1 pm 4 pack 3 cond_add 3 cond_mul 1 sf 1 ws 6 waddr_add 6 waddr_mul";

#define MEMBER(name) { #name, offsetof(struct v3d_qpu_inst, name) }
static const struct {
	const char *name;
	size_t at;
} members[] = {
	MEMBER(sig), MEMBER(unpack), MEMBER(pm), MEMBER(pack), MEMBER(cond_add), MEMBER(cond_mul),
	MEMBER(sf), MEMBER(ws),
	MEMBER(waddr_add), MEMBER(waddr_mul), MEMBER(op_mul), MEMBER(op_add), MEMBER(raddr_a),
	MEMBER(raddr_b), MEMBER(add_a),
	MEMBER(add_b), MEMBER(mul_a), MEMBER(mul_b), MEMBER(cond_br), MEMBER(rel), MEMBER(reg),
	MEMBER(branch_raddr_a),
	MEMBER(branch_unused),
};

static __u8 *member(struct v3d_qpu_inst *inst, const char *name)
{
	size_t i;

	for (i = 0; i < COUNT(members); i++)
		if (!strcmp(members[i].name, name))
			return (__u8 *)inst + members[i].at;
	fail();
	return NULL;
}

/*
 * Every field alone at all ones, seen by decode and made by encode; then random words. The signal
 * makes the kind.
 */
static void check_layout(const char *row, __u64 signal, unsigned int immediate_bits)
{
	unsigned int bits, top = 64;
	char name[20];
	int used;

	for (; sscanf(row, "%u %19s%n", &bits, name, &used) == 2; row += used) {
		__u64 mask = ((1ull << bits) - 1) << (top - bits), word = signal << 60 | mask;
		struct v3d_qpu_inst inst;

		top -= bits;
		if (!strcmp(name, "sig") || (signal == 14 && !strcmp(name, "unpack")))
			continue;
		inst = v3d_qpu_decode(word);
		assert_int_equal(*member(&inst, name), (1u << bits) - 1);
		*member(&inst, name) = 0;
		assert_true(v3d_qpu_encode(&inst) == signal << 60);
		*member(&inst, name) = 0xff;	/* more than fits */
		assert_true(v3d_qpu_encode(&inst) == word);
	}
	assert_int_equal(top, immediate_bits);
}

static void test_alu_fields(void **state)
{
	__u64 signal;

	(void)state;
	for (signal = 0; signal < 14; signal++)
		check_layout(alu, signal, 0);
}

static void test_branch_fields(void **state)
{
	(void)state;
	check_layout(branch, 15, 32);
	assert_int_equal(v3d_qpu_decode(0xf0000000deadbeefull).immediate, 0xdeadbeef);
}

static void test_load_fields(void **state)
{
	(void)state;
	check_layout(load, 14, 32);
	assert_int_equal(v3d_qpu_decode(0xe0000000deadbeefull).immediate, 0xdeadbeef);
}

/* Figures 5 and 6: unpack says what a load immediate is. */
static void test_kinds(void **state)
{
	static const __u8 loads[8] = { V3D_QPU_LOAD_32, V3D_QPU_LOAD_SIGNED,
				       V3D_QPU_LOAD_RESERVED, V3D_QPU_LOAD_UNSIGNED,
				       V3D_QPU_SEMAPHORE, V3D_QPU_LOAD_RESERVED,
				       V3D_QPU_LOAD_RESERVED, V3D_QPU_LOAD_RESERVED };
	__u64 i;

	(void)state;
	for (i = 0; i < 8; i++)
		assert_int_equal(v3d_qpu_decode(14ull << 60 | i << 57).kind, loads[i]);
	for (i = 0; i < 13; i++)
		assert_int_equal(v3d_qpu_decode(i << 60).kind, V3D_QPU_ALU);
	assert_int_equal(v3d_qpu_decode(13ull << 60).kind, V3D_QPU_ALU_SMALL_IMMEDIATE);
	assert_int_equal(v3d_qpu_decode(15ull << 60).kind, V3D_QPU_BRANCH);
	assert_int_equal(V3D_QPU_SEMAPHORE_NUMBER(0x1b), 11);
	assert_int_equal(V3D_QPU_SEMAPHORE_DECREMENTS(0x1b), 1);
	assert_int_equal(V3D_QPU_SEMAPHORE_DECREMENTS(0x0b), 0);
}

static void test_round_trip(void **state)
{
	uint32_t seed = 7;
	unsigned int i;

	(void)state;
	for (i = 0; i < 200000; i++) {
		__u64 word = (__u64)row_random(&seed) << 32 | row_random(&seed);
		struct v3d_qpu_inst inst = v3d_qpu_decode(word);

		assert_true(v3d_qpu_encode(&inst) == word);
	}
}

/* Names and numbers: Tables 2, 4, 11, 12, 13 */
struct number {
	unsigned int value;
	const char *name;
};

#define NUMBER(value, name, ...) { value, #name },
#define check_numbers(row, list) \
	do { \
		static const struct number header[] = { list(NUMBER) }; \
		check_number_row(row, header, COUNT(header)); \
	} while (0)

static void check_number_row(const char *row, const struct number *header, size_t count)
{
	unsigned int value, n = 0;
	char name[32];
	int used;

	for (; sscanf(row, "%u %31s%n", &value, name, &used) == 2; row += used, n++) {
		assert_true(n < count);
		assert_int_equal(header[n].value, value);
		assert_string_equal(header[n].name, name);
	}
	assert_int_equal(n, count);
}

static void test_numbers(void **state)
{
	(void)state;
	check_numbers("0 NEVER 1 ALWAYS 2 ZS 3 ZC 4 NS 5 NC 6 CS 7 CC", V3D_QPU_CONDITIONS);
	check_numbers("0 BREAK 1 NONE 2 THREAD_SWITCH 3 PROGRAM_END 4 WAIT_SCOREBOARD 5 "
		      "UNLOCK_SCOREBOARD 6 LAST_THREAD_SWITCH "
		      "7 LOAD_COVERAGE 8 LOAD_COLOR 9 LOAD_COLOR_END 10 LOAD_TMU0 11 LOAD_TMU1 12 "
		      "LOAD_ALPHA_MASK "
		      "13 SMALL_IMMEDIATE 14 LOAD_IMMEDIATE 15 BRANCH",
		      V3D_QPU_SIGNALS);
	check_numbers("0 ALL_ZS 1 ALL_ZC 2 ANY_ZS 3 ANY_ZC 4 ALL_NS 5 ALL_NC 6 ANY_NS 7 ANY_NC 8 "
		      "ALL_CS 9 ALL_CC 10 ANY_CS "
		      "11 ANY_CC 15 ALWAYS",
		      V3D_QPU_BRANCH_CONDITIONS);
	check_numbers("0 NOP 1 FADD 2 FSUB 3 FMIN 4 FMAX 5 FMINABS 6 FMAXABS 7 FTOI 8 ITOF 12 ADD "
		      "13 SUB 14 SHR 15 ASR 16 ROR "
		      "17 SHL 18 MIN 19 MAX 20 AND 21 OR 22 XOR 23 NOT 24 CLZ 30 V8ADDS 31 V8SUBS",
		      V3D_QPU_ADD_OPS);
	check_numbers("0 NOP 1 FMUL 2 MUL24 3 V8MULD 4 V8MIN 5 V8MAX 6 V8ADDS 7 V8SUBS",
		      V3D_QPU_MUL_OPS);
}

/* Table 14, writes and reads from 32 on: names that both files share are ours */
static void test_registers(void **state)
{
	(void)state;
	check_numbers("32 ACC0 33 ACC1 34 ACC2 35 ACC3 36 TMU_NOSWAP 37 ACC5 38 HOST_INT 39 NOP 40 "
		      "UNIFORMS_ADDRESS 41 QUAD_XY "
		      "42 MS_REV_FLAGS 43 TLB_STENCIL_SETUP 44 TLB_Z 45 TLB_COLOUR_MS 46 "
		      "TLB_COLOUR_ALL 47 TLB_ALPHA_MASK 48 VPM_WRITE 49 VPM_SETUP 50 VPM_ADDR 51 "
		      "MUTEX_RELEASE 52 SFU_RECIP 53 SFU_RECIPSQRT 54 SFU_EXP 55 SFU_LOG "
		      "56 TMU0_S 57 TMU0_T 58 TMU0_R 59 TMU0_B 60 TMU1_S 61 TMU1_T 62 TMU1_R 63 "
		      "TMU1_B",
		      V3D_QPU_WRITES);
	check_numbers("32 UNIFORM 35 VARYING 38 ELEMENT_QPU_NUMBER 39 NOP 41 PIXEL_COORD 42 "
		      "MS_REV_FLAGS 48 VPM_READ 49 VPM_BUSY "
		      "50 VPM_WAIT 51 MUTEX_ACQUIRE",
		      V3D_QPU_READS);
}

/* Table 3 */
static void test_muxes(void **state)
{
	(void)state;
	assert_int_equal(V3D_QPU_R0, 0);
	assert_int_equal(V3D_QPU_R4, 4);
	assert_int_equal(V3D_QPU_R5, 5);
	assert_int_equal(V3D_QPU_A, 6);
	assert_int_equal(V3D_QPU_B, 7);
}

/* Table 5 */
static void test_small_immediates(void **state)
{
	static const struct {
		unsigned int code;
		__u32 value;
	} rows[] = {
		{ 0, 0 }, { 1, 1 }, { 14, 14 }, { 15, 15 }, { 16, (__u32)-16 }, { 17, (__u32)-15 },
		{ 30, (__u32)-2 }, { 31, (__u32)-1 }, { 32, 0x3f800000 }, { 33, 0x40000000 },
		{ 38, 0x42800000 }, { 39, 0x43000000 }, { 40, 0x3b800000 }, { 41, 0x3c000000 },
		{ 46, 0x3e800000 }, { 47, 0x3f000000 },
		{ 48, (__u32)-16 }, { 63, (__u32)-1 },	/* HW */
	};
	size_t i;

	(void)state;
	for (i = 0; i < COUNT(rows); i++)
		assert_int_equal(v3d_qpu_small_immediate(rows[i].code), rows[i].value);
	assert_int_equal(V3D_QPU_ROTATE, 48);
}

/* Operands that an operation does not have are not read. */
static void test_reads(void **state)
{
	struct v3d_qpu_inst inst = { .kind = V3D_QPU_ALU, .op_add = V3D_QPU_ADD_FADD,
				     .add_a = V3D_QPU_A, .add_b = V3D_QPU_R0, .mul_a = V3D_QPU_B,
				     .mul_b = V3D_QPU_B };

	(void)state;
	assert_true(v3d_qpu_reads(&inst, V3D_QPU_A));
	assert_true(v3d_qpu_reads(&inst, V3D_QPU_R0));
	assert_false(v3d_qpu_reads(&inst, V3D_QPU_B));
	inst.op_mul = V3D_QPU_MUL_FMUL;
	assert_true(v3d_qpu_reads(&inst, V3D_QPU_B));
	inst.op_add = V3D_QPU_ADD_NOT;
	assert_false(v3d_qpu_reads(&inst, V3D_QPU_R0));
	inst.kind = V3D_QPU_LOAD_32;
	assert_false(v3d_qpu_reads(&inst, V3D_QPU_A));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_alu_fields),
		cmocka_unit_test(test_branch_fields),
		cmocka_unit_test(test_load_fields),
		cmocka_unit_test(test_kinds),
		cmocka_unit_test(test_round_trip),
		cmocka_unit_test(test_numbers),
		cmocka_unit_test(test_registers),
		cmocka_unit_test(test_muxes),
		cmocka_unit_test(test_small_immediates),
		cmocka_unit_test(test_reads),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
