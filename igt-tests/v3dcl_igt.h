/* SPDX-License-Identifier: MIT */
/*
 * What our IGT tests share: BOs, submits, syncobjs and fences, on bare ioctls. Into an IGT tree go
 * v3dcl_*.c and v3dcl_*.h, and, where its tests find headers, the project's uapi/ and of
 * libv3dcl/include v3dcl_png.h, v3dcl_posts.h and v3dcl_qpu_build.h; our igt.h stays here.
 */
#ifndef V3DCL_IGT_H
#define V3DCL_IGT_H

#include "igt.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>

#include <linux/sync_file.h>

#include <drm/v3dcl_drm.h>
#include <v3d/packets.h>
#include <v3d/words.h>

#include "v3dcl_qpu_build.h"

#ifndef NSEC_PER_SEC
#define NSEC_PER_SEC 1000000000ull
#endif
/* a debug kernel on an emulated CPU of a busy host is slow */
#define LONG_WAIT (200ull * NSEC_PER_SEC)

/* IGT's blocks had no parentheses once: in a tree where that is so, build with V3DCL_IGT_OLDER */
#ifdef V3DCL_IGT_OLDER
#define v3dcl_main() igt_main
#define v3dcl_fixture() igt_fixture
#else
#define v3dcl_main() int igt_main()
#define v3dcl_fixture() igt_fixture()
#endif

/* --- BOs -------------------------------------------------------------------------------------- */

struct bo {
	uint32_t handle, size;
	uint32_t *map;		/* words; NULL when not mapped */
};

static inline void *bo_map_handle(int fd, uint32_t handle, uint32_t size)
{
	struct drm_vc4_mmap_bo map = { .handle = handle };
	void *p;

	do_ioctl(fd, DRM_IOCTL_VC4_MMAP_BO, &map);
	p = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, map.offset);
	igt_assert(p != MAP_FAILED);
	return p;
}

static inline struct bo bo_create(int fd, uint32_t size)
{
	struct drm_vc4_create_bo create = { .size = size };
	struct bo bo = { .size = size };

	do_ioctl(fd, DRM_IOCTL_VC4_CREATE_BO, &create);
	bo.handle = create.handle;
	bo.map = bo_map_handle(fd, bo.handle, size);
	return bo;
}

static inline void bo_destroy(int fd, struct bo *bo)
{
	if (bo->map)
		munmap(bo->map, bo->size);
	gem_close(fd, bo->handle);
	memset(bo, 0, sizeof(*bo));
}

/* 0, or the errno that WAIT_BO gives */
static inline int bo_wait(int fd, uint32_t handle, uint64_t timeout_ns)
{
	struct drm_vc4_wait_bo wait = { .handle = handle, .timeout_ns = timeout_ns };

	return igt_ioctl(fd, DRM_IOCTL_VC4_WAIT_BO, &wait) ? errno : 0;
}

static inline int seqno_wait(int fd, uint64_t seqno, uint64_t timeout_ns)
{
	struct drm_vc4_wait_seqno wait = { .seqno = seqno, .timeout_ns = timeout_ns };

	return igt_ioctl(fd, DRM_IOCTL_VC4_WAIT_SEQNO, &wait) ? errno : 0;
}

/*
 * 32 different bits for each index: neighbours differ in every byte (the finaliser of MurmurHash3)
 */
static inline uint32_t noise(uint32_t x)
{
	x = (x ^ x >> 16) * 0x85ebca6b;
	x = (x ^ x >> 13) * 0xc2b2ae35;
	return x ^ x >> 16;
}

/* --- parameters, refusals --------------------------------------------------------------------- */

static inline uint64_t v3dcl_param(int fd, uint32_t param)
{
	struct drm_v3dcl_get_param get = { .param = param };

	do_ioctl(fd, DRM_IOCTL_V3DCL_GET_PARAM, &get);
	return get.value;
}

