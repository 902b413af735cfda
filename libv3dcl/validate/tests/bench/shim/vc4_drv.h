/* SPDX-License-Identifier: MIT */
/*
 * What mainline's checker of lists and shaders needs of the kernel and of its driver, for
 * userspace: just enough to time it. scripts/bench puts this in front of files that it takes out of
 * Debian's kernel source; nothing of them is kept here.
 */
#ifndef V3DCL_JOB_BENCH_VC4_DRV_H
#define V3DCL_JOB_BENCH_VC4_DRV_H

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

#include <vc4_drm.h>

/* The kernel's */
typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef uint64_t u64;

#define GFP_KERNEL 0
#define kcalloc(count, size, flags) calloc(count, size)
#define krealloc(old, size, flags) realloc(old, size)
#define krealloc_array(old, count, size, flags) reallocarray(old, count, size)
#define kmalloc_array(count, size, flags) reallocarray(NULL, count, size)
#define kfree(memory) free((void *)(memory))

#define likely(x) __builtin_expect(!!(x), 1)
#define unlikely(x) __builtin_expect(!!(x), 0)
#define WARN_ON(x) unlikely(x)
#define WARN_ON_ONCE(x) unlikely(x)

#define ARRAY_SIZE(array) (sizeof(array) / sizeof((array)[0]))
#define BIT(n) (1u << (n))
#define BITS_PER_LONG (8 * (unsigned int)sizeof(long))
#define BITS_TO_LONGS(n) (((n) + BITS_PER_LONG - 1) / BITS_PER_LONG)
#define GENMASK(high, low) (~0u >> (31 - (high)) & ~0u << (low))
#define FIELD_PREP(mask, value) ((u32)(value) << __builtin_ctz(mask) & (mask))
#define FIELD_GET(mask, word) (((word) & (mask)) >> __builtin_ctz(mask))
#define FIELD_FIT(mask, value) (!((u32)(value) << __builtin_ctz(mask) & ~(mask)))
#define DIV_ROUND_UP(n, d) (((n) + (d) - 1) / (d))
#define round_up(n, to) ((((n) - 1) | ((to) - 1)) + 1)
#define roundup(n, to) (((n) + ((to) - 1)) / (to) * (to))
#define max(a, b) ((a) > (b) ? (a) : (b))
#define max_t(type, a, b) max((type)(a), (type)(b))
#define min(a, b) ((a) < (b) ? (a) : (b))
#define IS_ERR(pointer) ((unsigned long)(pointer) >= (unsigned long)-4095)
#define PTR_ERR(pointer) ((long)(pointer))
#define MAX_SCHEDULE_TIMEOUT (~0ul >> 1)
#define ERESTARTSYS 512

/* Kept by the compiler as a call would be, and never made when timed */
#define DRM_DEBUG(...) mainline_says(__VA_ARGS__)
#define DRM_INFO(...) mainline_says(__VA_ARGS__)
#define pr_err(...) mainline_says(__VA_ARGS__)
#define drm_err(dev, ...) mainline_says(__VA_ARGS__)
void mainline_says(const char *format, ...);

static inline bool test_bit(unsigned int bit, const unsigned long *map)
{
	return map[bit / BITS_PER_LONG] >> bit % BITS_PER_LONG & 1;
}

static inline void set_bit(unsigned int bit, unsigned long *map)
{
	map[bit / BITS_PER_LONG] |= 1ul << bit % BITS_PER_LONG;
}

struct list_head {
	struct list_head *next, *prev;
};

static inline void list_add_tail(struct list_head *entry, struct list_head *head)
{
	entry->prev = head->prev;
	entry->next = head;
	head->prev->next = entry;
	head->prev = entry;
}

/* The graphics core's */
struct drm_device {
	void *unused;
};

struct drm_gem_object {
	struct drm_device *dev;
	size_t size;
};

struct drm_gem_dma_object {
	struct drm_gem_object base;
	u64 dma_addr;
	void *vaddr;
};

#define to_drm_gem_dma_obj(object) ((struct drm_gem_dma_object *)(object))

/* The driver's */
enum vc4_gen { VC4_GEN_4 = 1 };
enum vc4_kernel_bo_type { VC4_BO_TYPE_RCL };

struct vc4_texture_sample_info {
	bool is_direct;
	u32 p_offset[4];
};

struct vc4_validated_shader_info {
	u32 uniforms_size, uniforms_src_size;
	u32 num_texture_samples;
	struct vc4_texture_sample_info *texture_samples;
	u32 num_uniform_addr_offsets;
	u32 *uniform_addr_offsets;
	bool is_threaded;
};

struct vc4_bo {
	struct drm_gem_dma_object base;
	u64 seqno, write_seqno;
	bool t_format;
	struct list_head unref_head;
	struct vc4_validated_shader_info *validated_shader;
};

struct vc4_dev {
	struct drm_device base;
	int gen;
	struct vc4_bo *bin_bo;
	u32 bin_alloc_size;
};

struct vc4_shader_state {
	u32 addr, max_index;
};

struct vc4_exec_info {
	struct vc4_dev *dev;
	u64 bin_dep_seqno;
	struct drm_vc4_submit_cl *args;
	struct drm_gem_object **bo;
	u32 bo_count;
	struct drm_gem_dma_object *rcl_write_bo[4];
	u32 rcl_write_bo_count;
	struct list_head unref_list;
	u32 bo_index[2];
	struct drm_gem_dma_object *exec_bo;
	struct vc4_shader_state *shader_state;
	u32 shader_state_size, shader_state_count;
	bool found_tile_binning_mode_config_packet, found_start_tile_binning_packet,
		found_increment_semaphore_packet, found_flush;
	u8 bin_tiles_x, bin_tiles_y;
	u32 tile_alloc_offset, bin_slots;
	u32 ct0ca, ct0ea, ct1ca, ct1ea;
	void *bin_u;
	void *shader_rec_u, *shader_rec_v;
	u32 shader_rec_p, shader_rec_size;
	void *uniforms_u, *uniforms_v;
	u32 uniforms_p, uniforms_size;
	bool bin_bo_used;
};

#define to_vc4_dev(device) ((struct vc4_dev *)(device))
#define to_vc4_bo(object) ((struct vc4_bo *)(object))

struct drm_gem_dma_object *vc4_use_bo(struct vc4_exec_info *exec, uint32_t hindex);
bool vc4_check_tex_size(struct vc4_exec_info *exec, struct drm_gem_dma_object *fbo, uint32_t offset,
			uint8_t tiling_format, uint32_t width, uint32_t height, uint8_t cpp);
int vc4_validate_bin_cl(struct drm_device *dev, void *validated, void *unvalidated,
			struct vc4_exec_info *exec);
int vc4_validate_shader_recs(struct drm_device *dev, struct vc4_exec_info *exec);
struct vc4_validated_shader_info *vc4_validate_shader(struct drm_gem_dma_object *shader_obj);
int vc4_get_rcl(struct drm_device *dev, struct vc4_exec_info *exec);

int vc4_v3d_get_bin_slot(struct vc4_dev *vc4, unsigned long timeout);
struct vc4_bo *vc4_bo_create(struct drm_device *dev, size_t size, bool from_cache,
			     enum vc4_kernel_bo_type type);

#endif /* V3DCL_JOB_BENCH_VC4_DRV_H */
