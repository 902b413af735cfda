// SPDX-License-Identifier: MIT
/*
 * What an offset may be limited by, and how each job is asked: a uniform and a constant, products
 * of uniforms, limits on one path only.
 */
#include "reach.h"

/* A read of the BO of uniform 0, whose address is in r3, r0 bytes behind its start */
#define LOAD_WORD(dst, value) E(qb_ldi(dst, value))
#define BASE E(qb_mov(QB_R3, QB_UNIF))
#define READ_AT_R0 OP(ADD, QB_R0, QB_R0, QB_R3) READ(QB_R0)
/* What nothing is known of but that it is not negative */
#define SOME(dst) E(qb_add(V3D_QPU_ADD_ITOF, dst, QB_ELEMENT, QB_ELEMENT)) E(MAX0(dst, dst))

static void ask(__u32 first, __u32 second)
{
	job_start(3);
	job_reloc(0, BO_IN, 0, DRM_V3DCL_RELOC_READ);
	s.words[1] = first;
	s.words[2] = second;
}

#define FITS(first, second) \
	do { \
		ask(first, second); \
		assert_true(v3dcl_relocate(&s.job)); \
	} while (0)
#define BEYOND(rule, slot, first, second) \
	do { \
		ask(first, second); \
		refuses(UNIFORMS, rule, (slot) * 4); \
	} while (0)

/* n - 1, computed: the last byte of the last word is inside, not one more, and not before */
TEST(test_less_one)
{
	(void)state;
	USES(1, BASE SOME(QB_R0) OP(SUB, QB_R1, QB_UNIF, qb_imm(1)) OP(MIN, QB_R0, QB_R0, QB_R1)
	     READ_AT_R0);
	FITS(4093, 0);
	BEYOND(ADDRESS_END, 0, 4094, 0);
	FITS(1, 0);
	BEYOND(LIMIT_NEGATIVE, 1, 0, 0);
	BEYOND(LIMIT_NEGATIVE, 1, 0x80000000, 0);
	/* more than a uniform */
	USES(1, BASE SOME(QB_R0) OP(ADD, QB_R1, QB_UNIF, qb_imm(15)) OP(MIN, QB_R0, QB_R1, QB_R0)
	     READ_AT_R0);
	FITS(4077, 0);
	BEYOND(ADDRESS_END, 0, 4078, 0);
	/* what would wrap, and would be a limit of -1 though the uniform is large */
	BEYOND(LIMIT_NEGATIVE, 1, 0x7ffffff1, 0);
	BEYOND(LIMIT_NEGATIVE, 1, 0xfffffff1, 0);
}

/* mul24 of what is limited */
TEST(test_products)
{
	(void)state;
	USES(1, BASE E(qb_mov(QB_R1, QB_ELEMENT))
	     E(qb_mul(V3D_QPU_MUL_MUL24, QB_R0, QB_R1, QB_UNIF)) READ_AT_R0);
	FITS(272, 0);			/* 15 * 272 + 4 = 4084 */
	BEYOND(ADDRESS_END, 0, 273, 0);
	BEYOND(LIMIT_NEGATIVE, 1, 0x1000000, 0);
	/* y * pitch, y up to a uniform */
	USES(1, BASE SOME(QB_R0) OP(MIN, QB_R0, QB_R0, QB_UNIF)
	     E(qb_mul(V3D_QPU_MUL_MUL24, QB_R0, QB_R0, QB_UNIF)) READ_AT_R0);
	FITS(31, 132);			/* 31 * 132 = 4092 */
	BEYOND(ADDRESS_END, 0, 31, 133);
	BEYOND(ADDRESS_END, 0, 4093, 1);
	FITS(0xffffff, 0);
	/* 24 bits of each, 32 of both: 2^16 * 2^16 would be 0 */
	BEYOND(LIMIT_NEGATIVE, 1, 0x1000000, 0);
	BEYOND(LIMIT_NEGATIVE, 1, 0, 0x1000000);
	BEYOND(LIMIT_NEGATIVE, 1, 0x10000, 0x10000);
	BEYOND(ADDRESS_END, 0, 0xffff, 0x10001);
	/* words of 16 bytes more, one after the other */
	USES(1, BASE SOME(QB_R0) OP(MIN, QB_R0, QB_R0, QB_UNIF)
	     E(qb_mul(V3D_QPU_MUL_MUL24, QB_R0, QB_R0, QB_UNIF)) OP(SHL, QB_R0, QB_R0, qb_imm(2))
	     READ_AT_R0);
	FITS(31, 33);
	BEYOND(ADDRESS_END, 0, 31, 34);
	/* no factor is an address */
	ask(1, 1);
	job_reloc(2, BO_IN, 0, DRM_V3DCL_RELOC_READ);
	refuses(UNIFORMS, ADDRESS_TOLD, 8);
}

