// SPDX-License-Identifier: MIT
/*
 * Two programs under scripts/with-v3d, each with a V3D of its own, and the dma-bufs and sync_files
 * that they hand to each other as a compositor and its clients do: by SCM_RIGHTS.
 */
#define _GNU_SOURCE
#include "v3dcl_igt.h"

#include <signal.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/sysmacros.h>

#include <linux/dma-buf.h>

IGT_TEST_DESCRIPTION("Two processes, each with a V3D of its own");

#define PAGE 4096u
#define SIZE (4 * PAGE)
#define SOON_MS 60000
#define WHILE_NS 200000000ull	/* of the V3D's time */
#define LONG_NS 10000000000ull	/* the most that there is */
#define PEER "V3DCL_PEER" /* in the other program's environment: its socket, what it does */

/* The other program, and the socket to it */
struct peer {
	pid_t pid;
	int socket;
};

static void send_files(int to, const int *fds, unsigned int count)
{
	union {
		struct cmsghdr align;
		char bytes[CMSG_SPACE(4 * sizeof(int))];
	} control = { 0 };
	struct iovec byte = { "", 1 };
	struct msghdr message = { .msg_iov = &byte, .msg_iovlen = 1 };
	struct cmsghdr *header = &control.align;

	if (count) {
		message.msg_control = control.bytes;
		message.msg_controllen = CMSG_SPACE(count * sizeof(int));
		*header = (struct cmsghdr){ .cmsg_len = CMSG_LEN(count * sizeof(int)),
					    .cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS };
		memcpy(CMSG_DATA(header), fds, count * sizeof(int));
	}
	igt_assert_eq(sendmsg(to, &message, MSG_NOSIGNAL), 1);
}

/* Return: whether that many came */
static bool receive_files(int from, int *fds, unsigned int count)
{
	union {
		struct cmsghdr align;
		char bytes[CMSG_SPACE(4 * sizeof(int))];
	} control;
	char text;
	struct iovec byte = { &text, 1 };
	struct msghdr message = { .msg_iov = &byte, .msg_iovlen = 1, .msg_control = control.bytes,
				  .msg_controllen = sizeof(control) };
	const struct cmsghdr *header;

	if (recvmsg(from, &message, MSG_CMSG_CLOEXEC) != 1)
		return false;
	header = CMSG_FIRSTHDR(&message);
	if (!count || !header)
		return !count;
	memcpy(fds, CMSG_DATA(header), count * sizeof(int));
	return header->cmsg_len == CMSG_LEN(count * sizeof(int));
}

/* This program once more, which begins anew: it is told what to do when its V3D is there */
static struct peer peer_start(const char *what)
{
	char *const arguments[] = { program_invocation_name, NULL };
	char text[64];
	struct peer peer;
	int ends[2];

	igt_assert_eq(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends), 0);
	snprintf(text, sizeof(text), "%d %s", ends[1], what);
	peer.socket = ends[0];
	peer.pid = fork();
	igt_assert(peer.pid >= 0);
	if (!peer.pid) {
		setenv(PEER, text, 1);
		fcntl(ends[1], F_SETFD, 0);
		execv("/proc/self/exe", arguments);
		_exit(127);
	}
	close(ends[1]);
	igt_assert(receive_files(peer.socket, NULL, 0));
	return peer;
}

static int peer_end(const struct peer *peer)
{
	int status;

	close(peer->socket);
	igt_assert_eq(waitpid(peer->pid, &status, 0), peer->pid);
	return status;
}

static int export_bo(int fd, const struct bo *bo)
{
	struct drm_prime_handle args = { .handle = bo->handle, .flags = DRM_CLOEXEC, .fd = -1 };

	do_ioctl(fd, DRM_IOCTL_PRIME_HANDLE_TO_FD, &args);
	return args.fd;
}

/* Return: the sync_file of a job that writes the BO for some time */
static int start_long(int fd, const struct bo *bo, uint64_t timeout_ns)
{
	struct job *job = job_new();
	uint32_t sync = sync_create(fd), program = program_endless(fd);
	int file;

	job_run(job, program);
	job_writes(job, bo, 0);
	job->submit.timeout_ns = timeout_ns;
	job_out(job, sync, 0);
	job_submit(fd, job);
	file = sync_export_file(fd, sync);
	sync_destroy(fd, sync);
	gem_close(fd, program);
	free(job);
	return file;
}

/* Adds one to what it stores, in row @row of 16 words */
static void start_store(int fd, const struct bo *bo, uint32_t row, uint32_t value)
{
	struct job *job = job_new();
	uint32_t program = program_store(fd);

	job_run_store(job, program, row, value, bo, row * 64);
	job_submit(fd, job);
	gem_close(fd, program);
	free(job);
}

