// SPDX-License-Identifier: MIT
/*
 * Physical addresses are told to no user: each way by which a program could let one out of the
 * registers, with a job that would print it, and what is like it and tells nothing.
 */
#include "reach.h"

/* Uniform 0 is the BO's address, the others are numbers. */
static bool relocates(__u32 uniforms)
{
	job_start(uniforms);
	job_reloc(0, BO_OUT, 0, DRM_V3DCL_RELOC_READ | DRM_V3DCL_RELOC_WRITE);
	return v3dcl_relocate(&s.job);
}

/* Accepted as a program, but not with an address for uniform 0, which instruction at tells */
#define TOLD_IN(uniforms, at, body) \
	do { \
		start(); \
		body \
		accepted(); \
		assert_false(relocates(uniforms)); \
		assert_refusal(&s.job.refusal, UNIFORMS, ADDRESS_TOLD, 0); \
		assert_int_equal(s.job.refusal.found, at); \
	} while (0)
/* With a number it may */
#define TOLD(uniforms, at, body) \
	do { \
		TOLD_IN(uniforms, at, body); \
		job_start(uniforms); \
		assert_true(v3dcl_relocate(&s.job)); \
	} while (0)

#define KEPT(uniforms, body) \
	do { \
		start(); \
		body \
		accepted(); \
		assert_true(relocates(uniforms)); \
	} while (0)

/* r0 is the address, and the VPM can be written */
#define BEGIN E(qb_mov(QB_R0, QB_UNIF)) qb_setup(&b, QB_VW_SETUP, qb_word_vpm_write(0));
#define PUT(what) E(qb_mov(QB_VPM_WRITE, what))
#define ROW qb_setup(&b, QB_VW_SETUP, qb_word_vdw(0, 1)); \
	qb_setup(&b, QB_VW_SETUP, qb_word_vdw_stride(0));

TEST(test_vpm)
{
	(void)state;
	TOLD(1, 2, BEGIN PUT(QB_R0));
	TOLD(1, 3, BEGIN OP(SHR, QB_R1, QB_R0, qb_imm(8)) PUT(QB_R1));
	TOLD(1, 3, BEGIN OP(AND, QB_R1, QB_R0, qb_imm(1)) PUT(QB_R1));
	TOLD(1, 3, BEGIN E(qb_mul(V3D_QPU_MUL_V8MULD, QB_R1, QB_R0, QB_R0)) PUT(QB_R1));
	TOLD(1, 3, BEGIN OP(NOT, QB_R1, QB_R0, QB_R0) PUT(QB_R1));
	TOLD(1, 5, BEGIN E(qb_mov(QB_RECIP, QB_R0)) NOP NOP PUT(QB_R4));
	TOLD(1, 4, BEGIN E(qb_mov(QB_RA(1), QB_R0)) NOP PUT(QB_RA(1)));
	/* a byte of it */
	TOLD(1, 5, BEGIN ZERO(QB_RA(1)) E(qb_pack(4, false, qb_mov(QB_RA(1), QB_R0)))
	     qb_setup(&b, QB_VW_SETUP, qb_word_vpm_write(0)); PUT(QB_RA(1)));
}

/* What is read in the next instruction may still be what was there. */
TEST(test_late)
{
	(void)state;
	TOLD(1, 5, BEGIN E(qb_mov(QB_RA(1), QB_R0)) NOP ZERO(QB_RA(1)) PUT(QB_RA(1)));
	KEPT(1, BEGIN E(qb_mov(QB_RA(1), QB_R0)) NOP ZERO(QB_RA(1)) NOP PUT(QB_RA(1)) ROW
	     STORE(QB_R0));
}

TEST(test_rotation)
{
	struct v3d_qpu_inst rotate = qb_rotate(QB_R2, QB_R1, 1);

	(void)state;
	rotate.raddr_b = V3D_QPU_ROTATE;	/* by r5 */
	TOLD(1, 6, BEGIN E(qb_mov(QB_R5REP, QB_R0)) E(qb_mov(QB_R1, QB_ELEMENT)) NOP E(rotate)
	     PUT(QB_R2));
}

