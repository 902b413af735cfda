// SPDX-License-Identifier: MIT
/*
 * What the assembler makes of texts. Words are typed from published listings or put together from
 * AG100 Tables 1 to 14.
 */
#include <drm/v3dcl_drm.h>
#include <v3d/words.h>

#include "v3dcl_qpu_build.h"

#include "assembling.h"

/*
 * The listings of hermanhermitage/videocoreiv-qpu, low and high word as printed there; the text is
 * what the disassembler gives, too
 */
static void test_published(void **state)
{
	static const struct {
		uint32_t low, high;
		const char *text;
	} rows[] = {
		{ 0x15827d80, 0x10020827, "mov r0, unif" },
		{ 0x01827c00, 0x40020867, "fadd r1, unif, r0; nop; sbwait" },
		{ 0x01827c00, 0x10020827, "fadd r0, unif, r0" },
		{ 0x95827d80, 0x114258a0, "mov r2, unif; mov r0.8a, r0" },
		{ 0x81827c89, 0x11525860, "fadd r1, unif, r2; mov r0.8b, r1" },
		{ 0x95827d89, 0x11625860, "mov r1, unif; mov r0.8c, r1" },
		{ 0x01827c40, 0x10020867, "fadd r1, unif, r1" },
		{ 0x809e7009, 0x317059e0, "nop; mov r0.8d, r1; thrend" },
		{ 0x159e7000, 0x10020ba7, "mov tlbc, r0" },
		{ 0x009e7000, 0x500009e7, "nop; nop; sbdone" },
		{ 0x15827d80, 0x10120027, "mov ra0.16a, unif" },
		{ 0x15827d80, 0x10220027, "mov ra0.16b, unif" },
		{ 0x15827d80, 0x10021c67, "mov vw_setup, unif" },
		{ 0x15827d80, 0x10020c27, "mov vpm, unif" },
		{ 0x95020dbf, 0x10024c20, "mov vpm, ra0; mov r0, unif" },
		{ 0x01827c00, 0x10020c27, "fadd vpm, unif, r0" },
		{ 0x009e7000, 0x300009e7, "nop; nop; thrend" },
		{ 0x009e7000, 0x100009e7, "nop" },
	};
	size_t i;

	(void)state;
	for (i = 0; i < COUNT(rows); i++) {
		const uint64_t word = (uint64_t)rows[i].high << 32 | rows[i].low;
		struct v3dcl_buffer text = { 0 };

		if (word_of(rows[i].text) != word)
			fail_msg("%s", rows[i].text);
		v3dcl_disassemble(word, &text);
		assert_string_equal((char *)text.bytes, rows[i].text);
		v3dcl_buffer_free(&text);
	}
}

