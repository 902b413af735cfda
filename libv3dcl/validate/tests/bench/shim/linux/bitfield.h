/* SPDX-License-Identifier: MIT */
/* What mainline's register header asks for is in vc4_drv.h. */
