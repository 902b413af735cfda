/* SPDX-License-Identifier: (GPL-2.0-only OR MIT) */
/*
 * The trusted half: checks whatever userspace hands to the V3D, and writes what the V3D is given.
 * Compiled into the library and into the module.
 *
 * Pure functions: no allocation, no I/O, no libc, no globals. All state is in the structs of the
 * caller, who serialises access to them. Untrusted bytes must not change while a function reads
 * them: copy first. Memory that the V3D will read (struct v3dcl_memory) is only written, never read
 * back, and only after its bounds are checked.
 *
 * A function that can refuse returns false and fills a struct v3dcl_refusal. What it has written
 * until then is of no use.
 *
 * The life of a frame's job:
 *
 *	v3dcl_measure()		how much memory the checked job needs: the caller provides it
 *	v3dcl_check_bin()	bin list, shader records, uniforms (only with a bin list)
 *	v3dcl_check_render()	the surfaces; says how long the render list gets: the caller
 *				provides its memory
 *	v3dcl_build_render()
 *
 * and of a job of user programs: v3dcl_check_program() when a BO is made, v3dcl_relocate() at each
 * submit, which holds the uniforms against what the check found.
 */
#ifndef V3DCL_VALIDATE_H
#define V3DCL_VALIDATE_H

#include <drm/v3dcl_drm.h>
#include <v3d/types.h>

#include "rules.h"

/* Uniforms that a number is made of, at most */
#define V3DCL_TERMS 3

#define V3DCL_NO_FACTOR 0xffff

/**
 * struct v3dcl_abstract_value - what is known about a number of a program, in all elements: a
 * constant part plus terms, modulo 2^32
 * @low: least constant part; of what nothing is known of, the contexts that it is the link of, a
 *	bit each: see v3dcl_links()
 * @span: the constant part is @low to @low + @span; 2^32 - 1 without terms: nothing is known
 * @slot: which uniforms the terms are of, as word indices into the stream, rising
 * @scale: what each of them is multiplied by, not 0
 * @count: of terms
 * @clamped: a bit a term: 0 the uniform itself, 1 any number from 0 to it (signed)
 * @factor: a bit a term. Of those that are clamped: any number from 0 to @scale times the uniform
 *	times uniform @by of the term, V3DCL_NO_FACTOR for none; both have 24 bits. Of the others:
 *	the uniform or uniform @by, the later one
 * @by: of other clamped terms: what is added to the uniform, signed: any number from 0 to that
 * @align: the constant part is @low plus a multiple of 1 << @align; 32 with @span 0
 * @initialised: a bit a byte: those that the program has written (see verify_value.h); the rest is
 *	another client's
 * @taint: the uniforms that it derives from, beside those of exact terms: v3dcl_taint_of()
 * @unused: 0: values are compared as bytes
 */
struct v3dcl_abstract_value {
	__u64 taint;
	__u32 low, span;
	__u16 slot[V3DCL_TERMS], scale[V3DCL_TERMS];
	__u16 by[V3DCL_TERMS];
	__u8 count, clamped, align, initialised, factor, unused;
};

/* Bits of a taint. Uniforms from the last but one on share a bit; the last is that of code. */
#define V3DCL_TAINTS 64
#define V3DCL_TAINT_CODE ((__u64)1 << (V3DCL_TAINTS - 1))

/**
 * v3dcl_taint_bit() - which bit of a taint is a uniform's
 * @slot: its word index in the stream
 * Return: 0 to V3DCL_TAINTS - 2
 */
static inline __u32 v3dcl_taint_bit(__u32 slot)
{
	return slot < V3DCL_TAINTS - 2 ? slot : V3DCL_TAINTS - 2;
}

/**
 * v3dcl_taint_of() - the taint of what a uniform is, as information flow analysis has it
 * @slot: its word index in the stream
 */
static inline __u64 v3dcl_taint_of(__u32 slot)
{
	return (__u64)1 << v3dcl_taint_bit(slot);
}

/* Branches on the path to a refused instruction that are told, at most: the last ones */
#define V3DCL_PATH 8

/**
 * struct v3dcl_refusal - why something was refused
 * @part: enum drm_v3dcl_part
 * @rule: enum v3dcl_rule
 * @offset: in bytes from the start of that part
 * @found: what stands there
 * @expected: what the rule asks for, or its limit
 * @instruction: of code that has been analysed: the word at @offset, else 0
 * @value: what is known about the value that broke the rule
 * @has_value: there is one
 * @lost: 1 + the index of the instruction that lost what was known of @value or of the place in the
 *	uniform stream, plus DRM_V3DCL_LOST_JOIN; 0: not known. Of SETUP_UNIFORM, of the set-up
 * @serial: how many the client has had, this one included: for the caller that keeps it
 * @path_count: of @path
 * @path: from the first instruction to there: for each branch twice its index, plus 1 where it is
 *	taken
 */
