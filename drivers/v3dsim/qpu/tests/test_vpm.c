/* SPDX-License-Identifier: MIT */
/*
 * The VPM in every access mode (AG100 Figures 8 and 9), DMA both ways in every mode (Tables 34 to
 * 37), windows, waits, errors.
 */
#include "tests/qpu_fixture.h"

MACHINE_PER_TEST(V3DSIM_TRACE_QPU)

static uint32_t *vpm(unsigned int row, unsigned int column)
{
	return &m.sim->qps->vpm.words[row * 16 + column];
}

static void fill(void)
{
	for (unsigned int n = 0; n < 64 * 16; n++)
		m.sim->qps->vpm.words[n] = n * 0x01000193u ^ 0x811c9dc5u;
}

static uint8_t byte_of(unsigned int row, unsigned int column, unsigned int byte)
{
	return *vpm(row, column) >> 8 * byte;
}

static uint32_t read_setup(unsigned int size, bool laned, bool horizontal, unsigned int address,
			   unsigned int stride, unsigned int number)
{
	const struct v3d_vpm_read_setup s = {
		.address = address,
		.size = size,
		.laned = laned,
		.horizontal = horizontal,
		.stride = stride & 63,
		.number = number & 15,
	};

	return v3d_word_vpm_read_setup(&s);
}

static uint32_t write_setup(unsigned int size, bool laned, bool horizontal, unsigned int address,
			    unsigned int stride)
{
	const struct v3d_vpm_write_setup s = {
		.address = address,
		.size = size,
		.laned = laned,
		.horizontal = horizontal,
		.stride = stride & 63,
	};

	return v3d_word_vpm_write_setup(&s);
}

/* What AG100 Figures 8 and 9 show, said once more: element e of a vector, as up to four bytes */
static uint32_t expected(unsigned int size, bool laned, bool horizontal, unsigned int address,
			 unsigned int e)
{
	uint32_t value = 0;
	unsigned int bytes = 1u << size, parts = 4 / bytes, sub = address % parts, y, x, first,
		     word;

	address = address / parts % 64;
	y = horizontal ? address : address / 16 * 16;
	x = horizontal ? 0 : address % 16;
	word = laned ? e : sub * (16 / parts) + e / parts;
	first = (laned ? sub : e % parts) * bytes;
	for (unsigned int b = 0; b < bytes; b++)
		value |= (uint32_t)byte_of(horizontal ? y : y + word, horizontal ? word : x,
					   first + b)
			 << 8 * b;
	return value;
}

static void reads(void **state)
{
	(void)state;
	for (unsigned int mode = 0; mode < 12; mode++) {
		const unsigned int size = mode % 3;
		const bool laned = mode / 3 % 2, horizontal = mode / 6;

		for (unsigned int address = 0; address < 256; address += 3) {
			struct qpu *q = &m.sim->qps->qpu[0];
			struct lanes out;

			fill();
			assert_int_equal(vpm_read_setup(&q->port,
							read_setup(size, laned, horizontal, address,
								   5, 2),
							0),
					 VPM_OK);
			for (unsigned int n = 0; n < 2; n++) {
				assert_int_equal(vpm_read(m.sim, &q->port, &out), VPM_OK);
				for (unsigned int e = 0; e < 16; e++)
					assert_int_equal(out.lane[e],
							 expected(size, laned, horizontal,
								  address + 5 * n, e));
			}
			assert_false(vpm_readable(&q->port));
		}
	}
}

/*
 * Figure 8 (a): 8-bit packed, Y = 0, B = 2 is words 8 to 11, four elements each; (b): 8-bit laned,
 * Y = 1, B = 1
 */
