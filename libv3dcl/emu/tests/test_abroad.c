// SPDX-License-Identifier: MIT
/*
 * Two devices, as two processes have them: what they tell each other of dma-bufs and sync_files,
 * and what they make of files that are neither.
 */
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>
#include <drm_fourcc.h>
#include <linux/sync_file.h>

#include "syncobj.h"

#define SOON_NS UINT64_C(60000000000)
#define SEALS (F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL)
#define BUDGET (64 * EMU_PAGE)

/* How much later it is for the devices than for the host */
static time_t later;

int __real_clock_gettime(clockid_t clock, struct timespec *now);
int __wrap_clock_gettime(clockid_t clock, struct timespec *now);

int __wrap_clock_gettime(clockid_t clock, struct timespec *now)
{
	int ret = __real_clock_gettime(clock, now);

	now->tv_sec += later;
	return ret;
}

struct side {
	struct emu_device *dev;
	struct emu_file *file;
};

static struct side one, two;

static int setup(void **state)
{
	const struct emu_device_config config = { .budget = BUDGET, .quiet = true };

	(void)state;
	later = 0;
	one.dev = emu_device_new(&config);
	two.dev = emu_device_new(&config);
	one.file = emu_device_open(one.dev, false, 1);
	two.file = emu_device_open(two.dev, false, 1);
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	emu_device_free(one.dev);
	emu_device_free(two.dev);
	return 0;
}

static struct bo *create(const struct side *side, uint32_t size)
{
	struct drm_vc4_create_bo args = { .size = size };

	assert_int_equal(emu_file_ioctl(side->file, DRM_IOCTL_VC4_CREATE_BO, &args), 0);
	return bo_find(side->file, args.handle);
}

static int export_bo(const struct side *side, uint32_t handle, uint32_t flags)
{
	struct drm_prime_handle args = { .handle = handle, .flags = flags };

	assert_int_equal(emu_file_ioctl(side->file, DRM_IOCTL_PRIME_HANDLE_TO_FD, &args), 0);
	return args.fd;
}

static int try_import(const struct side *side, int fd, uint32_t *handle)
{
	struct drm_prime_handle args = { .fd = fd };
	int ret = emu_file_ioctl(side->file, DRM_IOCTL_PRIME_FD_TO_HANDLE, &args);

	*handle = args.handle;
	return ret;
}

static struct bo *import(const struct side *side, int fd)
{
	uint32_t handle;

	assert_int_equal(try_import(side, fd, &handle), 0);
	return bo_find(side->file, handle);
}

/* Its first handle of one, and what that is to two */
static void share(struct bo **mine, struct bo **theirs)
{
	int fd;

	*mine = create(&one, EMU_PAGE);
	fd = export_bo(&one, 1, 0);
	*theirs = import(&two, fd);
	close(fd);
}

static bool busy(struct bo *bo, bool write)
{
	bool is;

	pthread_mutex_lock(&bo->dev->lock);
	is = bo_busy(bo, write);
	pthread_mutex_unlock(&bo->dev->lock);
	return is;
}

static struct fence *begin(struct bo *bo, bool write)
{
	struct fence *fence = fence_new(1, 1);

	pthread_mutex_lock(&bo->dev->lock);
	assert_int_equal(bo_room(bo), 0);
	bo_add_fence(bo, fence, write);
	pthread_mutex_unlock(&bo->dev->lock);
	return fence;
}

static void end(const struct side *side, struct fence *fence)
{
	pthread_mutex_lock(&side->dev->lock);
	fence_signal(side->dev, fence, 0);
	fence_put(fence);
	pthread_mutex_unlock(&side->dev->lock);
}

/* Return: the error of what the BO is busy with, when that has ended */
static int wait(struct bo *bo, bool write)
{
	struct emu_device *dev = bo->dev;
	struct fence *fence;
	int error = 0;

	pthread_mutex_lock(&dev->lock);
	assert_int_equal(bo_fence(bo, write, &fence), 0);
	if (fence) {
		assert_int_equal(fence_wait(dev, fence, deadline_ns(SOON_NS)), 0);
		error = fence->error;
		fence_put(fence);
	}
	pthread_mutex_unlock(&dev->lock);
	return error;
}

