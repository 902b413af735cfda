// SPDX-License-Identifier: MIT
/*
 * Instructions the short way (qpu_plain.h) against one after the other: the same random user
 * programs, with branches and loops, on two chips of which one is traced, which only the long way
 * can do, or the reference chip. Registers, flags, the thread, time and what is counted must be the
 * same wherever a budget stops them. The same for runs of instructions that were compiled
 * (compile.h), in loops, with whatever in the registers.
 */
#include "accel/compile.h"
#include "tests/qpu_fixture.h"
#include "tests/xorshift.h"

#define PROGRAMS 800
#define WORDS 48
#define RUNS 3		/* of a program, one after the other or on so many QPUs */
#define PLACE (CODE + 4096 - 128)	/* not in one page */

static uint64_t seed;
/* one instruction in so many is not for the short way, or breaks a rule */
static unsigned int tame;
/* whether runs are compiled when they are met a second time */
static bool compiling;
/* how many were */
static unsigned int compiled;
/* whether many instructions have to do with peripherals */
static bool busy;
/*
 * requests that a program has made of the TMUs so far, and not loaded; it holds the mutex; it does
 * not branch but back to its beginning
 */
static unsigned int asked[2];
static bool holds, straight;

static uint32_t any(uint32_t below)
{
	return (xorshift(&seed) >> 20) % below;
}

static uint8_t any_of(const uint8_t *list, unsigned int count)
{
	return list[any(count)];
}

/*
 * The register that absolute branches add, which TMUs read from as well, the one that transfers
 * store to, and the others that meet often
 */
#define BASE 30
#define STORES 29

static uint8_t any_waddr(void)
{
	static const uint8_t addresses[] = {
		0, 1, 2, 14, 31, 32, 33, 34, 35, 32, 33, 34, 35, 39, 39
	};

	return any(tame) ? any_of(addresses, sizeof(addresses)) :
	       any(2) ? V3D_QPU_W_ACC5 :
			   V3D_QPU_W_SFU_RECIP;
}

static uint8_t any_raddr(void)
{
	static const uint8_t addresses[] = { 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 14, 15, 31, BASE };

	return any(tame) ? any_of(addresses, sizeof(addresses)) :
	       any(2) ? V3D_QPU_R_UNIFORM :
			   V3D_QPU_R_ELEMENT_QPU_NUMBER;
}

/*
 * Forth and back by up to 12 instructions; a wrong condition, a register that is no address, come
 * now and then.
 */
static struct v3d_qpu_inst any_branch(void)
{
	struct v3d_qpu_inst i = { .kind = V3D_QPU_BRANCH, .sig = V3D_QPU_SIG_BRANCH, .ws = any(2) };
	const int distance = ((int)any(24) - 12) * V3D_QPU_INSTRUCTION_BYTES;

	i.cond_br = any(5) ? any(12) : any(3) ? V3D_QPU_BRANCH_ALWAYS : any(16);
	i.waddr_add = any(2) ? V3D_QPU_W_NOP : any_waddr();
	i.waddr_mul = any(2) ? V3D_QPU_W_NOP : any_waddr();
	i.branch_raddr_a = any(3) ? BASE : any(2) ? 31 : any(3);
	i.reg = !any(4);
	i.rel = !i.reg || i.branch_raddr_a != BASE;
	i.immediate = i.rel ? (uint32_t)distance : any(WORDS) * V3D_QPU_INSTRUCTION_BYTES;
	return i;
}

static struct v3d_qpu_inst any_load(void)
{
	static const uint8_t kinds[] = { 0, 0, 1, 3 };
	struct v3d_qpu_inst i = { .sig = V3D_QPU_SIG_LOAD_IMMEDIATE,
				  .unpack = any_of(kinds, sizeof(kinds)) };

	i.kind = v3d_qpu_kind(i.sig, i.unpack);
	i.immediate = any(2) ? any(64) : xorshift(&seed) >> 16;
	return i;
}

static struct v3d_qpu_inst any_alu(void)
{
	static const uint8_t adds[] = { 1, 2, 3, 4, 5, 6, 7, 8, 12, 13, 14, 15,
					16, 17, 18, 19, 20, 21, 22, 23, 24, 30, 31 };
	struct v3d_qpu_inst i = { .sig = any(3) ? V3D_QPU_SIG_NONE : V3D_QPU_SIG_SMALL_IMMEDIATE };