static void reads_by_hand(void **state)
{
	struct qpu *q = &m.sim->qps->qpu[0];
	struct lanes out;

	(void)state;
	*vpm(0, 8) = 0x03020100;
	*vpm(0, 9) = 0x07060504;
	*vpm(0, 10) = 0x0b0a0908;
	*vpm(0, 11) = 0x0f0e0d0c;
	vpm_read_setup(&q->port, read_setup(0, false, true, 2, 1, 1), 0);
	vpm_read(m.sim, &q->port, &out);
	for (unsigned int e = 0; e < 16; e++)
		assert_int_equal(out.lane[e], e);
	for (unsigned int x = 0; x < 16; x++)
		*vpm(1, x) = x << 8;
	vpm_read_setup(&q->port, read_setup(0, true, true, 1 << 2 | 1, 1, 1), 0);
	vpm_read(m.sim, &q->port, &out);
	for (unsigned int e = 0; e < 16; e++)
		assert_int_equal(out.lane[e], e);
}

static void writes(void **state)
{
	(void)state;
	for (unsigned int mode = 0; mode < 12; mode++) {
		const unsigned int size = mode % 3;
		const bool laned = mode / 3 % 2, horizontal = mode / 6;

		for (unsigned int address = 0; address < 256; address += 7) {
			struct qpu *q = &m.sim->qps->qpu[0];
			struct lanes in;
			uint32_t before[64 * 16], changed = 0;

			fill();
			memcpy(before, vpm(0, 0), sizeof(before));
			for (unsigned int e = 0; e < 16; e++)
				in.lane[e] = e * 0x9e3779b1u;
			vpm_write_setup(&q->port, write_setup(size, laned, horizontal, address, 1));
			assert_int_equal(vpm_write(m.sim, &q->port, &in), VPM_OK);
			for (unsigned int e = 0; e < 16; e++)
				assert_int_equal(expected(size, laned, horizontal, address, e),
						 in.lane[e] & (0xffffffffu >> (32 - (8 << size))));
			/* and no other words change */
			for (unsigned int n = 0; n < 64 * 16; n++)
				changed += *vpm(0, n) != before[n];
			assert_true(changed <= (laned ? 16u : 16u >> (2 - size)));
		}
	}
}

static void wraps(void **state)
{
	struct qpu *q = &m.sim->qps->qpu[0];
	struct lanes in;

	(void)state;
	lanes_fill(&in, 7);
	vpm_write_setup(&q->port, write_setup(2, false, true, 63, 1));
	vpm_write(m.sim, &q->port, &in);
	vpm_write(m.sim, &q->port, &in);
	assert_int_equal(*vpm(63, 0), 7);
	assert_int_equal(*vpm(0, 0), 7);	/* beyond Y 63 */
	assert_int_equal(*vpm(64, 0), 0);
}

/* HW: a second read set-up is ignored unless at most one value is outstanding */
static void setups_do_not_queue(void **state)
{
	struct qpu *q = &m.sim->qps->qpu[0];
	struct lanes out;

	(void)state;
	for (unsigned int y = 0; y < 64; y++)
		*vpm(y, 0) = y;
	assert_int_equal(vpm_read_setup(&q->port, read_setup(2, false, true, 10, 1, 2), 0), VPM_OK);
	assert_int_equal(vpm_read_setup(&q->port, read_setup(2, false, true, 20, 1, 2), 0),
			 VPM_IGNORED);
	vpm_read(m.sim, &q->port, &out);
	assert_int_equal(vpm_read_setup(&q->port, read_setup(2, false, true, 30, 1, 1), 0), VPM_OK);
	vpm_read(m.sim, &q->port, &out);
	assert_int_equal(out.lane[0], 11);
	vpm_read(m.sim, &q->port, &out);
	assert_int_equal(out.lane[0], 30);
	assert_false(vpm_readable(&q->port));
}

