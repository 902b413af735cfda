/* SPDX-License-Identifier: MIT */
/*
 * User programs by grammar: while one is written, what its uniforms are going to be.
 */
#ifndef V3DCL_JOB_FUZZ_PROGRAM_H
#define V3DCL_JOB_FUZZ_PROGRAM_H

#include "make.h"

#define PROGRAM_WORDS 64
#define KEPT 4			/* registers of file A that addresses are kept in */
#define KEPT_REGISTERS 4

/* What a word of the uniforms is */
enum role {
	ROLE_NUMBER,		/* small */
	ROLE_LIMIT,		/* not negative */
	ROLE_READ,		/* the address of a BO to read from */
	ROLE_WRITE,		/* of one to write to */
	ROLE_STREAM,		/* of the stream itself */
	ROLE_TEXTURE0,		/* texture parameters: the first is relocated */
	ROLE_TEXTURE1,
	ROLE_TEXTURE2,
	ROLE_TEXTURE3,
};

/**
 * struct program - a program being written
 * @roles: of its uniforms
 * @words: of @roles
 * @kept: what the word was whose address register KEPT + n of file A holds, plus 1; 0 for none
 * @loaded: which of them were loaded since a branch parted, a bit each
 * @frozen: in a loop that must not load any
 * @wild: steps that are not quite right, now and then
 * @far: words that its stream has, where it goes on behind what @roles say; else 0
 * @up: the semaphore that it raises for another program, plus 1; @down: that it waits for
 */
struct program {
	struct dice *d;
	struct qb b;
	uint8_t roles[PROGRAM_WORDS];
	uint32_t words;
	uint8_t kept[KEPT_REGISTERS];
	uint32_t loaded;
	bool frozen, wild;
	uint32_t far;
	uint32_t up, down;
};

/* Appends something that breaks one rule */
void program_wrong(struct program *p);

/* Instructions of ALUs, and perhaps one that reaches memory */
void program_steps(struct program *p, bool accesses);

/* Appends procedures and calls of them: see make_calls.c */
void program_calls(struct program *p);

/* The same of calls, returns and links; of a path that ends before the others */
void program_wrong_call(struct program *p);
void program_wrong_end(struct program *p);

/* A lookup whose parameters are farther on in the stream than the checker numbers words */
void program_far(struct program *p);

/* Lane n reads word n of a BO, beginning with what a value says: then this value shows */
void program_show(struct program *p, uint16_t value);

/* The next uniform, and what it is going to be */
uint16_t program_uniform(struct program *p, enum role role);

/* What may be stepped over, or never is: from here to program_end_path() */
uint32_t program_begin_path(struct qb *b, struct dice *d);
void program_end_path(struct qb *b, uint32_t at);

/* Writes a program. Return: its length in instructions */
uint32_t program_write(struct program *p, uint64_t *code);

#endif /* V3DCL_JOB_FUZZ_PROGRAM_H */
