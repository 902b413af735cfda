// SPDX-License-Identifier: MIT
/*
 * v3dcl watch: a job's picture in a file, made anew whenever the job's text changes. Signals that
 * end it come in only where nothing is half done: while it waits, and while a job runs.
 */
#define _GNU_SOURCE	/* ppoll() */

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "../base/number.h"
#include "apng.h"
#include "job_text.h"
#include "v3dcl_image.h"

/* An editor writes a file in several steps: quiet for so long, it is done */
#define QUIET_MS 50
#define MOST_FRAMES 10000

static const char help[] =
	"usage: v3dcl watch [OPTION]... FILE\n\n"
	"Runs the job in FILE, writes the first picture that it saves to a PNG file, and\n"
	"does so again whenever FILE changes, telling what became different, until it is\n"
	"interrupted. A viewer that looks at files again shows the picture.\n\n"
	"  -o, --output OUT      the picture's file (usually FILE's name, ending in .png,\n"
	"                        in the current folder); it is always a whole one\n"
	"      --frames NAME=FIRST-LAST[:STEP]\n"
	"                        an animated PNG: a picture for each value of the job's\n"
	"                        option NAME\n"
	"      --delay MS        between them, 1 to 65535, usually 40\n"
	"      --once            do it once, and end\n"
	TOOL_DEVICE_HELP
	"  -D, --define NAME=N   a value for an option of the job's\n"
	"  -q, --quiet           say nothing but errors\n"
	"  -h, --help            this\n";

/* A picture, 4 bytes a pixel */
struct picture {
	uint32_t width, height;
	uint8_t *rgba;
};

/**
 * struct watch - what is watched
 * @job: as the command line has it
 * @output: the picture's file
 * @frames: values of the option of that name, @step from @first to @last; @name NULL: there are
 *	none
 * @text: of the job, as it was read last, @size bytes
 * @shown: the picture that is in the file, of an animation the last one
 */
struct watch {
	struct tool_job job;
	char output[PATH_MAX];
	struct {
		const char *name;
		int length;
		int64_t first, last, step;
	} frames;
	char *text;
	size_t size;
	struct picture shown;
};

static sigset_t ending;
static volatile sig_atomic_t stopped, running;

/* While a job runs, nothing is there that would have to be put away. */
static void stop(int signal)
{
	(void)signal;
	if (running)
		_exit(0);
	stopped = 1;
}

static void take_signals(void)
{
	const struct sigaction action = { .sa_handler = stop };

	sigemptyset(&ending);
	sigaddset(&ending, SIGINT);
	sigaddset(&ending, SIGTERM);
	sigprocmask(SIG_BLOCK, &ending, NULL);
	sigaction(SIGINT, &action, NULL);
	sigaction(SIGTERM, &action, NULL);
}

/* --- A picture -------------------------------------------------------------------------------- */

/* The first picture is kept */
static int keep(void *opaque, const struct v3dcl_saved *saved)
{
	const size_t size = (size_t)saved->width * saved->height * 4;
	struct picture *picture = opaque;

	if (!saved->rgba || picture->rgba)
		return 0;
	*picture = (struct picture){ saved->width, saved->height, malloc(size) };
	if (!picture->rgba)
		return -ENOMEM;
	memcpy(picture->rgba, saved->rgba, size);
	return 0;
}

/* @option: "NAME=N", or NULL. Return: false after saying why */
static bool make_picture(const struct watch *w, const char *option, struct v3dcl_device *device,
			 struct picture *picture)
{
	const struct v3dcl_run_options options = { .size = sizeof(options), .saved = keep,
						   .differs = tool_differs, .opaque = picture };
	const char *given[TOOL_MOST_DEFINES + 1];
	size_t count = w->job.option_count;
	struct v3dcl_script *script;
	struct v3dcl_error error;
	int ret;

	memcpy(given, w->job.options, sizeof(w->job.options));
	if (option)
		given[count++] = option;
	ret = v3dcl_script_read(w->job.file, w->text, w->size, given, count, &script, &error);
	if (ret) {
		tool_failed(&error);
		return false;
	}
	running = 1;
	sigprocmask(SIG_UNBLOCK, &ending, NULL);
	ret = v3dcl_script_run(script, device, &options, &error);
	sigprocmask(SIG_BLOCK, &ending, NULL);
	running = 0;
	v3dcl_script_free(script);
	if (ret && ret != -EBADMSG)
		tool_failed(&error);
	if (!ret && !picture->rgba)
		fprintf(stderr, "v3dcl watch: %s saves no picture: save PLACE picture WIDTH HEIGHT "
			"does\n", w->job.file);
	return !ret && picture->rgba;
}

/* --- What is different ------------------------------------------------------------------------ */

/* Pixels that differ, and the rectangle that they are in */
struct difference {
	uint32_t count, left, right, top, bottom;
};

