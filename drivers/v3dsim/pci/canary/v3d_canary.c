// SPDX-License-Identifier: GPL-2.0-only
/*
 * Does what a broken driver does, once, while it is loaded: scripts/machines/test-detectors sees
 * that each kind fails a run.
 */
#include <linux/io.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/pci.h>
#include <linux/slab.h>

#define V3D_PCI_VENDOR 0x1234	/* see drivers/v3dsim/pci/v3dsim_pci.c */
#define V3D_PCI_DEVICE 0x2835

static char *which = "";
module_param(which, charp, 0444);
MODULE_PARM_DESC(which, "warn, kasan, ubsan, lockdep, leak or sleep");

static DEFINE_MUTEX(first);
static DEFINE_MUTEX(second);

static void canary_kasan(void)
{
	volatile u8 *p = kmalloc(16, GFP_KERNEL);
	int past = 16;

	if (!p)
		return;
	OPTIMIZER_HIDE_VAR(past);
	(void)p[past];
	kfree((void *)p);
}

static void canary_ubsan(void)
{
	volatile int one = 1, width = 32;

	one <<= width;
}

static void canary_lockdep(void)
{
	mutex_lock(&first);
	mutex_lock(&second);
	mutex_unlock(&second);
	mutex_unlock(&first);

	mutex_lock(&second);
	mutex_lock(&first);
	mutex_unlock(&first);
	mutex_unlock(&second);
}

static void canary_leak(void)
{
	void *volatile p = kmalloc(128, GFP_KERNEL);

	p = NULL;
}

/* Reads a register of a V3D that was not switched on */
static int canary_sleep(void)
{
	struct pci_dev *pci = pci_get_device(V3D_PCI_VENDOR, V3D_PCI_DEVICE, NULL);
	void __iomem *regs;

	if (!pci)
		return -ENODEV;
	regs = ioremap(pci_resource_start(pci, 0), PAGE_SIZE);
	pci_dev_put(pci);
	if (!regs)
		return -ENOMEM;
	readl(regs);
	iounmap(regs);
	return 0;
}

static int __init canary_init(void)
{
	if (!strcmp(which, "warn"))
		WARN(1, "canary\n");
	else if (!strcmp(which, "kasan"))
		canary_kasan();
	else if (!strcmp(which, "ubsan"))
		canary_ubsan();
	else if (!strcmp(which, "lockdep"))
		canary_lockdep();
	else if (!strcmp(which, "leak"))
		canary_leak();
	else if (!strcmp(which, "sleep"))
		return canary_sleep();
	else
		return -EINVAL;
	return 0;
}
module_init(canary_init);

static void __exit canary_exit(void)
{
}
module_exit(canary_exit);

MODULE_DESCRIPTION("Provokes each detector of the debug kernel");
MODULE_LICENSE("GPL");
