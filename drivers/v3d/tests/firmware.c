// SPDX-License-Identifier: GPL-2.0-only
/* What firmware answers about its frame buffer: as it should, not at all, or with something else */
#include "firmware.h"
#include "kunit.h"

static const struct bv3d_screen bv3d_wanted = {
	.width = 640, .height = 480, .virtual_width = 656, .virtual_height = 960, .depth = 32,
};

/* Where a tag's head is. The requests' own rooms are right. */
static u32 *bv3d_head(struct bv3d_message *message, u32 tag)
{
	unsigned int at = 0;

	while (message->words[at] != tag)
		at += V3D_TAG_HEAD + message->words[at + 1] / 4;
	return message->words + at;
}

static void bv3d_answer(struct bv3d_message *message, u32 tag, u32 words, u32 first, u32 second)
{
	u32 *head = bv3d_head(message, tag);

	head[2] = V3D_TAG_ANSWERED | words * 4;
	head[3] = first;
	if (words > 1)
		head[4] = second;
}

/* As QEMU's and a Raspberry Pi's answer it: with the alias of uncached memory */
static void bv3d_allocated(struct bv3d_message *message)
{
	*message = (struct bv3d_message){};
	bv3d_screen_allocate(message, &bv3d_wanted);
	bv3d_answer(message, V3D_TAG_SET_SIZE, 2, 640, 480);
	bv3d_answer(message, V3D_TAG_SET_VIRTUAL, 2, 656, 960);
	bv3d_answer(message, V3D_TAG_SET_DEPTH, 1, 32, 0);
	bv3d_answer(message, V3D_TAG_SET_ORDER, 1, 0, 0);
	bv3d_answer(message, V3D_TAG_SET_OFFSET, 2, 0, 0);
	bv3d_answer(message, V3D_TAG_ALLOCATE, 2, 0xfc100000, 656 * 960 * 4);
	bv3d_answer(message, V3D_TAG_GET_PITCH, 1, 656 * 4, 0);
}

static void bv3d_screen_granted(struct kunit *test)
{
	struct bv3d_screen_memory memory;
	struct bv3d_message message;

	bv3d_allocated(&message);
	KUNIT_EXPECT_EQ(test, bv3d_screen_allocated(&message, &bv3d_wanted, &memory), 0);
	KUNIT_EXPECT_EQ(test, (u64)memory.base, 0x3c100000ULL);
	KUNIT_EXPECT_EQ(test, memory.size, 656U * 960 * 4);
	KUNIT_EXPECT_EQ(test, memory.pitch, 656U * 4);
}

/* One answer that is not as it should be, and what is said of it */
static const struct bv3d_wrong {
	u32 tag, words, first, second;
	int ret;
} bv3d_wrongs[] = {
	{ V3D_TAG_SET_SIZE, 2, 641, 480, -EINVAL },
	{ V3D_TAG_SET_SIZE, 1, 640, 480, -EINVAL },
	{ V3D_TAG_SET_VIRTUAL, 2, 656, 480, -EINVAL },
	{ V3D_TAG_SET_VIRTUAL, 0, 656, 960, -EINVAL },
	{ V3D_TAG_SET_DEPTH, 1, 16, 0, -EINVAL },
	{ V3D_TAG_GET_PITCH, 0, 656 * 4, 0, -EINVAL },
	{ V3D_TAG_GET_PITCH, 1, 656 * 4 - 4, 0, -EINVAL },
	{ V3D_TAG_GET_PITCH, 1, 656 * 4 + 2, 0, -EINVAL },
	{ V3D_TAG_GET_PITCH, 1, 0, 0, -EINVAL },
	{ V3D_TAG_GET_PITCH, 1, U32_MAX - 3, 0, -EINVAL },
	/* rows as long as this would not fit any more */
	{ V3D_TAG_GET_PITCH, 1, 656 * 4 + 4, 0, -ENOMEM },
	{ V3D_TAG_ALLOCATE, 1, 0xfc100000, 656 * 960 * 4, -ENOMEM },
	{ V3D_TAG_ALLOCATE, 2, 0, 656 * 960 * 4, -ENOMEM },
	{ V3D_TAG_ALLOCATE, 2, 0xfc100000, 0, -ENOMEM },
	{ V3D_TAG_ALLOCATE, 2, 0xfc100000, 656 * 960 * 4 - 1, -ENOMEM },
	{ V3D_TAG_ALLOCATE, 2, 0xfc100010, 656 * 960 * 4, -ENOMEM },
	{ V3D_TAG_ALLOCATE, 2, 0xfffff000, 656 * 960 * 4, -ENOMEM },
	{ V3D_TAG_ALLOCATE, 2, 0xfc100000, U32_MAX, -ENOMEM },
};

static void bv3d_screen_refused(struct kunit *test)
{
	struct bv3d_screen_memory memory;
	struct bv3d_message message;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(bv3d_wrongs); i++) {
		const struct bv3d_wrong *wrong = &bv3d_wrongs[i];

		bv3d_allocated(&message);
		bv3d_answer(&message, wrong->tag, wrong->words, wrong->first, wrong->second);
		KUNIT_EXPECT_EQ_MSG(test, bv3d_screen_allocated(&message, &bv3d_wanted, &memory),
				    wrong->ret, "answer %u", i);
	}
}

