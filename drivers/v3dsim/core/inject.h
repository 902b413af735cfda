/* SPDX-License-Identifier: MIT */
/*
 * Faults to order: a chip that breaks where it is told to, while it works. Unlike a mode, which is
 * how a chip is, a fault is asked for at run time, one kind at a time, strikes once (or so many
 * times), and is counted.
 *
 * Each block asks inject_strikes() where it takes the step that the kind is of. When a fault
 * strikes follows from how many such steps there were since it was asked for: no clock of the
 * host's. But a step that has to be tried again, as when it waits for memory or tiles, or when the
 * CPU comes in between, counts again: which of them is struck may differ from run to run where the
 * host has threads.
 */
#ifndef V3DSIM_INJECT_H
#define V3DSIM_INJECT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "v3dsim.h"

struct v3dsim;

#define INJECT_STORM 500	/* interrupts of a storm */
#define INJECT_DELAY 100000	/* instructions, control records and register accesses */

/*
 * X(NAME, "name", what the steps are of which one is struck, "what happens"). Those before
 * INJECT_IRQ_LOSE stop a stage, which takes no step until the power was off.
 */
#define INJECT_KINDS(X) \
	X(CLE_STOP, "cle-stop", "control records", "both list threads stop") \
	X(VCD_STOP, "vcd-stop", "batches of vertices", "vertices are fetched no more") \
	X(PTB_STOP, "ptb-stop", "primitives that are binned", "the binner stops") \
	X(QPU_STOP, "qpu-stop", "batches of shading, turns of user programs", "all QPUs stop") \
	X(TMU_STOP, "tmu-stop", "results that a program takes", "no result comes any more") \
	X(TLB_STOP, "tlb-stop", "records of a rendering list for the tile buffer", \
	  "the tile buffer takes no more records") \
	X(DMA_STOP, "dma-stop", "transfers of user programs between VPM and memory", \
	  "none ends any more") \
	X(IRQ_LOSE, "irq-lose", "reasons for an interrupt", "it is not latched") \
	X(IRQ_DELAY, "irq-delay", "rises of the interrupt line", "it rises late") \
	X(IRQ_DOUBLE, "irq-double", "acknowledged interrupts", \
	  "the line rises once more, with nothing latched") \
	X(IRQ_STORM, "irq-storm", "acknowledged interrupts", \
	  "the line rises 500 times more, with nothing latched") \
	X(BUS_ERROR, "bus-error", "memory accesses", "it fails, as one where no memory is") \
	X(RESET_DEAD, "reset-dead", "times that power comes on", \
	  "registers read 0 and keep nothing until power comes on again") \
	X(IDENT_WRONG, "ident-wrong", "reads of IDENT0 to IDENT2", "all bits are wrong") \
	X(REGISTER_GARBAGE, "register-garbage", "reads of registers", "any value is read")

/* Its number, for inject_strikes() */
enum inject_kind {
#define INJECT_KIND(NAME, name, steps, text) INJECT_##NAME,
	INJECT_KINDS(INJECT_KIND)
#undef INJECT_KIND
	INJECT_KIND_COUNT
};

#define INJECT_NONE INJECT_KIND_COUNT

/**
 * struct inject - of one chip
 * @watched: a bit a kind: steps of this kind are to be counted, or its stage has stopped
 * @stopped: a bit a stage that has stopped
 * @kind: asked for, as long as @left is not 0
 * @left: how often it is still to strike
 * @after: steps that pass between two strikes; @wait of them are still to come
 * @last: asked for last, and @since: how often it has struck since
 * @struck: how often each has, since the chip is there
 * @garbage: what garbage is made from
 * @dead: the chip did not come back when power came on
 */
struct inject {
	uint32_t watched, stopped;
	enum inject_kind kind, last;
	uint32_t left, after, wait, since, garbage;
	uint64_t struck[INJECT_KIND_COUNT];
	bool dead;
};

/* inject_strikes(), for a kind that is watched */
bool inject_hits(struct inject *inject, enum inject_kind kind);

/**
 * inject_strikes() - here is a step of this kind: does it fail?
 *
 * Of a stage that has stopped each one does, and is not counted.
 */
static inline bool inject_strikes(struct inject *inject, enum inject_kind kind)
{
	if (__builtin_expect(!(inject->watched >> kind & 1), 1))
		return false;
	return inject_hits(inject, kind);
}

/* Are steps of this kind watched? What takes many of them in one go must not do so then. */
static inline bool inject_watches(const struct inject *inject, enum inject_kind kind)
{
	return inject->watched >> kind & 1;
}

/* Has this stage stopped? */
static inline bool inject_stopped(const struct inject *inject, enum inject_kind kind)
{
	return inject->stopped >> kind & 1;
}

/**
 * inject_ask() - a fault instead of what was asked for before
 * @text: see v3dsim_inject()
 * @error: what is wrong with it; cut to @size bytes
 * Return: @text is right
 */
bool inject_ask(struct inject *inject, const char *text, char *error, size_t size);

/* A register was read: what the CPU gets for @value */
uint32_t inject_read(struct inject *inject, uint32_t reg, uint32_t value);

/* What was asked for last: v3dsim_injected() */
void inject_tell(const struct inject *inject, struct v3dsim_injected *out);

/* Kinds that have struck, for v3dsim_stats() */
void inject_stats(const struct inject *inject,
		  void (*each)(void *opaque, const char *name, uint64_t value), void *opaque);

/* Power-on: stages go again. What is asked for stays so */
void inject_reset(struct inject *inject);

#endif /* V3DSIM_INJECT_H */
