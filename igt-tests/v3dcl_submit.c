// SPDX-License-Identifier: MIT
/*
 * Wrong arguments of our own ioctls, one by one: a submit that would work is broken in one place,
 * and must be refused with that place's errno and, where it is EINVAL for what it contains, with a
 * record that names it.
 */
#include "v3dcl_igt.h"

IGT_TEST_DESCRIPTION("Arguments of the v3dcl ioctls, wrong one by one: errno and refusal record");

static int drm_fd = -1;

/* What all cases start from: two runs that store a row each */
static struct {
	struct bo bo;
	uint32_t program;
	struct job *job;
} base;

static void base_make(int fd)
{
	unsigned int i;

	base.bo = bo_create(fd, 4096);
	base.program = program_store(fd);
	base.job = job_new();
	for (i = 0; i < 2; i++)
		job_run_store(base.job, base.program, i, 100 * i, &base.bo, 64 * i);
}

static void base_free(int fd)
{
	free(base.job);
	gem_close(fd, base.program);
	bo_destroy(fd, &base.bo);
}

/* A copy of the base to break */
static struct job *broken(void)
{
	struct job *job = job_new();

	job->submit = base.job->submit;
	memcpy(job->programs, base.job->programs, sizeof(job->programs));
	memcpy(job->relocs, base.job->relocs, sizeof(job->relocs));
	memcpy(job->uniforms, base.job->uniforms, sizeof(job->uniforms));
	job->submit.programs = (uintptr_t)job->programs;
	job->submit.uniforms = (uintptr_t)job->uniforms;
	job->submit.relocs = (uintptr_t)job->relocs;
	job->submit.in_syncs = (uintptr_t)job->in;
	job->submit.out_syncs = (uintptr_t)job->out;
	return job;
}

#define ANY_PART (~0u)

/*
 * Submits, wants this errno; for EINVAL a record of this part, whose offset lies in [offset, offset
 * + length)
 */
static void refused_at(int fd, struct job *job, int error, uint32_t part, uint32_t offset,
		       uint32_t length)
{
	struct drm_v3dcl_refusal refusal;
	uint64_t serial = refusal_get(fd).serial;
	int got = job_try(fd, job);

	igt_assert_eq_u64(refusal_get(fd).serial, serial + (error == EINVAL && part != ANY_PART));
	igt_assert_f(got == error, "errno %d (%s), not %d (%s)\n", got, strerror(got), error,
		     strerror(error));
	if (error == EINVAL && part != ANY_PART) {
		refusal = refusal_get(fd);
		igt_assert_f(refusal.part == part && refusal.offset >= offset &&
			     refusal.offset < offset + length,
			     "part %u offset %u (%s), not part %u offset %u\n", refusal.part,
			     refusal.offset, refusal.text, part, offset);
		igt_assert_neq_u32(refusal.rule, 0);
		igt_assert(refusal.text[0]);
	}
	free(job);
}

#define SUBMIT_FIELD(field) \
	offsetof(struct drm_v3dcl_submit_qpu, field), \
		sizeof(((struct drm_v3dcl_submit_qpu *)0)->field)
#define PROGRAM_FIELD(index, field) \
	(index) * sizeof(struct drm_v3dcl_program) + offsetof(struct drm_v3dcl_program, field), \
		sizeof(__u32)
#define RELOC_FIELD(index, field) \
	(index) * sizeof(struct drm_v3dcl_reloc) + offsetof(struct drm_v3dcl_reloc, field), \
		sizeof(__u32)