static void compare(const struct picture *a, const struct picture *b, struct difference *d)
{
	uint32_t x, y;

	*d = (struct difference){ .left = UINT32_MAX, .top = UINT32_MAX };
	for (y = 0; y < a->height; y++) {
		for (x = 0; x < a->width; x++) {
			const size_t at = ((size_t)y * a->width + x) * 4;

			if (!memcmp(a->rgba + at, b->rgba + at, 4))
				continue;
			d->count++;
			d->left = x < d->left ? x : d->left;
			d->right = x > d->right ? x : d->right;
			d->top = y < d->top ? y : d->top;
			d->bottom = y;
		}
	}
}

static void tell(const struct watch *w, const struct picture *now, uint32_t frames)
{
	const struct picture *before = &w->shown;
	struct difference d;

	if (w->job.quiet)
		return;
	printf("%s: %u x %u", w->output, now->width, now->height);
	if (frames > 1)
		printf(", %u frames", frames);
	if (!before->rgba) {
		printf("\n");
	} else if (before->width != now->width || before->height != now->height) {
		printf(", was %u x %u\n", before->width, before->height);
	} else {
		compare(before, now, &d);
		if (d.count)
			printf(", %u pixels differ: x %u to %u, y %u to %u%s\n", d.count, d.left,
			       d.right, d.top, d.bottom, frames > 1 ? " (last frame)" : "");
		else
			printf(", the same%s\n", frames > 1 ? " (last frame)" : "");
	}
	fflush(stdout);
}

/* The file is the old one or the new one, and nothing between. */
static bool replace(const char *path, const struct v3dcl_buffer *file)
{
	char half[PATH_MAX + 8];

	snprintf(half, sizeof(half), "%s.part", path);
	if (!tool_write(half, file->bytes, file->size))
		return false;
	if (!rename(half, path))
		return true;
	fprintf(stderr, "v3dcl watch: %s: %s\n", path, strerror(errno));
	unlink(half);
	return false;
}

/* --- All of it, once -------------------------------------------------------------------------- */

static uint32_t frame_count(const struct watch *w)
{
	return w->frames.name ? (w->frames.last - w->frames.first) / w->frames.step + 1 : 1;
}

/* Every frame into @animation; the last one stays in @picture */
static bool make_frames(const struct watch *w, struct v3dcl_device *device, struct apng *animation,
			struct picture *picture)
{
	struct v3dcl_error error;
	char option[256];
	uint32_t i;

	for (i = 0; i < animation->count; i++) {
		free(picture->rgba);
		picture->rgba = NULL;
		snprintf(option, sizeof(option), "%.*s=%ld", w->frames.length, w->frames.name,
			 (long)(w->frames.first + (int64_t)i * w->frames.step));
		if (!make_picture(w, w->frames.name ? option : NULL, device, picture))
			return false;
		if (w->frames.name &&
		    apng_add(animation, picture->rgba, picture->width, picture->height, &error)) {
			fprintf(stderr, "v3dcl watch: %s: %s\n", option, error.text);
			return false;
		}
	}
	return true;
}

static bool make_file(const struct watch *w, struct apng *animation, const struct picture *picture)
{
	struct v3dcl_error error;

	if (w->frames.name)
		return apng_end(animation);
	return !v3dcl_png_write(picture->rgba, picture->width, picture->height, &animation->file,
				&error) || !tool_failed(&error);
}

/* Return: an exit status */
static int show(struct watch *w)
{
	struct apng animation = { .count = frame_count(w), .delay_ms = w->job.delay };
	struct v3dcl_device *device = NULL;
	struct picture picture = { 0 };
	int status = tool_open(&w->job.device, &device);

	if (!status && !(make_frames(w, device, &animation, &picture) &&
			 make_file(w, &animation, &picture) && replace(w->output, &animation.file)))
		status = EXIT_REFUSED;
	v3dcl_close(device);
	v3dcl_buffer_free(&animation.file);
	if (status) {
		free(picture.rgba);
		return status;
	}
	tell(w, &picture, animation.count);
	free(w->shown.rgba);
	w->shown = picture;
	return 0;
}

/* --- Again and again -------------------------------------------------------------------------- */

/* Is the text another one than it was? If it cannot be read, that has been said. */
static bool read_again(struct watch *w)
{
	size_t size;
	char *text = tool_read(w->job.file, &size);

	if (!text)
		return false;
	if (w->text && size == w->size && !memcmp(text, w->text, size)) {
		free(text);
		return false;
	}
	free(w->text);
	w->text = text;
	w->size = size;
	return true;
}

/* Events that are there. Return: one is about the file */
static bool take_events(int events, const char *name)
{
	char bytes[4096] __attribute__((aligned(8)));
	const struct inotify_event *event;
	ssize_t size, at;
	bool ours = false;

	while ((size = read(events, bytes, sizeof(bytes))) > 0) {
		for (at = 0; at < size; at += sizeof(*event) + event->len) {
			event = (const struct inotify_event *)(bytes + at);
			ours |= event->len && !strcmp(event->name, name);
		}
	}
	return ours;
}

