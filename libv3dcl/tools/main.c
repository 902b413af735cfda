// SPDX-License-Identifier: MIT
/*
 * v3dcl: jobs for the VideoCore IV's V3D, read, run and looked at. Its manual is
 * Documentation/man/v3dcl.1.
 */
#include <errno.h>
#include <string.h>

#include "../base/helpers.h"
#include "tool.h"
#include "v3dcl_release.h"

static const struct subcommand {
	const char *name, *text;
	int (*run)(int argc, char **argv);
} subcommands[] = {
	{ "run", "run a job, in this process or on a device", tool_run },
	{ "check", "would a device take this job from an ordinary user?", tool_check },
	{ "asm", "assemble a QPU program", tool_asm },
	{ "disasm", "QPU instructions as text", tool_disasm },
	{ "decode", "what the V3D was given: lists, records, code, a dump of a hang", tool_decode },
	{ "tile", "pictures to images in the V3D's memory, and back", tool_tile },
	{ "info", "what a device is: limits, counters", tool_info },
	{ "time", "how long the steps of a job take, and what the counters say", tool_time },
	{ "watch", "a job's picture, made anew whenever its text changes", tool_watch },
	{ "probe", "which defects a chip has, and which readings of its guide", tool_probe },
};

static void usage(FILE *out)
{
	size_t i;

	fputs("usage: v3dcl COMMAND [OPTION]... FILE\n\n", out);
	for (i = 0; i < COUNT(subcommands); i++)
		fprintf(out, "  %-8s %s\n", subcommands[i].name, subcommands[i].text);
	fputs("\nv3dcl COMMAND --help tells more, v3dcl --version which this is.\n"
	      "Numbers of options are decimal or 0x hexadecimal.\n"
	      "Exit status: 0 done, 1 refused, hung or not as expected, 2 bad usage.\n", out);
}

static const struct subcommand *find(const char *name)
{
	size_t i;

	for (i = 0; i < COUNT(subcommands); i++) {
		if (!strcmp(name, subcommands[i].name))
			return &subcommands[i];
	}
	return NULL;
}

/* Of a command, or of all */
static int help(char *name)
{
	char option[] = "--help", *arguments[] = { name, option, NULL };
	const struct subcommand *command = name ? find(name) : NULL;

	if (command)
		return command->run(2, arguments);
	usage(stdout);
	return 0;
}

/* What was printed has to get there. Return: the exit status */
static int finish(int status)
{
	if ((!fflush(stdout) && !ferror(stdout)) || status)
		return status;
	fprintf(stderr, "v3dcl: standard output: %s\n", strerror(errno));
	return EXIT_REFUSED;
}

int main(int argc, char **argv)
{
	const struct subcommand *command = argc > 1 ? find(argv[1]) : NULL;

	if (command) {
		tool_name = command->name;
		return finish(command->run(argc - 1, argv + 1));
	}
	if (argc > 1 &&
	    (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h") || !strcmp(argv[1], "help")))
		return finish(help(argv[2]));
	if (argc > 1 && !strcmp(argv[1], "--version")) {
		printf("v3dcl %s\n", v3dcl_version());
		return finish(0);
	}
	if (argc > 1)
		fprintf(stderr, "v3dcl: there is no command \"%s\"\n", argv[1]);
	usage(stderr);
	return EXIT_USAGE;
}