/* It has handed out what only can be read: to the V3D it is memory like any other */
static void bytes_are_the_same(void **state)
{
	struct bo *mine = create(&one, 3 * EMU_PAGE), *theirs;
	int fd = export_bo(&one, 1, 0);

	(void)state;
	bo_cpu(mine)[0] = 1;
	theirs = import(&two, fd);
	assert_int_equal(theirs->size, 3 * EMU_PAGE);
	bo_cpu(theirs)[3 * EMU_PAGE - 1] = 2;
	assert_int_equal(bo_cpu(theirs)[0], 1);
	assert_int_equal(bo_cpu(mine)[3 * EMU_PAGE - 1], 2);
	assert_int_equal(two.dev->used, 3 * EMU_PAGE);
	assert_ptr_equal(import(&two, fd), theirs);
	close(fd);
	emu_file_close(one.file);
	bo_cpu(theirs)[1] = 3;
	emu_file_close(two.file);
	assert_int_equal(one.dev->used + two.dev->used, 0);
}

static int memory(off_t size, unsigned int flags, int seals)
{
	int fd = memfd_create("hostile", MFD_ALLOW_SEALING | flags);

	if (fd >= 0 && size)
		assert_int_equal(ftruncate(fd, size), 0);
	if (fd >= 0)
		assert_int_equal(fcntl(fd, F_ADD_SEALS, seals), 0);
	return fd;
}

static void refused(int fd, int expected)
{
	const uint64_t used = two.dev->used;
	uint32_t handle;

	assert_int_equal(try_import(&two, fd, &handle), expected);
	assert_int_equal(handle, 0);
	assert_int_equal(two.dev->used, used);
	if (fd >= 0)
		close(fd);
}

static void what_is_no_dma_buf(void **state)
{
	int ends[2], at;
	struct bo *after;

	(void)state;
	refused(-1, -EBADF);
	refused(memory(EMU_PAGE, 0, 0), -EINVAL);
	refused(memory(EMU_PAGE, 0, F_SEAL_GROW | F_SEAL_SEAL), -EINVAL);
	refused(memory(EMU_PAGE, 0, F_SEAL_SHRINK | F_SEAL_GROW), -EINVAL);
	refused(memory(0, 0, SEALS), -EINVAL);
	refused(memory(EMU_PAGE + 1, 0, SEALS), -EINVAL);
	refused(memory(BUDGET + EMU_PAGE, 0, SEALS), -ENOMEM);
	refused(memory(INT64_C(1) << 40, 0, SEALS), -ENOMEM);
	refused(memory(EMU_PAGE, 0, SEALS | F_SEAL_WRITE), -EINVAL);
	refused(memory(EMU_PAGE, 0, SEALS | F_SEAL_FUTURE_WRITE), -EINVAL);
	at = memory(0, MFD_HUGETLB, SEALS);
	if (at >= 0)	/* the kernel may have none */
		refused(at, -EINVAL);
	refused(open("/proc/self/exe", O_RDONLY), -EINVAL);
	refused(open("/", O_RDONLY | O_DIRECTORY), -EINVAL);
	refused(open("/dev/zero", O_RDWR), -EINVAL);
	refused(open("/proc/self/exe", O_PATH), -EINVAL);
	refused(eventfd(0, 0), -EINVAL);
	assert_int_equal(pipe(ends), 0);
	refused(ends[0], -EINVAL);
	refused(ends[1], -EINVAL);
	/* The window is whole */
	after = create(&two, BUDGET);
	memset(bo_cpu(after), 1, BUDGET);
	for (at = 0; at < (int)BUDGET; at++)
		if (bo_cpu(after)[at] != 1)
			fail();
}

