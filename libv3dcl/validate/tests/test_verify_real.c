// SPDX-License-Identifier: MIT
/*
 * Programs as they are written for this chip, from what is published about them: accepted, with
 * jobs whose last byte is that of a BO, and refused when it is not. The table of checker.rst has
 * them.
 */
#include "reach.h"

#define FLAG(inst) E(qb_flags(inst))
#define SUBTRACT(dst, a, b) qb_add(V3D_QPU_ADD_SUB, dst, a, b)
/* Back to instruction @to, if an element's flags say so */
#define WHILE_ANY(condition, to) \
	E(qb_branch(V3D_QPU_BRANCH_ANY_##condition, true, ((to) - (int)qb_here(&b) - 4) * 8, \
		    QB_NONE)) qb_nops(&b, 3);

/*
 * A block of 16 by 16 of C = A * B: each round reads a column of A's 16 rows, an element a row, and
 * 16 words of a row of B, by direct reads, and adds their products to 16 rows in registers. As
 * published: the loop counts down from a uniform, rows are reached by a base and an offset that
 * grows by a pitch. Uniforms: A, B, C, the last offset into A and B, the pitch of A, that of B, k.
 */
enum { MM_A, MM_B, MM_C, MM_LAST_A, MM_LAST_B, MM_PITCH_A, MM_PITCH_B, MM_K, MM_UNIFORMS };

static void emit_product_round(void)
{
	/* a column of A: one word of each of 16 rows */
	OP(MAX, QB_R0, QB_RA(4), qb_imm(0))
	OP(MIN, QB_R0, QB_R0, QB_RB(0))
	OP(ADD, QB_TMU0_S, QB_R0, QB_RA(0))
	/* 16 words of a row of B */
	OP(MAX, QB_R1, QB_RA(5), qb_imm(0))
	OP(MIN, QB_R1, QB_R1, QB_RB(1))
	OP(ADD, QB_IO(V3D_QPU_W_TMU1_S), QB_R1, QB_RA(1))
	OP(ADD, QB_RA(4), QB_RA(4), qb_imm(4))
	E(SIG(LOAD_TMU0, qb_nop()))
	E(qb_mov(QB_R2, QB_R4))
	E(SIG(LOAD_TMU1, qb_nop()))
	E(qb_mov(QB_R3, QB_R4))
	OP(ADD, QB_RA(5), QB_RA(5), QB_RB(3))
	/* each row of C: the element of its row of A, times the words of B */
	for (int row = 0; row < 16; row++) {
		NOP;
		E(row ? qb_rotate(QB_R0, QB_R2, 16 - row) : qb_mov(QB_R0, QB_R2))
		E(qb_mov(QB_R5REP, QB_R0))
		NOP;
		E(qb_mul(V3D_QPU_MUL_FMUL, QB_R0, QB_R3, QB_R5))
		OP(FADD, QB_RA(16 + row), QB_RA(16 + row), QB_R0)
	}
}

static void emit_matrix_product(void)
{
	int loop;

	start();
	for (int i = MM_A; i <= MM_C; i++)
		E(qb_mov(QB_RA(i), QB_UNIF))
	E(qb_mov(QB_RB(0), QB_UNIF))
	E(qb_mov(QB_RB(1), QB_UNIF))
	E(qb_mov(QB_RB(2), QB_UNIF))
	E(qb_mov(QB_RB(3), QB_UNIF))
	E(qb_mov(QB_RA(7), QB_UNIF))
	/* each element its row of A, its word of B */
	E(qb_mov(QB_R1, QB_ELEMENT))
	E(qb_mul(V3D_QPU_MUL_MUL24, QB_RA(4), QB_R1, QB_RB(2)))
	OP(SHL, QB_RA(5), QB_R1, qb_imm(2))
	for (int row = 0; row < 16; row++)
		ZERO(QB_RA(16 + row))
	NOP;
	loop = qb_here(&b);
	emit_product_round();
	NOP;
	FLAG(SUBTRACT(QB_RA(7), QB_RA(7), qb_imm(1)))
	WHILE_ANY(ZC, loop);
	qb_setup(&b, QB_VW_SETUP, qb_word_vpm_write(0));
	for (int row = 0; row < 16; row++)
		E(qb_mov(QB_VPM_WRITE, QB_RA(16 + row)))
	qb_store_rows(&b, 0, 16, QB_RA(2));
	accepted();
}

