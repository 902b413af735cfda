// SPDX-License-Identifier: MIT
/*
 * Each rule of user programs, with a program that breaks it; and what a refusal tells.
 */
#include "verify.h"
#include "ioctl.h"

#define R0_ZERO E(qb_ldi(QB_R0, 0))
#define READ_R0 E(qb_mov(QB_TMU0_S, QB_R0))
#define FIVE_READS READ_R0 READ_R0 READ_R0 READ_R0 READ_R0

TEST(test_undefined)
{
	(void)state;
	BROKEN(CODE_UNDEFINED, 0, E(qb_mov(QB_R0, QB_R1)));
	BROKEN(CODE_UNDEFINED, 0, E(qb_mov(QB_R0, QB_RA(15))));
	BROKEN(CODE_UNDEFINED, 0, E(qb_mov(QB_R0, QB_RB(31))));
	BROKEN(CODE_UNDEFINED, 0, E(qb_mov(QB_R0, QB_R4)));
	BROKEN(CODE_UNDEFINED, 0, E(qb_mul_mov(QB_R0, QB_R5)));
	/* in some elements, in some bytes, on some path */
	BROKEN(CODE_UNDEFINED, 2, FLAGS E(qb_if(V3D_QPU_COND_ZS, qb_ldi(QB_R0, 0)))
	       E(qb_mov(QB_R1, QB_R0)));
	BROKEN(CODE_UNDEFINED, 3,
	       R0_ZERO E(qb_pack(4, false, qb_mov(QB_RA(1), QB_R0))) qb_nops(&b, 1);
	       E(qb_mov(QB_R1, QB_RA(1))));
	BROKEN(CODE_UNDEFINED, 6, FLAGS OVER(0) qb_nops(&b, 1); E(qb_mov(QB_R0, QB_R1)));
	BROKEN(CODE_UNDEFINED, 6, FLAGS OVER(1) R0_ZERO E(qb_mov(QB_R1, QB_R0)));
	/* read in the next instruction, where the old value may still be there */
	BROKEN(REGISTER_SOON, 1, E(qb_ldi(QB_RA(1), 0)) E(qb_mov(QB_R1, QB_RA(1))));
	BROKEN(REGISTER_SOON, 1, E(qb_ldi(QB_RB(1), 0)) E(qb_mov(QB_R1, QB_RB(1))));
	BROKEN(CODE_UNDEFINED, 2, FLAGS E(qb_if(V3D_QPU_COND_ZS, qb_ldi(QB_RA(1), 0)))
	       E(qb_mov(QB_R1, QB_RA(1))));
	/* what was read before, by any program */
	BROKEN(CODE_READ, 0, E(qb_mov(QB_R0, QB_RA(V3D_QPU_R_NOP))));
	BROKEN(FLAGS_UNDEFINED, 0, E(qb_if(V3D_QPU_COND_ZS, qb_ldi(QB_R0, 0))));
	BROKEN(FLAGS_UNDEFINED, 0, OVER(1) qb_nops(&b, 2););
	/* all bytes, one after the other */
	start();
	R0_ZERO;
	for (int i = 4; i < 8; i++) {
		E(qb_pack(i, false, qb_mov(QB_RA(1), QB_R0)))
		qb_nops(&b, 1);
	}
	E(qb_mov(QB_R1, QB_RA(1)))
	accepted();
}

