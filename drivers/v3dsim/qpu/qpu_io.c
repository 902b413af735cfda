// SPDX-License-Identifier: MIT
/*
 * The register space of a QPU beyond its files and accumulators (AG100 Table 14): what waits, what
 * is read, what writes do.
 */
#include <string.h>

#include "core/sim.h"
#include "qps_state.h"
#include "qpu_trace.h"
#include "sfu.h"

#define RULE(NAME) (1u << QPU_RULE_##NAME)

static struct qpu_thread *thread_of(struct qpu *q)
{
	return &q->threads[q->current];
}

static bool reads_port(const struct qpu_op *op, unsigned int raddr, bool b)
{
	return !(op->flags & QPU_OP_OTHER) &&
	       (b ? op->inst.kind == V3D_QPU_ALU && op->inst.raddr_b == raddr :
		    op->inst.raddr_a == raddr);
}

static bool reads(const struct qpu_op *op, unsigned int raddr)
{
	return reads_port(op, raddr, false) || reads_port(op, raddr, true);
}

/* Does an ALU write this address in the space of file A, of B? */
static bool writes(const struct qpu_op *op, unsigned int waddr, bool b)
{
	return (op->add_io == waddr && op->inst.ws == b) ||
	       (op->mul_io == waddr && !op->inst.ws == b);
}

static enum qpu_wait stall(struct qpu *q, enum qpu_stall why)
{
	q->stall = why;
	return QPU_WAIT;
}

/* A transfer that must be over: waits for it inside this turn, ends it when its time has come. */
static enum qpu_wait settle(struct v3dsim *sim, struct qpu *q, bool store, bool wait)
{
	struct vpm_dma *dma = store ? &q->port.store : &q->port.load;

	if (!dma->busy && !dma->fault) {
		if (sim->qps->races)
			races_waited(sim->qps->races, q, store);
		return QPU_GO;
	}
	if (dma->busy && dma->done > q->now) {
		if (!wait)
			return QPU_GO;
		if (dma->done > q->until)
			return stall(q, store ? QPU_STALL_STORE : QPU_STALL_LOAD);
		q->now = dma->done;
	}
	if (dma->busy && inject_strikes(&sim->inject, INJECT_DMA_STOP))
		return wait ? stall(q, store ? QPU_STALL_STORE : QPU_STALL_LOAD) : QPU_GO;
	if (dma->busy)
		qps_finish(sim, q, store);
	if (sim->qps->races)
		races_waited(sim->qps->races, q, store);
	return dma->fault ? QPU_WAIT_FAULT : QPU_GO;
}

static enum qpu_wait wait_for_dma(struct v3dsim *sim, struct qpu *q, const struct qpu_op *op)
{
	for (int store = 0; store < 2; store++) {
		const bool must = reads_port(op, V3D_QPU_R_VPM_WAIT, store) ||
				  writes(op, V3D_QPU_W_VPM_ADDR, store);
		enum qpu_wait result;

		if (!must && !reads_port(op, V3D_QPU_R_VPM_BUSY, store))
			continue;
		if (writes(op, V3D_QPU_W_VPM_ADDR, store) &&
		    (store ? q->port.store.busy : q->port.load.busy))
			sim->stats.left |= 1u << QPU_LEFT_DMA;
		result = settle(sim, q, store, must);
		if (result != QPU_GO)
			return result;
	}
	return QPU_GO;
}

static enum qpu_wait wait_for_tmu(struct v3dsim *sim, struct qpu *q, const struct qpu_op *op)
{
	const unsigned int sig = op->inst.sig;

	if ((sig == V3D_QPU_SIG_LOAD_TMU0 || sig == V3D_QPU_SIG_LOAD_TMU1) &&
	    (!q->tmu[qpu_tmu(q, sig - V3D_QPU_SIG_LOAD_TMU0)].count ||
	     inject_strikes(&sim->inject, INJECT_TMU_STOP)))
		return stall(q, QPU_STALL_TMU_EMPTY);
	for (unsigned int tmu = 0; tmu < 2; tmu++) {
		const unsigned int waddr = tmu ? V3D_QPU_W_TMU1_S : V3D_QPU_W_TMU0_S;

		if ((op->add_io == waddr || op->mul_io == waddr) &&
		    tmu_full(&q->tmu[qpu_tmu(q, tmu)]))
			return stall(q, QPU_STALL_TMU_FULL);
	}
	return QPU_GO;
}

static enum qpu_wait wait_for_semaphore(struct qps *state, struct qpu *q, uint32_t immediate)
{
	uint8_t *count = &state->semaphores[V3D_QPU_SEMAPHORE_NUMBER(immediate)];

