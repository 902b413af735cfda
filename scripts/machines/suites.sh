# shellcheck shell=bash
# SPDX-License-Identifier: MIT
#
# Kernels that Debian has outside of bookworm. The module is built for each in a root of its own suite, with the compiler and the build
# tools that the suite has for it, as on a machine that runs it. Sourced after common.sh.
#
#   suite_of RELEASE			prints the suite that a release is of; fails for bookworm's
#   suite_release ARCH SERIES		prints the release that 7.2 or 7.3 means; fails if Debian has none
#   suite_newest ARCH SUITE		prints the newest there
#   suite_root ARCH RELEASE		prints the root to build for it in
#   suite_modules NAME ROOT RELEASE ARG...	as modules_build, in such a root

# suite_recorded SERIES: the release that is known to build. What Debian uploads after it is "make boards"' business: only when this one
# is gone from the archive, and was never fetched, the newest takes its place.
suite_recorded() {
	case $1 in
	7.2) echo 7.2.12+deb14 ;;
	7.3) echo 7.3.4+deb13 ;;
	*) return 1 ;;
	esac
}

suite_of() {
	case $1 in
	*+deb14-*) echo forky ;;
	*+deb13-*) echo trixie-backports ;;
	*) return 1 ;;
	esac
}

# suite_releases ARCH SUITE: those with headers, oldest first
suite_releases() {
	debian_apt "$1@$2" apt-cache search --names-only "^linux-headers-[0-9.]+\\+deb[0-9]+-$(kernel_flavour "$1")\$" |
		sed -n 's/^linux-headers-\([^ ]*\) .*/\1/p' | sort -V
}

suite_newest() { suite_releases "$1" "$2" | tail -n 1 | grep .; }

suite_release() {
	local wanted found
	wanted=$(suite_recorded "$2")-$(kernel_flavour "$1") || return 1
	if ! artifact_there "$(suite_root_folder "$1" "$wanted")"; then
		found=$(suite_releases "$1" "$(suite_of "$wanted")")
		if ! grep -qxF "$wanted" <<<"$found"; then
			say "Debian has $wanted no longer"
			wanted=$(grep "^${2//./\\.}\\." <<<"$found" | tail -n 1 | grep .) || return 1
		fi
	fi
	printf '%s\n' "$wanted"
}

# What building needs of the suite, beside the headers, which bring their compiler. Nothing is configured: it is only unpacked.
SUITE_PACKAGES=bash,coreutils,dash,diffutils,findutils,gawk,grep,make,mawk,perl-base,sed,sparse

suite_root_folder() { artifact_folder "root-$1" "$2-$(key "=$SUITE_PACKAGES" "=$(declare -f suite_root_build)")"; }

suite_root() {
	local folder
	folder=$(suite_root_folder "$1" "$2")
	folder=${folder##*/"root-$1-"}
	artifact "root-$1" "$folder" suite_root_build "$1" "$2" "$(suite_of "$2")"
}

# suite_root_build DIR ARCH RELEASE SUITE
suite_root_build() {
	local host mirror lines
	host=$(dpkg --print-architecture)
	mirror=$(debian_mirror main)
	mapfile -t lines < <(suite_sources "$4" "$mirror")
	# A mirror may be behind, and forky has no date that holds
	mmdebstrap --mode=root --variant=extract --architectures="$host,$2" --hook-dir=/usr/share/mmdebstrap/hooks/merged-usr \
		--include="$SUITE_PACKAGES,linux-headers-$3:$2" --aptopt='Acquire::Check-Valid-Until "false"' \
		--aptopt='Acquire::Retries "3"' --dpkgopt='path-exclude=/usr/share/doc/*' --dpkgopt='path-exclude=/usr/share/man/*' \
		--dpkgopt='path-exclude=/usr/share/locale/*' "${4%-backports}" "$1/root" "${lines[@]}"
	ln -sf mawk "$1/root/usr/bin/awk"
	mkdir -p "$1/root/build"
}

# suite_run ROOT FOLDER COMMAND...: FOLDER is /build there; what is mounted goes with the command
suite_run() {
	# shellcheck disable=SC2016 # for the inner shell to expand
	unshare -m bash -euc 'root=$1 folder=$2; shift 2
		mount --bind "$folder" "$root/build"; mount --bind /proc "$root/proc"; mount --bind /dev "$root/dev"
		exec chroot "$root" /usr/bin/env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C "$@"' - "$@"
}

suite_modules() {
	local dir root=$2/root release=$3
	dir=$(modules_copy "$1")
	shift 3
	suite_run "$root" "$dir" make -C "/usr/src/linux-headers-$release" M=/build "$@" modules >"$dir.log" 2>&1 </dev/null ||
		{ tail -n 30 "$dir.log" >&2; die "modules failed, see $dir.log"; }
	printf '%s\n' "$dir"
}
