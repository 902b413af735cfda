// SPDX-License-Identifier: MIT
/*
 * The layout of the ioctls' structs: the same for 32-bit and 64-bit callers. Only compiled, for
 * each kind of caller.
 */
#include <stddef.h>

#include <drm/v3dcl_drm.h>

#define SIZE(type, bytes) _Static_assert(sizeof(struct type) == (bytes), #type)
#define PLACE(type, field, at) \
	_Static_assert(offsetof(struct type, field) == (at), #type "." #field)

SIZE(drm_v3dcl_get_param, 16);
PLACE(drm_v3dcl_get_param, value, 8);
SIZE(drm_v3dcl_create_program, 24);
PLACE(drm_v3dcl_create_program, size, 8);
PLACE(drm_v3dcl_create_program, handle, 16);
SIZE(drm_v3dcl_program, 16);
PLACE(drm_v3dcl_program, uniform_count, 12);
SIZE(drm_v3dcl_reloc, 24);
PLACE(drm_v3dcl_reloc, flags, 16);
SIZE(drm_v3dcl_sync, 16);
PLACE(drm_v3dcl_sync, point, 8);
SIZE(drm_v3dcl_submit_qpu, 88);
PLACE(drm_v3dcl_submit_qpu, timeout_ns, 40);
PLACE(drm_v3dcl_submit_qpu, program_count, 48);
PLACE(drm_v3dcl_submit_qpu, flags, 72);
PLACE(drm_v3dcl_submit_qpu, seqno, 80);
SIZE(drm_v3dcl_address, 16);
PLACE(drm_v3dcl_address, target, 8);
SIZE(drm_v3dcl_list, 16);
PLACE(drm_v3dcl_list, end, 8);
SIZE(drm_v3dcl_submit_lists, 96);
PLACE(drm_v3dcl_submit_lists, bin, 32);
PLACE(drm_v3dcl_submit_lists, render, 48);
PLACE(drm_v3dcl_submit_lists, bo_count, 64);
PLACE(drm_v3dcl_submit_lists, perfmon, 80);
PLACE(drm_v3dcl_submit_lists, seqno, 88);
SIZE(drm_v3dcl_stage, 24);
PLACE(drm_v3dcl_stage, out_syncs, 8);
PLACE(drm_v3dcl_stage, in_sync_count, 16);
SIZE(drm_v3dcl_submit_frame, 232);
PLACE(drm_v3dcl_submit_frame, bin, 176);
PLACE(drm_v3dcl_submit_frame, render, 200);
PLACE(drm_v3dcl_submit_frame, flags, 224);
PLACE(drm_v3dcl_submit_frame, priority, 228);
SIZE(drm_v3dcl_refusal, 216);
PLACE(drm_v3dcl_refusal, found, 16);
PLACE(drm_v3dcl_refusal, text, 32);
PLACE(drm_v3dcl_refusal, serial, 128);
PLACE(drm_v3dcl_refusal, value_slot, 152);
PLACE(drm_v3dcl_refusal, path_count, 208);
PLACE(drm_v3dcl_refusal, lost, 212);
/* The one of the kernel's that validate/ reads surfaces from */
SIZE(drm_vc4_submit_cl, 176);
PLACE(drm_vc4_submit_cl, width, 52);
PLACE(drm_vc4_submit_cl, color_read, 60);
