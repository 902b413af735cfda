// SPDX-License-Identifier: MIT
/*
 * DMA between the VPM and memory, AG100 Tables 34 to 37: which set-up words stay in the 64 rows,
 * and how many bytes a transfer spans, to the byte: with that many in the BO it is accepted, with
 * one less refused.
 */
#include "verify.h"

#include "vpm_dma.h"

struct transfer {
	struct v3d_vdw_setup vdw;
	struct v3d_vdr_setup vdr;
	uint32_t stride;	/* field of the stride word */
	bool block;
	uint32_t bytes;		/* 0: beyond the rows */
};

#define ROW .id = 2, .horizontal = 1
#define ROWS ROW, .units = 16
#define DOWN .id = 2
#define LOAD .id = 1
#define BLOCK .block = true

static void begin(const struct transfer *t, bool store)
{
	const struct v3d_vdw_stride vdw = { .stride = t->stride, .blockmode = t->block, .id = 3 };
	const struct v3d_vdr_stride vdr = { .mpitchb = t->stride, .id = 9 };

	start();
	qb_setup(&b, store ? QB_VW_SETUP : QB_VR_SETUP,
		 store ? v3d_word_vdw_stride(&vdw) : v3d_word_vdr_stride(&vdr));
	qb_setup(&b, store ? QB_VW_SETUP : QB_VR_SETUP,
		 store ? v3d_word_vdw_setup(&t->vdw) : v3d_word_vdr_setup(&t->vdr));
	E(qb_mov(store ? QB_VDW_ADDR : QB_VDR_ADDR, QB_UNIF))
	E(qb_mov(QB_NONE, store ? QB_VDW_WAIT : QB_VDR_WAIT))
}

static bool fits(bool store, uint32_t size)
{
	job_start(1);
	s.bos[BO_IN].size = size;
	job_reloc(0, BO_IN, 0, store ? DRM_V3DCL_RELOC_WRITE : DRM_V3DCL_RELOC_READ);
	return v3dcl_relocate(&s.job);
}

static void try_all(const struct transfer *transfers, uint32_t count, bool store)
{
	for (uint32_t i = 0; i < count; i++) {
		const struct transfer *t = &transfers[i];

		begin(t, store);
		if (!t->bytes) {
			qb_end(&b);
			assert_false(check());
			assert_refusal(&refusal, CODE, DMA_ROWS, 2 * 8);
			continue;
		}
		accepted();
		assert_true(fits(store, t->bytes));
		if (t->bytes > 1) {
			assert_false(fits(store, t->bytes - 1));
			assert_refusal(&s.job.refusal, UNIFORMS, ADDRESS_END, 0);
		}
	}
}

#define TRY(transfers, store) try_all(transfers, sizeof(transfers) / sizeof((transfers)[0]), store)

/*
 * Table 34: units rows of depth elements; MODEW 0: words, 2 and 3: halves, 4 to 7: bytes. Table 35:
 * bytes between rows
 */