struct v3dcl_refusal {
	__u16 part, rule;
	__u32 offset;
	__u64 found, expected;
	__u64 instruction;
	__u64 serial;
	struct v3dcl_abstract_value value;
	__u32 has_value, lost, path_count;
	__u32 path[V3DCL_PATH];
};

const char *v3dcl_rule_text(__u32 rule);
const char *v3dcl_rule_name(__u32 rule);

/* Shaders: what is found out once, when their immutable BO is made */

/* What a struct v3dcl_sample's slot holds where the lookup has no such parameter */
#define V3DCL_NO_SLOT (~(__u32)0)

/**
 * struct v3dcl_sample - a texture lookup or direct read of a shader
 * @slot: which uniforms are its parameters, as word indices into the shader's stream, V3DCL_NO_SLOT
 *	for none. Of a lookup: texture configuration parameters 0 to 3 (AG100 Tables 15 to 17). Of a
 *	direct read: base address and limit
 * @direct: a direct read, min(max(x, 0), limit) + base
 */
struct v3dcl_sample {
	__u32 slot[4];
	__u32 direct;
};

/**
 * struct v3dcl_setup - a set-up of the VPM by a vertex or coordinate shader, from a uniform
 * @at: index of the instruction
 * @slot: which uniform, as word index into the shader's stream
 * @read: of reads, else of writes
 * @word: what the uniform is at each draw: the shader was verified with it
 */
struct v3dcl_setup {
	__u32 at, slot, read, word;
};

/* Most of them in a shader */
#define V3DCL_MAX_SETUPS 16

/* What a shader uses: struct v3dcl_shader.uses */
#define V3DCL_SHADER_THREADED 0x1	/* it switches threads */
#define V3DCL_SHADER_VPM 0x2	/* reads or writes the VPM */
#define V3DCL_SHADER_TILE 0x4	/* tile buffer, scoreboard or varyings: fragment shaders only */
/* on some path, or in some elements, it reads a register that it has not written */
#define V3DCL_SHADER_RESIDUE 0x8

/**
 * struct v3dcl_shader - what is known about a checked shader
 * @samples: its lookups, in the order of their handles before the uniform stream
 * @resets: word indices of the stream where the address of the stream itself goes
 * @setups: its set-ups of the VPM from uniforms
 * @sample_count: of @samples
 * @reset_count: of @resets
 * @setup_count: of @setups
 * @uniform_words: length of the uniform stream, 32-bit words, the handles before it not counted
 * @uses: V3DCL_SHADER_*
 * @varyings: that it reads, on every path to its end
 * @rows_read: rows of the VPM that it may read, a bit each
 * @rows_touched: rows that it may write, likewise
 * @rows_written: rows that it writes whole on every path to its end
 *
 * The arrays are in memory of the caller, see v3dcl_check_shader() and v3dcl_keep_shader().
 */
struct v3dcl_shader {
	const struct v3dcl_sample *samples;
	const __u32 *resets;
	const struct v3dcl_setup *setups;
	__u32 sample_count, reset_count, setup_count;
	__u32 uniform_words;
	__u32 uses, varyings;
	__u64 rows_read, rows_touched, rows_written;
};

/* Most instructions in a BO of code: 1 MiB */
#define V3DCL_MAX_INSTRUCTIONS 0x20000u

__u32 v3dcl_shader_scratch(const __u64 *code, __u32 count);
bool v3dcl_check_shader(const __u64 *code, __u32 count, void *scratch, __u32 scratch_bytes,
			struct v3dcl_shader *shader, struct v3dcl_refusal *refusal);

/**
 * v3dcl_shader_bytes() - how much memory v3dcl_keep_shader() needs for a shader's arrays
 * @shader: checked
 * Return: bytes, at most 24 an instruction and 260 more
 */
static inline __u32 v3dcl_shader_bytes(const struct v3dcl_shader *shader)
{
	return shader->sample_count * sizeof(struct v3dcl_sample) +
	       shader->reset_count * sizeof(__u32) +
	       shader->setup_count * sizeof(struct v3dcl_setup);
}

void v3dcl_keep_shader(struct v3dcl_shader *shader, void *memory);

/* How a program reaches memory: struct v3dcl_use.kind */
enum v3dcl_use_kind {
	V3DCL_USE_LOAD,		/* VDR: memory is read */
	V3DCL_USE_STORE,	/* VDW: memory is written */
	V3DCL_USE_DIRECT,	/* a TMU reads 32 bits in each element */
	V3DCL_USE_TEXTURE,	/* a TMU looks up texels */
	V3DCL_USE_RESET,	/* the program sets the address of its uniforms */
	/* a set-up word made with uniforms: no access, but it must stay what it was taken for */
	V3DCL_USE_SETUP,
};

