// SPDX-License-Identifier: MIT
/* v3dcl: jobs for the VideoCore IV's V3D, read, run and looked at. Its manual is Documentation/man/v3dcl.1. */
#include <string.h>

#include "tool.h"

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
};

static void usage(FILE *out)
{
	size_t i;

	fputs("usage: v3dcl COMMAND [OPTION]... FILE\n\n", out);
	for (i = 0; i < sizeof(subcommands) / sizeof(subcommands[0]); i++)
		fprintf(out, "  %-8s %s\n", subcommands[i].name, subcommands[i].text);
	fputs("\nv3dcl COMMAND --help tells more. Exit status: 0 done, 1 refused, hung or not as expected, 2 bad usage.\n", out);
}

int main(int argc, char **argv)
{
	size_t i;

	if (argc > 1 && (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h") || !strcmp(argv[1], "help"))) {
		usage(stdout);
		return 0;
	}
	for (i = 0; argc > 1 && i < sizeof(subcommands) / sizeof(subcommands[0]); i++) {
		if (!strcmp(argv[1], subcommands[i].name)) {
			tool_name = subcommands[i].name;
			return subcommands[i].run(argc - 1, argv + 1);
		}
	}
	if (argc > 1)
		fprintf(stderr, "v3dcl: there is no command \"%s\"\n", argv[1]);
	usage(stderr);
	return EXIT_USAGE;
}
