// SPDX-License-Identifier: MIT
/*
 * Shaders: what they use, which a draw holds against their record; the tile buffer, threads, what a
 * fragment comes with; the forms of direct reads and of the uniforms address.
 */
#include "common.h"

static struct test_shader t;

#define E(inst) shader_emit(&t, inst);
#define NOPS(n) qb_nops(&t.b, n);
#define OP(name, dst, x, y) E(qb_add(V3D_QPU_ADD_##name, dst, x, y))
#define BRANCH(n) E(qb_branch(V3D_QPU_BRANCH_ALL_ZS, true, (uint32_t)(n) * 8, QB_NONE))
#define JUMP(n) E(qb_branch(V3D_QPU_BRANCH_ALWAYS, true, (uint32_t)(n) * 8, QB_NONE)) NOPS(3)
#define FREAD(address) E(ADD(QB_TMU0_S, address, QB_UNIF)) E(SIG(LOAD_TMU0, qb_nop()))
#define ADD(dst, a, b) qb_add(V3D_QPU_ADD_ADD, dst, a, b)
#define CLAMP(dst, src) OP(MAX, dst, src, qb_imm(0)) OP(MIN, dst, dst, QB_UNIF)

#define BROKEN(rule_, at_, body) assert_shader_refused(&t, rule_, at_, body)
/* The same without what shader_begin() emits: nothing was written before. */
#define BARE(rule_, at_, body) \
	do { \
		shader_start(&t); \
		body \
		qb_end(&t.b); \
		assert_false(shader_check(&t)); \
		assert_refusal(&t.refusal, CODE, rule_, (at_) * 8); \
	} while (0)
#define USES(uses_, body) \
	do { \
		shader_begin(&t); \
		body \
		assert_int_equal(shader_finish(&t)->uses, uses_); \
	} while (0)
#define BARE_USES(uses_, body) \
	do { \
		shader_start(&t); \
		body \
		assert_int_equal(shader_finish(&t)->uses, uses_); \
	} while (0)

#define TILE V3DCL_SHADER_TILE
#define VPM V3DCL_SHADER_VPM
#define THREADED V3DCL_SHADER_THREADED
#define RESIDUE V3DCL_SHADER_RESIDUE

static struct v3d_qpu_inst reading(struct v3d_qpu_inst inst, int a, int b)
{
	inst.raddr_a = a < 0 ? inst.raddr_a : a;
	inst.raddr_b = b < 0 ? inst.raddr_b : b;
	return inst;
}

TEST(test_uses)
{
	(void)state;
	USES(0, NOPS(1));
	USES(TILE, E(qb_mov(QB_TLB_COLOUR, QB_R0)));
	USES(TILE, E(qb_mov(QB_IO(V3D_QPU_W_TLB_Z), QB_R0)));
	USES(TILE, E(qb_mov(QB_IO(V3D_QPU_W_QUAD_XY), QB_R0)));
	/* where the fragment is, and how it is covered: a port reads what is named, taken or not */
	USES(TILE, E(qb_mov(QB_R0, QB_RA(V3D_QPU_R_PIXEL_COORD))));
	USES(TILE, E(qb_mov(QB_R0, QB_RB(V3D_QPU_R_PIXEL_COORD))));
	USES(TILE, E(qb_mov(QB_R0, QB_RA(V3D_QPU_R_MS_REV_FLAGS))));
	USES(TILE, E(qb_mov(QB_R0, QB_RB(V3D_QPU_R_MS_REV_FLAGS))));
	USES(TILE, E(reading(qb_nop(), V3D_QPU_R_PIXEL_COORD, V3D_QPU_R_NOP)));
	USES(TILE, E(reading(qb_nop(), V3D_QPU_R_NOP, V3D_QPU_R_MS_REV_FLAGS)));
	USES(TILE, E(SIG(WAIT_SCOREBOARD, qb_nop())));
	USES(TILE, E(SIG(UNLOCK_SCOREBOARD, qb_nop())));
	USES(TILE, E(SIG(LOAD_COLOR, qb_nop())));
	USES(TILE, E(qb_mov(QB_R0, QB_RA(V3D_QPU_R_VARYING))));
	USES(VPM, E(qb_ldi(QB_VR_SETUP, qb_word_vpm_read(0, 1))) E(qb_mov(QB_R0, QB_VPM_READ)));
	USES(VPM, E(qb_ldi(QB_VW_SETUP, qb_word_vpm_write(0))) E(qb_mov(QB_VPM_WRITE, QB_R0)));
	USES(VPM, E(qb_ldi(QB_VW_SETUP, 0)));
	USES(TILE | VPM, E(qb_ldi(QB_VW_SETUP, 0)) E(qb_mov(QB_VPM_WRITE, QB_R0))
	     E(qb_mov(QB_TLB_COLOUR, QB_R0)));
}