	i.kind = v3d_qpu_kind(i.sig, 0);
	i.unpack = any(6) ? 0 : any(8);
	i.pack = any(tame) ? 0 : any(16);
	i.pm = any(2);
	i.op_add = any(4) ? any_of(adds, sizeof(adds)) : any(tame) ? V3D_QPU_ADD_NOP : any(32);
	i.op_mul = any(3) ? any(8) : V3D_QPU_MUL_NOP;
	i.raddr_a = any_raddr();
	i.raddr_b = i.sig == V3D_QPU_SIG_SMALL_IMMEDIATE ? any(64) : any_raddr();
	i.add_a = any(8);
	i.add_b = any(8);
	i.mul_a = any(8);
	i.mul_b = any(3) ? i.mul_a : any(8);
	return i;
}

/* Sets up the VPM's writes, and the stores from there: mostly rows and columns of programs' */
static struct v3d_qpu_inst any_setup(void)
{
	const struct v3d_vpm_write_setup write = {
		.address = any(tame) ? any(48) : any(256), .size = any(6) ? V3D_VPM_32BIT : any(3),
		.horizontal = any(2), .stride = any(3), .laned = !any(4)
	};
	const struct v3d_vdw_setup store = {
		.y = any(tame) ? any(40) : any(128), .x = any(3) ? 0 : any(16),
		.horizontal = any(3) != 0, .units = any(8) ? 1 + any(6) : any(128),
		.depth = any(8) ? 1 + any(16) : any(128), .id = 2,
		.modew = any(4) ? 0 : any(8), .laned = !any(6)
	};

	switch (any(6)) {
	case 0 ... 2:
		return qb_ldi(QB_VW_SETUP, v3d_word_vpm_write_setup(&write));
	case 3:
		return qb_ldi(QB_VW_SETUP, qb_word_vdw_stride(any(3) * 4));
	case 4:
		return qb_ldi(QB_VR_SETUP, qb_word_vpm_read(any(32), 1 + any(16)));
	default:
		return qb_ldi(QB_VW_SETUP, v3d_word_vdw_setup(&store));
	}
}

/* A TMU is asked for words at addresses that exist, or what it gave comes to r4 */
static struct v3d_qpu_inst any_tmu(void)
{
	const unsigned int tmu = any(2);
	const struct v3d_qpu_inst beside = any(2) ? qb_mov(QB_RB(any(4)), QB_R4) :
						    qb_add(V3D_QPU_ADD_ADD, QB_R0, QB_R4, QB_R1);
	const uint16_t to = tmu ? QB_TMU1_S : QB_TMU0_S;

	if (any(2) && (asked[tmu] || !any(tame * 4))) {
		asked[tmu] -= asked[tmu] > 0;
		return qb_signal(tmu ? V3D_QPU_SIG_LOAD_TMU1 : V3D_QPU_SIG_LOAD_TMU0, beside);
	}
	asked[tmu]++;
	if (any(2))
		return qb_add(V3D_QPU_ADD_ADD, to, QB_RA(BASE),
			      any(tame * 8) ? qb_imm(any(16)) : QB_RB(9));
	return qb_both(qb_add(V3D_QPU_ADD_FADD, QB_R1, QB_R2, QB_R3),
		       qb_mul_mov(to, QB_RA(BASE)));
}

/* Something that is not for the ALUs alone */
static struct v3d_qpu_inst any_access(void)
{
	switch (any(12)) {
	case 0 ... 3:
		return any_tmu();
	case 4:
		return qb_mov(QB_VPM_WRITE, QB_RA(any(8)));
	case 5:
		return qb_both(qb_add(V3D_QPU_ADD_FADD, QB_RA(2), QB_R1, QB_R2),
			       qb_mul(V3D_QPU_MUL_FMUL, QB_VPM_WRITE, QB_R0, QB_R3));
	case 6:
		return any_setup();
	case 7:
		return qb_both(qb_add(V3D_QPU_ADD_FADD, QB_RA(any(3)), QB_RA(any(3)), QB_R2),
			       qb_mul(V3D_QPU_MUL_FMUL, QB_R2, QB_R0, QB_UNIF_B));
	case 8:
		return qb_flags(qb_add(V3D_QPU_ADD_SUB, QB_R2, any(2) ? QB_UNIF : QB_UNIF_B,
				       QB_R0));
	case 9:
		return any(3) ? qb_mov(QB_NONE, QB_VDW_WAIT) : qb_mov(QB_R1, QB_VDW_BUSY);
	case 10:
		holds = any(tame * 4) ? !holds : any(2);
		return holds ? qb_mov(QB_NONE, QB_MUTEX_ACQUIRE) : qb_mov(QB_MUTEX_RELEASE, QB_R0);
	default:
		return any(4) ? qb_mov(QB_VDW_ADDR, QB_RA(STORES)) : qb_mov(QB_RECIP, QB_R1);
	}
}

