// SPDX-License-Identifier: MIT
/*
 * The VPM of vertex and coordinate shaders: rows that they read are filled by the attributes of the
 * record.
 */
#include "bin.h"
#include "shader.h"

static struct test_shader shader, *s = &shader;

#define E(inst) shader_emit(s, inst);
#define READ E(qb_mov(QB_R0, QB_VPM_READ))
#define WRITE E(qb_mov(QB_VPM_WRITE, QB_R0))
#define SETUP_READ(row, rows) E(qb_ldi(QB_VR_SETUP, qb_word_vpm_read(row, rows)))
#define SETUP_WRITE(row) E(qb_ldi(QB_VW_SETUP, qb_word_vpm_write(row)))
/* n instructions are left out where flags say so */
#define OVER(n) E(qb_branch(V3D_QPU_BRANCH_ALL_ZS, true, (n) * 8, QB_NONE)) qb_nops(&s->b, 3);
#define BACK(n) \
	E(qb_branch(V3D_QPU_BRANCH_ALL_ZS, true, -((n) + 4) * 8, QB_NONE)) qb_nops(&s->b, 3);
#define OK(body) \
	do { \
		shader_begin(s); \
		body \
		qb_nops(&s->b, 1); \
		shader_finish(s); \
	} while (0)

/* A read set-up by its fields, and as many reads */
static void reads(struct v3d_vpm_read_setup setup, int values)
{
	shader_begin(s);
	E(qb_ldi(QB_VR_SETUP, v3d_word_vpm_read_setup(&setup)))
	while (values--)
		READ
	qb_nops(&s->b, 1);
	shader_finish(s);
}

#define HORIZONTAL(address_, stride_, number_) \
	(struct v3d_vpm_read_setup) \
	{ \
		.address = address_, .stride = stride_, .number = number_, .horizontal = 1, \
		.size = V3D_VPM_32BIT \
	}

/* Rows are told from the set-up words: AG100 Table 33. */
TEST(test_rows_read)
{
	const struct v3d_vpm_read_setup halves = {
		.address = 5, .stride = 1, .number = 2, .horizontal = 1, .size = V3D_VPM_16BIT
	};
	const struct v3d_vpm_read_setup bytes = {
		.address = 11, .stride = 1, .number = 1, .horizontal = 1, .laned = 1
	};
	const struct v3d_vpm_read_setup column = {
		.address = 0x1f, .stride = 1, .number = 1, .size = V3D_VPM_32BIT
	};
	const struct v3d_vpm_read_setup byte_column = {
		.address = 0xff, .stride = 1, .number = 1, .size = V3D_VPM_8BIT
	};
	(void)state;
	OK(qb_nops(&s->b, 1););
	assert_int_equal(s->shader.rows_read, 0);
	reads(HORIZONTAL(2, 1, 3), 3);
	assert_int_equal(s->shader.rows_read, 0x1c);
	reads(HORIZONTAL(0, 1, 0), 16);		/* 0 is 16 */
	assert_int_equal(s->shader.rows_read, 0xffff);
	reads(HORIZONTAL(5, 0, 4), 4);		/* 0 is 64, which comes round to the same row */
	assert_int_equal(s->shader.rows_read, 0x20);
	reads(HORIZONTAL(62, 1, 4), 4);
	assert_true(s->shader.rows_read == 0xc000000000000003);
	reads(HORIZONTAL(1, 31, 3), 3);
	assert_true(s->shader.rows_read == (1ull << 1 | 1ull << 32 | 1ull << 63));
	/* 16 and 8 bits: halves and bytes of a row */
	reads(halves, 2);
	assert_int_equal(s->shader.rows_read, 0xc);
	reads(bytes, 1);
	assert_int_equal(s->shader.rows_read, 0x4);
	/* Columns go down 16 rows. */
	reads(column, 1);
	assert_int_equal(s->shader.rows_read, 0xffff0000);
	reads(byte_column, 1);
	assert_true(s->shader.rows_read == 0xffff000000000000);
	/* On whichever path */
	OK(SETUP_READ(1, 1) READ OVER(3) SETUP_READ(9, 2) READ READ SETUP_READ(20, 1) READ);
	assert_int_equal(s->shader.rows_read, 1 << 1 | 3 << 9 | 1 << 20);
}

TEST(test_reads_refused)
{
	struct v3d_qpu_inst untaken = qb_nop();

	(void)state;
	untaken.raddr_a = V3D_QPU_R_VPM_READ;
	assert_shader_refused(s, VPM_EMPTY, 0, READ qb_nops(&s->b, 1););
	assert_shader_refused(s, VPM_EMPTY, 3, SETUP_READ(0, 2) READ READ READ qb_nops(&s->b, 1););
	assert_shader_refused(s, VPM_EMPTY, 2,
			      SETUP_READ(0, 1) READ E(qb_mov(QB_R0, QB_VPM_READ_B))
				      qb_nops(&s->b, 1););
	assert_shader_refused(s, VPM_UNREAD, 2,
			      SETUP_READ(0, 2) READ SETUP_READ(0, 1) READ qb_nops(&s->b, 1););
	/* At the end: its last delay slot */
	assert_shader_refused(s, VPM_UNREAD, 5, SETUP_READ(0, 2) READ qb_nops(&s->b, 1););
	/* One path reads a value that is there on both. */
	assert_shader_refused(s, VPM_PATHS, 7, SETUP_READ(0, 2) OVER(2) READ qb_nops(&s->b, 1);
			      READ qb_nops(&s->b, 1););
	/* A loop that reads on */
	assert_shader_refused(s, VPM_PATHS, 1, SETUP_READ(0, 16) READ qb_nops(&s->b, 1);
			      BACK(2) qb_nops(&s->b, 1););
	assert_shader_refused(s, UNIFORM_UNREAD, 1, SETUP_READ(0, 1) E(untaken) qb_nops(&s->b, 1););
	assert_shader_refused(s, UNIFORM_UNREAD, 1, SETUP_READ(0, 1)
			      E(qb_if(V3D_QPU_COND_NEVER, qb_mov(QB_R0, QB_VPM_READ)))
			      qb_nops(&s->b, 1););
	/* Both operands are one read. */
	OK(SETUP_READ(0, 1) E(qb_add(V3D_QPU_ADD_ADD, QB_R0, QB_VPM_READ, QB_VPM_READ)));
	/* What is unread where the code is not reached is no matter. */
	OK(E(qb_branch(V3D_QPU_BRANCH_ALWAYS, true, 8, QB_NONE)) qb_nops(&s->b, 3); READ);
}