TEST(test_addresses)
{
	(void)state;
	BROKEN(ADDRESS_UNKNOWN, 0, E(qb_ldi(QB_TMU0_S, 0x1000)));
	BROKEN(ADDRESS_UNKNOWN, 1, R0_ZERO E(qb_add(V3D_QPU_ADD_FADD, QB_TMU0_S, QB_R0, QB_UNIF)));
	/* a scaled base, an or, a pack, a condition */
	BROKEN(ADDRESS_UNKNOWN, 2, E(qb_mov(QB_R0, QB_UNIF))
	       E(qb_add(V3D_QPU_ADD_SHL, QB_R0, QB_R0, qb_imm(1)))
	       E(qb_mov(QB_TMU0_S, QB_R0)));
	BROKEN(ADDRESS_UNKNOWN, 1, E(qb_mov(QB_R0, QB_ELEMENT))
	       E(qb_add(V3D_QPU_ADD_OR, QB_TMU0_S, QB_R0, QB_UNIF)));
	BROKEN(ADDRESS_UNKNOWN, 0, E(qb_unpack(1, false, qb_mov(QB_TMU0_S, QB_UNIF))));
	BROKEN(DIRECT_FORM, 1, FLAGS E(qb_if(V3D_QPU_COND_ZS, qb_mov(QB_TMU0_S, QB_UNIF))));
	/* min alone, max alone */
	BROKEN(ADDRESS_UNKNOWN, 2, E(qb_add(V3D_QPU_ADD_ITOF, QB_R0, QB_ELEMENT, QB_ELEMENT))
	       E(qb_add(V3D_QPU_ADD_MIN, QB_R0, QB_R0, QB_UNIF)) E(ADD(QB_TMU0_S, QB_R0, QB_UNIF)));
	/* clamped under a condition, then overwritten under one */
	BROKEN(ADDRESS_UNKNOWN, 4, FLAGS E(qb_add(V3D_QPU_ADD_ITOF, QB_R0, QB_ELEMENT, QB_ELEMENT))
	       E(MAX0(QB_R0, QB_R0))
	       E(qb_if(V3D_QPU_COND_ZS, qb_add(V3D_QPU_ADD_MIN, QB_R0, QB_R0, QB_UNIF)))
	       E(ADD(QB_TMU0_S, QB_R0, QB_UNIF)));
	BROKEN(ADDRESS_UNKNOWN, 5, FLAGS E(qb_add(V3D_QPU_ADD_ITOF, QB_R0, QB_ELEMENT, QB_ELEMENT))
	       E(MAX0(QB_R1, QB_R0))
	       E(qb_add(V3D_QPU_ADD_MIN, QB_R1, QB_R1, QB_UNIF))
	       E(qb_if(V3D_QPU_COND_ZS, qb_mov(QB_R1, QB_R0))) E(ADD(QB_TMU0_S, QB_R1, QB_UNIF)));
}

/* A set-up word for one row of 16 words, changed by a field */
static uint32_t vdw(struct v3d_vdw_setup changes, bool vertical, unsigned int units)
{
	changes.id = 2;
	changes.depth = 16;
	changes.horizontal = !vertical;
	changes.units = units;
	return v3d_word_vdw_setup(&changes);
}

#define STORE_WITH(word, stride) \
	qb_setup(&b, QB_VW_SETUP, word); qb_setup(&b, QB_VW_SETUP, stride); \
	E(qb_mov(QB_VDW_ADDR, QB_UNIF)) E(qb_mov(QB_NONE, QB_VDW_WAIT))
#define STORE_ROW(word) STORE_WITH(word, qb_word_vdw_stride(0))
#define STORE_BLOCK(word) STORE_WITH(word, qb_word_vdw_stride(0) | 1 << 16)
#define VDW(units, ...) vdw((struct v3d_vdw_setup){ __VA_ARGS__ }, false, units)
#define VDW_DOWN(units, ...) vdw((struct v3d_vdw_setup){ __VA_ARGS__ }, true, units)

