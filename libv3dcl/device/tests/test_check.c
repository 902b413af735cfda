// SPDX-License-Identifier: MIT
/* Verdicts without a device. */
#include "fail_alloc.h"

#include <v3d/packets.h>
#include <v3d/words.h>

#include "v3dcl_check.h"
#include "v3dcl_qpu_build.h"

#define BYTES (64 * 64 * 4)
#define NONE (~0u)

static const uint32_t handles[] = { 7 };
static const struct v3dcl_check_bo target = { .handle = 7, .size = BYTES };

static struct drm_vc4_submit_cl clear(void)
{
	return (struct drm_vc4_submit_cl){
		.bo_handles = (uintptr_t)handles,
		.bo_handle_count = 1,
		.width = 64,
		.height = 64,
		.color_read.hindex = NONE,
		.zs_read.hindex = NONE,
		.zs_write.hindex = NONE,
		.msaa_color_write.hindex = NONE,
		.msaa_zs_write.hindex = NONE,
		.color_write = { .hindex = 0, .bits = V3D_FRAME_RGBA8888 << 2 },
	};
}

/* A tile, and nothing in it */
static uint32_t bin_list(uint8_t *bytes)
{
	const struct v3d_tile_binning_mode mode = { .width = 1, .height = 1, .auto_initialise = 1 };
	uint32_t n = V3D_TILE_BINNING_MODE_LENGTH;

	v3d_pack_tile_binning_mode(bytes, &mode);
	bytes[n++] = V3D_START_TILE_BINNING;
	bytes[n++] = V3D_INCREMENT_SEMAPHORE;
	bytes[n++] = V3D_FLUSH;
	return n;
}

static void frames(void **state)
{
	struct drm_vc4_submit_cl submit = clear();
	struct v3dcl_check_bo wrong = target;
	struct v3dcl_error error = { 0 };
	uint8_t bin[32];

	(void)state;
	assert_int_equal(v3dcl_check_frame(&submit, &target, 1, &error), 0);
	submit.bin_cl = (uintptr_t)bin;
	submit.bin_cl_size = bin_list(bin);
	assert_int_equal(v3dcl_check_frame(&submit, &target, 1, &error), 0);
	assert_int_equal(error.code, 0);
	bin[17] = V3D_START_TILE_BINNING;
	assert_int_equal(v3dcl_check_frame(&submit, &target, 1, &error), -EINVAL);
	assert_int_equal(error.part, DRM_V3DCL_PART_BIN);
	assert_int_equal(error.offset, 17);
	assert_string_equal(error.record, "start_tile_binning");
	assert_null(error.field);
	assert_non_null(strstr(error.text, "the frame is refused: tile binning is started twice\n  "
					   "byte 17 of the bin list"));
	submit = clear();
	assert_int_equal(v3dcl_check_frame(&submit, &target, 0, &error), -EINVAL);
	assert_string_equal(error.text, "handle 0 of the job is 7, which no BO has");
	wrong.size--;
	assert_int_equal(v3dcl_check_frame(&submit, &wrong, 1, &error), -EINVAL);
	assert_int_equal(error.part, DRM_V3DCL_PART_SURFACE);
	assert_int_equal(error.found, BYTES);
	assert_int_equal(error.expected, BYTES - 1);
	assert_int_equal(v3dcl_check_frame(&submit, &wrong, 1, NULL), -EINVAL);
}

/* The field of a record that is refused has a name */
static void fields(void **state)
{
	const struct v3d_tile_binning_mode mode = { .width = 0, .height = 1, .auto_initialise = 1 };
	struct drm_vc4_submit_cl submit = clear();
	struct v3dcl_error error = { 0 };
	uint8_t bin[32];

	(void)state;
	submit.bin_cl = (uintptr_t)bin;
	submit.bin_cl_size = bin_list(bin);
	v3d_pack_tile_binning_mode(bin, &mode);
	assert_int_equal(v3dcl_check_frame(&submit, &target, 1, &error), -EINVAL);
	assert_string_equal(error.record, "tile_binning_mode");
	assert_non_null(strstr(error.text, ", tile_binning_mode of byte 0"));
}

static uint32_t good_program(uint64_t *code)
{
	struct qb b;

	qb_init(&b, code, 32);
	qb_mutex_lock(&b);
	qb_write_row(&b, 0, QB_ELEMENT);
	qb_store_rows(&b, 0, 1, QB_UNIF);
	qb_mutex_unlock(&b);
	qb_end(&b);
	return b.count;
}

/* Stores at addresses that are no BO's */
static uint32_t wild_program(uint64_t *code)
{
	struct qb b;

	qb_init(&b, code, 32);
	qb_setup(&b, QB_VW_SETUP, qb_word_vdw(0, 1));
	qb_emit(&b, qb_mov(QB_VDW_ADDR, QB_ELEMENT));
	qb_emit(&b, qb_mov(QB_NONE, QB_VDW_WAIT));
	qb_end(&b);
	return b.count;
}

