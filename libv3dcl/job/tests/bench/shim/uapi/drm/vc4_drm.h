/* SPDX-License-Identifier: MIT */
/* The name under which mainline's sources ask for it */
#include <vc4_drm.h>