static void ask_matrix(__u32 last_a, __u32 last_b)
{
	job_start(MM_UNIFORMS);
	job_reloc(MM_A, BO_IN, 0, DRM_V3DCL_RELOC_READ);
	job_reloc(MM_B, BO_IN, 1024, DRM_V3DCL_RELOC_READ);
	job_reloc(MM_C, BO_OUT, 4096 - 16 * 64, DRM_V3DCL_RELOC_WRITE);
	s.words[MM_LAST_A] = last_a;
	s.words[MM_LAST_B] = last_b;
	s.words[MM_PITCH_A] = 64;
	s.words[MM_PITCH_B] = 64;
	s.words[MM_K] = 16;
}

TEST(test_matrix_product)
{
	(void)state;
	emit_matrix_product();
	ask_matrix(1020, 3068);
	assert_true(v3dcl_relocate(&s.job));
	ask_matrix(4093, 3068);
	refuses(UNIFORMS, ADDRESS_END, MM_A * 4);
	ask_matrix(1020, 3069);
	refuses(UNIFORMS, ADDRESS_END, MM_B * 4);
	ask_matrix(1020, 3068);
	s.relocs[2].offset++;
	refuses(UNIFORMS, ADDRESS_END, MM_C * 4);
}

/*
 * What an FFT of 2^8 points does, but for its true factors: a pass of radix 16 down the columns, a
 * pass along the rows. As published: a subroutine loads 16 complex numbers by direct reads, another
 * does a butterfly of 16 by rotations and stores; each pass calls both, for each of its 16 columns,
 * and a barrier, here of one QPU, stands between the passes. Both passes use the same subroutines,
 * and read their addresses when they begin, between calls. Uniforms: twiddles, the last offset into
 * them, that of passes, then of each pass where from and where to; 16 complex numbers are 128
 * bytes. examples/fft-calls.v3d is one with true factors.
 */
enum { FFT_TWIDDLES, FFT_LAST_TWIDDLE, FFT_LAST, FFT_FROM, FFT_TO, FFT_UNIFORMS = FFT_FROM + 4 };

#define LINK_LOAD 31
#define LINK_FLY 30
#define CALL_TO(at, link) \
	E(qb_branch(V3D_QPU_BRANCH_ALWAYS, true, ((at) - (int)qb_here(&b) - 4) * 8, link)) \
	qb_nops(&b, 3);
#define RETURN(ra) \
	E(qb_branch_register(qb_branch(V3D_QPU_BRANCH_ALWAYS, false, 0, QB_NONE), ra)) \
	qb_nops(&b, 3);

/* r2 and r3: a complex number in each element, from column ra3 at the bit-reversed element */
static void emit_load(void)
{
	OP(SHL, QB_R0, QB_RA(3), qb_imm(3))
	OP(ADD, QB_R0, QB_R0, QB_RB(5))
	OP(MAX, QB_R0, QB_R0, qb_imm(0))
	OP(MIN, QB_R0, QB_R0, QB_RB(2))
	OP(ADD, QB_R0, QB_R0, QB_RA(0))
	E(qb_mov(QB_TMU0_S, QB_R0))
	OP(ADD, QB_IO(V3D_QPU_W_TMU1_S), QB_R0, qb_imm(4))
	E(SIG(LOAD_TMU0, qb_nop()))
	E(qb_mov(QB_R2, QB_R4))
	E(SIG(LOAD_TMU1, qb_nop()))
	E(qb_mov(QB_R3, QB_R4))
	RETURN(LINK_LOAD)
}

