// SPDX-License-Identifier: MIT
/*
 * The device that programs see under scripts/with-v3d: how they find it, what becomes of its file
 * descriptors, and what of it the kernel's own tests cannot ask of a module. Written with the small
 * part of IGT's interface that igt-tests/ has.
 */
#define _GNU_SOURCE	/* process_vm_readv() */
#include "v3dcl_igt.h"

#include <dirent.h>
#include <limits.h>
#include <sys/eventfd.h>
#include <sys/uio.h>

#include <linux/dma-buf.h>
#include <xf86drm.h>
#include <xf86drmMode.h>

IGT_TEST_DESCRIPTION("The V3D in this process");

#define PAGE 4096u
#define TIMEOUT_NS 200000000ull

/* Ends with ETIMEDOUT, some time from now */
static uint32_t start_endless(int fd, struct bo *bo)
{
	struct job *job = job_new();
	uint32_t sync = sync_create(fd), program = program_endless(fd);

	job_run(job, program);
	if (bo)
		job_writes(job, bo, 0);
	job->submit.timeout_ns = TIMEOUT_NS;
	job_out(job, sync, 0);
	job_submit(fd, job);
	gem_close(fd, program);
	free(job);
	return sync;
}

static bool readable(const void *address)
{
	char byte;
	struct iovec here = { &byte, 1 }, there = { (void *)(uintptr_t)address, 1 };

	return process_vm_readv(getpid(), &here, 1, &there, 1, 0) == 1;
}

static void libdrm_finds_it(int fd)
{
	drmDevicePtr devices[4], other;
	struct stat st;

	igt_assert_eq(drmGetDevices2(0, devices, 4), 1);
	igt_assert_eq(devices[0]->bustype, DRM_BUS_PLATFORM);
	igt_assert(!strcmp(devices[0]->nodes[DRM_NODE_PRIMARY], "/dev/dri/card0"));
	igt_assert(!strcmp(devices[0]->nodes[DRM_NODE_RENDER], "/dev/dri/renderD128"));
	igt_assert(!strcmp(devices[0]->deviceinfo.platform->compatible[0], "brcm,bcm2835-v3d"));
	igt_assert_eq(drmGetDevice2(fd, 0, &other), 0);
	igt_assert(drmDevicesEqual(devices[0], other));
	drmFreeDevice(&other);
	drmFreeDevices(devices, 1);
	igt_assert_eq(fstat(fd, &st), 0);
	igt_assert(S_ISCHR(st.st_mode));
	igt_assert_eq(major(st.st_rdev), 226);
}

static void paths(int fd)
{
	struct stat by_path, by_fd;
	char resolved[PATH_MAX];
	DIR *dir = opendir("/dev/dri");
	unsigned int nodes = 0;
	struct dirent *entry;
	int other;

	igt_assert(dir);
	while ((entry = readdir(dir)))
		nodes += entry->d_name[0] != '.';
	closedir(dir);
	igt_assert_eq(nodes, 2);
	igt_assert_eq(stat("/dev/dri/renderD128", &by_path), 0);
	other = open("/dev/dri/renderD128", O_RDWR | O_CLOEXEC);
	igt_assert(other >= 0);
	igt_assert_eq(fstat(other, &by_fd), 0);
	igt_assert_eq(by_path.st_rdev, by_fd.st_rdev);
	igt_assert_eq(fcntl(other, F_GETFD), FD_CLOEXEC);
	close(other);
	igt_assert(realpath("/sys/class/drm/card0/device", resolved));
	igt_assert(!strcmp(resolved, "/sys/devices/platform/v3d"));
	igt_assert_eq(open("/dev/dri/card1", O_RDWR), -1);
	igt_assert_eq(errno, ENOENT);
	igt_assert_eq(v3dcl_param(fd, DRM_V3DCL_PARAM_VERSION), 5);
}

static int look_at_nodes(int fd)
{
	static const char *const names[] = { "/dev/dri/card0", "/dev/dri/renderD128" };
	struct statx stx;
	struct stat st;
	unsigned int i;

	(void)fd;
	for (i = 0; i < ARRAY_SIZE(names); i++)
		if (stat(names[i], &st) || !S_ISCHR(st.st_mode) || major(st.st_rdev) != 226 ||
		    statx(AT_FDCWD, names[i], 0, STATX_MODE, &stx) || stx.stx_rdev_major != 226 ||
		    access(names[i], R_OK | W_OK) || !access(names[i], X_OK))
			return 1;
	return 0;
}

