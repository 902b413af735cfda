// SPDX-License-Identifier: MIT
/*
 * Questions that a job's result alone does not answer: what the driver and the kernel tell of the
 * chip while jobs run. Registers of a hang, as root; counts of interrupts; registers in debugfs, as
 * root. probe_beside.c has what tells by one job beside another.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "../base/helpers.h"
#include "probe.h"
#include "tool.h"
#include "v3dcl_qpu.h"

#define FRAMES 8 /* whose interrupts are counted */
#define ASLEEP_US 400000 /* for the driver to let power go: it waits 50 ms */
#define TRIES 20		/* to read a register before the V3D sleeps */
#define CANARY 0xca11ab1eu /* which the driver writes to SCRATCH before a reset */

/* --- Interrupts ------------------------------------------------------------------------------- */

/* What the kernel counts of a device's interrupt */
struct interrupts {
	unsigned long long count;
	unsigned long unhandled, last;
};

/* The name of the device behind a node, which its interrupt has as well */
static bool device_name(const char *node, char *name, size_t size)
{
	char path[64], link[256];
	struct stat info;
	ssize_t length;
	char *last;

	if (stat(node, &info))
		return false;
	snprintf(path, sizeof(path), "/sys/dev/char/%u:%u/device", major(info.st_rdev),
		 minor(info.st_rdev));
	length = readlink(path, link, sizeof(link) - 1);
	if (length < 0)
		return false;
	link[length] = 0;
	last = strrchr(link, '/');
	snprintf(name, size, "%s", last ? last + 1 : link);
	return true;
}

/* A line of /proc/interrupts: the number, a count for each processor, words. Return: the number */
static unsigned int sum_line(const char *line, unsigned long long *sum)
{
	char *at;
	unsigned int number = (unsigned int)strtoul(line, &at, 10);

	*sum = 0;
	for (at += *at == ':';
	     *at == ' ' && at[strspn(at, " ")] >= '0' && at[strspn(at, " ")] <= '9';)
		*sum += strtoull(at, &at, 10);
	return number;
}

static bool count_interrupts(const char *name, unsigned int *number, unsigned long long *count)
{
	FILE *file = fopen("/proc/interrupts", "r");
	char line[4096];
	bool found = false;

	while (file && !found && fgets(line, sizeof(line), file)) {
		line[strcspn(line, "\n")] = 0;
		found = strstr(line, name);
		if (found)
			*number = sum_line(line, count);
	}
	if (file)
		fclose(file);
	return found;
}

static bool read_interrupts(const struct probe *probe, struct interrupts *interrupts)
{
	unsigned int number;
	char name[256], path[64];
	FILE *file;
	bool good;

	if (!probe->node || !device_name(probe->node, name, sizeof(name)) ||
	    !count_interrupts(name, &number, &interrupts->count))
		return false;
	snprintf(path, sizeof(path), "/proc/irq/%u/spurious", number);
	file = fopen(path, "r");
	good = file && fscanf(file, "count %*u unhandled %lu last_unhandled %lu",
			      &interrupts->unhandled, &interrupts->last) == 2;
	if (file)
		fclose(file);
	return good;
}

/*
 * So many jobs, and the interrupts that came with them. Return: both were counted, and no handler
 * complained
 */
static bool count_of_jobs(const struct probe *probe, const char *job, struct probe_told *told,
			  unsigned long long *came, bool *unhandled)
{
	struct interrupts before, after;
	unsigned int i;

	if (!read_interrupts(probe, &before)) {
		probe_tell(told, PROBE_UNTOLD,
			   "there is no interrupt to count in this process: ask a machine's V3D");
		return false;
	}
	usleep(20000); /* so that an unhandled one has another time than those before */
	for (i = 0; i < FRAMES; i++) {
		if (!probe_run(probe, job, PROBE_NEITHER, told))
			return false;
	}
	usleep(20000); /* for one that comes late */
	if (!read_interrupts(probe, &after))
		return false;
	*came = after.count - before.count;
	*unhandled = after.unhandled != before.unhandled || after.last != before.last;
	return true;
}

void probe_look_twice(const struct probe *probe, const struct probe_question *question,
		      struct probe_told *told)
{
	unsigned long long came;
	bool unhandled;

	if (!count_of_jobs(probe, question->name, told, &came, &unhandled))
		return;
	/* A late one and the next may come as one */
	probe_tell(told,
		   came <= FRAMES && !unhandled ? PROBE_NO :
		   came > FRAMES && unhandled	? PROBE_YES :
						  PROBE_NEITHER,
		   "%u frames, %llu interrupts, %s unhandled", FRAMES, came,
		   unhandled ? "some" : "none");
}

/* --- Registers -------------------------------------------------------------------------------- */

static void debugfs_path(const struct stat *node, const char *file, char *path, size_t size)
{
	snprintf(path, size, "/sys/kernel/debug/dri/%u/%s", minor(node->st_rdev), file);
}

/* A line of v3d_registers: name, offset, value, fields. Return: the register was there */
static bool find_register(const char *path, const char *name, uint32_t *value)
{
	FILE *file = fopen(path, "r");
	char line[256], word[32];
	bool found = false;

	while (file && !found && fgets(line, sizeof(line), file))
		found = sscanf(line, "%31s %*x %x", word, value) == 2 && !strcmp(word, name);
	if (file)
		fclose(file);
	return found;
}

/*
 * A register, in debugfs, of a V3D that has just had something to do: it may sleep again before it
 * is looked at. Return: false after saying why
 */
