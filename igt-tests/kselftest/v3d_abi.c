// SPDX-License-Identifier: MIT
/*
 * The bare ABI of the vc4 ioctls, 0x00 to 0x0e, errno by errno, and the layout of all structs.
 * Built for 64 and for 32 bits: both must get the same answers from one kernel.
 */
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <drm.h>
#include <drm_fourcc.h>

#include <drm/v3dcl_drm.h>

#include "../ioctl.h"
#include "kselftest.h"
#include "v3dcl_qpu_build.h"

#define LONG_WAIT 200000000000ull
#define BAD_POINTER 8

/* The same layout for every caller */
_Static_assert(sizeof(struct drm_vc4_submit_cl) == 176, "SUBMIT_CL");
_Static_assert(sizeof(struct drm_vc4_create_shader_bo) == 32 - 8, "CREATE_SHADER_BO");
_Static_assert(sizeof(struct drm_vc4_get_hang_state) == 160, "GET_HANG_STATE");
_Static_assert(sizeof(struct drm_v3dcl_get_param) == 16, "GET_PARAM");
_Static_assert(sizeof(struct drm_v3dcl_create_program) == 24, "CREATE_PROGRAM");
_Static_assert(sizeof(struct drm_v3dcl_program) == 16, "program");
_Static_assert(sizeof(struct drm_v3dcl_reloc) == 24, "reloc");
_Static_assert(sizeof(struct drm_v3dcl_sync) == 16, "sync");
_Static_assert(sizeof(struct drm_v3dcl_submit_qpu) == 88, "SUBMIT_QPU");
_Static_assert(offsetof(struct drm_v3dcl_submit_qpu, seqno) == 80, "SUBMIT_QPU's seqno");
_Static_assert(sizeof(struct drm_v3dcl_refusal) == 216, "GET_REFUSAL");
_Static_assert(sizeof(struct drm_v3dcl_address) == 16, "address");
_Static_assert(sizeof(struct drm_v3dcl_list) == 16, "list");
_Static_assert(sizeof(struct drm_v3dcl_submit_lists) == 96, "SUBMIT_LISTS");
_Static_assert(offsetof(struct drm_v3dcl_submit_lists, seqno) == 88, "SUBMIT_LISTS' seqno");
_Static_assert(sizeof(struct drm_v3dcl_stage) == 24, "stage");
_Static_assert(offsetof(struct drm_v3dcl_submit_frame, bin) == 176, "SUBMIT_FRAME's bin");
_Static_assert(sizeof(struct drm_v3dcl_submit_frame) == 232, "SUBMIT_FRAME");

/* One line of TAP: does this call end with that errno? */
static bool want(int fd, unsigned long request, void *arg, int error, const char *what)
{
	int got = call(fd, request, arg);

	if (got != error)
		ksft_print_msg("errno %d (%s), not %d (%s)\n", got, strerror(got), error,
			       strerror(error));
	ksft_test_result(got == error, "%s: %s\n", what, error ? strerror(error) : "works");
	return got == error;
}

#define WANT(nr, arg, error, what) want(fd, DRM_IOCTL_VC4_##nr, arg, error, #nr ": " what)

static uint32_t make_bo(int fd, uint32_t size)
{
	struct drm_vc4_create_bo create = { .size = size };

	return call(fd, DRM_IOCTL_VC4_CREATE_BO, &create) ? 0 : create.handle;
}

static void *map_bo(int fd, uint32_t handle, uint32_t size)
{
	struct drm_vc4_mmap_bo map = { .handle = handle };
	void *p = MAP_FAILED;

	if (!call(fd, DRM_IOCTL_VC4_MMAP_BO, &map))
		p = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, map.offset);
	return p == MAP_FAILED ? NULL : p;
}

static void close_bo(int fd, uint32_t handle)
{
	struct drm_gem_close close_args = { .handle = handle };

	call(fd, DRM_IOCTL_GEM_CLOSE, &close_args);
}

/* --- 00 to 02 --------------------------------------------------------------------------------- */

