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

/* An instruction that does nothing: AG100 Table 12, "nop" */
#define QASM_NOP 0x100009e7009e7000ull

/* What one text may ask for, whatever it says */
#define QASM_MAX_TEXT (1u << 26)	/* bytes */
#define QASM_MAX_CODE (1u << 18)	/* instructions */
#define QASM_MAX_DATA (1u << 26)	/* bytes */
#define QASM_MAX_TOKENS 4096u		/* a line */
/* lines and arguments gone through, repetitions counted; long ones count more */
#define QASM_MAX_STEPS (1u << 22)
#define QASM_MAX_SYMBOLS (1u << 16)

#define QASM_MAX_ERRORS 100u
#define QASM_MAX_INCLUDES 16u		/* inside each other */

/*
 * Scopes of names: 0 the whole text, else the expansion's number. Labels with a colon before them
 * have names of their own, and a number that labels one place after another a scope for each.
 */
#define QASM_COLON (1u << 31)
#define QASM_NUMBERED (1u << 30)

/**
 * struct qasm_symbol - a name that the text gives to something
 * @name: with NUL at its end
 * @length: of @name
 * @scope: see QASM_COLON
 * @kind: what it is
 * @defined: in this reading
 * @final: .const: it may not be given anew
 * @moves: a label that the .back of this depth moves; 0: none
 * @value: of a label: as the first reading found it; of a macro or function: its index
 * @again: of a label: as the second reading found it
 * @at: where it was defined
 */
struct qasm_symbol {
	char *name;
	uint32_t length, scope;
	enum {
		QASM_LABEL, QASM_DATA_LABEL, QASM_UNIFORM, QASM_SET, QASM_MACRO, QASM_FUNCTION
	} kind;
	bool defined, final;
	uint8_t moves;
	struct lang_value value;
	int64_t again;
	const char *at;
};

/* What a register is wanted for; a bit of struct qasm_register's access */
enum qasm_role { QASM_ANY_ROLE, QASM_READ = 1, QASM_WRITE = 2 };

/* A place beside enum v3dcl_qpu_place: a semaphore, which "mov -, sacq3" reads */
#define QASM_SEMAPHORE 7

/**
 * struct qasm_register - a register as a value
 * @place: enum v3dcl_qpu_place or QASM_SEMAPHORE
 * @address: in it
 * @access: QASM_READ, QASM_WRITE
 * @acquire: of a semaphore
 * @set_flags: ".setf" stands behind it
 * @named: by what it is ("unif"), not by its address ("ra32")
 * @rotate: as in struct v3dcl_qpu_pair
 * @pack: ".8a" behind it, where it is written
 * @unpack: and where it is read
 * @condition: behind it, plus 1
 */
struct qasm_register {
	uint8_t place, address;
	uint8_t access : 2, acquire : 1, set_flags : 1, named : 1;
	uint8_t rotate, pack, unpack, condition, spare;
};

/**
 * struct qasm_operand - a source as written
 * @o: register or constant
 * @rotate: "r0 << 4": of the half's result
 * @load: enum v3d_qpu_kind: what must load it where it is no small immediate; V3D_QPU_ALU for a
 *	register
 * @acquire: of a semaphore
 */
struct qasm_operand {
	struct v3dcl_qpu_operand o;
	uint8_t rotate, load;
	bool acquire;
};

/* A destination as written, with what may stand behind it */
struct qasm_target {
	struct v3dcl_qpu_operand o;
	uint8_t condition, rotate;
	bool conditional, set_flags;
};

/**
 * struct qasm_suffixes - what stands behind a mnemonic
 * @condition: as it was, where none is given
 * @conditional: one is given
 * @set_flags: .setf
 * @pack: set by .packXX; NULL where there is none
 * @unpack: set by .unpackXX; NULL where there is none
 */
struct qasm_suffixes {
	uint8_t condition;
	bool conditional, set_flags;
	uint8_t *pack, *unpack;
};

