// SPDX-License-Identifier: MIT
/*
 * Shaders that are accepted, and what is known about them.
 */
#include "shader.h"

/* Accepted, and what is known */
static void test_nothing(void **state)
{
	struct test_shader t;
	const struct v3dcl_shader *shader;

	(void)state;
	shader_start(&t);
	shader = shader_finish(&t);
	assert_int_equal(shader->uniform_words, 0);
	assert_int_equal(shader->sample_count, 0);
	assert_int_equal(shader->reset_count, 0);
	assert_int_equal(shader->uses, 0);
}

static void test_lookups(void **state)
{
	struct test_shader t;
	const struct v3dcl_shader *shader;

	(void)state;
	shader_begin(&t);
	shader_emit(&t, qb_mov(QB_R2, QB_UNIF));		/* word 0 */
	shader_lookup(&t);					/* 1 and 2 */
	shader_emit(&t, qb_add(V3D_QPU_ADD_FADD, QB_R2, QB_R4, QB_UNIF));	/* 3 */
	/* 4: four parameters, in any order */
	shader_emit(&t, qb_mov(QB_TMU0_B, QB_R1));
	shader_emit(&t, qb_mov(QB_TMU0_R, QB_R1));		/* 5 */
	shader_emit(&t, qb_mov(QB_TMU0_T, QB_R1));		/* 6 */
	shader_emit(&t, qb_mov(QB_TMU0_S, QB_R1));		/* 7 */
	shader_emit(&t, SIG(LOAD_TMU0, qb_nop()));
	shader = shader_finish(&t);
	assert_int_equal(shader->uniform_words, 8);
	assert_int_equal(shader->sample_count, 2);
	assert_false(shader->samples[0].direct);
	assert_int_equal(shader->samples[0].slot[0], 1);
	assert_int_equal(shader->samples[0].slot[1], 2);
	assert_int_equal(shader->samples[0].slot[2], V3DCL_NO_SLOT);
	assert_int_equal(shader->samples[0].slot[3], V3DCL_NO_SLOT);
	assert_int_equal(shader->samples[1].slot[0], 4);
	assert_int_equal(shader->samples[1].slot[3], 7);
}

/* Both TMUs at once: their parameters follow one another as they are written. */
static void test_two_tmus(void **state)
{
	struct test_shader t;
	const struct v3dcl_shader *shader;

	(void)state;
	shader_begin(&t);
	shader_emit(&t, qb_mov(QB_TMU0_T, QB_R1));
	shader_emit(&t, qb_mov(QB_IO(V3D_QPU_W_TMU1_T), QB_R1));
	shader_emit(&t, qb_mov(QB_TMU1_S, QB_R1));
	shader_emit(&t, qb_mov(QB_TMU0_S, QB_R1));
	shader_emit(&t, SIG(LOAD_TMU1, qb_nop()));
	shader_emit(&t, SIG(LOAD_TMU0, qb_nop()));
	shader = shader_finish(&t);
	assert_int_equal(shader->sample_count, 2);
	assert_int_equal(shader->samples[0].slot[0], 1);
	assert_int_equal(shader->samples[0].slot[1], 2);
	assert_int_equal(shader->samples[1].slot[0], 0);
	assert_int_equal(shader->samples[1].slot[1], 3);
}

/* A texture lookup after a direct read is none itself. */
static void test_direct(void **state)
{
	struct test_shader t;
	const struct v3dcl_shader *shader;

	(void)state;
	shader_begin(&t);
	shader_emit(&t, qb_mov(QB_R2, QB_UNIF));
	shader_direct(&t);
	shader_lookup(&t);
	shader_direct(&t);
	shader = shader_finish(&t);
	assert_int_equal(shader->uniform_words, 7);
	assert_int_equal(shader->sample_count, 3);
	assert_true(shader->samples[0].direct);
	assert_int_equal(shader->samples[0].slot[0], 2);	/* base */
	assert_int_equal(shader->samples[0].slot[1], 1);	/* limit */
	assert_false(shader->samples[1].direct);
	assert_int_equal(shader->samples[1].slot[0], 3);
	assert_true(shader->samples[2].direct);
	assert_int_equal(shader->samples[2].slot[0], 6);
	assert_int_equal(shader->samples[2].slot[1], 5);
}

/*
 * Clamps that are as good: operands swapped, through registers of both files, moved, beside a
 * packed MUL result
 */