/* Four stages: each adds what is 1, 2, 4, 8 elements away, then two rows go where they belong */
static void emit_butterfly(void)
{
	for (int stage = 1; stage < 16; stage *= 2) {
		NOP;
		E(qb_rotate(QB_R0, QB_R2, stage))
		E(qb_rotate(QB_R1, QB_R3, stage))
		E(qb_mul(V3D_QPU_MUL_FMUL, QB_R0, QB_R0, QB_RB(6)))
		E(qb_mul(V3D_QPU_MUL_FMUL, QB_R1, QB_R1, QB_RB(7)))
		FLAG(qb_mov(QB_NONE, QB_ELEMENT))
		OP(FADD, QB_R2, QB_R2, QB_R0)
		E(qb_if(V3D_QPU_COND_ZS, qb_add(V3D_QPU_ADD_FSUB, QB_R2, QB_R2, QB_R0)))
		OP(FADD, QB_R3, QB_R3, QB_R1)
	}
	qb_setup(&b, QB_VW_SETUP, qb_word_vpm_write(0));
	E(qb_mov(QB_VPM_WRITE, QB_R2))
	E(qb_mov(QB_VPM_WRITE, QB_R3))
	OP(SHL, QB_R0, QB_RA(3), qb_imm(7))
	OP(MAX, QB_R0, QB_R0, qb_imm(0))
	OP(MIN, QB_R0, QB_R0, QB_RB(2))
	OP(ADD, QB_RA(4), QB_R0, QB_RA(1))
	NOP;
	qb_store_rows(&b, 0, 2, QB_RA(4));
	RETURN(LINK_FLY)
}

/* All columns, one after the other */
static void emit_pass(int load, int fly)
{
	int loop;

	E(qb_mov(QB_RA(0), QB_UNIF))
	E(qb_mov(QB_RA(1), QB_UNIF))
	ZERO(QB_RA(3))
	NOP;
	loop = qb_here(&b);
	CALL_TO(load, QB_RA(LINK_LOAD))
	CALL_TO(fly, QB_RA(LINK_FLY))
	OP(ADD, QB_RA(3), QB_RA(3), qb_imm(1))
	NOP;
	OP(SUB, QB_R0, QB_RA(3), qb_imm(15))
	FLAG(SUBTRACT(QB_NONE, QB_R0, qb_imm(1)))
	WHILE_ANY(ZC, loop);
}

static void emit_fft(void)
{
	int load, fly, at;

	start();
	at = qb_here(&b);
	E(qb_branch(V3D_QPU_BRANCH_ALWAYS, true, 0, QB_NONE)) qb_nops(&b, 3);
	load = qb_here(&b);
	emit_load();
	fly = qb_here(&b);
	emit_butterfly();
	qb_patch(&b, at, qb_here(&b));
	/* the twiddle factors of this element */
	E(qb_mov(QB_RA(2), QB_UNIF))
	OP(SHL, QB_R0, QB_ELEMENT, qb_imm(3))
	OP(MIN, QB_R0, QB_R0, QB_UNIF)
	OP(ADD, QB_TMU0_S, QB_R0, QB_RA(2))
	E(SIG(LOAD_TMU0, qb_nop()))
	E(qb_mov(QB_RB(6), QB_R4))
	E(qb_mov(QB_RB(7), QB_R4))
	OP(SHL, QB_RB(5), QB_ELEMENT, qb_imm(7))
	E(qb_mov(QB_RB(2), QB_UNIF))
	NOP;
	emit_pass(load, fly);
	E(qb_sema_up(0))
	E(qb_sema_down(0))
	emit_pass(load, fly);
	accepted();
}

static void ask_fft(__u32 last)
{
	job_start(FFT_UNIFORMS);
	job_reloc(FFT_TWIDDLES, BO_IN, 4096 - 124, DRM_V3DCL_RELOC_READ);
	s.words[FFT_LAST_TWIDDLE] = 120;
	for (__u32 pass = 0; pass < 2; pass++) {
		job_reloc(FFT_FROM + 2 * pass, pass ? BO_OUT : BO_IN, 0, DRM_V3DCL_RELOC_READ);
		job_reloc(FFT_TO + 2 * pass, pass ? BO_IN : BO_OUT, 0, DRM_V3DCL_RELOC_WRITE);
	}
	s.words[FFT_LAST] = last;
}

TEST(test_fft)
{
	(void)state;
	emit_fft();
	ask_fft(4096 - 128);
	assert_true(v3dcl_relocate(&s.job));
	ask_fft(4096 - 127);
	refuses(UNIFORMS, ADDRESS_END, FFT_TO * 4);
}