/* A clear of 64 x 64 pixels, which works; cases change one thing */
static struct drm_vc4_submit_cl clear_job(uint32_t *handle)
{
	struct drm_vc4_submit_rcl_surface none = { .hindex = ~0u };
	struct drm_vc4_submit_cl submit = {
		.bo_handles = (uintptr_t)handle,
		.bo_handle_count = 1,
		.width = 64,
		.height = 64,
		.color_read = none,
		.zs_read = none,
		.zs_write = none,
		.msaa_color_write = none,
		.msaa_zs_write = none,
		.color_write = { .bits = 1 << 2 },
		.clear_color = { 0x12345678, 0x12345678 },
		.flags = VC4_SUBMIT_CL_USE_CLEAR_COLOR,
	};

	return submit;
}

static void submit_arguments(int fd, uint32_t handle)
{
	struct drm_vc4_submit_cl s = clear_job(&handle), good = s;
	uint32_t unknown = 0xdeadbeef;

	s.bo_handles = (uintptr_t)&unknown;
	WANT(SUBMIT_CL, &s, EINVAL, "unknown BO handle");
	s = good;
	s.bo_handles = BAD_POINTER;
	WANT(SUBMIT_CL, &s, EFAULT, "bad pointer to handles");
	s = good;
	s.bo_handle_count = 0;
	WANT(SUBMIT_CL, &s, EINVAL, "surface without a BO");
	s = good;
	s.bo_handle_count = ~0u;
	WANT(SUBMIT_CL, &s, EINVAL, "more handles than memory");
	s = good, s.flags |= 1 << 4;
	WANT(SUBMIT_CL, &s, EINVAL, "unknown flag");
	s = good, s.flags |= 1u << 31;
	WANT(SUBMIT_CL, &s, EINVAL, "unknown high flag");
	s = good;
	s.pad = 1;
	WANT(SUBMIT_CL, &s, EINVAL, "pad");
	s = good;
	s.pad2 = 1;
	WANT(SUBMIT_CL, &s, EINVAL, "second pad");
	s = good;
	s.perfmonid = 4711;
	WANT(SUBMIT_CL, &s, ENOENT, "unknown perfmon");
	s = good;
	s.in_sync = 4711;
	WANT(SUBMIT_CL, &s, ENOENT, "unknown in_sync");
	s = good;
	s.color_write.hindex = 1;
	WANT(SUBMIT_CL, &s, EINVAL, "surface of a BO not given");
	s = good;
	s.color_write.offset = 16;
	WANT(SUBMIT_CL, &s, EINVAL, "surface past the end of its BO");
	s = good;
	s.color_write.offset = ~15u;
	WANT(SUBMIT_CL, &s, EINVAL, "surface whose end wraps around");
	s = good;
	s.color_write.offset = 4;
	WANT(SUBMIT_CL, &s, EINVAL, "surface not aligned");
	s = good;
	s.color_write.flags = 2;
	WANT(SUBMIT_CL, &s, EINVAL, "unknown flag of a surface");
	s = good, s.color_write.bits |= 1 << 12;
	WANT(SUBMIT_CL, &s, EINVAL, "unknown bit of a surface");
	s = good;
	s.min_x_tile = 1;
	WANT(SUBMIT_CL, &s, EINVAL, "first tile after the last");
	s = good;
	s.width = s.height = 65535;
	WANT(SUBMIT_CL, &s, EINVAL, "frame larger than its BO");
}

/*
 * Where several things are wrong: handles, the perfmon, pointers to lists, what is checked, what is
 * waited for, what is signalled
 */
static void submit_first_error(int fd, uint32_t handle)
{
	struct drm_vc4_submit_cl s = clear_job(&handle);

	s.out_sync = 4711;
	WANT(SUBMIT_CL, &s, EINVAL, "unknown out_sync");
	s.in_sync = 4711;
	WANT(SUBMIT_CL, &s, ENOENT, "in_sync before out_sync");
	s.color_write.hindex = 1;
	WANT(SUBMIT_CL, &s, EINVAL, "surfaces before in_sync");
	s.bin_cl = BAD_POINTER;
	s.bin_cl_size = 8;
	WANT(SUBMIT_CL, &s, EFAULT, "pointers to lists before surfaces");
	s.perfmonid = 4711;
	WANT(SUBMIT_CL, &s, ENOENT, "the perfmon before pointers to lists");
	s.bo_handles = BAD_POINTER;
	WANT(SUBMIT_CL, &s, EFAULT, "the pointer to handles before the perfmon");
	s.pad2 = 1;
	WANT(SUBMIT_CL, &s, EINVAL, "pads before pointers");
}

