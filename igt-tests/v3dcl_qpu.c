// SPDX-License-Identifier: MIT
/*
 * User QPU programs: what they compute, how they reach memory, and how they work together. Every
 * expected value is worked out on the CPU by a formula of its own.
 */
#include "v3dcl_igt.h"

IGT_TEST_DESCRIPTION("User QPU programs: results, memory access, synchronisation, queueing");

static void check_stored(const uint32_t *words, uint32_t value)
{
	unsigned int i;

	for (i = 0; i < V3D_QPU_LANES; i++)
		igt_assert_eq_u32(words[i], value + i);
}

/*
 * count runs of one program, each with its own uniforms and its own 64 bytes; at most 12 at once,
 * each with a VPM row of its own
 */
static void store_by_many(int fd, unsigned int count)
{
	struct bo bo = bo_create(fd, 65536);
	struct job *job = job_new();
	uint32_t program = program_store(fd);
	unsigned int i;

	for (i = 0; i < count; i++)
		job_run_store(job, program, i % 64, noise(i), &bo, i * 64);
	job_finish(fd, job);
	for (i = 0; i < count; i++)
		check_stored(bo.map + i * 16, noise(i));
	for (i = count * 16; i < bo.size / 4; i++)
		igt_assert_eq_u32(bo.map[i], 0);
	gem_close(fd, program);
	bo_destroy(fd, &bo);
}

static void one_program(int fd)
{
	store_by_many(fd, 1);
}

static void twelve_programs(int fd)
{
	store_by_many(fd, 12);
}

static void more_than_queue(int fd)
{
	store_by_many(fd, 16 + 12 + 1);
}

static void most_programs(int fd)
{
	igt_assert_eq_u64(v3dcl_param(fd, DRM_V3DCL_PARAM_MAX_PROGRAMS), 256);
	store_by_many(fd, 256);
}

/*
 * Runs may share uniforms: two runs of the same slice store the same to the same place, a third has
 * none at all.
 */
static void shared_uniforms(int fd)
{
	struct bo bo = bo_create(fd, 4096);
	struct job *job = job_new();
	uint32_t program = program_store(fd), idle;
	uint64_t code[4];
	struct qb b;

	qb_init(&b, code, 4);
	qb_end(&b);
	idle = program_create(fd, &b);
	job_run_store(job, program, 5, 77, &bo, 128);
	job->programs[1] = job->programs[0];
	job->programs[2] = (struct drm_v3dcl_program) { .handle = idle };
	job->submit.program_count = 3;
	job_finish(fd, job);
	check_stored(bo.map + 32, 77);
	gem_close(fd, idle);
	gem_close(fd, program);
	bo_destroy(fd, &bo);
}

/* An empty job: no uniforms, no BO */
static void nothing(int fd)
{
	struct job *job = job_new();
	uint64_t code[4];
	uint32_t program;
	struct qb b;

	qb_init(&b, code, 4);
	qb_end(&b);
	program = program_create(fd, &b);
	job_run(job, program);
	job->submit.uniforms = 0;
	job->submit.relocs = 0;
	job->submit.in_syncs = 0;
	job_finish(fd, job);
	gem_close(fd, program);
}

/* A program that raises its host interrupt ends as others do */
static void host_interrupt(int fd)
{
	struct bo bo = bo_create(fd, 4096);
	struct job *job = job_new();
	uint64_t code[32];
	uint32_t program;
	unsigned int i;
	struct qb b;

	qb_init(&b, code, 32);
	qb_emit(&b, qb_mov(QB_R0, QB_UNIF));
	qb_mutex_lock(&b);
	qb_write_row(&b, 0, QB_R0);
	qb_store_rows(&b, 0, 1, QB_UNIF);
	qb_mutex_unlock(&b);
	qb_host_int(&b);
	qb_end(&b);
	program = program_create(fd, &b);
	for (i = 0; i < 24; i++) {
		job_run(job, program);
		job_uniform(job, 1000 + i);
		job_writes(job, &bo, i * 64);
	}
	job_finish(fd, job);
	for (i = 0; i < 24 * 16; i++)
		igt_assert_eq_u32(bo.map[i], 1000 + i / 16);
	gem_close(fd, program);
	bo_destroy(fd, &bo);
}

/* --- DMA -------------------------------------------------------------------------------------- */

