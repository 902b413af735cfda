// SPDX-License-Identifier: MIT
/* v3dcl probe: which of the modes of <v3d/chip.h> a chip has, and what the checker assumes. */
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "../base/helpers.h"
#include "probe.h"
#include "tool.h"

static const char help[] =
	"usage: v3dcl probe [OPTION]... [QUESTION]...\n\n"
	"What a chip is: small jobs that tell each known defect of the V3D, and each open\n"
	"reading of its guide, from a chip that has it not, as a table and as a list that\n"
	"--chip takes. Then what the checker assumes of every chip, and whether it holds.\n"
	"Some of the jobs hang where a defect is there, and the driver resets the V3D: ask\n"
	"when nothing else uses it. Some take root, and the module with unverified=1.\n\n"
	"  -d, --device DEVICE   sim (a V3D in this process), reference (the same, slowly),\n"
	"                        or a path such as /dev/dri/renderD128\n"
	"      --chip MODE       of the simulated device: ideal, bcm2835 or modes joined\n"
	"                        by +; help lists them\n"
	"  -s, --show            print the jobs of these questions, and run none\n"
	"  -j, --json            as JSON\n"
	"  -h, --help            this\n";

/* So that a BO can reach from one window of 256 MiB into the next (list-window) */
#define PROBE_BUDGET (512u << 20)

struct options {
	struct tool_device device;
	bool json, show;
	char **names; /* of questions; none for all */
	int count;
};

/* How answers of one kind are called */
struct answers {
	const char *key, *title, *answer[4];
};

static const struct answers of_modes = {
	"modes",
	"The chip has the mode:",
	{ "no", "yes", "neither", "untold" },
};

static const struct answers of_assumptions = {
	"assumptions",
	"It holds:",
	{ "holds", "fails", "neither", "untold" },
};

static bool wanted(const struct options *o, const struct probe_question *question)
{
	int i;

	for (i = 0; i < o->count; i++) {
		if (!strcmp(o->names[i], question->name))
			return true;
	}
	return !o->count;
}

static bool is_question(const char *name, const struct probe_question *questions,
			unsigned int count)
{
	unsigned int i;

	for (i = 0; i < count; i++) {
		if (!strcmp(questions[i].name, name))
			return true;
	}
	return false;
}

static void print_row(const struct options *o, const struct probe_question *question,
		      const struct probe_told *told, const char *answer, bool first)
{
	if (!o->json) {
		printf("%-20s %-8s %s\n%30s%s\n", question->name, answer, question->asked, "",
		       told->seen);
		return;
	}
	printf("%s\n    { \"name\": ", first ? "" : ",");
	tool_json(stdout, question->name);
	printf(", \"answer\": \"%s\", \"asked\": ", answer);
	tool_json(stdout, question->asked);
	printf(", \"seen\": ");
	tool_json(stdout, told->seen);
	printf(" }");
}

/* Asks, and prints the answers as they come: one may take a second, where a job hangs */
static void ask_all(const struct options *o, const struct probe *probe,
		    const struct probe_question *questions, unsigned int count,
		    const struct answers *answers, struct v3dcl_buffer *yes)
{
	struct probe_told told;
	bool first = true;
	unsigned int i;

	if (o->json)
		printf(",\n  \"%s\": [", answers->key);
	for (i = 0; i < count; i++) {
		if (!wanted(o, &questions[i]))
			continue;
		if (first && !o->json)
			printf("%s\n", answers->title);
		probe_ask(probe, &questions[i], &told);
		print_row(o, &questions[i], &told, answers->answer[told.answer], first);
		first = false;
		fflush(stdout);
		if (told.answer == PROBE_YES && yes)
			v3dcl_buffer_printf(yes, "%s%s", yes->size ? "+" : "", questions[i].name);
	}
	if (o->json)
		printf("\n  ]");
	else if (!first)
		putchar('\n');
}

static int ask(const struct options *o, const struct probe *probe)
{
	struct v3dcl_buffer yes = { 0 };
	struct v3dcl_error error = { 0 };
	struct v3dcl_info info;

	if (v3dcl_device_info(probe->device, &info, &error))
		return tool_failed(&error);
	if (o->json)
		printf("{\n  \"ident\": [%u, %u, %u]", info.ident[0], info.ident[1], info.ident[2]);
	else
		printf("IDENT %08x %08x %08x\n\n", info.ident[0], info.ident[1], info.ident[2]);
	ask_all(o, probe, probe_modes, V3D_CHIP_MODE_COUNT, &of_modes, &yes);
	ask_all(o, probe, probe_assumptions, probe_assumption_count, &of_assumptions, NULL);
	if (!yes.size)
		v3dcl_buffer_printf(&yes, "ideal");
	if (o->json) {
		printf(",\n  \"chip\": ");
		tool_json(stdout, yes.failed ? "" : (const char *)yes.bytes);
		printf("\n}\n");
	} else if (!yes.failed) {
		printf("This chip, as far as it could be told: --chip %s\n",
		       (const char *)yes.bytes);
	}
	v3dcl_buffer_free(&yes);
	return 0;
}

static void show(const struct options *o, const struct probe_question *questions,
		 unsigned int count)
{
	struct v3dcl_buffer text = { 0 };
	unsigned int i;

	for (i = 0; i < count; i++) {
		if (wanted(o, &questions[i]) && probe_job(questions[i].name, &text))
			fwrite(text.bytes, 1, text.size, stdout);
		v3dcl_buffer_free(&text);
	}
}

static int take_option(void *opaque, int c)
{
	struct options *o = opaque;

	if (c == 'd' || c == 'm')
		return tool_device_option(&o->device, c);
	*(c == 's' ? &o->show : &o->json) = true;
	return -1;
}

static int take_names(struct options *o, int argc, char **argv)
{
	int i;

	o->names = argv + optind;
	o->count = argc - optind;
	for (i = 0; i < o->count; i++) {
		if (!is_question(o->names[i], probe_modes, V3D_CHIP_MODE_COUNT) &&
		    !is_question(o->names[i], probe_assumptions, probe_assumption_count))
			return tool_usage("there is no question \"%s\"", o->names[i]);
	}
	return -1;
}

int tool_probe(int argc, char **argv)
{
	static const struct option options[] = {
		{ "device", required_argument, NULL, 'd' },
		{ "chip", required_argument, NULL, 'm' },
		{ "show", no_argument, NULL, 's' },
		{ "json", no_argument, NULL, 'j' },
		{ "help", no_argument, NULL, 'h' },
		{ NULL, 0, NULL, 0 },
	};
	struct options o = { .device = { .name = "sim", .budget = PROBE_BUDGET } };
	struct probe probe = { 0 };
	int status = tool_options(argc, argv, "d:sjh", options, help, take_option, &o);

	if (status < 0)
		status = take_names(&o, argc, argv);
	if (status >= 0)
		return status;
	if (o.show) {
		show(&o, probe_modes, V3D_CHIP_MODE_COUNT);
		show(&o, probe_assumptions, probe_assumption_count);
		return 0;
	}
	status = tool_open(&o.device, &probe.device);
	if (status)
		return status;
	if (strchr(o.device.name, '/'))
		probe.node = o.device.name;
	status = ask(&o, &probe);
	v3dcl_close(probe.device);
	return status;
}
