// SPDX-License-Identifier: MIT
/*
 * Which way the checker takes through each instruction: the short one, of bits alone (s) or with a look at values (v), or the long
 * one (l). All come to the same, which test_quiet holds; here is what has to be quick, and which values of a shader are followed.
 *
 * The linker puts functions of this file between those of the checker.
 */
#include "../quiet.h"

#include "prove.h"

bool __real_v3dcl_run(struct v3dcl_prover *p);
bool __real_v3dcl_step(struct v3dcl_prover *p, __u64 word);
bool __real_v3dcl_store_values(struct v3dcl_prover *p, const struct v3dcl_facts *f);
bool __real_v3dcl_look_at(struct v3dcl_prover *p, struct v3dcl_view *v, struct v3dcl_facts *f, __u64 bad, __u64 late_bad);
void __real_v3dcl_store_result(struct v3dcl_state *to, const struct v3dcl_result *from, struct v3dcl_places *late, __u64 *bad);
bool __real_v3dcl_find_rows(struct v3dcl_prover *p, struct v3dcl_shader *shader);
bool __wrap_v3dcl_run(struct v3dcl_prover *p);
bool __wrap_v3dcl_step(struct v3dcl_prover *p, __u64 word);
bool __wrap_v3dcl_store_values(struct v3dcl_prover *p, const struct v3dcl_facts *f);
bool __wrap_v3dcl_look_at(struct v3dcl_prover *p, struct v3dcl_view *v, struct v3dcl_facts *f, __u64 bad, __u64 late_bad);
void __wrap_v3dcl_store_result(struct v3dcl_state *to, const struct v3dcl_result *from, struct v3dcl_places *late, __u64 *bad);
bool __wrap_v3dcl_find_rows(struct v3dcl_prover *p, struct v3dcl_shader *shader);

static char ways[256], followed[256]; /* a character an instruction */
static bool across;

/* How often: a shader was run with regard to values; something was looked at, bytes were; rows were looked for */
static struct {
	unsigned int runs, looks, bytes, rows;
} counts;

/* Nothing has been looked at. */
static void forget(void)
{
	memset(ways, 's', sizeof(ways));
	memset(followed, '-', sizeof(followed));
	memset(&counts, 0, sizeof(counts));
	across = false;
}

/* What is followed is known. */
bool __wrap_v3dcl_run(struct v3dcl_prover *p)
{
	forget();
	counts.runs = 1;
	for (__u32 i = 0; i < p->count; i++)
		followed[i] = p->followed[i / 32] >> i % 32 & 1 ? 'f' : '-';
	across = p->across;
	return __real_v3dcl_run(p);
}

bool __wrap_v3dcl_step(struct v3dcl_prover *p, __u64 word)
{
	ways[p->at] = 'l';
	return __real_v3dcl_step(p, word);
}

bool __wrap_v3dcl_store_values(struct v3dcl_prover *p, const struct v3dcl_facts *f)
{
	ways[p->at] = ways[p->at] == 'l' ? 'l' : 'v';
	return __real_v3dcl_store_values(p, f);
}

bool __wrap_v3dcl_look_at(struct v3dcl_prover *p, struct v3dcl_view *v, struct v3dcl_facts *f, __u64 bad, __u64 late_bad)
{
	counts.looks++;
	return __real_v3dcl_look_at(p, v, f, bad, late_bad);
}

void __wrap_v3dcl_store_result(struct v3dcl_state *to, const struct v3dcl_result *from, struct v3dcl_places *late, __u64 *bad)
{
	counts.bytes++;
	__real_v3dcl_store_result(to, from, late, bad);
}

bool __wrap_v3dcl_find_rows(struct v3dcl_prover *p, struct v3dcl_shader *shader)
{
	counts.rows++;
	return __real_v3dcl_find_rows(p, shader);
}

static bool is_shader;

/* Nothing is known of r0 to r5, the flags, registers 0 to 4 of both files: as shader_begin() */
static void begin(bool shader)
{
	struct test_shader t;

	is_shader = shader;
	shader_begin(&t);
	start();
	forget();
	b.count = t.b.count;
	memcpy(code, t.code, t.b.count * sizeof(code[0]));
}

