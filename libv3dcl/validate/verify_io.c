// SPDX-License-Identifier: (GPL-2.0-only OR MIT)
/*
 * Registers beyond the files, by which a QPU reaches everything else, and signals: which kind of
 * program may use which (AG100 Tables 4 and 14), and the uniform stream.
 */
#include "fields.h"
#include "verifier.h"

/* What accessing an address from 32 on means */
enum access {
	ACCESS_FORBIDDEN,
	ACCESS_FREE,
	ACCESS_TILE,
	ACCESS_VPM,
	ACCESS_ADDRESS,
	ACCESS_TMU,
	ACCESS_SFU,
	ACCESS_UNIFORM,
	ACCESS_ELEMENT,
	ACCESS_VARYING,
	ACCESS_ROWS,
	ACCESS_SETUP,
	ACCESS_TRANSFER,
	ACCESS_MUTEX,
	ACCESS_INTERRUPT,
	ACCESS_WAIT,
	ACCESS_BUSY
};

#define W(name, access) [V3D_QPU_W_##name - 32] = ACCESS_##access
#define R(name, access) [V3D_QPU_R_##name - 32] = ACCESS_##access
#define S(name, access) [V3D_QPU_SIG_##name] = ACCESS_##access

static const __u8 shader_writes[32] = {
	W(UNIFORMS_ADDRESS, ADDRESS),
	W(QUAD_XY, TILE),
	W(MS_REV_FLAGS, TILE),
	W(TLB_STENCIL_SETUP, TILE),
	W(TLB_Z, TILE),
	W(TLB_COLOUR_MS, TILE),
	W(TLB_COLOUR_ALL, TILE),
	W(VPM_WRITE, VPM),
	W(VPM_SETUP, ROWS),
	W(SFU_RECIP, SFU),
	W(SFU_RECIPSQRT, SFU),
	W(SFU_EXP, SFU),
	W(SFU_LOG, SFU),
	W(TMU0_S, TMU),
	W(TMU0_T, TMU),
	W(TMU0_R, TMU),
	W(TMU0_B, TMU),
	W(TMU1_S, TMU),
	W(TMU1_T, TMU),
	W(TMU1_R, TMU),
	W(TMU1_B, TMU),
};

static const __u8 program_writes[32] = {
	W(HOST_INT, INTERRUPT), W(UNIFORMS_ADDRESS, ADDRESS),
	W(VPM_WRITE, VPM),	W(VPM_SETUP, SETUP),
	W(VPM_ADDR, TRANSFER),	W(MUTEX_RELEASE, MUTEX),
	W(SFU_RECIP, SFU),	W(SFU_RECIPSQRT, SFU),
	W(SFU_EXP, SFU),	W(SFU_LOG, SFU),
	W(TMU0_S, TMU),		W(TMU0_T, TMU),
	W(TMU0_R, TMU),		W(TMU0_B, TMU),
	W(TMU1_S, TMU),		W(TMU1_T, TMU),
	W(TMU1_R, TMU),		W(TMU1_B, TMU),
};

static const __u8 shader_reads[32] = {
	R(UNIFORM, UNIFORM),  R(VARYING, VARYING),   R(ELEMENT_QPU_NUMBER, ELEMENT),
	R(PIXEL_COORD, TILE), R(MS_REV_FLAGS, TILE), R(VPM_READ, VPM),
};

static const __u8 program_reads[32] = {
	R(UNIFORM, UNIFORM), R(ELEMENT_QPU_NUMBER, ELEMENT), R(VPM_READ, VPM), R(VPM_BUSY, BUSY),
	R(VPM_WAIT, WAIT),   R(MUTEX_ACQUIRE, MUTEX),
};

/* Signals that only fragment shaders may give are TILE. */
static const __u8 signals[16] = {
	S(NONE, FREE),
	S(THREAD_SWITCH, FREE),
	S(LAST_THREAD_SWITCH, FREE),
	S(PROGRAM_END, FREE),
	S(WAIT_SCOREBOARD, TILE),
	S(UNLOCK_SCOREBOARD, TILE),
	S(LOAD_COLOR, TILE),
	S(LOAD_TMU0, FREE),
	S(LOAD_TMU1, FREE),
	S(SMALL_IMMEDIATE, FREE),
	S(LOAD_IMMEDIATE, FREE),
	S(BRANCH, FREE),
};

