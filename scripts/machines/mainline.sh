# shellcheck shell=bash
# SPDX-License-Identifier: MIT
#
# The checker of the kernel's own vc4 driver, out of Debian's linux-source, for a comparison: built alone, in userspace, behind what
# libv3dcl/validate/tests/bench/ has for a kernel. Sourced after common.sh.

MAINLINE_SOURCE=linux-source-6.12
MAINLINE_FILES=(vc4_validate.c vc4_validate_shaders.c vc4_render_cl.c vc4_packet.h vc4_qpu_defines.h vc4_regs.h)

# mainline_checker OUT: makes the shared object OUT of it
mainline_checker() {
	local version key dir bench=$ROOT/libv3dcl/validate/tests/bench drm
	version=$(debian_version "$MAINLINE_SOURCE")
	key=$(key "=$version" "=$(declare -f mainline_checker_in)")
	dir=$(artifact_folder mainline-checker "$key")
	if ! artifact_there "$dir"; then
		dir=$(artifact mainline-checker "$key" mainline_checker_in "$(debian_package "$MAINLINE_SOURCE")")
	fi
	read -ra drm < <(pkg-config --cflags libdrm)
	gcc -O2 -std=gnu11 -fno-strict-aliasing -w '-DBUG_ON(x)=((void)(x))' -shared -fPIC -I"$dir" -I"$bench/shim" -I"$bench" \
		-I"$ROOT/libv3dcl/validate" -I"$ROOT/uapi" "${drm[@]}" "$dir"/*.c "$bench/mainline.c" -o "$1"
}

# The ABI's header is libdrm's, by the name that the kernel has for it.
mainline_checker_in() {
	local folder=drivers/gpu/drm/vc4
	tar -xf "$2/usr/src/$MAINLINE_SOURCE.tar.xz" --strip-components=5 "${MAINLINE_FILES[@]/#/$MAINLINE_SOURCE/$folder/}"
	mkdir -p uapi/drm
	echo '#include <vc4_drm.h>' >uapi/drm/vc4_drm.h
}
