/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The V3D as a QEMU device: libv3dsim behind a register window, an interrupt line and guest memory.
 */
#include "qemu/osdep.h"
#include "qemu/main-loop.h"
#include "qapi/error.h"
#include "qapi/visitor.h"
#include "sysemu/sysemu.h"
#include "v3d.h"
#include <dlfcn.h>

/* with threads=0: instructions in one go, between which QEMU's main loop gets its turn */
#define RUN_BUDGET 100000
#define SLEEPING_TOLD_MAX 20		/* accesses to a sleeping V3D that are told one by one */

static bool v3d_load_library(struct v3d *v3d, Error **errp)
{
	const char *name = v3d->library_name ? v3d->library_name : "libv3dsim.so";
	struct v3d_library *lib = &v3d->lib;

	lib->handle = dlopen(name, RTLD_NOW | RTLD_LOCAL);
	if (!lib->handle) {
		error_setg(errp, "v3d: %s", dlerror());
		return false;
	}
#define LOAD(f) do {									\
		lib->f = (__typeof__(lib->f))dlsym(lib->handle, "v3dsim_" #f);		\
		if (!lib->f) {								\
			error_setg(errp, "v3d: %s lacks v3dsim_" #f, name);		\
			return false;							\
		}									\
	} while (0)
	LOAD(new);
	LOAD(chip_check);
	LOAD(chip_name);
	LOAD(read);
	LOAD(write);
	LOAD(irq_level);
	LOAD(forget);
	LOAD(power);
	LOAD(power_refused);
	LOAD(run);
	LOAD(stop);
	LOAD(fault);
	LOAD(inject);
	LOAD(injected);
	LOAD(stats);
#undef LOAD
	return true;
}

/* --- guest memory ----------------------------------------------------------------------------- */

static struct v3d_ram *v3d_find_ram(struct v3d *v3d, uint32_t addr)
{
	unsigned int i;

	for (i = 0; i < v3d->rams->len; i++) {
		struct v3d_ram *ram = &g_array_index(v3d->rams, struct v3d_ram, i);

		if (addr - ram->base < ram->len)
			return ram;
	}
	return NULL;
}

/* Called by the worker: takes rams_lock only */
static bool v3d_region(void *opaque, enum v3dsim_unit unit, uint32_t addr, bool write,
		       struct v3dsim_region *out)
{
	struct v3d *v3d = opaque;
	struct v3d_ram *ram;
	bool found;

	qemu_mutex_lock(&v3d->rams_lock);
	ram = v3d_find_ram(v3d, addr);
	found = ram && (ram->writable || !write);
	if (found) {
		out->host = (uint8_t *)memory_region_get_ram_ptr(ram->mr) + ram->offset;
		out->base = ram->base;
		out->len = MIN(ram->len, UINT32_MAX);
		out->writable = ram->writable;
	}
	qemu_mutex_unlock(&v3d->rams_lock);
	return found;
}

/* Called by the worker. Setting dirty bits needs no lock; the reference keeps the memory there. */
static void v3d_written(void *opaque, uint32_t addr, uint32_t len)
{
	struct v3d *v3d = opaque;
	MemoryRegion *mr = NULL;
	struct v3d_ram *ram;
	hwaddr offset = 0;

	qemu_mutex_lock(&v3d->rams_lock);
	ram = v3d_find_ram(v3d, addr);
	if (ram) {
		mr = ram->mr;
		memory_region_ref(mr);
		offset = ram->offset + (addr - ram->base);
		len = MIN(len, ram->len - (addr - ram->base));
	}
	qemu_mutex_unlock(&v3d->rams_lock);
	if (!mr)
		return;
	memory_region_set_dirty(mr, offset, len);
	memory_region_unref(mr);
}

/* The part of a section that the V3D's 32 bits reach; false if there is none */
static bool v3d_section_to_ram(struct v3d *v3d, MemoryRegionSection *section, struct v3d_ram *ram)
{
	uint64_t first = section->offset_within_address_space + v3d->alias,
		 size = int128_get64(section->size);

	if (!memory_region_is_ram(section->mr) || memory_region_is_ram_device(section->mr))
		return false;
	if (section->offset_within_address_space > UINT32_MAX || first > UINT32_MAX)
		return false;
	ram->base = first;
	ram->len = MIN(size, (1ull << 32) - first);
	ram->mr = section->mr;
	ram->offset = section->offset_within_region;
	ram->writable = !section->readonly && !memory_region_is_rom(section->mr);
	return true;
}

static void v3d_region_add(MemoryListener *listener, MemoryRegionSection *section)
{
	struct v3d *v3d = container_of(listener, struct v3d, listener);
	struct v3d_ram ram;

	if (!v3d_section_to_ram(v3d, section, &ram))
		return;
	memory_region_ref(ram.mr);
	qemu_mutex_lock(&v3d->rams_lock);
	g_array_append_val(v3d->rams, ram);
	qemu_mutex_unlock(&v3d->rams_lock);
}

static void v3d_region_del(MemoryListener *listener, MemoryRegionSection *section)
{
	struct v3d *v3d = container_of(listener, struct v3d, listener);
	struct v3d_ram ram, *old;
	bool found = false;

	if (!v3d_section_to_ram(v3d, section, &ram))
		return;
	qemu_mutex_lock(&v3d->rams_lock);
	old = v3d_find_ram(v3d, ram.base);
	if (old && old->base == ram.base && old->len == ram.len && old->mr == ram.mr) {
		g_array_remove_index_fast(v3d->rams, old - (struct v3d_ram *)v3d->rams->data);
		found = true;
	}
	qemu_mutex_unlock(&v3d->rams_lock);
	if (!found)
		return;
	/*
	 * The worker may be in the middle of an access: forget() waits for it, and it cannot ask
	 * for the region again
	 */
	v3d->lib.forget(v3d->sim, ram.base, MIN(ram.len, UINT32_MAX));
	memory_region_unref(ram.mr);
}

/* --- registers, interrupt, power -------------------------------------------------------------- */

static void v3d_tell_fault(struct v3d *v3d)
{
	struct v3dsim_fault fault;

	if (v3d->fault_told || !v3d->lib.fault(v3d->sim, &fault))
		return;
	v3d->fault_told = true;
	fprintf(stderr, "v3d: fault: %s\n", fault.text);
}

static void v3d_update_irq(void *opaque)
{
	struct v3d *v3d = opaque;

	qemu_set_irq(v3d->irq, v3d->lib.irq_level(v3d->sim));
	v3d_tell_fault(v3d);
}

/* Called by the worker: only asks the main loop to look at the level */
static void v3d_irq_changed(void *opaque)
{
	struct v3d *v3d = opaque;

	qemu_bh_schedule(v3d->irq_bh);
}

static void v3d_trace(void *opaque, enum v3dsim_trace kind, const char *line)
{
	fprintf(stderr, "v3d: trace: %s\n", line);
}

/* With threads=0 the chip works here, a budget at a time */
static void v3d_run(void *opaque)
{
	struct v3d *v3d = opaque;

	if (v3d->lib.run(v3d->sim, RUN_BUDGET) == V3DSIM_BUSY)
		qemu_bh_schedule(v3d->run_bh);
	v3d_update_irq(v3d);
}

static void v3d_tell_sleeping(struct v3d *v3d, const char *what, hwaddr reg)
{
	if (v3d->powered || v3d->sleeping_told >= SLEEPING_TOLD_MAX)
		return;
	v3d->sleeping_told++;
	fprintf(stderr, "v3d: %s of register 0x%03x while the V3D is switched off\n", what,
		(unsigned int)reg);
}

static uint64_t v3d_mmio_read(void *opaque, hwaddr addr, unsigned int size)
{
	struct v3d *v3d = opaque;
	uint32_t value;

	v3d_tell_sleeping(v3d, "read", addr);
	value = v3d->lib.read(v3d->sim, addr);
	v3d_update_irq(v3d);	/* some modes of the chip lower or raise it at reads */
	return value;
}

static void v3d_mmio_write(void *opaque, hwaddr addr, uint64_t value, unsigned int size)
{
	struct v3d *v3d = opaque;

	v3d_tell_sleeping(v3d, "write", addr);
	v3d->lib.write(v3d->sim, addr, value);
	if (!v3d->threads)
		qemu_bh_schedule(v3d->run_bh);
	v3d_update_irq(v3d);
}

static const MemoryRegionOps v3d_mmio_ops = {
	.read = v3d_mmio_read,
	.write = v3d_mmio_write,
	.endianness = DEVICE_LITTLE_ENDIAN,
	.valid = { .min_access_size = 4, .max_access_size = 4 },
	.impl = { .min_access_size = 4, .max_access_size = 4 },
};

void v3d_set_power(struct v3d *v3d, bool on)
{
	if (v3d->powered == on)
		return;
	v3d_tell_fault(v3d);
	v3d->powered = on;
	v3d->fault_told = false;
	v3d->lib.power(v3d->sim, on);
	v3d_update_irq(v3d);
}

void v3d_ask_power(struct v3d *v3d, bool on)
{
	if (on || !v3d->powered || !v3d->lib.power_refused(v3d->sim))
		v3d_set_power(v3d, on);
}

/* --- faults to order -------------------------------------------------------------------------- */

bool v3d_inject(struct v3d *v3d, const char *fault, Error **errp)
{
	char error[V3DSIM_INJECT_ERROR];

	if (v3d->lib.inject(v3d->sim, fault, error, sizeof(error)))
		return true;
	error_setg(errp, "v3d: fault: %s", error);
	return false;
}

static void v3d_set_fault(Object *owner, Visitor *visitor, const char *name, void *opaque,
			  Error **errp)
{
	char *fault;

	if (!visit_type_str(visitor, name, &fault, errp))
		return;
	v3d_inject(opaque, fault, errp);
	g_free(fault);
}

static void v3d_get_fault(Object *owner, Visitor *visitor, const char *name, void *opaque,
			  Error **errp)
{
	struct v3d *v3d = opaque;
	struct v3dsim_injected injected;
	char *text;

	v3d->lib.injected(v3d->sim, &injected);
	text = g_strdup_printf("%s struck %" PRIu32 " left %" PRIu32, injected.name,
			       injected.struck, injected.left);
	visit_type_str(visitor, name, &text, errp);
	g_free(text);
}

/* --- life ------------------------------------------------------------------------------------- */

static void v3d_tell_stat(void *opaque, const char *name, uint64_t value)
{
	fprintf(stderr, "v3d: stat %s %" PRIu64 "\n", name, value);
}

/* At QEMU's exit: what scripts/vm judges the run by */
static void v3d_exit(Notifier *notifier, void *data)
{
	struct v3d *v3d = container_of(notifier, struct v3d, exit);

	v3d->lib.stop(v3d->sim);
	v3d_tell_fault(v3d);
	v3d->lib.stats(v3d->sim, v3d_tell_stat, NULL);
}

static bool v3d_new_sim(struct v3d *v3d, Error **errp)
{
	const struct v3dsim_host host = {
		.region = v3d_region,
		.written = v3d_written,
		.irq = v3d_irq_changed,
		.trace = v3d_trace,
		.opaque = v3d,
	};
	struct v3dsim_config config = {
		.threads = v3d->threads,
		.trace_mask = v3d->trace,
		.reference = v3d->reference,
		.chip = v3d->chip,
	};
	char chip[V3DSIM_CHIP_NAME];

	if (v3d->caches && !strcmp(v3d->caches, "model")) {
		config.caches = V3DSIM_CACHES_MODEL;
	} else if (v3d->caches && strcmp(v3d->caches, "ideal")) {
		error_setg(errp, "v3d: caches is ideal or model");
		return false;
	}
	if (!v3d->lib.chip_check(v3d->chip, chip, sizeof(chip))) {
		error_setg(errp, "v3d: chip: %s", chip);
		return false;
	}
	v3d->sim = v3d->lib.new(&config, &host);
	if (!v3d->sim) {
		error_setg_errno(errp, errno, "v3d: v3dsim_new");
		return false;
	}
	v3d->lib.chip_name(v3d->sim, chip, sizeof(chip));
	fprintf(stderr, "v3d: chip %s\n", chip);
	return true;
}

bool v3d_realize(struct v3d *v3d, Object *owner, AddressSpace *as, Error **errp)
{
	if (!v3d_load_library(v3d, errp))
		return false;
	qemu_mutex_init(&v3d->rams_lock);
	v3d->rams = g_array_new(false, false, sizeof(struct v3d_ram));
	v3d->irq_bh = qemu_bh_new(v3d_update_irq, v3d);
	v3d->run_bh = qemu_bh_new(v3d_run, v3d);
	if (!v3d_new_sim(v3d, errp))
		return false;
	v3d->powered = true;
	v3d_set_power(v3d, false);
	memory_region_init_io(&v3d->window, owner, &v3d_mmio_ops, v3d, "v3d", V3D_WINDOW);
	v3d->listener = (MemoryListener){ .name = "v3d", .region_add = v3d_region_add,
					  .region_del = v3d_region_del };
	memory_listener_register(&v3d->listener, as);
	object_property_add(owner, "fault", "string", v3d_get_fault, v3d_set_fault, NULL, v3d);
	v3d->exit.notify = v3d_exit;
	qemu_add_exit_notifier(&v3d->exit);
	return true;
}
