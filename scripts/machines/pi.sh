# shellcheck shell=bash
# SPDX-License-Identifier: MIT
#
# A Raspberry Pi: QEMU's board, Debian's stock kernels with their own device tree, the V3D at its own address behind the firmware's power
# domain. The userland is a RAM file system; the project and the shared folder travel on the SD card, since these boards have no virtio:
# they are copied in, and the shared folder is copied back. Sourced by pi1.sh, pi2.sh and pi3.sh, which say what differs:
#
#   PI_ARCH	Debian's name of the architecture
#   PI_MACHINE	QEMU's name of the board
#   PI_TREE	the board's tree, below the folder where Debian's kernel has its trees
#   PI_KERNELS	what --kernel takes, beside stock, which is the first of them
#   PI_USERLANDS	what --userland takes
#   PI_CLOCKS	what --clock takes
#   PI_EDITS	of the tree, what QEMU's board has otherwise, a line each: "remove NODE", or "TYPE NODE PROPERTY VALUE..." as fdtput takes it
#   PI_APPEND	what the kernel is told besides

# shellcheck source=scripts/machines/qemu.sh
. "$ROOT/scripts/machines/qemu.sh"
# shellcheck source=scripts/machines/glmark2.sh
. "$ROOT/scripts/machines/glmark2.sh"
# shellcheck source=scripts/machines/modules.sh
. "$ROOT/scripts/machines/modules.sh"
# shellcheck source=scripts/machines/trees.sh
. "$ROOT/scripts/machines/trees.sh"

# The userland: what the project's tests need to run, from Debian bookworm
PI_PACKAGES=(bash coreutils dash diffutils findutils grep kmod libc6 libdrm-tests libdrm2 libgcc-s1 libpng16-16 mawk mount procps sed util-linux zlib1g)
# --userland mesa: Debian's stock Mesa, glmark2, and of piglit what igt-tests/piglit/pi3.testlist needs
PI_MESA_PACKAGES=(libgl1-mesa-dri libegl1 libegl-mesa0 libgles1 libgles2 libgl1 libopengl0 libgbm1 libwaffle-1-0 waffle-utils libxkbcommon0 libvulkan1 libx11-6 libwayland-client0
	libjpeg62-turbo libpng16-16 glmark2-data)
# A line a test: its name, a tab, its command; @ is piglit's folder
PI_PIGLIT=igt-tests/piglit/pi3.testlist
# Stock modules that the board, our module, vc4 and tests want; modprobe knows what these want
PI_MODULES=(ext4 bcm2835 sdhci-iproc bcm2835_wdt gpu-sched drm_dma_helper drm_kms_helper drm_client_lib drm_ttm_helper vc4 vgem)

board_kernels() { echo stock "${PI_KERNELS[@]/#/stock:}"; }
board_drivers() { echo ours mainline none; }
board_userlands() { echo "${PI_USERLANDS[@]}"; }
board_clocks() { echo "${PI_CLOCKS[@]}"; }
# The kernel's own; as Raspberry Pi OS has it, and that with our overlay; the last without display blocks that keep vc4 from binding here
board_trees() { echo stock raspios overlay display; }

