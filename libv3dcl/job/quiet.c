// SPDX-License-Identifier: (GPL-2.0-only OR MIT)
/*
 * Quiet instructions, which most are: they compute what nothing need be known of from what is the program's own, and break no rule
 * that needs a look at values. What holds after them is a few bits.
 *
 * It is only a shorter way: what v3dcl_step() makes of such an instruction is the same, and whatever is in doubt is left to it.
 * There is no telling which way a condition goes here, so there are few: tables say what each field stands for, and one look at all
 * that they say is enough for most instructions. unusual.c has the others.
 */
#include "quiet.h"

/* Where fields are in the upper half of a word, and in the lower one */
#define PLACE(field, low, bits) AT_##field = (low) - 32,
enum { V3D_QPU_WRITE_FIELDS(PLACE) V3D_QPU_ALU_FIELDS(PLACE) AT_upper_end };
#define LOWER_PLACE(field, low, bits) AT_##field = (low),
enum { V3D_QPU_READ_FIELDS(LOWER_PLACE) AT_lower_end };
#define CONDITION(half, condition) ((condition) << AT_cond_##half)
#define ALWAYS (CONDITION(add, V3D_QPU_COND_ALWAYS) | CONDITION(mul, V3D_QPU_COND_ALWAYS))
#define PACK (15u << AT_pack)
#define SET_FLAGS (1u << AT_sf)

/*
 * By both operations: what is done, where their operands are in the table of pairs, and fields that say what becomes of the
 * results. Flags are the add ALU's matter, if it does something. All operations of the mul ALU have two operands.
 */
#define OP(m, a, operands) \
	[32 * (m) + (a)] = { \
		.uses = EXISTS | ((a) ? USE(OF_ADD) : 0) | ((m) ? USE(OF_MUL) : 0), \
		.add_pairs = 64 * (operands) * sizeof(__u32), \
		.mul_pairs = (m) ? 128 * sizeof(__u32) : 0, \
		.usual = PACK | ((a) ? CONDITION(add, 7u) : SET_FLAGS) | ((m) ? CONDITION(mul, 7u) : 0), \
	},
#define OP_0(value, name, operands, text) OP(0, value, operands)
#define OP_1(value, name, operands, text) OP(1, value, operands)
#define OP_2(value, name, operands, text) OP(2, value, operands)
#define OP_3(value, name, operands, text) OP(3, value, operands)
#define OP_4(value, name, operands, text) OP(4, value, operands)
#define OP_5(value, name, operands, text) OP(5, value, operands)
#define OP_6(value, name, operands, text) OP(6, value, operands)
#define OP_7(value, name, operands, text) OP(7, value, operands)
#define BESIDE(value, name, operands, text) V3D_QPU_ADD_OPS(OP_##value)

/* The operands of an operation with none, one or two, which stand next to each other in a word: a bit a mux */
#define ONE(a, b) 1u << (a)
#define TWO(a, b) 1u << (a) | 1u << (b)
#define EIGHT(pair, a) pair(a, 0), pair(a, 1), pair(a, 2), pair(a, 3), pair(a, 4), pair(a, 5), pair(a, 6), pair(a, 7)
#define PAIRS(pair) \
	EIGHT(pair, 0), EIGHT(pair, 1), EIGHT(pair, 2), EIGHT(pair, 3), EIGHT(pair, 4), EIGHT(pair, 5), EIGHT(pair, 6), \
		EIGHT(pair, 7)

/* The registers of a file from index @from on, in a file; what they stand for */
#define FOUR(from, n, file, traits) \
	[(from) + (n)] = { SLOT((file) + (n)), traits }, [(from) + (n) + 1] = { SLOT((file) + (n) + 1), traits }, \
	[(from) + (n) + 2] = { SLOT((file) + (n) + 2), traits }, \
	[(from) + (n) + 3] = { SLOT((file) + (n) + 3), (traits) | ((n) + 3 == V3DCL_PAYLOAD ? PAYLOAD : 0) }
#define FILE(from, file, traits) \
	FOUR(from, 0, file, traits), FOUR(from, 4, file, traits), FOUR(from, 8, file, traits), FOUR(from, 12, file, traits), \
	FOUR(from, 16, file, traits), FOUR(from, 20, file, traits), FOUR(from, 24, file, traits), FOUR(from, 28, file, traits)

