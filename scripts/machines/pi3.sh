# shellcheck shell=bash
# SPDX-License-Identifier: MIT
#
# The Raspberry Pi 3: QEMU's raspi3b, Debian's stock arm64 kernels with their own device tree, the V3D at its own address behind the
# firmware's power domain. The userland is a RAM file system; the project and the shared folder travel on the SD card, since this
# board has no virtio: they are copied in, and the shared folder is copied back.

# shellcheck source=scripts/machines/qemu.sh
. "$ROOT/scripts/machines/qemu.sh"
# shellcheck source=scripts/machines/glmark2.sh
. "$ROOT/scripts/machines/glmark2.sh"
# shellcheck source=scripts/machines/modules.sh
. "$ROOT/scripts/machines/modules.sh"
# shellcheck source=scripts/machines/trees.sh
. "$ROOT/scripts/machines/trees.sh"

# The userland: what the project's tests need to run, from Debian bookworm for arm64
PI3_PACKAGES=(bash coreutils dash diffutils findutils grep kmod libc6 libdrm-tests libdrm2 libgcc-s1 libpng16-16 mawk mount procps sed util-linux zlib1g)
# --userland mesa: Debian's stock Mesa, glmark2, and of piglit what igt-tests/piglit/pi3.testlist needs
PI3_MESA_PACKAGES=(libgl1-mesa-dri libegl1 libegl-mesa0 libgles1 libgles2 libgl1 libopengl0 libgbm1 libwaffle-1-0 waffle-utils libxkbcommon0 libvulkan1 libx11-6 libwayland-client0
	libjpeg62-turbo libpng16-16 glmark2-data)
# --userland desktop: Debian's stock Mesa, and what shows something with it on the screen
PI3_DESKTOP_PACKAGES=(libgl1-mesa-dri libegl1 libegl-mesa0 libgles2 libgl1 libgbm1 kmscube glmark2-es2-drm glmark2-data weston)
# A line a test: its name, a tab, its command; @ is piglit's folder
PI3_PIGLIT=igt-tests/piglit/pi3.testlist
# Stock modules that the board, our module, vc4 and tests want; modprobe knows what these want
PI3_MODULES=(ext4 bcm2835 sdhci-iproc bcm2835_wdt gpu-sched drm_dma_helper drm_kms_helper drm_client_lib drm_ttm_helper vc4 vgem)

board_kernels() { echo stock stock:6.12 stock:6.12-low stock:6.1 stock:6.1-low stock:7.2 stock:7.3 stock:newest@forky stock:newest@trixie-backports; }
board_drivers() { echo ours mainline none; }
board_userlands() { echo plain mesa desktop; }
board_clocks() { echo real; }
# The kernel's own; as Raspberry Pi OS has it, and that with our overlay; the last without display blocks that keep vc4 from binding here
board_trees() { echo stock raspios overlay display; }

board_build() {
	local kernel=6.12
	[[ $VM_KERNEL == stock ]] || kernel=${VM_KERNEL#stock:}
	PI3_RELEASE=$(kernel_release arm64 "$kernel")
	PI3_QEMU=$(qemu_build aarch64-softmmu)
	PI3_KERNEL=$(artifact pi3-kernel "$PI3_RELEASE-$(pi3_key pi3_unpack pi3_kernel_build pi3_trees "${PI3_MODULES[*]}")" pi3_kernel_build "$PI3_RELEASE")
	PI3_ROOT=$(artifact pi3-root "$(pi3_key pi3_root_build "${PI3_PACKAGES[*]}")" pi3_root_build)
	PI3_MESA=
	case $VM_USERLAND in
	mesa) PI3_MESA=$(pi3_mesa) ;;
	desktop) PI3_MESA=$(artifact pi3-desktop "$(pi3_key pi3_desktop_build "${PI3_DESKTOP_PACKAGES[*]}")" pi3_desktop_build) ;;
	esac
	PI3_SIM=$(sim_build)
	PI3_MODULES_DIR=
	[[ $VM_DRIVER != ours && $VM_TREE != display ]] || PI3_MODULES_DIR=$(module_build arm64 "$PI3_RELEASE")
}

# pi3_key FUNCTION|STRING...: for artifact(), of what this file builds it by
pi3_key() {
	local each text
	for each in pi3_cpio "$@"; do
		text=$(declare -f "$each") || text=$each
		printf '%s\n' "$text"
	done | key /dev/stdin
}