static void counts(int fd)
{
	struct job *job = broken();

	job->submit.program_count = 0;
	refused_at(fd, job, EINVAL, DRM_V3DCL_PART_SUBMIT, SUBMIT_FIELD(program_count));
	job = broken();
	job->submit.program_count = v3dcl_param(fd, DRM_V3DCL_PARAM_MAX_PROGRAMS) + 1;
	refused_at(fd, job, EINVAL, DRM_V3DCL_PART_SUBMIT, SUBMIT_FIELD(program_count));
	job = broken();
	job->submit.program_count = ~0u;
	refused_at(fd, job, EINVAL, DRM_V3DCL_PART_SUBMIT, SUBMIT_FIELD(program_count));
	job = broken();
	job->submit.uniform_count = v3dcl_param(fd, DRM_V3DCL_PARAM_MAX_UNIFORMS) + 1;
	refused_at(fd, job, EINVAL, DRM_V3DCL_PART_SUBMIT, SUBMIT_FIELD(uniform_count));
	job = broken();
	job->submit.reloc_count = v3dcl_param(fd, DRM_V3DCL_PARAM_MAX_RELOCS) + 1;
	refused_at(fd, job, EINVAL, DRM_V3DCL_PART_SUBMIT, SUBMIT_FIELD(reloc_count));
	job = broken();
	job->submit.in_sync_count = 65;
	refused_at(fd, job, EINVAL, DRM_V3DCL_PART_SUBMIT, SUBMIT_FIELD(in_sync_count));
	job = broken();
	job->submit.out_sync_count = 65;
	refused_at(fd, job, EINVAL, DRM_V3DCL_PART_SUBMIT, SUBMIT_FIELD(out_sync_count));
}

static void flags_and_pads(int fd)
{
	struct job *job = broken();

	job->submit.flags = 1;
	refused_at(fd, job, EINVAL, DRM_V3DCL_PART_SUBMIT, SUBMIT_FIELD(flags));
	job = broken();
	job->submit.flags = 1u << 31;
	refused_at(fd, job, EINVAL, DRM_V3DCL_PART_SUBMIT, SUBMIT_FIELD(flags));
	job = broken();
	job->submit.pad = 1;
	refused_at(fd, job, EINVAL, DRM_V3DCL_PART_SUBMIT, SUBMIT_FIELD(pad));
	job = broken();
	job->relocs[1].pad = 1;
	refused_at(fd, job, EINVAL, DRM_V3DCL_PART_RELOC, RELOC_FIELD(1, pad));
	job = broken();
	job->in[0].pad = 1;
	job->in[0].handle = sync_create(fd);
	job->submit.in_sync_count = 1;
	refused_at(fd, job, EINVAL, ANY_PART, 0, 0);
	job = broken();
	job->out[0].pad = 1;
	job->out[0].handle = sync_create(fd);
	job->submit.out_sync_count = 1;
	refused_at(fd, job, EINVAL, ANY_PART, 0, 0);
}

static void pointers(int fd)
{
	struct job *job = broken();

	job->submit.programs = 8;
	refused_at(fd, job, EFAULT, 0, 0, 0);
	job = broken();
	job->submit.programs = 0;
	refused_at(fd, job, EFAULT, 0, 0, 0);
	job = broken();
	job->submit.uniforms = 8;
	refused_at(fd, job, EFAULT, 0, 0, 0);
	job = broken();
	job->submit.relocs = 8;
	refused_at(fd, job, EFAULT, 0, 0, 0);
	job = broken();
	job->submit.in_syncs = 8;
	job->submit.in_sync_count = 1;
	refused_at(fd, job, EFAULT, 0, 0, 0);
	job = broken();
	job->submit.out_syncs = 8;
	job->submit.out_sync_count = 1;
	refused_at(fd, job, EFAULT, 0, 0, 0);
	job = broken();
	job->submit.programs = 0xffffffff00000000;	/* the kernel's half */
	refused_at(fd, job, EFAULT, 0, 0, 0);
}

