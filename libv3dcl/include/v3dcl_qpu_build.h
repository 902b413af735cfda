/* SPDX-License-Identifier: MIT */
/*
 * QPU programs written in C, readably: a thin layer over v3d_qpu_encode(). Header only; needs
 * nothing but uapi/; C only.
 *
 *	uint64_t code[64];
 *	struct qb b;
 *
 *	qb_init(&b, code, 64);
 *	// mov r0, unif
 *	qb_emit(&b, qb_mov(QB_R0, QB_UNIF));
 *	// sub.setf -, r0, 1
 *	qb_emit(&b, qb_flags(qb_add(V3D_QPU_ADD_SUB, QB_NONE, QB_R0, qb_imm(1))));
 *	// fadd ra1, r0, r1; fmul r2, r0, r1
 *	qb_emit(&b, qb_both(qb_add(V3D_QPU_ADD_FADD, QB_RA(1), QB_R0, QB_R1),
 *			    qb_mul(V3D_QPU_MUL_FMUL, QB_R2, QB_R0, QB_R1)));
 *	// 16 rows of VPM go to the address of the next uniform
 *	qb_store_rows(&b, 0, 16, QB_UNIF);
 *	// thrend, two delay slots
 *	qb_end(&b);
 *
 * qb_add(), qb_mul(), qb_mov(), qb_ldi() ... give an instruction; qb_flags(), qb_if(), qb_pack()
 * ... change one; qb_both() joins an add and a mul half; qb_emit() appends. Nothing here checks the
 * rules of AG100 "Summary of Instruction Restrictions": tests need to break them. Helpers that emit
 * several instructions keep those rules. What cannot be encoded (two reads of one register file, a
 * small immediate beside a file B read, no room) sets qb.failed, so look at it before running the
 * program.
 */
#ifndef V3DCL_QPU_BUILD_H
#define V3DCL_QPU_BUILD_H

#include <stdbool.h>
#include <stdint.h>

#include <v3d/qpu.h>
#include <v3d/words.h>

/**
 * struct qb - a program being written
 * @code: the caller's buffer
 * @count: instructions so far
 * @capacity: of @code, in instructions
 * @failed: something could not be encoded, or did not fit
 */
struct qb {
	uint64_t *code;
	uint32_t count, capacity;
	bool failed;
};

/*
 * Operands and destinations are 16-bit numbers: 0x1000 an accumulator, 0x2000 an address of file A,
 * 0x4000 of file B, 0x6000 a destination that is in both, 0x8000 a small immediate.
 */
#define QB_R0 0x1000
#define QB_R1 0x1001
#define QB_R2 0x1002
#define QB_R3 0x1003
#define QB_R4 0x1004			/* source only */
#define QB_R5 0x1005			/* source only: write QB_R5QUAD or QB_R5REP */

/* Register files, both as source and as destination: bits 5:0 the address, then which file */
#define QB_RA(n) (0x2000 | (n))
#define QB_RB(n) (0x4000 | (n))

/* Sources in the register space; where A and B differ, both exist */
#define QB_UNIF QB_RA(V3D_QPU_R_UNIFORM)
#define QB_UNIF_B QB_RB(V3D_QPU_R_UNIFORM)
#define QB_ELEMENT QB_RA(V3D_QPU_R_ELEMENT_QPU_NUMBER)
#define QB_QPU QB_RB(V3D_QPU_R_ELEMENT_QPU_NUMBER)
#define QB_VPM_READ QB_RA(V3D_QPU_R_VPM_READ)
#define QB_VPM_READ_B QB_RB(V3D_QPU_R_VPM_READ)
#define QB_VDR_BUSY QB_RA(V3D_QPU_R_VPM_BUSY)
#define QB_VDW_BUSY QB_RB(V3D_QPU_R_VPM_BUSY)
#define QB_VDR_WAIT QB_RA(V3D_QPU_R_VPM_WAIT)
#define QB_VDW_WAIT QB_RB(V3D_QPU_R_VPM_WAIT)
#define QB_MUTEX_ACQUIRE QB_RA(V3D_QPU_R_MUTEX_ACQUIRE)