static void code(void **state)
{
	const uint64_t bad[] = { ~UINT64_C(0) };
	struct v3dcl_error error = { 0 };
	uint64_t program[32];
	uint32_t count = good_program(program);

	(void)state;
	assert_int_equal(v3dcl_check_code(program, count, V3DCL_CHECK_PROGRAM, &error), 0);
	assert_int_equal(v3dcl_check_code(program, count, V3DCL_CHECK_UNVERIFIED, &error), 0);
	count = wild_program(program);
	assert_int_equal(v3dcl_check_code(program, count, V3DCL_CHECK_UNVERIFIED, &error), 0);
	assert_int_equal(v3dcl_check_code(program, count, V3DCL_CHECK_PROGRAM, &error), -EINVAL);
	assert_int_equal(error.part, DRM_V3DCL_PART_CODE);
	/* Shaders have no DMA */
	count = good_program(program);
	assert_int_equal(v3dcl_check_code(program, count, V3DCL_CHECK_SHADER, &error), -EINVAL);
	assert_int_equal(error.part, DRM_V3DCL_PART_CODE);
	assert_non_null(strstr(error.text, "the shader is refused: "));
	assert_non_null(strstr(error.text, "\n  instruction "));
	assert_int_equal(v3dcl_check_code(bad, 1, V3DCL_CHECK_UNVERIFIED, &error), -EINVAL);
	assert_int_equal(v3dcl_check_code(bad, 0, V3DCL_CHECK_SHADER, &error), -EINVAL);
	assert_int_equal(v3dcl_check_code(NULL, 1, V3DCL_CHECK_SHADER, NULL), -EINVAL);
	assert_int_equal(v3dcl_check_code(bad, UINT32_MAX, V3DCL_CHECK_SHADER, &error), -EINVAL);
}

/* One run of the program, which stores 64 bytes at the start of BO 7 */
struct store {
	uint64_t code[32];
	struct v3dcl_check_bo bos[2];
	struct drm_v3dcl_program run;
	struct drm_v3dcl_reloc reloc;
	uint32_t uniforms[1];
	struct drm_v3dcl_submit_qpu submit;
};

static void store(struct store *job)
{
	memset(job, 0, sizeof(*job));
	job->bos[0] = target;
	job->bos[1] = (struct v3dcl_check_bo){ .handle = 9, .kind = V3DCL_CHECK_PROGRAM,
					       .code = job->code };
	job->bos[1].size = good_program(job->code) * sizeof(uint64_t);
	job->run = (struct drm_v3dcl_program){ .handle = 9, .uniform_count = 1 };
	job->reloc =
		(struct drm_v3dcl_reloc){ .slot = 0, .handle = 7, .flags = DRM_V3DCL_RELOC_WRITE };
	job->submit = (struct drm_v3dcl_submit_qpu){
		.programs = (uintptr_t)&job->run,
		.program_count = 1,
		.uniforms = (uintptr_t)job->uniforms,
		.uniform_count = 1,
		.relocs = (uintptr_t)&job->reloc,
		.reloc_count = 1,
	};
}

static void programs(void **state)
{
	struct v3dcl_error error = { 0 };
	struct store job;

	(void)state;
	store(&job);
	assert_int_equal(v3dcl_check_programs(&job.submit, job.bos, 2, &error), 0);
	job.reloc.offset = BYTES;
	assert_int_equal(v3dcl_check_programs(&job.submit, job.bos, 2, &error), -EINVAL);
	assert_int_equal(error.part, DRM_V3DCL_PART_RELOC);
	job.reloc.offset = 0;
	assert_int_equal(v3dcl_check_programs(&job.submit, job.bos, 1, &error), -EINVAL);
	assert_non_null(strstr(error.text, "which no BO has"));
	job.bos[1].size = sizeof(uint64_t);	/* no program end */
	assert_int_equal(v3dcl_check_programs(&job.submit, job.bos, 2, &error), -EINVAL);
	assert_int_equal(error.part, DRM_V3DCL_PART_CODE);
	job.submit.program_count = 0;
	assert_int_equal(v3dcl_check_programs(&job.submit, job.bos, 2, &error), -EINVAL);
	assert_int_equal(error.part, DRM_V3DCL_PART_SUBMIT);
}

/* More than the V3D can see */
static void too_much(void **state)
{
	const uint32_t two[] = { 1, 2 };
	const struct v3dcl_check_bo bos[] = { { .handle = 1, .size = 0xc0000000 },
					      { .handle = 2, .size = 0xc0000000 } };
	struct drm_vc4_submit_cl submit = clear();
	struct v3dcl_error error = { 0 };

	(void)state;
	submit.bo_handles = (uintptr_t)two;
	submit.bo_handle_count = 2;
	assert_int_equal(v3dcl_check_frame(&submit, bos, 2, &error), -EINVAL);
	assert_string_equal(error.text, "the job's BOs do not fit into 4 GiB");
}

static int check_all(void *opaque)
{
	struct drm_vc4_submit_cl submit = clear();
	struct v3dcl_error error = { 0 };
	struct store job;
	uint8_t bin[32];
	int ret;

	(void)opaque;
	submit.bin_cl = (uintptr_t)bin;
	submit.bin_cl_size = bin_list(bin);
	store(&job);
	ret = v3dcl_check_frame(&submit, &target, 1, &error);
	if (!ret)
		ret = v3dcl_check_programs(&job.submit, job.bos, 2, &error);
	if (!ret)
		ret = v3dcl_check_code(job.code, job.bos[1].size / sizeof(uint64_t),
				       V3DCL_CHECK_PROGRAM, &error);
	assert_int_equal(error.code, ret);
	return ret;
}

static void without_memory(void **state)
{
	(void)state;
	assert_in_range(fail_each_alloc(check_all, NULL), 10, 100);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(frames), cmocka_unit_test(fields), cmocka_unit_test(code),
		cmocka_unit_test(programs),
		cmocka_unit_test(too_much), cmocka_unit_test(without_memory),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
