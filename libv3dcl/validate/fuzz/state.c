// SPDX-License-Identifier: MIT
/* What the oracle knows: see state.h. */
#include <errno.h>
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

static void add_face(struct face_tally *to, const struct face_tally *from)
{
	to->run += from->run;
	to->idle += from->idle;
	to->endless += from->endless;
	to->stopped += from->stopped;
	to->failed += from->failed;
}

static void add(struct state_job *to, const struct state_job *from)
{
	for (unsigned int kind = 0; kind < TRIAL_KINDS; kind++) {
		to->tally[kind].made += from->tally[kind].made;
		to->tally[kind].accepted += from->tally[kind].accepted;
		to->tally[kind].counted += from->tally[kind].counted;
		for (unsigned int face = 0; face < FACES; face++)
			add_face(&to->tally[kind].face[face], &from->tally[kind].face[face]);
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
	if (!state->format)
		state->next_seed = 1;
	state->format = STATE_FORMAT;
	if (state->build_count && state->builds[state->build_count - 1].hash == hash)
		return;
	memset(state->cover.blocks, 0, sizeof(state->cover.blocks));
	state->builds[state->build_count++].hash = hash;
}

/* A new file, or one of this format: of another one nothing is touched. */
static bool is_ours(int fd)
{
	uint64_t format = STATE_FORMAT;

	if (pread(fd, &format, sizeof(format), 0) < 0)
		return false;
	if (format && format != STATE_FORMAT)
		errno = EPROTO;
	return !format || format == STATE_FORMAT;
}

struct state *state_open(const char *name)
{
	struct state *state;
	int fd = -1;

	if (name) {
		fd = open(name, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
		if (fd < 0 || !is_ours(fd) || ftruncate(fd, sizeof(*state)))
			return NULL;
	}
	state = mmap(NULL, sizeof(*state), PROT_READ | PROT_WRITE,
		     name ? MAP_SHARED : MAP_SHARED | MAP_ANONYMOUS, fd, 0);
	if (state == MAP_FAILED)
		return NULL;
	if (fd >= 0 && state->build_count >= STATE_BUILDS &&
	    (ftruncate(fd, 0) || ftruncate(fd, sizeof(*state))))
		return NULL;
	if (fd >= 0)
		close(fd);
	enter(state, build());
	return state;
}

static struct state_build *build_of(struct state *state, uint64_t hash)
{
	struct state_build last;

	for (uint32_t i = 0; i < state->build_count; i++)
		if (state->builds[i].hash == hash)
			return &state->builds[i];
	if (state->build_count >= STATE_BUILDS)
		return NULL;
	/* The last one stays this program's */
	last = state->builds[state->build_count - 1];
	state->builds[state->build_count] = last;
	state->builds[state->build_count - 1] = (struct state_build){ .hash = hash };
	return &state->builds[state->build_count++ - 1];
}

/* Most of a file is holes, which are read and not written to */
static void unite(uint64_t *to, const uint64_t *from, size_t words)
{
	for (size_t i = 0; i < words; i++)
		if (from[i])
			to[i] |= from[i];
}

static bool merge_counts(struct state *state, const struct state *other)
{
	for (uint32_t i = 0; i < other->build_count; i++) {
		struct state_build *to = build_of(state, other->builds[i].hash);

		if (!to)
			return false;
		to->seconds += other->builds[i].seconds;
		add(&to->sum, &other->builds[i].sum);
	}
	/* What a run that was cut off has left behind */
	for (uint32_t i = 0; i < STATE_JOBS; i++)
		add(&build_of(state, other->builds[other->build_count - 1].hash)->sum,
		    &other->jobs[i]);
	if (state->next_seed < other->next_seed)
		state->next_seed = other->next_seed;
	return true;
}

bool state_merge(struct state *state, const char *name)
{
	const int fd = open(name, O_RDONLY | O_CLOEXEC);
	const struct state *other;
	bool merged;

	if (fd < 0)
		return false;
	if (!is_ours(fd) || lseek(fd, 0, SEEK_END) != sizeof(*other)) {
		errno = EPROTO;
		close(fd);
		return false;
	}
	other = mmap(NULL, sizeof(*other), PROT_READ, MAP_SHARED, fd, 0);
	close(fd);
	if (other == MAP_FAILED)
		return false;
	merged = other->build_count && other->build_count <= STATE_BUILDS &&
		 merge_counts(state, other);
	if (merged) {
		unite((uint64_t *)state->cover.blocks, (const uint64_t *)other->cover.blocks,
		      sizeof(state->cover.blocks) / 8);
		unite(state->cover.seen, other->cover.seen, sizeof(state->cover.seen) / 8);
	}
	munmap((void *)other, sizeof(*other));
	if (!merged)
		errno = E2BIG;
	return merged;
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
		fprintf(file, " %16" PRIu64,
			*(const uint64_t *)((const uint8_t *)&all->tally[kind] + place));
	fputc('\n', file);
}

static void print_face(FILE *file, enum face face, const struct state_job *all)
{
#define ROW(text, member) { text, offsetof(struct face_tally, member) }
	static const struct {
		const char *name;
		size_t place;
	} rows[] = {
		ROW("  not acting: no access, nothing drawn or stored", idle),
		ROW("  not ended within the budget", endless),
		ROW("    but stopped: a fault, or an endless wait", stopped),
		ROW("  FAILED: an access to what is not the job's", failed),
	};
#undef ROW
	const size_t at = offsetof(struct tally, face) + face * sizeof(struct face_tally);
	char name[64];

	snprintf(name, sizeof(name), "run on %s", machine_face(face));
	print_row(file, name, all, at + offsetof(struct face_tally, run));
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		print_row(file, rows[i].name, all, at + rows[i].place);
}

static void print_table(FILE *file, const struct state_job *all)
{
	fprintf(file, "%-44s %16s %16s\n", "", "frames", "user programs");
	print_row(file, "made", all, offsetof(struct tally, made));
	print_row(file, "accepted", all, offsetof(struct tally, accepted));
	print_row(file, "  and acting, each shape once", all, offsetof(struct tally, counted));
	for (unsigned int face = 0; face < FACES; face++)
		print_face(file, face, all);
}

static void print_rules(FILE *file, const struct state_job *all, bool each)
{
	unsigned int rules = 0, refusing = 0;

	for (unsigned int rule = 1; rule < COURT_RULES; rule++) {
		rules += *v3dcl_rule_name(rule) != 0;
		refusing += all->refused[rule] != 0;
		if (each && *v3dcl_rule_name(rule))
			fprintf(file, "  rule %3u %-24s %12" PRIu64 "\n", rule,
				v3dcl_rule_name(rule), all->refused[rule]);
	}
	fprintf(file, "rules that refused something: %u of %u\n", refusing, rules);
}

uint64_t state_accepted(const struct state_job *job)
{
	return job->tally[TRIAL_FRAME].accepted + job->tally[TRIAL_QPU].accepted;
}

static void report_all(const struct state *state, FILE *file)
{
	struct state_job all = { 0 };
	double seconds = 0;

	for (uint32_t i = 0; i < state->build_count; i++) {
		const struct state_build *build = &state->builds[i];

		fprintf(file, "build %016" PRIx64 ": %" PRIu64 " accepted in %.0f s\n", build->hash,
			state_accepted(&build->sum),
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
	if (this.seed)
		fprintf(file,
			"seeds from %" PRIu64 " to %" PRIu64
			", %.0f s, %.0f accepted a second; all runs of this build: %.0f s\n",
			seed, this.seed, seconds, state_accepted(&this) / seconds, build->seconds);
	print_table(file, &build->sum);
	print_rules(file, &build->sum, rules);
	cover_count(&state->cover, &reached, &blocks);
	if (blocks)
		fprintf(file, "basic blocks of the checker that were reached: %u of %u\n", reached,
			blocks);
	if (state->build_count > 1)
		report_all(state, file);
}