/*
 * The program end's delay slots, and the program end: AG100 "Summary of Instruction Restrictions"
 */
static bool is_last(const struct v3dcl_verifier *p)
{
	return p->at - p->end_at <= V3D_QPU_END_SLOTS;
}

/* What an address from 32 on means; the others, of the files, do not come here. */
static enum access access_of(const __u8 *table, __u8 address)
{
	return NEVER(address < 32 || address >= 64) ? ACCESS_FORBIDDEN : table[address - 32];
}

/**
 * v3dcl_mark_position() - a shader may set the address of its stream anew here: the word is that
 * address then
 * @p: nothing is marked in a user program
 * @cursor: index of the word, below 32 times v3dcl_mark_words(); of V3DCL_LOST nothing is marked
 * Return: false with the refusal set
 */
bool v3dcl_mark_position(struct v3dcl_verifier *p, __u32 cursor)
{
	if (!p->shader || cursor == V3DCL_LOST)
		return true;
	if (NEVER(cursor / 32 >= v3dcl_mark_words(p)))
		return v3dcl_refuse_here(p, V3DCL_RULE_INTERNAL, cursor, p->count);
	p->marks[cursor / 32] |= 1u << cursor % 32;
	return true;
}

/* The instruction reads on where the place in the stream is not known, or not that of its code. */
static bool refuse_cursor(const struct v3dcl_verifier *p)
{
	v3dcl_refuse_here(p, V3DCL_RULE_UNIFORM_LOST, p->words, p->s->cursor);
	p->refusal->lost = p->s->cursor == V3DCL_LOST ? p->s->cursor_lost : 0;
	return false;
}

/**
 * v3dcl_read_uniform() - the next word of the uniform stream is read, by an operand or by a TMU
 * @p: before it. A position that is lost stays so
 * Return: false with the refusal set
 */
bool v3dcl_read_uniform(struct v3dcl_verifier *p)
{
	struct v3dcl_state *s = p->s;

	/*
	 * A shader may read what is lost to set the address anew. What comes before is counted only
	 * when the fixpoint is reached.
	 */
	if (p->shader ? p->record && s->cursor != p->words && !p->reset : s->cursor == V3DCL_LOST)
		return refuse_cursor(p);
	if (s->reset_left)
		return v3dcl_refuse_here(p, V3DCL_RULE_UNIFORM_SOON, s->reset_left, 0);
	if (is_last(p))
		return v3dcl_refuse_here(p, V3DCL_RULE_CODE_END_ACCESS, V3D_QPU_R_UNIFORM, 0);
	if (p->shader)
		p->words++;
	else if (s->cursor >= p->words)
		p->words = s->cursor + 1;
	if (p->reset)
		s->cursor = p->reset_to;
	else if (s->cursor != V3DCL_LOST)
		s->cursor++;
	return true;
}

/*
 * Uses that a draw checks against the kind of shader; the VPM may have a new owner once the program
 * ends.
 */
static bool use_vpm(struct v3dcl_verifier *p, __u8 address)
{
	p->uses_of_shader |= V3DCL_SHADER_VPM;
	return !is_last(p) || v3dcl_refuse_here(p, V3DCL_RULE_CODE_END_ACCESS, address, 0);
}

/**
 * v3dcl_takes() - is what a port reads taken by an operation that happens?
 * @inst: the instruction. All operations of its mul ALU have two operands
 * @mux: V3D_QPU_A or V3D_QPU_B
 */
bool v3dcl_takes(const struct v3d_qpu_inst *inst, __u8 mux)
{
	bool two = ADD_TWO >> inst->op_add & 1;

	if (!v3dcl_is_alu(inst))
		return false;
	if (v3dcl_is_active(inst, false) &&
	    (inst->add_a == mux || (two && inst->add_b == mux)))
		return true;
	return v3dcl_is_active(inst, true) && (inst->mul_a == mux || inst->mul_b == mux);
}

