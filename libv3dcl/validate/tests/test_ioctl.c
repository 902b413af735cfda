// SPDX-License-Identifier: MIT
/*
 * Raw lists: each field with what breaks it, addresses put in their places. What both devices
 * answer: refusals in words, parameters, ranges of the submits' fields.
 */
#include <drm/v3dcl_dump.h>
#include <v3d/regs.h>

#include "common.h"
#include "lists.h"
#include "ioctl.h"

#define LISTS 0
#define DATA 1
#define CODE 2
#define IMPORTED 3
#define BOS 4

static uint8_t memory[2][4096];
static struct v3dcl_program program;
static struct v3dcl_shader shader;
static struct v3dcl_bo bos[BOS];
static uint8_t *cpu[BOS];
static struct drm_v3dcl_address addresses[8];
static struct drm_v3dcl_submit_lists submit;
static struct v3dcl_lists_job job;

/* A bin list of 16 bytes, a render list of 32, no addresses */
static void begin(void)
{
	const uint32_t places[BOS] = { 0x10000000, 0x20000000, 0x30000000, 0xfffff000 };

	memset(memory, 0, sizeof(memory));
	for (unsigned int i = 0; i < BOS; i++) {
		bos[i] = (struct v3dcl_bo){ .address = places[i], .size = 4096,
					    .program = i == CODE ? &program : NULL };
		cpu[i] = i < CODE ? memory[i] : NULL;
	}
	submit = (struct drm_v3dcl_submit_lists){
		.bin = { .bo = LISTS, .start = 8, .end = 24 },
		.render = { .bo = DATA, .start = 4064, .end = 4096 },
		.bo_count = BOS,
	};
	job = (struct v3dcl_lists_job){
		.submit = &submit, .addresses = addresses, .bos = bos, .cpu = cpu, .bo_count = BOS
	};
}

static void address(uint32_t bo, uint32_t offset, uint32_t target, uint32_t target_offset)
{
	addresses[submit.address_count++] = (struct drm_v3dcl_address){ bo, offset, target,
									target_offset };
}

#define refused_at(part, offset, rule) \
	do { \
		assert_false(v3dcl_check_lists(&job)); \
		assert_refusal(&job.refusal, part, rule, offset); \
	} while (0)

#define IN(field) offsetof(struct drm_v3dcl_submit_lists, field)

TEST(test_lists)
{
	(void)state;
	begin();
	assert_true(v3dcl_check_lists(&job));
	assert_int_equal(job.bin_start, 0x10000008);
	assert_int_equal(job.bin_end, 0x10000018);
	assert_int_equal(job.render_start, 0x20000fe0);
	assert_int_equal(job.render_end, 0x20001000);
	assert_int_equal(bos[LISTS].uses, V3DCL_READ | V3DCL_WRITE | V3DCL_READ_BINNING);
	assert_int_equal(bos[IMPORTED].uses, V3DCL_READ | V3DCL_WRITE | V3DCL_READ_BINNING);
	assert_int_equal(bos[CODE].uses, V3DCL_CODE);
	begin();
	submit.bin = (struct drm_v3dcl_list){ .bo = ~0u, .start = 77, .end = 77 };
	assert_true(v3dcl_check_lists(&job));
	assert_int_equal(job.bin_start, job.bin_end);
	submit.render = submit.bin;
	refused_at(SUBMIT, IN(bin), LIST_NONE);
	begin();
	submit.render = (struct drm_v3dcl_list){ .bo = ~0u };
	assert_true(v3dcl_check_lists(&job));
	assert_int_equal(job.render_start, job.render_end);
}

TEST(test_list_fields)
{
	(void)state;
	begin();
	submit.bin.bo = BOS;
	refused_at(SUBMIT, IN(bin.bo), BO_INDEX);
	begin();
	submit.render.bo = ~0u;
	refused_at(SUBMIT, IN(render.bo), BO_INDEX);
	begin();
	submit.bin.bo = CODE;
	refused_at(SUBMIT, IN(bin.bo), BO_PLAIN);
	begin();
	bos[LISTS].shader = &shader;
	refused_at(SUBMIT, IN(bin.bo), BO_PLAIN);
	begin();
	submit.bin.start = 25;
	refused_at(SUBMIT, IN(bin.end), LIST_END);
	begin();
	submit.render.end = 4097;
	refused_at(SUBMIT, IN(render.end), LIST_END);
	begin();
	submit.render.end = ~0u;
	refused_at(SUBMIT, IN(render.end), LIST_END);
	/* The last BO of all may hold a list, but not to its very end, whose address would be 0 */
	begin();
	submit.render = (struct drm_v3dcl_list){ .bo = IMPORTED, .start = 0, .end = 4095 };
	assert_true(v3dcl_check_lists(&job));
	assert_int_equal(job.render_end, 0xffffffff);
	submit.render.end = 4096;
	refused_at(SUBMIT, IN(render.end), OVERFLOW);
}