/* Flags say something of what they were set by. */
TEST(test_flags)
{
	(void)state;
	TOLD(1, 5, BEGIN E(qb_flags(qb_mov(QB_NONE, QB_R0))) ZERO(QB_R1)
	     E(qb_if(V3D_QPU_COND_ZS, qb_ldi(QB_R1, 1))) PUT(QB_R1));
	TOLD(1, 4, BEGIN E(qb_flags(qb_add(V3D_QPU_ADD_SUB, QB_NONE, QB_R0, QB_ELEMENT)))
	     ZERO(QB_R1) E(qb_if(V3D_QPU_COND_ZS, qb_mov(QB_VPM_WRITE, QB_R1))));
	TOLD(1, 3, BEGIN E(qb_flags(qb_mov(QB_NONE, QB_R0))) OVER(0) NOP);
	/* flags that are set in some elements are still the others' */
	TOLD(1, 4, BEGIN E(qb_flags(qb_mov(QB_NONE, QB_R0)))
	     E(qb_if(V3D_QPU_COND_ZS, qb_flags(qb_mov(QB_NONE, QB_ELEMENT)))) OVER(0) NOP);
	KEPT(1, BEGIN E(qb_flags(qb_mov(QB_NONE, QB_R0))) E(qb_flags(qb_mov(QB_NONE, QB_ELEMENT)))
	     OVER(0) NOP);
}

/* Of an address that is computed from another: which word was read, or written, tells it. */
TEST(test_offsets)
{
	(void)state;
	TOLD_IN(2, 2, E(qb_mov(QB_R0, QB_UNIF)) OP(AND, QB_R1, QB_R0, qb_imm(12))
	     OP(ADD, QB_TMU0_S, QB_R1, QB_UNIF) E(SIG(LOAD_TMU0, qb_nop())));
	TOLD_IN(1, 2, E(qb_mov(QB_R0, QB_UNIF)) OP(AND, QB_R1, QB_R0, qb_imm(12))
	     OP(ADD, QB_TMU0_S, QB_R1, QB_R0) E(SIG(LOAD_TMU0, qb_nop())));
	TOLD_IN(1, 4, E(qb_mov(QB_R0, QB_UNIF)) OP(AND, QB_R1, QB_R0, qb_imm(12)) ROW
	     OP(ADD, QB_VDW_ADDR, QB_R1, QB_R0) E(qb_mov(QB_NONE, QB_VDW_WAIT)));
	/* the address itself, and numbers that are none */
	KEPT(2, E(qb_mov(QB_R0, QB_UNIF)) E(qb_mov(QB_R1, QB_ELEMENT))
	     OP(MIN, QB_R1, QB_R1, QB_UNIF)
	     OP(ADD, QB_TMU0_S, QB_R1, QB_R0) E(SIG(LOAD_TMU0, qb_nop()))
	     qb_setup(&b, QB_VW_SETUP, qb_word_vpm_write(0)); PUT(QB_R1) PUT(QB_R4));
}

/* What units other than memory are given */
TEST(test_units)
{
	(void)state;
	TOLD(1, 2, E(qb_mov(QB_R0, QB_UNIF)) OP(AND, QB_R0, QB_R0, qb_imm(7))
	     OP(ADD, QB_VW_SETUP, QB_R0, qb_imm(0)));
	TOLD(1, 1, E(qb_mov(QB_R0, QB_UNIF)) E(qb_mov(QB_HOST_INT, QB_R0)));
	TOLD_IN(3, 1, E(qb_mov(QB_R0, QB_UNIF)) E(qb_mov(QB_TMU0_T, QB_R0))
		E(qb_mov(QB_TMU0_S, QB_R0)) E(SIG(LOAD_TMU0, qb_nop())));
}

/* Paths that meet: what either of them brings */
TEST(test_joins)
{
	(void)state;
	TOLD(1, 9, BEGIN FLAGS ZERO(QB_R1) OVER(1) E(qb_mov(QB_R1, QB_R0)) PUT(QB_R1));
	/* round a loop, one register further each time */
	TOLD(1, 13, BEGIN ZERO(QB_R1) ZERO(QB_R2) ZERO(QB_R3) FLAGS E(qb_mov(QB_R3, QB_R2))
	     E(qb_mov(QB_R2, QB_R1)) E(qb_mov(QB_R1, QB_R0))
	     E(qb_branch(V3D_QPU_BRANCH_ALL_ZS, true, -7 * 8, QB_NONE)) qb_nops(&b, 3);
	     PUT(QB_R3));
}

