/* SPDX-License-Identifier: MIT */
/*
 * A user program in one call: assembled with its uniforms by name, run on as many QPUs as there is
 * work, to its end.
 */
#ifndef V3DCL_RUN_H
#define V3DCL_RUN_H

#include "v3dcl_device.h"
#include "v3dcl_qpu.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * struct v3dcl_binding - what a uniform is
 * @name: of the uniform (.uniform NAME), or of the buffer that it refers to (.uniform x, &NAME). A
 *	program that declares no uniforms takes bindings in their order, whatever they are called.
 * @handle: of a BO: the uniform is an address in it; 0: it is a number
 * @value: the number; or bytes from the start of the BO
 * @step: added to @value for each further run of the program
 * @each: one value for each run, instead of @value and @step; or NULL
 * @flags: DRM_V3DCL_RELOC_READ and DRM_V3DCL_RELOC_WRITE; 0 for what the program declares, else for
 *	both
 */
struct v3dcl_binding {
	const char *name;
	uint32_t handle, value, step;
	const uint32_t *each;
	uint32_t flags;
};

/**
 * struct v3dcl_launch - how a program is run; all else zero is the usual
 * @size: sizeof(struct v3dcl_launch)
 * @bindings: what its uniforms are
 * @binding_count: of @bindings
 * @runs: how often it runs, as many at once as there are QPUs; 0 for once
 * @program: a BO that v3dcl_bo_create_program() made of it; 0: one is made for this call
 * @perfmon: id of a perfmon of the device that counts; 0 for none
 * @timeout_ns: how long a submit may take; 0 for the driver's usual
 */
struct v3dcl_launch {
	size_t size;
	const struct v3dcl_binding *bindings;
	uint32_t binding_count;
	uint32_t runs, program, perfmon;
	uint64_t timeout_ns;
};

/**
 * v3dcl_run_program() - run a program, and wait until it has ended
 * @device: where
 * @assembly: the program; its own data (.data) go into a BO of this call's
 * @launch: how
 * @error: filled where the call fails; NULL for none. It says which uniform is not bound, which
 *	instruction is refused and why, and where a program hangs.
 *
 * More runs than a submit takes become several, unless semaphores order them.
 *
 * Return: 0, -EINVAL for a program or binding that is refused, -E2BIG for more than one run may
 * have, -EACCES, -EIO for a job that hung, -ENOMEM
 */
int v3dcl_run_program(struct v3dcl_device *device, const struct v3dcl_assembly *assembly,
		      const struct v3dcl_launch *launch, struct v3dcl_error *error);

#ifdef __cplusplus
}
#endif

#endif /* V3DCL_RUN_H */