static void programs(int fd)
{
	struct job *job = broken();

	job->programs[1].handle = 0;
	refused_at(fd, job, EINVAL, DRM_V3DCL_PART_PROGRAM, PROGRAM_FIELD(1, handle));
	job = broken();
	job->programs[1].handle = 0xdeadbeef;
	refused_at(fd, job, EINVAL, DRM_V3DCL_PART_PROGRAM, PROGRAM_FIELD(1, handle));
	job = broken();
	job->programs[0].handle = base.bo.handle;	/* memory that can be written is no code */
	refused_at(fd, job, EINVAL, DRM_V3DCL_PART_PROGRAM, PROGRAM_FIELD(0, handle));
	job = broken();
	job->programs[1].offset = 4;
	refused_at(fd, job, EINVAL, DRM_V3DCL_PART_PROGRAM, PROGRAM_FIELD(1, offset));
	job = broken();
	job->programs[1].offset = 1 << 20;
	refused_at(fd, job, EINVAL, DRM_V3DCL_PART_PROGRAM, PROGRAM_FIELD(1, offset));
	job = broken();
	job->programs[1].offset = ~7u;
	refused_at(fd, job, EINVAL, DRM_V3DCL_PART_PROGRAM, PROGRAM_FIELD(1, offset));
	/* From the first uniform to past their end: whichever of the two fields is named */
	job = broken();
	job->programs[1].first_uniform = job->submit.uniform_count;
	refused_at(fd, job, EINVAL, DRM_V3DCL_PART_PROGRAM, 16, 16);
	job = broken();
	job->programs[1].first_uniform = ~0u;
	refused_at(fd, job, EINVAL, DRM_V3DCL_PART_PROGRAM, 16, 16);
	job = broken();
	job->programs[1].uniform_count++;
	refused_at(fd, job, EINVAL, DRM_V3DCL_PART_PROGRAM, 16, 16);
	job = broken();
	job->programs[1].uniform_count = ~0u;
	refused_at(fd, job, EINVAL, DRM_V3DCL_PART_PROGRAM, 16, 16);
}

static void relocations(int fd)
{
	struct job *job = broken();

	job->relocs[1].program = 2;
	refused_at(fd, job, EINVAL, DRM_V3DCL_PART_RELOC, RELOC_FIELD(1, program));
	job = broken();
	job->relocs[1].program = ~0u;
	refused_at(fd, job, EINVAL, DRM_V3DCL_PART_RELOC, RELOC_FIELD(1, program));
	job = broken();
	job->relocs[1].slot = 4;
	refused_at(fd, job, EINVAL, DRM_V3DCL_PART_RELOC, RELOC_FIELD(1, slot));
	job = broken();
	job->relocs[0].handle = 0xdeadbeef;
	refused_at(fd, job, EINVAL, DRM_V3DCL_PART_RELOC, RELOC_FIELD(0, handle));
	job = broken();
	job->relocs[0].handle = base.program;		/* code cannot be written */
	refused_at(fd, job, EINVAL, DRM_V3DCL_PART_RELOC, RELOC_FIELD(0, handle));
	job = broken();
	job->relocs[0].offset = base.bo.size;
	refused_at(fd, job, EINVAL, DRM_V3DCL_PART_RELOC, RELOC_FIELD(0, offset));
	job = broken();
	job->relocs[0].offset = ~0u;
	refused_at(fd, job, EINVAL, DRM_V3DCL_PART_RELOC, RELOC_FIELD(0, offset));
	job = broken();
	job->relocs[1].flags = 0;
	refused_at(fd, job, EINVAL, DRM_V3DCL_PART_RELOC, RELOC_FIELD(1, flags));
	job = broken();
	job->relocs[1].flags = 7;
	refused_at(fd, job, EINVAL, DRM_V3DCL_PART_RELOC, RELOC_FIELD(1, flags));
}

static void unknown_objects(int fd)
{
	struct job *job = broken();

	job->submit.perfmon = 12345;
	refused_at(fd, job, ENOENT, 0, 0, 0);
	job = broken();
	job_in(job, 0xdead, 0);
	refused_at(fd, job, ENOENT, 0, 0, 0);
	job = broken();
	job_out(job, 0xdead, 0);
	refused_at(fd, job, ENOENT, 0, 0, 0);
	job = broken();
	job_out(job, 0, 0);
	refused_at(fd, job, ENOENT, 0, 0, 0);
}

/*
 * Where several things are wrong, the first of these is told: ranges, pointers, handles and what is
 * checked, perfmon, what is waited for, what is signalled. Syncobjs are copied when their turn
 * comes.
 */
