// SPDX-License-Identifier: MIT
/* v3dcl asm and v3dcl disasm. */
#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "../base/helpers.h"
#include "tool.h"
#include "v3dcl_qpu.h"

static const char asm_help[] =
	"usage: v3dcl asm [OPTION]... FILE\n\n"
	"Assembles the QPU program in FILE (- is standard input) and lists it.\n"
	"Restrictions of AG100 that it breaks are warned of.\n\n"
	"  -I, --include DIR  .include also looks here; it reads files in FILE's folder, in\n"
	"                     these, and below them, and no others\n"
	"  -s, --syntax WHOSE vc4asm: as it reads what it reads differently (the usual for files\n"
	"                     named .qasm or .qinc); v3dcl: as the manual says\n"
	"  -o, --output OUT   the instructions, 8 bytes each, little endian\n"
	"  -k, --kind KIND    what it is for, since some restrictions are of one kind\n"
	"                     only: user (the usual), fragment, vertex, coordinate\n"
	"  -x, --hex          instructions as hexadecimal numbers, a line each\n"
	"  -j, --json         instructions, uniforms, labels and broken restrictions as JSON\n"
	"  -q, --quiet        no warnings\n"
	"  -h, --help         this\n";

static const char disasm_help[] =
	"usage: v3dcl disasm [OPTION]... FILE\n\n"
	"QPU instructions in FILE (- is standard input), 8 bytes each, little endian,\n"
	"as text that v3dcl asm turns into the same instructions.\n\n"
	"  -x, --hex          FILE has hexadecimal numbers of 64 bits, with blanks between them\n"
	"  -o, --output OUT   where to\n"
	"  -j, --json         as JSON: each instruction's word and text\n"
	"  -h, --help         this\n";

#define MOST_FOLDERS 64u

struct options {
	const char *file, *output;
	enum v3dcl_program_kind kind;
	bool hex, json, quiet;
	const char *syntax;
	char *own_folder;
	const char *folders[MOST_FOLDERS];
	size_t folder_count;
};

static bool take_kind(struct options *o, const char *name)
{
	static const char *const names[] = {
		[V3DCL_USER_PROGRAM] = "user",
		[V3DCL_FRAGMENT_SHADER] = "fragment",
		[V3DCL_VERTEX_SHADER] = "vertex",
		[V3DCL_COORDINATE_SHADER] = "coordinate",
	};
	unsigned int i;

	for (i = 0; i < COUNT(names); i++) {
		if (!strcmp(names[i], name)) {
			o->kind = i;
			return true;
		}
	}
	return false;
}

static int take_folder(struct options *o, const char *folder)
{
	struct stat info;
	const int wrong = stat(folder, &info) ? errno : S_ISDIR(info.st_mode) ? 0 : ENOTDIR;

	if (wrong)
		return tool_usage("--include: %s: %s", folder, strerror(wrong));
	/* One place is the file's own folder's. */
	if (o->folder_count == MOST_FOLDERS - 1)
		return tool_usage("--include is given more than %u times", MOST_FOLDERS - 1);
	o->folders[o->folder_count++] = folder;
	return -1;
}

static int take_syntax(struct options *o, const char *name)
{
	if (strcmp(name, "vc4asm") && strcmp(name, "v3dcl"))
		return tool_usage("--syntax takes vc4asm or v3dcl");
	o->syntax = name;
	return -1;
}

static int take_option(void *opaque, int c)
{
	struct options *o = opaque;

	switch (c) {
	case 'o':
		o->output = optarg;
		return -1;
	case 'x':
		o->hex = true;
		return -1;
	case 'j':
		o->json = true;
		return -1;
	case 'q':
		o->quiet = true;
		return -1;
	case 'I':
		return take_folder(o, optarg);
	case 's':
		return take_syntax(o, optarg);
	default:
		return take_kind(o, optarg) ?
			       -1 :
			       tool_usage("--kind takes user, fragment, vertex or coordinate");
	}
}

