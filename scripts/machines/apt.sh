# shellcheck shell=bash
# SPDX-License-Identifier: MIT
#
# Debian packages of any architecture, fetched and unpacked beside the host's own dpkg and apt, which stay as they are. Sourced after
# common.sh.
#
#   foreign_apt ARCH TOOL ARG...			apt-get or apt-cache with an index of ARCH alone
#   foreign_unpack ARCH DIR PACKAGE[=VERSION]...	unpacks packages, without what they depend on, into DIR
#
# One index an architecture, asked for only when that architecture is needed: another one's may be inconsistent for an hour.

foreign_sources() {
	local main security
	main=$(debian_mirror main)
	security=$(debian_mirror security)
	cat <<-EOF
		deb $main bookworm main
		deb $main bookworm-updates main
		deb $main bookworm-backports main
		deb $security bookworm-security main
	EOF
}

# foreign_config ARCH DIR
foreign_config() {
	cat <<-EOF
		#clear APT::Architectures;
		#clear APT::Update::Post-Invoke-Success;
		APT::Architecture "$1";
		APT::Architectures { "$1"; };
		APT::Sandbox::User "root";
		Acquire::Check-Valid-Until "false";
		Acquire::Languages "none";
		Acquire::Retries "1";
		Dir::State "$2";
		Dir::State::status "$2/status";
		Dir::Cache "$2/cache";
		Dir::Etc::sourcelist "$2/sources.list";
		Dir::Etc::sourceparts "-";
	EOF
}

# foreign_index ARCH: prints the folder of its index, filled at first use and again after a day. "whole" in it says that nothing was
# missing; a partial one will do (what it lacks is told by name when asked for), and is tried again after an hour.
foreign_index() {
	local dir=$CACHE/apt-$1 lock
	mkdir -p "$dir/lists/partial" "$dir/cache/archives/partial"
	exec {lock}>>"$dir/lock"
	flock "$lock"
	if [[ -z $(find "$dir/whole" -mtime -1 2>/dev/null)$(find "$dir/tried" -mmin -60 2>/dev/null) ]]; then
		rm -f "$dir/whole"
		touch "$dir/status" "$dir/tried"
		foreign_sources >"$dir/sources.list"
		foreign_config "$1" "$dir" >"$dir/apt.conf"
		foreign_update "$1" "$dir"
	fi
	exec {lock}>&-
	printf '%s\n' "$dir"
}

# foreign_update ARCH DIR: asks for the index; more than twice only where there is none from before to go on with
foreign_update() {
	local NETWORK_PAUSES=("${NETWORK_PAUSES[@]}")
	[[ -z $(find "$2/lists" -name '*_Packages*' -print -quit) ]] || NETWORK_PAUSES=(5)
	if patiently "$2/log" foreign_update_try "$2"; then
		touch "$2/whole"
	else
		say "the index of Debian bookworm for $1 is incomplete: $(grep -m 1 '^[EW]:' "$2/log")"
	fi
}

foreign_update_try() { APT_CONFIG=$1/apt.conf timeout 120 apt-get -qq update >"$1/log" 2>&1; }

foreign_apt() {
	local dir
	dir=$(foreign_index "$1")
	shift
	APT_CONFIG=$dir/apt.conf timeout 600 "$@"
}

foreign_unpack() {
	local arch=$1 dir=$2 tmp deb
	shift 2
	tmp=$(mktemp -d "$CACHE/fetch.XXXXXX")
	if ! (cd "$tmp" && foreign_apt "$arch" apt-get -qq download "$@" >log 2>&1); then
		cat "$tmp/log" >&2
		# An index that names what the archive has no longer, or not yet
		! grep -q 'Failed to fetch' "$tmp/log" || rm -f "$CACHE/apt-$arch"/{whole,tried}
		rm -rf "$tmp"
		say "cannot be had for $arch: $*"
		return 1
	fi
	mkdir -p "$dir"
	for deb in "$tmp"/*.deb; do
		dpkg-deb -x "$deb" "$dir"
	done
	rm -rf "$tmp"
}
