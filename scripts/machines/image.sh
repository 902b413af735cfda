# shellcheck shell=bash
# SPDX-License-Identifier: MIT
#
# The x86 machine's userland: Debian forky as an ext2 image, since its igt-gpu-tools-tests holds the upstream vc4 tests. The i386 build
# of these tests is in it as well: /usr/libexec/igt-gpu-tools-i386, to be run by /usr/local/bin/igt-i386 TEST [ARG...].

IMAGE_SUITE=forky
IMAGE_PACKAGES=igt-gpu-tools-tests,kmod,mount,procps,strace,libdrm2,libpng16-16t64
# What the i386 tests are linked with: the packages igt-gpu-tools and -tests themselves cannot be there twice
IMAGE_I386=libc6,libcairo2,libdrm-amdgpu1,libdrm-nouveau2,libdrm2,libdw1t64,libglib2.0-0t64,libjansson4,libkmod2,liboping0,libpci3
IMAGE_I386+=,libpciaccess0,libpixman-1-0,libudev1,libunwind8,libx11-6,libxext6,libxv1,zlib1g,libpng16-16t64

# image_build: prints the path of the root file system's image. Machines boot it with QEMU's snapshot=on: nothing writes to it.
image_build() {
	local dir
	dir=$(artifact image-x86 "$(key "=$IMAGE_SUITE" "$ROOT"/scripts/machines/{image.sh,guest/image-hook})" image_build_in)
	printf '%s/root.ext2\n' "$dir"
}

image_build_in() {
	local i386=${IMAGE_I386//,/:i386,}:i386 mirror
	mirror=$(debian_mirror main)
	# forky is not released: its Release files may be past their date on a mirror that lags behind
	mmdebstrap --mode=root --variant=essential --architectures=amd64,i386 --include="$IMAGE_PACKAGES,$i386" \
		--aptopt='Acquire::Check-Valid-Until "false"' --aptopt='Acquire::Retries "3"' --dpkgopt='path-exclude=/usr/share/doc/*' \
		--dpkgopt='path-exclude=/usr/share/man/*' --dpkgopt='path-exclude=/usr/share/locale/*' \
		--customize-hook="'$ROOT/scripts/machines/guest/image-hook' \"\$1\"" "$IMAGE_SUITE" root "$mirror"
	# Nothing is kept of what a machine writes there, and the kernel's ext2 is a tenth of ext4
	mke2fs -q -t ext2 -d root root.ext2 "$(($(du -sm root | cut -f1) * 5 / 4 + 128))M"
	rm -rf root
}
