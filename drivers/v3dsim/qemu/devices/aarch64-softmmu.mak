# SPDX-License-Identifier: GPL-2.0-or-later
# What the Raspberry Pi machines are made of
CONFIG_RASPI=y
CONFIG_V3DSIM=y
