// SPDX-License-Identifier: MIT
/*
 * The driver's dump of a hang, <drm/v3dcl_dump.h>: registers by name, and the memory that the job
 * could reach.
 */
#include <errno.h>
#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <drm/v3dcl_dump.h>
#include <v3d/regs.h>

#include "../base/helpers.h"
#include "decode.h"

enum { QUEUE_BIN, QUEUE_RENDER, QUEUE_PROGRAMS };

/* The kinds of blocks that are tables are those behind the last one of memory */
#define FIRST_TABLE V3DCL_DUMP_QUEUES
#define TABLES (V3DCL_DUMP_FACTS - FIRST_TABLE + 1)

struct table {
	const uint8_t *bytes;
	size_t size;
};

/* Blocks whose bytes are there; a dump that says it has more than fit its bytes is wrong. */
struct dump {
	struct v3dcl_dump_header header;
	const uint8_t *registers;
	struct table tables[TABLES];
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

static void take_block(struct dump *dump, const struct v3dcl_dump_block *block,
		       const uint8_t *bytes)
{
	static const char *const names[] = {
		[V3DCL_DUMP_BO] = "bo", [V3DCL_DUMP_CODE] = "code", [V3DCL_DUMP_DRIVER] = "driver"
	};

	if (block->kind >= FIRST_TABLE + TABLES)
		return;
	if (block->kind >= FIRST_TABLE) {
		dump->tables[block->kind - FIRST_TABLE] =
			(struct table){ bytes, block->dumped_bytes };
		return;
	}
	dump->kinds[dump->piece_count] = block->kind;
	dump->pieces[dump->piece_count++] = (struct v3dcl_piece){
		.bytes = bytes,
		.address = block->address,
		.size = block->dumped_bytes,
		.name = names[block->kind],
	};
}

static int read_blocks(struct dump *dump, const uint8_t *bytes, size_t size, size_t at,
		       struct v3dcl_error *error)
{
	size_t data = at + (size_t)dump->header.block_count * sizeof(struct v3dcl_dump_block);
	struct v3dcl_dump_block block;
	uint32_t i;

	for (i = 0; i < dump->header.block_count; i++) {
		memcpy(&block, bytes + at + i * sizeof(block), sizeof(block));
		if (block.dumped_bytes > size - data ||
		    block.dumped_bytes > UINT32_MAX - block.address)
			return v3dcl_fail(error, -EINVAL,
					  "block %u at byte %zu of the dump does not fit it", i,
					  at + i * sizeof(block));
		take_block(dump, &block, bytes + data);
		data += block.dumped_bytes;
	}
	return 0;
}

/* Where version 1 had its end */
#define HEADER_1_BYTES offsetof(struct v3dcl_dump_header, client)

/* Return: its bytes, 0 if there is an error */
static size_t read_header(struct v3dcl_dump_header *header, const uint8_t *bytes, size_t size,
			  struct v3dcl_error *error)
{
	size_t least = HEADER_1_BYTES;

	if (size >= least)
		memcpy(header, bytes, least);
	if (size >= least && header->magic == V3DCL_DUMP_MAGIC && header->version > 1)
		least = sizeof(*header);
	if (size < least)
		v3dcl_fail(error, -EINVAL, "a dump has at least %zu bytes, this has %zu", least,
			   size);
	else if (header->magic != V3DCL_DUMP_MAGIC)
		v3dcl_fail(error, -EINVAL, "no dump: byte 0 has 0x%08x, not 0x%08x", header->magic,
			   V3DCL_DUMP_MAGIC);
	else if (header->version < 1 || header->version > V3DCL_DUMP_VERSION)
		v3dcl_fail(error, -EINVAL, "version %u of a dump; this reads 1 to %u",
			   header->version, V3DCL_DUMP_VERSION);
	else
		return memcpy(header, bytes, least) ? least : 0;
	return 0;
}

static int read_dump(struct dump *dump, const uint8_t *bytes, size_t size,
		     struct v3dcl_error *error)
{
	size_t at = read_header(&dump->header, bytes, size, error), registers;

