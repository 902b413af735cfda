/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The V3D on PCI, for machines that are no Raspberry Pi. drivers/v3dsim/pci shows it to the guest's
 * kernel as a platform device.
 *
 * PCI id 1234:2835 (QEMU's own vendor number for things that exist in no catalogue), class "other",
 * one level interrupt INTA, and BAR 0 of 8 KiB:
 *	0x0000	the V3D's registers
 *	0x1000	POWER: bit 0 is the power domain, readable: a domain that refuses to switch off
 *		reads 1 after a write of 0
 *	0x1004	ALIAS: read only, what the board adds to a physical address to get the V3D's
 *	0x1008	FAULT: a byte a write, of a fault to order as v3dsim_inject() takes it; 0 ends it.
 *		Reads 1 if the last one was none, else 0
 *	0x100c	STRUCK: read only, how often that fault has struck
 *	0x1010	LEFT: read only, how often it is still to strike
 */
#include "qemu/osdep.h"
#include "hw/pci/pci.h"
#include "migration/vmstate.h"
#include "qapi/error.h"
#include "v3d.h"

#define V3D_PCI_DEVICE_ID 0x2835
#define V3D_PCI_BAR_SIZE 0x2000
#define V3D_PCI_POWER 0x0
#define V3D_PCI_ALIAS 0x4
#define V3D_PCI_FAULT 0x8
#define V3D_PCI_STRUCK 0xc
#define V3D_PCI_LEFT 0x10

OBJECT_DECLARE_SIMPLE_TYPE(V3DPCIState, V3D_PCI)

struct V3DPCIState {
	PCIDevice parent_obj;

	struct v3d v3d;
	MemoryRegion bar, control;
	char fault[64];
	unsigned int fault_length;
	bool fault_refused;
};

/* The next byte of a fault's text. What is too long for any is told by what it is cut to */
static void v3d_pci_fault(V3DPCIState *s, char byte)
{
	Error *error = NULL;

	if (s->fault_length < sizeof(s->fault) - 1)
		s->fault[s->fault_length++] = byte;
	if (byte)
		return;
	s->fault[s->fault_length] = 0;
	s->fault_length = 0;
	s->fault_refused = !v3d_inject(&s->v3d, s->fault, &error);
	if (error)
		warn_report_err(error);
}

static uint32_t v3d_pci_injected(V3DPCIState *s, bool left)
{
	struct v3dsim_injected injected;

	s->v3d.lib.injected(s->v3d.sim, &injected);
	return left ? injected.left : injected.struck;
}

static uint64_t v3d_pci_control_read(void *opaque, hwaddr addr, unsigned int size)
{
	V3DPCIState *s = opaque;

	switch (addr) {
	case V3D_PCI_POWER:
		return s->v3d.powered;
	case V3D_PCI_ALIAS:
		return s->v3d.alias;
	case V3D_PCI_FAULT:
		return s->fault_refused;
	case V3D_PCI_STRUCK:
	case V3D_PCI_LEFT:
		return v3d_pci_injected(s, addr == V3D_PCI_LEFT);
	default:
		return 0;
	}
}

static void v3d_pci_control_write(void *opaque, hwaddr addr, uint64_t value, unsigned int size)
{
	V3DPCIState *s = opaque;

	if (addr == V3D_PCI_POWER)
		v3d_ask_power(&s->v3d, value & 1);
	else if (addr == V3D_PCI_FAULT)
		v3d_pci_fault(s, value);
}

static const MemoryRegionOps v3d_pci_control_ops = {
	.read = v3d_pci_control_read,
	.write = v3d_pci_control_write,
	.endianness = DEVICE_LITTLE_ENDIAN,
	.valid = { .min_access_size = 4, .max_access_size = 4 },
};

static void v3d_pci_realize(PCIDevice *pci, Error **errp)
{
	V3DPCIState *s = V3D_PCI(pci);

	pci_config_set_interrupt_pin(pci->config, 1);
	s->v3d.irq = pci_allocate_irq(pci);
	if (!v3d_realize(&s->v3d, OBJECT(s), pci_get_address_space(pci), errp))
		return;
	memory_region_init(&s->bar, OBJECT(s), "v3d-bar", V3D_PCI_BAR_SIZE);
	memory_region_add_subregion(&s->bar, 0, &s->v3d.window);
	memory_region_init_io(&s->control, OBJECT(s), &v3d_pci_control_ops, s, "v3d-control",
			      V3D_PCI_BAR_SIZE - V3D_WINDOW);
	memory_region_add_subregion(&s->bar, V3D_WINDOW, &s->control);
	pci_register_bar(pci, 0, PCI_BASE_ADDRESS_SPACE_MEMORY, &s->bar);
}

static void v3d_pci_reset(DeviceState *dev)
{
	v3d_set_power(&V3D_PCI(dev)->v3d, false);
}

static Property v3d_pci_properties[] = {
	DEFINE_V3D_PROPERTIES(V3DPCIState, v3d, 0x40000000),
	DEFINE_PROP_END_OF_LIST(),
};

static const VMStateDescription v3d_pci_vmstate = { .name = TYPE_V3D_PCI, .unmigratable = 1 };

static void v3d_pci_class_init(ObjectClass *class, void *data)
{
	DeviceClass *dc = DEVICE_CLASS(class);
	PCIDeviceClass *k = PCI_DEVICE_CLASS(class);

	k->realize = v3d_pci_realize;
	k->vendor_id = PCI_VENDOR_ID_QEMU;
	k->device_id = V3D_PCI_DEVICE_ID;
	k->class_id = PCI_CLASS_OTHERS;
	dc->desc = "VideoCore IV V3D";
	dc->reset = v3d_pci_reset;
	dc->hotpluggable = false;
	dc->vmsd = &v3d_pci_vmstate;
	device_class_set_props(dc, v3d_pci_properties);
	set_bit(DEVICE_CATEGORY_DISPLAY, dc->categories);
}

static const TypeInfo v3d_pci_type = {
	.name = TYPE_V3D_PCI,
	.parent = TYPE_PCI_DEVICE,
	.instance_size = sizeof(V3DPCIState),
	.class_init = v3d_pci_class_init,
	.interfaces = (InterfaceInfo[]) { { INTERFACE_CONVENTIONAL_PCI_DEVICE }, { } },
};

static void v3d_pci_register(void)
{
	type_register_static(&v3d_pci_type);
}
type_init(v3d_pci_register)
