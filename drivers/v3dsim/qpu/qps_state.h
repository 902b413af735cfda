/* SPDX-License-Identifier: MIT */
/* Inside the scheduler: all QPUs and what they share. */
#ifndef V3DSIM_QPS_STATE_H
#define V3DSIM_QPS_STATE_H

#include "peripherals.h"
#include "qps.h"
#include "qpu.h"
#include "races.h"
#include "vpm.h"

/* A program waiting for a QPU: SRQPC, SRQUA, SRQUL as they were */
struct qps_request {
	uint32_t pc, uniforms, length;
};

/**
 * struct qps - the QPUs
 * @alu: the operations that they have
 * @peripherals: that they have
 * @decoded: by instruction address; a word decides whether an entry fits
 * @queue: @waiting requests from @first on
 * @requested: SRQPC writes, @completed: programs ended, both modulo 256; @error: QPURQERR
 * @semaphores: counts from 0 to 15
 * @mutex_owner: a QPU, or QPS_MUTEX_FREE; @mutex_given: handed to a waiting QPU that has not seen
 *	it yet
 * @mutex_waiting: a bit a QPU
 * @now: the time, in slots
 * @fault: a DMA failed after its program had ended
 * @loads: VDR transfers under way
 * @races: who watches, or NULL
 * @compiler: of hot programs, or NULL
 */
/**
 * struct qps_round - a turn for each QPU; a budget may cut it, and it goes on where it was cut
 * @open: it is under way
 * @next: whose turn it is
 * @spent: instructions so far
 * @until: when its turns end
 * @busy_until: when each QPU that had its turn stopped; 0: it did not run
 */
struct qps_round {
	bool open;
	unsigned int next;
	uint64_t spent, until, busy_until[V3D_QPUS];
};

struct qps {
	struct qpu qpu[V3D_QPUS];
	struct vpm vpm;
	const struct alu_table *alu;
	struct qpu_peripherals peripherals;
	struct qpu_op decoded[QPS_DECODED];
	struct qps_request queue[V3D_USER_QUEUE];
	unsigned int first, waiting;
	uint32_t requested, completed;
	bool error, fault, mutex_given;
	uint8_t semaphores[V3D_QPU_SEMAPHORES];
	uint8_t mutex_owner;
	uint16_t mutex_waiting;
	uint64_t now;
	struct qps_round round;
	unsigned int loads;
	bool vpm_touched;
	struct races *races;
	struct compiler *compiler;
};

/* What a small immediate of rotation is as an operand in the chip's mode "imm-48": seen easily */
#define QPS_NO_NUMBER(code) (0xbad00000u | (code))

/** qps_reset_qpu() - power-on state of a QPU, be it one of user programs' or a control thread's */
void qps_reset_qpu(const struct v3dsim *sim, struct qpu *q, unsigned int number);

/**
 * qps_finish() - ends a QPU's load or store whose time has come; after a bus error the QPU is
 * faulted
 */
void qps_finish(struct v3dsim *sim, struct qpu *q, bool store);

/* False: the QPU has to wait */
bool qps_mutex_acquire(struct qps *state, unsigned int qpu);

/* Releases the mutex; the next waiting QPU upwards gets it */
void qps_mutex_release(struct qps *state);

/* What qpu.c needs of qpu_io.c */

/* May an instruction go on? */
enum qpu_wait { QPU_GO, QPU_WAIT, QPU_WAIT_FAULT };

/**
 * qpu_wait() - for instructions of QPU_OP_STALLS: acquires what must be acquired, or says in
 * q->stall what is missing
 */
enum qpu_wait qpu_wait(struct v3dsim *sim, struct qpu *q, const struct qpu_op *op);

/**
 * qpu_ports() - reads the register space into the ports' slots. @rules collects broken rules.
 * Return: false after a bus error
 */
bool qpu_ports(struct v3dsim *sim, struct qpu *q, const struct qpu_op *op, uint32_t *rules);

/**
 * qpu_write_io() - a result to an address of the register space past r5
 * @in_b: of file B's side
 * @lanes: a bit a lane: its condition passes; counts for the tile buffer only
 * Return: false after a fault
 */
bool qpu_write_io(struct v3dsim *sim, struct qpu *q, unsigned int waddr, bool in_b,
		  const struct lanes *value, uint16_t lanes, uint32_t *rules);

/* What accel/ needs of qpu.c */

#define QPU_SLICE 4	/* QPUs of a slice */

/*
 * AG100 p. 40: QPUs 2 and 3 of a slice see the two TMUs exchanged, unless the program says
 * otherwise.
 */
static inline unsigned int qpu_tmu(const struct qpu *q, unsigned int tmu)
{
	return tmu ^ (q->number % QPU_SLICE >= 2 && !q->threads[q->current].noswap);
}

/**
 * qpu_step() - one instruction of the current thread in whole, whatever it is; it lies where the
 * thread stands, untraced. Return: see qpu_run()
 */
enum qpu_outcome qpu_step(struct v3dsim *sim, struct qpu *q, const struct qpu_op *op);

/**
 * qpu_operate() - the ALUs, results and flags of an instruction; its inputs are in their slots, and
 * the instruction before wrote no register that it reads. @rules collects broken rules. Return:
 * false after a fault
 */
bool qpu_operate(struct v3dsim *sim, struct qpu *q, const struct qpu_op *op, uint32_t *rules);

/* Unpacks and rotates into the slots for that */
void qpu_inputs(struct qpu *q, const struct qpu_op *op);

/* The value of a load immediate */
void qpu_immediate(struct lanes *out, const struct v3d_qpu_inst *i);

/**
 * qpu_uniform() - the next uniform; what a disabled or ended stream gives is 0.
 *
 * Return: false after a bus error
 */
bool qpu_uniform(struct v3dsim *sim, struct qpu *q, uint32_t *value, uint32_t *rules);

/* The signals ldtmu0 and ldtmu1: the oldest result to r4 */
void qpu_load_tmu(struct v3dsim *sim, struct qpu *q, unsigned int tmu);

#endif /* V3DSIM_QPS_STATE_H */
