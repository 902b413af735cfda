# shellcheck shell=dash disable=SC2086
# SPDX-License-Identifier: MIT
#
# What the scripts of this folder share. They run inside a machine (see scripts/vm), as root, in the project's folder; everything
# goes to the share folder, one folder a suite, in the forms that scripts/report reads. Progress goes to standard output.
#
# V3D_SHARE	where results go; /mnt/share if unset
# V3D_TESTS	folder of our tests built for this machine; by the machine's architecture if unset
# suite_arguments	what a suite takes, if anything, for its --help
# V3D_MACHINE_CHIP	what scripts/vm --chip was given, if anything
# V3D_MODULES	folder of the project's kernel modules (set by scripts/machines/guest/run)
# shellcheck disable=SC2034 # for the scripts that read this

if [ "${1-}" = --help ]; then
	echo "Usage: ${0##*/}${suite_arguments:+ [$suite_arguments]}: for scripts/vm to run in a machine."
	sed -n '3,/^[^#]/s/^# //p' "$0"
	exit 0
fi

share=${V3D_SHARE:-/mnt/share}
upstream=/usr/libexec/igt-gpu-tools
case $(uname -m) in
x86_64) tests=build/host/igt-tests ;;
aarch64) tests=build/arm64/igt-tests ;;
armv7l) tests=build/armhf/igt-tests ;;
*) tests=build/armel/igt-tests ;;
esac
tests=${V3D_TESTS:-$tests}

say() { echo "guest: $*"; }

# Of glmark2, here and on the host (scripts/glmark2)
glmark2_list='build texture shading bump effect2d refract conditionals function loop terrain'

# Nothing that hangs may take the rest with it
LIMIT=${V3D_LIMIT:-300}

# igt_list FOLDER BINARY...: the binaries' subtests as a testlist; a binary that cannot list them stands for itself, and will fail
igt_list() {
	igt_folder=$1
	shift
	for binary in "$@"; do
		if subtests=$(timeout 60 "$igt_folder/$binary" --list-subtests 2>/dev/null) && [ -n "$subtests" ]; then
			echo "$subtests" | sed "s,^,igt@$binary@,"
		else
			echo "igt@$binary"
		fi
	done
}

# igt_run NAME FOLDER TESTLIST: the tests of a list by igt_runner; several subtests in one process
igt_run() {
	say "$1 ($(grep -c ^igt@ "$3") tests)"
	mkdir -p "$share/$1"
	cp "$3" "$share/$1/expected.testlist"
	# scripts/vm judges the whole kernel log: a line in it is no result of a test
	timeout $((LIMIT * 4)) igt_runner --log-level quiet --overwrite --multiple-mode --dmesg-warn-level 0 \
		--prune-mode keep-requested --per-test-timeout "$LIMIT" --test-list "$3" "$2" "/tmp/igt-$1" >"$share/$1/runner.log" 2>&1 </dev/null ||
		say "igt_runner: status $?"
	cp "/tmp/igt-$1/results.json" "$share/$1/" 2>/dev/null || echo '{}' >"$share/$1/results.json"
}

# igt_program FILE COMMAND...: one IGT program, with its status behind what it says, in FILE. Return: that status
igt_program() {
	igt_file=$1 igt_status=0
	shift
	"$@" >"$igt_file" 2>&1 </dev/null || igt_status=$?
	echo "exit $igt_status" >>"$igt_file"
	return $igt_status
}

# igt_run_plain NAME FOLDER BINARY...: the same without igt_runner, for machines that have none: a process a binary
igt_run_plain() {
	igt_name=$1 igt_folder=$2
	shift 2
	mkdir -p "$share/$igt_name"
	igt_list "$igt_folder" "$@" | sed -n 's/^igt@\([^@]*@\)/\1/p' >"$share/$igt_name/expected.testlist"
	for binary in "$@"; do
		say "$igt_name: $binary"
		igt_program "$share/$igt_name/$binary.igt" timeout -k 10 "$LIMIT" "$igt_folder/$binary" || true
	done
}

# igt_run_alone NAME FOLDER TESTLIST: the tests of a list without igt_runner, a process a binary. igt_runner finds pieces of others in the
# standard error of a subtest of kms_addfb_basic, and calls that a warning.
igt_run_alone() {
	igt_name=$1 igt_folder=$2
	mkdir -p "$share/$igt_name"
	sed -n 's/^igt@//p' "$3" >"$share/$igt_name/expected.testlist"
	for binary in $(sed 's/@.*//' "$share/$igt_name/expected.testlist" | uniq); do
		say "$igt_name: $binary"
		igt_program "$share/$igt_name/$binary.igt" timeout -k 10 $((LIMIT * 4)) "$igt_folder/$binary" \
			--run-subtest "$(sed -n "s/^$binary@//p" "$share/$igt_name/expected.testlist" | paste -sd ,)" || true
	done
}

# driver_loaded [PARAMETER]...: our module, as machines have it
driver_loaded() { insmod "$V3D_MODULES/bcm2835_v3d.ko" $V3D_EMULATED "$@"; }

