// SPDX-License-Identifier: MIT
/* The thread's floating-point mode: see float_mode.h. */
#include "float_mode.h"

#if defined(__x86_64__)
float_mode float_mode_enter(void)
{
	unsigned int mode = __builtin_ia32_stmxcsr();

	/* Flush to zero, toward zero, all exceptions masked, denormals are zero */
	__builtin_ia32_ldmxcsr(0xffc0);
	return mode;
}

void float_mode_leave(float_mode mode)
{
	__builtin_ia32_ldmxcsr(mode);
}
#elif defined(__aarch64__)
float_mode float_mode_enter(void)
{
	uint64_t mode, truncate = 7u << 22;	/* FZ, RMode 3: toward zero */

	__asm__ volatile("mrs %0, fpcr" : "=r"(mode));
	__asm__ volatile("msr fpcr, %0" : : "r"(truncate) : "memory");
	return mode;
}

void float_mode_leave(float_mode mode)
{
	__asm__ volatile("msr fpcr, %0" : : "r"(mode) : "memory");
}
#else
float_mode float_mode_enter(void)
{
	return 0;
}

void float_mode_leave(float_mode mode)
{
	(void)mode;
}
#endif
