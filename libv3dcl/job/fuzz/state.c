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

struct state *state_open(const char *name)
{
	const uint64_t ours = build();
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
	if (fd >= 0 && state->build != ours && (ftruncate(fd, 0) || ftruncate(fd, sizeof(*state))))
		return NULL;
	if (fd >= 0)
		close(fd);
	if (state->build != ours)
		state->next_seed = 1;
	state->build = ours;
	return state;
}

void state_note(struct state_job *job, const struct court *court)
{
	memcpy(job->tally, court->tally, sizeof(job->tally));
	memcpy(job->refused, court->refused, sizeof(job->refused));
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

void state_report(struct state *state, double seconds, uint64_t seed, bool rules, FILE *file)
{
	struct state_job this = { 0 };
	uint32_t reached, blocks;
	uint64_t accepted = 0;

	for (unsigned int i = 0; i < STATE_JOBS; i++) {
		add(&this, &state->jobs[i]);
		state->jobs[i] = (struct state_job){ 0 };
	}
	for (unsigned int kind = 0; kind < TRIAL_KINDS; kind++)
		accepted += this.tally[kind].accepted;
	add(&state->before, &this);
	state->seconds += seconds;
	if (state->next_seed <= this.seed)
		state->next_seed = this.seed + 1;
	fprintf(file, "seeds from %" PRIu64 " to %" PRIu64 ", %.0f s, %.0f accepted a second; all runs of this build: %.0f s\n",
		seed, this.seed, seconds, accepted / seconds, state->seconds);
	print_table(file, &state->before);
	print_rules(file, &state->before, rules);
	cover_count(&state->cover, &reached, &blocks);
	if (blocks)
		fprintf(file, "basic blocks of the checker that were reached: %u of %u\n", reached, blocks);
}
