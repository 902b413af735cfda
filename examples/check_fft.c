// SPDX-License-Identifier: MIT
/*
 * fft.v3d and fft-calls.v3d on noise, against a transform in double precision. Prints the error for
 * each number of points, as TAP.
 *
 *	check-fft FOLDER [DEVICE]
 */
#include <complex.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "v3dcl_text.h"

#define MOST_POINTS 65536

/* What the job saved, and what it should be */
static float spectrum[2 * MOST_POINTS];
typedef double complex complex_number;

static complex_number reference[MOST_POINTS], scratch[MOST_POINTS];

/* The noise of fft.v3d */
static float noise(int64_t i, int64_t factor, unsigned int shift)
{
	return ((i * factor >> shift & 0xffff) - 32768) / 32768.0;
}

/* Decimation in time, recursive: nothing in common with the job's way */
static void transform(complex_number *x, complex_number *temporary, unsigned int n,
		      unsigned int stride)
{
	unsigned int half = n / 2, k;

	if (n == 1)
		return;
	transform(x, temporary, half, 2 * stride);
	transform(x + stride, temporary, half, 2 * stride);
	for (k = 0; k < half; k++) {
		double complex even = x[2 * k * stride],
			       odd = x[(2 * k + 1) * stride] * cexp(-2 * M_PI * I * k / n);

		temporary[k] = even + odd;
		temporary[k + half] = even - odd;
	}
	for (k = 0; k < n; k++)
		x[k * stride] = temporary[k];
}

static int take(void *opaque, const struct v3dcl_saved *saved)
{
	(void)opaque;
	if (saved->size > sizeof(spectrum))
		return -EFBIG;
	memcpy(spectrum, saved->bytes, saved->size);
	return 0;
}

/* Of fft-calls.v3d the number of points is what it is. */
static int run(struct v3dcl_device *device, const char *name, const char *text, size_t size,
	       unsigned int points, bool fixed, struct v3dcl_error *error)
{
	const struct v3dcl_run_options options = { .size = sizeof(options), .saved = take };
	char count[32];
	const char *const given[] = { "NOISE=1", count };
	struct v3dcl_script *script;
	int ret;

	snprintf(count, sizeof(count), "POINTS=%u", points);
	ret = v3dcl_script_read(name, text, size, given, fixed ? 1 : 2, &script, error);
	if (!ret)
		ret = v3dcl_script_run(script, device, &options, error);
	v3dcl_script_free(script);
	return ret;
}

/* Root mean square of the error, as a part of that of the spectrum */
static double error_of(unsigned int points)
{
	double errors = 0, sum = 0;
	unsigned int i;

	for (i = 0; i < points; i++)
		reference[i] = noise(i, 2654435761, 7) + I * noise(i, 2246822519, 9);
	transform(reference, scratch, points, 1);
	for (i = 0; i < points; i++) {
		double complex difference = spectrum[2 * i] + I * spectrum[2 * i + 1] -
					    reference[i];

		errors += creal(difference) * creal(difference) +
			  cimag(difference) * cimag(difference);
		sum += creal(reference[i]) * creal(reference[i]) +
		       cimag(reference[i]) * cimag(reference[i]);
	}
	return sqrt(errors / sum);
}

static char *read_text(const char *path, size_t *size)
{
	FILE *file = fopen(path, "rb");
	char *text = calloc(1, 65536);

	*size = file && text ? fread(text, 1, 65536, file) : 0;
	if (file)
		fclose(file);
	return text;
}

static int open_device(const char *path, struct v3dcl_device **device, struct v3dcl_error *error)
{
	int fd, ret;

	if (!path)
		return v3dcl_open_simulator(NULL, device, error);
	fd = open(path, O_RDWR | O_CLOEXEC);
	if (fd < 0)
		return v3dcl_fail(error, -errno, "%s: %s", path, strerror(errno));
	ret = v3dcl_open_drm(fd, device, error);
	close(fd);
	return ret;
}

/* Arithmetic that truncates (HW): a few parts in ten million, growing with the passes */
#define BOUND 0.000002

static unsigned int tests;

/* A transform of so many points. Return: it is right */
static bool check(struct v3dcl_device *device, const char *folder, const char *name,
		  unsigned int points, bool fixed)
{
	struct v3dcl_error error = { 0 };
	double part = 1;
	char path[4096];
	size_t size;
	char *text;

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	text = read_text(path, &size);
	if (!size)
		printf("# %s cannot be read\n", path);
	else if (run(device, path, text, size, points, fixed, &error))
		printf("# %s\n", error.text);
	else
		part = error_of(points);
	free(text);
	printf("%sok %u - %s, %u points, rms error %.2f ppm\n", part < BOUND ? "" : "not ",
	       ++tests, name, points, part * 1e6);
	return part < BOUND;
}

int main(int argc, char **argv)
{
	const char *folder = argc > 1 ? argv[1] : ".";
	struct v3dcl_device *device = NULL;
	struct v3dcl_error error = { 0 };
	unsigned int points, failed = 0;

	if (open_device(argc > 2 ? argv[2] : NULL, &device, &error)) {
		printf("Bail out! %s\n", error.text);
		return 1;
	}
	printf("TAP version 13\n1..10\n");
	for (points = 256; points <= MOST_POINTS; points *= 2)
		failed += !check(device, folder, "fft.v3d", points, false);
	failed += !check(device, folder, "fft-calls.v3d", 256, true);
	v3dcl_close(device);
	return failed != 0;
}
