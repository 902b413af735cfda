// SPDX-License-Identifier: MIT
/* What the oracle knows: see state.h. */
#include <fcntl.h>
#include <inttypes.h>
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "state.h"

/* This very program, by its bytes */
static uint64_t build(void)
{
	uint64_t hash = UINT64_C(0xcbf29ce484222325);
	FILE *file = fopen("/proc/self/exe", "rb");
	uint8_t bytes[4096];
	size_t count, i;

	while (file && (count = fread(bytes, 1, sizeof(bytes), file)))
		for (i = 0; i < count; i++)
			hash = (hash ^ bytes[i]) * UINT64_C(0x100000001b3);
	if (file)
		fclose(file);
	return hash;
}

static void add(struct state_job *to, const struct state_job *from)
{
	for (unsigned int kind = 0; kind < TRIAL_KINDS; kind++) {
		to->tally[kind].made += from->tally[kind].made;
		to->tally[kind].accepted += from->tally[kind].accepted;
		to->tally[kind].counted += from->tally[kind].counted;
		to->tally[kind].idle += from->tally[kind].idle;
		to->tally[kind].endless += from->tally[kind].endless;
		to->tally[kind].failed += from->tally[kind].failed;
	}
	for (unsigned int rule = 0; rule < COURT_RULES; rule++)
		to->refused[rule] += from->refused[rule];
	to->seed = from->seed > to->seed ? from->seed : to->seed;
}

static void close_jobs(struct state *state, struct state_build *build, struct state_job *this)
{
	for (unsigned int i = 0; i < STATE_JOBS; i++) {
		add(this, &state->jobs[i]);
		state->jobs[i] = (struct state_job){ 0 };
	}
	add(&build->sum, this);
	if (state->next_seed <= this->seed)
		state->next_seed = this->seed + 1;
}

/* This build's place: after those before it. A run that was cut off has left its counts behind. */
static void enter(struct state *state, uint64_t hash)
{
	struct state_job cut_off = { 0 };

	if (state->build_count)
		close_jobs(state, &state->builds[state->build_count - 1], &cut_off);
	if (state->format != STATE_FORMAT)
		state->next_seed = 1;
	state->format = STATE_FORMAT;
	if (state->build_count && state->builds[state->build_count - 1].hash == hash)
		return;
	memset(state->cover.blocks, 0, sizeof(state->cover.blocks));
	state->builds[state->build_count++].hash = hash;
}

struct state *state_open(const char *name)
{
	struct state *state;
	int fd = -1;

	if (name) {
		fd = open(name, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
		if (fd < 0 || ftruncate(fd, sizeof(*state)))
			return NULL;
	}
	state = mmap(NULL, sizeof(*state), PROT_READ | PROT_WRITE, name ? MAP_SHARED : MAP_SHARED | MAP_ANONYMOUS, fd, 0);
	if (state == MAP_FAILED)
		return NULL;
	if (fd >= 0 && (state->format != STATE_FORMAT || state->build_count >= STATE_BUILDS) &&
	    (ftruncate(fd, 0) || ftruncate(fd, sizeof(*state))))
		return NULL;
	if (fd >= 0)
		close(fd);
	enter(state, build());
	return state;
}

void state_note(struct state_job *job, const struct court *court)
{
	memcpy(job->tally, court->tally, sizeof(job->tally));
	memcpy(job->refused, court->refused, sizeof(job->refused));
}

static void print_row(FILE *file, const char *name, const struct state_job *all, size_t place)
{
	fprintf(file, "%-44s", name);
	for (unsigned int kind = 0; kind < TRIAL_KINDS; kind++)
		fprintf(file, " %16" PRIu64, *(const uint64_t *)((const uint8_t *)&all->tally[kind] + place));
	fputc('\n', file);
}

static void print_table(FILE *file, const struct state_job *all)
{
	fprintf(file, "%-44s %16s %16s\n", "", "frames", "user programs");
	print_row(file, "made", all, offsetof(struct tally, made));
	print_row(file, "accepted, and run", all, offsetof(struct tally, accepted));
	print_row(file, "  and acting, each shape once", all, offsetof(struct tally, counted));
	print_row(file, "  not acting: no access, nothing drawn or stored", all, offsetof(struct tally, idle));
	print_row(file, "  not ended within the budget", all, offsetof(struct tally, endless));
	print_row(file, "  FAILED: an access to what is not the job's", all, offsetof(struct tally, failed));
}

static void print_rules(FILE *file, const struct state_job *all, bool each)
{
	unsigned int rules = 0, refusing = 0;

	for (unsigned int rule = 1; rule < COURT_RULES; rule++) {
		rules += *v3dcl_rule_name(rule) != 0;
		refusing += all->refused[rule] != 0;
		if (each && *v3dcl_rule_name(rule))
			fprintf(file, "  rule %3u %-24s %12" PRIu64 "\n", rule, v3dcl_rule_name(rule), all->refused[rule]);
	}
	fprintf(file, "rules that refused something: %u of %u\n", refusing, rules);
}

static uint64_t accepted(const struct state_job *job)
{
	return job->tally[TRIAL_FRAME].accepted + job->tally[TRIAL_QPU].accepted;
}

static void report_all(const struct state *state, FILE *file)
{
	struct state_job all = { 0 };
	double seconds = 0;

	for (uint32_t i = 0; i < state->build_count; i++) {
		const struct state_build *build = &state->builds[i];

		fprintf(file, "build %016" PRIx64 ": %" PRIu64 " accepted in %.0f s\n", build->hash, accepted(&build->sum),
			build->seconds);
		add(&all, &build->sum);
		seconds += build->seconds;
	}
	fprintf(file, "all builds, %.0f s:\n", seconds);
	print_table(file, &all);
}

void state_report(struct state *state, double seconds, uint64_t seed, bool rules, FILE *file)
{
	struct state_build *build = &state->builds[state->build_count - 1];
	struct state_job this = { 0 };
	uint32_t reached, blocks;

	close_jobs(state, build, &this);
	build->seconds += seconds;
	fprintf(file, "seeds from %" PRIu64 " to %" PRIu64 ", %.0f s, %.0f accepted a second; all runs of this build: %.0f s\n",
		seed, this.seed, seconds, accepted(&this) / seconds, build->seconds);
	print_table(file, &build->sum);
	print_rules(file, &build->sum, rules);
	cover_count(&state->cover, &reached, &blocks);
	if (blocks)
		fprintf(file, "basic blocks of the checker that were reached: %u of %u\n", reached, blocks);
	if (state->build_count > 1)
		report_all(state, file);
}
