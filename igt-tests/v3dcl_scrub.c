// SPDX-License-Identifier: MIT
/*
 * Residue, which shaders must not see: what another file's programs and shaders have left in the
 * QPUs' registers. A shader may read a register that it has written under a condition only, as
 * those of compilers do; here it is written in no element at all, so that the shader shows whatever
 * is there.
 */
#include <sys/prctl.h>

#include "v3dcl_drawing.h"

IGT_TEST_DESCRIPTION("Shaders of two files: no residue of the other is seen");

#define SECRET 0x5ec2e700u
#define SIZE 64				/* of pictures: one tile */
#define ROUNDS 40

/* The registers that are filled and shown */
static const uint16_t kept[] = { QB_RA(5), QB_RB(7), QB_RA(20), QB_RB(30), QB_R2 };

static void emit_fill(struct qb *b)
{
	unsigned int n;

	for (n = 0; n < ARRAY_SIZE(kept); n++)
		qb_emit(b, qb_ldi(kept[n], SECRET));
}

/*
 * For one QPU; they wait for each other, so that there is one on each. The first one counts them.
 */
static uint32_t program_fill(int fd, unsigned int qpus, bool first)
{
	unsigned int times = first ? qpus - 1 : 1, n;
	uint64_t code[64];
	struct qb b;

	qb_init(&b, code, ARRAY_SIZE(code));
	for (n = 0; n < times; n++)
		qb_emit(&b, first ? qb_sema_down(3) : qb_sema_up(3));
	for (n = 0; n < times; n++)
		qb_emit(&b, first ? qb_sema_up(4) : qb_sema_down(4));
	emit_fill(&b);
	qb_end(&b);
	return program_create(fd, &b);
}

/* Its colour, and the secret in registers */
static uint32_t shader_fill(int fd)
{
	uint64_t code[32];
	struct qb b;

	qb_init(&b, code, ARRAY_SIZE(code));
	qb_emit(&b, qb_mov(QB_R0, QB_UNIF));
	emit_fill(&b);
	qb_end_color(&b, QB_R0);
	return shader_create(fd, &b);
}

/* All that was in the registers, as a colour */
static uint32_t shader_show(int fd)
{
	uint64_t code[64];
	unsigned int n;
	struct qb b;

	qb_init(&b, code, ARRAY_SIZE(code));
	qb_emit(&b, qb_mov(QB_R0, QB_UNIF));
	qb_emit(&b, qb_flags(qb_mov(QB_R0, qb_imm(0))));
	for (n = 0; n < ARRAY_SIZE(kept); n++)
		qb_emit(&b, qb_if(V3D_QPU_COND_ZC, qb_ldi(kept[n], 0)));
	qb_nops(&b, 1);
	for (n = 0; n < ARRAY_SIZE(kept); n++)
		qb_emit(&b, qb_add(V3D_QPU_ADD_OR, QB_R0, QB_R0, kept[n]));
	qb_end_color(&b, QB_R0);
	return shader_create(fd, &b);
}

/* A file, its programs that fill all QPUs, and a frame of one triangle over the whole picture */
struct client {
	int fd;
	struct job *fill;
	struct scene *scene;
};

static struct client *client_new(int fd, uint32_t (*fragment_shader)(int fd))
{
	struct client *client = calloc(1, sizeof(*client));
	unsigned int qpus = v3dcl_param(fd, DRM_V3DCL_PARAM_QPUS), n;

	igt_assert(client);
	client->fd = fd;
	client->fill = job_new();
	job_run(client->fill, program_fill(fd, qpus, true));
	for (n = 1; n < qpus; n++)
		job_run(client->fill, program_fill(fd, qpus, false));
	client->scene = scene_new(fd, fragment_shader(fd), SIZE, 2 * SIZE);
	return client;
}

static struct client *client_open(uint32_t (*fragment_shader)(int fd))
{
	return client_new(drm_open_driver(DRIVER_VC4), fragment_shader);
}

static void client_free(struct client *client)
{
	unsigned int n;

	for (n = 0; n < client->fill->submit.program_count; n++)
		gem_close(client->fd, client->fill->programs[n].handle);
	free(client->fill);
	scene_free(client->scene);
	free(client);
}

static void client_close(struct client *client)
{
	int fd = client->fd;

	client_free(client);
	drm_close_driver(fd);
}

static void fill(struct client *client)
{
	job_submit(client->fd, client->fill);
}

static void wait_for(struct client *client, uint64_t seqno)
{
	igt_assert_eq(seqno_wait(client->fd, seqno, LONG_WAIT), 0);
}

static void fill_and_wait(struct client *client)
{
	fill(client);
	wait_for(client, client->fill->submit.seqno);
}

static void draw(struct client *client)
{
	memset(client->scene->target.map, 0xee, client->scene->target.size);
	wait_for(client, render_submit(client->fd, client->scene->frame->r));
}

/* Every pixel of the picture is this */
static void expect(struct client *client, uint32_t color)
{
	unsigned int i;

	draw(client);
	for (i = 0; i < SIZE * SIZE; i++)
		igt_assert_eq_u32(client->scene->target.map[i], color);
}

static void programs(int fd)
{
	struct client *filler = client_new(fd, shader_fill), *looker = client_open(shader_show);

	fill_and_wait(filler);
	expect(looker, 0);
	fill_and_wait(filler);
	expect(looker, 0);
	client_close(looker);
	client_free(filler);
}

