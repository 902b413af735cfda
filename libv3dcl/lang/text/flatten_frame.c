// SPDX-License-Identifier: MIT
/*
 * Frames as the kernel is given them: a checked one is a submit, any other memory with two lists in
 * it.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "flatten.h"

/* Lists that run as they are. @ends: starts and ends of bin and render list */
void flat_lists(struct flat *f, const uint32_t ends[4])
{
	static const char *const names[2] = { "bin", "render" };
	uint32_t i, k;

	v3dcl_buffer_add(&f->ends, ends, 4 * sizeof(ends[0]));
	if (f->json)
		return;
	v3dcl_buffer_printf(&f->steps, "lists {\n");
	for (i = 0; i < 4; i += 2) {
		for (k = 0;
		     ends[i] != ends[i + 1] && k < f->pieces.size / sizeof(struct flat_piece);
		     k++) {
			const struct flat_piece *piece = flat_piece(f, k);

			if (ends[i] - piece->address >= piece->size)
				continue;
			v3dcl_buffer_printf(&f->steps, "\t%s at %s", names[i / 2], piece->name);
			if (ends[i] != piece->address)
				v3dcl_buffer_printf(&f->steps, " + 0x%x", ends[i] - piece->address);
			v3dcl_buffer_printf(&f->steps, " size %u\n", ends[i + 1] - ends[i]);
			break;
		}
	}
	v3dcl_buffer_printf(&f->steps, "}\n");
}

static int raw(struct flat *f, struct v3dcl_frame *frame, uint32_t memory, uint32_t tiles)
{
	const struct drm_v3dcl_address *address;
	struct drm_v3dcl_submit_lists submit;
	uint32_t ends[4], base, i;
	const uint32_t *handles;
	int ret = v3dcl_frame_raw(frame, memory, tiles, &submit, f->error);

	if (ret)
		return ret;
	handles = (const uint32_t *)(uintptr_t)submit.bo_handles;
	address = (const struct drm_v3dcl_address *)(uintptr_t)submit.addresses;
	for (i = 0; i < submit.address_count; i++) {
		const struct decode_address known = {
			.piece = handles[address[i].bo] - 1, .at = address[i].offset,
			.to = handles[address[i].target] - 1, .offset = address[i].target_offset,
		};

		flat_address(f, &known);
	}
	base = flat_piece(f, memory - 1)->address;
	ends[0] = base + submit.bin.start;
	ends[1] = base + submit.bin.end;
	ends[2] = base + submit.render.start;
	ends[3] = base + submit.render.end;
	flat_lists(f, ends);
	return 0;
}

static int write_submit(struct flat *f, const struct drm_vc4_submit_cl *submit)
{
	const uint32_t *handles = (const uint32_t *)(uintptr_t)submit->bo_handles;
	const char **names = calloc(submit->bo_handle_count + 1, sizeof(*names));
	uint32_t i;
	int ret;

	if (!names)
		return flat_no_memory(f);
	for (i = 0; i < submit->bo_handle_count; i++)
		names[i] = flat_piece(f, handles[i] - 1)->name;
	if (f->json && f->steps.size)
		v3dcl_buffer_printf(&f->steps, ",\n");
	ret = decode_submit(submit, names, f->json, &f->steps, f->error);
	free(names);
	return ret;
}

static int checked(struct flat *f, struct v3dcl_frame *frame, uint32_t memory)
{
	struct drm_vc4_submit_cl submit;
	const uint32_t *handles;
	uint32_t i;
	int ret = v3dcl_frame_checked(frame, memory, &submit, f->error);

	if (ret)
		return ret;
	handles = (const uint32_t *)(uintptr_t)submit.bo_handles;
	for (i = 0; i < submit.bo_handle_count && handles[i] != memory; i++)
		;
	if (memory && i == submit.bo_handle_count)
		/* nothing points there: the three parts say all */
		flat_piece(f, memory - 1)->size = 0;
	return write_submit(f, &submit);
}

/* A frame, as the one kind of job or the other */
int flat_frame(struct flat *f, const struct script_frame *frame)
{
	struct frame_maker maker = { .bo = frame_thing_as_bo, .error = f->error };
	struct script_bytes bytes = { { 0 }, { 0 } };
	uint32_t size = 0, tile_bytes = 0, memory = 0, tiles = 0;
	const uint8_t *kept = NULL;
	int ret = v3dcl_frame_new(&maker.frame, f->error);

	if (!ret)
		ret = frame_make(&maker, frame);
	if (!ret)
		ret = v3dcl_frame_memory(maker.frame, &kept, &size, &tile_bytes, f->error);
	if (!ret && size)
		ret = v3dcl_buffer_add(&bytes.data, kept, size) ?
			      flat_add(f, "frame", &bytes, size, &memory) :
			      flat_no_memory(f);
	memory += !ret && size;
	if (!ret && tile_bytes)
		ret = flat_add(f, "tiles", NULL, tile_bytes, &tiles);
	tiles += !ret && tile_bytes;
	if (!ret)
		ret = v3dcl_frame_is_raw(maker.frame) ? raw(f, maker.frame, memory, tiles) :
							checked(f, maker.frame, memory);
	script_bytes_free(&bytes);
	v3dcl_frame_free(maker.frame);
	return ret;
}

/* A submit, as it is */
int flat_submit(struct flat *f, const struct script_submit *submit)
{
	const struct script_handle *handle = (const struct script_handle *)submit->handles.bytes;
	uint32_t i, count = submit->handles.size / sizeof(*handle);
	struct v3dcl_buffer handles = { 0 };
	struct drm_vc4_submit_cl job;
	bool numbers = false;
	int ret;

	for (i = 0; i < count; i++) {
		const uint32_t bo = handle[i].thing + !handle[i].number;

		numbers |= handle[i].number;
		v3dcl_buffer_add(&handles, &bo, sizeof(bo));
	}
	job = script_submit_job(submit, &handles);
	if (handles.failed)
		ret = flat_no_memory(f);
	else if (numbers)
		ret = decode_submit(&job, NULL, f->json, &f->steps, f->error);
	else
		ret = write_submit(f, &job);
	v3dcl_buffer_free(&handles);
	return ret;
}
