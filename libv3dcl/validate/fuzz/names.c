// SPDX-License-Identifier: MIT
/*
 * What the V3D is given, beside what the job says: see names.h. Lists, records and streams are
 * followed as userspace writes them; of the checker only the lengths of streams are taken.
 */
#include <string.h>

#include <v3d/lists.h>
#include <v3d/qpu.h>
#include <v3d/words.h>

#include "code.h"
#include "names.h"

#define NO_SURFACE (~0u)
#define SHADERS 3
#define LOOKUPS 64
#define UNFOLLOWED (~0u)
#define FIRST_BLOCK_BYTES 32	/* of a tile's list: the mode of the bin list says so */

/* Both sides of a frame's parts, on the way through them */
struct walk {
	const struct checked *c;
	const struct trial *t;
	uint32_t in, out;		/* in the bin list, and where the V3D has it */
	uint32_t records, uniforms;	/* what comes next of these parts */
	struct v3d_gem_handles handles;
	uint32_t own_varyings;	/* of the fragment shader, or UNFOLLOWED: it branches */
};

static uint32_t word_at(const uint8_t *bytes)
{
	uint32_t word;

	memcpy(&word, bytes, sizeof(word));
	return word;
}

/* Where a BO lies, by its index in the job: accepted jobs name none that there is not */
static uint32_t place_of(const struct trial *t, uint32_t index)
{
	return index < t->bo_count ? t->bos[index].address : UNFOLLOWED;
}

/* Uniforms of a shader without branches, counted as the chip takes them */
struct count {
	uint32_t words, lookups;
	uint32_t first[2];	/* of the lookup that each TMU is given, or UNFOLLOWED */
	uint32_t writes[2];	/* to each TMU, for that */
	uint32_t slots[LOOKUPS];	/* where the address of each is */
	/* its parameters, where they follow each other; 0 of a direct read, and of others */
	uint32_t parameters[LOOKUPS];
};

static void note_lookup(struct count *n, uint32_t slot, uint32_t parameters)
{
	if (n->lookups < LOOKUPS) {
		n->slots[n->lookups] = slot;
		n->parameters[n->lookups] = parameters;
	}
	n->lookups++;
}

/*
 * AG100 "Texture and Memory Lookup Unit": each write takes a word of the stream, the first one the
 * address; S alone reads memory where it says, and takes none.
 */
static void count_write(struct count *n, uint32_t waddr, uint32_t read)
{
	const uint32_t tmu = (waddr - V3D_QPU_W_TMU0_S) / 4, parameter = waddr % 4;

	if (!parameter && n->first[tmu] == UNFOLLOWED) {
		note_lookup(n, read, 0);
		return;
	}
	if (n->first[tmu] == UNFOLLOWED) {
		n->first[tmu] = n->words;
		n->writes[tmu] = 0;
	}
	n->words++;
	n->writes[tmu]++;
	if (parameter)
		return;
	note_lookup(n, n->first[tmu],
		    n->words - n->first[tmu] == n->writes[tmu] ? n->writes[tmu] : 0);
	n->first[tmu] = UNFOLLOWED;
}

/* Where its lookups have their addresses, in the order of their handles; false: it branches */
static bool count_uniforms(struct count *n, const uint64_t *code, uint32_t count)
{
	uint32_t end = count;

	*n = (struct count){ .first = { UNFOLLOWED, UNFOLLOWED } };
	for (uint32_t i = 0; i < end; i++) {
		const struct v3d_qpu_inst inst = v3d_qpu_decode(code[i]);
		uint32_t read = UNFOLLOWED;

		if (inst.kind == V3D_QPU_BRANCH || inst.waddr_add == V3D_QPU_W_UNIFORMS_ADDRESS ||
		    inst.waddr_mul == V3D_QPU_W_UNIFORMS_ADDRESS)
			return false;
		if ((inst.kind == V3D_QPU_ALU || inst.kind == V3D_QPU_ALU_SMALL_IMMEDIATE) &&
		    (inst.raddr_a == V3D_QPU_R_UNIFORM ||
		     (inst.kind == V3D_QPU_ALU && inst.raddr_b == V3D_QPU_R_UNIFORM)))
			read = n->words++;
		if (inst.waddr_add >= V3D_QPU_W_TMU0_S)
			count_write(n, inst.waddr_add, read);
		if (inst.waddr_mul >= V3D_QPU_W_TMU0_S)
			count_write(n, inst.waddr_mul, read);
		if (inst.sig == V3D_QPU_SIG_PROGRAM_END && i + V3D_QPU_END_SLOTS < end)
			end = i + V3D_QPU_END_SLOTS + 1;
	}
	return n->lookups <= LOOKUPS;
}

