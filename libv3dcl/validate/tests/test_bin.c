// SPDX-License-Identifier: MIT
/*
 * Bin lists: their records, the memory that they need, how they begin and end; each rule with a
 * list that breaks it.
 */
#include "bin.h"

/* Structure of the list */
TEST(test_unknown)
{
	static const __u8 reserved = 2;

	START();
	bin_bytes(t, &reserved, 1);
	refuses(BIN, RECORD_UNKNOWN, t->last);
}

TEST(test_forbidden)
{
	/* Whatever branches, waits, stores, loads, or reads memory in ways that are not checked */
	static const __u8 ids[] = { 0, 5, 8, 16, 17, 18, 24, 25, 26, 27, 28,
				    29, 41, 42, 48, 49, 65, 66, 67, 113, 114, 115 };
	unsigned int i;

	(void)state;
	for (i = 0; i < sizeof(ids); i++) {
		const __u8 bytes[16] = { ids[i] };

		frame_start(t);
		bin_bytes(t, bytes, sizeof(bytes));
		refuses(BIN, RECORD_FORBIDDEN, t->last);
		assert_int_equal(t->job.refusal.found, ids[i]);
	}
}

/* Every record that is allowed, cut off after each of its bytes */
TEST(test_truncated)
{
	static const __u8 ids[] = { 32, 33, 56, 64, 96, 97, 98, 99,
				    100, 101, 102, 103, 104, 105, 106, 254 };
	unsigned int i, length;

	(void)state;
	for (i = 0; i < sizeof(ids); i++) {
		for (length = 1; length < v3d_packet_info(ids[i])->length; length++) {
			const __u8 bytes[16] = { ids[i] };

			frame_start(t);
			bin_bytes(t, bytes, length);
			refuses(BIN, TRUNCATED, t->last);
			assert_int_equal(t->job.refusal.found, length);
			assert_int_equal(t->job.refusal.expected, v3d_packet_info(ids[i])->length);
		}
	}
}

/*
 * State is copied, but for the bits that no field has: AG100 Table 38. Of configuration bits 18 of
 * 24 are of fields.
 */
TEST(test_copied)
{
	static const struct {
		__u8 id, length, last;
	} records[] = {
		{ 96, 4, 0x03 }, { 97, 5, 0xff }, { 99, 5, 0xff },
		{ 100, 3, 0xff }, { 101, 5, 0xff }, { 103, 5, 0xff }, { 104, 9, 0xff },
		{ 105, 9, 0xff }, { 106, 9, 0xff }, { 1, 1, 1 },
	};

	(void)state;
	for (unsigned int i = 0; i < sizeof(records) / sizeof(records[0]); i++) {
		__u8 bytes[9];
		const __u8 *out;

		memset(bytes, 0xff, sizeof(bytes));
		bytes[0] = records[i].id;
		frame_start(t);
		bin_bytes(t, bytes, records[i].length);
		frame_end(t);
		accepts();
		out = t->exec.bytes + t->bin_size - 2 - records[i].length;
		bytes[records[i].length - 1] = records[i].last;
		assert_memory_equal(out, bytes, records[i].length);
		assert_int_equal(out[records[i].length], 1);
		assert_int_equal(out[records[i].length + 1], 4);
	}
}

/* Also before the tile binning mode, which is looked for first */
TEST(test_truncated_prefix)
{
	static const __u8 unknown[] = { 2 }, cut[] = { 96, 0, 0 };

	START();
	t->bin_size = 0;
	bin_bytes(t, unknown, sizeof(unknown));
	refuses(BIN, RECORD_UNKNOWN, 0);
	t->bin_size = 0;
	bin(t, nop);
	bin_bytes(t, cut, sizeof(cut));
	refuses(BIN, TRUNCATED, 1);
}

TEST(test_empty)
{
	START();
	t->bin_size = 0;
	refuses(BIN, BIN_MODE_MISSING, 0);
}

TEST(test_mode_missing)
{
	START();
	t->bin_size = 0;
	bin(t, start_tile_binning);
	frame_end(t);
	refuses(BIN, BIN_MODE_MISSING, 0);
	t->bin_size = 0;
	bin(t, configuration_bits);
	frame_end(t);
	refuses(BIN, BIN_MODE_MISSING, t->bin_size);
}

TEST(test_mode_twice)
{
	START();
	bin(t, tile_binning_mode, .width = 2, .height = 2);
	refuses(BIN, BIN_MODE_TWICE, t->last);
}

TEST(test_mode_fields)
{
	(void)state;
	frame_start(t);
	t->bin[13] = 0;
	refuses(BIN, BIN_TILES, 13);
	frame_start(t);
	t->bin[14] = 0;
	refuses(BIN, BIN_TILES, 14);
	frame_start(t);
	t->bin[15] = 2;		/* 64-bit colour */
	refuses(BIN, BIN_FLAGS, 15);
	frame_start(t);
	t->bin[15] = 0x80;	/* double buffering */
	refuses(BIN, BIN_FLAGS, 15);
	/* All else is the kernel's: whatever userspace writes there is replaced. */
	frame_start(t);
	memset(t->bin + 1, 0xff, 12);
	t->bin[15] = 0x7d;
	frame_end(t);
	accepts();
	assert_int_equal(word_at(t->exec.bytes + 1), 0x30400000);
	assert_int_equal(t->exec.bytes[15], 0x45);	/* multisample stays */
	assert_true(t->job.bin_multisample);
}