static const char *const aliases[][2] = {
	{ "MOV R0, UNIFORM_READ", "mov r0, unif" },
	{ "mov r0, varying_read", "mov r0, vary" },
	{ "mov r0, Element_Number", "mov r0, elem_num" },
	{ "mov r0, qpu_number", "mov r0, qpu_num" },
	{ "mov r0, x_pixel_coord", "mov r0, x_coord" },
	{ "mov r0, y_pixel_coord", "mov r0, y_coord" },
	{ "mov r0, ms_flags", "mov r0, ms_mask" },
	{ "mov r0, vpm_read", "mov r0, vpm" },
	{ "mov -, vpm_ld_busy", "mov -, vr_busy" },
	{ "mov -, vpm_st_busy", "mov -, vw_busy" },
	{ "mov -, vpm_ld_wait", "mov -, vr_wait" },
	{ "mov nop, vpm_st_wait", "mov -, vw_wait" },
	{ "mov -, mutex_acquire", "mov -, mutex" },
	{ "mov acc3, r1", "mov r3, r1" },
	{ "mov tmu_noswap, r1", "mov tmurs, r1" },
	{ "mov host_int, r1", "mov irq, r1" },
	{ "mov uniforms_address, r1", "mov unif_addr, r1" },
	{ "mov quad_x, r1", "mov x_coord, r1" },
	{ "mov quad_y, r1", "mov y_coord, r1" },
	{ "mov ms_flags, r1", "mov ms_mask, r1" },
	{ "mov tlb_stencil_setup, r1", "mov stencil, r1" },
	{ "mov tlb_z, r1", "mov tlbz, r1" },
	{ "mov tlb_colour_ms, r1", "mov tlbm, r1" },
	{ "mov tlb_colour_all, r1", "mov tlbc, r1" },
	{ "mov tlb_alpha_mask, r1", "mov tlbam, r1" },
	{ "mov vpm_write, r1", "mov vpm, r1" },
	{ "mov vpmvcd_rd_setup, r1", "mov vr_setup, r1" },
	{ "mov vpmvcd_wr_setup, r1", "mov vw_setup, r1" },
	{ "mov vpm_ld_addr, r1", "mov vr_addr, r1" },
	{ "mov vpm_st_addr, r1", "mov vw_addr, r1" },
	{ "mov mutex_release, r1", "mov mutex, r1" },
	{ "mov sfu_recip, r1", "mov recip, r1" },
	{ "mov sfu_recipsqrt, r1", "mov rsqrt, r1" },
	{ "mov recipsqrt, r1", "mov rsqrt, r1" },
	{ "mov sfu_exp, r1", "mov exp, r1" },
	{ "mov sfu_log, r1", "mov log, r1" },
	{ "mov tmu0_s, r1", "mov t0s, r1" },
	{ "mov tmu1_b, r1", "mov t1b, r1" },
	{ "mov.ifz r0, r1", "mov.zs r0, r1" },
	{ "mov.ifnz r0, r1", "mov.zc r0, r1" },
	{ "mov.ifn r0, r1", "mov.ns r0, r1" },
	{ "mov.ifnn r0, r1", "mov.nc r0, r1" },
	{ "mov.ifc r0, r1", "mov.cs r0, r1" },
	{ "mov.ifnc r0, r1", "mov.cc r0, r1" },
	{ "mov.always r0, r1", "mov r0, r1" },
	{ "brr.allnz 8", "brr.allzc 8" },
	{ "brr.anynn 8", "brr.anync 8" },
	{ "brr.anyc 8", "brr.anycs 8" },
	{ "brr.always 8", "brr 8" },
	{ "movi r0, 5", "ldi r0, 5" },
	{ "mov ra07, r1", "mov ra7, r1" },
	{ "mov r0, ra32", "mov r0, unif" },
	{ "mov ra[2 * 3 + 1].16a, r[1]", "mov ra7.16a, r1" },
	{ "mov r0, ra[3].8a", "mov r0, ra3.8a" },
	{ "  mov\tr0 ,r1;# nop", "mov r0, r1" },
	{ "mov r0, r1 // thrend", "mov r0, r1" },
	{ "mov r0, r1\r", "mov r0, r1" },
	{ "thrsw", "nop; nop; thrsw" },
	{ "nop; thrsw", "nop; nop; thrsw" },
	{ "thrsw; mov r0, r1", "mov r0, r1; nop; thrsw" },
	{ "fmul r0, r1, r2", "nop; fmul r0, r1, r2" },
	{ "fmul r0, r1, r2; fadd r3, r1, r2", "fadd r3, r1, r2; fmul r0, r1, r2" },
	{ "mov r0, r1 >> 3", "nop; mov r0, r1 >> 3" },
	{ "mov r0, r1 >> 0", "mov r0, r1" },
	{ "mov ra1, 100", "ldi ra1, 100" },
	{ "mov.zs.setf rb1, 100", "ldi.zs.setf rb1, 100" },
	{ "ldi.ns r0, r1, 5", "ldi r0.ns, r1.ns, 5" },
	{ "mov r0.8a, r1", "nop; mov r0.8a, r1" },
	{ "mov rb0.8bc, r1", "nop; mov rb0.8b, r1" },
	{ "ldi r0, 1.5", "ldi r0, 0x3fc00000" },
	{ "mov r0, 1.5", "ldi r0, 0x3fc00000" },
	{ "mov r0, 0.5", "mov r0, 1.0 / 2" },
	{ "mov r0, f(2)", "mov r0, 2.0" },
	{ "ldi r0, -1", "ldi r0, 0xffffffff" },
	{ "mov r0, -(-3)", "mov r0, 3" },
	{ "mov r0, (12 >> 1)", "mov r0, 6" },
	{ "mov r0, 3 << 1", "mov r0, 6" },
	{ "mov r0, ra1; mov r1, ra1",
	  "mov r1, ra1; mov r0, ra1 ; {waddr_add=32, waddr_mul=33}" },
	{ "ldis r0, [0,1,-1,-2,0,0,0,0,0,0,0,0,0,0,0,-1]", "ldis r0, 0x800c8006" },
	{ "ldiu r0, element & 3", "ldiu r0, 0xccccaaaa" },
	{ "ldis r0, element > 7 ? -1 : 1", "ldis r0, 0xff00ffff" },
	{ "nop; nop; {sig=3}", "thrend" },
	{ "sacq 3", "sacq -.never, 3" },
};

