/* SPDX-License-Identifier: (GPL-2.0-only OR MIT) */
/*
 * The analysis of QPU programs: an abstract interpreter. What holds before each block of instructions is found by running the
 * blocks on values of value.h until nothing changes; then each instruction is judged by what holds before it, on whichever path.
 *
 *	verifier.c	its memory, and how it starts
 *	state.c		what holds
 *	flow.c		blocks, from all branches with their delay slots; the way to an instruction
 *	join.c		what holds where paths meet; the order of the work, and its bounds
 *	step.c		one instruction: signals, operands, results
 *	space.c		registers beyond the files: who may use which, uniforms
 *	memory.c	whatever reaches memory, and the FIFOs
 *	vertex.c	rows of the VPM that shaders read and write
 *	shader.c, program.c	what is asked for, and what is handed back
 *
 * Everything that has a size is in the scratch memory of the caller: see v3dcl_verifier_open().
 */
#ifndef V3DCL_VALIDATE_VERIFIER_H
#define V3DCL_VALIDATE_VERIFIER_H

#include "cursor.h"
#include "encodings.h"
#include "state.h"

#define V3DCL_NO_BLOCK 0xffff
#define V3DCL_MAX_BLOCKS 1024
#define V3DCL_NO_BRANCH (~(__u32)0)

/**
 * struct v3dcl_block - instructions that are run one after the other
 * @start: first instruction
 * @end: after the last; after the delay slots of @branch
 * @branch: the branch that ends it, or V3DCL_NO_BRANCH
 * @words: of struct v3dcl_verifier, before it, in the order in which the code stands; so are @samples and @resets. The entry after
 *	the last block has them for the end
 * @samples: see @words
 * @resets: see @words
 * @target: block that the branch leads to
 * @next: block after it, V3DCL_NO_BLOCK if it is not gone on there
 * @from: block that it was reached from first
 * @back: the last block that branches back to it, V3DCL_NO_BLOCK if none does
 * @taken: by a branch
 * @reached: its state holds something
 * @dirty: which has changed since it was run
 * @visits: how often it has changed
 */
struct v3dcl_block {
	__u32 start, end, branch, words, samples, resets;
	__u16 target, next, from, back;
	__u8 taken, reached, dirty, visits;
};

/* A texture lookup in the making, one a TMU */
struct v3dcl_lookup {
	__u32 slot[4];
	__u8 written;	/* a bit a register: S, T, R, B */
	__u8 count;
};

/**
 * struct v3dcl_verifier - an analysis
 * @code: of @count instructions, of which those before @limit can be run
 * @refusal: set when something is refused
 * @scratch: memory of the caller, @bytes, of which @used are
 * @leaders: a bit an instruction that starts a block, and one for the program's end
 * @block_limit: there is memory for so many of @blocks and @states, and for one more of @blocks
 * @states: what holds before each block
 * @s: what holds before instruction @at
 * @work: instructions that may still be looked at
 * @shader: a shader, else a user program
 * @record: this time what is found is kept
 * @unreachable: the block cannot be reached, so what it needs of others is not asked for
 * @marks: of shaders: a bit a word of the stream where it may stand when its address is set
 * @branch_at: the branch whose delay slots these are, or long ago; likewise a thread switch and a
 *	program end
 * @words: uniforms read so far, in the order in which the code stands; of programs, the most that
 *	are read
 * @samples: results of shaders, up to @uses_of_shader
 * @last_reset: the last instruction that sets the uniforms address
 * @last_back: the last branch back
 * @uses: results of programs, up to @semaphores
 * @ended: @semaphores, or @varyings, holds what a path does
 * @port: of the instruction: what is read from the register space beyond the files, by port; all
 *	further ones are of it too
 * @late: see struct v3dcl_state: for the instruction after it
 * @reset_to: the index that the uniforms address is set to
 * @peripherals: of the closely coupled ones, how many it accesses, not counting the tile buffer
 * @tile_buffer: it accesses that
 * @sfu: it writes to the SFU
 * @reset: it sets the uniforms address
 * @early: it sets up a VPM read
 */
struct v3dcl_verifier {
	const __u64 *code;
	struct v3dcl_refusal *refusal;
	struct v3dcl_state *s;
	struct v3dcl_state *states;
	struct v3dcl_block *blocks;
	__u8 *scratch;
	__u32 *leaders, bytes, used;
	__s32 at, branch_at, switch_at, end_at;
	__u32 count, limit, block_count, block_limit, block, work;
	bool shader, record, unreachable;
	struct v3dcl_lookup lookups[2];

