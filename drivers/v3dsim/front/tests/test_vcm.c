// SPDX-License-Identifier: MIT
/*
 * GL mode: attributes into the VPM (AG100 p. 60), coordinate and vertex shaders on a QPU, their
 * results in the formats of Figures 10 and 11, and which vertices are shaded again.
 */
#include "tests/front_fixture.h"

#include "accel/program.h"
#include "tests/xorshift.h"

#define COORDINATE_CODE (CODE + 0x1000)
#define COORDINATE_UNIFORMS (UNIFORMS + 0x1000)

/*
 * What VPM set-ups of shaders say: horizontal vectors of 32 bits, one row after the other (Tables
 * 32 and 33)
 */
#define ROWS (1u << 12 | 1u << 11 | 2u << 8)
#define READ_ROWS(row, count) (ROWS | (row) | ((count) & 15u) << 20)

/* A shader record being written, and its shaders */
struct scene {
	struct chip *chip;
	struct v3d_gl_shader_record record;
	struct v3d_attribute attribute[8];
	unsigned int attributes;
	bool extended;
	struct v3d_extended_stride stride[8];
	uint64_t code[256];
	struct qb b;
};

static int setup(void **state)
{
	struct scene *s = calloc(1, sizeof(*s));
	void *chip = NULL;

	assert_non_null(s);
	front_setup(&chip);
	s->chip = chip;
	s->record = (struct v3d_gl_shader_record){
		.fs_code = CODE,
		.fs_uniforms = UNIFORMS,
		.vs_code = CODE,
		.vs_uniforms = UNIFORMS,
		.cs_code = COORDINATE_CODE,
		.cs_uniforms = COORDINATE_UNIFORMS,
		.vs_attributes = 0xff,
		.cs_attributes = 0xff,
	};
	qb_init(&s->b, s->code, 256);
	*state = s;
	return 0;
}

static int teardown(void **state)
{
	struct scene *s = *state;

	chip_free(s->chip);
	free(s);
	return 0;
}

static void add_array(struct scene *s, uint32_t address, unsigned int size, unsigned int stride,
		      unsigned int offset)
{
	s->attribute[s->attributes++] = (struct v3d_attribute){
		.address = address,
		.size_minus_1 = size - 1,
		.stride = stride,
		.vs_vpm_offset = offset,
		.cs_vpm_offset = offset,
	};
}

/* The program written so far */
static void place(struct scene *s, uint32_t address)
{
	qb_end(&s->b);
	assert_false(s->b.failed);
	chip_put(s->chip, address, (const uint8_t *)s->code, s->b.count * sizeof(*s->code));
	qb_init(&s->b, s->code, 256);
}

/* A shader that hands on rows as they are: rows[n] becomes word n of the vertex. */
static void copy_shader(struct scene *s, uint32_t address, const uint8_t *rows, unsigned int count)
{
	qb_emit(&s->b, qb_ldi(QB_VW_SETUP, ROWS));
	for (unsigned int n = 0; n < count; n++) {
		qb_emit(&s->b, qb_ldi(QB_VR_SETUP, READ_ROWS(rows[n], 1)));
		qb_nops(&s->b, 3);
		qb_emit(&s->b, qb_mov(QB_R0, QB_VPM_READ));
		qb_emit(&s->b, qb_mov(QB_VPM_WRITE, QB_R0));
	}
	place(s, address);
}

#define COPY(s, address, ...) do { \
	const uint8_t rows[] = { __VA_ARGS__ }; \
	copy_shader(s, address, rows, sizeof(rows)); \
} while (0)

