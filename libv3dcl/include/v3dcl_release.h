/* SPDX-License-Identifier: MIT */
/*
 * Which version: of the headers that a program was built with, and of the library that it runs
 * with.
 */
#ifndef V3DCL_RELEASE_H
#define V3DCL_RELEASE_H

#ifdef __cplusplus
extern "C" {
#endif

/* Of the headers. CHANGELOG.md says what came with each. */
#define V3DCL_VERSION_MAJOR 0
#define V3DCL_VERSION_MINOR 1
#define V3DCL_VERSION_PATCH 0

/**
 * v3dcl_version() - the library's version
 *
 * Return: "MAJOR.MINOR.PATCH", a constant
 */
const char *v3dcl_version(void);

#ifdef __cplusplus
}
#endif

#endif /* V3DCL_RELEASE_H */
