/* SPDX-License-Identifier: MIT */
/*
 * v3dcl probe: questions to a chip. A question is a small job (probe/NAME.v3d) whose result tells a
 * chip that has a mode from one that has not, or a look at what the machine says of the chip.
 */
#ifndef V3DCL_PROBE_H
#define V3DCL_PROBE_H

#include <v3d/chip.h>

#include "v3dcl_buffer.h"
#include "v3dcl_device.h"

/**
 * struct probe - who is asked
 * @device: open
 * @node: path of its DRM node; NULL for a simulated device
 */
struct probe {
	struct v3dcl_device *device;
	const char *node;
};

/**
 * enum probe_answer - what a chip says
 * @PROBE_NO: it has not the mode; the assumption holds
 * @PROBE_YES: it has it; the assumption does not hold
 * @PROBE_NEITHER: something that neither would do
 * @PROBE_UNTOLD: this cannot be told from here
 */
enum probe_answer { PROBE_NO, PROBE_YES, PROBE_NEITHER, PROBE_UNTOLD };

/**
 * struct probe_told - an answer, with its reason
 * @answer: see enum probe_answer
 * @seen: what was seen, or why nothing was
 */
struct probe_told {
	enum probe_answer answer;
	char seen[200];
};

/**
 * struct probe_question - something to ask
 * @name: of the mode, or of what is assumed
 * @asked: a sentence
 * @hang: what a job that hangs says
 * @before: a job that comes before and hangs, so that the V3D is reset; NULL for none
 * @look: asks; NULL: its job tells by itself
 * @otherwise: where no job tells: why, and how a person can. Else NULL
 */
struct probe_question {
	const char *name, *asked;
	enum probe_answer hang;
	const char *before;
	void (*look)(const struct probe *probe, const struct probe_question *question,
		     struct probe_told *told);
	const char *otherwise;
};

/* A question of each mode of <v3d/chip.h>; then what the checker assumes of every chip */
extern const struct probe_question probe_modes[V3D_CHIP_MODE_COUNT];
extern const struct probe_question probe_assumptions[];
extern const unsigned int probe_assumption_count;

/* Why something cannot be told from here */
__attribute__((format(printf, 3, 4))) void
probe_tell(struct probe_told *told, enum probe_answer answer, const char *format, ...);
/* Asks a question. @told is filled */
void probe_ask(const struct probe *probe, const struct probe_question *question,
	       struct probe_told *told);

/**
 * probe_job() - the text of a job, as v3dcl_script_read() takes it
 * @name: of the job
 * @text: appended to
 * Return: there is one
 */
bool probe_job(const char *name, struct v3dcl_buffer *text);
/**
 * probe_run() - a job to its end
 * @probe: who is asked
 * @name: of the job
 * @answer: given to @told if it hangs
 * @told: filled if the job has not ended as it should
 * Return: it has
 */
bool probe_run(const struct probe *probe, const char *name, enum probe_answer answer,
	       struct probe_told *told);

/* What the machine knows of the chip: probe_system.c */
void probe_look_spill(const struct probe *probe, const struct probe_question *question,
		      struct probe_told *told);
void probe_look_twice(const struct probe *probe, const struct probe_question *question,
		      struct probe_told *told);
void probe_look_latch(const struct probe *probe, const struct probe_question *question,
		      struct probe_told *told);
void probe_look_keep(const struct probe *probe, const struct probe_question *question,
		     struct probe_told *told);
void probe_look_refuse(const struct probe *probe, const struct probe_question *question,
		       struct probe_told *told);
void probe_look_beside(const struct probe *probe, const struct probe_question *question,
		       struct probe_told *told);

#endif /* V3DCL_PROBE_H */
