// SPDX-License-Identifier: MIT
/* Where each record leads, and what is said when it leads nowhere. */
#include "../../base/helpers.h"
#include "decoding.h"

#include <drm/v3dcl_drm.h>
#include <drm/v3dcl_dump.h>
#include <v3d/qpu.h>

/* Offsets in the second piece */
#define FS 0x100u
#define VS 0x140u
#define CS 0x180u
#define UNIFORMS 0xc0u

static void program(struct memory *m, uint32_t at, uint32_t count)
{
	struct qb b;

	qb_init(&b, (uint64_t *)(m->data + at), 8);
	while (b.count + 3 < count)
		qb_emit(&b, qb_mov(QB_R0, QB_UNIF));
	qb_end(&b);
}

/*
 * AG100 Table 45: records of 36 bytes, attribute arrays of 8, with extended strides from byte 100
 * on
 */
static void gl_records(void **state)
{
	const struct v3d_gl_shader_record shader = {
		.fs_code = BASE + FS,
		.vs_code = BASE + VS,
		.cs_code = BASE + CS,
		.fs_uniforms = BASE + UNIFORMS,
		.fs_uniform_count = 1,
		.vs_uniforms = BASE + UNIFORMS + 4,
		.vs_uniform_count = 2,
		.cs_uniforms = BASE + UNIFORMS + 12,
		.cs_uniform_count = 3,
	};
	const struct v3d_attribute attribute = { .size_minus_1 = 7, .stride = 8 };
	struct memory *m = *state;
	const char *text;
	uint32_t i;

	v3d_pack_gl_shader_record(m->data, &shader);
	for (i = 0; i < 2; i++)
		v3d_pack_attribute(m->data + 36 + 8 * i, &attribute);
	m->data[100] = 0x12;
	m->data[104] = 0x34;
	program(m, FS, 3);
	program(m, VS, 4);
	program(m, CS, 5);
	put(m, gl_shader_state, .attributes = 2, .address = BASE);
	text = decode(m, m->at, 0);
	says(text, "\tattribute size_minus_1=7 stride=8\n\tattribute size_minus_1=7 stride=8\n");
	assert_null(strstr(text, "extended_stride"));
	says(text, "# fragment shader, at 0x20000100\nprogram data_1_code_100 {");
	says(text, "# vertex shader, at 0x20000140\nprogram data_1_code_140 {");
	says(text, "# coordinate shader, at 0x20000180\nprogram data_1_code_180 {");
	says(text,
	     "\t# uniforms of the fragment shader\n\tu32 0x00000000\n\t# uniforms of the vertex "
	     "shader\n\tu32 0x00000000, "
	     "0x00000000\n"
	     "\t# uniforms of the coordinate shader\n\tu32 0x00000000, 0x00000000, 0x00000000\n");
	m->at = 0;
	/* counts by the masks of the record, of which there are none */
	put(m, gl_shader_state, .extended = 1, .address = BASE);
	text = decode(m, m->at, 0);
	says(text, "gl_shader_state extended=1 address=data_1\n");
	m->data[14] = 3; /* two attributes: byte 14 of Table 45 */
	m->data[26] = 3;
	m->at = 0;
	put(m, gl_shader_state, .attributes = 2, .extended = 1, .address = BASE);
	text = decode(m, m->at, 0);
	says(text, "\textended_stride stride=18\n\textended_stride stride=52\n");
	m->how.json = true;
	text = decode(m, m->at, 0);
	says(text, "\"kind\": \"code\", \"role\": \"fragment shader\", \"instructions\": "
		   "[{\"word\": \"0x");
	says(text, "; thrend\"}");
}

