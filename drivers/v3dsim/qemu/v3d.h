/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The V3D as a QEMU device: what the PCI and the system bus device have in common.
 */
#ifndef HW_MISC_V3DSIM_V3D_H
#define HW_MISC_V3DSIM_V3D_H

#include "exec/memory.h"
#include "hw/irq.h"
#include "hw/qdev-properties.h"
#include "qemu/notify.h"
#include "qemu/thread.h"
#include "v3dsim.h"

#define TYPE_V3D_PCI "v3d-pci"
#define TYPE_V3D_SYSBUS "v3d-sysbus"

#define V3D_WINDOW 0x1000		/* bytes of registers */

/*
 * struct v3d_library - the functions of v3dsim.h, found at run time: a new simulator needs no new
 * QEMU
 */
struct v3d_library {
	void *handle;
	__typeof__(&v3dsim_new) new;
	__typeof__(&v3dsim_chip_check) chip_check;
	__typeof__(&v3dsim_chip_name) chip_name;
	__typeof__(&v3dsim_read) read;
	__typeof__(&v3dsim_write) write;
	__typeof__(&v3dsim_irq_level) irq_level;
	__typeof__(&v3dsim_forget) forget;
	__typeof__(&v3dsim_power) power;
	__typeof__(&v3dsim_power_refused) power_refused;
	__typeof__(&v3dsim_run) run;
	__typeof__(&v3dsim_stop) stop;
	__typeof__(&v3dsim_fault) fault;
	__typeof__(&v3dsim_inject) inject;
	__typeof__(&v3dsim_injected) injected;
	__typeof__(&v3dsim_stats) stats;
};

/*
 * struct v3d_ram - a piece of guest memory the V3D can reach, as the board's address space has it
 * at the moment
 */
struct v3d_ram {
	uint32_t base;			/* as the V3D sees it */
	uint64_t len;
	MemoryRegion *mr;		/* referenced */
	hwaddr offset;			/* of base, in mr */
	bool writable;
};

/*
 * struct v3d - the core
 *
 * The big lock protects all but @rams, which the simulator's worker reads under @rams_lock alone:
 * the worker never takes the big lock.
 */
struct v3d {
	/* properties */
	char *library_name;
	uint32_t threads;
	bool reference;			/* without all that exists for speed alone */
	char *caches;
	char *chip;			/* a list of modes */
	uint32_t alias;			/* added to a physical address to get the V3D's */
	uint32_t trace;			/* enum v3dsim_trace */

	struct v3d_library lib;
	struct v3dsim *sim;
	bool powered, fault_told;
	unsigned int sleeping_told;
	MemoryRegion window;
	qemu_irq irq;
	QEMUBH *irq_bh, *run_bh;
	MemoryListener listener;
	Notifier exit;

	QemuMutex rams_lock;
	GArray *rams;			/* struct v3d_ram */
};

#define DEFINE_V3D_PROPERTIES(type, core, alias_default)					\
	DEFINE_PROP_STRING("library", type, core.library_name),				\
	DEFINE_PROP_UINT32("threads", type, core.threads, 1),				\
	DEFINE_PROP_BOOL("reference", type, core.reference, false),				\
	DEFINE_PROP_STRING("caches", type, core.caches),					\
	DEFINE_PROP_STRING("chip", type, core.chip),					\
	DEFINE_PROP_UINT32("alias", type, core.alias, alias_default),			\
	DEFINE_PROP_UINT32("trace", type, core.trace, 0)

/*
 * v3d_realize() - a V3D, asleep, in the board's address space @as; false: *@errp says why.
 * @v3d->irq is the board's to set.
 */
bool v3d_realize(struct v3d *v3d, Object *owner, AddressSpace *as, Error **errp);

/* v3d_set_power() - the power domain; off then on is a reset. The big lock is held. */
void v3d_set_power(struct v3d *v3d, bool on);

/*
 * v3d_inject() - a fault to order, as v3dsim_inject() takes it; false: *@errp says what is wrong
 * with it. It is property "fault" as well, for qom-set and qom-get in the monitor.
 */
bool v3d_inject(struct v3d *v3d, const char *fault, Error **errp);

/* v3d_ask_power() - the same because software wants it, which the domain may refuse */
void v3d_ask_power(struct v3d *v3d, bool on);

#endif
