#include "oracle/matvec.h"

#include "choose.h"

#include <math.h>

void oracleMatvec(double *y, double *bound, double ca, const clTriplets *A, bool transposed,
                  const float *x, double cb, const float *b) {
  int32_t n = transposed ? A->cols : A->rows;
  for (int32_t i = 0; i < n; i++) {
    double term = b ? cb * (double)b[i] : 0;
    y[i] = term;
    if (bound)
      bound[i] = fabs(term);
  }
  for (int64_t k = 0; k < A->count; k++) {
    int i = A->row[k], j = A->col[k];
    swapIf(transposed, &i, &j);
    double term = ca * (double)(float)A->value[k] * (double)x[j];
    y[i] += term;
    if (bound)
      bound[i] += fabs(term);
  }
}
