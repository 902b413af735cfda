// SPDX-License-Identifier: MIT
/*
 * Scenes to compare two implementations of GLES 2.0 by: each is drawn off-screen and written as a
 * PNG.
 *
 *	scenes FOLDER		draws all of them; standard output names the renderer, then each
 *				scene
 *	scenes --list		their names, and by how much a channel may differ in each
 *
 * What GLES leaves to the implementation is kept out of them: no dithering, colours that 8 bits
 * hold, corners on the V3D's grid of 1/16 of a pixel (what lies off it is cut off there, which
 * moves a texture by a twentieth of a texel), no edges through pixel centres.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <GLES2/gl2.h>

#include "v3dcl_png.h"

#define SIZE 256
#define TEXTURE 64

/* Of a vertex: position (4), color or texture coordinates (4) */
#define FLOATS 8
#define MOST 9	/* vertices in a draw */

static const char passing[] =
	"attribute vec4 position; attribute vec4 extra; varying vec4 passed; uniform float size;"
	"void main() { gl_Position = position; passed = extra; gl_PointSize = size; }";
static const char colored[] =
	"precision mediump float; varying vec4 passed; void main() { gl_FragColor = passed; }";
static const char uniform_color[] =
	"precision mediump float; uniform vec4 color; void main() { gl_FragColor = color; }";
static const char textured[] =
	"precision mediump float; varying vec4 passed; uniform sampler2D image;"
	"void main() { gl_FragColor = texture2D(image, passed.xy); }";
static const char cube_mapped[] =
	"precision mediump float; varying vec4 passed; uniform samplerCube image;"
	"void main() { gl_FragColor = textureCube(image, passed.xyz); }";

static void die(const char *what)
{
	fprintf(stderr, "scenes: %s (GL 0x%x, EGL 0x%x)\n", what, glGetError(), eglGetError());
	exit(1);
}

/* --- GL --------------------------------------------------------------------------------------- */

static GLuint shader(GLenum type, const char *text)
{
	GLuint name = glCreateShader(type);
	GLint good;

	glShaderSource(name, 1, &text, NULL);
	glCompileShader(name);
	glGetShaderiv(name, GL_COMPILE_STATUS, &good);
	if (!good)
		die("a shader does not compile");
	return name;
}

static void use(const char *fragment)
{
	GLuint program = glCreateProgram();
	GLint good;

	glAttachShader(program, shader(GL_VERTEX_SHADER, passing));
	glAttachShader(program, shader(GL_FRAGMENT_SHADER, fragment));
	glBindAttribLocation(program, 0, "position");
	glBindAttribLocation(program, 1, "extra");
	glLinkProgram(program);
	glGetProgramiv(program, GL_LINK_STATUS, &good);
	if (!good)
		die("a program does not link");
	glUseProgram(program);
	glUniform1f(glGetUniformLocation(program, "size"), 1);
}

static void set(const char *name, float a, float b, float c, float d)
{
	GLint program;

	glGetIntegerv(GL_CURRENT_PROGRAM, &program);
	if (!strcmp(name, "size"))
		glUniform1f(glGetUniformLocation(program, name), a);
	else
		glUniform4f(glGetUniformLocation(program, name), a, b, c, d);
}

/*
 * The V3D has vertices at sixteenths of a pixel, rounded toward the middle by Mesa's shaders: here
 * they are there already (or just outside, where the division by w may fall short of them).
 * Otherwise pictures would be moved by up to a sixteenth of a pixel, and what textures show differ
 * by more than what is allowed.
 */
static float on_grid(float place, float w)
{
	const int steps = (int)(place / w * (SIZE / 2 * 16));
	const float beside = w == 1 ? 0 : steps < 0 ? -.1f : .1f;

	return ((float)steps + beside) / (SIZE / 2 * 16) * w;
}

