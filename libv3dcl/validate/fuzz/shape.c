// SPDX-License-Identifier: MIT
/* Shapes: see shape.h. */
#include <v3d/packets.h>
#include <v3d/qpu.h>

#include "shape.h"

static uint64_t mix(uint64_t hash, uint64_t word)
{
	hash = (hash ^ word) * UINT64_C(0x9e3779b97f4a7c15);
	return hash ^ hash >> 29;
}

/* Registers of a file are all alike. */
static uint32_t place(uint8_t address)
{
	return address < 32 ? 0 : address;
}

static uint64_t mix_instruction(uint64_t hash, uint64_t word)
{
	const struct v3d_qpu_inst inst = v3d_qpu_decode(word);

	hash = mix(hash, inst.kind | inst.sig << 4 | place(inst.waddr_add) << 8 |
				 place(inst.waddr_mul) << 16 | inst.ws << 24);
	hash = mix(hash, inst.unpack | inst.pack << 4 | inst.cond_add << 8 | inst.cond_mul << 12 |
				 inst.sf << 16 | inst.pm << 17);
	if (inst.kind == V3D_QPU_BRANCH)
		return mix(hash, inst.cond_br | (uint64_t)inst.immediate << 4);
	if (inst.kind != V3D_QPU_ALU && inst.kind != V3D_QPU_ALU_SMALL_IMMEDIATE)
		return hash;
	return mix(hash, inst.op_add | inst.op_mul << 5 | place(inst.raddr_a) << 8 |
				 (inst.kind == V3D_QPU_ALU ? place(inst.raddr_b) << 14 : 0) |
				 inst.add_a / 4 << 20 | inst.add_b / 4 << 21 |
				 inst.mul_a / 4 << 22 | inst.mul_b / 4 << 23);
}

static uint64_t mix_list(uint64_t hash, const struct trial *t)
{
	for (uint32_t at = 0; at < t->bin.size;) {
		const uint8_t *bytes = t->bin.bytes + at;
		const uint32_t length = v3d_packet_info(bytes[0])->length;

		/*
		 * The byte after a draw's, a state's or a format's number says of what kind it is.
		 */
		hash = mix(hash, bytes[0] | (length > 1 && length != V3D_CLIP_WINDOW_LENGTH ?
						     bytes[1] << 8 :
						     0));
		at += length ? length : 1;
	}
	return hash;
}

static uint64_t mix_surface(uint64_t hash, const struct drm_vc4_submit_rcl_surface *surface)
{
	return mix(hash,
		   surface->hindex == ~0u ? 0 : 1 | surface->bits << 1 | surface->flags << 17);
}

static uint64_t mix_submit(uint64_t hash, const struct drm_vc4_submit_cl *submit)
{
	hash = mix(hash, submit->flags);
	hash = mix_surface(hash, &submit->color_read);
	hash = mix_surface(hash, &submit->color_write);
	hash = mix_surface(hash, &submit->zs_read);
	hash = mix_surface(hash, &submit->zs_write);
	hash = mix_surface(hash, &submit->msaa_color_write);
	return mix_surface(hash, &submit->msaa_zs_write);
}

uint64_t shape_of_lists(const struct trial *t)
{
	return mix_submit(mix_list(t->kind, t), &t->submit);
}

uint64_t shape_of(const struct checked *c, const struct trial *t)
{
	uint64_t hash = t->kind;
	uint32_t i, n;

	for (i = 0; i < t->bo_count; i++) {
		for (n = 0; t->bos[i].kind != TRIAL_DATA && n < t->bos[i].count; n++)
			hash = mix_instruction(hash, t->code[t->bos[i].first + n]);
		hash = mix(hash, c->bos[i].uses);
	}
	for (i = 0; i < t->reloc_count; i++)
		hash = mix(hash, t->relocs[i].program | t->relocs[i].flags << 8);
	return t->kind == TRIAL_FRAME ? mix(hash, shape_of_lists(t)) : hash;
}
