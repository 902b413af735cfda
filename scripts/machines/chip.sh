# SPDX-License-Identifier: MIT
# shellcheck shell=bash
# The chip's mode: --chip MODE, else V3D_CHIP. Sourced by scripts/vm and scripts/with-v3d, which have bad_usage.

# check_chip V3DSIM MODE: the chip that is asked for, by MODE unless it is empty, else by V3D_CHIP, is then in $CHIP. The simulator's own words
# for one that there is not, and for "help".
check_chip() {
	local from=--chip said
	CHIP=$2
	[[ -n $CHIP ]] || from=V3D_CHIP CHIP=$V3D_CHIP
	if [[ $CHIP == help ]]; then
		"$1" --chip help
		exit
	fi
	said=$("$1" --chip "$CHIP" 2>&1) && return
	said=${said#v3dsim: --chip: }
	bad_usage "$from: ${said%%$'\n'*}"
}