/*
 * Of such an FFT, how a master and a slave go together, as published: what each does to save and to
 * wait stands in procedures, whose places are links of branches past them and which are called by
 * register; a slave's save goes on where its wait does; places are indices with their bits
 * reversed. As the checker wants it: a program for each of both, as they use semaphores in
 * different ways.
 */
enum { ROLE_FROM, ROLE_TO, ROLE_UNIFORMS };

#define PROC_LINK 0
#define PROC_SAVE 4
#define PROC_SYNC 6
#define GO_BY(ra, link) \
	E(qb_branch_register(qb_branch(V3D_QPU_BRANCH_ALWAYS, false, 0, link), ra)) \
	qb_nops(&b, 3);

static void emit_sync(bool slave)
{
	E(slave ? qb_sema_up(9) : qb_sema_down(9))
	E(slave ? qb_sema_down(1) : qb_sema_up(1))
}

static void emit_save(bool slave)
{
	const int past = qb_here(&b);

	E(qb_branch(V3D_QPU_BRANCH_ALWAYS, true, 0, QB_RA(PROC_SAVE))) qb_nops(&b, 3);
	qb_setup(&b, QB_VW_SETUP, qb_word_vpm_write(slave));
	E(qb_mov(QB_VPM_WRITE, QB_R0))
	if (slave) {
		GO_BY(PROC_SYNC, QB_NONE)
	} else {
		emit_sync(false);
		qb_store_rows(&b, 0, 2, QB_RA(1));
		GO_BY(PROC_LINK, QB_NONE)
	}
	qb_patch(&b, past, qb_here(&b));
}

/* Two bits change places: 1 and 2 bits apart */
static void emit_reversal(void)
{
	for (int by = 1; by <= 2; by++) {
		OP(AND, QB_R1, QB_R0, QB_RB(by))
		OP(SHR, QB_R0, QB_R0, qb_imm(by))
		OP(AND, QB_R0, QB_R0, QB_RB(by))
		OP(SHL, QB_R1, QB_R1, qb_imm(by))
		OP(OR, QB_R0, QB_R0, QB_R1)
	}
}

static void emit_role(bool slave)
{
	int past;

	start();
	E(qb_ldi(QB_RB(1), 5))
	E(qb_ldi(QB_RB(2), 3))
	E(qb_mov(QB_RA(3), QB_UNIF))
	E(qb_mov(QB_RA(1), QB_UNIF))
	emit_save(slave);
	past = qb_here(&b);
	E(qb_branch(V3D_QPU_BRANCH_ALWAYS, true, 0, QB_RA(PROC_SYNC))) qb_nops(&b, 3);
	emit_sync(slave);
	GO_BY(PROC_LINK, QB_NONE)
	qb_patch(&b, past, qb_here(&b));
	E(qb_mov(QB_R0, QB_ELEMENT))
	emit_reversal();
	OP(SHL, QB_R0, QB_R0, qb_imm(3))
	OP(ADD, QB_TMU0_S, QB_R0, QB_RA(3))
	E(SIG(LOAD_TMU0, qb_nop()))
	E(qb_mov(QB_R0, QB_R4))
	GO_BY(PROC_SAVE, QB_RA(PROC_LINK))
}

TEST(test_fft_roles)
{
	struct v3dcl_program master;

	(void)state;
	emit_role(false);
	accepted();
	master = program;
	emit_role(true);
	accepted();
	for (int i = 0; i < V3D_QPU_SEMAPHORES; i++)
		assert_int_equal(master.semaphores[i] + program.semaphores[i], 0);
	assert_int_equal(master.semaphores[1], 1);
	/* twice: each time it waits for the other one */
	emit_role(true);
	GO_BY(PROC_SAVE, QB_RA(PROC_LINK))
	accepted();
	assert_int_equal(program.semaphores[1], -2);
	emit_role(false);
	accepted();
	/* 16 numbers of 8 bytes, of which the last word's place is 15 * 8 */
	for (__u32 beyond = 0; beyond < 2; beyond++) {
		job_start(ROLE_UNIFORMS);
		job_reloc(ROLE_FROM, BO_IN, 4096 - 124 + beyond, DRM_V3DCL_RELOC_READ);
		job_reloc(ROLE_TO, BO_OUT, 0, DRM_V3DCL_RELOC_WRITE);
		assert_false(v3dcl_relocate(&s.job));
		if (beyond)
			assert_refusal(&s.job.refusal, UNIFORMS, ADDRESS_END, 0);
		else
			assert_int_equal(s.job.refusal.rule, V3DCL_RULE_SEMAPHORE_SUM);
	}
}