TEST(test_stores)
{
	static const struct transfer transfers[] = {
		{ .vdw = { ROW, .units = 1, .depth = 16 }, .bytes = 64 },
		{ .vdw = { ROW, .units = 1, .depth = 1 }, .bytes = 4 },
		{ .vdw = { ROW, .units = 4, .depth = 16 }, .bytes = 256 },
		{ .vdw = { ROW, .units = 4, .depth = 16 }, .stride = 100, .bytes = 3 * 164 + 64 },
		{ .vdw = { ROW, .units = 2, .depth = 1 }, .stride = 0xffff, .bytes = 65539 + 4 },
		/* 0 is 128 */
		{ .vdw = { ROW, .units = 1, .depth = 0 }, .bytes = 512 },
		{ .vdw = { ROW, .units = 0, .depth = 1, .modew = 4 } },
		{ .vdw = { ROW, .units = 64, .depth = 16 }, .bytes = 4096 },
		{ .vdw = { ROW, .units = 65, .depth = 16 } },
		/* halves, bytes */
		{ .vdw = { ROW, .units = 3, .depth = 16, .modew = 2 },
		  .stride = 5,
		  .bytes = 2 * 37 + 32 },
		{ .vdw = { ROW, .units = 3, .depth = 5, .modew = 4 },
		  .stride = 5,
		  .bytes = 2 * 10 + 5 },
		{ .vdw = { ROW, .units = 1, .depth = 1, .modew = 7 }, .bytes = 1 },
		{ .vdw = { ROW, .units = 1, .depth = 1, .modew = 3 }, .bytes = 2 },
		/* the last row's end, past column 15 in the row after it */
		{ .vdw = { ROW, .units = 1, .depth = 16, .y = 63 }, .bytes = 64 },
		{ .vdw = { ROW, .units = 1, .depth = 15, .y = 63, .x = 1 }, .bytes = 60 },
		{ .vdw = { ROW, .units = 1, .depth = 16, .y = 63, .x = 1 } },
		{ .vdw = { ROW, .units = 1, .depth = 17, .y = 63 } },
		{ .vdw = { ROW, .units = 1, .depth = 17, .y = 62 }, .bytes = 68 },
		{ .vdw = { ROW, .units = 1, .depth = 1, .y = 64 } },
		{ .vdw = { ROW, .units = 2, .depth = 16, .y = 62 }, .bytes = 128 },
		{ .vdw = { ROW, .units = 2, .depth = 16, .y = 63 } },
		/* of halves, two fit a word; the second one of it is a half further */
		{ .vdw = { ROW, .units = 1, .depth = 32, .y = 63, .modew = 2 }, .bytes = 64 },
		{ .vdw = { ROW, .units = 1, .depth = 33, .y = 63, .modew = 2 } },
		{ .vdw = { ROW, .units = 1, .depth = 32, .y = 63, .modew = 3 } },
		{ .vdw = { ROW, .units = 1, .depth = 31, .y = 63, .modew = 3 }, .bytes = 62 },
		{ .vdw = { ROW, .units = 1, .depth = 61, .y = 63, .modew = 7 }, .bytes = 61 },
		{ .vdw = { ROW, .units = 1, .depth = 62, .y = 63, .modew = 7 } },
		{ .vdw = { ROW, .units = 1, .depth = 64, .y = 63, .modew = 4 }, .bytes = 64 },
		/* down a column, row after row a column further */
		{ .vdw = { DOWN, .units = 1, .depth = 64 }, .bytes = 256 },
		{ .vdw = { DOWN, .units = 1, .depth = 65 } },
		{ .vdw = { DOWN, .units = 1, .depth = 16, .y = 48 }, .bytes = 64 },
		{ .vdw = { DOWN, .units = 1, .depth = 16, .y = 49 } },
		{ .vdw = { DOWN, .units = 16, .depth = 1 }, .bytes = 64 },
		{ .vdw = { DOWN, .units = 17, .depth = 1 } },
		{ .vdw = { DOWN, .units = 1, .depth = 1, .x = 15 }, .bytes = 4 },
		{ .vdw = { DOWN, .units = 2, .depth = 1, .x = 15 } },
		{ .vdw = { DOWN, .units = 2, .depth = 1, .x = 14 }, .bytes = 8 },
		{ .vdw = { DOWN, .units = 1, .depth = 32, .y = 48, .modew = 2 }, .bytes = 64 },
		{ .vdw = { DOWN, .units = 1, .depth = 32, .y = 48, .modew = 3 } },
	};

	(void)state;
	TRY(transfers, true);
}

/*
 * BLOCKMODE, along rows: inside when the rows of memory follow each other in the VPM (Table 35),
 * and when each begins a row further on (SW: two published libraries)
 */
