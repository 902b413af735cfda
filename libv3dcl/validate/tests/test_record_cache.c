// SPDX-License-Identifier: MIT
/*
 * Shader records much like the ones before: what the checker keeps of a record saves it from asking
 * again, and what differs is still seen.
 */
#include <v3d/words.h>

#include "bin.h"

/* Checked streams are the last of their memory, but for what comes after every list. */
static const __u8 *streams(void)
{
	return t->exec.bytes + t->job.needs.exec - V3DCL_AFTER_LIST - t->uniforms_size;
}

/*
 * The second record's handles, its first byte, and where its uniforms begin: after those of the
 * first
 */
#define HANDLES 60
#define RECORD (HANDLES + 16)
#define STREAMS 40
#define VS_SELECT 14
#define CS_SELECT 26

static const struct v3d_attribute attribute = { .size_minus_1 = 11, .stride = 16 };

static void draw(void)
{
	bin(t, array_primitives, .mode = V3D_TRIANGLES, .length = 3);
}

static void next_record(const struct v3d_attribute *arrays, __u32 n)
{
	bin(t, gl_shader_state, .attributes = n);
	shader_record(t, arrays, n);
	frame_uniforms(t);
}

/* Two shader states that are the same, each with a draw */
static void twice(void)
{
	frame_start(t);
	draw();
	next_record(&attribute, 1);
	draw();
	frame_end(t);
}

static void change(__u8 *part, __u32 offset, __u32 word)
{
	memcpy(part + offset, &word, 4);
}

TEST(test_same)
{
	const __u8 *first, *second;
	__u32 i;

	(void)state;
	twice();
	accepts();
	assert_int_equal(t->job.draws, 2);
	first = t->exec.bytes + (t->bin_size + 15) / 16 * 16;
	second = first + 48;	/* of 36 and 8 bytes each, rounded up */
	for (i = 0; i < 44; i += 4) {
		bool uniforms = i == 8 || i == 20 || i == 32;

		/* Streams of three, two and two words */
		assert_int_equal(word_at(second + i), word_at(first + i) + (uniforms ? 28 : 0));
	}
}

TEST(test_other_shaders)
{
	(void)state;
	for (__u32 i = 0; i < 3; i++) {
		twice();
		change(t->records, HANDLES + 4 * i, BO_VERTICES);
		refuses(SHADER_RECORD, BO_SHADER, HANDLES + 4 * i);
	}
	twice();
	change(t->records, HANDLES, BO_VS);
	refuses(SHADER_RECORD, SHADER_USES_VPM, RECORD + 4);
	twice();
	change(t->records, HANDLES + 8, BO_VS);	/* it writes five rows, and seven are read */
	refuses(SHADER_RECORD, SHADER_OUTPUT, RECORD + 28);
}

TEST(test_other_header)
{
	(void)state;
	twice();
	change(t->records, RECORD, 0x02000004);
	refuses(SHADER_RECORD, SHADER_THREADING, RECORD);
	twice();
	change(t->records, RECORD, 0x03000005);
	refuses(SHADER_RECORD, SHADER_OUTPUT, RECORD + 16);
	twice();
	change(t->records, RECORD + 28, 8);
	refuses(SHADER_RECORD, SHADER_OFFSET, RECORD + 28);
	twice();
	t->records[RECORD + CS_SELECT + 1] = 8;
	refuses(SHADER_RECORD, SHADER_ROWS, RECORD + CS_SELECT);
}

