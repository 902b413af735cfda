/* SPDX-License-Identifier: MIT */
/*
 * The language, as far as its two levels share it: whole jobs (text/) and the programs in them
 * (asm/). Tokens, expressions, functions, set-up words, and how a text is refused.
 *
 * Every token points into the text that the caller gave, so whatever is wrong has a line and a
 * column. What was wrong first is kept in @status; from then on every function does nothing, and
 * the token at hand is the end.
 */
#ifndef V3DCL_LANG_H
#define V3DCL_LANG_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <v3d/packets.h>

#include "../cl/choices.h"
#include "../cl/described.h"
#include "v3dcl_error.h"

/*
 * Levels of blocks, macros, repetitions, parentheses inside each other, so that none exhausts the
 * stack
 */
#define LANG_MOST_DEPTH 64u

/**
 * enum lang_token_kind - what a token is; punctuation of one character is that character
 * @LANG_END: the end of the text, of a line of a program, or of what can be read after an error
 * @LANG_LINE: the end of a statement, of a job: its line's or a semicolon
 * @LANG_WORD: a name or a word of the language
 * @LANG_SUFFIX: of a program: ".8a" behind ra[3] or behind a macro's parameter
 * @LANG_LABEL: of a program: a label with the colon before it
 * @LANG_INT: a whole number
 * @LANG_FLOAT: a number with a point or an exponent
 * @LANG_STRING: with its quotes
 */
enum lang_token_kind {
	LANG_END = 0, LANG_LINE = 256, LANG_WORD, LANG_SUFFIX, LANG_LABEL, LANG_INT, LANG_FLOAT,
	LANG_STRING, LANG_SHL, LANG_SHR, LANG_SHR_ZEROS, LANG_LE, LANG_GE, LANG_EQ, LANG_NE,
	LANG_AND, LANG_OR, LANG_XOR, LANG_POWER
};

/* A piece of the text */
struct lang_slice {
	const char *at, *end;
};

#define LANG_MOST_PARAMETERS 16u

/**
 * struct lang_macro - a macro: the names of its parameters, what they are when not given, what
 * stands in it
 */
struct lang_macro {
	struct lang_slice name, body;
	struct lang_slice parameters[LANG_MOST_PARAMETERS], defaults[LANG_MOST_PARAMETERS];
	uint32_t count;
};

/**
 * struct lang_value - what an expression comes to
 * @kind: an integer, a real number, 32 bits that stay as they are, or an address; of a program,
 *	a register or two bits for each element
 * @code: of an integer: bytes from the start of a program, which is where an instruction stands
 * @unknown: a name is in it that is given later
 * @written: an integer that the text has as it is
 * @cut: a division of two of these in it had a remainder
 * @integer: of an integer and of bits; offset of an address; of what a program has, the level's
 *	own description
 * @real: of a real number
 * @thing: of an address: index of what it is in
 * @flags: of an address: DRM_V3DCL_RELOC_*, 0 where nothing was said
 */
struct lang_value {
	enum lang_kind {
		LANG_INTEGER, LANG_REAL, LANG_BITS, LANG_ADDRESS, LANG_REGISTER, LANG_ELEMENTS
	} kind;
	bool code, unknown, written, cut;
	int64_t integer;
	double real;
	uint32_t thing, flags;
};

/* A name for a value: a constant, the counter of a repetition */
struct lang_name {
	const char *text;
	uint32_t length;
	struct lang_value value;
};

/**
 * struct lang_source - a text that another one includes
 * @name: for messages
 * @text: of @length bytes, which stay where they are
 * @length: see @text
 * @next: another one
 */
struct lang_source {
	char *name, *text;
	size_t length;
	struct lang_source *next;
};

/**
 * struct lang_frame - an expansion under way
 * @macro: of a macro; NULL: one turn of a repetition, a function, an included text
 * @arguments: for its parameters
 * @file: of an included text
 * @function: it is a function's, which sees no parameters but its own
 * @bound: names that stand for values in it: the turn's number, a function's parameters
 * @bound_count: of @bound
 * @up: where it was asked for
 * @at: and the place in the text
 * @scope: of a program: of its local names
 */
struct lang_frame {
	const struct lang_macro *macro;
	struct lang_slice arguments[LANG_MOST_PARAMETERS];
	const struct lang_source *file;
	bool function;
	const struct lang_name *bound;
	uint32_t bound_count;
	struct lang_frame *up;
	const char *at;
	uint32_t scope;
};

/**
 * struct lang_token - a piece of the text
 * @kind: enum lang_token_kind or a character
 * @length: bytes
 * @at: where it stands
 * @frame: the expansion of a macro that it stands in, or NULL
 * @integer: of a LANG_INT
 * @real: of a LANG_FLOAT
 */
struct lang_token {
	uint16_t kind;
	uint32_t length;
	const char *at;
	const struct lang_frame *frame;
	union {
		int64_t integer;
		double real;
	};
};

