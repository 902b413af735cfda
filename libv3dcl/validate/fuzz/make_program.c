// SPDX-License-Identifier: MIT
/*
 * User programs by grammar: the idioms that can be verified (an address is a relocated uniform plus
 * numbers that are clamped or known), with ALU operations, branches and loops between, and what
 * looks like them.
 */
#include "vpm_dma.h"
#include "program.h"

#define WRONG_ONE_IN 3
#define TMU(which, parameter) QB_IO(V3D_QPU_W_TMU0_S + 4 * (which) + (parameter))

static bool slip(struct program *p, uint32_t n)
{
	return p->wild && one_in(p->d, n);
}

static void emit(struct program *p, struct v3d_qpu_inst inst)
{
	make_emit(&p->b, inst);
}

/*
 * A register of a file cannot be read by the next instruction, an accumulator not be rotated by it.
 */
static void emit_soup(struct program *p)
{
	const struct v3d_qpu_inst inst = make_soup(p->d);
	const bool rotates = inst.kind == V3D_QPU_ALU_SMALL_IMMEDIATE &&
			     inst.raddr_b >= V3D_QPU_ROTATE;

	if (inst.kind == QB_BAD)
		return;
	if (rotates && !slip(p, 4))
		emit(p, qb_nop());
	emit(p, inst);
	if ((inst.waddr_add < 32 || inst.waddr_mul < 32) && !slip(p, 4))
		emit(p, qb_nop());
}

static void soup(struct program *p, uint32_t most)
{
	for (uint32_t i = roll(p->d, most + 1); i; i--)
		emit_soup(p);
}

/* The next uniform, and what it is going to be */
static uint16_t uniform(struct program *p, enum role role)
{
	if (p->words < PROGRAM_WORDS)
		p->roles[p->words++] = role;
	return QB_UNIF;
}

static uint16_t accumulator(struct program *p)
{
	return QB_R0 + roll(p->d, 4);
}

static void begin(struct program *p)
{
	uint32_t i;

	emit(p, qb_mov(QB_R0, QB_ELEMENT));
	emit(p, qb_ldi(QB_R1, odd_number(p->d)));
	emit(p, qb_mov(QB_R2, uniform(p, ROLE_NUMBER)));
	emit(p, qb_mov(QB_R3, one_in(p->d, 2) ? QB_QPU : QB_R1));
	for (i = 0; i < 4; i++) {
		emit(p, qb_mov(QB_RA(i), accumulator(p)));
		emit(p, qb_mov(QB_RB(i), accumulator(p)));
	}
	/* The next fragment's W and Z would arrive there */
	emit(p, qb_mov(QB_RA(14), QB_R0));
	emit(p, qb_mov(QB_RB(14), QB_R1));
	emit(p, qb_flags(qb_mov(QB_NONE, QB_R0)));
}

/* Held by n - 1, computed */
static void moved_limit(struct program *p, uint16_t x)
{
	const uint16_t y = QB_R0 + ((x & 3) + 1) % 4;

	emit(p, qb_add(V3D_QPU_ADD_SUB, y, uniform(p, ROLE_LIMIT),
		       qb_imm(roll(p->d, 16) - (slip(p, 3) ? 16 : 0))));
	emit(p, qb_add(V3D_QPU_ADD_MAX, x, x, qb_imm(0)));
	emit(p, qb_add(V3D_QPU_ADD_MIN, x, x, y));
}

static uint8_t condition(struct program *p, uint8_t right)
{
	return slip(p, 3) ? roll(p->d, 8) : right;
}

