# SPDX-License-Identifier: GPL-2.0-or-later
# What the Raspberry Pi machines are made of
CONFIG_RASPI=y
CONFIG_V3DSIM=y
# The CPU's code refers to them
CONFIG_ARM_V7M=y
CONFIG_SEMIHOSTING=y
CONFIG_ARM_COMPATIBLE_SEMIHOSTING=y
# The boards use them without saying so
CONFIG_OR_IRQ=y
CONFIG_UNIMP=y
