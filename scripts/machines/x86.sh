# shellcheck shell=bash
# SPDX-License-Identifier: MIT
#
# The x86 machine: QEMU's q35, the debug kernel, Debian forky's userland, the V3D on PCI shown as a platform device by a shim module.

# shellcheck source=scripts/machines/qemu.sh
. "$ROOT/scripts/machines/qemu.sh"
# shellcheck source=scripts/machines/kernel.sh
. "$ROOT/scripts/machines/kernel.sh"
# shellcheck source=scripts/machines/image.sh
. "$ROOT/scripts/machines/image.sh"

board_kernels() { echo debug; }
board_drivers() { echo ours none; }
board_userlands() { echo plain; }
board_clocks() { echo real instructions; }
board_trees() { echo stock; }

board_build() {
	# Some wait for the network most of the time; others, like the kernel's build, have long parts on one processor. So they run
	# beside it. The same below waits for them, and speaks of their failure.
	(image_build >/dev/null) &
	(qemu_build x86_64-softmmu >/dev/null) &
	(debian_package seabios >/dev/null) &
	(sim_build >/dev/null) &
	X86_KERNEL=$(kernel_build)
	X86_QEMU=$(qemu_build x86_64-softmmu)
	X86_BIOS=$(debian_package seabios)/usr/share/seabios
	X86_IMAGE=$(image_build)
	X86_SIM=$(sim_build)
	x86_modules
	[[ $VM_CLOCK != real ]] || x86_try_kvm
}

# x86_modules: one at a time, as machines that run side by side want the same, and one may read what another would make again
x86_modules() {
	local lock
	mkdir -p "$ROOT/build/modules"
	exec {lock}>>"$ROOT/build/modules/x86.lock"
	flock "$lock"
	X86_MODULES=$(modules_copy x86)
	if [[ $VM_DRIVER != none ]]; then
		modules_make "$X86_MODULES" "$X86_KERNEL/build" "-j$(nproc)"
		[[ $X86_MODULES/signed/altered.ko -nt $X86_MODULES/bcm2835_v3d.ko ]] || x86_signed
	fi
	modules_make "$X86_MODULES/drivers/v3dsim/pci" "$X86_KERNEL/build"
	cp -u "$X86_KERNEL"/modules/kernel/drivers/gpu/drm/{vkms/vkms,vgem/vgem}.ko "$X86_MODULES"
	exec {lock}>&-
}

# x86_signed: for the test of signatures (guest/suites.sh), the module as the kernel wants it, as somebody else signed it, and altered
# after it was signed
x86_signed() {
	local dir=$X86_MODULES/signed module=$X86_MODULES/bcm2835_v3d.ko
	mkdir -p "$dir"
	[[ -f $dir/other.x509 ]] || openssl req -new -x509 -newkey rsa:2048 -nodes -batch -subj /CN=other -days 36500 -outform DER \
		-keyout "$dir/other.pem" -out "$dir/other.x509" 2>/dev/null
	kernel_sign "$X86_KERNEL" "$module" "$dir/ours.ko"
	kernel_sign "$X86_KERNEL" "$module" "$dir/other.ko" "$dir/other"
	# The last, whole or not at all: what is newer than the module need not be signed again
	sed 's/bcm2835_v3d/bcm2835_v3D/' "$dir/ours.ko" | keep "$dir/altered.ko"
}

# x86_machine ARG...: X86_ARGV becomes QEMU's command line, with what every machine has
x86_machine() {
	X86_ARGV=("$X86_QEMU" -M "q35,sata=off,smbus=off,vmport=off" -nodefaults -no-user-config -no-reboot -display none -m 1G
		-smp 2 -L "$X86_BIOS" -L "$(dirname "$X86_QEMU")/firmware" -kernel "$X86_KERNEL/bzImage" "$@")
}

# x86_try_kvm: X86_KVM becomes "works", or why it does not. /dev/kvm may exist and hang, so it must boot our kernel (as far as its
# complaint that it has no root file system) before it is trusted; the verdict is kept until the host is booted anew.
x86_try_kvm() {
	local file=$QUICK_CACHE/kvm boot
	boot=$(</proc/sys/kernel/random/boot_id)
	if [[ $(head -n 1 "$file" 2>/dev/null) != "$boot" ]]; then
		{
			echo "$boot"
			x86_kvm_verdict
		} | keep "$file"
	fi
	X86_KVM=$(sed -n 2p "$file")
}

