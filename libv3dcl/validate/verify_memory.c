// SPDX-License-Identifier: (GPL-2.0-only OR MIT)
/*
 * Instructions that reach memory: texture lookups and direct reads, DMA between VPM and memory, the
 * uniforms address; and the FIFOs that give back what was asked for.
 */
#include <v3d/words.h>

#include "vpm_dma.h"
#include "verifier.h"

/* HW: more requests than that, of one QPU to one TMU, are unreliable. */
#define TMU_REQUESTS 4

/*
 * AG100 p. 40: the FIFOs of a TMU know of no threads, so each of two has one half: of eight values
 * asked with, and of four results. Mesa's compiler keeps to it, too (SW).
 */
#define THREAD_VALUES 4
#define THREAD_REQUESTS 2

#define NEAR 16	/* How far back the same use is looked for: so much work it is, at most */

/*
 * Something that v3dcl_relocate() holds the uniforms against, once if it is near. In a block that
 * no path reaches no uniform can be read, so there is none.
 */
static bool record_use(struct v3dcl_verifier *p, const struct v3dcl_use *use)
{
	__u32 i;

	if (!p->record)
		return true;
	if (NEVER(p->unreachable))
		return v3dcl_refuse_here(p, V3DCL_RULE_INTERNAL, use->kind, 0);
	for (i = p->use_count; i && p->use_count - i < NEAR; i--) {
		const struct v3dcl_use *old = &p->uses[i - 1];

		if (old->kind == use->kind && old->kind != V3DCL_USE_TEXTURE &&
		    old->field == use->field && v3dcl_same(&old->address, &use->address) &&
		    v3dcl_same(&old->setup, &use->setup) && v3dcl_same(&old->stride, &use->stride))
			return true;
	}
	if (p->use_count >= p->use_limit)
		return v3dcl_refuse_here(p, V3DCL_RULE_CODE_USES, p->use_count + 1, p->use_limit);
	p->uses[p->use_count] = *use;
	p->uses[p->use_count++].at = p->at;
	return true;
}

/* An address has one uniform that may be relocated, and is known but for what the job says. */
static bool check_address(const struct v3dcl_verifier *p,
			  const struct v3dcl_abstract_value *address)
{
	__u32 i;

	for (i = 0; i < address->count; i++)
		if (!(address->clamped >> i & 1) && address->scale[i] == 1)
			return true;
	return v3dcl_refuse_value(p, V3DCL_RULE_ADDRESS_UNKNOWN, address, 1);
}

/**
 * v3dcl_record_reset() - a user program sets its uniforms address
 * @p: before it
 * @address: that of the stream, which a uniform holds, plus whole words
 * Return: false with the refusal set
 */
bool v3dcl_record_reset(struct v3dcl_verifier *p, const struct v3dcl_abstract_value *address)
{
	struct v3dcl_use use = { .kind = V3DCL_USE_RESET, .address = *address };

	if (!v3dcl_is_moved_uniform(address))
		return v3dcl_refuse_value(p, V3DCL_RULE_ADDRESS_FORM, address, 1);
	if (address->low % sizeof(__u32) || address->low / sizeof(__u32) > V3DCL_MAX_SLOT)
		return v3dcl_refuse_value(p, V3DCL_RULE_ADDRESS_CONSTANT, address, 0);
	p->reset_to = address->low / sizeof(__u32);
	v3dcl_tell(p, address->taint);
	return record_use(p, &use);
}

/* There is room for one an instruction, which does no more: TMU_BOTH. */
static bool record_sample(struct v3dcl_verifier *p, const __u32 *slots, __u32 count, bool direct)
{
	struct v3dcl_sample *sample;
	__u32 i;

	if (!p->record)
		return true;
	if (NEVER(p->sample_count >= p->count))
		return v3dcl_refuse_here(p, V3DCL_RULE_INTERNAL, p->sample_count, p->count);
	sample = &p->samples[p->sample_count++];
	for (i = 0; i < 4; i++)
		sample->slot[i] = i < count ? slots[i] : V3DCL_NO_SLOT;
	sample->direct = direct;
	return true;
}

