/* SPDX-License-Identifier: MIT */
/*
 * QPU programs: text to words and back, and the rules of AG100 "Summary of Instruction Restrictions".
 */
#ifndef V3DCL_QPU_H
#define V3DCL_QPU_H

#include "v3dcl_buffer.h"
#include "v3dcl_error.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * struct v3dcl_symbol - a name of an assembly
 * @name: NUL at its end
 * @kind: what it is: a label of code, a uniform, a place in the data
 * @value: index of the instruction, of the uniform, or byte in the data
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
 * @reference: what it is instead: a name of the job's (a BO, a texture), which whoever submits fills in; NULL for a number
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
 * @error: with line, column and caret
 * Return: 0, -EINVAL for a text that is wrong, -ENOMEM
 */
int v3dcl_assemble(const char *name, const char *source, size_t length, struct v3dcl_assembly **assembly,
		   struct v3dcl_error *error);

void v3dcl_assembly_free(struct v3dcl_assembly *assembly);

/**
 * v3dcl_disassemble() - one instruction as text that v3dcl_assemble() turns into the same word, no newline
 * @word: any 64 bits
 * @address: of the instruction in bytes from the program's start, for branch targets; branches are written relative
 * @out: appended to
 */
void v3dcl_disassemble(uint64_t word, uint32_t address, struct v3dcl_buffer *out);

/**
 * v3dcl_disassemble_program() - a whole program as a listing with labels that v3dcl_assemble() turns into the same words
 * @code: words
 * @count: of @code
 * @out: appended to
 */
void v3dcl_disassemble_program(const uint64_t *code, uint32_t count, struct v3dcl_buffer *out);

/** enum v3dcl_program_kind - what a program is for: some rules are of one kind only */
enum v3dcl_program_kind { V3DCL_USER_PROGRAM, V3DCL_FRAGMENT_SHADER, V3DCL_VERTEX_SHADER, V3DCL_COORDINATE_SHADER };

/**
 * struct v3dcl_hazard - a rule of AG100 "Summary of Instruction Restrictions" that a program breaks
 * @at: index of the instruction
 * @before: index of the earlier instruction that it depends on; @at if there is none
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
 * @each: called for each, in the order of the code; returns false to end
 * @opaque: handed to it
 * Return: how many were found
 */
uint32_t v3dcl_hazards(const uint64_t *code, uint32_t count, enum v3dcl_program_kind kind,
		       bool (*each)(void *opaque, const struct v3dcl_hazard *hazard), void *opaque);

#ifdef __cplusplus
}
#endif

#endif /* V3DCL_QPU_H */
