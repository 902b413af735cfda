// SPDX-License-Identifier: MIT
/* Whole jobs: what the manual promises of calls, lists and frames, seen in what comes out. */
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../../../base/helpers.h"
#include "reading.h"

static struct saved saved;

static void expect_good(const char *text)
{
	struct v3dcl_error error;

	if (run_text(text, &saved, &error))
		fail_msg("%s\n%s", text, error.text);
}

/* Stores its first uniform sixteen times where its second says */
#define STORE(uniforms) \
	"program store {\n" uniforms \
	"ldi vw_setup, vpm_write_setup(size=2, horizontal=1, stride=1)\n" \
	"mov vpm, unif\n" \
	"ldi vw_setup, vdw_setup(units=1, depth=16, horizontal=1)\n" \
	"ldi vw_setup, vdw_stride()\n" \
	"mov vw_addr, unif\nmov -, vw_wait\nthrend\nnop\nnop\n}\n"
#define OUT "buffer out size 64\n"
#define SIXTEEN(number) "expect out { repeat i 16 { u32 " number " } }\n"

/* "Where the program declares its uniforms, those that the call leaves out are as declared." */
static void uniforms(void **state)
{
	(void)state;
	expect_good(OUT STORE("") "run store(7, write out)\n" SIXTEEN("7"));
	expect_good(OUT STORE("") "run store(-1.5, readwrite out)\n" SIXTEEN("f32(-1.5)"));
	expect_good(OUT STORE("") "run timeout 10000 { store(7, write out) }\n" SIXTEEN("7"));
	expect_good(OUT STORE(".uniform x, 5\n.uniform to, &out, write\n") "run store()\n"
		    SIXTEEN("5"));
	expect_good(OUT STORE(".uniform x, 5\n.uniform to, &out, write\n") "run store(6)\n"
		    SIXTEEN("6"));
	expect_good("buffer other size 64\n" OUT
		    STORE(".uniform x, 5\n.uniform to, &other, write\n")
		    "run store(8, out)\nexpect other { zero 64 }\n" SIXTEEN("8"));
	expect_good("buffer out size 128\n" STORE(".uniform x, 5\n.uniform to, &out + 64, write\n")
		    "run store()\nexpect out { zero 64 ; u32 5 }\n");
	expect_good(OUT STORE("")
		    "program two {\nnop\nthrend\nnop\nnop\n}\nrun { store(3, write out)\n two() }\n"
	SIXTEEN("3"));
}

/*
 * "What data directives make is a buffer NAME.data": the program may read and the job may save it.
 */
static void own_data(void **state)
{
	(void)state;
	expect_good("program p {\n.data\nten: .word 1, 2, 3\n.text\n.uniform where, &ten, "
		    "read\nmov t0s, unif\nnop; ldtmu0\n"
		    "thrend\nnop\nnop\n}\nrun p()\nsave p.data\n");
	assert_int_equal(saved.size, 12);
	assert_memory_equal(saved.bytes, "\1\0\0\0\2\0\0\0\3\0\0\0", 12);
}

/*
 * "Numbers that have a name in the job have it in the program, too"; inner names hide outer ones.
 */
static void constants(void **state)
{
	(void)state;
	expect_good("const n = 3\nconst x = 0.5\nconst where = 0x10000\n" OUT
		    "const later = out\n" /* an address: the program has no use for it */
		    "program p {\n.assert n == 3\n.assert x == 0.5\nthrend\nnop\nnop\n}\n"
		    "run p()\n");
	expect_good("option n = 3\nif n == 3 {\n"
		    "program p {\n.assert n == 3\nthrend\nnop\nnop\n}\nrun p()\n}\n");
}

/* Lists that stand in a buffer run as those in braces do. */
#define CLEAR                                                                                   \
	"clear_colors color0=7 color1=7\n"                                                      \
	"tile_rendering_mode address=out width=64 height=64 pixel=rgba8888\ntile_coordinates\n" \
	"store_general buffer=none\ntile_coordinates\nstore_resolved_end\n"
