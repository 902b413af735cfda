// SPDX-License-Identifier: MIT
/* v3dcl time: how long the steps of a job take, and what the counters say. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "counters.h"
#include "job_text.h"

static const char help[] =
	"usage: v3dcl time [OPTION]... FILE\n\n"
	"Runs the job in FILE and prints how long each step took, from submit to end.\n"
	"What it saves is dropped.\n\n"
	"  -n, --times N         run it N times; the shortest time of each step is printed\n"
	"  -c, --counters        run it again with the performance counters and print\n"
	"                        those that are not 0\n"
	TOOL_DEVICE_HELP
	"  -D, --define NAME=N   a value for an option of the job's\n"
	"  -j, --json            as JSON\n"
	"  -h, --help            this\n";

/* Steps, and the best times of each */
struct times {
	struct v3dcl_stepped *steps;
	uint32_t count;
	bool failed;
};

static void stepped(void *opaque, const struct v3dcl_stepped *s)
{
	struct times *times = opaque;

	if (!times->steps) {
		times->steps = calloc(s->count, sizeof(*s));
		times->count = s->count;
		times->failed = !times->steps;
	}
	if (times->failed)
		return;
	if (!times->steps[s->number].what || times->steps[s->number].ns > s->ns)
		times->steps[s->number] = *s;
}

static void print_times(const struct times *times, bool json)
{
	uint64_t sum = 0;
	uint32_t i;

	for (i = 0; i < times->count; i++) {
		const struct v3dcl_stepped *s = &times->steps[i];

		sum += s->ns;
		if (json)
			printf("%s\n    { \"step\": \"%s\", \"line\": %u, \"ns\": %llu }",
			       i ? "," : "", s->what, s->line, (unsigned long long)s->ns);
		else
			printf("%-8s line %-5u %12.3f ms\n", s->what, s->line, s->ns / 1e6);
	}
	if (!json)
		printf("%-8s %10s %12.3f ms\n", "all", "", sum / 1e6);
}

/* One run for each perfmon that it takes to have all counters */
static int count(struct v3dcl_device *device, const struct v3dcl_script *script, uint64_t *values,
		 struct v3dcl_error *error)
{
	uint8_t events[DRM_VC4_MAX_PERF_COUNTERS];
	uint32_t first, n, i;
	int ret;

	for (first = 0; first < COUNTERS; first += n) {
		struct v3dcl_run_options options = { .size = sizeof(options) };

		n = COUNTERS - first < DRM_VC4_MAX_PERF_COUNTERS ? COUNTERS - first :
								   DRM_VC4_MAX_PERF_COUNTERS;
		for (i = 0; i < n; i++)
			events[i] = first + i;
		ret = v3dcl_perfmon_create(device, events, n, &options.perfmon, error);
		if (!ret)
			ret = v3dcl_script_run(script, device, &options, error);
		if (!ret)
			ret = v3dcl_perfmon_values(device, options.perfmon, values + first, error);
		if (options.perfmon)
			v3dcl_perfmon_destroy(device, options.perfmon);
		if (ret)
			return ret;
	}
	return 0;
}

static void print_counters(const uint64_t *values, bool json)
{
	const char *separator = "";
	unsigned int i;

	for (i = 0; i < COUNTERS; i++) {
		if (!values[i])
			continue;
		if (json)
			printf("%s\n    \"%s\": %llu", separator, counter_names[i],
			       (unsigned long long)values[i]);
		else
			printf("%-46s %14llu\n", counter_names[i], (unsigned long long)values[i]);
		separator = ",";
	}
}

static int measure(const struct tool_job *job, struct v3dcl_device *device,
		   const struct v3dcl_script *script)
{
	struct times times = { 0 };
	struct v3dcl_run_options options = { .size = sizeof(options), .stepped = stepped,
					     .differs = tool_differs,
					     .opaque = &times };
	uint64_t values[COUNTERS] = { 0 };
	struct v3dcl_error error = { 0 };
	unsigned int n;
	int ret = 0;

	for (n = 0; n < job->times && !ret; n++)
		ret = v3dcl_script_run(script, device, &options, &error);
	if (!ret && job->counters)
		ret = count(device, script, values, &error);
	if (!ret) {
		printf(job->json ? "{\n  \"steps\": [" : "");
		print_times(&times, job->json);
		printf(job->json ? "\n  ],\n  \"counters\": {" : "");
		print_counters(values, job->json);
		printf(job->json ? "\n  }\n}\n" : "");
	}
	free(times.steps);
	if (ret == -EBADMSG) /* which has been told */
		return EXIT_REFUSED;
	return ret ? tool_failed(&error) : 0;
}

int tool_time(int argc, char **argv)
{
	struct v3dcl_script *script = NULL;
	struct v3dcl_device *device = NULL;
	struct v3dcl_error error = { 0 };
	struct tool_job job;
	int status = tool_job_options(&job, argc, argv, "nmdDcj", help);

	if (status >= 0)
		return status;
	status = tool_job_read(&job, &script, &error);
	if (error.code)
		tool_failed(&error);
	if (!status)
		status = tool_open(&job.device, &device);
	if (!status)
		status = measure(&job, device, script);
	v3dcl_close(device);
	v3dcl_script_free(script);
	return status;
}
