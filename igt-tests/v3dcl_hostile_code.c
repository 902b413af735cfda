// SPDX-License-Identifier: MIT
/*
 * Code of an ordinary user: user programs and shaders that break one rule each, as what is handed
 * to the kernel, and refused by it. Code that looks more like an attack is in v3dcl_hostile.
 */
#include "v3dcl_drawing.h"
#include "v3dcl_rules.h"

IGT_TEST_DESCRIPTION("Each rule of QPU code, broken by an ordinary user");

#define TMU0_T QB_IO(V3D_QPU_W_TMU0_T)
#define VARYING QB_RA(V3D_QPU_R_VARYING)

static uint64_t code[512];
static struct qb buffer, *b = &buffer;

static void begin(void)
{
	qb_init(b, code, ARRAY_SIZE(code));
}

static void refused_shader(int fd, uint32_t rule)
{
	struct drm_vc4_create_shader_bo create = { .size = b->count * V3D_QPU_INSTRUCTION_BYTES,
						   .data = (uintptr_t)b->code };

	igt_assert(!b->failed);
	igt_assert_eq(igt_ioctl(fd, DRM_IOCTL_VC4_CREATE_SHADER_BO, &create) ? errno : 0, EINVAL);
	refused(fd, DRM_V3DCL_PART_CODE, rule);
}

#define E(inst) qb_emit(b, inst);
#define END E(qb_signal(V3D_QPU_SIG_PROGRAM_END, qb_nop()))
#define SIGNAL(name, inst) qb_signal(V3D_QPU_SIG_##name, inst)
#define R0_ZERO E(qb_ldi(QB_R0, 0))
#define FLAGS E(qb_flags(qb_mov(QB_NONE, QB_ELEMENT)))
/* A branch that may go so many instructions beyond its slots */
#define OVER(n) E(qb_branch(V3D_QPU_BRANCH_ALL_ZS, true, (n) * 8, QB_NONE)) qb_nops(b, 3);
#define ADD(dst, x, y) qb_add(V3D_QPU_ADD_ADD, dst, x, y)

