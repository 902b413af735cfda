// SPDX-License-Identifier: (GPL-2.0-only OR MIT)
/*
 * Uniform streams, and what the texture units are told through them: AG100 Tables 15 to 18.
 *
 * Userspace hands over, for each shader of a record, one BO index a lookup, then the stream.
 */
#include <v3d/words.h>

#include "layout.h"
#include "record.h"

#define MAX_SIDE 2048
#define LEVELS 12	/* 2048 down to 1 */
#define FACES 6
#define PAGE_MASK 0xfff	/* of parameter 0: the bits below the base address */
/* General memory lookups return 32 bits: AG100 "Texture and Memory Lookup Unit". */
#define DIRECT_BYTES 4

static __cold bool refuse(struct v3dcl_refusal *refusal, __u16 rule, __u32 offset, __u64 found,
			  __u64 expected)
{
	return v3dcl_refuse(refusal, DRM_V3DCL_PART_UNIFORMS, rule, offset, found, expected);
}

/*
 * Texture types: log2 of the bytes of a unit, and what they are units of. The types that are not
 * here have no known layout; RGBA64 gives two results a lookup (AG100 p. 39), where programs are
 * held to loading one.
 */
static const struct {
	__u8 known, log2_bytes, raster, log2_block;
} types[32] = {
	[V3D_TEXTURE_RGBA8888] = { 1, 2, 0, 0 }, [V3D_TEXTURE_RGBX8888] = { 1, 2, 0, 0 },
	[V3D_TEXTURE_RGBA4444] = { 1, 1, 0, 0 }, [V3D_TEXTURE_RGBA5551] = { 1, 1, 0, 0 },
	[V3D_TEXTURE_RGB565] = { 1, 1, 0, 0 },	 [V3D_TEXTURE_LUMINANCE] = { 1, 0, 0, 0 },
	[V3D_TEXTURE_ALPHA] = { 1, 0, 0, 0 },	 [V3D_TEXTURE_LUMALPHA] = { 1, 1, 0, 0 },
	[V3D_TEXTURE_ETC1] = { 1, 3, 0, 2 },	 [V3D_TEXTURE_S16F] = { 1, 1, 0, 0 },
	[V3D_TEXTURE_S8] = { 1, 0, 0, 0 },	 [V3D_TEXTURE_S16] = { 1, 1, 0, 0 },
	[V3D_TEXTURE_RGBA32R] = { 1, 2, 1, 0 },
};

/**
 * struct image - the first level of a texture, in units of its type
 * @units: see struct v3dcl_units
 * @width: in units
 * @height: in units
 * @stride: between the faces of a cube map, else 0
 * @raster: its rows are one after the other
 */
struct image {
	const struct v3dcl_units *units;
	__u32 width, height, stride;
	bool raster;
};

/* How a level of this size lies in memory */
static __u32 format_of(const struct image *image, __u32 width, __u32 height)
{
	return image->raster				? V3D_RASTER :
	       v3dcl_is_lt(image->units, width, height) ? V3D_LT_FORMAT :
							  V3D_T_FORMAT;
}

/*
 * The bytes of levels 1 and up, which lie before the base address. HW: their sizes follow from the
 * next powers of two of the first level's; were they not rounded up, they would be smaller.
 */
static __u32 levels_bytes(const struct image *image, __u32 levels)
{
	__u32 width = v3dcl_power_of_two_from(image->width),
	      height = v3dcl_power_of_two_from(image->height), bytes = 0, level;

	/* TEXTURE_LEVEL_COUNT; these would be before any BO. */
	if (NEVER(levels > LEVELS))
		return ~(__u32)0;
	for (level = 1; level < levels; level++) {
		__u32 w = v3dcl_smaller(width, level), h = v3dcl_smaller(height, level);

		bytes += v3dcl_image_bytes(image->units, format_of(image, w, h), w, h);
	}
	return bytes;
}

/*
 * What parameters 2 and 3 say, by their type: AG100 Table 17. Which of two of a type counts is not
 * documented.
 */
enum { NOTHING, CUBE_STRIDE, CHILD_SIZE, CHILD_OFFSET, PARAMETER_TYPES };

