# shellcheck shell=bash
# SPDX-License-Identifier: MIT
#
# Debian bookworm's archive: source packages, and binary packages of any architecture, fetched and unpacked beside the host's own dpkg
# and apt, which stay as they are. Sourced by common.sh.
#
#   debian_version PACKAGE|src:PACKAGE		prints the version that is used
#   debian_source PACKAGE			prints a folder with the unpacked, patched source
#   debian_package PACKAGE			prints a folder with a package's content, for this machine's architecture
#   debian_apt INDEX TOOL ARG...		apt-get or apt-cache with an index: of an architecture alone, "source", or ARCH@SUITE of
#					another suite than bookworm
#   debian_unpack ARCH DIR PACKAGE[=VERSION]...	unpacks packages, without what they depend on, into DIR
#   patiently LOG COMMAND...			again and again while the archive is the reason that it fails
#
# An archive in the middle of a sync has an index that is incomplete, for an hour at worst, and not for all architectures: so there is
# one index an architecture, asked for only when it is needed. What needs it waits for some minutes; then the last good copy serves,
# where there is one, else what has come of it: what that lacks is told by name.

# What a fault of the archive or of the network says, which is worth another try
NETWORK_FAULT='Mirror sync in progress|Hash Sum mismatch|File has unexpected size|Failed to fetch|Unable to fetch some archives'
NETWORK_FAULT+='|Some index files failed to download|Temporary failure resolving|Could not connect'
NETWORK_FAULT+='|Connection (failed|timed out|reset)|(502|503|504) '
# Seconds before the second try, the third, ...: eight minutes in all, of which the first NETWORK_SHORT make one and a half. Longer is
# of no use: seen, for a day, an index whose security suite alone was not to be had
NETWORK_PAUSES=(5 20 60 120 300)
NETWORK_SHORT=3

# patiently LOG COMMAND...: runs it; again after a pause, and so on, as long as it fails and LOG names a fault of the network's
patiently() {
	local log=$1 pause status=0
	shift
	for pause in "${NETWORK_PAUSES[@]}" ''; do
		status=0
		"$@" || status=$?
		((status)) && [[ -n $pause ]] && grep -qE "$NETWORK_FAULT" "$log" || break
		say "$(grep -oE "$NETWORK_FAULT" "$log" | head -n 1): trying again in $pause s"
		sleep "$pause"
	done
	return "$status"
}

# debian_mirror main|security: where this machine's own apt gets Debian 12 from
debian_mirror() {
	local suite=bookworm uri
	[[ $1 == main ]] || suite=bookworm-security
	# shellcheck disable=SC2016 # apt's own placeholders
	uri=$(apt-get indextargets --format '$(REPO_URI) $(RELEASE)' 'Created-By: Packages' | sed -n "s|/* $suite\$||p" | head -n 1)
	[[ -n $uri ]] || die "this machine's apt sources have no $suite: it must be a Debian 12"
	printf '%s\n' "$uri"
}

# index_sources NAME: the index "source" has this machine's binary packages too, and none of the backports
index_sources() {
	local main security each types=deb
	main=$(debian_mirror main)
	if [[ $1 == *@* ]]; then
		suite_sources "${1#*@}" "$main"
		return
	fi
	security=$(debian_mirror security)
	[[ $1 != source ]] || types='deb deb-src'
	for each in $types; do
		printf '%s %s main\n' "$each $main" bookworm "$each $main" bookworm-updates "$each $security" bookworm-security
	done
	[[ $1 == source ]] || printf 'deb %s bookworm-backports main\n' "$main"
}

# suite_sources SUITE MIRROR: backports go with the suite that they are for
suite_sources() {
	[[ $1 != *-backports ]] || printf 'deb %s %s main\n' "$2" "${1%-backports}"
	printf 'deb %s %s main\n' "$2" "$1"
}

# index_config NAME DIR
index_config() {
	local arch=${1%@*}
	[[ $1 != source ]] || arch=$(dpkg --print-architecture)
	cat <<-EOT
		#clear APT::Architectures;
		#clear APT::Update::Post-Invoke-Success;
		APT::Architecture "$arch";
		APT::Architectures { "$arch"; };
		APT::Sandbox::User "root";
		APT::Update::Error-Mode "any";
		Acquire::Check-Valid-Until "false";
		Acquire::Languages "none";
		Acquire::Retries "1";
		Dir::State "$2";
		Dir::State::status "$2/status";
		Dir::Cache "$2/cache";
		Dir::Etc::sourcelist "$2/sources.list";
		Dir::Etc::sourceparts "-";
	EOT
}