/* An answer whose bit 31 is not set was not given, whatever its words say */
static void bv3d_tag_unknown(struct kunit *test)
{
	struct bv3d_message message = {};

	bv3d_message_add(&message, V3D_TAG_GET_SIZE, (u32[]){ 640, 480 }, 2);
	message.words[2] = 8;
	KUNIT_EXPECT_PTR_EQ(test, bv3d_message_answer(&message, V3D_TAG_GET_SIZE, 2), NULL);
	message.words[2] |= V3D_TAG_ANSWERED;
	KUNIT_EXPECT_PTR_EQ(test, bv3d_message_answer(&message, V3D_TAG_GET_SIZE, 2),
			    (const u32 *)message.words + 3);
	/* more than there is room for */
	KUNIT_EXPECT_PTR_EQ(test, bv3d_message_answer(&message, V3D_TAG_GET_SIZE, 3), NULL);
	message.words[2] = U32_MAX;
	KUNIT_EXPECT_PTR_EQ(test, bv3d_message_answer(&message, V3D_TAG_GET_SIZE, 3), NULL);
	KUNIT_EXPECT_PTR_EQ(test, bv3d_message_answer(&message, V3D_TAG_GET_DEPTH, 1), NULL);
}

/* Rooms that firmware has changed lead nowhere */
static void bv3d_list_broken(struct kunit *test)
{
	static const u32 rooms[] = { 1, 9, 12, 24, 0x7ffffffc, 0xfffffff0, U32_MAX };
	struct bv3d_message message = {};
	unsigned int i;

	bv3d_message_add(&message, V3D_TAG_GET_SIZE, NULL, 2);
	bv3d_message_add(&message, V3D_TAG_GET_DEPTH, NULL, 1);
	bv3d_answer(&message, V3D_TAG_GET_DEPTH, 1, 32, 0);
	KUNIT_EXPECT_NOT_NULL(test, bv3d_message_answer(&message, V3D_TAG_GET_DEPTH, 1));
	for (i = 0; i < ARRAY_SIZE(rooms); i++) {
		message.words[1] = rooms[i];
		KUNIT_EXPECT_PTR_EQ(test, bv3d_message_answer(&message, V3D_TAG_GET_DEPTH, 1),
				    NULL);
	}
}

static void bv3d_message_full(struct kunit *test)
{
	struct bv3d_message message = {};

	bv3d_message_add(&message, V3D_TAG_GET_SIZE, NULL, BV3D_MESSAGE_WORDS - V3D_TAG_HEAD);
	KUNIT_EXPECT_EQ(test, message.count, BV3D_MESSAGE_WORDS);
	KUNIT_EXPECT_FALSE(test, message.overflow);
	bv3d_message_add(&message, V3D_TAG_GET_SIZE, NULL, 0);
	KUNIT_EXPECT_TRUE(test, message.overflow);
	KUNIT_EXPECT_EQ(test, message.count, BV3D_MESSAGE_WORDS);
	message = (struct bv3d_message){};
	bv3d_message_add(&message, V3D_TAG_GET_SIZE, NULL, U32_MAX);
	KUNIT_EXPECT_TRUE(test, message.overflow);
}

static void bv3d_screen_sizes(struct kunit *test)
{
	static const struct { u32 width, height; int ret; } sizes[] = {
		{ 640, 480, 0 }, { 4096, 4096, 0 }, { 0, 480, -ENODEV }, { 640, 0, -ENODEV },
		{ 4097, 480, -ERANGE }, { 640, U32_MAX, -ERANGE },
	};
	struct bv3d_message message;
	struct bv3d_screen screen;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(sizes); i++) {
		message = (struct bv3d_message){};
		bv3d_screen_ask(&message);
		bv3d_answer(&message, V3D_TAG_GET_SIZE, 2, sizes[i].width, sizes[i].height);
		KUNIT_EXPECT_EQ(test, bv3d_screen_told(&message, &screen), -ENODEV);
		bv3d_answer(&message, V3D_TAG_GET_VIRTUAL, 2, 0, 0);
		bv3d_answer(&message, V3D_TAG_GET_DEPTH, 1, 16, 0);
		bv3d_answer(&message, V3D_TAG_GET_ORDER, 1, 1, 0);
		bv3d_answer(&message, V3D_TAG_GET_OFFSET, 2, 3, 5);
		KUNIT_EXPECT_EQ(test, bv3d_screen_told(&message, &screen), sizes[i].ret);
	}
}

static struct kunit_case bv3d_firmware_cases[] = {
	KUNIT_CASE(bv3d_screen_granted),
	KUNIT_CASE(bv3d_screen_refused),
	KUNIT_CASE(bv3d_tag_unknown),
	KUNIT_CASE(bv3d_list_broken),
	KUNIT_CASE(bv3d_message_full),
	KUNIT_CASE(bv3d_screen_sizes),
	{}
};

static struct kunit_suite bv3d_firmware_suite = {
	.name = "v3d_firmware",
	.test_cases = bv3d_firmware_cases,
};

kunit_test_suite(bv3d_firmware_suite);
