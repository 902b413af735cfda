// SPDX-License-Identifier: MIT
/* Vertices from memory: see vcd.h. */
#include <string.h>
#include <sys/param.h>

#include "core/sim.h"
#include "vcd.h"

#define COLUMN_BYTES (VPM_USER_ROWS * 4)

/* From memory that the guest may be writing to a copy; whole words where they are aligned */
static void copy_shared(uint8_t *copy, const uint8_t *memory, unsigned int len)
{
	while (len >= 4 && (uintptr_t)memory % 4 == 0) {
		const uint32_t word = __atomic_load_n((const uint32_t *)memory, __ATOMIC_RELAXED);

		memcpy(copy, &word, sizeof(word));
		copy += 4;
		memory += 4;
		len -= 4;
	}
	while (len--)
		*copy++ = __atomic_load_n(memory++, __ATOMIC_RELAXED);
}

/*
 * Bytes into a vertex's column. Whole words fill rows; what begins or ends inside a word leaves the
 * rest of that word as it is.
 */
static void put(struct vpm_segment *segment, unsigned int column, unsigned int offset,
		const uint8_t *bytes, unsigned int len)
{
	uint32_t *word = &segment->in[offset / 4 * VPM_WIDTH + column];

	if (offset % 4 == 0) {
		for (; len >= 4; len -= 4, bytes += 4, word += VPM_WIDTH, offset += 4)
			memcpy(word, bytes, 4);		/* hosts are little endian, as the V3D is */
	}
	for (; len; len--, offset++) {
		const unsigned int shift = offset % 4 * 8;

		word = &segment->in[offset / 4 * VPM_WIDTH + column];
		*word = (*word & ~(0xffu << shift)) | (uint32_t)*bytes++ << shift;
	}
}

/* All that a batch reads of one array, where it lies in one piece: NULL otherwise */
static const uint8_t *whole(struct v3dsim *sim, const struct vcm_attribute *a,
			    const uint32_t *index, unsigned int count, uint64_t *first)
{
	uint32_t low = index[0], high = index[0];
	uint64_t span;

	for (unsigned int n = 1; n < count; n++) {
		low = MIN(index[n], low);
		high = MAX(index[n], high);
	}
	*first = (uint64_t)low * a->stride;
	span = (uint64_t)(high - low) * a->stride + a->size;
	if (*first + a->address + span > UINT32_MAX)
		return NULL;
	return bus_peek(sim, V3DSIM_UNIT_VCD, a->address + (uint32_t)*first, span);
}

static bool fetch_array(struct v3dsim *sim, struct vcm *vcm, const struct vcm_attribute *a,
			const uint32_t *index, unsigned int count)
{
	const unsigned int len = MIN(a->size, COLUMN_BYTES - a->offset);
	uint8_t bytes[COLUMN_BYTES];
	uint64_t first;
	const uint8_t *memory = whole(sim, a, index, count, &first);

	for (unsigned int n = 0; n < count; n++) {
		if (memory)
			copy_shared(bytes, memory + ((uint64_t)index[n] * a->stride - first), len);
		else if (!bus_read(sim, V3DSIM_UNIT_VCD, a->address + index[n] * a->stride, bytes,
				   a->size))
			return false;
		put(&vcm->segment, n, a->offset, bytes, len);
	}
	return true;
}

bool vcd_fetch(struct v3dsim *sim, struct vcm *vcm, const uint32_t *index, unsigned int count)
{
	const struct vcm_shader *shader = &vcm->shader;
	unsigned int rows = 0, end;

	for (unsigned int n = 0; n < shader->attributes; n++) {
		end = howmany(shader->attribute[n].offset + shader->attribute[n].size, 4);
		rows = MAX(end, rows);
	}
	vpm_segment_open(&vcm->segment, MIN(rows, VPM_USER_ROWS), count, sim->residue);
	for (unsigned int n = 0; n < shader->attributes; n++)
		if (!fetch_array(sim, vcm, &shader->attribute[n], index, count))
			return false;
	return true;
}

bool vcd_fetch_shaded(struct v3dsim *sim, const struct vcm_shader *shader, uint32_t index,
		      unsigned int varyings, struct vertex *vertex)
{
	const unsigned int header = shader->clip_header ? 4 : 0,
			   fixed = header + 3 + shader->fragment.point_size;
	const uint32_t addr = shader->vertices + index * shader->stride;
	uint32_t words[4 + 4 + PRIMITIVE_VARYINGS];
	const uint8_t *memory = bus_peek(sim, V3DSIM_UNIT_VCD, addr, (fixed + varyings) * 4);

	if (memory)
		copy_shared((uint8_t *)words, memory, (fixed + varyings) * 4);
	else if (!bus_read(sim, V3DSIM_UNIT_VCD, addr, words, (fixed + varyings) * 4))
		return false;
	for (unsigned int n = 0; n < 4; n++)
		vertex->clip[n] = header ? vcm_float(words[n]) : 0;
	vertex->index = index;
	vertex->xs = (int16_t)words[header];
	vertex->ys = (int16_t)(words[header] >> 16);
	vertex->zs = vcm_float(words[header + 1]);
	vertex->one_over_wc = vcm_float(words[header + 2]);
	vertex->point_size = shader->fragment.point_size ? vcm_float(words[header + 3]) : 0;
	for (unsigned int n = 0; n < varyings; n++)
		vertex->varying[n] = vcm_float(words[fixed + n]);
	return true;
}
