// SPDX-License-Identifier: MIT
/*
 * The fuzzer without libFuzzer: inputs made from fixed seeds, nearly right ones, so that they come
 * far before something is wrong. A finding ends the process by a sanitizer or abort(), which is a
 * failed test. With files as arguments it runs those instead; with --seconds N it makes inputs of
 * its own for as long, of kind K only with --kind K behind it, and says which was the first seed.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <v3d/packets.h>
#include <v3d/qpu.h>
#include <v3d/regs.h>

#include "tests/xorshift.h"
#include "frame.h"
#include "fuzz.h"

#ifndef ROUNDS
#define ROUNDS 1000		/* inputs of each kind */
#endif

static uint64_t seed;

static uint32_t dice(uint32_t sides)
{
	return (xorshift(&seed) >> 16) % sides;
}

static uint32_t any(void)
{
	return dice(0x10000) << 16 | dice(0x10000);
}

/* An address: mostly in memory, aligned, sometimes at an edge. */
static uint32_t address(void)
{
	switch (dice(10)) {
	case 0:
		return any();
	case 1:
		return FUZZ_MEMORY + FUZZ_MEMORY_BYTES / 2 - dice(64);
	case 2:
		return -dice(FUZZ_MEMORY_BYTES / 2);
	default:
		return FUZZ_MEMORY + dice(FUZZ_MEMORY_BYTES / 2) / 16 * 16;
	}
}

/* A value: mostly small, as counts and sizes are. */
static uint32_t value(unsigned int bits)
{
	uint32_t all = bits == 32 ? ~0u : (1u << bits) - 1;

	switch (dice(5)) {
	case 0:
		return any() & all;
	case 1:
		return all - dice(2);
	case 2:
		return dice(64) & all;
	default:
		return dice(4) & all;
	}
}

struct input {
	uint8_t bytes[FUZZ_MAX];
	size_t size;
};

static void begin(struct input *input)
{
	memset(input->bytes, 0, sizeof(input->bytes));
	input->bytes[0] = dice(4) ? dice(4) : dice(32);
	if (!dice(8))
		input->bytes[0] = FUZZ_THREADS;
	input->bytes[2] = dice(4) ? dice(2) : dice(256);
	input->size = FUZZ_HEADER;
}

static void add(struct input *input, enum fuzz_command what, uint32_t number, uint32_t with)
{
	const uint8_t bytes[FUZZ_COMMAND] = { what, number, number >> 8, number >> 16,
					      with, with >> 8, with >> 16, with >> 24 };

	if (input->bytes[1] == 255)
		return;
	input->bytes[1]++;
	memcpy(input->bytes + input->size, bytes, sizeof(bytes));
	input->size += sizeof(bytes);
}

static void add_write(struct input *input, uint32_t reg, uint32_t with)
{
	add(input, FUZZ_WRITE, reg / 4, with);
}

/* A record of any kind that may stand in a thread's lists, with fields that make some sense. */
static size_t put_record(uint8_t *out, unsigned int thread)
{
	const struct v3d_packet_info *info;
	const struct v3d_field *field;

	do {
		out[0] = dice(256);
		info = v3d_packet_info(out[0]);
	} while (!info->name ||
		 (dice(50) && !(info->lists & (thread ? V3D_IN_RENDER : V3D_IN_BIN))) ||
		 (out[0] < V3D_STORE_RESOLVED && dice(3)));
	memset(out + 1, 0, info->length - 1);
	for (field = info->fields; field->name; field++)
		v3d_put_bits(out, 8 + field->low, field->bits,
			     field->type == V3D_A ? address() >> (32 - field->bits) :
						    value(field->bits));
	return info->length;
}

static void put_list(uint8_t *memory, size_t len, unsigned int thread)
{
	size_t at = 0;

	while (at + 64 < len)
		at += put_record(memory + at, thread);
}

/* What a frame begins with, on both threads */
static void put_beginnings(uint8_t *bin, uint8_t *render)
{
	const struct v3d_tile_binning_mode binning = {
		.address = FUZZ_MEMORY + 0x4000,
		.size = 32 * dice(100),
		.state = FUZZ_MEMORY + 0x3000,
		.width = dice(10),
		.height = 1 + dice(3),
		.auto_initialise = dice(4) != 0,
		.initial_block = dice(4),
		.block = dice(4),
	};
	const struct v3d_tile_rendering_mode rendering = {
		.address = address(),
		.width = dice(200),
		.height = dice(200),
		.multisample = dice(2),
		.color64 = dice(2),
		.pixel = dice(3),
		.decimate = dice(3),
		.format = dice(3),
		.double_buffer = dice(2),
	};

	v3d_pack_tile_binning_mode(bin, &binning);
	bin[V3D_TILE_BINNING_MODE_LENGTH] = V3D_START_TILE_BINNING;
	v3d_pack_tile_rendering_mode(render, &rendering);
	render[V3D_TILE_RENDERING_MODE_LENGTH] = V3D_TILE_COORDINATES;
}