static bool acquire_mutex(struct v3dcl_verifier *p)
{
	p->peripherals++;
	if (p->s->mutex)
		return v3dcl_refuse_here(p, V3DCL_RULE_MUTEX_TWICE, 1, 0);
	p->s->mutex = true;
	return true;
}

/* Reads of units that do something: once an instruction, by an operand */
static bool read_unit(struct v3dcl_verifier *p, enum access access, __u8 raddr, bool b)
{
	switch (access) {
	case ACCESS_VPM:
		return use_vpm(p, raddr) && (p->shader || v3dcl_read_vpm(p));
	case ACCESS_MUTEX:
		return acquire_mutex(p);
	case ACCESS_WAIT:
		if (b)
			p->s->store_pending = false;
		else
			p->s->load_pending = false;
		return use_vpm(p, raddr);
	default:
		/* No other access is left by read_io(). */
		if (NEVER(access != ACCESS_BUSY))
			return v3dcl_refuse_here(p, V3DCL_RULE_CODE_READ, raddr, 0);
		return use_vpm(p, raddr);
	}
}

/*
 * What the next word of the stream gives. A shader may read what is lost only to set the address
 * anew: then the slot does not matter.
 */
static struct v3dcl_abstract_value next_uniform(const struct v3dcl_verifier *p)
{
	if (p->s->cursor != V3DCL_LOST)
		return v3dcl_uniform(p->s->cursor);
	return v3dcl_uniform(p->shader ? 0 : V3DCL_MAX_SLOT + 1);
}

/* The number of an element, or of a QPU */
static const struct v3dcl_abstract_value element = {
	.span = V3D_QPU_LANES - 1, .initialised = V3DCL_INITIALISED,
};

static bool read_io(struct v3dcl_verifier *p, const struct v3d_qpu_inst *inst, __u8 raddr, bool b)
{
	enum access access = access_of(p->shader ? shader_reads : program_reads, raddr);

	switch (access) {
	case ACCESS_FORBIDDEN:
		return v3dcl_refuse_here(p, V3DCL_RULE_CODE_READ, raddr, 0);
	case ACCESS_TILE:
		/* Without a fragment: that of the last one here, perhaps another client's */
		p->uses_of_shader |= V3DCL_SHADER_TILE;
		return true;
	case ACCESS_ELEMENT:
		p->port[b] = &element;
		return true;
	case ACCESS_VARYING:
		p->uses_of_shader |= V3DCL_SHADER_TILE;
		if (is_last(p))
			return v3dcl_refuse_here(p, V3DCL_RULE_CODE_END_ACCESS, raddr, 0);
		break;
	default:
		break;
	}
	if (!v3dcl_takes(inst, b ? V3D_QPU_B : V3D_QPU_A))
		return v3dcl_refuse_here(p, V3DCL_RULE_UNIFORM_UNREAD, raddr, 0);
	if (access == ACCESS_VARYING)
		return true;
	if (access == ACCESS_UNIFORM) {
		p->uniform = next_uniform(p);
		p->port[b] = &p->uniform;
		return true;
	}
	if (access == ACCESS_VPM && b && inst->raddr_a == raddr)
		return true;	/* one read for both ports */
	return read_unit(p, access, raddr, b);
}

/**
 * v3dcl_read_port() - a read address of an ALU instruction: what it does, and what it gives
 * @p: p->port is set for addresses from 32 on
 * @inst: the instruction
 * @b: port B, else A
 */
