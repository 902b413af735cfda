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