/* Texts that mean the same */
static void test_aliases(void **state)
{
	size_t i;

	(void)state;
	for (i = 0; i < COUNT(aliases); i++)
		if (word_of(aliases[i][0]) != word_of(aliases[i][1]))
			fail_msg("%s is not %s", aliases[i][0], aliases[i][1]);
}

/* Against the builder of v3dcl_qpu_build.h, which is another way to the same words */
static void test_builder(void **state)
{
	static const char text[] =
		"fmaxabs.nc ra3, ra4, -16\n"
		"add.setf r0, r1, 15; v8subs rb2, r2, 15\n"
		"nop; mov r1, r2 >> 15\n"
		"nop; mov r1, r2 >> r5\n"
		"mov rb31, ra31\n"
		"mov r1, 0.00390625\n"
		"mov r1, 128.0\n"
		"ldi r3, 0xdeadbeef\n"
		"ldis rb7, 0x00010002\n"
		"ldiu ra7, 0x00010002\n"
		"sacq 15\n"
		"srel 0\n"
		"brr.anycc ra1, -8\n"
		"bra 0x1000 + ra5\n"
		"mov r0, ra2.16b\n"
		"mov r0, r4.8c\n"
		"mov ra5.8abcds, r1\n"
		"mov vw_setup, rb0; mov ra9, elem_num\n"
		"fadd r0, r1, qpu_num; fmul tmurs, r1, r3; ldtmu1\n"
		"xor unif_addr_rel, unif, r2\n";
	struct v3dcl_assembly *assembly = assemble(text);
	uint64_t code[32];
	uint32_t i;
	struct qb b;

	(void)state;
	qb_init(&b, code, COUNT(code));
	qb_emit(&b, qb_if(V3D_QPU_COND_NC,
			  qb_add(V3D_QPU_ADD_FMAXABS, QB_RA(3), QB_RA(4), qb_imm(-16))));
	qb_emit(&b, qb_flags(qb_both(qb_add(V3D_QPU_ADD_ADD, QB_R0, QB_R1, qb_imm(15)),
				     qb_mul(V3D_QPU_MUL_V8SUBS, QB_RB(2), QB_R2, qb_imm(15)))));
	qb_emit(&b, qb_rotate(QB_R1, QB_R2, 15));
	qb_emit(&b, qb_rotate(QB_R1, QB_R2, 0));
	qb_emit(&b, qb_mov(QB_RB(31), QB_RA(31)));
	qb_emit(&b, qb_mov(QB_R1, qb_imm_float(-8)));
	qb_emit(&b, qb_mov(QB_R1, qb_imm_float(7)));
	qb_emit(&b, qb_ldi(QB_R3, 0xdeadbeef));
	qb_emit(&b, qb_ldi_signed(QB_RB(7), 0x00010002));
	qb_emit(&b, qb_ldi_unsigned(QB_RA(7), 0x00010002));
	qb_emit(&b, qb_sema_down(15));
	qb_emit(&b, qb_sema_up(0));
	qb_emit(&b, qb_branch(V3D_QPU_BRANCH_ANY_CC, true, -8, QB_RA(1)));
	qb_emit(&b,
		qb_branch_register(qb_branch(V3D_QPU_BRANCH_ALWAYS, false, 0x1000, QB_NONE), 5));
	qb_emit(&b, qb_unpack(2, false, qb_mov(QB_R0, QB_RA(2))));
	qb_emit(&b, qb_unpack(6, true, qb_mov(QB_R0, QB_R4)));
	qb_emit(&b, qb_pack(11, false, qb_mov(QB_RA(5), QB_R1)));
	qb_emit(&b, qb_both(qb_mov(QB_VW_SETUP, QB_RB(0)), qb_mul_mov(QB_RA(9), QB_ELEMENT)));
	qb_emit(&b, qb_signal(V3D_QPU_SIG_LOAD_TMU1,
			      qb_both(qb_add(V3D_QPU_ADD_FADD, QB_R0, QB_R1, QB_QPU),
				      qb_mul(V3D_QPU_MUL_FMUL, QB_TMU_NOSWAP, QB_R1, QB_R3))));
	qb_emit(&b, qb_add(V3D_QPU_ADD_XOR, QB_RB(V3D_QPU_W_UNIFORMS_ADDRESS), QB_UNIF, QB_R2));
	assert_false(b.failed);
	assert_int_equal(assembly->code_count, b.count);
	for (i = 0; i < b.count; i++)
		if (assembly->code[i] != code[i])
			fail_msg("line %u: 0x%016llx, not 0x%016llx", i + 1,
				 (unsigned long long)assembly->code[i],
				 (unsigned long long)code[i]);
	v3dcl_assembly_free(assembly);
}