x86_kvm_verdict() {
	x86_machine -accel kvm -cpu host -serial stdio -append "console=ttyS0 panic=-1 no_timer_check"
	if [[ ! -e /dev/kvm ]]; then
		echo "there is no /dev/kvm"
	elif [[ ! -w /dev/kvm ]]; then
		echo "/dev/kvm is not ours to use"
	elif { timeout -k 2 20 "${X86_ARGV[@]}" </dev/null || true; } 2>/dev/null | grep -a 'Unable to mount root' >/dev/null; then
		echo works
	else
		echo "/dev/kvm does not boot our kernel in 20 s"
	fi
}

# x86_accel: X86_ACCEL becomes QEMU's arguments about the processor. With a clock of instructions one takes 1 ns; sleep=off: QEMU
# does not wait for timers, so that a host that wakes QEMU late does not make time pass.
x86_accel() {
	X86_ACCEL=(-accel kvm -cpu host)
	if [[ $VM_CLOCK == instructions ]]; then
		X86_ACCEL=(-accel "tcg,thread=single" -icount "shift=0,sleep=off" -cpu "max,la57=off")
	elif [[ $X86_KVM != works ]]; then
		say "the processor is emulated, which is several times slower than KVM: $X86_KVM"
		X86_ACCEL=(-accel "tcg,thread=multi" -cpu "max,la57=off")
	fi
}

# What the guest's init-x86 is to do
x86_job() {
	local size
	size=$(stty size 2>/dev/null </dev/tty || echo 24 80)
	printf '%s=%q\n' MODULES "/mnt/project/${X86_MODULES#"$ROOT"/}" DRIVER "$VM_DRIVER" COMMAND "$VM_COMMAND" \
		SHARED "$VM_SHARE" LEAKS "$VM_LEAKS" TERM "${TERM:-dumb}" LINES "${size% *}" COLUMNS "${size#* }"
}

board_boot() {
	local append args=() shared=security_model=none,multidevs=remap
	append="console=ttyS0 root=/dev/vda rw init=/sbin/v3d-init panic=-1 oops=panic no_timer_check cma=128M watchdog_thresh=30"
	append+=" kasan_multi_shot rcupdate.rcu_cpu_stall_timeout=60 random.trust_cpu=on tsc=reliable"
	# Where v3dsim_screen.ko has its frame buffer: memory that is not the kernel's
	append+=" memmap=8M\$0x3f000000"
	x86_job >"$VM_OUT/job"
	x86_accel
	args=("${X86_ACCEL[@]}" -drive "if=virtio,format=raw,snapshot=on,file=$X86_IMAGE" -device virtio-rng-pci -device virtio-serial-pci
		-serial "file:$VM_OUT/dmesg" -append "$append"
		-device "v3d-pci,id=v3d,library=$X86_SIM/libv3dsim.so,threads=1,caches=model${VM_DEVICE:+,$VM_DEVICE}"
		-virtfs "local,path=$ROOT,mount_tag=project,$shared" -virtfs "local,path=$VM_OUT,mount_tag=vm,$shared")
	[[ -z $VM_SHARE ]] || args+=(-virtfs "local,path=$VM_SHARE,mount_tag=share,$shared")
	if [[ -n $VM_COMMAND ]]; then
		x86_boot_command "${args[@]}"
	else
		x86_machine "${args[@]}" -chardev "stdio,id=console,signal=off" -device "virtconsole,chardev=console"
		timeout --foreground -k 10 "$VM_TIMEOUT" "${X86_ARGV[@]}" 2>"$VM_OUT/device"
	fi
}

# COMMAND's output comes through two virtio ports. QEMU opens files by name and cuts them to length 0, so it gets pipes.
x86_boot_command() {
	local stdout stderr out err status=0
	exec {stdout}> >(exec cat)
	out=$!
	exec {stderr}> >(exec cat >&2)
	err=$!
	x86_machine "$@" -chardev "file,id=stdout,path=/dev/fd/$stdout" -device "virtserialport,chardev=stdout,name=stdout" \
		-chardev "file,id=stderr,path=/dev/fd/$stderr" -device "virtserialport,chardev=stderr,name=stderr"
	timeout --foreground -k 10 "$VM_TIMEOUT" "${X86_ARGV[@]}" </dev/null 2>"$VM_OUT/device" || status=$?
	exec {stdout}>&- {stderr}>&-
	wait "$out" "$err" || true
	return "$status"
}
