// SPDX-License-Identifier: MIT
/*
 * Raw lists: what SUBMIT_LISTS refuses, field by field, and what it does: addresses put in their
 * places, one list or two, memory for a binner that runs out of its own, an end by reset. What
 * lists can draw is for v3dcl_posts.
 */
#include "v3dcl_raw.h"
#include "v3dcl_trace.h"

IGT_TEST_DESCRIPTION("Raw lists: arguments, addresses, overspill, hangs");

#define WIDTH 128
#define HEIGHT 64
#define COLOR 0xa1b2c3d4u

/* A clear of 128 x 64 pixels, which works; cases change one thing */
static struct raw *clear(int fd)
{
	struct raw *raw = raw_new(fd, WIDTH * HEIGHT * 4);

	raw_render(raw, COLOR, WIDTH, HEIGHT, false);
	return raw;
}

static void check_filled(const struct raw *raw, uint32_t color)
{
	unsigned int i;

	for (i = 0; i < WIDTH * HEIGHT; i++)
		igt_assert_eq_u32(raw->bos[RAW_TARGET].map[i], color);
}

#define ANY_RULE 0
#define IN_SUBMIT(field) DRM_V3DCL_PART_SUBMIT, offsetof(struct drm_v3dcl_submit_lists, field)
#define IN_ADDRESS(field) DRM_V3DCL_PART_ADDRESS, offsetof(struct drm_v3dcl_address, field)

/* Refused, nothing changed. Frees the job. */
static void refused_at(int fd, struct raw *raw, uint32_t part, uint32_t offset, uint32_t rule)
{
	uint32_t *before = malloc(RAW_MEMORY_BYTES);
	struct drm_v3dcl_refusal refusal;

	igt_assert(before);
	memcpy(before, raw->bos[RAW_MEMORY].map, RAW_MEMORY_BYTES);
	igt_assert_eq(raw_try(fd, raw), EINVAL);
	refusal = refusal_get(fd);
	igt_assert_f(refusal.part == part && refusal.offset == offset &&
		     (rule == ANY_RULE || refusal.rule == rule),
		     "part %u offset %u rule %u (%s), not part %u offset %u rule %u\n",
		     refusal.part, refusal.offset, refusal.rule, refusal.text, part, offset, rule);
	igt_assert(!memcmp(before, raw->bos[RAW_MEMORY].map, RAW_MEMORY_BYTES));
	free(before);
	raw_free(fd, raw);
}

static void counts(int fd)
{
	struct raw *raw = clear(fd);

	raw->submit.bo_count = 0;
	refused_at(fd, raw, IN_SUBMIT(bo_count), ANY_RULE);
	raw = clear(fd);
	raw->submit.bo_count = 4097;
	refused_at(fd, raw, IN_SUBMIT(bo_count), ANY_RULE);
	raw = clear(fd);
	raw->submit.address_count = 65537;
	refused_at(fd, raw, IN_SUBMIT(address_count), ANY_RULE);
	raw = clear(fd);
	raw->submit.in_sync_count = 65;
	refused_at(fd, raw, IN_SUBMIT(in_sync_count), ANY_RULE);
	raw = clear(fd);
	raw->submit.out_sync_count = 65;
	refused_at(fd, raw, IN_SUBMIT(out_sync_count), ANY_RULE);
	raw = clear(fd);
	raw->submit.flags = 1;
	refused_at(fd, raw, IN_SUBMIT(flags), ANY_RULE);
	raw = clear(fd);
	raw->submit.bin.pad = 1;
	refused_at(fd, raw, IN_SUBMIT(bin.pad), ANY_RULE);
	raw = clear(fd);
	raw->submit.render.pad = 1;
	refused_at(fd, raw, IN_SUBMIT(render.pad), ANY_RULE);
}

static void pointers(int fd)
{
	struct raw *raw = clear(fd);

	raw->submit.bo_handles = 8;
	igt_assert_eq(raw_try(fd, raw), EFAULT);
	raw->submit.bo_handles = (uintptr_t)raw->handles;
	raw->submit.addresses = 8;
	igt_assert_eq(raw_try(fd, raw), EFAULT);
	raw->submit.addresses = (uintptr_t)raw->addresses;
	raw->submit.in_syncs = 8;
	raw->submit.in_sync_count = 1;
	igt_assert_eq(raw_try(fd, raw), EFAULT);
	raw->submit.in_sync_count = 0;
	raw->submit.out_syncs = 8;
	raw->submit.out_sync_count = 1;
	igt_assert_eq(raw_try(fd, raw), EFAULT);
	raw_free(fd, raw);
}

