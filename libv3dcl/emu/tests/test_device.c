// SPDX-License-Identifier: MIT
/*
 * The emulated device from inside: what its bookkeeping does, what a caller sees who is not a
 * program. What programs see is for the tests of preload/.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include <cmocka.h>

#include "syncobj.h"

#define BASE 0x10000u
#define PAGES 64u

/* Allocates and frees at random, next to an array that knows which page is whose */
static void space_matches_an_array(void **state)
{
	uint32_t held[PAGES] = { 0 }, owner[PAGES] = { 0 }, seed = 1, i, j, used;
	struct space space;

	(void)state;
	assert_true(space_init(&space, BASE, BASE + PAGES * EMU_PAGE));
	for (i = 0; i < 20000; i++) {
		uint32_t slot, pages, address;

		seed = seed * 1664525 + 1013904223;
		slot = seed >> 26;
		pages = 1 + (seed >> 20 & 7);
		if (held[slot]) {
			for (j = 0, used = 0; j < PAGES; j++)
				if (owner[j] == slot + 1) {
					owner[j] = 0;
					used++;
				}
			space_free(&space, held[slot], used * EMU_PAGE);
			held[slot] = 0;
			continue;
		}
		address = space_alloc(&space, pages * EMU_PAGE - 5, seed >> 19 & 1);
		/* the longest run that is free, up to pages */
		for (j = 0, used = 0; j < PAGES && used < pages; j++)
			used = owner[j] ? 0 : used + 1;
		assert_int_equal(!!address, used == pages);
		if (!address)
			continue;
		assert_int_equal(address % EMU_PAGE, 0);
		held[slot] = address;
		for (j = 0; j < pages; j++) {
			assert_int_equal(owner[(address - BASE) / EMU_PAGE + j], 0);
			owner[(address - BASE) / EMU_PAGE + j] = slot + 1;
		}
	}
	space_fini(&space);
}

static void space_is_whole_again(void **state)
{
	uint32_t address[PAGES], i;
	struct space space;

	(void)state;
	assert_true(space_init(&space, BASE, BASE + PAGES * EMU_PAGE));
	for (i = 0; i < PAGES; i++)
		address[i] = space_alloc(&space, 1, false);
	assert_int_equal(space_alloc(&space, 1, false), 0);
	for (i = 0; i < PAGES; i += 2)
		space_free(&space, address[i], 1);
	assert_int_equal(space_alloc(&space, 2 * EMU_PAGE, true), 0);
	for (i = 1; i < PAGES; i += 2)
		space_free(&space, address[i], 1);
	assert_int_equal(space_alloc(&space, 1, true), BASE + (PAGES - 1) * EMU_PAGE);
	assert_int_equal(space_alloc(&space, 1, false), BASE);
	space_free(&space, BASE, 1);
	space_free(&space, BASE + (PAGES - 1) * EMU_PAGE, 1);
	assert_int_equal(space_alloc(&space, PAGES * EMU_PAGE, true), BASE);
	space_fini(&space);
}

static void tables_give_the_lowest_number(void **state)
{
	struct table table = { 0 };
	int things[40], i;

	(void)state;
	for (i = 0; i < 40; i++)
		assert_int_equal(table_add(&table, &things[i]), i + 1);
	assert_ptr_equal(table_remove(&table, 7), &things[6]);
	assert_null(table_remove(&table, 7));
	assert_ptr_equal(table_remove(&table, 3), &things[2]);
	assert_null(table_get(&table, 0));
	assert_null(table_get(&table, ~0u));
	assert_int_equal(table_add(&table, &things[0]), 3);
	assert_int_equal(table_add(&table, &things[0]), 7);
	assert_int_equal(table_add(&table, &things[0]), 41);
	free(table.entries);
}

/*
 * Ends when all have, with the first error; parts that have ended already, and none at all, are
 * fine
 */
static void fences_of_fences(void **state)
{
	struct fence *parts[3] = { fence_new(1, 1), fence_new(1, 2), fence_ended() }, *all, *outer,
		     *none = fence_all(NULL, 0);

	(void)state;
	assert_true(none->signalled);
	all = fence_all(parts, 3);
	outer = fence_all(&all, 1);
	fence_signal(NULL, parts[1], -EIO);
	assert_false(all->signalled);
	fence_signal(NULL, parts[0], 0);
	assert_true(all->signalled);
	assert_true(outer->signalled);
	assert_int_equal(outer->error, -EIO);
	fence_put(parts[0]);
	fence_put(parts[1]);
	fence_put(parts[2]);
	fence_put(all);
	fence_put(outer);
	fence_put(none);
}

static struct emu_device *device_new(uint64_t budget)
{
	const struct emu_device_config config = { .budget = budget, .quiet = true };
	struct emu_device *dev = emu_device_new(&config);

	assert_non_null(dev);
	return dev;
}