/* Outside VPMBASE's rows writes are masked and reads give what is there; ERRSTAT says so */
static void window(void **state)
{
	struct qpu *q = &m.sim->qps->qpu[0];
	struct lanes in, out;

	(void)state;
	v3dsim_write(m.sim, V3D_VPMBASE, 2);	/* 8 rows */
	lanes_fill(&in, 5);
	*vpm(8, 3) = 99;
	vpm_write_setup(&q->port, write_setup(2, false, true, 7, 1));
	assert_int_equal(vpm_write(m.sim, &q->port, &in), VPM_OK);
	assert_int_equal(v3dsim_read(m.sim, V3D_ERRSTAT), 0x1000);
	assert_int_equal(vpm_write(m.sim, &q->port, &in), VPM_OUTSIDE);
	assert_int_equal(*vpm(7, 3), 5);
	assert_int_equal(*vpm(8, 3), 99);
	assert_int_equal(V3D_GET(v3dsim_read(m.sim, V3D_ERRSTAT), ERRSTAT, VPMEWR), 1);
	vpm_read_setup(&q->port, read_setup(2, false, true, 8, 1, 1), 0);
	assert_int_equal(vpm_read(m.sim, &q->port, &out), VPM_OUTSIDE);
	assert_int_equal(out.lane[3], 99);
	assert_int_equal(V3D_GET(v3dsim_read(m.sim, V3D_ERRSTAT), ERRSTAT, VPMERR), 1);
}

static void run_idle(void)
{
	qb_end(&m.b);
	assert_int_equal(machine_run(&m), V3DSIM_IDLE);
	assert_int_equal(stat_of(&m, "broken_rules"), 0);
}

static void store_with(const struct v3d_vdw_setup *setup, unsigned int stride, bool block)
{
	struct v3d_vdw_setup s = *setup;
	const struct v3d_vdw_stride t = { .stride = stride, .blockmode = block, .id = 3 };

	s.id = 2;
	memset(at(&m, OUTPUT), 0xee, 0x20000);
	qb_setup(&m.b, QB_VW_SETUP, v3d_word_vdw_setup(&s));
	qb_setup(&m.b, QB_VW_SETUP, v3d_word_vdw_stride(&t));
	qb_emit(&m.b, qb_ldi(QB_VDW_ADDR, bus_of(OUTPUT)));
	qb_emit(&m.b, qb_mov(QB_NONE, QB_VDW_WAIT));
	run_idle();
}

static void store_horizontal(void **state)
{
	const struct v3d_vdw_setup s = { .x = 3, .y = 9, .horizontal = 1, .depth = 7, .units = 5 };

	(void)state;
	fill();
	store_with(&s, 12, false);	/* rows of 28 bytes, 40 apart */
	for (unsigned int r = 0; r < 5; r++) {
		for (unsigned int n = 0; n < 10; n++)
			assert_int_equal(at(&m, OUTPUT)[r * 10 + n],
					 n < 7 ? *vpm(9 + r, 3 + n) : 0xeeeeeeee);
	}
}

static void store_vertical(void **state)
{
	const struct v3d_vdw_setup s = { .x = 2, .y = 16, .depth = 16, .units = 4 };

	(void)state;
	fill();
	store_with(&s, 0, false);
	for (unsigned int r = 0; r < 4; r++)
		for (unsigned int n = 0; n < 16; n++)
			assert_int_equal(at(&m, OUTPUT)[r * 16 + n], *vpm(16 + n, 2 + r));
}

/* Byte @n of those that follow each other from a word on, along rows or down a column */
static uint8_t nth_byte(bool horizontal, unsigned int row, unsigned int column, unsigned int n)
{
	const unsigned int word = row * 16 + column + (horizontal ? 1 : 16) * (n / 4);

	return byte_of(word / 16, word % 16, n % 4);
}