	if (!at)
		return -EINVAL;
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

static const char *const queues[] = { "bin", "render", "user programs" };

static void say_queue(const void *entry, bool json, struct v3dcl_buffer *out)
{
	static const char *const states[] = { "idle", "starts or ends", "runs" };
	struct v3dcl_dump_queue queue;

	memcpy(&queue, entry, sizeof(queue));
	v3dcl_buffer_printf(out, json ? "{\"queue\": \"%s\", \"state\": \"%s\", "
			    "\"client\": %" PRIu64 ", \"seqno\": %" PRIu64 ", "
			    "\"start\": %u, \"end\": %u, \"waiting\": %u, "
			    "\"programs\": %u, \"fed\": %u, \"done\": %u}" :
			    "# Queue of %s: %s, client %" PRIu64 " job %" PRIu64
			    ", list 0x%08x:0x%08x, %u more are ready; of %u programs %u fed, %u "
			    "done\n",
			    queue.queue < COUNT(queues) ? queues[queue.queue] : "unknown",
			    queue.state < COUNT(states) ? states[queue.state] : "unknown",
			    (uint64_t)queue.client, (uint64_t)queue.seqno, queue.start, queue.end,
			    queue.waiting, queue.programs, queue.fed, queue.done);
}

static void say_run(const void *entry, bool json, struct v3dcl_buffer *out)
{
	struct v3dcl_dump_run run;

	memcpy(&run, entry, sizeof(run));
	v3dcl_buffer_printf(out, json ? "{\"code\": %u, \"uniforms\": %u, \"count\": %u}" :
			    "# Run of 0x%08x with uniforms at 0x%08x, %u of them\n",
			    run.code, run.uniforms, run.uniform_count);
}

static void say_facts(const void *entry, bool json, struct v3dcl_buffer *out)
{
	static const char *const checked[] = { "nothing", "a shader", "a user program" };
	struct v3dcl_dump_facts facts;
	uint32_t i;

	memcpy(&facts, entry, sizeof(facts));
	v3dcl_buffer_printf(out, json ? "{\"code\": %u, \"checked\": \"%s\", \"uniforms\": %u, "
			    "\"accesses\": %u, \"uses\": %u, \"varyings\": %u, \"rows_read\": %"
			    PRIu64 ", \"rows_touched\": %" PRIu64 ", \"rows_written\": %" PRIu64
			    ", \"semaphores\": [" :
			    "# Code at 0x%08x, checked as %s: %u uniforms, %u accesses, uses 0x%x, "
			    "%u varyings, rows read 0x%" PRIx64 " touched 0x%" PRIx64
			    " written 0x%" PRIx64 ", semaphores",
			    facts.address,
			    facts.checked < COUNT(checked) ? checked[facts.checked] : checked[0],
			    facts.uniform_words, facts.accesses, facts.uses, facts.varyings,
			    (uint64_t)facts.rows_read, (uint64_t)facts.rows_touched,
			    (uint64_t)facts.rows_written);
	for (i = 0; i < COUNT(facts.semaphores); i++)
		v3dcl_buffer_printf(out, json ? "%s%d" : "%s %d", json && i ? ", " : "",
				    facts.semaphores[i]);
	v3dcl_buffer_printf(out, json ? "]}" : "\n");
}

/* Entries that are there whole */
static void say_tables(const struct dump *dump, bool json, struct v3dcl_buffer *out)
{
	static const struct {
		const char *name;
		size_t size;
		void (*say)(const void *entry, bool json, struct v3dcl_buffer *out);
	} kinds[TABLES] = {
		[V3DCL_DUMP_QUEUES - FIRST_TABLE] = { "queues", sizeof(struct v3dcl_dump_queue),
						      say_queue },
		[V3DCL_DUMP_RUNS - FIRST_TABLE] = { "runs", sizeof(struct v3dcl_dump_run),
						    say_run },
		[V3DCL_DUMP_FACTS - FIRST_TABLE] = { "facts", sizeof(struct v3dcl_dump_facts),
						     say_facts },
	};
	unsigned int kind;
	size_t i;

	for (kind = 0; kind < TABLES; kind++) {
		const struct table *table = &dump->tables[kind];

		if (json)
			v3dcl_buffer_printf(out, " \"%s\": [", kinds[kind].name);
		for (i = 0; i < table->size / kinds[kind].size && !out->failed; i++) {
			if (json && i)
				v3dcl_buffer_printf(out, ",\n  ");
			kinds[kind].say(table->bytes + i * kinds[kind].size, json, out);
		}
		if (json)
			v3dcl_buffer_printf(out, "],\n");
	}
}

static void say_head(const struct dump *dump, bool json, struct v3dcl_buffer *out)
{
	static const char *const reasons[] = {
		[V3DCL_DUMP_UNKNOWN] = "of something that is not told",
		[V3DCL_DUMP_LIMIT] = "it took longer than it may",
		[V3DCL_DUMP_STANDS] = "nothing moved",
		[V3DCL_DUMP_LIST_ERROR] = "its list ended with an error",
		[V3DCL_DUMP_NO_MEMORY] = "there was no memory for its tile lists",
	};
	const struct v3dcl_dump_header *header = &dump->header;
	const char *queue = header->queue <= QUEUE_PROGRAMS ? queues[header->queue] : "unknown";
	const char *reason = header->reason < COUNT(reasons) ? reasons[header->reason] : reasons[0];
	struct v3dcl_dump_register reg;
	uint32_t i;

	v3dcl_buffer_printf(out, json ? "{\"queue\": \"%s\", \"seqno\": %" PRIu64
			    ", \"error\": %d,\n \"client\": %" PRIu64 ", \"reason\": \"%s\",\n" :
			    "# A hang on the queue of %s: job %" PRIu64 ", error %d\n"
			    "# Of client %" PRIu64 ", because %s\n",
			    queue, (uint64_t)header->seqno, header->error,
			    (uint64_t)header->client, reason);
	say_tables(dump, json, out);
	v3dcl_buffer_printf(out, json ? " \"registers\": {" : "");
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