/* Addresses of results from index @from on. Beyond the files these are part of the tables of space.c. */
#define TO(from, name, of, traits) [(from) + V3D_QPU_W_##name] = { 0, SOME_USE(of) | (traits) }
#define TARGETS(of, from, file) \
	FILE(from, file, SOME_USE(of)), [(from) + V3D_QPU_W_NOP] = { 0, ANY_USE(of) }, TO(from, ACC0, of, ACCUMULATOR(0)), \
	TO(from, ACC1, of, ACCUMULATOR(1)), TO(from, ACC2, of, ACCUMULATOR(2)), TO(from, ACC3, of, ACCUMULATOR(3)), \
	TO(from, ACC5, of, ACCUMULATOR(5)), TO(from, QUAD_XY, of, UNIT | TILE), TO(from, MS_REV_FLAGS, of, UNIT | TILE), \
	TO(from, TLB_STENCIL_SETUP, of, UNIT | TILE), TO(from, TLB_Z, of, UNIT | TILE), \
	TO(from, TLB_COLOUR_MS, of, UNIT | TILE), TO(from, TLB_COLOUR_ALL, of, UNIT | TILE), \
	TO(from, VPM_WRITE, of, UNIT | VPM), TO(from, VPM_SETUP, of, UNIT | VPM), \
	TO(from, SFU_RECIP, of, UNIT | SFU | ACCUMULATOR(4)), TO(from, SFU_RECIPSQRT, of, UNIT | SFU | ACCUMULATOR(4)), \
	TO(from, SFU_EXP, of, UNIT | SFU | ACCUMULATOR(4)), TO(from, SFU_LOG, of, UNIT | SFU | ACCUMULATOR(4)), \
	TO(from, TMU0_S, of, UNIT | TMU), TO(from, TMU0_T, of, UNIT | TMU), TO(from, TMU0_R, of, UNIT | TMU), \
	TO(from, TMU0_B, of, UNIT | TMU), TO(from, TMU1_S, of, UNIT | TMU), TO(from, TMU1_T, of, UNIT | TMU), \
	TO(from, TMU1_R, of, UNIT | TMU), TO(from, TMU1_B, of, UNIT | TMU)

/* Addresses that are read. The coefficient C of a varying goes to r5: AG100 p. 51 */
#define FROM(name, traits) [V3D_QPU_R_##name] = { 0, traits }
#define SOURCES(of, file) \
	FILE(0, file, ANY_USE(of)), FROM(UNIFORM, SOME_USE(of) | UNIFORM), FROM(NOP, IDLE_USE(of)), \
	FROM(VARYING, SOME_USE(of) | TILE | VARYING | ACCUMULATOR(5)), FROM(ELEMENT_QPU_NUMBER, ANY_USE(of)), \
	FROM(PIXEL_COORD, ANY_USE(of) | SHADERS), FROM(MS_REV_FLAGS, ANY_USE(of) | SHADERS), FROM(VPM_READ, SOME_USE(of) | VPM)
#define NUMBERS(from, count) [(from) ... (from) + (count) - 1] = { 0, ANY_USE(OF_B) }

#define SIGNAL(name, traits, ports) [V3D_QPU_SIG_##name] = { ASKS | (traits), ports }

/* What an address stands for: a register, a bit of both files; and traits */
struct meaning {
	__u64 files, traits;
};

/* What two operations stand for, by offsets of bytes into the table of pairs; what a signal does, by one into that of port B */
struct op {
	__u32 uses, add_pairs, mul_pairs, usual;
};

struct signal {
	__u64 traits, b;
};

/*
 * All in one place. Addresses of results are indexed by the field and, above it, WS; those of port B by the field and, above it,
 * whether it is a small immediate (not a rotation), as the signal says.
 */