static void submit_results(int fd, uint32_t handle, const uint32_t *map)
{
	struct drm_vc4_submit_cl s = clear_job(&handle);
	struct drm_vc4_wait_seqno wait = { .timeout_ns = LONG_WAIT };
	struct drm_vc4_wait_bo wait_bo = { .handle = handle };
	uint64_t first;
	unsigned int i;

	WANT(SUBMIT_CL, &s, 0, "a clear without a bin list");
	first = s.seqno;
	wait.seqno = s.seqno;
	WANT(WAIT_SEQNO, &wait, 0, "for a job");
	for (i = 0; i < 4096 && map[i] == 0x12345678; i++)
		;
	ksft_test_result(i == 4096, "SUBMIT_CL: every pixel is cleared\n");
	WANT(WAIT_BO, &wait_bo, 0, "idle BO, poll");
	call(fd, DRM_IOCTL_VC4_SUBMIT_CL, &s);
	ksft_test_result(s.seqno == first + 1, "SUBMIT_CL: seqnos follow each other\n");
	wait.seqno = s.seqno;
	WANT(WAIT_SEQNO, &wait, 0, "for the next job");
	s.color_write.hindex = ~0u;
	WANT(SUBMIT_CL, &s, 0, "nothing to write");
	wait.seqno = s.seqno;
	WANT(WAIT_SEQNO, &wait, 0, "for a job that writes nothing");
	wait.timeout_ns = 0;
	WANT(WAIT_SEQNO, &wait, 0, "poll of a job that is done");
	wait.timeout_ns = ~0ull;
	WANT(WAIT_SEQNO, &wait, 0, "for ever, for a job that is done");
	wait.seqno = ~0ull;
	wait.timeout_ns = 0;
	WANT(WAIT_SEQNO, &wait, ETIME, "poll of a seqno never issued");
	wait.timeout_ns = 1;
	WANT(WAIT_SEQNO, &wait, ETIME, "1 ns for a seqno never issued");
	wait.seqno = s.seqno + 1;
	wait.timeout_ns = 1000000;
	WANT(WAIT_SEQNO, &wait, ETIME, "1 ms for the seqno to come");
	wait_bo.handle = 0xdeadbeef;
	WANT(WAIT_BO, &wait_bo, EINVAL, "unknown handle");
	wait_bo.handle = 0;
	WANT(WAIT_BO, &wait_bo, EINVAL, "handle 0");
	wait_bo.handle = handle;
	wait_bo.pad = 1;
	WANT(WAIT_BO, &wait_bo, EINVAL, "pad");
}

static void test_submit(int fd)
{
	uint32_t handle = make_bo(fd, 64 * 64 * 4), *map = map_bo(fd, handle, 64 * 64 * 4);

	ksft_test_result(handle && map, "a BO to render to\n");
	if (!map)
		return;
	submit_arguments(fd, handle);
	submit_first_error(fd, handle);
	submit_results(fd, handle, map);
	munmap(map, 64 * 64 * 4);
	close_bo(fd, handle);
}

/* --- 03 to 05 --------------------------------------------------------------------------------- */

static void test_create(int fd)
{
	struct drm_vc4_create_bo create = { .size = 0 };
	uint32_t *map;
	unsigned int i;

	WANT(CREATE_BO, &create, EINVAL, "size 0");
	create.size = ~0u;
	ksft_test_result(call(fd, DRM_IOCTL_VC4_CREATE_BO, &create) != 0,
			 "CREATE_BO: 4 GiB is refused\n");
	create.size = 1;
	if (!WANT(CREATE_BO, &create, 0, "1 byte"))
		return;
	map = map_bo(fd, create.handle, 4096);
	for (i = 0; map && i < 1024 && !map[i]; i++)
		;
	ksft_test_result(i == 1024, "CREATE_BO: a whole page, of zeros\n");
	if (map)
		munmap(map, 4096);
	close_bo(fd, create.handle);
}