static void judge(void)
{
	const __u64 *words = (const __u64 *)code;
	struct v3dcl_shader found;
	bool good;

	qb_end(&b);
	if (is_shader)
		good = v3dcl_check_shader(words, b.count, scratch, v3dcl_shader_scratch(words, b.count), &found, &refusal);
	else
		good = check();
	if (!good)
		print_message("# instruction %d: %s\n", (int)(refusal.offset / 8) - PRELUDE, v3dcl_rule_text(refusal.rule));
	assert_false(b.failed);
	assert_true(good);
}

/* A character each of the instructions after begin(); the way of those with a dot does not matter. */
static void expect(const char *seen, const char *expected)
{
	for (unsigned int i = 0; i < strlen(expected); i++)
		if (expected[i] != '.' && seen[PRELUDE + i] != expected[i]) {
			print_message("# instruction %u: %.*s, not %s\n", i, (int)strlen(expected), seen + PRELUDE, expected);
			assert_int_equal(seen[PRELUDE + i], expected[i]);
		}
}

#define WAYS(shader, expected, body) \
	do { \
		begin(shader); \
		body \
		judge(); \
		expect(ways, expected); \
	} while (0)
#define SHADER(expected, body) WAYS(true, expected, body)
#define PROGRAM(expected, body) WAYS(false, expected, body)

/* All instructions after begin() go this way. */
static void expect_all(char way)
{
	char all[256];

	memset(all, way, sizeof(all));
	all[b.count - PRELUDE] = '\0';
	judge();
	expect(ways, all);
}

/* What of a shader, of which nothing is asked but that, is followed; @all: values go from block to block, so that all are */
#define FOLLOWS(expected, all, body) \
	do { \
		begin(true); \
		body \
		qb_end(&b); \
		assert_false(b.failed); \
		v3dcl_check_shader((const __u64 *)code, b.count, scratch, sizeof(scratch), &(struct v3dcl_shader){ 0 }, &refusal); \
		assert_int_equal(across, all); \
		expect(followed, expected); \
	} while (0)

/* An instruction with an operand's register named, or a field set, that it makes no use of */
static struct v3d_qpu_inst naming(struct v3d_qpu_inst inst, int a, int b_side)
{
	inst.raddr_a = a < 0 ? inst.raddr_a : a;
	inst.raddr_b = b_side < 0 ? inst.raddr_b : b_side;
	return inst;
}

#define UNPACKED(inst) qb_unpack(1, false, inst)
#define RESET(bytes) E(qb_ldi(QB_R3, bytes)) E(ADD(QB_UNIF_ADDR, QB_R3, QB_UNIF)) NOP NOP E(qb_mov(QB_R0, QB_UNIF))
#define MUL(name, dst, x, y) E(qb_mul(V3D_QPU_MUL_##name, dst, x, y))
#define ITOF(dst) qb_add(V3D_QPU_ADD_ITOF, dst, QB_R1, QB_R1)
#define CLZ(dst, src) qb_add(V3D_QPU_ADD_CLZ, dst, src, src)
#define DIRECT(value) ADD(QB_TMU0_S, value, QB_UNIF)
#define DIRECT_OF_A(value) ADD(QB_TMU0_S, value, QB_UNIF_B)

/* Each operation of one ALU beside each of the other one */
TEST(test_operations)
{
	(void)state;
	begin(true);
	for (unsigned int add = 0; add < 32; add++)
		for (unsigned int mul = 0; mul < 8 && v3dcl_op_exists(add); mul++) {
			struct v3d_qpu_inst inst = qb_both(qb_add(add, QB_R0, QB_R1, QB_R2), qb_mul(mul, QB_R3, QB_R2, QB_R1));

			inst.waddr_add = add ? inst.waddr_add : V3D_QPU_W_NOP;
			inst.waddr_mul = mul ? inst.waddr_mul : V3D_QPU_W_NOP;
			qb_emit(&b, inst);
		}
	assert_int_equal(b.count, PRELUDE + 24 * 8);
	expect_all('s');
}