struct further {
	__u32 word[PARAMETER_TYPES], count[PARAMETER_TYPES];
};

static void sort_further(const __u32 *parameters, struct further *further)
{
	unsigned int i;

	*further = (struct further){ 0 };
	for (i = 2; i < 4; i++) {
		struct v3d_texture_cube word;

		v3d_parse_texture_cube(parameters[i], &word);
		further->word[word.ptype] = parameters[i];
		further->count[word.ptype]++;
	}
}

/*
 * Not established: how parts of texels of smaller levels are rounded. So there are none. What has a
 * child's size is not 0.
 */
static bool is_child_side(__u32 at, __u32 size, __u32 image, __u32 levels)
{
	return size && at + size <= image && ALWAYS(image) && !((at | size) & ((1u << levels) - 1));
}

/*
 * A child image lies inside its image, in whole texels at each level, and is no cube's. HW-2753: no
 * child images of 2048, be that the width or the height of the child or of its image, which both
 * are 0 in their words.
 */
static bool check_child(struct v3dcl_refusal *refusal, __u32 offset, const struct further *further,
			const struct v3d_texture0 *p0, const struct v3d_texture1 *p1)
{
	struct v3d_texture_child_offset at;
	struct v3d_texture_child_size size;

	if (!(further->count[CHILD_SIZE] | further->count[CHILD_OFFSET]))
		return true;
	v3d_parse_texture_child_size(further->word[CHILD_SIZE], &size);
	v3d_parse_texture_child_offset(further->word[CHILD_OFFSET], &at);
	if (p0->cube || further->count[CHILD_SIZE] != 1 || further->count[CHILD_OFFSET] != 1 ||
	    v3d_word_texture_child_size(&size) != further->word[CHILD_SIZE] ||
	    v3d_word_texture_child_offset(&at) != further->word[CHILD_OFFSET])
		return refuse(refusal, V3DCL_RULE_TEXTURE_CHILD, offset, further->word[CHILD_SIZE],
			      further->word[CHILD_OFFSET]);
	return (is_child_side(at.x, size.width, p1->width, p0->mip_levels) &&
		is_child_side(at.y, size.height, p1->height, p0->mip_levels)) ||
	       refuse(refusal, V3DCL_RULE_TEXTURE_CHILD_END, offset, further->word[CHILD_SIZE],
		      further->word[CHILD_OFFSET]);
}

/* The stride between the faces of a cube map; 0 of whatever is none */
static bool cube_stride(struct v3dcl_refusal *refusal, __u32 offset, const struct further *further,
			bool cube, __u32 *stride)
{
	struct v3d_texture_cube word;

	v3d_parse_texture_cube(further->word[CUBE_STRIDE], &word);
	*stride = cube ? word.stride * (PAGE_MASK + 1) : 0;
	return !cube || (further->count[CUBE_STRIDE] == 1 && *stride) ||
	       refuse(refusal, V3DCL_RULE_TEXTURE_CUBE_STRIDE, offset, further->count[CUBE_STRIDE],
		      1);
}

static bool check_further(struct v3dcl_refusal *refusal, __u32 offset, const __u32 *parameters,
			  const struct v3d_texture0 *p0, const struct v3d_texture1 *p1,
			  __u32 *stride)
{
	struct further further;

	sort_further(parameters, &further);
	return check_child(refusal, offset, &further, p0, p1) &&
	       cube_stride(refusal, offset, &further, p0->cube, stride);
}

/* A width or height, of which 0 is 2048, in units of so many texels */
static __u32 in_units(__u32 size, __u32 log2_block)
{
	return ((size - 1) % MAX_SIDE >> log2_block) + 1;
}

