// SPDX-License-Identifier: MIT
/*
 * What a program sends to the V3D, as trials in a file of its own: loaded in front of the preload
 * library by scripts/with-v3d --record DIR. Jobs that look like one before, but for numbers, are
 * left out.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <v3d/packets.h>
#include <v3d/qpu.h>

#include "trial.h"

#define HANDLES 65536
#define SEEN 4096
#define MOST_JOBS 400		/* of a process */

/* The BOs that this process made */
static struct {
	uint32_t size;
	uint64_t *code;		/* of a shader BO */
} bos[HANDLES];

static struct {
	pthread_mutex_t lock;
	struct trial trial;
	FILE *file;
	uint64_t seen[SEEN];
	unsigned int jobs;
} recorder = { .lock = PTHREAD_MUTEX_INITIALIZER };

static void note_bo(uint32_t handle, uint32_t size, const void *code)
{
	if (handle >= HANDLES)
		return;
	free(bos[handle].code);
	bos[handle].size = size;
	bos[handle].code = code ? malloc(size) : NULL;
	if (bos[handle].code)
		memcpy(bos[handle].code, code, size);
}

static const void *pointer(uint64_t user)
{
	return (const void *)(uintptr_t)user;
}

static bool add_bos(struct trial *t, const uint32_t *handles, uint32_t count)
{
	uint32_t at = 0x10000000, i;

	for (i = 0; i < count; i++) {
		uint32_t size = handles[i] < HANDLES ? bos[handles[i]].size : 0,
			 words = size / V3D_QPU_INSTRUCTION_BYTES;

		if (!size || size > 1 << 28 || t->bo_count == TRIAL_BOS)
			return false;
		if (!bos[handles[i]].code)
			(void)trial_bo(t, at, size);
		else if (words <= TRIAL_CODE - t->code_count)
			t->bos[trial_code(t, TRIAL_SHADER, bos[handles[i]].code, words)].address =
				at;
		else
			return false;
		at += (size + 0x1fff) & ~0xfffu;
	}
	return true;
}

static bool make_trial(struct trial *t, const struct drm_vc4_submit_cl *args)
{
	trial_begin(t, 0);
	t->submit = *args;
	t->submit.bin_cl = t->submit.shader_rec = t->submit.uniforms = t->submit.bo_handles = 0;
	return add_bos(t, pointer(args->bo_handles), args->bo_handle_count) &&
	       trial_add(&t->bin, pointer(args->bin_cl), args->bin_cl_size) &&
	       trial_add(&t->records, pointer(args->shader_rec), args->shader_rec_size) &&
	       trial_add(&t->uniforms, pointer(args->uniforms), args->uniforms_size);
}

static uint64_t mix(uint64_t hash, const void *bytes, size_t size)
{
	const uint8_t *at = bytes;

	while (size--)
		hash = (hash ^ *at++) * UINT64_C(0x100000001b3);
	return hash;
}

/* What makes a job another one: its shaders, the kinds of its records, what is stored and loaded */
static uint64_t look_of(const struct trial *t)
{
	const struct drm_vc4_submit_rcl_surface *surfaces[] = {
		&t->submit.color_read, &t->submit.color_write, &t->submit.zs_read,
		&t->submit.zs_write, &t->submit.msaa_color_write, &t->submit.msaa_zs_write,
	};
	uint64_t hash = mix(t->submit.flags, t->code, t->code_count * sizeof(t->code[0]));
	uint32_t at, i;

	for (at = 0; at < t->bin.size && v3d_packet_info(t->bin.bytes[at])->length;
	     at += v3d_packet_info(t->bin.bytes[at])->length)
		hash = mix(hash, t->bin.bytes + at, 1);
	for (i = 0; i < sizeof(surfaces) / sizeof(surfaces[0]); i++) {
		bool there = surfaces[i]->hindex != ~0u;

		hash = mix(hash, &there, 1);
		hash = mix(hash, &surfaces[i]->bits, 2);
	}
	return hash;
}

static bool seen(uint64_t look)
{
	uint64_t *place = &recorder.seen[look % SEEN];
	const bool before = *place == look;

	*place = look;
	return before;
}

static void record_job(const struct drm_vc4_submit_cl *args)
{
	struct trial *t = &recorder.trial;
	char name[4096];

	if (recorder.jobs >= MOST_JOBS || !make_trial(t, args) || seen(look_of(t)))
		return;
	if (!recorder.file) {
		snprintf(name, sizeof(name), "%s/%d.jobs", getenv("V3D_RECORD"), (int)getpid());
		recorder.file = fopen(name, "ab");
	}
	if (recorder.file && trial_write(t, recorder.file) && !fflush(recorder.file))
		recorder.jobs++;
}

static void note_result(unsigned long request, const void *arg)
{
	const struct drm_vc4_create_shader_bo *shader = arg;
	const struct drm_vc4_create_bo *bo = arg;
	const struct drm_gem_open *opened = arg;

	if (request == DRM_IOCTL_VC4_CREATE_BO)
		note_bo(bo->handle, (bo->size + 4095) & ~4095u, NULL);
	else if (request == DRM_IOCTL_VC4_CREATE_SHADER_BO)
		note_bo(shader->handle, shader->size, pointer(shader->data));
	else if (request == DRM_IOCTL_GEM_OPEN)
		note_bo(opened->handle, opened->size, NULL);
}

__attribute__((visibility("default"))) int ioctl(int fd, unsigned long request, ...)
{
	static int (*next)(int fd, unsigned long request, ...);
	va_list arguments;
	void *arg;
	int ret;

	va_start(arguments, request);
	arg = va_arg(arguments, void *);
	va_end(arguments);
	if (!next)
		next = (int (*)(int, unsigned long, ...))dlsym(RTLD_NEXT, "ioctl");
	if (!getenv("V3D_RECORD"))
		return next(fd, request, arg);
	pthread_mutex_lock(&recorder.lock);
	if (request == DRM_IOCTL_VC4_SUBMIT_CL)
		record_job(arg);
	pthread_mutex_unlock(&recorder.lock);
	ret = next(fd, request, arg);
	pthread_mutex_lock(&recorder.lock);
	if (!ret)
		note_result(request, arg);
	pthread_mutex_unlock(&recorder.lock);
	return ret;
}