/* Words are shared by runs: what one relocates the other must not tell. */
TEST(test_shared_words)
{
	(void)state;
	start();
	qb_setup(&b, QB_VW_SETUP, qb_word_vpm_write(0));
	E(qb_mov(QB_R0, QB_UNIF))
	PUT(QB_UNIF)
	accepted();
	job_start(2);
	s.programs[1] = s.programs[0];
	s.programs[1].first_uniform = 1;
	s.job.program_count = 2;
	job_reloc(0, BO_IN, 0, DRM_V3DCL_RELOC_READ);
	assert_true(v3dcl_relocate(&s.job));
	s.job.reloc_count = 0;
	job_reloc(1, BO_IN, 0, DRM_V3DCL_RELOC_READ);
	refuses(UNIFORMS, ADDRESS_TOLD, 4);
	s.job.reloc_count = 0;
	job_reloc(0, BO_IN, 0, DRM_V3DCL_RELOC_READ);
	s.relocs[0].program = 1;
	refuses(UNIFORMS, ADDRESS_TOLD, 4);
}

/* Each of the first 62 uniforms is known from the others, those from then on are one. */
TEST(test_many_uniforms)
{
	static const struct {
		__u32 told, slot;
		bool refused;
	} cases[] = { { 61, 61, true },	 { 61, 60, false }, { 61, 62, false }, { 62, 62, true },
		      { 62, 61, false }, { 62, 70, true },  { 70, 63, true },  { 70, 0, false } };
	__u32 i, n;

	(void)state;
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		static __u32 words[72], owners[72], uniforms[72];

		start();
		qb_setup(&b, QB_VW_SETUP, qb_word_vpm_write(0));
		for (n = 0; n < 72; n++) {
			if (n == cases[i].told)
				qb_emit(&b, qb_mov(QB_VPM_WRITE, QB_UNIF));
			else
				qb_emit(&b, qb_mov(QB_R0, QB_UNIF));
		}
		accepted();
		job_start(72);
		s.job.words = words;
		s.job.owners = owners;
		s.job.uniforms = (struct v3dcl_memory){ (__u8 *)uniforms, 0x50000000, 288 };
		job_reloc(cases[i].slot, BO_IN, 0, DRM_V3DCL_RELOC_READ);
		assert_int_equal(v3dcl_relocate(&s.job), !cases[i].refused);
		if (cases[i].refused)
			assert_refusal(&s.job.refusal, UNIFORMS, ADDRESS_TOLD, cases[i].slot * 4);
	}
}

/* The address of the stream is one as well; and no refusal says where it is. */
TEST(test_stream)
{
	(void)state;
	start();
	E(qb_mov(QB_R0, QB_UNIF))
	qb_setup(&b, QB_VW_SETUP, qb_word_vpm_write(0));
	E(qb_mov(QB_UNIF_ADDR, QB_R0))
	PUT(QB_R0)
	accepted();
	job_start(1);
	refuses(UNIFORMS, ADDRESS_TOLD, 0);
	start();
	E(qb_mov(QB_UNIF_ADDR, QB_UNIF))
	accepted();
	job_start(1);
	assert_true(v3dcl_relocate(&s.job));
	job_reloc(0, BO_IN, 0, DRM_V3DCL_RELOC_READ);
	refuses(UNIFORMS, RESET_SHARED, 0);
	assert_true(s.job.refusal.found < 4096 && s.job.refusal.expected < 4096);
}

static struct test_shader shader;

#define S(inst) shader_emit(&shader, inst);