static void others_wait_for_what_is_under_way(void **state)
{
	struct bo *mine, *theirs;
	struct fence *fence;

	(void)state;
	share(&mine, &theirs);
	assert_false(busy(mine, true));
	assert_false(busy(theirs, true));
	fence = begin(mine, true);
	assert_true(busy(theirs, false));
	end(&one, fence);
	assert_int_equal(wait(theirs, true), 0);
	assert_false(busy(theirs, true));
	/* The other way round, and reading: only who writes waits for that */
	fence = begin(theirs, false);
	assert_false(busy(mine, false));
	assert_true(busy(mine, true));
	end(&two, fence);
	assert_int_equal(wait(mine, true), 0);
	assert_false(busy(mine, true));
}

/* What a job of its own replaces is not what others have under way */
static void both_wait(void **state)
{
	struct bo *mine, *theirs;
	struct fence *first, *second;

	(void)state;
	share(&mine, &theirs);
	first = begin(mine, true);
	assert_true(busy(theirs, true));
	second = begin(theirs, false);
	assert_true(busy(mine, true));
	end(&one, first);
	assert_int_equal(wait(theirs, false), 0);
	assert_true(busy(mine, true));
	assert_false(busy(mine, false));
	end(&two, second);
	assert_int_equal(wait(mine, true), 0);
}

static void begun_before_it_was_shared(void **state)
{
	struct bo *mine = create(&one, EMU_PAGE), *theirs;
	struct fence *reads = begin(mine, false), *writes = begin(mine, true);
	int fd = export_bo(&one, 1, 0);

	(void)state;
	theirs = import(&two, fd);
	close(fd);
	assert_true(busy(theirs, false));
	end(&one, writes);
	end(&one, reads);
	assert_int_equal(wait(theirs, true), 0);
}

static void set_tiling(const struct side *side, uint64_t modifier)
{
	struct drm_vc4_set_tiling args = { .handle = 1, .modifier = modifier };

	assert_int_equal(emu_file_ioctl(side->file, DRM_IOCTL_VC4_SET_TILING, &args), 0);
}

static uint64_t tiling(const struct side *side)
{
	struct drm_vc4_get_tiling args = { .handle = 1 };

	assert_int_equal(emu_file_ioctl(side->file, DRM_IOCTL_VC4_GET_TILING, &args), 0);
	return args.modifier;
}

/* A client may have let go of the BO before the server looks at the dma-buf */
static void tiling_goes_along(void **state)
{
	const uint64_t tiled = DRM_FORMAT_MOD_BROADCOM_VC4_T_TILED;
	int fd;

	(void)state;
	create(&one, EMU_PAGE);
	set_tiling(&one, tiled);
	fd = export_bo(&one, 1, 0);
	emu_file_close(one.file);
	import(&two, fd);
	assert_true(tiling(&two) == tiled);
	set_tiling(&two, DRM_FORMAT_MOD_LINEAR);
	one.file = emu_device_open(one.dev, false, 1);
	import(&one, fd);
	assert_true(tiling(&one) == DRM_FORMAT_MOD_LINEAR);
	close(fd);
}

/* A device that goes, as a process does, keeps nothing waiting */
static void who_holds_it_goes(void **state)
{
	struct bo *mine, *theirs;
	struct fence *fence;

	(void)state;
	share(&mine, &theirs);
	fence = begin(mine, true);
	assert_true(busy(theirs, false));
	raw_close(mine->lock_fd);
	mine->lock_fd = -1;
	assert_int_equal(wait(theirs, true), 0);
	end(&one, fence);
}

#define LOCKS 100

static void too_many_at_once(void **state)
{
	struct fence *fences[LOCKS];
	struct bo *mine, *theirs;
	unsigned int i;

	(void)state;
	share(&mine, &theirs);
	for (i = 0; i < LOCKS; i++)
		fences[i] = begin(mine, false);
	assert_true(busy(theirs, true));
	assert_int_equal(theirs->foreign_count, 64);
	for (i = 0; i < LOCKS; i++)
		end(&one, fences[i]);
	assert_int_equal(wait(theirs, true), 0);
	assert_false(busy(theirs, true));
}

