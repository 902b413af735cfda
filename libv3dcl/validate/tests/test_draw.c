// SPDX-License-Identifier: MIT
/*
 * Draws and shader records: what becomes of those that Mesa sends, and each rule with a job that
 * breaks it.
 */
#include "bin.h"

/* The bytes that a list of one triangle becomes */
TEST(test_draw)
{
	/*
	 * 112: lists at 0x30400000, 4 MiB; state at 0x30000000; 2 by 2; auto-initialise, first
	 * block 32, next 128
	 */
	static const __u8 mode[] = {
		112, 0, 0, 0x40, 0x30, 0, 0, 0x40, 0, 0, 0, 0, 0x30, 2, 2, 0x44
	};
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
	/* single threaded, clipping, two varyings */
	assert_int_equal(word_at(record), 0x02000005);
	assert_int_equal(word_at(record + 4), t->bos[BO_FS].address);
	assert_int_equal(word_at(record + 8), 0x20000000 + streams);
	assert_int_equal(word_at(record + 16), t->bos[BO_VS].address);
	/* after three words of the fragment shader's */
	assert_int_equal(word_at(record + 20), 0x20000000 + streams + 12);
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
	bin(t, indexed_primitives, .mode = V3D_TRIANGLES, .index_type = V3D_INDEX_16, .length = 6,
	    .maximum_index = 3);
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
	bin(t, indexed_primitives, .mode = V3D_TRIANGLES, .index_type = V3D_INDEX_16,
	    .length = 2045, .address = 6, .maximum_index = 3);
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
	bin(t, indexed_primitives, .mode = V3D_TRIANGLES, .length = 1, .maximum_index = 512);
	refuses(BIN, VERTEX_END, t->last + 10);
}

/* Of several arrays the shortest counts; one that stands still has every vertex. */
TEST(test_least_vertex)
{
	static const struct v3d_attribute arrays[] = {
		{ .size_minus_1 = 15 },
		{ .size_minus_1 = 15, .stride = 255 },
		{ .size_minus_1 = 11, .stride = 16 },
	};

	(void)state;
	for (__u32 more = 0; more < 2; more++) {
		frame_start(t);
		bin(t, gl_shader_state, .attributes = 3);
		shader_record(t, arrays, 3);
		frame_uniforms(t);
		bin(t, array_primitives, .mode = V3D_TRIANGLES, .first_vertex = 31,
		    .length = 2 + more);
		if (more) {
			refuses(BIN, VERTEX_END, t->last + 6);
			assert_int_equal(t->job.refusal.found, 33);
			assert_int_equal(t->job.refusal.expected, 32);	/* (8192 - 16) / 255 */
		} else {
			frame_end(t);
			accepts();
		}
	}
}

/* A draw after a second shader state counts with that one's attributes. */
TEST(test_second_record)
{
	const struct v3d_attribute wide = { .size_minus_1 = 15, .stride = 255 },
				   still = { .size_minus_1 = 15 };

	START();
	bin(t, gl_shader_state, .attributes = 1);
	shader_record(t, &wide, 1);
	frame_uniforms(t);
	/* (8192 - 16) / 255 is 32 */
	bin(t, array_primitives, .mode = V3D_TRIANGLES, .first_vertex = 0, .length = 33);
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
	bin(t, indexed_primitives, .mode = V3D_TRIANGLES, .length = 1);
	refuses(BIN, HANDLES_MISSING, t->last);
	frame_start(t);
	bin(t, gem_handles, .first = BO_INDICES);
	bin(t, indexed_primitives, .mode = V3D_TRIANGLES, .length = 1, .index_type = 2);
	refuses(BIN, INDEX_TYPE, t->last + 1);
	frame_start(t);
	bin(t, gem_handles, .first = BO_INDICES);
	bin(t, indexed_primitives, .mode = V3D_TRIANGLES, .length = 1, .index_type = V3D_INDEX_16,
	    .address = 1);
	refuses(BIN, INDEX_ALIGNMENT, t->last + 6);
	frame_start(t);
	bin(t, gem_handles, .first = BO_INDICES);
	bin(t, indexed_primitives, .mode = V3D_TRIANGLES, .length = 2048,
	    .index_type = V3D_INDEX_16, .address = 2);
	refuses(BIN, INDEX_END, t->last + 6);
	frame_start(t);
	bin(t, gem_handles, .first = BO_INDICES);
	bin(t, indexed_primitives, .mode = V3D_TRIANGLES, .length = 4096, .address = 1);
	refuses(BIN, INDEX_END, t->last + 6);
	/* Products and sums that wrap */
	frame_start(t);
	bin(t, gem_handles, .first = BO_INDICES);
	bin(t, indexed_primitives, .mode = V3D_TRIANGLES, .length = 0x80000001,
	    .index_type = V3D_INDEX_16);
	refuses(BIN, OVERFLOW, t->last + 2);
	frame_start(t);
	bin(t, gem_handles, .first = BO_INDICES);
	bin(t, indexed_primitives, .mode = V3D_TRIANGLES, .length = 0x20, .address = 0xfffffff0);
	refuses(BIN, INDEX_END, t->last + 6);
}