TEST(test_addresses)
{
	(void)state;
	begin();
	address(LISTS, 4092, DATA, 4095);
	address(LISTS, 1, IMPORTED, 16);
	address(LISTS, 1, CODE, 0);
	memory[LISTS][1] = 3;
	assert_true(v3dcl_check_lists(&job));
	assert_int_equal(memory[LISTS][1], 3);
	v3dcl_place_addresses(&job);
	/* 0x20000000 + 4095; 3 + 0xfffff010 + 0x30000000 */
	assert_memory_equal(memory[LISTS] + 4092, ((uint8_t[]){ 0xff, 0x0f, 0x00, 0x20 }), 4);
	assert_memory_equal(memory[LISTS], ((uint8_t[]){ 0, 0x13, 0xf0, 0xff, 0x2f, 0 }), 6);
}

#define IN_ADDRESS(which, field) \
	((which) * sizeof(struct drm_v3dcl_address) + offsetof(struct drm_v3dcl_address, field))

TEST(test_address_fields)
{
	(void)state;
	begin();
	address(LISTS, 0, DATA, 0);
	address(BOS, 0, DATA, 0);
	refused_at(ADDRESS, IN_ADDRESS(1, bo), BO_INDEX);
	begin();
	address(LISTS, 0, ~0u, 0);
	refused_at(ADDRESS, IN_ADDRESS(0, target), BO_INDEX);
	begin();
	address(LISTS, 0, BOS, 0);
	refused_at(ADDRESS, IN_ADDRESS(0, target), BO_INDEX);
	/* the eighth of eight is the last */
	begin();
	for (int i = 0; i < 8; i++)
		address(LISTS, 0, DATA, 0);
	assert_true(v3dcl_check_lists(&job));
	begin();
	address(CODE, 0, DATA, 0);
	refused_at(ADDRESS, IN_ADDRESS(0, bo), BO_PLAIN);
	begin();
	address(IMPORTED, 0, DATA, 0);
	refused_at(ADDRESS, IN_ADDRESS(0, bo), PLACE_MAPPED);
	begin();
	address(LISTS, 4093, DATA, 0);
	refused_at(ADDRESS, IN_ADDRESS(0, offset), PLACE_END);
	begin();
	address(LISTS, ~0u, DATA, 0);
	refused_at(ADDRESS, IN_ADDRESS(0, offset), PLACE_END);
	begin();
	address(LISTS, 0, DATA, 4096);
	refused_at(ADDRESS, IN_ADDRESS(0, target_offset), PLACE_TARGET);
}

TEST(test_refusals)
{
	struct v3dcl_refusal refusal = {
		.part = DRM_V3DCL_PART_RELOC,
		.rule = V3DCL_RULE_RELOC_PAD,
		.offset = 20,
		.found = 1,
		.expected = 2,
		.serial = 3,
	};
	struct drm_v3dcl_refusal told;

	(void)state;
	memset(&told, 0xff, sizeof(told));
	v3dcl_tell_refusal(&refusal, &told);
	assert_int_equal(told.part, DRM_V3DCL_PART_RELOC);
	assert_int_equal(told.rule, 187);
	assert_int_equal(told.offset, 20);
	assert_int_equal(told.pad, 0);
	assert_int_equal(told.found, 1);
	assert_int_equal(told.expected, 2);
	assert_int_equal(told.serial, 3);
	assert_string_equal(told.text, "a relocation's pad is 0");
	for (size_t i = strlen(told.text); i < sizeof(told.text); i++)
		assert_int_equal(told.text[i], 0);
	refusal = (struct v3dcl_refusal){ 0 };
	v3dcl_tell_refusal(&refusal, &told);
	assert_string_equal(told.text, "");
	/* Every rule fits the text */
	for (unsigned int rule = 0; rule < V3DCL_RULE_LIMIT; rule++)
		assert_in_range(strlen(v3dcl_rule_text(rule)), 0, sizeof(told.text) - 1);
}

