// SPDX-License-Identifier: MIT
/*
 * Each rule of AG100 "Summary of Instruction Restrictions" and its companions: a program that
 * breaks it, one that just does not.
 */
#include "assembling.h"

#define USER V3DCL_USER_PROGRAM
#define FRAGMENT V3DCL_FRAGMENT_SHADER
#define VERTEX V3DCL_VERTEX_SHADER

#define END "thrend\nnop\nnop\n"

/* The hazards of one run */
struct found {
	struct v3dcl_hazard list[16];
	uint32_t count, stop_after;
};

static bool note(void *opaque, const struct v3dcl_hazard *hazard)
{
	struct found *found = opaque;

	assert_true(found->count < COUNT(found->list));
	found->list[found->count++] = *hazard;
	return found->count != found->stop_after;
}

static struct found hazards_of(const char *source, enum v3dcl_program_kind kind)
{
	struct v3dcl_assembly *assembly = assemble(source);
	struct found found = { .count = 0 };
	uint32_t count = v3dcl_hazards(assembly->code, assembly->code_count, kind, note, &found);

	assert_int_equal(count, found.count);
	assert_int_equal(v3dcl_hazards(assembly->code, assembly->code_count, kind, NULL, NULL),
			 found.count);
	v3dcl_assembly_free(assembly);
	return found;
}

/* @bad breaks @rule, once, between @before and @at; @good breaks nothing */
struct row {
	const char *rule;
	enum v3dcl_program_kind kind;
	uint32_t before, at;
	const char *bad, *good;
};

