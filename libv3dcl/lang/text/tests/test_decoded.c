// SPDX-License-Identifier: MIT
/*
 * What the decoder prints is read again, and stands for the same bytes: submits, lists, code,
 * dumps, any bytes.
 */
#include <drm/v3dcl_dump.h>

#include "corpus.h"
#include "reading.h"
#include "script.h"
#include "v3dcl_decode.h"

/* Of the jobs that Mesa sent, one in so many: all take ten seconds */
#define MESA_STEP 16
#define RANDOM_RUNS 400

static struct v3dcl_script *read_again(const struct v3dcl_buffer *text)
{
	struct v3dcl_script *script = NULL;
	struct v3dcl_error error = { 0 };

	if (v3dcl_script_read("again", (const char *)text->bytes, text->size, NULL, 0, &script,
			      &error))
		fail_msg("%s\n%.*s", error.text, text->size < 4000 ? (int)text->size : 4000,
			 (const char *)text->bytes);
	return script;
}

/* The thing that stood there, with addresses in it */
static void same_memory(const struct v3dcl_script *script, const struct v3dcl_piece *piece)
{
	const struct script_thing *thing = NULL;
	const struct script_fixup *fixup;
	uint8_t *bytes = calloc(piece->size + 1, 1);
	uint32_t i;

	for (i = 0; i < script->thing_count; i++) {
		if (script->things[i].placed && script->things[i].address == piece->address)
			thing = &script->things[i];
	}
	assert_non_null(bytes);
	assert_non_null(thing);
	assert_int_equal(thing->size, piece->size);
	memcpy(bytes, thing->bytes.data.bytes, thing->bytes.data.size);
	fixup = (const struct script_fixup *)thing->bytes.fixups.bytes;
	for (i = 0; i < thing->bytes.fixups.size / sizeof(*fixup); i++, fixup++)
		v3d_put_bits(bytes + fixup->at, 0, 32,
			     v3d_get_bits(bytes + fixup->at, 0, 32) +
				     script->things[fixup->thing].address + fixup->offset);
	assert_memory_equal(bytes, piece->bytes, piece->size);
	free(bytes);
}

static void same_part(const struct script_bytes *is, const struct trial_part *should)
{
	assert_int_equal(is->fixups.size, 0);
	assert_int_equal(is->data.size, should->size);
	if (should->size)
		assert_memory_equal(is->data.bytes, should->bytes, should->size);
}

static void same_surface(const struct drm_vc4_submit_rcl_surface *is,
			 const struct drm_vc4_submit_rcl_surface *should)
{
	assert_memory_equal(is, should, sizeof(*is));
}

static void same_numbers(const struct drm_vc4_submit_cl *is, const struct drm_vc4_submit_cl *should)
{
	assert_int_equal(is->width, should->width);
	assert_int_equal(is->height, should->height);
	assert_int_equal(is->min_x_tile, should->min_x_tile);
	assert_int_equal(is->min_y_tile, should->min_y_tile);
	assert_int_equal(is->max_x_tile, should->max_x_tile);
	assert_int_equal(is->max_y_tile, should->max_y_tile);
	assert_int_equal(is->shader_rec_count, should->shader_rec_count);
	assert_int_equal(is->clear_color[0], should->clear_color[0]);
	assert_int_equal(is->clear_color[1], should->clear_color[1]);
	assert_int_equal(is->clear_z, should->clear_z);
	assert_int_equal(is->clear_s, should->clear_s);
	assert_int_equal(is->flags, should->flags);
	same_surface(&is->color_read, &should->color_read);
	same_surface(&is->color_write, &should->color_write);
	same_surface(&is->zs_read, &should->zs_read);
	same_surface(&is->zs_write, &should->zs_write);
	same_surface(&is->msaa_color_write, &should->msaa_color_write);
	same_surface(&is->msaa_zs_write, &should->msaa_zs_write);
}