/* Destinations in the register space that exist in both files (QB_IO) or in one */
#define QB_IO(address) (0x6000 | (address))
#define QB_NONE QB_IO(V3D_QPU_W_NOP)
#define QB_R5QUAD QB_RA(V3D_QPU_W_ACC5)
#define QB_R5REP QB_RB(V3D_QPU_W_ACC5)
#define QB_TMU_NOSWAP QB_IO(V3D_QPU_W_TMU_NOSWAP)
#define QB_HOST_INT QB_IO(V3D_QPU_W_HOST_INT)
#define QB_UNIF_ADDR QB_RA(V3D_QPU_W_UNIFORMS_ADDRESS)
#define QB_VPM_WRITE QB_IO(V3D_QPU_W_VPM_WRITE)
#define QB_VR_SETUP QB_RA(V3D_QPU_W_VPM_SETUP)
#define QB_VW_SETUP QB_RB(V3D_QPU_W_VPM_SETUP)
#define QB_VDR_ADDR QB_RA(V3D_QPU_W_VPM_ADDR)
#define QB_VDW_ADDR QB_RB(V3D_QPU_W_VPM_ADDR)
#define QB_MUTEX_RELEASE QB_IO(V3D_QPU_W_MUTEX_RELEASE)
#define QB_RECIP QB_IO(V3D_QPU_W_SFU_RECIP)
#define QB_RSQRT QB_IO(V3D_QPU_W_SFU_RECIPSQRT)
#define QB_EXP QB_IO(V3D_QPU_W_SFU_EXP)
#define QB_LOG QB_IO(V3D_QPU_W_SFU_LOG)
#define QB_TMU0_S QB_IO(V3D_QPU_W_TMU0_S)
#define QB_TMU1_S QB_IO(V3D_QPU_W_TMU1_S)

/* A small immediate as a source, by its code in AG100 Table 5: see qb_imm() and qb_imm_float() */
#define QB_SMALL(code) (0x8000 | (code))

/**
 * qb_init() - start a program
 * @b: the program
 * @code: the caller's buffer, of @capacity words
 * @capacity: instructions that it has room for
 */
static inline void qb_init(struct qb *b, uint64_t *code, uint32_t capacity)
{
	b->code = code;
	b->count = 0;
	b->capacity = capacity;
	b->failed = false;
}

/**
 * qb_imm() - an integer as a source
 * @value: -16 to 15; anything else makes qb_emit() fail
 *
 * Return: the source
 */
static inline uint16_t qb_imm(int value)
{
	return value < -16 || value > 15 ? 0 : QB_SMALL(value & 0x1f);
}

/**
 * qb_imm_float() - a power of two as a source
 * @exponent: -8 to 7, for 2^-8 to 2^7; anything else makes qb_emit() fail
 *
 * Return: the source
 */
static inline uint16_t qb_imm_float(int exponent)
{
	return exponent < -8 || exponent > 7 ?
		       0 :
		       QB_SMALL(exponent < 0 ? 48 + exponent : 32 + exponent);
}

/**
 * qb_nop() - nothing: conditions never, both destinations and reads at the no-operation address
 *
 * Return: the instruction
 */
static inline struct v3d_qpu_inst qb_nop(void)
{
	struct v3d_qpu_inst i = {
		.kind = V3D_QPU_ALU,
		.sig = V3D_QPU_SIG_NONE,
		.waddr_add = V3D_QPU_W_NOP,
		.waddr_mul = V3D_QPU_W_NOP,
		.raddr_a = V3D_QPU_R_NOP,
		.raddr_b = V3D_QPU_R_NOP,
	};
	return i;
}

/* What cannot be encoded is marked by kind 0xff, which qb_emit() refuses. */
#define QB_BAD 0xff

/* The B port: a read address, or a small immediate in its place */
static inline void qb_take_b(struct v3d_qpu_inst *i, __u8 address, bool immediate)
{
	bool small = i->kind == V3D_QPU_ALU_SMALL_IMMEDIATE;

	if ((small || i->raddr_b != V3D_QPU_R_NOP) && (small != immediate || i->raddr_b != address))
		i->kind = QB_BAD;
	i->raddr_b = address;
	if (immediate && i->kind != QB_BAD) {
		i->kind = V3D_QPU_ALU_SMALL_IMMEDIATE;
		i->sig = V3D_QPU_SIG_SMALL_IMMEDIATE;
	}
}