/*
 * The highest number of a BO: 16 words a round, at an offset that flags and copies under conditions
 * clamp; then the elements among each other, by rotations. Uniforms: from where, the last offset,
 * rounds, where to.
 */
enum { MAX_FROM, MAX_LAST, MAX_ROUNDS, MAX_TO, MAX_UNIFORMS };

static void emit_maximum(void)
{
	int loop;

	start();
	E(qb_mov(QB_RA(0), QB_UNIF))
	E(qb_mov(QB_RB(0), QB_UNIF))
	E(qb_mov(QB_RA(7), QB_UNIF))
	E(qb_mov(QB_RA(1), QB_UNIF))
	OP(SHL, QB_RA(5), QB_ELEMENT, qb_imm(2))
	E(qb_ldi(QB_R1, 64))
	E(qb_ldi(QB_R3, 0x80000000))
	loop = qb_here(&b);
	E(qb_mov(QB_R0, QB_RA(5)))
	FLAG(qb_mov(QB_NONE, QB_R0))
	E(qb_if(V3D_QPU_COND_NS, qb_mov(QB_R0, qb_imm(0))))
	FLAG(SUBTRACT(QB_NONE, QB_R0, QB_RB(0)))
	E(qb_if(V3D_QPU_COND_NC, qb_mov(QB_R0, QB_RB(0))))
	OP(ADD, QB_TMU0_S, QB_R0, QB_RA(0))
	OP(ADD, QB_RA(5), QB_RA(5), QB_R1)
	E(SIG(LOAD_TMU0, qb_nop()))
	FLAG(SUBTRACT(QB_NONE, QB_R3, QB_R4))
	E(qb_if(V3D_QPU_COND_NS, qb_mov(QB_R3, QB_R4)))
	FLAG(SUBTRACT(QB_RA(7), QB_RA(7), qb_imm(1)))
	WHILE_ANY(ZC, loop);
	for (int by = 8; by; by /= 2) {
		NOP;
		E(qb_rotate(QB_R0, QB_R3, by))
		OP(MAX, QB_R3, QB_R3, QB_R0)
	}
	qb_setup(&b, QB_VW_SETUP, qb_word_vpm_write(0));
	E(qb_mov(QB_VPM_WRITE, QB_R3))
	qb_store_rows(&b, 0, 1, QB_RA(1));
	accepted();
}

static void ask_maximum(__u32 last)
{
	job_start(MAX_UNIFORMS);
	job_reloc(MAX_FROM, BO_IN, 0, DRM_V3DCL_RELOC_READ);
	job_reloc(MAX_TO, BO_OUT, 4096 - 64, DRM_V3DCL_RELOC_WRITE);
	s.words[MAX_LAST] = last;
	s.words[MAX_ROUNDS] = 64;
}

TEST(test_maximum)
{
	(void)state;
	emit_maximum();
	ask_maximum(4092);
	assert_true(v3dcl_relocate(&s.job));
	ask_maximum(4093);
	refuses(UNIFORMS, ADDRESS_END, MAX_FROM * 4);
	ask_maximum(-4);
	refuses(UNIFORMS, LIMIT_NEGATIVE, MAX_LAST * 4);
}

/*
 * A copy of rows of 16 words, a pitch apart. Uniforms: from where, where to, the last row, the
 * pitch, rounds.
 */
enum { COPY_FROM, COPY_TO, COPY_LAST, COPY_PITCH, COPY_ROUNDS, COPY_UNIFORMS };