static void lists(void **state)
{
	(void)state;
	expect_good("buffer out size 16384\nlists { render {" CLEAR "} }\n" SIXTEEN("7"));
	expect_good("buffer out size 16384\nbuffer l { zero 3\nstart: " CLEAR "end: nop }\n"
		    "lists { render at l.start size l.end - l.start }\n" SIXTEEN("7"));
}

#define FRAME(inside) \
	"buffer out size 16384\nbuffer depth size 16384\nbuffer dump size 16384\nframe 64 64 " \
	"{\n" inside "\n}\n"

static void targets(void **state)
{
	(void)state;
	expect_good(FRAME("clear_colors color0=5\ncolor_write out") SIXTEEN("5"));
	expect_good(FRAME("clear_colors color0=5 color1=6\ncolor_write out format raster pixel "
			  "rgba8888") "expect out { u32 5, 6, 5, 6 }\n");
	expect_good(FRAME("clear_colors color0=0xff0000ff color1=0xff0000ff\ncolor_write out pixel "
			  "bgr565") "expect out { repeat i 16 { u16 0xf800 } }\n");
	/* HW: stencil in bits 7:0 of the word, Z above */
	expect_good(FRAME("clear_colors z=0x123456 stencil=0x78\nzs_write depth format raster")
		    "expect depth { repeat i 16 { u32 0x12345678 } }\n");
	expect_good(FRAME("clear_colors color0=5\ncolor_write out format lt pixel "
			  "rgba8888\nearly_z_disable\nearly_z_greater") SIXTEEN("5"));
	expect_good("buffer out size 16384\nbuffer full size 16384\nframe 32 32 "
		    "{\nmultisample\ndecimate by4\n"
		    "clear_colors color0=9\nfull_color_write full\ncolor_write out\n}\nexpect out "
		    "{ u32 9 }\nexpect full { u32 9 }\n"
		    "frame 32 32 {\nmultisample\ncolor_read full full\ncolor_write out\n}\nexpect "
		    "out { u32 9 }\n");
}

/* "render { RECORD ... }: a render list of one's own" */
static void own_render(void **state)
{
	(void)state;
	expect_good(FRAME("color_write out\nrender {\n" CLEAR "}") SIXTEEN("7"));
}

#define SHADER \
	"program fs {\nmov r0, unif\nnop; sbwait\nmov tlbc, r0\nnop; thrend\nnop\nnop; " \
	"sbdone\n}\n"
#define SETUP \
	"configuration_bits forward_facing=1 reverse_facing=1 depth_function=always\nclip_window " \
	"width=64 " \
	"height=64\nviewport_offset\n"

static void vg_records(void **state)
{
	(void)state;
	expect_good("buffer out size 16384\nbuffer v { s12.4 0, 0, 64, 0, 0, 64, 64, 0, 64, 64, 0, "
		    "64\n s12.4 0, 0 }\n" SHADER
		    "frame 64 64 {\ncolor_write out\nuniforms u { u32 9 }\n"
		    "record r { vg_shader_record single_threaded=1 fs_code=fs fs_uniforms=u "
		    "fs_uniform_count=1 }\nbin {\n" SETUP "depth_offset factor=1.5 units=-2\n"
		    "vg_shader_state address=r\nvg_coordinate_primitives mode=triangles length=6 "
		    "address=v\n}\n}\n" SIXTEEN("9"));
}

/*
 * Without a shader that anything runs: what is asked for is that the record gets where it belongs,
 * strides and all
 */
