// SPDX-License-Identifier: MIT
/*
 * Jobs that draw: vertices through the shaders of a GL shader record, tile lists that take more
 * memory than a frame begins with, and shaders that never end.
 *
 * Vertices come shaded: the shaders only hand on what the attributes hold, so that every pixel can
 * be told beforehand.
 */
#include <sys/resource.h>

#include "v3dcl_drawing.h"

IGT_TEST_DESCRIPTION("Jobs that draw: pixels, binner overspill, hangs in shaders");

/*
 * Of one draw: at most 65535 (HW). A tile's list is one record, as far as its address says, so it
 * must not hold so much that it looks like a hang on a machine that has little time for it.
 */
#define VERTICES 24000

/*
 * The triangle with the corners (16, 16), (112, 16), (16, 112): AG100 has no fill rule, so pixels
 * on the long edge are left out
 */
static void triangle(int fd)
{
	struct bo target = bo_create(fd, 128 * 128 * 4), vertices = bo_create(fd, 4096);
	struct vertex *v = (struct vertex *)vertices.map;
	unsigned int x, y;
	uint32_t shaders[DRAWING_SHADERS];

	make_shaders(fd, shaders);
	v[0] = vertex_at(16, 16);
	v[1] = vertex_at(112, 16);
	v[2] = vertex_at(16, 112);
	igt_assert_eq(drawing_finish(fd, drawing_new(shaders, &target, 128, 128, &vertices, 3)), 1);
	for (y = 0; y < 128; y++) {
		for (x = 0; x < 128; x++) {
			if (x + y != 127)
				igt_assert_eq_u32(target.map[y * 128 + x],
						  x >= 16 && y >= 16 && x + y < 127 ? COLOR :
										      BACKGROUND);
		}
	}
	drop_shaders(fd, shaders);
	bo_destroy(fd, &vertices);
	bo_destroy(fd, &target);
}

/*
 * Tile lists of half a MiB: memory comes chunk by chunk while the binner waits, and every primitive
 * arrives
 */
static void overspill(int fd)
{
	struct bo target = bo_create(fd, 512 * 512 * 4),
		  vertices = many_triangles(fd, VERTICES, 512);
	unsigned long long before;
	uint32_t shaders[DRAWING_SHADERS];

	make_shaders(fd, shaders);
	before = debugfs_number(fd, "v3d_queues", "overspills ");
	igt_assert_eq(drawing_finish(fd,
				     drawing_new(shaders, &target, 512, 512, &vertices, VERTICES)),
		      1);
	expect_filled(&target, COLOR);
	igt_assert(debugfs_number(fd, "v3d_queues", "overspills ") > before);
	drop_shaders(fd, shaders);
	bo_destroy(fd, &vertices);
	bo_destroy(fd, &target);
}

/* Return: what it was; 0 on a device that is no module's, where nothing is set */
static unsigned int binner_kib(unsigned int kib)
{
	FILE *file = fopen("/sys/module/bcm2835_v3d/parameters/binner_kib", "r+");
	unsigned int before = 0;

	if (!file)
		return 0;
	igt_assert_eq(fscanf(file, "%u", &before), 1);
	rewind(file);
	igt_assert(fprintf(file, "%u", kib) > 0);
	igt_assert_eq(fclose(file), 0);
	return before;
}

#define CLIENTS 4
#define FRAMES 4	/* of each */

/*
 * Frames of four files that overspill, and memory for about one of them: the binner waits for what
 * frames before give back, and no frame is lost
 */
static void overspill_shared(int fd)
{
	struct bo targets[CLIENTS], vertices[CLIENTS];
	int files[CLIENTS];
	uint32_t shaders[DRAWING_SHADERS], syncs[CLIENTS][FRAMES];
	const unsigned int before = binner_kib(1024);

	(void)fd;
	for (unsigned int c = 0; c < CLIENTS; c++) {
		files[c] = drm_open_driver(DRIVER_VC4);
		targets[c] = bo_create(files[c], 512 * 512 * 4);
		vertices[c] = many_triangles(files[c], VERTICES, 512);
	}
	for (unsigned int i = 0; i < CLIENTS * FRAMES; i++) {
		const unsigned int c = i % CLIENTS;

		make_shaders(files[c], shaders);
		syncs[c][i / CLIENTS] =
			drawing_submit(files[c], drawing_new(shaders, &targets[c], 512, 512,
							     &vertices[c], VERTICES));
		drop_shaders(files[c], shaders);
	}
	for (unsigned int c = 0; c < CLIENTS; c++) {
		for (unsigned int frame = 0; frame < FRAMES; frame++)
			igt_assert_eq(sync_result(files[c], syncs[c][frame]), 1);
		expect_filled(&targets[c], COLOR);
		igt_assert_eq_u64(v3dcl_param(files[c], DRM_V3DCL_PARAM_GUILTY), 0);
		bo_destroy(files[c], &vertices[c]);
		bo_destroy(files[c], &targets[c]);
		drm_close_driver(files[c]);
	}
	if (before)
		binner_kib(before);
}

