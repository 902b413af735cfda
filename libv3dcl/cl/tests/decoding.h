/* SPDX-License-Identifier: MIT */
/* Memory made by hand, for tests of the decoder. */
#ifndef DECODING_H
#define DECODING_H

#include "fail_alloc.h"

#include <v3d/lists.h>

#include "v3dcl_decode.h"
#include "v3dcl_qpu_build.h"

#define BASE 0x20000000u
#define LISTS (BASE + 0x1000)

/* One piece of memory, another beside it, and where the next record goes */
struct memory {
	uint8_t records[512], data[512];
	struct v3dcl_piece pieces[2];
	struct v3dcl_decoding how;
	uint32_t at;
	struct v3dcl_buffer out;
};

#define put(m, record, ...) \
	do { \
		const struct v3d_##record put_ = { __VA_ARGS__ }; \
		v3d_pack_##record((m)->records + (m)->at, &put_); \
		(m)->at += v3d_packet_info((m)->records[(m)->at])->length; \
	} while (0)

static inline void put_id(struct memory *m, uint8_t id)
{
	m->records[m->at++] = id;
}

static inline int setup(void **state)
{
	struct memory *m = calloc(1, sizeof(*m));

	m->pieces[0] = (struct v3dcl_piece){ m->records, LISTS, sizeof(m->records), "list" };
	m->pieces[1] = (struct v3dcl_piece){ m->data, BASE, sizeof(m->data), "data" };
	m->how = (struct v3dcl_decoding){ .pieces = m->pieces, .piece_count = 2, .follow = true };
	*state = m;
	return 0;
}

static inline int teardown(void **state)
{
	struct memory *m = *state;

	v3dcl_buffer_free(&m->out);
	free(m);
	return 0;
}

static inline const char *decode(struct memory *m, uint32_t bin_size, uint32_t render_size)
{
	m->out.size = 0;
	assert_int_equal(v3dcl_decode_lists(&m->how, LISTS, LISTS + bin_size, LISTS,
					    LISTS + render_size, &m->out, NULL),
			 0);
	return (const char *)m->out.bytes;
}

#define says(text, part) \
	do { \
		if (!strstr(text, part)) \
			fail_msg("\"%s\" is missing in:\n%s", part, text); \
	} while (0)

#endif /* DECODING_H */