	if (V3D_QPU_SEMAPHORE_DECREMENTS(immediate)) {
		if (*count == 0)
			return stall(q, QPU_STALL_SEMAPHORE_DOWN);
		(*count)--;
	} else {
		if (*count == 15)
			return stall(q, QPU_STALL_SEMAPHORE_UP);
		(*count)++;
	}
	if (state->races)
		races_semaphore(state->races, q, V3D_QPU_SEMAPHORE_NUMBER(immediate),
				!V3D_QPU_SEMAPHORE_DECREMENTS(immediate));
	return QPU_GO;
}

enum qpu_wait qpu_wait(struct v3dsim *sim, struct qpu *q, const struct qpu_op *op)
{
	const bool ports = op->flags & QPU_OP_PORTS;	/* without, there is nothing to read from */
	struct qps *state = sim->qps;
	enum qpu_wait result;

	if (op->inst.sig == V3D_QPU_SIG_BREAK)
		return stall(q, QPU_STALL_BREAKPOINT);
	if (ports && reads(op, V3D_QPU_R_VPM_READ) && !vpm_readable(&q->port))
		return stall(q, QPU_STALL_VPM_EMPTY);
	result = wait_for_tmu(sim, q, op);
	if (result == QPU_GO &&
	    (ports || op->add_io == V3D_QPU_W_VPM_ADDR || op->mul_io == V3D_QPU_W_VPM_ADDR))
		result = wait_for_dma(sim, q, op);
	if (result != QPU_GO)
		return result;
	if (ports && reads(op, V3D_QPU_R_MUTEX_ACQUIRE)) {
		if (!qps_mutex_acquire(state, q->number))
			return stall(q, QPU_STALL_MUTEX);
		if (state->races)
			races_mutex_acquired(state->races, q);
	}
	if (op->inst.kind == V3D_QPU_SEMAPHORE)
		return wait_for_semaphore(state, q, op->inst.immediate);
	return QPU_GO;
}

/* The next uniform; what a disabled or ended stream gives is 0. */
bool qpu_uniform(struct v3dsim *sim, struct qpu *q, uint32_t *value, uint32_t *rules)
{
	struct qpu_thread *t = thread_of(q);

	*value = 0;
	if (!t->uniforms || !t->uniforms_left) {
		*rules |= RULE(UNIFORM_LIMIT);
		return true;
	}
	if (!cache_fetch(sim, CACHE_UNIFORMS, q->number / QPU_SLICE, t->uniforms & ~3u, value,
			 sizeof(*value)))
		return false;
	t->uniforms += 4;
	if (t->uniforms_left != UINT32_MAX)
		t->uniforms_left--;
	return true;
}

static void fill_default(const struct qpu *q, bool b, struct lanes *out)
{
	for (unsigned int n = 0; n < V3D_QPU_LANES; n++)
		out->lane[n] = b ? q->number : n;
}

/* Past the register files, but for uniforms */
static void read_space(struct v3dsim *sim, struct qpu *q, unsigned int raddr, bool b,
		       struct lanes *out, uint32_t *rules)
{
	const peripheral_read read = sim->qps->peripherals.read[raddr - PERIPHERAL_SPACE];

	if (read) {
		read(sim, q, raddr, b, out, rules);
	} else if (raddr == V3D_QPU_R_NOP) {	/* HW: what the last quad left on the port */
		for (unsigned int n = 0; n < V3D_QPU_LANES; n += 4)
			memcpy(&out->lane[n], q->last[b], sizeof(q->last[b]));
	} else {
		fill_default(q, b, out);
	}
}

bool qpu_ports(struct v3dsim *sim, struct qpu *q, const struct qpu_op *op, uint32_t *rules)
{
	const bool unif_a = reads_port(op, V3D_QPU_R_UNIFORM, false),
		   unif_b = reads_port(op, V3D_QPU_R_UNIFORM, true);
	const bool vpm_a = reads_port(op, V3D_QPU_R_VPM_READ, false),
		   vpm_b = reads_port(op, V3D_QPU_R_VPM_READ, true);
	struct lanes *a = &q->regs[QPU_PORT_A], *b = &q->regs[QPU_PORT_B];

	if (unif_a || unif_b) {
		uint32_t value;

		if (!qpu_uniform(sim, q, &value, rules))
			return false;
		if (unif_a)
			lanes_fill(a, value);
		if (unif_b)
			lanes_fill(b, value);
	}
	if (op->inst.raddr_a >= PERIPHERAL_SPACE && !unif_a)
		read_space(sim, q, op->inst.raddr_a, false, a, rules);
	if (vpm_a && vpm_b)
		*b = *a;
	else if (op->inst.kind == V3D_QPU_ALU && op->inst.raddr_b >= PERIPHERAL_SPACE && !unif_b)
		read_space(sim, q, op->inst.raddr_b, true, b, rules);
	return true;
}

