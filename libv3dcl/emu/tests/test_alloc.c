// SPDX-License-Identifier: MIT
/*
 * The emulated device without memory while other jobs are under way: what cannot wait for them
 * fails, and has done nothing.
 */
#include "fail_alloc.h"

#include <fcntl.h>
#include <unistd.h>

#include <linux/dma-buf.h>

#include "internal.h"

#define BYTES (64 * 64 * 4)
#define READERS 2

/* A device with BOs that are written and then read, by what ends when a test says so */
struct rig {
	struct emu_device *dev;
	struct emu_file *file;
	uint32_t handles[3];		/* the last names the same BO as the one before it */
	struct fence *write, *reads[READERS];
	int dma_buf, sync_file;		/* of the second BO, once they are asked for */
};

static void add(struct rig *rig, uint32_t handle, struct fence *fence, bool write)
{
	struct bo *bo = bo_find(rig->file, handle);

	pthread_mutex_lock(&rig->dev->lock);
	assert_int_equal(bo_room(bo), 0);
	bo_add_fence(bo, fence, write);
	pthread_mutex_unlock(&rig->dev->lock);
}

static void begin(struct rig *rig)
{
	const struct emu_device_config config = { .quiet = true };
	struct drm_vc4_create_bo create = { .size = BYTES };
	uint32_t i, r;

	fail_alloc.spare = true;
	*rig = (struct rig){ .dev = emu_device_new(&config), .dma_buf = -1,
			      .sync_file = -1 };
	rig->file = emu_device_open(rig->dev, false, 1);
	rig->write = fence_new(1, 1);
	for (r = 0; r < READERS; r++)
		rig->reads[r] = fence_new(1, 2 + r);
	for (i = 0; i < 2; i++) {
		assert_int_equal(emu_file_ioctl(rig->file, DRM_IOCTL_VC4_CREATE_BO, &create), 0);
		rig->handles[i] = create.handle;
		add(rig, create.handle, rig->write, true);
		for (r = 0; r < READERS; r++)
			add(rig, create.handle, rig->reads[r], false);
	}
	rig->handles[2] = rig->handles[1];
	fail_alloc.spare = false;
}

static void finish(struct rig *rig, struct fence *fence)
{
	pthread_mutex_lock(&rig->dev->lock);
	fence_signal(rig->dev, fence, 0);
	fence_put(fence);
	pthread_mutex_unlock(&rig->dev->lock);
}

static void end(struct rig *rig)
{
	unsigned int r;

	fail_alloc.spare = true;
	finish(rig, rig->write);
	for (r = 0; r < READERS; r++)
		finish(rig, rig->reads[r]);
	if (rig->dma_buf >= 0)
		close(rig->dma_buf);
	if (rig->sync_file >= 0)
		close(rig->sync_file);
	emu_device_free(rig->dev);
	fail_alloc.spare = false;
}

static unsigned int readers(struct rig *rig, uint32_t handle)
{
	unsigned int count;

	pthread_mutex_lock(&rig->dev->lock);
	count = bo_find(rig->file, handle)->read_count;
	pthread_mutex_unlock(&rig->dev->lock);
	return count;
}

/* The first BO is written, the second one is read */
static int submit(struct rig *rig)
{
	const struct drm_vc4_submit_rcl_surface none = { .hindex = ~0u };
	struct drm_vc4_submit_cl submit = {
		.bo_handles = (uintptr_t)rig->handles, .bo_handle_count = 3, .width = 64,
		.height = 64, .color_read = { .hindex = 1, .bits = 1 }, .zs_read = none,
		.zs_write = none, .msaa_color_write = none, .msaa_zs_write = none,
		.color_write.bits = 1 << 2, .flags = VC4_SUBMIT_CL_USE_CLEAR_COLOR,
	};
	int ret = emu_file_ioctl(rig->file, DRM_IOCTL_VC4_SUBMIT_CL, &submit);

	assert_int_equal(rig->file->seqno, !ret);
	assert_int_equal(readers(rig, rig->handles[0]), ret ? READERS : 0);
	assert_int_equal(readers(rig, rig->handles[1]), READERS + !ret);
	return ret;
}

/* It does not end within this time */
static int run_wait(void *opaque)
{
	struct drm_vc4_wait_bo wait = { 0 };
	struct rig rig;
	int ret;

	(void)opaque;
	begin(&rig);
	wait.handle = rig.handles[0];
	ret = emu_file_ioctl(rig.file, DRM_IOCTL_VC4_WAIT_BO, &wait);
	end(&rig);
	assert_int_not_equal(ret, 0);
	return ret == -ETIME ? 0 : ret;
}