TEST(test_setups)
{
	(void)state;
	BROKEN(SETUP_MISSING, 1, R0_ZERO E(qb_mov(QB_VPM_WRITE, QB_R0)));
	BROKEN(SETUP_MISSING, 0, E(qb_mov(QB_VDW_ADDR, QB_UNIF)));
	BROKEN(SETUP_MISSING, 1, qb_setup(&b, QB_VW_SETUP, qb_word_vdw(0, 1));
	       E(qb_mov(QB_VDW_ADDR, QB_UNIF)));
	BROKEN(SETUP_MISSING, 0, E(qb_mov(QB_VDR_ADDR, QB_UNIF)));
	BROKEN(SETUP_UNKNOWN, 1, E(qb_add(V3D_QPU_ADD_ITOF, QB_R0, QB_ELEMENT, QB_ELEMENT))
	       E(qb_mov(QB_VW_SETUP, QB_R0)));
	BROKEN(SETUP_UNKNOWN, 1, E(qb_mov(QB_R0, QB_ELEMENT))
	       E(qb_add(V3D_QPU_ADD_SHL, QB_VW_SETUP, QB_R0, qb_imm(6))));
	BROKEN(SETUP_WORD, 0, qb_setup(&b, QB_VW_SETUP, 1u << 30););
	BROKEN(SETUP_WORD, 0, qb_setup(&b, QB_VW_SETUP, 3u << 8););
	BROKEN(SETUP_WORD, 0, qb_setup(&b, QB_VW_SETUP, qb_word_vpm_write(0) | 1 << 29););
	BROKEN(SETUP_WORD, 0, qb_setup(&b, QB_VW_SETUP, qb_word_vpm_write(64)););
	BROKEN(SETUP_WORD, 0, qb_setup(&b, QB_VR_SETUP, qb_word_vpm_read(0, 1) | 1 << 30););
	BROKEN(IO_CONDITION, 1,
	       FLAGS E(qb_if(V3D_QPU_COND_ZS, qb_ldi(QB_VW_SETUP, qb_word_vpm_write(0)))));
	/* AG100 Table 34: reserved mode, LANED */
	BROKEN(SETUP_WORD, 2, STORE_ROW(VDW(1, .modew = 1)));
	BROKEN(SETUP_WORD, 2, STORE_ROW(VDW(1, .laned = 1)));
	/* rows 64 and up */
	BROKEN(DMA_ROWS, 2, STORE_ROW(VDW(1, .y = 64)));
	BROKEN(DMA_ROWS, 2, STORE_ROW(VDW(1, .y = 63, .x = 1)));
	BROKEN(DMA_ROWS, 2, STORE_ROW(VDW(16, .y = 49)));
	BROKEN(DMA_ROWS, 2, STORE_ROW(VDW(0, .y = 0)));
	BROKEN(DMA_ROWS, 2, STORE_ROW(VDW_DOWN(1, .y = 49)));
	BROKEN(DMA_ROWS, 2, STORE_ROW(VDW_DOWN(16, .x = 1)));
	start();
	STORE_ROW(VDW(1, .y = 63))
	STORE_ROW(VDW(16, .y = 48))
	STORE_ROW(VDW_DOWN(16, .y = 48))
	STORE_ROW(VDW(64, .y = 0))
	accepted();
	assert_int_equal(program.use_count, 4);
}

/* BLOCKMODE: inside if rows follow each other (AG100 Table 35) and if they are apart (SW) */
TEST(test_block_mode)
{
	struct v3d_vdw_setup column = { .id = 2, .depth = 5, .units = 12 };
	struct v3d_vdw_setup words = { .id = 2, .horizontal = 1, .depth = 1, .units = 16, .y = 48 };
	const struct v3d_vdw_setup rows = {
		.id = 2, .horizontal = 1, .depth = 20, .units = 8, .y = 55,
	};

	(void)state;
	start();
	STORE_BLOCK(v3d_word_vdw_setup(&words))
	STORE_BLOCK(v3d_word_vdw_setup(&column))
	STORE_BLOCK(VDW(16, .y = 48))
	STORE_BLOCK(VDW_DOWN(4, .y = 0))
	accepted();
	assert_int_equal(program.use_count, 4);
	/* inside when they follow each other: one row, one column */
	words.y = 49;
	BROKEN(DMA_ROWS, 2, STORE_BLOCK(v3d_word_vdw_setup(&words)));
	column.x = 5;
	BROKEN(DMA_ROWS, 2, STORE_BLOCK(v3d_word_vdw_setup(&column)));
	/* inside when they are apart */
	BROKEN(DMA_ROWS, 2, STORE_BLOCK(VDW_DOWN(4, .y = 1)));
	BROKEN(DMA_ROWS, 2, STORE_BLOCK(v3d_word_vdw_setup(&rows)));
	start();
	STORE_ROW(v3d_word_vdw_setup(&rows))
	STORE_ROW(VDW_DOWN(4, .y = 1))
	accepted();
}

