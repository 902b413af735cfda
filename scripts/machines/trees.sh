#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Device trees of Debian's kernels, and overlays over them. Run, it tries overlays/ over every tree of a Raspberry Pi that has this V3D,
# and says so in TAP:
#
#   scripts/machines/trees.sh [ARCH:KERNEL]...	all of TREES_ALL if none is named; KERNEL as for modules.sh
#
# or sourced after modules.sh, for boards:
#
#   trees_of ARCH KERNEL		prints a folder with the trees that the kernel's package has, as the kernel's makefiles name them
#   tree_raspios TREE			prints the overlays that make it Raspberry Pi OS's, a line each
#   tree_overlaid OUT TREE OVERLAY...	makes OUT of a tree and overlays' sources, as the Raspberry Pi's firmware does before it boots

if [[ ${BASH_SOURCE[0]} == "$0" ]]; then
	set -euo pipefail
	ROOT=$(cd "$(dirname "$(readlink -f "$0")")/../.." && pwd)
	if [[ ${1-} == -* ]]; then
		printf 'Usage:\n'
		sed -n '4,/^[^#]/s/^# \{0,1\}//p' "$0"
		[[ $1 == --help ]] && exit 0
		exit 2
	fi
fi
# shellcheck source=scripts/machines/common.sh
[[ -n ${CACHE:-} ]] || . "$ROOT/scripts/machines/common.sh"
# shellcheck source=scripts/machines/modules.sh
declare -F kernel_release >/dev/null || . "$ROOT/scripts/machines/modules.sh"

TREES_ALL='arm64:6.1 arm64:6.12 arm64:7.2 arm64:7.3 armel:6.1'
V3D_NODE=/soc/v3d@7ec00000

trees_of() {
	local release
	release=$(kernel_release "$1" "$2") || return 1
	artifact "trees-$1" "$release" trees_build "$1" "$release"
}

# trees_build DIR ARCH RELEASE: of 7.x they have a package without the kernel
trees_build() {
	local suite
	if suite=$(suite_of "$3"); then
		debian_unpack "$2@$suite" image "linux-base-$3"
	else
		debian_unpack "$2" image "linux-image-$3"
	fi
	find image/usr/lib -name 'bcm283[5-7]-rpi-*.dtb' -exec cp -t "$1" {} +
	rm -rf image
	compgen -G '*.dtb'
}

# What Raspberry Pi's own trees say of the V3D, and what their config.txt makes of that
tree_raspios() {
	local clock="raspios-clock"
	fdtget "$1" /__symbols__ firmware_clocks >/dev/null 2>&1 || clock="raspios-clock-node"
	printf '%s.dts\n' "$ROOT"/scripts/machines/trees/{raspios,"$clock",vc4-kms-v3d}
}

tree_overlaid() {
	local out=$1 tree=$2 each overlays=()
	shift 2
	for each; do
		dtc -q -I dts -O dtb -o "$out.$(basename "$each" .dts).dtbo" "$each" || return 1
		overlays+=("$out.$(basename "$each" .dts).dtbo")
	done
	cp "$tree" "$out"
	((${#overlays[@]})) || return 0
	fdtoverlay -i "$tree" -o "$out" "${overlays[@]}" || return 1
	rm -f "${overlays[@]}"
}

# tree_is TREE PROPERTY VALUE: what the V3D's node says
tree_is() {
	local found
	found=$(fdtget "$1" "$V3D_NODE" "$2" 2>/dev/null) || found=none
	[[ $found == "$3" ]] || { echo "$2 is $found, not $3"; return 1; }
}

# tree_power TREE: the phandle of the firmware's power domains, which have had two places
tree_power() { fdtget "$1" /soc/power phandle 2>/dev/null || fdtget "$1" /firmware/rpi-firmware/power phandle; }

# tree_same A B: all is alike but the V3D's node
tree_same() {
	local a b
	a=$(tree_without_v3d "$1") || return 1
	b=$(tree_without_v3d "$2") || return 1
	[[ $a == "$b" ]] || { echo "more than the V3D's node differs"; return 1; }
}

tree_without_v3d() {
	local copy=$1.without
	cp "$1" "$copy"
	fdtput -r "$copy" "$V3D_NODE" && dtc -q -s -I dtb -O dts "$copy"
	rm -f "$copy"
}

# tree_holds TREE TMP: the overlay gives the V3D to bcm2835_v3d and changes nothing else, over the kernel's tree and over one like
# Raspberry Pi OS's. There vc4 would have taken it.
tree_holds() {
	local tree=$1 tmp=$2 ours=$ROOT/overlays/bcm2835-v3d.dts power raspios
	cp "$tree" "$tmp/stock"
	tree_overlaid "$tmp/ours" "$tmp/stock" "$ours" || return 1
	mapfile -t raspios < <(tree_raspios "$tmp/stock")
	tree_overlaid "$tmp/raspios" "$tmp/stock" "${raspios[@]}" || return 1
	tree_overlaid "$tmp/both" "$tmp/raspios" "$ours" || return 1
	power="$(tree_power "$tmp/stock") 10"
	tree_is "$tmp/raspios" compatible brcm,vc4-v3d && tree_is "$tmp/raspios" status okay || return 1
	tree_is "$tmp/raspios" power-domains "$power" && tree_is "$tmp/both" power-domains "$power" || return 1
	tree_is "$tmp/ours" compatible v3dcl,bcm2835-v3d && tree_is "$tmp/both" compatible v3dcl,bcm2835-v3d || return 1
	tree_is "$tmp/ours" status okay && tree_is "$tmp/both" status okay || return 1
	tree_same "$tmp/stock" "$tmp/ours" && tree_same "$tmp/raspios" "$tmp/both"
}

# tree_alias: the module binds what the overlay and the trees call the V3D
tree_alias() {
	local module name
	module=$(find "$ROOT/build/modules" -maxdepth 2 -name bcm2835_v3d.ko | head -n 1)
	for name in v3dcl,bcm2835-v3d brcm,vc4-v3d brcm,bcm2835-v3d; do
		modinfo -F alias "$module" | grep -qxF "of:N*T*C$name" || { echo "$module has no alias for $name"; return 1; }
	done
}

# trees_tap NUMBER NAME COMMAND...
trees_tap() {
	local said number=$1 name=$2
	shift 2
	if said=$("$@" 2>&1); then
		echo "ok $number - $name"
	else
		printf '# %s\nnot ok %s - %s\n' "${said//$'\n'/$'\n'# }" "$number" "$name"
		return 1
	fi
}

trees_main() {
	local each folder tree tmp n=0 failed=0
	tmp=$(mktemp -d)
	# shellcheck disable=SC2064 # now
	trap "rm -rf $tmp" EXIT
	# shellcheck disable=SC2086 # words are wanted
	(($#)) || set -- $TREES_ALL
	echo "TAP version 13"
	for each; do
		if ! folder=$(trees_of "${each%%:*}" "${each#*:}"); then
			echo "ok $((n += 1)) - overlays over $each # SKIP the archive has no such kernel now"
			continue
		fi
		for tree in "$folder"/*.dtb; do
			trees_tap $((n += 1)) "overlays over ${folder##*/trees-}: $(basename "$tree")" tree_holds "$tree" "$tmp" || failed=1
		done
	done
	if compgen -G "$ROOT/build/modules/*/bcm2835_v3d.ko" >/dev/null; then
		trees_tap $((n += 1)) "the module binds these names" tree_alias || failed=1
	fi
	echo "1..$n"
	((failed == 0))
}

[[ ${BASH_SOURCE[0]} != "$0" ]] || trees_main "$@"