/**
 * struct lang_compared - a comparison in an expression
 * @op: where its operator stands, or NULL
 * @length: of that
 * @x: left of it
 * @y: right of it
 * @so: it holds
 */
struct lang_compared {
	const char *op;
	uint32_t length;
	struct lang_value x, y;
	bool so;
};

struct lang;

/**
 * struct lang_level - what each of the two levels has for itself
 * @advance: go to the next token
 * @resolve: the value of a name, or a refusal
 * @primary: what only this level has where a number may stand: its value, if one stands there;
 *	or NULL
 * @call: a function of the text's own or of this level, if it has one of this name; '(' is at
 *	hand; or NULL
 * @operate: an operation on a register or elements; NULL where there are none
 * @ends: is the operator at hand none of the expression's?
 * @size: bytes of a thing; NULL where there are no addresses
 * @blocks: braces are blocks, and no argument of a macro has any
 */
struct lang_level {
	void (*advance)(struct lang *l);
	struct lang_value (*resolve)(struct lang *l, const struct lang_token *name);
	bool (*primary)(struct lang *l, struct lang_value *value);
	bool (*call)(struct lang *l, const struct lang_token *name, struct lang_value *value);
	struct lang_value (*operate)(struct lang *l, const struct lang_token *op,
				     const struct lang_value *x, const struct lang_value *y);
	bool (*ends)(const struct lang *l);
	uint32_t (*size)(const struct lang *l, uint32_t thing);
	bool blocks;
};

/**
 * struct lang - a text being read
 * @level: job or program
 * @name: of the text, for messages, or NULL
 * @source: the text
 * @length: of it
 * @included: texts that it includes
 * @error: the caller's, or NULL
 * @status: 0, or the errno of the first thing that went wrong
 * @too_much: the errno of a text that asks for too much
 * @failed_at: where it was, once something has gone wrong
 * @now: the token at hand
 * @inside: in how many parentheses it is
 * @depth: levels inside each other, of all kinds
 * @choices: names of the values of the field at hand, or NULL
 * @frame: the innermost expansion, or NULL
 * @compared: in the expressions read so far
 * @macros: that the text has made so far
 * @macro_count: of @macros
 * @macro_room: there is for so many
 */
struct lang {
	const struct lang_level *level;
	const char *name, *source;
	size_t length;
	struct lang_source *included;
	struct v3dcl_error *error;
	int status, too_much;
	const char *failed_at;
	struct lang_token *now;
	unsigned int inside, depth;
	const struct cl_choice *choices;
	struct lang_frame *frame;
	struct lang_compared compared;
	struct lang_macro *macros;
	uint32_t macro_count, macro_room;
};

/* lang.c */

/**
 * lang_vfail() - what is wrong at a place in the text, if it is the first thing; the token at hand
 * becomes the end
 */
__attribute__((format(printf, 4, 0)))
void lang_vfail(struct lang *l, int code, const char *at, const char *format, va_list args);

/* The same, as printf(). Return: false */
__attribute__((format(printf, 4, 5)))
bool lang_fail(struct lang *l, int code, const char *at, const char *format, ...);

/* Says so, once. Return: false */
bool lang_no_memory(struct lang *l);

/* Take a token of this kind, if it is at hand */
bool lang_accept(struct lang *l, unsigned int kind);

/**
 * lang_expect() - take a token of this kind, or fail.
 * @what: what should be there, for the message.
 *
 * Return: false: it failed
 */
bool lang_expect(struct lang *l, unsigned int kind, const char *what);

/**
 * lang_enter() - one level deeper; the caller takes it from @depth again.
 *
 * Return: false: that is too deep
 */
bool lang_enter(struct lang *l);

/* A letter's small one, in any locale */
char lang_lower(char c);

/* Are @length bytes at @text this word of the language, in any case of letters? */
bool lang_same(const char *word, const char *text, size_t length);

/* lexer.c */

/**
 * lang_skip_blanks() - behind blanks, comments and joined lines.
 * @lines: behind ends of lines, too
 */
const char *lang_skip_blanks(const char *at, const char *end, bool lines);

/**
 * lang_line_end() - the end of a line, with the lines that a backslash joins to it: its newline, or
 * @end
 */
const char *lang_line_end(const char *at, const char *end);

/* Behind a string, or behind one byte of anything else */
const char *lang_skip_piece(const char *at, const char *end);

/**
 * lang_lex() - the token at @token->at, which is no blank
 * @end: of the text
 * @suffix: what begins with a point is a LANG_SUFFIX
 * @token: its kind, length and number are set
 * Return: false: there is none, and that has been said
 */
bool lang_lex(struct lang *l, const char *end, bool suffix, struct lang_token *token);

/* Is it a whole number with a 0 in front, which programs read as octal? */
bool lang_has_leading_zero(const struct lang_token *token);

