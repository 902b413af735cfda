/* SPDX-License-Identifier: MIT */
/*
 * libv3dsim: the V3D of VideoCore IV as a register-level simulator.
 *
 * The boundary of the chip: what a board does to it (registers, reset, power) and what it does to
 * the board (memory, one interrupt line). What wraps it (QEMU, libv3dcl's device, the command
 * line) sees this header and nothing else.
 */
#ifndef V3DSIM_H
#define V3DSIM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * enum v3dsim_unit - the block of AG100 Figure 1 that makes a memory access
 * @V3DSIM_UNIT_CLE0: control list executor, binning thread
 * @V3DSIM_UNIT_CLE1: control list executor, rendering thread
 * @V3DSIM_UNIT_ICACHE: QPU instruction fetch
 * @V3DSIM_UNIT_UNIFORMS: QPU uniform fetch
 * @V3DSIM_UNIT_TMU: texture and memory lookup unit
 * @V3DSIM_UNIT_VCD: vertex cache DMA, VDR included
 * @V3DSIM_UNIT_VDW: VPM DMA writer
 * @V3DSIM_UNIT_PTB: primitive tile binner
 * @V3DSIM_UNIT_PSE: primitive setup engine
 * @V3DSIM_UNIT_TLB: tile buffer
 * @V3DSIM_UNITS: how many there are
 */
enum v3dsim_unit {
	V3DSIM_UNIT_CLE0,
	V3DSIM_UNIT_CLE1,
	V3DSIM_UNIT_ICACHE,
	V3DSIM_UNIT_UNIFORMS,
	V3DSIM_UNIT_TMU,
	V3DSIM_UNIT_VCD,
	V3DSIM_UNIT_VDW,
	V3DSIM_UNIT_PTB,
	V3DSIM_UNIT_PSE,
	V3DSIM_UNIT_TLB,
	V3DSIM_UNITS
};

/**
 * enum v3dsim_state - what v3dsim_run() stopped at
 * @V3DSIM_IDLE: nothing left to do
 * @V3DSIM_BUSY: budget spent, more to do
 * @V3DSIM_STALLED: nothing can go on until the CPU does something: out of binner memory, semaphore,
 *	dead wait
 * @V3DSIM_FAULT: as STALLED, and a unit stopped with an error: see v3dsim_fault()
 */
enum v3dsim_state {
	V3DSIM_IDLE,
	V3DSIM_BUSY,
	V3DSIM_STALLED,
	V3DSIM_FAULT,
};

/**
 * enum v3dsim_caches - what the instruction, uniform, TMU and L2 caches do
 * @V3DSIM_CACHES_IDEAL: nothing is ever stale
 * @V3DSIM_CACHES_MODEL: the chip's geometry; lines stay until L2CACTL or SLCACTL clears them
 */
enum v3dsim_caches {
	V3DSIM_CACHES_IDEAL,
	V3DSIM_CACHES_MODEL,
};

#define V3DSIM_THREADS_MAX 64	/* of &v3dsim_config.threads */

/**
 * enum v3dsim_trace - kinds of trace lines, a bit each in &v3dsim_config.trace_mask
 * @V3DSIM_TRACE_QPU: each instruction executed, and broken rules of "Summary of Instruction
 *	Restrictions"
 * @V3DSIM_TRACE_CLE: each control record
 * @V3DSIM_TRACE_MEM: each memory access
 * @V3DSIM_TRACE_REG: each register access
 */
enum v3dsim_trace {
	V3DSIM_TRACE_QPU = 1,
	V3DSIM_TRACE_CLE = 2,
	V3DSIM_TRACE_MEM = 4,
	V3DSIM_TRACE_REG = 8,
};

/**
 * struct v3dsim_region - a piece of memory that the chip may access directly
 * @host: where byte @base is in this process; stays valid until v3dsim_forget() returns
 * @base: address as the V3D sees it
 * @len: bytes, at least 1; @base + @len does not pass 2^32
 * @writable: stores are allowed too
 */