/* The record goes to memory, and the shader state into a thread's list. */
static void use(struct scene *s, unsigned int thread)
{
	uint8_t bytes[V3D_SHADER_RECORD_MAX_LENGTH] = { 0 }, state[V3D_GL_SHADER_STATE_LENGTH];
	const struct v3d_gl_shader_state record = {
		.attributes = s->attributes & 7, .extended = s->extended, .address = SHADER,
	};

	if (!s->attributes)			/* which the record cannot say in its number */
		s->record.vs_attributes = 0;
	v3d_pack_gl_shader_record(bytes, &s->record);
	for (unsigned int n = 0; n < s->attributes; n++)
		v3d_pack_attribute(bytes + 36 + 8 * n, &s->attribute[n]);
	for (unsigned int n = 0; s->extended && n < 8; n++)
		v3d_pack_extended_stride(bytes + 100 + 4 * n, &s->stride[n]);
	chip_put(s->chip, SHADER, bytes, sizeof(bytes));
	v3d_pack_gl_shader_state(state, &record);
	chip_put(s->chip, s->chip->at[thread], state, sizeof(state));
	s->chip->at[thread] += sizeof(state);
}

static void draw_points(struct scene *s, unsigned int thread, uint32_t count, uint32_t first)
{
	LIST(s->chip, thread, 33, 0, LE32(count), LE32(first));
	chip_go(s->chip, thread);
	assert_int_equal(recorder.count, count);
	recorder.count = 0;
}

/* Figure 11, without and with a point size */
static void test_coordinate_shader(void **state)
{
	struct scene *s = *state;
	struct chip *chip = s->chip;

	COPY(s, COORDINATE_CODE, 0, 1, 2, 3, 4, 5, 6, 7);
	for (unsigned int n = 0; n < 20; n++) {
		const uint32_t words[8] = {
			bits_of(n),
			bits_of(n + 0.5f),
			bits_of(-1.0f * n),
			bits_of(4),
			(0x100 + n) | (0x8000 + n) << 16,
			bits_of(0.125f),
			bits_of(0.25f),
			bits_of(n + 3),
		};

		put_words(chip, VERTICES + 32 * n, words, 8);
	}
	add_array(s, VERTICES, 32, 32, 0);
	start_binning(chip);
	for (unsigned int with = 0; with < 2; with++) {
		s->record.point_size = with;
		s->record.clipping = with;
		use(s, 0);
		draw_points(s, 0, 17, 2);			/* one more than a batch */
		/*
		 * AG100 Table 82, source 14: two batches of 1 + 8 * 6 + 3 instructions, 4 clocks
		 * each
		 */
		assert_int_equal(chip->sim->pctr.totals[V3D_COUNTER_qpu_vertex_cycles],
				 (with + 1) * 2 * 52 * 4);
		for (unsigned int n = 0; n < 17; n++) {
			const struct recorded *r = &recorder.seen[n];
			const struct vertex *v = &r->vertex[0];

			assert_int_equal(v->index, n + 2);
			assert_true(v->clip[0] == n + 2 && v->clip[1] == n + 2.5f &&
				    v->clip[2] == -2.0f - n && v->clip[3] == 4);
			assert_int_equal(v->xs, 0x102 + n);
			assert_int_equal(v->ys, -0x7ffe + (int)n);
			assert_true(v->zs == 0.125f && v->one_over_wc == 0.25f);
			assert_true(v->point_size == (with ? n + 5 : 0));
			assert_int_equal(r->primitive.point_sizes, with);
			assert_int_equal(r->primitive.clipping, with);
		}
	}
}

/*
 * Figure 10: what follows are varyings, as many as the record says. Words that no shader writes are
 * 0.
 */
