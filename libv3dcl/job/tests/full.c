// SPDX-License-Identifier: MIT
/*
 * For tests that are run twice: here the checker takes no short way, every instruction is looked at in full. The linker puts these
 * in the place of v3dcl_quiet() and v3dcl_guess().
 */
#include <stdbool.h>

unsigned int __wrap_v3dcl_quiet(void);
bool __wrap_v3dcl_guess(void);

/* No instruction was quiet. */
unsigned int __wrap_v3dcl_quiet(void)
{
	return 0;
}

/* It may have branches. */
bool __wrap_v3dcl_guess(void)
{
	return false;
}
