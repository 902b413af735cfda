/* SPDX-License-Identifier: MIT */
/*
 * How many QPU instructions a second one core executes: prints M instructions/s for some loops, on
 * the chip that the guide means and on silicon. Not a test.
 */

#include "qpu_fixture.h"
#include "seconds.h"

static const char *const chips[] = { "ideal", "bcm2835" };

/* A loop of @n instructions in @body, @count in all. Return: seconds */
static double loop(struct machine *m, const struct v3d_qpu_inst *body, unsigned int n,
		   unsigned int count)
{
	double start;
	uint32_t top;

	qb_emit(&m->b, qb_ldi(QB_RA(31), count / (n + 5)));
	qb_emit(&m->b, qb_ldi(QB_R0, 0x3f800000));
	qb_emit(&m->b, qb_ldi(QB_R1, 0x3f800001));
	qb_emit(&m->b, qb_ldi(QB_R3, 0x3f800000));
	top = qb_here(&m->b);
	for (unsigned int i = 0; i < n; i++)
		qb_emit(&m->b, body[i]);
	qb_emit(&m->b, qb_flags(qb_add(V3D_QPU_ADD_SUB, QB_RA(31), QB_RA(31), qb_imm(1))));
	qb_branch_to(&m->b, V3D_QPU_BRANCH_ANY_ZC, top);
	qb_nops(&m->b, 3);
	qb_end(&m->b);
	machine_request(m, machine_place(m, CODE), bus_of(UNIFORMS));
	start = cpu_seconds();
	while (v3dsim_run(m->sim, 1u << 20) == V3DSIM_BUSY)
		;
	return cpu_seconds() - start;
}

/* The registers after many rounds are those of the reference chip. */
static void check(const char *chip, const struct v3d_qpu_inst *body, unsigned int n)
{
	const struct v3dsim_config config[] = { { .chip = chip },
						{ .chip = chip, .reference = true } };
	static struct machine m[2];

	for (unsigned int i = 0; i < 2; i++) {
		machine_new_as(&m[i], &config[i]);
		loop(&m[i], body, n, 2000000);
	}
	if (memcmp(m[0].sim->qps->qpu[V3D_QPUS - 1].regs, m[1].sim->qps->qpu[V3D_QPUS - 1].regs,
		   QPU_PORT_A * sizeof(struct lanes)))
		abort();
	machine_free(&m[0]);
	machine_free(&m[1]);
}

/* Each chip's rate in such a loop, what is compiled included */
static void bench(const char *name, const struct v3d_qpu_inst *body, unsigned int n)
{
	static struct machine m;
	double took;

	setvbuf(stdout, NULL, _IOLBF, 0);
	for (unsigned int i = 0; i < sizeof(chips) / sizeof(chips[0]); i++) {
		const struct v3dsim_config config = { .chip = chips[i] };

		check(chips[i], body, n);
		machine_new_as(&m, &config);
		took = loop(&m, body, n, 60000000);
		printf("%-28s %-8s %7.1f M instr/s\n", name, chips[i],
		       stat_of(&m, "instructions") / took * 0.000001);
		machine_free(&m);
	}
}

#define N 64			/* rows and columns of each matrix */
#define TILE V3D_QPU_LANES	/* of the result, for a program */
#define PROGRAMS (N / TILE * (N / TILE))
#define MATRIX_A 0x28000u
#define MATRIX_B 0x30000u

/*
 * A tile of the product, 16 x 16, in registers: for each k, sixteen elements of a column of A and
 * of a row of B come by the TMU, and A's go round, so that register i has the diagonal C[lane -
 * i][lane]. A lies in memory by columns. In the end the diagonals leave one by one, by the row of
 * the VPM that has the QPU's number.
 */
