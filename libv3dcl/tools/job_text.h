/* SPDX-License-Identifier: MIT */
/* A job's text, from a file, with options of the command line. */
#ifndef V3DCL_TOOL_JOB_TEXT_H
#define V3DCL_TOOL_JOB_TEXT_H

#include "tool.h"
#include "v3dcl_text.h"

/* A job as the command line names it */
struct tool_job {
	const char *takes;
	struct tool_device device;
	const char *file, *output, *dump;
	const char *options[TOOL_MOST_DEFINES];
	size_t option_count;
	bool json, quiet, counters;
	unsigned int times;
	/* of watch: --frames, --delay or 0, --once */
	const char *frames;
	unsigned int delay;
	bool once;
};

/**
 * tool_job_options() - read the command line.
 * @takes: letters of the options that the command has.
 *
 * Return: as tool_options()
 */
int tool_job_options(struct tool_job *job, int argc, char **argv, const char *takes,
		     const char *help);

/**
 * tool_job_read() - read the text.
 *
 * Return: 0, or an exit status: @error says why, or its code is 0 and that has been said
 */
int tool_job_read(const struct tool_job *job, struct v3dcl_script **script,
		  struct v3dcl_error *error);

#endif /* V3DCL_TOOL_JOB_TEXT_H */
