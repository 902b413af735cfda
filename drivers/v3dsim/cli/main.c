// SPDX-License-Identifier: MIT
/*
 * v3dsim: runs control lists and QPU programs on the simulated chip, with files as memory. Its
 * manual is Documentation/man/v3dsim.1.
 */
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include <v3d/packets.h>
#include <v3d/regs.h>

#include "v3dsim_trace.h"

#include "board.h"

#define EXIT_HANG 1
#define EXIT_USAGE 2
#define DEFAULT_LIMIT UINT64_C(2000000000)
/* VPMBASE: 4 KiB, all that user programs can address (AG100 HW-2253) */
#define USER_VPM 16
#define UNLIMITED_UNIFORMS 1024		/* AG100 Table 67 */
#define MAX_ITEMS 1024			/* of each kind of option */

struct setting {
	uint32_t reg, value;
};

struct program {
	uint32_t code, uniforms;
};

struct list {
	bool given;
	uint32_t start, end;
};

struct dump {
	uint32_t addr, len;
	const char *file;
};

/* What the command line asks for */
struct options {
	struct board board;
	struct setting settings[MAX_ITEMS];
	struct program programs[MAX_ITEMS];
	struct dump dumps[MAX_ITEMS];
	size_t setting_count, program_count, dump_count;
	struct list lists[2];
	bool stats, reference;
	const char *chip;
	unsigned int threads;
	struct v3dsim_tracing tracing;
	uint64_t limit;
};

static const char usage[] =
	"usage: v3dsim [--mem FILE@ADDR]... [--zero LEN@ADDR]... [--reg NAME=VALUE]...\n"
	"              [--ct0 START:END] [--ct1 START:END] [--qpu CODE[:UNIFORMS]]...\n"
	"              [--dump ADDR+LEN:FILE]... [--stats] [--trace KINDS] [--limit N]\n"
	"              [--threads N] [--chip MODE] [--reference]\n"
	"\n"
	"Runs QPU programs and control lists on a simulated VideoCore IV V3D.\n"
	"\n"
	"  --mem FILE@ADDR        memory at bus address ADDR, filled from FILE\n"
	"  --zero LEN@ADDR        LEN bytes of zeroed memory\n"
	"  --reg NAME=VALUE       writes a register first, such as BPOS or PCTRE\n"
	"  --qpu CODE[:UNIFORMS]  a user program; all of them run at once, before the lists\n"
	"  --ct0 START:END        the binning list\n"
	"  --ct1 START:END        the rendering list; starts when --ct0 has flushed, or with it\n"
	"                         if it begins by waiting on a semaphore\n"
	"  --dump ADDR+LEN:FILE   writes memory to FILE at the end, - for standard output\n"
	"  --stats                prints statistics as name and value\n"
	"  --trace KINDS          prints what happens to standard error: qpu, cle, mem, reg,\n"
	"                         with commas between them; behind them what is wanted of\n"
	"                         them: lanes=0-3+8 (values of these elements), draw=2,\n"
	"                         tile=3:0, pixel=160:100, qpu=0-3, address=0x1000-0x1fff\n"
	"  --limit N              a hang after N instructions and records (default 2000000000)\n"
	"  --threads N            one for the lists, and if N is above 1 N more for tiles\n"
	"                         (default: one for all)\n"
	"  --chip MODE            which chip: ideal, bcm2835 or modes joined by +; help lists\n"
	"                         them (default: V3D_CHIP of the environment, else ideal)\n"
	"  --reference            the same results without what exists for speed alone\n"
	"  --help                 this\n"
	"\n"
	"Numbers are decimal or 0x hexadecimal.\n"
	"Exit status: 0 done, 1 hang or error, 2 bad usage.\n";

__attribute__((format(printf, 1, 2), noreturn)) static void bad_usage(const char *format, ...)
{
	va_list arguments;

	fputs("v3dsim: ", stderr);
	va_start(arguments, format);
	vfprintf(stderr, format, arguments);
	va_end(arguments);
	fputs("\nv3dsim: try --help\n", stderr);
	exit(EXIT_USAGE);
}

