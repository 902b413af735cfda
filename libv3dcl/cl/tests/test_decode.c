// SPDX-License-Identifier: MIT
/* Memory made by hand, and what the decoder says of it. */
#include "decoding.h"

#include <drm/v3dcl_drm.h>
#include <drm/v3dcl_dump.h>
#include <v3d/qpu.h>
#include <v3d/regs.h>

static void fields_by_name(void **state)
{
	struct memory *m = *state;
	const char *text;

	put(m, clip_window, .left = 3, .bottom = 5, .width = 640, .height = 480);
	put(m, viewport_offset, .x = -16, .y = 32);
	put(m, line_width, .width = 0x40200000);
	put(m, point_size, .size = 0x7fc00000);
	put(m, depth_offset, .factor = 0x3f800000, .units = 0xc0000000);
	put(m, store_general, .buffer = 1, .format = 1, .address = BASE + 0x40, .last_tile = 1);
	text = decode(m, m->at, 0);
	says(text, "\tclip_window left=3 bottom=5 width=640 height=480\n");
	says(text, "\tviewport_offset x=-16 y=32\n");
	says(text, "\tline_width width=2.5\n");
	says(text, "\tpoint_size size=bits(0x7fc00000)\n");
	says(text, "\tdepth_offset factor=1 units=-2\n");
	says(text, "\tstore_general buffer=color format=t last_tile=1 address=data_1 + 0x40\n");
	says(text, "buffer list_0 size 512 at 0x20001000\n");
	says(text, "\tbin at list_0 size 36\n");
	assert_null(strstr(text, "render at"));
}

static void shader_with_its_code(void **state)
{
	struct memory *m = *state;
	const struct v3d_nv_shader_record shader = {
		.single_threaded = 1,
		.stride = 12,
		.fs_code = BASE + 0x100,
		.fs_uniforms = BASE + 0x40,
		.fs_uniform_count = 2,
		.vertices = BASE + 0x80,
	};
	struct qb b;
	const char *text;

	v3d_pack_nv_shader_record(m->data, &shader);
	m->data[0x40] = 7;
	qb_init(&b, (uint64_t *)(m->data + 0x100), 8);
	qb_emit(&b, qb_mov(QB_R0, QB_UNIF));
	qb_end(&b);
	put(m, nv_shader_state, .address = BASE);
	put_id(m, V3D_HALT);
	text = decode(m, 0, m->at);
	says(text, "\tnv_shader_state address=data_1\n");
	says(text, "\tnv_shader_record single_threaded=1 stride=12 fs_uniform_count=2 "
		   "fs_code=data_1 + 0x100 "
		   "fs_uniforms=data_1 + 0x40 vertices=data_1 + 0x80\n");
	says(text, "\t# uniforms of the fragment shader\n\tu32 0x00000007, 0x00000000\n");
	says(text, "# fragment shader, at 0x20000100\nprogram data_1_code_100 {\n\tmov r0, unif\n");
	says(text, "\tcode data_1_code_100\n");
	says(text, "\thalt\n");
	m->how.follow = false;
	assert_null(strstr(decode(m, 0, m->at), "nv_shader_record"));
}

/*
 * AG100 Table 41: an absolute triangle, one by differences to the first vertex; then the list goes
 * on in another block.
 */
static void tile_list(void **state)
{
	static const uint8_t codes[] = { 129, 1, 0, 2, 0, 3, 0, 130, 1, 0 };
	static const uint8_t more[] = { 4 << 2 | 0, 128, V3D_RETURN_FROM_SUB_LIST };
	struct memory *m = *state;
	const char *text;

	put(m, branch_to_sub_list, .address = LISTS + 64);
	put_id(m, V3D_STORE_RESOLVED_END);
	m->at = 64;
	put(m, primitive_list_format, .primitive = V3D_LIST_TRIANGLES, .data = V3D_LIST_INDEX_16);
	put_id(m, V3D_COMPRESSED_PRIMITIVES);
	memcpy(m->records + m->at, codes, sizeof(codes));
	memcpy(m->records + 96, more, sizeof(more));
	text = decode(m, 0, 6);
	says(text, "\tbranch_to_sub_list address=list_0 + 0x40\n\tstore_resolved_end\n");
	says(text, "\tcompressed_primitives\n\t# 1 2 3\n\tu8 0x81, 0x01, 0x00, 0x02, 0x00, 0x03, "
		   "0x00, 0x82, 0x01, 0x00\n");
	says(text, "\tu8 0x10, 0x80\n\treturn_from_sub_list\n");
	m->how.json = true;
	says(decode(m, 0, 6), "\"primitives\": [[1, 2, 3]]");
}

