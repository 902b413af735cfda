// SPDX-License-Identifier: MIT
/*
 * How many triangles of ten pixels a second one core takes from an index list to pixels in memory:
 * bins and renders a mesh that fills a frame, again and again, and prints M triangles/s. Not a
 * test.
 */
#include <stdio.h>

#include <v3dcl_qpu_build.h>

#include "chip.h"
#include "seconds.h"

#define SIZE 512		/* pixels each way */
#define COLUMNS 102		/* of pairs of triangles, 5 pixels wide */
#define ROWS 128		/* 4 high */
#define TILES (SIZE / 64)

#define SHADER (MEMORY + 0x10000)
#define VERTEX_CODE (MEMORY + 0x11000)
#define FRAGMENT_CODE (MEMORY + 0x12000)
#define UNIFORMS (MEMORY + 0x13000)
#define TILE_STATE (MEMORY + 0x18000)
#define INDICES (MEMORY + 0x20000)
#define VERTICES (MEMORY + 0x80000)
#define TILE_LISTS (MEMORY + 0x180000)
#define PIXELS (MEMORY + 0x300000)

static uint32_t bits_of(float value)
{
	uint32_t bits;

	memcpy(&bits, &value, sizeof(bits));
	return bits;
}

static void place(struct chip *chip, uint32_t addr, struct qb *b)
{
	if (b->failed)
		abort();
	chip_put(chip, addr, (const uint8_t *)b->code, b->count * sizeof(*b->code));
}

/*
 * As much arithmetic as a matrix times a position; what comes out are the attributes, from @first
 * on.
 */
static void vertex_shader(struct chip *chip, uint32_t addr, unsigned int first)
{
	uint64_t code[128];
	struct qb b;

	qb_init(&b, code, 128);
	qb_emit(&b, qb_ldi(QB_VW_SETUP, 0x1a00));
	qb_emit(&b, qb_ldi(QB_VR_SETUP, 0x1a00 | first | (7 - first) << 20));
	qb_nops(&b, 3);
	for (unsigned int n = 0; n < 16; n++) {
		qb_emit(&b, qb_mul(V3D_QPU_MUL_FMUL, QB_R0, QB_RA(n % 4), QB_UNIF_B));
		qb_emit(&b, qb_add(V3D_QPU_ADD_FADD, QB_R1, QB_R1, QB_R0));
	}
	for (unsigned int n = first; n < 7; n++)
		qb_emit(&b, qb_mov(QB_VPM_WRITE, QB_VPM_READ));
	qb_end(&b);
	place(chip, addr, &b);
}

static void fragment_shader(struct chip *chip)
{
	uint64_t code[16];
	struct qb b;

	qb_init(&b, code, 16);
	qb_nops(&b, 1);
	qb_emit(&b, qb_signal(V3D_QPU_SIG_WAIT_SCOREBOARD, qb_nop()));
	qb_emit(&b, qb_mov(QB_IO(V3D_QPU_W_TLB_Z), QB_RB(15)));
	qb_emit(&b, qb_mov(QB_IO(V3D_QPU_W_TLB_COLOUR_ALL), QB_UNIF));
	qb_end_fragment(&b);
	place(chip, FRAGMENT_CODE, &b);
}

/* Attributes as a coordinate shader hands them on; the vertex shader leaves the first four out. */
static void mesh(struct chip *chip)
{
	const struct v3d_gl_shader_record record = {
		.single_threaded = 1,
		.clipping = 1,
		.fs_code = FRAGMENT_CODE,
		.fs_uniforms = UNIFORMS,
		.vs_attributes = 1,
		.vs_code = VERTEX_CODE + 0x800,
		.vs_uniforms = UNIFORMS,
		.cs_attributes = 1,
		.cs_code = VERTEX_CODE,
		.cs_uniforms = UNIFORMS,
	};
	const struct v3d_attribute attribute = { .address = VERTICES, .size_minus_1 = 27,
						 .stride = 28 };
	uint8_t *index = chip_bytes(chip, INDICES);
	unsigned int n = 0;

	v3d_pack_gl_shader_record(chip_bytes(chip, SHADER), &record);
	v3d_pack_attribute(chip_bytes(chip, SHADER) + V3D_GL_SHADER_RECORD_LENGTH, &attribute);
	for (int y = 0; y <= ROWS; y++) {
		for (int x = 0; x <= COLUMNS; x++) {
			const int16_t xs = (5 * x - SIZE / 2) * 16, ys = (4 * y - SIZE / 2) * 16;
			const uint32_t words[7] = {
				bits_of(xs / (8.0f * SIZE)),
				bits_of(ys / (8.0f * SIZE)),
				0,
				bits_of(1),
				(uint16_t)xs | (uint32_t)ys << 16,
				bits_of(0.5f),
				bits_of(1),
			};

			memcpy(chip_bytes(chip, VERTICES + 28 * n++), words, sizeof(words));
		}
	}
	for (unsigned int pair = 0; pair < ROWS * COLUMNS; pair++) {
		const uint16_t corner = pair / COLUMNS * (COLUMNS + 1) + pair % COLUMNS,
			       above = corner + COLUMNS + 1;
		const uint16_t corners[6] = { corner, corner + 1, above,
					      above, corner + 1, above + 1 };

		memcpy(index + pair * sizeof(corners), corners, sizeof(corners));
	}
}