/* With what sysfs tells of them */
static void other_users(int fd)
{
	static const char *const names[] = { "", "/dev/dri", "/sys/class/drm",
					     "/sys/devices/platform/v3d/drm/card0",
					     "/sys/devices/platform/v3d/uevent" };
	char path[PATH_MAX];
	struct stat st;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(names); i++) {
		snprintf(path, sizeof(path), "%s%s", getenv("V3D_PRELOAD_ROOT"), names[i]);
		igt_assert_eq(stat(path, &st), 0);
		igt_assert_eq(st.st_mode & 0444, 0444);
		igt_assert(!S_ISDIR(st.st_mode) || (st.st_mode & 0111) == 0111);
	}
	igt_assert_eq(geteuid() ? look_at_nodes(fd) : as_nobody(fd, look_at_nodes), 0);
}

/* The nodes are there for a user, too, who may not enter the folder that the tree is in */
static void hidden_tree(int fd)
{
	char tree[PATH_MAX], folder[] = "/tmp/v3dcl-hidden-XXXXXX", path[64];

	snprintf(tree, sizeof(tree), "%s", getenv("V3D_PRELOAD_ROOT"));
	igt_assert(mkdtemp(folder));
	snprintf(path, sizeof(path), "%s/tree", folder);
	igt_assert_eq(symlink(tree, path), 0);
	setenv("V3D_PRELOAD_ROOT", path, 1);
	if (geteuid())
		chmod(folder, 0);
	igt_assert_eq(geteuid() ? look_at_nodes(fd) : as_nobody(fd, look_at_nodes), 0);
	chmod(folder, 0700);
	setenv("V3D_PRELOAD_ROOT", tree, 1);
	unlink(path);
	rmdir(folder);
}

/* The file stays open until the last file descriptor of it is closed, however that came to be */
static void duplicates(int fd)
{
	int first = open("/dev/dri/renderD128", O_RDWR), second = dup(first),
	    third = fcntl(first, F_DUPFD_CLOEXEC, 100);
	struct bo bo = bo_create(first, PAGE);

	igt_assert(second >= 0 && third >= 100);
	close(first);
	igt_assert_eq(bo_wait(second, bo.handle, 0), 0);
	close(second);
	igt_assert_eq(bo_wait(third, bo.handle, 0), 0);
	igt_assert_eq(dup2(fd, third), third);	/* closes it */
	igt_assert_eq(bo_wait(third, bo.handle, 0), EINVAL);
	close(third);
	bo.map[0] = 1;		/* a mapping outlives the file */
	munmap(bo.map, bo.size);
}

static void memory_goes_with_the_file(int fd)
{
	uint64_t before = v3dcl_param(fd, DRM_V3DCL_PARAM_MEMORY_USED);
	int other = open("/dev/dri/card0", O_RDWR);
	struct bo bo = bo_create(other, 16 * PAGE);

	igt_assert_eq_u64(v3dcl_param(fd, DRM_V3DCL_PARAM_MEMORY_USED), before + bo.size);
	close(other);
	igt_assert_eq_u64(v3dcl_param(fd, DRM_V3DCL_PARAM_MEMORY_USED), before);
	munmap(bo.map, bo.size);
}

static void *flipped_data;

static void flipped(int fd, unsigned int sequence, unsigned int seconds, unsigned int microseconds,
		    void *data)
{
	(void)fd;
	(void)sequence;
	(void)seconds;
	(void)microseconds;
	flipped_data = data;
}

static int child_status(pid_t pid)
{
	int status;

	igt_assert_eq(waitpid(pid, &status, 0), pid);
	return status;
}

/* A child renders into what it inherited, and its parent sees it */
static void forked(int fd)
{
	struct bo bo = bo_create(fd, 64 * 64 * 4);
	uint32_t sync = start_endless(fd, NULL);
	pid_t pid;

	render_finish(fd, render_clear_job(&bo, 1));
	pid = fork();
	igt_assert(pid >= 0);
	if (!pid) {
		render_finish(fd, render_clear_job(&bo, 0x12345678));
		_exit(sync_wait(fd, sync, 0));
	}
	igt_assert_eq(child_status(pid), 0);
	igt_assert_eq_u32(bo.map[64 * 64 - 1], 0x12345678);
	igt_assert_eq(sync_result(fd, sync), -ETIMEDOUT);
	sync_destroy(fd, sync);
	bo_destroy(fd, &bo);
}

