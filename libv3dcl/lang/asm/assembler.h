/* SPDX-License-Identifier: MIT */
/*
 * The assembler's insides: symbols, directives, instructions, and which file makes what of them.
 *
 * A text is read twice. The first time finds out where labels are, the second makes the words.
 * Every token points into the text that the caller gave, arguments of macros included, so whatever
 * is wrong has a line and a column.
 */
#ifndef V3DCL_LANG_ASM_ASSEMBLER_H
#define V3DCL_LANG_ASM_ASSEMBLER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../lang.h"
#include "join_halves.h"
#include "mnemonics.h"
#include "v3dcl_qpu.h"

/* What one text may ask for, whatever it says */
#define QASM_MAX_TEXT (1u << 26)	/* bytes */
#define QASM_MAX_CODE (1u << 18)	/* instructions */
#define QASM_MAX_DATA (1u << 26)	/* bytes */
#define QASM_MAX_TOKENS 4096u		/* a line */
/* lines and arguments gone through, repetitions counted; long ones count more */
#define QASM_MAX_STEPS (1u << 22)
#define QASM_MAX_SYMBOLS (1u << 16)

/* A name that the text gives to something */
struct qasm_symbol {
	char *name;
	/* scope: of local names (.name), the expansion they are in */
	uint32_t length, scope;
	enum { QASM_LABEL, QASM_DATA_LABEL, QASM_UNIFORM, QASM_SET, QASM_MACRO } kind;
	bool defined;			/* in this reading */
	struct lang_value value;
	const char *at;			/* where it was defined */
};

/* An assembly under way */
struct qasm {
	struct lang lang;		/* first, for qasm_of(); @now is one of @tokens */
	const char *from, *to;		/* the program, which may be a part of the text */
	const struct lang_frame *around;	/* of the job: macros that the program stands in */
	const struct lang_name *names;	/* that the text around it gives to numbers */
	size_t name_count;
	bool final;			/* the second reading */
	struct lang_token *tokens;	/* of the line, LANG_END last */
	uint32_t token_count, token_room;
	uint32_t steps, scopes;
	bool in_data;
	int element;			/* -1 outside of per-element loads */
	bool operand;			/* in one: ">>" outside of parentheses is the rotation */
	struct qasm_symbol *symbols;
	uint32_t *slots;		/* hash table of indices + 1 into @symbols */
	uint32_t symbol_count, symbol_room, slot_count;
	struct v3dcl_buffer starts;	/* of lines: offsets */
	struct v3dcl_buffer code, lines, data, uniforms;
	uint32_t uniform_count;
	uint32_t code_count;
};

/* The assembly that reads a text */
static inline struct qasm *qasm_of(struct lang *l)
{
	return (struct qasm *)l;
}

/* builtin_macros.c */

/* Text of the macros that are always there */
extern const char qasm_builtins[];
extern const size_t qasm_builtins_length;

/* Does this stand there? */
static inline bool qasm_is_builtin(const char *at)
{
	return at >= qasm_builtins && at <= qasm_builtins + qasm_builtins_length;
}

/* asm_lexer.c */

/* The tokens of a line; @at moves behind it */
bool qasm_lex(struct qasm *a, const char **at, const char *end);

/* assembler.c */

/**
 * qasm_assemble() - assemble a program that is a part of a text
 * @whole: the text; its level is not looked at
 * @from: where the program begins
 * @to: and ends
 * @names: of numbers that it may use
 * @name_count: of @names
 * @assembly: set to what comes out, the caller's; its lines are counted from @from
 * Return: 0, or the errno that is in the text's error
 */
int qasm_assemble(const struct lang *whole, const char *from, const char *to,
		  const struct lang_name *names, size_t name_count,
		  struct v3dcl_assembly **assembly);

/* Say what is wrong, once; returns false */
__attribute__((format(printf, 3, 4)))
bool qasm_fail(struct qasm *a, const char *at, const char *format, ...);

/* Says so, once. Return: false */
bool qasm_no_memory(struct qasm *a);

static inline const struct lang_token *qasm_peek(const struct qasm *a)
{
	return a->lang.now;
}

/* Take a token of this kind, if it is the next */
bool qasm_accept(struct qasm *a, unsigned int kind);

/**
 * qasm_expect() - take a token of this kind, or fail.
 * @what: what should be there, for the message
 */
