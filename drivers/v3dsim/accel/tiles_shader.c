// SPDX-License-Identifier: MIT
/*
 * Shaders, looked at before they run: may fragment shaders run beside others, and what memory do
 * texture lookups read? See tiles.h. Which uniforms set a lookup up is known of those that run
 * straight from their first instruction to their last; of all others, and of lookups of single
 * words, nothing is known.
 */
#include <string.h>
#include <sys/param.h>

#include <v3d/qpu.h>

#include "core/sim.h"
#include "qpu/qpu.h"
#include "tiles_job.h"

#define WORDS 4096	/* of a shader, at most */

/**
 * struct look - a shader being looked at
 * @at: the word at hand; @last: the furthest one that may be branched to
 * @uniforms: how many were read so far
 * @pending: what each TMU was given for its next lookup
 * @branches: it does; @reads: it uses a TMU
 */
struct look {
	struct tiles_shader *shader;
	uint32_t at, last;
	unsigned int uniforms;
	struct tiles_lookup pending[2];
	bool branches, reads;
};

/* What QPUs share */
static bool shared_read(unsigned int raddr)
{
	return raddr >= V3D_QPU_R_VPM_READ && raddr <= V3D_QPU_R_MUTEX_ACQUIRE;
}

static bool shared_write(unsigned int waddr)
{
	return waddr == V3D_QPU_W_HOST_INT ||
	       (waddr >= V3D_QPU_W_VPM_WRITE && waddr <= V3D_QPU_W_MUTEX_RELEASE);
}

/* Return: false: it may use what QPUs share, or go on at an address that is not known. */
static bool look_at(const struct v3d_qpu_inst *i, struct look *look)
{
	uint32_t to = look->at;

	if (shared_write(i->waddr_add) || shared_write(i->waddr_mul))
		return false;
	switch (i->kind) {
	case V3D_QPU_ALU:
		return !shared_read(i->raddr_a) && !shared_read(i->raddr_b);
	case V3D_QPU_ALU_SMALL_IMMEDIATE:
		return !shared_read(i->raddr_a);
	case V3D_QPU_BRANCH:
		look->branches = true;
		to += V3D_QPU_BRANCH_SLOTS + 1 + i->immediate / V3D_QPU_INSTRUCTION_BYTES;
		to &= UINT32_MAX / V3D_QPU_INSTRUCTION_BYTES;
		if (!i->rel || i->reg || i->immediate % V3D_QPU_INSTRUCTION_BYTES)
			return false;
		look->last = MAX(to, look->last);
		return true;
	case V3D_QPU_SEMAPHORE:
		return false;
	default:
		return true;
	}
}

/* The next uniform is a set-up word. */
static void take_word(struct look *look, struct tiles_lookup *lookup)
{
	if (lookup->words < TMU_WORDS)
		lookup->uniform[lookup->words++] = look->uniforms;
	look->uniforms++;
}

static void note_tmu(struct look *look, unsigned int io)
{
	struct tiles_lookup *pending = &look->pending[io >= V3D_QPU_W_TMU1_S];
	struct tiles_shader *shader = look->shader;

	look->reads = true;
	if (io & 3) {
		take_word(look, pending);
		return;
	}
	if (!pending->words || shader->lookups == TILES_LOOKUPS) {
		shader->anywhere = true;
		return;
	}
	take_word(look, pending);
	shader->lookup[shader->lookups++] = *pending;
	memset(pending, 0, sizeof(*pending));
}

/* Which uniforms an instruction takes, and what for */
static void look_at_uniforms(struct look *look, uint64_t word)
{
	const uint8_t special[] = { V3D_QPU_W_UNIFORMS_ADDRESS, V3D_QPU_W_TMU_NOSWAP };
	struct qpu_op op;

	qpu_decode(&alu_table_any, &op, word);
	if ((op.inst.kind <= V3D_QPU_ALU_SMALL_IMMEDIATE && op.inst.raddr_a == V3D_QPU_R_UNIFORM) ||
	    (op.inst.kind == V3D_QPU_ALU && op.inst.raddr_b == V3D_QPU_R_UNIFORM))
		look->uniforms++;
	for (unsigned int n = 0; n < sizeof(special); n++)
		look->shader->anywhere |= op.add_io == special[n] || op.mul_io == special[n];
	if (op.add_io >= V3D_QPU_W_TMU0_S)
		note_tmu(look, op.add_io);
	if (op.mul_io >= V3D_QPU_W_TMU0_S)
		note_tmu(look, op.mul_io);
}