static const struct tables {
	struct op ops[256];
	struct signal signals[16];
	struct meaning to_add[128], to_mul[128], from_a[64], from_b[128];
	__u32 pairs[3 * 64];
} table = {
	.ops = { V3D_QPU_MUL_OPS(BESIDE) },
	.signals = {
		SIGNAL(NONE, 0, 0), SIGNAL(WAIT_SCOREBOARD, TILE, 0), SIGNAL(UNLOCK_SCOREBOARD, TILE, 0),
		SIGNAL(LOAD_TMU0, LOADS | ACCUMULATOR(4), 0), SIGNAL(LOAD_TMU1, LOADS | ACCUMULATOR(4), 0),
		SIGNAL(SMALL_IMMEDIATE, 0, 64 * sizeof(struct meaning)),
	},
	.to_add = { TARGETS(OF_ADD, 0, V3DCL_FILE_A), TARGETS(OF_ADD, 64, V3DCL_FILE_B) },
	.to_mul = { TARGETS(OF_MUL, 0, V3DCL_FILE_B), TARGETS(OF_MUL, 64, V3DCL_FILE_A) },
	.from_a = { SOURCES(OF_A, V3DCL_FILE_A) },
	.from_b = { SOURCES(OF_B, V3DCL_FILE_B), NUMBERS(64, V3D_QPU_ROTATE) },
	.pairs = { [64] = PAIRS(ONE), PAIRS(TWO) },
};

/* A field as an offset into a table of structs of 16 bytes, @low its lowest bit and @bits its width; what is there */
#define OFFSET(word, low, bits) ((word) >> ((low) - 4) & (((1u << (bits)) - 1) << 4))
#define AT(type, from, offset) (*(const type *)(base + (offset) + __builtin_offsetof(struct tables, from)))
#define FILES(from, offset) AT(__u64, from[0].files, offset)
#define TRAITS(from, offset) AT(__u64, from[0].traits, offset)

enum { SIZES_HOLD = 1 / (sizeof(struct meaning) == 16 && sizeof(struct op) == 16 && sizeof(struct signal) == 16) };

static __always_inline struct v3dcl_facts look_up(const __u8 *base, __u64 word)
{
	const __u64 target = word >> (AT_waddr_add + 32 - 4), add = target & (127 << 4);
	const __u64 mul = OFFSET(word, AT_waddr_mul + 32, 6) | (target & (64 << 4));
	const __u64 signal = OFFSET(word, 60, 4), op = OFFSET(word, AT_op_add, 8);
	const __u64 a = OFFSET(word, AT_raddr_a, 6), b = OFFSET(word, AT_raddr_b, 6) + AT(__u64, signals[0].b, signal);
	const __u64 of_add = (word >> (AT_add_b - 2) & (63 << 2)) + AT(__u32, ops[0].add_pairs, op);
	const __u64 of_mul = (word << 2 & (63 << 2)) + AT(__u32, ops[0].mul_pairs, op);

	return (struct v3dcl_facts){
		.files = FILES(to_add, add) | FILES(to_mul, mul),
		.ports = FILES(from_a, a) | FILES(from_b, b),
		.traits = TRAITS(to_add, add) | TRAITS(to_mul, mul) | TRAITS(from_a, a) | TRAITS(from_b, b) |
			  TRAITS(signals, signal),
		.both = TRAITS(to_add, add) & TRAITS(to_mul, mul),
		.flags = word,
		.uses = AT(__u32, pairs, of_add) | AT(__u32, pairs, of_mul) | AT(__u32, ops[0].uses, op),
		.unusual = (word >> 32 ^ ALWAYS) & AT(__u32, ops[0].usual, op),
	};
}

/* What a load may have nothing to do with */
#define LOADED (TMU | SFU | TILE)

/* A load of 32 bits: the unpack field says so. Its operations are its conditions; it reads nothing, and asks for no unit. */
static struct v3dcl_facts look_up_load(__u64 word)
{
	const struct meaning *add = &table.to_add[get_waddr_add(word) | get_ws(word) << 6];
	const struct meaning *mul = &table.to_mul[get_waddr_mul(word) | get_ws(word) << 6];
	const __u64 others = get_unpack(word) ? 0 : USE(OF_A) | USE(OF_B) | EXISTS;
	const bool happens = get_cond_add(word), mul_happens = get_cond_mul(word);

