// SPDX-License-Identifier: MIT
/*
 * Mainline's checker behind struct rival: its BOs, its memory. Compiled by scripts/bench, against
 * files of Debian's kernel source.
 */
#include "rival.h"
#include "vc4_drv.h"

#define EXEC_BYTES (1u << 20)
#define TILE_BYTES (1u << 19)
#define RENDER_BYTES (1u << 18)

struct opened {
	struct vc4_dev dev;
	struct vc4_bo bin_bo, exec_bo, rcl_bo, bos[TRIAL_BOS];
	struct drm_gem_object *handles[TRIAL_BOS];
	struct drm_vc4_submit_cl submit;
	struct vc4_exec_info exec;
	const struct trial *frame;
	struct vc4_shader_state states[4096];
};

void mainline_says(const char *format, ...)
{
	(void)format;
}

int vc4_v3d_get_bin_slot(struct vc4_dev *vc4, unsigned long timeout)
{
	(void)vc4;
	(void)timeout;
	return 0;
}

struct vc4_bo *vc4_bo_create(struct drm_device *dev, size_t size, bool from_cache,
			     enum vc4_kernel_bo_type type)
{
	struct opened *o = (struct opened *)dev;

	(void)from_cache;
	(void)type;
	return size <= RENDER_BYTES ? &o->rcl_bo : (void *)-ENOMEM;
}

static void let_go(struct vc4_validated_shader_info *info)
{
	free(info->uniform_addr_offsets);
	free(info->texture_samples);
	free(info);
}

static struct vc4_validated_shader_info *validate(const uint64_t *code, uint32_t count)
{
	struct vc4_dev dev = { .gen = VC4_GEN_4 };
	struct drm_gem_dma_object object = { .base = { &dev.base, count * sizeof(*code) },
					     .vaddr = (void *)code };

	return vc4_validate_shader(&object);
}

static bool shader(const uint64_t *code, uint32_t count)
{
	struct vc4_validated_shader_info *info = validate(code, count);

	if (info)
		let_go(info);
	return info;
}

static struct vc4_bo object(struct opened *o, uint32_t address, uint32_t size, bool memory)
{
	return (struct vc4_bo){
		.base = { { &o->dev.base, size }, address, memory ? calloc(1, size) : NULL }
	};
}

static void *open_frame(const struct trial *frame)
{
	struct opened *o = calloc(1, sizeof(*o));

	o->frame = frame;
	o->dev = (struct vc4_dev){ .gen = VC4_GEN_4, .bin_bo = &o->bin_bo,
				   .bin_alloc_size = TILE_BYTES };
	o->bin_bo = object(o, 0x40000000, TILE_BYTES, true);
	o->exec_bo = object(o, 0x41000000, EXEC_BYTES, true);
	o->rcl_bo = object(o, 0x42000000, RENDER_BYTES, true);
	for (uint32_t i = 0; i < frame->bo_count; i++) {
		const struct trial_bo *bo = &frame->bos[i];

		o->bos[i] = object(o, bo->address, bo->size, false);
		o->handles[i] = &o->bos[i].base.base;
		if (bo->kind != TRIAL_SHADER)
			continue;
		o->bos[i].validated_shader = validate(frame->code + bo->first, bo->count);
		if (!o->bos[i].validated_shader)
			return NULL;
	}
	return o;
}

/* As its submit lays the memory out: list, records, uniforms */
static void begin(struct opened *o)
{
	const struct trial *frame = o->frame;
	const uint32_t records = roundup(frame->bin.size, 16),
		       uniforms = roundup(records + frame->records.size, 16);
	char *memory = o->exec_bo.base.vaddr;

	o->submit = frame->submit;
	o->submit.bin_cl_size = frame->bin.size;
	o->exec = (struct vc4_exec_info){
		.dev = &o->dev,
		.args = &o->submit,
		.bo = o->handles,
		.bo_count = frame->bo_count,
		.exec_bo = &o->exec_bo.base,
		.shader_state = o->states,
		.shader_state_size = frame->submit.shader_rec_count,
		.ct0ca = o->exec_bo.base.dma_addr,
		.bin_u = (void *)frame->bin.bytes,
		.shader_rec_u = (void *)frame->records.bytes,
		.shader_rec_v = memory + records,
		.shader_rec_p = o->exec_bo.base.dma_addr + records,
		.shader_rec_size = frame->records.size,
		.uniforms_u = (void *)frame->uniforms.bytes,
		.uniforms_v = memory + uniforms,
		.uniforms_p = o->exec_bo.base.dma_addr + uniforms,
		.uniforms_size = frame->uniforms.size,
	};
	o->exec.unref_list = (struct list_head){ &o->exec.unref_list, &o->exec.unref_list };
}

static bool bin(void *opened)
{
	struct opened *o = opened;

	begin(o);
	return !vc4_validate_bin_cl(&o->dev.base, o->exec_bo.base.vaddr, o->exec.bin_u, &o->exec) &&
	       !vc4_validate_shader_recs(&o->dev.base, &o->exec);
}

/* After bin() */
static bool render(void *opened)
{
	struct opened *o = opened;

	o->exec.rcl_write_bo_count = 0;
	return !vc4_get_rcl(&o->dev.base, &o->exec);
}

__attribute__((visibility("default"))) extern const struct rival rival;
const struct rival rival = { shader, open_frame, bin, render };