/* Six rows of ten elements from byte @first of word 3 of row 4 on, in memory 4 bytes apart */
static void store_block(bool packed, bool horizontal, unsigned int modew, unsigned int bytes,
			unsigned int first)
{
	const struct v3d_vdw_setup s = {
		.modew = modew, .x = 3, .y = 4, .horizontal = horizontal, .depth = 10, .units = 6,
	};
	const uint8_t *out = (const uint8_t *)at(&m, OUTPUT);
	const unsigned int length = 10 * bytes;

	fill();
	m.sim->chip.set = (uint64_t)packed << V3D_CHIP_PACKED_BLOCKMODE;
	store_with(&s, 4, true);
	for (unsigned int r = 0; r < 6; r++) {
		const unsigned int row = 4 + (packed || !horizontal ? 0 : r);
		const unsigned int column = 3 + (packed || horizontal ? 0 : r);
		const unsigned int from = first + (packed ? r * length : 0);

		for (unsigned int n = 0; n < length; n++)
			assert_int_equal(out[n], nth_byte(horizontal, row, column, from + n));
		for (unsigned int n = 0; n < 4; n++)
			assert_int_equal(out[length + n], 0xee);
		out += length + 4;
	}
}

/* Both readings of BLOCKMODE, each width, rows and columns */
static void store_blocks(void **state)
{
	(void)state;
	for (unsigned int mode = 0; mode < 4; mode++) {
		const bool packed = mode & 1, horizontal = mode & 2;

		store_block(packed, horizontal, 0, 4, 0);
		store_block(packed, horizontal, 2, 2, 0);
		store_block(packed, horizontal, 3, 2, 2);
		for (unsigned int b = 0; b < 4; b++)
			store_block(packed, horizontal, 4 + b, 1, b);
	}
}

/* SW: what two published libraries store: the first words of 16 rows, with gaps or none */
static void store_published(void **state)
{
	const struct v3d_vdw_setup s = { .y = 8, .horizontal = 1, .depth = 1, .units = 16 };

	(void)state;
	fill();
	for (unsigned int stride = 0; stride <= 60; stride += 60) {
		store_with(&s, stride, true);
		for (unsigned int r = 0; r < 16; r++)
			assert_int_equal(at(&m, OUTPUT)[r * (4 + stride) / 4], *vpm(8 + r, 0));
		assert_int_equal(at(&m, OUTPUT)[15 * (4 + stride) / 4 + 1], 0xeeeeeeee);
	}
}

static bool beyond_rows(const struct v3d_vdw_setup *s, bool packed)
{
	m.sim->chip.set = (uint64_t)packed << V3D_CHIP_PACKED_BLOCKMODE;
	v3dsim_power(m.sim, false);
	v3dsim_power(m.sim, true);
	v3dsim_write(m.sim, V3D_VPMBASE, 16);
	store_with(s, 0, true);
	return V3D_GET(v3dsim_read(m.sim, V3D_ERRSTAT), ERRSTAT, VPMERR);
}

/* The reading decides which stores leave the 64 rows; ERRSTAT says so. */
static void store_block_beyond(void **state)
{
	const struct v3d_vdw_setup inside = { .y = 48, .horizontal = 1, .depth = 1, .units = 16 };
	const struct v3d_vdw_setup apart = { .y = 49, .horizontal = 1, .depth = 1, .units = 16 };
	const struct v3d_vdw_setup together = {
		.y = 59, .x = 13, .horizontal = 1, .depth = 17, .units = 4,
	};
	const struct v3d_vdw_setup column = { .y = 0, .depth = 33, .units = 2 };

	(void)state;
	assert_false(beyond_rows(&inside, false));
	assert_false(beyond_rows(&inside, true));
	assert_true(beyond_rows(&apart, false));
	assert_false(beyond_rows(&apart, true));
	assert_false(beyond_rows(&together, false));
	assert_true(beyond_rows(&together, true));
	assert_false(beyond_rows(&column, false));
	assert_true(beyond_rows(&column, true));
}