static const struct row rows[] = {
	/* AG100 p. 37, in its order */
	{ "end-access", FRAGMENT, 0, 2, "thrend\nnop\nmov r0, unif", "mov r0, unif\n" END },
	{ "end-access", FRAGMENT, 0, 0, "mov r0, vary; nop; thrend\nnop\nnop",
	  "mov r0, vary\n" END },
	{ "end-access", USER, 0, 1, "thrend\nmov vpm, r0\nnop", "mov vpm, r0\n" END },
	{ "end-access", USER, 0, 1, "thrend\nmov -, vw_wait\nnop", "mov -, vw_wait\n" END },
	{ "end-access", USER, 0, 2, "thrend\nnop\nldi vr_setup, 0", "ldi vr_setup, 0\n" END },
	{ "end-access", FRAGMENT, 0, 2, "thrend\nnop\nmov t0t, r0", "mov t0t, r0\n" END },
	{ "end-access", USER, 0, 2, "thrend\nnop\nadd r0, unif, 1", "thrend\nnop\nadd r0, ra1, 1" },
	{ "end-write", USER, 0, 0, "mov ra1, r0; nop; thrend\nnop\nnop",
	  "mov r1, r0; nop; thrend\nmov ra1, r0\nnop" },
	{ "end-write", USER, 0, 0, "nop; mov rb1, r0; thrend\nnop\nnop",
	  "mov.never rb1, r0; nop; thrend\nnop\nmov rb1, r0" },
	{ "end-14", USER, 0, 1, "thrend\nmov ra14, r0\nnop", "mov ra14, r0\n" END },
	{ "end-14", USER, 0, 2, "thrend\nnop\nmov r0, rb14", "thrend\nnop\nmov r0, rb15" },
	{ "end-14", USER, 0, 0, "mov r0, ra14; nop; thrend\nnop\nnop",
	  "mov r0, ra13; nop; thrend\nnop\nnop" },
	{ "end-z", FRAGMENT, 2, 4, "nop\nnop\nthrend\nnop\nmov tlbz, r0",
	  "nop\nnop\nthrend\nmov tlbz, r0\nmov tlbc, r0" },
	{ "scoreboard-early", FRAGMENT, 1, 1, "nop\nsbwait\n" END, "nop\nnop\nsbwait\n" END },
	{ "scoreboard-early", FRAGMENT, 1, 1, "nop\nmov tlbc, r0\n" END,
	  "nop\nnop\nmov tlbc, r0\n" END },
	{ "scoreboard-early", FRAGMENT, 0, 0, "loadc\n" END, "nop\nnop\nloadc\n" END },
	{ "tmu-noswap", FRAGMENT, 0, 2, "mov tmurs, 1\nnop\nmov t0s, r0\n" END,
	  "mov tmurs, 1\nnop\nnop\nmov t0s, r0\n" END },
	{ "regfile-raw", USER, 0, 1, "mov ra1, r0\nmov r1, ra1\n" END,
	  "mov ra1, r0\nmov r1, ra2\nmov r1, ra1\n" END },
	{ "regfile-raw", USER, 0, 1, "ldi -.never, rb31, 0\nfmul r1, r0, rb31\n" END,
	  "ldi -.never, ra31, 0\nfmul r1, r0, rb31\n" END },
	{ "regfile-raw", USER, 0, 1, "mov ra3, r0\nbra ra3\nnop\nnop\nnop\n" END,
	  "mov rb3, r0\nbra ra3\nnop\nnop\nnop\n" END },
	{ "regfile-raw", USER, 0, 1, "mov ra3, r0\nadd r1, ra3, 1\n" END,
	  "mov ra3, r0\nbrr.setf .+32\nnop\nnop\n" END },
	/* Of elements that take part in one of the two only, nothing is read too early. */
	{ "regfile-raw", USER, 0, 1, "mov.zs ra1, r0\nmov.zs r1, ra1\n" END,
	  "mov.zs ra1, r0\nmov.zc r1, ra1\n" END },
	{ "regfile-raw", USER, 0, 1, "mov.zs.setf ra1, r0\nmov.zc r1, ra1\n" END,
	  "mov.ns ra1, r0\nmov.nc r1, ra1\n" END },
	{ "regfile-raw", USER, 0, 1, "mov.cs rb1, r0\nmov.cc.setf r1, rb1\n" END,
	  "mov.cs rb1, r0\nfmul.cc r1, rb1, r0\n" END },
	{ "regfile-raw", USER, 0, 1, "mov.cs ra1, r0\nmov.cc r1, ra1; fmul.cs r2, ra1, r0\n" END,
	  "mov.cs ra1, r0\nmov.cc r1, ra1; fmul.cc r2, ra1, r0\n" END },
	{ "regfile-raw", USER, 0, 1, "mov.zs ra1, r0\nmov.nc r1, ra1\n" END,
	  "mov.never ra1, r0\nmov.nc r1, ra1\n" END },
	{ "regfile-raw", USER, 0, 1, "nop; mov.zs ra1, r0\nmov.zc vpm, ra1\n" END,
	  "nop; mov.zs ra1, r0\nmov.zc r1, ra1\n" END },
	{ "same-target", USER, 0, 0, "mov.zs r1, r0; mov.ns r1, r2\n" END,
	  "mov.zs r1, r0; mov.zc r1, r2\n" END },
	{ "same-target", USER, 0, 0, "mov.zs vpm, r0; mov.zc vpm, r2\n" END,
	  "mov.cc r3, r0; mov.cs r3, r2\n" END },
	{ "sfu-read", USER, 0, 2, "mov recip, r0\nnop\nmov r1, r4\n" END,
	  "mov recip, r0\nnop\nnop\nmov r1, r4\n" END },
	{ "sfu-write", USER, 0, 1, "mov exp, r0\nldtmu0\n" END,
	  "mov exp, r0\nnop\nnop\nldtmu0\n" END },
	{ "sfu-write", USER, 0, 2, "mov log, r0\nnop\nmov rsqrt, r1\n" END,
	  "mov log, r0\nnop\nnop\nmov rsqrt, r1\n" END },
	{ "rotate-r5", USER, 0, 1, "mov r5rep, r0\nmov r1, r2 >> r5\n" END,
	  "mov r5rep, r0\nmov r1, r2 >> 1\nmov r1, r2 >> r5\n" END },
	{ "rotate-r5", FRAGMENT, 0, 1, "mov r0, vary\nmov r1, r2 >> r5\n" END,
	  "mov r0, vary\nnop\nmov r1, r2 >> r5\n" END },
	{ "rotate-accumulator", USER, 0, 1, "mov r2, r0\nmov r1, r2 >> 1\n" END,
	  "mov r2, r0\nmov r1, r0 >> 1\nmov r1, r2 >> 1\n" END },
	{ "rotate-accumulator", USER, 0, 1, "mov r3, r0\nmov r1, r3 >> r5\n" END,
	  "mov r3, r0\nnop; fmul r1, r3, 2.0\n" END },
	{ "rotate-r5", USER, 0, 1, "mov r5quad, r0\nmov r1, r2 >> r5\n" END,
	  "mov r5quad, r0\nnop; nop >> r5\n" END },
	{ "z-mask", FRAGMENT, 2, 4, "nop\nnop\nmov tlbz, r0\nnop\nmov r1, ms_mask\n" END,
	  "nop\nnop\nmov tlbz, r0\nmov tlbc, r1\nmov r1, rev_flag\nmov r1, ms_mask\n" END },
	{ "one-peripheral", USER, 0, 0, "mov recip, r0; mov t0s, r1\n" END,
	  "mov recip, r0; mov r0, r1\n" END },
	{ "one-peripheral", USER, 0, 0, "mov t0s, r0; mov t1s, r1\n" END,
	  "mov t0s, r0\nmov t1s, r1\n" END },
	{ "one-peripheral", USER, 0, 0, "mov t0s, mutex\n" END, "mov t0s, unif\n" END },
	{ "one-peripheral", USER, 0, 0, "mov t0s, r0; nop; ldtmu0\n" END,
	  "mov vpm, unif; nop; ldtmu0\n" END },
	{ "one-peripheral", FRAGMENT, 2, 2, "nop\nnop\nmov tlbz, r0; nop; loadc\n" END,
	  "nop\nnop\nmov tlbm, r0; nop; loadc\n" END },
	{ "one-peripheral", FRAGMENT, 2, 2, "nop\nnop\nmov tlbc, r0; nop; loadcv\n" END,
	  "nop\nnop\nloadcv\n" END },
	/* Elsewhere in the guide, and HW */
	{ "same-target", USER, 0, 0, "mov r1, r0; mov r1, r2\n" END,
	  "mov r1, r0; mov r2, r1\n" END },
	{ "same-target", USER, 0, 0, "mov vpm, r0; mov vpm, r2\n" END,
	  "mov.never vpm, r0; mov vpm, r2\n" END },
	{ "tmu-uniform", FRAGMENT, 0, 0, "mov t0t, unif\n" END, "mov t0s, unif\n" END },
	{ "rotate-file", USER, 0, 0, "mov r1, ra1 >> 1\n" END, "mov r1, r0 >> 1\n" END },
	{ "fragment-vpm", FRAGMENT, 0, 0, "mov vpm, r0\n" END, "mov r1, r0\n" END },
	{ "tile-in-other", USER, 0, 0, "mov tlbc, r0\n" END, "mov r1, r0\n" END },
	{ "tile-in-other", VERTEX, 0, 0, "sbwait\n" END, "nop\n" END },
	{ "tile-in-other", V3DCL_COORDINATE_SHADER, 0, 0, "mov r0, vary\n" END,
	  "mov r0, vpm\n" END },
	{ "thread-switch", USER, 0, 0, "thrsw\n" END, "nop\n" END },
	{ "uniform-address", USER, 0, 2, "mov unif_addr, r0\nnop\nmov r0, unif\n" END,
	  "mov unif_addr, r0\nnop\nnop\nmov r0, unif\n" END },
	{ "uniform-address", USER, 0, 2, "mov unif_addr, r0\nnop\nmov t0r, r0\n" END,
	  "mov unif_addr, r0\nnop\nmov t0s, r0\n" END },
	{ "vpm-read", USER, 0, 3, "ldi vr_setup, 0x1a00\nnop\nnop\nmov r0, vpm\n" END,
	  "ldi vr_setup, 0x1a00\nnop\nnop\nnop\nmov r0, vpm\n" END },
	{ "vpm-read", USER, 0, 1, "mov vr_setup, unif\nmov r0, vpm\n" END,
	  "ldi vr_setup, 0x80000000\nmov r0, vpm\n" END },
	{ "branch-distance", USER, 0, 2, "brr .+32\nnop\nbrr .+48\nnop\nnop\nnop\nnop\nnop\n" END,
	  "brr .+32\nnop\nnop\nbrr .+32\nnop\nnop\nnop\n" END },
	{ "end-missing", USER, 2, 2, "nop\nthrend\nnop", "nop\nthrend\nnop\nnop" },
	{ "end-missing", USER, 4, 4, "nop\nbrr.allz .-8\nnop\nnop\nnop",
	  "nop\nbrr .-8\nnop\nnop\nnop" },
};

