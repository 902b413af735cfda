/* SPDX-License-Identifier: MIT */
/*
 * Faults planted beside the checker, so that the oracle can be seen to fail: what the checker found
 * out is falsified.
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
	X(UNIFORM, "uniform", "a uniform stream counts as one word shorter than it is") \
	X(CODE, "code", "a BO of code that is run is not recorded")
#define PLANT_CONSTANT(NAME, name, text) PLANT_##NAME,
enum plant { PLANT_NONE, PLANTS(PLANT_CONSTANT) PLANT_COUNT };

/* By its name; PLANT_COUNT if there is no such fault */
enum plant plant_find(const char *name);

/* Prints all faults, a line each */
void plant_print(FILE *file);

/* Between the check of the code and that of the job */
void plant_before(enum plant plant, struct checked *c, const struct trial *t);

/* Between the check of the job and its run */
void plant_after(enum plant plant, struct checked *c, const struct trial *t);

#endif /* V3DCL_JOB_FUZZ_PLANT_H */
