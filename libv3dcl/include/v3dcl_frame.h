/* SPDX-License-Identifier: MIT */
/*
 * Frames: a bin list, what it points to, and what is rendered where; and the two kinds of jobs that
 * they can become.
 *
 *	DRM_IOCTL_VC4_SUBMIT_CL        checked: the driver writes the render list.
 *	                               For GL shader records only.
 *	DRM_IOCTL_V3DCL_SUBMIT_LISTS   as it is: any record, NV and VG modes, a
 *	                               render list of one's own. Needs privileges.
 */
#ifndef V3DCL_FRAME_H
#define V3DCL_FRAME_H

#include "v3dcl_cl.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * struct v3dcl_target - an image that tiles are loaded from or stored to
 * @address: multiple of 16; a @bo of 0 for none
 * @format: enum v3d_memory_format
 * @pixel: enum v3d_pixel; V3D_RGBA8888 for Z and stencil
 * @full: a full resolution dump, 16 KiB a tile: 4 samples a pixel
 */
struct v3dcl_target {
	struct v3dcl_address address;
	uint32_t format, pixel;
	bool full;
};

/**
 * struct v3dcl_targets - what a frame is rendered from and to
 * @width: pixels
 * @height: pixels
 * @multisample: 4 samples a pixel
 * @color64: 64 bits a pixel (raw lists only)
 * @decimate: enum v3d_decimate of the colour that is stored resolved
 * @clear: use the clear values; else tiles begin as zeros
 * @clear_color: two pixels of rgba8888, or one of rgba16161616
 * @clear_z: 24 bits
 * @clear_stencil: 8 bits
 * @clear_vg_mask: 8 bits
 * @color_read: colour that is loaded at the start of each tile
 * @zs_read: Z and stencil that are loaded at the start of each tile
 * @color_write: where colour is stored at the end of each tile
 * @zs_write: where Z and stencil are stored at the end of each tile
 * @full_color_write: where colour is stored as a full resolution dump
 * @full_zs_write: where Z and stencil are stored as a full resolution dump
 * @vg_mask: enable the VG mask buffer (raw lists only)
 * @coverage_mode: for the coverage pipe (raw lists only)
 * @early_z_disable: no early Z test (raw lists only)
 * @early_z_greater: early Z is for greater and greater or equal (raw lists only)
 */
struct v3dcl_targets {
	uint32_t width, height;
	bool multisample, color64;
	uint32_t decimate;
	bool clear;
	uint32_t clear_color[2], clear_z;
	uint8_t clear_stencil, clear_vg_mask;
	struct v3dcl_target color_read, zs_read, color_write, zs_write, full_color_write,
		full_zs_write;
	bool vg_mask, coverage_mode, early_z_disable, early_z_greater;
};

/**
 * struct v3dcl_tile_lists - what each tile branches to
 * @address: of the tile allocation memory; a @bo of 0 for no tile lists
 * @columns: tiles across, of the bin list
 * @rows: tiles down
 * @initial_block: bytes between the lists of two tiles
 */
struct v3dcl_tile_lists {
	struct v3dcl_address address;
	uint32_t columns, rows, initial_block;
};

/**
 * v3dcl_render_list() - write a whole render list: clears, and for all tiles loads, a branch to its
 * list, stores
 * @list: empty render list
 * @targets: from where and to where
 * @lists: what the binner has made, or NULL
 * @error: filled where the call fails; NULL for none
 *
 * Return: 0, -EINVAL or -ENOMEM; part of it may be there then
 */
int v3dcl_render_list(struct v3dcl_list *list, const struct v3dcl_targets *targets,
		      const struct v3dcl_tile_lists *lists, struct v3dcl_error *error);

struct v3dcl_frame;

/**
 * v3dcl_frame_new() - an empty frame
 * @frame: set to the frame, which v3dcl_frame_free() ends
 * @error: filled where the call fails; NULL for none
 *
 * Return: 0 or -ENOMEM
 */
int v3dcl_frame_new(struct v3dcl_frame **frame, struct v3dcl_error *error);

/**
 * v3dcl_frame_free() - free a frame, with all that was built in it
 * @frame: the frame; NULL is fine. BOs that it names stay the caller's.
 */
void v3dcl_frame_free(struct v3dcl_frame *frame);

/**
 * v3dcl_frame_targets() - what a frame is rendered from and to
 * @frame: the frame
 * @targets: copied
 * @error: filled where the call fails; NULL for none
 *
 * Return: 0, or -EINVAL: a size, format or address that does not exist; the frame is then as it was
 */
int v3dcl_frame_targets(struct v3dcl_frame *frame, const struct v3dcl_targets *targets,
			struct v3dcl_error *error);

/**
 * v3dcl_frame_begin() - begin the bin list: v3dcl_list_begin() for the targets' size, with memory
 * of the frame's own
 * @frame: v3dcl_frame_targets() was called for it
 * @error: filled where the call fails; NULL for none
 *
 * Return: as v3dcl_list_begin()
 */
