// SPDX-License-Identifier: MIT
/* Does shading wait for QPUs that user programs hold? A frame beside programs tells. */
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

#include "../base/helpers.h"
#include "probe.h"
#include "tool.h"
#include "v3dcl_qpu.h"

#define MOST_QPUS 16
#define ROW_BYTES 64
#define HOLD_NS INT64_C(3000000000)	/* a frame that waits for no other is done by then */
#define LIMIT_NS UINT64_C(9000000000)	/* of programs that never end */

/*
 * A program that says that it runs, in memory, and ends when it is told to, in memory. Loads and
 * stores have a row of the VPM each, which all such programs share: they move the same.
 */
static const char holding[] =
	"	mov ra0, unif\n"
	"	mov ra1, unif\n"
	"	ldi vw_setup, vpm_write_setup(size=2, horizontal=1, stride=1)\n"
	"	mov vpm, 1\n"
	"	ldi vw_setup, vdw_setup(units=1, depth=16, horizontal=1)\n"
	"	ldi vw_setup, vdw_stride()\n"
	"	mov vw_addr, ra0\n"
	"	mov -, vw_wait\n"
	"again:\n"
	"	ldi vr_setup, vdr_setup(y=16, vpitch=1, nrows=1, rowlen=16, mpitch=3)\n"
	"	mov vr_addr, ra1\n"
	"	mov -, vr_wait\n"
	"	ldi vr_setup, vpm_read_setup(size=2, horizontal=1, stride=1, "
	"number=1, address=16)\n"
	"	nop\n"
	"	nop\n"
	"	nop\n"
	"	mov.setf -, vpm\n"
	"	brr.allz again\n"
	"	nop\n"
	"	nop\n"
	"	nop\n"
	"	nop; thrend\n"
	"	nop\n"
	"	nop\n";

/**
 * struct holders - programs that hold QPUs until they are told to let go
 * @probe: whose device they run on
 * @qpus: how many they are
 * @program: a BO
 * @memory: a BO: a row each that says that one runs, and a row that tells them to end
 * @rows: its memory, which QPUs write and read meanwhile
 * @seqno: of their job
 * @done: what they are held up for is done
 */
struct holders {
	const struct probe *probe;
	uint32_t qpus, program, memory;
	volatile uint32_t *rows;
	uint64_t seqno;
	atomic_bool done;
};

static int make_holders(struct holders *h, struct v3dcl_error *error)
{
	struct v3dcl_device *device = h->probe->device;
	struct v3dcl_assembly *assembly = NULL;
	void *map;
	int ret = v3dcl_assemble("holding", holding, sizeof(holding) - 1, &assembly, error);

	if (!ret)
		ret = v3dcl_bo_create_program(device, assembly->code, assembly->code_count, 0,
					      &h->program, error);
	v3dcl_assembly_free(assembly);
	if (!ret)
		ret = v3dcl_bo_create(device, (MOST_QPUS + 1) * ROW_BYTES, &h->memory, error);
	if (!ret)
		ret = v3dcl_bo_map(device, h->memory, &map, error);
	if (!ret)
		h->rows = map;
	return ret;
}

static void tell_holders(struct holders *h, bool end)
{
	uint32_t i;

	for (i = 0; i < ROW_BYTES / sizeof(*h->rows); i++)
		h->rows[MOST_QPUS * ROW_BYTES / sizeof(*h->rows) + i] = end;
}

static int start_holders(struct holders *h, struct v3dcl_error *error)
{
	static const uint32_t uniforms[2 * MOST_QPUS];
	struct drm_v3dcl_program programs[MOST_QPUS];
	struct drm_v3dcl_reloc relocs[2 * MOST_QPUS];
	struct drm_v3dcl_submit_qpu submit = {
		.programs = (uintptr_t)programs,
		.program_count = h->qpus,
		.uniforms = (uintptr_t)uniforms,
		.uniform_count = 2 * h->qpus,
		.relocs = (uintptr_t)relocs,
		.reloc_count = 2 * h->qpus,
		.timeout_ns = LIMIT_NS,
	};
	uint32_t i;
	int ret;

	tell_holders(h, false);
	for (i = 0; i < h->qpus; i++) {
		h->rows[i * ROW_BYTES / sizeof(*h->rows)] = 0;
		programs[i] = (struct drm_v3dcl_program){ .handle = h->program,
							  .first_uniform = 2 * i,
							  .uniform_count = 2 };
		relocs[2 * i] = (struct drm_v3dcl_reloc){ .program = i,
							  .handle = h->memory,
							  .offset = i * ROW_BYTES,
							  .flags = DRM_V3DCL_RELOC_WRITE };
		relocs[2 * i + 1] = (struct drm_v3dcl_reloc){ .program = i,
							      .slot = 1,
							      .handle = h->memory,
							      .offset = MOST_QPUS * ROW_BYTES,
							      .flags = DRM_V3DCL_RELOC_READ };
	}
	ret = v3dcl_submit_programs(h->probe->device, &submit, error);
	h->seqno = submit.seqno;
	return ret;
}

