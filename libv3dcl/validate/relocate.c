// SPDX-License-Identifier: (GPL-2.0-only OR MIT)
/*
 * A submit of user programs: runs, relocations, and the uniforms held against what is known about
 * the programs.
 */
#include <v3d/qpu.h>

#include "vpm_dma.h"
#include "record.h"

#define NO_PARAMETER 0xffff

static bool refuse_run(struct v3dcl_qpu_job *job, __u16 rule, __u32 which, __u32 field, __u64 found,
		       __u64 expected)
{
	return v3dcl_refuse(&job->refusal, DRM_V3DCL_PART_PROGRAM, rule,
			    which * sizeof(struct drm_v3dcl_program) + field, found, expected);
}

#define IN_PROGRAM(field) ((__u32)__builtin_offsetof(struct drm_v3dcl_program, field))
#define IN_RELOC(field) ((__u32)__builtin_offsetof(struct drm_v3dcl_reloc, field))

/*
 * AG100 Table 67: more than 1023 is no limit. The limit counts words read, also those that are read
 * again.
 */
#define UNLIMITED 1024

static bool resets(const struct v3dcl_program *program)
{
	__u32 i;

	for (i = 0; i < program->use_count; i++)
		if (program->uses[i].kind == V3DCL_USE_RESET)
			return true;
	return false;
}

/* A run starts with an instruction of its program, from which an end can be reached. */
static bool check_start(struct v3dcl_qpu_job *job, __u32 which, const struct v3dcl_program *program)
{
	__u32 offset = job->programs[which].offset;

	if (offset % V3D_QPU_INSTRUCTION_BYTES ||
	    offset / V3D_QPU_INSTRUCTION_BYTES >= program->count)
		return refuse_run(job, V3DCL_RULE_PROGRAM_OFFSET, which, IN_PROGRAM(offset), offset,
				  program->count * V3D_QPU_INSTRUCTION_BYTES);
	if (offset / V3D_QPU_INSTRUCTION_BYTES > program->last_end)
		return refuse_run(job, V3DCL_RULE_PROGRAM_END, which, IN_PROGRAM(offset), offset,
				  program->last_end * V3D_QPU_INSTRUCTION_BYTES);
	return true;
}

static bool check_run(struct v3dcl_qpu_job *job, __u32 which)
{
	const struct drm_v3dcl_program *run = &job->programs[which];
	__u32 words = job->uniforms.size / sizeof(__u32), index = job->program_bos[which];
	struct v3dcl_bo *bo;

	if (index >= job->bo_count)
		return refuse_run(job, V3DCL_RULE_BO_INDEX, which, IN_PROGRAM(handle), index,
				  job->bo_count);
	bo = &job->bos[v3dcl_nospec(index, job->bo_count)];
	if (!bo->program)
		return refuse_run(job, V3DCL_RULE_BO_PROGRAM, which, IN_PROGRAM(handle), index, 0);
	if (!check_start(job, which, bo->program))
		return false;
	if (!v3dcl_inside(run->first_uniform, run->uniform_count, words))
		return refuse_run(job, V3DCL_RULE_PROGRAM_UNIFORMS, which,
				  IN_PROGRAM(first_uniform),
				  (__u64)run->first_uniform + run->uniform_count, words);
	if (bo->program->verified && run->offset)
		return refuse_run(job, V3DCL_RULE_PROGRAM_START, which, IN_PROGRAM(offset),
				  run->offset, 0);
	if (run->uniform_count < bo->program->uniform_words)
		return refuse_run(job, V3DCL_RULE_PROGRAM_SHORT, which, IN_PROGRAM(uniform_count),
				  run->uniform_count, bo->program->uniform_words);
	/* Only v3dcl_check_program() finds uses; and the last end was met in the code. */
	if (NEVER((!bo->program->verified &&
		   (bo->program->uniform_words || bo->program->use_count)) ||
		  bo->program->last_end >= bo->program->count))
		return refuse_run(job, V3DCL_RULE_INTERNAL, which, IN_PROGRAM(handle), index, 0);
	bo->uses |= V3DCL_CODE;
	job->runs[which] = (struct v3dcl_run){
		.code = bo->address + run->offset,
		.uniforms = run->uniform_count ? job->uniforms.address +
							 run->first_uniform * (__u32)sizeof(__u32) :
						 0,
		.uniform_count = resets(bo->program) ? UNLIMITED : run->uniform_count,
	};
	return true;
}

