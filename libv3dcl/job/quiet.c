// SPDX-License-Identifier: (GPL-2.0-only OR MIT)
/*
 * Quiet instructions, which most are: they compute what the domain knows nothing of from what is the program's own, and break no
 * rule that needs a look at values. What holds after them is a few bits.
 *
 * It is only a shorter way: what v3dcl_step() makes of such an instruction is the same, and whatever is in doubt is left to it.
 */
#include "prove.h"

/* One field of a word at a time: most instructions do not need all of them. */
#define FIELD(field, low, bits) \
	static inline __u32 get_##field(__u64 word) \
	{ \
		return word >> (low) & ((1u << (bits)) - 1); \
	}
V3D_QPU_WRITE_FIELDS(FIELD)
V3D_QPU_ALU_FIELDS(FIELD)
V3D_QPU_READ_FIELDS(FIELD)

#define QUIET_SIGNALS \
	(1u << V3D_QPU_SIG_NONE | 1u << V3D_QPU_SIG_SMALL_IMMEDIATE | 1u << V3D_QPU_SIG_LOAD_TMU0 | 1u << V3D_QPU_SIG_LOAD_TMU1)

#define TWO(value, name, operands, text) | ((operands) > 1 ? 1u << (value) : 0)
#define ADD_TWO (0u V3D_QPU_ADD_OPS(TWO))

#define MUX_A (1u << V3D_QPU_A)
#define MUX_B (1u << V3D_QPU_B)

/* Addresses as bits: registers from bit 0 on, the space beyond them from bit 32 on */
#define SLOT(address) ((__u64)1 << (address))
#define READS(name) SLOT(V3D_QPU_R_##name)
#define WRITES(name) SLOT(V3D_QPU_W_##name)

#define REGISTERS 0xffffffff
#define UPPER_REGISTERS 0xffff0000ffff0000
#define ACCUMULATORS (WRITES(ACC0) | WRITES(ACC1) | WRITES(ACC2) | WRITES(ACC3) | WRITES(ACC5))
#define TILE_WRITES \
	(WRITES(QUAD_XY) | WRITES(MS_REV_FLAGS) | WRITES(TLB_STENCIL_SETUP) | WRITES(TLB_Z) | WRITES(TLB_COLOUR_MS) | \
	 WRITES(TLB_COLOUR_ALL))

/* What may be read and written without a further look, beyond the registers: part of the tables of space.c */
#define SHADER_READS (READS(VARYING) | READS(ELEMENT_QPU_NUMBER) | READS(PIXEL_COORD) | READS(MS_REV_FLAGS) | READS(VPM_READ))
#define PROGRAM_READS READS(ELEMENT_QPU_NUMBER)
#define SHADER_WRITES (TILE_WRITES | WRITES(VPM_WRITE))
#define PROGRAM_WRITES 0

/* Something is known of what these give */
#define KNOWN_READS (READS(UNIFORM) | READS(ELEMENT_QPU_NUMBER))

/* What an operation of this kind makes of anything unknown is unknown. */
#define ABSORBED (V3DCL_ADD_OP(ADD) | V3DCL_ADD_OP(SUB) | V3DCL_ADD_OP(OR) | V3DCL_ADD_OP(SHL))
#define FOLLOWED_MULS (1u << V3D_QPU_MUL_MUL24 | 1u << V3D_QPU_MUL_V8MIN)

/* Results that are the immediate */
#define ADD_CONSTANT 1
#define MUL_CONSTANT 2
#define NOT_QUIET 4

#define EXISTS(value, name, operands, text) | 1u << (value)
#define QUIET_ADDS ((0u V3D_QPU_ADD_OPS(EXISTS)) & ~V3DCL_ADD_OP(CLZ))

static inline bool is_immediate(__u64 word)
{
	return word >> 60 == V3D_QPU_SIG_SMALL_IMMEDIATE;
}

static inline __u32 add_operands(__u64 word)
{
	__u32 op = get_op_add(word);

	return (op != 0) << get_add_a(word) | (ADD_TWO >> op & 1) << get_add_b(word);
}

static inline __u32 mul_operands(__u64 word)
{
	__u32 some = get_op_mul(word) != 0;

	return some << get_mul_a(word) | some << get_mul_b(word);
}

static inline bool is_copy(__u32 operands)
{
	return !(operands & (operands - 1));
}

/* A copy of something known. A shader's word is not followed any further. */
static __u32 copied(const struct v3dcl_prover *p, __u64 word, __u32 operand, __u32 constant)
{
	__u32 raddr = operand == MUX_A ? get_raddr_a(word) : operand == MUX_B ? get_raddr_b(word) : (__u32)V3D_QPU_R_NOP;
	bool immediate = operand == MUX_B && is_immediate(word);

	if (p->shader && raddr == V3D_QPU_R_UNIFORM && !immediate)
		return 0;
	return immediate ? constant : NOT_QUIET;
}