/* The same load, by the other ALU */
static struct v3d_qpu_inst by_mul(struct v3d_qpu_inst load)
{
	load.waddr_mul = load.waddr_add;
	load.waddr_add = V3D_QPU_W_NOP;
	load.cond_mul = V3D_QPU_COND_ALWAYS;
	load.ws = !load.ws;
	return load;
}

TEST(test_setups_refused)
{
	const __u32 read = qb_word_vpm_read(0, 1), write = qb_word_vpm_write(0);

	(void)state;
	assert_shader_refused(s, SETUP_UNKNOWN, 0,
			      E(qb_mov(QB_VR_SETUP, QB_R0)) qb_nops(&s->b, 1););
	assert_shader_refused(s, SETUP_UNKNOWN, 0,
			      E(qb_add(V3D_QPU_ADD_ADD, QB_VW_SETUP, QB_R0, QB_UNIF))
				      qb_nops(&s->b, 1););
	assert_shader_refused(s, IO_CONDITION, 0,
			      E(qb_if(V3D_QPU_COND_ZS, qb_ldi(QB_VR_SETUP, read)))
				      qb_nops(&s->b, 1););
	assert_shader_refused(s, IO_CONDITION, 0,
			      E(qb_if(V3D_QPU_COND_ZS, qb_ldi(QB_VW_SETUP, write)))
				      qb_nops(&s->b, 1););
	for (int mode = 1; mode < 16; mode++) {
		assert_shader_refused(s, SETUP_UNKNOWN, 0,
				      E(qb_pack(mode, false, qb_ldi(QB_VR_SETUP, read)))
					      qb_nops(&s->b, 1););
		assert_shader_refused(s, SETUP_UNKNOWN, 0,
				      E(qb_pack(mode, false, qb_ldi(QB_VW_SETUP, write)))
					      qb_nops(&s->b, 1););
	}
	for (int mode = 3; mode < 8; mode++) {
		assert_shader_refused(s, SETUP_UNKNOWN, 0,
				      E(qb_pack(mode, true, qb_ldi(QB_VR_SETUP, read)))
					      qb_nops(&s->b, 1););
		assert_shader_refused(s, SETUP_UNKNOWN, 0,
				      E(qb_pack(mode, true, by_mul(qb_ldi(QB_VW_SETUP, write))))
					      qb_nops(&s->b, 1););
	}
	assert_shader_refused(s, SETUP_WORD, 0,
			      E(qb_ldi(QB_VR_SETUP, read | 1u << 31)) qb_nops(&s->b, 1););
	assert_shader_refused(s, SETUP_WORD, 0,
			      E(qb_ldi(QB_VR_SETUP, read | 1u << 24)) qb_nops(&s->b, 1););
	assert_shader_refused(s, SETUP_WORD, 0,
			      E(qb_ldi(QB_VR_SETUP, read | 3u << 8)) qb_nops(&s->b, 1););
	assert_shader_refused(s, SETUP_WORD, 0,
			      E(qb_ldi(QB_VW_SETUP, write | 2u << 30)) qb_nops(&s->b, 1););
	assert_shader_refused(s, SETUP_WORD, 0,
			      E(qb_ldi(QB_VW_SETUP, write | 1u << 18)) qb_nops(&s->b, 1););
	assert_shader_refused(s, SETUP_WORD, 0,
			      E(qb_ldi(QB_VW_SETUP, write | 3u << 8)) qb_nops(&s->b, 1););
	assert_shader_refused(s, SETUP_MISSING, 0, WRITE qb_nops(&s->b, 1););
	assert_shader_refused(s, SETUP_MISSING, 5, OVER(1) SETUP_WRITE(0) WRITE qb_nops(&s->b, 1););
	assert_shader_refused(s, SETUP_MISSING, 0,
			      E(qb_mul_mov(QB_VPM_WRITE, QB_R0)) qb_nops(&s->b, 1););
}

#define READ_UNIF E(qb_mov(QB_VR_SETUP, QB_UNIF))
#define WRITE_UNIF E(qb_mov(QB_VW_SETUP, QB_UNIF))
#define READ4 READ READ READ READ

static void assert_setup(__u32 n, __u32 at, __u32 slot, bool read, __u32 word)
{
	const struct v3dcl_setup *setup = &s->shader.setups[n];

	assert_true(n < s->shader.setup_count);
	assert_int_equal(setup->at, PRELUDE + at);
	assert_int_equal(setup->slot, slot);
	assert_int_equal(setup->read, read);
	assert_int_equal(setup->word, word);
}

/* As the code stands: rows that are read, and written, one after the other */
TEST(test_setups_from_uniforms)
{
	(void)state;
	OK(READ_UNIF WRITE_UNIF READ READ READ WRITE WRITE);
	assert_int_equal(s->shader.setup_count, 2);
	assert_setup(0, 0, 0, true, qb_word_vpm_read(0, 3));
	assert_setup(1, 1, 1, false, qb_word_vpm_write(0));
	assert_int_equal(s->shader.uniform_words, 2);
	assert_int_equal(s->shader.rows_read, 7);
	assert_int_equal(s->shader.rows_written, 3);
	assert_int_equal(s->shader.rows_touched, 3);
	/* Behind others, by either ALU and either port; what is read ends with the next set-up. */
	OK(E(qb_mov(QB_R1, QB_UNIF)) SETUP_READ(9, 2) READ READ SETUP_WRITE(4) WRITE
	   E(qb_mul_mov(QB_VR_SETUP, QB_UNIF)) READ SETUP_READ(20, 1) READ
	   E(qb_mov(QB_VW_SETUP, QB_RB(V3D_QPU_R_UNIFORM))) WRITE);
	assert_int_equal(s->shader.setup_count, 2);
	assert_setup(0, 6, 1, true, qb_word_vpm_read(2, 1));
	assert_setup(1, 10, 2, false, qb_word_vpm_write(1));
	assert_int_equal(s->shader.rows_read, 3 << 9 | 1 << 2 | 1 << 20);
	assert_int_equal(s->shader.rows_written, 0x12);
	/* A value that is read as the next set-up is made is one of those before it. */
	OK(READ_UNIF READ E(qb_both(qb_mov(QB_VR_SETUP, QB_UNIF), qb_mul_mov(QB_R1, QB_VPM_READ_B)))
	   READ);
	assert_setup(0, 0, 0, true, qb_word_vpm_read(0, 2));
	assert_setup(1, 2, 1, true, qb_word_vpm_read(2, 1));
	/* 0 is 16; words in the order of the code also where it parts */
	shader_begin(s);
	READ_UNIF
	for (int n = 0; n < 16; n++)
		READ
	OVER(2) READ_UNIF READ qb_nops(&s->b, 1);
	shader_finish(s);
	assert_setup(0, 0, 0, true, qb_word_vpm_read(0, 16));
	assert_setup(1, 21, 1, true, qb_word_vpm_read(16, 1));
	assert_int_equal(s->shader.rows_read, 0x1ffff);
	/* A load's number is no read, and no write. */
	OK(READ_UNIF E(qb_ldi(QB_R1, ~0u)) READ E(qb_ldi(QB_R2, ~0u)));
	assert_setup(0, 0, 0, true, qb_word_vpm_read(0, 1));
}

