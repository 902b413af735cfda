// SPDX-License-Identifier: MIT
/*
 * Texts that are almost right: words of the format in random order, and the seeds with pieces
 * changed, for the fuzzer of the text format (text.c).
 *
 *	text-fuzz [INPUTS [SEED]]		0 inputs: until killed
 */
#include <string.h>
#include <sys/param.h>

#include "../base/helpers.h"
#include "fuzz.h"

#define MOST_TEXT 2048

static const char *const words[] = {
	"buffer",
	"program",
	"run",
	"frame",
	"lists",
	"submit",
	"buffers",
	"hindex",
	"at",
	"records",
	"save",
	"expect",
	"option",
	"const",
	"repeat",
	"if",
	"else",
	"assert",
	"a",
	"b",
	"c",
	"a.x",
	"p",
	"p.loop",
	"size",
	"t_tiled",
	"picture",
	"pixel",
	"format",
	"flip",
	"as",
	"within",
	"near",
	"u8",
	"u16",
	"u32",
	"u64",
	"f32",
	"f16",
	"f187",
	"s12.4",
	"table",
	"zero",
	"align",
	"text",
	"file",
	"code",
	"read",
	"write",
	"readwrite",
	"timeout",
	"bin",
	"render",
	"uniforms",
	"record",
	"clear_colors",
	"color_write",
	"color_read",
	"zs_write",
	"multisample",
	"own_stream",
	"raster",
	"t",
	"lt",
	"rgba8888",
	"gl_shader_record",
	"nv_shader_record",
	"vg_shader_record",
	"attribute",
	"extended_stride",
	"clip_window",
	"width",
	"height",
	"address",
	"array_primitives",
	"mode",
	"triangles",
	"length",
	"tile_binning_mode",
	"store_general",
	"branch",
	"vg_inline_primitives",
	"flush",
	"gl_shader_state",
	"attributes",
	"nv_shader_state",
	"fs_code",
	"fs_uniforms",
	"vertices",
	"vdw_setup",
	"texture0",
	"base",
	"type",
	"sin",
	"min",
	"bits",
	"rgba",
	"reverse",
	"{",
	"}",
	"(",
	")",
	"=",
	",",
	":",
	"\n",
	"\n",
	";",
	"+",
	"-",
	"*",
	"/",
	"%",
	"<<",
	">>",
	"&&",
	"||",
	"==",
	"?",
	"~",
	"!",
	"0",
	"1",
	"2",
	"16",
	"64",
	"0.5",
	"1e9",
	"0xffffffff",
	"9223372036854775807",
	"\"x\"",
	"\"",
	"#",
	"\\",
	"mov r0, unif",
	"macro",
	"m",
	"m 1",
	"m a, (2)",
	"macro m x, y=3 {",
	"x",
	"y",
	"}\n",
	"thrend",
	"nop",
	"loop:",
	"brr loop",
	"repeat i 3 {",
	"buffer a {",
	"u32 a",
	"program p {\n",
	"\n}\n",
};

static const char *const seeds[] = {
	"const n = 4\nbuffer a size 4 * n { x: repeat i n { f32 sin(i) } }\nprogram p {\nmov r0, "
	"unif\nnop; thrend\nnop\nnop\n}\n"
	"run timeout 5 { p(read a, write a.x + 4, 1.5) }\nsave a picture 2 2\nexpect a within 1e-3 "
	"{ f32 0, 1 }\n",
	"buffer v { table s12.4 s12.4 f32 f32 { 1, 2, 3, 4\n 5, 6, 7, 8 } }\nbuffer c { u64 "
	"0xd14059e520820df7 }\nbuffer o size 16384\n"
	"frame 64 64 { clear_colors color0=1\n color_write o format raster pixel rgba8888\n "
	"uniforms u { f32 1 }\n"
	"record s { nv_shader_record stride=12 fs_code=c fs_uniforms=u vertices=v }\nbin { "
	"configuration_bits forward_facing=1 reverse_facing=1\n"
	"clip_window width=64 height=64\nviewport_offset\nnv_shader_state "
	"address=s\narray_primitives mode=triangles length=3 } }\nsave o picture 64 64\n",
	"macro m x, y=3 { u8 x; repeat i y { u8 x + i } ; n x }\nmacro n z { u16 z }\n"
	"buffer a { m 1; m 2, 5\nm (3 + 4) }\n"
	"macro p n, v {\nprogram n {\nldi r0, v\nnop; thrend\nnop\nnop\n}\n}\np q, 4\nrun q()\n",
	"buffer l size 4096\nbuffer s size 48\nlists { bin { tile_binning_mode address=l size=4096 "
	"state=s width=1 height=1 auto_initialise=1\n"
	"start_tile_binning\nflush }\nrender { tile_rendering_mode width=64 height=64\nif size(l) "
	"> 4 { nop } else { halt } } }\n",
};

static uint64_t state = 0x9e3779b97f4a7c15u;

static uint32_t random_below(uint32_t bound)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return (state >> 33) % bound;
}

static size_t random_words(char *text)
{
	size_t length = 0;
	uint32_t n = 1 + random_below(80);

	while (n--) {
		const char *word = words[random_below(COUNT(words))];

		if (length + strlen(word) + 1 >= MOST_TEXT)
			break;
		length += sprintf(text + length, "%s ", word);
	}
	return length;
}

/* Replaces a piece by another of the same text, by words, or by a byte */
static size_t change(char *text, size_t length)
{
	char piece[MOST_TEXT];
	size_t from = random_below(length),
	       cut = random_below(length - from < 16 ? length - from + 1 : 16), size;

	switch (random_below(3)) {
	case 0:
		size = sprintf(piece, " %s ", words[random_below(COUNT(words))]);
		break;
	case 1:
		size = random_below(MIN(length, 64));
		memcpy(piece, text + random_below(length - size + 1), size);
		break;
	default:
		size = 1;
		piece[0] = random_below(256);
	}
	if (length - cut + size >= MOST_TEXT)
		return length;
	memmove(text + from + size, text + from + cut, length - from - cut);
	memcpy(text + from, piece, size);
	return length - cut + size;
}

static size_t make(char *text)
{
	uint32_t changes = random_below(12);
	const char *seed;
	size_t length;

	if (!random_below(4))
		return random_words(text);
	seed = seeds[random_below(COUNT(seeds))];
	length = strlen(seed);
	memcpy(text, seed, length);
	while (changes-- && length)
		length = change(text, length);
	return length;
}

int main(int argc, char **argv)
{
	unsigned long inputs = argc > 1 ? strtoul(argv[1], NULL, 0) : 20000, i;
	char text[MOST_TEXT];

	if (argc > 2)
		state = strtoull(argv[2], NULL, 0) | 1;
	for (i = 0; !inputs || i < inputs; i++)
		LLVMFuzzerTestOneInput((const uint8_t *)text, make(text));
	printf("TAP version 13\n1..2\nok 1 - %lu texts, no error\n%sok 2 - %lu of them could be "
	       "read\n",
	       inputs, fuzz_accepted ? "" : "not ", fuzz_accepted);
	return !fuzz_accepted;
}
