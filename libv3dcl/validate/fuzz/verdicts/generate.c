// SPDX-License-Identifier: MIT
/*
 * Writes jobs for scripts/verdicts: those of the oracle's generator, as the oracle makes them, code
 * alone as v3d-differ makes it, and recorded ones.
 *
 * It is compiled with the generator and the checker of the base, from there on frozen: a job
 * depends on what the checker found out about its shaders, and must not change with the checker
 * that is under test. Of the oracle's files, the linker leaves out what calls the simulator.
 */
#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "court.h"
#include "plain.h"
#include "program.h"

#define BLOCK 4096		/* seeds; a multiple of GROUP */
#define CORPORA 8
#define OUTS 2
#define BUFFER (1 << 18)

static struct {
	uint64_t seed, jobs;
	uint32_t lane, lanes, alone;	/* code alone once in @alone seeds */
	const char *base, *save, *corpora[CORPORA];
	bool sized[CORPORA];
	uint32_t corpus_count;
	uint64_t one;
	bool only_one;
	int outs[OUTS];
	uint32_t out_count;
} options = { .seed = 1, .lanes = 1 };

static struct {
	struct court court;
	uint8_t buffer[BUFFER];
	size_t filled;
} tool;

static void usage(FILE *file)
{
	fputs("usage: verdicts-generate [option]...\n"
	      "\n"
	      "Writes jobs for verdicts-dump: see scripts/verdicts.\n"
	      "\n"
	      "  --seed N       the first job's seed (1)\n"
	      "  --jobs N       how many seeds (0)\n"
	      "  --alone N      code alone, too, with one in N seeds (0: none)\n"
	      "  --lane N       of --lanes N: only its share; 0 has the corpora (0, 1)\n"
	      "  --base FILE    some frames are made from the jobs in this file, changed\n"
	      "  --corpus FILE  the jobs in this file; again for more\n"
	      "  --sized FILE   likewise, with each job's size before it\n"
	      "  --out FD       where to write, a file descriptor; again for another\n"
	      "  --one JOB      only this job: its hexadecimal number\n"
	      "  --save FILE    with --one: writes it as v3d-corpus wants it\n"
	      "  --help         this\n"
	      "\n"
	      "Exit status: 0, 1 the reader is gone, 2 bad usage or bad files.\n",
	      file);
}

static void write_all(int fd, const uint8_t *bytes, size_t size)
{
	while (size) {
		const ssize_t written = write(fd, bytes, size);

		if (written < 0 && errno == EINTR)
			continue;
		if (written < 0)
			exit(1);	/* the reader has said why it ended */
		bytes += written;
		size -= written;
	}
}

static void flush(void)
{
	for (uint32_t i = 0; i < options.out_count; i++)
		write_all(options.outs[i], tool.buffer, tool.filled);
	tool.filled = 0;
}

static void put(const void *bytes, size_t size)
{
	const uint8_t *at = bytes;

	while (size) {
		const size_t room = sizeof(tool.buffer) - tool.filled;
		const size_t count = size < room ? size : room;

		memcpy(tool.buffer + tool.filled, at, count);
		tool.filled += count;
		at += count;
		size -= count;
		if (tool.filled == sizeof(tool.buffer))
			flush();
	}
}

/* With code alone, the places of all BOs are what the job before left there: not handed on */
static void put_bos(const struct trial *t, bool code_only)
{
	static const uint32_t kinds[] = {
		[TRIAL_DATA] = PLAIN_DATA,
		[TRIAL_SHADER] = PLAIN_SHADER,
		[TRIAL_PROGRAM] = PLAIN_PROGRAM,
	};

	for (uint32_t i = 0; i < t->bo_count; i++) {
		const bool code = t->bos[i].kind != TRIAL_DATA;
		const struct plain_bo bo = {
			.address = code_only ? 0 : t->bos[i].address,
			.size = code_only ? 0 : t->bos[i].size,
			.kind = kinds[t->bos[i].kind], .first = code ? t->bos[i].first : 0,
			.count = code ? t->bos[i].count : 0,
		};

		put(&bo, sizeof(bo));
	}
}

