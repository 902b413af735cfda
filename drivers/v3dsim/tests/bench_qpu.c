/* SPDX-License-Identifier: MIT */
/* How many QPU instructions a second one core executes: prints M instructions/s for some loops. Not a test. */
#include <time.h>

#include "qpu_fixture.h"

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return t.tv_sec + t.tv_nsec * 0.000000001;
}

/* A loop of @n instructions in @body, some million instructions in all */
static void bench(const char *name, const struct v3d_qpu_inst *body, unsigned int n)
{
	static struct machine m;
	uint32_t top;
	double start, took;

	machine_new(&m, V3DSIM_CACHES_IDEAL, 0);
	qb_emit(&m.b, qb_ldi(QB_RA(31), 20000000 / (n + 5)));
	qb_emit(&m.b, qb_ldi(QB_R0, 0x3f800000));
	qb_emit(&m.b, qb_ldi(QB_R1, 0x3f800001));
	top = qb_here(&m.b);
	for (unsigned int i = 0; i < n; i++)
		qb_emit(&m.b, body[i]);
	qb_emit(&m.b, qb_flags(qb_add(V3D_QPU_ADD_SUB, QB_RA(31), QB_RA(31), qb_imm(1))));
	qb_branch_to(&m.b, V3D_QPU_BRANCH_ANY_ZC, top);
	qb_nops(&m.b, 3);
	qb_end(&m.b);
	machine_request(&m, machine_place(&m, CODE), bus_of(UNIFORMS));
	start = now();
	while (v3dsim_run(m.sim, 1u << 20) == V3DSIM_BUSY)
		;
	took = now() - start;
	setvbuf(stdout, NULL, _IOLBF, 0);
	printf("%-28s %7.1f M instr/s\n", name, stat_of(&m, "instructions") / took * 0.000001);
	machine_free(&m);
}

int main(void)
{
	const struct v3d_qpu_inst fadd_fmul = qb_both(qb_add(V3D_QPU_ADD_FADD, QB_R2, QB_R0, QB_R1),
						      qb_mul(V3D_QPU_MUL_FMUL, QB_R3, QB_R0, QB_R1));
	const struct v3d_qpu_inst files = qb_both(qb_add(V3D_QPU_ADD_FADD, QB_RA(1), QB_RA(2), QB_R1),
						  qb_mul(V3D_QPU_MUL_FMUL, QB_RB(1), QB_RB(2), QB_R1));
	struct v3d_qpu_inst body[16], mixed[] = {
		qb_mov(QB_R0, QB_R1), files, qb_add(V3D_QPU_ADD_SHL, QB_R2, QB_R1, qb_imm(3)), fadd_fmul,
		qb_add(V3D_QPU_ADD_AND, QB_R2, QB_R1, QB_RB(3)), qb_flags(qb_add(V3D_QPU_ADD_SUB, QB_NONE, QB_R2, QB_R1)),
		qb_if(V3D_QPU_COND_ZS, qb_mov(QB_R3, QB_R2)), qb_mul(V3D_QPU_MUL_MUL24, QB_R3, QB_R2, QB_R1),
		qb_both(qb_add(V3D_QPU_ADD_ADD, QB_RA(5), QB_RA(6), QB_R1), qb_mul_mov(QB_RB(5), QB_R1)), qb_nop(),
	};

	for (int i = 0; i < 16; i++)
		body[i] = fadd_fmul;
	bench("fadd + fmul, accumulators", body, 16);
	for (int i = 0; i < 16; i++)
		body[i] = files;
	bench("fadd + fmul, register files", body, 16);
	for (int i = 0; i < 16; i++)
		body[i] = qb_mov(QB_R2, QB_R1);
	bench("mov", body, 16);
	bench("mixed", mixed, sizeof(mixed) / sizeof(mixed[0]));
	for (int i = 0; i < 16; i++)
		body[i] = qb_rotate(QB_R2, QB_R1, 3);
	bench("rotate", body, 16);
	for (int i = 0; i < 16; i++)
		body[i] = i ? qb_mov(QB_R2, QB_R1) : qb_mov(QB_R2, QB_UNIF);
	bench("one uniform in 16", body, 16);
	return 0;
}
