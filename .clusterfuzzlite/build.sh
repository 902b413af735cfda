#!/bin/bash
# SPDX-License-Identifier: MIT
#
# The libFuzzer targets of scripts/fuzz, as ClusterFuzzLite and OSS-Fuzz build them: CC, which is clang, CFLAGS, SRC and OUT are theirs.
set -euo pipefail

if [[ ${1-} == --help || -z ${SRC-} || -z ${OUT-} ]]; then
	echo 'Usage: CC=clang SRC=FOLDER OUT=FOLDER .clusterfuzzlite/build.sh: the tree is in SRC/v3d, targets and corpora go to OUT'
	[[ ${1-} == --help ]] && exit 0
	exit 2
fi
cd "$SRC/v3d"
build=$(mktemp -d)
trap 'rm -rf "$build" "$build.log"' EXIT
# What a command says is of interest where it fails
quietly() { "$@" >"$build.log" 2>&1 || { tail -n 40 "$build.log" >&2; exit 1; }; }
quietly meson setup -Digt=disabled "$build"
for name in assembler checker decoder text; do
	quietly ninja -C "$build" "libv3dcl/fuzz/fuzz-$name"
	cp "$build/libv3dcl/fuzz/fuzz-$name" "$OUT/"
	python3 -B -c 'import sys; from importlib.machinery import SourceFileLoader
SourceFileLoader("fuzz", "scripts/fuzz").load_module().unpack(sys.argv[1], sys.argv[2])' "$name" "$build/corpus-$name"
	(cd "$build/corpus-$name" && zip -qr "$OUT/fuzz-${name}_seed_corpus.zip" .)
done
