// SPDX-License-Identifier: (GPL-2.0-only OR MIT)
/*
 * What vertex and coordinate shaders read of the VPM, and write to it. Their rows are allocated to
 * a batch of vertices, and are not cleared (AG100 p. 53): what no attribute has filled, and what no
 * shader has written, is of some batch before, of any client. So it is found here which rows a
 * shader reads and writes, and v3dcl_check_record() holds them against its record.
 *
 * It is an analysis of its own, with its own states and its own fixpoint on the control-flow graph,
 * after v3dcl_find_fixpoint(), for the few shaders that use the VPM.
 */
#include <v3d/words.h>

#include "fields.h"
#include "verifier.h"

/*
 * How often all blocks on the worklist are run: what changes at all does so once for each loop in a
 * loop
 */
#define SWEEPS 16

/**
 * struct rows - the state before an instruction
 * @written: rows that have been written, on every path
 * @left: values that are set up to be read
 * @at: row that the next value goes to
 * @step: from there to the row of the one after it
 * @setup: a write set-up is there
 * @whole: it writes rows, and @at is the same on all paths
 * @reached: @written and so on hold something
 * @on_worklist: they have changed since the block was run
 */
struct rows {
	__u64 written;
	__u8 left, at, step;
	__u8 setup, whole, reached, on_worklist;
};

/*
 * Of all paths: rows that are read on some path, rows that may be written on some path, rows that
 * are written on each path to an end
 */
struct found {
	__u64 read, touched, written;
};

/* The rows of a vector of 16 elements at an address: AG100 Tables 32 and 33 */
static __u64 rows_of(__u32 address, __u32 size, bool horizontal)
{
	__u32 row = address >> (V3D_VPM_32BIT - size) & 63;

	return horizontal ? (__u64)1 << row : (__u64)0xffff << (row & 48);
}

static bool setup_read(struct v3dcl_verifier *p, struct rows *s, __u32 word, struct found *found)
{
	struct v3d_vpm_read_setup setup;
	__u32 i, step;

	v3d_parse_vpm_read_setup(word, &setup);
	if (setup.id || setup.size > V3D_VPM_32BIT || v3d_word_vpm_read_setup(&setup) != word)
		return v3dcl_refuse_here(p, V3DCL_RULE_SETUP_WORD, word, 0);
	/* HW: ignored while values of the one before are outstanding */
	if (s->left)
		return v3dcl_refuse_here(p, V3DCL_RULE_VPM_UNREAD, s->left, 0);
	s->left = setup.number ? setup.number : 16;
	step = setup.stride ? setup.stride : 64;
	for (i = 0; i < s->left; i++)
		found->read |= rows_of(setup.address + i * step, setup.size, setup.horizontal);
	return true;
}

static bool setup_write(struct v3dcl_verifier *p, struct rows *s, __u32 word)
{
	struct v3d_vpm_write_setup setup;

	v3d_parse_vpm_write_setup(word, &setup);
	if (setup.id || setup.size > V3D_VPM_32BIT || v3d_word_vpm_write_setup(&setup) != word)
		return v3dcl_refuse_here(p, V3DCL_RULE_SETUP_WORD, word, 0);
	s->setup = true;
	s->whole = setup.horizontal && setup.size == V3D_VPM_32BIT;
	s->at = setup.address & 63;
	s->step = setup.stride;
	return true;
}

/* Does a half of an instruction set up reads, or writes? AG100 Table 14: files A, B */
static bool sets_up(__u64 word, bool mul, bool read)
{
	return get_waddr(word, mul) == V3D_QPU_W_VPM_SETUP && (mul == get_ws(word)) == read;
}

/* Both ports are one read. */
static bool reads_value(__u64 word)
{
	return word >> 60 < V3D_QPU_SIG_LOAD_IMMEDIATE &&
	       (get_raddr_a(word) == V3D_QPU_R_VPM_READ ||
		(!is_immediate(word) && get_raddr_b(word) == V3D_QPU_R_VPM_READ));
}

static bool writes_value(__u64 word)
{
	return get_waddr(word, false) == V3D_QPU_W_VPM_WRITE ||
	       get_waddr(word, true) == V3D_QPU_W_VPM_WRITE;
}

/* Rows one after the other: AG100 Tables 32 and 33. 16 values are 0. */
static __u32 write_word(__u32 row)
{
	const struct v3d_vpm_write_setup setup = {
		.address = row & 63, .size = V3D_VPM_32BIT, .horizontal = 1, .stride = 1,
	};

	return v3d_word_vpm_write_setup(&setup);
}

static __u32 read_word(__u32 row, __u32 number)
{
	const struct v3d_vpm_read_setup setup = {
		.address = row & 63, .size = V3D_VPM_32BIT, .horizontal = 1, .stride = 1,
		.number = v3dcl_lower(number, 16) & 15,
	};

	return v3d_word_vpm_read_setup(&setup);
}

