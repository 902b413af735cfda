// SPDX-License-Identifier: MIT
/*
 * Shaders that switch threads: what each of the two may have under way in the FIFOs of a TMU, which
 * know of no threads (AG100 p. 40).
 */
#include "shader.h"

static struct test_shader shader, *t = &shader;

#define E(inst) shader_emit(t, inst);
#define NOPS(n) qb_nops(&t->b, n);
#define SWITCH E(SIG(THREAD_SWITCH, qb_nop())) NOPS(2)
#define LOAD E(SIG(LOAD_TMU0, qb_nop()))
/* Coordinates from registers that outlive a switch */
#define S E(qb_mov(QB_TMU0_S, QB_RA(1)))
#define T_S E(qb_mov(QB_TMU0_T, QB_RA(1))) S
#define R_T_S E(qb_mov(QB_TMU0_R, QB_RA(1))) T_S
#define B_R_T_S E(qb_mov(QB_TMU0_B, QB_RA(1))) R_T_S

#define DIRECT E(MAX0(QB_R0, QB_R0)) E(MIN_UNIFORM(QB_R0, QB_R0)) E(READ_DIRECT(QB_R0))

#define ACCEPTED(body) \
	do { \
		shader_begin(t); \
		body \
		shader_finish(t); \
	} while (0)
#define REFUSED(rule, at, body) assert_shader_refused(t, rule, at, body)

/* Half of what the FIFOs hold: four values of requests, two results */
TEST(test_half)
{
	(void)state;
	ACCEPTED(T_S T_S SWITCH LOAD LOAD);
	ACCEPTED(B_R_T_S SWITCH LOAD);
	REFUSED(TMU_HALF, 4, T_S R_T_S SWITCH LOAD LOAD);
	REFUSED(TMU_HALF, 5, T_S T_S T_S SWITCH LOAD LOAD LOAD);
	/* The other TMU has FIFOs of its own. */
	ACCEPTED(T_S T_S E(qb_mov(QB_IO(V3D_QPU_W_TMU1_T), QB_RA(1)))
		 E(qb_mov(QB_IO(V3D_QPU_W_TMU1_S), QB_RA(1))) SWITCH LOAD LOAD
		 E(SIG(LOAD_TMU1, qb_nop())));
	/* One that has been loaded makes room. */
	ACCEPTED(T_S T_S SWITCH LOAD LOAD B_R_T_S SWITCH LOAD);
	ACCEPTED(R_T_S SWITCH LOAD R_T_S SWITCH LOAD);
	REFUSED(TMU_HALF, 8, R_T_S SWITCH E(qb_nop()) T_S SWITCH LOAD LOAD);
	/* A shader that does not switch has both halves. */
	ACCEPTED(B_R_T_S B_R_T_S B_R_T_S B_R_T_S LOAD LOAD LOAD LOAD);
}

/* Direct reads have one value each, but a result like any other. */
TEST(test_half_direct)
{
	(void)state;
	ACCEPTED(DIRECT DIRECT SWITCH LOAD LOAD);
	REFUSED(TMU_HALF, 8, DIRECT DIRECT DIRECT SWITCH LOAD LOAD LOAD);
}

/* Results are loaded between the next switch and the one after it. */
TEST(test_turns)
{
	(void)state;
	REFUSED(TMU_SWITCH, 2, T_S LOAD SWITCH);
	/* In the delay slots the switch has not happened. */
	REFUSED(TMU_SWITCH, 3, T_S E(SIG(THREAD_SWITCH, qb_nop())) LOAD NOPS(1));
	REFUSED(TMU_SWITCH, 4, T_S E(SIG(THREAD_SWITCH, qb_nop())) NOPS(1) LOAD);
	/* A request there is one from before the switch. */
	ACCEPTED(E(SIG(THREAD_SWITCH, qb_nop())) T_S LOAD);
	REFUSED(TMU_SWITCH, 6, E(SIG(THREAD_SWITCH, qb_nop())) T_S SWITCH LOAD);
	/* Two switches before the load: the other thread has loaded it. */
	REFUSED(TMU_SWITCH, 8, T_S SWITCH SWITCH LOAD);
	REFUSED(TMU_SWITCH, 11, T_S T_S SWITCH LOAD SWITCH LOAD);
	/* New requests may be made before old results are loaded. */
	ACCEPTED(T_S SWITCH T_S LOAD SWITCH LOAD);
	REFUSED(TMU_SWITCH, 8, T_S SWITCH T_S LOAD LOAD);
}

/* On one of two paths the request is new. */
TEST(test_paths)
{
	(void)state;
	REFUSED(TMU_SWITCH, 9, T_S E(branch_by(3)) NOPS(3) SWITCH LOAD);
	/* Once more with a switch on all paths */
	ACCEPTED(T_S E(branch_by(3)) NOPS(3) NOPS(3) SWITCH LOAD);
	/* At the end of a block */
	ACCEPTED(T_S SWITCH E(branch_by(0)) NOPS(3) LOAD);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_half),
		cmocka_unit_test(test_half_direct),
		cmocka_unit_test(test_turns),
		cmocka_unit_test(test_paths),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