bool v3dcl_read_port(struct v3dcl_verifier *p, const struct v3d_qpu_inst *inst, bool b)
{
	__u8 raddr = b ? inst->raddr_b : inst->raddr_a;

	if (raddr < 32) {
		p->upper |= raddr >= 16 && v3d_qpu_reads(inst, b ? V3D_QPU_B : V3D_QPU_A);
		if (p->s->payload >> (b ? V3DCL_FILE_B + raddr : raddr) & 1 &&
		    v3dcl_takes(inst, b ? V3D_QPU_B : V3D_QPU_A))
			p->uses_of_shader |= V3DCL_SHADER_TILE;
		return true;
	}
	p->port[b] = &v3dcl_initialised;
	/* HW: reading the address of no register gives what was read before, by any program. */
	if (raddr == V3D_QPU_R_NOP)
		return !v3dcl_takes(inst, b ? V3D_QPU_B : V3D_QPU_A) ||
		       v3dcl_refuse_here(p, V3DCL_RULE_CODE_READ, raddr, 0);
	return read_io(p, inst, raddr, b);
}

/*
 * A shader sets the address of its uniforms; @low is the constant that is added to the word it
 * fetches: where the stream goes on, which is after that word. False: it is another place. An
 * instruction sets it once, so there is room.
 */
static bool record_reset(struct v3dcl_verifier *p, __u32 low)
{
	/* No more words have been read than there are instructions before. */
	if (low % sizeof(__u32) || low / sizeof(__u32) > p->at + 1u ||
	    (p->record && low != (p->words + 1) * sizeof(__u32)))
		return false;
	p->reset_to = low / sizeof(__u32);
	if (!p->record)
		return true;
	if (NEVER(p->reset_count >= p->count || !v3dcl_mark_position(p, p->s->cursor)))
		return false;
	p->lost_reset |= p->s->cursor != p->words && !p->unreachable;
	p->resets[p->reset_count++] = p->words;
	p->last_reset = v3dcl_higher(p->at, p->last_reset);
	return true;
}

/* As Mesa does it: a constant that is added to a uniform */
static bool shader_address(struct v3dcl_verifier *p, const struct v3d_qpu_inst *inst, bool mul,
			   const struct v3dcl_abstract_value *value)
{
	/*
	 * A uniform whose word is known is one that the instruction itself fetches: see store() of
	 * verify_transfer.c.
	 */
	if (mul || inst->op_add != V3D_QPU_ADD_ADD || inst->cond_add != V3D_QPU_COND_ALWAYS ||
	    !v3dcl_is_moved_uniform(value))
		return v3dcl_refuse_value(p, V3DCL_RULE_ADDRESS_FORM, value, V3D_QPU_ADD_ADD);
	if (NEVER(!v3dcl_is_alu(inst) || !v3dcl_fetches_uniform(inst)))
		return v3dcl_refuse_value(p, V3DCL_RULE_ADDRESS_FORM, value, V3D_QPU_ADD_ADD);
	if (!v3dcl_takes_alone(p, inst))
		return false;
	return record_reset(p, value->low) ||
	       v3dcl_refuse_here(p, V3DCL_RULE_ADDRESS_CONSTANT, value->low,
				 (p->words + 1) * sizeof(__u32));
}

/* Does a result of this half go to the space of file B? */
static bool in_b(const struct v3d_qpu_inst *inst, bool mul)
{
	return mul != (bool)inst->ws;
}

static bool set_address(struct v3dcl_verifier *p, const struct v3d_qpu_inst *inst, bool mul,
			const struct v3dcl_abstract_value *value)
{
	if (in_b(inst, mul))
		return v3dcl_refuse_here(p, V3DCL_RULE_ADDRESS_RELATIVE, 1, 0);
	if (p->shader ? !shader_address(p, inst, mul, value) : !v3dcl_record_reset(p, value))
		return false;
	/* Where the branch leads, a uniform might be read too soon. */
	if (p->at - p->branch_at <= V3D_QPU_BRANCH_SLOTS)
		return v3dcl_refuse_here(p, V3DCL_RULE_ADDRESS_SLOT, p->at - p->branch_at,
					 V3D_QPU_BRANCH_SLOTS + 1);
	if (p->s->reset_left)
		return v3dcl_refuse_here(p, V3DCL_RULE_UNIFORM_SOON, p->s->reset_left, 0);
	p->reset = true;
	if (!v3dcl_fetches_uniform(inst))
		p->s->cursor = p->reset_to;
	return true;
}

