// SPDX-License-Identifier: MIT
/*
 * Each ioctl with the n-th thing in it that can fail failing, n = 1, 2 and so on until it passes
 * untouched: memory of each kind, copies from and to userspace, and what the driver adds to these
 * (drivers/v3d/fault.c). The ioctl fails with an errno of those, or works; what it leaves behind is
 * for the next one to trip over, and for kmemleak to find.
 */
#include "v3dcl_alive.h"
#include "v3dcl_drawing.h"
#include "v3dcl_raw.h"

IGT_TEST_DESCRIPTION("Failing allocations, copies, power, starts: each error path of each ioctl");

#define MOST_FAULTS 2000
#define DEBUGFS "/sys/kernel/debug/"

static void write_file(const char *path, const char *text)
{
	int file = open(path, O_WRONLY);

	igt_assert_f(file >= 0, "%s: %s\n", path, strerror(errno));
	igt_assert_eq(write(file, text, strlen(text)), (ssize_t)strlen(text));
	close(file);
}

/* Memory that may be waited for, of any order, fails too; and the log is not told each time */
static void faults_prepare(void)
{
	static const char *const settings[][2] = {
		{ "failslab/ignore-gfp-wait", "N" },
		{ "failslab/verbose", "0" },
		{ "fail_page_alloc/ignore-gfp-wait", "N" },
		{ "fail_page_alloc/ignore-gfp-highmem", "N" },
		{ "fail_page_alloc/min-order", "0" },
		{ "fail_page_alloc/verbose", "0" },
		{ "fail_usercopy/verbose", "0" },
	};
	char path[128];
	struct stat st;

	igt_require_f(!stat(DEBUGFS "failslab", &st) && !stat(DEBUGFS "fail_usercopy", &st),
		      "the kernel has no fault injection\n");
	for (unsigned int i = 0; i < ARRAY_SIZE(settings); i++) {
		snprintf(path, sizeof(path), DEBUGFS "%s", settings[i][0]);
		write_file(path, settings[i][1]);
	}
}

/* One of the driver's own attributes */
static void own_set(int fd, const char *fault, const char *name, const char *value)
{
	char path[64];
	int file;

	snprintf(path, sizeof(path), "%s/%s", fault, name);
	file = igt_debugfs_open(fd, path, O_WRONLY);
	igt_assert_f(file >= 0, "%s: %s\n", path, strerror(errno));
	igt_assert_lt(0, write(file, value, strlen(value)));
	close(file);
}

static int nth_file = -1;

/* From here on the thread's n-th fault point fails */
static void fail_nth(unsigned int n)
{
	char text[16];
	int length = snprintf(text, sizeof(text), "%u", n);

	/* Reading the number back or writing it is a fault point as well */
	while (pwrite(nth_file, text, length, 0) != length)
		igt_assert_eq(errno, EFAULT);
}

/* Return: whether the fault came, none comes any more */
static bool fail_nth_came(void)
{
	char text[16] = "";
	bool came = pread(nth_file, text, sizeof(text) - 1, 0) > 0 && !strcmp(text, "0\n");

	fail_nth(0);
	return came;
}

/* What the ioctls are tried on */
struct things {
	struct bo bo;
	int other;		/* a file that imports what this one exports */
	uint32_t signalled, binary, timeline, perfmon;
	uint32_t made;		/* what an ioctl has made, to be closed */
	uint64_t seqno, point, code[32];
	uint32_t code_bytes;
	struct job *job;
	struct drawing *frame;
	struct raw *raw;
	uint32_t raw_memory[RAW_MEMORY_BYTES / sizeof(uint32_t)];
};

/* An ioctl: 0 or errno; and what it takes to have things as before, if it passed */
struct place {
	const char *name;
	int (*act)(int fd, struct things *things);
	void (*undo)(int fd, struct things *things);
};

/* What an ioctl may say when something in it has failed */
static bool is_fault(int error)
{
	return error == ENOMEM || error == EFAULT || error == EIO;
}

