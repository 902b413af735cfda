/* SPDX-License-Identifier: MIT */
/*
 * Buffers of others, as dma-bufs: one that the V3D cannot reach, and one that it can. Who includes
 * this defines _GNU_SOURCE, for memfd_create().
 */
#ifndef V3DCL_FOREIGN_H
#define V3DCL_FOREIGN_H

#include "v3dcl_igt.h"

#include <linux/dma-heap.h>
#include <linux/udmabuf.h>

/* Pages of a memfd that do not follow each other in memory. Return: a dma-buf */
static inline int scattered(size_t size)
{
	struct udmabuf_create create = { .flags = UDMABUF_FLAGS_CLOEXEC, .size = size };
	int udmabuf = open("/dev/udmabuf", O_RDWR | O_CLOEXEC), memory, dma_buf;
	size_t i, pages = size / 4096;

	igt_require_f(udmabuf >= 0, "no udmabuf\n");
	memory = memfd_create("scattered", MFD_ALLOW_SEALING);
	igt_assert(memory >= 0 && !ftruncate(memory, size));
	/* One after the other from the page allocator would be too orderly */
	for (i = 0; i < pages; i++)
		igt_assert_eq(pwrite(memory, "x", 1, i * 7 % pages * 4096), 1);
	igt_assert(!fcntl(memory, F_ADD_SEALS, F_SEAL_SHRINK));
	create.memfd = memory;
	dma_buf = ioctl(udmabuf, UDMABUF_CREATE, &create);
	igt_assert_fd(dma_buf);
	close(memory);
	close(udmabuf);
	return dma_buf;
}

/* A buffer of the heap of contiguous memory, under whichever name. Return: a dma-buf */
static inline int contiguous(size_t bytes)
{
	static const char *const names[] = { "reserved", "linux,cma", "default_cma_region",
					     "default-pool" };
	struct dma_heap_allocation_data data = { .len = bytes, .fd_flags = O_RDWR | O_CLOEXEC };
	unsigned int i;
	char path[64];
	int heap = -1;

	for (i = 0; heap < 0 && i < ARRAY_SIZE(names); i++) {
		snprintf(path, sizeof(path), "/dev/dma_heap/%s", names[i]);
		heap = open(path, O_RDWR | O_CLOEXEC);
	}
	igt_require_f(heap >= 0, "no heap of contiguous memory\n");
	do_ioctl(heap, DMA_HEAP_IOCTL_ALLOC, &data);
	close(heap);
	return data.fd;
}

#endif /* V3DCL_FOREIGN_H */
