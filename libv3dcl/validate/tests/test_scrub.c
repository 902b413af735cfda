// SPDX-License-Identifier: MIT
/*
 * The programs that scrub: the VPM's 64 rows of user programs, and the registers of the QPUs:
 * instruction by instruction, and before the checker.
 */
#include "common.h"
#include "scrub.h"

#define ROWS 64

static __u64 code[V3DCL_SCRUB_ROWS_COUNT + 1];

/*
 * A load of an immediate to register 49: in file A that sets up reads, in file B writes (AG100
 * Table 14).
 */
static void assert_setup(__u64 word, __u32 immediate, bool write)
{
	const struct v3d_qpu_inst inst = v3d_qpu_decode(word);
	const bool mul = write != inst.ws;

	assert_int_equal(inst.kind, V3D_QPU_LOAD_32);
	assert_int_equal(inst.immediate, immediate);
	assert_int_equal(mul ? inst.waddr_mul : inst.waddr_add, 49);
	assert_int_equal(mul ? inst.cond_mul : inst.cond_add, V3D_QPU_COND_ALWAYS);
	assert_int_equal(mul ? inst.waddr_add : inst.waddr_mul, V3D_QPU_W_NOP);
}

/*
 * Set-up, a write a row, set-up, three instructions between (AG100 p. 55), the read back, one more,
 * the end, its two delay slots
 */
TEST(test_rows)
{
	const struct v3d_qpu_inst nop = qb_nop(), end = qb_signal(V3D_QPU_SIG_PROGRAM_END, nop);
	__u32 n = 0, i;

	(void)state;
	code[V3DCL_SCRUB_ROWS_COUNT] = 0x5a;
	v3dcl_scrub_rows(code);
	assert_setup(code[n++], qb_word_vpm_write(0), true);
	for (i = 0; i < ROWS; i++, n++) {
		const struct v3d_qpu_inst inst = v3d_qpu_decode(code[n]);

		assert_int_equal(inst.waddr_add, V3D_QPU_W_VPM_WRITE);
		assert_int_equal(inst.cond_add, V3D_QPU_COND_ALWAYS);
		assert_int_equal(inst.op_add, V3D_QPU_ADD_OR);
		assert_int_equal(inst.kind, V3D_QPU_ALU_SMALL_IMMEDIATE);
		assert_int_equal(inst.raddr_b, 0);		/* the number 0 */
		assert_int_equal(inst.add_a, V3D_QPU_B);
		assert_int_equal(inst.add_b, V3D_QPU_B);
	}
	assert_setup(code[n++], qb_word_vpm_read(63, 1), false);
	for (i = 0; i < 3; i++)
		assert_int_equal(code[n++], v3d_qpu_encode(&nop));
	assert_int_equal(v3d_qpu_decode(code[n]).raddr_a, V3D_QPU_R_VPM_READ);
	assert_int_equal(v3d_qpu_decode(code[n++]).waddr_add, V3D_QPU_W_ACC0);
	assert_int_equal(code[n++], v3d_qpu_encode(&nop));
	assert_int_equal(code[n++], v3d_qpu_encode(&end));
	assert_int_equal(code[n++], v3d_qpu_encode(&nop));
	assert_int_equal(code[n++], v3d_qpu_encode(&nop));
	assert_int_equal(n, V3DCL_SCRUB_ROWS_COUNT);
	assert_int_equal(code[n], 0x5a);
}

#define QPUS 12
#define FIRST_COUNT (2 * (QPUS - 1) + 42)
#define OTHER_COUNT (2 + 42)

/* AG100 Figure 6: bit 4 decrements, bits 3 to 0 are the semaphore; nothing is written */
static void assert_semaphore(__u64 word, __u32 semaphore, bool down)
{
	const struct v3d_qpu_inst inst = v3d_qpu_decode(word);

	assert_int_equal(inst.kind, V3D_QPU_SEMAPHORE);
	assert_int_equal(inst.immediate, semaphore + (down ? 16 : 0));
	assert_int_equal(inst.waddr_add, V3D_QPU_W_NOP);
	assert_int_equal(inst.waddr_mul, V3D_QPU_W_NOP);
}

/* A word to one place each of the halves of the register space; 39 for none (AG100 Table 14) */
static void assert_load(__u64 word, __u32 immediate, __u8 add, __u8 mul)
{
	const struct v3d_qpu_inst inst = v3d_qpu_decode(word);

	assert_int_equal(inst.kind, V3D_QPU_LOAD_32);
	assert_int_equal(inst.immediate, immediate);
	assert_int_equal(inst.ws, 0);
	assert_int_equal(inst.waddr_add, add);
	assert_int_equal(inst.waddr_mul, mul);
	assert_int_equal(inst.cond_add, V3D_QPU_COND_ALWAYS);
	assert_int_equal(inst.cond_mul, mul == 39 ? V3D_QPU_COND_NEVER : V3D_QPU_COND_ALWAYS);
	assert_int_equal(inst.sf, 0);
}

