// SPDX-License-Identifier: MIT
/*
 * Codes of compressed primitive lists both ways: AG100 Tables 39 to 43, worked out from there by
 * hand.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include <v3d/lists.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))
#define XY(x, y) (((__u32)(x) & 0xffff) | (__u32)(y) << 16)

static const struct v3d_primitive_list_format points = { V3D_LIST_POINTS, V3D_LIST_INDEX_16 };
static const struct v3d_primitive_list_format lines = { V3D_LIST_LINES, V3D_LIST_INDEX_16 };
static const struct v3d_primitive_list_format triangles = { V3D_LIST_TRIANGLES, V3D_LIST_INDEX_16 };
static const struct v3d_primitive_list_format rhts = { V3D_LIST_RHT, V3D_LIST_INDEX_16 };
static const struct v3d_primitive_list_format xy_triangles = { V3D_LIST_TRIANGLES, V3D_LIST_XY_32 };
static const struct v3d_primitive_list_format xy_rhts = { V3D_LIST_RHT, V3D_LIST_XY_32 };

struct row {
	const struct v3d_primitive_list_format *format;
	__u32 previous[3], vertices[3];
	const char *bytes;
	unsigned int length;
};

static const struct row rows[] = {
	/* Table 39, coding 0: each relation, and the ends of the range */
	{ &triangles, { 10, 11, 12 }, { 12, 11, 13 }, "\x04", 1 },
	{ &triangles, { 10, 11, 12 }, { 10, 12, 13 }, "\x05", 1 },
	{ &triangles, { 10, 11, 12 }, { 11, 10, 9 }, "\xf6", 1 },
	{ &triangles, { 100, 101, 102 }, { 102, 101, 133 }, "\x7c", 1 },
	{ &triangles, { 100, 101, 102 }, { 102, 101, 71 }, "\x84", 1 },
	/* Codings 1, 2 and 3; -32 is not in coding 0's range */
	{ &triangles, { 10, 20, 30 }, { 2, 27, 31 }, "\x83\x17", 2 },
	{ &triangles, { 0, 0, 0 }, { 1000, 1031, 968 }, "\xff\x81\xe8\x03", 4 },
	{ &triangles, { 100, 101, 102 }, { 102, 101, 70 }, "\xff\x83\x66\x00", 4 },
	{ &triangles, { 0, 0, 0 }, { 0x1234, 0x5678, 0x9abc }, "\x81\x34\x12\x78\x56\xbc\x9a", 7 },
	/* Table 40 */
	{ &lines, { 5, 6 }, { 6, 9 }, "\x0c", 1 },
	{ &lines, { 5, 6 }, { 5, 4 }, "\xf9", 1 },
	{ &lines, { 50, 60 }, { 57, 52 }, "\x73\x08", 2 },
	{ &lines, { 0, 0 }, { 0x1234, 0x1230 }, "\xf2\x34\x12", 3 },
	{ &lines, { 0, 0 }, { 0x1234, 0x1214 }, "\x81\x34\x12\x14\x12", 5 },
	{ &rhts, { 5, 6 }, { 6, 9 }, "\x0c", 1 },
	{ &rhts, { 0, 0 }, { 0x1234, 0x1253 }, "\x7e\x34\x12", 3 },
	/* Table 41 */
	{ &points, { 7 }, { 38 }, "\x7c", 1 },
	{ &points, { 40 }, { 9 }, "\x84", 1 },
	{ &points, { 0 }, { 8191 }, "\xff\x7f", 2 },
	{ &points, { 9000 }, { 808 }, "\x03\x80", 2 },
	{ &points, { 9000 }, { 807 }, "\x81\x27\x03", 3 },
	/* Table 42 */
	{ &xy_triangles,
	  { XY(0, 0), XY(10, 0), XY(10, 10) },
	  { XY(10, 10), XY(10, 0), XY(73, -54) },
	  "\x7c\x81",
	  2 },
	{ &xy_triangles,
	  { XY(0, 0), XY(10, 0), XY(10, 10) },
	  { XY(10, 0), XY(0, 0), XY(-52, 10) },
	  "\x86\x00",
	  2 },
	{ &xy_triangles,
	  { XY(0, 0), XY(10, 0), XY(10, 10) },
	  { XY(0, 0), XY(10, 10), XY(521, -502) },
	  "\xf7\x1f\x80",
	  3 },
	{ &xy_triangles,
	  { XY(0, 0), XY(10, 0), XY(10, 10) },
	  { XY(0, 0), XY(10, 10), XY(-53, 10) },
	  "\x17\x3c\x00",
	  3 },
	{ &xy_triangles,
	  { 0 },
	  { XY(0x123, -256), XY(0x162, -320), XY(0x122, -255) },
	  "\xff\x03\xfe\x03\x23\x01\x00\xff",
	  8 },
	{ &xy_triangles,
	  { 0 },
	  { XY(1, 2), XY(65, 2), XY(-1, -2) },
	  "\x81\x01\0\x02\0\x41\0\x02\0\xff\xff\xfe\xff",
	  13 },
	/* Table 43 */
	{ &xy_rhts, { XY(0, 0), XY(4, 4) }, { XY(4, 4), XY(3, 6) }, "\xfc\x05", 2 },
	{ &xy_rhts, { XY(0, 0), XY(4, 4) }, { XY(0, 0), XY(104, -96) }, "\x47\x06\xe7", 3 },
	{ &xy_rhts,
	  { XY(9, 9), XY(4, 4) },
	  { XY(16, 32), XY(17, 32) },
	  "\x02\x01\x10\x00\x20\x00",
	  6 },
	{ &xy_rhts,
	  { XY(9, 9), XY(4, 4) },
	  { XY(16, 32), XY(80, 32) },
	  "\x81\x10\0\x20\0\x50\0\x20\0",
	  9 },
};