TEST(test_index_bo)
{
	(void)state;
	frame_start(t);
	bin(t, gem_handles, .first = BOS);
	bin(t, indexed_primitives, .mode = V3D_TRIANGLES, .length = 1);
	refuses(BIN, BO_INDEX, t->last);
	frame_start(t);
	bin(t, gem_handles, .first = BO_FS);
	bin(t, indexed_primitives, .mode = V3D_TRIANGLES, .length = 1);
	refuses(BIN, BO_PLAIN, t->last);
	frame_start(t);
	bin(t, gem_handles, .first = BO_PROGRAM);
	bin(t, indexed_primitives, .mode = V3D_TRIANGLES, .length = 1);
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
	t->records_size = HANDLES;
	refuses(SHADER_RECORD, TRUNCATED, HANDLES);
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
		attributes[i] = (struct v3d_attribute){ .address = i * 16, .size_minus_1 = 11,
							.stride = 4 + i };
	t->bin[t->bin_size - 4] = 0;
	shader_record(t, attributes, 8);
	/* The limit is that of the last: (8192 - 112 - 12) / 11 = 733. */
	bin(t, array_primitives, .mode = V3D_TRIANGLES, .length = 734);
	frame_end(t);
	accepts();
	t->bin_size -= 12;
	bin(t, array_primitives, .mode = V3D_TRIANGLES, .length = 735);
	refuses(BIN, VERTEX_END, t->last + 6);
}

/*
 * HW: two varyings come before those of a record in points, one in lines, none in triangles; the
 * record has two.
 */
TEST(test_varyings)
{
	static const __u32 own[V3D_PRIMITIVES] = { 2, 1, 1, 1, 0, 0, 0 };

	(void)state;
	for (__u32 mode = 0; mode < V3D_PRIMITIVES; mode++) {
		for (__u32 varyings = 0; varyings < 7; varyings++) {
			frame_start(t);
			t->fs.shader.varyings = varyings;
			bin(t, array_primitives, .mode = mode, .length = 3);
			frame_end(t);
			if (varyings == 2 + own[mode])
				accepts();
			else
				refuses(BIN, DRAW_VARYINGS, t->bin_size - 2 - 10 + 1);
		}
	}
	frame_start(t);
	bin(t, gem_handles, .first = BO_INDICES);
	bin(t, indexed_primitives, .mode = V3D_LINES, .length = 2, .maximum_index = 1);
	refuses(BIN, DRAW_VARYINGS, t->last + 1);
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
	/* A fragment shader may have threads, but not in place of the other rule. */
	frame_start(t);
	t->fs.shader.uses |= V3DCL_SHADER_THREADED | V3DCL_SHADER_VPM;
	change_record(HANDLES, 0x02000004);
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
	bin(t, array_primitives, .mode = V3D_TRIANGLES, .length = 1);
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
		cmocka_unit_test(test_clip_window),
		cmocka_unit_test(test_draw_state),
		cmocka_unit_test(test_vertex_end),
		cmocka_unit_test(test_least_vertex),
		cmocka_unit_test(test_second_record),
		cmocka_unit_test(test_indices),
		cmocka_unit_test(test_index_bo),
		cmocka_unit_test(test_shader_state),
		cmocka_unit_test(test_eight_attributes),
		cmocka_unit_test(test_varyings),
		cmocka_unit_test(test_record_shaders),
		cmocka_unit_test(test_record_attributes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
