// SPDX-License-Identifier: MIT
/*
 * What a driver refuses, said so that it helps: which part, which byte, what is there, what should
 * be. What to write instead is in way_out.c.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <v3d/packets.h>

#include "device.h"
#include "rules.h"
#include "v3dcl_qpu.h"

static const char *const part_names[] = {
	[DRM_V3DCL_PART_SUBMIT] = "the submit's struct",
	[DRM_V3DCL_PART_BIN] = "the bin list",
	[DRM_V3DCL_PART_SHADER_RECORD] = "the shader records",
	[DRM_V3DCL_PART_UNIFORMS] = "the uniforms",
	[DRM_V3DCL_PART_SURFACE] = "the surfaces in the submit's struct",
	[DRM_V3DCL_PART_CODE] = "the code",
	[DRM_V3DCL_PART_PROGRAM] = "the programs",
	[DRM_V3DCL_PART_RELOC] = "the relocations",
	[DRM_V3DCL_PART_HANDLE] = "the handles",
	[DRM_V3DCL_PART_ADDRESS] = "the addresses",
};

__attribute__((format(printf, 2, 3)))
static void say(struct v3dcl_error *error, const char *format, ...)
{
	size_t n = strlen(error->text);
	va_list args;

	va_start(args, format);
	vsnprintf(error->text + n, sizeof(error->text) - n, format, args);
	va_end(args);
}

/*
 * The record that the byte is in, and its field. Bytes before a refused one are good records of
 * fixed length.
 */
static void name_record(struct v3dcl_error *error, const uint8_t *bin, uint32_t size)
{
	const struct v3d_packet_info *info;
	const struct v3d_field *field;
	uint32_t at = 0, bit;

	while (at < size) {
		info = v3d_packet_info(bin[at]);
		if (!info->name || error->offset < at + info->length)
			break;
		at += info->length;
	}
	if (at >= size || at > error->offset || !v3d_packet_info(bin[at])->name)
		return;
	info = v3d_packet_info(bin[at]);
	error->record = info->name;
	bit = (error->offset - at) * 8;
	for (field = info->fields; field->name && bit; field++)
		if (bit - 8 < field->low + field->bits && bit > field->low && !error->field)
			error->field = field->name;
	say(error, ", %s of byte %u", info->name, at);
	if (error->field)
		say(error, ", field %s", error->field);
}

/* Instruction @at, with @before in front */
static void show_instruction(struct v3dcl_error *error, const struct refusable *what,
			     const char *before, uint32_t at)
{
	struct v3dcl_buffer text = { 0 };

	if (!what->code || at >= what->code_count)
		return;
	v3dcl_disassemble(what->code[at], &text);
	say(error, "\n  %sinstruction %u: %s", before, at,
	    text.failed ? "" : (const char *)text.bytes);
	v3dcl_buffer_free(&text);
}

/* Which semaphore, and by how much: what the rule's numbers are */
static void show_semaphore(struct v3dcl_error *error, const struct drm_v3dcl_refusal *refusal)
{
	const int32_t sum = refusal->found;

	if (refusal->rule == V3DCL_RULE_SEMAPHORE_SUM)
		say(error, "\n  semaphore %" PRIu64 " is %s %u times too often",
		    (uint64_t)refusal->expected, sum < 0 ? "lowered" : "raised",
		    sum < 0 ? -(uint32_t)sum : (uint32_t)sum);
}

/* Where was lost what would have to be known? */
static void show_lost(struct v3dcl_error *error, const struct drm_v3dcl_refusal *refusal,
		      const struct refusable *what)
{
	const uint32_t lost = refusal->lost & ~DRM_V3DCL_LOST_JOIN;

	if (lost)
		show_instruction(error, what,
				 refusal->lost & DRM_V3DCL_LOST_JOIN ?
					 "lost where ways meet, before " : "lost by ",
				 lost - 1);
}

/* What is known of the value that broke the rule: a constant part and terms */
static void show_value(struct v3dcl_error *error, const struct drm_v3dcl_refusal *refusal)
{
	uint32_t i;

	if (refusal->value == DRM_V3DCL_VALUE_UNKNOWN)
		say(error, "\n  nothing is known of the value");
	if (refusal->value != DRM_V3DCL_VALUE_SUM)
		return;
	say(error, "\n  the value is %#x", refusal->value_low);
	if (refusal->value_span)
		say(error, " to %#x", refusal->value_low + refusal->value_span);
	for (i = 0; i < refusal->value_terms && i < DRM_V3DCL_VALUE_TERMS; i++)
		say(error,
		    refusal->value_slot[i] >> 31 ? " + %u * (0 to uniform %u)" :
						   " + %u * uniform %u",
		    refusal->value_scale[i], refusal->value_slot[i] & 0x7fffffff);
}

