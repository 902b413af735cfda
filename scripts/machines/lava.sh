# shellcheck shell=bash
# SPDX-License-Identifier: MIT
#
# Debian's lava-dispatcher with what it depends on, unpacked and not installed: its services are of no use here. Sourced after common.sh.
#
#   lava_build			prints the folder that it is in
#   lava_run FOLDER ARG...	lava-run

lava_build() {
	artifact lava "$(key "=$(declare -f lava_build_in)")" lava_build_in
}

lava_build_in() {
	mmdebstrap --mode=root --variant=extract --hook-dir=/usr/share/mmdebstrap/hooks/merged-usr --include=lava-dispatcher,socat \
		--dpkgopt='path-exclude=/usr/share/doc/*' --dpkgopt='path-exclude=/usr/share/locale/*' \
		--aptopt='Acquire::Check-Valid-Until "false"' --aptopt='Acquire::Retries "3"' \
		bookworm "$1/root" "$(debian_mirror main)"
	rm -rf root/{boot,dev,var} root/usr/lib/modules
	[[ -x root/usr/bin/lava-run ]]
}

# By this machine's Python, which is the same Debian's
lava_run() {
	local root=$1/root
	shift
	PATH=$PATH:$root/usr/bin PYTHONPATH=$root/usr/lib/python3/dist-packages LD_LIBRARY_PATH=$root/usr/lib/$(uname -m)-linux-gnu \
		/usr/bin/python3 "$root/usr/bin/lava-run" "$@"
}