/* Each has said that it runs */
static bool all_hold(const struct holders *h)
{
	int64_t end = now_ns() + HOLD_NS;
	uint32_t i = 0;

	while (i < h->qpus && now_ns() < end) {
		if (h->rows[i * ROW_BYTES / sizeof(*h->rows)])
			i++;
		else
			usleep(1000);
	}
	return i == h->qpus;
}

/* They are told to end when what they hold up is done, or has been held up for long enough. */
static void *let_go(void *opaque)
{
	struct holders *h = opaque;
	int64_t end = now_ns() + HOLD_NS;

	while (!atomic_load(&h->done) && now_ns() < end)
		usleep(1000);
	tell_holders(h, true);
	return NULL;
}

/* A frame of another client beside them. Return: it was done while they ran */
static bool frame_beside(struct holders *h, const struct probe *other, struct probe_told *told)
{
	int64_t start = now_ns();
	pthread_t thread;
	bool ran;

	atomic_store(&h->done, false);
	if (pthread_create(&thread, NULL, let_go, h)) {
		tell_holders(h, true);
		probe_tell(told, PROBE_UNTOLD, "no thread can be made");
		return false;
	}
	ran = probe_run(other, "frame", PROBE_NEITHER, told);
	atomic_store(&h->done, true);
	pthread_join(thread, NULL);
	return ran && now_ns() - start < HOLD_NS;
}

/* Holders on so many QPUs, and a frame beside them. Return: it was done while they ran */
static bool done_beside(struct holders *h, const struct probe *other, uint32_t qpus,
			struct probe_told *told)
{
	struct v3dcl_error error = { 0 };
	bool done = false;

	h->qpus = qpus;
	if (start_holders(h, &error)) {
		probe_tell(told, PROBE_UNTOLD, "%s", error.text);
		return false;
	}
	if (all_hold(h))
		done = frame_beside(h, other, told);
	else
		probe_tell(told, PROBE_UNTOLD, "%u programs do not run at once", qpus);
	tell_holders(h, true);
	if (v3dcl_wait(h->probe->device, h->seqno, ~UINT64_C(0), &error))
		probe_tell(told, PROBE_NEITHER, "%s", error.text);
	return done;
}

/* With a QPU left a frame has to be done meanwhile: else jobs do not run beside each other here. */
static void beside(struct holders *h, const struct probe *other, uint32_t qpus,
		   struct probe_told *told)
{
	bool done;

	*told = (struct probe_told){ .answer = PROBE_NO };
	done = done_beside(h, other, qpus - 1, told);
	if (told->answer != PROBE_NO)
		return;
	if (!done) {
		probe_tell(told, PROBE_UNTOLD, "frames and programs do not run beside each other");
		return;
	}
	done = done_beside(h, other, qpus, told);
	if (told->answer == PROBE_NO)
		probe_tell(told, done ? PROBE_NO : PROBE_YES, "a frame beside %u programs was %s",
			   qpus, done ? "done before they ended" : "held up until they ended");
}

void probe_look_beside(const struct probe *probe, const struct probe_question *question,
		       struct probe_told *told)
{
	const struct tool_device node = { .name = probe->node };
	struct probe other = { .node = probe->node };
	struct v3dcl_info info = { .qpus = 0 };
	struct v3dcl_error error = { 0 };
	struct holders holders = { .probe = probe };

	(void)question;
	if (!probe->node || v3dcl_device_info(probe->device, &info, NULL) || info.qpus < 2 ||
	    info.qpus > MOST_QPUS) {
		probe_tell(told, PROBE_UNTOLD,
			   "the V3D in this process runs one job at a time: ask a machine's");
	} else if (make_holders(&holders, &error)) {
		probe_tell(told, PROBE_UNTOLD, "%s", error.text);
	} else if (tool_open(&node, &other.device)) {
		probe_tell(told, PROBE_UNTOLD, "the device cannot be opened twice");
	} else {
		beside(&holders, &other, info.qpus, told);
		v3dcl_close(other.device);
	}
}
