// SPDX-License-Identifier: MIT
/* What run, check and time have in common. */
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "job_text.h"

#define MOST_TIMES 1000000

/* Return: 0 for what is no such number */
static unsigned int take_times(const char *text)
{
	char *end;
	long times = strtol(text, &end, 0);

	return *end || end == text || times < 1 || times > MOST_TIMES ? 0 : times;
}

static const struct option options[] = {
	{ "output", required_argument, NULL, 'o' },
	{ "device", required_argument, NULL, 'd' },
	{ "trace", required_argument, NULL, 't' },
	{ "races", no_argument, NULL, 'r' },
	{ "dump", required_argument, NULL, 'u' },
	{ "chip", required_argument, NULL, 'm' },
	{ "json", no_argument, NULL, 'j' },
	{ "quiet", no_argument, NULL, 'q' },
	{ "counters", no_argument, NULL, 'c' },
	{ "times", required_argument, NULL, 'n' },
	{ "define", required_argument, NULL, 'D' },
	{ "help", no_argument, NULL, 'h' },
	{ NULL, 0, NULL, 0 },
};

static int is_of_others(int c)
{
	const struct option *o;

	for (o = options; o->val != c; o++)
		;
	return tool_usage("this command has no option --%s", o->name);
}

static int take_option(void *opaque, int c)
{
	struct tool_job *job = opaque;

	if (!strchr(job->takes, c))
		return is_of_others(c);
	switch (c) {
	case 'o':
		job->output = optarg;
		return -1;
	case 't':
		job->device.trace = optarg;
		return -1;
	case 'r':
		job->device.races = true;
		return -1;
	case 'u':
		job->dump = optarg;
		return -1;
	case 'd':
	case 'm':
		return tool_device_option(&job->device, c);
	case 'j':
		job->json = true;
		return -1;
	case 'q':
		job->quiet = true;
		return -1;
	case 'c':
		job->counters = true;
		return -1;
	case 'n':
		job->times = take_times(optarg);
		return job->times ? -1 :
				    tool_usage("--times takes a number from 1 to %d", MOST_TIMES);
	default:
		if (job->option_count == MOST_OPTIONS || !strchr(optarg, '=') || *optarg == '=')
			return tool_usage("-D takes NAME=NUMBER, at most %d times", MOST_OPTIONS);
		job->options[job->option_count++] = optarg;
		return -1;
	}
}

int tool_job_options(struct tool_job *job, int argc, char **argv, const char *takes,
		     const char *help)
{
	int status;

	*job = (struct tool_job){ .takes = takes, .device = { .name = "sim" }, .times = 1 };
	status = tool_options(argc, argv, "o:d:D:n:cjqh", options, help, take_option, job);
	if (status >= 0)
		return status;
	if (optind + 1 != argc)
		return tool_usage("expected one file");
	if (job->output && !*job->output)
		return tool_usage("--output takes a file or a folder");
	if (job->output && tool_other_picture(job->output))
		return tool_usage("--output: pictures are written as PNG, not as %s: NAME.png",
				  tool_other_picture(job->output));
	job->file = argv[optind];
	return -1;
}

int tool_job_read(const struct tool_job *job, struct v3dcl_script **script,
		  struct v3dcl_error *error)
{
	size_t size;
	char *text = tool_read(job->file, &size);
	int ret;

	if (!text)
		return EXIT_REFUSED;
	ret = v3dcl_script_read(job->file, text, size, job->options, job->option_count, script,
				error);
	free(text);
	return ret ? EXIT_REFUSED : 0;
}