/*
 * The whole shader. Return: it may run beside others; if its end is not found, nothing is known of
 * it.
 */
static bool is_alone(struct v3dsim *sim, struct look *look)
{
	uint32_t end = WORDS;
	bool alone = true;

	for (; look->at < end; look->at++) {
		const uint64_t *place =
			bus_peek(sim, V3DSIM_UNIT_ICACHE,
				 look->shader->code + look->at * V3D_QPU_INSTRUCTION_BYTES,
				 V3D_QPU_INSTRUCTION_BYTES);
		struct v3d_qpu_inst i;
		uint64_t word;

		if (!place || (uintptr_t)place % sizeof(word))
			break;
		word = __atomic_load_n(place, __ATOMIC_RELAXED);
		i = v3d_qpu_decode(word);
		alone &= look_at(&i, look);
		look_at_uniforms(look, word);
		if (end == WORDS &&
		    (i.sig == V3D_QPU_SIG_PROGRAM_END || i.sig == V3D_QPU_SIG_LOAD_COLOR_END))
			end = look->at + V3D_QPU_END_SLOTS + 1;
	}
	if (look->at < end || end >= WORDS || look->last >= end) {
		look->shader->anywhere = look->reads = true;
		return false;
	}
	return alone;
}

struct tiles_shader *tiles_shader_at(struct v3dsim *sim, uint32_t code)
{
	struct tiles_shader *shader = &sim->tiles->shader[(code >> 3 ^ code >> 9) % TILES_SHADERS];
	struct look look = { .shader = shader };

	if (shader->known && shader->code == code)
		return shader;
	memset(shader, 0, sizeof(*shader));
	shader->code = code;
	shader->known = true;
	shader->alone = is_alone(sim, &look);
	shader->anywhere = look.reads && (shader->anywhere || look.branches);
	return shader;
}

void tiles_list(struct v3dsim *sim)
{
	for (unsigned int n = 0; sim->tiles && n < TILES_SHADERS; n++)
		sim->tiles->shader[n].known = false;
}

/* What lookups of the texture can read: all of its levels and faces */
static void find_extent(const struct v3dsim *sim, struct tiles_lookup *lookup,
			const uint32_t *words)
{
	struct tmu_texture texture = { 0 };

	tmu_setup(&texture, words, &sim->chip);
	lookup->known = true;
	memcpy(lookup->word, words, sizeof(lookup->word));
	lookup->start = texture.levels[texture.last].layout.base;
	lookup->end = (uint64_t)texture.levels[0].layout.base + texture.levels[0].layout.bytes +
		      5 * (uint64_t)texture.cube_stride;
	/* around the end of memory */
	if (texture.levels[texture.last].layout.base > texture.levels[0].layout.base) {
		lookup->start = 0;
		lookup->end = UINT64_C(1) << 32;
	}
}

bool tiles_shader_waits(struct v3dsim *sim, struct tiles_shader *shader, uint32_t uniforms)
{
	const struct tiles *t = sim->tiles;

	if (!t->spans || shader->anywhere)
		return t->spans;
	for (unsigned int n = 0; n < shader->lookups; n++) {
		struct tiles_lookup *lookup = &shader->lookup[n];
		uint32_t words[TMU_WORDS] = { 0 };

		for (unsigned int i = 0; i < lookup->words; i++) {
			const uint32_t addr = (uniforms & ~3u) + 4 * lookup->uniform[i];
			const uint32_t *word = bus_peek(sim, V3DSIM_UNIT_UNIFORMS, addr,
							sizeof(*word));

			if (!word || (uintptr_t)word % sizeof(*word))
				return true;
			words[i] = __atomic_load_n(word, __ATOMIC_RELAXED);
		}
		if (!lookup->known || memcmp(lookup->word, words, sizeof(words)) != 0)
			find_extent(sim, lookup, words);
		if (tiles_span_stored(t, lookup->start, lookup->end))
			return true;
	}
	return false;
}

bool tiles_vertices_wait(struct v3dsim *sim, uint32_t code, uint32_t uniforms)
{
	const struct tiles *t = sim->tiles;

	return t && t->spans && tiles_shader_waits(sim, tiles_shader_at(sim, code), uniforms) &&
	       tiles_busy(sim);
}
