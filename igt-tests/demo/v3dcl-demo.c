// SPDX-License-Identifier: MIT
/*
 * What the V3D can do, as pictures: clears through render lists in several formats, and a
 * Mandelbrot set computed by QPU programs. Writes PNGs to a folder and says how it went as TAP.
 * Looks at every pixel before it says so.
 *
 *	v3dcl-demo FOLDER
 */
#include <math.h>

#include "../v3dcl_igt.h"
#include "../kselftest/kselftest.h"
#include "v3dcl_png.h"

#define WIDTH 512
#define HEIGHT 384
#define LIMIT 60		/* iterations */

static char path[4096];

static const char *in_folder(const char *folder, const char *name)
{
	snprintf(path, sizeof(path), "%s/%s", folder, name);
	return path;
}

/* Five or six bits as eight */
static uint32_t widen(uint32_t bgr565)
{
	uint32_t r = bgr565 >> 11, g = bgr565 >> 5 & 63, b = bgr565 & 31;

	return (r << 3 | r >> 2) | (g << 2 | g >> 4) << 8 | (b << 3 | b >> 2) << 16 | 0xffu << 24;
}

/* A patchwork: each tile of 64 x 64 pixels is a job of its own, the colours a gradient */
static bool clear_patches(int fd, uint32_t *picture, unsigned int frame_pixel)
{
	unsigned int cpp = frame_pixel == V3D_FRAME_RGBA8888 ? 4 : 2, x, y;
	struct bo bo = bo_create(fd, WIDTH * HEIGHT * cpp);
	const uint16_t *half = (const uint16_t *)bo.map;
	uint32_t color = 0;
	bool good = true;
	struct render *r;

	for (y = 0; y < HEIGHT / 64; y++) {
		for (x = 0; x < WIDTH / 64; x++) {
			r = render_new(WIDTH, HEIGHT);
			color = widen((x * 4 + 3) << 11 | (y * 10 + 13) << 5 | (31 - 3 * x));
			render_clear(r, color, 0, 0);
			r->submit.min_x_tile = x;
			r->submit.max_x_tile = x;
			r->submit.min_y_tile = y;
			r->submit.max_y_tile = y;
			render_surface(r, &r->submit.color_write, bo.handle, 0,
				       RENDER_PIXEL(frame_pixel));
			render_submit(fd, r);
			free(r);
		}
	}
	good = !bo_wait(fd, bo.handle, LONG_WAIT);
	for (y = 0; y < HEIGHT; y++) {
		for (x = 0; x < WIDTH; x++) {
			picture[y * WIDTH + x] = cpp == 4 ? bo.map[y * WIDTH + x] :
							    widen(half[y * WIDTH + x]);
			color = widen((x / 64 * 4 + 3) << 11 | (y / 64 * 10 + 13) << 5 |
				      (31 - 3 * (x / 64)));
			good &= frame_pixel == V3D_FRAME_BGR565_DITHERED ||
				picture[y * WIDTH + x] == color;
		}
	}
	bo_destroy(fd, &bo);
	return good;
}

/*
 * One row of the set, 16 points at a time. Uniforms: VPM write set-up, VDW set-up, first x, step
 * times 16, steps, y, then the address of the row. ra0 address, ra1 x, ra2 16 steps, ra3 groups to
 * go, ra4 y, ra5 zx, ra6 zy; r0 to r3 scratch. rb0 VPM set-up, rb1 VDW set-up, rb2 iterations of
 * each point, rb3 4.0, rb4 64.
 */
