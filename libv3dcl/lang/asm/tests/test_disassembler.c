// SPDX-License-Identifier: MIT
/* Every word has a text that gives it back. */
#include "assembling.h"

/* Words, each by itself, to text; all texts to words again */
static void check_words(const uint64_t *words, uint32_t count)
{
	struct v3dcl_buffer text = { 0 };
	struct v3dcl_assembly *assembly;
	uint32_t i;

	for (i = 0; i < count; i++) {
		v3dcl_disassemble(words[i], &text);
		v3dcl_buffer_add(&text, "\n", 1);
	}
	assert_false(text.failed);
	assembly = assemble((char *)text.bytes);
	assert_int_equal(assembly->code_count, count);
	for (i = 0; i < count; i++) {
		if (assembly->code[i] != words[i]) {
			v3dcl_buffer_free(&text);
			v3dcl_disassemble(words[i], &text);
			fail_msg("0x%016llx is '%s', which is 0x%016llx",
				 (unsigned long long)words[i], text.bytes,
				 (unsigned long long)assembly->code[i]);
		}
		assert_int_equal(assembly->lines[i], i + 1);
	}
	v3dcl_assembly_free(assembly);
	v3dcl_buffer_free(&text);
}

#define BATCH 4096

static void test_random(void **state)
{
	static uint64_t words[BATCH];
	uint64_t seed = 0x9e3779b97f4a7c15u;
	unsigned int batch, i;

	(void)state;
	for (batch = 0; batch < 50; batch++) {
		for (i = 0; i < BATCH; i++) {
			words[i] = next_random(&seed);
			/*
			 * Every signal's kind as often as random ones: loads, branches, small
			 * immediates
			 */
			if (i % 4 == 1)
				words[i] = words[i] << 4 >> 4 | (uint64_t)(13 + i / 4 % 3) << 60;
		}
		check_words(words, BATCH);
	}
}

/*
 * Fields by their position in AG100 Figures 4 to 7: every value of each, in words that say
 * something and in empty ones
 */
static void test_fields(void **state)
{
	static const uint8_t fields[][2] = {
		{ 60, 4 }, { 57, 3 }, { 56, 1 }, { 52, 4 }, { 49, 3 }, { 46, 3 }, { 45, 1 },
		{ 44, 1 }, { 38, 6 }, { 32, 6 }, { 29, 3 }, { 24, 5 }, { 18, 6 }, { 12, 6 },
		{ 9, 3 }, { 6, 3 }, { 3, 3 }, { 0, 3 }, { 45, 5 }, { 50, 1 }, { 51, 1 },
	};
	static const uint64_t bases[] = {
		0x100009e7009e7000, 0x10024c2095020dbf, 0x114258a095827d80, 0xd00208278d9c1dd3,
		0xe0020827deadbeef,
		0xe2020827deadbeef,
		0xe80009e700000003, 0xf0f809e700000038, 0xf0f409e7ffffff00, 0, ~0ull,
		0xd1f24da0945b1de5,
	};
	static uint64_t words[4096];
	uint32_t count = 0;
	size_t b, f;
	uint64_t v;

	(void)state;
	for (b = 0; b < COUNT(bases); b++) {
		for (f = 0; f < COUNT(fields); f++) {
			const uint64_t mask = ((1ull << fields[f][1]) - 1) << fields[f][0];

			for (v = 0; v < 1ull << fields[f][1]; v++)
				words[count++] = (bases[b] & ~mask) | v << fields[f][0];
		}
		check_words(words, count);
		count = 0;
	}
}

/* Two fields at once: all that share ports, packs and swaps */
static void test_pairs(void **state)
{
	static uint64_t words[1 << 16];
	unsigned int i;

	(void)state;
	/*
	 * Four muxes, pm, unpack of three values, on an fadd and an fmul; then signal, swap and
	 * destinations
	 */
	for (i = 0; i < 1 << 16; i++)
		words[i] = 0x10024c20219c1000 | (i & 0xfff) | (uint64_t)(i >> 12 & 7) << 56 |
			   (uint64_t)(i >> 15) << 44;
	check_words(words, 1 << 16);
	for (i = 0; i < 1 << 14; i++)
		words[i] = 0x10024000359c1d80 | (uint64_t)(i & 0xf) << 52 |
			   (uint64_t)(i >> 4 & 3) << 44 | (uint64_t)(i >> 6 & 3) << 36 |
			   (uint64_t)(i >> 8 & 1) << 56 | (uint64_t)(i >> 9 & 0x1f) << 38;
	check_words(words, 1 << 14);
}

/* A program with branches to itself becomes labels, and words again. */
static void test_program(void **state)
{
	static const uint64_t code[] = {
		0x10020827159e7000, 0xf0f809e7ffffffe0 /* to 1 */,
		0xf01809e700000008, 0xf05809e700000000 /* to 7, the end */,
		0xf0f809e70badcafe, 0xf0b809e7ffffff00 /* before the program */,
		0xf00c09e7ffffffe8,
	};
	struct v3dcl_buffer text = { 0 };
	struct v3dcl_assembly *assembly;

	(void)state;
	v3dcl_disassemble_program(code, COUNT(code), &text);
	assert_non_null(strstr((char *)text.bytes, "L1:\n\tbrr L1\n"));
	assert_non_null(strstr((char *)text.bytes, "L7:\n"));
	assembly = assemble((char *)text.bytes);
	assert_int_equal(assembly->code_count, COUNT(code));
	assert_memory_equal(assembly->code, code, sizeof(code));
	v3dcl_assembly_free(assembly);
	v3dcl_buffer_free(&text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_random),
		cmocka_unit_test(test_fields),
		cmocka_unit_test(test_pairs),
		cmocka_unit_test(test_program),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