static void unknown_objects(int fd)
{
	struct raw *raw = clear(fd);

	raw->submit.perfmon = 4711;
	igt_assert_eq(raw_try(fd, raw), ENOENT);
	raw->submit.perfmon = 0;
	raw->in[0].handle = 4711;
	raw->submit.in_sync_count = 1;
	igt_assert_eq(raw_try(fd, raw), ENOENT);
	raw->submit.in_sync_count = 0;
	raw->out[0].handle = 4711;
	raw->submit.out_sync_count = 1;
	igt_assert_eq(raw_try(fd, raw), ENOENT);
	raw->submit.out_sync_count = 0;
	/* None of these has put addresses in their places */
	igt_assert_eq(raw_finish(fd, raw), 1);
	check_filled(raw, COLOR);
	raw_free(fd, raw);
	raw = clear(fd);
	raw->handles[RAW_TARGET] = 4711;
	refused_at(fd, raw, DRM_V3DCL_PART_HANDLE, RAW_TARGET * 4, 9);
}

/* Where several things are wrong: as for SUBMIT_QPU, v3dcl_submit's first-error */
static void first_error(int fd)
{
	struct raw *raw = clear(fd);

	raw->submit.out_syncs = 8;
	raw->submit.out_sync_count = 1;
	raw->in[0].handle = 4711;
	raw->submit.in_sync_count = 1;
	/* What it waits for, then what it signals */
	igt_assert_eq(raw_try(fd, raw), ENOENT);
	raw->submit.in_syncs = 8;
	raw->submit.perfmon = 4711;
	/* The perfmon, then syncobjs */
	igt_assert_eq(raw_try(fd, raw), ENOENT);
	raw->submit.render.bo = RAW_BOS;
	/* What is checked, then the perfmon */
	refused_at(fd, raw, IN_SUBMIT(render.bo), 2);
	raw = clear(fd);
	raw->submit.addresses = 8;
	raw->handles[RAW_TARGET] = 4711;
	/* Pointers, then handles */
	igt_assert_eq(raw_try(fd, raw), EFAULT);
	raw->submit.flags = 1;
	/* Ranges, then pointers */
	refused_at(fd, raw, IN_SUBMIT(flags), ANY_RULE);
}

/* A BO of code is not written to; it is fine as a target */
static void code(int fd)
{
	struct raw *raw = clear(fd);
	uint32_t program = program_store(fd);

	raw->handles[RAW_TILES] = program;
	raw->submit.render.bo = RAW_TILES;
	refused_at(fd, raw, IN_SUBMIT(render.bo), 3);
	raw = clear(fd);
	raw->handles[RAW_TILES] = program;
	raw->addresses[0].bo = RAW_TILES;
	raw->addresses[0].offset = 0;
	refused_at(fd, raw, IN_ADDRESS(bo), 3);
	raw = clear(fd);
	raw->handles[RAW_TILES] = program;
	raw_address(raw, RAW_TILES, 0, 0);
	igt_assert_eq(raw_finish(fd, raw), 1);
	check_filled(raw, COLOR);
	raw_free(fd, raw);
	gem_close(fd, program);
}

static void list_fields(int fd)
{
	struct raw *raw = clear(fd);

	raw->submit.render.end = raw->submit.render.start;
	refused_at(fd, raw, IN_SUBMIT(bin), 200);
	raw = clear(fd);
	raw->submit.render.bo = RAW_BOS;
	refused_at(fd, raw, IN_SUBMIT(render.bo), 2);
	raw = clear(fd);
	raw->submit.bin = (struct drm_v3dcl_list) { .bo = ~0u, .start = 0, .end = 1 };
	refused_at(fd, raw, IN_SUBMIT(bin.bo), 2);
	raw = clear(fd);
	raw->submit.render.end = RAW_MEMORY_BYTES + 1;
	refused_at(fd, raw, IN_SUBMIT(render.end), 201);
	raw = clear(fd);
	raw->submit.render.start = raw->submit.render.end + 1;
	refused_at(fd, raw, IN_SUBMIT(render.end), 201);
	raw = clear(fd);
	raw->submit.render.end = ~0u;
	refused_at(fd, raw, IN_SUBMIT(render.end), 201);
}

