// SPDX-License-Identifier: MIT
/* One trial from its seed to its verdict: see court.h. */
#include <string.h>

#include "contract.h"
#include "court.h"
#include "make.h"
#include "names.h"
#include "shape.h"
#include "trusted.h"

bool court_new(struct court *court, struct cover *cover)
{
	court->cover = cover;
	court->group = NO_GROUP;
	court->faces = ALL_FACES;
	if (!machine_new(&court->machine))
		return false;
	court->checked.host = court->machine.host;
	return true;
}

static bool refused(struct court *court)
{
	court->refused[court->checked.refusal.rule % COURT_RULES]++;
	return true;
}

static bool job_accepted(struct court *court)
{
	bool accepted;

	plant_before(court->plant, &court->checked, &court->trial);
	accepted = check_job(&court->checked, &court->trial);
	plant_after(court->plant, &court->checked, &court->trial);
	return accepted;
}

bool court_accepts(struct court *court)
{
	return check_code(&court->checked, &court->trial) && job_accepted(court);
}

/* Said to look at what others have left: then it is scrubbed before, and is 0 */
static bool sees_residue(const struct court *court)
{
	for (uint32_t i = 0; i < court->trial.bo_count; i++)
		if (court->trial.bos[i].kind == TRIAL_SHADER &&
		    court->checked.bos[i].uses & V3DCL_CODE &&
		    court->checked.shaders[i].uses & V3DCL_SHADER_RESIDUE)
			return true;
	return false;
}

#define RESIDUE 0x41414140u /* a small float, and an address of nothing */

/* Whatever others have left in the chip, a job does the same */
static void run_with_residue(struct court *court, enum face face)
{
	struct machine *m = &court->machine;
	const uint64_t before = m->trace;

	if (sees_residue(court))
		return;
	(void)run_trial(m, &court->checked, &court->trial, face, RESIDUE);
	if (!m->broken && m->trace != before) {
		m->broken = true;
		m->inside = "what it does depends on what was left in the chip";
	}
}

static bool accepted_anew(struct court *court)
{
	for (uint32_t i = 0; i < court->trial.bo_count; i++)
		court->checked.bos[i].uses = 0;
	return job_accepted(court);
}

/*
 * Wherever its BOs lie, a job does the same in each of them. So what was formed from one address
 * does not reach another BO, be that the job's as well, and no address is seen in what is written.
 */
static void run_moved(struct court *court, enum face face)
{
	struct machine *m = &court->machine;
	struct trial *t = &court->trial;
	const uint64_t before = m->trace;
	uint32_t kept[TRIAL_BOS];

	if (court->plant != PLANT_NONE)	/* which is planted once a job */
		return;
	for (uint32_t i = 0; i < t->bo_count; i++)
		kept[i] = t->bos[i].address;
	court->moved = make_other_places(t) && accepted_anew(court);
	if (court->moved)
		(void)run_trial(m, &court->checked, t, face, 0);
	if (court->moved && !m->broken && m->trace != before) {
		m->broken = true;
		m->inside = "what it does depends on where its BOs lie";
	}
	for (uint32_t i = 0; i < t->bo_count; i++)
		t->bos[i].address = kept[i];
	(void)accepted_anew(court);
}

static void hold_to_contract(struct court *court)
{
	struct machine *m = &court->machine;
	const char *broken = m->broken ? NULL : contract_broken(&court->trial);

	if (!m->broken && !broken)
		broken = names_broken(&court->checked, &court->trial);
	if (!m->broken && !broken && court->checked.spilt)
		broken = "the checker writes behind its scratch memory";
	if (!broken)
		return;
	m->broken = true;
	m->inside = broken;
}

/* Beside a job of user programs, what a trusted client hands over */
static bool look_at_trusted(struct court *court)
{
	struct machine *m = &court->machine;

	court->trusted = court->trial.kind == TRIAL_QPU ?
				 trusted_broken(&court->checked, &court->trial) :
				 NULL;
	if (!court->trusted)
		return false;
	court->face = FACE_IDEAL;
	m->broken = true;
	m->inside = court->trusted;
	return true;
}

