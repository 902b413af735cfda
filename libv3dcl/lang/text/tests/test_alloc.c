// SPDX-License-Identifier: MIT
/* Out of memory, at every allocation in turn: reading, running, saving. */
#include <fail_alloc.h>

#include "v3dcl_text.h"

static const char text[] =
	"const n = 4\noption m = 2\nbuffer later\nbuffer a size 64 { x: repeat i n { f32 sin(i) } "
	"; u32 later }\nbuffer later { text \"abc\" ; align 4 }\n"
	"macro two v, w=1 { u8 v, w }\nbuffer macros { two 1; two 2, 3 }\n"
	"buffer out size 16384\nbuffer vertices { table s12.4 s12.4 f32 f32 { 0, 0, 1, 1\n 64, 0, "
	"1, 1\n 0, 64, 1, 1 } }\n"
	"program p {\n\tmov r0, unif\n\tmov r1, unif\nend:\n\tnop; thrend\n\tnop\n\tnop\n}\n"
	"program s {\n\tmov r0, unif\n\tnop; sbwait\n\tmov tlbc, r0\n\tnop; thrend\n\tnop\n\tnop; "
	"sbdone\n}\n"
	"run timeout 100 { p(read a, m)\np(write a.x, 1.5) }\n"
	"frame 64 64 {\nclear_colors color0=1\ncolor_write out\nuniforms u { u32 5 }\n"
	"record r { nv_shader_record stride=12 fs_code=s fs_uniforms=u vertices=vertices }\n"
	"bin {\nconfiguration_bits forward_facing=1 reverse_facing=1\nclip_window width=64 "
	"height=64\nviewport_offset\nnv_shader_state address=r\n"
	"array_primitives mode=triangles length=3\n}\n}\n"
	"program f {\n\tmov r0, unif\n\tnop\n\tnop; sbwait\n\tmov tlbc, r0\n\tnop; "
	"thrend\n\tnop\n\tnop; sbdone\n}\n"
	"submit width=64 height=64 {\nbuffers f, out\ncolor_write hindex=1\n}\n"
	"lists { render { clear_colors color0=7 color1=7\ntile_rendering_mode address=out width=64 "
	"height=64 pixel=rgba8888\ntile_coordinates\n"
	"store_general buffer=none\ntile_coordinates\nstore_resolved_end } }\n"
	"save out picture 64 64 as \"picture\"\nsave a size 16\nexpect out { u32 7 }\n";

static int take(void *opaque, const struct v3dcl_saved *saved)
{
	(void)opaque;
	(void)saved;
	return 0;
}

static int read_it(void *opaque)
{
	static const char *const options[] = { "m=3" };
	struct v3dcl_script *script;
	struct v3dcl_error error;
	int ret = v3dcl_script_read("some/name", text, strlen(text), options, 1, &script, &error);

	(void)opaque;
	if (ret && ret != -ENOMEM)
		fail_msg("%s", error.text);
	v3dcl_script_free(script);
	return ret;
}

static void test_read(void **state)
{
	(void)state;
	assert_true(fail_each_alloc(read_it, NULL) > 50);
}

struct emu_file;
int __real_emu_file_ioctl(struct emu_file *file, unsigned long request, void *arg);
int __wrap_emu_file_ioctl(struct emu_file *file, unsigned long request, void *arg);

/* What the driver does without memory is for its own tests; some of it goes on without. */
int __wrap_emu_file_ioctl(struct emu_file *file, unsigned long request, void *arg)
{
	int ret;

	fail_alloc.spare = true;
	ret = __real_emu_file_ioctl(file, request, arg);
	fail_alloc.spare = false;
	return ret;
}

/* On a device of its own: one keeps some memory until it is closed */
static int run_it(void *opaque)
{
	const struct v3dcl_simulator_config config = { .size = sizeof(config), .unverified = true };
	const struct v3dcl_run_options options = { .size = sizeof(options), .saved = take };
	struct v3dcl_device *device;
	struct v3dcl_error error;
	int ret = v3dcl_open_simulator(&config, &device, &error);

	if (ret)
		return ret;
	ret = v3dcl_script_run(opaque, device, &options, &error);
	if (ret && ret != -ENOMEM)
		fail_msg("%s", error.text);
	v3dcl_close(device);
	return ret;
}

static void test_run(void **state)
{
	struct v3dcl_script *script;
	struct v3dcl_error error;

	(void)state;
	assert_int_equal(v3dcl_script_read(NULL, text, strlen(text), NULL, 0, &script, &error), 0);
	assert_true(fail_each_alloc(run_it, script) > 10);
	v3dcl_script_free(script);
}

static int decode_it(void *opaque)
{
	struct v3dcl_buffer out = { 0 };
	struct v3dcl_error error;
	int ret = v3dcl_script_decode(opaque, false, &out, &error);

	if (ret && ret != -ENOMEM)
		fail_msg("%s", error.text);
	v3dcl_buffer_free(&out);
	return ret;
}

static void test_decode(void **state)
{
	struct v3dcl_script *script;
	struct v3dcl_error error;

	(void)state;
	assert_int_equal(v3dcl_script_read(NULL, text, strlen(text), NULL, 0, &script, &error), 0);
	assert_true(fail_each_alloc(decode_it, script) > 30);
	v3dcl_script_free(script);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_read),
		cmocka_unit_test(test_run),
		cmocka_unit_test(test_decode),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests_name("text-alloc", tests, NULL, NULL);
}
