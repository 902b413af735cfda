// SPDX-License-Identifier: MIT
/*
 * The oracle: makes jobs, asks the checker, and runs every accepted one in the simulator, as the
 * chip is meant and as it is, where an access to anything that the job does not own is a failure.
 * See usage().
 */
#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "corpus.h"
#include "court.h"
#include "state.h"

#define TRIALS_BETWEEN_LOOKS 64
#define MERGED 4096 /* files, at most */

struct options {
	uint64_t seed, count, accepted, patience;
	double seconds;
	unsigned int jobs;
	const char *state, *save, *corpus, *base;
	unsigned int faces;
	enum plant plant;
	const char *merge[MERGED];
	unsigned int merged;
	bool seeded, planted, one, stats;
};

static void usage(FILE *file)
{
	fputs("usage: v3d-oracle [option]...\n"
	      "\n"
	      "Makes jobs for the V3D, asks the checker, and runs every accepted one in the\n"
	      "simulator: a memory access outside what the job owns, a write to what it only\n"
	      "declared to read, or a uniform past the end of its stream is a failure.\n"
	      "\n"
	      "  --time SECONDS   how long (10)\n"
	      "  --count N        or how many jobs a process, whichever comes first\n"
	      "  --accepted N     or how many jobs that the checker accepts\n"
	      "  --jobs N         how many processes (1)\n"
	      "  --seed N         the first job's seed; each further job has the next one\n"
	      "                   (where --state ended, or 1)\n"
	      "  --chip MODE      what runs the jobs: ideal, the chip as the guide means it;\n"
	      "                   bcm2835, silicon; both (both); modes joined by +; help lists\n"
	      "                   them\n"
	      "  --state FILE     counts go on from this file, and what is known of coverage\n"
	      "                   (a sparse file of 513 MiB)\n"
	      "  --merge FILE     what this other state has counted is added to that of --state,\n"
	      "                   and nothing is run; may be repeated. A shape counts once in\n"
	      "                   each\n"
	      "  --one            only the job of --seed, printed\n"
	      "  --corpus FILE    the jobs in this file instead: each is run, none is made\n"
	      "  --patience N     a job may take N times the usual 2,000 instructions and\n"
	      "                   records, of binning 1,500 (1): so whole frames come to an end\n"
	      "  --base FILE      some frames are made from the jobs in this file, changed\n"
	      "  --save FILE      where a job that fails is written (oracle-failure.job)\n"
	      "  --stats          also how often each rule refused\n"
	      "  --help           this\n"
	      "  --plant FAULT    a fault, to see the oracle fail; shapes are not counted then.\n"
	      "                   In the build of scripts/plants N or N+N..., of its --list: what\n"
	      "                   the checker leaves out. Beside the checker:\n",
	      file);
	plant_print(file);
	fputs("  --needs N        only failures count whose jobs are refused without plant N\n"
	      "\nExit status: 0 nothing found, 1 a failure, 2 bad usage.\n", file);
}

static bool number(const char *text, uint64_t *value)
{
	char *end;

	errno = 0;
	*value = strtoull(text, &end, 0);
	return *text && !*end && !errno;
}

static void print_line(void *opaque, const char *line)
{
	(void)opaque;
	puts(line);
}

/* A fault by its name, or some of the checker's by their numbers; false: there are none */
static bool parse_plant(struct options *o, const char *plant)
{
	o->plant = plant_find(plant);
	o->planted = true;
	if (o->plant < PLANT_COUNT)
		return true;
	o->plant = PLANT_NONE;
	return plant_in_checker(plant);
}

static void parse_chip(struct options *o, const char *chip)
{
	char error[256] = "";

	if (!strcmp(chip, "help")) {
		v3dsim_chip_help(print_line, NULL);
		exit(0);
	}
	o->faces = machine_faces(chip, error, sizeof(error));
	if (!o->faces)
		fprintf(stderr, "v3d-oracle: --chip: %s\n", error);
}