board_build() {
	local kernel=${PI_KERNELS[0]}
	[[ $VM_KERNEL == stock ]] || kernel=${VM_KERNEL#stock:}
	PI_RELEASE=$(kernel_release "$PI_ARCH" "$kernel")
	PI_QEMU=$(qemu_build aarch64-softmmu)
	PI_KERNEL=$(artifact "$VM_BOARD-kernel" "$PI_RELEASE-$(pi_key pi_unpack pi_kernel_build pi_trees "${PI_MODULES[*]} $PI_EDITS")" pi_kernel_build "$PI_RELEASE")
	PI_ROOT=$(artifact "$VM_BOARD-root" "$(pi_key pi_root_build "${PI_PACKAGES[*]}")" pi_root_build)
	PI_MESA=
	[[ $VM_USERLAND != mesa ]] || PI_MESA=$(pi_mesa)
	PI_SIM=$(sim_build)
	PI_MODULES_DIR=
	[[ $VM_DRIVER != ours && $VM_TREE != display ]] || PI_MODULES_DIR=$(module_build "$PI_ARCH" "$PI_RELEASE")
}

# pi_key FUNCTION|STRING...: for artifact(), of what this file builds it by
pi_key() {
	local each text
	for each in pi_cpio "$@"; do
		text=$(declare -f "$each") || text=$each
		printf '%s\n' "$text"
	done | key /dev/stdin
}

# pi_unpack RELEASE: the kernel's package. From 7.x on it is three, which hold all of it below the modules' folder, and no symbols
pi_unpack() {
	local suite
	if suite=$(suite_of "$1"); then
		debian_unpack "$PI_ARCH@$suite" image "linux-binary-$1" "linux-modules-$1" "linux-base-$1"
		cp "image/usr/lib/modules/$1/vmlinuz" vmlinuz
		cp "image/usr/lib/modules/$1/dtb/$PI_TREE" stock.dtb
		ln -s usr/lib image/lib
		depmod -b image "$1"
	else
		debian_unpack "$PI_ARCH" image "linux-image-$1"
		cp "image/boot/vmlinuz-$1" vmlinuz
		cp "image/usr/lib/linux-image-$1/$PI_TREE" stock.dtb
		depmod -b image -F "image/boot/System.map-$1" "$1"
	fi
}

# pi_kernel_build DIR RELEASE: kernel, device tree, and a cpio archive of the modules
pi_kernel_build() {
	local release=$2 module
	pi_unpack "$release"
	for module in "${PI_MODULES[@]}"; do
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
	pi_cpio root >modules.cpio
	pi_trees
	rm -rf image root wanted
}

# pi_trees: stock.dtb becomes pi.dtb, the board's edits in it; the second UART, which older boards leave off, is the kernel's.
# mainline.dtb lacks the display blocks that QEMU lacks too, so that the kernel's vc4 binds.
pi_trees() {
	local kind node values
	cp stock.dtb pi.dtb
	while read -r kind node values; do
		case $kind in
		'') ;;
		remove) fdtput -r pi.dtb "$node" ;;
		*)
			# shellcheck disable=SC2086 # a property and its values
			fdtput -t "$kind" pi.dtb "$node" $values
			;;
		esac
	done <<<"$PI_EDITS"
	fdtput -t s pi.dtb /soc/serial@7e215040 status okay
	cp pi.dtb mainline.dtb
	for node in $(fdtget -l stock.dtb /soc | grep -E '^(dsi|dpi|vec|hdmi|txp|pixelvalve)@'); do
		[[ $node == pixelvalve@7e206000 ]] || fdtput -t s mainline.dtb "/soc/$node" status disabled
	done
}

# pi_cpio DIR: a cpio archive of it
pi_cpio() {
	(cd "$1" && find . -mindepth 1 | LC_ALL=C sort | cpio --quiet -o -H newc -R 0:0)
}

# pi_root_build DIR: nothing of it runs here, the packages are only unpacked
pi_root_build() {
	local packages="${PI_PACKAGES[*]}"
	mmdebstrap --mode=root --variant=extract "--arch=$PI_ARCH" --hook-dir=/usr/share/mmdebstrap/hooks/merged-usr \
		--include="${packages// /,}" --aptopt='Acquire::Check-Valid-Until "false"' --aptopt='Acquire::Retries "3"' \
		bookworm root "$(debian_mirror main)"
	rm -rf root/usr/share/{doc,man,info,locale,lintian,bash-completion,zoneinfo,i18n} root/var root/boot
	ln -sf mawk root/usr/bin/awk
	mkdir -p root/{mnt/project,mnt/share,root}
	[[ -c root/dev/console ]] || mknod -m 600 root/dev/console c 5 1
	pi_cpio root >root.cpio
	rm -rf root
}

# pi_mesa: glmark2 counts by its name, not by the folder that it is in, which is this clone's own where CI runs
pi_mesa() {
	local glmark2 key dir
	key=$(pi_key pi_mesa_build pi_piglit_build "$(glmark2_key) ${PI_MESA_PACKAGES[*]}" "$(<"$ROOT/$PI_PIGLIT")")
	dir=$(artifact_folder pi3-mesa "$key")
	if ! artifact_there "$dir"; then
		glmark2=$(glmark2_build arm64)
		artifact pi3-mesa "$key" pi_mesa_build "$glmark2" >/dev/null
	fi
	printf '%s\n' "$dir"
}

