// SPDX-License-Identifier: MIT
/*
 * A question's job, and what its result says. What a job saves decides: "seen" against "guide", or
 * whether "find" is somewhere in it; and "mode", if there is only one thing that a chip with the
 * mode would give.
 */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../base/helpers.h"
#include "probe.h"
#include "v3dcl_text.h"

#define WORDS_TOLD 8

static const struct job {
	const char *name, *text;
} jobs[] = {
#include "probe_jobs.h"
};

static const char *text_of(const char *name)
{
	size_t i;

	for (i = 0; i < COUNT(jobs); i++) {
		if (!strcmp(jobs[i].name, name))
			return jobs[i].text;
	}
	return NULL;
}

bool probe_job(const char *name, struct v3dcl_buffer *text)
{
	const char *common = text_of("common"), *job = text_of(name);

	if (!common || !job)
		return false;
	v3dcl_buffer_add(text, common, strlen(common));
	v3dcl_buffer_add(text, job, strlen(job));
	return true;
}

void probe_tell(struct probe_told *told, enum probe_answer answer, const char *format, ...)
{
	va_list args;

	told->answer = answer;
	va_start(args, format);
	vsnprintf(told->seen, sizeof(told->seen), format, args);
	va_end(args);
}

/* What jobs save, by its name */
enum { SEEN, GUIDE, MODE, FIND, SAVES };

struct saves {
	struct v3dcl_buffer of[SAVES];
};

static int keep(void *opaque, const struct v3dcl_saved *saved)
{
	static const char *const names[SAVES] = { "seen", "guide", "mode", "find" };
	struct saves *saves = opaque;
	unsigned int i;

	for (i = 0; i < SAVES; i++) {
		if (!strcmp(saved->name, names[i]))
			v3dcl_buffer_add(&saves->of[i], saved->bytes, saved->size);
	}
	return 0;
}

static bool same(const struct v3dcl_buffer *a, const struct v3dcl_buffer *b)
{
	return a->size == b->size && !memcmp(a->bytes, b->bytes, a->size);
}

static bool found(const struct saves *saves)
{
	const struct v3dcl_buffer *in = &saves->of[SEEN], *what = &saves->of[FIND];
	size_t i;

	for (i = 0; i + what->size <= in->size; i++) {
		if (!memcmp(in->bytes + i, what->bytes, what->size))
			return true;
	}
	return false;
}

/* The first words that were seen; from the first on that the guide does not have */
static void tell_words(struct probe_told *told, const struct saves *saves)
{
	const struct v3dcl_buffer *seen = &saves->of[SEEN], *guide = &saves->of[GUIDE];
	size_t i = 0, told_words, length = strlen(told->seen);
	uint32_t word;

	if (told->answer != PROBE_NO && guide->size == seen->size) {
		while (i + 4 < seen->size && !memcmp(seen->bytes + i, guide->bytes + i, 4))
			i += 4;
	}
	for (told_words = 0; i + 4 <= seen->size && told_words < WORDS_TOLD; i += 4, told_words++) {
		memcpy(&word, seen->bytes + i, 4);
		length += (size_t)snprintf(told->seen + length, sizeof(told->seen) - length,
					   " %08x", word);
	}
}

static void judge(const struct saves *saves, struct probe_told *told)
{
	const struct v3dcl_buffer *seen = &saves->of[SEEN];

	if (saves->of[FIND].size) {
		/* What is around it may be addresses */
		probe_tell(told, found(saves) ? PROBE_NO : PROBE_YES, "%s",
			   found(saves) ? "it is" : "it is not");
		return;
	}
	if (same(seen, &saves->of[GUIDE]))
		probe_tell(told, PROBE_NO, "as the guide has it:");
	else if (!saves->of[MODE].size)
		probe_tell(told, PROBE_YES, "not as the guide has it:");
	else if (same(seen, &saves->of[MODE]))
		probe_tell(told, PROBE_YES, "as described:");
	else
		probe_tell(told, PROBE_NEITHER, "neither the guide's nor as described:");
	tell_words(told, saves);
}

/* The first line of what the library says, without the place in a text that the user has not */
static const char *reason(char *text)
{
	char *at = strstr(text, ": ");

	text[strcspn(text, "\n")] = 0;
	return at ? at + 2 : text;
}

static void tell_failure(int ret, struct v3dcl_error *error, enum probe_answer hang,
			 struct probe_told *told)
{
	if (ret == -EIO)
		probe_tell(told, hang, "the job hung, and was ended by a reset");
	else if (ret == -EACCES)
		probe_tell(told, PROBE_UNTOLD,
			   "takes raw lists: root, and the module loaded with unverified=1");
	else if (ret == -EBADMSG)
		probe_tell(told, PROBE_UNTOLD, "the job itself failed: %s", reason(error->text));
	else
		probe_tell(told, PROBE_UNTOLD, "%s", reason(error->text));
}

static bool run(const struct probe *probe, const char *name, struct saves *saves,
		enum probe_answer hang, struct probe_told *told)
{
	const struct v3dcl_run_options options = { .size = sizeof(options), .saved = keep,
						   .opaque = saves };
	struct v3dcl_script *script = NULL;
	struct v3dcl_error error = { 0 };
	struct v3dcl_buffer text = { 0 };
	int ret = -ENOENT;

	if (probe_job(name, &text) && !text.failed)
		ret = v3dcl_script_read(name, (const char *)text.bytes, text.size, NULL, 0, &script,
					&error);
	if (!ret)
		ret = v3dcl_script_run(script, probe->device, &options, &error);
	v3dcl_script_free(script);
	v3dcl_buffer_free(&text);
	if (ret)
		tell_failure(ret, &error, hang, told);
	return !ret;
}

static void saves_free(struct saves *saves)
{
	unsigned int i;

	for (i = 0; i < SAVES; i++)
		v3dcl_buffer_free(&saves->of[i]);
}

bool probe_run(const struct probe *probe, const char *name, enum probe_answer answer,
	       struct probe_told *told)
{
	struct saves saves = { 0 };
	bool good = run(probe, name, &saves, answer, told);

	saves_free(&saves);
	return good;
}

/* A job that has to: what comes next is told of a V3D that was just reset */
static bool hangs(const struct probe *probe, const char *name, struct probe_told *told)
{
	if (probe_run(probe, name, PROBE_NEITHER, told))
		probe_tell(told, PROBE_NEITHER, "a job without an end did not hang");
	else if (told->answer == PROBE_NEITHER)
		return true;
	return false;
}

void probe_ask(const struct probe *probe, const struct probe_question *question,
	       struct probe_told *told)
{
	struct saves saves = { 0 };

	if (question->otherwise)
		probe_tell(told, PROBE_UNTOLD, "%s", question->otherwise);
	else if (question->before && !hangs(probe, question->before, told))
		;
	else if (question->look)
		question->look(probe, question, told);
	else if (run(probe, question->name, &saves, question->hang, told))
		judge(&saves, told);
	saves_free(&saves);
}
