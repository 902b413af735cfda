// SPDX-License-Identifier: MIT
/* Z and stencil tests: see zs.h. */
#include "core/sim.h"
#include "quad.h"
#include "zs.h"

#define Z_BITS 0xffffff

void zs_stencil_setup(struct fragment *f, uint32_t word)
{
	static const uint8_t write_masks[] = { 0x1, 0x3, 0xf, 0xff };		/* AG100 Table 27 */
	struct v3d_stencil_setup setup;
	struct v3d_stencil_masks masks;

	v3d_parse_stencil_setup(word, &setup);
	v3d_parse_stencil_masks(word, &masks);
	for (unsigned int side = 0; side < 2; side++) {
		if (!setup.select)
			f->stencil[side].write_mask = side ? masks.back : masks.front;
		else if (setup.select >> side & 1)
			f->stencil[side] = (struct fragment_stencil){
				setup, write_masks[setup.write_mask_code], true
			};
	}
}

/* A function, ready: what less and equal change in what greater gives */
struct comparison {
	quad_words less, equal, greater;
};

/* Bits of a function's number say what it lets pass: less, equal, greater (AG100 Table 27). */
static inline struct comparison comparison(unsigned int function)
{
	const uint32_t less = -(function & 1), equal = -(function >> 1 & 1),
		       greater = -(function >> 2 & 1);

	return (struct comparison){ quad_fill(less ^ greater), quad_fill(equal ^ greater),
				    quad_fill(greater) };
}

/* Values have less than 32 bits. */
static inline quad_words compare(const struct comparison *function, quad_words a, quad_words b)
{
	const quad_words less = (quad_words)((quad_ints)a < (quad_ints)b),
			 equal = (quad_words)(a == b);

	return function->greater ^ (less & function->less) ^ (equal & function->equal);
}

/* A stencil operation on values of 8 bits */
static inline quad_words operate(unsigned int operation, quad_words old, uint32_t value)
{
	switch (operation) {
	case V3D_STENCIL_ZERO:
		return quad_fill(0);
	case V3D_STENCIL_REPLACE:
		return quad_fill(value);
	case V3D_STENCIL_INCSAT:
		return old - (quad_words)(old < 255);
	case V3D_STENCIL_DECSAT:
		return old + (quad_words)(old > 0);
	case V3D_STENCIL_INVERT:
		return old ^ 0xff;
	case V3D_STENCIL_INC:
		return (old + 1) & 0xff;
	case V3D_STENCIL_DEC:
		return (old - 1) & 0xff;
	default:
		return old;
	}
}

/**
 * struct outcome - of a quad's tests
 * @passed: both tests, @stencil_passed: the stencil test
 * @stencil: new values
 */
struct outcome {
	quad_words passed, stencil_passed, stencil;
};

/* One side's stencil test; @z_passed says how the Z test would end. */
static inline struct outcome one_side(const struct fragment_stencil *stencil, quad_words old,
				      quad_words z_passed)
{
	const struct v3d_stencil_setup *setup = &stencil->setup;
	const struct comparison function = comparison(setup->function);
	struct outcome out;
	quad_words new;

	if (!stencil->enabled)
		return (struct outcome){ z_passed, quad_fill(~0u), old };
	out.stencil_passed = compare(&function, quad_fill(setup->value & setup->mask),
				     old & setup->mask);
	out.passed = out.stencil_passed & z_passed;
	new = quad_select(z_passed, operate(setup->z_pass, old, setup->value),
			  operate(setup->z_fail, old, setup->value));
	new = quad_select(out.stencil_passed, new, operate(setup->stencil_fail, old, setup->value));
	out.stencil = quad_select(quad_fill(stencil->write_mask), new, old);
	return out;
}

/* Front and back sides, as REV_FLAG says of each pixel */
static inline struct outcome both_sides(const struct fragment *f, unsigned int reverse,
					quad_words old, quad_words z_passed)
{
	const struct outcome front = one_side(&f->stencil[0], old, z_passed),
			     back = one_side(&f->stencil[1], old, z_passed);
	const quad_words is_back = quad_mask(reverse);

	return (struct outcome){
		quad_select(is_back, back.passed, front.passed),
		quad_select(is_back, back.stencil_passed, front.stencil_passed),
		quad_select(is_back, back.stencil, front.stencil),
	};
}

