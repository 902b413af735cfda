// SPDX-License-Identifier: MIT
/* The tile buffer as fragment shaders see it: see tlb_qpu.h. */
#include "core/sim.h"
#include "qpu/peripherals.h"
#include "cap.h"
#include "fragment.h"
#include "quad.h"
#include "tlb_qpu.h"
#include "zs.h"

/* Words of colour that a pixel has, a power of 2: samples, and two words each with 64-bit colour */
static inline unsigned int color_words(const struct tlb *tlb)
{
	return tlb_samples(&tlb->mode) << tlb->mode.color64;
}

/* AG100 Table 82, source 9: each quad of a batch once */
static void count_written(struct v3dsim *sim, struct fragment *f, unsigned int quads)
{
	const unsigned int new = quads & ~f->written;

	if (!new)
		return;
	f->written |= new;
	pctr_count(sim, V3D_COUNTER_tlb_quads_written, __builtin_popcount(new));
}

/* A quad's word of one sample; the halves of a 64-bit colour lie side by side. */
static inline void write_quad(uint32_t *at, unsigned int stride, const uint32_t *value,
			      unsigned int pixels)
{
	if (stride == 1) {
		const quad_words new = quad_load(value);

		quad_store(at, pixels == 0xf ? new :
					       quad_select(quad_mask(pixels), new, quad_load(at)));
		return;
	}
	for (unsigned int pixel = 0; pixel < QUAD_PIXELS; pixel++)
		if (pixels >> pixel & 1)
			at[pixel * stride] = value[pixel];
}

/* Words from @first on to samples from @sample to before @end */
static void write_color(struct v3dsim *sim, struct fragment *f, unsigned int sample,
			unsigned int end, unsigned int half, const struct lanes *value,
			uint16_t lanes)
{
	struct tlb *tlb = sim->tlb;
	uint32_t *color = tlb_current(tlb)->color;
	const unsigned int stride = 1 << tlb->mode.color64;
	unsigned int written = 0;

	for (; sample < end; sample++) {
		const unsigned int on = f->flags[sample] & lanes;

		for (unsigned int quad = 0; quad < FRAGMENT_QUADS; quad++) {
			const unsigned int pixels = on >> quad * QUAD_PIXELS & 0xf;
			const uint32_t at = tlb_quad(&tlb->mode, f->x[quad], f->y[quad]) +
					    sample * QUAD_PIXELS;

			if (!pixels)
				continue;
			write_quad(color + at * stride + half, stride,
				   &value->lane[quad * QUAD_PIXELS], pixels);
			written |= 1u << quad;
		}
	}
	count_written(sim, f, written);
}

/* AG100 p. 47: all samples at once; red and green first, then blue and alpha of 64-bit colour */
static void write_all(struct v3dsim *sim, struct fragment *f, const struct lanes *value,
		      uint16_t lanes)
{
	write_color(sim, f, 0, tlb_samples(&sim->tlb->mode), f->write_all, value, lanes);
	f->write_all ^= sim->tlb->mode.color64;
}

/* AG100 p. 47: one sample after the other */
static void write_sample(struct v3dsim *sim, struct fragment *f, const struct lanes *value,
			 uint16_t lanes)
{
	const struct tlb *tlb = sim->tlb;
	const unsigned int word = f->write, sample = word >> tlb->mode.color64;

	write_color(sim, f, sample, sample + 1, word & tlb->mode.color64, value, lanes);
	f->write = (word + 1) & (color_words(tlb) - 1);
}

static void load_color(struct v3dsim *sim, struct fragment *f, struct lanes *out)
{
	struct tlb *tlb = sim->tlb;
	const uint32_t *color = tlb_current(tlb)->color;
	const unsigned int wide = tlb->mode.color64, word = f->read;

	for (unsigned int quad = 0; quad < FRAGMENT_QUADS; quad++) {
		const uint32_t at = tlb_quad(&tlb->mode, f->x[quad], f->y[quad]) +
				    (word >> wide) * QUAD_PIXELS;
		const uint32_t *from = color + (at << wide) + (word & wide);
		uint32_t *to = &out->lane[quad * QUAD_PIXELS];

		if (!wide) {
			quad_store(to, quad_load(from));
			continue;
		}
		for (unsigned int pixel = 0; pixel < QUAD_PIXELS; pixel++)
			to[pixel] = from[2 * pixel];
	}
	f->read = (word + 1) & (color_words(tlb) - 1);
}

/* The VG mask's byte of a lane */
static uint8_t *mask_of(struct tlb *tlb, const struct fragment *f, unsigned int lane)
{
	const unsigned int x = f->x[lane / QUAD_PIXELS] + (lane & 1),
			   y = f->y[lane / QUAD_PIXELS] + (lane >> 1 & 1);

	return &tlb_current(tlb)->vg_mask[y * tlb_width(&tlb->mode) + x];
}

static void write_mask(struct tlb *tlb, const struct fragment *f, const struct lanes *value,
		       uint16_t lanes)
{
	lanes &= f->flags[0];
	for (unsigned int lane = 0; lane < V3D_QPU_LANES; lane++)
		if (lanes >> lane & 1)
			*mask_of(tlb, f, lane) = value->lane[lane];
}

