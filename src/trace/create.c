/* clContextCreate: a context of src/gl, and the trace that its options or the environment ask
 * for. */
#include <stdlib.h>

#include "gl/context.h"
#include "core/try.h"
#include "texla/trace.h"

/* The options come before the environment; without a folder there is no trace. */
static clStatus createBegin(clContext *context, const clContextOptions *options, clError *error) {
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

/* When the trace cannot begin there is no context either: a run that was to be traced shall not
 * go on without. */
clStatus clContextCreate(clContext **out, const clContextOptions *options, clError *error) {
  clContext *context = NULL;
  clContext **created = NULL;
  clStatus status = TEXLA_OK;
  if (out)
    created = &context;
  TRY_CLEANUP(txContextCreate(created, options, error));
  TRY_CLEANUP(createBegin(context, options, error));
  *out = context;
  context = NULL;
cleanup:
  clContextDestroy(context);
  return status;
}
