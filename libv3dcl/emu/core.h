/* SPDX-License-Identifier: MIT */
#ifndef V3DCL_EMU_CORE_H
#define V3DCL_EMU_CORE_H

#include "internal.h"

emu_ioctl core_version, core_get_unique, core_set_version, core_get_client, core_get_magic,
	core_auth_magic, core_get_cap, core_no_display, core_set_client_cap, core_set_master,
	core_drop_master, core_get_stats;

void core_opened(struct emu_file *file);
void core_closed(struct emu_file *file);

#endif /* V3DCL_EMU_CORE_H */