/* A word that is not as userspace gave it: the address of a BO of the lookups', or of the stream */
static bool is_named(const struct walk *w, uint32_t word, uint32_t given, uint32_t handles,
		     uint32_t count, uint32_t stream)
{
	if (word == given || word == stream)
		return true;
	for (uint32_t i = 0; i < count; i++)
		if (word == place_of(w->t, word_at(w->t->uniforms.bytes + handles + 4 * i)) + given)
			return true;
	return false;
}

/* A side of a child image, in whole texels of each level: AG100 Table 18 */
static bool is_side(uint32_t at, uint32_t size, uint32_t image, uint32_t levels)
{
	return size && at + size <= image && at % (1u << levels) == 0 && size % (1u << levels) == 0;
}

#define NO_CHILD_BITS 0x3f800800u /* AG100 Table 17 */

/* What a lookup's parameters say, by AG100 Tables 15 to 18 */
static const char *parameters(const uint8_t *bytes, uint32_t count)
{
	struct v3d_texture_child_offset at = { 0 };
	struct v3d_texture_child_size size = { 0 };
	struct v3d_texture_cube cube = { 0 };
	uint32_t of_type[4] = { 0 };
	struct v3d_texture0 p0;
	struct v3d_texture1 p1;

	v3d_parse_texture0(word_at(bytes), &p0);
	v3d_parse_texture1(word_at(bytes + 4), &p1);
	for (uint32_t i = 2; i < count; i++) {
		const uint32_t word = word_at(bytes + 4 * i), type = word >> 30;

		of_type[type]++;
		if (type > 1 && word & NO_CHILD_BITS)
			return "a child image with bits of no field";
		if (type == 1)
			v3d_parse_texture_cube(word, &cube);
		else if (type == 2)
			v3d_parse_texture_child_size(word, &size);
		else if (type == 3)
			v3d_parse_texture_child_offset(word, &at);
	}
	if (p0.mip_levels > 11)
		return "a texture has more levels than 2048 texels have";
	if (p0.cube && (of_type[1] != 1 || !cube.stride))
		return "a cube map has not one stride between its faces";
	if (!of_type[2] && !of_type[3])
		return NULL;
	return !p0.cube && of_type[2] == 1 && of_type[3] == 1 &&
			       is_side(at.x, size.width, p1.width, p0.mip_levels) &&
			       is_side(at.y, size.height, p1.height, p0.mip_levels) ?
		       NULL :
		       "a child image is not in its image, or of a cube map";
}

/* The stream of a shader, and its handles before it */
static const char *stream(struct walk *w, uint32_t bo, uint32_t address)
{
	const struct v3dcl_shader *shader = w->c->bos[bo].shader;
	const uint32_t handles = w->uniforms, given = handles + 4 * shader->sample_count;
	const uint8_t *in = w->t->uniforms.bytes + given, *out = w->c->host + address;
	struct count n;

	w->uniforms = given + 4 * shader->uniform_words;
	if (w->uniforms > w->t->uniforms.size)
		return "a stream that is longer than what there is of it";
	for (uint32_t i = 0; i < shader->uniform_words; i++)
		if (!is_named(w, word_at(out + 4 * i), word_at(in + 4 * i), handles,
			      shader->sample_count, address))
			return "a uniform is neither the job's nor the address of a BO it names";
	if (!count_uniforms(&n, w->t->code + w->t->bos[bo].first, w->t->bos[bo].count))
		return NULL;
	if (n.lookups != shader->sample_count)
		return "a shader has another number of lookups than handles";
	for (uint32_t i = 0; i < n.lookups; i++) {
		const uint32_t at = 4 * n.slots[i],
			       index = word_at(w->t->uniforms.bytes + handles + 4 * i);

		if (n.slots[i] >= shader->uniform_words ||
		    word_at(out + at) != place_of(w->t, index) + word_at(in + at))
			return "a lookup is in another BO than its handle names";
		if (n.parameters[i] > 1 && n.slots[i] + n.parameters[i] <= shader->uniform_words) {
			const char *broken = parameters(in + at, n.parameters[i]);

			if (broken)
				return broken;
		}
	}
	return NULL;
}