static uint64_t any_word(void)
{
	struct v3d_qpu_inst i;

	if (busy && !any(3)) {
		i = any_access();
		return v3d_qpu_encode(&i);
	}
	if (!straight && !any(8)) {
		i = any_branch();
		return v3d_qpu_encode(&i);
	}
	i = any(8) ? any_alu() : any_load();
	i.cond_add = any(3) ? V3D_QPU_COND_ALWAYS : any(8);
	i.cond_mul = any(3) ? V3D_QPU_COND_ALWAYS : any(8);
	i.sf = !any(3);
	i.ws = any(2);
	i.waddr_add = any_waddr();
	i.waddr_mul = any_waddr();
	return v3d_qpu_encode(&i);
}

/*
 * Begins with the code's address in what absolute branches add, and with flags that differ; ends
 * behind the random part.
 */
static void write_program(struct machine *m)
{
	struct qb *b = &m->b;

	qb_emit(b, qb_ldi(QB_RA(BASE), bus_of(PLACE)));
	if (busy)
		qb_emit(b, qb_ldi(QB_RA(STORES), bus_of(any(6) ? OUTPUT : PLACE + 64)));
	qb_emit(b, qb_ldi(QB_RA(31), 8 * any(4)));
	qb_emit(b, qb_flags(qb_add(V3D_QPU_ADD_SUB, QB_R0, QB_ELEMENT, qb_imm(any(16)))));
	asked[0] = asked[1] = 0;
	straight = busy && any(2);
	holds = false;
	for (unsigned int n = 0; n < WORDS; n++)
		b->code[b->count++] = any_word();
	for (; asked[0]; asked[0]--)
		qb_emit(b, qb_signal(V3D_QPU_SIG_LOAD_TMU0, qb_nop()));
	for (; asked[1]; asked[1]--)
		qb_emit(b, qb_signal(V3D_QPU_SIG_LOAD_TMU1, qb_nop()));
	if (holds)
		qb_emit(b, qb_mov(QB_MUTEX_RELEASE, QB_R0));
	if (compiling)
		qb_branch_to(b, V3D_QPU_BRANCH_ALWAYS, 2);
	qb_nops(b, 8);
	qb_end(b);
	machine_place(m, PLACE);
}

static void assert_same_thread(const struct qpu_thread *a, const struct qpu_thread *b)
{
	assert_int_equal(a->active, b->active);
	assert_int_equal(a->pc, b->pc);
	assert_int_equal(a->step, b->step);
	/* what has happened does not count */
	assert_int_equal(a->due & ~0x01010101u, b->due & ~0x01010101u);
	assert_memory_equal(a->targets, b->targets, sizeof(a->targets));
	assert_memory_equal(a->hazards, b->hazards, sizeof(a->hazards));
	assert_int_equal(a->uniforms, b->uniforms);
	assert_int_equal(a->uniforms_left, b->uniforms_left);
}

/* What a QPU's peripherals keep */
static void assert_same_ports(const struct qpu *p, const struct qpu *q)
{
	for (unsigned int n = 0; n < 2; n++) {
		assert_int_equal(p->tmu[n].count, q->tmu[n].count);
		assert_int_equal(p->tmu[n].requests, q->tmu[n].requests);
		assert_int_equal(p->tmu[n].parameters, q->tmu[n].parameters);
	}
	assert_int_equal(p->stall, q->stall);
	assert_int_equal(p->port.store.busy, q->port.store.busy);
	assert_int_equal(p->port.store.done, q->port.store.done);
	assert_int_equal(p->port.write.address, q->port.write.address);
}

