// SPDX-License-Identifier: MIT
/* Fragment shaders that may run beside others: see tiles.h. */
#include <v3d/qpu.h>

#include "sim.h"
#include "tiles_job.h"

#define WORDS 4096	/* of a shader, at most */

/* What QPUs share */
static bool shared_read(unsigned int raddr)
{
	return raddr >= V3D_QPU_R_VPM_READ && raddr <= V3D_QPU_R_MUTEX_ACQUIRE;
}

static bool shared_write(unsigned int waddr)
{
	return waddr == V3D_QPU_W_HOST_INT || (waddr >= V3D_QPU_W_VPM_WRITE && waddr <= V3D_QPU_W_MUTEX_RELEASE);
}

/* Return: false: it may use what QPUs share, or go on nobody knows where. @last: the furthest word that it may branch to */
static bool look_at(const struct v3d_qpu_inst *i, uint32_t at, uint32_t *last)
{
	if (shared_write(i->waddr_add) || shared_write(i->waddr_mul))
		return false;
	switch (i->kind) {
	case V3D_QPU_ALU:
		return !shared_read(i->raddr_a) && !shared_read(i->raddr_b);
	case V3D_QPU_ALU_SMALL_IMMEDIATE:
		return !shared_read(i->raddr_a);
	case V3D_QPU_BRANCH:
		at += V3D_QPU_BRANCH_SLOTS + 1 + i->immediate / V3D_QPU_INSTRUCTION_BYTES;
		at &= UINT32_MAX / V3D_QPU_INSTRUCTION_BYTES;
		if (!i->rel || i->reg || i->immediate % V3D_QPU_INSTRUCTION_BYTES)
			return false;
		*last = at > *last ? at : *last;
		return true;
	case V3D_QPU_SEMAPHORE:
		return false;
	default:
		return true;
	}
}

static bool is_alone(struct v3dsim *sim, uint32_t code)
{
	uint32_t last = 0, end = WORDS;

	for (uint32_t at = 0; at < end; at++) {
		const uint64_t *word = bus_peek(sim, V3DSIM_UNIT_ICACHE, code + at * V3D_QPU_INSTRUCTION_BYTES,
						V3D_QPU_INSTRUCTION_BYTES);
		struct v3d_qpu_inst i;

		if (!word || (uintptr_t)word % sizeof(*word))
			return false;
		i = v3d_qpu_decode(__atomic_load_n(word, __ATOMIC_RELAXED));
		if (!look_at(&i, at, &last))
			return false;
		if (end == WORDS && (i.sig == V3D_QPU_SIG_PROGRAM_END || i.sig == V3D_QPU_SIG_LOAD_COLOR_END))
			end = at + V3D_QPU_END_SLOTS + 1;
	}
	return end < WORDS && last < end;
}

bool tiles_shader_alone(struct v3dsim *sim, uint32_t code)
{
	struct tiles_shader *shader = &sim->tiles->shader[(code >> 3 ^ code >> 9) % TILES_SHADERS];

	if (shader->known && shader->code == code)
		return shader->alone;
	*shader = (struct tiles_shader){ .code = code, .alone = is_alone(sim, code) };
	shader->known = true;
	return shader->alone;
}