static void try_place(const struct place *place, int fd, struct things *things)
{
	unsigned int n = 0, failed = 0;
	bool came;
	int error;

	do {
		fail_nth(++n);
		error = place->act(fd, things);
		came = fail_nth_came();
		igt_assert_f(!error || (came && is_fault(error)), "%s, fault %u%s: %s\n",
			     place->name, n, came ? "" : " (which did not come)", strerror(error));
		failed += error != 0;
		if (!error && place->undo)
			place->undo(fd, things);
	} while (came && n < MOST_FAULTS);
	igt_assert_f(!came, "%s: no end of faults\n", place->name);
	igt_info("%s: %u places, %u of them end in an error\n", place->name, n - 1, failed);
}

static int act(int fd, unsigned long request, void *argument)
{
	return ioctl(fd, request, argument) ? errno : 0;
}

static void close_made(int fd, struct things *things)
{
	gem_close(fd, things->made);
}

static int create_bo(int fd, struct things *things)
{
	/* Of a size that no test before has left in the driver's cache, nor the one before */
	static uint32_t pages = 33;
	struct drm_vc4_create_bo create = { .size = pages++ * 4096 };
	int error = act(fd, DRM_IOCTL_VC4_CREATE_BO, &create);

	if (pages > 200)
		pages = 33;
	things->made = create.handle;
	return error;
}

static int mmap_bo(int fd, struct things *things)
{
	struct drm_vc4_mmap_bo map = { .handle = things->bo.handle };

	return act(fd, DRM_IOCTL_VC4_MMAP_BO, &map);
}

static int create_shader(int fd, struct things *things)
{
	struct drm_vc4_create_shader_bo create = { .data = (uintptr_t)things->code,
						   .size = things->code_bytes };
	int error = act(fd, DRM_IOCTL_VC4_CREATE_SHADER_BO, &create);

	things->made = create.handle;
	return error;
}

static int create_program(int fd, struct things *things)
{
	struct drm_v3dcl_create_program create = { .code = (uintptr_t)things->code,
						   .size = things->code_bytes };
	int error = act(fd, DRM_IOCTL_V3DCL_CREATE_PROGRAM, &create);

	things->made = create.handle;
	return error;
}

static int label(int fd, struct things *things)
{
	struct drm_vc4_label_bo label = { .handle = things->bo.handle, .len = 6,
					  .name = (uintptr_t)"faults" };

	return act(fd, DRM_IOCTL_VC4_LABEL_BO, &label);
}

static int tiling(int fd, struct things *things)
{
	struct drm_vc4_set_tiling set = { .handle = things->bo.handle };
	struct drm_vc4_get_tiling get = { .handle = things->bo.handle };

	return act(fd, DRM_IOCTL_VC4_SET_TILING, &set) ?: act(fd, DRM_IOCTL_VC4_GET_TILING, &get);
}

static int madvise_bo(int fd, struct things *things)
{
	struct drm_vc4_gem_madvise advise = { .handle = things->bo.handle,
					      .madv = VC4_MADV_WILLNEED };

	return act(fd, DRM_IOCTL_VC4_GEM_MADVISE, &advise);
}

static int params(int fd, struct things *things)
{
	struct drm_vc4_get_param get = { .param = DRM_VC4_PARAM_V3D_IDENT0 };
	struct drm_v3dcl_get_param own = { .param = DRM_V3DCL_PARAM_QPUS };

	(void)things;
	return act(fd, DRM_IOCTL_VC4_GET_PARAM, &get) ?: act(fd, DRM_IOCTL_V3DCL_GET_PARAM, &own);
}

static int refusal(int fd, struct things *things)
{
	struct drm_v3dcl_refusal refusal = { 0 };

	(void)things;
	return act(fd, DRM_IOCTL_V3DCL_GET_REFUSAL, &refusal);
}

/* No hang: ENOENT, unless something failed before */
static int hang_state(int fd, struct things *things)
{
	struct drm_vc4_get_hang_state state = { 0 };
	int error = act(fd, DRM_IOCTL_VC4_GET_HANG_STATE, &state);

	(void)things;
	return error == ENOENT ? 0 : error;
}