static void frames(int fd)
{
	struct client *filler = client_new(fd, shader_fill), *looker = client_open(shader_show);

	expect(filler, COLOR);
	expect(looker, 0);
	expect(filler, COLOR);
	expect(looker, 0);
	client_close(looker);
	client_free(filler);
}

/* Three files, one of which neither fills nor looks, in all orders */
static void among_others(int fd)
{
	struct client *filler = client_new(fd, shader_fill), *looker = client_open(shader_show);
	struct client *other = client_open(shader_color);

	expect(looker, 0);
	expect(other, COLOR);
	fill_and_wait(filler);
	expect(other, COLOR);
	expect(looker, 0);
	expect(other, COLOR);
	expect(looker, 0);
	client_close(other);
	client_close(looker);
	client_free(filler);
}

/*
 * Programs hold physical addresses, which is why those of its own file are not seen either. What
 * its own shaders leave may be seen: where the simulator keeps registers from job to job, it is, or
 * all other tests would say nothing
 */
static void own(int fd)
{
	struct client *looker = client_open(shader_show);
	struct scene *own = scene_new(looker->fd, shader_fill(looker->fd), SIZE, 2 * SIZE);

	(void)fd;
	expect(looker, 0);
	fill_and_wait(looker);
	expect(looker, 0);
	wait_for(looker, render_submit(looker->fd, own->frame->r));
	draw(looker);
	igt_info("of its own, a shader sees %08x\n", looker->scene->target.map[0]);
	igt_assert(!looker->scene->target.map[0] || looker->scene->target.map[0] == SECRET);
	scene_free(own);
	client_close(looker);
}

/*
 * While the other file's programs and frames run, as many as there can be, until the looker has
 * seen enough
 */
static void keep_filling(void)
{
	struct client *filler;
	unsigned int n;

	/* Also when the looker fails */
	igt_assert(!prctl(PR_SET_PDEATHSIG, SIGKILL));
	filler = client_open(shader_fill);
	for (;;) {
		for (n = 0; n < 4; n++) {
			fill(filler);
			render_submit(filler->fd, filler->scene->frame->r);
		}
		wait_for(filler, filler->fill->submit.seqno);
	}
}

static void beside_others(int fd)
{
	struct client *looker = client_open(shader_show);
	pid_t pid = fork();
	unsigned int n;

	(void)fd;
	igt_assert(pid >= 0);
	if (!pid) {
		keep_filling();
		_exit(0);
	}
	for (n = 0; n < ROUNDS; n++)
		expect(looker, 0);
	igt_assert(!kill(pid, SIGKILL));
	igt_assert_eq(waitpid(pid, NULL, 0), pid);
	client_close(looker);
}

/* A reset is not taken to clear anything */
static void after_hang(int fd)
{
	struct client *filler = client_new(fd, shader_fill), *looker = client_open(shader_show);
	uint32_t sync = sync_create(fd), endless = program_endless(fd);
	struct job *job = job_new();

	fill(filler);
	job_run(job, endless);
	job->submit.timeout_ns = 50000000;
	job_out(job, sync, 0);
	job_submit(fd, job);
	expect(looker, 0);
	igt_assert_eq(sync_result(fd, sync), -ETIMEDOUT);
	free(job);
	gem_close(fd, endless);
	sync_destroy(fd, sync);
	client_close(looker);
	client_free(filler);
}

static int queues = -1;		/* of debugfs, opened by root */

static unsigned long long scrubs(void)
{
	static const char before[] = "QPU registers: scrubbed ";
	char text[4096] = "", *at;

	igt_require_f(queues >= 0, "no debugfs\n");
	igt_assert_lt(0, pread(queues, text, sizeof(text) - 1, 0));
	at = strstr(text, before);
	igt_assert(at);
	return strtoull(at + strlen(before), NULL, 10);
}

/* Who is alone pays nothing; changing hands costs a scrub, and only for who could see something */
static void counted(int fd)
{
	struct client *looker = client_new(fd, shader_show), *other = client_open(shader_color);
	unsigned long long start;
	unsigned int n;

	expect(looker, 0);
	start = scrubs();
	for (n = 0; n < 10; n++)
		draw(looker);
	igt_assert_eq_u64(scrubs(), start);
	for (n = 0; n < 10; n++)
		expect(other, COLOR);
	igt_assert_eq_u64(scrubs(), start);
	expect(looker, 0);
	igt_assert_eq_u64(scrubs(), start + 1);
	client_close(other);
	client_free(looker);
}

static void require_all(int fd)
{
	queues = igt_debugfs_open(fd, "v3d_queues", O_RDONLY);
	require_user(fd);
}

static const struct subtest tests[] = {
	{ "programs", programs, "Registers that another file's programs filled" },
	{ "frames", frames, "Registers that another file's shaders filled" },
	{ "among-others", among_others, "A third file in between" },
	{ "own", own, "Registers that its own programs and shaders filled" },
	{ "beside-others", beside_others, "While another file's programs and shaders run" },
	{ "after-hang", after_hang, "After a reset" },
	{ "counted", counted, "How often the registers are scrubbed" },
};

V3DCL_MAIN(tests, require_all)