TEST(test_block_rows)
{
	static const struct transfer transfers[] = {
		/* the same either way */
		{ .vdw = { ROW, .units = 4, .depth = 16, .y = 60 }, BLOCK, .bytes = 256 },
		{ .vdw = { ROW, .units = 4, .depth = 16, .y = 61 }, BLOCK },
		{ .vdw = { ROW, .units = 4, .depth = 17, .y = 60 }, BLOCK },
		{ .vdw = { ROW, .units = 4, .depth = 16, .y = 60, .x = 1 }, BLOCK },
		/* what the libraries store: the first words of 16 rows; packed, one row has them */
		{ .vdw = { ROWS, .depth = 1, .y = 48 }, BLOCK, .bytes = 64 },
		{ .vdw = { ROWS, .depth = 1, .y = 49 }, BLOCK },
		{ .vdw = { ROWS, .depth = 1, .y = 63 }, BLOCK },
		{ .vdw = { ROWS, .depth = 1, .y = 48, .x = 15 }, BLOCK, .bytes = 64 },
		{ .vdw = { ROWS, .depth = 2, .y = 48, .x = 15 }, BLOCK },
		{ .vdw = { ROWS, .depth = 4, .y = 60 }, BLOCK },
		{ .vdw = { ROWS, .depth = 4, .y = 48 }, .stride = 8, BLOCK, .bytes = 376 },
		{ .vdw = { ROW, .units = 64, .depth = 1 }, BLOCK, .bytes = 256 },
		{ .vdw = { ROW, .units = 65, .depth = 1 }, BLOCK },
		{ .vdw = { ROW, .units = 0, .depth = 1 }, BLOCK },
		/* rows of more than 16 words are longer when packed */
		{ .vdw = { ROW, .units = 4, .depth = 17, .y = 59, .x = 12 }, BLOCK, .bytes = 272 },
		{ .vdw = { ROW, .units = 4, .depth = 17, .y = 59, .x = 13 }, BLOCK },
		{ .vdw = { ROW, .units = 4, .depth = 17, .y = 59, .x = 13 }, .bytes = 272 },
		{ .vdw = { ROW, .units = 8, .depth = 0 }, BLOCK, .bytes = 4096 },
		{ .vdw = { ROW, .units = 9, .depth = 0 }, BLOCK },
		{ .vdw = { ROW, .units = 9, .depth = 0 }, .bytes = 4608 },
		/* halves */
		{ .vdw = { ROWS, .depth = 1, .y = 48, .modew = 3 }, BLOCK, .bytes = 32 },
		{ .vdw = { ROWS, .depth = 1, .y = 49, .modew = 2 }, BLOCK },
		{ .vdw = { ROWS, .depth = 32, .y = 48, .modew = 2 }, BLOCK, .bytes = 1024 },
		{ .vdw = { ROWS, .depth = 32, .y = 48, .modew = 3 }, BLOCK },
		{ .vdw = { ROWS, .depth = 0, .modew = 2 }, BLOCK, .bytes = 4096 },
		{ .vdw = { ROWS, .depth = 0, .modew = 3 }, BLOCK },
		{ .vdw = { ROWS, .depth = 0, .modew = 3 }, .bytes = 4096 },
		/* bytes */
		{ .vdw = { ROWS, .depth = 1, .y = 48, .modew = 7 }, BLOCK, .bytes = 16 },
		{ .vdw = { ROWS, .depth = 1, .y = 49, .modew = 4 }, BLOCK },
		{ .vdw = { ROWS, .depth = 2, .y = 48, .x = 15, .modew = 7 }, BLOCK },
		{ .vdw = { ROW, .units = 32, .depth = 0, .modew = 4 }, BLOCK, .bytes = 4096 },
		{ .vdw = { ROW, .units = 32, .depth = 0, .modew = 5 }, BLOCK },
		{ .vdw = { ROW, .units = 33, .depth = 0, .modew = 4 }, BLOCK },
		{ .vdw = { ROW, .units = 33, .depth = 0, .modew = 4 }, .bytes = 4224 },
	};

	(void)state;
	TRY(transfers, true);
}

