/* Output that appears whole or not at all. Until txOutputCommit it is a file without a name in the
 * destination's folder, which vanishes with the program, however that ends; where the system has no
 * such files, one beside the destination, .tmp and a number behind its name. "-" is standard
 * output; devices, pipes and other special files are written directly. */
#ifndef TEXLA_CORE_OUTPUT_H
#define TEXLA_CORE_OUTPUT_H

#include <stdbool.h>
#include <stdio.h>

#include "platform/companion.h"
#include "texla/status.h"

typedef struct txOutput {
  /* Where the content is written. Errors may be ignored until txOutputCommit, which sees them. */
  FILE *file;
  /* The call that messages name. */
  const char *call;
  /* The destination, and the name that the file has until then: NULL while it has none, or when
   * `path` is written directly. */
  char *path, *temporary;
  bool unnamed;
} txOutput;

TX_COMPANION clStatus txOutputOpen(txOutput *output, const char *path, const char *call,
                                   clError *error);
/* Flushes, waits until the disk has it, closes and renames, and says whether everything was
 * written; if not, the destination is as it was. */
TX_COMPANION clStatus txOutputCommit(txOutput *output, clError *error);
/* Several outputs, all or none of them; those that are not open (all zero) count as written. */
clStatus txOutputCommitAll(txOutput *outputs, int count, clError *error);
/* Gives up; does nothing after a commit or a failed open. */
TX_COMPANION void txOutputAbort(txOutput *output);

/* Why an earlier write into a stream failed, as errno has it. */
int txOutputReason(FILE *file);

/* The name by which another program can open the file while this one has it open. */
void txOutputName(const txOutput *output, char *name, size_t size);

#endif