/* Either ALU reads, writes and sets up; what is behind the end does not count. */
TEST(test_setups_from_either_alu)
{
	(void)state;
	OK(READ_UNIF READ E(by_mul(qb_ldi(QB_VR_SETUP, qb_word_vpm_read(5, 1)))) READ);
	assert_setup(0, 0, 0, true, qb_word_vpm_read(0, 1));
	assert_int_equal(s->shader.rows_read, 1 << 5 | 1);
	OK(SETUP_WRITE(7) E(qb_mul_mov(QB_VPM_WRITE, QB_R0)) WRITE WRITE_UNIF WRITE);
	assert_setup(0, 3, 0, false, qb_word_vpm_write(2));
	OK(READ_UNIF E(qb_mov(QB_R0, QB_VPM_READ_B)) READ);
	assert_setup(0, 0, 0, true, qb_word_vpm_read(0, 2));
	/* The number of a rotation is no read. */
	OK(READ_UNIF READ E(qb_rotate(QB_R2, QB_R1, 0)));
	assert_setup(0, 0, 0, true, qb_word_vpm_read(0, 1));
	shader_begin(s);
	READ_UNIF READ qb_nops(&s->b, 1);
	qb_end(&s->b);
	READ READ
	assert_true(shader_check(s));
	assert_int_equal(s->shader.setups[0].word, qb_word_vpm_read(0, 1));
}

/* What the scratch memory held before, as a set-up of reads by instruction 1, is none. */
TEST(test_setups_of_others)
{
	(void)state;
	shader_start(s);
	E(qb_mov(QB_R0, QB_ELEMENT))
	E(qb_mov(QB_VR_SETUP, QB_R0))
	qb_nops(&s->b, 1);
	qb_end(&s->b);
	for (unsigned int i = 0; i < sizeof(s->scratch) / sizeof(s->scratch[0]); i++)
		s->scratch[i] = 0x100000001;
	assert_false(shader_check_with(s, sizeof(s->scratch)));
	assert_refusal(&s->refusal, CODE, SETUP_UNKNOWN, 8);
}

/* In a loop the stream begins anew, and so the same word is read at each turn. */
TEST(test_setups_in_a_loop)
{
	(void)state;
	shader_begin(s);
	shader_reset(s, 0);
	READ_UNIF READ WRITE_UNIF WRITE
	E(qb_branch(V3D_QPU_BRANCH_ALL_ZS, true, -12 * 8, QB_NONE)) qb_nops(&s->b, 4);
	shader_finish(s);
	assert_int_equal(s->shader.setup_count, 2);
	assert_setup(0, 4, 1, true, qb_word_vpm_read(0, 1));
	assert_setup(1, 6, 2, false, qb_word_vpm_write(0));
	assert_int_equal(s->shader.rows_read, 1);
	assert_int_equal(s->shader.rows_written, 1);
	/* A loop that reads, or writes, on */
	assert_shader_refused(s, VPM_PATHS, 1, READ_UNIF READ qb_nops(&s->b, 1);
			      BACK(2) qb_nops(&s->b, 1););
	OK(WRITE_UNIF WRITE qb_nops(&s->b, 1); WRITE BACK(1) qb_nops(&s->b, 1););
	assert_int_equal(s->shader.rows_written, 1);
	assert_true(s->shader.rows_touched == ~0ull);
}

TEST(test_setups_from_uniforms_refused)
{
	const struct v3d_qpu_inst both = qb_both(qb_mov(QB_VR_SETUP, QB_UNIF),
						 qb_mul_mov(QB_VW_SETUP, QB_UNIF));
	const struct v3d_qpu_inst beside = qb_both(qb_mov(QB_VW_SETUP, QB_R0),
						   qb_mul_mov(QB_R1, QB_UNIF));

	(void)state;
	/* No value is read, one more than there can be, on one of two paths only */
	assert_shader_refused(s, VPM_UNREAD, 4, READ_UNIF qb_nops(&s->b, 1););
	assert_shader_refused(s, VPM_UNREAD, 2,
			      SETUP_READ(0, 2) READ READ_UNIF READ qb_nops(&s->b, 1););
	assert_shader_refused(s, VPM_EMPTY, 17, READ_UNIF READ4 READ4 READ4 READ4 READ
			      qb_nops(&s->b, 1););
	assert_shader_refused(s, VPM_PATHS, 7, READ_UNIF OVER(2) READ qb_nops(&s->b, 1);
			      READ qb_nops(&s->b, 1););
	/* A set-up on one of two paths */
	assert_shader_refused(s, VPM_PATHS, 6, OVER(2) READ_UNIF qb_nops(&s->b, 1);
			      READ qb_nops(&s->b, 1););
	assert_shader_refused(s, SETUP_MISSING, 5, OVER(1) WRITE_UNIF WRITE qb_nops(&s->b, 1););
	/* One word for two set-ups, and more of them than there may be */
	assert_shader_refused(s, SETUP_TWICE, 0, E(both) READ WRITE qb_nops(&s->b, 1););
	shader_begin(s);
	for (int n = 0; n < V3DCL_MAX_SETUPS; n++)
		WRITE_UNIF
	qb_nops(&s->b, 1);
	assert_int_equal(shader_finish(s)->setup_count, V3DCL_MAX_SETUPS);
	shader_begin(s);
	for (int n = 0; n <= V3DCL_MAX_SETUPS; n++)
		WRITE_UNIF
	qb_nops(&s->b, 1);
	qb_end(&s->b);
	assert_false(shader_check(s));
	assert_refusal(&s->refusal, CODE, SETUP_TWICE, 8 * (PRELUDE + V3DCL_MAX_SETUPS));
	/* Not the word itself, or not in all elements */
	assert_shader_refused(s, IO_CONDITION, 0,
			      E(qb_if(V3D_QPU_COND_ZS, qb_mov(QB_VW_SETUP, QB_UNIF)))
				      qb_nops(&s->b, 1););
	assert_shader_refused(s, SETUP_UNKNOWN, 1,
			      E(qb_mov(QB_R1, QB_UNIF)) E(qb_mov(QB_VW_SETUP, QB_R1))
				      qb_nops(&s->b, 1););
	assert_shader_refused(s, SETUP_UNKNOWN, 0,
			      E(qb_add(V3D_QPU_ADD_ADD, QB_VW_SETUP, QB_UNIF, qb_imm(1)))
				      qb_nops(&s->b, 1););
	assert_shader_refused(s, SETUP_UNKNOWN, 0,
			      E(qb_pack(1, false, qb_mov(QB_VR_SETUP, QB_UNIF))) READ
				      qb_nops(&s->b, 1););
	assert_shader_refused(s, SETUP_UNKNOWN, 0,
			      E(qb_pack(3, true, qb_mul_mov(QB_VW_SETUP, QB_UNIF)))
				      qb_nops(&s->b, 1););
	assert_shader_refused(s, SETUP_UNKNOWN, 1, READ_UNIF E(beside) READ qb_nops(&s->b, 1););
	/* One half of it is a uniform. */
	assert_shader_refused(s, SETUP_UNKNOWN, 0,
			      E(qb_both(qb_mov(QB_VR_SETUP, QB_UNIF),
					qb_mul_mov(QB_VW_SETUP, QB_R0))) READ qb_nops(&s->b, 1););
	/* The word is an address: of a direct read, of the stream. */
	assert_shader_refused(s, ADDRESS_TAKEN, 2, E(MAX0(QB_R0, QB_R0))
			      E(MIN_UNIFORM(QB_R0, QB_R0))
			      E(qb_both(READ_DIRECT(QB_R0), qb_mul_mov(QB_VW_SETUP, QB_UNIF)))
			      E(SIG(LOAD_TMU0, qb_nop())) qb_nops(&s->b, 1););
	assert_shader_refused(s, ADDRESS_TAKEN, 1, E(LDI_RESET(4))
			      E(qb_both(RESET, qb_mul_mov(QB_VW_SETUP, QB_UNIF)))
			      qb_nops(&s->b, 3););
	/* The place in the stream is not known, or no path leads there. */
	assert_shader_refused(s, UNIFORM_LOST, 6, OVER(2) E(qb_mov(QB_R1, QB_UNIF))
			      qb_nops(&s->b, 1); WRITE_UNIF qb_nops(&s->b, 1););
	assert_shader_refused(s, UNIFORM_LOST, 4,
			      E(qb_branch(V3D_QPU_BRANCH_ALWAYS, true, 8, QB_NONE))
			      qb_nops(&s->b, 3); WRITE_UNIF qb_nops(&s->b, 1););
}