/* Until there is no more: the end is ENOMEM, and all comes back */
static void test_exhaustion(int fd)
{
	static uint32_t handles[4096];
	struct drm_vc4_create_bo create = { .size = 1 << 20 };
	unsigned int i, again = 0;
	int error = 0, round;

	for (round = 0; round < 2; round++) {
		for (i = 0; i < 4096; i++) {
			error = call(fd, DRM_IOCTL_VC4_CREATE_BO, &create);
			if (error)
				break;
			handles[i] = create.handle;
		}
		ksft_test_result(error == ENOMEM && i > 0,
				 "CREATE_BO: ENOMEM at the end of memory (%s)\n",
				 round ? "again" : "first");
		if (round)
			ksft_test_result(i == again,
					 "CREATE_BO: as much again after all were closed\n");
		again = i;
		while (i--)
			close_bo(fd, handles[i]);
	}
}

static void test_mmap(int fd)
{
	struct drm_vc4_mmap_bo map = { .handle = 0xdeadbeef };
	uint32_t handle = make_bo(fd, 8192), *p;

	WANT(MMAP_BO, &map, EINVAL, "unknown handle");
	map.handle = 0;
	WANT(MMAP_BO, &map, EINVAL, "handle 0");
	map.handle = handle;
	WANT(MMAP_BO, &map, 0, "a BO");
	ksft_test_result(!(map.offset & 4095) && map.offset,
			 "MMAP_BO: the offset is of whole pages\n");
	p = map_bo(fd, handle, 8192);
	ksft_test_result(p, "MMAP_BO: maps\n");
	if (!p)
		return;
	close_bo(fd, handle);
	p[2047] = 77;
	ksft_test_result(p[2047] == 77, "MMAP_BO: a mapping outlives its handle\n");
	munmap(p, 8192);
}

static void test_shader(int fd)
{
	uint64_t code[4];
	struct drm_vc4_create_shader_bo create = { .data = (uintptr_t)code };
	struct drm_prime_handle export = { .flags = DRM_CLOEXEC };
	struct drm_vc4_mmap_bo map = { .handle = 0 };
	struct qb b;

	qb_init(&b, code, 4);
	qb_nops(&b, 1);
	qb_end(&b);
	WANT(CREATE_SHADER_BO, &create, EINVAL, "size 0");
	create.size = 12;
	WANT(CREATE_SHADER_BO, &create, EINVAL, "half an instruction");
	create.size = 8;
	WANT(CREATE_SHADER_BO, &create, EINVAL, "no end");
	create.size = 32;
	create.flags = 1;
	WANT(CREATE_SHADER_BO, &create, EINVAL, "flags");
	create.flags = 0;
	create.pad = 1;
	WANT(CREATE_SHADER_BO, &create, EINVAL, "pad");
	create.pad = 0;
	create.data = BAD_POINTER;
	WANT(CREATE_SHADER_BO, &create, EFAULT, "bad pointer");
	create.data = (uintptr_t)code;
	if (!WANT(CREATE_SHADER_BO, &create, 0, "a shader that does nothing"))
		return;
	export.handle = create.handle;
	map.handle = create.handle;
	ksft_test_result(call(fd, DRM_IOCTL_PRIME_HANDLE_TO_FD, &export) != 0,
			 "CREATE_SHADER_BO: cannot be exported\n");
	WANT(MMAP_BO, &map, EINVAL, "a shader");
	close_bo(fd, create.handle);
}

/* --- 06 to 0b --------------------------------------------------------------------------------- */

