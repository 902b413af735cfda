// SPDX-License-Identifier: MIT
/* The assembler: lines, labels, and the two readings. */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../base/options.h"
#include "assembler.h"

bool qasm_fail(struct qasm *a, const char *at, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	lang_vfail(&a->lang, -EINVAL, at, format, args);
	va_end(args);
	return false;
}

bool qasm_give_up(struct qasm *a, const char *at, const char *format, ...)
{
	va_list args;

	a->fatal = true;
	va_start(args, format);
	lang_vfail(&a->lang, -EINVAL, at, format, args);
	va_end(args);
	return false;
}

bool qasm_no_memory(struct qasm *a)
{
	a->fatal = true;
	return lang_no_memory(&a->lang);
}

bool qasm_accept(struct qasm *a, unsigned int kind)
{
	return lang_accept(&a->lang, kind);
}

bool qasm_expect(struct qasm *a, unsigned int kind, const char *what)
{
	return lang_expect(&a->lang, kind, what);
}

bool qasm_is(const struct lang_token *token, const char *word)
{
	return token->kind == LANG_WORD && lang_same(word, token->at, token->length);
}

/* Offsets of the lines' first bytes */
static bool find_lines(struct qasm *a)
{
	uint32_t start = 0;
	const char *at = a->from, *end = a->to;

	while (v3dcl_buffer_add(&a->starts, &start, sizeof(start))) {
		at = at < end ? memchr(at, '\n', end - at) : NULL;
		if (!at)
			return true;
		start = ++at - a->from;
	}
	return qasm_no_memory(a);
}

/* From the program's first line, 1 */
static uint32_t line_of(const struct qasm *a, const char *at)
{
	const uint32_t *starts = (const uint32_t *)a->starts.bytes;
	uint32_t low = 0, high = a->starts.size / sizeof(*starts);

	while (high - low > 1) {
		const uint32_t middle = low + (high - low) / 2;

		if (starts[middle] <= (size_t)(at - a->from))
			low = middle;
		else
			high = middle;
	}
	return low + 1;
}

/* Of what stands elsewhere: where the program asks for it */
static const char *place_in_program(const struct qasm *a, const char *at)
{
	const struct lang_frame *frame = a->lang.frame;

	while (frame && (at < a->from || at > a->to)) {
		at = frame->at;
		frame = frame->up;
	}
	return at < a->from || at > a->to ? a->from : at;
}

bool qasm_emit(struct qasm *a, uint64_t word, const char *at)
{
	const uint32_t line = line_of(a, place_in_program(a, at));

	if (a->code_count >= QASM_MAX_CODE)
		return qasm_give_up(a, at, "more than %u instructions", QASM_MAX_CODE);
	a->code_count++;
	qasm_close(a);
	if (!a->final)
		return true;
	v3dcl_buffer_add(&a->code, &word, sizeof(word));
	v3dcl_buffer_add(&a->lines, &line, sizeof(line));
	return !(a->code.failed || a->lines.failed) || qasm_no_memory(a);
}

static bool take_label(struct qasm *a)
{
	const struct lang_token *name = qasm_peek(a);
	struct lang_value value = { .kind = LANG_INTEGER, .code = !a->in_data };
	bool ok;

	if (name->kind != LANG_LABEL && name->kind != ':' &&
	    (name->kind != LANG_WORD || name[1].kind != ':'))
		return true;
	value.integer =
		a->in_data ? a->data.size : (uint64_t)a->code_count * V3D_QPU_INSTRUCTION_BYTES;
	a->lang.now += name->kind == LANG_WORD ? 2 : 1;
	qasm_close(a);
	/* A colon alone only keeps instructions apart. */
	ok = name->kind == ':' ? true :
	     name->kind == LANG_LABEL ? qasm_define_label(a, name, value) :
		qasm_define(a, name, a->in_data ? QASM_DATA_LABEL : QASM_LABEL, value);
	return ok && take_label(a);
}

/* A line of a function that is no directive is what it comes to. */
static bool take_result(struct qasm *a)
{
	const char *at = qasm_peek(a)->at;

	if (a->result->found)
		return qasm_fail(a, at, "a function has one expression; this is a second");
	a->result->found = true;
	return qasm_expression(a, &a->result->value) && qasm_end_of_line(a);
}

static bool statement(struct qasm *a, const char **at, const char *end)
{
	const struct lang_token *first;
	bool known;

	if (!take_label(a))
		return false;
	first = qasm_peek(a);
	if (first->kind == LANG_END)
		return true;
	if (first->kind == LANG_WORD && *first->at == '.')
		return qasm_directive(a, at, end);
	if (a->result)
		return take_result(a);
	if (!qasm_expand(a, &known) || known)
		return !a->lang.status;
	if (a->in_data)
		return qasm_fail(a, first->at,
				 "an instruction among data; .text leads back to the program");
	return qasm_instruction(a);
}

