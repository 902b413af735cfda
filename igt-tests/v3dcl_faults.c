// SPDX-License-Identifier: MIT
/*
 * A chip that breaks while eight clients use it. Each subtest is a kind of fault (see v3dsim.h),
 * asked for of the simulated V3D by /sys/kernel/debug/v3dsim/fault: V3D_HITS times (5), each
 * somewhere in what the clients do, which V3D_SEED starts. Every job must end; what has ended well
 * must be right, of each client; the memory must come back; and the V3D must work afterwards.
 *
 * Of each kind the hits are printed: one that did not strike has not been tested, and fails.
 */
#include "v3dcl_alive.h"
#include "v3dcl_drawing.h"

IGT_TEST_DESCRIPTION("A chip that breaks to order, under load: jobs end, others are right");

#define FAULT "/sys/kernel/debug/v3dsim/fault"
#define CLIENTS 8
#define SIDE 128			/* of a client's frame */
#define ROWS 14				/* that a client's programs store */
#define STRIKE_S 60			/* until a fault has struck */
#define END_S 60			/* from then on until each client has ended two more jobs */
#define KEPT_BYTES (1u << 20)
#define TRIES 5				/* that the driver makes for one reset */
#define POOL_BYTES (24ull << 18)	/* at most, of chunks for the binner */
/* A hit may end what is on all queues, of a client each; resets that follow it likewise */
#define FAILED_A_HIT CLIENTS

/* What a client tells, in memory that it shares with the test */
struct client {
	uint32_t ended, failed;		/* jobs; those that ended with an error, or were refused */
	uint32_t frames, programs;	/* that ended well, and were right */
	uint32_t running;		/* it is set up */
};

static struct load {
	uint32_t stop;
	struct client clients[CLIENTS];
} *load;

static uint32_t dice_state;

static uint32_t dice(uint32_t sides)
{
	dice_state = dice_state * 1664525 + 1013904223;
	return (uint32_t)((uint64_t)noise(dice_state) * sides >> 32);
}

static unsigned int number_of(const char *name, unsigned int otherwise)
{
	const char *text = getenv(name);

	return text ? strtoul(text, NULL, 0) : otherwise;
}

static unsigned int now_s(void)
{
	return deadline(0) / (int64_t)NSEC_PER_SEC;
}

/* --- the chip's side -------------------------------------------------------------------------- */

static void fault_ask(const char *kind, unsigned int hits, unsigned int after)
{
	char text[64];
	int file = open(FAULT, O_WRONLY), size;

	size = snprintf(text, sizeof(text), "%s:%u:%u", kind, hits, after);
	igt_assert_fd(file);
	igt_assert_eq(write(file, text, size), size);
	close(file);
}

static void fault_none(void)
{
	int file = open(FAULT, O_WRONLY);

	igt_assert_fd(file);
	igt_assert_eq(write(file, "none", 4), 4);
	close(file);
}

/* How often what was asked for last has struck */
static unsigned int fault_struck(void)
{
	static const char key[] = "struck: ";
	char text[64] = "";
	int file = open(FAULT, O_RDONLY);

	igt_assert_fd(file);
	igt_assert_lt(0, read(file, text, sizeof(text) - 1));
	close(file);
	igt_assert(!strncmp(text, key, strlen(key)));
	return strtoul(text + strlen(key), NULL, 10);
}

/* --- clients ---------------------------------------------------------------------------------- */

/* What one client works with */
struct works {
	int fd;
	struct client *told;
	uint32_t shaders[DRAWING_SHADERS], store, fetch, sync;
	struct bo target, vertices, words, table;
	struct job *job;
};

/*
 * Uniforms: the address of 16 words, which the TMU reads; then as program_store() without a value.
 */
static uint32_t program_fetch(int fd)
{
	uint64_t code[64];
	struct qb b;

	qb_init(&b, code, ARRAY_SIZE(code));
	qb_emit(&b, qb_mov(QB_R1, QB_ELEMENT));
	qb_emit(&b, qb_add(V3D_QPU_ADD_SHL, QB_R1, QB_R1, qb_imm(2)));
	qb_emit(&b, qb_add(V3D_QPU_ADD_MAX, QB_R1, QB_R1, qb_imm(0)));
	qb_emit(&b, qb_ldi(QB_R2, 60));
	qb_emit(&b, qb_add(V3D_QPU_ADD_MIN, QB_R1, QB_R1, QB_R2));
	qb_emit(&b, qb_add(V3D_QPU_ADD_ADD, QB_TMU0_S, QB_R1, QB_UNIF));
	qb_emit(&b, qb_signal(V3D_QPU_SIG_LOAD_TMU0, qb_nop()));
	qb_emit(&b, qb_mov(QB_R0, QB_R4));
	emit_store_row(&b);
	qb_end(&b);
	return program_create(fd, &b);
}

