/* SPDX-License-Identifier: MIT */
/*
 * Out of memory at every place in turn. For tests: link with fail_alloc_dep (libv3dcl/meson.build),
 * include in one source file.
 *
 *	static int build(void *opaque)
 *	{
 *		... calls the library, frees everything again
 *		return ret;			0, or the negative errno that the library gave
 *	}
 *
 *	fail_each_alloc(build, opaque);
 *
 * build() runs until it gets all the memory it asks for: first its 1st allocation fails, then its
 * 2nd, and so on; each once alone and once with all that follow it. It has to return -ENOMEM
 * whenever one failed, 0 in the end, and leave nothing allocated.
 *
 * Seen are calls from objects of the test program (the linker's --wrap), not what libc allocates
 * for itself (stdio's buffers). What fails is on the thread that called; what other threads
 * allocate must be freed too. Works with and without AddressSanitizer.
 */
#ifndef FAIL_ALLOC_H
#define FAIL_ALLOC_H

#include <errno.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* Most blocks that may be live at once, a power of two, and most allocations of a run */
#define FAIL_ALLOC_BLOCKS (1u << 16)
#define FAIL_ALLOC_RUNS 100000u

/* Not static: libc's headers promise that malloc() changes nothing that only this file can see */
extern _Thread_local struct fail_alloc {
	bool on, all;			/* all from the failing one on */
	/* what is asked for now is given, and not counted: where there is no errno to return */
	bool spare;
	unsigned int count, fail_at;	/* allocations of this run; which fails */
} fail_alloc;
_Thread_local struct fail_alloc fail_alloc;

/* Blocks of the run that are not freed yet, of all threads: open addressing */
extern struct fail_alloc_set {
	pthread_mutex_t lock;
	bool on;
	void *blocks[FAIL_ALLOC_BLOCKS];
	unsigned int live;
} fail_alloc_set;
struct fail_alloc_set fail_alloc_set = { .lock = PTHREAD_MUTEX_INITIALIZER };

static inline unsigned int fail_alloc_slot(const void *block)
{
	return (uintptr_t)block * UINT64_C(0x9e3779b97f4a7c15) >> 32 & (FAIL_ALLOC_BLOCKS - 1);
}

static inline void fail_alloc_insert(void *block)
{
	unsigned int slot = fail_alloc_slot(block);

	while (fail_alloc_set.blocks[slot])
		slot = (slot + 1) & (FAIL_ALLOC_BLOCKS - 1);
	fail_alloc_set.blocks[slot] = block;
	if (++fail_alloc_set.live > FAIL_ALLOC_BLOCKS / 2)
		fail_msg("more than %u blocks at once", FAIL_ALLOC_BLOCKS / 2);
}

/* Those behind it that would no longer be found are put in again */
static inline void fail_alloc_remove(const void *block)
{
	unsigned int slot = fail_alloc_slot(block);
	void *moved;

	while (fail_alloc_set.blocks[slot] && fail_alloc_set.blocks[slot] != block)
		slot = (slot + 1) & (FAIL_ALLOC_BLOCKS - 1);
	if (!fail_alloc_set.blocks[slot])
		return;		/* libc's, or from before the run */
	fail_alloc_set.blocks[slot] = NULL;
	fail_alloc_set.live--;
	for (;;) {
		slot = (slot + 1) & (FAIL_ALLOC_BLOCKS - 1);
		moved = fail_alloc_set.blocks[slot];
		if (!moved)
			return;
		fail_alloc_set.blocks[slot] = NULL;
		fail_alloc_set.live--;
		fail_alloc_insert(moved);
	}
}

static inline bool fail_alloc_now(void)
{
	if (!fail_alloc.on || fail_alloc.spare)
		return false;
	fail_alloc.count++;
	if (fail_alloc.count != fail_alloc.fail_at &&
	    !(fail_alloc.all && fail_alloc.count > fail_alloc.fail_at))
		return false;
	errno = ENOMEM;
	return true;
}

static inline void *fail_alloc_note(void *block)
{
	pthread_mutex_lock(&fail_alloc_set.lock);
	if (fail_alloc_set.on && block)
		fail_alloc_insert(block);
	pthread_mutex_unlock(&fail_alloc_set.lock);
	return block;
}

/* Before it is freed: another thread may be given it at once */
static inline void fail_alloc_forget(const void *block)
{
	pthread_mutex_lock(&fail_alloc_set.lock);
	if (fail_alloc_set.on && block)
		fail_alloc_remove(block);
	pthread_mutex_unlock(&fail_alloc_set.lock);
}

