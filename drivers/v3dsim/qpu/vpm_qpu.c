// SPDX-License-Identifier: MIT
/* The VPM and its DMA as programs see them, in the register space (AG100 Table 14): see vpm.h. */
#include "core/sim.h"
#include "qps_state.h"

#define RULE(NAME) (1u << QPU_RULE_##NAME)

static void read_vector(struct v3dsim *sim, struct qpu *q, unsigned int raddr, bool b,
			struct lanes *out, uint32_t *rules)
{
	(void)raddr;
	(void)b;
	if (q->now < q->port.read_ready)
		*rules |= RULE(VPM_EARLY);
	if (vpm_read(sim, &q->port, out) == VPM_OUTSIDE)
		*rules |= RULE(VPM_OUTSIDE);
}

static void read_busy(struct v3dsim *sim, struct qpu *q, unsigned int raddr, bool b,
		      struct lanes *out, uint32_t *rules)
{
	(void)sim;
	(void)raddr;
	(void)rules;
	lanes_fill(out, b ? q->port.store.busy : q->port.load.busy);
}

static void write_vector(struct v3dsim *sim, struct qpu *q, unsigned int waddr, bool b,
			 const struct lanes *value, uint16_t lanes, uint32_t *rules)
{
	(void)waddr;
	(void)b;
	(void)lanes;
	sim->qps->vpm_touched = true;
	if (vpm_write(sim, &q->port, value) == VPM_OUTSIDE)
		*rules |= RULE(VPM_OUTSIDE);
}

static void write_setup(struct v3dsim *sim, struct qpu *q, unsigned int waddr, bool b,
			const struct lanes *value, uint16_t lanes, uint32_t *rules)
{
	const uint32_t word = value->lane[0];
	const enum vpm_result result =
		b ? vpm_write_setup(&q->port, word) : vpm_read_setup(&q->port, word, q->now);

	(void)waddr;
	(void)lanes;
	if (word >> 31 && (b ? q->port.store.busy : q->port.load.busy))
		sim->stats.left |= 1u << QPU_LEFT_DMA;
	if (result == VPM_IGNORED)
		*rules |= RULE(VPM_SETUP);
	if (result == VPM_RESERVED)
		*rules |= RULE(RESERVED);
}

static void write_address(struct v3dsim *sim, struct qpu *q, unsigned int waddr, bool b,
			  const struct lanes *value, uint16_t lanes, uint32_t *rules)
{
	(void)waddr;
	(void)lanes;
	(void)rules;
	sim->qps->vpm_touched = true;
	if (sim->qps->races)
		races_transfer(sim->qps->races, q, b);
	if (b)
		vdw_start(sim, &q->port, value->lane[0], q->now);
	else
		vdr_start(sim, &q->port, value->lane[0], q->now);
}

void vpm_qpu_attach(struct qpu_peripherals *to)
{
	to->read[V3D_QPU_R_VPM_READ - PERIPHERAL_SPACE] = read_vector;
	to->read[V3D_QPU_R_VPM_BUSY - PERIPHERAL_SPACE] = read_busy;
	to->write[V3D_QPU_W_VPM_WRITE - PERIPHERAL_SPACE] = write_vector;
	to->write[V3D_QPU_W_VPM_SETUP - PERIPHERAL_SPACE] = write_setup;
	to->write[V3D_QPU_W_VPM_ADDR - PERIPHERAL_SPACE] = write_address;
}
