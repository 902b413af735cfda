// SPDX-License-Identifier: MIT
/* A job that hung, in words; races of programs. */
#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "device.h"

static int no_hang(struct v3dcl_device *device, struct v3dcl_error *error)
{
	if (!device->ops->hang)
		return v3dcl_fail(error, -EOPNOTSUPP,
				  "only a simulated device tells of hangs; a driver's dump is in "
				  "/sys/class/devcoredump");
	return v3dcl_fail(error, -ENOENT, "no job of this device has hung");
}

int v3dcl_device_hang(struct v3dcl_device *device, struct v3dcl_hang *hang,
		      struct v3dcl_error *error)
{
	if (device->ops->hang && device->ops->hang(device->self, hang, NULL))
		return 0;
	return no_hang(device, error);
}

int v3dcl_device_dump(struct v3dcl_device *device, struct v3dcl_buffer *out,
		      struct v3dcl_error *error)
{
	struct v3dcl_hang hang;

	if (!device->ops->hang || !device->ops->hang(device->self, &hang, out))
		return no_hang(device, error);
	return out->failed ? v3dcl_fail(error, -ENOMEM, "no memory") : 0;
}

static bool same_place(const struct v3dcl_place *a, const struct v3dcl_place *b)
{
	return a->handle == b->handle && a->instruction == b->instruction &&
	       !strcmp(a->state, b->state);
}

static bool first_of_place(const struct v3dcl_hang *hang, uint32_t n)
{
	uint32_t i;

	for (i = 0; i < n && !same_place(&hang->places[i], &hang->places[n]); i++)
		;
	return i == n;
}

static void number_place(void *opaque, const struct v3dcl_place *place, struct v3dcl_buffer *out)
{
	(void)opaque;
	v3dcl_buffer_printf(out, "instruction %u of BO %u", place->instruction, place->handle);
}

/* QPUs that stand where the @n-th does, in brackets */
static void say_others(const struct v3dcl_hang *hang, uint32_t n, struct v3dcl_buffer *out)
{
	const char *before = " (and ";
	uint32_t i;

	for (i = n + 1; i < hang->place_count; i++) {
		if (!same_place(&hang->places[i], &hang->places[n]))
			continue;
		v3dcl_buffer_printf(out, "%s%s", before, hang->places[i].who);
		before = ", ";
	}
	if (*before == ',')
		v3dcl_buffer_printf(out, ")");
}

static const char *next_part(unsigned int *parts)
{
	return (*parts)++ ? "; " : ": ";
}

void v3dcl_hang_text(const struct v3dcl_hang *hang,
		     void (*name)(void *opaque, const struct v3dcl_place *place,
				  struct v3dcl_buffer *out),
		     void *opaque, struct v3dcl_buffer *out)
{
	unsigned int parts = 0;
	uint32_t i;

	v3dcl_buffer_printf(out, "job %" PRIu64 " %s", hang->seqno,
			    hang->code == -ENOMEM ? "has no memory left for its tile lists" :
						    "hung");
	if (*hang->fault)
		v3dcl_buffer_printf(out, "%s%s", next_part(&parts), hang->fault);
	for (i = 0; i < hang->place_count; i++) {
		const struct v3dcl_place *place = &hang->places[i];

		if (!first_of_place(hang, i))
			continue;
		v3dcl_buffer_printf(out, "%s%s", next_part(&parts), place->who);
		say_others(hang, i, out);
		v3dcl_buffer_printf(out, " %s", place->state);
		if (place->handle) {
			v3dcl_buffer_printf(out, " at ");
			(name ? name : number_place)(opaque, place, out);
		}
	}
	if (*hang->list)
		v3dcl_buffer_printf(out, "%sthe control list %s", next_part(&parts), hang->list);
}

int v3dcl_device_races(struct v3dcl_device *device,
		       void (*each)(void *opaque, const struct v3dcl_race *race), void *opaque,
		       struct v3dcl_error *error)
{
	struct v3dcl_buffer races = { 0 };
	const struct v3dcl_race *race;
	int ret = device->ops->races ? device->ops->races(device->self, &races) : -EOPNOTSUPP;
	size_t i, count = races.size / sizeof(*race);

	race = (const struct v3dcl_race *)(const void *)races.bytes;
	for (i = 0; each && i < count; i++)
		each(opaque, &race[i]);
	v3dcl_buffer_free(&races);
	if (ret == -EOPNOTSUPP)
		return v3dcl_fail(error, ret, "this device does not watch for races");
	if (ret)
		return v3dcl_fail(error, ret, "no memory to watch all accesses for races");
	return count;
}

int v3dcl_device_trace(struct v3dcl_device *device,
		       void (*each)(void *opaque, const struct v3dcl_traced *traced), void *opaque,
		       struct v3dcl_error *error)
{
	if (!device->ops->trace || device->ops->trace(device->self, each, opaque))
		return v3dcl_fail(error, -EOPNOTSUPP, "this device does not trace");
	return 0;
}
