// SPDX-License-Identifier: MIT
/*
 * A triangle, from nothing: first-triangle OUT.ppm [/dev/dri/renderD128]. Without a device it is
 * drawn by the simulator.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <v3d/words.h>
#include <v3dcl_device.h>
#include <v3dcl_frame.h>
#include <v3dcl_qpu.h>

#define WIDTH 256
#define HEIGHT 256
/*
 * What the coordinate shader hands on (AG100 Figure 11): coordinates for the clipper, then where
 * the vertex is on the screen
 */
static const struct vertex {
	float clip[4];
	int16_t x, y;		/* sixteenths of a pixel */
	float z, one_over_w;
} vertices[] = {
	{ { 0, 0, 0, 1 }, 128 * 16, 32 * 16, 0.5f, 1 },
	{ { 0, 0, 0, 1 }, 224 * 16, 224 * 16, 0.5f, 1 },
	{ { 0, 0, 0, 1 }, 32 * 16, 224 * 16, 0.5f, 1 },
};

static struct v3dcl_error error;

/* Whatever fails says why. */
static void need(int ret)
{
	if (ret >= 0)
		return;
	fprintf(stderr, "%s\n", error.text);
	exit(1);
}

static uint32_t shader(struct v3dcl_device *device, const char *text)
{
	struct v3dcl_assembly *assembly;
	uint32_t handle;

	need(v3dcl_assemble(NULL, text, strlen(text), &assembly, &error));
	need(v3dcl_bo_create_shader(device, assembly->code, assembly->code_count, &handle, &error));
	v3dcl_assembly_free(assembly);
	return handle;
}

/* The vertices come shaded, so these shaders only hand words on. */
static uint32_t copy_shader(struct v3dcl_device *device, int words)
{
	const struct v3d_vpm_read_setup in = {
		.size = V3D_VPM_32BIT, .horizontal = 1, .stride = 1, .number = words
	};
	const struct v3d_vpm_write_setup out = { .size = V3D_VPM_32BIT, .horizontal = 1,
						 .stride = 1 };
	struct v3dcl_buffer text = { 0 };
	uint32_t handle;

	v3dcl_buffer_printf(&text, "ldi vr_setup, 0x%x\nldi vw_setup, 0x%x\nnop\nnop\n",
			    v3d_word_vpm_read_setup(&in), v3d_word_vpm_write_setup(&out));
	while (words--)
		v3dcl_buffer_printf(&text, "mov vpm, vpm\n");
	v3dcl_buffer_printf(&text, "thrend\nnop\nnop\n");
	need(text.failed ? v3dcl_fail(&error, -ENOMEM, "out of memory") : 0);
	handle = shader(device, (const char *)text.bytes);
	v3dcl_buffer_free(&text);
	return handle;
}

/* begin record */
static struct v3dcl_address make_record(struct v3dcl_frame *frame, struct v3dcl_device *device)
{
	struct v3dcl_attribute arrays[2] = {
		{ .size_minus_1 = sizeof(struct vertex) - 1, .stride = sizeof(struct vertex) },
		{ .size_minus_1 = 12 - 1, .stride = sizeof(struct vertex) },
	};
	struct v3dcl_gl_shader_record record = {
		.single_threaded = 1,
		.clipping = 1,
		.vs_attributes = 1 << 1,
		.cs_attributes = 1 << 0,
		.fs_code.bo =
			shader(device,
			       "mov r0, unif\nnop\nsbwait\nmov tlbc, r0\nthrend\nnop\nsbdone\n"),
		.vs_code.bo = copy_shader(device, 3),
		.cs_code.bo = copy_shader(device, 7),
	};
	struct v3dcl_block data = { 0 }, stream = { 0 };
	struct v3dcl_address where;