/*
 * From behind the semaphores: both files; r0 to r3, r5 (37); r4 by the logarithm (55) of 1, for
 * which two wait; flags; the end
 */
static void assert_scrubs(const __u64 *from)
{
	const struct v3d_qpu_inst nop = qb_nop(), end = qb_signal(V3D_QPU_SIG_PROGRAM_END, nop);
	const struct v3d_qpu_inst flags =
		qb_flags(qb_add(V3D_QPU_ADD_OR, QB_NONE, QB_RA(0), QB_RB(0)));
	__u32 n;

	for (n = 0; n < 32; n++)
		assert_load(from[n], 0, n, n);
	assert_load(from[32], 0, 32, 33);
	assert_load(from[33], 0, 34, 35);
	assert_load(from[34], 0, 37, 39);
	assert_load(from[35], 0x3f800000, 55, 39);
	assert_int_equal(from[36], v3d_qpu_encode(&nop));
	assert_int_equal(from[37], v3d_qpu_encode(&nop));
	assert_int_equal(from[38], v3d_qpu_encode(&flags));
	assert_int_equal(from[39], v3d_qpu_encode(&end));
	assert_int_equal(from[40], v3d_qpu_encode(&nop));
	assert_int_equal(from[41], v3d_qpu_encode(&nop));
}

/*
 * The first one waits for eleven others and lets eleven go on; each of these tells the first one
 * and waits
 */
TEST(test_registers)
{
	__u32 i;

	(void)state;
	assert_int_equal(V3DCL_SCRUB_REGISTERS_COUNT(QPUS - 1), FIRST_COUNT);
	assert_int_equal(V3DCL_SCRUB_REGISTERS_COUNT(1), OTHER_COUNT);
	code[FIRST_COUNT] = 0x5a;
	assert_int_equal(v3dcl_scrub_registers(code, QPUS, true), FIRST_COUNT);
	assert_int_equal(code[FIRST_COUNT], 0x5a);
	for (i = 0; i < QPUS - 1; i++) {
		assert_semaphore(code[i], 0, true);
		assert_semaphore(code[QPUS - 1 + i], 1, false);
	}
	assert_scrubs(code + FIRST_COUNT - 42);

	code[OTHER_COUNT] = 0x5a;
	assert_int_equal(v3dcl_scrub_registers(code, QPUS, false), OTHER_COUNT);
	assert_int_equal(code[OTHER_COUNT], 0x5a);
	assert_semaphore(code[0], 0, false);
	assert_semaphore(code[1], 1, true);
	assert_scrubs(code + 2);
}

/* A QPU that is the only one waits for none */
TEST(test_one_qpu)
{
	(void)state;
	assert_int_equal(v3dcl_scrub_registers(code, 1, true), 42);
	assert_scrubs(code);
}

static void check(__u32 count, struct v3dcl_program *program)
{
	static __u64 scratch[1 << 14];
	struct v3dcl_refusal refusal;

	assert_true(v3dcl_program_scratch(code, count) <= sizeof(scratch));
	assert_true(v3dcl_check_program(code, count, scratch, sizeof(scratch), program, &refusal));
	assert_int_equal(program->use_count, 0);
	assert_int_equal(program->uniform_words, 0);
	assert_int_equal(program->last_end, count - 3);
}

/* They are programs that every client may run, without uniforms or accesses to memory. */
TEST(test_verified)
{
	struct v3dcl_program program;

	(void)state;
	v3dcl_scrub_rows(code);
	check(V3DCL_SCRUB_ROWS_COUNT, &program);
}

/* Together they leave the semaphores as they were */
TEST(test_registers_verified)
{
	struct v3dcl_program program;

	(void)state;
	v3dcl_scrub_registers(code, QPUS, true);
	check(FIRST_COUNT, &program);
	assert_int_equal(program.semaphores[0], -11);
	assert_int_equal(program.semaphores[1], 11);
	v3dcl_scrub_registers(code, QPUS, false);
	check(OTHER_COUNT, &program);
	assert_int_equal(program.semaphores[0], 1);
	assert_int_equal(program.semaphores[1], -1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_rows),
		cmocka_unit_test(test_registers),
		cmocka_unit_test(test_one_qpu),
		cmocka_unit_test(test_verified),
		cmocka_unit_test(test_registers_verified),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests_name("scrub", tests, NULL, NULL);
}
