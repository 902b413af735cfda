// SPDX-License-Identifier: MIT
/*
 * Bin lists and shader records: what becomes of a job as Mesa sends it, and each rule with a job that breaks it.
 */
#include "frame.h"

static struct frame_test frame, *t = &frame;

#define accepts() \
	do { \
		bool accepted = frame_check(t); \
		if (!accepted) \
			print_message("# part %u offset %u: %s\n", t->job.refusal.part, t->job.refusal.offset, \
				      v3dcl_rule_text(t->job.refusal.rule)); \
		assert_true(accepted); \
	} while (0)

#define refuses(part, rule, offset) \
	do { \
		assert_false(frame_check(t)); \
		assert_refusal(&t->job.refusal, part, rule, offset); \
		assert_guarded(&t->exec, t->job.needs.exec); \
	} while (0)

#define START() ((void)state, frame_start(t))

/* The bytes that a list of one triangle becomes */
TEST(test_draw)
{
	/* 112: lists at 0x30400000, 4 MiB; state at 0x30000000; 2 by 2; auto-initialise, first block 32, next 128 */
	static const __u8 mode[] = { 112, 0, 0, 0x40, 0x30, 0, 0, 0x40, 0, 0, 0, 0, 0x30, 2, 2, 0x44 };
	const __u8 *out = frame.exec.bytes;

	START();
	bin(t, array_primitives, .mode = V3D_TRIANGLES, .length = 3);
	frame_end(t);
	accepts();
	assert_memory_equal(out, mode, sizeof(mode));
	assert_memory_equal(out + 16, t->bin + 16, t->bin_size - 16 - 10 - 5 - 2);
	/* The shader state: record at the next multiple of 16 after the list, one attribute */
	out += t->bin_size - 2 - 10 - 5;
	assert_int_equal(out[0], 64);
	assert_int_equal(word_at(out + 1), (0x20000000 + (t->bin_size + 15) / 16 * 16) | 1);
	assert_memory_equal(out + 5, t->bin + t->bin_size - 12, 10);
	/* The semaphore became a NOP, Flush stands. */
	assert_int_equal(out[15], 1);
	assert_int_equal(out[16], 4);
	assert_int_equal(t->job.bin_start, 0x20000000);
	assert_int_equal(t->job.bin_end, 0x20000000 + t->bin_size);
	assert_int_equal(t->job.draws, 1);
	assert_int_equal(t->job.needs.tiles_x, 2);
	assert_int_equal(t->job.needs.state, 4 * 48);
	assert_int_equal(t->job.needs.lists, 256 + 128 + 8192);
	assert_guarded(&t->exec, t->job.needs.exec);
}

TEST(test_record)
{
	__u32 at, streams;
	const __u8 *record;

	START();
	bin(t, array_primitives, .mode = V3D_TRIANGLES, .length = 3);
	frame_end(t);
	accepts();
	at = (t->bin_size + 15) / 16 * 16;
	record = t->exec.bytes + at;
	streams = at + (t->records_size + 15) / 16 * 16;
	assert_int_equal(word_at(record), 0x02000005);	/* single threaded, clipping, two varyings */
	assert_int_equal(word_at(record + 4), t->bos[BO_FS].address);
	assert_int_equal(word_at(record + 8), 0x20000000 + streams);
	assert_int_equal(word_at(record + 16), t->bos[BO_VS].address);
	assert_int_equal(word_at(record + 20), 0x20000000 + streams + 12);	/* after three words of the fragment shader's */
	assert_int_equal(word_at(record + 28), t->bos[BO_CS].address);
	assert_int_equal(word_at(record + 32), 0x20000000 + streams + 20);
	assert_int_equal(word_at(record + 36), t->bos[BO_VERTICES].address);
	assert_int_equal(word_at(record + 40), 0x100b);	/* 12 bytes, every 16 */
	/* Uniforms: a number, the texture, its size; limit and base of the direct reads */
	assert_int_equal(word_at(t->exec.bytes + streams), 0x3f800000);
	assert_int_equal(word_at(t->exec.bytes + streams + 4), t->bos[BO_TEXTURE].address);
	assert_int_equal(word_at(t->exec.bytes + streams + 8), 64 << 8 | 64 << 20);
	assert_int_equal(word_at(t->exec.bytes + streams + 12), 252);
	assert_int_equal(word_at(t->exec.bytes + streams + 16), t->bos[BO_BUFFER].address);
	assert_int_equal(word_at(t->exec.bytes + streams + 24), t->bos[BO_BUFFER].address);
}

