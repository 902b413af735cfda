/* SPDX-License-Identifier: MIT */
/*
 * A checker's interface as dump.c needs it. ask.c is all that knows the checker's own names.
 */
#ifndef V3DCL_VERDICTS_ASK_H
#define V3DCL_VERDICTS_ASK_H

#include <stdbool.h>
#include <stdint.h>

#include "plain.h"
#include "verdict.h"

/* Begins. Return: false: no memory */
bool ask_start(void);

/* A new set of BOs begins: nothing is known of their code */
void ask_forget(void);

/* A BO of code, as @v->kind says; what is found out is kept for ask_job() */
void ask_code(struct verdict *v, const uint64_t *code, uint32_t count, uint32_t bo);

/* The job itself, all of whose code was accepted */
void ask_job(struct verdict *v, const struct plain *job);

/* A rule's name; empty if there is none of this number */
const char *ask_rule(uint32_t rule);

#endif /* V3DCL_VERDICTS_ASK_H */
