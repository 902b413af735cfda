// SPDX-License-Identifier: MIT
/*
 * The assembler's own macros: idioms that the checker can follow (Documentation/checker.rst), with
 * the waits that the chip asks for. Documentation/qpu-assembler.rst says what each costs.
 */
#include "assembler.h"

const char qasm_builtins[] =
	/* dst = x, but 0 to most. dst: an accumulator */
	".macro clamp dst, x, most\n"
	"	max dst, x, 0\n"
	"	min dst, dst, most\n"
	".endm\n"
	/*
	 * The 32-bit words base[x] of each element, x clamped to 0 to most, by a TMU (t0s or t1s).
	 * tmp: an accumulator
	 */
	".macro gather tmu, base, x, most, tmp\n"
	"	max tmp, x, 0\n"
	"	min tmp, tmp, most\n"
	"	shl tmp, tmp, 2\n"
	"	add tmu, tmp, base\n"
	".endm\n"
	/* VPM writes go to rows from here on, 32 bits an element */
	".macro vpm_write_at row\n"
	"	ldi vw_setup, vpm_write_setup(address=row, size=2, horizontal=1, stride=1)\n"
	".endm\n"
	/*
	 * The next VPM reads give rows from here on: as many as said. They may begin right behind
	 * this.
	 */
	".macro vpm_read_at row, rows=1\n"
	"	ldi vr_setup, vpm_read_setup(address=row, size=2, horizontal=1, stride=1, "
	"number=rows)\n"
	"	nop\n"
	"	nop\n"
	"	nop\n"
	".endm\n"
	/* Rows of 16 words from memory, 64 bytes apart, to VPM rows; and wait */
	".macro dma_load row, rows, address\n"
	"	ldi vr_setup, vdr_setup(y=row, vpitch=1, nrows=rows, rowlen=16, mpitch=3)\n"
	"	mov vr_addr, address\n"
	"	mov -, vr_wait\n"
	".endm\n"
	/* VPM rows of 16 words to memory, gap bytes between them; and wait */
	".macro dma_store row, rows, address, gap=0\n"
	"	ldi vw_setup, vdw_setup(y=row, horizontal=1, depth=16, units=rows)\n"
	"	ldi vw_setup, vdw_stride(stride=gap)\n"
	"	mov vw_addr, address\n"
	"	mov -, vw_wait\n"
	".endm\n"
	/*
	 * The same with a row of the QPU's own, which no other QPU touches: row qpu_num. a, b: two
	 * of r0 to r3, which are overwritten
	 */
	".macro vpm_write_own a\n"
	"	ldi a, vpm_write_setup(size=2, horizontal=1, stride=1)\n"
	"	add vw_setup, a, qpu_num\n"
	".endm\n"
	".macro vpm_read_own a\n"
	"	ldi a, vpm_read_setup(size=2, horizontal=1, stride=1, number=1)\n"
	"	add vr_setup, a, qpu_num\n"
	"	nop\n"
	"	nop\n"
	"	nop\n"
	".endm\n"
	".macro dma_load_own address, a, b\n"
	"	ldi a, vdr_setup(vpitch=1, nrows=1, rowlen=16, mpitch=3)\n"
	"	mov b, qpu_num\n"
	"	shl b, b, 4\n"
	"	add vr_setup, a, b\n"
	"	mov vr_addr, address\n"
	"	mov -, vr_wait\n"
	".endm\n"
	".macro dma_store_own address, a, b\n"
	"	ldi a, vdw_setup(horizontal=1, depth=16, units=1)\n"
	"	mov b, qpu_num\n"
	"	shl b, b, 7\n"
	"	add vw_setup, a, b\n"
	"	ldi vw_setup, vdw_stride()\n"
	"	mov vw_addr, address\n"
	"	mov -, vw_wait\n"
	".endm\n"
	".macro mutex_lock\n"
	"	mov -, mutex\n"
	".endm\n"
	".macro mutex_unlock\n"
	"	ldi mutex, 1\n"
	".endm\n"
	".macro wait count\n"
	"	.rept count\n"
	"	nop\n"
	"	.endr\n"
	".endm\n"
	/* acc of all 16 elements together, in each of them. acc, tmp: r0 to r3 */
	".macro reduce op, acc, tmp\n"
	"	nop\n"
	"	mov tmp, acc >> 8\n"
	"	op acc, acc, tmp\n"
	"	nop\n"
	"	mov tmp, acc >> 4\n"
	"	op acc, acc, tmp\n"
	"	nop\n"
	"	mov tmp, acc >> 2\n"
	"	op acc, acc, tmp\n"
	"	nop\n"
	"	mov tmp, acc >> 1\n"
	"	op acc, acc, tmp\n"
	".endm\n"
	/* The end of the program, with the interrupt that tells the host at once */
	".macro finish\n"
	"	ldi irq, 1\n"
	"	thrend\n"
	"	nop\n"
	"	nop\n"
	".endm\n";

const size_t qasm_builtins_length = sizeof(qasm_builtins) - 1;

/* The numbers of vc4.qinc: those of C's math.h */
const char qasm_vc4_names[] =
	".set M_E, 2.7182818284590452354, M_LOG2E, 1.4426950408889634074\n"
	".set M_LOG10E, 0.43429448190325182765, M_LN2, 0.69314718055994530942\n"
	".set M_LN10, 2.30258509299404568402, M_PI, 3.14159265358979323846\n"
	".set M_2PI, 6.28318530717958647693, M_PI_2, 1.57079632679489661923\n"
	".set M_PI_4, 0.78539816339744830962, M_1_PI, 0.31830988618379067154\n"
	".set M_2_PI, 0.63661977236758134308, M_2_SQRTPI, 1.12837916709551257390\n"
	".set M_SQRT2, 1.41421356237309504880, M_SQRT1_2, 0.70710678118654752440\n"
	".set M_NAN, 0.0 / 0.0, M_INF, 1.0 / 0.0\n";

const size_t qasm_vc4_names_length = sizeof(qasm_vc4_names) - 1;
