// SPDX-License-Identifier: MIT
/* Names of QPU instructions. Those of uapi/v3d/qpu.h come first: they are printed. */
#include <string.h>

#include "mnemonics.h"

#define TEXT(value, name, text) { text, value },
#define OP(value, name, operands, text) { text, value },
#define PACK(value, text) { text, value },

const struct qasm_name qasm_add_ops[] = { V3D_QPU_ADD_OPS(OP) { NULL, 0 } };
const struct qasm_name qasm_mul_ops[] = { V3D_QPU_MUL_OPS(OP) { NULL, 0 } };
const struct qasm_name qasm_signals[] = { V3D_QPU_SIGNALS(TEXT) { NULL, 0 } };

/*
 * Behind the guide's names stand those of vc4asm, which says what the value is: i an integer, f a
 * float. What the chip does depends on the operation alone (AG100 Tables 6 and 7).
 */
#define FOUR(list, value) \
	{ "8a" list, value }, { "8b" list, (value) + 1 }, { "8c" list, (value) + 2 }, \
	{ "8d" list, (value) + 3 }

const struct qasm_name qasm_unpacks[] = {
	V3D_QPU_UNPACKS(PACK)
	{ "32", 0 },
	{ "16ai", 1 }, { "16af", 1 }, { "16as", 1 }, { "16asi", 1 },
	{ "16bi", 2 }, { "16bf", 2 }, { "16bs", 2 }, { "16bsi", 2 },
	{ "8ddup", 3 },
	FOUR("i", 4), FOUR("f", 4), FOUR("s", 4), FOUR("si", 4), FOUR("sf", 4),
	{ NULL, 0 },
};

/* Table 9's modes, by the mul half, where Table 7 would hold: 8abcdc, 8ac; or 8abcdsf, 8asf */
const struct qasm_name qasm_packs[] = {
	V3D_QPU_PACKS(PACK)
	{ "32", 0 },
	{ "16ai", 1 }, { "16af", 1 }, { "16bi", 2 }, { "16bf", 2 },
	{ "8888", 3 }, { "8888i", 3 }, { "8abcdi", 3 },
	FOUR("i", 4),
	{ "32s", 8 }, { "32si", 8 }, { "16asi", 9 }, { "16bsi", 10 },
	{ "8888s", 11 }, { "8888si", 11 }, { "8abcdsi", 11 },
	FOUR("si", 12),
	{ "8abcdc", 3 | V3DCL_QPU_COLOUR }, { "8abcdsf", 3 | V3DCL_QPU_COLOUR },
	{ "8888sf", 3 | V3DCL_QPU_COLOUR },
	FOUR("c", 4 | V3DCL_QPU_COLOUR), FOUR("sf", 4 | V3DCL_QPU_COLOUR),
	{ NULL, 0 },
};

const struct qasm_name qasm_conditions[] = {
	V3D_QPU_CONDITIONS(TEXT)
	{ "always", V3D_QPU_COND_ALWAYS },
	{ "ifz", V3D_QPU_COND_ZS }, { "ifnz", V3D_QPU_COND_ZC }, { "ifn", V3D_QPU_COND_NS },
	{ "ifnn", V3D_QPU_COND_NC }, { "ifc", V3D_QPU_COND_CS }, { "ifnc", V3D_QPU_COND_CC },
	{ "ifzs", V3D_QPU_COND_ZS }, { "ifzc", V3D_QPU_COND_ZC }, { "ifns", V3D_QPU_COND_NS },
	{ "ifcs", V3D_QPU_COND_CS }, { "ifcc", V3D_QPU_COND_CC },
	{ "z", V3D_QPU_COND_ZS }, { "nz", V3D_QPU_COND_ZC }, { "n", V3D_QPU_COND_NS },
	{ "nn", V3D_QPU_COND_NC }, { "c", V3D_QPU_COND_CS },
	{ NULL, 0 },
};

#define BRANCH_CONDITIONS \
	V3D_QPU_BRANCH_CONDITIONS(TEXT) \
	{ "always", V3D_QPU_BRANCH_ALWAYS }, \
	{ "allz", V3D_QPU_BRANCH_ALL_ZS }, { "allnz", V3D_QPU_BRANCH_ALL_ZC }, \
	{ "anyz", V3D_QPU_BRANCH_ANY_ZS }, { "anynz", V3D_QPU_BRANCH_ANY_ZC }, \
	{ "alln", V3D_QPU_BRANCH_ALL_NS }, { "allnn", V3D_QPU_BRANCH_ALL_NC }, \
	{ "anyn", V3D_QPU_BRANCH_ANY_NS }, { "anynn", V3D_QPU_BRANCH_ANY_NC }, \
	{ "allc", V3D_QPU_BRANCH_ALL_CS }, { "anyc", V3D_QPU_BRANCH_ANY_CS }, \
	{ NULL, 0 }