/* Rows that are written for certain, and those that may be */
TEST(test_rows_written)
{
	const struct v3d_vpm_write_setup column = { .size = V3D_VPM_32BIT, .stride = 1 };
	const struct v3d_vpm_write_setup half = { .size = V3D_VPM_16BIT, .horizontal = 1 };
	const struct v3d_vpm_write_setup third = {
		.size = V3D_VPM_32BIT, .horizontal = 1, .stride = 3, .address = 61
	};

	(void)state;
	OK(qb_nops(&s->b, 1););
	assert_int_equal(s->shader.rows_written, 0);
	OK(SETUP_WRITE(2) WRITE WRITE);
	assert_int_equal(s->shader.rows_written, 0xc);
	assert_int_equal(s->shader.rows_touched, 0xc);
	OK(SETUP_WRITE(2) E(qb_mul_mov(QB_VPM_WRITE, QB_R0)) SETUP_WRITE(8) WRITE);
	assert_int_equal(s->shader.rows_written, 0x104);
	OK(E(qb_ldi(QB_VW_SETUP, v3d_word_vpm_write_setup(&third))) WRITE WRITE WRITE);
	assert_true(s->shader.rows_written == (1ull << 61 | 1 << 0 | 1 << 3));
	/* Columns and halves are no rows; columns are everywhere. */
	OK(E(qb_ldi(QB_VW_SETUP, v3d_word_vpm_write_setup(&column))) WRITE);
	assert_int_equal(s->shader.rows_written, 0);
	assert_true(s->shader.rows_touched == ~0ull);
	OK(E(qb_ldi(QB_VW_SETUP, v3d_word_vpm_write_setup(&half))) WRITE);
	assert_int_equal(s->shader.rows_written, 0);
	/* Under a condition, or packed, not all of it is written. */
	OK(SETUP_WRITE(0) E(qb_if(V3D_QPU_COND_ZS, qb_mov(QB_VPM_WRITE, QB_R0))) WRITE);
	assert_int_equal(s->shader.rows_written, 2);
	assert_int_equal(s->shader.rows_touched, 3);
	OK(SETUP_WRITE(0) E(qb_pack(1, false, qb_mov(QB_VPM_WRITE, QB_R0))) WRITE);
	assert_int_equal(s->shader.rows_written, 2);
	OK(SETUP_WRITE(0) E(qb_pack(3, true, qb_mul_mov(QB_VPM_WRITE, QB_R0))) WRITE);
	assert_int_equal(s->shader.rows_written, 3);
	for (int mode = 4; mode < 8; mode++) {
		OK(SETUP_WRITE(0) E(qb_pack(mode, true, qb_mul_mov(QB_VPM_WRITE, QB_R0))) WRITE);
		assert_int_equal(s->shader.rows_written, 2);
		OK(SETUP_WRITE(0) E(qb_pack(mode, true, qb_mov(QB_VPM_WRITE, QB_R0))) WRITE);
		assert_int_equal(s->shader.rows_written, 3);
	}
}

/* What is written on each path */
/*
 * Packed by the mul ALU's packer a row is whole; a rotation's number is no read; a jump is no end.
 */
TEST(test_whole_rows)
{
	(void)state;
	OK(SETUP_WRITE(2) E(qb_pack(3, true, qb_mul_mov(QB_VPM_WRITE, QB_R0))));
	assert_int_equal(s->shader.rows_written, 0x4);
	struct v3d_qpu_inst in_a = qb_pack(3, true, qb_mul_mov(QB_VPM_WRITE, QB_R0));

	in_a.ws = 1;
	OK(SETUP_WRITE(2) E(in_a));
	assert_int_equal(s->shader.rows_written, 0x4);
	OK(SETUP_WRITE(2) E(qb_both(qb_mov(QB_VPM_WRITE, QB_R0), qb_rotate(QB_R2, QB_R1, 0))));
	assert_int_equal(s->shader.rows_written, 0x4);
	OK(SETUP_READ(3, 1) SETUP_WRITE(2) E(qb_branch(V3D_QPU_BRANCH_ALWAYS, true, 8,
						       QB_NONE)) qb_nops(&s->b, 4); READ WRITE);
	assert_int_equal(s->shader.rows_read, 0x8);
	assert_int_equal(s->shader.rows_written, 0x4);
}