static void test_params(int fd)
{
	struct drm_vc4_get_param get = { .param = DRM_VC4_PARAM_V3D_IDENT0 };
	unsigned int i;

	WANT(GET_PARAM, &get, 0, "IDENT0");
	/* HW */
	ksft_test_result(get.value == 0x02443356, "GET_PARAM: IDENT0 is that of V3D version 2\n");
	get.param = DRM_VC4_PARAM_V3D_IDENT1;
	WANT(GET_PARAM, &get, 0, "IDENT1");
	ksft_test_result((get.value >> 4 & 15) * (get.value >> 8 & 15) == 12,
			 "GET_PARAM: IDENT1 says 12 QPUs\n");
	get.param = DRM_VC4_PARAM_V3D_IDENT2;
	WANT(GET_PARAM, &get, 0, "IDENT2");
	for (i = DRM_VC4_PARAM_SUPPORTS_BRANCHES; i <= DRM_VC4_PARAM_SUPPORTS_PERFMON; i++) {
		get = (struct drm_vc4_get_param) { .param = i };
		ksft_test_result(!call(fd, DRM_IOCTL_VC4_GET_PARAM, &get) && get.value == 1,
				 "GET_PARAM: feature %u is there\n", i);
	}
	get.param = DRM_VC4_PARAM_SUPPORTS_PERFMON + 1;
	WANT(GET_PARAM, &get, EINVAL, "unknown parameter");
	get.param = ~0u;
	WANT(GET_PARAM, &get, EINVAL, "parameter ~0");
	get.param = 0;
	get.pad = 1;
	WANT(GET_PARAM, &get, EINVAL, "pad");
}

static void test_tiling(int fd)
{
	struct drm_vc4_get_tiling get = { .handle = 0 };
	struct drm_vc4_set_tiling set = { .handle = 0xdeadbeef };
	uint32_t handle = make_bo(fd, 4096);

	WANT(GET_TILING, &get, ENOENT, "handle 0");
	WANT(SET_TILING, &set, ENOENT, "unknown handle");
	get.handle = handle;
	set.handle = handle;
	WANT(GET_TILING, &get, 0, "a new BO");
	ksft_test_result(get.modifier == DRM_FORMAT_MOD_LINEAR, "GET_TILING: a new BO is linear\n");
	set.modifier = DRM_FORMAT_MOD_BROADCOM_VC4_T_TILED;
	WANT(SET_TILING, &set, 0, "T-tiled");
	WANT(GET_TILING, &get, 0, "a T-tiled BO");
	ksft_test_result(get.modifier == DRM_FORMAT_MOD_BROADCOM_VC4_T_TILED,
			 "GET_TILING: T-tiled\n");
	WANT(GET_TILING, &get, EINVAL, "modifier not 0");
	get.modifier = 0;
	get.flags = 1;
	WANT(GET_TILING, &get, EINVAL, "flags");
	set.flags = 1;
	WANT(SET_TILING, &set, EINVAL, "flags");
	set.flags = 0;
	set.modifier = 0x1234;
	WANT(SET_TILING, &set, EINVAL, "unknown modifier");
	set.modifier = DRM_FORMAT_MOD_INVALID;
	WANT(SET_TILING, &set, EINVAL, "invalid modifier");
	close_bo(fd, handle);
	get = (struct drm_vc4_get_tiling) { .handle = make_bo(fd, 4096) };
	WANT(GET_TILING, &get, 0, "a BO in the place of another");
	ksft_test_result(get.modifier == DRM_FORMAT_MOD_LINEAR, "GET_TILING: it is linear again\n");
	close_bo(fd, get.handle);
}

static void test_label(int fd)
{
	static const char name[] = "my own name";
	uint32_t handle = make_bo(fd, 4096);
	struct drm_vc4_label_bo label = { .handle = 0xdeadbeef, .len = sizeof(name) - 1,
					  .name = (uintptr_t)name };

	WANT(LABEL_BO, &label, ENOENT, "unknown handle");
	label.handle = handle;
	WANT(LABEL_BO, &label, 0, "a name");
	WANT(LABEL_BO, &label, 0, "the same name again");
	label.name = (uintptr_t)"BCL";
	label.len = 3;
	WANT(LABEL_BO, &label, 0, "a name that a driver might use itself");
	label.name = BAD_POINTER;
	label.len = 10;
	WANT(LABEL_BO, &label, EFAULT, "bad pointer");
	close_bo(fd, handle);
}