static bool read_register(const struct probe *probe, const char *name, uint32_t *value,
			  struct probe_told *told)
{
	unsigned int tries;
	struct stat info;
	char path[64];

	if (probe->node && !stat(probe->node, &info)) {
		debugfs_path(&info, "v3d_registers", path, sizeof(path));
		for (tries = 0; tries < TRIES && !access(path, R_OK); tries++) {
			if (!probe_run(probe, "awake", PROBE_NEITHER, told))
				return false;
			if (find_register(path, name, value))
				return true;
		}
	}
	probe_tell(told, PROBE_UNTOLD,
		   "takes registers: a V3D in a machine, root, and debugfs (v3d_registers)");
	return false;
}

/* Before it is reset, the driver writes a number to SCRATCH that it does not take back. */
static bool keeps_registers(const struct probe *probe)
{
	struct probe_told told;
	uint32_t scratch;

	return read_register(probe, "SCRATCH", &scratch, &told) && scratch == CANARY;
}

/* See keeps_registers() */
void probe_look_keep(const struct probe *probe, const struct probe_question *question,
		     struct probe_told *told)
{
	uint32_t scratch;

	(void)question;
	if (read_register(probe, "SCRATCH", &scratch, told))
		probe_tell(told, scratch == CANARY ? PROBE_YES : PROBE_NO,
			   "after a reset, SCRATCH is 0x%08x", scratch);
}

/*
 * BFC counts frames until power goes. The driver lets it go when nothing has happened for a while.
 */
void probe_look_refuse(const struct probe *probe, const struct probe_question *question,
		       struct probe_told *told)
{
	uint32_t before, after, scratch;

	(void)question;
	if (!probe_run(probe, "frame", PROBE_NEITHER, told) ||
	    !read_register(probe, "BFC", &before, told))
		return;
	usleep(ASLEEP_US);
	if (!read_register(probe, "BFC", &after, told) ||
	    !read_register(probe, "SCRATCH", &scratch, told))
		return;
	if (!before)
		probe_tell(told, PROBE_UNTOLD, "BFC has counted no frame");
	else if (after && scratch == CANARY)
		probe_tell(told, PROBE_UNTOLD, "registers keep their contents without power");
	else
		probe_tell(told, after ? PROBE_YES : PROBE_NO,
			   "BFC was %u, and %u when the driver had let power go", before, after);
}

/* --- The state of a hang ---------------------------------------------------------------------- */

/*
 * A bin list that ends without a flush hangs. In its state BPOS tells whether the driver has given
 * the binner memory, which it does when OUTOMEM is pending.
 */
void probe_look_spill(const struct probe *probe, const struct probe_question *question,
		      struct probe_told *told)
{
	struct drm_vc4_get_hang_state state = { 0 };
	int ret;

	if (probe_run(probe, question->name, PROBE_NEITHER, told)) {
		probe_tell(told, PROBE_NEITHER, "a bin list without a flush did not hang");
		return;
	}
	if (told->answer != PROBE_NEITHER)
		return;
	ret = v3dcl_ioctl(probe->device, DRM_IOCTL_VC4_GET_HANG_STATE, &state);
	if (ret)
		probe_tell(told, PROBE_UNTOLD, "the hang's state: %s", strerror(-ret));
	else if (!state.bpos && question->before && keeps_registers(probe))
		probe_tell(told, PROBE_UNTOLD, "a reset does not make the binner forget: %s",
			   "registers keep their contents");
	else
		probe_tell(told, state.bpos ? PROBE_YES : PROBE_NO,
			   "with %u bytes left, BPOS is 0x%x: it %s memory", state.bpcs, state.bpos,
			   state.bpos ? "has asked for" : "did not ask for");
}

/* --- The driver's own counts ------------------------------------------------------------------ */

/* Return: false after saying why it is not known */
static bool read_latchless(const struct probe *probe, unsigned long long *count,
			   struct probe_told *told)
{
	static const char before[] = "interrupts of programs with nothing in any latch: ";
	char line[256], path[64];
	FILE *file = NULL;
	struct stat info;
	bool found = false;

	if (probe->node && !stat(probe->node, &info)) {
		debugfs_path(&info, "v3d_queues", path, sizeof(path));
		file = fopen(path, "r");
	}
	while (file && !found && fgets(line, sizeof(line), file))
		found = !strncmp(line, before, strlen(before)) &&
			sscanf(line + strlen(before), "%llu", count) == 1;
	if (file)
		fclose(file);
	if (!found)
		probe_tell(told, PROBE_UNTOLD,
			   "takes the driver's counts: a V3D in a machine, root, and debugfs "
			   "(v3d_queues)");
	return found;
}

/*
 * The driver takes one interrupt with nothing in any latch for that of programs, where some have
 * just ended, and counts it; one more is handled by none. If interrupts come twice, and have
 * something in their latch at first, it is the second ones that are counted.
 */
void probe_look_latch(const struct probe *probe, const struct probe_question *question,
		      struct probe_told *told)
{
	unsigned long long before, after, came;
	bool unhandled, seconds;

	if (!read_latchless(probe, &before, told) ||
	    !count_of_jobs(probe, question->name, told, &came, &unhandled) ||
	    !read_latchless(probe, &after, told))
		return;
	seconds = came > FRAMES && !unhandled;
	probe_tell(told, after > before && !seconds ? PROBE_YES : PROBE_NO,
		   "%u programs, %llu interrupts, %llu with nothing in any latch, %s "
		   "unhandled", FRAMES, came, after - before, unhandled ? "some" : "none");
}