/* What a fragment comes with, W in A 15 and Z in B 15, until it is overwritten: AG100 Table 29 */
TEST(test_payload)
{
	(void)state;
	BARE_USES(TILE, E(qb_mov(QB_R0, QB_RA(15))));
	BARE_USES(TILE, E(qb_mov(QB_R0, QB_RB(15))));
	BARE(CODE_UNDEFINED, 0, E(qb_mov(QB_R0, QB_RA(14))));
	BARE_USES(0, E(reading(qb_nop(), 15, -1)));
	BARE_USES(0, E(reading(qb_nop(), -1, 15)));
	BARE_USES(0, E(reading(qb_mov(QB_R0, QB_RB(V3D_QPU_R_ELEMENT_QPU_NUMBER)), 15, -1)));
	BARE_USES(0, E(qb_ldi(QB_RA(15), 0)) NOPS(1) E(qb_mov(QB_R0, QB_RA(15))));
	BARE_USES(TILE, E(qb_ldi(QB_RA(15), 0)) NOPS(1) E(qb_mov(QB_R0, QB_RB(15))));
	/* other registers do not matter to it */
	BARE_USES(TILE, E(qb_ldi(QB_RA(1), 0)) NOPS(1) E(qb_mov(QB_R0, QB_RA(15))));
	BARE_USES(TILE, E(qb_ldi(QB_RB(31), 0)) NOPS(1) E(qb_mov(QB_R0, QB_RB(15))));
	BARE_USES(TILE, E(qb_ldi(QB_R0, 0)) NOPS(1) E(qb_mov(QB_R0, QB_RB(15))));
	/* overwritten in part, the rest is another program's */
	USES(RESIDUE, E(qb_if(V3D_QPU_COND_ZS, qb_ldi(QB_RA(15), 0))) NOPS(1)
	     E(qb_mov(QB_R0, QB_RA(15))));
	USES(0, E(qb_ldi(QB_RA(15), 0)) NOPS(1) E(qb_if(V3D_QPU_COND_ZS, qb_ldi(QB_RA(15), 0)))
	     NOPS(1)
	     E(qb_mov(QB_R0, QB_RA(15))));
	/* on one of two paths */
	USES(RESIDUE, BRANCH(1) NOPS(3) E(qb_ldi(QB_RA(15), 0)) NOPS(1)
	     E(qb_mov(QB_R0, QB_RA(15))));
	USES(RESIDUE, BRANCH(1) NOPS(3) E(qb_ldi(QB_RB(15), 0)) NOPS(1)
	     E(qb_mov(QB_R0, QB_RB(15))));
	USES(TILE, BRANCH(1) NOPS(3) E(qb_ldi(QB_RB(15), 0)) NOPS(1) E(qb_mov(QB_R0, QB_RA(15))));
}

/*
 * A path into the middle of a loop still has what the head does not: what comes after the head
 * finds either.
 */
TEST(test_payload_in_a_loop)
{
	(void)state;
	/* 0 to 13; 4 overwritten; 5 head; 9 behind it, then an end; 14 back to the head */
	for (int b = 0; b < 2; b++) {
		const uint16_t r15 = b ? QB_RB(15) : QB_RA(15);

		USES(RESIDUE, BRANCH(9) NOPS(3) E(qb_mov(r15, QB_R0))
		     E(qb_branch(V3D_QPU_BRANCH_ALWAYS, true, 0, QB_NONE)) NOPS(3)
		     E(qb_mov(QB_R0, r15))
		     E(SIG(PROGRAM_END, qb_nop())) NOPS(3)
		     E(qb_branch(V3D_QPU_BRANCH_ALWAYS, true, -13 * 8, QB_NONE)) NOPS(3));
	}
	/* flags that a thread switch at the loop's end takes away */
	BARE_USES(RESIDUE | THREADED, E(qb_flags(qb_mov(QB_NONE, QB_ELEMENT)))
		  E(qb_branch(V3D_QPU_BRANCH_ALWAYS, true, 0, QB_NONE)) NOPS(3)
		  E(qb_if(V3D_QPU_COND_ZS, qb_ldi(QB_NONE, 0)))
		  E(SIG(THREAD_SWITCH, qb_nop())) NOPS(2)
		  E(qb_branch(V3D_QPU_BRANCH_ALWAYS, true, -12 * 8, QB_NONE)) NOPS(3));
}