TEST(test_uses)
{
	START();
	bin(t, gem_handles, .first = BO_INDICES);
	bin(t, indexed_primitives, .mode = V3D_TRIANGLES, .index_type = V3D_INDEX_16, .length = 6, .maximum_index = 3);
	frame_end(t);
	accepts();
	assert_int_equal(t->bos[BO_FS].uses, V3DCL_CODE);
	assert_int_equal(t->bos[BO_CS].uses, V3DCL_CODE);
	assert_int_equal(t->bos[BO_VERTICES].uses, V3DCL_READ | V3DCL_READ_BINNING);
	assert_int_equal(t->bos[BO_INDICES].uses, V3DCL_READ | V3DCL_READ_BINNING);
	assert_int_equal(t->bos[BO_TEXTURE].uses, V3DCL_READ);
	assert_int_equal(t->bos[BO_BUFFER].uses, V3DCL_READ | V3DCL_READ_BINNING);
	assert_int_equal(t->bos[BO_COLOR].uses, 0);
}

TEST(test_indexed)
{
	const __u8 *out;

	START();
	bin(t, gem_handles, .first = BO_INDICES);
	bin(t, indexed_primitives, .mode = V3D_TRIANGLES, .index_type = V3D_INDEX_16, .length = 2045, .address = 6,
	    .maximum_index = 3);
	frame_end(t);
	accepts();
	/* Handles are stripped: the draw moved up by their 9 bytes. */
	out = t->exec.bytes + t->bin_size - 2 - 14 - 9;
	assert_int_equal(out[0], 32);
	assert_int_equal(out[1], 0x14);
	assert_int_equal(word_at(out + 2), 2045);
	assert_int_equal(word_at(out + 6), t->bos[BO_INDICES].address + 6);
	assert_int_equal(word_at(out + 10), 3);
	assert_int_equal(t->job.bin_end - t->job.bin_start, t->bin_size - 9);
}

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
	static const __u8 ids[] = { 0, 5, 8, 16, 17, 18, 24, 25, 26, 27, 28, 29, 41, 42, 48, 49, 65, 66, 67, 113, 114, 115 };
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
	static const __u8 ids[] = { 32, 33, 56, 64, 96, 97, 98, 99, 100, 101, 102, 103, 104, 105, 106, 254 };
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
	assert_refusal(&t->job.refusal, SUBMIT, OVERFLOW, offsetof(struct drm_vc4_submit_cl, bin_cl_size));
	t->job.refusal.rule = 0;
	assert_false(v3dcl_check_bin(&t->job));
	assert_refusal(&t->job.refusal, SUBMIT, OVERFLOW, offsetof(struct drm_vc4_submit_cl, bin_cl_size));
}

static void refuses_sizes(__u32 bin_size, __u32 records_size, __u32 uniforms_size)
{
	t->job.bin.size = bin_size;
	t->job.records.size = records_size;
	t->job.uniforms.size = uniforms_size;
	t->job.refusal.rule = 0;
	assert_false(v3dcl_measure(&t->job));
	assert_refusal(&t->job.refusal, SUBMIT, OVERFLOW, offsetof(struct drm_vc4_submit_cl, bin_cl_size));
}

/* Each step of the sum does not fit: what is rounded up, the first two, all three. Only the first record is looked at. */
TEST(test_exec_sizes)
{
	START();
	frame_job(t);
	refuses_sizes(0xfffffff8, 0, 0);
	refuses_sizes(64, 0xfffffff8, 0);
	refuses_sizes(0x80000000, 0x80000000, 0);
	refuses_sizes(0x80000000, 0x40000000, 0x40000000);
}

/* A frame of shaders that read a uniform each, and no texture */
static void plain_shaders(void)
{
	static struct test_shader plain;

	frame_start(t);
	shader_start(&plain);
	shader_emit(&plain, qb_mov(QB_R0, QB_UNIF));
	shader_finish(&plain);
	t->bos[BO_FS].shader = &plain.shader;
	t->bos[BO_VS].shader = &plain.shader;
	t->bos[BO_CS].shader = &plain.shader;
	frame_end(t);
}

