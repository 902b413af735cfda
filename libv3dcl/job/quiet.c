// SPDX-License-Identifier: (GPL-2.0-only OR MIT)
/*
 * Quiet instructions, which most are: they compute what nothing need be known of from what is the program's own, and break no rule
 * that needs a look at values. What holds after them is a few bits.
 *
 * It is only a shorter way: what v3dcl_step() makes of such an instruction is the same, and whatever is in doubt is left to it.
 * There is no telling which way a branch goes here, so there are few: tables say what each field stands for, and one look at all
 * that they say is enough for most instructions.
 */
#include "fields.h"
#include "prove.h"

/* Whose address: that of the result of an ALU, or of a port that is read */
enum { OF_ADD, OF_MUL, OF_A, OF_B };

/* What addresses and signals stand for, first for each of these whether a quiet instruction may have it there, doing something */
#define ACTIVE(of) (1u << 2 * (of))
#define IDLE(of) (2u << 2 * (of))
#define TILE 0x100
#define VPM 0x200
#define SHADERS 0x400		/* theirs */
#define FORBIDDEN 0x800
#define EXISTS FORBIDDEN	/* which operations need, and nothing has: then it is still missing when all else is there */
#define UNIFORM 0x1000
#define UNIT 0x2000		/* of which an instruction may access one */
#define SFU 0x4000
#define LOADS 0x8000
#define ACCUMULATOR(n) (0x10000u << (n))
#define GIVES(n) (0x1000000u << (n))	/* what a unit puts into an accumulator */
#define SIX 0x3f		/* accumulators */

/* Where fields are in the upper half of a word */
#define PLACE(field, low, bits) AT_##field = (low) - 32,
enum { V3D_QPU_WRITE_FIELDS(PLACE) V3D_QPU_ALU_FIELDS(PLACE) AT_end };
#define CONDITION(half, condition) ((condition) << AT_cond_##half)
#define ALWAYS (CONDITION(add, V3D_QPU_COND_ALWAYS) | CONDITION(mul, V3D_QPU_COND_ALWAYS))
#define PACK (15u << AT_pack)
#define SET_FLAGS (1u << AT_sf)

/*
 * By operation: what it needs of the address of its result, where its operands are in the table of pairs, and fields that say what
 * becomes of the result. Flags are the add ALU's matter, if it does something.
 */
#define ADD_NEEDS(value, name, operands, text) [value] = EXISTS | ((value) ? ACTIVE(OF_ADD) : IDLE(OF_ADD)),
#define MUL_NEEDS(value, name, operands, text) [value] = (value) ? ACTIVE(OF_MUL) : IDLE(OF_MUL),
#define OPERANDS(value, name, operands, text) [value] = 64 * (operands),
#define ADD_USUAL(value, name, operands, text) [value] = PACK | ((value) ? CONDITION(add, 7u) : SET_FLAGS),
#define MUL_USUAL(value, name, operands, text) [value] = (value) ? CONDITION(mul, 7u) : 0,

/* The operands of an operation with none, one or two, which stand next to each other in a word: a bit a mux */
#define ONE(a, b) 1u << (a)
#define TWO(a, b) 1u << (a) | 1u << (b)
#define EIGHT(pair, a) pair(a, 0), pair(a, 1), pair(a, 2), pair(a, 3), pair(a, 4), pair(a, 5), pair(a, 6), pair(a, 7)
#define PAIRS(pair) \
	EIGHT(pair, 0), EIGHT(pair, 1), EIGHT(pair, 2), EIGHT(pair, 3), EIGHT(pair, 4), EIGHT(pair, 5), EIGHT(pair, 6), \
		EIGHT(pair, 7)