static void forked_while_busy(int fd)
{
	uint32_t running = start_endless(fd, NULL), waiting = start_endless(fd, NULL);
	int file = sync_export_file(fd, waiting);
	pid_t pid = fork();

	igt_assert(pid >= 0);
	if (!pid)	/* what has not run is the parent's */
		_exit(sync_result(fd, waiting) == -ECANCELED ? 0 : 1);
	igt_assert_eq(child_status(pid), 0);
	igt_assert_eq(sync_file_status(file), 0);
	igt_assert_eq(sync_result(fd, running), -ETIMEDOUT);
	igt_assert_eq(sync_result(fd, waiting), -ETIMEDOUT);
	close(file);
	sync_destroy(fd, running);
	sync_destroy(fd, waiting);
}

/* All memory, and what is left when it is all taken */
static void budget(int fd)
{
	uint64_t all = v3dcl_param(fd, DRM_V3DCL_PARAM_MEMORY_BUDGET),
		 used = v3dcl_param(fd, DRM_V3DCL_PARAM_MEMORY_USED);
	struct drm_vc4_create_bo big = { .size = all - used }, one = { .size = 1 };

	do_ioctl(fd, DRM_IOCTL_VC4_CREATE_BO, &big);
	do_ioctl_err(fd, DRM_IOCTL_VC4_CREATE_BO, &one, ENOMEM);
	gem_close(fd, big.handle);
	do_ioctl(fd, DRM_IOCTL_VC4_CREATE_BO, &one);
	gem_close(fd, one.handle);
}

static uint32_t madvise_bo(int fd, uint32_t handle, uint32_t madv)
{
	struct drm_vc4_gem_madvise args = { .handle = handle, .madv = madv };

	do_ioctl(fd, DRM_IOCTL_VC4_GEM_MADVISE, &args);
	return args.retained;
}

static void purged(int fd)
{
	uint64_t all = v3dcl_param(fd, DRM_V3DCL_PARAM_MEMORY_BUDGET),
		 used = v3dcl_param(fd, DRM_V3DCL_PARAM_MEMORY_USED);
	struct drm_vc4_create_bo big = { .size = all - used };
	struct bo kept = bo_create(fd, PAGE), lost = bo_create(fd, PAGE);

	kept.map[0] = lost.map[0] = 1;
	igt_assert_eq(madvise_bo(fd, lost.handle, VC4_MADV_DONTNEED), 1);
	big.size -= PAGE;
	do_ioctl(fd, DRM_IOCTL_VC4_CREATE_BO, &big);
	igt_assert_eq(madvise_bo(fd, lost.handle, VC4_MADV_WILLNEED), 0);
	igt_assert(!readable(lost.map));	/* SIGBUS */
	igt_assert_eq_u32(kept.map[0], 1);
	gem_close(fd, big.handle);
	bo_destroy(fd, &kept);
	bo_destroy(fd, &lost);
}

/* More BOs than select() knows file descriptors; the program's own stay low */
static void many_bos(int fd)
{
	static struct bo bos[2000];
	unsigned int i;
	int low;

	for (i = 0; i < ARRAY_SIZE(bos); i++) {
		bos[i] = bo_create(fd, PAGE);
		igt_assert_eq_u32(bos[i].map[PAGE / 4 - 1], 0);
		bos[i].map[0] = i;
	}
	low = dup(0);
	igt_assert(low < FD_SETSIZE);
	close(low);
	for (i = 0; i < ARRAY_SIZE(bos); i++) {
		igt_assert_eq_u32(bos[i].map[0], i);
		bo_destroy(fd, &bos[i]);
	}
}

static int export_bo(int fd, uint32_t handle, uint32_t flags)
{
	struct drm_prime_handle args = { .handle = handle, .flags = flags, .fd = -1 };

	do_ioctl(fd, DRM_IOCTL_PRIME_HANDLE_TO_FD, &args);
	return args.fd;
}

static uint32_t import_bo(int fd, int dmabuf)
{
	struct drm_prime_handle args = { .fd = dmabuf };

	do_ioctl(fd, DRM_IOCTL_PRIME_FD_TO_HANDLE, &args);
	return args.handle;
}