static void test_codes(void **state)
{
	__u8 bytes[V3D_CODE_MAX_LENGTH + 1];
	__u32 vertices[V3D_LIST_VERTICES];
	unsigned int length;
	size_t i;

	(void)state;
	for (i = 0; i < COUNT(rows); i++) {
		const struct row *row = &rows[i];

		length = v3d_encode_primitive(row->format, row->previous, row->vertices, bytes);
		if (length != row->length || memcmp(bytes, row->bytes, length))
			print_message("# row %zu\n", i);
		assert_int_equal(length, row->length);
		assert_memory_equal(bytes, row->bytes, length);
		assert_int_equal(v3d_code_length(row->format, bytes[0]), length);
		memcpy(vertices, row->previous, sizeof(vertices));
		memcpy(bytes, row->bytes, length);
		v3d_decode_primitive(row->format, bytes, vertices);
		assert_memory_equal(vertices, row->vertices, sizeof(vertices));
	}
}

/* Without a previous primitive nothing relates to it. */
static void test_first(void **state)
{
	static const __u32 vertices[] = { 0, 0, 0 };
	__u8 bytes[V3D_CODE_MAX_LENGTH];

	(void)state;
	assert_int_equal(v3d_encode_primitive(&triangles, NULL, vertices, bytes), 4);
	assert_int_equal(v3d_encode_primitive(&lines, NULL, vertices, bytes), 3);
	assert_int_equal(v3d_encode_primitive(&points, NULL, vertices, bytes), 3);
	assert_int_equal(v3d_encode_primitive(&xy_triangles, NULL, vertices, bytes), 8);
	assert_int_equal(v3d_encode_primitive(&xy_rhts, NULL, vertices, bytes), 6);
}

/* Indices of 24 bits: no record 56 selects them. */
static void test_wide_indices(void **state)
{
	__u32 vertices[V3D_LIST_VERTICES] = { 0xffffff, 0xffffff, 0xffffff };

	(void)state;
	v3d_decode_indices(V3D_LIST_TRIANGLES, 3, (const __u8 *)"\x04", vertices);
	assert_int_equal(vertices[2], 0);
	v3d_decode_indices(V3D_LIST_TRIANGLES, 3, (const __u8 *)"\xff\x81\x56\x34\x12", vertices);
	assert_int_equal(vertices[0], 0x123456);
	assert_int_equal(vertices[1], 0x123475);
	assert_int_equal(vertices[2], 0x123436);
	v3d_decode_indices(V3D_LIST_TRIANGLES, 3,
			   (const __u8 *)"\x81\x01\x02\x03\x04\x05\x06\x07\x08\x09", vertices);
	assert_int_equal(vertices[0], 0x030201);
	assert_int_equal(vertices[1], 0x060504);
	assert_int_equal(vertices[2], 0x090807);
	v3d_decode_indices(V3D_LIST_LINES, 3, (const __u8 *)"\xf2\x01\x02\x03", vertices);
	assert_int_equal(vertices[0], 0x030201);
	assert_int_equal(vertices[1], 0x0301fd);
	v3d_decode_indices(V3D_LIST_POINTS, 3, (const __u8 *)"\x81\x01\x02\x03", vertices);
	assert_int_equal(vertices[0], 0x030201);
}

static void round_trip(const struct v3d_primitive_list_format *format, const __u32 *previous,
		       const __u32 *vertices)
{
	__u32 decoded[V3D_LIST_VERTICES] = { previous[0], previous[1], previous[2] };
	unsigned int count = v3d_list_vertices(format->primitive), length;
	__u8 bytes[V3D_CODE_MAX_LENGTH + 1];

	length = v3d_encode_primitive(format, previous, vertices, bytes);
	assert_int_equal(v3d_code_length(format, bytes[0]), length);
	assert_true(bytes[0] != V3D_CODE_ESCAPE && bytes[0] != V3D_CODE_BRANCH);
	v3d_decode_primitive(format, bytes, decoded);
	assert_memory_equal(decoded, vertices, count * sizeof(*decoded));
}

