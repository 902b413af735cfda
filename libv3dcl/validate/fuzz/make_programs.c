// SPDX-License-Identifier: MIT
/*
 * Jobs of user programs by grammar: runs, uniforms and relocations, and BOs that end about where
 * the programs' accesses do.
 */
#include "vpm_dma.h"
#include "program.h"

#define WORDS (2 * MAKE_CODE)
#define EMPTY_ONE_IN 512 /* programs */

enum { DATA_READ, DATA_WRITE, DATA_BOTH, DATA_TEXTURE, DATAS };

/* What make_programs_code() leaves for make_programs() */
static struct {
	struct program programs[2];
	uint32_t count;
	bool twins;	/* the same code in two BOs, so that each stream has a program of its own */
} made;

void make_programs_code(struct trial *t, struct dice *d)
{
	const uint32_t wild = roll(d, 8), sema = one_in(d, 8) ? 1 + roll(d, 16) : 0;
	const bool twins = !sema && one_in(d, 12);
	uint64_t code[MAKE_CODE];
	uint32_t i;

	t->kind = TRIAL_QPU;
	made.count = 1 + (sema || (!twins && one_in(d, 8)));
	made.twins = twins;
	for (i = 0; i < made.count; i++) {
		struct program *p = &made.programs[i];

		p->d = d;
		p->words = p->far = 0;
		memset(p->kept, 0, sizeof(p->kept));
		p->loaded = p->frozen = 0;
		p->wild = wild == i;
		p->up = i == 1 ? sema : 0;
		p->down = i == 0 ? sema : 0;
		(void)trial_code(t, TRIAL_PROGRAM, code,
				 one_in(d, EMPTY_ONE_IN) ? 0 : program_write(p, code));
	}
	if (twins) {
		made.programs[made.count++] = made.programs[0];
		(void)trial_code(t, TRIAL_PROGRAM, code, t->bos[0].count);
	}
	for (i = 0; i < DATAS; i++)
		(void)trial_bo(t, 0, 16);
}

struct job {
	struct trial *t;
	struct dice *d;
	const struct checked *c;
	uint32_t need[DATAS];		/* bytes of each BO of data */
	uint32_t words;			/* of the run's uniforms */
	bool wild;
};

static bool slip(struct job *j, uint32_t n)
{
	return j->wild && one_in(j->d, n);
}

static uint32_t data_of(struct job *j, uint8_t role)
{
	if (role == ROLE_TEXTURE0)
		return DATA_TEXTURE;
	if (slip(j, 8))
		return roll(j->d, DATAS);
	return one_in(j->d, 4) ? DATA_BOTH : role == ROLE_READ ? DATA_READ : DATA_WRITE;
}

static void reloc(struct job *j, uint32_t run, uint32_t slot, uint8_t role, uint32_t data)
{
	uint32_t flags = role == ROLE_WRITE ? DRM_V3DCL_RELOC_WRITE : DRM_V3DCL_RELOC_READ;
	struct trial *t = j->t;

	if (t->reloc_count == TRIAL_RELOCS || slip(j, 16) || (slot >= j->words && !slip(j, 4)))
		return;
	if (one_in(j->d, 8) || slip(j, 8))
		flags = roll(j->d, 4) | (slip(j, 2) ? 0 : flags);
	t->reloc_bos[t->reloc_count] = made.count + data;
	t->relocs[t->reloc_count] = (struct drm_v3dcl_reloc){
		.program = slip(j, 32) ? roll(j->d, 4) : run,
		.slot = slip(j, 16) ? roll(j->d, 80) : slot,
		.offset = role == ROLE_TEXTURE0 || one_in(j->d, 2) ? 0 : 4 * roll(j->d, 32),
		.flags = flags,
		.pad = slip(j, 64),
	};
	if (t->relocs[t->reloc_count].offset >= j->need[data])
		j->need[data] = t->relocs[t->reloc_count].offset + 4;
	t->reloc_count++;
}

/*
 * Texture parameters follow each other in the stream. Bits of parameter 0 below the address are
 * added to a relocation's offset.
 */
static void texture(struct job *j, uint32_t run, const struct program *p, uint32_t slot,
		    uint32_t *words)
{
	const uint32_t first = j->t->reloc_count, left = p->words - slot,
		       count = left < 4 ? left : 4;
	uint32_t parameters[4], bytes, used = 1;

	while (used < count && p->roles[slot + used] == ROLE_TEXTURE0 + used)
		used++;
	bytes = make_texture(j->d, slip(j, 1), used, parameters);
	for (uint32_t i = 0; i < used && i < count; i++)
		words[slot + i] = parameters[i];
	reloc(j, run, slot, ROLE_TEXTURE0, DATA_TEXTURE);
	if (j->t->reloc_count > first)
		j->t->relocs[first].offset = parameters[0];
	/* A relocation's offset, with those bits, has to be inside the BO as well. */
	if (bytes <= parameters[0])
		bytes = parameters[0] + 4;
	if (bytes > j->need[DATA_TEXTURE])
		j->need[DATA_TEXTURE] = bytes < 1 << 22 ? bytes : 1 << 22;
}

