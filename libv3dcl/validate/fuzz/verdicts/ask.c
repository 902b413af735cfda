// SPDX-License-Identifier: MIT
/*
 * The checker's interface: the one file that knows its names. See ask.h.
 *
 * It is compiled with the checker under test, and with that of the base, which may be of a commit
 * before there was such a file. When the interface changes, base/validate.h maps the new names onto
 * those of such commits.
 *
 * Facts are hashed field by field: neither padding nor pointers nor what is behind a count is one.
 */
#include <stdlib.h>
#include <sys/mman.h>

#include "ask.h"
#include "ioctl.h"
#include "validate.h"

/* Where the driver's own memory is, as the V3D sees it, and how much there can be of each */
#define EXEC 0x60000000u
#define RENDER 0x64000000u
#define STATE 0x68000000u
#define LISTS 0x6a000000u
#define ROOM (64u << 20)
#define LISTS_ROOM (96u << 20)

static struct {
	struct v3dcl_bo bos[PLAIN_BOS];
	struct v3dcl_shader shaders[PLAIN_BOS];
	struct v3dcl_program programs[PLAIN_BOS];
	struct drm_vc4_submit_cl submit;
	struct drm_v3dcl_program runs[PLAIN_RUNS];
	struct drm_v3dcl_reloc relocs[PLAIN_RELOCS];
	struct v3dcl_run out[PLAIN_RUNS];
	uint32_t words[PLAIN_BYTES / 4], owners[PLAIN_BYTES / 4];
	uint32_t kept_bytes;
	uint8_t *scratch, *kept, *exec, *render;
} ask;

