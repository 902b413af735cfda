// SPDX-License-Identifier: MIT
/* The Vertex Cache Manager: see vcm.h. */
#include <string.h>
#include <sys/param.h>

#include "core/sim.h"
#include "qpu/qps_state.h"
#include "qpu/shade.h"
#include "cle.h"
#include "vcd.h"

#define NO_SLOT VCM_SLOTS

static struct vcm *vcm_of(struct v3dsim *sim, unsigned int thread)
{
	return &sim->vcm[thread];
}

static enum v3dsim_unit unit_of(unsigned int thread)
{
	return thread ? V3DSIM_UNIT_CLE1 : V3DSIM_UNIT_CLE0;
}

void vcm_forget(struct v3dsim *sim, unsigned int thread)
{
	vcm_of(sim, thread)->stale = true;
}

static struct primitive_shader fragment(uint32_t code, uint32_t uniforms, unsigned int varyings,
					bool point_size)
{
	const unsigned int most = VPM_USER_ROWS - 3 - point_size;

	return (struct primitive_shader){
		.code = code,
		.uniforms = uniforms,
		.varyings = MIN(varyings, most),
		.point_size = point_size,
	};
}

/* The arrays that are selected and that the record has */
static void unpack_attributes(struct vcm_shader *shader, unsigned int thread,
			      const struct v3d_gl_shader_state *state, unsigned int selected,
			      const uint8_t *bytes)
{
	struct v3d_extended_stride extended;
	struct v3d_attribute attribute;

	shader->attributes = 0;
	for (unsigned int n = 0; n < v3d_shader_attributes(state); n++) {
		struct vcm_attribute *out = &shader->attribute[shader->attributes];

		if (!(selected >> n & 1))
			continue;
		v3d_unpack_attribute(bytes + V3D_GL_SHADER_RECORD_LENGTH + n * V3D_ATTRIBUTE_LENGTH,
				     &attribute);
		out->address = attribute.address;
		out->stride = attribute.stride;
		if (state->extended) {
			v3d_unpack_extended_stride(bytes + V3D_EXTENDED_STRIDE_OFFSET +
							   n * V3D_EXTENDED_STRIDE_LENGTH,
						   &extended);
			out->stride = extended.stride;
		}
		out->size = attribute.size_minus_1 + 1;
		out->offset = thread ? attribute.vs_vpm_offset : attribute.cs_vpm_offset;
		shader->attributes++;
	}
}

static bool unpack_gl(struct v3dsim *sim, unsigned int thread, const uint8_t *record,
		      struct vcm_shader *shader)
{
	uint8_t bytes[V3D_SHADER_RECORD_MAX_LENGTH];
	struct v3d_gl_shader_state state;
	struct v3d_gl_shader_record gl;

	v3d_unpack_gl_shader_state(record, &state);
	if (!bus_read(sim, unit_of(thread), state.address, bytes, v3d_shader_record_length(&state)))
		return false;
	v3d_unpack_gl_shader_record(bytes, &gl);
	*shader = (struct vcm_shader){
		.id = V3D_GL_SHADER_STATE,
		.clipping = gl.clipping,
		.clip_header = thread == 0,
		.fragment = fragment(gl.fs_code, gl.fs_uniforms, gl.fs_varyings, gl.point_size),
		.code = thread ? gl.vs_code : gl.cs_code,
		.uniforms = thread ? gl.vs_uniforms : gl.cs_uniforms,
	};
	unpack_attributes(shader, thread, &state, thread ? gl.vs_attributes : gl.cs_attributes,
			  bytes);
	return true;
}

/*
 * NV and VG shader records begin alike, and so do their records in the list: AG100 Tables 46 and
 * 47.
 */
static bool unpack_fixed(struct v3dsim *sim, unsigned int thread, const uint8_t *record,
			 struct vcm_shader *shader)
{
	const bool nv_mode = record[0] == V3D_NV_SHADER_STATE;
	uint8_t bytes[V3D_NV_SHADER_RECORD_LENGTH] = { 0 };
	struct v3d_nv_shader_state state;
	struct v3d_nv_shader_record nv;

	v3d_unpack_nv_shader_state(record, &state);
	if (!bus_read(sim, unit_of(thread), state.address, bytes,
		      nv_mode ? V3D_NV_SHADER_RECORD_LENGTH : V3D_VG_SHADER_RECORD_LENGTH))
		return false;
	v3d_unpack_nv_shader_record(bytes, &nv);
	*shader = (struct vcm_shader){
		.id = record[0],
		.fragment = fragment(nv.fs_code, nv.fs_uniforms, nv.fs_varyings,
				     nv_mode && nv.point_size),
	};
	if (!nv_mode)
		return true;
	shader->clipping = nv.clipping;
	shader->clip_header = nv.clip_header;
	shader->vertices = nv.vertices;
	shader->stride = nv.stride;
	return true;
}

