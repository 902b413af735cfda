// SPDX-License-Identifier: MIT
/*
 * What vc4asm's users write: each directive, macro, function and form of operand of its
 * documentation, in sources of ours. Words are put together by hand from AG100 Figures 3 to 7 and
 * Tables 1 to 14, set-up words from Tables 32 to 37.
 */
#include <sys/stat.h>
#include <unistd.h>

#include "assembling.h"

#define MOST_WORDS 7

static const struct row {
	const char *source;
	unsigned int count;
	uint64_t words[MOST_WORDS];
} rows[] = {
	{ ".set ra_x, ra1\nmov ra_x, unif",
	  1,
	  { 0x1002006715827d80 } },
	{ ".set tab, ra4\n.set OFF, 2\nadd tab+OFF+1, r0, r1",
	  1,
	  { 0x100201e70c9e7040 } },
	{ ".set t, rb9\n.rep i, 2\nmov t+i, r4\n.endr",
	  2,
	  { 0x10021267159e7900, 0x100212a7159e7900 } },
	{ ".set slice, ra3.8b\nadd r0, slice, r1",
	  1,
	  { 0x1a0208270c0e7c40 } },
	{ ".set link, ra8\nbra -, link",
	  1,
	  { 0xf0f509e700000000 } },
	{ ".const out, vpm\nmov out, r2\nmov r2, out",
	  2,
	  { 0x10020c27159e7480, 0x100208a715c27d80 } },
	{ ".set a, 1\n.macro m\n.lset a, 5\nmov r0, a\n.endm\nm\nmov r1, a",
	  2,
	  { 0xd0020827159c5fc0, 0xd0020867159c1fc0 } },
	{ ".set a, 3\n.unset a\n.ifset a\nmov r0, 1\n.else\nmov r0, 2\n.endif",
	  1,
	  { 0xd0020827159c2fc0 } },
	{ ".if 0\nmov r0, 1\n.elseif 2 > 1\nmov r0, 3\n.else\nmov r0, 2\n.endif",
	  1,
	  { 0xd0020827159c3fc0 } },
	{ ".set a, 1\n.local\n.lset a, 5\nmov r0, a\n.local\n.lset a, 3\nmov r0, a\n"
	  ".endloc\nmov r0, a\n:.1\n.endloc\n.local\n:.1\n.endloc\nmov r1, a",
	  4,
	  { 0xd0020827159c5fc0, 0xd0020827159c3fc0, 0xd0020827159c5fc0, 0xd0020867159c1fc0 } },
	{ ".foreach x, ra1, rb2, 5\nmov r0, x\n.endfor\n.foreach y\nnop\n.endfor",
	  3,
	  { 0x1002082715067d80, 0x10020827159c2fc0, 0xd0020827159c5fc0 } },
	{ ".macro m, x\n.foreach i 1, x\n.foreach j, i\nldi r0, i * 16 + j\n"
	  ".endfor\n.endfor\n.endm\nm 2",
	  2,
	  { 0xe002082700000011, 0xe002082700000022 } },
	{ ":a\nldi r0, 1\nldi r0, 2\nldi r0, 3\nbrr -, r:a + 2*8\n.clone :a, 2\nnop",
	  7,
	  { 0xe002082700000001, 0xe002082700000002, 0xe002082700000003, 0xf0f809e7ffffffd8,
	    0xe002082700000001, 0xe002082700000002, 0x100009e7009e7000 } },
	{ "ldi r0, 1\n:1 ldi r0, 2\nldi r0, 3\n.back 1\nnop\n.endb\n.clone r:1b, 2\n",
	  6,
	  { 0xe002082700000001, 0xe002082700000002, 0x100009e7009e7000, 0xe002082700000003,
	    0xe002082700000002, 0x100009e7009e7000 } },
	{ "ldi r0, 0\na: ldi r0, 1\n.clone a, 1\n.back 3\nnop\n.endb",
	  4,
	  { 0x100009e7009e7000, 0xe002082700000000, 0xe002082700000001, 0xe002082700000001 } },
	{ "ldi r0, 010\nldi r0, -0377 + 00\nldi r0, 0x010\nldi r0, 0b010\n"
	  "ldi r0, 010.0\nmov ra08, 0",
	  6,
	  { 0xe002082700000008, 0xe0020827ffffff01, 0xe002082700000010, 0xe002082700000002,
	    0xe002082741200000, 0xd0020227159c0fc0 } },
	{ ".set f(x, y) x * y + 1\nmov r0, f(3, 1 + 2)",
	  1,
	  { 0xd0020827159cafc0 } },
	{ ".func f(x)\n.assert x > 0\n.if x > 8\n8\n.else\n.lset x, x + 1\nx\n"
	  ".endif\n.endf\nmov r0, f(20)\nmov r1, f(6)",
	  2,
	  { 0xd0020827159c8fc0, 0xd0020867159c7fc0 } },
	{ ".func f(n)\n.if n < 2\n1\n.else\nn * f(n - 1)\n.endif\n.endf\n"
	  "ldi r0, f(5)",
	  1,
	  { 0xe002082700000078 } },
	{ ".macro m, n\nldi r0, n*2\n.endm\nm 1 + 2",
	  1,
	  { 0xe002082700000006 } },
	{ ":loop\nbrr -, r:loop",
	  1,
	  { 0xf0f809e7ffffffe0 } },
	{ "brr.anynz -, :end\n:end",
	  1,
	  { 0xf03809e7ffffffe8 } },
	{ ":1\nnop\nbrr -, r:1f\nbrr -, r:1b\n:1\nnop",
	  4,
	  { 0x100009e7009e7000, 0xf0f809e7fffffff0, 0xf0f809e7ffffffd0, 0x100009e7009e7000 } },
	{ "bra -, ra2, :b - :a - 4*8\n:a nop\n:b nop",
	  3,
	  { 0xf0f449e7ffffffe8, 0x100009e7009e7000, 0x100009e7009e7000 } },
	{ "::start\nbrr ra5, r:start, ra7",
	  1,
	  { 0xf0fce167ffffffe0 } },
	{ "brr.allnc -, 8\nbrr.anync -, 8\nbrr.allnn -, 8",
	  3,
	  { 0xf09809e700000008, 0xf0b809e700000008, 0xf05809e700000008 } },
	{ "mov r2, r0 << 4",
	  1,
	  { 0xd00049e2809f4000 } },
	{ "mov r2, r0 >> 4",
	  1,
	  { 0xd00049e2809fc000 } },
	{ "mov r2, r0 << r5",
	  1,
	  { 0xd00049e2809f0000 } },
	{ "add r1, r1, r1; mov.ifz r2, r0 << 1",
	  1,
	  { 0xd00288628c9f1240 } },
	{ "fmul r0, r1 << 2, r2",
	  1,
	  { 0xd00049e0209f200a } },
	{ ".set tmu, t0s\nmov tmu + 4, r0\nmov ra32 + 3, r0\nmov r0, rb31 - 1",
	  3,
	  { 0x10020f27159e7000, 0x100208e7159e7000, 0x10020827159defc0 } },
	{ "sacq -, 7\nsrel -, 2",
	  2,
	  { 0xe80009e700000017, 0xe80009e700000002 } },
	{ "mov -, sacq(9)\nmov -, srel3\nmov ra1, sacq0 + 4",
	  3,
	  { 0xe80009e700000019, 0xe80009e700000003, 0xe802006700000014 } },
	{ "mov ra0.8888, r1",
	  1,
	  { 0x10320027159e7240 } },
	{ "mov ra0.16ai, r1\nfadd ra0.16bf, r1, r2",
	  2,
	  { 0x10120027159e7240, 0x10220027019e7280 } },
	{ "mov ra0.32s, r1\nmov ra0.8csi, r1",
	  2,
	  { 0x10820027159e7240, 0x10e20027159e7240 } },
	{ "nop; mov vpm.8abcds, r0\nnop; mov vpm.8as, r0",
	  2,
	  { 0x113059f0809e7000, 0x114059f0809e7000 } },
	{ "fmul ra2.8dsf, r0, r1",
	  1,
	  { 0x117059c2209e7001 } },
	{ "mov r0, ra1.8ddup\nmov r0, r4.8bf",
	  2,
	  { 0x1602082715067d80, 0x1b020827159e7900 } },
	{ "mov.pack8a ra0, r1\nmov.unpack16b r0, ra3",
	  2,
	  { 0x10420027159e7240, 0x14020827150e7d80 } },
	{ "mov r0.z, r1\nfadd.ifnz r0, r1, r2; fmul r3.nn, r1, r2",
	  2,
	  { 0x10040827159e7240, 0x10074823219e728a } },
	{ "mov.ifnz.setf -, r1\nsub.sf r0, r0, 1",
	  2,
	  { 0x100629e7159e7240, 0xd00228270d9c11c0 } },
	{ "mov r0, [0,1,0,1,0,1,0,1,0,1,0,1,0,1,0,1]",
	  1,
	  { 0xe20208270000aaaa } },
	{ "ldi r0, [0,2,0,2,0,2,0,2,1,3,1,3,1,3,1,3]",
	  1,
	  { 0xe6020827aaaaff00 } },
	{ "mov r0, [-2,-1,0,1,0,0,0,0,0,0,0,0,0,0,0,0]",
	  1,
	  { 0xe20208270003000a } },
	{ "mov ra4, 0x1234; mov rb5, 0x1234",
	  1,
	  { 0xe002410500001234 } },
	{ "mov ra4, rb5, 0x1234\nmov ra0, rb0, r1\nmov.ifz r2, ra5, 7\n"
	  "mov r0, r1.setf, ra1; ldtmu0",
	  4,
	  { 0xe002410500001234, 0x10024000959e7249, 0xd0049885959c7fff, 0xa002686095067db6 } },
	{ "mov r0, unif; mov ra2, 15",
	  1,
	  { 0xd00258029580fdbf } },
	{ "mov vw_setup, vpm_setup(16, 1, v32(16, 3))",
	  1,
	  { 0xe0021c6700001213 } },
	{ "mov vr_setup, vpm_setup(2, 64, h32(5))",
	  1,
	  { 0xe0020c6700200a05 } },
	{ "ldi r0, h16p(3, 1)\nldi r0, h16l(3, 1)\nldi r0, h8p(3, 2)\n"
	  "ldi r0, h8l(3, 2)",
	  4,
	  { 0xe002082700000907, 0xe002082700000d07, 0xe00208270000080e, 0xe002082700000c0e } },
	{ "ldi r0, v16p(16, 3, 1)\nldi r0, v16l(16, 3, 1)\nldi r0, v8p(16, 3, 2)\n"
	  "ldi r0, v8l(16, 3, 2)",
	  4,
	  { 0xe002082700000127, 0xe002082700000527, 0xe00208270000004e, 0xe00208270000044e } },
	{ "mov vw_setup, vdw_setup_0(16, 128, dma_h32(2, 1))",
	  1,
	  { 0xe0021c6788004108 } },
	{ "ldi r0, dma_v32(16, 4)\nldi r0, dma_h16p(1, 2, 1)\n"
	  "ldi r0, dma_v16p(1, 2, 0)\nldi r0, dma_h8p(1, 2, 3)\n"
	  "ldi r0, dma_v8p(1, 2, 1)",
	  5,
	  { 0xe002082700000820, 0xe002082700004093, 0xe002082700000092, 0xe002082700004097,
	    0xe002082700000095 } },
	{ "mov vw_setup, vdw_setup_1(0x100)\nldi r0, vdw_setup_1p(4)",
	  2,
	  { 0xe0021c67c0000100, 0xe0020827c0010004 } },
	{ "mov vr_setup, vdr_setup_0(3, 16, 2, vdr_h32(1, 4, 2))",
	  1,
	  { 0xe0020c6783021042 } },
	{ "ldi r0, vdr_v32(16, 4, 2)\nldi r0, vdr_setup_1(64)",
	  2,
	  { 0xe002082700000842, 0xe002082790000040 } },
	{ ".int 1, 2\n.long 0x009e7000, 0x100009e7\n.float 1.0\n.short 1, 2, 3, 4\n"
	  ".byte 1, 2",
	  5,
	  { 0x0000000200000001, 0x100009e7009e7000, 0x000000003f800000, 0x0004000300020001,
	    0x0000000000000201 } },
	{ "nop\nmov r0, r1\nmov r1, r2\n.back 2\nbrr -, 8\n.endb",
	  4,
	  { 0x100009e7009e7000, 0xf0f809e700000008, 0x10020827159e7240, 0x10020867159e7480 } },
	{ ":a\nmov r0, r1\n.back 1\nbrr -, r:a\n.endb\nbrr -, r:b\n:b",
	  3,
	  { 0xf0f809e7ffffffe0, 0x10020827159e7240, 0xf0f809e7ffffffe8 } },
	{ "brr -, r:a\n:a\n.back 1\nnop\n.endb",
	  2,
	  { 0x100009e7009e7000, 0xf0f809e7ffffffe8 } },
	{ "fadd r0, r1, r2;\n;mv8adds r1, r3, r3",
	  1,
	  { 0x10024821c19e729b } },
	{ "fadd r0, r1, r2;\n;mv8adds r1, r0, r0",
	  2,
	  { 0x10020827019e7280, 0x100049e1c09e7000 } },
	{ "fadd r0, r1, r2;\n:\n;mov r1, r3",
	  2,
	  { 0x10020827019e7280, 0x10020867159e76c0 } },
	{ ";fmul r0, r1, r2\nmmov r0, r1\namov r2, r3; mmov r0, r1",
	  3,
	  { 0x100049e0209e700a, 0x100049e0809e7009, 0x100248a0959e76c9 } },
	{ "read vw_wait\nread mutex_acq",
	  2,
	  { 0x100009e7009f2000, 0x100009e700ce7000 } },
	{ "mov -, vw_wait\nmov interrupt, 1",
	  2,
	  { 0x100009e7159f2fc0, 0xd00209a7159c1fc0 } },
	{ "itof r0, x_coord\nclz r1, r2",
	  2,
	  { 0x1002082708a67d80, 0x10020867189e7480 } },
	{ ".include <vc4.qinc>\nldi r0, M_PI\n"
	  "ldi r1, isRegfileB(rb3) + 2 * isAccu(r0) + 4 * isRegister(5)",
	  2,
	  { 0xe002082740490fdb, 0xe002086700000003 } },
	{ "ldi r0, countBits(0x8000f0f1)\nldi r0, ilog2(3) << 8 | ilog2(0x80000000)\n"
	  "ldi r0, ilog2(0)\nldi r0, reverseBits(0x73, 5)\nldi r0, reverseBits4(0x33)\n"
	  "ldi r0, reverseBits8(0xe1) << 16 | reverseBits16(0x8002)\n"
	  "ldi r0, reverseBits32(0x12345678) ^ reverseBits64(0x11 << 32)",
	  7,
	  { 0xe00208270000000a, 0xe00208270000011f, 0xe0020827ffffffff, 0xe002082700000019,
	    0xe00208270000000c, 0xe002082700874001, 0xe0020827966a2c48 } },
	{ "ldi r0, 2 ** 10 + (-1 >>> 60)\nldi r1, 1 <<< 4 ^ (1 ^^ 1)",
	  2,
	  { 0xe00208270000040f, 0xe002086700000010 } },
	{ ".global start\n.global other, :start\n/* a comment\n"
	  "of lines */ :start nop",
	  1,
	  { 0x100009e7009e7000 } },
};