/* "allnc" is N clear, as in uapi/v3d/qpu.h and AG100 Table 11. */
const struct qasm_name qasm_branch_conditions[] = { BRANCH_CONDITIONS };

/* In vc4asm's dialect it is C clear. */
const struct qasm_name qasm_vc4asm_branch_conditions[] = {
	{ "allnc", V3D_QPU_BRANCH_ALL_CC },
	{ "anync", V3D_QPU_BRANCH_ANY_CC },
	BRANCH_CONDITIONS
};

/* A name that both files share stands twice, once for each */
#define IO(value, name, a, b) { a, value, 1 }, { b, value, 2 },

/* AG100 Table 14's own names, where they are others */
const struct qasm_io qasm_writes[] = {
	V3D_QPU_WRITES(IO)
	{ "acc0", V3D_QPU_W_ACC0, 3 },
	{ "acc1", V3D_QPU_W_ACC1, 3 },
	{ "acc2", V3D_QPU_W_ACC2, 3 },
	{ "acc3", V3D_QPU_W_ACC3, 3 },
	{ "tmu_noswap", V3D_QPU_W_TMU_NOSWAP, 3 },
	{ "host_int", V3D_QPU_W_HOST_INT, 3 },
	{ "interrupt", V3D_QPU_W_HOST_INT, 3 },
	{ "nop", V3D_QPU_W_NOP, 3 },
	{ "uniforms_address", V3D_QPU_W_UNIFORMS_ADDRESS, 1 },
	{ "quad_x", V3D_QPU_W_QUAD_XY, 1 },
	{ "quad_y", V3D_QPU_W_QUAD_XY, 2 },
	{ "ms_flags", V3D_QPU_W_MS_REV_FLAGS, 1 },
	{ "tlb_stencil_setup", V3D_QPU_W_TLB_STENCIL_SETUP, 3 },
	{ "tlb_z", V3D_QPU_W_TLB_Z, 3 },
	{ "tlb_colour_ms", V3D_QPU_W_TLB_COLOUR_MS, 3 },
	{ "tlb_colour_all", V3D_QPU_W_TLB_COLOUR_ALL, 3 },
	{ "tlb_alpha_mask", V3D_QPU_W_TLB_ALPHA_MASK, 3 },
	{ "vpm_write", V3D_QPU_W_VPM_WRITE, 3 },
	{ "vpmvcd_rd_setup", V3D_QPU_W_VPM_SETUP, 1 },
	{ "vpmvcd_wr_setup", V3D_QPU_W_VPM_SETUP, 2 },
	{ "vpm_ld_addr", V3D_QPU_W_VPM_ADDR, 1 },
	{ "vpm_st_addr", V3D_QPU_W_VPM_ADDR, 2 },
	{ "mutex_release", V3D_QPU_W_MUTEX_RELEASE, 3 },
	{ "mutex_rel", V3D_QPU_W_MUTEX_RELEASE, 3 },
	{ "sfu_recip", V3D_QPU_W_SFU_RECIP, 3 },
	{ "sfu_recipsqrt", V3D_QPU_W_SFU_RECIPSQRT, 3 },
	{ "recipsqrt", V3D_QPU_W_SFU_RECIPSQRT, 3 },
	{ "sfu_exp", V3D_QPU_W_SFU_EXP, 3 },
	{ "sfu_log", V3D_QPU_W_SFU_LOG, 3 },
	{ "tmu0_s", V3D_QPU_W_TMU0_S, 3 },
	{ "tmu0_t", V3D_QPU_W_TMU0_T, 3 },
	{ "tmu0_r", V3D_QPU_W_TMU0_R, 3 },
	{ "tmu0_b", V3D_QPU_W_TMU0_B, 3 },
	{ "tmu1_s", V3D_QPU_W_TMU1_S, 3 },
	{ "tmu1_t", V3D_QPU_W_TMU1_T, 3 },
	{ "tmu1_r", V3D_QPU_W_TMU1_R, 3 },
	{ "tmu1_b", V3D_QPU_W_TMU1_B, 3 },
	{ NULL, 0, 0 },
};