static void works_begin(struct works *w, struct client *told)
{
	*w = (struct works){ .fd = drm_open_driver(DRIVER_VC4), .told = told };
	make_shaders(w->fd, w->shaders);
	w->store = program_store(w->fd);
	w->fetch = program_fetch(w->fd);
	w->sync = sync_create(w->fd);
	w->target = bo_create(w->fd, SIDE * SIDE * 4);
	w->vertices = many_triangles(w->fd, 30, SIDE);
	w->words = bo_create(w->fd, 4096);
	w->table = bo_create(w->fd, 4096);
	for (unsigned int i = 0; i < 16; i++)
		w->table.map[i] = noise(i);
	w->job = job_new();
}

/* A job was submitted, or refused with @error. Return: it has ended well */
static bool ended_well(struct works *w, int error)
{
	int result = 1;
	bool expected;

	igt_assert_f(!error || error == EIO, "a submit says %s\n", strerror(error));
	if (!error) {
		/* Waits of all kinds, whose time is over before the job is */
		if (dice(2))
			bo_wait(w->fd, w->target.handle, dice(1000000));
		else if (dice(2))
			sync_wait(w->fd, w->sync, dice(1000000));
		result = sync_result(w->fd, w->sync);
		expected = result == 1 || result == -ETIMEDOUT || result == -ECANCELED ||
			   result == -EIO || result == -ENOMEM;
		igt_assert_f(expected, "a job ended with %d\n", result);
	} else {
		usleep(20000);
	}
	__atomic_fetch_add(&w->told->failed, error || result != 1, __ATOMIC_RELAXED);
	return !error && result == 1;
}

static void frame(struct works *w)
{
	struct drawing *d = drawing_new(w->shaders, &w->target, SIDE, SIDE, &w->vertices, 30);
	uint32_t color = noise(dice(1u << 30));
	int error;

	d->uniforms[0] = color;
	d->r->submit.out_sync = w->sync;
	error = render_try(w->fd, d->r);
	drawing_free(d);
	if (!ended_well(w, error))
		return;
	expect_filled(&w->target, color);
	w->told->frames++;
}

static void programs(struct works *w)
{
	const unsigned int count = 1 + dice(ROWS);
	const uint32_t value = dice(1u << 30);

	w->job->submit.program_count = w->job->submit.uniform_count = 0;
	w->job->submit.reloc_count = w->job->submit.out_sync_count = 0;
	w->job->submit.timeout_ns = 2 * NSEC_PER_SEC;
	for (unsigned int i = 0; i < count; i++) {
		if (i % 2) {
			job_run(w->job, w->fetch);
			job_reads(w->job, &w->table, 0);
			job_uniform(w->job, i);
			job_writes(w->job, &w->words, i * 64);
		} else {
			job_run_store(w->job, w->store, i, value + i, &w->words, i * 64);
		}
	}
	job_out(w->job, w->sync, 0);
	memset(w->words.map, 0, w->words.size);
	if (!ended_well(w, job_try(w->fd, w->job)))
		return;
	for (unsigned int i = 0; i < count * 16; i++)
		igt_assert_eq_u32(w->words.map[i],
				  i / 16 % 2 ? noise(i % 16) : value + i / 16 + i % 16);
	w->told->programs++;
}

static void client(struct client *told, uint32_t seed)
{
	struct works w;

	dice_state = seed;
	works_begin(&w, told);
	told->running = 1;
	while (!__atomic_load_n(&load->stop, __ATOMIC_RELAXED)) {
		if (dice(2))
			frame(&w);
		else
			programs(&w);
		__atomic_fetch_add(&told->ended, 1, __ATOMIC_RELAXED);
	}
	drm_close_driver(w.fd);
}

static pid_t pids[CLIENTS];

static void clients_end(void)
{
	int status;

	__atomic_store_n(&load->stop, 1, __ATOMIC_RELAXED);
	for (unsigned int i = 0; i < CLIENTS; i++) {
		igt_assert_eq(waitpid(pids[i], &status, 0), pids[i]);
		igt_assert_f(WIFEXITED(status) && !WEXITSTATUS(status),
			     "client %u: what it said is above\n", i);
	}
}

static bool each_client(bool (*has)(const struct client *client, uint32_t than), uint32_t *than)
{
	bool all = true;

	for (unsigned int i = 0; i < CLIENTS; i++)
		all &= has(&load->clients[i], than ? than[i] : 0);
	return all;
}

static bool runs(const struct client *told, uint32_t than)
{
	return __atomic_load_n(&told->running, __ATOMIC_RELAXED) > than;
}

