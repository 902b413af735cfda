// SPDX-License-Identifier: MIT
/*
 * What the chip says of a job: where one that hangs stands, and a dump as the kernel module writes
 * one (<drm/v3dcl_dump.h>), before the reset; what its programs raced for. With the device's
 * chip_lock held, by the worker.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/param.h>

#include <drm/v3dcl_dump.h>

#include "internal.h"

/* As the module's: blocks beyond this are left out */
#define DUMP_MOST_BYTES (8u << 20)

enum { QUEUE_BIN, QUEUE_RENDER, QUEUE_PROGRAMS };

#define REGISTER_OFFSET(name, kind, offset, access, reset) (offset),
static const uint16_t registers[] = { V3D_REGS(REGISTER_OFFSET) };

/* A dump being written; blocks beside where their bytes are */
struct dump {
	struct v3dcl_dump_header header;
	struct v3dcl_dump_block *blocks;
	const void **bytes;
	struct v3dcl_dump_queue queue;
	struct v3dcl_dump_run *runs;
	struct v3dcl_dump_facts *facts;
	uint32_t fact_count;
};

/* Blocks that are tables */
#define TABLES 3

/* Of a frame: binning is over when the chip has said so, or there was none */
static uint32_t queue_of(struct emu_device *dev, const struct job *job)
{
	if (job->kind == JOB_QPU)
		return QUEUE_PROGRAMS;
	return job->bin_start == job->bin_end ||
			       (chip_read(dev, V3D_INTCTL) & V3D_SET(INTCTL, FLDONE, 1)) ?
		       QUEUE_RENDER :
		       QUEUE_BIN;
}

static bool has_block(const struct dump *dump, uint32_t address)
{
	uint32_t i;

	for (i = 0; i < dump->header.block_count; i++)
		if (dump->blocks[i].address == address)
			return true;
	return false;
}

static void add_block(struct dump *dump, uint32_t address, uint32_t size, uint32_t kind,
		      const void *bytes)
{
	const uint32_t at = dump->header.block_count;

	if (!size)
		return;
	dump->blocks[at] = (struct v3dcl_dump_block){ address, size, kind, 0 };
	dump->bytes[at] = bytes;
	dump->header.block_count++;
}

static void add_own(struct dump *dump, const struct own *own)
{
	if (!has_block(dump, own->address))
		add_block(dump, own->address, own->size, V3DCL_DUMP_DRIVER, own->cpu);
}

static void add_bo(struct dump *dump, const struct bo *bo)
{
	struct v3dcl_dump_facts *facts = &dump->facts[dump->fact_count];

	if (has_block(dump, bo->address))
		return;
	add_block(dump, bo->address, bo->state == BO_PURGED ? 0 : bo->size,
		  bo->memfd < 0 ? V3DCL_DUMP_CODE : V3DCL_DUMP_BO, bo_cpu(bo));
	if (bo->memfd >= 0)
		return;
	facts->address = bo->address;
	v3dcl_tell_facts(bo->shader, bo->program, facts);
	dump->fact_count++;
}

/* From last to first: the tables, which tell most and are small */
static void add_tables(struct dump *dump, const struct job *job)
{
	uint32_t i;

	for (i = 0; i < job->run_count; i++)
		dump->runs[i] = (struct v3dcl_dump_run){
			.code = job->runs[i].code,
			.uniforms = job->runs[i].uniforms,
			.uniform_count = job->runs[i].uniform_count,
		};
	add_block(dump, 0, dump->fact_count * sizeof(*dump->facts), V3DCL_DUMP_FACTS, dump->facts);
	add_block(dump, 0, job->run_count * sizeof(*dump->runs), V3DCL_DUMP_RUNS, dump->runs);
	add_block(dump, 0, sizeof(dump->queue), V3DCL_DUMP_QUEUES, &dump->queue);
}

static void add_blocks(struct dump *dump, const struct job *job)
{
	uint32_t i;

	for (i = 0; i < job->bo_count; i++)
		add_bo(dump, job->bos[i]);
	for (i = 0; i < job->spill_count; i++)
		add_own(dump, &job->spills[i]);
	add_own(dump, &job->tiles);
	add_own(dump, &job->render);
	add_own(dump, &job->exec);
	add_tables(dump, job);
}

