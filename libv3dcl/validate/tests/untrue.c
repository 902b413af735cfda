// SPDX-License-Identifier: MIT
/*
 * A bound of always.h that does not hold is a mistake of the checker: tests and fuzzers end there.
 */
#include <stdio.h>
#include <stdlib.h>

#include "always.h"

void v3dcl_untrue(const char *where)
{
	fprintf(stderr, "Bail out! the checker's own bound does not hold: %s\n", where);
	abort();
}