static inline void qb_take_source(struct v3d_qpu_inst *i, uint16_t src, __u8 *mux)
{
	__u8 address = src & 0x3f;

	switch (src & 0xf000) {
	case 0x1000:
		*mux = src & 7;
		return;
	case 0x2000:
		*mux = V3D_QPU_A;
		if (i->raddr_a != V3D_QPU_R_NOP && i->raddr_a != address)
			i->kind = QB_BAD;
		i->raddr_a = address;
		return;
	case 0x4000:
	case 0x8000:
		*mux = V3D_QPU_B;
		qb_take_b(i, address, src & 0x8000);
		return;
	default:
		i->kind = QB_BAD;
	}
}

/* The address, and which files it may be in: 1 A, 2 B, 3 both */
static inline __u8 qb_dst_address(uint16_t dst, unsigned int *files)
{
	*files = dst & 0x1000 ? 3 : dst >> 13 & 3;
	return dst & 0x1000 ? V3D_QPU_W_ACC0 + (dst & 7) : dst & 0x3f;
}

/**
 * qb_add() - an instruction of the add ALU, condition always
 * @op: the operation
 * @dst: destination
 * @a: first source
 * @b: second source, which operations of one operand ignore
 *
 * Return: the instruction
 */
static inline struct v3d_qpu_inst qb_add(enum v3d_qpu_add_op op, uint16_t dst, uint16_t a,
					 uint16_t b)
{
	struct v3d_qpu_inst i = qb_nop();
	unsigned int files;

	i.op_add = op;
	i.cond_add = V3D_QPU_COND_ALWAYS;
	i.waddr_add = qb_dst_address(dst, &files);
	i.ws = files == 2;
	qb_take_source(&i, a, &i.add_a);
	qb_take_source(&i, b, &i.add_b);
	return i;
}

/**
 * qb_mul() - an instruction of the mul ALU, condition always
 * @op: the operation
 * @dst: destination
 * @a: first source
 * @b: second source
 *
 * Return: the instruction
 */
static inline struct v3d_qpu_inst qb_mul(enum v3d_qpu_mul_op op, uint16_t dst, uint16_t a,
					 uint16_t b)
{
	struct v3d_qpu_inst i = qb_nop();
	unsigned int files;

	i.op_mul = op;
	i.cond_mul = V3D_QPU_COND_ALWAYS;
	i.waddr_mul = qb_dst_address(dst, &files);
	i.ws = files == 1;
	qb_take_source(&i, a, &i.mul_a);
	qb_take_source(&i, b, &i.mul_b);
	return i;
}

/**
 * qb_mov() - a copy by the add ALU (or x, x)
 * @dst: destination
 * @src: source
 *
 * Return: the instruction
 */
static inline struct v3d_qpu_inst qb_mov(uint16_t dst, uint16_t src)
{
	return qb_add(V3D_QPU_ADD_OR, dst, src, src);
}

/**
 * qb_mul_mov() - a copy by the mul ALU (v8min x, x)
 * @dst: destination
 * @src: source
 *
 * Return: the instruction
 */
static inline struct v3d_qpu_inst qb_mul_mov(uint16_t dst, uint16_t src)
{
	return qb_mul(V3D_QPU_MUL_V8MIN, dst, src, src);
}

/**
 * qb_rotate() - a copy by the mul ALU, rotated upwards
 * @dst: destination
 * @src: r0 to r3 for a rotation of all 16 elements; no source in file B
 * @n: elements, 1 to 15; 0 for what r5 says
 *
 * Return: the instruction
 */
static inline struct v3d_qpu_inst qb_rotate(uint16_t dst, uint16_t src, unsigned int n)
{
	struct v3d_qpu_inst i = qb_mul_mov(dst, src);

	if (i.kind != V3D_QPU_ALU || i.raddr_b != V3D_QPU_R_NOP)
		i.kind = QB_BAD;
	else
		i.kind = V3D_QPU_ALU_SMALL_IMMEDIATE;
	i.sig = V3D_QPU_SIG_SMALL_IMMEDIATE;
	i.raddr_b = V3D_QPU_ROTATE + (n & 15);
	return i;
}

/**
 * qb_both() - one instruction out of an add half and a mul half
 * @add: made by qb_add() or qb_mov()
 * @mul: made by qb_mul(), qb_mul_mov() or qb_rotate()
 *
 * They share pack, unpack and set-flags.
 *
 * Return: the instruction
 */