static bool record_lookup(struct v3dcl_verifier *p, const struct v3dcl_lookup *lookup)
{
	struct v3dcl_use use = { .kind = V3DCL_USE_TEXTURE };
	__u32 i;

	if (p->shader)
		return record_sample(p, lookup->slot, lookup->count, false);
	for (i = 0; i < 4; i++) {
		if (lookup->slot[i] > V3DCL_MAX_SLOT)
			return v3dcl_refuse_here(p, V3DCL_RULE_CODE_USES, lookup->slot[i],
						 V3DCL_MAX_SLOT);
		if (i && i < lookup->count)
			v3dcl_tell(p, v3dcl_taint_of(lookup->slot[i]));
		use.parameters[i] = i < lookup->count ? lookup->slot[i] : V3DCL_MAX_SLOT + 1;
	}
	return record_use(p, &use);
}

/*
 * A shader's direct read: the base is the uniform that this instruction fetches, so nothing else
 * knows its word, which becomes an address; the limit is a word of its own. Were both exact or both
 * limits, one would be of another instruction: store() of verify_transfer.c. What is no ALU
 * instruction has no operation, so it fetches nothing.
 */
static bool direct_of_shader(struct v3dcl_verifier *p, const struct v3d_qpu_inst *inst, bool mul,
			     const struct v3dcl_abstract_value *address)
{
	__u32 base = address->clamped & 1, slots[2];
	bool form = !mul && inst->op_add == V3D_QPU_ADD_ADD &&
		    inst->cond_add == V3D_QPU_COND_ALWAYS && v3dcl_fetches_uniform(inst);

	if (!form)
		return v3dcl_refuse_value(p, V3DCL_RULE_DIRECT_FORM, address, V3D_QPU_ADD_ADD);
	if (address->count != 2 || address->scale[0] != 1 || address->scale[1] != 1 ||
	    address->low || address->span || address->slot[base] != p->s->cursor ||
	    address->factor || address->by[!base])
		return v3dcl_refuse_value(p, V3DCL_RULE_DIRECT_CLAMP, address, 0);
	if (NEVER(!v3dcl_is_alu(inst) || (address->clamped != 1 && address->clamped != 2)))
		return v3dcl_refuse_value(p, V3DCL_RULE_DIRECT_CLAMP, address, 0);
	slots[0] = address->slot[base];
	slots[1] = address->slot[!base];
	return v3dcl_takes_alone(p, inst) && record_sample(p, slots, 2, true);
}

static bool direct(struct v3dcl_verifier *p, const struct v3d_qpu_inst *inst, bool mul,
		   const struct v3dcl_abstract_value *address)
{
	struct v3dcl_use use = { .kind = V3DCL_USE_DIRECT, .address = *address };

	if (p->shader)
		return direct_of_shader(p, inst, mul, address);
	if (v3dcl_condition(inst, mul) != V3D_QPU_COND_ALWAYS)
		return v3dcl_refuse_here(p, V3DCL_RULE_DIRECT_FORM, v3dcl_condition(inst, mul),
					 V3D_QPU_COND_ALWAYS);
	v3dcl_tell(p, address->taint);
	return check_address(p, address) && record_use(p, &use);
}

/*
 * Something that a shader which switches threads must not do. Whether it is one is known when all
 * of it has been seen: finish() of verify_shader.c.
 */
static void note_threaded(struct v3dcl_verifier *p, __u16 rule)
{
	if (p->threaded_rule || !p->record)
		return;
	p->threaded_rule = rule;
	p->threaded_at = p->at;
}

/* Values of all requests that wait to be loaded */
static __u32 waiting_values(const struct v3dcl_state *s, __u8 tmu)
{
	__u32 values = 0, i;

	for (i = 0; i < TMU_REQUESTS; i++)
		values += s->tmu_values[tmu] >> 4 * i & 0xf;
	return values;
}

static bool request(struct v3dcl_verifier *p, __u8 tmu, __u32 values)
{
	struct v3dcl_state *s = p->s;

	if (s->tmu[tmu] >= TMU_REQUESTS)
		return v3dcl_refuse_here(p, V3DCL_RULE_TMU_FULL, TMU_REQUESTS + 1, TMU_REQUESTS);
	s->tmu_values[tmu] |= values << 4 * s->tmu[tmu];
	s->tmu[tmu]++;
	s->tmu_new[tmu]++;
	if (s->tmu[tmu] > THREAD_REQUESTS || waiting_values(s, tmu) > THREAD_VALUES)
		note_threaded(p, V3DCL_RULE_TMU_HALF);
	return true;
}