/* A frame in which this shader never ends. Return: the syncobj that its fence is in */
static uint32_t submit_endless(int fd, enum drawing_shader which, const struct bo *target,
			       const struct bo *vertices)
{
	uint32_t shaders[DRAWING_SHADERS], sync;

	make_shaders(fd, shaders);
	gem_close(fd, shaders[which]);
	shaders[which] = shader_endless(fd, which);
	sync = drawing_submit(fd, drawing_new(shaders, target, 128, 128, vertices, 3));
	drop_shaders(fd, shaders);
	return sync;
}

/* A shader that never ends: its job ends with an error, the next client is not harmed */
static void check_endless(int fd, enum drawing_shader which)
{
	struct bo target = bo_create(fd, 128 * 128 * 4), vertices = many_triangles(fd, 3, 128);
	uint64_t guilty = v3dcl_param(fd, DRM_V3DCL_PARAM_GUILTY);
	uint32_t shaders[DRAWING_SHADERS], hung = submit_endless(fd, which, &target, &vertices);

	igt_assert_eq(sync_result(fd, hung), -ETIMEDOUT);
	igt_assert_eq_u64(v3dcl_param(fd, DRM_V3DCL_PARAM_GUILTY), guilty + 1);
	make_shaders(fd, shaders);
	igt_assert_eq(drawing_finish(fd, drawing_new(shaders, &target, 128, 128, &vertices, 3)), 1);
	expect_filled(&target, COLOR);
	sync_destroy(fd, hung);
	drop_shaders(fd, shaders);
	bo_destroy(fd, &vertices);
	bo_destroy(fd, &target);
}

static void endless_shader(int fd)
{
	check_endless(fd, DRAWING_FRAGMENT);
}

/* The same in the bin list's time */
static void endless_coordinates(int fd)
{
	check_endless(fd, DRAWING_COORDINATE);
}

/* The same while tiles are rendered */
static void endless_vertices(int fd)
{
	check_endless(fd, DRAWING_VERTEX);
}

#define WIDE 512
/*
 * In each of 8 programs a tile. A frame is to take longer than the hang beside it; where it does
 * not, it gets more to do.
 */
#define ROUNDS 200000
#define MOST_ROUNDS (64 * ROUNDS)

/*
 * A slow frame of this file, and beside it another file's program that never ends. Return: how the
 * frame ended
 */
static int draw_beside_hang(int fd, int other, const struct bo *target, bool load,
			    unsigned int rounds)
{
	int result;
	struct bo vertices = bo_create(fd, 4096);
	struct vertex *v = (struct vertex *)vertices.map;
	uint32_t shaders[DRAWING_SHADERS], sync = sync_create(fd), hung = sync_create(other);
	struct job *job = job_new();
	struct drawing *d;

	make_shaders_with(fd, shader_slow(fd, rounds), shaders);
	v[0] = vertex_at(0, 0);
	v[1] = vertex_at(2 * WIDE, 0);
	v[2] = vertex_at(0, 2);
	d = drawing_new(shaders, target, WIDE, 64, &vertices, 3);
	if (load)
		render_surface(d->r, &d->r->submit.color_read, target->handle, 0,
			       SURFACE(V3D_BUFFER_COLOR, V3D_RASTER, V3D_RGBA8888));
	d->r->submit.out_sync = sync;
	render_submit(fd, d->r);
	job_run(job, program_endless(other));
	job->submit.timeout_ns = 50000000;
	job_out(job, hung, 0);
	job_submit(other, job);
	result = sync_result(fd, sync);
	igt_assert_eq(sync_result(other, hung), -ETIMEDOUT);
	igt_assert_eq_u64(v3dcl_param(fd, DRM_V3DCL_PARAM_GUILTY), 0);
	free(job);
	drawing_free(d);
	sync_destroy(fd, sync);
	drop_shaders(fd, shaders);
	bo_destroy(fd, &vertices);
	return result;
}

/*
 * What an other's reset takes from the hardware and what gives the same again, runs again; its file
 * never knows
 */
