// SPDX-License-Identifier: MIT
/* The version, of which the header is the only place. */
#include "v3dcl_release.h"

#define TEXT_OF(number) #number
#define TEXT(number) TEXT_OF(number)

const char *v3dcl_version(void)
{
	return TEXT(V3DCL_VERSION_MAJOR) "." TEXT(V3DCL_VERSION_MINOR) "."
	       TEXT(V3DCL_VERSION_PATCH);
}