/* 16 rows of memory into the VPM by DMA, each added to its element number, and back by DMA */
static void dma_both_ways(int fd)
{
	struct bo in = bo_create(fd, 4096), out = bo_create(fd, 4096);
	struct job *job = job_new();
	uint64_t code[256];
	uint32_t program;
	unsigned int i;
	struct qb b;

	qb_init(&b, code, 256);
	qb_load_rows(&b, 0, 16, QB_UNIF);
	for (i = 0; i < 16; i++) {
		qb_read_row(&b, QB_R0, i);
		qb_emit(&b, qb_mov(QB_R1, QB_ELEMENT));
		qb_setup(&b, QB_VW_SETUP, qb_word_vpm_write(16 + i));
		qb_emit(&b, qb_add(V3D_QPU_ADD_ADD, QB_VPM_WRITE, QB_R0, QB_R1));
	}
	qb_store_rows(&b, 16, 16, QB_UNIF);
	qb_end(&b);
	program = program_create(fd, &b);
	for (i = 0; i < 256; i++)
		in.map[64 + i] = noise(i);
	job_run(job, program);
	job_reads(job, &in, 256);
	job_writes(job, &out, 512);
	job_finish(fd, job);
	for (i = 0; i < 1024; i++)
		igt_assert_eq_u32(out.map[i], i >= 128 && i < 384 ? noise(i - 128) + i % 16 : 0);
	gem_close(fd, program);
	bo_destroy(fd, &in);
	bo_destroy(fd, &out);
}

/* Runs a program whose uniforms are where to read and where to write */
static void run_in_out(int fd, const struct qb *b, const struct bo *in, const struct bo *out)
{
	uint32_t program = program_create(fd, b);
	struct job *job = job_new();

	job_run(job, program);
	job_reads(job, in, 0);
	job_writes(job, out, 0);
	job_finish(fd, job);
	gem_close(fd, program);
}

/*
 * Rows that are not next to each other in memory: load pitch by field and by MPITCHB, store with a
 * gap
 */
static void dma_pitch(int fd)
{
	static const struct v3d_vdr_setup loads[] = {
		{ .vpitch = 1, .nrows = 4, .rowlen = 12, .mpitch = 5, .id = 1 },
		{ .vpitch = 1, .nrows = 4, .rowlen = 12, .mpitch = 0, .id = 1 },
	};
	const struct v3d_vdr_stride pitch = { .mpitchb = 100, .id = 9 };
	const struct v3d_vdw_setup store = { .horizontal = 1, .depth = 12, .units = 4, .id = 2 };
	struct bo in = bo_create(fd, 4096), out = bo_create(fd, 4096);
	unsigned int i, k, pitch_words;
	uint64_t code[64];
	struct qb b;

	for (i = 0; i < 1024; i++)
		in.map[i] = noise(i);
	for (k = 0; k < 2; k++) {
		pitch_words = k ? 25 : 64;	/* 100 bytes, 8 << 5 bytes */
		memset(out.map, 0xee, out.size);
		qb_init(&b, code, 64);
		qb_setup(&b, QB_VR_SETUP, v3d_word_vdr_stride(&pitch));
		qb_setup(&b, QB_VR_SETUP, v3d_word_vdr_setup(&loads[k]));
		qb_emit(&b, qb_mov(QB_VDR_ADDR, QB_UNIF));
		qb_emit(&b, qb_mov(QB_NONE, QB_VDR_WAIT));
		qb_setup(&b, QB_VW_SETUP, v3d_word_vdw_setup(&store));
		qb_setup(&b, QB_VW_SETUP, qb_word_vdw_stride(32));
		qb_emit(&b, qb_mov(QB_VDW_ADDR, QB_UNIF));
		qb_emit(&b, qb_mov(QB_NONE, QB_VDW_WAIT));
		qb_end(&b);
		run_in_out(fd, &b, &in, &out);
		/* 12 words a row, then 8 words that the store leaves alone */
		for (i = 0; i < 1024; i++)
			igt_assert_eq_u32(out.map[i], i < 80 && i % 20 < 12 ?
							      noise(i / 20 * pitch_words + i % 20) :
							      0xeeeeeeee);
	}
	bo_destroy(fd, &in);
	bo_destroy(fd, &out);
}

/* SW: two published libraries store the first words of 16 rows so; AG100 Table 35 has one row. */
static void dma_block(int fd)
{
	const struct v3d_vdw_setup store = {
		.y = 48, .horizontal = 1, .depth = 1, .units = 16, .id = 2,
	};
	const struct v3d_vdw_stride gap = { .stride = 60, .blockmode = 1, .id = 3 };
	struct bo in = bo_create(fd, 4096), out = bo_create(fd, 4096);
	uint64_t code[64];
	unsigned int i;
	struct qb b;

	for (i = 0; i < 256; i++)
		in.map[i] = noise(i);
	memset(out.map, 0xee, out.size);
	qb_init(&b, code, 64);
	qb_load_rows(&b, 48, 16, QB_UNIF);
	qb_setup(&b, QB_VW_SETUP, v3d_word_vdw_setup(&store));
	qb_setup(&b, QB_VW_SETUP, v3d_word_vdw_stride(&gap));
	qb_emit(&b, qb_mov(QB_VDW_ADDR, QB_UNIF));
	qb_emit(&b, qb_mov(QB_NONE, QB_VDW_WAIT));
	qb_end(&b);
	run_in_out(fd, &b, &in, &out);
	for (i = 0; i < 256; i++)
		igt_assert_eq_u32(out.map[i], i % 16 ? 0xeeeeeeee : noise(i));
	bo_destroy(fd, &in);
	bo_destroy(fd, &out);
}

