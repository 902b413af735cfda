// SPDX-License-Identifier: GPL-2.0-only
/*
 * The frame buffer of a Raspberry Pi's firmware, for the machine that has none: answers messages as
 * QEMU's raspi boards do, with memory that the kernel was told not to use (memmap= of its command
 * line). The V3D's device gets it as platform data when a driver binds. What is seen of it is in
 * debugfs, and a switch that has a driver of the name of the kernel's display driver bind or let go
 * of a device.
 */
#include <linux/debugfs.h>
#include <linux/delay.h>
#include <linux/device.h>
#include <linux/io.h>
#include <linux/minmax.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/notifier.h>
#include <linux/platform_device.h>
#include <linux/sizes.h>
#include <linux/vmalloc.h>

#include <v3d/mailbox.h>

#define SCREEN_DEVICE "bcm2835-v3d"
#define SCREEN_OFFSET SZ_4K		/* of the frame buffer in the memory: address 0 is none */
#define SCREEN_ALIAS 0xc0000000u	/* as on a Raspberry Pi 2 and 3 */

static ulong memory;
module_param(memory, ulong, 0444);
MODULE_PARM_DESC(memory, "physical address of 8 MiB that the kernel does not use");

static uint bad;
module_param(bad, uint, 0644);
MODULE_PARM_DESC(bad,
		 "1: never answers, 2: answers garbage, 3: no memory, 4: knows no tag, 5: late");

/* What it is like now */
static struct {
	u32 size[2], all[2], depth, order, offset[2];
} screen = { { 640, 480 }, { 640, 480 }, 16, 1, { 0, 0 } };

static DEFINE_MUTEX(screen_lock);
static struct dentry *screen_debugfs;

static u32 screen_pitch(void)
{
	return screen.all[0] * screen.depth / 8;
}

/* The words of a tag that sets @count words and tells them, or that tells them */
static u32 screen_words(u32 *state, u32 *words, u32 count, bool set)
{
	memcpy(set ? state : words, set ? words : state, count * sizeof(u32));
	return count;
}

/* Return: how many words the answer has; what is not known has none */
static u32 screen_tag(u32 tag, u32 *words)
{
	bool set = tag & 0x8000;

	switch (tag & ~0x8000u) {
	case V3D_TAG_GET_SIZE:
		return screen_words(screen.size, words, 2, set);
	case V3D_TAG_GET_VIRTUAL:
		return screen_words(screen.all, words, 2, set);
	case V3D_TAG_GET_DEPTH:
		return screen_words(&screen.depth, words, 1, set);
	case V3D_TAG_GET_ORDER:
		return screen_words(&screen.order, words, 1, set);
	case V3D_TAG_GET_OFFSET:
		return screen_words(screen.offset, words, 2, set);
	case V3D_TAG_GET_PITCH:
		words[0] = screen_pitch();
		return 1;
	case V3D_TAG_ALLOCATE:
		words[0] = SCREEN_OFFSET | SCREEN_ALIAS;
		words[1] = bad == 3 ? SZ_4K : screen_pitch() * screen.all[1];
		return 2;
	}
	return 0;
}

static int screen_list(void *opaque, void *tags, size_t bytes)
{
	u32 *at = tags, *end = tags + bytes;

	might_sleep();
	if (bad == 1) {
		msleep(1000);
		return -ETIMEDOUT;
	}
	if (bad == 5)
		msleep(700);
	mutex_lock(&screen_lock);
	while (at + V3D_TAG_HEAD <= end) {
		u32 room = at[1] / 4;
		u32 words = bad == 4 ? 0 : screen_tag(at[0], at + V3D_TAG_HEAD);

		at[2] = V3D_TAG_ANSWERED | words * 4;
		at += V3D_TAG_HEAD + room;
	}
	mutex_unlock(&screen_lock);
	if (bad == 2)
		memset(tags, 0xa5, bytes);
	return 0;
}

static struct v3d_firmware_functions screen_functions = { .list = screen_list };