static void test_madvise(int fd)
{
	struct drm_vc4_gem_madvise advise = { .handle = 0xdeadbeef, .madv = VC4_MADV_WILLNEED };
	uint32_t handle = make_bo(fd, 4096);

	WANT(GEM_MADVISE, &advise, ENOENT, "unknown handle");
	advise.handle = handle;
	WANT(GEM_MADVISE, &advise, 0, "needed");
	ksft_test_result(advise.retained == 1, "GEM_MADVISE: its contents are there\n");
	advise.madv = VC4_MADV_DONTNEED;
	WANT(GEM_MADVISE, &advise, 0, "not needed");
	advise.madv = VC4_MADV_WILLNEED;
	advise.retained = 0;
	WANT(GEM_MADVISE, &advise, 0, "needed again");
	ksft_test_result(advise.retained == 1, "GEM_MADVISE: its contents are still there\n");
	advise.madv = __VC4_MADV_PURGED;
	WANT(GEM_MADVISE, &advise, EINVAL, "an inner state");
	advise.madv = ~0u;
	WANT(GEM_MADVISE, &advise, EINVAL, "unknown advice");
	advise.madv = VC4_MADV_WILLNEED;
	advise.pad = 1;
	WANT(GEM_MADVISE, &advise, EINVAL, "pad");
	close_bo(fd, handle);
}

/* --- 0c to 0e --------------------------------------------------------------------------------- */

static void test_perfmon(int fd)
{
	struct drm_vc4_perfmon_create create = { .ncounters = 0 };
	struct drm_vc4_perfmon_destroy destroy = { .id = 4711 };
	struct drm_vc4_perfmon_get_values get = { .id = 4711 };
	uint64_t values[DRM_VC4_MAX_PERF_COUNTERS + 1];
	unsigned int i;

	WANT(PERFMON_CREATE, &create, EINVAL, "no counters");
	create.ncounters = DRM_VC4_MAX_PERF_COUNTERS + 1;
	WANT(PERFMON_CREATE, &create, EINVAL, "17 counters");
	create.ncounters = ~0u;
	WANT(PERFMON_CREATE, &create, EINVAL, "too many counters");
	create.ncounters = 1;
	create.events[0] = VC4_PERFCNT_NUM_EVENTS;
	WANT(PERFMON_CREATE, &create, EINVAL, "unknown event");
	create.events[0] = 255;
	WANT(PERFMON_CREATE, &create, EINVAL, "event 255");
	create.events[0] = 0;
	WANT(PERFMON_DESTROY, &destroy, EINVAL, "unknown id");
	WANT(PERFMON_GET_VALUES, &get, EINVAL, "unknown id");
	for (i = 0; i < DRM_VC4_MAX_PERF_COUNTERS; i++)
		create.events[i] = i + 14;
	create.ncounters = DRM_VC4_MAX_PERF_COUNTERS;
	WANT(PERFMON_CREATE, &create, 0, "16 counters");
	ksft_test_result(create.id != 0, "PERFMON_CREATE: the id is not 0\n");
	get.id = create.id;
	destroy.id = create.id;
	WANT(PERFMON_GET_VALUES, &get, EFAULT, "no place for the values");
	memset(values, 0xa5, sizeof(values));
	get.values_ptr = (uintptr_t)values;
	WANT(PERFMON_GET_VALUES, &get, 0, "16 values");
	for (i = 0; i < DRM_VC4_MAX_PERF_COUNTERS && !values[i]; i++)
		;
	ksft_test_result(i == DRM_VC4_MAX_PERF_COUNTERS && values[i] == 0xa5a5a5a5a5a5a5a5,
			 "PERFMON_GET_VALUES: 16 zeros, no more\n");
	WANT(PERFMON_DESTROY, &destroy, 0, "a perfmon");
	WANT(PERFMON_DESTROY, &destroy, EINVAL, "it is gone");
}

/* --- who may ---------------------------------------------------------------------------------- */

/*
 * What only root may, by a child that has dropped its rights. Its answers come back as an exit
 * status: a bit a call.
 */