bool qasm_expect(struct qasm *a, unsigned int kind, const char *what);

/**
 * qasm_unknown() - fail on a mnemonic that does not exist, with the one that may have been meant;
 * returns false
 */
bool qasm_unknown(struct qasm *a, const struct lang_token *token);

/**
 * qasm_step() - one more line, argument or turn of @bytes is gone through, if there have not been
 * too many
 */
bool qasm_step(struct qasm *a, const char *at, size_t bytes);

/* Read a piece of the text */
bool qasm_block(struct qasm *a, const char *at, const char *end);

/* Says that there is no such directive, and which name is near */
bool qasm_unknown_directive(struct qasm *a, const struct lang_token *token,
			    const struct qasm_name *list);

/* Says that there is no such name, and which one is near */
bool qasm_unknown_name(struct qasm *a, const struct lang_token *token);

/* Append an instruction. @at: where it stands in the text */
bool qasm_emit(struct qasm *a, uint64_t word, const char *at);

/* Is a token this word? */
bool qasm_is(const struct lang_token *token, const char *word);

/* symbols.c */

/* A symbol, or NULL */
struct qasm_symbol *qasm_lookup(struct qasm *a, const struct lang_token *name);

/* Give a name to something; only what .set made may change */
bool qasm_define(struct qasm *a, const struct lang_token *name, int kind, struct lang_value value);

/* asm_expression.c */

/* What the level has for itself: see struct lang_level */
void qasm_advance(struct lang *l);
struct lang_value qasm_resolve(struct lang *l, const struct lang_token *name);
struct lang_value qasm_here(const struct lang *l);
bool qasm_ends(const struct lang *l);

/* Evaluate what stands next */
bool qasm_expression(struct qasm *a, struct lang_value *value);

/* Evaluate to 32 bits: an integer that fits, signed or not, or a float's bits */
bool qasm_word(struct qasm *a, uint32_t *word);

/**
 * qasm_known() - as qasm_range(), but every name must be known where it stands: what is repeated or
 * left out depends on it
 */
bool qasm_known(struct qasm *a, const char *what, int64_t least, int64_t most, int64_t *number);

/* Evaluate to a known integer from @least to @most */
bool qasm_range(struct qasm *a, const char *what, int64_t least, int64_t most, int64_t *number);

/* directives.c */

/**
 * qasm_directive() - a line that begins with '.'.
 * @at: the line after it; moves behind the blocks that belong to it
 */
bool qasm_directive(struct qasm *a, const char **at, const char *end);

/* Frees uniforms with their names */
void qasm_free_uniforms(struct v3dcl_uniform *uniforms, uint32_t count);

/* macro_directives.c */

/* .macro: remember it, up to its .endm */
bool qasm_macro(struct qasm *a, const char **at, const char *end);

/* .rept: reads what is up to its end as often as it says */
bool qasm_repeat(struct qasm *a, const char **at, const char *end);

/* .if and what belongs to it */
bool qasm_if(struct qasm *a, const char **at, const char *end);

/* A macro is named where a mnemonic could be. @known: it is one */
bool qasm_expand(struct qasm *a, bool *known);

/* operands.c */

/* Bytes of a word before its first '.' */
uint32_t qasm_base_length(const struct lang_token *token);

/* Condition and "setf" behind a mnemonic */
bool qasm_suffixes(struct qasm *a, const struct lang_token *token,
		   const struct qasm_name *conditions, uint8_t *condition, bool *set_flags);

/* Is this token a register of file A? */
bool qasm_is_file_a(const struct lang_token *token);

/* Does a destination stand next, with a comma behind it? */
bool qasm_is_destination(const struct qasm *a);

/* A source operand */
bool qasm_source(struct qasm *a, struct v3dcl_qpu_operand *operand);

/* A destination; @condition: where "r0.zs" may stand, else NULL */
bool qasm_destination(struct qasm *a, struct v3dcl_qpu_operand *operand, uint8_t *condition);

/* instruction.c */

/* A line of instructions' parts to a word */
bool qasm_instruction(struct qasm *a);

/* load_branch.c */

/**
 * qasm_load_branch() - a load, semaphore or branch whose mnemonic stands next.
 * @known: it is one
 */
bool qasm_load_branch(struct qasm *a, uint32_t length, struct v3d_qpu_inst *inst, bool *known);

#endif /* V3DCL_LANG_ASM_ASSEMBLER_H */