static void extended_records(void **state)
{
	(void)state;
	expect_good("buffer out size 16384\nbuffer v size 256\n" SHADER
		    "program vs {\nnop; thrend\nnop\nnop\n}\n"
		    "frame 64 64 {\nclear_colors color0=4\ncolor_write out\nuniforms u { u32 9 }\n"
		    "record r { gl_shader_record fs_code=fs fs_uniforms=u vs_code=vs vs_uniforms=u "
		    "cs_code=vs cs_uniforms=u "
		    "vs_attributes=3 cs_attributes=3\n"
		    "repeat i 2 { attribute address=v size_minus_1=7 }\nextended_stride "
		    "stride=8\nextended_stride stride=1000\n}\n"
		    "bin {\n" SETUP
		    "gl_shader_state attributes=2 extended=1 address=r\n}\n}\n" SIXTEEN("4"));
}

/* Own streams: the shader's uniform is the stream's own address. */
static void own_stream(void **state)
{
	(void)state;
	expect_good("buffer out size 16384\nbuffer v { s12.4 0, 0, 64, 0, 0, 64, 64, 0, 64, 64, 0, "
		    "64\n s12.4 0, 0 }\n"
		    "program fs {\nmov r1, unif\nmov r0, unif\nmov unif_addr, r1\nnop\nnop\nmov "
		    "r2, unif\nsub r0, r0, r2\n"
		    "nop; sbwait\nmov tlbc, r0\nnop; thrend\nnop\nnop; sbdone\n}\n"
		    "frame 64 64 {\ncolor_write out\nuniforms u { u32 own_stream, own_stream }\n"
		    "record r { vg_shader_record single_threaded=1 fs_code=fs fs_uniforms=u "
		    "fs_uniform_count=3 }\nbin {\n" SETUP
		    "vg_shader_state address=r\nvg_coordinate_primitives mode=triangles length=6 "
		    "address=v\n}\n}\n" SIXTEEN("0"));
}

/* "file ...: relative to the text's own folder" */
static void files(void **state)
{
	static const struct {
		const char *statement;
		int ret;
	} cases[] = {
		{ "file \"bytes\"", 0 },
		{ "file \"./bytes\" from 1 size 2", 0 },
		{ "file \"bytes\" from 3 size 0\n u8 1", 0 },
		{ "file \"missing\"", -ENOENT },
		{ "file \".\"", -EINVAL },
		{ "file \"bytes\" from 4", -EINVAL },
		{ "file \"bytes\" size 4", -EINVAL },
		{ "file \"bytes\" from 1 size 3", -EINVAL },
	};
	char folder[] = "/tmp/v3dcl-jobs-XXXXXX", name[64], text[128];
	struct v3dcl_script *script;
	struct v3dcl_error error;
	FILE *file;
	size_t i;

	(void)state;
	assert_non_null(mkdtemp(folder));
	snprintf(name, sizeof(name), "%s/bytes", folder);
	file = fopen(name, "w");
	assert_non_null(file);
	fputs("abc", file);
	fclose(file);
	snprintf(name, sizeof(name), "%s/text.v3d", folder);
	for (i = 0; i < COUNT(cases); i++) {
		snprintf(text, sizeof(text), "buffer b { %s }\n", cases[i].statement);
		assert_int_equal(v3dcl_script_read(name, text, strlen(text), NULL, 0, &script,
						   &error),
				 cases[i].ret);
		v3dcl_script_free(script);
	}
	snprintf(name, sizeof(name), "%s/bytes", folder);
	unlink(name);
	rmdir(folder);
}

struct counted {
	unsigned int saved, steps, fail_at;
	char kinds[64];
};

static int count_saved(void *opaque, const struct v3dcl_saved *from)
{
	struct counted *counted = opaque;

	assert_non_null(from->name);
	return ++counted->saved == counted->fail_at ? -EIO : 0;
}

static void count_step(void *opaque, const struct v3dcl_stepped *step)
{
	struct counted *counted = opaque;

	assert_int_equal(step->number, counted->steps++);
	assert_int_equal(step->count, 5);
	assert_int_equal(step->line, 2 + counted->steps);
	strcat(strcat(counted->kinds, step->what), " ");
}