static void vg_records(void **state)
{
	const struct v3d_vg_shader_record shader = { .fs_code = BASE + FS,
						     .fs_uniforms = BASE + UNIFORMS,
						     .fs_uniform_count = 1 };
	struct memory *m = *state;
	const char *text;

	v3d_pack_vg_shader_record(m->data, &shader);
	program(m, FS, 3);
	program(m, VS, 3);
	put(m, vg_shader_state, .address = BASE);
	put(m, vg_inline_shader_state, .code = BASE + VS);
	put(m, vg_coordinate_primitives, .length = 2, .address = BASE + CS);
	put(m, vg_inline_primitives, .mode = 4);
	m->records[m->at++] = 1; /* a coordinate, and the word that ends them: AG100 record 42 */
	m->at += 3;
	m->records[m->at + 2] = 0xff;
	m->records[m->at + 3] = 0xbf;
	m->at += 4;
	put_id(m, V3D_HALT);
	text = decode(m, m->at, 0);
	says(text, "\tvg_shader_record fs_uniform_count=1 fs_code=data_1 + 0x100 "
		   "fs_uniforms=data_1 + 0xc0\n");
	says(text, "program data_1_code_100 {");
	says(text, "program data_1_code_140 {");
	says(text, "\t# coordinates, x and y of 16 bits\n\tu32 0x00000000, 0x00000000\n");
	says(text, "\tvg_inline_primitives mode=triangles\n\tu32 0x00000001, 0xbfff0000\n\thalt\n");
	m->at = sizeof(m->records) - 4;
	put(m, vg_inline_primitives, .mode = 4);
	m->at = sizeof(m->records) - 4;
	assert_int_equal(v3dcl_decode_lists(&m->how, LISTS + m->at, LISTS + m->at + 4, 0, 0,
					    &m->out, NULL),
			 0);
	says((char *)m->out.bytes, "# 0x200011fe: coordinates that do not end\n");
}

static void indices(void **state)
{
	struct memory *m = *state;

	put(m, indexed_primitives, .mode = 4, .index_type = 0, .length = 3, .address = BASE);
	put(m, indexed_primitives, .mode = 4, .index_type = 1, .length = 3, .address = BASE + 0x10);
	m->data[1] = 7;
	m->data[0x13] = 1;
	says(decode(m, m->at, 0), "\t# indices\n\tu8 0x00, 0x07, 0x00\n");
	says(decode(m, m->at, 0), "\t# indices\n\tu16 0x0000, 0x0100, 0x0000\n");
	m->how.json = true;
	says(decode(m, m->at, 0), "\"role\": \"indices\", \"values\": [0, 7, 0]}");
}

/*
 * AG100 Table 41, 48 and 49: vertices of a clipped primitive stand in memory, one for each bit;
 * then codes go on.
 */
static void clipped_primitives(void **state)
{
	const struct v3d_clipped_vertex vertex = { .xs = 3 };
	static const uint8_t codes[] = { 129, 0x10, 0, 0x20, 0, 0x30, 0, 0x40,
					 0, 0xf0, 0xff, 0x60, 0, 128, V3D_HALT };
	struct memory *m = *state;
	const char *text;

	put(m, primitive_list_format, .primitive = V3D_LIST_TRIANGLES, .data = V3D_LIST_XY_32);
	put(m, clipped_primitive, .clipped_vertices = 5, .address = BASE + 0x40);
	memcpy(m->records + m->at, codes, sizeof(codes));
	v3d_pack_clipped_vertex(m->data + 0x40, &vertex);
	text = decode(m, 0, m->at);
	says(text, "clipped_primitive clipped_vertices=5 address=data_1 + 0x40\n");
	says(text, "\tclipped_vertex xs=3\n\tclipped_vertex\n");
	says(text,
	     "\t# (1.0000, 2.0000) (3.0000, 4.0000) (-1.0000, 6.0000)\n\tu8 0x81, 0x10, 0x00,");
}

