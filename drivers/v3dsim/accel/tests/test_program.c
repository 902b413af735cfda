// SPDX-License-Identifier: MIT
/*
 * Programs as a whole against qpu_run(): the same random fragment shaders with a budget that lets
 * them run at once, and with one of an instruction at a time, which only qpu_run() can do. Tile,
 * instructions, time and counters must be the same.
 */
#include "tests/scene.h"
#include "tests/xorshift.h"

#define BODY 24

static uint64_t seed;
static unsigned int requests;	/* to TMU 0 that the program being written has outstanding */

static uint32_t any(uint32_t below)
{
	return (xorshift(&seed) >> 20) % below;
}

/*
 * What results and operands are: few enough that they meet, and not the register that the
 * instruction before wrote
 */
static uint16_t any_source(bool b)
{
	static const uint16_t accumulators[] = { QB_R0, QB_R1, QB_R2, QB_R3, QB_R4, QB_R5 };

	if (any(3))
		return accumulators[any(6)];
	return b ? QB_RB(any(2) ? 15 : any(4)) : QB_RA(any(2) ? 15 : any(4));
}

static uint16_t any_target(void)
{
	static const uint16_t targets[] = { QB_R0, QB_R1, QB_R2, QB_R3, QB_R0,
					    QB_R1, QB_R2, QB_R3, QB_R5QUAD, QB_R5REP };

	if (any(4))
		return targets[any(10)];
	return any(2) ? QB_RA(any(4)) : QB_RB(any(4));
}

static struct v3d_qpu_inst any_add(void)
{
	static const uint8_t ops[] = { 1, 2, 3, 4, 5, 6, 7, 8, 12, 13, 14, 15,
				       16, 17, 18, 19, 20, 21, 22, 23, 24, 30, 31 };

	return qb_add(ops[any(sizeof(ops))], any_target(), any_source(false), any_source(true));
}

static struct v3d_qpu_inst any_mul(void)
{
	struct v3d_qpu_inst i = qb_mul(1 + any(7), any_target(), any_source(false),
				       any_source(true));

	return any(3) ? i : qb_pack(3 + any(5), true, i);
}

/* One instruction of what fragment shaders consist of */
static struct v3d_qpu_inst any_instruction(void)
{
	static const uint16_t io[] = {
		QB_IO(V3D_QPU_W_TLB_COLOUR_ALL), QB_IO(V3D_QPU_W_TLB_Z),
		QB_IO(V3D_QPU_W_MS_REV_FLAGS), QB_RECIP, QB_EXP,
	};
	static const uint16_t ports[] = {
		QB_UNIF, QB_RA(V3D_QPU_R_VARYING), QB_RB(V3D_QPU_R_VARYING),
		QB_RA(V3D_QPU_R_PIXEL_COORD),
		QB_RB(V3D_QPU_R_PIXEL_COORD), QB_RA(V3D_QPU_R_MS_REV_FLAGS), QB_ELEMENT, QB_QPU,
	};
	struct v3d_qpu_inst i;

	switch (any(14)) {
	case 0:
		return qb_mov(any(4) ? io[any(5)] : QB_NONE, any_source(any(2)));
	case 1:
		return qb_add(V3D_QPU_ADD_FADD, any(3) ? any_target() : io[any(5)], ports[any(8)],
			      QB_R1);
	case 2:
		return qb_mul(V3D_QPU_MUL_FMUL, any_target(), ports[any(8)],
			      any_source(false) | 0x1000);
	case 3:
		return qb_ldi(any_target(), seed >> 9);
	case 4:
		return qb_signal(any(2) ? V3D_QPU_SIG_LOAD_COLOR : V3D_QPU_SIG_THREAD_SWITCH,
				 qb_nop());
	case 5:
		i = qb_mul(V3D_QPU_MUL_FMUL, any_target(), QB_R4, QB_R0);
		i.pm = 1;
		i.unpack = any(8);
		return i;
	case 6:
		return qb_flags(any_add());
	case 7:
		return qb_if(any(8), any_add());
	case 8:
		return any_mul();
	case 9:
		return qb_nop();
	case 10:
		if (requests == 4)
			return qb_nop();
		requests++;
		return qb_ldi(QB_TMU0_S, UNIFORMS + 4 * any(64));
	case 11:
		if (!requests)
			return qb_nop();
		requests--;
		return qb_signal(V3D_QPU_SIG_LOAD_TMU0, qb_mov(any_target(), any_source(any(2))));
	default:
		return qb_both(any_add(), any_mul());
	}
}

static void write_program(struct scene *s)
{
	qb_init(&s->b, s->code, 64);
	requests = 0;
	for (unsigned int n = 0; n < BODY; n++) {
		const unsigned int before = requests;
		const struct qb kept = s->b;

		qb_emit(&s->b, any_instruction());
		if (s->b.failed) {		/* what cannot be encoded */
			s->b = kept;
			requests = before;
		}
	}
	qb_emit(&s->b, qb_nop());
	qb_emit(&s->b, qb_mov(QB_IO(V3D_QPU_W_TLB_COLOUR_ALL), QB_R0));
	qb_end(&s->b);
	place_shader(s);
}

struct outcome {
	uint32_t color[TLB_PIXELS], zs[TLB_PIXELS];
	uint64_t instructions, time, counters[V3D_COUNTER_COUNT];
};