static void show_path(struct v3dcl_error *error, const struct drm_v3dcl_refusal *refusal)
{
	uint32_t i;

	for (i = 0; i < refusal->path_count && i < DRM_V3DCL_PATH; i++)
		say(error, "%s%s %u", i ? ", " : "\n  by way of: branch ",
		    refusal->path[i] & 1 ? "taken at" : "not taken at", refusal->path[i] / 2);
}

void refusal_explain(struct v3dcl_error *error, const struct drm_v3dcl_refusal *refusal,
		     const struct refusable *what)
{
	const bool known = refusal->part < sizeof(part_names) / sizeof(part_names[0]) &&
			   part_names[refusal->part];
	const char *way_out = refusal_way_out(refusal->rule);

	*error = (struct v3dcl_error){
		.code = -EINVAL,
		.part = refusal->part,
		.rule = refusal->rule,
		.offset = refusal->offset,
		.found = refusal->found,
		.expected = refusal->expected,
	};
	say(error, "%s is refused: %.*s\n  byte %u of %s", what->what, (int)sizeof(refusal->text),
	    refusal->text, refusal->offset, known ? part_names[refusal->part] : "the job");
	if (refusal->part == DRM_V3DCL_PART_BIN && what->bin)
		name_record(error, what->bin, what->bin_size);
	/* Where the rule is not about a number, the two are alike, and tell nothing */
	if (way_out)
		say(error, ": %s", way_out);
	else if (refusal->found != refusal->expected)
		say(error, ": found %#" PRIx64 ", expected %#" PRIx64, (uint64_t)refusal->found,
		    (uint64_t)refusal->expected);
	if (refusal->part == DRM_V3DCL_PART_CODE)
		show_instruction(error, what, "", refusal->offset / sizeof(*what->code));
	show_semaphore(error, refusal);
	show_value(error, refusal);
	show_lost(error, refusal, what);
	show_path(error, refusal);
}

/*
 * A file has one refusal, its last. So that it is this submit's and not another thread's, the
 * submit is made once more while no other thread makes one: what is refused is refused again. If it
 * is not this time, good. Not every EINVAL leaves a refusal: a new one has another serial number.
 */
static int submit_again(struct v3dcl_device *device, const struct refusable *what,
			struct v3dcl_error *error)
{
	struct drm_v3dcl_refusal before = { 0 }, refusal = { 0 };
	int ret, told;

	pthread_rwlock_wrlock(&device->submits);
	v3dcl_ioctl(device, DRM_IOCTL_V3DCL_GET_REFUSAL, &before);
	ret = v3dcl_ioctl(device, what->request, what->argument);
	told = v3dcl_ioctl(device, DRM_IOCTL_V3DCL_GET_REFUSAL, &refusal);
	pthread_rwlock_unlock(&device->submits);
	if (ret == -EINVAL && !told && refusal.serial != before.serial)
		refusal_explain(error, &refusal, what);
	else if (ret)
		device_fail(error, ret, "submitting %s", what->what);
	return ret;
}

static uint64_t seconds_left(struct v3dcl_device *device)
{
	return device_param(device, DRM_V3DCL_PARAM_REFUSED_NS) / 1000000000 + 1;
}

int device_submit(struct v3dcl_device *device, const struct refusable *what,
		  struct v3dcl_error *error)
{
	int ret;

	pthread_rwlock_rdlock(&device->submits);
	ret = v3dcl_ioctl(device, what->request, what->argument);
	pthread_rwlock_unlock(&device->submits);
	if (ret == -EINVAL && error && device->ours)
		return submit_again(device, what, error);
	if (ret == -EBUSY)
		return v3dcl_fail(error, ret,
				  "%s is not taken: too many jobs of this program hung; in "
				  "%llu s others are again, and dumps of those that hung are in "
				  "/sys/class/devcoredump, for v3dcl decode",
				  what->what,
				  (unsigned long long)seconds_left(device));
	return ret ? device_fail(error, ret, "submitting %s", what->what) : 0;
}
