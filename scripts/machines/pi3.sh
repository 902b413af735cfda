# shellcheck shell=bash
# SPDX-License-Identifier: MIT
#
# The Raspberry Pi 3, with a 64-bit kernel

PI_MACHINE=raspi3b
# Exported: what builds a part is a shell of its own
export PI_ARCH=arm64 PI_TREE=broadcom/bcm2837-rpi-3-b.dtb
# As Raspberry Pi's overlay disable-bt does it: the first UART is a terminal and not the Bluetooth chip's, which QEMU lacks
export PI_EDITS='remove /soc/serial@7e201000/bluetooth'
PI_KERNELS=(6.12 6.12-low 6.1 6.1-low 7.2 7.3 newest@forky newest@trixie-backports)
PI_USERLANDS=(plain mesa desktop)
PI_CLOCKS=(real)
PI_APPEND=

# shellcheck source=scripts/machines/pi.sh
. "$ROOT/scripts/machines/pi.sh"