static void run(struct scene *s, uint64_t each, struct outcome *out)
{
	struct tlb_buffer *tile = &s->sim->tlb->buffers[0];
	const uint64_t instructions = s->sim->stats.instructions, time = s->sim->shade[1].qpu->now;
	enum sim_result result;

	memset(s->sim->pctr.totals, 0, sizeof(s->sim->pctr.totals));
	memset(tile->color, 0x5a, sizeof(tile->color));
	memset(tile->zs, 0x7f, sizeof(tile->zs));
	do {
		uint64_t budget = each;

		result = pse_primitive(s->sim, &s->primitive, &budget);
	} while (result == SIM_MORE);
	assert_int_equal(result, SIM_DONE);
	memcpy(out->color, tile->color, sizeof(out->color));
	memcpy(out->zs, tile->zs, sizeof(out->zs));
	out->instructions = s->sim->stats.instructions - instructions;
	out->time = s->sim->shade[1].qpu->now - time;
	memcpy(out->counters, s->sim->pctr.totals, sizeof(out->counters));
}

static void test_random(void **state)
{
	struct scene *s = *state;
	static struct outcome whole, stepped;
	unsigned int good = 0;

	seed = 88172645463325252u;
	configure(s, BOTH_FACES | 4 << 12 | 1 << 15);
	s->shader.varyings = 3;
	for (unsigned int n = 0; n < 3; n++)
		for (unsigned int i = 0; i < 3; i++)
			s->vertex[n].varying[i] = (n * 3 + i) % 5 - 1.5f;
	for (unsigned int n = 0; n < 64; n++)
		chip_put(s->chip, UNIFORMS + 4 * n, (const uint8_t[]){ LE32(n * 0x01234567u) }, 4);
	at(s, 0, 3, 1);
	at(s, 1, 14, 5);
	at(s, 2, 6, 12);
	for (unsigned int n = 0; n < 1500; n++) {
		write_program(s);
		run(s, 1000000, &whole);
		good += !!s->sim->pse->quads.program;
		run(s, 1, &stepped);
		assert_memory_equal(whole.color, stepped.color, sizeof(whole.color));
		assert_memory_equal(whole.zs, stepped.zs, sizeof(whole.zs));
		assert_int_equal(whole.instructions, stepped.instructions);
		assert_int_equal(whole.time, stepped.time);
		assert_memory_equal(whole.counters, stepped.counters, sizeof(whole.counters));
		assert_int_equal(whole.counters[V3D_COUNTER_qpu_fragment_cycles], whole.time * 4);
	}
	print_message("# %u programs ran as a whole\n", good);
	assert_true(good > 150);
}

/* Another program at the same address is another program, and so are other uniforms at theirs. */
static void test_changes(void **state)
{
	struct scene *s = *state;

	square_at(s, 0, 0, 8);
	for (uint32_t n = 1; n < 4; n++) {
		qb_init(&s->b, s->code, 64);
		qb_emit(&s->b, qb_add(V3D_QPU_ADD_ADD, QB_IO(V3D_QPU_W_TLB_COLOUR_ALL), QB_UNIF,
				      qb_imm(n)));
		qb_end(&s->b);
		place_shader(s);
		put_uniform(s, 100 * n);
		assert_int_equal(draw(s), SIM_DONE);
		assert_non_null(s->sim->pse->quads.program);
		assert_int_equal(pixel(s, 0, 0), 101 * n);
		put_uniform(s, 1000);
		assert_int_equal(draw(s), SIM_DONE);
		assert_int_equal(pixel(s, 0, 0), 1000 + n);
	}
}

/* An instruction that breaks a rule is qpu_run()'s, so that it is counted. */
static void test_refused(void **state)
{
	struct scene *s = *state;

	put_uniform(s, 7);
	square_at(s, 0, 0, 8);
	qb_emit(&s->b, qb_mov(QB_RA(1), QB_UNIF));
	qb_emit(&s->b, qb_mov(QB_IO(V3D_QPU_W_TLB_COLOUR_ALL), QB_RA(1)));	/* not there yet */
	qb_end(&s->b);
	place_shader(s);
	assert_int_equal(draw(s), SIM_DONE);
	assert_null(s->sim->pse->quads.program);
	assert_int_equal(pixel(s, 0, 0), 0);
	/* 8 + 7 + ... + 1 quads are 9 batches */
	assert_int_equal(s->sim->stats.broken_rules, 9);
}

/* Longer than what is made ready: its end counts, wherever it is. */
static void test_long(void **state)
{
	static const unsigned int nops[] = { 508, 509, 510, 511, 512, 600 };
	struct scene *s = *state;
	uint64_t code[8];

	square_at(s, 0, 0, 8);
	for (uint32_t n = 0; n < sizeof(nops) / sizeof(nops[0]); n++) {
		uint32_t at_byte = 0;

		put_uniform(s, 50 + n);
		qb_init(&s->b, code, 8);
		qb_emit(&s->b, qb_nop());
		for (; at_byte < nops[n] * 8; at_byte += 8)
			chip_put(s->chip, CODE + at_byte, (const uint8_t *)code, 8);
		qb_init(&s->b, code, 8);
		qb_emit(&s->b, qb_mov(QB_IO(V3D_QPU_W_TLB_COLOUR_ALL), QB_UNIF));
		qb_end(&s->b);
		chip_put(s->chip, CODE + at_byte, (const uint8_t *)code, s->b.count * 8);
		assert_int_equal(draw(s), SIM_DONE);
		assert_int_equal(!!s->sim->pse->quads.program, nops[n] + 4 <= 512);
		assert_int_equal(pixel(s, 0, 0), 50 + n);
	}
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
	const struct CMUnitTest tests[] = { TEST(test_random), TEST(test_changes),
					    TEST(test_refused), TEST(test_long) };

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests_name("program", tests, NULL, NULL);
}