void qpu_load_tmu(struct v3dsim *sim, struct qpu *q, unsigned int tmu)
{
	const uint64_t ready = tmu_pop(&q->tmu[qpu_tmu(q, tmu)], &q->regs[QPU_ACC + 4]);

	if (ready > q->now) {
		pctr_count(sim, V3D_COUNTER_qpu_tmu_stall_cycles, (ready - q->now) * 4);
		q->now = ready;
	}
}

static void write_sfu(struct v3dsim *sim, struct qpu *q, unsigned int waddr,
		      const struct lanes *value)
{
	struct qpu_thread *t = thread_of(q);

	sfu_run((enum sfu_function)(waddr - V3D_QPU_W_SFU_RECIP), &q->sfu[(t->step + 2) % 4],
		value, chip_strike(sim, V3D_CHIP_SFU));
	/* AG100 p. 22: r4 has it for the third instruction after this one */
	t->due |= 8u << 24;
}

/*
 * A TMU register. What belongs to a texture lookup takes a uniform with it; a lookup that cannot be
 * made says for whom it was to be.
 */
static bool write_tmu(struct v3dsim *sim, struct qpu *q, unsigned int waddr,
		      const struct lanes *value, uint32_t *rules)
{
	const unsigned int tmu = qpu_tmu(q, waddr >= V3D_QPU_W_TMU1_S), parameter = waddr & 3;
	struct tmu_fifo *fifo = &q->tmu[tmu];
	struct tmu_write write = {
		.parameter = parameter,
		.unit = q->number / QPU_SLICE * CACHE_TMUS + tmu,
		.value = value,
		.time = q->now,
	};
	enum tmu_result result = TMU_FAULT;

	if (sim->qps->races && q->kind == QPU_USER && !parameter && !fifo->parameters)
		races_gather(sim->qps->races, q, value);
	if (!tmu_takes_word(fifo, parameter) || qpu_uniform(sim, q, &write.word, rules))
		result = tmu_write(sim, fifo, q->textures, &write);
	if (result == TMU_FAULT) {
		if (!parameter)
			fault_add(sim, " (for QPU %u at 0x%08x)", q->number, thread_of(q)->pc);
		return false;
	}
	if (result == TMU_NO_TYPE)
		*rules |= RULE(RESERVED);
	if (!parameter && fifo->requests > TMU_RELIABLE)
		*rules |= RULE(TMU_OUTSTANDING);
	return true;
}

bool qpu_write_io(struct v3dsim *sim, struct qpu *q, unsigned int waddr, bool in_b,
		  const struct lanes *value, uint16_t lanes, uint32_t *rules)
{
	peripheral_write write;

	if (__builtin_expect(trace_wanted(&sim->config, V3DSIM_TRACE_QPU), 0))
		qpu_trace_written(sim, q, waddr, in_b, value);
	if (waddr >= V3D_QPU_W_TMU0_S)
		return write_tmu(sim, q, waddr, value, rules);
	switch (waddr) {
	case V3D_QPU_W_TMU_NOSWAP:
		thread_of(q)->noswap = value->lane[0] != 0;
		break;
	case V3D_QPU_W_HOST_INT:
		sim->stats.left |= (uint32_t)thread_of(q)->interrupted << QPU_LEFT_HOST_INT;
		thread_of(q)->interrupted = true;
		if (lanes_any(value))
			intr_raise_qpu(sim, q->number);
		else
			*rules |= RULE(HOST_INT_ZERO);
		break;
	case V3D_QPU_W_UNIFORMS_ADDRESS:
		thread_of(q)->uniforms = value->lane[0];
		break;
	case V3D_QPU_W_MUTEX_RELEASE:
		sim->stats.left |= (uint32_t)(sim->qps->mutex_owner != q->number) << QPU_LEFT_MUTEX;
		if (sim->qps->races)
			races_mutex_released(sim->qps->races, q);
		qps_mutex_release(sim->qps);
		break;
	case V3D_QPU_W_SFU_RECIP ... V3D_QPU_W_SFU_LOG:
		write_sfu(sim, q, waddr, value);
		break;
	default:
		write = sim->qps->peripherals.write[waddr - PERIPHERAL_SPACE];
		if (write)
			write(sim, q, waddr, in_b, value, lanes, rules);
	}
	return true;
}