/* Values that are read behind a set-up of reads, up to the next one, which may read one itself */
static __u32 values_behind(const struct v3dcl_verifier *p, __u32 at)
{
	__u32 values = 0;

	for (at++; at < p->limit; at++) {
		values += reads_value(p->code[at]);
		if (sets_up(p->code[at], false, true) || sets_up(p->code[at], true, true))
			break;
	}
	return values;
}

/*
 * What set-ups from uniforms are: a word is chosen for each, the shader is verified as if an ldi of
 * that word stood there, and v3dcl_check_streams() asks each draw for it. So whatever is chosen,
 * what is found holds for all shaders that run. It is what compilers mean: as the code stands, the
 * n-th value that is read is that of row n, the n-th that is written goes to row n, and as many
 * values are read as reads follow before the next set-up.
 */
static bool choose_words(struct v3dcl_verifier *p)
{
	__u32 i, at = 0, reads = 0, writes = 0;

	for (i = 0; i < p->setup_count; i++) {
		struct v3dcl_setup *setup = &p->setups[i];

		if (NEVER(setup->at >= p->limit))
			return v3dcl_refuse_here(p, V3DCL_RULE_INTERNAL, setup->at, p->limit);
		for (; at < setup->at; at++) {
			reads += reads_value(p->code[at]);
			writes += writes_value(p->code[at]);
		}
		setup->word = setup->read ? read_word(reads + reads_value(p->code[at]),
						      values_behind(p, at)) :
					    write_word(writes);
	}
	return true;
}

/*
 * The word of a set-up: it stands in the instruction itself, unless that packs it into another one,
 * or was chosen for its uniform.
 */
static bool word_of(const struct v3dcl_verifier *p, __u64 word, bool read, __u32 *setup)
{
	__u32 i;

	*setup = word;
	if (v3d_qpu_kind(word >> 60, get_unpack(word)) == V3D_QPU_LOAD_32)
		return !get_pack(word);
	for (i = 0; i < p->setup_count; i++) {
		*setup = p->setups[i].word;
		if (p->setups[i].at == (__u32)p->at && p->setups[i].read == read)
			return true;
	}
	return false;
}

/* A set-up: its word is the same on all paths. */
static bool set_up(struct v3dcl_verifier *p, struct rows *s, __u64 word, bool mul,
		   struct found *found)
{
	const bool read = sets_up(word, mul, true);
	__u32 setup;

	if (!word_of(p, word, read, &setup))
		return v3dcl_refuse_here(p, V3DCL_RULE_SETUP_UNKNOWN,
					 v3d_qpu_kind(word >> 60, get_unpack(word)),
					 V3D_QPU_LOAD_32);
	if (get_cond(word, mul) != V3D_QPU_COND_ALWAYS)
		return v3dcl_refuse_here(p, V3DCL_RULE_IO_CONDITION, get_cond(word, mul),
					 V3D_QPU_COND_ALWAYS);
	return read ? setup_read(p, s, setup, found) : setup_write(p, s, setup);
}

/*
 * Does an instruction write whole words by this half? File A's packer (AG100 Table 7) and that of
 * the mul ALU (Table 9) write some of their bits, which may leave what else was there; but for mode
 * 3 of the latter, which writes each byte.
 */
static bool writes_whole(__u64 word, bool mul)
{
	const bool packs = get_pm(word) ? mul && get_pack(word) != 3 : mul == get_ws(word);

	return get_cond(word, mul) == V3D_QPU_COND_ALWAYS && (!get_pack(word) || !packs);
}

/* A value goes to the VPM. */
static bool write_value(struct v3dcl_verifier *p, struct rows *s, __u64 word, bool mul,
			struct found *found)
{
	if (!s->setup)
		return v3dcl_refuse_here(p, V3DCL_RULE_SETUP_MISSING, V3D_QPU_W_VPM_WRITE, 0);
	found->touched |= s->whole ? (__u64)1 << s->at : ~(__u64)0;
	if (s->whole && writes_whole(word, mul))
		s->written |= (__u64)1 << s->at;
	s->at = (s->at + s->step) & 63;
	return true;
}

static bool write_half(struct v3dcl_verifier *p, struct rows *s, __u64 word, bool mul,
		       struct found *found)
{
	switch (get_waddr(word, mul)) {
	case V3D_QPU_W_VPM_SETUP:
		return set_up(p, s, word, mul, found);
	case V3D_QPU_W_VPM_WRITE:
		return write_value(p, s, word, mul, found);
	default:
		return true;
	}
}

/*
 * That an operation takes it has been seen to, by read_io(); what may or may not be read is
 * refused.
 */
