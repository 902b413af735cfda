// SPDX-License-Identifier: (GPL-2.0-only OR MIT)
/*
 * Verifying shaders, once, when their immutable BO is made.
 *
 * The uniform stream's layout is defined by the order in which the code stands, since it is in that
 * order that userspace writes it: the n-th instruction that reads a uniform reads word n, on
 * whichever path. Where paths meet at different words the program must set the uniforms address
 * anew before it reads on, and the word that it finds then, wherever it comes from, must be the
 * address.
 */
#include "verifier.h"

static bool refuse(const struct v3dcl_verifier *p, __u16 rule, __u64 found, __u64 expected)
{
	return v3dcl_refuse_at(p, p->limit - V3D_QPU_END_SLOTS - 1, rule, found, expected);
}

/*
 * Every word at which the stream may stand when the address is set holds the address. Words past
 * the last are only met after a branch back, for which one word more was added. Each instruction
 * reads one at most, and what is set is read as well.
 */
static bool check_marks(struct v3dcl_verifier *p)
{
	__u32 i;

	if (!p->lost_reset)
		return true;
	if (NEVER(p->words > p->count + 1))
		return refuse(p, V3DCL_RULE_INTERNAL, p->words, p->count);
	for (i = 0; i < p->reset_count; i++) {
		if (NEVER(p->resets[i] >= p->words))
			return refuse(p, V3DCL_RULE_INTERNAL, p->resets[i], p->words);
		p->marks[p->resets[i] / 32] &= ~(1u << p->resets[i] % 32);
	}
	for (i = 0; i < p->words; i++)
		if (p->marks[i / 32] >> i % 32 & 1)
			return refuse(p, V3DCL_RULE_UNIFORM_LOST, i, p->words);
	return true;
}

/* What holds for the program as a whole */
static bool finish(struct v3dcl_verifier *p, struct v3dcl_shader *shader)
{
	if (p->uses_of_shader & V3DCL_SHADER_THREADED && p->upper)
		return refuse(p, V3DCL_RULE_THREADED_REGISTER, 1, 0);
	if (p->uses_of_shader & V3DCL_SHADER_THREADED && p->threaded_rule)
		return v3dcl_refuse_at(p, p->threaded_at, p->threaded_rule, 0, 0);
	/*
	 * A branch back leads to a reset, which reads the word at the position where the stream
	 * stands: give it an address. There is room for one more than there are instructions.
	 */
	if (NEVER(p->reset_count > p->count))
		return refuse(p, V3DCL_RULE_INTERNAL, p->reset_count, p->count);
	if (p->last_back > p->last_reset)
		p->resets[p->reset_count++] = p->words++;
	if (!check_marks(p))
		return false;
	*shader = (struct v3dcl_shader){
		.samples = p->samples,
		.resets = p->resets,
		.setups = p->setups,
		.sample_count = p->sample_count,
		.reset_count = p->reset_count,
		.setup_count = p->setup_count,
		.uniform_words = p->words,
		.uses = p->uses_of_shader,
		.varyings = p->varyings,
	};
	/* What never ends hands nothing on. */
	if (!p->ended)
		shader->rows_written = ~(__u64)0;
	return !(shader->uses & V3DCL_SHADER_VPM) || v3dcl_find_rows(p, shader);
}

/**
 * v3dcl_shader_scratch() - how much scratch memory v3dcl_check_shader() needs
 * @code: instruction words
 * @count: of @code, at most V3DCL_MAX_INSTRUCTIONS
 * Return: bytes: below 7.5 KiB and 25 an instruction without branches; at most 6300 for each branch
 * more, and 6 MiB in all
 */
__u32 v3dcl_shader_scratch(const __u64 *code, __u32 count)
{
	return v3dcl_verifier_bytes(code, count, true);
}

/**
 * v3dcl_check_shader() - may this be a vertex, coordinate or fragment shader?
 * @code: instruction words that no longer change
 * @count: of @code
 * @scratch: memory that the result's arrays are in, aligned to 8 bytes; see v3dcl_keep_shader()
 * @scratch_bytes: of @scratch, at least v3dcl_shader_scratch()
 * @shader: result
 * @refusal: set when it returns false, with the offset of the instruction
 *
 * What is accepted reads memory only through its uniform stream, texture lookups whose parameters
 * are in the stream, and direct reads that are clamped; and writes none but the tile buffer and the
 * VPM. Whether the stream fits is checked at each draw.
 *
 * Return: true when it may. Code after the last program end's delay slots is never run.
 */
bool v3dcl_check_shader(const __u64 *code, __u32 count, void *scratch, __u32 scratch_bytes,
			struct v3dcl_shader *shader, struct v3dcl_refusal *refusal)
{
	struct v3dcl_verifier *p;

	return v3dcl_verify(&p, code, count, scratch, scratch_bytes, true, refusal) &&
	       finish(p, shader);
}

/**
 * v3dcl_keep_shader() - move a shader's arrays from the scratch memory to memory of their size
 * @shader: checked
 * @memory: v3dcl_shader_bytes() of it, aligned to 4 bytes; the caller's, for the life of the shader
 */
void v3dcl_keep_shader(struct v3dcl_shader *shader, void *memory)
{
	struct v3dcl_sample *samples = memory;
	__u32 *resets = (__u32 *)(samples + shader->sample_count);
	struct v3dcl_setup *setups = (struct v3dcl_setup *)(resets + shader->reset_count);

	__builtin_memcpy(samples, shader->samples, shader->sample_count * sizeof(*samples));
	__builtin_memcpy(resets, shader->resets, shader->reset_count * sizeof(*resets));
	__builtin_memcpy(setups, shader->setups, shader->setup_count * sizeof(*setups));
	shader->samples = samples;
	shader->resets = resets;
	shader->setups = setups;
}