static void address_fields(int fd)
{
	struct raw *raw = clear(fd);

	raw->addresses[0].bo = RAW_BOS;
	refused_at(fd, raw, IN_ADDRESS(bo), 2);
	raw = clear(fd);
	raw->addresses[0].target = ~0u;
	refused_at(fd, raw, IN_ADDRESS(target), 2);
	raw = clear(fd);
	raw->addresses[0].offset = RAW_MEMORY_BYTES - 3;
	refused_at(fd, raw, IN_ADDRESS(offset), 202);
	raw = clear(fd);
	raw->addresses[0].offset = ~0u;
	refused_at(fd, raw, IN_ADDRESS(offset), 202);
	raw = clear(fd);
	raw->addresses[0].target_offset = WIDTH * HEIGHT * 4;
	refused_at(fd, raw, IN_ADDRESS(target_offset), 203);
}

/*
 * The same target in words that are aligned and in words that are not: each has grown by the
 * target's address
 */
static void addresses_added(int fd)
{
	struct raw *raw = clear(fd);
	uint8_t *bytes = (uint8_t *)raw->bos[RAW_MEMORY].map;
	uint32_t at[3], word[3], i;

	for (i = 0; i < 3; i++) {
		at[i] = raw_align(raw, 16) + i;
		raw->at = at[i];
		raw_address(raw, RAW_TARGET, 16 * i, 5 + i);
	}
	raw_align(raw, 16);
	raw_address(raw, RAW_TILES, RAW_TILES_BYTES - 1, 1);
	igt_assert_eq(raw_finish(fd, raw), 1);
	check_filled(raw, COLOR);
	for (i = 0; i < 3; i++)
		memcpy(&word[i], bytes + at[i], 4);
	igt_assert_eq_u32(word[0] % 4096, 5);
	igt_assert_neq_u32(word[0], 5);
	igt_assert_eq_u32(word[1], word[0] + 16 + 1);
	igt_assert_eq_u32(word[2], word[0] + 32 + 2);
	memcpy(&word[0], bytes + raw->at - 4, 4);
	igt_assert_eq_u32(word[0] % 4096, 0);
	raw_free(fd, raw);
}

/* Its end is the submit's, as a render list's is: seqno, wait, BO and syncobj */
static void bin_only(int fd)
{
	struct raw *raw = raw_new(fd, 4096);
	uint64_t before;

	raw_render(raw, 0, 8, 8, false);
	igt_assert_eq(raw_finish(fd, raw), 1);
	before = raw->submit.seqno;
	raw->submit.address_count = 0;
	raw->submit.render = (struct drm_v3dcl_list) { 0 };
	raw->at = 0x1000;
	raw_begin_binning(raw, RAW_TILE_STATE, 1, 1);
	RAW(raw, 4);
	raw->submit.bin = raw_list(raw, 0x1000);
	igt_assert_eq(raw_finish(fd, raw), 1);
	igt_assert_eq_u64(raw->submit.seqno, before + 1);
	igt_assert_eq(seqno_wait(fd, raw->submit.seqno, LONG_WAIT), 0);
	igt_assert_eq(bo_wait(fd, raw->handles[RAW_TILES], 0), 0);
	raw_free(fd, raw);
}

#define TRIANGLES 20000
#define BACKGROUND 0x11223344u

/* One colour, from a uniform. Return: where it is */
static uint32_t put_shader(struct raw *raw)
{
	uint32_t at = raw_align(raw, 16);
	uint64_t code[16];
	struct qb b;

	qb_init(&b, code, ARRAY_SIZE(code));
	qb_emit(&b, qb_mov(QB_R0, QB_UNIF));
	qb_emit(&b, qb_nop());
	qb_end_color(&b, QB_R0);
	igt_assert(!b.failed);
	raw_bytes(raw, code, b.count * V3D_QPU_INSTRUCTION_BYTES);
	return at;
}