/* How vc4asm's texts are assembled; errors are counted, the last is kept */
struct errors {
	unsigned int count;
	struct v3dcl_error list[8];
};

static void take_error(void *opaque, const struct v3dcl_error *error)
{
	struct errors *errors = opaque;

	if (errors->count < COUNT(errors->list))
		errors->list[errors->count] = *error;
	errors->count++;
}

static int assemble_so(const char *name, const char *source, const char *folder,
		       struct errors *errors, struct v3dcl_assembly **assembly)
{
	const struct v3dcl_asm_options options = {
		.size = sizeof(options), .vc4asm = 1, .folders = &folder, .folder_count = !!folder,
		.each_error = errors ? take_error : NULL, .opaque = errors,
	};
	struct v3dcl_error error = { .code = 0 };
	const int ret = v3dcl_assemble_with(&options, name, source, strlen(source), assembly,
					    &error);

	if (ret)
		assert_int_equal(ret, error.code);
	if (ret && errors)
		assert_string_equal(error.text, errors->list[0].text);
	return ret;
}

static void expect_words(const struct v3dcl_assembly *assembly, const struct row *row)
{
	unsigned int i;

	if (assembly->code_count != row->count)
		fail_msg("%u instructions, not %u, in:\n%s", assembly->code_count, row->count,
			 row->source);
	for (i = 0; i < row->count; i++)
		if (assembly->code[i] != row->words[i])
			fail_msg("word %u is 0x%016llx, not 0x%016llx, in:\n%s", i,
				 (unsigned long long)assembly->code[i],
				 (unsigned long long)row->words[i], row->source);
}

