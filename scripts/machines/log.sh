# shellcheck shell=bash
# SPDX-License-Identifier: MIT
#
# Judging what a machine leaves behind: the kernel's log and the V3D's own.

# What a healthy kernel never says. VM_ALLOW (an extended regular expression, from the board file) excuses a board's known lines.
LOG_BAD='WARNING: |BUG: |kernel BUG at|KASAN: |UBSAN: |Oops|general protection fault|Unable to handle kernel|Internal error: '
LOG_BAD+='|Kernel panic|possible (recursive|circular) locking|possible irq lock inversion|inconsistent lock state|lock held when returning'
LOG_BAD+='|turning off the locking correctness validator|bad unlock balance'
LOG_BAD+='|suspicious RCU usage|Invalid wait context|sleeping function called|scheduling while atomic'
LOG_BAD+='|blocked for more than [0-9]+ seconds|soft lockup|hard LOCKUP|rcu_[a-z]+ (self-)?detected (expedited )?stalls?'
LOG_BAD+='|DMA-API: .*(driver|device|debugging out of memory|cacheline)|ODEBUG: |refcount_t: |corruption|SLUB |Bad page'
LOG_BAD+='|irq [0-9]+: nobody cared|unreferenced object|new suspected memory leaks|Out of memory and no killable|v3d-run: bad: '

# log_verdict DMESG: prints the first lines that say a bug was found; status 1 if there were any
log_verdict() {
	local bad
	bad=$(grep -aE "$LOG_BAD" "$1" | grep -avE "${VM_ALLOW:-^\$}" | head -n 5) || true
	[[ -n $bad ]] || return 0
	printf '%s\n' "$bad"
	return 1
}

# device_verdict DEVICE: the V3D's own complaints: faults are for COMMAND to judge (tests provoke them); a register access while
# the V3D sleeps is always a driver's bug
device_verdict() {
	local count
	# The kernel's vc4 does it: its work for binner memory enables an interrupt whether the V3D is awake or not
	[[ ${VM_DRIVER:-} != mainline ]] || return 0
	count=$(device_stat "$1" sleeping_accesses)
	((count == 0)) && return 0
	printf '%s register accesses while the V3D slept\n' "$count"
	return 1
}

# device_stat DEVICE NAME: a number that the V3D told at its end; 0 if it did not get so far
device_stat() {
	local value
	value=$(sed -n "s/^v3d: stat $2 //p" "$1" | tail -n 1)
	printf '%s\n' "${value:-0}"
}

# How many interrupts the processors may take beyond what the V3D had reasons for: an interrupt that is enabled while its cause has long
# been there is none of these, nor are those of other devices on the same line
STORM=1000

# storm_verdict DMESG DEVICE: many interrupts without progress. guest/run counts those that were taken.
storm_verdict() {
	local taken reasons
	taken=$(interrupts_taken "$1")
	reasons=$(device_stat "$2" interrupts)
	((taken <= reasons + STORM)) && return 0
	printf 'an interrupt storm: %s interrupts for %s reasons\n' "$taken" "$reasons"
	return 1
}

# interrupts_taken DMESG
interrupts_taken() {
	local taken
	taken=$(sed -n 's/.*v3d-run: interrupts //p' "$1" | tail -n 1)
	printf '%s\n' "${taken:-0}"
}

# device_told DMESG DEVICE: a line on interrupts, and one on how often each mode of the chip struck
device_told() {
	printf '%s interrupts for %s reasons\n' "$(interrupts_taken "$1")" "$(device_stat "$2" interrupts)"
	sed -n 's/^v3d: stat struck://p' "$2" | paste -sd, | sed 's/,/, /g; s/^/struck: /'
}
