/* SPDX-License-Identifier: MIT */
/*
 * Names of QPU instructions: what uapi/v3d/qpu.h calls things, and what else people call them.
 */
#ifndef V3DCL_LANG_ASM_MNEMONICS_H
#define V3DCL_LANG_ASM_MNEMONICS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../lang.h"
#include "v3dcl_qpu.h"

/* A text that stands for a number. @text ends in NUL; "" means: say nothing */
struct qasm_name {
	const char *text;
	uint8_t value;
};

/*
 * Lists that end with a @text of NULL. Where a value stands more than once, the first is what is
 * printed.
 */
extern const struct qasm_name qasm_add_ops[], qasm_mul_ops[], qasm_signals[], qasm_conditions[],
	qasm_branch_conditions[], qasm_vc4asm_branch_conditions[], qasm_unpacks[], qasm_packs[];

/* A name of an I/O address. @files: 1 file A, 2 file B, 3 both alike */
struct qasm_io {
	const char *text;
	uint8_t address, files;
};

extern const struct qasm_io qasm_writes[], qasm_reads[];

/**
 * qasm_find() - the value of a name of @length bytes, in any case of letters; -1 if there is none
 */
int qasm_find(const struct qasm_name *list, const char *text, size_t length);

/* The name of a value, or NULL */
const char *qasm_text(const struct qasm_name *list, unsigned int value);

/* The address of a name, and in which files it means that; -1 if there is none */
int qasm_find_io(const struct qasm_io *list, const char *text, size_t length, unsigned int *files);

/**
 * qasm_io_text() - the name of an address in file A or B, or NULL.
 * @files: which files it means that in
 */
const char *qasm_io_text(const struct qasm_io *list, unsigned int address, bool b,
			 unsigned int *files);

/* How many sources an operation has; 0 for reserved ones */
unsigned int qasm_operands(bool mul, unsigned int op);

/**
 * struct qasm_field - a field of struct v3d_qpu_inst that an attribute {name=value} sets.
 * @classes: a bit each of enum qasm_class
 */
struct qasm_field {
	const char *name;
	uint8_t offset, bits, classes;
};

/* Kinds of instruction that share their fields */
enum qasm_class { QASM_ALU, QASM_LOAD, QASM_BRANCH };

extern const struct qasm_field qasm_fields[];

/* The class of an instruction */
enum qasm_class qasm_class(const struct v3d_qpu_inst *inst);

/* A field's value */
uint32_t qasm_field_get(const struct v3d_qpu_inst *inst, const struct qasm_field *field);

/* Change a field; also the kind, where signal and unpack make it */
void qasm_field_set(struct v3d_qpu_inst *inst, const struct qasm_field *field, uint32_t value);

#endif /* V3DCL_LANG_ASM_MNEMONICS_H */