static void run_again(struct court *court)
{
	court->moved = false;
	court->run = run_trial(&court->machine, &court->checked, &court->trial, court->face, 0);
	hold_to_contract(court);
	if (court->machine.broken || court->face != FACE_IDEAL || look_at_trusted(court))
		return;
	run_with_residue(court, court->face);
	if (!court->machine.broken)
		run_moved(court, court->face);
}

/* A job that is all right is run again now and then, where something must not matter. */
static void run_once_more(struct court *court, enum face face)
{
	switch (court->trial.seed % 3) {
	case 0:
		run_with_residue(court, face);
		break;
	case 1:
		run_moved(court, face);
		break;
	default:
		break;
	}
}

/* Runs an accepted job on a face and counts it; does it do anything? */
static bool run_on(struct court *court, enum face face, struct face_tally *tally)
{
	bool acts;

	court->face = face;
	court->moved = false;
	court->run = run_trial(&court->machine, &court->checked, &court->trial, face, 0);
	hold_to_contract(court);
	acts = court->trial.kind == TRIAL_QPU ? court->run.accessed :
						court->run.drew || court->run.stored;
	tally->run++;
	tally->idle += !acts;
	tally->endless += !court->run.ended;
	tally->stopped += court->run.stopped;
	if (face == FACE_IDEAL && !court->machine.broken)
		run_once_more(court, face);
	tally->failed += court->machine.broken;
	return acts;
}

/*
 * Of several plants one has to have a share in a failure: without it the job is refused, and what
 * a trusted client hands over beside it is all right. Else it is none, and says nothing of this
 * plant.
 */
static bool counts(struct court *court)
{
	bool share;

	if (!plant_switch(false))
		return true;
	if (court->trusted) {
		share = !trusted_broken(&court->checked, &court->trial);
	} else {
		court->group = NO_GROUP;
		share = !court_accepts(court);
	}
	(void)plant_switch(true);
	return share;
}

static struct failure failure_of(const struct court *court)
{
	const struct machine *m = &court->machine;
	struct failure failure = { .inside = m->inside, .moved = court->moved };

	if (m->inside)
		return failure;
	failure.there = m->there;
	failure.unit = m->unit;
	failure.address = m->address;
	failure.write = m->write;
	return failure;
}

#define TRUSTED_ONE_IN 4

/* Accepted: runs it on all faces that are asked for, or up to the one on which it fails. */
static bool judge(struct court *court, struct tally *tally)
{
	bool fresh = court->cover &&
		     cover_new(court->cover, shape_of(&court->checked, &court->trial));
	bool acts = false, broken = false;

	for (unsigned int face = 0; face < FACES && !broken; face++) {
		if (!(court->faces >> face & 1))
			continue;
		acts |= run_on(court, face, &tally->face[face]);
		broken = court->machine.broken;
	}
	court->trusted = NULL;
	if (!broken && court->trial.seed % TRUSTED_ONE_IN == 0)
		broken = look_at_trusted(court);
	tally->accepted++;
	tally->counted += fresh && acts;
	if (broken)
		court->failure = failure_of(court);
	return !broken || !counts(court);
}

#define BASE_ONE_IN 16	/* Mesa's frames take long, and are much alike */

/* About as many more programs as are wanted: 50 million, beside 20 million frames */
static enum trial_kind kind_of(uint64_t seed)
{
	return seed / GROUP % 3 ? TRIAL_QPU : TRIAL_FRAME;
}

/* The shaders of a group of frames, checked once; BOs of data as if they were new */
static bool frame_code(struct court *court, uint64_t seed)
{
	struct trial *t = &court->trial;
	struct dice d = { ~(seed / GROUP) };

	if (court->group == seed / GROUP) {
		t->bo_count = court->group_bos;
		t->code_count = court->group_code;
		for (uint32_t i = 0; i < t->bo_count; i++) {
			court->checked.bos[i].uses = 0;
			if (t->bos[i].kind == TRIAL_DATA)
				t->bos[i] = (struct trial_bo){ 0 };
		}
		return court->group_good;
	}
	make_frame_code(t, &d);
	court->group = seed / GROUP;
	court->group_bos = t->bo_count;
	court->group_code = t->code_count;
	court->group_good = check_code(&court->checked, t);
	return court->group_good;
}