static void leads_nowhere(void **state)
{
	struct memory *m = *state;

	put(m, vg_inline_shader_state, .code = BASE + 8);
	says(decode(m, m->at, 0), "# 0x20000008: no program end with its delay slots follows\n");
	m->at = 0;
	put(m, vg_inline_shader_state, .code = 0x30000000);
	says(decode(m, m->at, 0), "# 0x30000000: there is no memory for code\n");
	m->at = 0;
	put(m, vg_shader_state, .address = BASE);
	m->data[4] = 0x04;
	m->data[7] = 0x20;
	says(decode(m, m->at, 0), "# 0x20000004: code starts at a multiple of 8\n");
	m->at = 0;
	put(m, vg_shader_state, .address = BASE + sizeof(m->data) - 4);
	says(decode(m, m->at, 0), "# 0x200001fc: what should stand here does not fit the memory\n");
	m->at = 0;
	put(m, gl_shader_state, .attributes = 1, .address = 0x30000000);
	says(decode(m, m->at, 0), "# 0x30000000: there is no memory\n");
	m->at = 0;
	put(m, nv_shader_state, .address = 0x30000000);
	says(decode(m, m->at, 0), "# 0x30000000: there is no memory\n");
	m->at = 0;
	put(m, branch, .address = 0x30000000);
	says(decode(m, m->at, 0), "# 0x30000000: the list goes on where there is no memory\n");
	m->at = 0;
	put_id(m, V3D_COMPRESSED_PRIMITIVES);
	memset(m->records + 1, 0xff, sizeof(m->records) - 1);
	says(decode(m, m->at, 0), "# 0x20001001: a compressed primitive list that does not end\n");
	assert_int_equal(v3dcl_decode_lists(&m->how, 0x30000000, 0x30000004, 0, 0, &m->out, NULL),
			 0);
	says((char *)m->out.bytes, "# the bin list is not in memory: 0x30000000 to 0x30000004\n");
}

/*
 * A program whose end is the memory's, without room for its delay slots: HW, the two instructions
 * after the end run too
 */
static void code_alone(void **state)
{
	static const char *const kinds[] = { "# code, at 0x20000100", "\"role\": \"code\"" };
	struct memory *m = *state;
	unsigned int json;

	program(m, FS, 4);
	for (json = 0; json < 2; json++) {
		m->how.json = json;
		m->out.size = 0;
		assert_int_equal(v3dcl_decode_code(&m->how, BASE + FS, &m->out, NULL), 0);
		says((char *)m->out.bytes, kinds[json]);
	}
	program(m, sizeof(m->data) - 24, 3);
	m->pieces[1].size -= 8;
	m->how.json = false;
	m->out.size = 0;
	assert_int_equal(v3dcl_decode_code(&m->how, BASE + sizeof(m->data) - 24, &m->out, NULL), 0);
	says((char *)m->out.bytes, "no program end with its delay slots follows");
	m->how.limit = 1;
	m->out.size = 0;
	assert_int_equal(v3dcl_decode_code(&m->how, BASE + FS, &m->out, NULL), 0);
	says((char *)m->out.bytes, "no program end with its delay slots follows");
}

/* What begins inside of what stands before is part of that: read twice, printed once */
static void overlap(void **state)
{
	struct memory *m = *state;
	const char *text;

	program(m, FS, 6);
	put(m, vg_inline_shader_state, .code = BASE + FS);
	put(m, vg_inline_shader_state, .code = BASE + FS + 8);
	text = decode(m, m->at, 0);
	says(text, "program data_1_code_100 {");
	assert_null(strstr(text, "data_1_code_108"));
}

/* Names of the caller's may be anything; the text has to be read again. */
static void names(void **state)
{
	static const struct {
		const char *name, *text;
	} cases[] = {
		{ "Abc9", "buffer Abc9_0 size" },
		{ "9abc", "buffer memory_0 size" },
		{ "a-b", "buffer a_0 size" },
		{ "", "buffer memory_0 size" },
		{ NULL, "buffer memory_0 size" },
		{ "a{", "buffer a_0 size" },
		{ "a:", "buffer a_0 size" },
		{ "abcdefghijklmnopqrstuvwxyz", "buffer abcdefghijklmnopqrstuvwx_0 size" },
	};
	struct memory *m = *state;
	uint32_t i;

	put_id(m, V3D_HALT);
	for (i = 0; i < COUNT(cases); i++) {
		m->pieces[0].name = cases[i].name;
		says(decode(m, 1, 0), cases[i].text);
	}
}

