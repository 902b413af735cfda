// SPDX-License-Identifier: MIT
/*
 * Does a mutant of the checker differ from the checker? Built by scripts/mutate, where survivors
 * are a question: either no job can tell them apart, or the job that does is a test that is
 * missing. See usage().
 */
#include <inttypes.h>
#include <signal.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <time.h>

#include "court.h"
#include "program.h"

#define MUTANTS 4096
#define STUCK 2		/* seconds */

extern unsigned int v3dcl_mutant;

/**
 * struct verdict - what the checker makes of a trial
 * @accepted: all of it
 * @rule: else the one that it breaks, at @offset of @part
 * @fell: or it did not come to an end
 * @facts: what it found out, and what it wrote
 */
struct verdict {
	bool accepted, fell;
	uint16_t rule, part;
	uint32_t offset;
	uint64_t facts;
};

static struct {
	struct court court;
	struct cover *cover;
	unsigned int mutants[MUTANTS];
	uint32_t count;
	sigjmp_buf back;
	volatile sig_atomic_t judging, ticks;
} tool;

static int usage(FILE *file)
{
	fputs("usage: v3d-differ SECONDS BASE MUTANT...\n"
	      "\n"
	      "Makes jobs, shaders and programs for some time, also from the jobs in BASE, and\n"
	      "asks the checker with each of the mutants what it asks the checker as it is. The\n"
	      "first job of which they say something else is printed, as small as it gets.\n",
	      file);
	return 2;
}

static void add(uint64_t *hash, const void *bytes, size_t size)
{
	const uint8_t *at = bytes;

	for (; size; size--)
		*hash = (*hash ^ *at++) * UINT64_C(0x100000001b3);
}

static uint64_t facts_of_code(const struct checked *c, const struct trial *t)
{
	uint64_t hash = UINT64_C(0xcbf29ce484222325);

	for (uint32_t i = 0; i < t->bo_count; i++) {
		struct v3dcl_shader shader = c->shaders[i];
		struct v3dcl_program program = c->programs[i];

		if (c->bos[i].shader) {
			add(&hash, shader.samples, shader.sample_count * sizeof(*shader.samples));
			add(&hash, shader.resets, shader.reset_count * sizeof(*shader.resets));
			add(&hash, shader.setups, shader.setup_count * sizeof(*shader.setups));
			shader.samples = NULL;
			shader.resets = NULL;
			shader.setups = NULL;
			add(&hash, &shader, sizeof(shader));
		}
		if (c->bos[i].program) {
			add(&hash, program.uses, program.use_count * sizeof(*program.uses));
			program.uses = NULL;
			add(&hash, &program, sizeof(program));
		}
	}
	return hash;
}

static uint64_t facts_of_job(const struct checked *c, const struct trial *t)
{
	uint64_t hash = facts_of_code(c, t);

	for (uint32_t i = 0; i < t->bo_count; i++)
		add(&hash, &c->bos[i].uses, sizeof(c->bos[i].uses));
	if (t->kind == TRIAL_QPU) {
		add(&hash, c->words, t->uniforms.size);
		add(&hash, c->runs, t->program_count * sizeof(c->runs[0]));
		return hash;
	}
	add(&hash, &c->job.needs, sizeof(c->job.needs));
	add(&hash, &c->job.bin_start, sizeof(c->job.bin_start));
	add(&hash, &c->job.bin_end, sizeof(c->job.bin_end));
	add(&hash, &c->job.draws, sizeof(c->job.draws));
	if (t->bin.size)
		add(&hash, c->job.exec.cpu, c->job.exec.size);
	add(&hash, c->job.render.cpu, c->job.render.size);
	return hash;
}

/* What falls, or stays longer than a moment, is told apart by that. */
static void fall(int number)
{
	if (!tool.judging || (number == SIGALRM && tool.ticks++ < 1))
		return;
	siglongjmp(tool.back, 1);
}

static struct verdict judge(unsigned int mutant, bool code_only)
{
	struct checked *c = &tool.court.checked;
	struct verdict v = { 0 };

	tool.ticks = 0;
	if (!sigsetjmp(tool.back, 1)) {
		tool.judging = 1;
		v3dcl_mutant = mutant;
		v.accepted = code_only ? check_code(c, &tool.court.trial) :
					 court_accepts(&tool.court);
	} else {
		v.fell = true;
	}
	tool.judging = 0;
	v3dcl_mutant = 0;
	if (v.fell)
		return v;
	if (v.accepted) {
		v.facts = code_only ? facts_of_code(c, &tool.court.trial) :
				      facts_of_job(c, &tool.court.trial);
	} else {
		v.rule = c->refusal.rule;
		v.part = c->refusal.part;
		v.offset = c->refusal.offset;
	}
	return v;
}

static bool differ(const struct verdict *a, const struct verdict *b)
{
	return a->accepted != b->accepted || a->fell != b->fell || a->rule != b->rule ||
	       a->part != b->part || a->offset != b->offset || a->facts != b->facts;
}