/* Waits until the file has changed and is left in peace. Return: false: the user wants to end */
static bool wait_for_change(int events, const char *name)
{
	static const struct timespec quiet = { .tv_nsec = QUIET_MS * 1000000 };
	struct pollfd fd = { .fd = events, .events = POLLIN };
	bool ours = false;
	sigset_t none;
	int ready;

	sigemptyset(&none);
	while (!stopped) {
		ready = ppoll(&fd, 1, ours ? &quiet : NULL, &none);
		if (ready > 0)
			ours |= take_events(events, name);
		else if (!ready)
			return true;
	}
	return false;
}

/* The folder is watched, since editors put a new file in the place of the old one. */
static int watch_folder(const char *path)
{
	const char *slash = strrchr(path, '/');
	char folder[PATH_MAX];
	int events = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);

	snprintf(folder, sizeof(folder), "%.*s", slash ? (int)(slash + 1 - path) : 1,
		 slash ? path : ".");
	if (events >= 0 && inotify_add_watch(events, folder, IN_CLOSE_WRITE | IN_MOVED_TO) >= 0)
		return events;
	fprintf(stderr, "v3dcl watch: %s: %s\n", folder, strerror(errno));
	if (events >= 0)
		close(events);
	return -1;
}

static int keep_watching(struct watch *w)
{
	const char *slash = strrchr(w->job.file, '/'), *name = slash ? slash + 1 : w->job.file;
	int events = watch_folder(w->job.file);

	if (events < 0)
		return EXIT_REFUSED;
	do {
		if (read_again(w))
			show(w);
	} while (wait_for_change(events, name));
	close(events);
	return 0;
}

/* --- The command line ------------------------------------------------------------------------- */

/* NAME=FIRST-LAST[:STEP]. Return: false: it is not */
static bool take_frames(struct watch *w, const char *text)
{
	const char *equals = strchr(text, '=');
	int64_t *const numbers[] = { &w->frames.first, &w->frames.last, &w->frames.step };
	static const char before[] = "=-:";
	const char *end = equals;
	unsigned int i;

	w->frames.step = 1;
	for (i = 0; i < 3 && end && (i < 2 || *end); i++)
		if (*end++ != before[i] || !number_signed(&end, INT_MAX, numbers[i]))
			return false;
	if (i < 2 || *end || equals == text || equals - text > 64)
		return false;
	w->frames.name = text;
	w->frames.length = equals - text;
	return w->frames.step > 0 && w->frames.first <= w->frames.last &&
	       (w->frames.last - w->frames.first) / w->frames.step < MOST_FRAMES;
}

/* The job's name, without its folder, with another suffix */
static void name_output(struct watch *w)
{
	const char *slash = strrchr(w->job.file, '/'), *name = slash ? slash + 1 : w->job.file;
	const char *point = strrchr(name, '.');
	const int length = point && point != name ? point - name : (int)strlen(name);

	if (w->job.output)
		snprintf(w->output, sizeof(w->output), "%s", w->job.output);
	else
		snprintf(w->output, sizeof(w->output), "%.*s.png", length, name);
}

/* A device that a file took the place of would be lost to all programs */
static bool is_replaceable(const char *path)
{
	struct stat info;

	return lstat(path, &info) || S_ISREG(info.st_mode);
}

/* Return: below 0 to go on, else an exit status */
static int check_options(struct watch *w)
{
	if (!strcmp(w->job.file, "-"))
		return tool_usage("standard input cannot be watched: expected a file");
	if (w->job.output && !strcmp(w->job.output, "-"))
		return tool_usage("--output takes a file: a picture is written again and again");
	if (w->job.output && !is_replaceable(w->job.output))
		return tool_usage("--output takes a file, whose place each new picture takes; %s "
				  "is a folder, a device, a pipe or a link", w->job.output);
	if (strlen(w->job.file) >= PATH_MAX || (w->job.output && strlen(w->job.output) >= PATH_MAX))
		return tool_usage("a path has less than %d bytes", PATH_MAX);
	if (w->job.frames && !take_frames(w, w->job.frames))
		return tool_usage("--frames takes NAME=FIRST-LAST or NAME=FIRST-LAST:STEP, at most "
				  "%d frames", MOST_FRAMES);
	if (w->job.delay && !w->job.frames)
		return tool_usage("--delay is between --frames");
	if (!w->job.delay)
		w->job.delay = 40;
	return -1;
}

int tool_watch(int argc, char **argv)
{
	struct watch w = { 0 };
	int status = tool_job_options(&w.job, argc, argv, "odmDqF1y", help);

	if (status < 0)
		status = check_options(&w);
	if (status >= 0)
		return status;
	name_output(&w);
	take_signals();
	if (!w.job.once)
		status = keep_watching(&w);
	else
		status = read_again(&w) ? show(&w) : EXIT_REFUSED;
	free(w.text);
	free(w.shown.rgba);
	return status;
}