/* The registers of a file from index @from on, in this file; what they stand for */
#define FOUR(M, from, n, x) M(from, n, x), M(from, n + 1, x), M(from, n + 2, x), M(from, n + 3, x)
#define FILE(M, from, x) \
	FOUR(M, from, 0, x), FOUR(M, from, 4, x), FOUR(M, from, 8, x), FOUR(M, from, 12, x), FOUR(M, from, 16, x), \
	FOUR(M, from, 20, x), FOUR(M, from, 24, x), FOUR(M, from, 28, x)
#define BIT_OF(from, n, first) [(from) + (n)] = SLOT((first) + (n))
#define STANDS_FOR(from, n, traits) [(from) + (n)] = traits

/* Addresses of results from index @from on. Beyond the files these are part of the tables of space.c. */
#define TO(from, name, traits) [(from) + V3D_QPU_W_##name] = traits
#define TARGETS(of, from) \
	FILE(STANDS_FOR, from, ACTIVE(of)), TO(from, NOP, ACTIVE(of) | IDLE(of)), TO(from, ACC0, ACTIVE(of) | ACCUMULATOR(0)), \
	TO(from, ACC1, ACTIVE(of) | ACCUMULATOR(1)), TO(from, ACC2, ACTIVE(of) | ACCUMULATOR(2)), \
	TO(from, ACC3, ACTIVE(of) | ACCUMULATOR(3)), TO(from, ACC5, ACTIVE(of) | ACCUMULATOR(5)), \
	TO(from, QUAD_XY, ACTIVE(of) | UNIT | TILE), TO(from, MS_REV_FLAGS, ACTIVE(of) | UNIT | TILE), \
	TO(from, TLB_STENCIL_SETUP, ACTIVE(of) | UNIT | TILE), TO(from, TLB_Z, ACTIVE(of) | UNIT | TILE), \
	TO(from, TLB_COLOUR_MS, ACTIVE(of) | UNIT | TILE), TO(from, TLB_COLOUR_ALL, ACTIVE(of) | UNIT | TILE), \
	TO(from, VPM_WRITE, ACTIVE(of) | UNIT | VPM), TO(from, VPM_SETUP, ACTIVE(of) | UNIT | VPM), \
	TO(from, SFU_RECIP, ACTIVE(of) | UNIT | SFU | GIVES(4)), TO(from, SFU_RECIPSQRT, ACTIVE(of) | UNIT | SFU | GIVES(4)), \
	TO(from, SFU_EXP, ACTIVE(of) | UNIT | SFU | GIVES(4)), TO(from, SFU_LOG, ACTIVE(of) | UNIT | SFU | GIVES(4))

/* Addresses that are read. The coefficient C of a varying goes to r5: AG100 p. 51 */
#define FROM(name, traits) [V3D_QPU_R_##name] = traits
#define SOURCES(of) \
	FILE(STANDS_FOR, 0, ACTIVE(of) | IDLE(of)), FROM(UNIFORM, ACTIVE(of) | UNIFORM), FROM(NOP, IDLE(of)), \
	FROM(VARYING, ACTIVE(of) | TILE | GIVES(5)), FROM(ELEMENT_QPU_NUMBER, ACTIVE(of) | IDLE(of)), \
	FROM(PIXEL_COORD, ACTIVE(of) | IDLE(of) | SHADERS), FROM(MS_REV_FLAGS, ACTIVE(of) | IDLE(of) | SHADERS), \
	FROM(VPM_READ, ACTIVE(of) | IDLE(of) | VPM)

/*
 * All in one place. What is taken is indexed by which ports are: A, B, both. Addresses of results are indexed by the field and,
 * above it, WS; those of port B by the field and, above it, whether it is a small immediate (not a rotation).
 */
