/* SPDX-License-Identifier: MIT */
/*
 * Mainline's checker, built alone at bench time into a shared object (scripts/bench): what is
 * called of it.
 */
#ifndef V3DCL_JOB_BENCH_RIVAL_H
#define V3DCL_JOB_BENCH_RIVAL_H

#include "../../fuzz/trial.h"

/**
 * struct rival - its functions, exported as "rival"
 * @shader: checks a shader, and lets go of what was found
 * @open: its BOs, shaders checked, for a frame; the frame stays in use. NULL: a shader is refused
 * @bin: checks the bin list, records and uniforms
 * @render: makes the render list
 */
struct rival {
	bool (*shader)(const uint64_t *code, uint32_t count);
	void *(*open)(const struct trial *frame);
	bool (*bin)(void *opened);
	bool (*render)(void *opened);
};

#endif /* V3DCL_JOB_BENCH_RIVAL_H */