/* Loaded by rows, stored by columns: 16 x 16 words transposed */
static void dma_transpose(int fd)
{
	const struct v3d_vdw_setup store = { .horizontal = 0, .depth = 16, .units = 16, .id = 2 };
	struct bo in = bo_create(fd, 4096), out = bo_create(fd, 4096);
	uint64_t code[64];
	unsigned int i;
	struct qb b;

	for (i = 0; i < 256; i++)
		in.map[i] = noise(i);
	qb_init(&b, code, 64);
	qb_load_rows(&b, 0, 16, QB_UNIF);
	qb_setup(&b, QB_VW_SETUP, v3d_word_vdw_setup(&store));
	qb_setup(&b, QB_VW_SETUP, qb_word_vdw_stride(0));
	qb_emit(&b, qb_mov(QB_VDW_ADDR, QB_UNIF));
	qb_emit(&b, qb_mov(QB_NONE, QB_VDW_WAIT));
	qb_end(&b);
	run_in_out(fd, &b, &in, &out);
	for (i = 0; i < 256; i++)
		igt_assert_eq_u32(out.map[i], noise(i % 16 * 16 + i / 16));
	bo_destroy(fd, &in);
	bo_destroy(fd, &out);
}

/* The QPU's own way to transpose: vertical VPM writes, horizontal DMA */
static void vpm_vertical(int fd)
{
	const struct v3d_vpm_write_setup columns = { .size = V3D_VPM_32BIT, .horizontal = 0,
						     .stride = 1 };
	struct bo in = bo_create(fd, 4096), out = bo_create(fd, 4096);
	uint64_t code[256];
	unsigned int i;
	struct qb b;

	for (i = 0; i < 256; i++)
		in.map[i] = noise(i);
	qb_init(&b, code, 256);
	qb_load_rows(&b, 16, 16, QB_UNIF);
	qb_setup(&b, QB_VR_SETUP, qb_word_vpm_read(16, 16));
	qb_setup(&b, QB_VW_SETUP, v3d_word_vpm_write_setup(&columns));
	qb_nops(&b, 3);
	for (i = 0; i < 16; i++)
		qb_emit(&b, qb_mov(QB_VPM_WRITE, QB_VPM_READ));
	qb_store_rows(&b, 0, 16, QB_UNIF);
	qb_end(&b);
	run_in_out(fd, &b, &in, &out);
	for (i = 0; i < 256; i++)
		igt_assert_eq_u32(out.map[i], noise(i % 16 * 16 + i / 16));
	bo_destroy(fd, &in);
	bo_destroy(fd, &out);
}

/* 8-bit laned VPM writes put byte n of the words of a row (AG100 Figure 8) */
static void vpm_bytes(int fd)
{
	const struct v3d_vpm_write_setup bytes = {
		.size = V3D_VPM_8BIT, .laned = 1, .horizontal = 1, .stride = 1
	};
	struct bo in = bo_create(fd, 4096), out = bo_create(fd, 4096);
	uint64_t code[64];
	unsigned int i, k;
	uint32_t expect;
	struct qb b;

	for (i = 0; i < 64; i++)
		in.map[i] = noise(i);
	qb_init(&b, code, 64);
	qb_load_rows(&b, 16, 4, QB_UNIF);
	qb_setup(&b, QB_VR_SETUP, qb_word_vpm_read(16, 4));
	qb_setup(&b, QB_VW_SETUP, v3d_word_vpm_write_setup(&bytes));
	qb_nops(&b, 3);
	for (i = 0; i < 4; i++)
		qb_emit(&b, qb_mov(QB_VPM_WRITE, QB_VPM_READ));
	qb_store_rows(&b, 0, 1, QB_UNIF);
	qb_end(&b);
	run_in_out(fd, &b, &in, &out);
	for (i = 0; i < 16; i++) {
		for (expect = 0, k = 0; k < 4; k++)
			expect |= (noise(k * 16 + i) & 0xff) << 8 * k;
		igt_assert_eq_u32(out.map[i], expect);
	}
	bo_destroy(fd, &in);
	bo_destroy(fd, &out);
}

/* --- TMU, SFU, ALU ---------------------------------------------------------------------------- */

