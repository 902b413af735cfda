// SPDX-License-Identifier: GPL-2.0-only
/* /sys/kernel/debug/dri/N: the V3D's registers and identity, BOs by label, memory, queues */
#include <linux/debugfs.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/string_helpers.h>

#include <drm/drm_debugfs.h>
#include <drm/drm_print.h>

#include "drv.h"

/* A register of one kind has that kind's fields, decoded by what uapi/v3d/regs.h lists. */
struct bv3d_reg_info {
	const char *name;
	const struct bv3d_field_info *fields;
	u16 offset;
	u8 field_count;
	u8 access;
};

struct bv3d_field_info {
	const char *name;
	u8 high, low;
	u8 access;
};

#define V3D_DEBUGFS_FIELD(kind, name, high, low, access) { #name, high, low, V3D_##access },
#define V3D_DEBUGFS_KIND(kind) \
	static const struct bv3d_field_info bv3d_fields_##kind[] = { \
		V3D_FIELDS_##kind(V3D_DEBUGFS_FIELD) { NULL, 0, 0, 0 } \
	};

V3D_DEBUGFS_KIND(NONE)
V3D_DEBUGFS_KIND(IDENT0)
V3D_DEBUGFS_KIND(IDENT1)
V3D_DEBUGFS_KIND(IDENT2)
V3D_DEBUGFS_KIND(SCRATCH)
V3D_DEBUGFS_KIND(L2CACTL)
V3D_DEBUGFS_KIND(SLCACTL)
V3D_DEBUGFS_KIND(INTCTL)
V3D_DEBUGFS_KIND(INTENA)
V3D_DEBUGFS_KIND(INTDIS)
V3D_DEBUGFS_KIND(CTCS)
V3D_DEBUGFS_KIND(CTEA)
V3D_DEBUGFS_KIND(CTCA)
V3D_DEBUGFS_KIND(CTRA)
V3D_DEBUGFS_KIND(CTLC)
V3D_DEBUGFS_KIND(CTPC)
V3D_DEBUGFS_KIND(PCS)
V3D_DEBUGFS_KIND(BFC)
V3D_DEBUGFS_KIND(RFC)
V3D_DEBUGFS_KIND(BPCA)
V3D_DEBUGFS_KIND(BPCS)
V3D_DEBUGFS_KIND(BPOA)
V3D_DEBUGFS_KIND(BPOS)
V3D_DEBUGFS_KIND(BXCF)
V3D_DEBUGFS_KIND(SQRSV0)
V3D_DEBUGFS_KIND(SQRSV1)
V3D_DEBUGFS_KIND(SQCNTL)
V3D_DEBUGFS_KIND(SRQPC)
V3D_DEBUGFS_KIND(SRQUA)
V3D_DEBUGFS_KIND(SRQUL)
V3D_DEBUGFS_KIND(SRQCS)
V3D_DEBUGFS_KIND(VPACNTL)
V3D_DEBUGFS_KIND(VPMBASE)
V3D_DEBUGFS_KIND(PCTRC)
V3D_DEBUGFS_KIND(PCTRE)
V3D_DEBUGFS_KIND(PCTR)
V3D_DEBUGFS_KIND(PCTRS)
V3D_DEBUGFS_KIND(DBQITE)
V3D_DEBUGFS_KIND(DBQITC)
V3D_DEBUGFS_KIND(DBGE)
V3D_DEBUGFS_KIND(FDBGO)
V3D_DEBUGFS_KIND(FDBGB)
V3D_DEBUGFS_KIND(FDBGR)
V3D_DEBUGFS_KIND(FDBGS)
V3D_DEBUGFS_KIND(ERRSTAT)

#define V3D_DEBUGFS_REG(name, kind, offset, access, reset) \
	{ #name, bv3d_fields_##kind, offset, ARRAY_SIZE(bv3d_fields_##kind) - 1, V3D_##access },
static const struct bv3d_reg_info bv3d_regs[] = { V3D_REGS(V3D_DEBUGFS_REG) };

static void bv3d_show_fields(struct drm_printer *p, const struct bv3d_reg_info *reg, u32 value)
{
	unsigned int i;

	for (i = 0; i < reg->field_count; i++) {
		const struct bv3d_field_info *field = &reg->fields[i];
		unsigned int bits = field->high - field->low + 1;

		if (field->access != V3D_WO && bits < 32)
			drm_printf(p, " %s=%#x", field->name,
				   value >> field->low & ((1u << bits) - 1));
	}
}

/* Every register by name, decoded */
static void bv3d_show_registers(struct bv3d_device *v3d, void *opaque)
{
	struct drm_printer *p = opaque;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(bv3d_regs); i++) {
		u32 value;

		if (bv3d_regs[i].access == V3D_WO)
			continue;
		value = bv3d_read(v3d, bv3d_regs[i].offset);
		drm_printf(p, "%-8s %03x %08x", bv3d_regs[i].name, bv3d_regs[i].offset, value);
		bv3d_show_fields(p, &bv3d_regs[i], value);
		drm_puts(p, "\n");
	}
}