static void draw(GLenum mode, const float *vertices, unsigned int count)
{
	static float moved[MOST * FLOATS];

	for (unsigned int n = 0; n < count * FLOATS; n++) {
		const float w = vertices[n / FLOATS * FLOATS + 3];

		moved[n] = n % FLOATS < 2 ? on_grid(vertices[n], w) : vertices[n];
	}
	glVertexAttribPointer(0, 4, GL_FLOAT, GL_FALSE, FLOATS * sizeof(float), moved);
	glVertexAttribPointer(1, 4, GL_FLOAT, GL_FALSE, FLOATS * sizeof(float), moved + 4);
	glEnableVertexAttribArray(0);
	glEnableVertexAttribArray(1);
	glDrawArrays(mode, 0, count);
}

/* A rectangle with texture coordinates from 0 to @times */
static void rectangle(float left, float bottom, float right, float top, float z, float times)
{
	const float v[4][FLOATS] = {
		{ left, bottom, z, 1, 0, 0, 0, 1 }, { right, bottom, z, 1, times, 0, 0, 1 },
		{ left, top, z, 1, 0, times, 0, 1 }, { right, top, z, 1, times, times, 0, 1 },
	};

	draw(GL_TRIANGLE_STRIP, v[0], 4);
}

/* A picture with steps and slopes in each channel */
static void texel(unsigned int x, unsigned int y, unsigned int width, uint8_t *rgba)
{
	rgba[0] = x * 255 / (width - 1);
	rgba[1] = y * 255 / (width - 1);
	rgba[2] = (x / 8 + y / 8) % 2 ? 224 : 32;
	rgba[3] = 255;
}

static void image(GLenum target, int level, unsigned int width, GLenum format, GLenum type)
{
	uint8_t *rgba = malloc(width * width * 4), pixel[4];
	uint16_t *narrow = (uint16_t *)rgba;

	if (!rgba)
		die("out of memory");
	for (unsigned int n = 0; n < width * width; n++) {
		texel(n % width, n / width, width > 1 ? width : 2, pixel);
		pixel[0] ^= level * 40;
		if (type == GL_UNSIGNED_SHORT_5_6_5)
			narrow[n] = pixel[0] >> 3 << 11 | pixel[1] >> 2 << 5 | pixel[2] >> 3;
		else if (type == GL_UNSIGNED_SHORT_4_4_4_4)
			narrow[n] = pixel[0] >> 4 << 12 | pixel[1] >> 4 << 8 | pixel[2] >> 4 << 4 |
				    15;
		else if (format == GL_LUMINANCE)
			rgba[n] = pixel[0] / 2 + pixel[1] / 2;
		else
			memcpy(rgba + 4 * n, pixel, 4);
	}
	glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
	glTexImage2D(target, level, format, width, width, 0, format, type, rgba);
	free(rgba);
}

static void texture(unsigned int width, GLenum format, GLenum type, GLenum filter, GLenum wrap)
{
	GLuint name;

	glGenTextures(1, &name);
	glBindTexture(GL_TEXTURE_2D, name);
	image(GL_TEXTURE_2D, 0, width, format, type);
	glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, filter);
	glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER,
			filter == GL_NEAREST ? GL_NEAREST : GL_LINEAR);
	glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, wrap);
	glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, wrap);
}

/* --- Scenes ----------------------------------------------------------------------------------- */

static const float triangles[][FLOATS] = {
	{ -.91f, -.87f, 0, 1, 1, 0, 0, 1 }, { .13f, -.71f, 0, 1, 0, 1, 0, 1 },
	{ -.57f, .63f, 0, 1, 0, 0, 1, 1 }, { .21f, .17f, .4f, 1, 1, 1, 0, 1 },
	{ .93f, .33f, .4f, 1, 0, 1, 1, 1 }, { .41f, .89f, .4f, 1, 1, 0, 1, 1 },
	{ -.3f, -.2f, -.3f, 1, 1, 1, 1, 1 }, { .9f, -.95f, -.3f, 1, .2f, .2f, .2f, 1 },
	{ .6f, .45f, .7f, 1, .6f, .1f, .3f, 1 },
};

static void flat(void)
{
	use(uniform_color);
	set("color", .2f, .6f, 1, 1);
	draw(GL_TRIANGLES, triangles[0], 3);
	set("color", 1, .4f, 0, 1);
	draw(GL_TRIANGLES, triangles[3], 3);
	set("color", .8f, .8f, .2f, 1);
	draw(GL_TRIANGLES, triangles[6], 3);
}

