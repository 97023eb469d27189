#include "elimination/residuals.h"
#include "core/numbers.h"
#include "core/parallel.h"
#include "core/triplets.h"

#include <math.h>
#include <stddef.h>

typedef struct work {
  const txResiduals *p;
  /* x_j of all vectors beside each other; of a single one, x */
  const double *x;
} work;

/* Row i, whose entries are [k, end), with as many vectors as there are lanes. */
static inline void multiplyRow(const work *w, int lanes, int64_t i, int64_t k, int64_t end) {
  const txResiduals *p = w->p;
  double r[TX_LANES], size[TX_LANES];
  for (int v = 0; v < lanes; v++) {
    r[v] = 0;
    if (v < p->count && p->b[v])
      r[v] = p->b[v][i];
    size[v] = fabs(r[v]);
  }
  for (; k < end; k++) {
    const double *x = w->x + (int64_t)lanes * p->A->col[k], a = p->A->value[k];
    for (int v = 0; v < lanes; v++) {
      double term = a * x[v];
      r[v] -= term;
      size[v] += fabs(term);
    }
  }
  for (int v = 0; v < p->count; v++) {
    p->r[v][i] = r[v];
    if (p->size[v])
      p->size[v][i] = size[v];
  }
}

/* The first row that begins at entry k or later. */
static int64_t rowFrom(const clTriplets *A, int64_t k) {
  if (k == 0)
    return 0;
  if (k >= A->count)
    return A->rows;
  return (int64_t)A->row[k - 1] + 1;
}

/* The rows that begin at the entries [first, last): of a dense matrix these are many more than
 * rows, and so worth a thread. */
static void residualsMultiplyRows(void *user, int64_t first, int64_t last, double sum[TX_SUMS]) {
  const work *w = user;
  const clTriplets *A = w->p->A;
  int64_t row = rowFrom(A, first), to = rowFrom(A, last), k = txTripletsRow(A, (int32_t)row);
  (void)sum;
  for (; row < to; row++) {
    int64_t end = k;
    while (end < A->count && A->row[end] == row)
      end++;
    if (w->p->count == 1)
      multiplyRow(w, 1, row, k, end);
    else
      multiplyRow(w, TX_LANES, row, k, end);
    k = end;
  }
}

/* Several vectors lie beside each other, so that an entry of A is read once for all of them. */
void txResidualsFind(const txResiduals *p, double *mixed) {
  work w = {p, p->x[0]};
  if (p->count > 1) {
    w.x = mixed;
    for (int v = 0; v < p->count; v++)
      for (int64_t j = 0; j < p->A->cols; j++)
        mixed[j * TX_LANES + v] = p->x[v][j];
  }
  txParallel(txMost64(p->A->count, 1), residualsMultiplyRows, &w, NULL);
}