/* What all share, and what is stored */
static void assert_same_around(struct machine *a, struct machine *b)
{
	for (unsigned int n = V3D_QPUS - RUNS; n < V3D_QPUS; n++)
		assert_same_ports(&a->sim->qps->qpu[n], &b->sim->qps->qpu[n]);
	assert_int_equal(a->sim->qps->mutex_owner, b->sim->qps->mutex_owner);
	assert_memory_equal(&a->sim->qps->vpm, &b->sim->qps->vpm, sizeof(a->sim->qps->vpm));
	assert_memory_equal(at(a, OUTPUT), at(b, OUTPUT), 1024);
	assert_memory_equal(at(a, PLACE), at(b, PLACE), 1024);
	assert_int_equal(a->sim->stats.left, b->sim->stats.left);
	assert_int_equal(a->sim->stats.broken, b->sim->stats.broken);
	assert_int_equal(a->sim->stats.cycles, b->sim->stats.cycles);
	assert_int_equal(v3dsim_read(a->sim, V3D_ERRSTAT), v3dsim_read(b->sim, V3D_ERRSTAT));
}

static void assert_same_qpu(const struct qpu *a, const struct qpu *b)
{
	assert_memory_equal(a->regs, b->regs, QPU_PORT_A * sizeof(a->regs[0]));
	/* one that has faulted never goes on */
	for (unsigned int n = 0; n < 2 && !b->faulted; n++) {
		assert_int_equal(a->written[n], b->written[n]);
		if (a->written[n] < QPU_SLOTS)
			assert_memory_equal(&a->regs[QPU_OLD + n], &b->regs[QPU_OLD + n],
					    sizeof(a->regs[0]));
	}
	assert_memory_equal(&a->zero, &b->zero, sizeof(a->zero));
	assert_memory_equal(&a->negative, &b->negative, sizeof(a->negative));
	assert_memory_equal(&a->carry, &b->carry, sizeof(a->carry));
	assert_memory_equal(a->last, b->last, sizeof(a->last));
	assert_int_equal(a->running, b->running);
	assert_int_equal(a->faulted, b->faulted);
	assert_int_equal(a->now, b->now);
	assert_same_thread(&a->threads[0], &b->threads[0]);
}

static void assert_same(struct machine *plain, struct machine *traced)
{
	for (unsigned int n = V3D_QPUS - RUNS; n < V3D_QPUS; n++)
		assert_same_qpu(&plain->sim->qps->qpu[n], &traced->sim->qps->qpu[n]);
	assert_int_equal(plain->sim->stats.instructions, traced->sim->stats.instructions);
	assert_int_equal(plain->sim->stats.broken_rules, traced->sim->stats.broken_rules);
	assert_memory_equal(plain->sim->pctr.totals, traced->sim->pctr.totals,
			    sizeof(plain->sim->pctr.totals));
}

/* A number that arithmetic may get wrong: infinities, the largest, the smallest, zeros, or any */
static uint32_t any_number(void)
{
	static const uint32_t numbers[] = {
		0, 0x80000000, 1, 0x80000001, 0x7fffff, 0x800000, 0x80800000, 0x7f7fffff,
		0xff7fffff, 0x7f800000, 0xff800000, 0x7fc00000, 0xffffffff, 0x4effffff, 0x4f000000,
		0xcf000000, 0x3f800000, 0xbf800000, 0x3f7fffff, 0x7f000000, 31, 32, 255, 0xff00ff
	};

	return any(3) ? 0x3f000000 + (xorshift(&seed) >> 16) % 0x2000000 :
	       any(2) ? numbers[any(sizeof(numbers) / sizeof(numbers[0]))] : xorshift(&seed) >> 16;
}

/* The same numbers into all registers of both but one; half of the time no result is infinite */
static void put_numbers(struct machine *m)
{
	const bool tame_ones = any(2);

	for (unsigned int slot = 0; slot < QPU_ACC + 6; slot++) {
		struct lanes *a = &m[0].sim->qps->qpu[V3D_QPUS - 1].regs[slot];

		if (slot == QPU_FILE_A + BASE)
			continue;
		for (unsigned int n = 0; n < V3D_QPU_LANES; n++)
			a->lane[n] = tame_ones ? 0x3f800000 + any(0x800000) : any_number();
		m[1].sim->qps->qpu[V3D_QPUS - 1].regs[slot] = *a;
	}
}