/* What is written on some path only may be read, and is told; what never was may not. */
TEST(test_residue)
{
	(void)state;
	BARE(CODE_UNDEFINED, 0, E(qb_mov(QB_R0, QB_R1)));
	USES(RESIDUE, E(qb_if(V3D_QPU_COND_ZS, qb_ldi(QB_RA(9), 0))) NOPS(1)
	     E(qb_mov(QB_R0, QB_RA(9))));
	USES(RESIDUE, BRANCH(1) NOPS(3) E(qb_ldi(QB_RB(9), 0)) NOPS(1) E(qb_mov(QB_R0, QB_RB(9))));
	USES(0, BRANCH(1) NOPS(3) E(qb_ldi(QB_RB(9), 0)) NOPS(1) E(qb_ldi(QB_RB(9), 0)) NOPS(1)
	     E(qb_mov(QB_R0, QB_RB(9))));
	BROKEN(CODE_UNDEFINED, 3, E(qb_pack(4, false, qb_mov(QB_RA(9), QB_R0))) NOPS(2)
	       E(qb_unpack(5, false, qb_mov(QB_R0, QB_RA(9)))));
	USES(0, E(qb_pack(4, false, qb_mov(QB_RA(9), QB_R0))) NOPS(2)
	     E(qb_unpack(4, false, qb_mov(QB_R0, QB_RA(9)))));
	/* by the mul half; by a unit; by a half that never happens, so by none */
	USES(RESIDUE, E(qb_if(V3D_QPU_COND_ZS, qb_mul_mov(QB_RA(9), QB_R0))) NOPS(1)
	     E(qb_mov(QB_R0, QB_RA(9))));
	USES(RESIDUE, BRANCH(1) NOPS(3) E(qb_mov(QB_RB(9), QB_R0)) NOPS(1)
	     E(qb_mov(QB_R0, QB_RB(9))));
	BARE_USES(RESIDUE, E(qb_flags(qb_mov(QB_NONE, QB_ELEMENT))) BRANCH(1) NOPS(3)
		  E(qb_mov(QB_R1, QB_ELEMENT))
		  E(qb_mov(QB_R2, QB_R1)));
	/* What a varying gives is there on all paths or none. */
	BARE(VARYING_PATHS, 6, E(qb_flags(qb_mov(QB_NONE, QB_ELEMENT))) BRANCH(1) NOPS(3)
	     E(qb_mov(QB_R0, QB_RA(V3D_QPU_R_VARYING))) E(qb_mul_mov(QB_R1, QB_R5)));
	for (int mul = 0; mul < 2; mul++) {
		struct v3d_qpu_inst never =
			mul ? qb_both(qb_mov(QB_R1, QB_R0), qb_mul_mov(QB_RA(9), QB_R0)) :
			      qb_both(qb_mov(QB_RA(9), QB_R0), qb_mul_mov(QB_R1, QB_R0));

		*(mul ? &never.cond_mul : &never.cond_add) = V3D_QPU_COND_NEVER;
		BROKEN(CODE_UNDEFINED, 2, E(never) NOPS(1) E(qb_mov(QB_R0, QB_RA(9))));
	}
	/* flags */
	BARE(FLAGS_UNDEFINED, 0, E(qb_if(V3D_QPU_COND_ZS, qb_ldi(QB_R0, 0))));
	BARE(FLAGS_UNDEFINED, 0, BRANCH(0) NOPS(4));
	USES(0, E(qb_if(V3D_QPU_COND_ZS, qb_ldi(QB_R0, 0))));
	USES(RESIDUE | THREADED, E(SIG(THREAD_SWITCH, qb_nop())) NOPS(2)
	     E(qb_if(V3D_QPU_COND_ZS, qb_ldi(QB_R0, 0))));
	USES(THREADED, E(SIG(THREAD_SWITCH, qb_nop())) NOPS(2)
	     E(qb_flags(qb_mov(QB_NONE, QB_RA(1))))
	     E(qb_if(V3D_QPU_COND_ZS, qb_ldi(QB_R0, 0))));
	BARE(FLAGS_UNDEFINED, 1, E(qb_flags(qb_if(V3D_QPU_COND_NEVER, qb_mov(QB_NONE, QB_ELEMENT))))
	     E(qb_if(V3D_QPU_COND_ZS, qb_ldi(QB_R0, 0))));
	/* the two instructions after the signal are the old thread's */
	USES(THREADED, E(SIG(THREAD_SWITCH, qb_nop())) E(qb_mov(QB_R1, QB_R0))
	     E(qb_if(V3D_QPU_COND_ZS, qb_ldi(QB_R0, 0))));
	for (unsigned int n = 0; n < 5; n++)
		BROKEN(CODE_UNDEFINED, 3, E(SIG(THREAD_SWITCH, qb_nop())) NOPS(2)
		       E(qb_mov(QB_R0, n < 4 ? QB_R0 + n : QB_R4)));
	BROKEN(CODE_UNDEFINED, 3, E(SIG(LAST_THREAD_SWITCH, qb_nop())) NOPS(2)
	       E(qb_mul_mov(QB_R0, QB_R5)));
	USES(THREADED, E(SIG(THREAD_SWITCH, qb_nop())) NOPS(2) E(qb_mov(QB_R0, QB_RA(1)))
	     E(qb_mov(QB_R1, QB_RB(1))));
	/* the new one's first instruction starts a block */
	BROKEN(CODE_UNDEFINED, 3, E(SIG(THREAD_SWITCH, qb_nop())) NOPS(2) E(qb_mov(QB_R0, QB_R1))
	       E(qb_branch(V3D_QPU_BRANCH_ALL_ZS, true, -5 * 8, QB_NONE)) NOPS(3));
	USES(RESIDUE | THREADED, BRANCH(3) NOPS(3) E(SIG(THREAD_SWITCH, qb_nop())) NOPS(2)
	     E(qb_mov(QB_R0, QB_R1)));
}

/*
 * A varying's coefficient comes in r5: AG100 p. 51. A small immediate of the same number is none.
 */