static inline struct v3d_qpu_inst qb_both(struct v3d_qpu_inst add, struct v3d_qpu_inst mul)
{
	struct v3d_qpu_inst i = add;
	bool add_acc = add.waddr_add >= 32, mul_acc = mul.waddr_mul >= 32;

	i.op_mul = mul.op_mul;
	i.cond_mul = mul.cond_mul;
	i.waddr_mul = mul.waddr_mul;
	i.mul_a = mul.mul_a;
	i.mul_b = mul.mul_b;
	i.sf |= mul.sf;
	i.pm |= mul.pm;
	i.pack |= mul.pack;
	i.unpack |= mul.unpack;
	if (add.ws != mul.ws && !add_acc && !mul_acc)
		i.kind = QB_BAD;		/* both want the same register file */
	if (add.ws != mul.ws)
		i.ws = add_acc && !mul_acc ? mul.ws : add_acc && mul_acc ? add.ws | mul.ws : add.ws;
	if (mul.raddr_a != V3D_QPU_R_NOP) {
		if (add.raddr_a != V3D_QPU_R_NOP && add.raddr_a != mul.raddr_a)
			i.kind = QB_BAD;
		i.raddr_a = mul.raddr_a;
	}
	if (mul.kind == V3D_QPU_ALU_SMALL_IMMEDIATE || mul.raddr_b != V3D_QPU_R_NOP)
		qb_take_b(&i, mul.raddr_b, mul.kind == V3D_QPU_ALU_SMALL_IMMEDIATE);
	if (mul.kind == QB_BAD)
		i.kind = QB_BAD;
	return i;
}

/**
 * qb_flags() - set the flags
 * @i: the instruction
 *
 * Return: the instruction, changed
 */
static inline struct v3d_qpu_inst qb_flags(struct v3d_qpu_inst i)
{
	i.sf = 1;
	return i;
}

/**
 * qb_if() - both halves that write do so only under a condition
 * @condition: of the flags
 * @i: the instruction
 *
 * Return: the instruction, changed
 */
static inline struct v3d_qpu_inst qb_if(enum v3d_qpu_condition condition, struct v3d_qpu_inst i)
{
	if (i.cond_add != V3D_QPU_COND_NEVER)
		i.cond_add = condition;
	if (i.cond_mul != V3D_QPU_COND_NEVER)
		i.cond_mul = condition;
	return i;
}

/**
 * qb_signal() - with a signal
 * @signal: the signal
 * @i: the instruction, without a small immediate
 *
 * Return: the instruction, changed
 */
static inline struct v3d_qpu_inst qb_signal(enum v3d_qpu_signal signal, struct v3d_qpu_inst i)
{
	if (i.kind != V3D_QPU_ALU)
		i.kind = QB_BAD;
	i.sig = signal;
	return i;
}

/**
 * qb_pack() - with a pack mode
 * @mode: of AG100 Table 7, or with @pm of Table 9
 * @pm: the mul ALU packs; else register file A
 * @i: the instruction
 *
 * Return: the instruction, changed
 */
static inline struct v3d_qpu_inst qb_pack(unsigned int mode, bool pm, struct v3d_qpu_inst i)
{
	i.pack = mode;
	i.pm = pm;
	return i;
}

/**
 * qb_unpack() - with an unpack mode
 * @mode: of AG100 Table 6, or with @pm of Table 8
 * @pm: r4 is unpacked; else register file A
 * @i: the instruction
 *
 * Return: the instruction, changed
 */
static inline struct v3d_qpu_inst qb_unpack(unsigned int mode, bool pm, struct v3d_qpu_inst i)
{
	i.unpack = mode;
	i.pm = pm;
	return i;
}

static inline struct v3d_qpu_inst qb_load(uint8_t kind, uint8_t unpack, uint16_t dst,
					  uint32_t immediate)
{
	struct v3d_qpu_inst i = { .kind = kind, .sig = V3D_QPU_SIG_LOAD_IMMEDIATE, .unpack = unpack,
				  .immediate = immediate };
	unsigned int files;

	i.cond_add = V3D_QPU_COND_ALWAYS;
	i.waddr_add = qb_dst_address(dst, &files);
	i.waddr_mul = V3D_QPU_W_NOP;
	i.ws = files == 2;
	return i;
}

/**
 * qb_ldi() - load 32 bits into all elements
 * @dst: destination
 * @value: the bits
 *
 * Return: the instruction
 */
