# shellcheck shell=bash
# SPDX-License-Identifier: MIT
#
# Programs for the 64-bit Raspberry Pi machines: sourced after common.sh, or run, this configures build/arm64, against the libraries of
# Debian bookworm that these machines have. As meson's cross file it takes aarch64.ini, and build/arm64.ini for where the libraries are.

if [[ ${BASH_SOURCE[0]} == "$0" ]]; then
	set -euo pipefail
	ROOT=$(cd "$(dirname "$(readlink -f "$0")")/../.." && pwd)
	if (($#)); then
		printf 'Usage: bash scripts/machines/arm64.sh [--help]\n\n'
		sed -n '4,/^[^#]/s/^# \{0,1\}//p' "$0"
		[[ $1 == --help ]] && exit 0
		exit 2
	fi
fi
# shellcheck source=scripts/machines/common.sh
[[ -n ${CACHE:-} ]] || . "$ROOT/scripts/machines/common.sh"

# What the library and its tools are linked to, and the headers
ARM64_PACKAGES=(libdrm-dev libdrm2 libpng-dev libpng16-16 zlib1g-dev zlib1g)

# arm64_libraries: prints the folder with these, as they would be installed
arm64_libraries() { artifact arm64-libraries "$(key "=${ARM64_PACKAGES[*]}")" arm64_libraries_build; }

arm64_libraries_build() { debian_unpack arm64 . "${ARM64_PACKAGES[@]}"; }

# arm64_configure: build/arm64, anew if the libraries lie somewhere else than when it was configured
arm64_configure() {
	local libraries where=$ROOT/build/arm64.ini
	libraries=$(arm64_libraries)
	mkdir -p "$ROOT/build"
	cat >"$where.new" <<-EOF
		[properties]
		sys_root = '$libraries'
		pkg_config_libdir = ['$libraries/usr/lib/aarch64-linux-gnu/pkgconfig']
		[built-in options]
		c_link_args = ['-Wl,-rpath-link,$libraries/lib/aarch64-linux-gnu']
	EOF
	cmp -s "$where.new" "$where" || rm -rf "$ROOT/build/arm64"
	mv "$where.new" "$where"
	[[ -f $ROOT/build/arm64/build.ninja ]] ||
		meson setup --cross-file "$ROOT/scripts/machines/aarch64.ini" --cross-file "$where" "$ROOT/build/arm64" "$ROOT"
}

[[ ${BASH_SOURCE[0]} != "$0" ]] || arm64_configure