/* Direct reads: each element its own address, four requests outstanding, out of order in memory */
static void tmu_reads(int fd)
{
	struct bo in = bo_create(fd, 8192), out = bo_create(fd, 4096);
	struct job *job = job_new();
	uint64_t code[128];
	uint32_t program;
	unsigned int i;
	struct qb b;

	for (i = 0; i < 2048; i++)
		in.map[i] = noise(i);
	qb_init(&b, code, 128);
	/* r0 = base + (15 - element) * 68 bytes */
	qb_emit(&b, qb_mov(QB_R1, QB_ELEMENT));
	qb_emit(&b, qb_add(V3D_QPU_ADD_SUB, QB_R1, qb_imm(15), QB_R1));
	qb_emit(&b, qb_ldi(QB_R2, 68));
	qb_emit(&b, qb_mul(V3D_QPU_MUL_MUL24, QB_R1, QB_R1, QB_R2));
	qb_emit(&b, qb_add(V3D_QPU_ADD_ADD, QB_R0, QB_R1, QB_UNIF));
	qb_emit(&b, qb_ldi(QB_R2, 1024));
	for (i = 0; i < 4; i++) {
		qb_emit(&b, qb_mov(QB_TMU0_S, QB_R0));
		qb_emit(&b, qb_add(V3D_QPU_ADD_ADD, QB_R0, QB_R0, QB_R2));
	}
	qb_setup(&b, QB_VW_SETUP, qb_word_vpm_write(0));
	for (i = 0; i < 4; i++) {
		qb_emit(&b, qb_signal(V3D_QPU_SIG_LOAD_TMU0, qb_nop()));
		qb_emit(&b, qb_mov(QB_VPM_WRITE, QB_R4));
	}
	qb_store_rows(&b, 0, 4, QB_UNIF);
	qb_end(&b);
	program = program_create(fd, &b);
	job_run(job, program);
	job_reads(job, &in, 4);
	job_writes(job, &out, 0);
	job_finish(fd, job);
	for (i = 0; i < 64; i++)
		igt_assert_eq_u32(out.map[i], noise(1 + (15 - i % 16) * 17 + i / 16 * 256));
	gem_close(fd, program);
	bo_destroy(fd, &in);
	bo_destroy(fd, &out);
}

static float as_float(uint32_t bits)
{
	float value;

	memcpy(&value, &bits, 4);
	return value;
}

static uint32_t as_bits(float value)
{
	uint32_t bits;

	memcpy(&bits, &value, 4);
	return bits;
}

static float square_root(float x)
{
	float y = x > 1 ? x : 1;
	int i;

	for (i = 0; i < 60; i++)
		y = (y + x / y) / 2;
	return y;
}

/*
 * Element n is given 2^(n - 8): logarithms are whole numbers, reciprocals powers of two. The SFU is
 * good for about 2^-11.
 */
static void sfu(int fd)
{
	static const uint16_t functions[] = { QB_RECIP, QB_RSQRT, QB_LOG, QB_EXP };
	struct bo in = bo_create(fd, 4096), out = bo_create(fd, 4096);
	uint64_t code[128];
	unsigned int i, k;
	struct qb b;

	for (i = 0; i < 16; i++)
		in.map[i] = as_bits(i < 8 ? 1.0f / (1 << (8 - i)) : 1 << (i - 8));
	for (i = 0; i < 16; i++)
		in.map[16 + i] = as_bits((int)i - 8);
	qb_init(&b, code, 128);
	qb_load_rows(&b, 16, 2, QB_UNIF);
	qb_read_row(&b, QB_R0, 16);
	qb_read_row(&b, QB_R1, 17);
	qb_setup(&b, QB_VW_SETUP, qb_word_vpm_write(0));
	for (k = 0; k < 4; k++) {
		qb_emit(&b, qb_mov(functions[k], k < 3 ? QB_R0 : QB_R1));
		qb_nops(&b, 2);
		qb_emit(&b, qb_mov(QB_VPM_WRITE, QB_R4));
	}
	qb_store_rows(&b, 0, 4, QB_UNIF);
	qb_end(&b);
	run_in_out(fd, &b, &in, &out);
	for (i = 0; i < 64; i++) {
		float x = as_float(in.map[i % 16]), power = x, got = as_float(out.map[i]);
		float expect = i < 16 ? 1 / x :
			       i < 32 ? 1 / square_root(x) :
			       i < 48 ? (int)i % 16 - 8 :
					power;
		float error = got > expect ? got - expect : expect - got,
		      limit = expect < 0 ? -expect : expect;

		igt_assert_f(error <= (limit > 1 ? limit :
				       i < 32 ? limit :
						   1) /
					      1024,
			     "function %u element %u: %f, not %f\n", i / 16, i % 16, got, expect);
	}
	igt_assert_eq_u32(out.map[8], 0x3f800000);	/* HW: recip(1) is exactly 1 */
	bo_destroy(fd, &in);
	bo_destroy(fd, &out);
}