TEST(test_params)
{
	(void)state;
	for (unsigned int param = 0; param < 64; param++)
		assert_int_equal(v3dcl_supports(param), param >= 3 && param <= 8);
	assert_false(v3dcl_supports(~0u));
}

#define out_of_range(function, args, field, value) \
	do { \
		struct v3dcl_refusal refusal_; \
		__typeof__(args) changed_ = (args); \
		changed_.field = (value); \
		assert_false(function(&changed_, &refusal_)); \
		assert_refusal(&refusal_, SUBMIT, SUBMIT_RANGE, \
			       __builtin_offsetof(__typeof__(args), field)); \
		assert_int_equal(refusal_.found, changed_.field); \
	} while (0)

TEST(test_ranges)
{
	struct drm_v3dcl_submit_qpu qpu = { .program_count = 1 };
	struct drm_v3dcl_submit_lists lists = { .bo_count = 1 };
	struct drm_v3dcl_submit_frame frame = { .frame.bo_handle_count = 1,
						.frame.bin_cl_size = 1 };
	struct v3dcl_refusal refusal;

	(void)state;
	assert_true(v3dcl_submit_frame_valid(&frame, &refusal));
	assert_true(v3dcl_submit_qpu_valid(&qpu, &refusal));
	assert_true(v3dcl_submit_lists_valid(&lists, &refusal));
	out_of_range(v3dcl_submit_qpu_valid, qpu, program_count, 0);
	out_of_range(v3dcl_submit_qpu_valid, qpu, program_count, 257);
	out_of_range(v3dcl_submit_qpu_valid, qpu, uniform_count, 65537);
	out_of_range(v3dcl_submit_qpu_valid, qpu, reloc_count, 4097);
	out_of_range(v3dcl_submit_qpu_valid, qpu, in_sync_count, 65);
	out_of_range(v3dcl_submit_qpu_valid, qpu, out_sync_count, 65);
	out_of_range(v3dcl_submit_qpu_valid, qpu, timeout_ns, 10000000001);
	out_of_range(v3dcl_submit_qpu_valid, qpu, flags, 1);
	out_of_range(v3dcl_submit_qpu_valid, qpu, pad, 1);
	out_of_range(v3dcl_submit_lists_valid, lists, bo_count, 0);
	out_of_range(v3dcl_submit_lists_valid, lists, bo_count, 4097);
	out_of_range(v3dcl_submit_lists_valid, lists, address_count, 65537);
	out_of_range(v3dcl_submit_lists_valid, lists, in_sync_count, 65);
	out_of_range(v3dcl_submit_lists_valid, lists, out_sync_count, ~0u);
	out_of_range(v3dcl_submit_lists_valid, lists, flags, 1u << 31);
	out_of_range(v3dcl_submit_lists_valid, lists, bin.pad, 1);
	out_of_range(v3dcl_submit_lists_valid, lists, render.pad, 1);
	out_of_range(v3dcl_submit_frame_valid, frame, frame.pad2, 1);
	out_of_range(v3dcl_submit_frame_valid, frame, frame.in_sync, 1);
	out_of_range(v3dcl_submit_frame_valid, frame, frame.out_sync, 1);
	out_of_range(v3dcl_submit_frame_valid, frame, bin.in_sync_count, 65);
	out_of_range(v3dcl_submit_frame_valid, frame, bin.out_sync_count, 65);
	out_of_range(v3dcl_submit_frame_valid, frame, render.in_sync_count, 65);
	out_of_range(v3dcl_submit_frame_valid, frame, render.out_sync_count, 65);
	out_of_range(v3dcl_submit_frame_valid, frame, flags, 2);
	out_of_range(v3dcl_submit_frame_valid, frame, priority, 3);
	frame.frame.bin_cl_size = 0;
	out_of_range(v3dcl_submit_frame_valid, frame, bin.in_sync_count, 1);
	out_of_range(v3dcl_submit_frame_valid, frame, bin.out_sync_count, 1);
}

