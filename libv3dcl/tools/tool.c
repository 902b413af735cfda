// SPDX-License-Identifier: MIT
/* What the subcommands share: messages, files, devices. */
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <poll.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/param.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../base/helpers.h"
#include "../base/number.h"
#include "tool.h"
#include "v3dcl_image.h"
#include "v3dcl_text.h"

/* Of a dump, of memory, of an image: what a Raspberry Pi with this V3D has at most */
#define MOST_MEMORY (1024u << 20)
/* How long a pipe's writer may take to open it */
#define WRITER_COMES_MS 2000

const char *tool_name = "";

bool tool_colors(FILE *stream)
{
	const char *no = getenv("NO_COLOR"), *term = getenv("TERM");

	return isatty(fileno(stream)) && !(no && *no) && term && strcmp(term, "dumb") != 0;
}

static void say(const char *color, const char *kind, const char *format, va_list args)
{
	bool colors = tool_colors(stderr);

	fprintf(stderr, "v3dcl %s: %s%s%s", tool_name, colors ? color : "", kind,
		colors ? "\033[0m" : "");
	vfprintf(stderr, format, args);
	fputc('\n', stderr);
}

/* What getopt says no to: @letter is ':' for a missing value */
static int wrong_option(int letter, const char *word, const struct option *options)
{
	const struct option *o;

	for (o = options; o->name && o->val != optopt; o++)
		;
	if (letter == ':')
		return tool_usage("%s needs a value", word);
	if (optopt && o->name)
		return tool_usage("--%s takes no value", o->name);
	return optopt ? tool_usage("unknown option: -%c", optopt) :
			tool_usage("unknown option: %s", word);
}

int tool_options(int argc, char **argv, const char *letters, const struct option *options,
		 const char *help, int (*take)(void *opaque, int letter), void *opaque)
{
	char told[32]; /* its colon tells a missing value from an unknown option */
	int letter, status;

	opterr = 0;
	snprintf(told, sizeof(told), ":%s", letters);
	while ((letter = getopt_long(argc, argv, told, options, NULL)) >= 0) {
		if (letter == '?' || letter == ':')
			return wrong_option(letter, argv[optind - 1], options);
		if (letter == 'h') {
			fputs(help, stdout);
			return 0;
		}
		status = take(opaque, letter);
		if (status >= 0)
			return status;
	}
	return -1;
}

int tool_define(const char *text, const char *defines[TOOL_MOST_DEFINES], size_t *count)
{
	const char *equals = strchr(text, '=');
	uint64_t whole;
	double real;

	if (*count == TOOL_MOST_DEFINES || !equals || equals == text)
		return tool_usage("-D takes NAME=NUMBER, at most %d times", TOOL_MOST_DEFINES);
	if (!number_whole(equals + 1 + (equals[1] == '-'), INT64_MAX, &whole) &&
	    !number_real(equals + 1, &real))
		return tool_usage("-D %.*s: \"%s\" is no number: decimal, 0x hexadecimal, or with "
				  "a point", (int)(equals - text), text, equals + 1);
	defines[(*count)++] = text;
	return -1;
}

int tool_usage(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	say("\033[31m", "", format, args);
	va_end(args);
	fprintf(stderr, "v3dcl %s: try --help\n", tool_name);
	return EXIT_USAGE;
}

void tool_warn(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	say("\033[33m", "warning: ", format, args);
	va_end(args);
}

int tool_failed(const struct v3dcl_error *error)
{
	bool colors = tool_colors(stderr);

	fprintf(stderr, "%serror:%s %s\n", colors ? "\033[31m" : "", colors ? "\033[0m" : "",
		error->text);
	return EXIT_REFUSED;
}

void tool_differs(void *opaque, const struct v3dcl_error *error)
{
	(void)opaque;
	tool_failed(error);
}

void tool_traced(void *opaque, const char *line)
{
	(void)opaque;
	fprintf(stderr, "%s\n", line);
}

static void print_line(void *opaque, const char *line)
{
	(void)opaque;
	puts(line);
}

int tool_device_option(struct tool_device *device, int letter)
{
	if (letter == 'd') {
		device->name = optarg;
		return -1;
	}
	device->chip = optarg;
	if (strcmp(optarg, "help") != 0)
		return -1;
	v3dcl_simulator_chips(print_line, NULL);
	return 0;
}

static int open_simulator(const struct v3dcl_simulator_config *config,
			  struct v3dcl_device **device)
{
	struct v3dcl_error error = { 0 };
	int ret = v3dcl_open_simulator(config, device, &error);

	if (ret == -EINVAL)
		return tool_usage("%s%s", strncmp(error.text, "V3D_CHIP", 8) ? "--" : "",
				  error.text);
	return ret ? tool_failed(&error) : 0;
}

int tool_open(const struct tool_device *which, struct v3dcl_device **device)
{
	struct v3dcl_simulator_config config = { .size = sizeof(config), .trace = tool_traced,
						 .tracing = which->trace,
						 .unverified = !which->user,
						 .unprivileged = which->user,
						 .chip = which->chip,
						 .races = which->races,
						 .budget = which->budget };
	struct v3dcl_error error = { 0 };

	config.reference = !strcmp(which->name, "reference");
	if (!strcmp(which->name, "sim") || config.reference)
		return open_simulator(&config, device);
	if (which->trace || which->chip || which->races)
		return tool_usage("--trace, --chip and --races are of the simulated device "
				  "(--device sim or reference)");
	return v3dcl_open(which->name, device, &error) ? tool_failed(&error) : 0;
}

