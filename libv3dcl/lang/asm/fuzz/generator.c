// SPDX-License-Identifier: MIT
/*
 * The fuzzer without libFuzzer: inputs from a generator with a seed, as many as asked for or for as
 * long.
 *
 *	asm-fuzz [INPUTS [SEED [SECONDS]]]
 *
 * Texts are bytes, words of the language in any order, lines of it that could be right, and lines
 * with one thing changed.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/param.h>
#include <time.h>

#include "fuzz.h"

#define MOST 4096

/* An input that is being made */
struct input {
	uint8_t data[MOST];
	size_t size;
	uint64_t state;
};

static uint32_t next(struct input *in, uint32_t below)
{
	in->state ^= in->state << 13;
	in->state ^= in->state >> 7;
	in->state ^= in->state << 17;
	return (uint32_t)(in->state >> 32) % below;
}

static void add(struct input *in, const char *text)
{
	size_t n = strlen(text);

	n = MIN(n, MOST - in->size);
	memcpy(in->data + in->size, text, n);
	in->size += n;
}

#define PICK(in, list) ((list)[next(in, sizeof(list) / sizeof(*(list)))])

static const char *const ops[] = {
	"nop", "mov", "fadd", "fsub", "fmin", "ftoi", "itof", "add", "sub", "shr", "ror", "min",
	"and", "or", "xor", "not", "clz",
	"v8adds",
	"fmul", "mul24", "v8muld", "v8min", "v8subs", "ldi", "ldis", "ldiu", "sacq", "srel", "brr",
	"bra", "m", "n",
};

static const char *const suffixes[] = { "", "", "", ".setf", ".zs", ".ifnz",
					".never", ".anynz", ".allcc", ".cs.setf", ".x" };

static const char *const places[] = {
	"r0", "r1", "r2", "r3", "r4", "r5", "ra0", "ra31", "rb7", "rb14", "ra39", "rb63", "-",
	"unif", "vary", "vpm", "elem_num",
	"qpu_num",
	"mutex", "vw_wait", "t0s", "t1b", "recip", "tlbc", "tlbz", "r5quad", "r5rep", "vr_setup",
	"vw_addr", "irq", "unif_addr",
	"x",
	"ra[i]", "rb[1 + 2]", "r[3]", ".loop", "ra", "TMU0_S", "ms_mask",
};

static const char *const packs[] = { "", "", "", "", ".8a", ".16a", ".16b",
				     ".8d", ".8abcd", ".8dr", ".s", ".16bs", ".8ac", ".8ds" };

static const char *const values[] = {
	"0", "1", "15", "-16", "1.0", "0.5", "128.0", "0x3f800000", "0xffffffff", "a", "i",
	"element", ".", "label", ".loop",
	"1 + 2", "f(3)",
	"(1 << 4)", "vdw_setup(units=16, depth=1)", "x ? 1 : 2", "~5", "-(-3)", "1e9", "int(2.5)",
	"[0,1,2,3,0,1,2,3,0,1,2,3,0,1,2,3]",
};

static const char *const signals[] = {
	"", "", "", "; thrsw", "; thrend",
	"; sbwait", "; ldtmu0", "; loadc", "; {ws=1}", "; {raddr_a=7, sf=1}",
	" >> r5", " >> 3", "; bkpt", ";"
};

static const char *const lines[] = {
	"label:", ".loop:", "a: b:", ".set a, 5", ".set x, a + 1, y, 2.5", ".rept 3, i", ".rept a",
	".endr", ".if a", ".if 0",
	".else", ".endif",
	".macro m x, y=3", ".macro n x", ".endm", "m 1, r0", "n r1", "m (1, 2)", ".data", ".text",
	".word 1, 2, a", ".float 0.1",
	".byte 3",
	".align 8", ".space 17", ".uniform u, 5", ".uniform -, &buf + 4, write",
	".uniform v, &label, read", ".inst 0x1234, 5",
	".assert 1",
	"# comment", "mov r0, x", "brr .loop", "brr.anynz label", "mov x.8a, y.8b",
	"x.setf r0, r1, r2",
	":lab", ":1", "::g", "brr -, r:1f", "brr -, :1b, ra2", ".rep k, 3", ".back 2", ".endb",
	".func f(p)", ".func f(p, q)", ".endf", "f(1) + p", ".set f(p) p * 2", "ldi r0, f(3)",
	".set reg, ra3.8a", "mov r0, reg + 1", ".lset a, 7", ".const c, 1", ".unset a",
	".lunset a", ".ifset a", ".elseif 1", ".syntax vc4asm", ".syntax v3dcl",
	".include <vc4.qinc>", ".include \"x\"", ".global lab", ".global g2, :lab",
	".local", ".endloc", ".foreach i, ra1, 2, label", ".endfor", ".clone lab, 2",
	".clone :1b, x", "ldi r0, 017",
	".int 1, 2, 3", ".short 5", "mov r0, r1 << 4", "mov r0, r1 >> r5; mov r2, 5",
	"mov -, sacq3", "srel -, 2", "mov vw_setup, vdw_setup_0(16, 16, dma_h32(0,0))",
	"mov vr_setup, vpm_setup(1, 1, v32(16,3))", "mov r0, [0,1,2,3,0,1,2,3,0,1,2,3,0,1,2,3]",
	"mov ra0.8888, r1", "fadd.pack8a ra1, r0, r1", "mov r0.z, r1", "fadd r0, r1, r2;",
	";mv8adds r1, r3, r3", "read vw_wait", "/* c", "*/", "brr ra4; -, +176", "bra -, ra0+0",
};

