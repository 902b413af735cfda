#!/bin/bash
# SPDX-License-Identifier: MIT
# The v3dsim command as its manual has it: what it runs, what it says, and its exit status. Usage: test_cli.sh V3DSIM
set -u
v3dsim=$(realpath "$1")
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
cd "$dir" || exit 1
count=0

# ok TEXT COMMAND...: a test that passes when the command does
ok() {
	local text=$1
	shift
	count=$((count + 1))
	if "$@"; then echo "ok $count - $text"; else echo "not ok $count - $text"; sed 's/^/# /' out err; fi
}

# run STATUS ARGUMENT...: v3dsim with its output in out and err
run() {
	local status=$1
	shift
	timeout 60 "$v3dsim" "$@" >out 2>err
	[ $? -eq "$status" ]
}

# says STATUS TEXT ARGUMENT...: an exit status, and a text on standard error
says() {
	local status=$1 text=$2
	shift 2
	run "$status" "$@" && grep -qF -- "$text" err
}

# bytes FILE HEX: hexadecimal digits as bytes
bytes() {
	local hex=${2//[[:space:]]/} escaped=
	while [ -n "$hex" ]; do
		escaped+="\\x${hex:0:2}"
		hex=${hex:2}
	done
	printf '%b' "$escaped" >"$1"
}

# times N TEXT: a text many times over
times() { local all; printf -v all "%$1s" ''; echo "${all// /$2}"; }

# word HEX: the bytes of a 32-bit word, little endian; instruction HIGH LOW: those of an instruction
word() { echo "${1:6:2}${1:4:2}${1:2:2}${1:0:2}"; }
instruction() { word "$2"; word "$1"; }

# is FILE OFFSET HEX: bytes of a file
is() {
	local hex=${3//[[:space:]]/}
	[ "$(od -An -tx1 -v -j "$2" -N $((${#hex} / 2)) "$1" | tr -d ' \n')" = "$hex" ]
}

# A program that writes sixteen words with the VPM and its DMA: ldi vw_setup, ldi vpm, ldi vw_setup, ldi vw_addr, read vw_wait, end.
program=$(instruction e0021c67 00001a00; instruction e0020c27 12345678; instruction e0021c67 80904000; instruction e0021ca7 00010000
	instruction 100009e7 009f2000; instruction 300009e7 009e7000; instruction 100009e7 009e7000; instruction 100009e7 009e7000)
bytes program.bin "$program"
# A program that branches to itself: brr -4 - 8 * 4, and its delay slots
bytes endless.bin "$(instruction f0f809e7 ffffffe0; times 3 "$(instruction 100009e7 009e7000)")"

ok 'a QPU program runs' run 0 --mem program.bin@0x1000 --zero 128@0x10000 --qpu 0x1000 --dump 0x10000+128:dump --stats
ok 'it stores sixteen words' is dump 0 "$(times 16 78563412)00000000"
ok 'it took eight instructions' grep -qx 'instructions 8' out
read -ra twenty <<<"$(times 20 '--qpu 4096 ')"
ok 'twenty of them run as one batch' run 0 --mem program.bin@4096 --zero 128@65536 "${twenty[@]}" --stats
ok 'and take 160' grep -qx 'instructions 160' out
ok 'instructions are traced' run 0 --mem program.bin@0x1000 --zero 64@0x10000 --qpu 0x1000 --trace qpu,mem
ok 'all eight of them' test "$(grep -c 0x000010 err)" -ge 8
ok 'a program without an end is a hang' says 1 'hang: no end after 10000' --mem endless.bin@0x1000 --qpu 0x1000 --limit 10000
ok 'a program in no memory is an error' says 1 '0x00005000' --mem program.bin@0x1000 --qpu 0x5000
ok 'a store to no memory is an error' says 1 'VDW at 0x00010000' --mem program.bin@0x1000 --qpu 0x1000

# Clear colours, a frame of 4 x 1 pixels, two tiles on the same place: the first store clears.
bytes render.bin "72 $(word 44332211) $(word 88776655) 000000 00 00  71 $(word 00020000) 0400 0100 0400  73 0000 18 73 0000 19"
size=$(stat -c %s render.bin)
ok 'a rendering list runs' run 0 --mem render.bin@0x1000 --zero 4096@0x20000 --ct1 "0x1000:$((0x1000 + size))" --dump 0x20000+20:- \
	--trace cle,reg
ok 'it clears the frame' is out 0 "1122334455667788112233445566778800000000"
ok 'its records are traced' grep -q 'CLE1 0x00001000 clear_colors color0=0x44332211' err
ok 'and the registers' grep -q 'write CT1EA (0x10c) 0x000010' err

for threads in 0 1 2 64; do
	ok "the same with $threads threads" run 0 --mem render.bin@0x1000 --zero 4096@0x20000 --ct1 "0x1000:$((0x1000 + size))" \
		--dump 0x20000+20:- --threads $threads
	ok 'byte for byte' is out 0 "1122334455667788112233445566778800000000"
done

# A point of no size, which only the chip as it is cannot bear (HW-2726)
bytes nv.bin "01000000 $(word 00000000) $(word 00000000) $(word 00024000)"
bytes point.bin "70 $(word 00021000) $(word 00001000) $(word 00022000) 01 01 04  06 60 030000 41 $(word 00023000) 62 $(word 00000000)
	21 00 $(word 00000001) $(word 00000000) 04"
point=(--mem point.bin@0x1000 --mem nv.bin@0x23000 --zero 0x2000@0x21000 --zero 64@0x24000 --ct0 "0x1000:$((0x1000 + $(stat -c %s point.bin)))")
ok 'a point of size 0 is nothing' run 0 "${point[@]}"
ok 'with errata it is an error' says 1 'HW-2726' --chip HW-2726 "${point[@]}"

ok 'and in bcm2835' says 1 'HW-2726' --chip bcm2835 "${point[@]}"
ok 'taken out it is none' run 0 --chip bcm2835+-HW-2726 "${point[@]}"

# Modes of the chip: by option and by environment
ok 'modes are listed' run 0 --chip help
ok 'with what the chip does' grep -qF 'points of size 0' out
ok 'a mode that there is not' says 2 '--chip: no mode of the chip is called "HW-1"' --chip HW-1
ok 'the environment counts' env V3D_CHIP=HW-2726 bash -c '"$@" >/dev/null 2>&1; test $? -eq 1' - "$v3dsim" "${point[@]}"
V3D_CHIP=HW-1 ok 'and says what is wrong' says 2 'V3D_CHIP: no mode of the chip is called "HW-1"' "${point[@]}"
V3D_CHIP=HW-2726 ok 'the option comes first' run 0 --chip ideal "${point[@]}"
ok 'statistics tell the chip' run 1 --chip HW-2726+HW-2898 --stats "${point[@]}"
ok 'by its modes' grep -qx 'chip HW-2726+HW-2898' out
ok 'which mode struck' grep -qx 'struck:HW-2726 1' out
ok 'and which did not' grep -qx 'struck:HW-2898 0' out

# A binning list of 1 x 1 tiles, and a rendering list that waits for it and calls its tile list; then one that does not wait
bytes bin.bin "70 $(word 00021000) $(word 00001000) $(word 00022000) 01 01 04  06 38 12 07 04"
bytes wait.bin "08 11 $(word 00021000)"
bytes call.bin "11 $(word 00021000)"
lists=(--mem bin.bin@0x1000 --zero 0x2000@0x21000 --ct0 0x1000:0x1015)
ok 'rendering waits for binning' run 0 "${lists[@]}" --mem wait.bin@0x2000 --ct1 0x2000:0x2006 --dump 0x21000+4:list
ok 'the tile list is there' is list 0 38121200
ok 'rendering follows binning' run 0 "${lists[@]}" --mem call.bin@0x2000 --ct1 0x2000:0x2005 --stats
ok 'all records were executed' grep -qx 'records 8' out
bytes short.bin "70 $(word 00021000) $(word 00000100) $(word 00022000) 01 01 04  06
	66 $(word 00000000) $(word 00000000) 68 $(word 00000000) $(word 00000000) 43 $(word 00000000) $(word 00000000) 05"
short=(--mem short.bin@0x1000 --zero 0x2000@0x21000 --ct0 0x1000:0x102d)
ok 'too little binning memory is a hang' says 1 'the PTB waits for binning memory' "${short[@]}"
ok 'overspill memory ends it' run 0 --reg BPOA=0x21800 --reg v3d_bpos=2048 "${short[@]}"

ok 'a semaphore that is never incremented is a hang' says 1 'CLE1 at 0x00002000: waits on a semaphore' --mem wait.bin@0x2000 \
	--ct1 0x2000:0x2006
bytes wrong.bin 0103
ok 'a wrong record is an error in words' says 1 'CLE0 at 0x00001001: record 3: no such control record' --mem wrong.bin@0x1000 \
	--ct0 0x1000:0x1002
ok 'what was there is dumped all the same' run 1 --mem wrong.bin@0x1000 --ct0 0x1000:0x1002 --dump 0x1000+2:dump
ok 'byte for byte' is dump 0 0103
ok 'a list in no memory is a bus error' says 1 'CLE1 at 0x00007000: bus error' --mem wrong.bin@0x1000 --ct1 0x7000:0x7001

ok 'the reference chip runs lists' run 0 --reference "${lists[@]}" --mem call.bin@0x2000 --ct1 0x2000:0x2005 --stats
ok 'all records were executed there too' grep -qx 'records 8' out

ok 'help is no error' run 0 --help
ok 'nothing to do is bad usage' says 2 'try --help'
for bad in '--mem' '--mem file' '--mem nosuchfile@0' '--mem wrong.bin@x' '--mem wrong.bin@0x' '--zero 5' '--zero 0@0' '--zero 2@0xffffffff' \
	'--zero 4@0 --zero 4@3' '--reg NOSUCH=1' '--reg SCRATCH' '--reg SCRATCH=0x100000000' '--ct0 5' '--ct0 1:2 --ct0 1:2' '--ct1 1:-2' \
	'--qpu' '--qpu 1:' '--dump 0+4:f' '--dump 0+4' '--trace nosuch' '--trace' '--limit -1' '--limit 0' '--threads 65' '--threads' '--nosuch' '--nosuch 1' 'file'; do
	# shellcheck disable=SC2086
	ok "bad usage: $bad" says 2 'v3dsim: ' $bad
done
ok 'an unknown option by its name' says 2 'there is no option --nosuch' --stats --nosuch
ok 'one without its value' says 2 '--limit needs a value' --limit
ok 'what is no option' says 2 '"file" is no option' --stats file
ok 'elements that there are not' says 2 '"lanes=16": lanes takes elements from 0 to 15' --trace qpu,lanes=16
ok 'no kinds of traces' says 2 'expected qpu, cle, mem or reg' --trace ''
mkfifo pipe
for name in /dev/zero pipe .; do
	ok "memory from $name" says 2 "$name is no file" --mem "$name@0"
done
truncate -s 4097M long.bin
ok 'memory larger than all addresses' says 2 'long.bin has more than 4096 MiB' --mem long.bin@0
echo "1..$count"
