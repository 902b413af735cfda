/* SPDX-License-Identifier: MIT */
/*
 * Control lists, built record by record, and the jobs that they make.
 *
 * A list knows what it is for. A record that may not stand there, a list without Start Tile Binning, an address that is not aligned:
 * each is refused by the call that makes it, with a reason; the list is then as it was before the call.
 *
 * Addresses are never numbers: they are a BO (a handle of the device's) and an offset, and the list remembers where each stands.
 */
#ifndef V3DCL_CL_H
#define V3DCL_CL_H

#include <v3d/packets.h>

#include "v3dcl_buffer.h"
#include "v3dcl_error.h"

#ifdef __cplusplus
extern "C" {
#endif

/** enum v3dcl_list_kind - what a list is for */
enum v3dcl_list_kind {
	V3DCL_BIN_LIST,		/* thread 0 */
	V3DCL_RENDER_LIST,	/* thread 1 */
	V3DCL_SUB_LIST,		/* branched to from a bin list or a render list */
};

/**
 * struct v3dcl_address - a place in memory
 * @bo: handle, or 0 for none: @offset is then a number that is written as it is
 * @offset: bytes
 */
struct v3dcl_address {
	uint32_t bo, offset;
};

/**
 * struct v3dcl_fixup - where in a piece of memory an address stands
 * @at: byte in the list or record of the 32-bit little endian word that the address is added to
 * @to: the address
 */
struct v3dcl_fixup {
	uint32_t at;
	struct v3dcl_address to;
};

/**
 * struct v3dcl_list - a control list being built
 * @kind: see enum v3dcl_list_kind
 * @bytes: the records so far, addresses 0
 * @fixups: struct v3dcl_fixup, in the order of their places
 * @state: the builder's own: what has been said so far
 */
struct v3dcl_list {
	enum v3dcl_list_kind kind;
	struct v3dcl_buffer bytes, fixups;
	struct v3dcl_list_state *state;
};

/* One function a record of AG100 Table 38, by its name in <v3d/packets.h>: int v3dcl_list_NAME(list, arguments..., error) */

#ifdef __cplusplus
}
#endif

#endif /* V3DCL_CL_H */