static bool refuse_reloc(struct v3dcl_qpu_job *job, __u16 rule, __u32 which, __u32 field,
			 __u64 found, __u64 expected)
{
	return v3dcl_refuse(&job->refusal, DRM_V3DCL_PART_RELOC, rule,
			    which * sizeof(struct drm_v3dcl_reloc) + field, found, expected);
}

#define BOTH_WAYS (DRM_V3DCL_RELOC_READ | DRM_V3DCL_RELOC_WRITE)

/* The word that it writes, and what it allows */
static bool check_reloc(struct v3dcl_qpu_job *job, __u32 which)
{
	const struct drm_v3dcl_reloc *reloc = &job->relocs[which];
	const struct drm_v3dcl_program *run;

	if (reloc->program >= job->program_count)
		return refuse_reloc(job, V3DCL_RULE_RELOC_PROGRAM, which, IN_RELOC(program),
				    reloc->program, job->program_count);
	run = &job->programs[v3dcl_nospec(reloc->program, job->program_count)];
	if (reloc->slot >= run->uniform_count)
		return refuse_reloc(job, V3DCL_RULE_RELOC_SLOT, which, IN_RELOC(slot), reloc->slot,
				    run->uniform_count);
	if (!reloc->flags || reloc->flags & ~BOTH_WAYS)
		return refuse_reloc(job, V3DCL_RULE_RELOC_FLAGS, which, IN_RELOC(flags),
				    reloc->flags, BOTH_WAYS);
	if (reloc->pad)
		return refuse_reloc(job, V3DCL_RULE_RELOC_PAD, which, IN_RELOC(pad), reloc->pad, 0);
	return true;
}

/* What it is the address of */
static bool check_target(struct v3dcl_qpu_job *job, __u32 which)
{
	const struct drm_v3dcl_reloc *reloc = &job->relocs[which];
	const struct v3dcl_bo *bo;

	if (job->reloc_bos[which] >= job->bo_count)
		return refuse_reloc(job, V3DCL_RULE_BO_INDEX, which, IN_RELOC(handle),
				    job->reloc_bos[which], job->bo_count);
	bo = &job->bos[v3dcl_nospec(job->reloc_bos[which], job->bo_count)];
	if (bo->shader || bo->program)
		return refuse_reloc(job, V3DCL_RULE_BO_PLAIN, which, IN_RELOC(handle),
				    reloc->handle, 0);
	if (reloc->offset >= bo->size)
		return refuse_reloc(job, V3DCL_RULE_RELOC_OFFSET, which, IN_RELOC(offset),
				    reloc->offset, bo->size);
	return true;
}

static bool relocate(struct v3dcl_qpu_job *job, __u32 which)
{
	const struct drm_v3dcl_reloc *reloc = &job->relocs[which];
	const struct drm_v3dcl_program *run;
	struct v3dcl_bo *bo;
	__u64 at;

	if (!check_reloc(job, which) || !check_target(job, which))
		return false;
	run = &job->programs[v3dcl_nospec(reloc->program, job->program_count)];
	bo = &job->bos[v3dcl_nospec(job->reloc_bos[which], job->bo_count)];
	/* The uniforms of each run are among those of the job: PROGRAM_UNIFORMS, in check_run() */
	at = (__u64)run->first_uniform + reloc->slot;
	if (NEVER(at >= job->uniforms.size / sizeof(__u32)))
		return refuse_reloc(job, V3DCL_RULE_INTERNAL, which, IN_RELOC(slot), at,
				    job->uniforms.size);
	bo->uses |= (reloc->flags & DRM_V3DCL_RELOC_READ ? V3DCL_READ : 0) |
		    (reloc->flags & DRM_V3DCL_RELOC_WRITE ? V3DCL_WRITE : 0);
	job->words[at] = bo->address + reloc->offset;
	job->owners[at] = which + 1;
	return true;
}