	return (struct v3dcl_facts){
		.files = add->files | mul->files,
		.traits = add->traits | mul->traits | others,
		.both = add->traits & mul->traits,
		.flags = word,
		.uses = (happens ? USE(OF_ADD) : 0) | (mul_happens ? USE(OF_MUL) : 0),
		.unusual = (word >> 32 ^ ALWAYS) &
			   (PACK | SET_FLAGS | (happens ? CONDITION(add, 7u) : 0) | (mul_happens ? CONDITION(mul, 7u) : 0)),
	};
}

/* Results under conditions that the flags tell, of places whose values nobody holds. False: that is to be looked at */
static __always_inline bool write_if(struct v3dcl_prover *p, struct v3dcl_state *s, const __u8 *base, __u64 set,
				     struct v3dcl_facts *f)
{
	const __u64 target = f->flags >> (AT_waddr_add + 32 - 4);
	const __u64 to_add = target & (127 << 4), to_mul = OFFSET(f->flags, AT_waddr_mul + 32, 6) | (target & (64 << 4));
	const __u32 add = f->unusual & CONDITION(add, 7u), mul = f->unusual & CONDITION(mul, 7u);
	const __u64 files = (add ? FILES(to_add, to_add) : 0) | (mul ? FILES(to_mul, to_mul) : 0);
	const __u64 rest = ((add ? TRAITS(to_add, to_add) : 0) | (mul ? TRAITS(to_mul, to_mul) : 0)) & RESULTS;

	if ((f->unusual ^ add ^ mul) | (files & s->held.files) | (rest & s->held.rest) | (f->traits & VARYING) ||
	    add == CONDITION(add, NEVER_HAPPENS) || mul == CONDITION(mul, NEVER_HAPPENS) ||
	    !((s->flags & V3DCL_ALL_BYTES) | get_sf(set)))
		return false;
	s->partly.files |= files;
	s->partly.rest |= rest;
	p->touched |= files;
	f->files &= ~files;
	f->traits &= ~rest;
	return true;
}

static inline void leave(struct v3dcl_prover *p, struct v3dcl_state *s, const struct v3dcl_view *v)
{
	const __u64 written = v->visible | v->late;

	const struct v3dcl_places add = v3dcl_result_of(p->code[p->at - 1], false);
	const struct v3dcl_places mul = v3dcl_result_of(p->code[p->at - 1], true);

	s->late = (struct v3dcl_places){ add.files | mul.files, add.rest | mul.rest };
	s->late_bad = s->late.files & ~(v->visible | s->written.files);
	s->written.files |= written;
	s->held.files &= ~written;
	v3dcl_give(s, v->seen & SIX);
	s->flags |= v->flags >> 32 & SET_FLAGS ? V3DCL_WRITTEN : 0;
	s->cursor += v->counts / UNIFORM & 0x3ffff;
	s->varyings += v->counts / VARYING;
	p->touched |= written;
	p->traits |= v->seen;
}

/*
 * Instructions of which nothing is followed, and of which most have all that they ask for. What holds is kept in a few words. What
 * has to be looked at counts as not there: see struct v3dcl_view. False: the next one is not quiet at all.
 */