/* The same down columns */
TEST(test_block_columns)
{
	static const struct transfer transfers[] = {
		/* together too long for a column, with a column each they are not */
		{ .vdw = { DOWN, .units = 2, .depth = 32 }, BLOCK, .bytes = 256 },
		{ .vdw = { DOWN, .units = 2, .depth = 33 }, BLOCK },
		{ .vdw = { DOWN, .units = 2, .depth = 33 }, .bytes = 264 },
		{ .vdw = { DOWN, .units = 4, .depth = 4, .y = 48 }, BLOCK, .bytes = 64 },
		{ .vdw = { DOWN, .units = 4, .depth = 4, .y = 49 }, BLOCK },
		/* and the other way round */
		{ .vdw = { DOWN, .units = 16, .depth = 4 }, BLOCK, .bytes = 256 },
		{ .vdw = { DOWN, .units = 17, .depth = 3 }, BLOCK },
		{ .vdw = { DOWN, .units = 16, .depth = 3, .x = 1 }, BLOCK },
		{ .vdw = { DOWN, .units = 1, .depth = 64, .x = 15 }, BLOCK, .bytes = 256 },
		{ .vdw = { DOWN, .units = 2, .depth = 1, .x = 15 }, BLOCK },
		{ .vdw = { DOWN, .units = 2, .depth = 1, .x = 14 }, BLOCK, .bytes = 8 },
		/* halves, bytes */
		{ .vdw = { DOWN, .units = 16, .depth = 8, .modew = 2 }, BLOCK, .bytes = 256 },
		{ .vdw = { DOWN, .units = 16, .depth = 8, .modew = 3 }, BLOCK },
		{ .vdw = { DOWN, .units = 16, .depth = 8, .modew = 3 }, .bytes = 256 },
		{ .vdw = { DOWN, .units = 17, .depth = 1, .modew = 2 }, BLOCK },
		{ .vdw = { DOWN, .units = 16, .depth = 16, .modew = 4 }, BLOCK, .bytes = 256 },
		{ .vdw = { DOWN, .units = 16, .depth = 16, .modew = 5 }, BLOCK },
		{ .vdw = { DOWN, .units = 16, .depth = 15, .modew = 5 }, BLOCK, .bytes = 240 },
		{ .vdw = { DOWN, .units = 15, .depth = 17, .modew = 6 }, BLOCK },
		/* 256 bytes, but if each row begins a word, 5 words a row */
		{ .vdw = { DOWN, .units = 15, .depth = 17, .modew = 5 }, BLOCK },
		{ .vdw = { DOWN, .units = 17, .depth = 1, .modew = 4 }, BLOCK },
	};

	(void)state;
	TRY(transfers, true);
}

