# shellcheck shell=bash
# SPDX-License-Identifier: MIT
#
# The debug kernel of the x86 machine, out of Debian's linux-source-6.12, with kernel.config (all else off) and kernel.Kconfig.

KERNEL_SOURCE=linux-source-6.12

# kernel_build: prints a folder with bzImage, modules/ (what is not built in), and build/, which external modules build against
kernel_build() {
	local version files key dir
	version=$(debian_version "$KERNEL_SOURCE")
	files=("$ROOT"/scripts/machines/kernel.{config,Kconfig})
	key=$(key "=$version" "=$(gcc -dumpfullversion)" "=$(declare -f kernel_build_in kernel_prune)" "${files[@]}")
	dir=$(artifact_folder kernel-debug "$key")
	if ! artifact_there "$dir"; then
		dir=$(artifact kernel-debug "$key" kernel_build_in "$(debian_package "$KERNEL_SOURCE")")
	fi
	printf '%s\n' "$dir"
}

kernel_build_in() {
	local dir=$1 package=$2 machines=$ROOT/scripts/machines make
	tar -xf "$package/usr/src/$KERNEL_SOURCE.tar.xz"
	cat "$KERNEL_SOURCE/Kconfig" "$machines/kernel.Kconfig" >Kconfig
	mkdir build
	make=(make -C "$KERNEL_SOURCE" "O=$dir/build" "KBUILD_KCONFIG=$dir/Kconfig" KBUILD_BUILD_USER=v3d KBUILD_BUILD_HOST=v3d)
	"${make[@]}" "KCONFIG_ALLCONFIG=$machines/kernel.config" allnoconfig
	"${make[@]}" olddefconfig
	kernel_config_assert "$machines/kernel.config" build/.config
	nice "${make[@]}" "-j$(nproc)" bzImage modules
	cp build/arch/x86/boot/bzImage bzImage
	"${make[@]}" "INSTALL_MOD_PATH=$dir/install" DEPMOD=true modules_install
	mv install/lib/modules/* modules
	kernel_prune "$dir"
}

# Each option asked for is there: Kconfig drops silently what lacks a dependency
kernel_config_assert() {
	local line name failed=0
	while read -r line; do
		case $line in
		CONFIG_*=*)
			grep -qxF -- "$line" "$2" || { echo "kernel.config: $line did not survive" >&2; failed=1; }
			;;
		"# CONFIG_"*" is not set")
			name=${line#\# } name=${name% is not set}
			! grep -q "^$name=" "$2" || { echo "kernel.config: $name is set" >&2; failed=1; }
			;;
		esac
	done <"$1"
	return "$failed"
}

# External modules need headers, scripts, tools/objtool and Module.symvers, at the place they were built for: the folder that
# artifact() will rename this one to, so the paths in the two generated Makefiles are mended. The objects and most of the source go.
kernel_prune() {
	local dir=$1 final=${1%.tmp}
	find build \( -name '*.o' -o -name '*.a' -o -name '*.cmd' -o -name 'vmlinux*' -o -name '*.order' \) -type f \
		! -path '*/scripts/*' ! -path '*/tools/*' -delete
	find "$KERNEL_SOURCE" -type f -regextype egrep ! -regex "$KERNEL_SOURCE/(Makefile|Kbuild|(arch/x86|include|scripts|tools)/.*)" \
		! -name Kconfig\* ! -name 'Makefile*' -delete
	find "$KERNEL_SOURCE" -type d -empty -delete
	rm -rf install build/source
	ln -s "$final/$KERNEL_SOURCE" build/source
	grep -rlF --include=Makefile --include='*.mk' "$dir/" build/Makefile build/include build/scripts | xargs -r sed -i "s|$dir/|$final/|g"
}

# kernel_sign KERNEL MODULE OUT [KEY]: OUT is MODULE, signed with the key that was made with the kernel, or with KEY.pem and KEY.x509
kernel_sign() {
	local key=${4:-$1/build/certs/signing_key}
	"$1/build/scripts/sign-file" sha256 "$key.pem" "$key.x509" "$2" "$3"
}

# kernel_checkpatch: prints the path of the kernel's checkpatch.pl, for scripts/check
kernel_checkpatch() {
	local version key dir
	version=$(debian_version "$KERNEL_SOURCE")
	key=$(key "=$version")
	dir=$(artifact_folder checkpatch "$key")
	if ! artifact_there "$dir"; then
		dir=$(artifact checkpatch "$key" kernel_checkpatch_in "$(debian_package "$KERNEL_SOURCE")")
	fi
	printf '%s/checkpatch.pl\n' "$dir"
}

kernel_checkpatch_in() {
	tar -xf "$2/usr/src/$KERNEL_SOURCE.tar.xz" --strip-components=2 "$KERNEL_SOURCE"/scripts/{checkpatch.pl,spelling.txt,const_structs.checkpatch}
}
