/* SPDX-License-Identifier: (GPL-2.0-only OR MIT) */
/*
 * Inside the check of a bin list: shader records and the uniform streams they point to.
 */
#ifndef V3DCL_VALIDATE_RECORD_H
#define V3DCL_VALIDATE_RECORD_H

#include "cursor.h"

/* No attribute limits which vertices there are. */
#define V3DCL_NO_LIMIT (~(__u32)0)

/*
 * Arrays of a record, at most, and how many limits they have: each one, and once more for two
 * shaders
 */
#define V3DCL_ARRAYS 8
#define V3DCL_REACHES (3 * V3DCL_ARRAYS)

#define V3DCL_SHADERS 3

/*
 * How far the vertices of an array, or of several with the same stride, go: @room bytes after the
 * first one
 */
struct v3dcl_reach {
	__u32 room, stride;
};

/**
 * struct v3dcl_records - shader records and uniforms, as far as they are checked
 * @job: whose
 * @records: what userspace gave
 * @uniforms: see @records
 * @records_out: where the next checked one goes: it is not longer than the record with its handles
 *	that it is made of
 * @uniforms_out: see @records_out
 * @count: shader states so far
 * @reach: of the current shader state's arrays; once more for each shader that reads the rest of
 *	their last words
 * @reaches: of @reach
 * @whole: highest vertex of the arrays before some of their elements were filled up to whole words;
 *	0 where none were
 * @arrays: of the record @before
 * @varyings: of the current shader state: what its fragment shader reads more than there are
 * @shaders: of the current shader state: fragment, vertex and coordinate shader
 * @code: addresses of their code
 * @before: the handles of a record whose shaders and arrays, but for their BOs and places in them,
 *	are those of the last one; NULL where arrays were to be looked at row by row
 */
struct v3dcl_records {
	struct v3dcl_job *job;
	struct v3dcl_cursor records, uniforms;
	struct v3dcl_writer records_out, uniforms_out;
	__u32 count;
	struct v3dcl_reach reach[V3DCL_REACHES];
	__u32 reaches, whole, arrays, varyings;
	const struct v3dcl_shader *shaders[V3DCL_SHADERS];
	__u32 code[V3DCL_SHADERS];
	const __u8 *before;
};

struct v3d_gl_shader_state;

bool v3dcl_check_record(struct v3dcl_records *r, struct v3d_gl_shader_state *state);
__u32 v3dcl_last_vertex(const struct v3dcl_records *r);
bool v3dcl_check_streams(struct v3dcl_records *r, __u32 *addresses);
bool v3dcl_check_direct(struct v3dcl_refusal *refusal, const struct v3dcl_bo *bo, __u32 offset,
			__u32 base, __u32 limit);
bool v3dcl_check_texture(struct v3dcl_refusal *refusal, const struct v3dcl_bo *bo, __u32 offset,
			 const __u32 *parameters);

/**
 * v3dcl_has_vertex() - do all arrays of the current shader state have this vertex?
 * @r: after v3dcl_check_record()
 * @index: of the vertex
 * Nothing is divided: that would take longer than all else. add_reach() keeps to the array.
 */
static inline bool v3dcl_has_vertex(const struct v3dcl_records *r, __u32 index)
{
	__u32 i;

	if (NEVER(r->reaches > V3DCL_REACHES))
		return false;
	for (i = 0; i < r->reaches; i++)
		if ((__u64)index * r->reach[i].stride > r->reach[i].room)
			return false;
	return true;
}

/**
 * v3dcl_use_bo() - a BO is used as memory
 * @job: the use is recorded in its BO, or its refusal is set
 * @index: among its BOs, from userspace
 * @uses: V3DCL_READ and so on
 * @part: enum drm_v3dcl_part, where @index stands
 * @offset: of it in that part
 * Return: the BO, NULL after a refusal
 */
static __always_inline struct v3dcl_bo *v3dcl_use_bo(struct v3dcl_job *job, __u32 index, __u32 uses,
						     __u16 part, __u32 offset)
{
	struct v3dcl_bo *bo;

	if (index >= job->bo_count) {
		v3dcl_refuse(&job->refusal, part, V3DCL_RULE_BO_INDEX, offset, index,
			     job->bo_count);
		return NULL;
	}
	bo = &job->bos[v3dcl_nospec(index, job->bo_count)];
	if (bo->shader || bo->program) {
		v3dcl_refuse(&job->refusal, part, V3DCL_RULE_BO_PLAIN, offset, index, 0);
		return NULL;
	}
	/* Most often it is known already: then nothing waits for the store. */
	if (uses & ~bo->uses)
		bo->uses |= uses;
	return bo;
}

#endif /* V3DCL_VALIDATE_RECORD_H */
