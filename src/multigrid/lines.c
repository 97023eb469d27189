/* The matrices of lines: what A couples within a row or a column of the grid. */
#include "multigrid/grid.h"
#include "core/allocate.h"
#include "core/try.h"

#include <stdlib.h>

enum { BANDS = 3 };
static const int coefficient[2][BANDS] = {
    /* The coefficients of the point and its two neighbours on the line. */
    [TEXLA_AXIS_X] = {3, TX_CENTRE, 5},
    [TEXLA_AXIS_Y] = {1, TX_CENTRE, 7}};

/* Coefficients that vary cover the grid as a vector does. */
static clVector view(const txGrid *A, int k) {
  return (clVector){.context = A->context, .layout = A->layout, .texture = A->a[k]};
}

/* The textures of the coefficients are bands of the tridiagonal matrices, so they are used where
 * they are. */
static clStatus factorViews(clTridiagonal *T, const txGrid *A, const int *k) {
  const clVector sub = view(A, k[0]), diagonal = view(A, k[1]), super = view(A, k[2]);
  clVector *shifted = NULL;
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(clVectorCreateLike(&shifted, &diagonal));
  TRY_CLEANUP(clVectorScale(shifted, 1 + (float)TX_LINE_SHIFT, NULL, &diagonal));
  TRY_CLEANUP(
      clTridiagonalFactor(T, &(clTridiagonalBands){.sub = &sub, .main = shifted, .super = &super}));
cleanup:
  clVectorDestroy(shifted);
  return status;
}

/* One coefficient of all points, from the few that are stored. */
static clStatus linesSpread(clVector **out, const txGrid *A, const txStencil *s, int k,
                            const char *call) {
  float *values = txAllocate(txContextError(A->context), call, (size_t)A->layout.length,
                             sizeof *values, "the lines of a grid");
  if (!values)
    return TEXLA_OUT_OF_MEMORY;
  float factor = k == TX_CENTRE ? 1 + (float)TX_LINE_SHIFT : 1;
  for (int j = 0; j < A->n[1]; j++)
    for (int i = 0; i < A->n[0]; i++)
      values[(int64_t)j * A->n[0] + i] = factor * s->a[TX_STENCIL * txStencilIndex(s, i, j) + k];
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(txVectorCreate(out, A->context, call, &A->layout));
  TRY_CLEANUP(clVectorUpload(*out, values));
cleanup:
  free(values);
  return status;
}

/* The same where the coefficients are constant, so that no textures hold them. */
static clStatus factorSpread(clTridiagonal *T, const txGrid *A, const txStencil *s, const int *k,
                             const char *call) {
  clVector *band[BANDS] = {NULL, NULL, NULL};
  clStatus status = TEXLA_OK;
  for (int b = 0; b < BANDS; b++)
    TRY_CLEANUP(linesSpread(&band[b], A, s, k[b], call));
  TRY_CLEANUP(clTridiagonalFactor(
      T, &(clTridiagonalBands){.sub = band[0], .main = band[1], .super = band[2]}));
cleanup:
  for (int b = 0; b < BANDS; b++)
    clVectorDestroy(band[b]);
  return status;
}

clStatus txGridLines(clTridiagonal **out, const txGrid *A, const txStencil *s, clAxis axis,
                     const char *call) {
  clTridiagonalOptions options = {.axis = axis, .periodic = A->periodic[axis]};
  clTridiagonal *T = NULL;
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(clTridiagonalCreate(&T, A->context, A->n[0], A->n[1], &options));
  if (A->uniform)
    TRY_CLEANUP(factorSpread(T, A, s, coefficient[axis], call));
  else
    TRY_CLEANUP(factorViews(T, A, coefficient[axis]));
  *out = T;
  T = NULL;
cleanup:
  clTridiagonalDestroy(T);
  return status;
}