/* Held by what the signs of differences say, and copies under conditions */
static void selected(struct program *p, uint16_t x)
{
	const uint16_t y = QB_R0 + ((x & 3) + 1) % 4;
	const bool turned = one_in(p->d, 2);

	emit(p, qb_mov(y, one_in(p->d, 4) ? qb_imm(roll(p->d, 16)) : uniform(p, ROLE_LIMIT)));
	emit(p, qb_flags(qb_mov(QB_NONE, x)));
	emit(p, qb_if(condition(p, V3D_QPU_COND_NS), qb_mov(x, qb_imm(slip(p, 3) ? -1 : 0))));
	emit(p, qb_flags(qb_add(slip(p, 3) ? V3D_QPU_ADD_ADD : V3D_QPU_ADD_SUB, QB_NONE,
				turned ? y : x, turned ? x : y)));
	if (slip(p, 3))
		emit_soup(p);
	emit(p, qb_if(condition(p, turned ? V3D_QPU_COND_NS : V3D_QPU_COND_NC),
		      one_in(p->d, 2) ? qb_mov(x, y) : qb_mul_mov(x, y)));
}

/* y * pitch; y of the element, or as high as a uniform */
static void rows_by_pitch(struct program *p, uint16_t x)
{
	emit(p, qb_mov(x, QB_ELEMENT));
	if (one_in(p->d, 2))
		emit(p, qb_add(slip(p, 3) ? V3D_QPU_ADD_ADD : V3D_QPU_ADD_MIN, x, x,
			       uniform(p, ROLE_LIMIT)));
	emit(p, qb_mul(slip(p, 4) ? V3D_QPU_MUL_V8ADDS : V3D_QPU_MUL_MUL24, x, x,
		       uniform(p, ROLE_LIMIT)));
	if (one_in(p->d, 4))
		emit(p, qb_add(V3D_QPU_ADD_SHL, x, x, qb_imm(roll(p->d, 4))));
}

/* Taken out of a part of a register, or by way of one that was packed */
static void packed(struct program *p, uint16_t x)
{
	const uint32_t n = 16 + roll(p->d, 8);

	emit(p, qb_mov(QB_RA(n), x));
	emit(p, qb_pack(one_in(p->d, 2) ? 1 + roll(p->d, 15) : 0, false, qb_mov(QB_RA(n), x)));
	emit(p, qb_nop());
	emit(p, qb_unpack(one_in(p->d, 2) ? 4 + roll(p->d, 4) : 0, false, qb_mov(x, QB_RA(n))));
	emit(p, qb_add(V3D_QPU_ADD_AND, x, x, one_in(p->d, 2) ? qb_imm(roll(p->d, 16)) :
								 uniform(p, ROLE_LIMIT)));
}

/* A uniform, or an element's number, times a constant */
static void scaled(struct program *p, uint16_t x)
{
	emit(p, qb_mov(x, uniform(p, ROLE_NUMBER)));
	if (slip(p, 3) || one_in(p->d, 4))
		emit(p, qb_add(V3D_QPU_ADD_AND, x, x, qb_imm(15)));
	if (slip(p, 3) || one_in(p->d, 2))
		emit(p, qb_mul(V3D_QPU_MUL_MUL24, x, QB_ELEMENT, qb_imm(roll(p->d, 16))));
	else
		emit(p, qb_add(V3D_QPU_ADD_SHL, x, x, qb_imm(roll(p->d, 6))));
}

