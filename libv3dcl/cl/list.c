// SPDX-License-Identifier: MIT
/* A list that grows record by record. */
#include <errno.h>

#include "list.h"

void v3dcl_list_init(struct v3dcl_list *list, enum v3dcl_list_kind kind)
{
	*list = (struct v3dcl_list){ .kind = kind };
	list->state.lists = kind == V3DCL_BIN_LIST ? V3D_IN_BIN :
			    kind == V3DCL_RENDER_LIST ? V3D_IN_RENDER : V3D_IN_BOTH;
}

void v3dcl_list_free(struct v3dcl_list *list)
{
	if (list)
		v3dcl_block_free(&list->block);
}

int v3dcl_list_add(struct v3dcl_list *list, uint8_t id, const struct v3dcl_value *values,
		   const uint8_t *data, size_t size, struct v3dcl_error *error)
{
	const struct v3d_packet_info *info = v3d_packet_info(id);
	const struct cl_record record = { info->name, info->fields, 8, info->length };
	const struct cl_mark mark = cl_mark(&list->block);
	struct v3dcl_list_state next = list->state;
	int ret;

	if (!info->name)
		return v3dcl_fail(error, -EINVAL, "no control record has the number %u", id);
	if (info->fields[0].name && !values)
		return v3dcl_fail(error, -EINVAL, "%s: its fields are missing", info->name);
	ret = cl_check_values(&record, values, error);
	if (!ret)
		ret = cl_check_fields(id, values, error);
	if (!ret)
		ret = cl_check_order(list, id, values, &next, error);
	if (!ret)
		ret = cl_check_data(&next, id, values, data, size, error);
	if (!ret)
		ret = cl_append_values(&list->block, &record, id, values, error);
	if (!ret && size) {
		ret = v3dcl_block_bytes(&list->block, data, size, error);
		if (ret) {
			list->block.bytes.size = mark.bytes;
			list->block.fixups.size = mark.fixups;
		}
	}
	if (!ret)
		list->state = next;
	else if (error)
		error->offset = mark.bytes;
	return ret;
}