TEST(test_varyings)
{
	const struct v3d_qpu_inst immediate = reading(qb_mov(QB_R0, qb_imm(0)), -1,
						      V3D_QPU_R_VARYING);

	(void)state;
	BARE_USES(TILE, E(qb_mov(QB_R0, QB_RA(V3D_QPU_R_VARYING))) E(qb_mul_mov(QB_R1, QB_R5)));
	BARE_USES(TILE, E(qb_mov(QB_R0, QB_RB(V3D_QPU_R_VARYING))) E(qb_mul_mov(QB_R1, QB_R5)));
	BARE(CODE_UNDEFINED, 1, E(qb_mov(QB_R0, QB_RA(V3D_QPU_R_ELEMENT_QPU_NUMBER)))
	     E(qb_mul_mov(QB_R1, QB_R5)));
	BARE(CODE_UNDEFINED, 1, E(immediate) E(qb_mul_mov(QB_R1, QB_R5)));
	for (int slot = 0; slot < 3; slot++) {
		shader_begin(&t);
		for (int i = 0; i < 3; i++) {
			const struct v3d_qpu_inst inst =
				i == slot ? qb_mov(QB_R0, QB_RA(V3D_QPU_R_VARYING)) : qb_nop();

			E(i ? inst : SIG(PROGRAM_END, inst))
		}
		assert_false(shader_check(&t));
		assert_refusal(&t.refusal, CODE, CODE_END_ACCESS, (PRELUDE + slot) * 8);
	}
}

/* AG100 "Summary of Instruction Restrictions": the last instruction writes no Z, but colours */
TEST(test_last_write)
{
	(void)state;
	for (int z = 0; z < 2; z++) {
		shader_begin(&t);
		E(SIG(PROGRAM_END, qb_nop()))
		NOPS(1)
		E(qb_mov(z ? QB_IO(V3D_QPU_W_TLB_Z) : QB_TLB_COLOUR, QB_R0))
		assert_int_equal(shader_check(&t), !z);
	}
	assert_refusal(&t.refusal, CODE, CODE_END_ACCESS, (PRELUDE + 2) * 8);
}

#define VARYING E(qb_mov(QB_R0, QB_RA(V3D_QPU_R_VARYING)))
#define VARYINGS(count, body) \
	do { \
		shader_begin(&t); \
		body \
		qb_nops(&t.b, 1); \
		assert_int_equal(shader_finish(&t)->varyings, count); \
	} while (0)
#define SKIP(n) E(qb_branch(V3D_QPU_BRANCH_ALL_ZS, true, (n) * 8, QB_NONE)) qb_nops(&t.b, 3);

/*
 * Reads beyond the last varying give what another program left (AG100 p. 51), so they are counted:
 * as many on each path.
 */
TEST(test_varyings_counted)
{
	const struct v3d_qpu_inst both = qb_add(V3D_QPU_ADD_ADD, QB_R0, QB_RA(V3D_QPU_R_VARYING),
						QB_RB(V3D_QPU_R_VARYING));
	const struct v3d_qpu_inst untaken = reading(qb_nop(), V3D_QPU_R_VARYING, -1);

	(void)state;
	VARYINGS(0, NOPS(1));
	VARYINGS(1, VARYING);
	VARYINGS(3, VARYING E(qb_mul_mov(QB_R1, QB_RB(V3D_QPU_R_VARYING))) VARYING);
	VARYINGS(2, E(SIG(WAIT_SCOREBOARD, qb_mov(QB_R0, QB_RA(V3D_QPU_R_VARYING))))
		 E(SIG(LOAD_COLOR, qb_mov(QB_R0, QB_RB(V3D_QPU_R_VARYING)))));
	VARYINGS(1, E(both));
	VARYINGS(2, VARYING SKIP(1) NOPS(2); VARYING);
	VARYINGS(2, VARYING SKIP(5) VARYING E(qb_branch(V3D_QPU_BRANCH_ALWAYS, true, 2 * 8,
							QB_NONE)) NOPS(3); VARYING NOPS(1););
	BROKEN(VARYING_PATHS, 5, SKIP(1) VARYING NOPS(2););
	BROKEN(VARYING_PATHS, 0, VARYING E(qb_branch(V3D_QPU_BRANCH_ALL_ZS, true, -5 * 8, QB_NONE))
	       NOPS(4););
	/* Two ends: the second is another program's for all that the count says. */
	BROKEN(VARYING_PATHS, 10, SKIP(4) VARYING qb_end(&t.b); VARYING VARYING);
	BROKEN(UNIFORM_UNREAD, 0, E(untaken) NOPS(1););
	BROKEN(UNIFORM_UNREAD, 0, E(qb_if(V3D_QPU_COND_NEVER,
					  qb_mov(QB_R0, QB_RA(V3D_QPU_R_VARYING)))) NOPS(1););
}