/* How far this use reaches into the BO of its address */
static void need(struct job *j, uint32_t run, const struct v3dcl_use *use, const uint32_t *words,
		 uint32_t relocs)
{
	struct v3dcl_range range, setup, stride = { 0 };
	struct v3dcl_dma dma = { .store = use->kind == V3DCL_USE_STORE };
	uint32_t slot, i, data;
	uint64_t bytes = 4;

	if (use->kind > V3DCL_USE_DIRECT ||
	    !v3dcl_evaluate(&use->address, words, WORDS, &range, &slot))
		return;
	if (use->kind != V3DCL_USE_DIRECT) {
		if (!v3dcl_evaluate(&use->setup, words, WORDS, &setup, &slot) ||
		    !v3dcl_evaluate(&use->stride, words, WORDS, &stride, &slot))
			return;
		dma.first = setup.first;
		dma.last = setup.first + setup.spread;
		dma.stride = stride.first + stride.spread;
		bytes = v3dcl_dma_bytes(&dma);
	}
	for (i = relocs; i < j->t->reloc_count; i++) {
		const struct drm_v3dcl_reloc *r = &j->t->relocs[i];

		for (slot = 0; slot < use->address.count; slot++) {
			uint64_t end = range.first + range.spread + bytes + r->offset;

			data = j->t->reloc_bos[i] - made.count;
			if (r->program == run && use->address.slot[slot] == r->slot &&
			    end < 1 << 18 && end > j->need[data])
				j->need[data] = end;
		}
	}
}

/* As many bytes behind it as make it so long, of noughts; not where there is no room */
static void stretch(struct trial_part *part, uint32_t size)
{
	if (size <= part->size || size > sizeof(part->bytes))
		return;
	memset(part->bytes + part->size, 0, size - part->size);
	part->size = size;
}

static void add_run(struct job *j, uint32_t which)
{
	const struct program *p = &made.programs[which];
	const struct v3dcl_program *found = &j->c->programs[which];
	const uint32_t run = j->t->program_count++, relocs = j->t->reloc_count;
	uint32_t words[WORDS] = { 0 }, i, count = p->words;

	count -= slip(j, 16) && count;
	j->words = count = one_in(j->d, 4) ? count :
			   found->uniform_words < count ? found->uniform_words :
							  count;
	if (p->far)
		j->words = count = p->far;
	for (i = 0; i < p->words; i++) {
		switch (p->roles[i]) {
		case ROLE_NUMBER:
			words[i] = one_in(j->d, 2) ? 4 * roll(j->d, 32) : roll(j->d, 256);
			break;
		case ROLE_LIMIT:
			words[i] = one_in(j->d, 2) ? 4 * roll(j->d, 256) : roll(j->d, 64);
			break;
		case ROLE_READ:
		case ROLE_WRITE:
			reloc(j, run, i, p->roles[i], data_of(j, p->roles[i]));
			break;
		case ROLE_TEXTURE0:
			texture(j, run, p, i, words);
			break;
		}
		if (slip(j, 32))
			words[i] = odd_number(j->d);
	}
	/* Some jump far ahead in the stream. */
	for (i = 0; (p->far || found->uniform_words <= WORDS) && i < found->use_count; i++)
		need(j, run, &found->uses[i], words, relocs);
	j->t->program_bos[run] = slip(j, 64) ? roll(j->d, made.count + DATAS + 1) : which;
	j->t->programs[run] = (struct drm_v3dcl_program){
		.offset = slip(j, 64) ? 8 * roll(j->d, 8) : 0,
		.first_uniform = j->t->uniforms.size / 4,
		.uniform_count = count,
	};
	(void)trial_add(&j->t->uniforms, words, 4 * p->words);
	stretch(&j->t->uniforms, 4 * (j->t->programs[run].first_uniform + p->far));
}

#define WRONG_ONE_IN 3

/* A word of a run that takes the address of its stream, or this one */
static uint32_t word_of_stream(const struct trial *t, uint32_t run, uint32_t other)
{
	const uint32_t which = t->program_bos[run], count = t->programs[run].uniform_count;

	for (uint32_t i = 0; which < made.count && i < count && i < PROGRAM_WORDS; i++)
		if (made.programs[which].roles[i] == ROLE_STREAM)
			return i;
	return other;
}

