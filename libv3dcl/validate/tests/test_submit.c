// SPDX-License-Identifier: MIT
/* From ioctl arguments to jobs for the checks. */
#include "common.h"
#include "submit.h"

TEST(test_spans)
{
	struct drm_vc4_submit_cl args = {
		.bin_cl = 0x1000, .bin_cl_size = 10, .shader_rec = 0x2000, .shader_rec_size = 20,
		.uniforms = 0x3000, .uniforms_size = 30,
	};
	struct v3dcl_user_span spans[V3DCL_CL_PARTS];

	(void)state;
	v3dcl_cl_spans(&args, spans);
	assert_int_equal(spans[V3DCL_CL_BIN].user, 0x1000);
	assert_int_equal(spans[V3DCL_CL_BIN].size, 10);
	assert_int_equal(spans[V3DCL_CL_RECORDS].user, 0x2000);
	assert_int_equal(spans[V3DCL_CL_RECORDS].size, 20);
	assert_int_equal(spans[V3DCL_CL_UNIFORMS].user, 0x3000);
	assert_int_equal(spans[V3DCL_CL_UNIFORMS].size, 30);
	/* A frame that only renders: nothing is copied, whatever its pointers are */
	args.bin_cl_size = 0;
	v3dcl_cl_spans(&args, spans);
	for (unsigned int i = 0; i < V3DCL_CL_PARTS; i++)
		assert_int_equal(spans[i].size, 0);
}

TEST(test_cl_job)
{
	const struct drm_vc4_submit_cl args = {
		.bin_cl_size = 10, .shader_rec_size = 20, .uniforms_size = 30,
	};
	uint8_t bytes[3];
	void *const copies[V3DCL_CL_PARTS] = { &bytes[0], &bytes[1], &bytes[2] };
	struct v3dcl_job job = { .bo_count = 5 };

	(void)state;
	v3dcl_fill_cl_job(&job, &args, copies);
	assert_ptr_equal(job.submit, &args);
	assert_int_equal(job.bo_count, 5);
	assert_ptr_equal(job.bin.bytes, &bytes[0]);
	assert_int_equal(job.bin.size, 10);
	assert_ptr_equal(job.records.bytes, &bytes[1]);
	assert_int_equal(job.records.size, 20);
	assert_ptr_equal(job.uniforms.bytes, &bytes[2]);
	assert_int_equal(job.uniforms.size, 30);
}

/* Tile state ends at a multiple of 256; what is over goes to the lists */
TEST(test_tiles)
{
	struct v3dcl_needs needs = { .state = 48, .lists = 8192 };
	struct v3dcl_memory memory = { .address = 0x40000000, .size = 256 << 10 };
	struct v3dcl_tile_memory tiles;
	__u8 cpu;

	(void)state;
	memory.cpu = &cpu;
	assert_int_equal(v3dcl_tile_bytes(&needs), 256 << 10);
	v3dcl_split_tiles(&tiles, &needs, &memory);
	assert_ptr_equal(tiles.state_cpu, &cpu);
	assert_int_equal(tiles.state, 0x40000000);
	assert_int_equal(tiles.state_bytes, 256);
	assert_int_equal(tiles.lists, 0x40000100);
	assert_int_equal(tiles.lists_bytes, (256 << 10) - 256);
	needs = (struct v3dcl_needs){ .state = 512, .lists = (256 << 10) - 512 };
	assert_int_equal(v3dcl_tile_bytes(&needs), 256 << 10);
	needs.state = 513;
	assert_int_equal(v3dcl_tile_bytes(&needs), (256 << 10) + 256);
	memory.size = v3dcl_tile_bytes(&needs);
	v3dcl_split_tiles(&tiles, &needs, &memory);
	assert_int_equal(tiles.state_bytes, 768);
	assert_int_equal(tiles.lists_bytes, needs.lists);
	/* The largest frame that a tile binning mode can ask for */
	needs = (struct v3dcl_needs){ .state = 255 * 255 * 48, .lists = 255 * 255 * 32 + 8192 };
	assert_int_equal(v3dcl_tile_bytes(&needs), 3121408 + 255 * 255 * 32 + 8192);
}