static void first_error(int fd)
{
	struct job *job = broken();

	/* What is signalled: copied, its pads, looked up */
	job->submit.out_syncs = 8;
	job->submit.out_sync_count = 1;
	refused_at(fd, job, EFAULT, 0, 0, 0);
	job = broken();
	job_out(job, 0xdead, 0);
	job->out[0].pad = 1;
	refused_at(fd, job, EINVAL, ANY_PART, 0, 0);
	/* What is waited for comes before all of that */
	job = broken();
	job->submit.out_syncs = 8;
	job->submit.out_sync_count = 1;
	job_in(job, 0xdead, 0);
	refused_at(fd, job, ENOENT, 0, 0, 0);
	job = broken();
	job->submit.out_syncs = 8;
	job->submit.out_sync_count = 1;
	job_in(job, sync_create(fd), 0);
	refused_at(fd, job, EINVAL, ANY_PART, 0, 0);	/* without a fence */
	/* The perfmon before that */
	job = broken();
	job->submit.in_syncs = 8;
	job->submit.in_sync_count = 1;
	job->submit.perfmon = 12345;
	refused_at(fd, job, ENOENT, 0, 0, 0);
	/* What is checked before that */
	job = broken();
	job->submit.in_syncs = 8;
	job->submit.in_sync_count = 1;
	job->submit.perfmon = 12345;
	job->relocs[1].flags = 0;
	refused_at(fd, job, EINVAL, DRM_V3DCL_PART_RELOC, RELOC_FIELD(1, flags));
	/* Handles before that, pointers before handles */
	job = broken();
	job->relocs[1].flags = 0;
	job->programs[1].handle = 0xdeadbeef;
	refused_at(fd, job, EINVAL, DRM_V3DCL_PART_PROGRAM, PROGRAM_FIELD(1, handle));
	job = broken();
	job->submit.uniforms = 8;
	job->programs[1].handle = 0xdeadbeef;
	refused_at(fd, job, EFAULT, 0, 0, 0);
	/* Ranges before pointers */
	job = broken();
	job->submit.uniforms = 8;
	job->submit.in_sync_count = 65;
	refused_at(fd, job, EINVAL, DRM_V3DCL_PART_SUBMIT, SUBMIT_FIELD(in_sync_count));
}

static void timeouts(int fd)
{
	struct job *job = broken();

	job->submit.timeout_ns = v3dcl_param(fd, DRM_V3DCL_PARAM_MAX_TIMEOUT_NS) + 1;
	refused_at(fd, job, EINVAL, DRM_V3DCL_PART_SUBMIT, SUBMIT_FIELD(timeout_ns));
	job = broken();
	job->submit.timeout_ns = ~0ull;
	refused_at(fd, job, EINVAL, DRM_V3DCL_PART_SUBMIT, SUBMIT_FIELD(timeout_ns));
	job = broken();
	job->submit.timeout_ns = v3dcl_param(fd, DRM_V3DCL_PARAM_MAX_TIMEOUT_NS);
	job_finish(fd, job);
}

/*
 * The last failure's traces: a refused submit signals nothing, takes no seqno, and the next one is
 * well
 */
static void refused_leaves_nothing(int fd)
{
	uint32_t sync = sync_create(fd);
	struct job *job = broken();
	uint64_t seqno;

	job_submit(fd, job);
	seqno = job->submit.seqno;
	igt_assert_eq(seqno_wait(fd, seqno, LONG_WAIT), 0);
	job_out(job, sync, 0);
	job->relocs[1].flags = 0;
	igt_assert_eq(job_try(fd, job), EINVAL);
	igt_assert_eq(sync_wait(fd, sync, 0), EINVAL);		/* has no fence */
	job->relocs[1].flags = DRM_V3DCL_RELOC_WRITE;
	job_submit(fd, job);
	igt_assert_eq_u64(job->submit.seqno, seqno + 1);
	igt_assert_eq(sync_result(fd, sync), 1);
	sync_destroy(fd, sync);
	free(job);
}