TEST(test_units)
{
	(void)state;
	BROKEN(MUTEX_HELD, 1, qb_mutex_lock(&b););
	BROKEN(MUTEX_TWICE, 1, qb_mutex_lock(&b); qb_mutex_lock(&b););
	BROKEN(MUTEX_TWICE, 0, qb_mutex_unlock(&b););
	BROKEN(MUTEX_PATHS, 6, FLAGS OVER(1) qb_mutex_lock(&b););
	BROKEN(SEMAPHORE_PATHS, 6, FLAGS OVER(1) E(qb_sema_up(1)));
	BROKEN(TMU_EMPTY, 0, E(SIG(LOAD_TMU0, qb_nop())));
	BROKEN(TMU_EMPTY, 1, E(qb_mov(QB_TMU0_S, QB_UNIF)) E(SIG(LOAD_TMU1, qb_nop())));
	BROKEN(TMU_UNREAD, 1, E(qb_mov(QB_TMU0_S, QB_UNIF)));
	BROKEN(TMU_PATHS, 6, FLAGS OVER(1) E(qb_mov(QB_TMU0_S, QB_UNIF)));
	BROKEN(TMU_FULL, 5, E(qb_mov(QB_R0, QB_UNIF)) FIVE_READS);
	BROKEN(VPM_EMPTY, 0, E(qb_mov(QB_R0, QB_VPM_READ)));
	BROKEN(VPM_SOON, 3, qb_setup(&b, QB_VR_SETUP, qb_word_vpm_read(0, 1)); qb_nops(&b, 2);
	       E(qb_mov(QB_R0, QB_VPM_READ)));
	BROKEN(VPM_EMPTY, 5, qb_read_row(&b, QB_R0, 0); E(qb_mov(QB_R0, QB_VPM_READ)));
	BROKEN(VPM_UNREAD, 1, qb_setup(&b, QB_VR_SETUP, qb_word_vpm_read(0, 1)););
	BROKEN(VPM_UNREAD, 1, qb_setup(&b, QB_VR_SETUP, qb_word_vpm_read(0, 2));
	       qb_setup(&b, QB_VR_SETUP, qb_word_vpm_read(0, 2)););
	BROKEN(VPM_PATHS, 6, FLAGS OVER(1) qb_setup(&b, QB_VR_SETUP, qb_word_vpm_read(0, 1)););
	BROKEN(DMA_PENDING, 3, qb_setup(&b, QB_VW_SETUP, qb_word_vdw(0, 1));
	       qb_setup(&b, QB_VW_SETUP, qb_word_vdw_stride(0)); E(qb_mov(QB_VDW_ADDR, QB_UNIF)));
	BROKEN(DMA_PENDING, 3, qb_setup(&b, QB_VW_SETUP, qb_word_vdw(0, 1));
	       qb_setup(&b, QB_VW_SETUP, qb_word_vdw_stride(0));
	       E(qb_mov(QB_VDW_ADDR, QB_UNIF)) E(qb_mov(QB_VDW_ADDR, QB_UNIF)));
	BROKEN(INTERRUPT_TWICE, 1, qb_host_int(&b); qb_host_int(&b););
	BROKEN(UNIFORM_UNREAD, 0, struct v3d_qpu_inst i = qb_nop();
	       i.raddr_a = V3D_QPU_R_MUTEX_ACQUIRE; E(i));
}

