// SPDX-License-Identifier: GPL-2.0-only
/*
 * Shows the V3D that QEMU has on PCI (drivers/v3dsim/qemu/v3d_pci.c) as the platform device that it
 * is on a Raspberry Pi, so that the driver under test needs to know of nothing but the latter.
 *
 * What firmware and device tree do on a Raspberry Pi is done here: a power domain of its own, a
 * 32-bit DMA mask, and a bus address that is not the physical address, so that a driver mixing the
 * two is found out; and a reset line, where the parameter reset_line asks for one, as a Raspberry
 * Pi's trees have it with some kernels.
 */
#include <linux/debug_locks.h>
#include <linux/debugfs.h>
#include <linux/delay.h>
#include <linux/dma-direct.h>
#include <linux/dma-fence.h>
#include <linux/dma-mapping.h>
#include <linux/io.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/notifier.h>
#include <linux/pci.h>
#include <linux/platform_device.h>
#include <linux/pm_domain.h>
#include <linux/reset-controller.h>
#include <linux/sched/mm.h>
#include <linux/slab.h>

#define V3D_PCI_VENDOR		0x1234	/* QEMU's own */
#define V3D_PCI_DEVICE		0x2835
#define V3D_WINDOW		0x1000	/* bytes of the V3D's registers, at the start of BAR 0 */
#define V3D_CONTROL_SIZE	0x1000	/* after them: the board's */
#define V3D_CONTROL_POWER	0x0	/* bit 0: the power domain */
#define V3D_CONTROL_ALIAS	0x4	/* bus address of physical address 0 */
#define V3D_CONTROL_FAULT	0x8	/* text of a fault to order, a byte a write */
#define V3D_CONTROL_STRUCK	0xc	/* how often it has struck */
#define V3D_CONTROL_LEFT	0x10	/* how often it is still to strike */
#define V3D_FAULT_TEXT		64	/* bytes of it, its end included */
#define V3D_MESSAGE		64	/* bytes, of one to the firmware that a Raspberry Pi has */

static bool v3d_reset_line;
module_param_named(reset_line, v3d_reset_line, bool, 0444);
MODULE_PARM_DESC(reset_line, "the V3D has a reset line (N)");

static unsigned int v3d_pulses;
module_param_named(pulses, v3d_pulses, uint, 0444);
MODULE_PARM_DESC(pulses, "how often the reset line was used");

/**
 * struct v3d_board - the board around one V3D
 * @parent: the PCI device, and the parent of @pdev alone
 * @domain: its power domain
 * @control: the board's registers
 * @pdev: the V3D as the driver sees it
 * @notifier: of the platform bus, to give @pdev its domain and its addresses before a driver sees
 *	it
 * @resets: the reset line, if it has one
 * @debugfs: the folder with its file "fault"
 */
struct v3d_board {
	struct device *parent;
	struct generic_pm_domain domain;
	void __iomem *control;
	struct platform_device *pdev;
	struct notifier_block notifier;
	struct reset_controller_dev resets;
	struct dentry *debugfs;
};

/* The firmware answers one at a time */
static DEFINE_MUTEX(v3d_firmware);

/*
 * A thread that allocates may wait for memory, and so for fences: lockdep is told so once, of this
 * lock. Then it complains of each path on which fences wait for the lock, whether memory was short
 * there or not, and whether its owner keeps reclaim away.
 */
static void v3d_firmware_waits_for_memory(void)
{
	mutex_lock(&v3d_firmware);
	fs_reclaim_acquire(GFP_KERNEL);
	fs_reclaim_release(GFP_KERNEL);
	mutex_unlock(&v3d_firmware);
}

/*
 * Does a thread wait for a fence that this thread is about to signal? What lockdep knows of that
 * ends at an SRCU section that was begun in between, as drm_dev_enter() does: it takes the locks
 * before that for connected to those after it by way of it, and a recursive reader connects
 * nothing. But who begins to signal is told whether he has begun before.
 */
static bool v3d_fences_wait(void)
{
	bool cookie = dma_fence_begin_signalling();

	dma_fence_end_signalling(cookie);
	return IS_ENABLED(CONFIG_LOCKDEP) && debug_locks && cookie;
}

/*
 * A Raspberry Pi's firmware switches power: a message is allocated, and its answer takes a while.
 * So no thread may ask for it where fences are signalled.
 */
static int v3d_tell_firmware(struct v3d_board *board, u32 on)
{
	void *message;

	WARN_ONCE(v3d_fences_wait(), "power is switched where fences are signalled\n");
	message = kmalloc(V3D_MESSAGE, GFP_KERNEL);
	if (!message)
		return -ENOMEM;
	mutex_lock(&v3d_firmware);
	usleep_range(100, 200);
	writel(on, board->control + V3D_CONTROL_POWER);
	mutex_unlock(&v3d_firmware);
	kfree(message);
	return 0;
}