static void waits(void **state)
{
	(void)state;
	assert_in_range(fail_each_alloc(run_wait, NULL), 5, 100);
}

static int export(struct rig *rig, bool spare)
{
	struct drm_prime_handle prime = { .handle = rig->handles[1] };
	int ret;

	fail_alloc.spare = spare;
	ret = emu_file_ioctl(rig->file, DRM_IOCTL_PRIME_HANDLE_TO_FD, &prime);
	fail_alloc.spare = false;
	if (!ret)
		rig->dma_buf = prime.fd;
	return ret;
}

/* @opaque: of BOs of which the second one is another process's as well */
static int run_submit(void *opaque)
{
	struct rig rig;
	int ret;

	begin(&rig);
	if (opaque)
		assert_int_equal(export(&rig, true), 0);
	ret = submit(&rig);
	end(&rig);
	return ret;
}

static void submits(void **state)
{
	bool shared = true;

	(void)state;
	assert_in_range(fail_each_alloc(run_submit, NULL), 15, 100);
	assert_in_range(fail_each_alloc(run_submit, &shared), 16, 100);
}

/* What is under way already is seen by others, or it is not shared */
static int run_share(void *opaque)
{
	struct rig rig;
	int ret;

	(void)opaque;
	begin(&rig);
	ret = export(&rig, false);
	if (ret)
		assert_int_equal(export(&rig, true), 0);
	end(&rig);
	return ret;
}

static void shares(void **state)
{
	(void)state;
	assert_in_range(fail_each_alloc(run_share, NULL), 1 + READERS, 100);
}

/* Its fences, as a sync_file, which then is one more that reads it */
static int use_sync_file(struct rig *rig)
{
	struct dma_buf_export_sync_file out = { .flags = DMA_BUF_SYNC_WRITE };
	struct dma_buf_import_sync_file in = { .flags = DMA_BUF_SYNC_READ };
	int ret = emu_device_fd_ioctl(rig->dev, rig->dma_buf, DMA_BUF_IOCTL_EXPORT_SYNC_FILE, &out);

	if (ret)
		return ret;
	in.fd = rig->sync_file = out.fd;
	ret = emu_device_fd_ioctl(rig->dev, rig->dma_buf, DMA_BUF_IOCTL_IMPORT_SYNC_FILE, &in);
	assert_int_equal(readers(rig, rig->handles[1]), READERS + !ret);
	return ret;
}

static int run_sync_file(void *opaque)
{
	struct rig rig;
	int ret;

	(void)opaque;
	begin(&rig);
	assert_int_equal(export(&rig, true), 0);
	ret = use_sync_file(&rig);
	end(&rig);
	return ret;
}

static void sync_files(void **state)
{
	(void)state;
	assert_in_range(fail_each_alloc(run_sync_file, NULL), 5, 100);
}

/* As other processes do that use a dma-buf: the places are those of abroad.c */
static void lock(int fd, short type, off_t at)
{
	struct flock lock = { .l_type = type, .l_whence = SEEK_SET, .l_start = at, .l_len = 1 };

	assert_int_equal(fcntl(fd, F_OFD_SETLK, &lock), 0);
}

static void lock_all(int fd, short type)
{
	lock(fd, type, INT64_C(1) << 61);
	lock(fd, type, INT64_C(1) << 62);
}

/* What is not waited for once must be waited for by the next one that asks */
static int run_abroad(void *opaque)
{
	struct drm_vc4_wait_bo wait = { 0 };
	struct rig rig;
	int ret;

	(void)opaque;
	begin(&rig);
	assert_int_equal(export(&rig, true), 0);
	lock_all(rig.dma_buf, F_RDLCK);
	wait.handle = rig.handles[1];
	ret = emu_file_ioctl(rig.file, DRM_IOCTL_VC4_WAIT_BO, &wait);
	assert_int_not_equal(ret, 0);
	fail_alloc.spare = true;
	assert_int_equal(emu_file_ioctl(rig.file, DRM_IOCTL_VC4_WAIT_BO, &wait), -ETIME);
	assert_int_equal(bo_find(rig.file, rig.handles[1])->foreign_count, 2);
	assert_int_equal(readers(&rig, rig.handles[1]), READERS + 1);
	lock_all(rig.dma_buf, F_UNLCK);
	end(&rig);
	return ret == -ETIME ? 0 : ret;
}

static void abroad(void **state)
{
	(void)state;
	assert_in_range(fail_each_alloc(run_abroad, NULL), 10, 100);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(submits), cmocka_unit_test(waits),
					    cmocka_unit_test(shares),
					    cmocka_unit_test(sync_files),
					    cmocka_unit_test(abroad) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
