/* SPDX-License-Identifier: MIT */
/*
 * QPU programs: text to words and back, and the rules of AG100 "Summary of Instruction
 * Restrictions".
 */
#ifndef V3DCL_QPU_H
#define V3DCL_QPU_H

#include <v3d/qpu.h>

#include "v3dcl_buffer.h"
#include "v3dcl_error.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * struct v3dcl_symbol - a name of an assembly
 * @name: NUL at its end
 * @kind: what it is: a label of code, a uniform, a place in the data
 * @value: index of the instruction or uniform, or offset in the data in bytes
 */
struct v3dcl_symbol {
	const char *name;
	enum v3dcl_symbol_kind { V3DCL_SYMBOL_LABEL, V3DCL_SYMBOL_UNIFORM, V3DCL_SYMBOL_DATA } kind;
	uint32_t value;
};

/**
 * struct v3dcl_uniform - a uniform of an assembly (directive .uniform)
 * @name: or NULL
 * @value: its 32 bits, where it is a number
 * @reference: what it is instead: a name of the job's (a BO, a texture), which the caller who
 *	submits fills in; ".data" for the assembly's own data; NULL for a number
 * @offset: in bytes from the start of @reference
 * @flags: DRM_V3DCL_RELOC_READ and DRM_V3DCL_RELOC_WRITE of the reference
 */
struct v3dcl_uniform {
	const char *name;
	uint32_t value;
	const char *reference;
	uint32_t offset, flags;
};

/**
 * struct v3dcl_assembly - an assembled program; all arrays are its own
 * @code: instruction words
 * @code_count: of @code
 * @lines: the line each instruction comes from
 * @uniforms: in the order of the stream
 * @uniform_count: of @uniforms
 * @data: of the data directives
 * @data_size: bytes
 * @symbols: sorted by name
 * @symbol_count: of @symbols
 */
struct v3dcl_assembly {
	uint64_t *code;
	uint32_t *lines;
	uint32_t code_count;
	struct v3dcl_uniform *uniforms;
	uint32_t uniform_count;
	uint8_t *data;
	uint32_t data_size;
	struct v3dcl_symbol *symbols;
	uint32_t symbol_count;
};

/**
 * v3dcl_assemble() - text to words
 * @name: of the file, for messages; or NULL
 * @source: the text; need not end in NUL
 * @length: of it
 * @assembly: result, owned by the caller: v3dcl_assembly_free()
 * @error: filled where the call fails; NULL for none. It has line, column and caret.
 *
 * Return: 0, -EINVAL for a text that is wrong, -ENOMEM
 */
int v3dcl_assemble(const char *name, const char *source, size_t length,
		   struct v3dcl_assembly **assembly, struct v3dcl_error *error);

/**
 * struct v3dcl_asm_options - how a text is assembled
 * @size: sizeof(struct v3dcl_asm_options)
 * @vc4asm: the text is written for vc4asm: what has another meaning there is read as it is there,
 *	and its words come out (Documentation/qpu-assembler.rst, "vc4asm's dialect"). The first of
 *	these the text can say itself: .syntax
 * @folders: what .include may read from: files in these folders and below, nothing else
 * @folder_count: of @folders; 0: nothing is read
 * @each_error: called for each error, as v3dcl_assemble() would report it alone: the text is read
 *	to its end. NULL: the first error is the end.
 * @opaque: handed to it
 */
struct v3dcl_asm_options {
	size_t size;
	int vc4asm;
	const char *const *folders;
	size_t folder_count;
	void (*each_error)(void *opaque, const struct v3dcl_error *error);
	void *opaque;
};

/**
 * v3dcl_assemble_with() - v3dcl_assemble() with options
 * @options: or NULL
 * @name: of the file, for messages, and so that .include finds files beside it; or NULL
 * @source: the text; need not end in NUL
 * @length: of it
 * @assembly: result, owned by the caller: v3dcl_assembly_free()
 * @error: filled with the first error where the call fails; NULL for none
 *
 * Return: 0, -EINVAL for a text that is wrong, -ENOMEM
 */
int v3dcl_assemble_with(const struct v3dcl_asm_options *options, const char *name,
			const char *source, size_t length, struct v3dcl_assembly **assembly,
			struct v3dcl_error *error);