static void test_words(void **state)
{
	struct v3dcl_assembly *assembly;
	struct errors errors;
	size_t i;

	(void)state;
	for (i = 0; i < COUNT(rows); i++) {
		errors.count = 0;
		if (assemble_so("t.qasm", rows[i].source, NULL, &errors, &assembly))
			fail_msg("%s\nin:\n%s", errors.list[0].text, rows[i].source);
		expect_words(assembly, &rows[i]);
		v3dcl_assembly_free(assembly);
	}
}

/* Names that stand outside of the dialect mean what they always did. */
static void test_dialect(void **state)
{
	static const char *const pairs[][2] = {
		{ "mov r2, r0 >> 4", ".syntax v3dcl\nmov r2, r0 >> 4" },
		{ "mov r2, r0 << 4", "mov r2, r0 >> 4" },
		{ "brr.allnc 8", "brr.allnn 8" },
		{ ".syntax vc4asm\n.syntax v3dcl\nbrr ra1, rb2, 8", "brr ra1, rb2, 8" },
		{ ".syntax vc4asm\nmov r2, r0 >> 4", "mov r2, r0 << 12" },
		{ ".syntax vc4asm\nbrr.allnc -, 8", "brr.allcc 8" },
		{ ".include \"share/vc4inc/vc4.qinc\"\nbrr ra1, ra2, 8", "brr ra1, 8 + ra2" },
		{ ".syntax vc4asm\nmov -, vr_wait", "mov -, vr_wait" },
	};
	size_t i;

	(void)state;
	for (i = 0; i < COUNT(pairs); i++)
		if (word_of(pairs[i][0]) != word_of(pairs[i][1]))
			fail_msg("%s: not %s", pairs[i][0], pairs[i][1]);
}

