// SPDX-License-Identifier: MIT
/*
 * How many pixels a second one core shades: prints M pixels/s for a square over a whole tile, again
 * and again; and how many threads shade in whole frames, by the clock on the wall. Not a test.
 */
#include <stdio.h>

#include <v3dcl_qpu_build.h>

#include "chip.h"
#include "seconds.h"

#define CODE (MEMORY + 0x10000)
#define UNIFORMS (MEMORY + 0x20000)
#define TILE 64

#define SHADER (MEMORY + 0x28000)
#define VERTICES (MEMORY + 0x29000)
#define FRAME (MEMORY + 0x100000)
#define TILES 8		/* of a frame, each way */
#define SQUARES 8	/* over each other */

static struct v3d_qpu_inst interpolate(uint16_t to)
{
	return qb_mul(V3D_QPU_MUL_FMUL, to, QB_RA(15), QB_RB(V3D_QPU_R_VARYING));
}

static struct v3d_qpu_inst to_byte(uint16_t from, unsigned int byte)
{
	return qb_pack(4 + byte, true, qb_mul(V3D_QPU_MUL_FMUL, QB_R3, from, qb_imm_float(0)));
}

static struct v3d_qpu_inst write_color(uint16_t from)
{
	return qb_mov(QB_IO(V3D_QPU_W_TLB_COLOUR_ALL), from);
}

static void z_and_scoreboard(struct qb *b)
{
	qb_emit(b, qb_nop());
	qb_emit(b, qb_signal(V3D_QPU_SIG_WAIT_SCOREBOARD, qb_nop()));
	qb_emit(b, qb_mov(QB_IO(V3D_QPU_W_TLB_Z), QB_RB(15)));
}

static void flat(struct qb *b)
{
	z_and_scoreboard(b);
	qb_emit(b, write_color(QB_UNIF));
	qb_end_fragment(b);
}

static void gouraud(struct qb *b)
{
	qb_emit(b, interpolate(QB_R0));
	qb_emit(b, qb_both(qb_add(V3D_QPU_ADD_FADD, QB_R0, QB_R0, QB_R5), interpolate(QB_R1)));
	qb_emit(b, qb_both(qb_add(V3D_QPU_ADD_FADD, QB_R1, QB_R1, QB_R5), interpolate(QB_R2)));
	qb_emit(b, qb_both(qb_add(V3D_QPU_ADD_FADD, QB_R2, QB_R2, QB_R5), interpolate(QB_RA(1))));
	qb_emit(b, to_byte(QB_R0, 0));
	qb_emit(b, qb_add(V3D_QPU_ADD_FADD, QB_R0, QB_RA(1), QB_R5));
	qb_emit(b, to_byte(QB_R1, 1));
	qb_emit(b, to_byte(QB_R2, 2));
	qb_emit(b, to_byte(QB_R0, 3));
	z_and_scoreboard(b);
	qb_emit(b, write_color(QB_R3));
	qb_end_fragment(b);
}

/* Bilinear, from a texture of 64 x 64 texels of which there is one a pixel, half a texel aside */
static void textured(struct qb *b)
{
	qb_emit(b, interpolate(QB_R0));
	qb_emit(b, qb_both(qb_add(V3D_QPU_ADD_FADD, QB_R0, QB_R0, QB_R5), interpolate(QB_R1)));
	qb_emit(b, qb_add(V3D_QPU_ADD_FADD, QB_IO(V3D_QPU_W_TMU0_T), QB_R1, QB_R5));
	qb_emit(b, qb_mov(QB_TMU0_S, QB_R0));
	z_and_scoreboard(b);
	qb_emit(b, qb_signal(V3D_QPU_SIG_LOAD_TMU0, qb_nop()));
	qb_emit(b, write_color(QB_R4));
	qb_end_fragment(b);
}

/*
 * A texture with something in it, and its parameters as uniforms: 64 x 64 RGBA8888, linear,
 * repeating
 */
static void put_texture(struct chip *chip)
{
	static const uint8_t parameters[] = { LE32(MEMORY + 0x30000), LE32(64 << 20 | 64 << 8) };

	for (unsigned int n = 0; n < 64 * 64 * 4; n++)
		*chip_bytes(chip, MEMORY + 0x30000 + n) = n * 37 >> 2;
	chip_put(chip, UNIFORMS, parameters, sizeof(parameters));
}