/* What is seen: rows without anything between them. QEMU looks at the offset only so, too. */
static int screen_seen_open(struct inode *inode, struct file *file)
{
	bool moved = screen.all[0] > screen.size[0] && screen.all[1] > screen.size[1];
	u32 row = screen.size[0] * screen.depth / 8, y;
	void __iomem *from;
	u8 *picture;

	picture = vmalloc(array_size(row, screen.size[1]));
	from = ioremap_wc(memory + SCREEN_OFFSET, SZ_8M - SCREEN_OFFSET);
	if (!picture || !from) {
		vfree(picture);
		return -ENOMEM;
	}
	mutex_lock(&screen_lock);
	for (y = 0; y < screen.size[1]; y++)
		memcpy_fromio(picture + y * row,
			      from + (y + (moved ? screen.offset[1] : 0)) * screen_pitch(), row);
	mutex_unlock(&screen_lock);
	iounmap(from);
	file->private_data = picture;
	return 0;
}

static ssize_t screen_seen_read(struct file *file, char __user *to, size_t count, loff_t *position)
{
	return simple_read_from_buffer(to, count, position, file->private_data,
				       screen.size[0] * screen.depth / 8 * screen.size[1]);
}

static int screen_seen_release(struct inode *inode, struct file *file)
{
	vfree(file->private_data);
	return 0;
}

static const struct file_operations screen_seen = {
	.owner = THIS_MODULE,
	.open = screen_seen_open,
	.read = screen_seen_read,
	.release = screen_seen_release,
};

static int screen_state_show(struct seq_file *m, void *unused)
{
	seq_printf(m, "%ux%u of %ux%u, %u bits, order %u, at %u,%u\n", screen.size[0],
		   screen.size[1], screen.all[0], screen.all[1], screen.depth, screen.order,
		   screen.offset[0], screen.offset[1]);
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(screen_state);

static int screen_vc4_probe(struct platform_device *pdev)
{
	return 0;
}

static struct platform_driver screen_vc4_driver = {
	.probe = screen_vc4_probe,
	.driver = { .name = "vc4-drm" },
};

static struct platform_device *screen_vc4;

static int screen_vc4_get(void *unused, u64 *bound)
{
	*bound = !!screen_vc4;
	return 0;
}

static int screen_vc4_set(void *unused, u64 bind)
{
	struct platform_device *device;

	if (!bind && screen_vc4) {
		platform_device_unregister(screen_vc4);
		screen_vc4 = NULL;
	} else if (bind && !screen_vc4) {
		device = platform_device_register_simple("vc4-drm", PLATFORM_DEVID_NONE, NULL, 0);
		if (IS_ERR(device))
			return PTR_ERR(device);
		screen_vc4 = device;
	}
	return 0;
}
DEFINE_DEBUGFS_ATTRIBUTE(screen_vc4_fops, screen_vc4_get, screen_vc4_set, "%llu\n");

static int screen_notify(struct notifier_block *nb, unsigned long event, void *data)
{
	struct device *dev = data;

	if (event != BUS_NOTIFY_BIND_DRIVER || strcmp(dev_name(dev), SCREEN_DEVICE))
		return NOTIFY_DONE;
	dev->platform_data = &screen_functions;
	return NOTIFY_OK;
}

static struct notifier_block screen_notifier = { .notifier_call = screen_notify };

static int __init screen_init(void)
{
	int ret;

	if (!memory)
		return -EINVAL;
	screen_functions.memory = memory;
	ret = platform_driver_register(&screen_vc4_driver);
	if (ret)
		return ret;
	ret = bus_register_notifier(&platform_bus_type, &screen_notifier);
	if (ret) {
		platform_driver_unregister(&screen_vc4_driver);
		return ret;
	}
	screen_debugfs = debugfs_create_dir("v3dsim_screen", NULL);
	debugfs_create_file("seen", 0400, screen_debugfs, NULL, &screen_seen);
	debugfs_create_file("vc4", 0600, screen_debugfs, NULL, &screen_vc4_fops);
	debugfs_create_file("state", 0400, screen_debugfs, NULL, &screen_state_fops);
	return 0;
}

static void __exit screen_exit(void)
{
	struct device *dev = bus_find_device_by_name(&platform_bus_type, NULL, SCREEN_DEVICE);

	bus_unregister_notifier(&platform_bus_type, &screen_notifier);
	if (dev) {
		device_release_driver(dev);
		dev->platform_data = NULL;
		put_device(dev);
	}
	debugfs_remove(screen_debugfs);
	screen_vc4_set(NULL, 0);
	platform_driver_unregister(&screen_vc4_driver);
}

module_init(screen_init);
module_exit(screen_exit);

MODULE_DESCRIPTION("Frame buffer of a Raspberry Pi's firmware, simulated");
MODULE_LICENSE("GPL");
