// SPDX-License-Identifier: MIT
/*
 * Any job to the checker, in the oracle's format (validate/fuzz/trial.h). What may not happen:
 * anything that a sanitizer sees, another error than is promised, a refusal without words.
 */
#include <errno.h>
#include <string.h>

#include "../validate/fuzz/trial.h"
#include "fuzz.h"
#include "v3dcl_check.h"

#define MOST_BYTES (64u << 20)		/* of BOs: what is larger only takes time to clear */

static void *exactly(const void *bytes, size_t size)
{
	void *copy = malloc(size + !size);

	CHECK(copy);
	if (size)
		memcpy(copy, bytes, size);
	return copy;
}

static uint32_t describe_bos(const struct trial *t, struct v3dcl_check_bo *bos, uint32_t *handles)
{
	static const enum v3dcl_check_kind kinds[] = {
		[TRIAL_DATA] = V3DCL_CHECK_MEMORY,
		[TRIAL_SHADER] = V3DCL_CHECK_SHADER,
		[TRIAL_PROGRAM] = V3DCL_CHECK_PROGRAM,
	};

	for (uint32_t i = 0; i < t->bo_count; i++) {
		const struct trial_bo *bo = &t->bos[i];

		handles[i] = i + 1;
		bos[i] = (struct v3dcl_check_bo){ .handle = i + 1, .kind = kinds[bo->kind],
						  .size = bo->size };
		if (bo->kind == TRIAL_DATA)
			continue;
		bos[i].size = bo->count * sizeof(*t->code);
		bos[i].code = exactly(t->code + bo->first, bos[i].size);
	}
	return t->bo_count;
}

static int check_frame(const struct trial *t, const struct v3dcl_check_bo *bos, uint32_t *handles,
		       struct v3dcl_error *error)
{
	struct drm_vc4_submit_cl submit = t->submit;
	void *bin = exactly(t->bin.bytes, t->bin.size),
	     *records = exactly(t->records.bytes, t->records.size);
	void *uniforms = exactly(t->uniforms.bytes, t->uniforms.size);
	int ret;

	submit.bo_handles = (uintptr_t)handles;
	submit.bo_handle_count = t->bo_count;
	submit.bin_cl = (uintptr_t)bin;
	submit.bin_cl_size = t->bin.size;
	submit.shader_rec = (uintptr_t)records;
	submit.shader_rec_size = t->records.size;
	submit.uniforms = (uintptr_t)uniforms;
	submit.uniforms_size = t->uniforms.size;
	ret = v3dcl_check_frame(&submit, bos, t->bo_count, error);
	free(bin);
	free(records);
	free(uniforms);
	return ret;
}

static int check_programs(struct trial *t, const struct v3dcl_check_bo *bos,
			  struct v3dcl_error *error)
{
	void *uniforms = exactly(t->uniforms.bytes, t->uniforms.size & ~3u);
	const struct drm_v3dcl_submit_qpu submit = {
		.programs = (uintptr_t)t->programs, .program_count = t->program_count,
		.uniforms = (uintptr_t)uniforms, .uniform_count = t->uniforms.size / 4,
		.relocs = (uintptr_t)t->relocs, .reloc_count = t->reloc_count,
	};
	uint32_t i;
	int ret;

	for (i = 0; i < t->program_count; i++)
		t->programs[i].handle = t->program_bos[i] + 1;
	for (i = 0; i < t->reloc_count; i++)
		t->relocs[i].handle = t->reloc_bos[i] + 1;
	ret = v3dcl_check_programs(&submit, bos, t->bo_count, error);
	free(uniforms);
	return ret;
}

static void check_trial(struct trial *t)
{
	static struct v3dcl_check_bo bos[TRIAL_BOS];
	static uint32_t handles[TRIAL_BOS];
	struct v3dcl_error error = { .code = 0 };
	const uint32_t count = describe_bos(t, bos, handles);
	uint64_t bytes = 0;
	uint32_t i;
	int ret;

	for (i = 0; i < count; i++)
		bytes += bos[i].size;
	if (bytes <= MOST_BYTES) {
		ret = t->kind == TRIAL_QPU ? check_programs(t, bos, &error) :
					     check_frame(t, bos, handles, &error);
		CHECK(!ret || ret == -EINVAL || ret == -ENOMEM);
		CHECK(error.code == ret && !error.text[0] == !ret);
	}
	for (i = 0; i < count; i++)
		free((void *)(uintptr_t)bos[i].code);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct trial trial;

	if (trial_read(&trial, &data, &size) == 1)
		check_trial(&trial);
	return 0;
}
