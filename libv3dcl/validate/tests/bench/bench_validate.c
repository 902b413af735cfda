// SPDX-License-Identifier: MIT
/*
 * How long the checker takes, beside mainline's when it is given: one run, both, best of several
 * rounds. Not a test.
 *
 *	bench_validate CORPUS [MAINLINE.so]
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
	uint32_t count;
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
		if (bench.shaders[i].count == count &&
		    !memcmp(bench.shaders[i].words, code, count * sizeof(*code)))
			return true;
	return false;
}

static bool check(const uint64_t *code, uint32_t count)
{
	const uint32_t scratch = v3dcl_shader_scratch((const __u64 *)code, count);
	struct v3dcl_refusal refusal;
	struct v3dcl_shader shader;

	return v3dcl_check_shader((const __u64 *)code, count, bench.checked.scratch, scratch,
				  &shader, &refusal);
}

static void add(const uint64_t *code, uint32_t count)
{
	struct code *to = &bench.shaders[bench.shader_count];

	if (is_known(code, count) || bench.shader_count == SHADERS ||
	    bench.word_count + count > INSTRUCTIONS)
		return;
	if (!check(code, count) || (bench.rival && !bench.rival->shader(code, count)))
		return;
	to->words = memcpy(bench.words + bench.word_count, code, count * sizeof(*code));
	to->count = count;
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
				add(bench.trial.code + bench.trial.bos[i].first,
				    bench.trial.bos[i].count);
	corpus_close(&corpus);
	return !next;
}

static int by_count(const void *a, const void *b)
{
	const struct code *first = a, *second = b;

	return (first->count > second->count) - (first->count < second->count);
}

/* So often that a clock's resolution does not matter; in all it counts as one. */
#define TIMES 100

static void check_often(const struct code *code, bool rival)
{
	for (uint32_t i = 0; i < TIMES; i++)
		if (!(rival ? bench.rival->shader : check)(code->words, code->count))
			abort();
}

static uint32_t median(bool rival)
{
	check_often(&bench.shaders[bench.shader_count / 2], rival);
	return TIMES * 1000;
}

static uint32_t largest(bool rival)
{
	check_often(&bench.shaders[bench.shader_count - 1], rival);
	return TIMES * 1000;
}

static struct v3dcl_memory memory(uint32_t address, uint32_t size)
{
	return (struct v3dcl_memory){ bench.checked.host + address, address, size };
}

static bool check_bin(void)
{
	struct v3dcl_job *job = &bench.checked.job;

	*job = (struct v3dcl_job){
		.submit = &bench.frame.submit,
		.bos = bench.checked.bos,
		.bo_count = bench.frame.bo_count,
		.bin = { bench.frame.bin.bytes, bench.frame.bin.size },
		.records = { bench.frame.records.bytes, bench.frame.records.size },
		.uniforms = { bench.frame.uniforms.bytes, bench.frame.uniforms.size },
	};
	if (!v3dcl_measure(job))
		return false;
	job->exec = memory(CHECK_EXEC, job->needs.exec);
	job->tiles = (struct v3dcl_tile_memory){
		.state = CHECK_STATE, .state_bytes = job->needs.state,
		.lists = CHECK_LISTS, .lists_bytes = job->needs.lists,
	};
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

static uint32_t draw(bool rival)
{
	if (!(rival ? bench.rival->bin(bench.opened) : check_bin()))
		abort();
	return DRAWS;
}

static uint32_t render(bool rival)
{
	if (!(rival ? bench.rival->render(bench.opened) : check_render()))
		abort();
	return 1000;
}

/*
 * Nanoseconds for each of what the work says that it has done, or microseconds for a thousandth of
 * that; the best of some rounds, in turns
 */
static void row(const char *what, uint32_t (*work)(bool rival))
{
	double best[2] = { 1e30, 1e30 };

	for (uint32_t i = 0; i < ROUNDS; i++) {
		for (uint32_t rival = 0; rival < 1 + !!bench.rival; rival++) {
			const double start = now();
			const uint32_t done = work(rival);
			const double took = (now() - start) / done;

			best[rival] = took < best[rival] ? took : best[rival];
		}
	}
	if (bench.rival)
		printf("%-64s %8.2f %8.2f  %.2f\n", what, best[0], best[1], best[0] / best[1]);
	else
		printf("%-64s %8.2f\n", what, best[0]);
}

/* The checking in CREATE_SHADER_BO */
static void tell_shaders(void)
{
	const uint32_t count = bench.shader_count;
	char what[80];

	qsort(bench.shaders, count, sizeof(bench.shaders[0]), by_count);
	snprintf(what, sizeof(what), "us a shader of Mesa's, the median (%u instructions)",
		 bench.shaders[count / 2].count);
	row(what, median);
	snprintf(what, sizeof(what), "us a shader of Mesa's, the largest (%u instructions)",
		 bench.shaders[count - 1].count);
	row(what, largest);
}

static bool open_frame(void)
{
	frame_make(&bench.frame, DRAWS);
	if (!check_code(&bench.checked, &bench.frame) || !check_job(&bench.checked, &bench.frame)) {
		fprintf(stderr, "bench_validate: %s\n",
			v3dcl_rule_text(bench.checked.refusal.rule));
		return false;
	}
	bench.opened = bench.rival ? bench.rival->open(&bench.frame) : NULL;
	return !bench.rival || (bench.opened && bench.rival->bin(bench.opened) &&
				bench.rival->render(bench.opened));
}

static bool load(const char *name)
{
	void *library = dlopen(name, RTLD_NOW);

	bench.rival = library ? dlsym(library, "rival") : NULL;
	if (!bench.rival)
		fprintf(stderr, "bench_validate: %s\n", dlerror());
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

			worst_check(&worst, bench.trial.code, bench.checked.scratch,
				    sizeof(bench.checked.scratch));
			best = now() - start < best ? now() - start : best;
		}
		printf("64 KiB: %-48s %8.0f us, %u KiB scratch: %s\n", worst.name, best / 1e3,
		       worst.scratch / 1024, worst.verdict);
	}
}

int main(int argc, char **argv)
{
	void *host;

	if (argc < 2 || argc > 3) {
		fprintf(stderr, "usage: bench_validate CORPUS [MAINLINE.so]\n");
		return 2;
	}
	host = mmap(NULL, (size_t)1 << 32, PROT_READ | PROT_WRITE,
		    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	bench.checked.host = host;
	if (host == MAP_FAILED || (argc > 2 && !load(argv[2])) || !read_corpus(argv[1]) ||
	    !open_frame()) {
		fprintf(stderr, "bench_validate: cannot start\n");
		return 1;
	}
	printf("%u shaders that %s; ours%s\n", bench.shader_count,
	       bench.rival ? "both accept" : "are accepted",
	       bench.rival ? ", mainline's, ratio" : "");
	row("ns a draw (5 records, 4 attributes, one texture)", draw);
	row("us a render list of 1920 x 1080", render);
	tell_shaders();
	tell_worst();
	return 0;
}
