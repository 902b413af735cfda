// SPDX-License-Identifier: MIT
/*
 * A trial that was accepted, before the judge: each unit may touch what the guide says it needs,
 * where the job says it has it.
 */
#include <string.h>

#include <v3d/lists.h>
#include <v3d/qpu.h>

#include "dice.h"
#include "inside.h"
#include "make.h"
#include "run.h"

#define BIN_BUDGET 1500
#define RENDER_BUDGET 2000
#define PROGRAM_BUDGET 2000
#define NOISE_BYTES (1u << 20)

/* Indices up to the highest, which comes often */
static void fill_indices(uint8_t *bytes, const struct trial_bo *bo, struct dice *d)
{
	for (uint32_t at = 0; at + bo->first <= bo->size && at < 4096; at += bo->first) {
		const uint16_t index = one_in(d, 4) ? bo->count : roll(d, bo->count + 1);

		memcpy(bytes + at, &index, bo->first);
	}
}

/* Noise from a place on, into as much of a BO as jobs reach: nothing of earlier ones is read */
static void fill_noise(uint8_t *bytes, uint32_t size, const uint8_t *noise)
{
	const uint32_t most = NOISE_BYTES / 2;

	for (uint32_t at = 0; at < size && at < MAKE_MOVED_BYTES; at += most)
		memcpy(bytes + at, noise, size - at < most ? size - at : most);
}

/*
 * What is in the BOs that are read: the same for the same seed. Small numbers, so that indices and
 * coordinates are of use.
 */
static void fill(struct machine *m, const struct checked *c, const struct trial *t)
{
	static uint8_t noise[NOISE_BYTES];
	struct dice d = { t->seed };
	uint32_t from = roll(&d, NOISE_BYTES / 2) & ~3u, i;

	if (!noise[0]) {
		struct dice all = { 1 };

		for (i = 0; i < NOISE_BYTES; i += 4) {
			uint32_t word = one_in(&all, 2) ? small_float(&all) :
							  roll(&all, 8) | roll(&all, 16) << 16;

			memcpy(noise + i, &word, 4);
		}
		noise[0] |= 1;
	}
	for (i = 0; i < t->bo_count; i++) {
		const struct trial_bo *bo = &t->bos[i];

		if (bo->kind == TRIAL_DATA && !(c->bos[i].uses & (V3DCL_READ | V3DCL_READ_BINNING)))
			continue;
		if (bo->kind == TRIAL_DATA && bo->first && !(c->bos[i].uses & V3DCL_WRITE))
			fill_indices(m->host + bo->address, bo, &d);
		else if (bo->kind == TRIAL_DATA)
			fill_noise(m->host + bo->address, bo->size, noise + from);
		else
			memcpy(m->host + bo->address, t->code + bo->first,
			       bo->count * sizeof(t->code[0]));
	}
}

static void allow_code(struct machine *m, const struct checked *c, const struct trial *t)
{
	for (uint32_t i = 0; i < t->bo_count; i++)
		if (c->bos[i].uses & V3DCL_CODE)
			machine_allow(m, t->bos[i].address,
				      t->bos[i].count * V3D_QPU_INSTRUCTION_BYTES, UNIT(ICACHE), 0,
				      "a BO of code");
}

static void allow_bos(struct machine *m, const struct checked *c, const struct trial *t,
		      uint32_t read, unsigned int readers, unsigned int writers)
{
	for (uint32_t i = 0; i < t->bo_count; i++) {
		const uint32_t uses = c->bos[i].uses;

		if (t->bos[i].kind == TRIAL_DATA && uses)
			machine_allow(m, t->bos[i].address, t->bos[i].size,
				      uses & read ? readers : 0, uses & V3DCL_WRITE ? writers : 0,
				      uses & V3DCL_WRITE ? "a BO declared written" :
							   "a BO declared read");
	}
}

/*
 * The record of a shader state and the three streams that it points to, each as long as its shader
 * says.
 */
