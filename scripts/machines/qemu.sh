# shellcheck shell=bash
# SPDX-License-Identifier: MIT
#
# QEMU out of Debian's source, with the V3D in it. One source preparation for all targets: the device's files and drivers/v3dsim's
# header are copied to hw/misc/v3dsim, patches/*.patch applied in order, qemu/devices/TARGET.mak says which devices it has.

QEMU_DEVICE=$ROOT/drivers/v3dsim/qemu

# qemu_build TARGET: prints the path of qemu-system-* for x86_64-softmmu, aarch64-softmmu, ...
# At run time it needs libv3dsim.so: a V3D property library=PATH, or LD_LIBRARY_PATH. A change of the simulator rebuilds nothing.
qemu_build() {
	local target=$1 source version dir files key
	version=$(debian_version src:qemu)
	files=("$QEMU_DEVICE"/*.[ch] "$QEMU_DEVICE"/{meson.build,Kconfig} "$QEMU_DEVICE"/patches/*.patch
		"$QEMU_DEVICE/devices/$target.mak" "$ROOT/drivers/v3dsim/v3dsim.h")
	key=$(key "=$version" "=$(declare -f qemu_build_in qemu_precompile)" "${files[@]}")
	dir=$(artifact_folder "qemu-$target" "$key")
	if ! artifact_there "$dir"; then
		source=$(debian_source qemu)
		dir=$(artifact "qemu-$target" "$key" qemu_build_in "$target" "$source")
	fi
	printf '%s/qemu-system-%s\n' "$dir" "${target%-softmmu}"
}

qemu_build_in() {
	local dir=$1 target=$2 source=$3 patch
	cp -a "$source" src
	mkdir src/hw/misc/v3dsim
	cp "$QEMU_DEVICE"/*.[ch] "$QEMU_DEVICE"/{meson.build,Kconfig} "$ROOT/drivers/v3dsim/v3dsim.h" src/hw/misc/v3dsim
	for patch in "$QEMU_DEVICE"/patches/*.patch; do
		patch -d src -p1 <"$patch"
	done
	cp "$QEMU_DEVICE/devices/$target.mak" "src/configs/devices/$target/v3d.mak"
	# What emulates the CPU is worth the compiler's time, all else is not
	sed -i "s/c_args = \['-DNEED_CPU_H',/& '-O2',/" src/meson.build
	mkdir obj
	cd obj || exit
	../src/configure --meson=/usr/bin/meson --without-default-features --without-default-devices \
		"--target-list=$target" "--with-devices-${target%-softmmu}=v3d" --enable-tcg --enable-kvm --enable-fdt=system \
		--enable-attr --enable-cap-ng --enable-virtfs --enable-vnc --disable-docs --disable-tools --disable-guest-agent \
		--disable-werror --disable-debug-info --enable-trace-backends=nop -Doptimization=1 --extra-cflags=-Wno-invalid-pch
	qemu_precompile "$target"
	nice ninja -j "$(nproc)" "qemu-system-${target%-softmmu}"
	cp "qemu-system-${target%-softmmu}" "$dir/"
	mkdir "$dir/firmware"
	if [[ $target == x86_64-softmmu ]]; then
		make -C pc-bios/optionrom
		cp pc-bios/optionrom/*.bin "$dir/firmware/"
	fi
	cd "$dir" || exit
	rm -rf src obj
}

# qemu_precompile TARGET: the header that each of QEMU's files begins with, compiled once for what is of the target and once for all
# else (a thousand files, most of them small: it takes 30 % off the time of all)
qemu_precompile() {
	local header=../src/include/qemu/osdep.h
	ninja config-poison.h
	mkdir "$header.gch"
	python3 - "$header" libqom.fa.p/qom_object.c.o "libqemu-$1.fa.p/accel_tcg_tcg-all.c.o" <<-'EOF'
		import json, shlex, subprocess, sys
		header, *outputs = sys.argv[1:]
		for entry in json.load(open('compile_commands.json')):
		    if entry['output'] in outputs:
		        command = shlex.split(entry['command'])
		        name = f'{header}.gch/{outputs.index(entry["output"])}'
		        subprocess.run(command[:command.index('-MD')] + ['-x', 'c-header', '-o', name, header], check=True)
	EOF
}
