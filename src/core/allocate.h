/* Memory of the host, and other small helpers that every room needs. */
#ifndef TEXLA_CORE_ALLOCATE_H
#define TEXLA_CORE_ALLOCATE_H

#include "platform/companion.h"
#include "core/error.h"

#include <stddef.h>

/* `count` times `size` bytes, all zero, to be freed by the caller; at least one byte. NULL when
 * there is no memory, and `error` (NULL: nowhere) then says "call: no memory for WHAT (N bytes)";
 * the caller returns TEXLA_OUT_OF_MEMORY. */
TX_COMPANION void *txAllocate(clError *error, const char *call, size_t count, size_t size,
                              const char *what);

/* `memory` (NULL is allowed) with another size, as realloc does it: what is new is undefined. NULL:
 * reported, `memory` is as it was. */
TX_COMPANION void *txReallocate(clError *error, const char *call, void *memory, size_t count,
                                size_t size, const char *what);

/* A copy of a text. */
TX_COMPANION char *txCopyText(clError *error, const char *call, const char *text, const char *what);

#endif