/*
 * One sample of a quad. Return: bits of pixels that passed both tests, and above them of those that
 * passed the stencil test
 */
static inline unsigned int test_quad(const struct fragment *f, const struct comparison *function,
				     unsigned int reverse, uint32_t *zs, quad_words z,
				     unsigned int tested)
{
	const quad_words old = quad_load(zs), old_z = old >> 8, mask = quad_mask(tested);
	const quad_words z_passed = compare(function, z, old_z);
	struct outcome out = { z_passed, quad_fill(~0u), old & 0xff };

	if (f->stencil[0].enabled || f->stencil[1].enabled)
		out = both_sides(f, reverse, old & 0xff, z_passed);
	if (f->config.z_updates)
		z = quad_select(out.passed, z, old_z);
	else
		z = old_z;
	quad_store(zs, quad_select(mask, z << 8 | out.stencil, old));
	return quad_bits(out.passed & mask) | quad_bits(out.stencil_passed & mask) << 4;
}

/* AG100 Table 82, sources 4 to 6 */
static void count(struct v3dsim *sim, unsigned int quads, unsigned int stencil_failed,
		  unsigned int failed)
{
	pctr_count(sim, V3D_COUNTER_tlb_quads_stencil_fail, stencil_failed);
	pctr_count(sim, V3D_COUNTER_tlb_quads_z_stencil_fail, failed);
	pctr_count(sim, V3D_COUNTER_tlb_quads_z_stencil_pass, quads - failed);
}

/* Quads with a bit set, of lanes */
static inline unsigned int quads_of(unsigned int lanes)
{
	const unsigned int any = (lanes | lanes >> 1 | lanes >> 2 | lanes >> 3) & 0x1111;

	return any * 0x1111 >> 12 & 0xf;
}

/* What most fragments are: one sample, and no stencil test */
static void test_z(struct v3dsim *sim, struct fragment *f, const struct lanes *z,
		   unsigned int tested)
{
	const struct v3d_tile_rendering_mode *mode = &sim->tlb->mode;
	const struct comparison function = comparison(f->config.depth_function);
	/* of words: not the stencil */
	const quad_words updates = quad_fill(f->config.z_updates ? ~0xffu : 0);
	uint32_t *zs = tlb_current(sim->tlb)->zs;
	unsigned int passed = 0, quads = quads_of(tested);

	for (unsigned int quad = 0; quad < FRAGMENT_QUADS; quad++) {
		const unsigned int pixels = tested >> quad * QUAD_PIXELS & 0xf;
		uint32_t *at = zs + tlb_quad(mode, f->x[quad], f->y[quad]);
		const quad_words new = quad_load(&z->lane[quad * QUAD_PIXELS]) << 8,
				 old = quad_load(at);
		const quad_words pass = compare(&function, new >> 8, old >> 8) & quad_mask(pixels);

		quad_store(at, quad_select(pass & updates, new, old));
		passed |= quad_bits(pass) << quad * QUAD_PIXELS;
	}
	f->flags[0] &= ~(tested & ~passed);
	count(sim, quads, 0, quads - quads_of(passed));
}

/* Which lanes take the back's stencil set-up. HW-2924: all do if the last quad that counts does. */
static unsigned int reverse_lanes(struct v3dsim *sim, const struct fragment *f)
{
	unsigned int any = 0, last, all;

	if (!chip_has(&sim->chip, V3D_CHIP_HW_2924))
		return f->reverse;
	for (unsigned int sample = 0; sample < TLB_SAMPLES; sample++)
		any |= f->covered[sample];
	last = any ? (31 - __builtin_clz(any)) / QUAD_PIXELS : 0;
	all = (f->reverse >> last * QUAD_PIXELS & 0xf) * 0x1111;
	return all != f->reverse && chip_strike(sim, V3D_CHIP_HW_2924) ? all : f->reverse;
}

