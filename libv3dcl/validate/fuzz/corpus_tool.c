// SPDX-License-Identifier: MIT
/*
 * Corpora of jobs: is all of one accepted, and what of many files is worth keeping. See usage().
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "check.h"
#include "corpus.h"
#include "cover.h"
#include "shape.h"

static struct {
	struct checked checked;
	struct trial trial;
	struct cover *cover;
	unsigned int jobs, draws, shaders, refused;
} tool;

static int usage(FILE *file)
{
	fputs("usage: v3d-corpus check FILE...         every job in these files has to be\n"
	      "                                        accepted by the checker\n"
	      "       v3d-corpus pack OUT FILE...      writes those to OUT that are accepted\n"
	      "                                        and have a shader or a list of a kind\n"
	      "                                        of its own\n"
	      "       v3d-corpus pack-all OUT FILE...  all of them\n"
	      "       v3d-corpus show FILE...          prints them\n"
	      "       v3d-corpus --help\n"
	      "\n"
	      "Files are written by scripts/with-v3d --record and v3d-oracle --save.\n"
	      "Exit status: 0, 1 if a job was refused, 2 bad usage.\n",
	      file);
	return file == stdout ? 0 : 2;
}

static bool start(void)
{
	void *host = mmap(NULL, (size_t)1 << 32, PROT_READ | PROT_WRITE,
			  MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	tool.cover = mmap(NULL, sizeof(*tool.cover), PROT_READ | PROT_WRITE,
			  MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	tool.checked.host = host;
	if (host == MAP_FAILED || tool.cover == MAP_FAILED)
		return false;
	cover_use(tool.cover);
	return true;
}

static uint64_t code_way;

static bool accepted(void)
{
	cover_begin();
	tool.jobs++;
	for (uint32_t i = 0; i < tool.trial.bo_count; i++)
		tool.shaders += tool.trial.bos[i].kind != TRIAL_DATA;
	if (!check_code(&tool.checked, &tool.trial))
		return false;
	code_way = cover_path();
	if (!check_job(&tool.checked, &tool.trial))
		return false;
	tool.draws += tool.checked.job.draws;
	return true;
}

static void check_one(const char *name)
{
	const struct v3dcl_refusal *why = &tool.checked.refusal;

	if (accepted())
		return;
	tool.refused++;
	printf("%s: job %u: part %u, offset %u: %s (found 0x%llx, expected 0x%llx)\n", name,
	       tool.jobs, why->part, why->offset, v3dcl_rule_text(why->rule),
	       (unsigned long long)why->found, (unsigned long long)why->expected);
}

static bool each_job(const char *name, void (*action)(const char *name))
{
	struct corpus corpus;
	int next = -1;

	if (corpus_open(&corpus, name))
		while ((next = corpus_next(&corpus, &tool.trial)) > 0)
			action(name);
	corpus_close(&corpus);
	if (next)
		fprintf(stderr, "v3d-corpus: %s: not a corpus: %s\n", name, strerror(errno));
	return !next;
}

static FILE *out;
static bool keep_refused;

static void pack_one(const char *name)
{
	bool fits = accepted() || keep_refused, code = fits && cover_new(tool.cover, code_way);

	(void)name;
	if (!fits ||
	    (!code && !cover_new(tool.cover, shape_of_lists(&tool.trial)) && !keep_refused))
		return;
	tool.trial.submit.seqno = 0;
	if (!trial_write(&tool.trial, out))
		perror("v3d-corpus");
}

static void show_one(const char *name)
{
	printf("%s: ", name);
	trial_print(&tool.trial, stdout);
}

int main(int argc, char **argv)
{
	bool packs = argc > 3 && !strncmp(argv[1], "pack", 4),
	     shows = argc > 2 && !strcmp(argv[1], "show"), good = true;
	char *bytes = NULL;
	size_t size = 0;
	int i;

	if (argc == 2 && !strcmp(argv[1], "--help"))
		return usage(stdout);
	if (!packs && !shows && (argc < 3 || strcmp(argv[1], "check")))
		return usage(stderr);
	keep_refused = !strcmp(argv[1], "pack-all");
	out = open_memstream(&bytes, &size);
	if (!out || !start()) {
		perror("v3d-corpus");
		return 2;
	}
	for (i = packs ? 3 : 2; i < argc; i++)
		good &= each_job(argv[i], packs ? pack_one : shows ? show_one : check_one);
	if (fclose(out) || !good || (packs && !corpus_pack((const uint8_t *)bytes, size, argv[2])))
		return 2;
	free(bytes);
	printf("%u jobs, %u shaders and programs, %u draws, %u jobs refused\n", tool.jobs,
	       tool.shaders, tool.draws, tool.refused);
	return tool.refused != 0;
}
