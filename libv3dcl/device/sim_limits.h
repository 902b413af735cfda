/* SPDX-License-Identifier: MIT */
/* What SUBMIT_QPU takes, as the module says too */
#ifndef V3DCL_SIM_LIMITS_H
#define V3DCL_SIM_LIMITS_H

#define SIM_MAX_PROGRAMS 256
#define SIM_MAX_UNIFORMS 65536
#define SIM_MAX_RELOCS 4096
#define SIM_MAX_SYNCS 64
#define SIM_MAX_TIMEOUT_NS UINT64_C(10000000000)
#define SIM_USER_VPM_ROWS 64

#endif /* V3DCL_SIM_LIMITS_H */