static void wrong_relocation(struct trial *t, struct dice *d)
{
	struct drm_v3dcl_reloc *r = &t->relocs[roll(d, t->reloc_count)];
	const uint32_t which = r - t->relocs;

	switch (roll(d, 8)) {
	case 0:
		r->pad = 1;
		break;
	case 1:
		r->flags ^= 1u << roll(d, 3);
		break;
	case 2:
		r->program = t->program_count;
		break;
	case 3:
		r->slot = t->programs[r->program].uniform_count;
		break;
	case 4:
		r->offset = t->bos[t->reloc_bos[which]].size;
		break;
	case 5: /* no BO, code, or another BO of data */
		t->reloc_bos[which] = roll(d, made.count + DATAS + 1);
		break;
	case 6:
		*r = t->relocs[--t->reloc_count];
		t->reloc_bos[which] = t->reloc_bos[t->reloc_count];
		break;
	default: /* another word, be it the stream's own address */
		r->slot = roll(d, t->programs[r->program].uniform_count);
		if (one_in(d, 2))
			r->slot = word_of_stream(t, r->program, r->slot);
		break;
	}
}

static void wrong_run(struct trial *t, struct dice *d)
{
	struct drm_v3dcl_program *run = &t->programs[roll(d, t->program_count)];
	const uint32_t which = run - t->programs;

	switch (roll(d, 5)) {
	case 0:
		run->offset = 4 * roll(d, 2 * MAKE_CODE);
		if (one_in(d, 2) && t->program_bos[which] < made.count)	/* behind its last end */
			run->offset = 8 * (t->bos[t->program_bos[which]].count - roll(d, 3));
		break;
	case 1:
		run->uniform_count -= run->uniform_count != 0;
		break;
	case 2:
		run->first_uniform = t->uniforms.size / 4 - (one_in(d, 2) && run->uniform_count);
		break;
	case 3:
		t->program_bos[which] = roll(d, made.count + DATAS + 1);
		break;
	default: /* words that are another run's as well, or a little further on */
		run->first_uniform = roll(d, t->uniforms.size / 4 + 1);
		break;
	}
}

/* One wrong thing in a job that is right otherwise: a relocation, a run, a word */
static void wrong_job(struct trial *t, struct dice *d)
{
	const uint32_t words = t->uniforms.size / 4, kind = roll(d, 3);
	uint32_t word = one_in(d, 2) ? odd_number(d) : 0x80000000u + 4 * roll(d, 64);

	if (kind == 0 && t->reloc_count)
		wrong_relocation(t, d);
	else if (kind == 1 || !words)
		wrong_run(t, d);
	else
		memcpy(t->uniforms.bytes + 4 * roll(d, words), &word, sizeof(word));
}

/*
 * How much further on another run of the first program may begin so that a word has the address of
 * both streams: from its first such word to its last; 0: there are not two
 */
static uint32_t streams_apart(const struct trial *t)
{
	const uint32_t first = word_of_stream(t, 0, PROGRAM_WORDS);
	uint32_t i, last = first;

	for (i = first; i < PROGRAM_WORDS && i < t->programs[0].uniform_count; i++)
		if (made.programs[0].roles[i] == ROLE_STREAM)
			last = i;
	return last - first;
}

/* With uniforms of its own, or partly those of the first run */
static uint32_t second_uniforms(const struct trial *t, struct dice *d, uint32_t own)
{
	switch (roll(d, 8)) {
	case 0:
		return 0;
	case 1:
		return roll(d, t->uniforms.size / 4);
	case 2:
		return streams_apart(t);
	default:
		return own;
	}
}

void make_programs(struct trial *t, struct dice *d, const struct checked *c)
{
	struct job j = { .t = t, .d = d, .c = c, .wild = one_in(d, 8) };
	uint32_t i;

	for (i = 0; i < made.count; i++)
		add_run(&j, i);
	if (made.twins && one_in(d, 2))
		t->programs[1].first_uniform = streams_apart(t);
	else if (made.twins)
		t->programs[1].first_uniform =
			second_uniforms(t, d, t->programs[1].first_uniform);
	if (one_in(d, 8) && !made.programs[0].down) {
		struct drm_v3dcl_program *second = &t->programs[t->program_count];

		add_run(&j, 0);
		second->first_uniform = second_uniforms(t, d, second->first_uniform);
	}
	for (i = 0; i < DATAS; i++)
		t->bos[made.count + i].size = !j.need[i] ? 16 :
					      slip(&j, 4) ? near(d, j.need[i], 4) :
							    j.need[i];
	if (!j.wild && one_in(d, WRONG_ONE_IN))
		wrong_job(t, d);
	make_places(t, d);
}