/* The first level, of all faces of a cube map, lies behind the base, the smaller ones before it. */
static bool check_levels(struct v3dcl_refusal *refusal, const struct v3dcl_bo *bo, __u32 offset,
			 const struct v3d_texture0 *p0, const struct image *image)
{
	__u32 format = format_of(image, image->width, image->height), smaller_levels;
	__u64 end = (__u64)p0->base + (FACES - 1) * (__u64)image->stride +
		    v3dcl_image_bytes(image->units, format, image->width, image->height);

	if (end > bo->size)
		return refuse(refusal, V3DCL_RULE_TEXTURE_END, offset, end, bo->size);
	if (!p0->mip_levels)
		return true;
	smaller_levels = levels_bytes(image, p0->mip_levels + 1);
	return smaller_levels <= p0->base ||
	       refuse(refusal, V3DCL_RULE_TEXTURE_LEVELS, offset, p0->base, smaller_levels);
}

/**
 * v3dcl_check_texture() - does a texture lie inside its BO?
 * @refusal: set when it returns false
 * @bo: the BO
 * @offset: of parameter 0 in the job's uniforms
 * @parameters: all four, 0 for those that the lookup does not have
 * Return: false with @refusal set
 */
bool v3dcl_check_texture(struct v3dcl_refusal *refusal, const struct v3dcl_bo *bo, __u32 offset,
			 const __u32 *parameters)
{
	struct v3d_texture0 p0;
	struct v3d_texture1 p1;
	__u32 type, stride = 0;
	struct image image;

	v3d_parse_texture0(parameters[0], &p0);
	v3d_parse_texture1(parameters[1], &p1);
	type = p0.type | p1.type4 << 4;
	if (!types[type].known)
		return refuse(refusal, V3DCL_RULE_TEXTURE_TYPE, offset, type, 0);
	if (bo->address & PAGE_MASK)
		return refuse(refusal, V3DCL_RULE_TEXTURE_BO_ALIGNMENT, offset,
			      bo->address & PAGE_MASK, 0);
	if (p0.mip_levels >= LEVELS)
		return refuse(refusal, V3DCL_RULE_TEXTURE_LEVEL_COUNT, offset, p0.mip_levels + 1,
			      LEVELS);
	if ((p0.cube | parameters[2] | parameters[3]) &&
	    !check_further(refusal, offset, parameters, &p0, &p1, &stride))
		return false;
	image = (struct image){
		.units = &v3dcl_units[types[type].log2_bytes],
		.width = in_units(p1.width, types[type].log2_block),
		.height = in_units(p1.height, types[type].log2_block),
		.stride = stride,
		.raster = types[type].raster,
	};
	/* A word has 11 bits for each of them, and 0 is 2048. */
	if (NEVER(image.width > MAX_SIDE || image.height > MAX_SIDE))
		return refuse(refusal, V3DCL_RULE_TEXTURE_END, offset, image.width, image.height);
	/*
	 * HW-2898 (AG100 Appendix A): silicon addresses such rows as if their width were a power of
	 * two, at level 0 as well. Of a power of two all readings of that say the same.
	 */
	if (image.raster && image.width != v3dcl_power_of_two_from(image.width))
		return refuse(refusal, V3DCL_RULE_TEXTURE_RASTER_WIDTH, offset, image.width,
			      v3dcl_power_of_two_from(image.width));
	return check_levels(refusal, bo, offset, &p0, &image);
}

/**
 * v3dcl_check_direct() - does a clamped direct read stay inside its BO?
 * @refusal: set when it returns false
 * @bo: the BO
 * @offset: of the base in the job's uniforms
 * @base: offset into the BO that the program adds
 * @limit: largest signed number that it is added to; the smallest is 0
 * Return: false with @refusal set
 */
bool v3dcl_check_direct(struct v3dcl_refusal *refusal, const struct v3dcl_bo *bo, __u32 offset,
			__u32 base, __u32 limit)
{
	__u32 end;

	if (!v3dcl_inside(base, DIRECT_BYTES, bo->size))
		return refuse(refusal, V3DCL_RULE_DIRECT_BASE, offset, base, bo->size);
	if ((__s32)limit < 0 || __builtin_add_overflow(base, limit, &end) ||
	    !v3dcl_inside(end, DIRECT_BYTES, bo->size))
		return refuse(refusal, V3DCL_RULE_DIRECT_LIMIT, offset, limit,
			      bo->size - base - DIRECT_BYTES);
	return true;
}

