/* SPDX-License-Identifier: MIT */
/*
 * What one instruction of accepted code says, whatever stands before it: signals, operations,
 * registers beyond the files, by the tables of the guide.
 */
#ifndef V3DCL_JOB_FUZZ_FORMS_H
#define V3DCL_JOB_FUZZ_FORMS_H

#include <v3d/qpu.h>

#include <stdbool.h>
#include <stdint.h>

/**
 * struct form_half - a half of an instruction: what it does to the register that it names
 * @waddr: that register
 * @condition: under which
 * @active: it does something at all
 * @in_b: the register is one of file B's space
 */
struct form_half {
	__u8 waddr, condition;
	bool active, in_b;
};

struct form_half form_half(const struct v3d_qpu_inst *inst, bool mul);

/* Does an operation that happens take what is at this mux? */
bool form_takes(const struct v3d_qpu_inst *inst, __u8 mux);

/* Is this address read through a port, and taken? */
bool form_reads(const struct v3d_qpu_inst *inst, __u8 raddr);

/* What an instruction of a shader, or of a user program, must not say, in words; NULL: nothing */
const char *form_broken(const struct v3d_qpu_inst *inst, bool shader);

#endif /* V3DCL_JOB_FUZZ_FORMS_H */