/*
 * One program on both, in pieces; sometimes an instruction changes in between. Return: instructions
 */
static uint64_t run_both(struct machine *m, enum v3dsim_caches caches)
{
	const char *const chip = any(2) ? "bcm2835" : "ideal";
	const struct v3dsim_config fast = { .caches = caches, .chip = chip }, slow[] = {
		{ .caches = caches, .chip = chip, .trace_mask = V3DSIM_TRACE_QPU },
		{ .caches = caches, .chip = chip, .reference = true },
	};
	const bool together = busy && any(2);
	uint64_t executed;

	machine_new_as(&m[0], &fast);
	machine_new_as(&m[1], &slow[any(2)]);
	if (compiling)
		m[0].sim->qps->compiler->hot = 2;
	write_program(&m[0]);
	memcpy(at(&m[1], PLACE), at(&m[0], PLACE), (WORDS + 64) * sizeof(uint64_t));
	for (unsigned int n = 0; n < 2; n++) {
		for (uint32_t word = 0; word < 64; word++)
			*at(&m[n], UNIFORMS + 4 * word) = word * 0x9e3779b9u;
		/* one QPU for all, one after the other */
		v3dsim_write(m[n].sim, V3D_SQRSV0, together ? 0 : 0x11111111);
		v3dsim_write(m[n].sim, V3D_SQRSV1, together ? 0 : 0x0111);
		for (unsigned int times = 0; times < RUNS; times++)
			machine_request(&m[n], bus_of(PLACE), bus_of(UNIFORMS));
	}
	for (unsigned int piece = 0; piece < (compiling ? 300 : 12); piece++) {
		const uint64_t budget = any(4) ? 1 + any(90) : 1 + any(4);

		if (compiling && !any(3))
			put_numbers(m);
		v3dsim_run(m[0].sim, budget);
		v3dsim_run(m[1].sim, budget);
		assert_same(&m[0], &m[1]);
		if (busy)
			assert_same_around(&m[0], &m[1]);
		if (!any(compiling ? 60 : 6)) {
			const uint64_t word = any_word();
			const uint32_t place = PLACE + (3 + any(WORDS)) * sizeof(word);

			memcpy(at(&m[0], place), &word, sizeof(word));
			memcpy(at(&m[1], place), &word, sizeof(word));
		}
	}
	executed = m[0].sim->stats.instructions;
	if (compiling)
		compiled += m[0].sim->qps->compiler->count;
	machine_free(&m[0]);
	machine_free(&m[1]);
	return executed;
}

static void run_many(enum v3dsim_caches caches, unsigned int programs)
{
	static struct machine m[2];
	uint64_t executed = 0;

	seed = 88172645463325252u;
	for (unsigned int n = 0; n < programs; n++) {
		tame = 4 << n % 8;
		executed += run_both(m, caches);
	}
	print_message("# %llu instructions\n", (unsigned long long)executed);
	assert_true(executed > programs * 100u);
}

static void test_ideal(void **state)
{
	(void)state;
	run_many(V3DSIM_CACHES_IDEAL, PROGRAMS);
}

static void compile_many(enum v3dsim_caches caches, unsigned int programs)
{
	static struct machine m;
	bool can;

	machine_new(&m, V3DSIM_CACHES_IDEAL, 0);
	can = m.sim->qps->compiler && compile_ready();
	machine_free(&m);
	if (!can)
		fail_msg("no LLVM 15 in this build, or its library is not there");
	compiling = true;
	compiled = 0;
	run_many(caches, programs);
	compiling = false;
	print_message("# %u runs compiled\n", compiled);
	assert_true(compiled > programs);
}

static void test_compiled(void **state)
{
	(void)state;
	compile_many(V3DSIM_CACHES_IDEAL, 24);
}

static void test_compiled_model(void **state)
{
	(void)state;
	compile_many(V3DSIM_CACHES_MODEL, 8);
}

static void test_busy(void **state)
{
	(void)state;
	busy = true;
	run_many(V3DSIM_CACHES_IDEAL, PROGRAMS);
	run_many(V3DSIM_CACHES_MODEL, PROGRAMS / 4);
	busy = false;
}

static void test_compiled_busy(void **state)
{
	(void)state;
	busy = true;
	compile_many(V3DSIM_CACHES_IDEAL, 24);
	busy = false;
}

