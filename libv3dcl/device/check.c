// SPDX-License-Identifier: MIT
/*
 * The checks of validate/ without a device: BOs and the driver's own memory get addresses that no
 * access is made to.
 */
#include <errno.h>
#include <stdlib.h>
#include <sys/param.h>

#include "device.h"
#include "ioctl.h"
#include "v3dcl_check.h"

#define PAGE 4096u
#define FIRST_ADDRESS 0x01000000u	/* nothing is at 0, so that a forgotten address shows */

/*
 * A job being checked: its BOs as validate/ wants them, what is known of their code, addresses
 * given so far
 */
struct checked {
	struct v3dcl_bo *bos;
	union code {
		struct v3dcl_shader shader;
		struct v3dcl_program program;
	} *codes;
	void **scratch;
	uint32_t bo_count;
	uint64_t next;
};

static int refused(struct v3dcl_error *error, const struct v3dcl_refusal *refusal,
		   const struct refusable *what)
{
	struct drm_v3dcl_refusal told = { 0 };

	v3dcl_tell_refusal(refusal, &told);
	if (error)
		refusal_explain(error, &told, what);
	return -EINVAL;
}

/* @scratch: set to what @code points into; the caller's, even on failure */
static int check_code(const uint64_t *words, uint32_t count, enum v3dcl_check_kind kind,
		      union code *code, void **scratch, struct v3dcl_error *error)
{
	const struct refusable what = {
		.what = kind == V3DCL_CHECK_SHADER ? "the shader" : "the program",
		.code = words,
		.code_count = count,
	};
	const __u64 *in = (const __u64 *)words;
	struct v3dcl_refusal refusal = { 0 };
	uint32_t bytes = 0;
	bool good;

	*scratch = NULL;
	if (!words || !count || count > V3DCL_MAX_INSTRUCTIONS)
		return v3dcl_fail(error, -EINVAL, "%s has %u instructions, not 1 to %u", what.what,
				  count, V3DCL_MAX_INSTRUCTIONS);
	if (kind == V3DCL_CHECK_SHADER)
		bytes = v3dcl_shader_scratch(in, count);
	else if (kind == V3DCL_CHECK_PROGRAM)
		bytes = v3dcl_program_scratch(in, count);
	*scratch = malloc(bytes + 1);
	if (!*scratch)
		return device_fail(error, -ENOMEM, "checking %s", what.what);
	if (kind == V3DCL_CHECK_SHADER)
		good = v3dcl_check_shader(in, count, *scratch, bytes, &code->shader, &refusal);
	else if (kind == V3DCL_CHECK_PROGRAM)
		good = v3dcl_check_program(in, count, *scratch, bytes, &code->program, &refusal);
	else
		good = v3dcl_check_unverified(in, count, &code->program, &refusal);
	return good ? 0 : refused(error, &refusal, &what);
}

int v3dcl_check_code(const uint64_t *code, uint32_t count, enum v3dcl_check_kind kind,
		     struct v3dcl_error *error)
{
	union code known;
	void *scratch;
	int ret = check_code(code, count, kind, &known, &scratch, error);

	free(scratch);
	return ret;
}

/* An address for @size bytes, 0 when there are none left */
static uint32_t place(struct checked *job, uint64_t size)
{
	uint64_t address = job->next;

	job->next = roundup(address + size, (uint64_t)PAGE);
	return job->next <= UINT32_MAX ? address : 0;
}

static const struct v3dcl_check_bo *find(const struct v3dcl_check_bo *bos, uint32_t count,
					 uint32_t handle)
{
	uint32_t i;

	for (i = 0; i < count; i++)
		if (bos[i].handle == handle)
			return &bos[i];
	return NULL;
}

static int add_bo(struct checked *job, const struct v3dcl_check_bo *bo, struct v3dcl_error *error)
{
	const uint32_t i = job->bo_count++;
	uint32_t count = bo->size / sizeof(*bo->code);
	int ret;

	job->bos[i] = (struct v3dcl_bo){ .address = place(job, bo->size), .size = bo->size };
	if (!job->bos[i].address)
		return v3dcl_fail(error, -EINVAL, "the job's BOs do not fit into 4 GiB");
	if (bo->kind == V3DCL_CHECK_MEMORY)
		return 0;
	ret = check_code(bo->code, count, bo->kind, &job->codes[i], &job->scratch[i], error);
	if (bo->kind == V3DCL_CHECK_SHADER)
		job->bos[i].shader = &job->codes[i].shader;
	else
		job->bos[i].program = &job->codes[i].program;
	return ret;
}