/* Both ALUs and a load give to each of some places, with nothing to wait for between. */
static void give_to(const uint16_t *places, unsigned int count, unsigned int nops)
{
	for (unsigned int i = 0; i < count; i++) {
		qb_emit(&b, qb_add(V3D_QPU_ADD_FADD, places[i], QB_R1, QB_R2));
		qb_nops(&b, nops);
		qb_emit(&b, qb_mul(V3D_QPU_MUL_FMUL, places[i], QB_R1, QB_R2));
		qb_nops(&b, nops);
	}
}

#define GIVE_TO(places, nops) give_to(places, sizeof(places) / sizeof((places)[0]), nops)

/* Where results may go */
TEST(test_results)
{
	static const uint16_t registers[] = {
		QB_RA(0), QB_RA(31), QB_RB(0), QB_RB(31), QB_R0, QB_R1, QB_R2, QB_R3, QB_R5QUAD, QB_R5REP,
	};
	static const uint16_t functions[] = { QB_RECIP, QB_RSQRT, QB_EXP, QB_LOG };
	static const uint16_t tile[] = {
		QB_IO(V3D_QPU_W_QUAD_XY), QB_IO(V3D_QPU_W_MS_REV_FLAGS), QB_IO(V3D_QPU_W_TLB_STENCIL_SETUP), QB_IO(V3D_QPU_W_TLB_Z),
		QB_IO(V3D_QPU_W_TLB_COLOUR_MS), QB_IO(V3D_QPU_W_TLB_COLOUR_ALL),
	};

	(void)state;
	begin(true);
	GIVE_TO(registers, 0);
	GIVE_TO(functions, 2);
	GIVE_TO(tile, 0);
	expect_all('s');
	/* all values of a user program are followed */
	begin(false);
	GIVE_TO(registers, 0);
	expect_all('v');
	PROGRAM("vvv", E(qb_mov(QB_RECIP, QB_R1)) NOP NOP);
	/* loads */
	SHADER("ssss", E(qb_ldi(QB_R0, 1)) E(qb_ldi(QB_RA(9), 1)) E(qb_ldi(QB_RB(9), 1)) E(qb_ldi(QB_R5REP, 1)));
	SHADER("sss", E(qb_ldi(QB_VW_SETUP, qb_word_vpm_write(0))) E(qb_mov(QB_VPM_WRITE, QB_R0))
	       E(qb_mul_mov(QB_VPM_WRITE, QB_R0)));
	PROGRAM("vv", E(qb_ldi(QB_R0, 1)) E(qb_ldi(QB_RA(9), 1)));
}

/* What may be read */
TEST(test_sources)
{
	static const uint16_t sources[] = {
		QB_R0, QB_R1, QB_R2, QB_R3, QB_R4, QB_R5, QB_RA(0), QB_RB(4), QB_RA(15), QB_RB(15), QB_UNIF, QB_UNIF_B,
			QB_ELEMENT, QB_QPU,
		QB_RA(V3D_QPU_R_VARYING), QB_RB(V3D_QPU_R_VARYING), QB_RA(V3D_QPU_R_PIXEL_COORD), QB_RB(V3D_QPU_R_PIXEL_COORD),
		QB_RA(V3D_QPU_R_MS_REV_FLAGS), QB_RB(V3D_QPU_R_MS_REV_FLAGS), QB_SMALL(0), QB_SMALL(31), QB_SMALL(47),
	};

	(void)state;
	begin(true);
	for (unsigned int i = 0; i < sizeof(sources) / sizeof(sources[0]); i++) {
		qb_emit(&b, qb_add(V3D_QPU_ADD_FADD, QB_R0, sources[i], QB_R2));
		qb_emit(&b, qb_mul(V3D_QPU_MUL_FMUL, QB_R0, QB_R1, sources[i]));
	}
	expect_all('s');
	SHADER("sss", E(qb_ldi(QB_VR_SETUP, qb_word_vpm_read(0, 2))) E(qb_mov(QB_R0, QB_VPM_READ)) E(qb_mov(QB_R0, QB_VPM_READ_B)));
	/* what was written in part, which leaves something */
	SHADER("ssss", E(qb_if(V3D_QPU_COND_ZS, qb_mov(QB_RA(9), QB_R0))) E(qb_if(V3D_QPU_COND_ZS, qb_mul_mov(QB_RB(9), QB_R0)))
	       E(qb_mov(QB_R0, QB_RA(9))) E(qb_mov(QB_R0, QB_RB(9))));
}

