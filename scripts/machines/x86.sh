# shellcheck shell=bash
# SPDX-License-Identifier: MIT
#
# The x86 machine: QEMU's q35, the debug kernel, Debian forky's userland, the V3D on PCI.

board_kernels() { echo debug; }
board_drivers() { echo ours none; }
board_build() { die "being built"; }
board_boot() { return 1; }
