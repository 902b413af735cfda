// SPDX-License-Identifier: MIT
/*
 * Two threads, each with objects of its own: nothing is shared that could be torn, and what comes
 * out is what one thread makes. Then both on one device, which any thread may call. ThreadSanitizer
 * looks on in scripts/check.
 */
#include <errno.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "../../tests/scene.h"
#include "v3dcl_decode.h"
#include "v3dcl_image.h"
#include "v3dcl_text.h"

#define THREADS 2
#define OBJECTS 2
#define ROUNDS 3
#define SECONDS UINT64_C(20000000000)

/* What a thread makes: both of its objects in turn, so that each is used while the other lives */
struct made {
	struct v3dcl_buffer listing, decoded, frame;
	uint64_t code_sum;
	uint32_t pixels[4];
};

/*
 * Asserts of cmocka jump: they are of the thread that runs the test. This says where, and goes on.
 */
#define NEED(condition) \
	do { \
		if (!(condition)) { \
			fprintf(stderr, "# %s:%d: %s\n", __FILE__, __LINE__, #condition); \
			return false; \
		} \
	} while (0)

static bool make_code(struct made *made)
{
	static const char text[] = ".macro twice x\nadd x, x, x\n.endm\n.set n, 3\nloop:\n"
				   ".rept n, i\nldi r0, i * 2 + 1\ntwice r1\n.endr\n"
				   "brr loop\nnop\nnop\nnop\nthrend\nnop\nnop\n";
	struct v3dcl_assembly *assembly[OBJECTS];
	uint32_t i, k;

	for (i = 0; i < OBJECTS; i++)
		NEED(!v3dcl_assemble("text", text, sizeof(text) - 1, &assembly[i], NULL));
	for (i = 0; i < OBJECTS; i++) {
		v3dcl_disassemble_program(assembly[i]->code, assembly[i]->code_count,
					  &made->listing);
		made->code_sum += v3dcl_hazards(assembly[i]->code, assembly[i]->code_count,
						V3DCL_USER_PROGRAM, NULL, NULL);
		for (k = 0; k < assembly[i]->code_count; k++)
			made->code_sum = made->code_sum * 31 + assembly[i]->code[k];
		v3dcl_assembly_free(assembly[i]);
	}
	return true;
}

static bool make_lists(struct made *made)
{
	static const uint32_t shaders[] = { 10, 11, 12 };
	struct v3dcl_frame *frame[OBJECTS];
	struct drm_vc4_submit_cl submit;
	uint32_t i, size, tiles;
	const uint8_t *bytes;

	for (i = 0; i < OBJECTS; i++) {
		NEED(!v3dcl_frame_new(&frame[i], NULL));
		NEED(!scene_gl(frame[i], 77 + i, shaders, NULL, NULL));
	}
	for (i = 0; i < OBJECTS; i++) {
		NEED(!v3dcl_frame_memory(frame[i], &bytes, &size, &tiles, NULL));
		v3dcl_buffer_add(&made->frame, bytes, size);
		NEED(!v3dcl_frame_checked(frame[i], 1, &submit, NULL));
		NEED(!v3dcl_decode_submit(&submit, i, &made->decoded, NULL));
		v3dcl_frame_free(frame[i]);
	}
	return true;
}

static const char job[] =
	"buffer a size 16384\nframe 64 64 {\nclear_colors color0=5 color1=5\ncolor_write "
	"a\n}\nexpect a { u32 5, 5 }\n"
	"program p {\nmov r0, unif\nthrend\nnop\nnop\n}\nrun p(3)\nsave a size 16\n";

static int saved(void *opaque, const struct v3dcl_saved *what)
{
	struct made *made = opaque;

	memcpy(made->pixels, what->bytes, sizeof(made->pixels));
	return 0;
}

static bool run_jobs(struct made *made, struct v3dcl_device *const *devices)
{
	const struct v3dcl_run_options options = { .size = sizeof(options), .saved = saved,
						   .opaque = made };
	struct v3dcl_script *script[OBJECTS];
	struct v3dcl_error error;
	uint32_t i;
	int ret;

	for (i = 0; i < OBJECTS; i++)
		NEED(!v3dcl_script_read("job", job, sizeof(job) - 1, NULL, 0, &script[i], NULL));
	for (i = 0; i < OBJECTS; i++) {
		ret = v3dcl_script_run(script[i], devices[i], &options, &error);
		if (ret)
			fprintf(stderr, "# %s\n", error.text);
		NEED(!ret);
		v3dcl_script_free(script[i]);
	}
	return true;
}

static bool make_all(struct made *made)
{
	struct v3dcl_device *devices[OBJECTS];
	uint32_t i;

	for (i = 0; i < OBJECTS; i++)
		NEED(!v3dcl_open_simulator(NULL, &devices[i], NULL));
	for (i = 0; i < ROUNDS; i++)
		NEED(make_code(made) && make_lists(made));
	NEED(run_jobs(made, devices));
	for (i = 0; i < OBJECTS; i++)
		v3dcl_close(devices[i]);
	return true;
}

static void *make_in_thread(void *opaque)
{
	return make_all(opaque) ? opaque : NULL;
}

static void made_free(struct made *made)
{
	v3dcl_buffer_free(&made->listing);
	v3dcl_buffer_free(&made->decoded);
	v3dcl_buffer_free(&made->frame);
}

static void expect_same(const struct v3dcl_buffer *a, const struct v3dcl_buffer *b)
{
	assert_true(a->size && a->size == b->size);
	assert_memory_equal(a->bytes, b->bytes, a->size);
}

static void objects_of_its_own(void **state)
{
	struct made alone = { .code_sum = 0 }, made[THREADS] = { { .code_sum = 0 } };
	pthread_t threads[THREADS];
	void *good;
	uint32_t i;

	(void)state;
	assert_true(make_all(&alone));
	for (i = 0; i < THREADS; i++)
		assert_int_equal(pthread_create(&threads[i], NULL, make_in_thread, &made[i]), 0);
	for (i = 0; i < THREADS; i++) {
		assert_int_equal(pthread_join(threads[i], &good), 0);
		assert_non_null(good);
	}
	for (i = 0; i < THREADS; i++) {
		expect_same(&made[i].listing, &alone.listing);
		expect_same(&made[i].decoded, &alone.decoded);
		expect_same(&made[i].frame, &alone.frame);
		assert_int_equal(made[i].code_sum, alone.code_sum);
		assert_memory_equal(made[i].pixels, ((const uint32_t[]){ 5, 5, 5, 5 }), 16);
		made_free(&made[i]);
	}
	made_free(&alone);
}

/* All that a device has, on memory of the thread's own */
static bool use_device(struct v3dcl_device *device)
{
	static const uint8_t events[] = { 0, 13 };
	struct v3dcl_device *const both[OBJECTS] = { device, device };
	struct made made = { .code_sum = 0 };
	uint32_t bo, syncobj, perfmon, size;
	struct v3dcl_error error;
	struct v3dcl_info info;
	bool retained;
	void *map;
	int fd;

	NEED(!v3dcl_bo_create(device, 8192, &bo, &error));
	NEED(!v3dcl_bo_map(device, bo, &map, &error));
	memset(map, 0x5a, 8192);
	NEED(!v3dcl_bo_label(device, bo, "mine", &error) &&
	     !v3dcl_bo_set_tiled(device, bo, true, &error));
	NEED(!v3dcl_bo_size(device, bo, &size, &error) && size == 8192);
	NEED(!v3dcl_bo_purgeable(device, bo, true, &retained, &error) && retained);
	fd = v3dcl_bo_export(device, bo, &error);
	NEED(fd >= 0 && !close(fd));
	NEED(!v3dcl_syncobj_create(device, true, &syncobj, &error) &&
	     !v3dcl_syncobj_wait(device, syncobj, 0, 0, &error));
	NEED(!v3dcl_syncobj_destroy(device, syncobj));
	NEED(!v3dcl_perfmon_create(device, events, 2, &perfmon, &error) &&
	     !v3dcl_perfmon_destroy(device, perfmon));
	NEED(!v3dcl_device_info(device, &info, &error) && info.simulated);
	NEED(v3dcl_bo_create(device, 0, &size, &error) == -EINVAL);
	NEED(run_jobs(&made, both));
	NEED(!v3dcl_bo_wait(device, bo, SECONDS, &error) && ((uint8_t *)map)[8191] == 0x5a);
	return !v3dcl_bo_close(device, bo);
}

static void *use_in_thread(void *opaque)
{
	uint32_t i;

	for (i = 0; i < ROUNDS; i++)
		if (!use_device(opaque))
			return NULL;
	return opaque;
}

static void one_device(void **state)
{
	struct v3dcl_device *device;
	pthread_t threads[THREADS];
	struct v3dcl_info info;
	uint32_t i;
	void *good;

	(void)state;
	assert_int_equal(v3dcl_open_simulator(NULL, &device, NULL), 0);
	for (i = 0; i < THREADS; i++)
		assert_int_equal(pthread_create(&threads[i], NULL, use_in_thread, device), 0);
	for (i = 0; i < THREADS; i++) {
		assert_int_equal(pthread_join(threads[i], &good), 0);
		assert_non_null(good);
	}
	assert_int_equal(v3dcl_device_info(device, &info, NULL), 0);
	assert_int_equal(info.guilty, 0);
	v3dcl_close(device);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(objects_of_its_own),
					    cmocka_unit_test(one_device) };

	return cmocka_run_group_tests_name("two-threads", tests, NULL, NULL);
}
