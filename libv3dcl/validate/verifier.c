// SPDX-License-Identifier: (GPL-2.0-only OR MIT)
/*
 * The verifier of QPU programs (see verifier.h): its memory, which is the caller's, and how it
 * starts.
 */
#include "fields.h"
#include "verifier.h"

/*
 * Memory of its caller, in pieces that are multiples of 8 bytes; none when it is only counted. No
 * sum wraps, of at most V3DCL_MAX_INSTRUCTIONS and V3DCL_MAX_BLOCKS; it would be more than there
 * is.
 */
static void *piece(struct v3dcl_verifier *p, __u32 bytes)
{
	void *start = p->scratch ? p->scratch + p->used : NULL;

	if (NEVER(__builtin_add_overflow(p->used, (bytes + 7) & ~7u, &p->used)))
		p->used = ~(__u32)0;
	return start;
}

static bool refuse_scratch(const struct v3dcl_verifier *p)
{
	return v3dcl_refuse(p->refusal, DRM_V3DCL_PART_CODE, V3DCL_RULE_SCRATCH, 0, p->bytes,
			    v3dcl_verifier_bytes(p->code, p->count, p->shader));
}

/* What is needed whatever the code says; what basic blocks need comes after it */
static void lay_out(struct v3dcl_verifier *p)
{
	p->s = piece(p, sizeof(*p->s));
	p->leaders = piece(p, (p->count / 32 + 1) * sizeof(*p->leaders));
	p->contexts = piece(p, V3DCL_MAX_CONTEXTS * sizeof(*p->contexts));
	if (p->shader) {
		p->marks = piece(p, v3dcl_mark_words(p) * sizeof(*p->marks));
		p->samples = piece(p, p->count * sizeof(*p->samples));
		p->resets = piece(p, (p->count + 1) * sizeof(*p->resets));
		p->setups = piece(p, V3DCL_MAX_SETUPS * sizeof(*p->setups));
	} else {
		p->use_limit = v3dcl_lower(p->count * (p->call_limit + 1), V3DCL_MAX_USES);
		p->uses = piece(p, p->use_limit * sizeof(*p->uses));
	}
}

/* Branches that write a register: calls, if they are those of a user program */
static void count_calls(struct v3dcl_verifier *p)
{
	__u32 i;

	for (i = 0; i < p->count && !p->shader && p->call_limit < V3DCL_MAX_CALLS; i++)
		p->call_limit += p->code[i] >> 60 == V3D_QPU_SIG_BRANCH &&
				 get_waddr_add(p->code[i]) < 32;
}

/**
 * v3dcl_lay_out_blocks() - memory for basic blocks and the states before them, and for as many
 * nodes as if each call led through all of them
 * @p: open
 * @branches: in its code
 * @ends: program ends, after which blocks start as well where a branch leads past one
 * Return: false with the refusal set when there is not so much
 */
bool v3dcl_lay_out_blocks(struct v3dcl_verifier *p, __u32 branches, __u32 ends)
{
	__u32 blocks = branches ? 2 * branches + ends + 1 : 1;

	blocks = v3dcl_lower(blocks, V3DCL_MAX_BLOCKS) * (p->call_limit + 1);
	blocks = v3dcl_lower(blocks, V3DCL_MAX_BLOCKS);
	p->node_limit = blocks;
	p->blocks = piece(p, (blocks + 1) * sizeof(*p->blocks));
	p->states = piece(p, blocks * sizeof(*p->states));
	return p->used <= p->bytes || refuse_scratch(p);
}

/**
 * v3dcl_verifier_bytes() - how much scratch memory the verification of a program needs
 * @code: instruction words
 * @count: of @code, at most V3DCL_MAX_INSTRUCTIONS
 * @shader: it is a shader
 * Return: bytes
 */
__u32 v3dcl_verifier_bytes(const __u64 *code, __u32 count, bool shader)
{
	struct v3dcl_verifier p = {
		.code = code, .count = count, .shader = shader, .bytes = ~(__u32)0
	};
	__u32 branches = 0, ends = 0, i;

	for (i = 0; i < count; i++) {
		branches += code[i] >> 60 == V3D_QPU_SIG_BRANCH;
		ends += code[i] >> 60 == V3D_QPU_SIG_PROGRAM_END;
	}
	piece(&p, sizeof(p));
	count_calls(&p);
	lay_out(&p);
	v3dcl_lay_out_blocks(&p, branches, ends);
	return p.used;
}

