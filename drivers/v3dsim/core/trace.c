// SPDX-License-Identifier: MIT
/* Trace lines: see trace.h. */
#include <stdarg.h>
#include <stdio.h>

#include "sim.h"

void trace_line(struct v3dsim *sim, enum v3dsim_trace kind, const char *format, ...)
{
	char line[TRACE_LINE];
	va_list arguments;

	if (!sim->host.trace || !trace_wanted(&sim->config, kind))
		return;
	va_start(arguments, format);
	vsnprintf(line, sizeof(line), format, arguments);
	va_end(arguments);
	sim_callback_begin(sim);
	sim->host.trace(sim->host.opaque, kind, line);
	sim_callback_end(sim);
}