static void store_largest(void **state)
{
	/* 128 rows of 128 words; the VPM a user has ends at row 64 */
	const struct v3d_vdw_setup s = { .horizontal = 1 };

	(void)state;
	fill();
	memset(at(&m, OUTPUT), 0, 0x10000);
	qb_setup(&m.b, QB_VW_SETUP, v3d_word_vdw_setup(&s) | 2u << 30);
	qb_emit(&m.b, qb_ldi(QB_VDW_ADDR, bus_of(OUTPUT)));
	qb_emit(&m.b, qb_mov(QB_NONE, QB_VDW_WAIT));
	run_idle();
	assert_int_equal(at(&m, OUTPUT)[127], *vpm(0, 127));
	assert_int_equal(at(&m, OUTPUT)[55 * 128 + 127], *vpm(55, 127));
	assert_int_equal(V3D_GET(v3dsim_read(m.sim, V3D_ERRSTAT), ERRSTAT, VPMERR), 1);
}

static void store_narrow(void **state)
{
	const uint8_t *out = (const uint8_t *)at(&m, OUTPUT);

	(void)state;
	fill();
	for (unsigned int offset = 0; offset < 4; offset++) {
		const struct v3d_vdw_setup s = {
			.modew = 4 + offset, .x = 1, .y = 2, .horizontal = 1, .depth = 9, .units = 3
		};

		/* bytes follow each other from byte @offset of word 1 */
		store_with(&s, 0, false);
		for (unsigned int r = 0; r < 3; r++)
			for (unsigned int n = 0; n < 9; n++)
				assert_int_equal(out[r * 9 + n],
						 byte_of(2 + r, 1 + (n + offset) / 4,
							 (n + offset) % 4));
	}
	for (unsigned int offset = 0; offset < 2; offset++) {
		const struct v3d_vdw_setup s = {
			.modew = 2 + offset, .x = 5, .y = 16, .depth = 6, .units = 2
		};

		store_with(&s, 0, false);	/* half-words, down columns 5 and 6 */
		for (unsigned int r = 0; r < 2; r++) {
			for (unsigned int n = 0; n < 6; n++) {
				const unsigned int h = n + offset;

				assert_int_equal(out[(r * 6 + n) * 2],
						 byte_of(16 + h / 2, 5 + r, h % 2 * 2));
				assert_int_equal(out[(r * 6 + n) * 2 + 1],
						 byte_of(16 + h / 2, 5 + r, h % 2 * 2 + 1));
			}
		}
	}
}

static void load_with(const struct v3d_vdr_setup *setup, unsigned int pitch)
{
	struct v3d_vdr_setup s = *setup;
	const struct v3d_vdr_stride t = { .mpitchb = pitch, .id = 9 };

	s.id = 1;
	for (unsigned int n = 0; n < 0x4000; n++)
		at(&m, INPUT)[n] = n * 0x9e3779b1u;
	memset(vpm(0, 0), 0, sizeof(m.sim->qps->vpm.words));
	qb_setup(&m.b, QB_VR_SETUP, v3d_word_vdr_stride(&t));
	qb_setup(&m.b, QB_VR_SETUP, v3d_word_vdr_setup(&s));
	qb_emit(&m.b, qb_ldi(QB_VDR_ADDR, bus_of(INPUT)));
	qb_emit(&m.b, qb_mov(QB_NONE, QB_VDR_WAIT));
	run_idle();
}

static void load_horizontal(void **state)
{
	/* 32 bytes apart */
	const struct v3d_vdr_setup s = {
		.x = 2, .y = 5, .vpitch = 3, .nrows = 4, .rowlen = 7, .mpitch = 2
	};

	(void)state;
	load_with(&s, 0);
	for (unsigned int r = 0; r < 4; r++)
		for (unsigned int n = 0; n < 7; n++)
			assert_int_equal(*vpm(5 + 3 * r, 2 + n), at(&m, INPUT)[r * 8 + n]);
	assert_int_equal(*vpm(5, 9), 0);
	assert_int_equal(*vpm(6, 2), 0);
}

