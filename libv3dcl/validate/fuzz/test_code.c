// SPDX-License-Identifier: MIT
/*
 * The part of the oracle's judge that reads code: right code is let pass, and what breaks one rule
 * is told by its words. What it must not do is in AG100 "Summary of Instruction Restrictions", and
 * where the words come from in code.c and forms.c.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include <v3dcl_qpu_build.h>

#include "code.h"

#define MOST 64

static uint64_t code[MOST];
static struct qb b;

static void begin(void)
{
	qb_init(&b, code, MOST);
}

static void add(struct v3d_qpu_inst inst)
{
	qb_emit(&b, inst);
}

/* What is judged of the code so far, with its end */
static const char *judged(bool shader)
{
	qb_end(&b);
	return code_broken(code, b.count, shader);
}

static void is_right(bool shader)
{
	const char *broken = judged(shader);

	if (broken)
		fail_msg("right code: %s", broken);
}

static void is_wrong(bool shader, const char *words)
{
	const char *broken = judged(shader);

	if (!broken || !strstr(broken, words))
		fail_msg("%s: %s", words, broken ? broken : "nothing is said");
}

/* An instruction in one of the last three places, of which the last is 1 */
static const char *judged_at(uint32_t place, struct v3d_qpu_inst inst, bool shader)
{
	begin();
	qb_end(&b);
	if (place == 3)
		inst = qb_signal(V3D_QPU_SIG_PROGRAM_END, inst);
	code[b.count - place] = v3d_qpu_encode(&inst);
	return code_broken(code, b.count, shader);
}

static void test_end(void **state)
{
	(void)state;
	begin();
	is_right(false);
	assert_string_equal(code_broken(code, 0, false), "code of no instructions");
	for (uint32_t place = 1; place <= 3; place++) {
		const char *z = judged_at(place, qb_mov(QB_IO(V3D_QPU_W_TLB_Z), QB_R0), true);
		const char *uniform = judged_at(place, qb_mov(QB_R0, QB_UNIF), false);

		if (place == 1)
			assert_non_null(z);
		else
			assert_null(z);
		assert_non_null(strstr(uniform, "a uniform"));
		assert_non_null(strstr(judged_at(place, qb_mov(QB_R0, QB_RA(14)), true),
				       "address 14"));
		assert_non_null(strstr(judged_at(place, qb_mov(QB_VPM_WRITE, QB_R0), true),
				       "the VPM"));
		assert_non_null(strstr(judged_at(place, qb_mov(QB_HOST_INT, QB_R0), false),
				       "an interrupt"));
	}
	assert_non_null(strstr(judged_at(3, qb_mov(QB_RA(3), QB_R0), true), "a register file"));
	assert_null(judged_at(2, qb_mov(QB_RA(3), QB_R0), true));
}

static void test_slots(void **state)
{
	(void)state;
	for (uint32_t slot = 0; slot < V3D_QPU_BRANCH_SLOTS; slot++) {
		begin();
		qb_branch_to(&b, V3D_QPU_BRANCH_ALWAYS, 4);
		for (uint32_t i = 0; i < V3D_QPU_BRANCH_SLOTS; i++)
			add(i == slot ? qb_add(V3D_QPU_ADD_ADD, QB_UNIF_ADDR, QB_R0, QB_UNIF) :
					qb_nop());
		is_wrong(false, "in the slots of a branch");
		begin();
		qb_branch_to(&b, V3D_QPU_BRANCH_ALWAYS, 1 + slot);
		qb_nops(&b, V3D_QPU_BRANCH_SLOTS);
		is_wrong(false, "a branch into delay slots");
		begin();
		qb_branch_to(&b, V3D_QPU_BRANCH_ALWAYS, 4);
		qb_nops(&b, slot);
		add(qb_signal(V3D_QPU_SIG_PROGRAM_END, qb_nop()));
		is_wrong(false, "in the slots of another");
	}
	begin();
	qb_branch_to(&b, V3D_QPU_BRANCH_ALWAYS, 4);
	qb_nops(&b, V3D_QPU_BRANCH_SLOTS);
	is_right(false);
}

/* What is not there yet; and where the code goes on elsewhere, nothing is */
static void test_soon(void **state)
{
	(void)state;
	for (uint32_t later = 0; later <= 2; later++) {
		begin();
		add(qb_mov(QB_RECIP, QB_R0));
		qb_nops(&b, later);
		add(qb_mov(QB_R1, QB_R4));
		if (later < 2)
			is_wrong(false, "before the SFU's result");
		else
			is_right(false);
		begin();
		add(qb_add(V3D_QPU_ADD_ADD, QB_UNIF_ADDR, QB_R0, QB_UNIF));
		qb_nops(&b, later);
		add(qb_mov(QB_R1, QB_UNIF));
		if (later < 2)
			is_wrong(false, "is being set");
		else
			is_right(false);
	}
	begin();
	add(qb_mov(QB_R0, QB_R1));
	add(qb_rotate(QB_R1, QB_R0, 1));
	is_wrong(false, "rotated");
	begin();
	add(qb_mov(QB_R0, QB_R1));
	add(qb_rotate(QB_R1, QB_R2, 1));
	is_right(false);
}

