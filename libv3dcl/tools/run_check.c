// SPDX-License-Identifier: MIT
/* v3dcl run and v3dcl check. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "job_text.h"

static const char run_help[] =
	"usage: v3dcl run [OPTION]... FILE\n\n"
	"Runs the job in FILE (see v3dcl-text(5); - is standard input). Restrictions of\n"
	"AG100 that its programs break are warned of, and memory that is no good for the\n"
	"binner.\n\n"
	"  -o, --output OUT      where what it saves goes: a file.png or another file for\n"
	"                        the first thing saved, a folder (an existing one, or\n"
	"                        OUT ends in /) for all, - for standard output\n"
	TOOL_DEVICE_HELP
	"      --dump FILE       of the simulated device: if a job hangs, registers and\n"
	"                        memory go there, for v3dcl decode\n"
	"      --races           of the simulated device: accesses of two QPUs to the same\n"
	"                        bytes that nothing orders are errors\n"
	"      --trace KINDS     of the simulated device, to standard error: qpu, cle,\n"
	"                        mem, reg, with commas between them; behind them what is\n"
	"                        wanted of them: lanes=0-3+8 (values of these elements),\n"
	"                        draw=2, tile=3:0, pixel=160:100, qpu=0-3,\n"
	"                        address=0x1000-0x1fff\n"
	"  -D, --define NAME=N   a value for an option of the job's\n"
	"  -j, --json            what was saved, as JSON\n"
	"  -q, --quiet           say nothing but errors\n"
	"  -h, --help            this\n";

static const char check_help[] =
	"usage: v3dcl check [OPTION]... FILE\n\n"
	"Would a device take the job in FILE from an ordinary user, and does it do what\n"
	"it expects of itself? Asks a V3D in this process, which has the driver's own\n"
	"checks. Restrictions of AG100 that its programs break are warned of, and memory\n"
	"that is no good for the binner.\n\n"
	"      --chip MODE       of that V3D: ideal, bcm2835 or modes joined by +; help\n"
	"                        lists them\n"
	"  -D, --define NAME=N   a value for an option of the job's\n"
	"  -j, --json            the verdict as JSON\n"
	"  -q, --quiet           only the exit status\n"
	"  -h, --help            this\n";

/* What becomes of saved things */
struct output {
	const struct tool_job *job;
	bool folder, failed;
	unsigned int count, races;
};

static bool is_folder(const char *path)
{
	struct stat info;

	if (path[strlen(path) - 1] == '/') {
		mkdir(path, 0777);
		return true;
	}
	return !stat(path, &info) && S_ISDIR(info.st_mode);
}

static int write_it(const struct output *output, const struct v3dcl_saved *saved, char *path,
		    size_t room)
{
	const char *to = output->job->output;
	bool good;

	if (output->folder)
		snprintf(path, room, "%s%s%s.%s", to, to[strlen(to) - 1] == '/' ? "" : "/",
			 saved->name, saved->rgba ? "png" : "bin");
	else
		snprintf(path, room, "%s", to);
	if (saved->rgba)
		good = tool_write_png(path, saved->rgba, saved->width, saved->height);
	else
		good = tool_write(path, saved->bytes, saved->size);
	return good ? 0 : -EIO;
}

static void tell_json(const struct output *output, const struct v3dcl_saved *saved,
		      const char *path)
{
	printf("%s\n  { \"name\": ", output->count ? "," : "");
	tool_json(stdout, saved->name);
	printf(", \"bytes\": %llu", (unsigned long long)saved->size);
	if (saved->rgba)
		printf(", \"width\": %u, \"height\": %u", saved->width, saved->height);
	if (path) {
		printf(", \"file\": ");
		tool_json(stdout, path);
	}
	printf(" }");
}

