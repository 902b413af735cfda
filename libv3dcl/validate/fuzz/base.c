// SPDX-License-Identifier: MIT
/* Jobs of a corpus, changed: see base.h. */
#include "base.h"
#include "make.h"

#define MOST_BYTES (1u << 20)	/* of all BOs of data together */
#define MOST_PIXELS (256 * 256)

static bool is_small(const struct trial *t)
{
	uint64_t bytes = 0;

	for (uint32_t i = 0; i < t->bo_count; i++)
		bytes += t->bos[i].size;
	return bytes <= MOST_BYTES && t->submit.width * t->submit.height <= MOST_PIXELS &&
	       t->bo_count;
}

bool base_open(struct base *base, const char *name, struct trial *trial)
{
	struct corpus at;
	int next;

	base->count = 0;
	if (!corpus_open(&base->corpus, name))
		return false;
	at = base->corpus;
	do {
		base->jobs[base->count] = at;
		next = corpus_next(&at, trial);
		base->count += next > 0 && is_small(trial);
	} while (next > 0 && base->count < BASE_JOBS);
	return next >= 0;
}

/* An instruction of one of the shaders, whose length stays */
static void change_code(struct trial *t, struct dice *d)
{
	const struct trial_bo *bo = &t->bos[roll(d, t->bo_count)];
	struct v3d_qpu_inst inst;
	uint64_t *word;

	if (bo->kind == TRIAL_DATA || !bo->count)
		return;
	word = &t->code[bo->first + roll(d, bo->count)];
	inst = make_soup(d);
	if (one_in(d, 2))
		*word ^= UINT64_C(1) << roll(d, 64);
	else if (one_in(d, 2))
		*word = t->code[bo->first + roll(d, bo->count)];
	else if (inst.kind != QB_BAD)
		*word = v3d_qpu_encode(&inst);
}

static void change_bo(struct trial *t, struct dice *d)
{
	struct trial_bo *bo = &t->bos[roll(d, t->bo_count)];

	if (bo->kind == TRIAL_DATA)
		bo->size = one_in(d, 2) ? near(d, bo->size, 4096) : 16 + roll(d, bo->size + 4096);
}

static void change_submit(struct drm_vc4_submit_cl *submit, struct dice *d)
{
	switch (roll(d, 4)) {
	case 0:
		submit->width = near(d, submit->width, 64);
		break;
	case 1:
		submit->height = near(d, submit->height, 64);
		break;
	case 2:
		submit->max_x_tile = near(d, submit->max_x_tile, 1);
		break;
	default:
		submit->color_write.offset = near(d, submit->color_write.offset, 16);
		break;
	}
}

void base_make(const struct base *base, struct trial *trial, struct dice *d)
{
	struct corpus job = base->jobs[roll(d, base->count)];
	const uint64_t seed = trial->seed;

	(void)corpus_next(&job, trial);
	trial->seed = seed;
	for (uint32_t changes = 1 + roll(d, 3); changes; changes--) {
		switch (roll(d, 8)) {
		case 0:
			make_change(d, &trial->bin);
			break;
		case 1:
			make_change(d, &trial->records);
			break;
		case 2:
		case 3:
			make_change(d, &trial->uniforms);
			break;
		case 4:
			change_bo(trial, d);
			break;
		case 5:
			change_submit(&trial->submit, d);
			break;
		default:
			change_code(trial, d);
			break;
		}
	}
	make_places(trial, d);
}