static void test_vertex_shader(void **state)
{
	struct scene *s = *state;
	struct chip *chip = s->chip;
	const uint32_t words[6] = { 0x00050003, bits_of(0.5f), bits_of(2),
				    bits_of(9), bits_of(11), bits_of(12) };
	const struct vertex *v = &recorder.seen[0].vertex[0];

	COPY(s, CODE, 0, 1, 2, 3, 4, 5);
	put_words(chip, VERTICES, words, 6);
	add_array(s, VERTICES, 24, 0, 0);
	s->record.fs_varyings = 4;
	use(s, 1);
	draw_points(s, 1, 1, 0);
	assert_true(v->xs == 3 && v->ys == 5 && v->zs == 0.5f && v->one_over_wc == 2);
	assert_true(v->varying[0] == 9 && v->varying[1] == 11 && v->varying[2] == 12 &&
		    v->varying[3] == 0);
	assert_int_equal(recorder.seen[0].shader.varyings, 4);
	s->record.point_size = 1;
	use(s, 1);
	draw_points(s, 1, 1, 0);
	assert_true(v->point_size == 9 && v->varying[0] == 11 && v->varying[1] == 12 &&
		    v->varying[2] == 0);
	/* no more than a column holds: 64 - 4 */
	s->record.fs_varyings = 255;
	use(s, 1);
	draw_points(s, 1, 1, 0);
	assert_int_equal(recorder.seen[0].shader.varyings, 60);
}

/* Arrays of odd sizes, strides and addresses; offsets in bytes; what is between them is 0. */
static void test_attributes(void **state)
{
	struct scene *s = *state;
	struct chip *chip = s->chip;
	uint8_t bytes[64];

	for (unsigned int n = 0; n < 64; n++)
		bytes[n] = 0x80 + n;
	chip_put(chip, VERTICES, bytes, 64);
	COPY(s, CODE, 63, 0, 1, 2, 3, 4, 5);
	add_array(s, VERTICES + 1, 3, 5, 4);			/* word 1, without its last byte */
	/* words 2 and 3, from an odd address for odd vertices */
	add_array(s, VERTICES + 2, 8, 1, 8);
	add_array(s, VERTICES + 4, 2, 0, 18);			/* the upper half of word 4 */
	/* its last two bytes are past the column's end */
	add_array(s, VERTICES, 3, 16, 255);
	add_array(s, VERTICES, 4, 4, 12);			/* not selected: would be word 3 */
	s->record.vs_attributes = 0x0f;
	s->record.fs_varyings = 4;
	use(s, 1);
	draw_points(s, 1, 3, 0);
	for (unsigned int n = 0; n < 3; n++) {
		const struct vertex *v = &recorder.seen[n].vertex[0];
		uint32_t word[4];

		assert_int_equal((uint16_t)v->ys, (0x80 + 16 * n) << 8);
		assert_int_equal(bits_of(v->zs), 0);
		memcpy(word, &v->varying[0], sizeof(word));
		assert_int_equal(bits_of(v->one_over_wc),
				 (0x81 + 5 * n) | (0x82 + 5 * n) << 8 | (0x83 + 5 * n) << 16);
		for (unsigned int i = 0; i < 2; i++) {
			const uint32_t first = 0x82 + n + 4 * i;

			assert_int_equal(word[i], first | (first + 1) << 8 | (first + 2) << 16 |
							  (first + 3) << 24);
		}
		assert_int_equal(word[2], 0x84u << 16 | 0x85u << 24);
		assert_int_equal(word[3], 0);
	}
}

/*
 * Table 45: eight arrays, with strides that take 32 bits; and the coordinate shader's own offsets
 * and selection
 */
static void test_extended_record(void **state)
{
	struct scene *s = *state;
	struct chip *chip = s->chip;

	s->extended = true;
	COPY(s, COORDINATE_CODE, 0, 1, 2);
	COPY(s, CODE, 0, 1, 2);
	for (unsigned int n = 0; n < 8; n++) {
		add_array(s, VERTICES + 4 * n, 4, 77, 0);
		s->stride[n].stride = 0x1000 << n;
	}
	s->attribute[7].cs_vpm_offset = 4;
	s->record.vs_attributes = 1 << 3;
	s->record.cs_attributes = 1 << 7 | 1 << 0;
	put_words(chip, VERTICES + 0x8000 + 12, (uint32_t[]){ 0x1234 }, 1);
	put_words(chip, VERTICES + 0x1000, (uint32_t[]){ bits_of(5) }, 1);
	put_words(chip, VERTICES + 0x80000 + 28, (uint32_t[]){ bits_of(6) }, 1);
	start_binning(chip);
	use(s, 0);
	use(s, 1);
	draw_points(s, 1, 1, 1);
	assert_int_equal(recorder.seen[0].vertex[0].xs, 0x1234);
	draw_points(s, 0, 1, 1);
	assert_true(recorder.seen[0].vertex[0].clip[0] == 5 &&
		    recorder.seen[0].vertex[0].clip[1] == 6);
}