bool court_make(struct court *court, uint64_t seed)
{
	struct trial *t = &court->trial;
	struct dice d = { seed };

	trial_begin(t, seed);
	t->kind = kind_of(seed);
	if (t->kind == TRIAL_FRAME && court->base.count && one_in(&d, BASE_ONE_IN)) {
		court->group = NO_GROUP;
		base_make(&court->base, t, &d);
		return court_accepts(court);
	}
	if (t->kind == TRIAL_FRAME) {
		if (!frame_code(court, seed))
			return false;
		make_frame(t, &d, &court->checked);
		return job_accepted(court);
	}
	court->group = NO_GROUP;
	make_programs_code(t, &d);
	if (!check_code(&court->checked, t))
		return false;
	make_programs(t, &d, &court->checked);
	return job_accepted(court);
}

bool court_seed(struct court *court, uint64_t seed)
{
	struct tally *tally = &court->tally[kind_of(seed)];

	tally->made++;
	plant_job();
	return court_make(court, seed) ? judge(court, tally) : refused(court);
}

bool court_hold(struct court *court)
{
	struct trial *t = &court->trial;
	struct tally *tally = &court->tally[t->kind];

	tally->made++;
	return court_accepts(court) ? judge(court, tally) : refused(court);
}

/* In the same way, at whichever address */
static bool is_same(const struct failure *a, const struct failure *b)
{
	return a->inside == b->inside && a->there == b->there && a->unit == b->unit &&
	       a->write == b->write;
}

/* Accepted, and it fails as it did before */
static bool still_fails(struct court *court)
{
	struct failure now;

	if (!court_accepts(court))
		return false;
	run_again(court);
	now = failure_of(court);
	if (!court->machine.broken || !is_same(&now, &court->failure))
		return false;
	court->failure = now;
	return true;
}

/*
 * Instructions become nops, as long as the job is accepted and fails in the same way. False: by
 * itself the job does not, so it is left as it is.
 */
bool court_shrink(struct court *court)
{
	const struct v3d_qpu_inst nop = qb_nop();
	struct trial *t = &court->trial;

	if (!still_fails(court))
		return false;
	for (uint32_t i = 0; i < t->code_count; i++) {
		const uint64_t kept = t->code[i];

		t->code[i] = v3d_qpu_encode(&nop);
		if (!still_fails(court))
			t->code[i] = kept;
	}
	return still_fails(court);
}

static void print_other_places(const struct trial *t, FILE *file)
{
	static struct trial moved;

	moved = *t;
	(void)make_other_places(&moved);
	fputs("once more, its BOs elsewhere:", file);
	for (uint32_t i = 0; i < t->bo_count; i++)
		fprintf(file, " BO %u at 0x%08x", i, moved.bos[i].address);
	fputc('\n', file);
}

void court_explain(const struct court *court, FILE *file)
{
	const struct failure *f = &court->failure;

	trial_print(&court->trial, file);
	if (f->moved)
		print_other_places(&court->trial, file);
	if (f->inside) {
		fprintf(file, "accepted, and then inside %s: %s\n", machine_face(court->face),
			f->inside);
		return;
	}
	fprintf(file, "accepted, and then on %s: %s %s 0x%08x, where there is %s\n",
		machine_face(court->face), machine_unit(f->unit), f->write ? "writes" : "reads",
		f->address, f->there);
}

void court_describe(const struct court *court, FILE *file)
{
	const struct machine *m = &court->machine;
	struct v3dsim_fault fault;
	char text[4096];

	fprintf(file, "accepted; on %s it touches only what it owns, and %s\n",
		machine_face(court->face),
		court->run.ended     ? "ends" :
		court->run.stopped   ? "is stopped" :
				       "did not end within the budget");
	for (unsigned int unit = 0; unit < V3DSIM_UNITS; unit++)
		fprintf(file, "  %-10s %6llu loads %6llu stores\n", machine_unit(unit),
			(unsigned long long)m->loads[unit], (unsigned long long)m->stores[unit]);
	v3dsim_describe(m->sim, text, sizeof(text));
	fputs(text, file);
	if (v3dsim_fault(m->sim, &fault))
		fprintf(file, "%s\n", fault.text);
}
