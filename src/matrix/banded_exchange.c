#include "matrix/banded.h"
#include "vector/vector.h"

#include <string.h>

static txDiagonal *storedAt(const txBanded *banded, int64_t dx, int64_t dy) {
  for (int i = 0; i < banded->diagonals; i++) {
    txDiagonal *d = &banded->diagonal[i];
    if (d->dx == dx && d->dy == dy && d->texture >= 0)
      return d;
  }
  return NULL;
}

/* The vectors are exchanged, not copied: the caller may compute the next values in what it gets. */
bool txBandedExchange(clMatrix *A, int64_t dx, int64_t dy, clVector *values) {
  txBanded *banded = A->data;
  const txDiagonal *d = storedAt(banded, dx, dy);
  if (!d)
    return false;
  txTextureExchange(&banded->texture[d->texture], &values->texture);
  return true;
}

/* Constant diagonals stand first. */
bool txBandedMain(clMatrix *A, float value) {
  txBanded *banded = A->data;
  txDiagonal *d = storedAt(banded, 0, 0), main = {.texture = -1, .value = value};
  if (!d || d->shared)
    return false;
  memmove(banded->diagonal + 1, banded->diagonal, (size_t)(d - banded->diagonal) * sizeof *d);
  banded->diagonal[0] = main;
  return true;
}