/* Which blocks there is room for, from the last one: lists and records tell most */
static size_t plan(struct dump *dump)
{
	size_t size = sizeof(dump->header) +
		      dump->header.register_count * sizeof(struct v3dcl_dump_register) +
		      dump->header.block_count * sizeof(*dump->blocks);
	uint32_t i;

	for (i = dump->header.block_count; i--;) {
		struct v3dcl_dump_block *block = &dump->blocks[i];

		if (size + block->size > DUMP_MOST_BYTES)
			continue;
		block->dumped_bytes = block->size;
		size += block->size;
	}
	return size;
}

static uint8_t *put(uint8_t *at, const void *bytes, size_t size)
{
	if (size)
		memcpy(at, bytes, size);
	return at + size;
}

static void write_dump(struct emu_device *dev, const struct dump *dump, uint8_t *at)
{
	uint32_t i;

	at = put(at, &dump->header, sizeof(dump->header));
	for (i = 0; i < dump->header.register_count; i++) {
		const struct v3dcl_dump_register reg = { registers[i],
							 chip_read(dev, registers[i]) };

		at = put(at, &reg, sizeof(reg));
	}
	at = put(at, dump->blocks, dump->header.block_count * sizeof(*dump->blocks));
	for (i = 0; i < dump->header.block_count; i++)
		at = put(at, dump->bytes[i], dump->blocks[i].dumped_bytes);
}

/* Return: the dump, the caller's; NULL without memory */
static uint8_t *make_dump(struct emu_device *dev, const struct job *job, int error, size_t *size)
{
	const size_t most = (size_t)job->bo_count + job->spill_count + 3 + TABLES;
	const uint32_t queue = queue_of(dev, job);
	struct dump dump = {
		.header = { .magic = V3DCL_DUMP_MAGIC, .version = V3DCL_DUMP_VERSION,
			    .queue = queue, .error = error, .register_count = COUNT(registers),
			    .seqno = job->seqno, .client = job->file->id,
			    .reason = error == -ENOMEM ? V3DCL_DUMP_NO_MEMORY : dev->ended.reason },
		.blocks = calloc(most, sizeof(*dump.blocks)),
		.bytes = calloc(most, sizeof(*dump.bytes)),
		.runs = calloc((size_t)job->run_count + 1, sizeof(*dump.runs)),
		.facts = calloc((size_t)job->bo_count + 1, sizeof(*dump.facts)),
	};
	uint8_t *made = NULL;

	if (queue != QUEUE_PROGRAMS) {
		dump.header.start = queue == QUEUE_BIN ? job->bin_start : job->render_start;
		dump.header.end = queue == QUEUE_BIN ? job->bin_end : job->render_end;
	}
	dump.queue = (struct v3dcl_dump_queue){
		.queue = queue, .state = 2, .start = dump.header.start, .end = dump.header.end,
		.client = dump.header.client, .seqno = job->seqno, .programs = job->run_count,
		.fed = job->run_count ? dev->ended.fed : 0,
		.done = job->run_count ? dev->ended.done : 0,
	};
	if (dump.blocks && dump.bytes && dump.runs && dump.facts) {
		add_blocks(&dump, job);
		*size = plan(&dump);
		made = malloc(*size);
	}
	if (made)
		write_dump(dev, &dump, made);
	free(dump.blocks);
	free(dump.bytes);
	free(dump.runs);
	free(dump.facts);
	return made;
}

/* Which of the client's BOs an address is in; NULL: of who runs a job. Return: false: none */
bool hang_find(struct emu_device *dev, const struct emu_file *file, uint32_t address,
	       uint32_t *handle, uint32_t *offset)
{
	const struct bo *bo = NULL;
	uint32_t i;

	*handle = *offset = 0;
	if (address < EMU_BO_BASE || address >= EMU_END)
		return false;
	pthread_mutex_lock(&dev->lock);
	pthread_mutex_lock(&dev->map_lock);
	bo = dev->pages[(address - EMU_BO_BASE) / EMU_PAGE];
	pthread_mutex_unlock(&dev->map_lock);
	if (!file && dev->running)
		file = dev->running->file;
	for (i = 0; bo && file && i < file->handles.size && file->handles.entries[i] != bo; i++)
		;
	*handle = bo && file && i < file->handles.size ? i + 1 : 0;
	*offset = bo ? address - bo->address : 0;
	pthread_mutex_unlock(&dev->lock);
	return *handle;
}

