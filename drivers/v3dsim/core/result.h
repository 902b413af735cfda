/* SPDX-License-Identifier: MIT */
/* How far a block came with what it was given. */
#ifndef V3DSIM_RESULT_H
#define V3DSIM_RESULT_H

/**
 * enum sim_result - STUCK and MORE are tried again, when something has changed or at once; an ERROR
 * was reported
 */
enum sim_result { SIM_DONE, SIM_MORE, SIM_STUCK, SIM_ERROR };

#endif /* V3DSIM_RESULT_H */
