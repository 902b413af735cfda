// SPDX-License-Identifier: MIT
/* Trials: see trial.h. */
#include <v3d/packets.h>
#include <v3d/qpu.h>

#include <string.h>

#include "qpu/qpu.h"
#include "trial.h"

#define MAGIC "v3djob1\n"

void trial_begin(struct trial *t, uint64_t seed)
{
	t->seed = seed;
	t->kind = TRIAL_FRAME;
	t->submit = (struct drm_vc4_submit_cl){ 0 };
	t->bo_count = t->code_count = t->program_count = t->reloc_count = 0;
	t->bin.size = t->records.size = t->uniforms.size = 0;
}

uint32_t trial_bo(struct trial *t, uint32_t address, uint32_t size)
{
	t->bos[t->bo_count] = (struct trial_bo){ .address = address, .size = size };
	return t->bo_count++;
}

uint32_t trial_code(struct trial *t, enum trial_bo_kind kind, const uint64_t *code, uint32_t count)
{
	t->bos[t->bo_count] = (struct trial_bo){ .size = count * V3D_QPU_INSTRUCTION_BYTES,
						 .kind = kind, .first = t->code_count,
						 .count = count };
	memcpy(t->code + t->code_count, code, count * sizeof(*code));
	t->code_count += count;
	return t->bo_count++;
}

bool trial_add(struct trial_part *part, const void *bytes, uint32_t size)
{
	if (size > sizeof(part->bytes) - part->size)
		return false;
	memcpy(part->bytes + part->size, bytes, size);
	part->size += size;
	return true;
}

void trial_word(struct trial_part *part, uint32_t word)
{
	(void)trial_add(part, &word, sizeof(word));
}

/* Everything in order, the same way out and in: X(place, bytes) */
#define HEAD(X) \
	X(&t->seed, sizeof(t->seed)) X(&t->kind, sizeof(t->kind)) X(&t->submit, sizeof(t->submit)) \
	X(&t->bo_count, sizeof(t->bo_count)) X(&t->code_count, sizeof(t->code_count)) \
	X(&t->bin.size, sizeof(t->bin.size)) X(&t->records.size, sizeof(t->records.size)) \
	X(&t->uniforms.size, sizeof(t->uniforms.size)) \
	X(&t->program_count, sizeof(t->program_count)) X(&t->reloc_count, sizeof(t->reloc_count))
#define BODY(X) \
	X(t->bos, t->bo_count * sizeof(t->bos[0])) X(t->code, t->code_count * sizeof(t->code[0])) \
	X(t->bin.bytes, t->bin.size) X(t->records.bytes, t->records.size) \
	X(t->uniforms.bytes, t->uniforms.size) \
	X(t->programs, t->program_count * sizeof(t->programs[0])) \
	X(t->program_bos, t->program_count * sizeof(t->program_bos[0])) \
	X(t->relocs, t->reloc_count * sizeof(t->relocs[0])) \
	X(t->reloc_bos, t->reloc_count * sizeof(t->reloc_bos[0]))

bool trial_write(const struct trial *t, FILE *file)
{
#define PUT(place, bytes) good = good && fwrite(place, 1, bytes, file) == (bytes);
	bool good = fwrite(MAGIC, 1, 8, file) == 8;

	HEAD(PUT)
	BODY(PUT)
	return good;
#undef PUT
}

static bool take(void *out, const uint8_t **bytes, size_t *size, size_t count)
{
	if (count > *size)
		return false;
	memcpy(out, *bytes, count);
	*bytes += count;
	*size -= count;
	return true;
}

/* Counts that fit, and code that lies where the BOs say */
static bool sane_head(const struct trial *t)
{
	return t->kind < TRIAL_KINDS && t->bo_count <= TRIAL_BOS && t->code_count <= TRIAL_CODE &&
	       t->bin.size <= TRIAL_BYTES && t->records.size <= TRIAL_BYTES &&
	       t->uniforms.size <= TRIAL_BYTES && t->program_count <= TRIAL_RUNS &&
	       t->reloc_count <= TRIAL_RELOCS;
}

