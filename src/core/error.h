/* Error messages: one way to fail, for calls with a context (its own clError) and without (the
 * caller's). */
#ifndef TEXLA_CORE_ERROR_H
#define TEXLA_CORE_ERROR_H

#include "platform/companion.h"
#include "texla/status.h"

/* Writes "call: message" into *error (NULL: nowhere) and returns `status`, so that a call can
 * `return txFail(...)`. */
TX_COMPANION clStatus txFail(clError *error, clStatus status, const char *call, const char *format,
                             ...) TEXLA_PRINTF(4, 5);

#endif