static const struct transfer loads[] = {
	{ .vdr = { LOAD, .nrows = 1, .rowlen = 1, .vpitch = 1, .mpitch = 3 }, .bytes = 4 },
	{ .vdr = { LOAD, .nrows = 1, .vpitch = 1, .mpitch = 3 }, .bytes = 64 },
	{ .vdr = { LOAD, .nrows = 3, .rowlen = 5, .vpitch = 1, .mpitch = 3 },
	  .bytes = 2 * 64 + 20 },
	{ .vdr = { LOAD, .nrows = 3, .rowlen = 5, .vpitch = 1, .mpitch = 1 },
	  .bytes = 2 * 16 + 20 },
	{ .vdr = { LOAD, .nrows = 2, .rowlen = 1, .vpitch = 1, .mpitch = 15 },
	  .bytes = 262144 + 4 },
	{ .vdr = { LOAD, .nrows = 3, .rowlen = 5, .vpitch = 1 },
	  .stride = 7,
	  .bytes = 2 * 7 + 20 },
	{ .vdr = { LOAD, .nrows = 2, .rowlen = 1, .vpitch = 1 },
	  .stride = 0x3fff,
	  .bytes = 0x3fff + 4 },
	{ .vdr = { LOAD, .nrows = 0, .rowlen = 16 % 16, .vpitch = 1, .mpitch = 4 },
	  .bytes = 15 * 128 + 64 },
	{ .vdr = { LOAD, .nrows = 2, .rowlen = 3, .vpitch = 1, .mpitch = 2, .modew = 2 },
	  .bytes = 32 + 6 },
	{ .vdr = { LOAD, .nrows = 2, .rowlen = 3, .vpitch = 1, .mpitch = 2, .modew = 5 },
	  .bytes = 32 + 3 },
	/* rows 0 to 63; vpitch rows further each, 0 is 16 */
	{ .vdr = { LOAD, .nrows = 1, .vpitch = 1, .mpitch = 3, .y = 63 }, .bytes = 64 },
	{ .vdr = { LOAD, .nrows = 1, .rowlen = 15, .vpitch = 1, .mpitch = 3, .y = 63,
		   .x = 1 },
	  .bytes = 60 },
	{ .vdr = { LOAD, .nrows = 1, .vpitch = 1, .mpitch = 3, .y = 63, .x = 1 } },
	{ .vdr = { LOAD, .nrows = 1, .rowlen = 1, .vpitch = 1, .mpitch = 3, .y = 64 } },
	{ .vdr = { LOAD, .nrows = 0, .vpitch = 1, .mpitch = 3, .y = 48 }, .bytes = 1024 },
	{ .vdr = { LOAD, .nrows = 0, .vpitch = 1, .mpitch = 3, .y = 49 } },
	{ .vdr = { LOAD, .nrows = 4, .vpitch = 0, .mpitch = 3, .y = 15 }, .bytes = 256 },
	{ .vdr = { LOAD, .nrows = 4, .vpitch = 0, .mpitch = 3, .y = 16 } },
	{ .vdr = { LOAD, .nrows = 4, .vpitch = 5, .mpitch = 3, .y = 48 }, .bytes = 256 },
	{ .vdr = { LOAD, .nrows = 4, .vpitch = 5, .mpitch = 3, .y = 49 } },
	/* halves: vpitch counts half rows, the second half of a word is one further */
	{ .vdr = { LOAD, .nrows = 2, .vpitch = 1, .mpitch = 3, .y = 63, .modew = 2 },
	  .bytes = 64 + 32 },
	{ .vdr = { LOAD, .nrows = 3, .vpitch = 1, .mpitch = 3, .y = 63, .modew = 2 } },
	{ .vdr = { LOAD, .nrows = 1, .vpitch = 1, .mpitch = 3, .y = 63, .modew = 3 },
	  .bytes = 32 },
	{ .vdr = { LOAD, .nrows = 2, .vpitch = 1, .mpitch = 3, .y = 63, .modew = 3 } },
	{ .vdr = { LOAD, .nrows = 1, .vpitch = 1, .mpitch = 3, .y = 63, .x = 8,
		   .modew = 2 },
	  .bytes = 32 },
	{ .vdr = { LOAD, .nrows = 1, .vpitch = 1, .mpitch = 3, .y = 63, .x = 9,
		   .modew = 2 } },
	{ .vdr = { LOAD, .nrows = 1, .rowlen = 15, .vpitch = 1, .mpitch = 3, .y = 63,
		   .x = 9, .modew = 2 } },
	{ .vdr = { LOAD, .nrows = 1, .rowlen = 14, .vpitch = 1, .mpitch = 3, .y = 63,
		   .x = 9, .modew = 2 },
	  .bytes = 28 },
	/* bytes: quarters of rows */
	{ .vdr = { LOAD, .nrows = 4, .vpitch = 1, .mpitch = 3, .y = 63, .modew = 4 },
	  .bytes = 3 * 64 + 16 },
	{ .vdr = { LOAD, .nrows = 5, .vpitch = 1, .mpitch = 3, .y = 63, .modew = 4 } },
	{ .vdr = { LOAD, .nrows = 1, .vpitch = 1, .mpitch = 3, .y = 63, .modew = 7 },
	  .bytes = 16 },
	{ .vdr = { LOAD, .nrows = 2, .vpitch = 1, .mpitch = 3, .y = 63, .modew = 7 } },
	/* down a column */
	{ .vdr = { LOAD, .vertical = 1, .nrows = 1, .vpitch = 1, .mpitch = 3, .y = 48,
		   .x = 15 },
	  .bytes = 64 },
	{ .vdr = { LOAD, .vertical = 1, .nrows = 1, .vpitch = 1, .mpitch = 3, .y = 49 } },
	{ .vdr = { LOAD, .vertical = 1, .nrows = 1, .rowlen = 1, .vpitch = 1, .mpitch = 3,
		   .y = 63 },
	  .bytes = 4 },
	{ .vdr = { LOAD, .vertical = 1, .nrows = 2, .vpitch = 1, .mpitch = 3, .y = 47 },
	  .bytes = 128 },
	{ .vdr = { LOAD, .vertical = 1, .nrows = 2, .vpitch = 1, .mpitch = 3, .y = 48 } },
	{ .vdr = { LOAD, .vertical = 1, .nrows = 2, .vpitch = 0, .mpitch = 3, .y = 32 },
	  .bytes = 128 },
	{ .vdr = { LOAD, .vertical = 1, .nrows = 2, .vpitch = 0, .mpitch = 3, .y = 33 } },
	{ .vdr = { LOAD, .vertical = 1, .nrows = 1, .vpitch = 1, .mpitch = 3, .y = 56,
		   .modew = 2 },
	  .bytes = 32 },
	{ .vdr = { LOAD, .vertical = 1, .nrows = 1, .vpitch = 1, .mpitch = 3, .y = 57,
		   .modew = 2 } },
	{ .vdr = { LOAD, .vertical = 1, .nrows = 1, .vpitch = 1, .mpitch = 3, .y = 48,
		   .modew = 3 },
	  .bytes = 32 },
	{ .vdr = { LOAD, .vertical = 1, .nrows = 1, .vpitch = 1, .mpitch = 3, .y = 49,
		   .modew = 3 } },
};