static void test_rules(void **state)
{
	const struct row *row;

	(void)state;
	for (row = rows; row < rows + COUNT(rows); row++) {
		struct found found;

		found = hazards_of(row->bad, row->kind);
		if (found.count != 1 || strcmp(found.list[0].rule, row->rule) ||
		    found.list[0].before != row->before || found.list[0].at != row->at)
			fail_msg("%s: %u hazards, first %s from %u to %u, in:\n%s", row->rule,
				 found.count, found.count ? found.list[0].rule : "-",
				 found.list[0].before, found.list[0].at, row->bad);
		assert_true(strlen(found.list[0].text) > 10);
		assert_true(strstr(found.list[0].source, "AG100 p.") ||
			    !strcmp(found.list[0].source, "HW"));
		found = hazards_of(row->good, row->kind);
		if (found.count)
			fail_msg("%s: %s from %u to %u, in:\n%s", row->rule, found.list[0].rule,
				 found.list[0].before, found.list[0].at, row->good);
	}
}

/* It is a second access beside the semaphore's own, too. */
static void test_semaphore(void **state)
{
	static const char *const bad[] = { "sacq t0s, 1\n" END, "srel recip, 1\n" END };
	struct found found;
	size_t i;

	(void)state;
	for (i = 0; i < COUNT(bad); i++) {
		found = hazards_of(bad[i], USER);
		assert_int_equal(found.count, 2);
		assert_string_equal(found.list[0].rule, "semaphore-target");
		assert_string_equal(found.list[1].rule, "one-peripheral");
	}
	assert_int_equal(hazards_of("sacq tmurs, 1\nsacq ra1, rb1, 1\nsacq -, 1\nsacq t0t.never, "
				    "1\n" END,
				    USER)
				 .count,
			 0);
}