struct v3dsim_region {
	void *host;
	uint32_t base, len;
	bool writable;
};

/**
 * struct v3dsim_host - what the machine around the chip provides
 *
 * Callbacks may come from any thread, and never with a lock of the simulator's held.
 *
 * @region: memory around @addr; false is a bus error. The simulator caches regions and checks every
 *	access against them; a strict configuration asks anew at each access.
 * @written: after each tile store, tile list block and DMA, for dirty tracking. May be NULL.
 * @irq: the level of the interrupt line may have changed: look at v3dsim_irq_level()
 * @trace: one line of trace, without newline. May be NULL.
 * @opaque: handed back
 */
struct v3dsim_host {
	bool (*region)(void *opaque, enum v3dsim_unit unit, uint32_t addr, bool write,
		       struct v3dsim_region *out);
	void (*written)(void *opaque, uint32_t addr, uint32_t len);
	void (*irq)(void *opaque);
	void (*trace)(void *opaque, enum v3dsim_trace kind, const char *line);
	void *opaque;
};

/**
 * struct v3dsim_config - how the chip behaves
 * @threads: 0: deterministic, all work happens in v3dsim_run(). 1: a worker of its own runs beside
 *	the caller. n, up to V3DSIM_THREADS_MAX: that worker runs the lists in order, and n more
 *	shade tiles; MODEL caches, @strict and tracing leave all to the one worker. Memory,
 *	interrupts, statistics and counters are the same with any number.
 * @caches: MODEL implies the geometry of the chip
 * @strict: every memory access asks @region anew (for oracles)
 * @trace_mask: kinds of trace wanted, 0 for none
 * @reference: without all that exists for speed alone, on one worker whatever @threads is
 *	above 1. The same bytes, registers, interrupts, statistics and counters: a bug that is
 *	still there is in what is described here, not in what is fast.
 * @chip: which chip, as a list of the modes in <v3d/chip.h>: "ideal", which NULL is, too,
 *	"bcm2835", "HW-2898+irq-late:7", "bcm2835+-HW-2905". Looked at by v3dsim_new() alone.
 * @races: user programs are watched for accesses that nothing orders: see v3dsim_races()
 */
struct v3dsim_config {
	unsigned int threads;
	enum v3dsim_caches caches;
	bool strict;
	unsigned int trace_mask;
	bool reference;
	const char *chip;
	bool races;
};

/**
 * struct v3dsim_fault - why a unit stopped, in words that help
 * @unit: who
 * @address: of the control record, instruction or access
 * @text: one line: unit, address, what was wrong, what was expected
 */
struct v3dsim_fault {
	enum v3dsim_unit unit;
	uint32_t address;
	char text[256];
};

struct v3dsim;

/**
 * v3dsim_new() - a chip, powered and out of reset
 * @config: copied; NULL for all zero
 * @host: copied
 *
 * Return: the chip, owned by the caller, or NULL (out of memory, or a config that makes no sense:
 * errno says which)
 */
struct v3dsim *v3dsim_new(const struct v3dsim_config *config, const struct v3dsim_host *host);

/**
 * v3dsim_chip_check() - is this a list of modes, as @chip of the configuration?
 * @chip: the list
 * @error: what is wrong with it, a line; cut to @size bytes, its end included
 * @size: bytes of @error; 0 for none
 *
 * Return: it is
 */
bool v3dsim_chip_check(const char *chip, char *error, size_t size);

/**
 * v3dsim_chip_help() - the modes, for people: name, number, what the chip does, source
 * @line: called for each line, without newline
 * @opaque: handed to it
 */
void v3dsim_chip_help(void (*line)(void *opaque, const char *text), void *opaque);

#define V3DSIM_CHIP_NAME 2048	/* bytes that any chip's name fits into */

/**
 * v3dsim_chip_name() - which chip this is, as a list of modes, as short as it can be
 * @sim: the chip
 * @text: filled; cut to @size bytes, its end included
 * @size: bytes of @text
 */
