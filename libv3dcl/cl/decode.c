// SPDX-License-Identifier: MIT
/* What a caller can have decoded: lists with all they lead to, code. */
#include <errno.h>

#include "decode.h"

/**
 * decode_write() - all has been walked: prints it, and closes the decoding.
 * @ends: starts and ends of bin and render list
 */
int decode_write(struct decode *d, const uint32_t ends[4], struct v3dcl_buffer *out,
		 struct v3dcl_error *error)
{
	int ret = decode_finish(d, error);

	if (!ret) {
		if (d->how->json)
			decode_write_json(d, ends, out);
		else
			decode_write_text(d, ends, out);
		if (out->failed)
			ret = v3dcl_fail(error, -ENOMEM, "no memory");
	}
	decode_close(d);
	return ret;
}

int v3dcl_decode_lists(const struct v3dcl_decoding *decoding, uint32_t bin_start, uint32_t bin_end,
		       uint32_t render_start, uint32_t render_end, struct v3dcl_buffer *out,
		       struct v3dcl_error *error)
{
	const uint32_t ends[4] = { bin_start, bin_end, render_start, render_end };
	struct decode d;
	int ret = decode_open(&d, decoding, error);

	if (ret)
		return ret;
	decode_list(&d, bin_start, bin_end);
	decode_list(&d, render_start, render_end);
	return decode_write(&d, ends, out, error);
}

int v3dcl_decode_code(const struct v3dcl_decoding *decoding, uint32_t address,
		      struct v3dcl_buffer *out, struct v3dcl_error *error)
{
	static const uint32_t no_lists[4] = { 0 };
	struct decode d;
	int ret = decode_open(&d, decoding, error);

	if (ret)
		return ret;
	decode_code(&d, address, "code");
	return decode_write(&d, no_lists, out, error);
}
