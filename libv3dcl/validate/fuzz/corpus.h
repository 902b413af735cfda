/* SPDX-License-Identifier: MIT */
/*
 * A file of trials, one after the other, packed by xz or not.
 */
#ifndef V3DCL_JOB_FUZZ_CORPUS_H
#define V3DCL_JOB_FUZZ_CORPUS_H

#include "trial.h"

struct corpus {
	uint8_t *bytes;
	const uint8_t *at;
	size_t left;
};

/* Opens a corpus. Return: false: errno says why */
bool corpus_open(struct corpus *corpus, const char *name);

/* 1: a trial, 0: that was all, -1: this is no trial */
int corpus_next(struct corpus *corpus, struct trial *trial);

void corpus_close(struct corpus *corpus);

/* Writes trials to a packed file; false: errno may say why */
bool corpus_pack(const uint8_t *bytes, size_t size, const char *name);

#endif /* V3DCL_JOB_FUZZ_CORPUS_H */