static bool sane_bos(const struct trial *t)
{
	for (uint32_t i = 0; i < t->bo_count; i++) {
		const struct trial_bo *bo = &t->bos[i];

		if (bo->kind > TRIAL_PROGRAM ||
		    (bo->kind != TRIAL_DATA &&
		     (bo->first > t->code_count || bo->count > t->code_count - bo->first)) ||
		    bo->address % 16 || (uint64_t)bo->address + bo->size > UINT64_C(1) << 32)
			return false;
	}
	return true;
}

int trial_read(struct trial *t, const uint8_t **bytes, size_t *size)
{
#define GET(place, count) good = good && take(place, bytes, size, count);
	char magic[8];
	bool good;

	if (!*size)
		return 0;
	good = take(magic, bytes, size, 8) && !memcmp(magic, MAGIC, 8);
	HEAD(GET)
	good = good && sane_head(t);
	if (!good)
		return -1;
	BODY(GET)
	return good && sane_bos(t) ? 1 : -1;
#undef GET
}

static void print_code(const struct trial *t, uint32_t index, FILE *file)
{
	const struct trial_bo *bo = &t->bos[index];
	char text[160];

	for (uint32_t i = 0; i < bo->count; i++) {
		qpu_text(text, sizeof(text), t->code[bo->first + i]);
		fprintf(file, "    %3u  0x%016llx  %s\n", i,
			(unsigned long long)t->code[bo->first + i], text);
	}
}

static void print_part(const char *name, const struct trial_part *part, FILE *file)
{
	fprintf(file, "  %s, %u bytes:", name, part->size);
	for (uint32_t i = 0; i < part->size && i < 1024; i++)
		fprintf(file, "%s%02x", i % 32 ? i % 4 ? "" : " " : "\n    ", part->bytes[i]);
	fputc('\n', file);
}

/* The bin list, record by record, as far as it can be followed */
static void print_list(const struct trial *t, FILE *file)
{
	for (uint32_t at = 0; at < t->bin.size;) {
		const struct v3d_packet_info *info = v3d_packet_info(t->bin.bytes[at]);

		if (!info->name || !info->length || info->length > t->bin.size - at)
			return;
		fprintf(file, "    %4u  %s", at, info->name);
		for (const struct v3d_field *field = info->fields; field && field->name; field++)
			fprintf(file, " %s=0x%x", field->name,
				v3d_get_bits(t->bin.bytes + at, 8 + field->low, field->bits));
		fputc('\n', file);
		at += info->length;
	}
}

void trial_print(const struct trial *t, FILE *file)
{
	static const char *const kinds[] = { "data", "shader", "program" };

	fprintf(file, "job %llu, %s\n", (unsigned long long)t->seed,
		t->kind == TRIAL_FRAME ? "a frame" : "user programs");
	for (uint32_t i = 0; i < t->bo_count; i++) {
		fprintf(file, "  BO %u: %s, %u bytes at 0x%08x\n", i, kinds[t->bos[i].kind],
			t->bos[i].size, t->bos[i].address);
		if (t->bos[i].kind != TRIAL_DATA)
			print_code(t, i, file);
	}
	for (uint32_t i = 0; i < t->program_count; i++)
		fprintf(file, "  run %u: BO %u + %u, uniforms %u to %u\n", i, t->program_bos[i],
			t->programs[i].offset, t->programs[i].first_uniform,
			t->programs[i].first_uniform + t->programs[i].uniform_count);
	for (uint32_t i = 0; i < t->reloc_count; i++)
		fprintf(file, "  relocation %u: run %u slot %u = BO %u + %u, flags %u\n", i,
			t->relocs[i].program, t->relocs[i].slot, t->reloc_bos[i],
			t->relocs[i].offset, t->relocs[i].flags);
	print_part("bin list", &t->bin, file);
	print_list(t, file);
	print_part("shader records", &t->records, file);
	print_part("uniforms", &t->uniforms, file);
	print_part("submit", &(struct trial_part){ 0 }, file);
	fprintf(file, "  %ux%u, tiles %u,%u to %u,%u, flags %u\n", t->submit.width,
		t->submit.height, t->submit.min_x_tile, t->submit.min_y_tile, t->submit.max_x_tile,
		t->submit.max_y_tile, t->submit.flags);
}