static int v3d_power_on(struct generic_pm_domain *domain)
{
	return v3d_tell_firmware(container_of(domain, struct v3d_board, domain), 1);
}

static int v3d_power_off(struct generic_pm_domain *domain)
{
	struct v3d_board *board = container_of(domain, struct v3d_board, domain);
	int ret = v3d_tell_firmware(board, 0);

	if (ret)
		return ret;
	return readl(board->control + V3D_CONTROL_POWER) & 1 ? -EBUSY : 0;
}

/* On a Raspberry Pi the line is the power domain's: power goes off and on */
static int v3d_reset(struct reset_controller_dev *resets, unsigned long id)
{
	struct v3d_board *board = container_of(resets, struct v3d_board, resets);
	int ret = v3d_power_off(&board->domain);

	v3d_pulses++;
	return ret ?: v3d_power_on(&board->domain);
}

static const struct reset_control_ops v3d_reset_ops = { .reset = v3d_reset };

/* What the list of lines keeps, for ever: it can only be added to */
struct v3d_lookup {
	struct reset_control_lookup entry;
	char provider[32], dev_id[16];
};

/*
 * Without a device tree a device finds its line by name. One with a line has another name than one
 * without, so that an entry that was added before does no harm.
 */
static int v3d_board_reset_line(struct v3d_board *board)
{
	struct v3d_lookup *lookup;

	if (!v3d_reset_line)
		return 0;
	lookup = kzalloc(sizeof(*lookup), GFP_KERNEL);
	if (!lookup)
		return -ENOMEM;
	strscpy(lookup->provider, dev_name(board->parent), sizeof(lookup->provider));
	strscpy(lookup->dev_id, "bcm2835-v3d.0", sizeof(lookup->dev_id));
	lookup->entry.provider = lookup->provider;
	lookup->entry.dev_id = lookup->dev_id;
	reset_controller_add_lookup(&lookup->entry, 1);
	board->resets.ops = &v3d_reset_ops;
	board->resets.owner = THIS_MODULE;
	board->resets.dev = board->parent;
	board->resets.nr_resets = 1;
	return devm_reset_controller_register(board->parent, &board->resets);
}

/*
 * The driver core frees the map each time a driver lets go of the device, as it does with the one a
 * device tree gives
 */
static int v3d_set_addresses(struct v3d_board *board, struct device *dev)
{
	u32 alias = readl(board->control + V3D_CONTROL_ALIAS);
	struct bus_dma_region *map;

	map = kcalloc(2, sizeof(*map), GFP_KERNEL);	/* the second ends the list */
	if (!map)
		return -ENOMEM;
	map[0].cpu_start = 0;
	map[0].dma_start = alias;
	map[0].size = BIT_ULL(32) - alias;
	kfree(dev->dma_range_map);
	dev->dma_range_map = map;
	return 0;
}

static int v3d_board_notify(struct notifier_block *nb, unsigned long event, void *data)
{
	struct v3d_board *board = container_of(nb, struct v3d_board, notifier);
	struct device *dev = data;
	int ret = 0;

	/* board->pdev is not set yet when the device is added */
	if (dev->parent != board->parent)
		return NOTIFY_DONE;
	switch (event) {
	case BUS_NOTIFY_ADD_DEVICE:
		ret = pm_genpd_add_device(&board->domain, dev);
		break;
	case BUS_NOTIFY_BIND_DRIVER:
		ret = v3d_set_addresses(board, dev);
		break;
	case BUS_NOTIFY_REMOVED_DEVICE:
		ret = pm_genpd_remove_device(dev);
		break;
	}
	/* What notifiers return is not looked at */
	if (ret)
		dev_err(dev, "event %lu: error %d\n", event, ret);
	return NOTIFY_OK;
}

static DEFINE_MUTEX(v3d_fault_lock);	/* one text at a time */

/*
 * /sys/kernel/debug/v3dsim/fault: a fault to order is written, as in QEMU's monitor; how often the
 * last one has struck, and how often it is still to strike, is read
 */
static ssize_t v3d_fault_write(struct file *file, const char __user *from, size_t count,
			       loff_t *at)
{
	struct v3d_board *board = file->private_data;
	char text[V3D_FAULT_TEXT];
	unsigned int i;
	bool refused;

	if (count >= sizeof(text))
		return -EINVAL;
	if (copy_from_user(text, from, count))
		return -EFAULT;
	text[count] = 0;
	strim(text);
	mutex_lock(&v3d_fault_lock);
	/* Who wrote before may have been cut off within a text */
	writel(0, board->control + V3D_CONTROL_FAULT);
	for (i = 0; text[i]; i++)
		writel(text[i], board->control + V3D_CONTROL_FAULT);
	writel(0, board->control + V3D_CONTROL_FAULT);
	refused = readl(board->control + V3D_CONTROL_FAULT);
	mutex_unlock(&v3d_fault_lock);
	return refused ? -EINVAL : count;
}

