#include "elimination/elimination.h"
#include "core/numbers.h"
#include "core/try.h"

#include <float.h>
#include <math.h>

const char *clPivotingName(clPivoting pivoting) {
  static const char *const names[] = {"partial", "complete", "block-harm", "block-geom", "none"};
  if (pivoting < TEXLA_PIVOT_PARTIAL || pivoting > TEXLA_PIVOT_NONE)
    return "unknown";
  return names[pivoting];
}

clStatus txEliminationCheck(const char *call, clContext *context,
                            const clEliminationOptions *options) {
  if (options->pivoting >= TEXLA_PIVOT_PARTIAL && options->pivoting <= TEXLA_PIVOT_NONE &&
      isfinite(options->tolerance))
    return TEXLA_OK;
  return txFail(txContextError(context), TEXLA_BAD_ARGUMENT, call,
                "pivoting (%d) must be one of the list and the tolerance (%g) finite",
                (int)options->pivoting, options->tolerance);
}

clStatus txDenseNormRead(double *value, clNorm norm, const clDense *A) {
  clFloat *s = NULL;
  float single = 0;
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(clFloatCreate(&s, A->context));
  TRY_CLEANUP(clDenseNorm(s, norm, A));
  TRY_CLEANUP(clFloatDownload(s, &single));
  *value = (double)single;
cleanup:
  clFloatDestroy(s);
  return status;
}

/* A pivot of the size of n roundoffs of the largest entry may be all rounding. */
float txEliminationTolerance(const clEliminationOptions *options, const txEquilibration *e,
                             double largest) {
  int size = txMost(e->rows, e->cols);
  if (options->tolerance == 0)
    return (float)(10 * size * (double)FLT_EPSILON * largest);
  /* one factor for all rows */
  return (float)fmin(ldexp(fmax(options->tolerance, 0), e->row[0]), (double)FLT_MAX);
}