# driver_anew [PARAMETER]...: what it cannot be told later
driver_anew() { rmmod bcm2835_v3d && driver_loaded "$@"; }

# picture NAME: the machine's host saves what is seen on its screen
picture() {
	echo "v3d-screen: $1" >"$V3D_SCREEN_HOST"
	read -r answer <"$V3D_SCREEN_HOST"
	[ -z "$answer" ] || echo "# $1: $answer"
}

# screen_loaded: the PC gets a screen like a Raspberry Pi's firmware's, and the driver a display
screen_loaded() {
	rmmod bcm2835_v3d
	insmod "$V3D_MODULES/drivers/v3dsim/pci/v3dsim_screen.ko" memory="$((0x3f000000))"
	driver_loaded
}

# Our IGT tests of what takes the module's parameter unverified
unverified='v3dcl_lists v3dcl_posts v3dcl_unverified v3dcl_failnth'

# Of how late something is, by a clock that a busy host does not advance; of a power domain that refuses for long
limits='v3dcl_limits' refusing='v3dcl_wedged'
# Of a display that is the kernel's vc4's
beside='v3dcl_beside'
# Of a V3D with a reset line
line='v3dcl_line'
# Of a chip that breaks to order, which takes long
faults='v3dcl_faults'
# Of the kernel's own vc4, for scripts/mainline
kernels='v3dcl_vc4'
# Of a screen, which machines have for suite-screen
screen='v3dcl_console v3dcl_copy v3dcl_flips v3dcl_kms v3dcl_live v3dcl_prime'

# own_binaries: our other IGT tests
own_binaries() {
	for test in "$tests"/v3dcl_*; do
		name=$(basename "$test")
		case " $unverified $limits $refusing $beside $line $faults $kernels $screen " in
		*" $name "*) continue ;;
		esac
		[ -f "$test" ] && [ -x "$test" ] && echo "$name"
	done
}

# own_igt NAME BINARY...: IGT tests of ours; their pictures go to the share folder
own_igt() {
	own=$1
	shift
	export V3D_PICTURES="$share"
	if command -v igt_runner >/dev/null; then
		igt_list "$tests" "$@" >"/tmp/$own.testlist"
		# igt_runner wants a list of all tests in their folder
		mkdir -p "/tmp/$own"
		for test in "$@"; do
			ln -sf "$PWD/$tests/$test" "/tmp/$own/"
		done
		printf 'TESTLIST\n%s\nEND TESTLIST\n' "$*" >"/tmp/$own/test-list.txt"
		igt_run "$own" "/tmp/$own" "/tmp/$own.testlist"
	else
		igt_run_plain "$own" "$tests" "$@"
	fi
}

# own_all: our IGT tests and the examples
own_all() {
	# shellcheck disable=SC2046 # a word each
	own_igt own $(own_binaries)
	examples_user
	# shellcheck disable=SC2086
	own_unverified $unverified
}

# own_unverified BINARY...: tests of unverified code, and such examples, with the module loaded anew, since it cannot be told later
own_unverified() {
	if driver_anew unverified=1; then
		own_igt unverified "$@"
		examples_root
		ask_chip
		driver_anew
	else
		echo 'not ok the module was loaded with unverified=1' >"$share/unverified.tap"
	fi
}

# reset_line: hangs on a PC whose V3D has a reset line, which its shim cannot be told later
reset_line() {
	if rmmod bcm2835_v3d v3dsim_pci && insmod "$V3D_MODULES/drivers/v3dsim/pci/v3dsim_pci.ko" reset_line=1 &&
		driver_loaded; then
		own_igt line "$line" v3dcl_hang
		rmmod bcm2835_v3d v3dsim_pci && insmod "$V3D_MODULES/drivers/v3dsim/pci/v3dsim_pci.ko" &&
			driver_loaded
	else
		echo 'not ok the V3D has a reset line' >"$share/line.tap"
	fi
}

# faults_to_order KIND...: each under load, V3D_HITS times (5). Return: status 1 if one failed
faults_to_order() {
	faults_status=0
	mount -t debugfs debugfs /sys/kernel/debug 2>/dev/null
	mkdir -p "$share/faults"
	for kind; do
		echo "igt@$kind@$kind" >>"$share/faults/expected.testlist"
		say "fault $kind"
		igt_program "$share/faults/$kind.igt" timeout -k 10 "$LIMIT" "$tests/$faults" --run-subtest "$kind" || faults_status=1
		sed -n "s/^$kind: /guest: &/p" "$share/faults/$kind.igt"
	done
	return $faults_status
}

# ask_chip: v3dcl's questionnaire finds the modes of the machine's chip, whose jobs meet each mode that a job can meet
ask_chip() {
	mount -t debugfs debugfs /sys/kernel/debug 2>/dev/null
	tap_run probe libv3dcl/tools/test-probe "${tests%/igt-tests}/libv3dcl/tools/v3dcl" /dev/dri/renderD* "${V3D_MACHINE_CHIP:-ideal}"
}

