/* SPDX-License-Identifier: MIT */
/*
 * A frame of a script: what v3dcl_frame.h makes of it, once to see whether it is right, then with a
 * device's BOs.
 */
#ifndef V3DCL_LANG_TEXT_SCRIPT_FRAME_H
#define V3DCL_LANG_TEXT_SCRIPT_FRAME_H

#include "script.h"
#include "v3dcl_frame.h"

enum frame_item_kind { FRAME_UNIFORMS, FRAME_RECORD };

/**
 * struct frame_item - something that the frame keeps
 * @kind: a uniform stream, or a shader record with its attributes
 * @bytes: as they stand in memory
 * @record: of a shader record: its length, which says whose it is
 * @attributes: of a GL record
 * @strides: of an extended one
 */
struct frame_item {
	enum frame_item_kind kind;
	struct script_bytes bytes;
	uint32_t record, attributes, strides;
};

/**
 * struct frame_list - records, as bytes
 * @bytes: them
 * @starts: uint32_t: where each begins
 */
struct frame_list {
	struct script_bytes bytes;
	struct v3dcl_buffer starts;
};

/**
 * struct script_frame - a frame
 * @targets: its BOs are indices of things, plus 1
 * @items: struct frame_item
 * @bin: list of thread 0, without its beginning
 * @render: list of thread 1, empty where it follows from @targets
 * @binned: there is a bin list
 */
struct script_frame {
	struct v3dcl_targets targets;
	struct v3dcl_buffer items;
	struct frame_list bin, render;
	bool binned;
};

/**
 * struct frame_maker - makes a v3dcl_frame
 * @frame: it
 * @bo: the BO of a thing, 0 after an error
 * @opaque: handed to it
 * @error: or NULL
 */
struct frame_maker {
	struct v3dcl_frame *frame;
	uint32_t (*bo)(void *opaque, uint32_t thing);
	void *opaque;
	struct v3dcl_error *error;
};

uint32_t frame_thing_as_bo(void *opaque, uint32_t thing);
int frame_make_targets(struct frame_maker *maker, const struct script_frame *frame);
int frame_make_item(struct frame_maker *maker, const struct frame_item *item,
		    struct v3dcl_address *where);
int frame_make_record(struct frame_maker *maker, struct v3dcl_list *list,
		      const struct frame_list *records, uint32_t index);
int frame_make(struct frame_maker *maker, const struct script_frame *frame);

#endif /* V3DCL_LANG_TEXT_SCRIPT_FRAME_H */