/* Labels: before and after, in bytes from the branch plus four instructions (AG100 p. 34) */
static void test_labels(void **state)
{
	struct v3dcl_assembly *assembly =
		assemble("start: nop\n a: b:\n brr a\n brr c\n brr start + 8\n brr .\n"
			 "c: bra ra0, c + ra1\n"
			 " brr (c - a) / 8\n mov r0, c - start\n");
	static const uint32_t immediates[] = {
		0, (uint32_t)-32, (uint32_t)-8, (uint32_t)-48, (uint32_t)-32, 40, 4
	};
	uint32_t i;

	(void)state;
	for (i = 1; i < COUNT(immediates); i++)
		assert_int_equal((uint32_t)assembly->code[i], immediates[i]);
	assert_int_equal(v3d_qpu_decode(assembly->code[6]).rel, 1);
	assert_int_equal(v3d_qpu_decode(assembly->code[5]).rel, 0);
	assert_int_equal((uint32_t)assembly->code[7], 40);
	assert_int_equal(assembly->symbol_count, 4);
	assert_string_equal(assembly->symbols[2].name, "c");
	assert_int_equal(assembly->symbols[2].kind, V3DCL_SYMBOL_LABEL);
	assert_int_equal(assembly->symbols[2].value, 5);
	v3dcl_assembly_free(assembly);
}

static uint32_t value_of(const char *expression)
{
	char text[400];

	snprintf(text, sizeof(text), ".set N, 12, M, N - 2, X, 1.5\nldi r0, %s\n", expression);
	return word_of(text);
}

static void test_expressions(void **state)
{
	static const struct {
		const char *text;
		uint32_t value;
	} rows[] = {
		{ "1 + 2 * 3", 7 }, { "(1 + 2) * 3", 9 }, { "10 - 4 - 3", 3 }, { "100 / 7 % 5", 4 },
		{ "-7 / 2", (uint32_t)-3 }, { "-7 % 2", (uint32_t)-1 }, { "1 << 31", 0x80000000 },
		{ "1 << 4 >> 2", 4 }, { "0xf0 | 0x0f & 3 ^ 1", 0xf2 }, { "~0 & 0xff", 0xff },
		{ "!5 + !0", 1 }, { "3 < 4 && 4 <= 4 || 0", 1 }, { "3 > 4 || 4 >= 5", 0 },
		{ "1 == 1 != 0", 1 }, { "N * M", 120 }, { "N > 3 ? N : M", 12 },
		{ "0 ? 1 : 0 ? 2 : 3", 3 }, { "0b1011", 11 }, { "0XFF", 255 }, { "- - 5", 5 },
		{ "+5", 5 }, { "X", 0x3fc00000 }, { "X * 2", 0x40400000 }, { "X + N", 0x41580000 },
		{ "-X", 0xbfc00000 }, { "f(X) + 1", 0x3fc00001 }, { "f(1)", 0x3f800000 },
		{ "int(X * 3)", 4 }, { "int(-2.9)", (uint32_t)-2 }, { "int(7)", 7 },
		{ "float(1)", 0x3f800000 }, { "1e3", 0x447a0000 }, { "1.5e-3", 0x3ac49ba6 },
		{ "2E+1", 0x41a00000 }, { ".5", 0x3f000000 }, { "0.1", 0x3dcccccd },
		{ "3.14159265358979323846264338327950288", 0x40490fdb },
		{ "123456789012345678901234567890.0", 0x6fc77488 }, { "1e-50", 0 },
		{ "1e60", 0x7f800000 }, { "0e999999", 0 }, { "X < 2", 1 }, { "X >= 2", 0 },
		{ "X == 1.5", 1 }, { "X != 1.5", 0 }, { "X > 1", 1 }, { "X <= 1", 0 },
		{ "X / 0.5 - 1", 0x40000000 }, { "X ? 5 : 6", 5 }, { "!X", 0 },
		{ "-9 >> 1", (uint32_t)-5 }, { "1 << 64 | 3", 3 }, { "-1 >> 70", (uint32_t)-1 },
		{ "(-0x7fffffffffffffff - 1) / -1 >> 63", (uint32_t)-1 }, { "5 % -1", 0 },
		{ "vpm_write_setup(address=3, size=2, horizontal=1, stride=1)", 0x1a03 },
		{ "vdw_setup()", 0x80000000 },
		{ "vdw_setup(units = 16, depth = 16, horizontal = 1)", 0x88104000 },
		{ "vdw_stride(stride=16, blockmode=1)", 0xc0010010 },
		{ "vdr_setup(nrows=16, rowlen=16, vpitch=1, mpitch=3, y=2)", 0x83001020 },
		{ "vdr_stride(mpitchb=64)", 0x90000040 },
		{ "vpm_read_setup(number=16, stride=64)", 0 },
		{ "vdw_setup(units=128, depth=128)", 0x80000000 },
		{ "texture0(base=0x12345000, type=16 - 16)", 0x12345000 },
		{ "texture0(type=RGB565 flip_y=1)", 0x140 },
		{ "min(3, 2) + max(1, 0x10) + abs(-1)", 19 }, { "int(sqrt(81) + log2(8))", 12 },
		{ "rgba(1, 0, 0, 1)", 0xff0000ff }, { "real(bits(0x3fc00000))", 0x3fc00000 },
		{ "1 + \\\n2", 3 }, { "exp(0)", 0x3f800000 },
		{ "texture1(width=2048, height=1, type4=1)", 0x80100000 },
		{ "texture_cube(stride=2)", 0x40002000 },
		{ "stencil_setup(select=3, mask=0xff)", 0xc00000ff },
		{ "1 + vdw_stride() - 1", 0xc0000000 },
	};
	size_t i;

	(void)state;
	for (i = 0; i < COUNT(rows); i++)
		if (value_of(rows[i].text) != rows[i].value)
			fail_msg("%s is 0x%x, not 0x%x", rows[i].text, value_of(rows[i].text),
				 rows[i].value);
}