/* Integer operations against C's */
static uint32_t expect_alu(unsigned int op, uint32_t a, uint32_t c)
{
	switch (op) {
	case V3D_QPU_ADD_ADD:
		return a + c;
	case V3D_QPU_ADD_SUB:
		return a - c;
	case V3D_QPU_ADD_SHR:
		return a >> (c & 31);
	case V3D_QPU_ADD_ASR:
		return (int32_t)a >> (c & 31);
	case V3D_QPU_ADD_ROR:
		return a >> (c & 31) | a << (-c & 31);
	case V3D_QPU_ADD_SHL:
		return a << (c & 31);
	case V3D_QPU_ADD_MIN:
		return (int32_t)a < (int32_t)c ? a : c;
	case V3D_QPU_ADD_MAX:
		return (int32_t)a > (int32_t)c ? a : c;
	case V3D_QPU_ADD_AND:
		return a & c;
	case V3D_QPU_ADD_OR:
		return a | c;
	case V3D_QPU_ADD_XOR:
		return a ^ c;
	case V3D_QPU_ADD_NOT:
		return ~a;
	default:
		return a ? __builtin_clz(a) : 32;
	}
}

static void alu(int fd)
{
	static const uint8_t ops[] = {
		V3D_QPU_ADD_ADD, V3D_QPU_ADD_SUB, V3D_QPU_ADD_SHR, V3D_QPU_ADD_ASR, V3D_QPU_ADD_ROR,
		V3D_QPU_ADD_SHL,
		V3D_QPU_ADD_MIN, V3D_QPU_ADD_MAX, V3D_QPU_ADD_AND, V3D_QPU_ADD_OR, V3D_QPU_ADD_XOR,
		V3D_QPU_ADD_NOT,
		V3D_QPU_ADD_CLZ,
	};
	struct bo in = bo_create(fd, 4096), out = bo_create(fd, 4096);
	unsigned int i, k, count = ARRAY_SIZE(ops);
	uint64_t code[128];
	struct qb b;

	for (i = 0; i < 32; i++)
		in.map[i] = i % 5 == 4 ? noise(i) >> noise(i) % 32 : noise(i);
	qb_init(&b, code, 128);
	qb_load_rows(&b, 16, 2, QB_UNIF);
	qb_read_row(&b, QB_R0, 16);
	qb_read_row(&b, QB_R1, 17);
	qb_setup(&b, QB_VW_SETUP, qb_word_vpm_write(0));
	for (k = 0; k < count; k++)
		qb_emit(&b, qb_add(ops[k], QB_VPM_WRITE, QB_R0, QB_R1));
	qb_emit(&b, qb_mul(V3D_QPU_MUL_MUL24, QB_VPM_WRITE, QB_R0, QB_R1));
	qb_emit(&b, qb_rotate(QB_VPM_WRITE, QB_R0, 5));
	qb_store_rows(&b, 0, count + 2, QB_UNIF);
	qb_end(&b);
	run_in_out(fd, &b, &in, &out);
	for (k = 0; k < count; k++)
		for (i = 0; i < 16; i++)
			igt_assert_f(out.map[k * 16 + i] ==
					     expect_alu(ops[k], in.map[i], in.map[16 + i]),
				     "operation %u of %#x and %#x gave %#x\n", ops[k], in.map[i],
				     in.map[16 + i], out.map[k * 16 + i]);
	for (i = 0; i < 16; i++) {
		igt_assert_eq_u32(out.map[count * 16 + i],
				  (in.map[i] & 0xffffff) * (in.map[16 + i] & 0xffffff));
		igt_assert_eq_u32(out.map[(count + 1) * 16 + (i + 5) % 16], in.map[i]);
	}
	bo_destroy(fd, &in);
	bo_destroy(fd, &out);
}

/*
 * HW: additions and products truncate. Each of these is one unit lower than round to nearest gives.
 */
