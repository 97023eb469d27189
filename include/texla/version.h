/**
 * @file
 * The version of texla: the one place; the build reads it from here. */
#ifndef TEXLA_VERSION_H
#define TEXLA_VERSION_H

#include "texla/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/** The version of this header: major, minor, patch (semver.org). */
#define TEXLA_VERSION "0.3.0"

/** The version of the library that runs, where TEXLA_VERSION is that of the header. Any thread.
 * @return a constant: "0.2.0"
 * @since 0.2 */
TEXLA_API const char *clVersion(void);

#ifdef __cplusplus
}
#endif
#endif