/* A shader's address word is taken by the one instruction that uses it, for nothing else. */
TEST(test_shader)
{
	const struct v3d_qpu_inst read = qb_add(V3D_QPU_ADD_ADD, QB_TMU0_S, QB_R0, QB_UNIF),
				  reset = qb_add(V3D_QPU_ADD_ADD, QB_UNIF_ADDR, QB_R3, QB_UNIF),
				  take = qb_mul_mov(QB_R1, QB_UNIF);

	(void)state;
#define CLAMP S(qb_add(V3D_QPU_ADD_MAX, QB_R0, QB_R0, qb_imm(0))) \
	S(qb_add(V3D_QPU_ADD_MIN, QB_R0, QB_R0, QB_UNIF))
	assert_shader_refused(&shader, ADDRESS_TAKEN, 2, CLAMP S(qb_both(read, take)));
	assert_shader_refused(&shader, ADDRESS_TAKEN, 2, CLAMP S(qb_flags(read)));
	assert_shader_refused(&shader, ADDRESS_TAKEN, 1, S(qb_ldi(QB_R3, 4))
			      S(qb_both(reset, take)));
	assert_shader_refused(&shader, ADDRESS_TAKEN, 1, S(qb_ldi(QB_R3, 4)) S(qb_flags(reset)));
	shader_begin(&shader);
	CLAMP
	S(qb_both(read, qb_mul_mov(QB_R1, QB_R2)))
	S(qb_signal(V3D_QPU_SIG_LOAD_TMU0, qb_nop()))
	shader_finish(&shader);
}

/* A lookup whose base a port reads, beside a multiplication of what two ports or registers hold */
static struct v3d_qpu_inst beside(bool port_b, __u8 mul_a, __u8 mul_b)
{
	struct v3d_qpu_inst inst = qb_both(qb_add(V3D_QPU_ADD_ADD, QB_TMU0_S, QB_R0,
						  port_b ? QB_UNIF_B : QB_UNIF),
					   qb_mul(V3D_QPU_MUL_FMUL, QB_R1, QB_R2, QB_R2));

	inst.mul_a = mul_a;
	inst.mul_b = mul_b;
	return inst;
}

static void taken_alone(struct v3d_qpu_inst inst)
{
	shader_begin(&shader);
	CLAMP
	S(inst)
	S(qb_signal(V3D_QPU_SIG_LOAD_TMU0, qb_nop()))
	shader_finish(&shader);
}

/* The address is taken by either operand of the mul ALU, if what it does happens. */
TEST(test_shader_ports)
{
	const __u8 r2 = V3D_QPU_R2;
	struct v3d_qpu_inst inst;

	(void)state;
	for (int port_b = 0; port_b < 2; port_b++) {
		const __u8 port = port_b ? V3D_QPU_B : V3D_QPU_A;

		assert_shader_refused(&shader, ADDRESS_TAKEN, 2, CLAMP S(beside(port_b, port, r2)));
		assert_shader_refused(&shader, ADDRESS_TAKEN, 2, CLAMP S(beside(port_b, r2, port)));
		taken_alone(without(true, beside(port_b, port, port)));
		inst = beside(port_b, port, port);
		inst.op_mul = V3D_QPU_MUL_NOP;
		inst.waddr_mul = V3D_QPU_W_NOP;
		taken_alone(inst);
	}
	/* Small immediate 1.0 has the code of the uniforms' address */
	assert_int_equal(qb_imm_float(0) & 0x3f, V3D_QPU_R_UNIFORM);
	taken_alone(qb_both(qb_add(V3D_QPU_ADD_ADD, QB_TMU0_S, QB_R0, QB_UNIF),
			    qb_mul(V3D_QPU_MUL_FMUL, QB_R1, QB_R2, qb_imm_float(0))));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_vpm),
		cmocka_unit_test(test_late),
		cmocka_unit_test(test_rotation),
		cmocka_unit_test(test_flags),
		cmocka_unit_test(test_offsets),
		cmocka_unit_test(test_units),
		cmocka_unit_test(test_joins),
		cmocka_unit_test(test_shared_words),
		cmocka_unit_test(test_many_uniforms),
		cmocka_unit_test(test_stream),
		cmocka_unit_test(test_shader),
		cmocka_unit_test(test_shader_ports),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests_name("verify_taint", tests, NULL, NULL);
}