/**
 * v3dcl_check_tmu_switch() - a thread switch happens, after its delay slots
 * @p: before the instruction after them
 *
 * Results come in the order of the requests, whichever thread made them (AG100 p. 40): each thread
 * in turn loads what it has asked for before it last switched, all of it.
 */
void v3dcl_check_tmu_switch(struct v3dcl_verifier *p)
{
	const struct v3dcl_state *s = p->s;

	if (s->tmu[0] > s->tmu_new[0] || s->tmu[1] > s->tmu_new[1])
		note_threaded(p, V3DCL_RULE_TMU_SWITCH);
}

/* The last one is S. There are four of them, each taken once: TMU_TWICE. */
static bool take_parameter(struct v3dcl_verifier *p, struct v3dcl_lookup *lookup, __u8 bit,
			   __u32 slot)
{
	if (NEVER(lookup->count >= 4))
		return v3dcl_refuse_here(p, V3DCL_RULE_TMU_TWICE, lookup->count, 4);
	lookup->written |= bit;
	lookup->slot[lookup->count++] = slot;
	if (bit != 1)
		return true;
	if (!record_lookup(p, lookup))
		return false;
	slot = lookup->count;
	lookup->count = 0;
	lookup->written = 0;
	return request(p, lookup - p->lookups, slot);
}

/**
 * v3dcl_write_tmu() - a write to S, T, R or B of a TMU
 * @p: before it
 * @inst: the instruction
 * @mul: it is the mul half that writes
 * @value: what it writes
 *
 * A write to S alone reads memory at the address written; any other takes a uniform: AG100 "Texture
 * and Memory Lookup Unit".
 */
bool v3dcl_write_tmu(struct v3dcl_verifier *p, const struct v3d_qpu_inst *inst, bool mul,
		     const struct v3dcl_abstract_value *value)
{
	__u8 waddr = v3dcl_waddr(inst, mul), tmu = waddr >= V3D_QPU_W_TMU1_S,
	     bit = 1 << (waddr & 3);
	struct v3dcl_lookup *lookup = &p->lookups[tmu];
	__u32 slot = p->s->cursor;
	bool submits = bit == 1;

	p->peripherals++;
	if (submits && !lookup->count)
		return direct(p, inst, mul, value) && request(p, tmu, 1);
	if (v3dcl_fetches_uniform(inst))
		return v3dcl_refuse_here(p, V3DCL_RULE_TMU_UNIFORM, waddr, 0);
	if (lookup->written & bit)
		return v3dcl_refuse_here(p, V3DCL_RULE_TMU_TWICE, waddr, 0);
	v3dcl_tell_value(p, value, v3dcl_condition(inst, mul) == V3D_QPU_COND_ALWAYS);
	return v3dcl_read_uniform(p) && take_parameter(p, lookup, bit, slot);
}

/**
 * v3dcl_load_tmu() - the signal that loads a TMU's oldest result into r4
 * @p: before it
 * @tmu: 0 or 1
 * Return: false with the refusal set
 */
bool v3dcl_load_tmu(struct v3dcl_verifier *p, __u8 tmu)
{
	v3dcl_set_initialised(p->s, V3DCL_ACC + V3D_QPU_R4);
	if (p->s->sfu_left)
		return v3dcl_refuse_here(p, V3DCL_RULE_SFU_SOON, p->s->sfu_left, 0);
	if (p->s->tmu[tmu] <= p->s->tmu_new[tmu] && !p->unreachable)
		note_threaded(p, V3DCL_RULE_TMU_SWITCH);
	p->s->tmu[tmu] -= p->s->tmu[tmu] != 0;
	p->s->tmu_new[tmu] = v3dcl_lower(p->s->tmu_new[tmu], p->s->tmu[tmu]);
	p->s->tmu_values[tmu] >>= 4;
	return true;
}

/*
 * What is not known of a set-up word must be in one field: then what kind of word it is, and all
 * else that it says, is known.
 */