/* A dma-buf is memory that can be mapped, not resized, and comes back as the BO that it is */
static void dma_buf(int fd)
{
	struct bo bo = bo_create(fd, 4 * PAGE);
	int rw = export_bo(fd, bo.handle, DRM_RDWR | DRM_CLOEXEC), ro = export_bo(fd, bo.handle, 0);
	uint32_t *map = mmap(NULL, bo.size, PROT_READ | PROT_WRITE, MAP_SHARED, rw, 0);
	int other = open("/dev/dri/renderD128", O_RDWR);
	struct bo same = { .size = bo.size };

	igt_assert(map != MAP_FAILED);
	igt_assert(mmap(NULL, bo.size, PROT_READ | PROT_WRITE, MAP_SHARED, ro, 0) == MAP_FAILED);
	igt_assert_eq(lseek(rw, 0, SEEK_END), bo.size);
	igt_assert_eq(ftruncate(rw, 0), -1);
	igt_assert_eq(import_bo(fd, rw), bo.handle);
	same.handle = import_bo(other, ro);
	same.map = bo_map_handle(other, same.handle, same.size);
	map[1] = 0xabcd;
	igt_assert_eq_u32(bo.map[1], 0xabcd);
	igt_assert_eq_u32(same.map[1], 0xabcd);
	bo_destroy(fd, &bo);
	igt_assert_eq_u32(same.map[1], 0xabcd);
	bo_destroy(other, &same);
	close(other);
	/* The BO is gone, its memory is not */
	bo.handle = import_bo(fd, rw);
	bo.size = 4 * PAGE;
	bo.map = bo_map_handle(fd, bo.handle, bo.size);
	igt_assert_eq_u32(bo.map[1], 0xabcd);
	bo_destroy(fd, &bo);
	munmap(map, 4 * PAGE);
	close(rw);
	close(ro);
}

/* What poll() and ppoll() are in a program that was built with _FORTIFY_SOURCE */
int __poll_chk(struct pollfd *fds, nfds_t count, int timeout_ms, size_t room);
int __ppoll_chk(struct pollfd *fds, nfds_t count, const struct timespec *timeout,
		const sigset_t *mask, size_t room);

static void dma_buf_fences(int fd)
{
	struct bo bo = bo_create(fd, PAGE);
	int dmabuf = export_bo(fd, bo.handle, DRM_RDWR);
	uint32_t sync = start_endless(fd, &bo);
	struct dma_buf_export_sync_file fences = { .flags = DMA_BUF_SYNC_READ };
	struct dma_buf_sync access_args = { .flags = DMA_BUF_SYNC_READ };
	struct pollfd poll_args = { .fd = dmabuf, .events = POLLIN };
	const struct timespec at_once = { 0 };

	do_ioctl(dmabuf, DMA_BUF_IOCTL_EXPORT_SYNC_FILE, &fences);
	igt_assert_eq(poll(&poll_args, 1, 0), 0);
	igt_assert_eq(__poll_chk(&poll_args, 1, 0, sizeof(poll_args)), 0);
	igt_assert_eq(__ppoll_chk(&poll_args, 1, &at_once, NULL, sizeof(poll_args)), 0);
	poll_args.fd = fences.fd;
	igt_assert_eq(poll(&poll_args, 1, 0), 0);
	igt_assert_eq(poll(&poll_args, 1, 10000), 1);
	igt_assert_eq(sync_file_status(fences.fd), -ETIMEDOUT);
	do_ioctl(dmabuf, DMA_BUF_IOCTL_SYNC, &access_args);
	poll_args.fd = dmabuf;
	igt_assert_eq(poll(&poll_args, 1, 0), 1);
	close(fences.fd);
	close(dmabuf);
	sync_destroy(fd, sync);
	bo_destroy(fd, &bo);
}

static void sync_files(int fd)
{
	uint32_t first = start_endless(fd, NULL), second = start_endless(fd, NULL);
	struct sync_merge_data merge = { .name = "both", .fd2 = sync_export_file(fd, second) };
	struct sync_fence_info fences[2];
	struct sync_file_info info = { .num_fences = 2, .sync_fence_info = (uintptr_t)fences };
	int file = sync_export_file(fd, first), copy;
	struct pollfd poll_args = { .events = POLLIN };

	do_ioctl(file, SYNC_IOC_MERGE, &merge);
	do_ioctl(merge.fence, SYNC_IOC_FILE_INFO, &info);
	igt_assert(!strcmp(info.name, "both"));
	igt_assert_eq(info.num_fences, 2);
	igt_assert_eq(info.status, 0);
	copy = dup(merge.fence);
	close(merge.fence);
	poll_args.fd = copy;
	igt_assert_eq(poll(&poll_args, 1, 10000), 1);
	igt_assert_eq(poll_args.revents, POLLIN);
	igt_assert_eq(sync_file_status(copy), -ETIMEDOUT);
	igt_assert_eq(sync_result(fd, second), -ETIMEDOUT);
	close(copy);
	close(file);
	close(merge.fd2);
	sync_destroy(fd, first);
	sync_destroy(fd, second);
}