static void emit_iteration(struct qb *b)
{
	uint32_t top;

	qb_emit(b, qb_mov(QB_RA(5), qb_imm(0)));
	qb_emit(b, qb_mov(QB_RA(6), qb_imm(0)));
	qb_emit(b, qb_mov(QB_RB(2), qb_imm(0)));
	qb_emit(b, qb_ldi(QB_RB(5), LIMIT));
	qb_nops(b, 1);
	top = qb_here(b);
	/* r0 = zx * zx, r1 = zy * zy, r2 = zx * zy */
	qb_emit(b, qb_mov(QB_R3, QB_RA(6)));
	qb_emit(b, qb_mul(V3D_QPU_MUL_FMUL, QB_R0, QB_RA(5), QB_RA(5)));
	qb_emit(b, qb_mul(V3D_QPU_MUL_FMUL, QB_R1, QB_R3, QB_R3));
	qb_emit(b, qb_mul(V3D_QPU_MUL_FMUL, QB_R2, QB_RA(5), QB_R3));
	/*
	 * Elements still inside, |z|^2 < 4, count one more and go on; the others stay as they are
	 */
	qb_emit(b, qb_add(V3D_QPU_ADD_FADD, QB_R3, QB_R0, QB_R1));
	qb_emit(b, qb_flags(qb_add(V3D_QPU_ADD_FSUB, QB_NONE, QB_R3, QB_RB(3))));
	qb_emit(b, qb_mov(QB_R3, QB_RB(2)));
	qb_emit(b, qb_if(V3D_QPU_COND_NS, qb_add(V3D_QPU_ADD_ADD, QB_RB(2), QB_R3, qb_imm(1))));
	qb_emit(b, qb_add(V3D_QPU_ADD_FSUB, QB_R0, QB_R0, QB_R1));
	qb_emit(b, qb_add(V3D_QPU_ADD_FADD, QB_R2, QB_R2, QB_R2));
	qb_emit(b, qb_if(V3D_QPU_COND_NS, qb_add(V3D_QPU_ADD_FADD, QB_RA(5), QB_R0, QB_RA(1))));
	qb_emit(b, qb_if(V3D_QPU_COND_NS, qb_add(V3D_QPU_ADD_FADD, QB_RA(6), QB_R2, QB_RA(4))));
	qb_emit(b, qb_mov(QB_R3, QB_RB(5)));
	qb_emit(b, qb_flags(qb_add(V3D_QPU_ADD_SUB, QB_RB(5), QB_R3, qb_imm(1))));
	qb_branch_to(b, V3D_QPU_BRANCH_ALL_ZC, top);
	qb_nops(b, 3);
}

/*
 * 16 counts go to the picture's row by way of VPM row 0, which the mutex keeps; an offset that is
 * clamped can be verified
 */
static void emit_store(struct qb *b)
{
	qb_mutex_lock(b);
	qb_write_row(b, 0, QB_RB(2));
	qb_emit(b, qb_mov(QB_R1, QB_RB(0)));
	qb_emit(b, qb_add(V3D_QPU_ADD_MAX, QB_R1, QB_R1, qb_imm(0)));
	qb_emit(b, qb_add(V3D_QPU_ADD_MIN, QB_R1, QB_R1, QB_RB(1)));
	qb_emit(b, qb_add(V3D_QPU_ADD_ADD, QB_R1, QB_R1, QB_RA(0)));
	qb_store_rows(b, 0, 1, QB_R1);
	qb_mutex_unlock(b);
}

static uint32_t program_mandelbrot(int fd)
{
	uint64_t code[128];
	uint32_t top;
	struct qb b;

	qb_init(&b, code, 128);
	qb_emit(&b, qb_mov(QB_RB(0), qb_imm(0)));
	qb_emit(&b, qb_ldi(QB_RB(1), 4 * (WIDTH - 16)));
	/* x of element n: first + n * step, where step is a sixteenth of the next uniform */
	qb_emit(&b, qb_add(V3D_QPU_ADD_ITOF, QB_R1, QB_ELEMENT, QB_ELEMENT));
	qb_emit(&b, qb_mov(QB_R0, QB_UNIF));
	qb_emit(&b, qb_mov(QB_R2, QB_UNIF));
	qb_emit(&b, qb_mul(V3D_QPU_MUL_FMUL, QB_R1, QB_R1, QB_R2));
	qb_emit(&b, qb_mov(QB_RA(2), QB_R2));
	qb_emit(&b, qb_mul(V3D_QPU_MUL_FMUL, QB_R1, QB_R1, qb_imm_float(-4)));
	qb_emit(&b, qb_add(V3D_QPU_ADD_FADD, QB_RA(1), QB_R0, QB_R1));
	qb_emit(&b, qb_mov(QB_RA(3), QB_UNIF));
	qb_emit(&b, qb_mov(QB_RA(4), QB_UNIF));
	qb_emit(&b, qb_mov(QB_RA(0), QB_UNIF));
	qb_emit(&b, qb_ldi(QB_RB(3), 0x40800000));
	qb_emit(&b, qb_ldi(QB_RB(4), 64));
	top = qb_here(&b);
	emit_iteration(&b);
	emit_store(&b);
	qb_emit(&b, qb_mov(QB_R0, QB_RB(4)));
	qb_emit(&b, qb_add(V3D_QPU_ADD_ADD, QB_RB(0), QB_R0, QB_RB(0)));
	qb_emit(&b, qb_mov(QB_R0, QB_RA(2)));
	qb_emit(&b, qb_add(V3D_QPU_ADD_FADD, QB_RA(1), QB_RA(1), QB_R0));
	qb_count_down(&b, QB_RA(3), top);
	qb_host_int(&b);
	qb_end(&b);
	return program_create(fd, &b);
}

static uint32_t float_bits(float value)
{
	uint32_t bits;

	memcpy(&bits, &value, 4);
	return bits;
}

