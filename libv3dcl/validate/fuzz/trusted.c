// SPDX-License-Identifier: MIT
/* Programs that are not verified, and raw lists: see trusted.h. */
#include <string.h>

#include <v3d/qpu.h>

#include "lists.h"
#include "make.h"
#include "submits.h"
#include "trusted.h"

#define PLACES 3
#define SIGNAL(word) ((word) >> 60)
#define BITS(word, low, count) ((uint32_t)((word) >> (low)) & ((1u << (count)) - 1))

/* AG100 Figure 4 and Tables 1, 9 and 11, by their bits */
static const char *encoding(uint64_t word)
{
	const uint32_t load = BITS(word, 57, 3), condition = BITS(word, 52, 4),
		       op = BITS(word, 24, 5);

	switch (SIGNAL(word)) {
	case V3D_QPU_SIG_BREAK:
		return "unverified code with a breakpoint";
	case V3D_QPU_SIG_LOAD_IMMEDIATE:
		return load == 2 || load > 4 ? "unverified code with a load that there is not" :
					       NULL;
	case V3D_QPU_SIG_BRANCH:
		return condition > 11 && condition < 15 ?
			       "unverified code with a condition that there is not" :
			       NULL;
	default:
		return (op > 8 && op < 12) || (op > 24 && op < 30) ?
			       "unverified code with an operation that there is not" :
			       NULL;
	}
}

static const char *code_broken(const uint64_t *code, uint32_t count)
{
	const char *broken = NULL;
	uint32_t end = 0;

	for (uint32_t i = 0; i + V3D_QPU_END_SLOTS < count; i++)
		end = SIGNAL(code[i]) == V3D_QPU_SIG_PROGRAM_END ? i + 1 + V3D_QPU_END_SLOTS : end;
	if (!end)
		return "unverified code without an end";
	for (uint32_t i = 0; i < end && !broken; i++)
		broken = encoding(code[i]);
	return broken;
}

/* One thing that there must not be, or its end not there */
static uint32_t break_code(uint64_t *code, uint32_t count, struct dice *d)
{
	const uint32_t at = roll(d, count);

	switch (roll(d, 6)) {
	case 0:
		code[at] &= ~(UINT64_C(15) << 60);
		return count;
	case 1:
		code[at] = UINT64_C(14) << 60 | (uint64_t)roll(d, 8) << 57;
		return count;
	case 2:
		code[at] = UINT64_C(15) << 60 | (uint64_t)roll(d, 16) << 52;
		return count;
	case 3:
		code[at] = (code[at] & ~(UINT64_C(31) << 24)) | (uint64_t)roll(d, 32) << 24;
		return count;
	case 4:
		return roll(d, count + 1);
	default:
		return make_mutant(d, code, count);
	}
}

static const char *unverified(const struct trial *t, struct dice *d)
{
	uint64_t code[MAKE_CODE];
	struct v3dcl_program program;
	struct v3dcl_refusal refusal;
	uint32_t count = t->bos[0].count;

	if (t->bos[0].kind != TRIAL_PROGRAM || !count || count >= MAKE_CODE)
		return NULL;
	memcpy(code, t->code + t->bos[0].first, count * sizeof(code[0]));
	count = break_code(code, count, d);
	if (!v3dcl_check_unverified((const __u64 *)code, count, &program, &refusal))
		return NULL;
	return code_broken(code, count);
}

/* Mostly the last byte of the BO, or what is near it */
static struct drm_v3dcl_list some_list(const struct trial *t, struct dice *d)
{
	struct drm_v3dcl_list list = { .bo = roll(d, t->bo_count + one_in(d, 8)) };
	const uint32_t size = list.bo < t->bo_count ? t->bos[list.bo].size : 16;

	list.end = one_in(d, 4) ? size : near(d, size, 1);
	list.start = one_in(d, 3) ? list.end : roll(d, list.end + 2);
	return list;
}

static struct drm_v3dcl_address some_place(const struct trial *t, struct dice *d)
{
	struct drm_v3dcl_address place = { .bo = roll(d, t->bo_count + one_in(d, 8)),
					   .target = roll(d, t->bo_count + one_in(d, 8)) };

