// SPDX-License-Identifier: GPL-2.0-only
/*
 * What the V3D says. All of it is short, so it happens in the interrupt itself, but for the
 * binner's wish for memory: that stays until it is fulfilled, so it is masked and left to a worker
 * (binmem.c).
 */
#include "jobs.h"
#include "trace.h"

/* OUTOMEM is enabled while a bin job runs, and no longer: it may be pending without one (?) */
#define V3D_IDLE_INTERRUPTS (V3D_SET(INTENA, FLDONE, 1) | V3D_SET(INTENA, FRDONE, 1))
#define V3D_PIPELINE_INTERRUPTS (V3D_IDLE_INTERRUPTS | V3D_SET(INTENA, OUTOMEM, 1))

/*
 * Other devices may share the line, so it must be known whether the V3D is awake without asking it
 */
static bool bv3d_irq_enabled(struct bv3d_device *v3d)
{
	return READ_ONCE(v3d->irq_enabled);
}

/**
 * bv3d_irq_listen() - OUTOMEM interrupts from here on, until it does or the bin job ends
 * @v3d: awake
 *
 * One that is pending already is not lost. Any context.
 */
void bv3d_irq_listen(struct bv3d_device *v3d)
{
	unsigned long flags;

	spin_lock_irqsave(&v3d->listens.lock, flags);
	WRITE_ONCE(v3d->listens.outomem, true);
	bv3d_write(v3d, V3D_INTENA, V3D_SET(INTENA, OUTOMEM, 1));
	spin_unlock_irqrestore(&v3d->listens.lock, flags);
}
EXPORT_SYMBOL_FOR_TESTS(bv3d_irq_listen);

/* These interrupt no more, OUTOMEM among them */
static void bv3d_irq_unlisten(struct bv3d_device *v3d, u32 interrupts)
{
	unsigned long flags;

	spin_lock_irqsave(&v3d->listens.lock, flags);
	WRITE_ONCE(v3d->listens.outomem, false);
	bv3d_write(v3d, V3D_INTDIS, interrupts);
	spin_unlock_irqrestore(&v3d->listens.lock, flags);
}

/*
 * The latch of HOST_INT may read 0 in the handler (HW). So where user programs run, or have run
 * since the last interrupt of this kind, one with nothing in any latch counts as theirs: else the
 * kernel would find that no handler cares, and switch the line off.
 */
static irqreturn_t bv3d_irq_without_latch(struct bv3d_device *v3d)
{
	struct bv3d_sched *sched = v3d->sched;
	const struct bv3d_hw_queue *programs = &sched->queues[V3D_QPU];
	unsigned long flags;
	bool theirs;

	spin_lock_irqsave(&sched->lock, flags);
	theirs = programs->active || programs->finished != sched->unlatched;
	sched->unlatched = programs->finished;
	sched->latchless += theirs;
	spin_unlock_irqrestore(&sched->lock, flags);
	if (theirs)
		bv3d_qpu_look(v3d);
	return theirs ? IRQ_HANDLED : IRQ_NONE;
}

/*
 * What INTCTL tells but of masked interrupts. INTENA is not asked: an access to a register of the
 * V3D takes longer than what is done about a job's end otherwise
 */
static u32 bv3d_irq_status(struct bv3d_device *v3d)
{
	u32 status = bv3d_read(v3d, V3D_INTCTL);

	return status & (READ_ONCE(v3d->listens.outomem) ? V3D_PIPELINE_INTERRUPTS :
							   V3D_IDLE_INTERRUPTS);
}

/*
 * What user programs say is looked for where they run, or where it is all that there can be: beside
 * it, a latch that is not cleared keeps the line up, and the handler is called again
 */
static u32 bv3d_irq_host(struct bv3d_device *v3d, u32 status)
{
	if (status && !READ_ONCE(v3d->sched->queues[V3D_QPU].active))
		return 0;
	return bv3d_read(v3d, V3D_DBQITC);
}

/**
 * bv3d_irq_handle() - what does the V3D say?
 * @v3d: awake, between drm_dev_enter and drm_dev_exit
 *
 * Return: IRQ_NONE when it is not the V3D that interrupts
 */
