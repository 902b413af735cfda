// SPDX-License-Identifier: MIT
/* A hang as a file, as the kernel's devcoredump has it: for v3dcl decode. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "preload.h"

/* The last one stays */
void preload_hung(void *opaque, const struct emu_hang *hang)
{
	const char *path = getenv("V3D_DUMP");
	FILE *file = hang->dump ? fopen(path, "wbe") : NULL;
	bool good = file && fwrite(hang->dump, 1, hang->dump_size, file) == hang->dump_size;

	(void)opaque;
	if (file)
		good = !fclose(file) && good;
	if (!good)
		fprintf(stderr, "v3d: V3D_DUMP: %s: %s\n", path, strerror(errno));
	else if (!getenv("V3D_QUIET"))
		fprintf(stderr, "v3d: v3dcl decode %s tells what the V3D had\n", path);
}