/* Of operations that the domain follows: is nothing known of the results? */
static __u32 results(const struct v3dcl_prover *p, __u64 word, __u64 a, __u64 b)
{
	const struct v3dcl_state *s = p->s;
	__u32 add = get_op_add(word), mul = get_op_mul(word), adds = add_operands(word), muls = mul_operands(word), constants = 0;
	__u32 known = s->held.rest | (a & ((s->held.files & REGISTERS) | KNOWN_READS) ? MUX_A : 0) |
		      (b & (s->held.files >> 32 | KNOWN_READS) || is_immediate(word) ? MUX_B : 0);

	if (adds & known && V3DCL_FOLLOWED_ADDS >> add & 1) {
		if (add == V3D_QPU_ADD_OR && is_copy(adds))
			constants |= copied(p, word, adds, ADD_CONSTANT);
		else if (!(ABSORBED >> add & 1 && adds & ~known))
			return NOT_QUIET;
	}
	if (!(muls & known) || !(FOLLOWED_MULS >> mul & 1))
		return constants;
	if (mul == V3D_QPU_MUL_V8MIN)
		return is_copy(muls) ? constants | copied(p, word, muls, MUL_CONSTANT) : constants;
	return muls & ~known ? constants : NOT_QUIET;
}

/* Results go to places of which nothing is kept. */
static inline void replace(struct v3dcl_state *s, __u64 files, __u32 rest)
{
	s->late.files = files;
	s->late.rest = rest;
	s->late_bad = files & ~s->written.files;
	s->written.files |= files;
	s->partly.files &= ~files;
	s->held.files &= ~files;
	s->written.rest |= rest;
	s->partly.rest &= ~rest;
	s->held.rest &= ~rest;
}

/**
 * struct fates - what becomes of the results of both halves, where conditions, packs or constants play a part
 * @target: places that get a result
 * @merged: likewise, but something of what was there stays, of which nothing is known
 * @constant: of @target, those that get the immediate
 * @bytes: of @merged, the one of which @written says what is written now; or V3DCL_NOWHERE
 * @written: see struct v3dcl_number
 */
struct fates {
	struct v3dcl_places target, merged, constant;
	__u32 bytes;
	__u8 written;
};

/* A half that does something */
struct half {
	__u32 place, condition;
	__u8 bytes;
	bool constant;
};

/* A result that leaves something of what was there; false: not quiet. What is unknown stays so. */
static bool merge(const struct v3dcl_state *s, struct fates *f, const struct half *h)
{
	bool held = v3dcl_is_in(&s->held, h->place);

	if (v3dcl_is_in(&s->written, h->place)) {
		v3dcl_put_in(&f->target, h->place, true);
		return !h->constant || !held;
	}
	v3dcl_put_in(&f->merged, h->place, true);
	if (h->bytes == V3DCL_ALL_BYTES)
		return !held;
	f->bytes = h->place;
	f->written = v3dcl_value(s, h->place)->written | h->bytes << 4 | (h->condition == V3D_QPU_COND_ALWAYS ? h->bytes : 0);
	return !h->constant;
}

static bool meet(const struct v3dcl_state *s, struct fates *f, const struct half *h)
{
	if (h->condition == V3D_QPU_COND_NEVER || (h->condition != V3D_QPU_COND_ALWAYS && !(s->flags & V3DCL_ALL_BYTES)))
		return false;
	if (h->place == V3DCL_NOWHERE)
		return true;
	if (h->bytes != V3DCL_ALL_BYTES || h->condition != V3D_QPU_COND_ALWAYS)
		return merge(s, f, h);
	v3dcl_put_in(&f->target, h->place, true);
	if (h->constant)
		v3dcl_put_in(&f->constant, h->place, true);
	return true;
}

static __u32 place_of(__u32 waddr, bool in_b)
{
	if (waddr < 32)
		return waddr + (in_b ? V3DCL_FILE_B : V3DCL_FILE_A);
	return SLOT(waddr) & ACCUMULATORS ? V3DCL_ACC + waddr - V3D_QPU_W_ACC0 : (__u32)V3DCL_NOWHERE;
}

/* What a pack leaves of a constant is nothing that is known. */
static struct half half(__u64 word, bool mul, __u32 constants)
{
	__u32 waddr = mul ? get_waddr_mul(word) : get_waddr_add(word), pack = get_pack(word), pm = get_pm(word);
	bool in_b = mul != get_ws(word), packs = pack && (pm ? mul : !in_b);