static const struct {
	__u32 add_needs[32], mul_needs[8], add_pairs[32], mul_pairs[8], add_usual[32], mul_usual[8];
	__u32 pairs[3 * 64], takes_needs[4];
	__u64 takes_files[4];
	__u64 add_files[128], mul_files[128], a_files[64], b_files[128];
	__u32 to_add[128], to_mul[128], from_a[64], from_b[128], signals[16];
} table = {
	.add_needs = { V3D_QPU_ADD_OPS(ADD_NEEDS) },
	.mul_needs = { V3D_QPU_MUL_OPS(MUL_NEEDS) },
	.add_pairs = { V3D_QPU_ADD_OPS(OPERANDS) },
	.mul_pairs = { V3D_QPU_MUL_OPS(OPERANDS) },
	.add_usual = { V3D_QPU_ADD_OPS(ADD_USUAL) },
	.mul_usual = { V3D_QPU_MUL_OPS(MUL_USUAL) },
	.pairs = { [64] = PAIRS(ONE), PAIRS(TWO) },
	.takes_needs = {
		IDLE(OF_A) | IDLE(OF_B), ACTIVE(OF_A) | IDLE(OF_B), IDLE(OF_A) | ACTIVE(OF_B), ACTIVE(OF_A) | ACTIVE(OF_B),
	},
	.takes_files = { 0, REGISTERS, ~(__u64)REGISTERS, ~(__u64)0 },
	.add_files = { FILE(BIT_OF, 0, V3DCL_FILE_A), FILE(BIT_OF, 64, V3DCL_FILE_B) },
	.mul_files = { FILE(BIT_OF, 0, V3DCL_FILE_B), FILE(BIT_OF, 64, V3DCL_FILE_A) },
	.a_files = { FILE(BIT_OF, 0, V3DCL_FILE_A) },
	.b_files = { FILE(BIT_OF, 0, V3DCL_FILE_B) },
	.to_add = { TARGETS(OF_ADD, 0), TARGETS(OF_ADD, 64) },
	.to_mul = { TARGETS(OF_MUL, 0), TARGETS(OF_MUL, 64) },
	.from_a = { SOURCES(OF_A) },
	.from_b = { SOURCES(OF_B), [64 ... 64 + V3D_QPU_ROTATE - 1] = ACTIVE(OF_B) | IDLE(OF_B) },
	.signals = {
		[0 ... V3D_QPU_SIG_BREAK] = FORBIDDEN, [V3D_QPU_SIG_THREAD_SWITCH ... V3D_QPU_SIG_PROGRAM_END] = FORBIDDEN,
		[V3D_QPU_SIG_WAIT_SCOREBOARD ... V3D_QPU_SIG_UNLOCK_SCOREBOARD] = TILE,
		[V3D_QPU_SIG_LAST_THREAD_SWITCH ... V3D_QPU_SIG_LOAD_COLOR_END] = FORBIDDEN,
		[V3D_QPU_SIG_LOAD_TMU0 ... V3D_QPU_SIG_LOAD_TMU1] = LOADS | GIVES(4), [V3D_QPU_SIG_LOAD_ALPHA_MASK] = FORBIDDEN,
		[V3D_QPU_SIG_LOAD_IMMEDIATE ... V3D_QPU_SIG_BRANCH] = FORBIDDEN,
	},
};

/* WS stands above the address of the add result. */
static inline __u32 add_target(__u64 word)
{
	return word >> (32 + AT_waddr_add) & 127;
}

static inline __u32 mul_target(__u64 word)
{
	return get_waddr_mul(word) | get_ws(word) << 6;
}

/* What a fragment comes with: whoever writes over it is left alone. */
static bool only_read(struct v3dcl_prover *p, __u64 files)
{
	p->traits |= files & p->s->payload ? 0 : TILE;
	return !(files & p->s->payload);
}

/* Is what is not written, or not by when it is read, a shader's leftovers? */
static bool in_part(struct v3dcl_prover *p, __u64 files, __u64 rest)
{
	if (!p->shader || files & ~(p->s->partly.files | p->s->written.files) || rest & ~p->s->partly.rest)
		return false;
	p->uses_of_shader |= V3DCL_SHADER_LEFTOVERS;
	return true;
}