/* Each step is told once, in order; what the caller returns ends the run. */
static void steps(void **state)
{
	static const char text[] =
		"buffer out size 16384\n\nframe 64 64 { color_write out }\nexpect out { u8 0 }\n"
		"save out size 1\nsave out size 2\nlists { render {" CLEAR "} }\n";
	const struct v3dcl_simulator_config config = { .size = sizeof(config), .unverified = true };
	struct counted counted = { .fail_at = 0 };
	struct v3dcl_run_options options = { .size = sizeof(options),
					     .saved = count_saved, .stepped = count_step,
					     .opaque = &counted };
	struct v3dcl_device *device;
	struct v3dcl_script *script;
	struct v3dcl_error error;

	(void)state;
	if (read_text(text, &script, &error))
		fail_msg("%s", error.text);
	assert_int_equal(v3dcl_open_simulator(&config, &device, NULL), 0);
	if (v3dcl_script_run(script, device, &options, &error))
		fail_msg("%s", error.text);
	assert_string_equal(counted.kinds, "frame expect save "
					   "save lists ");
	assert_int_equal(counted.saved, 2);
	counted = (struct counted){ .fail_at = 1 };
	assert_int_equal(v3dcl_script_run(script, device, &options, &error), -EIO);
	assert_int_equal(counted.saved, 1);
	assert_int_equal(counted.steps, 2);
	assert_int_equal(v3dcl_script_run(script, device, NULL, &error), 0);
	v3dcl_close(device);
	v3dcl_script_free(script);
}

/* What an ordinary user may not do is said at the step; what hangs, too. */
static void refused(void **state)
{
	static const struct {
		const char *text;
		int ret;
		uint32_t line;
	} cases[] = {
		{ "buffer out size 16384\nlists { render { nop } }\n", -EACCES, 2 },
		{ "buffer out size 64\n\n" STORE("") "run store(1, read out)\n", -EINVAL, 14 },
		{ "buffer out size 4096\n" STORE("") "run store(1, write out + 4036)\n", -EINVAL,
		  13 },
		{ "buffer out size 64\nframe 64 64 { color_write out }\n", -EINVAL, 2 },
		{ "program p {\nloop: brr loop\nnop\nnop\nnop\nthrend\nnop\nnop\n}\nrun timeout 20 "
		  "p()\n",
		  -EIO, 10 },
		{ "program p {\nnop\nskip: thrend\nnop\nnop\n}\nrun p.skip()\n", -EINVAL, 7 },
	};
	const struct v3dcl_simulator_config config = { .size = sizeof(config),
						       .unprivileged = true, .limit_ms = 100 };
	struct v3dcl_device *device;
	struct v3dcl_script *script;
	struct v3dcl_error error;
	size_t i;
	int ret;

	(void)state;
	assert_int_equal(v3dcl_open_simulator(&config, &device, NULL), 0);
	for (i = 0; i < COUNT(cases); i++) {
		if (read_text(cases[i].text, &script, &error))
			fail_msg("%s", error.text);
		error = (struct v3dcl_error){ .code = 0 };
		ret = v3dcl_script_run(script, device, NULL, &error);
		if (ret != cases[i].ret || error.code != ret || error.line != cases[i].line)
			fail_msg("%s\n%d, line %u: %s", cases[i].text, ret, error.line, error.text);
		assert_int_equal(v3dcl_script_run(script, device, NULL, NULL), ret);
		v3dcl_script_free(script);
	}
	v3dcl_close(device);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(uniforms),   cmocka_unit_test(own_data),
		cmocka_unit_test(constants),  cmocka_unit_test(lists),
		cmocka_unit_test(targets),    cmocka_unit_test(own_render),
		cmocka_unit_test(vg_records), cmocka_unit_test(extended_records),
		cmocka_unit_test(own_stream), cmocka_unit_test(files),
		cmocka_unit_test(steps),      cmocka_unit_test(refused),
	};

	return cmocka_run_group_tests_name("text-jobs", tests, NULL, NULL);
}
