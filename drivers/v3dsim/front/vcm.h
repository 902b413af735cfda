/* SPDX-License-Identifier: MIT */
/*
 * The Vertex Cache Manager (AG100 p. 62): collects up to 16 vertices that are not at hand, has the
 * VCD fetch them and, in GL mode, a QPU shade them, and keeps what came of them for the primitives
 * that follow.
 *
 * How many vertices the chip keeps is not established: here, the batch being made and the seven
 * before it. They are dropped at a shader state, at a draw record and wherever a list is entered or
 * left, so that memory which changed in between is seen.
 */
#ifndef V3DSIM_VCM_H
#define V3DSIM_VCM_H

#include <v3d/lists.h>
#include <v3d/qpu.h>

#include "qpu/vpm.h"
#include "cle.h"
#include "primitive.h"

#define VCM_BATCH V3D_QPU_LANES
#define VCM_BANKS 8
#define VCM_SLOTS (VCM_BATCH * VCM_BANKS)
#define VCM_QUEUE 64		/* primitives that wait for a batch, at most */
#define VCM_MAP 256

/**
 * struct vcm_attribute - an array that the shader of this thread reads. @size in bytes; @offset in
 * a vertex's column of the VPM
 */
struct vcm_attribute {
	uint32_t address, stride;
	unsigned int size, offset;
};

/**
 * struct vcm_shader - what the shader state in force says, unpacked once
 * @id: of its record, 64 to 67
 * @fragment: what goes along with primitives; no more varyings than a vertex's column of the VPM
 *	holds
 * @clipping: flag bit 2
 * @clip_header: vertices have their clip coordinates on this thread
 * @code, @uniforms: of the coordinate shader on the binning thread, of the vertex shader on the
 *	rendering thread; GL mode only
 * @attributes: how many of @attribute that shader reads
 * @vertices, @stride: pre-shaded vertices, NV mode only
 */
struct vcm_shader {
	uint8_t id;
	struct primitive_shader fragment;
	bool clipping, clip_header;
	uint32_t code, uniforms;
	unsigned int attributes;
	struct vcm_attribute attribute[V3D_ATTRIBUTES];
	uint32_t vertices, stride;
};

/* How far a batch is */
enum vcm_phase { VCM_COLLECTING, VCM_FETCHING, VCM_SHADING, VCM_READY };

/**
 * struct vcm - a control thread's
 * @shader: valid once vcm_begin() returned true
 * @stale: what is kept must not be used any more
 * @bank: slots [@bank * VCM_BATCH, ...) are this batch's, @count of them taken
 * @index: of the vertex in each slot of @known, a bit a slot by bank
 * @map: the slot in which a vertex may be, by the low bits of its index
 * @queue: slots of the primitives that were added, @queued of them; @done were drawn
 * @segment: the batch's part of the VPM
 * @programs: shaders that were run as a whole
 */
struct vcm {
	struct vcm_shader shader;
	bool stale;
	enum vcm_phase phase;
	unsigned int bank, count;
	uint32_t index[VCM_SLOTS];
	uint16_t known[VCM_BANKS];
	uint8_t map[VCM_MAP];
	unsigned int queued, done;
	uint8_t queue[VCM_QUEUE][3];
	struct vertex vertex[VCM_SLOTS];
	struct vpm_segment segment;
	struct program_cache *programs;
};

/* What is kept of vertices and of the shader state may be out of date */
void vcm_forget(struct v3dsim *sim, unsigned int thread);

/**
 * vcm_begin() - unpacks the shader state in force where that was not done yet.
 *
 * Return: false after a bus error (reported)
 */
bool vcm_begin(struct v3dsim *sim, unsigned int thread);

/* A batch begins */
void vcm_open(struct vcm *vcm);

/**
 * vcm_add() - a primitive for the batch
 * @index: of its vertices
 * Return: false: the batch is full, the primitive belongs to the next one
 */
bool vcm_add(struct vcm *vcm, const uint32_t *index, unsigned int vertices);

/**
 * vcm_shade() - goes on until all vertices of the batch are there
 * Return: SIM_DONE then; SIM_MORE, SIM_STUCK, SIM_ERROR as shade_run()
 */
enum sim_result vcm_shade(struct v3dsim *sim, unsigned int thread, uint64_t *budget);

/**
 * vcm_float() - a float of the chip's out of any bits: exponent 255 is infinity, denormals are 0
 * (HW: as the QPU reads them)
 */
static inline float vcm_float(uint32_t bits)
{
	union {
		uint32_t bits;
		float value;
	} out = { .bits = bits };

	if ((bits >> 23 & 0xff) == 0xff)
		out.bits = bits & 0xff800000;
	else if (!(bits & 0x7f800000))
		out.bits = 0;
	return out.value;
}

void vcm_reset(struct v3dsim *sim);

/* Allocates. Return: false: out of memory */
bool vcm_new(struct v3dsim *sim);

/* Frees it, also if vcm_new() failed */
void vcm_free(struct v3dsim *sim);

#endif /* V3DSIM_VCM_H */
