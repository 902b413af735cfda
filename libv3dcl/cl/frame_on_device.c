// SPDX-License-Identifier: MIT
/* A frame on a device: its memory becomes BOs, which the job holds on to until it has ended. */
#include <errno.h>
#include <string.h>

#include "frame_building.h"
#include "v3dcl_device.h"

static int make_bo(struct v3dcl_device *device, const uint8_t *bytes, uint32_t size,
		   uint32_t *handle, struct v3dcl_error *error)
{
	void *map;
	int ret = v3dcl_bo_create(device, size, handle, error);

	if (ret || !bytes)
		return ret;
	ret = v3dcl_bo_map(device, *handle, &map, error);
	if (!ret)
		memcpy(map, bytes, size);
	return ret;
}

static int submit(struct v3dcl_frame *frame, struct v3dcl_device *device, uint32_t memory,
		  uint32_t tiles, uint64_t *seqno, struct v3dcl_error *error)
{
	struct drm_v3dcl_submit_lists lists;
	struct drm_vc4_submit_cl checked;
	int ret;

	if (v3dcl_frame_is_raw(frame)) {
		ret = v3dcl_frame_raw(frame, memory, tiles, &lists, error);
		if (!ret)
			ret = v3dcl_submit_lists(device, &lists, error);
		if (!ret)
			*seqno = lists.seqno;
		return ret;
	}
	ret = v3dcl_frame_checked(frame, memory, &checked, error);
	if (!ret)
		ret = v3dcl_submit_frame(device, &checked, error);
	if (!ret)
		*seqno = checked.seqno;
	return ret;
}

int v3dcl_frame_submit(struct v3dcl_frame *frame, struct v3dcl_device *device, uint64_t *seqno,
		       struct v3dcl_error *error)
{
	uint32_t size, tile_bytes, memory = 0, tiles = 0;
	const uint8_t *bytes;
	int ret = v3dcl_frame_memory(frame, &bytes, &size, &tile_bytes, error);

	if (!ret && size)
		ret = make_bo(device, bytes, size, &memory, error);
	if (!ret && tile_bytes)
		ret = make_bo(device, NULL, tile_bytes, &tiles, error);
	if (!ret)
		ret = submit(frame, device, memory, tiles, seqno, error);
	if (memory)
		v3dcl_bo_close(device, memory);
	if (tiles)
		v3dcl_bo_close(device, tiles);
	return ret;
}