static void test_uniforms(void **state)
{
	static const char text[] = ".data\n.byte 1, -1\n.align 4\ntable: .float 1, -2.0\n.word "
				   "0xffffffff, -1\n.half 65535\n"
				   ".space 3\nend: .byte end - table\n"
				   ".text\n.uniform n, 5\n.uniform x, 0.5\n.uniform out, &frame + "
				   "16, write\n.uniform in, &frame\n"
				   ".uniform both, &frame, readwrite\n.uniform tab, &table + 4, "
				   "read\n.uniform -, n + tab\n"
				   ".uniform later\nmov r0, tab\n";
	struct v3dcl_assembly *assembly = assemble(text);
	static const uint8_t data[] = { 1, 255, 0, 0, 0, 0, 0x80, 0x3f, 0,
					0, 0, 0xc0, 255, 255, 255, 255, 255, 255,
					255, 255, 255, 255, 0, 0, 0, 21 };
	const struct v3dcl_uniform *u = assembly->uniforms;

	(void)state;
	assert_int_equal(assembly->data_size, sizeof(data));
	assert_memory_equal(assembly->data, data, sizeof(data));
	assert_int_equal(assembly->uniform_count, 8);
	assert_string_equal(u[0].name, "n");
	assert_int_equal(u[0].value, 5);
	assert_null(u[0].reference);
	assert_int_equal(u[1].value, 0x3f000000);
	assert_string_equal(u[2].reference, "frame");
	assert_int_equal(u[2].offset, 16);
	assert_int_equal(u[2].flags, DRM_V3DCL_RELOC_WRITE);
	assert_int_equal(u[3].flags, DRM_V3DCL_RELOC_READ);
	assert_int_equal(u[4].flags, DRM_V3DCL_RELOC_READ | DRM_V3DCL_RELOC_WRITE);
	assert_string_equal(u[5].reference, ".data");
	assert_int_equal(u[5].offset, 8);
	assert_null(u[6].name);
	assert_int_equal(u[6].value, 5);
	assert_string_equal(u[7].name, "later");
	assert_true(assembly->code[0] == word_of("mov r0, 5"));
	v3dcl_assembly_free(assembly);
}