static void program_arguments(int fd)
{
	static uint64_t code[2];
	struct drm_v3dcl_create_program create = { .code = (uintptr_t)code };
	static const uint32_t sizes[] = { 0, 4, 12, (1 << 20) + 8, ~7u, ~0u };
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(sizes); i++) {
		create.size = sizes[i];
		do_ioctl_err(fd, DRM_IOCTL_V3DCL_CREATE_PROGRAM, &create, EINVAL);
	}
	create = (struct drm_v3dcl_create_program){ .code = (uintptr_t)code, .size = 16,
						    .flags = 2 };
	do_ioctl_err(fd, DRM_IOCTL_V3DCL_CREATE_PROGRAM, &create, EINVAL);
	create = (struct drm_v3dcl_create_program){ .code = (uintptr_t)code, .size = 16, .pad = 1 };
	do_ioctl_err(fd, DRM_IOCTL_V3DCL_CREATE_PROGRAM, &create, EINVAL);
	create = (struct drm_v3dcl_create_program) { .code = 8, .size = 16 };
	do_ioctl_err(fd, DRM_IOCTL_V3DCL_CREATE_PROGRAM, &create, EFAULT);
}

/* Code that never ends, or whose end has no delay slots, is refused: the record names the code */
static void program_without_end(int fd)
{
	struct drm_v3dcl_refusal refusal;
	uint64_t code[8];
	uint32_t handle;
	struct qb b;

	qb_init(&b, code, 8);
	qb_nops(&b, 4);
	igt_assert_eq(program_try(fd, code, 32, &handle), EINVAL);
	refusal = refusal_get(fd);
	igt_assert_eq_u32(refusal.part, DRM_V3DCL_PART_CODE);
	igt_assert_neq_u32(refusal.rule, 0);
	igt_assert_lt(refusal.offset, 33);
	qb_init(&b, code, 8);
	qb_end(&b);
	igt_assert_eq(program_try(fd, code, 8, &handle), EINVAL);
	igt_assert_eq_u32(refusal_get(fd).part, DRM_V3DCL_PART_CODE);
	igt_assert_eq(program_try(fd, code, 24, &handle), 0);
	gem_close(fd, handle);
}

/* An address that is not known: where it was lost */
static void program_lost_value(int fd)
{
	struct drm_v3dcl_refusal refusal;
	uint64_t code[8];
	uint32_t handle;
	struct qb b;

	qb_init(&b, code, 8);
	qb_emit(&b, qb_mov(QB_R0, QB_UNIF));
	qb_emit(&b, qb_add(V3D_QPU_ADD_FADD, QB_R0, QB_R0, QB_R0));
	qb_emit(&b, qb_mov(QB_TMU0_S, QB_R0));
	qb_end(&b);
	igt_assert_eq(program_try(fd, code, 6 * 8, &handle), EINVAL);
	refusal = refusal_get(fd);
	igt_assert_eq_u32(refusal.part, DRM_V3DCL_PART_CODE);
	igt_assert_eq_u32(refusal.offset, 2 * 8);
	igt_assert_eq_u32(refusal.value, DRM_V3DCL_VALUE_UNKNOWN);
	igt_assert_eq_u32(refusal.lost, 2);
}

/* A BO of a program can be neither mapped nor exported nor rendered to */
static void program_is_immutable(int fd)
{
	struct drm_vc4_mmap_bo map = { .handle = base.program };
	struct drm_prime_handle export = { .handle = base.program,
					   .flags = DRM_CLOEXEC | DRM_RDWR };
	struct render *r = render_new(8, 8);
	struct bo code = { .handle = base.program };

	do_ioctl_err(fd, DRM_IOCTL_VC4_MMAP_BO, &map, EINVAL);
	igt_assert_eq(igt_ioctl(fd, DRM_IOCTL_PRIME_HANDLE_TO_FD, &export), -1);
	render_clear(r, 0, 0, 0);
	render_surface(r, &r->submit.color_write, code.handle, 0, RENDER_PIXEL(V3D_FRAME_RGBA8888));
	igt_assert_eq(render_try(fd, r), EINVAL);
	free(r);
}