struct dump {
	struct v3dcl_dump_header header;
	struct v3dcl_dump_block blocks[2];
	uint8_t list[8];
	uint64_t code[3];
};

static struct dump good_dump(void)
{
	struct dump dump = {
		.header = { .magic = V3DCL_DUMP_MAGIC,
			    .version = V3DCL_DUMP_VERSION,
			    .block_count = 2,
			    .start = LISTS,
			    .end = LISTS + 1 },
		.blocks = { { LISTS, 8, V3DCL_DUMP_DRIVER, 8 }, { BASE, 24, V3DCL_DUMP_CODE, 24 } },
		.list = { V3D_HALT },
	};
	struct qb b;

	qb_init(&b, dump.code, 3);
	qb_end(&b);
	return dump;
}

static void dumps(void **state)
{
	static const char *const queues[] = { "queue of bin", "queue of render",
					      "queue of user programs", "queue of unknown" };
	struct memory *m = *state;
	struct dump dump;
	uint32_t queue;

	for (queue = 0; queue < 4; queue++) {
		dump = good_dump();
		dump.header.queue = queue;
		m->out.size = 0;
		assert_int_equal(v3dcl_decode_dump((uint8_t *)&dump, sizeof(dump), false, &m->out,
						   NULL),
				 0);
		says((char *)m->out.bytes, queues[queue]);
		says((char *)m->out.bytes, "# code, at 0x20000000\nprogram code_1_code_0 {");
		if (queue < 2)
			says((char *)m->out.bytes, "\thalt\n");
	}
}

/* Its header ended before the client, and nothing told why */
static void dump_of_version_1(void **state)
{
	const size_t header = offsetof(struct v3dcl_dump_header, client);
	uint8_t bytes[sizeof(struct dump)];
	struct memory *m = *state;
	struct dump dump = good_dump();
	size_t size = sizeof(dump) - sizeof(dump.header) + header;

	dump.header.version = 1;
	memcpy(bytes, &dump, header);
	memcpy(bytes + header, dump.blocks, size - header);
	assert_int_equal(v3dcl_decode_dump(bytes, size, false, &m->out, NULL), 0);
	says((char *)m->out.bytes, "# Of client 0, because of something that is not told\n");
	says((char *)m->out.bytes, "\thalt\n");
	says((char *)m->out.bytes, "# code, at 0x20000000\nprogram code_1_code_0 {");
	assert_int_equal(v3dcl_decode_dump(bytes, header - 1, false, &m->out, NULL), -EINVAL);
}

static void bad_dumps(void **state)
{
	struct v3dcl_error error;
	struct memory *m = *state;
	struct dump dump;
	unsigned int i;

	for (i = 0; i < 5; i++) {
		static const char *const texts[] = {
			"version 3 of a dump; this reads 1 to 2",
			"registers and 200 blocks",
			"block 0 at byte",
			"block 1 at byte",
			"registers and 2 blocks",
		};

		dump = good_dump();
		if (i == 0)
			dump.header.version++;
		else if (i == 1)
			dump.header.block_count = 200;
		else if (i == 2)
			dump.blocks[0].address = UINT32_MAX - 7;
		else if (i == 3)
			dump.blocks[1].dumped_bytes++;
		else
			dump.header.register_count = UINT32_MAX;
		error = (struct v3dcl_error){ .code = 0 };
		assert_int_equal(v3dcl_decode_dump((uint8_t *)&dump, sizeof(dump), i & 1, &m->out,
						   &error),
				 -EINVAL);
		says(error.text, texts[i]);
		assert_int_equal(v3dcl_decode_dump((uint8_t *)&dump, sizeof(dump), i & 1, &m->out,
						   NULL),
				 -EINVAL);
	}
	dump = good_dump();
	dump.blocks[0].address = UINT32_MAX - 8; /* the last that fits */
	assert_int_equal(v3dcl_decode_dump((uint8_t *)&dump, sizeof(dump), false, &m->out, NULL),
			 0);
}