/* A trial in the order of PLAIN_BODY() */
static void put_trial(const struct trial *t, uint64_t job, enum plain_kind kind, bool code_only)
{
	struct plain_head head = {
		.magic = PLAIN_MAGIC, .kind = kind, .job = job, .code_only = code_only,
		.bo_count = t->bo_count, .code_count = t->code_count,
		.submit_bytes = sizeof(t->submit), .program_bytes = sizeof(t->programs[0]),
		.reloc_bytes = sizeof(t->relocs[0]),
	};

	if (!code_only) {
		head.bin_bytes = t->bin.size;
		head.record_bytes = t->records.size;
		head.uniform_bytes = t->uniforms.size;
		head.program_count = t->program_count;
		head.reloc_count = t->reloc_count;
	}
	put(&head, sizeof(head));
	put(&t->submit, sizeof(t->submit));
	put_bos(t, code_only);
	put(t->code, t->code_count * sizeof(t->code[0]));
	put(t->bin.bytes, head.bin_bytes);
	put(t->records.bytes, head.record_bytes);
	put(t->uniforms.bytes, head.uniform_bytes);
	put(t->programs, head.program_count * sizeof(t->programs[0]));
	put(t->program_bos, head.program_count * sizeof(t->program_bos[0]));
	put(t->relocs, head.reloc_count * sizeof(t->relocs[0]));
	put(t->reloc_bos, head.reloc_count * sizeof(t->reloc_bos[0]));
}

static void end_block(void)
{
	const struct plain_head head = { .magic = PLAIN_MAGIC, .kind = PLAIN_END };

	put(&head, sizeof(head));
	flush();
}

/* The one job that was asked for is kept, and nothing else is written. */
static void hand_out(uint64_t job, enum plain_kind kind, bool code_only)
{
	FILE *file;

	if (options.only_one && job != options.one)
		return;
	put_trial(&tool.court.trial, job, kind, code_only);
	if (!options.only_one || !options.save)
		return;
	file = fopen(options.save, "wb");
	if (!file || !trial_write(&tool.court.trial, file) || fclose(file)) {
		perror(options.save);
		exit(2);
	}
}

/* The oracle's job of a seed. What the base's checker refuses as code is made no further. */
static void make_job(uint64_t seed)
{
	struct court *court = &tool.court;
	bool code_only;

	(void)court_make(court, seed);
	if (court->trial.kind == TRIAL_QPU)
		code_only = !court->trial.program_count;
	else
		code_only = court->group != NO_GROUP && !court->group_good;
	hand_out(PLAIN_JOB(ORIGIN_SEED, seed),
		 court->trial.kind == TRIAL_QPU ? PLAIN_PROGRAMS : PLAIN_FRAME, code_only);
}

/* As v3d-differ does: changed more often than jobs are, whose uniforms would not fit any more */
static void make_alone(uint64_t seed)
{
	struct trial *t = &tool.court.trial;
	struct dice d = { ~seed };
	struct program p = { .d = &d, .wild = one_in(&d, 2) };
	uint64_t code[MAKE_CODE];
	uint32_t count;

	tool.court.group = NO_GROUP;
	trial_begin(t, seed);
	t->kind = seed % 2 ? TRIAL_QPU : TRIAL_FRAME;
	count = seed % 2 ? program_write(&p, code) :
			   make_shader(&d, roll(&d, MAKE_USER), p.wild, code);
	for (uint32_t i = roll(&d, 4); i; i--)
		count = make_mutant(&d, code, count);
	(void)trial_code(t, seed % 2 ? TRIAL_PROGRAM : TRIAL_SHADER, code, count);
	hand_out(PLAIN_JOB(ORIGIN_CODE, seed), PLAIN_ALONE, true);
}

static void make_block(uint64_t first, uint64_t end)
{
	uint64_t seed;

	for (seed = first; seed < end; seed++)
		make_job(seed);
	for (seed = first; options.alone && seed < end; seed++)
		if (seed % options.alone == 0)
			make_alone(seed / options.alone);
	end_block();
}

static void make_all(void)
{
	const uint64_t end = options.seed + options.jobs;
	uint64_t block = options.seed / BLOCK + options.lane;

	/* Blocks begin at the same seeds whatever the first one is: no group is cut apart. */
	for (; block * BLOCK < end; block += options.lanes) {
		const uint64_t first = block * BLOCK, last = first + BLOCK;

		make_block(first < options.seed ? options.seed : first, last < end ? last : end);
	}
}

/* The next job of a corpus: 1, 0 for its end, -1 if this is none */
static int next_of(struct corpus *corpus, bool sized)
{
	struct corpus one = *corpus;
	uint32_t size;

	if (!sized)
		return corpus_next(corpus, &tool.court.trial);
	if (!corpus->left)
		return 0;
	if (corpus->left < sizeof(size))
		return -1;
	memcpy(&size, corpus->at, sizeof(size));
	if (size > corpus->left - sizeof(size))
		return -1;
	one.at += sizeof(size);
	one.left = size;
	corpus->at += sizeof(size) + size;
	corpus->left -= sizeof(size) + size;
	/* libFuzzer's inputs need not be jobs. */
	if (corpus_next(&one, &tool.court.trial) <= 0)
		tool.court.trial.bo_count = 0;
	return 1;
}

