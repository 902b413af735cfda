/* SPDX-License-Identifier: (GPL-2.0-only OR MIT) */
/*
 * What DMA between the VPM and memory reaches: AG100 Tables 34 to 37. And numbers made of uniforms,
 * once those are known.
 */
#ifndef V3DCL_VALIDATE_VPM_DMA_H
#define V3DCL_VALIDATE_VPM_DMA_H

#include "validate.h"

/* Rows of 64 bytes that user programs can address: HW-2253 */
#define V3DCL_VPM_ROWS 64
#define V3DCL_VPM_COLUMNS 16

/**
 * struct v3dcl_dma - a load or a store
 * @store: VDW, else VDR
 * @first: least set-up word that it may have
 * @last: greatest; differs from @first in the address field only
 * @stride: greatest stride word that it may have; looked at only if the set-up word says so
 */
struct v3dcl_dma {
	bool store;
	__u32 first, last, stride;
};

__u32 v3dcl_dma_rule(const struct v3dcl_dma *dma);
__u32 v3dcl_dma_bytes(const struct v3dcl_dma *dma);
bool v3dcl_needs_stride(bool store, __u32 setup);
__u32 v3dcl_setup_field(bool store, bool stride);

/**
 * struct v3dcl_range - what an abstract value can be, with the uniforms of a job
 * @first: the least number
 * @spread: every number from @first to @first + @spread, none of them when that wraps
 */
struct v3dcl_range {
	__u32 first;
	__u64 spread;
};

bool v3dcl_evaluate(const struct v3dcl_abstract_value *number, const __u32 *words, __u32 count,
		    struct v3dcl_range *range, __u32 *slot);

#endif /* V3DCL_VALIDATE_VPM_DMA_H */