/* Such a number in the text of a job, refused. Return: false */
bool lang_fail_leading_zero(struct lang *l, const struct lang_token *token);

/* expression.c */

static inline struct lang_value lang_integer(int64_t value)
{
	return (struct lang_value){ .kind = LANG_INTEGER, .integer = value };
}

static inline struct lang_value lang_real(double value)
{
	return (struct lang_value){ .kind = LANG_REAL, .real = value };
}

static inline struct lang_value lang_bits(uint32_t value)
{
	return (struct lang_value){ .kind = LANG_BITS, .integer = value };
}

/**
 * lang_is_integer() - is it a whole number, or bits, which are one where a whole number is
 * expected?
 */
static inline bool lang_is_integer(const struct lang_value *value)
{
	return value->kind == LANG_INTEGER || value->kind == LANG_BITS;
}

/* Is it a number of any kind? */
static inline bool lang_is_number(const struct lang_value *value)
{
	return value->kind <= LANG_BITS;
}

/* What a value that is no number is, for messages */
static inline const char *lang_kind_text(const struct lang_value *value)
{
	return value->kind == LANG_ADDRESS ? "an address" :
	       value->kind == LANG_REGISTER ? "a register" : "a list of elements";
}

/* A number as a real one; bits are a float's */
double lang_as_real(const struct lang_value *value);

/* A number as 32 bits: a real one as a float's */
uint32_t lang_as_bits(const struct lang_value *value);

/* A number as a float's 32 bits */
uint32_t lang_float_bits(const struct lang_value *value);

/* Is a number another than 0? */
bool lang_is_true(const struct lang_value *value);

/* The value of what stands next; 0 after an error */
struct lang_value lang_expression(struct lang *l);

/* functions.c */

/* The value of a function: its name has been read, and '(' is at hand */
struct lang_value lang_function(struct lang *l, const struct lang_token *name);

/**
 * lang_arguments() - the values in a function's parentheses; '(' is at hand
 * @values: room for @most
 * @unknown: set: a name that is given later is in one of them
 * Return: how many there are
 */
unsigned int lang_arguments(struct lang *l, struct lang_value *values, unsigned int most,
			    bool *unknown);

/* macros.c */

/* Are @length bytes at @text those of @slice? */
bool lang_slice_is(const struct lang_slice *slice, const char *text, size_t length);

/* The included text that a place is in, or NULL */
const struct lang_source *lang_included(const struct lang *l, const char *at);

/**
 * lang_place() - a place; of what stands in the library's own macros: where the text asked for them
 */
const char *lang_place(const struct lang *l, const char *at);

/* NAME [= DEFAULT], ... of a macro */
bool lang_take_parameters(struct lang *l, struct lang_macro *macro);

/**
 * lang_add_macro() - remember a macro. Frames hold pointers to them: there is none while one is
 * made
 */
bool lang_add_macro(struct lang *l, const struct lang_macro *macro);

/**
 * lang_argument() - is this word the name of a parameter?
 * @slice: set to what stands for it
 * @up: set to the expansion that this belongs to
 */
bool lang_argument(const struct lang_frame *frame, const char *at, uint32_t length,
		   struct lang_slice *slice, struct lang_frame **up);

/**
 * lang_take_arguments() - what a macro is given
 * @at: behind its name; moves behind the last argument
 * @end: of what can be one
 * @frame: its arguments are set
 */
bool lang_take_arguments(struct lang *l, const struct lang_macro *macro, const char **at,
			 const char *end, struct lang_frame *frame);

/**
 * lang_expand() - read the body of a macro, or one turn of a repetition, in a frame.
 *
 * Return: what @body returns
 */
bool lang_expand(struct lang *l, struct lang_frame *frame,
		 bool (*body)(struct lang *l, void *opaque), void *opaque);

/* setup_words.c */

/* A word that a program hands to a unit, uapi/v3d/words.h, by its name, or NULL */
const struct cl_described *lang_find_word(const char *text, size_t length);

/* A field of a word by its name, or NULL */
const struct v3d_field *lang_find_field(const struct cl_described *word, const char *text,
					size_t length);

/**
 * lang_word_field() - the field whose name is at hand, taken, with '='; or NULL, and that has been
 * said
 */
const struct v3d_field *lang_word_field(struct lang *l, const struct cl_described *word,
					uint32_t *given);

/* A number into its field of the word @bits. @at: where it stands */
void lang_word_put(struct lang *l, const struct v3d_field *field, const struct cl_described *word,
		   const struct lang_value *value, const char *at, uint32_t *bits);

/* Goes past the bytes at a text's start by which editors mark UTF-8 */
void lang_skip_mark(const char **text, size_t *length);

/* A word by its fields in parentheses; '(' is at hand */
struct lang_value lang_setup_word(struct lang *l, const struct cl_described *word);

#endif /* V3DCL_LANG_H */
