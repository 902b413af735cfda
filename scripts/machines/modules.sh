#!/bin/bash
# SPDX-License-Identifier: MIT
#
# The module, built for the kernels that Debian ships. Run, it builds and judges, and says so in TAP:
#
#   scripts/machines/modules.sh [check] [ARCH:KERNEL]...	all of MODULES_ALL if none is named; check: by sparse as well
#
# or sourced after common.sh, for boards:
#
#   kernel_release ARCH KERNEL		prints the release that KERNEL means
#   kdir_for ARCH KERNEL		prints the build folder of its headers, unpacked into the cache at first use
#   module_build ARCH KERNEL [ARG]...	builds by modules_build, fails on any warning, prints the folder with the .ko files
#
# ARCH is amd64, arm64, armhf or armel. KERNEL is 6.1 or 6.12 (the newest release of that series in Debian bookworm's archives), 6.1-low or
# 6.12-low (the oldest), 7.2 or 7.3 (the release of forky and of trixie's backports that suites.sh records),
# newest@forky or newest@trixie-backports, or a release by its name. drm_sched changes within each series, so both ends of it are built.

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
# shellcheck source=scripts/machines/suites.sh
. "$ROOT/scripts/machines/suites.sh"

MODULES_ALL='arm64:6.1-low arm64:6.1 arm64:6.12-low arm64:6.12 armhf:6.1 armhf:6.12 armel:6.1 amd64:6.12 arm64:7.2 arm64:7.3'

# kernel_kbuild RELEASE: the package with its build tools
kernel_kbuild() {
	case $1 in
	6.1.0-*) echo linux-kbuild-6.1 ;;
	*) echo "linux-kbuild-${1%-*}" ;;
	esac
}

kernel_flavour() {
	case $1 in
	armhf) echo armmp ;;
	armel) echo rpi ;;
	*) echo "$1" ;;
	esac
}

# kernel_releases ARCH SERIES: those with headers for ARCH and build tools for this machine, oldest first
kernel_releases() {
	local flavour name kbuilds
	flavour=$(kernel_flavour "$1")
	kbuilds=" $(debian_apt "$(dpkg --print-architecture)" apt-cache search --names-only '^linux-kbuild-6' | cut -d' ' -f1 | tr '\n' ' ') "
	debian_apt "$1" apt-cache search --names-only "^linux-headers-$2\\..*-$flavour\$" |
		sed -nE "s/^linux-headers-(6\\.(1\\.0-[0-9]+|[0-9]+\\.[0-9]+\\+deb12(\\.[0-9]+)?)-$flavour) .*/\\1/p" | sort -V |
		while read -r name; do
			[[ $kbuilds != *" $(kernel_kbuild "$name") "* ]] || echo "$name"
		done
}

# kernel_release: as debian_version, what was found first stays (delete $QUICK_CACHE/kernel-* to look again), unless the index had holes
kernel_release() {
	local kept=$QUICK_CACHE/kernel-$1-$2 found
	case $2 in
	6.1 | 6.12 | 6.1-low | 6.12-low) ;;
	7.2 | 7.3) suite_release "$1" "$2"; return ;;
	newest@*) suite_newest "$1" "${2#newest@}"; return ;;
	*) echo "$2"; return ;;
	esac
	if [[ ! -s $kept ]]; then
		found=$(kernel_releases "$1" "${2%-low}")
		case $2 in
		*-low) found=${found%%$'\n'*} ;;
		*) found=${found##*$'\n'} ;;
		esac
		[[ -n $found ]] || die "Debian bookworm has no kernel $2 for $1"
		if [[ ! -e $QUICK_CACHE/apt-$1/whole ]]; then
			echo "$found"
			return
		fi
		keep "$kept" <<<"$found"
	fi
	cat "$kept"
}

kdir_for() {
	local release dir
	release=$(kernel_release "$1" "$2") || return 1
	dir=$(artifact "kdir-$1" "$release" kdir_build "$1" "$release") || return 1
	printf '%s/usr/src/linux-headers-%s\n' "$dir" "$release"
}