static void float_truncates(int fd)
{
	struct bo in = bo_create(fd, 4096), out = bo_create(fd, 4096);
	uint64_t code[64];
	unsigned int i;
	struct qb b;

	for (i = 0; i < 16; i++) {
		in.map[i] = 0x3f800001 + i;		/* 1 + (1 + i) * 2^-23 */
		in.map[16 + i] = 0x3fc00000;		/* 1.5 */
	}
	qb_init(&b, code, 64);
	qb_load_rows(&b, 16, 2, QB_UNIF);
	qb_read_row(&b, QB_R0, 16);
	qb_read_row(&b, QB_R1, 17);
	qb_setup(&b, QB_VW_SETUP, qb_word_vpm_write(0));
	qb_emit(&b, qb_mul(V3D_QPU_MUL_FMUL, QB_VPM_WRITE, QB_R0, QB_R1));
	qb_emit(&b, qb_add(V3D_QPU_ADD_FADD, QB_VPM_WRITE, QB_R0, QB_R1));
	qb_store_rows(&b, 0, 2, QB_UNIF);
	qb_end(&b);
	run_in_out(fd, &b, &in, &out);
	for (i = 0; i < 16; i++) {
		igt_assert_eq_u32(out.map[i], 0x3fc00000 + (1 + i) * 3 / 2);
		igt_assert_eq_u32(out.map[16 + i], 0x40200000 + (1 + i) / 2);
	}
	bo_destroy(fd, &in);
	bo_destroy(fd, &out);
}

/* A loop whose length is a uniform: a sum of whole numbers */
static void loop(int fd)
{
	struct bo bo = bo_create(fd, 4096);
	struct job *job = job_new();
	uint64_t code[64];
	uint32_t program, top;
	struct qb b;

	qb_init(&b, code, 64);
	qb_emit(&b, qb_mov(QB_R0, QB_UNIF));
	qb_emit(&b, qb_mov(QB_R1, qb_imm(0)));
	top = qb_here(&b);
	qb_emit(&b, qb_add(V3D_QPU_ADD_ADD, QB_R1, QB_R1, QB_R0));
	qb_count_down(&b, QB_R0, top);
	qb_write_row(&b, 0, QB_R1);
	qb_store_rows(&b, 0, 1, QB_UNIF);
	qb_end(&b);
	program = program_create(fd, &b);
	job_run(job, program);
	job_uniform(job, 10000);
	job_writes(job, &bo, 0);
	job_finish(fd, job);
	igt_assert_eq_u32(bo.map[0], 10000 * 10001 / 2);
	igt_assert_eq_u32(bo.map[15], 10000 * 10001 / 2);
	gem_close(fd, program);
	bo_destroy(fd, &bo);
}

/* --- programs together ------------------------------------------------------------------------ */

#define COUNTER_ROW 63
#define ROUNDS 20

/* r0: the counter's row, read, made one higher and written back under the mutex */
static void emit_count(struct qb *b)
{
	uint32_t top;

	qb_emit(b, qb_ldi(QB_R3, ROUNDS));
	top = qb_here(b);
	qb_mutex_lock(b);
	qb_read_row(b, QB_R0, COUNTER_ROW);
	qb_emit(b, qb_add(V3D_QPU_ADD_ADD, QB_R0, QB_R0, qb_imm(1)));
	qb_write_row(b, COUNTER_ROW, QB_R0);
	/* Read it again before letting go, so that the write has arrived */
	qb_read_row(b, QB_R1, COUNTER_ROW);
	qb_mutex_unlock(b);
	qb_count_down(b, QB_R3, top);
}

/*
 * Programs 1 to 11 wait for semaphore 0, count, and raise semaphore 1; program 0 clears it, lets
 * them go, waits, stores.
 */
static void mutex_and_semaphores(int fd)
{
	struct bo bo = bo_create(fd, 4096);
	struct job *job = job_new();
	uint32_t first, other;
	uint64_t code[256];
	unsigned int i;
	struct qb b;

	qb_init(&b, code, 256);
	qb_emit(&b, qb_mov(QB_R0, qb_imm(0)));
	qb_write_row(&b, COUNTER_ROW, QB_R0);
	qb_read_row(&b, QB_R1, COUNTER_ROW);
	for (i = 0; i < 11; i++)
		qb_emit(&b, qb_sema_up(0));
	for (i = 0; i < 11; i++)
		qb_emit(&b, qb_sema_down(1));
	qb_store_rows(&b, COUNTER_ROW, 1, QB_UNIF);
	qb_end(&b);
	first = program_create(fd, &b);

	qb_init(&b, code, 256);
	qb_emit(&b, qb_sema_down(0));
	emit_count(&b);
	qb_emit(&b, qb_sema_up(1));
	qb_end(&b);
	other = program_create(fd, &b);

	job_run(job, first);
	job_writes(job, &bo, 0);
	for (i = 0; i < 11; i++)
		job_run(job, other);
	job_finish(fd, job);
	for (i = 0; i < 16; i++)
		igt_assert_eq_u32(bo.map[i], 11 * ROUNDS);
	gem_close(fd, first);
	gem_close(fd, other);
	bo_destroy(fd, &bo);
}