/*
 * Both threads, with their frames configured; now and then with more memory for the binner, or a
 * step in between.
 */
static void make_lists(struct input *input)
{
	unsigned int i;
	uint8_t *memory;

	begin(input);
	if (dice(2))
		add_write(input, V3D_BPOA, address());
	if (dice(2))
		add_write(input, V3D_BPOS, value(16));
	add_write(input, V3D_CT0CA, FUZZ_MEMORY);
	add_write(input, V3D_CT1CA, FUZZ_MEMORY + 0x1000);
	add_write(input, V3D_CT0EA, FUZZ_MEMORY + dice(0x1000));
	add_write(input, V3D_CT1EA, FUZZ_MEMORY + 0x1000 + dice(0x1000));
	for (i = dice(6); i; i--) {
		add(input, FUZZ_RUN, 0, dice(300));
		add_write(input, V3D_CTNCS(dice(2)), dice(2) ? 0x10 : any() & 0x8030);
		add_write(input, V3D_CTNCA(dice(2)), FUZZ_MEMORY + dice(0x2000));
		add_write(input, V3D_CTNEA(dice(2)), FUZZ_MEMORY + dice(0x2000));
		add_write(input, V3D_BPOS, value(16));
	}
	memory = input->bytes + input->size;
	put_list(memory, 0x1000, 0);
	put_list(memory + 0x1000, 0x1000, 1);
	if (dice(4))
		put_beginnings(memory, memory + 0x1000);
	input->size += 0x2000;
}

/*
 * An instruction: any bits, but mostly signals and conditions that do something and registers that
 * exist.
 */
static uint64_t instruction(void)
{
	static const uint8_t signals[] = { 1, 1, 1, 1, 1, 13, 13, 14, 14, 15, 10,
					   11, 2, 3, 0, 4, 5, 6, 7, 8, 9, 12 };
	uint64_t word = (uint64_t)any() << 32 | any();

	if (!dice(20))
		return word;
	word &= ~(UINT64_C(0xf) << 60);
	word |= (uint64_t)signals[dice(sizeof(signals))] << 60;
	if (word >> 60 == V3D_QPU_SIG_BRANCH)
		word = (word & ~UINT64_C(0xffffffff)) | (uint32_t)(8 * (int32_t)(dice(64) - 32));
	else if (dice(2))
		word = (word & ~(UINT64_C(0x3f) << 49)) | UINT64_C(1) << 49 | UINT64_C(1) << 46;
	return word;
}

static void make_programs(struct input *input)
{
	uint64_t word;
	unsigned int i;

	begin(input);
	add_write(input, V3D_VPMBASE, value(5));
	add_write(input, V3D_L2CACTL, value(3));
	add_write(input, V3D_DBQITE, value(16));
	for (i = 1 + dice(20); i; i--) {
		add_write(input, V3D_SRQUA, address());
		add_write(input, V3D_SRQUL, dice(2) ? 1024 : value(12));
		add_write(input, V3D_SRQPC, FUZZ_MEMORY + dice(0x800) / 8 * 8);
		if (!dice(4))
			add(input, FUZZ_RUN, 0, dice(1000));
		if (!dice(8))
			add_write(input, V3D_SLCACTL, any());
	}
	for (i = 0; i < 0x1000; i += 8) {
		word = instruction();
		memcpy(input->bytes + input->size + i, &word, sizeof(word));
	}
	/* Uniforms and what programs load: addresses and set-up words */
	for (i = 0x1000; i < 0x8000; i += 4) {
		uint32_t data = dice(3) ? address() : any();

		memcpy(input->bytes + input->size + i, &data, sizeof(data));
	}
	input->size += 0x8000;
}