/* Are the units free for what they are given, and do they have what is taken? Two at a time are left alone. */
static bool good_units(const struct v3dcl_state *s, __u32 all, bool two, __u32 reads, __u32 tmu)
{
	if (s->sfu_left && (all & (SFU | LOADS) || reads & 1u << V3D_QPU_R4))
		return false;
	return all & SFU ? !two && !(all & LOADS) : !(all & LOADS) || s->tmu[tmu];
}

static void use_units(struct v3dcl_state *s, __u32 all, __u32 tmu)
{
	s->sfu_left = all & SFU ? 2 : s->sfu_left - (s->sfu_left != 0);
	if (all & LOADS)
		s->tmu[tmu]--;
}

/* Where the results go to, for each half */
struct places {
	__u64 add_files, mul_files;
	__u32 to_add, to_mul;
};

static inline struct v3dcl_places places_of(const struct places *to, bool add, bool mul)
{
	return (struct v3dcl_places){
		(add ? to->add_files : 0) | (mul ? to->mul_files : 0),
		((add ? to->to_add : 0) | (mul ? to->to_mul : 0)) / ACCUMULATOR(0) & SIX,
	};
}

/*
 * Results under conditions, or packed: AG100 Table 7 is for what goes to file A, Table 9 for the mul ALU. False: what is or gets
 * written of a place in part, by bytes, is left alone.
 */
static bool store_part(struct v3dcl_state *s, __u64 word, const struct places *to)
{
	const struct v3dcl_places all = places_of(to, true, true), mul = places_of(to, false, true);
	const struct v3dcl_places always = places_of(to, get_cond_add(word) == V3D_QPU_COND_ALWAYS,
						     get_cond_mul(word) == V3D_QPU_COND_ALWAYS);
	__u64 files = 0, rest = 0;

	if (get_pack(word)) {
		files = get_pm(word) ? mul.files : all.files & REGISTERS;
		rest = get_pm(word) ? mul.rest : 0;
	}
	if (((files | (all.files & s->held.files)) & ~s->written.files) | ((rest | (all.rest & s->held.rest)) & ~s->written.rest))
		return false;
	s->late = all;
	s->late_bad = all.files & ~s->written.files;
	s->written.files |= always.files;
	s->written.rest |= always.rest;
	s->partly.files |= all.files;
	s->partly.rest |= all.rest;
	s->held.files &= ~all.files;
	s->held.rest &= ~all.rest;
	return true;
}

/* Does each operation happen, perhaps, and are there the flags to tell? What only some path or element has set is a shader's. */
static bool may_happen(struct v3dcl_prover *p, __u64 word, bool has_add, bool has_mul)
{
	__u32 add = has_add ? get_cond_add(word) : V3D_QPU_COND_ALWAYS, mul = has_mul ? get_cond_mul(word) : V3D_QPU_COND_ALWAYS;

	if (add == V3D_QPU_COND_NEVER || mul == V3D_QPU_COND_NEVER)
		return false;
	if ((add == V3D_QPU_COND_ALWAYS && mul == V3D_QPU_COND_ALWAYS) || p->s->flags & V3DCL_ALL_BYTES)
		return true;
	if (!p->shader || !p->s->flags)
		return false;
	p->uses_of_shader |= V3DCL_SHADER_LEFTOVERS;
	return true;
}

static void set_flags(struct v3dcl_state *s, __u32 condition)
{
	if (condition != V3D_QPU_COND_NEVER)
		s->flags |= condition == V3D_QPU_COND_ALWAYS ? V3DCL_WRITTEN : V3DCL_PARTLY;
}

/* Packs of the mul ALU that there are not */
static bool packs_badly(__u64 word)
{
	return get_pm(word) && get_pack(word) && (get_pack(word) < 3 || get_pack(word) > 7);
}

