// SPDX-License-Identifier: MIT
/* A file of trials: see corpus.h. */
#include <errno.h>
#include <lzma.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "corpus.h"

#define MEMORY_LIMIT (UINT64_C(1) << 28)
#define UNPACKED_LIMIT (1u << 28)

static uint8_t *read_all(const char *name, size_t *size)
{
	FILE *file = fopen(name, "rb");
	struct stat status;
	uint8_t *bytes = NULL;

	if (file && !fstat(fileno(file), &status))
		bytes = malloc(status.st_size + 1);
	if (bytes)
		*size = fread(bytes, 1, status.st_size, file);
	if (file)
		fclose(file);
	return bytes;
}

/* As long as there is not room enough, once more with twice the room */
static uint8_t *unpack(const uint8_t *packed, size_t packed_size, size_t *size)
{
	uint64_t memory = MEMORY_LIMIT;
	uint8_t *bytes;
	size_t room, in;
	lzma_ret ret;

	for (room = 1 << 24; room <= UNPACKED_LIMIT; room *= 2) {
		bytes = malloc(room);
		in = *size = 0;
		if (!bytes)
			return NULL;
		ret = lzma_stream_buffer_decode(&memory, 0, NULL, packed, &in, packed_size, bytes,
						size, room);
		if (ret == LZMA_OK)
			return bytes;
		free(bytes);
		if (ret != LZMA_BUF_ERROR)
			break;
	}
	errno = EILSEQ;
	return NULL;
}

bool corpus_open(struct corpus *corpus, const char *name)
{
	static const uint8_t magic[] = { 0xfd, '7', 'z', 'X', 'Z' };
	size_t size = 0;
	uint8_t *packed;

	*corpus = (struct corpus){ 0 };
	corpus->bytes = read_all(name, &corpus->left);
	if (corpus->bytes && corpus->left > sizeof(magic) &&
	    !memcmp(corpus->bytes, magic, sizeof(magic))) {
		packed = corpus->bytes;
		corpus->bytes = unpack(packed, corpus->left, &size);
		corpus->left = size;
		free(packed);
	}
	corpus->at = corpus->bytes;
	return corpus->bytes;
}

int corpus_next(struct corpus *corpus, struct trial *trial)
{
	return trial_read(trial, &corpus->at, &corpus->left);
}

void corpus_close(struct corpus *corpus)
{
	free(corpus->bytes);
}

bool corpus_pack(const uint8_t *bytes, size_t size, const char *name)
{
	const size_t room = lzma_stream_buffer_bound(size);
	uint8_t *packed = malloc(room);
	FILE *file = fopen(name, "wb");
	size_t packed_size = 0;
	bool good = packed && file &&
		    lzma_easy_buffer_encode(9 | LZMA_PRESET_EXTREME, LZMA_CHECK_CRC32, NULL, bytes,
					    size, packed, &packed_size, room) == LZMA_OK &&
		    fwrite(packed, 1, packed_size, file) == packed_size;

	if (file && fclose(file))
		good = false;
	free(packed);
	return good;
}