const struct qasm_io qasm_reads[] = {
	V3D_QPU_READS(IO)
	{ "uniform_read", V3D_QPU_R_UNIFORM, 3 },
	{ "varying_read", V3D_QPU_R_VARYING, 3 },
	{ "element_number", V3D_QPU_R_ELEMENT_QPU_NUMBER, 1 },
	{ "qpu_number", V3D_QPU_R_ELEMENT_QPU_NUMBER, 2 },
	{ "nop", V3D_QPU_R_NOP, 3 },
	{ "x_pixel_coord", V3D_QPU_R_PIXEL_COORD, 1 },
	{ "y_pixel_coord", V3D_QPU_R_PIXEL_COORD, 2 },
	{ "ms_flags", V3D_QPU_R_MS_REV_FLAGS, 1 },
	{ "vpm_read", V3D_QPU_R_VPM_READ, 3 },
	{ "vpm_ld_busy", V3D_QPU_R_VPM_BUSY, 1 },
	{ "vpm_st_busy", V3D_QPU_R_VPM_BUSY, 2 },
	{ "vpm_ld_wait", V3D_QPU_R_VPM_WAIT, 1 },
	{ "vpm_st_wait", V3D_QPU_R_VPM_WAIT, 2 },
	{ "mutex_acquire", V3D_QPU_R_MUTEX_ACQUIRE, 3 },
	{ "mutex_acq", V3D_QPU_R_MUTEX_ACQUIRE, 3 },
	{ NULL, 0, 0 },
};

int qasm_find(const struct qasm_name *list, const char *text, size_t length)
{
	for (; list->text; list++)
		if (length && lang_same(list->text, text, length))
			return list->value;
	return -1;
}

const char *qasm_text(const struct qasm_name *list, unsigned int value)
{
	for (; list->text; list++)
		if (list->value == value)
			return list->text;
	return NULL;
}

static unsigned int files_of(const struct qasm_io *list, const struct qasm_io *entry)
{
	unsigned int files = 0;

	for (; list->text; list++)
		if (list->address == entry->address && !strcmp(list->text, entry->text))
			files |= list->files;
	return files;
}

int qasm_find_io(const struct qasm_io *list, const char *text, size_t length, unsigned int *files)
{
	const struct qasm_io *entry;

	for (entry = list; entry->text; entry++) {
		if (lang_same(entry->text, text, length)) {
			*files = files_of(list, entry);
			return entry->address;
		}
	}
	return -1;
}

const char *qasm_io_text(const struct qasm_io *list, unsigned int address, bool b,
			 unsigned int *files)
{
	const struct qasm_io *entry;

	for (entry = list; entry->text; entry++) {
		if (entry->address != address || !(entry->files & (b ? 2 : 1)))
			continue;
		*files = files_of(list, entry);
		return entry->text;
	}
	return NULL;
}

unsigned int qasm_operands(bool mul, unsigned int op)
{
#define OPERANDS(value, name, operands, text) [value] = (operands),
	static const uint8_t add_operands[32] = { V3D_QPU_ADD_OPS(OPERANDS) },
			     mul_operands[8] = { V3D_QPU_MUL_OPS(OPERANDS) };

	return mul ? mul_operands[op & 7] : add_operands[op & 31];
}

#define FIELD(classes, name, bits) { #name, offsetof(struct v3d_qpu_inst, name), bits, classes },
#define ANY_FIELD(name, low, bits) \
	FIELD(1 << QASM_ALU | 1 << QASM_LOAD | 1 << QASM_BRANCH, name, bits)
#define ALU_FIELD(name, low, bits) FIELD(1 << QASM_ALU | 1 << QASM_LOAD, name, bits)
#define READ_FIELD(name, low, bits) FIELD(1 << QASM_ALU, name, bits)
#define BRANCH_FIELD(name, low, bits) FIELD(1 << QASM_BRANCH, name, bits)

const struct qasm_field qasm_fields[] = {
	FIELD(1 << QASM_ALU, sig, 4)
	V3D_QPU_ALU_FIELDS(ALU_FIELD)
	BRANCH_FIELD(branch_unused, 56, 4)
	V3D_QPU_BRANCH_FIELDS(BRANCH_FIELD)
	V3D_QPU_WRITE_FIELDS(ANY_FIELD)
	V3D_QPU_READ_FIELDS(READ_FIELD)
	FIELD(1 << QASM_LOAD | 1 << QASM_BRANCH, immediate, 32)
	{ NULL, 0, 0, 0 },
};

enum qasm_class qasm_class(const struct v3d_qpu_inst *inst)
{
	if (inst->kind == V3D_QPU_BRANCH)
		return QASM_BRANCH;
	return inst->kind == V3D_QPU_ALU || inst->kind == V3D_QPU_ALU_SMALL_IMMEDIATE ? QASM_ALU :
											QASM_LOAD;
}

uint32_t qasm_field_get(const struct v3d_qpu_inst *inst, const struct qasm_field *field)
{
	const uint8_t *at = (const uint8_t *)inst + field->offset;
	uint32_t word;

	if (field->bits < 32)
		return *at;
	memcpy(&word, at, sizeof(word));
	return word;
}

void qasm_field_set(struct v3d_qpu_inst *inst, const struct qasm_field *field, uint32_t value)
{
	uint8_t *at = (uint8_t *)inst + field->offset;

	if (field->bits < 32)
		*at = value;
	else
		memcpy(at, &value, sizeof(value));
	inst->kind = v3d_qpu_kind(inst->sig, inst->unpack);
}
