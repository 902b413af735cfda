// SPDX-License-Identifier: MIT
/* BOs, on every kind of device. */
#include <pthread.h>
#include <unistd.h>

#include "suite.h"

#define PAGE 4096u
#define NO_BO 0x7ffffff0u

static void bos_are_zero_and_keep_what_is_written(struct v3dcl_device *device)
{
	uint32_t bo, again, size, i;
	uint32_t *map;
	void *second;

	CHECK_OK(v3dcl_bo_create(device, 5 * PAGE - 4, &bo, &error));
	CHECK(bo);
	CHECK_OK(v3dcl_bo_size(device, bo, &size, &error));
	CHECK_EQ(size, 5 * PAGE - 4);
	CHECK_OK(v3dcl_bo_map(device, bo, (void **)&map, &error));
	for (i = 0; i < size / 4; i++)
		CHECK_EQ(map[i], 0);
	for (i = 0; i < size / 4; i++)
		map[i] = i * 0x9e3779b9;
	CHECK_OK(v3dcl_bo_map(device, bo, &second, &error));
	CHECK(second == map);
	for (i = 0; i < size / 4; i++)
		CHECK_EQ(map[i], i * 0x9e3779b9);
	CHECK_EQ(v3dcl_bo_close(device, bo), 0);
	CHECK_EQ(v3dcl_bo_close(device, bo), -EINVAL);
	/* The number may come again, but not the memory */
	CHECK_OK(v3dcl_bo_create(device, PAGE, &again, &error));
	CHECK_OK(v3dcl_bo_map(device, again, (void **)&map, &error));
	CHECK_EQ(map[0], 0);
}

static void unknown_bos(struct v3dcl_device *device)
{
	uint32_t value;
	bool flag;
	void *map;

	CHECK_FAILS(v3dcl_bo_create(device, 0, &value, &error), EINVAL);
	CHECK(strstr(error.text, "it has one at least"));
	CHECK_FAILS(v3dcl_bo_size(device, NO_BO, &value, &error), ENOENT);
	CHECK_FAILS(v3dcl_bo_map(device, NO_BO, &map, &error), ENOENT);
	CHECK_FAILS(v3dcl_bo_export(device, NO_BO, &error), ENOENT);
	CHECK_FAILS(v3dcl_bo_label(device, NO_BO, "x", &error), ENOENT);
	CHECK_FAILS(v3dcl_bo_set_tiled(device, NO_BO, true, &error), ENOENT);
	CHECK_FAILS(v3dcl_bo_is_tiled(device, NO_BO, &flag, &error), ENOENT);
	CHECK_FAILS(v3dcl_bo_purgeable(device, NO_BO, true, &flag, &error), ENOENT);
	CHECK_FAILS(v3dcl_bo_wait(device, NO_BO, 0, &error), EINVAL);
	CHECK_FAILS(v3dcl_bo_import(device, -1, &value, &error), EBADF);
	CHECK_EQ(v3dcl_bo_close(device, NO_BO), -EINVAL);
	CHECK(strstr(error.text, "-1") && strstr(error.text, "Bad file descriptor"));
	/* A caller that wants no words gets none */
	CHECK_EQ(v3dcl_bo_size(device, NO_BO, &value, NULL), -ENOENT);
}

static void bos_by_ioctl(struct v3dcl_device *device)
{
	struct drm_vc4_create_bo create = { .size = 2 * PAGE };
	struct drm_gem_close gem_close = { 0 };
	struct drm_vc4_get_param bad = { .param = 1000 };
	uint32_t size, other;
	uint32_t *map;

	CHECK_EQ(v3dcl_ioctl(device, DRM_IOCTL_VC4_CREATE_BO, &create), 0);
	CHECK_OK(v3dcl_bo_size(device, create.handle, &size, &error));
	CHECK_EQ(size, 2 * PAGE);
	CHECK_OK(v3dcl_bo_map(device, create.handle, (void **)&map, &error));
	map[2 * PAGE / 4 - 1] = 7;
	gem_close.handle = create.handle;
	CHECK_EQ(v3dcl_ioctl(device, DRM_IOCTL_GEM_CLOSE, &gem_close), 0);
	CHECK_OK(v3dcl_bo_create(device, 3 * PAGE, &other, &error));
	CHECK_OK(v3dcl_bo_size(device, other, &size, &error));
	CHECK_EQ(size, 3 * PAGE);
	CHECK_EQ(v3dcl_ioctl(device, DRM_IOCTL_VC4_GET_PARAM, &bad), -EINVAL);
}