static bool check_word(struct v3dcl_verifier *p, const struct v3dcl_abstract_value *word,
		       __u32 field)
{
	__u32 last = word->low + word->span, below = field ? __builtin_ctz(field) : 0, i;
	bool fits = last >= word->low && !((word->low ^ last) & ~field) && word->align >= below;

	for (i = 0; i < word->count; i++)
		if (word->clamped >> i & 1 &&
		    (word->factor >> i & 1 || word->scale[i] & ((1u << below) - 1)))
			fits = false;
	return fits || v3dcl_refuse_value(p, V3DCL_RULE_SETUP_UNKNOWN, word, field);
}

/*
 * A word for which uniforms are needed is one for the kind of register it was taken for: each job
 * is asked.
 */
static bool record_word(struct v3dcl_verifier *p, const struct v3dcl_abstract_value *word,
			__u32 field)
{
	struct v3dcl_use use = { .kind = V3DCL_USE_SETUP, .setup = *word, .field = field };

	if (!check_word(p, word, field))
		return false;
	return !word->count || record_use(p, &use);
}

/* The addresses that a vector of this size can have: AG100 Tables 32 and 33 */
static __u32 vpm_field(__u32 size)
{
	return (V3DCL_VPM_ROWS << (V3D_VPM_32BIT - size)) - 1;
}

/*
 * Unused in a write set-up, AG100 Table 32 has it, and in a read set-up the number of values:
 * assemblers that make both words with one function write it in both. Of unused bits 29 alone means
 * something in later chips (HW-2253).
 */
#define VPM_NUMBER (0xfu << 20)

static bool setup_vpm_write(struct v3dcl_verifier *p, const struct v3dcl_abstract_value *word)
{
	struct v3d_vpm_write_setup setup;

	v3d_parse_vpm_write_setup(word->low, &setup);
	if (setup.size > V3D_VPM_32BIT ||
	    v3d_word_vpm_write_setup(&setup) != (word->low & ~VPM_NUMBER) ||
	    setup.address > vpm_field(setup.size))
		return v3dcl_refuse_value(p, V3DCL_RULE_SETUP_WORD, word, 0);
	p->s->vpm_write = true;
	return record_word(p, word, vpm_field(setup.size));
}

static bool setup_vpm_read(struct v3dcl_verifier *p, const struct v3dcl_abstract_value *word)
{
	struct v3d_vpm_read_setup setup;

	v3d_parse_vpm_read_setup(word->low, &setup);
	if (setup.id || setup.size > V3D_VPM_32BIT ||
	    v3d_word_vpm_read_setup(&setup) != word->low || setup.address > vpm_field(setup.size))
		return v3dcl_refuse_value(p, V3DCL_RULE_SETUP_WORD, word, 0);
	/* HW: ignored while more than one value is outstanding */
	if (p->s->vpm_left > 1)
		return v3dcl_refuse_here(p, V3DCL_RULE_VPM_UNREAD, p->s->vpm_left, 1);
	p->s->vpm_old = p->s->vpm_left;
	p->s->vpm_left += setup.number ? setup.number : 16;
	p->early = true;
	return record_word(p, word, vpm_field(setup.size));
}

/* A set-up word of DMA; not while a transfer may still look at the last one */
static bool setup_dma(struct v3dcl_verifier *p, __u32 which,
		      const struct v3dcl_abstract_value *word)
{
	bool is_store = which == V3DCL_STORE_SETUP || which == V3DCL_STORE_STRIDE;
	struct v3dcl_abstract_value known = *word;

	known.initialised = V3DCL_INITIALISED;
	if (is_store ? p->s->store_pending : p->s->load_pending)
		return v3dcl_refuse_here(p, V3DCL_RULE_DMA_PENDING, which, 0);
	v3dcl_set_value(p->s, which, &known);
	return record_word(p, word,
			   v3dcl_setup_field(is_store, which == V3DCL_LOAD_STRIDE ||
					     which == V3DCL_STORE_STRIDE));
}

/**
 * v3dcl_write_setup() - a word for VPM reads and VDR, or for VPM writes and VDW: AG100 Tables 32 to
 * 37
 * @p: before it
 * @store: the latter
 * @word: taken from element 0
 */
