// SPDX-License-Identifier: (GPL-2.0-only OR MIT)
/*
 * What happens when a bound of always.h does not hold: here nothing, and its caller refuses.
 */
#include "always.h"

/* Programs that are there to find such a thing have one of their own, which aborts. */
#ifndef __KERNEL__
#pragma weak v3dcl_untrue
#endif

/**
 * v3dcl_untrue() - a bound that another one implies does not hold
 * @where: file, line and condition
 */
void v3dcl_untrue(const char *where)
{
	(void)where;
}
