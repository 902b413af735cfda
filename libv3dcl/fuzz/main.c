// SPDX-License-Identifier: MIT
/*
 * A fuzzer without libFuzzer: the inputs of a corpus, then some that differ a little from them. The
 * same seed gives the same inputs. See usage().
 */
#include <errno.h>
#include <getopt.h>
#include <sanitizer/common_interface_defs.h>
#include <signal.h>
#include <string.h>
#include <sys/param.h>
#include <time.h>

#include "../validate/fuzz/corpus.h"
#include "../validate/fuzz/dice.h"
#include "fuzz.h"

#define MOST_INPUTS 4096
#define MOST_BYTES (1 << 16)
#define FAILURE "fuzz-failure"

/* One of the corpus; and the one that runs */
static struct input {
	const uint8_t *bytes;
	size_t size;
} inputs[MOST_INPUTS], now;
static uint32_t input_count;

struct options {
	const char *corpus;
	uint64_t seed, count;
	time_t seconds;
};

static int usage(FILE *file)
{
	fputs("usage: fuzz-NAME [OPTION...] FILE\n"
	      "\n"
	      "Runs the inputs in FILE, a corpus packed by scripts/fuzz or, with --one, a\n"
	      "single input; then others made of them.\n"
	      "\n"
	      "  --count N    so many others (default 2000)\n"
	      "  --time S     others for so many seconds instead\n"
	      "  --seed N     they follow from this number (default 1)\n"
	      "  --one        FILE is one input, and no others are made\n"
	      "  --help       this\n"
	      "\n"
	      "An input on which something goes wrong is written to " FAILURE "\n"
	      "in the current folder.\n"
	      "Exit status: 0, 2 for bad usage, any other when something went wrong.\n",
	      file);
	return file == stdout ? 0 : 2;
}

static void save_failure(void)
{
	FILE *file = fopen(FAILURE, "wb");

	if (file) {
		fwrite(now.bytes, 1, now.size, file);
		fclose(file);
	}
}

static void aborted(int number)
{
	save_failure();
	signal(number, SIG_DFL);
	raise(number);
}

static void run(const uint8_t *bytes, size_t size)
{
	now = (struct input){ bytes, size };
	LLVMFuzzerTestOneInput(bytes, size);
}

/* A corpus is one input after the other, each behind its size. False: this is none */
static bool split(const uint8_t *at, size_t left)
{
	uint32_t size;

	while (left && input_count < MOST_INPUTS) {
		if (left < sizeof(size))
			return false;
		memcpy(&size, at, sizeof(size));
		at += sizeof(size);
		left -= sizeof(size);
		if (size > left || size > MOST_BYTES)
			return false;
		inputs[input_count++] = (struct input){ at, size };
		at += size;
		left -= size;
	}
	return !left && input_count;
}

/* Replaces @cut bytes at @at by @piece. Return: the size then */
static size_t replace(uint8_t *bytes, size_t size, size_t at, size_t cut, const uint8_t *piece,
		      size_t length)
{
	if (size - cut + length > MOST_BYTES)
		return size;
	memmove(bytes + at + length, bytes + at + cut, size - at - cut);
	memcpy(bytes + at, piece, length);
	return size - cut + length;
}

static size_t change(struct dice *dice, uint8_t *bytes, size_t size)
{
	const struct input *other = &inputs[roll(dice, input_count)];
	const size_t at = roll(dice, size + 1), rest = size - at;
	const uint32_t number = odd_number(dice);
	uint8_t piece[64];
	size_t length = roll(dice, sizeof(piece)), from;

	switch (roll(dice, 5)) {
	case 0:
		if (rest)
			bytes[at] ^= 1 << roll(dice, 8);
		return size;
	case 1:
		piece[0] = roll(dice, 256);
		return replace(bytes, size, at, roll(dice, 2) && rest, piece, 1);
	case 2:
		return replace(bytes, size, at, MIN(rest, length), piece, 0);
	case 3:
		memcpy(piece, &number, sizeof(number));
		return replace(bytes, size, at, MIN(rest, 4), piece, 4);
	default:
		length = MIN(length, other->size);
		from = roll(dice, other->size - length + 1);
		memcpy(piece, other->bytes + from, length);
		return replace(bytes, size, at, roll(dice, 2) && rest > length ? length : 0, piece,
			       length);
	}
}

/*
 * Input number @i that follows from the seed. The memory has just its size, so that a byte too far
 * is seen.
 */
static void run_changed(uint64_t seed, uint64_t i)
{
	static uint8_t bytes[MOST_BYTES];
	struct dice dice = { seed * UINT64_C(0x9e3779b97f4a7c15) + i };
	const struct input *base = &inputs[roll(&dice, input_count)];
	uint32_t changes = 1 + roll(&dice, 8);
	size_t size = base->size;
	uint8_t *copy;

	memcpy(bytes, base->bytes, size);
	while (changes--)
		size = change(&dice, bytes, size);
	copy = malloc(size + !size);
	if (!copy)
		return;
	memcpy(copy, bytes, size);
	run(copy, size);
	free(copy);
}

static int run_all(const struct options *options)
{
	const time_t end = options->seconds ? time(NULL) + options->seconds : 0;
	uint64_t i;

	printf("TAP version 13\n1..2\n");
	for (i = 0; i < input_count; i++)
		run(inputs[i].bytes, inputs[i].size);
	printf("ok 1 - %u inputs of the corpus\n", input_count);
	for (i = 0; end ? time(NULL) < end : i < options->count; i++)
		run_changed(options->seed, i);
	printf("ok 2 - %llu others, seed %llu\n", (unsigned long long)i,
	       (unsigned long long)options->seed);
	return 0;
}

/* Return: whether they are good; @one: a single input */
static bool parse(int argc, char **argv, struct options *options, bool *one)
{
	static const struct option known[] = {
		{ "count", required_argument, NULL, 'c' }, { "time", required_argument, NULL, 't' },
		{ "seed", required_argument, NULL, 's' }, { "one", no_argument, NULL, 'o' },
		{ "help", no_argument, NULL, 'h' }, { 0 },
	};
	int option;

	while ((option = getopt_long(argc, argv, "", known, NULL)) != -1) {
		switch (option) {
		case 'c':
			options->count = strtoull(optarg, NULL, 0);
			break;
		case 't':
			options->seconds = strtol(optarg, NULL, 0);
			break;
		case 's':
			options->seed = strtoull(optarg, NULL, 0);
			break;
		case 'o':
			*one = true;
			break;
		case 'h':
			exit(usage(stdout));
		default:
			return false;
		}
	}
	options->corpus = argv[optind];
	return argc == optind + 1;
}

int main(int argc, char **argv)
{
	struct options options = { .seed = 1, .count = 2000 };
	struct corpus corpus;
	bool one = false;
	int ret = 0;

	if (!parse(argc, argv, &options, &one))
		return usage(stderr);
	if (!corpus_open(&corpus, options.corpus)) {
		fprintf(stderr, "%s: %s\n", options.corpus, strerror(errno));
		return 2;
	}
	__sanitizer_set_death_callback(save_failure);
	signal(SIGABRT, aborted);
	if (one) {
		run(corpus.at, corpus.left);
	} else if (split(corpus.at, corpus.left)) {
		ret = run_all(&options);
	} else {
		fprintf(stderr, "%s is no corpus\n", options.corpus);
		ret = 2;
	}
	corpus_close(&corpus);
	return ret;
}