static void innocent_again(int other)
{
	int fd = drm_open_driver(DRIVER_VC4);
	unsigned long long before = debugfs_number(fd, "v3d_queues", "jobs run again ");
	struct bo target = bo_create(fd, WIDE * 64 * 4);
	unsigned int x, rounds = ROUNDS;

	do {
		igt_assert_eq(draw_beside_hang(fd, other, &target, false, rounds), 1);
		rounds *= 2;
	} while (debugfs_number(fd, "v3d_queues", "jobs run again ") == before &&
		 rounds <= MOST_ROUNDS);
	for (x = 0; x < WIDE; x++) {
		igt_assert_eq_u32(target.map[x], COLOR);
		igt_assert_eq_u32(target.map[2 * WIDE + x], BACKGROUND);
	}
	igt_assert_eq_u64(v3dcl_param(fd, DRM_V3DCL_PARAM_INNOCENT), 0);
	igt_assert(debugfs_number(fd, "v3d_queues", "jobs run again ") > before);
	bo_destroy(fd, &target);
	drm_close_driver(fd);
}

/* A frame that loads what it stores may have stored some of it: it ends, and counts as innocent */
static void innocent_cancelled(int other)
{
	int fd = drm_open_driver(DRIVER_VC4);
	struct bo target = bo_create(fd, WIDE * 64 * 4);
	unsigned int rounds = ROUNDS;
	int result;

	do {
		result = draw_beside_hang(fd, other, &target, true, rounds);
		rounds *= 2;
	} while (result == 1 && rounds <= MOST_ROUNDS);
	igt_assert_eq(result, -ECANCELED);
	igt_assert_eq_u64(v3dcl_param(fd, DRM_V3DCL_PARAM_INNOCENT), 1);
	bo_destroy(fd, &target);
	drm_close_driver(fd);
}

/* A program of this file that stores, or a frame. Return: as submit_endless() */
static uint32_t submit_good(int fd, unsigned int n, const struct bo *words, const struct bo *target,
			    const struct bo *vertices)
{
	uint32_t shaders[DRAWING_SHADERS], store, sync;
	struct job *job;

	if (n % 2) {
		make_shaders(fd, shaders);
		sync = drawing_submit(fd, drawing_new(shaders, target, 128, 128, vertices, 3));
		drop_shaders(fd, shaders);
		return sync;
	}
	sync = sync_create(fd);
	store = program_store(fd);
	job = job_new();
	job_run_store(job, store, n, 10 * n, words, n * 64);
	job_out(job, sync, 0);
	job_submit(fd, job);
	free(job);
	gem_close(fd, store);
	return sync;
}

/*
 * Frames that hang in binning and in rendering, and around them another file's frames and programs,
 * which all end well
 */
static void others_go_on(int fd)
{
	int other = drm_open_driver(DRIVER_VC4);
	struct bo target = bo_create(fd, 128 * 128 * 4), vertices = many_triangles(fd, 3, 128),
		  words = bo_create(other, 4096);
	struct bo theirs = bo_create(other, 128 * 128 * 4), corners = many_triangles(other, 3, 128);
	uint32_t hung[2] = { 0 }, syncs[8];
	unsigned int i;

	for (i = 0; i < 8; i++) {
		if (i == 1)
			hung[0] = submit_endless(fd, DRAWING_COORDINATE, &target, &vertices);
		if (i == 4)
			hung[1] = submit_endless(fd, DRAWING_FRAGMENT, &target, &vertices);
		syncs[i] = submit_good(other, i, &words, &theirs, &corners);
	}
	for (i = 0; i < 8; i++)
		igt_assert_eq(sync_result(other, syncs[i]), 1);
	for (i = 0; i < 2; i++)
		igt_assert_eq(sync_result(fd, hung[i]), -ETIMEDOUT);
	for (i = 0; i < 8; i += 2)
		igt_assert_eq_u32(words.map[i * 16 + 1], 10 * i + 1);
	expect_filled(&theirs, COLOR);
	igt_assert_eq_u64(v3dcl_param(other, DRM_V3DCL_PARAM_GUILTY), 0);
	igt_assert_eq_u64(v3dcl_param(other, DRM_V3DCL_PARAM_INNOCENT), 0);
	drm_close_driver(other);
	bo_destroy(fd, &vertices);
	bo_destroy(fd, &target);
}

static const struct subtest tests[] = {
	{ "triangle", triangle, "A triangle, every pixel" },
	{ "overspill", overspill, "Tile lists that outgrow the memory that a frame begins with" },
	{ "overspill-shared", overspill_shared,
	  "Four files' tile lists outgrow memory that is enough for one of them" },
	{ "endless-shader", endless_shader, "A fragment shader that never ends" },
	{ "endless-coordinates", endless_coordinates,
	  "A coordinate shader that never ends: binning hangs" },
	{ "endless-vertices", endless_vertices, "A vertex shader that never ends" },
	{ "others-go-on", others_go_on,
	  "Another file's frames and programs beside frames that hang" },
	{ "innocent-again", innocent_again, "A frame runs again after another file's hang" },
	{ "innocent-cancelled", innocent_cancelled,
	  "A frame that cannot run again after another file's hang" },
};

V3DCL_MAIN(tests, require_v3dcl)