	need(v3dcl_block_bytes(&data, vertices, sizeof(vertices), &error));
	need(v3dcl_frame_data(frame, &data, 16, &arrays[0].address, &error));
	arrays[1].address = arrays[0].address;
	arrays[1].address.offset += offsetof(struct vertex, x);
	need(v3dcl_place_attributes(&record, arrays, 2, &error));

	/* alpha, blue, green, red */
	need(v3dcl_block_word(&stream, 0xff3fbf7f, &error));
	need(v3dcl_frame_uniforms(frame, &stream, &record.fs_uniforms, &error));

	need(v3dcl_frame_gl(frame, &record, arrays, NULL, 2, &where, &error));
	v3dcl_block_free(&data);
	v3dcl_block_free(&stream);
	return where;
}

/* end record */

/* begin list */
static void make_list(struct v3dcl_list *list, struct v3dcl_address record)
{
	need(v3dcl_list_clip_window(list,
				    &(struct v3dcl_clip_window){ .width = WIDTH, .height = HEIGHT },
				    &error));
	need(v3dcl_list_configuration_bits(list,
					   &(struct v3dcl_configuration_bits){
						   .forward_facing = 1,
						   .reverse_facing = 1,
						   .depth_function = V3D_ALWAYS },
					   &error));
	need(v3dcl_list_viewport_offset(list, &(struct v3dcl_viewport_offset){ .x = 0, .y = 0 },
					&error));
	need(v3dcl_list_clipper_xy_scaling(list,
					   &(struct v3dcl_clipper_xy_scaling){ 8 * WIDTH,
									       8 * HEIGHT },
					   &error));
	need(v3dcl_list_clipper_z_scale(list,
					&(struct v3dcl_clipper_z_scale){ .scale = 0.5f,
									 .offset = 0.5f },
					&error));
	need(v3dcl_list_gl_shader_state(list,
					&(struct v3dcl_gl_shader_state){ .attributes = 2,
									 .address = record },
					&error));
	need(v3dcl_list_array_primitives(list,
					 &(struct v3dcl_array_primitives){ .mode = V3D_TRIANGLES,
									   .length = 3 },
					 &error));
	need(v3dcl_list_flush(list, &error));
}

/* end list */

/* As the simplest kind of picture file there is */
static int write_picture(const char *name, const uint8_t *pixels)
{
	FILE *file = fopen(name, "wb");
	int n;

	if (!file)
		return 1;
	fprintf(file, "P6 %d %d 255\n", WIDTH, HEIGHT);
	for (n = 0; n < WIDTH * HEIGHT; n++)
		fwrite(pixels + 4 * n, 1, 3, file);
	return fclose(file) ? 1 : 0;
}

/* begin main */
int main(int argc, char **argv)
{
	struct v3dcl_targets targets = {
		.width = WIDTH,
		.height = HEIGHT,
		.clear = true,
		.clear_color = { 0xff402010, 0xff402010 },
	};
	struct v3dcl_device *device;
	struct v3dcl_frame *frame;
	uint64_t seqno;
	void *pixels;
	int ret;

	if (argc < 2)
		return 1;
	if (argc > 2)
		need(v3dcl_open_drm(open(argv[2], O_RDWR | O_CLOEXEC), &device, &error));
	else
		need(v3dcl_open_simulator(NULL, &device, &error));
	need(v3dcl_bo_create(device, WIDTH * HEIGHT * 4, &targets.color_write.address.bo, &error));
	need(v3dcl_bo_map(device, targets.color_write.address.bo, &pixels, &error));

	need(v3dcl_frame_new(&frame, &error));
	need(v3dcl_frame_targets(frame, &targets, &error));
	need(v3dcl_frame_begin(frame, &error));
	make_list(v3dcl_frame_bin(frame), make_record(frame, device));
	need(v3dcl_frame_submit(frame, device, &seqno, &error));
	need(v3dcl_wait(device, seqno, 10000000000, &error));

	ret = write_picture(argv[1], pixels);
	v3dcl_frame_free(frame);
	v3dcl_close(device);
	return ret;
}

/* end main */