/* The one that was running at the hit, and one that began after it */
static bool went_on(const struct client *told, uint32_t than)
{
	return __atomic_load_n(&told->ended, __ATOMIC_RELAXED) - than >= 2;
}

/* Return: did it come to that, in so many seconds? A client that has failed ends the wait */
static bool clients_reach(bool (*has)(const struct client *told, uint32_t than), uint32_t *than,
			  unsigned int seconds)
{
	const unsigned int end = now_s() + seconds;

	while (!each_client(has, than)) {
		siginfo_t info = { 0 };

		if (now_s() > end || waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) ||
		    info.si_pid)
			return false;
		usleep(5000);
	}
	return true;
}

static void clients_begin(uint32_t seed)
{
	memset(load, 0, sizeof(*load));
	for (unsigned int i = 0; i < CLIENTS; i++) {
		fflush(stdout);
		pids[i] = fork();
		igt_assert(pids[i] >= 0);
		if (!pids[i]) {
			client(&load->clients[i], noise(seed + i));
			_exit(0);
		}
	}
	igt_assert(clients_reach(runs, NULL, END_S));
}

static struct client clients_sum(void)
{
	struct client sum = { 0 };

	for (unsigned int i = 0; i < CLIENTS; i++) {
		sum.ended += load->clients[i].ended;
		sum.failed += load->clients[i].failed;
		sum.frames += load->clients[i].frames;
		sum.programs += load->clients[i].programs;
	}
	return sum;
}

/* --- memory ----------------------------------------------------------------------------------- */

/* Chunks for the binner, of which the driver keeps as many as this for the next frames */
static uint64_t bytes_pooled(int fd)
{
	FILE *bos = fdopen(igt_debugfs_open(fd, "v3d_bos", O_RDONLY), "r");
	unsigned long long size, sum = 0;
	char line[256];

	igt_assert(bos);
	while (fgets(line, sizeof(line), bos)) {
		if (strstr(line, "tile lists") && sscanf(line, "%*s %llu", &size) == 1)
			sum += size;
	}
	fclose(bos);
	return sum;
}

/* Bytes that BOs take, but for those that the driver keeps ready for who asks next */
static uint64_t bytes_used(int fd)
{
	return debugfs_number(fd, "v3d_memory", "used: ") -
	       debugfs_number(fd, "v3d_memory", "kept: ") - bytes_pooled(fd);
}

/* A worker frees what jobs held */
static uint64_t bytes_settle(int fd, uint64_t wanted)
{
	for (unsigned int i = 0; i < 200 && bytes_used(fd) != wanted; i++)
		usleep(50000);
	return bytes_used(fd);
}

/* --- kinds ------------------------------------------------------------------------------------ */

/* @after: a hit comes after fewer steps than this; @resets: only a reset takes such steps */
static const struct kind {
	const char *name;
	unsigned int after;
	bool resets;
} kinds[] = {
	{ "cle-stop", 60, false },	  { "vcd-stop", 10, false },
	{ "ptb-stop", 60, false },	  { "qpu-stop", 100, false },
	{ "tmu-stop", 20, false },	  { "tlb-stop", 30, false },
	{ "dma-stop", 20, false },	  { "irq-lose", 10, false },
	{ "irq-delay", 10, false },	  { "irq-double", 10, false },
	{ "irq-storm", 10, false },	  { "bus-error", 1000, false },
	{ "ident-wrong", 3, true },	  { "register-garbage", 200, false },
};

/* A job that never ends: so there is a reset */
static void hang(int fd)
{
	struct job *job = job_new();
	uint32_t program = program_endless(fd), sync = sync_create(fd);

	job_run(job, program);
	job->submit.timeout_ns = TIMEOUT_NS / 2;
	job_out(job, sync, 0);
	if (!job_try(fd, job))
		sync_result(fd, sync);
	sync_destroy(fd, sync);
	gem_close(fd, program);
	free(job);
}

static void hit(int fd, const struct kind *kind)
{
	const unsigned int end = now_s() + STRIKE_S;
	uint32_t than[CLIENTS];

	fault_ask(kind->name, 1, dice(kind->after));
	while (!fault_struck()) {
		igt_assert_f(now_s() <= end, "%s did not strike in %u s\n", kind->name, STRIKE_S);
		if (kind->resets)
			hang(fd);
		else
			usleep(5000);
	}
	for (unsigned int i = 0; i < CLIENTS; i++)
		than[i] = __atomic_load_n(&load->clients[i].ended, __ATOMIC_RELAXED);
	if (!clients_reach(went_on, than, END_S)) {
		clients_end();
		igt_assert_f(false, "%s: a job did not end in %u s\n", kind->name, END_S);
	}
}

static const struct kind *kind;