bool qasm_step(struct qasm *a, const char *at, size_t bytes)
{
	a->steps += 1 + bytes / 64;
	return a->steps <= QASM_MAX_STEPS ||
	       qasm_give_up(a, at, "this text asks for too much: more than %u lines",
			    QASM_MAX_STEPS);
}

/* Both readings come by the same mistake. */
static bool is_new(const struct qasm *a, const char *at)
{
	const char *const *places = (const char *const *)a->failures.bytes;
	size_t i;

	for (i = 0; i < a->failures.size / sizeof(*places); i++)
		if (places[i] == at)
			return false;
	return true;
}

bool qasm_report(struct qasm *a)
{
	const struct v3dcl_asm_options *options = a->options;
	const char *at = a->lang.failed_at;

	if (is_new(a, at)) {
		if (!a->error_count++) {
			a->first_code = a->error.code;
			if (a->caller_error)
				*a->caller_error = a->error;
		}
		if (options && options->each_error)
			options->each_error(options->opaque, &a->error);
		v3dcl_buffer_add(&a->failures, &at, sizeof(at));
	}
	if (a->fatal || a->result || a->lang.status != -EINVAL || !options ||
	    !options->each_error || a->failures.failed || a->error_count >= QASM_MAX_ERRORS)
		return false;
	a->lang.status = 0;
	return true;
}

bool qasm_block(struct qasm *a, const char *at, const char *end)
{
	const struct lang before = a->lang;

	while (at < end) {
		if (qasm_lex(a, &at, end) && statement(a, &at, end))
			continue;
		if (!qasm_report(a))
			return false;
		/* What the line had begun */
		a->lang.frame = before.frame;
		a->lang.depth = before.depth;
		a->lang.inside = before.inside;
		a->lang.choices = before.choices;
		a->element = -1;
		a->operand = false;
		a->role = QASM_ANY_ROLE;
		qasm_close(a);
	}
	return true;
}

/*
 * Numbers of the text that the program stands in, as .set would give them; addresses are none of
 * the program's
 */
static bool take_names(struct qasm *a)
{
	struct qasm_symbol *symbol;
	size_t i;

	for (i = 0; i < a->name_count; i++) {
		const struct lang_token name = { .kind = LANG_WORD,
						 .length = a->names[i].length,
						 .at = a->names[i].text };

		symbol = a->names[i].value.kind == LANG_ADDRESS ? qasm_lookup(a, &name) : NULL;
		if (symbol && symbol->kind == QASM_SET)
			symbol->defined = false;
		if (a->names[i].value.kind != LANG_ADDRESS &&
		    !qasm_define(a, &name, QASM_SET, a->names[i].value))
			return false;
	}
	return true;
}

static bool read_once(struct qasm *a, bool final)
{
	uint32_t i;

	for (i = 0; i < a->symbol_count; i++)
		a->symbols[i].defined = false;
	a->final = final;
	a->code_count = 0;
	a->data.size = 0;
	a->steps = 0;
	a->scopes = 0;
	a->lang.macro_count = 0;
	a->uniform_count = 0;
	a->in_data = false;
	a->vc4asm = a->options && a->options->vc4asm;
	qasm_close(a);
	return qasm_block(a, qasm_builtins, qasm_builtins + qasm_builtins_length) &&
	       take_names(a) && qasm_block(a, a->from, a->to);
}

static void forget(struct qasm *a)
{
	uint32_t i;

	for (i = 0; i < a->symbol_count; i++)
		free(a->symbols[i].name);
	free(a->symbols);
	free(a->slots);
	free(a->tokens);
	free(a->open);
	free(a->lang.macros);
	qasm_forget_included(a);
	v3dcl_buffer_free(&a->failures);
	qasm_free_uniforms((struct v3dcl_uniform *)a->uniforms.bytes,
			   a->uniforms.size / sizeof(struct v3dcl_uniform));
	v3dcl_buffer_free(&a->starts);
	v3dcl_buffer_free(&a->code);
	v3dcl_buffer_free(&a->lines);
	v3dcl_buffer_free(&a->data);
}

static int by_name(const void *a, const void *b)
{
	return strcmp(((const struct v3dcl_symbol *)a)->name,
		      ((const struct v3dcl_symbol *)b)->name);
}