static int perfmon_create(int fd, struct things *things)
{
	struct drm_vc4_perfmon_create create = { .ncounters = 2, .events = { 1, 2 } };
	int error = act(fd, DRM_IOCTL_VC4_PERFMON_CREATE, &create);

	things->made = create.id;
	return error;
}

static void perfmon_destroy(int fd, struct things *things)
{
	struct drm_vc4_perfmon_destroy destroy = { .id = things->made };

	do_ioctl(fd, DRM_IOCTL_VC4_PERFMON_DESTROY, &destroy);
}

static int perfmon_values(int fd, struct things *things)
{
	uint64_t values[2];
	struct drm_vc4_perfmon_get_values get = { .id = things->perfmon,
						  .values_ptr = (uintptr_t)values };

	return act(fd, DRM_IOCTL_VC4_PERFMON_GET_VALUES, &get);
}

/* A frame that bins, beginning and ending with syncobjs, with counters */
static int submit_cl(int fd, struct things *things)
{
	struct drm_vc4_submit_cl submit = things->frame->r->submit;
	int error;

	submit.in_sync = things->signalled;
	submit.out_sync = things->binary;
	submit.perfmonid = things->perfmon;
	error = act(fd, DRM_IOCTL_VC4_SUBMIT_CL, &submit);
	things->seqno = submit.seqno;
	return error;
}

/* The same with both stages' syncobjs, binary ones and points, and without BOs' fences */
static int submit_frame(int fd, struct things *things)
{
	const uint64_t point = things->point;
	struct drm_v3dcl_sync in[] = { { .handle = things->signalled } };
	struct drm_v3dcl_sync binned[] = { { .handle = things->binary },
					   { .handle = things->timeline, .point = point + 1 } };
	struct drm_v3dcl_sync done[] = { { .handle = things->timeline, .point = point + 2 } };
	struct drm_v3dcl_submit_frame submit = {
		.frame = things->frame->r->submit,
		.bin = { .in_syncs = (uintptr_t)in, .in_sync_count = 1,
			 .out_syncs = (uintptr_t)binned, .out_sync_count = 2 },
		.render = { .in_syncs = (uintptr_t)in, .in_sync_count = 1,
			    .out_syncs = (uintptr_t)done, .out_sync_count = 1 },
		.flags = DRM_V3DCL_FRAME_EXPLICIT,
		.priority = DRM_V3DCL_PRIORITY_HIGH,
	};
	int error;

	submit.frame.perfmonid = things->perfmon;
	error = act(fd, DRM_IOCTL_V3DCL_SUBMIT_FRAME, &submit);
	things->seqno = submit.frame.seqno;
	things->point = point + 2;
	return error;
}

static int submit_qpu(int fd, struct things *things)
{
	struct drm_v3dcl_submit_qpu submit = things->job->submit;
	int error;

	things->job->out[1].point = ++things->point;
	submit.perfmon = things->perfmon;
	error = act(fd, DRM_IOCTL_V3DCL_SUBMIT_QPU, &submit);
	things->seqno = submit.seqno;
	return error;
}

/* Each submit adds the addresses to what the words have, so these begin anew */
static int submit_lists(int fd, struct things *things)
{
	struct drm_v3dcl_submit_lists submit = things->raw->submit;
	int error;

	memcpy(things->raw->bos[RAW_MEMORY].map, things->raw_memory, sizeof(things->raw_memory));
	error = act(fd, DRM_IOCTL_V3DCL_SUBMIT_LISTS, &submit);
	things->seqno = submit.seqno;
	return error;
}

static void submit_end(int fd, struct things *things)
{
	igt_assert_eq(seqno_wait(fd, things->seqno, LONG_WAIT), 0);
}

static int waits(int fd, struct things *things)
{
	struct drm_vc4_wait_seqno seqno = { .seqno = things->seqno, .timeout_ns = LONG_WAIT };
	struct drm_vc4_wait_bo bo = { .handle = things->bo.handle, .timeout_ns = LONG_WAIT };

	return act(fd, DRM_IOCTL_VC4_WAIT_SEQNO, &seqno) ?: act(fd, DRM_IOCTL_VC4_WAIT_BO, &bo);
}

