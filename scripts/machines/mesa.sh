# shellcheck shell=bash
# SPDX-License-Identifier: MIT
#
# Mesa out of Debian's source package, unchanged, with the vc4 driver in it, which Debian's own amd64 build leaves out, and softpipe
# beside it to compare pictures with. No LLVM and no window system: GBM, and EGL without a surface. libglvnd's libEGL and libGL, which
# programs are linked to, find it by with-v3d's settings. Sourced after common.sh.

# shellcheck disable=SC2054 # the commas are meson's
MESA_OPTIONS=(
	-Dgallium-drivers=vc4,swrast -Dvulkan-drivers= -Dplatforms= -Dllvm=disabled
	-Degl=enabled -Dgbm=enabled -Dopengl=true -Dgles1=enabled -Dgles2=enabled -Dglx=disabled -Dglvnd=true -Ddri3=disabled
	-Dgallium-vdpau=disabled -Dgallium-va=disabled -Dgallium-xa=disabled -Dgallium-nine=false -Dgallium-opencl=disabled
	-Dgallium-omx=disabled -Dvideo-codecs= -Dshader-cache=disabled -Dzstd=disabled -Dvalgrind=disabled
	-Dlibunwind=disabled -Dlmsensors=disabled -Dbuild-tests=false -Dtools= -Dosmesa=false
	-Doptimization=2 -Ddebug=false -Db_ndebug=true
)

# mesa_build: prints the folder that Mesa is installed in
mesa_build() {
	local version source key dir
	version=$(debian_version src:mesa)
	key=$(key "=$version" "=$(dpkg --print-architecture)" "=$(declare -f mesa_build_in)" "=${MESA_OPTIONS[*]}")
	dir=$(artifact_folder mesa "$key")
	if ! artifact_there "$dir"; then
		source=$(debian_source mesa)
		artifact mesa "$key" mesa_build_in "$source" >/dev/null
	fi
	printf '%s\n' "$dir"
}

mesa_build_in() {
	local dir=$1 source=$2
	export PATH=/usr/bin:$PATH	# Debian's Python has the modules that the build needs
	meson setup --prefix="$dir/install" --libdir=lib "${MESA_OPTIONS[@]}" obj "$source"
	nice ninja -C obj -j "$(nproc)"
	ninja -C obj install >/dev/null
	mv install/* .
	rm -rf obj install
	# What a real Raspberry Pi 3 fails with this very Mesa
	mkdir share/broadcom-ci
	cp "$source"/src/broadcom/ci/broadcom-rpi3-*.txt share/broadcom-ci/
}