static void as_json(void **state)
{
	struct memory *m = *state;
	const char *text;

	m->how.json = true;
	m->pieces[0].name = "a \"name\"\n";
	put(m, indexed_primitives, .mode = 4, .index_type = 1, .length = 3, .address = BASE + 2,
	    .maximum_index = 9);
	put(m, line_width, .width = 0xff800000);
	m->data[2] = 5;
	m->data[5] = 1;
	text = decode(m, m->at, 0);
	says(text, "{\"bin\": {\"start\": 536875008, \"end\": 536875027}");
	says(text, "\"name\": \"a \\u0022name\\u0022\\u000a\"");
	says(text, "\"name\": \"indexed_primitives\", \"fields\": {\"mode\": 4, \"index_type\": 1, "
		   "\"length\": 3, "
		   "\"address\": 536870914, \"maximum_index\": 9}}");
	says(text, "{\"offset\": 2, \"size\": 6, \"kind\": \"indices\", \"role\": \"indices\", "
		   "\"values\": [5, 256, 0]}");
	says(text, "\"width\": \"bits 0xff800000\"");
}

static void what_makes_no_sense(void **state)
{
	struct memory *m = *state;

	put(m, branch, .address = LISTS);
	/* for ever, and read once */
	says(decode(m, m->at, 0), "\tbranch address=list_0\n");
	m->records[0] = 2;
	says(decode(m, 5, 0), "# 0x20001000: no control record has this number");
	m->at = 0;
	put(m, nv_shader_state, .address = 0x30000000);
	says(decode(m, m->at, 0), "# 0x30000000: there is no memory");
	m->at = 511;
	m->records[511] = V3D_CLIP_WINDOW;
	assert_int_equal(v3dcl_decode_lists(&m->how, LISTS + 511, LISTS + 520, 0, 0, &m->out, NULL),
			 0);
	says((char *)m->out.bytes, "# 0x200011ff: the memory ends inside this record");
	memset(m->records, V3D_NOP, sizeof(m->records));
	m->how.limit = 10;
	says(decode(m, 400, 0), "# 0x2000100a: the limit of records and instructions is reached");
	m->how.limit = 0;
	m->records[0] = V3D_VIEWPORT_OFFSET;
	says(decode(m, 5, 0), "\tviewport_offset x=257 y=257\n");
	m->records[0] = V3D_STORE_GENERAL;
	/* bit 3 is reserved: AG100 Table 38 */
	m->records[1] = 0x08;
	says(decode(m, 7, 0), "\t# store_general, with bits that no field has\n\tu8 0x1c, 0x08,");
}

static void a_submit(void **state)
{
	struct memory *m = *state;
	struct drm_vc4_submit_cl submit = {
		.bin_cl = (uintptr_t)m->records,
		.shader_rec = (uintptr_t)m->data,
		.shader_rec_size = 60,
	};
	const struct v3d_gl_shader_record shader = { .single_threaded = 1, .fs_varyings = 2 };
	const struct v3d_attribute attribute = { .size_minus_1 = 7, .stride = 8 };
	const char *text;

	put(m, gl_shader_state, .attributes = 1);
	put(m, array_primitives, .mode = 4, .length = 3);
	submit.bin_cl_size = m->at;
	m->data[4] = 1;
	m->data[8] = 2;
	m->data[12] = 3;
	v3d_pack_gl_shader_record(m->data + 16, &shader);
	v3d_pack_attribute(m->data + 52, &attribute);
	assert_int_equal(v3dcl_decode_submit(&submit, false, &m->out, NULL), 0);
	text = (const char *)m->out.bytes;
	says(text, "\t# handles\n\tu32 0x00000000, 0x00000001, 0x00000002, 0x00000003\n");
	says(text, "\tgl_shader_record single_threaded=1 fs_varyings=2\n\tattribute size_minus_1=7 "
		   "stride=8\n");
	submit.shader_rec_size = 59;
	m->out.size = 0;
	assert_int_equal(v3dcl_decode_submit(&submit, true, &m->out, NULL), 0);
	says((const char *)m->out.bytes, "the shader records end before this one does");
	submit.uniforms_size = 0xf0000000;
	assert_int_equal(v3dcl_decode_submit(&submit, true, &m->out, NULL), -E2BIG);
}