# pi3_unpack RELEASE: the kernel's package. From 7.x on it is three, which hold all of it below the modules' folder, and no symbols
pi3_unpack() {
	local suite
	if suite=$(suite_of "$1"); then
		debian_unpack "arm64@$suite" image "linux-binary-$1" "linux-modules-$1" "linux-base-$1"
		cp "image/usr/lib/modules/$1/vmlinuz" vmlinuz
		cp "image/usr/lib/modules/$1/dtb/broadcom/bcm2837-rpi-3-b.dtb" stock.dtb
		ln -s usr/lib image/lib
		depmod -b image "$1"
	else
		debian_unpack arm64 image "linux-image-$1"
		cp "image/boot/vmlinuz-$1" vmlinuz
		cp "image/usr/lib/linux-image-$1/broadcom/bcm2837-rpi-3-b.dtb" stock.dtb
		depmod -b image -F "image/boot/System.map-$1" "$1"
	fi
}

# pi3_kernel_build DIR RELEASE: kernel, device tree, and a cpio archive of the modules
pi3_kernel_build() {
	local release=$2 module
	pi3_unpack "$release"
	for module in "${PI3_MODULES[@]}"; do
		modprobe -d image -S "$release" --show-depends "$module" || true
	done | awk '$1 == "insmod" { print $2 }' | sort -u >wanted
	while read -r module; do
		module=${module#*image/}
		install -D -m 644 "image/$module" "root/usr/$module"
	done <wanted
	cp "image/lib/modules/$release"/modules.{order,builtin,builtin.modinfo} "root/usr/lib/modules/$release/"
	ln -s usr/lib root/lib
	depmod -b root "$release"
	rm root/lib
	pi3_cpio root >modules.cpio
	pi3_trees
	rm -rf image root wanted
}

# pi3_trees: stock.dtb becomes pi3.dtb, as Raspberry Pi's overlay disable-bt does it: the first UART is a terminal and not the
# Bluetooth chip's (that QEMU lacks). mainline.dtb lacks the display blocks that QEMU lacks too, so that the kernel's vc4 binds.
pi3_trees() {
	local node
	cp stock.dtb pi3.dtb
	fdtput -r pi3.dtb /soc/serial@7e201000/bluetooth
	cp pi3.dtb mainline.dtb
	for node in $(fdtget -l stock.dtb /soc | grep -E '^(dsi|dpi|vec|hdmi|txp|pixelvalve)@'); do
		[[ $node == pixelvalve@7e206000 ]] || fdtput -t s mainline.dtb "/soc/$node" status disabled
	done
}

# pi3_cpio DIR: a cpio archive of it
pi3_cpio() {
	(cd "$1" && find . -mindepth 1 | LC_ALL=C sort | cpio --quiet -o -H newc -R 0:0)
}

# pi3_root_build DIR: nothing of it runs here, the packages are only unpacked
pi3_root_build() {
	local packages="${PI3_PACKAGES[*]}"
	mmdebstrap --mode=root --variant=extract --arch=arm64 --hook-dir=/usr/share/mmdebstrap/hooks/merged-usr \
		--include="${packages// /,}" --aptopt='Acquire::Check-Valid-Until "false"' --aptopt='Acquire::Retries "3"' \
		bookworm root "$(debian_mirror main)"
	rm -rf root/usr/share/{doc,man,info,locale,lintian,bash-completion,zoneinfo,i18n} root/var root/boot
	ln -sf mawk root/usr/bin/awk
	mkdir -p root/{mnt/project,mnt/share,root}
	[[ -c root/dev/console ]] || mknod -m 600 root/dev/console c 5 1
	pi3_cpio root >root.cpio
	rm -rf root
}

# pi3_mesa: glmark2 counts by its name, not by the folder that it is in, which is this clone's own where CI runs
pi3_mesa() {
	local glmark2 key dir
	key=$(pi3_key pi3_mesa_build pi3_piglit_build "$(glmark2_key) ${PI3_MESA_PACKAGES[*]}" "$(<"$ROOT/$PI3_PIGLIT")")
	dir=$(artifact_folder pi3-mesa "$key")
	if ! artifact_there "$dir"; then
		glmark2=$(glmark2_build arm64)
		artifact pi3-mesa "$key" pi3_mesa_build "$glmark2" >/dev/null
	fi
	printf '%s\n' "$dir"
}

# pi3_desktop_build DIR: the same with what shows something on a screen, keyboards' tables for weston included
pi3_desktop_build() {
	local packages="${PI3_DESKTOP_PACKAGES[*]}"
	mmdebstrap --mode=root --variant=extract --arch=arm64 --hook-dir=/usr/share/mmdebstrap/hooks/merged-usr \
		--include="${packages// /,}" --aptopt='Acquire::Check-Valid-Until "false"' --aptopt='Acquire::Retries "3"' \
		bookworm root "$(debian_mirror main)"
	rm -rf root/usr/share/{doc,man,info,locale,lintian,bash-completion,zoneinfo,i18n} root/var root/boot root/dev root/etc/ssl
	rm -rf root/usr/lib/aarch64-linux-gnu/{gconv,perl-base,engines-3} root/usr/{bin,sbin}/*-linux-gnu-*
	pi3_cpio root | zstd -q -3 -o mesa.cpio.zst
	rm -rf root
}

# pi3_mesa_build DIR GLMARK2: Mesa and what draws with it, over the plain userland
pi3_mesa_build() {
	local packages="${PI3_MESA_PACKAGES[*]}"
	mmdebstrap --mode=root --variant=extract --arch=arm64 --hook-dir=/usr/share/mmdebstrap/hooks/merged-usr \
		--include="${packages// /,}" --aptopt='Acquire::Check-Valid-Until "false"' --aptopt='Acquire::Retries "3"' \
		bookworm root "$(debian_mirror main)"
	rm -rf root/usr/share/{doc,man,info,locale,lintian,bash-completion,zoneinfo,i18n,X11} root/var root/boot root/dev root/etc/ssl
	rm -rf root/usr/lib/aarch64-linux-gnu/{gconv,perl-base,engines-3} root/usr/{bin,sbin}/*-linux-gnu-*
	install -D "$2/bin/glmark2-es2-gbm" root/usr/bin/
	pi3_piglit_build
	# Compressed: the archive and what comes out of it are in memory at the same time, and there is not twice 240 MB
	pi3_cpio root | zstd -q -3 -o mesa.cpio.zst
	rm -rf root
}

# pi3_piglit_build: from the package of 2 GB, the programs and files that the list's commands name
pi3_piglit_build() {
	local piglit=usr/lib/aarch64-linux-gnu/piglit
	(mkdir fetch && cd fetch && debian_fetch arm64 apt-get -qq download piglit)
	grep -v '^#' "$ROOT/$PI3_PIGLIT" | cut -f2- | tr ' ' '\n' | sed -n "s|^@/|./$piglit/|p" | sort -u >wanted
	# Libraries, and what programs read of themselves
	printf "./$piglit/%s\n" 'lib/*' 'tests/shaders/*.vert' 'tests/shaders/*.frag' 'tests/spec/oes_compressed_etc1_rgb8_texture/*' >>wanted
	dpkg-deb --fsys-tarfile fetch/piglit_*.deb | tar -C root -x --wildcards --files-from=wanted
	rm -rf fetch wanted
}

# What init-pi3 is to do
pi3_job() {
	local size
	size=$(stty size 2>/dev/null </dev/tty || echo 24 80)
	printf '%s=%q\n' MODULES "/mnt/project/${PI3_MODULES_DIR#"$ROOT"/}" DRIVER "$VM_DRIVER" COMMAND "$VM_COMMAND" \
		TERM "${TERM:-dumb}" LINES "${size% *}" COLUMNS "${size#* }"
}

# pi3_initrd: the userland, the kernel's modules, process 1 and its job, one after the other
pi3_initrd() {
	local dir=$VM_OUT/init
	mkdir "$dir"
	pi3_job >"$dir/job"
	install -m 755 "$ROOT/scripts/machines/guest/init-pi3" "$dir/init"
	cat "$PI3_ROOT/root.cpio" "$PI3_KERNEL/modules.cpio" <(pi3_cpio "$dir") ${PI3_MESA:+"$PI3_MESA/mesa.cpio.zst"} >"$VM_OUT/initrd"
	rm -r "$dir"
}

# pi3_card: the SD card's image: an ext4 file system, its size a power of two (QEMU's cards are). Of build/ it has what was built for
# this board: build/arm64, and the modules that are to be loaded.
pi3_card() {
	local dir=$VM_OUT/card size=256 need keep=()
	# A build that runs there meanwhile has files that come and go
	[[ -z $PI3_MODULES_DIR ]] || keep=("--include=${PI3_MODULES_DIR#"$ROOT"}/" "--include=${PI3_MODULES_DIR#"$ROOT"}/*.ko"
		"--exclude=${PI3_MODULES_DIR#"$ROOT"}/*")
	mkdir -p "$dir/project" "$dir/share"
	rsync -a --include=/build/ --include=/build/modules/ --include='/build/arm64/***' "${keep[@]}" --exclude='/build/*' \
		--exclude='/build/modules/*' --exclude=/.git --exclude='*.o' --exclude='*.cmd' "$ROOT/" "$dir/project/"
	[[ -z $VM_SHARE ]] || rsync -a "$VM_SHARE/" "$dir/share/"
	need=$(($(du -sm "$dir" | cut -f1) * 2 + 128))
	while ((size < need)); do size=$((size * 2)); done
	mke2fs -q -t ext4 -O ^has_journal,^metadata_csum -d "$dir" "$VM_OUT/sd.img" "${size}M" >/dev/null
	rm -rf "$dir"
}

# pi3_collect: what came back on the card
pi3_collect() {
	local image=$VM_OUT/sd.img
	debugfs -R "dump /status $VM_OUT/status" "$image" 2>/dev/null
	debugfs -R "dump /stderr $VM_OUT/stderr" "$image" 2>/dev/null
	[[ -s $VM_OUT/status ]] || rm -f "$VM_OUT/status"
	[[ ! -s $VM_OUT/stderr ]] || cat "$VM_OUT/stderr" >&2
	if [[ -n $VM_SHARE ]]; then
		mkdir "$VM_OUT/back"
		debugfs -R "rdump /share $VM_OUT/back" "$image" 2>/dev/null
		rsync -rlpt "$VM_OUT/back/share/" "$VM_SHARE/"
		rm -rf "$VM_OUT/back"
	fi
	rm -f "$image" "$VM_OUT/initrd"
}

# pi3_machine ARG...: QEMU, with what every machine has. Threads: with more than one the 6.12 kernel hangs at boot more often than not.
pi3_machine() {
	local tree=pi3 each globals=() overlays=() memory=cma=128M
	# A RAM file system of any size; drawing takes more contiguous memory than tests do
	[[ $VM_USERLAND == plain ]] || memory="rootfstype=ramfs cma=256M"
	[[ $VM_DRIVER != mainline && $VM_TREE != display ]] || tree=mainline
	tree=$PI3_KERNEL/$tree.dtb
	[[ $VM_TREE == stock ]] || mapfile -t overlays < <(tree_raspios "$tree")
	[[ $VM_TREE == @(stock|raspios) ]] || overlays+=("$ROOT/overlays/bcm2835-v3d.dts")
	tree_overlaid "$VM_OUT/tree.dtb" "$tree" "${overlays[@]}"
	for each in library="$PI3_SIM/libv3dsim.so" ${VM_DEVICE//,/ }; do
		globals+=(-global "v3d-sysbus.$each")
	done
	timeout --foreground -k 10 "$VM_TIMEOUT" "$PI3_QEMU" -M raspi3b -accel "tcg,thread=single" -nodefaults -no-user-config -no-reboot \
		"${PI3_DISPLAY[@]}" -kernel "$PI3_KERNEL/vmlinuz" -dtb "$VM_OUT/tree.dtb" -initrd "$VM_OUT/initrd" \
		-append "console=ttyS1,115200 panic=-1 oops=panic $memory rcupdate.rcu_cpu_stall_timeout=60" \
		-drive "if=sd,format=raw,file=$VM_OUT/sd.img" "${globals[@]}" "$@" 2>"$VM_OUT/device"
}

# pi3_window: PI3_DISPLAY becomes QEMU's arguments about what its screen is seen on
pi3_window() {
	PI3_DISPLAY=(-display none)
	if [[ -n $VM_WINDOW ]]; then
		PI3_DISPLAY=(-display "vnc=unix:$VM_OUT/vnc")
		say "its screen: vncviewer $VM_OUT/vnc"
	fi
}

board_boot() {
	local hold out status=0
	pi3_initrd
	pi3_card
	pi3_window
	if [[ -n $VM_COMMAND ]]; then
		# Pipes, for who asks on the first UART for pictures of the screen; held open until QEMU is gone
		mkfifo "$VM_OUT"/{first,monitor}.{in,out}
		exec {hold}<>"$VM_OUT/first.out"
		"$ROOT/scripts/machines/screen" "$VM_OUT" {hold}>&- &
		out=$!
		pi3_machine -chardev "pipe,id=first,path=$VM_OUT/first" -serial chardev:first -serial "file:$VM_OUT/dmesg" \
			-chardev "pipe,id=monitor,path=$VM_OUT/monitor" -mon chardev=monitor,mode=control </dev/null || status=$?
		exec {hold}>&-
		wait "$out" || true
		rm -f "$VM_OUT"/{first,monitor}.{in,out}
	else
		pi3_machine -chardev "stdio,id=first,signal=off" -serial chardev:first -serial "file:$VM_OUT/dmesg" || status=$?
	fi
	pi3_collect
	return "$status"
}
