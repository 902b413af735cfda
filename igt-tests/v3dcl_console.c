// SPDX-License-Identifier: MIT
/*
 * The kernel's console on the display, while no process is the display's master: what is written to
 * the terminal is seen on the machine's screen.
 */
#include "v3dcl_screen.h"

IGT_TEST_DESCRIPTION("The kernel's console on the display");

#define RED 0xaa0000		/* the console's own */
#define WHITE 0xffffff
#define CELL_WIDTH 8		/* its only font on a screen of this size */
#define CELL_HEIGHT 16

/* The size of the screen: the console's frame buffer is as large */
static void find_size(struct pipe *pipe)
{
	unsigned int width, height;
	FILE *file = fopen("/sys/class/graphics/fb0/virtual_size", "r");

	igt_assert_f(file, "no /sys/class/graphics/fb0: the display has no console\n");
	igt_assert_eq(fscanf(file, "%u,%u", &width, &height), 2);
	fclose(file);
	pipe->mode.hdisplay = width;
	pipe->mode.vdisplay = height;
}

static void write_terminal(const char *text)
{
	int fd = open("/dev/tty1", O_WRONLY | O_NOCTTY | O_CLOEXEC);

	igt_assert_fd(fd);
	igt_assert_eq(write(fd, text, strlen(text)), (int)strlen(text));
	close(fd);
}

/* How many pixels of a character's cell have a colour */
static unsigned int count_in_cell(const struct pipe *pipe, const uint32_t *pixels,
				  unsigned int column, unsigned int row, uint32_t colour)
{
	unsigned int x, y, count = 0;

	for (y = row * CELL_HEIGHT; y < (row + 1) * CELL_HEIGHT; y++)
		for (x = column * CELL_WIDTH; x < (column + 1) * CELL_WIDTH; x++)
			count += pixels[y * pipe->mode.hdisplay + x] == colour;
	return count;
}

/* A full block at (@column, @row), red around it: nothing else on the screen */
static bool block_seen(const struct pipe *pipe, unsigned int column, unsigned int row)
{
	uint32_t *pixels = seen(pipe);
	size_t i, red = 0;
	bool white;

	for (i = 0; i < pixels_of(pipe); i++)
		red += pixels[i] == RED;
	white = count_in_cell(pipe, pixels, column, row, WHITE) == CELL_WIDTH * CELL_HEIGHT;
	free(pixels);
	return white && red == pixels_of(pipe) - CELL_WIDTH * CELL_HEIGHT;
}

/* Where only the host sees the screen it cannot be asked again and again */
static void expect_block_on_host(const struct pipe *pipe, unsigned int column, unsigned int row)
{
	uint32_t *want = malloc(4 * pixels_of(pipe));
	size_t i, x, y;

	igt_assert(want);
	for (i = 0; i < pixels_of(pipe); i++) {
		x = i % pipe->mode.hdisplay / CELL_WIDTH;
		y = i / pipe->mode.hdisplay / CELL_HEIGHT;
		want[i] = x == column && y == row ? WHITE : RED;
	}
	sleep(5);
	expect_pixels(pipe, want);
	free(want);
}

/* The console's picture follows what is written within a moment, on a busy machine in a few */
static void expect_block(const struct pipe *pipe, unsigned int column, unsigned int row)
{
	unsigned int tries;

	if (getenv("V3D_SCREEN_HOST")) {
		expect_block_on_host(pipe, column, row);
		return;
	}
	for (tries = 0; tries < 200 && !block_seen(pipe, column, row); tries++)
		usleep(100000);
	igt_assert_f(tries < 200, "the block is not seen at %u, %u\n", column, row);
}

/* Red screen, no cursor, a space with white behind it at (@column, @row) */
static void write_block(unsigned int column, unsigned int row)
{
	char text[96];

	snprintf(text, sizeof(text), "\033[0m\033[?25l\033[41m\033[2J\033[%u;%uH\033[5;47m \033[0m",
		 row + 1, column + 1);
	write_terminal(text);
}

static void written(const struct pipe *pipe)
{
	write_block(3, 2);
	expect_block(pipe, 3, 2);
	write_block(pipe->mode.hdisplay / CELL_WIDTH - 1, pipe->mode.vdisplay / CELL_HEIGHT - 1);
	expect_block(pipe, pipe->mode.hdisplay / CELL_WIDTH - 1,
		     pipe->mode.vdisplay / CELL_HEIGHT - 1);
}

/* A process shows a picture, and ends: closed files are all it takes */
static void show_and_go(void)
{
	struct pipe pipe;
	struct picture picture;

	open_pipe(&pipe);
	new_picture(&pipe, &picture, DRM_FORMAT_XRGB8888);
	paint(&picture, 6);
	add_picture(&pipe, &picture);
	show(&pipe, &picture);
	expect_seen(&pipe, 6, false);
	munmap(picture.map, picture.size);
	close(pipe.fd);
}

static void comes_back(const struct pipe *pipe)
{
	write_block(11, 7);
	expect_block(pipe, 11, 7);
	show_and_go();
	expect_block(pipe, 11, 7);
}

v3dcl_main()
{
	static struct pipe pipe;

	v3dcl_fixture() {
		screen_require();
		find_size(&pipe);
	}

	igt_describe("What is written to the terminal is seen, and where");
	igt_subtest("written")
		written(&pipe);
	igt_describe("Once the display's master is gone, the console is seen again");
	igt_subtest("comes-back")
		comes_back(&pipe);
}