static bool readable(int fd, int timeout_ms)
{
	struct pollfd args = { .fd = fd, .events = POLLIN };

	return poll(&args, 1, timeout_ms) == 1 && args.revents == POLLIN;
}

/* --- the other program ------------------------------------------------------------------------ */

#define MUST(condition) \
	do { \
		if (!(condition)) { \
			fprintf(stderr, "peer, line %d: %s\n", __LINE__, #condition); \
			_exit(1); \
		} \
	} while (0)

static struct bo peer_import(int fd, int dmabuf)
{
	struct drm_prime_handle args = { .fd = dmabuf };
	struct bo bo = { .size = SIZE };

	MUST(!ioctl(fd, DRM_IOCTL_PRIME_FD_TO_HANDLE, &args));
	bo.handle = args.handle;
	bo.map = bo_map_handle(fd, bo.handle, bo.size);
	return bo;
}

/* Nothing that its maker has under way shows as done, by whichever way it is asked for */
static void peer_waits(int fd, int socket)
{
	struct dma_buf_export_sync_file fences = { .flags = DMA_BUF_SYNC_READ };
	struct dma_buf_sync reading = { .flags = DMA_BUF_SYNC_READ };
	struct bo bo;
	int files[2];

	MUST(receive_files(socket, files, 2));
	bo = peer_import(fd, files[0]);
	MUST(bo.map[0] == 0x1234);
	MUST(!readable(files[0], 0));
	MUST(!ioctl(files[0], DMA_BUF_IOCTL_EXPORT_SYNC_FILE, &fences));
	MUST(sync_file_status(fences.fd) == 0);
	MUST(sync_file_status(files[1]) == 0);
	MUST(bo_wait(fd, bo.handle, 0) == ETIME);
	start_store(fd, &bo, 1, 5);		/* behind all of it */
	MUST(!ioctl(files[0], DMA_BUF_IOCTL_SYNC, &reading));
	MUST(bo.map[1] == 4);
	MUST(bo.map[17] == 6);
	MUST(readable(files[0], SOON_MS));
	MUST(readable(files[1], SOON_MS));
	MUST(sync_file_status(files[1]) == 1);
	MUST(readable(fences.fd, SOON_MS));
	MUST(sync_file_status(fences.fd) == 1);
}

/* A job of its own, which its maker waits for */
static void peer_works(int fd, int socket)
{
	struct bo bo;
	int file;

	MUST(receive_files(socket, &file, 1));
	bo = peer_import(fd, file);
	close(start_long(fd, &bo, WHILE_NS));
	start_store(fd, &bo, 0, 7);
	send_files(socket, NULL, 0);
	MUST(!receive_files(socket, NULL, 0));	/* until the other end is closed */
}

/* A job that has no end while others look */
static void peer_dies(int fd, int socket)
{
	struct bo bo;
	int file;

	MUST(receive_files(socket, &file, 1));
	bo = peer_import(fd, file);
	file = start_long(fd, &bo, LONG_NS);
	send_files(socket, &file, 1);
	pause();
}

/* Its nodes, with a BO in each, and a file that is none */
static void peer_gives(int socket)
{
	int files[3], i;

	files[0] = open("/dev/dri/renderD128", O_RDWR | O_CLOEXEC);
	files[1] = open("/dev/dri/card0", O_RDWR | O_CLOEXEC);
	files[2] = memfd_create("v3d", MFD_CLOEXEC);
	for (i = 0; i < 2; i++) {
		struct drm_vc4_create_bo args = { .size = SIZE };

		MUST(!ioctl(files[i], DRM_IOCTL_VC4_CREATE_BO, &args));
		MUST(args.handle == 1);
	}
	send_files(socket, files, 3);
	MUST(!receive_files(socket, NULL, 0));
}

static void be_peer(const char *told)
{
	char what[16];
	int socket, fd;

	MUST(sscanf(told, "%d %15s", &socket, what) == 2);
	fd = open("/dev/dri/renderD128", O_RDWR | O_CLOEXEC);
	MUST(fd >= 0);
	send_files(socket, NULL, 0);
	if (!strcmp(what, "waits"))
		peer_waits(fd, socket);
	else if (!strcmp(what, "works"))
		peer_works(fd, socket);
	else if (!strcmp(what, "gives"))
		peer_gives(socket);
	else
		peer_dies(fd, socket);
	_exit(0);
}

/* --- the tests -------------------------------------------------------------------------------- */

static void others_wait(int fd)
{
	struct peer peer = peer_start("waits");
	struct bo bo = bo_create(fd, SIZE);
	int files[2];

	bo.map[0] = 0x1234;
	files[1] = start_long(fd, &bo, WHILE_NS);
	start_store(fd, &bo, 0, 3);
	files[0] = export_bo(fd, &bo);
	send_files(peer.socket, files, 2);
	igt_assert_eq(peer_end(&peer), 0);
	igt_assert_eq(bo_wait(fd, bo.handle, 0), 0);
	igt_assert_eq_u32(bo.map[17], 6);
	close(files[0]);
	close(files[1]);
	bo_destroy(fd, &bo);
}

static void is_waited_for(int fd)
{
	struct peer peer = peer_start("works");
	struct bo bo = bo_create(fd, SIZE);
	int dmabuf = export_bo(fd, &bo);

	send_files(peer.socket, &dmabuf, 1);
	igt_assert(receive_files(peer.socket, NULL, 0));
	igt_assert(!readable(dmabuf, 0));
	igt_assert_eq(bo_wait(fd, bo.handle, 0), ETIME);
	start_store(fd, &bo, 1, 8);
	igt_assert_eq(bo_wait(fd, bo.handle, LONG_WAIT), 0);
	igt_assert_eq_u32(bo.map[1], 8);
	igt_assert_eq_u32(bo.map[17], 9);
	igt_assert_eq(peer_end(&peer), 0);
	close(dmabuf);
	bo_destroy(fd, &bo);
}

/* Killed while its job runs: nothing waits for that any more */
static void dies(int fd)
{
	struct peer peer = peer_start("dies");
	struct bo bo = bo_create(fd, SIZE);
	int dmabuf = export_bo(fd, &bo), file;

	send_files(peer.socket, &dmabuf, 1);
	igt_assert(receive_files(peer.socket, &file, 1));
	igt_assert(!readable(dmabuf, 0));
	igt_assert_eq(sync_file_status(file), 0);
	kill(peer.pid, SIGKILL);
	igt_assert_eq(peer_end(&peer), SIGKILL);
	igt_assert(readable(dmabuf, SOON_MS));
	igt_assert_eq(bo_wait(fd, bo.handle, 0), 0);
	igt_assert_eq(sync_file_status(file), -ECANCELED);
	close(file);
	close(dmabuf);
	bo_destroy(fd, &bo);
}

static void is_node(int fd, unsigned int expected)
{
	struct stat st;

	igt_assert_eq(fstat(fd, &st), 0);
	igt_assert(S_ISCHR(st.st_mode));
	igt_assert_eq(major(st.st_rdev), 226);
	igt_assert_eq(minor(st.st_rdev), expected);
}

/* As X11's DRI3 does: what the other one opened is a node here too, of this V3D */
static void gives_its_nodes(void)
{
	struct peer peer = peer_start("gives");
	int files[3], copy, i;
	struct stat st;

	igt_assert(receive_files(peer.socket, files, 3));
	is_node(files[0], 128);
	is_node(files[1], 0);
	igt_assert_eq(fstat(files[2], &st), 0);
	igt_assert(S_ISREG(st.st_mode));
	for (i = 0; i < 2; i++) {
		struct drm_gem_close args = { .handle = 1 };
		struct bo bo;

		igt_assert_eq(ioctl(files[i], DRM_IOCTL_GEM_CLOSE, &args), -1);
		igt_assert_eq(errno, EINVAL);
		bo = bo_create(files[i], SIZE);
		start_store(files[i], &bo, 0, 8);
		igt_assert_eq(bo_wait(files[i], bo.handle, LONG_WAIT), 0);
		igt_assert_eq_u32(bo.map[1], 9);
		copy = dup(files[i]);
		close(files[i]);
		is_node(copy, i ? 0 : 128);
		igt_assert_eq(bo_wait(copy, bo.handle, 0), 0);
		munmap(bo.map, bo.size);
		close(copy);
	}
	close(files[2]);
	igt_assert_eq(peer_end(&peer), 0);
}

int igt_main()
{
	static int fd = -1;

	igt_fixture() {
		if (getenv(PEER))
			be_peer(getenv(PEER));
		fd = open("/dev/dri/renderD128", O_RDWR | O_CLOEXEC);
		igt_assert(fd >= 0);
	}
	igt_subtest("others-wait")
		others_wait(fd);
	igt_subtest("is-waited-for")
		is_waited_for(fd);
	igt_subtest("dies")
		dies(fd);
	igt_subtest("gives-its-nodes")
		gives_its_nodes();
	igt_fixture()
		close(fd);
}