/*
 * Published listings of 2013, by hermanhermitage (videocoreiv-qpu, qpu-fft and qpu-sniff): words
 * and texts as they are there, and the text of the disassembler
 */
static void test_listings(void **state)
{
	static const struct {
		uint64_t word;
		const char *listed, *text;
	} listed[] = {
		{ 0xf0f80127000000b0, "/* 00000140: 000000b0 f0f80127 */  brr ra4; -, +176 // 0x",
		  "brr ra4, .+208" },
		{ 0xf0f409e700000000, "/* 000001f0: 00000000 f0f409e7 */  bra -; -, ra0+0",
		  "bra 0x0 + ra0" },
		{ 0xf00809e700000420, "brr.allz -; -, +1056 // 0x000009e8", "brr.allzs .+1088" },
		{ 0xf0f809e7fffffe98, "brr -; -, -360 // 0x00000408", "brr .-328" },
		{ 0x100009e715c27d80, "mov.never -, vpm", "mov.never -, vpm" },
		{ 0xd002086711983dc0, "shl r1, elem_num, 3; nop", "shl r1, elem_num, 3" },
		{ 0xa00208270c9df1c0, "add r0, r0, rb31; nop; ldtmu0",
		  "add r0, r0, rb31; nop; ldtmu0" },
		{ 0xd0064862819ff2c0, "fadd.zc r1, r1, r3; mov r2, r0 >> 15",
		  "fadd.zc r1, r1, r3; mov r2, r0 >> 15" },
		{ 0x1002082708a67d80, "/* 00000010: 08a67d80 10020827 */  itof r0, x_coord",
		  "itof r0, x_coord" },
		{ 0x10024834883cfff6, "itof r0, rb15; mov recip, ra15",
		  "itof r0, rb15; mov recip, ra15" },
		{ 0x4002586228829fc6, "itof r1, y_coord; fmul r2, r0, unif; sbwait; {ws=1}",
		  "itof r1, y_coord; fmul r2, r0, unif; sbwait; {ws=1}" },
		{ 0x100049e140829037, "nop; mul24 r1, unif, y_coord",
		  "nop; mul24 r1, unif, y_coord" },
	};
	struct v3dcl_buffer text;
	size_t i;

	(void)state;
	for (i = 0; i < COUNT(listed); i++) {
		if (word_of(listed[i].listed) != listed[i].word)
			fail_msg("%s", listed[i].listed);
		text = (struct v3dcl_buffer){ 0 };
		v3dcl_disassemble(listed[i].word, &text);
		assert_string_equal((char *)text.bytes, listed[i].text);
		v3dcl_buffer_free(&text);
	}
}