/**
 * struct v3dcl_use - an instruction that reaches memory
 * @address: of it, not of textures. Of a reset: just a uniform, where the address of the stream
 *	goes
 * @setup: of a load or store: its set-up word. What is not known of it is in its address field
 * @stride: of a load or store: its stride word; @setup says whether it counts
 * @at: index of the instruction
 * @kind: enum v3dcl_use_kind
 * @field: of V3DCL_USE_SETUP: the bits of @setup that may depend on uniforms
 * @parameters: of a texture: which uniforms are its configuration parameters 0 to 3, 0xffff for
 *	none
 */
struct v3dcl_use {
	struct v3dcl_abstract_value address, setup, stride;
	__u32 at, kind, field;
	__u16 parameters[4];
};

/* Most uses in a program that differ */
#define V3DCL_MAX_USES 512

/**
 * struct v3dcl_program - what is known about a BO of user programs
 * @uses: how it reaches memory, if it is verified; in memory of the caller, see
 *	v3dcl_keep_program()
 * @use_count: of @uses
 * @count: instructions
 * @last_end: index of the last program end in it
 * @verified: 1 by v3dcl_check_program(): it reaches no memory but by @uses; 0 by
 *	v3dcl_check_unverified()
 * @uniform_words: a verified program reads no more uniforms
 * @semaphores: for each semaphore how much a run of the program raises it, in all
 * @told: the uniforms that something outside of the QPU's registers may tell, which no address may
 *	be: see verify_taint.c
 * @told_at: for each bit of @told, the instruction that tells first
 */
struct v3dcl_program {
	const struct v3dcl_use *uses;
	__u64 told;
	__u32 told_at[V3DCL_TAINTS];
	__u32 use_count;
	__u32 count, last_end;
	__u32 verified, uniform_words;
	__s8 semaphores[16];
};

__u32 v3dcl_program_scratch(const __u64 *code, __u32 count);
bool v3dcl_check_program(const __u64 *code, __u32 count, void *scratch, __u32 scratch_bytes,
			 struct v3dcl_program *program, struct v3dcl_refusal *refusal);

/**
 * v3dcl_program_bytes() - how much memory v3dcl_keep_program() needs for a program's array
 * @program: checked
 * Return: bytes; 0 for a program that is not verified, which needs no keeping
 */
static inline __u32 v3dcl_program_bytes(const struct v3dcl_program *program)
{
	return program->use_count * sizeof(struct v3dcl_use);
}

void v3dcl_keep_program(struct v3dcl_program *program, void *memory);
bool v3dcl_check_unverified(const __u64 *code, __u32 count, struct v3dcl_program *program,
			    struct v3dcl_refusal *refusal);

/* Jobs */

/* What a job needs of a BO: struct v3dcl_bo.uses */
#define V3DCL_READ 0x1
#define V3DCL_WRITE 0x2
/* attributes, indices, coordinate shaders' textures; READ is set too */
#define V3DCL_READ_BINNING 0x4
#define V3DCL_CODE 0x8		/* run from: never written, so needs no fence */

/**
 * struct v3dcl_bo - a BO of a job
 * @address: as the V3D sees it, a multiple of 4096
 * @size: bytes; address + size does not pass 2^32
 * @shader: of a shader BO, else NULL
 * @program: of a BO of user programs, else NULL
 * @uses: V3DCL_READ and so on: 0 before the checks, which add to it
 */
struct v3dcl_bo {
	__u32 address, size;
	const struct v3dcl_shader *shader;
	const struct v3dcl_program *program;
	__u32 uses;
};

/**
 * struct v3dcl_span - untrusted bytes, copied from userspace
 * @bytes: may be NULL where @size is 0; need not be aligned
 * @size: bytes
 */
struct v3dcl_span {
	const __u8 *bytes;
	__u32 size;
};

/**
 * struct v3dcl_memory - memory that the V3D will read
 * @cpu: where we write; may be NULL where @size is 0
 * @address: the same as the V3D sees it, a multiple of 16
 * @size: bytes; address + size does not pass 2^32
 */
struct v3dcl_memory {
	__u8 *cpu;
	__u32 address, size;
};

/**
 * struct v3dcl_tile_memory - the binner's memory, which the driver owns
 * @state_cpu: the tile state array, where we write; only v3dcl_clear_tile_state() looks at it
 * @state: address of the tile state array, a multiple of 16
 * @state_bytes: of the tile state array
 * @lists: address of the tile allocation memory, a multiple of 256
 * @lists_bytes: of it
 *
 * Overspill blocks must lie in the same 256 MiB window as @lists.
 */
struct v3dcl_tile_memory {
	__u8 *state_cpu;
	__u32 state, state_bytes;
	__u32 lists, lists_bytes;
};

