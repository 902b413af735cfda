/* SPDX-License-Identifier: MIT */
/*
 * Things going wrong on purpose: why a unit stopped, in words. The first one since power-on is
 * kept.
 */
#ifndef V3DSIM_FAULT_H
#define V3DSIM_FAULT_H

#include "v3dsim.h"

struct fault {
	struct v3dsim_fault first;
	bool any;
	uint64_t count;
};

/* Name of a unit: "CLE0", "TMU" and so on */
const char *fault_unit_name(enum v3dsim_unit unit);

/**
 * fault_report() - a unit stops, or an access failed
 * @addr: of the control record, instruction or access
 * @format: what was wrong and what was expected; unit and address are put in front
 */
__attribute__((format(printf, 4, 5))) void fault_report(struct v3dsim *sim, enum v3dsim_unit unit,
							uint32_t addr, const char *format, ...);

/**
 * fault_add() - more words at the end of the last report's text, if that is the one that is kept
 */
__attribute__((format(printf, 2, 3)))
void fault_add(struct v3dsim *sim, const char *format, ...);

/* A report that was kept elsewhere comes now */
void fault_pass_on(struct v3dsim *sim, const struct fault *from);

/* Power-on state */
void fault_reset(struct v3dsim *sim);

#endif /* V3DSIM_FAULT_H */