int v3dcl_frame_begin(struct v3dcl_frame *frame, struct v3dcl_error *error);

/**
 * v3dcl_frame_bin() - the bin list, to add to
 * @frame: the frame
 *
 * Return: the list, owned by the frame and freed with it
 */
struct v3dcl_list *v3dcl_frame_bin(struct v3dcl_frame *frame);

/**
 * v3dcl_frame_render() - the render list, for callers that write one (raw lists only)
 * @frame: the frame
 *
 * Left empty, the render list follows from the targets.
 *
 * Return: the list, owned by the frame and freed with it
 */
struct v3dcl_list *v3dcl_frame_render(struct v3dcl_frame *frame);

/**
 * v3dcl_frame_data() - keep a copy of data: vertices, indices, a sub-list
 * @frame: the frame
 * @block: copied; it stays the caller's
 * @alignment: bytes, a power of two, at most 4096
 * @where: set to the address of the copy
 * @error: filled where the call fails; NULL for none
 *
 * Return: 0, -EINVAL for another alignment or more memory than a frame has, -ENOMEM
 */
int v3dcl_frame_data(struct v3dcl_frame *frame, const struct v3dcl_block *block, uint32_t alignment,
		     struct v3dcl_address *where, struct v3dcl_error *error);

/**
 * v3dcl_frame_uniforms() - keep a copy of a uniform stream
 * @frame: the frame
 * @stream: words and addresses. Addresses are those of textures and of direct reads, in the order
 *	in which the shader asks for lookups: that is what the checked job goes by. The address {
 *	V3DCL_FRAME_MEMORY, V3DCL_OWN_STREAM } is that of the stream itself, for shaders that
 *	branch.
 * @where: set to its address, for shader records
 * @error: filled where the call fails; NULL for none
 *
 * Return: 0, -EINVAL or -ENOMEM
 */
int v3dcl_frame_uniforms(struct v3dcl_frame *frame, const struct v3dcl_block *stream,
			 struct v3dcl_address *where, struct v3dcl_error *error);

/**
 * V3DCL_OWN_STREAM - as an offset into V3DCL_FRAME_MEMORY in a uniform stream: the stream's start
 */
#define V3DCL_OWN_STREAM 0xffffffffu

/**
 * v3dcl_frame_gl() - keep a GL shader record
 * @frame: the frame
 * @record: the record, copied
 * @attributes: its arrays, copied, as for v3dcl_record_gl()
 * @strides: bytes from vertex to vertex of each array, for an extended record; NULL for a plain one
 * @count: of @attributes, 1 to 8
 * @where: set to its address, for record 64
 * @error: filled where the call fails; NULL for none
 *
 * Return: 0, -EINVAL or -ENOMEM
 */
int v3dcl_frame_gl(struct v3dcl_frame *frame, const struct v3dcl_gl_shader_record *record,
		   const struct v3dcl_attribute *attributes, const uint32_t *strides,
		   uint32_t count, struct v3dcl_address *where, struct v3dcl_error *error);

/**
 * v3dcl_frame_nv() - keep an NV shader record
 * @frame: the frame
 * @record: the record, copied, as for v3dcl_record_nv()
 * @where: set to its address, for record 65
 * @error: filled where the call fails; NULL for none
 *
 * Return: 0, -EINVAL or -ENOMEM
 */
int v3dcl_frame_nv(struct v3dcl_frame *frame, const struct v3dcl_nv_shader_record *record,
		   struct v3dcl_address *where, struct v3dcl_error *error);

/**
 * v3dcl_frame_vg() - keep a VG shader record
 * @frame: the frame
 * @record: the record, copied, as for v3dcl_record_vg()
 * @where: set to its address, for record 66
 * @error: filled where the call fails; NULL for none
 *
 * Return: 0, -EINVAL or -ENOMEM
 */
int v3dcl_frame_vg(struct v3dcl_frame *frame, const struct v3dcl_vg_shader_record *record,
		   struct v3dcl_address *where, struct v3dcl_error *error);

/**
 * v3dcl_frame_is_raw() - does a frame have what only raw lists can?
 * @frame: the frame
 *
 * Return: true with NV or VG mode, branches, a render list of its own or 64-bit colour
 */
bool v3dcl_frame_is_raw(struct v3dcl_frame *frame);

/**
 * v3dcl_frame_perfmon() - have its jobs counted
 * @frame: the frame
 * @perfmon: what v3dcl_perfmon_create() set, of the device that it will be submitted to; 0 for none
 */
void v3dcl_frame_perfmon(struct v3dcl_frame *frame, uint32_t perfmon);

struct drm_vc4_submit_cl;
struct drm_v3dcl_submit_lists;

