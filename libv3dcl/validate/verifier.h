/* SPDX-License-Identifier: (GPL-2.0-only OR MIT) */
/*
 * The verifier of QPU programs: an abstract interpreter. It runs a program once for all inputs, on
 * abstract values: descriptions of every number that a register can hold (the abstract domain). It
 * cuts the code into basic blocks, which are run from their first instruction to their last, and
 * joins these by the branches between them: the control-flow graph. Where edges of the graph meet,
 * the states that they bring are joined, and the block is on the worklist as long as its state
 * still changes. When no state changes any more, the fixpoint, each instruction is checked against
 * all that can hold before it, on whichever path.
 *
 *	verifier.c		its memory, and how it starts
 *	verify_cfg.c		the control-flow graph, with delay slots; the path to an instruction
 *	verify_context.c	nodes of the graph: blocks in contexts, which keep calls apart
 *	verify_fixpoint.c	joins, widening, the worklist, and the bounds of the work
 *	verify_transfer.c	the transfer function: what one instruction makes of a state
 *	verify_value.c		the abstract domain
 *	verify_state.c		a state: an abstract value for each register, and what else holds
 *	verify_io.c		registers beyond the files: which kind of program may use which;
 *				uniforms
 *	verify_memory.c		instructions that reach memory, and the FIFOs
 *	verify_taint.c		what of physical addresses could be told, and to whom
 *	verify_vpm.c		rows of the VPM that shaders read and write: an analysis of its own
 *	verify_shader.c		shaders: what is asked for, and what is handed back
 *	verify_program.c	user programs: the same
 *
 * Everything that has a size is in the scratch memory of the caller: see v3dcl_verify().
 */
#ifndef V3DCL_VALIDATE_VERIFIER_H
#define V3DCL_VALIDATE_VERIFIER_H

#include "cursor.h"
#include "encodings.h"
#include "verify_state.h"

#define V3DCL_NO_BLOCK 0xffff
#define V3DCL_MAX_BLOCKS 1024
#define V3DCL_NO_BRANCH (~(__u32)0)
#define V3DCL_MAX_CALLS 32	/* as a link value has bits */
#define V3DCL_MAX_CONTEXTS (V3DCL_MAX_CALLS + 1)	/* and that of the program itself */

/**
 * struct v3dcl_context - the calls that are under way
 * @behind: the last of them, by the block behind it
 * @caller: where it was called: an earlier one of &v3dcl_verifier.contexts
 */
struct v3dcl_context {
	__u16 behind, caller;
};

/**
 * struct v3dcl_basic_block - instructions that are run one after the other, in one context: a node
 * of the control-flow graph
 * @start: first instruction
 * @end: after the last; after the delay slots of @branch
 * @branch: the branch that ends it, or V3DCL_NO_BRANCH
 * @words: of struct v3dcl_verifier, before it, in the order in which the code stands; so are
 *	@samples and @resets. The entry after the last block has them for the end
 * @samples: see @words
 * @resets: see @words
 * @target: block that the branch leads to, V3DCL_NO_BLOCK if there is none; it and @fall_through
 *	are the first nodes of these
 * @fall_through: block after it, V3DCL_NO_BLOCK if the program does not go on there
 * @first: the block's first node, which is in the order in which the code stands
 * @next: its next node, in another context, or V3DCL_NO_BLOCK
 * @context: which one of &v3dcl_verifier.contexts, if it is reached
 * @predecessor: node that it was first reached from
 * @back_edge: the last block that branches back to it, so that it heads a loop; V3DCL_NO_BLOCK if
 *	none does
 * @taken: it was first reached by a branch that is taken
 * @reached: some path leads to it, so its state is set
 * @on_worklist: its state has changed since it was run
 * @visits: how often its state has changed, up to the widening's delay
 */
struct v3dcl_basic_block {
	__u32 start, end, branch, words, samples, resets;
	__u16 target, fall_through, first, next, context, predecessor, back_edge;
	__u8 taken, reached, on_worklist, visits;
};

/**
 * struct v3dcl_lookup - a texture lookup in the making, one a TMU
 * @slot: the uniforms that are its parameters so far
 * @written: a bit a register: S, T, R, B
 * @count: of @slot
 */
struct v3dcl_lookup {
	__u32 slot[4];
	__u8 written;
	__u8 count;
};