static void job_free(struct checked *job)
{
	uint32_t i;

	for (i = 0; i < job->bo_count; i++)
		free(job->scratch[i]);
	free(job->bos);
	free(job->codes);
	free(job->scratch);
}

/* @handles: of the job, by which @bos are found; the caller frees the job, even on failure */
static int job_bos(struct checked *job, const uint32_t *handles, uint32_t count,
		   const struct v3dcl_check_bo *bos, uint32_t bo_count, struct v3dcl_error *error)
{
	const struct v3dcl_check_bo *bo;
	uint32_t i;
	int ret = 0;

	*job = (struct checked){ .next = FIRST_ADDRESS };
	job->bos = calloc((size_t)count + 1, sizeof(*job->bos));
	job->codes = calloc((size_t)count + 1, sizeof(*job->codes));
	job->scratch = calloc((size_t)count + 1, sizeof(*job->scratch));
	if (!job->bos || !job->codes || !job->scratch)
		return device_fail(error, -ENOMEM, "checking a job of %u BOs", count);
	for (i = 0; i < count && !ret; i++) {
		bo = find(bos, bo_count, handles[i]);
		if (!bo)
			return v3dcl_fail(error, -EINVAL,
					  "handle %u of the job is %u, which no BO has", i,
					  handles[i]);
		ret = add_bo(job, bo, error);
	}
	return ret;
}

/* Memory of the driver's, which only the check writes */
static bool memory(struct checked *job, uint32_t size, struct v3dcl_memory *out)
{
	*out = (struct v3dcl_memory){ .cpu = calloc(1, (size_t)size + 1),
				      .address = place(job, size), .size = size };
	return out->cpu && out->address;
}

static int check_lists(struct checked *job, struct v3dcl_job *frame, const struct refusable *what,
		       struct v3dcl_error *error)
{
	uint32_t state;

	if (frame->bin.size) {
		if (!v3dcl_measure(frame))
			return refused(error, &frame->refusal, what);
		state = roundup(frame->needs.state, PAGE);
		frame->tiles = (struct v3dcl_tile_memory){
			.state = place(job, (uint64_t)state + frame->needs.lists),
			.state_bytes = state,
			.lists_bytes = frame->needs.lists,
		};
		frame->tiles.lists = frame->tiles.state + state;
		if (!frame->tiles.state || !memory(job, frame->needs.exec, &frame->exec))
			return device_fail(error, -ENOMEM, "checking the frame");
		if (!v3dcl_check_bin(frame))
			return refused(error, &frame->refusal, what);
	}
	if (!v3dcl_check_render(frame))
		return refused(error, &frame->refusal, what);
	if (!memory(job, frame->render_bytes, &frame->render))
		return device_fail(error, -ENOMEM, "checking the frame");
	return v3dcl_build_render(frame) ? 0 : refused(error, &frame->refusal, what);
}

static struct v3dcl_span span(uint64_t pointer, uint32_t size)
{
	return (struct v3dcl_span){ .bytes = (const __u8 *)(uintptr_t)pointer, .size = size };
}

int v3dcl_check_frame(const struct drm_vc4_submit_cl *submit, const struct v3dcl_check_bo *bos,
		      uint32_t bo_count, struct v3dcl_error *error)
{
	const struct refusable what = {
		.what = "the frame",
		.bin = (const uint8_t *)(uintptr_t)submit->bin_cl,
		.bin_size = submit->bin_cl_size,
	};
	struct v3dcl_job frame = { .submit = submit };
	struct checked job;
	int ret = job_bos(&job, (const uint32_t *)(uintptr_t)submit->bo_handles,
			  submit->bo_handle_count, bos, bo_count, error);

	frame.bos = job.bos;
	frame.bo_count = job.bo_count;
	frame.bin = span(submit->bin_cl, submit->bin_cl_size);
	if (frame.bin.size) {
		frame.records = span(submit->shader_rec, submit->shader_rec_size);
		frame.uniforms = span(submit->uniforms, submit->uniforms_size);
	}
	if (!ret)
		ret = check_lists(&job, &frame, &what, error);
	free(frame.exec.cpu);
	free(frame.render.cpu);
	job_free(&job);
	return ret;
}