#define LEFT -2.25f
#define TOP -1.3125f
#define STEP 0.0068359375f	/* 7 / 1024 */

/*
 * A result as the QPU has it, which truncates (HW), of one in double precision and what that lacks.
 * Not all processors can be told to truncate: ARMv6 without an FPU can't.
 */
static float truncated(double value, double rest)
{
	const float result = (float)value;

	if (fabs(result) > fabs(value) || (result == value && rest * value < 0))
		return nextafterf(result, 0);
	return result;
}

/* Exact: 48 bits */
static float multiplied(float a, float b) { return truncated((double)a * b, 0); }

/* What a sum lacks is exact (Knuth, The Art of Computer Programming 2, 4.2.2, theorem B) */
static float added(float a, float b)
{
	const double sum = (double)a + b, of_b = sum - a, of_a = sum - of_b;

	return truncated(sum, (a - of_a) + (b - of_b));
}

/* The same on the CPU: all points must agree */
static unsigned int iterations(float cx, float cy)
{
	float x = 0, y = 0, x2, y2;
	unsigned int n;

	for (n = 0; n < LIMIT; n++) {
		x2 = multiplied(x, x);
		y2 = multiplied(y, y);
		if (added(x2, y2) >= 4)
			break;
		y = added(2 * multiplied(x, y), cy);
		x = added(added(x2, -y2), cx);
	}
	return n;
}

static uint32_t color_of(unsigned int n)
{
	uint32_t r = n * 9 < 255 ? n * 9 : 255, g = n * n / 6 < 255 ? n * n / 6 : 255,
		 b = n * 4 + 15;

	return n >= LIMIT ? 0 : r | g << 8 | b << 16;
}

#define ROWS_A_JOB 192

/* A program a row */
static void mandelbrot_rows(int fd, uint32_t program, const struct bo *bo, unsigned int first)
{
	struct job *job = job_new();
	unsigned int row;

	for (row = first; row < first + ROWS_A_JOB; row++) {
		job_run(job, program);
		job_uniform(job, float_bits(LEFT));
		job_uniform(job, float_bits(STEP * 16));
		job_uniform(job, WIDTH / 16);
		job_uniform(job, float_bits(TOP + row * STEP));
		job_writes(job, bo, row * WIDTH * 4);
	}
	job->submit.timeout_ns = v3dcl_param(fd, DRM_V3DCL_PARAM_MAX_TIMEOUT_NS);
	job_finish(fd, job);
}

/* All rows; true if all points are those of the CPU */
static bool mandelbrot(int fd, uint32_t *picture)
{
	struct bo bo = bo_create(fd, WIDTH * HEIGHT * 4);
	uint32_t program = program_mandelbrot(fd);
	unsigned int row, x, differ = 0;

	for (row = 0; row < HEIGHT; row += ROWS_A_JOB)
		mandelbrot_rows(fd, program, &bo, row);
	for (row = 0; row < HEIGHT; row++) {
		for (x = 0; x < WIDTH; x++) {
			unsigned int n = bo.map[row * WIDTH + x];

			picture[row * WIDTH + x] = color_of(n);
			differ += n != iterations(LEFT + x * STEP, TOP + row * STEP);
		}
	}
	ksft_print_msg("%u of %u points differ from the CPU's\n", differ, WIDTH * HEIGHT);
	gem_close(fd, program);
	bo_destroy(fd, &bo);
	return !differ;
}

int main(int argc, char **argv)
{
	static const char *const names[] = { "clear-bgr565-dithered.png", "clear-rgba8888.png",
					     "clear-bgr565.png" };
	static uint32_t picture[WIDTH * HEIGHT];
	unsigned int pixel;
	bool good;
	int fd;

	if (argc != 2) {
		fprintf(stderr, "Usage: %s FOLDER\n", argv[0]);
		return 2;
	}
	igt.program = "v3dcl-demo";
	igt.pid = getpid();
	ksft_print_header();
	fd = igt_open_node("renderD", 128, 16);
	ksft_test_result(fd >= 0, "a render node of a driver called vc4 opens\n");
	if (fd < 0)
		return ksft_finished();
	for (pixel = 0; pixel < ARRAY_SIZE(names); pixel++) {
		good = clear_patches(fd, picture, pixel);
		good &= png_write(in_folder(argv[1], names[pixel]), picture, WIDTH, HEIGHT);
		ksft_test_result(good, "%s\n", names[pixel]);
	}
	good = mandelbrot(fd, picture);
	good &= png_write(in_folder(argv[1], "mandelbrot.png"), picture, WIDTH, HEIGHT);
	ksft_test_result(good, "mandelbrot.png\n");
	close(fd);
	return ksft_finished();
}