/* A number up to the character that must end it; moves on behind that. */
static uint64_t number(const char **text, char end, uint64_t maximum, const char *option)
{
	bool hexadecimal = (*text)[0] == '0' && ((*text)[1] == 'x' || (*text)[1] == 'X');
	const char *digits = *text + (hexadecimal ? 2 : 0);
	uint64_t value;
	char *after;

	errno = 0;
	value = strtoull(digits, &after, hexadecimal ? 16 : 10);
	if (!isxdigit((unsigned char)digits[0]) || after == digits || errno || *after != end ||
	    value > maximum)
		bad_usage("%s: \"%s\" is not a value up to 0x%" PRIx64, option, *text, maximum);
	*text = after + (end != '\0');
	return value;
}

/* The size of a file that memory can be filled from; a pipe or a device has none */
static uint64_t file_size(const char *name)
{
	struct stat info;

	if (stat(name, &info))
		bad_usage("--mem: %s: %s", name, strerror(errno));
	if (!S_ISREG(info.st_mode))
		bad_usage("--mem: %s is no file: a folder, a device or a pipe", name);
	if (info.st_size > INT64_C(1) << 32)
		bad_usage("--mem: %s has more than 4096 MiB, which is the whole address space",
			  name);
	return info.st_size;
}

static uint8_t *read_file(const char *name, uint64_t *len)
{
	uint64_t size = file_size(name);
	FILE *file = fopen(name, "rb");
	uint8_t *bytes = file ? malloc(size ? size : 1) : NULL;

	if (!bytes || fread(bytes, 1, size, file) != size)
		bad_usage("--mem: %s: %s", name, errno ? strerror(errno) : "cannot be read");
	fclose(file);
	*len = size;
	return bytes;
}

static void add_memory(struct options *options, uint8_t *bytes, uint64_t addr, uint64_t len,
		       const char *option, const char *text)
{
	const char *wrong = board_add(&options->board, bytes, addr, len);

	if (wrong)
		bad_usage("%s %s: %s", option, text, wrong);
}

static void parse_mem(struct options *options, char *text)
{
	char *at = strrchr(text, '@');
	const char *addr = at ? at + 1 : "";
	uint8_t *bytes;
	uint64_t len;

	if (!at)
		bad_usage("--mem: expected FILE@ADDR, not \"%s\"", text);
	*at = '\0';
	bytes = read_file(text, &len);
	add_memory(options, bytes, number(&addr, '\0', UINT32_MAX, "--mem"), len, "--mem", text);
}

static void parse_zero(struct options *options, char *text)
{
	const char *at = text;
	uint64_t len = number(&at, '@', UINT64_C(1) << 32, "--zero"),
		 addr = number(&at, '\0', UINT32_MAX, "--zero");
	uint8_t *bytes = calloc(1, len ? len : 1);

	if (!bytes)
		bad_usage("--zero %s: out of memory", text);
	add_memory(options, bytes, addr, len, "--zero", text);
}

static void full_if(size_t count, const char *option)
{
	if (count == MAX_ITEMS)
		bad_usage("%s: more than %d of them", option, MAX_ITEMS);
}

static void parse_reg(struct options *options, char *text)
{
#define NAMED(register_name, kind, offset, access, reset) { #register_name, offset },
	static const struct {
		const char *name;
		uint32_t reg;
	} names[] = { V3D_REGS(NAMED) };
	char *equals = strchr(text, '=');
	const char *value = equals ? equals + 1 : "", *name = text;
	size_t i;

	full_if(options->setting_count, "--reg");
	if (!equals)
		bad_usage("--reg: expected NAME=VALUE, not \"%s\"", text);
	*equals = '\0';
	if (!strncasecmp(name, "V3D_", 4))
		name += 4;
	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (strcasecmp(name, names[i].name))
			continue;
		options->settings[options->setting_count++] =
			(struct setting){ names[i].reg, number(&value, '\0', UINT32_MAX, "--reg") };
		return;
	}
	bad_usage("--reg: there is no register %s", text);
}