bool v3dcl_write_setup(struct v3dcl_verifier *p, bool store,
		       const struct v3dcl_abstract_value *word)
{
	struct v3d_vdr_setup vdr;

	v3dcl_tell_value(p, word, true);
	if (store) {
		switch (word->low >> 30) {
		case 0:
			return setup_vpm_write(p, word);
		case 2:
			return setup_dma(p, V3DCL_STORE_SETUP, word);
		case 3:
			return setup_dma(p, V3DCL_STORE_STRIDE, word);
		default:
			return v3dcl_refuse_value(p, V3DCL_RULE_SETUP_WORD, word, 0);
		}
	}
	v3d_parse_vdr_setup(word->low, &vdr);
	if (!vdr.id)
		return setup_vpm_read(p, word);
	return setup_dma(p, vdr.modew == 1 ? V3DCL_LOAD_STRIDE : V3DCL_LOAD_SETUP, word);
}

/* What is known before the job, of words that no uniform has a part in */
static bool check_transfer(struct v3dcl_verifier *p, bool store,
			   const struct v3dcl_abstract_value *setup,
			   const struct v3dcl_abstract_value *stride)
{
	struct v3dcl_dma dma = { store, setup->low, setup->low + setup->span,
				 stride->low + stride->span };
	__u32 rule;

	if (setup->count || stride->count)
		return true;
	rule = v3dcl_dma_rule(&dma);
	return !rule || v3dcl_refuse_value(p, rule, setup, dma.stride);
}

/* The stride word, of transfers that look at it */
static bool take_stride(struct v3dcl_verifier *p, bool store, struct v3dcl_abstract_value *stride)
{
	*stride = *v3dcl_value_at(p->s, store ? V3DCL_STORE_STRIDE : V3DCL_LOAD_STRIDE);
	if (stride->initialised != V3DCL_INITIALISED)
		return v3dcl_refuse_here(p, V3DCL_RULE_SETUP_MISSING, 1, 1);
	return check_word(p, stride, v3dcl_setup_field(store, true));
}

/**
 * v3dcl_start_dma() - an address for VDR or VDW starts a transfer
 * @p: before it
 * @store: VDW
 * @address: taken from element 0
 */
bool v3dcl_start_dma(struct v3dcl_verifier *p, bool store,
		     const struct v3dcl_abstract_value *address)
{
	const struct v3dcl_abstract_value *setup = v3dcl_value_at(p->s, store ? V3DCL_STORE_SETUP :
										V3DCL_LOAD_SETUP);
	struct v3dcl_use use = { .kind = store ? V3DCL_USE_STORE : V3DCL_USE_LOAD,
				 .address = *address,
				 .setup = *setup };
	__u8 *pending = store ? &p->s->store_pending : &p->s->load_pending;

	if (setup->initialised != V3DCL_INITIALISED)
		return v3dcl_refuse_here(p, V3DCL_RULE_SETUP_MISSING, 0, 1);
	if (*pending)
		return v3dcl_refuse_here(p, V3DCL_RULE_DMA_PENDING, 1, 0);
	if (!check_word(p, setup, v3dcl_setup_field(store, false)))
		return false;
	if (v3dcl_needs_stride(store, setup->low) && !take_stride(p, store, &use.stride))
		return false;
	*pending = true;
	v3dcl_tell(p, address->taint);
	return check_transfer(p, store, setup, &use.stride) && check_address(p, address) &&
	       record_use(p, &use);
}

/**
 * v3dcl_read_vpm() - a user program takes a value from the VPM
 * @p: before it
 *
 * One that was set up to be read, and has had time to come (AG100 p. 55). Old ones are among all of
 * them: setup_vpm_read() adds to the latter, and here both are taken from.
 *
 * Return: false with the refusal set
 */
bool v3dcl_read_vpm(struct v3dcl_verifier *p)
{
	struct v3dcl_state *s = p->s;

	if (p->unreachable)
		return true;
	if (!s->vpm_left)
		return v3dcl_refuse_here(p, V3DCL_RULE_VPM_EMPTY, 0, 1);
	if (NEVER(s->vpm_old > s->vpm_left))
		return v3dcl_refuse_here(p, V3DCL_RULE_VPM_EMPTY, s->vpm_left, s->vpm_old);
	if (s->vpm_early && !s->vpm_old)
		return v3dcl_refuse_here(p, V3DCL_RULE_VPM_SOON, s->vpm_early, 0);
	s->vpm_old -= s->vpm_old != 0;
	s->vpm_left--;
	return true;
}