/*
 * What a word of the uniforms is: a number of the user's, an address by relocation n - 1, or that
 * of its own stream
 */
#define NOT_OWNED 0
#define OWNED_BY_STREAM (~(__u32)0)

/* A run, and what it uses just now */
struct context {
	struct v3dcl_qpu_job *job;
	const __u32 *words, *owners;	/* of the run */
	__u32 count;			/* of both: no less than the program reads: check_run() */
	__u32 which;			/* run */
	__u32 first_uniform;
};

static bool refuse_word(const struct context *c, __u16 rule, __u32 slot, __u64 found,
			__u64 expected)
{
	return v3dcl_refuse(&c->job->refusal, DRM_V3DCL_PART_UNIFORMS, rule,
			    (c->first_uniform + slot) * sizeof(__u32), found, expected);
}

static struct context open_run(struct v3dcl_qpu_job *job, __u32 which)
{
	__u32 first = job->programs[which].first_uniform,
	      count = job->programs[which].uniform_count;

	return (struct context){ job, job->words + first, job->owners + first,
				 count, which, first };
}

static const struct v3dcl_program *program_of(const struct context *c)
{
	return c->job->bos[v3dcl_nospec(c->job->program_bos[c->which], c->job->bo_count)].program;
}

/*
 * Words that take the address of the run's own stream, before anything is decided by what words say
 */
static bool reset_run(struct v3dcl_qpu_job *job, __u32 which)
{
	const struct context c = open_run(job, which);
	const struct v3dcl_program *program = program_of(&c);
	__u32 i, address = job->uniforms.address + c.first_uniform * (__u32)sizeof(__u32);

	for (i = 0; i < program->use_count; i++) {
		const struct v3dcl_use *use = &program->uses[i];
		__u32 slot = use->address.slot[0], at = c.first_uniform + slot;

		if (use->kind != V3DCL_USE_RESET)
			continue;
		/* v3dcl_record_reset() takes just a uniform that was read */
		if (NEVER(use->address.count != 1 || slot >= c.count))
			return refuse_word(&c, V3DCL_RULE_INTERNAL, slot, use->address.count,
					   c.count);
		if (c.owners[slot] != NOT_OWNED &&
		    (c.owners[slot] != OWNED_BY_STREAM || c.words[slot] != address))
			return refuse_word(&c, V3DCL_RULE_RESET_SHARED, slot, c.owners[slot], 0);
		job->words[at] = address;
		job->owners[at] = OWNED_BY_STREAM;
	}
	return true;
}

/*
 * What the program tells of its uniforms is no address. Words are shared by runs, so this is asked
 * of each run when all addresses are there, and before a refusal could depend on one.
 */
static bool check_told(struct v3dcl_qpu_job *job, __u32 which)
{
	const struct context c = open_run(job, which);
	const struct v3dcl_program *program = program_of(&c);
	__u32 slot;

	for (slot = 0; slot < program->uniform_words; slot++) {
		/* As many as the run has: PROGRAM_SHORT, in check_run() */
		if (NEVER(slot >= c.count))
			return refuse_word(&c, V3DCL_RULE_INTERNAL, slot, slot, c.count);
		if (c.owners[slot] != NOT_OWNED && program->told & v3dcl_taint_of(slot))
			return refuse_word(&c, V3DCL_RULE_ADDRESS_TOLD, slot,
					   program->told_at[v3dcl_taint_bit(slot)], 0);
	}
	return true;
}