static void strikes(int fd)
{
	const unsigned int hits = number_of("V3D_HITS", 5);
	const uint64_t used = bytes_used(fd);
	unsigned int began = now_s();
	uint64_t resets = v3dcl_param(fd, DRM_V3DCL_PARAM_RESETS);
	struct client sum;

	clients_begin(dice(1u << 30));
	for (unsigned int i = 0; i < hits; i++)
		hit(fd, kind);
	fault_none();
	clients_end();
	sum = clients_sum();
	resets = v3dcl_param(fd, DRM_V3DCL_PARAM_RESETS) - resets;
	check_alive(fd);
	igt_info("%s: %u hits, %" PRIu64 " resets, %u jobs, %u of them ended with an error, "
		 "%u frames and %u batches of programs right, %u s\n",
		 kind->name, hits, resets, sum.ended, sum.failed, sum.frames, sum.programs,
		 now_s() - began);
	igt_assert_lte_u64(sum.failed, (uint64_t)hits * FAILED_A_HIT);
	igt_assert_eq_u64(bytes_settle(fd, used), used);
	igt_assert_lte_u64(bytes_pooled(fd), POOL_BYTES);
}

static bool is_wedged(int fd)
{
	char text[8192] = "";
	int file = igt_debugfs_open(fd, "v3d_queues", O_RDONLY);

	igt_assert_fd(file);
	igt_assert_lt(0, read(file, text, sizeof(text) - 1));
	close(file);
	return strstr(text, ", wedged");
}

static void wait_until_wedged(int fd)
{
	const unsigned int end = now_s() + STRIKE_S;

	while (!is_wedged(fd)) {
		igt_assert_f(now_s() <= end, "the V3D was reset all the same\n");
		usleep(5000);
	}
}

/*
 * Dead on reset: a V3D that was not reset may go on with what it had, so the memory of that goes to
 * no other user, however long it takes; jobs are refused, until it comes back.
 */
static void reset_dead(int fd)
{
	const unsigned int asked = number_of("V3D_HITS", TRIES), began = now_s(),
			   hits = asked < TRIES ? TRIES : asked;
	const uint64_t used = bytes_used(fd);
	int dead = drm_open_driver(DRIVER_VC4);
	struct bo bo = bo_create(dead, KEPT_BYTES);
	uint32_t program = program_endless(dead);
	struct job *job = job_new();
	uint64_t held, kept;
	struct client sum;

	job_run(job, program);
	job_writes(job, &bo, 0);
	job->submit.timeout_ns = NSEC_PER_SEC;
	job_submit(dead, job);
	fault_ask("reset-dead", hits, 0);
	held = bytes_used(fd) - used;
	munmap(bo.map, bo.size);
	drm_close_driver(dead);
	free(job);
	wait_until_wedged(fd);
	kept = bytes_used(fd) - used;
	igt_info("reset-dead: kept %" PRIu64 " bytes, dead jobs held %" PRIu64 "\n", kept, held);
	igt_assert_eq_u64(kept, held);
	clients_begin(dice(1u << 30));
	while (is_wedged(fd)) {
		igt_assert_f(now_s() <= began + hits + STRIKE_S, "it does not come back\n");
		usleep(5000);
	}
	clients_end();
	sum = clients_sum();
	check_alive(fd);
	igt_info("reset-dead: %u hits, %u jobs, %u of them refused, %u frames and %u batches of "
		 "programs right, %u s\n",
		 fault_struck(), sum.ended, sum.failed, sum.frames, sum.programs, now_s() - began);
	igt_assert_eq_u32(fault_struck(), hits);
	igt_assert_eq_u64(bytes_settle(fd, used), used);
}

static void require_faults(int fd)
{
	require_v3dcl(fd);
	igt_require_f(!access(FAULT, W_OK), "no V3D that breaks to order: %s\n", FAULT);
	load = mmap(NULL, sizeof(*load), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	igt_assert(load != MAP_FAILED);
	dice_state = number_of("V3D_SEED", 1);
	igt_info("seed %u\n", dice_state);
}

static int drm_fd = -1;

v3dcl_main()
{
	v3dcl_fixture() {
		drm_fd = drm_open_driver(DRIVER_VC4);
		require_faults(drm_fd);
	}
	for (kind = kinds; kind < kinds + ARRAY_SIZE(kinds); kind++) {
		igt_describe_f("%s under load", kind->name);
		igt_subtest_f("%s", kind->name)
			strikes(drm_fd);
	}
	igt_describe("A V3D that does not come back keeps what its jobs held, and comes back");
	igt_subtest("reset-dead")
		reset_dead(drm_fd);
	v3dcl_fixture()
		drm_close_driver(drm_fd);
}