/* A frame, binned and then rendered, and once more with something in between */
static void make_frames(struct input *input)
{
	struct frame_lists lists;
	unsigned int i, thread;

	begin(input);
	frame_make(input->bytes + FUZZ_HEADER + 40 * FUZZ_COMMAND, dice, instruction, &lists);
	for (i = 0; i < 2; i++) {
		for (thread = 0; thread < 2; thread++) {
			add_write(input, V3D_CTNCA(thread), lists.start[thread]);
			add_write(input, V3D_CTNEA(thread), lists.end[thread]);
			if (thread == 0 || !dice(3))
				add(input, FUZZ_RUN, 0, dice(4) ? 8000 : dice(8000));
			if (!dice(10))
				add_write(input, V3D_BPOA, address());
			if (!dice(10))
				add_write(input, V3D_BPOS, value(16));
			if (!dice(10))
				add_write(input, V3D_CTNCS(thread), 0x8000);
			if (!dice(4))
				add(input, FUZZ_POKE, dice(FRAME_BYTES), any());
			if (!dice(10))
				add(input, FUZZ_LOSE, 0, dice(8));
		}
	}
	while (input->bytes[1] < 40)
		add(input, FUZZ_RUN, 0, 0);
	input->size += FRAME_BYTES;
}

static void make_registers(struct input *input)
{
	static const uint16_t regs[] = {
#define OFFSET(name, kind, offset, access, reset) offset,
		V3D_REGS(OFFSET)
	};
	unsigned int i;

	begin(input);
	for (i = 0; i < 200; i++) {
		if (dice(2))
			add_write(input, regs[dice(sizeof(regs) / sizeof(regs[0]))],
				  dice(2) ? address() : value(32));
		else
			add(input, dice(FUZZ_COMMANDS), any(), dice(2) ? any() : dice(100));
	}
	put_list(input->bytes + input->size, 0x1000, dice(2));
	input->size += 0x1000;
}

static void make_noise(struct input *input)
{
	unsigned int i;

	begin(input);
	for (i = 0; i < 40; i++)
		add(input, any(), dice(0x400), dice(2) ? address() : any());
	for (i = 0; i < 0x2000; i++)
		input->bytes[input->size++] = any();
}

static const struct {
	const char *name;
	void (*make)(struct input *input);
} kinds[] = {
	{ "registers", make_registers }, { "control lists", make_lists },
	{ "QPU programs", make_programs }, { "noise", make_noise },
	{ "frames", make_frames },
};

#define KINDS (sizeof(kinds) / sizeof(kinds[0]))

/* The nth input of a kind, from a seed of its own */
static void run_input(unsigned int kind, uint64_t n)
{
	static struct input input;

	seed = (UINT64_C(0x9e3779b97f4a7c15) * n) ^ (kind + 1);
	kinds[kind].make(&input);
	LLVMFuzzerTestOneInput(input.bytes, input.size);
}

/*
 * Inputs of all kinds or one, other ones than the test's and other ones each time, until the time
 * is over
 */
static void run_for(unsigned int seconds, unsigned int only)
{
	const time_t end = time(NULL) + seconds;
	uint64_t first = (uint64_t)time(NULL) << 20;
	unsigned int i;

	setvbuf(stdout, NULL, _IOLBF, 0);
	printf("# first seed %llu\n", (unsigned long long)first);
	for (i = 0; time(NULL) < end; i++)
		run_input(only < KINDS ? only : i % KINDS, first + i);
	printf("# %u inputs: %s\n", i, only < KINDS ? kinds[only].name : "all kinds");
}

static int run_file(const char *name)
{
	static uint8_t bytes[FUZZ_MAX];
	FILE *file = fopen(name, "rb");
	size_t size;

	if (!file) {
		perror(name);
		return 1;
	}
	size = fread(bytes, 1, sizeof(bytes), file);
	fclose(file);
	LLVMFuzzerTestOneInput(bytes, size);
	return 0;
}

int main(int argc, char **argv)
{
	int i, failed = 0;

	if (argc > 2 && !strcmp(argv[1], "--seconds")) {
		run_for(strtoul(argv[2], NULL, 0), argc > 4 && !strcmp(argv[3], "--kind") ?
							   strtoul(argv[4], NULL, 0) - 1 :
							   KINDS);
		return 0;
	}
	for (i = 1; i < argc; i++)
		failed |= run_file(argv[i]);
	if (argc > 1)
		return failed;
	setvbuf(stdout, NULL, _IOLBF, 0);
	printf("1..%u\n", (unsigned int)KINDS);
	for (unsigned int kind = 0; kind < KINDS; kind++) {
		for (i = 0; i < ROUNDS; i++)
			run_input(kind, i + 1);
		printf("ok %u - %u inputs: %s\n", kind + 1, (unsigned int)ROUNDS, kinds[kind].name);
	}
	return 0;
}