/* All samples, front and back */
static void test_zs(struct v3dsim *sim, struct fragment *f, const struct lanes *z, uint16_t lanes)
{
	struct tlb *tlb = sim->tlb;
	const unsigned int samples = tlb_samples(&tlb->mode), reverse = reverse_lanes(sim, f);
	const struct comparison function = comparison(f->config.depth_function);
	unsigned int quads = 0, stencil_failed = 0, failed = 0;
	struct tlb_buffer *buffer = tlb_current(tlb);

	for (unsigned int quad = 0; quad < FRAGMENT_QUADS; quad++) {
		uint32_t *zs = buffer->zs + tlb_quad(&tlb->mode, f->x[quad], f->y[quad]);
		const quad_words new_z = quad_load(&z->lane[quad * QUAD_PIXELS]) & Z_BITS;
		unsigned int any = 0, passed = 0;

		for (unsigned int sample = 0; sample < samples; sample++, zs += QUAD_PIXELS) {
			const unsigned int tested =
				(f->flags[sample] & lanes) >> quad * QUAD_PIXELS & 0xf;
			unsigned int result;

			if (!tested)
				continue;
			result = test_quad(f, &function, reverse >> quad * QUAD_PIXELS & 0xf, zs,
					   new_z, tested);
			f->flags[sample] &= ~((tested & ~result) << quad * QUAD_PIXELS);
			any |= tested;
			passed |= result;
		}
		quads += any != 0;
		stencil_failed += any && !(passed >> 4);
		failed += any && !(passed & 0xf);
	}
	count(sim, quads, stencil_failed, failed);
}

void zs_test(struct v3dsim *sim, struct fragment *f, const struct lanes *z, uint16_t lanes)
{
	if (!sim->tlb->mode.multisample && !f->stencil[0].enabled && !f->stencil[1].enabled)
		test_z(sim, f, z, f->flags[0] & lanes);
	else
		test_zs(sim, f, z, lanes);
}

/* The Z that hides most, for the direction that record 113 says (HW-2905) */
static uint32_t least_seen(const struct tlb *tlb)
{
	return tlb->mode.early_z_greater ? ~0u : 0;
}

/* Would all covered samples of a quad fail, by what the tile buffer holds or the stale @shadow? */
static bool fails(const struct tlb *tlb, const uint32_t *zs, const struct fragment *f,
		  unsigned int quad, bool stale)
{
	const struct comparison function = comparison(f->config.depth_function);
	const quad_words z = quad_load(&f->z.lane[quad * QUAD_PIXELS]);
	const quad_words shadow = quad_fill(tlb->shadow_cleared ? least_seen(tlb) : tlb->shadow_zs);
	quad_words passed = quad_fill(0);

	for (unsigned int sample = 0; sample < tlb_samples(&tlb->mode);
	     sample++, zs += QUAD_PIXELS) {
		const quad_words covered = quad_mask(f->covered[sample] >> quad * QUAD_PIXELS &
						     0xf);

		passed |= compare(&function, z, (stale ? shadow : quad_load(zs)) >> 8) & covered;
	}
	return !quad_bits(passed);
}

static bool hidden(struct v3dsim *sim, const uint32_t *zs, const struct fragment *f,
		   unsigned int quad)
{
	const bool right = fails(sim->tlb, zs, f, quad, false);
	bool wrong;

	if (!sim->tlb->shadow_stale || !sim->tlb->mode.multisample)
		return right;
	wrong = fails(sim->tlb, zs, f, quad, true);
	return wrong != right && chip_strike(sim, V3D_CHIP_HW_2905) ? wrong : right;
}

unsigned int zs_early_z(struct v3dsim *sim, struct fragment *f)
{
	struct tlb *tlb = sim->tlb;
	const uint32_t *zs = tlb_current(tlb)->zs;
	unsigned int out = 0;

	for (unsigned int quad = 0; quad < f->quads; quad++) {
		if (!hidden(sim, zs + tlb_quad(&tlb->mode, f->x[quad], f->y[quad]), f, quad))
			continue;
		out |= 1u << quad;
		for (unsigned int sample = 0; sample < TLB_SAMPLES; sample++)
			f->covered[sample] &= ~(0xfu << quad * QUAD_PIXELS);
	}
	return out;
}
