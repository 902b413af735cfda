# shellcheck shell=bash
# SPDX-License-Identifier: MIT
#
# The upstream IGT programs for vc4, Debian forky's, out of the x86 machine's userland, with the libraries that they need. Sourced after
# common.sh and image.sh.

IGT_TESTS=/usr/libexec/igt-gpu-tools/vc4
IGT_LIBRARIES=/usr/lib/x86_64-linux-gnu

# igt_build: prints the folder that has both
igt_build() {
	local image
	image=$(image_build)
	artifact igt-vc4 "$(key "=$image" "=$(declare -f igt_build_in)")" igt_build_in "$image"
}

igt_build_in() {
	local image=$2
	mkdir tests libraries
	debugfs -R "rdump $IGT_TESTS tests" "$image"
	debugfs -R "rdump $IGT_LIBRARIES libraries" "$image"
	mv "libraries/${IGT_LIBRARIES##*/}"/* libraries/
	mv "tests/${IGT_TESTS##*/}"/* tests/
	chmod +x tests/* libraries/ld-linux-*
	[[ -x tests/vc4_create_bo && -x libraries/ld-linux-x86-64.so.2 ]]
}