/* A point is reached when all before it are, whatever the order in which their fences end */
static void timelines(void **state)
{
	struct emu_device *dev = device_new(0);
	struct syncobj *syncobj = syncobj_new(dev);
	struct fence *first = fence_new(1, 1), *second = fence_new(2, 1);

	(void)state;
	assert_null(syncobj_at(syncobj, 0));
	assert_int_equal(syncobj_replace(syncobj, first, 5), 0);
	assert_int_equal(syncobj_replace(syncobj, second, 9), 0);
	assert_null(syncobj_at(syncobj, 10));
	fence_signal(dev, second, 0);
	assert_false(syncobj_at(syncobj, 9)->signalled);
	assert_int_equal(syncobj_reached(syncobj, false), 0);
	assert_int_equal(syncobj_reached(syncobj, true), 9);
	fence_signal(dev, first, 0);
	assert_true(syncobj_at(syncobj, 1)->signalled);
	assert_true(syncobj_at(syncobj, 9)->signalled);
	assert_int_equal(syncobj_reached(syncobj, false), 9);
	syncobj_put(syncobj);
	fence_put(first);
	fence_put(second);
	emu_device_free(dev);
}

static void arguments(void **state)
{
	struct emu_device *dev = device_new(0);
	struct emu_file *file = emu_device_open(dev, false, 1);
	struct drm_vc4_get_param param = { .param = DRM_VC4_PARAM_V3D_IDENT0 };
	uint32_t half[2] = { DRM_VC4_PARAM_V3D_IDENT0, 0 };

	(void)state;
	assert_ptr_equal(emu_device_file(dev, 1), file);
	assert_null(emu_device_file(dev, 2));
	assert_int_equal(emu_file_ioctl(file, DRM_IOCTL_VC4_GET_PARAM, &param), 0);
	assert_int_equal(param.value, 0x02443356);
	/*
	 * A shorter struct is taken, a bad pointer is not, and neither is another kind of device's
	 * ioctl
	 */
	assert_int_equal(emu_file_ioctl(file, DRM_IOWR(DRM_COMMAND_BASE + DRM_VC4_GET_PARAM, half),
					half),
			 0);
	assert_int_equal(emu_file_ioctl(file, DRM_IOCTL_VC4_GET_PARAM, (void *)8), -EFAULT);
	assert_int_equal(emu_file_ioctl(file, _IOWR('x', 1, int), &param), -ENOTTY);
	assert_int_equal(emu_file_ioctl(file, DRM_IOWR(0xff, int), &param), -EINVAL);
	/* Without a display there is none to be asked, and only at the primary node */
	assert_int_equal(emu_file_ioctl(file, DRM_IOCTL_MODE_GETRESOURCES,
					&(struct drm_mode_card_res){ 0 }),
			 -EACCES);
	emu_device_free(dev);
}

/* The budget holds, whatever becomes of BOs; memory is zero again */
static void memory(void **state)
{
	struct emu_device *dev = device_new(16 * EMU_PAGE);
	struct emu_file *file = emu_device_open(dev, true, 1);
	struct drm_vc4_create_bo one_more;
	unsigned int round, i;

	(void)state;
	for (round = 0; round < 3; round++) {
		for (i = 0; i < 16; i++) {
			struct drm_vc4_create_bo create = { .size = EMU_PAGE - i };
			struct drm_vc4_mmap_bo map = { 0 };
			uint32_t *at;

			assert_int_equal(emu_file_ioctl(file, DRM_IOCTL_VC4_CREATE_BO, &create), 0);
			assert_int_equal(create.handle, i + 1);
			map.handle = create.handle;
			assert_int_equal(emu_file_ioctl(file, DRM_IOCTL_VC4_MMAP_BO, &map), 0);
			at = emu_file_mmap(file, NULL, EMU_PAGE, PROT_READ | PROT_WRITE, MAP_SHARED,
					   map.offset);
			assert_ptr_not_equal(at, MAP_FAILED);
			assert_int_equal(at[0] | at[EMU_PAGE / 4 - 1], 0);
			memset(at, 0xff, EMU_PAGE);
			munmap(at, EMU_PAGE);
		}
		one_more = (struct drm_vc4_create_bo){ .size = 1 };
		assert_int_equal(emu_file_ioctl(file, DRM_IOCTL_VC4_CREATE_BO, &one_more), -ENOMEM);
		for (i = 0; i < 16; i++) {
			struct drm_gem_close close_one = { .handle = i + 1 };

			assert_int_equal(emu_file_ioctl(file, DRM_IOCTL_GEM_CLOSE, &close_one), 0);
		}
		assert_int_equal(dev->used, 0);
	}
	emu_file_close(file);
	emu_device_free(dev);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(space_matches_an_array),
		cmocka_unit_test(space_is_whole_again),
		cmocka_unit_test(tables_give_the_lowest_number),
		cmocka_unit_test(fences_of_fences),
		cmocka_unit_test(timelines),
		cmocka_unit_test(arguments),
		cmocka_unit_test(memory),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