/* Limits of a submit, and lists that break off: the rest is bytes */
static void submits(void **state)
{
	struct memory *m = *state;
	struct drm_vc4_submit_cl submit = { .bin_cl = (uintptr_t)m->records,
					    .shader_rec = (uintptr_t)m->data };
	__u32 *const sizes[] = { &submit.bin_cl_size, &submit.shader_rec_size,
				 &submit.uniforms_size };
	struct v3dcl_error error = { .code = 0 };
	uint32_t i;

	for (i = 0; i < 3; i++) {
		*sizes[i] = 0x10000001;
		assert_int_equal(v3dcl_decode_submit(&submit, false, &m->out, &error), -E2BIG);
		assert_string_equal(error.text, "more than 256 MiB of lists, records or uniforms");
		*sizes[i] = 0;
	}
	put(m, gl_shader_state, .attributes = 1);
	m->records[m->at++] = 2; /* no record has this number */
	put(m, gl_shader_state, .attributes = 1);
	submit.bin_cl_size = m->at;
	submit.shader_rec_size = 15 + 45;
	assert_int_equal(v3dcl_decode_submit(&submit, false, &m->out, NULL), 0);
	says((char *)m->out.bytes,
	     "\t# handles\n\tu32 0x00000000, 0x00000000, 0x00000000, 0x00000000\n");
	says((char *)m->out.bytes, "no control record has this number");
	m->records[5] = V3D_GL_SHADER_STATE; /* and one that the list is too short for */
	submit.bin_cl_size = 7;
	m->out.size = 0;
	assert_int_equal(v3dcl_decode_submit(&submit, false, &m->out, NULL), 0);
	says((char *)m->out.bytes, "the memory ends inside this record");
}

static int decode_submit(void *opaque)
{
	struct memory *m = opaque;
	struct drm_vc4_submit_cl submit = {
		.bin_cl = (uintptr_t)m->records,
		.bin_cl_size = m->at,
		.shader_rec = (uintptr_t)m->data,
		.shader_rec_size = 60,
	};
	struct v3dcl_buffer out = { 0 };
	int ret = v3dcl_decode_submit(&submit, m->how.json, &out, NULL);

	v3dcl_buffer_free(&out);
	return ret;
}

static int decode_code(void *opaque)
{
	struct memory *m = opaque;
	struct v3dcl_buffer out = { 0 };
	int ret = v3dcl_decode_code(&m->how, BASE + FS, &out, NULL);

	v3dcl_buffer_free(&out);
	return ret;
}

static void without_memory(void **state)
{
	struct memory *m = *state;
	unsigned int json;

	program(m, FS, 4);
	put(m, gl_shader_state, .attributes = 1);
	for (json = 0; json < 2; json++) {
		m->how.json = json;
		assert_true(fail_each_alloc(decode_submit, m) > 3);
		assert_true(fail_each_alloc(decode_code, m) > 3);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(gl_records, setup, teardown),
		cmocka_unit_test_setup_teardown(vg_records, setup, teardown),
		cmocka_unit_test_setup_teardown(indices, setup, teardown),
		cmocka_unit_test_setup_teardown(clipped_primitives, setup, teardown),
		cmocka_unit_test_setup_teardown(leads_nowhere, setup, teardown),
		cmocka_unit_test_setup_teardown(code_alone, setup, teardown),
		cmocka_unit_test_setup_teardown(overlap, setup, teardown),
		cmocka_unit_test_setup_teardown(names, setup, teardown),
		cmocka_unit_test_setup_teardown(dumps, setup, teardown),
		cmocka_unit_test_setup_teardown(dump_of_version_1, setup, teardown),
		cmocka_unit_test_setup_teardown(bad_dumps, setup, teardown),
		cmocka_unit_test_setup_teardown(submits, setup, teardown),
		cmocka_unit_test_setup_teardown(without_memory, setup, teardown),
	};

	return cmocka_run_group_tests_name("decode-walk", tests, NULL, NULL);
}
