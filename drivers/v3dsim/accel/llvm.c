// SPDX-License-Identifier: MIT
/* LLVM, looked for: see llvm.h. */
#include <dlfcn.h>
#include <pthread.h>
#include <stddef.h>
#include <string.h>

#include "llvm.h"

#define LIBRARY "libLLVM-15.so.1"

static struct llvm functions;
static const struct llvm *library;

/* What makes the code generator of this processor known, by the name that LLVM has for it */
static const char *const starts[] = {
	"LLVMInitializeX86TargetInfo", "LLVMInitializeX86Target", "LLVMInitializeX86TargetMC",
	"LLVMInitializeX86AsmPrinter",
};

static const struct {
	const char *name;
	size_t place;
} table[] = {
#define LLVM_ENTRY(name) { "LLVM" #name, offsetof(struct llvm, name) },
	LLVM_FUNCTIONS(LLVM_ENTRY)
};

static void open_library(void)
{
	void *handle = dlopen(LIBRARY, RTLD_LAZY | RTLD_LOCAL | RTLD_NODELETE);
	void (*start)(void);
	void *found;

	if (!handle)
		return;
	for (size_t n = 0; n < sizeof(table) / sizeof(table[0]); n++) {
		found = dlsym(handle, table[n].name);
		if (!found)
			return;
		memcpy((char *)&functions + table[n].place, &found, sizeof(found));
	}
	for (size_t n = 0; n < sizeof(starts) / sizeof(starts[0]); n++) {
		found = dlsym(handle, starts[n]);
		if (!found)
			return;
		memcpy(&start, &found, sizeof(start));
		start();
	}
	functions.LinkInMCJIT();
	library = &functions;
}

const struct llvm *llvm_library(void)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	pthread_once(&once, open_library);
	return library;
}
