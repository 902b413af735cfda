/* SPDX-License-Identifier: (GPL-2.0-only OR MIT) */
/*
 * Where silicon and the guide part: the modes of the chip. One table names them for the simulator,
 * for the library's probe and for the tests.
 *
 * X(NAME, "name", number, source, "what the chip does"): the number is how often, how late or from
 * which seed ("irq-late:7"), counted in what the text says; it is the default, and 0 where there is
 * nothing to count. Sources: AG100 Appendix A by its numbers, else "silicon" (seen on boards),
 * "reading" (the guide can be read in two ways, or sources contradict each other: the reading that
 * is unkinder to software) or "guide" (the guide's words, where published programs need another
 * chip: no part of bcm2835). None is a rule that software may rely on.
 */
#ifndef V3D_CHIP_H
#define V3D_CHIP_H

#define V3D_CHIP_MODES(X) \
	X(HW_2116, "HW-2116", 0, "AG100 Table 94", \
	  "8,192 counted state updates: tile lists get all state anew, wrongly") \
	X(HW_2619, "HW-2619", 0, "AG100 Table 94", \
	  "16-bit texture blends drop the sign of negative powers of two") \
	X(HW_2645, "HW-2645", 0, "AG100 Table 94", \
	  "16-bit blends of infinity and a negative value come out negative") \
	X(HW_2726, "HW-2726", 0, "AG100 Table 94", "points of size 0 stop the binner") \
	X(HW_2753, "HW-2753", 0, "AG100 Table 94", \
	  "child images 2,048 texels wide or high are addressed wrongly") \
	X(HW_2796, "HW-2796", 0, "AG100 Table 94", \
	  "sbwait in the first two instructions draws to the tile before") \
	X(HW_2885, "HW-2885", 0, "AG100 Table 94", \
	  "the coverage pipe locks up after primitives with varyings") \
	X(HW_2898, "HW-2898", 0, "AG100 Table 94", \
	  "raster textures are addressed as if their width were a power of two") \
	X(HW_2905, "HW-2905", 0, "AG100 Table 94", \
	  "early Z errs after a tile load or a clear of Z with 4 samples") \
	X(HW_2924, "HW-2924", 0, "AG100 Table 94", \
	  "stencil set-ups change for four quads together") \
	X(TILE_STATE, "tile-state", 0, "silicon", \
	  "auto-initialise leaves the tile state array as it is") \
	X(LIST_WINDOW, "list-window", 0, "silicon", \
	  "tile list pointers have 28 bits, the rest is the tile state array's") \
	X(OUTOMEM_IDLE, "outomem-idle", 0, "reading", \
	  "OUTOMEM is pending from power-on until overspill memory is given") \
	X(OUTOMEM_EARLY, "outomem-early", 2, "reading", \
	  "OUTOMEM is raised with less than n tile list blocks left") \
	X(BPOS_LATE, "bpos-late", 3, "silicon", \
	  "a write of BPOS takes effect n control records or allocations later") \
	X(BMOOM_LATE, "bmoom-late", 0, "silicon", \
	  "PCS.BMOOM falls when overspill memory is taken, not at the write") \
	X(LINE_LOOP_2, "line-loop-2", 0, "silicon", "line loops of two vertices draw nothing") \
	X(SMALL_TILE_MEMORY, "small-tile-memory", 0, "silicon", \
	  "too little tile allocation memory is not refused") \
	X(LIST_END, "list-end", 0, "reading", \
	  "a list thread's end address stops it inside index lists as well") \
	X(SFU, "sfu", 0, "silicon", \
	  "SFU results are off, by a model of silicon's errors") \
	X(DIRTY_REGISTERS, "dirty-registers", 1, "silicon", \
	  "registers that firmware may leave set are, from a seed, until the second power-on") \
	X(PCTRC_NEEDS_PCTRE, "pctrc-needs-pctre", 0, "reading", \
	  "PCTRC has no effect while PCTRE's enable bit is off") \
	X(IRQ_LATE, "irq-late", 1000, "silicon", \
	  "interrupts come so many instructions, records and register accesses late") \
	X(IRQ_TWICE, "irq-twice", 0, "silicon", \
	  "after an acknowledge the interrupt comes once more, with nothing in INTCTL") \
	X(HOST_INT_ZERO, "host-int-zero", 0, "silicon", \
	  "a latch of DBQITC reads as 0, and is gone then") \
	X(POWER_REFUSE, "power-refuse", 2, "silicon", \
	  "the power domain refuses so many times to switch off after each job") \
	X(POWER_KEEP, "power-keep", 0, "reading", \
	  "a power cycle ends what runs, but registers keep what was written") \
	X(IMM_48, "imm-48", 0, "reading", \
	  "small immediates 48 to 63 are no numbers from -16 to -1 as operands") \
	X(SHADING_WAITS, "shading-waits", 0, "silicon", \
	  "shading waits while user programs hold all QPUs that it may use") \
	X(PACKED_BLOCKMODE, "packed-blockmode", 0, "guide", \
	  "BLOCKMODE packs rows of the VPM, as AG100 Table 35 words it")

enum v3d_chip_mode {
#define V3D_CHIP_MODE(NAME, name, number, source, text) V3D_CHIP_##NAME,
	V3D_CHIP_MODES(V3D_CHIP_MODE)
#undef V3D_CHIP_MODE
	V3D_CHIP_MODE_COUNT
};

#endif /* V3D_CHIP_H */
