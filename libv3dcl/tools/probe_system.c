// SPDX-License-Identifier: MIT
/*
 * Questions that a job's result alone does not answer: what the driver and the kernel tell of the
 * chip while jobs run. Registers of a hang, as root; counts of interrupts; registers in debugfs, as
 * root; which of two jobs ends first.
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
	else
		probe_tell(told, state.bpos ? PROBE_YES : PROBE_NO,
			   "with %u bytes left, BPOS is 0x%x: it %s memory", state.bpcs, state.bpos,
			   state.bpos ? "has asked for" : "did not ask for");
}

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
 * So many jobs, and the interrupts that came with them. Return: both were counted, and nobody
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

/* What the interrupts of some jobs, @what, say by how many they were */
static void look_at_interrupts(const struct probe *probe, const struct probe_question *question,
			       struct probe_told *told, const char *what,
			       enum probe_answer (*answer)(unsigned long long came, bool unhandled))
{
	unsigned long long came;
	bool unhandled;

	if (!count_of_jobs(probe, question->name, told, &came, &unhandled))
		return;
	probe_tell(told, answer(came, unhandled),
		   "%u %s, %llu interrupts, %s that nobody handled", FRAMES, what, came,
		   unhandled ? "some" : "none");
}

static enum probe_answer is_twice(unsigned long long came, bool unhandled)
{
	return came == FRAMES && !unhandled    ? PROBE_NO :
	       came == 2 * FRAMES && unhandled ? PROBE_YES :
						 PROBE_NEITHER;
}

void probe_look_twice(const struct probe *probe, const struct probe_question *question,
		      struct probe_told *told)
{
	look_at_interrupts(probe, question, told, "frames", is_twice);
}

/*
 * A latch that reads 0 is an interrupt that nobody handled, and is gone. One that comes twice was
 * handled the first time.
 */
static enum probe_answer is_unlatched(unsigned long long came, bool unhandled)
{
	return came == FRAMES && unhandled			    ? PROBE_YES :
	       came == 2 * FRAMES || (came == FRAMES && !unhandled) ? PROBE_NO :
								      PROBE_NEITHER;
}

void probe_look_latch(const struct probe *probe, const struct probe_question *question,
		      struct probe_told *told)
{
	look_at_interrupts(probe, question, told, "programs", is_unlatched);
}

/* --- Registers -------------------------------------------------------------------------------- */

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
		snprintf(path, sizeof(path), "/sys/kernel/debug/dri/%u/v3d_registers",
			 minor(info.st_rdev));
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

/* --- Two jobs at once ------------------------------------------------------------------------- */

#define TURNS 300000 /* of the loop: tens of milliseconds on a chip */
#define MOST_QPUS 16
#define EARLY 25		/* hundredths of the programs' time */

static const char loop[] = "	mov r0, unif\n"
			   "again:\n"
			   "	sub.setf r0, r0, 1\n"
			   "	brr.allzc again\n"
			   "	nop\n"
			   "	nop\n"
			   "	nop\n"
			   "	nop; thrend\n"
			   "	nop\n"
			   "	nop\n";

static int make_loop(struct v3dcl_device *device, uint32_t *handle, struct v3dcl_error *error)
{
	struct v3dcl_assembly *assembly = NULL;
	int ret = v3dcl_assemble("loop", loop, sizeof(loop) - 1, &assembly, error);

	if (!ret)
		ret = v3dcl_bo_create_program(device, assembly->code, assembly->code_count, 0,
					      handle, error);
	v3dcl_assembly_free(assembly);
	return ret;
}

/* So many programs at once, each on a QPU for a while */
static int occupy(struct v3dcl_device *device, uint32_t handle, uint32_t qpus, uint64_t *seqno,
		  struct v3dcl_error *error)
{
	const struct drm_v3dcl_program program = { .handle = handle, .uniform_count = 1 };
	struct drm_v3dcl_program programs[MOST_QPUS];
	const uint32_t turns = TURNS;
	struct drm_v3dcl_submit_qpu submit = {
		.programs = (uintptr_t)programs,
		.program_count = qpus,
		.uniforms = (uintptr_t)&turns,
		.uniform_count = 1,
	};
	uint32_t i;
	int ret;

	for (i = 0; i < qpus; i++)
		programs[i] = program;
	ret = v3dcl_submit_programs(device, &submit, error);
	*seqno = submit.seqno;
	return ret;
}

/*
 * A frame of another client beside so many programs. Return: the part of the programs' time, in
 * hundredths, that was left when it was done; below 0 after saying why that is not known
 */
static int time_left(const struct probe *probe, const struct probe *other, uint32_t handle,
		     uint32_t qpus, struct probe_told *told)
{
	struct v3dcl_error error = { 0 };
	uint64_t seqno, start = now_ns(), frame, end;

	if (occupy(probe->device, handle, qpus, &seqno, &error)) {
		probe_tell(told, PROBE_UNTOLD, "%s", error.text);
		return -1;
	}
	if (!probe_run(other, "frame", PROBE_NEITHER, told))
		return -1;
	frame = now_ns();
	if (v3dcl_wait(probe->device, seqno, ~UINT64_C(0), &error)) {
		probe_tell(told, PROBE_NEITHER, "%s", error.text);
		return -1;
	}
	end = now_ns();
	return (int)((end - frame) * 100 / (end - start + 1));
}

/*
 * With a QPU left a frame has to be done early: else jobs do not run beside each other here. That
 * programs have ended is seen later than that a frame has, so a frame that waited for them has
 * little of their time left, and not none.
 */
static void beside(const struct probe *probe, const struct probe *other, uint32_t handle,
		   uint32_t qpus, struct probe_told *told)
{
	int left = time_left(probe, other, handle, qpus - 1, told), none;

	if (left < 0)
		return;
	if (left < EARLY) {
		probe_tell(told, PROBE_UNTOLD, "frames and programs do not run beside each other");
		return;
	}
	none = time_left(probe, other, handle, qpus, told);
	if (none >= 0)
		probe_tell(told, none < EARLY ? PROBE_YES : PROBE_NO,
			   "done with %d %% of the programs' time left; beside %u of them with %d",
			   none, qpus - 1, left);
}

void probe_look_beside(const struct probe *probe, const struct probe_question *question,
		       struct probe_told *told)
{
	const struct tool_device node = { .name = probe->node };
	struct probe other = { .node = probe->node };
	struct v3dcl_info info = { .qpus = 0 };
	struct v3dcl_error error = { 0 };
	uint32_t handle;

	(void)question;
	if (!probe->node || v3dcl_device_info(probe->device, &info, NULL) || info.qpus < 2 ||
	    info.qpus > MOST_QPUS) {
		probe_tell(told, PROBE_UNTOLD,
			   "the V3D in this process runs one job at a time: ask a machine's");
	} else if (make_loop(probe->device, &handle, &error)) {
		probe_tell(told, PROBE_UNTOLD, "%s", error.text);
	} else if (tool_open(&node, &other.device)) {
		probe_tell(told, PROBE_UNTOLD, "the device cannot be opened twice");
	} else {
		beside(probe, &other, handle, info.qpus, told);
		v3dcl_close(other.device);
	}
}
