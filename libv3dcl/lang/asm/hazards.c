// SPDX-License-Identifier: MIT
/*
 * The rules of AG100 "Summary of Instruction Restrictions", and those that stand elsewhere in the
 * guide or were found on silicon.
 *
 * Rules about what comes soon after something follow the program as it runs: through branches after
 * their delay slots, both ways where they are conditional. A branch to a register or an absolute
 * address leads to nowhere that is known here.
 */
#include "../../base/helpers.h"
#include "effects.h"

#define SUMMARY "AG100 p. 37"

/* What a hazard says */
struct rule {
	const char *name, *text, *source;
};

/* Within one instruction: these effects together, in programs of these kinds */
enum {
	USER = 1 << V3DCL_USER_PROGRAM,
	FRAGMENT = 1 << V3DCL_FRAGMENT_SHADER,
	VERTEX = 1 << V3DCL_VERTEX_SHADER | 1 << V3DCL_COORDINATE_SHADER,
	ANY = USER | FRAGMENT | VERTEX
};

static const struct single {
	struct rule rule;
	uint32_t all, any, kinds;
} singles[] = {
	{ { "same-target", "both halves write the same accumulator or I/O register",
	    "AG100 p. 19" },
	  QASM_SAME_TARGET,
	  ~0u,
	  ANY },
	{ { "tmu-uniform",
	    "a write to a TMU's coordinate takes a uniform along; the instruction reads another",
	    "AG100 p. 23" },
	  QASM_TMU_UNIFORM | QASM_READS_UNIFORM,
	  ~0u,
	  ANY },
	{ { "semaphore-target",
	    "a semaphore instruction writes to the tile buffer, a TMU or the SFU", "AG100 p. 33" },
	  QASM_SEMAPHORE,
	  QASM_WRITES_TILE | QASM_WRITES_TMU | QASM_WRITES_SFU,
	  ANY },
	{ { "rotate-file",
	    "only what comes from r0 to r3 rotates through all 16 elements; anything else within "
	    "its quads",
	    "AG100 p. 20, HW" },
	  QASM_ROTATES_FILE,
	  ~0u,
	  ANY },
	{ { "fragment-vpm", "fragment shaders cannot use the VPM", "AG100 p. 24" },
	  QASM_USES_VPM,
	  ~0u,
	  FRAGMENT },
	{ { "tile-in-other", "only fragment shaders have a tile buffer, a scoreboard and varyings",
	    "AG100 p. 22, 47" },
	  0,
	  QASM_READS_TILE | QASM_WRITES_TILE | QASM_WAITS | QASM_UNLOCKS | QASM_READS_VARYING,
	  USER | VERTEX },
	{ { "thread-switch", "only fragment shaders run in two threads", "AG100 p. 21" },
	  QASM_SWITCHES,
	  ~0u,
	  USER | VERTEX },
};

/* @after must not come within @distance instructions of @before */
static const struct pair {
	struct rule rule;
	uint32_t distance, before, after;
} pairs[] = {
	{ { "tmu-noswap", "a TMU is written less than three instructions after TMU_NOSWAP",
	    SUMMARY },
	  2,
	  QASM_WRITES_NOSWAP,
	  QASM_WRITES_TMU },
	{ { "sfu-read",
	    "r4 is read before the SFU's result is in it, at the third instruction after",
	    SUMMARY },
	  2,
	  QASM_WRITES_SFU,
	  QASM_READS_R4 },
	{ { "sfu-write", "something else writes r4 in the two instructions after an SFU lookup",
	    SUMMARY },
	  2,
	  QASM_WRITES_SFU,
	  QASM_WRITES_R4 },
	{ { "rotate-r5", "a rotation by r5 follows immediately after a write to r5", SUMMARY },
	  1,
	  QASM_WRITES_R5,
	  QASM_ROTATES_BY_R5 },
	{ { "z-mask", "the multisample mask is read in the two instructions after a write of Z",
	    SUMMARY },
	  2,
	  QASM_WRITES_Z,
	  QASM_READS_MASK },
	{ { "uniform-address",
	    "a uniform is read in the two instructions after the stream's address was written",
	    "AG100 p. 22" },
	  2,
	  QASM_SETS_UNIFORMS,
	  QASM_READS_UNIFORM | QASM_TMU_UNIFORM },
	{ { "vpm-read", "the VPM is read less than four instructions after its read set-up",
	    "AG100 p. 55" },
	  3,
	  QASM_SETS_UP_VPM_READ,
	  QASM_READS_VPM },
	{ { "branch-distance",
	    "two instructions that are no branches stand between branches at least", "HW" },
	  2,
	  QASM_BRANCHES,
	  QASM_BRANCHES },
};

