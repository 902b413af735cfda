// SPDX-License-Identifier: GPL-2.0-only
/* The byte budget, and what a V3D reaches */
#include <linux/slab.h>

#include "kunit.h"

static void bv3d_budget(struct kunit *test)
{
	struct bv3d_mem *mem = &((struct bv3d_fake *)test->priv)->v3d.mem;

	KUNIT_EXPECT_EQ(test, bv3d_mem_charge(mem, (1 << 20) + 1), -ENOMEM);
	KUNIT_EXPECT_EQ(test, bv3d_mem_charge(mem, U64_MAX), -ENOMEM);
	KUNIT_EXPECT_EQ(test, mem->used, 0ULL);
	KUNIT_EXPECT_EQ(test, bv3d_mem_charge(mem, 1 << 20), 0);
	KUNIT_EXPECT_EQ(test, bv3d_mem_charge(mem, 1), -ENOMEM);
	bv3d_mem_uncharge(mem, 4096);
	KUNIT_EXPECT_EQ(test, bv3d_mem_charge(mem, 4097), -ENOMEM);
	KUNIT_EXPECT_EQ(test, bv3d_mem_charge(mem, 4096), 0);
	KUNIT_EXPECT_EQ(test, mem->used, 1ULL << 20);
}

/* It follows what the kernel made the CMA area of */
static void bv3d_budget_of(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, bv3d_mem_budget_of(NULL, 0), 64ULL << 20);
	KUNIT_EXPECT_EQ(test, bv3d_mem_budget_of(NULL, 64 << 20), 48ULL << 20);
	KUNIT_EXPECT_EQ(test, bv3d_mem_budget_of("", 256 << 20), 224ULL << 20);
	KUNIT_EXPECT_EQ(test, bv3d_mem_budget_of("cma=16M", 64 << 20), 12ULL << 20);
	KUNIT_EXPECT_EQ(test, bv3d_mem_budget_of("quiet cma=256M@0x0c000000 ro", 0), 224ULL << 20);
	KUNIT_EXPECT_EQ(test, bv3d_mem_budget_of("cma=16M cma=128M", 64 << 20), 96ULL << 20);
	KUNIT_EXPECT_EQ(test, bv3d_mem_budget_of("nocma=16M x.cma=8M", 64 << 20), 48ULL << 20);
	KUNIT_EXPECT_EQ(test, bv3d_mem_budget_of("cma=", 64 << 20), 64ULL << 20);
	KUNIT_EXPECT_EQ(test, bv3d_mem_budget_of("cma=0", 128 << 20), 64ULL << 20);
	KUNIT_EXPECT_EQ(test, bv3d_mem_budget_of("cma=8G", 0), 4ULL << 30);
}

/* Pieces are found by their size, the oldest goes first, and the budget counts what is kept */
static void bv3d_bo_cache(struct kunit *test)
{
	struct bv3d_mem *mem = &((struct bv3d_fake *)test->priv)->v3d.mem;
	struct bv3d_piece *pieces[3];
	unsigned int i;

	mutex_lock(&mem->lock);
	for (i = 0; i < ARRAY_SIZE(pieces); i++) {
		pieces[i] = kzalloc(sizeof(*pieces[i]), GFP_KERNEL); /* without memory behind it */
		KUNIT_ASSERT_NOT_NULL(test, pieces[i]);
		pieces[i]->size = 4096 << i;
		bv3d_bo_cache_keep(mem, pieces[i]);
	}
	KUNIT_EXPECT_EQ(test, mem->kept.bytes, 4096ULL * 7);
	KUNIT_EXPECT_PTR_EQ(test, bv3d_bo_cache_take(mem, 12288), (struct bv3d_piece *)NULL);
	KUNIT_EXPECT_PTR_EQ(test, bv3d_bo_cache_take(mem, 8192), pieces[1]);
	KUNIT_EXPECT_PTR_EQ(test, bv3d_bo_cache_take(mem, 8192), (struct bv3d_piece *)NULL);
	kfree(pieces[1]);
	KUNIT_EXPECT_EQ(test, bv3d_bo_cache_drop(mem, 1), 4096ULL);
	KUNIT_EXPECT_EQ(test, mem->kept.bytes, 16384ULL);
	mutex_unlock(&mem->lock);

	KUNIT_EXPECT_EQ(test, bv3d_mem_charge(mem, (1 << 20) - 16384), 0);
	KUNIT_EXPECT_EQ(test, mem->kept.bytes, 16384ULL);
	KUNIT_EXPECT_EQ(test, bv3d_mem_charge(mem, 1), 0);
	KUNIT_EXPECT_EQ(test, mem->kept.bytes, 0ULL);
}

/* 32 address bits, and the last byte counts */
static void bv3d_reach(struct kunit *test)
{
	KUNIT_EXPECT_TRUE(test, bv3d_mem_reachable(0, 1));
	KUNIT_EXPECT_TRUE(test, bv3d_mem_reachable(0xc0000000, 0x40000000));
	KUNIT_EXPECT_TRUE(test, bv3d_mem_reachable(0xfffff000, 0x1000));
	KUNIT_EXPECT_TRUE(test, bv3d_mem_reachable(0, 1ULL << 32));
	KUNIT_EXPECT_FALSE(test, bv3d_mem_reachable(0xfffff000, 0x1001));
	KUNIT_EXPECT_FALSE(test, bv3d_mem_reachable(1, 1ULL << 32));
	KUNIT_EXPECT_FALSE(test, bv3d_mem_reachable(0xfffff000, U64_MAX));
	KUNIT_EXPECT_FALSE(test, bv3d_mem_reachable(0, 0));
	if (sizeof(dma_addr_t) > 4)
		KUNIT_EXPECT_FALSE(test, bv3d_mem_reachable((dma_addr_t)(1ULL << 32), 1));
}

static struct kunit_case bv3d_bo_mem_cases[] = {
	KUNIT_CASE(bv3d_budget),
	KUNIT_CASE(bv3d_budget_of),
	KUNIT_CASE(bv3d_bo_cache),
	KUNIT_CASE(bv3d_reach),
	{}
};

static struct kunit_suite bv3d_bo_mem_suite = {
	.name = "v3d_bo_mem",
	.init = bv3d_fake_init,
	.exit = bv3d_fake_exit,
	.test_cases = bv3d_bo_mem_cases,
};

kunit_test_suite(bv3d_bo_mem_suite);