static struct bv3d_device *bv3d_debugfs_device(struct seq_file *m)
{
	struct drm_info_node *node = m->private;

	return to_bv3d_device(node->minor->dev);
}

static int bv3d_debugfs_registers(struct seq_file *m, void *unused)
{
	struct bv3d_device *v3d = bv3d_debugfs_device(m);
	struct drm_printer p = drm_seq_file_printer(m);
	int idx;

	if (!drm_dev_enter(&v3d->drm, &idx))
		return -ENODEV;
	if (!bv3d_power_look(v3d, bv3d_show_registers, &p))
		seq_puts(m, "asleep\n");
	drm_dev_exit(idx);
	return 0;
}

static int bv3d_debugfs_ident(struct seq_file *m, void *unused)
{
	struct bv3d_device *v3d = bv3d_debugfs_device(m);
	u32 ident1 = v3d->ident[1];

	seq_printf(m, "IDENT %08x %08x %08x\n", v3d->ident[0], ident1, v3d->ident[2]);
	seq_printf(m, "version: %u.%u\n", V3D_GET(v3d->ident[0], IDENT0, TVER),
		   V3D_GET(ident1, IDENT1, REV));
	seq_printf(m, "slices: %u\n", V3D_GET(ident1, IDENT1, NSLC));
	seq_printf(m, "QPUs: %u\n", v3d->qpus);
	seq_printf(m, "TMUs: %u\n", V3D_GET(ident1, IDENT1, NSLC) * V3D_GET(ident1, IDENT1, TUPS));
	seq_printf(m, "semaphores: %u\n", V3D_GET(ident1, IDENT1, NSEM));
	return 0;
}

/* A label, whatever bytes its user chose, on one line */
static void bv3d_show_label(struct seq_file *m, const char *label)
{
	char *escaped = kstrdup_quotable(label, GFP_KERNEL);

	seq_printf(m, "%s\n", escaped ?: "?");
	kfree(escaped);
}

static void bv3d_show_bo(struct seq_file *m, const struct bv3d_bo *bo)
{
	static const char * const kinds[] = { "plain", "shader", "program", "driver", "foreign" };
	static const char * const states[] = { "needed", "unneeded", "purged" };

	seq_printf(m, "%-7s %10zu %08x %-8s users %-3u %s ",
		   bo->base.import_attach ? "import" : kinds[bo->kind], bo->base.size,
		   bv3d_bo_address(bo), states[bo->state], bo->users,
		   bo->t_tiled ? "T-tiled" : "linear");
	bv3d_show_label(m, bo->label);
}

/*
 * Labels are copied under the lock with memory that may need reclaim: the shrinker's trylock fails
 * then, and it goes elsewhere.
 */
static int bv3d_debugfs_bos(struct seq_file *m, void *unused)
{
	struct bv3d_mem *mem = &bv3d_debugfs_device(m)->mem;
	const struct bv3d_bo *bo;

	mutex_lock(&mem->lock);
	list_for_each_entry(bo, &mem->bos, link)
		bv3d_show_bo(m, bo);
	mutex_unlock(&mem->lock);
	return 0;
}

static int bv3d_debugfs_memory(struct seq_file *m, void *unused)
{
	struct bv3d_mem *mem = &bv3d_debugfs_device(m)->mem;

	mutex_lock(&mem->lock);
	seq_printf(m, "budget: %llu\nused: %llu\nkept: %llu\npurgeable: %llu\npurged: %llu\n",
		   mem->budget, mem->used, mem->kept.bytes, (u64)mem->purgeable_pages << PAGE_SHIFT,
		   mem->purged);
	mutex_unlock(&mem->lock);
	return 0;
}

static int bv3d_debugfs_queues(struct seq_file *m, void *unused)
{
	bv3d_sched_show(bv3d_debugfs_device(m), m);
	return 0;
}

static int bv3d_debugfs_screen(struct seq_file *m, void *unused)
{
	struct bv3d_device *v3d = bv3d_debugfs_device(m);

	if (v3d->kms)
		bv3d_kms_print(v3d->kms, m);
	return 0;
}

static const struct drm_info_list bv3d_debugfs_files[] = {
	{ "v3d_registers", bv3d_debugfs_registers, 0, NULL },
	{ "v3d_ident", bv3d_debugfs_ident, 0, NULL },
	{ "v3d_bos", bv3d_debugfs_bos, 0, NULL },
	{ "v3d_memory", bv3d_debugfs_memory, 0, NULL },
	{ "v3d_queues", bv3d_debugfs_queues, 0, NULL },
	{ "v3d_screen", bv3d_debugfs_screen, 0, NULL },
};

/**
 * bv3d_debugfs_init() - files in debugfs, for DRM core
 * @minor: primary or render node
 */
void bv3d_debugfs_init(struct drm_minor *minor)
{
	drm_debugfs_create_files(bv3d_debugfs_files, ARRAY_SIZE(bv3d_debugfs_files),
				 minor->debugfs_root, minor);
	bv3d_faults_init(minor);
}
