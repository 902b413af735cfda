// SPDX-License-Identifier: MIT
/* The things of a job as memory: where each stands, and its bytes. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "flatten.h"

/* Where the first thing is that the text does not place: any address but 0 would do */
#define FIRST_ADDRESS 0x00100000

static void points_into(bool *pointed, const struct script_bytes *bytes)
{
	const struct script_fixup *fixup = (const struct script_fixup *)bytes->fixups.bytes;
	size_t i, count = bytes->fixups.size / sizeof(*fixup);

	for (i = 0; i < count; i++) {
		if (fixup[i].thing != SCRIPT_FRAME_MEMORY)
			pointed[fixup[i].thing] = true;
	}
}

static uint32_t note_pointed(void *opaque, uint32_t thing)
{
	bool *pointed = opaque;

	pointed[thing] = true;
	return thing + 1;
}

/* Programs are memory if something that runs as it is leads to them. @pointed: a flag a thing */
static int find_pointed(struct flat *f, bool *pointed)
{
	const struct v3dcl_script *s = f->script;
	bool *ignored = calloc(s->thing_count + 1, sizeof(*ignored));
	uint32_t i;
	int ret = ignored ? 0 : flat_no_memory(f);

	for (i = 0; i < s->thing_count; i++)
		points_into(pointed, &s->things[i].bytes);
	for (i = 0; i < s->step_count && !ret; i++) {
		struct frame_maker maker = { .bo = note_pointed, .opaque = ignored,
					     .error = f->error };

		if (s->steps[i].kind == SCRIPT_LISTS) {
			points_into(pointed, &s->steps[i].lists.list[0]);
			points_into(pointed, &s->steps[i].lists.list[1]);
		}
		if (s->steps[i].kind != SCRIPT_FRAME)
			continue;
		ret = v3dcl_frame_new(&maker.frame, f->error);
		if (!ret)
			ret = frame_make(&maker, s->steps[i].frame);
		if (!ret && v3dcl_frame_is_raw(maker.frame)) {
			v3dcl_frame_free(maker.frame);
			maker.opaque = pointed;
			ret = v3dcl_frame_new(&maker.frame, f->error);
			if (!ret)
				ret = frame_make(&maker, s->steps[i].frame);
		}
		v3dcl_frame_free(maker.frame);
	}
	free(ignored);
	return ret;
}

static int place(struct flat *f, const bool *pointed)
{
	const struct v3dcl_script *s = f->script;
	uint32_t i;

	f->next = FIRST_ADDRESS;
	for (i = 0; i < s->thing_count; i++) {
		const uint64_t end = (uint64_t)s->things[i].address + s->things[i].size;

		if (s->things[i].placed && end > f->next)
			f->next = (end + 0xfff) & ~UINT64_C(0xfff);
	}
	for (i = 0; i < s->thing_count; i++) {
		const struct script_thing *thing = &s->things[i];
		struct flat_piece piece = { .size = thing->assembly && !pointed[i] ? 0 :
										     thing->size };

		if (f->next + thing->size > UINT32_MAX ||
		    (uint64_t)thing->address + thing->size > UINT32_MAX)
			return v3dcl_fail(f->error, -E2BIG, "%s does not end below 2^32",
					  thing->name);
		piece.address = thing->placed ? thing->address : f->next;
		if (!thing->placed)
			f->next = (f->next + piece.size + 0xfff) & ~UINT64_C(0xfff);
		piece.name = strdup(thing->name);
		piece.bytes = calloc(piece.size + 1, 1);
		if (!piece.name || !piece.bytes ||
		    !v3dcl_buffer_add(&f->pieces, &piece, sizeof(piece))) {
			free(piece.name);
			free(piece.bytes);
			return flat_no_memory(f);
		}
	}
	return 0;
}

static void fill_code(uint8_t *to, const struct v3dcl_assembly *assembly)
{
	uint32_t i;

	for (i = 0; i < assembly->code_count; i++) {
		v3d_put_bits(to + 8 * i, 0, 32, (uint32_t)assembly->code[i]);
		v3d_put_bits(to + 8 * i, 32, 32, (uint32_t)(assembly->code[i] >> 32));
	}
}

/* The first pieces are the things, in their order */
int flat_things(struct flat *f)
{
	const struct v3dcl_script *s = f->script;
	bool *pointed = calloc(s->thing_count + 1, sizeof(*pointed));
	uint32_t i;
	int ret = pointed ? find_pointed(f, pointed) : flat_no_memory(f);

	if (!ret)
		ret = place(f, pointed);
	for (i = 0; i < s->thing_count && !ret; i++) {
		const struct flat_piece *piece = flat_piece(f, i);

		if (!s->things[i].assembly)
			flat_fill(f, i, &s->things[i].bytes);
		else if (piece->size)
			fill_code(piece->bytes, s->things[i].assembly);
	}
	free(pointed);
	return ret;
}