/* One access to a unit an instruction; the tile buffer counts once, whatever is done to it. */
TEST(test_peripherals)
{
	static const uint8_t tlb[] = { V3D_QPU_W_TLB_STENCIL_SETUP, V3D_QPU_W_TLB_Z,
				       V3D_QPU_W_TLB_COLOUR_MS, V3D_QPU_W_TLB_COLOUR_ALL };
	static const uint8_t others[] = { V3D_QPU_W_QUAD_XY, V3D_QPU_W_MS_REV_FLAGS };

	(void)state;
	for (unsigned int i = 0; i < sizeof(tlb); i++) {
		BROKEN(PERIPHERALS, 0,
		       E(qb_both(qb_mov(QB_IO(tlb[i]), QB_R0), qb_mul_mov(QB_RECIP, QB_R0))));
		BROKEN(PERIPHERALS, 0,
		       E(qb_both(qb_mov(QB_IO(tlb[i]), QB_R0), qb_mul_mov(QB_TMU0_T, QB_R0))));
		USES(TILE, E(SIG(LOAD_COLOR, qb_mov(QB_IO(tlb[i]), QB_R0))));
	}
	for (unsigned int i = 0; i < sizeof(others); i++)
		USES(TILE,
		     E(qb_both(qb_mov(QB_IO(others[i]), QB_R0), qb_mul_mov(QB_RECIP, QB_R0))));
	BROKEN(PERIPHERALS, 0, E(SIG(LOAD_COLOR, qb_mov(QB_RECIP, QB_R0))));
	BROKEN(PERIPHERALS, 0, E(qb_both(qb_mov(QB_RECIP, QB_R0), qb_mul_mov(QB_TMU0_T, QB_R0))));
	BROKEN(TMU_EMPTY, 0, E(SIG(LOAD_TMU0, qb_mov(QB_RECIP, QB_R0))));
	/* A load is an access as well, whatever the other one is of */
	BROKEN(PERIPHERALS, 2, E(qb_mov(QB_TMU0_T, QB_R0)) E(qb_mov(QB_TMU0_S, QB_R0))
	       E(SIG(LOAD_TMU0, qb_mov(QB_RECIP, QB_R0))));
	BROKEN(PERIPHERALS, 2, E(qb_mov(QB_TMU0_T, QB_R0)) E(qb_mov(QB_TMU0_S, QB_R0))
	       E(SIG(LOAD_TMU0, qb_mov(QB_IO(V3D_QPU_W_TMU1_T), QB_R0))));
	/* r4 is the SFU's for two instructions */
	BROKEN(SFU_SOON, 1, E(qb_mov(QB_RECIP, QB_R0)) E(SIG(LOAD_COLOR, qb_nop())));
	BROKEN(SFU_SOON, 2, E(qb_mov(QB_RECIP, QB_R0)) NOPS(1) E(SIG(LOAD_COLOR, qb_nop())));
	USES(TILE, E(qb_mov(QB_RECIP, QB_R0)) NOPS(2) E(SIG(LOAD_COLOR, qb_nop())));
}

/* Two threads have half of the files each; switches have slots of their own. */
TEST(test_threads)
{
	(void)state;
	USES(0, E(qb_ldi(QB_RA(16), 0)) NOPS(1) E(qb_mov(QB_R0, QB_RA(16))));
	USES(THREADED, E(SIG(THREAD_SWITCH, qb_nop())) NOPS(2) E(qb_ldi(QB_RA(15), 0))
	     E(qb_ldi(QB_RB(15), 0)));
	USES(THREADED, E(SIG(THREAD_SWITCH, qb_nop())) NOPS(3) E(reading(qb_nop(), 16, -1)));
	USES(THREADED, E(SIG(THREAD_SWITCH, qb_nop())) NOPS(3) E(reading(qb_nop(), -1, 31)));
	BROKEN(THREADED_REGISTER, 4, E(SIG(THREAD_SWITCH, qb_nop())) NOPS(2)
	       E(qb_ldi(QB_RA(16), 0)));
	BROKEN(THREADED_REGISTER, 4, E(SIG(THREAD_SWITCH, qb_nop())) NOPS(2)
	       E(qb_ldi(QB_RB(16), 0)));
	BROKEN(THREADED_REGISTER, 6, E(SIG(THREAD_SWITCH, qb_nop())) NOPS(4)
	       E(qb_ldi(QB_RB(16), 0)));
	BROKEN(THREADED_REGISTER, 6, E(SIG(THREAD_SWITCH, qb_nop())) NOPS(4)
	       E(qb_mov(QB_RB(16), QB_RA(1))));
	BROKEN(THREADED_REGISTER, 4, E(SIG(THREAD_SWITCH, qb_nop())) NOPS(2)
	       E(qb_if(V3D_QPU_COND_ZS, qb_ldi(QB_RA(16), 0))));
	BROKEN(THREADED_REGISTER, 4, E(qb_if(V3D_QPU_COND_ZS, qb_mov(QB_RB(16), QB_RA(1))))
	       E(SIG(THREAD_SWITCH, qb_nop()))
	       NOPS(2));
	BROKEN(THREADED_REGISTER, 4, E(qb_pack(1, false, qb_mov(QB_RA(16), QB_RA(1))))
	       E(SIG(THREAD_SWITCH, qb_nop())) NOPS(2));
	/* a value that is followed */
	BROKEN(THREADED_REGISTER, 13, E(SIG(THREAD_SWITCH, qb_nop())) NOPS(2)
	       OP(MAX, QB_RA(1), QB_RA(1), qb_imm(0)) NOPS(1)
	       OP(MIN, QB_R0, QB_RA(1), QB_UNIF_B) BRANCH(0) NOPS(3) FREAD(QB_R0)
	       E(qb_mov(QB_RA(16), QB_R4)));
	/* where no path comes, what is read counts though it is not written */
	for (int place = 0; place < 2; place++) {
		const uint16_t first = place ? QB_RB(16) : QB_RA(16),
			       last = place ? QB_RB(15) : QB_RA(15);

		BROKEN(THREADED_REGISTER, 8, E(SIG(THREAD_SWITCH, qb_nop())) NOPS(2) JUMP(1)
		       E(qb_mov(QB_R0, first)));
		USES(THREADED, E(SIG(THREAD_SWITCH, qb_nop())) NOPS(2) JUMP(1)
		     E(qb_mov(QB_R0, last)));
	}
	BROKEN(SWITCH_SLOT, 1, BRANCH(2) E(SIG(THREAD_SWITCH, qb_nop())) NOPS(6));
	BROKEN(SLOT_TARGET, 2, BRANCH(2) NOPS(1) E(SIG(THREAD_SWITCH, qb_nop())) NOPS(5));
	BROKEN(SLOT_TARGET, 3, BRANCH(2) NOPS(2) E(SIG(THREAD_SWITCH, qb_nop())) NOPS(4));
	USES(THREADED, BRANCH(3) NOPS(3) E(SIG(THREAD_SWITCH, qb_nop())) NOPS(3));
	BROKEN(SWITCH_SLOT, 1, E(SIG(THREAD_SWITCH, qb_nop())) E(SIG(THREAD_SWITCH, qb_nop()))
	       NOPS(2));
	USES(THREADED, E(SIG(THREAD_SWITCH, qb_nop())) NOPS(2) E(SIG(LAST_THREAD_SWITCH, qb_nop()))
	     NOPS(2));
	BROKEN(CODE_SIGNAL, 1, E(SIG(THREAD_SWITCH, qb_nop())));
	BROKEN(CODE_SIGNAL, 2, E(SIG(THREAD_SWITCH, qb_nop())) NOPS(1));
	USES(THREADED, E(SIG(THREAD_SWITCH, qb_nop())) NOPS(2));
	BROKEN(CODE_SIGNAL, 1, BRANCH(3) E(SIG(PROGRAM_END, qb_nop())) NOPS(5));
	BROKEN(CODE_SIGNAL, 0, E(SIG(BREAK, qb_nop())));
}