/*
 * Table 36: nrows rows of rowlen elements, 0 is 16; the next one 8 << mpitch bytes further, or
 * mpitchb of Table 37
 */
TEST(test_loads)
{
	(void)state;
	TRY(loads, false);
}

/*
 * Words that are none of these: reserved modes, LANED, bits that have no name, a load without a
 * stride word that needs one
 */
TEST(test_words)
{
	const struct v3d_vdw_setup vdw = { ROW, .units = 1, .depth = 1 };
	const struct v3d_vdr_setup vdr = { LOAD, .nrows = 1, .rowlen = 1, .vpitch = 1,
					   .mpitch = 1 };
	struct v3d_vdw_setup bad_vdw = vdw;
	struct v3d_vdr_setup bad_vdr = vdr;
	const uint32_t reserved = 1u << 20;

	(void)state;
	bad_vdw.laned = 1;
	begin(&(struct transfer){ .vdw = bad_vdw }, true);
	qb_end(&b);
	assert_false(check());
	assert_refusal(&refusal, CODE, SETUP_WORD, 2 * 8);
	bad_vdw = vdw;
	bad_vdw.modew = 1;
	begin(&(struct transfer){ .vdw = bad_vdw }, true);
	qb_end(&b);
	assert_false(check());
	assert_refusal(&refusal, CODE, SETUP_WORD, 2 * 8);
	/* Table 35 and 37: bits without a name */
	BROKEN(SETUP_WORD, 2, qb_setup(&b, QB_VW_SETUP, v3d_word_vdw_setup(&vdw));
	       qb_setup(&b, QB_VW_SETUP, qb_word_vdw_stride(0) | reserved);
	       E(qb_mov(QB_VDW_ADDR, QB_UNIF)));
	bad_vdr.mpitch = 0;
	BROKEN(SETUP_WORD, 2, qb_setup(&b, QB_VR_SETUP, v3d_word_vdr_setup(&bad_vdr));
	       qb_setup(&b, QB_VR_SETUP,
			v3d_word_vdr_stride(&(struct v3d_vdr_stride){ .id = 9 }) | reserved);
	       E(qb_mov(QB_VDR_ADDR, QB_UNIF)));
	BROKEN(SETUP_MISSING, 1, qb_setup(&b, QB_VR_SETUP, v3d_word_vdr_setup(&bad_vdr));
	       E(qb_mov(QB_VDR_ADDR, QB_UNIF)));
	/* A stride word alone, of either kind */
	BROKEN(SETUP_MISSING, 1, qb_setup(&b, QB_VW_SETUP, qb_word_vdw_stride(0));
	       E(qb_mov(QB_VDW_ADDR, QB_UNIF)));
	BROKEN(SETUP_MISSING, 1,
	       qb_setup(&b, QB_VR_SETUP, v3d_word_vdr_stride(&(struct v3d_vdr_stride){ .id = 9 }));
	       E(qb_mov(QB_VDR_ADDR, QB_UNIF)));
	/*
	 * With a pitch of its own a load needs none, and a word that it does not look at may be
	 * anything.
	 */
	start();
	qb_setup(&b, QB_VR_SETUP, v3d_word_vdr_setup(&vdr));
	E(qb_mov(QB_VDR_ADDR, QB_UNIF))
	E(qb_mov(QB_NONE, QB_VDR_WAIT))
	qb_setup(&b, QB_VR_SETUP,
		 v3d_word_vdr_stride(&(struct v3d_vdr_stride){ .id = 9 }) | reserved);
	E(qb_mov(QB_VDR_ADDR, QB_UNIF))
	E(qb_mov(QB_NONE, QB_VDR_WAIT))
	accepted();
}