static void test_model(void **state)
{
	(void)state;
	run_many(V3DSIM_CACHES_MODEL, PROGRAMS / 4);
}

/* A loop whose lanes count down from @from, or lane n from @from + n */
static void loop_by(enum v3d_qpu_branch_condition condition, bool alike, uint32_t from,
		    uint32_t rounds)
{
	static struct machine m;
	struct qpu *q;
	uint32_t top;

	machine_new(&m, V3DSIM_CACHES_IDEAL, 0);
	qb_emit(&m.b, alike ? qb_ldi(QB_R1, from) :
			      qb_add(V3D_QPU_ADD_ADD, QB_R1, QB_ELEMENT, qb_imm(from)));
	top = qb_here(&m.b);
	qb_emit(&m.b, qb_add(V3D_QPU_ADD_ADD, QB_R2, QB_R2, qb_imm(1)));
	qb_emit(&m.b, qb_flags(qb_add(V3D_QPU_ADD_SUB, QB_R1, QB_R1, qb_imm(1))));
	qb_emit(&m.b, qb_branch(condition, true, (int32_t)(top - qb_here(&m.b) - 4) * 8, QB_RA(2)));
	/* in the slots, taken or not */
	qb_emit(&m.b, qb_add(V3D_QPU_ADD_ADD, QB_RA(1), QB_RA(1), qb_imm(2)));
	qb_emit(&m.b, qb_nop());
	qb_emit(&m.b, qb_add(V3D_QPU_ADD_ADD, QB_RA(1), QB_RA(1), qb_imm(3)));
	qb_nops(&m.b, 1);
	qb_end(&m.b);
	machine_run(&m);
	q = &m.sim->qps->qpu[V3D_QPUS - 1];
	assert_false(q->running);
	assert_int_equal(stat_of(&m, "broken_rules"), 0);
	assert_int_equal(q->regs[QPU_ACC + 2].lane[0], rounds);
	assert_int_equal(q->regs[QPU_FILE_A + 1].lane[5], 5 * rounds);
	/* the link */
	assert_int_equal(q->regs[QPU_FILE_A + 2].lane[9], rounds > 1 ? bus_of(CODE) + 7 * 8 : 0);
	machine_free(&m);
}

/* Rounds counted by hand */
static void test_loops(void **state)
{
	(void)state;
	loop_by(V3D_QPU_BRANCH_ANY_ZC, true, 9, 9);	/* until all are 0 */
	loop_by(V3D_QPU_BRANCH_ALL_ZC, true, 9, 9);
	loop_by(V3D_QPU_BRANCH_ALL_ZC, false, 9, 9);	/* until one is, the lowest */
	loop_by(V3D_QPU_BRANCH_ALL_NC, false, 9, 10);	/* until one is negative */
	loop_by(V3D_QPU_BRANCH_ANY_NC, false, 9, 25);	/* until the highest is as well */
	loop_by(V3D_QPU_BRANCH_ALL_CC, false, 9, 10);	/* until one borrows */
	/* while one is 0: lane 0 first, lane 15 last */
	loop_by(V3D_QPU_BRANCH_ANY_ZS, false, 1, 17);
	loop_by(V3D_QPU_BRANCH_ANY_CS, false, 0, 17);
	loop_by(V3D_QPU_BRANCH_ALL_ZS, true, 1, 2);
	loop_by(V3D_QPU_BRANCH_ALL_ZS, false, 1, 1);
	loop_by(V3D_QPU_BRANCH_ALL_CS, true, 0, 2);
	loop_by(V3D_QPU_BRANCH_ANY_NS, true, 1, 1);
	loop_by(V3D_QPU_BRANCH_ALL_NS, true, 2, 1);
}

/* "compiled": with machine code, for builds that have it */
int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_ideal),
		cmocka_unit_test(test_model),
		cmocka_unit_test(test_loops),
		cmocka_unit_test(test_busy),
	};
	const struct CMUnitTest compiled_tests[] = {
		cmocka_unit_test(test_compiled),
		cmocka_unit_test(test_compiled_model),
		cmocka_unit_test(test_compiled_busy),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	if (argc == 2 && !strcmp(argv[1], "compiled"))
		return cmocka_run_group_tests_name("compiled", compiled_tests, NULL, NULL);
	return cmocka_run_group_tests_name("plain", tests, NULL, NULL);
}