/*
 * Two paths set up the same row, but not the same rows after it, or no rows at all: any may be
 * written.
 */
TEST(test_other_rows)
{
	const struct v3d_vpm_write_setup other[] = {
		{ .size = V3D_VPM_32BIT, .horizontal = 1, .stride = 2, .address = 2 },
		{ .size = V3D_VPM_32BIT, .stride = 1, .address = 2 },
	};

	(void)state;
	for (int i = 0; i < 2; i++) {
		OK(SETUP_WRITE(2) OVER(1) E(qb_ldi(QB_VW_SETUP,
						   v3d_word_vpm_write_setup(&other[i]))) WRITE
		WRITE);
		assert_int_equal(s->shader.rows_written, 0);
		assert_true(s->shader.rows_touched == ~0ull);
		OK(E(qb_ldi(QB_VW_SETUP, v3d_word_vpm_write_setup(&other[i]))) OVER(1)
		   SETUP_WRITE(2) WRITE WRITE);
		assert_int_equal(s->shader.rows_written, 0);
		assert_true(s->shader.rows_touched == ~0ull);
	}
}

/*
 * A path into the middle of a loop takes away what its head had: a set-up, a row that was written.
 */
TEST(test_into_a_loop)
{
	const struct v3d_qpu_inst ahead = qb_branch(V3D_QPU_BRANCH_ALL_ZS, true, 10 * 8, QB_NONE),
				  next = qb_branch(V3D_QPU_BRANCH_ALWAYS, true, 0, QB_NONE);

	(void)state;
	for (int i = 0; i < 2; i++) {
		const struct v3d_vpm_write_setup setup = { .size = V3D_VPM_32BIT, .stride = 1,
							   .horizontal = i };

		assert_shader_refused(s, SETUP_MISSING, 9, E(ahead) qb_nops(&s->b, 3);
				      E(qb_ldi(QB_VW_SETUP, v3d_word_vpm_write_setup(&setup)))
					      E(next) qb_nops(&s->b, 3);
				      WRITE qb_nops(&s->b, 1); qb_end(&s->b); qb_nops(&s->b, 1);
				      E(qb_branch(V3D_QPU_BRANCH_ALWAYS, true, -14 * 8, QB_NONE))
					      qb_nops(&s->b, 3););
	}
	OK(SETUP_WRITE(3) E(ahead) qb_nops(&s->b, 3);
	   SETUP_WRITE(2) WRITE E(next) qb_nops(&s->b, 4); qb_end(&s->b); qb_nops(&s->b, 1);
	   E(qb_branch(V3D_QPU_BRANCH_ALWAYS, true, -13 * 8, QB_NONE)) qb_nops(&s->b, 3););
	assert_int_equal(s->shader.rows_written, 0);
	assert_int_equal(s->shader.rows_touched, 0x4);
}

TEST(test_paths_written)
{
	(void)state;
	OK(SETUP_WRITE(0) WRITE OVER(2) SETUP_WRITE(4) WRITE SETUP_WRITE(8) WRITE);
	assert_int_equal(s->shader.rows_written, 0x101);
	assert_int_equal(s->shader.rows_touched, 0x111);
	/* After a write on one path only it is not known where the next one goes. */
	OK(SETUP_WRITE(0) OVER(1) WRITE WRITE);
	assert_int_equal(s->shader.rows_written, 0);
	assert_true(s->shader.rows_touched == ~0ull);
	OK(SETUP_WRITE(0) OVER(1) WRITE WRITE SETUP_WRITE(5) WRITE);
	assert_int_equal(s->shader.rows_written, 0x20);
	/* Nor in a loop that writes on; what came before it, and is set up in it anew, is known. */
	OK(SETUP_WRITE(0) WRITE qb_nops(&s->b, 1); WRITE BACK(1) qb_nops(&s->b, 1););
	assert_int_equal(s->shader.rows_written, 1);
	assert_true(s->shader.rows_touched == ~0ull);
	OK(SETUP_WRITE(0) WRITE SETUP_WRITE(4) WRITE BACK(2) qb_nops(&s->b, 1););
	assert_int_equal(s->shader.rows_written, 0x11);
	assert_int_equal(s->shader.rows_touched, 0x11);
	/* What never ends: what it did not write is not read. */
	OK(E(qb_branch(V3D_QPU_BRANCH_ALWAYS, true, -4 * 8, QB_NONE)) qb_nops(&s->b, 3););
	assert_true(s->shader.rows_written == ~0ull);
	OK(SETUP_WRITE(3) WRITE E(qb_branch(V3D_QPU_BRANCH_ALWAYS, true, -4 * 8, QB_NONE))
		   qb_nops(&s->b, 3););
	assert_true(s->shader.rows_written == ~0ull);
	assert_int_equal(s->shader.rows_touched, 8);
	/* Two ends */
	shader_begin(s);
	SETUP_WRITE(0) WRITE
	E(qb_branch(V3D_QPU_BRANCH_ALL_ZS, true, 4 * 8, QB_NONE))
	qb_nops(&s->b, 3);
	WRITE
	qb_end(&s->b);
	WRITE WRITE
	qb_nops(&s->b, 1);
	shader_finish(s);
	assert_int_equal(s->shader.rows_written, 3);
	assert_int_equal(s->shader.rows_touched, 7);
}

/* The vertex shader of a frame reads these rows. */
static void frame_reads(int row, int rows)
{
	frame_start(t);
	t->bin_size = t->last;	/* without the shader state */
	t->records_size = 0;
	t->submit.shader_rec_count = 0;
	t->vs.shader.rows_read = ((1ull << rows) - 1) << row;
	t->cs.shader.rows_read = 1;
}

/* A record with one array, of so many bytes at these places in the VPM, and what is reserved */
static void record_of(const struct v3d_attribute *attributes, __u32 n,
		      struct v3d_gl_shader_record record)
{
	__u8 bytes[V3D_GL_SHADER_RECORD_LENGTH];

	bin(t, gl_shader_state, .attributes = n & 7);
	shader_record(t, attributes, n);
	record.single_threaded = 1;
	record.fs_varyings = 2;
	v3d_pack_gl_shader_record(bytes, &record);
	memcpy(t->records + (3 + n) * 4, bytes, sizeof(bytes));
	bin(t, array_primitives, .mode = V3D_TRIANGLES, .length = 3);
	frame_end(t);
}

/*
 * The vertex shader of a frame reads its three rows, and writes five, by what its uniforms say: the
 * third and the fourth word of its stream, which begins after 16 bytes and its handle
 */
#define VS_READ (16 + 4 + 8)
#define VS_WRITE (VS_READ + 4)