static void product(struct machine *m)
{
	struct qb *b = &m->b;
	uint32_t top;

	qb_emit(b, qb_ldi(QB_RB(20), 4 * N));
	qb_emit(b, qb_ldi(QB_RA(22), N));
	qb_emit(b, qb_add(V3D_QPU_ADD_SHL, QB_R0, QB_ELEMENT, qb_imm(2)));
	qb_emit(b, qb_add(V3D_QPU_ADD_ADD, QB_RA(20), QB_R0, QB_UNIF));
	qb_emit(b, qb_add(V3D_QPU_ADD_ADD, QB_RA(21), QB_R0, QB_UNIF));
	top = qb_here(b);
	qb_emit(b, qb_mov(QB_TMU0_S, QB_RA(20)));
	qb_emit(b, qb_mov(QB_TMU0_S, QB_RA(21)));
	qb_emit(b, qb_add(V3D_QPU_ADD_ADD, QB_RA(20), QB_RA(20), QB_RB(20)));
	qb_emit(b, qb_signal(V3D_QPU_SIG_LOAD_TMU0,
			     qb_add(V3D_QPU_ADD_ADD, QB_RA(21), QB_RA(21), QB_RB(20))));
	qb_emit(b, qb_signal(V3D_QPU_SIG_LOAD_TMU0, qb_mov(QB_R0, QB_R4)));
	qb_emit(b, qb_mov(QB_R3, QB_R4));
	qb_emit(b, qb_mul_mov(QB_R1, QB_R0));
	for (unsigned int n = 1; n <= TILE; n++) {
		const struct v3d_qpu_inst sum = qb_add(V3D_QPU_ADD_FADD, QB_RA(n - 1), QB_RA(n - 1),
						       QB_R2);

		qb_emit(b, qb_mul(V3D_QPU_MUL_FMUL, QB_R2, QB_R1, QB_R3));
		qb_emit(b, n < TILE ? qb_both(sum, qb_rotate(QB_R1, QB_R0, n)) : sum);
	}
	qb_emit(b, qb_flags(qb_add(V3D_QPU_ADD_SUB, QB_RA(22), QB_RA(22), qb_imm(1))));
	qb_branch_to(b, V3D_QPU_BRANCH_ANY_ZC, top);
	qb_nops(b, 3);
	qb_emit(b, qb_mov(QB_R0, QB_QPU));
	qb_emit(b, qb_add(V3D_QPU_ADD_SHL, QB_R1, QB_R0, qb_imm(7)));
	for (unsigned int n = 0; n < TILE; n++) {
		qb_emit(b, qb_ldi(QB_R2, qb_word_vpm_write(0)));
		qb_emit(b, qb_add(V3D_QPU_ADD_ADD, QB_VW_SETUP, QB_R0, QB_R2));
		qb_emit(b, qb_mov(QB_VPM_WRITE, QB_RA(n)));
		qb_emit(b, qb_ldi(QB_R2, qb_word_vdw(0, 1)));
		qb_emit(b, qb_add(V3D_QPU_ADD_ADD, QB_VW_SETUP, QB_R1, QB_R2));
		qb_setup(b, QB_VW_SETUP, qb_word_vdw_stride(0));
		qb_emit(b, qb_mov(QB_VDW_ADDR, QB_UNIF));
		qb_emit(b, qb_mov(QB_NONE, QB_VDW_WAIT));
	}
	qb_end(b);
}

static float element(unsigned int row, unsigned int column)
{
	return (float)((row * 3 + column) % 7) - 2;
}

/* A program's uniforms: its columns of A and B, and where each diagonal goes */
static void put_matrices(struct machine *m)
{
	for (unsigned int program = 0; program < PROGRAMS; program++) {
		uint32_t *stream = at(m, UNIFORMS) + program * (2 + TILE);

		*stream++ = bus_of(MATRIX_A) + 4 * TILE * (program / (N / TILE));
		*stream++ = bus_of(MATRIX_B) + 4 * TILE * (program % (N / TILE));
		for (unsigned int n = 0; n < TILE; n++)
			*stream++ = bus_of(OUTPUT) + 4 * TILE * (program * TILE + n);
	}
	for (unsigned int n = 0; n < N * N; n++) {
		memcpy(at(m, MATRIX_A) + n, &(float){ element(n % N, n / N) }, 4);
		memcpy(at(m, MATRIX_B) + n, &(float){ element(n % N, n / N) }, 4);
	}
}