/* A number that the checker can follow, in an accumulator */
static uint16_t offset(struct program *p)
{
	const uint16_t x = accumulator(p);
	struct v3d_qpu_inst limit;

	switch (roll(p->d, 15)) {
	case 12: /* sums where bits do not meet; what more there may be where they do */
		emit(p, qb_add(V3D_QPU_ADD_SHL, x, QB_ELEMENT, qb_imm(roll(p->d, 8))));
		emit(p, qb_add(V3D_QPU_ADD_OR, x, x,
			       qb_imm(roll(p->d, slip(p, 2) ? 32 : 16) - (slip(p, 2) ? 16 : 0))));
		break;
	case 13:
		packed(p, x);
		break;
	case 0:
	case 1:
		emit(p, qb_add(slip(p, 3) ? V3D_QPU_ADD_MIN : V3D_QPU_ADD_MAX, x, x,
			       slip(p, 3) ? qb_imm(-1) : qb_imm(0)));
		limit = qb_add(slip(p, 3) ? V3D_QPU_ADD_MAX : V3D_QPU_ADD_MIN, x, x,
			       uniform(p, ROLE_LIMIT));
		if (slip(p, 3))
			limit.cond_add = roll(p->d, 8);
		if (slip(p, 3))
			limit.pack = roll(p->d, 16);
		emit(p, limit);
		break;
	case 2:
		emit(p, qb_add(V3D_QPU_ADD_SHL, x, QB_ELEMENT, qb_imm(roll(p->d, 8))));
		break;
	case 3:
		emit(p, qb_add(V3D_QPU_ADD_AND, x, x,
			       qb_imm(roll(p->d, slip(p, 2) ? 32 : 16) - (slip(p, 2) ? 16 : 0))));
		emit(p, qb_add(V3D_QPU_ADD_SHL, x, x, qb_imm(roll(p->d, 6))));
		break;
	case 4:		/* of a constant, the lesser one would be the limit */
		emit(p, qb_add(V3D_QPU_ADD_SUB, x, x, QB_ELEMENT));
		emit(p, qb_add(V3D_QPU_ADD_AND, x, x, uniform(p, ROLE_LIMIT)));
		break;
	case 5:
		emit(p,
		     qb_add(V3D_QPU_ADD_SHR, x, x,
			    qb_imm(slip(p, 2) ? (int)roll(p->d, 16) : -1 - (int)roll(p->d, 12))));
		break;
	case 6:
		emit(p, qb_ldi(x, 4 * roll(p->d, 64)));
		break;
	case 7:
		scaled(p, x);
		break;
	case 8:
		emit(p, !slip(p, 3) ? qb_ldi_unsigned(x, dice_word(p->d)) :
				      qb_ldi_signed(x, dice_word(p->d)));
		emit(p, qb_add(V3D_QPU_ADD_ADD, x, x, qb_imm(2 + roll(p->d, 8))));
		break;
	case 9:
		moved_limit(p, x);
		break;
	case 10:
		rows_by_pitch(p, x);
		break;
	case 11:
		selected(p, x);
		break;
	default:
		emit(p, qb_add(V3D_QPU_ADD_MAX, x, x, qb_imm(0)));
		emit(p, qb_add(V3D_QPU_ADD_MIN, x, x, qb_imm(roll(p->d, 16))));
		break;
	}
	if (slip(p, 3))
		emit_soup(p);
	return x;
}

/* A register that holds an address of this kind, from now on or since some time */
static uint16_t kept(struct program *p, enum role role)
{
	uint32_t n = roll(p->d, KEPT_REGISTERS);

	for (uint32_t i = 0; p->frozen && i < KEPT_REGISTERS && p->kept[n] != role + 1; i++)
		n = (n + 1) % KEPT_REGISTERS;
	if (p->kept[n] != role + 1 || (!p->frozen && one_in(p->d, 4))) {
		emit(p, qb_mov(QB_RA(KEPT + n), uniform(p, role)));
		if (!slip(p, 3))
			emit(p, qb_nop());
		p->kept[n] = role + 1;
		p->loaded |= 1u << n;
	}
	return QB_RA(KEPT + n);
}