	if (place.bo < t->bo_count)
		place.offset = one_in(d, 2) ? near(d, t->bos[place.bo].size - 4, 1) : roll(d, 16);
	if (place.target < t->bo_count)
		place.target_offset = one_in(d, 2) ? near(d, t->bos[place.target].size - 1, 1) : 0;
	return place;
}

static bool is_data(const struct trial *t, uint32_t bo)
{
	return bo < t->bo_count && t->bos[bo].kind == TRIAL_DATA;
}

static bool is_list(const struct trial *t, const struct drm_v3dcl_list *list, uint32_t start,
		    uint32_t end)
{
	if (list->start == list->end)
		return start == end;
	return is_data(t, list->bo) && list->start < list->end &&
	       list->end <= t->bos[list->bo].size &&
	       t->bos[list->bo].address + (uint64_t)list->end < UINT64_C(1) << 32 &&
	       start == t->bos[list->bo].address + list->start &&
	       end == t->bos[list->bo].address + list->end;
}

static bool is_place(const struct trial *t, const struct drm_v3dcl_address *place,
		     __u8 *const *cpu)
{
	return is_data(t, place->bo) && cpu[place->bo] &&
	       (uint64_t)place->offset + 4 <= t->bos[place->bo].size &&
	       place->target < t->bo_count && place->target_offset < t->bos[place->target].size;
}

static const char *lists_broken(const struct trial *t, const struct v3dcl_lists_job *job)
{
	const struct drm_v3dcl_submit_lists *s = job->submit;

	if (s->bin.start == s->bin.end && s->render.start == s->render.end)
		return "raw lists of which there are none";
	if (!is_list(t, &s->bin, job->bin_start, job->bin_end) ||
	    !is_list(t, &s->render, job->render_start, job->render_end))
		return "a raw list that is not in its BO";
	for (uint32_t i = 0; i < s->address_count; i++)
		if (!is_place(t, &job->addresses[i], job->cpu))
			return "an address of raw lists, or its place, that is in no BO";
	return NULL;
}

/* The address is added to the word at its place. */
static const char *place(const struct checked *c, const struct trial *t,
			 const struct v3dcl_lists_job *job)
{
	const struct drm_v3dcl_address *at = &job->addresses[0];
	uint8_t *bytes = c->host + t->bos[at->bo].address + at->offset;
	uint32_t before, after;

	memcpy(&before, bytes, sizeof(before));
	v3dcl_place_addresses(job);
	memcpy(&after, bytes, sizeof(after));
	return after == before + t->bos[at->target].address + at->target_offset ?
		       NULL :
		       "a word of raw lists that is not the address asked for";
}

static const char *raw_lists(struct checked *c, const struct trial *t, struct dice *d)
{
	struct drm_v3dcl_address places[PLACES] = { 0 };
	const struct drm_v3dcl_submit_lists submit = {
		.bin = some_list(t, d),
		.render = some_list(t, d),
		.address_count = roll(d, 2) ? roll(d, PLACES + 1) : 0,
	};
	__u8 *cpu[TRIAL_BOS];
	struct v3dcl_lists_job job = { .submit = &submit, .addresses = places, .bos = c->bos,
				       .cpu = cpu, .bo_count = t->bo_count };
	const char *broken;

	for (uint32_t i = 0; i < submit.address_count; i++)
		places[i] = some_place(t, d);
	for (uint32_t i = 0; i < t->bo_count; i++)
		cpu[i] = one_in(d, 8) ? NULL : c->host + t->bos[i].address;
	if (!v3dcl_check_lists(&job))
		return NULL;
	broken = lists_broken(t, &job);
	return broken || submit.address_count != 1 ? broken : place(c, t, &job);
}

const char *trusted_broken(struct checked *c, const struct trial *t)
{
	struct dice d = { t->seed + 2 };
	const char *broken = unverified(t, &d);

	for (uint32_t i = 0; i < 4 && !broken; i++)
		broken = raw_lists(c, t, &d);
	return broken ? broken : submits_broken(&d);
}
