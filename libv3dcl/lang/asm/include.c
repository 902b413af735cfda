// SPDX-License-Identifier: MIT
/*
 * .include: the lines of another file. What a text may read is what the caller allows: files in
 * some folders and below. The text's author does not thereby get to see others, not even a
 * line of them in a message.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "assembler.h"

/* Is this real path below a folder that the caller allows? */
static bool is_allowed(const struct qasm *a, const char *path)
{
	char folder[PATH_MAX];
	size_t i, length;

	for (i = 0; i < a->options->folder_count; i++) {
		if (!realpath(a->options->folders[i], folder))
			continue;
		length = strlen(folder);
		length -= length == 1;			/* "/" ends as the others begin */
		if (!strncmp(path, folder, length) && path[length] == '/')
			return true;
	}
	return false;
}

/* @folder's @name as a real path, if it is there */
static bool find_in(const char *folder, size_t length, const char *name, char *real)
{
	char path[PATH_MAX];
	const int n = snprintf(path, sizeof(path), "%.*s%s%s", (int)length, folder,
			       length && folder[length - 1] != '/' ? "/" : "", name);

	return n >= 0 && (size_t)n < sizeof(path) && realpath(path, real);
}

/* Beside the text that asks, then in the caller's folders */
static bool find(struct qasm *a, const char *at, const char *name, char *real)
{
	const struct lang_source *asking = lang_included(&a->lang, at);
	const char *from = asking ? asking->name : a->lang.name ? a->lang.name : "",
		   *slash = strrchr(from, '/');
	size_t i;

	if (find_in(from, slash && *name != '/' ? slash + 1 - from : 0, name, real))
		return true;
	for (i = 0; *name != '/' && i < a->options->folder_count; i++)
		if (find_in(a->options->folders[i], strlen(a->options->folders[i]), name, real))
			return true;
	return false;
}

/* What editors put in front is no part of the first line, whose columns would be off by it */
static void drop_mark(struct lang_source *source)
{
	const char *text = source->text;

	lang_skip_mark(&text, &source->length);
	memmove(source->text, text, source->length);
}

static struct lang_source *read_open(struct qasm *a, const char *at, const char *path, int fd)
{
	struct lang_source *source = calloc(1, sizeof(*source));
	struct stat info;
	ssize_t n = 0;

	if (source && fstat(fd, &info))
		qasm_fail(a, at, "%s: %s", path, strerror(errno));
	else if (source && !S_ISREG(info.st_mode))
		qasm_fail(a, at, "%s is no ordinary file", path);
	else if (source && (uint64_t)info.st_size > QASM_MAX_TEXT - a->included_bytes)
		qasm_give_up(a, at, "included files have more than %u MiB", QASM_MAX_TEXT >> 20);
	if (source && !a->lang.status) {
		source->name = strdup(path);
		source->text = malloc(info.st_size + 1);
	}
	while (source && source->name && source->text && source->length < (size_t)info.st_size) {
		n = read(fd, source->text + source->length, info.st_size - source->length);
		if (n <= 0)
			break;
		source->length += n;
	}
	if (source && source->name && source->text && n >= 0) {
		drop_mark(source);
		a->included_bytes += source->length;
		source->next = a->lang.included;
		a->lang.included = source;
		return source;
	}
	if (!a->lang.status && n < 0)
		qasm_fail(a, at, "%s: %s", path, strerror(errno));
	else if (!a->lang.status)
		qasm_no_memory(a);
	if (source) {
		free(source->name);
		free(source->text);
	}
	free(source);
	return NULL;
}

/* The file's text; both readings, and all who ask for it, have the same. */
static const struct lang_source *read_file(struct qasm *a, const char *at, const char *path)
{
	struct lang_source *source;
	int fd;

	for (source = a->lang.included; source; source = source->next)
		if (!strcmp(source->name, path))
			return source;
	/* A pipe would wait for its writer. */
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW | O_NOCTTY);
	if (fd < 0) {
		qasm_fail(a, at, "%s: %s", path, strerror(errno));
		return NULL;
	}
	source = read_open(a, at, path, fd);
	close(fd);
	return source;
}

/* "file" as a string, or <file>, whose tokens mean nothing */
static bool take_name(struct qasm *a, char name[PATH_MAX])
{
	const struct lang_token *first = qasm_peek(a), *last;
	const char *from = first->at + 1, *to;

	if (first->kind != LANG_STRING && first->kind != '<')
		return qasm_fail(a, first->at, "\"a file\" is expected here");
	to = first->at + first->length - 1;
	last = first;
	if (first->kind == '<') {
		while (last->kind != '>' && last->kind != LANG_END)
			last++;
		if (last->kind == LANG_END)
			return qasm_fail(a, first->at, "'>' is expected behind the file's name");
		to = last->at;
	}
	if (to - from >= PATH_MAX || to == from || memchr(from, 0, to - from))
		return qasm_fail(a, first->at, "this is no file's name");
	memcpy(name, from, to - from);
	name[to - from] = 0;
	a->lang.now += last + 1 - first;
	return true;
}

static unsigned int depth_of(const struct qasm *a)
{
	const struct lang_frame *frame;
	unsigned int depth = 0;

	for (frame = a->lang.frame; frame; frame = frame->up)
		depth += !!frame->file;
	return depth;
}

/* vc4asm's own file is not read: its functions are there, and this gives it its names. */
static bool is_vc4(const char *name)
{
	const char *slash = strrchr(name, '/');

	return !strcmp(slash ? slash + 1 : name, "vc4.qinc");
}

bool qasm_include(struct qasm *a)
{
	const char *at = qasm_peek(a)->at;
	char name[PATH_MAX], path[PATH_MAX];
	struct lang_frame frame = { .at = at };
	struct lang_slice body;

	if (!take_name(a, name) || !qasm_end_of_line(a))
		return false;
	if (is_vc4(name)) {
		a->vc4asm = true;
		return qasm_block(a, qasm_vc4_names, qasm_vc4_names + qasm_vc4_names_length);
	}
	if (!a->options || !a->options->folder_count)
		return qasm_fail(a, at, "no file is read for this text");
	if (depth_of(a) >= QASM_MAX_INCLUDES)
		return qasm_fail(a, at, "files include each other deeper than %u levels",
				 QASM_MAX_INCLUDES);
	if (!find(a, at, name, path))
		return qasm_fail(a, at, "there is no file %s", name);
	if (!is_allowed(a, path))
		return qasm_fail(a, at,
				 "%s is in none of the folders that may be read: this text's own, "
				 "and those of -I", name);
	frame.file = read_file(a, at, path);
	if (!frame.file)
		return false;
	body.at = frame.file->text;
	body.end = body.at + frame.file->length;
	if (!qasm_run(a, &frame, &body))
		return false;
	/* The line's tokens are gone with those of the file. */
	a->lang.now = &a->tokens[a->token_count - 1];
	return true;
}

void qasm_forget_included(struct qasm *a)
{
	struct lang_source *source, *next;

	for (source = a->lang.included; source; source = next) {
		next = source->next;
		free(source->name);
		free(source->text);
		free(source);
	}
}