static uint32_t rule_between(bool store, uint32_t first, uint32_t last, uint32_t stride)
{
	const struct v3dcl_dma dma = {
		.store = store, .first = first, .last = last, .stride = stride,
	};

	return v3dcl_dma_rule(&dma);
}

static uint32_t rule_of(bool store, uint32_t setup, uint32_t stride)
{
	return rule_between(store, setup, setup, stride);
}

/* Words between two that differ in more than the address, or of which the first is greater: none */
TEST(test_between)
{
	const struct v3d_vdw_setup store = { ROW, .units = 1, .depth = 1 };
	const struct v3d_vdr_setup load = { LOAD, .nrows = 1, .rowlen = 1 };
	const uint32_t vdw = v3d_word_vdw_setup(&store), vdr = v3d_word_vdr_setup(&load);

	(void)state;
	assert_int_equal(rule_between(true, vdw, vdw + (3 << 3), 0xc0000000), 0);
	assert_int_equal(rule_between(true, vdw + 8, vdw, 0xc0000000), V3DCL_RULE_SETUP_WORD);
	assert_int_equal(rule_between(true, vdw, vdw + (1 << 16), 0xc0000000),
			 V3DCL_RULE_SETUP_WORD);
	assert_int_equal(rule_between(false, vdr, vdr + 3, 0x90000000), 0);
	assert_int_equal(rule_between(false, vdr + 1, vdr, 0x90000000), V3DCL_RULE_SETUP_WORD);
	assert_int_equal(rule_between(false, vdr, vdr + (1 << 20), 0x90000000),
			 V3DCL_RULE_SETUP_WORD);
}

/*
 * Asked by itself, without the analysis that keeps words by their kind: the first bits of Tables 34
 * to 37 say what a word is.
 */
TEST(test_kinds)
{
	const struct v3d_vdw_setup store = { ROW, .units = 1, .depth = 1 };
	const struct v3d_vdr_setup load = { LOAD, .nrows = 1, .rowlen = 1, .vpitch = 1 };
	const uint32_t vdw = v3d_word_vdw_setup(&store), vdr = v3d_word_vdr_setup(&load);

	(void)state;
	assert_int_equal(vdw >> 30, 2);
	assert_int_equal(vdr >> 28, 8);
	for (uint32_t id = 0; id < 4; id++) {
		assert_int_equal(rule_of(true, (vdw & 0x3fffffff) | id << 30, 0xc0000000),
				 id == 2 ? 0 : V3DCL_RULE_SETUP_WORD);
		assert_int_equal(rule_of(true, vdw, id << 30), id == 3 ? 0 : V3DCL_RULE_SETUP_WORD);
	}
	/* with MODEW 1 it is a stride word */
	for (uint32_t top = 0; top < 16; top++) {
		assert_int_equal(rule_of(false, (vdr & 0x0fffffff) | top << 28, 0x90000000),
				 top >= 8 && top != 9 ? 0 : V3DCL_RULE_SETUP_WORD);
		assert_int_equal(rule_of(false, vdr, top << 28),
				 top == 9 ? 0 : V3DCL_RULE_SETUP_WORD);
	}
}

/*
 * Where a row of memory begins: a row or column further on, behind the last one, with the next word
 */
enum reading { APART, PACKED, PACKED_WORDS };

/* Element by element: does a store under this reading stay in rows 0 to 63 and columns 0 to 15? */
static bool counted_inside(const struct v3d_vdw_setup *setup, enum reading reading)
{
	const uint32_t log = setup->modew >= 4 ? 2 : setup->modew / 2;
	const uint32_t sub = setup->modew & ((1u << log) - 1);
	const uint32_t rows = setup->units ? setup->units : 128;
	const uint32_t length = setup->depth ? setup->depth : 128;
	const uint32_t words = ((sub + length - 1) >> log) + 1;

	for (uint32_t r = 0; r < rows; r++) {
		for (uint32_t n = 0; n < length; n++) {
			const uint32_t word = ((sub + n + (reading == PACKED ? r * length : 0)) >>
					       log) +
					      (reading == PACKED_WORDS ? r * words : 0);
			const uint32_t further = reading == APART ? r : 0;
			uint32_t y = setup->y + further, x = setup->x + word;

			if (!setup->horizontal) {
				y = setup->y + word;
				x = setup->x + further;
				if (x >= 16)
					return false;
			}
			if (y + x / 16 >= 64)
				return false;
		}
	}
	return true;
}