# debian_index NAME: prints the folder of an index. It is asked for at first use, again after a day, and after an hour if something was
# missing: "whole" in it says that nothing was.
debian_index() {
	local dir=$QUICK_CACHE/apt-$1 lock
	mkdir -p "$dir/lists/partial" "$dir/cache/archives/partial"
	exec {lock}>>"$dir/lock"
	flock "$lock"
	# Its apt.conf has absolute paths: in a copy of another folder they are not these
	grep -qsxF "Dir::State \"$dir\";" "$dir/apt.conf" || rm -f "$dir"/{whole,tried}
	if [[ -z $(find "$dir/whole" -mtime -1 2>/dev/null)$(find "$dir/tried" -mmin -60 2>/dev/null) ]]; then
		rm -f "$dir/whole"
		touch "$dir/status"
		index_sources "$1" >"$dir/sources.list"
		index_config "$1" "$dir" >"$dir/apt.conf"
		index_update "$1" "$dir" "$CACHE/index-$1"
		touch "$dir/tried"
	fi
	exec {lock}>&-
	printf '%s\n' "$dir"
}

# index_update NAME DIR GOOD: asks the archive; GOOD is the last good copy, or will be
index_update() {
	local pauses=("${NETWORK_PAUSES[@]}")
	local NETWORK_PAUSES=("${pauses[@]:0:NETWORK_SHORT}") status=0
	patiently "$2/log" index_try "$2" || status=$?
	if ((status)) && [[ ! -d $3 ]] && index_lacks_base "$2/log"; then
		NETWORK_PAUSES=("${pauses[@]:NETWORK_SHORT}")
		status=0
		patiently "$2/log" index_try "$2" || status=$?
	fi
	if ((!status)); then
		touch "$2/whole"
		index_keep "$2/lists" "$3"
		return
	fi
	say "the index of Debian bookworm ($1) is incomplete: $(grep -m 1 '^[EW]:' "$2/log")"
	if [[ -d $3 ]]; then
		say "that of $(date -r "$3" '+%F %R') serves instead"
		rm -rf "$2/lists"
		cp -a "$3" "$2/lists"
	fi
}

# index_lacks_base LOG: more was not to be had than the security suite, whose packages the base has in an older version
index_lacks_base() {
	grep '^E: Failed to fetch' "$1" | grep -qv -e '-security/' || ! grep -q '^E: Failed to fetch' "$1"
}

index_try() {
	APT_CONFIG=$1/apt.conf timeout 300 apt-get -qq update >"$1/log" 2>&1 || {
		local status=$?
		((status != 124)) || echo 'E: Connection timed out' >>"$1/log"
		return "$status"
	}
}

# index_keep LISTS GOOD: GOOD becomes a copy of LISTS, as whole. Another clone may do the same.
index_keep() {
	local new lock
	new=$(mktemp -d "$2.XXXXXX")
	cp -a "$1/." "$new/"
	touch "$new"
	exec {lock}>>"$2.lock"
	flock "$lock"
	rm -rf "$2"
	mv -T "$new" "$2"
	exec {lock}>&-
}

debian_apt() {
	local dir
	dir=$(debian_index "$1")
	shift
	APT_CONFIG=$dir/apt.conf timeout 1200 "$@"
}

# debian_fetch INDEX apt-get ARG...: the same; an index that names what the archive has no longer, or not yet, is asked for anew
debian_fetch() {
	local log status=0
	log=$(mktemp)
	debian_apt "$@" 2>&1 | tee "$log" || status=$?
	if ((status)) && grep -q 'Failed to fetch' "$log"; then
		rm -f "$QUICK_CACHE/apt-$1"/{whole,tried}
	fi
	rm -f "$log"
	return "$status"
}

# debian_version: the newest there was when it was first asked for. It stays the same from then on (delete $QUICK_CACHE/version-* to
# look again), so that a second run needs no network.
debian_version() {
	local name=${1#src:} file=$QUICK_CACHE/version-${1//:/-} version
	if [[ ! -s $file ]]; then
		if [[ $1 == src:* ]]; then
			version=$(debian_apt source apt-cache showsrc "$name" | sed -n 's/^Version: //p' | sort -V | tail -n 1)
		else
			version=$(debian_apt source apt-cache show --no-all-versions "$name" | sed -n 's/^Version: //p')
		fi
		[[ -n $version ]] || die "Debian has no $1?"
		keep "$file" <<<"$version"
	fi
	cat "$file"
}

debian_source() {
	local version dir
	version=$(debian_version "src:$1")
	dir=$(artifact "source-$1" "${version//[^a-z0-9.+]/_}" debian_source_build "$1" "$version")
	printf '%s/source\n' "$dir"
}

debian_source_build() {
	debian_fetch source apt-get -q source --download-only "$2=$3"
	dpkg-source --no-check -x ./*.dsc source
	rm -f ./*.dsc ./*.tar.* ./*.asc
}

debian_package() {
	local version
	version=$(debian_version "$1")
	artifact "package-$1" "${version//[^a-z0-9.+]/_}" debian_package_build "$1" "$version"
}

debian_package_build() {
	debian_fetch source apt-get -q download "$2=$3"
	dpkg-deb -x ./*.deb .
	rm -f ./*.deb
}

debian_unpack() {
	local arch=$1 dir=$2 tmp deb
	shift 2
	tmp=$(mktemp -d "$QUICK_CACHE/fetch.XXXXXX")
	if ! (cd "$tmp" && debian_fetch "$arch" apt-get -qq download "$@" >&2); then
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
