// SPDX-License-Identifier: MIT
/*
 * The program that writes 0 to the VPM's 64 rows of user programs: instruction by instruction, and before the checker.
 */
#include "common.h"
#include "wipe.h"

#define ROWS 64

static __u64 code[V3DCL_WIPE_COUNT + 1];

/* A load of an immediate to register 49: in file A that sets up reads, in file B writes (AG100 Table 14). */
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

/* Set-up, a write a row, set-up, three instructions between (AG100 p. 55), the read back, one more, the end, its two delay slots */
TEST(test_wipe)
{
	const struct v3d_qpu_inst nop = qb_nop(), end = qb_signal(V3D_QPU_SIG_PROGRAM_END, nop);
	__u32 n = 0, i;

	(void)state;
	code[V3DCL_WIPE_COUNT] = 0x5a;
	v3dcl_wipe_code(code);
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
	assert_int_equal(n, V3DCL_WIPE_COUNT);
	assert_int_equal(code[n], 0x5a);
}

/* It is a program that anybody may run, without uniforms or accesses to memory. */
TEST(test_proven)
{
	static __u64 scratch[1 << 14];
	struct v3dcl_program program;
	struct v3dcl_refusal refusal;

	(void)state;
	v3dcl_wipe_code(code);
	assert_true(v3dcl_program_scratch(code, V3DCL_WIPE_COUNT) <= sizeof(scratch));
	assert_true(v3dcl_check_program(code, V3DCL_WIPE_COUNT, scratch, sizeof(scratch), &program, &refusal));
	assert_int_equal(program.use_count, 0);
	assert_int_equal(program.uniform_words, 0);
	assert_int_equal(program.last_end, V3DCL_WIPE_COUNT - 3);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_wipe), cmocka_unit_test(test_proven) };

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests_name("wipe", tests, NULL, NULL);
}