static bool read_corpus(uint32_t which)
{
	const struct trial *t = &tool.court.trial;
	struct corpus corpus;
	uint64_t number;
	int next = -1;

	if (!corpus_open(&corpus, options.corpora[which])) {
		perror(options.corpora[which]);
		return false;
	}
	for (number = 1; (next = next_of(&corpus, options.sized[which])) > 0; number++)
		if (t->bo_count && (t->kind == TRIAL_FRAME || t->program_count))
			hand_out(PLAIN_JOB(ORIGIN_CORPUS + which, number),
				 t->kind == TRIAL_QPU ? PLAIN_PROGRAMS : PLAIN_FRAME, false);
	corpus_close(&corpus);
	tool.court.group = NO_GROUP;
	end_block();
	if (next < 0)
		fprintf(stderr, "verdicts-generate: %s: not a corpus\n", options.corpora[which]);
	return !next;
}

static bool make_one(void)
{
	const uint32_t origin = options.one >> 56;
	const uint64_t number = options.one & ~(UINT64_C(255) << 56);

	if (origin >= ORIGIN_CORPUS)
		return origin - ORIGIN_CORPUS < options.corpus_count &&
		       read_corpus(origin - ORIGIN_CORPUS);
	if (origin == ORIGIN_CODE)
		make_alone(number);
	else
		make_job(number);
	end_block();
	return true;
}

/* What court_new() does but for the simulator */
static bool start(void)
{
	struct court *court = &tool.court;

	(void)signal(SIGPIPE, SIG_IGN);
	court->group = NO_GROUP;
	court->checked.host = mmap(NULL, (size_t)1 << 32, PROT_READ | PROT_WRITE,
				   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (court->checked.host == MAP_FAILED) {
		perror("verdicts-generate");
		return false;
	}
	if (options.base && !base_open(&court->base, options.base, &court->trial)) {
		perror(options.base);
		return false;
	}
	return true;
}

static bool add_corpus(const char *name, bool sized)
{
	if (options.corpus_count == CORPORA)
		return false;
	options.sized[options.corpus_count] = sized;
	options.corpora[options.corpus_count++] = name;
	return true;
}

static bool add_out(uint64_t fd)
{
	if (options.out_count == OUTS)
		return false;
	options.outs[options.out_count++] = fd;
	return true;
}

static bool take_option(int c, const char *text)
{
	char *end;
	uint64_t value;

	if (strchr("bSCz", c)) {
		options.base = c == 'b' ? text : options.base;
		options.save = c == 'S' ? text : options.save;
		return c == 'b' || c == 'S' || add_corpus(text, c == 'z');
	}
	value = strtoull(text, &end, c == '1' ? 16 : 10);
	if (!*text || *end)
		return false;
	options.seed = c == 's' ? value : options.seed;
	options.jobs = c == 'n' ? value : options.jobs;
	options.alone = c == 'a' ? value : options.alone;
	options.lane = c == 'l' ? value : options.lane;
	options.lanes = c == 'L' ? value : options.lanes;
	options.one = c == '1' ? value : options.one;
	options.only_one |= c == '1';
	return c != 'o' || add_out(value);
}

static bool parse(int argc, char **argv)
{
	static const struct option names[] = {
		{ "seed", 1, NULL, 's' },   { "jobs", 1, NULL, 'n' },  { "alone", 1, NULL, 'a' },
		{ "lane", 1, NULL, 'l' },   { "lanes", 1, NULL, 'L' }, { "base", 1, NULL, 'b' },
		{ "corpus", 1, NULL, 'C' }, { "sized", 1, NULL, 'z' }, { "out", 1, NULL, 'o' },
		{ "one", 1, NULL, '1' },    { "save", 1, NULL, 'S' },  { "help", 0, NULL, 'h' },
		{ NULL, 0, NULL, 0 },
	};
	int c;

	while ((c = getopt_long(argc, argv, "h", names, NULL)) != -1) {
		if (c == 'h') {
			usage(stdout);
			exit(0);
		}
		if (c == '?' || !take_option(c, optarg))
			return false;
	}
	return optind == argc && options.lanes && options.lane < options.lanes;
}

int main(int argc, char **argv)
{
	bool good = true;

	if (!parse(argc, argv)) {
		usage(stderr);
		return 2;
	}
	if (!start())
		return 2;
	if (options.only_one)
		return make_one() ? 0 : 2;
	for (uint32_t i = 0; good && !options.lane && i < options.corpus_count; i++)
		good = read_corpus(i);
	make_all();
	return good ? 0 : 2;
}
