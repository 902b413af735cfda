// SPDX-License-Identifier: MIT
/*
 * QPU programs draw into the picture that is shown, and what they have drawn is seen, a half of
 * it after the other.
 */
#include "v3dcl_screen.h"

IGT_TEST_DESCRIPTION("A picture by QPU programs while it is seen");

#define STEP 16		/* pixels of a row at a time */
#define FRAMES 3

/* Where the rings of the two colours have their centres */
struct centres {
	int x[2], y[2];
};

static struct centres centres_of(int frame)
{
	return (struct centres){ .x = { 160 + 80 * frame, 480 - 80 * frame },
				 .y = { 240, 200 + 30 * frame } };
}

/* The squares of the distances, as far as a colour has room for them, and their difference */
static uint32_t ring_pixel(const struct centres *centres, int x, int y)
{
	uint32_t d[2];

	for (unsigned int i = 0; i < 2; i++)
		d[i] = (x - centres->x[i]) * (x - centres->x[i]) +
		       (y - centres->y[i]) * (y - centres->y[i]);
	return (d[0] >> 4 & 0xff) | (d[1] >> 4 & 0xff) << 8 | ((d[0] ^ d[1]) >> 6 & 0xff) << 16;
}

/*
 * r0 becomes 16 of these. ra1, ra2: x of each element from the centres; ra4, ra5: squares of y;
 * rb5: 255. mul24 leaves what is above 24 bits wrong where x is negative; no colour has these.
 */
static void emit_rings(struct qb *b)
{
	qb_emit(b, qb_mul(V3D_QPU_MUL_MUL24, QB_R0, QB_RA(1), QB_RA(1)));
	qb_emit(b, qb_mul(V3D_QPU_MUL_MUL24, QB_R1, QB_RA(2), QB_RA(2)));
	qb_emit(b, qb_add(V3D_QPU_ADD_ADD, QB_R0, QB_R0, QB_RA(4)));
	qb_emit(b, qb_add(V3D_QPU_ADD_ADD, QB_R1, QB_R1, QB_RA(5)));
	qb_emit(b, qb_add(V3D_QPU_ADD_XOR, QB_R2, QB_R0, QB_R1));
	qb_emit(b, qb_add(V3D_QPU_ADD_SHR, QB_R0, QB_R0, qb_imm(4)));
	qb_emit(b, qb_add(V3D_QPU_ADD_AND, QB_R0, QB_R0, QB_RB(5)));
	qb_emit(b, qb_add(V3D_QPU_ADD_SHR, QB_R1, QB_R1, qb_imm(4)));
	qb_emit(b, qb_add(V3D_QPU_ADD_AND, QB_R1, QB_R1, QB_RB(5)));
	qb_emit(b, qb_add(V3D_QPU_ADD_SHR, QB_R2, QB_R2, qb_imm(6)));
	qb_emit(b, qb_add(V3D_QPU_ADD_AND, QB_R2, QB_R2, QB_RB(5)));
	qb_emit(b, qb_add(V3D_QPU_ADD_SHL, QB_R2, QB_R2, qb_imm(8)));
	qb_emit(b, qb_add(V3D_QPU_ADD_OR, QB_R1, QB_R1, QB_R2));
	qb_emit(b, qb_add(V3D_QPU_ADD_SHL, QB_R1, QB_R1, qb_imm(8)));
	qb_emit(b, qb_add(V3D_QPU_ADD_OR, QB_R0, QB_R0, QB_R1));
}

/*
 * A row. Uniforms: x of its first pixel from each centre, steps, squares of y from each, address.
 * ra0: address; ra3: steps to go; rb0: bytes from there, at most rb1; rb4: bytes of a step.
 */
