/* Small files, read whole. */
#ifndef TEXLA_CORE_INPUT_H
#define TEXLA_CORE_INPUT_H

#include <stddef.h>

#include "texla/status.h"

/* *text <- the content of a regular file of at most `most` bytes, with a zero behind it, to be
 * freed by the caller, and *length (NULL: not wanted) <- its bytes; *text <- NULL where there is no
 * such file. Folders, pipes and devices are refused, and none of them is waited for; so are larger
 * files. */
clStatus txInputRead(char **text, size_t *length, const char *path, size_t most, const char *call,
                     clError *error);

#endif
