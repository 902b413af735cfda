// SPDX-License-Identifier: MIT
/*
 * How long the checker takes, beside mainline's when it is given: one run, both, best of several rounds. Not a test.
 *
 *	bench_job CORPUS [MAINLINE.so]
 *
 * The shaders are those of a corpus that both accept, each of them once.
 */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

#include <v3d/qpu.h>

#include "../../fuzz/check.h"
#include "../../fuzz/corpus.h"
#include "frame.h"
#include "rival.h"
#include "worst.h"

#define SHADERS 8192
#define INSTRUCTIONS (1 << 20)
#define DRAWS 400
#define ROUNDS 25

struct code {
	const uint64_t *words;
	uint32_t count, run;	/* instructions up to its end */
	bool branches;
};

static struct {
	struct checked checked;
	struct trial trial, frame;
	uint64_t words[INSTRUCTIONS];
	struct code shaders[SHADERS];
	uint32_t word_count, shader_count;
	const struct rival *rival;
	void *opened;
} bench;

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1e9 + t.tv_nsec;
}

static bool is_known(const uint64_t *code, uint32_t count)
{
	for (uint32_t i = 0; i < bench.shader_count; i++)
		if (bench.shaders[i].count == count && !memcmp(bench.shaders[i].words, code, count * sizeof(*code)))
			return true;
	return false;
}

/* Instructions that both look at: up to the last program end's delay slots */
static uint32_t instructions(const uint64_t *code, uint32_t count, bool *branches)
{
	uint32_t run = count;

	*branches = false;
	for (uint32_t i = 0; i < count; i++) {
		*branches |= code[i] >> 60 == V3D_QPU_SIG_BRANCH;
		if (code[i] >> 60 == V3D_QPU_SIG_PROGRAM_END)
			run = i + V3D_QPU_END_SLOTS + 1;
	}
	return run;
}

static bool check(const uint64_t *code, uint32_t count)
{
	const uint32_t scratch = v3dcl_shader_scratch((const __u64 *)code, count);
	struct v3dcl_refusal refusal;
	struct v3dcl_shader shader;

	return v3dcl_check_shader((const __u64 *)code, count, bench.checked.scratch, scratch, &shader, &refusal);
}

static void add(const uint64_t *code, uint32_t count)
{
	struct code *to = &bench.shaders[bench.shader_count];

	if (is_known(code, count) || bench.shader_count == SHADERS || bench.word_count + count > INSTRUCTIONS)
		return;
	if (!check(code, count) || (bench.rival && !bench.rival->shader(code, count)))
		return;
	to->words = memcpy(bench.words + bench.word_count, code, count * sizeof(*code));
	to->count = count;
	to->run = instructions(code, count, &to->branches);
	bench.word_count += count;
	bench.shader_count++;
}

static bool read_corpus(const char *name)
{
	struct corpus corpus;
	int next = -1;

	if (!corpus_open(&corpus, name))
		return false;
	while ((next = corpus_next(&corpus, &bench.trial)) > 0)
		for (uint32_t i = 0; i < bench.trial.bo_count; i++)
			if (bench.trial.bos[i].kind == TRIAL_SHADER)
				add(bench.trial.code + bench.trial.bos[i].first, bench.trial.bos[i].count);
	corpus_close(&corpus);
	return !next;
}

/* So much is timed at a time that other load of the machine does not get in between, most often. */
#define GROUP 32

/* Shaders of a group, with branches or without */
static uint64_t shaders(uint32_t group, bool branches, bool (*checker)(const uint64_t *code, uint32_t count))
{
	uint64_t sum = 0;

	for (uint32_t i = group * GROUP; i < bench.shader_count && i < (group + 1) * GROUP; i++) {
		const struct code *code = &bench.shaders[i];

		if (code->branches != branches)
			continue;
		if (!checker(code->words, code->count))
			abort();
		sum += code->run;
	}
	return sum;
}

static uint64_t straight(uint32_t group, bool rival)
{
	return shaders(group, false, rival ? bench.rival->shader : check);
}

static uint64_t branching(uint32_t group, bool rival)
{
	return shaders(group, true, rival ? bench.rival->shader : check);
}

static struct v3dcl_memory memory(uint32_t address, uint32_t size)
{
	return (struct v3dcl_memory){ bench.checked.host + address, address, size };
}

static bool check_bin(void)
{
	struct v3dcl_job *job = &bench.checked.job;

	*job = (struct v3dcl_job){
		.submit = &bench.frame.submit, .bos = bench.checked.bos, .bo_count = bench.frame.bo_count,
		.bin = { bench.frame.bin.bytes, bench.frame.bin.size },
		.records = { bench.frame.records.bytes, bench.frame.records.size },
		.uniforms = { bench.frame.uniforms.bytes, bench.frame.uniforms.size },
	};
	if (!v3dcl_measure(job))
		return false;
	job->exec = memory(CHECK_EXEC, job->needs.exec);
	job->tiles = (struct v3dcl_tile_memory){ CHECK_STATE, job->needs.state, CHECK_LISTS, job->needs.lists };
	return v3dcl_check_bin(job);
}