static const struct rule regfile = {
	"regfile-raw", "a register is read in the instruction after the one that writes it", SUMMARY
};

static const struct rule rotate = {
	"rotate-accumulator",
	"an accumulator is rotated in the instruction after the one that writes it", SUMMARY
};

static const struct rule peripheral = {
	"one-peripheral", "more than one access to TMU, tile buffer, SFU, mutex and semaphores",
	SUMMARY
};

static const struct rule scoreboard = {
	"scoreboard-early",
	"the first two instructions of a fragment shader wait for the scoreboard", SUMMARY
};

static const struct rule end_access = {
	"end-access", "the last three instructions read a varying or a uniform, or use the VPM",
	SUMMARY
};

static const struct rule end_write = {
	"end-write", "the instruction that ends the program writes a register of file A or B",
	SUMMARY
};

static const struct rule end_14 = {
	"end-14", "the last three instructions read or write register 14 of file A or B", SUMMARY
};

static const struct rule end_z = { "end-z", "the last instruction writes Z", SUMMARY };

static const struct rule end_missing = { "end-missing",
					 "the program runs on behind its last instruction",
					 "AG100 p. 21" };

/* A run of v3dcl_hazards() */
struct search {
	const uint64_t *code;
	uint32_t count, found;
	enum v3dcl_program_kind kind;
	bool (*each)(void *opaque, const struct v3dcl_hazard *hazard);
	void *opaque;
	bool stopped;
	/* the instruction whose followers are looked at */
	uint32_t before;
	struct qasm_effects effects;
	uint32_t seen[3][8];		/* followers at each distance */
	unsigned int seen_count[3];
};

static void report(struct search *s, const struct rule *rule, uint32_t before, uint32_t at)
{
	const struct v3dcl_hazard hazard = { at, before, rule->name, rule->text, rule->source };

	if (s->stopped)
		return;
	s->found++;
	s->stopped = s->each && !s->each(s->opaque, &hazard);
}

static void check_single(struct search *s)
{
	const struct qasm_effects *e = &s->effects;
	size_t i;

	for (i = 0; i < COUNT(singles); i++)
		if (singles[i].kinds >> s->kind & 1 &&
		    (e->flags & singles[i].all) == singles[i].all && e->flags & singles[i].any)
			report(s, &singles[i].rule, s->before, s->before);
	if (e->peripherals > 1)
		report(s, &peripheral, s->before, s->before);
	if (s->kind == V3DCL_FRAGMENT_SHADER && s->before < 2 &&
	    e->flags & (QASM_WAITS | QASM_READS_TILE | QASM_WRITES_TILE))
		report(s, &scoreboard, s->before, s->before);
}

/* The instruction that ends the program, and its two delay slots */
static void check_end(struct search *s)
{
	struct qasm_effects e;
	uint32_t i;

	if (!(s->effects.flags & QASM_ENDS))
		return;
	if (s->effects.writes[0] | s->effects.writes[1])
		report(s, &end_write, s->before, s->before);
	for (i = s->before; i <= s->before + V3D_QPU_END_SLOTS && i < s->count; i++) {
		qasm_effects_of(s->code[i], &e);
		if (e.flags &
		    (QASM_READS_UNIFORM | QASM_TMU_UNIFORM | QASM_READS_VARYING | QASM_USES_VPM))
			report(s, &end_access, s->before, i);
		if ((e.reads[0] | e.reads[1] | e.writes[0] | e.writes[1]) >> 14 & 1)
			report(s, &end_14, s->before, i);
		if (i == s->before + V3D_QPU_END_SLOTS && e.flags & QASM_WRITES_Z)
			report(s, &end_z, s->before, i);
	}
}

/* Of an ALU operation of one half: does it take an input from this port? */
static bool half_reads(const struct v3d_qpu_inst *inst, bool mul, uint8_t mux)
{
	struct v3d_qpu_inst half = *inst;

	half.op_add = mul ? V3D_QPU_ADD_NOP : inst->op_add;
	half.op_mul = mul ? inst->op_mul : V3D_QPU_MUL_NOP;
	return v3d_qpu_reads(&half, mux);
}

/*
 * Is what the first writes of file A or B kept apart from what the second reads there, since
 * whatever element takes part in one takes no part in the other? Flags are those from before both.
 * What stands beside the QPU takes all elements, whatever the condition (HW).
 */
