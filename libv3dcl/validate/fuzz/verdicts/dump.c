// SPDX-License-Identifier: MIT
/*
 * What a checker says of each job on standard input, to standard output: see plain.h, verdict.h.
 * The same source is linked with each of the checkers that scripts/verdicts compares.
 */
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

#include "ask.h"

#define BUFFER (1 << 20)
/* Seconds of processor time that a job gets; at most twice as many */
#define PATIENCE 5
#define RULES 65536

/**
 * struct shelf - the code that was asked about last, and its verdicts
 *
 * Frames that follow each other share their shaders. A client makes a shader once, too.
 */
struct shelf {
	uint32_t bo_count, code_count;
	struct plain_bo bos[PLAIN_BOS];
	uint64_t code[PLAIN_CODE];
	bool good;
	struct verdict refused;		/* the first one of them, unless they are @good */
};

static struct {
	struct plain job;
	struct shelf shelf;
	struct verdict_block block;
	struct verdict *verdicts;
	uint32_t room;
	volatile uint64_t asked, count, count_before;
} dump;

static void usage(FILE *file)
{
	fputs("usage: verdicts-dump [--rules]\n"
	      "\n"
	      "Reads jobs, asks the checker, writes verdicts: see scripts/verdicts.\n"
	      "\n"
	      "  --rules   instead, the rules' numbers and names\n"
	      "  --help    this\n"
	      "\n"
	      "Exit status: 0, 2 bad usage or bad input, 3 the checker falls or does not end.\n",
	      file);
}

/* Nothing here but what a signal handler may call. scripts/verdicts looks for this very line. */
static void say_where(const char *what)
{
	static const char digits[] = "0123456789abcdef";
	char line[80] = "verdicts-dump: ";
	size_t length = strlen(line);

	memcpy(line + length, what, strlen(what));
	length += strlen(what);
	memcpy(line + length, " at job ", 8);
	length += 8;
	for (int shift = 60; shift >= 0; shift -= 4)
		line[length++] = digits[dump.asked >> shift & 15];
	line[length++] = '\n';
	(void)!write(STDERR_FILENO, line, length);
	_exit(3);
}

static void fall(int number)
{
	(void)number;
	say_where("falls");
}

static void tick(int number)
{
	(void)number;
	if (dump.count && dump.count == dump.count_before)
		say_where("does not end");
	dump.count_before = dump.count;
}

/* Of processor time, not by the clock: a machine that is busy is no reason to give up. */
static bool watch(void)
{
	const struct itimerval each = { { PATIENCE, 0 }, { PATIENCE, 0 } };
	const struct sigaction falls = { .sa_handler = fall };
	const struct sigaction ticks = { .sa_handler = tick, .sa_flags = SA_RESTART };

	return !sigaction(SIGSEGV, &falls, NULL) && !sigaction(SIGBUS, &falls, NULL) &&
	       !sigaction(SIGFPE, &falls, NULL) && !sigaction(SIGILL, &falls, NULL) &&
	       !sigaction(SIGABRT, &falls, NULL) && !sigaction(SIGVTALRM, &ticks, NULL) &&
	       !setitimer(ITIMER_VIRTUAL, &each, NULL);
}

/* 1: a job, 0: that was all, -1: this is none */
static int read_job(struct plain *p)
{
#define GET(place, bytes) good = good && fread(place, 1, bytes, stdin) == (bytes);
	const size_t got = fread(&p->head, 1, sizeof(p->head), stdin);
	bool good = got == sizeof(p->head) && plain_sane(&p->head);

	if (!got)
		return 0;
	if (good && p->head.kind != PLAIN_END) {
		PLAIN_BODY(GET, p)
	}
	for (uint32_t i = 0; good && p->head.kind != PLAIN_END && i < p->head.bo_count; i++) {
		const struct plain_bo *bo = &p->bos[i];

		good = bo->kind == PLAIN_DATA ||
		       (bo->first <= p->head.code_count &&
			bo->count <= p->head.code_count - bo->first);
	}
	return good ? 1 : -1;
#undef GET
}

/* Room for one more verdict, of what is asked now */
static struct verdict *next_verdict(enum verdict_kind kind, uint32_t item)
{
	struct verdict *v;

	if (dump.block.count == dump.room) {
		dump.room = dump.room ? 2 * dump.room : 4096;
		dump.verdicts = realloc(dump.verdicts, dump.room * sizeof(*dump.verdicts));
		if (!dump.verdicts) {
			perror("verdicts-dump");
			exit(2);
		}
	}
	v = &dump.verdicts[dump.block.count++];
	*v = (struct verdict){ .job = dump.job.head.job, .item = item, .kind = kind };
	dump.asked = dump.job.head.job;
	dump.count++;
	return v;
}

static void count_verdict(const struct verdict *v)
{
	dump.block.answers[v->kind][v->accepted]++;
}