/* Each of a text's errors, once, and in one run */
static void test_all_errors(void **state)
{
	static const struct {
		unsigned int line;
		const char *says;
	} expected[] = {
		{ 3, "there is no directive '.frob'" },
		{ 7, "division by zero" },
		{ 1, "'add' has 2 sources" },
		{ 5, "nothing is called 'zz'" },
		{ 9, "nothing is called ':nowhere'" },
	};
	struct v3dcl_assembly *assembly = NULL;
	struct errors errors = { .count = 0 };
	size_t i;

	(void)state;
	assert_int_equal(assemble_so("t", "add r0, r1\nnop\n.frob 3\n.rept 9\nmov r0, zz\n"
				     ".endr\n.set a, 1 / 0\nmov r0, a\nbrr -, :nowhere\n", NULL,
				     &errors, &assembly), -EINVAL);
	assert_null(assembly);
	assert_int_equal(errors.count, COUNT(expected));
	for (i = 0; i < COUNT(expected); i++) {
		if (!strstr(errors.list[i].text, expected[i].says))
			fail_msg("%zu: %s", i, errors.list[i].text);
		assert_int_equal(errors.list[i].line, expected[i].line);
	}
}

/* There is an end to what is told. */
static void test_most_errors(void **state)
{
	struct v3dcl_assembly *assembly = NULL;
	struct errors errors = { .count = 0 };
	char *text = malloc(4000), *at = text;
	unsigned int i;

	(void)state;
	assert_non_null(text);
	for (i = 0; i < 400; i++)
		at += sprintf(at, "rubbish\n");
	assert_int_equal(assemble_so("t", text, NULL, &errors, &assembly), -EINVAL);
	assert_int_equal(errors.count, 100);
	free(text);
}

