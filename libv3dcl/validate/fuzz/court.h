/* SPDX-License-Identifier: MIT */
/*
 * One trial from its seed to its verdict.
 */
#ifndef V3DCL_JOB_FUZZ_COURT_H
#define V3DCL_JOB_FUZZ_COURT_H

#include "base.h"
#include "cover.h"
#include "plant.h"
#include "run.h"

#define COURT_RULES 256
#define NO_GROUP UINT64_MAX
/* seeds that follow each other are of one kind; frames then have the same shaders */
#define GROUP 4

/**
 * struct face_tally - what accepted jobs did on one face of the chip
 * @run: how many ran there
 * @idle: did nothing: no program that reads or writes memory beside its code and uniforms, no list
 *	that draws or stores
 * @endless: not at their end within the budget
 * @stopped: of these, by a fault or in a wait for what never comes, as some errata have it. No
 *	failure: the driver's timeout ends such jobs.
 * @failed: touched what they must not
 */
struct face_tally {
	uint64_t run, idle, endless, stopped, failed;
};

/**
 * struct tally - what was tried, by kind of job
 * @made: jobs that were made
 * @accepted: by the checker; all of them were run
 * @counted: accepted, each shape once (see shape.h), and not idle on some face
 * @face: what they did
 */
struct tally {
	uint64_t made, accepted, counted;
	struct face_tally face[FACES];
};

/**
 * struct failure - what an accepted job did that it must not have done
 * @inside: in words, if it is no access; else NULL
 * @there: what lies where it reached
 * @unit: which unit did
 * @address: where
 * @write: it wrote
 * @moved: it did so with its BOs elsewhere
 */
struct failure {
	const char *inside, *there;
	enum v3dsim_unit unit;
	uint32_t address;
	bool write, moved;
};

/**
 * struct court - all that trials need, used again for each
 * @base: jobs that some are made from, or none
 * @group: of frames, whose shaders @trial has, checked; NO_GROUP for none
 * @group_good: they were accepted
 * @group_code: instructions of theirs, in @group_bos BOs
 * @faces: on which each accepted job is run: a bit each
 * @face: on which @run was, the last one; after a failure the one that failed
 * @moved: with its BOs elsewhere, see make_other_places(), like @face
 * @failure: the last one
 * @trusted: what was accepted of a trusted client and must not have been; NULL: nothing
 * @plant: a fault beside the checker, PLANT_NONE but in tests of the oracle
 * @tally: by enum trial_kind
 * @refused: by rule
 * @cover: shared; NULL: shapes are not looked at
 */
struct court {
	struct machine machine;
	struct checked checked;
	struct trial trial;
	struct run run;
	struct base base;
	uint64_t group;
	bool group_good;
	uint32_t group_code, group_bos;
	unsigned int faces;
	enum face face;
	bool moved;
	struct failure failure;
	const char *trusted;
	enum plant plant;
	struct tally tally[TRIAL_KINDS];
	uint64_t refused[COURT_RULES];
	struct cover *cover;
};

/* Of a chip with both faces; false: no memory */
bool court_new(struct court *court, struct cover *cover);

/* Makes the trial of a seed; false: the checker refuses it */
bool court_make(struct court *court, uint64_t seed);

/* Does the checker accept the trial that is in @court->trial? */
bool court_accepts(struct court *court);

/**
 * court_seed() - makes the trial of a seed and holds it; false: a failure, explained by
 * court_explain()
 */
bool court_seed(struct court *court, uint64_t seed);

/* Holds the trial that is in @court->trial; @made: its code is checked already */
bool court_hold(struct court *court);

/**
 * court_shrink() - after a failure: takes away what the same failure does not need. False: the job
 * does not fail so by itself, and is left as it is
 */
bool court_shrink(struct court *court);

/* After a failure: the job, and the access that must not be */
void court_explain(const struct court *court, FILE *file);

/* After an accepted job without failure: what it did */
void court_describe(const struct court *court, FILE *file);

#endif /* V3DCL_JOB_FUZZ_COURT_H */