static bool is_on_shelf(const struct plain *p)
{
	const struct shelf *s = &dump.shelf;

	if (p->head.kind == PLAIN_ALONE || p->head.bo_count != s->bo_count ||
	    p->head.code_count != s->code_count ||
	    memcmp(p->code, s->code, p->head.code_count * sizeof(p->code[0])))
		return false;
	for (uint32_t i = 0; i < s->bo_count; i++)
		if (p->bos[i].kind != s->bos[i].kind || p->bos[i].first != s->bos[i].first ||
		    p->bos[i].count != s->bos[i].count)
			return false;
	return true;
}

static void put_on_shelf(const struct plain *p)
{
	struct shelf *s = &dump.shelf;

	s->bo_count = p->head.bo_count;
	s->code_count = p->head.code_count;
	memcpy(s->bos, p->bos, s->bo_count * sizeof(s->bos[0]));
	memcpy(s->code, p->code, s->code_count * sizeof(s->code[0]));
	s->good = true;
}

/* Is there a branch in it that writes a register of a file? */
static bool has_calls(const struct plain *p, const struct plain_bo *bo)
{
	for (uint32_t i = bo->first; i < bo->first + bo->count && bo->kind == PLAIN_PROGRAM; i++)
		if (p->code[i] >> 60 == 15 && (p->code[i] >> 38 & 63) < 32)
			return true;
	return false;
}

static void judge_bo(const struct plain *p, uint32_t i)
{
	const struct plain_bo *bo = &p->bos[i];
	const bool shader = bo->kind == PLAIN_SHADER;
	struct verdict *v = next_verdict(shader ? VERDICT_SHADER : VERDICT_PROGRAM, i);

	ask_code(v, p->code + bo->first, bo->count, i);
	count_verdict(v);
	v->kind |= has_calls(p, bo) ? VERDICT_CALLS : 0;
	if (!v->accepted && dump.shelf.good) {
		dump.shelf.good = false;
		dump.shelf.refused = *v;
	}
	if (shader)
		return;
	v = next_verdict(VERDICT_UNVERIFIED, i);
	ask_code(v, p->code + bo->first, bo->count, i);
	count_verdict(v);
}

/* All BOs of code, also those after the first that is refused: no verdict hides another. */
static void judge_code(const struct plain *p)
{
	if (is_on_shelf(p))
		return;
	put_on_shelf(p);
	ask_forget();
	for (uint32_t i = 0; i < p->head.bo_count; i++)
		if (p->bos[i].kind != PLAIN_DATA)
			judge_bo(p, i);
}

/* A job whose code is refused is refused, by the rule that its code breaks. */
static void judge(const struct plain *p)
{
	const bool frame = p->head.kind == PLAIN_FRAME;
	const enum verdict_kind kind = frame ? VERDICT_FRAME : VERDICT_PROGRAMS;
	struct verdict *v;

	judge_code(p);
	if (p->head.kind == PLAIN_ALONE) {
		dump.block.alone++;
		return;
	}
	v = next_verdict(kind, VERDICT_OF_JOB);
	if (!dump.shelf.good) {
		*v = dump.shelf.refused;
		v->job = p->head.job;
		v->item = VERDICT_OF_JOB;
		v->kind = kind;
	} else if (p->head.code_only) {
		v->accepted = 1;
	} else {
		ask_job(v, p);
	}
	count_verdict(v);
	for (uint32_t i = 0; i < p->head.bo_count; i++)
		v->kind |= has_calls(p, &p->bos[i]) ? VERDICT_CALLS : 0;
	dump.block.jobs++;
}

static bool end_block(void)
{
	const size_t count = dump.block.count;

	dump.block.magic = VERDICT_MAGIC;
	if (fwrite(&dump.block, sizeof(dump.block), 1, stdout) != 1 ||
	    fwrite(dump.verdicts, sizeof(*dump.verdicts), count, stdout) != count || fflush(stdout))
		return false;
	dump.block = (struct verdict_block){ 0 };
	/* Blocks do not depend on which one came before. */
	dump.shelf.bo_count = dump.shelf.code_count = 0;
	dump.shelf.good = true;
	return true;
}

static int print_rules(void)
{
	for (uint32_t rule = 0; rule < RULES; rule++)
		if (*ask_rule(rule))
			printf("%u %s\n", rule, ask_rule(rule));
	return 0;
}

static int dump_all(void)
{
	int next;

	while ((next = read_job(&dump.job)) > 0) {
		if (dump.job.head.kind != PLAIN_END) {
			judge(&dump.job);
		} else if (!end_block()) {
			perror("verdicts-dump");
			return 2;
		}
	}
	if (next < 0 || dump.block.count) {
		fputs("verdicts-dump: the input is cut off, or not jobs\n", stderr);
		return 2;
	}
	return 0;
}

int main(int argc, char **argv)
{
	if (argc == 2 && !strcmp(argv[1], "--help")) {
		usage(stdout);
		return 0;
	}
	if (argc == 2 && !strcmp(argv[1], "--rules"))
		return print_rules();
	if (argc != 1) {
		usage(stderr);
		return 2;
	}
	(void)setvbuf(stdin, NULL, _IOFBF, BUFFER);
	if (!ask_start() || !watch()) {
		perror("verdicts-dump");
		return 2;
	}
	return dump_all();
}