static void test_direct_forms(void **state)
{
	struct test_shader t;

	(void)state;
	shader_begin(&t);
	shader_emit(&t, qb_add(V3D_QPU_ADD_MAX, QB_RA(3), qb_imm(0), QB_R0));
	qb_nops(&t.b, 1);
	shader_emit(&t, qb_add(V3D_QPU_ADD_MIN, QB_RB(4), QB_UNIF_B, QB_RA(3)));
	qb_nops(&t.b, 1);
	shader_emit(&t, qb_mov(QB_R1, QB_RB(4)));
	shader_emit(&t, qb_pack(5, true,
				qb_both(qb_add(V3D_QPU_ADD_ADD, QB_TMU0_S, QB_UNIF, QB_R1),
					qb_mul(V3D_QPU_MUL_V8MIN, QB_RB(5), QB_R2, QB_R2))));
	shader_emit(&t, SIG(LOAD_TMU0, qb_nop()));
	assert_int_equal(shader_finish(&t)->sample_count, 1);
	assert_true(t.shader.samples[0].direct);
	assert_int_equal(t.shader.samples[0].slot[0], 1);
	assert_int_equal(t.shader.samples[0].slot[1], 0);
}

/* If-then: a reset in each block that reads uniforms. */
static void test_branch_forward(void **state)
{
	struct test_shader t;
	const struct v3dcl_shader *shader;

	(void)state;
	shader_begin(&t);
	shader_emit(&t, qb_mov(QB_R0, QB_UNIF));	/* word 0 */
	shader_emit(&t, branch_by(5));			/* over the block, to its end */
	qb_nops(&t.b, 3);
	shader_reset(&t, 1);				/* word 1 */
	shader_emit(&t, qb_mov(QB_R0, QB_UNIF));	/* 2 */
	shader_reset(&t, 3);				/* 3: target */
	shader_emit(&t, qb_mov(QB_R0, QB_UNIF));	/* 4 */
	shader = shader_finish(&t);
	assert_int_equal(shader->uniform_words, 5);
	assert_int_equal(shader->reset_count, 2);
	assert_int_equal(shader->resets[0], 1);
	assert_int_equal(shader->resets[1], 3);
}

/* A loop that ends the program leaves its branch at the end of the stream: one word more. */
static void test_branch_back(void **state)
{
	struct test_shader t;
	const struct v3dcl_shader *shader;

	(void)state;
	shader_begin(&t);
	shader_emit(&t, qb_mov(QB_R0, QB_UNIF));
	shader_reset(&t, 1);				/* instructions 1 to 4; 1 is the target */
	shader_emit(&t, qb_mov(QB_R0, QB_UNIF));
	shader_emit(&t, branch_by(1 - 10));		/* 6 */
	qb_nops(&t.b, 3);
	shader = shader_finish(&t);
	assert_int_equal(shader->uniform_words, 4);
	assert_int_equal(shader->reset_count, 2);
	assert_int_equal(shader->resets[0], 1);
	assert_int_equal(shader->resets[1], 3);
}

/* A constant loaded by the MUL half counts like any other. */
static void test_reset_by_mul(void **state)
{
	struct test_shader t;

	(void)state;
	shader_start(&t);
	shader_emit(&t, WITH(WITH(qb_ldi(QB_NONE, 4), waddr_mul, V3D_QPU_W_ACC3), cond_mul,
			     V3D_QPU_COND_ALWAYS));
	shader_emit(&t, RESET);
	assert_int_equal(shader_finish(&t)->reset_count, 1);
}

/* A loop from the very first instruction on: even the first uniform needs its address. */
static void test_branch_to_start(void **state)
{
	struct test_shader t;

	(void)state;
	shader_start(&t);
	shader_reset(&t, 0);
	shader_emit(&t, WITH(branch_by(-8), cond_br, V3D_QPU_BRANCH_ALWAYS));	/* 4 */
	qb_nops(&t.b, 3);
	assert_int_equal(shader_finish(&t)->reset_count, 2);
	assert_int_equal(t.shader.uniform_words, 2);
}

/* The third delay slot of a branch is the last: a branch may follow it (AG100 "Branches"). */
static void test_branch_distance(void **state)
{
	struct test_shader t;

	(void)state;
	shader_begin(&t);
	shader_emit(&t, branch_by(0));
	qb_nops(&t.b, 3);
	shader_emit(&t, branch_by(0));
	qb_nops(&t.b, 3);
	assert_int_equal(shader_finish(&t)->uniform_words, 0);	/* neither goes back */
	assert_int_equal(t.shader.reset_count, 0);
}