static void parse_list(struct options *options, unsigned int thread, const char *text)
{
	struct list *list = &options->lists[thread];
	const char *option = thread ? "--ct1" : "--ct0";

	if (list->given)
		bad_usage("%s: given twice", option);
	list->given = true;
	list->start = number(&text, ':', UINT32_MAX, option);
	list->end = number(&text, '\0', UINT32_MAX, option);
}

static void parse_qpu(struct options *options, char *text)
{
	const char *at = text;
	struct program *program = &options->programs[options->program_count];
	bool uniforms = strchr(text, ':');

	full_if(options->program_count++, "--qpu");
	program->code = number(&at, uniforms ? ':' : '\0', UINT32_MAX, "--qpu");
	if (uniforms)
		program->uniforms = number(&at, '\0', UINT32_MAX, "--qpu");
}

static void parse_dump(struct options *options, char *text)
{
	const char *at = text;
	struct dump *dump = &options->dumps[options->dump_count];

	full_if(options->dump_count++, "--dump");
	dump->addr = number(&at, '+', UINT32_MAX, "--dump");
	dump->len = number(&at, ':', UINT32_MAX, "--dump");
	dump->file = at;
	if (!*at)
		bad_usage("--dump: expected ADDR+LEN:FILE");
}

static void parse_trace(struct options *options, char *text)
{
	char error[256];

	if (!v3dsim_trace_read(text, &options->tracing, error, sizeof(error)))
		bad_usage("--trace: %s", error);
}

static void print_line(void *opaque, const char *line)
{
	(void)opaque;
	puts(line);
}

/* @from: the option, or the variable of the environment */
static void parse_chip(struct options *options, const char *from, const char *chip)
{
	char error[256];

	if (!strcmp(chip, "help")) {
		v3dsim_chip_help(print_line, NULL);
		exit(0);
	}
	if (!v3dsim_chip_check(chip, error, sizeof(error)))
		bad_usage("%s: %s", from, error);
	options->chip = chip;
}

static void parse_ct0(struct options *options, char *text)
{
	parse_list(options, 0, text);
}

static void parse_ct1(struct options *options, char *text)
{
	parse_list(options, 1, text);
}

static void parse_chip_option(struct options *options, char *text)
{
	parse_chip(options, "--chip", text);
}

static void parse_limit(struct options *options, char *text)
{
	const char *value = text;

	options->limit = number(&value, '\0', UINT64_MAX, "--limit");
	if (!options->limit)
		bad_usage("--limit: nothing is done in 0 instructions");
}

static void parse_threads(struct options *options, char *text)
{
	const char *value = text;

	options->threads = number(&value, '\0', V3DSIM_THREADS_MAX, "--threads");
}

static void parse_option(struct options *options, const char *option, char *value)
{
	static const struct {
		const char *name;
		void (*parse)(struct options *options, char *value);
	} all[] = {
		{ "--mem", parse_mem },		 { "--zero", parse_zero },
		{ "--reg", parse_reg },		 { "--ct0", parse_ct0 },
		{ "--ct1", parse_ct1 },		 { "--qpu", parse_qpu },
		{ "--dump", parse_dump },	 { "--trace", parse_trace },
		{ "--chip", parse_chip_option }, { "--limit", parse_limit },
		{ "--threads", parse_threads },
	};
	size_t i;

	for (i = 0; i < sizeof(all) / sizeof(all[0]) && strcmp(option, all[i].name); i++)
		;
	if (i == sizeof(all) / sizeof(all[0]))
		bad_usage(*option == '-' ? "there is no option %s" :
					   "\"%s\" is no option, and there are no other arguments",
			  option);
	if (!value)
		bad_usage("%s needs a value", option);
	all[i].parse(options, value);
}

/* Return: false: it is none */
static bool parse_flag(struct options *options, const char *option)
{
	const struct {
		const char *name;
		bool *flag;
	} flags[] = {
		{ "--stats", &options->stats },
		{ "--reference", &options->reference },
	};

	for (size_t n = 0; n < sizeof(flags) / sizeof(flags[0]); n++) {
		if (strcmp(option, flags[n].name) != 0)
			continue;
		*flags[n].flag = true;
		return true;
	}
	return false;
}