/*
 * Bytes of a place that is not written: what is complete in the end is, whichever ALU and pack it
 * came from.
 */
TEST(test_packed_pieces)
{
	(void)state;
	for (int load = 0; load < 3; load++) {
		const struct v3d_qpu_inst inst = load == 0 ? qb_mov(QB_RA(9), QB_R0) :
						 load == 1 ? qb_mul_mov(QB_RA(9), QB_R0) :
							     qb_ldi(QB_RA(9), 7);

		USES(0, E(qb_pack(1, false, inst)) E(qb_pack(2, false, inst)) NOPS(1)
		     E(qb_mov(QB_R0, QB_RA(9))));
		BROKEN(CODE_UNDEFINED, 2, E(qb_pack(1, false, inst)) NOPS(1)
		       E(qb_mov(QB_R0, QB_RA(9))));
		/* the half that is there stays, whatever may be written over it */
		USES(0, E(qb_pack(1, false, inst)) E(qb_if(V3D_QPU_COND_ZS, inst)) NOPS(1)
		     E(qb_unpack(1, false, qb_mov(QB_R0, QB_RA(9)))));
		USES(RESIDUE, E(qb_pack(1, false, inst)) E(qb_if(V3D_QPU_COND_ZS, inst)) NOPS(1)
		     E(qb_mov(QB_R0, QB_RA(9))));
	}
	/* file A's pack is none of what goes to file B, nor of the other result */
	USES(0, E(qb_pack(1, false, qb_mov(QB_RB(9), QB_R0))) NOPS(1) E(qb_mov(QB_R0, QB_RB(9))));
	USES(0, E(qb_pack(1, false, qb_mul_mov(QB_RB(9), QB_R0))) NOPS(1)
	     E(qb_mov(QB_R0, QB_RB(9))));
	/* an accumulator, byte by byte */
	BARE_USES(0, E(qb_mov(QB_R1, QB_ELEMENT)) E(qb_flags(qb_mov(QB_NONE, QB_R1)))
		  E(qb_pack(4, true, qb_mul_mov(QB_R0, QB_R1)))
		  E(qb_pack(5, true, qb_mul_mov(QB_R0, QB_R1)))
		  E(qb_if(V3D_QPU_COND_ZS, qb_mov(QB_R0, QB_R1)))
		  E(qb_pack(6, true, qb_mul_mov(QB_R0, QB_R1)))
		  E(qb_pack(7, true, qb_mul_mov(QB_R0, QB_R1)))
		  E(qb_mov(QB_R2, QB_R0)));
	BARE(CODE_UNDEFINED, 4, E(qb_mov(QB_R1, QB_ELEMENT))
	     E(qb_pack(4, true, qb_mul_mov(QB_R0, QB_R1)))
	     E(qb_pack(5, true, qb_mul_mov(QB_R0, QB_R1)))
	     E(qb_pack(6, true, qb_mul_mov(QB_R0, QB_R1))) E(qb_mov(QB_R2, QB_R0)));
}