/* Return: below 0 to go on, else an exit status */
static int parse(struct options *o, int argc, char **argv, const char *letters, const char *help)
{
	static const struct option options[] = {
		{ "output", required_argument, NULL, 'o' },
		{ "kind", required_argument, NULL, 'k' },
		{ "hex", no_argument, NULL, 'x' },
		{ "json", no_argument, NULL, 'j' },
		{ "quiet", no_argument, NULL, 'q' },
		{ "include", required_argument, NULL, 'I' },
		{ "syntax", required_argument, NULL, 's' },
		{ "help", no_argument, NULL, 'h' },
		{ NULL, 0, NULL, 0 },
	};
	int status;

	*o = (struct options){ .kind = V3DCL_USER_PROGRAM };
	status = tool_options(argc, argv, letters, options, help, take_option, o);
	if (status >= 0)
		return status;
	if (optind + 1 != argc)
		return tool_usage("expected one file");
	o->file = argv[optind];
	return tool_check_output(o->file, o->output);
}

struct listing {
	const struct options *options;
	const struct v3dcl_assembly *assembly;
	unsigned int hazards;
};

static bool hazard(void *opaque, const struct v3dcl_hazard *h)
{
	struct listing *l = opaque;

	if (l->options->json) {
		printf("%s\n    { \"instruction\": %u, \"line\": %u, \"rule\": ",
		       l->hazards ? "," : "", h->at, l->assembly->lines[h->at]);
		tool_json(stdout, h->rule);
		printf(", \"text\": ");
		tool_json(stdout, h->text);
		printf(", \"source\": ");
		tool_json(stdout, h->source);
		printf(" }");
	} else if (!l->options->quiet) {
		tool_warn("%s:%u: %s (%s, %s)", l->options->file, l->assembly->lines[h->at],
			  h->text, h->rule, h->source);
	}
	l->hazards++;
	return true;
}

static void list_json(const struct options *o, const struct v3dcl_assembly *a)
{
	static const char *const kinds[] = { "label", "uniform", "data" };
	struct listing l = { o, a, 0 };
	uint32_t i;

	printf("{\n  \"code\": [");
	for (i = 0; i < a->code_count; i++)
		printf("%s\"0x%016llx\"", i ? ", " : "", (unsigned long long)a->code[i]);
	printf("],\n  \"symbols\": [");
	for (i = 0; i < a->symbol_count; i++) {
		printf("%s\n    { \"name\": ", i ? "," : "");
		tool_json(stdout, a->symbols[i].name);
		printf(", \"kind\": \"%s\", \"value\": %u }", kinds[a->symbols[i].kind],
		       a->symbols[i].value);
	}
	printf("],\n  \"hazards\": [");
	v3dcl_hazards(a->code, a->code_count, o->kind, hazard, &l);
	printf("]\n}\n");
}

static int list(const struct options *o, const struct v3dcl_assembly *a)
{
	struct listing l = { o, a, 0 };
	struct v3dcl_buffer text = { 0 };
	uint32_t i;

	if (o->json) {
		list_json(o, a);
		return 0;
	}
	for (i = 0; i < a->code_count && !o->output; i++) {
		text.size = 0;
		if (!o->hex)
			v3dcl_disassemble(a->code[i], &text);
		printf(o->hex ? "0x%016llx%s\n" : "0x%016llx  %s\n", (unsigned long long)a->code[i],
		       o->hex ? "" : (const char *)text.bytes);
	}
	v3dcl_buffer_free(&text);
	v3dcl_hazards(a->code, a->code_count, o->kind, hazard, &l);
	return 0;
}

static bool write_code(const char *path, const struct v3dcl_assembly *a)
{
	uint8_t *bytes = malloc(8 * (size_t)a->code_count + 1);
	uint32_t i, k;
	bool good;

	if (!bytes)
		return false;
	for (i = 0; i < a->code_count; i++) {
		for (k = 0; k < 8; k++)
			bytes[8 * i + k] = a->code[i] >> 8 * k;
	}
	good = tool_write(path, bytes, 8 * (size_t)a->code_count);
	free(bytes);
	return good;
}

static bool ends_with(const char *text, const char *end)
{
	const size_t length = strlen(text), n = strlen(end);

	return length >= n && !strcmp(text + length - n, end);
}

static bool is_for_vc4asm(const struct options *o)
{
	if (o->syntax)
		return !strcmp(o->syntax, "vc4asm");
	return ends_with(o->file, ".qasm") || ends_with(o->file, ".qinc");
}

/* The folder that the file is in may be read from; of standard input it is the current one. */
static bool add_own_folder(struct options *o)
{
	const char *slash = strrchr(o->file, '/');

	o->own_folder = slash ? strndup(o->file, slash + 1 - o->file) : strdup(".");
	if (o->own_folder)
		o->folders[o->folder_count++] = o->own_folder;
	return o->own_folder;
}

