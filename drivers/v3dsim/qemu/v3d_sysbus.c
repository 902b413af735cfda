/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The V3D on the system bus, for the Raspberry Pi boards: one register window, one interrupt, an
 * input line "power" that the firmware's mailbox drives (a domain that refuses to switch off shows
 * in registers that keep their contents alone: the firmware says that all is well), and a link
 * "bus" to the VideoCore's own address space (all four aliases of the memory are in it, so property
 * alias stays 0).
 */
#include "qemu/osdep.h"
#include "hw/sysbus.h"
#include "migration/vmstate.h"
#include "qapi/error.h"
#include "v3d.h"

OBJECT_DECLARE_SIMPLE_TYPE(V3DSysBusState, V3D_SYSBUS)

struct V3DSysBusState {
	SysBusDevice parent_obj;

	struct v3d v3d;
	MemoryRegion *bus;
	AddressSpace as;
};

static void v3d_sysbus_power(void *opaque, int line, int on)
{
	V3DSysBusState *s = opaque;

	v3d_ask_power(&s->v3d, on);
}

static void v3d_sysbus_realize(DeviceState *dev, Error **errp)
{
	V3DSysBusState *s = V3D_SYSBUS(dev);
	SysBusDevice *sbd = SYS_BUS_DEVICE(dev);

	if (!s->bus) {
		error_setg(errp, "v3d: link \"bus\" is not set");
		return;
	}
	address_space_init(&s->as, s->bus, TYPE_V3D_SYSBUS);
	if (!v3d_realize(&s->v3d, OBJECT(s), &s->as, errp))
		return;
	sysbus_init_irq(sbd, &s->v3d.irq);
	sysbus_init_mmio(sbd, &s->v3d.window);
}

static Property v3d_sysbus_properties[] = {
	DEFINE_V3D_PROPERTIES(V3DSysBusState, v3d, 0),
	DEFINE_PROP_LINK("bus", V3DSysBusState, bus, TYPE_MEMORY_REGION, MemoryRegion *),
	DEFINE_PROP_END_OF_LIST(),
};

static void v3d_sysbus_reset(DeviceState *dev)
{
	v3d_set_power(&V3D_SYSBUS(dev)->v3d, false);
}

static void v3d_sysbus_init(Object *obj)
{
	qdev_init_gpio_in_named(DEVICE(obj), v3d_sysbus_power, "power", 1);
}

static const VMStateDescription v3d_sysbus_vmstate = { .name = TYPE_V3D_SYSBUS, .unmigratable = 1 };

static void v3d_sysbus_class_init(ObjectClass *class, void *data)
{
	DeviceClass *dc = DEVICE_CLASS(class);

	dc->realize = v3d_sysbus_realize;
	dc->desc = "VideoCore IV V3D";
	dc->reset = v3d_sysbus_reset;
	dc->vmsd = &v3d_sysbus_vmstate;
	device_class_set_props(dc, v3d_sysbus_properties);
	set_bit(DEVICE_CATEGORY_DISPLAY, dc->categories);
}

static const TypeInfo v3d_sysbus_type = {
	.name = TYPE_V3D_SYSBUS,
	.parent = TYPE_SYS_BUS_DEVICE,
	.instance_size = sizeof(V3DSysBusState),
	.instance_init = v3d_sysbus_init,
	.class_init = v3d_sysbus_class_init,
};

static void v3d_sysbus_register(void)
{
	type_register_static(&v3d_sysbus_type);
}
type_init(v3d_sysbus_register)