	return (struct half){
		.place = place_of(waddr, in_b),
		.condition = mul ? get_cond_mul(word) : get_cond_add(word),
		.bytes = packs && (pm || waddr < 32) ? v3dcl_packed_bytes[pack & 7] : V3DCL_ALL_BYTES,
		.constant = constants & (mul ? MUL_CONSTANT : ADD_CONSTANT) && !packs,
	};
}

static void store_constants(struct v3dcl_state *s, const struct v3dcl_places *to, __u64 word)
{
	const struct v3dcl_number n = v3dcl_constant(is_immediate(word) ? v3d_qpu_small_immediate(get_raddr_b(word)) : (__u32)word);
	__u64 files = to->files;
	__u32 rest = to->rest;

	s->held.files |= files;
	s->held.rest |= rest;
	for (; files; files &= files - 1)
		s->value[v3dcl_lowest(files)] = n;
	for (; rest; rest &= rest - 1)
		s->value[V3DCL_ACC + __builtin_ctz(rest)] = n;
}

static void store_bytes(struct v3dcl_state *s, const struct fates *f)
{
	struct v3dcl_number n = v3dcl_unknown();

	n.written = f->written;
	v3dcl_set_value(s, f->bytes, &n);
}

/* False: not quiet, and nothing has changed */
static bool store_fates(struct v3dcl_state *s, __u64 word, bool has_add, bool has_mul, __u32 constants)
{
	const struct half add = half(word, false, constants), mul = half(word, true, constants);
	struct fates f = { .bytes = V3DCL_NOWHERE };

	if (get_pm(word) && get_pack(word) && (get_pack(word) < 3 || get_pack(word) > 7))
		return false;
	if ((has_add && !meet(s, &f, &add)) || (has_mul && !meet(s, &f, &mul)))
		return false;
	replace(s, f.target.files, f.target.rest);
	s->late.files |= f.merged.files;
	s->late.rest |= f.merged.rest;
	s->late_bad |= f.merged.files;
	s->partly.files |= f.merged.files;
	s->partly.rest |= f.merged.rest;
	if (f.bytes != V3DCL_NOWHERE)
		store_bytes(s, &f);
	store_constants(s, &f.constant, word);
	return true;
}

static inline void set_flags(struct v3dcl_state *s, __u32 condition)
{
	if (condition != V3D_QPU_COND_NEVER)
		s->flags |= condition == V3D_QPU_COND_ALWAYS ? V3DCL_WRITTEN : V3DCL_PARTLY;
}

/* May the results go where they go? What is idle names nothing. */
static inline bool good_targets(const struct v3dcl_state *s, __u64 word, bool has_add, bool has_mul, __u64 spaces)
{
	__u64 add = SLOT(get_waddr_add(word)), mul = SLOT(get_waddr_mul(word));
	__u64 good = REGISTERS | ACCUMULATORS | WRITES(NOP) | spaces;
	__u64 in_a = get_ws(word) ? mul : add, in_b = get_ws(word) ? add : mul;

	return !((add & ~(has_add ? good : WRITES(NOP))) | (mul & ~(has_mul ? good : WRITES(NOP))) | (add & mul & ACCUMULATORS) |
		 (((in_a & REGISTERS) | in_b << 32) & s->payload));
}

static inline __u64 files_of(__u64 word)
{
	__u64 add = SLOT(get_waddr_add(word)), mul = SLOT(get_waddr_mul(word));

	return get_ws(word) ? (mul & REGISTERS) | add << 32 : (add & REGISTERS) | mul << 32;
}

/* A load of 32 bits: the unpack field says so */
static bool load(struct v3dcl_prover *p, __u64 word)
{
	bool has_add = get_cond_add(word) != V3D_QPU_COND_NEVER, has_mul = get_cond_mul(word) != V3D_QPU_COND_NEVER;

	if (v3d_qpu_kind(V3D_QPU_SIG_LOAD_IMMEDIATE, get_unpack(word)) != V3D_QPU_LOAD_32 ||
	    !good_targets(p->s, word, has_add, has_mul, 0) ||
	    !store_fates(p->s, word, has_add, has_mul, ADD_CONSTANT | MUL_CONSTANT))
		return false;
	p->touched |= files_of(word);
	if (get_sf(word))
		set_flags(p->s, get_cond_add(word));
	return true;
}

static void load_result(struct v3dcl_state *s, __u32 tmu)
{
	s->tmu[tmu]--;
	v3dcl_set_plain(s, V3DCL_ACC + V3D_QPU_R4);
}

/* Is all computed without a condition, and kept whole? */
static inline bool is_plain(__u64 word, __u32 add, __u32 mul)
{
	return !(get_pack(word) | (add && get_cond_add(word) != V3D_QPU_COND_ALWAYS) |
		 (mul && get_cond_mul(word) != V3D_QPU_COND_ALWAYS));
}

