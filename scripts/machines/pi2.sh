# shellcheck shell=bash
# SPDX-License-Identifier: MIT
#
# The Raspberry Pi 2: ARMv7, Debian's armhf kernel "armmp"

PI_MACHINE=raspi2b
# Exported: what builds a part is a shell of its own
export PI_ARCH=armhf PI_TREE=bcm2836-rpi-2-b.dtb
export PI_EDITS=
PI_KERNELS=(6.1 6.12)
PI_USERLANDS=(plain)
PI_CLOCKS=(real)
# With all four, the others wait in stop_machine() for the first, which does not come back from it, once the kernel maps itself read-only
PI_APPEND=maxcpus=1

# shellcheck source=scripts/machines/pi.sh
. "$ROOT/scripts/machines/pi.sh"