/**
 * struct v3dcl_verifier - the verification of one program
 * @code: instructions
 * @refusal: set when something is refused
 * @s: the state before instruction @at
 * @states: the state before each node
 * @blocks: the control-flow graph: a node for each block, one entry more, for the end, and behind
 *	it further nodes of blocks that are run in several contexts
 * @scratch: memory of the caller
 * @leaders: a bit for each instruction that starts a basic block, and one for the program's end
 * @bytes: of @scratch
 * @used: of @bytes
 * @at: the instruction that is run
 * @branch_at: the branch whose delay slots these are, or V3DCL_LONG_AGO
 * @switch_at: likewise a thread switch
 * @end_at: likewise a program end
 * @count: of @code
 * @limit: instructions of @code before this one can be run
 * @block_count: the index in @blocks of the entry for the end
 * @node_count: of @blocks, all in all
 * @node_limit: there is memory for so many of @blocks and @states, and for one more of @blocks
 * @block: the node that is run
 * @budget: instructions that may still be run
 * @shader: a shader, else a user program
 * @record: the fixpoint is reached: what is found is kept
 * @explain: the code is refused: note where values are lost
 * @unreachable: no path leads to the block, so what it needs of others is not asked for
 * @lookups: in the making, of each TMU
 * @words: uniforms read so far, in the order in which the code stands; of programs, the most that
 *	are read
 * @samples: result of shaders: lookups and direct reads
 * @resets: result of shaders: words of the stream that take its address
 * @marks: of shaders: a bit a word of the stream where it may stand when its address is set
 * @sample_count: of @samples
 * @reset_count: of @resets
 * @setups: result of shaders: set-ups of the VPM from uniforms, as the code stands
 * @setup_count: of @setups
 * @uses_of_shader: result of shaders: V3DCL_SHADER_*
 * @last_reset: the last instruction that sets the uniforms address
 * @last_back: the last branch back
 * @upper: registers 16 to 31 are used
 * @threaded_rule: what the shader must not do if it switches threads, first of all; 0 for nothing
 * @threaded_at: where it does that
 * @lost_reset: an address was set where the position in the stream was not that of @words
 * @uses: result of programs: accesses to memory
 * @use_count: of @uses
 * @use_limit: there is memory for so many
 * @semaphores: result of programs: what a path to an end does to each, if @ended
 * @varyings: result of shaders: how many a path to an end reads, if @ended
 * @told: see struct v3dcl_program
 * @told_at: see @told
 * @calls: branches that write a link register, by the block behind each; while the graph is built
 *	by the instruction
 * @call_count: of @calls
 * @call_limit: there are no more of them, or V3DCL_MAX_CALLS: branches of @code that write
 * @contexts: all that calls have led to so far; the first one is that of no call
 * @context_count: of @contexts
 * @link: of the block that is run: where the branch that ends it writes a link, or V3DCL_NOWHERE
 * @returns: of the block: what the register of the branch that ends it may be the link of, as
 *	v3dcl_links() has it
 * @ended: some path has ended
 * @port: of the instruction, like all that follow: what is read beyond the files, by port
 * @uniform: the word of the stream that it fetches, for both ports
 * @late: see struct v3dcl_state: for the instruction after it
 * @late_bad: see @late
 * @reset_to: the index that the uniforms address is set to
 * @peripherals: of the closely coupled ones, how many it accesses, a TMU by loading as well, not
 *	counting the tile buffer
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
	struct v3dcl_basic_block *blocks;
	__u8 *scratch;
	__u32 *leaders, bytes, used;
	__s32 at, branch_at, switch_at, end_at;
	__u32 count, limit, block_count, node_count, node_limit, block, budget;
	bool shader, record, explain, unreachable;
	struct v3dcl_lookup lookups[2];

	__u32 words;
	struct v3dcl_sample *samples;
	__u32 *resets;
	__u32 *marks;
	struct v3dcl_setup *setups;
	__u32 sample_count, reset_count, setup_count, uses_of_shader;
	__s32 last_reset, last_back;
	bool upper, lost_reset;
	__u16 threaded_rule;
	__u32 threaded_at;

	struct v3dcl_use *uses;
	__u32 use_count, use_limit;
	__s8 semaphores[V3D_QPU_SEMAPHORES];
	__u32 calls[V3DCL_MAX_CALLS];
	struct v3dcl_context *contexts;
	__u32 call_count, call_limit, context_count, link, returns;
	__u64 told;
	__u32 told_at[V3DCL_TAINTS];
	__u32 varyings;
	bool ended;

	const struct v3dcl_abstract_value *port[2];
	struct v3dcl_abstract_value uniform;
	struct v3dcl_places late;
	__u64 late_bad;
	__u32 reset_to;
	__u8 peripherals, tile_buffer, sfu, reset, early;
};

#define V3DCL_LONG_AGO (-8)

__u32 v3dcl_verifier_bytes(const __u64 *code, __u32 count, bool shader);
bool v3dcl_verify(struct v3dcl_verifier **opened, const __u64 *code, __u32 count, void *scratch,
		  __u32 scratch_bytes, bool shader, struct v3dcl_refusal *refusal);
bool v3dcl_lay_out_blocks(struct v3dcl_verifier *p, __u32 branches, __u32 ends);

/* verify_cfg.c */
bool v3dcl_build_cfg(struct v3dcl_verifier *p);
bool v3dcl_refuse_here(const struct v3dcl_verifier *p, __u16 rule, __u64 found, __u64 expected);
bool v3dcl_refuse_at(const struct v3dcl_verifier *p, __u32 at, __u16 rule, __u64 found,
		     __u64 expected);
bool v3dcl_refuse_value(const struct v3dcl_verifier *p, __u16 rule,
			const struct v3dcl_abstract_value *value, __u64 expected);

