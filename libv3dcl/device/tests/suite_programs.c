// SPDX-License-Identifier: MIT
/* User programs, on every kind of device. */
#include <v3d/regs.h>
#include <v3d/words.h>

#include "suite.h"
#include "v3dcl_qpu_build.h"
#include "v3dcl_run.h"

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
	CHECK(strstr(error.text, "counter 200: the V3D has number 0 to 29"));
	CHECK_FAILS(v3dcl_perfmon_create(device, events, 0, &id, &error), EINVAL);
	CHECK(strstr(error.text, "0 counters: a performance monitor has 1 to 16"));
	CHECK_FAILS(v3dcl_perfmon_create(device, events, 17, &id, &error), EINVAL);
	CHECK(strstr(error.text, "17 counters: a performance monitor has 1 to 16"));
	CHECK_FAILS(v3dcl_perfmon_values(device, 4711, &value, &error), EINVAL);
}

static void refused_programs_tell_why(struct v3dcl_device *device)
{
	const uint64_t code[] = { ~UINT64_C(0) };
	uint32_t program, bo;
	struct store job;

	CHECK_FAILS(v3dcl_bo_create_program(device, code, 1, 0, &program, &error), EINVAL);
	CHECK_EQ(error.part, DRM_V3DCL_PART_CODE);
	CHECK_FAILS(v3dcl_bo_create_program(device, code, 0, 0, &program, &error), EINVAL);
	CHECK(strstr(error.text, "0 instructions: code has one at least"));
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

#define STORE \
	"mutex_lock\nvpm_write_at 0\nmov r0, unif\nadd vpm, r0, elem_num\ndma_store 0, 1, unif\n" \
	"mutex_unlock\nfinish\n"

static int assemble(const char *text, struct v3dcl_assembly **assembly)
{
	return v3dcl_assemble("suite", text, strlen(text), assembly, &error);
}

/* More runs than a submit takes, each with a value and a place of its own */
static void runs_by_name(struct v3dcl_device *device)
{
	struct v3dcl_binding bindings[] = { { .name = "there", .step = 64 },
					    { .name = "value", .value = 100, .step = 1000 } };
	struct v3dcl_launch launch = { .size = sizeof(launch), .bindings = bindings,
				       .binding_count = 2, .runs = 300 };
	uint32_t each[300] = { [0] = 5, [299] = 77 }, i, *map;
	struct v3dcl_assembly *assembly;

	CHECK_OK(assemble(".uniform value, 7\n.uniform out, &there, write\n" STORE, &assembly));
	CHECK_OK(v3dcl_bo_create(device, 300 * 64, &bindings[0].handle, &error));
	CHECK_OK(v3dcl_bo_map(device, bindings[0].handle, (void **)&map, &error));
	CHECK_OK(v3dcl_run_program(device, assembly, &launch, &error));
	for (i = 0; i < 300 * 16; i++)
		CHECK_EQ(map[i], 100 + 1000 * (i / 16) + i % 16);
	bindings[1].each = each;
	CHECK_OK(v3dcl_run_program(device, assembly, &launch, &error));
	CHECK_EQ(map[1], 6);
	CHECK_EQ(map[16], 0);
	CHECK_EQ(map[299 * 16], 77);
	/* Once, and with the value that the text has; the program made beforehand */
	launch.runs = 0;
	launch.binding_count = 1;
	CHECK_OK(v3dcl_bo_create_program(device, assembly->code, assembly->code_count, 0,
					 &launch.program, &error));
	CHECK_OK(v3dcl_run_program(device, assembly, &launch, &error));
	CHECK_EQ(map[0], 7);
	CHECK_EQ(map[17], 1);
	v3dcl_assembly_free(assembly);
}

/* A program that declares nothing, and one with data of its own, 48 bytes into them */
static void runs_by_order(struct v3dcl_device *device)
{
	struct v3dcl_binding bindings[] = { { .value = 40 }, { .flags = DRM_V3DCL_RELOC_WRITE } };
	struct v3dcl_launch launch = { .size = sizeof(launch), .bindings = bindings,
				       .binding_count = 2 };
	struct v3dcl_assembly *assembly;
	uint32_t *map;

	CHECK_OK(v3dcl_bo_create(device, 64, &bindings[1].handle, &error));
	CHECK_OK(v3dcl_bo_map(device, bindings[1].handle, (void **)&map, &error));
	CHECK_OK(assemble(STORE, &assembly));
	CHECK_OK(v3dcl_run_program(device, assembly, &launch, &error));
	CHECK_EQ(map[2], 42);
	v3dcl_assembly_free(assembly);
	CHECK_OK(assemble(".uniform numbers, &table\n.uniform out, &out, write\n.data\n"
			  ".space 48\ntable: .word 3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9, 3\n"
			  ".text\nmutex_lock\ndma_load 0, 1, unif\nvpm_read_at 0\n"
			  "vpm_write_at 0\nmov r0, vpm\nadd vpm, r0, r0\ndma_store 0, 1, unif\n"
			  "mutex_unlock\nfinish\n", &assembly));
	bindings[0] = bindings[1];
	bindings[0].name = "out";
	launch.binding_count = 1;
	CHECK_OK(v3dcl_run_program(device, assembly, &launch, &error));
	CHECK_EQ(map[5], 18);
	v3dcl_assembly_free(assembly);
}

static void runs_that_are_refused(struct v3dcl_device *device)
{
	struct v3dcl_binding bindings[] = { { .name = "there" }, { .name = "value" } };
	struct v3dcl_launch launch = { .size = sizeof(launch), .bindings = bindings };
	struct v3dcl_assembly *assembly;

	CHECK_OK(assemble(".uniform value, 7\n.uniform out, &there, write\n" STORE, &assembly));
	CHECK_FAILS(v3dcl_run_program(device, assembly, &launch, &error), EINVAL);
	CHECK(strstr(error.text, "uniform 1 is an address in buffer 'there', and nothing is"));
	launch.binding_count = 1;
	CHECK_FAILS(v3dcl_run_program(device, assembly, &launch, &error), EINVAL);
	CHECK(strstr(error.text, "'there' is a buffer, and a number is bound to it"));
	bindings[1].name = "valeu";
	CHECK_OK(v3dcl_bo_create(device, 64, &bindings[0].handle, &error));
	launch.binding_count = 2;
	CHECK_FAILS(v3dcl_run_program(device, assembly, &launch, &error), EINVAL);
	CHECK(strstr(error.text, "no uniform and no buffer 'valeu'"));
	bindings[1].name = NULL;
	CHECK_FAILS(v3dcl_run_program(device, assembly, &launch, &error), EINVAL);
	CHECK(strstr(error.text, "binding 1 has no name"));
	launch.binding_count = 1;
	bindings[0].value = 4096;
	CHECK_FAILS(v3dcl_run_program(device, assembly, &launch, &error), EINVAL);
	CHECK_EQ(error.part, DRM_V3DCL_PART_RELOC);
	v3dcl_assembly_free(assembly);
	CHECK_OK(assemble("srel 1\nsacq 1\nfinish\n", &assembly));
	launch.binding_count = 0;
	launch.runs = 100000;
	CHECK_FAILS(v3dcl_run_program(device, assembly, &launch, &error), E2BIG);
	CHECK(strstr(error.text, "the program has semaphores"));
	v3dcl_assembly_free(assembly);
	CHECK_OK(assemble("nop\n", &assembly));
	launch.runs = 1;
	CHECK_FAILS(v3dcl_run_program(device, assembly, &launch, &error), EINVAL);
	CHECK_EQ(error.part, DRM_V3DCL_PART_CODE);
	v3dcl_assembly_free(assembly);
}

const struct suite_test suite_program_tests[] = {
	{ "programs_store", programs_store, NEEDS_OURS },
	{ "bad_perfmons", bad_perfmons, NEEDS_NOTHING },
	{ "refused_programs_tell_why", refused_programs_tell_why, NEEDS_OURS },
	{ "hangs_are_told", hangs_are_told, NEEDS_OURS },
	{ "runs_by_name", runs_by_name, NEEDS_OURS },
	{ "runs_by_order", runs_by_order, NEEDS_OURS },
	{ "runs_that_are_refused", runs_that_are_refused, NEEDS_OURS },
	{ 0 },
};