/*
 * The NV shader state record (AG100 Table 46) of the triangle (0, 0), (@reach, 0), (0, @reach), as
 * often as there are vertices for, with what it names. Return: where it is
 */
static uint32_t put_triangle(struct raw *raw, uint16_t reach, unsigned int vertex_count)
{
	uint32_t shader = put_shader(raw), uniform, vertices, record, i;

	uniform = raw_align(raw, 16);
	RAW(raw, RAW_LE32(COLOR));
	vertices = raw_align(raw, 16);
	for (i = 0; i < vertex_count; i++)
		RAW(raw, RAW_LE16(i % 3 == 1 ? 16 * reach : 0),
		    RAW_LE16(i % 3 == 2 ? 16 * reach : 0),
		    RAW_LE32(0x3f800000), RAW_LE32(0x3f800000));
	record = raw_align(raw, 16);
	RAW(raw, 0, 12, 0, 0);
	raw_address(raw, RAW_MEMORY, shader, 0);
	raw_address(raw, RAW_MEMORY, uniform, 0);
	raw_address(raw, RAW_MEMORY, vertices, 0);
	return record;
}

/* Tile lists that outgrow the memory that the list names: the driver gives more */
static void overspill(int fd)
{
	struct raw *raw = raw_new(fd, WIDTH * HEIGHT * 4);
	uint32_t record = put_triangle(raw, 16, 3), start = raw_align(raw, 16), i, x, y;

	raw_begin_binning(raw, 0x4000, 2, 1);
	RAW(raw, 96, 0x03, 0, 0, 102, RAW_LE16(0), RAW_LE16(0), RAW_LE16(WIDTH), RAW_LE16(HEIGHT),
	    103, RAW_LE16(0), RAW_LE16(0));
	RAW(raw, 65);
	raw_address(raw, RAW_MEMORY, record, 0);
	for (i = 0; i < TRIANGLES; i++)
		RAW(raw, 33, 4, RAW_LE32(3), RAW_LE32(0));
	RAW(raw, 4);
	raw->submit.bin = raw_list(raw, start);
	raw_render(raw, BACKGROUND, WIDTH, HEIGHT, true);
	igt_assert_eq(raw_finish(fd, raw), 1);
	for (y = 0; y < HEIGHT; y++) {
		for (x = 0; x < WIDTH; x++) {
			if (x + y != 15)
				igt_assert_eq_u32(raw->bos[RAW_TARGET].map[y * WIDTH + x],
						  x + y < 15 ? COLOR : BACKGROUND);
		}
	}
	raw_free(fd, raw);
}

/*
 * Ends by a reset, with this error, and the next job is not harmed. Its file is to blame if it
 * hung, not if there was no memory. Frees the job.
 */
static void check_fails(int fd, struct raw *raw, int error)
{
	uint64_t guilty = v3dcl_param(fd, DRM_V3DCL_PARAM_GUILTY);

	igt_assert_eq(raw_finish(fd, raw), -error);
	igt_assert_eq_u64(v3dcl_param(fd, DRM_V3DCL_PARAM_GUILTY), guilty + (error == ETIMEDOUT));
	raw_free(fd, raw);
	raw = clear(fd);
	igt_assert_eq(raw_finish(fd, raw), 1);
	check_filled(raw, COLOR);
	raw_free(fd, raw);
}

static void check_times_out(int fd, struct raw *raw)
{
	check_fails(fd, raw, ETIMEDOUT);
}

/*
 * Tile lists of more than 16 MiB: half of 32 x 32 tiles get at least a byte for each triangle. No
 * binner is given so much.
 */
static void overspill_limit(int fd)
{
	struct raw *raw = raw_new(fd, WIDTH * HEIGHT * 4);
	uint32_t record = put_triangle(raw, 2047, 300), start = raw_align(raw, 16), i;

	raw_begin_binning(raw, RAW_TILE_STATE, 32, 32);
	RAW(raw, 96, 0x03, 0, 0, 102, RAW_LE16(0), RAW_LE16(0), RAW_LE16(2048), RAW_LE16(2048),
	    103, RAW_LE16(0), RAW_LE16(0));
	RAW(raw, 65);
	raw_address(raw, RAW_MEMORY, record, 0);
	for (i = 0; i < 400; i++)
		RAW(raw, 33, 4, RAW_LE32(300), RAW_LE32(0));
	RAW(raw, 4);
	raw->submit.bin = raw_list(raw, start);
	check_fails(fd, raw, ENOMEM);
}

