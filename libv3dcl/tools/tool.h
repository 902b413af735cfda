/* SPDX-License-Identifier: MIT */
/* What the subcommands of v3dcl share. */
#ifndef V3DCL_TOOL_H
#define V3DCL_TOOL_H

#include <stdbool.h>
#include <stdio.h>

#include "v3dcl_device.h"

/* the job was refused, hung, or gave something else than expected */
#define EXIT_REFUSED 1
#define EXIT_USAGE 2

/**
 * struct tool_device - which device, and how it is watched
 * @name: "sim", "reference" (sim without all that exists for speed alone), or the path of a
 *	DRM node
 * @trace: what is traced, as for --trace, or NULL
 * @chip: of the simulated one, as for --chip, or NULL
 * @user: the simulated one takes nothing that needs root
 * @races: the simulated one watches for races
 * @budget: of the simulated one: bytes for all BOs, 0 for the usual
 */
struct tool_device {
	const char *name, *trace, *chip;
	bool user, races;
	uint64_t budget;
};

extern const char *tool_name;			/* of the subcommand, for messages */

/*
 * The subcommands: arguments as main()'s, argv[0] the subcommand's name; they return an exit status
 */
int tool_run(int argc, char **argv);
int tool_check(int argc, char **argv);
int tool_asm(int argc, char **argv);
int tool_disasm(int argc, char **argv);
int tool_decode(int argc, char **argv);
int tool_tile(int argc, char **argv);
int tool_info(int argc, char **argv);
int tool_time(int argc, char **argv);
int tool_probe(int argc, char **argv);
int tool_watch(int argc, char **argv);

/* Lines of --help where tool_open() opens what they ask for */
#define TOOL_DEVICE_HELP \
	"  -d, --device DEVICE   sim (a V3D in this process), reference (the same, slowly),\n" \
	"                        or a path such as /dev/dri/renderD128\n" \
	"      --chip MODE       of the simulated device: ideal, bcm2835 or modes joined\n" \
	"                        by +; help lists them\n"

struct option;

/**
 * tool_options() - goes through a subcommand's options
 * @argc: as main()'s
 * @argv: see @argc
 * @letters: of the short ones, as getopt's
 * @options: as getopt_long's, each with a letter; 'h' is help in all subcommands, and needs no case
 *	in @take
 * @help: for --help
 * @take: one option: its letter, its argument in optarg; returns below 0 to go on, else an exit
 *	status
 * @opaque: handed to it
 * Return: below 0 to go on with argv[optind], else an exit status
 */
int tool_options(int argc, char **argv, const char *letters, const struct option *options,
		 const char *help, int (*take)(void *opaque, int letter), void *opaque);

/* Of the values that a job's options are given: more than there is use for */
#define TOOL_MOST_DEFINES 64

/* -D with @text, NAME=NUMBER: one more of @defines. Return: as tool_options()'s @take */
int tool_define(const char *text, const char *defines[TOOL_MOST_DEFINES], size_t *count);
/* Bad usage: says so. Return: EXIT_USAGE */
__attribute__((format(printf, 1, 2))) int tool_usage(const char *format, ...);
/* Says what the library says. Return: EXIT_REFUSED */
int tool_failed(const struct v3dcl_error *error);
/* The same, as v3dcl_run_options wants it for what differs */
void tool_differs(void *opaque, const struct v3dcl_error *error);
/* A line of trace on standard error, as v3dcl_simulator_config and v3dcl_run_options want it */
void tool_traced(void *opaque, const char *line);
/* Something worth knowing on standard error */
__attribute__((format(printf, 1, 2))) void tool_warn(const char *format, ...);
/* Is that stream a terminal that wants colours? */
bool tool_colors(FILE *stream);
/* --device and --chip, letters d and m, of optarg. Return: as tool_options()'s @take */
int tool_device_option(struct tool_device *device, int letter);
/* The device. Return: 0, or an exit status after saying why */
int tool_open(const struct tool_device *which, struct v3dcl_device **device);
/**
 * tool_read() - a whole file of a text, "-" for standard input; NUL behind it.
 *
 * Return: NULL after saying why: it cannot be read, or has more than V3DCL_MOST_TEXT bytes
 */
char *tool_read(const char *path, size_t *size);
/* The same for what the V3D has in memory, which may be longer than a text */
char *tool_read_memory(const char *path, size_t *size);
/* Is @out, if it is not NULL, another file than @in? Return: below 0, else it is EXIT_USAGE */
int tool_check_output(const char *in, const char *out);
/* A whole file, "-" for standard output. Return: false after saying why */
bool tool_write(const char *path, const void *bytes, size_t size);
/* RGBA pixels as a PNG file. Return: false after saying why */
bool tool_write_png(const char *path, const uint8_t *rgba, uint32_t width, uint32_t height);
/* The suffix of a picture's file that is no PNG, which is all that there is, or NULL */
const char *tool_other_picture(const char *path);
/* A string as JSON has it, with its quotes */
void tool_json(FILE *out, const char *text);

#endif /* V3DCL_TOOL_H */