TEST(test_qpu_job)
{
	struct drm_v3dcl_program programs[2] = { 0 };
	struct drm_v3dcl_reloc relocs[3] = { 0 };
	__u32 uniforms[4] = { 0 }, handles[5], indices[5], owners[5];
	const struct v3dcl_qpu_copies copies = {
		.programs = programs, .relocs = relocs, .uniforms = uniforms,
		.handles = handles, .indices = indices, .owners = owners,
	};
	struct drm_v3dcl_submit_qpu args = {
		.program_count = 2, .reloc_count = 3, .uniform_count = 4,
	};
	struct v3dcl_qpu_job job = { .bo_count = 5 };

	(void)state;
	v3dcl_fill_qpu_job(&job, &args, &copies);
	assert_ptr_equal(job.programs, programs);
	assert_int_equal(job.program_count, 2);
	assert_ptr_equal(job.program_bos, indices);
	assert_ptr_equal(job.relocs, relocs);
	assert_int_equal(job.reloc_count, 3);
	assert_ptr_equal(job.reloc_bos, indices + 2);
	assert_ptr_equal(job.words, uniforms);
	assert_ptr_equal(job.owners, owners);
	assert_int_equal(job.uniforms.size, 16);
	assert_int_equal(job.bo_count, 5);
	assert_int_equal(v3dcl_qpu_timeout_ns(&args), 5000000000);
	args.timeout_ns = 1;
	assert_int_equal(v3dcl_qpu_timeout_ns(&args), 1);
}

TEST(test_lists_job)
{
	const struct drm_v3dcl_submit_lists args = { .bo_count = 2, .address_count = 1 };
	struct drm_v3dcl_address addresses[1] = { 0 };
	__u32 handles[2];
	__u8 *cpu[2] = { NULL, NULL };
	const struct v3dcl_lists_copies copies = {
		.handles = handles, .addresses = addresses, .cpu = cpu,
	};
	struct v3dcl_bo lists_bos[2] = { 0 };
	struct v3dcl_lists_job job = { 0 };

	(void)state;
	v3dcl_fill_lists_job(&job, &args, &copies, lists_bos);
	assert_ptr_equal(job.submit, &args);
	assert_ptr_equal(job.addresses, addresses);
	assert_ptr_equal(job.bos, lists_bos);
	assert_ptr_equal(job.cpu, cpu);
	assert_int_equal(job.bo_count, 2);
}

static void check_fences(__u32 uses, bool lists, const struct v3dcl_bo_fences *want)
{
	struct v3dcl_bo_fences got = v3dcl_bo_fences(uses, lists);

	assert_int_equal(got.fenced, want->fenced);
	assert_int_equal(got.binning_waits, want->binning_waits);
	assert_int_equal(got.waits, want->waits);
	assert_int_equal(got.binning_writes, want->binning_writes);
	assert_int_equal(got.writes, want->writes);
}

TEST(test_fences)
{
	const __u32 all = V3DCL_READ | V3DCL_WRITE | V3DCL_READ_BINNING;

	(void)state;
	/* Named, and not used: kept until the end, not waited for */
	check_fences(0, false, &(struct v3dcl_bo_fences){ .fenced = true });
	check_fences(V3DCL_CODE, false, &(struct v3dcl_bo_fences){ .fenced = false });
	check_fences(V3DCL_CODE, true, &(struct v3dcl_bo_fences){ .fenced = false });
	check_fences(V3DCL_READ, false, &(struct v3dcl_bo_fences){ .fenced = true, .waits = true });
	check_fences(V3DCL_CODE | V3DCL_READ, false,
		     &(struct v3dcl_bo_fences){ .fenced = true, .waits = true });
	check_fences(V3DCL_WRITE, false,
		     &(struct v3dcl_bo_fences){ .fenced = true, .waits = true, .writes = true });
	check_fences(V3DCL_READ | V3DCL_READ_BINNING, false,
		     &(struct v3dcl_bo_fences){
			     .fenced = true, .waits = true, .binning_waits = true });
	check_fences(all, false,
		     &(struct v3dcl_bo_fences){ .fenced = true, .waits = true,
						.binning_waits = true, .writes = true });
	check_fences(all, true,
		     &(struct v3dcl_bo_fences){ .fenced = true, .waits = true,
						.binning_waits = true, .binning_writes = true,
						.writes = true });
}

TEST(test_list_handle)
{
	struct v3dcl_refusal refusal;

	(void)state;
	v3dcl_refuse_list_handle(&refusal, 3, 77);
	assert_refusal(&refusal, HANDLE, BO_HANDLE, 12);
	assert_int_equal(refusal.found, 77);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_spans), cmocka_unit_test(test_cl_job),
		cmocka_unit_test(test_tiles), cmocka_unit_test(test_qpu_job),
		cmocka_unit_test(test_lists_job), cmocka_unit_test(test_fences),
		cmocka_unit_test(test_list_handle),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests_name("submit", tests, NULL, NULL);
}