static bool parse(struct options *o, int argc, char **argv)
{
	static const struct option names[] = {
		{ "time", 1, NULL, 't' },   { "count", 1, NULL, 'n' },	  { "jobs", 1, NULL, 'j' },
		{ "seed", 1, NULL, 's' },   { "state", 1, NULL, 'f' },	  { "one", 0, NULL, '1' },
		{ "corpus", 1, NULL, 'c' }, { "save", 1, NULL, 'w' },	  { "plant", 1, NULL, 'p' },
		{ "base", 1, NULL, 'b' },   { "stats", 0, NULL, 'v' },	  { "help", 0, NULL, 'h' },
		{ "chip", 1, NULL, 'm' },   { "accepted", 1, NULL, 'a' }, { "merge", 1, NULL, 'g' },
		{ "needs", 1, NULL, 'd' },  { "patience", 1, NULL, 'i' },
		{ NULL, 0, NULL, 0 },
	};
	uint64_t value = 0;
	int c;

	while ((c = getopt_long(argc, argv, "h", names, NULL)) != -1) {
		if (c == 'h') {
			usage(stdout);
			exit(0);
		}
		if (c && strchr("tnjsai", c) && !number(optarg, &value))
			return false;
		o->seconds = c == 't' ? value : o->seconds;
		o->count = c == 'n' ? value : o->count;
		o->accepted = c == 'a' ? value : o->accepted;
		o->patience = c == 'i' ? value : o->patience;
		o->jobs = c == 'j' ? value : o->jobs;
		o->seed = c == 's' ? value : o->seed;
		o->seeded |= c == 's';
		o->one |= c == '1';
		o->stats |= c == 'v';
		o->state = c == 'f' ? optarg : o->state;
		o->corpus = c == 'c' ? optarg : o->corpus;
		o->save = c == 'w' ? optarg : o->save;
		o->base = c == 'b' ? optarg : o->base;
		if (c == 'g' && o->merged == MERGED)
			return false;
		if (c == 'g')
			o->merge[o->merged++] = optarg;
		if (c == 'm')
			parse_chip(o, optarg);
		if (c == '?' || !o->faces || (c == 'p' && !parse_plant(o, optarg)) ||
		    (c == 'd' && !plant_needed(optarg)))
			return false;
	}
	return optind == argc && o->jobs && o->jobs <= STATE_JOBS && o->patience &&
	       (!o->merged || o->state);
}

static double now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec + ts.tv_nsec / 1e9;
}

static int fail(struct court *court, const struct options *o)
{
	FILE *file = fopen(o->save, "wb");

	if (!file || !trial_write(&court->trial, file) || fclose(file))
		perror(o->save);
	printf("FAILURE at seed %" PRIu64 " on %s, saved as %s; what it needs of it:\n",
	       court->trial.seed, machine_face(court->face), o->save);
	if (!court_shrink(court))
		puts("  by itself it does not fail in that way, so all of it");
	court_explain(court, stdout);
	return 1;
}

static bool open_court(struct court *court, const struct options *o, struct state *state)
{
	if (!court_new(court, o->planted ? NULL : &state->cover))
		return false;
	court->plant = o->plant;
	court->faces = o->faces;
	court->machine.patience = o->patience;
	return !o->base || base_open(&court->base, o->base, &court->trial);
}

/* One process: every jobs-th group of seeds */
static int work(const struct options *o, struct state *state, unsigned int which, double deadline)
{
	static struct court court;
	struct state_job *job = &state->jobs[which];
	uint64_t i;

	if (!open_court(&court, o, state)) {
		perror(o->base ? o->base : "v3d-oracle");
		return 2;
	}
	cover_use(&state->cover);
	for (i = 0; i < o->count; i++) {
		job->seed = o->seed + (i / GROUP * o->jobs + which) * GROUP + i % GROUP;
		if (!court_seed(&court, job->seed))
			return fail(&court, o);
		if (i % TRIALS_BETWEEN_LOOKS == 0) {
			state_note(job, &court);
			if (now() > deadline || state_accepted(job) >= o->accepted)
				break;
		}
	}
	state_note(job, &court);
	return 0;
}