/* A line, and for plain bytes that went nowhere their first words */
static void tell(const struct v3dcl_saved *saved, const char *path)
{
	uint64_t i;

	printf("%s: ", saved->name);
	if (saved->rgba)
		printf("picture of %u x %u", saved->width, saved->height);
	else
		printf("%llu bytes", (unsigned long long)saved->size);
	printf(path ? ", written to %s\n" : "\n", path);
	for (i = 0; !path && !saved->rgba && i + 4 <= saved->size && i < 64; i += 4) {
		uint32_t word;
		float real;

		memcpy(&word, saved->bytes + i, 4);
		memcpy(&real, saved->bytes + i, 4);
		printf("  +%-4llu 0x%08x  %.7g\n", (unsigned long long)i, word, real);
	}
}

static int saved(void *opaque, const struct v3dcl_saved *saved)
{
	struct output *output = opaque;
	const struct tool_job *job = output->job;
	bool write = job->output && (output->folder || !output->count);
	char path[4096];
	int ret = write ? write_it(output, saved, path, sizeof(path)) : 0;

	output->failed = ret;
	if (ret)
		return ret;
	if (write && !strcmp(path, "-"))
		return 0;
	if (job->json)
		tell_json(output, saved, write ? path : NULL);
	else if (!job->quiet)
		tell(saved, write ? path : NULL);
	output->count++;
	return 0;
}

static void raced(void *opaque, const struct v3dcl_error *error)
{
	struct output *output = opaque;

	output->races++;
	tool_failed(error);
}

/* On a terminal, a line that says how far a long job has come */
static void stepped(void *opaque, const struct v3dcl_stepped *stepped)
{
	static const char clear[] = "\r\033[K";

	(void)opaque;
	fprintf(stderr, "%sstep %u of %u (line %u)", clear, stepped->number + 1, stepped->count,
		stepped->line);
	if (stepped->number + 1 == stepped->count || !strcmp(stepped->what, "save"))
		fputs(clear, stderr);
}

static bool warn(void *opaque, const struct v3dcl_script_hazard *h)
{
	const struct tool_job *job = opaque;

	tool_warn("%s:%u: %s%s%s%s (%s, %s)", job->file, h->line, h->program ? "program " : "",
		  h->program ? h->program : "", h->program ? ": " : "", h->hazard.text,
		  h->hazard.rule, h->hazard.source);
	return true;
}

/* A job of the simulated device's has hung: what v3dcl decode takes */
static void write_dump(const struct tool_job *job, struct v3dcl_device *device)
{
	struct v3dcl_buffer dump = { 0 };
	struct v3dcl_error error;

	if (v3dcl_device_dump(device, &dump, &error)) {
		if (error.code != -EOPNOTSUPP)
			tool_failed(&error);
	} else if (!job->dump) {
		fprintf(stderr, "v3dcl %s: --dump FILE keeps what the V3D had, for v3dcl decode\n",
			tool_name);
	} else if (tool_write(job->dump, dump.bytes, dump.size)) {
		fprintf(stderr, "v3dcl %s: v3dcl decode %s tells what the V3D had\n", tool_name,
			job->dump);
	}
	v3dcl_buffer_free(&dump);
}

int tool_run(int argc, char **argv)
{
	struct v3dcl_script *script = NULL;
	struct v3dcl_device *device = NULL;
	struct v3dcl_error error = { 0 };
	struct tool_job job;
	struct output output = { .job = &job };
	struct v3dcl_run_options options = { .size = sizeof(options), .saved = saved,
					     .differs = tool_differs,
					     .opaque = &output };
	int ret = 0, status = tool_job_options(&job, argc, argv, "odtmDjqur", run_help);

	if (status >= 0)
		return status;
	if (job.device.races)
		options.raced = raced;
	if (job.device.trace)
		options.traced = tool_traced;
	output.folder = job.output && is_folder(job.output);
	if (tool_colors(stderr) && !job.quiet)
		options.stepped = stepped;
	status = tool_job_read(&job, &script, &error);
	if (error.code)
		tool_failed(&error);
	if (!status && !job.quiet)
		v3dcl_script_hazards(script, warn, &job);
	if (!status)
		status = tool_open(&job.device, &device);
	if (!status && job.json)
		printf("[");
	if (!status)
		ret = v3dcl_script_run(script, device, &options, &error);
	if (ret) /* some of it has been told */
		status = output.failed || ret == -EBADMSG ? EXIT_REFUSED : tool_failed(&error);
	if (!status && output.races)
		status = EXIT_REFUSED;
	if (ret == -EIO && !output.failed)
		write_dump(&job, device);
	if (device && job.json)
		printf("%s]\n", output.count ? "\n" : "");
	v3dcl_close(device);
	v3dcl_script_free(script);
	return status;
}

