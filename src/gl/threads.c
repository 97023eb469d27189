/* How many worker threads a software renderer (Mesa's llvmpipe) is to have. */
#include "gl/platform.h"
#include "gl/traits.h"
#include "platform/platform.h"

#include <stdlib.h>

static const char variable[] = "LP_NUM_THREADS";

/* What llvmpipe does without being told: as many workers as processors, none beside a single
 * one. */
int txThreadsUsual(void) {
  const char *user = getenv(variable);
  if (user) {
    int given = atoi(user);
    return given > 0 ? given : 0;
  }
  int processors = txProcessors();
  return processors > 1 ? processors : 0;
}

int txThreadsWanted(const clContextOptions *options, int pinned) {
  if (options->threads)
    return options->threads > 0 ? options->threads : 0;
  if (getenv(variable))
    return txThreadsUsual();
  if (pinned >= 0)
    return pinned;
  if (options->elements > 0 && options->elements <= TX_FEW_ELEMENTS)
    return 0;
  return txThreadsUsual();
}
