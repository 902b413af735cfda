// SPDX-License-Identifier: MIT
/*
 * A job's text as what the V3D is given: memory, with records, code and addresses found by the
 * decoder, and the steps. What comes out is a job's text again, that does the same.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "flatten.h"

/* The base of a texture stands in the upper bits of its first word: AG100 Table 15 */
#define FIRST_WORD_REST (1u << 12)

int flat_no_memory(struct flat *f)
{
	return v3dcl_fail(f->error, -ENOMEM, "no memory");
}

struct flat_piece *flat_piece(struct flat *f, uint32_t index)
{
	return (struct flat_piece *)f->pieces.bytes + index;
}

/* Add an address to the word at a byte of a piece, and remember that it is one */
void flat_address(struct flat *f, const struct decode_address *address)
{
	const struct flat_piece *to = flat_piece(f, address->to);
	uint8_t *word = flat_piece(f, address->piece)->bytes + address->at;
	struct decode_address known = *address;

	known.added = v3d_get_bits(word, 0, 32);
	v3d_put_bits(word, 0, 32, known.added + to->address + known.offset);
	/* What does not look like the first word of a texture is said as a number. */
	if (known.added < FIRST_WORD_REST && known.offset <= to->size)
		v3dcl_buffer_add(&f->addresses, &known, sizeof(known));
}

/**
 * flat_fill() - the bytes of a piece, with the addresses of pieces added to the words where they go
 */
void flat_fill(struct flat *f, uint32_t piece, const struct script_bytes *bytes)
{
	const struct script_fixup *fixup = (const struct script_fixup *)bytes->fixups.bytes;
	size_t i, count = bytes->fixups.size / sizeof(*fixup);

	if (bytes->data.size)
		memcpy(flat_piece(f, piece)->bytes, bytes->data.bytes, bytes->data.size);
	for (i = 0; i < count; i++, fixup++) {
		const struct decode_address address = {
			.piece = piece,
			.at = fixup->at,
			.to = fixup->thing,
			.offset = fixup->offset,
		};

		flat_address(f, &address);
	}
}

static bool is_taken(struct flat *f, const char *name)
{
	uint32_t i;

	for (i = 0; i < f->pieces.size / sizeof(struct flat_piece); i++) {
		if (!strcmp(flat_piece(f, i)->name, name))
			return true;
	}
	return false;
}

/* A name that nothing has yet */
static char *new_name(struct flat *f, const char *kind)
{
	struct v3dcl_buffer name = { 0 };
	uint32_t n = 0;

	do {
		name.size = 0;
		v3dcl_buffer_printf(&name, "%s_%u", kind, n++);
	} while (!name.failed && is_taken(f, (const char *)name.bytes));
	if (name.failed)
		v3dcl_buffer_free(&name);
	return (char *)name.bytes;
}

/**
 * flat_add() - one more piece.
 * @kind: what it is called after.
 * @bytes: NULL for zeros.
 *
 * Return: 0 or a negative errno
 */
int flat_add(struct flat *f, const char *kind, const struct script_bytes *bytes, uint32_t size,
	     uint32_t *index)
{
	struct flat_piece piece = { .size = size, .address = f->next };

	if (f->next + size > UINT32_MAX)
		return v3dcl_fail(f->error, -E2BIG, "memory of more than 4 GiB");
	f->next = (f->next + size + 0xfff) & ~UINT64_C(0xfff);
	piece.name = new_name(f, kind);
	piece.bytes = calloc(size + 1, 1);
	if (!piece.name || !piece.bytes || !v3dcl_buffer_add(&f->pieces, &piece, sizeof(piece))) {
		free(piece.name);
		free(piece.bytes);
		return flat_no_memory(f);
	}
	*index = f->pieces.size / sizeof(piece) - 1;
	if (bytes)
		flat_fill(f, *index, bytes);
	return 0;
}

static int by_place(const void *a, const void *b)
{
	const struct decode_address *x = a, *y = b;

	if (x->piece != y->piece)
		return x->piece < y->piece ? -1 : 1;
	return x->at < y->at ? -1 : x->at > y->at;
}