/* The list is written to ordinary memory; in the driver it is write-combined. */
static bool check_render(void)
{
	struct v3dcl_job *job = &bench.checked.job;

	if (!v3dcl_check_render(job))
		return false;
	job->render = memory(CHECK_RENDER, job->render_bytes);
	return v3dcl_build_render(job);
}

static uint64_t draw(uint32_t group, bool rival)
{
	if (group)
		return 0;
	if (!(rival ? bench.rival->bin(bench.opened) : check_bin()))
		abort();
	return DRAWS;
}

static uint64_t render(uint32_t group, bool rival)
{
	if (group)
		return 0;
	if (!(rival ? bench.rival->render(bench.opened) : check_render()))
		abort();
	return 1000;
}

/* Best of some rounds, in turns; false: nothing is in this group */
static bool measure(uint32_t group, uint64_t (*work)(uint32_t group, bool rival), double best[2], uint64_t *sum)
{
	uint64_t units = 0;
	double start;

	best[0] = 1e30;
	best[1] = 1e30;
	for (uint32_t i = 0; i < ROUNDS; i++) {
		for (uint32_t rival = 0; rival < 1 + !!bench.rival; rival++) {
			start = now();
			units = work(group, rival);
			start = now() - start;
			best[rival] = start < best[rival] ? start : best[rival];
		}
	}
	*sum += units;
	return units;
}

/* Nanoseconds a unit of the work, over all groups that have any */
static void row(const char *what, uint64_t (*work)(uint32_t group, bool rival))
{
	double times[2] = { 0 }, best[2];
	uint64_t units = 0;

	for (uint32_t group = 0; group <= SHADERS / GROUP; group++) {
		if (!measure(group, work, best, &units))
			continue;
		times[0] += best[0];
		times[1] += best[1];
	}
	if (bench.rival)
		printf("%-56s %8.2f %8.2f  %.2f\n", what, times[0] / units, times[1] / units, times[0] / times[1]);
	else
		printf("%-56s %8.2f\n", what, times[0] / units);
}

static bool open_frame(void)
{
	frame_make(&bench.frame, DRAWS);
	if (!check_code(&bench.checked, &bench.frame) || !check_job(&bench.checked, &bench.frame)) {
		fprintf(stderr, "bench_job: %s\n", v3dcl_rule_text(bench.checked.refusal.rule));
		return false;
	}
	bench.opened = bench.rival ? bench.rival->open(&bench.frame) : NULL;
	return !bench.rival || (bench.opened && bench.rival->bin(bench.opened) && bench.rival->render(bench.opened));
}

static bool load(const char *name)
{
	void *library = dlopen(name, RTLD_NOW);

	bench.rival = library ? dlsym(library, "rival") : NULL;
	if (!bench.rival)
		fprintf(stderr, "bench_job: %s\n", dlerror());
	return bench.rival;
}

static void tell_worst(void)
{
	for (uint32_t kind = 0; kind < WORST_KINDS; kind++) {
		struct worst worst;
		double best = 1e30;

		worst_make(kind, bench.trial.code, &worst);
		for (uint32_t i = 0; i < 3; i++) {
			const double start = now();

			worst_check(&worst, bench.trial.code, bench.checked.scratch, sizeof(bench.checked.scratch));
			best = now() - start < best ? now() - start : best;
		}
		printf("64 KiB: %-48s %8.0f us, %u KiB scratch: %s\n", worst.name, best / 1e3, worst.scratch / 1024, worst.verdict);
	}
}

int main(int argc, char **argv)
{
	void *host;

	if (argc < 2 || argc > 3) {
		fprintf(stderr, "usage: bench_job CORPUS [MAINLINE.so]\n");
		return 2;
	}
	host = mmap(NULL, (size_t)1 << 32, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	bench.checked.host = host;
	if (host == MAP_FAILED || (argc > 2 && !load(argv[2])) || !read_corpus(argv[1]) || !open_frame()) {
		fprintf(stderr, "bench_job: cannot start\n");
		return 1;
	}
	printf("%u shaders that %s; ours%s\n", bench.shader_count, bench.rival ? "both accept" : "are accepted",
	       bench.rival ? ", mainline's, ratio" : "");
	row("ns a draw (5 records, 4 attributes, one texture)", draw);
	row("ns a QPU instruction, shaders without branches", straight);
	row("ns a QPU instruction, shaders with branches", branching);
	row("us a render list of 1920 x 1080", render);
	tell_worst();
	return 0;
}
