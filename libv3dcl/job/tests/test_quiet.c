// SPDX-License-Identifier: MIT
/*
 * Instructions that the checker takes the short way with are no other than those that it looks at in full, and a shader without
 * branches is what it is when its blocks are looked for: thousands of programs and shaders by grammar, each judged with the short
 * ways and without.
 */
#include "common.h"

#include "../fuzz/program.h"

#define TRIALS 2000

struct v3dcl_prover;

__u32 __real_v3dcl_quiet(struct v3dcl_prover *p, __u32 end);
__u32 __wrap_v3dcl_quiet(struct v3dcl_prover *p, __u32 end);

bool __real_v3dcl_guess(struct v3dcl_prover *p);
bool __wrap_v3dcl_guess(struct v3dcl_prover *p);

static bool in_full;
static unsigned long quiet, guessed;

/* The linker puts these in the place of v3dcl_guess() and v3dcl_quiet(). */
bool __wrap_v3dcl_guess(struct v3dcl_prover *p)
{
	const bool right = !in_full && __real_v3dcl_guess(p);

	guessed += right;
	return right;
}

__u32 __wrap_v3dcl_quiet(struct v3dcl_prover *p, __u32 end)
{
	const __u32 count = in_full ? 0 : __real_v3dcl_quiet(p, end);

	quiet += count;
	return count;
}

struct verdict {
	bool accepted;
	union {
		struct v3dcl_program program;
		struct v3dcl_shader shader;
	};
	__u64 kept[1 << 12];
	__u32 bytes;
};

static __u64 scratch[1 << 17];

static void judge_program(struct verdict *v, const uint64_t *code, uint32_t count, bool full)
{
	struct v3dcl_refusal refusal;

	memset(v, 0, sizeof(*v));
	in_full = full;
	v->accepted = v3dcl_check_program((const __u64 *)code, count, scratch, sizeof(scratch), &v->program, &refusal);
	if (!v->accepted)
		return;
	v->bytes = v3dcl_program_bytes(&v->program);
	assert_true(v->bytes <= sizeof(v->kept));
	v3dcl_keep_program(&v->program, v->kept);
	v->program.uses = NULL;
}

static void judge_shader(struct verdict *v, const uint64_t *code, uint32_t count, bool full)
{
	/* No more than it needs: what has more has branches. */
	const __u32 bytes = v3dcl_shader_scratch((const __u64 *)code, count);
	struct v3dcl_refusal refusal;

	assert_true(bytes <= sizeof(scratch));
	memset(v, 0, sizeof(*v));
	in_full = full;
	v->accepted = v3dcl_check_shader((const __u64 *)code, count, scratch, bytes, &v->shader, &refusal);
	if (!v->accepted)
		return;
	v->bytes = v3dcl_shader_bytes(&v->shader);
	assert_true(v->bytes <= sizeof(v->kept));
	v3dcl_keep_shader(&v->shader, v->kept);
	v->shader.samples = NULL;
	v->shader.resets = NULL;
}

static void assert_same(const struct verdict *a, const struct verdict *b, uint32_t seed)
{
	if (a->accepted != b->accepted || (a->accepted && memcmp(a, b, sizeof(*a))))
		print_message("# seed %u: %s with the short way, %s without\n", seed, a->accepted ? "accepted" : "refused",
			      b->accepted ? "accepted" : "refused");
	assert_int_equal(a->accepted, b->accepted);
	if (a->accepted)
		assert_memory_equal(a, b, sizeof(*a));
}

static void try_all(bool shaders)
{
	static struct verdict with, without;
	unsigned int accepted = 0;
	uint64_t code[MAKE_CODE];

	quiet = 0;
	guessed = 0;
	for (uint32_t seed = 1; seed <= TRIALS; seed++) {
		struct dice d = { seed };
		struct program p = { .d = &d, .wild = one_in(&d, 2) };
		uint32_t count = shaders ? make_shader(&d, seed % MAKE_USER, p.wild, code) : program_write(&p, code);

		for (uint32_t i = roll(&d, 3); i; i--)
			count = make_mutant(&d, code, count);
		(shaders ? judge_shader : judge_program)(&with, code, count, false);
		(shaders ? judge_shader : judge_program)(&without, code, count, true);
		assert_same(&with, &without, seed);
		accepted += with.accepted;
	}
	/* Neither nothing nor everything is accepted, and the short way is taken. */
	assert_in_range(accepted, TRIALS / 5, TRIALS - TRIALS / 20);
	assert_true(quiet > TRIALS);
	assert_in_range(guessed, shaders ? TRIALS / 20 : 0, shaders ? accepted - TRIALS / 20 : 0);
}

TEST(test_programs)
{
	(void)state;
	try_all(false);
}

TEST(test_shaders)
{
	(void)state;
	try_all(true);
}

/* What has been loaded to r3 says where the uniforms go on; the end */
static void reset_and_end(struct qb *b)
{
	qb_emit(b, qb_add(V3D_QPU_ADD_ADD, QB_UNIF_ADDR, QB_R3, QB_UNIF));
	qb_nops(b, 3);
	qb_end(b);
}

/* What stands before the program's first instruction is no part of it, however well a load of the constant would fit there. */
TEST(test_before_the_first)
{
	static struct verdict v;
	uint64_t code[16];
	struct qb b;

	(void)state;
	for (uint32_t start = 0; start < 2; start++) {
		qb_init(&b, code, 16);
		qb_emit(&b, qb_ldi(QB_R3, 4));
		reset_and_end(&b);
		judge_shader(&v, code + start, b.count - start, false);
		assert_int_equal(v.accepted, !start);
	}
}

/* A load in the delay slots of a thread switch has been for nothing, if it is one of an accumulator. */
TEST(test_across_a_switch)
{
	static struct verdict v;
	uint64_t code[20];
	struct qb b;

	(void)state;
	for (uint32_t at = 0; at < 5; at++) {
		qb_init(&b, code, 20);
		for (uint32_t i = 0; i < 5; i++)
			qb_emit(&b, i == at ? qb_ldi(QB_R3, 4) : i ? qb_nop() : qb_signal(V3D_QPU_SIG_THREAD_SWITCH, qb_nop()));
		reset_and_end(&b);
		judge_shader(&v, code, b.count, false);
		/* at 0 there is no switch at all */
		assert_int_equal(v.accepted, at == 0 || at > 2);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_programs), cmocka_unit_test(test_shaders),
					   cmocka_unit_test(test_before_the_first), cmocka_unit_test(test_across_a_switch) };

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests_name("quiet", tests, NULL, NULL);
}
