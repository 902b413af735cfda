/* SPDX-License-Identifier: MIT */
/*
 * The judge: a simulated V3D whose every memory access is looked up among what the job may touch,
 * unit by unit.
 */
#ifndef V3DCL_JOB_FUZZ_MACHINE_H
#define V3DCL_JOB_FUZZ_MACHINE_H

#include <v3d/regs.h>

#include "v3dsim.h"

#include <stdbool.h>
#include <stdint.h>

#define MACHINE_SPANS 16384

#define UNIT(name) (1u << V3DSIM_UNIT_##name)

/**
 * enum face - the chip as the guide means it, and silicon as far as it is known
 *
 * What the guide promises and silicon does not keep (HW-2898 for one) leads out of a BO on one of
 * them only.
 */
enum face { FACE_IDEAL, FACE_BCM2835, FACES };

#define ALL_FACES ((1u << FACES) - 1)

/**
 * struct span - memory that some units may touch
 * @base: address of the first byte
 * @size: bytes
 * @readers: a bit a unit
 * @writers: a bit a unit
 * @owner: only for the program that is run from the span at this address; 0 for all
 * @what: in words
 */
struct span {
	uint32_t base, size;
	uint16_t readers, writers;
	uint32_t owner;
	const char *what;
};

/**
 * struct machine - the simulator and the memory around it
 * @faces: a chip of each kind
 * @sim: the one that runs the job
 * @state: what it stopped at
 * @host: 4 GiB of address space, where pages come into being when touched
 * @spans: what the job that runs now may touch
 * @hits: the span that each unit touched last, asked first
 * @broken: it touched something else; the first time is told by @unit, @address, @write, and what
 *	lay there (@address is 0 if that is a row of the VPM)
 * @inside: or it did something that is no access, in words; else NULL
 * @code: where the span begins that the last instruction came from
 * @trace: of all accesses since machine_forget(), by span and offset, and of what was written: the
 *	same for two runs that did the same
 * @patience: how many times the usual instructions and records a job may take
 * @loads: accesses of each unit, since machine_forget()
 * @stores: see @loads
 */
struct machine {
	struct v3dsim *faces[FACES], *sim;
	enum v3dsim_state state;
	uint8_t *host;
	uint32_t span_count;
	struct span spans[MACHINE_SPANS];
	const struct span *hits[V3DSIM_UNITS];
	bool broken, write;
	enum v3dsim_unit unit;
	uint32_t address, code;
	const char *there, *inside;
	uint64_t patience;
	uint64_t trace;
	uint64_t loads[V3DSIM_UNITS], stores[V3DSIM_UNITS];
};

/* A machine with a chip. Return: false: no memory */
bool machine_new(struct machine *m);

void machine_free(struct machine *m);

/**
 * machine_forget() - no spans, and this chip as after power-on
 * @residue: what others have left in registers, and in rows of the VPM that vertices get
 */
void machine_forget(struct machine *m, enum face face, uint32_t residue);

/* A span that these units may touch */
void machine_allow(struct machine *m, uint32_t base, uint32_t size, unsigned int readers,
		   unsigned int writers, const char *what);

/* Uniforms of the program that is run from the span at @owner */
void machine_stream(struct machine *m, uint32_t base, uint32_t size, uint32_t owner);

/* At most so many instructions and records; sets @m->state */
void machine_run(struct machine *m, uint64_t budget);

/**
 * machine_list() - runs a control list on a thread, at most this many instructions and records;
 * false: it did not end
 */
bool machine_list(struct machine *m, unsigned int thread, uint32_t start, uint32_t end,
		  uint64_t budget);

/* The name of a face */
const char *machine_face(enum face face);

/**
 * machine_faces() - a bit a face, of its name or for "both". Any other list of modes becomes the
 * chip of the first face, before machine_new(). Return: 0: it is none, and @error says why
 */
unsigned int machine_faces(const char *name, char *error, size_t size);

/* The name of a unit */
const char *machine_unit(enum v3dsim_unit unit);

#endif /* V3DCL_JOB_FUZZ_MACHINE_H */
