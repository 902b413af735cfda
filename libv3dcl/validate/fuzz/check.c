// SPDX-License-Identifier: MIT
/* A trial before the checker: see check.h. */
#include <string.h>

#include <sys/param.h>

#include <v3d/qpu.h>

#include "check.h"
#include "dice.h"

static void *keep(struct checked *c, uint32_t bytes)
{
	const uint32_t words = howmany(bytes, sizeof(*c->kept));

	if (words > sizeof(c->kept) / sizeof(*c->kept) - c->kept_words)
		return NULL;
	c->kept_words += words;
	return c->kept + c->kept_words - words;
}

/*
 * Callers' mistakes, now and then: what the driver hands over beside the job is too little, or lies
 * where it must not. The checker does not count on that either. Recorded jobs, which have no seed,
 * have no such mistakes.
 */
#define MISTAKE_ONE_IN 48

static bool mistakes(const struct trial *t, struct dice *d)
{
	d->state = t->seed + 5;
	return t->seed && one_in(d, MISTAKE_ONE_IN);
}

#define CANARIES 64
#define CANARY UINT64_C(0x5ca1ab1e0ddba11)

/* Scratch memory of as many bytes, or less, and something behind it that has to stay */
static uint32_t lend_scratch(struct checked *c, const struct trial *t, uint32_t bytes)
{
	struct dice d;

	if (bytes + CANARIES * sizeof(uint64_t) > sizeof(c->scratch))
		return 0;
	if (mistakes(t, &d))
		bytes -= 8 * (1 + roll(&d, one_in(&d, 2) ? 32 : bytes / 8));
	for (uint32_t i = 0; i < CANARIES; i++)
		c->scratch[bytes / 8 + i] = CANARY;
	return bytes;
}

static void look_behind_scratch(struct checked *c, uint32_t bytes)
{
	for (uint32_t i = 0; i < CANARIES; i++)
		c->spilt |= c->scratch[bytes / 8 + i] != CANARY;
}

static bool check_shader(struct checked *c, const struct trial *t, uint32_t index)
{
	const struct trial_bo *bo = &t->bos[index];
	const __u64 *code = (const __u64 *)t->code + bo->first;
	struct v3dcl_shader *shader = &c->shaders[index];
	const uint32_t scratch = lend_scratch(c, t, v3dcl_shader_scratch(code, bo->count));
	void *kept;
	bool good;

	if (!scratch)
		return false;
	good = v3dcl_check_shader(code, bo->count, c->scratch, scratch, shader, &c->refusal);
	look_behind_scratch(c, scratch);
	if (!good)
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
	const uint32_t scratch = lend_scratch(c, t, v3dcl_program_scratch(code, bo->count));
	void *kept;
	bool good;

	if (!scratch)
		return false;
	good = v3dcl_check_program(code, bo->count, c->scratch, scratch, program, &c->refusal);
	look_behind_scratch(c, scratch);
	if (!good)
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
	c->spilt = false;
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

static void mistake(struct v3dcl_job *job, struct dice *d)
{
	switch (roll(d, 6)) {
	case 0:
		job->exec.size -= 1 + roll(d, one_in(d, 2) ? 64 : job->exec.size);
		break;
	case 1:
		job->exec.address += 1 + roll(d, 15);
		break;
	case 2:
		job->tiles.state_bytes -= 1 + roll(d, job->tiles.state_bytes);
		break;
	case 3:
		job->tiles.lists_bytes -= 1 + roll(d, job->tiles.lists_bytes);
		break;
	case 4:
		job->tiles.state += 1 + roll(d, 15);
		break;
	default:
		job->tiles.lists += 1 + roll(d, 255);
		break;
	}
}

static bool check_bin(struct checked *c, const struct trial *t)
{
	struct v3dcl_job *job = &c->job;
	struct dice d;

	if (!v3dcl_measure(job) || job->needs.exec > CHECK_RENDER - CHECK_EXEC ||
	    job->needs.lists > CHECK_DRIVER_END - CHECK_LISTS)
		return false;
	job->exec = memory(c, CHECK_EXEC, job->needs.exec);
	job->tiles = (struct v3dcl_tile_memory){
		.state = CHECK_STATE, .state_bytes = job->needs.state,
		.lists = CHECK_LISTS, .lists_bytes = job->needs.lists,
	};
	if (mistakes(t, &d))
		mistake(job, &d);
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
	if ((t->bin.size && !check_bin(c, t)) || !v3dcl_check_render(job))
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
