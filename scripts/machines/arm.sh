# shellcheck shell=bash
# SPDX-License-Identifier: MIT
#
# Programs for the Raspberry Pi machines: sourced after common.sh, or run, this configures build/ARCH, against the libraries of Debian
# bookworm that these machines have. As meson's cross file it takes ARCH.ini, and build/ARCH.ini for where the libraries are. ARCH is
# arm64 (the default), armhf or armel.

if [[ ${BASH_SOURCE[0]} == "$0" ]]; then
	set -euo pipefail
	ROOT=$(cd "$(dirname "$(readlink -f "$0")")/../.." && pwd)
	if (($# > 1)) || [[ ${1:-arm64} != @(arm64|armhf|armel) ]]; then
		printf 'Usage: bash scripts/machines/arm.sh [ARCH] [--help]\n\n'
		sed -n '4,/^[^#]/s/^# \{0,1\}//p' "$0"
		[[ ${1-} == --help ]] && exit 0
		exit 2
	fi
fi
# shellcheck source=scripts/machines/common.sh
[[ -n ${CACHE:-} ]] || . "$ROOT/scripts/machines/common.sh"

# What the library and its tools are linked to, and the headers
ARM_PACKAGES=(libdrm-dev libdrm2 libpng-dev libpng16-16 zlib1g-dev zlib1g)

# arm_libraries ARCH: prints the folder with these, as they would be installed
arm_libraries() { artifact "$1-libraries" "$(key "=${ARM_PACKAGES[*]}")" arm_libraries_build "$1"; }

# arm_libraries_build DIR ARCH
arm_libraries_build() { debian_unpack "$2" . "${ARM_PACKAGES[@]}"; }

# arm_triplet ARCH
arm_triplet() {
	case $1 in
	arm64) echo aarch64-linux-gnu ;;
	armhf) echo arm-linux-gnueabihf ;;
	armel) echo arm-linux-gnueabi ;;
	esac
}

# arm_configure ARCH: build/ARCH, anew if the libraries lie somewhere else than when it was configured
arm_configure() {
	local libraries triplet where=$ROOT/build/$1.ini
	triplet=$(arm_triplet "$1")
	libraries=$(arm_libraries "$1")
	mkdir -p "$ROOT/build"
	cat >"$where.new" <<-EOF
		[properties]
		sys_root = '$libraries'
		pkg_config_libdir = ['$libraries/usr/lib/$triplet/pkgconfig']
		[built-in options]
		c_link_args = ['-Wl,-rpath-link,$libraries/lib/$triplet']
	EOF
	cmp -s "$where.new" "$where" || rm -rf "$ROOT/build/$1"
	mv "$where.new" "$where"
	[[ -f $ROOT/build/$1/build.ninja ]] ||
		meson setup --cross-file "$ROOT/scripts/machines/$1.ini" --cross-file "$where" "$ROOT/build/$1" "$ROOT"
}

[[ ${BASH_SOURCE[0]} != "$0" ]] || arm_configure "${1:-arm64}"
