/* SPDX-License-Identifier: MIT */
/*
 * What dump.c writes of each thing that a checker was asked: scripts/verdicts reads it.
 */
#ifndef V3DCL_VERDICTS_VERDICT_H
#define V3DCL_VERDICTS_VERDICT_H

#include <assert.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* What was asked. Code has a verdict of its own, as it has an ioctl of its own. */
enum verdict_kind {
	VERDICT_FRAME,
	VERDICT_PROGRAMS,	/* a job of user programs */
	VERDICT_SHADER,
	VERDICT_PROGRAM,	/* is it verified? */
	VERDICT_UNVERIFIED,	/* the same code, may root run it? */
	VERDICT_KINDS,
};

#define VERDICT_OF_JOB (~(uint32_t)0)	/* struct verdict.item */
#define VERDICT_CALLS 0x80		/* in struct verdict.kind: of user programs with calls */

/**
 * struct verdict - a checker's answer
 * @job: PLAIN_JOB()
 * @item: index of the BO of code, or VERDICT_OF_JOB
 * @kind: enum verdict_kind, and VERDICT_CALLS
 * @accepted: 1 or 0
 * @rule: refused: which rule; 0 where the job is too large for this tool
 * @part: refused: where, with @offset
 * @written: accepted: a hash of what the V3D gets: lists, records, uniforms, render list
 * @facts: accepted: a hash of what driver and ABI are told
 * @told: refused: a hash of the ABI's refusal: what was found, expected, the value, the path
 */
struct verdict {
	uint64_t job;
	uint32_t item;
	uint8_t kind, accepted;
	uint16_t rule;
	uint32_t part, offset;
	uint64_t written, facts, told;
};

#define VERDICT_MAGIC 0x74647276u

/**
 * struct verdict_block - what comes before each block of verdicts
 * @magic: VERDICT_MAGIC
 * @count: verdicts that follow
 * @jobs: that they are of, code alone not counted
 * @alone: code alone
 * @answers: by enum verdict_kind: refused, accepted
 */
struct verdict_block {
	uint32_t magic, count;
	uint64_t jobs, alone;
	uint64_t answers[VERDICT_KINDS][2];
};

/* scripts/verdicts knows these layouts by heart. */
static_assert(sizeof(struct verdict) == 48, "struct verdict has padding");
static_assert(sizeof(struct verdict_block) == 104, "struct verdict_block has padding");

#define HASH_START UINT64_C(0xcbf29ce484222325)

/* Adds a number to a hash */
static inline void hash_word(uint64_t *hash, uint64_t word)
{
	const uint64_t h = (*hash ^ word) * UINT64_C(0x9e3779b97f4a7c15);

	*hash = h ^ h >> 32;
}

/* Some bytes more, and how many they are */
static inline void hash_bytes(uint64_t *hash, const void *bytes, size_t size)
{
	const uint8_t *at = bytes;
	uint64_t word;

	hash_word(hash, size);
	for (; size >= sizeof(word); size -= sizeof(word), at += sizeof(word)) {
		memcpy(&word, at, sizeof(word));
		hash_word(hash, word);
	}
	word = 0;
	memcpy(&word, at, size);
	hash_word(hash, word);
}

#endif /* V3DCL_VERDICTS_VERDICT_H */
