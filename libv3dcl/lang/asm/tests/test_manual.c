// SPDX-License-Identifier: MIT
/*
 * The manual's tables against uapi/v3d/qpu.h and the rules: every name there is, with its number,
 * and none that is not.
 */
#include "assembling.h"

static char *manual;

static int read_manual(void **state)
{
	FILE *file = fopen(MANUAL, "rb");
	size_t size;

	(void)state;
	manual = calloc(1, 1 << 20);
	if (!file || !manual)
		return -1;
	size = fread(manual, 1, (1 << 20) - 1, file);
	fclose(file);
	return size ? 0 : -1;
}

static int forget_manual(void **state)
{
	(void)state;
	free(manual);
	return 0;
}

/* Rows of the table under a heading */
static unsigned int rows_of(const char *heading, const char *until)
{
	const char *from = strstr(manual, heading), *to = from ? strstr(from, until) : NULL;
	unsigned int rows = 0;

	assert_non_null(to);
	while ((from = strstr(from, "\n   ``")) && from < to) {
		rows++;
		from++;
	}
	return rows;
}

/* A row may go on in the next line, further in */
static bool stands_at(const char *at, const char *row)
{
	for (; *row; row++) {
		if (*at != *row && !(*at == '\n' && *row == ' '))
			return false;
		if (*at++ == '\n')
			at += strspn(at, " ");
	}
	return true;
}

__attribute__((format(printf, 1, 2)))
static void expect(const char *format, ...)
{
	const char *at = manual;
	char row[200];
	va_list args;

	va_start(args, format);
	vsnprintf(row, sizeof(row), format, args);
	va_end(args);
	while (*at && !stands_at(at, row))
		at++;
	if (!*at)
		fail_msg("the manual has no row '%s'", row);
}

#define ADD_ROW(value, name, operands, text) \
	expect("``" text "``, add, %u, %u,", value, operands), rows++;
#define MUL_ROW(value, name, operands, text) \
	expect("``" text "``, mul, %u, %u,", value, operands), rows++;

static void test_operations(void **state)
{
	unsigned int rows = 0;

	(void)state;
	V3D_QPU_ADD_OPS(ADD_ROW)
	V3D_QPU_MUL_OPS(MUL_ROW)
	assert_int_equal(rows_of("header: mnemonic", "Other instructions:"), rows);
}

#define NAMED_ROW(value, name, text) \
	if (*(text) || (value) == (unnamed)) \
		expect("``%s``, %u", *(text) ? (text) : "always", value), rows++;

static void test_signals(void **state)
{
	const int unnamed = -1;
	unsigned int rows = 0;

	(void)state;
	V3D_QPU_SIGNALS(NAMED_ROW)
	assert_int_equal(rows_of("header: signal", "Registers\n---"), rows);
}

static void test_conditions(void **state)
{
	int unnamed = V3D_QPU_COND_ALWAYS;
	unsigned int rows = 0;

	(void)state;
	V3D_QPU_CONDITIONS(NAMED_ROW)
	assert_int_equal(rows_of("header: condition", "Of branches"), rows);
	rows = 0;
	unnamed = V3D_QPU_BRANCH_ALWAYS;
	V3D_QPU_BRANCH_CONDITIONS(NAMED_ROW)
	assert_int_equal(rows_of("Of branches, over", "(In some old"), rows);
}

#define REGISTER_ROW(value, name, a, b) \
	if (!strcmp(a, b)) { \
		expect("``" a "``, %u, A B,", value); \
	} else { \
		expect("``" a "``, %u, A,", value); \
		expect("``" b "``, %u, B,", value); \
		rows++; \
	} \
	rows++;

static void test_registers(void **state)
{
	unsigned int rows = 0;

	(void)state;
	V3D_QPU_WRITES(REGISTER_ROW)
	assert_int_equal(rows_of("Written:\n", "Read:\n"), rows);
	rows = 0;
	V3D_QPU_READS(REGISTER_ROW)
	assert_int_equal(rows_of("Read:\n", "Packs\n---"), rows);
}

#define PACK_ROW(value, text) \
	if (*(text)) \
		expect("``" text "``, %u,", value), rows++;

static void test_packs(void **state)
{
	unsigned int rows = 0;

	(void)state;
	V3D_QPU_UNPACKS(PACK_ROW)
	assert_int_equal(rows_of("header: unpack", "Behind a destination"), rows);
	rows = 0;
	V3D_QPU_PACKS(PACK_ROW)
	assert_int_equal(rows_of("header: pack", "Behind any other"), rows);
}

static bool in_manual(void *opaque, const struct v3dcl_hazard *hazard)
{
	unsigned int *count = opaque;

	expect("``%s``, \"%s\", \"%s\"", hazard->rule, hazard->text, hazard->source);
	(*count)++;
	return true;
}

/* Whatever rule random words break is in the manual as it is said. */
static void test_hazards(void **state)
{
	static uint64_t code[512];
	uint64_t seed = 5;
	unsigned int i, kind, count = 0;

	(void)state;
	for (i = 0; i < COUNT(code); i++) {
		code[i] = next_random(&seed);
		if (i % 3)
			code[i] = code[i] << 4 >> 4 | (uint64_t)(1 + i % 15) << 60;
	}
	for (kind = V3DCL_USER_PROGRAM; kind <= V3DCL_COORDINATE_SHADER; kind++)
		v3dcl_hazards(code, COUNT(code), kind, in_manual, &count);
	assert_true(count > 1000);
}

/* Fences of the text that are whole programs */
static void test_example(void **state)
{
	const char *from = strstr(manual, "   # out[i] ="), *to = strstr(manual, "\nLines\n---");
	struct v3dcl_assembly *assembly = NULL;
	struct v3dcl_error error = { .code = 0 };

	(void)state;
	assert_non_null(from);
	assert_non_null(to);
	if (v3dcl_assemble("manual", from, to - from, &assembly, &error))
		fail_msg("%s", error.text);
	assert_int_equal(v3dcl_hazards(assembly->code, assembly->code_count, V3DCL_USER_PROGRAM,
				       in_manual, &(unsigned int){ 0 }),
			 0);
	v3dcl_assembly_free(assembly);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_operations),
		cmocka_unit_test(test_signals),
		cmocka_unit_test(test_conditions),
		cmocka_unit_test(test_registers),
		cmocka_unit_test(test_packs),
		cmocka_unit_test(test_hazards),
		cmocka_unit_test(test_example),
	};

	return cmocka_run_group_tests(tests, read_manual, forget_manual);
}
