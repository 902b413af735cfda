// SPDX-License-Identifier: MIT
/* The hooks of what exists for speed alone: see accel.h. */
#include "accel.h"
#include "bodies.h"
#include "compile.h"
#include "gather.h"
#include "program.h"
#include "qpu_plain.h"
#include "tiles.h"

static const struct program_hooks program_hooks = {
	.cache_new = program_cache_new,
	.cache_free = program_cache_free,
	.find = program_find,
	.length = program_length,
	.run = program_run,
};

static const struct tiles_hooks tiles_hooks = {
	.create = tiles_new,
	.free = tiles_free,
	.reset = tiles_reset,
	.record = tiles_record,
	.primitive = tiles_primitive,
	.list = tiles_list,
	.vertices_wait = tiles_vertices_wait,
	.busy = tiles_busy,
	.working = tiles_working,
	.oldest = tiles_oldest,
	.publish = tiles_publish,
	.cancel = tiles_cancel,
	.stores = tiles_stores,
	.loads = tiles_loads,
	.pause = tiles_pause,
	.resume = tiles_resume,
	.begin_anew = tiles_begin_anew,
	.forget = tiles_forget,
};

void accel_hooks(struct hooks *hooks)
{
	*hooks = (struct hooks){
		.run_plain = qpu_plain_any,
		.compiler_new = compiler_new,
		.compiler_free = compiler_free,
		.gather = gather_words,
		.vectors = true,
		.programs = &program_hooks,
		.tiles = &tiles_hooks,
	};
#if defined(__x86_64__)
	if (!__builtin_cpu_supports("avx2"))
		return;
	hooks->alu = &alu_table_avx2;
	hooks->planes = &planes_unit_avx2;
	hooks->tmu = &tmu_table_avx2;
	hooks->run_plain = qpu_plain_avx2;
#endif
}