/**
 * v3dcl_assembly_free() - free an assembly and all it holds
 * @assembly: or NULL
 */
void v3dcl_assembly_free(struct v3dcl_assembly *assembly);

/**
 * v3dcl_disassemble() - one instruction as text that v3dcl_assemble() turns into the same word, no
 * newline
 * @word: any 64 bits
 * @out: appended to. A relative branch names its target as it is seen from the branch: "brr .+56".
 */
void v3dcl_disassemble(uint64_t word, struct v3dcl_buffer *out);

/**
 * v3dcl_disassemble_program() - a whole program as a listing with labels that v3dcl_assemble()
 * turns into the same words
 * @code: words
 * @count: of @code
 * @out: appended to
 */
void v3dcl_disassemble_program(const uint64_t *code, uint32_t count, struct v3dcl_buffer *out);

/**
 * enum v3dcl_qpu_place - where an operand is
 * @V3DCL_QPU_ACCUMULATOR: r0 to r5; as destination, r0 to r3
 * @V3DCL_QPU_FILE_A: address 0 to 63 of file A, by way of its port
 * @V3DCL_QPU_FILE_B: address 0 to 63 of file B, by way of its port
 * @V3DCL_QPU_IO: address 32 to 63 that means the same in both files
 * @V3DCL_QPU_CONSTANT: source only: must be one of Table 5's small immediates
 */
enum v3dcl_qpu_place {
	V3DCL_QPU_ACCUMULATOR,
	V3DCL_QPU_FILE_A,
	V3DCL_QPU_FILE_B,
	V3DCL_QPU_IO,
	V3DCL_QPU_CONSTANT,
};

/**
 * V3DCL_QPU_COLOUR - added to a destination's pack: Table 9 (float to 8-bit colour, by the mul
 * half) where Table 7 would hold, in file A
 */
#define V3DCL_QPU_COLOUR 16

/**
 * struct v3dcl_qpu_operand - where a value comes from, or goes to
 * @place: enum v3dcl_qpu_place
 * @address: number of the accumulator, or address
 * @pack: of a source Table 6 (file A) or 8 (r4); of a destination Table 7 in registers of file A,
 *	else Table 9
 * @value: of a constant
 */
struct v3dcl_qpu_operand {
	uint8_t place, address, pack;
	uint32_t value;
};

/**
 * struct v3dcl_qpu_half - what one of the two ALUs does
 * @op: enum v3d_qpu_add_op or enum v3d_qpu_mul_op; with 0, nop, the rest means nothing
 * @condition: enum v3d_qpu_condition
 * @set_flags: the flags come from this half
 * @to: destination
 * @from: as many as the operation has
 */
struct v3dcl_qpu_half {
	uint8_t op, condition;
	bool set_flags;
	struct v3dcl_qpu_operand to, from[2];
};

/**
 * V3DCL_QPU_ROTATE_R5 - as a rotation of the mul half's result: by what is in r5
 */
#define V3DCL_QPU_ROTATE_R5 16

/**
 * struct v3dcl_qpu_pair - an ALU instruction as a compiler or a person thinks of it, ports not yet
 * chosen
 * @add: add half
 * @mul: mul half
 * @signal: enum v3d_qpu_signal
 * @rotate: elements by which the mul half's result is rotated upwards: 0 to 15, or
 *	V3DCL_QPU_ROTATE_R5
 */
struct v3dcl_qpu_pair {
	struct v3dcl_qpu_half add, mul;
	uint8_t signal, rotate;
};

/**
 * v3dcl_qpu_acc() - an accumulator as an operand
 * @number: 0 to 5 for r0 to r5; as destination 0 to 3
 *
 * Return: the operand, not packed
 */
static inline struct v3dcl_qpu_operand v3dcl_qpu_acc(uint8_t number)
{
	struct v3dcl_qpu_operand o = { V3DCL_QPU_ACCUMULATOR, number, 0, 0 };

	return o;
}

/**
 * v3dcl_qpu_ra() - an address of file A as an operand
 * @address: 0 to 63; below 32 a register
 *
 * Return: the operand, not packed
 */