static void test_rights(int fd)
{
	struct drm_vc4_get_hang_state hang = { .bo_count = 0 };
	uint64_t code[4];
	struct drm_vc4_create_shader_bo shader = { .data = (uintptr_t)code, .size = 32 };
	int status = 0;
	struct qb b;
	pid_t pid;

	qb_init(&b, code, 4);
	qb_nops(&b, 1);
	qb_end(&b);
	pid = fork();
	if (!pid) {
		if (setgid(65534) || setuid(65534))
			_exit(0);
		status |= (call(fd, DRM_IOCTL_VC4_GET_HANG_STATE, &hang) == EACCES) << 0;
		status |= (call(fd, DRM_IOCTL_VC4_CREATE_SHADER_BO, &shader) == 0) << 1;
		status |= (make_bo(fd, 4096) != 0) << 2;
		_exit(status);
	}
	waitpid(pid, &status, 0);
	status = WIFEXITED(status) ? WEXITSTATUS(status) : 0;
	ksft_test_result(status & 1, "GET_HANG_STATE: not root: Permission denied\n");
	ksft_test_result(status & 2, "CREATE_SHADER_BO: not root: works\n");
	ksft_test_result(status & 4, "CREATE_BO: not root: works\n");
	/* Tests of hangs may have run before */
	status = call(fd, DRM_IOCTL_VC4_GET_HANG_STATE, &hang);
	ksft_test_result(status == ENOENT || !status,
			 "GET_HANG_STATE: root: nothing there, or a hang's state\n");
}

static void test_unknown(int fd)
{
	static const unsigned int numbers[] = { 0x0f, 0x1f, 0x25, 0x3f };
	uint64_t arg[2] = { 0 };
	unsigned int i;
	char what[64];

	for (i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
		snprintf(what, sizeof(what), "ioctl %#x does not exist", numbers[i]);
		want(fd, DRM_IOWR(DRM_COMMAND_BASE + numbers[i], uint64_t[2]), arg, EINVAL, what);
	}
}

static int open_vc4(const char *format, int first)
{
	char path[64], name[16];
	int i, fd;

	for (i = first; i < first + 16; i++) {
		struct drm_version version = { .name = name, .name_len = sizeof(name) - 1 };

		snprintf(path, sizeof(path), format, i);
		memset(name, 0, sizeof(name));
		fd = open(path, O_RDWR | O_CLOEXEC);
		if (fd >= 0 && !call(fd, DRM_IOCTL_VERSION, &version) && !strcmp(name, "vc4"))
			return fd;
		if (fd >= 0)
			close(fd);
	}
	return -1;
}

static void test_caps(int fd)
{
	static const struct { uint64_t cap; const char *name;
	} caps[] = {
		{ DRM_CAP_PRIME, "PRIME" },
		{ DRM_CAP_SYNCOBJ, "SYNCOBJ" },
		{ DRM_CAP_SYNCOBJ_TIMELINE, "SYNCOBJ_TIMELINE" },
	};
	unsigned int i;

	for (i = 0; i < sizeof(caps) / sizeof(caps[0]); i++) {
		struct drm_get_cap get = { .capability = caps[i].cap };

		ksft_test_result(!call(fd, DRM_IOCTL_GET_CAP, &get) && get.value, "GET_CAP: %s\n",
				 caps[i].name);
	}
}

int main(void)
{
	int fd = open_vc4("/dev/dri/card%d", 0), render = open_vc4("/dev/dri/renderD%d", 128);

	ksft_print_header();
	ksft_test_result(fd >= 0, "the primary node of a driver called vc4 opens\n");
	ksft_test_result(render >= 0, "its render node opens\n");
	if (fd < 0 || render < 0)
		return ksft_finished();
	test_rights(fd);
	test_caps(fd);
	test_submit(fd);
	test_submit(render);
	test_create(fd);
	test_exhaustion(render);
	test_mmap(render);
	test_shader(render);
	test_params(render);
	test_tiling(fd);
	test_label(fd);
	test_madvise(fd);
	test_perfmon(fd);
	test_unknown(fd);
	close(render);
	close(fd);
	return ksft_finished();
}