static uint64_t instructions(struct scene *s)
{
	return s->chip->sim->stats.instructions;
}

/* How many batches were shaded since the last time */
static unsigned int batches(struct scene *s, uint64_t *before)
{
	const uint64_t now = instructions(s), since = now - *before;

	*before = now;
	assert_int_equal(since % (1 + 2 * 6 + 3), 0);
	return since / (1 + 2 * 6 + 3);
}

/*
 * What was shaded serves again, also in the next record of a tile list, until something may have
 * changed.
 */
static void test_cache(void **state)
{
	struct scene *s = *state;
	struct chip *chip = s->chip;
	uint64_t before = 0;
	uint8_t indices[96];

	for (uint32_t n = 0; n < 64; n++)
		put_words(chip, VERTICES + 8 * n, (uint32_t[]){ n, bits_of(1) }, 2);
	COPY(s, CODE, 0, 1);
	add_array(s, VERTICES, 8, 8, 0);
	use(s, 1);
	for (unsigned int n = 0; n < 96; n++)			/* 32 vertices, three times each */
		indices[n] = n % 32;
	chip_put(chip, INDICES, indices, sizeof(indices));
	LIST(chip, 1, 32, 4, LE32(96), LE32(INDICES), LE32(63));
	chip_go(chip, 1);
	assert_int_equal(batches(s, &before), 2);
	for (unsigned int n = 0; n < 96; n++)
		assert_int_equal(recorder.seen[n / 3].vertex[n % 3].xs, n % 32);
	LIST(chip, 1, 56, 0x12, 48, 129, LE16(1), LE16(2), LE16(3), 128);
	/* what does not matter to vertices */
	LIST(chip, 1, 102, LE16(0), LE16(0), LE16(5), LE16(5));
	LIST(chip, 1, 48, 129, LE16(3), LE16(1), LE16(2), 128);
	chip_go(chip, 1);
	assert_int_equal(batches(s, &before), 1);
	LIST(chip, 1, 48, 129, LE16(3), LE16(1), LE16(2), 128);
	use(s, 1);						/* a shader state does */
	LIST(chip, 1, 48, 129, LE16(3), LE16(1), LE16(2), 128);
	chip_go(chip, 1);
	assert_int_equal(batches(s, &before), 2);
	put_words(chip, VERTICES + 8, (uint32_t[]){ 99 }, 1);
	/* and so does a list that was at its end */
	LIST(chip, 1, 48, 129, LE16(3), LE16(1), LE16(2), 128);
	recorder.count = 0;
	chip_go(chip, 1);
	assert_int_equal(batches(s, &before), 1);
	assert_int_equal(recorder.seen[0].vertex[1].xs, 99);
}

/* Vertices far apart: each is shaded once, and each primitive gets its own. */
static void test_collisions(void **state)
{
	struct scene *s = *state;
	struct chip *chip = s->chip;
	uint8_t indices[2 * 3 * 60];

	for (uint32_t n = 0; n < 1024; n++)
		put_words(chip, VERTICES + 8 * n, (uint32_t[]){ n, bits_of(1) }, 2);
	COPY(s, CODE, 0, 1);
	add_array(s, VERTICES, 8, 8, 0);
	use(s, 1);
	for (unsigned int n = 0; n < 180; n++) {
		const uint16_t index = n * 256 % 1021 + n % 3;

		memcpy(indices + 2 * n, &index, 2);
	}
	chip_put(chip, INDICES, indices, sizeof(indices));
	LIST(chip, 1, 32, 0x14, LE32(180), LE32(INDICES), LE32(1023));
	chip_go(chip, 1);
	assert_int_equal(recorder.count, 60);
	for (unsigned int n = 0; n < 180; n++)
		assert_int_equal(recorder.seen[n / 3].vertex[n % 3].xs, n * 256 % 1021 + n % 3);
}