static bool release_mutex(struct v3dcl_verifier *p)
{
	if (!p->s->mutex && !p->unreachable)
		return v3dcl_refuse_here(p, V3DCL_RULE_MUTEX_TWICE, 0, 1);
	p->s->mutex = false;
	return true;
}

/* More than one would let a loop keep the host busy. */
static bool interrupt(struct v3dcl_verifier *p, const struct v3dcl_abstract_value *value)
{
	/* HW: 0 raises none. */
	v3dcl_tell_value(p, value, true);
	if (p->s->interrupted)
		return v3dcl_refuse_here(p, V3DCL_RULE_INTERRUPT_TWICE, 1, 0);
	if (is_last(p))
		return v3dcl_refuse_here(p, V3DCL_RULE_CODE_END_ACCESS, V3D_QPU_W_HOST_INT, 0);
	p->s->interrupted = true;
	return true;
}

/*
 * HW: a condition does not keep a unit from being accessed, so what it gets then would be anything.
 */
static bool needs_always(enum access access)
{
	return access == ACCESS_SETUP || access == ACCESS_TRANSFER || access == ACCESS_MUTEX ||
	       access == ACCESS_INTERRUPT;
}

/*
 * However an instruction accesses the tile buffer, it counts once: Mesa sets up the stencil beside
 * a colour load. Addresses in shader_writes end with the buffer's.
 */
static bool write_tile(struct v3dcl_verifier *p, __u8 waddr)
{
	if (NEVER(waddr > V3D_QPU_W_TLB_ALPHA_MASK))
		return v3dcl_refuse_here(p, V3DCL_RULE_CODE_WRITE, waddr, 0);
	/* AG100 "Summary of Instruction Restrictions" */
	if (waddr == V3D_QPU_W_TLB_Z && p->at - p->end_at == V3D_QPU_END_SLOTS)
		return v3dcl_refuse_here(p, V3DCL_RULE_CODE_END_ACCESS, waddr, 0);
	p->uses_of_shader |= V3DCL_SHADER_TILE;
	p->tile_buffer |= waddr >= V3D_QPU_W_TLB_STENCIL_SETUP;
	return true;
}

static bool write_sfu(struct v3dcl_verifier *p, const struct v3dcl_abstract_value *value,
		      bool always)
{
	struct v3dcl_abstract_value result = v3dcl_forget(value);

	if (p->s->sfu_left)
		return v3dcl_refuse_here(p, V3DCL_RULE_SFU_SOON, p->s->sfu_left, 0);
	p->peripherals++;
	p->sfu = true;
	result.taint = p->shader ? 0 : result.taint | (always ? 0 : p->s->flags_taint);
	v3dcl_set_value(p->s, V3DCL_ACC + V3D_QPU_R4, &result);
	return true;
}

static bool write_vpm(struct v3dcl_verifier *p, __u8 waddr,
		      const struct v3dcl_abstract_value *value, bool always)
{
	v3dcl_tell_value(p, value, always);
	if (!p->shader && !p->s->vpm_write)
		return v3dcl_refuse_here(p, V3DCL_RULE_SETUP_MISSING, waddr, 0);
	return use_vpm(p, waddr);
}

/*
 * A shader sets up the VPM with just a uniform, which is the word that the instruction fetches
 * itself: see store() of verify_transfer.c. Noted once, as the code stands; what comes of it, and
 * of all other set-ups, is seen to by v3dcl_find_rows().
 */
static bool set_up_vpm(struct v3dcl_verifier *p, bool read,
		       const struct v3dcl_abstract_value *value)
{
	const __u32 n = p->setup_count;

	if (!use_vpm(p, V3D_QPU_W_VPM_SETUP))
		return false;
	if (!p->record || !v3dcl_is_uniform(value))
		return true;
	if (p->s->cursor != p->words)
		return refuse_cursor(p);
	if (n >= V3DCL_MAX_SETUPS || (n && p->setups[n - 1].slot == p->words))
		return v3dcl_refuse_here(p, V3DCL_RULE_SETUP_TWICE, n, V3DCL_MAX_SETUPS);
	p->setups[n] = (struct v3dcl_setup){ .at = p->at, .slot = p->words, .read = read };
	p->setup_count++;
	return true;
}

