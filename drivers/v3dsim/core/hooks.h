/* SPDX-License-Identifier: MIT */
/*
 * Where all that exists for speed alone comes in (folder accel/). A chip whose hooks are all zero
 * is the reference chip: one way through each block, on one thread. One that has them gives the
 * same bytes, registers and counters, which test_reference holds.
 */
#ifndef V3DSIM_HOOKS_H
#define V3DSIM_HOOKS_H

#include <stdbool.h>
#include <stdint.h>

#include "result.h"

struct alu_table;
struct compiler;
struct fragment;
struct lanes;
struct planes_unit;
struct primitive;
struct program;
struct program_cache;
struct qpu;
struct qpu_words;
struct texture_image;
struct tmu_table;
struct v3dsim;

/**
 * struct program_hooks - shaders as a whole, instead of one instruction after the other. See
 * accel/program.h
 */
struct program_hooks {
	struct program_cache *(*cache_new)(bool fragments);
	void (*cache_free)(struct program_cache *cache);
	const struct program *(*find)(struct v3dsim *sim, struct program_cache *cache,
				      struct qpu *q, uint32_t code, uint32_t uniforms);
	unsigned int (*length)(const struct program *program);
	bool (*run)(struct v3dsim *sim, const struct program *program, struct qpu *q,
		    struct fragment *fragment, uint32_t uniforms);
};

/* Tiles on threads beside the list, instead of in it. See accel/tiles.h */
struct tiles_hooks {
	bool (*create)(struct v3dsim *sim);
	void (*free)(struct v3dsim *sim);
	void (*reset)(struct v3dsim *sim);
	enum sim_result (*record)(struct v3dsim *sim, uint32_t addr, const uint8_t *bytes);
	enum sim_result (*primitive)(struct v3dsim *sim, const struct primitive *primitive);
	void (*list)(struct v3dsim *sim);
	bool (*vertices_wait)(struct v3dsim *sim, uint32_t code, uint32_t uniforms);
	bool (*busy)(struct v3dsim *sim);
	bool (*working)(struct v3dsim *sim);
	bool (*oldest)(struct v3dsim *sim, uint32_t *addr);
	void (*publish)(struct v3dsim *sim);
	void (*cancel)(struct v3dsim *sim);
	void (*stores)(struct v3dsim *sim, const struct texture_image *image, uint32_t addr,
		       uint32_t len);
	void (*loads)(struct v3dsim *sim, const struct texture_image *image, uint32_t addr,
		      uint32_t len);
	void (*pause)(struct v3dsim *sim);
	void (*resume)(struct v3dsim *sim);
	bool (*begin_anew)(struct v3dsim *sim);
	void (*forget)(struct v3dsim *sim, uint32_t addr, uint32_t len);
};

/**
 * struct hooks - of one chip
 * @alu: the ALUs' operations, compiled for this processor; NULL: alu_table_any
 * @tmu: texture filters likewise; NULL: tmu_table_any
 * @planes: the interpolator likewise; NULL: planes_unit_any
 * @run_plain: runs of plain instructions (accel/qpu_plain.h); NULL: each goes the way of all
 * @compiler_new: what makes hot runs of them into machine code (accel/compile.h), until
 *	@compiler_free; NULL: LLVM is no part of this build
 * @gather: 16 words of memory, where they lie at hand. Return: false: they go the way of all
 * @vectors: what lies regularly in the VPM is taken as a whole; false: word by word
 * @programs: NULL: shaders are run instruction by instruction
 * @tiles: NULL: tiles are shaded where they stand in the list
 */
struct hooks {
	const struct alu_table *alu;
	const struct tmu_table *tmu;
	const struct planes_unit *planes;
	uint64_t (*run_plain)(struct qpu *q, struct qpu_words *words, uint64_t budget);
	struct compiler *(*compiler_new)(void);
	void (*compiler_free)(struct compiler *compiler);
	bool (*gather)(struct v3dsim *sim, const struct lanes *addresses, struct lanes *out);
	bool vectors;
	const struct program_hooks *programs;
	const struct tiles_hooks *tiles;
};

#endif /* V3DSIM_HOOKS_H */