/* Parameters 2 and 3, which are there or not */
static __u32 parameter(const __u8 *stream, __u32 slot)
{
	return slot == V3DCL_NO_SLOT ? 0 : v3dcl_le32(stream + slot * sizeof(__u32));
}

/*
 * A shader's lookups: their handles, their parameters, and the addresses that replace the first of
 * them. All of these are words of the stream, as v3dcl_read_uniform() has counted them; each lookup
 * has the first two, see record_lookup().
 */
static bool check_samples(struct v3dcl_records *r, const struct v3dcl_shader *shader, __u32 uses,
			  const __u8 *handles, const __u8 *stream, __u8 *out)
{
	__u32 count = shader->uniform_words, i;

	for (i = 0; i < shader->sample_count; i++, handles += sizeof(__u32)) {
		const struct v3dcl_sample *sample = &shader->samples[i];
		__u32 at = (__u32)(stream - r->uniforms.bytes) +
			   sample->slot[0] * (__u32)sizeof(__u32);
		const struct v3dcl_bo *bo;
		__u32 words[4];

		if (NEVER(sample->slot[0] >= count || sample->slot[1] >= count ||
			  (sample->slot[2] >= count && sample->slot[2] != V3DCL_NO_SLOT) ||
			  (sample->slot[3] >= count && sample->slot[3] != V3DCL_NO_SLOT)))
			return refuse(&r->job->refusal, V3DCL_RULE_INTERNAL, at, i, count);
		words[0] = v3dcl_le32(stream + sample->slot[0] * sizeof(__u32));
		words[1] = v3dcl_le32(stream + sample->slot[1] * sizeof(__u32));
		words[2] = parameter(stream, sample->slot[2]);
		words[3] = parameter(stream, sample->slot[3]);
		bo = v3dcl_use_bo(r->job, v3dcl_le32(handles), uses, DRM_V3DCL_PART_UNIFORMS,
				  (__u32)(handles - r->uniforms.bytes));
		if (!bo || (sample->direct ? !v3dcl_check_direct(&r->job->refusal, bo, at, words[0],
								 words[1]) :
					     !v3dcl_check_texture(&r->job->refusal, bo, at, words)))
			return false;
		v3dcl_put_le32(out + sample->slot[0] * sizeof(__u32), bo->address + words[0]);
	}
	return true;
}

#define CHUNK 16

/*
 * Whole words. Streams are short, so a call would take longer; the last chunk overlaps the one
 * before.
 */
static __always_inline void copy_words(__u8 *out, const __u8 *in, __u32 bytes)
{
	__u32 at = 0, chunks;

	if (!(bytes / CHUNK)) {
		for (; at < bytes; at += sizeof(__u32))
			__builtin_memcpy(out + at, in + at, sizeof(__u32));
		return;
	}
	for (chunks = (bytes - 1) / CHUNK; chunks; chunks--, at += CHUNK)
		__builtin_memcpy(out + at, in + at, CHUNK);
	__builtin_memcpy(out + bytes - CHUNK, in + bytes - CHUNK, CHUNK);
}

/* Uses of what the lookups of a shader read */
static const __u8 uses[V3DCL_SHADERS] = { V3DCL_READ, V3DCL_READ, V3DCL_READ | V3DCL_READ_BINNING };

/*
 * Where a shader sets the address of its stream anew, it finds it: in words of the stream, which
 * record_reset() has counted.
 */
static __always_inline bool write_resets(struct v3dcl_records *r, const struct v3dcl_shader *shader,
					 const struct v3dcl_writer *out, __u32 at)
{
	__u32 i;

	for (i = 0; i < shader->reset_count; i++) {
		if (NEVER(shader->resets[i] >= shader->uniform_words))
			return refuse(&r->job->refusal, V3DCL_RULE_INTERNAL, at, shader->resets[i],
				      shader->uniform_words);
		v3dcl_put_le32(out->cpu + shader->resets[i] * sizeof(__u32), out->address);
	}
	return true;
}

