/* SPDX-License-Identifier: MIT */
/*
 * Jobs by grammar: nearly right ones, with numbers at the edges of what is allowed, and some of
 * them changed afterwards.
 */
#ifndef V3DCL_JOB_FUZZ_MAKE_H
#define V3DCL_JOB_FUZZ_MAKE_H

#include <v3dcl_qpu_build.h>

#include "dice.h"
#include "check.h"

/* What a program is for: it decides what is in the grammar */
enum make_kind { MAKE_FRAGMENT, MAKE_VERTEX, MAKE_COORDINATE, MAKE_USER };

#define MAKE_CODE 256

/* Code of a shader, with slips if @wild; its length in instructions */
uint32_t make_shader(struct dice *d, enum make_kind kind, bool wild, uint64_t *code);

/* The same for a frame: so many varyings are read, or written */
uint32_t make_frame_shader(struct dice *d, enum make_kind kind, bool wild, uint32_t varyings,
			   uint64_t *code);

/* A frame's trial as far as its BOs, code included */
void make_frame_code(struct trial *t, struct dice *d);

/* The rest of it, from what the checker found out about its shaders */
void make_frame(struct trial *t, struct dice *d, const struct checked *c);

/**
 * make_texture() - parameters 0 to 3 of a lookup that has so many, from the start of a BO; how many
 * bytes that BO needs
 */
uint32_t make_texture(struct dice *d, bool wild, uint32_t parameters, uint32_t *words);

/* A trial of user programs as far as its BOs, code included */
void make_programs_code(struct trial *t, struct dice *d);

/* The rest of it, from what the checker found out about its programs */
void make_programs(struct trial *t, struct dice *d, const struct checked *c);

/* Addresses for all BOs, with gaps between them */
void make_places(struct trial *t, struct dice *d);

/* Larger BOs stay where they are */
#define MAKE_MOVED_BYTES (16u << 20)

/**
 * make_other_places() - the same BOs elsewhere: in another order, with other distances between
 * them; false: they are too large
 */
bool make_other_places(struct trial *t);

/* Some bytes of a part, changed, moved or removed */
void make_change(struct dice *d, struct trial_part *part);

/* Some instructions, changed, moved or removed; the new length */
uint32_t make_mutant(struct dice *d, uint64_t *code, uint32_t count);

/* An instruction of ALUs and registers, such as compilers make them */
struct v3d_qpu_inst make_soup(struct dice *d);

/* Appends something that breaks one rule, in code of any kind */
void make_wrong(struct qb *b, struct dice *d);

/* A varying that is read, or is not, on one of two paths */
void make_varying_on_path(struct qb *b, struct dice *d);

/* Something that breaks one rule in the last three instructions of code that has its end */
void make_wrong_end(struct qb *b, struct dice *d);

/* Appends an instruction; nothing where it cannot be encoded */
void make_emit(struct qb *b, struct v3d_qpu_inst inst);

/*
 * Appends coordinates from one side of a texture to the other and beyond, signs for all faces of a
 * cube map, and numbers of all levels: r0 to r3 are the element's number, moved and scaled
 */
void make_coordinates(struct qb *b, struct dice *d);

#endif /* V3DCL_JOB_FUZZ_MAKE_H */