/**
 * v3dcl_write_io() - a result goes to an address from 36 on, none of an accumulator
 * @p: before it
 * @inst: the instruction
 * @mul: the result is that of the mul half
 * @value: the result
 */
bool v3dcl_write_io(struct v3dcl_verifier *p, const struct v3d_qpu_inst *inst, bool mul,
		    const struct v3dcl_abstract_value *value)
{
	__u8 waddr = v3dcl_waddr(inst, mul);
	enum access access = access_of(p->shader ? shader_writes : program_writes, waddr);
	bool always = v3dcl_condition(inst, mul) == V3D_QPU_COND_ALWAYS;

	if (!always && (needs_always(access) || (access == ACCESS_ADDRESS && !p->shader)))
		return v3dcl_refuse_here(p, V3DCL_RULE_IO_CONDITION, v3dcl_condition(inst, mul),
					 V3D_QPU_COND_ALWAYS);
	switch (access) {
	case ACCESS_ADDRESS:
		return set_address(p, inst, mul, value);
	case ACCESS_TMU:
		return v3dcl_write_tmu(p, inst, mul, value);
	case ACCESS_TILE:
		return write_tile(p, waddr);
	case ACCESS_SFU:
		return write_sfu(p, value, always);
	case ACCESS_VPM:
		return write_vpm(p, waddr, value, always);
	case ACCESS_ROWS:
		return set_up_vpm(p, !in_b(inst, mul), value);
	case ACCESS_SETUP:
		return use_vpm(p, waddr) && v3dcl_write_setup(p, in_b(inst, mul), value);
	case ACCESS_TRANSFER:
		return use_vpm(p, waddr) && v3dcl_start_dma(p, in_b(inst, mul), value);
	case ACCESS_MUTEX:
		return release_mutex(p);
	case ACCESS_INTERRUPT:
		return interrupt(p, value);
	default:
		return v3dcl_refuse_here(p, V3DCL_RULE_CODE_WRITE, waddr, 0);
	}
}

/*
 * Just behind a branch. In the other delay slots of one, those of a thread switch or of a program
 * end would go beyond the block, which v3dcl_build_cfg() refuses.
 */
static bool follows_branch(const struct v3dcl_verifier *p)
{
	return p->at == p->branch_at + 1;
}

static bool switch_thread(struct v3dcl_verifier *p, __u8 sig)
{
	if (!p->shader)
		return v3dcl_refuse_here(p, V3DCL_RULE_CODE_SIGNAL, sig, 0);
	if (p->at - p->switch_at <= V3D_QPU_END_SLOTS || follows_branch(p) || is_last(p))
		return v3dcl_refuse_here(p, V3DCL_RULE_SWITCH_SLOT, p->at, 0);
	if (NEVER(p->at - p->branch_at <= V3D_QPU_BRANCH_SLOTS))
		return v3dcl_refuse_here(p, V3DCL_RULE_SWITCH_SLOT, p->at, 0);
	p->switch_at = p->at;
	p->uses_of_shader |= V3DCL_SHADER_THREADED;
	return true;
}

static bool end_program(struct v3dcl_verifier *p)
{
	if (is_last(p) || follows_branch(p) || p->at - p->switch_at <= V3D_QPU_END_SLOTS)
		return v3dcl_refuse_here(p, V3DCL_RULE_CODE_SIGNAL, V3D_QPU_SIG_PROGRAM_END, 0);
	if (NEVER(p->at - p->branch_at <= V3D_QPU_BRANCH_SLOTS))
		return v3dcl_refuse_here(p, V3DCL_RULE_CODE_SIGNAL, V3D_QPU_SIG_PROGRAM_END, 0);
	p->end_at = p->at;
	return true;
}

/**
 * v3dcl_check_signal() - may the program give this signal here?
 * @p: before the instruction
 * @sig: enum v3d_qpu_signal
 */