TEST(test_other_arrays)
{
	(void)state;
	/* Where it begins is always asked. */
	twice();
	change(t->records, RECORD + 36, 8192 - 11);
	refuses(SHADER_RECORD, ATTRIBUTE_END, RECORD + 36);
	twice();
	change(t->records, RECORD + 36, 8192 - 12 - 16);
	refuses(BIN, VERTEX_END, t->last - 1 - 10 + 6);
	twice();
	change(t->records, HANDLES + 12, BO_FS);
	refuses(SHADER_RECORD, BO_PLAIN, HANDLES + 12);
	/* One row less, or one row further */
	twice();
	t->records[RECORD + 40] = 7;
	refuses(SHADER_RECORD, SHADER_ROWS, RECORD + VS_SELECT);
	twice();
	t->records[RECORD + 42] = 4;
	refuses(SHADER_RECORD, SHADER_ROWS, RECORD + VS_SELECT);
	twice();
	t->records[RECORD + 43] = 4;
	refuses(SHADER_RECORD, SHADER_ROWS, RECORD + CS_SELECT);
	/* In a record that was taken to be the same, and then was not */
	twice();
	t->records[RECORD + 41] = 255;
	accepts();
}

/* The second of two arrays differs. */
TEST(test_second_array)
{
	const struct v3d_attribute arrays[2] = {
		attribute, { .size_minus_1 = 3, .stride = 16, .vs_vpm_offset = 12 }
	};
	const __u32 second = 20 + 36 + 16;	/* handles, record, two arrays */

	(void)state;
	for (__u32 differs = 0; differs < 2; differs++) {
		frame_start(t);
		t->bin_size = t->last;
		t->records_size = 0;
		t->submit.shader_rec_count = 0;
		t->vs.shader.rows_read = 0xf;
		next_record(arrays, 2);
		t->records[20 + VS_SELECT] = 3;
		t->records[20 + VS_SELECT + 1] = 16;
		memcpy(t->records + second, t->records, second);
		t->records_size += second;
		t->submit.shader_rec_count++;
		bin(t, gl_shader_state, .attributes = 2);
		t->records[2 * second - 8 + 6] += 4 * differs;
		draw();
		frame_end(t);
		if (differs)
			refuses(SHADER_RECORD, SHADER_ROWS, second + 20 + VS_SELECT);
		else
			accepts();
	}
}

/*
 * Records of one and two arrays whose bytes are the same, from byte 20 of the first one's handles
 * on, are not the same.
 */
TEST(test_other_count)
{
	const struct v3d_attribute arrays[2] = { { 0 } };
	__u32 i;

	START();
	next_record(arrays, 2);
	t->records[16 + 12] = 0;	/* what selects no array reserves nothing */
	t->vs.shader.rows_read = 0;
	t->cs.shader.rows_read = 0;
	for (i = 0; i < 36; i++)
		t->records[HANDLES + 20 + i] = t->records[20 + i];
	for (i = 4; i < 16; i++)
		t->records[HANDLES + 20 + 36 + i] = t->records[20 + 36 + i];
	refuses(SHADER_RECORD, SHADER_THREADING, HANDLES + 20);
}

/* A record whose last word is loaded whole is looked at again. */
TEST(test_padded_again)
{
	const struct v3d_attribute array = { .size_minus_1 = 10, .stride = 16 };
	const __u8 *record;

	(void)state;
	frame_start(t);
	t->bin_size = t->last;
	t->records_size = 0;
	t->submit.shader_rec_count = 0;
	next_record(&array, 1);
	next_record(&array, 1);
	draw();
	frame_end(t);
	accepts();
	record = t->exec.bytes + (t->bin_size + 15) / 16 * 16;
	assert_int_equal(record[40], 11);
	assert_int_equal(record[48 + 40], 11);
}

/* How far arrays go is kept by stride: each counts, whichever comes first. */
TEST(test_strides)
{
	static const __u8 strides[][3] = {
		{ 16, 16, 16 }, { 16, 16, 32 }, { 16, 32, 32 }, { 16, 32, 16 }
	};

	(void)state;
	for (__u32 which = 0; which < 4; which++) {
		for (__u32 nearest = 0; nearest < 3; nearest++) {
			struct v3d_attribute arrays[3];
			const __u32 vertices = 100, stride = strides[which][nearest];

			for (__u32 i = 0; i < 3; i++)
				arrays[i] = (struct v3d_attribute){ .size_minus_1 = 11,
								    .stride = strides[which][i] };
			arrays[nearest].address = 8192 - 12 - (vertices - 1) * stride;
			for (__u32 more = 0; more < 2; more++) {
				frame_start(t);
				next_record(arrays, 3);
				bin(t, array_primitives, .mode = V3D_TRIANGLES,
				    .length = vertices + more);
				if (more) {
					refuses(BIN, VERTEX_END, t->last + 6);
					assert_int_equal(t->job.refusal.expected, vertices - 1);
				} else {
					frame_end(t);
					accepts();
				}
			}
		}
	}
}

