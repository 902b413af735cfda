// SPDX-License-Identifier: GPL-2.0-only
/*
 * Does what a broken driver does, once, while it is loaded: scripts/machines/test-detectors sees
 * that each kind fails a run.
 */
#include <linux/completion.h>
#include <linux/dma-fence.h>
#include <linux/interrupt.h>
#include <linux/io.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/pci.h>
#include <linux/platform_device.h>
#include <linux/pm_runtime.h>
#include <linux/slab.h>
#include <linux/srcu.h>

#include <v3d/regs.h>

#define V3D_PCI_VENDOR 0x1234	/* see drivers/v3dsim/pci/v3dsim_pci.c */
#define V3D_PCI_DEVICE 0x2835
#define V3D_PCI_POWER 0x1000	/* in BAR 0, behind the registers */
#define V3D_PCI_BAR_SIZE 0x2000
/*
 * Interrupts without progress: more than scripts/machines/log.sh allows, and than the kernel, which
 * looks at each 100,000 of them
 */
#define CANARY_STORM 5000
#define CANARY_UNWANTED 350000

static char *which = "";
module_param(which, charp, 0444);
MODULE_PARM_DESC(which, "warn, kasan, ubsan, lockdep, unkeyed, fence, leak, sleep, storm, uncared");

static DEFINE_MUTEX(first);
static DEFINE_MUTEX(second);
DEFINE_STATIC_SRCU(entered);

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

/* A lock that was never initialised: lockdep switches itself off, and judges nothing after it */
static int canary_unkeyed(void)
{
	spinlock_t *lock = kzalloc(sizeof(*lock), GFP_KERNEL);

	if (!lock)
		return -ENOMEM;
	spin_lock(lock);
	spin_unlock(lock);
	kfree(lock);
	return 0;
}

/* Switches power where a fence is signalled. What drm_dev_enter() does hides that from lockdep */
static int canary_fence(void)
{
	struct device *dev = bus_find_device_by_name(&platform_bus_type, NULL, "bcm2835-v3d");
	bool cookie;
	int ret, srcu;

	if (!dev)
		return -ENODEV;
	pm_runtime_enable(dev);
	cookie = dma_fence_begin_signalling();
	mutex_lock(&first);
	srcu = srcu_read_lock(&entered);
	ret = pm_runtime_resume_and_get(dev);
	srcu_read_unlock(&entered, srcu);
	mutex_unlock(&first);
	dma_fence_end_signalling(cookie);
	if (!ret)
		pm_runtime_put_sync(dev);
	pm_runtime_disable(dev);
	put_device(dev);
	return ret;
}

static void canary_leak(void)
{
	void *volatile p = kmalloc(128, GFP_KERNEL);

	p = NULL;
}

/* The V3D's registers, and its interrupt. Unmapped by iounmap() */
static void __iomem *canary_map(unsigned int *irq)
{
	struct pci_dev *pci = pci_get_device(V3D_PCI_VENDOR, V3D_PCI_DEVICE, NULL);
	void __iomem *regs;

	if (!pci)
		return NULL;
	regs = ioremap(pci_resource_start(pci, 0), V3D_PCI_BAR_SIZE);
	*irq = pci->irq;
	pci_dev_put(pci);
	return regs;
}

/* Reads a register of a V3D that was not switched on */
static int canary_sleep(void)
{
	unsigned int irq;
	void __iomem *regs = canary_map(&irq);

	if (!regs)
		return -ENODEV;
	readl(regs);
	iounmap(regs);
	return 0;
}

static struct {
	void __iomem *regs;
	unsigned int irq, left;
	irqreturn_t says;
	struct completion over;
} storm;

/* Does nothing about the interrupt until there were many */
static irqreturn_t canary_irq(int irq, void *data)
{
	if (--storm.left)
		return storm.says;
	writel(V3D_MASK(INTDIS, OUTOMEM), storm.regs + V3D_INTDIS);
	complete(&storm.over);
	return storm.says;
}

/* A binner that was given no memory wants some: chip outomem-idle */
static int canary_storm(unsigned int interrupts, irqreturn_t says)
{
	int ret;

	storm.regs = canary_map(&storm.irq);
	if (!storm.regs)
		return -ENODEV;
	storm.left = interrupts;
	storm.says = says;
	init_completion(&storm.over);
	ret = request_irq(storm.irq, canary_irq, IRQF_SHARED, "v3d_canary", &storm);
	if (ret) {
		iounmap(storm.regs);
		storm.regs = NULL;
		return ret;
	}
	writel(1, storm.regs + V3D_PCI_POWER);
	writel(V3D_MASK(INTENA, OUTOMEM), storm.regs + V3D_INTENA);
	wait_for_completion_timeout(&storm.over, 30 * HZ);
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
	else if (!strcmp(which, "unkeyed"))
		return canary_unkeyed();
	else if (!strcmp(which, "fence"))
		return canary_fence();
	else if (!strcmp(which, "leak"))
		canary_leak();
	else if (!strcmp(which, "sleep"))
		return canary_sleep();
	else if (!strcmp(which, "storm"))
		return canary_storm(CANARY_STORM, IRQ_HANDLED);
	else if (!strcmp(which, "uncared"))
		return canary_storm(CANARY_UNWANTED, IRQ_NONE);
	else
		return -EINVAL;
	return 0;
}
module_init(canary_init);

static void __exit canary_exit(void)
{
	if (!storm.regs)
		return;
	free_irq(storm.irq, &storm);
	writel(0, storm.regs + V3D_PCI_POWER);
	iounmap(storm.regs);
}
module_exit(canary_exit);

MODULE_DESCRIPTION("Provokes each detector of the debug kernel");
MODULE_LICENSE("GPL");