/* r4, while it is made: only who reads it has to wait. And what a TMU gives */
TEST(test_r4)
{
	(void)state;
	SHADER("ssss", E(qb_mov(QB_RECIP, QB_R0)) OP(FADD, QB_R0, QB_R1, QB_R5) MUL(FMUL, QB_R0, QB_R1, QB_R5)
	       E(qb_mov(QB_R0, QB_R4)));
	SHADER("ssss", E(qb_mov(QB_TMU0_T, QB_R0)) E(qb_mov(QB_TMU0_S, QB_R0)) E(SIG(LOAD_TMU0, qb_nop())) E(qb_mov(QB_R0, QB_R4)));
	SHADER("sss", E(qb_mov(QB_IO(V3D_QPU_W_TMU1_T), QB_R0)) E(qb_mov(QB_TMU1_S, QB_R0))
	       E(SIG(LOAD_TMU1, qb_mov(QB_R0, QB_R1))));
	SHADER("ss", E(SIG(WAIT_SCOREBOARD, qb_nop())) E(SIG(UNLOCK_SCOREBOARD, qb_mov(QB_R0, QB_R1))));
}

/* Conditions, packs, flags */
TEST(test_unusual)
{
	(void)state;
	for (unsigned int condition = 1; condition < 8; condition++) {
		SHADER("ss", E(qb_if(condition, qb_mov(QB_R0, QB_R1))) E(qb_if(condition, qb_mul_mov(QB_R0, QB_R1))));
		SHADER("ss", E(qb_if(condition, qb_ldi(QB_R0, 1))) E(qb_if(condition, qb_flags(qb_mov(QB_R0, QB_R1)))));
		SHADER("s", E(qb_unpack(0, true, qb_if(condition, qb_mov(QB_R0, QB_R1)))));
		PROGRAM("vv", E(qb_if(condition, qb_mov(QB_R0, QB_R1))) E(qb_if(condition, qb_mul_mov(QB_R0, QB_R1))));
	}
	SHADER("ss", E(qb_flags(qb_mov(QB_NONE, QB_R1))) E(qb_flags(qb_mul_mov(QB_NONE, QB_R1))));
	for (unsigned int pack = 1; pack < 16; pack++) {
		SHADER("ss", E(qb_pack(pack, false, qb_mov(QB_RA(1), QB_R1))) E(qb_pack(pack, false, qb_ldi(QB_RA(1), 7))));
		PROGRAM("vv", E(qb_pack(pack, false, qb_mov(QB_RA(1), QB_R1))) E(qb_pack(pack, false, qb_ldi(QB_RA(1), 7))));
		/* of a register of which nobody has written the rest */
		SHADER("s.s", E(qb_pack(pack, false, qb_mov(QB_RA(9), QB_R1))) NOP E(qb_pack(pack, false, CLZ(QB_RA(10), QB_R1))));
		SHADER("s", E(qb_pack(pack, false, qb_ldi(QB_RA(9), 7))));
	}
	for (unsigned int pack = 3; pack < 8; pack++)
		SHADER("s", E(qb_pack(pack, true, qb_mul_mov(QB_RB(1), QB_R1))));
	/* of a shader from whose values an address is made, the others */
	SHADER("vv.s", E(qb_ldi(QB_R0, 0)) OP(MIN, QB_R0, QB_R0, QB_UNIF) E(DIRECT(QB_R0))
	       E(qb_if(V3D_QPU_COND_ZS, qb_mov(QB_R0, QB_R1))) E(SIG(LOAD_TMU0, qb_nop())));
}

/* After the uniforms address nothing but a uniform has to wait. */
TEST(test_after_a_reset)
{
	(void)state;
	SHADER("..sss", E(qb_ldi(QB_R3, 4)) E(ADD(QB_UNIF_ADDR, QB_R3, QB_UNIF)) OP(FADD, QB_R0, QB_R1, QB_R2) NOP
	       E(qb_mov(QB_R0, QB_UNIF)));
	/* behind what is reached from behind only, in rounds as well */
	SHADER("sssss.sssssss", qb_emit(&b, qb_branch(V3D_QPU_BRANCH_ALWAYS, true, 5 * 8, QB_NONE)); qb_nops(&b, 3); RESET(4)
	       RESET(12) qb_branch_to(&b, V3D_QPU_BRANCH_ALL_ZC, PRELUDE + 4); qb_nops(&b, 3););
}