# kdir_build DIR ARCH RELEASE
kdir_build() {
	local host version flavour common
	host=$(dpkg --print-architecture)
	flavour=$(kernel_flavour "$2")
	common=linux-headers-${3%-"$flavour"}-common
	version=$(debian_apt "$2" apt-cache show "linux-headers-$3" | sed -n 's/^Version: //p' | head -n 1)
	debian_unpack "$2" "$1" "linux-headers-$3=$version" "$common=$version"
	kdir_tools "$1" "$host" "$(kernel_kbuild "$3")" "$version"
	[[ $2 != @(armhf|armel) ]] || kdir_modpost "$1" "$2" "$(kernel_kbuild "$3")" "$version"
	# The package says /usr/src, where it is not
	printf 'include %s\n' "\$(dir \$(lastword \$(MAKEFILE_LIST)))../$common/Makefile" >"$1/usr/src/linux-headers-$3/Makefile"
}

# kdir_tools DIR ARCH PACKAGE VERSION: 6.1's releases share their tools, and the archive may have dropped this one's
kdir_tools() {
	debian_unpack "$2" "$1" "$3=$4" || debian_unpack "$2" "$1" "$3"
}

# kdir_modpost DIR ARCH PACKAGE VERSION: amd64's modpost takes device tables of 32-bit targets to have 64-bit pointers in them. ARCH's own
# is right; it brings its C library, and qemu-arm runs it: a processor or a kernel for 32-bit programs is not on every host.
kdir_modpost() {
	local tools
	kdir_tools "$1/target" "$2" "$3" "$4"
	debian_unpack "$2" "$1/target" libc6
	tools=$(cd "$1" && echo usr/lib/linux-kbuild-*/scripts/mod)
	cat >"$1/$tools/modpost.real-lsb-32" <<-'EOF'
		#!/bin/sh
		top=$(cd "$(dirname "$0")" && pwd)/../../../../../target
		exec qemu-arm -L "$top" "$top"/usr/lib/linux-kbuild-*/scripts/mod/modpost.real-lsb-32 "$@"
	EOF
}

# sched_source ARCH RELEASE: prints the folder with drm_sched's files of the very kernel, which has none built
sched_source() {
	local version
	version=$(debian_apt "$1" apt-cache show "linux-headers-$2" | sed -n 's/^Version: //p' | head -n 1)
	artifact sched "$1-${version//[^a-z0-9.+]/_}" sched_source_build "$1" "$(kernel_kbuild "$2")" "$version"
}

# sched_source_build DIR ARCH KBUILD VERSION. What comes before sched-source ends when that has all it wants
sched_source_build() {
	debian_fetch "$2" apt-get -qq download "linux-source-$(cut -d- -f3 <<<"$3" | cut -d. -f1,2)=$4"
	(
		set +o pipefail
		dpkg-deb --fsys-tarfile linux-source-*.deb | tar -xO --wildcards '*.tar.xz' | "$ROOT/debian/sched-source" - "$1/scheduler"
	)
	rm linux-source-*.deb
}

# module_sched NAME ARCH RELEASE KDIR: puts drm_sched beside the module's sources where the kernel has none
module_sched() {
	local from dir=$ROOT/build/modules/$1
	! grep -q '^CONFIG_DRM_SCHED=' "$4/.config" || return 0
	from=$(sched_source "$2" "$3") || return 1
	mkdir -p "$dir"
	rsync -a "$from/scheduler" "$dir/"
}

# kernel_make ARCH: the words that make the kernel's makefiles build for ARCH
kernel_make() {
	local arch=$1 cross=
	case $1 in
	arm64) cross=aarch64-linux-gnu- ;;
	armhf) arch=arm cross=arm-linux-gnueabihf- ;;
	armel) arch=arm cross=arm-linux-gnueabi- ;;
	amd64) arch=x86 cross=x86_64-linux-gnu- ;;
	esac
	[[ $1 != "$(dpkg --print-architecture)" ]] || cross=
	echo "ARCH=$arch CROSS_COMPILE=$cross"
}

# module_judge LOG: prints its warnings, but the one that is not ours: native and cross compilers differ in their version's text
module_judge() {
	local bad
	bad=$(grep -iE '(warning|error):|undefined!' "$1" | grep -v 'the compiler differs from the one used to build the kernel' |
		sort -u | head -n 30) || true
	[[ -n $bad ]] || return 0
	printf '%s\n' "$bad" >&2
	return 1
}