static const struct {
	unsigned int line, column;
	const char *source, *says;
} wrong[] = {
	{ 1, 12, "mov r0, ra4+60", "there is no register of this kind with the number 64" },
	{ 1, 11, "mov r0, r3+9", "there is no register of this kind with the number 12" },
	{ 1, 14, "mov r0, unif + 1",
	  "a unit's register is not counted on from; where what it gives is meant, "
	  "write 'add r0, unif, ...'" },
	{ 2, 15, ".set x, y_coord\nadd r0, r1, x - 3", "write 'sub r0, y_coord, ...'" },
	{ 1, 9, "mov vpm + 1, r0", "a unit's register is not counted on from" },
	{ 1, 13, "add r0, ra1 & 3, r1", "'&' has no meaning for a register" },
	{ 1, 12, "mov r0, r1 << 16", "a rotation is 16; it must be 0 to 15" },
	{ 1, 12, "mov r0, r1 << r2", "a rotation is by a number or by r5" },
	{ 1, 19, "fmul r0, r1 << 2, r2 << 3", "a half has one rotation; this is another" },
	{ 1, 1, "mov r0, ra1, r2 << 1", "only the mul half's result is rotated" },
	{ 1, 18, "mov r0, ra1, r2; nop", "an instruction has two halves; this is a third" },
	{ 1, 9, "mov.ifz r0.ifn, r1", "a half has one condition; this is another" },
	{ 1, 12, "mov.pack8a ra0.8b, r1", "a result is packed once; this is another mode" },
	{ 1, 14, "mov r0, [1, 2]", "a list has 16 elements" },
	{ 1, 9, "mov r0, [-1,2,0,0,0,0,0,0,0,0,0,0,0,0,0,0]", "elements are -2 to 1, or 0 to 3" },
	{ 1, 13, "add r0, r1, [0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0]",
	  "only mov takes a list of elements" },
	{ 1, 6, "read r3", "one register of a file, or one unit, is read" },
	{ 1, 9, "ldi r0, vpm_setup(1)", "vpm_setup() takes 3 values, not 1" },
	{ 1, 19, "ldi r0, vpm_setup(1, 1, 0x1000)", "must keep to the bits 0xfff" },
	{ 1, 21, "ldi r0, vdw_setup_0(129, 1, 0)", "units is 129; it must be 0 to 128" },
	{ 2, 9, ".set f(x) x\nldi r0, f(1, 2)", "f() takes 1 value, not 2" },
	{ 1, 11, ".set f(x) f(x)\nldi r0, f(1)", "nested deeper than 64 levels" },
	{ 3, 1, ".func f(x)\nx\nx\n.endf\nldi r0, f(1)", "this is a second" },
	{ 3, 9, ".func f(x)\n.endf\nldi r0, f(1)", "f() comes to nothing here" },
	{ 2, 1, ".func f(x)\n.int 1\n.endf\nldi r0, f(1)", ".int cannot stand in a function" },
	{ 1, 7, ".func f(x)\nx", ".func without its .endf" },
	{ 1, 1, ".endr", ".endr without what it belongs to" },
	{ 2, 6, ".const a, 1\n.set a, 2", "'a' is the name of something else already" },
	{ 1, 8, ".unset a", "'a' has not been set" },
	{ 1, 9, ".global nothing", "no label is called 'nothing'" },
	{ 1, 7, ".back 1\nnop\n.endb", "there are only 0 instructions before" },
	{ 1, 1, ".endloc", ".endloc without what it belongs to" },
	{ 1, 7, ".local\nnop", ".local without its .endloc" },
	{ 4, 9, ".local\n.lset zz, 1\n.endloc\nmov r0, zz", "nothing is called 'zz'" },
	{ 1, 10, ".foreach i, 1\nnop", ".foreach without its .endfor" },
	{ 1, 10, ".foreach 3, 4\n.endfor", "a name for the value of the turn" },
	{ 1, 15, ".foreach i, 1 2\n.endfor", "',' is expected here" },
	{ 3, 9, ".foreach zz, 1\n.endfor\nmov r0, zz", "nothing is called 'zz'" },
	{ 1, 8, ".clone :a, 1\n:a nop", "no label ':a' of instructions stands before this" },
	{ 2, 8, ".set a, 3\n.clone a, 1", "no label 'a' of instructions stands before this" },
	{ 2, 12, ":a nop\n.clone :a, 2", "2 are wanted; there are 1 from the label to here" },
	{ 2, 12, ":a brr -, :a\n.clone :a, 1", "a relative branch cannot be copied" },
	{ 3, 8, ":a nop\n.data\n.clone :a, 1", "instructions among data" },
	{ 1, 19, "ldi r0, countBits(-1)", "countBits() takes an integer, at least 0" },
	{ 1, 15, "ldi r0, ilog2(1.5)", "ilog2() takes an integer, at least 0" },
	{ 1, 21, "ldi r0, reverseBits(1, 65)", "the number of bits is an integer, 0 to 64" },
	{ 1, 9, "ldi r0, reverseBits(1)", "reverseBits() takes 2 values, not 1" },
	{ 1, 9, "ldi r0, 019", "octal, which has no 9; the decimal number is 19" },
	{ 1, 9, ".syntax gas", "vc4asm or v3dcl is expected here" },
	{ 1, 10, ".include \"x\"", "no file is read for this text" },
	{ 1, 10, ".include x", "\"a file\" is expected here" },
	{ 1, 15, "brr ra1, ra2, ra3", "a branch leads to one register" },
	{ 1, 21, "mov r0, 1 ? ra1 : 2 & ra3", "no meaning for a register" },
};

