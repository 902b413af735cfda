// SPDX-License-Identifier: MIT
/* v3dcl info: what a device is. */
#include <getopt.h>
#include <string.h>

#include "../base/helpers.h"
#include "counters.h"
#include "tool.h"

static const char help[] =
	"usage: v3dcl info [OPTION]...\n\n"
	"What a device is: its driver, its limits, its performance counters.\n\n"
	TOOL_DEVICE_HELP
	"  -c, --counters        the performance counters too\n"
	"  -l, --list            which devices there are instead, one a line\n"
	"  -j, --json            as JSON, counters included\n"
	"  -h, --help            this\n";

struct row {
	const char *key, *text;
	uint64_t value;
	bool hex;
};

static void print_rows(const struct v3dcl_info *info, bool json)
{
	const struct row rows[] = {
		{ "ident0", "IDENT0", info->ident[0], true },
		{ "ident1", "IDENT1", info->ident[1], true },
		{ "ident2", "IDENT2", info->ident[2], true },
		{ "qpus", "QPUs", info->qpus, false },
		{ "vpm_rows", "VPM rows of user programs", info->vpm_rows, false },
		{ "max_programs", "programs in a submit, at most", info->max_programs, false },
		{ "max_uniforms", "uniforms in a submit, at most", info->max_uniforms, false },
		{ "max_relocs", "relocations in a submit, at most", info->max_relocs, false },
		{ "max_timeout_ns", "longest time of a QPU job, ns", info->max_timeout_ns, false },
		{ "memory_budget", "memory, bytes", info->memory_budget, false },
		{ "memory_used", "of it taken, bytes", info->memory_used, false },
		{ "guilty", "jobs of this file that hung", info->guilty, false },
		{ "innocent", "jobs cancelled by another's reset", info->innocent, false },
	};
	size_t i;

	for (i = 0; i < COUNT(rows); i++) {
		if (json)
			printf("  \"%s\": %llu,\n", rows[i].key, (unsigned long long)rows[i].value);
		else
			printf(rows[i].hex ? "%-36s 0x%08llx\n" : "%-36s %llu\n", rows[i].text,
			       (unsigned long long)rows[i].value);
	}
}

static void print_counters(bool json)
{
	unsigned int i;

	for (i = 0; i < COUNTERS; i++) {
		if (json)
			printf("%s\n    \"%s\"", i ? "," : "", counter_names[i]);
		else
			printf("counter %-2u %s\n", i, counter_names[i]);
	}
}

static void print_info(const struct v3dcl_info *info, bool json, bool counters)
{
	const char *kind = info->simulated ? "simulated, in this process" :
			   info->ours ? "a device" :
					     "a device, the kernel's own vc4";

	if (json) {
		printf("{\n  \"driver\": ");
		tool_json(stdout, info->name);
		printf(",\n  \"simulated\": %s,\n  \"ours\": %s,\n  \"unverified\": %s,\n",
		       info->simulated ? "true" : "false", info->ours ? "true" : "false",
		       info->unverified ? "true" : "false");
		print_rows(info, true);
		printf("  \"counters\": [");
		print_counters(true);
		printf("\n  ]\n}\n");
		return;
	}
	printf("%-36s %s\n%-36s %s\n%-36s %s\n", "driver", info->name, "what", kind,
	       "may run unverified programs", info->unverified ? "yes" : "no");
	print_rows(info, false);
	if (counters)
		print_counters(false);
}

static bool list_node(void *opaque, const struct v3dcl_node *node)
{
	const bool *json = opaque;

	if (!*json) {
		printf("%-36s %s\n", node->path,
		       node->error ? strerror(-node->error) :
		       node->ours ? "a device" : "a device, the kernel's own vc4");
		return true;
	}
	printf(", { \"device\": ");
	tool_json(stdout, node->path);
	printf(", \"ours\": %s, \"error\": ", node->ours ? "true" : "false");
	tool_json(stdout, node->error ? strerror(-node->error) : "");
	printf(" }");
	return true;
}

/* sim is always there */
static int list(bool json)
{
	struct v3dcl_error error = { 0 };

	if (json)
		printf("[{ \"device\": \"sim\", \"ours\": true, \"error\": \"\" }");
	else
		printf("%-36s %s\n", "sim", "simulated, in this process");
	if (v3dcl_devices(list_node, &json, &error) < 0)
		return tool_failed(&error);
	if (json)
		printf("]\n");
	return 0;
}

struct options {
	struct tool_device device;
	bool json, counters, list;
};

static int take_option(void *opaque, int c)
{
	struct options *o = opaque;

	if (c == 'd' || c == 'm')
		return tool_device_option(&o->device, c);
	*(c == 'c' ? &o->counters : c == 'l' ? &o->list : &o->json) = true;
	return -1;
}

int tool_info(int argc, char **argv)
{
	static const struct option options[] = {
		{ "device", required_argument, NULL, 'd' },
		{ "chip", required_argument, NULL, 'm' },
		{ "counters", no_argument, NULL, 'c' },
		{ "list", no_argument, NULL, 'l' },
		{ "json", no_argument, NULL, 'j' },
		{ "help", no_argument, NULL, 'h' },
		{ NULL, 0, NULL, 0 },
	};
	struct options o = { .device = { .name = "sim" } };
	struct v3dcl_device *device = NULL;
	struct v3dcl_error error = { 0 };
	struct v3dcl_info info;
	int status = tool_options(argc, argv, "d:cljh", options, help, take_option, &o);

	if (status >= 0)
		return status;
	if (optind != argc)
		return tool_usage("takes no file");
	if (o.list)
		return list(o.json);
	status = tool_open(&o.device, &device);
	if (status)
		return status;
	if (v3dcl_device_info(device, &info, &error))
		status = tool_failed(&error);
	else
		print_info(&info, o.json, o.counters);
	v3dcl_close(device);
	return status;
}