/*
 * The relocation of the word, which must allow the access; NULL after a refusal. relocate() has set
 * the owners, check_target() has asked for the index of each BO.
 */
static const struct v3dcl_bo *relocated_bo(const struct context *c, __u32 slot, __u32 flags)
{
	__u32 owner = ALWAYS(slot < c->count) ? c->owners[slot] : NOT_OWNED, index;
	const struct drm_v3dcl_reloc *reloc;

	if (owner == NOT_OWNED || owner == OWNED_BY_STREAM) {
		refuse_word(c, V3DCL_RULE_ADDRESS_RELOC, slot, 0, 1);
		return NULL;
	}
	if (NEVER(owner > c->job->reloc_count ||
		  c->job->reloc_bos[owner - 1] >= c->job->bo_count)) {
		refuse_word(c, V3DCL_RULE_INTERNAL, slot, owner, c->job->reloc_count);
		return NULL;
	}
	index = c->job->reloc_bos[owner - 1];
	reloc = &c->job->relocs[owner - 1];
	if ((reloc->flags & flags) != flags) {
		refuse_word(c, V3DCL_RULE_ADDRESS_FLAGS, slot, reloc->flags, flags);
		return NULL;
	}
	return &c->job->bos[v3dcl_nospec(index, c->job->bo_count)];
}

/*
 * Is the other uniform of a term, if it has one, what the term must be: a number where that is
 * clamped or the first one is a number, else an address?
 */
static bool check_other(const struct context *c, const struct v3dcl_abstract_value *address,
			__u32 index)
{
	__u32 other = address->by[index];
	bool number = address->clamped >> index & 1 ||
		      c->owners[address->slot[index]] == NOT_OWNED;

	if (!(address->factor >> index & 1) || other == V3DCL_NO_FACTOR)
		return true;
	if (NEVER(other >= c->count))
		return refuse_word(c, V3DCL_RULE_INTERNAL, index, other, c->count);
	return (c->owners[other] == NOT_OWNED) == number ||
	       refuse_word(c, V3DCL_RULE_ADDRESS_RELOC, other, number, !number);
}

/* Which of the terms of an address is the relocated one; the rest are numbers. */
static bool find_base(const struct context *c, const struct v3dcl_abstract_value *address,
		      __u32 *base)
{
	__u32 i, found = 0;

	*base = 0;
	for (i = 0; i < address->count; i++) {
		/* As v3dcl_evaluate() will find */
		if (NEVER(i >= V3DCL_TERMS || address->slot[i] >= c->count))
			return refuse_word(c, V3DCL_RULE_INTERNAL, i, address->count, c->count);
		if (!check_other(c, address, i))
			return false;
		if (c->owners[address->slot[i]] == NOT_OWNED)
			continue;
		if (address->clamped >> i & 1 || address->scale[i] != 1)
			return refuse_word(c, V3DCL_RULE_ADDRESS_RELOC, address->slot[i], 0, 1);
		*base = i;
		found++;
	}
	return found == 1 ||
	       refuse_word(c, V3DCL_RULE_ADDRESS_RELOC, address->slot[*base], found, 1);
}

static bool evaluate(const struct context *c, const struct v3dcl_abstract_value *number,
		     struct v3dcl_range *range)
{
	__u32 slot;

	return v3dcl_evaluate(number, c->words, c->count, range, &slot) ||
	       refuse_word(c, V3DCL_RULE_LIMIT_NEGATIVE, slot,
			   ALWAYS(slot < c->count) ? c->words[slot] : 0, 0);
}