# devcoredump: hangs leave dumps, and v3dcl decode reads them
devcoredump() {
	tap_run devcoredump igt-tests/test-devcoredump "${tests%/igt-tests}/libv3dcl/tools/v3dcl" "$tests"
}

# seen_by_gputop: igt-gpu-tools' gputop, as Debian has it, sees a job while it runs
seen_by_gputop() {
	tap_run gputop igt-tests/test-gputop "$tests"
}

# examples_user: the examples, by an ordinary user who may use the device; what they save stays in the share folder
examples_user() {
	mkdir -p "$share/examples" /tmp/examples
	cp "$tests/examples/v3dcl-examples" examples/* /tmp/examples/
	chmod -R a+rX /tmp/examples
	chmod 777 "$share/examples"
	chmod 666 /dev/dri/renderD*
	tap_run examples setpriv --reuid=65534 --regid=65534 --clear-groups \
		/tmp/examples/v3dcl-examples /dev/dri/renderD* "$share/examples" /tmp/examples/*.v3d
}

# examples_root: those that were not taken from him
examples_root() {
	refused=$(sed -n 's/^# needs root: //p' "$share/examples.tap")
	# shellcheck disable=SC2086 # a word each
	[ -z "$refused" ] || tap_run examples-unverified /tmp/examples/v3dcl-examples /dev/dri/renderD* "$share/examples" $refused
}

# tap_run NAME COMMAND...: a program that prints TAP; how it ended is a result too where it printed no failure
tap_run() {
	tap=$share/$1.tap
	say "$1"
	shift
	tap_status=0
	timeout -k 10 "$LIMIT" "$@" >"$tap" 2>"$tap.err" </dev/null || tap_status=$?
	sed 's/^/# /' "$tap.err" >>"$tap"
	rm -f "$tap.err"
	if [ $tap_status != 0 ] && ! grep -q '^not ok' "$tap"; then
		echo "not ok ended with status $tap_status" >>"$tap"
	fi
}

kselftests() {
	for test in "$tests"/kselftest/*; do
		[ -f "$test" ] && [ -x "$test" ] && tap_run "kselftest-$(basename "$test")" "$test"
	done
}

# library: the suite that libv3dcl's devices share, on the machine's own
library() {
	tap_run library "${tests%/igt-tests}/libv3dcl/device/tests/v3dcl-suite" /dev/dri/renderD*
}

# kunit: the driver's KUnit tests, a module of their own; their KTAP is in debugfs while it is loaded
kunit() {
	module=$V3D_MODULES/v3d_kunit.ko
	say kunit
	mount -t debugfs debugfs /sys/kernel/debug 2>/dev/null
	if ! [ -f "$module" ]; then
		echo "not ok no $module" >"$share/kunit.tap"
		return
	fi
	if ! insmod "$module" 2>/tmp/kunit.err; then
		echo "not ok insmod v3d_kunit.ko: $(cat /tmp/kunit.err)" >"$share/kunit.tap"
		return
	fi
	for suite in /sys/kernel/debug/kunit/*/results; do
		[ -f "$suite" ] || continue
		cp "$suite" "$share/kunit-$(basename "$(dirname "$suite")").tap"
	done
	ls "$share"/kunit-*.tap >/dev/null 2>&1 || echo "not ok v3d_kunit.ko left no results" >"$share/kunit.tap"
	rmmod v3d_kunit
}

# demos: the demo jobs; their pictures go to the share folder
demos() {
	tap_run demo "$tests/demo/v3dcl-demo" "$share"
}

# rebind: upstream's tests that take the driver off and put it on again
hotunplug() {
	igt_run hotunplug "$upstream" igt-tests/upstream/hotunplug.testlist
}

# signed_refused NAME FILE: the module is not loaded
signed_refused() {
	if insmod "$2" 2>/tmp/signed.err; then
		echo "not ok signatures: $1 is refused"
		rmmod bcm2835_v3d
	elif grep -q 'Key was rejected by service' /tmp/signed.err; then
		echo "ok signatures: $1 is refused"
	else
		echo "not ok signatures: $1 is refused: $(cat /tmp/signed.err)"
	fi
}

# signatures: a kernel that is told to load nothing unsigned. It cannot be told otherwise again: this is the last of a boot, and leaves
# the signed module loaded
signatures() {
	say signatures
	{
		driver_anew && rmmod bcm2835_v3d || printf 'not '
		echo 'ok signatures: unsigned is loaded at first'
		echo 1 >/sys/module/module/parameters/sig_enforce
		signed_refused 'what is not signed' "$V3D_MODULES/bcm2835_v3d.ko"
		signed_refused 'what is signed with another key' "$V3D_MODULES/signed/other.ko"
		signed_refused 'what was altered after it was signed' "$V3D_MODULES/signed/altered.ko"
		insmod "$V3D_MODULES/signed/ours.ko" || printf 'not '
		echo "ok signatures: what is signed with the kernel's key is loaded"
	} >"$share/signatures.tap"
}
