// SPDX-License-Identifier: MIT
/* v3dcl decode: what the V3D was given, as a job's text or as JSON. */
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include <drm/v3dcl_dump.h>

#include "../base/number.h"
#include "tool.h"
#include "v3dcl_decode.h"
#include "v3dcl_text.h"

#define MOST_PIECES 64

static const char help[] =
	"usage: v3dcl decode [OPTION]... [FILE]\n\n"
	"Says what is in the driver's dump of a hang\n"
	"(/sys/class/devcoredump/devcd*/data), in memory given with --mem, or what the\n"
	"V3D is given for a job (see v3dcl-text(5)), as a text that v3dcl run takes\n"
	"again.\n\n"
	"  -m, --mem FILE@ADDRESS    memory at that address, as the V3D sees it, filled\n"
	"                            from FILE\n"
	"      --ct0 START:END       the bin list\n"
	"      --ct1 START:END       the render list\n"
	"      --code ADDRESS        a program\n"
	"      --alone               do not go where addresses lead\n"
	"  -D, --define NAME=N       a value for an option of the job's\n"
	"  -o, --output OUT          where to\n"
	"  -j, --json                as JSON\n"
	"  -h, --help                this\n";

struct options {
	struct v3dcl_piece pieces[MOST_PIECES];
	char *memory[MOST_PIECES];
	const char *memory_files[MOST_PIECES];
	struct v3dcl_decoding how;
	uint32_t list[2][2], code;
	bool has_code;
	const char *output;
	const char *defines[TOOL_MOST_DEFINES];
	size_t define_count;
};

/* A number up to @end, which is the last character or the one to go on behind */
static bool number(const char **text, char end, uint32_t *value)
{
	uint64_t n;

	if (!number_take(text, UINT32_MAX, &n) || **text != end)
		return false;
	*value = n;
	*text += end != '\0';
	return true;
}

/* Return: below 0 to go on, else an exit status */
static int take_memory(struct options *o, char *text)
{
	char *at = strrchr(text, '@');
	const char *address = at ? at + 1 : "";
	struct v3dcl_piece *piece = &o->pieces[o->how.piece_count];
	size_t size;

	if (o->how.piece_count == MOST_PIECES)
		return tool_usage("more than %d pieces of memory", MOST_PIECES);
	if (!number(&address, '\0', &piece->address))
		return tool_usage("--mem takes FILE@ADDRESS");
	*at = '\0';
	o->memory_files[o->how.piece_count] = text;
	o->memory[o->how.piece_count] = tool_read_memory(text, &size);
	if (!o->memory[o->how.piece_count])
		return EXIT_REFUSED;
	piece->bytes = (const uint8_t *)o->memory[o->how.piece_count++];
	piece->size = size;
	return size > UINT32_MAX - piece->address ?
		       tool_usage("--mem: %s does not end below 2^32", text) :
		       -1;
}

static int take_list(struct options *o, unsigned int which, const char *text)
{
	if (!number(&text, ':', &o->list[which][0]) || !number(&text, '\0', &o->list[which][1]))
		return tool_usage("--ct%u takes START:END", which);
	if (o->list[which][1] < o->list[which][0])
		return tool_usage("--ct%u: the list ends before it starts", which);
	return -1;
}

static int take_option(void *opaque, int c)
{
	const char *text = optarg;
	struct options *o = opaque;

	switch (c) {
	case 'm':
		return take_memory(o, optarg);
	case '0':
	case '1':
		return take_list(o, c - '0', text);
	case 'c':
		o->has_code = number(&text, '\0', &o->code);
		return o->has_code ? -1 : tool_usage("--code takes an address");
	case 'a':
		o->how.follow = false;
		return -1;
	case 'D':
		return tool_define(optarg, o->defines, &o->define_count);
	case 'o':
		o->output = optarg;
		return -1;
	default:
		o->how.json = true;
		return -1;
	}
}

static int parse(struct options *o, int argc, char **argv)
{
	static const struct option options[] = {
		{ "mem", required_argument, NULL, 'm' }, { "ct0", required_argument, NULL, '0' },
		{ "ct1", required_argument, NULL, '1' }, { "code", required_argument, NULL, 'c' },
		{ "alone", no_argument, NULL, 'a' }, { "define", required_argument, NULL, 'D' },
		{ "output", required_argument, NULL, 'o' }, { "json", no_argument, NULL, 'j' },
		{ "help", no_argument, NULL, 'h' }, { NULL, 0, NULL, 0 },
	};
	uint32_t i;
	int status = tool_options(argc, argv, "m:D:o:jh", options, help, take_option, o);

	if (status >= 0)
		return status;
	if (o->how.piece_count ? optind != argc : optind + 1 != argc)
		return tool_usage("expected one dump, one job, or memory");
	if (!o->how.piece_count)
		return tool_check_output(argv[optind], o->output);
	for (i = 0; i < o->how.piece_count && status < 0; i++)
		status = tool_check_output(o->memory_files[i], o->output);
	return status;
}

static bool is_dump(const char *bytes, size_t size)
{
	uint32_t magic;

	if (size < sizeof(magic))
		return false;
	memcpy(&magic, bytes, sizeof(magic));
	return magic == V3DCL_DUMP_MAGIC;
}

/* What is no dump is a job's text, or wrong */
static int decode_job(const struct options *o, const char *path, const char *text, size_t size,
		      struct v3dcl_buffer *out, struct v3dcl_error *error)
{
	struct v3dcl_script *script;
	int ret = v3dcl_script_read(path, text, size, o->defines, o->define_count, &script, error);

	if (ret)
		return ret;
	ret = v3dcl_script_decode(script, o->how.json, out, error);
	v3dcl_script_free(script);
	return ret;
}

static int decode_file(const struct options *o, const char *path, struct v3dcl_buffer *out,
		       struct v3dcl_error *error)
{
	size_t size;
	char *bytes = tool_read_memory(path, &size);
	int ret;

	if (!bytes)
		return EXIT_REFUSED;
	if (is_dump(bytes, size))
		ret = v3dcl_decode_dump((const uint8_t *)bytes, size, o->how.json, out, error);
	else
		ret = decode_job(o, path, bytes, size, out, error);
	free(bytes);
	return ret ? tool_failed(error) : 0;
}

static int decode_memory(const struct options *o, struct v3dcl_buffer *out,
			 struct v3dcl_error *error)
{
	int ret;

	if (o->has_code)
		ret = v3dcl_decode_code(&o->how, o->code, out, error);
	else
		ret = v3dcl_decode_lists(&o->how, o->list[0][0], o->list[0][1], o->list[1][0],
					 o->list[1][1], out, error);
	return ret ? tool_failed(error) : 0;
}

int tool_decode(int argc, char **argv)
{
	struct options o = { .how = { .follow = true } };
	struct v3dcl_error error = { 0 };
	struct v3dcl_buffer out = { 0 };
	uint32_t i;
	int status;

	o.how.pieces = o.pieces;
	status = parse(&o, argc, argv);
	if (status < 0) {
		if (o.how.piece_count)
			status = decode_memory(&o, &out, &error);
		else
			status = decode_file(&o, argv[optind], &out, &error);
		if (!status && !tool_write(o.output ? o.output : "-", out.bytes, out.size))
			status = EXIT_REFUSED;
	}
	v3dcl_buffer_free(&out);
	for (i = 0; i < o.how.piece_count; i++)
		free(o.memory[i]);
	return status;
}