/* What is looked at before the program has set it */
static void clear_scratch(struct v3dcl_verifier *p)
{
	__builtin_memset(p->s, 0, __builtin_offsetof(struct v3dcl_state, value));
	__builtin_memset(p->leaders, 0, (p->count / 32 + 1) * sizeof(*p->leaders));
	p->contexts[0] = (struct v3dcl_context){ 0 };
	if (p->shader)
		__builtin_memset(p->marks, 0, v3dcl_mark_words(p) * sizeof(*p->marks));
	/* The first instruction starts a block, whatever the others do: nothing comes before it. */
	p->leaders[0] = 1;
}

/* What a shader finds when it starts, whichever kind it is */
static void set_payload(struct v3dcl_state *s)
{
	s->payload = V3DCL_PAYLOADS;
	v3dcl_set_initialised(s, V3DCL_FILE_A + V3DCL_PAYLOAD);
	v3dcl_set_initialised(s, V3DCL_FILE_B + V3DCL_PAYLOAD);
}

/*
 * Prepare the verification of a program, in the scratch memory; false with the refusal set. Its
 * parameters are those of v3dcl_verify().
 */
static bool open_verifier(struct v3dcl_verifier **opened, const __u64 *code, __u32 count,
			  void *scratch, __u32 scratch_bytes, bool shader,
			  struct v3dcl_refusal *refusal)
{
	struct v3dcl_verifier *p = scratch;

	if (!count || count > V3DCL_MAX_INSTRUCTIONS)
		return v3dcl_refuse(refusal, DRM_V3DCL_PART_CODE, V3DCL_RULE_CODE_SIZE, 0, count,
				    V3DCL_MAX_INSTRUCTIONS);
	if (scratch_bytes < sizeof(*p))
		return v3dcl_refuse(refusal, DRM_V3DCL_PART_CODE, V3DCL_RULE_SCRATCH, 0,
				    scratch_bytes, v3dcl_verifier_bytes(code, count, shader));
	if (NEVER(!scratch || (unsigned long)scratch % 8))
		return v3dcl_refuse(refusal, DRM_V3DCL_PART_CODE, V3DCL_RULE_SCRATCH, 0, 0, 8);
	*p = (struct v3dcl_verifier){
		.code = code,
		.count = count,
		.shader = shader,
		.refusal = refusal,
		.scratch = scratch,
		.bytes = scratch_bytes,
		.last_reset = V3DCL_LONG_AGO,
		.last_back = V3DCL_LONG_AGO,
		.context_count = 1,
	};
	piece(p, sizeof(*p));
	count_calls(p);
	lay_out(p);
	if (p->used > p->bytes)
		return refuse_scratch(p);
	clear_scratch(p);
	if (shader)
		set_payload(p->s);
	*opened = p;
	return true;
}

static bool find_fixpoint(struct v3dcl_verifier *p, bool explain)
{
	p->explain = explain;
	return v3dcl_build_cfg(p) && v3dcl_find_fixpoint(p);
}

/**
 * v3dcl_verify() - verify a program by what holds before each of its instructions
 * @opened: set to the verification, in @scratch
 * @code: instruction words that no longer change
 * @count: of @code
 * @scratch: memory, aligned to 8 bytes
 * @scratch_bytes: of @scratch
 * @shader: it is a shader
 * @refusal: for what is refused
 *
 * Code that is refused for a value of which nothing is known is gone through once more, with notes
 * of where values are lost. Nothing but that is taken from there.
 *
 * Return: false with the refusal set
 */
bool v3dcl_verify(struct v3dcl_verifier **opened, const __u64 *code, __u32 count, void *scratch,
		  __u32 scratch_bytes, bool shader, struct v3dcl_refusal *refusal)
{
	struct v3dcl_refusal first;

	if (!open_verifier(opened, code, count, scratch, scratch_bytes, shader, refusal))
		return false;
	if (find_fixpoint(*opened, false))
		return true;
	if (!refusal->has_value || !v3dcl_is_unknown(&refusal->value))
		return false;
	first = *refusal;
	if (open_verifier(opened, code, count, scratch, scratch_bytes, shader, refusal) &&
	    !find_fixpoint(*opened, true) && refusal->rule == first.rule &&
	    refusal->offset == first.offset)
		first.lost = refusal->lost;
	*refusal = first;
	return false;
}
