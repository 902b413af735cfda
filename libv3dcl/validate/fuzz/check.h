/* SPDX-License-Identifier: MIT */
/*
 * A trial before the checker: what the driver does between the ioctl and the queue.
 */
#ifndef V3DCL_JOB_FUZZ_CHECK_H
#define V3DCL_JOB_FUZZ_CHECK_H

#include "trial.h"

/* The driver's own memory */
#define CHECK_EXEC 0x60000000u
#define CHECK_RENDER 0x64000000u
#define CHECK_STATE 0x68000000u
#define CHECK_LISTS 0x6a000000u		/* to 0x6fffffff: overspill must be in the same 256 MiB */
#define CHECK_DRIVER_END 0x70000000u

/**
 * struct checked - a trial and what the checker made of it
 * @host: 4 GiB, the V3D's address space
 * @job: frames: what to run
 * @qpu: user programs: what to run
 * @bos: of either
 * @runs: of @qpu
 * @words: of @qpu, like @owners
 * @extra_bytes: that BOs of data count as longer than they are: see plant.h
 * @refusal: why it was refused
 * @shaders: by BO, like @programs
 * @kept: what these point to
 * @kept_words: of @kept that are used
 * @spilt: the checker wrote behind the scratch memory that it was given
 */
struct checked {
	uint8_t *host;
	struct v3dcl_job job;
	struct v3dcl_qpu_job qpu;
	struct v3dcl_bo bos[TRIAL_BOS];
	struct v3dcl_run runs[TRIAL_RUNS];
	uint32_t words[TRIAL_BYTES / 4], owners[TRIAL_BYTES / 4];
	uint32_t extra_bytes;
	struct v3dcl_refusal refusal;
	struct v3dcl_shader shaders[TRIAL_BOS];
	struct v3dcl_program programs[TRIAL_BOS];
	uint32_t kept_words;
	uint64_t kept[1 << 19];
	uint64_t scratch[1 << 19];
	bool spilt;
};

/* The BOs of code; false: refused */
bool check_code(struct checked *c, const struct trial *t);

/**
 * check_job() - the job itself, after check_code(): writes what the V3D reads to @c->host; false:
 * refused
 */
bool check_job(struct checked *c, const struct trial *t);

#endif /* V3DCL_JOB_FUZZ_CHECK_H */