/* Results that are not stored in the usual way: under conditions, packed, or worth a look at their values; and the flags */
static bool store_unusual(struct v3dcl_prover *p, __u64 word, const struct places *to)
{
	bool followed = p->follows && v3dcl_is_followed(p);

	if (packs_badly(word) || ((followed || !store_part(p->s, word, to)) && !v3dcl_store_values(p, word)))
		return false;
	if (get_sf(word))
		set_flags(p->s, get_op_add(word) ? get_cond_add(word) : get_cond_mul(word));
	return true;
}

static inline void give(struct v3dcl_state *s, __u32 given)
{
	s->written.rest |= given;
	s->held.rest &= ~(__u64)given;
}

/* Results of which nothing is known, in the usual way, and what units give */
static inline void store(struct v3dcl_state *s, __u64 files, __u32 rest, __u32 given)
{
	s->late.files = files;
	s->late.rest = rest;
	s->late_bad = files & ~s->written.files;
	s->written.files |= files;
	s->held.files &= ~files;
	give(s, rest | given);
}

/* The instruction's fields, then what they stand for all together; @bad: traits that nothing may have */
static __always_inline bool quiet(struct v3dcl_prover *p, struct v3dcl_state *s, __u64 word, __u32 bad)
{
	const __u32 add = get_op_add(word), mul = get_op_mul(word), at_add = add_target(word), at_mul = mul_target(word);
	const __u32 reads = table.pairs[table.add_pairs[add] + (word >> 6 & 63)] | table.pairs[table.mul_pairs[mul] + (word & 63)];
	const __u32 a = get_raddr_a(word), b = get_raddr_b(word) + 64 * is_immediate(word), ports = reads / MUX_A;
	const __u32 to_add = table.to_add[at_add], to_mul = table.to_mul[at_mul], both = to_add & to_mul, signal = word >> 60;
	const __u32 all = to_add | to_mul | table.from_a[a] | table.from_b[b] | table.signals[signal];
	const __u32 needs = table.add_needs[add] | table.mul_needs[mul] | table.takes_needs[ports];
	const __u32 unusual = (word >> 32 ^ ALWAYS) & (table.add_usual[add] | table.mul_usual[mul]);
	const __u32 units = (all & (SFU | LOADS)) | s->sfu_left;
	const __u64 files = table.add_files[at_add] | table.mul_files[at_mul];
	const __u64 read = (table.a_files[a] | table.b_files[b]) & table.takes_files[ports];
	const __u64 unwritten = read & (~s->written.files | s->late_bad), lost = reads & SIX & ~s->written.rest;

	if (((needs & ~all) ^ EXISTS) | (all & bad) | (both & SIX * ACCUMULATOR(0)))
		return false;
	if ((unusual && !may_happen(p, word, add, mul)) || ((files | read) & s->payload && !only_read(p, files)) ||
	    (units && !good_units(s, all, both & UNIT, reads, signal - V3D_QPU_SIG_LOAD_TMU0)) ||
	    ((unwritten | lost) && !in_part(p, unwritten, lost)))
		return false;
	if (!unusual && !(p->follows && v3dcl_is_followed(p))) {
		store(s, files, all / ACCUMULATOR(0) & SIX, all / GIVES(0));
		s->flags |= word >> 32 & SET_FLAGS ? V3DCL_WRITTEN : 0;
	} else {
		if (!store_unusual(p, word, &(struct places){ table.add_files[at_add], table.mul_files[at_mul], to_add, to_mul }))
			return false;
		give(s, all / GIVES(0));
	}
	if (units)
		use_units(s, all, signal - V3D_QPU_SIG_LOAD_TMU0);
	p->touched |= read | files;
	p->traits |= all;
	s->cursor += all / UNIFORM & 1;
	s->varyings += all / GIVES(5) & 1;
	return true;
}