/* An address goes to where it is used: base plus numbers, sometimes in steps. */
static void address(struct program *p, uint16_t to, enum role role)
{
	uint16_t x = offset(p), y;

	if (one_in(p->d, 3) && (!p->frozen || memchr(p->kept, role + 1, sizeof(p->kept)))) {
		emit(p, qb_add(V3D_QPU_ADD_ADD, to, x, kept(p, role)));
		return;
	}
	if (one_in(p->d, 4)) {
		y = offset(p);
		emit(p, qb_add(slip(p, 3) ? V3D_QPU_ADD_SUB : V3D_QPU_ADD_ADD, x, x, y));
	}
	if (one_in(p->d, 4)) {
		y = QB_R0 + ((x & 3) + 1) % 4;
		emit(p, qb_add(V3D_QPU_ADD_ADD, y, x, uniform(p, role)));
		if (slip(p, 3))
			emit_soup(p);
		emit(p, qb_mov(to, y));
	} else if (one_in(p->d, 8)) {
		emit(p, qb_mov(to, uniform(p, role)));
	} else if (one_in(p->d, 8)) {	/* one of two pointers */
		y = QB_R0 + ((x & 3) + 1) % 4;
		emit(p, qb_mov(y, uniform(p, role)));
		emit(p, qb_if(V3D_QPU_COND_ZS, qb_mov(y, uniform(p, role))));
		emit(p, qb_add(V3D_QPU_ADD_ADD, to, x, y));
	} else {
		emit(p, qb_add(slip(p, 6) ? V3D_QPU_ADD_OR : V3D_QPU_ADD_ADD, to, x,
			       uniform(p, slip(p, 6) ? ROLE_NUMBER : role)));
	}
}

static void direct(struct program *p)
{
	const uint32_t tmu = roll(p->d, 2),
		       count = one_in(p->d, 4) ? 1 + roll(p->d, slip(p, 4) ? 5 : 4) : 1;

	for (uint32_t i = 0; i < count; i++)
		address(p, TMU(tmu, 0), ROLE_READ);
	for (uint32_t i = slip(p, 6); i < count; i++)
		emit(p, qb_signal(V3D_QPU_SIG_LOAD_TMU0 + tmu, qb_nop()));
	if (one_in(p->d, 2))
		emit(p, qb_mov(accumulator(p), QB_R4));
}

static void lookup(struct program *p)
{
	const uint32_t tmu = roll(p->d, 2), count = 1 + roll(p->d, 3);
	static const uint8_t orders[4][4] = { { 0 }, { 1, 0 }, { 1, 2, 0 }, { 2, 1, 3, 0 } };

	if (one_in(p->d, 2))
		emit(p, qb_ldi(QB_R2, small_float(p->d)));
	else if (one_in(p->d, 2))
		make_coordinates(&p->b, p->d);
	for (uint32_t i = 0; i <= count; i++) {
		emit(p, qb_mov(TMU(tmu, orders[count][i]), accumulator(p)));
		(void)uniform(p, ROLE_TEXTURE0 + i);
	}
	emit(p, qb_signal(V3D_QPU_SIG_LOAD_TMU0 + tmu, qb_nop()));
}

/* 32 bits, halves or bytes from one of them on; 1 is none of these */
static uint32_t width(struct program *p)
{
	const uint32_t mode = roll(p->d, 8);

	return one_in(p->d, 2) || (mode == 1 && !slip(p, 2)) ? 0 : mode;
}

static struct v3d_vdr_setup load_setup(struct program *p)
{
	const bool far = one_in(p->d, 4);

	return (struct v3d_vdr_setup){
		.x = one_in(p->d, 2) ? 0 : roll(p->d, 16),
		.y = roll(p->d, slip(p, 2) ? 128
				: far	   ? 50
					   : 24),
		.vertical = one_in(p->d, 4),
		.vpitch = far ? roll(p->d, 16) : 1 + roll(p->d, 2),
		.nrows = far ? roll(p->d, 16) : 1 + roll(p->d, 8),
		.rowlen = roll(p->d, 16),
		.mpitch = roll(p->d, one_in(p->d, 2) ? 4 : one_in(p->d, 16) ? 16 : 10),
		.modew = width(p),
		.id = 1,
	};
}

/*
 * Does a transfer keep to the rows, also this many rows further? Asked to make another one, which
 * is nothing that is judged.
 */