static void exports_and_imports(struct v3dcl_device *device)
{
	uint32_t bo, same, size;
	uint32_t *map, *mapped;
	int fd;

	CHECK_OK(v3dcl_bo_create(device, 2 * PAGE, &bo, &error));
	CHECK_OK(v3dcl_bo_map(device, bo, (void **)&map, &error));
	map[1] = 0x12345678;
	fd = v3dcl_bo_export(device, bo, NULL);
	CHECK(fd >= 0);
	CHECK_OK(v3dcl_bo_import(device, fd, &same, &error));
	CHECK_EQ(same, bo);
	CHECK_EQ(v3dcl_bo_close(device, bo), 0);
	/* The dma-buf holds the memory */
	CHECK_OK(v3dcl_bo_import(device, fd, &same, &error));
	CHECK_OK(v3dcl_bo_size(device, same, &size, &error));
	CHECK_EQ(size, 2 * PAGE);
	CHECK_OK(v3dcl_bo_map(device, same, (void **)&mapped, &error));
	CHECK_EQ(mapped[1], 0x12345678);
	close(fd);
}

static void layouts_labels_and_purges(struct v3dcl_device *device)
{
	char label[2000];
	bool flag = true;
	uint32_t bo;

	memset(label, 'x', sizeof(label));
	label[sizeof(label) - 1] = 0;
	CHECK_OK(v3dcl_bo_create(device, PAGE, &bo, &error));
	CHECK_OK(v3dcl_bo_is_tiled(device, bo, &flag, &error));
	CHECK(!flag);
	CHECK_OK(v3dcl_bo_set_tiled(device, bo, true, &error));
	CHECK_OK(v3dcl_bo_is_tiled(device, bo, &flag, &error));
	CHECK(flag);
	CHECK_OK(v3dcl_bo_label(device, bo, "a BO of the suite", &error));
	CHECK_OK(v3dcl_bo_label(device, bo, "", &error));
	CHECK_FAILS(v3dcl_bo_label(device, bo, label, &error), EINVAL);
	flag = false;
	CHECK_OK(v3dcl_bo_purgeable(device, bo, false, &flag, &error));
	CHECK(flag);
	CHECK_OK(v3dcl_bo_purgeable(device, bo, true, NULL, &error));
	CHECK_OK(v3dcl_bo_wait(device, bo, 0, &error));
}

#define THREADS 4
#define ROUNDS 100

/* Each has BOs of its own, on a device of all */
static void *work_on_bos(void *opaque)
{
	struct v3dcl_device *device = opaque;
	uint32_t round, bo, size, *map, i;

	for (round = 0; round < ROUNDS; round++) {
		const uint32_t bytes = (round % 5 + 1) * PAGE;

		if (v3dcl_bo_create(device, bytes, &bo, NULL) ||
		    v3dcl_bo_map(device, bo, (void **)&map, NULL) ||
		    v3dcl_bo_size(device, bo, &size, NULL) || size != bytes)
			return "a BO cannot be made";
		for (i = 0; i < bytes / 4; i += PAGE / 4) {
			if (map[i])
				return "a BO is not zero";
			map[i] = round;
		}
		if (round % 3 == 0 && v3dcl_bo_close(device, bo))
			return "a BO cannot be closed";
	}
	return NULL;
}

static void bos_of_several_threads(struct v3dcl_device *device)
{
	pthread_t threads[THREADS];
	unsigned int i;
	void *wrong;

	for (i = 0; i < THREADS; i++)
		CHECK_EQ(pthread_create(&threads[i], NULL, work_on_bos, device), 0);
	for (i = 0; i < THREADS; i++) {
		pthread_join(threads[i], &wrong);
		if (wrong)
			suite_failed(__FILE__, __LINE__, "%s", (const char *)wrong);
	}
}

const struct suite_test suite_bo_tests[] = {
	{ "bos_are_zero_and_keep_what_is_written", bos_are_zero_and_keep_what_is_written,
	  NEEDS_NOTHING },
	{ "unknown_bos", unknown_bos, NEEDS_NOTHING },
	{ "bos_by_ioctl", bos_by_ioctl, NEEDS_NOTHING },
	{ "exports_and_imports", exports_and_imports, NEEDS_NOTHING },
	{ "layouts_labels_and_purges", layouts_labels_and_purges, NEEDS_NOTHING },
	{ "bos_of_several_threads", bos_of_several_threads, NEEDS_NOTHING },
	{ 0 },
};