static inline void require_v3dcl(int fd)
{
	struct drm_v3dcl_get_param get = { .param = DRM_V3DCL_PARAM_VERSION };

	igt_require_f(!igt_ioctl(fd, DRM_IOCTL_V3DCL_GET_PARAM, &get) && get.value >= 2,
		      "the driver has no v3dcl ioctls\n");
}

/* For programs and lists that can reach all memory */
static inline void require_unverified(int fd)
{
	require_v3dcl(fd);
	igt_require_f(v3dcl_param(fd, DRM_V3DCL_PARAM_UNVERIFIED),
		      "needs root, and the module loaded with unverified=1\n");
}

/* From here on the test is an ordinary user's */
static inline void drop_rights(void)
{
	igt_assert(geteuid() || (!setgid(65534) && !setuid(65534)));
}

/*
 * For programs that can be verified, and whatever else an ordinary user may do who has been given
 * the device's node
 */
static inline void require_user(int fd)
{
	require_v3dcl(fd);
	igt_assert(geteuid() || !fchmod(fd, 0666));
	drop_rights();
}

/*
 * Runs @act in a child that has dropped its rights and shares the file. Return: what @act does, at
 * most 125; the rest is ours
 */
static inline int as_nobody(int fd, int (*act)(int fd))
{
	int status;
	pid_t pid = fork();

	igt_assert(pid >= 0);
	if (!pid) {
		if (setgid(65534) || setuid(65534))
			_exit(126);
		_exit(act(fd));
	}
	igt_assert_eq(waitpid(pid, &status, 0), pid);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 127;
}

static inline struct drm_v3dcl_refusal refusal_get(int fd)
{
	struct drm_v3dcl_refusal refusal;

	memset(&refusal, 0, sizeof(refusal));
	do_ioctl(fd, DRM_IOCTL_V3DCL_GET_REFUSAL, &refusal);
	igt_assert(memchr(refusal.text, 0, sizeof(refusal.text)));
	return refusal;
}

/* A number out of a file of debugfs: what follows these words */
static inline unsigned long long debugfs_number(int fd, const char *name, const char *before)
{
	char text[4096] = "", *at;
	int file = igt_debugfs_open(fd, name, O_RDONLY);

	igt_require_f(file >= 0, "no debugfs\n");
	igt_assert_lt(0, read(file, text, sizeof(text) - 1));
	close(file);
	at = strstr(text, before);
	igt_assert(at);
	return strtoull(at + strlen(before), NULL, 10);
}

/* --- syncobjs and fences ---------------------------------------------------------------------- */

static inline uint32_t sync_create(int fd)
{
	struct drm_syncobj_create create = { .flags = 0 };

	do_ioctl(fd, DRM_IOCTL_SYNCOBJ_CREATE, &create);
	return create.handle;
}

static inline void sync_destroy(int fd, uint32_t handle)
{
	struct drm_syncobj_destroy destroy = { .handle = handle };

	do_ioctl(fd, DRM_IOCTL_SYNCOBJ_DESTROY, &destroy);
}

static inline int64_t deadline(uint64_t timeout_ns)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * (int64_t)NSEC_PER_SEC + now.tv_nsec + (int64_t)timeout_ns;
}

/* 0, or ETIME */
static inline int sync_wait(int fd, uint32_t handle, uint64_t timeout_ns)
{
	struct drm_syncobj_wait wait = { .handles = (uintptr_t)&handle, .count_handles = 1,
					 .timeout_nsec = deadline(timeout_ns) };

	return igt_ioctl(fd, DRM_IOCTL_SYNCOBJ_WAIT, &wait) ? errno : 0;
}

static inline int sync_wait_point(int fd, uint32_t handle, uint64_t point, uint64_t timeout_ns)
{
	struct drm_syncobj_timeline_wait wait = {
		.handles = (uintptr_t)&handle, .points = (uintptr_t)&point, .count_handles = 1,
		.timeout_nsec = deadline(timeout_ns),
	};

	return igt_ioctl(fd, DRM_IOCTL_SYNCOBJ_TIMELINE_WAIT, &wait) ? errno : 0;
}