static bool run_plain(struct v3dcl_prover *p, struct v3dcl_state *s, const __u32 end, const __u64 bad)
{
	const __u64 *const start = p->code + p->at, *const until = p->code + end, *code = start;
	const __u64 strict = bad | SFU | LOADS | TMU | (s->payload ? PAYLOAD : 0);
	const __u64 *free = start + s->sfu_left, *stop = free < until ? free : until;
	struct v3dcl_view v = v3dcl_enter(s);
	const __u8 *base = (const __u8 *)&table;
	__u64 objections = 0;

	/* In a register, whatever the compiler knows of it: then an offset is added to it where it is used. */
	__asm__("" : "+r"(base));
	for (;; code++) {
		__u64 word;

		if (code >= stop) {
			if (code >= until)
				break;
			v.busy = 0;
			v.seen |= s->written.rest & ~s->held.rest & ACCUMULATOR(4);
			stop = until;
		}
		word = *code;
		if ((word & (IDLE_FIELDS | ALL_SIGNAL)) == (IDLE_VALUES | NO_SIGNAL)) {
			v.visible |= v.late;
			v.late = 0;
		} else {
			struct v3dcl_facts f = look_up(base, word);

			const __u64 look = v3dcl_objections(&f, strict) | (f.uses & ~v.seen) | (f.ports & ~v.visible);

			if (look || (f.unusual && !write_if(p, s, base, v.flags, &f))) {
				struct v3dcl_view w;
				struct v3dcl_facts g;

				if (word >> 60 == V3D_QPU_SIG_BRANCH && v3dcl_branch_quietly(p, v.flags, code - p->code)) {
					v.visible |= v.late;
					v.late = 0;
					continue;
				}
				w = v;
				g = is_load(word) ? look_up_load(word) : f;
				objections = v3dcl_objections(&g, is_load(word) ? bad | LOADED : bad);
				if (objections || !(look ? v3dcl_look_at(p, &w, &g, bad, code == start ? s->late_bad : 0) :
							   v3dcl_write_part(p, &w, &g)))
					break;
				if (g.traits & SFU) {
					free = code + 3;
					stop = free < until ? free : until;
				}
				v = w;
				f = g;
			}
			v.visible |= v.late;
			v.late = f.files;
			v.seen |= f.traits;
			v.counts += f.traits & (UNIFORM | VARYING);
			v.flags |= f.flags;
		}
	}
	if (code == start)
		return !objections;
	p->at += code - start;
	s->sfu_left = v.busy ? free - code : 0;
	leave(p, s, &v);
	return !objections;
}

/* The next instruction that is followed, from this one on */
static __u32 next_followed(const struct v3dcl_prover *p, __u32 end)
{
	__u32 at = v3dcl_next_bit(p->followed, p->at);

	return at < end ? at : end;
}

static void run(struct v3dcl_prover *p, __u32 end, __u64 bad)
{
	struct v3dcl_state *s = p->s;

	for (;;) {
		struct v3dcl_facts f;

		if (!run_plain(p, s, p->follows ? next_followed(p, end) : end, bad) || p->at == (__s32)end)
			break;
		f = is_load(p->code[p->at]) ? look_up_load(p->code[p->at]) : look_up((const __u8 *)&table, p->code[p->at]);
		if (v3dcl_objections(&f, is_load(f.flags) ? bad | LOADED : bad | TMU) || !v3dcl_store_values(p, &f))
			break;
		p->at++;
	}
}

/* Up to what sets the address of the uniforms */
static void run_stream(struct v3dcl_prover *p, __u32 end)
{
	/* Where the stream is lost, or is not where the code has it, a uniform is no quiet matter. */
	const bool lost = p->record ? p->s->cursor != p->words : p->s->cursor == V3DCL_LOST;
	const __u32 start = p->at, first = p->s->cursor;
	const __u64 bad = (lost ? UNIFORM : 0) | (p->shader ? 0 : TILE | VPM | SHADERS | TMU);
	const __u32 until = start + p->s->reset_left < end ? start + p->s->reset_left : end;

	/* Nor is one that comes too soon. */
	if (p->s->reset_left) {
		run(p, until, bad | UNIFORM);
		p->s->reset_left -= p->at - start;
	}
	if (p->at >= (__s32)until)
		run(p, end, bad);
	p->words += p->record ? p->s->cursor - first : 0;
}

/**
 * v3dcl_quiet() - do what v3dcl_step() does, as long as it is quickly done
 * @p: what holds before the instruction; not before @p->quiet_from
 * @end: not from this instruction on
 * Return: how many instructions it was. The next one is left to v3dcl_step().
 */
__u32 v3dcl_quiet(struct v3dcl_prover *p, __u32 end)
{
	const __u32 start = p->at;

	for (;; p->at++) {
		run_stream(p, end);
		if (p->at >= (__s32)end || !p->shader || !v3dcl_reset_quietly(p))
			return p->at - start;
	}
}

#define UPPER_REGISTERS 0xffff0000ffff0000

/* What the quiet instructions used, all together */
void v3dcl_quiet_uses(struct v3dcl_prover *p)
{
	p->upper |= (p->touched & UPPER_REGISTERS) != 0;
	p->uses_of_shader |= (p->traits & TILE ? V3DCL_SHADER_TILE : 0) | (p->traits & VPM ? V3DCL_SHADER_VPM : 0);
}