/* The pad is what lies behind clear_s, and has no name for offsetof() */
TEST(test_cl_ranges)
{
	struct drm_vc4_submit_cl cl = {
		.flags = 0xf, .bo_handle_count = 65536, .bin_cl_size = 16 << 20,
		.shader_rec_size = 16 << 20, .uniforms_size = 16 << 20,
	};
	struct v3dcl_refusal refusal;

	(void)state;
	assert_true(v3dcl_submit_cl_valid(&cl, &refusal));
	out_of_range(v3dcl_submit_cl_valid, cl, flags, 0x10);
	out_of_range(v3dcl_submit_cl_valid, cl, flags, 1u << 31);
	out_of_range(v3dcl_submit_cl_valid, cl, pad2, 1);
	out_of_range(v3dcl_submit_cl_valid, cl, bo_handle_count, 0);
	out_of_range(v3dcl_submit_cl_valid, cl, bo_handle_count, 65537);
	out_of_range(v3dcl_submit_cl_valid, cl, bin_cl_size, (16 << 20) + 1);
	out_of_range(v3dcl_submit_cl_valid, cl, shader_rec_size, (16 << 20) + 1);
	out_of_range(v3dcl_submit_cl_valid, cl, uniforms_size, ~0u);
	cl.pad = 1u << 23;
	assert_false(v3dcl_submit_cl_valid(&cl, &refusal));
	assert_refusal(&refusal, SUBMIT, SUBMIT_RANGE,
		       offsetof(struct drm_vc4_submit_cl, clear_s) + 1);
}

TEST(test_other_ranges)
{
	struct drm_v3dcl_sync syncs[2] = { { .handle = 1 }, { .pad = 1 } };
	struct drm_vc4_create_shader_bo create = { .size = 1 << 20 };
	struct drm_v3dcl_create_program made = { .size = 8, .flags = 1 };
	__u8 sources[V3D_COUNTERS + 1] = { 0, 29, 29, [14] = 3, [15] = 30 };

	(void)state;
	assert_true(v3dcl_syncs_valid(syncs, 1));
	assert_false(v3dcl_syncs_valid(syncs, 2));
	assert_true(v3dcl_syncs_valid(NULL, 0));
	assert_true(v3dcl_create_shader_valid(&create));
	for (unsigned int i = 0; i < 4; i++) {
		const __u32 sizes[] = { 0, 7, 12, (1 << 20) + 8 };

		create.size = sizes[i];
		made.size = sizes[i];
		assert_false(v3dcl_create_shader_valid(&create));
		assert_false(v3dcl_create_program_valid(&made));
	}
	create = (struct drm_vc4_create_shader_bo){ .size = 8, .flags = 1 };
	assert_false(v3dcl_create_shader_valid(&create));
	create = (struct drm_vc4_create_shader_bo){ .size = 8, .pad = 1 };
	assert_false(v3dcl_create_shader_valid(&create));
	made.size = 8;
	assert_true(v3dcl_create_program_valid(&made));
	made.flags = 2;
	assert_false(v3dcl_create_program_valid(&made));
	made = (struct drm_v3dcl_create_program){ .size = 8, .pad = 1 };
	assert_false(v3dcl_create_program_valid(&made));
	assert_true(v3dcl_perfmon_valid(sources, 1));
	assert_true(v3dcl_perfmon_valid(sources, 15));
	assert_false(v3dcl_perfmon_valid(sources, 0));
	assert_false(v3dcl_perfmon_valid(sources, 16));
	sources[15] = 0;
	assert_true(v3dcl_perfmon_valid(sources, 16));
	assert_false(v3dcl_perfmon_valid(sources, 17));
	assert_false(v3dcl_perfmon_valid(sources, ~0u));
	assert_true(v3dcl_wait_bo_valid(&(struct drm_vc4_wait_bo){ .handle = 7, .timeout_ns = 1 }));
	assert_false(v3dcl_wait_bo_valid(&(struct drm_vc4_wait_bo){ .pad = 1 }));
}

/* AG100 Tables 79 to 81, as a Raspberry Pi has them: 3 slices of 4 QPUs */
TEST(test_ident)
{
	const __u32 ident[][3] = {
		{ 0x02443356, 0xc1102431, 0x121 }, { 0xdeadbeef, 0xdeadbeef, 0xdeadbeef },
		{ 0x03443356, 0xc1102431, 0x121 }, { 0x02443357, 0xc1102431, 0x121 },
		{ 0x02443356, 0xc1102031, 0x121 }, { 0, 0, 0 },
	};

	(void)state;
	assert_int_equal(v3dcl_ident_qpus(ident[0]), 12);
	for (unsigned int i = 1; i < 6; i++)
		assert_int_equal(v3dcl_ident_qpus(ident[i]), 0);
}