static inline uint64_t sync_query(int fd, uint32_t handle)
{
	uint64_t point = 0;
	struct drm_syncobj_timeline_array query = {
		.handles = (uintptr_t)&handle, .points = (uintptr_t)&point, .count_handles = 1,
	};

	do_ioctl(fd, DRM_IOCTL_SYNCOBJ_QUERY, &query);
	return point;
}

static inline int sync_export_file(int fd, uint32_t handle)
{
	struct drm_syncobj_handle export = {
		.handle = handle,
		.flags = DRM_SYNCOBJ_HANDLE_TO_FD_FLAGS_EXPORT_SYNC_FILE,
		.fd = -1,
	};

	do_ioctl(fd, DRM_IOCTL_SYNCOBJ_HANDLE_TO_FD, &export);
	return export.fd;
}

/* 1 signalled, 0 not yet, negative: signalled with this error */
static inline int sync_file_status(int sync_file)
{
	struct sync_file_info info;

	memset(&info, 0, sizeof(info));
	do_ioctl(sync_file, SYNC_IOC_FILE_INFO, &info);
	return info.status;
}

/* When the fence in a syncobj ended well, on the kernel's monotonic clock. Waits for it. */
static inline uint64_t sync_time(int fd, uint32_t handle)
{
	struct sync_fence_info fence;
	struct sync_file_info info = { .num_fences = 1, .sync_fence_info = (uintptr_t)&fence };
	int file;

	memset(&fence, 0, sizeof(fence));
	igt_assert_eq(sync_wait(fd, handle, LONG_WAIT), 0);
	file = sync_export_file(fd, handle);
	do_ioctl(file, SYNC_IOC_FILE_INFO, &info);
	close(file);
	igt_assert_eq(info.num_fences, 1);
	igt_assert_eq(fence.status, 1);
	return fence.timestamp_ns;
}

/* How the fence in a syncobj ended: 1, or a negative errno. Waits for it. */
static inline int sync_result(int fd, uint32_t handle)
{
	int file, status;

	igt_assert_eq(sync_wait(fd, handle, LONG_WAIT), 0);
	file = sync_export_file(fd, handle);
	status = sync_file_status(file);
	close(file);
	return status;
}

/* --- QPU jobs --------------------------------------------------------------------------------- */

#define JOB_PROGRAMS 256
#define JOB_UNIFORMS 8192
#define JOB_RELOCS 1024

/* A submit being put together: the limits of its arrays are the tests', not the driver's */
struct job {
	struct drm_v3dcl_submit_qpu submit;
	struct drm_v3dcl_program programs[JOB_PROGRAMS];
	struct drm_v3dcl_reloc relocs[JOB_RELOCS];
	uint32_t uniforms[JOB_UNIFORMS];
	struct drm_v3dcl_sync in[4], out[4];
};

static inline struct job *job_new(void)
{
	struct job *job = calloc(1, sizeof(*job));

	igt_assert(job);
	job->submit.programs = (uintptr_t)job->programs;
	job->submit.uniforms = (uintptr_t)job->uniforms;
	job->submit.relocs = (uintptr_t)job->relocs;
	job->submit.in_syncs = (uintptr_t)job->in;
	job->submit.out_syncs = (uintptr_t)job->out;
	return job;
}

/* One more run of a program; the uniforms added next are its own */
static inline void job_run(struct job *job, uint32_t program)
{
	igt_assert(job->submit.program_count < JOB_PROGRAMS);
	job->programs[job->submit.program_count++] = (struct drm_v3dcl_program) {
		.handle = program, .first_uniform = job->submit.uniform_count,
	};
}

static inline void job_uniform(struct job *job, uint32_t value)
{
	igt_assert(job->submit.uniform_count < JOB_UNIFORMS);
	job->uniforms[job->submit.uniform_count++] = value;
	job->programs[job->submit.program_count - 1].uniform_count++;
}

