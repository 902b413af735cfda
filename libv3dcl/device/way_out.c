// SPDX-License-Identifier: MIT
/*
 * What to write instead, for rules of code whose numbers are bits of an instruction or places in
 * the checker's memory: to who wrote the program they say nothing.
 */
#include "device.h"
#include "rules.h"

#define BEHIND_SLOTS \
	"put it behind these: a branch has three, a thread switch and the end have two"

static const char *const ways[V3DCL_RULE_LIMIT] = {
	[V3DCL_RULE_CODE_END] =
		"end it by thrend and two instructions, or a user program by the macro finish",
	[V3DCL_RULE_CODE_END_ACCESS] = "do it before thrend",
	[V3DCL_RULE_END_REGISTER] =
		"keep off ra14 and rb14 from thrend on; thrend's own instruction writes to -",
	[V3DCL_RULE_BRANCH_KIND] = "write brr and a label",
	[V3DCL_RULE_BRANCH_WRITE] = "write brr and a label, without a register",
	[V3DCL_RULE_BRANCH_TARGET] =
		"behind a branch stand its three delay slots, and behind these and its target a "
		"program end",
	[V3DCL_RULE_BRANCH_SLOT] = BEHIND_SLOTS,
	[V3DCL_RULE_SWITCH_SLOT] = BEHIND_SLOTS,
	[V3DCL_RULE_SLOT_TARGET] =
		"put the label behind these, or before the instruction that they belong to",
	[V3DCL_RULE_UNIFORM_UNREAD] = "take it as an operand: mov -, unif",
	[V3DCL_RULE_UNIFORM_SOON] = "put two instructions in between",
	[V3DCL_RULE_SFU_SOON] = "put two instructions in between that leave r4 alone",
	[V3DCL_RULE_ROTATE_SOON] = "put an instruction in between",
	[V3DCL_RULE_REGISTER_SOON] = "put an instruction in between",
	[V3DCL_RULE_TMU_BOTH] = "write one of them in the next instruction",
	[V3DCL_RULE_TMU_UNIFORM] = "read the uniform in an instruction before",
	[V3DCL_RULE_TMU_TWICE] = "write each once, and s last, which begins the lookup",
	[V3DCL_RULE_TMU_OPEN] = "write the lookup's s before, which begins it",
	[V3DCL_RULE_TMU_CONDITION] = "write it under no condition",
	[V3DCL_RULE_IO_CONDITION] =
		"write it under no condition: have that on a register first, and write this one",
	[V3DCL_RULE_TMU_EMPTY] = "ask first: by a write to the s of that TMU",
	[V3DCL_RULE_TMU_UNREAD] = "load each: by ldtmu0, or ldtmu1",
	[V3DCL_RULE_TMU_PATHS] = "load them on each path before it gets there",
	[V3DCL_RULE_VPM_EMPTY] = "set up as many as are read",
	[V3DCL_RULE_VPM_UNREAD] = "read as many as are set up",
	[V3DCL_RULE_VPM_PATHS] = "read them on each path before it gets there",
	[V3DCL_RULE_THREADED_REGISTER] = "use ra0 to ra15 and rb0 to rb15",
	[V3DCL_RULE_CODE_UNDEFINED] = "write it before: on each path, under no condition",
	[V3DCL_RULE_FLAGS_UNDEFINED] =
		"set them before: by an instruction with .setf, on each path, under no condition",
	[V3DCL_RULE_SETUP_MISSING] = "write its set-up register before, on each path",
	[V3DCL_RULE_MUTEX_TWICE] = "mutex_lock and mutex_unlock take turns",
	[V3DCL_RULE_MUTEX_HELD] = "write mutex_unlock before the end, on each path",
	[V3DCL_RULE_MUTEX_PATHS] = "write mutex_lock, or mutex_unlock, on both before they meet",
	[V3DCL_RULE_SEMAPHORE_PATHS] = "raise and lower it on each path equally often",
	[V3DCL_RULE_SEMAPHORE_SUM] =
		"raise each as often as it is lowered, by srel and sacq of all runs together",
	[V3DCL_RULE_INTERRUPT_TWICE] = "raise it once, on each path",
	[V3DCL_RULE_WRITE_BOTH] = "write them by two instructions",
	[V3DCL_RULE_SETUP_TWICE] = "a uniform of its own for each, or ldi",
};

const char *refusal_way_out(uint32_t rule)
{
	return rule < V3DCL_RULE_LIMIT ? ways[rule] : NULL;
}