static bool keeps_to_rows(uint32_t setup, uint32_t further, uint32_t stride, bool is_store)
{
	const struct v3dcl_dma dma = {
		.first = setup, .last = setup + (further << 4), .stride = stride, .store = is_store
	};

	return v3dcl_dma_rule(&dma) == V3DCL_RULE_NONE;
}

static void load(struct program *p)
{
	const struct v3d_vdr_stride stride = {
		.mpitchb = roll(p->d, one_in(p->d, 2) ? 128 : 1 << 14), .id = 9
	};
	const bool from_number = one_in(p->d, 4);
	struct v3d_vdr_setup setup = load_setup(p);

	while (!slip(p, 2) && !keeps_to_rows(v3d_word_vdr_setup(&setup), from_number ? 7 : 0,
					     v3d_word_vdr_stride(&stride), false))
		setup = load_setup(p);
	if (!setup.mpitch || one_in(p->d, 4))
		emit(p, qb_ldi(QB_VR_SETUP,
			       slip(p, 4) ? dice_word(p->d) : v3d_word_vdr_stride(&stride)));
	emit(p, qb_ldi(QB_VR_SETUP, slip(p, 4) ? dice_word(p->d) : v3d_word_vdr_setup(&setup)));
	if (from_number) {	/* its row from a number */
		const uint16_t x = offset(p);

		emit(p, qb_add(V3D_QPU_ADD_AND, x, x, qb_imm(7)));
		emit(p, qb_add(V3D_QPU_ADD_SHL, x, x, qb_imm(4)));
		emit(p, qb_ldi(QB_R0 + ((x & 3) + 1) % 4, v3d_word_vdr_setup(&setup)));
		emit(p, qb_add(V3D_QPU_ADD_ADD, QB_VR_SETUP, x, QB_R0 + ((x & 3) + 1) % 4));
	}
	address(p, QB_VDR_ADDR, ROLE_READ);
	if (one_in(p->d, 4))
		soup(p, 2);
	if (!slip(p, 3))
		emit(p, qb_mov(QB_NONE, QB_VDR_WAIT));
}

static struct v3d_vdw_setup store_setup(struct program *p)
{
	const bool horizontal = !one_in(p->d, 4);

	return (struct v3d_vdw_setup){
		.x = one_in(p->d, 2) ? 0 : roll(p->d, horizontal ? 16 : 8),
		.y = roll(p->d, slip(p, 2)   ? 128
				: horizontal ? 48
					     : 32),
		.horizontal = horizontal,
		.laned = slip(p, 4),
		.depth = 1 + roll(p->d, one_in(p->d, 4) ? 64 : 16),
		.units = 1 + roll(p->d, horizontal ? 16 : 8),
		.modew = width(p),
		.id = 2,
	};
}

/*
 * Block mode, of which there are two readings: rows of memory follow each other in the VPM, or each
 * begins a row or column further on. Under one of them the store ends where the rows of user
 * programs do, or a little before or behind that; under the other anywhere. So a checker that asks
 * about one only accepts many that leave the rows under the other.
 */
static struct v3d_vdw_setup block_setup(struct program *p)
{
	struct v3d_vdw_setup s = {
		.x = one_in(p->d, 2) ? 0 : roll(p->d, 16),
		.horizontal = !one_in(p->d, 4),
		.depth = 1 + roll(p->d, one_in(p->d, 2) ? 64 : 16),
		.units = 1 + roll(p->d, 20),
		.modew = width(p),
		.id = 2,
	};
	const bool packed = one_in(p->d, 2);
	const uint32_t log = s.modew >= 4 ? 2 : s.modew >= 2 ? 1 : 0;
	const uint32_t words = ((packed ? s.units * s.depth : s.depth) >> log) + 1;
	uint32_t rows;