static bool hazard_json(void *opaque, const struct v3dcl_script_hazard *h)
{
	unsigned int *count = opaque;

	printf("%s\n  { ", (*count)++ ? "," : "");
	if (h->program) {
		printf("\"program\": ");
		tool_json(stdout, h->program);
		printf(", \"instruction\": %u, ", h->hazard.at);
	}
	printf("\"line\": %u, \"rule\": ", h->line);
	tool_json(stdout, h->hazard.rule);
	printf(", \"text\": ");
	tool_json(stdout, h->hazard.text);
	printf(", \"source\": ");
	tool_json(stdout, h->hazard.source);
	printf(" }");
	return true;
}

/* What came out other than expected */
struct different {
	struct v3dcl_error errors[V3DCL_MOST_DIFFERENT];
	unsigned int count;
};

static void differs(void *opaque, const struct v3dcl_error *error)
{
	struct different *different = opaque;

	different->errors[different->count++] = *error;
}

static void verdict_json(const struct v3dcl_script *script, int ret,
			 const struct v3dcl_error *error, const struct different *different)
{
	unsigned int hazards = 0, i;

	printf("{ \"accepted\": %s", ret ? "false" : "true");
	if (ret) {
		printf(", \"error\": ");
		tool_json(stdout, error->text);
		printf(", \"part\": %u, \"rule\": %u, \"offset\": %u, \"found\": %llu, "
		       "\"expected\": %llu",
		       error->part, error->rule, error->offset, (unsigned long long)error->found,
		       (unsigned long long)error->expected);
		printf(", \"line\": %u, \"column\": %u", error->line, error->column);
	}
	printf(", \"different\": [");
	for (i = 0; i < different->count; i++) {
		printf("%s\n  { \"line\": %u, \"text\": ", i ? "," : "", different->errors[i].line);
		tool_json(stdout, different->errors[i].text);
		printf(" }");
	}
	printf("], \"hazards\": [");
	if (script)
		v3dcl_script_hazards(script, hazard_json, &hazards);
	printf("] }\n");
}

static int verdict(const struct tool_job *job, const struct v3dcl_script *script, int ret,
		   const struct v3dcl_error *error, const struct different *different)
{
	unsigned int i;

	if (job->json) {
		verdict_json(script, ret, error, different);
		return ret ? EXIT_REFUSED : 0;
	}
	if (!job->quiet && script)
		v3dcl_script_hazards(script, warn, (void *)job);
	for (i = 0; i < different->count; i++)
		tool_failed(&different->errors[i]);
	if (ret)
		return ret == -EBADMSG ? EXIT_REFUSED : tool_failed(error);
	if (!job->quiet)
		printf("%s: accepted\n", job->file);
	return 0;
}

int tool_check(int argc, char **argv)
{
	struct v3dcl_script *script = NULL;
	struct v3dcl_device *device = NULL;
	struct different different = { .count = 0 };
	struct v3dcl_run_options options = { .size = sizeof(options), .differs = differs,
					     .opaque = &different };
	struct v3dcl_error error = { 0 };
	struct tool_job job;
	int status = tool_job_options(&job, argc, argv, "mDjq", check_help), ret;

	if (status >= 0)
		return status;
	job.device.user = true;
	status = tool_job_read(&job, &script, &error);
	if (error.code)
		status = verdict(&job, NULL, error.code, &error, &different);
	if (!status)
		status = tool_open(&job.device, &device);
	if (!status) {
		if (tool_colors(stderr) && !job.quiet)
			options.stepped = stepped;
		ret = v3dcl_script_run(script, device, &options, &error);
		status = verdict(&job, script, ret, &error, &different);
	}
	v3dcl_close(device);
	v3dcl_script_free(script);
	return status;
}