static void a_frame(const struct trial *t, struct v3dcl_buffer *text)
{
	struct drm_vc4_submit_cl submit = t->submit;
	const struct script_handle *handle;
	const struct script_submit *again;
	struct v3dcl_script *script;
	uint32_t handles[TRIAL_BOS] = { 0 }, i;

	for (i = 0; i < t->bo_count; i++)
		handles[i] = 3 * i + 1;
	submit.bin_cl = (uintptr_t)t->bin.bytes;
	submit.bin_cl_size = t->bin.size;
	submit.shader_rec = (uintptr_t)t->records.bytes;
	submit.shader_rec_size = t->records.size;
	submit.uniforms = (uintptr_t)t->uniforms.bytes;
	submit.uniforms_size = t->uniforms.size;
	submit.bo_handles = (uintptr_t)handles;
	submit.bo_handle_count = t->bo_count;
	text->size = 0;
	assert_int_equal(v3dcl_decode_submit(&submit, false, text, NULL), 0);
	script = read_again(text);
	assert_int_equal(script->step_count, 1);
	assert_int_equal(script->steps[0].kind, SCRIPT_SUBMIT);
	again = script->steps[0].submit;
	same_numbers(&again->job, &submit);
	same_part(&again->bin, &t->bin);
	same_part(&again->records, &t->records);
	same_part(&again->uniforms, &t->uniforms);
	assert_int_equal(again->handles.size / sizeof(*handle), t->bo_count);
	handle = (const struct script_handle *)again->handles.bytes;
	for (i = 0; i < t->bo_count; i++)
		assert_true(handle[i].number && handle[i].thing == handles[i]);
	v3dcl_script_free(script);
}

static void its_code(const struct trial *t, struct v3dcl_buffer *text)
{
	uint32_t i;

	for (i = 0; i < t->bo_count; i++) {
		const struct v3dcl_piece piece = {
			(const uint8_t *)(t->code + t->bos[i].first),
			0x4000,
			t->bos[i].count * 8,
			"code",
		};
		const struct v3dcl_decoding how = { .pieces = &piece, .piece_count = 1 };
		struct v3dcl_script *script;

		if (t->bos[i].kind == TRIAL_DATA)
			continue;
		text->size = 0;
		assert_int_equal(v3dcl_decode_code(&how, piece.address, text, NULL), 0);
		script = read_again(text);
		same_memory(script, &piece);
		v3dcl_script_free(script);
	}
}

static void jobs_of_mesa(void **state)
{
	static struct trial trial;
	struct v3dcl_buffer text = { 0 };
	unsigned int n, frames = 0;
	struct corpus corpus;

	(void)state;
	assert_true(corpus_open(&corpus, MESA_CORPUS));
	for (n = 0; corpus_next(&corpus, &trial) > 0; n++) {
		if (n % MESA_STEP)
			continue;
		if (trial.kind == TRIAL_FRAME)
			a_frame(&trial, &text);
		frames += trial.kind == TRIAL_FRAME;
		its_code(&trial, &text);
	}
	corpus_close(&corpus);
	v3dcl_buffer_free(&text);
	assert_true(frames > 100);
}

/* --- Memory that may be anything -------------------------------------------------------------- */

static uint32_t dice(uint32_t *seed)
{
	*seed ^= *seed << 13;
	*seed ^= *seed >> 17;
	*seed ^= *seed << 5;
	return *seed;
}