/* One doubles the row and adds one, the other adds one: order shows in the result */
static void emit_turn(struct qb *b, bool second)
{
	if (second)
		qb_emit(b, qb_sema_down(2));
	qb_read_row(b, QB_R0, 0);
	if (second)
		qb_emit(b, qb_add(V3D_QPU_ADD_ADD, QB_R0, QB_R0, QB_R0));
	qb_emit(b, qb_add(V3D_QPU_ADD_ADD, QB_R0, QB_R0, qb_imm(1)));
	qb_write_row(b, 0, QB_R0);
	qb_read_row(b, QB_R1, 0);
	qb_emit(b, qb_sema_up(second ? 3 : 2));
	if (!second)
		qb_emit(b, qb_sema_down(3));
}

/*
 * A row that two programs hand to each other, 30 times each way, by two semaphores. Written out,
 * since the verifier wants to know how often a semaphore is raised.
 */
static void ping_pong(int fd)
{
	struct bo bo = bo_create(fd, 4096);
	struct job *job = job_new();
	static uint64_t code[1024];
	uint32_t program[2];
	unsigned int i, k;
	struct qb b;

	for (i = 0; i < 2; i++) {
		qb_init(&b, code, ARRAY_SIZE(code));
		if (!i) {
			qb_emit(&b, qb_mov(QB_R0, qb_imm(0)));
			qb_write_row(&b, 0, QB_R0);
			qb_read_row(&b, QB_R1, 0);
		}
		for (k = 0; k < 30; k++)
			emit_turn(&b, i);
		if (!i)
			qb_store_rows(&b, 0, 1, QB_UNIF);
		qb_end(&b);
		program[i] = program_create(fd, &b);
	}
	job_run(job, program[0]);
	job_writes(job, &bo, 0);
	job_run(job, program[1]);
	job_finish(fd, job);
	/* x -> 2 (x + 1) + 1, 30 times from 0: 3 (2^30 - 1) */
	igt_assert_eq_u32(bo.map[0], 3u * ((1u << 30) - 1));
	gem_close(fd, program[0]);
	gem_close(fd, program[1]);
	bo_destroy(fd, &bo);
}

/* Notes the number of its QPU; raises @up and waits for @down, so many times */
static uint32_t program_meet(int fd, unsigned int up, unsigned int down, unsigned int times,
			     bool first)
{
	uint64_t code[64];
	unsigned int i;
	struct qb b;

	qb_init(&b, code, 64);
	qb_emit(&b, qb_mov(QB_R0, QB_QPU));
	emit_store_row(&b);
	for (i = 0; i < times; i++)
		qb_emit(&b, first ? qb_sema_down(down) : qb_sema_up(up));
	for (i = 0; i < times; i++)
		qb_emit(&b, first ? qb_sema_up(up) : qb_sema_down(down));
	qb_end(&b);
	return program_create(fd, &b);
}

/*
 * 12 that wait for each other must be on 12 different QPUs: eleven raise semaphore 4 and leave when
 * the twelfth lets them
 */
static void twelve_qpus(int fd)
{
	uint32_t eleven = program_meet(fd, 4, 5, 1, false),
		 twelfth = program_meet(fd, 5, 4, 11, true);
	struct bo bo = bo_create(fd, 4096);
	struct job *job = job_new();
	unsigned int i, seen = 0;

	for (i = 0; i < 12; i++) {
		job_run(job, i < 11 ? eleven : twelfth);
		job_uniform(job, i);
		job_writes(job, &bo, i * 64);
	}
	job_finish(fd, job);
	for (i = 0; i < 12; i++)
		seen |= 1u << bo.map[i * 16];
	igt_assert_eq_u32(seen, 0xfff);
	gem_close(fd, eleven);
	gem_close(fd, twelfth);
	bo_destroy(fd, &bo);
}

/* --- jobs one after the other ----------------------------------------------------------------- */

/* Each job adds one to what the one before it stored; nothing but their BO orders them */
static void implicit_order(int fd)
{
	struct bo bo = bo_create(fd, 4096);
	uint32_t program, sync = sync_create(fd);
	uint64_t code[64], last = 0;
	struct job *job;
	unsigned int i;
	struct qb b;

	qb_init(&b, code, 64);
	qb_load_rows(&b, 0, 1, QB_UNIF);
	qb_read_row(&b, QB_R0, 0);
	qb_emit(&b, qb_add(V3D_QPU_ADD_ADD, QB_R0, QB_R0, qb_imm(1)));
	qb_write_row(&b, 0, QB_R0);
	qb_store_rows(&b, 0, 1, QB_UNIF);
	qb_end(&b);
	program = program_create(fd, &b);
	for (i = 0; i < 40; i++) {
		job = job_new();
		job_run(job, program);
		job_reads(job, &bo, 0);
		job_writes(job, &bo, 0);
		if (i == 39)
			job_out(job, sync, 0);
		job_submit(fd, job);
		igt_assert_lt_u64(last, job->submit.seqno);
		last = job->submit.seqno;
		free(job);
	}
	igt_assert_eq(seqno_wait(fd, last, LONG_WAIT), 0);
	igt_assert_eq(sync_result(fd, sync), 1);
	for (i = 0; i < 16; i++)
		igt_assert_eq_u32(bo.map[i], 40);
	sync_destroy(fd, sync);
	gem_close(fd, program);
	bo_destroy(fd, &bo);
}