/* Through branches: behind their three delay slots, to both sides where they are conditional */
static void test_flow(void **state)
{
	struct found found;

	(void)state;
	found = hazards_of("brr.allz there\nnop\nnop\nmov ra1, r0\nnop\n" END "there: mov r0, ra1\n"
			   END, USER);
	assert_int_equal(found.count, 1);
	assert_int_equal(found.list[0].before, 3);
	assert_int_equal(found.list[0].at, 8);
	/* Not behind an unconditional one, where only the target follows */
	found = hazards_of("brr there\nnop\nnop\nmov ra1, r0\nmov r0, ra1\nthere: nop\n" END, USER);
	assert_int_equal(found.count, 0);
	found = hazards_of("brr.allz there\nnop\nnop\nmov ra1, r0\nmov r0, ra1\nthere: nop\n" END,
			   USER);
	assert_int_equal(found.count, 1);
	/* A loop's last instruction comes before its first. */
	found = hazards_of("loop: mov r1, r4\nbrr.anyz loop\nnop\nmov recip, r0\nnop\nnop\n" END,
			   USER);
	assert_int_equal(found.count, 1);
	assert_string_equal(found.list[0].rule, "sfu-read");
	assert_int_equal(found.list[0].at, 0);
	/*
	 * Nothing comes after the end, and a target outside of the program or unknown leads
	 * nowhere.
	 */
	assert_int_equal(hazards_of("thrend\nnop\nmov ra1, r0\nmov r0, ra1\n" END, USER).count, 0);
	assert_int_equal(hazards_of("bra ra1\nnop\nnop\nmov ra1, r0\nmov r0, ra1\n" END,
				    USER).count, 0);
	assert_int_equal(hazards_of("brr .-64\nnop\nnop\nmov ra1, r0\nmov r0, ra1\n" END,
				    USER).count, 0);
	assert_int_equal(hazards_of("bra.anyz 0\nnop\nnop\nmov ra1, r0\nmov r0, ra2\n" END,
				    USER).count, 0);
	assert_int_equal(hazards_of("bra 0\nnop\nnop\nmov ra1, r0\nmov r0, ra1\n" END, USER).count,
			 0);
	assert_int_equal(hazards_of("brr 0 + ra1\nnop\nnop\nmov ra1, r0\nmov r0, ra1\n" END,
				    USER).count, 0);
	assert_int_equal(hazards_of("brr 4\nnop\nnop\nmov ra1, r0\nmov r0, ra1\n" END, USER).count,
			 0);
	assert_int_equal(hazards_of(END "brr.allz end\nnop\nnop\nnop\n" END "end:", USER).count, 0);
	/* A conditional branch to what follows anyway: one hazard, not two */
	assert_int_equal(hazards_of("brr.allz .+32\nnop\nnop\nmov ra1, r0\nmov r0, ra1\n" END,
				    USER).count, 1);
}

static void test_stop(void **state)
{
	struct v3dcl_assembly *assembly =
		assemble("mov r0, r1; mov r0, r2\nmov r0, r1; mov r0, r2\n"
			 "mov r0, r1; mov r0, r2\n" END);
	struct found found = { .stop_after = 2 };

	(void)state;
	assert_int_equal(v3dcl_hazards(assembly->code, assembly->code_count, USER, note, &found),
			 2);
	assert_int_equal(found.count, 2);
	assert_int_equal(v3dcl_hazards(assembly->code, 0, USER, note, &found), 0);
	v3dcl_assembly_free(assembly);
}

/* Any words: no crash, and nothing before the start or behind the end */
static void test_random(void **state)
{
	static uint64_t code[512];
	uint64_t seed = 77;
	unsigned int i, round;

	(void)state;
	for (round = 0; round < 40; round++) {
		for (i = 0; i < COUNT(code); i++) {
			code[i] = next_random(&seed);
			/* Many short branches */
			if (i % 5 == 0)
				code[i] = 0xf000000000000000 | (code[i] & 0x00f8000000000000) |
				((uint32_t)(code[i] & 0x3ff8) - 0x2000);
		}
		v3dcl_hazards(code, COUNT(code), round & 3, NULL, NULL);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_rules),
		cmocka_unit_test(test_semaphore),
		cmocka_unit_test(test_flow),
		cmocka_unit_test(test_stop),
		cmocka_unit_test(test_random),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