static void test_uses(void **state)
{
	struct test_shader t;

	(void)state;
	shader_begin(&t);
	qb_write_row(&t.b, 0, QB_R0);
	qb_nops(&t.b, 1);
	assert_int_equal(shader_finish(&t)->uses, V3DCL_SHADER_VPM);
	shader_start(&t);
	qb_read_row(&t.b, QB_R0, 0);
	assert_int_equal(shader_finish(&t)->uses, V3DCL_SHADER_VPM);
	shader_begin(&t);
	shader_emit(&t, qb_mov(QB_TLB_COLOUR, QB_R0));
	assert_int_equal(shader_finish(&t)->uses, V3DCL_SHADER_TILE);
	shader_start(&t);
	shader_emit(&t, qb_signal(V3D_QPU_SIG_WAIT_SCOREBOARD, qb_nop()));
	assert_int_equal(shader_finish(&t)->uses, V3DCL_SHADER_TILE);
	shader_start(&t);
	shader_emit(&t, qb_signal(V3D_QPU_SIG_THREAD_SWITCH, qb_nop()));
	qb_nops(&t.b, 2);
	shader_emit(&t, qb_signal(V3D_QPU_SIG_LAST_THREAD_SWITCH, qb_mov(QB_RA(15), QB_RB(15))));
	shader_emit(&t, qb_mov(QB_R0, QB_ELEMENT));
	qb_nops(&t.b, 1);
	/* a fragment's Z */
	assert_int_equal(shader_finish(&t)->uses, V3DCL_SHADER_THREADED | V3DCL_SHADER_TILE);
}

/* The immediate of a load has bits where an ALU instruction reads registers; they are none. */
static void test_load_is_no_alu(void **state)
{
	struct test_shader t;

	(void)state;
	shader_start(&t);
	shader_emit(&t,
		    qb_ldi(QB_R0, V3D_QPU_R_UNIFORM << 18 | V3D_QPU_R_MUTEX_ACQUIRE << 12 | 31));
	assert_int_equal(shader_finish(&t)->uniform_words, 0);
	/* A small immediate is no file B address. */
	shader_begin(&t);
	shader_emit(&t, qb_add(V3D_QPU_ADD_OR, QB_R0, QB_R0, QB_SMALL(V3D_QPU_R_UNIFORM)));
	assert_int_equal(shader_finish(&t)->uniform_words, 0);
	/* Beside one, file A is read as ever. */
	shader_start(&t);
	shader_emit(&t, qb_add(V3D_QPU_ADD_ADD, QB_R0, QB_UNIF, qb_imm(1)));
	assert_int_equal(shader_finish(&t)->uniform_words, 1);
}

static void test_code_size(void **state)
{
	struct test_shader t;

	(void)state;
	shader_start(&t);
	assert_false(shader_check(&t));
	assert_refusal(&t.refusal, CODE, CODE_SIZE, 0);
	t.b.count = V3DCL_MAX_INSTRUCTIONS + 1;
	assert_false(shader_check(&t));
	assert_refusal(&t.refusal, CODE, CODE_SIZE, 0);
}

/* 1 MiB of code is allowed. */
static void test_largest(void **state)
{
	static uint64_t code[V3DCL_MAX_INSTRUCTIONS];
	uint32_t scratch_bytes;
	void *scratch;
	struct v3d_qpu_inst end = qb_signal(V3D_QPU_SIG_PROGRAM_END, qb_nop()), nop = qb_nop();
	struct v3dcl_refusal refusal;
	struct v3dcl_shader shader;
	uint32_t i;

	(void)state;
	for (i = 0; i < V3DCL_MAX_INSTRUCTIONS; i++)
		code[i] = v3d_qpu_encode(i == V3DCL_MAX_INSTRUCTIONS - 3 ? &end : &nop);
	scratch_bytes = v3dcl_shader_scratch((const __u64 *)code, V3DCL_MAX_INSTRUCTIONS);
	assert_true(scratch_bytes < 7680 + V3DCL_MAX_INSTRUCTIONS * 25);
	scratch = malloc(scratch_bytes);
	assert_true(v3dcl_check_shader((const __u64 *)code, V3DCL_MAX_INSTRUCTIONS, scratch,
				       scratch_bytes, &shader, &refusal));
	free(scratch);
}