/* A load of 32 bits: the unpack field says so. What is idle names nothing. */
static bool load(struct v3dcl_prover *p, __u64 word, __u32 bad)
{
	const __u32 to_add = add_target(word), to_mul = mul_target(word);
	const struct places to = { table.add_files[to_add], table.mul_files[to_mul], table.to_add[to_add], table.to_mul[to_mul] };
	const struct v3dcl_places places = places_of(&to, true, true);
	const bool has_add = get_cond_add(word) != V3D_QPU_COND_NEVER, has_mul = get_cond_mul(word) != V3D_QPU_COND_NEVER;
	const __u32 needs = (has_add ? ACTIVE(OF_ADD) : IDLE(OF_ADD)) | (has_mul ? ACTIVE(OF_MUL) : IDLE(OF_MUL));
	const __u32 all = to.to_add | to.to_mul;

	if (v3d_qpu_kind(V3D_QPU_SIG_LOAD_IMMEDIATE, get_unpack(word)) != V3D_QPU_LOAD_32 || packs_badly(word) ||
	    (needs & ~all) | (all & (bad | SFU | TILE)) | (to.to_add & to.to_mul & SIX * ACCUMULATOR(0)) |
		    (places.files & p->s->payload) ||
	    !may_happen(p, word, has_add, has_mul))
		return false;
	if ((v3dcl_is_followed(p) || !store_part(p->s, word, &to)) && !v3dcl_store_values(p, word))
		return false;
	if (get_sf(word))
		set_flags(p->s, get_cond_add(word));
	p->touched |= places.files;
	p->traits |= all;
	p->s->sfu_left -= p->s->sfu_left != 0;
	return true;
}

/* Nothing is done: delay slots are full of it. */
static inline void pass(struct v3dcl_state *s)
{
	s->late = (struct v3dcl_places){ 0, 0 };
	s->late_bad = 0;
	s->sfu_left -= s->sfu_left != 0;
}

/* Loads are the only ones that are not for tables. */
static void run(struct v3dcl_prover *p, __u32 end, __u32 bad)
{
	const __u64 *code = p->code;
	struct v3dcl_state *s = p->s;

	while (p->at < (__s32)end) {
		const __u64 word = code[p->at];

		if (word >> 60 == V3D_QPU_SIG_NONE && is_idle(word))
			pass(s);
		else if (!quiet(p, s, word, bad) && (word >> 60 != V3D_QPU_SIG_LOAD_IMMEDIATE || !load(p, word, bad)))
			break;
		p->at++;
	}
}

/**
 * v3dcl_quiet() - do what v3dcl_step() does, as long as it is quickly done
 * @p: what holds before the instruction; not before @p->quiet_from
 * @end: not from this instruction on
 * Return: how many instructions it was. The next one is left to v3dcl_step().
 */
__u32 v3dcl_quiet(struct v3dcl_prover *p, __u32 end)
{
	/* Where the stream is lost, or is not where the code has it, a uniform is no quiet matter. */
	const bool lost = p->record ? p->s->cursor != p->words : p->s->cursor == V3DCL_LOST;
	const __u32 start = p->at, first = p->s->cursor, bad = (lost ? UNIFORM : 0) | (p->shader ? 0 : TILE | VPM | SHADERS);
	const __u32 until = start + p->s->reset_left < end ? start + p->s->reset_left : end;

	/* Nor is one that comes too soon. */
	if (p->s->reset_left) {
		run(p, until, bad | UNIFORM);
		p->s->reset_left -= p->at - start;
	}
	if (p->at >= (__s32)until)
		run(p, end, bad);
	p->words += p->record ? p->s->cursor - first : 0;
	return p->at - start;
}

#define UPPER_REGISTERS 0xffff0000ffff0000

/* What the quiet instructions used, all together */
void v3dcl_quiet_uses(struct v3dcl_prover *p)
{
	p->upper |= (p->touched & UPPER_REGISTERS) != 0;
	p->uses_of_shader |= (p->traits & TILE ? V3DCL_SHADER_TILE : 0) | (p->traits & VPM ? V3DCL_SHADER_VPM : 0);
}