static inline struct v3dcl_qpu_operand v3dcl_qpu_ra(uint8_t address)
{
	struct v3dcl_qpu_operand o = { V3DCL_QPU_FILE_A, address, 0, 0 };

	return o;
}

/**
 * v3dcl_qpu_rb() - an address of file B as an operand
 * @address: 0 to 63; below 32 a register
 *
 * Return: the operand, not packed
 */
static inline struct v3dcl_qpu_operand v3dcl_qpu_rb(uint8_t address)
{
	struct v3dcl_qpu_operand o = { V3DCL_QPU_FILE_B, address, 0, 0 };

	return o;
}

/**
 * v3dcl_qpu_io() - an I/O address that both files have as an operand
 * @address: enum v3d_qpu_waddr or enum v3d_qpu_raddr
 *
 * Return: the operand
 */
static inline struct v3dcl_qpu_operand v3dcl_qpu_io(uint8_t address)
{
	struct v3dcl_qpu_operand o = { V3DCL_QPU_IO, address, 0, 0 };

	return o;
}

/**
 * v3dcl_qpu_constant() - a constant as a source
 * @value: a small immediate of AG100 Table 5, a float as its bits
 *
 * Return: the operand
 */
static inline struct v3dcl_qpu_operand v3dcl_qpu_constant(uint32_t value)
{
	struct v3dcl_qpu_operand o = { V3DCL_QPU_CONSTANT, 0, 0, value };

	return o;
}

/**
 * v3dcl_qpu_with_pack() - an operand with a pack or unpack mode
 * @operand: the operand
 * @pack: as @pack of struct v3dcl_qpu_operand
 *
 * Return: the operand, packed
 */
static inline struct v3dcl_qpu_operand v3dcl_qpu_with_pack(struct v3dcl_qpu_operand operand,
							   uint8_t pack)
{
	operand.pack = pack;
	return operand;
}

/**
 * v3dcl_qpu_join() - choose ports, write swap, pack select and small immediate for two halves
 * @pair: what is wanted
 * @inst: result, for v3d_qpu_encode()
 * @error: filled where the call fails; NULL for none. It says what stands against it: "two
 *	different registers of file A are read: ra3 and ra7".
 *
 * Return: 0, or -EINVAL where the two cannot be one instruction
 *
 * A compiler that looks for partners asks with @error NULL: nothing is written then but @inst.
 */
int v3dcl_qpu_join(const struct v3dcl_qpu_pair *pair, struct v3d_qpu_inst *inst,
		   struct v3dcl_error *error);

/**
 * enum v3dcl_program_kind - what a program is for: some rules are of one kind only
 * @V3DCL_USER_PROGRAM: run by v3dcl_submit_programs()
 * @V3DCL_FRAGMENT_SHADER: shades pixels of a frame
 * @V3DCL_VERTEX_SHADER: shades vertices for rendering
 * @V3DCL_COORDINATE_SHADER: shades vertices for binning
 */
enum v3dcl_program_kind {
	V3DCL_USER_PROGRAM,
	V3DCL_FRAGMENT_SHADER,
	V3DCL_VERTEX_SHADER,
	V3DCL_COORDINATE_SHADER
};

/**
 * struct v3dcl_hazard - a rule of AG100 "Summary of Instruction Restrictions" that a program breaks
 * @at: index of the instruction that must not stand there
 * @before: index of the earlier instruction that it comes too soon after; @at if there is none
 * @rule: a name that stays: "regfile-raw"...
 * @text: a sentence
 * @source: where it is written: "AG100 p. 37"
 */
struct v3dcl_hazard {
	uint32_t at, before;
	const char *rule, *text, *source;
};

/**
 * v3dcl_hazards() - every restriction that a program breaks
 * @code: words
 * @count: of @code
 * @kind: what it is for
 * @each: called for each, in the order of the instructions where it begins (@before); returns false
 *	to end. NULL: they are counted
 * @opaque: handed to it
 *
 * Return: how many were found
 */
uint32_t v3dcl_hazards(const uint64_t *code, uint32_t count, enum v3dcl_program_kind kind,
		       bool (*each)(void *opaque, const struct v3dcl_hazard *hazard), void *opaque);

#ifdef __cplusplus
}
#endif

#endif /* V3DCL_QPU_H */