static bool unpack(struct v3dsim *sim, unsigned int thread, const uint8_t *record,
		   struct vcm_shader *shader)
{
	struct v3d_vg_inline_shader_state in_line;

	switch (record[0]) {
	case V3D_GL_SHADER_STATE:
		return unpack_gl(sim, thread, record, shader);
	case V3D_VG_INLINE_SHADER_STATE:
		v3d_unpack_vg_inline_shader_state(record, &in_line);
		*shader = (struct vcm_shader){
			.id = V3D_VG_INLINE_SHADER_STATE,
			.fragment = fragment(in_line.code, in_line.uniforms, 0, false),
		};
		return true;
	default:
		return unpack_fixed(sim, thread, record, shader);
	}
}

bool vcm_begin(struct v3dsim *sim, unsigned int thread)
{
	struct vcm *vcm = vcm_of(sim, thread);

	if (!vcm->stale)
		return true;
	vcm->stale = false;
	memset(vcm->known, 0, sizeof(vcm->known));
	if (unpack(sim, thread, sim->cle->threads[thread].state.record[CLE_SHADER], &vcm->shader))
		return true;
	vcm->stale = true;
	return false;
}

void vcm_open(struct vcm *vcm)
{
	/* A batch that needed no vertices has used none of its slots. */
	if (vcm->count)
		vcm->bank = (vcm->bank + 1) % VCM_BANKS;
	vcm->known[vcm->bank] = 0;
	vcm->count = 0;
	vcm->queued = 0;
	vcm->done = 0;
	vcm->phase = VCM_COLLECTING;
}

/* The slot of a vertex, a free one if need be */
static unsigned int slot_for(struct vcm *vcm, uint32_t index)
{
	unsigned int slot = vcm->map[index % VCM_MAP];

	if (vcm->known[slot / VCM_BATCH] >> slot % VCM_BATCH & 1 && vcm->index[slot] == index)
		return slot;
	if (vcm->count == VCM_BATCH)
		return NO_SLOT;
	vcm->known[vcm->bank] |= 1u << vcm->count;
	slot = vcm->bank * VCM_BATCH + vcm->count++;
	vcm->index[slot] = index;
	vcm->map[index % VCM_MAP] = slot;
	return slot;
}

bool vcm_add(struct vcm *vcm, const uint32_t *index, unsigned int vertices)
{
	uint8_t *slots;

	if (vcm->queued >= VCM_QUEUE)
		return false;
	slots = vcm->queue[vcm->queued];
	for (unsigned int n = 0; n < vertices; n++) {
		slots[n] = slot_for(vcm, index[n]);
		if (slots[n] == NO_SLOT)
			return false;
	}
	vcm->queued++;
	return true;
}

/* How many varyings a vertex has here: none for the binner */
static unsigned int varyings(const struct vcm *vcm, unsigned int thread)
{
	return thread ? vcm->shader.fragment.varyings : 0;
}

/*
 * AG100 Figures 10 and 11: a column a vertex; the coordinate shader's begins with the clip
 * coordinates.
 */
static void take(struct vcm *vcm, unsigned int thread)
{
	const unsigned int header = thread ? 0 : 4,
			   fixed = header + 3 + vcm->shader.fragment.point_size;
	const unsigned int count = varyings(vcm, thread);

	for (unsigned int n = 0; n < vcm->count; n++) {
		const uint32_t *column = &vcm->segment.out[n];
		struct vertex *v = &vcm->vertex[vcm->bank * VCM_BATCH + n];

		v->index = vcm->index[vcm->bank * VCM_BATCH + n];
		for (unsigned int i = 0; i < 4; i++)
			v->clip[i] = header ? vcm_float(column[i * VPM_WIDTH]) : 0;
		v->xs = (int16_t)column[header * VPM_WIDTH];
		v->ys = (int16_t)(column[header * VPM_WIDTH] >> 16);
		v->zs = vcm_float(column[(header + 1) * VPM_WIDTH]);
		v->one_over_wc = vcm_float(column[(header + 2) * VPM_WIDTH]);
		v->point_size = vcm->shader.fragment.point_size ?
					vcm_float(column[(header + 3) * VPM_WIDTH]) :
					0;
		for (unsigned int i = 0; i < count; i++)
			v->varying[i] = vcm_float(column[(fixed + i) * VPM_WIDTH]);
	}
}

static bool fetch_shaded(struct v3dsim *sim, unsigned int thread)
{
	struct vcm *vcm = vcm_of(sim, thread);
	const unsigned int first = vcm->bank * VCM_BATCH;

	for (unsigned int n = 0; n < vcm->count; n++)
		if (!vcd_fetch_shaded(sim, &vcm->shader, vcm->index[first + n],
				      varyings(vcm, thread), &vcm->vertex[first + n]))
			return false;
	return true;
}

/*
 * What a shader left under way: its transfers end with it (AG100 p. 51), its outstanding reads are
 * dropped.
 */
