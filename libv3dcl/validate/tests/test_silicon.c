// SPDX-License-Identifier: MIT
/*
 * What silicon does not survive, and what is safe under one reading of the guide only: each rule
 * with a list that just keeps it and one that just breaks it.
 */
#include "bin.h"

#define DRAWS 0x1ef0	/* HW-2116: so many are safe, as many has a job of Mesa's (SW) */

static __u8 long_list[(DRAWS + 1) * 32];
static __u32 long_size, long_last;

static void add(const void *bytes, __u32 size)
{
	assert_true(long_size + size <= sizeof(long_list));
	long_last = long_size;
	if (size)
		memcpy(long_list + long_size, bytes, size);
	long_size += size;
}

/* Draws with this before each, and this behind the last: whether it is accepted */
static bool draws(unsigned int n, const __u8 *before, __u32 before_bytes, const __u8 *behind,
		  __u32 behind_bytes)
{
	static const struct v3d_array_primitives draw = { .mode = V3D_TRIANGLES, .length = 3 };
	static const __u8 end[] = { V3D_INCREMENT_SEMAPHORE, V3D_FLUSH };
	static __u8 memory[sizeof(long_list) + EXEC_BYTES];
	__u8 bytes[V3D_ARRAY_PRIMITIVES_LENGTH];

	frame_start(t);
	v3d_pack_array_primitives(bytes, &draw);
	long_size = 0;
	add(t->bin, t->bin_size);
	while (n--) {
		add(before, before_bytes);
		add(bytes, sizeof(bytes));
	}
	add(behind, behind_bytes);
	frame_job(t);
	add(end, sizeof(end));
	t->submit.bin_cl_size = long_size;
	t->job.bin = (struct v3dcl_span){ long_list, long_size };
	t->job.exec = (struct v3dcl_memory){ memory, 0x20000000, sizeof(memory) };
	return v3dcl_measure(&t->job) && v3dcl_check_bin(&t->job);
}

static const __u8 flat[] = { V3D_FLAT_SHADE_FLAGS, 1, 0, 0, 0 };
static const __u8 several[] = { V3D_FLAT_SHADE_FLAGS, 1, 0, 0, 0, V3D_NOP,
				V3D_CONFIGURATION_BITS, 3, 0x10, 0,
				V3D_FLAT_SHADE_FLAGS, 0, 0, 0, 0 };

/* HW-2116: the first change after the start and after each draw counts, further ones do not. */
TEST(test_state_changes)
{
	(void)state;
	assert_accepted(t, draws(DRAWS, flat, sizeof(flat), NULL, 0));
	assert_accepted(t, draws(DRAWS, several, sizeof(several), NULL, 0));
	assert_int_equal(t->job.draws, DRAWS);
	assert_false(draws(DRAWS + 1, flat, sizeof(flat), NULL, 0));
	assert_refusal(&t->job.refusal, BIN, STATE_CHANGES,
		       long_size - 2 - V3D_ARRAY_PRIMITIVES_LENGTH - sizeof(flat));
	assert_int_equal(t->job.refusal.found, DRAWS + 1);
	assert_int_equal(t->job.refusal.expected, DRAWS);
	/* The last draw's counts as well, whether another one follows it or not. */
	assert_false(draws(DRAWS, flat, sizeof(flat), several, sizeof(several)));
	assert_refusal(&t->job.refusal, BIN, STATE_CHANGES, long_last - sizeof(several));
	/* A draw without a change before it does not count, nor does what is no state. */
	assert_accepted(t, draws(DRAWS + 10, NULL, 0, NULL, 0));
	assert_accepted(t, draws(DRAWS + 10, several + sizeof(flat), 1, NULL, 0));
}

/* Each record of state counts, and only those. */
TEST(test_state_records)
{
	static const __u8 ids[] = { 56, 96, 97, 98, 99, 100, 101, 102, 103, 104, 105, 106 };

	(void)state;
	for (unsigned int i = 0; i < sizeof(ids); i++) {
		__u8 bytes[16] = { ids[i] };

		if (ids[i] == V3D_POINT_SIZE)
			bytes[4] = 0x3f;
		if (ids[i] == V3D_PRIMITIVE_LIST_FORMAT)
			bytes[1] = V3D_LIST_INDEX_16 << 4 | V3D_LIST_TRIANGLES;
		assert_false(draws(DRAWS + 1, bytes, v3d_packet_info(ids[i])->length, NULL, 0));
		assert_int_equal(t->job.refusal.rule, V3DCL_RULE_STATE_CHANGES);
	}
}

/* HW-2726: 0.125 is what Mesa sends at least. */
TEST(test_point_size)
{
	static const __u32 good[] = { 0x3e000000, 0x3e000001, 0x3f800000, 0x45000000, 0x7f800000 };
	static const __u32 bad[] = { 0,		 1,	     0x3d800000, 0x3dffffff,
				     0x80000000, 0xbf800000, 0x7f800001, 0x7fc00000, 0xffffffff };

	(void)state;
	for (unsigned int i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
		frame_start(t);
		bin(t, point_size, .size = good[i]);
		frame_end(t);
		accepts();
		assert_int_equal(word_at(t->exec.bytes + t->bin_size - 2 - 4), good[i]);
	}
	for (unsigned int i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		frame_start(t);
		bin(t, point_size, .size = bad[i]);
		refuses(BIN, POINT_SIZE, t->last + 1);
		assert_int_equal(t->job.refusal.found, bad[i]);
		assert_int_equal(t->job.refusal.expected, 0x3e000000);
	}
}

/* AG100 Table 45's extended records: no compiler has a use for them. */
TEST(test_extended)
{
	START();
	bin(t, gl_shader_state, .attributes = 1, .extended = 1);
	refuses(BIN, SHADER_EXTENDED, t->last + 1);
}

/* A list of any length ends where its own memory goes on. */
TEST(test_list_ends)
{
	(void)state;
	for (unsigned int nops = 0; nops < 20; nops++) {
		START();
		t->bin_size -= V3D_GL_SHADER_STATE_LENGTH;
		t->records_size = 0;
		t->uniforms_size = 0;
		t->submit.shader_rec_count = 0;
		for (unsigned int i = 0; i < nops; i++)
			bin(t, nop);
		frame_end(t);
		accepts();
		assert_true(t->job.bin_end < t->job.exec.address + t->job.needs.exec);
		frame_submit(t);
		frame_job(t);
		t->job.bin.size = 0;
		assert_true(v3dcl_check_render(&t->job));
		t->job.render.size = t->job.render_bytes;
		assert_true(v3dcl_build_render(&t->job));
		assert_true(t->job.render_end < t->job.render.address + t->job.render_bytes);
		t->job.render.size--;
		assert_false(v3dcl_build_render(&t->job));
		assert_int_equal(t->job.refusal.rule, V3DCL_RULE_NO_ROOM);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_state_changes), cmocka_unit_test(test_state_records),
		cmocka_unit_test(test_point_size),    cmocka_unit_test(test_extended),
		cmocka_unit_test(test_list_ends),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