/* Names that others may want: all but numbers and local ones; the texts change owner */
static bool export_symbols(struct qasm *a, struct v3dcl_assembly *out)
{
	uint32_t i;

	out->symbols = calloc(a->symbol_count + 1, sizeof(*out->symbols));
	if (!out->symbols)
		return qasm_no_memory(a);
	for (i = 0; i < a->symbol_count; i++) {
		struct qasm_symbol *s = &a->symbols[i];
		const uint32_t scale = s->kind == QASM_LABEL ? V3D_QPU_INSTRUCTION_BYTES : 1;

		if (s->kind == QASM_SET || s->kind == QASM_MACRO || s->kind == QASM_FUNCTION ||
		    *s->name == '.' || s->scope & QASM_NUMBERED)
			continue;
		out->symbols[out->symbol_count++] = (struct v3dcl_symbol){
			.name = s->name,
			.value = s->value.integer / scale,
			.kind = s->kind == QASM_LABEL ? V3DCL_SYMBOL_LABEL :
				s->kind == QASM_UNIFORM ? V3DCL_SYMBOL_UNIFORM : V3DCL_SYMBOL_DATA,
		};
		s->name = NULL;
	}
	qsort(out->symbols, out->symbol_count, sizeof(*out->symbols), by_name);
	return true;
}

static void *take(struct v3dcl_buffer *buffer)
{
	void *bytes = buffer->bytes;

	*buffer = (struct v3dcl_buffer){ 0 };
	return bytes;
}

static bool export(struct qasm *a, struct v3dcl_assembly **assembly)
{
	struct v3dcl_assembly *out = calloc(1, sizeof(*out));

	if (!out)
		return qasm_no_memory(a);
	if (!export_symbols(a, out)) {
		free(out);
		return false;
	}
	out->code_count = a->code_count;
	out->data_size = a->data.size;
	out->code = take(&a->code);
	out->lines = take(&a->lines);
	out->data = take(&a->data);
	out->uniform_count = a->uniforms.size / sizeof(*out->uniforms);
	out->uniforms = take(&a->uniforms);
	*assembly = out;
	return true;
}

int qasm_assemble(const struct lang *whole, const char *from, const char *to,
		  const struct lang_name *names, size_t name_count,
		  const struct v3dcl_asm_options *options, struct v3dcl_assembly **assembly)
{
	static const struct lang_level level = {
		.advance = qasm_advance,
		.resolve = qasm_resolve,
		.primary = qasm_primary,
		.call = qasm_call,
		.operate = qasm_operate,
		.ends = qasm_ends,
	};
	struct qasm a = {
		.lang = {
			.level = &level, .name = whole->name,
			.source = whole->source, .length = whole->length,
			.too_much = -EINVAL, .frame = whole->frame,
		},
		.from = from, .to = to, .around = whole->frame,
		.names = names, .name_count = name_count, .element = -1,
		.options = options, .caller_error = whole->error,
	};
	int status;

	a.lang.error = &a.error;
	if (!find_lines(&a) || !read_once(&a, false) || !read_once(&a, true) ||
	    (!a.error_count && (!qasm_check_labels(&a) || !export(&a, assembly))))
		qasm_report(&a);
	status = a.error_count ? a.first_code : 0;
	forget(&a);
	return status;
}

int v3dcl_assemble_with(const struct v3dcl_asm_options *options, const char *name,
			const char *source, size_t length, struct v3dcl_assembly **assembly,
			struct v3dcl_error *error)
{
	struct lang whole = { .name = name, .error = error };
	struct v3dcl_asm_options known;
	int ret = options_take(&known, sizeof(known), options, "v3dcl_asm_options", error);

	if (ret)
		return ret;
	if (length > QASM_MAX_TEXT)
		return v3dcl_fail(error, -EINVAL, "a text of %zu bytes is longer than %u", length,
				  QASM_MAX_TEXT);
	lang_skip_mark(&source, &length);
	whole.source = length ? source : "";
	whole.length = length;
	return qasm_assemble(&whole, whole.source, whole.source + length, NULL, 0,
			     options ? &known : NULL, assembly);
}

int v3dcl_assemble(const char *name, const char *source, size_t length,
		   struct v3dcl_assembly **assembly, struct v3dcl_error *error)
{
	return v3dcl_assemble_with(NULL, name, source, length, assembly, error);
}

void v3dcl_assembly_free(struct v3dcl_assembly *assembly)
{
	uint32_t i;

	if (!assembly)
		return;
	for (i = 0; i < assembly->symbol_count; i++)
		free((char *)assembly->symbols[i].name);
	free(assembly->symbols);
	qasm_free_uniforms(assembly->uniforms, assembly->uniform_count);
	free(assembly->code);
	free(assembly->lines);
	free(assembly->data);
	free(assembly);
}