/* An assembly under way */
struct qasm {
	struct lang lang;		/* first, for qasm_of(); @now is one of @tokens */
	const char *from, *to;		/* the program, which may be a part of the text */
	const struct lang_frame *around;	/* of the job: macros that the program stands in */
	const struct lang_name *names;	/* that the text around it gives to numbers */
	size_t name_count;
	const struct v3dcl_asm_options *options;	/* or NULL */
	bool vc4asm;			/* the dialect */
	bool final;			/* the second reading */
	bool fatal;			/* no use in going on */
	struct v3dcl_error error;	/* what went wrong last */
	struct v3dcl_error *caller_error;	/* what went wrong first, or NULL */
	int first_code;
	struct v3dcl_buffer failures;	/* places of what went wrong */
	uint32_t error_count;
	struct lang_token *tokens;	/* of the line, LANG_END last */
	uint32_t token_count, token_room;
	uint32_t steps, scopes;
	bool in_data;
	uint8_t backs;			/* blocks of .back inside each other */
	int element;			/* -1 outside of per-element loads */
	bool operand;			/* in one: ">>" outside of parentheses is the rotation */
	bool conditional;		/* a destination may have a condition behind it */
	enum qasm_role role;		/* of the operand */
	struct qasm_result *result;	/* of the function whose lines are read */
	struct qasm_line *open;		/* the last instruction, if another may join it */
	bool is_open;
	struct qasm_symbol *symbols;
	uint32_t *slots;		/* hash table of indices + 1 into @symbols */
	uint32_t symbol_count, symbol_room, slot_count;
	struct v3dcl_buffer starts;	/* of lines: offsets */
	struct v3dcl_buffer code, lines, data, uniforms;
	uint32_t uniform_count;
	uint32_t code_count;
	uint32_t included_bytes;
};

/* What a function comes to: at most one of its lines is an expression */
struct qasm_result {
	struct lang_value value;
	bool found;
};

/* The assembly that reads a text */
static inline struct qasm *qasm_of(struct lang *l)
{
	return (struct qasm *)l;
}

/* builtin_macros.c */

/* Text of the macros that are always there; of what vc4.qinc has beside functions */
extern const char qasm_builtins[], qasm_vc4_names[];
extern const size_t qasm_builtins_length, qasm_vc4_names_length;