/* A dma-buf of a BO, and what another file makes of it */
static int share(int fd, struct things *things)
{
	struct drm_prime_handle export = { .handle = things->bo.handle, .flags = DRM_CLOEXEC,
					   .fd = -1 };
	struct drm_prime_handle import = { 0 };
	int error = act(fd, DRM_IOCTL_PRIME_HANDLE_TO_FD, &export);

	if (error)
		return error;
	import.fd = export.fd;
	error = act(things->other, DRM_IOCTL_PRIME_FD_TO_HANDLE, &import);
	things->made = import.handle;
	close(export.fd);
	return error;
}

static void share_end(int fd, struct things *things)
{
	(void)fd;
	gem_close(things->other, things->made);
}

/* A client comes and goes */
static int open_device(int fd, struct things *things)
{
	char path[64];
	int file;

	(void)things;
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	file = open(path, O_RDWR | O_CLOEXEC);
	if (file < 0)
		return errno;
	close(file);
	return 0;
}

/* --- what they are tried on ------------------------------------------------------------------- */

static void things_make(int fd, struct things *things, struct bo *target, struct bo *vertices)
{
	struct drm_vc4_perfmon_create create = { .ncounters = 2, .events = { 1, 2 } };
	struct drm_syncobj_array signal = { .handles = (uintptr_t)&things->signalled,
					    .count_handles = 1 };
	struct vertex *v = (struct vertex *)vertices->map;
	uint32_t shaders[DRAWING_SHADERS];
	struct qb b;

	memset(things, 0, sizeof(*things));
	things->bo = bo_create(fd, 4096);
	do_ioctl(fd, DRM_IOCTL_VC4_PERFMON_CREATE, &create);
	things->perfmon = create.id;
	qb_init(&b, things->code, ARRAY_SIZE(things->code));
	qb_emit(&b, qb_mov(QB_R0, QB_UNIF));
	qb_emit(&b, qb_nop());
	qb_end(&b);
	things->code_bytes = b.count * V3D_QPU_INSTRUCTION_BYTES;
	things->other = drm_open_driver(DRIVER_VC4);
	things->signalled = sync_create(fd);
	things->binary = sync_create(fd);
	things->timeline = sync_create(fd);
	do_ioctl(fd, DRM_IOCTL_SYNCOBJ_SIGNAL, &signal);

	make_shaders(fd, shaders);
	v[0] = vertex_at(16, 16);
	v[1] = vertex_at(112, 16);
	v[2] = vertex_at(16, 112);
	things->frame = drawing_new(shaders, target, 128, 128, vertices, 3);

	things->job = job_new();
	job_run_store(things->job, program_store(fd), 0, 1, &things->bo, 0);
	job_in(things->job, things->signalled, 0);
	job_out(things->job, things->binary, 0);
	job_out(things->job, things->timeline, 0);
}

static const struct place places[] = {
	{ "CREATE_BO", create_bo, close_made },
	{ "MMAP_BO", mmap_bo, NULL },
	{ "CREATE_SHADER_BO", create_shader, close_made },
	{ "CREATE_PROGRAM", create_program, close_made },
	{ "LABEL_BO", label, NULL },
	{ "SET_TILING, GET_TILING", tiling, NULL },
	{ "GEM_MADVISE", madvise_bo, NULL },
	{ "GET_PARAM", params, NULL },
	{ "GET_REFUSAL", refusal, NULL },
	{ "GET_HANG_STATE", hang_state, NULL },
	{ "PERFMON_CREATE", perfmon_create, perfmon_destroy },
	{ "PERFMON_GET_VALUES", perfmon_values, NULL },
	{ "PRIME_HANDLE_TO_FD, PRIME_FD_TO_HANDLE", share, share_end },
	{ "open", open_device, NULL },
	{ "SUBMIT_CL", submit_cl, submit_end },
	{ "SUBMIT_FRAME", submit_frame, submit_end },
	{ "SUBMIT_QPU", submit_qpu, submit_end },
	{ "WAIT_SEQNO, WAIT_BO", waits, NULL },
};

