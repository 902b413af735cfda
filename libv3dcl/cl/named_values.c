// SPDX-License-Identifier: MIT
/* Fields by their names into values by their order: is each there, and does each fit? */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <strings.h>

#include "list.h"
#include "named.h"

/* Longest piece of a caller's name that a message shows */
#define SHOWN 40

/* Refuses a name; @first is what the message says, behind it come the names that there are */
static int no_such_name(struct v3dcl_buffer *names, const char *first, struct v3dcl_error *error)
{
	const int ret = v3dcl_fail(error, -EINVAL, "%s%s", first,
				   names->failed || !names->bytes ? ", which has none" :
								    (char *)names->bytes);

	v3dcl_buffer_free(names);
	return ret;
}

static int no_such_field(const struct named *record, const char *name, struct v3dcl_error *error)
{
	struct v3dcl_buffer names = { 0 };
	const struct v3d_field *field;
	char first[128];

	for (field = record->of.fields; field->name; field++)
		v3dcl_buffer_printf(&names, "%s%s", names.bytes ? ", " : "; it has ", field->name);
	snprintf(first, sizeof(first), "'%.*s' is no field of %s", SHOWN, name ? name : "",
		 record->about.name);
	return no_such_name(&names, first, error);
}

static int no_such_choice(const struct named *record, const struct v3d_field *field,
			  const char *name, struct v3dcl_error *error)
{
	const struct cl_choice *choice = cl_choices(record->about.name, field->name);
	struct v3dcl_buffer names = { 0 };
	char first[160];

	for (; choice && choice->name; choice++)
		v3dcl_buffer_printf(&names, "%s%s", names.bytes ? ", " : "; it has ", choice->name);
	snprintf(first, sizeof(first), "'%.*s' is no name of a value of %s of %s", SHOWN,
		 name ? name : "", field->name, record->about.name);
	return no_such_name(&names, first, error);
}

static int put_number(const struct named *record, const struct v3d_field *field, int64_t number,
		      struct v3dcl_value *value, struct v3dcl_error *error)
{
	int64_t least = 0, most = (INT64_C(1) << field->bits) - 1;

	if (field->type == V3D_F32 || field->type == V3D_F187) {
		*value = v3dcl_value_float(number);
		return 0;
	}
	if (field->type == V3D_S) {
		least = -(most + 1) / 2;
		most /= 2;
	} else if (field->type == V3D_A) {
		most = UINT32_MAX;
	} else if (record->about.kind == V3DCL_NAMED_WORD) {
		most = cl_word_most(&record->of, field);
	}
	if (number < least || number > most)
		return cl_out_of_range(record->about.name, field->name, number, least, most, error);
	if (field->type == V3D_A)
		*value = v3dcl_value_address((struct v3dcl_address){ 0, number });
	else if (record->about.kind == V3DCL_NAMED_WORD)
		*value = v3dcl_value_u(number & ((INT64_C(1) << field->bits) - 1));
	else
		*value = v3dcl_value_u(number);
	return 0;
}

static int put_real(const struct named *record, const struct v3d_field *field, double real,
		    struct v3dcl_value *value, struct v3dcl_error *error)
{
	const float single = real;

	if (field->type != V3D_F32 && field->type != V3D_F187)
		return v3dcl_fail(error, -EINVAL, "%s: %s takes %s, not %g", record->about.name,
				  field->name,
				  field->type == V3D_A ? "an address" : "a whole number", real);
	if (isinf(single) && !isinf(real))
		return v3dcl_fail(error, -EINVAL, "%s: %s is %g, which a 32-bit float cannot hold",
				  record->about.name, field->name, real);
	*value = v3dcl_value_float(single);
	return 0;
}

static int put_choice(const struct named *record, const struct v3d_field *field, const char *name,
		      struct v3dcl_value *value, struct v3dcl_error *error)
{
	const struct cl_choice *choice = cl_choices(record->about.name, field->name);

	for (; name && choice && choice->name; choice++)
		if (!strcasecmp(choice->name, name))
			return put_number(record, field, choice->value, value, error);
	return no_such_choice(record, field, name, error);
}

