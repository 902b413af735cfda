# shellcheck shell=bash
# SPDX-License-Identifier: MIT
#
# The Raspberry Pi 1, model A+: ARMv6, one processor, 512 MiB; Debian's armel kernel "rpi", which has no drm_sched: modules.sh builds it
# beside our module

PI_MACHINE=raspi1ap
# Exported: what builds a part is a shell of its own
export PI_ARCH=armel PI_TREE=bcm2835-rpi-a-plus.dtb
# QEMU's ARMv6 aborts a read where nothing is, as of the bridge that bcm2835-power asks for. The V3D's domain is the firmware's.
export PI_EDITS='x /soc/watchdog@7e100000 reg 7e100000 114
s /soc/watchdog@7e100000 reg-names pm'
PI_KERNELS=(6.1 6.12)
PI_USERLANDS=(plain)
# Its system timer fires where its counter equals a register (BCM2835 ARM Peripherals, chapter 12), into which the kernel writes what it has
# read from the counter plus the time that is left, 15 us at least. If QEMU waits for longer than that in between, which it does when the
# host is busy, the counter comes to that value 71 minutes later. So no time may pass but by instructions.
PI_CLOCKS=(instructions real)
PI_APPEND=

# shellcheck source=scripts/machines/pi.sh
. "$ROOT/scripts/machines/pi.sh"