static inline struct v3d_qpu_inst qb_ldi(uint16_t dst, uint32_t value)
{
	return qb_load(V3D_QPU_LOAD_32, 0, dst, value);
}

/**
 * qb_ldi_signed() - load two bits an element, signed
 * @dst: destination
 * @bits: element n takes bit n + 16 as sign and bit n as low bit
 *
 * Return: the instruction
 */
static inline struct v3d_qpu_inst qb_ldi_signed(uint16_t dst, uint32_t bits)
{
	return qb_load(V3D_QPU_LOAD_SIGNED, 1, dst, bits);
}

/**
 * qb_ldi_unsigned() - load two bits an element, unsigned
 * @dst: destination
 * @bits: element n takes bit n + 16 as high bit and bit n as low bit
 *
 * Return: the instruction
 */
static inline struct v3d_qpu_inst qb_ldi_unsigned(uint16_t dst, uint32_t bits)
{
	return qb_load(V3D_QPU_LOAD_UNSIGNED, 3, dst, bits);
}

/**
 * qb_sema_up() - increment a semaphore, waiting while it is 15
 * @n: its number, 0 to 15
 *
 * Return: the instruction
 */
static inline struct v3d_qpu_inst qb_sema_up(unsigned int n)
{
	struct v3d_qpu_inst i = qb_load(V3D_QPU_SEMAPHORE, 4, QB_NONE, n & 0xf);

	i.cond_add = V3D_QPU_COND_NEVER;
	return i;
}

/**
 * qb_sema_down() - decrement a semaphore, waiting while it is 0
 * @n: its number, 0 to 15
 *
 * Return: the instruction
 */
static inline struct v3d_qpu_inst qb_sema_down(unsigned int n)
{
	struct v3d_qpu_inst i = qb_sema_up(n);

	i.immediate |= 1 << 4;
	return i;
}

/**
 * qb_emit() - append an instruction
 * @b: the program; its @failed is set where that cannot be encoded, or does not fit
 * @i: the instruction
 */
static inline void qb_emit(struct qb *b, struct v3d_qpu_inst i)
{
	if (i.kind == QB_BAD || b->count >= b->capacity) {
		b->failed = true;
		return;
	}
	b->code[b->count++] = v3d_qpu_encode(&i);
}

/**
 * qb_nops() - append instructions that do nothing
 * @b: the program
 * @n: how many
 */
static inline void qb_nops(struct qb *b, unsigned int n)
{
	while (n--)
		qb_emit(b, qb_nop());
}

/**
 * qb_end() - append the end of the program: thread end and its two delay slots
 * @b: the program
 */
static inline void qb_end(struct qb *b)
{
	qb_emit(b, qb_signal(V3D_QPU_SIG_PROGRAM_END, qb_nop()));
	qb_nops(b, V3D_QPU_END_SLOTS);
}

/**
 * qb_end_fragment() - append the end of a fragment shader, whose last instruction unlocks the
 * scoreboard
 * @b: the program
 */
static inline void qb_end_fragment(struct qb *b)
{
	qb_emit(b, qb_signal(V3D_QPU_SIG_PROGRAM_END, qb_nop()));
	qb_emit(b, qb_nop());
	qb_emit(b, qb_signal(V3D_QPU_SIG_UNLOCK_SCOREBOARD, qb_nop()));
}

/**
 * qb_end_color() - append what gives all samples a colour, and the end
 * @b: the program
 * @src: the colour
 *
 * AG100 p. 45: the scoreboard is waited for first.
 */
static inline void qb_end_color(struct qb *b, uint16_t src)
{
	qb_emit(b, qb_signal(V3D_QPU_SIG_WAIT_SCOREBOARD, qb_nop()));
	qb_emit(b, qb_mov(QB_IO(V3D_QPU_W_TLB_COLOUR_ALL), src));
	qb_end_fragment(b);
}

/**
 * qb_here() - where the next instruction goes
 * @b: the program
 *
 * Return: its index, as a branch target
 */
static inline uint32_t qb_here(const struct qb *b)
{
	return b->count;
}

/**
 * qb_branch() - a branch without target register
 * @condition: of the flags
 * @relative: to the branch plus 4 instructions; else absolute
 * @immediate: bytes
 * @link: destination of the return address, or QB_NONE
 *
 * Its 3 delay slots are the caller's.
 *
 * Return: the instruction
 */
