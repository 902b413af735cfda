/* SPDX-License-Identifier: MIT */
/* Programs that wait for each other have to run in one submit. */
#ifndef V3DCL_BASE_SEMAPHORES_H
#define V3DCL_BASE_SEMAPHORES_H

#include <stdbool.h>
#include <stdint.h>

#include <v3d/qpu.h>

static inline bool code_has_semaphores(const uint64_t *code, uint32_t count)
{
	uint32_t i;

	for (i = 0; i < count; i++)
		if (v3d_qpu_decode(code[i]).kind == V3D_QPU_SEMAPHORE)
			return true;
	return false;
}

#endif /* V3DCL_BASE_SEMAPHORES_H */
