// SPDX-License-Identifier: MIT
/*
 * A driver that fails: each ioctl of a call in turn answers with an errno that no driver gives by
 * itself. The call gives that very errno and says what it was about; or it goes on without, where
 * its promise does not need the answer.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "../../tests/scene.h"
#include "device.h"
#include "scenario.h"
#include "v3dcl_text.h"

#define FAILURE ENOBUFS
#define SECONDS UINT64_C(20000000000)

struct emu_file;
int __real_emu_file_ioctl(struct emu_file *file, unsigned long request, void *arg);
int __wrap_emu_file_ioctl(struct emu_file *file, unsigned long request, void *arg);

/* @fail_at: the ioctl that fails, from 1; 0 for none */
static struct {
	unsigned int count, fail_at;
	unsigned long failed;
	const char *driver;		/* another name than its own */
} driver;

int __wrap_emu_file_ioctl(struct emu_file *file, unsigned long request, void *arg)
{
	if (++driver.count == driver.fail_at) {
		driver.failed = request;
		return -FAILURE;
	}
	if (request == DRM_IOCTL_VERSION && driver.driver) {
		struct drm_version *version = arg;

		version->name_len = strlen(driver.driver);
		strcpy(version->name, driver.driver);
		return 0;
	}
	return __real_emu_file_ioctl(file, request, arg);
}

typedef int user(struct v3dcl_device *device, struct v3dcl_error *error);

static int use_bos(struct v3dcl_device *device, struct v3dcl_error *error)
{
	uint32_t bo, other, size;
	bool tiled, retained;
	void *map;
	int ret, fd;

	ret = v3dcl_bo_create(device, 4096, &bo, error);
	if (!ret)
		ret = v3dcl_bo_map(device, bo, &map, error);
	if (!ret)
		ret = v3dcl_bo_size(device, bo, &size, error);
	if (!ret)
		ret = v3dcl_bo_label(device, bo, "label", error);
	if (!ret)
		ret = v3dcl_bo_set_tiled(device, bo, true, error);
	if (!ret)
		ret = v3dcl_bo_is_tiled(device, bo, &tiled, error);
	if (!ret)
		ret = v3dcl_bo_purgeable(device, bo, true, &retained, error);
	if (!ret)
		ret = v3dcl_bo_wait(device, bo, SECONDS, error);
	if (ret)
		return ret;
	fd = v3dcl_bo_export(device, bo, error);
	if (fd < 0)
		return fd;
	ret = v3dcl_bo_import(device, fd, &other, error);
	close(fd);
	return ret ? ret : v3dcl_bo_size(device, other, &size, error);
}

static int use_info(struct v3dcl_device *device, struct v3dcl_error *error)
{
	struct v3dcl_info info;

	return v3dcl_device_info(device, &info, error);
}

/* A frame by the checked way, and one by way of lists */
static int use_frames(struct v3dcl_device *device, struct v3dcl_error *error)
{
	struct v3dcl_targets targets = { .width = 64, .height = 64,
					 .color_write = { .pixel = V3D_RGBA8888 } };
	struct v3dcl_frame *frame;
	uint64_t seqno;
	uint32_t raw;
	int ret = v3dcl_bo_create(device, 16384, &targets.color_write.address.bo, error);

	for (raw = 0; raw < 2 && !ret; raw++) {
		if (v3dcl_frame_new(&frame, NULL))
			return -ENOMEM;
		targets.early_z_disable = raw;
		ret = v3dcl_frame_targets(frame, &targets, error);
		if (!ret)
			ret = v3dcl_frame_begin(frame, error);
		if (!ret)
			ret = v3dcl_list_flush(v3dcl_frame_bin(frame), error);
		if (!ret)
			ret = v3dcl_frame_submit(frame, device, &seqno, error);
		if (!ret)
			ret = v3dcl_wait(device, seqno, SECONDS, error);
		v3dcl_frame_free(frame);
	}
	return ret;
}

static const char job[] =
	"buffer a size 16384 t_tiled\nbuffer b size 16384\n"
	"program p {\nmov r0, unif\nmov r0, unif\nthrend\nnop\nnop\n}\nrun p(3, read b)\n"
	"program fs {\nmov r0, unif\nnop; sbwait\nmov tlbc, r0\nnop; thrend\nnop\nnop; sbdone\n}\n"
	"frame 64 64 {\nclear_colors color0=5 color1=5\ncolor_write b\nuniforms u { u32 5 }\nbin { "
	"}\n}\n"
	"lists { render {\ntile_rendering_mode address=a width=64 height=64 "
	"pixel=rgba8888\ntile_coordinates\n"
	"store_general buffer=none\ntile_coordinates\nstore_resolved_end\n} }\n"
	"expect b { u32 5 }\nsave b size 16\nsave a picture 64 64 format t\n";

static int saved(void *opaque, const struct v3dcl_saved *what)
{
	(void)opaque;
	(void)what;
	return 0;
}

static int use_job(struct v3dcl_device *device, struct v3dcl_error *error)
{
	const struct v3dcl_run_options options = { .size = sizeof(options), .saved = saved };
	struct v3dcl_script *script;
	int ret = v3dcl_script_read("job", job, sizeof(job) - 1, NULL, 0, &script, error);

	if (!ret)
		ret = v3dcl_script_run(script, device, &options, error);
	v3dcl_script_free(script);
	return ret;
}