static void test_scratch(void **state)
{
	struct test_shader t;
	uint32_t without_branches;

	(void)state;
	shader_begin(&t);
	qb_nops(&t.b, 4);
	qb_end(&t.b);
	without_branches = v3dcl_shader_scratch((const __u64 *)t.code, t.b.count);
	for (uint32_t n = 1; n <= t.b.count; n++)
		assert_true(v3dcl_shader_scratch((const __u64 *)t.code, n) < 7680 + 25 * n);
	shader_start(&t);
	qb_end(&t.b);
	assert_false(v3dcl_check_shader((const __u64 *)t.code, 3, t.scratch,
					v3dcl_shader_scratch((const __u64 *)t.code, 3) - 1,
					&t.shader, &t.refusal));
	assert_refusal(&t.refusal, CODE, SCRATCH, 0);
	/* as much as it takes without branches */
	shader_begin(&t);
	shader_emit(&t, branch_by(0));
	qb_nops(&t.b, 3);
	qb_end(&t.b);
	assert_false(shader_check_with(&t, without_branches));
	assert_refusal(&t.refusal, CODE, SCRATCH, 0);
}

static void test_no_end(void **state)
{
	struct test_shader t;

	(void)state;
	shader_start(&t);
	qb_nops(&t.b, 5);
	assert_false(shader_check(&t));
	assert_refusal(&t.refusal, CODE, CODE_END, 40);
	/* The second delay slot is missing. */
	shader_emit(&t, qb_signal(V3D_QPU_SIG_PROGRAM_END, qb_nop()));
	qb_nops(&t.b, 1);
	assert_false(shader_check(&t));
	assert_refusal(&t.refusal, CODE, CODE_END, 56);
	qb_nops(&t.b, 1);
	assert_true(shader_check(&t));
}

/* What comes after the program's end is never run, so it may be anything. */
static void test_after_end(void **state)
{
	struct test_shader t;

	(void)state;
	shader_start(&t);
	qb_end(&t.b);
	shader_emit(&t, qb_mov(QB_VDW_ADDR, QB_R0));
	assert_true(shader_check(&t));
}

static void test_rules_have_words(void **state)
{
	unsigned int rule, count = 0;

	(void)state;
	for (rule = 0; rule < 1000; rule++) {
		assert_true(strlen(v3dcl_rule_text(rule)) <
			    sizeof(((struct drm_v3dcl_refusal *)0)->text));
		assert_int_equal(!*v3dcl_rule_text(rule), !*v3dcl_rule_name(rule));
		count += *v3dcl_rule_text(rule) != 0;
	}
#define COUNT_RULE(number, name, text) + 1
	assert_int_equal(count, 0 V3DCL_RULES(COUNT_RULE));
	assert_string_equal(v3dcl_rule_name(V3DCL_RULE_BRANCH_SLOT), "BRANCH_SLOT");
	assert_string_equal(v3dcl_rule_text(0), "");
}

/*
 * The verifier does not look before the first instruction, not even for what comes just before a
 * reset: a sanitizer would see it.
 */
static void test_start_of_code(void **state)
{
	struct test_shader t;
	struct v3dcl_shader shader;
	struct v3dcl_refusal refusal;
	__u64 *code;

	(void)state;
	shader_start(&t);
	shader_emit(&t, qb_ldi(QB_R3, 4));
	shader_emit(&t, qb_add(V3D_QPU_ADD_ADD, QB_UNIF_ADDR, QB_R3, QB_UNIF));
	qb_nops(&t.b, 3);
	assert_int_equal(shader_finish(&t)->reset_count, 1);
	code = malloc(t.b.count * sizeof(*code));
	memcpy(code, t.code, t.b.count * sizeof(*code));
	assert_true(v3dcl_check_shader(code, t.b.count, t.scratch,
				       v3dcl_shader_scratch(code, t.b.count), &shader, &refusal));
	free(code);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_nothing),
		cmocka_unit_test(test_start_of_code),
		cmocka_unit_test(test_lookups),
		cmocka_unit_test(test_two_tmus),
		cmocka_unit_test(test_direct),
		cmocka_unit_test(test_direct_forms),
		cmocka_unit_test(test_branch_forward),
		cmocka_unit_test(test_branch_back),
		cmocka_unit_test(test_reset_by_mul),
		cmocka_unit_test(test_branch_to_start),
		cmocka_unit_test(test_branch_distance),
		cmocka_unit_test(test_uses),
		cmocka_unit_test(test_load_is_no_alu),
		cmocka_unit_test(test_code_size),
		cmocka_unit_test(test_largest),
		cmocka_unit_test(test_scratch),
		cmocka_unit_test(test_no_end),
		cmocka_unit_test(test_after_end),
		cmocka_unit_test(test_rules_have_words),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