static void test_messages(void **state)
{
	struct v3dcl_assembly *assembly;
	struct errors errors;
	size_t i;

	(void)state;
	for (i = 0; i < COUNT(wrong); i++) {
		errors.count = 0;
		assembly = NULL;
		if (!assemble_so("t", wrong[i].source, NULL, &errors, &assembly))
			fail_msg("accepted: %s", wrong[i].source);
		if (!strstr(errors.list[0].text, wrong[i].says))
			fail_msg("'%s' is not in: %s", wrong[i].says, errors.list[0].text);
		if (errors.list[0].line != wrong[i].line ||
		    errors.list[0].column != wrong[i].column)
			fail_msg("not in line %u, column %u: %s", wrong[i].line, wrong[i].column,
				 errors.list[0].text);
	}
}

static char folder[32], inner[64];

static void put(const char *path, const char *name, const char *text)
{
	char whole[128];
	FILE *file;

	snprintf(whole, sizeof(whole), "%s/%s", path, name);
	file = fopen(whole, "w");
	assert_non_null(file);
	fputs(text, file);
	assert_int_equal(fclose(file), 0);
}

static int make_folder(void **state)
{
	char path[128];

	(void)state;
	strcpy(folder, "/tmp/test-vc4asm-XXXXXX");
	if (!mkdtemp(folder))
		return -1;
	snprintf(inner, sizeof(inner), "%s/in", folder);
	if (mkdir(inner, 0700))
		return -1;
	put(folder, "secret", "password\n");
	put(inner, "names.qinc", ".set ra_x, ra5\n.macro twice, x\nadd x, x, x\n.endm\n");
	put(inner, "again.qinc", ".include \"again.qinc\"\n");
	put(inner, "wrong.qinc", "nop\nfrob r0\n");
	put(inner, "byte.qinc", "nop\n\001\n");
	put(inner, "words.qinc", "nop\nnop; \001");
	put(inner, "marked.qinc", "\xef\xbb\xbfmov r0, r1\r\n");
	put(inner, "marked-wrong.qinc", "\xef\xbb\xbfwrong r0\n");
	snprintf(path, sizeof(path), "%s/pipe", inner);
	if (mkfifo(path, 0600))
		return -1;
	snprintf(path, sizeof(path), "%s/zero", inner);
	if (symlink("/dev/zero", path))
		return -1;
	snprintf(path, sizeof(path), "%s/out", inner);
	return symlink("../secret", path);
}

static int remove_folder(void **state)
{
	static const char *const names[] = { "in/names.qinc", "in/again.qinc", "in/wrong.qinc",
					     "in/byte.qinc", "in/words.qinc", "in/marked.qinc",
					     "in/marked-wrong.qinc",
					     "in/pipe", "in/zero", "in/out", "in", "secret" };
	char path[128];
	size_t i;

	(void)state;
	for (i = 0; i < COUNT(names); i++) {
		snprintf(path, sizeof(path), "%s/%s", folder, names[i]);
		remove(path);
	}
	return rmdir(folder);
}