static void gouraud(void)
{
	use(colored);
	draw(GL_TRIANGLES, triangles[0], 9);
}

static void perspective(void)
{
	static const float v[][FLOATS] = {
		{ -1.8f, -1.6f, 0, 2, 1, 0, 0, 1 },
		{ 1.7f, -1.5f, 0, 2, 0, 1, 0, 1 },
		{ -.7f, .6f, 0, .8f, 0, 0, 1, 1 },
		{ .6f, .7f, 0, .8f, 1, 1, 1, 1 },
	};

	use(colored);
	draw(GL_TRIANGLE_STRIP, v[0], 4);
}

static void depth(void)
{
	glEnable(GL_DEPTH_TEST);
	gouraud();
}

static void stencil(void)
{
	glEnable(GL_STENCIL_TEST);
	glStencilFunc(GL_ALWAYS, 1, 0xff);
	glStencilOp(GL_KEEP, GL_KEEP, GL_INCR);
	flat();
	glStencilFunc(GL_EQUAL, 1, 0xff);
	glStencilOp(GL_KEEP, GL_KEEP, GL_KEEP);
	set("color", .9f, .9f, .9f, 1);
	rectangle(-0.7998046875f, -0.7998046875f, 0.7998046875f, 0.7998046875f, 0, 1);
}

static void blending(void)
{
	glEnable(GL_BLEND);
	glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
	use(uniform_color);
	for (unsigned int n = 0; n < 3; n++) {
		set("color", n == 0, n == 1, n == 2, .6f);
		draw(GL_TRIANGLES, triangles[3 * n], 3);
	}
}

static void scissored(void)
{
	glEnable(GL_SCISSOR_TEST);
	glScissor(37, 51, 141, 99);
	gouraud();
}

static void clipped(void)
{
	static const float v[][FLOATS] = {
		{ -5, -3, .2f, 1, 1, 0, 0, 1 }, { 7, -.4f, .2f, 1, 0, 1, 0, 1 },
		{ .3f, 9, .2f, 1, 0, 0, 1, 1 }, { -.9f, -.8f, -3, .7f, 1, 1, 0, 1 },
		{ .8f, -.6f, .3f, 1, 0, 1, 1, 1 }, { -.1f, .9f, 2.5f, 1, 1, 0, 1, 1 },
	};

	use(colored);
	draw(GL_TRIANGLES, v[0], 6);
}

static void culled(void)
{
	glEnable(GL_CULL_FACE);
	use(colored);
	draw(GL_TRIANGLES, triangles[0], 6);
	glCullFace(GL_FRONT);
	draw(GL_TRIANGLES, triangles[6], 3);
}

static void offset(void)
{
	glEnable(GL_DEPTH_TEST);
	use(uniform_color);
	set("color", .3f, .3f, .9f, 1);
	rectangle(-0.77001953125f, -0.77001953125f, 0.77001953125f, 0.77001953125f, .2f, 1);
	glEnable(GL_POLYGON_OFFSET_FILL);
	glPolygonOffset(0, -4);
	set("color", .9f, .5f, .1f, 1);
	rectangle(-0.41015625f, -0.93017578125f, 0.41015625f, 0.330078125f, .2f, 1);
	glPolygonOffset(0, 4);
	set("color", .1f, .9f, .1f, 1);
	rectangle(-0.93017578125f, -0.2099609375f, 0.93017578125f, 0.93017578125f, .2f, 1);
}

static void points(void)
{
	use(colored);
	for (unsigned int n = 0; n < 9; n++) {
		set("size", 1 + 3 * n, 0, 0, 0);
		draw(GL_POINTS, triangles[n], 1);
	}
}

static void nearest(void)
{
	texture(TEXTURE, GL_RGBA, GL_UNSIGNED_BYTE, GL_NEAREST, GL_REPEAT);
	use(textured);
	rectangle(-0.93017578125f, -0.89013671875f, 0.8701171875f, 0.91015625f, 0, 1.7f);
}

