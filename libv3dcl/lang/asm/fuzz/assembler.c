// SPDX-License-Identifier: MIT
/*
 * Any bytes to the assembler, the disassembler and the search for hazards. The first byte says what
 * the rest is: a text, or words. What may not happen: anything that a sanitizer sees, a text
 * accepted that is not the text of its own words, a word whose text is another's.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/param.h>

#include "fuzz.h"
#include "v3dcl_qpu.h"

struct fuzz_count fuzz_count;

static void fail(const char *what, const char *text, uint64_t a, uint64_t b)
{
	fprintf(stderr, "%s: 0x%016llx 0x%016llx\n%s\n", what, (unsigned long long)a,
		(unsigned long long)b, text);
	abort();
}

/* Words to a listing, and back */
static void check_code(const uint64_t *code, uint32_t count)
{
	struct v3dcl_buffer text = { 0 };
	struct v3dcl_assembly *again = NULL;
	struct v3dcl_error error = { .code = 0 };
	unsigned int kind;
	uint32_t i;

	v3dcl_disassemble_program(code, count, &text);
	if (v3dcl_assemble(NULL, (char *)text.bytes, text.size, &again, &error))
		fail(error.text, (char *)text.bytes, 0, 0);
	if (again->code_count != count)
		fail("another count", (char *)text.bytes, again->code_count, count);
	for (i = 0; i < count; i++)
		if (again->code[i] != code[i])
			fail("another word", (char *)text.bytes, again->code[i], code[i]);
	for (kind = V3DCL_USER_PROGRAM; kind <= V3DCL_COORDINATE_SHADER; kind++)
		fuzz_count.hazards += v3dcl_hazards(code, count, kind, NULL, NULL);
	fuzz_count.words += count;
	v3dcl_assembly_free(again);
	v3dcl_buffer_free(&text);
}

static void check_words(const uint8_t *data, size_t size)
{
	uint64_t code[512];
	uint32_t count = size / sizeof(*code);

	count = MIN(count, 512);
	memcpy(code, data, count * sizeof(*code));
	check_code(code, count);
}

static void check_text(const uint8_t *data, size_t size)
{
	struct v3dcl_assembly *assembly = NULL;
	struct v3dcl_error error = { .code = 0 };
	char *copy = malloc(size + !size);	/* so that one byte too far is seen */

	if (!copy)
		abort();
	memcpy(copy, data, size);
	if (v3dcl_assemble("fuzz", copy, size, &assembly, &error)) {
		fuzz_count.refused++;
		if (!error.code || !error.line || assembly)
			fail("refused without a place", error.text, error.code, error.line);
	} else {
		fuzz_count.accepted++;
		fuzz_count.instructions += assembly->code_count;
		if (assembly->code_count < 4096)
			check_code(assembly->code, assembly->code_count);
		v3dcl_assembly_free(assembly);
	}
	free(copy);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (!size)
		return 0;
	if (data[0] & 1)
		check_words(data + 1, size - 1);
	else
		check_text(data + 1, size - 1);
	return 0;
}