static void add_place(struct input *in)
{
	add(in, PICK(in, places));
	add(in, PICK(in, packs));
}

static void add_half(struct input *in)
{
	unsigned int i, n = next(in, 4);

	add(in, PICK(in, ops));
	add(in, PICK(in, suffixes));
	add(in, " ");
	add_place(in);
	for (i = 0; i < n; i++) {
		add(in, ", ");
		if (next(in, 3))
			add_place(in);
		else
			add(in, PICK(in, values));
	}
}

static void add_line(struct input *in)
{
	if (!next(in, 3)) {
		add(in, PICK(in, lines));
	} else {
		add_half(in);
		if (next(in, 2)) {
			add(in, "; ");
			add_half(in);
		}
		add(in, PICK(in, signals));
	}
	add(in, "\n");
}

/* A half with as many sources as it has, from where it may come */
static void add_right_line(struct input *in)
{
	static const char *const adds[] = { "fadd", "sub", "min", "v8adds", "and" };
	static const char *const muls[] = { "fmul", "mul24", "v8max" };
	char text[120];

	snprintf(text, sizeof(text), "%s%s r%u, ra%u, r%u; %s rb%u, r%u, ra%u%s\n", PICK(in, adds),
		 next(in, 2) ? ".setf" : "", next(in, 4), 5u, next(in, 6), PICK(in, muls),
		 next(in, 32), next(in, 6), 5u, next(in, 3) ? "" : "; ldtmu1");
	add(in, text);
}

static void mutate(struct input *in)
{
	unsigned int n = next(in, 3);

	for (; n && in->size > 1; n--) {
		size_t at = 1 + next(in, in->size - 1);

		switch (next(in, 3)) {
		case 0:
			in->data[at] = next(in, 256);
			break;
		case 1:
			memmove(in->data + at, in->data + at + 1, in->size - at - 1);
			in->size--;
			break;
		default:
			in->data[at] = " .,;:()[]{}+-#\n0r"[next(in, 17)];
		}
	}
}

static void make(struct input *in)
{
	unsigned int i, n, kind = next(in, 8);

	in->data[0] = kind < 2;
	in->size = 1;
	if (kind < 3) {
		n = next(in, 300);
		for (i = 0; i < n; i++)
			in->data[in->size++] = next(in, 256);
		return;
	}
	n = 1 + next(in, kind == 3 ? 30 : 3);
	for (i = 0; i < n; i++) {
		if (kind < 6)
			add_line(in);
		else
			add_right_line(in);
	}
	if (kind != 7)
		mutate(in);
}

int main(int argc, char **argv)
{
	unsigned long inputs = argc > 1 ? strtoul(argv[1], NULL, 0) : 100000, i;
	static struct input in;
	time_t end = argc > 3 ? time(NULL) + strtol(argv[3], NULL, 0) : 0;

	in.state = argc > 2 ? strtoull(argv[2], NULL, 0) | 1 : 0x9e3779b97f4a7c15u;
	for (i = 0; (end || i < inputs) && (!end || i % 64 || time(NULL) < end); i++) {
		make(&in);
		LLVMFuzzerTestOneInput(in.data, in.size);
	}
	printf("TAP version 13\n1..3\nok 1 - %lu inputs, no error\n", i);
	printf("%sok 2 - %lu texts accepted, %lu instructions; %lu refused\n",
	       fuzz_count.accepted ? "" : "not ", fuzz_count.accepted, fuzz_count.instructions,
	       fuzz_count.refused);
	printf("%sok 3 - %lu words to text and back, %lu hazards\n", fuzz_count.words ? "" : "not ",
	       fuzz_count.words, fuzz_count.hazards);
	return !(fuzz_count.accepted && fuzz_count.words);
}
