/* clContextCreate: a context of src/gl, and the trace that its options or the environment ask
 * for. */
#include <stdlib.h>

#include "gl/context.h"
#include "texla/trace.h"

static clStatus begin(clContext *context, const clContextOptions *options, clError *error) {
  bool given = options && options->trace;
  const char *folder = given ? options->trace : getenv("TEXLA_TRACE");
  const char *choose = given ? options->trace_choose : getenv("TEXLA_TRACE_CHOOSE");
  if (!folder || !*folder)
    return TEXLA_OK;
  clStatus status = clTraceStart(context, &(clTraceOptions){.folder = folder, .choose = choose});
  if (status && error)
    *error = *clContextError(context);
  return status;
}

clStatus clContextCreate(clContext **out, const clContextOptions *options, clError *error) {
  clContext *context = NULL;
  clStatus status = txContextCreate(out ? &context : NULL, options, error);
  if (!status)
    status = begin(context, options, error);
  if (status)
    clContextDestroy(context);
  else
    *out = context;
  return status;
}
