/* SPDX-License-Identifier: MIT */
/* A script's things on a device. */
#ifndef V3DCL_LANG_TEXT_RUN_H
#define V3DCL_LANG_TEXT_RUN_H

#include "script.h"

/**
 * struct run_thing - a thing of the script on the device
 * @line: of the text, a program's first; 0 for not yet looked for
 * @bo: memory, or a program's code as memory for lists; 0 for not yet, like the next two
 * @user: a program for user programs
 * @shader: a program for frames
 */
struct run_thing {
	uint32_t bo, user, shader;
	uint32_t line;
};

/**
 * struct run - a script being run
 * @script: what
 * @device: where
 * @things: as many as the script has
 * @options: the caller's
 * @error: the caller's, or NULL
 */
struct run {
	const struct v3dcl_script *script;
	struct v3dcl_device *device;
	struct run_thing *things;
	struct v3dcl_run_options options;
	struct v3dcl_error *error;
	struct v3dcl_error said;	/* of the step at hand */
};

#define RUN_FOR_EVER UINT64_MAX

int run_memory(struct run *run, uint32_t thing, uint8_t **bytes);
int run_code(struct run *run, uint32_t index);
int run_batch(struct run *run, const struct script_batch *batch);
int run_lists(struct run *run, const struct script_lists *lists);
int run_shader(struct run *run, uint32_t thing, uint32_t *handle);
int run_submit(struct run *run, const struct script_submit *submit);
int run_frame(struct run *run, const struct script_frame *frame);
int run_save(struct run *run, const struct script_save *save);
const struct script_thing *run_program_at(const struct run *run, uint32_t handle,
					  uint32_t instruction, uint32_t *line);
int run_refused(struct run *run, uint32_t index, int code);
int run_tell_races(struct run *run);
void run_tell_hang(struct run *run);
void run_tell_traced(void *opaque, const struct v3dcl_traced *traced);
int run_expect(struct run *run, const struct script_expect *expect);

#endif /* V3DCL_LANG_TEXT_RUN_H */