static void bilinear(void)
{
	texture(TEXTURE, GL_RGBA, GL_UNSIGNED_BYTE, GL_LINEAR, GL_CLAMP_TO_EDGE);
	use(textured);
	rectangle(-0.93017578125f, -0.89013671875f, 0.8701171875f, 0.91015625f, 0, 1);
}

static void mirrored(void)
{
	texture(TEXTURE, GL_RGBA, GL_UNSIGNED_BYTE, GL_LINEAR, GL_MIRRORED_REPEAT);
	use(textured);
	rectangle(-0.93017578125f, -0.89013671875f, 0.8701171875f, 0.91015625f, 0, 2.5f);
}

static void formats(void)
{
	use(textured);
	texture(TEXTURE, GL_RGB, GL_UNSIGNED_SHORT_5_6_5, GL_NEAREST, GL_REPEAT);
	rectangle(-0.9501953125f, -0.9501953125f, -0.0498046875f, -0.0498046875f, 0, 1);
	texture(TEXTURE, GL_RGBA, GL_UNSIGNED_SHORT_4_4_4_4, GL_NEAREST, GL_REPEAT);
	rectangle(0.0498046875f, -0.9501953125f, 0.9501953125f, -0.0498046875f, 0, 1);
	texture(TEXTURE, GL_LUMINANCE, GL_UNSIGNED_BYTE, GL_NEAREST, GL_REPEAT);
	rectangle(-0.9501953125f, 0.0498046875f, -0.0498046875f, 0.9501953125f, 0, 1);
	texture(37, GL_RGBA, GL_UNSIGNED_BYTE, GL_NEAREST, GL_CLAMP_TO_EDGE);
	rectangle(0.0498046875f, 0.0498046875f, 0.9501953125f, 0.9501953125f, 0, 1);
}

static void mipmaps(void)
{
	texture(TEXTURE, GL_RGBA, GL_UNSIGNED_BYTE, GL_NEAREST_MIPMAP_NEAREST, GL_REPEAT);
	for (unsigned int level = 1; TEXTURE >> level; level++)
		image(GL_TEXTURE_2D, level, TEXTURE >> level, GL_RGBA, GL_UNSIGNED_BYTE);
	use(textured);
	rectangle(-0.9501953125f, -0.9501953125f, -0.2001953125f, -0.2001953125f, 0, 1.5f);
	rectangle(-0.10009765625f, -0.9501953125f, 0.39990234375f, -0.4501953125f, 0, 2.0f);
	rectangle(0.5f, -0.9501953125f, 0.9501953125f, -0.5f, 0, 3.3f);
	rectangle(-0.9501953125f, 0, -0.0498046875f, 0.89990234375f, 0, 13);
}