static void run(struct chip *chip, unsigned int thread)
{
	chip_start(chip, thread);
	while (v3dsim_run(chip->sim, 1000000) == V3DSIM_BUSY)
		continue;
	if (rd(chip, V3D_CTNCS(thread)) & V3D_MASK(CTCS, CTERR))
		abort();
}

static void bin(struct chip *chip)
{
	chip_list_at(chip, 0, MEMORY + 0x1000);
	LIST(chip, 0, 112, LE32(TILE_LISTS), LE32(PIXELS - TILE_LISTS), LE32(TILE_STATE), TILES,
	     TILES, 4 | 3 << 5);
	LIST(chip, 0, 6, 56, 0x12, 96, 3, 0x70, 0, 102, LE16(0), LE16(0), LE16(SIZE), LE16(SIZE));
	LIST(chip, 0, 103, LE16(SIZE / 2 * 16), LE16(SIZE / 2 * 16), 105, LE32(bits_of(SIZE * 8)),
	     LE32(bits_of(SIZE * 8)));
	LIST(chip, 0, 106, LE32(bits_of(0.5f)), LE32(bits_of(0.5f)), 64, LE32(SHADER | 1));
	LIST(chip, 0, 32, 0x14, LE32(6 * ROWS * COLUMNS), LE32(INDICES), LE32(0xffff), 4);
	run(chip, 0);
}

static void render(struct chip *chip)
{
	chip_list_at(chip, 1, MEMORY + 0x8000);
	LIST(chip, 1, 113, LE32(PIXELS), LE16(SIZE), LE16(SIZE), 4, 0);
	for (unsigned int tile = 0; tile < TILES * TILES; tile++) {
		LIST(chip, 1, 115, tile % TILES, tile / TILES, 17, LE32(TILE_LISTS + 32 * tile));
		LIST(chip, 1, tile == TILES * TILES - 1 ? 25 : 24);
	}
	run(chip, 1);
}

int main(int argc, char **argv)
{
	const unsigned int times = argc > 1 ? strtoul(argv[1], NULL, 0) : 20;
	const double triangles = 2.0 * ROWS * COLUMNS * times;
	struct chip *chip = chip_new(NULL);
	double start, binned = 0, rendered = 0;

	vertex_shader(chip, VERTEX_CODE, 0);
	vertex_shader(chip, VERTEX_CODE + 0x800, 4);
	fragment_shader(chip);
	*chip_bytes(chip, UNIFORMS) = 0xff;
	mesh(chip);
	for (unsigned int n = 0; n < times; n++) {
		start = cpu_seconds();
		bin(chip);
		binned += cpu_seconds() - start;
		start = cpu_seconds();
		render(chip);
		rendered += cpu_seconds() - start;
	}
	if (chip_word(chip, PIXELS + 4 * (SIZE * 100 + 100)) != 0xff)
		abort();
	printf("%-28s %7.2f M triangles/s\n", "bin", triangles / binned * 0.000001);
	printf("%-28s %7.2f M triangles/s\n", "render", triangles / rendered * 0.000001);
	printf("%-28s %7.2f M triangles/s\n", "bin and render",
	       triangles / (binned + rendered) * 0.000001);
	chip_free(chip);
	return 0;
}