/* 255 tiles each way: 65,025 tiles of 48 and 32 bytes */
TEST(test_mode_limits)
{
	START();
	t->bin[13] = 255;
	t->bin[14] = 255;
	frame_end(t);
	accepts();
	assert_int_equal(t->job.needs.state, 3121200);
	assert_int_equal(t->job.needs.lists, 2081024 + 128 + 8192);
	frame_start(t);
	t->bin[13] = 1;
	t->bin[14] = 1;
	frame_end(t);
	accepts();
	assert_int_equal(t->job.needs.state, 48);
	assert_int_equal(t->job.needs.lists, 256 + 128 + 8192);
}

TEST(test_tile_memory)
{
	START();
	frame_end(t);
	frame_job(t);
	assert_true(v3dcl_measure(&t->job));
	t->job.tiles.state_bytes = 4 * 48 - 1;
	assert_false(v3dcl_check_bin(&t->job));
	assert_refusal(&t->job.refusal, BIN, BIN_MEMORY, 0);
	t->job.tiles.state_bytes++;
	t->job.tiles.lists_bytes = t->job.needs.lists - 1;
	assert_false(v3dcl_check_bin(&t->job));
	assert_refusal(&t->job.refusal, BIN, BIN_MEMORY, 0);
	t->job.tiles.lists_bytes++;
	assert_true(v3dcl_check_bin(&t->job));
	t->job.tiles.lists |= 32;
	assert_false(v3dcl_check_bin(&t->job));
	assert_refusal(&t->job.refusal, BIN, BIN_MEMORY, 0);
	t->job.tiles.lists &= ~32u;
	t->job.tiles.state |= 8;
	assert_false(v3dcl_check_bin(&t->job));
	assert_refusal(&t->job.refusal, BIN, BIN_MEMORY, 0);
	t->job.tiles.state &= ~8u;
	assert_true(v3dcl_check_bin(&t->job));
}

/* Measured for another list: 2 by 2 tiles are asked for */
TEST(test_tiles_measured)
{
	START();
	frame_end(t);
	frame_job(t);
	assert_true(v3dcl_measure(&t->job));
	t->job.needs.tiles_x = 1;
	assert_false(v3dcl_check_bin(&t->job));
	assert_refusal(&t->job.refusal, BIN, BIN_MEMORY, 0);
	t->job.needs.tiles_x = 2;
	t->job.needs.tiles_y = 1;
	assert_false(v3dcl_check_bin(&t->job));
	assert_refusal(&t->job.refusal, BIN, BIN_MEMORY, 0);
	t->job.needs.tiles_y = 2;
	assert_true(v3dcl_check_bin(&t->job));
	/* Not measured at all: no tiles are known of */
	frame_job(t);
	t->job.needs.exec = 0;
	assert_false(v3dcl_check_bin(&t->job));
	assert_refusal(&t->job.refusal, BIN, BIN_MEMORY, 0);
}

TEST(test_exec_memory)
{
	START();
	frame_end(t);
	frame_job(t);
	assert_true(v3dcl_measure(&t->job));
	t->job.exec.size = t->job.needs.exec - 1;
	assert_false(v3dcl_check_bin(&t->job));
	assert_refusal(&t->job.refusal, SUBMIT, NO_ROOM, 0);
	t->job.exec.size = t->job.needs.exec;
	assert_true(v3dcl_check_bin(&t->job));
	t->job.exec.address = 0u - t->job.exec.size / 16 * 16;	/* wraps by less than 16 bytes */
	assert_int_not_equal(t->job.exec.size % 16, 0);
	assert_false(v3dcl_check_bin(&t->job));
	assert_refusal(&t->job.refusal, SUBMIT, NO_ROOM, 0);
	t->job.exec.address = 0x20000008;
	assert_false(v3dcl_check_bin(&t->job));
	assert_refusal(&t->job.refusal, SUBMIT, NO_ROOM, 0);
	t->job.exec.address = 0x20000000;
	assert_true(v3dcl_check_bin(&t->job));
	/* Sizes whose sum does not fit 32 bits, also when they came after the measuring */
	t->job.uniforms.size = 0xffffffff;
	assert_false(v3dcl_measure(&t->job));
	assert_refusal(&t->job.refusal, SUBMIT, OVERFLOW,
		       offsetof(struct drm_vc4_submit_cl, bin_cl_size));
	t->job.refusal.rule = 0;
	assert_false(v3dcl_check_bin(&t->job));
	assert_refusal(&t->job.refusal, SUBMIT, OVERFLOW,
		       offsetof(struct drm_vc4_submit_cl, bin_cl_size));
}

