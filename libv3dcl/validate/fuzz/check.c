// SPDX-License-Identifier: MIT
/* A trial before the checker: see check.h. */
#include <string.h>

#include <sys/param.h>

#include <v3d/qpu.h>

#include "check.h"

static void *keep(struct checked *c, uint32_t bytes)
{
	const uint32_t words = howmany(bytes, sizeof(*c->kept));

	if (words > sizeof(c->kept) / sizeof(*c->kept) - c->kept_words)
		return NULL;
	c->kept_words += words;
	return c->kept + c->kept_words - words;
}

static bool check_shader(struct checked *c, const struct trial *t, uint32_t index)
{
	const struct trial_bo *bo = &t->bos[index];
	const __u64 *code = (const __u64 *)t->code + bo->first;
	struct v3dcl_shader *shader = &c->shaders[index];
	void *kept;

	if (v3dcl_shader_scratch(code, bo->count) > sizeof(c->scratch))
		return false;
	if (!v3dcl_check_shader(code, bo->count, c->scratch, v3dcl_shader_scratch(code, bo->count),
				shader, &c->refusal))
		return false;
	kept = keep(c, v3dcl_shader_bytes(shader));
	if (!kept)
		return false;
	v3dcl_keep_shader(shader, kept);
	c->bos[index].shader = shader;
	return true;
}

static bool check_program(struct checked *c, const struct trial *t, uint32_t index)
{
	const struct trial_bo *bo = &t->bos[index];
	const __u64 *code = (const __u64 *)t->code + bo->first;
	struct v3dcl_program *program = &c->programs[index];
	const uint32_t scratch = v3dcl_program_scratch(code, bo->count);
	void *kept;

	if (scratch > sizeof(c->scratch))
		return false;
	if (!v3dcl_check_program(code, bo->count, c->scratch, scratch, program, &c->refusal))
		return false;
	kept = keep(c, v3dcl_program_bytes(program));
	if (!kept)
		return false;
	v3dcl_keep_program(program, kept);
	c->bos[index].program = program;
	return true;
}

bool check_code(struct checked *c, const struct trial *t)
{
	c->kept_words = 0;
	for (uint32_t i = 0; i < t->bo_count; i++) {
		c->bos[i] = (struct v3dcl_bo){ 0 };
		if ((t->bos[i].kind == TRIAL_SHADER && !check_shader(c, t, i)) ||
		    (t->bos[i].kind == TRIAL_PROGRAM && !check_program(c, t, i)))
			return false;
	}
	return true;
}

static struct v3dcl_memory memory(struct checked *c, uint32_t address, uint32_t size)
{
	return (struct v3dcl_memory){ c->host + address, address, size };
}

static bool check_bin(struct checked *c)
{
	struct v3dcl_job *job = &c->job;

	if (!v3dcl_measure(job) || job->needs.exec > CHECK_RENDER - CHECK_EXEC ||
	    job->needs.lists > CHECK_DRIVER_END - CHECK_LISTS)
		return false;
	job->exec = memory(c, CHECK_EXEC, job->needs.exec);
	job->tiles = (struct v3dcl_tile_memory){
		.state = CHECK_STATE, .state_bytes = job->needs.state,
		.lists = CHECK_LISTS, .lists_bytes = job->needs.lists,
	};
	return v3dcl_check_bin(job);
}

static bool check_frame(struct checked *c, const struct trial *t)
{
	struct v3dcl_job *job = &c->job;

	*job = (struct v3dcl_job){
		.submit = &t->submit, .bos = c->bos, .bo_count = t->bo_count,
		.bin = { t->bin.bytes, t->bin.size },
		.records = { t->records.bytes, t->records.size },
		.uniforms = { t->uniforms.bytes, t->uniforms.size },
	};
	if ((t->bin.size && !check_bin(c)) || !v3dcl_check_render(job))
		return false;
	job->render = memory(c, CHECK_RENDER, job->render_bytes);
	return job->render_bytes <= CHECK_STATE - CHECK_RENDER && v3dcl_build_render(job);
}

static bool check_runs(struct checked *c, const struct trial *t)
{
	c->qpu = (struct v3dcl_qpu_job){
		.programs = t->programs,
		.program_bos = t->program_bos,
		.program_count = t->program_count,
		.relocs = t->relocs,
		.reloc_bos = t->reloc_bos,
		.reloc_count = t->reloc_count,
		.bos = c->bos,
		.bo_count = t->bo_count,
		.words = c->words,
		.owners = c->owners,
		.uniforms = memory(c, CHECK_EXEC, t->uniforms.size),
		.runs = c->runs,
	};
	memcpy(c->words, t->uniforms.bytes, t->uniforms.size);
	return v3dcl_relocate(&c->qpu);
}

bool check_job(struct checked *c, const struct trial *t)
{
	for (uint32_t i = 0; i < t->bo_count; i++) {
		c->bos[i].address = t->bos[i].address;
		c->bos[i].size = t->bos[i].size +
				 (t->bos[i].kind == TRIAL_DATA ? c->extra_bytes : 0);
	}
	if (t->kind == TRIAL_QPU) {
		if (check_runs(c, t))
			return true;
		c->refusal = c->qpu.refusal;
		return false;
	}
	if (check_frame(c, t))
		return true;
	c->refusal = c->job.refusal;
	return false;
}