/* verify_context.c */
bool v3dcl_enter_context(struct v3dcl_verifier *p, __u32 *context);
__u32 v3dcl_leave_context(const struct v3dcl_verifier *p, __u32 context, __u32 link);
__u32 v3dcl_find_node(struct v3dcl_verifier *p, __u32 first, __u32 context);

/* verify_fixpoint.c, verify_transfer.c */
bool v3dcl_find_fixpoint(struct v3dcl_verifier *p);
bool v3dcl_transfer(struct v3dcl_verifier *p, __u64 word);
void v3dcl_switch_threads(struct v3dcl_state *s);

/* verify_io.c */
bool v3dcl_read_port(struct v3dcl_verifier *p, const struct v3d_qpu_inst *inst, bool b);
bool v3dcl_write_io(struct v3dcl_verifier *p, const struct v3d_qpu_inst *inst, bool mul,
		    const struct v3dcl_abstract_value *value);
bool v3dcl_check_signal(struct v3dcl_verifier *p, __u8 sig);
bool v3dcl_takes(const struct v3d_qpu_inst *inst, __u8 mux);
bool v3dcl_mark_position(struct v3dcl_verifier *p, __u32 cursor);
bool v3dcl_read_uniform(struct v3dcl_verifier *p);
bool v3dcl_check_end(struct v3dcl_verifier *p);

/* verify_memory.c */
bool v3dcl_write_tmu(struct v3dcl_verifier *p, const struct v3d_qpu_inst *inst, bool mul,
		     const struct v3dcl_abstract_value *value);
bool v3dcl_load_tmu(struct v3dcl_verifier *p, __u8 tmu);
void v3dcl_check_tmu_switch(struct v3dcl_verifier *p);
bool v3dcl_write_setup(struct v3dcl_verifier *p, bool store,
		       const struct v3dcl_abstract_value *word);
bool v3dcl_start_dma(struct v3dcl_verifier *p, bool store,
		     const struct v3dcl_abstract_value *address);
bool v3dcl_record_reset(struct v3dcl_verifier *p, const struct v3dcl_abstract_value *address);
bool v3dcl_read_vpm(struct v3dcl_verifier *p);

/* verify_taint.c */
void v3dcl_tell(struct v3dcl_verifier *p, __u64 taint);
void v3dcl_tell_value(struct v3dcl_verifier *p, const struct v3dcl_abstract_value *value,
		      bool always);
bool v3dcl_takes_alone(const struct v3dcl_verifier *p, const struct v3d_qpu_inst *inst);

/* verify_vpm.c */
bool v3dcl_find_rows(struct v3dcl_verifier *p, struct v3dcl_shader *shader);

/**
 * v3dcl_mark_words() - how long the marks of a verification are
 * @p: of a shader
 *
 * No instruction reads more than a word, and no reset leads further than so many, so no position is
 * beyond twice the number of instructions.
 *
 * Return: 32-bit words
 */
static inline __u32 v3dcl_mark_words(const struct v3dcl_verifier *p)
{
	return p->count / 16 + 2;
}

/**
 * v3dcl_condition() - under which an ALU writes
 * @inst: the instruction
 * @mul: the mul ALU, else the add ALU
 * Return: enum v3d_qpu_condition
 */
static inline __u8 v3dcl_condition(const struct v3d_qpu_inst *inst, bool mul)
{
	return mul ? inst->cond_mul : inst->cond_add;
}

/**
 * v3dcl_waddr() - where an ALU writes
 * @inst: the instruction
 * @mul: the mul ALU, else the add ALU
 * Return: a write address, AG100 Table 14
 */
static inline __u8 v3dcl_waddr(const struct v3d_qpu_inst *inst, bool mul)
{
	return mul ? inst->waddr_mul : inst->waddr_add;
}

/**
 * v3dcl_is_active() - does an ALU do something?
 * @inst: an ALU instruction
 * @mul: the mul ALU, else the add ALU
 */
static inline bool v3dcl_is_active(const struct v3d_qpu_inst *inst, bool mul)
{
	return (mul ? inst->op_mul : inst->op_add) &&
	       v3dcl_condition(inst, mul) != V3D_QPU_COND_NEVER;
}

/**
 * v3dcl_is_alu() - is it an ALU instruction?
 * @inst: the instruction
 */
static inline bool v3dcl_is_alu(const struct v3d_qpu_inst *inst)
{
	return inst->kind == V3D_QPU_ALU || inst->kind == V3D_QPU_ALU_SMALL_IMMEDIATE;
}

/**
 * v3dcl_fetches_uniform() - does an operand of it read the uniform stream?
 * @inst: the instruction. What is no ALU instruction has 0 for its read addresses; beside a small
 *	immediate, that of file B is the immediate
 */
static inline bool v3dcl_fetches_uniform(const struct v3d_qpu_inst *inst)
{
	return inst->raddr_a == V3D_QPU_R_UNIFORM ||
	       (inst->kind == V3D_QPU_ALU && inst->raddr_b == V3D_QPU_R_UNIFORM);
}

#endif /* V3DCL_VALIDATE_VERIFIER_H */