/* Results of which something is known: r0, register 9 of either file */
static void known(void)
{
	qb_emit(&b, qb_ldi(QB_R0, 100));
	qb_emit(&b, qb_ldi(QB_RA(9), 100));
	qb_emit(&b, qb_ldi(QB_RB(9), 100));
	qb_emit(&b, qb_nop());
}

#define KNOWN known();

TEST(test_values)
{
	(void)state;
	PROGRAM("vvvvvv", KNOWN OP(ADD, QB_R1, QB_R0, qb_imm(1)) OP(SUB, QB_R1, QB_RA(9), QB_RB(9)));
	PROGRAM("....vvv", KNOWN OP(MIN, QB_R1, QB_R0, QB_R4) OP(MIN, QB_R1, QB_R0, QB_RA(1)) OP(MIN, QB_R1, QB_RB(1), QB_RA(9)));
	PROGRAM("....vvv", KNOWN MUL(V8MIN, QB_R1, QB_R0, QB_R0) MUL(MUL24, QB_R1, QB_R0, QB_RA(9))
		MUL(MUL24, QB_R1, QB_R0, QB_R2));
	/* what is unpacked is none of the operands, or of file B, or what comes of it is not known whatever it is */
	PROGRAM("....vv", KNOWN E(UNPACKED(qb_add(V3D_QPU_ADD_MIN, QB_R1, QB_R0, QB_R2)))
		E(UNPACKED(qb_add(V3D_QPU_ADD_MIN, QB_R1, QB_R0, QB_RB(1)))));
	PROGRAM("....vv", KNOWN E(UNPACKED(qb_add(V3D_QPU_ADD_FADD, QB_R1, QB_R0, QB_RA(9))))
		E(UNPACKED(qb_add(V3D_QPU_ADD_MIN, QB_R1, QB_R3, QB_RA(1)))));
	PROGRAM("....vv", KNOWN E(UNPACKED(qb_add(V3D_QPU_ADD_ADD, QB_R1, QB_R0, QB_RA(1))))
		E(UNPACKED(qb_mul(V3D_QPU_MUL_FMUL, QB_R1, QB_R0, QB_RA(9)))));
	PROGRAM("....vv", KNOWN E(UNPACKED(qb_mul(V3D_QPU_MUL_V8MIN, QB_R1, QB_RA(1), QB_RA(1))))
		E(UNPACKED(qb_mul(V3D_QPU_MUL_MUL24, QB_R1, QB_R0, QB_RA(1)))));
}

/* A register that was written just before is not read by who only names it. */
TEST(test_named)
{
	(void)state;
	PROGRAM("vv", E(qb_ldi(QB_RA(9), 1)) E(naming(qb_add(V3D_QPU_ADD_MIN, QB_R1, QB_R2, qb_imm(1)), 9, -1)));
	PROGRAM("vv", E(qb_ldi(QB_RB(9), 1)) E(naming(qb_add(V3D_QPU_ADD_MIN, QB_R1, QB_R2, QB_RA(1)), -1, 9)));
	PROGRAM("v.vv", E(qb_ldi(QB_RA(9), 1)) NOP OP(MIN, QB_R1, QB_R2, QB_RA(9)) OP(MIN, QB_R1, QB_R2, QB_RA(9)));
	PROGRAM("v.vv", E(qb_ldi(QB_RB(9), 1)) NOP OP(MIN, QB_R1, QB_R2, QB_RB(9)) OP(MIN, QB_R1, QB_R2, QB_RB(9)));
	/* what is unpacked is not what the register holds */
	begin(false);
	known();
	qb_emit(&b, UNPACKED(qb_add(V3D_QPU_ADD_SUB, QB_R0, QB_RA(9), qb_imm(1))));
	qb_emit(&b, DIRECT(QB_R0));
	qb_end(&b);
	assert_false(check());
	assert_refusal(&refusal, CODE, ADDRESS_UNKNOWN, (PRELUDE + 5) * 8);
}