/* What is a product, or has a limit moved, is no field of a set-up word by its scale. */
TEST(test_fields)
{
	(void)state;
	BROKEN(SETUP_UNKNOWN, 3, LOAD_WORD(QB_R1, qb_word_vdw(0, 1)) E(qb_mov(QB_R2, qb_imm(8)))
	       E(qb_mul(V3D_QPU_MUL_MUL24, QB_R0, QB_R2, QB_UNIF))
	       OP(ADD, QB_VW_SETUP, QB_R0, QB_R1));
}

/* A clamp that one path leaves out, where the offset is 0 */
TEST(test_joined_with_0)
{
	(void)state;
	USES(1, BASE ZERO(QB_R0) FLAGS OVER(4) SOME(QB_R0) OP(MIN, QB_R0, QB_R0, QB_UNIF) NOP
	     READ_AT_R0);
	FITS(4092, 0);
	BEYOND(ADDRESS_END, 0, 4093, 0);
	BEYOND(LIMIT_NEGATIVE, 1, (__u32)-1, 0);
	/* the same under a condition */
	USES(1, BASE ZERO(QB_R0) FLAGS SOME(QB_R1)
	     E(qb_if(V3D_QPU_COND_ZS, qb_add(V3D_QPU_ADD_MIN, QB_R0, QB_R1, QB_UNIF))) READ_AT_R0);
	FITS(4092, 0);
	BEYOND(ADDRESS_END, 0, 4093, 0);
	/* another number is as far as the clamp, or further */
	USES(1, BASE LOAD_WORD(QB_R0, 64) FLAGS SOME(QB_R1)
	     E(qb_if(V3D_QPU_COND_ZS, qb_add(V3D_QPU_ADD_MIN, QB_R0, QB_R1, QB_UNIF))) READ_AT_R0);
	FITS(4028, 0);
	BEYOND(ADDRESS_END, 0, 4029, 0);
	/* a range is not joined */
	BROKEN(ADDRESS_UNKNOWN, 7, BASE E(qb_mov(QB_R0, QB_ELEMENT)) FLAGS SOME(QB_R1)
	     E(qb_if(V3D_QPU_COND_ZS, qb_add(V3D_QPU_ADD_MIN, QB_R0, QB_R1, QB_UNIF))) READ_AT_R0);
}

/* Pointers that are swapped: each access is allowed in both BOs, and inside both. */
TEST(test_two_bases)
{
	(void)state;
	USES(1, E(qb_mov(QB_R2, QB_UNIF)) E(qb_mov(QB_R3, QB_UNIF)) FLAGS ZERO(QB_RA(0)) NOP
	     /* the loop */
	     E(qb_mov(QB_R0, QB_R2)) E(qb_mov(QB_R2, QB_R3)) E(qb_mov(QB_R3, QB_R0))
	     READ(QB_R2) E(qb_branch(V3D_QPU_BRANCH_ALL_ZS, true, -9 * 8, QB_NONE))
	     qb_nops(&b, 3););
	job_start(2);
	job_reloc(0, BO_IN, 4092, DRM_V3DCL_RELOC_READ);
	job_reloc(1, BO_OUT, 4092, DRM_V3DCL_RELOC_READ);
	assert_true(v3dcl_relocate(&s.job));
	s.relocs[1].offset++;
	refuses(UNIFORMS, ADDRESS_END, 4);
	s.relocs[1].offset--;
	s.relocs[0].offset++;
	refuses(UNIFORMS, ADDRESS_END, 0);
	s.relocs[0].offset--;
	s.relocs[1].flags = DRM_V3DCL_RELOC_WRITE;
	refuses(UNIFORMS, ADDRESS_FLAGS, 4);
	/* one of them is a number */
	s.job.reloc_count = 1;
	refuses(UNIFORMS, ADDRESS_RELOC, 4);
	/* three of them */
	BROKEN(ADDRESS_UNKNOWN, 6, E(qb_mov(QB_R2, QB_UNIF)) FLAGS
	       E(qb_if(V3D_QPU_COND_ZS, qb_mov(QB_R2, QB_UNIF))) NOP
	       E(qb_if(V3D_QPU_COND_NS, qb_mov(QB_R2, QB_UNIF))) NOP READ(QB_R2));
}

/* Numbers that are one of two: the lower and the higher count. */
TEST(test_two_numbers)
{
	(void)state;
	USES(1, BASE FLAGS E(qb_mov(QB_R0, QB_UNIF))
	     E(qb_if(V3D_QPU_COND_ZS, qb_mov(QB_R0, QB_UNIF))) READ_AT_R0);
	FITS(0, 4092);
	FITS(4092, 0);
	BEYOND(ADDRESS_END, 0, 0, 4093);
	BEYOND(ADDRESS_END, 0, 4093, 0);
	BEYOND(ADDRESS_END, 0, (__u32)-1, 0);
	BEYOND(ADDRESS_END, 0, 0, (__u32)-1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_less_one),
		cmocka_unit_test(test_products),
		cmocka_unit_test(test_fields),
		cmocka_unit_test(test_joined_with_0),
		cmocka_unit_test(test_two_bases),
		cmocka_unit_test(test_two_numbers),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests_name("verify_limits", tests, NULL, NULL);
}