static bool end_transfers(struct v3dsim *sim, struct qpu *q)
{
	bool good;

	if (q->port.load.busy)
		qps_finish(sim, q, false);
	if (q->port.store.busy)
		qps_finish(sim, q, true);
	good = !q->port.load.fault && !q->port.store.fault;
	q->port.load.fault = false;
	q->port.store.fault = false;
	vpm_cancel(&q->port);
	return good;
}

/* The shader is over: what it wrote is what the vertices are. */
static enum sim_result finish(struct v3dsim *sim, unsigned int thread)
{
	if (!end_transfers(sim, sim->shade[thread].qpu))
		return SIM_ERROR;
	take(vcm_of(sim, thread), thread);
	vcm_of(sim, thread)->phase = VCM_READY;
	return SIM_DONE;
}

/* The shader begins; most end at once. */
static enum sim_result start(struct v3dsim *sim, unsigned int thread, uint64_t *budget)
{
	struct vcm *vcm = vcm_of(sim, thread);
	const struct vcm_shader *shader = &vcm->shader;
	struct qpu *q = sim->shade[thread].qpu;
	const struct program_hooks *programs = sim->hooks.programs;
	const struct program *program = NULL;
	const uint64_t now = q->now;
	bool good;

	vcm->phase = VCM_SHADING;
	if (programs && !inject_watches(&sim->inject, INJECT_TMU_STOP))
		program = programs->find(sim, vcm->programs, q, shader->code, shader->uniforms);
	if (!program || *budget < programs->length(program)) {
		shade_start(sim, thread, QPU_VERTEX, shader->code, shader->uniforms);
		q->port.segment = &vcm->segment;
		return SIM_DONE;
	}
	q->port = (struct vpm_port){ .load = q->port.load, .store = q->port.store,
				     .segment = &vcm->segment };
	*budget -= programs->length(program);
	sim_math_begin(sim);
	good = programs->run(sim, program, q, NULL, shader->uniforms);
	sim_math_end(sim);
	pctr_count(sim, V3D_COUNTER_qpu_vertex_cycles, (q->now - now) * 4);
	return good ? finish(sim, thread) : SIM_ERROR;
}

/* Memory to the VPM, and the shader's beginning; or in NV mode, all there is to do */
static enum sim_result fetch(struct v3dsim *sim, unsigned int thread, uint64_t *budget)
{
	struct vcm *vcm = vcm_of(sim, thread);
	const struct vcm_shader *shader = &vcm->shader;

	if (inject_strikes(&sim->inject, INJECT_VCD_STOP))
		return SIM_STUCK;
	if (shader->id != V3D_GL_SHADER_STATE) {
		vcm->phase = VCM_READY;
		return fetch_shaded(sim, thread) ? SIM_DONE : SIM_ERROR;
	}
	if (thread && sim->hooks.tiles &&
	    sim->hooks.tiles->vertices_wait(sim, shader->code, shader->uniforms))
		return SIM_STUCK;
	if (!vcd_fetch(sim, vcm, &vcm->index[vcm->bank * VCM_BATCH], vcm->count))
		return SIM_ERROR;
	return start(sim, thread, budget);
}

static enum sim_result shade(struct v3dsim *sim, unsigned int thread, uint64_t *budget)
{
	struct qpu *q = sim->shade[thread].qpu;
	const uint64_t now = q->now;
	enum sim_result result = shade_run(sim, thread, budget);

	pctr_count(sim, V3D_COUNTER_qpu_vertex_cycles, (q->now - now) * 4);
	return result == SIM_DONE ? finish(sim, thread) : result;
}

enum sim_result vcm_shade(struct v3dsim *sim, unsigned int thread, uint64_t *budget)
{
	struct vcm *vcm = vcm_of(sim, thread);
	enum sim_result result;

	if (inject_strikes(&sim->inject, INJECT_QPU_STOP))
		return SIM_STUCK;
	if (vcm->phase == VCM_COLLECTING)
		vcm->phase = vcm->count ? VCM_FETCHING : VCM_READY;
	if (vcm->phase == VCM_FETCHING) {
		result = fetch(sim, thread, budget);
		if (result != SIM_DONE)
			return result;
	}
	return vcm->phase == VCM_SHADING ? shade(sim, thread, budget) : SIM_DONE;
}

void vcm_reset(struct v3dsim *sim)
{
	for (unsigned int thread = 0; thread < CLE_THREADS; thread++)
		vcm_forget(sim, thread);
}

bool vcm_new(struct v3dsim *sim)
{
	for (unsigned int thread = 0; sim->hooks.programs && thread < CLE_THREADS; thread++) {
		sim->vcm[thread].programs = sim->hooks.programs->cache_new(false);
		if (!sim->vcm[thread].programs)
			return false;
	}
	return true;
}

void vcm_free(struct v3dsim *sim)
{
	for (unsigned int thread = 0; sim->hooks.programs && thread < CLE_THREADS; thread++) {
		sim->hooks.programs->cache_free(sim->vcm[thread].programs);
		sim->vcm[thread].programs = NULL;
	}
}