/* What a branch leads past is not run, if no other leads to it */
static void test_passed_over(void **state)
{
	(void)state;
	for (uint32_t to = 5; to <= 6; to++) {
		begin();
		qb_branch_to(&b, V3D_QPU_BRANCH_ALWAYS, to);
		qb_nops(&b, V3D_QPU_BRANCH_SLOTS);
		add(qb_nop());
		add(qb_mov(QB_R0, QB_R1));
		add(qb_rotate(QB_R1, QB_R0, 1));
		if (to == 5)
			is_wrong(false, "rotated");
		else
			is_right(false);
	}
	begin();
	qb_branch_to(&b, V3D_QPU_BRANCH_ANY_ZS, 6);
	qb_nops(&b, V3D_QPU_BRANCH_SLOTS);
	add(qb_nop());
	add(qb_mov(QB_R0, QB_R1));
	add(qb_rotate(QB_R1, QB_R0, 1));
	is_wrong(false, "rotated");
}

static void test_units(void **state)
{
	const struct v3d_qpu_inst bad_pack = qb_pack(1, true,
						     qb_mul(V3D_QPU_MUL_FMUL, QB_R1, QB_R1, QB_R2));
	struct v3d_qpu_inst idle = qb_mov(QB_VPM_WRITE, QB_R1);

	(void)state;
	begin();
	add(qb_mov(QB_HOST_INT, QB_R0));
	is_right(false);
	begin();
	add(qb_mov(QB_HOST_INT, QB_R0));
	is_wrong(true, "such code has not");
	begin();
	add(qb_sema_up(1));
	is_wrong(true, "semaphore");
	begin();
	add(qb_if(V3D_QPU_COND_ZS, qb_mov(QB_VW_SETUP, QB_R0)));
	is_wrong(false, "under a condition");
	idle.op_add = V3D_QPU_ADD_NOP;
	begin();
	add(idle);
	is_wrong(false, "names a unit");
	begin();
	add(bad_pack);
	is_wrong(false, "packed");
	begin();
	add(qb_both(qb_mov(QB_RECIP, QB_R1), qb_mul_mov(QB_LOG, QB_R2)));
	is_wrong(false, "two units");
	begin();
	add(qb_ldi(QB_VW_SETUP, qb_word_vpm_write(0)));
	is_right(false);
	begin();
	add(qb_ldi(QB_VW_SETUP, qb_word_vpm_write(0) | 1u << 29));
	is_wrong(false, "set-up word");
}

static void test_addresses(void **state)
{
	const struct v3d_qpu_inst direct = qb_add(V3D_QPU_ADD_ADD, QB_IO(V3D_QPU_W_TMU0_S), QB_R0,
						  QB_UNIF);

	(void)state;
	begin();
	add(qb_ldi(QB_R0, 6));
	add(qb_add(V3D_QPU_ADD_ADD, QB_UNIF_ADDR, QB_R0, QB_UNIF));
	is_wrong(false, "no words");
	begin();
	add(direct);
	add(qb_signal(V3D_QPU_SIG_LOAD_TMU0, qb_nop()));
	is_right(true);
	begin();
	add(qb_both(direct, qb_mul_mov(QB_R2, QB_UNIF)));
	add(qb_signal(V3D_QPU_SIG_LOAD_TMU0, qb_nop()));
	is_wrong(true, "keeps what is known");
}

static void request(uint32_t count)
{
	for (; count; count--) {
		add(qb_mov(QB_IO(V3D_QPU_W_TMU0_T), QB_R0));
		add(qb_mov(QB_IO(V3D_QPU_W_TMU0_S), QB_R0));
	}
}

static void change_threads(void)
{
	add(qb_signal(V3D_QPU_SIG_THREAD_SWITCH, qb_nop()));
	qb_nops(&b, V3D_QPU_END_SLOTS);
}

static void load(uint32_t count)
{
	for (; count; count--)
		add(qb_signal(V3D_QPU_SIG_LOAD_TMU0, qb_nop()));
}

/* Half of what a TMU keeps, asked for before a switch and loaded after it */
static void test_threads(void **state)
{
	(void)state;
	begin();
	request(2);
	change_threads();
	load(2);
	is_right(true);
	begin();
	request(3);
	change_threads();
	load(3);
	is_wrong(true, "more than half");
	begin();
	request(1);
	change_threads();
	change_threads();
	load(1);
	is_wrong(true, "switches before");
	begin();
	request(1);
	load(1);
	change_threads();
	is_wrong(true, "since it last switched");
	begin();
	add(qb_mov(QB_RA(16), QB_R0));
	change_threads();
	is_wrong(true, "all registers");
}

/* As many varyings whichever way is taken */
static void test_varyings(void **state)
{
	const struct v3d_qpu_inst read = qb_mov(QB_R0, QB_RA(V3D_QPU_R_VARYING));

	(void)state;
	for (uint32_t on_path = 0; on_path < 2; on_path++) {
		begin();
		add(read);
		qb_branch_to(&b, V3D_QPU_BRANCH_ALL_ZS, 0);
		for (uint32_t i = 0; i < V3D_QPU_BRANCH_SLOTS; i++)
			add(qb_nop());
		add(on_path ? read : qb_nop());
		qb_patch(&b, 1, b.count);
		add(read);
		if (on_path)
			is_wrong(true, "one of two paths");
		else
			is_right(true);
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_end),	  cmocka_unit_test(test_slots),
		cmocka_unit_test(test_soon),	  cmocka_unit_test(test_passed_over),
		cmocka_unit_test(test_units),	  cmocka_unit_test(test_addresses),
		cmocka_unit_test(test_threads),	  cmocka_unit_test(test_varyings),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests_name("oracle_code", tests, NULL, NULL);
}
