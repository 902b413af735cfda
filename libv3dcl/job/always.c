// SPDX-License-Identifier: (GPL-2.0-only OR MIT)
/*
 * What happens when a bound of always.h does not hold: here nothing, and its caller refuses.
 */
#include "always.h"

/**
 * v3dcl_untrue() - a bound that another one implies does not hold
 * @where: file, line and condition
 *
 * Weak: programs that are there to find such a thing have one of their own, which aborts.
 */
__attribute__((weak)) void v3dcl_untrue(const char *where)
{
	(void)where;
}