/* An access at the address of one relocation and numbers */
static bool check_inside(const struct context *c, const struct v3dcl_abstract_value *address,
			 __u32 slot, __u32 bytes, __u32 flags)
{
	const struct v3dcl_bo *bo;
	struct v3dcl_range range;

	bo = relocated_bo(c, slot, flags);
	if (!bo || !evaluate(c, address, &range))
		return false;
	/*
	 * No term wraps what is inside: bytes and size are below 2^32, spread below 2^50. What
	 * begins before the BO is beyond its end: the difference is unsigned, and the BO ends with
	 * the address space at the latest.
	 */
	if (range.first - bo->address + range.spread + bytes > bo->size)
		return refuse_word(c, V3DCL_RULE_ADDRESS_END, slot,
				   (__u64)range.first - bo->address + range.spread + bytes,
				   bo->size);
	/*
	 * So what is inside does not begin before it; see v3dcl_evaluate() and v3dcl_dma_bytes()
	 * for the rest.
	 */
	if (NEVER(range.first < bo->address || range.spread >> 50 || !bytes))
		return refuse_word(c, V3DCL_RULE_ADDRESS_END, slot, range.spread, bytes);
	return true;
}

/* An access, in the BO of each relocation that its address may come from */
static bool check_span(const struct context *c, const struct v3dcl_use *use, __u32 bytes,
		       __u32 flags)
{
	struct v3dcl_abstract_value address = use->address;
	__u32 base;

	if (!find_base(c, &address, &base))
		return false;
	address.factor &= ~(1u << base);
	if (!check_inside(c, &address, address.slot[base], bytes, flags))
		return false;
	if (!(use->address.factor >> base & 1))
		return true;
	address.slot[base] = address.by[base];
	return check_inside(c, &address, address.slot[base], bytes, flags);
}

/* A word of which all but a field is known: it must not leave that field. */
static bool evaluate_word(const struct context *c, const struct v3dcl_abstract_value *number,
			  __u32 field, struct v3dcl_range *range)
{
	__u32 last;

	if (!evaluate(c, number, range))
		return false;
	last = range->first + range->spread;
	if (range->spread >> 32 || last < range->first ||
	    ((range->first ^ number->low) | (range->first ^ last)) & ~field)
		return refuse_word(c, V3DCL_RULE_SETUP_WORD, number->count ? number->slot[0] : 0,
				   last, number->low);
	return true;
}

static bool check_transfer(const struct context *c, const struct v3dcl_use *use, bool store)
{
	struct v3dcl_dma dma = { .store = store };
	struct v3dcl_range range;
	__u32 rule;

	if (!evaluate_word(c, &use->setup, v3dcl_setup_field(store, false), &range))
		return false;
	dma.first = range.first;
	dma.last = range.first + range.spread;
	if (v3dcl_needs_stride(store, use->setup.low)) {
		if (!evaluate_word(c, &use->stride, v3dcl_setup_field(store, true), &range))
			return false;
		dma.stride = range.first + range.spread;
	}
	rule = v3dcl_dma_rule(&dma);
	if (rule)
		return refuse_word(c, rule, use->setup.count ? use->setup.slot[0] : 0, dma.last,
				   dma.stride);
	return check_span(c, use, v3dcl_dma_bytes(&dma),
			  store ? DRM_V3DCL_RELOC_WRITE : DRM_V3DCL_RELOC_READ);
}

/*
 * Its parameters are uniforms that were read, and the first is there: record_lookup() is called
 * with S.
 */
static bool check_lookup(const struct context *c, const struct v3dcl_use *use)
{
	__u32 parameters[4] = { 0 }, i;
	const struct v3dcl_bo *bo;

	for (i = 0; i < 4; i++) {
		__u32 slot = use->parameters[i];

		if (slot == NO_PARAMETER && ALWAYS(i))
			continue;
		if (NEVER(slot >= c->count))
			return refuse_word(c, V3DCL_RULE_INTERNAL, i, slot, c->count);
		parameters[i] = c->words[slot];
	}
	bo = relocated_bo(c, use->parameters[0], DRM_V3DCL_RELOC_READ);
	if (!bo)
		return false;
	parameters[0] -= bo->address;
	return v3dcl_check_texture(&c->job->refusal, bo,
				   (c->first_uniform + use->parameters[0]) * sizeof(__u32),
				   parameters);
}