/* What a shader must not be, by its kind: fragment, vertex, coordinate; AG100 Table 45 */
static const char *kind_of_shader(struct walk *w, uint32_t bo, uint32_t kind,
				  const struct v3d_gl_shader_record *r)
{
	const struct trial_bo *code = &w->t->bos[bo];
	const struct code_facts facts = code_facts(w->t->code + code->first, code->count);

	if (kind)
		return facts.switches ? "a vertex shader switches threads" :
		       facts.tile     ? "a vertex shader accesses the tile buffer" :
					NULL;
	w->own_varyings = facts.branches ? UNFOLLOWED : facts.varyings - r->fs_varyings;
	if (facts.switches == r->single_threaded)
		return "a fragment shader has other threads than its record says";
	return facts.vpm ? "a fragment shader accesses the VPM" : NULL;
}

static const char *shader(struct walk *w, uint32_t bo, uint32_t code, uint32_t uniforms)
{
	if (code != place_of(w->t, bo) || !w->c->bos[bo].shader)
		return "a shader is another BO than its handle names";
	return stream(w, bo, uniforms);
}

static const char *arrays(const struct walk *w, const uint8_t *handles, const uint8_t *in,
			  const uint8_t *out, uint32_t count)
{
	for (uint32_t i = 0; i < count;
	     i++, in += V3D_ATTRIBUTE_LENGTH, out += V3D_ATTRIBUTE_LENGTH) {
		struct v3d_attribute given, written;

		v3d_unpack_attribute(in, &given);
		v3d_unpack_attribute(out, &written);
		if (written.address != place_of(w->t, word_at(handles + 4 * i)) + given.address)
			return "an array is in another BO than its handle names";
		if (written.stride != given.stride ||
		    written.vs_vpm_offset != given.vs_vpm_offset ||
		    written.cs_vpm_offset != given.cs_vpm_offset)
			return "an array with other strides or rows than the job gives it";
	}
	return NULL;
}

#define SPILL 12 /* of a vector, whose last words are not read: Mesa's vertex shaders (SW) */

/* AG100 Table 46: rows of the VPM, of which others have those behind what is reserved */
static const char *rows(const uint8_t *in, uint32_t count, const struct v3d_gl_shader_record *r)
{
	const uint32_t vs = ((r->vs_attributes_size + 3u) & ~3u) + SPILL,
		       cs = ((r->cs_attributes_size + 3u) & ~3u) + SPILL;

	for (uint32_t i = 0; i < count; i++) {
		struct v3d_attribute a;

		v3d_unpack_attribute(in + i * V3D_ATTRIBUTE_LENGTH, &a);
		if ((r->vs_attributes >> i & 1 && a.vs_vpm_offset + a.size_minus_1 + 1u > vs) ||
		    (r->cs_attributes >> i & 1 && a.cs_vpm_offset + a.size_minus_1 + 1u > cs))
			return "an array fills rows of the VPM that are not reserved for it";
	}
	return NULL;
}

/* What a record says of its shaders and arrays, as userspace wrote it */
static const char *given_record(struct walk *w, const uint8_t *handles, const uint8_t *in,
				uint32_t count)
{
	const char *broken = NULL;
	struct v3d_gl_shader_record r;

	v3d_unpack_gl_shader_record(in, &r);
	if (r.fs_code || r.vs_code || r.cs_code)
		return "a shader does not begin where its BO does";
	for (uint32_t kind = 0; kind < SHADERS && !broken; kind++)
		broken = kind_of_shader(w, word_at(handles + 4 * kind), kind, &r);
	return broken ? broken : rows(in + V3D_GL_SHADER_RECORD_LENGTH, count, &r);
}

/* A shader record, its handles before it, and the streams of its shaders */
static const char *shader_record(struct walk *w, const struct v3d_gl_shader_state *state)
{
	const uint32_t count = v3d_shader_attributes(state), before = 4 * (SHADERS + count);
	const uint8_t *handles = w->t->records.bytes + w->records, *in = handles + before,
		      *out = w->c->host + state->address;
	struct v3d_gl_shader_record r;
	const char *broken;

	w->records += before + v3d_shader_record_length(state);
	if (w->records > w->t->records.size)
		return "a shader record that is longer than what there is of it";
	v3d_unpack_gl_shader_record(out, &r);
	broken = shader(w, word_at(handles), r.fs_code, r.fs_uniforms);
	broken = broken ? broken : shader(w, word_at(handles + 4), r.vs_code, r.vs_uniforms);
	broken = broken ? broken : shader(w, word_at(handles + 8), r.cs_code, r.cs_uniforms);
	broken = broken ? broken : given_record(w, handles, in, count);
	return broken ? broken :
			arrays(w, handles + 4 * SHADERS, in + V3D_GL_SHADER_RECORD_LENGTH,
			       out + V3D_GL_SHADER_RECORD_LENGTH, count);
}