static void frame_sets_up(__u32 read, __u32 write)
{
	const __u32 words[] = { read, write };

	frame_start(t);
	shader_begin(&t->vs);
	shader_direct(&t->vs);
	shader_emit(&t->vs, qb_mov(QB_VR_SETUP, QB_UNIF));
	shader_emit(&t->vs, qb_mov(QB_VW_SETUP, QB_UNIF));
	for (int i = 0; i < 3; i++)
		shader_emit(&t->vs, qb_mov(QB_R0, QB_VPM_READ));
	for (int i = 0; i < 5; i++)
		shader_emit(&t->vs, qb_mov(QB_VPM_WRITE, QB_R4));
	qb_nops(&t->vs.b, 1);
	shader_finish(&t->vs);
	memmove(t->uniforms + VS_READ + 8, t->uniforms + VS_READ, t->uniforms_size - VS_READ);
	memcpy(t->uniforms + VS_READ, words, sizeof(words));
	t->uniforms_size += sizeof(words);
	bin(t, array_primitives, .mode = V3D_TRIANGLES, .length = 3);
	frame_end(t);
}

/* The same right, and once more with these words */
static void frame_sets_up_again(__u32 read, __u32 write)
{
	const struct v3d_attribute attribute = { .size_minus_1 = 11, .stride = 16 };
	const __u32 words[] = { read, write };
	__u32 size;

	frame_sets_up(qb_word_vpm_read(0, 3), qb_word_vpm_write(0));
	size = t->uniforms_size;
	t->bin_size -= 2;		/* without its end */
	bin(t, gl_shader_state, .attributes = 1);
	shader_record(t, &attribute, 1);
	memcpy(t->uniforms + size, t->uniforms, size);
	memcpy(t->uniforms + size + VS_READ, words, sizeof(words));
	t->uniforms_size += size;
	bin(t, array_primitives, .mode = V3D_TRIANGLES, .length = 3);
	frame_end(t);
}

static void refuses_set_up(__u32 offset, __u32 found, __u32 expected, __u32 instruction)
{
	refuses(UNIFORMS, SETUP_UNIFORM, offset);
	assert_int_equal(t->job.refusal.found, found);
	assert_int_equal(t->job.refusal.expected, expected);
	assert_int_equal(t->job.refusal.lost, 1 + PRELUDE + instruction);
}

/* Each draw gives the words that its shader was verified with, to the bit. */
TEST(test_draws_set_up)
{
	const __u32 read = qb_word_vpm_read(0, 3), write = qb_word_vpm_write(0);
	const __u32 reads[] = { 0, qb_word_vpm_read(1, 3), qb_word_vpm_read(0, 2),
				qb_word_vpm_read(0, 4), qb_word_vpm_read(0, 16), write };
	__u32 streams;

	(void)state;
	frame_sets_up(read, write);
	accepts();
	streams = (t->bin_size + 15) / 16 * 16 + (t->records_size + 15) / 16 * 16;
	/* Three words of the fragment shader, two of the direct read */
	assert_int_equal(word_at(t->exec.bytes + streams + 20), read);
	assert_int_equal(word_at(t->exec.bytes + streams + 24), write);
	for (unsigned int i = 0; i < sizeof(reads) / sizeof(reads[0]); i++) {
		frame_sets_up(reads[i], write);
		refuses_set_up(VS_READ, reads[i], read, 4);
	}
	for (int bit = 0; bit < 32; bit++) {
		frame_sets_up(read ^ 1u << bit, write);
		refuses_set_up(VS_READ, read ^ 1u << bit, read, 4);
		frame_sets_up(read, write ^ 1u << bit);
		refuses_set_up(VS_WRITE, write ^ 1u << bit, write, 5);
	}
	/* Of two records that are alike, the second one's too */
	frame_sets_up_again(read, write);
	accepts();
	frame_sets_up_again(read, write ^ 1);
	refuses_set_up(t->uniforms_size / 2 + VS_WRITE, write ^ 1, write, 5);
}

#define HANDLES(n) ((3 + (n)) * 4)
#define VS_SELECT 14
#define CS_SELECT 26
/*
 * One array of so many bytes at byte @offset, of the vertex shader; four at 0 of the coordinate
 * shader
 */
static void fills(__u32 bytes, __u32 offset, __u32 reserved)
{
	const struct v3d_attribute array = { .size_minus_1 = bytes - 1, .stride = 16,
					     .vs_vpm_offset = offset };
	const struct v3d_gl_shader_record record = { .vs_attributes = 1,
						     .vs_attributes_size = reserved,
						     .cs_attributes = 1,
						     .cs_attributes_size = reserved & ~3u };

	record_of(&array, 1, record);
}

#define FILLED(row, rows, ...) \
	do { \
		frame_reads(row, rows); \
		fills(__VA_ARGS__); \
		accepts(); \
	} while (0)
#define UNFILLED(row, rows, ...) \
	do { \
		frame_reads(row, rows); \
		fills(__VA_ARGS__); \
		refuses(SHADER_RECORD, SHADER_ROWS, HANDLES(1) + VS_SELECT); \
	} while (0)

TEST(test_rows_filled)
{
	(void)state;
	FILLED(0, 3, 12, 0, 12);
	/* One row more than there is, at either end */
	UNFILLED(0, 4, 12, 0, 12);
	assert_int_equal(t->job.refusal.found, 0xf);
	assert_int_equal(t->job.refusal.expected, 0x7);
	UNFILLED(0, 1, 12, 4, 16);
	FILLED(1, 3, 12, 4, 16);
	/* What is not reserved is not there. */
	UNFILLED(0, 3, 12, 0, 11);
	/* An array at an odd place fills the whole words in it. */
	FILLED(1, 2, 11, 1, 12);
	UNFILLED(0, 1, 11, 1, 12);
	/* The 64th row */
	FILLED(62, 1, 252, 0, 252);
	UNFILLED(63, 1, 256, 0, 255);
	/* The coordinate shader is asked as well. */
	frame_reads(0, 3);
	t->cs.shader.rows_read = 0x8;
	fills(12, 0, 12);
	refuses(SHADER_RECORD, SHADER_ROWS, HANDLES(1) + CS_SELECT);
}

