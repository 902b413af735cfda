/* SPDX-License-Identifier: MIT */
/*
 * Faults, so that the oracle can be seen to fail. Those planted beside the checker have names: what
 * the checker found out is falsified. Those planted in the checker have numbers: a refusal or bound
 * is left out, in the one build of the oracle that scripts/plants makes.
 */
#ifndef V3DCL_JOB_FUZZ_PLANT_H
#define V3DCL_JOB_FUZZ_PLANT_H

#include "check.h"

/* X(NAME, name, text) */
#define PLANTS(X) \
	X(EXTENT, "extent", "BOs count as 64 bytes longer than they are") \
	X(READ, "read", "what a job reads is not recorded") \
	X(WRITE, "write", "what a job writes is not recorded") \
	X(BINNING, "binning", "what binning reads is not recorded") \
	X(UNIFORM, "uniform", "a uniform stream counts as one word shorter, if that is a number") \
	X(CODE, "code", "a BO of code that is run is not recorded")
#define PLANT_CONSTANT(NAME, name, text) PLANT_##NAME,
enum plant { PLANT_NONE, PLANTS(PLANT_CONSTANT) PLANT_COUNT };

/* By its name; PLANT_COUNT if there is no such fault */
enum plant plant_find(const char *name);

/* Prints all faults, a line each */
void plant_print(FILE *file);

/**
 * plant_in_checker() - refusals and bounds are left out from here on
 * @numbers: of scripts/plants --list, joined by +
 * Return: false: this oracle's checker has none with these numbers
 */
bool plant_in_checker(const char *numbers);

/**
 * plant_needed() - of several, the one that a failure needs, by its number: see plant_switch().
 * Return: false: there is none with this number
 */
bool plant_needed(const char *number);

/* Takes out the plant that is needed, or plants it again. Return: false: none is needed */
bool plant_switch(bool on);

/* A trial begins: for the counts of what plants in the checker did */
void plant_job(void);

/* Between the check of the code and that of the job */
void plant_before(enum plant plant, struct checked *c, const struct trial *t);

/* Between the check of the job and its run */
void plant_after(enum plant plant, struct checked *c, const struct trial *t);

#endif /* V3DCL_JOB_FUZZ_PLANT_H */
