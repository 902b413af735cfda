# shellcheck shell=bash
# SPDX-License-Identifier: MIT
#
# glmark2, from Debian's source: its flavour "gbm" draws off-screen on a render node, which those that Debian builds cannot without a
# display. Sourced after common.sh, or run: prints the folder with bin/glmark2-es2-gbm and share/glmark2.
#
#   glmark2_build ARCH		amd64 or arm64

if [[ ${BASH_SOURCE[0]} == "$0" ]]; then
	set -euo pipefail
	ROOT=$(cd "$(dirname "$(readlink -f "$0")")/../.." && pwd)
	if [[ ${1-} == -* ]]; then
		printf 'Usage: bash scripts/machines/glmark2.sh [amd64|arm64]\n\n'
		sed -n '4,/^[^#]/s/^# \{0,1\}//p' "$0"
		[[ $1 == --help ]] && exit 0
		exit 2
	fi
fi
# shellcheck source=scripts/machines/common.sh
[[ -n ${CACHE:-} ]] || . "$ROOT/scripts/machines/common.sh"

GLMARK2_VERSION=2023.01+dfsg-1
# What it is linked to, for the machine it runs on
GLMARK2_PACKAGES=(libgbm-dev libgbm1 libjpeg62-turbo-dev libjpeg62-turbo libpng-dev libpng16-16 zlib1g-dev zlib1g libdrm-dev libdrm2)
GLMARK2_DATA=/usr/share/glmark2

glmark2_key() { key "=$GLMARK2_VERSION" "=${GLMARK2_PACKAGES[*]}" "=$(declare -f glmark2_build_in glmark2_cross)"; }
glmark2_build() { artifact "glmark2-$1" "$(glmark2_key)" glmark2_build_in "$1"; }

# glmark2_cross ARCH: for meson. Shared libraries of the sysroot lack what they are linked to themselves.
glmark2_cross() {
	local triplet=aarch64-linux-gnu family=aarch64 flags
	[[ $1 == arm64 ]] || triplet=x86_64-linux-gnu family=x86_64
	flags="['-idirafter', '$PWD/sysroot/usr/include/$triplet', '-idirafter', '$PWD/sysroot/usr/include', \
		'-L$PWD/sysroot/usr/lib/$triplet', '-Wl,--unresolved-symbols=ignore-in-shared-libs']"
	cat <<-EOF
		[binaries]
		c = '$triplet-gcc'
		cpp = '$triplet-g++'
		ar = '$triplet-ar'
		strip = '$triplet-strip'
		pkgconfig = 'pkg-config'
		[properties]
		sys_root = '$PWD/sysroot'
		pkg_config_libdir = ['$PWD/sysroot/usr/lib/$triplet/pkgconfig', '$PWD/sysroot/usr/share/pkgconfig']
		[built-in options]
		c_args = $flags
		cpp_args = $flags
		c_link_args = $flags
		cpp_link_args = $flags
		[host_machine]
		system = 'linux'
		cpu_family = '$family'
		cpu = '$family'
		endian = 'little'
	EOF
}

# glmark2_build_in DIR ARCH
glmark2_build_in() {
	debian_fetch source apt-get -q source --tar-only --download-only "glmark2=$GLMARK2_VERSION"
	mkdir source
	tar -C source --strip-components=1 -xf glmark2_*.orig.tar.*
	debian_unpack "$2" sysroot "${GLMARK2_PACKAGES[@]}"
	glmark2_cross "$2" >cross
	meson setup --cross-file cross --prefix=/usr --buildtype=release -Dflavors=gbm-glesv2 -Ddata-path="$GLMARK2_DATA" obj source
	nice ninja -C obj -j2
	DESTDIR=$1/install meson install -C obj >/dev/null
	mv install/usr/bin install/usr/share .
	rm -rf install obj sysroot source cross glmark2_*
}

[[ ${BASH_SOURCE[0]} != "$0" ]] || glmark2_build "${1:-amd64}"