TEST(test_select)
{
	const struct v3d_attribute arrays[2] = {
		{ .size_minus_1 = 3, .stride = 4 },
		{ .size_minus_1 = 7, .stride = 8, .vs_vpm_offset = 4 }
	};
	struct v3d_gl_shader_record record = { .vs_attributes = 3, .vs_attributes_size = 12,
					       .cs_attributes = 1,
					       .cs_attributes_size = 4 };

	(void)state;
	frame_reads(0, 3);
	record_of(arrays, 2, record);
	accepts();
	/* An array that is not selected fills nothing. */
	record.vs_attributes = 1;
	frame_reads(0, 3);
	record_of(arrays, 2, record);
	refuses(SHADER_RECORD, SHADER_ROWS, HANDLES(2) + VS_SELECT);
	record.vs_attributes = 2;
	frame_reads(0, 3);
	record_of(arrays, 2, record);
	refuses(SHADER_RECORD, SHADER_ROWS, HANDLES(2) + VS_SELECT);
	frame_reads(1, 2);
	record_of(arrays, 2, record);
	accepts();
	/* Arrays that the record does not have are not selected in what the V3D gets. */
	record.vs_attributes = 0xff;
	record.cs_attributes = 0xfd;
	frame_reads(0, 3);
	record_of(arrays, 2, record);
	accepts();
	assert_int_equal(t->exec.bytes[(t->bin_size + 15) / 16 * 16 + VS_SELECT], 3);
	assert_int_equal(t->exec.bytes[(t->bin_size + 15) / 16 * 16 + CS_SELECT], 1);
	frame_reads(0, 1);
	record.cs_attributes = 0xfe;
	record_of(arrays, 2, record);
	t->cs.shader.rows_read = 0;
	accepts();
}

/* Mesa's arrays go on beyond what its shader reads, by three components at most. */
TEST(test_spill)
{
	(void)state;
	frame_reads(0, 1);
	fills(16, 0, 4);
	accepts();
	frame_reads(0, 1);
	fills(17, 0, 4);
	refuses(SHADER_RECORD, ATTRIBUTE_ROWS, HANDLES(1) + VS_SELECT);
	assert_int_equal(t->job.refusal.found, 17);
	assert_int_equal(t->job.refusal.expected, 16);
	frame_reads(0, 1);
	fills(4, 12, 4);
	t->vs.shader.rows_read = 0;
	accepts();
	frame_reads(0, 1);
	fills(4, 13, 4);
	t->vs.shader.rows_read = 0;
	refuses(SHADER_RECORD, ATTRIBUTE_ROWS, HANDLES(1) + VS_SELECT);
	/* Of arrays that are selected */
	frame_reads(0, 1);
	fills(4, 255, 4);
	t->records[HANDLES(1) + VS_SELECT] = 0;
	t->vs.shader.rows_read = 0;
	accepts();
}

/* Vectors of three bytes: the fourth is loaded as well, where there is one. */
TEST(test_padded)
{
	const __u8 *array = t->exec.bytes;
	__u32 i;

	(void)state;
	for (i = 1; i <= 4; i++) {
		frame_reads(0, 2);
		t->cs.shader.rows_read = 0;
		fills(4 + i, 0, 8);
		accepts();
		array = t->exec.bytes + (t->bin_size + 15) / 16 * 16 + V3D_GL_SHADER_RECORD_LENGTH;
		assert_int_equal(array[4], 7);
		assert_int_equal(array[5], 16);
	}
	/* It is not read: nothing is added. */
	frame_reads(0, 1);
	fills(5, 0, 8);
	accepts();
	array = t->exec.bytes + (t->bin_size + 15) / 16 * 16 + V3D_GL_SHADER_RECORD_LENGTH;
	assert_int_equal(array[4], 4);
}

/* Where the BO ends with the array, the bytes that would be loaded are not its own. */
TEST(test_padded_end)
{
	struct v3d_attribute array = { .size_minus_1 = 4, .stride = 8,
				       .address = 8192 - 2 * 8 - 8 };
	const struct v3d_gl_shader_record record = { .vs_attributes = 1, .vs_attributes_size = 8,
						     .cs_attributes = 1, .cs_attributes_size = 4 };
	const struct v3d_gl_shader_record both = { .vs_attributes = 1, .vs_attributes_size = 8,
						   .cs_attributes = 1, .cs_attributes_size = 8 };

	(void)state;
	frame_reads(0, 2);
	record_of(&array, 1, record);
	accepts();
	/* Both shaders read them: they are counted once. */
	frame_reads(0, 2);
	t->cs.shader.rows_read = 3;
	record_of(&array, 1, both);
	accepts();
	/* The third vertex's last bytes would lie beyond. */
	array.address += 1;
	frame_reads(0, 2);
	record_of(&array, 1, record);
	assert_false(frame_check(t));
	assert_int_equal(t->job.refusal.rule, V3DCL_RULE_VERTEX_END);
	/* Not even those of the first are there. */
	array.address = 8192 - 7;
	frame_reads(0, 2);
	record_of(&array, 1, record);
	refuses(SHADER_RECORD, SHADER_ROWS, HANDLES(1) + VS_SELECT);
	frame_reads(0, 1);
	record_of(&array, 1, record);
	assert_false(frame_check(t));
	assert_int_equal(t->job.refusal.rule, V3DCL_RULE_VERTEX_END);
	array.stride = 0;
	frame_reads(0, 1);
	record_of(&array, 1, record);
	accepts();
	/* One that stands still, and ends with the last byte of its last word */
	array.address = 8192 - 8;
	frame_reads(0, 2);
	record_of(&array, 1, record);
	accepts();
}

/*
 * Three-byte vectors one after the other up to the end of their BO, and a draw with these indices
 * at most
 */
static void indexed_up_to(__u32 maximum, int rows)
{
	const struct v3d_attribute array = { .size_minus_1 = 2, .stride = 3,
					     .address = 8192 - 2730 * 3 };
	const struct v3d_gl_shader_record record = { .vs_attributes = 1, .vs_attributes_size = 4,
						     .cs_attributes = 1, .cs_attributes_size = 4 };

	frame_reads(0, rows);
	t->cs.shader.rows_read = t->vs.shader.rows_read;
	record_of(&array, 1, record);
	t->bin_size = t->last - 1 - 10;	/* without the end of the list and the draw */
	bin(t, gem_handles, .first = BO_INDICES);
	bin(t, indexed_primitives, .mode = V3D_TRIANGLES, .index_type = V3D_INDEX_16, .length = 3,
	    .maximum_index = maximum);
	frame_end(t);
}

/* Such a draw is accepted, and its greatest index is made this one. */
static void expect_maximum(__u32 maximum, int rows, __u32 expected)
{
	indexed_up_to(maximum, rows);
	accepts();
	assert_int_equal(word_at(t->exec.bytes + t->bin_size - V3D_GEM_HANDLES_LENGTH - 2 - 4),
			 expected);
}

static void refuses_maximum(__u32 maximum, int rows)
{
	indexed_up_to(maximum, rows);
	assert_false(frame_check(t));
	assert_int_equal(t->job.refusal.rule, V3DCL_RULE_VERTEX_END);
}