static inline void fail_alloc_track(bool on)
{
	pthread_mutex_lock(&fail_alloc_set.lock);
	fail_alloc_set.on = on;
	if (on) {
		memset(fail_alloc_set.blocks, 0, sizeof(fail_alloc_set.blocks));
		fail_alloc_set.live = 0;
	}
	pthread_mutex_unlock(&fail_alloc_set.lock);
}

#define FAIL_ALLOC_WRAP(name, parameters, ...) \
	void *__real_##name parameters; \
	void *__wrap_##name parameters; \
	void *__wrap_##name parameters \
	{ \
		return fail_alloc_now() ? NULL : fail_alloc_note(__real_##name(__VA_ARGS__)); \
	}

FAIL_ALLOC_WRAP(malloc, (size_t size), size)
FAIL_ALLOC_WRAP(calloc, (size_t count, size_t size), count, size)
FAIL_ALLOC_WRAP(aligned_alloc, (size_t alignment, size_t size), alignment, size)
FAIL_ALLOC_WRAP(strdup, (const char *text), text)
FAIL_ALLOC_WRAP(strndup, (const char *text, size_t size), text, size)

#define FAIL_ALLOC_WRAP_RE(name, parameters, ...) \
	void *__real_##name parameters; \
	void *__wrap_##name parameters; \
	void *__wrap_##name parameters \
	{ \
		void *moved; \
		\
		if (fail_alloc_now()) \
			return NULL; \
		fail_alloc_forget(block); \
		moved = __real_##name(__VA_ARGS__); \
		return fail_alloc_note(moved); \
	}

FAIL_ALLOC_WRAP_RE(realloc, (void *block, size_t size), block, size)
FAIL_ALLOC_WRAP_RE(reallocarray, (void *block, size_t count, size_t size), block, count, size)

int __real_posix_memalign(void **block, size_t alignment, size_t size);
int __wrap_posix_memalign(void **block, size_t alignment, size_t size);
int __wrap_posix_memalign(void **block, size_t alignment, size_t size)
{
	int ret = fail_alloc_now() ? ENOMEM : __real_posix_memalign(block, alignment, size);

	if (!ret)
		fail_alloc_note(*block);
	return ret;
}

void __real_free(void *block);
void __wrap_free(void *block);
void __wrap_free(void *block)
{
	fail_alloc_forget(block);
	__real_free(block);
}

/* One run. What is wrong with how it went, in words, or NULL; @failed: an allocation did fail */
static inline const char *fail_alloc_run(int (*run)(void *opaque), void *opaque, unsigned int at,
					 bool all, bool *failed)
{
	static char text[160];
	int ret;

	fail_alloc_track(true);
	fail_alloc.count = 0;
	fail_alloc.fail_at = at;
	fail_alloc.all = all;
	fail_alloc.on = true;
	ret = run(opaque);
	fail_alloc.on = false;
	fail_alloc_track(false);
	*failed = fail_alloc.count >= at;
	if (ret != (*failed ? -ENOMEM : 0))
		snprintf(text, sizeof(text), "allocation %u%s fails: the run returned %d, not %d",
			 at, all ? " and all after it" : "", ret, *failed ? -ENOMEM : 0);
	else if (fail_alloc_set.live)
		snprintf(text, sizeof(text), "allocation %u%s fails: %u blocks leak", at,
			 all ? " and all after it" : "", fail_alloc_set.live);
	else
		return NULL;
	return text;
}

/*
 * What is wrong, in words, or NULL; @count: how many allocations a run that gets all makes; may be
 * NULL
 */
static inline const char *fail_alloc_verdict(int (*run)(void *opaque), void *opaque,
					     unsigned int *count)
{
	const char *wrong = NULL;
	bool failed = true;
	unsigned int at;

	for (at = 1; failed && !wrong; at++) {
		if (at > FAIL_ALLOC_RUNS)
			return "it never gets all the memory that it asks for";
		wrong = fail_alloc_run(run, opaque, at, false, &failed);
		if (!wrong && failed)
			wrong = fail_alloc_run(run, opaque, at, true, &failed);
	}
	if (count)
		*count = at - 2;
	return wrong;
}

/*
 * Fails the test with those words. Return: how many allocations a run makes: a test that expects
 * some looks at it
 */
#define fail_each_alloc(run, opaque) fail_each_alloc_at(run, opaque, __FILE__, __LINE__)
static inline unsigned int fail_each_alloc_at(int (*run)(void *opaque), void *opaque,
					      const char *file, int line)
{
	unsigned int count = 0;
	const char *wrong = fail_alloc_verdict(run, opaque, &count);

	if (wrong) {
		print_error("%s:%d: %s\n", file, line, wrong);
		_fail(file, line);
	}
	return count;
}

#endif /* FAIL_ALLOC_H */