/* Varyings that come before the shader's own: where in a point, or across a line */
static const char *draw(const struct walk *w, uint32_t mode)
{
	const uint32_t own = mode == V3D_POINTS ? 2 : mode <= V3D_LINE_STRIP ? 1 : 0;

	return w->own_varyings != UNFOLLOWED && w->own_varyings != own ?
		       "a primitive without the varyings that are read, or with more" :
		       NULL;
}

static const char *bin_record(struct walk *w, const uint8_t *in, const uint8_t *out)
{
	struct v3d_indexed_primitives given, written;
	struct v3d_array_primitives array;
	struct v3d_gl_shader_state state;
	const char *broken;

	switch (in[0]) {
	case V3D_ARRAY_PRIMITIVES:
		v3d_unpack_array_primitives(in, &array);
		return draw(w, array.mode);
	case V3D_INDEXED_PRIMITIVES:
		v3d_unpack_indexed_primitives(in, &given);
		v3d_unpack_indexed_primitives(out, &written);
		broken = draw(w, given.mode);
		if (broken)
			return broken;
		return written.address == place_of(w->t, w->handles.first) + given.address &&
				       written.length == given.length &&
				       written.maximum_index <= given.maximum_index ?
			       NULL :
			       "indices of another BO than the handle names, or others";
	case V3D_GL_SHADER_STATE:
		v3d_unpack_gl_shader_state(out, &state);
		return shader_record(w, &state);
	default:
		return NULL;
	}
}

static const char *bin_list(struct walk *w)
{
	const struct trial_part *bin = &w->t->bin;
	const char *broken = NULL;

	while (w->in < bin->size && !broken) {
		const uint8_t *in = bin->bytes + w->in, *out = w->c->host + w->out;
		const uint32_t length = v3d_packet_info(in[0])->length;

		w->in += length;
		if (in[0] == V3D_GEM_HANDLES) {
			v3d_unpack_gem_handles(in, &w->handles);
			continue;
		}
		/* Fences order the two threads, so the semaphore is left alone */
		if (out[0] != (in[0] == V3D_INCREMENT_SEMAPHORE ? V3D_NOP : in[0]))
			return "a record that is not the job's";
		broken = bin_record(w, in, out);
		w->out += length;
	}
	if (!broken && w->c->job.bin_end > w->c->job.exec.address + w->c->job.exec.size)
		return "a bin list that ends behind the memory that it was given";
	return broken		      ? broken :
	       w->out != w->c->job.bin_end ? "a bin list that ends elsewhere" :
					     NULL;
}

/* The address of a surface, and of a tile in it where all samples are kept (AG100 p. 50) */
static bool is_surface(const struct walk *w, const struct drm_vc4_submit_rcl_surface *s,
		       uint32_t address, uint32_t tile)
{
	return s->hindex != NO_SURFACE &&
	       address == place_of(w->t, s->hindex) + s->offset + tile * V3D_FULL_TILE_BYTES;
}

static bool is_load(const struct walk *w, const uint8_t *bytes)
{
	const struct drm_vc4_submit_cl *s = &w->t->submit;
	struct v3d_load_general load;

	v3d_unpack_load_general(bytes, &load);
	return is_surface(w, load.buffer == V3D_BUFFER_COLOR ? &s->color_read : &s->zs_read,
			  load.address, 0);
}

static bool is_store(const struct walk *w, const uint8_t *bytes)
{
	struct v3d_store_general store;

	v3d_unpack_store_general(bytes, &store);
	return store.buffer == V3D_BUFFER_NONE ||
	       (store.buffer == V3D_BUFFER_ZS &&
		is_surface(w, &w->t->submit.zs_write, store.address, 0));
}

static bool is_render_record(const struct walk *w, const uint8_t *bytes,
			     const struct v3d_tile_coordinates *at)
{
	const struct drm_vc4_submit_cl *s = &w->t->submit;
	const uint32_t tile = at->row * ((s->width + 31) / 32) + at->column;
	struct v3d_tile_rendering_mode mode;
	struct v3d_branch_to_sub_list list;
	struct v3d_store_full store;
	struct v3d_load_full load;

	switch (bytes[0]) {
	case V3D_TILE_RENDERING_MODE:
		v3d_unpack_tile_rendering_mode(bytes, &mode);
		return s->color_write.hindex == NO_SURFACE ||
		       is_surface(w, &s->color_write, mode.address, 0);
	case V3D_LOAD_GENERAL:
		return is_load(w, bytes);
	case V3D_STORE_GENERAL:
		return is_store(w, bytes);
	case V3D_LOAD_FULL:
		v3d_unpack_load_full(bytes, &load);
		return is_surface(w, load.disable_color ? &s->zs_read : &s->color_read,
				  load.address, tile);
	case V3D_STORE_FULL:
		v3d_unpack_store_full(bytes, &store);
		return is_surface(w, store.disable_color ? &s->msaa_zs_write : &s->msaa_color_write,
				  store.address, tile);
	case V3D_BRANCH_TO_SUB_LIST:
		v3d_unpack_branch_to_sub_list(bytes, &list);
		return list.address == CHECK_LISTS + (at->row * w->c->job.needs.tiles_x +
						      at->column) * FIRST_BLOCK_BYTES;
	default:
		return true;
	}
}