/*
 * A vertex that is about to lose its place does not serve a primitive of the batch that takes the
 * place.
 */
static void test_replacement(void **state)
{
	struct scene *s = *state;
	struct chip *chip = s->chip;
	const unsigned int again = VCM_SLOTS + 1, count = VCM_SLOTS + 1 + VCM_BATCH;
	uint8_t indices[VCM_SLOTS + 1 + VCM_BATCH];

	for (uint32_t n = 0; n < 256; n++)
		put_words(chip, VERTICES + 8 * n, (uint32_t[]){ n, bits_of(1) }, 2);
	COPY(s, CODE, 0, 1);
	add_array(s, VERTICES, 8, 8, 0);
	use(s, 1);
	for (unsigned int n = 0; n < count; n++)
		indices[n] = n < again ? n : n == again ? 10 : n - 1;
	chip_put(chip, INDICES, indices, sizeof(indices));
	LIST(chip, 1, 32, 0, LE32(count), LE32(INDICES), LE32(255));
	chip_go(chip, 1);
	assert_int_equal(recorder.count, count);
	for (unsigned int n = 0; n < count; n++)
		assert_int_equal(recorder.seen[n].vertex[0].xs, indices[n]);
}

/* Neither attributes nor results of earlier batches show where nothing is written. */
static void test_unwritten(void **state)
{
	struct scene *s = *state;
	const struct vertex *v = &recorder.seen[0].vertex[0];

	for (uint32_t n = 0; n < 8; n++)
		put_words(s->chip, VERTICES + 4 * n, (uint32_t[]){ bits_of(n + 1) }, 1);
	add_array(s, VERTICES, 32, 0, 0);
	s->record.fs_varyings = 4;
	COPY(s, CODE, 0, 1, 2, 3, 4, 5, 6);
	use(s, 1);
	draw_points(s, 1, 1, 0);
	assert_true(v->varying[2] == 6 && v->varying[3] == 7);
	s->attribute[0].size_minus_1 = 15;			/* words 0 to 3 */
	COPY(s, CODE, 0, 1, 2, 3, 5, 3);
	use(s, 1);
	draw_points(s, 1, 1, 0);
	assert_true(v->varying[0] == 4 && v->varying[1] == 0 && v->varying[2] == 4 &&
		    v->varying[3] == 0);
}

/* Uniforms, and the rows of user programs, which a vertex shader's accesses do not touch */
static void test_segments(void **state)
{
	struct scene *s = *state;
	struct chip *chip = s->chip;

	put_words(chip, UNIFORMS, (uint32_t[]){ bits_of(0.75f) }, 1);
	qb_emit(&s->b, qb_ldi(QB_VW_SETUP, ROWS | 1));
	qb_emit(&s->b, qb_mov(QB_VPM_WRITE, QB_UNIF));
	qb_emit(&s->b, qb_ldi(QB_VW_SETUP, ROWS | 63));
	qb_emit(&s->b, qb_mov(QB_VPM_WRITE, QB_ELEMENT));
	qb_emit(&s->b, qb_ldi(QB_VR_SETUP, READ_ROWS(63, 1)));	/* what was written is no input */
	qb_nops(&s->b, 3);
	qb_emit(&s->b, qb_mov(QB_R0, QB_VPM_READ));
	qb_emit(&s->b, qb_ldi(QB_VW_SETUP, ROWS | 2));
	qb_emit(&s->b, qb_mov(QB_VPM_WRITE, QB_R0));
	place(s, CODE);
	s->record.fs_varyings = 61;
	use(s, 1);
	draw_points(s, 1, 3, 0);
	for (unsigned int n = 0; n < 3; n++) {
		const struct vertex *v = &recorder.seen[n].vertex[0];

		assert_true(v->zs == 0.75f && v->one_over_wc == 0 && v->xs == 0);
		assert_int_equal(rd(chip, V3D_ERRSTAT) & 0x3f0, 0);
	}
}

