/* Operands that the suites of dense products share: dense.c, batch.c. */
#include "core/try.h"
#include "suite.h"

/* A and B are the same numbers in each run. */
clStatus txBenchSquaresCreate(txBench *bench, txBenchSquares *s, int n) {
  int64_t count = (int64_t)n * n;
  clDense **matrix[] = {&s->A, &s->B, &s->C[0], &s->C[1]};
  *s = (txBenchSquares){.n = n,
                        .a = txBenchArray(count, 0),
                        .b = txBenchArray(count, 0),
                        .c = txBenchArray(count, 0)};
  if (!s->a || !s->b || !s->c)
    return TEXLA_OUT_OF_MEMORY;
  txBenchNoise(s->a, count, 44, -1, 1);
  txBenchNoise(s->b, count, 45, -1, 1);
  TRY(txBenchUse(bench, count));
  for (int k = 0; k < 4; k++)
    TRY(clDenseCreate(matrix[k], bench->context, n, n));
  TRY(clDenseUpload(s->A, s->a, n));
  return clDenseUpload(s->B, s->b, n);
}

/* Also what has never been made. */
void txBenchSquaresDestroy(txBenchSquares *s) {
  clDenseDestroy(s->A);
  clDenseDestroy(s->B);
  clDenseDestroy(s->C[0]);
  clDenseDestroy(s->C[1]);
  txBenchFree(s->a, 0);
  txBenchFree(s->b, 0);
  txBenchFree(s->c, 0);
}