/* A user program, and a shader, of what is emitted and an end */
#define PROGRAM(rule, body) \
	do { begin(); body qb_end(b); refused_program(fd, b, RULE_##rule); } while (0)
#define SHADER(rule, body) \
	do { begin(); body qb_end(b); refused_shader(fd, RULE_##rule); } while (0)
/* With an end of its own */
#define PROGRAM_WHOLE(rule, body) \
	do { begin(); body refused_program(fd, b, RULE_##rule); } while (0)

static struct v3d_qpu_inst with_op_add(uint8_t op)
{
	struct v3d_qpu_inst inst = qb_nop();

	inst.op_add = op;
	return inst;
}

static void encodings(int fd)
{
	struct v3d_qpu_inst branch = qb_branch(V3D_QPU_BRANCH_ALWAYS, true, 0, QB_NONE), idle;
	uint32_t handle;

	igt_assert_eq(program_try(fd, code, 0, &handle), EINVAL);
	PROGRAM(CODE_SIGNAL, E(SIGNAL(THREAD_SWITCH, qb_nop())));
	PROGRAM(CODE_SIGNAL, E(SIGNAL(WAIT_SCOREBOARD, qb_nop())));
	SHADER(CODE_SIGNAL, E(SIGNAL(BREAK, qb_nop())));
	PROGRAM(CODE_OP, E(with_op_add(9)));
	SHADER(CODE_OP, E(with_op_add(29)));
	SHADER(CODE_LOAD, E(qb_load(V3D_QPU_LOAD_RESERVED, 2, QB_R0, 1)));
	PROGRAM(CODE_PACK, R0_ZERO E(qb_pack(9, true, qb_mul_mov(QB_R1, QB_R0))));
	branch.cond_br = 12;
	SHADER(BRANCH_CONDITION, E(branch) qb_nops(b, 3););
	idle = qb_nop();
	idle.waddr_add = V3D_QPU_W_MUTEX_RELEASE;
	idle.cond_add = V3D_QPU_COND_ALWAYS;
	PROGRAM(IDLE_WRITE, E(idle));
}

static void registers(int fd)
{
	SHADER(CODE_WRITE, E(qb_ldi(QB_VDW_ADDR, 0x1000)));
	SHADER(CODE_WRITE, E(qb_ldi(QB_HOST_INT, 1)));
	SHADER(CODE_WRITE, E(qb_ldi(QB_MUTEX_RELEASE, 1)));
	SHADER(CODE_READ, E(qb_mov(QB_R0, QB_MUTEX_ACQUIRE)));
	PROGRAM(CODE_READ, E(qb_mov(QB_R0, VARYING)));
	PROGRAM(CODE_UNDEFINED, E(qb_mov(QB_R1, QB_R5)));
	PROGRAM(FLAGS_UNDEFINED, E(qb_if(V3D_QPU_COND_ZS, qb_ldi(QB_R0, 0))));
	PROGRAM(REGISTER_SOON, E(qb_ldi(QB_RA(1), 0)) E(qb_mov(QB_R1, QB_RA(1))));
	PROGRAM(SFU_SOON, R0_ZERO E(qb_mov(QB_RECIP, QB_R0)) E(qb_mov(QB_R1, QB_R4)));
	PROGRAM(ROTATE_SOON, R0_ZERO E(qb_rotate(QB_R1, QB_R0, 1)));
	PROGRAM(PERIPHERALS,
		R0_ZERO E(qb_both(qb_mov(QB_RECIP, QB_R0), qb_mul_mov(QB_LOG, QB_R0))));
	PROGRAM(WRITE_BOTH, R0_ZERO E(qb_both(qb_mov(QB_R1, QB_R0), qb_mul_mov(QB_R1, QB_R0))));
	SHADER(THREADED_REGISTER,
	       R0_ZERO E(SIGNAL(THREAD_SWITCH, qb_mov(QB_RA(16), QB_R0))) qb_nops(b, 5);
	       E(qb_mov(QB_R0, QB_RA(16))));
	SHADER(VARYING_PATHS, E(qb_mov(QB_R0, QB_UNIF)) FLAGS OVER(1) E(qb_mov(QB_R1, VARYING)));
}

static void branches(int fd)
{
	PROGRAM(BRANCH_KIND, E(qb_branch(V3D_QPU_BRANCH_ALWAYS, false, 0, QB_NONE))
		qb_nops(b, 3););
	PROGRAM(BRANCH_WRITE, E(qb_branch(V3D_QPU_BRANCH_ALWAYS, true, 0, QB_R1)) qb_nops(b, 3););
	SHADER(BRANCH_TARGET, FLAGS OVER(1000));
	SHADER(BRANCH_TARGET, FLAGS OVER(-1000));
	SHADER(BRANCH_SLOT, FLAGS E(qb_branch(V3D_QPU_BRANCH_ALWAYS, true, 32, QB_NONE))
	       OVER(4) qb_nops(b, 9););
	SHADER(SLOT_TARGET, FLAGS OVER(1) E(SIGNAL(THREAD_SWITCH, qb_nop())) qb_nops(b, 3););
	SHADER(SWITCH_SLOT, E(SIGNAL(THREAD_SWITCH, qb_nop()))
	       E(SIGNAL(LAST_THREAD_SWITCH, qb_nop())) qb_nops(b, 3););
}

/* More calls than are told apart: each path to each return would be looked at */
static void work(int fd)
{
	unsigned int i;

	begin();
	for (i = 0; i < 33; i++) {
		qb_emit(b, qb_branch(V3D_QPU_BRANCH_ALWAYS, true, 0, QB_RA(1)));
		qb_nops(b, 3);
	}
	qb_end(b);
	refused_program(fd, b, RULE_CODE_WORK);
}

static void ends(int fd)
{
	PROGRAM_WHOLE(CODE_END, qb_nops(b, 8););
	PROGRAM_WHOLE(CODE_END_ACCESS, END E(qb_mov(QB_NONE, QB_VDW_WAIT)) qb_nops(b, 1););
	PROGRAM_WHOLE(END_REGISTER, R0_ZERO E(SIGNAL(PROGRAM_END, qb_mov(QB_RA(1), QB_R0)))
		      qb_nops(b, 2););
	PROGRAM_WHOLE(END_REGISTER, R0_ZERO END E(qb_mov(QB_RA(14), QB_R0)) qb_nops(b, 1););
	begin();
	R0_ZERO END qb_nops(b, 1);
	E(qb_mov(QB_IO(V3D_QPU_W_TLB_Z), QB_R0))
	refused_shader(fd, RULE_CODE_END_ACCESS);
}

#define RESET E(ADD(QB_UNIF_ADDR, QB_R3, QB_UNIF))

static void streams(int fd)
{
	PROGRAM(UNIFORM_LOST, FLAGS OVER(1) E(qb_mov(QB_R0, QB_UNIF)) E(qb_mov(QB_R0, QB_UNIF)));
	SHADER(UNIFORM_SOON, E(qb_ldi(QB_R3, 4)) RESET E(qb_mov(QB_R0, QB_UNIF)));
	SHADER(ADDRESS_RELATIVE, E(qb_ldi(QB_R3, 4))
	       E(ADD(QB_RB(V3D_QPU_W_UNIFORMS_ADDRESS), QB_R3, QB_UNIF)));
	SHADER(ADDRESS_FORM, E(qb_mov(QB_UNIF_ADDR, QB_UNIF)));
	SHADER(ADDRESS_CONSTANT, E(qb_ldi(QB_R3, 8)) RESET);
	SHADER(ADDRESS_SLOT, E(qb_ldi(QB_R3, 4))
	       E(qb_branch(V3D_QPU_BRANCH_ALWAYS, true, 0, QB_NONE)) RESET qb_nops(b, 2););
}

#define MAX0 E(qb_add(V3D_QPU_ADD_MAX, QB_R0, QB_R0, qb_imm(0)))
#define MIN_UNIFORM qb_add(V3D_QPU_ADD_MIN, QB_R0, QB_R0, QB_UNIF)
#define DIRECT E(ADD(QB_TMU0_S, QB_R0, QB_UNIF))
#define LOAD E(SIGNAL(LOAD_TMU0, qb_nop()))
/* More than the checker knows to be held */
#define UNKNOWN E(qb_add(V3D_QPU_ADD_ITOF, QB_R0, QB_ELEMENT, QB_ELEMENT))
#define REQUEST(value) E(qb_mov(QB_TMU0_S, value))

static void lookups(int fd)
{
	SHADER(TMU_BOTH, E(qb_mov(QB_R0, QB_ELEMENT))
	       E(qb_both(qb_mov(TMU0_T, QB_R0), qb_mul_mov(QB_TMU0_S, QB_R0))));
	SHADER(TMU_UNIFORM, E(qb_mov(TMU0_T, QB_UNIF)));
	SHADER(TMU_TWICE, R0_ZERO E(qb_mov(TMU0_T, QB_R0)) E(qb_mov(TMU0_T, QB_R0)));
	SHADER(TMU_CONDITION, R0_ZERO E(qb_if(V3D_QPU_COND_NEVER, qb_mov(TMU0_T, QB_R0))));
	SHADER(TMU_OPEN, R0_ZERO E(qb_mov(TMU0_T, QB_R0)));
	SHADER(DIRECT_FORM, R0_ZERO REQUEST(QB_R0));
	SHADER(DIRECT_CLAMP, UNKNOWN DIRECT LOAD);
	SHADER(DIRECT_CLAMP, UNKNOWN E(MIN_UNIFORM) DIRECT LOAD);
	SHADER(DIRECT_CLAMP, UNKNOWN FLAGS MAX0 E(qb_if(V3D_QPU_COND_ZS, MIN_UNIFORM)) DIRECT LOAD);
	PROGRAM(TMU_EMPTY, LOAD);
	PROGRAM(TMU_FULL, E(qb_mov(QB_R0, QB_UNIF)) REQUEST(QB_R0) REQUEST(QB_R0) REQUEST(QB_R0)
		REQUEST(QB_R0) REQUEST(QB_R0));
	PROGRAM(TMU_UNREAD, REQUEST(QB_UNIF));
	PROGRAM(TMU_PATHS, FLAGS OVER(1) REQUEST(QB_UNIF));
}

#define LOOKUP R0_ZERO E(qb_mov(TMU0_T, QB_R0)) REQUEST(QB_R0)
#define SWITCH E(SIGNAL(THREAD_SWITCH, qb_nop())) qb_nops(b, 2);

/* What the FIFOs of a TMU hold for each of two threads */
static void threads(int fd)
{
	SHADER(TMU_HALF, LOOKUP LOOKUP LOOKUP SWITCH LOAD LOAD LOAD);
	SHADER(TMU_SWITCH, LOOKUP SWITCH SWITCH LOAD);
}

static void vpm(int fd)
{
	SHADER(SETUP_TWICE,
	       E(qb_both(qb_mov(QB_VR_SETUP, QB_UNIF), qb_mul_mov(QB_VW_SETUP, QB_UNIF))));
	PROGRAM(SETUP_MISSING, R0_ZERO E(qb_mov(QB_VPM_WRITE, QB_R0)));
	PROGRAM(SETUP_WORD, E(qb_ldi(QB_VW_SETUP, 1u << 30)));
	PROGRAM(SETUP_WORD, E(qb_ldi(QB_VW_SETUP, qb_word_vpm_write(64))));
	PROGRAM(IO_CONDITION,
		FLAGS E(qb_if(V3D_QPU_COND_ZS, qb_ldi(QB_VW_SETUP, qb_word_vpm_write(0)))));
	PROGRAM(VPM_EMPTY, E(qb_mov(QB_R0, QB_VPM_READ)));
	PROGRAM(VPM_SOON, E(qb_ldi(QB_VR_SETUP, qb_word_vpm_read(0, 1)))
		E(qb_mov(QB_R0, QB_VPM_READ)));
	PROGRAM(VPM_UNREAD, E(qb_ldi(QB_VR_SETUP, qb_word_vpm_read(0, 1))));
	PROGRAM(VPM_PATHS, FLAGS OVER(1) E(qb_ldi(QB_VR_SETUP, qb_word_vpm_read(0, 1))));
}

/* What is shared by programs of all users */
static void shared(int fd)
{
	SHADER(CODE_SEMAPHORE, E(qb_sema_up(3)));
	PROGRAM(SEMAPHORE_PATHS, FLAGS OVER(1) E(qb_sema_up(1)));
	PROGRAM(MUTEX_TWICE, qb_mutex_lock(b); qb_mutex_lock(b););
	PROGRAM(MUTEX_TWICE, qb_mutex_unlock(b););
	PROGRAM(MUTEX_PATHS, FLAGS OVER(1) qb_mutex_lock(b););
	PROGRAM(INTERRUPT_TWICE, qb_host_int(b); qb_host_int(b););
}

/* Words of the stream further on than are recorded */
static void uses(int fd)
{
	PROGRAM(CODE_USES, E(qb_mov(QB_RA(0), QB_UNIF)) E(qb_ldi(QB_R1, 4 * 0xfffe))
		E(ADD(QB_UNIF_ADDR, QB_RA(0), QB_R1)) qb_nops(b, 2); LOOKUP LOAD);
}

/* An address does more than to be one */
static void addresses(int fd)
{
	SHADER(ADDRESS_TAKEN, E(qb_mov(QB_R0, QB_ELEMENT)) MAX0 E(MIN_UNIFORM)
	       E(qb_flags(ADD(QB_TMU0_S, QB_R0, QB_UNIF))) LOAD);
}

static const struct subtest tests[] = {
	{ "encodings", encodings, "Instructions that there are not" },
	{ "registers", registers, "Registers of others, or read too early" },
	{ "branches", branches, "Branches to where nothing was looked at" },
	{ "work", work, "More calls than are told apart" },
	{ "ends", ends, "Ends that there are not, or with something in their slots" },
	{ "streams", streams, "Uniforms of a place in the stream that is not known" },
	{ "lookups", lookups, "Lookups and direct reads of anything" },
	{ "threads", threads, "More requests to a TMU than there is room for" },
	{ "vpm", vpm, "The VPM without a set-up, or another one" },
	{ "shared", shared, "Mutex, semaphores and interrupts" },
	{ "uses", uses, "Parameters behind all that is recorded" },
	{ "addresses", addresses, "An address that becomes something else" },
};

V3DCL_MAIN(tests, require_user)
