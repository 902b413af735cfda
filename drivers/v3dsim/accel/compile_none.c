// SPDX-License-Identifier: MIT
/* Builds without LLVM's headers, and processors that nothing is compiled for: see compile.h. */
#include <stddef.h>

#include "compile.h"

struct compiler *compiler_new(void)
{
	return NULL;
}

void compiler_free(struct compiler *compiler)
{
	(void)compiler;
}

bool compile_ready(void)
{
	return false;
}

void compile_run(const struct qpu_words *words, struct qpu_op *op, uint32_t offset,
		 const struct compile_calls *calls)
{
	(void)words;
	(void)op;
	(void)offset;
	(void)calls;
}