/* The next uniform is an address */
static inline void job_address(struct job *job, const struct bo *bo, uint32_t offset,
			       uint32_t flags)
{
	igt_assert(job->submit.reloc_count < JOB_RELOCS);
	job->relocs[job->submit.reloc_count++] = (struct drm_v3dcl_reloc) {
		.program = job->submit.program_count - 1,
		.slot = job->programs[job->submit.program_count - 1].uniform_count,
		.handle = bo->handle, .offset = offset, .flags = flags,
	};
	job_uniform(job, 0);
}

#define job_reads(job, bo, offset) job_address(job, bo, offset, DRM_V3DCL_RELOC_READ)
#define job_writes(job, bo, offset) job_address(job, bo, offset, DRM_V3DCL_RELOC_WRITE)

static inline void job_in(struct job *job, uint32_t handle, uint64_t point)
{
	job->in[job->submit.in_sync_count++] = (struct drm_v3dcl_sync){ .handle = handle,
									.point = point };
}

static inline void job_out(struct job *job, uint32_t handle, uint64_t point)
{
	job->out[job->submit.out_sync_count++] = (struct drm_v3dcl_sync){ .handle = handle,
									  .point = point };
}

/* 0 or errno; the seqno is in the submit */
static inline int job_try(int fd, struct job *job)
{
	return igt_ioctl(fd, DRM_IOCTL_V3DCL_SUBMIT_QPU, &job->submit) ? errno : 0;
}

/* Says why, if it was refused */
static inline void not_refused(int fd, int error)
{
	struct drm_v3dcl_refusal refusal;

	if (error == EINVAL) {
		refusal = refusal_get(fd);
		igt_warn("refused: part %u offset %u rule %u found %llu expected %llu: %s\n",
			 refusal.part, refusal.offset, refusal.rule,
			 (unsigned long long)refusal.found, (unsigned long long)refusal.expected,
			 refusal.text);
	}
	igt_assert_eq(error, 0);
}

static inline void job_submit(int fd, struct job *job)
{
	not_refused(fd, job_try(fd, job));
}

/* Submits, waits for the end, and sees to it that the job ended well. Frees the job. */
static inline void job_finish(int fd, struct job *job)
{
	uint32_t sync = sync_create(fd);

	job_out(job, sync, 0);
	job_submit(fd, job);
	igt_assert_eq(sync_result(fd, sync), 1);
	sync_destroy(fd, sync);
	free(job);
}

/* 0 or errno */
static inline int program_try_flags(int fd, const void *code, uint32_t size, uint32_t flags,
				    uint32_t *handle)
{
	struct drm_v3dcl_create_program create = { .code = (uintptr_t)code, .size = size,
						   .flags = flags };
	int error = igt_ioctl(fd, DRM_IOCTL_V3DCL_CREATE_PROGRAM, &create) ? errno : 0;

	*handle = create.handle;
	return error;
}

static inline int program_try(int fd, const void *code, uint32_t size, uint32_t *handle)
{
	return program_try_flags(fd, code, size, 0, handle);
}

static inline uint32_t program_create(int fd, const struct qb *b)
{
	uint32_t handle;

	igt_assert(!b->failed);
	not_refused(fd, program_try(fd, b->code, b->count * V3D_QPU_INSTRUCTION_BYTES, &handle));
	return handle;
}

/* What @emit emits, and the end */
static inline uint32_t program_of(int fd, void (*emit)(struct qb *b))
{
	uint64_t code[64];
	struct qb b;

	qb_init(&b, code, ARRAY_SIZE(code));
	emit(&b);
	qb_end(&b);
	return program_create(fd, &b);
}

/* Never ends: a branch to itself */
static inline uint32_t program_endless(int fd)
{
	uint64_t code[8];
	struct qb b;

	qb_init(&b, code, 8);
	qb_branch_to(&b, V3D_QPU_BRANCH_ALWAYS, 0);
	qb_nops(&b, 3);
	qb_end(&b);
	return program_create(fd, &b);
}

