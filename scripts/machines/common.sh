# shellcheck shell=bash
# SPDX-License-Identifier: MIT
#
# What all machines share. Sourced by scripts/vm after "set -euo pipefail" and ROOT (the project's folder).
#
# The contract of a board file, scripts/machines/BOARD.sh. It is sourced, and defines
#
#   board_kernels		prints the kernels it can boot, the default one first ("debug", "stock")
#   board_drivers		prints what --driver may be, the default first ("ours", "mainline", "none")
#   board_userlands		prints what --userland may be, the default first ("plain", "mesa")
#   board_trees			prints what --tree may be, the default first ("stock")
#   board_build			sees to it that all is there: QEMU (qemu_build, qemu.sh), kernel, userland, libv3dsim (sim_build),
#				modules (modules_build). Slow things go through artifact().
#   board_boot			boots, runs VM_COMMAND in the guest by guest/run and returns. What it leaves in $VM_OUT:
#				  dmesg   the kernel's log, console and all
#				  status  the exit status of COMMAND, one number; no file if the guest did not get that far
#				  device  QEMU's own standard error: what the V3D says (faults, "v3d: stat NAME VALUE" at exit)
#				COMMAND's standard output goes to standard output as it comes; scripts/vm tees it to $VM_OUT/stdout.
#				It returns 124 if it had to stop the machine after VM_TIMEOUT, else 0: scripts/vm judges the rest.
#
# given these variables, all set before board_build:
#
#   ROOT, CACHE		the project, and the user's cache: CACHE holds finished artifacts only
#   QUICK_CACHE			where what is made in less than two minutes is kept: CACHE too, or with CI=true a folder of this clone
#   VM_BOARD, VM_KERNEL, VM_DRIVER, VM_USERLAND, VM_TREE	as on the command line
#   VM_SHARE			an existing folder, absolute, or empty; /mnt/share in the guest
#   VM_COMMAND		one string for bash -c in the guest, whose working folder is /mnt/project; empty: a shell on the terminal
#   VM_LEAKS			y, or empty: guest/run is called with --no-leak-scan as its first argument
#   VM_TIMEOUT		seconds, 0 for no limit
#   VM_APPEND		what the kernel is told besides, or empty
#   VM_OUT			build/vm/NAME, exists and is empty
#   VM_DEVICE			properties of the V3D: "threads=1,caches=model,..." for -device or (as -global) for the board's own

CACHE=${XDG_CACHE_HOME:-$HOME/.cache}/v3d
# What takes longer than two minutes on two processors. CI reads nothing else of the user's cache: what a new machine would have to make
# or to fetch, it makes and fetches each time.
SLOW_ARTIFACTS=' qemu-x86_64-softmmu qemu-aarch64-softmmu kernel-debug mesa image-x86 pi3-root pi3-mesa pi3-desktop cross-root '
QUICK_CACHE=$CACHE
[[ ${CI:-} != true ]] || QUICK_CACHE=$ROOT/build/cache
mkdir -p "$CACHE/log" "$QUICK_CACHE"

say() { printf '%s: %s\n' "${VM_BOARD:-machines}" "$*" >&2; }
die() { say "$*"; exit 1; }

# key FILE|=STRING...: a short hash of the files' bytes and the strings
key() {
	local x
	for x in "$@"; do
		if [[ $x == =* ]]; then
			printf '%s\n' "$x"
		else
			cat -- "$x"
		fi
	done | sha256sum | cut -c1-12
}

# keep FILE: makes it of standard input, whole or not at all, although another shell of the same process does the same
keep() {
	local new
	new=$(mktemp "$1.XXXXXX")
	cat >"$new"
	mv "$new" "$1"
}

# ticker NAME LOG PID: a line now and then, as long as PID lives
ticker() {
	local start=$SECONDS
	while sleep 10 && kill -0 "$3" 2>/dev/null; do
		say "$1: $((SECONDS - start)) s: $(tail -n 1 "$2" | tr -dc '[:print:]' | cut -c1-90)"
	done
}

# artifact_folder NAME KEY: where an artifact is, or will be
artifact_folder() {
	local cache=$QUICK_CACHE
	[[ $SLOW_ARTIFACTS != *" $1 "* ]] || cache=$CACHE
	printf '%s/%s-%s\n' "$cache" "$1" "$2"
}

# artifact_there FOLDER: it is whole, and stands where it was built. Kernels' build folders, meson's and apt's hold absolute paths: what
# came here as a copy of another folder would work until that folder is gone.
artifact_there() { [[ -f $1/built-at && $(<"$1/built-at") == "$1" ]]; }

