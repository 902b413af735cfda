// SPDX-License-Identifier: MIT
/* What all programs of the grammar share: soup between the idioms, and changes to what is there. */
#include "make.h"

void make_emit(struct qb *b, struct v3d_qpu_inst inst)
{
	if (inst.kind != QB_BAD && b->count + 4 < b->capacity)
		qb_emit(b, inst);
}

void make_coordinates(struct qb *b, struct dice *d)
{
	for (uint32_t i = 0; i < 4; i++) {
		const uint16_t x = QB_R0 + i;

		make_emit(b, qb_add(V3D_QPU_ADD_SUB, x, QB_ELEMENT, qb_imm(roll(d, 2) ? 0 : 8)));
		if (i && one_in(d, 2))
			make_emit(b, qb_add(V3D_QPU_ADD_XOR, x, x, qb_imm(roll(d, 16))));
		make_emit(b, qb_add(V3D_QPU_ADD_ITOF, x, x, x));
		if (!one_in(d, 4))
			make_emit(b, qb_mul(V3D_QPU_MUL_FMUL, x, x,
					    qb_imm_float(-(int)roll(d, 5))));
	}
}

static uint16_t source(struct dice *d)
{
	switch (roll(d, 12)) {
	case 0:
		return QB_RA(roll(d, 4));
	case 1:
		return QB_RB(roll(d, 4));
	case 2:
		return qb_imm((int)roll(d, 32) - 16);
	case 3:
		return qb_imm_float((int)roll(d, 16) - 8);
	case 4:
		return QB_ELEMENT;
	default:
		return QB_R0 + roll(d, 4);
	}
}

static uint16_t target(struct dice *d)
{
	switch (roll(d, 8)) {
	case 0:
		return QB_RA(roll(d, 4));
	case 1:
		return QB_RB(roll(d, 4));
	case 2:
		return one_in(d, 8) ? QB_RA(roll(d, 32)) : QB_NONE;
	default:
		return QB_R0 + roll(d, 4);
	}
}

static struct v3d_qpu_inst change_halves(struct dice *d, struct v3d_qpu_inst inst)
{
	if (inst.kind == QB_BAD)
		return inst;
	if (one_in(d, 6))
		inst.sf = 1;
	if (one_in(d, 6)) {
		inst.cond_add = inst.cond_add ? roll(d, 8) : 0;
		inst.cond_mul = inst.cond_mul ? roll(d, 8) : 0;
	}
	if (one_in(d, 16))
		inst.pack = roll(d, 16);
	if (one_in(d, 16))
		inst.unpack = roll(d, 8);
	if (one_in(d, 16))
		inst.pm = roll(d, 2);
	return inst;
}

struct v3d_qpu_inst make_soup(struct dice *d)
{
	static const uint8_t ops[] = {
		V3D_QPU_ADD_FADD, V3D_QPU_ADD_FSUB, V3D_QPU_ADD_FMIN, V3D_QPU_ADD_FMAX,
		V3D_QPU_ADD_FTOI, V3D_QPU_ADD_ITOF,
		V3D_QPU_ADD_ADD, V3D_QPU_ADD_SUB, V3D_QPU_ADD_SHR, V3D_QPU_ADD_ASR, V3D_QPU_ADD_ROR,
		V3D_QPU_ADD_SHL,
		V3D_QPU_ADD_MIN, V3D_QPU_ADD_MAX, V3D_QPU_ADD_AND, V3D_QPU_ADD_OR, V3D_QPU_ADD_XOR,
		V3D_QPU_ADD_NOT,
		V3D_QPU_ADD_CLZ, V3D_QPU_ADD_V8ADDS, V3D_QPU_ADD_V8SUBS,
	};
	struct v3d_qpu_inst add, mul;

	switch (roll(d, 8)) {
	case 0:
		return qb_ldi(target(d), one_in(d, 2) ? odd_number(d) : small_float(d));
	case 1:
		return qb_mov(target(d), source(d));
	case 2:
		return change_halves(d, qb_mul(1 + roll(d, 7), target(d), source(d), source(d)));
	case 3:
		return qb_rotate(QB_R0 + roll(d, 4), QB_R0 + roll(d, 4),
				 one_in(d, 64) ? 0 : 1 + roll(d, 15));
	case 4:
		add = qb_add(ops[roll(d, sizeof(ops))], target(d), source(d), source(d));
		mul = qb_mul(1 + roll(d, 7), target(d), source(d), source(d));
		return change_halves(d, add.kind == QB_BAD || mul.kind == QB_BAD ?
						add :
						qb_both(add, mul));
	default:
		return change_halves(d, qb_add(ops[roll(d, sizeof(ops))], target(d), source(d),
					       source(d)));
	}
}

