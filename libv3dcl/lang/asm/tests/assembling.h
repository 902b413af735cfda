/* SPDX-License-Identifier: MIT */
/*
 * What the assembler's tests share.
 */
#ifndef V3DCL_LANG_ASM_TESTS_ASSEMBLING_H
#define V3DCL_LANG_ASM_TESTS_ASSEMBLING_H

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../../../base/helpers.h"
#include "v3dcl_qpu.h"

static inline uint64_t next_random(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state;
}

/* The assembly of a text that must be right */
static inline struct v3dcl_assembly *assemble(const char *source)
{
	struct v3dcl_assembly *assembly = NULL;
	struct v3dcl_error error = { .code = 0 };

	if (v3dcl_assemble("test", source, strlen(source), &assembly, &error))
		fail_msg("%s", error.text);
	return assembly;
}

/* The one word of a text that must be right */
static inline uint64_t word_of(const char *source)
{
	struct v3dcl_assembly *assembly = assemble(source);
	uint64_t word;

	assert_int_equal(assembly->code_count, 1);
	word = assembly->code[0];
	v3dcl_assembly_free(assembly);
	return word;
}

/* What is suggested is another word than the one that is refused. */
static inline void suggests_another(const char *text)
{
	static const char mean[] = "did you mean '";
	const char *suggested = strstr(text, mean), *word = strchr(text, '\'');
	size_t length;

	if (!suggested)
		return;
	suggested += strlen(mean);
	length = strcspn(suggested, "'");
	if (length == strcspn(++word, "'") && !strncmp(word, suggested, length))
		fail_msg("a word is suggested for itself: %s", text);
}

/* A text that must be wrong, with a piece of what is said of it, and where */
static inline void refused(const char *source, unsigned int line, unsigned int column,
			   const char *says)
{
	struct v3dcl_assembly *assembly = NULL;
	struct v3dcl_error error = { .code = 0 };

	if (!v3dcl_assemble("test", source, strlen(source), &assembly, &error))
		fail_msg("accepted: %s", source);
	assert_int_equal(error.code, -EINVAL);
	if (!strstr(error.text, says))
		fail_msg("'%s' is not in: %s", says, error.text);
	suggests_another(error.text);
	if (error.line != line || error.column != column)
		fail_msg("not at %u:%u: %s", line, column, error.text);
	assert_null(assembly);
}

#endif /* V3DCL_LANG_ASM_TESTS_ASSEMBLING_H */