/* A square over the tile, as two triangles, @times */
static void bench(const char *name, void (*shader)(struct qb *b), unsigned int varyings,
		  unsigned int times)
{
	static const int16_t corner[4][2] = {
		{ 0, 0 }, { TILE * 16, 0 }, { 0, TILE * 16 }, { TILE * 16, TILE * 16 }
	};
	static const uint8_t configuration[] = { 96, 3, 0xf0, 0 };
	static struct vertex vertex[4];
	struct chip *chip = chip_new(NULL);
	struct primitive_shader fragment = { .code = CODE, .uniforms = UNIFORMS,
					     .varyings = varyings };
	struct primitive primitive = { .kind = V3D_LIST_TRIANGLES, .provoking = 2,
				       .shader = &fragment };
	uint64_t code[64];
	struct qb b;
	double start, took;

	qb_init(&b, code, 64);
	shader(&b);
	chip_put(chip, CODE, (const uint8_t *)code, b.count * sizeof(*code));
	put_texture(chip);
	memcpy(chip->sim->cle->threads[1].state.record[CLE_CONFIGURATION], configuration,
	       sizeof(configuration));
	chip->sim->tlb->mode.width = chip->sim->tlb->mode.height = TILE;
	for (unsigned int n = 0; n < 4; n++) {
		vertex[n] = (struct vertex){
			.xs = corner[n][0], .ys = corner[n][1], .zs = 0.5f, .one_over_wc = 1
		};
		for (unsigned int i = 0; i < varyings; i++)
			vertex[n].varying[i] = corner[n][i & 1] ? 1.0078125f : 0.0078125f;
	}
	start = cpu_seconds();
	for (unsigned int n = 0; n < 2 * times; n++) {
		uint64_t budget = 1000000;

		for (unsigned int i = 0; i < 3; i++)
			primitive.vertex[i] = &vertex[n % 2 + i];
		pthread_mutex_lock(&chip->sim->lock);
		if (pse_primitive(chip->sim, &primitive, &budget) != SIM_DONE)
			abort();
		pthread_mutex_unlock(&chip->sim->lock);
	}
	took = cpu_seconds() - start;
	printf("%-28s %7.1f M pixels/s\n", name, (double)TILE * TILE * times / took * 0.000001);
	chip_free(chip);
}

/* Vertices of a square over the frame, as NV mode has them: x and y, z, 1 / w, varyings */
static void put_vertices(struct chip *chip, unsigned int varyings)
{
	for (unsigned int n = 0; n < 4; n++) {
		const int16_t x = n & 1 ? TILES * TILE * 16 : 0, y = n & 2 ? TILES * TILE * 16 : 0;
		const float right = n & 1 ? TILES : 0.0078125f, up = n & 2 ? TILES : 0.0078125f;
		float words[3 + 4] = { 0, 0.5f, 1, right, up, right, up };

		memcpy(&words[0], (const int16_t[]){ x, y }, 4);
		chip_put(chip, VERTICES + n * 4 * (3 + varyings), (const uint8_t *)words,
			 4 * (3 + varyings));
	}
}

static void put_frame(struct chip *chip, void (*shader)(struct qb *b), unsigned int varyings)
{
	const struct v3d_nv_shader_record record = {
		.stride = 4 * (3 + varyings),
		.fs_varyings = varyings,
		.fs_code = CODE,
		.fs_uniforms = UNIFORMS,
		.vertices = VERTICES,
	};
	uint64_t code[64];
	struct qb b;

	qb_init(&b, code, 64);
	shader(&b);
	chip_put(chip, CODE, (const uint8_t *)code, b.count * sizeof(*code));
	put_texture(chip);
	v3d_pack_nv_shader_record(chip_bytes(chip, SHADER), &record);
	put_vertices(chip, varyings);
	LIST(chip, 1, 113, LE32(FRAME), LE16(TILE * TILES), LE16(TILE * TILES), 4, 0, 96, 3, 0xf0,
	     0, 65, LE32(SHADER));
	for (unsigned int n = 0; n < TILES * TILES; n++) {
		LIST(chip, 1, 115, n % TILES, n / TILES);
		for (unsigned int square = 0; square < SQUARES; square++)
			LIST(chip, 1, 33, 5, LE32(4), LE32(0));
		LIST(chip, 1, n == TILES * TILES - 1 ? 25 : 24);
	}
}

/* Whole frames with some threads. Return: M pixels/s */
static double bench_frames(void (*shader)(struct qb *b), unsigned int varyings,
			   unsigned int threads, unsigned int times)
{
	const struct v3dsim_config config = { .threads = threads };
	struct chip *chip = chip_new(&config);
	const uint32_t start_of_list = chip->list[1];
	double start, took;

	put_frame(chip, shader, varyings);
	start = seconds(CLOCK_MONOTONIC);
	for (unsigned int n = 0; n < times; n++) {
		chip->list[1] = start_of_list;
		chip_start(chip, 1);
		while (v3dsim_run(chip->sim, UINT64_MAX) == V3DSIM_BUSY)
			continue;
	}
	took = seconds(CLOCK_MONOTONIC) - start;
	if (rd(chip, V3D_RFC) != (times & 0xff))
		abort();
	chip_free(chip);
	return (double)TILE * TILES * TILE * TILES * SQUARES * times / took * 0.000001;
}

static void bench_threads(const char *name, void (*shader)(struct qb *b), unsigned int varyings,
			  unsigned int times)
{
	const double one = bench_frames(shader, varyings, 1, times),
		     two = bench_frames(shader, varyings, 2, times);

	printf("%-28s %7.1f M pixels/s\n", name, two);
	printf("  with one: %.1f, so %.2f times as many\n", one, two / one);
}

int main(int argc, char **argv)
{
	const unsigned int times = argc > 1 ? strtoul(argv[1], NULL, 0) : 4000;

	bench("flat", flat, 0, times);
	bench("Gouraud", gouraud, 4, times);
	bench("bilinear texture", textured, 2, times);
	bench_threads("flat, 2 threads", flat, 0, times / 100);
	bench_threads("Gouraud, 2 threads", gouraud, 4, times / 100);
	bench_threads("bilinear, 2 threads", textured, 2, times / 100);
	return 0;
}