static void cube(void)
{
	static const float corners[4][FLOATS] = {
		{ -.8984375f, -.8984375f, 0, 1, -1, -1, .3f, 1 },
		{ .8984375f, -.8984375f, 0, 1, 1, -1, .5f, 1 },
		{ -.8984375f, .8984375f, 0, 1, -1, 1, .7f, 1 },
		{ .8984375f, .8984375f, 0, 1, 1, 1, -.4f, 1 },
	};
	GLuint name;

	glGenTextures(1, &name);
	glBindTexture(GL_TEXTURE_CUBE_MAP, name);
	for (unsigned int face = 0; face < 6; face++)
		image(GL_TEXTURE_CUBE_MAP_POSITIVE_X + face, 0, 16, GL_RGBA, GL_UNSIGNED_BYTE);
	glTexParameteri(GL_TEXTURE_CUBE_MAP, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
	glTexParameteri(GL_TEXTURE_CUBE_MAP, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
	glTexParameteri(GL_TEXTURE_CUBE_MAP, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
	glTexParameteri(GL_TEXTURE_CUBE_MAP, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
	use(cube_mapped);
	draw(GL_TRIANGLE_STRIP, corners[0], 4);
}

/* Colour within 1/255 a channel, textures within 2/255 */
static const struct scene {
	const char *name;
	void (*draw)(void);
	unsigned int tolerance;
} scenes[] = {
	{ "flat", flat, 1 }, { "gouraud", gouraud, 1 }, { "perspective", perspective, 1 },
	{ "depth", depth, 1 }, { "stencil", stencil, 1 }, { "blending", blending, 1 },
	{ "scissor", scissored, 1 }, { "clipping", clipped, 1 }, { "culling", culled, 1 },
	{ "polygon-offset", offset, 1 }, { "points", points, 1 }, { "nearest", nearest, 2 },
	{ "bilinear", bilinear, 2 }, { "mirrored", mirrored, 2 }, { "formats", formats, 2 },
	{ "mipmaps", mipmaps, 2 }, { "cube", cube, 2 },
};

/* --- The program ------------------------------------------------------------------------------ */

/* Every scene begins in a fresh context: none sees state of another. */
static void open_context(EGLDisplay display)
{
	static const EGLint version[] = { EGL_CONTEXT_CLIENT_VERSION, 2, EGL_NONE };
	static const EGLint wanted[] = {
		EGL_SURFACE_TYPE, EGL_PBUFFER_BIT, EGL_RENDERABLE_TYPE, EGL_OPENGL_ES2_BIT,
		EGL_RED_SIZE, 8,
		EGL_GREEN_SIZE, 8, EGL_BLUE_SIZE, 8, EGL_DEPTH_SIZE, 24, EGL_STENCIL_SIZE, 8,
		EGL_NONE
	};
	static const EGLint extent[] = { EGL_WIDTH, SIZE, EGL_HEIGHT, SIZE, EGL_NONE };
	EGLConfig config;
	EGLContext context;
	EGLSurface surface;
	EGLint count;

	if (!eglChooseConfig(display, wanted, &config, 1, &count) || !count)
		die("no configuration with depth and stencil");
	surface = eglCreatePbufferSurface(display, config, extent);
	context = eglCreateContext(display, config, EGL_NO_CONTEXT, version);
	if (!eglMakeCurrent(display, surface, surface, context))
		die("no context");
	glViewport(0, 0, SIZE, SIZE);
	glDisable(GL_DITHER);
	glClearColor(.1f, .1f, .1f, 1);
	glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT);
}

static void run_scene(EGLDisplay display, const struct scene *scene, const char *folder)
{
	static uint32_t pixels[SIZE * SIZE], upright[SIZE * SIZE];
	char path[4096];

	open_context(display);
	scene->draw();
	glReadPixels(0, 0, SIZE, SIZE, GL_RGBA, GL_UNSIGNED_BYTE, pixels);
	if (glGetError() != GL_NO_ERROR)
		die(scene->name);
	for (unsigned int y = 0; y < SIZE; y++)
		memcpy(upright + y * SIZE, pixels + (SIZE - 1 - y) * SIZE, SIZE * sizeof(*pixels));
	snprintf(path, sizeof(path), "%s/%s.png", folder, scene->name);
	if (!png_write(path, upright, SIZE, SIZE))
		die(path);
	printf("%s\n", scene->name);
}

int main(int argc, char **argv)
{
	EGLDisplay display;

	if (argc == 2 && !strcmp(argv[1], "--list")) {
		for (unsigned int n = 0; n < sizeof(scenes) / sizeof(scenes[0]); n++)
			printf("%s %u\n", scenes[n].name, scenes[n].tolerance);
		return 0;
	}
	if (argc != 2 || argv[1][0] == '-') {
		fprintf(stderr, "usage: scenes FOLDER | --list\n");
		return 2;
	}
	if (mkdir(argv[1], 0755) && errno != EEXIST)
		die(argv[1]);
	display = eglGetPlatformDisplay(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, NULL);
	if (!eglInitialize(display, NULL, NULL) || !eglBindAPI(EGL_OPENGL_ES_API))
		die("no display");
	open_context(display);
	printf("%s\n", (const char *)glGetString(GL_RENDERER));
	for (unsigned int n = 0; n < sizeof(scenes) / sizeof(scenes[0]); n++)
		run_scene(display, &scenes[n], argv[1]);
	return 0;
}
