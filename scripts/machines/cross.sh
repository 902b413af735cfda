# shellcheck shell=bash
# SPDX-License-Identifier: MIT
#
# Where Debian packages for another architecture are built: a Debian 12 of this machine's architecture with cross compilers, and with
# libraries of all three of Raspberry Pis beside each other. What it has is what debian/control asks for, so that dpkg's own check of it
# passes. Sourced after common.sh and suites.sh, whose suite_run() runs a command there.

CROSS_ARCHES='arm64 armhf armel'
CROSS_TOOLS=(build-essential debhelper dh-python dpkg-dev fakeroot meson python3-cffi python3-dev python3-setuptools python3-sphinx)
CROSS_LIBRARIES=(libdrm-dev libpng-dev libpython3-dev pkg-config)

# cross_root: prints the folder in which it is, as root
cross_root() { artifact cross-root "$(key "=$CROSS_ARCHES ${CROSS_TOOLS[*]} ${CROSS_LIBRARIES[*]}" "=$(declare -f cross_root_build)")" cross_root_build; }

# cross_root_build DIR
cross_root_build() {
	local arch tools=("${CROSS_TOOLS[@]}") mirror
	mirror=$(debian_mirror main)
	for arch in $CROSS_ARCHES; do
		tools+=("crossbuild-essential-$arch" "${CROSS_LIBRARIES[@]/%/:$arch}")
	done
	mmdebstrap --mode=root --variant=apt "--architectures=$(dpkg --print-architecture),${CROSS_ARCHES// /,}" \
		--include="$(IFS=,; echo "${tools[*]}")" --aptopt='Acquire::Check-Valid-Until "false"' --aptopt='Acquire::Retries "3"' \
		--dpkgopt='path-exclude=/usr/share/doc/*' --dpkgopt='path-exclude=/usr/share/man/*' --dpkgopt='path-exclude=/usr/share/locale/*' \
		bookworm "$1/root" "$mirror"
	rm -rf "$1"/root/var/{cache/apt,lib/apt/lists}/*
	mkdir "$1/root/build"
}
