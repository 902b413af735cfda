// SPDX-License-Identifier: MIT
/* Memory being written, with the addresses in it. */
#include <errno.h>
#include <string.h>

#include "cl.h"

void v3dcl_block_free(struct v3dcl_block *block)
{
	v3dcl_buffer_free(&block->bytes);
	v3dcl_buffer_free(&block->fixups);
}

const struct v3dcl_fixup *v3dcl_block_fixups(const struct v3dcl_block *block, uint32_t *count)
{
	*count = block->fixups.size / sizeof(struct v3dcl_fixup);
	return (const struct v3dcl_fixup *)(const void *)block->fixups.bytes;
}

int cl_no_memory(struct v3dcl_error *error)
{
	return v3dcl_fail(error, -ENOMEM, "out of memory");
}

struct cl_mark cl_mark(const struct v3dcl_block *block)
{
	return (struct cl_mark){ block->bytes.size, block->fixups.size };
}

/* What was there is there still, so it can be tried again. */
int cl_back_to(struct v3dcl_block *block, struct cl_mark mark, struct v3dcl_error *error)
{
	block->bytes.size = mark.bytes;
	block->fixups.size = mark.fixups;
	block->bytes.failed = false;
	block->fixups.failed = false;
	return cl_no_memory(error);
}

int v3dcl_block_bytes(struct v3dcl_block *block, const void *bytes, size_t size,
		      struct v3dcl_error *error)
{
	const struct cl_mark mark = cl_mark(block);

	if (size > CL_MOST_BYTES - block->bytes.size)
		return v3dcl_fail(error, -EINVAL, "the memory gets too large: at most %u bytes",
				  CL_MOST_BYTES);
	return v3dcl_buffer_add(&block->bytes, bytes, size) ? 0 : cl_back_to(block, mark, error);
}

int v3dcl_block_align(struct v3dcl_block *block, uint32_t alignment, struct v3dcl_error *error)
{
	return v3dcl_block_bytes(block, NULL, -block->bytes.size & (alignment - 1), error);
}

int v3dcl_block_word(struct v3dcl_block *block, uint32_t word, struct v3dcl_error *error)
{
	const uint8_t bytes[4] = { word, word >> 8, word >> 16, word >> 24 };

	return v3dcl_block_bytes(block, bytes, sizeof(bytes), error);
}

int v3dcl_block_float(struct v3dcl_block *block, float value, struct v3dcl_error *error)
{
	return v3dcl_block_word(block, v3dcl_value_float(value).bits, error);
}

int v3dcl_block_address(struct v3dcl_block *block, struct v3dcl_address address, uint32_t word,
			struct v3dcl_error *error)
{
	const struct v3dcl_fixup fixup = { .at = block->bytes.size, .to = address };
	const struct cl_mark mark = cl_mark(block);
	int ret;

	if (!address.bo)
		return v3dcl_block_word(block, word + address.offset, error);
	ret = v3dcl_block_word(block, word, error);
	if (!ret && !v3dcl_buffer_add(&block->fixups, &fixup, sizeof(fixup)))
		ret = cl_back_to(block, mark, error);
	return ret;
}

int v3dcl_block_append(struct v3dcl_block *block, const struct v3dcl_block *other,
		       uint32_t alignment, uint32_t *at, struct v3dcl_error *error)
{
	const struct cl_mark mark = cl_mark(block);
	const struct v3dcl_fixup *fixups;
	uint32_t count, i, start;
	int ret = v3dcl_block_align(block, alignment, error);

	start = block->bytes.size;
	if (!ret)
		ret = v3dcl_block_bytes(block, other->bytes.bytes, other->bytes.size, error);
	if (ret) {
		block->bytes.size = mark.bytes;
		return ret;
	}
	fixups = v3dcl_block_fixups(other, &count);
	for (i = 0; i < count; i++) {
		const struct v3dcl_fixup fixup = { .at = start + fixups[i].at, .to = fixups[i].to };

		if (!v3dcl_buffer_add(&block->fixups, &fixup, sizeof(fixup)))
			return cl_back_to(block, mark, error);
	}
	*at = start;
	return 0;
}