static bool read_value(struct v3dcl_verifier *p, struct rows *s, __u64 word)
{
	struct v3d_qpu_inst inst;

	if (!reads_value(word))
		return true;
	inst = v3d_qpu_decode(word);
	if (NEVER((get_raddr_a(word) != V3D_QPU_R_VPM_READ || !v3dcl_takes(&inst, V3D_QPU_A)) &&
		  (is_immediate(word) || get_raddr_b(word) != V3D_QPU_R_VPM_READ ||
		   !v3dcl_takes(&inst, V3D_QPU_B))))
		return v3dcl_refuse_here(p, V3DCL_RULE_UNIFORM_UNREAD, V3D_QPU_R_VPM_READ, 0);
	if (!s->left)
		return v3dcl_refuse_here(p, V3DCL_RULE_VPM_EMPTY, 0, 1);
	s->left--;
	return true;
}

static bool transfer(struct v3dcl_verifier *p, struct rows *s, __u32 start, __u32 end,
		     struct found *found)
{
	__u32 at;

	for (at = start; at < end; at++) {
		const __u64 word = p->code[at];

		p->at = at;
		if (!read_value(p, s, word) || !write_half(p, s, word, false, found) ||
		    !write_half(p, s, word, true, found))
			return false;
	}
	return true;
}

/*
 * What all paths have written is what may be read; what they leave unread would be the next one's.
 */
static bool end_path(const struct v3dcl_verifier *p, const struct rows *s, __u32 end,
		     struct found *found)
{
	if (s->left)
		return v3dcl_refuse_at(p, end - 1, V3DCL_RULE_VPM_UNREAD, s->left, 0);
	found->written &= s->written;
	return true;
}

/* There is such a block: see propagate_to() of verify_fixpoint.c. */
static bool propagate_to(const struct v3dcl_verifier *p, struct rows *before, __u32 index,
			 const struct rows *from)
{
	struct rows *to = &before[index], old;

	if (NEVER(index >= p->block_count))
		return v3dcl_refuse_here(p, V3DCL_RULE_INTERNAL, index, p->block_count);
	old = *to;
	if (!old.reached) {
		*to = *from;
		to->reached = true;
		to->on_worklist = true;
		return true;
	}
	if (old.left != from->left)
		return v3dcl_refuse_at(p, p->blocks[index].start, V3DCL_RULE_VPM_PATHS, from->left,
				       old.left);
	to->written &= from->written;
	to->setup &= from->setup;
	to->whole &= from->whole && from->at == old.at && from->step == old.step;
	to->on_worklist |= to->written != old.written || to->setup != old.setup ||
			   to->whole != old.whole;
	return true;
}

static bool transfer_block(struct v3dcl_verifier *p, struct rows *before, __u32 index,
			   struct found *found)
{
	const struct v3dcl_basic_block *block = &p->blocks[index];
	struct rows s = before[index];

	before[index].on_worklist = false;
	p->block = index;
	if (!transfer(p, &s, block->start, block->end, found))
		return false;
	if (block->fall_through == V3DCL_NO_BLOCK && block->target == V3DCL_NO_BLOCK)
		return end_path(p, &s, block->end, found);
	return (block->fall_through == V3DCL_NO_BLOCK ||
		propagate_to(p, before, block->fall_through, &s)) &&
	       (block->target == V3DCL_NO_BLOCK || propagate_to(p, before, block->target, &s));
}

enum { ROWS_FIT = 1 / (sizeof(struct rows) <= sizeof(struct v3dcl_state)) };

/*
 * The states before the blocks are of no more use: their memory, which is more, holds those of this
 * analysis.
 */
static bool visit_blocks(struct v3dcl_verifier *p, struct found *found)
{
	struct rows *before = (struct rows *)p->states;
	__u32 sweep, i;
	bool again = true;

	__builtin_memset(before, 0, p->block_count * sizeof(*before));
	before[0].reached = true;
	before[0].on_worklist = true;
	for (sweep = 0; again; sweep++) {
		if (sweep >= SWEEPS)
			return v3dcl_refuse_at(p, 0, V3DCL_RULE_CODE_WORK, sweep, SWEEPS);
		again = false;
		for (i = 0; i < p->block_count; i++) {
			if (!before[i].on_worklist)
				continue;
			if (!transfer_block(p, before, i, found))
				return false;
			again = true;
		}
	}
	return true;
}

/**
 * v3dcl_find_rows() - which rows of the VPM does a shader read and write?
 * @p: v3dcl_find_fixpoint() returned true
 * @shader: its rows are set
 * Return: false with the refusal set
 */
bool v3dcl_find_rows(struct v3dcl_verifier *p, struct v3dcl_shader *shader)
{
	struct found found = { .written = ~(__u64)0 };

	if (!choose_words(p) || !visit_blocks(p, &found))
		return false;
	shader->rows_read = found.read;
	shader->rows_touched = found.touched;
	shader->rows_written = found.written;
	return true;
}