/* A text and what it comes to when written out */
static void test_macros(void **state)
{
	static const char *const pairs[][2] = {
		{ ".macro twice op, x\nop r0, x, 1\nop r1, x, 2\n.endm\ntwice add, ra3\ntwice sub, "
		  "r2\n",
		  "add r0, ra3, 1\nadd r1, ra3, 2\nsub r0, r2, 1\nsub r1, r2, 2\n" },
		{ ".macro m d, v=3, w = (1, 2)\nmov d.16a, v\n.endm\nm ra1\nm ra2, 4 + 1 # five\n "
		  "m ra3 , (1 + 2) * 2,x\n",
		  "mov ra1.16a, 3\nmov ra2.16a, 5\nmov ra3.16a, 6\n" },
		{ ".macro wait n\n.loop: sub.setf r0, r0, n\nbrr.anynz "
		  ".loop\nnop\nnop\nnop\n.endm\nwait 1\nwait 2\n",
		  "a: sub.setf r0, r0, 1\nbrr.anynz a\nnop\nnop\nnop\nb: sub.setf r0, r0, "
		  "2\nbrr.anynz b\nnop\nnop\nnop\n" },
		{ ".macro inner x\nmov r0, x\n.endm\n.macro outer x\ninner x\ninner "
		  "2\n.endm\nouter 1\n",
		  "mov r0, 1\nmov r0, 2\n" },
		{ ".macro c op\nop.setf r0, r1, r2\n.endm\nc add\n", "add.setf r0, r1, r2\n" },
		{ ".macro go to\nbrr to\n.endm\n.here: go .here\n", "a: brr a\n" },
		{ ".rept 3, i\nmov ra[i * 2], i\n.endr\n", "mov ra0, 0\nmov ra2, 1\nmov ra4, 2\n" },
		{ ".rept 2\n.rept 2\nnop\n.endr\nthrsw\n.endr\n",
		  "nop\nnop\nthrsw\nnop\nnop\nthrsw\n" },
		{ ".rept 2\n.x: brr .x\n.endr\n", "a: brr a\nb: brr b\n" },
		{ ".rept 0\nrubbish $\n.endr\nnop\n", "nop\n" },
		{ ".set A, 1\n.if A\nnop\n.else\nthrend\n.endif\n.if A - 1\nnop\n.endif\nthrsw\n",
		  "nop\nthrsw\n" },
		{ ".if 0\n.if 1\nnop\n.else\nnop\n.endif\n.else\n.if 1\nthrsw\n.endif\n.endif\n",
		  "thrsw\n" },
		{ ".macro down n\n.if n\nmov r0, n\ndown (n) - 1\n.endif\n.endm\ndown 3\n",
		  "mov r0, 3\nmov r0, 2\nmov r0, 1\n" },
		{ ".set a, 1\nmov r0, a\n.set a, a + 1\nmov r0, a\n", "mov r0, 1\nmov r0, 2\n" },
		{ ".inst 0x10020827159e7000, 1 << 60\n",
		  "mov r0, r0; {add_a=0}\n.inst 0x1000000000000000\n" },
		{ ".assert 1 + 1 == 2\n.assert end == 8\nnop\nend:", "nop\n" },
		{ ".macro clamp a\nmov a, 1\n.endm\nclamp r0\n", "mov r0, 1\n" },
		{ "brr wait\nwait: nop\n.set finish, 2\nmov r0, finish\n",
		  "brr a\na: nop\nmov r0, 2\n" },
		{ "clamp r1, ra2, 15\nwait 2\n", "max r1, ra2, 0\nmin r1, r1, 15\nnop\nnop\n" },
		{ ".macro none\nnop\n.endm\nnone\nnone # twice\n", "nop\nnop\n" },
	};
	size_t i;

	(void)state;
	for (i = 0; i < COUNT(pairs); i++) {
		struct v3dcl_assembly *a = assemble(pairs[i][0]), *b = assemble(pairs[i][1]);

		if (a->code_count != b->code_count ||
		    memcmp(a->code, b->code, a->code_count * sizeof(*a->code)))
			fail_msg("%s is not %s", pairs[i][0], pairs[i][1]);
		v3dcl_assembly_free(a);
		v3dcl_assembly_free(b);
	}
}

static void test_nothing(void **state)
{
	struct v3dcl_assembly *assembly = assemble("\n\n# only this\n\t\n");

	(void)state;
	assert_int_equal(assembly->code_count, 0);
	v3dcl_assembly_free(assembly);
	v3dcl_assembly_free(NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_published),
		cmocka_unit_test(test_aliases),
		cmocka_unit_test(test_builder),
		cmocka_unit_test(test_labels),
		cmocka_unit_test(test_expressions),
		cmocka_unit_test(test_uniforms),
		cmocka_unit_test(test_macros),
		cmocka_unit_test(test_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