/* Packs that the mul ALU has not, beside what has to be looked at as well */
TEST(test_bad_packs)
{
	(void)state;
	for (unsigned int pack = 1; pack < 16; pack++) {
		if (pack >= 3 && pack <= 7)
			continue;
		BROKEN(CODE_PACK, 0, E(qb_pack(pack, true, qb_mul_mov(QB_R0, QB_R1))));
		BROKEN(CODE_PACK, 0, E(qb_pack(pack, true, qb_mul_mov(QB_R0, QB_RB(15)))));
		BROKEN(CODE_PACK, 0, E(qb_pack(pack, true, qb_ldi(QB_R0, 1))));
	}
}

/* What never happens reads nothing, and needs no flags. */
TEST(test_never)
{
	(void)state;
	USES(0, E(without(false, qb_mov(QB_R0, QB_RA(15)))));
	USES(0, E(qb_if(V3D_QPU_COND_ZS, qb_mov(QB_RA(9), QB_R0))) NOPS(1)
	     E(without(false, qb_mov(QB_R0, QB_RA(9)))));
	USES(RESIDUE, E(qb_if(V3D_QPU_COND_ZS, qb_mov(QB_RA(9), QB_R0))) NOPS(1)
	     E(qb_mov(QB_R0, QB_RA(9))));
	/* flags that were set just before are the shader's own */
	USES(THREADED, E(SIG(THREAD_SWITCH, qb_nop())) NOPS(2)
	     E(qb_flags(qb_mov(QB_NONE, QB_RA(1))))
	     E(qb_if(V3D_QPU_COND_ZS, qb_mov(QB_RA(1), QB_RA(1)))));
	USES(THREADED | RESIDUE, E(SIG(THREAD_SWITCH, qb_nop())) NOPS(2)
	     E(qb_if(V3D_QPU_COND_ZS, qb_mov(QB_RA(1), QB_RA(1)))));
}

/* min(max(x, 0), a word of its own) + the word that the add itself reads */
TEST(test_direct_reads)
{
	(void)state;
	USES(0, CLAMP(QB_R0, QB_R0) FREAD(QB_R0));
	USES(0, CLAMP(QB_R0, QB_R0) E(ADD(QB_TMU0_S, QB_UNIF, QB_R0)) E(SIG(LOAD_TMU0, qb_nop())));
	assert_int_equal(t.shader.samples[0].slot[0], 1);
	assert_int_equal(t.shader.samples[0].slot[1], 0);
	/* by the mul half, without a word, by a load, as something else than a sum */
	BROKEN(DIRECT_FORM, 2, CLAMP(QB_R0, QB_R0)
	       E(qb_both(ADD(QB_R1, QB_R0, QB_UNIF), qb_mul_mov(QB_TMU0_S, QB_R0))));
	BROKEN(DIRECT_FORM, 2, CLAMP(QB_R0, QB_R0) E(ADD(QB_TMU0_S, QB_R0, QB_R1)));
	BROKEN(DIRECT_FORM, 2, CLAMP(QB_R0, QB_R0) E(qb_ldi(QB_TMU0_S, 0)));
	BROKEN(DIRECT_FORM, 2, CLAMP(QB_R0, QB_R0) OP(SUB, QB_TMU0_S, QB_UNIF, QB_R0));
	/* more than the clamp: a constant, a range, two of them, in steps */
	BROKEN(DIRECT_CLAMP, 3, CLAMP(QB_R0, QB_R0) OP(ADD, QB_R0, QB_R0, qb_imm(4)) FREAD(QB_R0));
	BROKEN(DIRECT_CLAMP, 4, CLAMP(QB_R0, QB_R0) E(qb_mov(QB_R1, QB_ELEMENT))
	       OP(ADD, QB_R0, QB_R0, QB_R1) FREAD(QB_R0));
	BROKEN(DIRECT_CLAMP, 5, CLAMP(QB_R0, QB_R0) CLAMP(QB_R1, QB_R1) OP(ADD, QB_R0, QB_R0, QB_R1)
	       FREAD(QB_R0));
	BROKEN(DIRECT_CLAMP, 3, CLAMP(QB_R0, QB_R0) OP(SHL, QB_R0, QB_R0, qb_imm(2)) FREAD(QB_R0));
	BROKEN(DIRECT_CLAMP, 3, CLAMP(QB_R0, QB_R0) OP(SHL, QB_R0, QB_R0, qb_imm(2))
	       E(ADD(QB_TMU0_S, QB_UNIF, QB_R0)));
	BROKEN(DIRECT_CLAMP, 1, E(qb_ldi(QB_R0, 0)) FREAD(QB_R0));
	BROKEN(DIRECT_CLAMP, 1, E(qb_mov(QB_R0, QB_ELEMENT)) FREAD(QB_R0));
	/* the limit is a word that was read for something else before */
	BROKEN(DIRECT_CLAMP, 3, E(qb_mov(QB_R1, QB_UNIF)) OP(MAX, QB_R0, QB_R0, qb_imm(0))
	       OP(MIN, QB_R0, QB_R0, QB_R1)
	       FREAD(QB_R0));
	BROKEN(DIRECT_CLAMP, 1, E(qb_mov(QB_R0, QB_UNIF)) FREAD(QB_R0));
	/* the base as well */
	BROKEN(DIRECT_FORM, 3, E(qb_mov(QB_R1, QB_UNIF)) CLAMP(QB_R0, QB_R0)
	       E(ADD(QB_TMU0_S, QB_R0, QB_R1)));
}

