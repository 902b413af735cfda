/* SPDX-License-Identifier: MIT */
/*
 * A job in a form that belongs to no checker and no generator: what generate.c writes and dump.c
 * reads, through a pipe on one machine. Only the ABI's own structs are in it, as bytes.
 */
#ifndef V3DCL_VERDICTS_PLAIN_H
#define V3DCL_VERDICTS_PLAIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PLAIN_MAGIC 0x6e6c7076u
#define PLAIN_BOS 512
#define PLAIN_CODE 65536	/* instructions of all BOs */
#define PLAIN_BYTES ((1 << 18) + (1 << 12)) /* of each part, as many as TRIAL_BYTES */
#define PLAIN_RUNS 16
#define PLAIN_RELOCS 64
#define PLAIN_STRUCT 512	/* bytes of a struct of the ABI, at most */

/* Jobs are told apart by where they come from, and by a number: see PLAIN_JOB() */
enum plain_origin {
	ORIGIN_SEED,	/* of the oracle's generator */
	ORIGIN_CODE,	/* code alone; the seed is v3d-differ's */
	ORIGIN_CORPUS,	/* of the first corpus; further ones follow */
};

#define PLAIN_JOB(origin, number) ((uint64_t)(origin) << 56 | (number))

enum plain_kind {
	PLAIN_FRAME,
	PLAIN_PROGRAMS,
	PLAIN_ALONE,	/* code that belongs to no job */
	PLAIN_END,	/* no job: the end of a block */
};

enum plain_bo_kind { PLAIN_DATA, PLAIN_SHADER, PLAIN_PROGRAM };

/**
 * struct plain_bo - a BO of the job
 * @address: as the V3D sees it
 * @size: bytes
 * @kind: enum plain_bo_kind
 * @first: of code, where it begins in the job's
 * @count: of code, instructions
 */
struct plain_bo {
	uint32_t address, size, kind, first, count;
};

/**
 * struct plain_head - what each job begins with
 * @magic: PLAIN_MAGIC
 * @kind: enum plain_kind
 * @job: PLAIN_JOB()
 * @code_only: nothing follows but BOs and code: the generator's checker refused the code
 * @bo_count: and so on: how much there is of each part of &struct plain
 * @submit_bytes: length of struct drm_vc4_submit_cl; 0 without one
 * @program_bytes: of struct drm_v3dcl_program
 * @reloc_bytes: of struct drm_v3dcl_reloc
 */
struct plain_head {
	uint32_t magic, kind;
	uint64_t job;
	uint32_t code_only;
	uint32_t bo_count, code_count;
	uint32_t bin_bytes, record_bytes, uniform_bytes;
	uint32_t program_count, reloc_count;
	uint32_t submit_bytes, program_bytes, reloc_bytes;
	uint32_t pad;
};

/**
 * struct plain - a job
 * @head: counts of all that follows
 * @submit: frames: struct drm_vc4_submit_cl, whose pointers and handles mean nothing
 * @bos: in the order of the submit's handles
 * @code: of all BOs of code
 * @bin: frames, like @records
 * @uniforms: of both kinds of job
 * @programs: structs of the ABI, one after the other, like @relocs
 * @program_bos: for each of @programs an index into @bos
 * @reloc_bos: for each of @relocs an index into @bos
 */
struct plain {
	struct plain_head head;
	uint8_t submit[PLAIN_STRUCT];
	struct plain_bo bos[PLAIN_BOS];
	uint64_t code[PLAIN_CODE];
	uint8_t bin[PLAIN_BYTES], records[PLAIN_BYTES], uniforms[PLAIN_BYTES];
	uint8_t programs[PLAIN_RUNS * PLAIN_STRUCT];
	uint32_t program_bos[PLAIN_RUNS];
	uint8_t relocs[PLAIN_RELOCS * PLAIN_STRUCT];
	uint32_t reloc_bos[PLAIN_RELOCS];
};

/* Everything behind the head, in order, the same way out and in: X(place, bytes) */
#define PLAIN_BODY(X, p) \
	X((p)->submit, (p)->head.submit_bytes) \
	X((p)->bos, (p)->head.bo_count * sizeof((p)->bos[0])) \
	X((p)->code, (p)->head.code_count * sizeof((p)->code[0])) \
	X((p)->bin, (p)->head.bin_bytes) \
	X((p)->records, (p)->head.record_bytes) \
	X((p)->uniforms, (p)->head.uniform_bytes) \
	X((p)->programs, (p)->head.program_count * (p)->head.program_bytes) \
	X((p)->program_bos, (p)->head.program_count * sizeof((p)->program_bos[0])) \
	X((p)->relocs, (p)->head.reloc_count * (p)->head.reloc_bytes) \
	X((p)->reloc_bos, (p)->head.reloc_count * sizeof((p)->reloc_bos[0]))

/* Do the counts of a head fit into &struct plain? */
static inline bool plain_sane(const struct plain_head *head)
{
	return head->magic == PLAIN_MAGIC && head->kind <= PLAIN_END &&
	       head->bo_count <= PLAIN_BOS && head->code_count <= PLAIN_CODE &&
	       head->bin_bytes <= PLAIN_BYTES && head->record_bytes <= PLAIN_BYTES &&
	       head->uniform_bytes <= PLAIN_BYTES && head->program_count <= PLAIN_RUNS &&
	       head->reloc_count <= PLAIN_RELOCS && head->submit_bytes <= PLAIN_STRUCT &&
	       head->program_bytes <= PLAIN_STRUCT && head->reloc_bytes <= PLAIN_STRUCT;
}

#endif /* V3DCL_VERDICTS_PLAIN_H */
