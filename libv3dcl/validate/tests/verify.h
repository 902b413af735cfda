/* SPDX-License-Identifier: MIT */
/*
 * What tests of user programs share: programs that are accepted with what is recorded of them, or
 * refused at an instruction; a job of one run.
 */
#ifndef V3DCL_JOB_TESTS_PROVE_H
#define V3DCL_JOB_TESTS_PROVE_H

#include "common.h"

#include <v3d/words.h>

static uint64_t code[256];
static uint64_t scratch[1 << 19];
static struct qb b;
static struct v3dcl_program program;
static struct v3dcl_refusal refusal;
static struct v3dcl_use kept[64];

static inline void start(void)
{
	qb_init(&b, code, 256);
}

static inline bool check(void)
{
	if (b.failed)
		print_message("# instruction %u cannot be written\n", b.count);
	assert_false(b.failed);
	assert_true(v3dcl_program_scratch((const __u64 *)code, b.count) <= sizeof(scratch));
	return v3dcl_check_program((const __u64 *)code, b.count, scratch, sizeof(scratch), &program,
				   &refusal);
}

static inline void accepted(void)
{
	bool good;

	qb_end(&b);
	good = check();
	if (!good)
		print_message("# instruction %u: %s\n", refusal.offset / 8,
			      v3dcl_rule_text(refusal.rule));
	assert_true(good);
	assert_true(v3dcl_program_bytes(&program) <= sizeof(kept));
	v3dcl_keep_program(&program, kept);
	memset(scratch, 0xee, sizeof(scratch));
}

#define E(inst) qb_emit(&b, inst);
#define BROKEN(rule_, at_, body) \
	do { \
		start(); \
		body \
		qb_end(&b); \
		assert_false(check()); \
		assert_refusal(&refusal, CODE, rule_, (at_) * 8); \
		assert_int_equal(refusal.instruction, (at_) < b.count ? code[at_] : 0); \
	} while (0)

/* Nothing is known of an address that this makes */
#define ADDRESS_LOST(body) \
	do { \
		start(); \
		body \
		qb_end(&b); \
		assert_false(check()); \
		assert_int_equal(refusal.rule, V3DCL_RULE_ADDRESS_UNKNOWN); \
	} while (0)

/* One access, at a BO's address and this */
#define ADDRESS_RANGE(first, last, body) \
	do { \
		OK(body); \
		assert_int_equal(program.use_count, 1); \
		assert_int_equal(program.uses[0].address.count, 1); \
		assert_int_equal(program.uses[0].address.low, (__u32)(first)); \
		assert_int_equal(program.uses[0].address.low + program.uses[0].address.span, \
				 (__u32)(last)); \
	} while (0)

/* Accepted with an end added */
#define OK(body) \
	do { \
		start(); \
		body \
		accepted(); \
	} while (0)
/* The program as it is: no end is added. */
#define RAW(rule_, at_, body) \
	do { \
		start(); \
		body \
		assert_false(check()); \
		assert_refusal(&refusal, CODE, rule_, (at_) * 8); \
	} while (0)

#define OP(name, dst, x, y) E(qb_add(V3D_QPU_ADD_##name, dst, x, y))
#define ZERO(dst) E(qb_ldi(dst, 0))
#define FLAGS E(qb_flags(qb_mov(QB_NONE, QB_ELEMENT)))
/* n instructions are left out where flags say so */
#define OVER(n) E(qb_branch(V3D_QPU_BRANCH_ALL_ZS, true, (n) * 8, QB_NONE)) qb_nops(&b, 3);
#define NOP E(qb_nop())
/* The address: r0 and the next uniform, which is its base */
#define ADDRESS E(ADD(QB_TMU0_S, QB_R0, QB_UNIF)) E(SIG(LOAD_TMU0, qb_nop()))
#define END E(SIG(PROGRAM_END, qb_nop()))

/* An instruction n times */
static inline void repeat(unsigned int n, struct v3d_qpu_inst inst)
{
	while (n--)
		qb_emit(&b, inst);
}

/* r0 is the sum of what two addresses give */
static inline struct v3d_qpu_inst read_both(__u8 a, __u8 b_side)
{
	struct v3d_qpu_inst inst = qb_add(V3D_QPU_ADD_ADD, QB_R0, QB_R0, QB_R1);

	inst.raddr_a = a;
	inst.raddr_b = b_side;
	inst.add_a = V3D_QPU_A;
	inst.add_b = V3D_QPU_B;
	return inst;
}

#define MAX0(dst, src) qb_add(V3D_QPU_ADD_MAX, dst, src, qb_imm(0))
#define ADD(dst, a, b) qb_add(V3D_QPU_ADD_ADD, dst, a, b)

/* A job of one run, on one BO of 4 KiB for reading and one for writing */
enum { BO_PROGRAM, BO_IN, BO_OUT, BOS };
#define IN 0x10000000u
#define OUT 0x20000000u

static struct {
	struct v3dcl_bo bos[BOS];
	struct drm_v3dcl_program programs[2];
	__u32 program_bos[2];
	struct drm_v3dcl_reloc relocs[8];
	__u32 reloc_bos[8];
	__u32 words[16], owners[16], uniforms[16];
	struct v3dcl_run runs[2];
	struct v3dcl_qpu_job job;
} s;

static inline void job_start(__u32 uniforms)
{
	memset(&s, 0, sizeof(s));
	s.bos[BO_PROGRAM] =
		(struct v3dcl_bo){ .address = 0x1000, .size = 4096, .program = &program };
	s.bos[BO_IN] = (struct v3dcl_bo){ .address = IN, .size = 4096 };
	s.bos[BO_OUT] = (struct v3dcl_bo){ .address = OUT, .size = 4096 };
	s.programs[0].uniform_count = uniforms;
	s.job = (struct v3dcl_qpu_job){
		.programs = s.programs,
		.program_bos = s.program_bos,
		.program_count = 1,
		.relocs = s.relocs,
		.reloc_bos = s.reloc_bos,
		.bos = s.bos,
		.bo_count = BOS,
		.words = s.words,
		.owners = s.owners,
		.uniforms = { (__u8 *)s.uniforms, 0x50000000, sizeof(s.uniforms) },
		.runs = s.runs,
	};
}

static inline void job_reloc(__u32 slot, __u32 bo, __u32 offset, __u32 flags)
{
	s.relocs[s.job.reloc_count] =
		(struct drm_v3dcl_reloc){ .slot = slot, .offset = offset, .flags = flags };
	s.reloc_bos[s.job.reloc_count++] = bo;
}

#define refuses(part, rule, offset) \
	do { \
		assert_false(v3dcl_relocate(&s.job)); \
		assert_refusal(&s.job.refusal, part, rule, offset); \
	} while (0)

#endif /* V3DCL_JOB_TESTS_PROVE_H */
