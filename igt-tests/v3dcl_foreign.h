/* SPDX-License-Identifier: MIT */
/* Memory that the V3D cannot reach. Who includes this defines _GNU_SOURCE, for memfd_create(). */
#ifndef V3DCL_FOREIGN_H
#define V3DCL_FOREIGN_H

#include "v3dcl_igt.h"

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

#endif /* V3DCL_FOREIGN_H */