static uint32_t program_row(const struct pipe *pipe)
{
	uint64_t code[64];
	uint32_t top;
	struct qb b;

	qb_init(&b, code, ARRAY_SIZE(code));
	qb_emit(&b, qb_mov(QB_R1, QB_ELEMENT));
	qb_emit(&b, qb_add(V3D_QPU_ADD_ADD, QB_RA(1), QB_R1, QB_UNIF));
	qb_emit(&b, qb_add(V3D_QPU_ADD_ADD, QB_RA(2), QB_R1, QB_UNIF));
	qb_emit(&b, qb_mov(QB_RA(3), QB_UNIF));
	qb_emit(&b, qb_mov(QB_RA(4), QB_UNIF));
	qb_emit(&b, qb_mov(QB_RA(5), QB_UNIF));
	qb_emit(&b, qb_mov(QB_RA(0), QB_UNIF));
	qb_emit(&b, qb_mov(QB_RB(0), qb_imm(0)));
	qb_emit(&b, qb_ldi(QB_RB(1), 4 * (pipe->mode.hdisplay - STEP)));
	qb_emit(&b, qb_ldi(QB_RB(4), 4 * STEP));
	qb_emit(&b, qb_ldi(QB_RB(5), 0xff));
	top = qb_here(&b);
	emit_rings(&b);
	qb_mutex_lock(&b);
	qb_write_row(&b, 0, QB_R0);
	/* An offset that is clamped can be verified */
	qb_emit(&b, qb_mov(QB_R1, QB_RB(0)));
	qb_emit(&b, qb_add(V3D_QPU_ADD_MAX, QB_R1, QB_R1, qb_imm(0)));
	qb_emit(&b, qb_add(V3D_QPU_ADD_MIN, QB_R1, QB_R1, QB_RB(1)));
	qb_emit(&b, qb_add(V3D_QPU_ADD_ADD, QB_R1, QB_R1, QB_RA(0)));
	qb_store_rows(&b, 0, 1, QB_R1);
	qb_mutex_unlock(&b);
	qb_emit(&b, qb_mov(QB_R0, QB_RB(4)));
	qb_emit(&b, qb_add(V3D_QPU_ADD_ADD, QB_RB(0), QB_R0, QB_RB(0)));
	qb_emit(&b, qb_ldi(QB_R0, STEP));
	qb_emit(&b, qb_add(V3D_QPU_ADD_ADD, QB_RA(1), QB_R0, QB_RA(1)));
	qb_emit(&b, qb_add(V3D_QPU_ADD_ADD, QB_RA(2), QB_R0, QB_RA(2)));
	qb_count_down(&b, QB_RA(3), top);
	qb_host_int(&b);
	qb_end(&b);
	return program_create(pipe->fd, &b);
}

/* Rows from first on are drawn by a program each, and told to have changed while these run */
static void draw_rows(const struct pipe *pipe, uint32_t program, const struct picture *picture,
		      const struct centres *centres, int first, int end)
{
	const struct bo bo = { .handle = picture->handle, .size = picture->size };
	struct drm_clip_rect clip = { .x2 = picture->width, .y1 = first, .y2 = end };
	struct drm_mode_fb_dirty_cmd dirty = { .fb_id = picture->fb, .num_clips = 1,
					       .clips_ptr = (uintptr_t)&clip };
	uint32_t sync = sync_create(pipe->fd);
	struct job *job = job_new();
	int y, i, from;

	for (y = first; y < end; y++) {
		job_run(job, program);
		job_uniform(job, -centres->x[0]);
		job_uniform(job, -centres->x[1]);
		job_uniform(job, picture->width / STEP);
		for (i = 0; i < 2; i++) {
			from = y - centres->y[i];
			job_uniform(job, from * from);
		}
		job_writes(job, &bo, y * picture->pitch);
	}
	job->submit.timeout_ns = v3dcl_param(pipe->fd, DRM_V3DCL_PARAM_MAX_TIMEOUT_NS);
	job_out(job, sync, 0);
	job_submit(pipe->fd, job);
	do_ioctl(pipe->fd, DRM_IOCTL_MODE_DIRTYFB, &dirty);
	igt_assert_eq(sync_result(pipe->fd, sync), 1);
	sync_destroy(pipe->fd, sync);
	free(job);
}

static void expect_rings(const struct pipe *pipe, const struct centres *centres)
{
	uint32_t *want = malloc(4 * pixels_of(pipe));
	int x, y;

	igt_assert(want);
	for (y = 0; y < pipe->mode.vdisplay; y++)
		for (x = 0; x < pipe->mode.hdisplay; x++)
			want[y * pipe->mode.hdisplay + x] = ring_pixel(centres, x, y);
	expect_pixels(pipe, want);
	free(want);
}

static void qpu_rings(const struct pipe *pipe)
{
	int frame, half = pipe->mode.vdisplay / 2;
	uint32_t program = program_row(pipe);
	struct picture picture;

	igt_assert_eq(pipe->mode.hdisplay % STEP, 0);
	new_picture(pipe, &picture, DRM_FORMAT_XRGB8888);
	add_picture(pipe, &picture);
	show(pipe, &picture);
	for (frame = 0; frame < FRAMES; frame++) {
		struct centres centres = centres_of(frame);

		draw_rows(pipe, program, &picture, &centres, 0, half);
		draw_rows(pipe, program, &picture, &centres, half, pipe->mode.vdisplay);
		expect_rings(pipe, &centres);
	}
	switch_off(pipe);
	free_picture(pipe, &picture);
	gem_close(pipe->fd, program);
}

v3dcl_main()
{
	static struct pipe pipe;

	v3dcl_fixture() {
		screen_require();
		open_pipe(&pipe);
	}

	igt_describe("Rings that move, each row by a program of its own");
	igt_subtest("qpu-rings")
		qpu_rings(&pipe);

	v3dcl_fixture()
		close(pipe.fd);
}