/* The checked streams fill their memory to the last byte. */
TEST(test_exec_full)
{
	(void)state;
	plain_shaders();
	t->uniforms_size = 3 * 4;
	accepts();
	assert_memory_equal(t->exec.bytes + t->job.needs.exec - 12, t->uniforms, 12);
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
	bin(t, array_primitives, .mode = V3D_POINTS, .length = 1);
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

/* The clip window is cut to the tiles: 2 by 2 of 64 pixels, or of 32. */
TEST(test_clip_window)
{
	const __u8 *out = frame.exec.bytes;
	__u32 at;

	(void)state;
	frame_start(t);
	bin(t, clip_window, .left = 100, .bottom = 200, .width = 0xffff, .height = 0xffff);
	at = t->last;
	frame_end(t);
	accepts();
	assert_int_equal(word_at(out + at + 1), 100 | 128 << 16);
	assert_int_equal(word_at(out + at + 5), 28);
	frame_start(t);
	t->bin[15] = 1;
	bin(t, clip_window, .left = 10, .bottom = 20, .width = 70, .height = 44);
	at = t->last;
	frame_end(t);
	accepts();
	assert_int_equal(word_at(out + at + 5), 54 | 44 << 16);
	frame_start(t);
	t->bin_size = 0;
	bin(t, clip_window, .width = 1);
	bin(t, tile_binning_mode, .width = 2, .height = 2);
	refuses(BIN, BIN_MODE_MISSING, 0);
}

/* Draws */
TEST(test_draw_state)
{
	(void)state;
	frame_start(t);
	t->bin_size = 17;
	bin(t, array_primitives, .mode = V3D_TRIANGLES, .length = 3);
	refuses(BIN, SHADER_MISSING, 17);
	frame_start(t);
	t->bin_size = 17;
	bin(t, gl_shader_state, .attributes = 1);
	bin(t, array_primitives, .mode = V3D_TRIANGLES, .length = 3);
	refuses(BIN, CLIP_MISSING, t->last);
	frame_start(t);
	bin(t, array_primitives, .mode = 7, .length = 3);
	refuses(BIN, PRIMITIVE_MODE, t->last + 1);
	frame_start(t);
	bin(t, array_primitives, .mode = V3D_TRIANGLES);
	refuses(BIN, DRAW_LENGTH, t->last + 2);
	frame_start(t);
	bin(t, array_primitives, .mode = V3D_TRIANGLES, .first_vertex = 1);
	refuses(BIN, DRAW_LENGTH, t->last + 2);
}

/* 8192 bytes, 12 every 16: the last vertex is (8192 - 12) / 16 = 511. */
TEST(test_vertex_end)
{
	(void)state;
	frame_start(t);
	bin(t, array_primitives, .mode = V3D_TRIANGLES, .first_vertex = 500, .length = 12);
	frame_end(t);
	accepts();
	frame_start(t);
	bin(t, array_primitives, .mode = V3D_TRIANGLES, .first_vertex = 500, .length = 13);
	refuses(BIN, VERTEX_END, t->last + 6);
	assert_int_equal(t->job.refusal.found, 512);
	assert_int_equal(t->job.refusal.expected, 511);
	frame_start(t);
	bin(t, array_primitives, .mode = V3D_TRIANGLES, .first_vertex = 0xfffffffe, .length = 3);
	refuses(BIN, OVERFLOW, t->last + 6);
	frame_start(t);
	bin(t, gem_handles, .first = BO_INDICES);
	bin(t, indexed_primitives, .mode = V3D_POINTS, .length = 1, .maximum_index = 512);
	refuses(BIN, VERTEX_END, t->last + 10);
}

/* A draw after a second shader state counts with that one's attributes. */
TEST(test_second_record)
{
	const struct v3d_attribute wide = { .size_minus_1 = 15, .stride = 255 }, still = { .size_minus_1 = 15 };

	START();
	bin(t, gl_shader_state, .attributes = 1);
	shader_record(t, &wide, 1);
	frame_uniforms(t);
	bin(t, array_primitives, .mode = V3D_TRIANGLES, .first_vertex = 0, .length = 33);	/* (8192 - 16) / 255 is 32 */
	bin(t, gl_shader_state, .attributes = 1);
	shader_record(t, &still, 1);
	frame_uniforms(t);
	bin(t, array_primitives, .mode = V3D_TRIANGLES, .first_vertex = 0, .length = 0xffffffff);
	frame_end(t);
	accepts();
	assert_int_equal(t->job.draws, 2);
	frame_start(t);
	bin(t, gl_shader_state, .attributes = 1);
	shader_record(t, &wide, 1);
	frame_uniforms(t);
	bin(t, array_primitives, .mode = V3D_TRIANGLES, .first_vertex = 0, .length = 34);
	refuses(BIN, VERTEX_END, t->last + 6);
}

TEST(test_indices)
{
	(void)state;
	frame_start(t);
	bin(t, indexed_primitives, .mode = V3D_POINTS, .length = 1);
	refuses(BIN, HANDLES_MISSING, t->last);
	frame_start(t);
	bin(t, gem_handles, .first = BO_INDICES);
	bin(t, indexed_primitives, .mode = V3D_POINTS, .length = 1, .index_type = 2);
	refuses(BIN, INDEX_TYPE, t->last + 1);
	frame_start(t);
	bin(t, gem_handles, .first = BO_INDICES);
	bin(t, indexed_primitives, .mode = V3D_POINTS, .length = 1, .index_type = V3D_INDEX_16, .address = 1);
	refuses(BIN, INDEX_ALIGNMENT, t->last + 6);
	frame_start(t);
	bin(t, gem_handles, .first = BO_INDICES);
	bin(t, indexed_primitives, .mode = V3D_POINTS, .length = 2048, .index_type = V3D_INDEX_16, .address = 2);
	refuses(BIN, INDEX_END, t->last + 6);
	frame_start(t);
	bin(t, gem_handles, .first = BO_INDICES);
	bin(t, indexed_primitives, .mode = V3D_POINTS, .length = 4096, .address = 1);
	refuses(BIN, INDEX_END, t->last + 6);
	/* Products and sums that wrap */
	frame_start(t);
	bin(t, gem_handles, .first = BO_INDICES);
	bin(t, indexed_primitives, .mode = V3D_POINTS, .length = 0x80000001, .index_type = V3D_INDEX_16);
	refuses(BIN, OVERFLOW, t->last + 2);
	frame_start(t);
	bin(t, gem_handles, .first = BO_INDICES);
	bin(t, indexed_primitives, .mode = V3D_POINTS, .length = 0x20, .address = 0xfffffff0);
	refuses(BIN, INDEX_END, t->last + 6);
}

TEST(test_index_bo)
{
	(void)state;
	frame_start(t);
	bin(t, gem_handles, .first = BOS);
	bin(t, indexed_primitives, .mode = V3D_POINTS, .length = 1);
	refuses(BIN, BO_INDEX, t->last);
	frame_start(t);
	bin(t, gem_handles, .first = BO_FS);
	bin(t, indexed_primitives, .mode = V3D_POINTS, .length = 1);
	refuses(BIN, BO_PLAIN, t->last);
	frame_start(t);
	bin(t, gem_handles, .first = BO_PROGRAM);
	bin(t, indexed_primitives, .mode = V3D_POINTS, .length = 1);
	refuses(BIN, BO_PLAIN, t->last);
}

/* Shader records */
static void change_record(__u32 offset, __u32 word)
{
	memcpy(t->records + offset, &word, 4);
}

#define HANDLES 16	/* bytes before the record: three shaders, one attribute */

TEST(test_shader_state)
{
	(void)state;
	frame_start(t);
	bin(t, gl_shader_state, .attributes = 1, .address = 16);
	refuses(BIN, SHADER_ADDRESS, t->last + 1);
	frame_start(t);
	bin(t, gl_shader_state, .attributes = 1, .extended = 1);
	refuses(BIN, SHADER_EXTENDED, t->last + 1);
	frame_start(t);
	bin(t, gl_shader_state, .attributes = 1);
	refuses(BIN, SHADER_COUNT, t->last);
	frame_start(t);
	t->submit.shader_rec_count++;
	bin(t, gl_shader_state, .attributes = 1);
	refuses(SHADER_RECORD, TRUNCATED, t->records_size);
	frame_start(t);
	t->records_size = 15;
	refuses(SHADER_RECORD, TRUNCATED, 0);
	frame_start(t);
	t->records_size--;
	refuses(SHADER_RECORD, TRUNCATED, HANDLES);
}

/* No number is eight. */
TEST(test_eight_attributes)
{
	struct v3d_attribute attributes[8] = { { 0 } };
	__u32 i;

	START();
	t->records_size = 0;
	for (i = 0; i < 8; i++)
		attributes[i] = (struct v3d_attribute){ .address = i * 16, .size_minus_1 = 3, .stride = 4 + i };
	t->bin[t->bin_size - 4] = 0;
	shader_record(t, attributes, 8);
	/* The limit is that of the last: (8192 - 112 - 4) / 11 = 734. */
	bin(t, array_primitives, .mode = V3D_POINTS, .length = 735);
	frame_end(t);
	accepts();
	t->bin_size -= 12;
	bin(t, array_primitives, .mode = V3D_POINTS, .length = 736);
	refuses(BIN, VERTEX_END, t->last + 6);
}

TEST(test_record_shaders)
{
	(void)state;
	frame_start(t);
	change_record(0, BOS);
	refuses(SHADER_RECORD, BO_INDEX, 0);
	frame_start(t);
	change_record(4, BO_VERTICES);
	refuses(SHADER_RECORD, BO_SHADER, 4);
	frame_start(t);
	change_record(8, BO_PROGRAM);
	refuses(SHADER_RECORD, BO_SHADER, 8);
	frame_start(t);
	change_record(HANDLES + 16, 8);
	refuses(SHADER_RECORD, SHADER_OFFSET, HANDLES + 16);
	frame_start(t);
	change_record(HANDLES, 0x02000004);
	refuses(SHADER_RECORD, SHADER_THREADING, HANDLES);
	frame_start(t);
	t->fs.shader.uses |= V3DCL_SHADER_THREADED;
	refuses(SHADER_RECORD, SHADER_THREADING, HANDLES);
	frame_start(t);
	t->fs.shader.uses |= V3DCL_SHADER_THREADED;
	change_record(HANDLES, 0x02000004);
	frame_end(t);
	accepts();
	frame_start(t);
	t->vs.shader.uses |= V3DCL_SHADER_THREADED;
	refuses(SHADER_RECORD, SHADER_THREADED, HANDLES + 16);
	frame_start(t);
	change_record(0, BO_VS);
	refuses(SHADER_RECORD, SHADER_USES_VPM, HANDLES + 4);
	frame_start(t);
	change_record(8, BO_FS);
	refuses(SHADER_RECORD, SHADER_USES_TILE, HANDLES + 28);
}

TEST(test_record_attributes)
{
	(void)state;
	frame_start(t);
	change_record(12, BOS);
	refuses(SHADER_RECORD, BO_INDEX, 12);
	frame_start(t);
	change_record(12, BO_FS);
	refuses(SHADER_RECORD, BO_PLAIN, 12);
	frame_start(t);
	change_record(HANDLES + 36, 8192 - 12);
	bin(t, array_primitives, .mode = V3D_POINTS, .length = 1);
	frame_end(t);
	accepts();
	frame_start(t);
	change_record(HANDLES + 36, 8192 - 11);
	refuses(SHADER_RECORD, ATTRIBUTE_END, HANDLES + 36);
	frame_start(t);
	change_record(HANDLES + 36, 0xfffffff8);
	refuses(SHADER_RECORD, ATTRIBUTE_END, HANDLES + 36);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_draw),
		cmocka_unit_test(test_record),
		cmocka_unit_test(test_uses),
		cmocka_unit_test(test_indexed),
		cmocka_unit_test(test_unknown),
		cmocka_unit_test(test_forbidden),
		cmocka_unit_test(test_truncated),
		cmocka_unit_test(test_truncated_prefix),
		cmocka_unit_test(test_empty),
		cmocka_unit_test(test_mode_missing),
		cmocka_unit_test(test_mode_twice),
		cmocka_unit_test(test_mode_fields),
		cmocka_unit_test(test_mode_limits),
		cmocka_unit_test(test_tile_memory),
		cmocka_unit_test(test_tiles_measured),
		cmocka_unit_test(test_exec_memory),
		cmocka_unit_test(test_exec_full),
		cmocka_unit_test(test_exec_sizes),
		cmocka_unit_test(test_start),
		cmocka_unit_test(test_end),
		cmocka_unit_test(test_list_format),
		cmocka_unit_test(test_clip_window),
		cmocka_unit_test(test_draw_state),
		cmocka_unit_test(test_vertex_end),
		cmocka_unit_test(test_second_record),
		cmocka_unit_test(test_indices),
		cmocka_unit_test(test_index_bo),
		cmocka_unit_test(test_shader_state),
		cmocka_unit_test(test_eight_attributes),
		cmocka_unit_test(test_record_shaders),
		cmocka_unit_test(test_record_attributes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