/* Does this stand there? */
static inline bool qasm_is_builtin(const char *at)
{
	return (at >= qasm_builtins && at <= qasm_builtins + qasm_builtins_length) ||
	       (at >= qasm_vc4_names && at <= qasm_vc4_names + qasm_vc4_names_length);
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
 * @options: or NULL
 * @assembly: set to what comes out, the caller's; its lines are counted from @from
 * Return: 0, or the errno that is in the text's error
 */
int qasm_assemble(const struct lang *whole, const char *from, const char *to,
		  const struct lang_name *names, size_t name_count,
		  const struct v3dcl_asm_options *options, struct v3dcl_assembly **assembly);

/* Says that there is no use in going on. Return: false */
__attribute__((format(printf, 3, 4)))
bool qasm_give_up(struct qasm *a, const char *at, const char *format, ...);

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

/* Tells the caller what went wrong. Return: may the rest be read all the same? */
bool qasm_report(struct qasm *a);

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

/* What the expansion at hand itself calls so, or NULL */
struct qasm_symbol *qasm_find_local(struct qasm *a, const struct lang_token *name);

/* The value that a name has by .set, or in an expansion; false if it has none here */
bool qasm_find_value(struct qasm *a, const struct lang_token *name, struct lang_value *value);

/* Give a name to something; only what .set made may change */
bool qasm_define(struct qasm *a, const struct lang_token *name, int kind, struct lang_value value);

/* How a number is given a name by .set and its kin */
enum qasm_set { QASM_ANEW = 0, QASM_FINAL = 1, QASM_LOCAL = 2 };

/* The same for .set, .const (QASM_FINAL), .lset and .lconst (QASM_LOCAL) */
bool qasm_define_set(struct qasm *a, const struct lang_token *name, int kind, unsigned int how,
		     struct lang_value value);

/* Where the label stands that a token names, ":1f" and ":1b" included; NULL: not known yet */
struct qasm_symbol *qasm_find_label(struct qasm *a, const struct lang_token *label);

/* A label with its colon, here */
bool qasm_define_label(struct qasm *a, const struct lang_token *label, struct lang_value value);

/* Do labels stand where the first reading found them? */
bool qasm_check_labels(struct qasm *a);

/* Labels that are there behind an instruction will move with what follows it: .back */
void qasm_mark_labels(struct qasm *a, uint32_t first);

/* They move by so many instructions. */
void qasm_move_labels(struct qasm *a, uint32_t by);

/* asm_expression.c */

/* What the level has for itself: see struct lang_level */
void qasm_advance(struct lang *l);
struct lang_value qasm_resolve(struct lang *l, const struct lang_token *name);
bool qasm_primary(struct lang *l, struct lang_value *value);
bool qasm_ends(const struct lang *l);

/* Evaluate what stands next */
bool qasm_expression(struct qasm *a, struct lang_value *value);

/* Does a value fit 32 bits, signed or not? Else says so */
bool qasm_fits_word(struct qasm *a, const char *at, const struct lang_value *value);

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

/* The end of the line, or a complaint */
bool qasm_end_of_line(struct qasm *a);

/* data.c */

/*
 * .byte and its kin: values of @size bytes, the lowest first; among instructions they make whole
 * words of 64 bits
 */
bool qasm_take_data(struct qasm *a, unsigned int size, bool real);
bool qasm_take_space(struct qasm *a);
bool qasm_take_align(struct qasm *a);

/* include.c */

/* .include "file" or <file>; its lines are read where it stands */
bool qasm_include(struct qasm *a);

/* Frees what was included */
void qasm_forget_included(struct qasm *a);

/* user_functions.c */

/* .func NAME(...) up to its .endf */
bool qasm_function(struct qasm *a, const char **at, const char *end);

/* NAME(...) EXPRESSION behind .set */
bool qasm_set_function(struct qasm *a, unsigned int how);

/* Of struct lang_level: the text's own functions, then vc4asm's */
bool qasm_call(struct lang *l, const struct lang_token *name, struct lang_value *value);

/* vc4_functions.c: vpm_setup() and its kin, tests for what a value is */
bool qasm_vc4_function(struct qasm *a, const struct lang_token *name, struct lang_value *value);

/* move_back.c */

/* .back COUNT: reads the lines up to .endb, whose instructions go before the last COUNT */
bool qasm_back(struct qasm *a, const char **at, const char *end);

/* .clone LABEL, COUNT: the instructions that stand there, once more */
bool qasm_clone(struct qasm *a);

/* registers.c */

struct lang_value qasm_register_value(const struct qasm_register *reg);
struct qasm_register qasm_value_register(const struct lang_value *value);

/* Does this token name a register, in the role at hand? Of ra[n], the number is not set. */
bool qasm_names_register(struct qasm *a, const struct lang_token *token, struct qasm_register *reg);

/* A register with its suffixes; @found false: none stands here */
bool qasm_take_register(struct qasm *a, struct qasm_register *reg, bool *found);

/* Suffixes that are a token of their own */
bool qasm_register_suffixes(struct qasm *a, struct qasm_register *reg);

/* Of struct lang_level */
struct lang_value qasm_operate(struct lang *l, const struct lang_token *op,
			       const struct lang_value *x, const struct lang_value *y);

/* Frees uniforms with their names */
void qasm_free_uniforms(struct v3dcl_uniform *uniforms, uint32_t count);

/* macro_directives.c */

/* The lines up to the one that ends a block begun by the line before @at; see macro_directives.c */
bool qasm_skip_block(struct qasm *a, const char **at, const char *end, const char *const *begins,
		     const char *const *ends, const char *const *others, struct lang_slice *body);

/* Read lines in an expansion of their own */
bool qasm_run(struct qasm *a, struct lang_frame *frame, const struct lang_slice *body);

/* .macro: remember it, up to its .endm */
bool qasm_macro(struct qasm *a, const char **at, const char *end);

/* .rept, or with the name first .rep: reads what is up to its end as often as it says */
bool qasm_repeat(struct qasm *a, const char **at, const char *end, bool name_first);

/* .foreach NAME, VALUE...: reads what is up to its end with each value */
bool qasm_for_each(struct qasm *a, const char **at, const char *end);

/* .local: reads what is up to its end with local names of its own */
bool qasm_local(struct qasm *a, const char **at, const char *end);

/* .if or .ifset, and what belongs to it */
bool qasm_if(struct qasm *a, const char **at, const char *end, bool is_set);

/* A macro is named where a mnemonic could be. @known: it is one */
bool qasm_expand(struct qasm *a, bool *known);

/* operands.c */

/* Bytes of a word before its first '.' */
uint32_t qasm_base_length(const struct lang_token *token);

/* What stands behind a mnemonic */
bool qasm_suffixes(struct qasm *a, const struct lang_token *token,
		   const struct qasm_name *conditions, struct qasm_suffixes *suffixes);

/* Does a destination stand next, with a comma behind it? */
bool qasm_is_destination(struct qasm *a);

/* A source operand */
bool qasm_source(struct qasm *a, struct qasm_operand *source);

/* A destination; @conditional: "r0.zs" may stand there */
bool qasm_destination(struct qasm *a, bool conditional, struct qasm_target *target);

/*
 * The condition of what has none. Where the caller asks for vc4asm's words, nothing is kept and no
 * flags are set, it is "never" (SW)
 */
uint8_t qasm_default_condition(const struct qasm *a, const struct v3dcl_qpu_operand *to,
			       bool set_flags);

/* instruction.c */

/* A line of instructions' parts to a word */
bool qasm_instruction(struct qasm *a);

/* No instruction joins the last one. */
static inline void qasm_close(struct qasm *a)
{
	a->is_open = false;
}

/* load_branch.c */

/**
 * qasm_load_branch() - a load, semaphore or branch whose mnemonic stands next.
 * @known: it is one
 */
bool qasm_load_branch(struct qasm *a, uint32_t length, struct v3d_qpu_inst *inst, bool *known);

#endif /* V3DCL_LANG_ASM_ASSEMBLER_H */