/**
 * v3dcl_frame_memory() - what the frame keeps, as it goes into a BO: lists, records, streams, data
 * @frame: complete
 * @bytes: set to @size bytes, valid until the frame changes or is freed; addresses in them are not
 *	filled in
 * @size: bytes, 0 when there is none
 * @tiles: set to the bytes of the tile memory, 0 when there is none
 * @error: filled where the call fails; NULL for none
 *
 * Return: 0, -EINVAL: a list is not whole; -ENOMEM
 */
int v3dcl_frame_memory(struct v3dcl_frame *frame, const uint8_t **bytes, uint32_t *size,
		       uint32_t *tiles, struct v3dcl_error *error);

/**
 * v3dcl_frame_checked() - as DRM_IOCTL_VC4_SUBMIT_CL takes it
 * @frame: complete
 * @memory: handle of a BO with what v3dcl_frame_memory() says; 0 if nothing points into it
 * @submit: filled; what it points to is the frame's, valid until the frame changes or is freed
 * @error: filled where the call fails; NULL for none
 *
 * Return: 0, -EINVAL: such a job cannot have what is in the frame; -ENOMEM
 */
int v3dcl_frame_checked(struct v3dcl_frame *frame, uint32_t memory,
			struct drm_vc4_submit_cl *submit, struct v3dcl_error *error);

/**
 * v3dcl_frame_raw() - as DRM_IOCTL_V3DCL_SUBMIT_LISTS takes it
 * @frame: complete
 * @memory: handle of a BO with what v3dcl_frame_memory() says
 * @tiles: handle of a BO for the tile memory; 0 if there is none
 * @submit: filled; what it points to is the frame's, valid until the frame changes or is freed
 * @error: filled where the call fails; NULL for none
 *
 * Return: 0, -EINVAL or -ENOMEM
 */
int v3dcl_frame_raw(struct v3dcl_frame *frame, uint32_t memory, uint32_t tiles,
		    struct drm_v3dcl_submit_lists *submit, struct v3dcl_error *error);

struct v3dcl_device;
struct drm_v3dcl_stage;

/**
 * struct v3dcl_frame_options - what a frame waits for and leaves; all else zero is the usual
 * @size: sizeof(struct v3dcl_frame_options)
 * @in_sync: a binary syncobj of the device whose fence it waits for; 0 for none
 * @out_sync: a binary syncobj of the device that gets its fence; 0 for none
 * @in_fence: a sync_file that it waits for; stays the caller's; 0 for none. Not with @in_sync.
 * @out_fence: set to a sync_file of its fence, which the caller closes; NULL for none
 * @keep: its BOs are kept for the next submit, which waits until this one has ended; else each
 *	submit has its own. They go with v3dcl_frame_free(), which then comes before v3dcl_close().
 * @bin: arrays of syncobjs and points of timelines that its binning waits for and that the end of
 *	binning signals, or NULL
 * @render: those of its rendering, or NULL. @in_sync and @in_fence are waited for by binning too,
 *	@out_sync and @out_fence tell the end of rendering.
 * @flags: DRM_V3DCL_FRAME_EXPLICIT of <drm/v3dcl_drm.h>: fences of BOs are not for this frame
 * @priority: enum drm_v3dcl_priority
 *
 * What begins with @bin takes the driver's ABI version 4, and is for checked frames only.
 */
struct v3dcl_frame_options {
	size_t size;
	uint32_t in_sync, out_sync;
	int in_fence;
	int *out_fence;
	bool keep;
	const struct drm_v3dcl_stage *bin, *render;
	uint32_t flags, priority;
};

/**
 * v3dcl_frame_submit_with() - v3dcl_frame_submit() with options
 * @frame: complete; it can be submitted again
 * @device: whose BO handles are in it
 * @options: or NULL
 * @seqno: set to what v3dcl_wait() takes
 * @error: filled where the call fails; NULL for none
 *
 * Return: 0 or a negative errno
 */
int v3dcl_frame_submit_with(struct v3dcl_frame *frame, struct v3dcl_device *device,
			    const struct v3dcl_frame_options *options, uint64_t *seqno,
			    struct v3dcl_error *error);

/**
 * v3dcl_frame_reset() - take out of a frame what was built in it: lists, records, streams, data.
 * Targets, the perfmon and BOs that are kept stay, so that the next frame costs no new BOs.
 * @frame: the frame
 */
void v3dcl_frame_reset(struct v3dcl_frame *frame);

/**
 * v3dcl_frame_submit() - run it on a device: checked if it can be, else raw
 * @frame: complete; it can be submitted again
 * @device: whose BO handles are in it
 * @seqno: set to what v3dcl_wait() takes
 * @error: filled where the call fails; NULL for none
 *
 * Return: 0 or a negative errno
 */
int v3dcl_frame_submit(struct v3dcl_frame *frame, struct v3dcl_device *device, uint64_t *seqno,
		       struct v3dcl_error *error);

#ifdef __cplusplus
}
#endif

#endif /* V3DCL_FRAME_H */