/*
 * A frame is rendered, read and changed by a program, and loaded by the next frame: three queues,
 * one BO, no wait in between
 */
static void render_then_program(int fd)
{
	struct bo bo = bo_create(fd, 64 * 64 * 4), copy = bo_create(fd, 64 * 64 * 4);
	struct render *r = render_clear_job(&bo, 0x01020304);
	uint32_t program = program_store(fd);
	struct job *job = job_new();
	unsigned int i;

	render_submit(fd, r);
	free(r);
	job_run_store(job, program, 0, 0x70000000, &bo, 64 * 64 * 2);
	job_submit(fd, job);
	free(job);
	r = render_new(64, 64);
	render_surface(r, &r->submit.color_read, bo.handle, 0,
		       SURFACE(V3D_BUFFER_COLOR, V3D_RASTER, V3D_RGBA8888));
	render_surface(r, &r->submit.color_write, copy.handle, 0, RENDER_PIXEL(V3D_FRAME_RGBA8888));
	render_finish(fd, r);
	for (i = 0; i < 64 * 64; i++)
		igt_assert_eq_u32(copy.map[i],
				  i >= 2048 && i < 2064 ? 0x70000000 + i - 2048 : 0x01020304);
	gem_close(fd, program);
	bo_destroy(fd, &bo);
	bo_destroy(fd, &copy);
}

/* The BO of a program may be closed while the job runs */
static void close_early(int fd)
{
	struct bo bo = bo_create(fd, 4096);
	uint32_t program = program_store(fd), sync = sync_create(fd);
	struct job *job = job_new();
	unsigned int i;

	for (i = 0; i < 64; i++)
		job_run_store(job, program, i, i, &bo, i * 64);
	job_out(job, sync, 0);
	job_submit(fd, job);
	gem_close(fd, program);
	gem_close(fd, bo.handle);
	igt_assert_eq(sync_result(fd, sync), 1);
	for (i = 0; i < 64; i++)
		check_stored(bo.map + i * 16, i);
	munmap(bo.map, bo.size);
	sync_destroy(fd, sync);
	free(job);
}

static const struct subtest tests[] = {
	{ "nothing", nothing, "A program that only ends, without uniforms or BOs" },
	{ "one-program", one_program, "One program stores 16 words" },
	{ "twelve-programs", twelve_programs, "As many programs as there are QPUs" },
	{ "more-than-queue", more_than_queue, "More programs than QPUs and request queue hold" },
	{ "256-programs", most_programs, "As many programs as one submit takes" },
	{ "shared-uniforms", shared_uniforms, "Runs that share uniforms, and one without" },
	{ "host-interrupt", host_interrupt,
	  "Programs that raise a host interrupt before their end" },
	{ "dma-both-ways", dma_both_ways, "DMA into the VPM and out of it" },
	{ "dma-pitch", dma_pitch, "DMA of rows that are apart in memory" },
	{ "dma-block", dma_block, "DMA of the first words of rows, in block mode" },
	{ "dma-transpose", dma_transpose, "DMA by rows in, by columns out" },
	{ "vpm-vertical", vpm_vertical, "Vertical VPM writes" },
	{ "vpm-bytes", vpm_bytes, "Laned 8-bit VPM writes" },
	{ "tmu-reads", tmu_reads, "Direct memory reads by the TMU" },
	{ "sfu", sfu, "The special functions" },
	{ "alu", alu, "Integer operations against C's" },
	{ "float-truncates", float_truncates, "Float addition and multiplication truncate" },
	{ "loop", loop, "A loop of branches" },
	{ "mutex-and-semaphores", mutex_and_semaphores, "12 programs count under the mutex" },
	{ "ping-pong", ping_pong, "Two programs take turns by semaphores" },
	{ "twelve-qpus", twelve_qpus, "12 programs that wait for each other run on 12 QPUs" },
	{ "implicit-order", implicit_order, "Jobs that share a BO run in order" },
	{ "render-then-program", render_then_program,
	  "A frame, a program and a frame that share a BO run in order" },
	{ "close-early", close_early, "BOs closed while a job uses them" },
};

V3DCL_MAIN(tests, require_user)