static inline struct v3d_qpu_inst qb_branch(enum v3d_qpu_branch_condition condition, bool relative,
					    uint32_t immediate, uint16_t link)
{
	struct v3d_qpu_inst i = {
		.kind = V3D_QPU_BRANCH,
		.sig = V3D_QPU_SIG_BRANCH,
		.cond_br = condition,
		.rel = relative,
		.immediate = immediate,
	};
	unsigned int files;

	i.waddr_add = qb_dst_address(link, &files);
	i.waddr_mul = V3D_QPU_W_NOP;
	i.ws = files == 2;
	return i;
}

/**
 * qb_branch_register() - a branch that adds element 15 of a register
 * @branch: made by qb_branch()
 * @ra: register of file A, 0 to 31; bit 0 of it also sets the flags (HW)
 *
 * Return: the instruction, changed
 */
static inline struct v3d_qpu_inst qb_branch_register(struct v3d_qpu_inst branch, unsigned int ra)
{
	branch.reg = 1;
	branch.branch_raddr_a = ra & 0x1f;
	return branch;
}

/**
 * qb_branch_to() - append a relative branch
 * @b: the program
 * @condition: of the flags
 * @target: index of the instruction to go to
 *
 * Its 3 delay slots are the caller's.
 */
static inline void qb_branch_to(struct qb *b, enum v3d_qpu_branch_condition condition,
				uint32_t target)
{
	qb_emit(b, qb_branch(condition, true, (target - b->count - 4) * V3D_QPU_INSTRUCTION_BYTES,
			     QB_NONE));
}

/**
 * qb_count_down() - append the end of a loop: one less in a register, and back until it is 0
 * @b: the program
 * @reg: counts, the same in all elements
 * @top: index of the loop's first instruction
 */
static inline void qb_count_down(struct qb *b, uint16_t reg, uint32_t top)
{
	qb_emit(b, qb_flags(qb_add(V3D_QPU_ADD_SUB, reg, reg, qb_imm(1))));
	qb_branch_to(b, V3D_QPU_BRANCH_ALL_ZC, top);
	qb_nops(b, 3);
}

/**
 * qb_patch() - point a relative branch elsewhere
 * @b: the program
 * @branch: index of the branch, already emitted
 * @target: index of the instruction to go to
 */
static inline void qb_patch(struct qb *b, uint32_t branch, uint32_t target)
{
	struct v3d_qpu_inst i;

	if (branch >= b->count) {
		b->failed = true;
		return;
	}
	i = v3d_qpu_decode(b->code[branch]);
	i.immediate = (target - branch - 4) * V3D_QPU_INSTRUCTION_BYTES;
	b->code[branch] = v3d_qpu_encode(&i);
}

/**
 * qb_word_vpm_write() - VPM write set-up word, 32 bits a lane, horizontal
 * @row: first row of the VPM
 *
 * Return: the word
 */
static inline uint32_t qb_word_vpm_write(unsigned int row)
{
	const struct v3d_vpm_write_setup s = {
		.address = row, .size = V3D_VPM_32BIT, .horizontal = 1, .stride = 1
	};

	return v3d_word_vpm_write_setup(&s);
}

/**
 * qb_word_vpm_read() - VPM read set-up word, 32 bits a lane, horizontal
 * @row: first row of the VPM
 * @rows: 1 to 16
 *
 * Return: the word
 */
static inline uint32_t qb_word_vpm_read(unsigned int row, unsigned int rows)
{
	const struct v3d_vpm_read_setup s = {
		.address = row,
		.size = V3D_VPM_32BIT,
		.horizontal = 1,
		.stride = 1,
		.number = rows & 0xf,
	};

	return v3d_word_vpm_read_setup(&s);
}

/**
 * qb_word_vdw() - DMA store set-up word: rows of 16 words, horizontal
 * @row: first row of the VPM
 * @rows: 1 to 128
 *
 * Return: the word
 */
static inline uint32_t qb_word_vdw(unsigned int row, unsigned int rows)
{
	const struct v3d_vdw_setup s = {
		.y = row, .horizontal = 1, .depth = 16, .units = rows & 0x7f, .id = 2
	};

	return v3d_word_vdw_setup(&s);
}

/**
 * qb_word_vdw_stride() - DMA store stride word
 * @stride: bytes between the end of a row and the next in memory
 *
 * Return: the word
 */
