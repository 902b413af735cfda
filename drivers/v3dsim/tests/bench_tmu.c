/* SPDX-License-Identifier: MIT */
/*
 * How many texels a second one core looks up: prints M texels/s for some kinds of textures. Not a
 * test.
 */

#include "filter_fixture.h"
#include "seconds.h"

#define ROUNDS 400000u

/*
 * Quads of a picture that shows a 256 x 256 texture at a scale, turned a little; four quads a
 * lookup
 */
static void bench(struct machine *m, const char *name, struct lookup *l, double scale)
{
	static const struct chip_modes ideal;
	static struct tmu_texture texture;
	struct lanes in[4] = { 0 }, out[2];
	const struct tmu_request request = { &texture, 0, &in[0], &in[1], &in[2], &in[3] };
	double start, took;

	start = cpu_seconds();
	for (unsigned int round = 0; round < ROUNDS; round++) {
		const unsigned int left = round % 64 * 8, top = round / 64 % 256 * 2;

		for (unsigned int n = 0; n < 16; n++) {
			const float x = (float)(left + n / 4 * 2 + (n & 1)),
				    y = (float)(top + (n >> 1 & 1));

			in[0].lane[n] = bits_of((x * 0.99f + y * 0.1f) * (float)scale / 256);
			in[1].lane[n] = bits_of((y * 0.99f - x * 0.1f) * (float)scale / 256);
		}
		tmu_setup(&texture, l->words, &ideal);
		if (!tmu_filter(m->sim, &request, out))
			abort();
	}
	took = cpu_seconds() - start;
	printf("%-36s %7.1f M texels/s\n", name, ROUNDS * 16 / took * 0.000001);
}

int main(void)
{
	static struct machine m;
	struct lookup l;

	machine_new(&m, V3DSIM_CACHES_IDEAL, 0);
	sim_enter(m.sim);
	setvbuf(stdout, NULL, _IOLBF, 0);
	describe(&l, V3D_TEXTURE_RGBA8888, 256, 256);
	bench(&m, "RGBA8888, T, nearest", &l, 0.7);
	set_filter(&l, LINEAR, LINEAR);
	bench(&m, "RGBA8888, T, bilinear", &l, 0.7);
	describe(&l, V3D_TEXTURE_RGBA8888, 16, 16);
	set_filter(&l, LINEAR, LINEAR);
	bench(&m, "RGBA8888, LT, bilinear", &l, 0.7);
	describe(&l, V3D_TEXTURE_RGB565, 256, 256);
	set_filter(&l, LINEAR, LINEAR);
	bench(&m, "RGB565, T, bilinear", &l, 0.7);
	describe(&l, V3D_TEXTURE_ETC1, 256, 256);
	set_filter(&l, LINEAR, LINEAR);
	bench(&m, "ETC1, bilinear", &l, 0.7);
	describe(&l, V3D_TEXTURE_RGBA8888, 256, 256);
	l.words[0] |= 8;
	set_filter(&l, 5, LINEAR);
	bench(&m, "RGBA8888, trilinear, magnified", &l, 0.7);
	bench(&m, "RGBA8888, trilinear, minified", &l, 2.7);
	set_filter(&l, 4, LINEAR);
	bench(&m, "RGBA8888, nearest level, minified", &l, 2.7);
	describe(&l, V3D_TEXTURE_RGBA64, 256, 64);
	set_filter(&l, LINEAR, LINEAR);
	bench(&m, "RGBA64, T, bilinear", &l, 0.7);
	sim_leave(m.sim);
	machine_free(&m);
	return 0;
}