static void parameters(int fd)
{
	struct drm_v3dcl_get_param get = { .param = DRM_V3DCL_PARAM_VERSION, .pad = 1 };

	igt_assert_eq_u64(v3dcl_param(fd, DRM_V3DCL_PARAM_VERSION), 5);
	igt_assert_eq_u64(v3dcl_param(fd, DRM_V3DCL_PARAM_QPUS), 12);
	igt_assert_eq_u64(v3dcl_param(fd, DRM_V3DCL_PARAM_VPM_ROWS), 64);
	igt_assert_eq_u64(v3dcl_param(fd, DRM_V3DCL_PARAM_MAX_PROGRAMS), 256);
	igt_assert_lt_u64(1023, v3dcl_param(fd, DRM_V3DCL_PARAM_MAX_UNIFORMS));
	igt_assert_lt_u64(255, v3dcl_param(fd, DRM_V3DCL_PARAM_MAX_RELOCS));
	igt_assert_lt_u64(NSEC_PER_SEC - 1, v3dcl_param(fd, DRM_V3DCL_PARAM_MAX_TIMEOUT_NS));
	igt_assert_lt_u64(0, v3dcl_param(fd, DRM_V3DCL_PARAM_MEMORY_BUDGET));
	igt_assert_lt_u64(v3dcl_param(fd, DRM_V3DCL_PARAM_UNVERIFIED), 2);
	do_ioctl_err(fd, DRM_IOCTL_V3DCL_GET_PARAM, &get, EINVAL);
	get = (struct drm_v3dcl_get_param) { .param = DRM_V3DCL_PARAM_REFUSED_NS + 1 };
	do_ioctl_err(fd, DRM_IOCTL_V3DCL_GET_PARAM, &get, EINVAL);
	get.param = ~0u;
	do_ioctl_err(fd, DRM_IOCTL_V3DCL_GET_PARAM, &get, EINVAL);
}

/* What BOs take shows, and comes back */
static void memory_used(int fd)
{
	uint64_t before = v3dcl_param(fd, DRM_V3DCL_PARAM_MEMORY_USED);
	struct bo bo = bo_create(fd, 1 << 20);

	igt_assert_eq_u64(v3dcl_param(fd, DRM_V3DCL_PARAM_MEMORY_USED), before + (1 << 20));
	igt_assert_lte_u64(before + (1 << 20), v3dcl_param(fd, DRM_V3DCL_PARAM_MEMORY_BUDGET));
	bo_destroy(fd, &bo);
	igt_assert_eq_u64(v3dcl_param(fd, DRM_V3DCL_PARAM_MEMORY_USED), before);
}

/* Refusals are a file's own: a new one has none, and does not see this one's */
static void refusal_per_file(int fd)
{
	struct drm_v3dcl_refusal refusal = { .pad = 1 };
	struct job *job = broken();
	int other = drm_open_driver(DRIVER_VC4);

	job->relocs[1].flags = 0;
	refused_at(fd, job, EINVAL, DRM_V3DCL_PART_RELOC, RELOC_FIELD(1, flags));
	igt_assert_eq_u32(refusal_get(other).part, DRM_V3DCL_PART_NONE);
	igt_assert_eq_u32(refusal_get(fd).part, DRM_V3DCL_PART_RELOC);
	do_ioctl_err(fd, DRM_IOCTL_V3DCL_GET_REFUSAL, &refusal, EINVAL);
	drm_close_driver(other);
}

/* 0, or the number of the first check that failed */
static int try_as_nobody(int fd)
{
	struct drm_v3dcl_submit_lists lists = { .bo_count = 1 };
	uint64_t code[4];
	uint32_t handle;
	struct qb b;

	qb_init(&b, code, 4);
	qb_end(&b);
	if (v3dcl_param(fd, DRM_V3DCL_PARAM_UNVERIFIED) != 0)
		return 1;
	if (program_try_flags(fd, code, 24, DRM_V3DCL_PROGRAM_UNVERIFIED, &handle) != EACCES)
		return 2;
	if (igt_ioctl(fd, DRM_IOCTL_V3DCL_SUBMIT_LISTS, &lists) != -1 || errno != EACCES)
		return 3;
	if (program_try(fd, code, 24, &handle))
		return 4;
	return job_try(fd, base.job) ? 5 : 0;
}