void v3dsim_chip_name(struct v3dsim *sim, char *text, size_t size);

/**
 * v3dsim_free() - stops the workers and frees all
 * @sim: the chip; NULL is fine
 */
void v3dsim_free(struct v3dsim *sim);

/**
 * v3dsim_read() - a 32-bit register read by the CPU
 * @sim: the chip
 * @reg: byte offset from the V3D's base, any value; what is no register reads 0. Switched off:
 *	0xdeadbeef, and counted as a bug of the driver's (statistic "sleeping_accesses").
 *
 * Return: what is read
 */
uint32_t v3dsim_read(struct v3dsim *sim, uint32_t reg);

/**
 * v3dsim_write() - a 32-bit register write by the CPU
 * @sim: the chip
 * @reg: as for v3dsim_read(); a write of what is no register does nothing
 * @value: what is written
 */
void v3dsim_write(struct v3dsim *sim, uint32_t reg, uint32_t value);

/**
 * v3dsim_irq_level() - the interrupt line: pipeline and QPU interrupts, enabled and latched
 * @sim: the chip
 *
 * Return: true while it is raised
 */
bool v3dsim_irq_level(struct v3dsim *sim);

/**
 * v3dsim_forget() - memory is about to change; no access to it goes on when this returns
 * @sim: the chip
 * @addr: bus address of the first byte; all regions that the bytes overlap are dropped
 * @len: bytes
 */
void v3dsim_forget(struct v3dsim *sim, uint32_t addr, uint32_t len);

/**
 * v3dsim_power() - the power domain; off then on is a full reset, costing what was touched (but for
 * a chip with mode "power-keep")
 * @sim: the chip
 * @on: what it is from now on
 */
void v3dsim_power(struct v3dsim *sim, bool on);

/**
 * v3dsim_power_refused() - for boards that show the power domain to software, which ask this before
 * they switch off because software wants them to
 * @sim: the chip
 *
 * Return: the domain refuses and stays on, with all that is in the chip; asking again helps (a chip
 * with mode "power-refuse": the first times after each job). A chip that is off refuses nothing.
 */
bool v3dsim_power_refused(struct v3dsim *sim);

/**
 * v3dsim_run() - with @threads 0, does work; with threads, waits for theirs
 * @sim: the chip
 * @budget: instructions and control records to spend, at most; with threads, some milliseconds'
 *	worth more
 *
 * Return: what it stopped at; with threads V3DSIM_BUSY says that they go on
 */
enum v3dsim_state v3dsim_run(struct v3dsim *sim, uint64_t budget);

/**
 * v3dsim_stop() - with threads: all are at rest when it returns, until the next register write
 * @sim: the chip
 */
void v3dsim_stop(struct v3dsim *sim);

/* Where a process stands that forks: see v3dsim_fork(), whose name Sphinx would confuse with it */
enum v3dsim_fork { V3DSIM_FORK_BEFORE, V3DSIM_FORK_PARENT, V3DSIM_FORK_CHILD };

/**
 * v3dsim_fork() - for a process with a chip that forks, whose child has none of the chip's threads
 * @sim: the chip
 * @when: BEFORE lets all come to rest; after that, PARENT lets them go on, CHILD begins them anew
 *
 * Return: false: the child could not begin them, and its chip must not be used any more
 */
bool v3dsim_fork(struct v3dsim *sim, enum v3dsim_fork when);

/* The first fault since power-on, into @out. Return: false if there was none */
bool v3dsim_fault(struct v3dsim *sim, struct v3dsim_fault *out);

#define V3DSIM_INJECT_ERROR 512	/* bytes that what is wrong with a fault fits into */