/* Small integers: the sums are exact. */
static void check_product(struct machine *m)
{
	for (unsigned int row = 0; row < N; row++) {
		for (unsigned int column = 0; column < N; column++) {
			const unsigned int program = row / TILE * (N / TILE) + column / TILE,
					   turn = (column - row) % TILE;
			float sum = 0, found;

			for (unsigned int k = 0; k < N; k++)
				sum += element(row, k) * element(column, k);
			memcpy(&found,
			       at(m, OUTPUT) + TILE * (program * TILE + turn) + column % TILE, 4);
			if (found != sum)
				abort();
		}
	}
}

/* A matrix product on all QPUs, again and again */
static void bench_product(const char *chip)
{
	const struct v3dsim_config config = { .chip = chip };
	static struct machine m;
	uint32_t code;
	double start, took;

	machine_new_as(&m, &config);
	product(&m);
	code = machine_place(&m, CODE);
	put_matrices(&m);
	start = cpu_seconds();
	for (unsigned int n = 0; n < 1000 * PROGRAMS; n++) {
		machine_request(&m, code, bus_of(UNIFORMS) + n % PROGRAMS * (2 + TILE) * 4);
		while (V3D_GET(v3dsim_read(m.sim, V3D_SRQCS), SRQCS, QPURQL) == V3D_USER_QUEUE &&
		       v3dsim_run(m.sim, 1u << 12) == V3DSIM_BUSY)
			continue;
	}
	while (v3dsim_run(m.sim, 1u << 20) == V3DSIM_BUSY)
		continue;
	took = cpu_seconds() - start;
	check_product(&m);
	printf("%-28s %-8s %7.1f M instr/s\n", "matrix product, 12 QPUs", chip,
	       stat_of(&m, "instructions") / took * 0.000001);
	if (stat_of(&m, "broken_rules"))
		printf("  with %llu broken rules\n",
		       (unsigned long long)stat_of(&m, "broken_rules"));
	machine_free(&m);
}

int main(void)
{
	const struct v3d_qpu_inst fadd_fmul =
		qb_both(qb_add(V3D_QPU_ADD_FADD, QB_R2, QB_R0, QB_R1),
			qb_mul(V3D_QPU_MUL_FMUL, QB_R3, QB_R0, QB_R1));
	const struct v3d_qpu_inst carried =
		qb_both(qb_add(V3D_QPU_ADD_FADD, QB_R2, QB_R2, QB_R1),
			qb_mul(V3D_QPU_MUL_FMUL, QB_R3, QB_R3, QB_R1));
	const struct v3d_qpu_inst files =
		qb_both(qb_add(V3D_QPU_ADD_FADD, QB_RA(1), QB_RA(2), QB_R1),
			qb_mul(V3D_QPU_MUL_FMUL, QB_RB(1), QB_RB(2), QB_R1));
	struct v3d_qpu_inst body[16], mixed[] = {
		qb_mov(QB_R0, QB_R1),
		files,
		qb_add(V3D_QPU_ADD_SHL, QB_R2, QB_R1, qb_imm(3)),
		fadd_fmul,
		qb_add(V3D_QPU_ADD_AND, QB_R2, QB_R1, QB_RB(3)),
		qb_flags(qb_add(V3D_QPU_ADD_SUB, QB_NONE, QB_R2, QB_R1)),
		qb_if(V3D_QPU_COND_ZS, qb_mov(QB_R3, QB_R2)),
		qb_mul(V3D_QPU_MUL_MUL24, QB_R3, QB_R2, QB_R1),
		qb_both(qb_add(V3D_QPU_ADD_ADD, QB_RA(5), QB_RA(6), QB_R1),
			qb_mul_mov(QB_RB(5), QB_R1)),
		qb_nop(),
	};

	for (int i = 0; i < 16; i++)
		body[i] = fadd_fmul;
	bench("fadd + fmul, accumulators", body, 16);
	for (int i = 0; i < 16; i++)
		body[i] = carried;
	bench("fadd + fmul, loop-carried", body, 16);
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
	for (unsigned int i = 0; i < sizeof(chips) / sizeof(chips[0]); i++)
		bench_product(chips[i]);
	return 0;
}