static void complain(const char *path)
{
	fprintf(stderr, "v3dcl %s: %s: %s\n", tool_name, path, strerror(errno));
}

/*
 * A pipe that was opened without waiting for a writer: is there one, or does one come soon? What
 * is read to ask goes back.
 */
static bool has_writer(FILE *file)
{
	struct pollfd pipe = { .fd = fileno(file), .events = POLLIN };
	unsigned char byte;
	ssize_t n;

	if (poll(&pipe, 1, WRITER_COMES_MS) > 0)
		return true;
	n = read(pipe.fd, &byte, 1);
	return n == 1 ? ungetc(byte, file) == byte : n < 0 && errno == EAGAIN;
}

static FILE *open_file(const char *path, struct stat *info)
{
	const bool standard = !strcmp(path, "-");
	int fd = standard ? STDIN_FILENO :
			    open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	FILE *file = standard ? stdin : fd < 0 ? NULL : fdopen(fd, "rb");

	if (!file || fstat(fd, info))
		complain(path);
	else if (!standard && S_ISFIFO(info->st_mode) && !has_writer(file))
		fprintf(stderr,
			"v3dcl %s: %s: nothing writes to this pipe: start what does first\n",
			tool_name, path);
	else if (!standard && fcntl(fd, F_SETFL, 0))
		complain(path);
	else
		return file;
	if (!file && fd >= 0)
		close(fd);
	if (file && !standard)
		fclose(file);
	return NULL;
}

/*
 * One byte more than @most is read: whether there is one is what tells a file that is too long.
 * What does not say how long it is may go on for ever, and has less.
 */
static char *read_up_to(const char *path, size_t most, const char *what, size_t *size)
{
	struct stat info;
	FILE *file = open_file(path, &info);
	char *bytes = NULL, *more;
	size_t room = 65536, n;
	bool good = false;

	*size = 0;
	if (!file)
		return NULL;
	if (!S_ISREG(info.st_mode) && most > V3DCL_MOST_TEXT) {
		most = V3DCL_MOST_TEXT;
		what = "a pipe or a device may give: put it into a file";
	}
	do {
		more = realloc(bytes, room + 1);
		if (!more)
			break;
		bytes = more;
		n = fread(bytes + *size, 1, room - *size, file);
		*size += n;
		room = MIN(room * 2, most + 1);
	} while (n && *size <= most);
	if (!more || ferror(file))
		complain(path);
	else if (*size > most)
		fprintf(stderr, "v3dcl %s: %s: has more than %zu MiB, which is the most %s\n",
			tool_name, path, most >> 20, what);
	else
		good = true;
	if (file != stdin)
		fclose(file);
	if (good) {
		bytes[*size] = 0;
		return bytes;
	}
	free(bytes);
	return NULL;
}

char *tool_read(const char *path, size_t *size)
{
	return read_up_to(path, V3DCL_MOST_TEXT, "a text may have", size);
}

char *tool_read_memory(const char *path, size_t *size)
{
	return read_up_to(path, MOST_MEMORY, "memory of the V3D's may have",
			  size);
}

int tool_check_output(const char *in, const char *out)
{
	struct stat from, to;

	if (!out || stat(in, &from) || stat(out, &to) || !S_ISREG(to.st_mode) ||
	    from.st_dev != to.st_dev || from.st_ino != to.st_ino)
		return -1;
	return tool_usage("%s would be read and overwritten: name another file for what is written",
			  in);
}

bool tool_write(const char *path, const void *bytes, size_t size)
{
	FILE *file = strcmp(path, "-") ? fopen(path, "wb") : stdout;
	bool good = file && fwrite(bytes, 1, size, file) == size;

	if (file == stdout)
		good = !fflush(file) && good;
	else if (file)
		good = !fclose(file) && good;
	if (!good)
		complain(path);
	return good;
}

bool tool_write_png(const char *path, const uint8_t *rgba, uint32_t width, uint32_t height)
{
	struct v3dcl_buffer file = { 0 };
	struct v3dcl_error error;
	bool good = !v3dcl_png_write(rgba, width, height, &file, &error);

	if (good)
		good = tool_write(path, file.bytes, file.size);
	else
		fprintf(stderr, "v3dcl %s: %s: %s\n", tool_name, path, error.text);
	v3dcl_buffer_free(&file);
	return good;
}

const char *tool_other_picture(const char *path)
{
	static const char *const suffixes[] = {
		".jpg", ".jpeg", ".gif", ".bmp", ".tif", ".tiff", ".webp", ".ppm", ".pgm", ".pnm",
		".pam", ".tga",	 ".svg", ".qoi", ".exr", ".avif", ".heic", ".jxl", ".ktx", ".dds",
	};
	const char *suffix = strrchr(path, '.');
	size_t i;

	for (i = 0; suffix && i < COUNT(suffixes); i++) {
		if (!strcasecmp(suffix, suffixes[i]))
			return suffix;
	}
	return NULL;
}

void tool_json(FILE *out, const char *text)
{
	fputc('"', out);
	for (; *text; text++) {
		unsigned char c = *text;

		if (c == '"' || c == '\\')
			fprintf(out, "\\%c", c);
		else if (c < ' ')
			fprintf(out, "\\u%04x", c);
		else
			fputc(c, out);
	}
	fputc('"', out);
}
