// SPDX-License-Identifier: MIT
/*
 * How many QPU instructions a second a job's programs run at on the simulated chip, submits
 * included, on one core. The job has an option ROUNDS: what more rounds take is measured, so that
 * making buffers and checking programs does not count. Not a test.
 *
 *	bench-examples FILE ROUNDS [NAME=VALUE]...
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "v3dcl_text.h"

#define RUNS 4		/* the best of them counts */
#define OPTIONS 8

static const struct {
	const char *name, *chip;
	bool reference;
} devices[] = {
	{ "ideal", "ideal", false },
	{ "bcm2835", "bcm2835", false },
	{ "reference", "bcm2835", true },
};

/* What a job takes */
struct cost {
	uint64_t instructions;
	double seconds;
};

static double seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return t.tv_sec + t.tv_nsec * 0.000000001;
}

static void take_instructions(void *opaque, const char *name, uint64_t value)
{
	if (!strcmp(name, "instructions"))
		*(uint64_t *)opaque = value;
}

/* The fastest of some runs. Return: 0 or a negative errno */
static int measure(const struct v3dcl_script *script, struct v3dcl_device *device,
		   struct cost *cost, struct v3dcl_error *error)
{
	const struct v3dcl_run_options options = { .size = sizeof(options) };
	uint64_t before = 0, after = 0;
	int ret = 0;

	for (unsigned int n = 0; !ret && n < RUNS; n++) {
		double start, took;

		v3dcl_device_stats(device, take_instructions, &before, NULL);
		start = seconds();
		ret = v3dcl_script_run(script, device, &options, error);
		took = seconds() - start;
		cost->seconds = n && cost->seconds < took ? cost->seconds : took;
	}
	if (!ret)
		ret = v3dcl_device_stats(device, take_instructions, &after, error);
	cost->instructions = after - before;
	return ret;
}

/* @script has one round and so many more */
static int bench(struct v3dcl_script *const script[2], const char *name, unsigned int more,
		 unsigned int which, struct v3dcl_error *error)
{
	const struct v3dcl_simulator_config config = {
		.size = sizeof(config), .chip = devices[which].chip,
		.reference = devices[which].reference,
	};
	struct v3dcl_device *device;
	struct cost cost[2] = { { 0 } };
	double took;
	int ret;

	ret = v3dcl_open_simulator(&config, &device, error);
	for (unsigned int n = 0; !ret && n < 2; n++)
		ret = measure(script[n], device, &cost[n], error);
	v3dcl_close(device);
	if (ret)
		return ret;
	took = cost[1].seconds - cost[0].seconds;
	printf("%-28s %-9s %7.1f M instr/s, %6.1f ms each\n", name, devices[which].name,
	       (cost[1].instructions - cost[0].instructions) / took * 0.000001,
	       took * 1000 / more);
	return 0;
}

static char *read_text(const char *path, size_t *size)
{
	const size_t most = 1 << 20;
	FILE *file = fopen(path, "rb");
	char *text = calloc(1, most);

	*size = file && text ? fread(text, 1, most, file) : 0;
	if (file)
		fclose(file);
	return text;
}

/* Reads the job with one round and with @more, and runs both */
static int bench_job(const char *path, unsigned int more, const char **options, unsigned int count,
		     struct v3dcl_error *error)
{
	const char *name = strrchr(path, '/') ? strrchr(path, '/') + 1 : path;
	struct v3dcl_script *script[2] = { NULL, NULL };
	char rounds[32], *text;
	size_t size;
	int ret = 0;

	text = read_text(path, &size);
	if (!size)
		ret = v3dcl_fail(error, -1, "%s cannot be read", path);
	for (unsigned int n = 0; !ret && n < 2; n++) {
		snprintf(rounds, sizeof(rounds), "ROUNDS=%u", n ? more + 1 : 1);
		options[count] = rounds;
		ret = v3dcl_script_read(name, text, size, options, count + 1, &script[n], error);
	}
	for (unsigned int n = 0; !ret && n < sizeof(devices) / sizeof(devices[0]); n++)
		ret = bench(script, name, more, n, error);
	v3dcl_script_free(script[0]);
	v3dcl_script_free(script[1]);
	free(text);
	return ret;
}

int main(int argc, char **argv)
{
	struct v3dcl_error error = { 0 };
	const char *options[OPTIONS + 1];
	unsigned int count = 0;

	if (argc < 3 || argc > 3 + OPTIONS || atoi(argv[2]) < 1) {
		fprintf(stderr, "usage: bench-examples FILE ROUNDS [NAME=VALUE]...\n");
		return 2;
	}
	for (int n = 3; n < argc; n++)
		options[count++] = argv[n];
	if (!bench_job(argv[1], atoi(argv[2]), options, count, &error))
		return 0;
	fprintf(stderr, "%s\n", error.text);
	return 1;
}
