// SPDX-License-Identifier: MIT
/*
 * The driver's dump of a hang, <drm/v3dcl_dump.h>: registers by name, and the memory that the job
 * could reach.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <drm/v3dcl_dump.h>
#include <v3d/regs.h>

#include "../base/helpers.h"
#include "decode.h"

enum { QUEUE_BIN, QUEUE_RENDER, QUEUE_PROGRAMS };

/* Blocks whose bytes are there; a dump that says it has more than fit its bytes is wrong. */
struct dump {
	struct v3dcl_dump_header header;
	const uint8_t *registers;
	struct v3dcl_piece *pieces;
	uint32_t *kinds;
	uint32_t piece_count;
};

static const char *register_name(uint32_t offset)
{
#define NAME(name, kind, offset, access, reset) { #name, offset },
	static const struct {
		const char *name;
		uint32_t offset;
	} registers[] = { V3D_REGS(NAME) };
	size_t i;

	for (i = 0; i < COUNT(registers); i++)
		if (registers[i].offset == offset)
			return registers[i].name;
	return NULL;
}

static int read_blocks(struct dump *dump, const uint8_t *bytes, size_t size, size_t at,
		       struct v3dcl_error *error)
{
	static const char *const names[] = {
		[V3DCL_DUMP_BO] = "bo", [V3DCL_DUMP_CODE] = "code", [V3DCL_DUMP_DRIVER] = "driver"
	};
	size_t data = at + (size_t)dump->header.block_count * sizeof(struct v3dcl_dump_block);
	struct v3dcl_dump_block block;
	uint32_t i;

	for (i = 0; i < dump->header.block_count; i++) {
		memcpy(&block, bytes + at + i * sizeof(block), sizeof(block));
		if (block.dumped_bytes > size - data ||
		    block.dumped_bytes > UINT32_MAX - block.address ||
		    block.kind > V3DCL_DUMP_DRIVER)
			return v3dcl_fail(error, -EINVAL,
					  "block %u at byte %zu of the dump does not fit it", i,
					  at + i * sizeof(block));
		dump->kinds[dump->piece_count] = block.kind;
		dump->pieces[dump->piece_count++] = (struct v3dcl_piece){
			.bytes = bytes + data,
			.address = block.address,
			.size = block.dumped_bytes,
			.name = names[block.kind],
		};
		data += block.dumped_bytes;
	}
	return 0;
}

static int read_dump(struct dump *dump, const uint8_t *bytes, size_t size,
		     struct v3dcl_error *error)
{
	size_t at = sizeof(dump->header), registers;

	if (size < at)
		return v3dcl_fail(error, -EINVAL, "a dump has at least %zu bytes, this has %zu", at,
				  size);
	memcpy(&dump->header, bytes, sizeof(dump->header));
	if (dump->header.magic != V3DCL_DUMP_MAGIC)
		return v3dcl_fail(error, -EINVAL, "no dump: byte 0 has 0x%08x, not 0x%08x",
				  dump->header.magic, V3DCL_DUMP_MAGIC);
	if (dump->header.version != V3DCL_DUMP_VERSION)
		return v3dcl_fail(error, -EINVAL, "version %u of a dump; this reads %u",
				  dump->header.version, V3DCL_DUMP_VERSION);
	registers = (size_t)dump->header.register_count * sizeof(struct v3dcl_dump_register);
	if (registers > size - at ||
	    (size_t)dump->header.block_count * sizeof(struct v3dcl_dump_block) >
		    size - at - registers)
		return v3dcl_fail(error, -EINVAL,
				  "%u registers and %u blocks do not fit a dump of %zu bytes",
				  dump->header.register_count, dump->header.block_count, size);
	dump->registers = bytes + at;
	dump->pieces = calloc((size_t)dump->header.block_count + 1, sizeof(*dump->pieces));
	dump->kinds = calloc((size_t)dump->header.block_count + 1, sizeof(*dump->kinds));
	if (!dump->pieces || !dump->kinds)
		return v3dcl_fail(error, -ENOMEM, "no memory");
	return read_blocks(dump, bytes, size, at + registers, error);
}

static void say_head(const struct dump *dump, bool json, struct v3dcl_buffer *out)
{
	static const char *const queues[] = { "bin", "render", "user programs" };
	const struct v3dcl_dump_header *header = &dump->header;
	const char *queue = header->queue <= QUEUE_PROGRAMS ? queues[header->queue] : "unknown";
	struct v3dcl_dump_register reg;
	uint32_t i;

	v3dcl_buffer_printf(out, json ? "{\"queue\": \"%s\", \"seqno\": %" PRIu64
			    ", \"error\": %d,\n \"registers\": {" :
			    "# A hang on the queue of %s: job %" PRIu64 ", error %d\n",
			    queue, (uint64_t)header->seqno, header->error);
	for (i = 0; i < header->register_count && !out->failed; i++) {
		char number[16];
		const char *name;

		memcpy(&reg, dump->registers + i * sizeof(reg), sizeof(reg));
		name = register_name(reg.offset);
		snprintf(number, sizeof(number), "0x%03x", reg.offset);
		v3dcl_buffer_printf(out, json ? "%s\"%s\": %u" : "%s# %-8s 0x%08x\n",
				    json && i ? ", " : "", name ? name : number, reg.value);
	}
	v3dcl_buffer_printf(out, json ? "},\n \"memory\": " : "\n");
}

static int decode_memory(const struct dump *dump, bool json, struct v3dcl_buffer *out,
			 struct v3dcl_error *error)
{
	const struct v3dcl_decoding how = {
		.pieces = dump->pieces,
		.piece_count = dump->piece_count,
		.follow = true,
		.json = json,
	};
	const struct v3dcl_dump_header *header = &dump->header;
	uint32_t ends[4] = { 0 }, i;
	struct decode d;
	int ret = decode_open(&d, &how, error);

	if (ret)
		return ret;
	if (header->queue <= QUEUE_RENDER) {
		ends[2 * header->queue] = header->start;
		ends[2 * header->queue + 1] = header->end;
		decode_list(&d, header->start, header->end);
	}
	for (i = 0; i < dump->piece_count; i++)
		if (dump->kinds[i] == V3DCL_DUMP_CODE && dump->pieces[i].size)
			decode_code(&d, dump->pieces[i].address, "code");
	return decode_write(&d, ends, out, error);
}

int v3dcl_decode_dump(const uint8_t *bytes, size_t size, bool json, struct v3dcl_buffer *out,
		      struct v3dcl_error *error)
{
	struct dump dump = { 0 };
	int ret = read_dump(&dump, bytes, size, error);

	if (!ret) {
		say_head(&dump, json, out);
		ret = decode_memory(&dump, json, out, error);
		if (json)
			v3dcl_buffer_printf(out, "}\n");
		if (!ret && out->failed)
			ret = v3dcl_fail(error, -ENOMEM, "no memory");
	}
	free(dump.pieces);
	free(dump.kinds);
	return ret;
}