	__u32 words;
	struct v3dcl_sample *samples;
	__u32 *resets;
	__u32 *marks;
	__u32 sample_count, reset_count, uses_of_shader;
	__s32 last_reset, last_back;
	bool upper, lost_reset;

	struct v3dcl_use *uses;
	__u32 use_count, use_limit;
	__s8 semaphores[V3D_QPU_SEMAPHORES];
	__u32 varyings;
	bool ended;

	struct v3dcl_number port[2];
	struct v3dcl_places late;
	__u64 late_bad;
	__u32 reset_to;
	__u8 peripherals, tile_buffer, sfu, reset, early;
};

#define V3DCL_LONG_AGO (-8)

__u32 v3dcl_verifier_bytes(const __u64 *code, __u32 count, bool shader);
bool v3dcl_verifier_open(struct v3dcl_verifier **opened, const __u64 *code, __u32 count, void *scratch, __u32 scratch_bytes,
		       bool shader, struct v3dcl_refusal *refusal);
bool v3dcl_lay_out_blocks(struct v3dcl_verifier *p, __u32 branches, __u32 ends);
bool v3dcl_find_flow(struct v3dcl_verifier *p);
bool v3dcl_run(struct v3dcl_verifier *p);
bool v3dcl_step(struct v3dcl_verifier *p, __u64 word);
void v3dcl_switch_threads(struct v3dcl_state *s);

/* space.c */
bool v3dcl_read_port(struct v3dcl_verifier *p, const struct v3d_qpu_inst *inst, bool b);
bool v3dcl_write_space(struct v3dcl_verifier *p, const struct v3d_qpu_inst *inst, bool mul, const struct v3dcl_number *value);
bool v3dcl_check_signal(struct v3dcl_verifier *p, __u8 sig);
bool v3dcl_takes(const struct v3d_qpu_inst *inst, __u8 mux);
bool v3dcl_mark_position(struct v3dcl_verifier *p, __u32 cursor);
bool v3dcl_read_uniform(struct v3dcl_verifier *p);
bool v3dcl_check_end(struct v3dcl_verifier *p);

/* memory.c */
bool v3dcl_write_tmu(struct v3dcl_verifier *p, const struct v3d_qpu_inst *inst, bool mul, const struct v3dcl_number *value);
bool v3dcl_load_tmu(struct v3dcl_verifier *p, __u8 tmu);
bool v3dcl_write_setup(struct v3dcl_verifier *p, bool store, const struct v3dcl_number *word);
bool v3dcl_start_dma(struct v3dcl_verifier *p, bool store, const struct v3dcl_number *address);
bool v3dcl_record_reset(struct v3dcl_verifier *p, const struct v3dcl_number *address);
bool v3dcl_read_vpm(struct v3dcl_verifier *p);

/* vertex.c */
bool v3dcl_find_rows(struct v3dcl_verifier *p, struct v3dcl_shader *shader);

bool v3dcl_refuse_here(const struct v3dcl_verifier *p, __u16 rule, __u64 found, __u64 expected);
bool v3dcl_refuse_at(const struct v3dcl_verifier *p, __u32 at, __u16 rule, __u64 found, __u64 expected);
bool v3dcl_refuse_value(const struct v3dcl_verifier *p, __u16 rule, const struct v3dcl_number *value, __u64 expected);

/*
 * Words of @marks: no instruction reads more than a word, and no reset leads further than so many,
 * so none is beyond 2 * @count.
 */
static inline __u32 v3dcl_mark_words(const struct v3dcl_verifier *p)
{
	return p->count / 16 + 2;
}

static inline __u8 v3dcl_condition(const struct v3d_qpu_inst *inst, bool mul)
{
	return mul ? inst->cond_mul : inst->cond_add;
}

static inline __u8 v3dcl_waddr(const struct v3d_qpu_inst *inst, bool mul)
{
	return mul ? inst->waddr_mul : inst->waddr_add;
}

static inline bool v3dcl_is_alu(const struct v3d_qpu_inst *inst)
{
	return inst->kind == V3D_QPU_ALU || inst->kind == V3D_QPU_ALU_SMALL_IMMEDIATE;
}

/* What is no ALU instruction has 0 for its read addresses; beside a small immediate, that of file B is the immediate. */
static inline bool v3dcl_fetches_uniform(const struct v3d_qpu_inst *inst)
{
	return inst->raddr_a == V3D_QPU_R_UNIFORM || (inst->kind == V3D_QPU_ALU && inst->raddr_b == V3D_QPU_R_UNIFORM);
}

#endif /* V3DCL_VALIDATE_VERIFIER_H */
