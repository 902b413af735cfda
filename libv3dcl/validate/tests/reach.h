/* SPDX-License-Identifier: MIT */
/*
 * What tests of memory accesses share.
 */
#ifndef V3DCL_JOB_TESTS_REACH_H
#define V3DCL_JOB_TESTS_REACH_H

#include "verify.h"

#define READ(address) E(qb_mov(QB_TMU0_S, address)) E(SIG(LOAD_TMU0, qb_nop()))
/* n cannot be reached */
#define UNREACHED(n) E(qb_branch(V3D_QPU_BRANCH_ALWAYS, true, (n) * 8, QB_NONE)) qb_nops(&b, 3);
#define UNIFORM(dst) E(qb_mov(dst, QB_UNIF)) E(qb_nop())
#define STORE_WORDS(setup, stride) \
	qb_setup(&b, QB_VW_SETUP, setup); \
	qb_setup(&b, QB_VW_SETUP, qb_word_vdw_stride(stride));
#define STORE(address) E(qb_mov(QB_VDW_ADDR, address)) E(qb_mov(QB_NONE, QB_VDW_WAIT))

#define LOOKUP(tmu) \
	E(qb_mov(QB_R0, QB_ELEMENT)) E(qb_mov((tmu) ? QB_IO(V3D_QPU_W_TMU1_T) : QB_TMU0_T, QB_R0)) \
	E(qb_mov((tmu) ? QB_IO(V3D_QPU_W_TMU1_S) : QB_TMU0_S, QB_R0)) \
	E(qb_signal((tmu) ? V3D_QPU_SIG_LOAD_TMU1 : V3D_QPU_SIG_LOAD_TMU0, qb_nop()))

#define USES(n, body) \
	do { \
		start(); \
		body \
		accepted(); \
		assert_int_equal(program.use_count, n); \
	} while (0)

#endif /* V3DCL_JOB_TESTS_REACH_H */