/*
 * Tile lists: the first block of each tile, and all further ones (the hardware's choice is 32, 64,
 * 128 or 256 bytes)
 */
#define V3DCL_FIRST_BLOCK 32
#define V3DCL_NEXT_BLOCK 128
/* HW: the binner takes this much beyond what it uses */
#define V3DCL_BINNER_SLACK 8192

/*
 * Bytes behind each list in its own memory. One source has it that a list thread stops where its
 * address is that of its end, in sub-lists and index lists as well: so no other memory may begin
 * there.
 */
#define V3DCL_AFTER_LIST 1

/**
 * struct v3dcl_needs - what the driver must provide before v3dcl_check_bin()
 * @exec: bytes of &v3dcl_job.exec
 * @tiles_x: of the bin list's tile binning mode, 1 to 255
 * @tiles_y: see @tiles_x
 * @state: bytes of the tile state array
 * @lists: least bytes of tile allocation memory: the first blocks of all tiles, one block more and
 *	the slack
 */
struct v3dcl_needs {
	__u32 exec;
	__u32 tiles_x, tiles_y;
	__u32 state, lists;
};

/**
 * struct v3dcl_job - a frame's job
 * @submit: a copy of the ioctl's argument; sizes in it are only believed where they match the spans
 * @bos: the job's BOs, in the order of the submit's handles; their uses are recorded here
 * @bo_count: of @bos
 * @bin: the bin list; size 0 for a job that only renders, which has no use of @records, @uniforms,
 *	@exec and @tiles
 * @records: shader records with their handles
 * @uniforms: uniform streams with their handles
 * @exec: where the checked bin list, records and uniforms go, v3dcl_needs.exec bytes
 * @tiles: the binner's memory
 * @render: where the render list goes, @render_bytes
 * @needs: set by v3dcl_measure()
 * @bin_start: set by v3dcl_check_bin(): for CT0CA
 * @bin_end: for CT0EA
 * @bin_multisample: the tile binning mode says so
 * @draws: how many draws the bin list has
 * @render_bytes: set by v3dcl_check_render(): the length of the render list and V3DCL_AFTER_LIST
 * @render_start: set by v3dcl_build_render(): for CT1CA
 * @render_end: for CT1EA
 * @refusal: set by whatever returned false
 */
struct v3dcl_job {
	const struct drm_vc4_submit_cl *submit;
	struct v3dcl_bo *bos;
	__u32 bo_count;
	struct v3dcl_span bin, records, uniforms;
	struct v3dcl_memory exec;
	struct v3dcl_tile_memory tiles;
	struct v3dcl_memory render;

	struct v3dcl_needs needs;
	__u32 bin_start, bin_end;
	__u32 bin_multisample;
	__u32 draws;
	__u32 render_bytes;
	__u32 render_start, render_end;
	struct v3dcl_refusal refusal;
};

bool v3dcl_measure(struct v3dcl_job *job);
bool v3dcl_check_bin(struct v3dcl_job *job);
bool v3dcl_check_render(struct v3dcl_job *job);
bool v3dcl_build_render(struct v3dcl_job *job);

/**
 * struct v3dcl_run - one run of a user program, ready for the queue
 * @code: for SRQPC
 * @uniforms: for SRQUA
 * @uniform_count: for SRQUL; 0 when it has none
 */
struct v3dcl_run {
	__u32 code, uniforms, uniform_count;
};

/**
 * struct v3dcl_qpu_job - a job of user programs
 * @programs: copied from the submit; handles are not looked at
 * @program_bos: for each of @programs, the index into @bos of its BO
 * @program_count: of @programs, at least 1
 * @relocs: copied from the submit; handles are not looked at
 * @reloc_bos: for each of @relocs, the index into @bos of its BO
 * @reloc_count: of @relocs
 * @bos: the job's BOs; their uses are recorded here
 * @bo_count: of @bos
 * @words: the job's uniforms, copied from the submit; addresses are written into them
 * @owners: scratch memory, as many words as @words
 * @uniforms: where the checked uniforms go: its size is that of @words
 * @runs: for each of @programs, filled by v3dcl_relocate()
 * @refusal: set when v3dcl_relocate() returns false
 */
struct v3dcl_qpu_job {
	const struct drm_v3dcl_program *programs;
	const __u32 *program_bos;
	__u32 program_count;
	const struct drm_v3dcl_reloc *relocs;
	const __u32 *reloc_bos;
	__u32 reloc_count;
	struct v3dcl_bo *bos;
	__u32 bo_count;
	__u32 *words, *owners;
	struct v3dcl_memory uniforms;
	struct v3dcl_run *runs;
	struct v3dcl_refusal refusal;
};

bool v3dcl_relocate(struct v3dcl_qpu_job *job);

#endif /* V3DCL_VALIDATE_H */