/*
 * With as few branches as can be, since there is no telling which way they go. What is only partly written, in a shader, is left to
 * the long way.
 */
static inline bool quiet(struct v3dcl_prover *p, __u64 word, bool shader)
{
	struct v3dcl_state *s = p->s;
	__u64 a = SLOT(get_raddr_a(word)), b = is_immediate(word) ? 0 : SLOT(get_raddr_b(word));
	__u64 spaces = shader ? SHADER_READS : PROGRAM_READS, results_in;
	__u32 add = get_op_add(word), mul = get_op_mul(word), reads = add_operands(word) | mul_operands(word), constants = 0;
	__u32 fetched, signal = word >> 60, tmu = signal - V3D_QPU_SIG_LOAD_TMU0;
	__u64 taken_a = reads & MUX_A ? a : 0, taken_b = reads & MUX_B ? b : 0, taken = taken_a | taken_b;
	__u64 registers = (taken_a & REGISTERS) | taken_b << 32;

	fetched = taken >> V3D_QPU_R_UNIFORM & 1;
	if ((registers & (~s->written.files | s->late.files | s->payload)) | (reads & (MUX_A - 1) & ~s->written.rest) |
	    (taken & ~(REGISTERS | READS(UNIFORM) | spaces)) | ((a | b) & ~taken & ~(REGISTERS | READS(NOP) | spaces)) |
	    (fetched & (s->cursor == p->words && p->record ? 0 : 1)) | (~QUIET_SIGNALS >> signal & 1) | (~QUIET_ADDS >> add & 1))
		return false;
	if (!good_targets(s, word, add, mul, shader ? SHADER_WRITES : PROGRAM_WRITES) || (tmu < 2 && !s->tmu[tmu]) ||
	    (is_immediate(word) && get_raddr_b(word) >= V3D_QPU_ROTATE))
		return false;
	if (V3DCL_FOLLOWED_ADDS >> add & 1 || FOLLOWED_MULS >> mul & 1)
		constants = results(p, word, taken_a, taken_b);
	if (constants & NOT_QUIET)
		return false;
	results_in = SLOT(get_waddr_add(word)) | SLOT(get_waddr_mul(word));
	if (!constants && is_plain(word, add, mul))
		replace(s, files_of(word), (results_in & ACCUMULATORS) >> V3D_QPU_W_ACC0);
	else if (!store_fates(s, word, add, mul, constants))
		return false;
	s->cursor += fetched;
	p->words += fetched;
	p->seen |= a | b;
	p->sent |= results_in;
	p->touched |= registers | files_of(word);
	/* The coefficient C goes to r5: AG100 p. 51 */
	if ((a | b) & READS(VARYING))
		v3dcl_set_plain(s, V3DCL_ACC + V3D_QPU_R5);
	if (get_sf(word))
		set_flags(s, add ? get_cond_add(word) : get_cond_mul(word));
	if (tmu < 2)
		load_result(s, tmu);
	return true;
}

/**
 * v3dcl_quiet() - do what v3dcl_step() does, if it is quickly done
 * @p: what holds before the instruction; not before @p->quiet_from
 * @word: the instruction
 * Return: false when it is left to v3dcl_step(), and nothing has changed
 */
bool v3dcl_quiet(struct v3dcl_prover *p, __u64 word)
{
	if (word >> 60 == V3D_QPU_SIG_LOAD_IMMEDIATE)
		return load(p, word);
	return p->shader ? quiet(p, word, true) : quiet(p, word, false);
}

/* What the quiet instructions used, all together */
void v3dcl_quiet_uses(struct v3dcl_prover *p)
{
	p->upper |= (p->touched & UPPER_REGISTERS) != 0;
	p->uses_of_shader |= (p->seen & READS(VARYING) || p->sent & TILE_WRITES ? V3DCL_SHADER_TILE : 0) |
			     (p->seen & READS(VPM_READ) || p->sent & WRITES(VPM_WRITE) ? V3DCL_SHADER_VPM : 0);
}

/**
 * v3dcl_is_idle() - does an instruction do nothing but give its signal?
 * @word: the instruction, neither a branch nor a load
 */
bool v3dcl_is_idle(__u64 word)
{
	return !(get_op_add(word) | get_op_mul(word) | get_sf(word)) && get_waddr_add(word) == V3D_QPU_W_NOP &&
	       get_waddr_mul(word) == V3D_QPU_W_NOP && get_raddr_a(word) == V3D_QPU_R_NOP && get_raddr_b(word) == V3D_QPU_R_NOP;
}