irqreturn_t bv3d_irq_handle(struct bv3d_device *v3d)
{
	u32 status = bv3d_irq_status(v3d);
	u32 host = bv3d_irq_host(v3d, status);

	if (!status && !host)
		return bv3d_irq_without_latch(v3d);
	trace_bv3d_interrupt(status, host);
	if (V3D_GET(status, INTENA, OUTOMEM) || V3D_GET(status, INTENA, FLDONE))
		bv3d_irq_unlisten(v3d, V3D_SET(INTDIS, OUTOMEM, 1));
	/* Before acting on them: what comes next from a job that is started must not be lost */
	if (status)
		bv3d_write(v3d, V3D_INTCTL, status);
	if (host)
		bv3d_write(v3d, V3D_DBQITC, host);
	/* A binner that is done wants nothing any more */
	if (V3D_GET(status, INTCTL, FLDONE))
		bv3d_queue_finished(v3d, V3D_BIN);
	else if (V3D_GET(status, INTCTL, OUTOMEM))
		bv3d_binmem_out_of_memory(v3d);
	if (V3D_GET(status, INTCTL, FRDONE))
		bv3d_queue_finished(v3d, V3D_RENDER);
	if (host)
		bv3d_qpu_look(v3d);
	return IRQ_HANDLED;
}
EXPORT_SYMBOL_FOR_TESTS(bv3d_irq_handle);

/* Nothing comes any more, and the line falls */
static void bv3d_irq_mask(struct bv3d_device *v3d)
{
	bv3d_irq_unlisten(v3d, V3D_PIPELINE_INTERRUPTS);
	bv3d_write(v3d, V3D_DBQITE, 0);
	bv3d_write(v3d, V3D_INTCTL, V3D_PIPELINE_INTERRUPTS);
	bv3d_write(v3d, V3D_DBQITC, V3D_MASK(DBQITC, IC_QPU));
}

static irqreturn_t bv3d_irq(int irq, void *data)
{
	struct bv3d_device *v3d = data;
	irqreturn_t ret = IRQ_NONE;
	int idx;

	if (!bv3d_irq_enabled(v3d))
		return IRQ_NONE;
	/* Unbound, but not switched off yet: that waits for this handler. It says nothing new. */
	if (!drm_dev_enter(&v3d->drm, &idx)) {
		bv3d_irq_mask(v3d);
		return IRQ_HANDLED;
	}
	if (bv3d_irq_enabled(v3d)) {
		bool cookie = dma_fence_begin_signalling();

		ret = bv3d_irq_handle(v3d);
		dma_fence_end_signalling(cookie);
	}
	drm_dev_exit(idx);
	return ret;
}

/**
 * bv3d_irq_enable() - let the V3D interrupt us
 * @v3d: after power on
 *
 * Process context, without drm_dev_enter.
 */
void bv3d_irq_enable(struct bv3d_device *v3d)
{
	bv3d_write(v3d, V3D_INTCTL, V3D_PIPELINE_INTERRUPTS);
	bv3d_write(v3d, V3D_DBQITC, V3D_MASK(DBQITC, IC_QPU));
	WRITE_ONCE(v3d->irq_enabled, true);
	bv3d_write(v3d, V3D_DBQITE, V3D_MASK(DBQITE, IE_QPU));
	bv3d_write(v3d, V3D_INTENA, V3D_IDLE_INTERRUPTS);
}

/**
 * bv3d_irq_disable() - mask everything at the V3D, and wait until no handler runs
 * @v3d: before power off
 *
 * Process context, without drm_dev_enter.
 */
void bv3d_irq_disable(struct bv3d_device *v3d)
{
	bv3d_irq_mask(v3d);
	WRITE_ONCE(v3d->irq_enabled, false);
	synchronize_irq(v3d->irq);
}

/**
 * bv3d_irq_install() - the V3D's interrupt has a handler
 * @v3d: in probe, asleep
 *
 * devm-managed. With a shared interrupt the handler may be called at any time.
 *
 * Return: 0 or what the interrupt controller says
 */
int bv3d_irq_install(struct bv3d_device *v3d)
{
	return devm_request_irq(v3d->drm.dev, v3d->irq, bv3d_irq, IRQF_SHARED,
				dev_name(v3d->drm.dev), v3d);
}