/* From where an address is made back to what it is made of */
TEST(test_followed)
{
	(void)state;
	FOLLOWS("-fff-", false, E(ITOF(QB_R3)) OP(MAX, QB_R0, QB_R1, qb_imm(0)) OP(MIN, QB_R0, QB_R0, QB_UNIF) E(DIRECT(QB_R0))
		E(ITOF(QB_R0)));
	FOLLOWS("-f-ff", false, E(ITOF(QB_R0)) E(qb_ldi(QB_R2, 4)) E(ITOF(QB_R1)) MUL(V8MIN, QB_R0, QB_R2, QB_R2)
		E(ADD(QB_UNIF_ADDR, QB_UNIF, QB_R0)));
	FOLLOWS("ff--f", false, E(qb_mov(QB_RB(7), QB_R2)) OP(ADD, QB_RA(6), QB_RB(7), QB_R2) E(ITOF(QB_RB(6))) NOP
		E(DIRECT_OF_A(QB_RA(6))));
	/* what is written under a condition or in part leaves something; what never is, or not at all, leaves all */
	FOLLOWS("-fff", false, E(ITOF(QB_R0)) E(ITOF(QB_R0)) E(qb_if(V3D_QPU_COND_ZS, qb_mov(QB_R0, QB_R2))) E(DIRECT(QB_R0)));
	FOLLOWS("-ff-f", false, E(ITOF(QB_RA(6))) E(ITOF(QB_RA(6))) E(qb_pack(1, false, qb_mov(QB_RA(6), QB_R2))) NOP
		E(DIRECT_OF_A(QB_RA(6))));
	FOLLOWS("-f-f", false, E(ITOF(QB_R2)) E(ITOF(QB_R0)) E(without(false, qb_mov(QB_R0, QB_R2))) E(DIRECT(QB_R0)));
	FOLLOWS("-f-f", false, E(ITOF(QB_R2)) E(ITOF(QB_R0)) E(qb_add(V3D_QPU_ADD_NOP, QB_R0, QB_R2, QB_R2)) E(DIRECT(QB_R0)));
	/* nothing is ever known of some results, whatever they are made of; nor of r4 */
	FOLLOWS("-ff", false, E(ITOF(QB_R2)) OP(FADD, QB_R0, QB_R2, QB_R2) E(DIRECT(QB_R0)));
	FOLLOWS("-...f", false, E(qb_mov(QB_RECIP, QB_R2)) NOP NOP NOP E(DIRECT(QB_R4)));
	/* a load has no operands, an operand that is only named is none, an immediate is no register */
	FOLLOWS("-ff", false, E(ITOF(QB_R2)) E(qb_ldi(QB_R0, V3D_QPU_ADD_ADD << 24 | 2 << 9 | 2 << 6)) E(DIRECT(QB_R0)));
	FOLLOWS("--ff", false, E(ITOF(QB_RB(7))) E(ITOF(QB_RA(7))) E(naming(ADD(QB_R0, QB_R2, QB_R2), 7, 7)) E(DIRECT(QB_R0)));
	FOLLOWS("-ff", false, E(ITOF(QB_RB(7))) OP(ADD, QB_R0, QB_R2, qb_imm(7)) E(DIRECT(QB_R0)));
}

#define SET(x, y) E(ADD(QB_UNIF_ADDR, x, y))