/*
 * Mesa's greatest index is that of the last vector in the BO, drawn or not: the one whose fourth
 * byte is not there is left out.
 */
TEST(test_padded_index)
{
	(void)state;
	expect_maximum(100, 1, 100);
	expect_maximum(2728, 1, 2728);
	expect_maximum(2729, 1, 2728);
	refuses_maximum(2730, 1);
	assert_int_equal(t->job.refusal.expected, 2728);
	/* It is not read. */
	expect_maximum(2729, 0, 2729);
	refuses_maximum(2730, 0);
}

/* A record of so many varyings, with or without point size, whose shaders write these rows */
static void writes(__u64 vs, __u64 cs, __u32 varyings, bool point_size)
{
	const struct v3d_gl_shader_record record = { .single_threaded = 1, .fs_varyings = varyings,
						     .point_size = point_size,
						     .vs_attributes_size = 12,
						     .cs_attributes_size = 12, .vs_attributes = 1,
						     .cs_attributes = 1 };

	frame_start(t);
	v3d_pack_gl_shader_record(t->records + HANDLES(1), &record);
	t->fs.shader.varyings = varyings;
	t->vs.shader.rows_written = t->vs.shader.rows_touched = vs;
	t->cs.shader.rows_written = t->cs.shader.rows_touched = cs;
	bin(t, array_primitives, .mode = V3D_TRIANGLES, .length = 3);
	frame_end(t);
}

#define VS_CODE 16
#define CS_CODE 28

/*
 * AG100 Figures 10 and 11: XY, Z, 1/W, a point size, varyings; four clip coordinates before the
 * first three in binning
 */
TEST(test_output)
{
	(void)state;
	writes(0x07, 0x7f, 0, false);
	accepts();
	writes(0x0f, 0x7f, 1, false);
	accepts();
	writes(0x0f, 0xff, 0, true);
	accepts();
	writes(0x1ffffff, 0xff, 21, true);
	accepts();
	writes(~0ull >> 1, 0x7f, 60, false);
	accepts();
	writes(0x03, 0x7f, 0, false);
	refuses(SHADER_RECORD, SHADER_OUTPUT, HANDLES(1) + VS_CODE);
	writes(0x07, 0x7f, 1, false);
	refuses(SHADER_RECORD, SHADER_OUTPUT, HANDLES(1) + VS_CODE);
	assert_int_equal(t->job.refusal.found, 0x7);
	assert_int_equal(t->job.refusal.expected, 4);
	writes(0x07, 0xff, 0, true);
	refuses(SHADER_RECORD, SHADER_OUTPUT, HANDLES(1) + VS_CODE);
	writes(0x0e, 0x7f, 0, false);
	refuses(SHADER_RECORD, SHADER_OUTPUT, HANDLES(1) + VS_CODE);
	writes(0x0f, 0x7f, 0, false);
	refuses(SHADER_RECORD, SHADER_OUTPUT, HANDLES(1) + VS_CODE);
	writes(0x07, 0x3f, 0, false);
	refuses(SHADER_RECORD, SHADER_OUTPUT, HANDLES(1) + CS_CODE);
	writes(0x0f, 0x7f, 0, true);
	refuses(SHADER_RECORD, SHADER_OUTPUT, HANDLES(1) + CS_CODE);
	writes(0x07, 0xff, 0, false);
	refuses(SHADER_RECORD, SHADER_OUTPUT, HANDLES(1) + CS_CODE);
	/* There are no more rows than 64: that many are left out as well. */
	writes(~0ull, 0x7f, 61, false);
	refuses(SHADER_RECORD, SHADER_OUTPUT, HANDLES(1) + VS_CODE);
	writes(~0ull, 0x7f, 255, false);
	refuses(SHADER_RECORD, SHADER_OUTPUT, HANDLES(1) + VS_CODE);
	/* What may be written counts, and what is written for certain */
	writes(0x07, 0x7f, 0, false);
	t->vs.shader.rows_touched = 0x87;
	refuses(SHADER_RECORD, SHADER_OUTPUT, HANDLES(1) + VS_CODE);
}

/*
 * Blocks that are reached from behind only, one after the other: each takes a sweep over all of
 * them, of which there are 16.
 */
TEST(test_sweeps)
{
	static uint64_t code[128], scratch[1 << 15];
	struct v3dcl_refusal refusal;
	struct v3dcl_shader found;
	struct qb b;

	(void)state;
	for (int blocks = 13; blocks < 17; blocks++) {
		qb_init(&b, code, 128);
		qb_emit(&b, qb_branch(V3D_QPU_BRANCH_ALWAYS, true, (5 + 4 * (blocks - 1)) * 8,
				      QB_NONE));
		qb_nops(&b, 3);
		qb_emit(&b, qb_ldi(QB_VW_SETUP, qb_word_vpm_write(7)));
		qb_emit(&b, qb_mov(QB_VPM_WRITE, QB_ELEMENT));
		qb_end(&b);
		/* the first one to the end, each other one to the one before it */
		for (int i = 0; i < blocks; i++) {
			qb_emit(&b, qb_branch(V3D_QPU_BRANCH_ALWAYS, true, i ? -8 * 8 : -9 * 8,
					      QB_NONE));
			qb_nops(&b, 3);
		}
		qb_end(&b);
		assert_false(b.failed);
		if (v3dcl_check_shader((const __u64 *)code, b.count, scratch, sizeof(scratch),
				       &found, &refusal)) {
			assert_true(blocks < 15);
			assert_int_equal(found.rows_written, 1 << 7);
		} else {
			assert_false(blocks < 15);
			assert_refusal(&refusal, CODE, CODE_WORK, 0);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_rows_read), cmocka_unit_test(test_reads_refused),
		cmocka_unit_test(test_setups_from_uniforms),
		cmocka_unit_test(test_setups_in_a_loop),
		cmocka_unit_test(test_setups_from_either_alu),
		cmocka_unit_test(test_setups_of_others),
		cmocka_unit_test(test_setups_from_uniforms_refused),
		cmocka_unit_test(test_draws_set_up),
		cmocka_unit_test(test_setups_refused), cmocka_unit_test(test_rows_written),
		cmocka_unit_test(test_whole_rows), cmocka_unit_test(test_other_rows),
		cmocka_unit_test(test_into_a_loop), cmocka_unit_test(test_paths_written),
		cmocka_unit_test(test_rows_filled), cmocka_unit_test(test_select),
		cmocka_unit_test(test_spill), cmocka_unit_test(test_padded),
		cmocka_unit_test(test_padded_end), cmocka_unit_test(test_padded_index),
		cmocka_unit_test(test_output), cmocka_unit_test(test_sweeps),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
