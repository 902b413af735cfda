/* SPDX-License-Identifier: MIT */
/*
 * A trial: one job, whole, as userspace hands it over. Made by a grammar, recorded from a program,
 * or read from a file.
 */
#ifndef V3DCL_JOB_FUZZ_TRIAL_H
#define V3DCL_JOB_FUZZ_TRIAL_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "validate.h"

#define TRIAL_BOS 512
#define TRIAL_CODE 65536
/* More than the words that 16 bits number: what the checker keeps of a word is its number */
#define TRIAL_BYTES ((1 << 18) + (1 << 12))
#define TRIAL_RUNS 12
#define TRIAL_RELOCS 32

enum trial_kind { TRIAL_FRAME, TRIAL_QPU, TRIAL_KINDS };
enum trial_bo_kind { TRIAL_DATA, TRIAL_SHADER, TRIAL_PROGRAM };

/**
 * struct trial_bo - a BO of the job
 * @address: as the V3D sees it
 * @size: bytes
 * @kind: enum trial_bo_kind
 * @first: of code, where it begins in &trial.code; of data, bytes of each index that it is full of,
 *	0 for noise
 * @count: of code, instructions; of indices, the highest
 */
struct trial_bo {
	uint32_t address, size;
	uint32_t kind;
	uint32_t first, count;
};

/* A part of a job's bytes */
struct trial_part {
	uint32_t size;
	uint8_t bytes[TRIAL_BYTES];
};

/**
 * struct trial - see above
 * @seed: of the grammar, and of what is in the BOs
 * @kind: enum trial_kind
 * @submit: frames; its pointers and handles mean nothing
 * @code: of all BOs of code, one after the other
 * @bin: frames, like @records
 * @uniforms: of both kinds of job
 * @programs: user programs, like the arrays and counts after it
 */
struct trial {
	uint64_t seed;
	uint32_t kind;
	struct drm_vc4_submit_cl submit;
	uint32_t bo_count, code_count;
	struct trial_bo bos[TRIAL_BOS];
	uint64_t code[TRIAL_CODE];
	struct trial_part bin, records, uniforms;
	uint32_t program_count, reloc_count;
	struct drm_v3dcl_program programs[TRIAL_RUNS];
	uint32_t program_bos[TRIAL_RUNS];
	struct drm_v3dcl_reloc relocs[TRIAL_RELOCS];
	uint32_t reloc_bos[TRIAL_RELOCS];
};

/* A trial that has nothing yet but a seed */
void trial_begin(struct trial *t, uint64_t seed);

/* One more BO; its index */
uint32_t trial_bo(struct trial *t, uint32_t address, uint32_t size);

/* One more BO of code; its index */
uint32_t trial_code(struct trial *t, enum trial_bo_kind kind, const uint64_t *code, uint32_t count);

/* Bytes at the end of a part; false: no room */
bool trial_add(struct trial_part *part, const void *bytes, uint32_t size);

/* A 32-bit word at the end of a part */
void trial_word(struct trial_part *part, uint32_t word);

/* To a file; false: errno says why */
bool trial_write(const struct trial *t, FILE *file);

/**
 * trial_read() - the next one of a file, of bytes that may be anything: 1 read, 0 end, -1 no trial
 */
int trial_read(struct trial *t, const uint8_t **bytes, size_t *size);

/* What it is, for a person: BOs, disassembly, records */
void trial_print(const struct trial *t, FILE *file);

#endif /* V3DCL_JOB_FUZZ_TRIAL_H */