uint32_t make_mutant(struct dice *d, uint64_t *code, uint32_t count)
{
	uint32_t at = roll(d, count), to = roll(d, count);
	struct v3d_qpu_inst inst;
	uint64_t swap;

	switch (roll(d, 10)) {
	case 0:
		code[at] = dice_word(d);
		break;
	case 1:		/* removed */
		memmove(code + at, code + at + 1, (count - at - 1) * sizeof(*code));
		return count > 1 ? count - 1 : count;
	case 2:		/* doubled */
		if (count == MAKE_CODE)
			break;
		memmove(code + at + 1, code + at, (count - at) * sizeof(*code));
		return count + 1;
	case 3:		/* exchanged */
		swap = code[at];
		code[at] = code[to];
		code[to] = swap;
		break;
	case 4:
		inst = make_soup(d);
		if (inst.kind != QB_BAD)
			code[at] = v3d_qpu_encode(&inst);
		break;
	case 5:		/* another signal */
		code[at] = (code[at] & ~(UINT64_C(15) << 60)) | (uint64_t)roll(d, 16) << 60;
		break;
	case 6:		/* another destination */
		code[at] ^= (uint64_t)roll(d, 64) << (one_in(d, 2) ? 38 : 32);
		break;
	default:
		code[at] ^= UINT64_C(1) << roll(d, 64);
		break;
	}
	return count;
}

void make_change(struct dice *d, struct trial_part *part)
{
	uint32_t at = part->size ? roll(d, part->size) : 0, number;

	if (!part->size)
		return;
	switch (roll(d, 8)) {
	case 0:
		part->bytes[at] = dice_word(d);
		break;
	case 1:
		part->bytes[at] ^= 1 << roll(d, 8);
		break;
	case 2:		/* cut off */
		part->size = one_in(d, 4) ? at : part->size - 1;
		break;
	case 3:		/* a piece doubled */
		number = roll(d, 32);
		if (at + number <= part->size && part->size + number <= sizeof(part->bytes)) {
			memmove(part->bytes + at + number, part->bytes + at, part->size - at);
			part->size += number;
		}
		break;
	case 4:		/* a little more or less */
		part->bytes[at] += one_in(d, 2) ? 1 : -1;
		break;
	default:
		number = odd_number(d);
		if (at + 4 <= part->size)
			memcpy(part->bytes + at, &number, 4);
		break;
	}
}

#define ADDRESS_END (UINT64_C(1) << 32)

/* Behind the driver's memory where it would meet that, and no longer than there are addresses */
static void put(struct trial_bo *bo, uint64_t *at)
{
	if (*at < CHECK_DRIVER_END && *at + bo->size > CHECK_EXEC)
		*at = CHECK_DRIVER_END;
	if (*at > ADDRESS_END - 0x10000)
		*at = ADDRESS_END - 0x10000;
	if (*at + bo->size > ADDRESS_END)
		bo->size = ADDRESS_END - *at;
	bo->address = *at;
	*at += (bo->size + UINT64_C(0x1ffff)) & ~UINT64_C(0xffff);
}

void make_places(struct trial *t, struct dice *d)
{
	uint64_t at = 0x10000000 + (one_in(d, 8) ? roll(d, 16) << 24 : 0);
	uint32_t i;

	for (i = 0; i < t->bo_count; i++)
		put(&t->bos[i], &at);
	/* One that begins in a page, which no BO does: callers see to it, and textures are asked */
	if (one_in(d, 48))
		t->bos[roll(d, t->bo_count)].address += 16 * (1 + roll(d, 255));
	/* One that ends with the address space, or nearly */
	if (one_in(d, 16)) {
		i = roll(d, t->bo_count);
		t->bos[i].address = -((t->bos[i].size + 4095) & ~4095u);
	}
}

#define MOVED_FROM 0x0c000000u

bool make_other_places(struct trial *t)
{
	struct dice d = { ~t->seed };
	uint64_t at = MOVED_FROM + (roll(&d, 16) << 20);

	for (uint32_t i = t->bo_count; i--;) {
		if (t->bos[i].size > MAKE_MOVED_BYTES)
			return false;
		t->bos[i].address = at;
		at = (at + t->bos[i].size + 0x10000 + (roll(&d, 256) << 12)) & ~UINT64_C(0xfff);
	}
	return at <= CHECK_EXEC;
}