/* A child that has dropped its rights makes programs that can be verified, and runs them */
static void not_root(int fd)
{
	igt_assert_eq(as_nobody(fd, try_as_nobody), 0);
}

/* Where the module does not allow it, root has no more rights than others */
static void needs_parameter(int fd)
{
	struct drm_v3dcl_submit_lists lists = { .bo_count = 1 };
	uint64_t code[4];
	uint32_t handle;
	struct qb b;

	igt_require_f(!v3dcl_param(fd, DRM_V3DCL_PARAM_UNVERIFIED),
		      "the module was loaded with unverified=1\n");
	qb_init(&b, code, 4);
	qb_end(&b);
	igt_assert_eq(program_try_flags(fd, code, 24, DRM_V3DCL_PROGRAM_UNVERIFIED, &handle),
		      EACCES);
	do_ioctl_err(fd, DRM_IOCTL_V3DCL_SUBMIT_LISTS, &lists, EACCES);
}

/*
 * A shorter struct is taken as ending in zeros; a longer one of a later version too, as long as its
 * new end is zero
 */
static void struct_sizes(int fd)
{
	struct {
		struct drm_v3dcl_submit_qpu submit;
		uint64_t more[2];
	} longer = { .submit = base.job->submit };
	unsigned long request = DRM_IOWR(DRM_COMMAND_BASE + DRM_V3DCL_SUBMIT_QPU, longer);

	igt_assert_eq(igt_ioctl(fd, request, &longer), 0);
	igt_assert_eq(seqno_wait(fd, longer.submit.seqno, LONG_WAIT), 0);
}

static const struct subtest tests[] = {
	{ "parameters", parameters, "GET_PARAM: each known one, unknown ones, pad" },
	{ "memory-used", memory_used, "BOs show in the memory used" },
	{ "program-arguments", program_arguments, "CREATE_PROGRAM: sizes, flags, pad, pointer" },
	{ "program-without-end", program_without_end, "Code that lacks its end" },
	{ "program-lost-value", program_lost_value, "An address that is lost, and where" },
	{ "program-is-immutable", program_is_immutable,
	  "Code can be neither mapped nor exported nor rendered to" },
	{ "counts", counts, "SUBMIT_QPU: counts of 0 and above the limits" },
	{ "flags-and-pads", flags_and_pads, "SUBMIT_QPU: unknown flags, pads that are not 0" },
	{ "pointers", pointers, "SUBMIT_QPU: bad user pointers" },
	{ "programs", programs, "SUBMIT_QPU: each field of a program" },
	{ "relocations", relocations, "SUBMIT_QPU: each field of a relocation" },
	{ "unknown-objects", unknown_objects,
	  "SUBMIT_QPU: perfmon and syncobjs that do not exist" },
	{ "first-error", first_error, "SUBMIT_QPU: which of several errors is told" },
	{ "timeouts", timeouts, "SUBMIT_QPU: a timeout above the limit, and at it" },
	{ "refused-leaves-nothing", refused_leaves_nothing,
	  "A refused submit takes no seqno and signals nothing" },
	{ "refusal-per-file", refusal_per_file, "Refusal records are a file's own" },
	{ "not-root", not_root, "Verified programs take no rights, others do" },
	{ "needs-parameter", needs_parameter,
	  "Unverified programs and raw lists take the module's parameter" },
	{ "struct-sizes", struct_sizes, "A longer struct that ends in zeros" },
};

v3dcl_main()
{
	v3dcl_fixture() {
		drm_fd = drm_open_driver(DRIVER_VC4);
		require_v3dcl(drm_fd);
		base_make(drm_fd);
	}

	run_subtests(tests, ARRAY_SIZE(tests), drm_fd);

	v3dcl_fixture() {
		base_free(drm_fd);
		drm_close_driver(drm_fd);
	}
}
