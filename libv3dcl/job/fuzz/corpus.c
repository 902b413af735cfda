// SPDX-License-Identifier: MIT
/* A file of trials: see corpus.h. */
#include <errno.h>
#include <stdlib.h>
#include <zlib.h>

#include "corpus.h"

#define PIECE (1 << 20)

bool corpus_open(struct corpus *corpus, const char *name)
{
	gzFile file = gzopen(name, "rb");
	int count = 1;

	*corpus = (struct corpus){ 0 };
	if (!file)
		return false;
	while (count > 0) {
		uint8_t *more = realloc(corpus->bytes, corpus->left + PIECE);

		if (!more)
			break;
		corpus->bytes = more;
		count = gzread(file, corpus->bytes + corpus->left, PIECE);
		corpus->left += count > 0 ? count : 0;
	}
	gzclose(file);
	corpus->at = corpus->bytes;
	errno = count < 0 ? EIO : ENOMEM;
	return count == 0;
}

int corpus_next(struct corpus *corpus, struct trial *trial)
{
	return trial_read(trial, &corpus->at, &corpus->left);
}

void corpus_close(struct corpus *corpus)
{
	free(corpus->bytes);
}