static void parse(struct options *options, int argc, char **argv)
{
	int i;

	options->limit = DEFAULT_LIMIT;
	for (i = 1; i < argc; i++) {
		if (!strcmp(argv[i], "--help")) {
			fputs(usage, stdout);
			exit(0);
		}
		if (parse_flag(options, argv[i]))
			continue;
		parse_option(options, argv[i], i + 1 < argc ? argv[i + 1] : NULL);
		i++;
	}
	if (argc < 2)
		bad_usage("nothing to do");
	if (!options->chip && getenv("V3D_CHIP"))
		parse_chip(options, "V3D_CHIP", getenv("V3D_CHIP"));
}

/* What is dumped at the end must be there from the beginning. */
static void check_dumps(const struct options *options)
{
	const struct board_piece *piece;
	size_t i;
	uint64_t at;

	for (i = 0; i < options->dump_count; i++) {
		const struct dump *dump = &options->dumps[i];

		for (at = dump->addr; at < (uint64_t)dump->addr + dump->len;
		     at = (uint64_t)piece->base + piece->len) {
			piece = at <= UINT32_MAX ? board_find(&options->board, at) : NULL;
			if (!piece)
				bad_usage("--dump: there is no memory at 0x%08" PRIx64, at);
		}
	}
}

static void print_trace(void *opaque, enum v3dsim_trace kind, const char *line)
{
	(void)opaque;
	(void)kind;
	fprintf(stderr, "%s\n", line);
}

static void print_stat(void *opaque, const char *name, uint64_t value)
{
	(void)opaque;
	printf("%s %" PRIu64 "\n", name, value);
}

struct run {
	struct v3dsim *sim;
	const struct options *options;
};

static void say_list(struct v3dsim *sim, unsigned int thread, const char *why)
{
	fprintf(stderr, "v3dsim: CLE%u at 0x%08x: %s\n", thread,
		v3dsim_read(sim, V3D_CTNCA(thread)), why);
}

/* Why nothing goes on, unit by unit */
static void explain(struct v3dsim *sim, enum v3dsim_state state, uint64_t limit)
{
	uint32_t requests = v3dsim_read(sim, V3D_SRQCS);
	struct v3dsim_fault fault;
	unsigned int thread;
	char text[1024];

	if (state == V3DSIM_BUSY)
		fprintf(stderr, "v3dsim: hang: no end after %" PRIu64
			" instructions and control records\n", limit);
	else
		fprintf(stderr, "v3dsim: %s\n",
			state == V3DSIM_FAULT ? "error" : "hang: nothing can go on");
	if (v3dsim_fault(sim, &fault))
		fprintf(stderr, "v3dsim: %s\n", fault.text);
	for (thread = 0; thread < 2; thread++) {
		uint32_t status = v3dsim_read(sim, V3D_CTNCS(thread));

		if (!V3D_GET(status, CTCS, CTRUN))
			continue;
		if (V3D_GET(status, CTCS, CTSUBS))
			say_list(sim, thread,
				 "waits on a semaphore that the other list does not increment");
		else if (thread == 0 && V3D_GET(v3dsim_read(sim, V3D_PCS), PCS, BMOOM))
			say_list(sim, thread, "the PTB waits for binning memory (BPOA, BPOS)");
		else
			say_list(sim, thread, "still runs");
	}
	if (V3D_GET(requests, SRQCS, QPURQCC) != V3D_GET(requests, SRQCS, QPURQCM))
		fprintf(stderr, "v3dsim: QPU: %u of %u user programs have ended\n",
			V3D_GET(requests, SRQCS, QPURQCC), V3D_GET(requests, SRQCS, QPURQCM));
	v3dsim_describe(sim, text, sizeof(text));
	if (text[0])
		fprintf(stderr, "%s\n", text);
}

/* Lets the chip work. Return: false: it hangs or stopped with an error, which has been said */
static bool work(const struct run *run)
{
	enum v3dsim_state state = v3dsim_run(run->sim, run->options->limit);

	if (state != V3DSIM_IDLE)
		explain(run->sim, state, run->options->limit);
	return state == V3DSIM_IDLE;
}