static bool check_use(const struct context *c, const struct v3dcl_use *use)
{
	struct v3dcl_range range;

	switch (use->kind) {
	case V3DCL_USE_LOAD:
		return check_transfer(c, use, false);
	case V3DCL_USE_STORE:
		return check_transfer(c, use, true);
	case V3DCL_USE_DIRECT:
		return check_span(c, use, sizeof(__u32), DRM_V3DCL_RELOC_READ);
	case V3DCL_USE_TEXTURE:
		return check_lookup(c, use);
	case V3DCL_USE_SETUP:
		return evaluate_word(c, &use->setup, use->field, &range);
	default:
		/* reset_run() has seen to it; there are no other kinds. */
		return ALWAYS(use->kind == V3DCL_USE_RESET) ||
		       refuse_word(c, V3DCL_RULE_INTERNAL, 0, use->kind, V3DCL_USE_RESET);
	}
}

static bool check_uses(struct v3dcl_qpu_job *job, __u32 which)
{
	const struct context c = open_run(job, which);
	const struct v3dcl_program *program = program_of(&c);
	__u32 i;

	for (i = 0; i < program->use_count; i++)
		if (!check_use(&c, &program->uses[i]))
			return false;
	return true;
}

/* A semaphore that a job leaves raised would let another client's program go on too early. */
static bool check_semaphores(struct v3dcl_qpu_job *job)
{
	__s32 sums[V3D_QPU_SEMAPHORES] = { 0 };
	__u32 i, n;

	for (i = 0; i < job->program_count; i++) {
		const struct context c = open_run(job, i);

		for (n = 0; n < V3D_QPU_SEMAPHORES; n++)
			sums[n] += program_of(&c)->semaphores[n];
	}
	for (n = 0; n < V3D_QPU_SEMAPHORES; n++)
		if (sums[n])
			return refuse_run(job, V3DCL_RULE_SEMAPHORE_SUM, 0, IN_PROGRAM(handle),
					  (__u32)sums[n], n);
	return true;
}

/**
 * v3dcl_relocate() - check a job of user programs and put addresses into its uniforms
 * @job: all but @runs filled in
 *
 * Two relocations may name one word: the later one holds, both BOs count as used. Each access of a
 * verified program must stay inside the BO of the one relocation that its address comes from, and
 * be allowed by its flags.
 *
 * Return: false with the job's refusal set
 */
bool v3dcl_relocate(struct v3dcl_qpu_job *job)
{
	__u32 words = job->uniforms.size / sizeof(__u32), i, end;

	if (job->uniforms.size &&
	    __builtin_add_overflow(job->uniforms.address, job->uniforms.size - 1, &end))
		return v3dcl_refuse(&job->refusal, DRM_V3DCL_PART_UNIFORMS, V3DCL_RULE_OVERFLOW, 0,
				    job->uniforms.size, 0);
	for (i = 0; i < words; i++)
		job->owners[i] = NOT_OWNED;
	for (i = 0; i < job->program_count; i++)
		if (!check_run(job, i))
			return false;
	for (i = 0; i < job->reloc_count; i++)
		if (!relocate(job, i))
			return false;
	for (i = 0; i < job->program_count; i++)
		if (!reset_run(job, i))
			return false;
	for (i = 0; i < job->program_count; i++)
		if (!check_told(job, i))
			return false;
	for (i = 0; i < job->program_count; i++)
		if (!check_uses(job, i))
			return false;
	if (!check_semaphores(job))
		return false;
	for (i = 0; i < words; i++)
		v3dcl_put_le32(job->uniforms.cpu + i * sizeof(__u32), job->words[i]);
	return true;
}