static void say_error(void *opaque, const struct v3dcl_error *error)
{
	unsigned int *count = opaque;

	tool_failed(error);
	(*count)++;
}

/* Each error has been said when it returns NULL. */
static struct v3dcl_assembly *assemble(struct options *o, const char *text, size_t size)
{
	struct v3dcl_assembly *assembly = NULL;
	struct v3dcl_error error = { 0 };
	unsigned int count = 0;
	const struct v3dcl_asm_options how = {
		.size = sizeof(how), .vc4asm = is_for_vc4asm(o),
		.folders = o->folders, .folder_count = o->folder_count,
		.each_error = say_error, .opaque = &count,
	};

	if (!v3dcl_assemble_with(&how, o->file, text, size, &assembly, &error))
		return assembly;
	if (!count)
		tool_failed(&error);
	if (count > 1)
		fprintf(stderr, "%u errors\n", count);
	return NULL;
}

int tool_asm(int argc, char **argv)
{
	struct v3dcl_assembly *assembly;
	struct options o;
	int status = parse(&o, argc, argv, "o:k:xjqI:s:h", asm_help);
	size_t size;
	char *text;

	if (status >= 0)
		return status;
	text = tool_read(o.file, &size);
	assembly = text && add_own_folder(&o) ? assemble(&o, text, size) : NULL;
	free(text);
	free(o.own_folder);
	if (!assembly)
		return EXIT_REFUSED;
	status = list(&o, assembly);
	if (o.output && !write_code(o.output, assembly))
		status = EXIT_REFUSED;
	v3dcl_assembly_free(assembly);
	return status;
}

/* Numbers with blanks, commas or "ULL" between them; # begins a comment. Return: how many, or -1 */
static long read_hex(const char *text, uint64_t *code)
{
	long count = 0;
	char *end;

	while (*(text += strspn(text, " \t\r\n,"))) {
		if (*text == '#') {
			text += strcspn(text, "\n");
			continue;
		}
		code[count++] = strtoull(text, &end, 16);
		if (end == text)
			return -1;
		text = end + strspn(end, "uUlL");
	}
	return count;
}

static long read_binary(const char *text, size_t size, uint64_t *code)
{
	size_t i;

	if (size % 8)
		return -1;
	for (i = 0; i < size; i++)
		code[i / 8] |= (uint64_t)(uint8_t)text[i] << i % 8 * 8;
	return size / 8;
}

/* Instructions have neither quotes nor backslashes. */
static void disassemble_json(const uint64_t *code, long count, struct v3dcl_buffer *out)
{
	long i;

	v3dcl_buffer_printf(out, "[");
	for (i = 0; i < count && !out->failed; i++) {
		v3dcl_buffer_printf(out, "%s\n  { \"word\": \"0x%016llx\", \"text\": \"",
				    i ? "," : "", (unsigned long long)code[i]);
		v3dcl_disassemble(code[i], out);
		v3dcl_buffer_printf(out, "\" }");
	}
	v3dcl_buffer_printf(out, "\n]\n");
}

int tool_disasm(int argc, char **argv)
{
	struct v3dcl_buffer out = { 0 };
	struct options o;
	int status = parse(&o, argc, argv, "o:xjh", disasm_help);
	uint64_t *code;
	long count = -1;
	size_t size;
	char *text;

	if (status >= 0)
		return status;
	text = tool_read(o.file, &size);
	if (!text)
		return EXIT_REFUSED;
	code = calloc(size / 2 + 1, sizeof(*code));
	if (code)
		count = o.hex ? read_hex(text, code) : read_binary(text, size, code);
	if (count < 0) {
		status = tool_usage("%s: no instructions: %s", o.file,
				    o.hex ? "something else than hexadecimal numbers" :
					    "not a multiple of 8 bytes");
	} else {
		if (o.json)
			disassemble_json(code, count, &out);
		else
			v3dcl_disassemble_program(code, count, &out);
		status = !out.failed && tool_write(o.output ? o.output : "-", out.bytes, out.size) ?
				 0 :
				 EXIT_REFUSED;
	}
	v3dcl_buffer_free(&out);
	free(code);
	free(text);
	return status;
}