/* Names, macros and errors of another file; the file's own line in the message */
static void test_include(void **state)
{
	struct v3dcl_assembly *assembly = NULL;
	struct errors errors = { .count = 0 };
	char name[96];

	(void)state;
	snprintf(name, sizeof(name), "%s/t.qasm", inner);
	if (assemble_so(name, ".include \"names.qinc\"\ntwice ra_x\n", inner, &errors, &assembly))
		fail_msg("%s", errors.list[0].text);
	assert_int_equal(assembly->code_count, 1);
	assert_true(assembly->code[0] == word_of("add ra5, ra5, ra5"));
	assert_int_equal(assembly->lines[0], 2);
	v3dcl_assembly_free(assembly);
	assembly = NULL;
	assert_int_equal(assemble_so(name, "nop\n.include \"wrong.qinc\"\nfrob r1", inner, &errors,
				     &assembly), -EINVAL);
	assert_int_equal(errors.count, 2);
	assert_non_null(strstr(errors.list[0].text, "/in/wrong.qinc:2:1: "));
	assert_non_null(strstr(errors.list[1].text, "/in/t.qasm:3:1: "));
}

/* The last line of an included file has no tokens, or no end: that is told once, and read on */
static void test_include_bytes(void **state)
{
	static const char *const names[] = { "byte", "words" };
	struct v3dcl_assembly *assembly = NULL;
	struct errors errors;
	char name[96], text[96];
	size_t i;

	(void)state;
	snprintf(name, sizeof(name), "%s/t.qasm", inner);
	for (i = 0; i < COUNT(names); i++) {
		errors.count = 0;
		snprintf(text, sizeof(text), ".include \"%s.qinc\"\nfrob r1\n", names[i]);
		assert_int_equal(assemble_so(name, text, inner, &errors, &assembly), -EINVAL);
		assert_int_equal(errors.count, 2);
		assert_non_null(strstr(errors.list[0].text, "a byte 0x01 has no meaning here"));
		assert_non_null(strstr(errors.list[1].text, "/in/t.qasm:2:1: "));
	}
}

/* How editors mark UTF-8, before a text and before what it includes, and nowhere else */
static void test_mark(void **state)
{
	struct v3dcl_assembly *assembly = NULL;
	struct errors errors = { .count = 0 };
	char name[96];

	(void)state;
	snprintf(name, sizeof(name), "%s/t.qasm", inner);
	if (assemble_so(name, "\xef\xbb\xbf.include \"marked.qinc\"\r\nnop", inner, &errors,
			&assembly))
		fail_msg("%s", errors.list[0].text);
	assert_int_equal(assembly->code_count, 2);
	assert_true(assembly->code[0] == word_of("mov r0, r1"));
	v3dcl_assembly_free(assembly);
	assembly = NULL;
	assert_int_equal(assemble_so(name, "nop\n\xef\xbb\xbfnop", inner, &errors, &assembly),
			 -EINVAL);
	assert_non_null(strstr(errors.list[0].text, "t.qasm:2:1: a byte 0xef has no meaning here"));
	errors.count = 0;
	assert_int_equal(assemble_so(name, ".include \"marked-wrong.qinc\"\n", inner, &errors,
				     &assembly), -EINVAL);
	assert_non_null(strstr(errors.list[0].text, "/marked-wrong.qinc:1:1: "));
	assert_int_equal(errors.list[0].column, 1);
}

/* Nothing but ordinary files of the folders that may be read; nothing of others is told. */
static void test_include_limits(void **state)
{
	static const char *const bad[][2] = {
		{ "../secret", "in none of the folders that may be read" },
		{ "out", "in none of the folders that may be read" },
		{ "zero", "in none of the folders that may be read" },
		{ "/dev/zero", "in none of the folders that may be read" },
		{ "/etc/passwd", "in none of the folders that may be read" },
		{ "pipe", "is no ordinary file" },
		{ ".", "in none of the folders that may be read" },
		{ "missing", "there is no file missing" },
		{ "again.qinc", "files include each other deeper than 16 levels" },
	};
	struct v3dcl_assembly *assembly = NULL;
	struct errors errors;
	char name[96], text[96];
	size_t i;

	(void)state;
	snprintf(name, sizeof(name), "%s/t.qasm", inner);
	for (i = 0; i < COUNT(bad); i++) {
		errors.count = 0;
		snprintf(text, sizeof(text), ".include \"%s\"\n", bad[i][0]);
		assert_int_equal(assemble_so(name, text, inner, &errors, &assembly), -EINVAL);
		if (!strstr(errors.list[0].text, bad[i][1]) ||
		    strstr(errors.list[0].text, "password"))
			fail_msg("%s: %s", bad[i][0], errors.list[0].text);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_words),
		cmocka_unit_test(test_dialect),
		cmocka_unit_test(test_listings),
		cmocka_unit_test(test_all_errors),
		cmocka_unit_test(test_most_errors),
		cmocka_unit_test(test_messages),
		cmocka_unit_test(test_include),
		cmocka_unit_test(test_include_bytes),
		cmocka_unit_test(test_mark),
		cmocka_unit_test(test_include_limits),
	};

	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