static ssize_t v3d_fault_read(struct file *file, char __user *to, size_t count, loff_t *at)
{
	struct v3d_board *board = file->private_data;
	char text[V3D_FAULT_TEXT];
	int length = scnprintf(text, sizeof(text), "struck: %u\nleft: %u\n",
			       readl(board->control + V3D_CONTROL_STRUCK),
			       readl(board->control + V3D_CONTROL_LEFT));

	return simple_read_from_buffer(to, count, at, text, length);
}

static const struct file_operations v3d_fault_file = {
	.owner = THIS_MODULE,
	.open = simple_open,
	.read = v3d_fault_read,
	.write = v3d_fault_write,
};

static void v3d_board_debugfs(struct v3d_board *board)
{
	board->debugfs = debugfs_create_dir("v3dsim", NULL);
	debugfs_create_file("fault", 0600, board->debugfs, board, &v3d_fault_file);
}

static struct platform_device *v3d_show(struct pci_dev *pci)
{
	resource_size_t base = pci_resource_start(pci, 0);
	struct resource resources[] = {
		DEFINE_RES_MEM(base, V3D_WINDOW),
		DEFINE_RES_IRQ(pci->irq),
	};
	const struct platform_device_info info = {
		.parent = &pci->dev,
		.name = "bcm2835-v3d",
		.id = v3d_reset_line ? 0 : PLATFORM_DEVID_NONE,
		.res = resources,
		.num_res = ARRAY_SIZE(resources),
		.dma_mask = DMA_BIT_MASK(32),
	};

	return platform_device_register_full(&info);
}

static int v3d_board_power_domain(struct v3d_board *board)
{
	board->domain.name = "v3d";
	board->domain.power_on = v3d_power_on;
	board->domain.power_off = v3d_power_off;
	return pm_genpd_init(&board->domain, NULL, true);
}

static int v3d_board_probe(struct pci_dev *pci, const struct pci_device_id *id)
{
	struct v3d_board *board;
	int ret;

	board = devm_kzalloc(&pci->dev, sizeof(*board), GFP_KERNEL);
	if (!board)
		return -ENOMEM;
	ret = pcim_enable_device(pci);
	if (ret)
		return ret;
	if (pci_resource_len(pci, 0) < V3D_WINDOW + V3D_CONTROL_SIZE)
		return -ENODEV;
	pci_set_master(pci);
	v3d_firmware_waits_for_memory();
	/* Not the whole BAR, and not requested: the registers are for the driver to claim */
	board->control = devm_ioremap(&pci->dev, pci_resource_start(pci, 0) + V3D_WINDOW,
				      V3D_CONTROL_SIZE);
	if (!board->control)
		return -ENOMEM;
	board->parent = &pci->dev;
	board->notifier.notifier_call = v3d_board_notify;
	pci_set_drvdata(pci, board);

	ret = v3d_board_reset_line(board);
	if (ret)
		return ret;
	ret = v3d_board_power_domain(board);
	if (ret)
		return ret;
	ret = bus_register_notifier(&platform_bus_type, &board->notifier);
	if (ret)
		goto err_domain;
	board->pdev = v3d_show(pci);
	if (IS_ERR(board->pdev)) {
		ret = PTR_ERR(board->pdev);
		goto err_notifier;
	}
	v3d_board_debugfs(board);
	return 0;

err_notifier:
	bus_unregister_notifier(&platform_bus_type, &board->notifier);
err_domain:
	pm_genpd_remove(&board->domain);
	return ret;
}

static void v3d_board_remove(struct pci_dev *pci)
{
	struct v3d_board *board = pci_get_drvdata(pci);

	debugfs_remove_recursive(board->debugfs);
	platform_device_unregister(board->pdev);
	bus_unregister_notifier(&platform_bus_type, &board->notifier);
	WARN_ON(pm_genpd_remove(&board->domain));
	writel(0, board->control + V3D_CONTROL_POWER);
}

static const struct pci_device_id v3d_board_ids[] = {
	{ PCI_DEVICE(V3D_PCI_VENDOR, V3D_PCI_DEVICE) },
	{ }
};
MODULE_DEVICE_TABLE(pci, v3d_board_ids);

static struct pci_driver v3d_board_driver = {
	.name = "v3dsim_pci",
	.id_table = v3d_board_ids,
	.probe = v3d_board_probe,
	.remove = v3d_board_remove,
};
module_pci_driver(v3d_board_driver);

MODULE_DESCRIPTION("Simulated V3D on PCI, shown as a platform device");
MODULE_LICENSE("GPL");