/* The coordinates that come next: a load is of their tile */
static void next_coordinates(const struct walk *w, uint32_t at, struct v3d_tile_coordinates *tile)
{
	const uint8_t *host = w->c->host;

	while (at < w->c->job.render_end && host[at] != V3D_TILE_COORDINATES)
		at += v3d_packet_info(host[at])->length;
	if (at < w->c->job.render_end)
		v3d_unpack_tile_coordinates(host + at, tile);
}

static const char *render_list(const struct walk *w)
{
	struct v3d_tile_coordinates tile = { 0 };

	for (uint32_t at = w->c->job.render_start; at < w->c->job.render_end;) {
		const uint8_t *bytes = w->c->host + at;

		if (bytes[0] == V3D_TILE_COORDINATES || bytes[0] == V3D_LOAD_FULL)
			next_coordinates(w, at, &tile);
		if (!is_render_record(w, bytes, &tile))
			return "a surface or tile list that is not what the submit names";
		at += v3d_packet_info(bytes[0])->length;
	}
	return NULL;
}

static const char *frame(const struct checked *c, const struct trial *t)
{
	struct walk w = { .c = c, .t = t, .out = c->job.bin_start, .own_varyings = UNFOLLOWED };
	const char *broken = t->bin.size ? bin_list(&w) : NULL;

	return broken ? broken : render_list(&w);
}

static uint32_t word_of(const struct trial *t, const struct drm_v3dcl_reloc *r)
{
	return t->programs[r->program].first_uniform + r->slot;
}

/* The parameters of its lookups that a run's program takes in order, from where it is given them */
static const char *run_parameters(const struct checked *c, const struct trial *t, uint32_t which)
{
	const struct drm_v3dcl_program *run = &t->programs[which];
	const struct trial_bo *code = &t->bos[t->program_bos[which]];
	const char *broken = NULL;
	struct count n;

	if (!count_uniforms(&n, t->code + code->first, code->count))
		return NULL;
	for (uint32_t i = 0; i < n.lookups && !broken; i++)
		if (n.parameters[i] > 1 && n.slots[i] + n.parameters[i] <= run->uniform_count)
			broken = parameters(c->host + CHECK_EXEC +
						    4 * (run->first_uniform + n.slots[i]),
					    n.parameters[i]);
	return broken;
}

/* Of two relocations of one word the later one holds. */
static bool is_relocated(const struct checked *c, const struct trial *t, uint32_t which)
{
	const struct drm_v3dcl_reloc *r = &t->relocs[which];
	const uint32_t word = word_of(t, r);

	for (uint32_t i = which + 1; i < t->reloc_count; i++)
		if (word_of(t, &t->relocs[i]) == word)
			return true;
	return word_at(c->host + CHECK_EXEC + 4 * word) ==
	       place_of(t, t->reloc_bos[which]) + r->offset;
}

static const char *programs(const struct checked *c, const struct trial *t)
{
	const char *broken = NULL;

	for (uint32_t i = 0; i < t->program_count; i++) {
		const struct drm_v3dcl_program *run = &t->programs[i];
		const uint32_t uniforms = CHECK_EXEC + 4 * run->first_uniform;

		if (c->runs[i].code != place_of(t, t->program_bos[i]) + run->offset)
			return "a run is of another BO than it names";
		if (c->runs[i].uniforms != (run->uniform_count ? uniforms : 0))
			return "a run has other uniforms than it names";
	}
	for (uint32_t i = 0; i < t->reloc_count; i++)
		if (!is_relocated(c, t, i))
			return "a relocated word is not the address that the job names";
	for (uint32_t i = 0; i < t->program_count && !broken; i++)
		broken = run_parameters(c, t, i);
	return broken;
}

const char *names_broken(const struct checked *c, const struct trial *t)
{
	return t->kind == TRIAL_FRAME ? frame(c, t) : programs(c, t);
}