/* All but SUBMIT_LISTS. The file is closed with all that ioctls made and could not tell of */
static void every_ioctl(int unused)
{
	int fd = drm_open_driver(DRIVER_VC4);
	struct bo target = bo_create(fd, 128 * 128 * 4), vertices = bo_create(fd, 4096);
	struct things things;

	(void)unused;
	things_make(fd, &things, &target, &vertices);
	for (unsigned int i = 0; i < ARRAY_SIZE(places); i++)
		try_place(&places[i], fd, &things);
	drawing_free(things.frame);
	free(things.job);
	drm_close_driver(things.other);
	check_alive(fd);
	drm_close_driver(fd);
}

static void lists(int unused)
{
	static const struct place place = { "SUBMIT_LISTS", submit_lists, submit_end };
	int fd = drm_open_driver(DRIVER_VC4);
	struct things things = { .raw = raw_new(fd, 64 * 64 * 4) };

	(void)unused;
	require_unverified(fd);
	raw_render(things.raw, COLOR, 64, 64, false);
	memcpy(things.raw_memory, things.raw->bos[RAW_MEMORY].map, sizeof(things.raw_memory));
	try_place(&place, fd, &things);
	check_alive(fd);
	raw_free(fd, things.raw);
	drm_close_driver(fd);
}

/* --- what the kernel's own attributes do not reach -------------------------------------------- */

/* From here on this fails, so many times (-1: always; 0: no more) */
static void order(int fd, const char *fault, const char *times)
{
	own_set(fd, fault, "times", times);
	own_set(fd, fault, "probability", strcmp(times, "0") ? "100" : "0");
}

/* No contiguous memory */
static void no_memory(int fd)
{
	struct drm_vc4_create_bo create = { .size = 201 * 4096 };

	order(fd, "fail_memory", "-1");
	igt_assert_eq(act(fd, DRM_IOCTL_VC4_CREATE_BO, &create), ENOMEM);
	order(fd, "fail_memory", "0");
	check_alive(fd);
}

/* Power does not come on: no submit is taken, and the next one is */
static void no_power(int fd)
{
	struct bo bo = bo_create(fd, 64 * 64 * 4);
	struct render *r = render_clear_job(&bo, COLOR);

	order(fd, "fail_power", "-1");
	igt_assert_eq(render_try(fd, r), EIO);
	order(fd, "fail_power", "0");
	free(r);
	bo_destroy(fd, &bo);
	check_alive(fd);
}

/* A list that the V3D does not see started hangs, and is the file's fault as far as can be told */
static void lost_start(int fd)
{
	struct bo bo = bo_create(fd, 64 * 64 * 4);
	struct render *r = render_clear_job(&bo, COLOR);
	uint64_t guilty = v3dcl_param(fd, DRM_V3DCL_PARAM_GUILTY);
	uint32_t sync = sync_create(fd);

	order(fd, "fail_start", "1");
	r->submit.out_sync = sync;
	render_submit(fd, r);
	igt_assert_eq(sync_result(fd, sync), -ETIMEDOUT);
	order(fd, "fail_start", "0");
	igt_assert_eq_u64(v3dcl_param(fd, DRM_V3DCL_PARAM_GUILTY), guilty + 1);
	sync_destroy(fd, sync);
	free(r);
	bo_destroy(fd, &bo);
	check_alive(fd);
}

static const struct subtest tests[] = {
	{ "every-ioctl", every_ioctl, "Each place in each ioctl where something can fail" },
	{ "lists", lists, "The same of SUBMIT_LISTS" },
	{ "no-memory", no_memory, "No contiguous memory" },
	{ "no-power", no_power, "Power that does not come on" },
	{ "lost-start", lost_start, "A start that the V3D does not see" },
};

static void require_faults(int fd)
{
	require_v3dcl(fd);
	faults_prepare();
	own_set(fd, "fail_memory", "verbose", "0");
	own_set(fd, "fail_power", "verbose", "0");
	own_set(fd, "fail_start", "verbose", "0");
	nth_file = open("/proc/thread-self/fail-nth", O_RDWR);
	igt_require_f(nth_file >= 0, "the kernel has no fail-nth\n");
}

V3DCL_MAIN(tests, require_faults)
