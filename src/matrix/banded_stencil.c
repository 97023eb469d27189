/* A banded matrix from a stencil, without entries that anybody would have to look at. */
#include "core/allocate.h"
#include "core/try.h"
#include "matrix/banded.h"

#include <stdlib.h>
#include <string.h>

enum { POINTS = 9 };

static int64_t bandedStencilMagnitude(int k) {
  return k < 0 ? -k : k;
}

/* A diagonal for each neighbour that exists, in the order in which storages keep them. */
static void listDiagonals(clMatrix *A, txBanded *banded, int nx, int ny, const float a[POINTS]) {
  for (int k = 0; k < POINTS; k++) {
    int dx = k % 3 - 1, dy = k / 3 - 1;
    int64_t entries = (nx - bandedStencilMagnitude(dx)) * (ny - bandedStencilMagnitude(dy));
    if (a[k] == 0 || entries == 0)
      continue;
    banded->diagonal[banded->diagonals++] =
        (txDiagonal){.dx = dx, .dy = dy, .texture = -1, .value = a[k]};
    A->count += entries;
  }
}

static clStatus bandedStencilFill(clMatrix *A, const char *call, int nx, int ny,
                                  const float a[POINTS]) {
  char text[64];
  TRY(txMatrixLayouts(A, call, &(clMatrixOptions){.grid_nx = nx, .grid_ny = ny}));
  txBanded *banded =
      txAllocate(txContextError(A->context), call, 1, sizeof *banded, "the diagonals of a matrix");
  A->data = banded;
  if (!banded)
    return TEXLA_OUT_OF_MEMORY;
  banded->diagonal = txAllocate(txContextError(A->context), call, POINTS, sizeof(txDiagonal),
                                "the diagonals of a matrix");
  if (!banded->diagonal)
    return TEXLA_OUT_OF_MEMORY;
  listDiagonals(A, banded, nx, ny, a);
  txMatrixDescribe(A, "banded, %d diagonals (all constant), %s", banded->diagonals,
                   txLayoutText(&A->row_layout, text, sizeof text));
  return TEXLA_OK;
}

clStatus txBandedStencil(clMatrix **out, clContext *context, const char *call, int nx, int ny,
                         const float a[POINTS]) {
  clMatrix *A = txAllocate(txContextError(context), call, 1, sizeof *A, "a clMatrix");
  if (!A)
    return TEXLA_OUT_OF_MEMORY;
  *A = (clMatrix){.context = context,
                  .rows = nx * ny,
                  .cols = nx * ny,
                  .storage = TEXLA_STORAGE_BANDED,
                  .operations = &txBandedStorage,
                  .transposable = true};
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(bandedStencilFill(A, call, nx, ny, a));
  *out = A;
  A = NULL;
cleanup:
  clMatrixDestroy(A);
  return status;
}

bool txBandedFive(const clMatrix *A, float five[3]) {
  if (A->operations != &txBandedStorage || !A->row_layout.grid || !*txFullDefine(&A->row_layout))
    return false;
  const txBanded *banded = A->data;
  int seen = 0;
  memset(five, 0, 3 * sizeof *five);
  for (int i = 0; i < banded->diagonals; i++) {
    const txDiagonal *d = &banded->diagonal[i];
    int64_t reach = d->dx * d->dx + d->dy * d->dy, place = d->dx * d->dx + 2 * d->dy * d->dy;
    if (d->texture >= 0 || reach > 1 || (seen & 1 << place && five[place] != d->value))
      return false;
    seen |= 1 << place;
    five[place] = d->value;
  }
  return banded->diagonals == 5;
}