static bool run_programs(const struct run *run)
{
	const struct options *options = run->options;
	size_t i;

	/* What the firmware does before programs run; --reg VPMBASE has the last word. */
	if (options->program_count && !v3dsim_read(run->sim, V3D_VPMBASE))
		v3dsim_write(run->sim, V3D_VPMBASE, USER_VPM);
	for (i = 0; i < options->program_count; i++) {
		const struct program *program = &options->programs[i];

		/* Only a batch that the queue cannot hold has to wait for room. */
		if (V3D_GET(v3dsim_read(run->sim, V3D_SRQCS), SRQCS, QPURQL) == V3D_USER_QUEUE &&
		    !work(run))
			return false;
		v3dsim_write(run->sim, V3D_SRQUA, program->uniforms);
		v3dsim_write(run->sim, V3D_SRQUL, program->uniforms ? UNLIMITED_UNIFORMS : 0);
		v3dsim_write(run->sim, V3D_SRQPC, program->code);
	}
	return work(run);
}

static void start_list(const struct run *run, unsigned int thread)
{
	const struct list *list = &run->options->lists[thread];

	v3dsim_write(run->sim, V3D_CTNCA(thread), list->start);
	v3dsim_write(run->sim, V3D_CTNEA(thread), list->end);
}

/* The rendering list waits for the binning list by itself. */
static bool begins_with_wait(const struct options *options)
{
	uint8_t first;

	return board_copy(&options->board, options->lists[1].start, &first, 1) &&
	       first == V3D_WAIT_ON_SEMAPHORE;
}

static bool run_lists(const struct run *run)
{
	const struct options *options = run->options;

	if (options->lists[0].given)
		start_list(run, 0);
	if (options->lists[0].given && !(options->lists[1].given && begins_with_wait(options)) &&
	    !work(run))
		return false;
	if (!options->lists[1].given)
		return true;
	start_list(run, 1);
	return work(run);
}

static bool run_all(const struct options *options, struct v3dsim *sim)
{
	struct run run = { sim, options };
	size_t i;

	for (i = 0; i < options->setting_count; i++)
		v3dsim_write(sim, options->settings[i].reg, options->settings[i].value);
	return run_programs(&run) && run_lists(&run);
}

static bool write_dump(const struct board *board, const struct dump *dump)
{
	bool standard = !strcmp(dump->file, "-");
	FILE *file = standard ? stdout : fopen(dump->file, "wb");
	uint8_t *bytes = malloc(dump->len ? dump->len : 1);
	bool good = file && bytes && board_copy(board, dump->addr, bytes, dump->len);

	good = good && fwrite(bytes, 1, dump->len, file) == dump->len;
	if (file && (standard ? fflush(file) : fclose(file)))
		good = false;
	if (!good)
		fprintf(stderr, "v3dsim: --dump: %s: %s\n", dump->file, strerror(errno));
	free(bytes);
	return good;
}

static void print_stats(struct v3dsim *sim)
{
	char chip[V3DSIM_CHIP_NAME];

	v3dsim_chip_name(sim, chip, sizeof(chip));
	printf("chip %s\n", chip);
	v3dsim_stats(sim, print_stat, NULL);
}

int main(int argc, char **argv)
{
	static struct options options;
	struct v3dsim_host host = { .region = board_region, .trace = print_trace,
				    .opaque = &options.board };
	struct v3dsim_config config = { 0 };
	struct v3dsim *sim;
	bool good;
	size_t i;

	parse(&options, argc, argv);
	check_dumps(&options);
	config.trace_mask = options.tracing.kinds;
	config.threads = options.threads;
	config.chip = options.chip;
	config.reference = options.reference;
	sim = v3dsim_new(&config, &host);
	if (!sim) {
		perror("v3dsim");
		return EXIT_HANG;
	}
	v3dsim_trace_set(sim, &options.tracing);
	good = run_all(&options, sim);
	v3dsim_stop(sim);
	for (i = 0; i < options.dump_count; i++)
		good &= write_dump(&options.board, &options.dumps[i]);
	if (options.stats)
		print_stats(sim);
	v3dsim_free(sim);
	board_free(&options.board);
	return good ? 0 : EXIT_HANG;
}
