/* SPDX-License-Identifier: (GPL-2.0-only OR MIT) */
/*
 * Bounds that another bound implies, as far as is known. They are written out and looked at all the
 * same, always, so that a mistake in the other one ends in a refusal and not in memory that is not
 * the job's:
 *
 *	if (NEVER(at >= p->count))
 *		return v3dcl_refuse_here(p, V3DCL_RULE_INTERNAL, at, p->count);
 *
 * ALWAYS() stands around what holds, NEVER() around what does not. Beside each one stands which
 * other bound implies it. The value is that of the condition, in the module and the library: no
 * warning, nothing that a build leaves out. Tests, fuzzers and the oracle are linked with
 * tests/untrue.c, whose v3dcl_untrue() aborts.
 */
#ifndef V3DCL_VALIDATE_ALWAYS_H
#define V3DCL_VALIDATE_ALWAYS_H

#include <linux/types.h>

void v3dcl_untrue(const char *where);

#define V3DCL_TEXT_OF(x) #x
#define V3DCL_LINE(line) V3DCL_TEXT_OF(line)
#define V3DCL_WHERE(condition) (__FILE__ ":" V3DCL_LINE(__LINE__) ": " condition)
#define ALWAYS(condition) \
	(__builtin_expect(!!(condition), 1) || (v3dcl_untrue(V3DCL_WHERE(#condition)), 0))
#define NEVER(condition) (!ALWAYS(!(condition)))

#endif /* V3DCL_VALIDATE_ALWAYS_H */