/* It must not show that closed sync_files are not told of */
static void many_sync_files(int fd)
{
	uint32_t sync = sync_create(fd);
	struct drm_syncobj_array array = { .handles = (uintptr_t)&sync, .count_handles = 1 };
	int kept, i;

	do_ioctl(fd, DRM_IOCTL_SYNCOBJ_SIGNAL, &array);
	kept = sync_export_file(fd, sync);
	for (i = 0; i < 3000; i++)
		close(sync_export_file(fd, sync));
	igt_assert_eq(sync_file_status(kept), 1);
	close(kept);
	sync_destroy(fd, sync);
}

/* A display of 64x32: V3D_DISPLAY says so */
static void display(int fd)
{
	drmModeRes *res = drmModeGetResources(fd);
	drmModeConnector *connector;
	struct bo bo = bo_create(fd, 64 * 64 * 4);
	drmEventContext context = { .version = 2, .page_flip_handler = flipped };
	struct job *job = job_new();
	uint32_t fb, program;

	igt_require_f(res, "no display\n");
	igt_assert_eq(res->count_connectors, 1);
	connector = drmModeGetConnector(fd, res->connectors[0]);
	igt_assert(connector && connector->connection == DRM_MODE_CONNECTED);
	igt_assert_eq(connector->modes[0].hdisplay, 64);
	igt_assert_eq(connector->modes[0].vdisplay, 32);
	igt_assert_eq(drmModeAddFB(fd, 64, 32, 24, 32, 64 * 4, bo.handle, &fb), 0);
	igt_assert_eq(drmModeAddFB(fd, 64, 65, 24, 32, 64 * 4, bo.handle, &fb), -EINVAL);
	igt_assert_eq(drmModeSetCrtc(fd, res->crtcs[0], fb, 0, 0, res->connectors, 1,
				     &connector->modes[0]),
		      0);
	igt_assert_eq(drmModePageFlip(fd, res->crtcs[0], fb + 1, DRM_MODE_PAGE_FLIP_EVENT, &bo),
		      -ENOENT);
	/* It waits for what writes the picture */
	program = program_store(fd);
	job_run_store(job, program, 0, 3, &bo, 0);
	job_submit(fd, job);
	igt_assert_eq(drmModePageFlip(fd, res->crtcs[0], fb, DRM_MODE_PAGE_FLIP_EVENT, &bo), 0);
	igt_assert_eq_u32(bo.map[1], 4);
	igt_assert_eq(drmHandleEvent(fd, &context), 0);
	igt_assert(flipped_data == &bo);
	igt_assert_eq(drmModeRmFB(fd, fb), 0);
	igt_assert_eq(drmModeRmFB(fd, fb), -ENOENT);
	free(job);
	gem_close(fd, program);
	bo_destroy(fd, &bo);
	drmModeFreeConnector(connector);
	drmModeFreeResources(res);
}

int igt_main()
{
	static const struct {
		const char *name;
		void (*run)(int fd);
	} tests[] = {
		{ "libdrm", libdrm_finds_it }, { "paths", paths }, { "other-users", other_users },
		{ "hidden-tree", hidden_tree }, { "duplicates", duplicates },
		{ "memory-goes-with-the-file", memory_goes_with_the_file }, { "fork", forked },
		{ "fork-while-busy", forked_while_busy }, { "budget", budget },
		{ "purged", purged }, { "many-bos", many_bos }, { "dma-buf", dma_buf },
		{ "dma-buf-fences", dma_buf_fences }, { "sync-files", sync_files },
		{ "many-sync-files", many_sync_files }, { "display", display },
	};
	static int fd = -1;
	unsigned int i;

	igt_fixture() {
		fd = open("/dev/dri/card0", O_RDWR | O_CLOEXEC);
		igt_assert(fd >= 0);
	}
	for (i = 0; i < ARRAY_SIZE(tests); i++)
		igt_subtest(tests[i].name)
			tests[i].run(fd);
	igt_fixture()
		close(fd);
}