	if (s.horizontal)
		rows = words / V3DCL_VPM_COLUMNS + (packed ? 1 : s.units);
	else
		rows = words;
	if (!s.horizontal && !packed)
		s.x = (V3DCL_VPM_COLUMNS + roll(p->d, 3) - 1 - s.units) & 15;
	s.y = rows < V3DCL_VPM_ROWS ? V3DCL_VPM_ROWS + roll(p->d, 3) - 1 - rows : roll(p->d, 2);
	return s;
}

static struct v3d_vdw_setup some_store(struct program *p, bool block)
{
	return block && one_in(p->d, 2) ? block_setup(p) : store_setup(p);
}

static void store(struct program *p)
{
	const struct v3d_vdw_stride stride = { .stride = roll(p->d, one_in(p->d, 4) ? 1 << 16 : 64),
					       .blockmode = one_in(p->d, 4),
					       .id = 3 };
	struct v3d_vdw_setup setup = some_store(p, stride.blockmode);

	while (!slip(p, 2) &&
	       !keeps_to_rows(v3d_word_vdw_setup(&setup), 0, v3d_word_vdw_stride(&stride), true))
		setup = some_store(p, stride.blockmode);
	emit(p, qb_ldi(QB_VW_SETUP, slip(p, 4) ? dice_word(p->d) : v3d_word_vdw_setup(&setup)));
	if (!slip(p, 3))
		emit(p, qb_ldi(QB_VW_SETUP, v3d_word_vdw_stride(&stride)));
	if (one_in(p->d, 6)) {	/* its stride from a uniform */
		emit(p, qb_ldi(QB_R1, v3d_word_vdw_stride(&(struct v3d_vdw_stride){ .id = 3 })));
		emit(p, qb_add(V3D_QPU_ADD_ADD, QB_VW_SETUP, QB_R1, uniform(p, ROLE_NUMBER)));
	}
	address(p, QB_VDW_ADDR, ROLE_WRITE);
	if (one_in(p->d, 4))
		soup(p, 2);
	if (!slip(p, 3))
		emit(p, qb_mov(QB_NONE, QB_VDW_WAIT));
}

static void vpm(struct program *p)
{
	const bool horizontal = !one_in(p->d, 4);
	const uint32_t size = one_in(p->d, 2) ? V3D_VPM_32BIT : roll(p->d, 3),
		       count = 1 + roll(p->d, 4);
	const uint32_t at = roll(p->d, slip(p, 2) ? 256 : horizontal ? 48 : 16);
	const struct v3d_vpm_read_setup read = { .address = at, .size = size,
						 .horizontal = horizontal, .stride = 1,
						 .laned = one_in(p->d, 4), .number = count };
	const struct v3d_vpm_write_setup write = { .address = at, .size = size,
						   .horizontal = horizontal, .stride = 1,
						   .laned = one_in(p->d, 4) };
	uint32_t i;

	if (one_in(p->d, 2)) {
		emit(p, qb_ldi(QB_VW_SETUP, slip(p, 4) ? dice_word(p->d) & 0x3fffffff :
							 v3d_word_vpm_write_setup(&write)));
		for (i = roll(p->d, 5); i; i--)
			emit(p, qb_mov(QB_VPM_WRITE, accumulator(p)));
		return;
	}
	emit(p, qb_ldi(QB_VR_SETUP,
		       slip(p, 4) ? dice_word(p->d) & 0x3fffffff : v3d_word_vpm_read_setup(&read)));
	for (i = slip(p, 4); i < 3; i++)
		emit(p, qb_nop());
	for (i = slip(p, 4); i < count; i++)
		emit(p, qb_mov(accumulator(p), QB_VPM_READ));
}

/* The stream goes on at another word: its address is the next uniform. */
static void reset(struct program *p, uint32_t to)
{
	emit(p, qb_ldi(QB_R3, (to - slip(p, 8)) * 4));
	emit(p, qb_add(V3D_QPU_ADD_ADD, QB_UNIF_ADDR, QB_R3, QB_UNIF));
	emit(p, qb_nop());
	emit(p, qb_nop());
}

