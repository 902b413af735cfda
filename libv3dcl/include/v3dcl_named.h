/* SPDX-License-Identifier: MIT */
/*
 * Records by their names: for languages that have no C compiler at hand. <v3dcl_cl.h> has a struct
 * and an inline function for each record; here, one function builds any of them from the names and
 * values of its fields, and others tell which records, fields and names of values there are.
 *
 *	const struct v3dcl_given fields[] = {
 *		{ .field = "width", .number = 640 },
 *		{ .field = "height", .number = 480 },
 *	};
 *	const struct v3dcl_named window = { "clip_window", fields, 2 };
 *
 *	v3dcl_list_named(&list, &window, NULL, 0, &error);
 *
 * There are no bit-fields, unions or macros in what is handed over. Records are those of
 * <v3d/packets.h>, set-up words those of <v3d/words.h>; the text that v3dcl run takes has the same
 * names.
 *
 * A field that is not given is 0. Addresses must be given, as 0 where there is none, and so must
 * fields of which 0 means nothing. What says which set-up word it is needs not be given. Names are
 * refused that do not exist, with those that do; so are fields given twice, values of another kind
 * and values out of range. Nothing is changed then.
 */
#ifndef V3DCL_NAMED_H
#define V3DCL_NAMED_H

#include "v3dcl_cl.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * enum v3dcl_given_kind - how a value is given
 * @V3DCL_GIVEN_NUMBER: a whole number; also for floats, and for addresses that are written as they
 *	are
 * @V3DCL_GIVEN_REAL: a number for a field that is a float
 * @V3DCL_GIVEN_ADDRESS: an address
 * @V3DCL_GIVEN_CHOICE: a name that the field has for a value: "triangles"
 */
enum v3dcl_given_kind {
	V3DCL_GIVEN_NUMBER,
	V3DCL_GIVEN_REAL,
	V3DCL_GIVEN_ADDRESS,
	V3DCL_GIVEN_CHOICE,
};

/**
 * struct v3dcl_given - a field and its value
 * @field: its name
 * @kind: enum v3dcl_given_kind: which of the following is looked at
 * @to: the address
 * @number: the number
 * @real: the number
 * @choice: the name
 */
struct v3dcl_given {
	const char *field;
	uint32_t kind;
	struct v3dcl_address to;
	int64_t number;
	double real;
	const char *choice;
};

/**
 * struct v3dcl_named - a record and its fields
 * @record: its name
 * @fields: in any order; NULL for none
 * @count: of @fields
 */
struct v3dcl_named {
	const char *record;
	const struct v3dcl_given *fields;
	uint32_t count;
};

/**
 * v3dcl_list_named() - append a control record of AG100 Table 38
 * @list: where, as for v3dcl_list_add()
 * @record: the record
 * @data: what stands behind it: only for records 42, 48 and 49
 * @size: bytes of @data
 * @error: filled where the call fails; NULL for none
 *
 * Return: 0; -EINVAL, and the list is as it was; -ENOMEM, and the same
 */
int v3dcl_list_named(struct v3dcl_list *list, const struct v3dcl_named *record, const uint8_t *data,
		     size_t size, struct v3dcl_error *error);

/**
 * v3dcl_record_named() - append a record in memory: AG100 Tables 44 to 47
 * @block: appended to, 16-byte aligned
 * @records: a nv_shader_record, vg_shader_record or clipped_vertex; or a gl_shader_record, behind
 *	it 1 to 8 of attribute, behind them as many of extended_stride, or none
 * @count: of @records
 * @at: set to the byte of @block where it begins
 * @error: filled where the call fails; NULL for none
 *
 * Attributes are put into the VPM as v3dcl_place_attributes() does where neither sizes nor offsets
 * of them are given.
 *
 * Return: 0, -EINVAL or -ENOMEM; the block is then as it was, but for its alignment
 */
int v3dcl_record_named(struct v3dcl_block *block, const struct v3dcl_named *records, uint32_t count,
		       uint32_t *at, struct v3dcl_error *error);

struct v3dcl_frame;

/**
 * v3dcl_frame_named() - keep a record in memory in a frame
 * @frame: the frame
 * @records: as for v3dcl_record_named()
 * @count: of @records
 * @where: set to its address, for records 49 and 64 to 66
 * @error: filled where the call fails; NULL for none
 *
 * Return: 0, -EINVAL or -ENOMEM
 */
int v3dcl_frame_named(struct v3dcl_frame *frame, const struct v3dcl_named *records, uint32_t count,
		      struct v3dcl_address *where, struct v3dcl_error *error);

/**
 * v3dcl_word_named() - a set-up word: of the VPM, its DMA, a texture, a stencil test
 * @word: the word
 * @bits: set to it
 * @to: set to an address of a BO that has to be added, as v3dcl_block_address() does; its bo is 0
 *	where there is none. NULL: only addresses that are numbers are taken.
 * @error: filled where the call fails; NULL for none
 *
 * Return: 0 or -EINVAL
 */
int v3dcl_word_named(const struct v3dcl_named *word, uint32_t *bits, struct v3dcl_address *to,
		     struct v3dcl_error *error);

/**
 * enum v3dcl_named_kind - where a record belongs
 * @V3DCL_NAMED_CONTROL: in a list: v3dcl_list_named()
 * @V3DCL_NAMED_MEMORY: in memory: v3dcl_record_named(), v3dcl_frame_named()
 * @V3DCL_NAMED_WORD: with a QPU program: v3dcl_word_named()
 */
enum v3dcl_named_kind {
	V3DCL_NAMED_CONTROL,
	V3DCL_NAMED_MEMORY,
	V3DCL_NAMED_WORD,
};

/**
 * struct v3dcl_named_record - a record, described
 * @name: a constant
 * @kind: enum v3dcl_named_kind
 * @id: first byte of a control record; else 0
 * @length: bytes, of the fixed part where data follow
 * @lists: enum v3d_list: in which lists a control record may stand; else 0
 */
struct v3dcl_named_record {
	const char *name;
	uint32_t kind, id, length, lists;
};

/**
 * struct v3dcl_named_field - a field, described
 * @name: a constant
 * @type: enum v3d_field_type
 * @bits: width
 * @low: its lowest bit: behind the id byte of control records, from the first byte of others
 */
struct v3dcl_named_field {
	const char *name;
	uint32_t type, bits, low;
};

/**
 * v3dcl_named_record() - one record after another
 * @index: from 0 on
 * @record: filled
 *
 * Return: false where there are no more
 */
bool v3dcl_named_record(uint32_t index, struct v3dcl_named_record *record);

/**
 * v3dcl_named_field() - one field of a record after another
 * @record: its name
 * @index: from 0 on
 * @field: filled
 *
 * Return: false where there are no more, and for a record that does not exist
 */
bool v3dcl_named_field(const char *record, uint32_t index, struct v3dcl_named_field *field);

/**
 * v3dcl_named_choice() - one name of a field's values after another
 * @record: name of the record
 * @field: name of the field
 * @index: from 0 on
 * @value: set to what the name stands for
 *
 * Return: a constant; NULL where there are no more, and for a field whose values have no names
 */
const char *v3dcl_named_choice(const char *record, const char *field, uint32_t index,
			       uint32_t *value);

#ifdef __cplusplus
}
#endif

#endif /* V3DCL_NAMED_H */