static bool apart(const struct qasm_effects *before, const struct qasm_effects *after, bool b)
{
	const struct v3d_qpu_inst *first = &before->inst, *second = &after->inst;
	/* the half whose result goes to that file, and its condition */
	const bool mul = b != (bool)first->ws;
	const uint8_t condition = mul ? first->cond_mul : first->cond_add;
	const uint8_t mux = b ? V3D_QPU_B : V3D_QPU_A;

	if (first->sf || second->sf ||
	    (second->kind != V3D_QPU_ALU && second->kind != V3D_QPU_ALU_SMALL_IMMEDIATE) ||
	    (after->rotates | (after->flags & (QASM_ROTATES_FILE | QASM_ROTATES_BY_R5))))
		return false;
	if (half_reads(second, false, mux) &&
	    (second->waddr_add > V3D_QPU_W_ACC3 ||
	     !qasm_are_complementary(condition, second->cond_add)))
		return false;
	return !half_reads(second, true, mux) ||
	       (second->waddr_mul <= V3D_QPU_W_ACC3 &&
		qasm_are_complementary(condition, second->cond_mul));
}

static void check_pair(struct search *s, uint32_t at, unsigned int distance)
{
	const struct qasm_effects *before = &s->effects;
	struct qasm_effects after;
	size_t i;

	qasm_effects_of(s->code[at], &after);
	for (i = 0; i < COUNT(pairs); i++)
		if (distance <= pairs[i].distance && before->flags & pairs[i].before &&
		    after.flags & pairs[i].after)
			report(s, &pairs[i].rule, s->before, at);
	if (distance > 1)
		return;
	if ((before->writes[0] & after.reads[0] && !apart(before, &after, false)) ||
	    (before->writes[1] & after.reads[1] && !apart(before, &after, true)))
		report(s, &regfile, s->before, at);
	if (before->accumulators & after.rotates)
		report(s, &rotate, s->before, at);
}

static bool ends(const struct search *s, uint32_t at)
{
	const unsigned int sig = s->code[at] >> 60;

	return sig == V3D_QPU_SIG_PROGRAM_END || sig == V3D_QPU_SIG_LOAD_COLOR_END;
}

/* What runs after an instruction: none, one or two */
static unsigned int followers(const struct search *s, uint32_t at, uint32_t next[2])
{
	const uint32_t slots = V3D_QPU_BRANCH_SLOTS;
	struct v3d_qpu_inst branch = { .kind = V3D_QPU_ALU };
	unsigned int count = 0;
	int64_t target;

	if (at >= V3D_QPU_END_SLOTS && ends(s, at - V3D_QPU_END_SLOTS))
		return 0;
	if (at >= slots)
		branch = v3d_qpu_decode(s->code[at - slots]);
	if (branch.kind != V3D_QPU_BRANCH || branch.cond_br != V3D_QPU_BRANCH_ALWAYS)
		next[count++] = at + 1;
	if (branch.kind != V3D_QPU_BRANCH || branch.reg || !branch.rel ||
	    branch.immediate % V3D_QPU_INSTRUCTION_BYTES)
		return count;
	target = (int64_t)at + 1 + (int32_t)branch.immediate / V3D_QPU_INSTRUCTION_BYTES;
	if (target >= 0 && target < s->count)
		next[count++] = target;
	return count;
}

/* Followers at one distance: each once, however it is reached */
static void visit(struct search *s, uint32_t from, unsigned int distance)
{
	uint32_t next[2];
	unsigned int i, j, n = followers(s, from, next);

	for (i = 0; i < n; i++) {
		if (next[i] >= s->count) {
			if (distance == 1)
				report(s, &end_missing, from, from);
			continue;
		}
		for (j = 0; j < s->seen_count[distance - 1] && s->seen[distance - 1][j] != next[i];
		     j++)
			;
		if (j < s->seen_count[distance - 1])
			continue;
		s->seen[distance - 1][s->seen_count[distance - 1]++] = next[i];
		check_pair(s, next[i], distance);
		if (distance < 3)
			visit(s, next[i], distance + 1);
	}
}

uint32_t v3dcl_hazards(const uint64_t *code, uint32_t count, enum v3dcl_program_kind kind,
		       bool (*each)(void *opaque, const struct v3dcl_hazard *hazard), void *opaque)
{
	struct search s = {
		.code = code, .count = count, .kind = kind, .each = each, .opaque = opaque
	};

	for (s.before = 0; s.before < count && !s.stopped; s.before++) {
		qasm_effects_of(code[s.before], &s.effects);
		s.seen_count[0] = 0;
		s.seen_count[1] = 0;
		s.seen_count[2] = 0;
		check_single(&s);
		check_end(&s);
		visit(&s, s.before, 1);
	}
	return s.found;
}