static void refuses_sizes(__u32 bin_size, __u32 records_size, __u32 uniforms_size)
{
	t->job.bin.size = bin_size;
	t->job.records.size = records_size;
	t->job.uniforms.size = uniforms_size;
	t->job.refusal.rule = 0;
	assert_false(v3dcl_measure(&t->job));
	assert_refusal(&t->job.refusal, SUBMIT, OVERFLOW,
		       offsetof(struct drm_vc4_submit_cl, bin_cl_size));
}

/*
 * Each step of the sum does not fit: what is rounded up, the first two, all three. Only the first
 * record is looked at.
 */
TEST(test_exec_sizes)
{
	START();
	frame_job(t);
	refuses_sizes(0xfffffff8, 0, 0);
	refuses_sizes(64, 0xfffffff8, 0);
	refuses_sizes(0x80000000, 0x80000000, 0);
	refuses_sizes(0x80000000, 0x40000000, 0x40000000);
	/* ... and the byte behind a list */
	refuses_sizes(0x80000000, 0x40000000, 0x3fffffff);
}

/* A frame of shaders that read a uniform each, and no texture */
static void plain_shaders(void)
{
	static struct test_shader plain[3];
	static const int rows[] = { 0, 5, 7 };

	frame_start(t);
	for (int n = 0; n < 3; n++) {
		shader_start(&plain[n]);
		shader_emit(&plain[n], qb_mov(QB_R0, QB_UNIF));
		qb_setup(&plain[n].b, QB_VW_SETUP, qb_word_vpm_write(0));
		for (int row = 0; row < rows[n]; row++)
			shader_emit(&plain[n], qb_mov(QB_VPM_WRITE, QB_R0));
		shader_emit(&plain[n], qb_nop());
		shader_finish(&plain[n]);
	}
	plain[0].shader.uses = 0;
	t->bos[BO_FS].shader = &plain[0].shader;
	t->bos[BO_VS].shader = &plain[1].shader;
	t->bos[BO_CS].shader = &plain[2].shader;
	frame_end(t);
}

/* The checked streams fill their memory to the last byte. */
TEST(test_exec_full)
{
	(void)state;
	plain_shaders();
	t->uniforms_size = 3 * 4;
	accepts();
	assert_memory_equal(t->exec.bytes + t->job.needs.exec - V3DCL_AFTER_LIST - 12, t->uniforms,
			    12);
	plain_shaders();
	t->uniforms_size = 3 * 4 - 1;
	refuses(UNIFORMS, UNIFORMS_SHORT, 8);
}

TEST(test_start)
{
	(void)state;
	frame_start(t);
	bin(t, start_tile_binning);
	refuses(BIN, START_TWICE, t->last);
	/* A draw, or the end, without it */
	frame_start(t);
	t->bin[16] = V3D_NOP;
	bin(t, array_primitives, .mode = V3D_TRIANGLES, .length = 1);
	refuses(BIN, START_MISSING, t->last);
	frame_start(t);
	t->bin[16] = V3D_NOP;
	frame_end(t);
	refuses(BIN, START_MISSING, t->last);
}

TEST(test_end)
{
	(void)state;
	frame_start(t);
	refuses(BIN, BIN_END, t->bin_size);
	frame_start(t);
	bin(t, flush);
	refuses(BIN, BIN_END, t->last);
	frame_start(t);
	bin(t, increment_semaphore);
	refuses(BIN, BIN_END, t->last);
	frame_start(t);
	bin(t, increment_semaphore);
	bin(t, flush);
	bin(t, nop);
	refuses(BIN, BIN_END, t->bin_size - 3);
	frame_start(t);
	bin(t, flush);
	bin(t, increment_semaphore);
	refuses(BIN, BIN_END, t->bin_size - 2);
	/* A NOP between them is one record too many. */
	frame_start(t);
	bin(t, increment_semaphore);
	bin(t, nop);
	bin(t, flush);
	refuses(BIN, BIN_END, t->bin_size - 3);
}

TEST(test_list_format)
{
	(void)state;
	frame_start(t);
	bin(t, primitive_list_format, .primitive = V3D_LIST_TRIANGLES, .data = V3D_LIST_XY_32);
	refuses(BIN, LIST_FORMAT, t->last + 1);
	frame_start(t);
	bin(t, primitive_list_format, .primitive = V3D_LIST_RHT, .data = V3D_LIST_INDEX_16);
	refuses(BIN, LIST_FORMAT, t->last + 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_unknown),
		cmocka_unit_test(test_forbidden),
		cmocka_unit_test(test_truncated),
		cmocka_unit_test(test_copied),
		cmocka_unit_test(test_truncated_prefix),
		cmocka_unit_test(test_empty),
		cmocka_unit_test(test_mode_missing),
		cmocka_unit_test(test_mode_twice),
		cmocka_unit_test(test_mode_fields),
		cmocka_unit_test(test_mode_limits),
		cmocka_unit_test(test_tile_memory),
		cmocka_unit_test(test_tiles_measured),
		cmocka_unit_test(test_exec_memory),
		cmocka_unit_test(test_exec_sizes),
		cmocka_unit_test(test_exec_full),
		cmocka_unit_test(test_start),
		cmocka_unit_test(test_end),
		cmocka_unit_test(test_list_format),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
