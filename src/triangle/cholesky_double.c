/* Is a matrix positive definite that single precision took for it? Rounding lifts pivots that are
 * zero to some 1e-7 of the diagonal, more where the columns before them nearly depend on each
 * other. Where the factor says that the smallest eigenvalue may be such a one, A is factored once
 * more on the host, in double. */
#include "triangle/cholesky_host.h"
#include "core/allocate.h"
#include "core/try.h"

#include <math.h>
#include <stdlib.h>

/* Below it, beside a diagonal of 1 to 4, a pivot may be rounding; it costs nothing to ask. */
static const double SMALL_PIVOT = 0x1p-4;

/* The pivots of S A S, l_ii^2 s_i^2: is one of them small? */
static bool hasSmallPivot(const clCholesky *c) {
  for (int i = 0; i < c->order; i++) {
    double l = c->diagonal[i] * c->scales[i];
    if (l * l < SMALL_PIVOT)
      return true;
  }
  return false;
}

/* L <- S L: the factor of S A S, on whose diagonal are ones or so. */
static void scaleRows(const clCholesky *c, const txHostLower *L) {
  for (int i = 0; i < L->order; i++)
    for (int j = 0; j <= i; j++)
      txHostLowerRow(L, i)[j] *= c->scales[i];
}

/* Where the condition of S A S leaves less than rounding to the smallest eigenvalue, its sign is
 * not known. */
static clStatus isDoubtful(const clCholesky *c, const char *call, bool *doubtful) {
  const double limit = 16 * fmax(4, sqrt(c->order)) * ldexp(1, -23);
  clStatus status = TEXLA_OK;
  txHostLower L = {0};
  double *work = NULL;
  *doubtful = hasSmallPivot(c);
  if (!*doubtful)
    return TEXLA_OK;
  TRY(txCholeskyDownload(c, call, &L));
  work = txAllocate(txContextError(c->context), call, 2 * (size_t)c->order, sizeof *work,
                    "vectors of the unknowns");
  if (!work)
    TRY_CLEANUP(TEXLA_OUT_OF_MEMORY);
  scaleRows(c, &L);
  double condition = txHostLowerNorm(&L, work) * txHostLowerInverseNorm(&L, work);
  *doubtful = !(condition * limit < 1);
cleanup:
  free(work);
  free(L.value);
  return status;
}

/* *out <- the lower triangle of S A S. */
static clStatus downloadScaled(const clCholesky *c, const char *call, const txLower *A,
                               txHostLower *out) {
  clCholesky scaled = *c;
  scaled.factor = NULL;
  clStatus status = TEXLA_OK;
  txLower target = txCholeskyFactorOf(&scaled);
  TRY_CLEANUP(txLowerTexture(&scaled.factor, c->context, call, c->order, TEXLA_PACKING_2X2,
                             c->options.packed));
  target.texture = scaled.factor;
  TRY_CLEANUP(txLowerCopyScaled(call, &target, A, c->scale, false));
  TRY_CLEANUP(txCholeskyDownload(&scaled, call, out));
  scaleRows(c, out);
cleanup:
  txTextureDestroy(scaled.factor);
  return status;
}

/* Only what is doubtful is factored again: in double that takes n^3 / 3 operations on the host. */
clStatus txCholeskyDecide(const clCholesky *c, const char *call, const txLower *A, int *column) {
  bool doubtful = false;
  txHostLower scaled = {0};
  *column = -1;
  TRY(isDoubtful(c, call, &doubtful));
  if (!doubtful)
    return TEXLA_OK;
  TRY(downloadScaled(c, call, A, &scaled));
  clStatus status = TEXLA_OUT_OF_MEMORY;
  double *work = txAllocate(txContextError(c->context), call, (size_t)c->order, sizeof *work,
                            "a vector of the unknowns");
  if (work) {
    *column = txHostLowerFactor(&scaled, work);
    status = TEXLA_OK;
  }
  free(work);
  free(scaled.value);
  return status;
}