/* Set-up words at random: accepted are those that are inside when counted, with and without it */
TEST(test_block_counted)
{
	uint32_t accepted_words[2] = { 0 }, differ[2] = { 0 };
	const uint32_t stride = qb_word_vdw_stride(0);
	uint64_t seed = 1;

	(void)state;
	for (uint32_t i = 0; i < 20000; i++) {
		struct v3d_vdw_setup setup = { .id = 2 };
		bool apart, packed;
		uint32_t word;

		seed = seed * 6364136223846793005u + 1442695040888963407u;
		setup.horizontal = seed >> 63;
		setup.y = seed >> 56 & (seed >> 55 & 1 ? 15 : 63);
		setup.x = seed >> 49 & (seed >> 48 & 1 ? 3 : 15);
		setup.units = seed >> 40 & (seed >> 47 & 1 ? 127 : 31);
		setup.depth = seed >> 32 & (seed >> 39 & 1 ? 127 : 15);
		setup.modew = seed >> 29 & 7;
		if (setup.modew == 1)
			continue;
		word = v3d_word_vdw_setup(&setup);
		apart = counted_inside(&setup, APART);
		packed = counted_inside(&setup, PACKED) && counted_inside(&setup, PACKED_WORDS);
		assert_int_equal(rule_of(true, word, stride), apart ? 0 : V3DCL_RULE_DMA_ROWS);
		assert_int_equal(rule_of(true, word, stride | 1 << 16),
				 apart && packed ? 0 : V3DCL_RULE_DMA_ROWS);
		accepted_words[setup.horizontal] += apart && packed;
		differ[setup.horizontal] += apart != packed;
	}
	/* enough of each kind for that to mean something */
	for (uint32_t horizontal = 0; horizontal < 2; horizontal++) {
		assert_true(accepted_words[horizontal] > 500);
		assert_true(differ[horizontal] > 500);
	}
}

#define ROW16 ROW, .units = 16, .depth = 1
#define ROW8 ROW, .units = 8, .depth = 0
#define DOWN1 DOWN, .units = 1, .depth = 1
#define DOWN2 DOWN, .units = 2, .depth = 1

/* Of an address that may be any of some, each must be inside; what differs in Y may have any X. */
TEST(test_block_ranges)
{
	static const struct {
		struct v3d_vdw_setup first, last;
		bool inside;
	} ranges[] = {
		{ { ROW16 }, { ROW16, .y = 48, .x = 15 }, true },
		{ { ROW16 }, { ROW16, .y = 49 }, false },
		{ { ROW8 }, { ROW8 }, true },
		{ { ROW8 }, { ROW8, .x = 1 }, false },
		{ { DOWN2 }, { DOWN2, .x = 14 }, true },
		{ { DOWN2 }, { DOWN2, .x = 15 }, false },
		{ { DOWN2 }, { DOWN2, .y = 1 }, false },
		{ { DOWN1 }, { DOWN1, .y = 63, .x = 15 }, true },
		{ { DOWN1 }, { DOWN1, .y = 64 }, false },
		{ { DOWN2, .y = 62 }, { DOWN2, .y = 62, .x = 9 }, true },
		{ { DOWN2, .y = 63 }, { DOWN2, .y = 63, .x = 9 }, false },
	};

	(void)state;
	for (uint32_t i = 0; i < sizeof(ranges) / sizeof(ranges[0]); i++) {
		const struct v3dcl_dma dma = {
			.store = true, .first = v3d_word_vdw_setup(&ranges[i].first),
			.last = v3d_word_vdw_setup(&ranges[i].last),
			.stride = qb_word_vdw_stride(0) | 1 << 16,
		};

		assert_int_equal(v3dcl_dma_rule(&dma), ranges[i].inside ? 0 : V3DCL_RULE_DMA_ROWS);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_stores), cmocka_unit_test(test_loads),
		cmocka_unit_test(test_words), cmocka_unit_test(test_kinds),
		cmocka_unit_test(test_block_rows), cmocka_unit_test(test_between),
		cmocka_unit_test(test_block_columns), cmocka_unit_test(test_block_counted),
		cmocka_unit_test(test_block_ranges),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests_name("vpm_dma", tests, NULL, NULL);
}