# module_symbols KO...: prints global symbols that begin as those of the kernel's own drivers do, tracepoints included: all of them may
# be built in, and then they clash
module_symbols() {
	local symbols bad
	symbols=$(nm -g --defined-only "$@") || return 1
	bad=$(grep -E ' [A-Z] (__[a-zA-Z_]+_)?(v3d|vc4)_' <<<"$symbols") || true
	[[ -n $bad ]] || return 0
	printf '%s\n' "$bad" >&2
	return 1
}

# One at a time for a kernel: machines that run side by side want the same
module_build() {
	local release lock status=0
	release=$(kernel_release "$1" "$2") || return 1
	mkdir -p "$ROOT/build/modules"
	exec {lock}>>"$ROOT/build/modules/$1-$release.lock"
	flock "$lock"
	module_build_alone "$1" "$release" "${@:3}" || status=1
	exec {lock}>&-
	return "$status"
}

# Errors are looked at here one by one: -e does not hold under an if
module_build_alone() {
	local arch=$1 release=$2 where dir name=$1-$2
	if suite_of "$release" >/dev/null; then
		where=$(suite_root "$arch" "$release") || return 1
		shift 2
		# shellcheck disable=SC2046 # words are wanted
		dir=$(suite_modules "$name" "$where" "$release" $(kernel_make "$arch") W=1 -j2 "$@") || return 1
	else
		where=$(kdir_for "$1" "$2") || return 1
		module_sched "$name" "$1" "$2" "$where" || return 1
		shift 2
		# shellcheck disable=SC2046
		dir=$(modules_build "$name" "$where" $(kernel_make "$arch") W=1 -j2 "$@") || return 1
	fi
	if ! module_judge "$dir.log"; then
		# Objects that warned must not pass as built the next time
		find "$dir" -name '*.o' -delete
		say "warnings for $name, see $dir.log"
		return 1
	fi
	if ! module_symbols "$dir"/*.ko; then
		say "global symbols of $name begin as those of the kernel's own drivers"
		return 1
	fi
	printf '%s\n' "$dir"
}

# module_excuse ARCH KERNEL: why there is nothing to build for it, where that is the archive's doing; fails if there is
module_excuse() {
	local release
	suite_recorded "$2" >/dev/null || return 1
	if ! release=$(kernel_release "$1" "$2"); then
		echo "the archive has no kernel of this series now"
	elif ! (suite_root "$1" "$release") >/dev/null; then
		echo "the archive does not give what building for $release needs"
	else
		return 1
	fi
}

# module_newer ARCH KERNEL: the release is newer than the recorded one: whether it builds is for make boards to tell
module_newer() {
	local recorded
	recorded=$(suite_recorded "$2") && [[ $(kernel_release "$1" "$2") != "$recorded"-* ]]
}

# module_line NUMBER ARCH KERNEL [ARG]...: its verdict as a line of TAP
module_line() {
	local n=$1 arch=$2 kernel=$3 start=$SECONDS why
	shift 3
	if why=$(module_excuse "$arch" "$kernel"); then
		echo "ok $n - module for $arch $kernel # SKIP $why"
	elif (module_build "$arch" "$kernel" "$@") >/dev/null; then
		echo "ok $n - module for $arch $(kernel_release "$arch" "$kernel") $* ($((SECONDS - start)) s)"
	elif module_newer "$arch" "$kernel"; then
		echo "ok $n - module for $arch $kernel # SKIP $(kernel_release "$arch" "$kernel") is newer than what is recorded, and does not build"
	else
		echo "not ok $n - module for $arch:$kernel $*"
		return 1
	fi
}

modules_main() {
	local args=() each failed=0 n=0
	if [[ ${1:-} == check ]]; then
		args=(C=2)
		shift
	fi
	# shellcheck disable=SC2086 # words are wanted
	(($#)) || set -- $MODULES_ALL
	echo "TAP version 13"
	echo "1..$#"
	for each; do
		n=$((n + 1))
		module_line "$n" "${each%%:*}" "${each#*:}" "${args[@]}" || failed=1
	done
	((failed == 0))
}

[[ ${BASH_SOURCE[0]} != "$0" ]] || modules_main "$@"