static void test_faults(void **state)
{
	struct scene *s = *state;

	COPY(s, CODE, 0);
	add_array(s, MEMORY + MEMORY_BYTES - 4, 8, 8, 0);
	use(s, 1);
	LIST(s->chip, 1, 33, 0, LE32(1), LE32(0));
	chip_fail(s->chip, 1, "VCD at 0x40400000: bus error");
}

static void test_shader_that_waits(void **state)
{
	struct scene *s = *state;

	qb_emit(&s->b, qb_mov(QB_R0, QB_VPM_READ));		/* without a set-up */
	place(s, CODE);
	use(s, 1);
	LIST(s->chip, 1, 33, 0, LE32(1), LE32(0));
	chip_start(s->chip, 1);
	assert_int_equal(chip_run(s->chip), V3DSIM_STALLED);
	wr(s->chip, V3D_CT1CS, 0x8000);
	COPY(s, CODE, 0);
	LIST(s->chip, 1, 33, 0, LE32(1), LE32(0));
	chip_go(s->chip, 1);
	assert_int_equal(recorder.count, 1);
}

static uint64_t seed;
static unsigned int unread;		/* rows that the program being written has set up */

static uint32_t any(uint32_t below)
{
	return (xorshift(&seed) >> 20) % below;
}

static uint16_t any_source(void)
{
	static const uint16_t sources[] = { QB_R0, QB_R1, QB_R2, QB_R3, QB_R4,
					    QB_R5, QB_RA(1), QB_RA(2), QB_RA(15) };

	return sources[any(9)];
}

static uint16_t any_target(void)
{
	static const uint16_t targets[] = {
		QB_R0, QB_R1, QB_R2, QB_R3, QB_RA(1), QB_RA(2), QB_R5REP, QB_VPM_WRITE,
		QB_VPM_WRITE, QB_RECIP,
	};

	return targets[any(10)];
}

/* Something of what vertex shaders consist of; now and then a rule is broken. */
static struct v3d_qpu_inst any_instruction(void)
{
	switch (unread ? any(8) : 2 + any(6)) {
	case 0:
		unread--;
		return qb_mov(any_target(), QB_VPM_READ);
	case 1:
		unread--;
		return qb_add(V3D_QPU_ADD_FADD, any_target(), QB_VPM_READ_B, any_source());
	case 2:
		return qb_mul(V3D_QPU_MUL_FMUL, any_target(), QB_UNIF_B, any_source());
	case 3:
		return qb_ldi(any_target(), seed >> 9);
	case 4:
		return qb_flags(qb_add(V3D_QPU_ADD_FSUB, any_target(), any_source(), QB_UNIF_B));
	case 5:
		return qb_if(V3D_QPU_COND_NS, qb_mov(any_target(), any_source()));
	case 6:
		return qb_pack(1 + any(2), false,
			       qb_add(V3D_QPU_ADD_FTOI, QB_RA(1), any_source(), QB_R0));
	default:
		return qb_both(qb_add(V3D_QPU_ADD_FMAX, QB_R0, any_source(), QB_R1),
			       qb_mul(V3D_QPU_MUL_FMUL, QB_R2, QB_R3, QB_R1));
	}
}