/* The uniforms address: a constant that leads behind the word added to it, and nothing else */
TEST(test_address)
{
	const struct v3d_qpu_inst reset = ADD(QB_UNIF_ADDR, QB_R3, QB_UNIF);

	(void)state;
	USES(0, E(qb_ldi(QB_R3, 4)) E(reset) NOPS(2));
	assert_int_equal(t.shader.reset_count, 1);
	assert_int_equal(t.shader.resets[0], 0);
	assert_int_equal(t.shader.uniform_words, 1);
	for (uint32_t low = 0; low < 12; low++)
		if (low != 4)
			BROKEN(ADDRESS_CONSTANT, 1, E(qb_ldi(QB_R3, low)) E(reset) NOPS(2));
	BROKEN(ADDRESS_CONSTANT, 1, E(qb_ldi(QB_R3, 0x80000004)) E(reset) NOPS(2));
	BROKEN(ADDRESS_FORM, 1, E(qb_mov(QB_R3, QB_ELEMENT)) E(reset) NOPS(2));
	BROKEN(ADDRESS_FORM, 1, E(qb_ldi(QB_R3, 4)) E(qb_mul_mov(QB_UNIF_ADDR, QB_UNIF)) NOPS(2));
	BROKEN(ADDRESS_FORM, 1, E(qb_ldi(QB_R3, 4))
	       E(qb_both(ADD(QB_R0, QB_R3, QB_UNIF), qb_mul_mov(QB_UNIF_ADDR, QB_R3)))
	       NOPS(2));
	BROKEN(ADDRESS_FORM, 1, E(qb_ldi(QB_R3, 4)) E(ADD(QB_UNIF_ADDR, QB_R3, QB_R3)) NOPS(2));
	BROKEN(ADDRESS_FORM, 1, E(qb_ldi(QB_R3, 4)) OP(SUB, QB_UNIF_ADDR, QB_UNIF, QB_R3) NOPS(2));
	BROKEN(ADDRESS_FORM, 0, E(ADD(QB_UNIF_ADDR, QB_UNIF, QB_UNIF)) NOPS(2));
	BROKEN(ADDRESS_FORM, 2, CLAMP(QB_R3, QB_R0) E(reset) NOPS(2));
	/* on a path that is never taken it must have the form all the same */
	BROKEN(ADDRESS_CONSTANT, 5, E(qb_branch(V3D_QPU_BRANCH_ALWAYS, true, 8 * 4, QB_NONE))
	       NOPS(3) E(qb_ldi(QB_R3, 8)) E(reset)
	       NOPS(3));
}

/*
 * Where paths meet at different words, the address is set anew, and each word that it may be taken
 * from holds it.
 */
TEST(test_marks)
{
	const struct v3d_qpu_inst reset = ADD(QB_UNIF_ADDR, QB_R3, QB_UNIF);

	(void)state;
	/* both paths stand at the same word */
	USES(0, BRANCH(1) NOPS(4) E(qb_ldi(QB_R3, 4)) E(reset) NOPS(2));
	assert_int_equal(t.shader.reset_count, 1);
	/* one has read a number more: the other would take that number for the address */
	BROKEN(UNIFORM_LOST, 9, BRANCH(1) NOPS(3) E(qb_mov(QB_R0, QB_UNIF)) E(qb_ldi(QB_R3, 8))
	       E(reset) NOPS(2));
	/* unless it is the address itself that was read */
	USES(0, BRANCH(4) NOPS(3) E(qb_ldi(QB_R3, 4)) E(reset) NOPS(2) E(qb_ldi(QB_R3, 8)) E(reset)
	     NOPS(2));
	assert_int_equal(t.shader.reset_count, 2);
	assert_int_equal(t.shader.resets[0], 0);
	assert_int_equal(t.shader.resets[1], 1);
	BROKEN(UNIFORM_LOST, 5, BRANCH(1) NOPS(3) E(qb_mov(QB_R0, QB_UNIF))
	       E(qb_mov(QB_R0, QB_UNIF)));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_uses),
		cmocka_unit_test(test_payload),
		cmocka_unit_test(test_payload_in_a_loop),
		cmocka_unit_test(test_residue),
		cmocka_unit_test(test_varyings),
		cmocka_unit_test(test_last_write),
		cmocka_unit_test(test_varyings_counted),
		cmocka_unit_test(test_peripherals),
		cmocka_unit_test(test_threads),
		cmocka_unit_test(test_packed_pieces),
		cmocka_unit_test(test_bad_packs),
		cmocka_unit_test(test_never),
		cmocka_unit_test(test_direct_reads),
		cmocka_unit_test(test_address),
		cmocka_unit_test(test_marks),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests_name("verify_fragment", tests, NULL, NULL);
}