static void allow_record(struct machine *m, const struct checked *c, const struct trial *t,
			 const struct v3d_gl_shader_state *state)
{
	struct v3d_gl_shader_record r;

	v3d_unpack_gl_shader_record(m->host + state->address, &r);
	machine_allow(m, state->address, v3d_shader_record_length(state), UNIT(CLE0) | UNIT(CLE1),
		      0, "a shader record");
	for (uint32_t i = 0; i < t->bo_count; i++) {
		const struct v3dcl_shader *shader = c->bos[i].shader;
		const uint32_t streams[3] = { c->bos[i].address == r.fs_code ? r.fs_uniforms : 0,
					      c->bos[i].address == r.vs_code ? r.vs_uniforms : 0,
					      c->bos[i].address == r.cs_code ? r.cs_uniforms : 0 };

		for (uint32_t n = 0; shader && n < 3; n++)
			if (streams[n])
				machine_stream(m, streams[n], shader->uniform_words * 4,
					       c->bos[i].address);
	}
}

/* The checked list is followed as the chip does. */
static void allow_records(struct machine *m, const struct checked *c, const struct trial *t)
{
	for (uint32_t at = c->job.bin_start; at < c->job.bin_end;) {
		const uint8_t *bytes = m->host + at;
		struct v3d_gl_shader_state state;
		uint32_t length = v3d_packet_info(bytes[0])->length;

		if (bytes[0] == V3D_GL_SHADER_STATE) {
			v3d_unpack_gl_shader_state(bytes, &state);
			allow_record(m, c, t, &state);
		}
		at += length ? length : 1;
	}
}

/* HW: auto-initialise leaves the state as it is, and so drivers zero it at each launch. */
static void allow_tiles(struct machine *m, const struct v3dcl_tile_memory *tiles)
{
	memset(m->host + tiles->state, 0, tiles->state_bytes);
	machine_allow(m, tiles->state, tiles->state_bytes, UNIT(PTB), UNIT(PTB),
		      "the tile state array");
	machine_allow(m, tiles->lists, tiles->lists_bytes, UNIT(PTB) | UNIT(CLE1) | UNIT(PSE),
		      UNIT(PTB), "tile lists");
}

static struct run run_frame(struct machine *m, const struct checked *c, const struct trial *t)
{
	struct run run = { .ended = true };
	uint32_t bos = m->span_count;

	if (t->bin.size) {
		allow_bos(m, c, t, V3DCL_READ_BINNING, UNIT(CLE0) | UNIT(VCD) | UNIT(TMU), 0);
		allow_code(m, c, t);
		machine_allow(m, c->job.bin_start, c->job.bin_end - c->job.bin_start, UNIT(CLE0), 0,
			      "the bin list");
		allow_tiles(m, &c->job.tiles);
		allow_records(m, c, t);
		run.ended = machine_list(m, 0, c->job.bin_start, c->job.bin_end, BIN_BUDGET);
		run.drew = m->loads[V3DSIM_UNIT_ICACHE];
		/*
		 * Rendering reads what rendering declared: the same list of BOs, in the same
		 * places, with other rights
		 */
		for (uint32_t i = 0, span = bos; i < t->bo_count && m->span_count; i++) {
			if (t->bos[i].kind != TRIAL_DATA || !c->bos[i].uses)
				continue;
			m->spans[span].readers = c->bos[i].uses & V3DCL_READ ?
							 UNIT(TLB) | UNIT(VCD) | UNIT(TMU) :
							 0;
			m->spans[span++].writers = c->bos[i].uses & V3DCL_WRITE ? UNIT(TLB) : 0;
		}
	} else {
		allow_bos(m, c, t, V3DCL_READ, UNIT(TLB), UNIT(TLB));
	}
	machine_allow(m, c->job.render_start, c->job.render_end - c->job.render_start, UNIT(CLE1),
		      0, "the render list");
	if (run.ended && !m->broken)
		run.ended = machine_list(m, 1, c->job.render_start, c->job.render_end,
					 RENDER_BUDGET);
	run.stored = m->stores[V3DSIM_UNIT_TLB];
	run.accessed = m->loads[V3DSIM_UNIT_TMU] || m->loads[V3DSIM_UNIT_VCD];
	return run;
}