#define DUMP_BYTES 1024

static size_t make_dump(uint8_t *bytes)
{
	const struct v3dcl_dump_header header = {
		.magic = V3DCL_DUMP_MAGIC,
		.version = V3DCL_DUMP_VERSION,
		.error = -110,
		.register_count = 2,
		.block_count = 6,
		.start = LISTS,
		.end = LISTS + 2,
		.seqno = 77,
		.client = 5,
		.reason = V3DCL_DUMP_STANDS,
	};
	static const struct v3dcl_dump_queue queues[] = {
		{ .queue = 0, .state = 2, .start = LISTS, .end = LISTS + 2, .client = 5,
		  .seqno = 77, .waiting = 3 },
		{ .queue = 2, .state = 1, .client = 6, .seqno = 1, .programs = 9, .fed = 8,
		  .done = 7 },
	};
	static const struct v3dcl_dump_run run = { BASE, LISTS, 4, 0 };
	static const struct v3dcl_dump_facts facts = {
		.address = BASE, .checked = V3DCL_DUMP_PROGRAM, .uniform_words = 4, .accesses = 2,
		.semaphores = { 0, -1 },
	};
	const struct v3dcl_dump_register registers[] = { { V3D_CT0CS, 0x20 }, { 0xabc, 1 } };
	const struct v3dcl_dump_block blocks[] = {
		{ LISTS, 2, V3DCL_DUMP_DRIVER, 2 },
		{ BASE, 4096, V3DCL_DUMP_BO, 0 },
		{ 0, sizeof(queues), V3DCL_DUMP_QUEUES, sizeof(queues) },
		{ 0, sizeof(run), V3DCL_DUMP_RUNS, sizeof(run) },
		{ 0, sizeof(facts), V3DCL_DUMP_FACTS, sizeof(facts) },
		{ 0, 1, 12345, 1 },	/* a kind that is not known yet */
	};
	uint8_t *to = bytes;

	to = (uint8_t *)memcpy(to, &header, sizeof(header)) + sizeof(header);
	to = (uint8_t *)memcpy(to, registers, sizeof(registers)) + sizeof(registers);
	to = (uint8_t *)memcpy(to, blocks, sizeof(blocks)) + sizeof(blocks);
	*to++ = V3D_FLUSH;
	*to++ = V3D_NOP;
	to = (uint8_t *)memcpy(to, queues, sizeof(queues)) + sizeof(queues);
	to = (uint8_t *)memcpy(to, &run, sizeof(run)) + sizeof(run);
	to = (uint8_t *)memcpy(to, &facts, sizeof(facts)) + sizeof(facts);
	*to++ = 0;
	return to - bytes;
}