bool v3dcl_check_signal(struct v3dcl_verifier *p, __u8 sig)
{
	const bool loads = sig == V3D_QPU_SIG_LOAD_TMU0 || sig == V3D_QPU_SIG_LOAD_TMU1;

	/* A breakpoint stops the QPU for ever; where no path leads it is no more than data. */
	if (sig == V3D_QPU_SIG_BREAK && p->unreachable)
		return true;
	if (signals[sig] == ACCESS_FORBIDDEN || (signals[sig] == ACCESS_TILE && !p->shader))
		return v3dcl_refuse_here(p, V3DCL_RULE_CODE_SIGNAL, sig, 0);
	if (signals[sig] == ACCESS_TILE)
		p->uses_of_shader |= V3DCL_SHADER_TILE;
	if (sig == V3D_QPU_SIG_LOAD_COLOR && p->s->sfu_left)
		return v3dcl_refuse_here(p, V3DCL_RULE_SFU_SOON, p->s->sfu_left, 0);
	/* What this instruction asks for itself is not there yet. */
	if (loads && !p->s->tmu[sig - V3D_QPU_SIG_LOAD_TMU0] && !p->unreachable)
		return v3dcl_refuse_here(p, V3DCL_RULE_TMU_EMPTY, sig - V3D_QPU_SIG_LOAD_TMU0, 1);
	p->peripherals += loads;
	p->tile_buffer |= sig == V3D_QPU_SIG_LOAD_COLOR;
	if (sig == V3D_QPU_SIG_THREAD_SWITCH || sig == V3D_QPU_SIG_LAST_THREAD_SWITCH)
		return switch_thread(p, sig);
	return sig != V3D_QPU_SIG_PROGRAM_END || end_program(p);
}

static bool check_semaphores(struct v3dcl_verifier *p)
{
	__u32 i;

	if (p->unreachable)
		return true;
	for (i = 0; i < V3D_QPU_SEMAPHORES; i++) {
		if (p->ended && p->semaphores[i] != p->s->semaphores[i])
			return v3dcl_refuse_here(p, V3DCL_RULE_SEMAPHORE_PATHS,
						 (__u64)p->s->semaphores[i],
						 (__u64)p->semaphores[i]);
		p->semaphores[i] = p->s->semaphores[i];
	}
	p->ended = true;
	return true;
}

/*
 * How many varyings a fragment shader reads is one number: that of its primitives, as each draw is
 * asked.
 */
static bool check_varyings(struct v3dcl_verifier *p)
{
	if (p->unreachable)
		return true;
	if (p->ended && p->varyings != p->s->varyings)
		return v3dcl_refuse_at(p, p->end_at, V3DCL_RULE_VARYING_PATHS, p->s->varyings,
				       p->varyings);
	p->varyings = p->s->varyings;
	p->ended = true;
	return true;
}

/**
 * v3dcl_check_end() - the program is over: what it must not leave behind
 * @p: after its last delay slot
 */
bool v3dcl_check_end(struct v3dcl_verifier *p)
{
	const struct v3dcl_state *s = p->s;

	if (p->lookups[0].count || p->lookups[1].count)
		return v3dcl_refuse_at(p, p->end_at, V3DCL_RULE_TMU_OPEN,
				       p->lookups[0].count + p->lookups[1].count, 0);
	if (s->tmu[0] || s->tmu[1])
		return v3dcl_refuse_at(p, p->end_at, V3DCL_RULE_TMU_UNREAD, s->tmu[0] + s->tmu[1],
				       0);
	if (p->shader)
		return check_varyings(p);
	if (s->vpm_left)
		return v3dcl_refuse_at(p, p->end_at, V3DCL_RULE_VPM_UNREAD, s->vpm_left, 0);
	if (s->mutex)
		return v3dcl_refuse_at(p, p->end_at, V3DCL_RULE_MUTEX_HELD, 1, 0);
	if (s->load_pending || s->store_pending)
		return v3dcl_refuse_at(p, p->end_at, V3DCL_RULE_DMA_PENDING, s->store_pending, 0);
	return check_semaphores(p);
}
