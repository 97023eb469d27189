/* Test ratios of batches of tridiagonal systems: |b - A x| beside n eps (|A| |x| + |b|), rows
 * beside rows of the same size. Entries are random, so that most systems need exchanges of rows. */
#include "ratios.h"
#include "texla/tridiagonal.h"

#include "one_context.h"

enum { SYSTEMS = 5, CALLS = 2 };

typedef struct Batch {
  int n;
  /* sub, main and super diagonal, right-hand side: row i of system k is element k n + i */
  float *band[4];
} Batch;

static Batch create(int n, ratioKind kind, uint64_t *random) {
  Batch b = {.n = n};
  for (int d = 0; d < 4; d++)
    b.band[d] = malloc((size_t)(SYSTEMS * n) * sizeof *b.band[d]);
  for (int k = 0; k < SYSTEMS; k++) {
    double *a =
        ratioMatrix(n, 4, kind == RATIO_COLS || kind == RATIO_GRADED ? RATIO_RANDOM : kind, random);
    for (int i = 0; i < n; i++)
      for (int d = 0; d < 4; d++)
        b.band[d][k * n + i] = (float)a[i * 4 + d];
    free(a);
  }
  return b;
}

/* The worst of all systems that were solved. */
static double worstRatio(const Batch *b, const float *x, const clTridiagonalState *states,
                         bool periodic) {
  double worst = 0;
  int n = b->n;
  for (int k = 0; k < SYSTEMS; k++) {
    double most_x = 0, most_b = 0, most_r = 0;
    for (int i = 0; i < n && states[k] == TEXLA_TRIDIAGONAL_SOLVED; i++) {
      int at = k * n + i;
      double sum = 0, r = (double)b->band[3][at];
      for (int d = 0; d < 3; d++) {
        int j = i + d - 1;
        if ((j < 0 || j >= n) && !periodic)
          continue;
        double v = (double)b->band[d][at];
        r -= v * (double)x[k * n + (j + n) % n];
        sum += fabs(v);
      }
      most_x = fmax(most_x, fabs((double)x[at]));
      most_b = fmax(most_b, fabs((double)b->band[3][at]) / sum);
      most_r = isnan(r) ? INFINITY : fmax(most_r, fabs(r) / sum);
    }
    double ratio = ratioOf(most_r, most_x + most_b, n < 10 ? n : 10);
    worst = ratio <= worst ? worst : ratio;
  }
  return worst;
}

static double ratioOfBatch(int n, ratioKind kind, bool periodic, uint64_t *random) {
  const clTridiagonalOptions o = {.periodic = periodic};
  Batch b = create(n, kind, random);
  clTridiagonal *T = NULL;
  clVector *v[5];
  clTridiagonalState states[SYSTEMS];
  clTridiagonalReport report = {0};
  CHECK(clTridiagonalCreate(&T, context, n, SYSTEMS, &o));
  for (int d = 0; d < 5; d++) {
    CHECK(clVectorCreateGrid(&v[d], context, n, SYSTEMS));
    if (d < 4)
      CHECK(clVectorUpload(v[d], b.band[d]));
  }
  const clTridiagonalBands A = {.sub = v[0], .main = v[1], .super = v[2]};
  clStatus status = clTridiagonalSolveChecked(T, v[4], &A, v[3], &report, states);
  float *x = malloc((size_t)(SYSTEMS * n) * sizeof *x);
  CHECK(clVectorDownload(v[4], x));
  double ratio = worstRatio(&b, x, states, periodic);
  /* random systems are not singular; of nearly equal entries those of one row may be */
  if (status < 0 && kind != RATIO_ILL)
    ratio = INFINITY;
  for (int d = 0; d < 5; d++)
    clVectorDestroy(v[d]);
  for (int d = 0; d < 4; d++)
    free(b.band[d]);
  free(x);
  clTridiagonalDestroy(T);
  return ratio;
}

static void ratios(void **state) {
  (void)state;
  static const int orders[] = {3, 4, 5, 16, 33, 100, 257};
  ratioTally t[CALLS] = {{.call = "open"}, {.call = "periodic"}};
  uint64_t random = 23;
  for (int c = 0; c < 7 * RATIO_KINDS; c++) {
    int n = orders[c / RATIO_KINDS];
    ratioKind kind = (ratioKind)(c % RATIO_KINDS);
    for (int k = 0; k < CALLS; k++)
      ratioCount(&t[k], ratioOfBatch(n, kind, k, &random), kind, n, SYSTEMS);
  }
  ratioAssert(t, CALLS);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(ratios)};
  return cmocka_run_group_tests(tests, setUp, testContextDestroy);
}