static void a_dump(void **state)
{
	struct memory *m = *state;
	uint8_t bytes[DUMP_BYTES];
	size_t size = make_dump(bytes), cut;
	struct v3dcl_error error;

	assert_int_equal(v3dcl_decode_dump(bytes, size, false, &m->out, NULL), 0);
	says((char *)m->out.bytes,
	     "# A hang on the queue of bin: job 77, error -110\n"
	     "# Of client 5, because nothing moved\n"
	     "# Queue of bin: runs, client 5 job 77, list 0x");
	says((char *)m->out.bytes, ", 3 more are ready; of 0 programs 0 fed, 0 done\n");
	says((char *)m->out.bytes, "# Queue of user programs: starts or ends, client 6 job 1, list "
	     "0x00000000:0x00000000, 0 more are ready; of 9 programs 8 fed, 7 done\n");
	says((char *)m->out.bytes, "# Run of 0x20000000 with uniforms at 0x");
	says((char *)m->out.bytes, "# Code at 0x20000000, checked as a user program: 4 uniforms, "
	     "2 accesses, uses 0x0, 0 varyings, rows read 0x0 touched 0x0 written 0x0, "
	     "semaphores 0 -1 0 0 0 0 0 0 0 0 0 0 0 0 0 0\n# CT0CS    0x00000020\n");
	says((char *)m->out.bytes, "\n# 0xabc    0x00000001\n");
	says((char *)m->out.bytes, "\tflush\n\tnop\n");
	for (cut = 0; cut < size; cut++) {
		/* so that a read behind its end is seen */
		uint8_t *exact = malloc(cut + !cut);

		memcpy(exact, bytes, cut);
		assert_int_equal(v3dcl_decode_dump(exact, cut, true, &m->out, &error), -EINVAL);
		free(exact);
	}
	says(error.text, "block 5 at byte");
	m->out.size = 0;
	assert_int_equal(v3dcl_decode_dump(bytes, size, true, &m->out, NULL), 0);
	says((char *)m->out.bytes,
	     "\"client\": 5, \"reason\": \"nothing moved\",\n \"queues\": [{");
	says((char *)m->out.bytes, "\"done\": 7}],\n \"runs\": [{");
	bytes[0]++;
	assert_int_equal(v3dcl_decode_dump(bytes, size, false, &m->out, &error), -EINVAL);
	says(error.text, "no dump: byte 0 has 0x44443357");
}

/*
 * Any bytes: ends, and stays inside of them. The sequence is that of Numerical Recipes' generator.
 */
static void any_bytes(void **state)
{
	struct memory *m = *state;
	uint32_t seed = 1, round, i;

	for (round = 0; round < 3000; round++) {
		for (i = 0; i < sizeof(m->records); i++) {
			seed = seed * 1664525 + 1013904223;
			m->records[i] = seed >> 24 < 100 ? seed >> 16 & 127 : seed >> 24;
			m->data[i] = seed >> 8;
		}
		/* Addresses that lead somewhere are not found by chance. */
		for (i = 0; i + 3 < sizeof(m->records); i += 1 + (seed >> i % 24) % 16) {
			m->records[i + 2] = i & 64 ? 0x10 : 0;
			m->records[i + 3] = 0x20;
		}
		m->how.json = round & 1;
		decode(m, 200, 500);
	}
}

static int some_decoding(void *opaque)
{
	struct memory *m = opaque;
	struct v3dcl_buffer out = { 0 };
	int ret = v3dcl_decode_lists(&m->how, LISTS, LISTS + m->at, 0, 0, &out, NULL);

	v3dcl_buffer_free(&out);
	return ret;
}

static int some_dump(void *opaque)
{
	struct v3dcl_buffer out = { 0 };
	uint8_t bytes[DUMP_BYTES];
	size_t size = make_dump(bytes);
	int ret = v3dcl_decode_dump(bytes, size, opaque, &out, NULL);

	v3dcl_buffer_free(&out);
	return ret;
}

static void without_memory(void **state)
{
	struct memory *m = *state;

	m->records[500] = V3D_RETURN_FROM_SUB_LIST;
	put(m, branch_to_sub_list, .address = LISTS + 500);
	put(m, nv_shader_state, .address = BASE);
	fail_each_alloc(some_decoding, m);
	m->how.json = true;
	fail_each_alloc(some_decoding, m);
	fail_each_alloc(some_dump, NULL);
	fail_each_alloc(some_dump, m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(fields_by_name, setup, teardown),
		cmocka_unit_test_setup_teardown(shader_with_its_code, setup, teardown),
		cmocka_unit_test_setup_teardown(tile_list, setup, teardown),
		cmocka_unit_test_setup_teardown(as_json, setup, teardown),
		cmocka_unit_test_setup_teardown(what_makes_no_sense, setup, teardown),
		cmocka_unit_test_setup_teardown(a_submit, setup, teardown),
		cmocka_unit_test_setup_teardown(a_dump, setup, teardown),
		cmocka_unit_test_setup_teardown(any_bytes, setup, teardown),
		cmocka_unit_test_setup_teardown(without_memory, setup, teardown),
	};

	return cmocka_run_group_tests_name("decode", tests, NULL, NULL);
}