/* The same, and the uniform is a new one: behind it, or back at a word */
static void go_on(struct program *p)
{
	(void)uniform(p, ROLE_STREAM);
	reset(p, p->words);
}

static void go_back(struct program *p, uint32_t to)
{
	(void)uniform(p, ROLE_STREAM);
	reset(p, to);
}

static void shared(struct program *p)
{
	const uint32_t n = roll(p->d, 16);

	if (one_in(p->d, 2)) {
		qb_mutex_lock(&p->b);
		soup(p, 2);
		if (!slip(p, 3))
			qb_mutex_unlock(&p->b);
	} else {
		emit(p, qb_sema_up(n));
		soup(p, 1);
		if (!slip(p, 3))
			emit(p, qb_sema_down(n));
	}
}

static void access(struct program *p)
{
	static void (*const kinds[])(struct program *) = { direct, direct, lookup, load,
							   load, store, store };

	kinds[roll(p->d, sizeof(kinds) / sizeof(kinds[0]))](p);
}

void program_steps(struct program *p, bool accesses)
{
	soup(p, 3);
	if (accesses)
		access(p);
}

static void step(struct program *p, uint32_t depth);

static const uint8_t conditions[] = { V3D_QPU_BRANCH_ALL_ZS, V3D_QPU_BRANCH_ANY_ZC,
				      V3D_QPU_BRANCH_ANY_NS, V3D_QPU_BRANCH_ALL_CC,
				      V3D_QPU_BRANCH_ALWAYS };

static void slots(struct program *p)
{
	for (uint32_t i = 0; i < V3D_QPU_BRANCH_SLOTS; i++)
		emit(p, one_in(p->d, 6) ? qb_mov(accumulator(p), QB_R1) : qb_nop());
}

/*
 * Where paths meet, the stream has to be at the same word on both: at that where they parted, which
 * holds the stream's address.
 */
static void branch(struct program *p, uint32_t depth)
{
	const uint32_t at = p->b.count, word = p->words;
	const bool reads = depth && one_in(p->d, 2);
	const uint32_t loaded = p->loaded;

	p->loaded = 0;
	qb_branch_to(&p->b,
		     conditions[roll(p->d, sizeof(conditions) - !(slip(p, 4) || one_in(p->d, 16)))],
		     0);
	slots(p);
	soup(p, 2);
	if (reads) {
		go_on(p);
		step(p, depth - 1);
		go_back(p, word);
	}
	emit(p, qb_nop());
	qb_patch(&p->b, at, p->b.count - (slip(p, 4) ? roll(p->d, 4) : 0));
	if (reads)
		reset(p, p->words);
	/* What only one of the paths has loaded is not known where they meet. */
	for (uint32_t i = 0; i < KEPT_REGISTERS && !slip(p, 4); i++)
		p->kept[i] = p->loaded >> i & 1 ? 0 : p->kept[i];
	p->loaded |= loaded;
}

static void loop(struct program *p, uint32_t depth)
{
	const uint16_t counter = QB_RA(8 + depth);
	uint32_t at, word;

	emit(p, qb_ldi(counter, 1 + roll(p->d, 4)));
	/*
	 * What a round loads is not what was there before the first: either nothing is loaded, or
	 * nothing was there.
	 */
	p->frozen = one_in(p->d, 2) && !slip(p, 4);
	if (!p->frozen && !slip(p, 4))
		memset(p->kept, 0, sizeof(p->kept));
	at = p->b.count;
	word = p->words;
	go_on(p);
	if (depth && one_in(p->d, 2))
		step(p, depth - 1);
	else
		soup(p, 3);
	if (!slip(p, 3))
		go_back(p, word);
	emit(p, qb_flags(qb_add(V3D_QPU_ADD_SUB, counter, counter, qb_imm(1))));
	qb_branch_to(&p->b, V3D_QPU_BRANCH_ANY_ZC, at);
	slots(p);
	reset(p, p->words);
	p->frozen = false;
}