/**
 * v3dsim_inject() - the chip is to fail: a fault to order, in place of what was asked for before
 * @sim: the chip
 * @fault: "NAME": at the next step that a fault of this kind strikes; "NAME:HITS": so many times;
 *	"NAME:HITS:AFTER": after so many such steps, each time. "none": nothing any more
 * @error: what is wrong with it, a line; cut to @size bytes, its end included
 * @size: bytes of @error; 0 for none
 *
 * Kinds are cle-stop, vcd-stop, ptb-stop, qpu-stop, tmu-stop, tlb-stop, dma-stop (a stage takes no
 * step until power was off), irq-lose, irq-delay, irq-double, irq-storm, bus-error, reset-dead,
 * ident-wrong, register-garbage. None does to the host what the chip could not do. With threads
 * that shade tiles (@threads above 1), tmu-stop and bus-error do not strike in these.
 *
 * Return: @fault is one
 */
bool v3dsim_inject(struct v3dsim *sim, const char *fault, char *error, size_t size);

/**
 * struct v3dsim_injected - what became of the fault that was asked for last
 * @name: its kind; "none": none was
 * @struck: how often it has struck since
 * @left: how often it is still to strike
 */
struct v3dsim_injected {
	char name[24];
	uint32_t struck, left;
};

/* What became of the fault that was asked for last, into @out */
void v3dsim_injected(struct v3dsim *sim, struct v3dsim_injected *out);

/**
 * struct v3dsim_place - where a program stands that has not ended
 * @who: "QPU11", or whose shader it is: "CT1's shader"
 * @state: what it does, in words: "still runs", "waits for the mutex"
 * @address: of its next instruction
 */
struct v3dsim_place {
	char who[16], state[64];
	uint32_t address;
};

#define V3DSIM_PLACES 14	/* programs at a time: a QPU each, and the lists' shaders */

/**
 * v3dsim_places() - each program that has not ended, to explain a hang
 * @sim: the chip
 * @places: filled; room for V3DSIM_PLACES
 *
 * Return: how many there are
 */
unsigned int v3dsim_places(struct v3dsim *sim, struct v3dsim_place *places);

/**
 * v3dsim_describe() - where each QPU that runs a program stands and what it waits for, a line each,
 * to explain a hang
 * @sim: the chip
 * @text: filled; empty if no program runs
 * @size: bytes of @text, to which it is cut, its end included
 */
void v3dsim_describe(struct v3dsim *sim, char *text, size_t size);

/**
 * struct v3dsim_race_side - one of two accesses that race
 * @qpu: whose
 * @transfer: it is DMA that the instruction started; else the instruction itself
 * @write: it writes
 * @address: of the instruction
 */
struct v3dsim_race_side {
	unsigned int qpu;
	bool transfer, write;
	uint32_t address;
};

/**
 * struct v3dsim_race - two accesses to the same bytes that nothing orders
 * @vpm: to the VPM; else to memory
 * @place: the word in the VPM, 16 a row; or the address
 * @sides: the one that came first this time, and the other
 */
struct v3dsim_race {
	bool vpm;
	uint32_t place;
	struct v3dsim_race_side sides[2];
};

#define V3DSIM_RACES 32

/**
 * v3dsim_races() - races of user programs since this was last asked; each pair of instructions once
 * @sim: a chip with @races in its configuration
 * @races: filled; room for V3DSIM_RACES
 * @missed: set if there was no memory to watch all
 *
 * Return: how many there are
 */
unsigned int v3dsim_races(struct v3dsim *sim, struct v3dsim_race *races, bool *missed);

/**
 * v3dsim_stats() - statistics as name and value, in a fixed order
 * @sim: the chip
 * @each: called for each ("instructions", "cycles", "sleeping_accesses", "broken_rules", counters
 *	by the names of AG100 Table 82, "struck:" and the name of each mode that the chip has: how
 *	often it did what a chip without that mode does not do; "injected:" and each kind of fault
 *	that has struck: how often)
 * @opaque: handed to @each
 */
void v3dsim_stats(struct v3dsim *sim, void (*each)(void *opaque, const char *name, uint64_t value),
		  void *opaque);

#ifdef __cplusplus
}
#endif

#endif /* V3DSIM_H */