/*
 * Uniforms: a VPM row, an address. Stores r0, 16 words, there by way of that row. So that this can
 * be verified, the row is clamped to those that there are, and the set-up words are known but for
 * it. Takes r1 and r2.
 */
static inline void emit_store_row(struct qb *b)
{
	qb_mutex_lock(b);
	qb_emit(b, qb_add(V3D_QPU_ADD_MAX, QB_R1, QB_UNIF, qb_imm(0)));
	qb_emit(b, qb_ldi(QB_R2, 63));
	qb_emit(b, qb_add(V3D_QPU_ADD_MIN, QB_R1, QB_R1, QB_R2));
	qb_emit(b, qb_ldi(QB_R2, qb_word_vpm_write(0)));
	qb_emit(b, qb_add(V3D_QPU_ADD_ADD, QB_VW_SETUP, QB_R1, QB_R2));
	qb_emit(b, qb_mov(QB_VPM_WRITE, QB_R0));
	qb_emit(b, qb_add(V3D_QPU_ADD_SHL, QB_R1, QB_R1, qb_imm(7)));
	qb_emit(b, qb_ldi(QB_R2, qb_word_vdw(0, 1)));
	qb_emit(b, qb_add(V3D_QPU_ADD_ADD, QB_VW_SETUP, QB_R1, QB_R2));
	qb_setup(b, QB_VW_SETUP, qb_word_vdw_stride(0));
	qb_emit(b, qb_mov(QB_VDW_ADDR, QB_UNIF));
	qb_emit(b, qb_mov(QB_NONE, QB_VDW_WAIT));
	qb_mutex_unlock(b);
}

/*
 * Uniforms: a value, a VPM row, an address. Stores the value plus the element number, 16 words,
 * there.
 */
static inline uint32_t program_store(int fd)
{
	uint64_t code[32];
	struct qb b;

	qb_init(&b, code, 32);
	qb_emit(&b, qb_mov(QB_R0, QB_ELEMENT));
	qb_emit(&b, qb_add(V3D_QPU_ADD_ADD, QB_R0, QB_R0, QB_UNIF));
	emit_store_row(&b);
	qb_end(&b);
	return program_create(fd, &b);
}

/* A run of program_store(), by way of this VPM row */
static inline void job_run_store(struct job *job, uint32_t program, unsigned int row,
				 uint32_t value, const struct bo *bo, uint32_t offset)
{
	job_run(job, program);
	job_uniform(job, value);
	job_uniform(job, row);
	job_writes(job, bo, offset);
}

/* --- render jobs ------------------------------------------------------------------------------ */

/* The upper half of record 113's first 16 configuration bits, where color_write.bits takes them */
#define RENDER_MULTISAMPLE (1 << 0)
#define RENDER_PIXEL(pixel) ((pixel) << 2)		/* enum v3d_frame_pixel */
#define RENDER_DECIMATE_4X (V3D_DECIMATE_4X << 4)
#define RENDER_FORMAT(format) ((format) << 6)		/* enum v3d_memory_format */
/* Bits of records 28 and 29, where the other surfaces take them */
#define SURFACE(buffer, format, pixel) ((buffer) | (format) << 4 | (pixel) << 8)

struct render {
	struct drm_vc4_submit_cl submit;
	uint32_t handles[8];
};

static inline struct render *render_new(unsigned int width, unsigned int height)
{
	struct render *r = calloc(1, sizeof(*r));
	struct drm_vc4_submit_cl *s;

	igt_assert(r);
	s = &r->submit;
	s->bo_handles = (uintptr_t)r->handles;
	s->width = width;
	s->height = height;
	s->max_x_tile = (width + 63) / 64 - 1;
	s->max_y_tile = (height + 63) / 64 - 1;
	s->color_read.hindex = ~0u;
	s->color_write.hindex = ~0u;
	s->zs_read.hindex = ~0u;
	s->zs_write.hindex = ~0u;
	s->msaa_color_write.hindex = ~0u;
	s->msaa_zs_write.hindex = ~0u;
	return r;
}