/*
 * The VPM is no memory that the simulator asks for: ERRSTAT says that a transfer has left the rows
 * that VPMBASE gives to user programs (AG100 Table 87). QPUs themselves cannot address others.
 */
static void look_at_rows(struct machine *m)
{
	const uint32_t errors = v3dsim_read(m->sim, V3D_ERRSTAT);
	const bool loaded = V3D_GET(errors, ERRSTAT, VPMEWR) || V3D_GET(errors, ERRSTAT, VPMEWNA);
	const bool stored = V3D_GET(errors, ERRSTAT, VPMERR) || V3D_GET(errors, ERRSTAT, VPMERNA);

	if (m->broken || !(loaded || stored))
		return;
	m->broken = true;
	m->unit = stored ? V3DSIM_UNIT_VDW : V3DSIM_UNIT_VCD;
	m->address = 0;
	m->write = !stored;
	m->there = "the VPM, beyond the rows of user programs";
}

/* No limit is set on how many uniforms are read, so that one too many is a read outside. */
#define UNIFORMS_UNLIMITED 1024
#define NO_UNIFORMS 0x5ffff000u		/* where no program may read: 0 would switch uniforms off */

/*
 * No job may count on which QPU runs a program, nor on which of its programs starts first: they go
 * to some of the QPUs, as many as there are runs at least, so that all that wait for each other
 * run.
 */
static void reserve_qpus(struct machine *m, uint32_t runs, struct dice *d)
{
	uint32_t reserved[2] = { 0 };

	for (uint32_t left = roll(d, V3D_QPUS + 1 - runs); left; left--) {
		const uint32_t qpu = roll(d, V3D_QPUS);

		reserved[qpu / 8] |= 1u << qpu % 8 * 4;
	}
	v3dsim_write(m->sim, V3D_SQRSV0, reserved[0]);
	v3dsim_write(m->sim, V3D_SQRSV1, reserved[1]);
}

static void start_programs(struct machine *m, const struct checked *c, const struct trial *t)
{
	struct dice d = { t->seed + 1 };
	const uint32_t first = roll(&d, t->program_count);

	reserve_qpus(m, t->program_count, &d);
	for (uint32_t i = 0; i < t->program_count; i++) {
		const struct v3dcl_run *run = &c->runs[(first + i) % t->program_count];

		v3dsim_write(m->sim, V3D_SRQUA, run->uniform_count ? run->uniforms : NO_UNIFORMS);
		v3dsim_write(m->sim, V3D_SRQUL, V3D_SET(SRQUL, QPURQUL, UNIFORMS_UNLIMITED));
		v3dsim_write(m->sim, V3D_SRQPC, run->code);
	}
}

static struct run run_programs(struct machine *m, const struct checked *c, const struct trial *t)
{
	struct run run = { 0 };

	allow_bos(m, c, t, V3DCL_READ, UNIT(TMU) | UNIT(VCD), UNIT(VDW));
	allow_code(m, c, t);
	for (uint32_t i = 0; i < t->program_count; i++)
		machine_stream(m, c->runs[i].uniforms, t->programs[i].uniform_count * 4,
			       c->bos[t->program_bos[i]].address);
	start_programs(m, c, t);
	machine_run(m, PROGRAM_BUDGET);
	look_at_rows(m);
	run.ended = m->state == V3DSIM_IDLE;
	run.accessed = m->loads[V3DSIM_UNIT_TMU] || m->loads[V3DSIM_UNIT_VCD] ||
		       m->stores[V3DSIM_UNIT_VDW];
	run.stored = m->stores[V3DSIM_UNIT_VDW];
	return run;
}

struct run run_trial(struct machine *m, const struct checked *c, const struct trial *t,
		     enum face face, uint32_t residue)
{
	struct run run;

	machine_forget(m, face, residue);
	fill(m, c, t);
	run = t->kind == TRIAL_FRAME ? run_frame(m, c, t) : run_programs(m, c, t);
	run.stopped = !run.ended && m->state != V3DSIM_BUSY;
	inside_look(m, t->kind, run.ended);
	return run;
}
