/* SPDX-License-Identifier: MIT */
#ifndef V3DCL_SIM_CORE_H
#define V3DCL_SIM_CORE_H

#include "sim.h"

sim_ioctl core_version, core_get_unique, core_set_version, core_get_client, core_get_magic, core_auth_magic, core_get_cap,
	  core_no_display, core_set_client_cap, core_set_master, core_drop_master, core_get_stats;

void core_opened(struct sim_file *file);
void core_closed(struct sim_file *file);

#endif /* V3DCL_SIM_CORE_H */