static inline uint32_t qb_word_vdw_stride(unsigned int stride)
{
	const struct v3d_vdw_stride s = { .stride = stride, .id = 3 };

	return v3d_word_vdw_stride(&s);
}

/**
 * qb_word_vdr() - DMA load set-up word: rows of 16 words, 64 bytes apart in memory, horizontal
 * @row: first row of the VPM
 * @rows: 1 to 16
 *
 * Return: the word
 */
static inline uint32_t qb_word_vdr(unsigned int row, unsigned int rows)
{
	const struct v3d_vdr_setup s = {
		.y = row, .vpitch = 1, .nrows = rows & 0xf, .rowlen = 0, .mpitch = 3, .id = 1
	};

	return v3d_word_vdr_setup(&s);
}

/**
 * qb_setup() - append: load a set-up register
 * @b: the program
 * @reg: QB_VR_SETUP or QB_VW_SETUP
 * @word: from one of the qb_word_...() above
 */
static inline void qb_setup(struct qb *b, uint16_t reg, uint32_t word)
{
	qb_emit(b, qb_ldi(reg, word));
}

/**
 * qb_store_rows() - append: DMA store of VPM rows to memory, and wait for its end
 * @b: the program
 * @row: first row of the VPM
 * @rows: 1 to 128, of 16 words; in memory they follow each other without a gap
 * @address: where, taken from element 0: QB_UNIF, an accumulator, a register
 */
static inline void qb_store_rows(struct qb *b, unsigned int row, unsigned int rows,
				 uint16_t address)
{
	qb_setup(b, QB_VW_SETUP, qb_word_vdw(row, rows));
	qb_setup(b, QB_VW_SETUP, qb_word_vdw_stride(0));
	qb_emit(b, qb_mov(QB_VDW_ADDR, address));
	qb_emit(b, qb_mov(QB_NONE, QB_VDW_WAIT));
}

/**
 * qb_load_rows() - append: DMA load of rows from memory into the VPM, and wait for its end
 * @b: the program
 * @row: first row of the VPM
 * @rows: 1 to 16, of 16 words; in memory they follow each other without a gap
 * @address: from where, taken from element 0: QB_UNIF, an accumulator, a register
 */
static inline void qb_load_rows(struct qb *b, unsigned int row, unsigned int rows, uint16_t address)
{
	qb_setup(b, QB_VR_SETUP, qb_word_vdr(row, rows));
	qb_emit(b, qb_mov(QB_VDR_ADDR, address));
	qb_emit(b, qb_mov(QB_NONE, QB_VDR_WAIT));
}

/**
 * qb_write_row() - append: set up and write a row of the VPM
 * @b: the program
 * @row: of the VPM
 * @src: source of its 16 words
 */
static inline void qb_write_row(struct qb *b, unsigned int row, uint16_t src)
{
	qb_setup(b, QB_VW_SETUP, qb_word_vpm_write(row));
	qb_emit(b, qb_mov(QB_VPM_WRITE, src));
}

/**
 * qb_read_row() - append: read a row of the VPM, with the latency that a read set-up needs
 * @b: the program
 * @dst: destination of its 16 words
 * @row: of the VPM
 */
static inline void qb_read_row(struct qb *b, uint16_t dst, unsigned int row)
{
	qb_setup(b, QB_VR_SETUP, qb_word_vpm_read(row, 1));
	qb_nops(b, 3);
	qb_emit(b, qb_mov(dst, QB_VPM_READ));
}

/**
 * qb_mutex_lock() - append: wait for the mutex that all QPUs share
 * @b: the program
 */
static inline void qb_mutex_lock(struct qb *b)
{
	qb_emit(b, qb_mov(QB_NONE, QB_MUTEX_ACQUIRE));
}

/**
 * qb_mutex_unlock() - append: release the mutex
 * @b: the program
 */
static inline void qb_mutex_unlock(struct qb *b)
{
	qb_emit(b, qb_ldi(QB_MUTEX_RELEASE, 1));
}

/**
 * qb_host_int() - append: raise this QPU's bit in DBQITC
 * @b: the program
 */
static inline void qb_host_int(struct qb *b)
{
	qb_emit(b, qb_ldi(QB_HOST_INT, 1));
}

#endif /* V3DCL_QPU_BUILD_H */