TEST(test_restrictions)
{
	(void)state;
	BROKEN(CODE_WRITE, 1, R0_ZERO E(qb_mov(QB_TLB_COLOUR, QB_R0)));
	BROKEN(CODE_WRITE, 1, R0_ZERO E(qb_mov(QB_TMU_NOSWAP, QB_R0)));
	BROKEN(CODE_READ, 0, E(qb_mov(QB_R0, QB_RA(V3D_QPU_R_VARYING))));
	BROKEN(CODE_READ, 0, E(qb_mov(QB_R0, QB_RA(V3D_QPU_R_PIXEL_COORD))));
	BROKEN(CODE_SIGNAL, 0, E(SIG(THREAD_SWITCH, qb_nop())));
	BROKEN(CODE_SIGNAL, 0, E(SIG(WAIT_SCOREBOARD, qb_nop())));
	BROKEN(CODE_SIGNAL, 0, E(SIG(BREAK, qb_nop())));
	BROKEN(SFU_SOON, 2, R0_ZERO E(qb_mov(QB_RECIP, QB_R0)) E(qb_mov(QB_R1, QB_R4)));
	BROKEN(SFU_SOON, 3, R0_ZERO E(qb_mov(QB_RECIP, QB_R0)) qb_nops(&b, 1);
	       E(qb_mov(QB_LOG, QB_R0)));
	BROKEN(ROTATE_SOON, 1, R0_ZERO E(qb_rotate(QB_R1, QB_R0, 1)));
	BROKEN(ROTATE_SOON, 2, R0_ZERO E(qb_ldi(QB_R5REP, 1)) E(qb_rotate(QB_R1, QB_R0, 0)));
	BROKEN(PERIPHERALS, 1,
	       R0_ZERO E(qb_both(qb_mov(QB_RECIP, QB_R0), qb_mul_mov(QB_LOG, QB_R0))));
	BROKEN(END_REGISTER, 1, R0_ZERO E(SIG(PROGRAM_END, qb_mov(QB_RA(1), QB_R0))));
	BROKEN(END_REGISTER, 2, R0_ZERO E(SIG(PROGRAM_END, qb_nop())) E(qb_mov(QB_RA(14), QB_R0)));
	BROKEN(CODE_END_ACCESS, 2, R0_ZERO E(SIG(PROGRAM_END, qb_nop()))
	       E(qb_mov(QB_NONE, QB_VDW_WAIT)));
	BROKEN(IDLE_WRITE, 0, struct v3d_qpu_inst i = qb_nop();
	       i.waddr_add = V3D_QPU_W_MUTEX_RELEASE; i.cond_add = V3D_QPU_COND_ALWAYS; E(i));
	BROKEN(CODE_PACK, 1, R0_ZERO E(qb_pack(9, true, qb_mul_mov(QB_R1, QB_R0))));
	BROKEN(BRANCH_KIND, 0, E(qb_branch(V3D_QPU_BRANCH_ALWAYS, false, 0, QB_NONE)));
	BROKEN(BRANCH_WRITE, 0, E(qb_branch(V3D_QPU_BRANCH_ALWAYS, true, 0, QB_R1)));
	BROKEN(UNIFORM_LOST, 6, FLAGS OVER(1) E(qb_mov(QB_R0, QB_UNIF)) E(qb_mov(QB_R0, QB_UNIF)));
	assert_int_equal(refusal.lost, 7 | DRM_V3DCL_LOST_JOIN);
	BROKEN(ADDRESS_FORM, 1, R0_ZERO E(qb_mov(QB_UNIF_ADDR, QB_R0)));
	BROKEN(ADDRESS_CONSTANT, 0, E(ADD(QB_UNIF_ADDR, QB_UNIF, qb_imm(2))));
}

/* How a refused instruction is reached: both branches are taken */
TEST(test_path)
{
	struct drm_v3dcl_refusal told;

	(void)state;
	start();
	FLAGS
	OVER(4)							/* 1: to 9 */
	qb_nops(&b, 4);
	OVER(1)							/* 9: to 14 */
	qb_nops(&b, 1);
	E(qb_mov(QB_R0, QB_R1))
	qb_end(&b);
	assert_false(check());
	assert_refusal(&refusal, CODE, CODE_UNDEFINED, 14 * 8);
	assert_int_equal(refusal.path_count, 2);
	assert_int_equal(refusal.path[0], 2 * 1 + 1);
	assert_int_equal(refusal.path[1], 2 * 9 + 1);
	v3dcl_tell_refusal(&refusal, &told);
	assert_int_equal(told.path_count, 2);
	assert_int_equal(told.path[1], 2 * 9 + 1);
	assert_int_equal(told.value, DRM_V3DCL_VALUE_NONE);
}

/* What is known of a value that is refused */
TEST(test_value)
{
	struct drm_v3dcl_refusal told;

	(void)state;
	BROKEN(ADDRESS_UNKNOWN, 3, E(qb_mov(QB_R0, QB_UNIF))
	       E(qb_add(V3D_QPU_ADD_SHL, QB_R0, QB_R0, qb_imm(2)))
	       E(qb_mov(QB_R1, QB_ELEMENT)) E(ADD(QB_TMU0_S, QB_R0, QB_R1)));
	v3dcl_tell_refusal(&refusal, &told);
	assert_told(&told, SUM, 0, 15, 1);
	assert_int_equal(told.value_slot[0], 0);
	assert_int_equal(told.value_scale[0], 4);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_undefined),
		cmocka_unit_test(test_addresses),
		cmocka_unit_test(test_setups),
		cmocka_unit_test(test_block_mode),
		cmocka_unit_test(test_units),
		cmocka_unit_test(test_restrictions),
		cmocka_unit_test(test_path),
		cmocka_unit_test(test_value),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