/* That it waits for more is told */
static void overspill_told(int fd)
{
	char *text;

	trace_begin();
	overspill_limit(fd);
	text = trace_end();
	igt_assert_f(strstr(text, " size=0\n"), "no wait for memory:\n%s", text);
	free(text);
}

/* A bin list without its flush never tells of an end */
static void hang(int fd)
{
	struct raw *raw = clear(fd);
	uint32_t start = raw->at;

	RAW(raw, 1, 1);
	raw->submit.bin = raw_list(raw, start);
	check_times_out(fd, raw);
}

/*
 * A list of so many bytes that do nothing (AG100 Table 38, record 1) and a branch (16) back to the
 * first of them
 */
static struct drm_v3dcl_list circle(struct raw *raw, unsigned int count)
{
	uint32_t start = raw->at;

	while (count--)
		RAW(raw, 1);
	RAW(raw, 16);
	raw_address(raw, RAW_MEMORY, start, 0);
	return raw_list(raw, start);
}

/* A bin list that is a branch to itself */
static void endless_bin(int fd)
{
	struct raw *raw = clear(fd);

	raw->submit.bin = circle(raw, 0);
	check_times_out(fd, raw);
}

/*
 * A render list that never comes to its end, and moves all the time: only the limit of its time
 * ends it
 */
static void endless_render(int fd)
{
	struct raw *raw = raw_new(fd, WIDTH * HEIGHT * 4);

	raw->submit.render = circle(raw, 1000);
	check_times_out(fd, raw);
}

/* Jobs that share BOs run in their order: each clears to another colour, the last one holds */
static void order(int fd)
{
	struct raw *raw = raw_new(fd, WIDTH * HEIGHT * 4);
	uint32_t i;

	for (i = 0; i < 16; i++) {
		raw->at = i * 0x200;
		raw->submit.address_count = 0;
		raw_render(raw, COLOR + i, WIDTH, HEIGHT, false);
		if (i < 15)
			igt_assert_eq(raw_try(fd, raw), 0);
	}
	igt_assert_eq(raw_finish(fd, raw), 1);
	check_filled(raw, COLOR + 15);
	raw_free(fd, raw);
}

static int try_as_nobody(int fd)
{
	struct drm_v3dcl_submit_lists lists = { .bo_count = 1 };

	return igt_ioctl(fd, DRM_IOCTL_V3DCL_SUBMIT_LISTS, &lists) ? errno : 0;
}

static void not_root(int fd)
{
	igt_assert_eq(as_nobody(fd, try_as_nobody), EACCES);
}

static const struct subtest tests[] = {
	{ "counts", counts, "Counts of 0 and above the limits, flags, pads" },
	{ "pointers", pointers, "Bad user pointers" },
	{ "unknown-objects", unknown_objects, "A perfmon, syncobjs and a BO that do not exist" },
	{ "first-error", first_error, "Which of several errors is told" },
	{ "code", code, "BOs of code hold no lists and no addresses" },
	{ "list-fields", list_fields, "Each field of a list" },
	{ "address-fields", address_fields, "Each field of an address" },
	{ "addresses-added", addresses_added, "Addresses are added to words, aligned or not" },
	{ "bin-only", bin_only, "A bin list without a render list" },
	{ "overspill", overspill, "Tile lists that outgrow the list's own memory" },
	{ "overspill-limit", overspill_limit, "Tile lists larger than any binner may have" },
	{ "overspill-told", overspill_told, "A tracepoint for a binner that waits for memory" },
	{ "hang", hang, "A list that never tells of its end" },
	{ "endless-bin", endless_bin, "A bin list that goes in circles" },
	{ "endless-render", endless_render, "A render list that goes in circles" },
	{ "order", order, "Jobs that share BOs run in order" },
	{ "not-root", not_root, "Raw lists are root's" },
};

V3DCL_MAIN(tests, require_unverified)