/* A load just before is looked up where the uniforms address is set: then nothing is followed. */
TEST(test_constant_beside)
{
	(void)state;
	FOLLOWS("--", false, E(qb_ldi(QB_R3, 4)) SET(QB_R3, QB_UNIF));
	FOLLOWS("--", false, E(qb_ldi(QB_R3, 4)) SET(QB_UNIF, QB_R3));
	FOLLOWS("---", false, E(qb_ldi(QB_RB(7), 4)) NOP SET(QB_UNIF, QB_RB(7)));
	FOLLOWS("---", false, E(qb_ldi(QB_RA(7), 4)) NOP SET(QB_RA(7), QB_UNIF_B));
	FOLLOWS("----", false, E(qb_ldi(QB_R3, 4)) E(ITOF(QB_R0)) E(qb_ldi(QB_R2, 8)) SET(QB_R3, QB_UNIF));
	/* as far as that */
	FOLLOWS("---------", false, E(qb_ldi(QB_R3, 4)) qb_nops(&b, 7); SET(QB_R3, QB_UNIF));
	FOLLOWS("f--------f", false, E(qb_ldi(QB_R3, 4)) qb_nops(&b, 8); SET(QB_R3, QB_UNIF));
	/* a register has not got it yet; something else is there, or may be */
	FOLLOWS("ff", false, E(qb_ldi(QB_RB(7), 4)) SET(QB_UNIF, QB_RB(7)));
	FOLLOWS("-ff", false, E(qb_ldi(QB_R3, 4)) E(ITOF(QB_R3)) SET(QB_R3, QB_UNIF));
	FOLLOWS("fff", false, E(ITOF(QB_R3)) E(qb_if(V3D_QPU_COND_ZS, qb_ldi(QB_R3, 4))) SET(QB_R3, QB_UNIF));
	FOLLOWS("ff", false, E(qb_ldi(QB_R5REP, 4)) SET(QB_R5, QB_UNIF));
	FOLLOWS("f---f", false, E(qb_ldi(QB_R3, 4)) E(qb_signal(V3D_QPU_SIG_THREAD_SWITCH, qb_nop())) NOP NOP SET(QB_R3, QB_UNIF));
	/* which is quiet, and does not wait for what has to be followed */
	SHADER("sssss", RESET(4));
	SHADER("slssssssss", E(qb_ldi(QB_R3, 4)) E(qb_both(ADD(QB_UNIF_ADDR, QB_R3, QB_UNIF), qb_mul_mov(QB_R1, QB_R2))) NOP NOP
	       E(qb_mov(QB_R0, QB_UNIF)) RESET(12));
	/* not for that */
	FOLLOWS("ff", false, E(qb_ldi(QB_R3, 4)) E(DIRECT(QB_R3)));
}

/* What is no address, and what is made of values of another block */
TEST(test_followed_from_elsewhere)
{
	(void)state;
	FOLLOWS("--", false, E(qb_ldi(QB_R0, 0)) E(qb_mov(QB_IO(V3D_QPU_W_TLB_Z), QB_UNIF)));
	FOLLOWS("--", false, E(qb_ldi(QB_R0, 0)) E(qb_mov(QB_TMU0_S, QB_R0)));
	FOLLOWS("--", false, E(qb_ldi(QB_R0, 0)) OP(ADD, QB_R0, QB_R0, QB_UNIF));
	FOLLOWS("--", false, E(qb_ldi(QB_R0, 0)) E(qb_ldi(QB_TMU0_S, V3D_QPU_R_UNIFORM << 18 | V3D_QPU_ADD_ADD << 24)));
	FOLLOWS("-----ff", false, E(ITOF(QB_R0)) E(qb_branch(V3D_QPU_BRANCH_ALL_ZS, true, 0, QB_NONE)) qb_nops(&b, 3);
		E(ITOF(QB_R0)) E(DIRECT(QB_R0)));
	FOLLOWS("fffffff", true, E(ITOF(QB_R0)) E(qb_branch(V3D_QPU_BRANCH_ALL_ZS, true, 0, QB_NONE)) qb_nops(&b, 3);
		E(ITOF(QB_R1)) E(DIRECT(QB_R0)));
	/* from before the program: nobody has written it */
	FOLLOWS("f--", false, E(DIRECT_OF_A(QB_RA(20))) NOP NOP);
}

