/* SPDX-License-Identifier: (GPL-2.0-only OR MIT) */
/*
 * The types that headers shared by kernel and userspace stand on: __u8 to __u64, bool, size_t.
 */
#ifndef V3D_TYPES_H
#define V3D_TYPES_H

#ifdef __KERNEL__
#include <linux/types.h>
#else
#include <linux/types.h>
#include <stdbool.h>
#include <stddef.h>
#endif

#endif /* V3D_TYPES_H */