/*
 * A subroutine that stands before it is called, or the link of the branch past it is: twice, if it
 * reads no uniforms, which would be others the second time
 */
static void call(struct program *p)
{
	const uint32_t over = p->b.count, calls = 1 + roll(p->d, 2);
	const uint32_t link = 31 - roll(p->d, 2), where = one_in(p->d, 3) ? 29 - roll(p->d, 2) : 0;
	uint32_t at;

	emit(p, qb_branch(V3D_QPU_BRANCH_ALWAYS, true, 0, where ? QB_RA(where) : QB_NONE));
	slots(p);
	at = p->b.count;
	soup(p, 3);
	if (calls == 1 && one_in(p->d, 2))
		access(p);
	emit(p, qb_branch_register(qb_branch(V3D_QPU_BRANCH_ALWAYS, false, 0, QB_NONE),
				   slip(p, 3) ? 31 - roll(p->d, 2) : link));
	slots(p);
	qb_patch(&p->b, over, p->b.count);
	for (uint32_t i = 0; i < calls; i++) {
		if (where)
			emit(p, qb_branch_register(qb_branch(V3D_QPU_BRANCH_ALWAYS, false, 0,
							     QB_RA(slip(p, 3) ? where : link)),
						   where));
		else
			emit(p, qb_branch(V3D_QPU_BRANCH_ALWAYS, true,
					  (at - p->b.count - V3D_QPU_BRANCH_SLOTS - 1) *
						  V3D_QPU_INSTRUCTION_BYTES,
					  QB_RA(link)));
		slots(p);
	}
}

static void step(struct program *p, uint32_t depth)
{
	if (p->b.count + 80 > p->b.capacity || p->words + 12 > PROGRAM_WORDS)
		return;
	switch (roll(p->d, 13)) {
	case 6:
		(one_in(p->d, 2) ? call : program_calls)(p);
		break;
	case 7:
		vpm(p);
		break;
	case 8:
		shared(p);
		break;
	case 9:
		branch(p, depth);
		break;
	case 10:
		loop(p, depth);
		break;
	case 11:
		soup(p, 5);
		break;
	default:
		access(p);
		break;
	}
}

/* The end, and a path that leads past it, to where nothing ends */
static void end_past(struct program *p)
{
	const uint32_t at = program_begin_path(&p->b, p->d);

	qb_end(&p->b);
	qb_patch(&p->b, at, p->b.count);
	soup(p, 3);
	emit(p, qb_nop());
}

uint32_t program_write(struct program *p, uint64_t *code)
{
	/* Where one wrong thing is: first of all, before the steps, behind them, at the end */
	const uint32_t wrong = p->wild ? 4 : roll(p->d, WRONG_ONE_IN * 4);
	uint32_t i, count;

	qb_init(&p->b, code, MAKE_CODE - 16);
	if (!wrong)
		program_wrong(p);
	begin(p);
	if (wrong == 1)
		program_wrong(p);
	if (p->up)
		emit(p, qb_sema_up(p->up - 1));
	if (p->down)
		emit(p, qb_sema_down(p->down - 1));
	emit_soup(p);	/* so that few programs are alike */
	emit_soup(p);
	if (!one_in(p->d, 16))
		access(p);
	for (i = roll(p->d, 4); i; i--)
		step(p, 1);
	if (wrong == 2)
		program_wrong(p);
	if (one_in(p->d, 8))
		qb_host_int(&p->b);
	emit(p, qb_nop());
	p->b.capacity = MAKE_CODE;
	if (wrong == 3 && one_in(p->d, 4))
		end_past(p);
	else
		qb_end(&p->b);
	if (wrong == 3 && one_in(p->d, 4))
		make_wrong_end(&p->b, p->d);
	count = p->b.count;
	for (i = p->wild ? roll(p->d, 3) : 0; i; i--)
		count = make_mutant(p->d, code, count);
	return count;
}
