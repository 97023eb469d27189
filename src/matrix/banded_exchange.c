#include "matrix/banded.h"
#include "vector/vector.h"

/* The vectors are exchanged, not copied: the caller may compute the next values in what it gets. */
bool txBandedExchange(clMatrix *A, int64_t dx, int64_t dy, clVector *values) {
  txBanded *banded = A->data;
  for (int i = 0; i < banded->diagonals; i++) {
    const txDiagonal *d = &banded->diagonal[i];
    if (d->dx != dx || d->dy != dy || d->texture < 0)
      continue;
    txTextureExchange(&banded->texture[d->texture], &values->texture);
    return true;
  }
  return false;
}