static void any_shader(struct scene *s)
{
	qb_emit(&s->b, qb_ldi(QB_VW_SETUP, ROWS));
	for (unsigned int n = 0; n < 2; n++) {
		unread = 1 + any(6);
		qb_emit(&s->b,
			qb_ldi(QB_VR_SETUP, READ_ROWS(any(4), unread - !any(30) + !any(30))));
		qb_nops(&s->b, any(8) ? 3 : 1);
		for (unsigned int i = 0; i < 12; i++) {
			qb_emit(&s->b, any_instruction());
			if (any(4))
				qb_nops(&s->b, 2);
		}
		for (; unread; unread--)
			qb_emit(&s->b, qb_mov(QB_R0, QB_VPM_READ));
	}
	qb_nops(&s->b, 3);
	place(s, CODE);
}

/*
 * Shaders as a whole do what qpu_run() does, which is all that an instruction at a time leaves
 * them.
 */
static void test_whole(void **state)
{
	static struct recorded whole[24];
	struct scene *s = *state;
	struct sim_stats first, second;
	unsigned int good = 0, stuck = 0;

	for (unsigned int n = 0; n < 64; n++)
		put_words(s->chip, VERTICES + 4 * n,
			  (uint32_t[]){ bits_of((n * 37 % 64 - 30.0f) / 8) }, 1);
	for (unsigned int n = 0; n < 64; n++)
		put_words(s->chip, UNIFORMS + 4 * n,
			  (uint32_t[]){ bits_of((n * 21 % 64 - 32.0f) / 4) }, 1);
	add_array(s, VERTICES, 28, 8, 4);
	s->record.fs_varyings = 20;
	for (unsigned int n = 0; n < 300; n++) {
		seed = 0x9e3779b97f4a7c15 * (n + 1);
		any_shader(s);
		for (unsigned int crumbs = 0; crumbs < 2; crumbs++) {
			enum v3dsim_state result;

			chip_list_at(s->chip, 1, MEMORY + 0x8000);
			wr(s->chip, V3D_CT1CS, 0x8000);
			use(s, 1);
			LIST(s->chip, 1, 33, 0, LE32(24), LE32(0));
			chip_start(s->chip, 1);
			recorder.count = 0;
			memset(&s->chip->sim->stats, 0, sizeof(s->chip->sim->stats));
			do
				result = v3dsim_run(s->chip->sim, crumbs ? 1 : 100000);
			while (result == V3DSIM_BUSY);
			if (result == V3DSIM_STALLED) {		/* reads a row too many */
				stuck++;
				break;
			}
			assert_int_equal(result, V3DSIM_IDLE);
			assert_int_equal(recorder.count, 24);
			if (!crumbs) {
				memcpy(whole, recorder.seen, sizeof(whole));
				first = s->chip->sim->stats;
				good += !!program_find(s->chip->sim, s->chip->sim->vcm[1].programs,
						       s->chip->sim->shade[1].qpu, CODE, UNIFORMS);
				continue;
			}
			second = s->chip->sim->stats;
			for (unsigned int i = 0; i < 24; i++)
				assert_memory_equal(&whole[i].vertex, &recorder.seen[i].vertex,
						    sizeof(whole[i].vertex));
			assert_true(first.instructions == second.instructions &&
				    first.cycles == second.cycles);
			assert_true(first.broken_rules == second.broken_rules);
		}
	}
	print_message("# %u of 300 ran as a whole, %u never ended\n", good, stuck);
	assert_true(good > 60);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
	const struct CMUnitTest tests[] = {
		TEST(test_coordinate_shader), TEST(test_vertex_shader), TEST(test_attributes),
		TEST(test_extended_record), TEST(test_cache), TEST(test_collisions),
		TEST(test_replacement), TEST(test_unwritten), TEST(test_segments),
		TEST(test_faults), TEST(test_shader_that_waits), TEST(test_whole),
	};

	return cmocka_run_group_tests_name("vcm", tests, NULL, NULL);
}