/* The arrays that v3dcl_relocate() wants beside the submit's own */
struct arrays {
	uint32_t *handles, *indices, *words, *owners;
	struct v3dcl_run *runs;
};

static bool arrays_new(struct arrays *arrays, const struct drm_v3dcl_submit_qpu *submit)
{
	const struct v3dcl_qpu_job listed = {
		.programs = (const void *)(uintptr_t)submit->programs,
		.program_count = submit->program_count,
		.relocs = (const void *)(uintptr_t)submit->relocs,
		.reloc_count = submit->reloc_count,
	};
	const uint32_t *words = (const void *)(uintptr_t)submit->uniforms;
	const uint32_t count = submit->program_count + submit->reloc_count;
	uint32_t i;

	*arrays = (struct arrays){
		.handles = calloc(count, sizeof(uint32_t)),
		.indices = calloc(count, sizeof(uint32_t)),
		.words = calloc((size_t)submit->uniform_count + 1, sizeof(uint32_t)),
		.owners = calloc((size_t)submit->uniform_count + 1, sizeof(uint32_t)),
		.runs = calloc(submit->program_count, sizeof(*arrays->runs)),
	};
	if (!arrays->handles || !arrays->indices || !arrays->words || !arrays->owners ||
	    !arrays->runs)
		return false;
	v3dcl_list_handles(&listed, arrays->handles, arrays->indices);
	for (i = 0; i < submit->uniform_count; i++)
		arrays->words[i] = words[i];
	return true;
}

static void arrays_free(struct arrays *arrays)
{
	free(arrays->handles);
	free(arrays->indices);
	free(arrays->words);
	free(arrays->owners);
	free(arrays->runs);
}

static int relocate(struct checked *job, const struct drm_v3dcl_submit_qpu *submit,
		    const struct arrays *arrays, const struct refusable *what,
		    struct v3dcl_error *error)
{
	struct v3dcl_qpu_job qpu = {
		.programs = (const void *)(uintptr_t)submit->programs,
		.program_bos = arrays->indices,
		.program_count = submit->program_count,
		.relocs = (const void *)(uintptr_t)submit->relocs,
		.reloc_bos = arrays->indices + submit->program_count,
		.reloc_count = submit->reloc_count,
		.bos = job->bos,
		.bo_count = job->bo_count,
		.words = arrays->words,
		.owners = arrays->owners,
		.runs = arrays->runs,
	};
	int ret = 0;

	if (!memory(job, submit->uniform_count * sizeof(uint32_t), &qpu.uniforms))
		ret = device_fail(error, -ENOMEM, "checking the job of programs");
	else if (!v3dcl_relocate(&qpu))
		ret = refused(error, &qpu.refusal, what);
	free(qpu.uniforms.cpu);
	return ret;
}

int v3dcl_check_programs(const struct drm_v3dcl_submit_qpu *submit,
			 const struct v3dcl_check_bo *bos, uint32_t bo_count,
			 struct v3dcl_error *error)
{
	const struct refusable what = { .what = "the job of programs" };
	struct v3dcl_refusal refusal = { 0 };
	struct arrays arrays;
	struct checked job;
	int ret;

	if (!v3dcl_submit_qpu_valid(submit, &refusal))
		return refused(error, &refusal, &what);
	if (!arrays_new(&arrays, submit)) {
		arrays_free(&arrays);
		return device_fail(error, -ENOMEM, "checking the job of programs");
	}
	ret = job_bos(&job, arrays.handles, submit->program_count + submit->reloc_count, bos,
		      bo_count, error);
	if (!ret)
		ret = relocate(&job, submit, &arrays, &what, error);
	job_free(&job);
	arrays_free(&arrays);
	return ret;
}
