// SPDX-License-Identifier: MIT
/* Faults: see fault.h. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "sim.h"

const char *fault_unit_name(enum v3dsim_unit unit)
{
	static const char *const names[V3DSIM_UNITS] = {
		[V3DSIM_UNIT_CLE0] = "CLE0", [V3DSIM_UNIT_CLE1] = "CLE1",
		[V3DSIM_UNIT_ICACHE] = "ICACHE", [V3DSIM_UNIT_UNIFORMS] = "UNIFORMS",
		[V3DSIM_UNIT_TMU] = "TMU", [V3DSIM_UNIT_VCD] = "VCD",
		[V3DSIM_UNIT_VDW] = "VDW", [V3DSIM_UNIT_PTB] = "PTB",
		[V3DSIM_UNIT_PSE] = "PSE", [V3DSIM_UNIT_TLB] = "TLB",
	};

	return (unsigned int)unit < V3DSIM_UNITS ? names[unit] : "V3D";
}

void fault_report(struct v3dsim *sim, enum v3dsim_unit unit, uint32_t addr, const char *format, ...)
{
	struct v3dsim_fault *first = &sim->fault.first;
	size_t used;
	va_list arguments;

	sim->fault.count++;
	if (sim->fault.any)
		return;
	sim->fault.any = true;
	first->unit = unit;
	first->address = addr;
	used = snprintf(first->text, sizeof(first->text), "%s at 0x%08x: ", fault_unit_name(unit),
			addr);
	va_start(arguments, format);
	vsnprintf(first->text + used, sizeof(first->text) - used, format, arguments);
	va_end(arguments);
}

void fault_add(struct v3dsim *sim, const char *format, ...)
{
	struct v3dsim_fault *first = &sim->fault.first;
	const size_t used = strlen(first->text);
	va_list arguments;

	if (sim->fault.count != 1)
		return;
	va_start(arguments, format);
	vsnprintf(first->text + used, sizeof(first->text) - used, format, arguments);
	va_end(arguments);
}

void fault_pass_on(struct v3dsim *sim, const struct fault *from)
{
	sim->fault.count++;
	if (sim->fault.any)
		return;
	sim->fault.any = true;
	sim->fault.first = from->first;
}

void fault_reset(struct v3dsim *sim)
{
	memset(&sim->fault, 0, sizeof(sim->fault));
}