static int open_and_use(user *use, struct v3dcl_error *error)
{
	const struct v3dcl_simulator_config config = { .size = sizeof(config), .unverified = true };
	struct v3dcl_device *device = NULL;
	int ret = v3dcl_open_simulator(&config, &device, error);

	if (!ret)
		ret = use(device, error);
	v3dcl_close(device);
	return ret;
}

/*
 * What a device can do without: it then looks like a driver that has none of it, tells less, or has
 * one handle more
 */
static bool is_needed(unsigned long request)
{
	return request != DRM_IOCTL_V3DCL_GET_PARAM && request != DRM_IOCTL_GEM_CLOSE &&
	       request != DRM_IOCTL_V3DCL_GET_REFUSAL;
}

static void fail_each_ioctl(user *use, unsigned int least)
{
	struct v3dcl_error error;
	unsigned int at;
	int ret;

	for (at = 1; ; at++) {
		error = (struct v3dcl_error){ .code = 0 };
		driver.count = 0;
		driver.fail_at = at;
		ret = open_and_use(use, &error);
		driver.fail_at = 0;
		if (driver.count < at)
			break;
		if (ret != (is_needed(driver.failed) ? -FAILURE : 0) || error.code != ret ||
		    !error.text[0] != !ret)
			fail_msg("ioctl %u (number 0x%x) fails: %d, \"%s\"", at,
				 (unsigned int)_IOC_NR(driver.failed), ret, error.text);
		if (ret)
			assert_non_null(strstr(error.text, strerror(FAILURE)));
	}
	assert_int_equal(ret, 0);
	assert_true(at > least);
}

static void bos(void **state)
{
	(void)state;
	fail_each_ioctl(use_bos, 10);
}

static void code(void **state)
{
	(void)state;
	fail_each_ioctl(use_code, 4);
}

static void sync_and_counters(void **state)
{
	(void)state;
	fail_each_ioctl(use_sync, 9);
}

static void info(void **state)
{
	(void)state;
	fail_each_ioctl(use_info, 10);
}

static void frames(void **state)
{
	(void)state;
	fail_each_ioctl(use_frames, 10);
}

static void jobs(void **state)
{
	(void)state;
	fail_each_ioctl(use_job, 20);
}

/*
 * Only the driver whose ioctls these are is taken, "vc4": no other with a name that begins like it.
 */
static void other_drivers(void **state)
{
	static const char *const names[] = { "v3d", "vc4_hvs", "vc", "" };
	struct v3dcl_device *device = NULL;
	struct v3dcl_error error;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		driver.driver = names[i];
		assert_int_equal(v3dcl_open_simulator(NULL, &device, &error), -ENODEV);
		assert_null(device);
		assert_int_equal(error.code, -ENODEV);
		assert_non_null(strstr(error.text, names[i]));
	}
	driver.driver = NULL;
	assert_int_equal(v3dcl_open_simulator(NULL, &device, NULL), 0);
	v3dcl_close(device);
}

static void note_struck(void *opaque, const char *name, uint64_t value)
{
	unsigned int *struck = opaque;

	(void)value;
	*struck += !strncmp(name, "struck:", strlen("struck:"));
}

static unsigned int modes_of(const char *chip)
{
	const struct v3dcl_simulator_config config = { .size = sizeof(config), .chip = chip };
	struct v3dcl_device *device;
	unsigned int struck = 0;

	assert_int_equal(v3dcl_open_simulator(&config, &device, NULL), 0);
	assert_int_equal(v3dcl_device_stats(device, note_struck, &struck, NULL), 0);
	v3dcl_close(device);
	return struck;
}

/* A chip by its modes, the configuration's before the environment's; one that there is not */
static void chips(void **state)
{
	const struct v3dcl_simulator_config wrong = { .size = sizeof(wrong), .chip = "HW-1" };
	struct v3dcl_device *device = NULL;
	struct v3dcl_error error;

	(void)state;
	unsetenv("V3D_CHIP");
	assert_int_equal(modes_of(NULL), 0);
	assert_int_equal(modes_of("HW-2898+HW-2726"), 2);
	assert_int_equal(v3dcl_open_simulator(&wrong, &device, &error), -EINVAL);
	assert_null(device);
	assert_non_null(strstr(error.text, "\"HW-1\""));
	setenv("V3D_CHIP", "HW-2898", 1);
	assert_int_equal(modes_of(NULL), 1);
	assert_int_equal(modes_of("ideal"), 0);
	setenv("V3D_CHIP", "HW-1", 1);
	assert_int_equal(v3dcl_open_simulator(NULL, &device, &error), -EINVAL);
	assert_non_null(strstr(error.text, "V3D_CHIP"));
	unsetenv("V3D_CHIP");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(bos), cmocka_unit_test(code), cmocka_unit_test(sync_and_counters),
		cmocka_unit_test(info),
		cmocka_unit_test(frames), cmocka_unit_test(jobs), cmocka_unit_test(other_drivers),
		cmocka_unit_test(chips),
	};

	return cmocka_run_group_tests_name("failing", tests, NULL, NULL);
}