# artifact NAME KEY BUILDER [ARG...]: prints its folder. If there is none, "BUILDER TMPDIR ARG..." fills a temporary folder, which is then
# renamed: what is in the cache is whole. BUILDER is a function of the file of this folder that calls artifact(); it runs in a shell
# of its own with "set -eux" (under || and if, bash would not heed -e), its working folder is TMPDIR, its output goes to a log. A lock
# keeps two clones from building the same thing twice.
artifact() {
	local name=$1 log=$CACHE/log/$1-$2.log file=$ROOT/scripts/machines/${BASH_SOURCE[1]##*/} start=$SECONDS dir lock
	dir=$(artifact_folder "$1" "$2")
	shift 2
	if ! artifact_there "$dir"; then
		exec {lock}>>"${dir%/*}/$name.lock"
		flock -n "$lock" || { say "$name: another script is building it, waiting"; flock "$lock"; }
		if ! artifact_there "$dir"; then
			say "$name: building (log: $log)"
			if ! patiently "$log" artifact_try "$lock" "$name" "$log" "$file" "$dir.tmp" "$@"; then
				tail -n 15 "$log" >&2
				die "$name: failed after $((SECONDS - start)) s, see $log"
			fi
			printf '%s\n' "$dir" >"$dir.tmp/built-at"
			rm -rf "$dir"
			mv "$dir.tmp" "$dir"
			say "$name: built in $((SECONDS - start)) s"
		fi
		exec {lock}>&-
	fi
	printf '%s\n' "$dir"
}

# artifact_try LOCK NAME LOG FILE TMPDIR BUILDER [ARG...]: the builder's status. What it leaves running must not hold the lock.
artifact_try() {
	local lock=$1 name=$2 log=$3 pid tick status=0
	rm -rf "$5"
	mkdir -p "$5"
	builder_shell "${@:4}" </dev/null >"$log" 2>&1 {lock}<&- &
	pid=$!
	ticker "$name" "$log" "$pid" {lock}<&- >&2 &
	tick=$!
	wait "$pid" || status=$?
	kill "$tick" 2>/dev/null || true
	wait "$tick" 2>/dev/null || true
	return "$status"
}

# builder_shell FILE TMPDIR BUILDER [ARG...]
builder_shell() {
	local file=$1 dir=$2 builder=$3
	shift 3
	# shellcheck disable=SC2016 # for the inner shell to expand
	(cd "$dir" && ROOT=$ROOT VM_BOARD=${VM_BOARD:-machines} exec bash -euo pipefail -c \
		'. "$ROOT/scripts/machines/common.sh"; [[ $1 == */apt.sh ]] || . "$1"; builder=$2; shift 2; set -x; "$builder" "$@"' \
		"$builder" "$file" "$builder" "$dir" "$@")
}

# --- the project's own parts ----------------------------------------------------------------------------------------------------

# sim_build: prints the folder that has libv3dsim.so, built by meson like the rest of userspace
sim_build() {
	local log=$CACHE/log/sim.log so=$ROOT/build/host/drivers/v3dsim/libv3dsim.so
	mkdir -p "$ROOT/build"
	(
		flock 9
		[[ -f $ROOT/build/host/build.ninja ]] || meson setup "$ROOT/build/host" "$ROOT"
		ninja -C "$ROOT/build/host" drivers/v3dsim/v3dsim || exit
		# In a folder where the library had no version yet, ninja takes meson's link for a left-over
		[[ -e $so || ! -e $so.0 ]] || ln -s libv3dsim.so.0 "$so"
	) 9>>"$ROOT/build/sim.lock" >"$log" 2>&1 || { tail -n 20 "$log" >&2; die "libv3dsim: failed, see $log"; }
	printf '%s\n' "$ROOT/build/host/drivers/v3dsim"
}

# modules_build NAME KDIR [MAKE-ARGUMENT...]: builds bcm2835_v3d.ko (and v3d_kunit.ko) against a kernel's build folder, out of a copy in
# build/modules/NAME (each kernel its own, or they would trip over each other's objects). Prints that folder; the .ko files are in it.
modules_build() {
	local dir
	dir=$(modules_copy "$1")
	modules_make "$dir" "${@:2}"
	printf '%s\n' "$dir"
}

# modules_copy NAME: brings the copy of the kernel side's sources up to date, and prints its folder. Of a folder that is no longer among
# them the objects stay, which rsync says on standard output.
modules_copy() {
	local dir=$ROOT/build/modules/$1
	mkdir -p "$dir"
	rsync -amR --delete --exclude='*.mod.c' --include='*/' --include='*.[chS]' --include=Kbuild --include=Makefile --exclude='*' \
		"$ROOT"/./{Kbuild,drivers,uapi,libv3dcl} "$dir/" >/dev/null
	printf '%s\n' "$dir"
}

# modules_make FOLDER KDIR [MAKE-ARGUMENT...]: builds the modules that FOLDER's Kbuild names
modules_make() {
	local dir=$1 kdir=$2 log=$1.log
	shift 2
	make -C "$kdir" M="$dir" "$@" modules >"$log" 2>&1 </dev/null || { tail -n 30 "$log" >&2; die "modules failed, see $log"; }
}

# shellcheck source=scripts/machines/apt.sh
. "$ROOT/scripts/machines/apt.sh"