/* All memory as the decoder has it, and what it finds from the lists on */
static int decode(struct flat *f, struct v3dcl_piece *pieces, uint32_t count,
		  struct v3dcl_buffer *out)
{
	static const uint32_t no_lists[4] = { 0 };
	const struct v3dcl_decoding how = {
		.pieces = pieces, .piece_count = count, .follow = true, .json = f->json
	};
	const uint32_t *ends = (const uint32_t *)f->ends.bytes;
	size_t i, lists = f->ends.size / sizeof(*ends);
	struct decode d;
	int ret = decode_open(&d, &how, f->error);

	if (ret)
		return ret;
	d.own_names = true;
	d.addresses = (const struct decode_address *)f->addresses.bytes;
	d.address_count = f->addresses.size / sizeof(*d.addresses);
	if (d.address_count)
		qsort(f->addresses.bytes, d.address_count, sizeof(*d.addresses), by_place);
	for (i = 0; i < lists; i += 2)
		decode_list(&d, ends[i], ends[i + 1]);
	return decode_write(&d, f->json && lists ? ends + lists - 4 : no_lists, out, f->error);
}

static int write_memory(struct flat *f, struct v3dcl_buffer *out)
{
	uint32_t i, count = f->pieces.size / sizeof(struct flat_piece);
	struct v3dcl_piece *pieces = calloc(count + 1, sizeof(*pieces));
	int ret;

	if (!pieces)
		return flat_no_memory(f);
	for (i = 0; i < count; i++) {
		const struct flat_piece *piece = flat_piece(f, i);

		pieces[i] = (struct v3dcl_piece){ piece->bytes, piece->address, piece->size,
						  piece->name };
	}
	ret = decode(f, pieces, count, out);
	free(pieces);
	return ret;
}

/* Instructions; those at which the QPUs begin have labels */
static void write_program(struct flat *f, uint32_t thing, struct v3dcl_buffer *out)
{
	const struct v3dcl_assembly *a = f->script->things[thing].assembly;
	uint32_t i;

	v3dcl_buffer_printf(out, "program %s {\n", f->script->things[thing].name);
	for (i = 0; i < a->code_count && !out->failed; i++) {
		v3dcl_buffer_printf(out, i ? "at_%u:\t" : "\t", i);
		v3dcl_disassemble(a->code[i], out);
		v3dcl_buffer_printf(out, "\n");
	}
	v3dcl_buffer_printf(out, "}\n\n");
}

static int write_all(struct flat *f, struct v3dcl_buffer *out)
{
	uint32_t i;
	int ret;

	if (f->json) {
		v3dcl_buffer_printf(out, "{\"memory\": ");
		ret = write_memory(f, out);
		v3dcl_buffer_printf(out, ",\n\"submits\": [");
		v3dcl_buffer_add(out, f->steps.bytes, f->steps.size);
		v3dcl_buffer_printf(out, "]}\n");
		return ret;
	}
	for (i = 0; i < f->script->thing_count; i++) {
		const struct script_thing *thing = &f->script->things[i];

		/* What only lists lead to is memory, which the decoder knows as code */
		if (thing->assembly && thing->kinds & ~SCRIPT_COPIED && !flat_piece(f, i)->size)
			write_program(f, i, out);
		else if (thing->t_tiled)
			v3dcl_buffer_printf(out, "buffer %s size %u t_tiled\n", thing->name,
					    thing->size);
	}
	ret = write_memory(f, out);
	if (f->steps.size)
		v3dcl_buffer_add(out, f->steps.bytes, f->steps.size);
	return ret;
}

static void close_all(struct flat *f)
{
	uint32_t i;

	for (i = 0; i < f->pieces.size / sizeof(struct flat_piece); i++) {
		free(flat_piece(f, i)->name);
		free(flat_piece(f, i)->bytes);
	}
	v3dcl_buffer_free(&f->pieces);
	v3dcl_buffer_free(&f->addresses);
	v3dcl_buffer_free(&f->ends);
	v3dcl_buffer_free(&f->steps);
}

int v3dcl_script_decode(const struct v3dcl_script *script, bool json, struct v3dcl_buffer *out,
			struct v3dcl_error *error)
{
	struct flat f = { .script = script, .json = json, .error = error };
	int ret = flat_things(&f);
	uint32_t i;

	for (i = 0; i < script->step_count && !ret; i++)
		ret = flat_step(&f, &script->steps[i]);
	if (!ret)
		ret = write_all(&f, out);
	if (!ret && (out->failed || f.steps.failed || f.ends.failed || f.addresses.failed))
		ret = flat_no_memory(&f);
	close_all(&f);
	return ret;
}
