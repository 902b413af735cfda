/* SPDX-License-Identifier: MIT */
/* Inside a frame: what is kept in it, and what is made of it. */
#ifndef V3DCL_CL_FRAME_BUILDING_H
#define V3DCL_CL_FRAME_BUILDING_H

#include <drm/v3dcl_drm.h>

#include "cl.h"
#include "v3dcl_frame.h"

/* A GL shader record that the frame keeps: where it is, and its arrays */
struct kept_record {
	uint32_t at, attributes;
	bool extended;
};

/* A uniform stream that the frame keeps */
struct kept_stream {
	uint32_t at, size;
};

/* A BO that is used again; 0 for none */
struct kept_bo {
	uint32_t handle, size;
};

/* What has been made of it for a submit */
struct frame_out {
	struct v3dcl_buffer handles;	/* uint32_t: of BOs, each once */
	struct v3dcl_buffer bin, records, uniforms;
	struct v3dcl_buffer addresses;	/* struct drm_v3dcl_address */
	uint32_t record_count;
};

struct v3dcl_frame {
	struct v3dcl_targets targets;
	struct v3dcl_list bin, render;
	struct v3dcl_block memory;	/* what it keeps */
	struct v3dcl_buffer records;	/* struct kept_record, by place */
	struct v3dcl_buffer streams;	/* struct kept_stream, by place */
	struct v3dcl_block whole;	/* memory, and the lists behind it */
	struct drm_v3dcl_list bin_at, render_at;
	struct frame_out out;
	uint32_t perfmon;		/* 0 for none */
	struct kept_bo kept_memory, kept_tiles;
	struct v3dcl_device *kept_on;	/* whose they are; NULL for none */
};

/* The tile binning mode of its bin list, and the address fields of it */
struct frame_mode {
	struct v3d_tile_binning_mode mode;
	struct v3dcl_address lists, state;
};

/* Where a record's address field stands, in bytes from its start */
#define CL_PLACE(o, name, type, low, bits) o##_##name = ((low) + (bits) - 32) / 8,

void frame_out_free(struct frame_out *out);
void frame_close_kept(struct v3dcl_frame *frame);
bool frame_find_mode(const struct v3dcl_frame *frame, struct frame_mode *mode);
uint32_t frame_tile_bytes(const struct v3dcl_frame *frame);
const struct v3dcl_fixup *frame_fixup_at(const struct v3dcl_block *block, uint32_t at);
int frame_handle(struct frame_out *out, uint32_t handle, uint32_t *index,
		 struct v3dcl_error *error);

#endif /* V3DCL_CL_FRAME_BUILDING_H */