/* A branch, whichever way, with flags from before its block or of it; not one that only a guess comes to */
TEST(test_branches)
{
	(void)state;
	SHADER("ssss", E(qb_branch(V3D_QPU_BRANCH_ALWAYS, true, 0, QB_NONE)) qb_nops(&b, 3););
	SHADER("sssss", NOP E(qb_branch(V3D_QPU_BRANCH_ANY_ZC, true, 0, QB_NONE)) qb_nops(&b, 3););
	SHADER("sssss", qb_branch_to(&b, V3D_QPU_BRANCH_ALL_ZS, PRELUDE); qb_nops(&b, 4););
	/* flags are lost where threads switch */
	SHADER("l..lssssss", E(SIG(THREAD_SWITCH, qb_nop())) qb_nops(&b, 3); FLAGS NOP
	       E(qb_branch(V3D_QPU_BRANCH_ALL_ZS, true, 0, QB_NONE)) qb_nops(&b, 3););
	SHADER("l..lslsss", E(SIG(THREAD_SWITCH, qb_nop())) qb_nops(&b, 3); NOP
	       E(qb_branch(V3D_QPU_BRANCH_ALL_ZS, true, 0, QB_NONE)) qb_nops(&b, 3););
	SHADER("l..lsssss", E(SIG(THREAD_SWITCH, qb_nop())) qb_nops(&b, 3); NOP
	       E(qb_branch(V3D_QPU_BRANCH_ALWAYS, true, 0, QB_NONE)) qb_nops(&b, 3););
}

/* How often more than bits is looked at */
TEST(test_looks)
{
	unsigned int looks;

	(void)state;
	SHADER("", NOP);
	assert_int_equal(counts.runs + counts.rows + counts.bytes, 0);
	looks = counts.looks;
	/* at the SFU, not at who takes from it when it is done; not at a condition, nor a pack that is none of the result's */
	SHADER("ssss", E(qb_mov(QB_RECIP, QB_R0)) NOP NOP E(qb_mov(QB_R0, QB_R4)));
	assert_int_equal(counts.looks, looks + 1);
	SHADER("ss", E(qb_if(V3D_QPU_COND_ZS, qb_mov(QB_RA(9), QB_R0))) E(qb_pack(1, false, qb_mov(QB_R0, QB_R1))));
	assert_int_equal(counts.looks, looks);
	assert_int_equal(counts.bytes, 0);
	/* a pack of what is not written counts bytes, of an accumulator one of the mul ALU only; then values are looked at */
	SHADER("ssv", E(qb_pack(1, false, qb_mov(QB_RA(9), QB_R0))) E(qb_if(V3D_QPU_COND_ZS, qb_mov(QB_RB(9), QB_R0)))
	       E(qb_if(V3D_QPU_COND_ZS, CLZ(QB_RA(9), QB_R0))));
	assert_int_equal(counts.bytes, 2);
	/* a texture coordinate under a condition is left to the long way */
	SHADER("ls.", E(qb_if(V3D_QPU_COND_ZS, qb_mov(QB_TMU0_T, QB_R0))) E(qb_mov(QB_TMU0_S, QB_R0)) E(SIG(LOAD_TMU0, qb_nop())));
}

/* What is asked of few shaders only: those with values that are to be followed, and those that use the VPM */
TEST(test_rare)
{
	(void)state;
	SHADER("", OP(MAX, QB_R0, QB_R0, qb_imm(0)) OP(MIN, QB_R0, QB_R0, QB_UNIF) E(DIRECT(QB_R0)) E(SIG(LOAD_TMU0, qb_nop())));
	assert_int_equal(counts.runs, 1);
	SHADER("", E(qb_branch(V3D_QPU_BRANCH_ALL_ZS, true, 0, QB_NONE)) qb_nops(&b, 3););
	assert_int_equal(counts.runs, 0);
	SHADER("", E(qb_ldi(QB_VW_SETUP, qb_word_vpm_write(0))) E(qb_mov(QB_VPM_WRITE, QB_R0)));
	assert_int_equal(counts.rows, 1);
	/* the shortest one */
	is_shader = true;
	start();
	forget();
	judge();
	assert_int_equal(counts.runs, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_operations), cmocka_unit_test(test_results), cmocka_unit_test(test_sources),
		cmocka_unit_test(test_r4), cmocka_unit_test(test_unusual), cmocka_unit_test(test_after_a_reset),
		cmocka_unit_test(test_values), cmocka_unit_test(test_named), cmocka_unit_test(test_followed),
		cmocka_unit_test(test_constant_beside), cmocka_unit_test(test_followed_from_elsewhere),
		cmocka_unit_test(test_branches), cmocka_unit_test(test_looks), cmocka_unit_test(test_rare),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests_name("ways", tests, NULL, NULL);
}
