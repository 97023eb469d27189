/* How a status is passed on: a call that fails ends the function, its error is the answer.
 *
 *     TRY(clVectorCopy(r, b));
 *     TRY(clVectorAxpy(r, -1, z));
 *
 * Where something must be freed on the way out, the function has a `clStatus status` and a label
 * `cleanup`, behind which it frees what it holds, returns `status`, and does nothing else:
 *
 *     clStatus status = TEXLA_OK;
 *     float *copy = NULL;
 *     TRY_CLEANUP(txAllocate(...));
 *     TRY_CLEANUP(clVectorDownload(x, copy));
 *   cleanup:
 *     free(copy);
 *     return status;
 *
 * A status of more than 0 is information ("not converged") and ends nothing: a function that hands
 * it on keeps it. */
#ifndef TEXLA_CORE_TRY_H
#define TEXLA_CORE_TRY_H

#include "texla/status.h"

#define TRY(call)                                                                                  \
  do {                                                                                             \
    clStatus try_status = (call);                                                                  \
    if (try_status < 0)                                                                            \
      return try_status;                                                                           \
  } while (0)

#define TRY_CLEANUP(call)                                                                          \
  do {                                                                                             \
    status = (call);                                                                               \
    if (status < 0)                                                                                \
      goto cleanup;                                                                                \
  } while (0)

#endif