static void print(const char *checker, const struct verdict *v)
{
	if (v->fell)
		printf("  %s: falls, or does not end\n", checker);
	else if (v->accepted)
		printf("  %s: accepted, facts %016" PRIx64 "\n", checker, v->facts);
	else
		printf("  %s: refused, %s, part %u at %u (instruction %u)\n", checker,
		       v3dcl_rule_name(v->rule), v->part, v->offset, v->offset / 8);
}

static bool alike(const struct verdict *a, const struct verdict *b)
{
	return a->accepted == b->accepted && a->fell == b->fell && a->rule == b->rule;
}

/* Do they still differ, and in the same way? */
static bool still(unsigned int mutant, bool code_only, const struct verdict *a,
		  const struct verdict *b)
{
	const struct verdict plain = judge(0, code_only), other = judge(mutant, code_only);

	return differ(&plain, &other) && alike(&plain, a) && alike(&other, b);
}

static void shrink(unsigned int mutant, bool code_only, const struct verdict *a,
		   const struct verdict *b)
{
	static struct trial before;
	const struct v3d_qpu_inst nop = qb_nop();
	struct trial *t = &tool.court.trial;

	for (uint32_t i = t->code_count; code_only && i--;) {
		before = *t;
		memmove(t->code + i, t->code + i + 1, (t->code_count - i - 1) * sizeof(t->code[0]));
		t->code_count--;
		t->bos[0].count--;
		t->bos[0].size -= 8;
		if (!t->code_count || !still(mutant, code_only, a, b))
			*t = before;
	}
	for (uint32_t i = 0; i < t->code_count; i++) {
		const uint64_t kept = t->code[i];

		t->code[i] = v3d_qpu_encode(&nop);
		if (!still(mutant, code_only, a, b))
			t->code[i] = kept;
	}
}

static void tell(unsigned int mutant, bool code_only)
{
	struct verdict plain = judge(0, code_only), other = judge(mutant, code_only);
	static struct trial whole;

	whole = tool.court.trial;
	shrink(mutant, code_only, &plain, &other);
	plain = judge(0, code_only);
	other = judge(mutant, code_only);
	printf("mutant %u differs\n", mutant);
	print("as it is", &plain);
	print("mutant", &other);
	trial_print(&tool.court.trial, stdout);
	fflush(stdout);
	tool.court.trial = whole;
}

/* The trial that is there: which of the mutants that are left differ? They leave. */
static void ask(bool code_only)
{
	const struct verdict plain = judge(0, code_only);
	uint32_t i, kept = 0;

	for (i = 0; i < tool.count; i++) {
		const struct verdict other = judge(tool.mutants[i], code_only);

		if (differ(&plain, &other))
			tell(tool.mutants[i], code_only);
		else
			tool.mutants[kept++] = tool.mutants[i];
	}
	tool.count = kept;
}

/* Code alone, changed more often than jobs are, whose uniforms would not fit any more */
static void make_code(uint64_t seed)
{
	struct trial *t = &tool.court.trial;
	struct dice d = { ~seed };
	struct program p = { .d = &d, .wild = one_in(&d, 2) };
	uint64_t code[MAKE_CODE];
	uint32_t count, i;

	trial_begin(t, seed);
	t->kind = seed % 2 ? TRIAL_QPU : TRIAL_FRAME;
	count = seed % 2 ? program_write(&p, code) :
			   make_shader(&d, roll(&d, MAKE_USER), p.wild, code);
	for (i = roll(&d, 4); i; i--)
		count = make_mutant(&d, code, count);
	(void)trial_code(t, seed % 2 ? TRIAL_PROGRAM : TRIAL_SHADER, code, count);
}

static bool start(const char *base)
{
	const struct itimerval each = { { STUCK, 0 }, { STUCK, 0 } };
	struct sigaction action = { .sa_handler = fall, .sa_flags = SA_NODEFER };

	tool.cover = mmap(NULL, sizeof(*tool.cover), PROT_READ | PROT_WRITE,
			  MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	return tool.cover != MAP_FAILED && court_new(&tool.court, tool.cover) &&
	       base_open(&tool.court.base, base, &tool.court.trial) &&
	       !sigaction(SIGSEGV, &action, NULL) && !sigaction(SIGBUS, &action, NULL) &&
	       !sigaction(SIGFPE, &action, NULL) && !sigaction(SIGALRM, &action, NULL) &&
	       !setitimer(ITIMER_REAL, &each, NULL);
}

int main(int argc, char **argv)
{
	const time_t end = time(NULL) + (argc > 3 ? atoi(argv[1]) : 0);
	uint64_t seed, jobs = 0;

	if (argc < 4 || argc - 3 > MUTANTS)
		return usage(stderr);
	for (int i = 3; i < argc; i++)
		tool.mutants[tool.count++] = atoi(argv[i]);
	if (!start(argv[2])) {
		perror("v3d-differ");
		return 2;
	}
	for (seed = 1; tool.count && time(NULL) < end; seed++, jobs += 2) {
		make_code(seed);
		ask(true);
		tool.court.group = NO_GROUP;
		(void)court_make(&tool.court, seed);
		ask(false);
	}
	printf("%" PRIu64 " jobs, %u mutants that none of them tells apart:", jobs, tool.count);
	for (uint32_t i = 0; i < tool.count; i++)
		printf(" %u", tool.mutants[i]);
	printf("\n");
	return 0;
}