/*
 * After a record with two strides, the second of which goes less far, one with a single stride
 * counts alone.
 */
TEST(test_fewer_strides)
{
	const struct v3d_attribute arrays[2] = { attribute, { .size_minus_1 = 11, .stride = 255 } };

	(void)state;
	for (__u32 more = 0; more < 2; more++) {
		frame_start(t);
		next_record(arrays, 2);
		draw();
		next_record(&attribute, 1);
		bin(t, array_primitives, .mode = V3D_TRIANGLES, .length = 512 + more);
		if (more) {
			refuses(BIN, VERTEX_END, t->last + 6);
			assert_int_equal(t->job.refusal.expected, 511);
		} else {
			frame_end(t);
			accepts();
		}
	}
}

/* Nothing behind the last record is read, as sanitizers see. */
TEST(test_exact_bytes)
{
	__u8 *records;

	(void)state;
	twice();
	frame_job(t);
	records = malloc(t->records_size);
	assert_non_null(records);
	memcpy(records, t->records, t->records_size);
	t->job.records.bytes = records;
	assert_true(v3dcl_measure(&t->job) && v3dcl_check_bin(&t->job));
	free(records);
}

/* Streams of any length, without handles: copied as they are, nothing behind them written */
TEST(test_lengths)
{
	(void)state;
	for (__u32 words = 0; words < 40; words++) {
		struct v3dcl_shader *shaders[3] = { &t->fs.shader, &t->vs.shader, &t->cs.shader };

		frame_start(t);
		t->uniforms_size = 0;
		for (__u32 i = 0; i < 3; i++) {
			shaders[i]->sample_count = 0;
			shaders[i]->uniform_words = i == 1 ? 1 : words;
		}
		for (__u32 i = 0; i < 2 * words + 1; i++)
			uniform(t, 0x01010101 * (i + 1));
		frame_end(t);
		accepts();
		assert_memory_equal(streams(), t->uniforms, t->uniforms_size);
		assert_guarded(&t->exec, t->job.needs.exec);
	}
}

TEST(test_other_texture)
{
	const struct v3d_texture1 wide = { .width = 65, .height = 64 };
	const struct v3d_texture0 further = { .type = V3D_TEXTURE_RGBA8888, .base = 4096 };

	(void)state;
	twice();
	change(t->uniforms, STREAMS, BO_VERTICES);
	refuses(UNIFORMS, TEXTURE_END, STREAMS + 8);
	twice();
	change(t->uniforms, STREAMS, BO_FS);
	refuses(UNIFORMS, BO_PLAIN, STREAMS);
	twice();
	change(t->uniforms, STREAMS + 8, v3d_word_texture0(&further));
	refuses(UNIFORMS, TEXTURE_END, STREAMS + 8);
	twice();
	change(t->uniforms, STREAMS + 12, v3d_word_texture1(&wide));
	refuses(UNIFORMS, TEXTURE_END, STREAMS + 8);
	/* The address is there again. */
	twice();
	accepts();
	assert_int_equal(word_at(streams() + 28 + 4), t->bos[BO_TEXTURE].address);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_same),
		cmocka_unit_test(test_other_shaders),
		cmocka_unit_test(test_other_header),
		cmocka_unit_test(test_other_arrays),
		cmocka_unit_test(test_second_array),
		cmocka_unit_test(test_other_count),
		cmocka_unit_test(test_padded_again),
		cmocka_unit_test(test_strides),
		cmocka_unit_test(test_fewer_strides),
		cmocka_unit_test(test_exact_bytes),
		cmocka_unit_test(test_lengths),
		cmocka_unit_test(test_other_texture),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
