/* SPDX-License-Identifier: MIT */
/*
 * What the tests of validate/ share: programs of shaders, BOs, and looking at refusals.
 */
#ifndef V3DCL_JOB_TESTS_COMMON_H
#define V3DCL_JOB_TESTS_COMMON_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <v3dcl_qpu_build.h>

#include "validate.h"

#define TEST(name) static void name(void **state)
#define SIG(name, inst) qb_signal(V3D_QPU_SIG_##name, inst)

/* A refusal, to the byte */
#define assert_refusal(refusal, part_, rule_, offset_) \
	do { \
		const struct v3dcl_refusal *seen = (refusal); \
		if (seen->rule != V3DCL_RULE_##rule_) \
			print_message("# rule %s, not %s\n", v3dcl_rule_name(seen->rule), #rule_); \
		assert_int_equal(seen->rule, V3DCL_RULE_##rule_); \
		assert_int_equal(seen->part, DRM_V3DCL_PART_##part_); \
		assert_int_equal(seen->offset, offset_); \
	} while (0)

/* What is told of a value that is refused */
#define assert_told(told, value_, low, span, terms) \
	do { \
		assert_int_equal((told)->value, DRM_V3DCL_VALUE_##value_); \
		assert_int_equal((told)->value_low, low); \
		assert_int_equal((told)->value_span, span); \
		assert_int_equal((told)->value_terms, terms); \
	} while (0)

/* A shader and the code it is made of */
struct test_shader {
	struct v3dcl_shader shader;
	struct v3dcl_refusal refusal;
	uint64_t code[64];
	struct qb b;
	__u64 scratch[8192];
	__u32 kept[64 * 6];
};

static inline void shader_start(struct test_shader *t)
{
	memset(t, 0, sizeof(*t));
	qb_init(&t->b, t->code, 64);
}

/* Instructions that shader_begin() emits */
#define PRELUDE 19

/*
 * Starts with what programs may read: r0 to r4, the flags, some registers; nothing is known of the
 * accumulators' values.
 */
static inline void shader_begin(struct test_shader *t)
{
	shader_start(t);
	qb_emit(&t->b, qb_mov(QB_RECIP, QB_ELEMENT));
	qb_nops(&t->b, 2);
	qb_emit(&t->b, qb_mov(QB_R0, QB_R4));
	qb_emit(&t->b, qb_mov(QB_R1, QB_R4));
	qb_emit(&t->b, qb_mov(QB_R2, QB_R4));
	qb_emit(&t->b, qb_flags(qb_mov(QB_R3, QB_R4)));
	for (int n = 0; n < 5; n++) {
		qb_emit(&t->b, qb_mov(QB_RA(n), QB_R4));
		qb_emit(&t->b, qb_mov(QB_RB(n), QB_R4));
	}
	qb_emit(&t->b, qb_mov(QB_R5REP, QB_R4));
	qb_nops(&t->b, 1);
}

static inline bool shader_check_with(struct test_shader *t, uint32_t scratch_bytes)
{
	return v3dcl_check_shader((const __u64 *)t->code, t->b.count, t->scratch, scratch_bytes,
				  &t->shader, &t->refusal);
}

/* With more memory than it takes, and with just as much, which may be quicker */
static inline bool shader_check(struct test_shader *t)
{
	const bool good = shader_check_with(t, sizeof(t->scratch));
	const struct v3dcl_shader shader = t->shader;
	const struct v3dcl_refusal refusal = t->refusal;

	assert_false(t->b.failed);
	if (!t->b.count || t->b.count > sizeof(t->code) / sizeof(t->code[0]))
		return good;
	assert_true(v3dcl_shader_scratch((const __u64 *)t->code, t->b.count) <= sizeof(t->scratch));
	assert_int_equal(shader_check_with(t, v3dcl_shader_scratch((const __u64 *)t->code,
								   t->b.count)),
			 good);
	assert_int_equal(t->refusal.rule, refusal.rule);
	assert_int_equal(t->refusal.offset, refusal.offset);
	assert_int_equal(t->shader.uses, shader.uses);
	assert_int_equal(t->shader.uniform_words, shader.uniform_words);
	assert_int_equal(t->shader.sample_count, shader.sample_count);
	assert_true(t->shader.rows_read == shader.rows_read &&
		    t->shader.rows_written == shader.rows_written);
	return good;
}

/* Refused at an instruction, counted after what shader_begin() emits */
#define assert_shader_refused(t, rule_, at_, body) \
	do { \
		shader_begin(t); \
		body \
		qb_end(&(t)->b); \
		assert_false(shader_check(t)); \
		assert_refusal(&(t)->refusal, CODE, rule_, (PRELUDE + (at_)) * 8); \
	} while (0)

/* Ends the program, which must be accepted. */
static inline const struct v3dcl_shader *shader_finish(struct test_shader *t)
{
	bool accepted;

	qb_end(&t->b);
	accepted = shader_check(t);
	if (!accepted)
		print_message("# instruction %u: %s\n", t->refusal.offset / 8,
			      v3dcl_rule_text(t->refusal.rule));
	assert_true(accepted);
	v3dcl_keep_shader(&t->shader, t->kept);
	return &t->shader;
}

/* The same where half of it never happens */
static inline struct v3d_qpu_inst without(bool mul, struct v3d_qpu_inst inst)
{
	*(mul ? &inst.cond_mul : &inst.cond_add) = V3D_QPU_COND_NEVER;
	return inst;
}

/* Sources and destinations that the builder has no name for */
#define QB_TMU0_T QB_IO(V3D_QPU_W_TMU0_T)
#define QB_TMU0_R QB_IO(V3D_QPU_W_TMU0_R)
#define QB_TMU0_B QB_IO(V3D_QPU_W_TMU0_B)
#define QB_TLB_COLOUR QB_IO(V3D_QPU_W_TLB_COLOUR_ALL)

static inline void shader_emit(struct test_shader *t, struct v3d_qpu_inst inst)
{
	qb_emit(&t->b, inst);
}

/* A texture lookup of two parameters, as Mesa writes it */
static inline void shader_lookup(struct test_shader *t)
{
	shader_emit(t, qb_mov(QB_TMU0_T, QB_R1));
	shader_emit(t, qb_mov(QB_TMU0_S, QB_R0));
	shader_emit(t, qb_signal(V3D_QPU_SIG_LOAD_TMU0, qb_nop()));
}

/* A read of a uniform buffer, as Mesa writes it: min(max(x, 0), uniform) + uniform */
static inline void shader_direct(struct test_shader *t)
{
	shader_emit(t, qb_add(V3D_QPU_ADD_MAX, QB_R0, QB_R0, qb_imm(0)));
	shader_emit(t, qb_add(V3D_QPU_ADD_MIN, QB_R0, QB_R0, QB_UNIF));
	shader_emit(t, qb_add(V3D_QPU_ADD_ADD, QB_TMU0_S, QB_R0, QB_UNIF));
	shader_emit(t, qb_signal(V3D_QPU_SIG_LOAD_TMU0, qb_nop()));
}

/*
 * The uniforms address set anew after a branch or its target, when words of the stream came before
 */
static inline void shader_reset(struct test_shader *t, uint32_t words)
{
	shader_emit(t, qb_ldi(QB_R3, (words + 1) * 4));
	shader_emit(t, qb_add(V3D_QPU_ADD_ADD, QB_UNIF_ADDR, QB_R3, QB_UNIF));
	qb_nops(&t->b, 2);
}

#endif /* V3DCL_JOB_TESTS_COMMON_H */