static void lock_all(int fd, short type)
{
	struct flock all = { .l_type = type, .l_whence = SEEK_SET };

	assert_int_equal(fcntl(fd, F_OFD_SETLK, &all), 0);
}

/* Thirty seconds, once */
static void held_for_ever(void **state)
{
	struct bo *mine = create(&one, EMU_PAGE), *theirs;
	int fd = export_bo(&one, 1, DRM_RDWR);

	(void)state;
	(void)mine;
	theirs = import(&two, fd);
	lock_all(fd, F_WRLCK);
	assert_true(busy(theirs, false));
	later = 31;
	assert_int_equal(wait(theirs, true), -ETIMEDOUT);
	assert_false(busy(theirs, true));
	lock_all(fd, F_UNLCK);
	close(fd);
}

static int status(const struct side *side, int fd)
{
	struct sync_file_info info = { 0 };

	assert_true(emu_device_knows(side->dev, fd));
	assert_int_equal(emu_device_fd_ioctl(side->dev, fd, SYNC_IOC_FILE_INFO, &info), 0);
	return info.status;
}

static int soon(const struct side *side, int fd)
{
	struct fence *fence;

	pthread_mutex_lock(&side->dev->lock);
	assert_int_equal(sync_file_fence(side->dev, fd, &fence), 0);
	assert_int_equal(fence_wait(side->dev, fence, deadline_ns(SOON_NS)), 0);
	fence_put(fence);
	pthread_mutex_unlock(&side->dev->lock);
	return status(side, fd);
}

static int sync_file_of(const struct side *side, struct fence *fence)
{
	int fd;

	pthread_mutex_lock(&side->dev->lock);
	fd = sync_file_create(side->dev, fence);
	pthread_mutex_unlock(&side->dev->lock);
	assert_true(fd >= 0);
	return fd;
}

static void sync_files_of_others(void **state)
{
	struct fence *fence = fence_new(1, 1);
	int fd = sync_file_of(&one, fence), again;

	(void)state;
	again = fcntl(fd, F_DUPFD_CLOEXEC, 0);
	assert_int_equal(status(&two, fd), 0);
	end(&one, fence);
	assert_int_equal(soon(&two, fd), 1);
	close(fd);
	assert_int_equal(status(&two, again), 1);
	close(again);
}

static void sync_file_whose_maker_goes(void **state)
{
	struct fence *fence = fence_new(1, 1);
	int fd = sync_file_of(&one, fence);

	(void)state;
	assert_int_equal(status(&two, fd), 0);
	sync_files_forked(one.dev);
	assert_int_equal(soon(&two, fd), -ECANCELED);
	end(&one, fence);
	close(fd);
}

static void what_is_no_sync_file(void **state)
{
	int ends[2], memfd = memory(EMU_PAGE, 0, SEALS), event = eventfd(1, 0);

	(void)state;
	assert_int_equal(pipe(ends), 0);
	assert_false(emu_device_knows(two.dev, ends[0]));
	assert_false(emu_device_knows(two.dev, ends[1]));
	assert_false(emu_device_knows(two.dev, memfd));
	assert_false(emu_device_knows(two.dev, event));
	assert_false(emu_device_knows(two.dev, -1));
	close(ends[0]);
	close(ends[1]);
	close(memfd);
	close(event);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(bytes_are_the_same),
		TEST(what_is_no_dma_buf),
		TEST(others_wait_for_what_is_under_way),
		TEST(both_wait),
		TEST(begun_before_it_was_shared),
		TEST(tiling_goes_along),
		TEST(who_holds_it_goes),
		TEST(too_many_at_once),
		TEST(held_for_ever),
		TEST(sync_files_of_others),
		TEST(sync_file_whose_maker_goes),
		TEST(what_is_no_sync_file),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