static void load_vertical(void **state)
{
	/*
	 * HW: VPITCH adds to Y in this orientation too; 12,288 bytes apart need 14 bits of MPITCHB
	 */
	const struct v3d_vdr_setup s = {
		.x = 4, .y = 0, .vertical = 1, .vpitch = 0, .nrows = 3, .rowlen = 0, .mpitch = 0
	};

	(void)state;
	load_with(&s, 12288);
	for (unsigned int r = 0; r < 3; r++)
		for (unsigned int n = 0; n < 16; n++)
			assert_int_equal(*vpm(16 * r + n, 4), at(&m, INPUT)[r * 3072 + n]);
}

static void load_bytes(void **state)
{
	/* 16 bytes apart */
	const struct v3d_vdr_setup s = {
		.modew = 4, .y = 2, .vpitch = 1, .nrows = 8, .rowlen = 0, .mpitch = 1
	};
	const uint8_t *in = (const uint8_t *)at(&m, INPUT);

	(void)state;
	/* VPITCH is added to {Y, B}: four rows of 16 bytes fill a row of the VPM */
	load_with(&s, 0);
	for (unsigned int n = 0; n < 128; n++)
		assert_int_equal(byte_of(2 + n / 64, n % 64 / 4, n % 4), in[n]);
}

static void load_halves(void **state)
{
	const struct v3d_vdr_setup s = {
		.modew = 3,
		.x = 1,
		.y = 32,
		.vertical = 1,
		.vpitch = 2,
		.nrows = 2,
		.rowlen = 0,
		.mpitch = 2,
	};

	(void)state;
	/* half-word selector 1: rows 8 to 15 of the column; VPITCH 2 is a Y */
	load_with(&s, 0);
	for (unsigned int n = 0; n < 8; n++) {
		if (n)
			assert_int_equal(*vpm(41 + n - 1, 1), at(&m, INPUT)[8 + n - 1]);
		else
			assert_int_equal(*vpm(40, 1), at(&m, INPUT)[0]);
	}
}

/*
 * Busy until the time has come; load and store side by side; a write to the address register waits
 * for the transfer before
 */
static void busy_and_both(void **state)
{
	(void)state;
	for (unsigned int n = 0; n < 256; n++)
		at(&m, INPUT)[n] = n;
	qb_setup(&m.b, QB_VR_SETUP, qb_word_vdr(16, 16));
	qb_setup(&m.b, QB_VW_SETUP, qb_word_vdw(0, 16));
	qb_emit(&m.b, qb_ldi(QB_VDR_ADDR, bus_of(INPUT)));
	qb_emit(&m.b, qb_ldi(QB_VDW_ADDR, bus_of(OUTPUT + 0x1000)));
	qb_emit(&m.b, qb_mov(QB_R0, QB_VDR_BUSY));
	qb_emit(&m.b, qb_mov(QB_R1, QB_VDW_BUSY));
	qb_emit(&m.b, qb_add(V3D_QPU_ADD_SHL, QB_R1, QB_R1, qb_imm(1)));
	qb_emit(&m.b, qb_add(V3D_QPU_ADD_OR, QB_R0, QB_R0, QB_R1));	/* 3: both */
	qb_emit(&m.b, qb_mov(QB_NONE, QB_VDR_WAIT));
	qb_emit(&m.b, qb_mov(QB_NONE, QB_VDW_WAIT));
	qb_emit(&m.b, qb_mov(QB_R1, QB_VDR_BUSY));
	qb_emit(&m.b, qb_mov(QB_R2, QB_VDW_BUSY));
	qb_emit(&m.b, qb_add(V3D_QPU_ADD_OR, QB_R1, QB_R1, QB_R2));	/* 0 */
	qb_write_row(&m.b, 0, QB_R0);
	qb_emit(&m.b, qb_mov(QB_VPM_WRITE, QB_R1));
	machine_store(&m, 0, 2, 0);
	qb_setup(&m.b, QB_VW_SETUP, qb_word_vdw(16, 16));
	qb_emit(&m.b, qb_ldi(QB_VDW_ADDR, bus_of(OUTPUT + 0x2000)));
	/* waits, and both happen; nothing waits for this one */
	qb_emit(&m.b, qb_ldi(QB_VDW_ADDR, bus_of(OUTPUT + 0x3000)));
	qb_nops(&m.b, 2);
	run_idle();
	assert_int_equal(at(&m, OUTPUT)[0], 3);
	assert_int_equal(at(&m, OUTPUT)[16], 0);
	assert_memory_equal(at(&m, OUTPUT + 0x2000), at(&m, INPUT), 1024);
	assert_memory_equal(at(&m, OUTPUT + 0x3000), at(&m, INPUT), 1024);
}

