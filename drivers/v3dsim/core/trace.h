/* SPDX-License-Identifier: MIT */
/* Lines of trace for the host. Check trace_wanted() before any work is done for one. */
#ifndef V3DSIM_TRACE_H
#define V3DSIM_TRACE_H

#include "v3dsim.h"

struct v3dsim;

#define TRACE_LINE 512		/* longer lines are cut */

/**
 * trace_wanted() - is this kind of line wanted? (use as trace_wanted(&sim->config, ...))
 */
static inline bool trace_wanted(const struct v3dsim_config *config, enum v3dsim_trace kind)
{
	return config->trace_mask & kind;
}

/**
 * trace_line() - hands a line to the host, from inside the engine: drops the lock meanwhile, like
 * every callback
 */
__attribute__((format(printf, 3, 4)))
void trace_line(struct v3dsim *sim, enum v3dsim_trace kind, const char *format, ...);

#endif /* V3DSIM_TRACE_H */