static void load_mask(struct tlb *tlb, const struct fragment *f, struct lanes *out)
{
	for (unsigned int lane = 0; lane < V3D_QPU_LANES; lane++)
		out->lane[lane] = *mask_of(tlb, f, lane) * 0x01010101u;
}

static void write_flags(const struct tlb *tlb, struct fragment *f, const struct lanes *value,
			uint16_t lanes)
{
	for (unsigned int sample = 0; sample < tlb_samples(&tlb->mode); sample++) {
		uint16_t on = 0;

		for (unsigned int lane = 0; lane < V3D_QPU_LANES; lane++)
			on |= (value->lane[lane] >> sample & 1) << lane;
		f->flags[sample] = (f->flags[sample] & ~lanes) | (on & f->covered[sample] & lanes);
	}
}

static void write_reverse(struct fragment *f, const struct lanes *value, uint16_t lanes)
{
	uint16_t on = 0;

	for (unsigned int lane = 0; lane < V3D_QPU_LANES; lane++)
		on |= (value->lane[lane] & 1) << lane;
	f->reverse = (f->reverse & ~lanes) | (on & lanes);
}

void tlb_qpu_write(struct v3dsim *sim, struct qpu *q, unsigned int waddr, bool in_b,
		   const struct lanes *value, uint16_t lanes)
{
	struct fragment *f = q->fragment;

	if (!f)
		return;
	switch (waddr) {
	case V3D_QPU_W_MS_REV_FLAGS:
		if (in_b)
			write_reverse(f, value, lanes);
		else
			write_flags(sim->tlb, f, value, lanes);
		break;
	case V3D_QPU_W_TLB_STENCIL_SETUP:
		if (lanes & 1)
			zs_stencil_setup(f, value->lane[0]);
		break;
	case V3D_QPU_W_TLB_Z:
		zs_test(sim, f, value, lanes);
		break;
	case V3D_QPU_W_TLB_COLOUR_MS:
		write_sample(sim, f, value, lanes);
		break;
	case V3D_QPU_W_TLB_COLOUR_ALL:
		write_all(sim, f, value, lanes);
		break;
	case V3D_QPU_W_TLB_ALPHA_MASK:
		write_mask(sim->tlb, f, value, lanes);
		break;
	default:
		break;
	}
}

void tlb_qpu_load(struct v3dsim *sim, struct qpu *q, unsigned int sig, struct lanes *out)
{
	if (!q->fragment) {
		lanes_fill(out, 0);
		return;
	}
	switch (sig) {
	case V3D_QPU_SIG_LOAD_COLOR:
	case V3D_QPU_SIG_LOAD_COLOR_END:
		load_color(sim, q->fragment, out);
		break;
	case V3D_QPU_SIG_LOAD_ALPHA_MASK:
		load_mask(sim->tlb, q->fragment, out);
		break;
	case V3D_QPU_SIG_LOAD_COVERAGE:
		cap_load(sim, q->fragment, out);
		break;
	default:
		break;
	}
}

/* MS_FLAGS, or REV_FLAG in the space of file B; 0 without fragments */
static void read_flags(struct v3dsim *sim, struct qpu *q, unsigned int raddr, bool b,
		       struct lanes *out, uint32_t *rules)
{
	const struct fragment *f = q->fragment;

	(void)raddr;
	(void)rules;
	lanes_fill(out, 0);
	if (!f)
		return;
	for (unsigned int lane = 0; lane < V3D_QPU_LANES; lane++) {
		if (b)
			out->lane[lane] = f->reverse >> lane & 1;
		for (unsigned int sample = 0; sample < tlb_samples(&sim->tlb->mode) && !b; sample++)
			out->lane[lane] |= (f->flags[sample] >> lane & 1) << sample;
	}
}

static void write_register(struct v3dsim *sim, struct qpu *q, unsigned int waddr, bool b,
			   const struct lanes *value, uint16_t lanes, uint32_t *rules)
{
	(void)rules;
	tlb_qpu_write(sim, q, waddr, b, value, lanes);
}

void tlb_qpu_attach(struct qpu_peripherals *to)
{
	static const uint8_t signals[] = {
		V3D_QPU_SIG_LOAD_COVERAGE,
		V3D_QPU_SIG_LOAD_COLOR,
		V3D_QPU_SIG_LOAD_COLOR_END,
		V3D_QPU_SIG_LOAD_ALPHA_MASK,
	};

	to->read[V3D_QPU_R_MS_REV_FLAGS - PERIPHERAL_SPACE] = read_flags;
	for (unsigned int waddr = V3D_QPU_W_QUAD_XY; waddr <= V3D_QPU_W_TLB_ALPHA_MASK; waddr++)
		to->write[waddr - PERIPHERAL_SPACE] = write_register;
	for (unsigned int n = 0; n < sizeof(signals); n++)
		to->load[signals[n]] = tlb_qpu_load;
}