/* HW: a conditional write triggers the access all the same; the address comes from element 0 */
static void conditional_and_element_0(void **state)
{
	(void)state;
	fill();
	qb_setup(&m.b, QB_VW_SETUP, qb_word_vdw(0, 1));
	qb_emit(&m.b, qb_mov(QB_R0, QB_ELEMENT));
	qb_emit(&m.b, qb_ldi(QB_R1, bus_of(OUTPUT)));
	qb_emit(&m.b, qb_add(V3D_QPU_ADD_ADD, QB_R0, QB_R0, QB_R1));
	qb_emit(&m.b, qb_flags(qb_mov(QB_NONE, qb_imm(1))));
	qb_emit(&m.b, qb_if(V3D_QPU_COND_ZS, qb_mov(QB_VDW_ADDR, QB_R0)));
	qb_emit(&m.b, qb_mov(QB_NONE, QB_VDW_WAIT));
	run_idle();
	assert_memory_equal(at(&m, OUTPUT), vpm(0, 0), 64);
}

static void errors(void **state)
{
	struct v3dsim_fault fault;
	char text[512];

	(void)state;
	qb_emit(&m.b, qb_mov(QB_R0, QB_VPM_READ));
	qb_end(&m.b);
	assert_int_equal(machine_run(&m), V3DSIM_STALLED);
	qps_describe(m.sim, text, sizeof(text));
	assert_non_null(strstr(text, "waits for VPM data that was not set up"));
	v3dsim_power(m.sim, false);
	v3dsim_power(m.sim, true);
	v3dsim_write(m.sim, V3D_VPMBASE, 16);

	qb_setup(&m.b, QB_VW_SETUP, qb_word_vdw(0, 1));
	qb_emit(&m.b, qb_ldi(QB_VDW_ADDR, 0x123400));
	qb_emit(&m.b, qb_mov(QB_NONE, QB_VDW_WAIT));
	qb_end(&m.b);
	assert_int_equal(machine_run(&m), V3DSIM_FAULT);
	assert_true(v3dsim_fault(m.sim, &fault));
	assert_int_equal(fault.unit, V3DSIM_UNIT_VDW);
	assert_int_equal(fault.address, 0x123400);
}

static void early_and_unread(void **state)
{
	(void)state;
	qb_setup(&m.b, QB_VR_SETUP, qb_word_vpm_read(0, 2));
	qb_nops(&m.b, 2);
	qb_emit(&m.b, qb_mov(QB_R0, QB_VPM_READ));
	qb_end(&m.b);
	assert_int_equal(machine_run(&m), V3DSIM_IDLE);
	assert_int_equal(stat_of(&m, "broken_rules"), 2);
	assert_non_null(strstr(m.rule, "vpm_unread"));
	assert_false(vpm_readable(&m.sim->qps->qpu[11].port));	/* cancelled */
}

int main(void)
{
#define T(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
	const struct CMUnitTest tests[] = {
		T(reads), T(reads_by_hand), T(writes), T(wraps), T(setups_do_not_queue), T(window),
		T(store_horizontal),
		T(store_vertical), T(store_blocks), T(store_published), T(store_block_beyond),
		T(store_largest), T(store_narrow), T(load_horizontal), T(load_vertical),
		T(load_bytes), T(load_halves), T(busy_and_both), T(conditional_and_element_0),
		T(errors), T(early_and_unread),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
