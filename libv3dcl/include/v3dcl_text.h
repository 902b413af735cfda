/* SPDX-License-Identifier: MIT */
/*
 * The text format: one file holds a whole job. Read it, run it on a device, write what a device was
 * given.
 */
#ifndef V3DCL_TEXT_H
#define V3DCL_TEXT_H

#include <stddef.h>

#include "v3dcl_buffer.h"
#include "v3dcl_device.h"
#include "v3dcl_qpu.h"

#ifdef __cplusplus
extern "C" {
#endif

struct v3dcl_script;

/* Bytes of a text, or of a file that it names, at most */
#define V3DCL_MOST_TEXT (64u << 20)

/**
 * v3dcl_script_read() - text to a job
 * @name: of the file, for messages and for files that it names (relative to it); or NULL
 * @source: the text; need not end in NUL
 * @length: of it, in bytes
 * @options: values for what the text calls an option: "NAME=NUMBER" each, and the text has to have
 *	it; NULL with a count of 0
 * @option_count: of @options
 * @script: set to the job, the caller's: v3dcl_script_free()
 * @error: filled where the call fails; NULL for none. It has line, column and caret.
 *
 * Return: 0, -EINVAL for a text that is wrong, -E2BIG for one that asks for too much, -ENOMEM, or
 * what opening a file gave
 */
int v3dcl_script_read(const char *name, const char *source, size_t length,
		      const char *const *options, size_t option_count, struct v3dcl_script **script,
		      struct v3dcl_error *error);

/**
 * v3dcl_script_free() - free a job
 * @script: or NULL
 */
void v3dcl_script_free(struct v3dcl_script *script);

/**
 * struct v3dcl_script_hazard - a restriction that a program of a job breaks, or memory for the
 *	binner that does not suffice
 * @program: its name; NULL for a tile_binning_mode of a raw list
 * @line: of the job's text, from 1
 * @hazard: which; its instructions are counted in the program, 0 where there is none. Its text is
 *	valid during the callback
 */
struct v3dcl_script_hazard {
	const char *program;
	uint32_t line;
	struct v3dcl_hazard hazard;
};

/**
 * v3dcl_script_hazards() - every restriction that the programs of a job break, each for all that
 * the job uses it for, and each piece of memory that its raw lists give the binner and that is too
 * small or in the wrong place: no device refuses that, and the binner writes where it must not
 * @script: what was read
 * @each: called for each, with @opaque; returns false to end. NULL: they are counted
 * @opaque: handed to it
 *
 * Return: how many were found
 */
uint32_t v3dcl_script_hazards(const struct v3dcl_script *script,
			      bool (*each)(void *opaque, const struct v3dcl_script_hazard *hazard),
			      void *opaque);

/**
 * struct v3dcl_saved - something that a job saves
 * @name: as the script calls it
 * @bytes: @size bytes, valid during the callback
 * @size: bytes
 * @width: pixels, 0 for plain bytes
 * @height: rows
 * @rgba: the same as 8-bit RGBA, raster order, when it is a picture; else NULL
 */
struct v3dcl_saved {
	const char *name;
	const uint8_t *bytes;
	uint64_t size;
	uint32_t width, height;
	const uint8_t *rgba;
};

/**
 * struct v3dcl_stepped - a step of a job that has been taken
 * @what: "run", "lists", "frame", "submit", "save" or "expect"
 * @line: of the text, from 1
 * @number: of the step, from 0
 * @count: of all steps
 * @ns: how long it took, submit and wait
 */
struct v3dcl_stepped {
	const char *what;
	uint32_t line, number, count;
	uint64_t ns;
};

/* So many expectations of a text may fail until its run ends */
#define V3DCL_MOST_DIFFERENT 32

/**
 * struct v3dcl_run_options - how a job is run; all else zero is the usual
 * @size: sizeof(struct v3dcl_run_options)
 * @saved: called for each thing that it saves, in order; returns 0 or a negative errno, which
 *	ends the run; NULL: the caller does not want them
 * @stepped: called after each step, or NULL
 * @differs: called for each "expect" that something else stands at, with what v3dcl_script_run()
 *	would say of it, or NULL
 * @raced: called for each race of its programs, on a device that watches for them, with what is to
 *	be said: its place is that of the second access; or NULL
 * @opaque: handed to all of them
 * @perfmon: id of a perfmon of the device, that counts while jobs run; 0 for none
 * @traced: called for each line of trace, on a device that traces, on any thread: with the
 *	program's name and the line of the text that an instruction comes from, or the name of
 *	what is in memory; or NULL
 */
struct v3dcl_run_options {
	size_t size;
	int (*saved)(void *opaque, const struct v3dcl_saved *saved);
	void (*stepped)(void *opaque, const struct v3dcl_stepped *stepped);
	void (*differs)(void *opaque, const struct v3dcl_error *error);
	void (*raced)(void *opaque, const struct v3dcl_error *error);
	void *opaque;
	uint32_t perfmon;
	void (*traced)(void *opaque, const char *line);
};

/**
 * v3dcl_script_run() - run it, step by step
 * @script: what was read; it can be run again, on any device
 * @device: to run on
 * @options: how; or NULL
 * @error: filled where the call fails; NULL for none. It has the place of the step.
 *
 * The run goes on where something is not what the text expects, so that all of that is told; it
 * ends at V3DCL_MOST_DIFFERENT of them. Then, if nothing else ended it, @error is the first.
 *
 * Return: 0, -EBADMSG when something is not what the text expects, -EINVAL for options without
 * their size, -E2BIG for such as only a newer library has, else what the device gave
 */
int v3dcl_script_run(const struct v3dcl_script *script, struct v3dcl_device *device,
		     const struct v3dcl_run_options *options, struct v3dcl_error *error);

/**
 * v3dcl_script_decode() - a job as the V3D is given it: memory with records, code and addresses,
 * submits as the ABI has them
 * @script: what was read
 * @json: JSON: the memory, and the checked frames as v3dcl_decode_submit() has them; else text: a
 *	job again, that does the same
 * @out: appended to
 * @error: filled where the call fails; NULL for none
 *
 * Memory stands where the text says ("at"), else at addresses that are made up.
 *
 * Return: 0, -E2BIG for what does not fit 32 bits of addresses, -ENOMEM
 */
int v3dcl_script_decode(const struct v3dcl_script *script, bool json, struct v3dcl_buffer *out,
			struct v3dcl_error *error);

#ifdef __cplusplus
}
#endif

#endif /* V3DCL_TEXT_H */