static void *room(void)
{
	void *memory = mmap(NULL, ROOM, PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	return memory == MAP_FAILED ? NULL : memory;
}

bool ask_start(void)
{
	ask.scratch = room();
	ask.kept = room();
	ask.exec = room();
	ask.render = room();
	return ask.scratch && ask.kept && ask.exec && ask.render;
}

void ask_forget(void)
{
	memset(ask.bos, 0, sizeof(ask.bos));
	ask.kept_bytes = 0;
}

const char *ask_rule(uint32_t rule)
{
	return v3dcl_rule_name(rule);
}

static void refused(struct verdict *v, const struct v3dcl_refusal *refusal)
{
	struct drm_v3dcl_refusal told;

	v->accepted = 0;
	v->rule = refusal->rule;
	v->part = refusal->part;
	v->offset = refusal->offset;
	v->told = HASH_START;
	v3dcl_tell_refusal(refusal, &told);
	hash_bytes(&v->told, &told, sizeof(told));
}

/* What a job's code has of facts, of which there is never as much as there is room for */
static void *keep(uint32_t bytes)
{
	void *memory = ask.kept + ask.kept_bytes;

	if (bytes > ROOM - ask.kept_bytes)
		abort();
	ask.kept_bytes += (bytes + 7) & ~7u;
	return memory;
}

static uint64_t facts_of_shader(const struct v3dcl_shader *shader)
{
	uint64_t hash = HASH_START;

	hash_word(&hash, shader->sample_count);
	for (uint32_t i = 0; i < shader->sample_count; i++) {
		hash_bytes(&hash, shader->samples[i].slot, sizeof(shader->samples[i].slot));
		hash_word(&hash, shader->samples[i].direct);
	}
	hash_word(&hash, shader->reset_count);
	for (uint32_t i = 0; i < shader->reset_count; i++)
		hash_word(&hash, shader->resets[i]);
	hash_word(&hash, shader->uniform_words);
	hash_word(&hash, shader->uses);
	hash_word(&hash, shader->varyings);
	hash_word(&hash, shader->rows_read);
	hash_word(&hash, shader->rows_touched);
	hash_word(&hash, shader->rows_written);
	return hash;
}

static uint64_t keep_shader(uint32_t bo)
{
	struct v3dcl_shader *shader = &ask.shaders[bo];

	v3dcl_keep_shader(shader, keep(v3dcl_shader_bytes(shader)));
	ask.bos[bo].shader = shader;
	return facts_of_shader(shader);
}

/*
 * What only checkers have that follow where uniforms flow to: of both or of none of those that are
 * compared, so scripts/verdicts says
 */
#ifdef ASK_FLOWS
static void hash_flows_of_number(uint64_t *hash, const struct v3dcl_abstract_value *number)
{
	hash_word(hash, number->factor);
	hash_word(hash, number->taint);
	for (uint32_t i = 0; i < number->count; i++)
		hash_word(hash, number->by[i]);
}

static void hash_flows(uint64_t *hash, const struct v3dcl_program *program)
{
	hash_word(hash, program->told);
	for (uint32_t i = 0; i < V3DCL_TAINTS; i++)
		if (program->told >> i & 1)
			hash_word(hash, program->told_at[i]);
}
#else
static void hash_flows_of_number(uint64_t *hash, const struct v3dcl_abstract_value *number)
{
	(void)hash;
	(void)number;
}

static void hash_flows(uint64_t *hash, const struct v3dcl_program *program)
{
	(void)hash;
	(void)program;
}
#endif

static void hash_number(uint64_t *hash, const struct v3dcl_abstract_value *number)
{
	hash_word(hash, number->low);
	hash_word(hash, number->span);
	hash_word(hash, number->count);
	hash_word(hash, number->align);
	for (uint32_t i = 0; i < number->count; i++)
		hash_word(hash, number->slot[i] | number->scale[i] << 16 |
				(uint64_t)(number->clamped >> i & 1) << 32);
	hash_flows_of_number(hash, number);
}

/* What counts of a use depends on its kind: see struct v3dcl_use. */
static uint64_t hash_use(const struct v3dcl_use *use)
{
	const bool dma = use->kind == V3DCL_USE_LOAD || use->kind == V3DCL_USE_STORE;
	uint64_t hash = HASH_START;

	hash_word(&hash, use->kind);
	if (use->kind == V3DCL_USE_TEXTURE) {
		hash_bytes(&hash, use->parameters, sizeof(use->parameters));
		return hash;
	}
	if (use->kind != V3DCL_USE_SETUP)
		hash_number(&hash, &use->address);
	if (dma || use->kind == V3DCL_USE_SETUP)
		hash_number(&hash, &use->setup);
	if (dma)
		hash_number(&hash, &use->stride);
	if (use->kind == V3DCL_USE_SETUP)
		hash_word(&hash, use->field);
	return hash;
}

/*
 * Neither in which order a program's uses were found is a fact, nor whether one was found again by
 * a later instruction: the hashes of those that differ are added, each with the first instruction.
 */
static uint32_t hash_uses(uint64_t *hash, const struct v3dcl_program *program)
{
	static uint64_t hashes[V3DCL_MAX_USES];
	static uint32_t first[V3DCL_MAX_USES];
	uint32_t count = 0;
	uint64_t sum = 0;

	for (uint32_t i = 0; i < program->use_count && i < V3DCL_MAX_USES; i++) {
		uint32_t same = 0;

		hashes[count] = hash_use(&program->uses[i]);
		first[count] = program->uses[i].at;
		while (hashes[same] != hashes[count])
			same++;
		if (first[count] < first[same])
			first[same] = first[count];
		count += same == count;
	}
	for (uint32_t i = 0; i < count; i++) {
		hash_word(&hashes[i], first[i]);
		sum += hashes[i];
	}
	hash_word(hash, sum);
	return count;
}

static uint64_t facts_of_program(const struct v3dcl_program *program)
{
	uint64_t hash = HASH_START;

	hash_word(&hash, hash_uses(&hash, program));
	hash_word(&hash, program->count);
	hash_word(&hash, program->last_end);
	hash_word(&hash, program->verified);
	hash_word(&hash, program->uniform_words);
	hash_bytes(&hash, program->semaphores, sizeof(program->semaphores));
	hash_flows(&hash, program);
	return hash;
}

static uint64_t keep_program(uint32_t bo)
{
	struct v3dcl_program *program = &ask.programs[bo];

	v3dcl_keep_program(program, keep(v3dcl_program_bytes(program)));
	ask.bos[bo].program = program;
	return facts_of_program(program);
}

static bool check_code(bool is_shader, const __u64 *code, uint32_t count, uint32_t bo,
		       struct v3dcl_refusal *refusal)
{
	uint32_t bytes = is_shader ? v3dcl_shader_scratch(code, count) :
				     v3dcl_program_scratch(code, count);

	if (bytes > ROOM)
		return false;
	if (is_shader)
		return v3dcl_check_shader(code, count, ask.scratch, bytes, &ask.shaders[bo],
					  refusal);
	return v3dcl_check_program(code, count, ask.scratch, bytes, &ask.programs[bo], refusal);
}

static void ask_verified(struct verdict *v, const uint64_t *code, uint32_t count, uint32_t bo)
{
	const bool is_shader = v->kind == VERDICT_SHADER;
	struct v3dcl_refusal refusal = { 0 };

	if (!check_code(is_shader, (const __u64 *)code, count, bo, &refusal)) {
		refused(v, &refusal);
		return;
	}
	v->accepted = 1;
	v->facts = is_shader ? keep_shader(bo) : keep_program(bo);
}

static void ask_unverified(struct verdict *v, const uint64_t *code, uint32_t count)
{
	struct v3dcl_program program = { 0 };
	struct v3dcl_refusal refusal = { 0 };

	if (!v3dcl_check_unverified((const __u64 *)code, count, &program, &refusal)) {
		refused(v, &refusal);
		return;
	}
	v->accepted = 1;
	v->facts = facts_of_program(&program);
}

void ask_code(struct verdict *v, const uint64_t *code, uint32_t count, uint32_t bo)
{
	if (v->kind == VERDICT_SHADER || v->kind == VERDICT_PROGRAM)
		ask_verified(v, code, count, bo);
	else
		ask_unverified(v, code, count);
}

/* Memory for what is checked, without what was there before */
static struct v3dcl_memory memory(uint8_t *cpu, uint32_t address, uint32_t size)
{
	memset(cpu, 0, size);
	return (struct v3dcl_memory){ cpu, address, size };
}

static bool check_bin(struct v3dcl_job *job)
{
	if (!v3dcl_measure(job) || job->needs.exec > ROOM || job->needs.lists > LISTS_ROOM)
		return false;
	job->exec = memory(ask.exec, EXEC, job->needs.exec);
	job->tiles = (struct v3dcl_tile_memory){
		.state = STATE, .state_bytes = job->needs.state,
		.lists = LISTS, .lists_bytes = job->needs.lists,
	};
	return v3dcl_check_bin(job);
}

static bool check_frame(struct v3dcl_job *job)
{
	if ((job->bin.size && !check_bin(job)) || !v3dcl_check_render(job) ||
	    job->render_bytes > ROOM)
		return false;
	job->render = memory(ask.render, RENDER, job->render_bytes);
	return v3dcl_build_render(job);
}

/* What is written there. That there is room is asked of the memory which a checker asks for. */
static uint32_t exec_bytes(const struct v3dcl_job *job)
{
	return job->bin.size ? ((job->bin.size + 15) & ~15u) + ((job->records.size + 15) & ~15u) +
				       job->uniforms.size : 0;
}

static void accept_frame(struct verdict *v, const struct v3dcl_job *job)
{
	v->accepted = 1;
	hash_bytes(&v->written, ask.exec, exec_bytes(job));
	hash_bytes(&v->written, ask.render, job->render_end - job->render_start);
	hash_word(&v->facts, job->needs.tiles_x);
	hash_word(&v->facts, job->needs.tiles_y);
	hash_word(&v->facts, job->needs.state);
	hash_word(&v->facts, job->needs.lists);
	hash_word(&v->facts, job->bin_start);
	hash_word(&v->facts, job->bin_end);
	hash_word(&v->facts, job->bin_multisample);
	hash_word(&v->facts, job->draws);
	hash_word(&v->facts, job->render_start);
	hash_word(&v->facts, job->render_end);
}

static void ask_frame(struct verdict *v, const struct plain *p)
{
	struct v3dcl_job job = {
		.submit = &ask.submit, .bos = ask.bos, .bo_count = p->head.bo_count,
		.bin = { p->bin, p->head.bin_bytes },
		.records = { p->records, p->head.record_bytes },
		.uniforms = { p->uniforms, p->head.uniform_bytes },
	};

	memset(&ask.submit, 0, sizeof(ask.submit));
	memcpy(&ask.submit, p->submit, p->head.submit_bytes < sizeof(ask.submit) ?
					       p->head.submit_bytes : sizeof(ask.submit));
	if (check_frame(&job))
		accept_frame(v, &job);
	else
		refused(v, &job.refusal);
}

/* Structs of the ABI may have grown at their end since, as they do between userspace and kernel. */
static void take_structs(void *out, size_t out_bytes, const uint8_t *in, uint32_t in_bytes,
			 uint32_t count)
{
	memset(out, 0, out_bytes * count);
	for (uint32_t i = 0; i < count; i++)
		memcpy((uint8_t *)out + i * out_bytes, in + (size_t)i * in_bytes,
		       in_bytes < out_bytes ? in_bytes : out_bytes);
}

static void ask_runs(struct verdict *v, const struct plain *p)
{
	struct v3dcl_qpu_job job = {
		.programs = ask.runs, .program_bos = p->program_bos,
		.program_count = p->head.program_count,
		.relocs = ask.relocs, .reloc_bos = p->reloc_bos,
		.reloc_count = p->head.reloc_count,
		.bos = ask.bos, .bo_count = p->head.bo_count,
		.words = ask.words, .owners = ask.owners,
		.uniforms = memory(ask.exec, EXEC, p->head.uniform_bytes), .runs = ask.out,
	};

	take_structs(ask.runs, sizeof(ask.runs[0]), p->programs, p->head.program_bytes,
		     p->head.program_count);
	take_structs(ask.relocs, sizeof(ask.relocs[0]), p->relocs, p->head.reloc_bytes,
		     p->head.reloc_count);
	memcpy(ask.words, p->uniforms, p->head.uniform_bytes);
	if (!v3dcl_relocate(&job)) {
		refused(v, &job.refusal);
		return;
	}
	v->accepted = 1;
	hash_bytes(&v->written, ask.words, p->head.uniform_bytes);
	hash_bytes(&v->written, ask.exec, p->head.uniform_bytes);
	for (uint32_t i = 0; i < job.program_count; i++) {
		hash_word(&v->facts, ask.out[i].code);
		hash_word(&v->facts, ask.out[i].uniforms);
		hash_word(&v->facts, ask.out[i].uniform_count);
	}
}

void ask_job(struct verdict *v, const struct plain *p)
{
	for (uint32_t i = 0; i < p->head.bo_count; i++) {
		ask.bos[i].address = p->bos[i].address;
		ask.bos[i].size = p->bos[i].size;
		ask.bos[i].uses = 0;
	}
	v->written = v->facts = HASH_START;
	if (p->head.kind == PLAIN_PROGRAMS)
		ask_runs(v, p);
	else
		ask_frame(v, p);
	for (uint32_t i = 0; v->accepted && i < p->head.bo_count; i++)
		hash_word(&v->facts, ask.bos[i].uses);
	if (!v->accepted)
		v->written = v->facts = 0;
}