/* Records and addresses more often than chance would have them */
static void fill(uint8_t *bytes, uint32_t size, uint32_t *seed)
{
	static const uint8_t ids[] = {
		V3D_NV_SHADER_STATE, V3D_GL_SHADER_STATE, V3D_BRANCH_TO_SUB_LIST,
		V3D_INDEXED_PRIMITIVES, V3D_STORE_GENERAL,
		V3D_CONFIGURATION_BITS, V3D_CLIPPED_PRIMITIVE, V3D_COMPRESSED_PRIMITIVES,
		V3D_VG_INLINE_PRIMITIVES,
		V3D_TILE_BINNING_MODE, V3D_VG_COORDINATE_PRIMITIVES, V3D_STORE_FULL,
		V3D_VG_INLINE_SHADER_STATE,
		V3D_DEPTH_OFFSET, V3D_TILE_RENDERING_MODE, V3D_CLEAR_COLORS,
		V3D_PRIMITIVE_LIST_FORMAT,
	};
	uint32_t at = 0, i;

	while (at < size) {
		const uint32_t what = dice(seed) % 8;
		const uint8_t id = ids[dice(seed) % sizeof(ids)];
		const struct v3d_packet_info *info = v3d_packet_info(id);

		if (what > 3 && info->length <= size - at) {
			bytes[at] = id;
			for (i = 1; i < info->length; i++)
				bytes[at + i] = what > 5 ? dice(seed) : 0;
			/* An address into one of the two pieces, where most records have theirs */
			if (info->length >= 5)
				v3d_put_bits(bytes + at + info->length - 4, 0, 32,
					     0x10000 * (1 + dice(seed) % 2) + dice(seed) % 500 * 4);
			at += info->length;
		} else if (what) {
			bytes[at++] = dice(seed) % 4 ? 0 : dice(seed);
		} else {
			for (i = 0; i < 40 && at < size; i++)
				bytes[at++] = 0;
		}
	}
}

static void memory_of_any_kind(void **state)
{
	uint32_t seed, run = 0;

	(void)state;
	for (seed = 1; run < RANDOM_RUNS; run++, seed = run + 1) {
		uint8_t first[2003], second[1800];
		const struct v3dcl_piece pieces[] = {
			{ first, 0x10000, sizeof(first), run % 2 ? "lists" : NULL },
			{ second, 0x20000, sizeof(second), "buffer" },
		};
		const struct v3dcl_decoding how = { .pieces = pieces, .piece_count = 2,
						    .follow = run % 3 };
		struct v3dcl_buffer text = { 0 };
		struct v3dcl_script *script;

		fill(first, sizeof(first), &seed);
		fill(second, sizeof(second), &seed);
		assert_int_equal(v3dcl_decode_lists(&how, 0x10000, 0x10000 + dice(&seed) % 3000,
						    0x20000, 0x20000 + dice(&seed) % 1900, &text,
						    NULL),
				 0);
		script = read_again(&text);
		same_memory(script, &pieces[0]);
		same_memory(script, &pieces[1]);
		v3dcl_script_free(script);
		v3dcl_buffer_free(&text);
	}
}

static void a_dump(void **state)
{
	struct {
		struct v3dcl_dump_header header;
		struct v3dcl_dump_block blocks[2];
		uint8_t bo[64], code[32];
	} dump = {
		.header = {
			.magic = V3DCL_DUMP_MAGIC, .version = V3DCL_DUMP_VERSION, .block_count = 2,
			.queue = 1, .start = 0x8000, .end = 0x8010,
		},
		.blocks = {
			{ .kind = V3DCL_DUMP_BO, .address = 0x8000, .dumped_bytes = 64 },
			{ .kind = V3DCL_DUMP_CODE, .address = 0x9000, .dumped_bytes = 32 },
		},
		.bo = {
			V3D_BRANCH_TO_SUB_LIST, 0x20, 0x80, 0, 0, V3D_STORE_RESOLVED_END,
			[40] = V3D_RETURN_FROM_SUB_LIST, 7,
		},
		.code = { 1, 2, 3, 4, 5, 6, 7, 8, 9 },
	};
	const struct v3dcl_piece bo = { dump.bo, 0x8000, 64, NULL },
				 code = { dump.code, 0x9000, 32, NULL };
	struct v3dcl_buffer text = { 0 };
	struct v3dcl_script *script;

	(void)state;
	assert_int_equal(v3dcl_decode_dump((const uint8_t *)&dump, sizeof(dump), false, &text,
					   NULL),
			 0);
	script = read_again(&text);
	same_memory(script, &bo);
	same_memory(script, &code);
	assert_int_equal(script->step_count, 1);
	assert_int_equal(script->steps[0].kind, SCRIPT_LISTS);
	assert_int_equal(script->steps[0].lists.place[1].size, 16);
	v3dcl_script_free(script);
	v3dcl_buffer_free(&text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(jobs_of_mesa),
		cmocka_unit_test(memory_of_any_kind),
		cmocka_unit_test(a_dump),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