static void note_places(struct emu_device *dev, const struct job *job, struct emu_hang *hang)
{
	struct v3dsim_place places[V3DSIM_PLACES];
	unsigned int i;

	hang->place_count = v3dsim_places(dev->chip, places);
	for (i = 0; i < hang->place_count; i++) {
		struct emu_place *place = &hang->places[i];

		memcpy(place->who, places[i].who, sizeof(place->who));
		memcpy(place->state, places[i].state, sizeof(place->state));
		place->address = places[i].address;
		hang_find(dev, job->file, place->address, &place->handle, &place->offset);
	}
}

/* Where the lists of a frame stand */
static void note_lists(struct emu_device *dev, const struct job *job, struct emu_hang *hang)
{
	const bool bins = queue_of(dev, job) == QUEUE_BIN;
	const uint32_t status = chip_read(dev, bins ? V3D_CT0CS : V3D_CT1CS),
		       at = chip_read(dev, bins ? V3D_CT0CA : V3D_CT1CA),
		       start = bins ? job->bin_start : job->render_start,
		       end = bins ? job->bin_end : job->render_end;
	const char *name = bins ? "bin" : "render";

	if (job->kind == JOB_QPU)
		return;
	if (at >= start && at <= end)
		snprintf(hang->list, sizeof(hang->list), "%s at byte %u of the %s list's %u",
			 V3D_GET(status, CTCS, CTRUN) ? "runs, and is" : "stands", at - start,
			 name, end - start);
	else
		snprintf(hang->list, sizeof(hang->list), "%s at 0x%08x, where the %s list has led",
			 V3D_GET(status, CTCS, CTRUN) ? "runs, and is" : "stands", at, name);
}

static void say(struct emu_device *dev, const struct emu_hang *hang)
{
	char chip[V3DSIM_CHIP_NAME];
	unsigned int i;

	v3dsim_chip_name(dev->chip, chip, sizeof(chip));
	fprintf(stderr, "v3d: job %" PRIu64 " hangs (%s), resetting\nv3d: chip %s\n", hang->seqno,
		hang->error == -ENOMEM ? "no memory for tile lists" : "no end in sight", chip);
	if (*hang->fault)
		fprintf(stderr, "v3d: fault: %s\n", hang->fault);
	if (*hang->list)
		fprintf(stderr, "v3d: the control list %s\n", hang->list);
	for (i = 0; i < hang->place_count; i++) {
		const struct emu_place *place = &hang->places[i];

		fprintf(stderr, "v3d: %s %s at 0x%08x", place->who, place->state, place->address);
		if (place->handle)
			fprintf(stderr, ", instruction %zu of BO %u",
				place->offset / sizeof(uint64_t), place->handle);
		fputc('\n', stderr);
	}
}

void hang_note(struct emu_device *dev, const struct job *job, int error)
{
	struct emu_hang hang = { .seqno = job->seqno, .error = error, .file = job->file->id };
	struct drm_vc4_get_hang_state state = { .start_bin = job->bin_start,
						.start_render = job->render_start };
	struct v3dsim_fault fault;
	uint8_t *dump;

	v3dcl_read_hang_state(&dev->hw, &state);
	pthread_mutex_lock(&dev->lock);
	dev->hang = state;
	dev->hang_told = false;
	pthread_mutex_unlock(&dev->lock);
	if (v3dsim_fault(dev->chip, &fault))
		memcpy(hang.fault, fault.text, MIN(sizeof(hang.fault), sizeof(fault.text)));
	note_places(dev, job, &hang);
	note_lists(dev, job, &hang);
	if (!dev->config.quiet)
		say(dev, &hang);
	if (!dev->config.hung)
		return;
	dump = make_dump(dev, job, error, &hang.dump_size);
	hang.dump = dump;
	dev->config.hung(dev->config.opaque, &hang);
	free(dump);
}

/* What the job's programs raced for */
void hang_tell_races(struct emu_device *dev, const struct job *job)
{
	struct v3dsim_race races[V3DSIM_RACES];
	unsigned int count, i, n;
	bool missed;

	if (!dev->config.raced)
		return;
	count = v3dsim_races(dev->chip, races, &missed);
	for (i = 0; i < count; i++) {
		struct emu_race race = { .vpm = races[i].vpm, .place = races[i].place };

		for (n = 0; n < 2; n++) {
			const struct v3dsim_race_side *from = &races[i].sides[n];
			struct emu_race_side *side = &race.sides[n];

			side->qpu = from->qpu;
			side->transfer = from->transfer;
			side->write = from->write;
			hang_find(dev, job->file, from->address, &side->handle, &side->offset);
		}
		dev->config.raced(dev->config.opaque, &race);
	}
	if (missed)
		dev->config.raced(dev->config.opaque, NULL);
}
