/* Output that appears whole or not at all: a temporary file beside the destination, renamed by txOutputCommit.
 * "-" is standard output; devices, pipes and other special files are written directly. */
#ifndef TEXLA_IO_OUTPUT_H
#define TEXLA_IO_OUTPUT_H

#include <stdio.h>

#include "texla/status.h"

typedef struct txOutput {
  FILE *file;             /* write here; errors may be ignored until txOutputCommit */
  const char *call;       /* for messages */
  char *path, *temporary; /* temporary: NULL when `path` is written directly */
} txOutput;

clStatus txOutputOpen(txOutput *output, const char *path, const char *call, clError *error);
/* Flushes, closes and renames, and says whether everything was written; if not, the destination is as it was. */
clStatus txOutputCommit(txOutput *output, clError *error);
/* Gives up; does nothing after a commit or a failed open. */
void txOutputAbort(txOutput *output);

#endif