static void print_refusal(const struct v3dcl_refusal *why)
{
	printf("refused: %s, part %u at %u, found 0x%llx, expected 0x%llx\n",
	       v3dcl_rule_text(why->rule), why->part, why->offset, why->found, why->expected);
}

/* The job of one seed, and what it does on each face */
static int one(const struct options *o, struct state *state)
{
	static struct court court;

	if (!open_court(&court, o, state))
		return 2;
	court.faces = 0;
	(void)court_seed(&court, o->seed);
	trial_print(&court.trial, stdout);
	if (!court.tally[court.trial.kind].accepted) {
		print_refusal(&court.checked.refusal);
		return 0;
	}
	for (unsigned int face = 0; face < FACES; face++) {
		court.faces = o->faces & 1u << face;
		court.group = NO_GROUP;	/* all of it anew: a planted fault is planted once */
		if (!court_seed(&court, o->seed)) {
			court_explain(&court, stdout);
			return 1;
		}
		if (court.faces)
			court_describe(&court, stdout);
	}
	return 0;
}

static int corpus(const struct options *o, struct state *state)
{
	static struct court court;
	struct corpus all;
	int next;

	if (!corpus_open(&all, o->corpus) || !open_court(&court, o, state)) {
		perror(o->corpus);
		return 2;
	}
	cover_use(&state->cover);
	while ((next = corpus_next(&all, &court.trial)) > 0)
		if (!court_hold(&court))
			return fail(&court, o);
	state_note(&state->jobs[0], &court);
	corpus_close(&all);
	if (next < 0)
		fprintf(stderr, "v3d-oracle: %s: not a corpus\n", o->corpus);
	return next < 0 ? 2 : 0;
}

/* The counts of other files */
static int merge(const struct options *o, struct state *state)
{
	for (unsigned int i = 0; i < o->merged; i++) {
		if (state_merge(state, o->merge[i]))
			continue;
		fprintf(stderr, "v3d-oracle: %s: %s\n", o->merge[i],
			errno == EPROTO ? "no counts, or of another format" :
			errno == E2BIG	? "counts of too many builds" :
					  strerror(errno));
		return 2;
	}
	return 0;
}

/* All processes to their end; the worst status. One that fell by a signal left its seed behind. */
static int run_all(const struct options *o, struct state *state)
{
	const double deadline = now() + o->seconds;
	pid_t pids[STATE_JOBS];
	int worst = 0, status;
	unsigned int i;

	fflush(stdout);
	for (i = 0; i < o->jobs; i++) {
		pids[i] = fork();
		if (pids[i] == 0)
			exit(work(o, state, i, deadline));
	}
	for (i = 0; i < o->jobs; i++) {
		if (pids[i] < 0 || waitpid(pids[i], &status, 0) < 0)
			return 2;
		if (WIFSIGNALED(status))
			printf("FAILURE: signal %d at seed %" PRIu64 "\n", WTERMSIG(status),
			       state->jobs[i].seed);
		status = WIFSIGNALED(status) ? 1 : WEXITSTATUS(status);
		worst = status > worst ? status : worst;
	}
	return worst;
}

int main(int argc, char **argv)
{
	struct options o = { .seed = 1, .count = UINT64_MAX, .accepted = UINT64_MAX, .seconds = 10,
			     .jobs = 1, .patience = 1, .faces = ALL_FACES,
			     .save = "oracle-failure.job" };
	struct state *state;
	double start;
	int status;

	if (!parse(&o, argc, argv)) {
		usage(stderr);
		return 2;
	}
	state = state_open(o.state);
	if (!state) {
		fprintf(stderr, "v3d-oracle: %s: %s\n", o.state ? o.state : "counts",
			errno != EPROTO ? strerror(errno) :
			"counts of another format: remove it, or name another file");
		return 2;
	}
	if (!o.seeded)
		o.seed = (state->next_seed + GROUP - 1) / GROUP * GROUP;
	if (o.one)
		return one(&o, state);
	start = now();
	status = o.merged ? merge(&o, state) : o.corpus ? corpus(&o, state) : run_all(&o, state);
	state_report(state, now() - start, o.seed, o.stats, stdout);
	return status;
}