static int put_address(const struct named *record, const struct v3d_field *field,
		       struct v3dcl_address to, struct v3dcl_value *value,
		       struct v3dcl_error *error)
{
	if (field->type != V3D_A)
		return v3dcl_fail(error, -EINVAL, "%s: %s takes a number, not an address",
				  record->about.name, field->name);
	*value = v3dcl_value_address(to);
	return 0;
}

static int put_value(const struct named *record, const struct v3d_field *field,
		     const struct v3dcl_given *given, struct v3dcl_value *value,
		     struct v3dcl_error *error)
{
	switch (given->kind) {
	case V3DCL_GIVEN_NUMBER:
		return put_number(record, field, given->number, value, error);
	case V3DCL_GIVEN_REAL:
		return put_real(record, field, given->real, value, error);
	case V3DCL_GIVEN_ADDRESS:
		return put_address(record, field, given->to, value, error);
	case V3DCL_GIVEN_CHOICE:
		return put_choice(record, field, given->choice, value, error);
	default:
		return v3dcl_fail(error, -EINVAL, "%s: no value is given in the way %u: 0 to %u",
				  record->about.name, given->kind, V3DCL_GIVEN_CHOICE);
	}
}

static int take_one(const struct named *record, const struct v3dcl_given *given,
		    struct named_values *taken, struct v3dcl_error *error)
{
	uint32_t i;
	int ret;

	for (i = 0; given->field && record->of.fields[i].name; i++)
		if (!strcmp(record->of.fields[i].name, given->field))
			break;
	if (!given->field || !record->of.fields[i].name)
		return no_such_field(record, given->field, error);
	if (taken->given >> i & 1)
		ret = v3dcl_fail(error, -EINVAL, "%s: %s is given twice", record->about.name,
				 given->field);
	else
		ret = put_value(record, &record->of.fields[i], given, &taken->values[i], error);
	taken->given |= 1u << i;
	if (ret && error && !error->field)
		cl_blame(error, record->about.name, record->of.fields[i].name, 0, 0);
	return ret;
}

/* What cannot be meant to be 0 */
static int check_missing(const struct named *record, const struct named_values *taken,
			 struct v3dcl_error *error)
{
	const bool control = record->about.kind == V3DCL_NAMED_CONTROL;
	const struct v3d_field *field;
	uint32_t i, least;

	for (i = 0; record->of.fields[i].name; i++) {
		field = &record->of.fields[i];
		least = control ? cl_least(record->about.id, i) : 0;
		if (taken->given >> i & 1 || (field->type != V3D_A && !least))
			continue;
		v3dcl_fail(error, -EINVAL, "%s: %s is missing%s", record->about.name, field->name,
			   field->type == V3D_A ? ": an address, or 0 for none" : "");
		return cl_blame(error, record->about.name, field->name, 0, least);
	}
	return 0;
}

static int find(const char *name, enum v3dcl_named_kind kind, struct named *found,
		struct v3dcl_error *error)
{
	static const char *const kinds[] = {
		[V3DCL_NAMED_CONTROL] = "a control record, for v3dcl_list_named()",
		[V3DCL_NAMED_MEMORY] = "a record in memory, for v3dcl_record_named()",
		[V3DCL_NAMED_WORD] = "a set-up word, for v3dcl_word_named()",
	};

	if (!named_find(name, found))
		return v3dcl_fail(error, -EINVAL,
				  "no record is called '%.*s': v3dcl_named_record() tells which "
				  "there are",
				  SHOWN, name ? name : "");
	if (found->about.kind != kind)
		return v3dcl_fail(error, -EINVAL, "%s is %s", name, kinds[found->about.kind]);
	return 0;
}

int named_take(const struct v3dcl_named *record, enum v3dcl_named_kind kind, struct named *found,
	       struct named_values *taken, struct v3dcl_error *error)
{
	struct cl_record as;
	uint32_t i;
	int ret = find(record->record, kind, found, error);

	*taken = (struct named_values){ 0 };
	for (i = 0; i < record->count && !ret; i++)
		ret = take_one(found, &record->fields[i], taken, error);
	if (!ret)
		ret = check_missing(found, taken, error);
	if (ret)
		return ret;
	as = (struct cl_record){ found->about.name, found->of.fields, 0, found->about.length };
	return cl_check_values(&as, taken->values, error);
}