static void emit_copy(void)
{
	int loop;

	start();
	E(qb_mov(QB_RA(0), QB_UNIF))
	E(qb_mov(QB_RA(1), QB_UNIF))
	E(qb_mov(QB_RB(0), QB_UNIF))
	E(qb_mov(QB_RA(2), QB_UNIF))
	E(qb_mov(QB_RA(7), QB_UNIF))
	ZERO(QB_RA(5))
	OP(SHL, QB_RB(1), QB_ELEMENT, qb_imm(2))
	loop = qb_here(&b);
	OP(MAX, QB_R0, QB_RA(5), qb_imm(0))
	OP(MIN, QB_R0, QB_R0, QB_RB(0))
	E(qb_mul(V3D_QPU_MUL_MUL24, QB_R1, QB_R0, QB_RA(2)))
	OP(ADD, QB_R2, QB_R1, QB_RB(1))
	OP(ADD, QB_TMU0_S, QB_R2, QB_RA(0))
	E(SIG(LOAD_TMU0, qb_nop()))
	qb_setup(&b, QB_VW_SETUP, qb_word_vpm_write(0));
	E(qb_mov(QB_VPM_WRITE, QB_R4))
	OP(ADD, QB_R1, QB_R1, QB_RA(1))
	qb_store_rows(&b, 0, 1, QB_R1);
	OP(ADD, QB_RA(5), QB_RA(5), qb_imm(1))
	FLAG(SUBTRACT(QB_RA(7), QB_RA(7), qb_imm(1)))
	WHILE_ANY(ZC, loop);
	accepted();
}

static void ask_copy(__u32 offset, __u32 last)
{
	job_start(COPY_UNIFORMS);
	job_reloc(COPY_FROM, BO_IN, offset, DRM_V3DCL_RELOC_READ);
	job_reloc(COPY_TO, BO_OUT, 0, DRM_V3DCL_RELOC_WRITE);
	s.words[COPY_LAST] = last;
	s.words[COPY_PITCH] = 256;
	s.words[COPY_ROUNDS] = 16;
}

TEST(test_copy)
{
	(void)state;
	emit_copy();
	ask_copy(192, 15);
	assert_true(v3dcl_relocate(&s.job));
	ask_copy(193, 15);
	refuses(UNIFORMS, ADDRESS_END, COPY_FROM * 4);
	ask_copy(0, 16);
	refuses(UNIFORMS, ADDRESS_END, COPY_FROM * 4);
}

/* A step of a sort: of two rows of 16 words the lower ones, then the higher ones */
TEST(test_sort)
{
	(void)state;
	start();
	E(qb_mov(QB_RA(0), QB_UNIF))
	E(qb_mov(QB_RA(1), QB_UNIF))
	OP(SHL, QB_R0, QB_ELEMENT, qb_imm(2))
	E(qb_ldi(QB_R1, 64))
	OP(ADD, QB_TMU0_S, QB_R0, QB_RA(0))
	OP(ADD, QB_R0, QB_R0, QB_R1)
	OP(ADD, QB_TMU0_S, QB_R0, QB_RA(0))
	E(SIG(LOAD_TMU0, qb_nop()))
	E(SIG(LOAD_TMU0, qb_mov(QB_R2, QB_R4)))
	E(qb_mov(QB_R3, QB_R4))
	FLAG(SUBTRACT(QB_NONE, QB_R2, QB_R3))
	E(qb_both(qb_if(V3D_QPU_COND_NC, qb_mov(QB_R2, QB_R3)),
		  qb_if(V3D_QPU_COND_NC, qb_mul_mov(QB_R3, QB_R2))))
	qb_setup(&b, QB_VW_SETUP, qb_word_vpm_write(0));
	E(qb_mov(QB_VPM_WRITE, QB_R2))
	E(qb_mov(QB_VPM_WRITE, QB_R3))
	qb_store_rows(&b, 0, 2, QB_RA(1));
	accepted();
	for (__u32 beyond = 0; beyond < 2; beyond++) {
		job_start(2);
		job_reloc(0, BO_IN, 4096 - 128 + beyond, DRM_V3DCL_RELOC_READ);
		job_reloc(1, BO_OUT, 4096 - 128, DRM_V3DCL_RELOC_WRITE);
		assert_int_equal(v3dcl_relocate(&s.job), !beyond);
	}
	assert_refusal(&s.job.refusal, UNIFORMS, ADDRESS_END, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_matrix_product),
		cmocka_unit_test(test_fft),
		cmocka_unit_test(test_fft_roles),
		cmocka_unit_test(test_maximum),
		cmocka_unit_test(test_copy),
		cmocka_unit_test(test_sort),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests_name("verify_real", tests, NULL, NULL);
}