# pi_mesa_build DIR GLMARK2: Mesa and what draws with it, over the plain userland
pi_mesa_build() {
	local packages="${PI_MESA_PACKAGES[*]}"
	mmdebstrap --mode=root --variant=extract --arch=arm64 --hook-dir=/usr/share/mmdebstrap/hooks/merged-usr \
		--include="${packages// /,}" --aptopt='Acquire::Check-Valid-Until "false"' --aptopt='Acquire::Retries "3"' \
		bookworm root "$(debian_mirror main)"
	rm -rf root/usr/share/{doc,man,info,locale,lintian,bash-completion,zoneinfo,i18n,X11} root/var root/boot root/dev root/etc/ssl
	rm -rf root/usr/lib/aarch64-linux-gnu/{gconv,perl-base,engines-3} root/usr/{bin,sbin}/*-linux-gnu-*
	install -D "$2/bin/glmark2-es2-gbm" root/usr/bin/
	pi_piglit_build
	# Compressed: the archive and what comes out of it are in memory at the same time, and there is not twice 240 MB
	pi_cpio root | zstd -q -3 -o mesa.cpio.zst
	rm -rf root
}

# pi_piglit_build: from the package of 2 GB, the programs and files that the list's commands name
pi_piglit_build() {
	local piglit=usr/lib/aarch64-linux-gnu/piglit
	(mkdir fetch && cd fetch && debian_fetch arm64 apt-get -qq download piglit)
	grep -v '^#' "$ROOT/$PI_PIGLIT" | cut -f2- | tr ' ' '\n' | sed -n "s|^@/|./$piglit/|p" | sort -u >wanted
	# Libraries, and what programs read of themselves
	printf "./$piglit/%s\n" 'lib/*' 'tests/shaders/*.vert' 'tests/shaders/*.frag' 'tests/spec/oes_compressed_etc1_rgb8_texture/*' >>wanted
	dpkg-deb --fsys-tarfile fetch/piglit_*.deb | tar -C root -x --wildcards --files-from=wanted
	rm -rf fetch wanted
}

# What init-pi is to do
pi_job() {
	local size
	size=$(stty size 2>/dev/null </dev/tty || echo 24 80)
	printf '%s=%q\n' MODULES "/mnt/project/${PI_MODULES_DIR#"$ROOT"/}" DRIVER "$VM_DRIVER" COMMAND "$VM_COMMAND" \
		TERM "${TERM:-dumb}" LINES "${size% *}" COLUMNS "${size#* }"
}

# pi_initrd: the userland, the kernel's modules, process 1 and its job, one after the other
pi_initrd() {
	local dir=$VM_OUT/init
	mkdir "$dir"
	pi_job >"$dir/job"
	install -m 755 "$ROOT/scripts/machines/guest/init-pi" "$dir/init"
	cat "$PI_ROOT/root.cpio" "$PI_KERNEL/modules.cpio" <(pi_cpio "$dir") ${PI_MESA:+"$PI_MESA/mesa.cpio.zst"} >"$VM_OUT/initrd"
	rm -r "$dir"
}

# pi_card: the SD card's image: an ext4 file system, its size a power of two (QEMU's cards are). Of build/ it has what was built for
# this board: build/ARCH, and the modules that are to be loaded.
pi_card() {
	local dir=$VM_OUT/card size=256 need keep=()
	# A build that runs there meanwhile has files that come and go
	[[ -z $PI_MODULES_DIR ]] || keep=("--include=${PI_MODULES_DIR#"$ROOT"}/" "--include=${PI_MODULES_DIR#"$ROOT"}/*.ko"
		"--exclude=${PI_MODULES_DIR#"$ROOT"}/*")
	mkdir -p "$dir/project" "$dir/share"
	rsync -a --include=/build/ --include=/build/modules/ "--include=/build/$PI_ARCH/***" "${keep[@]}" --exclude='/build/*' \
		--exclude='/build/modules/*' --exclude=/.git --exclude='*.o' --exclude='*.cmd' "$ROOT/" "$dir/project/"
	[[ -z $VM_SHARE ]] || rsync -a "$VM_SHARE/" "$dir/share/"
	need=$(($(du -sm "$dir" | cut -f1) * 2 + 128))
	while ((size < need)); do size=$((size * 2)); done
	mke2fs -q -t ext4 -O ^has_journal,^metadata_csum -d "$dir" "$VM_OUT/sd.img" "${size}M" >/dev/null
	rm -rf "$dir"
}

# pi_collect: what came back on the card
pi_collect() {
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

# pi_accel: PI_ACCEL becomes QEMU's arguments about the processor. Threads: with more than one the 6.12 kernel hangs at boot more often
# than not. With a clock of instructions one takes 1 ns; an idle processor waits for the host's clock, as the V3D takes the host's time.
pi_accel() {
	PI_ACCEL=(-accel "tcg,thread=single")
	[[ $VM_CLOCK != instructions ]] || PI_ACCEL+=(-icount "shift=0,sleep=on")
}

# pi_machine ARG...: QEMU, with what every machine has
pi_machine() {
	local tree=pi each globals=() overlays=() memory=cma=128M
	# A RAM file system of any size; drawing takes more contiguous memory than tests do
	[[ $VM_USERLAND != mesa ]] || memory="rootfstype=ramfs cma=256M"
	[[ $VM_DRIVER != mainline && $VM_TREE != display ]] || tree=mainline
	tree=$PI_KERNEL/$tree.dtb
	[[ $VM_TREE == stock ]] || mapfile -t overlays < <(tree_raspios "$tree")
	[[ $VM_TREE == @(stock|raspios) ]] || overlays+=("$ROOT/overlays/bcm2835-v3d.dts")
	tree_overlaid "$VM_OUT/tree.dtb" "$tree" "${overlays[@]}"
	for each in library="$PI_SIM/libv3dsim.so" ${VM_DEVICE//,/ }; do
		globals+=(-global "v3d-sysbus.$each")
	done
	pi_accel
	timeout --foreground -k 10 "$VM_TIMEOUT" "$PI_QEMU" -M "$PI_MACHINE" "${PI_ACCEL[@]}" -nodefaults -no-user-config -no-reboot \
		"${PI_DISPLAY[@]}" -kernel "$PI_KERNEL/vmlinuz" -dtb "$VM_OUT/tree.dtb" -initrd "$VM_OUT/initrd" \
		-append "console=ttyS1,115200 panic=-1 oops=panic $memory rcupdate.rcu_cpu_stall_timeout=60 $PI_APPEND $VM_APPEND" \
		-drive "if=sd,format=raw,file=$VM_OUT/sd.img" "${globals[@]}" "$@" 2>"$VM_OUT/device"
}

# pi_window: PI_DISPLAY becomes QEMU's arguments about what its screen is seen on
pi_window() {
	PI_DISPLAY=(-display none)
	if [[ -n $VM_WINDOW ]]; then
		PI_DISPLAY=(-display "vnc=unix:$VM_OUT/vnc")
		say "its screen: vncviewer $VM_OUT/vnc"
	fi
}

board_boot() {
	local hold out status=0
	pi_initrd
	pi_card
	pi_window
	if [[ -n $VM_COMMAND ]]; then
		# Pipes, for who asks on the first UART for pictures of the screen; held open until QEMU is gone
		mkfifo "$VM_OUT"/{first,monitor}.{in,out}
		exec {hold}<>"$VM_OUT/first.out"
		"$ROOT/scripts/machines/screen" "$VM_OUT" {hold}>&- &
		out=$!
		pi_machine -chardev "pipe,id=first,path=$VM_OUT/first" -serial chardev:first -serial "file:$VM_OUT/dmesg" \
			-chardev "pipe,id=monitor,path=$VM_OUT/monitor" -mon chardev=monitor,mode=control </dev/null || status=$?
		exec {hold}>&-
		wait "$out" || true
		rm -f "$VM_OUT"/{first,monitor}.{in,out}
	else
		pi_machine -chardev "stdio,id=first,signal=off" -serial chardev:first -serial "file:$VM_OUT/dmesg" || status=$?
	fi
	pi_collect
	return "$status"
}