/* What it has to be, and which instruction takes it */
static __cold bool refuse_setup(struct v3dcl_refusal *refusal, __u32 offset, __u32 found,
				const struct v3dcl_setup *setup)
{
	refuse(refusal, V3DCL_RULE_SETUP_UNIFORM, offset, found, setup->word);
	refusal->lost = setup->at + 1;
	return false;
}

/*
 * Words that set up the VPM are those that the shader was verified with: see choose_words(). They
 * are looked at where the V3D will read them, after all addresses have been written there; no
 * address is one of them, as an instruction that takes one does nothing else with its word.
 */
static __always_inline bool check_setups(struct v3dcl_records *r, const struct v3dcl_shader *shader,
					 const __u8 *stream, const __u8 *out)
{
	__u32 i;

	if (NEVER(shader->setup_count > V3DCL_MAX_SETUPS))
		return refuse(&r->job->refusal, V3DCL_RULE_INTERNAL, 0, shader->setup_count,
			      V3DCL_MAX_SETUPS);
	for (i = 0; i < shader->setup_count; i++) {
		const struct v3dcl_setup *setup = &shader->setups[i];
		const __u32 place = setup->slot * (__u32)sizeof(__u32),
			    at = (__u32)(stream - r->uniforms.bytes) + place;

		if (NEVER(setup->slot >= shader->uniform_words))
			return refuse(&r->job->refusal, V3DCL_RULE_INTERNAL, at, setup->slot,
				      shader->uniform_words);
		if (v3dcl_le32(out + place) != setup->word)
			return refuse_setup(&r->job->refusal, at, v3dcl_le32(stream + place),
					    setup);
	}
	return true;
}

/*
 * The stream of one shader. check_shaders() has found it, v3dcl_check_shader() at most one lookup
 * and one word an instruction, and one word more. There is room: need_exec() asks for as much as
 * the streams have with their handles.
 */
static __always_inline bool check_stream(struct v3dcl_records *r, unsigned int kind,
					 struct v3dcl_cursor *in, struct v3dcl_writer *out)
{
	const struct v3dcl_shader *shader = r->shaders[kind];
	__u32 handles_bytes, bytes;
	const __u8 *handles;

	if (NEVER(!shader || shader->sample_count > V3DCL_MAX_INSTRUCTIONS ||
		  shader->uniform_words > V3DCL_MAX_INSTRUCTIONS + 1))
		return refuse(&r->job->refusal, V3DCL_RULE_INTERNAL, in->at, kind, 0);
	handles_bytes = shader->sample_count * sizeof(__u32);
	bytes = shader->uniform_words * sizeof(__u32);
	handles = v3dcl_take(in, handles_bytes + bytes);
	if (!handles)
		return refuse(&r->job->refusal, V3DCL_RULE_UNIFORMS_SHORT, in->at,
			      in->size - in->at, bytes + handles_bytes);
	if (NEVER(bytes > out->left))
		return refuse(&r->job->refusal, V3DCL_RULE_NO_ROOM, in->at, out->left, bytes);
	copy_words(out->cpu, handles + handles_bytes, bytes);
	if (!check_samples(r, shader, uses[kind], handles, handles + handles_bytes, out->cpu) ||
	    NEVER(!write_resets(r, shader, out, in->at)) ||
	    !check_setups(r, shader, handles + handles_bytes, out->cpu))
		return false;
	out->address += bytes;
	out->cpu += bytes;
	out->left -= bytes;
	return true;
}

/**
 * v3dcl_check_streams() - the uniform streams of the current shader state's shaders
 * @r: what is left; handles and streams are taken from it
 * @addresses: set to where the checked streams are, by shader
 * Return: false with the job's refusal set
 */
bool v3dcl_check_streams(struct v3dcl_records *r, __u32 *addresses)
{
	struct v3dcl_cursor in = r->uniforms;
	struct v3dcl_writer out = r->uniforms_out;
	unsigned int kind;

	for (kind = 0; kind < V3DCL_SHADERS; kind++) {
		addresses[kind] = out.address;
		if (!check_stream(r, kind, &in, &out))
			return false;
	}
	r->uniforms = in;
	r->uniforms_out = out;
	return true;
}
