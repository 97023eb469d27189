/* Error messages: one way to fail, for calls with a context (its own clError) and without (the
 * caller's). */
#ifndef TEXLA_CORE_ERROR_H
#define TEXLA_CORE_ERROR_H

#include <stddef.h>

#include "platform/companion.h"
#include "texla/status.h"

/* The bytes of the control character at `text`, 0: there is none. Line feeds and tabs count as
 * none, DEL and the C1 set in UTF-8 do. */
size_t txControl(const char *text);
/* Control characters become question marks: a terminal would obey those of a stranger's file. */
TX_COMPANION void txDisarm(char *text);

/* Writes "call: message", disarmed, into *error (NULL: nowhere) and returns `status`: a call can
 * `return txFail(...)`. */
TX_COMPANION clStatus txFail(clError *error, clStatus status, const char *call, const char *format,
                             ...) TEXLA_PRINTF(4, 5);

#endif