/* Tiles are 32 x 32 pixels with 4 samples each */
static inline void render_multisample(struct render *r)
{
	r->submit.max_x_tile = (r->submit.width + 31) / 32 - 1;
	r->submit.max_y_tile = (r->submit.height + 31) / 32 - 1;
	r->submit.color_write.bits |= RENDER_MULTISAMPLE;
}

static inline void render_surface(struct render *r, struct drm_vc4_submit_rcl_surface *surface,
				  uint32_t handle, uint32_t offset, unsigned int bits)
{
	unsigned int i;

	/* Mainline refuses a handle given twice (EALREADY, from its locks) */
	for (i = 0; i < r->submit.bo_handle_count && r->handles[i] != handle; i++)
		;
	r->handles[i] = handle;
	r->submit.bo_handle_count = i == r->submit.bo_handle_count ? i + 1 :
								     r->submit.bo_handle_count;
	surface->hindex = i;
	surface->offset = offset;
	surface->bits |= bits;
}

static inline void render_clear(struct render *r, uint32_t color, uint32_t z, uint8_t stencil)
{
	r->submit.flags |= VC4_SUBMIT_CL_USE_CLEAR_COLOR;
	r->submit.clear_color[0] = color;
	r->submit.clear_color[1] = color;
	r->submit.clear_z = z;
	r->submit.clear_s = stencil;
}

static inline int render_try(int fd, struct render *r)
{
	return igt_ioctl(fd, DRM_IOCTL_VC4_SUBMIT_CL, &r->submit) ? errno : 0;
}

static inline uint64_t render_submit(int fd, struct render *r)
{
	struct drm_v3dcl_refusal refusal;
	int error = render_try(fd, r);

	if (error == EINVAL) {
		memset(&refusal, 0, sizeof(refusal));
		if (!igt_ioctl(fd, DRM_IOCTL_V3DCL_GET_REFUSAL, &refusal))
			igt_warn("refused: part %u offset %u rule %u: %s\n", refusal.part,
				 refusal.offset, refusal.rule, refusal.text);
		errno = error;
	}
	igt_assert_eq(error, 0);
	return r->submit.seqno;
}

/* Submits, waits for the end, and sees to it that the job ended well. Frees the job. */
static inline void render_finish(int fd, struct render *r)
{
	uint32_t sync = sync_create(fd);

	r->submit.out_sync = sync;
	render_submit(fd, r);
	igt_assert_eq(sync_result(fd, sync), 1);
	sync_destroy(fd, sync);
	free(r);
}

/* Fills a raster RGBA8888 BO of 64 x 64 with a colour */
static inline struct render *render_clear_job(const struct bo *bo, uint32_t color)
{
	struct render *r = render_new(64, 64);

	render_clear(r, color, 0, 0);
	render_surface(r, &r->submit.color_write, bo->handle, 0, RENDER_PIXEL(V3D_FRAME_RGBA8888));
	return r;
}

/* --- subtests by table ------------------------------------------------------------------------ */

struct subtest {
	const char *name;
	void (*run)(int fd);
	const char *describe;
};

/* Each on the same file descriptor. Static variables, since subtests jump. */
static inline void run_subtests(const struct subtest *tests, unsigned int count, int fd)
{
	static const struct subtest *test;
	static int the_fd;

	the_fd = fd;
	for (test = tests; test < tests + count; test++) {
		igt_describe(test->describe);
		igt_subtest_f("%s", test->name)
			test->run(the_fd);
	}
}

/*
 * A program whose subtests are a table and share one file, if @require(file) finds what they need
 */
#define V3DCL_MAIN(tests, require) \
	static int drm_fd = -1; \
	v3dcl_main() \
	{ \
		v3dcl_fixture() { \
			drm_fd = drm_open_driver(DRIVER_VC4); \
			require(drm_fd); \
		} \
		run_subtests(tests, ARRAY_SIZE(tests), drm_fd); \
		v3dcl_fixture() \
			drm_close_driver(drm_fd); \
	}

#endif /* V3DCL_IGT_H */