TEST(test_answers)
{
	const struct v3dcl_params params = {
		.ident = { 1, 2, 3 }, .qpus = 12, .unverified = 1, .budget = 4, .used = 5,
		.guilty = 6, .innocent = 7, .resets = 8, .refused_ns = 9,
	};
	const __u64 expected[] = { 5, 12, 64, 256, 65536, 4096, 10000000000, 4, 5, 6, 7, 1, 8, 9 };
	struct drm_vc4_get_param get = { .param = DRM_VC4_PARAM_SUPPORTS_PERFMON };
	struct drm_v3dcl_get_param own = { .param = 0 };

	(void)state;
	assert_true(v3dcl_get_param(params.ident, &get));
	assert_int_equal(get.value, 1);
	for (get.param = 0; get.param < 3; get.param++) {
		assert_true(v3dcl_get_param(params.ident, &get));
		assert_int_equal(get.value, get.param + 1);
	}
	get.param = 9;
	assert_false(v3dcl_get_param(params.ident, &get));
	get.param = ~0u;
	assert_false(v3dcl_get_param(params.ident, &get));
	get = (struct drm_vc4_get_param){ .pad = 1 };
	assert_false(v3dcl_get_param(params.ident, &get));
	for (own.param = 0; own.param < 14; own.param++) {
		assert_true(v3dcl_get_own_param(&params, &own));
		assert_int_equal(own.value, expected[own.param]);
	}
	assert_false(v3dcl_get_own_param(&params, &own));
	own.param = ~0u;
	assert_false(v3dcl_get_own_param(&params, &own));
	own = (struct drm_v3dcl_get_param){ .pad = 1 };
	assert_false(v3dcl_get_own_param(&params, &own));
}

/* What is known of code, each fact at its place; of unverified code nothing is */
TEST(test_facts)
{
	const struct v3dcl_shader checked = {
		.sample_count = 1, .reset_count = 2, .uniform_words = 3, .uses = 4, .varyings = 5,
		.rows_read = 6, .rows_touched = 7, .rows_written = 8,
	};
	struct v3dcl_program verified = { .use_count = 9, .count = 10, .uniform_words = 11,
					 .semaphores = { 12, -13, [15] = 14 } };
	struct v3dcl_dump_facts facts = { .address = 15 };

	(void)state;
	v3dcl_tell_facts(NULL, NULL, &facts);
	v3dcl_tell_facts(NULL, &verified, &facts);
	assert_int_equal(facts.checked, V3DCL_DUMP_UNCHECKED);
	assert_int_equal(facts.uniform_words, 0);
	verified.verified = 1;
	v3dcl_tell_facts(NULL, &verified, &facts);
	assert_int_equal(facts.checked, V3DCL_DUMP_PROGRAM);
	assert_int_equal(facts.uniform_words, 11);
	assert_int_equal(facts.accesses, 9);
	assert_memory_equal(facts.semaphores, verified.semaphores, sizeof(facts.semaphores));
	v3dcl_tell_facts(&checked, NULL, &facts);
	assert_int_equal(facts.address, 15);
	assert_int_equal(facts.checked, V3DCL_DUMP_SHADER);
	assert_int_equal(facts.uniform_words, 3);
	assert_int_equal(facts.accesses, 1);
	assert_int_equal(facts.uses, 4);
	assert_int_equal(facts.varyings, 5);
	assert_int_equal(facts.rows_read, 6);
	assert_int_equal(facts.rows_touched, 7);
	assert_int_equal(facts.rows_written, 8);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_lists), cmocka_unit_test(test_list_fields),
		cmocka_unit_test(test_addresses), cmocka_unit_test(test_address_fields),
		cmocka_unit_test(test_refusals), cmocka_unit_test(test_params),
		cmocka_unit_test(test_ranges), cmocka_unit_test(test_cl_ranges),
		cmocka_unit_test(test_other_ranges), cmocka_unit_test(test_ident),
		cmocka_unit_test(test_answers), cmocka_unit_test(test_facts),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests_name("ioctl", tests, NULL, NULL);
}
