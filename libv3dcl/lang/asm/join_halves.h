/* SPDX-License-Identifier: MIT */
/*
 * Two halves to one instruction: which ports, which file, what stands against it.
 */
#ifndef V3DCL_LANG_ASM_JOIN_HALVES_H
#define V3DCL_LANG_ASM_JOIN_HALVES_H

#include "v3dcl_qpu.h"

/* Which part of a pair is at fault */
enum qasm_part {
	QASM_ADD_TO, QASM_ADD_FROM, QASM_ADD_FROM2, QASM_MUL_TO, QASM_MUL_FROM, QASM_MUL_FROM2,
	QASM_ADD, QASM_MUL, QASM_SIGNAL,
	QASM_PARTS
};

/* Why two halves cannot be joined */
struct qasm_conflict {
	enum qasm_part part;
	char text[200];
};

/**
 * qasm_join() - choose ports, write swap, pack select and small immediate
 * @conflict: set when it returns false; or NULL
 */
bool qasm_join(const struct v3dcl_qpu_pair *pair, struct v3d_qpu_inst *inst,
	       struct qasm_conflict *conflict);

/**
 * qasm_join_results() - the part of it that loads and branches have too: write addresses, write
 * swap and pack
 * @pair: the halves' op says whether they have a destination
 * @inst: only those fields are changed
 */
bool qasm_join_results(const struct v3dcl_qpu_pair *pair, struct v3d_qpu_inst *inst,
		       struct qasm_conflict *conflict);

#endif /* V3DCL_LANG_ASM_JOIN_HALVES_H */
