// SPDX-License-Identifier: MIT
/* User programs, on every kind of device. */
#include <v3d/regs.h>
#include <v3d/words.h>

#include "suite.h"
#include "v3dcl_qpu_build.h"

/* Uniforms: a value, an address. Stores the value plus the element number, 16 words, there. */
static int program_store(struct v3dcl_device *device, uint32_t *program)
{
	uint64_t code[32];
	struct qb b;

	qb_init(&b, code, 32);
	qb_mutex_lock(&b);
	qb_setup(&b, QB_VW_SETUP, qb_word_vpm_write(0));
	qb_emit(&b, qb_mov(QB_R0, QB_ELEMENT));
	qb_emit(&b, qb_add(V3D_QPU_ADD_ADD, QB_VPM_WRITE, QB_R0, QB_UNIF));
	qb_store_rows(&b, 0, 1, QB_UNIF);
	qb_mutex_unlock(&b);
	qb_end(&b);
	return v3dcl_bo_create_program(device, code, b.count, 0, program, &error);
}

struct store {
	struct drm_v3dcl_program program;
	struct drm_v3dcl_reloc reloc;
	uint32_t uniforms[2];
	struct drm_v3dcl_submit_qpu submit;
};

static void store(struct store *job, uint32_t program, uint32_t bo, uint32_t value)
{
	*job = (struct store){
		.program = { .handle = program, .uniform_count = 2 },
		.reloc = { .slot = 1, .handle = bo, .flags = DRM_V3DCL_RELOC_WRITE },
		.uniforms = { value },
	};
	job->submit = (struct drm_v3dcl_submit_qpu){
		.programs = (uintptr_t)&job->program,
		.program_count = 1,
		.uniforms = (uintptr_t)job->uniforms,
		.uniform_count = 2,
		.relocs = (uintptr_t)&job->reloc,
		.reloc_count = 1,
	};
}

static void programs_store(struct v3dcl_device *device)
{
	const uint8_t events[] = { V3D_COUNTER_qpu_instruction_cycles, 0 };
	uint32_t program, bo, perfmon, i, *map;
	uint64_t counts[2] = { 0 };
	struct store job;

	CHECK_OK(program_store(device, &program));
	CHECK_OK(v3dcl_bo_create(device, 64, &bo, &error));
	CHECK_OK(v3dcl_perfmon_create(device, events, 2, &perfmon, &error));
	store(&job, program, bo, 1000);
	job.submit.perfmon = perfmon;
	CHECK_OK(v3dcl_submit_programs(device, &job.submit, &error));
	CHECK_OK(v3dcl_wait(device, job.submit.seqno, LONG_WAIT, &error));
	CHECK_OK(v3dcl_bo_map(device, bo, (void **)&map, &error));
	for (i = 0; i < 16; i++)
		CHECK_EQ(map[i], 1000 + i);
	CHECK_OK(v3dcl_perfmon_values(device, perfmon, counts, &error));
	CHECK(counts[0] > 0);
	CHECK_EQ(v3dcl_perfmon_destroy(device, perfmon), 0);
	CHECK_EQ(v3dcl_perfmon_destroy(device, perfmon), -EINVAL);
}

static void bad_perfmons(struct v3dcl_device *device)
{
	uint8_t events[17] = { 200 };
	uint64_t value;
	uint32_t id;

	CHECK_FAILS(v3dcl_perfmon_create(device, events, 1, &id, &error), EINVAL);
	CHECK_FAILS(v3dcl_perfmon_create(device, events, 0, &id, &error), EINVAL);
	CHECK_FAILS(v3dcl_perfmon_create(device, events, 17, &id, &error), EINVAL);
	CHECK_FAILS(v3dcl_perfmon_values(device, 4711, &value, &error), EINVAL);
}

static void refused_programs_tell_why(struct v3dcl_device *device)
{
	const uint64_t code[] = { ~UINT64_C(0) };
	uint32_t program, bo;
	struct store job;

	CHECK_FAILS(v3dcl_bo_create_program(device, code, 1, 0, &program, &error), EINVAL);
	CHECK_EQ(error.part, DRM_V3DCL_PART_CODE);
	CHECK_OK(program_store(device, &program));
	CHECK_OK(v3dcl_bo_create(device, 4096, &bo, &error));
	store(&job, program, bo, 0);
	job.reloc.offset = 4096;
	CHECK_FAILS(v3dcl_submit_programs(device, &job.submit, &error), EINVAL);
	CHECK_EQ(error.part, DRM_V3DCL_PART_RELOC);
	CHECK_EQ(error.found, 4096);
	CHECK(strstr(error.text, "a relocation's offset is not inside its BO") &&
	      strstr(error.text, "of the relocations"));
	store(&job, program, bo, 0);
	job.submit.program_count = 0;
	CHECK_FAILS(v3dcl_submit_programs(device, &job.submit, &error), EINVAL);
	CHECK_EQ(error.part, DRM_V3DCL_PART_SUBMIT);
}

static int program_endless(struct v3dcl_device *device, uint32_t *program)
{
	uint64_t code[8];
	struct qb b;

	qb_init(&b, code, 8);
	qb_branch_to(&b, V3D_QPU_BRANCH_ALWAYS, 0);
	qb_nops(&b, 3);
	qb_end(&b);
	return v3dcl_bo_create_program(device, code, b.count, 0, program, &error);
}

/* A hang is told once, and what follows runs */
static void hangs_are_told(struct v3dcl_device *device)
{
	struct drm_v3dcl_sync out = { 0 };
	struct v3dcl_info info;
	uint32_t endless, program, bo, *map;
	struct store job;
	int file;

	CHECK_OK(program_endless(device, &endless));
	CHECK_OK(program_store(device, &program));
	CHECK_OK(v3dcl_bo_create(device, 64, &bo, &error));
	CHECK_OK(v3dcl_syncobj_create(device, false, &out.handle, &error));
	store(&job, endless, bo, 0);
	job.submit.timeout_ns = 20000000;
	job.submit.out_syncs = (uintptr_t)&out;
	job.submit.out_sync_count = 1;
	CHECK_OK(v3dcl_submit_programs(device, &job.submit, &error));
	file = v3dcl_syncobj_export(device, out.handle, NULL);
	CHECK(file >= 0);
	CHECK_FAILS(v3dcl_wait(device, job.submit.seqno, LONG_WAIT, &error), EIO);
	CHECK_EQ(v3dcl_sync_file_status(device, file), -ETIMEDOUT);
	CHECK_OK(v3dcl_wait(device, job.submit.seqno, LONG_WAIT, &error));
	CHECK_OK(v3dcl_device_info(device, &info, &error));
	CHECK_EQ(info.guilty, 1);
	store(&job, program, bo, 5);
	CHECK_OK(v3dcl_submit_programs(device, &job.submit, &error));
	CHECK_OK(v3dcl_wait(device, job.submit.seqno, LONG_WAIT, &error));
	CHECK_OK(v3dcl_bo_map(device, bo, (void **)&map, &error));
	CHECK_EQ(map[15], 20);
}

const struct suite_test suite_program_tests[] = {
	{ "programs_store", programs_store, NEEDS_OURS },
	{ "bad_perfmons", bad_perfmons, NEEDS_NOTHING },
	{ "refused_programs_tell_why", refused_programs_tell_why, NEEDS_OURS },
	{ "hangs_are_told", hangs_are_told, NEEDS_OURS },
	{ 0 },
};