/*
 * Every difference of one vertex, with and without shared ones; around the ends of ranges those of
 * two.
 */
static void test_round_trip_indices(void **state)
{
	static const __u32 previous[] = { 30000, 30011, 30017 };
	__s32 to, second;

	(void)state;
	for (to = 0; to < 65536; to++) {
		round_trip(&points, previous, (const __u32[]){ to });
		round_trip(&lines, previous, (const __u32[]){ 30000, to });
		round_trip(&lines, previous, (const __u32[]){ 30011, to });
		round_trip(&lines, previous, (const __u32[]){ to, 30011 });
		round_trip(&rhts, previous, (const __u32[]){ to, to ^ 5 });
		round_trip(&triangles, previous, (const __u32[]){ 30017, 30011, to });
		round_trip(&triangles, previous, (const __u32[]){ 30000, 30017, to });
		round_trip(&triangles, previous, (const __u32[]){ 30011, 30000, to });
		round_trip(&triangles, previous, (const __u32[]){ to, 30011, 30017 });
		round_trip(&triangles, previous, (const __u32[]){ 30000, to, 30017 });
		round_trip(&triangles, previous, (const __u32[]){ to, to ^ 9, to ^ 33 });
	}
	for (to = 29960; to < 30060; to++)
		for (second = 29960; second < 30060; second++) {
			round_trip(&triangles, previous, (const __u32[]){ 30001, to, second });
			round_trip(&triangles, previous, (const __u32[]){ to, second, to });
			round_trip(&lines, previous, (const __u32[]){ to, second });
		}
}

static void test_round_trip_coordinates(void **state)
{
	static const __u32 previous[] = { XY(-7, 20), XY(5, -9), XY(0, 3) };
	__s32 to, second;

	(void)state;
	for (to = -32768; to < 32768; to++) {
		round_trip(&xy_triangles, previous,
			   (const __u32[]){ XY(0, 3), XY(5, -9), XY(to, 3) });
		round_trip(&xy_triangles, previous,
			   (const __u32[]){ XY(-7, 20), XY(0, 3), XY(0, to) });
		round_trip(&xy_triangles, previous,
			   (const __u32[]){ XY(to, to), XY(0, 3), XY(0, to) });
		round_trip(&xy_rhts, previous, (const __u32[]){ XY(5, -9), XY(to, -9) });
		round_trip(&xy_rhts, previous, (const __u32[]){ XY(-7, 20), XY(-7, to) });
		round_trip(&xy_rhts, previous, (const __u32[]){ XY(to, 1), XY(2, 3) });
	}
	for (to = -130; to < 130; to++)
		for (second = -130; second < 130; second++) {
			round_trip(&xy_triangles, previous,
				   (const __u32[]){ XY(5, -9), XY(-7, 20), XY(to, second) });
			round_trip(&xy_triangles, previous,
				   (const __u32[]){ XY(0, 0), XY(to, 60), XY(-64, second) });
			round_trip(&xy_rhts, previous,
				   (const __u32[]){ XY(5, -9), XY(to, second) });
			round_trip(&xy_rhts, previous, (const __u32[]){ XY(0, 0), XY(to, second) });
		}
}

/* A relative branch counts in 32 bytes, from the block of 32 bytes that it stands in. */
static void test_branch(void **state)
{
	__u8 bytes[V3D_CODE_BRANCH_LENGTH];

	(void)state;
	assert_true(v3d_encode_list_branch(0x1000001d, 0x10000040, bytes));
	assert_memory_equal(bytes, "\x82\x02\x00", 3);
	assert_int_equal(v3d_decode_list_branch(0x1000001d, bytes), 0x10000040);
	assert_true(v3d_encode_list_branch(0x10000020, 0x10000000, bytes));
	assert_memory_equal(bytes, "\x82\xff\xff", 3);
	assert_int_equal(v3d_decode_list_branch(0x1000003f, bytes), 0x10000000);
	assert_true(v3d_encode_list_branch(0x10000000, 0x100fffe0, bytes));
	assert_false(v3d_encode_list_branch(0x10000000, 0x10100000, bytes));
	assert_true(v3d_encode_list_branch(0x10100000, 0x10000000, bytes));
	assert_false(v3d_encode_list_branch(0x10100020, 0x10000000, bytes));
	assert_false(v3d_encode_list_branch(0x10000000, 0x10000010, bytes));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_codes),
		cmocka_unit_test(test_first),
		cmocka_unit_test(test_wide_indices),
		cmocka_unit_test(test_round_trip_indices),
		cmocka_unit_test(test_round_trip_coordinates),
		cmocka_unit_test(test_branch),
	};

	return cmocka_run_group_tests_name("lists", tests, NULL, NULL);
}
