// SPDX-License-Identifier: MIT
/* What run, check and time have in common. */
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "../base/number.h"
#include "job_text.h"

#define MOST_TIMES 1000000
#define MOST_DELAY 65535

/* A number from 1 on. Return: 0 for what is none */
static unsigned int take_number(const char *text, uint64_t most)
{
	uint64_t number;

	return number_whole(text, most, &number) ? number : 0;
}

/* Of watch. Return: as tool_options()'s @take */
static int take_watch_option(struct tool_job *job, int c)
{
	if (c == 'F') {
		job->frames = optarg;
	} else if (c == '1') {
		job->once = true;
	} else {
		job->delay = take_number(optarg, MOST_DELAY);
		if (!job->delay)
			return tool_usage("--delay takes milliseconds from 1 to %d", MOST_DELAY);
	}
	return -1;
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
	{ "frames", required_argument, NULL, 'F' },
	{ "delay", required_argument, NULL, 'y' },
	{ "once", no_argument, NULL, '1' },
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
	case 'F':
	case '1':
	case 'y':
		return take_watch_option(job, c);
	case 'n':
		job->times = take_number(optarg, MOST_TIMES);
		return job->times ? -1 :
				    tool_usage("--times takes a number from 1 to %d", MOST_TIMES);
	default:
		return tool_define(optarg, job->options, &job->option_count);
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
	status = tool_check_output(job->file, job->output);
	return status < 0 ? tool_check_output(job->file, job->dump) : status;
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
